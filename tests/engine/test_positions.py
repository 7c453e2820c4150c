"""Runs the drawn positions in tests/engine/positions/*.txt.

A file holds positions with an empty line and a title `== ...` above each. Under the title come, in any order:

    card KEY, face KEY, first SIDE, top SIDE, option NAME VALUE     settings, see tests/drawing.py
    G5 allies infantry        lines that draw the board, as tests/drawing.py reads them

and then, in the order in which they are carried out:

    do order G5               an answer, or a roll
    reach G5: H5 g6           exactly the hexes a unit may move to (or nothing after the colon)
    picture G5:               the same as a picture: nine rows follow, each with its number, `*` for every hex
                              it may move to; `@` for its own hex if it may come back there, else `o`
    choices attack: G5 I5 | G5 J5     exactly the answers with this verb, without the verb
    asked: roll 3             what is pending
    dice G5 I5: 2             dice of an attack; 0 if it may not be declared
    sees G5: I5 J5            each of these hexes is in sight, and sees back
    blind G5: K5              none of these is
    figures G5: 3             figures on a hex; 0 for nobody
    winner: allies            who has won, or nobody

A title starts with the numbers of the rules it shows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine import State
from engine.battle import SIDES
from tests.drawing import asked, choices, figures_at, play, position, reach
from tests.questions import dice

FOLDER = Path(__file__).parent / "positions"
SETTINGS = ("card", "face", "first", "top")
LABEL = re.compile(r"[A-Za-z]\d{1,2}$")


class Case(NamedTuple):
    """One position: its title, the drawing, the settings and the lines that check it."""

    title: str
    drawing: str
    settings: dict[str, Any]
    steps: tuple[tuple[int, str], ...]  # number and text of the line


def read_cases(text: str) -> list[Case]:
    """The positions of a file."""
    cases: list[Case] = []
    lines = [(number, line.split("#")[0].strip()) for number, line in enumerate(text.split("\n"), start=1)]
    starts = [place for place, (_, line) in enumerate(lines) if line.startswith("== ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        cases.append(_read_case(lines[start][1][3:], [pair for pair in lines[start + 1 : end] if pair[1]]))
    return cases


def _read_case(title: str, lines: list[tuple[int, str]]) -> Case:
    drawing: list[str] = []
    settings: dict[str, Any] = {"options": {}}
    steps: list[tuple[int, str]] = []
    for number, line in lines:
        word, *rest = line.split()
        if word.isdecimal():  # a row of a picture
            steps[-1] = (steps[-1][0], f"{steps[-1][1]}\n{' '.join(line.split())}")
        elif LABEL.match(word):
            drawing.append(line)
        elif word == "option":
            settings["options"][rest[0]] = rest[1]
        elif word in SETTINGS:
            settings[word] = rest[0]
        else:
            steps.append((number, line))
    return Case(title, "\n".join(drawing), settings, tuple(steps))


def _sight(s: State, here: str, there: str) -> list[bool]:
    grid, sight = s.setup.grid, s.setup.sight
    a = grid.parse(here)
    pairs = [(a, grid.parse(label)) for label in there.split()]
    return [sight.sees(p, q, s.occupant) for one, other in pairs for p, q in ((one, other), (other, one))]


def _picture(s: State, unit: str) -> str:
    """The rows of a picture of where a unit may move."""
    grid = s.setup.grid
    ends = reach(s, unit)
    signs = {label: "*" if label in ends else "." for label in grid.labels}
    signs[unit] = "@" if unit in ends else "o"
    rows = [
        " ".join(signs[label] for number, label in enumerate(grid.labels) if grid.row(number) == y)
        for y in range(grid.rows)
    ]
    return "\n".join(f"{grid.rows - y} {row}" for y, row in enumerate(rows))


# What a checking line finds, given its subject and what is expected; then what it should find.
CHECKS: dict[str, Callable[[State, str, str], tuple[object, object]]] = {
    "reach": lambda s, unit, hexes: (sorted(reach(s, unit)), sorted(hexes.split())),
    "picture": lambda s, unit, rows: (_picture(s, unit), rows),
    "choices": lambda s, verb, answers: (
        [choice.partition(" ")[2] for choice in choices(s, verb)],
        sorted(part.strip() for part in answers.split("|") if part.strip()),
    ),
    "asked": lambda s, _, what: (asked(s), what),
    "dice": lambda s, units, count: (dice(s, *units.split()), int(count)),
    "sees": lambda s, unit, hexes: (_sight(s, unit, hexes), [True, True] * len(hexes.split())),
    "blind": lambda s, unit, hexes: (_sight(s, unit, hexes), [False, False] * len(hexes.split())),
    "figures": lambda s, unit, count: (figures_at(s, unit), int(count)),
    "winner": lambda s, _, side: ((*SIDES, "nobody")[s.winner], side),
}


def run(case: Case) -> None:
    """Play a position and compare it with every line."""
    s = position(case.drawing, **case.settings)
    for number, line in case.steps:
        if line.startswith("do "):
            s = play(s, line[3:])
            continue
        head, colon, expected = line.partition(":")
        word, _, subject = head.partition(" ")
        assert colon, f"line {number} cannot be read: {line}"
        assert word in CHECKS, f"line {number} cannot be read: {line}"
        found, wanted = CHECKS[word](s, subject.strip(), expected.strip())
        assert found == wanted, f"line {number}: {line}"


CASES = [
    pytest.param(case, id=f"{path.stem}: {case.title}")
    for path in sorted(FOLDER.glob("*.txt"))
    for case in read_cases(path.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("case", CASES)
def test_position(case: Case) -> None:
    assert re.match(r"[RTUCWMVQ]\d", case.title), "a title begins with the rules it shows"
    assert any(not line.startswith("do ") for _, line in case.steps), "a position checks something"
    run(case)


@pytest.mark.parametrize(
    "line",
    [
        "reach G5: H5",
        "choices attack: G5 H5",
        "asked: battle",
        "dice G5 I5: 3",
        "figures G5: 3",
        "nonsense: 1",
    ],
)
def test_a_wrong_line_is_found(line: str) -> None:
    text = f"== R1 wrong\nG5 allies infantry\nI5 axis infantry\ndo order G5\n{line}\n"
    (case,) = read_cases(text)
    with pytest.raises(AssertionError, match="line 5"):
        run(case)
