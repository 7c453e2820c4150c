"""Private notes: the published one, round trips, and every way to fail."""

from __future__ import annotations

import pytest

from pbem.canon import Value, decode, encode
from pbem.errors import Fault, Refused
from pbem.gamekeys import GameSecret
from pbem.hashing import h32, shake, u32
from pbem.notes import open_note, seal_note
from tests.pbem.vectors import part, value

SECRET = GameSecret(bytes(range(32)))
GAME = b"g" * 32
NONCE = b"n" * 16


def test_the_published_note() -> None:
    secret, game, number = GameSecret(value("note", "secret")), value("note", "gid"), part("note", "n")
    plain = decode(value("note", "plain"))
    assert open_note(secret, game, number, value("note", "blob")) == plain
    assert plain == {"13": encode(["cover"])}
    sealed = seal_note(secret, game, number, plain, value("note", "blob")[:16], step=256)
    assert sealed == value("note", "blob")


@pytest.mark.parametrize(
    ("content", "size"),
    [({}, 96), (0, 96), (b"\0" * 62, 96), (b"\0" * 63, 160), (b"x" * 255, 352), (b"x" * 4029, 4064)],
)
def test_round_trips_and_sizes(content: Value, size: int) -> None:
    """A note has 96 bytes or a multiple of 64 more."""
    note = seal_note(SECRET, GAME, 5, content, NONCE)
    assert len(note) == size
    assert open_note(SECRET, GAME, 5, note) == content


def test_too_long() -> None:
    with pytest.raises(Refused, match="too long"):
        seal_note(SECRET, GAME, 5, b"x" * 4030, NONCE)
    with pytest.raises(ValueError, match="16 bytes"):
        seal_note(SECRET, GAME, 5, None, b"short")


def test_notes_open_only_where_they_belong() -> None:
    note = seal_note(SECRET, GAME, 5, {"1": b"x"}, NONCE)
    stranger = GameSecret(bytes(32))
    for secret, game, number in ((stranger, GAME, 5), (SECRET, bytes(32), 5), (SECRET, GAME, 6)):
        with pytest.raises(Fault, match="not for us"):
            open_note(secret, game, number, note)


def test_changed_notes() -> None:
    note = seal_note(SECRET, GAME, 5, {"1": b"x"}, NONCE)
    for place in range(len(note)):
        damaged = bytearray(note)
        damaged[place] ^= 1
        with pytest.raises(Fault, match="not for us"):
            open_note(SECRET, GAME, 5, bytes(damaged))
    for data in (b"", note[:20], note[:-1], note + b"\0", bytes(5000)):
        with pytest.raises(Fault, match="not for us"):
            open_note(SECRET, GAME, 5, data)


@pytest.mark.parametrize("plain", [b"\1" + bytes(254) + b"\1", b"\1" + bytes(100), b"\xc1" * 256, b""])
def test_a_team_mate_with_a_strange_program(plain: bytes) -> None:
    """Contents that were sealed with the right secret but are not filled up, or no value at all."""
    key = h32("note", SECRET.sigma, GAME, u32(5), NONCE)
    pad = shake(len(plain), "note/pad", key)
    covered = bytes(a ^ b for a, b in zip(plain, pad, strict=True))
    note = NONCE + shake(16, "note/tag", key, covered) + covered
    with pytest.raises(Fault):
        open_note(SECRET, GAME, 5, note)
