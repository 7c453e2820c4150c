"""Recon: two cards drawn, one kept (C10), at the table and by mail."""

from __future__ import annotations

import pytest

from engine import hand_keys, with_hand
from engine.cards import DECKS
from tests.drawing import asked, choices, play, position
from tests.engine.cardplay import leave, next_turn, small_deck, to_battle

FIELD = "G3 allies infantry\nB3 allies infantry\nG7 axis infantry\nB7 axis infantry"


def test_after_the_battles_two_cards_are_drawn_and_one_is_kept() -> None:
    """Q166, C10, C10b: the player sees both; the other is discarded face up; the hand keeps its size."""
    s = leave(position(FIELD, card="recon-center", hand=("probe-left", "probe-right")))
    s = play(s, "draw assault-left dig-in")
    assert (s.phase, s.seat) == ("choose", 0)
    assert choices(s) == ["discard assault-left", "discard dig-in"]  # never an older card
    s = play(s, "discard assault-left")
    assert hand_keys(s, 0) == ("probe-left", "probe-right", "dig-in")
    assert [s.setup.decks[0].faces[face] for face in s.discards[0]] == ["recon-center", "assault-left"]
    assert (s.active, s.phase) == (1, "card")


def test_a_copy_that_cannot_read_the_cards_takes_whatever_is_discarded() -> None:
    """C10b, R130: the opponent's copy of the game accepts every card that may be among the two."""
    s = leave(position(FIELD, card="recon-center", hand=("?",)))
    s = play(s, "draw ? ?")
    assert "discard dig-in" in choices(s)
    s = play(s, "discard dig-in")
    assert hand_keys(s, 0) == ("?", "?")


def test_a_deck_that_ends_between_the_two_is_reshuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q167, C10b, X19: the last card, then the shuffle, then the second; Recon itself may come back."""
    monkeypatch.setitem(DECKS, "small", small_deck(recon_center=1, probe_left=1, probe_right=1))
    s = leave(position(FIELD, card="recon-center", enemy_hand=("probe-left",), options={"deck": "small"}))
    assert s.piles == (1,)
    s = play(s, "draw probe-right")
    assert (asked(s), s.seat) == ("shuffle", 0)
    s = play(s, "shuffle", "draw recon-center")
    assert choices(s) == ["discard probe-right", "discard recon-center"]


def test_where_the_deck_is_used_once_a_second_card_that_is_missing_ends_the_battle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C10b, R123: one card was left; the side named for that case wins."""
    monkeypatch.setitem(DECKS, "small", small_deck(recon_center=1, probe_left=1, probe_right=1))
    options = {"deck": "small", "reshuffle": "no", "exhausted_winner": "allies"}
    s = position(FIELD, card="recon-center", enemy_hand=("probe-left",), options=options)
    s = play(leave(s), "draw probe-right")
    assert (s.phase, s.winner, s.reason) == ("over", 0, "deck-exhausted")


# By mail: drawn cards can be read when the next file has come


def test_by_mail_the_choice_is_made_at_the_beginning_of_the_next_own_turn() -> None:
    """C10, C10b: both cards stay in the hand during the opponent's turn."""
    s = leave(position(FIELD, card="recon-center", hand=("probe-left",), options={"timing": "mail"}))
    s = play(s, "draw assault-left dig-in")
    assert (s.active, s.phase) == (1, "card")
    assert len(s.hands[0]) == 3
    s = next_turn(play(s, "card probe-right"))
    assert (s.active, s.phase, s.seat) == (0, "choose", 0)
    assert choices(s) == ["discard assault-left", "discard dig-in"]
    s = play(s, "discard dig-in")
    assert (s.phase, choices(s)) == ("card", ["card assault-left", "card probe-left"])
    assert [s.setup.decks[0].faces[face] for face in s.discards[0]][-1] == "dig-in"


def test_by_mail_the_new_cards_cannot_ambush_before_the_choice() -> None:
    """C10b, C21: they can be read only with the opponent's file; older cards can."""
    s = position(
        "G5 allies infantry\nH5 axis infantry\nA9 axis infantry\nA1 allies infantry",
        card="recon-center",
        hand=("probe-left",),
        enemy_hand=("probe-center", "?"),
        options={"timing": "mail"},
    )
    s = play(leave(s), "draw ambush dig-in")
    s = to_battle(play(s, "card probe-center"), "H5")
    s = play(s, "attack H5 G5")
    assert (s.seat, choices(s)) == (0, ["pass"])
    table = position(
        "G5 allies infantry\nH5 axis infantry\nA9 axis infantry\nA1 allies infantry",
        card="recon-center",
        hand=("probe-left",),
        enemy_hand=("probe-center", "?"),
    )
    s = play(leave(table), "draw ambush dig-in", "discard dig-in", "card probe-center")
    s = play(to_battle(s, "H5"), "attack H5 G5")
    assert choices(s) == ["card ambush", "pass"]


def test_by_mail_an_unread_pair_may_turn_out_to_be_anything() -> None:
    """C10b, R130: who reads the hand sees the two; who does not accepts what is shown."""
    s = leave(position(FIELD, card="recon-center", hand=("?",), options={"timing": "mail"}))
    s = next_turn(play(play(s, "draw ? ?"), "card probe-right"))
    assert len(choices(s)) > 2
    reader = with_hand(s, 0, ("move-out", "dig-in", "barrage"))
    assert choices(reader) == ["discard barrage", "discard dig-in"]
