"""The ways in which the program says no: a stable code, one sentence, what to do next, an exit status."""

from __future__ import annotations


class PbemError(Exception):
    """Anything the program refuses.

    `code` is stable and meant for scripts and tests; `hint` is the command or step to try next, or "".
    """

    code = "refused"
    exit_status = 1

    def __init__(self, message: str, *, hint: str = "", code: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code:
            self.code = code


class Refused(PbemError):
    """Not possible now: not your move, unknown game, illegal action."""


class TurnFileError(PbemError):
    """A file is wrong: forged, damaged, or against the rules; says which file and which entry."""

    code = "turn-file"
    exit_status = 3


class Fault(TurnFileError):
    """One refusal of the protocol: its stable code, such as E_SIG, and one sentence.

    Whoever verifies a whole game fills in where it happened: number of the file, of the op in it, the chain
    value just before that op, the seat at fault, and the rule that was broken.
    """

    def __init__(self, code: str, message: str, *, rule: str = "", hint: str = "") -> None:
        # A message may quote what a stranger wrote; it must not steer anybody's terminal.
        printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in message)
        super().__init__(printable, hint=hint, code=code)
        self.rule = rule
        self.file: int | None = None
        self.op: int | None = None
        self.chain: bytes | None = None
        self.seat: int | None = None

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class StoreError(PbemError):
    """Our own disk is damaged or cannot be written."""

    code = "store"
    exit_status = 4


def sentence(problem: PbemError) -> str:
    """A refusal in one sentence, with the code of the protocol, the place and the rule if they are known."""
    if not isinstance(problem, Fault):
        return problem.message
    place = [f"file {problem.file}"] if problem.file is not None else []
    place += [f"entry {problem.op}"] if problem.op is not None else []
    place += [f"rule {problem.rule}"] if problem.rule else []
    code = f"{problem.code}: " if problem.code.startswith("E_") else ""
    return code + problem.message + (f" ({', '.join(place)})" if place else "")
