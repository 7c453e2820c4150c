"""A second opinion on the proofs: part 7 of the protocol written once more over plain integers.

Slow, and sharing nothing with pbem/proofs.py and pbem/shuffle.py. A ciphertext is a pair of points. The
provers are honest or not as their caller wishes: the matrix of a shuffle is given row by row, so that a test
can prove a false statement as well as it can be proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from tests.plain_group import (
    BASE,
    ORDER,
    Plain,
    add,
    frame_hash,
    hashed_point,
    multiply,
    negate,
    read,
    scalar,
    total,
    write,
)

Pair = tuple[Plain, Plain]


def le32(number: int) -> bytes:
    """Four bytes, little-endian."""
    return number.to_bytes(4, "little")


def be32(number: int) -> bytes:
    """A scalar on the wire."""
    return (number % ORDER).to_bytes(32, "big")


def join(points: Sequence[Plain]) -> bytes:
    """Points one after another."""
    return b"".join(map(write, points))


def flat(cards: Sequence[Pair]) -> list[Plain]:
    """The points of ciphertexts, C before D."""
    return [point for card in cards for point in card]


def split(data: bytes, size: int) -> list[bytes]:
    """Equal pieces."""
    return [data[place : place + size] for place in range(0, len(data), size)]


def read_cards(data: bytes) -> list[Pair]:
    """Ciphertexts from bytes."""
    points = [read(piece) for piece in split(data, 33)]
    return list(zip(points[::2], points[1::2], strict=True))


@cache
def h(index: int) -> Plain:
    """H_index."""
    return hashed_point("gen", le32(index))


def secrets(seed: bytes) -> Iterator[int]:
    """Secret numbers of a test."""
    counter = 0
    while True:
        counter += 1
        yield scalar("nonce", seed, le32(counter))


def prove_dleq(x: int, cards: Sequence[Plain], shares: Sequence[Plain], ctx: bytes, w: int) -> bytes:
    """7.2, proving."""
    statement = (write(multiply(x, BASE)), join(cards), join(shares))
    c = scalar("dleq", ctx, *statement, join([multiply(w, point) for point in (BASE, *cards)]))
    return be32(c) + be32(w + c * x)


def dleq_holds(key: Plain, cards: Sequence[Plain], shares: Sequence[Plain], ctx: bytes, proof: bytes) -> bool:
    """7.2, verifying."""
    c, s = (int.from_bytes(piece, "big") for piece in split(proof, 32))
    rows = zip((BASE, *cards), (key, *shares), strict=True)
    found = [add(multiply(s, base), negate(multiply(c, image))) for base, image in rows]
    return c == scalar("dleq", ctx, write(key), join(cards), join(shares), join(found))


def weights(
    ctx: bytes, key: Plain, inputs: Sequence[Pair], outputs: Sequence[Pair], p: Sequence[Plain]
) -> tuple[bytes, list[int]]:
    """Z and the u_j of 7.3, step 2."""
    count = len(inputs)
    z = frame_hash(
        64, "shuffle/stmt", ctx, le32(count), write(key), join(flat(inputs)), join(flat(outputs)), join(p)
    )
    return z, [scalar("shuffle/u", z, le32(j)) for j in range(count)]


def prove_shuffle(
    ctx: bytes,
    key: Plain,
    inputs: Sequence[Pair],
    outputs: Sequence[Pair],
    matrix: Sequence[Sequence[int]],
    rho: Sequence[int],
    seed: bytes,
    *,
    zero_nonce: bool = False,
) -> bytes:
    """7.3, proving, for output i = sum over j of matrix[i][j]·input j, plus rho_i·(G, K).

    With a permutation matrix this is the honest proof. With another one it is the best that a cheat can do.
    A nonce of zero makes t1 the identity, which is then left out of the hash, as a careless verifier might.
    """
    count = len(inputs)
    source = secrets(seed)
    r, q, w_hat, w_prime = ([next(source) for _ in range(count)] for _ in range(4))
    w1, w2, w3, w4 = (next(source) for _ in range(4))
    if zero_nonce:
        w1 = 0
    p = [
        total([multiply(r[j], BASE), *(multiply(matrix[i][j], h(i + 1)) for i in range(count))])
        for j in range(count)
    ]
    z, u = weights(ctx, key, inputs, outputs, p)
    v = [sum(matrix[i][j] * u[j] for j in range(count)) % ORDER for i in range(count)]
    chain, q_points = h(0), []
    t_hat = []
    for i in range(count):
        t_hat.append(add(multiply(w_hat[i], BASE), multiply(w_prime[i], chain)))
        chain = add(multiply(q[i], BASE), multiply(v[i], chain))
        q_points.append(chain)
    t4 = [
        total([negate(multiply(w4, base)), *(multiply(w_prime[i], outputs[i][half]) for i in range(count))])
        for half, base in enumerate((BASE, key))
    ]
    t3 = total([multiply(w3, BASE), *(multiply(w_prime[i], h(i + 1)) for i in range(count))])
    commitments = [multiply(w1, BASE), multiply(w2, BASE), t3, *t4, *t_hat]
    c = scalar("shuffle/c", z, join(q_points), join([point for point in commitments if point]))
    behind = [1] * count
    for i in range(count - 2, -1, -1):
        behind[i] = behind[i + 1] * v[i + 1] % ORDER
    responses = [
        w1 + c * sum(r),
        w2 + c * sum(q[i] * behind[i] for i in range(count)),
        w3 + c * sum(u[j] * r[j] for j in range(count)),
        w4 + c * sum(v[i] * rho[i] for i in range(count)),
        *(w_hat[i] + c * q[i] for i in range(count)),
        *(w_prime[i] + c * v[i] for i in range(count)),
    ]
    return join(p) + join(q_points) + be32(c) + b"".join(map(be32, responses))


def shuffle_holds(
    ctx: bytes, key: Plain, inputs: Sequence[Pair], outputs: Sequence[Pair], proof: bytes
) -> bool:
    """7.3, verifying."""
    count = len(inputs)
    points = [read(piece) for piece in split(proof[: 66 * count], 33)]
    p, q = points[:count], points[count:]
    c, s1, s2, s3, s4, *rest = (int.from_bytes(piece, "big") for piece in split(proof[66 * count :], 32))
    s_hat, s_prime = rest[:count], rest[count:]
    z, u = weights(ctx, key, inputs, outputs, p)
    product = 1
    for weight in u:
        product = product * weight % ORDER
    base_sum = add(total(p), negate(total(h(i + 1) for i in range(count))))
    t1 = add(multiply(s1, BASE), negate(multiply(c, base_sum)))
    inside = add(q[-1], negate(multiply(product, h(0))))
    t2 = add(multiply(s2, BASE), negate(multiply(c, inside)))
    t3 = total(
        [
            multiply(s3, BASE),
            *(multiply(s_prime[i], h(i + 1)) for i in range(count)),
            negate(multiply(c, total(multiply(u[j], p[j]) for j in range(count)))),
        ]
    )
    t4 = [
        total(
            [
                *(multiply(s_prime[i], outputs[i][half]) for i in range(count)),
                negate(multiply(s4, base)),
                negate(multiply(c, total(multiply(u[j], inputs[j][half]) for j in range(count)))),
            ]
        )
        for half, base in enumerate((BASE, key))
    ]
    before = [h(0), *q[:-1]]
    t_hat = [
        total([multiply(s_hat[i], BASE), multiply(s_prime[i], before[i]), negate(multiply(c, q[i]))])
        for i in range(count)
    ]
    return c == scalar("shuffle/c", z, join(q), join([t1, t2, t3, *t4, *t_hat]))
