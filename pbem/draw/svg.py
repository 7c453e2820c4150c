"""The board as one SVG element: self-contained, light or dark, readable without colour.

What no move can change (ground, rivers, names) is written once per game and chair and kept; a position adds
units, loose features, medals and marks. Elements that a script may want to find:

    <g id="{prefix}u12" class="unit" data-hex="G5">     a unit; its <use class="figures"> shows figure count
    <use data-hex="G5" ...>                             a hex, a feature (data-feature) or a medal (data-goal)

Every colour is a class, so that a page can hold many boards under one style sheet (`svg_style`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from html import escape
from typing import NamedTuple

from engine.setup import Setup
from engine.state import State
from engine.terrain import FEATURES
from engine.units import UnitType
from pbem.draw.look import FACES, PALETTE
from pbem.draw.picture import SIDE_LETTERS, SIDE_NAMES, Goal, Ground, Picture, Piece, Place, ground_of, paint
from pbem.draw.shapes import (
    ARMS,
    BADGES,
    BARRED,
    EXIT,
    FEATURE_SHAPES,
    HEX,
    PLATES,
    SILHOUETTES,
    STAR,
    TERRAIN_SHAPES,
    TOKENS,
    UNIT_SHAPES,
    UNKNOWN_FEATURE,
    UNKNOWN_TERRAIN,
)
from pbem.draw.water import INLAND, Water, band
from pbem.draw.words import describe_unit, goal_line, medal_line, moment

HALF, ROW, CORNER = 26, 45, 30  # half the width of a hex, from row to row, centre to corner
EDGE = 8  # free space around the hexes
STRIP = 26  # above and below, for names and medals
THEMES = ("auto", "light", "dark")

_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9-]*|")
_UNFIT = re.compile(r"[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def clean(text: str) -> str:
    """A text of a scenario, safe inside an element or an attribute."""
    return escape(_UNFIT.sub("?", text))


# Style


@cache
def svg_style(theme: str = "auto", *, scope: str = ".m44") -> str:
    """The rules of a theme for boards matched by `scope`; "auto" follows the reader's own setting."""
    if theme == "auto":
        dark = _colours(1, scope)
        return f"{_rules(scope)}{_colours(0, scope)}@media(prefers-color-scheme:dark){{{dark}}}"
    return f"{_rules(scope)}{_colours(('light', 'dark').index(theme), scope)}"


def _colours(column: int, scope: str) -> str:
    """Fill and line classes; `ink` classes set the colour that a unit's signs inherit."""
    shades = {name: pair[column] for name, pair in PALETTE.items()}
    rules = [
        f"{scope} .f-{name}{{fill:{shade}}}{scope} .l-{name}{{stroke:{shade}}}"
        for name, shade in shades.items()
    ]
    rules.append(f"{scope} .hx{{stroke:{shades['grid']}}}{scope} .nm{{fill:{shades['text']};stroke:{shades['paper']}}}")
    rules += [f"{scope} .ink{side}{{color:{shades[name]}}}" for side, name in enumerate(INKS)]
    return "".join(rules)


def _rules(scope: str) -> str:
    """What does not depend on the theme."""
    rules = {
        "": "font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif",
        " .cd": "font-size:7px;font-weight:600;text-anchor:middle;opacity:.62",
        " .nm": "font-size:8.5px;font-style:italic;font-weight:600;text-anchor:middle;"
        "paint-order:stroke;stroke-width:2.6;stroke-linejoin:round",
        " .fg": "font-size:13px;font-weight:700;text-anchor:middle",
        " .sl": "font-size:7px;font-weight:700;text-anchor:middle",
        " .cp": "font-size:12px;font-weight:600",
    }
    return "".join(f"{scope}{part}{{{rule}}}" for part, rule in rules.items())


INKS = ("allied-ink", "axis-ink")


# The whole picture


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
    fixed = _fixed(state.setup, picture.ground.turned, ids_prefix)
    width, height = size(picture.ground)
    rules = f"<style>{svg_style(theme)}</style>" if style else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="m44" viewBox="0 0 {width} {height}" role="img" '
        f'fill="none" aria-labelledby="{ids_prefix}title {ids_prefix}desc">',
        f'<title id="{ids_prefix}title">{clean(_title(state))}</title>',
        f'<desc id="{ids_prefix}desc">{clean(_summary(state, picture))}</desc>',
        rules,
        fixed.defs,
        f'<rect class="f-paper" width="{width}" height="{height}" rx="6"/>',
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
    return "\n".join(part for part in parts if part)


