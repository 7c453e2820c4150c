"""Timing: rules R125-R130, rulings Q271, Q272, Q279, Q280, Q287, Q289."""

from __future__ import annotations

import pytest

from engine import HIDDEN, digest, hand_keys, view, with_hand
from engine.state import MOVED
from tests.drawing import asked, choices, figures_at, play, position, unit_at
from tests.engine.acting import end_turn, ready, retreats
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"
AMBUSH = ("ambush", "probe-left")


def test_a_battle_lost_to_an_ambush_was_the_units_battle() -> None:
    """R125: driven back next to another enemy it does not battle again this turn."""
    s = position(
        FAR_AWAY
        + "G5 allies infantry\nH5 axis infantry\nF3 axis infantry\nC5 allies infantry\nC6 axis infantry",
        enemy_hand=AMBUSH,
    )
    s = ready(s, "G5", "C5")
    s = play(s, "attack G5 H5", "card ambush", "roll flag star star", "retreat G5 f4")
    assert choices(s) == ["attack C5 c6", "done"]


def test_what_counts_as_having_moved() -> None:
    """R126: a step in the movement phase, even back to the start; not take ground, not a retreat."""
    text = FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1"
    s = play(attack(ready(position(text), "G5"), "G5 H5", "grenade star star"), "ground H5")
    unit = unit_at(s, "H5")
    assert unit is not None
    assert not s.acts[unit] & MOVED
    s = position(FAR_AWAY + "G5 allies infantry\nH5 axis infantry", enemy_hand=AMBUSH)
    s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll flag star star", "retreat G5 f4")
    unit = unit_at(s, "f4")
    assert unit is not None
    assert not s.acts[unit] & MOVED
    s = play(position(FAR_AWAY + "G5 allies infantry"), "order G5", "done")
    out_and_back = next(line for line in choices(s, "move") if line.endswith("G5"))
    assert play(s, out_and_back).acts[unit] & MOVED


def test_no_battle_terrain_looks_at_every_entry() -> None:
    """R126: ground taken counts as entered: armor in the forest it has just taken does not overrun."""
    s = position(FAR_AWAY + "G5 allies armor\nH5 forest : axis infantry 1\nI5 axis infantry")
    s = play(attack(ready(s, "G5"), "G5 H5", "grenade"), "ground H5")
    assert s.phase == "draw"


def test_a_unit_eliminated_before_it_acts_loses_its_order() -> None:
    """Q287, R127: four units ordered, one dies in an ambush: three are left to battle."""
    s = position(
        FAR_AWAY + "G5 allies infantry 1\nH5 axis infantry\nC5 allies infantry\nC6 axis infantry",
        enemy_hand=AMBUSH,
    )
    s = ready(s, "G5", "C5", "A1")
    s = play(s, "attack G5 H5", "card ambush", "roll grenade star star")
    assert unit_at(s, "G5") is None
    assert choices(s) == ["attack C5 c6", "done"]


def test_a_unit_that_fell_back_blocks_the_next_retreat() -> None:
    """R128: each attack is resolved with its retreat before the next one is rolled."""
    s = position(FAR_AWAY + "G5 axis infantry\nF3 allies artillery\nH3 allies artillery\nH5 axis infantry")
    s = ready(s, "F3", "H3")
    s = attack(s, "H3 H5", "flag star star")
    s = play(s, "retreat H5 g6")
    s = attack(s, "F3 G5", "flag star star")
    assert figures_at(s, "f6") == 4  # g6 is taken: the only way, so nobody is asked


def test_a_unit_that_fell_back_clears_the_way() -> None:
    """R128: G5 stands behind g4; once it has gone both hexes are free again."""
    s = position(FAR_AWAY + "g4 axis infantry\nG5 axis infantry\nH5 axis infantry\nF3 allies artillery")
    s = ready(s, "F3")
    blocked = attack(s, "F3 g4", "flag star star")
    assert figures_at(blocked, "g4") == 3
    s = position(
        FAR_AWAY
        + "g4 axis infantry\nG5 axis infantry\nH5 axis infantry\nF3 allies artillery\nE3 allies artillery"
    )
    s = ready(s, "F3", "E3")
    s = play(attack(s, "E3 G5", "flag star"), "retreat G5 f6")
    s = attack(s, "F3 g4", "flag star star")
    assert figures_at(s, "G5") == 4


