"""The framed hash: published values, and frames that cannot be confused."""

from __future__ import annotations

from hashlib import shake_256

from pbem.hashing import ORDER, frame, h32, hash_scalar, shake, u8, u32, u64
from tests.pbem.vectors import part


def test_numbers_are_little_endian() -> None:
    assert (u8(7), u32(258), u64(258)) == (b"\7", b"\2\1\0\0", b"\2\1\0\0\0\0\0\0")


def test_published_values() -> None:
    found = [shake(case["n"], case["tag"], *map(bytes.fromhex, case["parts"])).hex() for case in part("hash")]
    assert found == [case["out"] for case in part("hash")]
    assert len(found) == 5


def test_the_frame_written_out_by_hand() -> None:
    framed = u64(32) + u64(2) + u64(14) + b"m44pbem/1/node" + u64(1) + b"a" + u64(2) + b"bc"
    assert h32("node", b"a", b"bc") == shake_256(framed).digest(32)


def test_moving_a_boundary_changes_the_hash() -> None:
    values = {
        h32("node", b"ab", b"c"),
        h32("node", b"a", b"bc"),
        h32("node", b"abc"),
        h32("node", b"abc", b""),
    }
    assert len(values) == 4
    assert shake(64, "node", b"abc")[:32] != h32("node", b"abc")
    assert h32("box", b"abc") != h32("node", b"abc")


def test_frames_for_many_equal_shapes_give_the_same_bytes() -> None:
    first, second = frame(32, "node", 3, 2)
    assert shake_256(first + b"abc" + second + b"de").digest(32) == h32("node", b"abc", b"de")


def test_hash_to_scalar_reads_64_bytes_big_endian() -> None:
    assert hash_scalar("key", b"x") == int.from_bytes(shake(64, "key", b"x"), "big") % ORDER
    assert f"{ORDER:064x}" == part("scalars", "order")
