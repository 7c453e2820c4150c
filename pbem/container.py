"""The turn file as bytes: frame, compressed body, signature (docs/protocol.md, parts 4 and 11).

    file = "M44F", version 1, length of the payload (u32), payload, signature (64 bytes)

The payload is a zlib stream of the body. The signature covers the payload as it travels, the id covers the
body, so nobody needs to compress canonically. This module knows no game: it neither reads the body nor knows
whose key must have signed it.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

from pbem.errors import Fault
from pbem.hashing import h32, u8, u32

if TYPE_CHECKING:
    from pbem.identity import Identity

MAGIC = b"M44F"
VERSION = 1
HEAD_SIZE = 9
SIGNATURE_SIZE = 64
SMALLEST = HEAD_SIZE + SIGNATURE_SIZE
LIMIT = 262_144  # bytes of payload, and of body
LARGEST = SMALLEST + LIMIT
SIGNING = b"m44pbem/1/sig\0"


class Parts(NamedTuple):
    """An opened file whose signature has not been checked yet."""

    version: int
    payload: bytes
    body: bytes
    signature: bytes
    signed: bytes  # z, the hash of what is signed

    @property
    def message(self) -> bytes:
        """The bytes that the signature signs."""
        return SIGNING + self.signed


def file_id(body: bytes) -> bytes:
    """What the next file of the chain calls the file with this body."""
    return h32("file", body)


def signed_hash(payload: bytes) -> bytes:
    """z: the hash over the bytes as they travel."""
    return h32("sig", MAGIC + u8(VERSION) + payload)


def pack(body: bytes, identity: Identity) -> bytes:
    """The signed file with this body."""
    if len(body) > LIMIT:
        raise Fault("E_SIZE", f"the file would have {len(body)} bytes inside, and {LIMIT} are the most")
    payload = zlib.compress(body, 9)
    if len(payload) > LIMIT:
        raise Fault("E_SIZE", f"the file would have {len(payload)} bytes inside, and {LIMIT} are the most")
    return frame_file(payload, identity.sign(SIGNING + signed_hash(payload)))


def frame_file(payload: bytes, signature: bytes) -> bytes:
    """A file from its two parts."""
    return MAGIC + u8(VERSION) + u32(len(payload)) + payload + signature


def unpack(data: bytes) -> Parts:
    """The parts of one file; Fault E_SIZE, E_MAGIC, E_VERSION or E_ENC. The signature is not checked here."""
    if len(data) > LARGEST:
        raise Fault("E_SIZE", f"the file has {len(data)} bytes, and {LARGEST} are the most")
    if len(data) < SMALLEST or data[:4] != MAGIC:
        raise Fault("E_MAGIC", "this is not a turn file", hint='turn files begin with "M44F"')
    if data[4] != VERSION:
        raise Fault(
            "E_VERSION", f"the file has version {data[4]} and we read version {VERSION}", hint="update pbem"
        )
    if _announced(data, 0) != len(data) - SMALLEST:
        raise Fault(
            "E_SIZE", "the file is cut off or has bytes behind its signature", hint="ask for it again"
        )
    payload, signature = data[HEAD_SIZE:-SIGNATURE_SIZE], data[-SIGNATURE_SIZE:]
    return Parts(VERSION, payload, inflate(payload), signature, signed_hash(payload))


def _announced(data: bytes, start: int) -> int:
    """The length of the payload, as the head that begins at `start` says."""
    return int.from_bytes(data[start + 5 : start + HEAD_SIZE], "little")


def inflate(payload: bytes) -> bytes:
    """The body of a payload, never more than the limit and one byte of work; Fault E_SIZE or E_ENC."""
    stream = zlib.decompressobj(zlib.MAX_WBITS)  # a zlib stream only: no gzip, no bare deflate
    try:
        body = stream.decompress(payload, LIMIT + 1)
    except zlib.error:
        if _is_too_long(payload):
            raise too_long() from None
        raise Fault("E_ENC", "the compressed part is damaged", hint="ask for the file again") from None
    if len(body) > LIMIT:
        raise too_long()
    # With output room left over the library has read all it wants, so nothing can wait behind the bound.
    if not stream.eof:
        raise Fault("E_ENC", "the compressed part ends too early", hint="ask for the file again")
    if stream.unused_data or stream.unconsumed_tail:
        raise Fault("E_ENC", "there are bytes behind the compressed part")
    return body


def too_long() -> Fault:
    """The refusal of a body that is larger than the limit."""
    return Fault("E_SIZE", f"the file holds more than {LIMIT} bytes")


def _is_too_long(payload: bytes) -> bool:
    """True if a stream that breaks gives more than the limit before it does.

    The library reads on behind the last byte it has room for, and an error there hides that the byte came. So
    the rest is fed byte by byte.
    """
    stream = zlib.decompressobj(zlib.MAX_WBITS)
    try:
        if len(stream.decompress(payload, LIMIT)) < LIMIT:
            return False
        rest = stream.unconsumed_tail
        return any(stream.decompress(rest[place : place + 1], 1) for place in range(len(rest)))
    except zlib.error:
        return False


def strange_rest(start: int) -> Fault:
    """The refusal of bytes behind a turn file that are none."""
    return Fault("E_MAGIC", f"the turn file ends at byte {start}, and what follows is none")


def split(data: bytes) -> list[bytes]:
    """The files that stand one after another in `data`, not opened; Fault E_MAGIC or E_SIZE.

    Works with slices of what is there, so a head that announces more than follows costs nothing.
    """
    files = []
    start = 0
    while start < len(data):
        if data[start : start + 4] != MAGIC or len(data) - start < SMALLEST:
            raise strange_rest(start) if start else Fault("E_MAGIC", "this is not a whole turn file")
        size = SMALLEST + _announced(data, start)
        if size > LARGEST or size > len(data) - start:
            raise Fault("E_SIZE", f"the file at byte {start} is cut off or too large")
        files.append(data[start : start + size])
        start += size
    return files
