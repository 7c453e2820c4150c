"""Whatever arrives: every reader gives a result or refuses in one sentence, and never anything else."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.armor import armor, find_armored, scan
from pbem.canon import decode
from pbem.container import frame_file, split, unpack
from pbem.errors import PbemError
from pbem.gamekeys import GameSecret, open_secret
from pbem.group import parse_ciphertexts, parse_point, parse_scalar
from pbem.identity import (
    KEY_MAGIC,
    Identity,
    backup_text,
    make_card,
    open_key_file,
    parse_card,
    parse_fingerprint,
    read_key_head,
    restore_text,
    seal_key_file,
    verify_signature,
)
from pbem.notes import open_note
from tests.pbem.vectors import game_file

ME = Identity(b"\1" * 32)
SECRET = GameSecret(bytes(32))
SIGNATURE = ME.sign(b"x")

BYTE_READERS: dict[str, Callable[[bytes], object]] = {
    "decode": decode,
    "unpack": unpack,
    "unpack in a good frame": lambda data: unpack(frame_file(data, bytes(64))),
    "split": split,
    "point": parse_point,
    "scalar": parse_scalar,
    "cards": lambda data: parse_ciphertexts(data, len(data) // 66),
    "key file": lambda data: open_key_file(data, None),
    "key head": lambda data: read_key_head(KEY_MAGIC + data),
    "note": lambda data: open_note(SECRET, bytes(32), 1, data),
    "box": lambda data: open_secret(data, bytes(32)),
    "signature": lambda data: verify_signature(ME.pk, data, b"x"),
    "signer": lambda data: verify_signature(data, SIGNATURE, b"x"),
    "card": lambda data: parse_card(armor(data, "CONTACT")),
}
TEXT_READERS: dict[str, Callable[[str], object]] = {
    "armor": find_armored,
    "scan": scan,
    "card": parse_card,
    "fingerprint": parse_fingerprint,
    "backup": restore_text,
}
GOOD_BYTES = [game_file(2), seal_key_file(ME, None, "Bob"), SIGNATURE, ME.pk, bytes(80)]
GOOD_TEXTS = [armor(b"file"), make_card(ME, "Bob"), backup_text(ME)]


def read(reader: Callable[..., object], data: bytes | str) -> None:
    """Reads; a refusal must be one printable sentence."""
    try:
        reader(data)
    except PbemError as refusal:
        message = refusal.message
    else:
        return
    assert message
    assert message.isprintable()
    assert len(message) < 300


@st.composite
def damaged(draw: st.DrawFn, whole: list[bytes]) -> bytes:
    """Something good with a piece exchanged, lost or doubled."""
    data = draw(st.sampled_from(whole))
    start = draw(st.integers(0, len(data)))
    end = draw(st.integers(start, min(len(data), start + 40)))
    return data[:start] + draw(st.binary(max_size=8) | st.just(data[start:end] * 2)) + data[end:]


@pytest.mark.parametrize("name", BYTE_READERS)
@given(data=st.binary(max_size=200) | damaged(GOOD_BYTES))
@settings(max_examples=40, deadline=None)
def test_bytes(name: str, data: bytes) -> None:
    read(BYTE_READERS[name], data)


def as_text(data: bytes) -> str:
    """Damaged UTF-8 as a program may have read it."""
    return data.decode("utf-8", "surrogateescape")


@pytest.mark.parametrize("name", TEXT_READERS)
@given(data=st.text(max_size=200) | damaged([text.encode() for text in GOOD_TEXTS]).map(as_text))
@settings(max_examples=40, deadline=None)
def test_texts(name: str, data: str) -> None:
    read(TEXT_READERS[name], data)
