"""Terrain and obstacles: the master table row by row, then the notes of each (rules T1-T27, T40-T44)."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from engine import State
from engine.terrain import SANDBAGS, WIRE
from tests.drawing import asked, choices, figures_at, play, position, reach, unit_at
from tests.questions import attack, attacks, dice, fighting, loose_at, march, ordered

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


def straight_on(s: State) -> set[str]:
    """The ends of the moves from G5 that lead through H5."""
    return {c.split()[-1] for c in choices(s, "move") if c.startswith("move G5 H5 ")}


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


# River and bridge


def test_a_river_may_be_made_fordable() -> None:
    """T20: then units cross it; without the scenario's word it is impassable."""
    assert reach(ordered("G5 allies infantry\nH5 river", "G5"), "G5") & {"H5", "I5"} == set()
    assert reach(ordered("G5 allies infantry\nH5 river fordable", "G5"), "G5") >= {"H5", "I5"}


def test_a_bridge_makes_a_river_open_ground() -> None:
    """T21a: no stop, no cover, no battle limit."""
    s = ordered("G5 allies armor\nH5 river + bridge\nI5 axis infantry\ni6 axis infantry", "G5")
    s = march(s, "G5", "H5")
    assert dice(s, "H5", "I5") == 3
    s = fighting("G5 allies armor\nH5 river + bridge : axis infantry", "G5")
    assert dice(s, "G5", "H5") == 3


@pytest.mark.parametrize("water", ["river fordable", "ocean"])
def test_a_bridge_is_not_entered_from_the_water(water: str) -> None:
    """T21b, Q42: even where that water can be crossed."""
    s = ordered(f"G5 {water} : allies infantry\nH5 river + bridge\nI5 river", "G5")
    assert [c for c in choices(s, "move") if c.startswith("move G5 H5")] == []
    assert "g6" in reach(s, "G5")


def test_a_unit_leaves_a_bridge_backwards_to_land_only() -> None:
    """T21c: of a ford and a bank behind it a retreating unit must take the bank."""
    s = fighting("G5 river + bridge : axis infantry\nf6 river fordable\nH5 allies infantry", "H5")
    s = attack(s, "H5", "G5", "flag", "star", "star")
    assert unit_at(s, "g6") is not None
    s = fighting("G5 river + bridge : axis infantry\nf6 river fordable\ng6 ocean\nH5 allies infantry", "H5")
    s = attack(s, "H5", "G5", "flag", "star", "star")
    assert figures_at(s, "G5") == 3


def test_a_bridge_behind_a_bridge_is_land() -> None:
    """T21d: from bridge to bridge, in moves and in retreats; an option says no."""
    text = "G5 river + bridge : {} infantry\nH5 river + bridge\ng6 river + bridge\nf6 river\nF5 {} infantry"
    drawing = text.format("allies", "axis")
    assert {"move G5 H5", "move G5 g6"} <= set(choices(ordered(drawing, "G5")))
    apart = ordered(drawing, "G5", options={"bridges_join": "no"})
    assert not {"move G5 H5", "move G5 g6"} & set(choices(apart))
    drawing = text.format("axis", "allies")
    for options, left in (({}, 4), ({"bridges_join": "no"}, 3)):
        s = attack(fighting(drawing, "F5", options=options), "F5", "G5", "flag", "star", "star")
        assert figures_at(s, "g6" if left == 4 else "G5") == left


@pytest.mark.parametrize("bank", ["H5", "F5", "g6", "f6", "g4", "f4"])
def test_a_bridge_is_entered_from_any_bank(bank: str) -> None:
    """T21e: which way it lies does not matter."""
    assert "G5" in reach(ordered(f"{bank} allies artillery\nG5 river + bridge", bank), bank)


def test_a_bridge_does_not_block_sight_and_is_gone_with_its_tile() -> None:
    """T21f: seen across like the river; without the bridge the hex is river again."""
    s = fighting("G5 allies infantry\nH5 river + bridge\nI5 axis infantry", "G5")
    assert attacks(s) == ["attack G5 I5"]
    assert "H5" not in reach(ordered("G5 allies infantry\nH5 river", "G5"), "G5")


# Beach


