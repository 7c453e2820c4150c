"""Finds the files that travel with the program, scenarios and templates, and hands over their text.

In a checkout both folders lie beside the packages; a wheel carries them inside `pbem/data`. Nothing else
needs to know which of the two it is.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.battle import Battle
from engine.document import MAX_SIZE, nearest, printable
from engine.errors import ScenarioError
from engine.scenario import parse_battle

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

ENDINGS = (".yaml", ".yml")
MOST_KEY = 32  # characters of a battle's name in the key of a game


def data_folder(name: str) -> Traversable:
    """The folder `scenarios` or `templates`, wherever this installation keeps it."""
    package = Path(__file__).parent
    for folder in (package / "data" / name, package.parent / name):
        if folder.is_dir():
            return folder
    # Inside a zip, perhaps. The library that looks there takes longer to load than many a command.
    from importlib.resources import files

    return files("pbem").joinpath("data", name)


def template_folder() -> Traversable:
    """The folder of the report templates."""
    return data_folder("templates")


@cache
def _scenarios() -> dict[str, Traversable]:
    """Every scenario file by its key, in alphabetical order."""
    root = data_folder("scenarios")
    groups = [entry for entry in root.iterdir() if entry.is_dir()] if root.is_dir() else []
    found = {
        entry.name.removesuffix(".yaml"): entry
        for group in groups
        for entry in group.iterdir()
        if entry.name.endswith(".yaml")
    }
    return dict(sorted(found.items()))


def scenario_names() -> tuple[str, ...]:
    """The keys of all battles in the library."""
    return tuple(_scenarios())


def scenario_key(name: str) -> str:
    """A name as people write it as a key: `Sainte-Mère-Église` gives `sainte-mere-eglise`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return "-".join(plain.lower().replace("-", " ").split())


def game_key(title: str, offer: bytes, digits: int = 6) -> str:
    """What a game is called everywhere: the battle, and the first digits of the invitation's id."""
    words = "".join(c if c.isalnum() else " " for c in scenario_key(title))
    name = "-".join(words.split())[:MOST_KEY].strip("-") or "game"
    return f"{name}-{offer.hex()[:digits]}"


def scenario_text(name: str) -> str:
    """The document of a battle of the library, or of a YAML file named by its path."""
    if name.endswith(ENDINGS):
        return _read(Path(name), name)
    key = scenario_key(name)
    found = _scenarios().get(key)
    if found is None:
        hint = nearest(key, _scenarios()) or '; "pbem scenario list" shows them all'
        raise ScenarioError(f"there is no battle of this name{hint}", name=printable(name, 80))
    return _read(found, found.name)


def load_battle(name: str) -> Battle:
    """A battle of the library by its name, or from a YAML file named by its path."""
    text = scenario_text(name)
    return parse_battle(text, name=name if name.endswith(ENDINGS) else f"{scenario_key(name)}.yaml")


def _read(source: Traversable, name: str) -> str:
    """The text of a file, never more than a scenario may have."""
    if not source.is_file():
        raise ScenarioError("there is no such file", name=printable(name, 80))
    try:
        with source.open("rb") as stream:
            data = stream.read(4 * MAX_SIZE + 1)
        text = data.decode("utf-8-sig")
    except OSError as problem:
        raise ScenarioError(f"cannot be read: {problem.strerror}", name=printable(name, 80)) from None
    except UnicodeDecodeError as problem:
        line = problem.object.count(b"\n", 0, problem.start) + 1
        if len(data) > 4 * MAX_SIZE:  # cut off in the middle of a character, and too long anyway
            return data.decode("utf-8", "replace")
        raise ScenarioError("this is not UTF-8 text", name=printable(name, 80), line=line) from None
    return text.replace("\r\n", "\n")
