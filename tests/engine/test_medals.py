"""How medals are counted: rules M12-M19, M22-M25."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.hexes import grid
from engine.units import UNITS
from engine.victory import lose_figures
from tests.drawing import choices, events, figures_at, play, position, reach, unit_at
from tests.engine.acting import can, end_turn, go, later, next_card, objective, ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def test_an_objective_states_its_medals_and_its_sides() -> None:
    """M12: worth 2 here; one that shows both sides may be won by either."""
    for first, unit in (("allies", "G5 allies infantry"), ("axis", "G5 axis infantry")):
        s = position(FAR_AWAY + unit, first=first, objectives=objective("temporary", "H5", "both", medals=2))
        s = go(s, "G5 H5")
        assert s.medals(("allies", "axis").index(first)) == 2


def test_the_side_not_entitled_only_denies() -> None:
    """M13: an axis unit on the allied objective wins nothing, and keeps the allies out."""
    s = position(FAR_AWAY + "H5 axis infantry\nG5 allies infantry", objectives=objective("temporary", "H5"))
    assert (s.medals(0), s.medals(1)) == (0, 0)
    assert not can(play(s, "order G5", "done"), "move G5 H5")


@pytest.mark.parametrize("kind", ["permanent", "last-to-occupy"])
def test_passing_through_counts_for_lasting_medals(kind: str) -> None:
    """M14: the unit was in the hex, if only on the way."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective(kind, "H5", "both"))
    assert go(s, "G5 H5 I5").medals(0) == 1


def test_both_ways_to_a_hex_are_offered_when_one_crosses_an_objective() -> None:
    """M14: G5 to h6 by H5, where the medal lies, or by g6; the player may choose."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("permanent", "H5"))
    s = play(s, "order G5", "done")
    assert can(s, "move G5 H5 h6")
    assert can(s, "move G5 g6 h6")
    assert play(s, "move G5 H5 h6").medals(0) == 1
    assert play(s, "move G5 g6 h6").medals(0) == 0


def test_a_permanent_medal_of_the_enemy_is_no_reason_for_another_path() -> None:
    """M14, M3: the axis has won it for good, so that both ways to h4 are the same move."""
    text = FAR_AWAY + "H5 axis infantry\nG5 allies infantry"
    for side, ways in (("both", 1), ("allies", 2)):
        s = position(text, first="axis", objectives=objective("permanent", "H5", side))
        s = play(next_card(go(s, "H5 h6 I7")), "order G5", "done")
        assert len([move for move in choices(s, "move") if move.endswith(" h4")]) == ways


def test_passing_through_a_temporary_objective_gains_and_loses_it() -> None:
    """M14: both in the same move; the game ends on entry if it was the last medal needed."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("temporary", "H5"))
    happened = [event[:3] for event in events(play(s, "order G5", "done"), "move G5 H5 I5")]
    assert happened[1:3] == [("medal", 0, 1), ("medal-lost", 0, 1)]
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("temporary", "H5"), medals=(1, 6))
    s = go(s, "G5 H5 I5")
    assert (s.winner, s.phase) == (0, "over")
    assert unit_at(s, "H5") is not None
    assert unit_at(s, "I5") is None


def test_a_retreat_may_win_an_objective() -> None:
    """M14: falling back onto the hex, and through it, counts as entering."""
    text = FAR_AWAY + "G5 allies infantry\nG7 axis artillery"
    s = position(text, first="axis", objectives=objective("temporary", "g4"))
    s = attack(ready(s, "G7"), "G7 G5", "flag star star")
    assert play(s, "retreat G5 g4").medals(0) == 1
    assert play(s, "retreat G5 f4").medals(0) == 0
    s = position(text, first="axis", objectives=objective("permanent", "g4"))
    s = attack(ready(s, "G7"), "G7 G5", "flag flag star")
    assert play(s, "retreat G5 g4 G3").medals(0) == 1
    assert play(s, "retreat G5 f4 G3").medals(0) == 0


def test_units_placed_on_objectives_hold_them_from_the_first_turn() -> None:
    """M15: for both sides, when the first turn starts."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG7 axis infantry",
        objectives=(*objective("temporary", "G5"), *objective("permanent", "G7", "axis")),
        play_card=False,
    )
    assert (s.turn, s.medals(0), s.medals(1)) == (1, 1, 1)


def test_groups_count_hexes_not_strength() -> None:
    """M17: one figure of artillery against one full unit of armor is a tie; two weak units are a majority."""
    group = objective("majority", "G5 G3 C7", "both")
    s = position(FAR_AWAY + "G5 allies artillery 1\nC7 axis elite-armor", objectives=group)
    assert (s.medals(0), s.medals(1)) == (0, 0)
    s = position(
        FAR_AWAY + "G5 allies artillery 1\nG3 allies infantry 1\nC7 axis elite-armor", objectives=group
    )
    assert (s.medals(0), s.medals(1)) == (1, 0)


def test_a_unit_eliminated_on_an_objective_loses_it_first() -> None:
    """M18: medal lost, then the enemy's elimination medal."""
    s = position(
        FAR_AWAY + "G5 allies infantry 1\nG7 axis artillery",
        first="axis",
        objectives=objective("temporary", "G5"),
    )
    s = play(ready(s, "G7"), "attack G7 G5")
    happened = [event[:3] for event in events(s, "roll grenade star star")]
    assert happened[2:5] == [
        ("eliminated", unit_at(s, "G5"), s.setup.grid.parse("G5")),
        ("medal-lost", 0, 1),
        ("medal", 1, 1),
    ]


