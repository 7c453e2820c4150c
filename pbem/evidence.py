"""Proof that somebody has signed two different files for one place of one game (docs/protocol.md, part 13).

A *fork* needs public data only: the log up to the place, and two files that both pass every check there,
carry the same author's signature and have different ids. The same content compressed or signed again has the
same id and is no fork. Neither is a good file beside one that does not verify: an author may replace a broken
file.

A *certificate* is a fork that travels: canonical bytes with the two files and the log before them, as files
or, for people who have the game, as ids. `check_certificate` believes nothing in it and verifies all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pbem.canon import decode, encode
from pbem.container import LARGEST, file_id, unpack
from pbem.errors import Refused
from pbem.log import Entry, Log
from pbem.referee import Referee

ID_SIZE = 32
MOST_FILES = 4096
FIELDS = ["files", "first", "kind", "second"]
KIND = "m44pbem/1/fork"


class Fork(NamedTuple):
    """Two versions of one file."""

    game: bytes
    number: int  # the place
    seat: int
    author: bytes  # identity key of whoever has signed both
    ids: tuple[bytes, bytes]  # ascending
    action: int  # the first op in which they differ; -1 if they differ before the first
    chain: bytes  # the last chain value they have in common; empty if there is none


def find_fork(log: Log, first: bytes, second: bytes, *, referee: Referee | None = None) -> Fork:
    """The fork that two files make after a log; raises Fault if one of them does not verify, else Refused.

    With the referee of the same log the rules of the game are checked as well. Without it the answer is good
    for games only whose rules nobody here knows.
    """
    if file_id(unpack(first).body) == file_id(unpack(second).body):
        raise _no_fork("both files have the same content")
    one, two = (_verified(log, data, referee) for data in sorted((first, second), key=_id_of))
    if one[1].number == 0:
        raise _no_fork("two offers are two games")
    seat = one[1].seat
    author = one[0].identities[seat]
    if seat != two[1].seat or author is None or author != two[0].identities[seat]:
        raise _no_fork("the two files are of different authors")
    action, chain = _difference(one[1], two[1])
    ids = (one[1].id, two[1].id)
    return Fork(
        log.entries[0].id if log.count == 1 else log.game, log.count, seat, author, ids, action, chain
    )


def _id_of(data: bytes) -> bytes:
    return file_id(unpack(data).body)


def _verified(log: Log, data: bytes, referee: Referee | None) -> tuple[Log, Entry]:
    """The log with a file and what the file did, everything checked."""
    after, entry = log.trust(on=False).check(data)
    if referee is not None:
        referee.read(entry)
    return after, entry


def _difference(one: Entry, two: Entry) -> tuple[int, bytes]:
    """The first op in which two files differ, and the last chain value they share."""
    first, second = ([*(action.chain for action in entry.actions), entry.chain] for entry in (one, two))
    shared = [a for a, b in zip(first, second, strict=False) if a == b]
    return len(shared) - 1, shared[-1] if shared else b""


def _no_fork(message: str) -> Refused:
    return Refused(f"this is no fork: {message}", code="no-fork")


def make_certificate(files: Sequence[bytes], first: bytes, second: bytes, *, whole: bool = True) -> bytes:
    """The certificate of a fork after these files of a game; raises like find_fork.

    Without `whole` it names the files before by their ids and is small; who checks it must have them.
    """
    _fork_after(files, first, second)
    one, two = sorted((first, second), key=_id_of)
    before = list(files) if whole else [_id_of(data) for data in files]
    return encode({"files": before, "first": one, "kind": KIND, "second": two})


def check_certificate(data: bytes, known: Sequence[bytes] = ()) -> Fork:
    """The fork that a certificate proves; raises Fault or Refused if it proves none.

    `known` are files that the reader has; they stand in where the certificate has ids only.
    """
    value = _parse(data)
    library = {_id_of(file): file for file in known}
    files = [_found(item, library) for item in value["files"]]
    fork = _fork_after(files, value["first"], value["second"])
    if (_id_of(value["first"]), _id_of(value["second"])) != fork.ids:
        raise _no_fork("the two files are not in their order")
    return fork


def _parse(data: bytes) -> dict[str, Any]:
    value: Any = decode(data)
    if not isinstance(value, dict) or sorted(value) != FIELDS or value["kind"] != KIND:
        raise _no_fork("the certificate has another form")
    files = value["files"]
    if not isinstance(files, list) or not 1 <= len(files) <= MOST_FILES:
        raise _no_fork("the certificate has no files before the fork")
    parts = (*files, value["first"], value["second"])
    if not all(isinstance(part, bytes) and len(part) <= LARGEST for part in parts):
        raise _no_fork("the certificate holds something that is no file")
    return value


def _found(item: bytes, library: Mapping[bytes, bytes]) -> bytes:
    if len(item) != ID_SIZE:
        return item
    if item not in library:
        raise Refused(
            f"the certificate names the file {item.hex()[:16]}, which is not here",
            hint="check it beside the game's files",
            code="no-fork",
        )
    return library[item]


def _fork_after(files: Sequence[bytes], first: bytes, second: bytes) -> Fork:
    log, referee = Log(), Referee()
    for data in files:
        log, entry = log.check(data)
        referee = referee.read(entry)
    return find_fork(log, first, second, referee=referee)
