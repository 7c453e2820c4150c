"""Table of unit types (rules U1-U58): facts, one row each.

Here are the types of the base box, and the half-track because its tokens are a medal kind (M11). The other
units of Winter Wars join this table; see docs/architecture.md, "Add a unit".
"""

from __future__ import annotations

from typing import NamedTuple

from engine.terrain import ARMOR, ARTILLERY, INFANTRY, Arm


class UnitType(NamedTuple):
    """The facts of one kind of unit."""

    key: str
    name: str
    glyph: str  # one letter for maps and boards
    arm: Arm
    figures: int  # unless the scenario says otherwise (U1)
    march: int  # hexes it may move and still battle (R38)
    reach: int  # hexes it may move without battling
    dice: tuple[int, ...]  # by distance 1, 2, 3 ... (R58)
    needs_sight: bool = True  # R67
    takes_ground: bool = True  # R107
    overruns: bool = False  # R119
    flag_steps: int = 1  # longest retreat per flag (R104)
    battles_on_entry: bool = False  # in spite of no-battle terrain (U8)
    tokens: int = 0  # counts as such a part of a medal instead of one: tokens needed (U46)
    vehicle: bool = False  # U57


RIFLES = UnitType(
    key="infantry", name="infantry", glyph="I", arm=INFANTRY, figures=4, march=1, reach=2, dice=(3, 2, 1)
)
TANKS = UnitType(
    key="armor",
    name="armor",
    glyph="A",
    arm=ARMOR,
    figures=3,
    march=3,
    reach=3,
    dice=(3, 3, 3),
    overruns=True,
)

UNITS: dict[str, UnitType] = {
    row.key: row
    for row in (
        RIFLES,  # U1
        RIFLES._replace(key="special-forces", name="special forces", glyph="S", march=2),  # U3
        RIFLES._replace(  # U8-U11
            key="resistance",
            name="French Resistance",
            glyph="R",
            figures=3,
            flag_steps=3,
            battles_on_entry=True,
        ),
        TANKS,
        TANKS._replace(key="elite-armor", name="elite armor", glyph="E", figures=4),  # U4
        UnitType(  # U5, U6
            key="artillery",
            name="artillery",
            glyph="G",
            arm=ARTILLERY,
            figures=2,
            march=0,
            reach=1,
            dice=(3, 3, 2, 2, 1, 1),
            needs_sight=False,
            takes_ground=False,
        ),
        UnitType(  # U45, U46; re-supply and its other rules belong to Winter Wars
            key="half-track",
            name="half-track",
            glyph="H",
            arm=ARMOR,
            figures=3,
            march=2,
            reach=2,
            dice=(2, 2),
            tokens=3,
            vehicle=True,
        ),
    )
}
