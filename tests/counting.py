"""Counts of decisions from drawn positions, like perft for chess; the files are tests/engine/counts/*.txt.

A file has comments, then `name: value` lines (card, hand, face) and options, `before` if the card is still to
be played, a drawn position as tests/drawing.py reads it, lines `play ...` that lead on from there, and lines
`depth n = count`. A count is the number of different runs of n decisions. Chance answers by a fixed rule: the
n-th die of a roll shows the n-th symbol of infantry, armor, grenade, flag, star, and so on from the start;
cards are drawn hidden.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from engine import Answer, State, apply, chance, legal
from engine.combat import FACES
from engine.dealing import draw_count
from tests.drawing import play, position

COUNTS = Path(__file__).parent / "engine" / "counts"
DEPTH = re.compile(r"depth (\d) = (\d+)")


class Counted(NamedTuple):
    """A file of counts: the position and the numbers it states, depth 1 first."""

    state: State
    counts: tuple[int, ...]


def fixed_chance(state: State) -> Answer:
    """The outcome of the pending chance event by the fixed rule."""
    kind = chance(state)
    if kind == "roll":
        assert state.roll is not None
        return ("roll", *(n % len(FACES) for n in range(state.roll.dice)))
    return ("draw", *("?",) * draw_count(state)) if kind == "draw" else ("shuffle",)


def count(state: State, depth: int) -> int:
    """How many runs of `depth` decisions the position has."""
    while chance(state):
        state = apply(state, fixed_chance(state)).state
    answers = legal(state)
    if depth == 1:
        return len(answers)
    return sum(count(apply(state, answer).state, depth - 1) for answer in answers)


def read_counts(path: Path) -> Counted:
    """The position and the numbers of a file."""
    facts: dict[str, Any] = {}
    options: dict[str, str] = {}
    drawing: list[str] = []
    steps: list[str] = []
    counts: dict[int, int] = {}
    for raw in path.read_text(encoding="utf-8").splitlines():
        line = raw.split(";")[0].strip()
        if found := DEPTH.fullmatch(line):
            counts[int(found[1])] = int(found[2])
        elif line.startswith("play "):
            steps.append(line.removeprefix("play "))
        elif line.startswith("option "):
            name, _, value = line.removeprefix("option ").partition(" = ")
            options[name] = value
        elif line.startswith(("card: ", "face: ", "first: ", "top: ")):
            name, _, value = line.partition(": ")
            facts[name] = value
        elif line == "before":
            facts["play_card"] = False
        elif line.startswith("hand: "):
            facts["hand"] = tuple(line.removeprefix("hand: ").split())
        elif line:
            drawing.append(line)
    state = play(position("\n".join(drawing), options=options, **facts), *steps)
    return Counted(state, tuple(counts[depth] for depth in sorted(counts)))


def rewrite_counts(path: Path) -> None:
    """Put the engine's own numbers into a file, in the place of those it states."""
    state = read_counts(path).state
    text = path.read_text(encoding="utf-8")
    path.write_text(
        DEPTH.sub(lambda found: f"depth {found[1]} = {count(state, int(found[1]))}", text), encoding="utf-8"
    )
