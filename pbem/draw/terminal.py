"""The board as text: two lines for every row of hexes, six columns for every hex.

    first line     terrain, what lies on it, a star for an objective
    second line    the unit: (I4) Allied infantry of 4 figures, [i4] the same of the Axis; holder of the star

The two sides differ by brackets and by capital and small letters, so nothing depends on colour. A standard
board takes 80 columns; a terminal with fewer gets the position in words instead. Escape codes and letters
beyond ASCII are used only when the caller asks for them.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Collection

from engine.state import State
from engine.terrain import TERRAINS
from engine.units import UNITS
from pbem.draw.look import (
    BRACKETS,
    BRIDGE_INK,
    EDGE_COLOUR,
    FEATURE_SIGNS,
    FREE_STAR,
    HELD_STAR,
    IMPASSABLE,
    MARK_COLOUR,
    SECTION_COLOUR,
    SIGNS,
    STAR_COLOURS,
    UNIT_COLOURS,
    UNKNOWN,
)
from pbem.draw.picture import SIDE_LETTERS, Goal, Picture, Piece, Place, paint
from pbem.draw.words import describe, feature_name, goal_line, medal_line, partial_lines, terrain_name

STEP = 3  # columns for half a hex
MARGIN = 2  # columns for the numbers of the rows
CELL = 5  # columns of a hex that are written to; one more stays free between hexes
USUAL_WIDTH = 80
EDGE = "▕"  # right border of a hex, where colours make it unobtrusive

Ink = tuple[int | None, int | None, bool]  # letter, background, bold
PLAIN: Ink = (None, None, False)


class Canvas:
    """Lines of characters, each with its colours."""

    def __init__(self, width: int, height: int) -> None:
        self.letters = [[" "] * width for _ in range(height)]
        self.inks: list[list[Ink]] = [[PLAIN] * width for _ in range(height)]

    def write(self, row: int, column: int, text: str, ink: Ink | None = None) -> None:
        """Put a text at a place; without an ink the colours there stay."""
        for at, letter in enumerate(text, column):
            self.letters[row][at] = letter
            if ink is not None:
                self.inks[row][at] = ink

    def lines(self, *, colour: bool) -> list[str]:
        """The finished lines, without blanks at the end."""
        if not colour:
            return ["".join(row).rstrip() for row in self.letters]
        return [_coloured(row, inks) for row, inks in zip(self.letters, self.inks, strict=True)]


def _coloured(letters: list[str], inks: list[Ink]) -> str:
    """One line with escape codes; it always ends in the terminal's own colours."""
    parts: list[str] = []
    now = PLAIN
    for letter, ink in zip(letters, inks, strict=True):
        if ink != now:
            parts.append(_code(ink))
            now = ink
        parts.append(letter)
    text = "".join(parts)
    return text.rstrip() if now == PLAIN else f"{text}\x1b[0m"


def _code(ink: Ink) -> str:
    letter, back, bold = ink
    codes = ["0"]
    if bold:
        codes.append("1")
    if letter is not None:
        codes.append(f"38;5;{letter}")
    if back is not None:
        codes.append(f"48;5;{back}")
    return f"\x1b[{';'.join(codes)}m"


def board_width(state: State) -> int:
    """The columns that a board needs."""
    return MARGIN + 2 * STEP * state.setup.grid.columns


