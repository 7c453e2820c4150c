"""Answers given ahead of the question: attack orders and standing orders, one small language.

A *plan* lists attacks for dice that fall when the opponent opens the file. *Standing orders* and the boxes
of an answer sheet say how a unit retreats and which flags it ignores. `parse_plan` and `parse_stand` refuse
every other form (E_RULE), `choose_route` and `choose_flags` decide; `rate` asks the board what a hex is
worth.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine.board import Board
from engine.retreat import routes
from engine.state import NOBODY, State
from engine.terrain import FEATURES, INFANTRY, SANDBAGS
from pbem.errors import Fault

MOST_ORDERS = 32
MOST_TARGETS = 8
MOST_CRITERIA = 8
MOST_NAMED = 16
UNITS = 64
LABEL = re.compile(r"[A-Za-z][1-9][0-9]?", re.ASCII)
WORDS = ("cover", "away", "together", "objective", "left", "right")
FLAGS = ("always", "never", "if-it-avoids-a-loss")

Target = int | str  # an enemy unit wherever it is, or whoever stands on a hex
Criterion = str | tuple[str, ...]
Route = tuple[Criterion, ...]


class Order(NamedTuple):
    """One attack, ordered before the dice are known."""

    unit: int
    targets: tuple[Target, ...]
    ground: bool
    overrun: tuple[Target, ...]
    hold: bool

    def as_value(self) -> list[Any]:
        """The form that travels."""
        return [self.unit, list(self.targets), self.ground, list(self.overrun), self.hold]


class Preference(NamedTuple):
    """How a unit retreats and ignores flags."""

    route: Route = ()
    flags: str | None = None


class Stand(NamedTuple):
    """Standing orders: one preference for all, others for single units."""

    general: Preference
    units: dict[int, Preference]

    def of(self, unit: int) -> Preference:
        """The preference that speaks for a unit."""
        return self.units.get(unit, self.general)


NO_ORDERS = Stand(Preference(), {})


# Reading


def parse_plan(value: Any) -> tuple[Order, ...] | None:
    """Attack orders; None confirms what is left of an earlier plan. Raises Fault E_RULE."""
    if value is None:
        return None
    _need(isinstance(value, list) and len(value) <= MOST_ORDERS, "a plan is a list of at most 32 orders")
    return tuple(_parse_order(row) for row in value)


def _parse_order(row: Any) -> Order:
    _need(isinstance(row, list) and len(row) == 5, "an attack order has five parts")
    unit, targets, ground, overrun, hold = row
    _need(_is_unit(unit), "an attack order names no unit")
    _need(isinstance(ground, bool) and isinstance(hold, bool), "an attack order has a strange switch")
    first = _parse_targets(targets)
    then = _parse_targets(overrun)
    _need(bool(first), "an attack order names no target")
    _need(ground or not then, "an overrun needs ground to be taken")
    return Order(unit, first, ground, then, hold)


def _parse_targets(value: Any) -> tuple[Target, ...]:
    _need(isinstance(value, list) and len(value) <= MOST_TARGETS, "an attack names at most 8 targets")
    _need(all(_is_unit(item) or is_label(item) for item in value), "a target is neither a unit nor a hex")
    _need(len(set(value)) == len(value), "a target is named twice")
    return tuple(value)


def parse_stand(value: Any) -> Stand:
    """Standing orders; raises Fault E_RULE."""
    _need(isinstance(value, list) and len(value) <= UNITS + 1, "standing orders are a list")
    general, units, last = Preference(), {}, -1
    for place, row in enumerate(value):
        _need(isinstance(row, list) and len(row) == 3, "a standing order has three parts")
        unit, route, flags = row
        preference = Preference(parse_route(route), parse_flags(flags))
        if unit is None:
            _need(place == 0, "the order for all other units comes first")
            general = preference
        else:
            _need(_is_unit(unit) and unit > last, "standing orders name units in ascending order")
            units[unit] = preference
            last = unit
    return Stand(general, units)


def stand_value(stand: Stand) -> list[Any]:
    """The form in which standing orders travel."""
    rows = [[unit, route_value(p.route), p.flags] for unit, p in sorted(stand.units.items())]
    if stand.general != Preference():
        rows.insert(0, [None, route_value(stand.general.route), stand.general.flags])
    return rows


def parse_route(value: Any) -> Route:
    """The criteria of a retreat, best first; raises Fault E_RULE."""
    if value is None:
        return ()
    _need(isinstance(value, list) and len(value) <= MOST_CRITERIA, "a route has at most 8 criteria")
    found: list[Criterion] = []
    for item in value:
        if isinstance(item, list):
            _need(
                0 < len(item) <= MOST_NAMED and all(is_label(h) for h in item), "a route names strange hexes"
            )
            _need(len(set(item)) == len(item), "a route names a hex twice")
            found.append(tuple(item))
        else:
            _need(isinstance(item, str) and item in WORDS, "a route has a criterion nobody knows")
            found.append(item)
    words = [item for item in found if isinstance(item, str)]
    _need(len(set(words)) == len(words), "a criterion is used twice")
    return tuple(found)


def route_value(route: Route) -> list[Any] | None:
    """The form in which criteria travel."""
    return [list(item) if isinstance(item, tuple) else item for item in route] or None


def parse_flags(value: Any) -> str | None:
    """How many flags to ignore; raises Fault E_RULE."""
    _need(value is None or (isinstance(value, str) and value in FLAGS), "flags are ignored in no such way")
    return None if value is None else str(value)


def is_label(value: Any) -> bool:
    """Whether a value has the form of a hex label."""
    return isinstance(value, str) and LABEL.fullmatch(value) is not None


def _is_unit(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < UNITS


def _need(met: bool, message: str) -> None:
    if not met:
        raise Fault("E_RULE", message)


# Deciding

Path = tuple[str, ...]  # the hexes of a retreat by label, the start not among them


def choose_flags(preference: str | None, losses: Sequence[int]) -> int:
    """How many flags to ignore, where `losses[n]` figures are lost after ignoring n."""
    if preference == "always":
        return len(losses) - 1
    if preference == "never":
        return 0
    return min(range(len(losses)), key=lambda n: (losses[n], n))


def choose_route(
    route: Route,
    paths: Sequence[Path],
    rate: Callable[[str, str], int],
    at: Callable[[str], tuple[int, int]],
) -> Path:
    """The best of some retreats: by the criteria in turn, then fewer steps, then the place on the board.

    `rate(word, hex)` is smaller the better a hex is, `at(hex)` its row and column.
    """
    left = list(paths)
    for criterion in route:
        if isinstance(criterion, tuple):
            names = [name.upper() for name in criterion]
            marks = [names.index(p[-1].upper()) if p and p[-1].upper() in names else len(names) for p in left]
        else:
            marks = [rate(criterion, path[-1]) if path else 0 for path in left]
        best = min(marks)
        left = [path for path, mark in zip(left, marks, strict=True) if mark == best]
    return min(left, key=lambda path: (len(path), [at(label) for label in path]))


def rate_hex(s: State, unit: int, word: str, h: int) -> int:
    """What a hex is worth to a retreating unit, smaller is better; the unit itself is not on the board."""
    setup = s.setup
    side = setup.side[unit]
    if word == "cover":
        return -cover_of(setup.board, s.marks[h], side, h)
    if word == "away":
        enemies = [s.pos[u] for u in s.units_of(1 - side)]
        return -min((setup.grid.near[h][e] for e in enemies), default=0)
    if word == "together":
        friends = [s.pos[u] for u in s.units_of(side) if u != unit]
        return -sum(1 for f in friends if setup.grid.near[h][f] == 1)
    if word == "objective":
        return min((setup.grid.near[h][o] for o in medal_hexes(s, side)), default=0)
    x = setup.grid.xy[h][0]
    return x if (word == "left") == setup.bottom[side] else -x


def cover_of(board: Board, marks: int, side: int, h: int) -> int:
    """Dice that a hex takes from an infantry attack on a unit of a side, from lower ground at best."""
    bags = FEATURES["sandbags"].protection[INFANTRY] if marks & SANDBAGS else 0
    return max(board.protection[side][INFANTRY][h], board.height[h], bags)


def medal_hexes(s: State, side: int) -> list[int]:
    """Hexes that can give a side a medal, or keep it one."""
    return [
        h
        for o in s.setup.objectives
        if o.sides >> side & 1 and not (o.kind == "permanent" and s.held[o.number] != NOBODY)
        for h in o.hexes
    ]


def decide_route(s: State, unit: int, route: Route) -> tuple[Any, ...]:
    """The engine's answer to a pending question for a route."""
    grid = s.setup.grid
    paths = {tuple(grid.labels[h] for h in answer[2:]): answer for answer in s.answers}
    chosen = choose_route(
        route,
        list(paths),
        lambda word, label: rate_hex(s, unit, word, grid.parse(label)),
        lambda label: (grid.xy[grid.parse(label)][1], grid.xy[grid.parse(label)][0]),
    )
    return paths[chosen]


def decide_flags(s: State, unit: int, flags: str | None) -> tuple[Any, ...]:
    """The engine's answer to a pending question for ignored flags."""
    assert s.fight is not None
    rolled = s.fight.flags
    counts = [answer[1] for answer in s.answers]
    losses = [routes(s, unit, rolled - count)[1] if rolled > count else 0 for count in counts]
    return ("ignore", counts[choose_flags(flags, losses)])
