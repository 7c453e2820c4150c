"""Two homes and the files of a game between them, for tests of commands."""

from __future__ import annotations

import io
import json
import os
import random
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem import identity, practice
from pbem.cli import run
from pbem.draft import Choice
from pbem.files import make_folder, now, write_file
from pbem.home import Home
from pbem.identity import Identity, make_card, seal_key_file
from pbem.log import Log
from pbem.referee import Referee
from pbem.store import Game, open_offer
from pbem.summary import refresh
from tests.mailgame import ALICE, BOB, byte_source, decide, play_game

EVE = Identity(b"E" * 32)
NAMES = {ALICE.pk: "Alice", BOB.pk: "Bob", EVE.pk: "Eve"}


@cache
def turns(count: int = 8, *, dice: str = "sealed", seed: int = 2) -> tuple[bytes, ...]:
    """The first files of a game between Alice (allies) and Bob, the same in every test."""
    return tuple(play_game(dice=dice, seed=seed, most=count).files)


@cache
def waiting() -> tuple[bytes, ...]:
    """The first files of a game, the last of them one of Alice's whose attacks wait for Bob's seed."""
    for seed in range(2, 30):
        log, referee = Log(trusting=True), Referee()
        for data in turns(seed=seed):
            log, entry = log.check(data)
            referee = referee.read(entry)
            if entry.number > 1 and entry.seat == 0 and referee.now.roll is not None:
                return turns(seed=seed)[: entry.number + 1]
    raise AssertionError("no attack in any of these games")


@cache
def other_turns(count: int = 4) -> tuple[bytes, ...]:
    """The first files of another game between the same two."""
    return tuple(play_game("sainte-mere-eglise", seed=7, most=count).files)


@dataclass
class Player:
    """A person at a terminal."""

    home: Home
    identity: Identity
    capsys: pytest.CaptureFixture[str]

    def types(self, *args: str | Path) -> tuple[int, str, str]:
        """Exit status, output and complaints of a command."""
        self.capsys.readouterr()
        status = run(["--home", str(self.home.path), *map(str, args)])
        out, err = self.capsys.readouterr()
        return status, out, err

    def enters(self, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
        """What the next command reads from the keyboard."""
        monkeypatch.setattr("sys.stdin", io.StringIO(text))

    def game(self) -> Game:
        """The only game."""
        (key,) = self.home.game_keys()
        return Game(self.home, key).load()

    def key(self) -> str:
        """The key of the only game."""
        return self.home.game_keys()[0]

    def decide(self, seed: int = 1) -> None:
        """Let a bot make all choices of the next file."""
        luck = random.Random(seed)
        game = self.game()
        desk = game.desk(self.identity)
        draft = game.load_draft(desk)
        if desk.terms.dice == "instant" and game.log.count < 4:
            draft.choose(Choice("stand", [[None, ["cover", "away"], None]]))
        decide(draft, luck)
        game.save_draft(draft)

    def snapshot(self) -> dict[str, bytes]:
        """Everything in the home folder, without what may be deleted and the lock."""
        return snapshot(self.home.path)


def be_repeatable(patch: pytest.MonkeyPatch, moment: float, seed: int = 1) -> None:
    """Give this process luck, secrets and a clock that can be had again."""
    source, luck, real = byte_source(seed), random.Random(seed), os.urandom
    patch.setattr(os, "urandom", source)
    patch.setattr(random, "SystemRandom", lambda: luck)
    patch.setattr(time, "time", lambda: moment)
    functions: list[Any] = [
        identity.new_identity,
        identity.seal_key_file,
        practice.bot_contact,
        practice.answer,
    ]
    for function in functions:  # what they take if nobody says otherwise
        given, named = function.__defaults__ or (), function.__kwdefaults__ or {}
        patch.setattr(function, "__defaults__", tuple(source if x is real else x for x in given))
        patch.setattr(function, "__kwdefaults__", {n: source if x is real else x for n, x in named.items()})


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but summaries and locks."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("summary.json", "lock")
    }


def make_home(path: Path, identity: Identity) -> Home:
    """A home with an identity and the contact cards of the others."""
    home = Home(path)
    home.save_identity(seal_key_file(identity, None, NAMES[identity.pk]))
    for other in (ALICE, BOB):
        if other.pk != identity.pk:
            home.save_contact(NAMES[other.pk], make_card(other, NAMES[other.pk]))
    return home


def write_files(folder: Path, files: tuple[bytes, ...]) -> list[Path]:
    """Turn files in a folder, named by their numbers."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"turn{number:02}.m44" for number in range(len(files))]
    for path, data in zip(paths, files, strict=True):
        path.write_bytes(data)
    return paths


@cache
def _checked(files: tuple[bytes, ...]) -> tuple[str, str]:
    """The key of a game and its list of accepted files; every file is checked once."""
    game, examined = open_offer(Home(Path("nowhere")), files[0])
    log = examined.log
    for data in files[1:]:
        log, _ = log.check(data)
    ids = [entry.id.hex() for entry in log.entries]
    return game.key, json.dumps({"game": log.game.hex(), "ids": ids, "times": [now()] * len(ids)})


def stock(home: Home, files: tuple[bytes, ...]) -> Game:
    """A game in a home's store, as if its files had been applied."""
    key, accepted = _checked(files)
    make_folder(home.games / key / "files")
    for number, data in enumerate(files):
        write_file(home.games / key / "files" / f"{number:04}.m44", data)
    write_file(home.games / key / "accepted.json", accepted.encode())
    game = Game(home, key).load()
    refresh(game, None)
    return game


__all__ = ["ALICE", "BOB", "EVE", "Player", "byte_source", "make_home", "snapshot", "stock", "turns"]