def text_board(
    state: State,
    *,
    chair: int | None = None,
    colour: bool = False,
    unicode: bool = False,
    width: int | None = None,
    highlight: Collection[int] = (),
    legend: bool = True,
) -> str:
    """The board as lines of text, with a legend of the signs that occur on it.

    `width` is the terminal's; when it is too narrow, the board comes in words. Highlighted hexes get a `<`.
    """
    needed = board_width(state)
    if width is not None and width < needed:
        words = _in_words(state, chair, width)
        return words if unicode else to_ascii(words)
    picture = paint(state, chair=chair)
    canvas = Canvas(needed, 2 * picture.ground.rows)
    style = 1 if unicode else 0
    pieces = {piece.hex: piece for piece in picture.pieces}
    goals = {h: goal for goal in reversed(picture.goals) for h in goal.facts.hexes}
    for place in picture.ground.places:
        _draw_hex(canvas, picture, place, style, EDGE if colour and unicode else " ")
        if place.number in goals:
            _draw_goal(canvas, place, goals[place.number], style)
        if place.number in pieces:
            _draw_unit(canvas, place, pieces[place.number])
        if place.number in highlight:
            canvas.write(2 * place.y, MARGIN + STEP * place.x + CELL, "◂" if unicode else "<")
    _draw_sections(canvas, picture, "┊" if unicode else ":")
    lines = _with_row_numbers(canvas.lines(colour=colour), picture)
    tail = ["", *_legend(picture, state, style, min(width or USUAL_WIDTH, needed))] if legend else []
    text = "\n".join([*_rulers(picture), *lines, *tail]) + "\n"
    return text if unicode else to_ascii(text)


def _in_words(state: State, chair: int | None, width: int) -> str:
    """What a terminal shows that is too narrow for the drawing."""
    head = f"This drawing needs {board_width(state)} columns, and this terminal has {width}; in words:"
    lines = (head, "", *describe(state, chair=chair).splitlines())
    return "\n".join(textwrap.fill(line, width, subsequent_indent="  ") for line in lines) + "\n"


