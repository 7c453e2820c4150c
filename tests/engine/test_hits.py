"""Hits and lost figures: rules R87-R91, rulings Q110-Q112."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import choices, events, figures_at, play, position, unit_at
from tests.engine.acting import ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry"  # so that nobody runs out of units


def shelled(target: str, dice: str) -> State:
    """A unit at G5 after artillery at distance 2 has rolled three dice against it."""
    s = position(f"I5 allies artillery\nG5 axis {target}\n{FAR_AWAY}")
    return attack(ready(s, "I5"), "I5 G5", dice)


@pytest.mark.parametrize(
    ("target", "face", "lost"),
    [
        pytest.param("infantry", "infantry", 1, id="R88 infantry by infantry"),
        pytest.param("infantry", "grenade", 1, id="R88 infantry by grenade"),
        pytest.param("infantry", "armor", 0, id="R89 infantry by armor"),
        pytest.param("infantry", "star", 0, id="R89 infantry by star"),
        pytest.param("special-forces", "infantry", 1, id="R88 special forces by infantry"),
        pytest.param("special-forces", "armor", 0, id="R89 special forces by armor"),
        pytest.param("resistance", "infantry", 1, id="R88 Resistance by infantry"),
        pytest.param("resistance", "star", 0, id="R89 Resistance by star"),
        pytest.param("armor", "armor", 1, id="R88 armor by armor"),
        pytest.param("armor", "grenade", 1, id="R88 armor by grenade"),
        pytest.param("armor", "infantry", 0, id="R89 armor by infantry"),
        pytest.param("armor", "star", 0, id="R89 armor by star"),
        pytest.param("elite-armor", "armor", 1, id="R88 elite armor by armor"),
        pytest.param("half-track", "armor", 1, id="R88 half-track by armor"),
        pytest.param("half-track", "infantry", 0, id="R89 half-track by infantry"),
        pytest.param("artillery", "grenade", 1, id="R88 artillery by grenade"),
        pytest.param("artillery", "infantry", 0, id="R88 artillery by infantry"),
        pytest.param("artillery", "armor", 0, id="R88 artillery by armor"),
        pytest.param("artillery", "star", 0, id="R89 artillery by star"),
    ],
)
def test_what_each_symbol_does_to_each_kind_of_unit(target: str, face: str, lost: int) -> None:
    full = figures_at(shelled(target, "star star star"), "G5")
    assert figures_at(shelled(target, f"{face} star star"), "G5") == full - lost


def test_a_flag_is_never_a_hit() -> None:
    """R89: a flag moves the unit and takes no figure while it can retreat."""
    s = shelled("infantry", "flag star star")
    s = play(s, "retreat G5 g6")
    assert figures_at(s, "g6") == 4


def test_a_star_hits_when_a_card_says_so() -> None:
    """R89: Air Power turns stars into hits."""
    s = position(f"G5 axis infantry\n{FAR_AWAY}", card="air-power")
    s = play(s, "target G5")
    assert figures_at(play(s, "roll star star"), "G5") == 2


@pytest.mark.parametrize(
    ("target", "dice", "left"),
    [
        pytest.param("armor", "infantry infantry grenade", 2, id="Q111 armor"),
        pytest.param("artillery", "infantry armor grenade", 1, id="Q112 artillery"),
        pytest.param("infantry", "infantry grenade infantry", 1, id="R90 one figure for each hit"),
    ],
)
def test_each_hit_removes_one_figure(target: str, dice: str, left: int) -> None:
    """R90"""
    assert figures_at(shelled(target, dice), "G5") == left


def test_a_hit_then_a_retreat_the_owner_chooses() -> None:
    """Q110, R87, R92: infantry, flag, star on 4 figures: 3 are left and go back to one of two hexes."""
    s = shelled("infantry", "infantry flag star")
    assert figures_at(s, "G5") == 3
    assert choices(s) == ["retreat G5 f6", "retreat G5 g6"]
    assert s.seat == 1
    assert figures_at(play(s, "retreat G5 f6"), "f6") == 3


def test_hits_come_before_flags() -> None:
    """R87, R91: a hit on the last figure eliminates the unit where it stands; it does not retreat first."""
    s = position(f"I5 allies artillery\nG5 axis infantry 1\n{FAR_AWAY}")
    s = play(ready(s, "I5"), "attack I5 G5")
    kinds = [event[0] for event in events(s, "roll flag infantry flag")]
    assert kinds[:4] == ["rolled", "losses", "eliminated", "medal"]
    assert "retreated" not in kinds


def test_hits_beyond_the_last_figure_are_lost() -> None:
    """R90, R91: three hits on one figure: one figure lost, one medal, flags forgotten."""
    s = position(f"I5 allies artillery\nG5 axis infantry 1\n{FAR_AWAY}")
    s = play(ready(s, "I5"), "attack I5 G5")
    happened = events(s, "roll grenade infantry infantry")
    unit = unit_at(s, "G5")
    assert ("losses", unit, 1, 0, "attack") in happened
    assert [event for event in happened if event[0] == "medal"] == [("medal", 0, 1, "elimination", unit)]


def test_flags_of_the_roll_that_eliminates_are_discarded() -> None:
    """R91: nobody is asked for a retreat of a unit that is gone."""
    s = position(f"I5 allies artillery\nG5 axis infantry 1\n{FAR_AWAY}")
    s = attack(ready(s, "I5"), "I5 G5", "infantry flag flag")
    assert unit_at(s, "G5") is None
    assert s.phase == "draw"
    assert s.score == (1, 0)
