"""The part of a picture that no move changes: ground, rivers, bridges, names, and the shapes that units use.

It is written once per game and chair and kept. `Scenery.below` lies under the units, `above` over them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.setup import Setup
from engine.terrain import FEATURES
from engine.units import UnitType
from pbem.draw.look import FACES, clean
from pbem.draw.picture import SIDE_LETTERS, Ground, Place, ground_of
from pbem.draw.shapes import (
    ARMS,
    BADGES,
    BARRED,
    FEATURE_SHAPES,
    HEX,
    SILHOUETTES,
    TERRAIN_SHAPES,
    TOKENS,
    UNIT_SHAPES,
    UNKNOWN_FEATURE,
    UNKNOWN_TERRAIN,
)
from pbem.draw.water import INLAND, Water, band

HALF, ROW, CORNER = 26, 45, 30  # half the width of a hex, from row to row, centre to corner
EDGE = 8  # free space around the hexes
STRIP = 26  # above and below, for names and medals

CAUSEWAY = (("rail", 'width="16"'), ("deck", 'width="12"'), ("rail", 'width="12" stroke-dasharray=".8 5"'))
ARROWS: dict[str, tuple[str, str]] = {  # kind of arrow: width, dashes
    "move": ("3", ""),
    "retreat": ("3", "1 5"),
    "attack": ("3.5", "9 4"),
}


def size(ground: Ground) -> tuple[int, int]:
    """Width and height of the picture in its own units."""
    return (
        2 * HALF * ground.columns + 2 * EDGE,
        ROW * (ground.rows - 1) + 2 * CORNER + 2 * STRIP,
    )


def centre(place: Place) -> tuple[int, int]:
    """Where the middle of a hex lies in the picture."""
    return (HALF * (place.x + 1) + EDGE, ROW * place.y + CORNER + STRIP)


class Scenery(NamedTuple):
    """The written parts of a map: shapes to use, what lies under the units, what lies over them."""

    defs: str
    below: str
    above: str


@lru_cache(maxsize=16)
def scenery(setup: Setup, turned: bool, prefix: str) -> Scenery:
    """The map of a game, written for one chair; `prefix` begins all its ids."""
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
    return Scenery(_defs(setup, ground, prefix), "\n".join(filter(None, below)), _names(ground))


def _hex(place: Place, prefix: str) -> str:
    x, y = centre(place)
    return f'<use href="#{prefix}t-{place.terrain}" x="{x}" y="{y}" data-hex="{place.label}"/>'


def _defs(setup: Setup, ground: Ground, prefix: str) -> str:
    """Every shape that this battle may need."""
    base = f'<path class="mf-{FACES.get(ground.face, "country")} m-hx" d="{HEX}"/>'
    shapes = {}
    for terrain in dict.fromkeys(place.terrain for place in ground.places):
        shape = TERRAIN_SHAPES.get(terrain, UNKNOWN_TERRAIN)
        if terrain in ("open", *INLAND):
            shape = base + (TERRAIN_SHAPES["open"] if terrain == "open" else "")
        if terrain == "cliff" and ground.turned:  # its foot lies toward the beach
            shape = f'<g transform="rotate(180)">{shape}</g>'
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
    shape = shape.replace("{back}", f"ml-{back}").replace("{fill}", f"mf-{back}")
    fit = "translate(-5,-3.5)scale(.88)" if name == "infantry" else "translate(-6,-3.5)scale(.78)"
    badge = f'<g transform="translate(-18,-12)">{BADGES[kind.key]}</g>' if kind.key in BADGES else ""
    return (
        f'{TOKENS[side]}<g fill="currentColor" transform="{fit}">{shape}</g>'
        f'<text class="m-sl" fill="currentColor" x="13.5" y="10">{SIDE_LETTERS[side]}</text>{badge}'
    )


def _figures(count: int) -> str:
    """The number of figures and as many pips."""
    step = 5 if count < 5 else round(20 / (count - 1), 1)
    pips = f"M-12 9.7h{step * (count - 1):g}.1" if count < 5 else "M-12 9.7h20.1"
    return (
        f'<text class="m-fg" fill="currentColor" x="13" y="2.5">{count}</text>'
        f'<path stroke="currentColor" stroke-width="3" stroke-linecap="round" '
        f'stroke-dasharray="0 {step}" d="{pips}"/>'
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
                f'<path class="ml-{name}" stroke-width="{breadth + more}" stroke-linecap="{cap}" '
                f'd="{"".join(paths)}"/>'
            )
    return "\n".join(layers)


def _lasting_features(ground: Ground, prefix: str) -> str:
    """Bridges across their rivers, a causeway from end to end, and the rest upright."""
    water = Water(ground)
    parts = []
    if ground.causeway:
        road = " ".join(f"{x} {y}" for x, y in (centre(ground.places[h]) for h in ground.causeway))
        parts += [f'<path class="ml-{name}" stroke-{look} d="M{road}"/>' for name, look in CAUSEWAY]
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
                parts.append(
                    f'<text class="m-sl mf-slit" x="{x - 20}" y="{y + 11}">{SIDE_LETTERS[owner]}</text>'
                )
    return "\n".join(parts)


def _sections(ground: Ground) -> str:
    """Dashed lines between sections (R8) and finer ones between half-sections (V22)."""
    _, height = size(ground)
    parts = []
    for lines, look in ((ground.sections, "1.6"), (ground.halves, ".7")):
        if lines:
            path = "".join(f"M{HALF * (x + 1) + EDGE} {STRIP}V{height - STRIP}" for x in lines)
            parts.append(
                f'<path class="ml-section" stroke-width="{look}" stroke-dasharray="7 5" d="{path}"/>'
            )
    return "\n".join(parts)


def _coordinates(ground: Ground) -> str:
    texts = []
    for place in ground.places:
        x, y = centre(place)
        texts.append(f'<text x="{x}" y="{y - 19}">{place.label}</text>')
    return f'<g class="m-cd mf-text">{"".join(texts)}</g>'


def _names(ground: Ground) -> str:
    """Names printed on the map, kept within the picture."""
    width, _ = size(ground)
    texts = []
    for place in ground.places:
        if place.name:
            x, y = centre(place)
            half = 2.6 * len(place.name) + 5
            x = round(min(max(x, half), width - half)) if 2 * half < width else width // 2
            texts.append(f'<text x="{x}" y="{y + 19}">{clean(place.name)}</text>')
    return f'<g class="m-nm" aria-hidden="true">{"".join(texts)}</g>' if texts else ""


def _marker(kind: str, prefix: str) -> str:
    head = "M0 0 11 5.5 0 11 3 5.5z" if kind != "attack" else "M0 0 12 5.5 0 11z"
    return (
        f'<marker id="{prefix}{kind}" markerUnits="userSpaceOnUse" markerWidth="13" markerHeight="12" '
        f'refX="7" refY="5.5" orient="auto"><path class="mf-{kind}" d="{head}"/></marker>'
    )
