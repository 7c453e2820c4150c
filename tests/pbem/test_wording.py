"""Terms and moments of a game in plain words."""

from __future__ import annotations

import pytest

from engine import chance, is_over
from pbem.referee import Referee
from pbem.wording import ATTACKS, ROLLS, awaited_dice, outcome_text, result_text, result_value
from tests.pbem.moments import Moment, moment, moments


def before(wanted: str) -> Referee:
    """The game before the first file that finds the engine waiting for such dice, or in such a phase."""

    def fits(here: Moment) -> bool:
        state = here.referee.now
        waiting = state.roll.purpose if chance(state) == "roll" and state.roll else state.phase
        return waiting == wanted

    return moment("live", fits).referee


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        ("react", ATTACKS),
        ("attack", ATTACKS),
        ("medics", ROLLS["medics"]),
        ("finest-hour", ROLLS["finest-hour"]),
    ],
)
def test_dice_that_wait_for_an_answer_are_named(wanted: str, words: str) -> None:
    """R56, C32, C34: also in a close assault, where the engine waits for an Ambush first."""
    assert awaited_dice(before(wanted)) == words


def test_no_dice_wait_where_nothing_was_ordered() -> None:
    """Whoever only has to move next waits for no dice; an instant game never does."""
    quiet = moment("live", lambda here: here.referee.now.phase == "card").referee
    assert awaited_dice(quiet) == ""
    assert {awaited_dice(here.referee) for here in moments("instant")} == {""}
    assert not any(is_over(here.referee.now) and awaited_dice(here.referee) for here in moments("live"))


def test_a_battle_that_the_deck_has_ended_says_so() -> None:
    """R123: without the reason nobody would understand a victory by 0:0."""
    referee = moments("live")[0].referee.copy()
    state = referee.now.copy()
    state.winner, state.reason = 1, "deck-exhausted"
    referee.state, referee.winner = state, 1
    assert outcome_text(referee, 0) == "You have lost 0:0 (the deck is used up)"
    assert outcome_text(referee, 1) == "You have won 0:0 (the deck is used up)"
    assert result_text(referee) == "the Axis have won, 0 medals to 0: the deck is used up"
    assert result_value(referee) == {
        "winner": "axis",
        "reason": "deck-exhausted",
        "words": "the deck is used up",
        "medals": [0, 0],
        "signed_by_both": False,
    }
