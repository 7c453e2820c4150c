"""Dice from two chains of committed seeds (docs/protocol.md, part 8.4).

Each side has fixed all its seeds before the first move. Two neighbouring seeds of opposite sides, hashed with
the log so far, make a root, and the root makes all dice of one run. Whoever writes the file that completes a
root can change nothing that goes into it; whoever wrote the file before could not know its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.errors import Fault
from pbem.hashing import h32, shake, u32

if TYPE_CHECKING:
    from pbem.group import Point

CHAIN_LENGTH = 1024


def link(key: Point, index: int, seed: bytes) -> bytes:
    """The seed before this one in the chain that belongs to a public game key."""
    return h32("link", key.data, u32(index), seed)


def verify_link(key: Point, index: int, seed: bytes, previous: bytes) -> None:
    """Raises Fault E_SEED unless `seed` is link `index` of the chain whose link before it is `previous`."""
    if not 1 <= index <= CHAIN_LENGTH:
        raise Fault("E_SEED", f"a chain has {CHAIN_LENGTH} seeds and this would be number {index}")
    if link(key, index, seed) != previous:
        raise Fault("E_SEED", f"the dice seed is not number {index} of the chain committed at the start")


def dice_root(game: bytes, file: int, previous_id: bytes, other_seed: bytes, seed: bytes) -> bytes:
    """The root completed by file `file` with `seed`; `other_seed` is the latest of the other side."""
    return h32("dice", game, u32(file), previous_id, other_seed, seed)


def die(root: bytes, roll: int, index: int, faces: int) -> int:
    """The value, 0 to faces - 1, of one die of one roll; both count from 0."""
    return int.from_bytes(shake(16, "die", root, u32(roll), u32(index)), "little") % faces


def roll_dice(root: bytes, roll: int, count: int, faces: int = 6) -> tuple[int, ...]:
    """The values of all dice of one roll."""
    return tuple(die(root, roll, index, faces) for index in range(count))
