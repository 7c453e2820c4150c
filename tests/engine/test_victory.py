"""The end of the game: rules R20-R26, M18, M20, M21, rulings Q252, Q277."""

from __future__ import annotations

import pytest

from tests.drawing import choices, events, play, position, unit_at
from tests.engine.acting import go, later, objective, ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def test_the_game_is_won_the_moment_the_medals_are_there() -> None:
    """Q252, R20, M20: three of four medals, then a temporary objective: over on entry."""
    s = position(
        FAR_AWAY + "G5 allies infantry",
        objectives=(*objective("permanent", "A1", medals=3), *objective("temporary", "H5")),
        medals=(4, 6),
    )
    assert (s.medals(0), s.winner) == (3, -1)
    s = go(s, "G5 H5")
    assert (s.phase, s.winner, s.reason, s.medals(0)) == ("over", 0, "medals", 4)


def test_the_two_sides_may_need_different_numbers() -> None:
    """R20: two medals are enough for the axis, not for the allies."""
    for first, text in (("allies", "G5 allies infantry"), ("axis", "G5 axis infantry")):
        s = position(
            FAR_AWAY + text,
            first=first,
            objectives=objective("permanent", "H5", "both", medals=2),
            medals=(3, 2),
        )
        assert go(s, "G5 H5").winner == (1 if first == "axis" else -1)


@pytest.mark.parametrize(
    ("card", "answers"),
    [
        pytest.param("direct-from-hq", ("attack G5 H5", "pass", "roll grenade star star"), id="R21 battle"),
        pytest.param(
            "direct-from-hq", ("attack G5 H5", "pass", "roll flag star star"), id="R21 blocked retreat"
        ),
        pytest.param("barrage", ("target H5", "roll grenade star star star"), id="R21 card"),
        pytest.param("air-power", ("target H5", "roll flag star"), id="R21 air strike"),
    ],
)
def test_every_way_to_lose_the_last_figure_is_a_medal(card: str, answers: tuple[str, ...]) -> None:
    s = position(FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1\ng6 river\nh6 river", card=card)
    if card == "direct-from-hq":
        s = ready(s, "G5")
    assert play(s, *answers).score == (1, 0)


def test_an_ambush_that_eliminates_scores_for_the_ambusher() -> None:
    """R21: in the other player's turn."""
    s = position(FAR_AWAY + "G5 allies infantry 1\nH5 axis infantry", enemy_hand=("ambush",))
    s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll grenade star star")
    assert s.score == (0, 1)


def test_objectives_are_looked_at_after_every_change_of_place() -> None:
    """R22: after a move, a step on the way, a retreat, an advance and an elimination."""
    text = FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1\nI5 axis infantry\n"
    group = objective("majority", "G5 H5 I5", "both")
    s = position(text, objectives=group)
    assert (s.medals(0), s.medals(1)) == (0, 1)
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.medals(0), s.medals(1)) == (1, 0)  # elimination: one each is a tie, and the unit was worth 1
    s = play(s, "ground H5")
    assert s.total(0) == 1  # H5 for G5: still a tie
    s = position(text, objectives=group)
    assert go(s, "G5 F5").medals(1) == 1


def test_the_game_stops_in_the_middle_of_a_move() -> None:
    """R23: the rest of the path, the battles and the draw do not happen."""
    s = position(
        FAR_AWAY + "E5 allies armor\nI5 axis infantry",
        objectives=objective("permanent", "F5"),
        medals=(1, 6),
    )
    s = go(s, "E5 F5 G5 H5")
    assert s.phase == "over"
    assert unit_at(s, "F5") is not None
    assert s.answers == ()
    assert len(s.hands[0]) == 0


