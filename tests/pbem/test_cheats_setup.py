"""Cheats in the two set-up files: terms, keys, first shuffles, salts (rows 18, 20 to 34, 70 to 72)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.canon import encode
from pbem.container import pack
from pbem.errors import Fault
from pbem.gamekeys import GameSecret, game_secret
from pbem.group import ORDER, Ciphertext, card_point, join_points, negate, parse_ciphertexts, scalar_bytes
from pbem.group import total as sum_points
from pbem.log import ZERO, Log, game_id
from pbem.proofs import prove_pok
from pbem.shuffle import encrypt_again
from tests.pbem.forge import (
    COMMAND,
    MINES,
    PEOPLE,
    STRANGER,
    Book,
    Cheat,
    Forger,
    Stage,
    begin_answer,
    begin_offer,
    chain_of,
    dishonest_shuffle,
    expect_refusal,
    next_file,
    open_file,
    salt_of,
    set_up,
    small,
    small_terms,
    teams,
)

BOOK = Book()
ALICE, BOB = PEOPLE[:2]
KEY = 1  # place of the key op in file 0; in file 1 it is 0
P = 2**256 - 2**32 - 977


def key_of(body: dict[str, Any]) -> list[Any]:
    """The key op of a set-up file."""
    op = body["o"][KEY - body["n"]]
    assert isinstance(op, list)
    return op


def answer(stage: Stage, **facts: Any) -> Forger:
    """Bob's answer before its first op."""
    return begin_answer(stage.logs[1], BOB, [BOB.pk], **facts)


def with_key(stage: Stage, change: Callable[[list[Any]], None]) -> bytes:
    """Bob's answer with another key op; the game's id is made again to fit."""

    def apply(body: dict[str, Any]) -> None:
        op = key_of(body)
        change(op)
        body["g"] = game_id(stage.logs[1].previous, op[1], op[3], body["s"])

    return stage.changed(1, apply)


def with_public(stage: Stage, public: bytes) -> bytes:
    """Bob's answer with another game key and the old proof."""

    def change(op: list[Any]) -> None:
        op[3] = public

    return with_key(stage, change)


# Dice


def copied_chain() -> Stage:
    """A game in which Bob has committed to Alice's chain of seeds."""
    stage = Stage(small().terms, PEOPLE[:2], small().files[:1], small().logs[:2])
    forger = answer(stage, anchor=open_file(stage.files[0])["s"])
    forger.write_key([BOB.pk], salt_of(BOB))
    for deck, _ in stage.terms.decks:
        forger.write_switch(deck)
        forger.write_shuffle(deck)
    forger.share()
    stage.publish(forger)
    first = stage_turn(stage, 0)
    first.pay()
    stage.publish(first)
    return stage


def stage_turn(stage: Stage, seat: int) -> Forger:
    """The next file of a seat."""
    return next_file(stage.logs[-1], seat, stage.people[seat])


@BOOK.cheat("18", "E_SEED", after=3, stage=copied_chain)
def the_opponents_chain_committed_and_opened(stage: Stage) -> bytes:
    opened = open_file(stage.files[2])["s"]  # Alice's first link, which Bob has just seen
    body = open_file(small().files[3])
    log = stage.logs[3]
    body.update(g=log.game, p=log.previous, s=opened)
    body["h"] = chain_of(body)[-1]
    return pack(encode(body), BOB)


# Knowing the key


@BOOK.cheat("20", "E_POK", after=1)
def a_forged_proof_of_knowing_the_key(stage: Stage) -> bytes:
    def change(op: list[Any]) -> None:
        op[5] = scalar_bytes(5) + scalar_bytes(7)

    return with_key(stage, change)


@BOOK.cheat("20", "E_POK", after=1)
def a_rogue_key(stage: Stage) -> bytes:
    """X1 = T − X0, so that the joint key is T, whose secret Bob knows."""
    log = stage.logs[1]
    assert log.table is not None
    known = GameSecret(b"t" * 32)
    rogue = sum_points([known.public, negate(log.table.keys[0])])
    assert rogue is not None
    forger = answer(stage)
    proof = prove_pok(known.key, known.public, forger.ctx, encode([BOB.pk]), salt_of(BOB), b"", forger.nonces)

    def change(op: list[Any]) -> None:
        op[3], op[5] = rogue.data, proof

    return with_key(stage, change)


