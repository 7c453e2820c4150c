"""Drawing a position: for the terminal, as SVG, and in words. Knows no files, pages or terminals.

    text_board(state, colour=True)     the board as lines of text
    svg_board(state, theme="auto")     the board as one self-contained SVG element
    describe(state)                    the board in sentences, for screen readers

Every painter takes the same `State` and a chair: side 0 or 1 sits at the bottom of the picture; None is
the side that sits there at the table. Turned boards keep their hex labels.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.draw.style import svg_style, svg_variables
    from pbem.draw.svg import svg_board
    from pbem.draw.terminal import board_width, text_board
    from pbem.draw.words import describe, describe_unit, goal_lines, unit_rows, unit_table

__all__ = [
    "board_width",
    "describe",
    "describe_unit",
    "goal_lines",
    "svg_board",
    "svg_style",
    "svg_variables",
    "text_board",
    "unit_rows",
    "unit_table",
]

# Where each name lives; a painter is imported when it is first asked for, so that words cost no pictures.
_HOMES = {
    "board_width": "terminal",
    "describe": "words",
    "describe_unit": "words",
    "goal_lines": "words",
    "svg_board": "svg",
    "svg_style": "style",
    "svg_variables": "style",
    "text_board": "terminal",
    "unit_rows": "words",
    "unit_table": "words",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
