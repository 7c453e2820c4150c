"""Canonical bytes: one form per value, everything else refused, nothing allocated on a stranger's word."""

from __future__ import annotations

import time
import tracemalloc

import msgpack  # type: ignore[import-untyped]  # ships no types
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.canon import HIGHEST, LOWEST, MAX_DEPTH, Encodable, Value, decode, decode_slowly, encode, pack
from pbem.errors import Fault
from tests.pbem.vectors import part

leaves = (
    st.none()
    | st.booleans()
    | st.integers(LOWEST, HIGHEST)
    | st.binary(max_size=300)
    | st.text(st.characters(codec="utf-8"), max_size=40)
)
values: st.SearchStrategy[Value] = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=20)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=40), inner, max_size=20)
    ),
    max_leaves=30,
)


def refused(data: bytes) -> str:
    """What `decode` says to bytes that it must refuse."""
    with pytest.raises(Fault) as caught:
        decode(data)
    assert caught.value.code == "E_ENC"
    return caught.value.message


@pytest.mark.parametrize("text", part("encoding", "good"))
def test_published_good_forms_survive_a_round_trip(text: str) -> None:
    assert encode(decode(bytes.fromhex(text))).hex() == text


@pytest.mark.parametrize(("text", "reason"), part("encoding", "bad").items())
def test_published_bad_forms_are_refused(text: str, reason: str) -> None:
    assert refused(bytes.fromhex(text)), reason


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (127, "7f"),
        (128, "cc80"),
        (255, "ccff"),
        (256, "cd0100"),
        (65535, "cdffff"),
        (65536, "ce00010000"),
        (2**32 - 1, "ceffffffff"),
        (2**32, "cf0000000100000000"),
        (2**64 - 1, "cfffffffffffffffff"),
        (-1, "ff"),
        (-32, "e0"),
        (-33, "d0df"),
        (-128, "d080"),
        (-129, "d1ff7f"),
        (-32768, "d18000"),
        (-32769, "d2ffff7fff"),
        (-(2**31), "d280000000"),
        (-(2**31) - 1, "d3ffffffff7fffffff"),
        (-(2**63), "d38000000000000000"),
        (b"", "c400"),
        ("", "a0"),
        ([1, [True, None]], "920192c3c0"),
        ({"b": 1, "a": 2, "": 3}, "83a003a16102a16201"),
        ({"aa": 1, "b": 2}, "82a2616101a16202"),  # by bytes, not by length
    ],
)
def test_exact_bytes_at_every_border(value: Encodable, text: str) -> None:
    assert encode(value).hex() == text
    assert decode(bytes.fromhex(text)) == value


@pytest.mark.parametrize(
    ("length", "head"), [(31, "bf"), (32, "d920"), (255, "d9ff"), (256, "da0100"), (65535, "daffff")]
)
def test_headers_of_text(length: int, head: str) -> None:
    data = encode("x" * length)
    assert data == bytes.fromhex(head) + b"x" * length
    assert decode(data) == "x" * length


@pytest.mark.parametrize(
    ("length", "head"), [(255, "c4ff"), (256, "c50100"), (65535, "c5ffff"), (65536, "c600010000")]
)
def test_headers_of_bytes(length: int, head: str) -> None:
    data = encode(bytes(length))
    assert data == bytes.fromhex(head) + bytes(length)
    assert decode(data) == bytes(length)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "c1",
        "cd0080",
        "cd00ff",
        "ce0000ffff",
        "cf00000000ffffffff",
        "d000",  # a positive number in a signed form
        "d07f",
        "d0ff",  # -1 fits into one byte
        "d0e0",
        "d1ff80",
        "d2ffff8000",
        "d3ffffffff80000000",
        "d37fffffffffffffff",
        "da0020" + "61" * 32,
        "db00000001" + "61",  # 32-bit lengths of texts are not used at all
        "c60000ffff" + "00" * 65535,
        "dd0000000101",
        "de0001a16101",
        "df00000001a16101",
        "ca00000000",
        "d5010000",
        "c70101ff",
        "a2eda080",  # a surrogate in UTF-8
        "a2c080",
        "82a16101a101",
        "81c4016101",
        "82a2616101a161",
        "c403aabb",
    ],
)
def test_other_forms_are_refused(text: str) -> None:
    assert refused(bytes.fromhex(text))


