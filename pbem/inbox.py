"""Finding turn files in whatever people hand over: raw files, mails, mail boxes, archives, pasted text.

`open_letters(paths)` looks at each path and gives the turn files in it, each with where it was found, and a
problem for whatever looks like a turn file and is none any more. It never reads more than a bounded part of
anything (parcel.py), opens no file's signature and knows no game: `delivery.py` does the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.errors import Refused
from pbem.parcel import ENDINGS, MOST_BYTES, Aside, Letter, Trouble, nothing_in, open_parcel

__all__ = ["Found", "Letter", "Trouble", "open_letters"]

Found = Letter | Trouble


def open_letters(paths: list[Path]) -> list[Found]:
    """The turn files in these paths, in the order found, each once, and what is wrong with others."""
    found: list[Found] = []
    seen: set[bytes] = set()
    for path in paths:
        for item in _open_path(path):
            if isinstance(item, Letter):
                if item.data in seen:
                    continue
                seen.add(item.data)
            found.append(item)
    return found


def _open_path(path: Path) -> Iterator[Found]:
    name = str(path)
    try:
        if name == "-":
            yield from _open_whole(sys.stdin.buffer.read(MOST_BYTES + 1), "standard input", is_stream=True)
            return
        if path.is_dir():
            yield from _open_folder(path)
            return
        if not path.exists():
            yield Trouble(name, Refused(f'there is no file "{path}"', hint="check its name"))
            return
        size = path.stat().st_size
        if size > MOST_BYTES or not path.is_file():
            hint = "hand over the turn file itself, or the mail with it"
            yield Trouble(name, Refused(f'"{path}" is far too large for turn files', hint=hint))
            return
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        yield Trouble(name, Refused(f'cannot read "{path}": {reason}', hint="check its permissions"))
        return
    yield from _open_whole(data, name)


def _open_whole(data: bytes, name: str, *, is_stream: bool = False) -> Iterator[Found]:
    if len(data) > MOST_BYTES:  # it has grown since it was measured, or is a stream
        yield Trouble(name, Refused(f'"{name}" is far too large for turn files'))
        return
    nothing = True
    for item in open_parcel(data, name):
        if not isinstance(item, Aside):
            nothing = False
            yield item
    if nothing:
        yield Trouble(name, nothing_in(data, name, is_member=is_stream))


def _open_folder(folder: Path) -> Iterator[Found]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())
    if not paths:
        yield Trouble(str(folder), Refused(f'there are no turn files in the folder "{folder}"'))
    for path in paths:
        yield from _open_path(path)