@pytest.mark.parametrize(("card", "dice"), [("barrage", 4), ("air-power", 2)])
def test_card_attacks_have_no_attacker(card: str, dice: int) -> None:
    """R129: no range, no sight, no lock, no protection, no ambush: the dice are rolled at once."""
    s = position(
        FAR_AWAY
        + "M9 town + bunker : axis infantry\nL9 forest\nl8 forest\nG5 allies armor\nH5 axis infantry",
        card=card,
        enemy_hand=AMBUSH,
    )
    s = play(s, "target M9")
    assert asked(s) == f"roll {dice}"
    s = play(s, f"roll {' '.join(['infantry'] * dice)}")
    assert s.phase == "draw"
    assert s.orders == ()


def test_hands_and_deck_are_hidden_and_nothing_else() -> None:
    """R130: a view hides the other hand, keeps everything that is open, and has the same digest."""
    s = position(FAR_AWAY, card="probe-left", hand=("barrage",), enemy_hand=AMBUSH)
    assert hand_keys(s, 0) == ("barrage",)
    assert hand_keys(view(s, 0), 0) == ("barrage",)
    assert hand_keys(view(s, 0), 1) == ("?", "?")
    assert hand_keys(view(s, 1), 1) == AMBUSH
    stranger = view(s, None)
    assert stranger.hands == ((HIDDEN,), (HIDDEN, HIDDEN))
    assert digest(stranger) == digest(view(s, 0)) == digest(s)
    assert hand_keys(with_hand(stranger, 1, AMBUSH), 1) == AMBUSH
    later = end_turn(s)
    assert view(later, None).discards == later.discards
    assert [later.setup.decks[0].faces[face] for face in later.discards[0]] == ["probe-left"]


# Further cases


@pytest.mark.parametrize(
    ("text", "pair", "dice"),
    [
        pytest.param(
            "G5 allies artillery\nJ5 hill : axis infantry", "G5 J5", 2, id="Q271 artillery at a hill"
        ),
        pytest.param("G5 forest : allies infantry\nH5 axis infantry", "G5 H5", 3, id="Q279 from a forest, 1"),
        pytest.param("G5 forest : allies infantry\nI5 axis infantry", "G5 I5", 2, id="Q279 from a forest, 2"),
        pytest.param("G5 forest : allies infantry\nJ5 axis infantry", "G5 J5", 1, id="Q279 from a forest, 3"),
        pytest.param(
            "G5 church : allies armor\nH5 forest : axis infantry", "G5 H5", 0, id="Q280 out of a church"
        ),
        pytest.param(
            "G5 beach : allies infantry\nH5 cliff : axis infantry", "G5 H5", 2, id="Q289 up a cliff"
        ),
    ],
)
def test_dice_of_the_further_cases(text: str, pair: str, dice: int) -> None:
    a = pair.split()[0]
    s = ready(position(FAR_AWAY + text, enemy_hand=("probe-left",)), a)
    assert (f"attack {pair}" in choices(s)) is (dice > 0)
    if dice:
        s = play(s, f"attack {pair}")
        assert asked(play(s, "pass") if s.phase == "react" else s) == f"roll {dice}"


def test_a_flag_of_air_power_is_obeyed_whatever_the_cover() -> None:
    """Q272, R129: church and sandbags do not help: the unit must retreat 1."""
    s = position(FAR_AWAY + "G5 church + sandbags : axis infantry", card="air-power")
    s = play(s, "target G5", "roll flag armor")
    assert retreats(s) == {"f6", "g6"}
    assert figures_at(s, "G5") == 4
