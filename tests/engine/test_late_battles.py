"""Special rules of single battles, played with the battles themselves: Montélimar to Saverne."""

from __future__ import annotations

import pytest

from engine import is_over
from tests.drawing import choices, figures_at, play, position, reach, unit_at
from tests.engine.battlefield import HQ, battle_of, field, fights, ordered
from tests.engine.cardplay import (
    attack,
    deal,
    dice,
    leave,
    next_turn,
    order,
    to_battle,
)

# Montélimar


def test_montelimar_the_hills_above_the_pass_are_impassable() -> None:
    """R45: six hexes that nobody enters, not even from k6 in their midst."""
    walls = {"K7", "j6", "J5", "K5", "j4", "K3"}
    s = ordered("montelimar", "k6", side="axis")
    assert reach(s, "k6").isdisjoint(walls)
    assert "L7" in reach(s, "k6")
    raider = play(field("montelimar", first="axis", axis=("behind-enemy-lines",)), "card behind-enemy-lines")
    assert reach(order(raider, "k6"), "k6").isdisjoint(walls)


def test_montelimar_german_infantry_is_weak_but_for_the_grenadiers() -> None:
    """U1: three figures, and four in the three badge units."""
    s = field("montelimar")
    found = sorted(
        (s.setup.types[unit].key, s.figures[unit]) for unit in s.units_of(1) if s.setup.arm[unit] == 0
    )
    assert found == [("infantry", 3)] * 6 + [("special-forces", 4)] * 3


def test_montelimar_the_bank_of_the_rhone_gives_one_medal_however_many_stand_there() -> None:
    """M2, M17: held while at least one unit is next to the river."""
    s = field("montelimar", {"H5": "i8", "F5": "h8"}, first="allies", allies=(HQ,))
    assert s.total(0) == 1
    s = order(play(s, f"card {HQ}"), "i8", "h8")
    s = play(s, "move h8 H7")
    assert s.total(0) == 1
    s = play(s, "move i8 I7")
    assert s.total(0) == 0


# St Vith, Saverne and Toulon


def test_st_vith_the_slope_bars_the_retreat() -> None:
    """R45, R97: a unit above it pays each flag it does not ignore with a figure."""
    s = fights("st-vith", "F5", {"f8": "F5"}, side="axis")
    assert dice(s, "F5 f4") == 2
    s = play(attack(s, "F5 f4", "flag flag"), "ignore 1")
    assert figures_at(s, "f4") == 3
    s = ordered("st-vith", "f4", side="allies")
    assert reach(s, "f4").isdisjoint({"D3", "E3", "F3", "G3", "H3", "I3"})


def test_saverne_hills_are_impassable_and_stop_shells() -> None:
    """R45, R67: the gun at F7 reaches F5 in the open but not D7 behind the hill at E7."""
    s = fights("saverne-gap", "F7", {"B3": "D7", "d2": "F5"}, side="axis")
    assert "attack F7 F5" in choices(s)
    assert "attack F7 D7" not in choices(s)
    s = ordered("saverne-gap", "d2", side="allies")
    hills = {label for label, h in battle_of("saverne-gap").hexes.items() if h.terrain == "hill"}
    assert len(hills) == 20
    assert reach(s, "d2").isdisjoint(hills)


@pytest.mark.parametrize(
    ("name", "moved", "step", "wins"),
    [
        pytest.param(
            "saverne-gap", {"d2": "H9", "C1": "g8", "F9": "A9"}, "H9 G9", True, id="M9 saverne: two towns"
        ),
        pytest.param("saverne-gap", {"d2": "H9"}, "H9 G9", False, id="M9 saverne: one town"),
        pytest.param(
            "toulon",
            {"c2": "F9", "k2": "h8", "l2": "i8", "h8": "A9"},
            "F9 G9",
            True,
            id="M9 toulon: three towns",
        ),
        pytest.param("toulon", {"c2": "F9", "k2": "i8"}, "F9 G9", False, id="M9 toulon: two towns"),
    ],
)
def test_sudden_death_at_the_end_of_an_allied_turn(
    name: str, moved: dict[str, str], step: str, wins: bool
) -> None:
    s = field(name, moved, allies=(HQ,), axis=("probe-center",))
    s = order(play(s, f"card {HQ}"), step.split()[0], "G1")
    s = play(s, f"move {step}")
    assert s.phase == "move"  # not yet: the turn must end so
    s = leave(s)
    assert is_over(s) is wins
    if wins:
        assert (s.winner, s.reason) == (0, "sudden-death")


