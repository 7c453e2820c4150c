"""Cheats with cards and tokens: shares, shows, draws, mixes, reshuffles, calls (rows 35 to 54)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import Fault
from pbem.group import Ciphertext, base, card_point, join_points, multiply, negate, parse_points, subtract
from pbem.group import total as sum_points
from pbem.hand import read_slot
from pbem.proofs import prove_dleq
from pbem.table import Table, open_pairs
from tests.pbem.forge import (
    COMMAND,
    MINES,
    PEOPLE,
    Book,
    Cheat,
    Forger,
    Stage,
    expect_refusal,
    next_file,
    open_file,
    set_up,
    small,
    small_terms,
    teams,
)

BOOK = Book()
ALICE, BOB = PEOPLE[:2]


def paid(stage: Stage, after: int) -> Forger:
    """The author of the next file, everything paid."""
    forger = stage.forger(after)
    forger.pay()
    return forger


# Reshuffles


@BOOK.cheat("35", "E_OWED", after=5)
def the_reshuffle_step_left_out(stage: Stage) -> bytes:
    """File 4 has reshuffled; file 5 pays nothing at all."""
    return stage.sealed(stage.forger(5))


def empty_pile() -> Stage:
    """A game of few cards: the pile is empty, two cards are discarded."""
    stage = set_up(small_terms(decks=((COMMAND, 6), (MINES, 3))), PEOPLE[:2])
    forger = next_file(stage.logs[2], 0, ALICE)
    forger.pay()
    forger.show(0)
    forger.show(0)
    forger.reshuffle(COMMAND)
    forger.add("draw", 0, COMMAND, 1)
    stage.publish(forger)
    return stage


@BOOK.cheat("35", "E_OWED", after=2, stage=empty_pile)
def the_pile_is_empty_and_there_is_no_reshuffle(stage: Stage) -> bytes:
    forger = next_file(stage.logs[2], 0, ALICE)
    forger.pay()
    forger.show(0)
    forger.add("draw", 0, COMMAND, 1)
    return stage.sealed(forger)


@BOOK.cheat("36", "E_DECK", after=4)
def a_second_reshuffle_while_one_runs(stage: Stage) -> bytes:
    forger = paid(stage, 4)
    forger.reshuffle(COMMAND)
    joint = forger.table.joint
    assert joint is not None
    forger.force("reshuffle", COMMAND, *forger.shuffle_of(forger.table.decks[COMMAND].pile, joint))
    return stage.sealed(forger)


@BOOK.cheat("36", "E_DECK", after=3)
def a_finished_deck_shuffled_again_unasked(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    joint = forger.table.joint
    assert joint is not None
    forger.force("shuffle", COMMAND, *forger.shuffle_of(forger.table.decks[COMMAND].pile, joint))
    return stage.sealed(forger)


@BOOK.cheat("36", "E_DECK", after=2, stage=empty_pile)
def a_reshuffle_of_nothing(stage: Stage) -> bytes:
    forger = next_file(stage.logs[2], 0, ALICE)
    forger.pay()
    forger.force("reshuffle", COMMAND, b"", b"")
    return stage.sealed(forger)


@BOOK.cheat("37", "E_SHUFFLE", after=4)
def a_discard_replaced_by_another_card(stage: Stage) -> bytes:
    forger = paid(stage, 4)
    joint = forger.table.joint
    assert joint is not None
    discard = forger.table.decks[COMMAND].discard
    other = next(card for card in range(10) if card not in discard)
    inputs = [
        *forger.table.decks[COMMAND].pile,
        *open_pairs(COMMAND, [other, *discard[1:]], joint),
    ]
    forger.force("reshuffle", COMMAND, *forger.shuffle_of(inputs, joint))
    return stage.sealed(forger)


# Shares


def owed(forger: Forger) -> list[Any]:
    """The points whose shares the author owes."""
    return [slot.pair.C for slot in forger.table.owed_slots(forger.side)]


def with_share(stage: Stage, after: int, make: Callable[[Forger], tuple[bytes, bytes]]) -> bytes:
    """The next file with other shares."""
    forger = stage.forger(after)
    forger.force("share", *make(forger))
    return stage.sealed(forger)


@BOOK.cheat("38", "E_DLEQ", after=3)
def a_share_with_another_secret(stage: Stage) -> bytes:
    return with_share(stage, 3, lambda forger: forger.shares(owed(forger), key=999))


@BOOK.cheat("38", "E_DLEQ", after=3)
def a_share_of_another_card(stage: Stage) -> bytes:
    return with_share(stage, 3, lambda forger: forger.shares(owed(forger)[::-1]))


@BOOK.cheat("38", "E_DLEQ", after=3)
def the_proof_of_an_earlier_file(stage: Stage) -> bytes:
    earlier = next(op for op in open_file(stage.files[1])["o"] if op[0] == "share")

    def make(forger: Forger) -> tuple[bytes, bytes]:
        return forger.shares(owed(forger))[0], earlier[2]

    return with_share(stage, 3, make)


@BOOK.cheat("39", "E_DLEQ", after=3)
def two_shares_with_cancelling_errors(stage: Stage) -> bytes:
    """One share plus T, the other minus T: their sum is right."""

    def make(forger: Forger) -> tuple[bytes, bytes]:
        bases = owed(forger)
        good = parse_points(forger.shares(bases)[0], len(bases))
        assert len(good) >= 2
        error = base(4711)
        first, second = sum_points([good[0], error]), sum_points([good[1], negate(error)])
        assert first is not None
        assert second is not None
        false = [first, second, *good[2:]]
        secret = forger.secret
        proof = prove_dleq(secret.key, secret.public, bases, false, forger.ctx, forger.nonces)
        return join_points(false), proof

    return with_share(stage, 3, make)


@BOOK.cheat("40", "E_OWED", after=3)
def the_share_withheld(stage: Stage) -> bytes:
    forger = stage.forger(3)
    forger.say("do", "wait")
    return stage.sealed(forger)


@BOOK.cheat("41", "E_LEN", after=3)
def one_share_too_few(stage: Stage) -> bytes:
    return with_share(stage, 3, lambda forger: forger.shares(owed(forger)[1:]))


@BOOK.cheat("41", "E_LEN", after=3)
def one_share_too_many(stage: Stage) -> bytes:
    return with_share(stage, 3, lambda forger: forger.shares([*owed(forger), base(2)]))


@BOOK.cheat("42", "E_ORDER", after=3)
def a_share_nobody_asked_for(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("share", *forger.shares([base(2)]))
    return stage.sealed(forger)


@BOOK.cheat("43", "E_POINT", after=3)
def a_share_of_zeros(stage: Stage) -> bytes:
    def make(forger: Forger) -> tuple[bytes, bytes]:
        shares, proof = forger.shares(owed(forger))
        return bytes(33) + shares[33:], proof

    return with_share(stage, 3, make)


# Showing cards


@BOOK.cheat("44", "E_DLEQ", after=3)
def a_better_card_claimed(stage: Stage) -> bytes:
    """The share that would make another card of the own one."""
    forger = paid(stage, 3)
    slot = forger.table.hands[1][0]
    held = read_slot(forger.table, slot, forger.secret)
    wished = sum_points([slot.pair.D, negate(card_point(COMMAND, 0 if held else 1))])
    assert wished is not None
    secret = forger.secret
    proof = prove_dleq(secret.key, secret.public, [slot.pair.C], [wished], forger.ctx, forger.nonces)
    forger.force("show", 0, wished.data, proof)
    return stage.sealed(forger)


@BOOK.cheat("44", "E_DLEQ", after=3)
def one_card_shown_twice(stage: Stage) -> bytes:
    """The second time its place holds another card, and the old share does not fit."""
    forger = paid(stage, 3)
    slot = forger.table.hands[1][0]
    forger.show(0)
    forger.force("show", 0, *forger.shares([slot.pair.C]))
    return stage.sealed(forger)


@BOOK.cheat("45", "E_SLOT", after=3)
def a_card_shown_that_is_not_yet_readable(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.add("draw", 1, COMMAND, 1)
    new = forger.table.hands[1][-1]
    forger.force("show", len(forger.table.hands[1]) - 1, *forger.shares([new.pair.C]))
    return stage.sealed(forger)


@BOOK.cheat("45", "E_SLOT", after=3)
def a_slot_out_of_range(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("show", 3, *forger.shares([base(2)]))
    return stage.sealed(forger)


@BOOK.cheat("45", "E_SLOT", after=3)
def a_negative_slot(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("show", -1, *forger.shares([forger.table.hands[1][-1].pair.C]))
    return stage.sealed(forger)


def test_row_46_a_plaintext_that_is_no_card() -> None:
    """Row 46: the state is damaged on purpose, for correct proofs never lead there."""
    stage = small()
    log = stage.logs[3].copy()
    table = log.table
    assert table is not None
    slot = table.hands[1][1]
    shifted = sum_points([slot.pair.D, base(1)])
    assert shifted is not None
    table.hands[1][1] = slot._replace(pair=Ciphertext(slot.pair.C, shifted))
    with pytest.raises(Fault) as caught:
        log.check(stage.files[3])  # shows this card
    assert caught.value.code == "E_CARD"


def test_row_46_a_card_that_lies_in_the_discard() -> None:
    """Row 46: a second copy of a discarded card, again by damage."""
    stage = small()
    log = stage.logs[3].copy()
    table = log.table
    assert table is not None
    shown = next(entry for entry in stage.logs[4].entries[3].actions if entry.name == "show").value
    table.decks[COMMAND].discard.append(shown.card)
    with pytest.raises(Fault) as caught:
        log.check(stage.files[3])
    assert caught.value.code == "E_CARD"


# Drawing


def drawing(stage: Stage, *arguments: Any) -> bytes:
    """File 3 with a draw."""
    forger = paid(stage, 3)
    forger.force("draw", *arguments)
    return stage.sealed(forger)


@BOOK.cheat("47", "E_DRAW", after=3)
def more_drawn_than_exists(stage: Stage) -> bytes:
    return drawing(stage, 1, COMMAND, 11)


@BOOK.cheat("47", "E_DRAW", after=3)
def more_drawn_than_is_left(stage: Stage) -> bytes:
    return drawing(stage, 1, COMMAND, 5)


@BOOK.cheat("47", "E_DRAW", after=3)
def zero_cards_drawn(stage: Stage) -> bytes:
    return drawing(stage, 1, COMMAND, 0)


@BOOK.cheat("47", "E_DRAW", after=3)
def a_negative_draw(stage: Stage) -> bytes:
    return drawing(stage, 1, COMMAND, -1)


@BOOK.cheat("47", "E_DRAW", after=3)
def drawn_into_the_opponents_hand(stage: Stage) -> bytes:
    return drawing(stage, 0, COMMAND, 1)


@BOOK.cheat("47", "E_DRAW", after=3)
def drawn_for_a_seat_that_does_not_exist(stage: Stage) -> bytes:
    return drawing(stage, 2, COMMAND, 1)


@BOOK.cheat("47", "E_DRAW", after=3)
def drawn_for_a_place_below_the_board(stage: Stage) -> bytes:
    return drawing(stage, -2, COMMAND, 1)


@BOOK.cheat("48", "E_DECK", after=3)
def drawn_from_an_unknown_deck(stage: Stage) -> bytes:
    return drawing(stage, 1, "orders", 1)


# Mixing


@BOOK.cheat("49", "E_SHUFFLE", after=3)
def a_mix_that_brings_in_a_card_of_the_pile(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    hand = [slot.pair for slot in forger.table.hands[1]]
    inputs = [*hand[:-1], forger.table.decks[COMMAND].pile[0]]
    forger.force("mix", COMMAND, *forger.shuffle_of(inputs, forger.secret.public))
    return stage.sealed(forger)


@BOOK.cheat("49", "E_SHUFFLE", after=3)
def a_mix_that_brings_in_an_open_card(stage: Stage) -> bytes:
    """A card of the own choice, encrypted under the own key."""
    forger = paid(stage, 3)
    hand = [slot.pair for slot in forger.table.hands[1]]
    inputs = [*hand[:-1], *open_pairs(COMMAND, [3], forger.secret.public)]
    forger.force("mix", COMMAND, *forger.shuffle_of(inputs, forger.secret.public))
    return stage.sealed(forger)


@BOOK.cheat("49", "E_LEN", after=3)
def a_mix_without_one_of_the_cards(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    hand = [slot.pair for slot in forger.table.hands[1]]
    forger.force("mix", COMMAND, *forger.shuffle_of(hand[1:], forger.secret.public))
    return stage.sealed(forger)


@BOOK.cheat("50", "E_ORDER", after=3)
def a_deck_mixed_twice_in_a_file(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.mix(COMMAND)
    hand = [slot.pair for slot in forger.table.hands[1]]
    forger.force("mix", COMMAND, *forger.shuffle_of(hand, forger.secret.public))
    return stage.sealed(forger)


def unmixed() -> Stage:
    """A game whose terms do not allow mixing."""
    return set_up(small_terms(mix=False), PEOPLE[:2])


@BOOK.cheat("50", "E_ORDER", after=2, stage=unmixed)
def a_hand_mixed_though_not_agreed(stage: Stage) -> bytes:
    forger = next_file(stage.logs[2], 0, ALICE)
    forger.pay()
    hand = [slot.pair for slot in forger.table.hands[0]]
    forger.force("mix", COMMAND, *forger.shuffle_of(hand, forger.secret.public))
    return stage.sealed(forger)


# Laying, passing, tokens


@BOOK.cheat("51", "E_SLOT", after=3)
def a_card_laid_twice(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.add("lay", 0)
    forger.force("lay", 0)
    return stage.sealed(forger)


@BOOK.cheat("51", "E_SLOT", after=3)
def a_card_passed_to_the_other_side(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("pass", 0, 0)
    return stage.sealed(forger)


@BOOK.cheat("51", "E_SLOT", after=3)
def a_card_passed_to_oneself(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("pass", 0, 1)
    return stage.sealed(forger)


@BOOK.cheat("51", "E_SLOT", after=3, stage=teams)
def a_mates_card_passed_on(stage: Stage) -> bytes:
    """Seat 2 names a place that only seat 0's hand has."""
    forger = stage.forger(3)
    forger.force("pass", 5, 0)
    return stage.sealed(forger)


