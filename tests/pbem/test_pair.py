"""Two players and a stranger with a bad post play whole games and agree on every digest.

The post loses, doubles and reorders files (tests/post.py). Every case is one game by bots; together they
cover sealed and instant dice, all ways to retreat, holds, sealed reactions that fire, reshuffles in mid-game,
both players inviting, both players moving first, and games without sheets or mixing. Many more seeds:
scripts/mail_soak.py.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.group import card_point, multiply, subtract
from pbem.log import Log
from pbem.referee import Referee
from pbem.ruleset import DECK
from tests.mailgame import ALICE, BOB
from tests.post import Correspondence, play_by_post

GAMES: dict[str, dict[str, Any]] = {
    "sealed live": {"name": "montelimar", "seed": 2, "hold": 0.3, "bot": "busy"},
    "sealed sheet": {"name": "montelimar", "seed": 6, "retreat": "sheet", "army": "axis"},
    "sealed strict": {"name": "liberation-of-paris", "seed": 4, "retreat": "strict", "inviter": BOB},
    "instant": {"name": "mont-mouchet", "seed": 5, "dice": "instant"},
    "instant, the other invites": {
        "name": "vassieux", "seed": 47, "dice": "instant", "inviter": BOB, "army": "axis", "bot": "sergeant",
    },
    "no sheet, no mixing": {
        "name": "first-assault-wave", "seed": 3, "mix": False, "sheet": False, "bot": "sergeant",
    },
}  # fmt: skip


@cache
def game(name: str) -> Correspondence:
    """One of the games."""
    return play_by_post(**GAMES[name])


@pytest.mark.parametrize("name", GAMES)
def test_all_three_agree_on_every_digest(name: str) -> None:
    played = game(name)
    first, second, third = (box.digests for box in played.boxes)
    assert first == second == third
    assert len(third) == len(played.files)
    referees = [box.party.referee for box in played.boxes]
    assert all(referee.confirmed and referee.winner >= 0 for referee in referees)
    assert len({referee.winner for referee in referees}) == 1
    assert all(box.party.log.ended for box in played.boxes)
    assert [step.text for step in referees[0].steps] == [step.text for step in referees[2].steps]


@pytest.mark.parametrize("name", GAMES)
def test_the_post_was_bad(name: str) -> None:
    """What the games are to prove: files were lost, doubled and out of order, and it did not matter."""
    played = game(name)
    assert min(played.happened[word] for word in ("lost", "doubled", "sent again")) > 0
    assert sum(box.twice for box in played.boxes) > 0


@pytest.mark.parametrize("name", GAMES)
def test_who_reads_the_files_later_comes_to_the_same(name: str) -> None:
    """Trusting replay, as the store does it with files it has checked: the same digests."""
    played = game(name)
    log, referee = Log(trusting=True), Referee()
    found = []
    for data in played.files:
        log, entry = log.check(data)
        referee = referee.read(entry)
        assert log.table is not None
        found.append((log.table.digest(), referee.digest() if referee.state is not None else b""))
    assert found == played.boxes[2].digests


@pytest.mark.parametrize("name", GAMES)
def test_every_card_is_there_once_at_the_end(name: str) -> None:
    """C4: with both secrets, pile, hands and discard are the whole deck, after all reshuffles."""
    played = game(name)
    log = played.boxes[2].party.log
    assert log.table is not None
    keys = [box.party.desk.secret.key for box in played.boxes[:2]]
    deck = log.table.decks[DECK]
    hidden = [(pair, keys[0] + keys[1]) for pair in deck.pile]
    for seat, hand in enumerate(log.table.hands):
        hidden += [(slot.pair, keys[seat] + sum(keys[side] for side in slot.need)) for slot in hand]
    size = log.table.terms.size(DECK)
    numbers = {card_point(DECK, number): number for number in range(size)}
    read = [numbers[plain] for pair, key in hidden if (plain := subtract(pair.D, multiply(key, pair.C)))]
    assert sorted([*read, *deck.discard]) == list(range(size))


def test_the_games_had_everything_in_them() -> None:
    """Reactions, reshuffles, stops, boxes of retreats, and both seats moving first."""
    played = {name: game(name) for name in GAMES}
    referees = {name: each.boxes[2].party.referee for name, each in played.items()}
    assert sum(each.reactions for each in played.values()) > 0
    assert sum(referee.shuffles for referee in referees.values()) > 3
    for name, referee in referees.items():
        told = [step for step in referee.steps if ("reshuffled", 0) in step.events]
        assert len(told) == referee.shuffles or not name.startswith("sealed")  # the story tells of each
    boxes = [step for step in referees["sealed sheet"].steps if step.by == "box"]
    assert {step.text.split()[0] for step in boxes} >= {"retreat", "pass"}
    assert {box.party.log.terms.first for each in played.values() for box in each.boxes[:1]} == {0, 1}  # type: ignore[union-attr]
    assert sum(_turns_in_parts(played[name]) for name in ("sealed live", "sealed strict")) > 0


def _turns_in_parts(played: Correspondence) -> int:
    """How often a player wrote two files for one turn."""
    steps = [step for step in played.boxes[2].party.referee.steps if step.by == "plan" and step.place >= 0]
    return len({(step.state.turn, step.file) for step in steps}) - len({step.state.turn for step in steps})


def test_both_players_invite_each_other() -> None:
    """Two games between the same people at the same time share no secret and no file."""
    first = play_by_post("pegasus-bridge", seed=1, most=6)
    second = play_by_post("pegasus-bridge", seed=1, most=6, inviter=BOB)
    tables = [played.boxes[2].party.log.table for played in (first, second)]
    assert all(table is not None for table in tables)
    keys = [key for table in tables if table is not None for key in table.keys]
    assert len(set(keys)) == 4
    assert not set(first.files) & set(second.files)
    assert {first.boxes[0].party.identity, second.boxes[0].party.identity} == {ALICE, BOB}
