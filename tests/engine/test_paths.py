"""Every move of random positions, against a plain reading of the rules that tries all paths.

The engine searches with tables and listens to costs, beaches and medals in one go; here each path is walked
hex by hex and judged by what the rules say of the terrain by name.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from engine import State, apply, legal
from engine.movement import legal_moves
from engine.terrain import TERRAINS
from tests.drawing import ObjectiveFacts, play, position

LEVEL = ("forest", "hedgerow", "hill", "town", "river", "beach", "ocean")
STEEP = (*LEVEL, "dune", "cliff", "steep-hill", "steep-hill")
AROUND = "H5 F5 g6 f6 g4 f4 I5 E5 h6 e6 h4 e4 G7 H7 F7 G3 H3 F3 J5 D5 i6 d6 g8 f8 g2 f2 I7 E7"
PLACES = AROUND.split(" ")
STOPS = ("forest", "hedgerow", "town", "ocean")


class Walker(NamedTuple):
    """A unit with a card, and how far it may go."""

    kind: str
    card: str
    limit: int


WALKERS = [
    Walker("infantry", "direct-from-hq", 2),
    Walker("infantry", "infantry-assault", 3),
    Walker("armor", "direct-from-hq", 3),
    Walker("artillery", "direct-from-hq", 1),
    Walker("artillery", "artillery-bombard", 3),
]


def random_text(luck: random.Random, kind: str, ground: tuple[str, ...]) -> str:
    """A unit on G5 in the middle of random ground, with other units, wire, bunkers and bridges."""
    lines = [f"G5 {luck.choice(('open', 'beach', 'hill', 'hedgerow', 'ocean'))} : allies {kind}"]
    for label in PLACES:
        tile = luck.choice(("open", "open", *ground))
        if tile == "river":
            tile = luck.choice(("river", "river + bridge", "river fordable"))
        elif luck.random() < 0.15:
            tile += luck.choice((" + wire", " + bunker", " + hedgehog"))
        unit = luck.choice((" : axis infantry", " : allies armor")) if luck.random() < 0.1 else ""
        lines.append(f"{label} {tile}{unit}")
    return "\n".join(lines)


def ready(text: str, walker: Walker, **settings: Any) -> State:
    """The position in which the unit on G5 may move under its card."""
    s = position(text, card=walker.card, **settings)
    if s.phase == "section":
        s = play(s, "section center")
    s = play(s, "order G5")
    return play(s, "done") if s.phase == "order" else s


class Reading:
    """The rules of movement as sentences about one position."""

    def __init__(self, s: State, walker: Walker) -> None:
        self.s = s
        self.walker = walker
        self.start = s.setup.grid.parse("G5")
        self.facts = s.setup.board.facts

    def name(self, h: int) -> str:
        """The terrain; a bridge makes it open ground (T21a)."""
        return "open" if "bridge" in self.things(h) else self.facts[h].terrain

    def things(self, h: int) -> set[str]:
        return {key for key, _ in self.facts[h].features}

    def can_enter(self, h: int) -> bool:
        if self.s.occupant[h] not in (255, self.s.occupant[self.start]):
            return False  # R39
        if self.name(h) == "river" and "fordable" not in self.facts[h].traits:
            return False  # T20
        return self.walker.kind == "infantry" or not self.things(h) & {"bunker", "hedgehog"}  # T40a, T41

    def price(self, a: int, b: int) -> int:
        """What the step costs; more than anybody has if it cannot be made."""
        if not self.can_enter(b):
            return 99
        if "bridge" in self.things(b) and self.name(a) in ("ocean", "river"):
            return 99  # T21b
        if {self.name(a), self.name(b)} in ({"beach", "dune"}, {"beach", "cliff"}):
            return 2 if self.walker.kind == "infantry" else 99  # T24a, T25
        return 2 if self.name(b) == "steep-hill" and not TERRAINS[self.name(a)].elevation else 1  # T26

    def must_end(self, path: tuple[int, ...]) -> bool:
        """Whether a path cannot go on (R43, T9c)."""
        if len(path) == 1:
            return False
        here = path[-1]
        return self.name(here) in STOPS or "wire" in self.things(here) or self.name(self.start) == "hedgerow"

    def paths(self, path: tuple[int, ...] = (), cost: int = 0) -> Iterator[tuple[tuple[int, ...], int]]:
        """All legal paths from the start, each with its cost."""
        path = path or (self.start,)
        if len(path) > 1:
            yield path, cost
        if self.must_end(path):
            return
        for n in self.s.setup.grid.neighbours[path[-1]]:
            total = cost + self.price(path[-1], n)
            if total > self.walker.limit or (len(path) > 1 and self.name(n) == "hedgerow"):
                continue  # T9a
            if total > 2 and any(self.name(h) == "beach" for h in (*path[1:], n)):
                continue  # T22a
            yield from self.paths((*path, n), total)


def listed(s: State) -> list[tuple[int, ...]]:
    """The paths the engine offers to the unit on G5."""
    start = s.setup.grid.parse("G5")
    return [a[1:] for a in legal(s) if a[0] == "move" and a[1] == start]


@pytest.mark.parametrize("ground", [LEVEL, STEEP], ids=["level", "steep"])
@pytest.mark.parametrize("walker", WALKERS, ids=lambda w: f"{w.kind} {w.card}")
def test_every_hex_in_reach_by_its_cheapest_path(walker: Walker, ground: tuple[str, ...]) -> None:
    """R39, R41, R43, R45, R48, T9a, T9c, T20, T21b, T22a, T22e, T23a, T24a, T26, T40a, T41, T42a: ends."""
    for seed in range(15):
        s = ready(random_text(random.Random(f"{walker}{seed}"), walker.kind, ground), walker)
        costs = dict(Reading(s, walker).paths())
        cheapest: dict[int, int] = {}
        for path, cost in costs.items():
            cheapest[path[-1]] = min(cost, cheapest.get(path[-1], 99))
        assert {path[-1]: costs[path] for path in listed(s)} == cheapest, seed


@pytest.mark.parametrize("walker", WALKERS[:3], ids=lambda w: f"{w.kind} {w.card}")
def test_every_set_of_medals_on_the_way(walker: Walker) -> None:
    """R22, R48, M14: for each end and each set of permanent objectives crossed, the cheapest path."""
    for seed in range(15):
        luck = random.Random(f"medals{walker}{seed}")
        goals = tuple(
            ObjectiveFacts("permanent", ("allies",), (label,)) for label in luck.sample(PLACES[:18], 3)
        )
        s = ready(random_text(luck, walker.kind, STEEP), walker, objectives=goals)
        open_goals = {
            o.hexes[0] for o in s.setup.objectives if s.held[o.number] == 255
        }  # those no unit stands on
        near = any(s.setup.grid.near[s.pos[0]][h] < walker.limit for h in open_goals)
        costs = dict(Reading(s, walker).paths())
        cheapest: dict[tuple[int, frozenset[int]], int] = {}
        for path, cost in costs.items():
            key = (path[-1], frozenset(path[1:]) & open_goals if near else frozenset())
            cheapest[key] = min(cost, cheapest.get(key, 99))
        found = {(p[-1], frozenset(p[1:]) & open_goals if near else frozenset()): costs[p] for p in listed(s)}
        assert found == cheapest, seed


def test_moves_remembered_are_the_moves_there_are() -> None:
    """R37, R39: after every move the list is what a fresh look would find."""
    for seed in range(25):
        luck = random.Random(seed)
        s = position(random_text(luck, "armor", LEVEL) + "\nB2 allies infantry\nK8 allies armor")
        while s.phase == "order":
            s = apply(s, legal(s)[0]).state
        while s.phase == "move":
            fresh = s.copy()
            fresh.moves = {}
            assert (*legal_moves(fresh), ("done",)) == legal(s), seed
            s = apply(s, luck.choice(legal(s)[:-1])).state
