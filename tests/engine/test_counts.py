"""Numbers of decisions to depth 3 from drawn positions; `python -m scripts.golden counts` rewrites them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.counting import COUNTS, count, fixed_chance, read_counts, rewrite_counts
from tests.drawing import choices, play, position

FILES = sorted(COUNTS.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_counts_to_depth_three(path: Path) -> None:
    state, expected = read_counts(path)
    assert len(expected) == 3
    assert tuple(count(state, depth) for depth in (1, 2, 3)) == expected


def test_there_are_enough_positions() -> None:
    assert len(FILES) >= 5


@pytest.mark.parametrize(
    ("name", "counted"),
    [
        ("infantry-on-open-ground", (20, 20 * 29)),
        ("armor-among-obstacles", (5 + 5 + 10 + 1 + 1,)),
        ("landing", (4,)),
        ("recon-in-force", (6, 5 * 5 + 29)),
        ("close-assault", (5,)),
        ("retreat-through-a-crowd", (2,)),
        ("air-power", (5,)),
        ("first-card-2004", (3,)),
    ],
)
def test_counts_made_by_hand(name: str, counted: tuple[int, ...]) -> None:
    """R33, R38, R39, R48, R53, R93, C20, T9, T21: the sums are explained in the files, made by no engine."""
    state, stated = read_counts(COUNTS / f"{name}.txt")
    assert stated[: len(counted)] == counted
    assert tuple(count(state, depth + 1) for depth in range(len(counted))) == counted


def test_the_routes_of_the_retreat_are_those_counted_by_hand() -> None:
    """R93, R94: one neighbour of the next row is a river, the other leads on to two hexes."""
    state, _ = read_counts(COUNTS / "retreat-through-a-crowd.txt")
    assert choices(state) == ["retreat G5 g6 G7", "retreat G5 g6 H7"]


def test_chance_follows_the_fixed_rule() -> None:
    s = position("G5 allies infantry\nH5 axis armor\nA9 axis infantry", card="probe-center")
    s = play(s, "order G5", "done", "attack G5 H5", "pass")
    assert fixed_chance(s) == ("roll", 0, 1, 2)


def test_rewriting_puts_the_numbers_back(tmp_path: Path) -> None:
    original = COUNTS / "close-assault.txt"
    spoilt = tmp_path / "close-assault.txt"
    text = original.read_text(encoding="utf-8")
    spoilt.write_text(text.replace("depth 1 = 5", "depth 1 = 7"), encoding="utf-8")
    rewrite_counts(spoilt)
    assert spoilt.read_text(encoding="utf-8") == text
