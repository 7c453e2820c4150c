"""What the rules add to the terms of a game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.battle import CHOICES, MOST, Options
from pbem.errors import Fault
from pbem.library import scenario_text
from pbem.ruleset import build_terms, read_match
from pbem.terms import parse_terms
from pbem.wording import OPTION_WORDS, option_text
from tests.mailgame import ALICE, BOB


@pytest.mark.parametrize(
    ("typed", "travels"),
    [
        pytest.param("Anna", "Anna", id="as it is"),
        pytest.param("  Anna \t Maria\n", "Anna Maria", id="blanks"),
        pytest.param("a" * 63 + " b", "a" * 63, id="cut in front of a blank"),
        pytest.param("a" * 70, "a" * 64, id="too long"),
        pytest.param("An\u202ena", "An na", id="invisible"),
    ],
)
def test_a_name_travels_in_a_form_that_is_accepted(typed: str, travels: str) -> None:
    terms = build_terms(
        scenario_text("pegasus-bridge"), army="allies", pk=ALICE.pk, opponent=BOB.pk, names=(typed, "Bob")
    )
    assert read_match(parse_terms(terms.as_value())).names == (travels, "Bob")


@pytest.mark.parametrize(
    "options", [{"deck": "foo"}, {"hand": "99"}, {"air_dice": "9/9"}, {"luck": "yes"}, {"timing": "table"}]
)
def test_a_hostile_invitation_with_impossible_options_is_refused(options: dict[str, str]) -> None:
    """Terms are somebody else's words: what the rules cannot play is a fault, never a crash."""
    terms = build_terms(
        scenario_text("pegasus-bridge"), army="allies", pk=ALICE.pk, opponent=BOB.pk, names=("Anna", "Bob")
    )
    hostile = terms._replace(extra={**terms.extra, "options": options})
    with pytest.raises(Fault) as fault:
        read_match(parse_terms(hostile.as_value()))
    assert fault.value.code == "E_RULE"


def test_options_are_said_in_words() -> None:
    """Every option of the rules has its sentence, and a battle's terms show it."""
    assert set(OPTION_WORDS) == set(Options._fields) - {"timing"}
    assert option_text("take_ground", "no") == "Nobody takes ground after a battle."
    assert option_text("air_dice", "3/4") == "Air Power rolls 3/4 dice for the Allies/Axis."
    assert option_text("edition", "2004") == "The rules are those of the 2004 edition."
    assert option_text("edition", "new") == "The rules are those of the new edition."


def test_the_page_of_commands_lists_all_options() -> None:
    """docs/commands.md says what may be given with --option."""
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `([a-z_]+)` \| `([^|]+)` \|", page.split("### Options of the rules")[1], re.M)
    assert {name for name, _ in listed} == set(OPTION_WORDS)
    for name, values in listed:
        if name in CHOICES:
            assert values.split("`, `") == [value for value in CHOICES[name] if value]
        elif name in MOST:
            assert re.findall(r"\d+", values.split(" to ")[1])[0] == str(MOST[name])
        else:
            assert values == "yes`, `no"
