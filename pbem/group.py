"""The group of the card protocol, secp256k1: a strict layer around coincurve, called through curve.py.

What the library does not do for us and this module does (docs/protocol.md, parts 2 and 15):

- it takes points of 33 bytes with prefix 02 or 03 only; the library would read the 65-byte forms too;
- it reduces scalars and knows zero; it never sums an empty list, which would abort the process;
- the identity has no bytes and no `Point`: where a sum is the identity, `None` comes back;
- it keeps the library's form beside the bytes of every point, and makes one call per sum.

Fixed points are made when first used, not at import.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from pbem import curve
from pbem.errors import Fault
from pbem.hashing import ORDER, h32, u32

__all__ = [
    "CIPHERTEXT_SIZE",
    "ORDER",
    "POINT_SIZE",
    "SCALAR_SIZE",
    "Ciphertext",
    "G",
    "Point",
    "base",
    "believe_points",
    "card_point",
    "generator",
    "join_cards",
    "join_points",
    "multiply",
    "negate",
    "pair_points",
    "parse_ciphertexts",
    "parse_point",
    "parse_points",
    "parse_scalar",
    "scalar_bytes",
    "subtract",
    "sum_of_products",
    "total",
]

POINT_SIZE = 33
SCALAR_SIZE = 32
CIPHERTEXT_SIZE = 66
GENERATORS = 161
FEW = 3  # sums of so many points are not searched for equal ones

_CALLS = curve.calls()
_product = _CALLS.product
_create = _CALLS.create
_combine = _CALLS.combine


class Point:
    """A point other than the identity; equal points have equal `data`, 33 bytes."""

    __slots__ = ("_data", "key")

    key: Any  # the library's own form; never written to after the point is made

    def __init__(self, key: Any, data: bytes = b"") -> None:
        self.key = key
        self._data = data

    @property
    def data(self) -> bytes:
        """The 33 bytes of the point, written when first wanted."""
        return self._data or self._format()

    def __getattr__(self, name: str) -> Any:
        """The library's form of a point that was only believed so far; nobody else comes here."""
        if name != "key":
            raise AttributeError(name)
        self.key = parse_point(self._data).key
        return self.key

    def _format(self) -> bytes:
        self._data = _CALLS.serialize(self.key)
        return self._data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self.data == other.data

    def __hash__(self) -> int:
        return hash(self.data)

    def __repr__(self) -> str:
        return f'parse_point(bytes.fromhex("{self.data.hex()}"))'


class Ciphertext(NamedTuple):
    """An encrypted card: C = r·G and D = M + r·K."""

    C: Point
    D: Point

    @property
    def data(self) -> bytes:
        """Its 66 bytes."""
        return self.C.data + self.D.data


def parse_point(data: bytes) -> Point:
    """The point of 33 bytes; Fault E_LEN for another size, E_POINT if it is not on the curve."""
    if len(data) != POINT_SIZE:
        raise Fault("E_LEN", f"a point has {POINT_SIZE} bytes, not {len(data)}")
    data = bytes(data)  # the library takes other types unchecked
    key = _CALLS.parse(data) if data[0] in (2, 3) else None
    if key is None:
        raise Fault("E_POINT", f"these bytes are not a point of the curve: {data.hex()}")
    return Point(key, data)


def parse_points(data: bytes, count: int) -> list[Point]:
    """So many points, one after another; Fault E_LEN or E_POINT."""
    if len(data) != POINT_SIZE * count:
        raise Fault("E_LEN", f"{count} points have {POINT_SIZE * count} bytes, not {len(data)}")
    return [parse_point(data[place : place + POINT_SIZE]) for place in range(0, len(data), POINT_SIZE)]


def parse_ciphertexts(data: bytes, count: int) -> list[Ciphertext]:
    """So many ciphertexts, one after another; Fault E_LEN or E_POINT."""
    if len(data) != CIPHERTEXT_SIZE * count:
        raise Fault("E_LEN", f"{count} cards have {CIPHERTEXT_SIZE * count} bytes, not {len(data)}")
    return pair_points(parse_points(data, 2 * count))


def pair_points(points: list[Point]) -> list[Ciphertext]:
    """Points as the ciphertexts that they are, two by two."""
    return [Ciphertext(*pair) for pair in zip(points[::2], points[1::2], strict=True)]


def believe_points(data: bytes, count: int) -> list[Point]:
    """The same for bytes that `parse_points` has read before: a point is decoded when it is first used."""
    if len(data) != POINT_SIZE * count:
        raise Fault("E_LEN", f"{count} points have {POINT_SIZE * count} bytes, not {len(data)}")
    points = []
    for place in range(0, len(data), POINT_SIZE):
        point = Point.__new__(Point)
        point._data = data[place : place + POINT_SIZE]
        points.append(point)
    return points


