"""Medics & Mechanics (C32)."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import asked, choices, figures_at, play, position
from tests.engine.cardplay import attack, next_turn, to_battle

FULL = {"infantry": 4, "armor": 3, "artillery": 2, "half-track": 3, "elite-armor": 4}


def wounded(unit: str, losses: int, held: int, *, start: int | None = None) -> State:
    """An Allied turn with Medics & Mechanics just played; the unit at G5 has lost figures to the Axis."""
    figures = start or FULL[unit]
    s = position(
        f"G5 allies {unit} {figures}\nA1 allies infantry\nJ5 axis artillery\nM9 axis infantry",
        card="direct-from-hq",
        first="axis",
        enemy_hand=("medics-and-mechanics", *("?",) * (held - 1)),
    )
    s = to_battle(s, "J5") if losses else s
    if losses:
        s = attack(s, "J5 G5", " ".join(["grenade"] * losses + ["star"] * (2 - losses)))
    return play(next_turn(s), "card medics-and-mechanics")


def test_one_die_for_every_card_held_returns_figures_up_to_full_strength() -> None:
    """Q209, C32, C32d, C8: five cards, two of four figures; three successes bring back two."""
    s = wounded("infantry", 2, 5)
    assert choices(s) == ["done", "heal G5"]
    s = play(s, "heal G5")
    assert asked(s) == "roll 5"
    s = play(s, "roll infantry star star armor flag")
    assert figures_at(s, "G5") == 4
    assert s.phase == "move"  # it may be ordered now
    assert choices(play(s, "done")) == ["attack G5 J5", "done"]


@pytest.mark.parametrize(
    ("unit", "faces", "figures"),
    [
        pytest.param("infantry", "infantry armor grenade flag", 3, id="C32 infantry symbol"),
        pytest.param("infantry", "armor armor grenade star", 3, id="C32 star"),
        pytest.param("armor", "armor infantry infantry infantry", 2, id="C32a armor symbol"),
        pytest.param("elite-armor", "armor star infantry grenade", 4, id="C32a elite armor"),
        pytest.param(
            "artillery", "infantry armor grenade grenade", 1, id="C32a artillery: symbols do not help"
        ),
        pytest.param("artillery", "star infantry armor grenade", 2, id="C32a artillery: a star does"),
    ],
)
def test_what_brings_a_figure_back(unit: str, faces: str, figures: int) -> None:
    losses = 1 if unit == "artillery" else 2
    s = play(wounded(unit, losses, 4), "heal G5", f"roll {faces}")
    assert figures_at(s, "G5") == figures


def test_no_success_means_no_order() -> None:
    """Q210, C32a, C32b: a gun with one of two figures, nothing recovered, on to the draw."""
    s = play(wounded("artillery", 1, 3), "heal G5", "roll grenade infantry infantry")
    assert (figures_at(s, "G5"), asked(s)) == (1, "draw")


def test_without_damaged_units_nothing_happens() -> None:
    """C32b: a unit at full strength cannot be chosen."""
    assert asked(wounded("infantry", 0, 4)) == "draw"


def test_half_tracks_are_not_mended() -> None:
    """C32c, U52: though they have lost figures."""
    assert asked(wounded("half-track", 2, 4)) == "draw"


def test_an_eliminated_unit_does_not_return() -> None:
    """C32c, M25: it can no longer be chosen."""
    s = wounded("artillery", 2, 4)
    assert asked(s) == "draw"
    assert s.score == (0, 1)


def test_strength_at_the_start_is_the_most_a_unit_can_have() -> None:
    """C32d, U1: an infantry unit that began with three figures stays at three."""
    s = play(wounded("infantry", 2, 4, start=3), "heal G5", "roll star star star star")
    assert figures_at(s, "G5") == 3


def test_a_healed_unit_moves_and_battles_normally() -> None:
    """C32: one hex and battle, three dice, no bonus."""
    s = play(wounded("infantry", 1, 2), "heal G5", "roll star flag")
    s = play(s, "move G5 H5")
    s = play(s, "attack H5 J5")
    assert asked(s) == "roll 2"


def test_the_player_may_leave_it() -> None:
    """C32, C2: nobody need be chosen."""
    assert asked(play(wounded("infantry", 1, 4), "done")) == "draw"
