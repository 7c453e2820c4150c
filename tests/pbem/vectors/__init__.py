"""The published values of the protocol, read once for all tests."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any


@cache
def vectors() -> dict[str, Any]:
    """The whole document of vectors."""
    return json.loads(Path(__file__).with_name("protocol-vectors.json").read_text("utf-8"))  # type: ignore[no-any-return]  # JSON


def part(*names: str | int) -> Any:
    """One part of it, by a path of keys."""
    found: Any = vectors()
    for name in names:
        found = found[name]
    return found


def value(*names: str | int) -> bytes:
    """One byte string of it, by a path of keys."""
    return bytes.fromhex(part(*names))


def game_file(number: int) -> bytes:
    """File `number` of the small complete game."""
    return base64.b64decode(part("game", "files", number))