@pytest.mark.parametrize(
    "value", [2**64, -(2**63) - 1, 1.5, {1: 2}, "\ud800", {"\udfff": 1}, {1, 2}, "x" * 65536]
)
def test_values_without_a_form_are_refused(value: Encodable) -> None:
    with pytest.raises(Fault) as caught:
        encode(value)
    assert caught.value.code == "E_ENC"
    with pytest.raises(Fault):
        encode([value])


def test_twelve_levels_and_no_more() -> None:
    nest: Value = 1
    for _ in range(MAX_DEPTH):
        nest = [nest]
    data = b"\x91" * 12 + b"\x01"
    assert encode(nest) == data
    assert decode(data) == nest
    with pytest.raises(Fault, match="nested more than 12"):
        encode([nest])
    assert "nested more than 12" in refused(b"\x91" + data)
    assert "nested more than 12" in refused(b"\x91" * 12 + b"\x90")
    assert "nested more than 12" in refused(b"\x91" * 200_000)
    assert "nested more than 12" in refused(b"\x81\xa0" * 100_000)


@pytest.mark.parametrize(
    "head",
    ["c67fffffff", "c680000000", "c6ffffffff", "dcffff", "deffff", "daffff", "92c0dcffff", "81a161dcffff"],
)
def test_announced_lengths_cost_nothing(head: str) -> None:
    """Cheat 7: two thousand million announced bytes are refused at once and take no memory."""
    data = bytes.fromhex(head) + b"\xc0"
    tracemalloc.start()
    begin = time.process_time()
    refused(data)
    spent = time.process_time() - begin
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 50_000
    assert spent < 0.5


@pytest.mark.parametrize("text", ["92c0", "dc0010c0", "dcffff", "84a161c0a162c0", "deffff" + "c0" * 90])
def test_announced_members_are_compared_with_what_is_left(text: str) -> None:
    """Part 3: before the first member is read; a member takes one byte, a pair of a map two."""
    assert "more is announced" in refused(bytes.fromhex(text))


@given(values)
@settings(max_examples=40, deadline=None)
def test_round_trip(value: Value) -> None:
    data = encode(value)
    again = decode(data)
    assert again == value
    assert encode(again) == data
    assert msgpack.unpackb(data, strict_map_key=False) == value  # a second opinion on the meaning


@given(st.binary(max_size=60) | st.binary(max_size=12).map(lambda tail: b"\x93\x82\xa1a" + tail))
@settings(max_examples=250, deadline=None)
def test_arbitrary_bytes_are_refused_or_are_the_one_form(data: bytes) -> None:
    try:
        value = decode(data)
    except Fault:
        refused(data)
    else:
        assert encode(value) == data


@given(values, st.data())
@settings(max_examples=40, deadline=None)
def test_changed_bytes_never_mean_the_same(value: Value, draw: st.DataObject) -> None:
    data = bytearray(encode(value))
    place = draw.draw(st.integers(0, len(data) - 1))
    data[place] ^= 1 << draw.draw(st.integers(0, 7))
    try:
        other = decode(bytes(data))
    except Fault:
        return
    assert encode(other) == data != encode(value)


@given(values)
def test_the_quick_ways_and_the_slow_ones_agree(value: Value) -> None:
    data = encode(value)
    read = decode(data)
    assert read == decode_slowly(data)
    assert [type(read), pack(read)] == [type(value), data]


@given(st.binary(max_size=40))
def test_the_quick_reader_takes_nothing_that_the_slow_one_refuses(data: bytes) -> None:
    results = []
    for reader in (decode, decode_slowly):
        try:
            results.append(repr(reader(data)))
        except Fault as fault:
            results.append(str(fault))
    assert results[0] == results[1]


@pytest.mark.parametrize(
    "data",
    [
        b"\x91" * 13 + b"\xc0",
        b"\x82\xa1b\xc0\xa1a\xc0",
        b"\xcb" + bytes(8),
        b"\xd6\xff" + bytes(4),
        b"\xda\x00\x01a",
        b"\x81\xc4\x01a\xc0",
        b"\xdd\x00\x00\x00\x01\xc0",
    ],
    ids=["deep", "order of keys", "float", "time", "long form", "key of bytes", "array 32"],
)
def test_what_the_library_would_read_is_refused(data: bytes) -> None:
    with pytest.raises(Fault, match="E_ENC"):
        decode(data)


def test_announced_room_is_not_made() -> None:
    """Nested arrays that announce all the rest as members would cost gigabytes in a trusting reader."""
    bomb = b"".join(b"\xdc\xff\xff" for _ in range(80_000))
    tracemalloc.start()
    with pytest.raises(Fault, match="E_ENC"):
        decode(bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2_000_000