def beach(*labels: str, unit: str = "armor") -> bool:
    """Whether a unit on the beach face may move along these hexes, as far as the end is concerned."""
    return labels[-1] in reach(ordered(f"{labels[0]} allies {unit}", labels[0], face="beach"), labels[0])


def test_a_move_that_enters_a_beach_is_two_hexes_long() -> None:
    """T22a, Q26, Q28: from F3 over f4 and F5 there is no third hex; G7, g6, G5 is the whole way."""
    assert not beach("F3", "f4", "F5", "f6")
    assert beach("F3", "f4", "F5")
    assert beach("G7", "g6", "G5")
    s = ordered("F3 allies armor", "F3", face="beach")
    assert reach(s, "F3") >= {"F5", "E5", "G5", "D3", "H3"}
    assert not any(s.setup.board.facts[a[-1]].terrain == "open" for a in s.answers if a[0] == "move")


def test_straight_off_the_beach_the_whole_allowance_is_free() -> None:
    """T22b, Q25: from G5 over g6 and G7 to g8."""
    s = ordered("G5 allies armor", "G5", face="beach")
    assert {"g8", "f8", "h8"} <= reach(s, "G5")
    assert not {"I7", "E7"} & {c.split()[-1] for c in choices(s, "move") if "H5" in c or "F5" in c}


def test_a_beach_is_no_third_hex() -> None:
    """T22c, Q27: from g8 over G7 to g6, and there it ends."""
    assert not beach("g8", "G7", "g6", "G5")
    assert beach("g8", "G7", "g6")


def test_ground_on_a_beach_is_taken_after_any_move() -> None:
    """T22d: two hexes moved over sand, then the advance onto sand."""
    s = ordered("E3 allies armor\nH3 axis infantry 1" + REST, "E3", face="beach")
    s = attack(march(s, "E3", "F3", "G3"), "G3", "H3", "grenade", "star", "star")
    assert choices(s) == ["ground H3", "stay"]


def test_the_climb_of_a_dune_counts_with_its_cost_on_the_beach() -> None:
    """T22e: sand, then up the dune, would be three hexes, which infantry never has on a beach."""
    s = play(
        position("F3 allies infantry\nF5 dune", card="infantry-assault", face="beach"),
        "section center",
        "order F3",
    )
    assert "f4" in reach(s, "F3")
    assert "F5" not in reach(s, "F3")
    s = play(position("f4 allies infantry\nF5 dune", card="infantry-assault", face="beach"), "section center")
    assert {"F5", "f6"} <= reach(play(s, "order f4"), "f4")  # 2 + 1, and no sand is entered


# Ocean


def test_units_cross_the_sea_one_hex_a_turn() -> None:
    """T23a, Q29: from G1 to g2 and no farther; on the next turn any way, out to sea as well."""
    assert reach(ordered("G1 allies infantry", "G1", face="beach"), "G1") == {"F1", "H1", "f2", "g2"}
    s = ordered("g2 allies infantry", "g2", face="beach")
    assert reach(s, "g2") >= {"G1", "H1", "f2", "h2", "G3", "H3"}


def test_nobody_battles_at_sea() -> None:
    """T23b, Q32: neither attack nor ambush."""
    text = "g2 allies infantry\nG3 axis infantry"
    s = ordered(text, "g2", face="beach")
    assert attacks(play(s, "done")) == []
    s = fighting(text, "G3", face="beach", first="axis")
    assert play(s, "attack G3 g2").phase == "roll"  # nobody is asked for an ambush


def test_nobody_retreats_into_the_sea() -> None:
    """T23c: the flag costs a figure."""
    s = fighting("G3 allies infantry\ng4 axis infantry", "g4", face="beach", first="axis")
    s = attack(s, "g4", "G3", "infantry", "flag", "star")
    assert figures_at(s, "G3") == 2


def test_no_sandbags_at_sea() -> None:
    """T23d, T43c: Dig-In lays them on every other ground."""
    text = "g2 allies infantry\nG3 allies infantry\nG7 forest : allies infantry\nI7 town : allies infantry"
    s = play(position(text, card="dig-in", face="beach"), "order g2", "order G3", "order G7", "order I7")
    assert [loose_at(s, label) for label in ("g2", "G3", "G7", "I7")] == [0, SANDBAGS, SANDBAGS, SANDBAGS]


