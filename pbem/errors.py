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


class StoreError(PbemError):
    """Our own disk is damaged or cannot be written."""

    code = "store"
    exit_status = 4
