"""Half-tracks as far as this release has them, and leaving the board (U45, U46, M10)."""

from __future__ import annotations

import pytest

from tests.drawing import ObjectiveFacts, asked, choices, figures_at, play, position, reach, unit_at
from tests.engine.cardplay import attack, dice, order, to_battle


def test_a_half_track_moves_two_hexes_and_battles() -> None:
    """U45: three figures, never three hexes."""
    s = order(position("G5 allies half-track\nJ5 axis infantry"), "G5")
    assert figures_at(s, "G5") == 3
    assert {"H5", "I5", "E5", "D5"} & reach(s, "G5") == {"H5", "I5", "E5"}
    s = play(s, "move G5 H5 I5")
    assert dice(s, "I5 J5") == 2


@pytest.mark.parametrize(
    ("enemy", "expected"),
    [
        pytest.param("H5", 2, id="U45 adjacent"),
        pytest.param("I5", 2, id="U45 at two"),
        pytest.param("J5", 0, id="Q84 U45 at three: out of range"),
    ],
)
def test_dice_of_a_half_track(enemy: str, expected: int) -> None:
    s = to_battle(position(f"G5 allies half-track\n{enemy} axis infantry"), "G5")
    if not expected:
        assert (asked(s), choices(s, "attack")) == ("draw", [])
    else:
        assert dice(s, f"G5 {enemy}") == expected


@pytest.mark.parametrize(("faces", "left"), [("armor grenade star", 1), ("infantry infantry star", 3)])
def test_what_hits_a_half_track(faces: str, left: int) -> None:
    """U45, R88: armor symbols and grenades."""
    s = to_battle(position("G5 allies infantry\nH5 axis half-track\nA9 axis infantry"), "G5")
    assert figures_at(attack(s, "G5 H5", faces), "H5") == left


def test_a_half_track_takes_ground_but_does_not_overrun() -> None:
    """U45, R119: with another enemy in reach the advance ends its battle."""
    s = to_battle(position("G5 allies half-track\nH5 axis infantry 1\nI5 axis infantry"), "G5")
    s = play(attack(s, "G5 H5", "infantry star"), "ground H5")
    assert unit_at(s, "H5") is not None
    assert asked(s) == "draw"


def test_three_half_track_tokens_make_a_medal() -> None:
    """Q241, U46, M11: two eliminated units give none, the third turns the tokens into one."""
    s = position(
        """
        C3 allies infantry
        G3 allies infantry
        K3 allies infantry
        D3 axis half-track 1
        H3 axis half-track 1
        L3 axis half-track 1
        A9 axis infantry
        """
    )
    s = to_battle(s, "C3", "G3", "K3")
    seen = []
    for text in ("C3 D3", "G3 H3", "K3 L3"):
        s = play(attack(s, text, "armor star star"), "stay")
        seen.append((s.score, s.tokens))
    assert seen == [((0, 0), (1, 0)), ((0, 0), (2, 0)), ((1, 0), (0, 0))]


def test_a_single_figure_that_leaves_the_board_scores_for_its_own_side() -> None:
    """Q239, M10: one medal for its owner, none for the enemy."""
    s = position(
        "g8 allies infantry 1\nA1 allies infantry\nA9 axis infantry",
        objectives=(ObjectiveFacts("exit", ("allies",), ("G9", "H9")),),
    )
    s = order(s, "g8")
    assert choices(s, "exit") == ["exit g8 G9", "exit g8 H9"]
    s = play(s, "exit g8 G9")
    assert (s.total(0), s.total(1)) == (1, 0)
    assert len(s.units_of(0)) == 1
