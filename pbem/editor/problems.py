"""What an import has to say about a document: things that cannot be played, and things worth a look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

MAX_SENTENCES = 60  # a scenario lists no more than 64
MAX_HEXES = 40  # named in one sentence


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing found in a document; several hexes with the same thing share a Problem."""

    what: str  # the piece or rule, "frozen river (wriver)"
    where: tuple[str, ...] = ()  # labels of hexes
    done: str = ""  # what becomes of it in a partial scenario
    blocking: bool = True  # False: worth a look, but everything can be played

    @property
    def sentence(self) -> str:
        """The problem for people: what, where, what becomes of it."""
        shown = ", ".join(self.where[:MAX_HEXES])
        more = f" and {len(self.where) - MAX_HEXES} more" if len(self.where) > MAX_HEXES else ""
        place = f" at {shown}{more}" if self.where else ""
        return f"{self.what}{place}{'; ' + self.done if self.done else ''}"

    def as_json(self) -> dict[str, object]:
        """The problem for programs."""
        return {"what": self.what, "where": list(self.where), "done": self.done, "blocking": self.blocking}


@dataclass(slots=True)
class Findings:
    """Problems in the order found; the same thing on another hex joins the first."""

    _where: dict[tuple[str, str, bool], list[str]] = field(default_factory=dict)

    def add(self, what: str, where: str = "", done: str = "", *, blocking: bool = True) -> None:
        """Note one thing."""
        hexes = self._where.setdefault((what, done, blocking), [])
        if where and where not in hexes:
            hexes.append(where)

    def note(self, what: str, where: str = "") -> None:
        """Note something that does not stop the import."""
        self.add(what, where, blocking=False)

    def problems(self) -> tuple[Problem, ...]:
        """Everything found, what blocks first."""
        found = [
            Problem(what, tuple(hexes), done, blocking)
            for (what, done, blocking), hexes in self._where.items()
        ]
        return tuple(sorted(found, key=lambda problem: not problem.blocking))


def sentences(problems: Iterable[Problem]) -> tuple[str, ...]:
    """What a partial scenario says of itself: every blocking problem, as far as a scenario has room."""
    found = [problem.sentence for problem in problems if problem.blocking]
    if len(found) > MAX_SENTENCES:
        found = [*found[:MAX_SENTENCES], f"and {len(found) - MAX_SENTENCES} more"]
    return tuple(found)
