"""Coordinates, labels, neighbours and distances (rules R1-R6)."""

import pytest

from engine import NotationError
from engine.hexes import Grid, distance_xy, grid

BOARD = grid("standard")


def number(label: str) -> int:
    return BOARD.parse(label)


def labels(numbers: tuple[int, ...]) -> set[str]:
    return {BOARD.labels[n] for n in numbers}


def test_the_standard_board_has_113_hexes_in_rows_of_13_and_12() -> None:
    """R1, Q1: nine rows alternate 13 and 12 hexes, 113 in all."""
    rows = [sum(1 for _, y in BOARD.xy if y == row) for row in range(9)]
    assert rows == [13, 12, 13, 12, 13, 12, 13, 12, 13]
    assert BOARD.size == 113


def test_a_pair_of_doubled_coordinates_is_a_hex_if_its_parities_agree() -> None:
    """R2: x runs from 0 to 24, y from 0 to 8, and both are even or both odd."""
    real = {(x, y) for x in range(-2, 28) for y in range(-2, 12) if (x, y) in BOARD.at}
    assert real == {(x, y) for y in range(9) for x in range(25) if x % 2 == y % 2}


@pytest.mark.parametrize(
    ("label", "xy"),
    [
        ("A9", (0, 0)),
        ("M9", (24, 0)),
        ("a8", (1, 1)),
        ("l8", (23, 1)),
        ("G5", (12, 4)),
        ("d4", (7, 5)),
        ("A1", (0, 8)),
        ("M1", (24, 8)),
    ],
)
def test_labels_name_column_and_row(label: str, xy: tuple[int, int]) -> None:
    """R3: letter by column, 9 minus y; capitals in the long rows, small letters in the short ones."""
    assert BOARD.xy[number(label)] == xy
    assert BOARD.labels[number(label)] == label


def test_every_label_is_read_back_in_either_case() -> None:
    """R3: the row already tells which kind of letter is meant."""
    for n, label in enumerate(BOARD.labels):
        assert BOARD.parse(label) == BOARD.parse(label.upper()) == BOARD.parse(f" {label.lower()} ") == n
    assert len({label.upper() for label in BOARD.labels}) == 113


@pytest.mark.parametrize("text", ["", "G", "5", "N5", "M8", "m8", "A0", "A10", "G5x", "GG5", "G-5"])
def test_what_is_no_hex_is_refused(text: str) -> None:
    """R3, R6: the half-hexes beside the short rows have no label."""
    with pytest.raises(NotationError):
        BOARD.parse(text)


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        pytest.param("G5", {"H5", "F5", "g6", "f6", "g4", "f4"}, id="R4 middle"),
        pytest.param("A9", {"B9", "a8"}, id="Q15 corner"),
        pytest.param("a8", {"A9", "B9", "b8", "A7", "B7"}, id="Q15 end of a short row"),
        pytest.param("M5", {"L5", "l6", "l4"}, id="Q15 east border"),
        pytest.param("M1", {"L1", "l2"}, id="R4 opposite corner"),
    ],
)
def test_neighbours(label: str, expected: set[str]) -> None:
    """R4, Q15: six neighbours, fewer at the border."""
    assert labels(BOARD.neighbours[number(label)]) == expected


def test_being_neighbours_is_mutual_and_means_distance_one() -> None:
    """R4, R5: exactly the hexes at distance 1 are neighbours."""
    for a in range(BOARD.size):
        assert set(BOARD.neighbours[a]) == {b for b in range(BOARD.size) if BOARD.distance(a, b) == 1}


@pytest.mark.parametrize(
    ("a", "b", "steps"),
    [
        ("G5", "G5", 0),
        ("G5", "I5", 2),
        ("G5", "h6", 2),
        ("G5", "g8", 3),
        ("A9", "M1", 16),
        ("D5", "i4", 6),
        ("d8", "i8", 5),
    ],
)
def test_distances(a: str, b: str, steps: int) -> None:
    """R5, Q14: rows first, then half of what is left of the columns."""
    assert BOARD.distance(number(a), number(b)) == BOARD.distance(number(b), number(a)) == steps


def test_distance_is_the_number_of_steps_from_hex_to_hex() -> None:
    """R5: the formula agrees with walking, from every hex of the board."""
    for start in range(BOARD.size):
        walked = {start: 0}
        edge = [start]
        while edge:
            edge = list(dict.fromkeys(n for h in edge for n in BOARD.neighbours[h] if n not in walked))
            walked.update(dict.fromkeys(edge, max(walked.values()) + 1))
        assert bytes(walked[h] for h in range(BOARD.size)) == BOARD.near[start]


def test_half_hexes_are_no_hexes() -> None:
    """R6: nothing stands at x = -1 or x = 25, and no neighbour or retreat leads there."""
    for y in range(1, 9, 2):
        assert (-1, y) not in BOARD.at
        assert (25, y) not in BOARD.at
    assert labels(BOARD.behind(number("A5"), down=True)) == {"a4"}
    assert labels(BOARD.behind(number("M5"), down=False)) == {"l6"}


def test_steps_by_direction_end_at_the_border() -> None:
    """R4, R6: a step in each of the six directions, and none off the board."""
    g5 = number("G5")
    found = {d: BOARD.step(g5, d) for d in ("E", "SE", "SW", "W", "NW", "NE")}
    assert found == {
        "E": number("H5"),
        "SE": number("g4"),
        "SW": number("f4"),
        "W": number("F5"),
        "NW": number("f6"),
        "NE": number("g6"),
    }
    assert BOARD.step(number("A9"), "W") is None
    assert BOARD.step(number("A5"), "SW") is None


def test_the_same_shape_is_built_once() -> None:
    assert grid("standard") is BOARD
    assert Grid(13, 9).labels == BOARD.labels
    assert distance_xy((0, 0), (24, 8)) == 16
