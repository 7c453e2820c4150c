"""Kinds of medal: rules M1-M9, M11, rulings Q245-Q251."""

from __future__ import annotations

import pytest

from tests.drawing import events, play, position
from tests.engine.acting import end_turn, go, later, objective, ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def test_an_eliminated_unit_is_a_medal_for_ever() -> None:
    """M1: one medal, whatever happens later; a scenario may make a unit worth 0 or 2 (R21)."""
    for worth, medals in (("", 1), ("worth 0", 0), ("worth 2", 2)):
        s = position(FAR_AWAY + f"G5 allies infantry\nH5 axis infantry 1 {worth}")
        s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
        assert s.medals(0) == medals
        assert later(s).medals(0) == medals


def test_a_temporary_objective_is_held_while_it_is_occupied() -> None:
    """M2: won on entry, lost on leaving by a move; the hex can be taken again."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("temporary", "H5"))
    assert s.medals(0) == 0
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(s)
    assert s.medals(0) == 1
    s = later(s, "H5 I5")
    assert s.medals(0) == 0
    s = later(later(s), "I5 H5")
    assert s.medals(0) == 1


def test_a_temporary_objective_is_lost_by_retreat() -> None:
    """Q245, M2: the unit on it falls back: the medal is lost at once."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG7 axis artillery",
        first="axis",
        objectives=objective("temporary", "G5"),
    )
    assert s.medals(0) == 1
    s = attack(ready(s, "G7"), "G7 G5", "flag star star")
    assert s.medals(0) == 1
    assert ("medal-lost", 0, 1, 0) in events(s, "retreat G5 g4")
    assert play(s, "retreat G5 g4").medals(0) == 0


def test_a_permanent_objective_is_kept_for_ever() -> None:
    """Q246, M3: kept when the unit leaves, and when the enemy stands there."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nJ5 axis armor", objectives=objective("permanent", "H5", "both")
    )
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(later(s), "H5 h4 H3")
    assert s.medals(0) == 1
    s = later(s, "J5 I5 H5")
    assert (s.medals(0), s.medals(1)) == (1, 0)


def test_a_majority_needs_at_least_one_hex_more() -> None:
    """Q247, M4: two hexes against two of a group of five: nobody holds it; three to two: held at once."""
    s = position(
        FAR_AWAY
        + "G5 allies infantry\nG3 allies infantry\nE3 allies infantry\nC7 axis infantry\nE7 axis infantry",
        objectives=objective("majority", "G5 G3 C7 E7 F3", "both"),
    )
    assert (s.medals(0), s.medals(1)) == (0, 0)
    s = go(s, "E3 F3")
    assert (s.medals(0), s.medals(1)) == (1, 0)


def test_a_majority_is_lost_at_once_with_a_tie() -> None:
    """M4, M16: the axis comes even in its own turn and nobody holds the medal any more."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nC8 axis infantry", objectives=objective("majority", "G5 C7", "both")
    )
    assert s.medals(0) == 1
    s = later(s, "c8 C7")
    assert (s.medals(0), s.medals(1)) == (0, 0)


def test_a_majority_judged_at_the_start_of_the_own_turn() -> None:
    """Q249, M5, M16: gained in the middle of my turn: not yet; at the start of my next turn: yes."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nI7 axis infantry",
        objectives=objective("majority", "H5 I5 J5", "both", check="turn-start"),
    )
    s = go(s, "G5 H5")
    assert s.medals(0) == 0
    s = later(s)
    assert s.medals(0) == 0  # the start of the enemy's turn is not mine
    s = end_turn(s)
    assert (s.side, s.medals(0)) == (0, 1)


def test_a_turn_start_majority_is_lost_only_at_the_start_of_an_own_turn() -> None:
    """M5, M16: after the axis has come even the allies keep the medal until their next turn begins."""
    s = position(
        FAR_AWAY + "H5 allies infantry\nI7 axis infantry",
        objectives=objective("majority", "H5 h6 J5", "both", check="turn-start"),
    )
    assert s.medals(0) == 1
    s = later(s, "I7 h6")
    assert (s.side, s.medals(0)) == (1, 1)
    s = end_turn(s)
    assert (s.side, s.medals(0), s.medals(1)) == (0, 0, 0)


def test_a_turn_start_majority_passes_to_the_side_whose_turn_begins_with_it() -> None:
    """M5, M16: the allies leave in their turn; the axis has more when its own turn starts."""
    s = position(
        FAR_AWAY + "H5 allies infantry\nI7 axis infantry",
        objectives=objective("majority", "H5 I7 G5", "both", check="turn-start"),
    )
    assert (s.medals(0), s.medals(1)) == (0, 0)
    s = later(go(s, "H5 h4"))
    assert (s.side, s.medals(0), s.medals(1)) == (1, 0, 1)


def test_a_permanent_objective_judged_at_the_start_of_the_own_turn() -> None:
    """M6: not on entry, but when a later own turn begins there; then for ever."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("permanent", "H5", check="turn-start"))
    s = go(s, "G5 H5")
    assert s.medals(0) == 0
    s = later(s)
    assert s.medals(0) == 0
    s = end_turn(s)
    assert s.medals(0) == 1
    s = go(play(s, "card recon-in-force"), "H5 I5")
    assert s.medals(0) == 1


