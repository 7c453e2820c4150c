"""The pictures of the documentation are those that scripts/pictures.py makes today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from engine import new_game
from pbem.draw import svg_board
from pbem.library import load_battle

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs" / "pictures"


def script() -> ModuleType:
    """scripts/pictures.py as a module."""
    spec = importlib.util.spec_from_file_location("pictures", ROOT / "scripts" / "pictures.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_are_up_to_date() -> None:
    """A change of the drawings needs `python scripts/pictures.py` and a look at the result."""
    assert (PICTURES / "pegasus-bridge.svg").read_text(encoding="utf-8") == script().opening() + "\n"
    for name in ("first-assault-wave", "st-vith"):
        drawn = svg_board(new_game(load_battle(name)))
        assert (PICTURES / f"{name}.svg").read_text(encoding="utf-8") == drawn + "\n"


def test_the_picture_of_the_readme_is_small() -> None:
    data = (PICTURES / "pegasus-bridge.png").read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(data[16:20], "big") == 900
    assert len(data) < 150_000
