"""Medals and the end of the game (rules R20-R26)."""

from __future__ import annotations

import pytest

from engine import IllegalDecision, State, apply, is_over, legal
from tests.drawing import ObjectiveFacts, answer, asked, choices, events, play, position, unit_at
from tests.questions import attack, fighting, ordered

WEAK = "G5 allies infantry\nH5 axis infantry 1\nA9 axis infantry"  # one hit decides


def medal(kind: str, hexes: str, *sides: str, medals: int = 1, check: str = "at-once") -> ObjectiveFacts:
    return ObjectiveFacts(kind, sides or ("allies", "axis"), tuple(hexes.split()), medals=medals, check=check)


def score(s: State) -> tuple[int, int]:
    return s.medals(0), s.medals(1)


# Winning


def test_the_last_medal_wins_at_once() -> None:
    """R20, R23: the game is over where the figure falls: no advance, no draw, nothing to answer."""
    s = attack(fighting(WEAK, "G5", medals=(1, 1)), "G5", "H5", "grenade", "star", "star")
    assert (is_over(s), s.winner, s.reason) == (True, 0, "medals")
    assert legal(s) == ()
    assert unit_at(s, "H5") is None


def test_one_medal_short_the_game_goes_on() -> None:
    """R20: the same blow with two medals needed; the sides may need different numbers."""
    s = attack(fighting(WEAK, "G5", medals=(2, 1)), "G5", "H5", "grenade", "star", "star")
    assert not is_over(s)
    assert score(s) == (1, 0)
    assert choices(s) == ["ground H5", "stay"]


def test_victory_stops_an_overrun() -> None:
    """R23: no second battle after the medal that decides."""
    text = "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry"
    won = attack(fighting(text, "G5", medals=(1, 6)), "G5", "H5", "grenade", "star", "star")
    assert is_over(won)
    s = play(attack(fighting(text, "G5"), "G5", "H5", "grenade", "star", "star"), "ground H5")
    assert asked(s) == "overrun"


def test_a_move_onto_the_last_medal_ends_where_it_is_won() -> None:
    """R22, R23: the unit stops on the objective, though its path goes on."""
    goal = medal("permanent", "H5", "allies")
    s = ordered("G5 allies armor\nA9 axis infantry", "G5", objectives=(goal,), medals=(1, 4))
    s = play(s, "move G5 H5 I5")
    assert (s.winner, s.reason) == (0, "medals")
    assert unit_at(s, "H5") == 0


# Medals for units


def test_a_medal_for_every_unit_eliminated_in_battle() -> None:
    """R21: to the side that caused it."""
    s = fighting(WEAK, "G5")
    told = events(attack(s, "G5", "H5"), "roll infantry star star")
    assert ("medal", 0, 1, "elimination", 1) in told
    assert score(attack(s, "G5", "H5", "infantry", "star", "star")) == (1, 0)


def test_a_medal_for_a_retreat_that_cannot_be_made() -> None:
    """R21: the last figure lost to a flag counts as well."""
    s = fighting("g8 allies infantry\nG9 axis infantry 1\nA9 axis infantry", "g8")
    s = attack(s, "g8", "G9", "flag", "star", "star")
    assert score(s) == (1, 0)


def test_a_medal_for_the_ambusher() -> None:
    """R21: the attacker falls in his own turn."""
    s = position("G5 allies infantry 1\nA1 allies infantry\nH5 axis infantry", enemy_hand=("ambush",))
    s = play(s, "order G5", "done", "done", "attack G5 H5", "card ambush", "roll grenade star star")
    assert score(s) == (0, 1)


def test_a_medal_for_a_unit_bombed_from_the_air() -> None:
    """R21: a card attack scores like any other."""
    s = position("G5 axis infantry 1\nA9 axis infantry\nA1 allies infantry", card="air-power")
    s = play(s, "target G5")
    while s.phase != "roll":
        s = play(s, "done")
    s = play(s, "roll star infantry")
    assert score(s) == (1, 0)


@pytest.mark.parametrize("worth", [0, 1, 2])
def test_a_scenario_may_value_a_unit_differently(worth: int) -> None:
    """R21: none, one or two medals."""
    s = fighting(f"G5 allies infantry\nH5 axis infantry 1 worth {worth}\nA9 axis infantry", "G5")
    assert score(attack(s, "G5", "H5", "grenade", "star", "star")) == (worth, 0)


# Medals for places


def test_objectives_are_looked_at_after_every_step() -> None:
    """R22: crossing a permanent objective wins it; leaving a temporary one loses it."""
    goal = medal("permanent", "H5", "allies")
    s = ordered("G5 allies armor\nA9 axis infantry", "G5", objectives=(goal,))
    assert score(play(s, "move G5 H5 I5")) == (1, 0)
    goal = medal("temporary", "G5", "allies")
    s = ordered("G5 allies armor\nA9 axis infantry", "G5", objectives=(goal,))
    assert score(s) == (1, 0)
    assert score(play(s, "move G5 H5")) == (0, 0)