def test_two_hexes_from_the_sea_over_the_beach() -> None:
    """T23e, Q30: infantry lands two hexes deep and does not battle; a tank gets no farther and does."""
    s = ordered("g2 allies infantry\nG5 axis infantry", "g2", face="beach")
    assert attacks(march(s, "g2", "G3", "g4")) == []
    s = ordered("g2 allies armor\nG7 axis infantry", "g2", face="beach")
    assert not {"F5", "G5", "H5", "I5"} & reach(s, "g2")
    assert attacks(march(s, "g2", "G3", "g4")) == ["attack g4 G7"]


@pytest.mark.parametrize(("edition", "may"), [("new", True), ("2004", False)])
def test_back_into_the_sea(edition: str, may: bool) -> None:
    """T23a, V60, Q31: allowed today, forbidden to landed units in the first edition."""
    s = ordered("G3 allies infantry", "G3", face="beach", options={"edition": edition})
    assert ("g2" in reach(s, "G3")) is may
    s = ordered("g2 allies infantry", "g2", face="beach", options={"edition": edition})
    assert {"f2", "G1"} <= reach(s, "g2")


# Dune, cliff, steep hill, lake


@pytest.mark.parametrize("slope", ["dune", "cliff"])
def test_between_beach_and_slope(slope: str) -> None:
    """T24a, T25, Q34: two hexes for infantry, up and down; impossible for tanks and guns."""
    up, down = f"G5 beach : allies {{}}\nH5 {slope}", f"G5 {slope} : allies {{}}\nH5 beach"
    for text in (up, down):
        assert "H5" in reach(ordered(text.format("infantry"), "G5"), "G5")
        assert straight_on(ordered(text.format("infantry"), "G5")) == set()
        s = ordered(text.format("infantry") + "\nI5 axis infantry", "G5")
        assert attacks(march(s, "G5", "H5")) == []  # has moved 2
        assert "move G5 H5" not in choices(ordered(text.format("armor"), "G5"))
        assert "H5" not in reach(ordered(text.format("artillery"), "G5"), "G5")


def test_special_forces_climb_and_battle() -> None:
    """T24a, U3: two hexes are within their march."""
    s = ordered("G5 beach : allies special-forces\nH5 dune\nI5 axis infantry", "G5")
    assert attacks(march(s, "G5", "H5")) == ["attack H5 I5"]


def test_infantry_takes_a_dune_and_comes_down_from_it() -> None:
    """T24b, T25: a cliff is not taken from the beach, but the beach is taken from a cliff."""
    cases = {
        ("beach", "dune"): True,
        ("dune", "beach"): True,
        ("beach", "cliff"): False,
        ("cliff", "beach"): True,
    }
    for (here, there), may in cases.items():
        s = fighting(f"G5 {here} : allies infantry\nH5 {there} : axis infantry 1{REST}", "G5")
        s = attack(s, "G5", "H5", "grenade", *("star",) * (dice(s, "G5", "H5") - 1))
        assert choices(s, "ground") == (["ground H5"] if may else [])


def test_tanks_do_not_take_ground_across_the_slope() -> None:
    """T24a: neither up nor down."""
    for here, there in (("beach", "dune"), ("dune", "beach")):
        s = fighting(f"G5 {here} : allies armor\nH5 {there} : axis infantry 1{REST}", "G5")
        s = attack(s, "G5", "H5", "grenade", *("star",) * (dice(s, "G5", "H5") - 1))
        assert asked(s) == "draw"


@pytest.mark.parametrize("kind", ARMS)
def test_from_the_land_a_dune_is_a_hill(kind: str) -> None:
    """T24c, Q35: one hex for everybody."""
    s = ordered(f"G5 allies {kind}\nH5 dune", "G5")
    assert "move G5 H5" in choices(s)
    if kind == "armor":
        assert "I5" in straight_on(s)


