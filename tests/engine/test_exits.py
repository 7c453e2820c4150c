"""Exits: rules M10, W30-W34."""

from __future__ import annotations

import pytest

from tests.drawing import choices, events, play, position, unit_at
from tests.engine.acting import can, later, objective, ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def test_a_unit_exits_through_an_exit_hex_for_a_medal_of_its_own_side() -> None:
    """M10, W30, W33: whatever is left of it, it counts one; the enemy scores nothing; it is kept for ever."""
    s = position(FAR_AWAY + "G9 allies infantry 1", objectives=objective("exit", "G9"))
    s = play(s, "order G9", "done", "exit G9")
    assert (s.medals(0), s.medals(1)) == (1, 0)
    assert unit_at(s, "G9") is None
    assert later(s).medals(0) == 1


def test_leaving_costs_one_hex_of_movement() -> None:
    """M10, W32: from g8 over G9 (2 hexes) yes, from H7 (3 hexes) no; armor has three."""

    def ways(kind: str, at: str) -> list[str]:
        s = position(FAR_AWAY + f"{at} allies {kind}", objectives=objective("exit", "G9"))
        return choices(play(s, f"order {at}", "done"), "exit")

    assert ways("infantry", "g8") == ["exit g8 G9"]
    assert ways("infantry", "H7") == []
    assert ways("armor", "H7") == ["exit H7 g8 G9"]
    assert ways("artillery", "G9") == ["exit G9"]
    assert ways("artillery", "g8") == []


@pytest.mark.parametrize("ground", ["forest", "wire", "hedgerow"])
def test_a_unit_stopped_on_the_exit_hex_leaves_next_turn(ground: str) -> None:
    """M10, W32: entering the stop hex ends the move; a unit that stands there may go."""
    s = position(FAR_AWAY + f"g8 allies infantry\nG9 {ground}", objectives=objective("exit", "G9"))
    assert choices(play(s, "order g8", "done"), "exit") == []
    s = position(FAR_AWAY + f"G9 {ground} : allies infantry", objectives=objective("exit", "G9"))
    assert choices(play(s, "order G9", "done"), "exit") == ["exit G9"]


def test_a_unit_coming_out_of_a_hedgerow_cannot_leave_in_the_same_move() -> None:
    """M10, W32: out of a hedgerow is a move of one hex (T9c), so nothing is left for the exit."""
    s = position(FAR_AWAY + "g8 hedgerow : allies infantry", objectives=objective("exit", "G9"))
    assert choices(play(s, "order g8", "done"), "exit") == []


def test_the_beach_limit_counts_the_hex_that_leads_off_the_board() -> None:
    """M10, W32: armor that enters a beach hex has two hexes in all (T22a), the exit included."""
    for ground, ways in (("open", ["exit C7 B7 A7"]), ("beach", [])):
        s = position(FAR_AWAY + f"C7 allies armor\nB7 {ground}", objectives=objective("exit", "A7"))
        assert choices(play(s, "order C7", "done"), "exit") == ways


def test_only_the_named_side_may_exit() -> None:
    """M10, W30: the axis on the same hex cannot."""
    s = position(FAR_AWAY + "G9 axis infantry", first="axis", objectives=objective("exit", "G9"))
    assert choices(play(s, "order G9", "done"), "exit") == []


def test_an_exit_may_be_worth_more_for_infantry() -> None:
    """M10, W33: the scenario gives 2 for infantry and 1 for others."""
    for kind, medals in (("infantry", 2), ("armor", 1)):
        s = position(FAR_AWAY + f"G9 allies {kind}", objectives=objective("exit", "G9", infantry_medals=2))
        assert play(s, "order G9", "done", "exit G9").medals(0) == medals


@pytest.mark.parametrize("second", [False, True])
def test_behind_enemy_lines_may_exit_in_either_move(*, second: bool) -> None:
    """M10, W34: in the first move or in the one after the battle."""
    s = position(
        FAR_AWAY + "G7 allies infantry", card="behind-enemy-lines", objectives=objective("exit", "G9")
    )
    s = play(s, "order G7")
    if second:
        s = play(s, "move G7 g8")
        assert s.phase == "second-move"
        s = play(s, "exit g8 G9")
    else:
        assert len(choices(s, "exit")) == 1
        s = play(s, choices(s, "exit")[0])
    assert s.medals(0) == 1
    assert s.phase == "draw"


def test_taking_ground_does_not_exit() -> None:
    """M10, W34: the unit stands on the exit hex and nothing more."""
    s = position(FAR_AWAY + "g8 allies infantry\nG9 axis infantry 1", objectives=objective("exit", "G9"))
    s = play(attack(ready(s, "g8"), "g8 G9", "grenade star star"), "ground G9")
    assert unit_at(s, "G9") is not None
    assert s.medals(0) == 1  # the elimination alone


def test_an_exit_vacates_the_objective_the_unit_stood_on() -> None:
    """M10, M2: the temporary medal goes when the unit leaves the board."""
    s = position(
        FAR_AWAY + "G9 allies infantry",
        objectives=(*objective("temporary", "G9"), *objective("exit", "G9")),
    )
    assert s.medals(0) == 1
    kinds = [event[0] for event in events(play(s, "order G9", "done"), "exit G9")]
    assert kinds[:4] == ["moved", "exited", "medal-lost", "medal"]


def test_every_hex_of_a_stretch_is_an_exit() -> None:
    """M10, W31: two markers and what lies between them are listed hex by hex; each of them leads out."""
    exits = objective("exit", "F9 G9 H9")
    for at in ("F9", "G9", "H9"):
        s = position(FAR_AWAY + f"{at} allies infantry", objectives=exits)
        assert can(play(s, f"order {at}", "done"), f"exit {at}")
    s = position(FAR_AWAY + "I9 allies infantry", objectives=exits)
    assert choices(play(s, "order I9", "done"), "exit") == ["exit I9 H9"]
