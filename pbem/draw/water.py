"""Rivers, lakes and bridges: how bands of water run from hex to hex in a picture.

A river flows from the middle of one side of its hex to the middle of another, so neighbouring bands meet.
Where three water hexes lie around one corner they are a pond and fill up.
"""

from __future__ import annotations

import math

from engine.hexes import DIRECTIONS
from pbem.draw.picture import Ground, Place

# Middle of each side, a little beyond it so that bands overlap; in the order of DIRECTIONS.
SIDES: tuple[tuple[float, float], ...] = (
    (26.4, 0),
    (13.2, 22.9),
    (-13.2, 22.9),
    (-26.4, 0),
    (-13.2, -22.9),
    (13.2, -22.9),
)
OFFSETS = tuple(DIRECTIONS.values())
INLAND = ("river", "lake")


class Water:
    """The inland water of one map."""

    def __init__(self, ground: Ground) -> None:
        self.at = {(place.x, place.y): place for place in ground.places}
        self.inland = {place.number for place in ground.places if place.terrain in INLAND}
        self.sea = {place.number for place in ground.places if place.terrain == "ocean"}
        self.links = {
            place.number: self._toward(place, self.inland)
            for place in ground.places
            if place.number in self.inland
        }
        self.ponds = {number for number in self.inland if self._is_pond(ground.places[number])}

    def _neighbour(self, place: Place, direction: int) -> Place | None:
        dx, dy = OFFSETS[direction]
        return self.at.get((place.x + dx, place.y + dy))

    def _toward(self, place: Place, numbers: set[int]) -> tuple[int, ...]:
        """Directions in which the neighbour is one of these hexes."""
        return tuple(
            direction
            for direction in range(6)
            if (other := self._neighbour(place, direction)) is not None and other.number in numbers
        )

    def _is_pond(self, place: Place) -> bool:
        links = self.links[place.number]
        return place.terrain == "lake" or any((d + 1) % 6 in links for d in links)

    def ways(self, place: Place) -> tuple[int, ...]:
        """Directions in which a river runs on: to other water, at its end into the sea or off the board."""
        links = self.links[place.number]
        if len(links) > 1 or place.number in self.ponds:
            return links
        ends = self._toward(place, self.sea)
        ends = ends or tuple(d for d in range(6) if self._neighbour(place, d) is None)
        if not ends:
            return links
        if not links:
            return tuple(dict.fromkeys((ends[0], ends[-1])))
        return (links[0], max(ends, key=lambda d: min((d - links[0]) % 6, (links[0] - d) % 6)))

    def pond_ways(self, place: Place) -> tuple[int, ...]:
        """Directions in which a pond goes on in full width; none for a river."""
        return self._toward(place, self.ponds) if place.number in self.ponds else ()

    def bridge_angle(self, place: Place) -> int:
        """The direction of the road on a bridge, in degrees: across the river."""
        ways = self.ways(place) if place.number in self.inland else ()
        if not ways:
            return 0
        first, last = SIDES[ways[0]], SIDES[ways[-1]]
        if len(ways) == 1:
            last = (-first[0], -first[1])
        run = math.degrees(math.atan2(last[1] - first[1], last[0] - first[0]))
        return round(run + 90) % 180


def band(centre: tuple[int, int], ways: tuple[int, ...]) -> str:
    """Path of a river through a hex."""
    cx, cy = centre
    ends = [f"{_short(cx + SIDES[d][0])} {_short(cy + SIDES[d][1])}" for d in ways]
    if not ends:
        return f"M{cx - 8} {cy}h16"
    if len(ends) == 2:
        return f"M{ends[0]}Q{cx} {cy} {ends[1]}"
    return "".join(f"M{end}L{cx} {cy}" for end in ends)


def _short(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
