"""HTML pages from templates: everything a page shows is escaped unless it was drawn by this program.

Jinja2 is imported only when a page is made. A template formats; it never decides a rule.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.library import template_folder

if TYPE_CHECKING:
    from jinja2 import Environment, Template

# Colours of the pages: light, dark.
COLOURS: dict[str, tuple[str, str]] = {
    "page": ("#f4f1e8", "#101214"),
    "sheet": ("#fffdf8", "#191c1f"),
    "ink": ("#22262b", "#e8e6df"),
    "soft": ("#565a52", "#a9aca3"),
    "line": ("#d9d3c2", "#33383c"),
    "accent": ("#44552b", "#b9cc95"),
    "due": ("#8a2b16", "#ffb59f"),
    "due-back": ("#fdeee6", "#38201a"),
    "good": ("#2d5a34", "#9fd3a5"),
    "star": ("#8a5a00", "#f2c443"),
    "loss": ("#9c1f1f", "#ff9d92"),
    "allies": ("#123a66", "#a9cdf5"),
    "axis": ("#33363c", "#d5d2c8"),
    "die": ("#fffdf4", "#f6f1de"),
    "die-ink": ("#22262b", "#22262b"),
}
# Pairs that carry text: foreground, background.
TEXT_PAIRS: tuple[tuple[str, str], ...] = (
    *(
        (name, back)
        for name in ("ink", "soft", "accent", "star", "allies", "axis")
        for back in ("page", "sheet")
    ),
    *((name, "sheet") for name in ("good", "loss", "due")),
    ("due", "due-back"),
    ("ink", "due-back"),
    ("die-ink", "die"),
)

CONTROL = {code: "\ufffd" for code in (*range(32), 127, *range(128, 160)) if code not in (9, 10, 13)}
# Signs that turn the direction of writing around: in a name they could make a page say something else.
TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C), "\ufffd")


def plain(text: str) -> str:
    """A text of a person, without control characters and signs that turn the writing around."""
    text = text.encode("utf-8", "replace").decode()
    return text.translate({**CONTROL, **TURNING})


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    from pbem.compiled import CompiledTemplates

    folder = template_folder()

    def load(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    return Environment(
        loader=FunctionLoader(load),
        bytecode_cache=CompiledTemplates(Path(str(folder))),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page_colours() -> str:
    """The colours of the pages as CSS: light, dark where the reader prefers it, light on paper."""
    light, dark = (
        ";".join(f"--{name}:{shades[column]}" for name, shades in COLOURS.items()) for column in (0, 1)
    )
    return (
        f":root{{color-scheme:light dark;{light}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
    )


def template_names() -> list[str]:
    """The names of all templates."""
    return sorted(entry.name for entry in template_folder().iterdir() if entry.name.endswith(".j2"))


def load_template(name: str) -> Template:
    """The template of this name, compiled."""
    return _environment().get_template(name)


def render(name: str, **values: Any) -> str:
    """A page from the template of this name."""
    return load_template(name).render(**values)


def drawn(text: str) -> Any:
    """Markup that this program has drawn itself, to be put into a page as it is."""
    from markupsafe import Markup

    return Markup(text)  # noqa: S704  # only for pictures of pbem.draw, which escape what they show