def size(ground: Ground) -> tuple[int, int]:
    """Width and height of the picture in its own units."""
    return (
        2 * HALF * ground.columns + 2 * EDGE,
        ROW * (ground.rows - 1) + 2 * CORNER + 2 * STRIP,
    )


def centre(place: Place) -> tuple[int, int]:
    """Where the middle of a hex lies in the picture."""
    return (HALF * (place.x + 1) + EDGE, ROW * place.y + CORNER + STRIP)


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


# What no move changes


class Fixed(NamedTuple):
    """The written parts of a map: shapes to use, what lies under the units, what lies over them."""

    defs: str
    below: str
    above: str


@lru_cache(maxsize=16)
def _fixed(setup: Setup, turned: bool, prefix: str) -> Fixed:
    ground = ground_of(setup, turned)
    below = [
        '<g class="map">',
        *(_hex(place, prefix) for place in ground.places),
        "</g>",
        _water(ground),
        _lasting_features(ground, prefix),
        _sections(ground),
        _coordinates(ground),
    ]
    return Fixed(_defs(setup, ground, prefix), "\n".join(filter(None, below)), _names(ground))


def _hex(place: Place, prefix: str) -> str:
    x, y = centre(place)
    return f'<use href="#{prefix}t-{place.terrain}" x="{x}" y="{y}" data-hex="{place.label}"/>'


def _defs(setup: Setup, ground: Ground, prefix: str) -> str:
    """Every shape that this battle may need."""
    base = f'<path class="f-{FACES.get(ground.face, "country")} hx" d="{HEX}"/>'
    shapes = {}
    for terrain in dict.fromkeys(place.terrain for place in ground.places):
        shape = TERRAIN_SHAPES.get(terrain, UNKNOWN_TERRAIN)
        if terrain in ("open", *INLAND):
            shape = base + (TERRAIN_SHAPES["open"] if terrain == "open" else "")
        shapes[f"t-{terrain}"] = shape
    used = {key for place in ground.places for key, _ in place.features}
    for key, row in FEATURES.items():
        if row.loose or key in used:
            shapes[f"x-{key}"] = FEATURE_SHAPES.get(key, UNKNOWN_FEATURE)
    for side, kind in dict.fromkeys(zip(setup.side, setup.types, strict=True)):
        shapes[f"{kind.key}{side}"] = _token(kind, side)
    for figures in range(1, max(setup.strength, default=0) + 1):
        shapes[f"n{figures}"] = _figures(figures)
    if any("impassable" in place.traits for place in ground.places):
        shapes["barred"] = BARRED
    groups = [f'<g id="{prefix}{name}">{shape}</g>' for name, shape in shapes.items()]
    outline = f'<path id="{prefix}hex" d="{HEX}"/>'
    return "\n".join(["<defs>", *groups, outline, *(_marker(kind, prefix) for kind in ARROWS), "</defs>"])


def _token(kind: UnitType, side: int) -> str:
    """A unit's token without its figures."""
    name = SILHOUETTES.get(kind.key, kind.key)
    shape = UNIT_SHAPES.get(name) or UNIT_SHAPES[ARMS[kind.arm]]
    back = ("allies", "axis")[side]
    shape = shape.replace("{back}", f"l-{back}").replace("{fill}", f"f-{back}")
    badge = f'<g transform="translate(-18,-12)">{BADGES[kind.key]}</g>' if kind.key in BADGES else ""
    return (
        f'{TOKENS[side]}<g fill="currentColor" transform="translate(-3,-3)">{shape}</g>'
        f'<text class="sl" fill="currentColor" x="13.5" y="10">{SIDE_LETTERS[side]}</text>{badge}'
    )


def _figures(count: int) -> str:
    """The number of figures and as many pips."""
    step = 5 if count < 5 else round(20 / (count - 1), 1)
    pips = f"M-12 9.700h{round(step * (count - 1), 1)}.1" if isinstance(step, int) else f"M-12 9.700h20.1"
    return (
        f'<text class="fg" fill="currentColor" x="13" y="2.5">{count}</text>'
        f'<path stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-dasharray="0 {step}" d="{pips}"/>'
    )


