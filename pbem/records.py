"""The store's own notes, read with suspicion: a disk may have changed anything in them.

`accepted.json` says which files of a game were checked, so that they are believed; if it is damaged they are
checked again. A note in `signed` says which file of our own was the last; if it is damaged nothing is signed.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any, NamedTuple

from pbem.errors import StoreError
from pbem.files import make_folder
from pbem.home import read_json, write_json


class Accepted(NamedTuple):
    """The files that were checked: their ids, when each of them came, and the id of the game."""

    ids: list[str]
    times: list[int]
    game: str


NOTHING = Accepted([], [], "")


def read_accepted(path: Path) -> Accepted:
    """The list of the files that were checked; an empty one if it is missing or damaged."""
    try:
        value = read_json(path)
    except StoreError:
        return NOTHING
    if not isinstance(value, dict):
        return NOTHING
    ids, times, game = value.get("ids"), value.get("times"), value.get("game")
    if not isinstance(ids, list) or not isinstance(times, list) or len(ids) != len(times):
        return NOTHING
    if not all(map(_is_id, [*ids, game])) or not all(type(time) is int for time in times):
        return NOTHING
    return Accepted(ids, times, str(game))


def write_accepted(path: Path, accepted: Accepted) -> None:
    """Keep the list."""
    write_json(path, {"game": accepted.game, "ids": accepted.ids, "times": accepted.times})


def _is_id(text: Any) -> bool:
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def read_signed(path: Path) -> tuple[int, bytes | None]:
    """Number and bytes of the last file signed in a game, -1 for none; raises StoreError."""
    if not path.exists():
        return -1, None
    value = read_json(path)
    number = value.get("number") if isinstance(value, dict) else None
    if type(number) is not int or number < 0:
        raise StoreError(
            f'the note of what you have signed, "{path}", is damaged',
            hint="apply all files of the game, those you have sent too, then remove it",
        )
    try:
        return number, b64decode(value["file"], validate=True)
    except (KeyError, TypeError, ValueError):
        return number, None


def write_signed(path: Path, number: int, data: bytes) -> None:
    """Note a signed file."""
    make_folder(path.parent)
    write_json(path, {"number": number, "file": b64encode(data).decode()})
