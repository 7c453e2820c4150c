"""Secret scalars for proofs that cannot repeat, even with a broken random source (docs/protocol.md, part 5).

A nonce used for two statements gives the key away. So every nonce follows from a fresh random string, the
game secret and everything that is proved: a constant "random" string or a restored backup can at worst repeat
a whole proof, letter by letter, which tells nobody anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pbem.hashing import h32, hash_scalar, u32

RANDOM_SIZE = 32


class Nonces:
    """A source of nonces for one side of one game: its sigma, and a function that gives random bytes."""

    def __init__(self, sigma: bytes, random: Callable[[int], bytes]) -> None:
        self._sigma = sigma
        self._random = random

    def __repr__(self) -> str:
        return "Nonces(...)"

    def stream(self, purpose: str, ctx: bytes, *statement: bytes) -> Iterator[int]:
        """An endless row of scalars from 1 to ORDER - 1 for one proof about one statement."""
        seed = self.seed(purpose, ctx, *statement)
        return _scalars(seed)

    def seed(self, purpose: str, ctx: bytes, *statement: bytes) -> bytes:
        """32 secret bytes for one purpose; each call takes fresh random bytes."""
        return h32("nonce/seed", self._sigma, self._random(RANDOM_SIZE), purpose.encode(), ctx, *statement)


def _scalars(seed: bytes) -> Iterator[int]:
    """HS("nonce"; seed, 1), HS("nonce"; seed, 2), ...; a zero is passed over."""
    counter = 0
    while True:
        counter += 1
        scalar = hash_scalar("nonce", seed, u32(counter))
        if scalar:
            yield scalar
