"""The board as text: every battle in every style, from both chairs, within its columns."""

from __future__ import annotations

import re
from itertools import product

import pytest

from engine import State, new_game
from engine.battle import ObjectiveFacts
from engine.terrain import FEATURES, TERRAINS
from pbem.draw import board_width, describe, text_board
from pbem.draw.look import FEATURE_SIGNS, SIGNS
from pbem.draw.terminal import EDGE, to_ascii
from pbem.library import load_battle, scenario_names
from tests.drawing import position

CODE = re.compile(r"\x1b\[[0-9;]*m")
STYLES = list(product((False, True), (False, True), (None, 0, 1)))


def rows_of(text: str, *, rows: int = 9) -> list[str]:
    """The lines of the hexes alone, colours removed."""
    lines = CODE.sub("", text).splitlines()
    start = next(at for at, line in enumerate(lines) if re.match(r" {4}[AMZ] ", line)) + 1
    return lines[start : start + 2 * rows]


def cell(state: State, text: str, label: str, *, turned: bool = False) -> tuple[str, str]:
    """The two lines of five columns that show a hex."""
    grid = state.setup.grid
    x, y = grid.xy[grid.parse(label)]
    if turned:
        x, y = grid.width - x, grid.rows - 1 - y
    lines = rows_of(text, rows=grid.rows)
    start = 2 + 3 * x
    first, second = (line.ljust(200)[start : start + 5] for line in lines[2 * y : 2 * y + 2])
    return first, second


@pytest.mark.parametrize("name", scenario_names())
def test_every_battle_in_every_style_fits_80_columns(name: str) -> None:
    s = new_game(load_battle(name))
    for colour, unicode, chair in STYLES:
        text = text_board(s, chair=chair, colour=colour, unicode=unicode, width=80)
        plain = CODE.sub("", text)
        assert max(len(line) for line in plain.splitlines()) <= 80
        assert plain.isascii() or unicode
        assert "\x1b" not in plain
        assert ("\x1b[" in text) == colour
        assert "in words" not in text
        assert len(rows_of(text)) == 18


@pytest.mark.parametrize("name", scenario_names())
def test_every_unit_stands_in_its_hex_from_both_chairs(name: str) -> None:
    s = new_game(load_battle(name))
    for chair in (0, 1):
        turned = not s.setup.bottom[chair]
        text = text_board(s, chair=chair)
        for unit in s.setup.battle.units:
            if unit.at is None:
                continue
            letter = s.setup.types[s.occupant[s.setup.grid.parse(unit.at)]].glyph
            sign = (
                f"({letter}{unit.figures})" if unit.side == "allies" else f"[{letter.lower()}{unit.figures}]"
            )
            assert cell(s, text, unit.at, turned=turned)[1].startswith(sign)


def test_sides_differ_by_brackets_and_letters() -> None:
    s = position(
        "A9 allies infantry\nB9 axis infantry 3\nC9 allies special-forces\nD9 axis elite-armor\n"
        "E9 allies artillery\nF9 axis half-track 2\nG9 allies resistance\nH9 axis infantry 12",
        play_card=False,
    )
    text = text_board(s)
    found = [cell(s, text, f"{letter}9")[1][:4] for letter in "ABCDEFGH"]
    assert found == ["(I4)", "[i3]", "(S4)", "[e4]", "(G2)", "[h2]", "(R3)", "[i+]"]


def test_a_hex_shows_terrain_features_and_star() -> None:
    s = position(
        "G5 hill + bunker axis wire : axis infantry 2\nH5 river + bridge\nI5 town + sandbags\n"
        "A5 hill + bunker hedgehog wire sandbags\nB5 hill impassable + bunker hedgehog wire sandbags\n"
        "J5 hill impassable\nK5 beach + hedgehog : allies infantry\nL5 hill + bunker hedgehog wire sandbags",
        play_card=False,
        objectives=(
            ObjectiveFacts("temporary", ("allies",), ("K5",)),
            ObjectiveFacts("temporary", ("allies",), ("H5",)),
            ObjectiveFacts("temporary", ("axis",), ("G5",)),
            ObjectiveFacts("temporary", ("axis",), ("A5",)),
        ),
    )
    text = text_board(s)
    assert cell(s, text, "G5") == ("/\\Bx*", "[i2]X")
    assert cell(s, text, "H5") == ("~===*", "~===~")
    assert cell(s, text, "I5") == ("^^n  ", "  ^^ ")
    assert cell(s, text, "J5") == ("/\\!  ", "  /\\ ")
    assert cell(s, text, "K5") == (",,# *", "(I4)A")
    assert cell(s, text, "L5") == ("/B#xn", "  /\\ ")
    assert cell(s, text, "M5") == ("     ", "  .  ")
    assert cell(s, text, "A5") == ("/B#+*", "  /\\ ")
    assert cell(s, text, "B5") == ("/B#x+", "  /\\ ")
    drawn = text_board(s, unicode=True)
    assert cell(s, drawn, "G5") == ("◠◠◘╳★", "[i2]X")
    assert cell(s, drawn, "H5") == ("≈═══☆", "≈═══≈")


def test_labels_of_rows_and_columns_stay_when_the_board_is_turned() -> None:
    """R2, R3: long rows have capital letters, short rows small ones; A9 is top left from below."""
    s = position("A9 axis infantry\nM1 allies infantry", play_card=False)
    below, above = text_board(s, chair=0).splitlines(), text_board(s, chair=1).splitlines()
    assert below[1] == "    A  a  B  b  C  c  D  d  E  e  F  f  G  g  H  h  I  i  J  j  K  k  L  l  M"
    assert above[1] == "    M  l  L  k  K  j  J  i  I  h  H  g  G  f  F  e  E  d  D  c  C  b  B  a  A"
    assert [line[0] for line in below[2:20:2]] == list("987654321")
    assert [line[0] for line in above[2:20:2]] == list("123456789")
    assert below[3].startswith("  [i4]")
    assert above[3].startswith("  (I4)")
    assert above[19].endswith("[i4]")


