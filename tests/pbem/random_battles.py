"""Random battles for property tests: all boards, all pieces the engine has."""

from __future__ import annotations

from hypothesis import strategies as st

from engine.battle import CHECKS, OBJECTIVE_KINDS, SIDES, Battle, HexFacts, ObjectiveFacts, UnitFacts
from engine.hexes import grid
from engine.terrain import FEATURES, TERRAINS, TRAITS
from engine.units import UNITS
from pbem.library import load_battle


@st.composite
def battles(draw: st.DrawFn) -> Battle:
    """Battles on all boards with random ground, units and objectives that the loader accepts."""
    shape = draw(st.sampled_from(("standard", "breakthrough", "overlord")))
    board = grid(shape)
    labels = draw(st.lists(st.sampled_from(board.labels), min_size=12, max_size=30, unique=True))
    owners = st.sampled_from((None, *SIDES))
    sides = st.sampled_from((SIDES, *((side,) for side in SIDES)))
    free, ground = labels[:8], labels[8:]
    hexes = {}
    for label in sorted(ground, key=board.parse):
        features = draw(st.lists(st.sampled_from(tuple(FEATURES)), max_size=3, unique=True))
        facts = HexFacts(
            draw(st.sampled_from([key for key in TERRAINS if key not in ("river", "lake")])),
            tuple((key, draw(owners) if FEATURES[key].owned else None) for key in features),
            draw(st.frozensets(st.sampled_from(tuple(TRAITS)))),
        )
        if facts != HexFacts():
            hexes[label] = facts
    units = [
        UnitFacts(
            SIDES[n % 2],
            "infantry" if n < 2 else draw(st.sampled_from(tuple(UNITS))),
            label,
            draw(st.integers(1, 12)),
            draw(st.integers(0, 3)),
            draw(st.sampled_from(("", "ranger", "panzer-grenadier"))),
        )
        for n, label in enumerate(free)
    ]
    units.sort(key=lambda u: (u.side, u.type, u.figures, u.medals, u.nation))
    kinds = draw(st.lists(st.sampled_from(tuple(OBJECTIVE_KINDS)), max_size=4))
    objectives = []
    for n, kind in enumerate(kinds):
        hexes_of = tuple(free[: n + 1]) if kind != "exit" else board.labels[n : 2 * n + 1]
        check, need, medals = "at-once", 1, draw(st.integers(1, 3))
        if kind != "exit":  # whose hexes are never held
            check, need = draw(st.sampled_from(CHECKS)), draw(st.integers(1, n + 1))
        if kind == "sudden-death":  # which scores nothing
            medals = 1
        objectives.append(ObjectiveFacts(kind, draw(sides), hexes_of, need, medals, check))
    return load_battle("arracourt")._replace(
        shape=shape,
        hexes=hexes,
        units=tuple(units),
        objectives=tuple(objectives),
        labels=tuple((label, f"Place {n}") for n, label in enumerate(free[:3])),
        victory_needs=tuple(range(len(kinds)))[:1],
    )
