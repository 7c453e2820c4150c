"""What the terminal can show, and printing to it: the only place that looks at the environment for this.

Colours and letters beyond ASCII go to a terminal that has them. A pipe, a file or `TERM=dumb` gets plain
ASCII drawings, and `NO_COLOR` switches colours off everywhere; the options of a command come first.
"""

from __future__ import annotations

import json
import os
import sys
import textwrap
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

MODES = ("auto", "always", "never")
GLYPHS = ("auto", "unicode", "ascii")


class Screen(NamedTuple):
    """How drawings may look, and how many columns there are (None: not a terminal)."""

    colour: bool
    unicode: bool
    width: int | None
    height: int | None = None  # lines, of a terminal

    @property
    def text_width(self) -> int:
        """Columns for running text: never more than is good to read."""
        return max(20, min(self.width or 80, 88))


def screen(colour: str = "auto", glyphs: str = "auto") -> Screen:
    """The present standard output, as the options of a command ask for it."""
    terminal = sys.stdout.isatty()
    able = terminal and os.environ.get("TERM", "") != "dumb"
    wide = "utf" in (sys.stdout.encoding or "").lower()
    size = _size() if terminal else (0, 0)
    return Screen(
        colour=colour == "always" or (colour == "auto" and able and not os.environ.get("NO_COLOR")),
        unicode=glyphs == "unicode" or (glyphs == "auto" and able and wide),
        width=size[0] if terminal else None,
        height=size[1] if terminal else None,
    )


def _size() -> tuple[int, int]:
    """Columns and lines of the terminal."""
    from shutil import get_terminal_size  # brings libraries of compression along

    size = get_terminal_size()
    return size.columns, size.lines


def is_terminal() -> bool:
    """Whether somebody sits there who can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def drawing_options(command: Command) -> Command:
    """Adds --chair, --colour and --glyphs to a command that draws a board."""
    for option in (
        click.option("--glyphs", type=click.Choice(GLYPHS), default="auto", help="Signs of the drawing."),
        click.option("--colour", "--color", type=click.Choice(MODES), default="auto", help="Use colours."),
        click.option("--chair", type=click.Choice(("allies", "axis")), help="Whose side of the table."),
    ):
        command = option(command)
    return command


def chair_number(chair: str | None) -> int | None:
    """Side 0 or 1 for the name of a chair."""
    return None if chair is None else ("allies", "axis").index(chair)


def say(text: str = "") -> None:
    """Print a text, without accents where the output cannot carry them."""
    encoding = sys.stdout.encoding or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        from pbem.draw.terminal import to_ascii

        text = to_ascii(text)
    # click would take escape codes out of a pipe; whoever asks for colours there shall have them.
    click.echo(text, color=True)


def say_filled(text: str) -> None:
    """Print a line within the width of the terminal; what goes on is indented a little more."""
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    width = screen().text_width
    say(textwrap.fill(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False))


def say_all(text: str) -> None:
    """Print the lines of a text, each within the width of the terminal."""
    for line in text.splitlines():
        say_filled(line)


def say_fitting(text: str, tail: str = "") -> None:
    """Print a sentence within a terminal's width; its tail, to be copied, in a line of its own if need be."""
    width = screen().width
    whole = f"{text} {tail}".rstrip()
    if width is None or len(whole) <= width:
        say(whole)
        return
    say_filled(text)
    if tail:
        say(f"  {tail}")


def say_json(value: object) -> None:
    """Print a value as JSON, in ASCII so that it survives every pipe."""
    click.echo(json.dumps(value, indent=2))
