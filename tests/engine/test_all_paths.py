"""Moves against a plain enumeration of all paths, with and without medals on the way: R39-R48, M14."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State
from engine.hexes import grid
from engine.movement import unit_moves
from engine.state import NOBODY
from tests.drawing import position
from tests.engine.acting import objective

BOARD = grid("standard")
FLAT = ("open",) * 8 + ("forest", "town", "hedgerow", "beach", "beach", "ocean", "river", "hill")
STEEP = (*FLAT, "steep-hill", "dune", "cliff", "mountain", "hill")
FEATURES = ("",) * 12 + ("wire", "bunker", "hedgehog", "bridge")
HEIGHTS = {"hill": 1, "dune": 1, "cliff": 1, "steep-hill": 1, "mountain": 2}
LIMITS = {"infantry": 2, "special-forces": 2, "armor": 3, "artillery": 1}

Facts = dict[int, tuple[str, str]]
Found = dict[tuple[int, frozenset[int]], int]


def surface(facts: Facts, h: int) -> str:
    """The ground as a unit finds it: a bridge makes it open (T21a)."""
    ground, feature = facts[h]
    return "open" if feature == "bridge" else ground


def price(facts: Facts, kind: str, a: int, b: int) -> int:
    """What a step costs; 0 if it is not possible (R41, R42, R45)."""
    on_foot = kind in ("infantry", "special-forces")
    here, there = surface(facts, a), surface(facts, b)
    if there == "river" or (facts[b][1] == "bridge" and here in ("river", "ocean")):
        return 0
    if not on_foot and (facts[b][1] in ("bunker", "hedgehog") or there == "mountain"):
        return 0
    climb = HEIGHTS.get(facts[b][0], 0) - HEIGHTS.get(facts[a][0], 0)
    if abs(climb) > 1:
        return 0
    if {here, there} in ({"beach", "dune"}, {"beach", "cliff"}):
        return 2 if on_foot else 0
    return 2 if there == "steep-hill" and climb > 0 else 1


def stops(facts: Facts, h: int) -> bool:
    """Whether a unit that enters must stop (R43)."""
    return surface(facts, h) in ("forest", "town", "hedgerow", "ocean") or facts[h][1] == "wire"


def all_moves(s: State, facts: Facts, unit: int, medals: frozenset[int]) -> Found:
    """For every end and set of medal hexes entered the lowest cost, over all paths."""
    kind = s.setup.types[unit].key
    start = s.pos[unit]
    found: Found = {}
    paths: list[tuple[tuple[int, ...], int]] = [((start,), 0)]
    for path, cost in paths:
        h = path[-1]
        if len(path) > 1:
            key = (h, medals & frozenset(path[1:]))
            found[key] = min(cost, found.get(key, cost))
            if stops(facts, h) or surface(facts, start) == "hedgerow":
                continue  # T9c
        for n in BOARD.neighbours[h]:
            step = price(facts, kind, h, n)
            shore = any(surface(facts, p) == "beach" for p in (*path[1:], n))
            if not step or cost + step > (min(LIMITS[kind], 2) if shore else LIMITS[kind]):
                continue  # T22a
            if (s.occupant[n] != NOBODY and n != start) or (
                surface(facts, n) == "hedgerow" and len(path) > 1
            ):
                continue  # R39, T9a
            paths.append(((*path, n), cost + step))
    return found


@pytest.mark.parametrize("grounds", [FLAT, STEEP], ids=["flat", "steep"])
@pytest.mark.parametrize("wanted", [0, 20], ids=["no medals", "twenty medals"])
@settings(max_examples=8, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_moves_agree_with_all_paths(grounds: tuple[str, ...], wanted: int, seed: int) -> None:
    """R39, R41, R42, R43, R45, R48, M14: ends, medals crossed on the way and costs, for every unit."""
    luck = random.Random(seed)
    facts: Facts = {h: (luck.choice(grounds), luck.choice(FEATURES)) for h in range(BOARD.size)}
    lines = [f"{BOARD.labels[h]} {ground} {feature}" for h, (ground, feature) in facts.items()]
    for h in luck.sample([h for h in facts if facts[h][1] != "bunker"], 24):
        lines.append(f"{BOARD.labels[h]} {luck.choice(('allies', 'axis'))} {luck.choice(sorted(LIMITS))}")
    medals = luck.sample(range(BOARD.size), wanted)
    goals = objective("permanent", " ".join(BOARD.labels[h] for h in medals), need=21) if medals else ()
    s = position("\n".join(lines), play_card=False, objectives=goals)
    for unit in s.units_of(0):
        found: Found = {}
        for _, _, *path in unit_moves(s, unit):
            key = (path[-1], frozenset(medals) & frozenset(path))
            assert key not in found
            steps = zip((s.pos[unit], *path), path, strict=False)
            found[key] = sum(price(facts, s.setup.types[unit].key, a, b) for a, b in steps)
        assert found == all_moves(s, facts, unit, frozenset(medals))