def test_the_game_stops_in_the_middle_of_a_retreat() -> None:
    """R23, M21: two flags; the first step gives the axis its majority: the unit stops there."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG7 axis artillery",
        first="axis",
        objectives=objective("majority", "G5 A9", "axis"),
        medals=(6, 1),
    )
    s = attack(ready(s, "G7"), "G7 G5", "flag flag star")
    s = play(s, choices(s)[0])
    assert (s.phase, s.winner) == ("over", 1)
    assert unit_at(s, "f4") is not None


def test_no_card_attack_goes_on_after_the_end() -> None:
    """R23: Air Power on two units; the first decides the game, the second is not rolled for."""
    s = position(FAR_AWAY + "G5 axis infantry 1\nH5 axis infantry 1", card="air-power", medals=(1, 6))
    s = play(s, "target G5", "target H5", "strike G5", "roll grenade star")
    assert s.phase == "over"
    assert unit_at(s, "H5") is not None


def test_no_medal_above_the_target() -> None:
    """R24: three of four, and an objective worth three: four."""
    s = position(
        FAR_AWAY + "G5 allies infantry",
        objectives=(*objective("permanent", "A1", medals=3), *objective("temporary", "H5", medals=3)),
        medals=(4, 6),
    )
    s = play(s, "order G5", "done")
    assert ("over", 0, "medals", 4, 0) in events(s, "move G5 H5")


def test_a_side_without_units_has_lost() -> None:
    """Q277, R25: the last enemy unit is eliminated with medals 3 of 5."""
    s = position(
        "A1 allies infantry\nG5 allies infantry\nH5 axis infantry 1",
        objectives=objective("permanent", "A1", medals=2),
        medals=(5, 5),
    )
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.winner, s.reason, s.medals(0)) == (0, "elimination", 3)


def test_a_side_without_units_loses_in_its_own_turn_too() -> None:
    """R25, M21: the last allied unit dies in an ambush."""
    s = position("G5 allies infantry 1\nH5 axis infantry", enemy_hand=("ambush",))
    s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll grenade star star")
    assert (s.winner, s.reason) == (1, "elimination")


def test_the_last_unit_that_exits_leaves_the_board_to_the_enemy_unless_its_medals_suffice() -> None:
    """R25, R26: medals are counted first."""
    for target, winner, reason in ((1, 0, "medals"), (2, 1, "elimination")):
        s = position(
            "G9 allies infantry\nA9 axis infantry", objectives=objective("exit", "G9"), medals=(target, 6)
        )
        s = play(s, "order G9", "exit G9")
        assert (s.winner, s.reason) == (winner, reason)


@pytest.mark.parametrize("first", ["allies", "axis"])
def test_the_active_player_wins_when_both_reach_their_target_at_once(first: str) -> None:
    """R26: one step takes the last objective and hands the enemy its majority: the mover wins."""
    other = "axis" if first == "allies" else "allies"
    s = position(
        FAR_AWAY + f"G5 {first} infantry\nC5 {other} infantry",
        first=first,
        objectives=(*objective("majority", "G5 C5", other), *objective("temporary", "H5", first)),
        medals=(1, 1),
    )
    assert s.winner == -1
    s = go(s, "G5 H5")
    assert s.medals(0) == s.medals(1) == 1
    assert s.winner == s.side == ("allies", "axis").index(first)


def test_a_medal_lost_by_the_same_event_does_not_count() -> None:
    """R26: from one temporary objective straight to another: one medal, not two."""
    s = position(
        FAR_AWAY + "G5 allies infantry",
        objectives=(*objective("temporary", "G5"), *objective("temporary", "H5")),
        medals=(2, 6),
    )
    assert s.medals(0) == 1
    s = go(s, "G5 H5")
    assert (s.winner, s.medals(0)) == (-1, 1)


def test_a_medal_lost_with_the_unit_does_not_save_the_day() -> None:
    """R26, M18: the axis falls from its target of two by the unit it loses, and the allies score."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1",
        objectives=(*objective("temporary", "H5", "axis"), *objective("permanent", "A1")),
        medals=(2, 6),
    )
    assert (s.medals(0), s.medals(1)) == (1, 1)
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.winner, s.medals(0), s.medals(1)) == (0, 2, 0)


def test_victory_in_the_opponents_turn_by_ambush() -> None:
    """M21: the ambusher's last medal."""
    s = position(FAR_AWAY + "G5 allies infantry 1\nH5 axis infantry", enemy_hand=("ambush",), medals=(6, 1))
    s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll infantry star star")
    assert (s.side, s.winner, s.reason) == (0, 1, "medals")


def test_victory_in_the_opponents_turn_by_a_group_he_leaves() -> None:
    """M21: the allies move off the group and give the axis its majority."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nC5 axis infantry",
        objectives=objective("majority", "G5 C5", "both"),
        medals=(6, 1),
    )
    s = go(s, "G5 H5")
    assert (s.side, s.winner) == (0, 1)


def test_victory_in_the_opponents_turn_by_a_failed_retreat() -> None:
    """M21, R97: the ambushed attacker has nowhere to go and dies of the flag."""
    s = position(
        FAR_AWAY + "G5 allies infantry 1\nf4 river\ng4 river\nH5 axis infantry",
        enemy_hand=("ambush",),
        medals=(6, 1),
    )
    s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll flag star star")
    assert s.winner == 1


@pytest.mark.parametrize(("kept", "left"), [("H5", "G5"), ("G5", "H5")])
def test_a_player_may_keep_to_the_group_on_the_way_of_a_move(kept: str, left: str) -> None:
    """M21, R22: by one hex the unit leaves the group for a moment and the axis wins; by the other not."""
    text = FAR_AWAY + "g6 allies infantry\nC5 axis infantry"
    group = objective("majority", f"g6 {kept} g4 C5", "both")
    s = play(position(text, objectives=group, medals=(6, 1)), "order g6", "done")
    assert play(s, f"move g6 {kept} g4").winner == -1
    assert play(s, f"move g6 {left} g4").winner == 1


def test_a_player_may_keep_to_the_group_on_the_way_of_a_retreat() -> None:
    """M21, R92: the owner chooses the route that does not give the axis its majority."""
    s = position(
        FAR_AWAY + "g6 allies infantry\nC5 axis infantry\ng8 axis artillery",
        objectives=objective("majority", "g6 H5 g4 C5", "both"),
        medals=(6, 1),
        first="axis",
    )
    s = attack(ready(s, "g8"), "g8 g6", "flag flag star")
    assert choices(s) == ["retreat g6 G5 f4", "retreat g6 G5 g4", "retreat g6 H5 g4", "retreat g6 H5 h4"]
    assert play(s, "retreat g6 H5 g4").winner == -1
    assert play(s, "retreat g6 G5 g4").winner == 1


def test_a_game_that_is_over_asks_nothing_and_takes_nothing() -> None:
    """R23: there is no legal answer left."""
    s = go(position(FAR_AWAY + "G5 allies infantry", objectives=objective("sudden-death", "H5")), "G5 H5")
    assert (s.phase, s.answers) == ("over", ())


def test_medals_won_in_one_turn_count_in_the_next() -> None:
    """R20: the second of two permanent objectives, a turn later, ends the game."""
    s = position(
        FAR_AWAY + "G5 allies infantry",
        objectives=(*objective("permanent", "H5"), *objective("permanent", "I5")),
        medals=(2, 6),
    )
    s = later(later(go(s, "G5 H5")), "H5 I5")
    assert s.winner == 0
