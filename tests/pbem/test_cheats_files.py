"""Cheats with whole files: frame, bytes, header, chain, compression (rows 1 to 16, 63 to 69 of part 16).

Every cheat starts from an honest file of a small game without rules and must give exactly the error of its
row; unless the row is about the signature, the cheat signs again with the own key.
"""

from __future__ import annotations

import contextlib
import gzip
import zlib
from typing import Any

import pytest

from pbem.canon import encode
from pbem.container import (
    LARGEST,
    LIMIT,
    SIGNATURE_SIZE,
    SIGNING,
    frame_file,
    pack,
    signed_hash,
    unpack,
)
from pbem.identity import ED_ORDER
from pbem.log import ZERO
from tests.pbem.forge import (
    PEOPLE,
    STRANGER,
    Book,
    Cheat,
    Stage,
    chain_of,
    expect_refusal,
    next_file,
    open_file,
    set_up,
    small,
    small_terms,
    teams,
)

BOOK = Book()
AFTER = 3  # most cheats are tried on file 3, which has shares, an opened box and a shown card


def body_bytes(stage: Stage) -> bytes:
    """The canonical body of the honest file."""
    return unpack(stage.files[AFTER]).body


def framed(stage: Stage, payload: bytes) -> bytes:
    """A file with any payload, signed by its author."""
    return frame_file(payload, stage.author(AFTER).sign(SIGNING + signed_hash(payload)))


def with_body(stage: Stage, body: bytes) -> bytes:
    """A file with any body, compressed and signed by its author."""
    return framed(stage, zlib.compress(body, 9))


def replaced(stage: Stage, old: bytes, new: bytes) -> bytes:
    """The honest body with one piece of bytes exchanged, signed again."""
    body = body_bytes(stage)
    assert old in body
    return with_body(stage, body.replace(old, new, 1))


# Signatures and frames


@BOOK.cheat("1", "E_SIG", after=AFTER)
def a_byte_of_the_body_changed(stage: Stage) -> bytes:
    parts = unpack(stage.files[AFTER])
    place = parts.body.index(open_file(stage.files[AFTER])["h"])
    body = parts.body[:place] + bytes([parts.body[place] ^ 1]) + parts.body[place + 1 :]
    return frame_file(zlib.compress(body, 9), parts.signature)


@BOOK.cheat("2", "E_SIG", after=AFTER)
def a_byte_of_the_signature_changed(stage: Stage) -> bytes:
    data = stage.files[AFTER]
    return data[:-10] + bytes([data[-10] ^ 4]) + data[-9:]


@BOOK.cheat("2", "E_SIG", after=AFTER)
def s_and_the_order_instead_of_s(stage: Stage) -> bytes:
    data = stage.files[AFTER]
    s = int.from_bytes(data[-32:], "little") + ED_ORDER
    return data[:-32] + s.to_bytes(32, "little")


@BOOK.cheat("3", "E_SIG", after=AFTER)
def signed_by_a_stranger(stage: Stage) -> bytes:
    return pack(body_bytes(stage), STRANGER)


@BOOK.cheat("3", "E_SIG", after=AFTER)
def signed_by_the_opponent(stage: Stage) -> bytes:
    return pack(body_bytes(stage), PEOPLE[0])


@BOOK.cheat("4", "E_SIZE", after=AFTER)
def truncated(stage: Stage) -> bytes:
    return stage.files[AFTER][:-1]


@BOOK.cheat("4", "E_SIZE", after=AFTER)
def bytes_after_the_signature(stage: Stage) -> bytes:
    return stage.files[AFTER] + b"\0"


@BOOK.cheat("4", "E_SIZE", after=AFTER)
def larger_than_the_limit(stage: Stage) -> bytes:
    return stage.files[AFTER].ljust(LARGEST + 1, b"\0")


@BOOK.cheat("5", "E_MAGIC", after=AFTER)
def other_magic(stage: Stage) -> bytes:
    return b"M45F" + stage.files[AFTER][4:]


# Canonical bytes


