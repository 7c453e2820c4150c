"""Proof that somebody has signed two different files for one place of a game (docs/protocol.md, part 13).

    certificate = "M44C", version 1, number of files before (u32), those files, the two files

The files are turn files as they travelled, one after another; they delimit themselves. The two stand in the
order of their ids, so one fork has one certificate. Whoever has it needs nothing else: the files before are
checked from the offer on, and both files must be good continuations, by the same author, with different ids.
The same content compressed or signed again has the same id and proves nothing, nor does a file that breaks a
rule: its author may correct it.
"""

from __future__ import annotations

from typing import NamedTuple

from pbem.container import file_id, split, unpack
from pbem.errors import Fault
from pbem.hashing import u8, u32
from pbem.log import Log
from pbem.referee import Referee

CERTIFICATE_MAGIC = b"M44C"
VERSION = 1
HEAD_SIZE = 9
ENDING = ".cert"
MOST_BYTES = 1 << 26


class Fork(NamedTuple):
    """Two good files by one author for one place."""

    game: bytes
    number: int
    seat: int
    pk: bytes  # whose signature both carry
    ids: tuple[bytes, bytes]  # ascending


def find_fork(log: Log, first: bytes, second: bytes, referee: Referee | None = None) -> Fork | None:
    """The fork that two files are after this log, None if they are none; Fault if one of them is not good.

    With a referee the rules of the game count too, which a certificate needs.
    """
    entries = []
    for data in (first, second):
        after, entry = log.check(data)
        if referee is not None:
            referee.read(entry)
        pk = after.identities[entry.seat]
        assert pk is not None
        entries.append((entry.id, entry.seat, pk, entry.number, after.game))
    (id_a, seat, pk, number, game), (id_b, other, pk_b, _, _) = sorted(entries)
    if id_a == id_b or (seat, pk) != (other, pk_b):
        return None
    return Fork(game, number, seat, pk, (id_a, id_b))


def make_certificate(before: list[bytes], first: bytes, second: bytes) -> bytes:
    """The certificate of two files that follow the same files; nothing is checked here."""
    both = sorted((first, second), key=lambda data: file_id(unpack(data).body))
    return CERTIFICATE_MAGIC + u8(VERSION) + u32(len(before)) + b"".join([*before, *both])


def check_certificate(data: bytes) -> Fork:
    """The fork that a certificate proves; Fault "certificate", or that of the file which is not good."""
    before, first, second = open_certificate(data)
    log, referee = Log(), Referee()
    for file in before:
        log, entry = log.check(file)
        referee = referee.read(entry)
    fork = find_fork(log, first, second, referee)
    if fork is None:
        raise _worthless("its two files are the same one, or by different authors")
    if file_id(unpack(first).body) != fork.ids[0]:
        raise _worthless("its two files do not stand in their order")
    return fork


def open_certificate(data: bytes) -> tuple[list[bytes], bytes, bytes]:
    """The files before the place, and the two files for it, not checked; Fault "certificate"."""
    if len(data) > MOST_BYTES:
        raise _worthless(f"it has more than {MOST_BYTES} bytes")
    if data[:4] != CERTIFICATE_MAGIC or len(data) < HEAD_SIZE:
        raise _worthless("it does not begin as one")
    if data[4] != VERSION:
        raise Fault("E_VERSION", f"the certificate has version {data[4]}", hint="update pbem")
    try:
        files = split(data[HEAD_SIZE:])
    except Fault as fault:
        raise _worthless(f"it is damaged: {fault.message}") from fault
    if len(files) != int.from_bytes(data[5:HEAD_SIZE], "little") + 2:
        raise _worthless("it holds another number of files than it says")
    return files[:-2], files[-2], files[-1]


def _worthless(why: str) -> Fault:
    return Fault("certificate", f"this certificate proves nothing: {why}", hint="ask for it again")