@BOOK.cheat("20", "E_POK", after=0)
def proofs_moved_to_other_terms(stage: Stage) -> bytes:
    other = set_up(small_terms(extra={"other": 1}), PEOPLE[:2])

    def change(body: dict[str, Any]) -> None:
        body["o"][1:] = open_file(stage.files[0])["o"][1:]

    return other.changed(0, change)


@BOOK.cheat("20", "E_POK", after=1)
def responses_that_make_the_commitment_the_identity(stage: Stage) -> bytes:
    secret = game_secret(BOB.master, salt_of(BOB), BOB.pk)

    def change(op: list[Any]) -> None:
        op[5] = scalar_bytes(3) + scalar_bytes(3 * secret.key % ORDER)

    return with_key(stage, change)


# Keys


@BOOK.cheat("21", "E_KEY", after=1)
def the_opponents_key_and_proof_replayed(stage: Stage) -> bytes:
    _, _, salt, public, boxes, proof = key_of(open_file(stage.files[0]))

    def change(op: list[Any]) -> None:
        op[2:] = [salt, public, boxes, proof]

    return with_key(stage, change)


@BOOK.cheat("21", "E_KEY", after=1)
def an_uninvited_player(stage: Stage) -> bytes:
    def change(op: list[Any]) -> None:
        op[1] = [STRANGER.pk]

    return with_key(stage, change)


def open_invitation() -> Stage:
    """A game offered to anybody."""
    return set_up(small_terms(pk=(ALICE.pk, None)), PEOPLE[:2])


@BOOK.cheat("21", "E_KEY", after=1, stage=open_invitation)
def one_identity_on_both_sides(stage: Stage) -> bytes:
    def change(op: list[Any]) -> None:
        op[1] = [ALICE.pk]

    return with_key(stage, change)


@BOOK.cheat("21", "E_KEY", after=1)
def the_negative_of_the_opponents_key(stage: Stage) -> bytes:
    table = stage.logs[1].table
    assert table is not None
    return with_public(stage, negate(table.keys[0]).data)


@BOOK.cheat("21", "E_KEY", after=1)
def a_key_that_takes_a_card_away(stage: Stage) -> bytes:
    """X1 = −M − X0, so that the joint key is the negative of a card."""
    table = stage.logs[1].table
    assert table is not None
    bad = sum_points([negate(card_point(COMMAND, 4)), negate(table.keys[0])])
    assert bad is not None
    return with_public(stage, bad.data)


@pytest.mark.parametrize(
    ("name", "public"),
    [
        ("zeros", bytes(33)),
        ("x not below p", b"\x02" + P.to_bytes(32, "big")),
        ("not on the curve", b"\x02" + (5).to_bytes(32, "big")),
        ("a hybrid prefix", b"\x06" + (1).to_bytes(32, "big")),
        ("the prefix of the long form", b"\x04" + (1).to_bytes(32, "big")),
    ],
)
def test_row_22_a_key_is_a_canonical_point(name: str, public: bytes) -> None:
    expect_refusal(Cheat("22", "E_POINT", 1, small, lambda stage: with_public(stage, public)))


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("response not below the order", (5, ORDER)),
        ("challenge not below the order", (ORDER, 5)),
        ("response of all ones", (5, 2**256 - 1)),
        ("challenge zero", (0, 5)),
    ],
)
def test_row_23_proofs_have_canonical_scalars(name: str, numbers: tuple[int, int]) -> None:
    def change(op: list[Any]) -> None:
        op[5] = b"".join(number.to_bytes(32, "big") for number in numbers)

    expect_refusal(Cheat("23", "E_SCALAR", 1, small, lambda stage: with_key(stage, change)))


