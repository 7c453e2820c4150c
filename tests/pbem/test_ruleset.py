"""What the rules add to the terms of a game."""

from __future__ import annotations

import pytest

from pbem.library import scenario_text
from pbem.ruleset import build_terms, read_match
from pbem.terms import parse_terms
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
