"""A second opinion on the card table: piles, slots and debts, from docs/protocol.md, parts 7 and 8."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tests.pbem.plain_bytes import Refusal, h, need, written
from tests.plain_group import BASE, ORDER, Plain, add, hashed_point, multiply, negate, read, scalar, write
from tests.plain_proofs import Pair, dleq_holds, flat, join, le32, shuffle_holds, split

BOARD = -1


@dataclass(frozen=True)
class Slot:
    """A card that has left its deck."""

    deck: str
    pair: Pair
    need: tuple[int, ...]
    laid: bool = False
    card: int | None = None


@dataclass
class Deck:
    """One deck."""

    pile: list[Pair]
    tickets: list[int] = field(default_factory=list)
    discard: list[int] = field(default_factory=list)
    wait: int = -1


@cache
def card(deck: str, number: int) -> Plain:
    """M(deck, number)."""
    return hashed_point("card", deck.encode(), le32(number))


@cache
def numbers(deck: str, size: int) -> dict[Plain, int]:
    """Cards by their points."""
    return {card(deck, number): number for number in range(size)}


def point(data: bytes) -> Plain:
    """A point on the wire."""
    try:
        return read(data)
    except ValueError:
        raise Refusal("E_POINT") from None


def check_scalars(data: bytes) -> None:
    """A challenge and responses."""
    found = [int.from_bytes(piece, "big") for piece in split(data, 32)]
    need(found[0] != 0 and all(number < ORDER for number in found), "E_SCALAR")


@cache
def holds(check: Any, *arguments: Any) -> bool:
    """The verdict of a check; one that meets an identity where a point is needed does not hold.

    Remembered, because a check depends on its arguments alone and cheats share their honest beginnings.
    """
    try:
        return bool(check(*arguments))
    except AssertionError:
        return False


def checked_shares(key: Plain, bases: list[Plain], shares: bytes, proof: bytes, ctx: bytes) -> list[Plain]:
    """7.2: the shares of an op."""
    need(len(shares) == 33 * len(bases) and len(proof) == 64, "E_LEN")
    points = [point(piece) for piece in split(shares, 33)]
    check_scalars(proof)
    need(holds(dleq_holds, key, tuple(bases), tuple(points), ctx, proof), "E_DLEQ")
    return points


def checked_shuffle(key: Plain, inputs: list[Pair], out: bytes, proof: bytes, ctx: bytes) -> list[Pair]:
    """7.3: the outputs of an op."""
    count = len(inputs)
    need(count and len(out) == 66 * count and len(proof) == 130 * count + 160, "E_LEN")
    points = [point(piece) for piece in split(out, 33)]
    for piece in split(proof[: 66 * count], 33):
        point(piece)
    check_scalars(proof[66 * count :])
    outputs = list(zip(points[::2], points[1::2], strict=True))
    need(holds(shuffle_holds, ctx, key, tuple(inputs), tuple(outputs), proof), "E_SHUFFLE")
    return outputs


def check_knowledge(key: Plain, ctx: bytes, names: bytes, salt: bytes, boxes: bytes, proof: bytes) -> None:
    """7.1: the proof of a key op."""
    check_scalars(proof)
    c, s = (int.from_bytes(piece, "big") for piece in split(proof, 32))
    found = add(multiply(s, BASE), negate(multiply(c, key)))
    need(found is not None, "E_POK")
    need(c == scalar("pok", ctx, names, salt, write(key), boxes, write(found)), "E_POK")


class Table:
    """The cards of one game; a method refuses before it changes anything, or the table is thrown away."""

    def __init__(self, terms: dict[str, Any]) -> None:
        self.sizes: dict[str, int] = dict(terms["decks"])
        self.sides = [seat[0] for seat in terms["seats"]]
        self.may_mix: bool = terms["mix"]
        self.keys: list[Plain] = []
        self.decks: dict[str, Deck] = {}
        self.places: list[list[Slot]] = [[] for _ in (*self.sides, None)]  # hands, and the board last
        self.ended = False

    @property
    def joint(self) -> Plain:
        """Y."""
        return add(self.keys[0], self.keys[1])

    def opens(self, deck: str, cards: list[int], key: Plain) -> list[Pair]:
        """Open ciphertexts."""
        pairs: list[Pair] = [(BASE, add(card(deck, number), key)) for number in cards]
        need(all(pair[1] is not None for pair in pairs), "E_KEY")
        return pairs

    def take_key(self, key: Plain) -> None:
        """The key of the next side."""
        if self.keys:
            need(key != self.keys[0] and add(key, self.keys[0]) is not None, "E_KEY")
            key, last = add(key, self.keys[0]), key
        else:
            last = key
        open_decks = {name: self.opens(name, list(range(size)), key) for name, size in self.sizes.items()}
        self.keys.append(last)
        if len(self.keys) == 1:
            self.decks = {name: Deck(pile) for name, pile in open_decks.items()}

    def deal(self, terms: dict[str, Any]) -> None:
        """The hands and the tokens."""
        for place, deal in [*enumerate(seat[2] for seat in terms["seats"]), (BOARD, terms["table"])]:
            for name, count in deal:
                self.decks[name].tickets += [place] * count
                self.settle(name)

    def settle(self, name: str) -> None:
        """Cards for those who wait."""
        deck = self.decks[name]
        while deck.wait == -1 and deck.tickets and deck.pile:
            place = deck.tickets.pop(0)
            missing = () if place == BOARD else (1 - self.sides[place],)
            self.places[place].append(Slot(name, deck.pile.pop(0), missing))

    def owed(self, side: int) -> list[tuple[int, int]]:
        """Place and position of every slot whose share a side owes."""
        return [(p, i) for p, row in enumerate(self.places) for i, s in enumerate(row) if side in s.need]

    def owes(self, side: int) -> bool:
        """Whether a side owes anything."""
        return bool(self.owed(side)) or any(deck.wait == side for deck in self.decks.values())

    def is_starved(self) -> bool:
        """Whether somebody waits in front of a pile that should have been reshuffled."""
        return any(d.tickets and not d.pile and d.wait == -1 and d.discard for d in self.decks.values())

    def reading(self, name: str, found: Plain) -> int:
        """The number of a card that was opened."""
        number = numbers(name, self.sizes[name]).get(found)
        lying = [slot.card for slot in self.places[BOARD] if slot.deck == name]
        need(number is not None and number not in self.decks[name].discard and number not in lying, "E_CARD")
        assert number is not None
        return number

    def deck(self, name: str) -> Deck:
        """A deck by its name."""
        need(name in self.decks, "E_DECK")
        return self.decks[name]

    def slot(self, place: int, index: int) -> Slot:
        """A slot of a hand or of the board."""
        need(0 <= index < len(self.places[place]), "E_SLOT")
        return self.places[place][index]

    def digest(self) -> bytes:
        """8.5."""
        decks = [[name, d.wait, join(flat(d.pile)), d.tickets, d.discard] for name, d in self.decks.items()]
        rows = [[[s.deck, join(s.pair), list(s.need), s.laid, s.card] for s in row] for row in self.places]
        return h("table", written([decks, rows, self.ended]))

    # The ops of 8.3: each is called with the author's seat and the context of its proofs

    def switch(self, seat: int, ctx: bytes, name: str, shares: bytes, proof: bytes) -> None:
        """File 1: the second key."""
        deck = self.decks[name]
        points = checked_shares(self.keys[1], [pair[0] for pair in deck.pile], shares, proof, ctx)
        pile: list[Pair] = [(pair[0], add(pair[1], s)) for pair, s in zip(deck.pile, points, strict=True)]
        need(all(pair[1] is not None for pair in pile), "E_DLEQ")
        deck.pile = pile

    def share(self, seat: int, ctx: bytes, shares: bytes, proof: bytes) -> None:
        """All shares that are owed."""
        side = self.sides[seat]
        owed = self.owed(side)
        need(owed, "E_ORDER")
        bases = [self.places[p][i].pair[0] for p, i in owed]
        points = checked_shares(self.keys[side], bases, shares, proof, ctx)
        for (p, i), share in zip(owed, points, strict=True):
            slot = self.places[p][i]
            rest = add(slot.pair[1], negate(share))
            need(rest is not None, "E_DLEQ")
            missing = tuple(other for other in slot.need if other != side)
            self.places[p][i] = replace(slot, pair=(slot.pair[0], rest), need=missing)
        for p, i in owed:
            slot = self.places[p][i]
            if p == len(self.sides) and not slot.need:
                self.places[p][i] = replace(slot, card=self.reading(slot.deck, slot.pair[1]))

    def shuffle(self, seat: int, ctx: bytes, name: str, out: bytes, proof: bytes) -> None:
        """The second half of a reshuffle."""
        deck = self.deck(name)
        need(deck.wait == self.sides[seat], "E_DECK")
        deck.pile = checked_shuffle(self.joint, deck.pile, out, proof, ctx)
        deck.wait = -1
        self.settle(name)

    def reshuffle(self, seat: int, ctx: bytes, name: str, out: bytes, proof: bytes) -> None:
        """The first half."""
        deck = self.deck(name)
        need(deck.wait == -1 and (deck.pile or deck.discard), "E_DECK")
        inputs = deck.pile + self.opens(name, deck.discard, self.joint)
        deck.pile = checked_shuffle(self.joint, inputs, out, proof, ctx)
        deck.discard, deck.wait = [], 1 - self.sides[seat]

    def draw(self, seat: int, ctx: bytes, place: int, name: str, count: int) -> None:
        """Tickets."""
        deck = self.deck(name)
        side = self.sides[seat]
        need(place == BOARD or (0 <= place < len(self.sides) and self.sides[place] == side), "E_DRAW")
        need(1 <= count <= self.sizes[name], "E_DRAW")
        need(len(deck.pile) + len(deck.discard) >= len(deck.tickets) + count, "E_DRAW")
        deck.tickets += [place] * count
        self.settle(name)

    def show(self, seat: int, ctx: bytes, index: int, share: bytes, proof: bytes) -> None:
        """A card is turned up."""
        slot = self.slot(seat, index)
        need(not slot.need, "E_SLOT")
        (found,) = checked_shares(self.keys[self.sides[seat]], [slot.pair[0]], share, proof, ctx)
        rest = add(slot.pair[1], negate(found))
        need(rest is not None, "E_DLEQ")
        self.decks[slot.deck].discard.append(self.reading(slot.deck, rest))
        self.places[seat].pop(index)

    def mix(self, seat: int, ctx: bytes, name: str, out: bytes, proof: bytes) -> None:
        """The readable cards of a hand in another order."""
        self.deck(name)
        hand = self.places[seat]
        chosen = [i for i, s in enumerate(hand) if s.deck == name and not s.need and not s.laid]
        need(chosen, "E_ORDER")
        key = self.keys[self.sides[seat]]
        for i, pair in zip(
            chosen, checked_shuffle(key, [hand[i].pair for i in chosen], out, proof, ctx), strict=True
        ):
            hand[i] = replace(hand[i], pair=pair)

    def lay(self, seat: int, ctx: bytes, index: int) -> None:
        """A card is laid apart."""
        slot = self.slot(seat, index)
        need(not slot.laid, "E_SLOT")
        self.places[seat][index] = replace(slot, laid=True)

    def hand_over(self, seat: int, ctx: bytes, index: int, to: int) -> None:
        """A card goes to a team mate."""
        slot = self.slot(seat, index)
        mates = [other for other, side in enumerate(self.sides) if side == self.sides[seat] and other != seat]
        need(to in mates, "E_SLOT")
        self.places[seat].pop(index)
        self.places[to].append(slot)

    def call(self, seat: int, ctx: bytes, index: int) -> None:
        """A token is to be opened."""
        slot = self.slot(BOARD, index)
        need(not slot.need and slot.card is None, "E_SLOT")
        self.places[BOARD][index] = replace(slot, need=(0, 1))

    def bin(self, seat: int, ctx: bytes, index: int) -> None:
        """An open token is discarded."""
        slot = self.slot(BOARD, index)
        need(slot.card is not None, "E_SLOT")
        assert slot.card is not None
        self.places[BOARD].pop(index)
        self.decks[slot.deck].discard.append(slot.card)