# Terms


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"table": [[MINES, 4]]}, id="more tokens dealt than exist"),
        pytest.param(
            {"seats": [[0, True, [[COMMAND, 8]]], [1, True, [[COMMAND, 3]]]]}, id="more cards dealt"
        ),
        pytest.param({"retreat": "never"}, id="unknown retreat mode"),
        pytest.param({"retreat": "sheet", "sheet": False}, id="retreat by sheet without sheets"),
        pytest.param({"dice": "instant", "retreat": "strict"}, id="strict in an instant game"),
        pytest.param({"dice": "instant"}, id="live in an instant game"),
        pytest.param({"dice": "sealed", "retreat": "stand"}, id="standing orders in a sealed game"),
        pytest.param({"dice": "loaded"}, id="other dice"),
        pytest.param({"proto": 2}, id="another protocol"),
        pytest.param({"first": 2}, id="a seat that does not exist moves first"),
        pytest.param({"first": True}, id="first is no number"),
        pytest.param({"decks": [[COMMAND, 10], [COMMAND, 3]]}, id="two decks of one name"),
        pytest.param({"decks": [[COMMAND, 161], [MINES, 3]]}, id="a deck too large"),
        pytest.param({"decks": [["com mand", 10], [MINES, 3]]}, id="a strange deck name"),
        pytest.param({"seats": [[1, True, []], [0, True, []]]}, id="sides exchanged"),
        pytest.param({"seats": [[0, False, []], [1, True, []]]}, id="seat 0 without a key"),
        pytest.param({"pk": [None, BOB.pk]}, id="the inviter without a name"),
        pytest.param({"pk": [ALICE.pk, BOB.pk[:31]]}, id="an identity too short"),
        pytest.param({"pk": [ALICE.pk]}, id="an identity missing"),
        pytest.param({"mix": 1}, id="a number for a switch"),
        pytest.param({"scenario": b""}, id="no scenario"),
        pytest.param({"extra": []}, id="extra is no map"),
        pytest.param({"house": "rules"}, id="an unknown field"),
        pytest.param({"seats": [[0, True, [[COMMAND, 0]]], [1, True, []]]}, id="no card dealt"),
    ],
)
def test_row_24_terms_are_exact(changes: dict[str, Any]) -> None:
    def make(stage: Stage) -> bytes:
        return stage.changed(0, lambda body: body["o"][0][1].update(changes))

    expect_refusal(Cheat("24", "E_TERMS", 0, small, make))


def test_one_identity_in_two_seats_of_the_inviting_side() -> None:
    """Own idea: the offer itself names one person twice; it is refused with the answer at the latest."""
    terms = small_terms(PEOPLE, seats=teams().terms.seats, pk=(ALICE.pk, None, ALICE.pk, None))
    forger = begin_offer(terms, ALICE)
    forger.write_key([ALICE.pk, ALICE.pk], salt_of(ALICE), bytes(80))
    for deck, _ in terms.decks:
        forger.write_shuffle(deck)
    log, _ = Log().check(forger.seal(ALICE, ZERO))
    reply = begin_answer(teams().logs[1], BOB, [BOB.pk, PEOPLE[3].pk])
    body = open_file(reply.seal(BOB, ZERO))
    body["o"].append(["key", [BOB.pk, PEOPLE[3].pk], bytes(32), bytes(33), b"", bytes(64)])
    body["p"] = log.previous
    with pytest.raises(Fault, match="E_KEY"):
        log.check(pack(encode(body), BOB))


# Switch and shuffles


def keyed(stage: Stage) -> Forger:
    """Bob's answer up to his key."""
    forger = answer(stage)
    forger.write_key([BOB.pk], salt_of(BOB))
    return forger


def switched(stage: Stage) -> Forger:
    """Bob's answer up to his first switch."""
    forger = keyed(stage)
    forger.write_switch(COMMAND)
    return forger


def pile_of(forger: Forger) -> list[Ciphertext]:
    """The cards of the command deck."""
    return forger.table.decks[COMMAND].pile


@BOOK.cheat("25", "E_DLEQ", after=1)
def a_key_switch_with_another_secret(stage: Stage) -> bytes:
    forger = keyed(stage)
    forger.force("switch", COMMAND, *forger.shares([pair.C for pair in pile_of(forger)], key=12345))
    return stage.sealed(forger)


@BOOK.cheat("26", "E_OWED", after=1)
def the_key_switch_left_out(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body["o"].pop(1))


@BOOK.cheat("26", "E_OWED", after=1)
def the_last_shuffle_left_out(stage: Stage) -> bytes:
    def change(body: dict[str, Any]) -> None:
        del body["o"][-2:]

    return stage.changed(1, change)


@BOOK.cheat("26", "E_OWED", after=0)
def a_shuffle_of_the_offer_left_out(stage: Stage) -> bytes:
    return stage.changed(0, lambda body: body["o"].pop())


def shuffled(stage: Stage, change: Callable[[list[Ciphertext]], None]) -> bytes:
    """Bob's shuffle with outputs changed after proving."""
    forger = switched(stage)
    pile = pile_of(forger)
    assert forger.table.joint is not None
    out, proof = forger.shuffle_of(pile, forger.table.joint)
    cards = parse_ciphertexts(out, len(pile))
    change(cards)
    forger.force("shuffle", COMMAND, join_points(cards), proof)
    return stage.sealed(forger)


