"""Table of terrains and of the features that lie on them: facts, one row each (rules T1-T46).

A fact left out means open ground. Rows for Winter Wars (railway, road, castle, frozen river, mines, road
blocks) and for older expansions join the tables here; see docs/architecture.md, "Add a terrain".
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple


class Arm(IntEnum):
    """The class of a unit: what hits it, what orders it, which terrain column its attacks use (U7)."""

    INFANTRY = 0
    ARMOR = 1
    ARTILLERY = 2


INFANTRY, ARMOR, ARTILLERY = Arm
ALL = frozenset(Arm)
NONE: frozenset[Arm] = frozenset()
NOT_INFANTRY = frozenset({ARMOR, ARTILLERY})

Triple = tuple[int, int, int]  # one number per arm: infantry, armor, artillery


class Terrain(NamedTuple):
    """The facts one terrain or feature adds to its hex."""

    key: str
    glyph: str  # how a scenario's map draws it
    elevation: int = 0  # T1, T2
    barred: frozenset[Arm] = NONE  # impassable to these (R45)
    stops: frozenset[Arm] = NONE  # must stop on entering (R43)
    no_battle: frozenset[Arm] = NONE  # no battle in the turn of entry (R44)
    protection: Triple = (0, 0, 0)  # dice taken from an attacker of each arm (R62)
    height_protection: int = 0  # ... only from attackers on lower ground (R64)
    penalty: Triple = (0, 0, 0)  # dice taken from an attacker standing here (R61)
    ignores_flag: frozenset[Arm] = NONE  # occupant may ignore one flag per attack (R100)
    blocks_sight: bool = False  # blocks also where it is not higher (R84); bare height: R74
    water: bool = False  # a bridge may not be entered from here (T21b)
    sea: bool = False  # ocean: no battle, no retreat into it, no sandbags (T23)
    beach: bool = False  # limits a move that enters it (T22)
    hedge: bool = False  # entered and left by one-hex moves (T9)
    lake: bool = False  # blocks sight in twos (R78)
    sea_slope: bool = False  # dune or cliff: hard to climb from a beach (T24a, T25)
    sheer: bool = False  # cliff: not taken from the beach (T25)
    steep: bool = False  # costs 2 to climb (T26)
    building: bool = False
    # Features only:
    loose: bool = False  # may be removed in play, so it is part of the state
    bridges: bool = False  # makes its hex open ground whatever lies below (T21a)
    owned: bool = False  # its benefits may belong to one side (T40c)
    confines: frozenset[Arm] = NONE  # these may be placed here at set-up but never leave (T40b)
    pierces: bool = False  # removed by armor that drives onto it (T42d)
    clearable: frozenset[Arm] = NONE  # these may remove it instead of battling (T42c)
    left_behind: bool = False  # removed when its occupant is gone (T43a)


OPEN = Terrain(key="open", glyph=".")
FOREST = Terrain(key="forest", glyph="f", stops=ALL, no_battle=ALL, protection=(1, 2, 0), blocks_sight=True)
TOWN = FOREST._replace(key="town", glyph="t", penalty=(0, 2, 0), building=True)
HILL = Terrain(key="hill", glyph="h", elevation=1, height_protection=1)
RIVER = Terrain(key="river", glyph="~", barred=ALL, water=True)

TERRAINS: dict[str, Terrain] = {
    row.key: row
    for row in (
        OPEN,  # T6
        FOREST,  # T7
        FOREST._replace(key="hedgerow", glyph="g", hedge=True),  # T9
        HILL,  # T10
        TOWN,  # T11
        TOWN._replace(key="church", glyph="c", ignores_flag=ALL),  # T12
        RIVER,  # T20
        Terrain(key="beach", glyph=",", beach=True),  # T22
        Terrain(key="ocean", glyph="o", stops=ALL, water=True, sea=True),  # T23
        HILL._replace(key="dune", glyph="d", sea_slope=True),  # T24
        HILL._replace(key="cliff", glyph="C", sea_slope=True, sheer=True),  # T25
        HILL._replace(key="steep-hill", glyph="s", steep=True),  # T26
        RIVER._replace(key="lake", glyph="l", lake=True),  # T27
        # Elevation in combination (T2) and the mountain of the extra tiles.
        FOREST._replace(key="hill-forest", glyph="F", elevation=1, height_protection=1),
        TOWN._replace(key="hill-town", glyph="T", elevation=1, height_protection=1),
        Terrain(key="mountain", glyph="m", elevation=2, barred=NOT_INFANTRY, height_protection=2),
    )
}

FEATURES: dict[str, Terrain] = {
    row.key: row
    for row in (
        Terrain(key="bridge", glyph="=", bridges=True),  # T21
        Terrain(  # T40
            key="bunker",
            glyph="b",
            barred=NOT_INFANTRY,
            protection=(1, 2, 0),
            ignores_flag=ALL,
            blocks_sight=True,
            owned=True,
            confines=NOT_INFANTRY,
        ),
        Terrain(  # T41
            key="hedgehog", glyph="#", barred=NOT_INFANTRY, ignores_flag=frozenset({INFANTRY})
        ),
        Terrain(  # T42
            key="wire",
            glyph="x",
            stops=ALL,
            penalty=(1, 0, 0),
            loose=True,
            pierces=True,
            clearable=frozenset({INFANTRY}),
        ),
        Terrain(  # T43
            key="sandbags",
            glyph="n",
            protection=(1, 1, 0),
            ignores_flag=ALL,
            loose=True,
            left_behind=True,
        ),
        Terrain(key="sea-wall", glyph="w", protection=(1, 1, 0), ignores_flag=ALL, owned=True),  # T44
    )
}

# Switches a scenario may set on single hexes, beside terrain and features.
TRAITS: dict[str, str] = {
    "impassable": "nobody may enter",
    "fordable": "this water may be crossed",
    "blocks-artillery": "artillery may not fire across",
    "wide": "infantry may not fire across to the other bank",
}

# Loose features in bit order: the state keeps one byte of them per hex.
LOOSE: tuple[str, ...] = tuple(key for key, row in FEATURES.items() if row.loose)
BIT: dict[str, int] = {key: 1 << place for place, key in enumerate(LOOSE)}
WIRE = BIT["wire"]
SANDBAGS = BIT["sandbags"]
