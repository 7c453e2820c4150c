"""The shape of answers and events: plain tuples, small enough to be made by the thousand."""

from __future__ import annotations

from typing import Any, NamedTuple

Answer = tuple[Any, ...]  # a verb and its arguments: ("move", 56, 57); see notation.py
Event = tuple[Any, ...]  # a kind and its fields; see events.py


class Form(NamedTuple):
    """What stands behind a verb: so many arguments of one kind."""

    kind: str  # "hex", "card", "word", "number" or "face"
    least: int
    most: int
    means: str  # for people, after "expected"


MOST = 64  # more hexes, dice or cards than any answer names

# Every verb of every answer and outcome.
VERBS: dict[str, Form] = {
    "card": Form("card", 1, 2, "a card, and what it is used as"),
    "section": Form("word", 1, 1, "left, center or right"),
    "order": Form("hex", 1, 1, "the hex of a unit"),
    "done": Form("hex", 0, 0, "nothing"),
    "move": Form("hex", 2, MOST, "the hexes of the way, start and end included"),
    "exit": Form("hex", 1, MOST, "the hexes of the way to the exit"),
    "attack": Form("hex", 2, 2, "the hex of the attacker and the hex of the target"),
    "clear": Form("hex", 1, 1, "the hex with the wire"),
    "pass": Form("hex", 0, 0, "nothing"),
    "ignore": Form("number", 1, 1, "the number of flags"),
    "retreat": Form("hex", 1, MOST, "the hexes of the route, the unit's own first"),
    "ground": Form("hex", 1, 1, "the hex to take"),
    "stay": Form("hex", 0, 0, "nothing"),
    "target": Form("hex", 1, 1, "the hex of an enemy unit"),
    "strike": Form("hex", 1, 1, "the hex of a chosen unit"),
    "heal": Form("hex", 1, 1, "the hex of a unit with losses"),
    "drop": Form("hex", 1, 1, "the hex to aim at"),
    "discard": Form("card", 1, 1, "a card"),
    "roll": Form("face", 1, MOST, "the faces of the dice"),
    "draw": Form("card", 0, MOST, 'the cards drawn, "?" for a hidden one'),  # none if none is left
    "shuffle": Form("hex", 0, 0, "nothing"),
}


def is_well_formed(answer: Answer, size: int) -> bool:
    """Whether a known verb has arguments of its number and kind, on a board of so many hexes."""
    form = VERBS[answer[0]]
    if not form.least <= len(answer) - 1 <= form.most:
        return False
    if form.kind == "hex":
        return all(type(h) is int and 0 <= h < size for h in answer[1:])
    wanted: type[Any] = int if form.kind in ("number", "face") else str
    return all(type(word) is wanted for word in answer[1:])
