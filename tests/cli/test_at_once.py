"""Two commands at once, the lock between them, and who may read what they leave."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli import run
from pbem.files import locked
from pbem.home import Home
from pbem.store import Game
from tests.cli.post import BOB, Player, make_home, other_turns, stock, turns, write_files


def decided(player: Player) -> None:
    """Our file is decided and not yet sealed."""
    stock(player.home, turns()[:3])
    player.decide()


# Two at once


def at_once(player: Player, *commands: tuple[str | Path, ...]) -> list[int]:
    """The exit statuses of commands that run in processes of their own at the same moment."""
    children = []
    gate, key = os.pipe()  # nobody starts before all are there
    for words in commands:
        child = os.fork()
        if not child:
            os.close(key)
            os.read(gate, 1)
            os._exit(run(["--home", str(player.home.path), *map(str, words)]))
        children.append(child)
    os.close(gate)
    os.close(key)
    return [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]


def test_two_that_seal(bob: Player, tmp_path: Path) -> None:
    """One signs, the other repeats it."""
    decided(bob)
    sealing = [("seal", "-o", tmp_path / f"{number}.m44") for number in (1, 2)]
    assert at_once(bob, *sealing) == [0, 0]
    assert (tmp_path / "1.m44").read_bytes() == (tmp_path / "2.m44").read_bytes() == bob.game().raw[3]


def test_two_that_apply_the_same_file(bob: Player, tmp_path: Path) -> None:
    """One takes it in, the other has it already; the list of accepted files is right."""
    stock(bob.home, turns()[:3])
    paths = write_files(tmp_path / "mail", turns()[:5])
    assert at_once(bob, ("apply", *paths[3:]), ("apply", *paths[3:])) == [0, 0]
    game = bob.game()
    assert game.raw == list(turns()[:5])
    assert game.accepted().ids == [entry.id.hex() for entry in game.log.entries]


def test_two_that_apply_files_one_of_which_needs_the_other(bob: Player, tmp_path: Path) -> None:
    """Whichever comes first: file 4 is in, and file 5 is in too or was refused for what was missing then."""
    stock(bob.home, turns()[:4])
    paths = write_files(tmp_path / "mail", turns()[:6])
    first, second = at_once(bob, ("apply", paths[4]), ("apply", paths[5]))
    assert (first, second) in ((0, 0), (0, 1))
    assert bob.game().raw == list(turns()[: 6 - second])
    assert bob.types("apply", paths[5])[0] == 0
    assert bob.game().raw == list(turns()[:6])


def test_one_that_seals_and_one_that_applies(bob: Player, tmp_path: Path) -> None:
    """Another game begins while a file is signed: both are done."""
    decided(bob)
    (key,) = bob.home.game_keys()
    (offer,) = write_files(tmp_path / "mail", other_turns()[:1])
    sent = tmp_path / "sent.m44"
    assert at_once(bob, ("seal", key, "-o", sent), ("apply", offer)) == [0, 0]
    (other,) = set(bob.home.game_keys()) - {key}
    assert Game(bob.home, other).load().raw == [other_turns()[0]]
    assert Game(bob.home, key).load().raw == [*turns()[:3], sent.read_bytes()]


def test_two_that_decide(bob: Player) -> None:
    """Two cards: the one that comes first is played, the other is refused, for a turn has one card."""
    stock(bob.home, turns()[:3])
    rows = json.loads(bob.types("legal", "--json")[1])["actions"]
    cards = [row["action"] for row in rows if row["action"].startswith("card ")][:2]
    statuses = at_once(bob, *(("do", card) for card in cards))
    assert sorted(statuses) == [0, 1]
    game = bob.game()
    draft = game.load_draft(game.desk(BOB))
    assert draft.choices[0].value == cards[statuses.index(0)]


def test_a_command_that_waits_too_long_says_so(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    decided(bob)
    before = bob.snapshot()
    monkeypatch.setattr(disk, "PATIENCE", 0.1)
    with locked(bob.home.path / "lock"):
        status, _, err = bob.types("seal")
        assert (status, err) == (
            1,
            "pbem: another pbem is at work in this folder\nhint: wait until it has finished\n",
        )
        assert bob.types("status")[0] == 0  # reading needs no lock
    assert bob.snapshot() == before


def test_reading_while_another_command_works_writes_only_what_is_the_same(bob: Player) -> None:
    """Another process has signed file 3 and not yet written it to the game: both would write the same."""
    stock(bob.home, turns()[:3])
    folder = bob.home.games / bob.key()
    bob.game().remember_signed(3, turns()[3])
    (folder / "summary.json").unlink()
    before = bob.snapshot()
    with locked(bob.home.path / "lock"):
        assert json.loads(bob.types("status", "--json")[1])["files"] == 4
    after = bob.snapshot()
    assert after.pop(f"games/{bob.key()}/files/0003.m44") == turns()[3]
    assert after == before
    assert json.loads((folder / "summary.json").read_bytes())["files"] == 4


def test_the_lock_of_a_dead_process_is_free(bob: Player) -> None:
    decided(bob)
    child = os.fork()
    if not child:
        with locked(bob.home.path / "lock"):
            os._exit(0)
    os.waitpid(child, 0)
    assert bob.types("seal")[0] == 0


def test_everything_private_is_for_the_owner_only(bob: Player) -> None:
    """Files of the home 600, folders 700, whatever the mask of the process."""
    old = os.umask(0)
    try:
        home = bob.home.path.with_name("fresh")
        player = Player(Home(home), BOB, bob.capsys)
        make_home(home, BOB)
        stock(player.home, turns()[:3])
        player.decide()
        player.types("seal")
    finally:
        os.umask(old)
    modes = {oct(path.stat().st_mode & 0o777) for path in home.rglob("*") if path.is_file()}
    folders = {oct(path.stat().st_mode & 0o777) for path in (home, *home.rglob("*")) if path.is_dir()}
    assert (modes, folders) == ({"0o600"}, {"0o700"})
    assert Path("turn03.m44").stat().st_mode & 0o777 == 0o666