def to_ascii(text: str) -> str:
    """A text without accents; what has no plain form becomes a question mark."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "'").replace("–", "-").replace("—", "-"))
    return "".join(
        letter if letter.isascii() else "?" for letter in plain if not unicodedata.combining(letter)
    )


# One hex


def _draw_hex(canvas: Canvas, picture: Picture, place: Place, style: int, edge: str) -> None:
    sign = SIGNS.get(place.terrain, UNKNOWN)
    row, column = 2 * place.y, MARGIN + STEP * place.x
    keys = [key for key, _ in picture.features(place.number)]
    for at, text in enumerate(sign.unicode if style else sign.ascii, row):
        canvas.write(at, column, text, (sign.ink, sign.back, False))
        canvas.write(at, column + CELL, edge, (EDGE_COLOUR, sign.back, False))
        if "bridge" in keys:
            canvas.write(at, column + 1, FEATURE_SIGNS["bridge"][style] * 3, BRIDGE_INK)
    marks = [FEATURE_SIGNS.get(key, ("?", "?"))[style] for key in keys if key != "bridge"]
    if "impassable" in place.traits:
        marks.append(IMPASSABLE[style])
    # Beside the terrain, or over half of it when they are many; the last column belongs to a star.
    starred = any(place.number in goal.facts.hexes for goal in picture.goals)
    room = CELL - 1 if starred else CELL
    if len(marks) > room - 1:
        marks = [*marks[: room - 2], "+"]
    canvas.write(row, column + min(2, room - len(marks)), "".join(marks), (MARK_COLOUR, sign.back, True))


def _draw_goal(canvas: Canvas, place: Place, goal: Goal, style: int) -> None:
    row, column = 2 * place.y, MARGIN + STEP * place.x + CELL - 1
    back = canvas.inks[row][column][1]
    if goal.holder is None:
        canvas.write(row, column, FREE_STAR[style], (STAR_COLOURS[0], back, True))
    else:
        ink: Ink = (STAR_COLOURS[goal.holder + 1], back, True)
        canvas.write(row, column, HELD_STAR[style], ink)
        canvas.write(row + 1, column, SIDE_LETTERS[goal.holder], ink)


def unit_sign(piece: Piece) -> str:
    """A unit in four columns: `(I4)` or `[i4]`; ten figures and more show as `+`."""
    opening, closing = BRACKETS[piece.side]
    letter = piece.type.glyph if piece.side == 0 else piece.type.glyph.lower()
    return f"{opening}{letter}{piece.figures if piece.figures < 10 else '+'}{closing}"


def _draw_unit(canvas: Canvas, place: Place, piece: Piece) -> None:
    back, ink = UNIT_COLOURS[piece.side]
    canvas.write(2 * place.y + 1, MARGIN + STEP * place.x, unit_sign(piece), (ink, back, True))


# Around the hexes


def _draw_sections(canvas: Canvas, picture: Picture, dash: str) -> None:
    """Dashes along the section lines, wherever nothing else stands (R8)."""
    for x in picture.ground.sections:
        column = MARGIN + STEP * x + 2
        for row in range(2 * picture.ground.rows):
            if canvas.letters[row][column] in (" ", EDGE) or row // 2 % 2 == 0:
                _, back, _ = canvas.inks[row][column]
                canvas.write(row, column, dash, (None if back is None else SECTION_COLOUR, back, False))


def _rulers(picture: Picture) -> list[str]:
    """Names of the sections, then the letters of the columns; small letters belong to the short rows."""
    ground = picture.ground
    end = MARGIN + 2 * STEP * ground.columns
    edges = [MARGIN - 1, *(MARGIN + STEP * x + 2 for x in ground.sections), end]
    names = ("left", "center", "right")
    parts = [f"{name:^{edges[n + 1] - edges[n] - 1}}" for n, name in enumerate(names)]
    letters = [" "] * end
    for place in ground.places[: 2 * ground.columns - 1]:
        letters[MARGIN + STEP * place.x + 2] = place.label[0]
    return [(" " * MARGIN + "|".join(parts)).rstrip(), "".join(letters).rstrip()]


def _with_row_numbers(lines: list[str], picture: Picture) -> list[str]:
    numbers = {2 * place.y: place.label[1:] for place in picture.ground.places}
    return [f"{numbers.get(at, ''):<{MARGIN}}{line[MARGIN:]}".rstrip() for at, line in enumerate(lines)]


# Legend


def _legend(picture: Picture, state: State, style: int, width: int) -> list[str]:
    """What the signs mean, who has how many medals, the objectives, and the names on the map."""
    lines = _wrapped("", _unit_signs(picture), width)
    lines += _wrapped("", _ground_signs(picture, style), width)
    for line in (*partial_lines(state), medal_line(picture)):
        lines += textwrap.wrap(line, width)
    for goal in picture.goals:
        star = (FREE_STAR if goal.holder is None else HELD_STAR)[style]
        lines += textwrap.wrap(
            f"{star} {goal_line(goal, state.setup.grid.labels)}", width, subsequent_indent="  "
        )
    names = [f"{place.label} {place.name}" for place in picture.ground.places if place.name]
    return lines + (_wrapped("Places: ", names, width) if names else [])


def _wrapped(head: str, parts: list[str], width: int) -> list[str]:
    """Parts with commas between, broken into lines only between parts where possible."""
    glued = ", ".join(part.replace(" ", "\0") for part in parts)
    lines = textwrap.wrap(head + glued, width, subsequent_indent=" " * len(head), break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _unit_signs(picture: Picture) -> list[str]:
    occurring = {piece.type.key for piece in picture.pieces}
    signs = ["(I4) Allied unit with 4 figures left", "[i4] Axis"]
    return signs + [f"{kind.glyph} {kind.name}" for key, kind in UNITS.items() if key in occurring]


def _ground_signs(picture: Picture, style: int) -> list[str]:
    terrains = {place.terrain for place in picture.ground.places}
    features = {key for place in picture.ground.places for key, _ in picture.features(place.number)}
    signs = []
    for key in TERRAINS:
        if key in terrains and key != "open":
            sign = SIGNS.get(key, UNKNOWN)
            signs.append(f"{(sign.unicode if style else sign.ascii)[0].strip()} {terrain_name(key)}")
    signs += [f"{both[style]} {feature_name(key)}" for key, both in FEATURE_SIGNS.items() if key in features]
    if any("impassable" in place.traits for place in picture.ground.places):
        signs.append(f"{IMPASSABLE[style]} impassable")
    if any(goal.holder is not None for goal in picture.goals):
        signs.append(f"{HELD_STAR[style]} over A or X: held by the Allies or the Axis")
    return signs