def test_sudden_death_is_not_looked_at_in_the_enemys_turn() -> None:
    """M9: two units in Saverne at the end of an Axis turn decide nothing."""
    s = field("saverne-gap", {"d2": "G9", "C1": "g8", "F9": "A9"}, first="axis", axis=("probe-left",))
    s = next_turn(play(s, "card probe-left"))
    assert (is_over(s), s.active) == (False, 0)


# Arnhem


def test_arnhem_the_long_bridge_is_entered_at_its_ends_only() -> None:
    """T21: along it movement is normal; from the bank beside it nobody climbs up."""
    s = ordered("arnhem-bridge", "I7", {"h8": "I7"}, side="axis")
    assert {"h6", "H5", "g4", "G5", "I5"} & reach(s, "I7") == {"h6", "H5", "g4"}
    s = ordered("arnhem-bridge", "I5", {"h8": "I5"}, side="axis")
    assert reach(s, "I5").isdisjoint({"h6", "H5", "g4"})
    s = ordered("arnhem-bridge", "H5", {"h8": "H5"}, side="axis")
    assert reach(s, "H5") >= {"h6", "I7", "g4", "G3"}
    assert {text.split()[2] for text in choices(s, "move")} == {"h6", "g4"}


def test_arnhem_units_on_the_bridge_retreat_along_it() -> None:
    """T21c, R94: a tank at H5 falls back to h6, a parachutist at g4 to the end at G3."""
    s = fights("arnhem-bridge", "G5", {"h8": "H5", "D5": "G5"}, side="allies")
    s = attack(s, "G5 H5", "flag star star")
    assert unit_at(s, "h6") is not None
    s = fights("arnhem-bridge", "H5", {"h8": "H5", "D5": "g4"}, side="axis")
    s = attack(s, "H5 g4", "flag star star")
    assert unit_at(s, "G3") is not None


def test_arnhem_the_bridge_is_one_bridge_even_where_bridges_do_not_join() -> None:
    """T21d, X15: its sections are no separate bridges."""
    battle = battle_of("arnhem-bridge")
    units = tuple(unit._replace(at="I7") if unit.at == "h8" else unit for unit in battle.units)
    s = deal(battle._replace(units=units), {"bridges_join": "no"}, axis=(HQ,))
    s = order(play(s, f"card {HQ}"), "I7")
    assert {"h6", "H5", "g4"} <= reach(s, "I7")


def test_arnhem_infantry_does_not_fire_across_the_wide_river() -> None:
    """R58, R67: tanks do; infantry does where both stand on the same bank, or on the bridge."""
    moved = {"A9": "I7", "J9": "J7", "D5": "I5"}
    s = fights("arnhem-bridge", "I7", moved, side="axis")
    assert choices(s, "attack") == []
    s = fights("arnhem-bridge", "J7", moved, side="axis")
    assert choices(s, "attack") == ["attack J7 I5"]
    s = fights("arnhem-bridge", "f6", {"A9": "f6", "D5": "I5", "F5": "A3"}, side="axis")
    assert choices(s, "attack") == ["attack f6 I5"]  # over the bend of the river, on one bank
    s = fights("arnhem-bridge", "h6", {"A9": "h6", "D5": "h4"}, side="axis")
    assert choices(s, "attack") == ["attack h6 h4"]  # down from the bridge


def test_a_wide_river_that_does_not_divide_the_board_is_not_fired_across_either() -> None:
    """R67: a single wide hex between infantry and its target is enough; tanks fire."""
    board = "G5 allies {}\nI5 axis infantry\nH5 river wide"
    assert choices(to_battle(position(board.format("infantry")), "G5"), "attack") == []
    assert choices(to_battle(position(board.format("armor")), "G5"), "attack") == ["attack G5 I5"]
