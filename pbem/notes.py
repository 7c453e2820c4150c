"""Private notes inside a file, for those who have the game secret (docs/protocol.md, part 5).

A note is how a restored client, or a team mate, learns what was written on a sealed sheet. Its length says
little: the contents are filled up to a multiple of 64 bytes.
"""

from __future__ import annotations

import hmac
from typing import TYPE_CHECKING

from pbem.canon import Encodable, Value, decode_first, encode
from pbem.errors import Fault, Refused
from pbem.hashing import h32, shake, u32

if TYPE_CHECKING:
    from pbem.gamekeys import GameSecret

NONCE_SIZE = 16
TAG_SIZE = 16
STEP = 64
LARGEST = 4096  # of the whole note, as the op allows


def _key(secret: GameSecret, game: bytes, number: int, nonce: bytes) -> bytes:
    """The key of one note."""
    return h32("note", secret.sigma, game, u32(number), nonce)


def _cover(key: bytes, data: bytes) -> bytes:
    """The data with the pad of a key laid over it, which also takes it off again."""
    pad = shake(len(data), "note/pad", key)
    return bytes(a ^ b for a, b in zip(data, pad, strict=True))


def seal_note(
    secret: GameSecret, game: bytes, number: int, value: Encodable, nonce: bytes, *, step: int = STEP
) -> bytes:
    """The note with this value for file `number`; `nonce` is 16 fresh random bytes."""
    if len(nonce) != NONCE_SIZE:
        raise ValueError("the nonce of a note has 16 bytes")
    plain = encode(value)
    plain += bytes(-len(plain) % step)
    if NONCE_SIZE + TAG_SIZE + len(plain) > LARGEST:
        raise Refused("this is too long for a note", hint="shorten the standing orders")
    key = _key(secret, game, number, nonce)
    covered = _cover(key, plain)
    return nonce + shake(TAG_SIZE, "note/tag", key, covered) + covered


def open_note(secret: GameSecret, game: bytes, number: int, note: bytes) -> Value:
    """The value in a note of file `number`; Fault if it was not made with this secret for this place."""
    nonce, tag = note[:NONCE_SIZE], note[NONCE_SIZE : NONCE_SIZE + TAG_SIZE]
    covered = note[NONCE_SIZE + TAG_SIZE :]
    key = _key(secret, game, number, nonce)
    if len(note) > LARGEST or not hmac.compare_digest(tag, shake(TAG_SIZE, "note/tag", key, covered)):
        raise Fault("note", "this note is not for us or was changed")
    plain = _cover(key, covered)
    value, size = decode_first(plain)
    if len(plain) % STEP or any(plain[size:]):
        raise Fault("note", "this note is not filled up as it should be")
    return value
