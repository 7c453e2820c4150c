"""Shuffling a deck nobody can see, with a proof that it was only shuffled (docs/protocol.md, part 7.3).

Theory of operation. A card is a ciphertext (C, D) under a key K. Adding rho·(G, K) gives another ciphertext
of the same card that nobody can recognise. A shuffle permutes the list and does this to every card. The proof
is the one of Terelius and Wikström: the prover commits to a permutation matrix, receives random weights by
hashing everything so far, and shows that this matrix carries the weights to a row with the same product (t1,
t2, t3 and the running product) and the input cards to the output cards (t4). A matrix that does both for
weights chosen after it was fixed is a permutation, but for a chance of n in 2^256.

What it does not do: it does not say who shuffled, nor that the order was random. A deck is random as soon as
one of those who shuffled it was honest.

Names beside the letters of the specification: `places` are the P_j, `running` the Q_i, `u` and `v` weights
of inputs and outputs, `hats` and `primes` the rows of nonces or responses for `running` and for the weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from operator import mul
from typing import NamedTuple

from pbem.errors import Fault
from pbem.group import (
    CIPHERTEXT_SIZE,
    ORDER,
    POINT_SIZE,
    SCALAR_SIZE,
    Ciphertext,
    G,
    Point,
    base,
    generator,
    generator_sum,
    join_cards,
    join_points,
    multiply,
    parse_ciphertexts,
    parse_points,
    parse_scalar,
    scalar_bytes,
    sum_of_products,
    total,
)
from pbem.hashing import hash_scalar, shake, u32
from pbem.nonces import Nonces

__all__ = [
    "Ciphertext",
    "Witness",
    "make_shuffle",
    "open_shuffle",
    "proof_size",
    "prove_shuffle",
    "shuffle",
    "verify_shuffle",
]


class Witness(NamedTuple):
    """What the one who shuffled knows: output i is input permutation[i] with factors[i]·(G, K) added."""

    permutation: tuple[int, ...]
    factors: tuple[int, ...]


class Proof(NamedTuple):
    """The parts of a proof, in the order of its bytes."""

    places: list[Point]
    running: list[Point]
    c: int
    s: list[int]
    hats: list[int]
    primes: list[int]


def proof_size(count: int) -> int:
    """The bytes of a proof for so many cards."""
    return 2 * (POINT_SIZE + SCALAR_SIZE) * count + 5 * SCALAR_SIZE


def shuffle(
    inputs: Sequence[Ciphertext], key: Point, ctx: bytes, nonces: Nonces
) -> tuple[list[Ciphertext], Witness]:
    """The cards in a secret order and under fresh encryption, and the secret of how it was done."""
    cards = join_points(inputs)
    # The order is hedged as well: with a broken random source it still depends on the game secret.
    permutation = list(range(len(inputs)))
    draws = nonces.stream("order", ctx, key.data, cards)
    for last in range(len(inputs) - 1, 0, -1):
        other = next(draws) % (last + 1)  # 256 bits for a number below 161: no bias that anybody could see
        permutation[last], permutation[other] = permutation[other], permutation[last]
    order = b"".join(map(u32, permutation))
    factors = tuple(islice(nonces.stream("factors", ctx, key.data, cards, order), len(inputs)))
    outputs = [
        encrypt_again(inputs[source], key, factor)
        for source, factor in zip(permutation, factors, strict=True)
    ]
    return outputs, Witness(tuple(permutation), factors)


def encrypt_again(card: Ciphertext, key: Point, factor: int) -> Ciphertext:
    """The same card with factor·(G, K) added."""
    first = total((card.C, base(factor)))
    second = total((card.D, multiply(factor, key)))
    assert first is not None  # a chance of 2^-256
    assert second is not None
    return Ciphertext(first, second)


def _statement(
    ctx: bytes,
    key: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    places: Sequence[Point],
) -> tuple[bytes, list[int]]:
    """Z, the hash of all that is claimed, and the weights u_j that follow from it."""
    count = len(inputs)
    lists = (join_cards(inputs), join_cards(outputs), join_points(places))
    z = shake(64, "shuffle/stmt", ctx, u32(count), key.data, *lists)
    return z, [hash_scalar("shuffle/u", z, u32(index)) for index in range(count)]


def _challenge(z: bytes, running: Sequence[Point], commitments: Sequence[Point]) -> int:
    """The challenge over the running product and all commitments, in the order of part 7.3, step 5."""
    return hash_scalar("shuffle/c", z, join_points(running), join_points(commitments))


class _Nonces(NamedTuple):
    """All secrets of one proof: r for `places`, q for `running`, and those behind the commitments."""

    r: list[int]
    q: list[int]
    w: list[int]
    hats: list[int]
    primes: list[int]


def prove_shuffle(
    ctx: bytes,
    key: Point,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    witness: Witness,
    nonces: Nonces,
) -> bytes:
    """The proof that the outputs are the inputs in another order and encrypted again under `key`."""
    order = b"".join(map(u32, witness.permutation))
    row = nonces.stream("shuffle", ctx, key.data, join_points(inputs), join_points(outputs), order)
    count = len(inputs)
    secrets = _Nonces(*(list(islice(row, size)) for size in (count, count, 4, count, count)))
    places = [G] * count
    for place, source in enumerate(witness.permutation):
        places[source] = _point(total((base(secrets.r[source]), generator(place + 1))))
    z, u = _statement(ctx, key, inputs, outputs, places)
    v = [u[source] for source in witness.permutation]
    running, commitments = _commit(key, outputs, v, secrets)
    c = _challenge(z, running, commitments)
    numbers = (c, *_responses(c, u, v, witness.factors, secrets))
    return join_points(places) + join_points(running) + b"".join(map(scalar_bytes, numbers))


def _commit(
    key: Point, outputs: Sequence[Ciphertext], v: list[int], secrets: _Nonces
) -> tuple[list[Point], list[Point]]:
    """The running product of the weights, and all commitments of step 4."""
    w1, w2, w3, w4 = secrets.w
    primes = secrets.primes
    running = [generator(0)]
    hidden = []
    for q, weight, hat, prime in zip(secrets.q, v, secrets.hats, primes, strict=True):
        hidden.append(_point(sum_of_products((hat, prime), (G, running[-1]))))
        running.append(_point(sum_of_products((q, weight), (G, running[-1]))))
    commitments = [
        base(w1),
        base(w2),
        _point(sum_of_products((w3, *primes), (G, *_generators(len(v))))),
        _point(sum_of_products((-w4, *primes), (G, *[card.C for card in outputs]))),
        _point(sum_of_products((-w4, *primes), (key, *[card.D for card in outputs]))),
    ]
    return running[1:], commitments + hidden


def _responses(c: int, u: list[int], v: list[int], rho: Sequence[int], secrets: _Nonces) -> list[int]:
    """The responses of step 6, not yet reduced."""
    r, q, (w1, w2, w3, w4), hats, primes = secrets
    later = 1  # the product of all v behind the present one
    collected = 0
    for secret, weight in zip(reversed(q), reversed(v), strict=True):
        collected += secret * later
        later = later * weight % ORDER
    return [
        w1 + c * sum(r),
        w2 + c * collected,
        w3 + c * sum(map(mul, u, r)),
        w4 + c * sum(map(mul, v, rho)),
        *[nonce + c * secret for nonce, secret in zip(hats, q, strict=True)],
        *[nonce + c * secret for nonce, secret in zip(primes, v, strict=True)],
    ]


def _point(found: Point | None) -> Point:
    """A sum with fresh secrets in it, which is the identity once in 2^256 times."""
    assert found is not None
    return found


def _generators(count: int) -> list[Point]:
    """H_1 to H_count."""
    return [generator(index) for index in range(1, count + 1)]


def make_shuffle(
    ctx: bytes, key: Point, inputs: Sequence[Ciphertext], nonces: Nonces
) -> tuple[list[Ciphertext], bytes]:
    """The shuffled cards and the proof; the order itself is forgotten."""
    outputs, witness = shuffle(inputs, key, ctx, nonces)
    return outputs, prove_shuffle(ctx, key, inputs, outputs, witness, nonces)


def _check_sizes(count: int, outputs: int, proof: bytes) -> None:
    """Raises Fault E_LEN unless there are cards, as many outputs, and a proof of the right size."""
    if not count or outputs != count or len(proof) != proof_size(count):
        raise Fault("E_LEN", f"the shuffle or its proof is not for the {count} cards that are there")


def _read(proof: bytes, count: int) -> Proof:
    """The parts of a proof of the right size; Fault E_POINT or E_SCALAR."""
    end = POINT_SIZE * count
    places = parse_points(proof[:end], count)
    running = parse_points(proof[end : 2 * end], count)
    starts = range(2 * end, len(proof), SCALAR_SIZE)
    c = parse_scalar(proof[2 * end : 2 * end + SCALAR_SIZE], challenge=True)
    rest = [parse_scalar(proof[start : start + SCALAR_SIZE]) for start in starts[1:]]
    return Proof(places, running, c, rest[:4], rest[4 : 4 + count], rest[4 + count :])


def verify_shuffle(
    ctx: bytes, key: Point, inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext], proof: bytes
) -> None:
    """Raises Fault E_LEN, E_POINT, E_SCALAR or E_SHUFFLE unless the proof is good."""
    _check_sizes(len(inputs), len(outputs), proof)
    parts = _read(proof, len(inputs))
    z, u = _statement(ctx, key, inputs, outputs, parts.places)
    commitments = _commitments(key, inputs, outputs, parts, u)
    found = [point for point in commitments if point is not None]
    if len(found) != len(commitments) or _challenge(z, parts.running, found) != parts.c:
        raise Fault("E_SHUFFLE", "the cards were not only shuffled: the proof is false")


def _commitments(
    key: Point, inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext], proof: Proof, u: list[int]
) -> list[Point | None]:
    """The commitments that the responses of a proof stand for, each of them one sum."""
    places, running, c, (s1, s2, s3, s4), hats, primes = proof
    minus = ORDER - c
    weights = [minus * weight % ORDER for weight in u]
    product = c
    for weight in u:
        product = product * weight % ORDER
    columns = total((*places, generator_sum(len(u))))
    factors = (-s4, *primes, *weights)
    return [
        sum_of_products((s1, minus), (G, columns)),
        sum_of_products((s2, minus, product), (G, running[-1], generator(0))),
        sum_of_products((s3, *primes, *weights), (G, *_generators(len(u)), *places)),
        sum_of_products(factors, (G, *[card.C for card in outputs], *[card.C for card in inputs])),
        sum_of_products(factors, (key, *[card.D for card in outputs], *[card.D for card in inputs])),
        *[
            sum_of_products((hat, prime, minus), (G, before, here))
            for hat, prime, before, here in zip(
                hats, primes, (generator(0), *running[:-1]), running, strict=True
            )
        ],
    ]


def open_shuffle(
    ctx: bytes, key: Point, inputs: Sequence[Ciphertext], outputs: bytes, proof: bytes
) -> list[Ciphertext]:
    """The shuffled cards of an op, checked in the order of part 11: lengths, points, scalars, proof.

    Raises Fault E_LEN, E_POINT, E_SCALAR or E_SHUFFLE.
    """
    _check_sizes(len(inputs), len(outputs) // CIPHERTEXT_SIZE, proof)
    cards = parse_ciphertexts(outputs, len(inputs))
    verify_shuffle(ctx, key, inputs, cards, proof)
    return cards
