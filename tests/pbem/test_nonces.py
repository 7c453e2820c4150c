"""Hedged nonces: they follow the specification and never repeat, whatever the random source does."""

from __future__ import annotations

import os
from itertools import islice

from pbem import group
from pbem.group import ORDER, Ciphertext, G
from pbem.hashing import h32, hash_scalar, u32
from pbem.nonces import Nonces
from pbem.proofs import prove_dleq, prove_pok
from pbem.shuffle import make_shuffle, open_shuffle

CTX = b"c" * 32
X = 4711
PUBLIC = group.base(X)


def broken(size: int) -> bytes:
    """A random source that always says the same."""
    return bytes(size)


def test_the_derivation() -> None:
    seed = h32("nonce/seed", b"s" * 32, bytes(32), b"dleq", CTX, b"one", b"two")
    stream = Nonces(b"s" * 32, broken).stream("dleq", CTX, b"one", b"two")
    assert list(islice(stream, 3)) == [hash_scalar("nonce", seed, u32(counter)) for counter in (1, 2, 3)]


def test_fresh_random_bytes_are_taken_for_every_proof() -> None:
    taken: list[int] = []

    def counted(size: int) -> bytes:
        taken.append(size)
        return os.urandom(size)

    nonces = Nonces(b"s" * 32, counted)
    first = next(nonces.stream("dleq", CTX, b"same"))
    second = next(nonces.stream("dleq", CTX, b"same"))
    assert first != second
    assert taken == [32, 32]


def test_nonces_differ_under_a_broken_random_source() -> None:
    """Part 5: game, purpose, context and statement each give other nonces."""
    seen: list[int] = []
    for sigma in (b"s" * 32, b"t" * 32):
        for purpose in ("pok", "dleq", "shuffle"):
            for ctx in (CTX, bytes(32)):
                for statement in ((b"ab", b"c"), (b"a", b"bc"), (b"abc",)):
                    seen += islice(Nonces(sigma, broken).stream(purpose, ctx, *statement), 20)
    assert len(seen) == len(set(seen)) == 2 * 3 * 2 * 3 * 20
    assert all(0 < nonce < ORDER for nonce in seen)


def commitment(proof: bytes, public: group.Point) -> group.Point:
    """w·G, which everybody can compute from a proof; equal ones would give the key away."""
    c, s = group.parse_scalar(proof[:32]), group.parse_scalar(proof[32:])
    found = group.sum_of_products((s, -c), (G, public))
    assert found is not None
    return found


def test_proofs_never_share_a_nonce_under_a_broken_random_source() -> None:
    """Part 5: seen from outside, over many statements that differ in one thing each."""
    nonces = Nonces(b"s" * 32, broken)
    proofs = []
    for index in range(1, 20):
        cards = [group.generator(index), group.generator(index + 1)]
        shares = [group.multiply(X, card) for card in cards]
        proofs.append(prove_dleq(X, PUBLIC, cards, shares, CTX, nonces))
        proofs.append(prove_dleq(X, PUBLIC, cards[:1], shares[:1], CTX, nonces))
        proofs.append(prove_dleq(X, PUBLIC, cards[:1], shares[:1], h32("ctx", u32(index)), nonces))
        proofs.append(prove_pok(X, PUBLIC, CTX, b"keys", u32(index), b"", nonces))
    commitments = {commitment(proof, PUBLIC) for proof in proofs}
    assert len(commitments) == len(proofs) == 76


def test_a_repeated_nonce_would_give_the_key_away() -> None:
    """Why all this: with one nonce for two statements anybody computes the key."""
    w = 99
    proofs = []
    for ctx in (CTX, bytes(32)):
        c = hash_scalar("pok", ctx, b"", b"", PUBLIC.data, b"", group.base(w).data)
        proofs.append((c, (w + c * X) % ORDER))
    (c1, s1), (c2, s2) = proofs
    assert (s1 - s2) * pow(c1 - c2, -1, ORDER) % ORDER == X


def test_shuffles_under_a_broken_random_source() -> None:
    """Part 5: repeating a statement repeats the proof; any difference changes the order and all secrets."""
    total = group.total((group.card_point("command", 1), PUBLIC))
    assert total is not None
    deck = [Ciphertext(G, total)] * 12
    nonces = Nonces(b"s" * 32, broken)
    one, other = make_shuffle(CTX, PUBLIC, deck, nonces), make_shuffle(bytes(32), PUBLIC, deck, nonces)
    assert make_shuffle(CTX, PUBLIC, deck, nonces) == one
    open_shuffle(CTX, PUBLIC, deck, group.join_points(one[0]), one[1])
    assert not {card.C for card in one[0]} & {card.C for card in other[0]}
    points = [proof[place : place + 33] for proof in (one[1], other[1]) for place in range(0, 66 * 12, 33)]
    assert len(set(points)) == len(points)
    stranger = make_shuffle(CTX, PUBLIC, deck, Nonces(b"t" * 32, broken))
    assert not {card.C for card in one[0]} & {card.C for card in stranger[0]}


def test_sources_do_not_print_their_secret() -> None:
    assert repr(Nonces(b"s" * 32, broken)) == "Nonces(...)"
