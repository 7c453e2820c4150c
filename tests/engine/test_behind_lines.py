"""Behind Enemy Lines: move, battle, move again (C25)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import State
from tests.drawing import asked, choices, figures_at, play, position, reach, unit_at
from tests.engine.cardplay import attack, dice, order, orderable, to_battle


def raid(board: str, **facts: Any) -> State:
    """The raider at G5 has been ordered."""
    s = position("G5 allies infantry\n" + board, card="behind-enemy-lines", **facts)
    return order(s, "G5")


def test_one_infantry_unit_moves_three_battles_with_an_extra_die_and_moves_three_again() -> None:
    """C25, C25c: the distance never forbids the battle."""
    s = position(
        "G5 allies infantry\nC3 allies armor\nK3 allies infantry\nJ7 axis infantry", card="behind-enemy-lines"
    )
    assert orderable(s) == {"G5", "K3"}
    s = order(s, "G5")
    assert {"D5", "J5", "C5"} & reach(s, "G5") == {"D5", "J5"}
    s = play(s, "move G5 H5 I5 J5")
    assert unit_at(s, "J5") is not None
    assert dice(s, "J5 J7") == 3  # two hexes away: 2 + 1
    s = attack(s, "J5 J7", "star star star")
    assert s.phase == "second-move"
    assert {"G5", "M5", "F5"} & reach(s, "J5") == {"G5", "M5"}
    s = play(s, "move J5 I5 H5 G5")
    assert unit_at(s, "G5") is not None
    assert asked(s) == "draw"  # C25g


def test_close_assault_has_the_extra_die_too() -> None:
    """C25: four dice next to the enemy."""
    s = play(raid("I5 axis infantry\nA9 axis infantry"), "move G5 H5")
    assert dice(s, "H5 I5") == 4


@pytest.mark.parametrize(
    ("board", "face", "hexes"),
    [
        pytest.param("H5 forest\nI5 forest", "country", {"H5", "I5", "J5"}, id="C25a forests do not stop it"),
        pytest.param("H5 wire\nI5 town", "country", {"H5", "I5", "J5"}, id="C25a nor wire nor towns"),
        pytest.param("I5 hedgerow", "country", {"I5", "J5"}, id="C25a hedgerows have no conditions"),
        pytest.param("H5 steep-hill", "country", {"H5", "I5", "J5"}, id="C25a steep hills cost one hex"),
        pytest.param("", "beach", {"H5", "I5", "J5"}, id="C25a no limit on the beach"),
    ],
)
def test_terrain_does_not_hinder_its_moves(board: str, face: str, hexes: set[str]) -> None:
    s = raid(board + "\nA9 axis infantry", face=face)
    assert hexes <= reach(s, "G5")
    plain = order(
        position("G5 allies infantry\nA9 axis infantry\n" + board, card="move-out", face=face), "G5"
    )
    assert "J5" not in reach(plain, "G5")


@pytest.mark.parametrize(
    "barrier",
    [
        pytest.param("H5 river\ng6 river\nf6 river\nF5 river\nf4 river\ng4 river", id="Q195 C25a rivers"),
        pytest.param(
            "H5 axis infantry\ng6 axis infantry\nf6 axis infantry\nF5 axis infantry\nf4 axis infantry"
            "\ng4 allies infantry",
            id="C25a occupied hexes",
        ),
        pytest.param(
            "H5 mountain\ng6 mountain\nf6 mountain\nF5 mountain\nf4 mountain\ng4 mountain",
            id="C25a heights two levels up",
        ),
    ],
)
def test_what_is_impassable_stays_impassable(barrier: str) -> None:
    s = raid(barrier + "\nA9 axis infantry")
    assert choices(s, "move") == []


@pytest.mark.parametrize(
    ("limits", "phase"),
    [
        pytest.param("limited", "second-move", id="Q194 C25b C25c X5 battle limits stay"),
        pytest.param("free", "battle", id="C25b X5 by the other reading the card lifts them"),
    ],
)
def test_a_first_move_that_ends_in_a_forest(limits: str, phase: str) -> None:
    s = raid("H5 forest\nI5 axis infantry\nA9 axis infantry", options={"behind_lines_battle": limits})
    s = play(s, "move G5 H5")
    assert s.phase == phase
    s = s if phase == "second-move" else play(s, "done")
    assert {"h6", "I7", "i8"} <= reach(s, "H5")


def test_passing_through_a_forest_does_not_forbid_the_battle() -> None:
    """C25b: only where the move ends matters."""
    s = raid("H5 forest\ng6 river\ng4 river\nh4 river\nh6 river\nJ5 axis infantry\nA9 axis infantry")
    s = play(s, "move G5 H5 I5")
    assert choices(s) == ["attack I5 J5", "done"]


def test_wire_still_costs_a_die() -> None:
    """C25b, T42b: 3 + 1 - 1."""
    s = play(raid("H5 wire\nI5 axis infantry\nA9 axis infantry"), "move G5 H5")
    assert dice(s, "H5 I5") == 3


def test_the_resistance_battles_wherever_the_raid_ends() -> None:
    """C25b, U8: also in a forest."""
    s = position(
        "G5 allies resistance\nH5 forest\nI5 axis infantry\nA9 axis infantry", card="behind-enemy-lines"
    )
    s = play(order(s, "G5"), "move G5 H5")
    assert choices(s) == ["attack H5 I5", "done"]


def test_every_part_of_the_raid_is_optional() -> None:
    """C25c: without a move and without a battle there is still the second move."""
    s = to_battle(raid("H5 axis infantry\nA9 axis infantry"))
    assert s.phase == "battle"
    s = play(s, "done")
    assert s.phase == "second-move"
    assert asked(play(s, "done")) == "draw"


def test_ground_taken_comes_before_the_second_move() -> None:
    """Q196, C25d: the second move starts from the hex that was taken."""
    s = to_battle(raid("H5 axis infantry 1\nA9 axis infantry"))
    s = play(attack(s, "G5 H5", "infantry star star star"), "ground H5")
    assert s.phase == "second-move"
    assert {"K5", "G5"} <= reach(s, "H5")


def test_a_raider_driven_back_by_an_ambush_still_moves_again() -> None:
    """C25e: its battle is lost, its second move is not."""
    s = to_battle(raid("H5 axis infantry\nA9 axis infantry", enemy_hand=("ambush",)))
    s = play(s, "attack G5 H5", "card ambush", "roll flag star star", "retreat G5 f4")
    assert s.phase == "second-move"
    assert "F5" in reach(s, "f4")


def test_a_raider_that_dies_does_not_move_again() -> None:
    """C25e: it must survive."""
    s = position(
        "G5 allies infantry 1\nA1 allies infantry\nH5 axis infantry",
        card="behind-enemy-lines",
        enemy_hand=("ambush",),
    )
    s = play(to_battle(s, "G5"), "attack G5 H5", "card ambush", "roll grenade star star")
    assert asked(s) == "draw"


def test_there_is_no_battle_after_the_second_move() -> None:
    """C25g: even next to an enemy and with its battle unused."""
    s = play(to_battle(raid("J5 axis infantry\nA9 axis infantry")), "done")
    assert s.phase == "second-move"
    s = play(s, "move G5 H5 I5")
    assert asked(s) == "draw"
    assert figures_at(s, "J5") == 4


def test_a_raider_in_wire_may_take_ground() -> None:
    """C25a, C25d, R109: nothing has ended its move; an ordinary unit that entered wire may not advance."""
    board = "H5 wire\nI5 axis infantry\nA9 axis infantry"
    s = attack(play(raid(board), "move G5 H5"), "H5 I5", "flag star star")
    s = play(s, "retreat I5 h6")
    assert choices(s) == ["ground I5", "stay"]
    s = order(position("G5 allies infantry\n" + board, card="move-out"), "G5")
    s = attack(play(s, "move G5 H5"), "H5 I5", "flag star")
    assert asked(play(s, "retreat I5 h6")) == "draw"