def _water(ground: Ground) -> str:
    """Rivers and ponds as bands, banks first."""
    water = Water(ground)
    bands: dict[tuple[int, str], list[str]] = {}
    for place in ground.places:
        if place.number not in water.inland:
            continue
        at = centre(place)
        if place.number in water.ponds:
            bands.setdefault((38, "round"), []).append(f"M{at[0]} {at[1]}h.1")
            if ways := water.pond_ways(place):
                bands.setdefault((30, "butt"), []).append("".join(band(at, (way,)) for way in ways))
        ways = tuple(way for way in water.ways(place) if way not in water.pond_ways(place))
        if place.number not in water.ponds or ways:
            breadth = 23 if "wide" in place.traits else 15
            bands.setdefault((breadth, "butt"), []).append(band(at, ways))
    layers = []
    for name, more in (("bank", 3), ("river", 0)):
        for (breadth, cap), paths in bands.items():
            layers.append(
                f'<path class="l-{name}" stroke-width="{breadth + more}" stroke-linecap="{cap}" '
                f'd="{"".join(paths)}"/>'
            )
    return "\n".join(layers)


def _lasting_features(ground: Ground, prefix: str) -> str:
    """Bridges across their rivers, a causeway from end to end, and the rest upright."""
    water = Water(ground)
    parts = []
    if ground.causeway:
        road = " ".join(f"{x} {y}" for x, y in (centre(ground.places[h]) for h in ground.causeway))
        parts += [f'<path class="l-{name}" stroke-width="{w}" d="M{road}"/>' for name, w in CAUSEWAY]
    for place in ground.places:
        x, y = centre(place)
        if "impassable" in place.traits and place.terrain not in INLAND:
            parts.append(f'<use href="#{prefix}barred" x="{x}" y="{y}"/>')
        for key, owner in place.features:
            if key == "bridge" and place.number in ground.causeway:
                continue
            turn = water.bridge_angle(place) if key == "bridge" else 0
            where = f'transform="translate({x},{y})rotate({turn})"' if turn else f'x="{x}" y="{y}"'
            parts.append(
                f'<use href="#{prefix}x-{key}" {where} data-hex="{place.label}" data-feature="{key}"/>'
            )
            if owner is not None and key == "bunker":
                parts.append(f'<text class="sl f-slit" x="{x - 20}" y="{y + 11}">{SIDE_LETTERS[owner]}</text>')
    return "\n".join(parts)


CAUSEWAY = (("rail", 15), ("deck", 11))


def _sections(ground: Ground) -> str:
    """Dashed lines between sections (R8) and finer ones between half-sections (V22)."""
    _, height = size(ground)
    parts = []
    for lines, look in ((ground.sections, "1.6"), (ground.halves, ".7")):
        if lines:
            path = "".join(f"M{HALF * (x + 1) + EDGE} {STRIP}V{height - STRIP}" for x in lines)
            parts.append(f'<path class="l-section" stroke-width="{look}" stroke-dasharray="7 5" d="{path}"/>')
    return "\n".join(parts)


def _coordinates(ground: Ground) -> str:
    texts = []
    for place in ground.places:
        x, y = centre(place)
        texts.append(f'<text x="{x}" y="{y - 19}">{place.label}</text>')
    return f'<g class="cd f-text">{"".join(texts)}</g>'


def _names(ground: Ground) -> str:
    """Names printed on the map, kept within the picture."""
    width, _ = size(ground)
    texts = []
    for place in ground.places:
        if place.name:
            x, y = centre(place)
            half = 2.4 * len(place.name) + 3
            x = round(min(max(x, half), width - half)) if 2 * half < width else width // 2
            texts.append(f'<text x="{x}" y="{y + 20}">{clean(place.name)}</text>')
    return f'<g class="nm" aria-hidden="true">{"".join(texts)}</g>' if texts else ""


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
    return f'<g class="l-glow" stroke-width="4" stroke-linejoin="round">{uses}</g>'


def _units(state: State, picture: Picture, prefix: str) -> str:
    return "\n".join(_unit(state, picture, piece, prefix) for piece in picture.pieces)


