"""Steps that cost two hexes, and the cheapest way past them: rules R41, T24, T26."""

from __future__ import annotations

from tests.drawing import play, position, reach

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def test_a_dear_way_to_a_hex_does_not_hide_the_cheap_one() -> None:
    """R41, T26: over the steep hill F5 the hex e6 costs 3, by f6 only 2, so that armor gets on to d6."""
    s = play(position(FAR_AWAY + "G5 allies armor\nF5 steep-hill"), "order G5", "done")
    assert {"d6", "D5", "d4"} & reach(s, "G5") == {"d6", "d4"}


def test_a_steep_hill_is_reached_the_cheap_way_by_a_hill() -> None:
    """R41, T26: I5 costs 2 from the hill H5 and 3 from the low ground beside it; armor goes one further."""
    s = play(
        position(FAR_AWAY + "G5 hill : allies armor\nH5 hill\nI5 steep-hill\ni6 river\ni4 river"), "order G5"
    )
    s = play(s, "done")
    assert "J5" in reach(s, "G5")


def test_infantry_assault_up_a_dune_and_on() -> None:
    """R41, T24: three hexes are a dune from the beach and one more."""
    s = position(FAR_AWAY + "G5 beach : allies infantry\nH5 dune", card="infantry-assault")
    s = play(s, "section center", "order G5")
    assert {"H5", "I5", "J5"} & reach(s, "G5") == {"H5", "I5"}
