"""`python -m pbem` and the command `pbem`: the program itself, as a process of its own.

Python looks for unreachable cycles of objects every 700 new ones, which is a tenth of the time of a short
command. Here it looks rarely, and not once more when the process ends anyway. Whoever uses the packages as a
library is not touched by this.
"""

import gc
import sys

COLLECT_AFTER = 100_000  # objects


def main() -> None:
    """Run the program; ends the process with the exit status of docs/commands.md."""
    gc.set_threshold(COLLECT_AFTER)
    from pbem.cli import run  # after the line before: loading modules makes many objects

    status = run()
    gc.freeze()
    sys.exit(status)


if __name__ == "__main__":
    main()