def test_objectives_change_hands_by_retreat_advance_and_elimination() -> None:
    """R22: every change of place counts."""
    goal = medal("temporary", "H5")
    text = "G5 allies infantry\nH5 axis infantry {}\nA9 axis infantry"
    s = fighting(text.format(4), "G5", objectives=(goal,))
    assert score(s) == (0, 1)
    s = attack(s, "G5", "H5", "flag", "star", "star")
    s = play(s, "retreat H5 h6")
    assert score(s) == (0, 0)
    assert score(play(s, "ground H5")) == (1, 0)
    s = attack(fighting(text.format(1), "G5", objectives=(goal,)), "G5", "H5", "grenade", "star", "star")
    assert score(s) == (1, 0)
    assert score(play(s, "stay")) == (1, 0)
    assert score(play(s, "ground H5")) == (2, 0)


def test_surplus_medals_are_not_counted() -> None:
    """R24: an objective worth three wins a game to two, and two are noted."""
    goal = medal("permanent", "H5", "allies", medals=3)
    s = ordered("G5 allies infantry\nA9 axis infantry", "G5", objectives=(goal,), medals=(2, 2))
    told = events(s, "move G5 H5")
    assert told[-1] == ("over", 0, "medals", 2, 0)
    assert score(play(s, "move G5 H5")) == (2, 0)


# Other ends


def test_a_side_without_units_has_lost() -> None:
    """R25, Q277: whatever the medals say."""
    s = attack(
        fighting("G5 allies infantry\nH5 axis infantry 1", "G5"), "G5", "H5", "grenade", "star", "star"
    )
    assert (s.winner, s.reason, score(s)) == (0, "elimination", (1, 0))


def test_a_side_may_lose_its_last_unit_in_its_own_turn() -> None:
    """R25: an ambush ends the game for the attacker."""
    s = position("G5 allies infantry 1\nH5 axis infantry", enemy_hand=("ambush",))
    s = play(s, "order G5", "done", "attack G5 H5", "card ambush", "roll grenade star star")
    assert (s.winner, s.reason) == (1, "elimination")


def test_when_both_reach_their_target_the_active_side_wins() -> None:
    """R26: one step gives the allies their objective and the axis its majority."""
    goals = (medal("permanent", "g6", "allies"), medal("majority", "G5 I5", "axis"))
    text = "G5 allies infantry\nI5 axis infantry"
    s = ordered(text, "G5", objectives=goals, medals=(1, 1))
    assert score(s) == (0, 0)
    s = play(s, "move G5 g6")
    assert (s.winner, [s.total(0), s.total(1)]) == (0, [1, 1])


def test_a_step_of_the_active_side_may_make_the_other_win() -> None:
    """R26: its medals are counted second, but they are counted."""
    goal = medal("majority", "G5 I5", "axis")
    s = ordered("G5 allies infantry\nI5 axis infantry", "G5", objectives=(goal,), medals=(1, 1))
    assert play(s, "move G5 g6").winner == 1


def test_a_medal_lost_is_taken_away_before_medals_are_counted() -> None:
    """R26: from one temporary objective to the next a side has one medal, never two."""
    goals = (medal("temporary", "G5", "allies"), medal("temporary", "H5", "allies"))
    s = ordered("G5 allies infantry\nA9 axis infantry", "G5", objectives=goals, medals=(2, 2))
    told = events(s, "move G5 H5")
    assert [event[0] for event in told if event[0].startswith("medal")] == ["medal-lost", "medal"]
    s = play(s, "move G5 H5")
    assert not is_over(s)
    assert score(s) == (1, 0)


def test_the_loser_of_an_objective_does_not_win_by_it() -> None:
    """R26, M18: the fallen defender's objective is gone before the attacker's medal is counted."""
    goal = medal("temporary", "H5", "axis")
    s = fighting(WEAK, "G5", objectives=(goal,), medals=(1, 2))
    told = events(attack(s, "G5", "H5"), "roll grenade star star")
    order = [event[:2] for event in told if event[0] in ("medal-lost", "medal", "over")]
    assert order == [("medal-lost", 1), ("medal", 0), ("over", 0)]


def test_nothing_can_be_done_after_the_end() -> None:
    """R23: every answer is refused."""
    s = attack(fighting(WEAK, "G5", medals=(1, 1)), "G5", "H5", "grenade", "star", "star")
    for text in ("done", "draw ?", "ground H5", "card probe-left"):
        with pytest.raises(IllegalDecision):
            apply(s, answer(s, text))


def test_victory_in_a_battle_leaves_other_units_without_theirs() -> None:
    """R23: remaining battles are not fought."""
    text = f"{WEAK}\nI5 allies infantry"
    s = attack(fighting(text, "G5", "I5", medals=(1, 1)), "G5", "H5", "grenade", "star", "star")
    assert asked(s) == "over"
