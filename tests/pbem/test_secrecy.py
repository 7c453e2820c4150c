"""What a player cannot read: written from the side of somebody who has one player's whole store.

The attacker has the master secret, the game secret with all that follows from it, every file and every point
in them. It tries every key on every slot. The only cards that open are those that the protocol gives it.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from engine.state import HIDDEN
from pbem.canon import decode
from pbem.draft import Desk, Draft
from pbem.errors import Fault
from pbem.gamekeys import GameSecret, open_secret
from pbem.group import ORDER, Ciphertext, Point, card_point, multiply, subtract
from pbem.hand import read_hand, read_slot
from pbem.hashing import hash_scalar
from pbem.log import Log
from pbem.notes import open_note
from pbem.referee import Referee
from pbem.ruleset import DECK
from pbem.table import Slot
from tests.mailgame import ALICE, BOB, byte_source, decide, wishes_of
from tests.pbem.forge import open_file
from tests.pbem.moments import moments

PEOPLE = (ALICE, BOB)
SIZE = 60
CARDS = {card_point(DECK, number) for number in range(SIZE)}


@cache
def store(mode: str = "live", count: int = 20) -> tuple[Log, Referee, list[bytes]]:
    """A game in its middle, with all its files but the first two."""
    here = next(each for each in moments(mode) if each.log.count == count)
    files = [each.draft.seal(each.wishes, byte_source(1)) for each in moments(mode)[: count - 2]]
    return here.log, here.referee, files


def scalars_of(desk: Desk, log: Log) -> list[int]:
    """Every number a player has that could be a key: secrets, seeds, negatives, hashes of them."""
    secret: GameSecret = desk.secret
    byte_strings = [secret.sigma, desk.identity.master, desk.identity.box_secret, log.game]
    byte_strings += [secret.seed(index) for index in range(40)]
    byte_strings += [*log.seeds, *log.salts, *(entry.root or b"" for entry in log.entries)]
    numbers = [secret.key, -secret.key, 2 * secret.key, pow(secret.key, -1, ORDER), 1, 2, 0x1000]
    numbers += [int.from_bytes(data, "big") for data in byte_strings]
    numbers += [hash_scalar("key", data) for data in byte_strings]
    return sorted({number % ORDER for number in numbers} - {0})


def points_in(log: Log) -> list[Point]:
    """All points of the table, and the keys: each could be tried as a finished share."""
    table = log.table
    assert table is not None
    slots = [slot.pair for hand in table.hands for slot in hand]
    pile = table.decks[DECK].pile
    return [*table.keys, *(point for pair in (*slots, *pile) for point in (pair.C, pair.D))]


def opens(pair: Ciphertext, scalars: list[int], points: list[Point]) -> bool:
    """Whether any number or point makes a card of a ciphertext."""
    tries = [subtract(pair.D, multiply(number, pair.C)) for number in scalars]
    tries += [subtract(pair.D, point) for point in points] + [pair.C, pair.D]
    tries += [subtract(pair.C, multiply(number, pair.D)) for number in scalars[:20]]
    return any(found in CARDS for found in tries)


@pytest.mark.parametrize("seat", [0, 1])
def test_no_card_of_the_other_hand_nor_of_the_pile_can_be_read(seat: int) -> None:
    """C3: every key and scalar the player has, on every slot, and every point of the game as a share."""
    log, referee, _ = store()
    table = log.table
    assert table is not None
    desk = Desk(log, referee, PEOPLE[seat], seat)
    scalars, points = scalars_of(desk, log), points_in(log)
    assert len(scalars) > 80
    other = table.hands[1 - seat]
    assert len(other) >= 4
    assert not any(opens(slot.pair, scalars, points) for slot in other)
    assert not any(opens(pair, scalars, points) for pair in table.decks[DECK].pile[:6])
    # The same attack opens the attacker's own readable cards, so it would have worked.
    own = [slot for slot in table.hands[seat] if not slot.need]
    assert own
    assert all(opens(slot.pair, [desk.secret.key], []) for slot in own)


def test_the_two_hands_are_what_their_owners_read() -> None:
    """With the other secret the very same slots open: they hold cards, hidden and not empty."""
    log, referee, _ = store()
    assert log.table is not None
    hands = [
        read_hand(log.table, referee, seat, Desk(log, referee, PEOPLE[seat], seat).secret) for seat in (0, 1)
    ]
    for seat in (0, 1):
        readable = [slot for slot in log.table.hands[seat] if not slot.need]
        assert [card.key != "?" for card in hands[seat]] == [not slot.need for slot in log.table.hands[seat]]
        assert len(readable) >= 3


def test_a_drawn_card_is_not_readable_before_the_share_arrived() -> None:
    """C3, 10.6: the owner of a drawn card tries everything, too; one file later the card opens."""
    here = next(each for each in moments("live") if "draw" in each.names() and each.log.count > 10)
    desk = here.draft.desk
    log, entry = here.log.check(here.honest())
    referee = here.referee.read(entry)
    assert log.table is not None
    new = log.table.hands[desk.seat][-1]
    assert new.need == (1 - desk.side,)
    owner = Desk(log, referee, desk.identity, desk.seat)
    assert read_slot(log.table, new, owner.secret) is None
    assert not opens(new.pair, scalars_of(owner, log), points_in(log))
    assert owner.hand()[-1].key == "?"
    # The answer carries the share.
    other = Draft(Desk(log, referee, PEOPLE[1 - desk.seat], 1 - desk.seat))
    luck = random.Random(3)
    decide(other, luck)
    log, entry = log.check(other.seal(wishes_of(other, luck), byte_source(4)))
    assert log.table is not None
    arrived = next(slot for slot in log.table.hands[desk.seat] if slot.serial == new.serial)
    assert arrived.need == ()
    assert read_slot(log.table, arrived, owner.secret) is not None


def test_the_giver_of_a_share_does_not_learn_the_card() -> None:
    """C3: who pays the share for a card sees neither before nor after what it is."""
    log, referee, _ = store()
    assert log.table is not None
    for seat in (0, 1):
        giver = Desk(log, referee, PEOPLE[1 - seat], 1 - seat)
        for slot in log.table.hands[seat]:
            assert read_slot(log.table, Slot(*slot[:4], need=()), giver.secret) is None


@pytest.mark.parametrize("mode", ["live", "sheet", "strict", "instant"])
def test_a_strangers_referee_holds_no_hidden_card(mode: str) -> None:
    """C3, C8: the state, every step and every event of whoever has the files only."""
    referee = moments(mode)[-1].referee
    for step in referee.steps:
        assert all(card == HIDDEN for hand in step.state.hands for card in hand)
        for event in step.events:
            if event[0] == "drew":
                assert len(event) == 3  # who, and how many
    draws = [step.text for step in referee.steps if step.text.startswith("draw")]
    assert draws
    assert all(set(text.split()[1:]) == {"?"} for text in draws)


@pytest.mark.parametrize("seat", [0, 1])
def test_notes_and_sheets_of_the_other_side_stay_closed(seat: int) -> None:
    """C8: a note opens for its author's side only, and no box of a sheet can be opened with guesses."""
    _, referee, files = store()
    log = moments("live")[18].log
    desk = Desk(log, referee, PEOPLE[seat], seat)
    theirs = [data for data in files if open_file(data)["a"] != seat]
    assert len(theirs) > 5
    for data in theirs:
        body = open_file(data)
        note = next(op[1] for op in body["o"] if op[0] == "note")
        for number in (body["n"], body["n"] + 1):
            with pytest.raises(Fault):
                open_note(desk.secret, body["g"], number, note)
    own = next(data for data in files if open_file(data)["a"] == seat)
    body = open_file(own)
    value: Any = open_note(
        desk.secret, body["g"], body["n"], next(op[1] for op in body["o"] if op[0] == "note")
    )
    assert isinstance(value, list)
    assert open_secret(bytes(80), desk.identity.box_secret) is None


def test_a_file_names_no_card_but_those_it_shows() -> None:
    """C3: the texts in a file are decisions, and a card is named in them only where it is played."""
    _, _, files = store()
    held = {card.key for each in moments("live")[:18] for card in each.draft.desk.hand()} - {"?"}
    named: set[str] = set()
    for data in files:
        ops = open_file(data)["o"]
        texts = [str(decode(op[1])) for op in ops if op[0] == "do"]
        cards = [text.split()[1] for text in texts if text.startswith(("card ", "discard "))]
        assert len(cards) == sum(1 for op in ops if op[0] == "show")
        named.update(cards)
        others = [text for text in texts if not text.startswith(("card ", "discard "))]
        assert not any(key in text for key in held for text in others)
    assert len(named) > 5
