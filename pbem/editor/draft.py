"""What an editor document says, in tidy records: names looked up, values checked, nothing judged yet.

`reader.py` fills a Draft from JSON values, `builder.py` makes a battle of it. Names the vocabulary does not
know never get here; the reader reports them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pbem.editor.tiles import Ground
from pbem.editor.troops import CLASSES, Troop


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile, a rectangular piece or an obstacle on a hex."""

    name: str  # the editor's name
    ground: Ground
    orientation: int = 1
    behaviors: tuple[str, ...] = ()
    owner: str = ""  # a side
    barred: Any = None  # `properties.isImpassable` as it stands


@dataclass(frozen=True, slots=True)
class Squad:
    """A unit of the document."""

    side: str
    kind: str  # key of troops.CLASSES
    figures: int
    army: str = ""
    badge: int = 0
    behavior: str = ""
    equipment: tuple[str, ...] = ()
    name: str = ""  # the editor's name

    @property
    def troop(self) -> Troop:
        """The row of its class."""
        return CLASSES[self.kind]


@dataclass(frozen=True, slots=True)
class Medal:
    """The fields of a medal tag, with the editor's defaults."""

    counts_for: int = 1
    permanent: bool = False
    nbr_hex: int = 1
    majority: bool = False
    turn_start: bool = False
    last_to_occupy: bool = False
    sole_control: bool = False
    any_hex: bool = False
    side: str = ""


@dataclass(frozen=True, slots=True)
class Tag:
    """A marker on a hex; `group` holds labels, the tagged hex not among them unless the document says so."""

    name: str
    behavior: str = ""
    side: str = ""
    group: tuple[str, ...] = ()
    medal: Medal = Medal()


@dataclass(slots=True)
class Place:
    """Everything on one hex of the document."""

    label: str
    at: int
    tile: Piece | None = None
    rect: Piece | None = None
    obstacle: Piece | None = None
    unit: Squad | None = None
    tags: tuple[Tag, ...] = ()


@dataclass(frozen=True, slots=True)
class Player:
    """One side's hand, target and chair."""

    edge: str
    nation: str
    cards: int
    medals: int


@dataclass(frozen=True, slots=True)
class SuddenDeath:
    """A side that wins by holding a number of hexes."""

    side: str
    number: int
    group: tuple[str, ...]


@dataclass(slots=True)
class Draft:
    """One document."""

    name: str  # of the file, for messages
    shape: str
    face: str
    title: str = ""
    heading: str = ""  # the title, with the subtitle in brackets
    number: str = ""  # the publisher's or the editor's
    base: bool = False  # the document says that it belongs to the base game
    front: str = "western"
    date: str = ""
    year: int = 1944
    first: str = "allies"
    players: dict[str, Player] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)  # by hex number, in reading order
    sudden: list[SuddenDeath] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    exhausted_winner: str = ""  # who wins when the command deck is used up
    labels: dict[str, str] = field(default_factory=dict)
    history: list[str] = field(default_factory=list)
    briefings: dict[str, str] = field(default_factory=dict)
    rules: list[str] = field(default_factory=list)
