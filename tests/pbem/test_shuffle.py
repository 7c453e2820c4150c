"""The shuffle and its proof: published, by two implementations, and against cheats 27 to 34."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence

import pytest

from pbem import group
from pbem.errors import Fault
from pbem.group import ORDER, Ciphertext, G, Point, join_points
from pbem.hashing import hash_scalar, u32
from pbem.nonces import Nonces
from pbem.shuffle import (
    encrypt_again,
    make_shuffle,
    open_shuffle,
    proof_size,
    prove_shuffle,
    shuffle,
    verify_shuffle,
)
from tests import plain_group, plain_proofs
from tests.pbem.vectors import value

CTX = b"c" * 32
NONCES = Nonces(b"s" * 32, os.urandom)
SECRET = hash_scalar("key", b"shuffle")
KEY = group.base(SECRET)


def some(point: Point | None) -> Point:
    """A sum that is a point."""
    assert point is not None
    return point


def open_deck(count: int) -> list[Ciphertext]:
    """The cards of a deck before the first shuffle."""
    cards = [group.card_point("command", number) for number in range(count)]
    return [Ciphertext(G, some(group.total((card, KEY)))) for card in cards]


def read_card(card: Ciphertext) -> int:
    """The number of a card, with the key."""
    plain = some(group.subtract(card.D, group.multiply(SECRET, card.C)))
    return [group.card_point("command", number) for number in range(60)].index(plain)


def code(action: Callable[..., object], *arguments: object) -> str:
    """The code with which something is refused."""
    with pytest.raises(Fault) as caught:
        action(*arguments)
    return caught.value.code


def plain_cards(cards: Sequence[Ciphertext]) -> list[plain_proofs.Pair]:
    """The cards for the second implementation."""
    return plain_proofs.read_cards(join_points(cards))


DECK = open_deck(4)
SHUFFLED, WITNESS = shuffle(DECK, KEY, CTX, NONCES)
PROOF = prove_shuffle(CTX, KEY, DECK, SHUFFLED, WITNESS, NONCES)


def test_the_published_shuffle() -> None:
    names = ("ctx", "K", "inp", "out", "proof")
    ctx, key, inputs, outputs, proof = (value("shuffle", name) for name in names)
    cards = group.parse_ciphertexts(inputs, 3)
    assert join_points(open_shuffle(ctx, group.parse_point(key), cards, outputs, proof)) == outputs
    assert plain_proofs.shuffle_holds(
        ctx, plain_group.read(key), plain_cards(cards), plain_proofs.read_cards(outputs), proof
    )


@pytest.mark.parametrize("count", [1, 2, 5, 20])
def test_honest_shuffles_are_accepted_and_keep_every_card(count: int) -> None:
    """Claim 4 of part 14: the same cards, in another order, twice over."""
    deck = open_deck(count)
    once, proof = make_shuffle(CTX, KEY, deck, NONCES)
    assert len(proof) == proof_size(count) == 130 * count + 160
    assert open_shuffle(CTX, KEY, deck, join_points(once), proof) == once
    twice, proof = make_shuffle(CTX, KEY, once, NONCES)
    verify_shuffle(CTX, KEY, once, twice, proof)
    assert sorted(map(read_card, twice)) == list(range(count))
    assert not {card.data for card in once} & {card.data for card in deck}


def test_the_largest_deck() -> None:
    deck = open_deck(160)
    out, proof = make_shuffle(CTX, KEY, deck, NONCES)
    verify_shuffle(CTX, KEY, deck, out, proof)


def test_the_witness_says_what_was_done() -> None:
    permutation, factors = WITNESS
    assert sorted(permutation) == [0, 1, 2, 3]
    for card, source, factor in zip(SHUFFLED, permutation, factors, strict=True):
        assert card == encrypt_again(DECK[source], KEY, factor)
        assert read_card(card) == source


def test_orders_are_uniform() -> None:
    """Claim 2 of part 14: 1200 orders of three cards; bounds of one in a million, as for the dice."""
    orders: Counter[tuple[int, ...]] = Counter()
    deck = open_deck(3)
    for index in range(1200):
        # One seeded source per shuffle; the curve is not needed to see the order.
        draws = Nonces(b"s" * 32, lambda size, index=index: u32(index).ljust(size, b"\0"))  # type: ignore[misc]
        orders[_order(draws, deck)] += 1
    assert len(orders) == 6
    assert 0.0128 < sum((count - 200) ** 2 / 200 for count in orders.values()) < 35.9


def _order(nonces: Nonces, deck: list[Ciphertext]) -> tuple[int, ...]:
    """The order of one shuffle."""
    return shuffle(deck, KEY, CTX, nonces)[1].permutation


def test_both_implementations_accept_each_other() -> None:
    """Part 16, honest runs: a proof made with one group is verified with the other."""
    deck = open_deck(3)
    out, witness = shuffle(deck, KEY, CTX, NONCES)
    key, plain_in, plain_out = plain_group.read(KEY.data), plain_cards(deck), plain_cards(out)
    ours = prove_shuffle(CTX, KEY, deck, out, witness, NONCES)
    assert plain_proofs.shuffle_holds(CTX, key, plain_in, plain_out, ours)
    assert not plain_proofs.shuffle_holds(CTX, key, plain_in, plain_out[::-1], ours)
    matrix = [[int(source == j) for j in range(3)] for source in witness.permutation]
    theirs = plain_proofs.prove_shuffle(CTX, key, plain_in, plain_out, matrix, witness.factors, b"x")
    verify_shuffle(CTX, KEY, deck, out, theirs)


def test_outputs_changed_after_proving() -> None:
    """Cheat 27: a card replaced; a ciphertext doubled; two outputs swapped after proving."""
    new = encrypt_again(open_deck(9)[8], KEY, 5)
    cheats = [
        [new, *SHUFFLED[1:]],
        [SHUFFLED[1], *SHUFFLED[1:]],
        [SHUFFLED[1], SHUFFLED[0], *SHUFFLED[2:]],
        [encrypt_again(SHUFFLED[0], KEY, 3), *SHUFFLED[1:]],
    ]
    for outputs in cheats:
        assert code(verify_shuffle, CTX, KEY, DECK, outputs, PROOF) == "E_SHUFFLE"
        proof = prove_shuffle(CTX, KEY, DECK, outputs, WITNESS, NONCES)  # and proved anew, as if it were true
        assert code(verify_shuffle, CTX, KEY, DECK, outputs, proof) == "E_SHUFFLE"


def dishonest(
    matrix: list[list[int]], rho: list[int], inputs: list[Ciphertext]
) -> tuple[list[Ciphertext], bytes]:
    """Outputs made with any matrix, and the proof made for them with full knowledge of all secrets."""
    outputs = []
    for row, factor in zip(matrix, rho, strict=True):
        halves = [
            some(group.sum_of_products((factor, *row), (base, *points)))
            for base, points in ((G, [e.C for e in inputs]), (KEY, [e.D for e in inputs]))
        ]
        outputs.append(Ciphertext(*halves))
    plain_key = plain_group.read(KEY.data)
    proof = plain_proofs.prove_shuffle(
        CTX, plain_key, plain_cards(inputs), plain_cards(outputs), matrix, rho, b"d"
    )
    return outputs, proof


@pytest.mark.parametrize(
    ("matrix", "good"),
    [
        pytest.param([[0, 0, 1], [1, 0, 0], [0, 1, 0]], True, id="a permutation is accepted"),
        pytest.param([[1, 0, 0], [1, 0, 0], [0, 0, 1]], False, id="cheat 28: one card twice, one missing"),
        pytest.param([[2, ORDER - 1, 0], [0, 1, 0], [0, 0, 1]], False, id="cheat 29: 2 e0 - e1"),
        pytest.param([[2, ORDER - 1, 0], [ORDER - 1, 2, 0], [0, 0, 1]], False, id="sums are one"),
        pytest.param([[2, 0, 0], [0, pow(2, -1, ORDER), 0], [0, 0, 1]], False, id="determinant one"),
        pytest.param([[0, 0, 0], [0, 1, 0], [0, 0, 1]], False, id="an encrypted nothing"),
    ],
)
def test_full_dishonest_prover(matrix: list[list[int]], good: bool) -> None:
    """Cheats 28 and 29: the prover knows everything and follows the protocol with a false matrix."""
    deck = shuffle(open_deck(3), KEY, CTX, NONCES)[0]
    outputs, proof = dishonest(matrix, [11, 12, 13], deck)
    if good:
        verify_shuffle(CTX, KEY, deck, outputs, proof)
    else:
        assert code(verify_shuffle, CTX, KEY, deck, outputs, proof) == "E_SHUFFLE"


def test_other_statements() -> None:
    """Cheats 30 and 32: C and D treated differently; other inputs, key or context; another game's proof."""
    card = SHUFFLED[0]
    uneven = [Ciphertext(card.C, some(group.total((card.D, KEY)))), *SHUFFLED[1:]]
    proof = prove_shuffle(CTX, KEY, DECK, uneven, WITNESS, NONCES)
    assert code(verify_shuffle, CTX, KEY, DECK, uneven, proof) == "E_SHUFFLE"
    assert code(verify_shuffle, CTX, KEY, DECK[::-1], SHUFFLED, PROOF) == "E_SHUFFLE"
    assert code(verify_shuffle, CTX, KEY, open_deck(5)[1:], SHUFFLED, PROOF) == "E_SHUFFLE"
    assert code(verify_shuffle, CTX, group.base(2), DECK, SHUFFLED, PROOF) == "E_SHUFFLE"
    assert code(verify_shuffle, bytes(32), KEY, DECK, SHUFFLED, PROOF) == "E_SHUFFLE"


