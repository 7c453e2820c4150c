"""The style of the pictures: every colour is a class, in a light and a dark shade.

What the style sheet says is also written as attributes (`dressed`), which any rule of a style sheet
overrides: mail programs that take style sheets out of a page show the light board.
"""

from __future__ import annotations

import re
from functools import cache

from pbem.draw.look import PALETTE

THEMES = ("auto", "light", "dark")


@cache
def svg_style(theme: str = "auto") -> str:
    """The style sheet of boards; "auto" follows the reader's setting.

    Selectors name one class each, because a rule with an ancestor does not reach into <use>. The rules of
    "auto" are literal colours first and variables second: a viewer that knows no variables shows the light
    board, a page may set the variables itself (`svg_variables`).
    """
    if theme == "auto":
        dark = svg_variables("dark")
        return f"{_RULES}{_colours(0, variables=True)}@media(prefers-color-scheme:dark){{.m44{{{dark}}}}}"
    return _RULES + _colours(THEMES.index(theme) - 1, variables=False)


def svg_variables(theme: str) -> str:
    """The colours of the light or dark theme as CSS variables, for a page with a switch of its own."""
    column = THEMES.index(theme) - 1
    return ";".join(f"--m-{name}:{shades[column]}" for name, shades in PALETTE.items())


def _colours(column: int, *, variables: bool) -> str:
    """Classes that fill, classes that draw lines, and the few that do something else."""
    rules = []
    for name, shades in PALETTE.items():
        for selector, feature in _selectors(name):
            value = shades[column]
            second = f";{feature}:var(--m-{name},{value})" if variables else ""
            rules.append(f".{selector}{{{feature}:{value}{second}}}")
    return "".join(rules)


def _selectors(name: str) -> tuple[tuple[str, str], ...]:
    """The classes that a colour has, each with what it colours."""
    return ((f"mf-{name}", "fill"), (f"ml-{name}", "stroke"), *OTHERS.get(name, ()))


OTHERS: dict[str, tuple[tuple[str, str], ...]] = {
    "grid": (("m-hx", "stroke"),),
    "text": (("m-nm", "fill"),),
    "paper": (("m-nm", "stroke"),),
    "allied-ink": (("m-ink0", "color"),),
    "axis-ink": (("m-ink1", "color"),),
}
FONT = "system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
# Letters, by class; of two classes on one element the later row counts.
LETTERS: dict[str, dict[str, str]] = {
    "m-cd": {"font-size": "7px", "font-weight": "600", "text-anchor": "middle", "opacity": ".62"},
    "m-nm": {
        "font-size": "8.5px",
        "font-style": "italic",
        "font-weight": "600",
        "text-anchor": "middle",
        "paint-order": "stroke",
        "stroke-width": "2.6",
        "stroke-linejoin": "round",
    },
    "m-fg": {"font-size": "13px", "font-weight": "700", "text-anchor": "middle"},
    "m-sl": {"font-size": "7px", "font-weight": "700", "text-anchor": "middle"},
    "m-md": {"font-size": "11px", "font-weight": "700", "font-style": "normal", "text-anchor": "middle"},
    "m-cp": {"font-size": "12px", "font-weight": "600"},
}
_RULES = f".m44{{font-family:{FONT}}}" + "".join(
    f".{name}{{{';'.join(f'{feature}:{value}' for feature, value in row.items())}}}"
    for name, row in LETTERS.items()
)
_CLASSES = re.compile(r'class="([a-z0-9 -]+)"')


def dressed(markup: str, theme: str = "auto") -> str:
    """The markup with the colours and letters of its classes as attributes too."""
    column = int(theme == "dark")
    return _CLASSES.sub(lambda found: found[0] + _attributes(found[1], column), markup)


@cache
def _attributes(classes: str, column: int) -> str:
    """What the style sheet would say about an element with these classes, as attributes."""
    names = classes.split()
    features: dict[str, str] = {"font-family": FONT} if "m44" in names else {}
    for name, row in LETTERS.items():
        if name in names:
            features |= row
    for name, shades in PALETTE.items():
        for selector, feature in _selectors(name):
            if selector in names:
                features[feature] = shades[column]
    return "".join(f' {feature}="{value}"' for feature, value in features.items())
