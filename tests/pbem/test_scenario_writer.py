"""Battles written as scenario documents: reading them gives the battle back, and they look like ours."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.battle import OBJECTIVE_KINDS, SIDES, Battle, HexFacts, ObjectiveFacts, UnitFacts
from engine.hexes import grid
from engine.scenario import parse_battle
from engine.terrain import FEATURES, TERRAINS, TRAITS
from engine.units import UNITS
from pbem.library import load_battle, scenario_names, scenario_text
from pbem.scenario_writer import format_battle

SMALL = Path(__file__).parents[1] / "engine" / "fixtures" / "small.yaml"


def again(battle: Battle) -> Battle:
    """A battle after it was written and read."""
    return parse_battle(format_battle(battle), name=f"{battle.key}.yaml")


@pytest.mark.parametrize("name", scenario_names())
def test_every_battle_of_the_library_comes_back(name: str) -> None:
    battle = load_battle(name)
    assert again(battle) == battle


@pytest.mark.parametrize("name", [name for name in scenario_names() if name != "vassieux"])
def test_what_is_written_is_what_a_person_wrote(name: str) -> None:
    """Byte for byte; only one battle has its prose broken at other places."""
    assert format_battle(load_battle(name)) == scenario_text(name)


def test_every_part_of_a_document_comes_back() -> None:
    battle = parse_battle(SMALL.read_text(encoding="utf-8"), name="small.yaml")
    assert again(battle) == battle


@pytest.mark.parametrize(
    "words",
    [
        "plain",
        "a: b",
        "# no remark",
        "- no item",
        "yes",
        "12",
        "{braces}, [brackets] & *stars* ! | > % @ `",
        "\"quoted\" and 'quoted'",
        "back\\slash",
        "'",
        "ends with a colon:",
        "Sainte-Mère-Église – “Île” …",
        "Прохоровка 戦車",
        "x" * 60,
    ],
)
def test_awkward_words_come_back(words: str) -> None:
    battle = load_battle("toulon")
    battle = replace(
        battle,
        title=words,
        source=words,
        labels=(("G5", words),),
        sides=(replace(battle.sides[0], nation=words[:30].strip()), battle.sides[1]),
        objectives=(replace(battle.objectives[0], name=words),),
        partial=(words, words + " " + words),
        text={"history": words, "allies": f"{words}\n{words}", "rules": f"{words}\n{words}"},
    )
    assert again(battle) == battle


@pytest.mark.parametrize(
    "text", ["one\n\nthree", "a\n  indented\nb", "two  blanks", "a " * 1500 + "end", "x" * 3000]
)
def test_prose_of_any_shape_comes_back(text: str) -> None:
    battle = replace(load_battle("toulon"), text={"history": text})
    assert again(battle).text["history"] == text


def test_some_owners_and_no_owner_come_back() -> None:
    """T40c: bunkers of both sides and of nobody in one battle."""
    bunkers: dict[str, str | None] = {"C3": "allies", "D3": "axis", "E3": None, "F3": "axis"}
    hexes = {label: HexFacts("open", (("bunker", owner),)) for label, owner in bunkers.items()}
    battle = replace(load_battle("arracourt"), hexes=hexes, units=load_battle("arracourt").units)
    assert "bunker: {allies: C3, axis: D3 F3}" in format_battle(battle)
    assert again(battle).hexes == hexes


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
            draw(st.sampled_from(tuple(UNITS))),
            label,
            draw(st.integers(1, 12)),
            draw(st.integers(0, 3)),
            draw(st.sampled_from(("", "ranger", "panzer-grenadier"))),
        )
        for n, label in enumerate(free)
    ]
    units.sort(key=lambda u: (u.side, u.type, u.figures, u.medals, u.nation))
    kinds = draw(st.lists(st.sampled_from([kind for kind in OBJECTIVE_KINDS if kind != "exit"]), max_size=4))
    objectives = tuple(
        ObjectiveFacts(kind, draw(sides), tuple(free[: n + 1])) for n, kind in enumerate(kinds)
    )
    return replace(
        load_battle("arracourt"),
        shape=shape,
        hexes=hexes,
        units=tuple(units),
        objectives=objectives,
        labels=tuple((label, f"Place {n}") for n, label in enumerate(free[:3])),
        victory_needs=tuple(range(len(kinds)))[:1],
    )


@settings(max_examples=40, deadline=None)
@given(battles())
def test_random_battles_come_back(battle: Battle) -> None:
    assert again(battle) == battle
