"""The plain facts of one battle, as a scenario document states them, and the options of one game.

`scenario.py` reads documents into these records, `setup.py` compiles them into tables for play. Records
hold labels and keys only, so they can be compared, printed and exported.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.cards import DECKS
from engine.errors import EngineError

RULES_VERSION = "memoir44/1"

SIDES: tuple[str, str] = ("allies", "axis")  # side 0 and side 1, everywhere

OBJECTIVE_KINDS: dict[str, str] = {
    "temporary": "held while the entitled side occupies the hexes (M2)",
    "permanent": "kept for ever once occupied (M3, with check turn-start M6)",
    "majority": "held by the side that occupies more of the hexes (M4, with check turn-start M5)",
    "last-to-occupy": "held by the side that was there last (M7)",
    "sole-control": "held by a side that is there while the enemy is not (M8)",
    "sudden-death": "wins the battle at once (M9)",
    "exit": "units that leave the board from the hexes score (M10)",
}
CHECKS: tuple[str, ...] = ("at-once", "turn-start", "turn-end")


class HexFacts(NamedTuple):
    """What lies on one hex besides units."""

    terrain: str = "open"
    features: tuple[tuple[str, str | None], ...] = ()  # (key, owning side or None)
    traits: frozenset[str] = frozenset()


class UnitFacts(NamedTuple):
    """One unit at the start; `at` is None for a unit that arrives later (airdrop)."""

    side: str
    type: str
    at: str | None
    figures: int  # starting and maximum strength (U1)
    medals: int = 1  # what its elimination is worth
    nation: str = ""  # a figure set or badge for pictures; no rule reads it


class ObjectiveFacts(NamedTuple):
    """Medals to be won by place (rules M2-M10)."""

    kind: str
    sides: tuple[str, ...]  # entitled sides (M12)
    hexes: tuple[str, ...]
    need: int = 1  # how many of the hexes must be occupied
    medals: int = 1
    check: str = "at-once"
    name: str = ""
    infantry_medals: int | None = None  # exits: another value for infantry (W33)


class SideFacts(NamedTuple):
    """One side of a battle."""

    nation: str
    edge: str  # "top" or "bottom" (R7)
    cards: int
    medals: int
    # Extra cards drawn after the side's own n-th turn, n = 1, 2 ... (R18)
    growth: tuple[int, ...] = ()


class Airdrop(NamedTuple):
    """Units dropped around a target before a side's first turn; they drift `steps` times."""

    side: str
    units: tuple[int, ...]  # numbers of the units, all with at = None
    steps: int
    target: str | None = None  # suggested target


class CardUse(NamedTuple):
    """Another use of a command card that the battle allows to a side."""

    side: str | None  # None: both
    card: str  # card key without the section, e.g. "recon"
    becomes: str  # key of the card it is played as
    dice: int | None = None  # dice per target instead of the card's own
    in_section: bool = False  # targets only in the card's section
    while_holding: tuple[str, ...] = ()  # at least one of these hexes must hold an own unit


class Options(NamedTuple):
    """What players or a scenario may choose; the defaults are the rules as the digest has them."""

    edition: str = "new"  # "new" or "2004" (V60-V84)
    deck: str = "standard"
    hand: int = 0  # cards per player instead of the scenario's; 0: as the scenario says (V11)
    take_ground: bool = True  # off in the simplest Young Generals game (V12)
    timing: str = "table"  # "table" or "mail": see docs/adaptations.md
    reshuffle: bool = True  # off: the deck is used once (R123)
    exhausted_winner: str = ""  # who wins when a card is due and none is left (R123)
    air_dice: tuple[int, int] = (0, 0)  # Air Power dice of each side; (0, 0): by front and year (V40)
    sandbag_supply: int = 12  # X16, C28b
    air_power_group: str = "connected"  # X10: "connected" or "chain"
    counter_infantry: str = "none"  # X11: "none" or "one" unit of that section (C27g)
    close_assault_overrun: bool = True  # X4: the card's extra die also in an overrun (C26b)
    behind_lines_battle: str = "limited"  # X5: "limited" or "free" of terrain battle limits (C25b)
    retreat_losses: str = "after"  # X14: "after" or "before" the steps (R99)
    bridges_join: bool = True  # X15: a bridge next to a bridge counts as land (T21d)

    def as_text(self) -> dict[str, str]:
        """The options that differ from the defaults, as name and text."""
        return self.differences(Options())

    def differences(self, other: Options) -> dict[str, str]:
        """The options that differ from others, as name and text."""
        return {
            name: _option_text(own)
            for name, own, theirs in zip(self._fields, self, other, strict=True)
            if own != theirs
        }


