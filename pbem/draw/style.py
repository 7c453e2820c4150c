"""The style sheet of the pictures: every colour is a class, in a light and a dark shade."""

from __future__ import annotations

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
        for selector, feature in ((f".mf-{name}", "fill"), (f".ml-{name}", "stroke"), *OTHERS.get(name, ())):
            value = shades[column]
            second = f";{feature}:var(--m-{name},{value})" if variables else ""
            rules.append(f"{selector}{{{feature}:{value}{second}}}")
    return "".join(rules)


OTHERS: dict[str, tuple[tuple[str, str], ...]] = {
    "grid": ((".m-hx", "stroke"),),
    "text": ((".m-nm", "fill"),),
    "paper": ((".m-nm", "stroke"),),
    "allied-ink": ((".m-ink0", "color"),),
    "axis-ink": ((".m-ink1", "color"),),
}
_RULES = (
    ".m44{font-family:system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif}"
    ".m-cd{font-size:7px;font-weight:600;text-anchor:middle;opacity:.62}"
    ".m-nm{font-size:8.5px;font-style:italic;font-weight:600;text-anchor:middle;"
    "paint-order:stroke;stroke-width:2.6;stroke-linejoin:round}"
    ".m-fg{font-size:13px;font-weight:700;text-anchor:middle}"
    ".m-sl{font-size:7px;font-weight:700;text-anchor:middle}"
    ".m-md{font-size:11px;font-weight:700;font-style:normal;text-anchor:middle}"
    ".m-cp{font-size:12px;font-weight:600}"
)
