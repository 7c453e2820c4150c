"""Rivers, bridges, beaches, the sea and what rises from them (rules T20-T25, T27)."""

from __future__ import annotations

import pytest

from engine.terrain import SANDBAGS
from tests.drawing import asked, choices, figures_at, play, position, reach, unit_at
from tests.questions import attack, attacks, dice, fighting, loose_at, march, ordered, straight_on

ARMS = ("infantry", "armor", "artillery")
REST = "\nA9 axis infantry"  # so that the game goes on without the unit under attack


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


# Dune, cliff, lake


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


def test_a_lake_is_impassable_and_blocks_in_twos() -> None:
    """T27: one lake hex is seen across, two together are not."""
    assert "H5" not in reach(ordered("G5 allies infantry\nH5 lake", "G5"), "G5")
    assert attacks(fighting("G5 allies armor\nH5 lake\nJ5 axis infantry", "G5")) == ["attack G5 J5"]
    assert attacks(fighting("G5 allies armor\nH5 lake\nI5 lake\nJ5 axis infantry", "G5")) == []