@BOOK.cheat("27", "E_SHUFFLE", after=1)
def a_card_replaced(stage: Stage) -> bytes:
    joint = switched(stage).table.joint
    assert joint is not None
    copied = encrypt_again(pile_of(switched(stage))[3], joint, 77)
    return shuffled(stage, lambda cards: cards.__setitem__(0, copied))


@BOOK.cheat("27", "E_SHUFFLE", after=1)
def a_ciphertext_doubled(stage: Stage) -> bytes:
    return shuffled(stage, lambda cards: cards.__setitem__(0, cards[1]))


@BOOK.cheat("27", "E_SHUFFLE", after=1)
def two_outputs_swapped_after_proving(stage: Stage) -> bytes:
    return shuffled(stage, lambda cards: cards.insert(0, cards.pop()))


def with_matrix(stage: Stage, matrix: list[list[int]]) -> bytes:
    """Bob's shuffle by a full dishonest prover."""
    forger = switched(stage)
    assert forger.table.joint is not None
    size = len(pile_of(forger))
    whole = [[int(i == j) for j in range(size)] for i in range(size)]
    for place, row in enumerate(matrix):
        whole[place] = row + [0] * (size - len(row))
    made = dishonest_shuffle(forger.ctx, forger.table.joint, pile_of(forger), whole)
    forger.force("shuffle", COMMAND, *made)
    return stage.sealed(forger)


@BOOK.cheat("28", "E_SHUFFLE", after=1)
def one_card_twice_and_one_missing(stage: Stage) -> bytes:
    return with_matrix(stage, [[1, 0], [1, 0]])


@BOOK.cheat("29", "E_SHUFFLE", after=1)
def twice_one_card_less_another(stage: Stage) -> bytes:
    return with_matrix(stage, [[2, ORDER - 1], [0, 1]])


def test_the_dishonest_prover_is_accepted_with_an_honest_matrix() -> None:
    """The proof that the prover of rows 28 and 29 fails for its matrix and for nothing else."""
    stage = small()
    with pytest.raises(Fault, match="E_OWED"):  # the rest of the file is missing, the shuffle is good
        stage.logs[1].check(with_matrix(stage, [[0, 1], [1, 0]]))


@BOOK.cheat("30", "E_SHUFFLE", after=1)
def c_and_d_encrypted_differently(stage: Stage) -> bytes:
    def change(cards: list[Ciphertext]) -> None:
        joint = switched(stage).table.joint
        assert joint is not None
        cards[0] = Ciphertext(cards[0].C, encrypt_again(cards[0], joint, 9).D)

    return shuffled(stage, change)


@BOOK.cheat("30", "E_SHUFFLE", after=1)
def another_list_of_inputs(stage: Stage) -> bytes:
    forger = switched(stage)
    assert forger.table.joint is not None
    forger.force("shuffle", COMMAND, *forger.shuffle_of(pile_of(forger)[::-1], forger.table.joint))
    return stage.sealed(forger)


@BOOK.cheat("30", "E_SHUFFLE", after=1)
def another_key(stage: Stage) -> bytes:
    forger = switched(stage)
    forger.force("shuffle", COMMAND, *forger.shuffle_of(pile_of(forger), forger.secret.public))
    return stage.sealed(forger)


@BOOK.cheat("30", "E_SHUFFLE", after=1)
def another_context(stage: Stage) -> bytes:
    forger = switched(stage)
    assert forger.table.joint is not None
    here, forger.chain = forger.chain, ZERO
    made = forger.shuffle_of(pile_of(forger), forger.table.joint)
    forger.chain = here
    forger.force("shuffle", COMMAND, *made)
    return stage.sealed(forger)


def test_row_31_every_single_response_counts() -> None:
    """Row 31: each response scalar of a shuffle plus one, all of them in turn."""
    stage = small()
    honest = open_file(stage.files[1])["o"][2]
    count = 10
    start = 66 * count + 32  # behind the points and the challenge
    responses = range(start, len(honest[3]), 32)
    assert len(responses) == 4 + 2 * count
    for place in responses:
        number = (int.from_bytes(honest[3][place : place + 32], "big") + 1) % ORDER
        proof = honest[3][:place] + scalar_bytes(number) + honest[3][place + 32 :]

        def make(stage: Stage, proof: bytes = proof) -> bytes:
            return stage.changed(1, lambda body: body["o"][2].__setitem__(3, proof))

        with pytest.raises(Fault) as caught:
            stage.logs[1].check(make(stage))
        assert caught.value.code == "E_SHUFFLE"
        assert caught.value.op == 2


