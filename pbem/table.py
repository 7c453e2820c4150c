"""The card table: encrypted decks, hands and board tokens, and what may be done with them (protocol, part 8).

Theory of operation. A deck is a list of ciphertexts that nobody can read alone. A card that leaves its deck
becomes a slot in a hand or on the board; `need` says whose share of the decryption is missing. Who owes which
share or shuffle is a function of this state alone, so nothing is ever requested or acknowledged. Every change
comes with a proof, and the methods here check it before they change anything. This module knows no rules of
the game, no files and no secrets.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from pbem.canon import pack
from pbem.errors import Fault
from pbem.group import (
    CIPHERTEXT_SIZE,
    Ciphertext,
    G,
    Point,
    believe_points,
    card_point,
    join_cards,
    pair_points,
    subtract,
    total,
)
from pbem.hashing import h32
from pbem.proofs import open_shares
from pbem.shuffle import open_shuffle
from pbem.terms import BOARD, Terms

NOBODY = -1  # no side's shuffle is due


class Slot(NamedTuple):
    """A card that has left its deck."""

    serial: int  # counts the slots of this game; known to the program, not part of the digest
    nth: int  # counts the cards that came to this place, from 0; likewise
    deck: str
    pair: Ciphertext
    need: tuple[int, ...]  # sides whose share is missing, ascending
    laid: bool = False  # lies apart, face down, and is not mixed
    card: int | None = None  # number, if it lies open on the board


class DeckState:
    """One deck: what is left of it, who waits for its cards, what was discarded, whose shuffle is due."""

    __slots__ = ("_whole", "discard", "pile", "tickets", "wait")

    def __init__(self, pile: list[Ciphertext], wait: int = NOBODY) -> None:
        self.tickets: list[int] = []
        self.discard: list[int] = []
        self.wait = wait
        self.replace(pile)

    def replace(self, pile: list[Ciphertext]) -> None:
        """Put other cards into the place of the pile."""
        self.pile = pile
        self._whole = b""  # the bytes of the pile, or of a longer one that it is the rest of

    def take(self) -> Ciphertext:
        """The top card, which leaves the pile."""
        return self.pile.pop(0)

    def pile_bytes(self) -> bytes:
        """The ciphertexts of the pile one after another, as the digest wants them."""
        size = CIPHERTEXT_SIZE * len(self.pile)
        if not self._whole:
            self._whole = join_cards(self.pile)
        return self._whole[len(self._whole) - size :]

    def copy(self) -> DeckState:
        """A copy that can be changed by itself."""
        new = DeckState(list(self.pile), self.wait)
        new.tickets, new.discard, new._whole = list(self.tickets), list(self.discard), self._whole
        return new


class Shown(NamedTuple):
    """A card that its owner has turned up."""

    nth: int  # which of the cards dealt to this seat it was
    deck: str
    card: int


@cache
def card_numbers(deck: str, size: int) -> dict[bytes, int]:
    """The number of each card of a deck by its point."""
    return {card_point(deck, k).data: k for k in range(size)}


def open_pairs(deck: str, cards: list[int], key: Point) -> list[Ciphertext]:
    """Ciphertexts with known content: randomness 1, so that no identity appears."""
    pairs = []
    for k in cards:
        d = total([card_point(deck, k), key])
        if d is None:
            raise Fault("E_KEY", "a card point is the negative of the key")
        pairs.append(Ciphertext(G, d))
    return pairs


class Table:
    """The cards of one game. Methods that change it raise Fault before the first change."""

    def __init__(self, terms: Terms, *, trusting: bool = False) -> None:
        self.terms = terms
        self.trusting = trusting  # proofs were checked when the file was accepted: read, do not check again
        self.keys: list[Point] = []  # the sides' game keys, as far as they are known
        self.joint: Point | None = None
        self.decks: dict[str, DeckState] = {}
        self.hands: list[list[Slot]] = [[] for _ in terms.seats]
        self.board: list[Slot] = []
        self.serial = 0
        self.given = [0 for _ in (*terms.seats, None)]  # cards that came to each hand and to the board
        self.ended = False

    def copy(self) -> Table:
        """A copy that can be changed by itself."""
        new = Table(self.terms, trusting=self.trusting)
        new.keys, new.joint = list(self.keys), self.joint
        new.decks = {name: deck.copy() for name, deck in self.decks.items()}
        new.hands = [list(hand) for hand in self.hands]
        new.board = list(self.board)
        new.serial, new.ended, new.given = self.serial, self.ended, list(self.given)
        return new

    # Setting up (part 6)

    def take_key(self, key: Point) -> None:
        """Take the game key of the next side; the first one makes the open decks (E_KEY)."""
        if not self.keys:
            for name, size in self.terms.decks:
                self.decks[name] = DeckState(open_pairs(name, list(range(size)), key))
            self.keys.append(key)
            return
        joint = total([self.keys[0], key])
        if joint is None or key == self.keys[0]:
            raise Fault("E_KEY", "the two game keys do not go together")
        for name, size in self.terms.decks:
            open_pairs(name, list(range(size)), joint)
        self.keys.append(key)
        self.joint = joint

    def switch(self, name: str, shares: bytes, proof: bytes, ctx: bytes) -> None:
        """Side 1 adds its key to every card of a deck."""
        deck = self.decks[name]
        points = self._open_shares(self.keys[1], [pair.C for pair in deck.pile], shares, ctx, proof)
        pile = []
        for pair, share in zip(deck.pile, points, strict=True):
            d = total([pair.D, share])
            if d is None:
                raise Fault("E_DLEQ", "a card would lose its key")
            pile.append(Ciphertext(pair.C, d))
        deck.replace(pile)

    def first_shuffle(self, name: str, out: bytes, proof: bytes, ctx: bytes) -> None:
        """A shuffle of the set-up: by side 0 under its own key, by side 1 under the joint one."""
        deck = self.decks[name]
        key = self.keys[0] if self.joint is None else self.joint
        deck.replace(self._open_shuffle(ctx, key, deck.pile, out, proof))

    def deal(self) -> None:
        """Deal the hands, then the cards of the board (6.3)."""
        for place, seat in enumerate(self.terms.seats):
            for name, count in seat.deal:
                self.decks[name].tickets += [place] * count
                self._settle(name)
        for name, count in self.terms.table:
            self.decks[name].tickets += [BOARD] * count
            self._settle(name)

    # What is owed (8.2)

    def owed_slots(self, side: int) -> list[Slot]:
        """The slots whose share a side owes, in the order in which it is paid."""
        return [slot for slots in (*self.hands, self.board) for slot in slots if side in slot.need]

    def owed_shuffles(self, side: int) -> list[str]:
        """The decks that wait for a side's shuffle."""
        return [name for name, deck in self.decks.items() if deck.wait == side]

    def owes(self, side: int) -> str:
        """What a side owes, in words; empty if nothing."""
        if self.owed_slots(side):
            return "a share for a card"
        if self.owed_shuffles(side):
            return "a shuffle"
        return ""

    def starved(self) -> str:
        """A deck with a ticket in front of an empty pile whose discard could be reshuffled, or ""."""
        for name, deck in self.decks.items():
            if deck.tickets and not deck.pile and deck.wait == NOBODY and deck.discard:
                return name
        return ""

    # Ops (8.3)

    def share(self, side: int, shares: bytes, proof: bytes, ctx: bytes) -> None:
        """A side pays all the shares it owes."""
        owed = self.owed_slots(side)
        if not owed:
            raise Fault("E_ORDER", "a share that nobody waits for")
        points = self._open_shares(self.keys[side], [slot.pair.C for slot in owed], shares, ctx, proof)
        paid = {}
        for slot, point in zip(owed, points, strict=True):
            pair = Ciphertext(slot.pair.C, _less(slot.pair.D, point))
            need = tuple(other for other in slot.need if other != side)
            paid[slot.serial] = slot._replace(pair=pair, need=need)
        hands = [[paid.get(slot.serial, slot) for slot in hand] for hand in self.hands]
        board = []
        for slot in self.board:
            new = paid.get(slot.serial, slot)
            if new is not slot and not new.need:
                new = new._replace(card=self._read(new.deck, new.pair.D))
            board.append(new)
        self.hands, self.board = hands, board

    def shuffle(self, side: int, name: str, out: bytes, proof: bytes, ctx: bytes) -> None:
        """The second shuffle of a reshuffle."""
        deck = self._deck(name)
        if deck.wait != side:
            raise Fault("E_DECK", f'no shuffle of the deck "{name}" is due')
        deck.replace(self._open_shuffle(ctx, self._joint(), deck.pile, out, proof))
        deck.wait = NOBODY
        self._settle(name)

    def reshuffle(self, side: int, name: str, out: bytes, proof: bytes, ctx: bytes) -> None:
        """Pile and discard become a new pile; the other side's shuffle follows."""
        deck = self._deck(name)
        if deck.wait != NOBODY:
            raise Fault("E_DECK", f'the deck "{name}" is being shuffled already')
        inputs = self.reshuffle_inputs(name)
        if not inputs:
            raise Fault("E_DECK", f'the deck "{name}" has nothing to shuffle')
        deck.replace(self._open_shuffle(ctx, self._joint(), inputs, out, proof))
        deck.discard = []
        deck.wait = 1 - side

    def reshuffle_inputs(self, name: str) -> list[Ciphertext]:
        """What a reshuffle takes in: the pile, then the discard as open ciphertexts."""
        deck = self._deck(name)
        return [*deck.pile, *open_pairs(name, deck.discard, self._joint())]

    def draw(self, side: int, place: int, name: str, count: int) -> None:
        """Cards for a seat of the side, or for the board."""
        deck = self._deck(name)
        if place != BOARD and not (0 <= place < len(self.hands) and self.terms.seats[place].side == side):
            raise Fault("E_DRAW", "cards are drawn for the own side or the board")
        if not 1 <= count <= self.terms.size(name):
            raise Fault("E_DRAW", "an impossible number of cards is drawn")
        if len(deck.pile) + len(deck.discard) < len(deck.tickets) + count:
            raise Fault("E_DRAW", "more cards are drawn than are left")
        deck.tickets += [place] * count
        self._settle(name)

    def show(self, seat: int, place: int, share: bytes, proof: bytes, ctx: bytes) -> Shown:
        """A player turns a card of the own hand up; it goes to the discard."""
        slot = self._own(seat, place)
        if slot.need:
            raise Fault("E_SLOT", "this card cannot be read yet")
        key = self.keys[self.terms.seats[seat].side]
        (point,) = self._open_shares(key, [slot.pair.C], share, ctx, proof)
        card = self._read(slot.deck, _less(slot.pair.D, point))
        self.hands[seat].pop(place)
        self.decks[slot.deck].discard.append(card)
        return Shown(slot.nth, slot.deck, card)

    def mix_places(self, seat: int, name: str) -> list[int]:
        """The places of the hand that a mix of a deck takes in."""
        return [
            place
            for place, slot in enumerate(self.hands[seat])
            if slot.deck == name and not slot.need and not slot.laid
        ]

    def mix(self, seat: int, name: str, out: bytes, proof: bytes, ctx: bytes) -> tuple[int, ...]:
        """A player shuffles the own readable cards under the own key; the serials of the slots it touched."""
        self._deck(name)
        places = self.mix_places(seat, name)
        if not places:
            raise Fault("E_ORDER", "there is nothing to mix")
        hand = self.hands[seat]
        inputs = [hand[place].pair for place in places]
        key = self.keys[self.terms.seats[seat].side]
        mixed = self._open_shuffle(ctx, key, inputs, out, proof)
        for place, pair in zip(places, mixed, strict=True):
            hand[place] = hand[place]._replace(pair=pair)
        return tuple(hand[place].serial for place in places)

    def lay(self, seat: int, place: int) -> None:
        """A card of the own hand is laid apart, face down."""
        slot = self._own(seat, place)
        if slot.laid:
            raise Fault("E_SLOT", "this card is laid already")
        self.hands[seat][place] = slot._replace(laid=True)

    def hand_over(self, seat: int, place: int, to: int) -> None:
        """A card of the own hand goes to a team mate (`pass`)."""
        slot = self._own(seat, place)
        same_side = 0 <= to < len(self.hands) and self.terms.seats[to].side == self.terms.seats[seat].side
        if not same_side or to == seat:
            raise Fault("E_SLOT", "a card is passed to a team mate only")
        self.hands[seat].pop(place)
        self.hands[to].append(slot)

    def call(self, place: int) -> None:
        """A face-down card of the board is to be opened by both sides."""
        slot = self._on_board(place)
        if slot.need or slot.card is not None:
            raise Fault("E_SLOT", "this card is open or being opened")
        self.board[place] = slot._replace(need=(0, 1))

    def bin(self, place: int) -> None:
        """An open card of the board is discarded."""
        slot = self._on_board(place)
        if slot.card is None:
            raise Fault("E_SLOT", "this card has not been read")
        self.board.pop(place)
        self.decks[slot.deck].discard.append(slot.card)

    # Inside

    def _open_shares(
        self, key: Point, bases: list[Point], shares: bytes, ctx: bytes, proof: bytes
    ) -> list[Point]:
        if self.trusting:
            return believe_points(shares, len(bases))
        return open_shares(key, bases, shares, ctx, proof)

    def _open_shuffle(
        self, ctx: bytes, key: Point, inputs: list[Ciphertext], out: bytes, proof: bytes
    ) -> list[Ciphertext]:
        if self.trusting:
            return pair_points(believe_points(out, 2 * len(inputs)))
        return open_shuffle(ctx, key, inputs, out, proof)

    def _joint(self) -> Point:
        assert self.joint is not None
        return self.joint

    def _deck(self, name: str) -> DeckState:
        if name not in self.decks:
            raise Fault("E_DECK", "there is no deck of this name")
        return self.decks[name]

    def _own(self, seat: int, place: int) -> Slot:
        if not 0 <= place < len(self.hands[seat]):
            raise Fault("E_SLOT", "the hand has no card in this place")
        return self.hands[seat][place]

    def _on_board(self, place: int) -> Slot:
        if not 0 <= place < len(self.board):
            raise Fault("E_SLOT", "the board has no card in this place")
        return self.board[place]

    def _settle(self, name: str) -> None:
        deck = self.decks[name]
        while deck.wait == NOBODY and deck.tickets and deck.pile:
            place = deck.tickets.pop(0)
            need = () if place == BOARD else (1 - self.terms.seats[place].side,)
            slot = Slot(self.serial, self.given[place], name, deck.take(), need)
            self.serial += 1
            self.given[place] += 1
            (self.board if place == BOARD else self.hands[place]).append(slot)

    def _read(self, name: str, point: Point) -> int:
        card = card_numbers(name, self.terms.size(name)).get(point.data)
        lying = [slot.card for slot in self.board if slot.deck == name]
        if card is None or card in self.decks[name].discard or card in lying:
            raise Fault("E_CARD", "what was opened is no card that could lie there")
        return card

    def digest(self) -> bytes:
        """The fingerprint of the table (8.5)."""
        decks: list[Any] = [
            [name, deck.wait, deck.pile_bytes(), deck.tickets, deck.discard]
            for name, deck in self.decks.items()
        ]
        places: list[Any] = [
            [[slot.deck, slot.pair.data, list(slot.need), slot.laid, slot.card] for slot in slots]
            for slots in (*self.hands, self.board)
        ]
        return h32("table", pack([decks, places, self.ended]))


def _less(d: Point, share: Point) -> Point:
    """D − S, which must not be the identity."""
    rest = subtract(d, share)
    if rest is None:
        raise Fault("E_DLEQ", "a share would leave nothing of the card")
    return rest
