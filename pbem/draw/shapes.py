"""The pieces of the picture, drawn for this program: terrains, features, units, medals.

All shapes are centred on a hex whose corners are 30 up and down and whose sides are 26 left and right.
Colours come from classes only: `mf-name` fills, `ml-name` draws lines (see look.PALETTE).
"""

from __future__ import annotations

HEX = "M0-30 26-15V15L0 30-26 15V-15z"

_TREE = "M0-8C4-8 6-5 5-2 8 0 7 5 2 5H-2C-7 5-8 0-5-2-6-5-4-8 0-8z"


def _trees(*spots: tuple[int, int]) -> str:
    return "".join(
        f'<g transform="translate({x},{y})"><path class="mf-trunk" d="M-1 4h2v4h-2z"/>'
        f'<path class="mf-tree" d="{_TREE}"/></g>'
        for x, y in spots
    )


def _houses(*spots: tuple[int, int]) -> str:
    walls = "".join(f"M{x - 6} {y}h12v8h-12z" for x, y in spots)
    roofs = "".join(f"M{x - 8} {y}l4-6h8l4 6z" for x, y in spots)
    doors = "".join(f"M{x - 1} {y + 4}h3v4h-3z" for x, y in spots)
    return f'<path class="mf-wall" d="{walls}"/><path class="mf-roof" d="{roofs}{doors}"/>'


def _base(name: str) -> str:
    return f'<path class="mf-{name} m-hx" d="{HEX}"/>'


_SLOPES = (
    '<path class="mf-slope ml-contour" stroke-width=".9" '
    'd="M-21 7C-24-8-9-17 3-16 18-15 24-3 20 8 15 18-15 19-21 7z"/>'
    '<path class="mf-top ml-contour" stroke-width=".9" '
    'd="M-12 4C-14-5-5-10 3-9 12-8 14 0 11 5 7 10-9 11-12 4z"/>'
)
_CHURCH = (
    '<path class="mf-wall" d="M-10 0h19v10h-19zM-18-8h8V10h-8z"/>'
    '<path class="mf-roof" d="M-10 0l3-7h14l4 7zM-19.5-8l5.5-9 5.5 9zM-1 4h4v6h-4z"/>'
    '<path class="ml-text" stroke-width="1.8" d="M-14-24v8M-17.5-21h7"/>'
)
_SANDY = (
    '<path class="ml-grain" stroke-width="1.7" stroke-linecap="round" '
    'd="M-14-10h.1M-5-16h.1M8-12h.1M17-6h.1M-19 3h.1M-8-3h.1M3 2h.1M13 6h.1M-12 11h.1M-1 14h.1'
    'M8 17h.1M1 24h.1M20 10h.1"/>'
)

