"""A battle and its options compiled for play: board, sight, units, seats, decks, objectives.

A `Setup` never changes and is shared by all states of a game.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from engine.battle import CHECKS, OBJECTIVE_KINDS, RULES_VERSION, SIDES, Battle, Options, parse_options
from engine.board import Board
from engine.cards import DECKS, Deck
from engine.errors import EngineError
from engine.sight import Sight
from engine.terrain import ARMOR
from engine.units import UNITS, UnitType

MAX_UNITS = 64  # the turn files number units 0 ... 63

# Air Power dice by front and first year 1939: X axis, A allies, - neither (V40).
AIR_TABLE: dict[str, str] = {
    "western": "XXXXXAA",
    "eastern": "XXXX---",
    "pacific": "XXXX-AA",
    "mediterranean": "-XX--AA",
}
AIR_DICE: dict[str, tuple[int, int]] = {"A": (2, 1), "X": (1, 2), "-": (1, 1)}


class Seat(NamedTuple):
    """One player's place: the side it fights for and how many cards it starts with."""

    name: str
    side: int
    cards: int
    deck: int  # number of the deck it draws from
    growth: tuple[int, ...]  # extra cards after its own first, second ... turn (R18)


class Objective(NamedTuple):
    """An objective with numbers for names; `sides` has bit 0 for the allies, bit 1 for the axis."""

    number: int
    kind: str
    sides: int
    hexes: tuple[int, ...]
    need: int
    medals: int
    check: str
    infantry_medals: int
    name: str


class Setup:
    """Everything about a game that does not change while it is played."""

    def __init__(self, battle: Battle, options: Options) -> None:
        self.battle = battle
        self.options = options
        self.by_mail = options.timing == "mail"  # the deck is the protocol's: docs/adaptations.md
        self.board = Board(battle, options)
        self.grid = self.board.grid
        self.sight = Sight(self.board)
        if len(battle.units) > MAX_UNITS:
            raise EngineError(f"{battle.key} has {len(battle.units)} units; {MAX_UNITS} are possible")
        self.types: tuple[UnitType, ...] = tuple(UNITS[u.type] for u in battle.units)
        self.side = bytes(SIDES.index(u.side) for u in battle.units)
        self.arm = bytes(t.arm for t in self.types)
        self.strength = bytes(u.figures for u in battle.units)
        self.worth = bytes(u.medals for u in battle.units)
        self.army: tuple[tuple[int, ...], tuple[int, ...]] = (
            tuple(u for u, side in enumerate(self.side) if side == 0),
            tuple(u for u, side in enumerate(self.side) if side == 1),
        )
        # The side at the bottom sees the west on its left (R10).
        self.bottom = tuple(side.edge == "bottom" for side in battle.sides)
        self.target = tuple(side.medals for side in battle.sides)
        self.decks: tuple[Deck, ...] = (DECKS[options.deck],)
        self.seats: tuple[Seat, ...] = tuple(
            Seat(SIDES[side], side, options.hand or facts.cards, 0, () if options.hand else facts.growth)
            for side, facts in enumerate(battle.sides)
        )
        first = SIDES.index(battle.first)
        self.rota: tuple[int, ...] = (first, 1 - first)  # seats in order of play
        self.objectives = tuple(self._objective(n) for n in range(len(battle.objectives)))
        self.instant = tuple(o for o in self.objectives if o.check == "at-once" and o.kind != "exit")
        # Hexes on which a unit's coming or going may change medals at once.
        self.medal_hexes = frozenset(h for o in self.instant for h in o.hexes)
        self.exits = tuple(o for o in self.objectives if o.kind == "exit")
        # Medals for holding each objective; exits score by themselves, sudden death ends the game.
        self.prize = tuple(0 if o.kind in ("exit", "sudden-death") else o.medals for o in self.objectives)
        self.sudden_deaths = tuple(o for o in self.objectives if o.kind == "sudden-death")
        self.timed = any(o.check != "at-once" for o in self.objectives)
        self.air_dice = options.air_dice if any(options.air_dice) else _air_dice(battle)
        self._refuse_impossible()
        self.digest = _battle_digest(battle, options)

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats that fight for a side."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.side == side)

    def chair_section(self, side: int, where: int) -> int:
        """The section, counted from the west, that a side calls left (0), center (1) or right (2)."""
        return where if self.bottom[side] else 2 - where

    def _objective(self, number: int) -> Objective:
        facts = self.battle.objectives[number]
        if facts.kind not in OBJECTIVE_KINDS or facts.check not in CHECKS:
            raise EngineError(f'objective "{facts.kind}" with check "{facts.check}" is unknown')
        hexes = tuple(self.grid.parse(label) for label in facts.hexes)
        sides = sum(1 << SIDES.index(side) for side in facts.sides)
        infantry = facts.medals if facts.infantry_medals is None else facts.infantry_medals
        return Objective(
            number, facts.kind, sides, hexes, facts.need, facts.medals, facts.check, infantry, facts.name
        )

    def _refuse_impossible(self) -> None:
        """Raise where options and battle do not go together (R123, V65)."""
        if not self.options.reshuffle and not self.options.exhausted_winner:
            raise EngineError("option reshuffle is no: exhausted_winner must say who wins then")
        if not self.board.old:
            return
        for unit, facts in zip(self.types, self.battle.units, strict=True):
            if facts.at is None or unit.arm != ARMOR:
                continue
            if self.board.confined[ARMOR][self.grid.parse(facts.at)]:
                raise EngineError(f"the 2004 edition has no armor in bunkers, as at {facts.at}")


def _air_dice(battle: Battle) -> tuple[int, int]:
    row = AIR_TABLE.get(battle.front, AIR_TABLE["western"])
    return AIR_DICE[row[min(max(battle.year - 1939, 0), 6)]]


def _battle_digest(battle: Battle, options: Options) -> str:
    """A hash of all facts a rule may read, and of the rules version."""
    facts = battle._asdict() | {"options": dict(battle.options)}
    facts |= {"text": {}, "labels": (), "source": "", "title": "", "date": "", "partial": ()}
    facts["hexes"] = {
        label: [h.terrain, sorted(map(list, h.features), key=str), sorted(h.traits)]
        for label, h in battle.hexes.items()
    }
    for name in ("sides", "units", "objectives", "card_uses"):
        facts[name] = [row._asdict() for row in facts[name]]
    facts["airdrop"] = battle.airdrop._asdict() if battle.airdrop is not None else None
    whole = [RULES_VERSION, facts, options.as_text()]
    return hashlib.sha256(json.dumps(whole, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def compile_setup(battle: Battle, options: dict[str, str] | None = None) -> Setup:
    """The setup of a battle under its own options and those of the players, who come second."""
    return Setup(battle, parse_options({**battle.options, **(options or {})}))
