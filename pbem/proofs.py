"""Knowledge of a game key, and equality of logarithms (docs/protocol.md, parts 7.1 and 7.2).

Both proofs are a challenge and a response, 64 bytes. The challenge is a hash over the context, the whole
statement and all commitments; verifying means computing the commitments again and comparing the hash.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Fault
from pbem.group import (
    ORDER,
    POINT_SIZE,
    G,
    Point,
    base,
    join_points,
    multiply,
    parse_points,
    parse_scalar,
    scalar_bytes,
    sum_of_products,
)
from pbem.hashing import h32, hash_scalar
from pbem.nonces import Nonces

PROOF_SIZE = 64


def proof_context(chain: bytes) -> bytes:
    """The context of the proofs in an op, from the chain value just before it."""
    return h32("ctx", chain)


def _check_size(proof: bytes) -> None:
    """Raises Fault E_LEN unless the proof has 64 bytes."""
    if len(proof) != PROOF_SIZE:
        raise Fault("E_LEN", f"a proof has {PROOF_SIZE} bytes, not {len(proof)}")


def _read(proof: bytes) -> tuple[int, int]:
    """Challenge and response; Fault E_LEN or E_SCALAR."""
    _check_size(proof)
    return parse_scalar(proof[:32], challenge=True), parse_scalar(proof[32:])


def prove_pok(
    secret: int, public: Point, ctx: bytes, keys: bytes, salt: bytes, boxes: bytes, nonces: Nonces
) -> bytes:
    """The proof of knowing the game key; `keys` is the canonical list of the side's identity keys."""
    nonce = next(nonces.stream("pok", ctx, keys, salt, public.data, boxes))
    challenge = hash_scalar("pok", ctx, keys, salt, public.data, boxes, base(nonce).data)
    return scalar_bytes(challenge) + scalar_bytes(nonce + challenge * secret)


def verify_pok(public: Point, ctx: bytes, keys: bytes, salt: bytes, boxes: bytes, proof: bytes) -> None:
    """Raises Fault E_LEN, E_SCALAR or E_POK unless the proof is good."""
    challenge, response = _read(proof)
    commitment = sum_of_products((response, -challenge), (G, public))
    if commitment is None or challenge != hash_scalar(
        "pok", ctx, keys, salt, public.data, boxes, commitment.data
    ):
        raise Fault("E_POK", "the author does not prove to know the secret of their game key")


def prove_dleq(
    secret: int, public: Point, bases: Sequence[Point], shares: Sequence[Point], ctx: bytes, nonces: Nonces
) -> bytes:
    """The proof that public = secret·G and every share is secret times its base."""
    if not bases or len(bases) != len(shares):
        raise ValueError("one share for every base, and at least one")
    statement = (public.data, join_points(bases), join_points(shares))
    nonce = next(nonces.stream("dleq", ctx, *statement))
    commitments = join_points([base(nonce), *(multiply(nonce, point) for point in bases)])
    challenge = hash_scalar("dleq", ctx, *statement, commitments)
    return scalar_bytes(challenge) + scalar_bytes(nonce + challenge * secret)


def verify_dleq(
    public: Point, bases: Sequence[Point], shares: Sequence[Point], ctx: bytes, proof: bytes
) -> None:
    """Raises Fault E_LEN, E_SCALAR or E_DLEQ unless every share is right."""
    if not bases or len(bases) != len(shares):
        raise Fault("E_LEN", f"{len(shares)} shares were given where {len(bases)} are due")
    challenge, response = _read(proof)
    # s·C - c·S for the key and for each card: an equation of its own each, so that no errors cancel.
    factors = (response, ORDER - challenge)
    commitments = []
    for pair in zip((G, *bases), (public, *shares), strict=True):
        commitment = sum_of_products(factors, pair)
        if commitment is None:
            raise _false_share()
        commitments.append(commitment)
    lists = (join_points(bases), join_points(shares), join_points(commitments))
    if challenge != hash_scalar("dleq", ctx, public.data, *lists):
        raise _false_share()


def _false_share() -> Fault:
    """The refusal of shares."""
    return Fault("E_DLEQ", "a share was not made with the author's game key")


def make_shares(
    secret: int, public: Point, bases: Sequence[Point], ctx: bytes, nonces: Nonces
) -> tuple[bytes, bytes]:
    """The bytes of secret·C for every base C, and the proof that they are right."""
    shares = [multiply(secret, point) for point in bases]
    return join_points(shares), prove_dleq(secret, public, bases, shares, ctx, nonces)


def open_shares(
    public: Point, bases: Sequence[Point], shares: bytes, ctx: bytes, proof: bytes
) -> list[Point]:
    """The shares of an op, checked in the order of part 11: lengths, points, scalars, proof.

    Raises Fault E_LEN, E_POINT, E_SCALAR or E_DLEQ.
    """
    if not bases or len(shares) != POINT_SIZE * len(bases):
        raise Fault("E_LEN", f"{len(bases)} shares are due, and {len(shares)} bytes were given")
    _check_size(proof)
    points = parse_points(shares, len(bases))
    verify_dleq(public, bases, points, ctx, proof)
    return points
