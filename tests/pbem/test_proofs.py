"""Proofs of knowledge and of equal logarithms: published ones, a second opinion, and cheats."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from pbem import group
from pbem.canon import encode
from pbem.errors import Fault
from pbem.group import Point
from pbem.hashing import h32, hash_scalar
from pbem.nonces import Nonces
from pbem.proofs import (
    make_shares,
    open_shares,
    proof_context,
    prove_dleq,
    prove_pok,
    verify_dleq,
    verify_pok,
)
from tests import plain_group, plain_proofs
from tests.pbem.vectors import value

CTX = b"c" * 32
NONCES = Nonces(b"s" * 32, os.urandom)
X = hash_scalar("key", b"test")
PUBLIC = group.base(X)
CARDS = [group.generator(index) for index in (5, 6, 7)]
SHARES = [group.multiply(X, card) for card in CARDS]


def code(action: Callable[..., object], *arguments: object) -> str:
    """The code with which something is refused."""
    with pytest.raises(Fault) as caught:
        action(*arguments)
    return caught.value.code


def tampered(proof: bytes, place: int, delta: int = 1) -> bytes:
    """A proof with one of its scalars changed, still reduced."""
    number = int.from_bytes(proof[place : place + 32], "big") + delta
    return proof[:place] + group.scalar_bytes(number) + proof[place + 32 :]


def test_the_context_is_a_hash_of_the_chain() -> None:
    assert proof_context(b"h" * 32) == h32("ctx", b"h" * 32)


def test_the_published_proof_of_equal_logarithms() -> None:
    bases = group.parse_points(value("dleq", "C"), 2)
    public = group.parse_point(value("dleq", "X"))
    arguments = (value("dleq", "S"), value("dleq", "ctx"), value("dleq", "proof"))
    assert len(open_shares(public, bases, *arguments)) == 2
    plain = [plain_group.read(point.data) for point in (public, *bases)]
    shares = [plain_group.read(piece) for piece in plain_proofs.split(arguments[0], 33)]
    assert plain_proofs.dleq_holds(plain[0], plain[1:], shares, *arguments[1:])


def test_shares_round_trip() -> None:
    shares, proof = make_shares(X, PUBLIC, CARDS, CTX, NONCES)
    assert len(proof) == 64
    assert open_shares(PUBLIC, CARDS, shares, CTX, proof) == SHARES
    one, proof = make_shares(X, PUBLIC, CARDS[:1], CTX, NONCES)
    assert open_shares(PUBLIC, CARDS[:1], one, CTX, proof) == SHARES[:1]


def test_both_implementations_accept_each_other() -> None:
    plain_cards = [plain_group.read(card.data) for card in CARDS]
    plain_shares = [plain_group.read(share.data) for share in SHARES]
    theirs = plain_proofs.prove_dleq(X, plain_cards, plain_shares, CTX, 12345)
    verify_dleq(PUBLIC, CARDS, SHARES, CTX, theirs)
    ours = prove_dleq(X, PUBLIC, CARDS, SHARES, CTX, NONCES)
    assert plain_proofs.dleq_holds(plain_group.read(PUBLIC.data), plain_cards, plain_shares, CTX, ours)
    assert not plain_proofs.dleq_holds(
        plain_group.read(PUBLIC.data), plain_cards, plain_shares[::-1], CTX, ours
    )


def test_false_shares() -> None:
    """Cheat 38: another secret; another card; a proof of an earlier file."""
    proof = prove_dleq(X, PUBLIC, CARDS, SHARES, CTX, NONCES)
    other = [group.multiply(X + 1, card) for card in CARDS]
    forged = prove_dleq(X + 1, PUBLIC, CARDS, other, CTX, NONCES)
    assert code(verify_dleq, PUBLIC, CARDS, other, CTX, forged) == "E_DLEQ"
    assert code(verify_dleq, PUBLIC, CARDS, [*SHARES[:2], SHARES[0]], CTX, proof) == "E_DLEQ"
    assert code(verify_dleq, PUBLIC, CARDS[::-1], SHARES, CTX, proof) == "E_DLEQ"
    assert code(verify_dleq, PUBLIC, CARDS, SHARES, bytes(32), proof) == "E_DLEQ"
    assert code(verify_dleq, group.base(X + 1), CARDS, SHARES, CTX, proof) == "E_DLEQ"


def test_cancelling_errors_are_found() -> None:
    """Cheat 39: two shares whose errors add up to nothing."""
    error = group.base(99)
    wrong = [_add(SHARES[0], error), _add(SHARES[1], group.negate(error)), SHARES[2]]
    forged = prove_dleq(X, PUBLIC, CARDS, wrong, CTX, NONCES)
    assert code(verify_dleq, PUBLIC, CARDS, wrong, CTX, forged) == "E_DLEQ"


def _add(first: Point, second: Point) -> Point:
    """A sum that is a point."""
    result = group.total((first, second))
    assert result is not None
    return result


def test_order_of_checks() -> None:
    """Part 11, line 7: lengths, points, scalars, proof; cheats 23, 41 and 43."""
    shares, proof = make_shares(X, PUBLIC, CARDS, CTX, NONCES)
    zeros, big = bytes(33) + shares[33:], b"\xff" * 32
    for count in (2, 4):
        wrong = (shares + shares)[: 33 * count]
        assert code(open_shares, PUBLIC, CARDS, wrong, CTX, proof) == "E_LEN"
    assert code(open_shares, PUBLIC, [], b"", CTX, proof) == "E_LEN"
    assert code(verify_dleq, PUBLIC, [], [], CTX, proof) == "E_LEN"
    assert code(verify_dleq, PUBLIC, CARDS, SHARES[:2], CTX, proof) == "E_LEN"
    assert code(open_shares, PUBLIC, CARDS, zeros, CTX, proof[:-1]) == "E_LEN"
    assert code(open_shares, PUBLIC, CARDS, zeros, CTX, big * 2) == "E_POINT"
    assert code(open_shares, PUBLIC, CARDS, shares, CTX, big + proof[32:]) == "E_SCALAR"
    assert code(open_shares, PUBLIC, CARDS, shares, CTX, proof[:32] + big) == "E_SCALAR"
    assert code(open_shares, PUBLIC, CARDS, shares, CTX, bytes(32) + proof[32:]) == "E_SCALAR"
    for place in (0, 32):
        changed = tampered(proof, place)
        assert code(open_shares, PUBLIC, CARDS, shares, CTX, changed) == "E_DLEQ"


def test_a_commitment_that_is_the_identity_is_refused() -> None:
    """Part 2 and cheat 20: a nonce of zero; the challenge is right for whoever leaves the identity out."""
    statement = (PUBLIC.data, group.join_points(CARDS), group.join_points(SHARES))
    for c in (7, hash_scalar("dleq", CTX, *statement, b"")):
        proof = group.scalar_bytes(c) + group.scalar_bytes(c * X)
        assert code(verify_dleq, PUBLIC, CARDS, SHARES, CTX, proof) == "E_DLEQ"
    for c in (7, hash_scalar("pok", CTX, b"k", b"s", PUBLIC.data, b"", b"")):
        proof = group.scalar_bytes(c) + group.scalar_bytes(c * X)
        assert code(verify_pok, PUBLIC, CTX, b"k", b"s", b"", proof) == "E_POK"


KEYS = encode([b"k" * 32])
SALT = b"t" * 32


def test_knowledge_of_a_key() -> None:
    proof = prove_pok(X, PUBLIC, CTX, KEYS, SALT, b"", NONCES)
    verify_pok(PUBLIC, CTX, KEYS, SALT, b"", proof)
    wrong: list[tuple[Point, bytes, bytes, bytes, bytes, bytes]] = [
        (group.base(X + 1), CTX, KEYS, SALT, b"", proof),
        (PUBLIC, bytes(32), KEYS, SALT, b"", proof),
        (PUBLIC, CTX, encode([b"j" * 32]), SALT, b"", proof),
        (PUBLIC, CTX, KEYS, bytes(32), b"", proof),
        (PUBLIC, CTX, KEYS, SALT, bytes(80), proof),
        (PUBLIC, CTX, KEYS, SALT, b"", tampered(proof, 0)),
        (PUBLIC, CTX, KEYS, SALT, b"", tampered(proof, 32)),
    ]
    for arguments in wrong:
        with pytest.raises(Fault, match="E_POK"):
            verify_pok(*arguments)
    for bad, expected in (
        (proof[:-1], "E_LEN"),
        (bytes(64), "E_SCALAR"),
        (proof[:32] + b"\xff" * 32, "E_SCALAR"),
    ):
        with pytest.raises(Fault, match=expected):
            verify_pok(PUBLIC, CTX, KEYS, SALT, b"", bad)


def test_a_rogue_key_cannot_be_proved() -> None:
    """Cheat 20: X1 = T - X0, whose logarithm nobody knows."""
    rogue = group.subtract(group.base(4711), PUBLIC)
    assert rogue is not None
    proof = prove_pok(4711, rogue, CTX, KEYS, SALT, b"", NONCES)
    with pytest.raises(Fault, match="E_POK"):
        verify_pok(rogue, CTX, KEYS, SALT, b"", proof)


def test_proving_needs_something_to_prove() -> None:
    with pytest.raises(ValueError, match="at least one"):
        prove_dleq(X, PUBLIC, [], [], CTX, NONCES)
