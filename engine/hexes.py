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
        self.near: tuple[bytes, ...] = self._distances()
        self._lines: dict[tuple[int, int], Line] = {}

    def _distances(self) -> tuple[bytes, ...]:
        """For each hex the distances to all hexes, cut out of what dx and dy alone decide."""
        width = self.width
        by_dy = [
            bytes(distance_xy((0, 0), (dx, dy)) for dx in range(-width, width + 1)) for dy in range(self.rows)
        ]
        return tuple(
            b"".join(
                by_dy[abs(y - row)][width - x + row % 2 : 2 * width - x + 1 : 2] for row in range(self.rows)
            )
            for x, y in self.xy
        )

    def _label(self, x: int, y: int) -> str:
        letter = chr(ord("A") + x // 2)  # R3
        return f"{letter if y % 2 == 0 else letter.lower()}{self.rows - y}"

    def parse(self, text: str) -> int:
        """The hex a label names, capital or small; raises NotationError."""
        number = self._by_label.get(text.strip().upper())
        if number is None:
            raise NotationError(f'"{_spelt(text.strip()[:12])}" is no hex of this board')
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
        crossed, *grazed = _trace_offset(bx - ax, by - ay)
        sides: list[list[int]] = [[], []]
        edges = [False, False]
        for side, places in enumerate(grazed):
            for dx, dy in places:
                number = self.at.get((ax + dx, ay + dy))
                if number is not None:
                    sides[side].append(number)
                elif 0 <= ay + dy < self.rows:
                    edges[side] = True  # a half-hex of the border
        met = tuple(self.at[ax + dx, ay + dy] for dx, dy in crossed)  # R86: always real hexes
        return Line(met, tuple(sides[0]), tuple(sides[1]), edges[0], edges[1])


Places = tuple[tuple[int, int], ...]


@cache
def _trace_offset(x2: int, y2: int) -> tuple[Places, Places, Places]:
    """Places crossed, grazed on the left and grazed on the right by the segment from (0, 0) to (x2, y2)."""
    found: tuple[list[tuple[int, int]], ...] = ([], [], [])
    # Affine picture of the hexes in which all corners are integers: centre (x, 3y).
    dx, dy = x2, 3 * y2
    length = dx * dx + dy * dy
    for y in range(min(0, y2) - 1, max(0, y2) + 2):
        for x in range(min(0, x2) - 3, max(0, x2) + 4):
            if (x + y) % 2 or (x, y) in ((0, 0), (x2, y2)):
                continue
            corners = [(x + cx, 3 * y + cy) for cx, cy in _CORNERS]
            side = [dx * cy - dy * cx for cx, cy in corners]
            along = [dx * cx + dy * cy for cx, cy in corners]
            if max(side) > 0 > min(side):
                if _meets_inside(side, along, length):
                    found[0].append((x, y))
            elif any(s == 0 and 0 < t < length for s, t in zip(side, along, strict=True)):
                found[1 if max(side) > 0 else 2].append((x, y))
    return tuple(found[0]), tuple(found[1]), tuple(found[2])


_CORNERS = ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1))


def _meets_inside(side: list[int], along: list[int], length: int) -> bool:
    """True if the open segment passes the inside of a hex that its line cuts in two."""
    # Where the line crosses the outline, as fractions of the way; the chord must overlap (0, 1).
    cuts: list[tuple[int, int]] = []
    for i in range(6):
        s0, s1 = side[i], side[(i + 1) % 6]
        if (s0 > 0) != (s1 > 0):
            span = abs(s0 - s1)
            part = along[i] * abs(s1) + along[(i + 1) % 6] * abs(s0)
            cuts.append((part, span))
    return any(part < length * span for part, span in cuts) and any(part > 0 for part, _ in cuts)


def _spelt(text: str) -> str:
    """A wrong label as people would write it (R3): capital letters in odd rows, small ones in even rows."""
    letter, row = text[:1], text[1:]
    if not (letter.isascii() and letter.isalpha() and row.isascii() and row.isdigit()):
        return text
    return text.upper() if int(row) % 2 else text.lower()


def distance_xy(a: tuple[int, int], b: tuple[int, int]) -> int:
    """Steps between two places in doubled coordinates (R5)."""
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return dy + max(0, (dx - dy) // 2)


@cache
def grid(shape: str) -> Grid:
    """The shared grid of a board shape: standard, breakthrough or overlord."""
    return Grid(*SHAPES[shape])
