"""Ambush: battle first, on the opponent's turn (C21)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import IllegalDecision
from engine.cards import DECKS
from engine.state import FOUGHT
from tests.drawing import asked, choices, events, figures_at, play, position, unit_at
from tests.engine.cardplay import attack, leave, small_deck, to_battle

DUEL = "G5 allies infantry\nH5 axis infantry\nA9 axis infantry\nA1 allies infantry"


def ambushed(board: str = DUEL, attack: str = "G5 H5", card: str = "direct-from-hq", **more: Any) -> str:
    """What is asked when Ambush has been played against an attack."""
    s = position(board, card=card, enemy_hand=("ambush",), **more)
    s = to_battle(s, attack.split()[0])
    return asked(play(s, f"attack {attack}", "card ambush"))


@pytest.mark.parametrize(
    ("board", "expected"),
    [
        pytest.param(
            "G5 allies armor\nH5 axis infantry", "roll 3", id="Q185 C21 infantry, armor in the open"
        ),
        pytest.param(
            "G5 forest : allies infantry\nH5 axis infantry", "roll 2", id="C21 attacker in a forest"
        ),
        pytest.param("G5 allies infantry\nH5 wire : axis infantry", "roll 2", id="C21 ambusher in wire"),
        pytest.param("G5 allies infantry\nH5 town : axis armor", "roll 1", id="C21 ambusher armor in a town"),
        pytest.param("G5 forest : allies armor\nH5 axis artillery", "roll 3", id="C21 a gun ignores cover"),
    ],
)
def test_the_attacked_unit_battles_first_with_its_normal_dice(board: str, expected: str) -> None:
    assert ambushed(board) == expected


@pytest.mark.parametrize("card", ["probe-center", "close-assault", "armor-assault", "their-finest-hour"])
def test_any_close_assault_may_be_ambushed(card: str) -> None:
    """C21a, C21h: whatever card ordered the attacker; its extra dice never help the ambusher."""
    s = position("G5 allies armor\nH5 axis infantry", card=card, enemy_hand=("ambush",))
    if card == "their-finest-hour":
        s = play(s, "roll star")
    s = to_battle(s, "G5")
    s = play(s, "attack G5 H5")
    assert s.seat == 1
    assert choices(s) == ["card ambush", "pass"]
    assert asked(play(s, "card ambush")) == "roll 3"


def test_an_attack_from_a_distance_cannot_be_ambushed() -> None:
    """Q180, C21: the dice follow at once, and Ambush is refused."""
    s = to_battle(position("F5 allies infantry\nH5 axis infantry", enemy_hand=("ambush",)), "F5")
    s = play(s, "attack F5 H5")
    assert asked(s) == "roll 2"
    with pytest.raises(IllegalDecision):
        play(s, "card ambush")


def test_an_attacker_that_stands_its_ground_carries_on() -> None:
    """C21, C21b, C21h: with all its dice in spite of losses, and without a second question."""
    s = to_battle(position(DUEL, enemy_hand=("ambush", "probe-left")), "G5")
    s = play(s, "attack G5 H5", "card ambush", "roll infantry grenade star")
    assert figures_at(s, "G5") == 2
    assert asked(s) == "roll 3"
    assert s.roll is not None
    assert s.roll.seat == 0
    s = play(s, "roll infantry infantry infantry")
    assert figures_at(s, "H5") == 1


def test_one_ambush_answers_one_attack_only() -> None:
    """C21b: the second attacker of the turn is not held up."""
    s = position(
        "G5 allies infantry\nI5 allies infantry\nH5 axis infantry\nA9 axis infantry",
        enemy_hand=("ambush", "probe-left", "probe-right"),
    )
    s = to_battle(s, "G5", "I5")
    s = play(s, "attack G5 H5", "card ambush", "roll star star star", "roll star star star")
    assert asked(play(s, "attack I5 H5")) == "roll 3"  # the only Ambush of the deck is on the discards


def test_two_ambush_cards_cannot_answer_the_same_attack(monkeypatch: pytest.MonkeyPatch) -> None:
    """C21i, X19: in a deck with two of them the second waits for the next attack."""
    monkeypatch.setitem(DECKS, "small", small_deck(ambush=2, direct_from_hq=3, probe_left=9))
    s = position(
        "G5 allies infantry\nI5 allies infantry\nH5 axis infantry\nA9 axis infantry",
        enemy_hand=("ambush", "ambush"),
        options={"deck": "small"},
    )
    s = to_battle(s, "G5", "I5")
    s = play(s, "attack G5 H5", "card ambush", "roll star star star")
    assert asked(s) == "roll 3"
    s = play(s, "roll star star star", "attack I5 H5")
    assert choices(s) == ["card ambush", "pass"]


def test_the_ambusher_never_takes_ground() -> None:
    """C21c, R107: it was not ordered; the cleared hex stays empty, and armor does not overrun."""
    s = to_battle(
        position("G5 allies infantry 1\nA1 allies infantry\nH5 axis armor", enemy_hand=("ambush",)), "G5"
    )
    s = play(s, "attack G5 H5", "card ambush", "roll grenade star star")
    assert unit_at(s, "G5") is None
    assert unit_at(s, "H5") is not None
    assert asked(s) == "draw"


def test_an_attacker_driven_back_has_lost_its_attack() -> None:
    """Q181, C21d, R125: even if it still stands next to its target."""
    s = to_battle(position(DUEL, enemy_hand=("ambush",)), "G5")
    s = play(s, "attack G5 H5", "card ambush", "roll flag star star")
    assert (s.seat, choices(s)) == (0, ["retreat G5 f4", "retreat G5 g4"])  # its owner chooses the way
    s = play(s, "retreat G5 g4")
    unit = unit_at(s, "g4")
    assert unit is not None
    assert s.acts[unit] & FOUGHT
    assert asked(s) == "draw"
    assert figures_at(s, "H5") == 4


def test_an_attacker_that_cannot_fall_back_pays_and_attacks() -> None:
    """Q182, C21d: on its own baseline it loses a figure, stays, and rolls normal dice."""
    s = to_battle(position("G1 allies infantry\nH1 axis infantry", enemy_hand=("ambush",)), "G1")
    s = play(s, "attack G1 H1", "card ambush", "roll flag star star")
    assert figures_at(s, "G1") == 3
    assert asked(s) == "roll 3"


@pytest.mark.parametrize(("ignored", "expected"), [(1, "roll 3"), (0, "retreat")])
def test_an_attacker_in_cover_may_ignore_the_flag_and_attack(ignored: int, expected: str) -> None:
    """C21d, R100: sandbags let it stay; giving way loses the attack."""
    s = position("G5 sandbags : allies infantry\nH5 axis infantry", enemy_hand=("ambush",))
    s = play(to_battle(s, "G5"), "attack G5 H5", "card ambush", "roll flag star")
    assert asked(s) == "ignore"
    assert asked(play(s, f"ignore {ignored}")) == expected


def test_an_attacker_that_dies_in_the_ambush_scores_for_the_ambusher() -> None:
    """C21e, M1: a medal for the other side, and the attack is gone."""
    s = to_battle(
        position("G5 allies infantry 2\nA1 allies infantry\nH5 axis infantry", enemy_hand=("ambush",)), "G5"
    )
    s = play(s, "attack G5 H5", "card ambush", "roll infantry infantry flag")
    assert s.score == (0, 1)
    assert asked(s) == "draw"


def test_a_gun_driven_back_under_artillery_bombard_loses_both_battles() -> None:
    """C21e, C23: neither the interrupted battle nor the second one is left."""
    s = position(
        "G5 allies artillery\nH5 axis infantry\nG9 axis infantry",
        card="artillery-bombard",
        enemy_hand=("ambush",),
    )
    s = to_battle(s, "G5")
    s = play(s, "attack G5 H5", "card ambush", "roll flag star star", "retreat G5 f4")
    assert asked(s) == "draw"


def test_a_gun_that_stands_its_ground_keeps_its_second_battle() -> None:
    """C21d, C23a: the ambush interrupts the first battle only."""
    s = position(
        "G5 allies artillery\nH5 axis infantry\nG9 axis infantry",
        card="artillery-bombard",
        enemy_hand=("ambush",),
    )
    s = to_battle(s, "G5")
    s = play(s, "attack G5 H5", "card ambush", "roll star star star", "roll star star star")
    assert choices(s) == ["attack G5 H5", "pass"]


@pytest.mark.parametrize(
    "board",
    [
        pytest.param(
            "G5 forest : allies infantry\nH5 town : axis armor", id="Q184 C21f armor in a town, no dice left"
        ),
        pytest.param("G3 allies infantry\ng2 axis infantry", id="Q32 C21f T23b the attacked unit is at sea"),
    ],
)
def test_a_unit_that_could_not_battle_cannot_ambush(board: str) -> None:
    face = "beach" if "g2" in board else "country"
    s = position(board, face=face, enemy_hand=("ambush",))
    s = to_battle(s, board.split()[0])
    s = play(s, f"attack {board.split()[0]} {'g2' if face == 'beach' else 'H5'}")
    assert asked(s).startswith("roll")


def test_an_overrun_may_be_ambushed_like_any_close_assault() -> None:
    """C21a, R120: the tank that is driven back in its overrun has nothing left to do."""
    s = position(
        "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry\nA1 allies infantry"
        "\nB1 allies armor\nC3 axis infantry",
        enemy_hand=("ambush", "probe-left"),
    )
    s = to_battle(s, "G5", "B1")
    s = play(s, "attack G5 H5", "pass", "roll infantry star star", "ground H5", "attack H5 I5")
    assert choices(s) == ["card ambush", "pass"]
    s = play(s, "card ambush", "roll flag star star", "retreat H5 g4")
    assert s.phase == "battle"
    assert choices(s, "attack") == ["attack B1 C3"]


def test_after_the_ambush_of_an_overrun_ground_may_be_taken_but_no_third_battle_follows() -> None:
    """C21, R114: the interrupted overrun goes on as it was."""
    s = position(
        "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry 1\nJ5 axis infantry\nA1 allies infantry",
        enemy_hand=("ambush", "probe-left"),
    )
    s = to_battle(s, "G5")
    s = play(s, "attack G5 H5", "pass", "roll infantry star star", "ground H5", "attack H5 I5")
    s = play(s, "card ambush", "roll star star star", "roll infantry star star", "ground I5")
    assert unit_at(s, "I5") is not None
    assert asked(s) == "draw"


def test_armor_that_ambushes_from_wire_it_retreated_onto_removes_it() -> None:
    """T42f, X15: an ambush is a battle of that unit."""
    s = position(
        "G5 allies infantry\nH5 axis armor\nh6 wire\nI7 allies infantry\nA9 axis infantry",
        enemy_hand=("ambush", "probe-left"),
    )
    s = to_battle(s, "G5", "I7")
    s = attack(s, "G5 H5", "flag star star")
    s = play(s, "retreat H5 h6", "stay")
    s = play(s, "attack I7 h6")
    before = s.setup.grid.parse("h6")
    assert s.marks[before]
    assert ("removed", "wire", before) in events(s, "card ambush")


# Who draws first


def test_the_ambusher_draws_before_the_active_player() -> None:
    """Q186, C21: and has as many cards as before."""
    s = to_battle(position(DUEL, enemy_hand=("ambush", "probe-left")), "G5")
    s = leave(play(s, "attack G5 H5", "card ambush", "roll star star star", "roll star star star"))
    assert (asked(s), s.seat) == ("draw", 1)
    s = play(s, "draw ?")
    assert (asked(s), s.seat) == ("draw", 0)
    s = play(s, "draw ?")
    assert [len(hand) for hand in s.hands] == [1, 2]
    assert s.active == 1


def test_by_mail_the_active_player_draws_first() -> None:
    """C21, R121: the timing of play by mail; the file that ends a turn draws its author's card."""
    s = to_battle(position(DUEL, enemy_hand=("ambush", "probe-left"), options={"timing": "mail"}), "G5")
    s = leave(play(s, "attack G5 H5", "card ambush", "roll star star star", "roll star star star"))
    assert (asked(s), s.seat) == ("draw", 0)
    s = play(s, "draw ?")
    assert (asked(s), s.seat) == ("draw", 1)


def test_the_ambusher_may_have_to_wait_for_a_reshuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    """C21, R122: with an empty deck both played cards are shuffled in before the first of the two draws."""
    monkeypatch.setitem(DECKS, "small", small_deck(ambush=1, direct_from_hq=1))
    s = position(DUEL, enemy_hand=("ambush",), options={"deck": "small"})
    s = to_battle(s, "G5")
    s = leave(play(s, "attack G5 H5", "card ambush", "roll star star star", "roll star star star"))
    assert (asked(s), s.seat) == ("shuffle", 1)
    s = play(s, "shuffle", "draw direct-from-hq")
    assert s.seat == 0
    s = play(s, "draw ambush")
    assert s.active == 1
    assert choices(s) == ["card direct-from-hq"]


def test_whether_a_seat_is_asked_tells_nothing_about_its_hand() -> None:
    """C21, R130: a seat without Ambush is asked too, and can only pass."""
    s = play(to_battle(position(DUEL, enemy_hand=("probe-left",)), "G5"), "attack G5 H5")
    assert (s.seat, choices(s)) == (1, ["pass"])
