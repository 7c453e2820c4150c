"""Sealed answers: a sheet of 1024 boxes under one hash (docs/protocol.md, part 9).

All boxes are always filled and salted, so the root says nothing about what is held. Opening a box shows its
answer, its salt and ten siblings; the other boxes stay closed for ever.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import shake_256
from typing import TYPE_CHECKING, NamedTuple

from pbem.canon import decode
from pbem.errors import Fault
from pbem.hashing import frame, h32, u8, u32

if TYPE_CHECKING:
    from pbem.gamekeys import GameSecret

BOXES = 1024
HEIGHT = 10
PATH_SIZE = 32 * HEIGHT
NOTHING = b"\xc0"  # nil: no answer


class Opening(NamedTuple):
    """What opens one box."""

    answer: bytes
    salt: bytes
    path: bytes


class Sheet:
    """A sealed sheet: its root, and what opens each box."""

    def __init__(self, levels: list[list[bytes]], salts: list[bytes], answers: Mapping[int, bytes]) -> None:
        self.root = levels[-1][0]
        self._levels = levels
        self._salts = salts
        self._answers = dict(answers)

    def open(self, box: int) -> Opening:
        """The answer in a box, its salt, and the path to the root."""
        if not 0 <= box < BOXES:
            raise ValueError("a sheet has boxes 0 to 1023")
        path = b"".join([level[(box >> height) ^ 1] for height, level in enumerate(self._levels[:-1])])
        return Opening(self._answers.get(box, NOTHING), self._salts[box], path)


def build_sheet(
    secret: GameSecret, game: bytes, number: int, side: int, answers: Mapping[int, bytes]
) -> Sheet:
    """The sheet in file `number` of a side, with these canonical answers by box; the other boxes say no."""
    if any(not 0 <= box < BOXES for box in answers):
        raise ValueError("a sheet has boxes 0 to 1023")
    salts = _salts(secret.sigma, game, number)
    levels = [_leaves(game, number, side, salts, answers)]
    first, second = frame(32, "node", 32, 32)
    while len(level := levels[-1]) > 1:
        pairs = zip(level[::2], level[1::2], strict=True)
        levels.append([shake_256(first + left + second + right).digest(32) for left, right in pairs])
    return Sheet(levels, salts, answers)


def _salts(sigma: bytes, game: bytes, number: int) -> list[bytes]:
    """The salts of all boxes, as GameSecret.box_salt gives them."""
    frames = frame(32, "salt", 32, 32, 4, 4)
    start = shake_256(frames[0] + sigma + frames[1] + game + frames[2] + u32(number) + frames[3])
    salts = []
    for box in range(BOXES):
        state = start.copy()  # the first block is hashed once
        state.update(box.to_bytes(4, "little"))
        salts.append(state.digest(32))
    return salts


def _leaves(
    game: bytes, number: int, side: int, salts: list[bytes], answers: Mapping[int, bytes]
) -> list[bytes]:
    """The hashes of all boxes."""
    frames = frame(32, "box", 32, 4, 1, 4, 32, 1)
    head = frames[0] + game + frames[1] + u32(number) + frames[2] + u8(side) + frames[3]
    middle, tail = frames[4], frames[5] + NOTHING
    leaves = [
        shake_256(head + box.to_bytes(4, "little") + middle + salt + tail).digest(32)
        for box, salt in enumerate(salts)
    ]
    for box, answer in answers.items():
        leaves[box] = _leaf(game, number, side, box, answer, salts[box])
    return leaves


def _leaf(game: bytes, number: int, side: int, box: int, answer: bytes, salt: bytes) -> bytes:
    """The hash of one box."""
    return h32("box", game, u32(number), u8(side), u32(box), salt, answer)


def check_opening(
    root: bytes, game: bytes, number: int, side: int, box: int, answer: bytes, salt: bytes, path: bytes
) -> None:
    """Raises unless this opens the box of the sheet with this root: Fault E_SHEET, E_LEN or E_ENC."""
    if not 0 <= box < BOXES:
        raise Fault("E_SHEET", f"a sheet has boxes 0 to {BOXES - 1}, not {box}")
    if len(path) != PATH_SIZE or len(salt) != 32:
        raise Fault("E_LEN", f"a box is opened with a salt of 32 bytes and a path of {PATH_SIZE}")
    decode(answer)
    node = _leaf(game, number, side, box, answer, salt)
    for height in range(HEIGHT):
        sibling = path[32 * height : 32 * height + 32]
        node = h32("node", sibling, node) if box >> height & 1 else h32("node", node, sibling)
    if node != root:
        raise Fault("E_SHEET", f"box {box} does not hold the answer that was sealed in file {number}")