def _unit(state: State, picture: Picture, piece: Piece, prefix: str) -> str:
    place = picture.ground.places[piece.hex]
    x, y = centre(place)
    title = clean(describe_unit(state, piece.unit, picture=picture))
    return (
        f'<g id="{prefix}u{piece.unit}" class="unit ink{piece.side}" data-hex="{place.label}" '
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
                f'transform="translate({x + 18},{y - 18})scale(.9)"><title>{title}</title>{_medal(goal)}</g>'
            )
    return "\n".join(parts)


def _medal(goal: Goal) -> str:
    facts = goal.facts
    sign = f'<path class="f-gold l-brass" stroke-width=".8" d="{EXIT if facts.kind == "exit" else STAR}"/>'
    if goal.holder is not None:
        back = ("f-allies", "f-axis")[goal.holder]
        plate = f'<g class="{back} l-gold" stroke-width="2">{PLATES[1 << goal.holder]}</g>'
        return f'{plate}{sign}<text class="sl f-brass" y="2.7">{SIDE_LETTERS[goal.holder]}</text>'
    plate = f'<g class="f-paper l-brass" stroke-width="1.2">{PLATES[facts.sides]}</g>'
    value = "!" if facts.kind == "sudden-death" else str(facts.medals) if facts.medals > 1 else ""
    return f'{plate}{sign}<text class="sl f-brass" y="2.7">{value}</text>' if value else plate + sign


def _strips(state: State, picture: Picture, caption: str | None) -> str:
    """Each side's name and medals along its own edge, and the caption."""
    width, height = size(picture.ground)
    battle = state.setup.battle
    bottom = 0 if state.setup.bottom[0] != picture.ground.turned else 1
    parts = []
    for side, y in ((1 - bottom, 17), (bottom, height - 9)):
        nation = f" ({clean(battle.sides[side].nation)})" if battle.sides[side].nation else ""
        plate = PLATES[1 << side]
        parts.append(
            f'<g class="f-{("allies", "axis")[side]} l-{("allied-ink", "axis-rim")[side]}" stroke-width="1.5" '
            f'transform="translate({EDGE + 12},{y - 4})scale(.8)">{plate}</g>'
            f'<text class="cp f-text" x="{EDGE + 24}" y="{y}">{SIDE_NAMES[side]}{nation}</text>'
            + _track(picture.medals[side], picture.target[side], y - 4)
        )
    words = caption if caption is not None else battle.title + (" (partial)" if battle.partial else "")
    if len(words) > 60:
        words = f"{words[:59]}…"
    parts.append(f'<text class="cp f-text" x="{width - EDGE}" y="17" text-anchor="end">{clean(words)}</text>')
    return "\n".join(parts)


def _track(medals: int, target: int, y: int) -> str:
    """One star for every medal that the side needs; those it has are filled."""
    parts = []
    for first, last, look in ((0, medals, "f-gold l-brass"), (medals, target, "l-text")):
        stars = "".join(f'<path d="{STAR}" transform="translate({17 * n},0)"/>' for n in range(first, last))
        if stars:
            parts.append(f'<g class="{look}" stroke-width=".9" transform="translate({TRACK},{y})">{stars}</g>')
    return "".join(parts)


TRACK = 125  # where the medals of a side begin


# Arrows

ARROWS: dict[str, tuple[str, str]] = {  # kind of arrow: width, dashes
    "move": ("3", ""),
    "retreat": ("3", "1 5"),
    "attack": ("3.5", "9 4"),
}


def _marker(kind: str, prefix: str) -> str:
    head = "M0 0 11 5.5 0 11 3 5.5z" if kind != "attack" else "M0 0 12 5.5 0 11z"
    return (
        f'<marker id="{prefix}{kind}" markerUnits="userSpaceOnUse" markerWidth="13" markerHeight="12" '
        f'refX="7" refY="5.5" orient="auto"><path class="f-{kind}" d="{head}"/></marker>'
    )


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
        f'<path class="l-paper" stroke-width="6" opacity=".7" d="{d}"/>'
        f'<g class="l-{kind}" stroke-width="{width}"{dash}>{ends}</g></g>'
    )


def _polyline(points: list[tuple[int, int]]) -> str:
    """A path from the first point to shortly before the last."""
    (ax, ay), (bx, by) = points[-2:]
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    back = min(SHORT / length, 0.5) if length else 0
    points = [*points[:-1], (round(bx - (bx - ax) * back), round(by - (by - ay) * back))]
    return "M" + " ".join(f"{x} {y}" for x, y in points)


SHORT = 18  # arrows end this far from the middle of their last hex
