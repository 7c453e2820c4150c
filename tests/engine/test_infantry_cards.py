"""Dig-In (C28) and Infantry Assault (C31)."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import asked, choices, events, play, position, reach
from tests.engine.cardplay import leave, order, orderable

# Dig-In

FIVE = "A3 allies infantry\nC3 allies infantry\nE3 allies infantry\nI3 allies infantry\nK3 allies infantry"


def dug_in(s: State, *labels: str) -> list[bool]:
    """Whether sandbags lie on each of the hexes."""
    return [bool(s.marks[s.setup.grid.parse(label)] & 2) for label in labels]


def test_up_to_four_infantry_units_dig_in_and_do_nothing_else() -> None:
    """Q201, C28, C28c: sandbags on their hexes, no move, no battle, straight to the draw."""
    s = position(FIVE + "\nG3 allies armor\nA5 axis infantry\na4 axis infantry", card="dig-in")
    assert orderable(s) == {"A3", "C3", "E3", "I3", "K3"}
    s = play(s, "order A3", "order C3", "order E3", "order I3")
    assert asked(s) == "draw"
    assert dug_in(s, "A3", "C3", "E3", "I3", "K3") == [True, True, True, True, False]


def test_no_sandbags_at_sea() -> None:
    """Q200, C28a, T23d: three of four units dig in."""
    board = "A3 allies infantry\nC3 allies infantry\nE3 allies infantry\ng2 allies infantry\nA9 axis infantry"
    s = position(board, card="dig-in", face="beach")
    s = order(s, "A3", "C3", "E3", "g2")
    assert dug_in(s, "A3", "C3", "E3", "g2") == [True, True, True, False]


@pytest.mark.parametrize(
    "ground", ["town", "hill", "forest", "church", "bunker", "wire", "hedgehog", "beach"]
)
def test_sandbags_lie_on_any_other_ground(ground: str) -> None:
    """C28a, T43c: also on a bunker, on wire, in a town."""
    s = order(position(f"G5 {ground} : allies infantry\nA9 axis infantry", card="dig-in"), "G5")
    assert dug_in(s, "G5") == [True]


@pytest.mark.parametrize("there", ["sandbags", "sea-wall"])
def test_a_hex_that_has_them_gains_nothing(there: str) -> None:
    """C28a: and no piece of the supply is used."""
    s = position(f"G5 {there} : allies infantry\nA9 axis infantry", card="dig-in")
    assert not [event for event in events(play(s, "order G5"), "draw ?") if event[0] == "dug-in"]
    assert not [event for event in events(s, "order G5") if event[0] == "dug-in"]


@pytest.mark.parametrize(
    ("supply", "laid"),
    [
        pytest.param("12", [True, True, True], id="C28b X16 the box has twelve"),
        pytest.param(
            "3", [True, True, False], id="C28b X16 a shared supply of three, one in use by the enemy"
        ),
        pytest.param("1", [False, False, False], id="C28b X16 nothing left"),
    ],
)
def test_the_supply_is_limited_and_shared(supply: str, laid: list[bool]) -> None:
    s = position(
        "A3 allies infantry\nC3 allies infantry\nE3 allies infantry\nG9 sandbags : axis infantry",
        card="dig-in",
        options={"sandbag_supply": supply},
    )
    s = order(s, "A3", "C3", "E3")
    assert dug_in(s, "A3", "C3", "E3") == laid


def test_the_default_supply_is_the_twelve_of_the_box() -> None:
    """C28b, R15, X16: a thirteenth sandbag is not to be had."""
    line = "\n".join(f"{column}9 sandbags : axis infantry" for column in "ABCDEFGHIJK")
    s = order(position(line + "\nA1 allies infantry\nC1 allies infantry", card="dig-in"), "A1", "C1")
    assert dug_in(s, "A1", "C1") == [True, False]


def test_without_infantry_dig_in_orders_one_unit_that_gets_no_sandbag() -> None:
    """Q202, C28, C3: it moves and battles normally."""
    s = position("G5 allies armor\nC3 allies artillery\nH5 axis infantry", card="dig-in")
    assert orderable(s) == {"G5", "C3"}
    s = play(s, "order G5")
    assert s.phase == "move"
    s = leave(s)
    assert dug_in(s, "G5", "C3") == [False, False]


# Infantry Assault

SECTIONS = (
    "B3 allies infantry\nd4 allies special-forces\nG3 allies resistance\nC1 allies armor\nK3 allies infantry"
)


@pytest.mark.parametrize(
    ("section", "hexes"),
    [("left", {"B3", "d4"}), ("center", {"d4", "G3"}), ("right", {"K3"})],
)
def test_infantry_assault_orders_all_infantry_of_one_section(section: str, hexes: set[str]) -> None:
    """C31: the player names the section after the card."""
    s = position(SECTIONS + "\nG9 axis infantry", card="infantry-assault")
    assert choices(s) == ["section center", "section left", "section right"]
    s = play(s, f"section {section}")
    assert orderable(s) == hexes
    assert len(order(s, *sorted(hexes)).orders) == len(hexes)


@pytest.mark.parametrize(
    ("unit", "rule"),
    [
        pytest.param("infantry", "", id="Q207 C31 infantry"),
        pytest.param("special-forces", "", id="C31a elite infantry, no more than that"),
        pytest.param("resistance", "", id="C31c resistance"),
    ],
)
def test_two_hexes_and_battle_or_three_without(unit: str, rule: str) -> None:
    s = position(f"G5 allies {unit}\nK5 axis infantry", card="infantry-assault")
    s = order(play(s, "section center"), "G5")
    assert {"H5", "I5", "J5", "j4", "G7", "g8"} & reach(s, "G5") == {"H5", "I5", "J5", "G7", "g8"}
    assert choices(play(s, "move G5 H5 I5"), "attack") == ["attack I5 K5"]
    assert asked(play(s, "move G5 H5 I5 J5")) == "draw"


def test_terrain_stops_an_infantry_assault_like_any_move() -> None:
    """C31b, C5: a forest ends the move and forbids the battle."""
    s = position("G5 allies infantry\nH5 forest\nI5 axis infantry", card="infantry-assault")
    s = order(play(s, "section center"), "G5")
    assert not [c for c in choices(s, "move") if " H5 " in c]
    assert asked(play(s, "move G5 H5")) == "draw"


def test_a_section_without_infantry_may_be_named() -> None:
    """C31, R30: nobody is ordered then; the fallback needs that there is no infantry at all."""
    s = position("B3 allies infantry\nK3 allies armor\nG9 axis infantry", card="infantry-assault")
    assert asked(play(s, "section right")) == "draw"


def test_left_of_the_top_player_is_the_east() -> None:
    """C31, R10: the section is named from the own chair."""
    s = position(
        "B7 axis infantry\nK7 axis infantry\nG1 allies infantry", card="infantry-assault", first="axis"
    )
    assert orderable(play(s, "section left")) == {"K7"}
