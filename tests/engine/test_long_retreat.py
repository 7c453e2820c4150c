"""Retreats of more than one hex for a flag: rule R104, rulings Q130-Q132."""

from __future__ import annotations

from engine import State
from tests.drawing import choices, figures_at, play, position, unit_at
from tests.engine.acting import ready, retreats
from tests.engine.cardplay import attack


def resistance(ground: str, flags: int, extra: str = "") -> State:
    """French Resistance at g8 after so many flags."""
    s = position(
        f"A1 allies infantry\ng8 {ground} : allies resistance\nG9 axis artillery\nM9 axis infantry\n{extra}",
        first="axis",
    )
    return attack(ready(s, "G9"), "G9 g8", " ".join(["flag"] * flags + ["star"] * (3 - flags)))


def lengths(s: State) -> list[int]:
    """How many hexes long the routes are, each length once."""
    return sorted({len(line.split()) - 2 for line in choices(s, "retreat")})


def test_the_resistance_melts_away() -> None:
    """Q130, R104: two flags, free country: any distance from 2 to 6, to any hex it can reach."""
    s = resistance("open", 2)
    assert lengths(s) == [2, 3, 4, 5, 6]
    assert len(choices(s)) == 3 + 4 + 5 + 6 + 7
    route = next(line for line in choices(s) if line.endswith("g4"))
    assert figures_at(play(s, route), "g4") == 3


def test_only_the_smallest_retreat_can_cost_the_resistance_figures() -> None:
    """Q131, R104, R97: two flags, only one step possible: moves 1, loses 1 figure."""
    s = resistance("open", 2, "G7 open\nH7 river\nf6 river\ng6 river")
    assert figures_at(s, "G7") == 2


def test_extra_steps_are_optional_and_end_where_the_way_is_closed() -> None:
    """R104, R98: one flag, two steps possible: 1 or 2 hexes, no figure lost."""
    s = resistance("open", 1, "H7 river\nf6 river\nG5 river\nH5 river")
    assert retreats(s) == {"G7", "g6"}
    assert figures_at(play(s, "retreat g8 G7 g6"), "g6") == 3


def test_the_smallest_retreat_prefers_routes_that_obey_every_flag() -> None:
    """R104, R98: two flags, the short dead end G7 is not offered as an end, nor a loss by choice."""
    s = resistance("open", 2, "f6 river\ng6 river\nG5 river\nH5 river\nI5 river")
    assert unit_at(s, "h6") is not None
    assert figures_at(s, "h6") == 3


def test_the_resistance_in_a_church() -> None:
    """Q132, R104, R100: two flags: 1-3 hexes if it ignores one, 2-6 if it ignores none."""
    s = resistance("church", 2)
    assert lengths(play(s, "ignore 1")) == [1, 2, 3]
    assert lengths(play(s, "ignore 0")) == [2, 3, 4, 5, 6]


def test_the_resistance_may_ignore_its_only_flag_and_stay() -> None:
    """R104: no flag kept is no retreat."""
    s = play(resistance("church", 1), "ignore 1")
    assert figures_at(s, "g8") == 3
    assert s.phase != "retreat"


def test_other_units_have_no_longer_retreat() -> None:
    """R104: special forces go exactly one hex for a flag."""
    s = position("A1 allies infantry\ng8 allies special-forces\nG9 axis artillery", first="axis")
    assert lengths(attack(ready(s, "G9"), "G9 g8", "flag star star")) == [1]