TERRAIN_SHAPES: dict[str, str] = {
    "open": '<path class="ml-grass" stroke-width="1.1" d="M-13 9l1-4M-11 9l2-3M10-8l1-4M12-8l2-3M9 15l1-4"/>',
    "forest": _base("forest")
    + _trees((-9, -12), (9, -13), (-18, 0), (18, -1), (0, -3), (-10, 11), (10, 10), (0, 19)),
    "hedgerow": _base("field")
    + '<path class="ml-hedge" stroke-width="5" stroke-linecap="round" stroke-dasharray="2.5 5" '
    'd="M0-24 21-12V12L0 24-21 12V-12zM-21 3-3-2 21-7M-1-1 2 23"/>',
    "hill": _base("hill") + _SLOPES,
    "steep-hill": _base("hill")
    + _SLOPES
    + '<path class="ml-contour" stroke-width="1.5" d="M-20 4l-5 1M-20-4l-4-2M-15-11l-4-4M-6-15l-2-5M4-16l1-5'
    'M13-12l3-4M19-6l4-2M21 3l4 1M17 12l4 4M8 16l2 5M-3 17l-1 5M-14 14l-3 4"/>',
    "town": _base("town") + _houses((-12, -9), (11, -10), (-15, 8), (1, 12), (16, 6)),
    "church": _base("town") + _houses((16, -9), (17, 9), (-4, 17)) + _CHURCH,
    "beach": _base("beach") + _SANDY,
    "ocean": _base("ocean") + '<path class="ml-wave" stroke-width="1.3" '
    'd="M-20-4q4-4 8 0t8 0M2-12q4-4 8 0t8 0M0 7q4-4 8 0t8 0M-16 15q4-4 8 0t8 0M-9-18q3-3 6 0t6 0"/>',
    "dune": _base("beach") + '<path class="mf-slope ml-contour" stroke-width=".9" '
    'd="M-22 10C-16-3-6-8 4-4 0-1 0 4 2 10-6 7-14 7-22 10z'
    "M-3-4C3-13 11-16 21-12 17-9 17-4 19 2 12-3 5-5-3-4z"
    'M2 19C7 10 14 8 21 11 18 13 18 16 19 18 13 17 7 17 2 19z"/>',
    "cliff": _base("rock") + '<path class="mf-slope" d="M0-29 25-14.5V-4L15 1 6-3-3 3-13-2-25 3V-14.5z"/>'
    '<path class="ml-crag" stroke-width="1.4" stroke-linejoin="round" '
    'd="M-25 3-13-2-3 3 6-3 15 1 25-4M-19 2v9M-13-1v12M-7 2v14M-2 3v8M3 0v16M9-1v10M15 2v11M21-1v8"/>',
    "mountain": _base("hill") + '<path class="mf-rock ml-crag" stroke-width="1" stroke-linejoin="round" '
    'd="M-23 12-11-12-4-2 6-21 23 12z"/>'
    '<path class="mf-snow" d="M6-20 0-9l4 2 2-3 3 4 3-2zM-11-11l-4 7 3-1 2 2 3-2z"/>',
    "hill-forest": _base("hill") + _SLOPES + _trees((-15, -8), (13, -9), (-16, 9), (16, 9), (0, 0), (0, 18)),
    "hill-town": _base("hill") + _SLOPES + _houses((-12, -8), (12, -9), (-13, 9), (13, 9)),
}
UNKNOWN_TERRAIN = _base("rock") + '<path class="ml-crag" stroke-width="2" d="M-12-12 12 12M12-12-12 12"/>'

BARRED = (
    '<path class="ml-bar" stroke-width="2" opacity=".6" d="M-20-8 8-24M-24 6 20-18M-18 17 24-6M-8 24 20 8"/>'
)

FEATURE_SHAPES: dict[str, str] = {
    "bridge": '<path class="mf-deck" d="M-21-7h42V7h-42z"/>'
    '<path class="ml-rail" stroke-width=".8" d="M-16-6v12M-10-6v12M-4-6v12M2-6v12M8-6v12M14-6v12"/>'
    '<path class="ml-rail" stroke-width="2.4" stroke-linecap="round" d="M-22-7h44M-22 7h44"/>',
    "bunker": '<path class="mf-concrete ml-slit" stroke-width="1.3" '
    'd="M-25 14V-3L-17-16Q0-20 17-16L25-3V14z"/>'
    '<path class="mf-slit" d="M-9-3H9V2H-9zM-23-2h2.5v8h-2.5zM20.5-2h2.5v8h-2.5z"/>',
    "hedgehog": '<path class="ml-steel" stroke-width="2.6" stroke-linecap="round" '
    'd="M-23-1l10 12M-13-1l-10 12M-18-4v16M13-1l10 12M23-1l-10 12M18-4v16"/>',
    "wire": '<path class="ml-steel" stroke-width="1.2" '
    'd="M-21 15q3-8 6 0t6 0 6 0 6 0 6 0 6 0 6 0M-21 15q3 8 6 0t6 0 6 0 6 0 6 0 6 0 6 0"/>'
    '<path class="ml-steel" stroke-width="1.8" d="M-21 9v11M0 9v11M21 9v11"/>',
    "sandbags": '<path class="mf-sack ml-seam" stroke-width=".9" d="M-22 10q0-4 5-4h4q4 0 4 4v2h-13z'
    "M-9 12q0-4 4-4h10q4 0 4 4v2h-18zM9 12v-2q0-4 4-4h4q5 0 5 4v2z"
    'M-16 17q0-5 4-5h5q4 0 4 5v2h-13zM3 19v-2q0-5 4-5h5q4 0 4 5v2z"/>',
    "sea-wall": '<path class="mf-concrete ml-slit" stroke-width="1" d="M-23 9h46v9h-46z"/>'
    '<path class="ml-slit" stroke-width=".8" d="M-23 13.5h46M-14 9v4.5M-3 9v4.5M8 9v4.5M18 9v4.5'
    'M-19 13.5v4.5M-8 13.5v4.5M3 13.5v4.5M13 13.5v4.5"/>',
}
UNKNOWN_FEATURE = '<path class="ml-bar" stroke-width="2.5" d="M-6 10l12 8M6 10-6 18"/>'

