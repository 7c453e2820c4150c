"""The end of a turn: rules R121-R124, rulings Q166, Q167, Q186, Q214."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine import EngineError, ScenarioError, State, apply, chance, new_game, parse_battle
from engine.state import HIDDEN
from tests.drawing import asked, choices, draw_battle, events, play, position
from tests.engine.acting import end_turn, ready
from tests.engine.cardplay import attack

UNITS = "G5 allies infantry\nC5 axis infantry"
DUEL = "G5 allies infantry\nH5 axis infantry\nA1 allies infantry\nA9 axis infantry"


def idle(s: State) -> State:
    """The end of a turn in which nobody was ordered."""
    return play(s, "done") if s.phase == "order" else s


# Discard, then draw


def test_the_played_card_is_discarded_and_one_card_drawn() -> None:
    """R121: the card lies on the discard pile before the draw; the hand is as large as it was."""
    s = position(UNITS, card="probe-center", hand=("probe-left", "attack-left"))
    assert (s.discards[0], len(s.hands[0]), s.piles[0]) == ((), 2, 60 - 3 - 4)
    s = idle(s)
    deck = s.setup.decks[0]
    assert asked(s) == "draw"
    assert s.seat == 0
    assert [deck.faces[face] for face in s.discards[0]] == ["probe-center"]
    assert s.played == HIDDEN
    s = play(s, "draw recon-left")
    assert (len(s.hands[0]), s.piles[0], s.active, s.phase) == (3, 60 - 3 - 4 - 1, 1, "card")


def test_the_draw_comes_after_the_last_battle() -> None:
    """R121: no card is drawn while a unit may still battle."""
    s = ready(position(DUEL, enemy_hand=("probe-left",)), "G5")
    assert (s.phase, len(s.hands[0])) == ("battle", 0)
    s = attack(s, "G5 H5", "star star star")
    assert asked(s) == "draw"


def test_recon_draws_two_and_keeps_one() -> None:
    """Q166, R121: the player sees both, discards one face up, and the hand has its old size."""
    s = position(UNITS, card="recon-center", hand=("probe-left",))
    s = play(idle(s), "draw attack-left barrage")
    assert s.phase == "choose"
    assert choices(s) == ["discard attack-left", "discard barrage"]
    s = play(s, "discard barrage")
    faces = s.setup.decks[0].faces
    assert [faces[face] for face in s.discards[0]] == ["recon-center", "barrage"]
    assert sorted(faces[face] for face in s.hands[0]) == ["attack-left", "probe-left"]
    assert s.active == 1


def test_the_ambusher_draws_first() -> None:
    """Q186, R121: at the table the ambusher's card comes before the active player's; by mail it is behind."""
    for timing, first in (("table", 1), ("mail", 0)):
        s = position(DUEL, enemy_hand=("ambush", "probe-left"), options={"timing": timing})
        s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll star star star", "roll star star star")
        assert (chance(s), s.seat) == ("draw", first)
        s = play(s, "draw attack-left")
        assert (chance(s), s.seat) == ("draw", 1 - first)


def test_their_finest_hour_reshuffles_before_the_draw() -> None:
    """R121, R122: all discards, the card itself among them, go back into the deck; then one is drawn."""
    s = position(UNITS, card="their-finest-hour")
    s = idle(play(s, "roll grenade"))
    assert chance(s) == "shuffle"
    pile = s.piles[0]
    s = play(s, "shuffle")
    assert (s.discards[0], s.piles[0], chance(s)) == ((), pile + 1, "draw")


# The deck runs out


def full_hands(first: int, second: int, **facts: Any) -> State:
    """A position in which the two hands together hold so many of the sixty cards."""
    return position(UNITS, cards=(first, second), **facts)


def test_an_empty_deck_is_made_of_the_discards() -> None:
    """Q214, R122: no card is left when one is due: shuffle, then draw; the played card is in the new deck."""
    s = idle(full_hands(30, 30, card="probe-center"))
    assert (chance(s), s.piles[0], len(s.discards[0])) == ("shuffle", 0, 1)
    assert events(s, "shuffle")[0] == ("reshuffled", 0)
    s = play(s, "shuffle")
    assert (chance(s), s.piles[0], s.discards[0]) == ("draw", 1, ())
    s = play(s, "draw probe-center")
    assert (len(s.hands[0]), s.active) == (30, 1)


def test_the_deck_is_reshuffled_only_when_a_card_is_due() -> None:
    """R122: the last card is drawn; nothing is shuffled until the next draw."""
    s = play(idle(full_hands(30, 29, card="probe-center")), "draw ?")
    assert (s.phase, s.piles[0], len(s.discards[0])) == ("card", 0, 1)


def test_the_deck_runs_out_between_the_two_cards_of_a_recon() -> None:
    """Q167, R122: take the last card, reshuffle, take the second; then choose between the two."""
    s = idle(full_hands(30, 29, card="recon-center"))
    assert chance(s) == "draw"
    s = play(s, "draw barrage")
    assert (chance(s), s.seat) == ("shuffle", 0)
    s = play(s, "shuffle")
    assert chance(s) == "draw"
    s = play(s, "draw recon-center")
    assert choices(s) == ["discard barrage", "discard recon-center"]
    s = play(s, "discard recon-center")
    assert (len(s.hands[0]), s.active) == (30, 1)


def test_no_card_is_drawn_when_deck_and_discards_are_empty() -> None:
    """R123: the second card of this Recon does not exist; the one drawn is kept."""
    s = play(idle(full_hands(30, 30, card="recon-center")), "shuffle")
    assert ("no-card", 0) in events(s, "draw recon-center")
    s = play(s, "draw recon-center")
    assert (s.phase, s.active, len(s.hands[0]), s.fresh) == ("card", 1, 30, (0, 0))


def test_a_battle_may_forbid_the_reshuffle_and_name_a_winner() -> None:
    """R123: the card is due, the deck is empty: the axis has won."""
    s = idle(position(UNITS, cards=(30, 30), options={"reshuffle": "no", "exhausted_winner": "axis"}))
    assert (s.phase, s.winner, s.reason) == ("over", 1, "deck-exhausted")


def test_a_deck_used_once_needs_a_winner() -> None:
    """R123: without one the game might never end, so the pair of options is refused."""
    battle = draw_battle(
        UNITS, shape="standard", face="country", first="allies", top="axis", medals=(6, 6), sizes=(4, 4)
    )
    with pytest.raises(EngineError, match="exhausted_winner"):
        new_game(battle, {"reshuffle": "no"})


def test_a_scenario_with_a_deck_used_once_needs_a_winner() -> None:
    """R123: the document is refused where the options stand."""
    text = (Path(__file__).parent / "fixtures" / "small.yaml").read_text(encoding="utf-8")
    once = text.replace("sandbag_supply: 4", "reshuffle: no")
    assert once != text
    with pytest.raises(ScenarioError, match=r"small, line \d+: .*exhausted_winner"):
        parse_battle(once, name="small")
    named = once.replace("reshuffle: no", "reshuffle: no\n  exhausted_winner: axis")
    assert parse_battle(named, name="small").options["exhausted_winner"] == "axis"


def test_their_finest_hour_does_not_reshuffle_a_deck_used_once() -> None:
    """R123: the battle forbids it."""
    s = position(UNITS, card="their-finest-hour", options={"reshuffle": "no", "exhausted_winner": "axis"})
    assert chance(idle(play(s, "roll grenade"))) == "draw"


def test_drawn_cards_must_exist() -> None:
    """R121: a copy that is on the table, or more copies than the deck has, cannot be drawn."""
    s = idle(position(UNITS, card="barrage", play_card=False))
    s = apply(s, ("card", "barrage")).state
    s = play(s, "target C5", "roll star star star star")
    for key in ("barrage", "no-such-card"):
        with pytest.raises(EngineError, match="no card"):
            play(s, f"draw {key}")
    with pytest.raises(EngineError, match="1 cards are drawn"):
        play(s, "draw recon-left recon-left")


# Marks of the turn


def test_all_marks_of_the_turn_are_cleared() -> None:
    """R124: moved, battled, stopped, spent and ordered: the next turn knows nothing of them."""
    s = position(DUEL + "\nE5 allies infantry\nE3 forest")
    s = ready(s, "G5", "E5", moves=("E5 e4 E3",))
    s = attack(s, "G5 H5", "star star star")
    assert any(s.acts)
    s = end_turn(s)
    assert not any(s.acts)
    assert s.orders == ()
    assert s.origin == s.pos


def test_a_unit_stopped_last_turn_acts_freely_this_turn() -> None:
    """R124: infantry that entered a forest last turn battles and takes ground from it."""
    s = position("F5 allies infantry\nG5 forest\nH5 axis infantry 1\nA1 allies infantry\nA9 axis infantry")
    s = end_turn(ready(s, "F5", moves=("F5 G5",)))
    s = end_turn(play(s, "card recon-in-force"))
    s = ready(play(s, "card recon-center"), "G5")
    s = attack(s, "G5 H5", "grenade star star")
    assert choices(s) == ["ground H5", "stay"]
