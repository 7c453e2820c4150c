"""Battles written as scenario documents: reading them gives the battle back, and they look like ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from engine.battle import Battle, HexFacts
from engine.scenario import parse_battle
from pbem.library import load_battle, scenario_names, scenario_text
from pbem.scenario_writer import format_battle
from tests.pbem.random_battles import battles

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
    battle = battle._replace(
        title=words,
        source=words,
        labels=(("G5", words),),
        sides=(battle.sides[0]._replace(nation=words[:30].strip()), battle.sides[1]),
        objectives=(battle.objectives[0]._replace(name=words),),
        partial=(words, words + " " + words),
        text={"history": words, "allies": f"{words}\n{words}", "rules": f"{words}\n{words}"},
    )
    assert again(battle) == battle


@pytest.mark.parametrize(
    "text", ["one\n\nthree", "a\n  indented\nb", "two  blanks", "a " * 1500 + "end", "x" * 3000]
)
def test_prose_of_any_shape_comes_back(text: str) -> None:
    battle = load_battle("toulon")._replace(text={"history": text})
    assert again(battle).text["history"] == text


def test_some_owners_and_no_owner_come_back() -> None:
    """T40c: bunkers of both sides and of nobody in one battle."""
    bunkers: dict[str, str | None] = {"C3": "allies", "D3": "axis", "E3": None, "F3": "axis"}
    hexes = {label: HexFacts("open", (("bunker", owner),)) for label, owner in bunkers.items()}
    battle = load_battle("arracourt")._replace(hexes=hexes, units=load_battle("arracourt").units)
    assert "bunker: {allies: C3, axis: D3 F3}" in format_battle(battle)
    assert again(battle).hexes == hexes


@settings(max_examples=40, deadline=None)
@given(battles())
def test_random_battles_come_back(battle: Battle) -> None:
    assert again(battle) == battle
