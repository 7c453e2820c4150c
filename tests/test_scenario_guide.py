"""docs/scenarios.md: its example loads, its tables are those of the engine, its messages are real."""

from __future__ import annotations

import re
from itertools import zip_longest
from pathlib import Path

import pytest

from engine.battle import OBJECTIVE_KINDS
from engine.errors import ScenarioError
from engine.scenario import DOCUMENT, OBJECTIVE, SIDE, parse_battle
from engine.terrain import FEATURES, TERRAINS, TRAITS
from engine.units import UNITS

GUIDE = (Path(__file__).parents[1] / "docs" / "scenarios.md").read_text(encoding="utf-8")
EXAMPLE = GUIDE.split("```yaml\n")[1].split("```")[0]


def marked(name: str) -> str:
    """The part of the guide between two marks."""
    return GUIDE.split(f"<!-- begin {name} -->\n")[1].split(f"<!-- end {name} -->")[0]


def test_the_example_is_a_battle() -> None:
    battle = parse_battle(EXAMPLE, name="my-battle.yaml")
    assert battle.title == "The Mill at Rivebelle"
    assert dict(battle.hexes["F7"].features) == {"bunker": "axis"}
    assert len(battle.units) == 14
    assert battle.units[-1].medals == 2
    assert len(battle.objectives) == 3


def test_the_table_of_signs_is_complete() -> None:
    rows = [(f"`{row.glyph}`", row.key) for row in TERRAINS.values()]
    half = len(rows) // 2
    features = [(f"`{row.glyph}`", row.key) for row in FEATURES.values()]
    lines = ["| terrain | | terrain | | feature | |", "|---|---|---|---|---|---|"]
    for a, b, c in zip_longest(rows[:half], rows[half:], features, fillvalue=("", "")):
        lines.append("|" + "|".join(f" {cell} " if cell else " " for cell in (*a, *b, *c)) + "|")
    assert marked("signs") == "\n".join(lines) + "\n"


def test_the_table_of_objectives_is_complete() -> None:
    rows = [f"| `{kind}` | {words} |" for kind, words in OBJECTIVE_KINDS.items()]
    assert marked("kinds") == "\n".join(["| kind | |", "|---|---|", *rows]) + "\n"


@pytest.mark.parametrize("word", [*DOCUMENT, *SIDE, *OBJECTIVE, *TRAITS, *UNITS])
def test_every_key_is_explained(word: str) -> None:
    assert f"`{word}`" in GUIDE or f"`{word}:" in GUIDE


@pytest.mark.parametrize("key", [key for key, needed in DOCUMENT.items() if needed])
def test_keys_that_must_be_there_are_bold(key: str) -> None:
    assert f"| **`{key}`** |" in GUIDE


@pytest.mark.parametrize("message", re.findall(r"^    my-battle\.yaml, (line .*)$", GUIDE, re.MULTILINE))
def test_the_messages_shown_are_those_that_appear(message: str) -> None:
    slips = {
        "row 6": ("  6    .   ", "  6    "),
        '"N4"': ("c2 d2", "c2 N4"),
        '"armour"': ("    armor: ", "    armour: "),
    }
    old, new = next(slip for words, slip in slips.items() if words in message)
    with pytest.raises(ScenarioError) as caught:
        parse_battle(EXAMPLE.replace(old, new), name="my-battle.yaml")
    assert str(caught.value) == f"my-battle.yaml, {message}"
