"""Short ways to the moment a test is about: orders given, moves made, an attack rolled."""

from __future__ import annotations

from typing import Any

from engine import State, apply, chance, is_over
from engine.dealing import draw_count
from tests.drawing import ObjectiveFacts, answer, choices, play
from tests.engine.cardplay import order


def ready(s: State, *labels: str, moves: tuple[str, ...] = ()) -> State:
    """The state in the battle phase, with these units ordered and these moves made ("G5 H5")."""
    s = play(order(s, *labels), *(f"move {move}" for move in moves))
    return play(s, "done") if s.phase == "move" else s


def can(s: State, text: str) -> bool:
    """Whether an answer is legal."""
    return answer(s, text) in s.answers


def retreats(s: State) -> set[str]:
    """Labels of the last hexes of the routes that may be chosen."""
    assert s.phase == "retreat"
    return {line.split()[-1] for line in choices(s, "retreat")}


def end_turn(s: State) -> State:
    """The state when the next player is to choose a card: everything else declined, hidden cards drawn."""
    turn = s.turn
    while not is_over(s) and (s.phase != "card" or s.turn == turn):
        if chance(s) == "draw":
            s = apply(s, ("draw", *("?",) * draw_count(s))).state
        elif chance(s) == "shuffle":
            s = apply(s, ("shuffle",)).state
        else:
            s = apply(s, next(a for a in (("done",), ("pass",), ("stay",)) if a in s.answers)).state
    return s


def objective(kind: str, hexes: str, side: str = "allies", **facts: Any) -> tuple[ObjectiveFacts, ...]:
    """One objective; `side` may be "both"."""
    sides = ("allies", "axis") if side == "both" else (side,)
    return (ObjectiveFacts(kind, sides, tuple(hexes.split()), **facts),)


def go(s: State, *moves: str) -> State:
    """After the units have been ordered and have made these moves ("G5 H5")."""
    return play(order(s, *(move.split()[0] for move in moves)), *(f"move {move}" for move in moves))


def later(s: State, *moves: str) -> State:
    """The next turn, in which the other side orders units and makes these moves."""
    return go(next_card(s), *moves)


def next_card(s: State) -> State:
    """The next turn, with a card that orders a unit anywhere."""
    s = end_turn(s)
    cards = ("direct-from-hq", "recon-in-force", "general-advance")
    return play(s, next(f"card {card}" for card in cards if can(s, f"card {card}")))
