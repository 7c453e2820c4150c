"""A second opinion on the curve: secp256k1 in plain integers, slow, sharing no code with pbem/group.py.

A point is a pair (x, y) of integers, the identity is None. Nothing here is fast or safe against timing.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import shake_256

P = 2**256 - 2**32 - 977
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
Plain = tuple[int, int] | None

BASE: Plain = (
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798,
    0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8,
)


def add(first: Plain, second: Plain) -> Plain:
    """The sum of two points by the textbook."""
    if first is None:
        return second
    if second is None:
        return first
    (x1, y1), (x2, y2) = first, second
    if x1 == x2 and (y1 + y2) % P == 0:
        return None
    if first == second:
        slope = 3 * x1 * x1 * pow(2 * y1, -1, P) % P
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, P) % P
    x = (slope * slope - x1 - x2) % P
    return x, (slope * (x1 - x) - y1) % P


def negate(point: Plain) -> Plain:
    """The opposite point."""
    return None if point is None else (point[0], -point[1] % P)


def _double(x: int, y: int, z: int) -> tuple[int, int, int]:
    """Twice a point in Jacobian coordinates, (x / z^2, y / z^3); z = 0 is the identity."""
    square = y * y % P
    s = 4 * x * square % P
    m = 3 * x * x % P
    nx = (m * m - 2 * s) % P
    return nx, (m * (s - nx) - 8 * square * square) % P, 2 * y * z % P


def _join(first: tuple[int, int, int], second: tuple[int, int]) -> tuple[int, int, int]:
    """The sum of a point in Jacobian coordinates and a plain one."""
    (x1, y1, z1), (x2, y2) = first, second
    if not z1:
        return x2, y2, 1
    zz = z1 * z1 % P
    h = (x2 * zz - x1) % P
    r = (y2 * zz * z1 - y1) % P
    if not h:
        return _double(x1, y1, z1) if not r else (1, 1, 0)
    hh = h * h % P
    v = x1 * hh % P
    nx = (r * r - h * hh - 2 * v) % P
    return nx, (r * (v - nx) - y1 * h * hh) % P, z1 * h % P


def multiply(number: int, point: Plain) -> Plain:
    """number·point by doubling and adding, from the highest bit down."""
    if point is None:
        return None
    result = (1, 1, 0)
    for bit in f"{number % ORDER:b}":
        result = _double(*result)
        if bit == "1":
            result = _join(result, point)
    if not result[2]:
        return None
    inverse = pow(result[2], -1, P)
    return result[0] * inverse**2 % P, result[1] * inverse**3 % P


def total(points: Iterable[Plain]) -> Plain:
    """The sum of points."""
    result: Plain = None
    for point in points:
        result = add(result, point)
    return result


def write(point: Plain) -> bytes:
    """The 33 bytes of a point; the identity has none."""
    assert point is not None
    return bytes([2 + point[1] % 2]) + point[0].to_bytes(32, "big")


def read(data: bytes) -> Plain:
    """The point of 33 bytes, or ValueError."""
    x = int.from_bytes(data[1:], "big")
    if len(data) != 33 or data[0] not in (2, 3) or x >= P:
        raise ValueError("not a point")
    square = (x**3 + 7) % P
    y = pow(square, (P + 1) // 4, P)
    if y * y % P != square:
        raise ValueError("not on the curve")
    return x, y if y % 2 == data[0] % 2 else P - y


def frame_hash(size: int, tag: str, *parts: bytes) -> bytes:
    """The framed hash of the protocol, written once more."""
    name = b"m44pbem/1/" + tag.encode()
    data = size.to_bytes(8, "little") + len(parts).to_bytes(8, "little")
    for piece in (name, *parts):
        data += len(piece).to_bytes(8, "little") + piece
    return shake_256(data).digest(size)


def scalar(tag: str, *parts: bytes) -> int:
    """A hash as a number below the order."""
    return int.from_bytes(frame_hash(64, tag, *parts), "big") % ORDER


def hashed_point(tag: str, *parts: bytes) -> Plain:
    """The first point among the hashes with counters 0, 1, 2, ..."""
    counter = 0
    while True:
        try:
            return read(b"\2" + frame_hash(32, tag, *parts, counter.to_bytes(4, "little")))
        except ValueError:
            counter += 1
