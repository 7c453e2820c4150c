"""Cards in hands: what a copy of the game can know of them, and how they come and go (R121-R123, R130)."""

from __future__ import annotations

from engine.cards import CARDS, Card, Deck
from engine.state import HIDDEN, State


def deck_of(s: State, seat: int) -> Deck:
    """The deck a seat draws from."""
    return s.setup.decks[s.setup.seats[seat].deck]


def card_of(s: State, seat: int, face: int) -> Card:
    """The card that a face of a seat's deck shows."""
    return CARDS[deck_of(s, seat).faces[face]]


def unseen(s: State, deck: int, *, public: bool = False) -> list[int]:
    """For every face, how many copies nobody has shown; without `public`, less those this copy can read."""
    cards = s.setup.decks[deck]
    left = [cards.copies[key] for key in cards.faces]
    for face in s.discards[deck]:
        left[face] -= 1
    if s.played != HIDDEN and s.setup.seats[s.active].deck == deck and not s.setup.by_mail:
        left[s.played] -= 1
    if not public:
        for seat, hand in enumerate(s.hands):
            if s.setup.seats[seat].deck == deck:
                for face in hand:
                    if face != HIDDEN:
                        left[face] -= 1
    return left


def copies_left(s: State, deck: int, face: int, *, public: bool = False) -> int:
    """What `unseen` says of one face."""
    cards = s.setup.decks[deck]
    left = cards.copies[cards.faces[face]] - s.discards[deck].count(face)
    if s.played == face and s.setup.seats[s.active].deck == deck and not s.setup.by_mail:
        left -= 1
    if not public:
        for seat, hand in enumerate(s.hands):
            if face in hand and s.setup.seats[seat].deck == deck:
                left -= hand.count(face)
    return left


def possible_faces(s: State, seat: int, hand: tuple[int, ...]) -> list[int]:
    """The faces that some cards of a seat can have: what is known, and for hidden ones what may be."""
    if HIDDEN not in hand:
        return sorted(set(hand))
    known = {face for face in hand if face != HIDDEN}
    left = unseen(s, s.setup.seats[seat].deck)
    return [face for face, count in enumerate(left) if count > 0 or face in known]


def take(s: State, seat: int, face: int, *, fresh: bool = False) -> None:
    """Take a card out of a hand: a known one if there is one, else a hidden one.

    `fresh` looks only among the new cards of a Recon; otherwise those are looked at last.
    """
    hand = s.hands[seat]
    if not s.fresh[seat]:
        place = hand.index(face if face in hand else HIDDEN)
        s.set_hand(seat, hand[:place] + hand[place + 1 :])
        return
    split = len(hand) - s.fresh[seat]
    old, new = list(hand[:split]), list(hand[split:])
    for part in (new,) if fresh else (old, new):
        for wanted in (face, HIDDEN):
            if wanted in part:
                part.remove(wanted)
                s.set_hand(seat, (*old, *new))
                if part is new:
                    _set_fresh(s, seat, len(new))
                return
    raise AssertionError("the card was listed as possible")


def receive(s: State, seat: int, faces: tuple[int, ...], *, fresh: bool) -> None:
    """Add drawn cards to a hand; fresh ones go to the end, where Recon looks for them."""
    hand = s.hands[seat]
    split = len(hand) - s.fresh[seat]
    if fresh:
        s.set_hand(seat, (*hand, *faces))
        _set_fresh(s, seat, s.fresh[seat] + len(faces))
    else:
        s.set_hand(seat, (*hand[:split], *faces, *hand[split:]))
    if s.setup.by_mail:
        return  # the pile is counted by the protocol
    piles = list(s.piles)
    piles[s.setup.seats[seat].deck] -= len(faces)
    s.piles = tuple(piles)


def settle_fresh(s: State, seat: int) -> None:
    """The new cards of a Recon become ordinary ones."""
    _set_fresh(s, seat, 0)


def _set_fresh(s: State, seat: int, count: int) -> None:
    fresh = list(s.fresh)
    fresh[seat] = count
    s.fresh = tuple(fresh)


def can_react(s: State, seat: int, key: str) -> bool:
    """Whether, for all that everybody knows, a seat may hold a card; never looks at the hand itself."""
    cards = deck_of(s, seat)
    if key not in cards.copies or not s.hands[seat]:
        return False
    return copies_left(s, s.setup.seats[seat].deck, cards.number[key], public=True) > 0
