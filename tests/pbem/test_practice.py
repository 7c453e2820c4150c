"""The practice opponent: a bot in a home of its own that answers through real files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem import practice
from pbem.files import make_folder
from pbem.home import Home
from pbem.identity import seal_key_file
from pbem.log import Log
from pbem.mailbot import decide, standing_orders
from pbem.ruleset import build_terms
from pbem.standing import seal_draft
from pbem.store import Game, open_offer
from pbem.writer import write_offer
from tests.mailgame import ALICE, byte_source
from tests.skirmish import SKIRMISH

SOURCE = byte_source(4)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Alice's home."""
    found = Home(tmp_path / "home")
    found.save_identity(seal_key_file(ALICE, None, "Alice"))
    return found


def offered(home: Home, opponent: bytes | None) -> Game:
    """A game that Alice has offered."""
    terms = build_terms(
        SKIRMISH, army="allies", pk=ALICE.pk, opponent=opponent, names=("Alice", "Bot"), dice="sealed"
    )
    game, examined = open_offer(home, write_offer(terms, ALICE, SOURCE))
    game.keep(examined)
    return game


def answer(home: Home, game: Game) -> list[int]:
    """The numbers of the files with which the bot answers."""
    entries = practice.answer(home, game, random=SOURCE, chance=random.Random(1))
    return [entry.number for entry in entries]


def test_the_bot_has_one_identity_in_a_home_inside_the_home(home: Home) -> None:
    contact = practice.bot_contact(home)
    assert practice.bot_contact(home) == contact
    assert contact.name == "Bot"
    assert (home.path / "bot" / "identity.key").is_file()
    assert contact.pk != ALICE.pk


def test_the_bot_accepts_and_then_answers_every_file(home: Home) -> None:
    game = offered(home, practice.bot_contact(home).pk)
    assert practice.is_practice(home, game)
    assert answer(home, game) == [1]
    assert answer(home, game) == []
    desk = game.desk(ALICE)
    draft = game.load_draft(desk)
    decide(draft, random.Random(2))
    seal_draft(game, draft, standing_orders(), SOURCE)
    assert answer(home, game) == [3]
    assert Game(home, game.key).load().log.count == 4
    assert Game(practice.bot_home(home), game.key).load().raw == game.raw
    log = Log()
    for data in game.raw:  # anybody can check such a game
        log, _ = log.check(data)


def test_a_whole_game_against_the_bot_ends_signed(home: Home) -> None:
    game = offered(home, practice.bot_contact(home).pk)
    answer(home, game)
    luck = random.Random(3)
    while not game.log.ended:
        draft = game.load_draft(game.desk(ALICE))
        decide(draft, luck)
        seal_draft(game, draft, standing_orders(), SOURCE)
        practice.answer(home, game, random=SOURCE, chance=luck)
    assert game.referee.confirmed


def test_what_the_bot_has_signed_before_a_crash_is_taken_in_later(home: Home) -> None:
    game = offered(home, practice.bot_contact(home).pk)
    answer(home, game)
    own = home.games / game.key
    (
        own / "files" / "0001.m44"
    ).unlink()  # as if the machine had stopped before the player's copy was written
    (own / "accepted.json").unlink()
    again = Game(home, game.key).load()
    assert again.log.count == 1
    assert answer(home, again) == [1]
    assert again.raw == game.raw


@pytest.mark.parametrize("damage", ["the folder was just made", "a file is damaged", "the list is lost"])
def test_the_bots_copy_is_mended_by_the_players(home: Home, damage: str) -> None:
    game = offered(home, practice.bot_contact(home).pk)
    copy = Game(practice.bot_home(home), game.key)
    if damage == "the folder was just made":  # the machine stopped there
        make_folder(copy.path / "files")
        assert answer(home, game) == [1]
        return
    answer(home, game)
    copy.file_path(0).write_bytes(b"junk")
    if damage == "the list is lost":
        (copy.path / "accepted.json").unlink()
    draft = game.load_draft(game.desk(ALICE))
    decide(draft, random.Random(2))
    seal_draft(game, draft, standing_orders(), SOURCE)
    assert answer(home, game) == [3]
    assert Game(practice.bot_home(home), game.key).load().raw == game.raw


def test_in_a_game_with_somebody_else_the_bot_says_nothing(home: Home) -> None:
    game = offered(home, None)
    assert not practice.is_practice(home, game)
    assert answer(home, game) == []
    practice.bot_contact(home)
    assert not practice.is_practice(home, game)
