"""Routes of retreat against a plain enumeration of all paths: rules R92-R99, R102, R104."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State
from engine.retreat import routes
from engine.state import NOBODY
from tests.drawing import position

Place = tuple[int, int]

GROUND = ("open",) * 12 + (
    "river",
    "ocean",
    "beach",
    "hill",
    "mountain",
    "dune",
    "lake",
    "forest",
    "hedgerow",
)
FEATURES = ("",) * 10 + ("bunker", "hedgehog", "wire", "sandbags", "bridge", "bridge")
KINDS = ("infantry", "armor", "artillery", "resistance")
HEIGHTS = {"hill": 1, "dune": 1, "mountain": 2}


def random_position(luck: random.Random) -> tuple[State, dict[str, tuple[str, str]]]:
    """A crowded board, and its ground and feature by label."""
    labels = position("", play_card=False).setup.grid.labels
    facts = {label: (luck.choice(GROUND), luck.choice(FEATURES)) for label in labels}
    lines = []
    for label, (ground, feature) in facts.items():
        lines.append(f"{label} {ground} {feature}")
        if luck.random() < 0.3 and feature != "bunker":
            lines[-1] += f" : {luck.choice(('allies', 'axis'))} {luck.choice(KINDS)}"
    return position("\n".join(_at_most(lines, 60)), play_card=False), facts


def _at_most(lines: list[str], units: int) -> list[str]:
    """The same lines with no more than so many units, the first ones."""
    found = []
    for line in lines:
        ground, _, unit = line.partition(" : ")
        units -= bool(unit)
        found.append(line if units >= 0 else ground)
    return found


def may_step(s: State, facts: dict[str, tuple[str, str]], kind: str, a: Place, b: Place) -> bool:
    """Whether a unit may fall back from one place to the next (R94)."""
    at = s.setup.grid.at
    if b not in at or s.occupant[at[b]] != NOBODY:
        return False
    (ground_a, feature_a), (ground_b, feature_b) = (facts[s.setup.grid.labels[at[p]]] for p in (a, b))
    water_a = ground_a in ("river", "lake", "ocean") and feature_a != "bridge"
    water_b = ground_b in ("river", "lake", "ocean") and feature_b != "bridge"
    if water_b or (feature_b == "bridge" and water_a):
        return False
    on_foot = kind in ("infantry", "resistance")
    if not on_foot and (
        feature_b in ("bunker", "hedgehog") or (ground_b == "mountain" and feature_b != "bridge")
    ):
        return False
    return abs(HEIGHTS.get(ground_a, 0) - HEIGHTS.get(ground_b, 0)) <= 1


def all_paths(
    s: State, facts: dict[str, tuple[str, str]], unit: int, longest: int
) -> list[tuple[Place, ...]]:
    """Every way back of at most so many steps, the empty one included."""
    kind = s.setup.types[unit].key
    down = 1 if s.setup.side[unit] == 0 else -1  # the allies sit at the bottom (R93)
    paths: list[tuple[Place, ...]] = [(s.setup.grid.xy[s.pos[unit]],)]
    for path in paths:
        x, y = path[-1]
        for step in ((x - 1, y + down), (x + 1, y + down)):
            if len(path) <= longest and may_step(s, facts, kind, (x, y), step):
                paths.append((*path, step))
    return paths


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_routes_agree_with_all_paths(seed: int) -> None:
    """R92, R93, R94, R95, R96, R97, R98, R99, R102, R104: ends, lengths and losses of every unit."""
    s, facts = random_position(random.Random(seed))
    for unit in (*s.units_of(0), *s.units_of(1)):
        for flags in (1, 2, 3):
            most = flags * (3 if s.setup.types[unit].key == "resistance" else 1)
            paths = all_paths(s, facts, unit, most)
            done = max(len(path) - 1 for path in paths)
            least = min(done, flags)
            wanted = {(path[-1], len(path) - 1) for path in paths if len(path) - 1 >= least}
            found, losses = routes(s, unit, flags)
            assert {(s.setup.grid.xy[way[-1]], len(way) - 2) for way in found} == wanted
            assert len(found) == len(wanted)
            assert losses == flags - least
