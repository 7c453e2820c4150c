"""A whole game as one archive: a zip file that holds the turn files under `files/` and nothing else.

    files/0000.m44, files/0001.m44, ...      in the order of their numbers, not compressed again

The same files always give the same bytes: no clock, no system and no compression library leaves a trace, and
nothing private is in it. Reading believes nothing: the directory of the zip is measured before it is read,
members are opened one at a time and never beyond the size of the largest turn file, and only plain or
deflated members count. Whether the files make a game is not known here; see verification.py.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from pbem.container import LARGEST
from pbem.errors import Fault

if TYPE_CHECKING:
    from zipfile import ZipInfo

ENDING = ".zip"
MEMBER = re.compile(r"files/([0-9]{4,5})\.m44", re.ASCII)
MOST_FILES = 10_000  # a chain of dice has 1024 links a side; teams write several files in a run
MOST_MEMBERS = 50_000  # of a zip of somebody's making, which may hold many games
MOST_BYTES = 1 << 28  # of all members together, inflated
LONGEST_NAME = 400

ZIP_START = b"PK\x03\x04"
ZIP_EMPTY = b"PK\x05\x06"
TAIL = b"PK\x05\x06"  # the record at the end of a zip, 22 bytes and a comment
TAIL_SIZE = 22
LOCATOR = b"PK\x06\x07"  # of the large format, which nothing here needs
LOCATOR_SIZE = 20
LONGEST_COMMENT = 65_535
LINE_ENDS = (b"", b"\n", b"\r\n")
DIRECTORY_ROW = 46  # bytes of a directory entry before its name
STORED, DEFLATED = 0, 8
# What the library raises over an archive that was changed on its way, besides its own BadZipFile. It is
# imported only where there is an archive: most commands never see one.
BROKEN = (zlib.error, struct.error, OSError, RuntimeError, EOFError, ValueError, LookupError, OverflowError)


class Member(NamedTuple):
    """One file of a zip: its name, its bytes, or why they could not be read."""

    name: str
    data: bytes | None
    problem: str


def write_archive(files: list[bytes]) -> bytes:
    """The archive of a game's files, which stand in the order of their numbers."""
    if len(files) > MOST_FILES:
        raise Fault("archive", f"a game of {len(files)} files is too long for an archive")
    from zipfile import ZipFile, ZipInfo

    stream = io.BytesIO()
    with ZipFile(stream, "w", STORED) as zipped:
        for number, data in enumerate(files):
            if len(data) > LARGEST:
                raise Fault("archive", f"file {number} has {len(data)} bytes and is no turn file")
            entry = ZipInfo(f"files/{number:04}.m44", (1980, 1, 1, 0, 0, 0))
            entry.create_system = 3  # the same on every machine
            entry.external_attr = 0o100644 << 16
            zipped.writestr(entry, data)
    return stream.getvalue()


def read_archive(source: bytes | Path) -> list[bytes]:
    """The turn files of an archive in order; Fault "archive" if it is not exactly one game's."""
    found: dict[int, bytes] = {}
    for member in read_zip(source):
        name = MEMBER.fullmatch(member.name)
        if name is None:
            raise Fault(
                "archive",
                f'the archive holds "{printable(member.name)}", which is no part of a game',
                hint="unpack it and apply the turn files one by one",
            )
        if member.data is None:
            raise Fault(
                "archive", f'"{member.name}" in the archive {member.problem}', hint="ask for it again"
            )
        found[int(name[1])] = member.data
        if len(found) > MOST_FILES:
            raise Fault("archive", f"the archive holds more than {MOST_FILES} files")
    if sorted(found) != list(range(len(found))):
        missing = next(number for number in range(len(found)) if number not in found)
        raise Fault("archive", f"file {missing} is missing in the archive", hint="ask for the whole game")
    if not found:
        raise Fault("archive", "the archive is empty", hint="ask for it again")
    return [found[number] for number in range(len(found))]


def printable(text: str, most: int = LONGEST_NAME) -> str:
    """A text of a stranger, such as a name in a zip, as it may be shown."""
    return "".join(c if c.isprintable() else "?" for c in text[:most])


def is_shadow(name: str) -> bool:
    """Whether a file is what a Mac writes beside a file in archives and on foreign disks."""
    folder, _, last = name.replace("\\", "/").rpartition("/")
    return last.startswith("._") or "__MACOSX" in folder.split("/")


def is_zip(head: bytes) -> bool:
    """Whether a file that begins with these bytes is a zip."""
    return head[:4] in (ZIP_START, ZIP_EMPTY)


def read_zip(source: bytes | Path) -> Iterator[Member]:
    """The files of any zip, one at a time, within bounds; Fault "archive" if it cannot be read at all."""
    with closing(OpenZip(source)) as zipped:
        yield from zipped.members()


