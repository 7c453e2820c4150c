"""The board as one SVG element: self-contained, light or dark, readable without colour.

A position adds units, loose features, medals and marks to the scenery. Elements that a script may want to
find:

    <use data-hex="G5" ...>                             a hex; with data-feature="wire" what lies on it
    <g id="{prefix}u12" class="unit" data-hex="G5">     a unit, placed by its transform; in it
    <use class="figures" href="#{prefix}n4">            its figures: n1, n2 ... up to the strongest unit
    <g class="goal" data-goal="0" data-hex="G5">        a medal to be won
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence

from engine.state import State
from pbem.draw.look import clean
from pbem.draw.picture import SIDE_LETTERS, SIDE_NAMES, Goal, Picture, Piece, paint
from pbem.draw.scenery import ARROWS, EDGE, centre, scenery, size
from pbem.draw.shapes import EXIT, HEX, PLATES, STAR
from pbem.draw.style import THEMES, dressed, svg_style
from pbem.draw.words import describe_unit, goal_line, medal_line, moment

TRACK = 125  # where the medals of a side begin
START = 11  # arrows begin this far from the middle of their first hex ...
SHORT = 18  # ... and end this far from the middle of their last hex
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9-]*|")


def svg_board(
    state: State,
    *,
    chair: int | None = None,
    theme: str = "auto",
    moves: Iterable[Sequence[int]] = (),
    attacks: Iterable[tuple[int, int]] = (),
    retreats: Iterable[Sequence[int]] = (),
    highlight: Iterable[int] = (),
    ids_prefix: str = "",
    caption: str | None = None,
    style: bool = True,
) -> str:
    """The position as an SVG element.

    `moves` and `retreats` are paths of hex numbers, `attacks` pairs of them. Boards that share a page need
    different values of `ids_prefix`. With `style=False` the page brings the rules of `svg_style` itself.
    `caption` replaces the battle's title.
    """
    assert theme in THEMES, f"no theme {theme!r}"
    assert _PREFIX.fullmatch(ids_prefix), f"no prefix for ids: {ids_prefix!r}"
    picture = paint(state, chair=chair)
    fixed = scenery(state.setup, picture.ground.turned, ids_prefix)
    width, height = size(picture.ground)
    rules = f"<style>{svg_style(theme)}</style>" if style else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="m44" viewBox="0 0 {width} {height}" role="img" '
        f'fill="none" aria-labelledby="{ids_prefix}title {ids_prefix}desc">',
        f'<title id="{ids_prefix}title">{clean(_title(state))}</title>',
        f'<desc id="{ids_prefix}desc">{clean(_summary(state, picture))}</desc>',
        rules,
        fixed.defs,
        f'<rect class="mf-paper" width="{width}" height="{height}" rx="6"/>',
        fixed.below,
        _loose_features(picture, ids_prefix),
        _highlights(picture, highlight, ids_prefix),
        _units(state, picture, ids_prefix),
        _arrows(picture, "move", moves, ids_prefix),
        _arrows(picture, "retreat", retreats, ids_prefix),
        _arrows(picture, "attack", attacks, ids_prefix),
        _goals(state, picture),
        fixed.above,
        _strips(state, picture, caption),
        "</svg>",
    ]
    return dressed("\n".join(part for part in parts if part), theme)


def _title(state: State) -> str:
    partial = " (partial)" if state.setup.battle.partial else ""
    return f"{state.setup.battle.title}{partial}. {moment(state)}"


def _summary(state: State, picture: Picture) -> str:
    """The text alternative: medals, objectives and every unit."""
    labels = state.setup.grid.labels
    goals = [f"Objective {goal_line(goal, labels)}." for goal in picture.goals]
    armies = []
    for side in (0, 1):
        own = [piece for piece in picture.pieces if piece.side == side]
        units = ", ".join(f"{labels[p.hex]} {p.type.name} {p.figures}" for p in own)
        armies.append(f"{SIDE_NAMES[side]}: {units or 'no unit on the board'}.")
    return " ".join([medal_line(picture), *goals, *armies])


# The position


def _loose_features(picture: Picture, prefix: str) -> str:
    parts = []
    for number, keys in picture.loose.items():
        place = picture.ground.places[number]
        x, y = centre(place)
        parts += [
            f'<use href="#{prefix}x-{key}" x="{x}" y="{y}" data-hex="{place.label}" data-feature="{key}"/>'
            for key in keys
        ]
    return "\n".join(parts)


def _highlights(picture: Picture, highlight: Iterable[int], prefix: str) -> str:
    spots = [centre(picture.ground.places[number]) for number in sorted(set(highlight))]
    if not spots:
        return ""
    uses = "".join(f'<use href="#{prefix}hex" x="{x}" y="{y}"/>' for x, y in spots)
    return f'<g class="ml-glow" stroke-width="4" stroke-linejoin="round">{uses}</g>'


def _units(state: State, picture: Picture, prefix: str) -> str:
    return "\n".join(_unit(state, picture, piece, prefix) for piece in picture.pieces)


def _unit(state: State, picture: Picture, piece: Piece, prefix: str) -> str:
    place = picture.ground.places[piece.hex]
    x, y = centre(place)
    title = clean(describe_unit(state, piece.unit, picture=picture))
    return (
        f'<g id="{prefix}u{piece.unit}" class="unit m-ink{piece.side}" data-hex="{place.label}" '
        f'transform="translate({x},{y})"><title>{title}</title>'
        f'<use href="#{prefix}{piece.type.key}{piece.side}"/>'
        f'<use class="figures" href="#{prefix}n{piece.figures}"/></g>'
    )


def _goals(state: State, picture: Picture) -> str:
    """A medal on every hex of every objective; the holder's letter is written on it."""
    labels = state.setup.grid.labels
    parts = []
    for goal in picture.goals:
        facts = goal.facts
        title = clean(goal_line(goal, labels))
        for number in facts.hexes:
            x, y = centre(picture.ground.places[number])
            parts.append(
                f'<g class="goal" data-goal="{facts.number}" data-hex="{labels[number]}" '
                f'transform="translate({x + 18},{y - 18})scale(.9)">'
                f"<title>{title}</title>{medal_sign(goal)}</g>"
            )
    return "\n".join(parts)


