"""What the edition of 2004 does otherwise (the marked rows of V60-V84)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import EngineError, State
from tests.drawing import asked, choices, figures_at, play, position, reach
from tests.engine.cardplay import attack, dice, order, to_battle

NEW, OLD = "new", "2004"


def drawn(board: str, edition: str, **facts: Any) -> State:
    """A position under an edition's rules."""
    return position(board, options={"edition": edition}, **facts)


@pytest.mark.parametrize(("edition", "back"), [(NEW, True), (OLD, False)])
def test_landed_units_and_the_sea(edition: str, back: bool) -> None:
    """V60, Q31, T23a: a unit on the beach may put to sea again only in the new edition."""
    s = order(drawn("G3 allies infantry\nA9 axis infantry", edition, face="beach"), "G3")
    assert ("g2" in reach(s, "G3")) is back


def test_at_sea_a_unit_goes_one_hex_a_turn_in_both_editions() -> None:
    """V60, T23a: along the coast or ashore, never two hexes of sea."""
    for edition in (NEW, OLD):
        s = order(drawn("G1 allies armor\nA9 axis infantry", edition, face="beach"), "G1")
        assert reach(s, "G1") == {"F1", "H1", "f2", "g2"}


@pytest.mark.parametrize(
    ("edition", "attacker", "target", "expected"),
    [
        pytest.param(NEW, "", "hill", 2, id="V61 new, from below"),
        pytest.param(OLD, "", "hill", 2, id="V61 2004, from below"),
        pytest.param(NEW, "hill", "hill", 3, id="V61 new, same height"),
        pytest.param(OLD, "hill", "hill", 3, id="V61 2004, same height"),
        pytest.param(NEW, "mountain", "hill", 3, id="V61 new, from above"),
        pytest.param(OLD, "mountain", "hill", 2, id="V61 2004, from above"),
    ],
)
def test_protection_of_a_hill(edition: str, attacker: str, target: str, expected: int) -> None:
    ground = f"G5 {attacker}\n" if attacker else ""
    s = drawn(f"{ground}G5 allies infantry\nH5 {target} : axis infantry", edition)
    assert dice(to_battle(s, "G5"), "G5 H5") == expected


@pytest.mark.parametrize(
    ("edition", "shooter", "between", "target", "seen"),
    [
        pytest.param(NEW, "hill", "hill", "hill", True, id="V62 new, along the hills"),
        pytest.param(OLD, "hill", "hill", "hill", True, id="V62 2004, along the hills"),
        pytest.param(NEW, "open", "hill", "open", False, id="V62 new, across a hill"),
        pytest.param(OLD, "open", "hill", "open", False, id="V62 2004, across a hill"),
        pytest.param(NEW, "hill", "hill", "open", False, id="V62 new, over a hill down into the plain"),
        # Sight works both ways (R67), and the first edition's own example of this says no.
        pytest.param(OLD, "hill", "hill", "open", False, id="V62 2004, over a hill down into the plain"),
        pytest.param(NEW, "open", "hill", "hill", False, id="V62 new, over a hill up to another"),
        pytest.param(OLD, "open", "hill", "hill", False, id="V62 2004, over a hill up to another"),
        pytest.param(NEW, "hill", "town", "hill", True, id="V62 new, over lower houses"),
        pytest.param(OLD, "hill", "town", "hill", False, id="V62 2004, no general rule of heights"),
    ],
)
def test_seeing_across_hills(edition: str, shooter: str, between: str, target: str, seen: bool) -> None:
    s = drawn(f"G5 {shooter} : allies armor\nH5 {between}\nI5 {target} : axis infantry", edition)
    s = to_battle(s, "G5")
    assert (choices(s, "attack") == ["attack G5 I5"]) is seen


def test_in_2004_a_unit_in_the_valley_hides_what_is_behind_it() -> None:
    """V62, R72: in the new edition two units on hills see each other over it."""
    board = "G5 hill : allies armor\nI5 allies infantry\nJ5 hill : axis infantry"
    assert choices(to_battle(drawn(board, NEW), "G5"), "attack") == ["attack G5 J5"]
    assert choices(to_battle(drawn(board, OLD), "G5"), "attack") == []


@pytest.mark.parametrize("edition", [NEW, OLD])
@pytest.mark.parametrize(("faces", "left"), [("flag star", 2), ("flag flag", 1)])
def test_flags_against_a_gun_in_a_bunker(edition: str, faces: str, left: int) -> None:
    """V63, T40b: the first is ignored, each further one costs a figure; both editions come to the same."""
    board = "G5 bunker axis : axis artillery\nD5 allies artillery\nA9 axis infantry"
    s = attack(to_battle(drawn(board, edition), "D5"), "D5 G5", faces)
    assert figures_at(s, "G5") == left
    assert asked(s) == "draw"


@pytest.mark.parametrize(
    ("edition", "owner", "expected"),
    [
        pytest.param(NEW, "axis", 1, id="V64 new, the named side"),
        pytest.param(OLD, "axis", 1, id="V64 2004, the named side"),
        pytest.param(NEW, "", 1, id="V64 new, nobody named: both"),
        pytest.param(OLD, "", 3, id="V64 2004, nobody named: nobody"),
        pytest.param(NEW, "allies", 3, id="V64 new, the enemy's bunker"),
        pytest.param(OLD, "allies", 3, id="V64 2004, the enemy's bunker"),
    ],
)
def test_who_is_protected_by_a_bunker(edition: str, owner: str, expected: int) -> None:
    s = to_battle(drawn(f"G5 allies armor\nH5 bunker {owner} : axis infantry", edition), "G5")
    assert dice(s, "G5 H5") == expected


def test_armor_in_a_bunker_is_not_foreseen_in_2004() -> None:
    """V65, T40b: such a battle is refused; in the new edition the tank battles and cannot leave."""
    board = "G5 bunker axis : axis armor\nH5 allies infantry"
    with pytest.raises(EngineError, match="the 2004 edition has no armor in bunkers, as at G5"):
        drawn(board, OLD, first="axis")
    s = to_battle(drawn(board, NEW, first="axis"), "G5")
    assert choices(s) == ["attack G5 H5", "done"]


@pytest.mark.parametrize(("edition", "may"), [(NEW, False), (OLD, True)])
def test_a_bridge_beside_the_sea(edition: str, may: bool) -> None:
    """V68, T21b, T21c: entered from land alone in the new edition, from anywhere passable in that of 2004."""
    s = order(drawn("G1 allies infantry\ng2 river bridge\nA9 axis infantry", edition, face="beach"), "G1")
    assert ("g2" in reach(s, "G1")) is may


def test_the_edition_is_part_of_the_agreement() -> None:
    """V60: two games that differ in it have different fingerprints, and a third edition is refused."""
    board = "G5 allies infantry\nH5 axis infantry"
    assert drawn(board, NEW).setup.digest != drawn(board, OLD).setup.digest
    with pytest.raises(EngineError, match='option edition is "1999"'):
        drawn(board, "1999")


def test_everything_else_is_the_same_in_2004() -> None:
    """V84, V83: a card without units in its section orders nothing; armor crushes wire and may battle."""
    s = drawn("G5 allies infantry\nH5 axis infantry", OLD, card="assault-left")
    assert asked(s) == "draw"
    s = order(drawn("G5 allies armor\nH5 wire\nI5 axis infantry", OLD), "G5")
    s = play(s, "move G5 H5")
    assert dice(s, "H5 I5") == 3