def test_for_everything_but_moves_a_dune_is_a_hill() -> None:
    """T24d: cover from below, sight over lower ground, and a tank falls back onto the beach."""
    s = fighting("G5 beach : allies infantry\nH5 dune : axis infantry", "G5")
    assert dice(s, "G5", "H5") == 2
    s = fighting("G5 dune : allies armor\nH5 town\nI5 hill : axis infantry", "G5")
    assert attacks(s) == ["attack G5 I5"]
    s = fighting("G5 dune : allies armor\nf4 beach\ng4 river\nH5 axis infantry", "H5", first="axis")
    s = attack(s, "H5", "G5", "flag", "star")
    assert unit_at(s, "f4") is not None


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


def test_a_lake_is_impassable_and_blocks_in_twos() -> None:
    """T27: one lake hex is seen across, two together are not."""
    assert "H5" not in reach(ordered("G5 allies infantry\nH5 lake", "G5"), "G5")
    assert attacks(fighting("G5 allies armor\nH5 lake\nJ5 axis infantry", "G5")) == ["attack G5 J5"]
    assert attacks(fighting("G5 allies armor\nH5 lake\nI5 lake\nJ5 axis infantry", "G5")) == []


# Bunker and hedgehog


def test_infantry_walks_through_a_bunker() -> None:
    """T40a, Q49: it does not stop there, and may battle from it after one hex."""
    s = ordered("G5 allies infantry\nH5 bunker\nJ5 axis infantry", "G5")
    assert "I5" in straight_on(s)
    assert attacks(march(s, "G5", "H5")) == ["attack H5 J5"]
    assert attacks(march(s, "G5", "H5", "I5")) == []


@pytest.mark.parametrize("kind", ["armor", "artillery", "half-track"])
@pytest.mark.parametrize("obstacle", ["bunker", "hedgehog", "hedgehog + wire"])
def test_nothing_but_infantry_enters(kind: str, obstacle: str) -> None:
    """T40a, T41, Q50: not by a move, not by taking ground."""
    assert "H5" not in reach(ordered(f"G5 allies {kind}\nH5 {obstacle}", "G5"), "G5")
    s = fighting(f"G5 allies {kind}\nH5 {obstacle} : axis infantry 1" + REST, "G5")
    if (kind, obstacle) == ("half-track", "bunker"):
        assert attacks(s) == []  # 2 - 2
        return
    s = attack(s, "G5", "H5", "grenade", *("star",) * (dice(s, "G5", "H5") - 1))
    assert asked(s) == "draw"


@pytest.mark.parametrize("kind", ["armor", "artillery"])
def test_a_unit_placed_in_a_bunker_stays_there(kind: str) -> None:
    """T40b: no move, no advance; the first flag is ignored, every further one costs a figure."""
    text = f"G5 bunker allies : allies {kind}\nH5 axis infantry 1\nA9 axis infantry"
    s = position(text)
    s = play(s, "order G5")
    assert (s.phase, choices(s, "move")) == ("battle", [])
    s = attack(s, "G5", "H5", "grenade", "star", "star")
    assert asked(s) == "draw"
    s = fighting(f"G5 bunker allies : allies {kind}\nI5 axis artillery", "I5", first="axis")
    s = attack(s, "I5", "G5", "flag", "flag", "star")
    assert figures_at(s, "G5") == s.setup.strength[0] - 1


@pytest.mark.parametrize("edition", ["new", "2004"])
def test_a_gun_in_a_bunker_ignores_one_flag_in_both_editions(edition: str) -> None:
    """T40e, T40b, V63: the readings of both editions agree."""
    text = "G5 bunker allies : allies artillery\nI5 axis artillery"
    for flags, left in ((1, 2), (2, 1), (3, 0)):
        s = fighting(text, "I5", first="axis", options={"edition": edition})
        s = attack(s, "I5", "G5", *("flag",) * flags, *("star",) * (3 - flags))
        assert figures_at(s, "G5") == left


def test_a_bunker_of_the_enemy_gives_only_the_ground_below() -> None:
    """T40c: infantry of the other side may stand in it, without its cover and its flag."""
    for ground, expected in (("bunker axis", 3), ("hill + bunker axis", 2), ("forest + bunker axis", 1)):
        s = fighting(f"G5 axis armor\nH5 {ground} : allies infantry", "G5", first="axis")
        assert dice(s, "G5", "H5") == expected
        s = attack(s, "G5", "H5", "flag", *("star",) * (expected - 1))
        assert s.phase == "retreat"
    assert "H5" in reach(ordered("G5 allies infantry\nH5 bunker axis", "G5"), "G5")


