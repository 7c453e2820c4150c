"""The secrets of one side in one game: all of them follow from 32 bytes, sigma (docs/protocol.md, part 5).

Sigma itself follows from the person's master secret and a public salt in the game's first files, so the
identity and the files restore everything. Team mates receive sigma in sealed boxes of 80 bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from hashlib import shake_256

from pbem.dice import CHAIN_LENGTH
from pbem.errors import Refused
from pbem.group import Point, base
from pbem.hashing import frame, h32, hash_scalar, u32

SECRET_SIZE = 32
BOX_SIZE = 80


class GameSecret:
    """What a side keeps secret in one game, from its sigma of 32 bytes."""

    def __init__(self, sigma: bytes) -> None:
        if len(sigma) != SECRET_SIZE:
            raise ValueError("a game secret has 32 bytes")
        self.sigma = sigma
        self.key = hash_scalar("key", sigma)
        if not self.key:
            raise ValueError("this salt gives no key; take another")

    def __repr__(self) -> str:
        return "GameSecret(...)"  # never in a log

    @cached_property
    def public(self) -> Point:
        """The side's public game key, X."""
        return base(self.key)

    @cached_property
    def _chain(self) -> list[bytes]:
        """All seeds, c_0 to c_1024."""
        head, tie, tail = frame(32, "link", 33, 4, 32)
        head += self.public.data + tie
        seed = h32("chain", self.sigma)
        seeds = [seed]
        for index in range(CHAIN_LENGTH, 0, -1):
            seed = shake_256(head + index.to_bytes(4, "little") + tail + seed).digest(32)
            seeds.append(seed)
        seeds.reverse()
        return seeds

    def seed(self, index: int) -> bytes:
        """The seed c_index, 0 to 1024; c_0 is the anchor."""
        if not 0 <= index <= CHAIN_LENGTH:
            raise Refused(
                "the seeds of this game are used up", hint="offer a new game that goes on from here"
            )
        return self._chain[index]

    @property
    def anchor(self) -> bytes:
        """The committed end of the chain, c_0."""
        return self.seed(0)

    def box_salt(self, game: bytes, number: int, box: int) -> bytes:
        """The salt of a box on the sheet in file `number`."""
        return h32("salt", self.sigma, game, u32(number), u32(box))


def game_secret(master: bytes, salt: bytes, pk: bytes) -> GameSecret:
    """The secret of the game with this salt, of the person with this master secret and identity key."""
    return GameSecret(h32("secret", master, salt, pk))


def seal_secret(sigma: bytes, bk: bytes, random: Callable[[int], bytes]) -> bytes:
    """Sigma in a box of 80 bytes that only the owner of the encryption key `bk` can open."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    # Hedged like every nonce: with a broken random source equal keys meet equal contents only.
    once = X25519PrivateKey.from_private_bytes(h32("seal/once", sigma, random(32), bk))
    sender = once.public_key().public_bytes_raw()
    try:
        shared = once.exchange(X25519PublicKey.from_public_bytes(bk))
    except ValueError:
        raise Refused("this encryption key cannot be used: it gives no secret") from None
    return sender + ChaCha20Poly1305(h32("seal", sender, bk, shared)).encrypt(bytes(12), sigma, None)


def open_secret(box: bytes, box_secret: bytes) -> bytes | None:
    """The sigma in a box, for the owner of the X25519 secret; None if the box is not for them or damaged."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    if len(box) != BOX_SIZE:
        return None
    own = X25519PrivateKey.from_private_bytes(box_secret)
    sender, bk = box[:32], own.public_key().public_bytes_raw()
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(sender))
        return ChaCha20Poly1305(h32("seal", sender, bk, shared)).decrypt(bytes(12), box[32:], None)
    except (ValueError, InvalidTag):
        return None