def join_points(points: Iterable[Point | Ciphertext]) -> bytes:
    """The bytes of points or ciphertexts, one after another."""
    return b"".join([point.data for point in points])


def join_cards(cards: Iterable[Ciphertext]) -> bytes:
    """The bytes of ciphertexts, one after another."""
    return b"".join([point.data for card in cards for point in card])


def parse_scalar(data: bytes, *, challenge: bool = False) -> int:
    """The number of 32 bytes, below the order and, for a challenge, not 0; Fault E_LEN or E_SCALAR."""
    if len(data) != SCALAR_SIZE:
        raise Fault("E_LEN", f"a scalar has {SCALAR_SIZE} bytes, not {len(data)}")
    number = int.from_bytes(data, "big")
    if number >= ORDER:
        raise Fault("E_SCALAR", "a scalar is not below the order of the group")
    if challenge and not number:
        raise Fault("E_SCALAR", "a challenge is zero")
    return number


def scalar_bytes(number: int) -> bytes:
    """The 32 bytes of a number, reduced to below the order."""
    return (number % ORDER).to_bytes(SCALAR_SIZE, "big")


def multiply(number: int, point: Point) -> Point:
    """number·point; the number must not be a multiple of the order, for then there is no point."""
    number %= ORDER
    if not number:
        raise ValueError("zero times a point is not a point")
    return Point(_times(number, point))


def _times(number: int, point: Point) -> Any:
    """The library's form of a product with a number from 1 to ORDER - 1."""
    return _create(number) if point is G else _product(number, point.key)


def base(number: int) -> Point:
    """number·G; the number must not be a multiple of the order."""
    return multiply(number, G)


def _sum(keys: list[Any]) -> Any | None:
    """The library's form of a sum, or None for the identity."""
    if len(keys) > 1:
        return _combine(keys)
    return keys[0] if keys else None


def total(points: Iterable[Point | None]) -> Point | None:
    """The sum of points, with None for the identity on both ends."""
    key = _sum([point.key for point in points if point is not None])
    return None if key is None else Point(key)


def negate(point: Point) -> Point:
    """The opposite point."""
    return Point(_CALLS.negate(point.key))


def subtract(first: Point, second: Point) -> Point | None:
    """first - second, or None for the identity."""
    return total((first, negate(second)))


def sum_of_products(numbers: Sequence[int], points: Sequence[Point | None]) -> Point | None:
    """The sum of number·point over both lists, taken pairwise; None is the identity, here as in the lists."""
    if len(points) > FEW:
        numbers, points = _merged(numbers, points)
    keys = [
        _create(factor) if point is G else _product(factor, point.key)
        for number, point in zip(numbers, points, strict=True)
        if point is not None and (factor := number % ORDER)
    ]
    key = _sum(keys)
    return None if key is None else Point(key)


def _merged(
    numbers: Sequence[int], points: Sequence[Point | None]
) -> tuple[Sequence[int], Sequence[Point | None]]:
    """The same sum with every point only once: the G of open cards stands in it many times."""
    if len(set(map(id, points))) == len(points):
        return numbers, points
    factors: dict[int, int] = {}
    for number, point in zip(numbers, points, strict=True):
        factors[id(point)] = factors.get(id(point), 0) + number
    return list(factors.values()), list({id(point): point for point in points}.values())


G = parse_point(bytes.fromhex("0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"))


def _hash_to_point(tag: str, *parts: bytes) -> Point:
    """HP(tag; parts): a point whose logarithm nobody knows, by trying counters; all inputs are public."""
    for counter in range(1000):
        try:
            return parse_point(b"\x02" + h32(tag, *parts, u32(counter)))
        except Fault:
            continue
    raise AssertionError("a thousand tries without a point happen once in 2^1000")


@cache
def generator(index: int) -> Point:
    """H_index, index from 0 to 160."""
    if not 0 <= index < GENERATORS:
        raise ValueError("there are 161 generators")
    return _hash_to_point("gen", u32(index))


@cache
def generator_sum(count: int) -> Point:
    """-(H_1 + ... + H_count), which every shuffle of so many cards needs."""
    result = total([generator(index) for index in range(1, count + 1)])
    assert result is not None
    return negate(result)


@cache
def card_point(deck: str, number: int) -> Point:
    """M(deck, number): the point of one card."""
    return _hash_to_point("card", deck.encode("ascii"), u32(number))