# What an option may be, "" for nothing said; others are yes or no, or numbers from 0 to the most.
CHOICES: dict[str, Collection[str]] = {
    "edition": ("new", "2004"),
    "deck": DECKS,
    "timing": ("table", "mail"),
    "exhausted_winner": ("", *SIDES),
    "air_power_group": ("connected", "chain"),
    "counter_infantry": ("none", "one"),
    "behind_lines_battle": ("limited", "free"),
    "retreat_losses": ("after", "before"),
}
MAX_HAND = 12  # cards
MOST: dict[str, int] = {"hand": MAX_HAND, "air_dice": 6, "sandbag_supply": 99}


def _option_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(str(item) for item in value)
    return str(value)


def parse_options(texts: Mapping[str, str]) -> Options:
    """Options from names and texts, as `Options.as_text` writes them; raises EngineError."""
    values: dict[str, object] = {}
    defaults = Options._field_defaults
    for name, text in texts.items():
        if name not in defaults:
            raise EngineError(f'there is no option "{name}"; there are {", ".join(sorted(defaults))}')
        values[name] = _option_value(name, text, defaults[name])
        _check_option(name, values[name])
    return Options(**values)  # type: ignore[arg-type]  # each value has the type of its default


def _check_option(name: str, value: object) -> None:
    """Raise EngineError for a value that an option may not have."""
    if name in CHOICES and value not in CHOICES[name]:
        named = " or ".join(filter(None, CHOICES[name]))
        raise EngineError(f'option {name} is "{value}"; it may be {named}')
    numbers = value if isinstance(value, tuple) else (value,)
    if name in MOST and any(number > MOST[name] for number in numbers):
        raise EngineError(f'option {name} is "{_option_text(value)}"; {MOST[name]} is the most')


def _option_value(name: str, text: str, default: object) -> object:
    if isinstance(default, bool):
        if text not in ("yes", "no"):
            raise EngineError(f'option {name} is "{text}"; it may be yes or no')
        return text == "yes"
    if isinstance(default, int | tuple):
        parts = text.split("/")
        if not all(part.isdecimal() and len(part) < 4 for part in parts):
            raise EngineError(f'option {name} is "{text}"; it takes {_numbers(default)}')
        numbers = tuple(int(part) for part in parts)
        if isinstance(default, tuple):
            if len(numbers) != len(default):
                raise EngineError(f'option {name} is "{text}"; it takes {_numbers(default)}')
            return numbers
        if len(numbers) != 1:
            raise EngineError(f'option {name} is "{text}"; it takes {_numbers(default)}')
        return numbers[0]
    return text


def _numbers(default: int | tuple[int, ...]) -> str:
    """What an option of numbers takes, in words."""
    if isinstance(default, tuple):
        return f"{len(default)} whole numbers with / between, as {_option_text(default)}"
    return "one whole number"


class Battle(NamedTuple):
    """Everything a scenario document says."""

    key: str  # file name without ending, e.g. "pegasus-bridge"
    title: str
    shape: str  # key of hexes.SHAPES
    face: str  # "country", "beach", "winter", "desert"
    sides: tuple[SideFacts, SideFacts]  # allies, axis
    first: str  # side that moves first
    hexes: dict[str, HexFacts]  # by label; all that is not plain ground of the face
    units: tuple[UnitFacts, ...]  # a unit's place in this list is its number, 0 ... 63
    objectives: tuple[ObjectiveFacts, ...] = ()
    front: str = "western"
    year: int = 1944
    date: str = ""
    options: Mapping[str, str] = MappingProxyType({})  # options the battle sets itself
    airdrop: Airdrop | None = None
    card_uses: tuple[CardUse, ...] = ()
    causeway: tuple[str, ...] = ()  # a long bridge: hexes in order, ends included (entered only there)
    victory_needs: tuple[int, ...] = ()  # numbers of objectives that must be held to win (M22)
    text: Mapping[str, str] = MappingProxyType({})  # words for people: history, briefings, rules
    labels: tuple[tuple[str, str], ...] = ()  # names printed on the map
    source: str = ""  # where the facts come from
    partial: tuple[str, ...] = ()  # what this engine cannot play of it (imports)
