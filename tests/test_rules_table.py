"""The table of rules: how its sources are read."""

from __future__ import annotations

import pytest

from scripts.rules_table import (
    INDEX,
    ROOT,
    TABLE,
    Citation,
    Rule,
    citations_in_modules,
    citations_in_tests,
    cited_by_functions,
    head_numbers,
    make_table,
    module_numbers,
    read_index,
    untested,
)


def index() -> list[Rule]:
    """The committed index."""
    return read_index((ROOT / INDEX).read_text(encoding="utf-8"))


def test_the_index_names_every_rule_of_the_base_game_without_a_hole() -> None:
    numbers = {rule.number for rule in index()}
    assert {f"R{n}" for n in range(1, 131)} <= numbers
    assert {f"M{n}" for n in range(1, 26)} <= numbers
    assert {f"V{n}" for n in (10, 11, 12, 40, 41, 42, *range(60, 85))} <= numbers
    assert {f"C{n}" for n in (*range(1, 17), *range(20, 35))} <= numbers
    assert sum(1 for number in numbers if number[0] == "Q") == 235


def test_titles_are_short_and_plain() -> None:
    for rule in index():
        assert 3 < len(rule.title) <= 70, rule
        assert rule.title[0].isupper() or rule.title[0].isdigit(), rule
        assert not rule.title.endswith(".")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("R53, R54: a unit next to C3", ["R53", "R54"]),
        ("C21d, X19, Q181: driven back", ["C21d", "Q181"]),
        ("Q57 infantry at 2 into M3", ["Q57"]),
        ("C20", ["C20"]),
        ("a hill at C3", []),
        ("Canals, as R3 says", []),
    ],
)
def test_only_numbers_at_the_head_are_citations(text: str, numbers: list[str]) -> None:
    assert head_numbers(text) == numbers


def test_modules_may_cite_ranges() -> None:
    assert module_numbers('"""Retreat (rules R92-R95, U9)."""  # T23c') == {
        "R92",
        "R93",
        "R94",
        "R95",
        "U9",
        "T23c",
    }


def test_citations_are_found_in_docstrings_and_in_ids_of_cases() -> None:
    source = '''
@pytest.mark.parametrize("n", [pytest.param(1, id="Q57 near"), pytest.param(2, id="far, as in Q60")])
def test_one(n):
    """T7, R62: cover."""

@pytest.mark.parametrize("n", [1, 2], ids=["Q1 small", "Q2 large"])
def test_two(n):
    """No number."""

CASES = [pytest.param(1, id="R9 in a table"), pytest.param("C3 a hex", id="plain")]

@pytest.mark.parametrize("n", CASES)
def test_three(n):
    pass

def helper():
    """R1: not a test."""
'''
    assert dict(cited_by_functions(source)) == {
        "test_one": ["T7", "R62", "Q57"],
        "test_two": ["Q1", "Q2"],
        "test_three": ["R9"],
    }


@pytest.mark.parametrize(
    "line", ["R1 soon Board", "R1 base", "R1 outside Board", "X1 base Cards", "R1 base Board -- for a reason"]
)
def test_a_line_that_is_no_rule_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match="line 1"):
        read_index(line)


def test_a_number_cannot_come_twice() -> None:
    with pytest.raises(ValueError, match="line 2: R1 comes twice"):
        read_index("R1 base Board\nR1 base Hexes")


def test_the_table_shows_title_modules_and_tests() -> None:
    rules = [
        Rule("R1", "base", "Board"),
        Rule("R16", "outside", "Pieces", "a list"),
        Rule("R2", "base", "Places"),
    ]
    tests = {
        "R1": [
            Citation("test_hexes", "test_count"),
            Citation("test_hexes", "test_rows"),
            Citation("test_a", "test_b"),
        ]
    }
    table = make_table(rules, {"R1": ["board", "hexes"]}, tests)
    assert "| R1 | Board | base | board, hexes | test_a: b; test_hexes: count (+1) |" in table
    assert "| R16 | Pieces | outside: a list |  |  |" in table
    assert "| base | 2 | 1 |" in table
    assert untested(rules, tests) == ["R2"]


def test_every_rule_of_this_release_has_a_test() -> None:
    assert untested(index(), citations_in_tests(ROOT)) == []


def test_the_committed_table_is_the_one_the_script_makes() -> None:
    made = make_table(index(), citations_in_modules(ROOT), citations_in_tests(ROOT))
    assert (ROOT / TABLE).read_text(encoding="utf-8") == made, "run python scripts/rules_table.py"
