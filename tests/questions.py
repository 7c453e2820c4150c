"""Questions that many rule tests ask of a drawn position: who may go, who may fight, with how many dice."""

from __future__ import annotations

from typing import Any

from engine import State, legal
from tests.drawing import answer, asked, choices, play, position
from tests.engine.cardplay import declare, order


def ordered(text: str, *labels: str, **settings: Any) -> State:
    """A position in which the units on these hexes have been ordered and nothing has moved."""
    return order(position(text, **settings), *labels)


def fighting(text: str, *labels: str, **settings: Any) -> State:
    """A position in which the units on these hexes have been ordered and stand still."""
    return stand(ordered(text, *labels, **settings))


def stand(s: State) -> State:
    """The same turn with no further move."""
    return play(s, "done") if s.phase == "move" else s


def march(s: State, *labels: str) -> State:
    """The turn after one unit has moved along a path and all others stand still."""
    return stand(play(s, "move " + " ".join(labels)))


def attack(s: State, attacker: str, target: str, *faces: str) -> State:
    """The position after an attack that nobody ambushes has rolled these faces; without faces, before."""
    s = declare(s, f"{attacker} {target}")
    return play(s, "roll " + " ".join(faces)) if faces else s


def dice(s: State, attacker: str, target: str) -> int:
    """How many dice the attack would roll; 0 if it may not be declared."""
    if answer(s, f"attack {attacker} {target}") not in legal(s):
        return 0
    kind, _, count = asked(attack(s, attacker, target)).partition(" ")
    assert kind == "roll"
    return int(count)


def attacks(s: State) -> list[str]:
    """The attacks that may be declared now, as text; empty in every other phase."""
    return choices(s, "attack")


def loose_at(s: State, label: str) -> int:
    """The loose features on a hex, as bits."""
    return s.marks[s.setup.grid.parse(label)]


def straight_on(s: State) -> set[str]:
    """The ends of the moves from G5 that lead through H5."""
    return {c.split()[-1] for c in choices(s, "move") if c.startswith("move G5 H5 ")}