@BOOK.cheat("6", "E_ENC", after=AFTER)
def integer_not_shortest(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1n\x03", b"\xa1n\xcc\x03")


@BOOK.cheat("6", "E_ENC", after=AFTER)
def length_not_shortest(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1d\xc4\x20", b"\xa1d\xc5\x00\x20")


@BOOK.cheat("6", "E_ENC", after=AFTER)
def text_header_not_shortest(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1d\xc4", b"\xd9\x01d\xc4")


@BOOK.cheat("6", "E_ENC", after=AFTER)
def map_header_not_shortest(stage: Stage) -> bytes:
    return with_body(stage, b"\xde\x00\x0b" + body_bytes(stage)[1:])


@BOOK.cheat("6", "E_ENC", after=AFTER)
def keys_unsorted(stage: Stage) -> bytes:
    body = open_file(stage.files[AFTER])
    pairs = [encode(key) + encode(body[key]) for key in sorted(body, reverse=True)]
    return with_body(stage, b"\x8b" + b"".join(pairs))


@BOOK.cheat("6", "E_ENC", after=AFTER)
def a_key_twice(stage: Stage) -> bytes:
    return with_body(stage, b"\x8c\xa1a\x01" + body_bytes(stage)[1:])


@BOOK.cheat("6", "E_ENC", after=AFTER)
def a_float(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1n\x03", b"\xa1n\xcb\x40\x08\x00\x00\x00\x00\x00\x00")


@BOOK.cheat("6", "E_ENC", after=AFTER)
def an_extension(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1n\x03", b"\xa1n\xd4\x01\x03")


@BOOK.cheat("7", "E_ENC", after=AFTER)
def a_trailing_byte(stage: Stage) -> bytes:
    return with_body(stage, body_bytes(stage) + b"\xc0")


@BOOK.cheat("7", "E_ENC", after=AFTER)
def a_nesting_bomb(stage: Stage) -> bytes:
    return with_body(stage, b"\x91" * 100_000 + b"\xc0")


@BOOK.cheat("7", "E_ENC", after=AFTER)
def a_length_bomb(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1d\xc4\x20", b"\xa1d\xc6\xff\xff\xff\xff")


@BOOK.cheat("7", "E_ENC", after=AFTER)
def an_array_bomb(stage: Stage) -> bytes:
    return replaced(stage, b"\xa1n\x03", b"\xa1n\xdc\xff\xff")


# Header


@BOOK.cheat("8", "E_FIELD", after=AFTER)
def an_unknown_header_key(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(z=1))


@BOOK.cheat("8", "E_FIELD", after=AFTER)
def a_boolean_for_an_integer(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(v=True))


@BOOK.cheat("8", "E_FIELD", after=AFTER)
def a_boolean_for_a_slot(stage: Stage) -> bytes:
    forger = stage.forger(AFTER)
    forger.pay()
    forger.force("lay", False)
    return stage.sealed(forger)


@BOOK.cheat("8", "E_FIELD", after=AFTER)
def an_extra_argument(stage: Stage) -> bytes:
    forger = stage.forger(AFTER)
    forger.pay()
    forger.force("lay", 0, 0)
    return stage.sealed(forger)


@BOOK.cheat("8", "E_FIELD", after=AFTER)
def an_op_without_a_name(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body["o"].append([7]))


@BOOK.cheat("9", "E_VERSION", after=AFTER)
def other_version_in_the_body(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(v=2))


@BOOK.cheat("9", "E_VERSION", after=AFTER)
def other_version_in_the_frame(stage: Stage) -> bytes:
    return stage.files[AFTER][:4] + b"\2" + stage.files[AFTER][5:]


# Place in the log


@BOOK.cheat("10", "E_SEQ", after=AFTER)
def the_last_file_sent_again(stage: Stage) -> bytes:
    return stage.files[AFTER - 1]


@BOOK.cheat("10", "E_SEQ", after=AFTER)
def a_number_skipped(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(n=AFTER + 1))


@BOOK.cheat("10", "E_SEQ", after=AFTER + 1)
def a_second_version_after_acceptance(stage: Stage) -> bytes:
    forger = stage.forger(AFTER)
    forger.pay()
    forger.say("do", "something else")
    second = stage.sealed(forger)
    assert stage.logs[AFTER].check(second)[1].id != stage.logs[AFTER + 1].previous
    return second


@BOOK.cheat("11", "E_PREV", after=AFTER)
def another_predecessor(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(p=stage.logs[AFTER - 1].previous))


@BOOK.cheat("11", "E_PREV", after=2)
def a_file_of_another_game(stage: Stage) -> bytes:
    other = set_up(small_terms(extra={"game": "another"}), PEOPLE[:2])
    forger = next_file(other.logs[2], 0, PEOPLE[0])
    forger.pay()
    return other.sealed(forger)


@BOOK.cheat("12", "E_GAME", after=AFTER)
def another_game_id(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(g=ZERO))


@BOOK.cheat("12", "E_GAME", after=AFTER)
def the_offer_id_after_the_answer(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(g=open_file(stage.files[0])["g"]))


@BOOK.cheat("12", "E_GAME", after=0)
def terms_changed_after_the_id(stage: Stage) -> bytes:
    return stage.changed(0, lambda body: body["o"][0][1].update(mix=False))


@BOOK.cheat("13", "E_AUTHOR", after=AFTER)
def an_unknown_seat(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(a=5))


@BOOK.cheat("13", "E_AUTHOR", after=1)
def the_inviter_answers_too(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body.update(a=0))


@BOOK.cheat("13", "E_AUTHOR", after=4, stage=teams)
def a_seat_without_key_opens_a_run(stage: Stage) -> bytes:
    forger = stage.forger(4)
    body = {**open_file(stage.sealed(forger)), "a": 3}
    body["h"] = chain_of(body)[-1]
    return pack(encode(body), PEOPLE[3])


def unfinished() -> Stage:
    """A team game whose last file is by a seat without a key, who has called a token and paid nothing."""
    stage = teams()
    caller = next_file(stage.logs[5], 3, PEOPLE[3])
    caller.add("call", 0)
    new = Stage(stage.terms, stage.people, stage.files[:5], stage.logs[:6])
    new.publish(caller)
    return new


@BOOK.cheat("14", "E_RUN", after=6, stage=unfinished)
def an_answer_before_the_run_is_complete(stage: Stage) -> bytes:
    log = stage.logs[6]
    early = next_file(stage.logs[5], 2, PEOPLE[2])  # all that it needs is known one file earlier
    body = {**open_file(early.seal(PEOPLE[2], ZERO)), "n": 6, "p": log.previous}
    body["h"] = chain_of(body)[-1]
    return pack(encode(body), PEOPLE[2])


@BOOK.cheat("15", "E_STATE", after=AFTER)
def a_wrong_table_digest(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(d=ZERO))


@BOOK.cheat("16", "E_ORDER", after=7)
def a_file_after_the_end(stage: Stage) -> bytes:
    return stage.changed(6, lambda body: body.update(n=7, p=stage.logs[7].previous))


@BOOK.cheat("16", "E_ORDER", after=6)
def an_op_after_the_end(stage: Stage) -> bytes:
    return stage.changed(6, lambda body: body["o"].append(["do", b"\xc0"]))


@BOOK.cheat("16", "E_ORDER", after=AFTER)
def a_set_up_op_in_mid_game(stage: Stage) -> bytes:
    key = open_file(stage.files[1])["o"][0]
    return stage.changed(AFTER, lambda body: body["o"].insert(0, key))


@BOOK.cheat("16", "E_ORDER", after=AFTER)
def new_terms_in_mid_game(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body["o"].insert(0, ["terms", stage.terms.as_value()]))


@BOOK.cheat("16", "E_ORDER", after=1)
def a_turn_op_in_a_set_up_file(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body["o"].append(["do", b"\xc0"]))


@BOOK.cheat("16", "E_ORDER", after=AFTER)
def an_unknown_op(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body["o"].insert(0, ["win"]))


# The chain of actions


@BOOK.cheat("63", "E_CHAIN", after=AFTER)
def the_chain_value_changed(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(h=ZERO), chain=False)


@BOOK.cheat("63", "E_CHAIN", after=AFTER)
def the_chain_value_of_the_action_before(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.update(h=chain_of(body)[-2]), chain=False)


@BOOK.cheat("63", "E_CHAIN", after=AFTER)
def the_chain_value_of_an_earlier_file(stage: Stage) -> bytes:
    earlier = open_file(stage.files[1])["h"]
    return stage.changed(AFTER, lambda body: body.update(h=earlier), chain=False)


@BOOK.cheat("64", "E_CHAIN", after=AFTER)
def an_action_appended_and_the_chain_kept(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body["o"].append(["do", b"\xc0"]), chain=False)


@BOOK.cheat("64", "E_CHAIN", after=5)
def two_decisions_exchanged_and_the_chain_kept(stage: Stage) -> bytes:
    def exchange(body: dict[str, Any]) -> None:
        ops = body["o"]
        assert [op[0] for op in ops[-2:]] == ["do", "do"]
        ops[-2:] = ops[:-3:-1]

    return stage.changed(5, exchange, chain=False)


@BOOK.cheat("65", "E_FIELD", after=AFTER)
def the_chain_value_missing(stage: Stage) -> bytes:
    return stage.changed(AFTER, lambda body: body.pop("h"), chain=False)


# Compression


@BOOK.cheat("67", "E_SIZE", after=AFTER)
def an_inflation_bomb(stage: Stage) -> bytes:
    return with_body(stage, bytes(50_000_000))


@BOOK.cheat("67", "E_SIZE", after=AFTER)
def a_good_body_and_zeros_beyond_the_bound(stage: Stage) -> bytes:
    return with_body(stage, body_bytes(stage).ljust(LIMIT + 1, b"\0"))


@BOOK.cheat("67", "E_SIZE", after=AFTER)
def a_bomb_that_would_break_after_the_bound(stage: Stage) -> bytes:
    return framed(stage, zlib.compress(bytes(1_000_000), 9)[:-4] + b"\xff\xff\xff\xff")


def broken_streams(body: bytes) -> dict[str, bytes]:
    """Payloads that are not exactly one zlib stream of a body."""
    good = zlib.compress(body, 9)
    bare, with_words = zlib.compressobj(9, zlib.DEFLATED, -15), zlib.compressobj(9, zdict=b"advance")
    unfinished = zlib.compressobj(9)
    return {
        "bytes behind the stream": good + b"\0",
        "a second stream behind the stream": good + good,
        "a stream cut off": good[:-5],
        "no last block": unfinished.compress(body) + unfinished.flush(zlib.Z_SYNC_FLUSH),
        "a wrong checksum": good[:-1] + bytes([good[-1] ^ 1]),
        "bare deflate": bare.compress(body) + bare.flush(),
        "gzip": gzip.compress(body),
        "a preset dictionary": with_words.compress(body) + with_words.flush(),
        "an empty payload": b"",
        "not compressed": body,
    }


@pytest.mark.parametrize("name", broken_streams(b"x"))
def test_row_68_a_payload_is_exactly_one_stream(name: str) -> None:
    stage = small()

    def broken(_: Stage) -> bytes:
        return framed(stage, broken_streams(body_bytes(stage))[name])

    expect_refusal(Cheat("68", "E_ENC", AFTER, small, broken))


def other_streams(stage: Stage) -> dict[str, tuple[bytes, bytes]]:
    """Payloads of one body, and others that inflate to the same."""
    body, payload = body_bytes(stage), unpack(stage.files[AFTER]).payload
    stored = zlib.compress(body, 0)
    first, second = payload[0] - 0x10, payload[1] & 0xE0
    second += 31 - (first * 256 + second) % 31
    return {
        "compressed again": (payload, zlib.compress(body, 1)),
        "padding of the last block": padded(body),
        "padding of a stored block": (stored, stored[:2] + bytes([stored[2] | 0xF8]) + stored[3:]),
        "window size in the header": (payload, bytes([first, second]) + payload[2:]),
    }


def padded(body: bytes) -> tuple[bytes, bytes]:
    """A stream whose last bit before the checksum means nothing, and the same with this bit changed."""
    for level in range(1, 10):
        for memory in range(1, 10):
            stream = zlib.compressobj(level, zlib.DEFLATED, 15, memory)
            payload = stream.compress(body) + stream.flush()
            changed = payload[:-5] + bytes([payload[-5] ^ 0x80]) + payload[-4:]
            with contextlib.suppress(zlib.error):
                if zlib.decompress(changed) == body:
                    return payload, changed
    raise AssertionError("no stream of this body ends with a free bit")


@pytest.mark.parametrize("name", other_streams(small()))
def test_row_69_the_signature_covers_the_stream_as_it_travels(name: str) -> None:
    stage = small()
    payload, other = other_streams(stage)[name]
    assert zlib.decompress(other) == body_bytes(stage)
    assert payload != other
    signature = framed(stage, payload)[-SIGNATURE_SIZE:]
    expect_refusal(Cheat("69", "E_SIG", AFTER, small, lambda _: frame_file(other, signature)))
    again, entry = stage.logs[AFTER].check(framed(stage, other))
    assert entry.id == stage.logs[AFTER + 1].previous  # signed again it is the same file
    assert again.count == AFTER + 1


@pytest.mark.parametrize("cheat", BOOK.params())
def test_a_cheat_with_a_file_is_refused(cheat: Cheat) -> None:
    expect_refusal(cheat)