@pytest.mark.parametrize("side", ["G5", "I5", "g6", "h6", "g4", "h4"])
def test_a_bunker_protects_on_all_sides(side: str) -> None:
    """T40d: from every direction; whom it belongs to does not matter to sight."""
    s = fighting(f"{side} allies armor\nH5 bunker axis : axis infantry", side)
    assert dice(s, side, "H5") == 1
    assert attacks(fighting("G5 allies armor\nH5 bunker allies\nI5 axis infantry", "G5")) == []


def test_a_hedgehog_is_no_hindrance_to_infantry() -> None:
    """T41: no stop, no cover, one flag ignored."""
    s = ordered("G5 allies infantry\nH5 hedgehog\nI5 hedgehog : axis infantry", "G5")
    assert dice(march(s, "G5", "H5"), "H5", "I5") == 3
    assert straight_on(ordered("G5 allies infantry\nH5 hedgehog", "G5")) >= {"I5"}


# Wire


def test_everybody_stops_in_wire() -> None:
    """T42a, T42g: infantry, armor, and a gun with movement left; the gun suffers nothing else."""
    for kind, card in (
        ("infantry", "move-out"),
        ("armor", "armor-assault"),
        ("artillery", "artillery-bombard"),
    ):
        assert straight_on(ordered(f"G5 allies {kind}\nH5 wire", "G5", card=card)) == set()
    s = fighting("G5 wire : allies artillery\nI5 axis infantry", "G5")
    assert choices(s) == ["attack G5 I5", "done"]
    assert dice(s, "G5", "I5") == 3
    assert loose_at(march(ordered("G5 allies artillery\nH5 wire", "G5"), "G5", "H5"), "H5") == WIRE


def test_infantry_in_wire_has_three_choices() -> None:
    """T42b, T42c, Q44: battle with a die less, remove the wire, or nothing."""
    s = march(ordered("G5 allies infantry\nH5 wire\nI5 axis infantry", "G5"), "G5", "H5")
    assert choices(s) == ["attack H5 I5", "clear H5", "done"]
    assert dice(s, "H5", "I5") == 2
    cleared = play(s, "clear H5")
    assert (asked(cleared), loose_at(cleared, "H5")) == ("draw", 0)
    assert loose_at(play(s, "done"), "H5") == WIRE


def test_wire_is_removed_without_a_target_but_not_after_a_long_move() -> None:
    """T42c, Q45: whoever could battle may remove it, and nobody else."""
    s = ordered("G5 allies infantry\nI5 wire", "G5")
    assert choices(march(s, "G5", "H5", "I5"), "clear") == []
    assert choices(fighting("I5 wire : allies infantry", "I5")) == ["clear I5", "done"]
    s = ordered("G5 allies infantry\nH5 forest + wire", "G5")
    assert choices(march(s, "G5", "H5"), "clear") == []
    s = ordered("G5 allies special-forces\nI5 wire", "G5")
    assert choices(march(s, "G5", "H5", "I5"), "clear") == ["clear I5"]


def test_a_unit_that_removed_wire_does_not_battle() -> None:
    """T42c: instead of battling, and the other way round."""
    text = "G5 wire : allies infantry\ng6 allies infantry\nI5 axis infantry"
    s = play(fighting(text, "G5", "g6"), "clear G5")
    assert attacks(s) == ["attack g6 I5"]
    s = attack(fighting(text, "G5", "g6"), "G5", "I5", "star")
    assert choices(s, "clear") == []


def test_a_tank_crushes_wire_and_battles_with_all_dice() -> None:
    """T42d, Q46: the wire goes, the move ends, the battle is full."""
    s = march(ordered("G5 allies armor\nH5 wire\nI5 axis infantry", "G5"), "G5", "H5")
    assert loose_at(s, "H5") == 0
    assert dice(s, "H5", "I5") == 3
    s = fighting("G5 allies armor\nH5 wire : axis infantry 1" + REST, "G5")
    s = play(attack(s, "G5", "H5", "grenade", "star", "star"), "ground H5")
    assert loose_at(s, "H5") == 0


