"""The ruleset of Memoir '44 in the terms of a game: which battle, which armies, which options.

The protocol leaves a map `extra` in its terms to the ruleset. Here it is read and written: the scenario
document itself travels in the first file, so that a game can be verified by people who never saw the battle.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from engine import RULES_VERSION, EngineError
from engine.battle import SIDES, Battle, parse_options
from engine.scenario import parse_battle
from engine.setup import Setup
from pbem.errors import Fault, Refused
from pbem.hashing import h32
from pbem.terms import SeatTerms, Terms

DECK = "command"
CALLED = ("the player of the Allies", "the player of the Axis")
EXTRA = ("armies", "clock", "names", "options", "scenario")
MOST_DAYS = 365
MOST_NAME = 64


class Match(NamedTuple):
    """A game as its terms describe it, ready for the engine."""

    terms: Terms
    setup: Setup
    armies: tuple[int, ...]  # engine seat of each seat of the protocol
    names: tuple[str, ...]
    clock: int | None  # days for an answer

    @property
    def battle(self) -> Battle:
        """The battle that is fought."""
        return self.setup.battle

    @property
    def called(self) -> tuple[str, ...]:
        """What to call the players: who answered an open invitation has no name in the files."""
        return tuple(name or CALLED[self.armies[seat]] for seat, name in enumerate(self.names))

    def army_of(self, seat: int) -> int:
        """The engine's seat of a seat of the protocol."""
        return self.armies[seat]

    def seat_of(self, army: int) -> int:
        """The protocol's seat of a seat of the engine."""
        return self.armies.index(army)

    def seat_for_side(self, side: int) -> int:
        """The first engine seat that fights for a side of the engine."""
        return self.setup.seats_of(side)[0]

    def card_key(self, number: int) -> str:
        """The text of a physical card."""
        return self.setup.decks[0].keys[number]


def scenario_hash(text: str) -> bytes:
    """The hash of a scenario document that the terms carry."""
    return h32("scenario", text.encode())


def build_terms(
    document: str,
    *,
    army: str,
    pk: bytes,
    opponent: bytes | None,
    names: tuple[str, str],
    dice: str = "sealed",
    retreat: str = "",
    mix: bool = True,
    sheet: bool = True,
    clock: int | None = None,
    options: dict[str, str] | None = None,
) -> Terms:
    """The terms of a two-player game; raises Refused or EngineError for what cannot be played."""
    if army not in SIDES:
        raise Refused(f'"{army}" is no side', hint="say allies or axis")
    armies = [army, SIDES[1 - SIDES.index(army)]]
    setup = _compile(document, options or {})
    order = [SIDES.index(name) for name in armies]
    return Terms(
        rules=RULES_VERSION,
        scenario=scenario_hash(document),
        decks=((DECK, len(setup.decks[0].keys)),),
        seats=tuple(
            SeatTerms(side, True, ((DECK, setup.seats[seat].cards),)) for side, seat in enumerate(order)
        ),
        table=(),
        pk=(pk, opponent),
        first=order.index(setup.rota[0]),
        dice=dice,
        retreat=retreat or ("live" if dice == "sealed" else "stand"),
        sheet=sheet,
        mix=mix,
        extra={
            "armies": armies,
            "clock": clock,
            "names": [clean_name(name) for name in names],
            "options": dict(sorted((options or {}).items())),
            "scenario": document,
        },
    )


def clean_name(name: str) -> str:
    """A name as it may travel: printable, not too long."""
    return " ".join("".join(c if c.isprintable() else " " for c in name).split())[:MOST_NAME].rstrip()


def _compile(document: str, options: dict[str, str]) -> Setup:
    return _compiled(document, tuple(sorted(options.items())))


@lru_cache(maxsize=16)
def _compiled(document: str, options: tuple[tuple[str, str], ...]) -> Setup:
    """The battle, ready for the engine; whoever verifies many games meets the same battles again."""
    battle = parse_battle(document, name="scenario")
    return Setup(battle, parse_options({**battle.options, **dict(options), "timing": "mail"}))


def read_match(terms: Terms) -> Match:
    """The game that terms describe; raises Fault E_RULE if these rules cannot play it."""
    if terms.rules != RULES_VERSION:
        raise Fault(
            "E_RULE",
            f'the game is played by the rules "{terms.rules[:40]}", and this program knows "{RULES_VERSION}"',
            hint="a newer program may know them",
        )
    extra = terms.extra
    _need(tuple(sorted(extra)) == EXTRA, "the terms of the rules have other fields")
    document, options = extra["scenario"], extra["options"]
    _need(isinstance(document, str), "the scenario is no text")
    _need(_is_text_map(options) and "timing" not in options, "the options are no list of texts")
    _need(scenario_hash(document) == terms.scenario, "the scenario is not the one that was agreed on")
    armies = extra["armies"]
    _need(
        isinstance(armies, list) and sorted(map(str, armies)) == sorted(SIDES), "the armies are not two sides"
    )
    clock = extra["clock"]
    good = clock is None or (
        isinstance(clock, int) and not isinstance(clock, bool) and 0 < clock <= MOST_DAYS
    )
    _need(good, "the clock is no number of days")
    names = extra["names"]
    _need(isinstance(names, list) and len(names) == len(terms.seats), "every seat has a name")
    _need(all(isinstance(name, str) and clean_name(name) == name for name in names), "a name cannot be shown")
    try:
        setup = _compile(document, options)
    except EngineError as problem:
        raise Fault("E_RULE", f"the battle cannot be played: {problem}") from problem
    match = Match(terms, setup, tuple(SIDES.index(army) for army in armies), tuple(names), clock)
    _check_deal(match)
    return match


def _check_deal(match: Match) -> None:
    """The terms deal what the battle says, from the deck it says."""
    terms, setup = match.terms, match.setup
    _need(len(terms.seats) == len(setup.seats), "the battle has another number of seats")
    _need(
        terms.decks == ((DECK, len(setup.decks[0].keys)),) and not terms.table,
        "the decks are not the battle's",
    )
    for seat, row in enumerate(terms.seats):
        cards = setup.seats[match.army_of(seat)].cards
        _need(row.deal == ((DECK, cards),), "a hand is not as large as the battle says")
    _need(match.army_of(terms.first) == setup.rota[0], "the first turn is not the battle's")


def _is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _need(met: bool, message: str) -> None:
    if not met:
        raise Fault("E_RULE", message)
