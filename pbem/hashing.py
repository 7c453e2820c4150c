"""The one hash function of the protocol, SHAKE256 in an injective frame (docs/protocol.md, part 2).

The frame fixes the length of the output, the number and boundaries of the parts, the version and the purpose
(the tag), so that no two uses can ever hash the same bytes.
"""

from __future__ import annotations

from functools import cache
from hashlib import shake_256

PREFIX = b"m44pbem/1/"

# The order of secp256k1. It stands here and not in group.py, so that dice and sheets need no curve library.
ORDER = 0xFFFFFFFF_FFFFFFFF_FFFFFFFF_FFFFFFFE_BAAEDCE6_AF48A03B_BFD25E8C_D0364141


def u8(number: int) -> bytes:
    """One byte."""
    return number.to_bytes(1, "little")


def u32(number: int) -> bytes:
    """Four bytes, little-endian."""
    return number.to_bytes(4, "little")


def u64(number: int) -> bytes:
    """Eight bytes, little-endian."""
    return number.to_bytes(8, "little")


@cache
def _head(n: int, count: int, tag: str) -> bytes:
    """The frame before the first part."""
    name = PREFIX + tag.encode("ascii")
    return u64(n) + u64(count) + u64(len(name)) + name


def frame(n: int, tag: str, *lengths: int) -> list[bytes]:
    """The bytes that stand before each part of a hash whose parts have these lengths.

    Whoever hashes thousands of equal shapes (a sheet, a chain) writes them between the parts himself;
    `shake` gives the same bytes.
    """
    pieces = [u64(length) for length in lengths]
    pieces[0] = _head(n, len(lengths), tag) + pieces[0]
    return pieces


def shake(n: int, tag: str, *parts: bytes) -> bytes:
    """H(n; tag; parts): n bytes."""
    pieces = [_head(n, len(parts), tag)]
    for part in parts:
        pieces.append(len(part).to_bytes(8, "little"))
        pieces.append(part)
    return shake_256(b"".join(pieces)).digest(n)


def h32(tag: str, *parts: bytes) -> bytes:
    """H32(tag; parts): 32 bytes."""
    return shake(32, tag, *parts)


def hash_scalar(tag: str, *parts: bytes) -> int:
    """HS(tag; parts): a number below the order of the group."""
    return int.from_bytes(shake(64, tag, *parts), "big") % ORDER
