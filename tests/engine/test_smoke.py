"""The shortest possible game, to show how positions are drawn and played."""

from tests.drawing import asked, choices, figures_at, play, position, reach, unit_at


def test_a_unit_is_ordered_attacks_and_takes_ground() -> None:
    s = position(
        """
        G5 allies infantry
        H5 axis infantry 1
        B9 axis infantry
        """,
        card="probe-center",
    )
    assert choices(s) == ["done", "order G5"]
    s = play(s, "order G5")
    assert "g6" in reach(s, "G5")
    s = play(s, "done", "attack G5 H5")
    if asked(s) == "react":
        s = play(s, "pass")
    assert asked(s) == "roll 3"
    s = play(s, "roll infantry flag star")
    assert figures_at(s, "H5") == 0
    assert choices(s) == ["ground H5", "stay"]
    s = play(s, "ground H5")
    assert unit_at(s, "H5") is not None
    assert asked(s) == "draw"
