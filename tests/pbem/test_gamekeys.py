"""Secrets of a game: published values, the chain of seeds, and boxes for team mates."""

from __future__ import annotations

import os

import pytest

from pbem.errors import Refused
from pbem.gamekeys import BOX_SIZE, GameSecret, game_secret, open_secret, seal_secret
from pbem.hashing import h32, u32
from tests.pbem.vectors import part, value


def test_sigma_follows_from_master_salt_and_identity() -> None:
    found = game_secret(value("identity", "master"), value("identity", "salt"), value("identity", "pk"))
    assert found.sigma == value("identity", "sigma")
    assert found.sigma.hex() == part("game", "secrets", 0)
    other = game_secret(value("identity", "master"), bytes(32), value("identity", "pk"))
    assert other.sigma != found.sigma


def test_key_is_the_published_one() -> None:
    secret = GameSecret(value("key", "secret"))
    assert secret.key == int(part("key", "x"), 16)
    assert secret.public.data == value("key", "X")


def test_chain_is_the_published_one() -> None:
    secret = GameSecret(value("key", "secret"))
    assert secret.anchor == secret.seed(0) == value("chain", "c0")
    assert secret.seed(1) == value("chain", "c1")
    assert secret.seed(2) == value("chain", "c2")
    assert secret.seed(1024) == value("chain", "c1024")


def test_every_seed_is_linked_to_the_one_before() -> None:
    secret = GameSecret(bytes(32))
    for index in range(1, 1025):
        assert h32("link", secret.public.data, u32(index), secret.seed(index)) == secret.seed(index - 1)
    for index in (-1, 1025):
        with pytest.raises(Refused, match="used up"):
            secret.seed(index)


def test_secrets_do_not_show_in_a_printout() -> None:
    assert repr(GameSecret(b"\7" * 32)) == "GameSecret(...)"
    with pytest.raises(ValueError, match="32 bytes"):
        GameSecret(b"short")


def x25519_public(secret: bytes) -> bytes:
    """The public key of an X25519 secret."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def test_sealed_boxes_open_for_their_owner_only() -> None:
    secret, stranger, sigma = bytes([1] * 32), bytes([2] * 32), bytes(range(32))
    box = seal_secret(sigma, x25519_public(secret), os.urandom)
    assert len(box) == BOX_SIZE == 80
    assert open_secret(box, secret) == sigma
    assert open_secret(box, stranger) is None
    assert seal_secret(sigma, x25519_public(secret), os.urandom) != box


def test_damaged_boxes_do_not_open() -> None:
    secret = bytes([1] * 32)
    box = seal_secret(bytes(32), x25519_public(secret), os.urandom)
    for place in range(80):
        damaged = bytearray(box)
        damaged[place] ^= 1
        assert open_secret(bytes(damaged), secret) is None
    assert open_secret(box[:-1], secret) is None
    assert open_secret(bytes(32) + box[32:], secret) is None  # a sender key of small order


def test_a_box_for_a_key_of_small_order_is_refused() -> None:
    with pytest.raises(Refused, match="gives no secret"):
        seal_secret(bytes(32), bytes(32), os.urandom)


def test_boxes_under_a_broken_random_source_share_no_key() -> None:
    """Part 5: the one-time key depends on sigma and receiver too."""
    public = x25519_public(bytes([1] * 32))
    boxes = [seal_secret(bytes([number] * 32), public, bytes) for number in range(5)]
    boxes.append(seal_secret(bytes(32), x25519_public(bytes([2] * 32)), bytes))
    assert len({box[:32] for box in boxes}) == 6