# Tokens: the Allies' are round and pale, the Axis' square and dark.
TOKENS = (
    '<rect class="mf-allies ml-allied-ink" stroke-width="1.6" '
    'x="-19" y="-13" width="38" height="26" rx="11"/>',
    '<rect class="mf-axis ml-axis-rim" stroke-width="1.6" x="-19" y="-13" width="38" height="26"/>',
)

# Silhouettes, in the ink of their token; {back} is the colour of the token.
UNIT_SHAPES: dict[str, str] = {
    "infantry": '<path d="M-4-6.6A4.6 4.4 0 0 1 5-6.6L6.6-5.4H-4.6zM-2.6-4.6H3.4L3-2.6H6.6L9.4-4.4 10.6-2.8 '
    '7.4-.2H4V3L7.4 10.5H4L.8 5.4-2.6 10.5H-6.2L-3.2 3V.6L-6-.2-5-3.6-2.6-2.6z"/>'
    '<path d="M-8.5 4 12-7.5" stroke-width="1.8" stroke="currentColor"/>'
    '<path d="M-6.5 4.5-8.5 1" stroke-width="2.6" stroke="currentColor"/>',
    "armor": '<path d="M-13 3.5h26a3 3 0 0 1 0 6h-26a3 3 0 0 1 0-6zM-14 2.5l3-4.5h21l5 4.5z'
    'M-7-3l2-5.5h9l3 5.5zM6-7.5h11v2.2h-10z"/><path class="{back}" stroke-width="2.6" stroke-linecap="round" '
    'stroke-dasharray="0 4.33" d="M-13 6.5h27"/>',
    "artillery": '<path d="M-5 3.5 13-8.5l1.5 2.2L-3 6zM-2 3-14 10.5l-1.5-2L-4 1z'
    'M1-9l2.5-.8L7 1.5 4.5 2.5z"/>'
    '<circle cx="-1" cy="4.5" r="5" class="{fill}" stroke="currentColor" stroke-width="2"/>'
    '<path d="M-6 4.5h10M-1-.5v10" stroke="currentColor" stroke-width="1"/>',
    "half-track": '<path d="M-14-5.5h13v-2h5.5l2.5 4.5h6l1.5 2.5v3h-28.5z'
    'M-11.5 3.5h10a3 3 0 0 1 0 6h-10a3 3 0 0 1 0-6z"/>'
    '<circle cx="9" cy="6" r="3.6"/><path class="{back}" stroke-width="2.4" stroke-linecap="round" '
    'stroke-dasharray="0 4.7" d="M-11.3 6.5h11M9 6h.1"/>',
}
# Which silhouette a type of unit has, and which badge.
SILHOUETTES: dict[str, str] = {
    "special-forces": "infantry",
    "resistance": "infantry",
    "elite-armor": "armor",
}
ARMS = ("infantry", "armor", "artillery")  # for types without a silhouette of their own
_SHIELD = '<path class="mf-gold ml-brass" stroke-width="1" d="M-5.5-6.5h11v6q0 4.5-5.5 7-5.5-2.5-5.5-7z"/>'
BADGES: dict[str, str] = {
    "special-forces": _SHIELD
    + '<path class="ml-brass" stroke-width="1.6" d="M-3.5-.5 0-4 3.5-.5M-3.5 3 0-.5 3.5 3"/>',
    "elite-armor": _SHIELD + '<path class="mf-brass" '
    'd="M0-5 1.3-1.8 4.7-1.6 2.1.6 2.9 3.9 0 2.1-2.9 3.9-2.1.6-4.7-1.6-1.3-1.8z"/>',
    "resistance": _SHIELD + '<path class="ml-brass" stroke-width="1.5" d="M0-5V4.5M-2.5-3h5M-3.5 0h7"/>',
}

STAR = "M0-7 1.9-2.5 6.7-2.2 3 1 4.1 5.7 0 3.1-4.1 5.7-3 1-6.7-2.2-1.9-2.5z"
# What lies behind the star of an objective: round for the Allies, square for the Axis, a hex for both.
PLATES: dict[int, str] = {
    1: '<circle r="9"/>',
    2: '<path d="M-8.5-8.5h17v17h-17z"/>',
    3: '<path d="M0-10 8.7-5V5L0 10-8.7 5V-5z"/>',
}
EXIT = "M-6-2.5H0V-6L7 0 0 6V2.5H-6z"
