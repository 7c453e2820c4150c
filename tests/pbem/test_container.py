"""The turn file: published files and ids, the order of the checks, bombs, and every bit of a small file."""

from __future__ import annotations

import gzip
import time
import tracemalloc
import zlib
from base64 import b64decode

import pytest

from pbem.canon import decode, encode
from pbem.container import (
    LARGEST,
    LIMIT,
    MAGIC,
    SIGNING,
    SMALLEST,
    file_id,
    frame_file,
    inflate,
    pack,
    signed_hash,
    split,
    unpack,
)
from pbem.errors import Fault
from pbem.hashing import h32, u32
from pbem.identity import Identity, verify_signature
from tests.pbem.vectors import game_file, part

ME = Identity(b"\1" * 32)
BODY = encode({"a": 1, "o": [["do", b"orders"]]})
FILE = pack(BODY, ME)


def code(data: bytes) -> str:
    """The code with which `unpack` refuses a file."""
    with pytest.raises(Fault) as caught:
        unpack(data)
    return caught.value.code


def framed(payload: bytes) -> bytes:
    """A file with any payload, properly signed."""
    return frame_file(payload, ME.sign(SIGNING + signed_hash(payload)))


def is_accepted(data: bytes) -> bool:
    """True if a file opens and its signature by the test identity is good."""
    try:
        parts = unpack(data)
        verify_signature(ME.pk, parts.signature, parts.message)
    except Fault:
        return False
    return True


def test_round_trip() -> None:
    parts = unpack(FILE)
    assert parts.body == BODY
    assert parts.version == 1
    assert parts.signed == h32("sig", b"M44F\1" + parts.payload)
    assert parts.message == b"m44pbem/1/sig\0" + parts.signed
    verify_signature(ME.pk, parts.signature, parts.message)
    assert MAGIC + b"\1" + u32(len(parts.payload)) + parts.payload + parts.signature == FILE


@pytest.mark.parametrize("number", range(7))
def test_the_published_game(number: int) -> None:
    """Ids, canonical bodies and signatures of a whole game."""
    parts = unpack(game_file(number))
    assert file_id(parts.body).hex() == part("game", "ids", number)
    body = decode(parts.body)
    assert isinstance(body, dict)
    assert encode(body) == parts.body
    author = Identity(bytes.fromhex(part("game", "masters", number % 2)))
    assert body["a"] == number % 2
    verify_signature(author.pk, parts.signature, parts.message)


FRAME_ERRORS = {
    "truncated": "E_SIZE",
    "zip magic": "E_MAGIC",
    "container version": "E_VERSION",
    "bytes behind the stream": "E_ENC",
    "stream cut off": "E_ENC",
    "inflation bomb": "E_SIZE",
}


@pytest.mark.parametrize("case", part("bad_files"), ids=lambda case: case["name"])
def test_published_bad_files(case: dict[str, str]) -> None:
    """The files that are wrong outside open with exactly their error; all others are wrong inside only."""
    data = b64decode(case["file"])
    if case["name"] in FRAME_ERRORS:
        assert code(data) == case["error"] == FRAME_ERRORS[case["name"]]
        return
    parts = unpack(data)
    authors = [Identity(bytes.fromhex(master)) for master in part("game", "masters")]
    signed = []
    for author in authors:
        try:
            verify_signature(author.pk, parts.signature, parts.message)
            signed.append(author)
        except Fault:
            continue
    assert bool(signed) == (case["error"] != "E_SIG")


def test_order_of_the_frame_checks() -> None:
    """Part 11, line 1: total size, magic and least size, version, length; cheats 4, 5 and 9."""
    assert code(bytes(LARGEST + 1)) == "E_SIZE"
    assert code(bytes(LARGEST)) == "E_MAGIC"
    assert code(b"") == "E_MAGIC"
    assert code(FILE[: SMALLEST - 1]) == "E_MAGIC"
    assert code(b"PK\3\4" + FILE[4:]) == "E_MAGIC"
    assert code(FILE[:4] + b"\2" + FILE[5:-1]) == "E_VERSION"
    assert code(FILE[:4] + b"\0" + FILE[5:]) == "E_VERSION"
    assert code(FILE[:-1]) == "E_SIZE"
    assert code(FILE + b"\0") == "E_SIZE"
    assert code(FILE[:5] + u32(2**32 - 1) + FILE[9:]) == "E_SIZE"
    assert code(FILE[:5] + u32(0) + FILE[9:]) == "E_SIZE"


def stream(data: bytes, *, level: int = 9, dictionary: bytes = b"") -> bytes:
    """A zlib stream, with a preset dictionary if wanted."""
    if not dictionary:
        return zlib.compress(data, level)
    packer = zlib.compressobj(level, zdict=dictionary)
    return packer.compress(data) + packer.flush()


def unfinished(data: bytes) -> bytes:
    """A stream whose last block is missing, though all data has come."""
    packer = zlib.compressobj(9)
    return packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)


