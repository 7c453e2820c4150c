"""Finding turn files in whatever people hand over: raw files, mails, mail boxes, archives, pasted text.

`open_letters(paths)` looks at each path and gives the turn files in it, each with where it was found, and a
problem for whatever looks like a turn file and is none any more. It never reads more than a bounded part of
anything, opens no file's signature and knows no game: `delivery.py` does the rest.
"""

from __future__ import annotations

import io
import re
import struct
import sys
import zipfile
import zlib
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pbem.archive import printable
from pbem.armor import scan
from pbem.container import HEAD_SIZE, LARGEST, MAGIC, SMALLEST, split, unpack
from pbem.errors import Fault, PbemError, Refused, TurnFileError

if TYPE_CHECKING:
    from email.message import Message

MOST_BYTES = 64 * 2**20  # of one path, and of everything in one archive
MOST_ENTRIES = 4096  # of an archive
MOST_DEPTH = 4  # mails in mails, archives in mails
ENDINGS = (".m44", ".eml", ".mbox", ".zip", ".txt", ".mail", ".msg")
HEADER_LINE = re.compile(rb"[!-9;-~]{1,70}:[ \t]")
MAIL_WORDS = re.compile(
    rb"^(mime-version|received|from|to|subject|date|content-type|return-path):", re.I | re.M
)
# What the library raises over an archive that was changed on its way.
BROKEN_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    RuntimeError,
    EOFError,
    ValueError,
    LookupError,
    OverflowError,
)
PASTED = re.compile(rb"(?<![A-Za-z0-9+/])TTQ0R[A-Za-z0-9+/\s]{80,}={0,2}")


class Letter(NamedTuple):
    """One turn file and where it was found."""

    origin: str
    data: bytes


class Trouble(NamedTuple):
    """Something that should have been a turn file."""

    origin: str
    problem: PbemError


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
            yield from _open_whole(sys.stdin.buffer.read(MOST_BYTES + 1), "standard input")
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


def _open_whole(data: bytes, name: str) -> Iterator[Found]:
    if len(data) > MOST_BYTES:  # it has grown since it was measured, or is a stream
        yield Trouble(name, Refused(f'"{name}" is far too large for turn files'))
        return
    found = list(_open_data(data, name, 0))
    yield from found or [Trouble(name, _nothing_in(data, name))]


def _open_folder(folder: Path) -> Iterator[Found]:
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS and path.is_file())
    if not paths:
        yield Trouble(str(folder), Refused(f'there are no turn files in the folder "{folder}"'))
    for path in paths:
        yield from _open_path(path)


def _open_data(data: bytes, origin: str, depth: int) -> Iterator[Found]:
    """What the bytes hold, by what they look like, never by a name."""
    if depth > MOST_DEPTH:
        return
    if data.startswith(MAGIC):
        yield from _open_raw(data, origin)
    elif data.startswith(b"PK\3\4"):
        yield from _open_zip(data, origin, depth)
    elif data.startswith(b"From "):
        yield from _open_mailbox(data, origin, depth)
    elif HEADER_LINE.match(data) and len(MAIL_WORDS.findall(data[:20_000])) >= 2:
        yield from _open_mail(data, origin, depth)
    else:
        yield from _open_text(data, origin)


# Raw files


def _open_raw(data: bytes, origin: str) -> Iterator[Found]:
    try:
        files = split(data)
    except Fault as fault:
        yield Trouble(origin, _damage(data, fault))
        return
    for place, file in enumerate(files, start=1):
        name = origin if len(files) == 1 else f"{origin}, file {place} in it"
        try:
            unpack(file)
        except Fault as fault:
            yield Trouble(name, _damage(file, fault))
        else:
            yield Letter(name, file)


def _damage(data: bytes, fault: Fault) -> PbemError:
    """The sentence for a raw file that cannot be opened."""
    if fault.code == "E_VERSION":
        return fault
    if has_changed_lines(data):
        return TurnFileError(
            "the mail program changed the file: its line ends are not what they were",
            hint='ask for it as text: "pbem seal --armor" writes it that way',
            code="line-ends",
        )
    if fault.code in ("E_MAGIC", "E_SIZE") and not fault.hint:
        fault.hint = "ask for it again"
    return fault


def has_changed_lines(data: bytes) -> bool:
    """Whether a raw file was treated as text on its way."""
    if data.count(b"\xef\xbf\xbd") > 4:  # bytes that were no letters became replacement marks
        return True
    lines, ends = data.count(b"\n"), data.count(b"\r\n")
    if ends and ends == lines and _opens(data.replace(b"\r\n", b"\n")):
        return True
    if ends == lines >= 4:  # every line feed has its carriage return: one in 256 would by chance
        return True
    # Carriage returns lost or turned into line feeds: a random kilobyte has four of each.
    return len(data) >= 1500 and b"\r" not in data and lines >= 4


def _opens(data: bytes) -> bool:
    try:
        unpack(data)
    except Fault:
        return False
    return True


# Archives