@BOOK.cheat("52", "E_OWED", after=3)
def a_token_called_without_the_own_share(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.add("call", 1)
    return stage.sealed(forger)


@BOOK.cheat("53", "E_SLOT", after=3)
def a_token_called_twice(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("call", 0)  # file 2 has called it, and its share has just made it public
    return stage.sealed(forger)


@BOOK.cheat("53", "E_SLOT", after=3)
def a_token_called_while_it_is_being_opened(stage: Stage) -> bytes:
    forger = stage.forger(3)
    forger.force("call", 0)
    return stage.sealed(forger)


@BOOK.cheat("53", "E_SLOT", after=3)
def a_token_thrown_away_unread(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("bin", 1)
    return stage.sealed(forger)


@BOOK.cheat("53", "E_SLOT", after=3)
def a_token_that_does_not_exist(stage: Stage) -> bytes:
    forger = paid(stage, 3)
    forger.force("call", -1)
    return stage.sealed(forger)


@BOOK.cheat("54", "E_DLEQ", after=3)
def a_tokens_value_forged(stage: Stage) -> bytes:
    """The last share of the called token is chosen so that it would read as another one."""

    def make(forger: Forger) -> tuple[bytes, bytes]:
        slots = forger.table.owed_slots(1)
        good = parse_points(forger.shares([slot.pair.C for slot in slots])[0], len(slots))
        token = slots[-1]
        assert token.deck == MINES
        values = [sum_points([token.pair.D, negate(card_point(MINES, number))]) for number in range(3)]
        wished = next(value for value in values if value is not None and value != good[-1])
        false = [*good[:-1], wished]
        secret = forger.secret
        bases = [slot.pair.C for slot in slots]
        proof = prove_dleq(secret.key, secret.public, bases, false, forger.ctx, forger.nonces)
        return join_points(false), proof

    return with_share(stage, 3, make)


def test_no_card_is_lost_or_doubled_in_the_small_game() -> None:
    """The honest run beside the cheats: with both secrets every card of both decks is there once."""
    stage = small()
    for log in stage.logs[2:]:
        assert log.table is not None
        assert cards_of(log.table) == {COMMAND: list(range(10)), MINES: list(range(3))}


def cards_of(table: Table) -> dict[str, list[int]]:
    """All cards by deck, read with both secrets."""
    keys = [next_file(small().logs[2 + side], side, PEOPLE[side]).secret.key for side in (0, 1)]
    found: dict[str, list[int]] = {}
    numbers = {card_point(deck, k): k for deck, size in small().terms.decks for k in range(size)}
    for name, deck in table.decks.items():
        pairs: list[tuple[Ciphertext, tuple[int, ...]]] = [(pair, (0, 1)) for pair in deck.pile]
        for seat, hand in enumerate(table.hands):
            pairs += [(slot.pair, (seat, *slot.need)) for slot in hand if slot.deck == name]
        hidden = [slot for slot in table.board if slot.deck == name and slot.card is None]
        pairs += [(slot.pair, slot.need or (0, 1)) for slot in hidden]
        read = [numbers[plain(pair, sum(keys[side] for side in sides))] for pair, sides in pairs]
        lying = [slot.card for slot in table.board if slot.deck == name and slot.card is not None]
        found[name] = sorted([*read, *deck.discard, *lying])
    return found


def plain(pair: Ciphertext, key: int) -> Any:
    """What is inside a ciphertext."""
    return subtract(pair.D, multiply(key, pair.C))


@pytest.mark.parametrize("cheat", BOOK.params())
def test_a_cheat_with_cards_is_refused(cheat: Cheat) -> None:
    expect_refusal(cheat)
