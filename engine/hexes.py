"""Coordinates, neighbours, distances and lines on a board of hexes; knows no game.

A hex is a small integer: its place in reading order, top row first. `Grid` translates between these
numbers, doubled coordinates (R2) and the labels people use (R3), and holds every table that depends on
nothing but the shape of the board. Grids are built once per shape and shared.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from engine.errors import NotationError

# Directions as (dx, dy) on doubled coordinates, clockwise from the east (R4).
DIRECTIONS: dict[str, tuple[int, int]] = {
    "E": (2, 0),
    "SE": (1, 1),
    "SW": (-1, 1),
    "W": (-2, 0),
    "NW": (-1, -1),
    "NE": (1, -1),
}

SHAPES: dict[str, tuple[int, int]] = {
    "standard": (13, 9),  # R1
    "breakthrough": (13, 17),  # V50
    "overlord": (26, 9),  # V20
}


class Line(NamedTuple):
    """What the segment between two hex centres meets on its way (R68, R71, R82)."""

    crossed: tuple[int, ...]  # hexes whose inside it passes
    left: tuple[int, ...]  # hexes it only grazes, on one side ...
    right: tuple[int, ...]  # ... and on the other
    left_edge: bool  # a half-hex of the border is grazed on that side (R83)
    right_edge: bool


class Grid:
    """A board shape: long rows of `columns` hexes alternate with rows one shorter."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self.width = 2 * columns - 2  # largest doubled x
        self.xy: tuple[tuple[int, int], ...] = tuple(
            (x, y) for y in range(rows) for x in range(y % 2, self.width + 1, 2)
        )
        self.size = len(self.xy)
        self.at: dict[tuple[int, int], int] = {xy: number for number, xy in enumerate(self.xy)}
        self.labels: tuple[str, ...] = tuple(self._label(x, y) for x, y in self.xy)
        self._by_label = {label.upper(): number for number, label in enumerate(self.labels)}
        self.neighbours: tuple[tuple[int, ...], ...] = tuple(
            tuple(self.at[x + dx, y + dy] for dx, dy in DIRECTIONS.values() if (x + dx, y + dy) in self.at)
            for x, y in self.xy
        )
        # One row of bytes per hex: near[a][b] is the distance.
        self.near: tuple[bytes, ...] = tuple(bytes(distance_xy(a, b) for b in self.xy) for a in self.xy)
        self._lines: dict[tuple[int, int], Line] = {}

    def _label(self, x: int, y: int) -> str:
        letter = chr(ord("A") + x // 2)  # R3
        return f"{letter if y % 2 == 0 else letter.lower()}{self.rows - y}"

    def parse(self, text: str) -> int:
        """The hex a label names, capital or small; raises NotationError."""
        number = self._by_label.get(text.strip().upper())
        if number is None:
            raise NotationError(f'"{text[:12]}" is no hex of this board')
        return number

    def distance(self, a: int, b: int) -> int:
        """Number of steps from one hex to another (R5)."""
        return self.near[a][b]

    def row(self, number: int) -> int:
        """Row of a hex, 0 at the top."""
        return self.xy[number][1]

    def step(self, number: int, direction: str) -> int | None:
        """The neighbour in a direction, or None at the border."""
        x, y = self.xy[number]
        dx, dy = DIRECTIONS[direction]
        return self.at.get((x + dx, y + dy))

    def behind(self, number: int, *, down: bool) -> tuple[int, ...]:
        """The hexes of the next row toward a baseline: at most two (R93)."""
        x, y = self.xy[number]
        dy = 1 if down else -1
        return tuple(self.at[x + dx, y + dy] for dx in (-1, 1) if (x + dx, y + dy) in self.at)

    def line(self, a: int, b: int) -> Line:
        """What lies on the segment between two hexes; the ends themselves never count (R70)."""
        found = self._lines.get((a, b))
        if found is None:
            found = self._lines[a, b] = self._trace(a, b)
        return found

    def _trace(self, a: int, b: int) -> Line:
        (ax, ay), (bx, by) = self.xy[a], self.xy[b]
        crossed: list[int] = []
        sides: tuple[list[int], list[int]] = ([], [])
        edges = [False, False]
        # Affine picture of the hexes in which all corners are integers: centre (x, 3y).
        dx, dy = bx - ax, 3 * (by - ay)
        length = dx * dx + dy * dy
        for y in range(min(ay, by) - 1, max(ay, by) + 2):
            for x in range(min(ax, bx) - 3, max(ax, bx) + 4):
                if (x + y) % 2 or not 0 <= y < self.rows or (x, y) in ((ax, ay), (bx, by)):
                    continue
                corners = [
                    (x + cx - ax, 3 * y + cy - 3 * ay)
                    for cx, cy in ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))
                ]
                side = [dx * cy - dy * cx for cx, cy in corners]
                along = [dx * cx + dy * cy for cx, cy in corners]
                number = self.at.get((x, y))
                if max(side) > 0 > min(side):
                    if _meets_inside(corners, side, along, length) and number is not None:
                        crossed.append(number)
                elif any(s == 0 and 0 < t < length for s, t in zip(side, along, strict=True)):
                    which = 0 if max(side) > 0 else 1
                    if number is None:
                        edges[which] = True
                    else:
                        sides[which].append(number)
        return Line(tuple(crossed), tuple(sides[0]), tuple(sides[1]), edges[0], edges[1])


def _meets_inside(corners: list[tuple[int, int]], side: list[int], along: list[int], length: int) -> bool:
    """True if the open segment passes the inside of a hex that its line cuts in two."""
    # Where the line crosses the outline, as fractions t/s of the way; the chord must overlap (0, 1).
    cuts: list[tuple[int, int]] = []
    for i in range(6):
        s0, s1 = side[i], side[(i + 1) % 6]
        if (s0 > 0) != (s1 > 0):
            span = abs(s0 - s1)
            part = along[i] * abs(s1) + along[(i + 1) % 6] * abs(s0)
            cuts.append((part, span))
    inside_start = any(part < length * span for part, span in cuts)
    inside_end = any(part > 0 for part, span in cuts)
    return inside_start and inside_end


def distance_xy(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Steps between two places in doubled coordinates (R5)."""
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return dy + max(0, (dx - dy) // 2)


@cache
def grid(shape: str) -> Grid:
    """The shared grid of a board shape: standard, breakthrough or overlord."""
    return Grid(*SHAPES[shape])
