"""Units of a document: class, side, figures, worth and the word for pictures."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pbem.editor_documents import Json, at_g5, read, said, small, unit_of, whole


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ({"name": "infus"}, ("infantry", 4, 1, "")),
        ({"name": "INFUS", "nbr_units": "3"}, ("infantry", 3, 1, "")),
        ("infus", ("infantry", 4, 1, "")),
        ({"name": "infbrit"}, ("infantry", 4, 1, "british")),
        ({"name": "inf2us", "badge": "badge1"}, ("special-forces", 4, 1, "commando")),
        ({"name": "infus", "badge": "badge2"}, ("special-forces", 4, 1, "ranger")),
        ({"name": "infus", "badge": 9}, ("special-forces", 4, 1, "airborne")),
        ({"name": "inf2us", "badge": "badge3"}, ("resistance", 3, 1, "")),
        ({"name": "infus", "badge": "badge3"}, ("infantry", 4, 1, "french")),
        ({"name": "inf2us", "behavior": "FRENCH_RESISTANCE"}, ("resistance", 3, 1, "")),
        ({"name": "inf2ger"}, ("special-forces", 4, 1, "")),
        ({"name": "inf2ger", "badge": "Badge4"}, ("special-forces", 4, 1, "grenadier")),
        ({"name": "tankger", "behavior": "GERMAN_2VICTANK"}, ("armor", 3, 2, "")),
        ({"name": "tank2ger", "badge": "badge4"}, ("elite-armor", 4, 1, "")),
        ({"name": "tankus", "nbr_units": 4}, ("elite-armor", 4, 1, "")),
        ({"name": "tank2ger", "nbr_units": 3}, ("elite-armor", 3, 1, "")),
        ({"name": "gunjp"}, ("artillery", 2, 1, "japanese")),
        ({"name": "infru", "badge": "badge99"}, ("infantry", 4, 1, "soviet")),
        ({"name": "inf2ru", "badge": "badge25"}, ("special-forces", 4, 1, "guards")),
    ],
)
def test_units_that_can_be_played(unit: Any, expected: tuple[str, int, int, str]) -> None:
    """U1, U2, U4: class by name, badge and behaviour; figures as the document says."""
    whole(at_g5(unit=unit))
    found = unit_of(at_g5(unit=unit))
    assert (found.type, found.figures, found.medals, found.nation) == expected
    name = unit if isinstance(unit, str) else unit["name"]
    assert found.side == ("axis" if name.endswith(("ger", "jp")) else "allies")


@pytest.mark.parametrize(
    ("unit", "words"),
    [
        ({"name": "infger", "badge": "badge26"}, "axis sniper at G5; read as infantry"),
        ({"name": "infger", "badge": "badge30"}, "axis ski troops at G5; read as infantry"),
        ({"name": "tankus", "badge": "badge33"}, "allies flame-thrower tank at G5; read as armor"),
        ({"name": "gunger", "badge": "badge5"}, "axis big gun at G5; read as artillery"),
        ({"name": "gunger", "badge": "badge46"}, "axis heavy anti-tank gun at G5; read as artillery"),
        ({"name": "infus", "badge": "badge41"}, "allies mortar, late war at G5; read as infantry"),
        ({"name": "tank2ger", "nbr_units": 1}, "axis Tiger at G5; read as elite-armor"),
        ({"name": "vehus"}, "allies supply truck at G5; left out"),
        ({"name": "plnger"}, "axis airplane at G5; left out"),
        (
            {"name": "tankus", "behavior": "ARMOR_MOVE_TWO"},
            "armor that moves at most 2 hexes at G5; plays without it",
        ),
        (
            {"name": "infus", "behavior": "CAN_IGNORE_ONE_FLAG"},
            "a unit that may ignore one flag at G5; plays without it",
        ),
        ({"name": "infus", "equipment": "motorized"}, "motorized infantry at G5; plays without it"),
        ({"name": "infus", "equipment": ["boat"]}, "a unit with boats at G5; plays without it"),
        (
            {"name": "tankger", "equipment": {"wittmann": True}},
            "a single special Tiger at G5; plays without it",
        ),
        (
            {"name": "infus", "nbr_units": 40},
            "a unit of 40 figures at G5; its normal number is taken; 12 are the most",
        ),
        (
            {"name": "infus", "badge": "gold"},
            'the badge "gold" is not in the editor\'s vocabulary at G5; left out',
        ),
    ],
)
def test_units_that_cannot_be_played(unit: Json, words: str) -> None:
    assert said(read(at_g5(unit=unit))) == [words]


@pytest.mark.parametrize(("year", "age"), [("1942", "early"), ("1943", "late")])
def test_weapons_are_early_or_late_by_the_year(year: str, age: str) -> None:
    document = at_g5(unit={"name": "infger", "badge": "badge37"})
    document["game_info"]["date_begin"] = f"{year}-05-01"
    assert said(read(document)) == [f"axis anti-tank gun, {age} war at G5; read as infantry"]


def test_figures_of_the_nation_need_no_word() -> None:
    document = at_g5(unit={"name": "infru"})
    document["game_info"]["country_player2"] = "ru"
    assert unit_of(document).nation == ""
    assert next(u for u in read(document).battle.units if u.at == "A1").nation == "american"


def test_units_come_in_the_order_of_a_tidy_document() -> None:
    names = {"M1": "gunus", "L1": "tankus", "K1": "infus", "B1": "infus", "J1": "inf2us", "M9": "tank2ger"}
    units = read(small(*((label, {"unit": {"name": name}}) for label, name in names.items()))).battle.units
    assert [unit.at for unit in units] == ["A1", "B1", "K1", "J1", "L1", "M1", "A9", "M9"]
