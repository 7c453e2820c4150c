"""Switching the machine off at every step of a command, for the tests of what that leaves behind.

A command runs in a forked process that ends, without any tidying up, just before its k-th change of the
disk, for k = 1, 2, … until the command comes through. A long one runs once instead, and before each change
the disk is copied as a power cut would leave it. Luck and the clock are the same in every such process, so
what it would have written is known to the byte: a file is as it was or as it was to be, and nothing else.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
import time
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli import run
from pbem.home import Home, read_json
from pbem.practice import bot_home
from pbem.store import Game
from tests.cli.post import Player, be_repeatable

KILLED = 99
MOST_STEPS = 80
NOW = time.time()
Words = tuple[str | Path, ...]
Tree = dict[str, bytes]


def tree(folder: Path) -> Tree:
    """Every whole file below a folder but the lock, the summaries and the pages, which may be deleted."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
        and path.name not in ("summary.json", "lock")
        and path.suffix != ".tmp"
        and path.parent.name != "reports"
    }


@dataclass
class Crashes:
    """All the ways in which a command of a player can be cut off; the home is as each of them leaves it."""

    player: Player
    words: Words
    typed: str = ""  # on standard input
    stages: tuple[tuple[Words, str], ...] = ()  # commands that go a part of the way, and what is typed
    grows: bool = False  # several files are signed: lists and notes of them pass through all numbers
    long: bool = False  # run once, and copy the disk at each step
    desk: Tree = field(default_factory=dict)  # what lies in the current folder before
    before: Tree = field(default_factory=dict)
    between: list[Tree] = field(default_factory=list)
    done: Tree = field(default_factory=dict)
    written: Tree = field(default_factory=dict)  # what the command leaves in the current folder

    def __post_init__(self) -> None:
        self.origin = self.player.home.path.with_name("origin")
        self.player.home.path.rename(self.origin)
        self.before = tree(self.origin)
        for words, typed in self.stages:
            self._reset()
            assert self._run_until(0, words, typed) == 0
            self.between.append(tree(self.player.home.path))
        self._reset()
        assert self._run_until(0, self.words, self.typed) == 0
        self.done, self.written = tree(self.player.home.path), tree(Path.cwd())

    def __iter__(self) -> Iterator[int]:
        """The steps, each with the home as the machine left it there, found sound.

        The last one is the end: everything is written, and nobody has seen what the command said.
        """
        count = 0
        for count in self._copies() if self.long else self._kills():
            self._check()
            yield count
        assert count > 1

    def _kills(self) -> Iterator[int]:
        status, step = KILLED, 0
        while status == KILLED:
            step += 1
            assert step < MOST_STEPS, "the command never ends"
            self._reset()
            status = self._run_until(step, self.words, self.typed)
            yield step
        assert status == 0

    def _copies(self) -> Iterator[int]:
        film = self.origin.with_name("film")
        self._reset()
        assert self._run_until(0, self.words, self.typed, film=film) == 0
        steps = len(list(film.iterdir()))
        self.player.home.path.rename(film / str(steps))  # the end
        for step in range(steps + 1):
            self._reset()
            shutil.rmtree(self.player.home.path)
            (film / str(step)).rename(self.player.home.path)
            yield step + 1

    @property
    def is_done(self) -> bool:
        """Whether everything is as the command was to leave it, but for notes that can be made again."""
        home = _lasting(tree(self.player.home.path)) == _lasting(self.done)
        return home and tree(Path.cwd()) == self.written

    def _reset(self) -> None:
        shutil.rmtree(self.player.home.path, ignore_errors=True)
        shutil.copytree(self.origin, self.player.home.path)
        for path in Path().iterdir():
            path.unlink()
        for name, data in self.desk.items():
            Path(name).write_bytes(data)

    def _check(self) -> None:
        """Every file is old or new, no file is lost, the reading commands work."""
        home = self.player.home
        found, desk = tree(home.path), tree(Path.cwd())
        allowed = [self.before, self.done, *self.between]
        for name in {*self.before, *found}:
            if self.grows and (name.endswith(("accepted.json", "draft.json")) or "signed/" in name):
                continue
            assert any(found.get(name) == state.get(name) for state in allowed), name
        for name in {*self.desk, *desk}:
            assert desk.get(name) in (self.desk.get(name), self.written.get(name)), name
        assert self.player.types("games")[::2] == (
            0,
            "",
        )  # makes stale summaries anew, which reads such games
        assert self.player.types("id", "list")[::2] == (0, "")
        for one in (home, bot_home(home)):
            for key in one.game_keys():
                Game(one, key).load()

    def _run_until(self, step: int, words: Words, typed: str, *, film: Path | None = None) -> int:
        """The exit status of a command in a process of its own that ends before its step number `step`."""
        child = os.fork()
        if child:
            return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        try:
            left = step

            def count(name: str) -> None:
                nonlocal left
                # Before a flush everything is as before the step that follows it: one of the two is enough.
                left -= not name.startswith("flush")
                if not left:
                    os._exit(KILLED)

            def copy(name: str) -> None:
                nonlocal left
                if film is not None and not name.startswith("flush"):
                    shutil.copytree(self.player.home.path, film / str(left))
                    left += 1

            be_repeatable(pytest.MonkeyPatch(), NOW)
            disk.on_step = copy if film is not None else count if step else None
            sys.stdin = io.StringIO(typed)
            os._exit(run(["--home", str(self.player.home.path), *map(str, words)]))
        finally:
            os._exit(98)  # never back into pytest


def _lasting(found: Tree) -> Tree:
    """Without the lists of accepted files: they are made again, with other times."""
    return {name: data for name, data in found.items() if not name.endswith("accepted.json")}


def signed(home: Home) -> dict[tuple[str, int], bytes]:
    """Every file of the games in a home, by game and number, and those that are only noted as signed."""
    found: dict[tuple[str, int], bytes] = {}
    offers: dict[str, str] = {}
    for key in home.game_keys():
        game = Game(home, key).load()
        offers[game.log.entries[0].id.hex()] = key
        for number, data in enumerate(game.raw):
            found[key, number] = data
    for path in (home.path / "signed").glob("[!.]*"):
        marker = read_json(path)
        place = (offers[path.name], marker["number"])
        data = b64decode(marker["file"])
        assert found.setdefault(place, data) == data
    return found


def leftovers(home: Home) -> list[Path]:
    """What writes that were cut off have left in a home."""
    return list(home.path.rglob(".*.tmp"))