def test_elimination_scores_at_the_hit_and_the_objective_at_the_advance() -> None:
    """M19: with one medal missing the game is over before the ground is taken."""
    text = FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1"
    s = position(text, objectives=objective("temporary", "H5"), medals=(2, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.medals(0), s.phase) == (1, "ground")
    assert play(s, "ground H5").winner == 0
    s = position(text, objectives=objective("temporary", "H5"), medals=(1, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert s.phase == "over"
    assert unit_at(s, "H5") is None


def test_the_count_alone_is_not_enough_where_a_battle_asks_for_more() -> None:
    """M22: two medals of two, but one unit must exit: not over; surplus is not counted; then it exits."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG9 allies infantry\nH5 axis infantry 1\nI5 axis infantry 1",
        objectives=(*objective("temporary", "A1", medals=2), *objective("exit", "G9")),
        medals=(2, 6),
        victory_needs=(1,),
    )
    assert (s.phase, s.medals(0)) == ("order", 2)
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.phase, s.medals(0), s.total(0)) == ("ground", 2, 3)
    s = play(s, "ground H5")
    s = later(s)
    s = play(next_card(s), "order G9", "done", "exit G9")
    assert (s.winner, s.reason, s.medals(0)) == (0, "medals", 2)


def test_a_hex_that_must_be_held_to_win() -> None:
    """M22: the medals are there, the hex is not; taking the hex ends the game."""
    s = position(
        FAR_AWAY + "G5 allies infantry",
        objectives=(*objective("permanent", "A1", medals=3), *objective("temporary", "H5")),
        medals=(3, 6),
        victory_needs=(1,),
    )
    assert (s.winner, s.medals(0)) == (-1, 3)
    assert go(s, "G5 H5").winner == 0


def test_the_ten_medals_of_the_box_are_no_limit() -> None:
    """M23: a battle to 12 counts an eleventh medal."""
    s = position(FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1 worth 11", medals=(12, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.medals(0), s.winner) == (11, -1)


def test_a_unit_lost_by_its_own_sides_doing_scores_for_the_opponent() -> None:
    """M24: an allied unit loses its last figure in the allied turn without any enemy attack."""
    s = position(FAR_AWAY + "G5 allies infantry").copy()
    unit = unit_at(s, "G5")
    assert unit is not None
    assert lose_figures(s, unit, 4, "own")
    assert s.score == (0, 1)


def test_medics_bring_back_figures_not_units_or_medals() -> None:
    """M25: the eliminated unit is not among those to be helped; the enemy keeps its medal."""
    s = position(
        FAR_AWAY + "G5 allies infantry 1\nE5 allies infantry\nG7 axis artillery\nE7 axis artillery",
        first="axis",
    )
    s = ready(s, "G7", "E7")
    s = attack(s, "G7 G5", "grenade star star")
    s = attack(s, "E7 E5", "grenade star star")
    assert s.score == (0, 1)
    s = play(end_turn(s), "card medics-and-mechanics")
    assert choices(s) == ["done", "heal E5"]
    s = play(s, "heal E5")
    assert s.roll is not None
    s = play(s, f"roll {' '.join(['infantry'] * s.roll.dice)}")
    assert figures_at(s, "E5") == 4
    assert s.score == (0, 1)


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_medal_on_the_way_changes_no_destination(seed: int) -> None:
    """M14: with a medal in reach there are more paths, to the same hexes as without (also R48)."""
    luck = random.Random(seed)
    rough = ("forest", "hill", "hedgerow", "beach", "beach", "river", "steep-hill", "wire", "dune")
    ground = (*("open",) * 6, *rough)
    board = grid("standard")
    near = [board.labels[h] for h in range(board.size) if 1 <= board.near[board.parse("G5")][h] <= 3]
    text = "\n".join(f"{label} {luck.choice(ground)}" for label in near)
    text += f"\n{luck.choice(near[:10])} axis infantry"
    text += f"\nG5 {luck.choice(ground)} : allies {luck.choice(sorted(UNITS))}"
    medals = objective("permanent", " ".join(luck.sample(near, 3)), "both")
    ends = []
    for objectives in ((), medals):
        s = play(position(FAR_AWAY + text, objectives=objectives), "order G5")
        ends.append(reach(play(s, "done") if s.phase == "order" else s, "G5"))
    assert ends[0] == ends[1]