class OpenZip:
    """A zip whose members can be read one by one; raises Fault "archive" if it is none."""

    def __init__(self, source: bytes | Path) -> None:
        from zipfile import BadZipFile, ZipFile

        self._stream = _open(source)
        try:
            count = _measure(self._stream)
            self._zipped = ZipFile(self._stream)
            rows = self._zipped.infolist()
            self._rows = {row.filename: row for row in rows}
            if len(rows) != count:
                raise _damaged()
            if len(self._rows) != count or any(len(name) > LONGEST_NAME for name in self._rows):
                raise Fault("archive", "the archive has a name twice, or one that is too long")
        except (BadZipFile, *BROKEN) as problem:
            self._stream.close()
            raise _damaged() from problem
        except Fault:
            self._stream.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __len__(self) -> int:
        return len(self._rows)

    def sizes(self) -> dict[str, int]:
        """The files in the order of the zip, and how large each says it is."""
        return {name: row.file_size for name, row in self._rows.items() if not row.is_dir()}

    def members(self) -> Iterator[Member]:
        """All files, in the order of the zip; Fault "archive" when they become too many bytes."""
        rest = MOST_BYTES
        for name in self.sizes():
            member = self.read(name)
            rest -= len(member.data or b"")
            if rest < 0:
                raise Fault("archive", f"the archive holds more than {MOST_BYTES} bytes")
            yield member

    def read(self, name: str, *, limit: int = LARGEST) -> Member:
        """One file of the zip, if it has no more bytes than the limit."""
        row = self._rows.get(name)
        data, problem = (None, "is not there") if row is None else self._inflate(row, limit)
        return Member(name, data, problem)

    def peek(self, name: str, size: int) -> bytes:
        """The first bytes of a file of the zip, none if they cannot be read."""
        data, _ = self._inflate(self._rows[name], self._rows[name].file_size, first=size)
        return data or b""

    def _inflate(self, row: ZipInfo, limit: int, first: int = -1) -> tuple[bytes | None, str]:
        """The bytes of a member, or the reason why there are none."""
        from zipfile import BadZipFile

        if row.flag_bits & 0x1:
            return None, "is encrypted"
        if row.compress_type not in (STORED, DEFLATED):
            return None, "is compressed in an unknown way"
        if row.file_size > limit:
            return None, "is larger than any turn file" if limit == LARGEST else "is too large"
        try:
            # The library never gives more than the size that was looked at above.
            with self._zipped.open(row) as member:
                return member.read(limit if first < 0 else first), ""
        except (BadZipFile, *BROKEN):
            return None, "is damaged"


def _open(source: bytes | Path) -> BinaryIO:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    try:
        return source.open("rb")
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        raise Fault("archive", f'cannot read "{source}": {reason}') from problem


def _measure(stream: BinaryIO) -> int:
    """The number of members; a directory for more than there may be is refused before it is read."""
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - TAIL_SIZE - LONGEST_COMMENT - LOCATOR_SIZE))
    end = stream.read()
    place = end.rfind(TAIL)
    if place < 0 or len(end) - place < TAIL_SIZE:
        raise _damaged()
    count, directory = struct.unpack_from("<HL", end, place + 10)
    # The reader of the standard library looks for the last 22 bytes first, so a tail inside a comment must
    # not be able to tell it something else than us.
    (comment,) = struct.unpack_from("<H", end, place + 20)
    # A line end behind it, as mails leave it, is harmless.
    if place + TAIL_SIZE + comment > len(end) or end[place + TAIL_SIZE + comment :] not in LINE_ENDS:
        raise _damaged()
    if end[max(0, place - LOCATOR_SIZE) :][:4] == LOCATOR:
        raise Fault("archive", "the archive is of the large format, which no game needs")
    if count > MOST_MEMBERS or directory > MOST_MEMBERS * (DIRECTORY_ROW + 100):
        raise Fault("archive", f"the archive names more than {MOST_MEMBERS} files")
    # The library reads as many rows as there are, whatever number is stated.
    stream.seek(max(0, size - len(end) + place - directory))
    if _count_rows(stream.read(directory), count) > count:
        raise _damaged()
    stream.seek(0)
    return int(count)


def _count_rows(directory: bytes, most: int) -> int:
    """The number of rows of a directory, or one more than there may be."""
    place = rows = 0
    while place + DIRECTORY_ROW <= len(directory) and rows <= most:
        place += DIRECTORY_ROW + sum(struct.unpack_from("<3H", directory, place + 28))
        rows += 1
    return rows


def _damaged() -> Fault:
    return Fault("archive", "the archive is damaged or no archive at all", hint="ask for it again")
