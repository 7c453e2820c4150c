"""Young Generals: section cards only, six in hand, if wished without advances (V10-V12)."""

from __future__ import annotations

from engine.cards import CARDS, DECKS
from pbem.library import load_battle
from tests.drawing import asked, choices, play, position
from tests.engine.cardplay import attack, deal, leave, to_battle

YOUNG = {"deck": "young-generals", "hand": "6"}


def test_the_deck_has_the_forty_section_cards_and_no_tactic_card() -> None:
    """V10: every section card of the standard deck is there."""
    deck = DECKS["young-generals"]
    assert len(deck.keys) == 40
    assert not any(CARDS[key].tactic for key in deck.keys)
    assert all(deck.copies[key] == DECKS["standard"].copies[key] for key in deck.copies)


def test_each_player_holds_six_cards_whatever_the_battle_says() -> None:
    """V11: at Pegasus Bridge the Axis would begin with two; their hand does not grow beyond six either."""
    s = deal(load_battle("pegasus-bridge"), YOUNG, allies=("probe-left",) * 4, axis=("probe-right",) * 4)
    assert [len(hand) for hand in s.hands] == [6, 6]
    for _ in range(4):
        s = leave(play(s, choices(s, "card")[0]))
        while asked(s) == "draw":
            s = play(s, "draw ?" if s.queue[0][2] == 1 else "draw ? ?")
        s = play(s, choices(s)[0]) if s.phase == "choose" else s
        assert [len(hand) for hand in s.hands] == [6, 6]


def test_nobody_is_asked_for_an_ambush_that_is_not_in_the_deck() -> None:
    """V10, C21: a close assault goes straight to the dice."""
    s = position(
        "G5 allies infantry\nH5 axis infantry", card="probe-center", options={"deck": "young-generals"}
    )
    assert asked(play(to_battle(s, "G5"), "attack G5 H5")) == "roll 3"


def test_the_simplest_game_has_no_take_ground_and_no_overrun() -> None:
    """V12: the cleared hex stays empty; with the option left alone the tank would advance."""
    board = "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry"
    s = position(board, card="probe-center", options={"deck": "young-generals", "take_ground": "no"})
    assert asked(attack(to_battle(s, "G5"), "G5 H5", "grenade star star")) == "draw"
    s = position(board, card="probe-center", options={"deck": "young-generals"})
    assert choices(attack(to_battle(s, "G5"), "G5 H5", "grenade star star")) == ["ground H5", "stay"]


def test_the_deck_is_reshuffled_as_always() -> None:
    """V82, R122: with both hands dealt, twenty-eight cards are left to draw."""
    s = deal(load_battle("st-vith"), YOUNG)
    assert s.piles == (28,)
    assert s.setup.options.reshuffle
