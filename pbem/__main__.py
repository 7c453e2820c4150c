"""`python -m pbem` and the command `pbem`: the program itself, as a process of its own.

A command is short, so two things that Python does for long-running programs are left out here: it looks for
unreachable cycles of objects rarely instead of every 700 new ones, and once everything is written it does not
take the interpreter apart. Together they are a tenth of the time of `pbem apply`. Whoever uses the packages
as a library is not touched by this.
"""

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path

COLLECT_AFTER = 100_000  # objects


def main() -> None:
    """Run the program; ends the process with the exit status of docs/commands.md."""
    gc.set_threshold(COLLECT_AFTER)
    _open_missing_streams()
    from pbem.cli import run  # after the lines before: loading modules makes many objects

    status = _flush(run())
    os._exit(status)


def _open_missing_streams() -> None:
    """Give a process that was started without standard streams empty ones."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115  # stays open


def _flush(status: int) -> int:
    """Write what is still to be written; the exit status, which is 1 if that fails."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # whoever read our output has gone, as with other programs
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        print(f"pbem: the output cannot be written: {reason}", file=sys.stderr)
        status = max(status, 1)
    with suppress(OSError):
        sys.stderr.flush()
    return status


if __name__ == "__main__":
    main()
