"""From the scenario to the first card (rules R17-R19)."""

from __future__ import annotations

import random

from engine import chance, legal, new_game
from engine.battle import Battle
from engine.croupier import Croupier
from engine.turn import apply
from tests.drawing import asked, draw_battle, play, position, unit_at
from tests.questions import loose_at


def drawn(text: str = "G5 allies infantry\nG9 axis infantry", *, first: str = "allies") -> Battle:
    return draw_battle(
        text, shape="standard", face="country", first=first, top="axis", medals=(4, 5), sizes=(6, 3)
    )


def test_the_board_is_laid_out_before_the_first_card() -> None:
    """R17: terrain, obstacles and units stand where the scenario puts them, at their strength."""
    text = """
        G5 allies infantry 3
        H5 forest + wire
        C7 hill + bunker axis : axis artillery
    """
    s = new_game(drawn(text))
    assert [s.setup.grid.labels[h] for h in s.pos] == ["G5", "C7"]
    assert list(s.figures) == [3, 2]
    assert loose_at(s, "H5") != 0
    assert unit_at(s, "H5") is None
    assert s.setup.target == (4, 5)
    assert s.piles == (60,)


def test_hands_are_dealt_whole_the_first_player_before_the_other() -> None:
    """R17, R19: the side that moves first is dealt all its cards, then the other side."""
    s = new_game(drawn(first="axis"))
    assert (chance(s), s.seat) == ("draw", 1)
    assert legal(s) == ()
    s = play(s, "draw ? ? ?")
    assert (chance(s), s.seat) == ("draw", 0)
    s = play(s, "draw ? ? ? ? ? ?")
    assert [len(hand) for hand in s.hands] == [6, 3]
    assert s.piles == (51,)


def test_the_side_named_by_the_scenario_takes_the_first_turn() -> None:
    """R17: the battle says who begins."""
    for first, seat in (("allies", 0), ("axis", 1)):
        s = position("G5 allies infantry\nG9 axis infantry", first=first, play_card=False)
        assert (s.phase, s.seat, s.turn) == ("card", seat, 1)


def test_one_card_is_played_and_one_drawn() -> None:
    """R18: a hand keeps its size from turn to turn."""
    s = position("G5 allies infantry\nG9 axis infantry", card="probe-left", hand=("probe-right",) * 3)
    assert len(s.hands[0]) == 3
    assert asked(s) == "draw"
    s = play(s, "draw ?")
    assert [len(hand) for hand in s.hands] == [4, 4]


def test_a_hand_may_grow_in_the_first_turns() -> None:
    """R18: as the Germans at Pegasus Bridge, two cards at first and one more after each of two turns."""
    battle = drawn(first="axis")
    allies, axis = battle.sides
    grown = battle._replace(sides=(allies, axis._replace(cards=2, growth=(1, 1))))
    s = play(new_game(grown), "draw ? ?", "draw ? ? ? ? ? ?")
    sizes = []
    for _ in range(3):
        sizes.append(len(s.hands[1]))
        s = play(s, "card probe-left")
        while s.active == 1:
            s = play(s, "draw ?")
        s = play(s, "card probe-right", "draw ?")
    assert [*sizes, len(s.hands[1])] == [2, 3, 4, 4]


def test_one_source_of_luck_gives_one_game() -> None:
    """R19: the same shuffle and the same dice lead to the same state; another source does not."""

    def run(seed: int) -> list[str]:
        s = new_game(drawn())
        croupier = Croupier(s, random.Random(seed))
        for _ in range(2):
            s, _ = apply(s, croupier.answer(s))
        faces = s.setup.decks[0].faces
        return [faces[card] for hand in s.hands for card in hand]

    assert run(1) == run(1)
    assert run(1) != run(2)
