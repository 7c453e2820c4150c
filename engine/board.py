"""The fixed map of a battle, compiled into tables: who may step where, what protects, what blocks.

Everything here depends on the scenario and the edition alone and is computed once per game. Loose features
(wire, sandbags) are not here: they come and go and belong to the state.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.answers import Answer
from engine.battle import SIDES, Battle, HexFacts, Options
from engine.hexes import Grid, grid
from engine.terrain import BIT, FEATURES, INFANTRY, NONE, OPEN, TERRAINS, Arm, Terrain

# Doubled columns at which sections meet; hexes on a line belong to both sides of it (R8, R9, V21, V51).
SECTION_LINES: dict[str, tuple[int, int]] = {
    "standard": (7, 17),
    "breakthrough": (7, 17),
    "overlord": (17, 33),
}
# The same for half-sections, two to a section (V22). Standard boards have none.
HALF_LINES: dict[str, tuple[int, ...]] = {"overlord": (7, 17, 25, 33, 43)}
# First row of sand and first row of sea on the beach face (R11, V53).
SHORES: dict[str, tuple[int, int]] = {"standard": (4, 7), "overlord": (4, 7), "breakthrough": (11, 14)}

Ways = tuple[tuple[int, ...], ...]  # for every hex the neighbours to go to
Step = tuple[int, int]  # a neighbour and what it costs to go there
# A first hex of a move: the hex, the move, whether it may go on, the move out and home again if it may.
First = tuple[int, Answer, bool, Answer | None]
# A second hex: the hex, whether a move may go on, and the ways there: the first hex, then the move.
Second = tuple[int, bool, tuple[tuple[int, Answer], ...]]
Fan = tuple[tuple[First, ...], tuple[Second, ...]]


def stripes(board: Grid, lines: tuple[int, ...]) -> bytes:
    """For every hex the set of stripes it belongs to, as bits from the west; a hex on a line has two."""
    masks = []
    for x, _ in board.xy:
        low = sum(1 for line in lines if line < x)
        high = sum(1 for line in lines if line <= x)
        masks.append((1 << low) | (1 << high))
    return bytes(masks)


def printed(shape: str, face: str, row: int) -> HexFacts:
    """What the board itself shows on a row where no tile lies (R11)."""
    if face != "beach":
        return HexFacts()
    sand, sea = SHORES[shape]
    return HexFacts("ocean" if row >= sea else "beach" if row >= sand else "open")


class Board:
    """The compiled map; lists are indexed by hex number, and by arm or side first where those matter."""

    def __init__(self, battle: Battle, options: Options) -> None:
        self.grid = grid(battle.shape)
        self.old = options.edition == "2004"
        self.bridges_join = options.bridges_join
        size = self.grid.size
        facts = [
            battle.hexes.get(label) or printed(battle.shape, battle.face, y)
            for label, (_, y) in zip(self.grid.labels, self.grid.xy, strict=True)
        ]
        self.facts = tuple(facts)
        self.rows = tuple(_rows(f) for f in facts)
        self.ground = tuple(rows[0] for rows in self.rows)  # OPEN under a bridge (T21a)
        self.below = tuple(TERRAINS[f.terrain] for f in facts)  # the tile itself
        self.elevation = bytes(row.elevation for row in self.below)
        self.bridge = [any(key == "bridge" for key, _ in f.features) for f in facts]
        self.impassable = ["impassable" in f.traits for f in facts]
        self.sections = stripes(self.grid, SECTION_LINES[battle.shape])
        self.halves = stripes(self.grid, HALF_LINES.get(battle.shape, ()))
        self.links = _causeway_links(self.grid, battle.causeway)
        self.loose = bytes(sum(BIT.get(key, 0) for key, _ in f.features) for f in facts)
        # Features that stay, per hex; a bridge is already in `ground`.
        self.fixed = tuple(tuple(row for row in rows[1:] if not row.loose) for rows in self.rows)
        self.sea = bytes(row.sea for row in self.ground)
        self.beach = bytes(row.beach for row in self.ground)
        self.hedge = bytes(row.hedge for row in self.ground)
        self.has_beach = any(self.beach)
        self.height = bytes(row.height_protection for row in self.ground)
        self.stop = tuple(self._entry("stops", arm) for arm in Arm)
        self.no_battle = tuple(self._entry("no_battle", arm) for arm in Arm)
        self.penalty = tuple(
            bytes(max(row.penalty[arm] for row in (self.ground[h], *self.fixed[h])) for h in range(size))
            for arm in Arm
        )
        self.protection = tuple(tuple(self._cover(side, arm) for arm in Arm) for side in range(2))
        self.flag = tuple(tuple(self._flag(side, arm) for arm in Arm) for side in range(2))
        self.confined = tuple(
            bytes(any(arm in row.confines for row in self.fixed[h]) for h in range(size)) for arm in Arm
        )
        self.barred = tuple(self._entry("barred", arm) for arm in Arm)  # R45, T40a, T41
        # By arm and hex: the neighbours that may be entered at all.
        self.passes = self._by_way(lambda arm: tuple(self._passes(arm, h) for h in range(size)))
        self.steps: tuple[tuple[tuple[Step, ...], ...], ...] = tuple(
            tuple(self._steps(arm, h) for h in range(size)) for arm in Arm
        )
        self.free_steps = tuple(tuple(tuple((n, 1) for n in row) for row in table) for table in self.passes)
        self.ground_steps = tuple(
            tuple(frozenset(n for n in self.passes[arm][h] if self._may_take(arm, h, n)) for h in range(size))
            for arm in Arm
        )
        self.retreats = tuple(
            self._by_way(partial(self._retreat_table, down=_down(battle, side))) for side in range(2)
        )

        self.flat = tuple(all(price == 1 for row in table for _, price in row) for table in self.steps)
        self._fans: dict[tuple[int, int, int, bool, bool], Fan] = {}

    def fan(self, arm: int, start: int, limit: int, free: bool, dry: bool) -> Fan:
        """The first and second hexes of every move within a limit, units and wire apart."""
        key = (arm, start, limit, free, dry)
        found = self._fans.get(key)
        if found is None:
            found = self._fans[key] = self._make_fan(arm, start, limit, free=free, dry=dry)
        return found

    def _make_fan(self, arm: int, start: int, limit: int, *, free: bool, dry: bool) -> Fan:
        steps = self.free_steps[arm] if free else self.steps[arm]
        direct = {n for n, _ in steps[start]}
        firsts: list[First] = []
        ways: dict[int, list[tuple[int, Answer]]] = {}
        ends: dict[int, bool] = {}
        for n, price in steps[start]:
            if price > limit or (dry and self.beach[n]):
                continue
            move: Answer = ("move", start, n)
            goes_on = price < limit and (free or not (self.stop[arm][n] or self.hedge[start]))  # R43, T9c
            home: Answer | None = None
            for m, more in steps[n] if goes_on else ():
                if price + more > limit or (dry and self.beach[m]):
                    continue
                if m == start:
                    home = (*move, start)
                elif m not in direct and (free or not self.hedge[m]):  # T9a
                    ways.setdefault(m, []).append((n, (*move, m)))
                    ends[m] = price + more < limit and (free or not self.stop[arm][m])
            firsts.append((n, move, goes_on, home))
        return tuple(firsts), tuple((m, ends[m], tuple(found)) for m, found in ways.items())

    def _entry(self, fact: str, arm: Arm) -> bytes:
        return bytes(
            any(arm in getattr(row, fact) for row in (self.ground[h], *self.fixed[h]))
            for h in range(self.grid.size)
        )

    def _benefits(self, h: int, side: int) -> tuple[Terrain, ...]:
        """The ground and the features whose cover a side enjoys on a hex (T40c)."""
        found = [self.ground[h]]
        for key, owner in self.facts[h].features:
            row = FEATURES[key]
            if row.loose or row.bridges:
                continue
            if row.owned and owner is not None and owner != SIDES[side]:
                continue
            if row.confines and owner is None and self.old:  # V64: nobody named, nobody protected
                continue
            found.append(row)
        return tuple(found)

    def _cover(self, side: int, arm: Arm) -> bytes:
        """Dice an attacker of an arm loses against a unit of a side on each hex, height apart (R62)."""
        return bytes(
            max(row.protection[arm] for row in self._benefits(h, side)) for h in range(self.grid.size)
        )

    def _flag(self, side: int, arm: Arm) -> bytes:
        """Whether a unit may ignore a flag on each hex (R100)."""
        return bytes(
            any(arm in row.ignores_flag for row in self._benefits(h, side)) for h in range(self.grid.size)
        )

    def _may_pass(self, arm: Arm, a: int, b: int, *, retreat: bool) -> bool:
        """Whether an arm may go from a hex to its neighbour at all, cost and stopping apart."""
        if self.impassable[b] or self.barred[arm][b] or self.confined[arm][a]:
            return False  # R45, T40b
        if abs(self.elevation[a] - self.elevation[b]) > 1:
            return False  # R42, T3
        joined = bool(self.links) and self._joined(a, b)
        if not joined and (a in self.links or b in self.links):
            return False  # a long bridge is entered and left at its ends only
        if not self.old and not joined:  # V68
            if self.bridge[b] and self._is_water(a):
                return False  # T21b
            if retreat and self.bridge[a] and self._is_water(b):
                return False  # T21c
        landed = self.old and not self.sea[a]
        return not (self.sea[b] and (retreat or landed))  # T23c; V60

    def _joined(self, a: int, b: int) -> bool:
        """Whether a long bridge leads from one hex straight to the other."""
        return b in self.links.get(a, ()) or a in self.links.get(b, ())

    def _is_water(self, h: int) -> bool:
        if self.bridge[h]:
            return not self.bridges_join  # T21d
        return self.ground[h].water

    def _slope(self, a: int, b: int) -> bool:
        """Whether the edge joins a beach and a dune or cliff (T24a)."""
        return (self.ground[a].beach and self.ground[b].sea_slope) or (
            self.ground[a].sea_slope and self.ground[b].beach
        )

    def _by_way(self, make: Callable[[Arm], Ways]) -> tuple[Ways, ...]:
        """A table of ways for each arm; arms that the same hexes bar and confine share one."""
        made: dict[tuple[bytes, bytes], Ways] = {}
        for arm in Arm:
            if (self.barred[arm], self.confined[arm]) not in made:
                made[self.barred[arm], self.confined[arm]] = make(arm)
        return tuple(made[self.barred[arm], self.confined[arm]] for arm in Arm)

    def _passes(self, arm: Arm, h: int) -> tuple[int, ...]:
        return tuple(n for n in self.grid.neighbours[h] if self._may_pass(arm, h, n, retreat=False))

    def _steps(self, arm: Arm, h: int) -> tuple[Step, ...]:
        found = []
        for n in self.passes[arm][h]:
            cost = 1
            if self._slope(h, n):
                if arm is not INFANTRY:
                    continue
                cost = 2
            elif self.ground[n].steep and self.elevation[h] < self.elevation[n]:
                cost = 2  # T26
            found.append((n, cost))
        return tuple(found)

    def _may_take(self, arm: Arm, a: int, b: int) -> bool:
        """Whether an arm may take the ground of a neighbour it may enter, marks of the turn apart (R108)."""
        if self._slope(a, b):
            if arm is not INFANTRY:
                return False
            return not (self.ground[b].sheer and self.ground[a].beach)  # T25
        return True

    def _retreat_table(self, arm: Arm, *, down: bool) -> Ways:
        return tuple(
            tuple(n for n in self.grid.behind(h, down=down) if self._may_pass(arm, h, n, retreat=True))
            for h in range(self.grid.size)
        )


def _down(battle: Battle, side: int) -> bool:
    return battle.sides[side].edge == "bottom"


def _rows(facts: HexFacts) -> tuple[Terrain, ...]:
    """The ground of a hex, then its features."""
    features = tuple(FEATURES[key] for key, _ in facts.features)
    ground = OPEN if any(row.bridges for row in features) else TERRAINS[facts.terrain]
    if "fordable" in facts.traits:
        ground = ground._replace(barred=NONE)  # T20; it is water all the same (T21b)
    return (ground, *features)


def _causeway_links(board: Grid, hexes: tuple[str, ...]) -> dict[int, tuple[int, ...]]:
    """For the inner hexes of a long bridge, the hexes they join."""
    numbers = [board.parse(label) for label in hexes]
    return {numbers[i]: (numbers[i - 1], numbers[i + 1]) for i in range(1, len(numbers) - 1)}
