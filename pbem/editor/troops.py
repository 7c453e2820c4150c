"""Tables of the editor's units, badges, behaviours and equipment, and which of our unit types they are.

A unit's name says its kind and its army, its badge may make another class of it. As with tiles, `keys` are
the rows of the engine's table that play exactly so, and `stand_in` is the nearest type of the base box.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.units import UNITS

ARMIES: dict[str, tuple[str, str]] = {  # suffix of the name: side, word for pictures
    "us": ("allies", "american"),
    "ru": ("allies", "soviet"),
    "brit": ("allies", "british"),
    "ger": ("axis", "german"),
    "jp": ("axis", "japanese"),
}
# The figures a side normally has; units with other figures say so in their heading.
NATION_ARMY: dict[str, str] = {"RU": "ru", "JP": "jp"}
SIDE_ARMY: dict[str, str] = {"allies": "us", "axis": "ger"}

NATIONS: dict[str, str] = {
    "DE": "Germany",
    "US": "United States",
    "RU": "Soviet Union",
    "FR": "France",
    "GB": "Great Britain",
    "CA": "Canada",
    "JP": "Japan",
    "FI": "Finland",
    "IT": "Italy",
    "NL": "Netherlands",
    "PL": "Poland",
    "RO": "Romania",
    "SK": "Slovakia",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Troop:
    """A class of unit under the name that people use."""

    kind: str
    words: str
    figures: int
    keys: tuple[str, ...]
    stand_in: str = ""  # "" leaves the unit out


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """A badge: a word for pictures, and the class it makes of each arm; arms not named keep theirs."""

    words: str
    word: str = ""
    infantry: str = ""
    armor: str = ""
    artillery: str = ""


def _t(kind: str, figures: int, words: str = "", *, keys: str = "", near: str = "") -> Troop:
    own = kind.replace("_", "-")
    return Troop(
        kind=kind,
        words=words or own.replace("-", " "),
        figures=figures,
        keys=(own, *keys.split()),
        stand_in=near,
    )


_CLASSES: tuple[Troop, ...] = (
    _t("infantry", 4),
    _t("special_forces", 4),
    _t("resistance", 3, "French Resistance"),
    _t("armor", 3),
    _t("elite_armor", 4),
    _t("artillery", 2),
    _t("truck", 2, "supply truck", keys="supply-truck"),
    _t("airplane", 1),
    _t("engineer", 4, "combat engineers", keys="engineers combat-engineer combat-engineers", near="infantry"),
    _t("sniper", 1, near="infantry"),
    _t("ski", 3, "ski troops", keys="ski-troops", near="infantry"),
    _t("cavalry", 4, near="infantry"),
    _t("anti_tank_gun_early", 4, "anti-tank gun, early war", near="infantry"),
    _t("anti_tank_gun_late", 4, "anti-tank gun, late war", keys="anti-tank-weapon", near="infantry"),
    _t("mortar_early", 4, "mortar, early war", near="infantry"),
    _t("mortar_late", 4, "mortar, late war", keys="mortar", near="infantry"),
    _t("machine_gun_early", 4, "machine gun, early war", near="infantry"),
    _t("machine_gun_late", 4, "machine gun, late war", keys="machine-gun", near="infantry"),
    _t("tiger", 1, "Tiger", near="elite-armor"),
    _t("flamethrower", 3, "flame-thrower tank", keys="flame-thrower flamethrower-tank", near="armor"),
    _t("mobile_artillery", 2, near="artillery"),
    _t("big_gun", 2, near="artillery"),
    _t("heavy_anti_tank_gun", 2, "heavy anti-tank gun", keys="heavy-anti-tank", near="artillery"),
    _t("destroyer", 3),
    _t("locomotive", 3),
    _t("wagon", 1, "train wagon"),
)
CLASSES: dict[str, Troop] = {row.kind: row for row in _CLASSES}

# The first part of a unit's name.
NAME_CLASSES: dict[str, str] = {
    "inf": "infantry",
    "inf2": "special_forces",
    "tank": "armor",
    "tank2": "elite_armor",
    "gun": "artillery",
    "veh": "truck",
    "pln": "airplane",
}
ARM_OF: dict[str, str] = {
    "inf": "infantry",
    "inf2": "infantry",
    "tank": "armor",
    "tank2": "armor",
    "gun": "artillery",
}
WEAPONS = ("anti_tank_gun", "mortar", "machine_gun")  # classes with an early and a late form

BADGES: dict[int, Badge] = {
    1: Badge(words="British special forces", word="commando", infantry="special_forces"),
    2: Badge(words="US special forces", word="ranger", infantry="special_forces"),
    3: Badge(words="French Resistance, or a French elite badge", word="french"),
    4: Badge(words="German special forces and elite armor", word="grenadier", infantry="special_forces"),
    5: Badge(words="big gun", artillery="big_gun"),
    6: Badge(words="German combat engineers", infantry="engineer"),
    8: Badge(words="British combat engineers", infantry="engineer"),
    9: Badge(words="US airborne", word="airborne", infantry="special_forces"),
    10: Badge(words="German elite armor, Africa", word="africa"),
    12: Badge(words="US combat engineers", infantry="engineer"),
    22: Badge(words="French elite", word="elite"),
    24: Badge(words="British elite", word="british elite"),
    25: Badge(words="Soviet Guards", word="guards"),
    26: Badge(words="German sniper", infantry="sniper"),
    27: Badge(words="Soviet sniper", infantry="sniper"),
    28: Badge(words="Soviet combat engineers", infantry="engineer"),
    29: Badge(words="cavalry", infantry="cavalry"),
    30: Badge(words="ski troops", infantry="ski"),
    31: Badge(words="Japanese combat engineers", infantry="engineer"),
    32: Badge(words="US Marine Corps", word="marines"),
    33: Badge(words="flame-thrower tank", armor="flamethrower"),
    34: Badge(words="Imperial Japanese Army", word="imperial"),
    35: Badge(words="mobile artillery", artillery="mobile_artillery"),
    37: Badge(words="anti-tank gun", infantry="anti_tank_gun"),
    38: Badge(words="Italian unit", word="italian"),
    41: Badge(words="mortar", infantry="mortar"),
    45: Badge(words="machine gun", infantry="machine_gun"),
    46: Badge(words="heavy anti-tank gun", artillery="heavy_anti_tank_gun"),
}
# Words of our own battles that stand for the same badges.
BADGE_OF_WORD: dict[str, int] = {row.word: number for number, row in BADGES.items() if row.word}
LATE_WAR = 1943  # from this year on badges 37, 41 and 45 mean the later weapons

# Behaviours and equipment of units; the empty ones are part of the unit's class or worth.
UNIT_BEHAVIORS: dict[str, str] = {
    "FRENCH_RESISTANCE": "",
    "GERMAN_2VICTANK": "",
    "ARMOR_MOVE_TWO": "armor that moves at most 2 hexes",
    "ELITE_ARMOR_MOVE_TWO": "armor that moves at most 2 hexes",
    "CAN_IGNORE_ONE_FLAG": "a unit that may ignore one flag",
}
EQUIPMENT: dict[str, str] = {
    "motorized": "motorized infantry",
    "boat": "a unit with boats",
    "wittmann": "a single special Tiger",
}


def playable_type(kind: str) -> str | None:
    """The row of the engine's table of units that plays exactly so, or None while the engine has none."""
    return next((key for key in CLASSES[kind].keys if key in UNITS), None)


def split_name(name: str) -> tuple[str, str] | None:
    """The kind and the army in a unit's name, `tank2` and `ger` in `tank2ger`; None when it is neither."""
    low = name.lower()
    for army in ARMIES:
        if low.endswith(army) and low.removesuffix(army) in NAME_CLASSES:
            return low.removesuffix(army), army
    return None


def class_of(part: str, badge: int, figures: int | None, behavior: str, year: int) -> str:
    """The class of a unit from its name, badge, figures, behaviour and the year."""
    kind = NAME_CLASSES[part]
    row = BADGES.get(badge, Badge(words=""))
    arm = ARM_OF.get(part, "")
    by_badge = {"infantry": row.infantry, "armor": row.armor, "artillery": row.artillery}.get(arm, "")
    if behavior == "FRENCH_RESISTANCE" or (part == "inf2" and badge == 3):
        return "resistance"
    if by_badge in WEAPONS:
        return f"{by_badge}_{'late' if year >= LATE_WAR else 'early'}"
    if by_badge:
        return by_badge
    if part == "tank2" and figures == 1:
        return "tiger"
    if part == "tank" and figures == 4:  # more figures are all that makes armor elite (U4)
        return "elite_armor"
    return kind
