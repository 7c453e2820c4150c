"""The one byte form of a value: a strict subset of MessagePack (docs/protocol.md, part 3).

A value is nil, a boolean, an integer, bytes, text, an array or a map with text keys. Every value has exactly
one form, so what was signed can be compared, hashed and encoded again. The decoder is written by hand because
libraries are lenient: it compares every announced length with the bytes that are left before it takes
anything, and refuses with E_ENC whatever `encode` would not have written. For speed a library reads first,
and its answer is taken where it provably is the same.

Arrays and maps may stand inside one another twelve deep; what they hold at the bottom does not count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgpack import packb, unpackb  # type: ignore[import-untyped]  # ships no types

from pbem.errors import Fault

Value: TypeAlias = "bool | int | bytes | str | list[Value] | dict[str, Value] | None"
Encodable: TypeAlias = "bool | int | bytes | str | Sequence[Encodable] | Mapping[str, Encodable] | None"

MAX_DEPTH = 12
PLAIN = frozenset((bytes, str, int, bool, type(None)))
TEXT_ONLY = frozenset((str,))
SURE_SIZE = 65_535  # bytes: no text among them is too long for its forms
SURE_COUNT = 1000  # members: the library makes room for all that are announced
LOWEST = -(2**63)
HIGHEST = 2**64 - 1

# First byte and width of the forms with a length or a number behind them, narrowest first.
UNSIGNED = ((0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8))
SIGNED = ((0xD0, 1), (0xD1, 2), (0xD2, 4), (0xD3, 8))
BINARY = ((0xC4, 1), (0xC5, 2), (0xC6, 4))
TEXT = ((0xD9, 1), (0xDA, 2))
ARRAY = ((0xDC, 2),)
MAP = ((0xDE, 2),)

# Forms that are written most often, made once.
ONE_BYTE = tuple(bytes((number,)) for number in range(0x80))
SHORT_BINARY = tuple(bytes((0xC4, size)) for size in range(0x100))

FORMS = {
    first: (kind, width)
    for kind, table in (("u", UNSIGNED), ("i", SIGNED), ("b", BINARY), ("t", TEXT), ("a", ARRAY), ("m", MAP))
    for first, width in table
}


def bad(message: str) -> Fault:
    """The refusal of bytes or of a value that have no place here."""
    return Fault("E_ENC", message)


def encode(value: Encodable) -> bytes:
    """The canonical bytes of a value; Fault E_ENC where it has none."""
    pieces: list[bytes] = []
    _write(value, pieces, 0)
    return b"".join(pieces)


def _write(value: Encodable, pieces: list[bytes], depth: int) -> None:
    """Appends the bytes of one value."""
    if isinstance(value, bytes):
        size = len(value)
        pieces.append(SHORT_BINARY[size] if size < 0x100 else _head(size, None, 0, BINARY))
        pieces.append(value)
    elif isinstance(value, str):
        pieces.append(_text(value))
    elif value is None:
        pieces.append(b"\xc0")
    elif isinstance(value, bool):
        pieces.append(b"\xc3" if value else b"\xc2")
    elif isinstance(value, int):
        pieces.append(ONE_BYTE[value] if 0 <= value < 0x80 else _integer(value))
    elif depth == MAX_DEPTH:
        raise bad(f"arrays and maps are nested more than {MAX_DEPTH} deep")
    elif isinstance(value, list | tuple):
        pieces.append(_head(len(value), 0x90, 15, ARRAY))
        for item in value:
            _write(item, pieces, depth + 1)
    elif isinstance(value, dict):
        pieces.append(_head(len(value), 0x80, 15, MAP))
        for key, item in _sorted_items(value):
            pieces.append(key)
            _write(item, pieces, depth + 1)
    else:
        raise bad(f"a value of type {type(value).__name__} cannot be written")


def _sorted_items(value: dict[str, Encodable]) -> list[tuple[bytes, Encodable]]:
    """The written keys with their values, in the order of the keys' UTF-8 bytes."""
    if not all(isinstance(key, str) for key in value):
        raise bad("a key of a map is not text")
    # Not sorted by the written form: that begins with the length.
    return [(_text(key), value[key]) for key in sorted(value, key=_utf8)]


def _integer(value: int) -> bytes:
    """An integer in its shortest form."""
    if 0 <= value < 0x80:
        return ONE_BYTE[value]
    if -0x20 <= value < 0:
        return bytes((value + 0x100,))
    if not LOWEST <= value <= HIGHEST:
        raise bad("an integer does not fit into 64 bits")
    signed = value < 0
    for first, width in SIGNED if signed else UNSIGNED:
        if (value if value >= 0 else -value - 1) < 1 << (8 * width - signed):
            return bytes((first,)) + value.to_bytes(width, "big", signed=signed)
    raise AssertionError("every 64-bit number has a form")


