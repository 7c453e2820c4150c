"""Positions from a few lines of text, and answers typed as players type them.

    s = position('''
        G5 allies infantry
        I5 axis armor 2
        H5 forest
        g6 hill + bunker axis
    ''', card="probe-center")
    s = play(s, "order G5", "done", "attack G5 I5", "roll grenade star")

Allies sit at the bottom unless `top="allies"`. A line is a hex, then a unit (side, type, figures if not the
usual number, `worth N`) or terrain with features and their owners, or both with `:` between them.
"""

from __future__ import annotations

from typing import Any

from engine import (
    Answer,
    Battle,
    Event,
    State,
    apply,
    chance,
    format_answer,
    legal,
    new_game,
    parse_answer,
    with_hand,
)
from engine.battle import SIDES, Airdrop, CardUse, HexFacts, ObjectiveFacts, SideFacts, UnitFacts
from engine.board import SHORES, printed
from engine.hexes import grid
from engine.state import NOBODY
from engine.terrain import FEATURES, TERRAINS, TRAITS
from engine.units import UNITS


def position(
    text: str,
    *,
    card: str = "direct-from-hq",
    hand: tuple[str, ...] = (),
    enemy_hand: tuple[str, ...] | None = None,
    shape: str = "standard",
    face: str = "country",
    first: str = "allies",
    top: str = "axis",
    medals: tuple[int, int] = (6, 6),
    cards: tuple[int, int] | None = None,
    objectives: tuple[ObjectiveFacts, ...] = (),
    options: dict[str, str] | None = None,
    play_card: bool = True,
    **facts: Any,
) -> State:
    """A game just after the first side has played `card` (with `play_card=False`: just before).

    `hand` are further cards of the first side, `enemy_hand` the other side's (hidden cards by default).
    """
    own = (card, *hand)
    sizes = cards or (len(own), len(enemy_hand) if enemy_hand is not None else 4)
    if first == "axis":
        sizes = sizes[::-1]
    battle = draw_battle(
        text,
        shape=shape,
        face=face,
        first=first,
        top=top,
        medals=medals,
        sizes=sizes,
        objectives=objectives,
        **facts,
    )
    s = new_game(battle, options)
    for seat in s.setup.rota:
        known = own if seat == s.setup.rota[0] else enemy_hand
        size = s.setup.seats[seat].cards
        keys = (*known, *("?",) * (size - len(known))) if known is not None else ("?",) * size
        s = apply(s, ("draw", *keys)).state
    return play(s, f"card {card}") if play_card and s.phase == "card" else s


def draw_battle(
    text: str,
    *,
    shape: str,
    face: str,
    first: str,
    top: str,
    medals: tuple[int, int],
    sizes: tuple[int, int],
    objectives: tuple[ObjectiveFacts, ...] = (),
    **facts: Any,
) -> Battle:
    """The battle that a drawing describes."""
    hexes: dict[str, HexFacts] = printed_ground(shape, face)
    units: list[UnitFacts] = []
    for line in filter(None, (raw.split("#")[0].strip() for raw in text.splitlines())):
        label, _, rest = line.partition(" ")
        label = grid(shape).labels[grid(shape).parse(label)]
        for part in rest.split(":"):
            words = part.split()
            if words[0] in SIDES and words[1] in UNITS:
                units.append(_unit(label, words))
            else:
                hexes[label] = _hex(words, hexes.get(label, HexFacts()))
    units.sort(key=lambda unit: SIDES.index(unit.side))
    edges = ("top", "bottom") if top == "allies" else ("bottom", "top")
    sides = tuple(SideFacts("", edges[i], sizes[i], medals[i]) for i in (0, 1))
    return Battle(
        "drawn", "Drawn", shape, face, (sides[0], sides[1]), first, hexes, tuple(units), objectives, **facts
    )


def printed_ground(shape: str, face: str) -> dict[str, HexFacts]:
    """Beach and ocean of a beach board (R11, V53)."""
    if face != "beach":
        return {}
    board = grid(shape)
    rows = {label: board.row(number) for number, label in enumerate(board.labels)}
    return {label: printed(shape, face, row) for label, row in rows.items() if row >= SHORES[shape][0]}


def _unit(label: str, words: list[str]) -> UnitFacts:
    kind = UNITS[words[1]]
    figures = kind.figures
    worth = 1
    rest = words[2:]
    while rest:
        if rest[0] == "worth":
            worth = int(rest[1])
            rest = rest[2:]
        else:
            figures = int(rest[0])
            rest = rest[1:]
    return UnitFacts(words[0], words[1], label, figures, worth)


def _hex(words: list[str], old: HexFacts) -> HexFacts:
    terrain, features, traits = old.terrain, list(old.features), set(old.traits)
    for word in words:
        if word in TERRAINS:
            terrain = word
        elif word in FEATURES:
            features.append((word, None))
        elif word in TRAITS:
            traits.add(word)
        elif word in SIDES:
            features[-1] = (features[-1][0], word)
        else:
            assert word == "+", f"cannot draw {word!r}"
    return HexFacts(terrain, tuple(features), frozenset(traits))


def answer(s: State, text: str) -> Answer:
    """The answer that a line of text names; see docs/notation.md."""
    return parse_answer(s, text)


def play(s: State, *texts: str) -> State:
    """The state after these answers."""
    for text in texts:
        s = apply(s, answer(s, text)).state
    return s


def events(s: State, text: str) -> tuple[Event, ...]:
    """What one answer makes happen."""
    return apply(s, answer(s, text)).events


def choices(s: State, verb: str | None = None) -> list[str]:
    """The legal answers as text, sorted; only those with a verb if one is given."""
    return sorted(format_answer(s, a) for a in legal(s) if verb in (None, a[0]))


def reach(s: State, label: str) -> set[str]:
    """Labels of the hexes a unit may move to now."""
    start = s.setup.grid.parse(label)
    return {s.setup.grid.labels[a[-1]] for a in legal(s) if a[0] == "move" and a[1] == start}


def unit_at(s: State, label: str) -> int | None:
    """Number of the unit on a hex, or None."""
    unit = s.occupant[s.setup.grid.parse(label)]
    return None if unit == NOBODY else unit


def figures_at(s: State, label: str) -> int:
    """Figures of the unit on a hex; 0 if nobody is there."""
    unit = unit_at(s, label)
    return 0 if unit is None else s.figures[unit]


def asked(s: State) -> str:
    """What is pending, in a word or two: the phase, or the chance event with its size."""
    if chance(s) == "roll":
        assert s.roll is not None
        return f"roll {s.roll.dice}"
    return s.phase


__all__ = [
    "Airdrop", "CardUse", "ObjectiveFacts", "answer", "asked", "choices", "draw_battle", "events",
    "figures_at", "play", "position", "reach", "unit_at", "with_hand",
]  # fmt: skip