def test_every_response_counts() -> None:
    """Cheat 31: each single scalar plus one, all of them in turn, and each point exchanged for another."""
    first = 66 * len(DECK)
    for place in range(first, len(PROOF), 32):
        number = int.from_bytes(PROOF[place : place + 32], "big")
        changed = PROOF[:place] + group.scalar_bytes(number + 1) + PROOF[place + 32 :]
        assert code(verify_shuffle, CTX, KEY, DECK, SHUFFLED, changed) == "E_SHUFFLE"
    for place in range(0, first, 33):
        changed = PROOF[:place] + G.data + PROOF[place + 33 :]
        assert code(verify_shuffle, CTX, KEY, DECK, SHUFFLED, changed) == "E_SHUFFLE"
        flipped = PROOF[:place] + bytes([PROOF[place] ^ 1]) + PROOF[place + 1 :]
        assert code(verify_shuffle, CTX, KEY, DECK, SHUFFLED, flipped) == "E_SHUFFLE"


def test_order_of_checks() -> None:
    """Part 11, line 7: lengths, points in field order, scalars, proof; cheats 33 and 34."""
    out, big = join_points(SHUFFLED), b"\xff" * 32
    scalars = 66 * 4
    cases = [
        (out[66:], PROOF, "E_LEN"),
        (out + out[:66], PROOF, "E_LEN"),
        (out[:-1], PROOF, "E_LEN"),
        (out + b"\0", PROOF, "E_LEN"),
        (out, PROOF[130:], "E_LEN"),
        (out, PROOF + b"\0", "E_LEN"),
        (b"", b"", "E_LEN"),
        (bytes(66) + out[66:], PROOF[:-1], "E_LEN"),
        (bytes(66) + out[66:], PROOF, "E_POINT"),
        (out, b"\4" + PROOF[1:], "E_POINT"),
        (out, PROOF[:132] + b"\0" + PROOF[133:], "E_POINT"),
        (out, b"\5" + PROOF[1:scalars] + big + PROOF[scalars + 32 :], "E_POINT"),
        (out, PROOF[:scalars] + bytes(32) + PROOF[scalars + 32 :], "E_SCALAR"),
        (out, PROOF[:-32] + big, "E_SCALAR"),
        (out, PROOF[:scalars] + big + PROOF[scalars + 32 :], "E_SCALAR"),
        (out, PROOF[:-32] + bytes(32), "E_SHUFFLE"),  # a response of zero is a number like any other
    ]
    for outputs, proof, expected in cases:
        assert code(open_shuffle, CTX, KEY, DECK, outputs, proof) == expected
    assert code(open_shuffle, CTX, KEY, [], b"", bytes(160)) == "E_LEN"
    assert code(verify_shuffle, CTX, KEY, [], [], bytes(160)) == "E_LEN"


