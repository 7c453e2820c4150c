"""Finding turn files in whatever people hand over: raw files, mails, mail boxes, archives, pasted text.

`open_letters(paths)` looks at each path and gives the turn files in it, each with where it was found, and a
problem for whatever looks like a turn file and is none any more. It never reads more than a bounded part of
anything (parcel.py), opens no file's signature and knows no game: `delivery.py` does the rest.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from pbem.archive import is_shadow, printable
from pbem.errors import Refused, TurnFileError
from pbem.parcel import ENDINGS, MOST_BYTES, TURN, Aside, Letter, Trouble, ending, nothing_in, open_parcel

__all__ = ["Found", "Letter", "Trouble", "open_letters"]

Found = Letter | Trouble


class Scrap(Refused):
    """A block that a mail program has quoted or cut off, beside whole ones: said, and nobody's fault."""

    code = "cut-off"
    exit_status = 0

    def __init__(self) -> None:
        super().__init__(
            "beside what was read there is a text block that is quoted or cut off",
            hint="if it is no old one, ask for the file as an attachment",
        )


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
    name = printable(str(path))
    try:
        if str(path) == "-":
            yield from _open_whole(sys.stdin.buffer.read(MOST_BYTES + 1), "standard input", is_stream=True)
            return
        if path.is_dir():
            yield from _open_folder(path)
            return
        if not path.exists():
            yield Trouble(name, Refused(f'there is no file "{name}"', hint="check its name"))
            return
        if not path.is_file():  # reading it might never end
            hint = 'save what it gives as a file, or hand it over with "-"'
            yield Trouble(name, Refused(f'"{name}" is no ordinary file', hint=hint))
            return
        if path.stat().st_size > MOST_BYTES:
            hint = "hand over the turn file itself, or the mail with it"
            yield Trouble(name, Refused(f'"{name}" is far too large for turn files', hint=hint))
            return
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as problem:
        yield _unreadable(name, problem)
        return
    yield from _open_whole(data, name)


def _unreadable(name: str, problem: OSError) -> Trouble:
    reason = (problem.strerror or "unknown problem").lower()
    return Trouble(name, Refused(f'cannot read "{name}": {reason}', hint="check its permissions"))


def _open_whole(data: bytes, name: str, *, is_stream: bool = False) -> Iterator[Found]:
    if len(data) > MOST_BYTES:  # it has grown since it was measured, or is a stream
        yield Trouble(name, Refused(f'"{name}" is far too large for turn files'))
        return
    nothing = True
    for item in open_parcel(data, name):
        if not isinstance(item, Aside):
            nothing = False
            yield item
        elif item.kind == "scrap":
            yield Trouble(item.origin, Scrap())
    if nothing:
        yield Trouble(name, nothing_in(data, name, is_member=is_stream), is_other=True)


def _open_folder(folder: Path) -> Iterator[Found]:
    """What is in a folder and those below it; files of other kinds are nobody's business there."""
    nothing = True
    for item in _walk(folder):
        found = [item] if isinstance(item, Trouble) else _open_path(item)
        for letter in found:
            if isinstance(letter, Trouble) and _is_foreign(letter):
                continue
            nothing = False
            yield letter
    if nothing:
        name = printable(str(folder))
        yield Trouble(name, Refused(f'there are no turn files in the folder "{name}"'))


def _walk(folder: Path) -> Iterator[Path | Trouble]:
    """The files in a folder that may hold turn files, as `pbem verify` goes through it."""
    problems: list[OSError] = []
    for here, below, names in os.walk(folder, onerror=problems.append):
        below.sort()
        for name in sorted(names):
            path = Path(here, name)
            if path.suffix.lower() in ENDINGS and not is_shadow(str(path.relative_to(folder))):
                yield path
    for problem in problems:
        yield _unreadable(printable(str(problem.filename)), problem)


def _is_foreign(trouble: Trouble) -> bool:
    """Whether a file has nothing to do with turn files, by its name and its content."""
    ours = isinstance(trouble.problem, TurnFileError) and ending(trouble.origin) == TURN
    return trouble.is_other and not ours