def _utf8(text: str) -> bytes:
    """The UTF-8 bytes of a text; lone surrogates have none."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise bad("a text has characters that cannot be written") from None


def _text(text: str) -> bytes:
    """A text with its header."""
    data = _utf8(text)
    return _head(len(data), 0xA0, 31, TEXT) + data


def _head(length: int, fix: int | None, limit: int, forms: tuple[tuple[int, int], ...]) -> bytes:
    """The shortest header for this length; `fix` is the first byte of the form for 0 to `limit`."""
    if fix is not None and length <= limit:
        return bytes((fix + length,))
    for first, width in forms:
        if length < 1 << (8 * width):
            return bytes((first,)) + length.to_bytes(width, "big")
    raise bad("a text, array or map is too long to be written")


def pack(value: Encodable) -> bytes:
    """What `encode` gives, quicker, for values that `decode` gave or that are made of nothing but its types.

    Maps must have their keys in order already; nothing is checked here.
    """
    packed: bytes = packb(value)
    return packed


def decode(data: bytes) -> Value:
    """The value of canonical bytes; Fault E_ENC for everything else."""
    # A library in C reads most values several times as fast. It is lenient, so what it says counts only if
    # writing the value again gives the same bytes and nothing in it is foreign; else our own reader decides.
    try:
        quick: Value = unpackb(data, max_array_len=SURE_COUNT, max_map_len=SURE_COUNT)
        if len(data) <= SURE_SIZE and _is_native(quick, 0) and packb(quick) == data:
            return quick
    except (ValueError, TypeError, OverflowError, RecursionError):
        pass
    return decode_slowly(data)


def _is_native(value: Any, depth: int) -> bool:
    """Whether a value of the library has only our types, is not too deep and has its keys in order."""
    kind = type(value)
    if kind in PLAIN:
        return True
    if depth == MAX_DEPTH or (kind is not list and kind is not dict):
        return False
    if kind is dict:
        keys = list(value)
        # Texts are in the order of their characters, which is that of their UTF-8 bytes.
        if not TEXT_ONLY.issuperset(map(type, keys)) or keys != sorted(keys):
            return False
        value = value.values()
    if PLAIN.issuperset(map(type, value)):
        return True
    return all(_is_native(item, depth + 1) for item in value)


def decode_slowly(data: bytes) -> Value:
    """The same as `decode`, by our own reader alone; the one that says what is wrong."""
    value, size = decode_first(data)
    if size != len(data):
        raise bad(f"there are bytes behind the value, from byte {size} on")
    return value


def decode_first(data: bytes) -> tuple[Value, int]:
    """The value at the beginning of the bytes, and how many bytes it takes; Fault E_ENC."""
    reader = _Reader(data)
    value = reader.value(0)
    return value, reader.place


class _Reader:
    """A place in the bytes; every step checks what is left before it takes anything."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.place = 0

    def take(self, count: int) -> bytes:
        """The next bytes."""
        end = self.place + count
        if end > len(self.data):
            raise bad(f"the bytes end too early, at byte {len(self.data)}")
        piece = self.data[self.place : end]
        self.place = end
        return piece

    def head(self) -> tuple[str, int]:
        """Kind and number or length of what comes next; the shortest form or none."""
        first = self.take(1)[0]
        if first < 0x80:
            return "u", first
        if first < 0x90:
            return "m", first - 0x80
        if first < 0xA0:
            return "a", first - 0x90
        if first < 0xC0:
            return "t", first - 0xA0
        if first >= 0xE0:
            return "i", first - 0x100
        if first in (0xC0, 0xC2, 0xC3):
            return "c", first
        if first not in FORMS:
            raise bad(f"byte {self.place - 1} begins a form that is not used here, {first:02x}")
        kind, width = FORMS[first]
        number = int.from_bytes(self.take(width), "big", signed=kind == "i")
        if number < SHORTEST[first] if kind != "i" else number >= SHORTEST[first]:
            raise bad(f"a number or length before byte {self.place} is not in its shortest form")
        return kind, number

    def value(self, depth: int) -> Value:
        """The next value."""
        kind, number = self.head()
        if kind in "ui":
            return number
        if kind == "b":
            return self.take(number)
        if kind == "t":
            return self.text(number)
        if kind == "c":
            return None if number == 0xC0 else number == 0xC3
        if depth == MAX_DEPTH:
            raise bad(f"arrays and maps are nested more than {MAX_DEPTH} deep")
        return self.array(number, depth + 1) if kind == "a" else self.map(number, depth + 1)

    def text(self, length: int) -> str:
        """The next text of this many bytes."""
        try:
            return self.take(length).decode("utf-8")
        except UnicodeDecodeError:
            raise bad(f"the text before byte {self.place} is not UTF-8") from None

    def room(self, count: int) -> None:
        """Refuses an announcement of more members than there are bytes left: each takes at least one."""
        if count > len(self.data) - self.place:
            raise bad(f"more is announced at byte {self.place} than there are bytes")

    def array(self, count: int, depth: int) -> list[Value]:
        """The members of an array."""
        self.room(count)
        return [self.value(depth) for _ in range(count)]

    def map(self, count: int, depth: int) -> dict[str, Value]:
        """The members of a map, whose keys must ascend."""
        self.room(2 * count)
        result: dict[str, Value] = {}
        last: bytes | None = None
        for _ in range(count):
            kind, length = self.head()
            if kind != "t":
                raise bad(f"a key before byte {self.place} is not text")
            start = self.place
            key = self.text(length)
            written = self.data[start : self.place]
            if last is not None and written <= last:
                raise bad(f"the keys of a map do not ascend, before byte {self.place}")
            last = written
            result[key] = self.value(depth)
        return result


# The smallest number or length each form is for; for the signed ones, the smallest that is too large.
SHORTEST = {
    0xCC: 0x80, 0xCD: 0x100, 0xCE: 0x1_0000, 0xCF: 0x1_0000_0000,
    0xD0: -0x20, 0xD1: -0x80, 0xD2: -0x8000, 0xD3: -0x8000_0000,
    0xC4: 0, 0xC5: 0x100, 0xC6: 0x1_0000,
    0xD9: 0x20, 0xDA: 0x100, 0xDC: 0x10, 0xDE: 0x10,
}  # fmt: skip
