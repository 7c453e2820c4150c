"""Reading one's own cards: what the holder of a game key sees of the table.

A slot whose share has arrived is an ordinary ciphertext under the own key; D − x·C is its card. Slots that
wait for a share, and cards still in front of an unfinished shuffle, stay hidden to their owner too.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import State, with_hand
from engine.dealing import draws_due
from pbem.gamekeys import GameSecret
from pbem.group import multiply, subtract
from pbem.referee import Referee
from pbem.table import Slot, Table, card_numbers


class Held(NamedTuple):
    """One card of the own hand."""

    place: int  # in the hand on the table
    nth: int  # which of the cards dealt to this seat
    key: str  # its text, "?" while it cannot be read


def read_slot(table: Table, slot: Slot, secret: GameSecret) -> int | None:
    """The number of the card in an own slot; None while it cannot be read."""
    if slot.need:
        return None
    point = subtract(slot.pair.D, multiply(secret.key, slot.pair.C))
    if point is None:
        return None
    return card_numbers(slot.deck, table.terms.size(slot.deck)).get(point.data)


def read_hand(table: Table, referee: Referee, seat: int, secret: GameSecret) -> list[Held]:
    """The own hand as it lies on the table."""
    assert referee.match is not None
    held = []
    for place, slot in enumerate(table.hands[seat]):
        card = read_slot(table, slot, secret)
        held.append(Held(place, slot.nth, "?" if card is None else referee.match.card_key(card)))
    return held


def fresh_cards(referee: Referee, seat: int) -> tuple[int, ...]:
    """The numbers of a Recon's new cards, of which one must go; also while the turn that drew them lasts."""
    if referee.fresh[seat] or referee.state is None or not referee.ahead[seat]:
        return referee.fresh[seat]
    assert referee.match is not None
    state = referee.state
    draws = draws_due(state)[1]
    if referee.match.army_of(seat) != state.active or draws < 2:
        return ()
    return tuple(range(referee.dealt[seat] - draws, referee.dealt[seat]))


def see(referee: Referee, seat: int, hand: list[Held]) -> State:
    """The state of the game as a player sees it who holds these cards."""
    state = referee.now
    assert referee.match is not None
    army = referee.match.army_of(seat)
    taken_in = referee.dealt[seat] - referee.ahead[seat]  # cards the engine knows of
    fresh = referee.fresh[seat]
    known = {card.nth: card.key for card in hand if card.nth < taken_in}
    old = [key for nth, key in sorted(known.items()) if nth not in fresh]
    new = [known.get(nth, "?") for nth in fresh]
    size = len(state.hands[army])
    missing = ["?"] * (size - len(old) - len(new))  # in front of an unfinished shuffle
    return with_hand(state, army, (*old, *missing, *new))
