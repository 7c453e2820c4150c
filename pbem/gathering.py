"""Turn files found in files, folders, archives, mails and mixtures of them, and put together into games.

Looking is cheap and believes nothing: of every file only the header is noted, with the place where its bytes
can be read again, so hundreds of games need little memory and a file of gigabytes is never read whole. What
lies in mails and texts is opened as by `pbem apply` (parcel.py); those files are small and stay in memory,
within a bound. Which file follows which is told by the ids; whether any of it is true is for verification.py
to find out.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, NamedTuple

from msgpack import unpackb  # type: ignore[import-untyped]  # ships no types

from pbem.archive import MOST_BYTES as MOST_IN_A_ZIP
from pbem.archive import OpenZip, is_shadow, is_zip, printable
from pbem.canon import SURE_COUNT
from pbem.container import HEAD_SIZE, LARGEST, MAGIC, SMALLEST, file_id, strange_rest, unpack
from pbem.errors import Fault, Refused, TurnFileError
from pbem.log import parse_body
from pbem.parcel import (
    CERTIFICATE,
    ENDINGS,
    FIRST_LOOK,
    MOST_BYTES,
    PROOF,
    TURN,
    Aside,
    Budget,
    Content,
    Letter,
    TooMuch,
    Trouble,
    ending,
    explain,
    is_mail,
    nothing_in,
    open_member,
    open_parcel,
    read_members,
)

MOST_IN_A_ROW = 10_000  # turn files written one after another in one file
UNREADABLE = "unreadable"  # a path that is not there or cannot be read
MOST_TEXT = 4_000_000  # bytes of a text in which blocks are looked for
MOST_KEPT = 1 << 28  # bytes of turn files out of mails and texts


class Place(NamedTuple):
    """Where the bytes of a turn file are: in a file or a member of a zip; or themselves, out of a mail."""

    path: str
    member: str = ""
    start: int = 0
    data: bytes = b""

    def __str__(self) -> str:
        if self.member:
            return f"{self.path}: {printable(self.member)}"
        return f"{self.path} (byte {self.start})" if self.start else self.path


class Paper(NamedTuple):
    """A certificate or a claim: where it is, and its bytes unless they are the file there."""

    where: str
    data: bytes | None = None


class Found(NamedTuple):
    """What the header of a turn file claims."""

    place: Place
    id: bytes
    number: int
    game: bytes
    previous: bytes
    copy: bytes  # tells copies of one file apart that differ in compression or signature


class Oddity(NamedTuple):
    """Something that is no readable turn file."""

    where: str
    code: str  # "" for a file of another kind, which is nobody's fault
    message: str


@dataclass
class Heap:
    """All that was found."""

    files: list[Found] = field(default_factory=list)
    others: list[Oddity] = field(default_factory=list)
    damaged: list[Oddity] = field(default_factory=list)
    certificates: list[Paper] = field(default_factory=list)
    claims: list[Paper] = field(default_factory=list)
    kept: int = 0  # bytes of turn files out of mails and texts


@dataclass
class Node:
    """One file of a game: all copies of it, which may differ in compression and signature."""

    id: bytes
    number: int
    game: bytes
    previous: bytes
    copies: list[Place]
    same: int = 0  # further copies with the very same bytes


@dataclass
class Case:
    """Everything that follows one offer, and pieces that name the same game, whoever wrote them."""

    root: bytes | None
    nodes: dict[bytes, Node]
    after: dict[bytes, list[bytes]]  # from the offer on: ids of the files that name an id as the one before


# Looking


def gather(paths: list[Path]) -> Heap:
    """What lies at these paths; a path that does not exist or cannot be read is among the damaged."""
    heap = Heap()
    for path in paths:
        for found in _walk(path, heap):
            _look(found, heap)
    return heap


def _walk(path: Path, heap: Heap) -> Iterator[Path]:
    """The regular files at a path, folders in alphabetical order, links to folders not followed."""

    def refuse(problem: OSError) -> None:
        heap.damaged.append(_unreadable(Path(problem.filename), problem))

    if not path.is_dir():
        yield path
        return
    for folder, below, names in os.walk(path, onerror=refuse):
        below.sort()
        inside = (Path(folder) / name for name in sorted(names))
        yield from (found for found in inside if not is_shadow(str(found.relative_to(path))))


def _unreadable(path: Path, problem: OSError) -> Oddity:
    return Oddity(str(path), UNREADABLE, f"cannot be read: {(problem.strerror or 'unknown').lower()}")


def _look(path: Path, heap: Heap) -> None:
    try:
        # Opening a pipe would wait for somebody to write.
        if not stat.S_ISREG(path.stat().st_mode):
            heap.others.append(Oddity(str(path), "", "is no ordinary file"))
            return
        with path.open("rb") as stream:
            head = stream.read(HEAD_SIZE)
            stream.seek(0)
            if head[:4] == MAGIC:
                _look_in_row(path, stream, heap)
            elif is_zip(head):
                _look_in_zip(path, heap)
            elif head[: len(CERTIFICATE)] == CERTIFICATE:
                heap.certificates.append(Paper(str(path)))
            else:
                _look_in_parcel(path, stream, heap)
    except OSError as problem:
        heap.damaged.append(_unreadable(path, problem))


def _look_in_row(path: Path, stream: BinaryIO, heap: Heap) -> None:
    """One turn file, or several one after another."""
    start = 0
    for _ in range(MOST_IN_A_ROW):
        data = read_frame(stream, start)
        if not data:
            return
        if start and data[:4] != MAGIC:
            rest = strange_rest(start)
            heap.damaged.append(Oddity(str(path), rest.code, rest.message))
            return
        if not _note(Place(str(path), start=start), data, heap):
            return
        start += len(data)
    heap.damaged.append(Oddity(str(path), "E_SIZE", f"holds more than {MOST_IN_A_ROW} turn files"))


def read_frame(stream: BinaryIO, start: int) -> bytes:
    """The bytes of the frame at a place, empty at the end; `unpack` refuses what does not fit."""
    stream.seek(start)
    head = stream.read(HEAD_SIZE)
    size = SMALLEST + int.from_bytes(head[5:], "little") if head[:4] == MAGIC else LARGEST + 1
    return head + stream.read(min(size, LARGEST + 1) - len(head))


def _look_in_zip(path: Path, heap: Heap) -> None:
    budget = Budget(MOST_IN_A_ZIP)
    try:
        with closing(OpenZip(path)) as zipped:
            for packed in read_members(zipped, str(path), budget):
                if packed.data is None:
                    kind = heap.damaged if ending(packed.name) in (*ENDINGS, PROOF) else heap.others
                    kind.append(Oddity(packed.origin, "archive", f"cannot be read: it {packed.problem}"))
                elif _is_one_file(packed.data):
                    _note(Place(str(path), member=packed.name), packed.data, heap)
                else:
                    _take(open_member(packed, budget), packed.origin, packed.data, heap)
    except Fault as fault:
        heap.damaged.append(Oddity(str(path), fault.code, fault.message))
    except TooMuch as refused:
        heap.damaged.append(Oddity(str(path), refused.code, refused.message))


def _is_one_file(data: bytes) -> bool:
    """Whether bytes have the frame of one turn file, with nothing behind it."""
    return data[:4] == MAGIC and len(data) <= SMALLEST + int.from_bytes(data[5:HEAD_SIZE], "little")


def _look_in_parcel(path: Path, stream: BinaryIO, heap: Heap) -> None:
    """A mail, a box of mails, or a text; anything else is named."""
    data = stream.read(FIRST_LOOK)
    most = MOST_BYTES if is_mail(data) else MOST_TEXT
    if os.fstat(stream.fileno()).st_size <= most:
        data += stream.read(most)
        _take(open_parcel(data, str(path)), str(path), data, heap)
    elif is_mail(data):
        message = f"has more than {most} bytes: save its mails as files of their own"
        heap.damaged.append(Oddity(str(path), "too-much", message))
    else:
        _take((), str(path), data, heap)


def _take(items: Iterable[Content], where: str, data: bytes, heap: Heap) -> None:
    """Note what was found in a mail, a text or a member."""
    nothing = True
    for item in items:
        nothing = False
        if isinstance(item, Letter):
            heap.kept += len(item.data)
            if heap.kept > MOST_KEPT:
                raise Refused(f"the mails hold more than {MOST_KEPT} bytes of turn files", hint="check fewer")
            _note(Place(item.origin, data=item.data), item.data, heap)
        elif isinstance(item, Aside):
            _take_aside(item, heap)
        else:
            _take_trouble(item, heap)
    if nothing:
        _take_trouble(Trouble(where, nothing_in(data, where), is_other=True), heap)


def _take_trouble(trouble: Trouble, heap: Heap) -> None:
    """Note what is damaged; what only has the ending of our files, and is something else, is no damage."""
    where, problem = trouble.origin, trouble.problem
    ours = isinstance(problem, TurnFileError) and ending(where) in (TURN, PROOF)
    if trouble.is_other and not ours:
        heap.others.append(Oddity(where, "", "is no turn file"))
        return
    heap.damaged.append(Oddity(where, problem.code, problem.message.removeprefix(f'"{where}" ')))


def _take_aside(aside: Aside, heap: Heap) -> None:
    if aside.kind == "claim":
        heap.claims.append(Paper(aside.origin, aside.data))
    elif aside.kind == "certificate":
        heap.certificates.append(Paper(aside.origin, aside.data))
    else:
        heap.others.append(Oddity(aside.origin, "", "has a text block that was cut off, beside whole ones"))


def _note(place: Place, data: bytes, heap: Heap) -> bool:
    """Note what a turn file says of itself; False if it is damaged."""
    try:
        parts = unpack(data)
        number, game, previous = _peek(parts.body)
    except Fault as fault:
        problem = explain(data, fault)
        heap.damaged.append(Oddity(str(place), problem.code, problem.message))
        return False
    heap.files.append(
        Found(place, file_id(parts.body), number, game, previous, parts.signed + parts.signature)
    )
    return True


def _peek(body: bytes) -> tuple[int, bytes, bytes]:
    """Number, game and predecessor as a body has them; Fault if it is none.

    A quick look by a lenient reader is enough where the verifier will read the same body again.
    """
    with suppress(ValueError, TypeError, KeyError, RecursionError):
        value = unpackb(body, max_array_len=SURE_COUNT, max_map_len=SURE_COUNT)
        number, game, previous = value["n"], value["g"], value["p"]
        if type(number) is int and number >= 0 and type(game) is type(previous) is bytes:
            return number, game, previous
    header = parse_body(body)
    return header.number, header.game, header.previous


# Putting together


def sort_games(files: list[Found]) -> list[Case]:
    """The games that these files make, in the order in which their first files were found."""
    nodes = _merge(files)
    after: dict[bytes, list[bytes]] = {}
    for node in nodes.values():
        if node.number > 0:
            after.setdefault(node.previous, []).append(node.id)
    cases: list[Case] = []
    # By game id. Anybody can write any id into a file, so a piece is given to every case that has its id.
    named: dict[bytes, list[Case]] = {}
    left = dict(nodes)
    for node in nodes.values():
        if node.number == 0:
            case = _tree(node.id, left, after)
            cases.append(case)
            for game in {member.game for member in case.nodes.values()}:
                named.setdefault(game, []).append(case)
    for node in sorted(left.values(), key=lambda node: node.number):
        if node.game not in named:
            named[node.game] = [Case(None, {}, {})]
            cases += named[node.game]
        for case in named[node.game]:
            case.nodes[node.id] = node
    return cases


def _merge(files: list[Found]) -> dict[bytes, Node]:
    nodes: dict[bytes, Node] = {}
    copies: set[tuple[bytes, bytes]] = set()
    for found in files:
        node = nodes.get(found.id)
        if node is None:
            nodes[found.id] = Node(found.id, found.number, found.game, found.previous, [found.place])
        elif (found.id, found.copy) in copies:
            node.same += 1
        else:
            node.copies.append(found.place)
        copies.add((found.id, found.copy))
    return nodes


def _tree(root: bytes, left: dict[bytes, Node], after: dict[bytes, list[bytes]]) -> Case:
    """Everything that follows an offer, taken out of what is left."""
    case = Case(root, {}, {})
    waiting = [root]
    while waiting:
        here = waiting.pop()
        case.nodes[here] = left.pop(here)
        if here in after:
            case.after[here] = after[here]
            waiting += after[here]
    return case


def read_limited(path: Path, limit: int) -> bytes:
    """The bytes of a file, one more than the limit if it is larger; Fault if it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(limit + 1)
    except OSError as problem:
        raise Fault(UNREADABLE, _unreadable(path, problem).message) from problem


class Reader:
    """Reads the bytes of turn files again, keeping the present zip open; close it when done."""

    def __init__(self) -> None:
        self._path = ""
        self._zip: OpenZip | None = None

    def close(self) -> None:
        """Close what is open."""
        if self._zip is not None:
            self._zip.close()
        self._path, self._zip = "", None

    def read(self, place: Place) -> bytes:
        """The bytes at a place; Fault E_SIZE if they are gone."""
        data = b""
        with suppress(OSError, Fault):
            data = self._fetch(place)
        if not data:
            raise Fault("E_SIZE", f'"{place}" was changed while it was being read', hint="try again")
        return data

    def _fetch(self, place: Place) -> bytes:
        if place.data:
            return place.data
        if place.member:
            if self._zip is None or self._path != place.path:
                self.close()
                self._zip, self._path = OpenZip(Path(place.path)), place.path
            return self._zip.read(place.member).data or b""
        with Path(place.path).open("rb") as stream:
            return read_frame(stream, place.start)