def test_commitments_that_are_the_identity_are_refused() -> None:
    """Part 2: responses of zero and points chosen so that sums vanish; nothing crashes or is accepted."""
    places = [group.generator(index + 1) for index in range(4)]  # their sum minus the H is the identity
    zeros = (
        join_points(places) + join_points([group.generator(0)] * 4) + group.scalar_bytes(1) + bytes(12 * 32)
    )
    assert len(zeros) == proof_size(4)
    assert code(verify_shuffle, CTX, KEY, DECK, SHUFFLED, zeros) == "E_SHUFFLE"


def test_a_nonce_of_zero_is_refused() -> None:
    """Part 2: t1 is the identity, and the challenge is right for whoever leaves it out of the hash."""
    matrix = [[int(source == j) for j in range(4)] for source in WITNESS.permutation]
    key, plain_in, plain_out = plain_group.read(KEY.data), plain_cards(DECK), plain_cards(SHUFFLED)
    proof = plain_proofs.prove_shuffle(
        CTX, key, plain_in, plain_out, matrix, WITNESS.factors, b"z", zero_nonce=True
    )
    assert code(verify_shuffle, CTX, KEY, DECK, SHUFFLED, proof) == "E_SHUFFLE"


@pytest.mark.parametrize(("count", "first"), [(4, False), (4, True), (20, False)])
def test_the_number_of_curve_operations(count: int, first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Part 15: 10n + 5 products to prove, 9n + 8 to verify; n fewer for open cards, whose C are all G."""
    deck = open_deck(count)
    if not first:
        deck = shuffle(deck, KEY, CTX, NONCES)[0]
    # Fixed points and sums of them are made once per process, and not in what is counted.
    outputs, proof = make_shuffle(CTX, KEY, deck, NONCES)
    open_shuffle(CTX, KEY, deck, join_points(outputs), proof)
    counts: Counter[str] = Counter()
    library = group._CALLS
    for name in ("c_product", "c_create", "c_combine", "c_parse", "c_serialize"):
        monkeypatch.setattr(library, name, _counting(name, getattr(library, name), counts))
    outputs, proof = make_shuffle(CTX, KEY, deck, NONCES)
    assert counts["c_product"] + counts["c_create"] == 10 * count + 5
    assert counts["c_create"] == 4 * count + 4
    out = join_points(outputs)
    counts.clear()
    open_shuffle(CTX, KEY, deck, out, proof)
    assert counts["c_create"] == count + 4
    assert counts["c_product"] == 8 * count + 4 - (count if first else 0)
    assert (counts["c_combine"], counts["c_parse"], counts["c_serialize"]) == (
        count + 6,
        4 * count,
        count + 5,
    )


def _counting(name: str, real: Callable[..., object], counts: Counter[str]) -> Callable[..., object]:
    """A function that counts its calls."""

    def call(*arguments: object) -> object:
        counts[name] += 1
        return real(*arguments)

    return call