def _open_zip(data: bytes, origin: str, depth: int) -> Iterator[Found]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [info for info in archive.infolist() if not info.is_dir()]
            if len(names) > MOST_ENTRIES:
                raise Refused(f'"{origin}" has more than {MOST_ENTRIES} entries', hint="apply its turn files")
            yield from _open_entries(archive, names, origin, depth)
    except BROKEN_ZIP as problem:
        locked = isinstance(problem, RuntimeError) and not isinstance(problem, NotImplementedError)
        text = "it is locked" if locked else "it is damaged"
        hint = "ask for the turn files themselves"
        yield Trouble(origin, TurnFileError(f'the archive "{origin}" cannot be read: {text}', hint=hint))
    except Refused as refused:
        yield Trouble(origin, refused)


def _open_entries(
    archive: zipfile.ZipFile, entries: list[zipfile.ZipInfo], origin: str, depth: int
) -> Iterator[Found]:
    left = MOST_BYTES
    for info in sorted(entries, key=lambda info: info.filename):
        name = f"{origin}: {printable(info.filename, 120)}"
        ending = Path(info.filename).suffix.lower()
        if ending not in ENDINGS:
            continue
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NotImplementedError
        # The head of an archive may say anything about sizes: read one byte more than is allowed.
        limit = LARGEST if ending == ".m44" else left
        with archive.open(info) as stream:
            inside = stream.read(min(limit, left) + 1)
        if len(inside) > limit:
            yield Trouble(name, Fault("E_SIZE", f'"{name}" is larger than a turn file can be'))
            continue
        left -= len(inside)
        if left < 0:
            raise Refused(f'"{origin}" holds more than {MOST_BYTES} bytes', hint="apply its turn files")
        if ending == ".zip":
            continue
        found = list(_open_data(inside, name, depth + 1))
        if not found and ending == ".m44":
            found = [Trouble(name, _nothing_in(inside, name))]
        yield from found


# Mail


def _open_mailbox(data: bytes, origin: str, depth: int) -> Iterator[Found]:
    """The messages of a mail box in turn."""
    for number, message in enumerate(re.split(rb"(?:\A|\n\r?\n)From [^\n]*\n", data)[1:], start=1):
        yield from _open_mail(message, f"{origin}, mail {number}", depth)


def _open_mail(data: bytes, origin: str, depth: int) -> Iterator[Found]:
    from email import message_from_bytes, policy

    try:
        message = message_from_bytes(data, policy=policy.compat32)
        parts = [part for part in message.walk() if not part.is_multipart()]
    except (ValueError, LookupError, RecursionError, AssertionError):
        return
    for part in parts[:MOST_ENTRIES]:
        yield from _open_part(part, origin, depth)


def _open_part(part: Message, origin: str, depth: int) -> Iterator[Found]:
    try:
        payload = part.get_payload(decode=True)
        name = part.get_filename()
    except (ValueError, LookupError, AssertionError):
        return
    if not isinstance(payload, bytes):
        return
    where = f"{origin}: {printable(name, 120)}" if isinstance(name, str) else origin
    is_text = part.get_content_maintype() == "text"
    if is_text and not payload.startswith(MAGIC):
        yield from _open_text(payload, where)
        return
    found = list(_open_data(payload, where, depth + 1))
    if not found and isinstance(name, str) and name.lower().endswith(".m44"):
        found = [Trouble(where, _nothing_in(payload, where))]
    yield from found


# Text


def _open_text(data: bytes, origin: str) -> Iterator[Found]:
    """Armored blocks; without any, bare base64 that begins as a turn file does."""
    found = scan(_as_text(data))
    for block in found.blocks:
        yield from _open_raw(block, origin)
    if found.damaged and not found.blocks:
        yield Trouble(
            origin,
            TurnFileError(
                "the text block was changed on its way or is incomplete",
                hint="ask for the file as an attachment",
                code="armor",
            ),
        )
    if not found.blocks and not found.damaged:
        for match in PASTED.finditer(data):
            symbols = b"".join(match[0].split()).rstrip(b"=")
            symbols = symbols[: len(symbols) - (len(symbols) % 4 == 1)]
            file = b64decode(symbols + b"=" * (-len(symbols) % 4))
            # Words that follow in the mail look like more of it; the head says where the file ends.
            yield from _open_raw(file[: SMALLEST + int.from_bytes(file[5:HEAD_SIZE], "little")], origin)


def _as_text(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "replace")


def _nothing_in(data: bytes, name: str) -> PbemError:
    """The sentence for bytes without a turn file."""
    if _is_scenario(data):
        return Refused(
            f'"{name}" is a document of the scenario editor, not a turn file',
            hint=f'"pbem scenario import {name}" reads it',
            code="scenario",
        )
    if not data:
        return TurnFileError(f'"{name}" is empty', hint="ask for it again", code="empty")
    if len(_as_text(data).split()) and scan(_as_text(data), "CONTACT").blocks:
        return Refused(f'"{name}" is a contact card', hint=f'"pbem id import {name}" takes it in')
    if name.lower().endswith(".m44"):
        return TurnFileError(
            f'"{name}" is not a turn file, or it is damaged from its first byte on', hint="ask for it again"
        )
    return Refused(f'there is no turn file in "{name}"', hint="turn files end in .m44")


def _is_scenario(data: bytes) -> bool:
    """Whether bytes look like a document of the scenario editor."""
    head = _as_text(data[:4096]).lstrip("\ufeff \t\r\n")
    return head.startswith(("{", "[")) and '"' in head