GOOD = stream(BODY)
BOMB = stream(bytes(5_000_000))


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        pytest.param(GOOD + b"\0", "E_ENC", id="bytes behind"),
        pytest.param(GOOD + GOOD, "E_ENC", id="a second stream"),
        pytest.param(GOOD[:-1], "E_ENC", id="checksum cut"),
        pytest.param(GOOD[:-5], "E_ENC", id="data cut"),
        pytest.param(unfinished(BODY), "E_ENC", id="no last block"),
        pytest.param(GOOD[:-1] + bytes([GOOD[-1] ^ 1]), "E_ENC", id="wrong checksum"),
        pytest.param(GOOD[2:-4], "E_ENC", id="bare deflate"),
        pytest.param(gzip.compress(BODY), "E_ENC", id="gzip"),
        pytest.param(stream(BODY, dictionary=b"orders"), "E_ENC", id="preset dictionary"),
        pytest.param(b"", "E_ENC", id="empty"),
        pytest.param(BODY, "E_ENC", id="not compressed"),
        pytest.param(stream(bytes(LIMIT + 1)), "E_SIZE", id="one too many"),
        pytest.param(stream(bytes(LIMIT + 1))[:-1] + b"x", "E_SIZE", id="one too many, then broken"),
        pytest.param(stream(bytes(LIMIT + 1))[:-4], "E_SIZE", id="one too many, then cut"),
        pytest.param(stream(bytes(LIMIT))[:-1] + b"x", "E_ENC", id="just enough, then broken"),
        pytest.param(stream(bytes(LIMIT)) + b"x", "E_ENC", id="just enough, then more"),
        pytest.param(stream(BODY + bytes(10 * LIMIT)), "E_SIZE", id="good body, then zeros"),
        pytest.param(BOMB, "E_SIZE", id="bomb"),
        pytest.param(BOMB[:4_000], "E_SIZE", id="bomb that would break"),
    ],
)
def test_streams(payload: bytes, expected: str) -> None:
    """Cheats 67 and 68, properly signed."""
    assert code(framed(payload)) == expected


@pytest.mark.parametrize("level", [0, 1, 9])
def test_the_largest_body(level: int) -> None:
    assert inflate(stream(bytes(LIMIT), level=9)) == bytes(LIMIT)
    assert inflate(stream(BODY, level=level)) == BODY


def test_a_bomb_costs_a_quarter_of_a_megabyte() -> None:
    """Part 4: ten million bytes in ten thousand are refused before they are made."""
    bomb = framed(stream(bytes(10_000_000)))
    assert len(bomb) < LARGEST
    tracemalloc.start()
    begin = time.process_time()
    assert code(bomb) == "E_SIZE"
    spent = time.process_time() - begin
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000
    assert spent < 0.5


def test_too_much_cannot_be_packed() -> None:
    with pytest.raises(Fault, match="E_SIZE"):
        pack(bytes(LIMIT + 1), ME)
    noise = b"".join(h32("nonce", u32(number)) for number in range(LIMIT // 32))
    with pytest.raises(Fault, match="E_SIZE"):
        pack(noise, ME)  # random bytes do not shrink


def test_every_bit_of_a_small_file() -> None:
    """Cheat 60: every single bit changed, one after another, is refused once the signature is checked."""
    assert is_accepted(FILE)
    for place in range(len(FILE)):
        for bit in range(8):
            damaged = bytearray(FILE)
            damaged[place] ^= 1 << bit
            assert not is_accepted(bytes(damaged)), (place, bit)


def test_many_bits_of_a_large_file() -> None:
    """Cheat 60: changed bits of a large file."""
    data = game_file(1)
    author = Identity(bytes.fromhex(part("game", "masters", 1)))
    for place in range(0, len(data), 8):
        damaged = bytearray(data)
        damaged[place] ^= 1 << place // 8 % 8
        try:
            parts = unpack(bytes(damaged))
        except Fault:
            continue
        with pytest.raises(Fault, match="E_SIG"):
            verify_signature(author.pk, parts.signature, parts.message)


def test_other_streams_of_the_same_body() -> None:
    """Cheat 69: another level, another window in the header; same id, but not what was signed."""
    signature = unpack(FILE).signature
    others = [stream(BODY, level=0), stream(BODY, level=1)]
    window = zlib.compressobj(9, wbits=10)
    others.append(window.compress(BODY) + window.flush())
    for payload in others:
        data = frame_file(payload, signature)
        assert file_id(unpack(data).body) == file_id(BODY)
        assert payload != unpack(FILE).payload
        assert not is_accepted(data)
        assert is_accepted(framed(payload))  # signed again it is the same file


def test_files_one_after_another() -> None:
    files = [game_file(number) for number in range(7)]
    assert split(b"".join(files)) == files
    assert split(b"") == []
    for bad, expected in (
        (FILE + b"x", "E_MAGIC"),
        (FILE + FILE[:-1], "E_SIZE"),
        (b"x" + FILE, "E_MAGIC"),
        (FILE[:5] + u32(2**31) + FILE[9:], "E_SIZE"),
        (FILE[:5] + u32(LIMIT + 1) + bytes(LIMIT + 65), "E_SIZE"),
    ):
        with pytest.raises(Fault, match=expected):
            split(bad)
