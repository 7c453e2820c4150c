"""What was typed, as lines: the arguments of a command, or a file with comments; each knows its place."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine.errors import IllegalDecision, NotationError
from pbem.errors import Refused

COMMENTS = (";", "#")


class Line(NamedTuple):
    """One action as it was typed, and where; the only argument of a command has no place."""

    place: str
    text: str


def read_lines(text: str) -> list[Line]:
    """The actions of a file, one a line; what follows ";" or "#" is a comment, but not in a message."""
    rows = ((f"line {n}", _uncommented(row).strip()) for n, row in enumerate(text.splitlines(), start=1))
    return [Line(place, row) for place, row in rows if row]


def _uncommented(row: str) -> str:
    return row if _is_message(row) else row.split(";")[0].split("#")[0]


def _is_message(row: str) -> bool:
    return (row.split() or [""])[0].lower() == "say"


def split_arguments(arguments: Iterable[str], *, what: str = "action") -> list[Line]:
    """The actions of a command line, each an argument or a line of one; raises Refused for comments."""
    parts = [[text] if _is_message(text) else text.splitlines() for text in arguments]
    rows = [row.strip() for part in parts for row in part if row.strip()]
    for row in rows:
        sign = next((sign for sign in COMMENTS if sign in row and not _is_message(row)), None)
        if sign is not None:
            raise Refused(
                f'"{sign}" has no meaning here',
                hint=f"put each {what} into quotation marks of its own; comments stand in files only",
            )
    return [Line(f"{what} {n}" if len(rows) > 1 else "", row) for n, row in enumerate(rows, start=1)]


def placed(problem: Exception, place: str) -> Exception:
    """The same refusal with the place of the action in front."""
    if not place:
        return problem
    if isinstance(problem, Refused):
        return Refused(f"{place}: {problem.message}", hint=problem.hint, code=problem.code)
    if isinstance(problem, IllegalDecision):
        return problem.at(place)
    return NotationError(f"{place}: {problem}")
