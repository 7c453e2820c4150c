"""The master table of terrain and obstacles row by row, then the notes on dry land (rules T1-T12, T26)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from tests.drawing import asked, choices, figures_at, play, position, reach
from tests.questions import attack, attacks, dice, fighting, march, ordered, straight_on

ARMS = ("infantry", "armor", "artillery")
REST = "\nA9 axis infantry"  # so that the game goes on without the unit under attack


class Row(NamedTuple):
    """What the rules say of a terrain: numbers and answers for infantry, armor and artillery in turn."""

    ground: str
    enters: str = "yyy"  # from open ground
    stops: str = "nnn"
    battles: bool = True  # in the turn of entry
    cover: tuple[int, int, int] = (0, 0, 0)  # dice lost by attackers of each class, from below
    penalty: tuple[int, int, int] = (0, 0, 0)  # dice lost by each class standing there; 3: no battle
    flag: str = "nnn"  # may ignore one
    sight: bool = True  # can be seen across between units on open ground


ROWS = [
    pytest.param(Row("open"), id="T6 open ground"),
    pytest.param(Row("forest", stops="yyy", battles=False, cover=(1, 2, 0), sight=False), id="T7 forest"),
    pytest.param(Row("hedgerow", stops="yyy", battles=False, cover=(1, 2, 0), sight=False), id="T9 hedgerow"),
    pytest.param(Row("hill", cover=(1, 1, 0), sight=False), id="T10 hill"),
    pytest.param(
        Row("town", stops="yyy", battles=False, cover=(1, 2, 0), penalty=(0, 2, 0), sight=False),
        id="T11 town",
    ),
    pytest.param(
        Row("church", "yyy", "yyy", False, (1, 2, 0), (0, 2, 0), flag="yyy", sight=False), id="T12 church"
    ),
    pytest.param(Row("river", enters="nnn"), id="T20 river"),
    pytest.param(Row("river + bridge"), id="T21 bridge"),
    pytest.param(Row("beach"), id="T22 beach"),
    pytest.param(Row("ocean", stops="yyy", battles=False, penalty=(3, 3, 3)), id="T23 ocean"),
    pytest.param(Row("dune", cover=(1, 1, 0), sight=False), id="T24 dune"),
    pytest.param(Row("cliff", cover=(1, 1, 0), sight=False), id="T25 cliff"),
    pytest.param(Row("steep-hill", enters="yyn", cover=(1, 1, 0), sight=False), id="T26 steep hill"),
    pytest.param(Row("lake", enters="nnn"), id="T27 lake"),
    pytest.param(Row("bunker", enters="ynn", cover=(1, 2, 0), flag="yyy", sight=False), id="T40 bunker"),
    pytest.param(Row("hedgehog", enters="ynn", flag="ynn"), id="T41 hedgehog"),
    pytest.param(Row("wire", stops="yyy", penalty=(1, 0, 0)), id="T42 wire"),
    pytest.param(Row("sandbags", cover=(1, 1, 0), flag="yyy"), id="T43 sandbags"),
    pytest.param(Row("sea-wall", cover=(1, 1, 0), flag="yyy"), id="T44 sea wall"),
]
STANDING = [row for row in ROWS if row.values[0].enters != "nnn"]  # type: ignore[union-attr]


@pytest.mark.parametrize("row", ROWS)
def test_who_may_enter(row: Row) -> None:
    """R45, T40a, T41: from the open ground beside it."""
    found = ["H5" in reach(ordered(f"G5 allies {kind}\nH5 {row.ground}", "G5"), "G5") for kind in ARMS]
    assert found == [answer == "y" for answer in row.enters]


@pytest.mark.parametrize("row", STANDING)
def test_who_must_stop(row: Row) -> None:
    """R43: with movement left a unit goes on, or not; guns get theirs from Artillery Bombard."""
    cards = ("infantry-assault", "armor-assault", "artillery-bombard")  # three hexes for everybody
    for kind, card, enters, stops in zip(ARMS, cards, row.enters, row.stops, strict=True):
        s = position(f"G5 allies {kind}\nH5 {row.ground}", card=card)
        s = play(s, *(("section center",) if s.phase == "section" else ()), "order G5")
        enters = "y" if row.ground == "steep-hill" else enters  # T26: with three hexes guns climb
        assert ("I5" in straight_on(s)) is (enters == "y" and stops == "n")


@pytest.mark.parametrize("row", STANDING)
def test_who_may_battle_in_the_turn_of_entry(row: Row) -> None:
    """R44, T5: special forces and armor, which have movement enough, enter and look for a target."""
    for kind, enters in (("special-forces", row.enters[0]), ("armor", row.enters[1])):
        if enters == "y":
            s = ordered(f"G5 allies {kind}\nH5 {row.ground}\nI5 axis infantry", "G5")
            assert attacks(march(s, "G5", "H5")) == (["attack H5 I5"] if row.battles else [])


@pytest.mark.parametrize("row", STANDING)
def test_cover_of_a_target(row: Row) -> None:
    """R62, U7: dice that infantry, armor and artillery lose against a target in the hex."""
    found = [
        3 - dice(fighting(f"G5 allies {kind}\nH5 {row.ground} : axis infantry", "G5"), "G5", "H5")
        for kind in ARMS
    ]
    assert found == list(row.cover)


@pytest.mark.parametrize("row", STANDING)
def test_penalty_of_an_attacker(row: Row) -> None:
    """R61, T42b, T23b: dice that each class loses when it battles out of the hex."""
    found = [
        3 - dice(fighting(f"G5 {row.ground} : allies {kind}\nH5 axis infantry", "G5"), "G5", "H5")
        for kind in ARMS
    ]
    assert found == list(row.penalty)


@pytest.mark.parametrize("row", STANDING)
def test_who_may_ignore_a_flag(row: Row) -> None:
    """R100, T5: each class attacked in the hex by a gun."""
    for kind, may in zip(ARMS, row.flag, strict=True):
        s = fighting(f"G5 allies artillery\nI5 {row.ground} : axis {kind}", "G5")
        s = attack(s, "G5", "I5", "flag", "star", "star")
        if row.ground == "bunker" and kind != "infantry":  # T40b: it always does
            assert (asked(s), figures_at(s, "I5")) == ("draw", s.setup.strength[1])
        else:
            assert (s.phase == "ignore") is (may == "y")


@pytest.mark.parametrize("row", ROWS)
def test_what_blocks_sight(row: Row) -> None:
    """R84, T4, T40d, T42h: between two units on open ground."""
    s = fighting(f"G5 allies infantry\nH5 {row.ground}\nI5 axis infantry", "G5")
    assert bool(attacks(s)) is row.sight


# Elevation


def test_hill_and_mountain_are_climbed_one_level_at_a_time() -> None:
    """T3: take ground obeys it as well."""
    s = fighting("G5 allies infantry\nH5 mountain : axis infantry 1" + REST, "G5")
    assert asked(attack(s, "G5", "H5", "grenade")) == "draw"
    s = fighting("G5 hill : allies infantry\nH5 mountain : axis infantry 1" + REST, "G5")
    assert choices(attack(s, "G5", "H5", "grenade")) == ["ground H5", "stay"]


@pytest.mark.parametrize("kind", ["armor", "artillery"])
def test_a_mountain_is_for_infantry(kind: str) -> None:
    """T2, R45: no other class enters it."""
    assert "H5" not in reach(ordered(f"G5 hill : allies {kind}\nH5 mountain", "G5"), "G5")


def test_elevation_decides_what_a_unit_sees() -> None:
    """T4: hill to hill over a forest below; never from open ground."""
    text = "G5 {} : allies armor\nH5 forest\nI5 hill : axis infantry"
    assert attacks(fighting(text.format("hill"), "G5")) == ["attack G5 I5"]
    assert attacks(fighting(text.format("open"), "G5")) == []


# Forest


def test_a_forest_stops_a_tank_and_silences_it() -> None:
    """T7, Q19: it enters g6 and neither goes on nor battles."""
    s = ordered("G5 allies armor\ng6 forest\nH7 axis infantry\nf6 river\nH5 river", "G5")
    assert not any(c.startswith("move G5 g6 ") for c in choices(s, "move"))
    assert attacks(march(s, "G5", "g6")) == []


def test_from_forest_to_forest_is_an_entry() -> None:
    """T7, Q20: no battle after it."""
    s = ordered("g6 forest : allies infantry\nG7 forest\nG9 axis infantry", "g6")
    assert attacks(march(s, "g6", "G7")) == []


def test_who_stays_in_a_forest_battles_with_all_dice() -> None:
    """T7, Q21: the terrain of the attacker costs nothing."""
    s = fighting("g6 forest : allies infantry\nH7 axis infantry", "g6")
    assert dice(s, "g6", "H7") == 3


# Hedgerow


def test_a_hedgerow_is_entered_only_from_next_to_it() -> None:
    """T9a, Q39: two hexes away is too far, for infantry and for tanks."""
    for kind in ("infantry", "armor"):
        s = ordered(f"G5 allies {kind}\nI5 hedgerow\nH5 hedgerow", "G5")
        assert "H5" in reach(s, "G5")
        assert "I5" not in reach(s, "G5")


def test_a_hedgerow_stops_and_silences() -> None:
    """T9b, Q40: no further step and no battle."""
    s = ordered("G5 allies infantry\nH5 hedgerow\nI5 axis infantry", "G5")
    assert straight_on(s) == set()
    assert attacks(march(s, "G5", "H5")) == []


def test_a_hedgerow_is_left_by_one_hex() -> None:
    """T9c, Q41: a tank leaves it by one hex and may battle there."""
    s = ordered("G5 hedgerow : allies armor\nI5 axis infantry", "G5")
    assert reach(s, "G5") == {"H5", "F5", "g6", "f6", "g4", "f4"}
    assert attacks(march(s, "G5", "H5")) == ["attack H5 I5"]


def test_from_hedgerow_to_hedgerow() -> None:
    """T9d: allowed, one hex at a time."""
    s = ordered("G5 hedgerow : allies infantry\nH5 hedgerow\nI5 hedgerow", "G5")
    assert reach(s, "G5") == {"H5", "F5", "g6", "f6", "g4", "f4"}


def test_who_has_left_a_hedgerow_may_take_ground() -> None:
    """T9e: the limit concerns the move only."""
    s = march(ordered("G5 hedgerow : allies armor\nI5 axis infantry 1" + REST, "G5"), "G5", "H5")
    assert choices(attack(s, "H5", "I5", "grenade", "star", "star")) == ["ground I5", "stay"]


@pytest.mark.parametrize(("start", "may"), [("H5", True), ("g6", True), ("G5", False)])
def test_ground_in_a_hedgerow_is_taken_only_by_who_began_beside_it(start: str, may: bool) -> None:
    """T9a: beginning the turn next to the hedgerow is what counts."""
    s = ordered(f"{start} allies special-forces\nh6 hedgerow : axis infantry 1{REST}", start)
    s = play(s, "done") if start == "H5" else march(s, start, "H5")
    s = attack(s, "H5", "h6", "grenade", "star")
    assert choices(s, "ground") == (["ground h6"] if may else [])


# Hill


@pytest.mark.parametrize(("kind", "below"), [("infantry", 2), ("armor", 2), ("artillery", 3)])
def test_a_hill_protects_from_below_only(kind: str, below: int) -> None:
    """T10a: one die for infantry and armor on lower ground, none for guns or from the same height."""
    hill = "H5 hill : axis infantry"
    assert dice(fighting(f"G5 allies {kind}\n{hill}", "G5"), "G5", "H5") == below
    assert dice(fighting(f"G5 hill : allies {kind}\n{hill}", "G5"), "G5", "H5") == 3


def test_a_hill_limits_neither_move_nor_battle() -> None:
    """T10a: a tank crosses two hills and battles from a third."""
    s = ordered("G5 allies armor\nH5 hill\nI5 hill\nJ5 hill\nL5 axis infantry", "G5")
    assert attacks(march(s, "G5", "H5", "I5", "J5")) == ["attack J5 L5"]


def test_two_hills_see_each_other_over_everything_lower() -> None:
    """T10b: bare hill, town and unit below lie between them."""
    text = "G5 hill : allies armor\nH5 hill\nI5 town : allies infantry\nJ5 hill : axis infantry"
    assert attacks(fighting(text, "G5")) == ["attack G5 J5"]


# Steep hill


def test_a_steep_hill_is_climbed_for_two() -> None:
    """T26, Q36, Q37: no gun climbs by an ordinary move, infantry cannot battle, a tank has one hex left."""
    hill = "H5 steep-hill\nJ5 axis infantry"
    assert "H5" not in reach(ordered(f"G5 allies artillery\n{hill}", "G5"), "G5")
    bombard = ordered(f"G5 allies artillery\n{hill}", "G5", card="artillery-bombard")
    assert "H5" in reach(bombard, "G5")
    assert attacks(march(ordered(f"G5 allies infantry\n{hill}", "G5"), "G5", "H5")) == []
    s = ordered(f"G5 allies armor\n{hill}", "G5")
    assert attacks(march(s, "G5", "H5", "I5")) == ["attack I5 J5"]


def test_a_steep_hill_is_left_and_crossed_for_one() -> None:
    """T26: from another hill and downhill a step costs 1; taking ground costs nothing."""
    assert "H5" in reach(ordered("G5 hill : allies artillery\nH5 steep-hill", "G5"), "G5")
    assert "H5" in reach(ordered("G5 steep-hill : allies artillery", "G5"), "G5")
    s = fighting("G5 allies infantry\nH5 steep-hill : axis infantry 1" + REST, "G5")
    assert choices(attack(s, "G5", "H5", "grenade", "star")) == ["ground H5", "stay"]


# Town and church


@pytest.mark.parametrize("ground", ["town", "church"])
def test_tanks_in_buildings_see_little(ground: str) -> None:
    """T11, T12: armor battles out of it with two dice fewer at every distance; others do not."""
    for kind, expected in (("armor", [1, 1, 1]), ("infantry", [3, 2, 1]), ("artillery", [3, 3, 2])):
        found = [
            dice(fighting(f"G5 {ground} : allies {kind}\n{there} axis infantry", "G5"), "G5", there)
            for there in ("H5", "I5", "J5")
        ]
        assert found == expected
