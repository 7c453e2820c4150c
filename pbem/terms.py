"""The terms of a game: what both sides sign before the first card is dealt (docs/protocol.md, part 6).

A `Terms` is made from the canonical map of the first file by `parse_terms`, which refuses everything that is
not exactly as the protocol says; `as_value` gives the map back, so one set of terms has one byte form.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from pbem.errors import Fault

KEYS = (
    "decks",
    "dice",
    "extra",
    "first",
    "mix",
    "pk",
    "proto",
    "retreat",
    "rules",
    "scenario",
    "seats",
    "sheet",
    "table",
)
MOST_CARDS = 160  # per deck: there are that many generators
DECK_NAME = re.compile(r"[A-Za-z0-9]{1,16}", re.ASCII)
RETREATS: dict[str, tuple[str, ...]] = {"sealed": ("live", "sheet", "strict"), "instant": ("stand",)}
BOARD = -1  # the place of cards that lie on the board

Deal = tuple[tuple[str, int], ...]  # decks and numbers of cards


class SeatTerms(NamedTuple):
    """One player's place."""

    side: int
    holds_key: bool  # writes the first file of a run, reads the side's cards
    deal: Deal


class Terms(NamedTuple):
    """Everything two sides agree on."""

    rules: str
    scenario: bytes
    decks: Deal
    seats: tuple[SeatTerms, ...]
    table: Deal
    pk: tuple[bytes | None, ...]
    first: int
    dice: str
    retreat: str
    sheet: bool
    mix: bool
    extra: dict[str, Any]

    def size(self, deck: str) -> int:
        """Number of cards of a deck."""
        return dict(self.decks)[deck]

    def seats_of(self, side: int) -> tuple[int, ...]:
        """The seats of a side, in order."""
        return tuple(n for n, seat in enumerate(self.seats) if seat.side == side)

    def holders_of(self, side: int) -> tuple[int, ...]:
        """The key holders of a side, in order."""
        return tuple(n for n in self.seats_of(side) if self.seats[n].holds_key)

    def as_value(self) -> dict[str, Any]:
        """The map that is signed."""
        return {
            "decks": _listed(self.decks),
            "dice": self.dice,
            "extra": self.extra,
            "first": self.first,
            "mix": self.mix,
            "pk": list(self.pk),
            "proto": 1,
            "retreat": self.retreat,
            "rules": self.rules,
            "scenario": self.scenario,
            "seats": [[seat.side, seat.holds_key, _listed(seat.deal)] for seat in self.seats],
            "sheet": self.sheet,
            "table": _listed(self.table),
        }


def _listed(deal: Deal) -> list[list[Any]]:
    return [[name, count] for name, count in deal]


def parse_terms(value: Any) -> Terms:
    """The terms that a canonical value states; raises Fault E_TERMS."""
    _need(isinstance(value, dict) and tuple(sorted(value)) == KEYS, "the terms have other fields")
    _need(_is_int(value["proto"]) and value["proto"] == 1, "the terms are of another protocol")
    _need(isinstance(value["rules"], str), "the name of the rules is no text")
    _need(_is_bytes(value["scenario"], 32), "the hash of the scenario has not 32 bytes")
    _need(isinstance(value["extra"], dict), "the field for the rules is no map")
    _need(
        isinstance(value["sheet"], bool) and isinstance(value["mix"], bool), "a switch is neither on nor off"
    )
    decks = _parse_decks(value["decks"])
    seats = _parse_seats(value["seats"], dict(decks))
    table = _parse_deal(value["table"], dict(decks))
    for name, size in decks:
        dealt = sum(count for seat in seats for deck, count in seat.deal if deck == name)
        dealt += sum(count for deck, count in table if deck == name)
        _need(dealt <= size, f'the deck "{name}" deals out more cards than it has')
    first = value["first"]
    _need(_is_int(first) and 0 <= first < len(seats), "the seat that moves first does not exist")
    dice, retreat = value["dice"], value["retreat"]
    _need(isinstance(dice, str) and dice in RETREATS, "the dice are neither sealed nor instant")
    _need(retreat in RETREATS[dice], "the way to retreat does not go with the dice")
    _need(retreat != "sheet" or value["sheet"], "retreats by sheet need answer sheets")
    return Terms(
        value["rules"],
        value["scenario"],
        decks,
        seats,
        table,
        _parse_pk(value["pk"], seats),
        first,
        dice,
        retreat,
        value["sheet"],
        value["mix"],
        value["extra"],
    )


def _parse_decks(value: Any) -> Deal:
    _need(isinstance(value, list) and 1 <= len(value) <= 4, "there are 1 to 4 decks")
    found: list[tuple[str, int]] = []
    for pair in value:
        _need(isinstance(pair, list) and len(pair) == 2, "a deck is a name and a size")
        name, size = pair
        _need(isinstance(name, str) and DECK_NAME.fullmatch(name) is not None, "a deck has a strange name")
        _need(_is_int(size) and 1 <= size <= MOST_CARDS, f"a deck has 1 to {MOST_CARDS} cards")
        found.append((name, size))
    _need(len({name for name, _ in found}) == len(found), "two decks have one name")
    return tuple(found)


def _parse_seats(value: Any, decks: dict[str, int]) -> tuple[SeatTerms, ...]:
    _need(isinstance(value, list) and 2 <= len(value) <= 8, "there are 2 to 8 seats")
    found = []
    for row in value:
        _need(isinstance(row, list) and len(row) == 3, "a seat has a side, a key mark and a deal")
        side, holds, deal = row
        _need(_is_int(side) and side in (0, 1) and isinstance(holds, bool), "a seat has no proper side")
        found.append(SeatTerms(side, holds, _parse_deal(deal, decks)))
    for side in (0, 1):
        _need(found[side].side == side and found[side].holds_key, "seats 0 and 1 must hold the two keys")
    return tuple(found)


def _parse_deal(value: Any, decks: dict[str, int]) -> Deal:
    _need(isinstance(value, list), "a deal is a list")
    found = []
    for pair in value:
        _need(isinstance(pair, list) and len(pair) == 2, "a deal names a deck and a number")
        name, count = pair
        _need(isinstance(name, str) and name in decks, "a deal names an unknown deck")
        _need(_is_int(count) and 0 < count <= decks[name], "a deal has an impossible number of cards")
        found.append((name, count))
    return tuple(found)


def _parse_pk(value: Any, seats: tuple[SeatTerms, ...]) -> tuple[bytes | None, ...]:
    _need(isinstance(value, list) and len(value) == len(seats), "every seat has a place for its identity")
    for seat, pk in zip(seats, value, strict=True):
        _need(_is_bytes(pk, 32) or (pk is None and seat.side == 1), "an identity key is missing or strange")
    return tuple(value)


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_bytes(value: Any, size: int) -> bool:
    return isinstance(value, bytes) and len(value) == size


def _need(met: bool, message: str) -> None:
    if not met:
        raise Fault("E_TERMS", message)
