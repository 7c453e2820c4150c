"""Bunkers, hedgehogs, wire, sandbags and sea walls (rules T40-T44)."""

from __future__ import annotations

import pytest

from engine.terrain import SANDBAGS, WIRE
from tests.drawing import asked, choices, figures_at, play, position, reach, unit_at
from tests.questions import attack, attacks, dice, fighting, loose_at, march, ordered, straight_on

ARMS = ("infantry", "armor", "artillery")
REST = "\nA9 axis infantry"  # so that the game goes on without the unit under attack


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