def test_section_lines_run_between_and_through_hexes() -> None:
    """R8, R9: between D and E, I and J of the long rows, through d and i of the short rows."""
    s = position("A1 allies infantry", play_card=False)
    assert (
        text_board(s).splitlines()[0]
        == "           left          |           center            |         right"
    )
    for row in rows_of(text_board(s))[0::4]:
        assert [at for at, letter in enumerate(row) if letter == ":"] == [25, 55]


def test_colours_change_nothing_but_colours() -> None:
    s = new_game(load_battle("first-assault-wave"))
    for unicode in (False, True):
        plain = rows_of(text_board(s, unicode=unicode))
        painted = rows_of(text_board(s, unicode=unicode, colour=True))
        assert [line.replace(EDGE, " ").rstrip() for line in painted] == plain


def test_every_coloured_line_ends_in_the_colours_of_the_terminal() -> None:
    s = new_game(load_battle("toulon"))
    for line in text_board(s, colour=True, unicode=True).splitlines():
        codes = CODE.findall(line)
        assert not codes or codes[-1] == "\x1b[0m"


def test_the_legend_names_only_what_occurs() -> None:
    s = position("G5 forest + wire : allies infantry\nH5 axis armor", play_card=False)
    legend = text_board(s).splitlines()[-3:]
    assert legend == [
        "(I4) Allied unit with 4 figures left, [i4] Axis, I infantry, A armor",
        "%% forest, x barbed wire",
        "Medals: Allies 0 of 6, Axis 0 of 6.",
    ]
    assert len(text_board(s, legend=False).splitlines()) == 20


def test_the_legend_has_objectives_places_and_what_is_missing() -> None:
    s = position(
        "G5 allies infantry",
        play_card=False,
        objectives=(ObjectiveFacts("temporary", ("allies",), ("G5",), name="Bénouville"),),
        labels=(("G5", "Bénouville"), ("h4", "Straße")),
        partial=("minefields",),
    )
    assert text_board(s).splitlines()[-5:] == [
        "* over A or X: held by the Allies or the Axis",
        "Partial: this program cannot play all of this battle (minefields).",
        "Medals: Allies 1 of 6, Axis 0 of 6.",
        "* Benouville, G5: 1 medal for the Allies; held by the Allies",
        "Places: G5 Benouville, h4 Stra?e",
    ]
    assert text_board(s, unicode=True).splitlines()[-1] == "Places: G5 Bénouville, h4 Straße"


def test_highlighted_hexes_are_marked() -> None:
    s = position("A1 allies infantry", play_card=False)
    spot = s.setup.grid.parse("C7")
    assert rows_of(text_board(s, highlight=[spot]))[4][2 + 3 * 4 + 5] == "<"
    assert rows_of(text_board(s, highlight=[spot], unicode=True))[4][2 + 3 * 4 + 5] == "◂"


@pytest.mark.parametrize(
    ("shape", "rows", "width"), [("standard", 9, 80), ("breakthrough", 17, 80), ("overlord", 9, 158)]
)
def test_boards_of_every_shape(shape: str, rows: int, width: int) -> None:
    """R1, V20, V50: 13 columns by 9, 26 by 9, 13 by 17."""
    s = position("A1 allies infantry\nM9 axis infantry", shape=shape, play_card=False)
    text = text_board(s, width=200)
    assert board_width(s) == width
    assert max(len(line) for line in text.splitlines()) <= width
    assert len(rows_of(text, rows=rows)) == 2 * rows
    assert cell(s, text, "A1")[1] == "(I4) "
    assert cell(s, text, "M9")[1] == "[i4] "
    assert cell(s, text_board(s, chair=1), "M9", turned=True)[1] == "[i4] "


@pytest.mark.parametrize(("shape", "width"), [("overlord", 80), ("standard", 60), ("standard", 79)])
def test_a_narrow_terminal_gets_the_board_in_words(shape: str, width: int) -> None:
    """A drawing whose lines are broken by the terminal is rubble."""
    s = position("A1 allies infantry\nG5 town", shape=shape, play_card=False)
    head, *words = text_board(s, width=width, colour=True, unicode=True).splitlines()
    joined = " ".join(" ".join([head, *words]).split())
    assert joined.startswith(
        f"This drawing needs {board_width(s)} columns, and this terminal has {width}; in words: "
    )
    assert max(len(line) for line in (head, *words)) <= width
    assert joined.endswith(" ".join(describe(s).split()))


def test_everything_of_the_tables_has_a_sign_of_its_own() -> None:
    assert set(SIGNS) == set(TERRAINS)
    assert set(FEATURE_SIGNS) == set(FEATURES)
    for style in (0, 1):
        assert len({sign[style] for sign in SIGNS.values()}) == len(SIGNS)
        assert len({both[style] for both in FEATURE_SIGNS.values()}) == len(FEATURE_SIGNS)
    for sign in SIGNS.values():
        assert all(len(line) == 5 for line in (*sign.ascii, *sign.unicode))
        assert "".join(sign.ascii).isascii()


def test_texts_without_accents() -> None:
    assert to_ascii("Sainte-Mère-Église – “Höhe”") == "Sainte-Mere-Eglise - ?Hohe?"


def test_what_has_no_sign_yet_gets_question_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(SIGNS, "forest")
    monkeypatch.delitem(FEATURE_SIGNS, "wire")
    s = position("G5 forest + wire", play_card=False)
    assert cell(s, text_board(s), "G5") == ("???  ", "  ?? ")
