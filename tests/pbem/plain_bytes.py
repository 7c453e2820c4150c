"""A second opinion on bytes: container, canonical values and terms, from docs/protocol.md, parts 2 to 6.

Shares nothing with pbem/. Values are read leniently and written again: bytes are canonical if that gives the
same bytes. Streams are inflated byte by byte.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from tests.plain_group import frame_hash

LIMIT = 262_144
DEEPEST = 12
EDWARDS = 2**255 - 19
EDWARDS_ORDER = 2**252 + 27742317777372353535851937790883648493
EIGHTH = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
WEAK = (0, 1, EDWARDS - 1, EIGHTH, EDWARDS - EIGHTH)


class Refusal(Exception):
    """A file is refused; `code` is one of the table in part 11."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def need(met: object, code: str) -> None:
    """Refuse with this code unless something is met."""
    if not met:
        raise Refusal(code)


def h(tag: str, *parts: bytes) -> bytes:
    """H32."""
    return frame_hash(32, tag, *parts)


# Part 3: canonical bytes


def written(value: Any, depth: int = 0) -> bytes:
    """The canonical form of a value."""
    if value is None or isinstance(value, bool):
        return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
    if isinstance(value, int):
        return _number(value)
    if isinstance(value, bytes):
        return _sized(len(value), None, 0, {1: 0xC4, 2: 0xC5, 4: 0xC6}) + value
    if isinstance(value, str):
        data = value.encode()
        return _sized(len(data), 0xA0, 31, {1: 0xD9, 2: 0xDA}) + data
    need(depth < DEEPEST, "E_ENC")
    if isinstance(value, dict):
        rows = sorted((key.encode(), key) for key in value)
        body = b"".join(written(key) + written(value[key], depth + 1) for _, key in rows)
        return _sized(len(value), 0x80, 15, {2: 0xDE}) + body
    return _sized(len(value), 0x90, 15, {2: 0xDC}) + b"".join(written(item, depth + 1) for item in value)


def _number(value: int) -> bytes:
    if -32 <= value < 128:
        return value.to_bytes(1, "big", signed=value < 0)
    for place in range(4):
        width = 1 << place
        low, high = (-(1 << (8 * width - 1)), 0) if value < 0 else (0, 1 << (8 * width))
        if low <= value < high:
            first = (0xD0 if value < 0 else 0xCC) + place
            return bytes([first]) + value.to_bytes(width, "big", signed=value < 0)
    raise Refusal("E_ENC")


def _sized(length: int, short: int | None, most: int, forms: dict[int, int]) -> bytes:
    if short is not None and length <= most:
        return bytes([short + length])
    for width, first in forms.items():
        if length < 1 << (8 * width):
            return bytes([first]) + length.to_bytes(width, "big")
    raise Refusal("E_ENC")


def value_of(data: bytes) -> Any:
    """The value of canonical bytes."""
    value, end = _read(data, 0, 0)
    need(end == len(data) and written(value) == data, "E_ENC")
    return value


def _bytes(data: bytes, at: int, count: int) -> bytes:
    need(at + count <= len(data), "E_ENC")
    return data[at : at + count]


def _read(data: bytes, at: int, depth: int) -> tuple[Any, int]:
    first = _bytes(data, at, 1)[0]
    at += 1
    if first in (0xC0, 0xC2, 0xC3):
        return {0xC0: None, 0xC2: False, 0xC3: True}[first], at
    if first < 0x80:
        return first, at
    if first >= 0xE0:
        return first - 256, at
    if first < 0xC0:
        kind = "map" if first < 0x90 else "array" if first < 0xA0 else "text"
        count = first & (31 if kind == "text" else 15)
    else:
        forms = {0xC4: ("bytes", 1), 0xC5: ("bytes", 2), 0xC6: ("bytes", 4), 0xD9: ("text", 1),
                 0xDA: ("text", 2), 0xDC: ("array", 2), 0xDE: ("map", 2)}  # fmt: skip
        forms |= {0xCC + i: ("int", 1 << i) for i in range(4)} | {
            0xD0 + i: ("-int", 1 << i) for i in range(4)
        }
        need(first in forms, "E_ENC")
        kind, width = forms[first]
        count = int.from_bytes(_bytes(data, at, width), "big", signed=kind == "-int")
        at += width
    if kind in ("int", "-int"):
        return count, at
    if kind in ("bytes", "text"):
        piece = _bytes(data, at, count)
        try:
            return (piece.decode() if kind == "text" else piece), at + count
        except UnicodeDecodeError:
            raise Refusal("E_ENC") from None
    return _read_many(data, at, depth, kind, count)


def _read_many(data: bytes, at: int, depth: int, kind: str, count: int) -> tuple[Any, int]:
    need(depth < DEEPEST and count <= len(data) - at, "E_ENC")
    items = []
    for _ in range(count * (2 if kind == "map" else 1)):
        item, at = _read(data, at, depth + 1)
        items.append(item)
    if kind == "array":
        return items, at
    need(all(isinstance(key, str) for key in items[::2]), "E_ENC")
    return dict(zip(items[::2], items[1::2], strict=True)), at


# Part 4: the container