def test_a_turn_start_objective_needs_the_unit_there_when_the_turn_starts() -> None:
    """M6: entered and left again before the own turn starts wins nothing."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("permanent", "H5", check="turn-start"))
    s = later(go(s, "G5 H5 I5"))
    assert end_turn(s).medals(0) == 0


def test_the_last_to_occupy_keeps_the_medal_until_the_enemy_comes() -> None:
    """Q250, M7: the allies entered and left: theirs; the axis enters: the medal changes hands."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nI7 axis infantry",
        objectives=objective("last-to-occupy", "H5", "both"),
    )
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(later(s), "H5 h4")
    assert s.medals(0) == 1
    s = later(s, "I7 h6 H5")
    assert (s.medals(0), s.medals(1)) == (0, 1)
    s = later(later(s), "H5 I5")
    assert (s.medals(0), s.medals(1)) == (0, 1)


def test_a_last_to_occupy_medal_of_one_side_is_lost_to_an_enemy_who_cannot_win_it() -> None:
    """M7, M12, M13: only the allies are entitled; the axis occupies the hex: nobody holds it."""
    s = position(
        FAR_AWAY + "H5 allies infantry\nI7 axis infantry", objectives=objective("last-to-occupy", "H5")
    )
    s = go(s, "H5 h4")
    assert s.medals(0) == 1
    s = later(s, "I7 h6 H5")
    assert (s.medals(0), s.medals(1)) == (0, 0)


def test_sole_control_needs_a_unit_there_and_no_enemy() -> None:
    """Q251, M8: one hex is enough while no enemy stands on the group; when one enters, the medal is lost."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nI7 axis infantry", objectives=objective("sole-control", "H5 h6 J5")
    )
    assert s.medals(0) == 0
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(s, "I7 h6")
    assert s.medals(0) == 0


def test_sole_control_ends_with_the_last_own_unit_on_the_group() -> None:
    """M8: the group left empty is held by nobody."""
    s = position(FAR_AWAY + "H5 allies infantry", objectives=objective("sole-control", "H5 h6"))
    assert s.medals(0) == 1
    assert go(s, "H5 h4").medals(0) == 0


@pytest.mark.parametrize(("need", "over"), [(1, True), (2, False)])
def test_sudden_death_wins_at_once(need: int, *, over: bool) -> None:
    """M9: the condition is met, the game is over, without a medal; with need 2 one hex is not enough."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("sudden-death", "H5 I5", need=need))
    s = go(s, "G5 H5")
    assert (s.phase == "over") is over
    assert s.reason == ("sudden-death" if over else "")
    assert s.medals(0) == 0


def test_sudden_death_is_for_the_named_side_alone() -> None:
    """M9, M13: the axis on the hex wins nothing."""
    s = position(FAR_AWAY + "I7 axis infantry", objectives=objective("sudden-death", "H5"), first="axis")
    assert go(s, "I7 h6 H5").winner == -1


def test_three_half_tracks_make_one_medal() -> None:
    """M11: two eliminated half-tracks are tokens, the third turns them into a medal."""
    s = position(
        FAR_AWAY
        + "G5 allies infantry\nE5 allies infantry\nC5 allies infantry\n"
        + "H5 axis half-track 1\nE7 axis half-track 1\nC7 axis half-track 1"
    )
    s = ready(s, "G5", "E5", "C5")
    seen = []
    for pair in ("G5 H5", "E5 E7", "C5 C7"):
        s = attack(s, pair, "grenade star star" if pair == "G5 H5" else "grenade star")
        seen.append((s.tokens[0], s.medals(0)))
        s = play(s, "stay") if s.phase == "ground" else s
    assert seen == [(1, 0), (2, 0), (0, 1)]