@BOOK.cheat("32", "E_SHUFFLE", after=0)
def a_shuffle_of_another_game(stage: Stage) -> bytes:
    other = set_up(small_terms(extra={"other": 1}), PEOPLE[:2])  # the same keys: the same open deck
    taken = open_file(other.files[0])["o"][2]
    return stage.changed(0, lambda body: body["o"].__setitem__(2, taken))


@BOOK.cheat("33", "E_LEN", after=1)
def a_card_left_out(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body["o"][2].__setitem__(2, body["o"][2][2][66:]))


@BOOK.cheat("33", "E_LEN", after=1)
def a_proof_for_fewer_cards(stage: Stage) -> bytes:
    forger = switched(stage)
    assert forger.table.joint is not None
    forger.force("shuffle", COMMAND, *forger.shuffle_of(pile_of(forger)[1:], forger.table.joint))
    return stage.sealed(forger)


@BOOK.cheat("33", "E_LEN", after=1)
def a_key_in_the_long_form(stage: Stage) -> bytes:
    return with_public(stage, b"\x04" + bytes(64))


@BOOK.cheat("34", "E_POINT", after=1)
def a_ciphertext_of_zeros(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body["o"][2].__setitem__(2, bytes(66) + body["o"][2][2][66:]))


@BOOK.cheat("34", "E_POINT", after=1)
def a_commitment_with_another_prefix(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body["o"][2].__setitem__(3, b"\x05" + body["o"][2][3][1:]))


# Salts, boxes, notes


@BOOK.cheat("70", "E_POK", after=1)
def the_salt_changed(stage: Stage) -> bytes:
    return with_key(stage, lambda op: op.__setitem__(2, bytes(32)))


@BOOK.cheat("70", "E_POK", after=1)
def the_opponents_salt_put_in(stage: Stage) -> bytes:
    salt = key_of(open_file(stage.files[0]))[2]
    return with_key(stage, lambda op: op.__setitem__(2, salt))


@BOOK.cheat("70", "E_POK", after=0, stage=teams)
def the_box_exchanged(stage: Stage) -> bytes:
    return stage.changed(0, lambda body: key_of(body).__setitem__(4, bytes(80)))


@BOOK.cheat("71", "E_LEN", after=1)
def the_salt_too_short(stage: Stage) -> bytes:
    return with_key(stage, lambda op: op.__setitem__(2, bytes(31)))


@BOOK.cheat("71", "E_LEN", after=1)
def a_box_for_nobody(stage: Stage) -> bytes:
    return with_key(stage, lambda op: op.__setitem__(4, bytes(80)))


@BOOK.cheat("71", "E_LEN", after=0, stage=teams)
def a_key_holder_without_a_box(stage: Stage) -> bytes:
    return stage.changed(0, lambda body: key_of(body).__setitem__(4, b""))


@BOOK.cheat("71", "E_LEN", after=3)
def a_note_too_long(stage: Stage) -> bytes:
    forger = stage.forger(3)
    forger.pay()
    forger.force("note", bytes(4097))
    return stage.sealed(forger)


@BOOK.cheat("71", "E_LEN", after=3)
def an_empty_note(stage: Stage) -> bytes:
    forger = stage.forger(3)
    forger.pay()
    forger.force("note", b"")
    return stage.sealed(forger)


@BOOK.cheat("72", "E_ORDER", after=1)
def the_salt_left_out(stage: Stage) -> bytes:
    """The key op then has five members, and the game's id cannot be made."""
    return stage.changed(1, lambda body: key_of(body).pop(2))


@BOOK.cheat("72", "E_ORDER", after=3)
def two_notes(stage: Stage) -> bytes:
    forger = stage.forger(3)
    forger.pay()
    forger.note("one")
    forger.force("note", b"two")
    return stage.sealed(forger)


@BOOK.cheat("72", "E_ORDER", after=5, stage=teams)
def a_note_by_a_seat_without_key(stage: Stage) -> bytes:
    forger = stage.forger(5)
    forger.force("note", b"secret")
    return stage.sealed(forger)


@pytest.mark.parametrize("cheat", BOOK.params())
def test_a_cheat_at_the_set_up_is_refused(cheat: Cheat) -> None:
    expect_refusal(cheat)
