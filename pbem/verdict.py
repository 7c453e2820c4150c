"""What the verification of a game comes to, as values that can be printed, compared and sent about."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from pbem.gathering import Place


def as_plain(value: Any) -> Any:
    """A value with rows as dictionaries and everything else as it is."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: as_plain(item) for name, item in zip(value._fields, value, strict=True)}
    return [as_plain(item) for item in value] if isinstance(value, list | tuple) else value


class Player(NamedTuple):
    """Somebody who has a seat in a game."""

    seat: int
    name: str
    army: str
    fingerprint: str  # "" while nobody has taken the seat


class Problem(NamedTuple):
    """One thing that is wrong: where, what, against which rule, and by whom."""

    where: str
    file: int
    code: str
    message: str
    rule: str = ""
    entry: int | None = None  # number of the op in the file
    chain: str = ""  # the chain value before that op
    said: str = ""  # the op in words, if it can be shown
    seat: int | None = None  # whose file it says it is
    name: str = ""
    fingerprint: str = ""
    signed: bool = False  # by the person named: then the file is proof against them


class Forked(NamedTuple):
    """Two good files by one author for one place, and where they were found."""

    file: int
    seat: int
    name: str
    fingerprint: str
    where: tuple[str, str]
    ids: tuple[str, str]
    # Behind the words: the files up to the place, and the two.
    before: tuple[Place, ...]
    both: tuple[Place, Place]


class Result(NamedTuple):
    """How a game ended."""

    winner: str  # army
    name: str
    medals: tuple[int, int] | None  # allies, axis
    reason: str
    signed_by_both: bool


class Due(NamedTuple):
    """Whose file comes next, for checking a claim."""

    ids: tuple[str, ...]  # of the files so far
    author: str  # fingerprint of whoever wrote the last one
    seat: int | None  # whose file is awaited; None at the end


@dataclass(slots=True)
class Verdict:
    """What there is to say of one game."""

    game: str
    key: str = ""  # what players call it: the battle and the first digits of the invitation's id
    where: str = ""  # the archive, the file or the folder in which it was found
    battle: str = ""
    players: tuple[Player, ...] = ()
    dice: str = ""
    retreat: str = ""
    clock: int | None = None  # days for a file
    rules: str = ""
    rules_checked: bool = True
    files: int = 0  # that were accepted, in the longest line
    turns: int | None = None
    result: Result | None = None
    next: str = ""  # name of the player whose file is awaited
    problems: list[Problem] = field(default_factory=list)  # the game stops there
    strays: list[Problem] = field(default_factory=list)  # beside the game, and no part of it
    forks: list[Forked] = field(default_factory=list)
    missing: list[int] = field(default_factory=list)  # numbers of files that are not there
    unchecked: int = 0  # files behind a problem or a gap
    waiting: list[str] = field(default_factory=list)  # where those behind a gap are
    repeated: int = 0  # files that were there more than once
    due: Due | None = None  # behind the words

    @property
    def status(self) -> str:
        """One word: verified, wrong, fork or incomplete."""
        if self.problems:
            return "wrong"
        if self.forks:
            return "fork"
        return "incomplete" if self.missing else "verified"

    @property
    def verified(self) -> bool:
        """Whether the game is good from its offer to its last file."""
        return self.status == "verified"

    @property
    def clean(self) -> bool:
        """Whether the game is good and no bad file lay beside it."""
        return self.verified and not self.strays

    def as_json(self) -> dict[str, Any]:
        """The keys that `pbem verify --json` prints for a game."""
        named = {row.name: as_plain(getattr(self, row.name)) for row in fields(self) if row.name != "due"}
        for fork in named["forks"]:
            del fork["before"], fork["both"]
        return {"status": self.status, "verified": self.verified, **named}


class CertificateVerdict(NamedTuple):
    """What a fork certificate proves, or why it proves nothing."""

    where: str
    valid: bool
    game: str = ""
    file: int | None = None
    seat: int | None = None
    fingerprint: str = ""
    ids: tuple[str, ...] = ()
    entry: int | None = None  # the first op in which the two files differ
    chain: str = ""  # the last chain value they share
    code: str = ""
    message: str = ""


class ClaimVerdict(NamedTuple):
    """What a claim says beside the files of its game, or why it is void."""

    where: str
    valid: bool
    game: str = ""
    battle: str = ""
    name: str = ""  # of the claimant
    fingerprint: str = ""
    against: str = ""  # name of the player whose file is awaited
    against_fingerprint: str = ""
    files: int | None = None  # so far; the claimant wrote the last one
    last: str = ""  # its id
    days: int | None = None  # the agreed clock
    sent: int | None = None  # when the last file was sealed, by the claimant's clock
    made: int | None = None  # when the claim was made, likewise
    here: int | None = None  # when that file came to whoever checks the claim, if that is a player
    code: str = ""
    message: str = ""