def opened(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Body, signature and signed message of a file."""
    need(len(data) <= LIMIT + 73, "E_SIZE")
    need(len(data) >= 73 and data[:4] == b"M44F", "E_MAGIC")
    need(data[4] == 1, "E_VERSION")
    need(int.from_bytes(data[5:9], "little") == len(data) - 73, "E_SIZE")
    payload = data[9:-64]
    body = inflated(payload)
    return body, data[-64:], b"m44pbem/1/sig\0" + h("sig", b"M44F\1" + payload)


def inflated(payload: bytes) -> bytes:
    """The body in a stream that ends with the payload."""
    stream = zlib.decompressobj()
    body = bytearray()
    for place in range(len(payload)):
        need(not stream.eof, "E_ENC")
        piece = payload[place : place + 1]
        while piece:
            try:
                body += stream.decompress(piece, LIMIT + 1 - len(body))
            except zlib.error:
                raise Refusal("E_ENC") from None
            need(len(body) <= LIMIT, "E_SIZE")
            piece = stream.unconsumed_tail
    need(stream.eof and not stream.unused_data, "E_ENC")
    return bytes(body)


def check_signature(pk: bytes, signature: bytes, message: bytes) -> None:
    """Ed25519, strictly."""
    for point in (pk, signature[:32]):
        y = int.from_bytes(point, "little") % 2**255
        need(len(point) == 32 and y < EDWARDS and y not in WEAK, "E_SIG")
    need(int.from_bytes(signature[32:], "little") < EDWARDS_ORDER, "E_SIG")
    try:
        Ed25519PublicKey.from_public_bytes(pk).verify(signature, message)
    except (InvalidSignature, ValueError):
        raise Refusal("E_SIG") from None


HEADER = {"a": int, "d": bytes, "e": bytes, "g": bytes, "h": bytes, "k": bytes, "n": int, "o": list,
          "p": bytes, "s": bytes, "v": int}  # fmt: skip


def header_of(body: bytes) -> dict[str, Any]:
    """The map of a body."""
    value = value_of(body)
    need(isinstance(value, dict) and set(value) == set(HEADER), "E_FIELD")
    need(all(type(value[key]) is kind for key, kind in HEADER.items()), "E_FIELD")
    need(all(len(item) == 32 for item in value.values() if isinstance(item, bytes)), "E_FIELD")
    need(0 <= value["n"] < 2**32 and 0 <= value["a"] <= 7, "E_FIELD")
    need(all(isinstance(op, list) and op and isinstance(op[0], str) for op in value["o"]), "E_FIELD")
    need(value["v"] == 1, "E_VERSION")
    return dict(value)


# Part 6: terms

TERMS = {"decks": list, "dice": str, "extra": dict, "first": int, "mix": bool, "pk": list, "proto": int,
         "retreat": str, "rules": str, "scenario": bytes, "seats": list, "sheet": bool,
         "table": list}  # fmt: skip
RETREATS = {"sealed": ("live", "sheet", "strict"), "instant": ("stand",)}


def check_terms(terms: Any) -> None:
    """Refuse what is not as part 6 says."""
    need(isinstance(terms, dict) and set(terms) == set(TERMS), "E_TERMS")
    need(all(type(terms[key]) is kind for key, kind in TERMS.items()), "E_TERMS")
    need(terms["proto"] == 1 and len(terms["scenario"]) == 32, "E_TERMS")
    need(1 <= len(terms["decks"]) <= 4 and 2 <= len(terms["seats"]) <= 8, "E_TERMS")
    need(all(_fits(pair, (str, int)) for pair in terms["decks"]), "E_TERMS")
    sizes = dict(terms["decks"])
    need(len(sizes) == len(terms["decks"]), "E_TERMS")
    for name, size in sizes.items():
        need(name.isascii() and name.isalnum() and len(name) <= 16 and 1 <= size <= 160, "E_TERMS")
    need(all(_fits(seat, (int, bool, list)) and seat[0] in (0, 1) for seat in terms["seats"]), "E_TERMS")
    need(all(terms["seats"][side][:2] == [side, True] for side in (0, 1)), "E_TERMS")
    dealt = dict.fromkeys(sizes, 0)
    for deal in [*(seat[2] for seat in terms["seats"]), terms["table"]]:
        for pair in deal:
            need(_fits(pair, (str, int)) and pair[0] in sizes and 1 <= pair[1] <= sizes[pair[0]], "E_TERMS")
            dealt[pair[0]] += pair[1]
    need(all(dealt[name] <= sizes[name] for name in sizes), "E_TERMS")
    need(0 <= terms["first"] < len(terms["seats"]) == len(terms["pk"]), "E_TERMS")
    need(terms["retreat"] in RETREATS.get(terms["dice"], ()), "E_TERMS")
    need(terms["retreat"] != "sheet" or terms["sheet"], "E_TERMS")
    for seat, pk in zip(terms["seats"], terms["pk"], strict=True):
        need((isinstance(pk, bytes) and len(pk) == 32) or (pk is None and seat[0] == 1), "E_TERMS")


def _fits(row: Any, kinds: Sequence[type]) -> bool:
    return isinstance(row, list) and [type(item) for item in row] == list(kinds)
