"""Pictures without a style sheet, as mail programs show them: attributes say what the rules would say."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from engine import new_game
from pbem.draw import svg_board, svg_style
from pbem.draw.look import PALETTE
from pbem.draw.style import dressed
from pbem.draw.svg import mark_key
from pbem.library import load_battle, scenario_names
from pbem.report import make_report, render_report
from tests.readings import game_files, readings

SVG = "{http://www.w3.org/2000/svg}"
RULE = re.compile(r"\.([a-z0-9-]+)\{([^{}]*)\}")


def rules(theme: str) -> list[tuple[str, dict[str, str]]]:
    """The rules of a style sheet without variables, in order."""
    found = []
    for name, body in RULE.findall(svg_style(theme)):
        found.append((name, dict(part.split(":", 1) for part in body.split(";"))))
    return found


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", scenario_names())
def test_attributes_say_what_the_style_sheet_says(name: str, theme: str) -> None:
    """Of several rules for one feature the last one counts, in the sheet and in the attributes."""
    s = new_game(load_battle(name))
    sheet = rules(theme)
    text = svg_board(s, theme=theme, moves=[(0, 1)], attacks=[(2, 3)], retreats=[(4, 5)], highlight=[6])
    checked = 0
    for element in ElementTree.fromstring(text).iter():
        classes = element.get("class", "").split()
        expected: dict[str, str] = {}
        for selector, features in sheet:
            if selector in classes:
                expected |= features
        assert {key: element.get(key) for key in expected} == expected
        checked += bool(expected)
    assert checked > 50


def test_a_board_without_its_style_is_the_light_one() -> None:
    text = svg_board(new_game(load_battle("pegasus-bridge")), style=False)
    root = ElementTree.fromstring(text)
    assert "<style" not in text
    paper = root.find(f"{SVG}rect")
    assert paper is not None
    assert paper.get("fill") == PALETTE["paper"][0]
    units = [e for e in root.iter(f"{SVG}g") if "unit" in e.get("class", "").split()]
    inks = {e.attrib["class"]: e.attrib["color"] for e in units}
    assert inks == {"unit m-ink0": PALETTE["allied-ink"][0], "unit m-ink1": PALETTE["axis-ink"][0]}


def test_what_has_no_class_of_the_style_sheet_stays_as_it_is() -> None:
    for markup in ('<g class="map"/>', '<use class="figures" href="#n4"/>', "<p>class=mf-paper</p>"):
        assert dressed(markup) == markup
    assert dressed('<text class="m-cp"/>') == '<text class="m-cp" font-size="12px" font-weight="600"/>'


@pytest.mark.parametrize(
    ("kind", "dashes"), [("move", None), ("attack", "9 4"), ("retreat", "1 5"), ("glow", None)]
)
def test_marks_are_explained_by_pictures(kind: str, dashes: str | None) -> None:
    line = ElementTree.fromstring(mark_key(kind))[0]
    assert line.get("stroke") == PALETTE[kind][0]
    assert line.get("stroke-dasharray") == dashes


def test_the_legend_of_a_report_shows_the_marks_that_are_drawn() -> None:
    seen = set()
    for reading in readings(game_files())[3:12]:
        html = render_report(make_report(reading.log, reading.referee, reading.log.count - 1))
        figures = re.findall(r'<figure class="board">(.*?)<figcaption>(.*?)</figcaption>', html, re.DOTALL)
        for board, caption in figures:
            drawn = [kind for kind in ("move", "attack", "retreat") if f'<g class="{kind}s"' in board]
            assert re.findall(r"</svg>(move|attack|retreat)</span>", caption) == drawn
            assert [kind for kind in ("move", "attack", "retreat") if mark_key(kind) in caption] == drawn
            seen |= set(drawn)
    assert {"move", "attack"} <= seen
