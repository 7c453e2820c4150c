"""Attacks by card, without an attacking unit: Air Power (C20), Barrage (C24), and the air table (V40-V42)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import State
from tests.drawing import CardUse, asked, choices, figures_at, play, position, unit_at
from tests.engine.cardplay import draw

GROUP = """
    G5 axis infantry
    H5 axis armor
    g6 axis infantry
    h6 axis artillery
    I5 axis infantry
    L7 axis infantry
    G1 allies infantry
"""


def bombed(board: str, faces: str, **facts: Any) -> State:
    """The state after the Allies have bombed the unit at G5, alone."""
    s = position(board, card="air-power", **facts)
    s = play(s, "target G5")
    if s.phase == "target":
        s = play(s, "done")
    return play(s, f"roll {faces}")


# Choosing


def test_up_to_four_units_that_hang_together_are_chosen_before_any_die_falls() -> None:
    """Q179, C20, C20a: each touches another of them; a fifth is not asked for."""
    s = position(GROUP, card="air-power")
    assert choices(s) == ["target G5", "target H5", "target I5", "target L7", "target g6", "target h6"]
    s = play(s, "target G5")
    assert choices(s) == ["done", "target H5", "target g6"]
    s = play(s, "target H5", "target g6", "target h6")
    assert s.phase == "strike"
    assert s.roll is None


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        pytest.param("connected", {"target I5", "target h6"}, id="C20a next to any of those chosen"),
        pytest.param("chain", {"target h6"}, id="C20a next to the one chosen last"),
    ],
)
def test_shape_of_the_group(group: str, expected: set[str]) -> None:
    """C20a, X10: by default a connected set, by the option a chain."""
    s = position(GROUP, card="air-power", options={"air_power_group": group})
    s = play(s, "target G5", "target H5", "target g6")
    assert set(choices(s, "target")) == expected


def test_units_are_struck_one_after_another_in_the_order_the_player_likes() -> None:
    """C20b: each is dealt with before the next; one stays a target though retreats broke up the group."""
    s = position("G5 axis infantry\nH5 axis infantry\nI5 axis infantry\nG1 allies infantry", card="air-power")
    s = play(s, "target G5", "target H5", "target I5")
    assert choices(s) == ["strike G5", "strike H5", "strike I5"]
    s = play(s, "strike H5", "roll flag infantry")
    assert (s.seat, choices(s)) == (1, ["retreat H5 g6", "retreat H5 h6"])
    s = play(s, "retreat H5 h6")
    assert choices(s) == ["strike G5", "strike I5"]
    s = play(s, "strike I5", "roll star star")
    assert asked(s) == "roll 2"  # G5, which nothing touches any more, comes without asking
    s = play(s, "roll star star")
    assert [figures_at(s, label) for label in ("G5", "h6", "I5")] == [2, 3, 2]
    assert asked(s) == "draw"


def test_no_unit_is_ordered_and_nobody_takes_ground_or_ambushes() -> None:
    """C20, C20c, R129: sight, range and neighbours do not matter."""
    s = bombed(
        "G5 axis infantry 1\nF5 allies armor\nA9 axis infantry", "grenade star", enemy_hand=("ambush",)
    )
    assert unit_at(s, "G5") is None
    assert asked(s) == "draw"
    s = position("M9 axis infantry\nL9 forest\nA1 allies infantry", card="air-power")
    assert choices(s) == ["target M9"]


# Dice


@pytest.mark.parametrize(
    ("target", "faces", "left"),
    [
        pytest.param("infantry", "infantry star", 2, id="C20 infantry: symbol and star"),
        pytest.param("infantry", "grenade armor", 3, id="C20 infantry: grenade"),
        pytest.param("armor", "armor star", 1, id="C20 armor: symbol and star"),
        pytest.param("armor", "infantry infantry", 3, id="C20 armor: another class misses"),
        pytest.param("artillery", "star infantry", 1, id="C20d artillery: star"),
        pytest.param("artillery", "grenade armor", 1, id="C20d artillery: grenade"),
    ],
)
def test_stars_hit_from_the_air(target: str, faces: str, left: int) -> None:
    s = bombed(f"G5 axis {target}\nG1 allies infantry\nA9 axis infantry", faces)
    assert figures_at(s, "G5") == left


def test_cover_counts_for_nothing_against_air_power() -> None:
    """Q177, C20: out of a bunker, one hit by the star, and the flag must be obeyed."""
    s = bombed("G5 bunker : axis infantry\nG1 allies infantry", "star flag")
    assert choices(s) == ["retreat G5 f6", "retreat G5 g6"]
    assert figures_at(s, "G5") == 3


def test_a_flag_from_the_air_is_never_ignored() -> None:
    """Q272, C20: a church with sandbags does not help."""
    s = bombed("G5 church sandbags : axis infantry\nG1 allies infantry", "flag infantry")
    assert choices(s) == ["retreat G5 f6", "retreat G5 g6"]


def test_barrage_hits_without_stars_and_drives_units_out_of_cover() -> None:
    """Q172, C24: four dice; two hits, and the flag cannot be ignored in spite of sandbags."""
    s = position("G5 sandbags : axis infantry\nL7 axis armor\nG1 allies infantry", card="barrage")
    assert choices(s) == ["target G5", "target L7"]
    s = play(s, "target G5")
    assert asked(s) == "roll 4"
    s = play(s, "roll infantry star flag grenade")
    assert figures_at(s, "G5") == 2
    assert choices(s) == ["retreat G5 f6", "retreat G5 g6"]
    s = play(s, "retreat G5 f6")
    assert asked(s) == "draw"  # nobody is ordered


@pytest.mark.parametrize("card", ["barrage", "air-power"])
def test_a_card_attack_bound_to_an_empty_section_does_nothing(card: str) -> None:
    """C3, C20, C24: where a battle ties such an attack to a section without enemies."""
    use = CardUse("allies", "recon", card, in_section=True)
    s = position("B3 allies infantry\nG7 axis infantry", card="recon-left", play_card=False, card_uses=(use,))
    s = play(s, f"card recon-left as {card}")
    assert asked(s) == "draw"
    assert s.queue[0] == ("draw", 0, 1, False)  # played as another card, Recon draws one


# The air table


@pytest.mark.parametrize(
    ("front", "row"),
    [
        pytest.param("western", "XXXXXAA", id="V40 western front"),
        pytest.param("eastern", "XXXX---", id="V40 Q175 eastern front"),
        pytest.param("pacific", "XXXX-AA", id="V40 pacific"),
        pytest.param("mediterranean", "-XX--AA", id="V40 mediterranean"),
    ],
)
def test_air_dice_by_front_and_year(front: str, row: str) -> None:
    """V40: X the Axis has two dice, A the Allies have, - nobody has."""
    expected = {"X": (1, 2), "A": (2, 1), "-": (1, 1)}
    for year, sign in zip(range(1939, 1946), row, strict=True):
        s = position("G5 axis infantry\nG1 allies infantry", card="air-power", front=front, year=year)
        assert s.setup.air_dice == expected[sign], year


@pytest.mark.parametrize(
    ("front", "year", "allies", "axis"),
    [
        pytest.param("western", 1944, 2, 1, id="Q174 V41 C20 base battles"),
        pytest.param("eastern", 1943, 1, 1, id="Q175 eastern front 1943"),
        pytest.param("western", 1941, 1, 2, id="Q176 western front 1941"),
    ],
)
def test_dice_rolled_against_each_unit(front: str, year: int, allies: int, axis: int) -> None:
    for first, number in (("allies", allies), ("axis", axis)):
        s = position(
            "G5 axis infantry\nG1 allies infantry", card="air-power", first=first, front=front, year=year
        )
        s = play(s, "target G5" if first == "allies" else "target G1")
        assert asked(s) == f"roll {number}"


def test_what_a_battle_says_itself_comes_before_the_table() -> None:
    """V42: dice named by the battle, and dice of another use of a card, stand."""
    board = "G5 axis infantry\nG1 allies infantry"
    s = position(board, card="air-power", year=1941, options={"air_dice": "3/1"})
    assert asked(play(s, "target G5")) == "roll 3"
    use = CardUse("allies", "recon", "air-power", dice=4)
    s = position(board, card="recon-left", play_card=False, card_uses=(use,), options={"air_dice": "3/1"})
    assert asked(play(s, "card recon-left as air-power", "target G5")) == "roll 4"


def test_the_turn_after_a_card_attack_belongs_to_the_enemy() -> None:
    """C24, R129: the card is discarded and one card drawn."""
    s = position("G5 axis infantry\nL7 axis armor\nG1 allies infantry", card="barrage")
    s = draw(play(s, "target L7", "roll infantry star infantry infantry"))
    assert (s.active, figures_at(s, "L7")) == (1, 3)
