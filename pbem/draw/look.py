"""Looks, keyed by what the engine calls things: signs and colours for the terminal, palettes for pictures."""

from __future__ import annotations

from typing import NamedTuple

# How characters are written that mean something in a page, or that XML has no place for.
_WRITTEN: dict[int, str] = {
    **dict.fromkeys((*range(9), *range(11, 32), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF), "?"),
    ord("&"): "&amp;",
    ord("<"): "&lt;",
    ord(">"): "&gt;",
    ord('"'): "&quot;",
    ord("'"): "&#x27;",
}


def clean(text: str) -> str:
    """A text of a scenario, safe inside an element or an attribute."""
    return text.translate(_WRITTEN)


class Sign(NamedTuple):
    """How the terminal shows a terrain: two lines of five columns, in ASCII and in Unicode."""

    ascii: tuple[str, str]
    unicode: tuple[str, str]
    back: int  # colours of the 256-colour palette: background ...
    ink: int  # ... and signs on it


SIGNS: dict[str, Sign] = {
    "open": Sign(("     ", "  .  "), ("     ", "  ·  "), 151, 108),
    "forest": Sign(("%%   ", "  %% "), ("♣♣   ", "  ♣♣ "), 71, 22),
    "hedgerow": Sign(("&&   ", "  && "), ("▒▒   ", "  ▒▒ "), 107, 22),
    "hill": Sign(("/\\   ", "  /\\ "), ("◠◠   ", "  ◠◠ "), 180, 94),
    "town": Sign(("^^   ", "  ^^ "), ("⌂⌂   ", "  ⌂⌂ "), 252, 88),
    "church": Sign(("+^   ", "  +^ "), ("†⌂   ", "  †⌂ "), 252, 88),
    "river": Sign(("~~~~~", "~~~~~"), ("≈≈≈≈≈", "≈≈≈≈≈"), 74, 24),
    "beach": Sign((",,   ", "  ,, "), ("∴∴   ", "  ∴∴ "), 223, 137),
    "ocean": Sign(("~ ~  ", " ~ ~ "), ("∼ ∼  ", " ∼ ∼ "), 67, 153),
    "dune": Sign(("((   ", "  (( "), ("⌒⌒   ", "  ⌒⌒ "), 222, 94),
    "cliff": Sign(("/|   ", "  /| "), ("▟▌   ", "  ▟▌ "), 180, 240),
    "steep-hill": Sign(("//   ", "  // "), ("◢◠   ", "  ◢◠ "), 173, 52),
    "lake": Sign(("(~~~)", "(~~~)"), ("(≈≈≈)", "(≈≈≈)"), 74, 24),
    "hill-forest": Sign(("/%   ", "  /% "), ("◠♣   ", "  ◠♣ "), 137, 22),
    "hill-town": Sign(("/^   ", "  /^ "), ("◠⌂   ", "  ◠⌂ "), 181, 88),
    "mountain": Sign(("/M   ", "  /M "), ("▲▲   ", "  ▲▲ "), 145, 236),
}
# A terrain that joined the engine without a look of its own.
UNKNOWN = Sign(("??   ", "  ?? "), ("??   ", "  ?? "), 250, 16)

FEATURE_SIGNS: dict[str, tuple[str, str]] = {  # ASCII, Unicode
    "bridge": ("=", "═"),
    "bunker": ("B", "◘"),
    "hedgehog": ("#", "✱"),
    "wire": ("x", "╳"),
    "sandbags": ("n", "∩"),
    "sea-wall": ("w", "▦"),
}
IMPASSABLE = ("!", "⊘")
FREE_STAR = ("*", "☆")
HELD_STAR = ("*", "★")

# Units in the terminal: brackets, background and ink of each side.
BRACKETS = (("(", ")"), ("[", "]"))
UNIT_COLOURS = ((231, 18), (236, 230))
STAR_COLOURS = (16, 18, 16)  # of nobody, the Allies, the Axis
MARK_COLOUR = 16  # features
BRIDGE_INK = (52, 180, False)  # letters, background, bold
EDGE_COLOUR = 245
SECTION_COLOUR = 240


# Pictures: every name below is a class `mf-name` that fills and a class `ml-name` that draws lines.
PALETTE: dict[str, tuple[str, str]] = {  # light, dark
    "paper": ("#fbfaf5", "#14171a"),
    "text": ("#22262b", "#e8e6df"),
    "grid": ("#8c9270", "#15181a"),
    "country": ("#dde5bd", "#3d4733"),
    "beachside": ("#dde5bd", "#3d4733"),
    "winter": ("#eef2f6", "#4a545e"),
    "desert": ("#efdcaa", "#5a4d33"),
    "grass": ("#c3cf9c", "#4b573f"),
    "forest": ("#a5c58b", "#2b3f29"),
    "tree": ("#3f7a43", "#58915a"),
    "trunk": ("#5a4326", "#1c2a1b"),
    "field": ("#cfdd9f", "#46522f"),
    "hedge": ("#4c7a2c", "#84a85a"),
    "hill": ("#e2c795", "#564a35"),
    "slope": ("#d3ae70", "#6e5d3f"),
    "top": ("#c19555", "#8a744c"),
    "contour": ("#8a6226", "#c3a46b"),
    "rock": ("#b9b1a3", "#6b6860"),
    "crag": ("#5f574b", "#b4ad9f"),
    "snow": ("#ffffff", "#dfe6ec"),
    "town": ("#e6dccb", "#4b4640"),
    "wall": ("#fff8ea", "#b9aa93"),
    "roof": ("#b5543a", "#a8563f"),
    "beach": ("#f3e2b3", "#6b5f41"),
    "grain": ("#c7a765", "#a08d5e"),
    "ocean": ("#8fbcd6", "#1f4258"),
    "wave": ("#e6f3fa", "#4d86a6"),
    "river": ("#6aa9d4", "#2f6d96"),
    "bank": ("#3c7196", "#132f42"),
    "deck": ("#c9a877", "#a98a5c"),
    "rail": ("#5d4322", "#271c0e"),
    "steel": ("#3b3f45", "#d3d7dc"),
    "sack": ("#d2b47c", "#b89b63"),
    "seam": ("#5f4a20", "#2c220e"),
    "concrete": ("#a9a9a4", "#87898a"),
    "slit": ("#2f3033", "#16181a"),
    "section": ("#7b3f2a", "#e0b48a"),
    "bar": ("#7a1f1f", "#f0a58f"),
    "allies": ("#fffdf4", "#f6f1de"),
    "allied-ink": ("#123a66", "#123a66"),
    "axis": ("#33363c", "#23262b"),
    "axis-ink": ("#f7f3e6", "#f7f3e6"),
    "axis-rim": ("#0d0e10", "#d5d2c8"),
    "gold": ("#f2b823", "#f2c443"),
    "brass": ("#6b4700", "#2b1d00"),
    "glow": ("#e0218a", "#ff7ac0"),
    "move": ("#0b57c4", "#7db7ff"),
    "attack": ("#c01818", "#ff7a6b"),
    "retreat": ("#6a2c9c", "#cfa0ff"),
}
# Ground of a board's face where nothing is drawn.
FACES: dict[str, str] = {
    "country": "country",
    "beach": "beachside",
    "winter": "winter",
    "desert": "desert",
}
