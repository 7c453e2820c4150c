"""Two verifiers that share nothing must agree: pbem/log.py, and one written from docs/protocol.md alone."""

from __future__ import annotations

import ast
import base64
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.canon import decode, encode
from pbem.errors import Fault
from pbem.log import Log
from tests.mailgame import play_game
from tests.pbem import (
    test_cheats_cards,
    test_cheats_files,
    test_cheats_sealed,
    test_cheats_setup,
    test_runs,
)
from tests.pbem.forge import Cheat, Stage, small, teams
from tests.pbem.mutation import any_value, damaged, mutated
from tests.pbem.plain_bytes import Refusal, value_of, written
from tests.pbem.plain_verifier import PlainLog, code_of
from tests.pbem.vectors import game_file, part

BOOKS = (test_cheats_cards.BOOK, test_cheats_files.BOOK, test_cheats_sealed.BOOK, test_cheats_setup.BOOK)
PLAIN = ("plain_bytes", "plain_table", "plain_verifier")


@cache
def log_after(files: tuple[bytes, ...]) -> PlainLog:
    """The plain log of these files."""
    return log_after(files[:-1]).after(files[-1]) if files else PlainLog()


def published(count: int) -> PlainLog:
    """The plain log of the first files of the published game."""
    return log_after(tuple(game_file(number) for number in range(count)))


def code_by_log(log: Log, data: bytes) -> str:
    """The code with which the program's verifier refuses a file, "" if it accepts it."""
    try:
        log.check(data)
    except Fault as fault:
        return fault.code
    return ""


def read_by_both(data: bytes) -> tuple[str, str]:
    """What the two readers of canonical bytes make of some bytes, values or codes."""
    try:
        mine = repr(decode(data))
    except Fault as fault:
        mine = fault.code
    try:
        return mine, repr(value_of(data))
    except Refusal as refusal:
        return mine, refusal.code


@pytest.mark.parametrize("name", [*PLAIN, "../plain_group", "../plain_proofs"])
def test_the_second_verifier_imports_nothing_of_the_program(name: str) -> None:
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text(encoding="utf-8"))
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules += [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
    own = {f"tests.pbem.{plain}" for plain in PLAIN} | {"tests.plain_group", "tests.plain_proofs"}
    assert not {module for module in modules if module.startswith(("pbem", "engine"))}
    assert {module for module in modules if module.startswith("tests")} <= own


def test_the_published_game() -> None:
    log = published(7)
    assert [found.hex() for found in log.ids] == part("game", "ids")
    assert log.game.hex() == part("game", "gid")
    assert [[value.hex() for value in row] for row in log.chains] == part("game", "actions")
    assert [published(n).table.digest().hex() for n in range(1, 8)] == part("game", "digests")
    assert {str(number): root.hex() for number, root in log.roots.items()} == part("game", "roots")
    assert {name: deck.discard for name, deck in log.table.decks.items()} == part("game", "discards")
    assert [slot.card for slot in log.table.places[-1]] == part("game", "board")
    assert log.table.ended


@pytest.mark.parametrize(
    "bad", part("bad_files"), ids=[f"{row['after']} {row['name']}" for row in part("bad_files")]
)
def test_the_published_damages(bad: dict[str, Any]) -> None:
    assert code_of(published(bad["after"]), base64.b64decode(bad["file"])) == bad["error"]


@pytest.mark.parametrize("cheat", [param for book in BOOKS for param in book.params()])
def test_every_cheat_is_refused_with_the_same_error(cheat: Cheat) -> None:
    stage = cheat.stage()
    assert code_of(log_after(tuple(stage.files[: cheat.after])), cheat.make(stage)) == cheat.code


@pytest.mark.parametrize("number", [2, 5])
def test_a_second_file_in_a_row(number: int) -> None:
    assert code_of(published(number + 1), test_runs.second_file(number)) == "E_RUN"


@pytest.mark.parametrize("stage", [small, teams])
def test_random_changes_get_the_same_verdict(stage: Callable[[], Stage]) -> None:
    """Files changed at random and signed again; the seeds are fixed, twenty thousand others were tried."""
    played = stage()
    codes = []
    for seed in range(40):
        luck = random.Random(seed)
        number = luck.randrange(1, len(played.files))
        data = mutated(played, number, luck)
        codes.append(code_by_log(played.logs[number], data))
        assert code_of(log_after(tuple(played.files[:number])), data) == codes[-1], (
            f"seed {seed}, file {number}"
        )
    assert len(set(codes)) >= 8


def test_canonical_bytes_are_read_alike() -> None:
    """Values of all kinds, written by both, and read by both after small damages."""
    refused = 0
    for seed in range(3000):
        luck = random.Random(seed)
        value = any_value(luck)
        assert encode(value) == written(value)
        data = damaged(encode(value), luck)
        found = read_by_both(data)
        assert found[0] == found[1], f"seed {seed}"
        refused += found[0] == "E_ENC"
    assert 1000 < refused < 2500


def test_a_game_of_the_program() -> None:
    """The first files of a real game, with sixty cards, mixed hands and sealed sheets."""
    played = play_game(most=6, seed=5)
    log = log_after(tuple(played.files))
    theirs = played.parties[2].log
    assert log.ids == [entry.id for entry in theirs.entries]
    assert log.roots == {entry.number: entry.root for entry in theirs.entries if entry.root is not None}
    assert theirs.table is not None
    assert log.table.digest() == theirs.table.digest()
