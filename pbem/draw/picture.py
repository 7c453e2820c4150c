"""What is to be drawn: a plain description of a position as one chair sees it.

The painters read this and not the state, so that they agree on what stands where. The part that no move
can change is worked out once per game and chair.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.board import HALF_LINES, SECTION_LINES
from engine.setup import Objective, Setup
from engine.state import NOBODY, State
from engine.terrain import BIT, FEATURES, LOOSE
from engine.units import UnitType

Feature = tuple[str, int | None]  # key, and the side it belongs to if it belongs to one

SIDE_NAMES = ("Allies", "Axis")
SIDE_WORDS = ("Allied", "Axis")  # before a noun
SIDE_LETTERS = ("A", "X")


class Place(NamedTuple):
    """One hex of the fixed map; x counts half hexes from the left of the picture, y rows from its top."""

    number: int
    label: str
    x: int
    y: int
    terrain: str
    features: tuple[Feature, ...]  # those that stay
    traits: frozenset[str]
    name: str  # printed on the map, or ""


class Ground(NamedTuple):
    """The fixed map as one chair sees it."""

    key: str
    shape: str
    face: str
    turned: bool  # by 180 degrees
    columns: int
    rows: int
    places: tuple[Place, ...]  # by hex number
    sections: tuple[int, ...]  # x of the section lines (R8)
    halves: tuple[int, ...]  # x of further lines between half-sections (V22)
    causeway: tuple[int, ...]  # hexes of a long bridge, ends included


class Piece(NamedTuple):
    """A unit on the board."""

    unit: int
    hex: int
    side: int
    type: UnitType
    figures: int
    strength: int
    worth: int
    badge: str  # the scenario's own word for it, or ""


class Goal(NamedTuple):
    """An objective and who holds it (None: nobody)."""

    facts: Objective
    holder: int | None


class Picture(NamedTuple):
    """One position."""

    ground: Ground
    pieces: tuple[Piece, ...]  # by unit number
    loose: dict[int, tuple[str, ...]]  # wire and sandbags, by hex
    goals: tuple[Goal, ...]
    medals: tuple[int, int]
    target: tuple[int, int]

    def features(self, hex_number: int) -> tuple[Feature, ...]:
        """Everything that lies on a hex, lasting features first."""
        loose: tuple[Feature, ...] = tuple((key, None) for key in self.loose.get(hex_number, ()))
        return self.ground.places[hex_number].features + loose


def seats_bottom(setup: Setup, chair: int | None) -> int:
    """The side at the bottom of the picture."""
    if chair is not None:
        return chair
    return 0 if setup.bottom[0] else 1


def paint(state: State, *, chair: int | None = None) -> Picture:
    """The position as the chair sees it."""
    setup = state.setup
    return Picture(
        ground=ground_of(setup, not setup.bottom[seats_bottom(setup, chair)]),
        pieces=pieces_of(state),
        loose=_loose(state.marks),
        goals=tuple(
            Goal(facts, None if holder == NOBODY else holder)
            for facts, holder in zip(setup.objectives, state.held, strict=True)
        ),
        medals=(state.medals(0), state.medals(1)),
        target=(setup.target[0], setup.target[1]),
    )


def pieces_of(state: State) -> tuple[Piece, ...]:
    """The units on the board, by number."""
    setup = state.setup
    return tuple(
        Piece(
            unit=unit,
            hex=hex_number,
            side=setup.side[unit],
            type=setup.types[unit],
            figures=state.figures[unit],
            strength=setup.strength[unit],
            worth=setup.worth[unit],
            badge=setup.battle.units[unit].nation,
        )
        for unit, hex_number in enumerate(state.pos)
        if hex_number != NOBODY
    )


def _loose(marks: bytes) -> dict[int, tuple[str, ...]]:
    return {h: tuple(key for key in LOOSE if bits & BIT[key]) for h, bits in enumerate(marks) if bits}


@lru_cache(maxsize=16)
def ground_of(setup: Setup, turned: bool) -> Ground:
    """The fixed map, turned by 180 degrees or not."""
    battle, grid = setup.battle, setup.grid
    names = {grid.parse(label): name for label, name in battle.labels}
    places = []
    for number, (x, y) in enumerate(grid.xy):
        facts = setup.board.facts[number]
        lasting: tuple[Feature, ...] = tuple(
            (key, None if owner is None else ("allies", "axis").index(owner))
            for key, owner in facts.features
            if not FEATURES[key].loose
        )
        if turned:
            x, y = grid.width - x, grid.rows - 1 - y
        name = names.get(number, "")
        places.append(Place(number, grid.labels[number], x, y, facts.terrain, lasting, facts.traits, name))
    sections, halves = SECTION_LINES[battle.shape], HALF_LINES.get(battle.shape, ())
    return Ground(
        key=battle.key,
        shape=battle.shape,
        face=battle.face,
        turned=turned,
        columns=grid.columns,
        rows=grid.rows,
        places=tuple(places),
        sections=_lines(sections, grid.width, turned),
        halves=_lines(tuple(x for x in halves if x not in sections), grid.width, turned),
        causeway=tuple(grid.parse(label) for label in battle.causeway),
    )


def _lines(lines: tuple[int, ...], width: int, turned: bool) -> tuple[int, ...]:
    return tuple(sorted(width - x for x in lines)) if turned else lines


def waiting_units(state: State) -> tuple[int, ...]:
    """Units that are still to be dropped, by number."""
    drop = state.setup.battle.airdrop
    if drop is None:
        return ()
    seats = state.setup.seats_of(state.setup.side[drop.units[0]])
    if state.phase == "drop" or not any(state.turns[seat] for seat in seats):
        return tuple(unit for unit in drop.units if state.pos[unit] == NOBODY)
    return tuple(task[1] for task in state.queue if task[0] == "drift")