def test_a_retreat_leaves_wire_alone() -> None:
    """T42e: onto it and through it."""
    text = "G5 allies armor\nf4 wire\nF3 wire\ng4 river\nG3 river\nE3 river\nH5 axis infantry"
    s = fighting(text, "H5", first="axis")
    s = attack(s, "H5", "G5", "flag", "flag", "star")
    assert unit_at(s, "F3") is not None
    assert (loose_at(s, "f4"), loose_at(s, "F3")) == (WIRE, WIRE)


def test_a_tank_that_stands_in_wire_removes_it_by_battling() -> None:
    """T42f: and loses no die for it."""
    s = fighting("G5 wire : allies armor\nI5 axis infantry", "G5")
    assert choices(s, "clear") == []
    assert dice(s, "G5", "I5") == 3
    assert loose_at(attack(s, "G5", "I5"), "G5") == 0


def test_wire_gives_no_cover_and_hides_nothing() -> None:
    """T42h: full dice against a unit in it, and sight across it."""
    assert dice(fighting("G5 allies armor\nH5 wire : axis infantry", "G5"), "G5", "H5") == 3
    assert attacks(fighting("G5 allies armor\nH5 wire\nI5 axis infantry", "G5")) == ["attack G5 I5"]


def test_wire_and_hedgehog_on_one_hex() -> None:
    """T41, T42a: both work: infantry stops, loses a die, and may ignore a flag."""
    s = march(ordered("G5 allies infantry\nH5 hedgehog + wire\nI5 axis infantry", "G5"), "G5", "H5")
    assert dice(s, "H5", "I5") == 2
    s = fighting("G5 allies artillery\nI5 hedgehog + wire : axis infantry", "G5")
    assert attack(s, "G5", "I5", "flag", "star", "star").phase == "ignore"


# Sandbags and sea wall


def test_sandbags_go_when_their_unit_leaves() -> None:
    """T43a, Q47: by a move, a retreat, an advance or its end."""
    s = play(ordered("G5 sandbags : allies infantry", "G5"), "move G5 H5")
    assert loose_at(s, "G5") == 0
    s = fighting("G5 sandbags : axis infantry\nH5 allies artillery", "H5")
    s = play(attack(s, "H5", "G5", "flag", "star", "star"), "ignore 0")
    s = play(s, "retreat G5 f6")
    assert loose_at(s, "G5") == 0
    s = fighting("G5 sandbags : allies infantry\nH5 axis infantry 1" + REST, "G5")
    s = play(attack(s, "G5", "H5", "grenade", "star", "star"), "ground H5")
    assert loose_at(s, "G5") == 0
    s = fighting("G5 sandbags : axis infantry 1\nH5 allies artillery" + REST, "H5")
    s = attack(s, "H5", "G5", "grenade", "star", "star")
    assert loose_at(s, "G5") == 0


def test_sandbags_stay_while_their_unit_stays() -> None:
    """T43a: an ignored flag or a battle does not remove them."""
    s = fighting("G5 sandbags : axis infantry\nH5 allies artillery", "H5")
    s = play(attack(s, "H5", "G5", "flag", "star", "star"), "ignore 1")
    assert loose_at(s, "G5") == SANDBAGS


@pytest.mark.parametrize("side", ["G5", "I5", "g6", "h6", "g4", "h4"])
def test_sandbags_protect_all_round(side: str) -> None:
    """T43b: one die from infantry and armor, wherever they come from."""
    for kind, expected in (("infantry", 2), ("armor", 2), ("artillery", 3)):
        s = fighting(f"{side} allies {kind}\nH5 sandbags : axis infantry", side)
        assert dice(s, side, "H5") == expected


def test_a_sea_wall_stays_and_serves_whoever_is_there() -> None:
    """T44: it is not removed, and protects either side."""
    s = play(ordered("G5 sea-wall : allies infantry", "G5"), "move G5 H5")
    assert s.setup.board.flag[0][0][s.setup.grid.parse("G5")] == 1
    for first, side, enemy in (("allies", "axis", "allies"), ("axis", "allies", "axis")):
        s = fighting(f"G5 {enemy} armor\nH5 sea-wall : {side} infantry", "G5", first=first)
        assert dice(s, "G5", "H5") == 2
        assert attack(s, "G5", "H5", "flag", "star").phase == "ignore"