def medal_sign(goal: Goal) -> str:
    """What is drawn for an objective: its value, or the letter of its holder."""
    facts = goal.facts
    if goal.holder is not None:
        rim = ("ml-allied-ink", "ml-axis-rim")[goal.holder]
        plate = f'<g class="mf-gold {rim}" stroke-width="2">{PLATES[1 << goal.holder]}</g>'
        return f'{plate}<text class="m-md mf-brass" y="4">{SIDE_LETTERS[goal.holder]}</text>'
    sign = EXIT if facts.kind == "exit" else STAR
    value = "!" if facts.kind == "sudden-death" else str(facts.medals) if facts.medals > 1 else ""
    return (
        f'<g class="mf-paper ml-text" stroke-width="1.1">{PLATES[facts.sides]}</g>'
        f'<path class="mf-gold ml-brass" stroke-width=".8" d="{sign}"/>'
        + (f'<text class="m-md m-nm" x="9" y="9">{value}</text>' if value else "")
    )


def _strips(state: State, picture: Picture, caption: str | None) -> str:
    """Each side's name and medals along its own edge, and the caption."""
    width, height = size(picture.ground)
    battle = state.setup.battle
    bottom = 0 if state.setup.bottom[0] != picture.ground.turned else 1
    parts = []
    for side, y in ((1 - bottom, 17), (bottom, height - 9)):
        nation = f" ({clean(battle.sides[side].nation)})" if battle.sides[side].nation else ""
        plate = PLATES[1 << side]
        look = ("mf-allies ml-allied-ink", "mf-axis ml-axis-rim")[side]
        parts.append(
            f'<g class="{look}" stroke-width="1.5" '
            f'transform="translate({EDGE + 12},{y - 4})scale(.8)">{plate}</g>'
            f'<text class="m-cp mf-text" x="{EDGE + 24}" y="{y}">{SIDE_NAMES[side]}{nation}</text>'
            f'<g class="track" data-side="{side}" transform="translate({TRACK},{y - 4})">'
            f"{medal_track(picture.medals[side], picture.target[side])}</g>"
        )
    words = battle.title if caption is None else caption
    if len(words) > 60:
        words = f"{words[:59]}…"
    words += " (partial)" if battle.partial else ""
    parts.append(
        f'<text class="m-cp mf-text" x="{width - EDGE}" y="17" text-anchor="end">{clean(words)}</text>'
    )
    return "\n".join(parts)


def medal_track(medals: int, target: int) -> str:
    """One star for every medal that the side needs; those it has are filled."""
    parts = []
    for first, last, look in ((0, medals, "mf-gold ml-brass"), (medals, target, "ml-text")):
        stars = "".join(f'<path d="{STAR}" transform="translate({17 * n},0)"/>' for n in range(first, last))
        if stars:
            parts.append(f'<g class="{look}" stroke-width=".9">{stars}</g>')
    return "".join(parts)


# Arrows


def _arrows(picture: Picture, kind: str, paths: Iterable[Sequence[int]], prefix: str) -> str:
    lines = [_polyline([centre(picture.ground.places[h]) for h in path]) for path in paths if len(path) > 1]
    if not lines:
        return ""
    width, dashes = ARROWS[kind]
    d = "".join(lines)
    dash = f' stroke-dasharray="{dashes}"' if dashes else ""
    ends = "".join(f'<path d="{line}" marker-end="url(#{prefix}{kind})"/>' for line in lines)
    return (
        f'<g class="{kind}s" stroke-linecap="round" stroke-linejoin="round">'
        f'<path class="ml-paper" stroke-width="6" opacity=".7" d="{d}"/>'
        f'<g class="ml-{kind}" stroke-width="{width}"{dash}>{ends}</g></g>'
    )


def mark_key(kind: str) -> str:
    """A small picture of an arrow, or of the outline of a highlighted hex ("glow"), for a page's legend."""
    if kind == "glow":
        line = f'<path class="ml-glow" stroke-width="8" transform="translate(15,7)scale(.2)" d="{HEX}"/>'
    else:
        width, dashes = ARROWS[kind]
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        line = (
            f'<path class="ml-{kind}" stroke-width="{width}" stroke-linecap="round"{dash} d="M3 7H21"/>'
            f'<path class="mf-{kind}" d="M20 2 29 7 20 12z"/>'
        )
    return dressed(f'<svg class="m44 key" width="30" height="14" fill="none" aria-hidden="true">{line}</svg>')


def _polyline(points: list[tuple[int, int]]) -> str:
    """A path from shortly after the first point to shortly before the last."""
    first = _along(points[0], points[1], START)
    last = _along(points[-1], points[-2], SHORT)
    return "M" + " ".join(f"{x} {y}" for x, y in (first, *points[1:-1], last))


def _along(start: tuple[int, int], end: tuple[int, int], way: int) -> tuple[int, int]:
    """The point at some way from a start toward an end, never beyond the middle of a short leg."""
    length = math.dist(start, end) or 1
    part = min(way / length, 0.4)
    return (round(start[0] + (end[0] - start[0]) * part), round(start[1] + (end[1] - start[1]) * part))
