"""Line of sight done slowly and plainly, to check the engine against: rules R67-R86 with exact fractions.

Hexes are drawn as six-sided figures with whole-number corners, a segment is cut with the six half-planes of
each figure, and whatever is left tells how the segment meets the hex. Nothing here is shared with
`engine/sight.py` or with the lines of `engine/hexes.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache

Place = tuple[int, int]  # doubled coordinates (R2)

# Edges of a hex around its centre (x, 3y): a point (u, v) is inside where every a*u + b*v < c.
EDGES = ((1, 1, 2), (1, -1, 2), (-1, 1, 2), (-1, -1, 2), (1, 0, 1), (-1, 0, 1))

CROSSED, LEFT, RIGHT = "crossed", "left", "right"


def distance(a: Place, b: Place) -> int:
    """Steps between two places (R5)."""
    dx, dy = abs(a[0] - b[0]), abs(a[1] - b[1])
    return dy + max(0, (dx - dy) // 2)


@cache
def meets(x: int, y: int, dx: int, dy: int) -> str:
    """How the segment from (0, 0) to (dx, dy) meets the hex at (x, y): crossed, left, right or ""."""
    end_u, end_v = dx, 3 * dy
    first, last = Fraction(0), Fraction(1)
    for a, b, c in EDGES:
        # Along the way, at the fraction t: slope * t <= room.
        slope, room = a * end_u + b * end_v, c + a * x + b * 3 * y
        if slope > 0:
            last = min(last, Fraction(room, slope))
        elif slope < 0:
            first = max(first, Fraction(room, slope))
        elif room < 0:
            return ""
    if first > last or (first == last and first in (0, 1)):
        return ""
    half = (first + last) / 2
    inside = all(a * (end_u * half - x) + b * (end_v * half - 3 * y) < c for a, b, c in EDGES)
    if inside and first < last:
        return CROSSED
    side = end_u * 3 * y - end_v * x
    return LEFT if side > 0 else RIGHT


class PlainBoard:
    """What sight has to know of a board: questions about places."""

    def __init__(
        self,
        columns: int,
        rows: int,
        elevation: Callable[[Place], int],
        feature: Callable[[Place], bool],
        lake: Callable[[Place], bool],
        unit: Callable[[Place], bool],
    ) -> None:
        self.width, self.rows = 2 * columns - 2, rows
        self.elevation, self.feature, self.lake, self.unit = elevation, feature, lake, unit

    def is_real(self, place: Place) -> bool:
        """Whether a place is a playable hex (R2); the rest at the border are half-hexes (R6)."""
        x, y = place
        return 0 <= y < self.rows and 0 <= x <= self.width and (x + y) % 2 == 0

    def sees(self, a: Place, t: Place) -> bool:
        """Whether two units at these places see each other."""
        if distance(a, t) == 1:
            return True  # R67
        met = self._met(a, t)
        low = min(self.elevation(a), self.elevation(t))
        shut = {LEFT: False, RIGHT: False}
        for place, how in met.items():
            if self._blocks(place, low, met):
                if how == CROSSED:
                    return False  # R68
                shut[how] = True
        return not (shut[LEFT] and shut[RIGHT])  # R71

    def _met(self, a: Place, t: Place) -> dict[Place, str]:
        found = {}
        dx, dy = t[0] - a[0], t[1] - a[1]
        for y in range(min(a[1], t[1]) - 1, max(a[1], t[1]) + 2):
            for x in range(min(a[0], t[0]) - 2, max(a[0], t[0]) + 3):
                if (x + y) % 2 or (x, y) in (a, t):
                    continue  # R70
                how = meets(x - a[0], y - a[1], dx, dy)
                if how:
                    found[x, y] = how
        return found

    def _blocks(self, place: Place, low: int, met: dict[Place, str]) -> bool:
        if not self.is_real(place):
            return True  # R77
        height = self.elevation(place)
        if height < low:
            return False  # R72
        if self.unit(place) or self.feature(place):
            return True  # R73, R75
        if self.lake(place) and any(
            distance(place, other) == 1 and self.is_real(other) and self.lake(other) for other in met
        ):
            return True  # R78
        return height > low  # R74, R76
