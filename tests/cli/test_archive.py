"""`pbem export` and `pbem import`: a whole game as one archive, and a lost machine."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.archive import read_archive, write_archive
from pbem.cli import run
from pbem.container import unpack
from pbem.home import Home
from pbem.identity import backup_text
from pbem.log import parse_body
from pbem.orders_text import Standing
from pbem.standing import load_standing
from pbem.store import Game
from tests.cli.post import BOB, Player, stock, turns, write_files
from tests.shortgame import short_game, unlawful

ROOT = Path(__file__).resolve().parents[2]


def test_an_archive_holds_the_files_and_nothing_else(bob: Player) -> None:
    stock(bob.home, turns()[:5])
    status, out, err = bob.types("export", "-o", "game.zip")
    assert (status, err) == (0, "")
    assert out == (
        f'5 files of "{bob.key()}" are in "game.zip".\nAnybody can check it: pbem verify game.zip\n'
    )
    data = Path("game.zip").read_bytes()
    assert read_archive(data) == list(turns()[:5])
    bob.types("export", "-o", "again.zip")
    assert Path("again.zip").read_bytes() == data


def test_the_default_name_is_the_games(bob: Player) -> None:
    stock(bob.home, turns()[:2])
    assert bob.types("export")[0] == 0
    assert [path.name for path in Path().iterdir()] == [f"{bob.key()}.zip"]


def test_an_exported_game_is_imported_by_the_other_player(alice: Player, bob: Player) -> None:
    stock(bob.home, turns()[:5])
    bob.types("export", "-o", "game.zip")
    status, _, err = alice.types("import", "game.zip")
    assert (status, err) == (0, "")
    assert alice.game().raw == list(turns()[:5])


def test_import_refuses_what_is_no_archive(bob: Player) -> None:
    Path("x.zip").write_bytes(b"PK\3\4 nothing")
    before = bob.snapshot()
    assert bob.types("import", "x.zip")[0] == 3
    assert bob.snapshot() == before


@pytest.mark.parametrize("command", ["report", "replay"])
def test_a_page_of_a_spoilt_archive_says_which_file(bob: Player, command: str) -> None:
    spoilt = turns()[3][:-1] + bytes((turns()[3][-1] ^ 1,))
    Path("game.zip").write_bytes(write_archive([*turns()[:3], spoilt]))
    assert bob.types(command, "game.zip") == (
        3,
        "",
        "pbem: E_SIG: the signature is not by the person it names (file 3)\nhint: ask for the file again\n",
    )
    Path("game.zip").write_bytes(write_archive([*short_game()[:6], unlawful(6)]))
    status, _, err = bob.types(command, "game.zip")
    entry = len(parse_body(unpack(unlawful(6)).body).ops) - 1
    place = f"(file 6, entry {entry}, rule R28)"
    assert (status, err) == (3, f"pbem: E_RULE: nothing is asked of the author now {place}\n")


# Restoring: identity backup and files give everything back


def restored(bob: Player, tmp_path: Path) -> Player:
    """Bob on a new machine with nothing but the backup text of his identity."""
    (tmp_path / "paper.txt").write_text(backup_text(BOB))
    home = Home(tmp_path / "new")
    paper = str(tmp_path / "paper.txt")
    assert run(["--home", str(home.path), "id", "restore", paper, "--name", "Bob"]) == 0
    return Player(home, BOB, bob.capsys)


def test_a_lost_machine_is_restored_from_backup_and_mails(bob: Player, tmp_path: Path) -> None:
    old = stock(bob.home, turns()[:7])
    again = restored(bob, tmp_path)
    status, _, err = again.types("apply", *write_files(tmp_path / "mails", turns()[:7]))
    assert (status, err) == (0, "")
    assert again.key() == old.key
    new = again.game()
    assert (new.raw, new.log.previous, new.referee.digest()) == (
        old.raw,
        old.log.previous,
        old.referee.digest(),
    )
    assert new.desk(BOB).hand() == old.desk(BOB).hand()
    again.decide()
    assert again.types("seal")[0] == 0


def test_public_standing_orders_come_back_and_others_are_the_usual_ones(bob: Player, tmp_path: Path) -> None:
    """An instant game: retreats travel openly. Ambush does not, and `id restore` says so."""
    stock(bob.home, turns(dice="instant")[:3])
    assert bob.types("orders", "retreat all together away", "ambush never")[0] == 0
    assert bob.types("bot", "-o", tmp_path / "sent.m44")[0] == 0
    said = load_standing(bob.game())
    again = restored(bob, tmp_path)
    assert "What you had said about Ambush and on sheets does not come back" in again.capsys.readouterr().out
    mails = write_files(
        tmp_path / "mails", (*turns(dice="instant")[:3], (tmp_path / "sent.m44").read_bytes())
    )
    assert again.types("apply", *mails)[0] == 0
    assert load_standing(again.game()) == Standing("always", said.stand)
    assert again.types("orders", "--reset")[0] == 0
    assert load_standing(again.game()) == Standing()


def test_a_restored_home_does_not_sign_a_number_that_is_there(bob: Player, tmp_path: Path) -> None:
    """Protocol, part 12.1: what was signed is among the files, so the place is taken."""
    again = restored(bob, tmp_path)
    again.types("apply", *write_files(tmp_path / "mails", turns()[:4]))
    assert again.types("seal", "-o", "out.m44")[0] == 0  # file 3 is our own: the same bytes again
    assert Path("out.m44").read_bytes() == turns()[3]


def test_an_older_copy_of_the_games_folder_gets_the_signed_file_back(bob: Player) -> None:
    """The last signed file is kept apart from the games, so an older copy of them signs nothing anew."""
    stock(bob.home, turns()[:3])
    bob.decide()
    assert bob.types("seal", "-o", "sent.m44")[0] == 0
    folder = bob.home.games / bob.key()
    (folder / "files" / "0003.m44").unlink()
    (folder / "accepted.json").unlink()
    (folder / "summary.json").unlink()
    bob.types("status")
    assert bob.types("seal", "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == Path("sent.m44").read_bytes()


def test_a_number_that_was_signed_and_is_lost_is_not_signed_again(bob: Player) -> None:
    """An older copy in which also the opponent's files are missing: refused, with what to do."""
    stock(bob.home, turns()[:2])
    game = Game(bob.home, bob.key()).load()
    game.remember_signed(3, turns()[3])
    Path("turn02.m44").write_bytes(turns()[2])
    assert bob.types("apply", "turn02.m44")[0] == 0
    assert bob.game().raw == list(turns()[:4])  # file 3 fits and is taken in by itself
    game.remember_signed(5, b"not a file")
    Path("turn04.m44").write_bytes(turns()[4])
    bob.types("apply", "turn04.m44")
    bob.decide()
    before = bob.snapshot()
    status, _, err = bob.types("seal")
    assert (status, err.splitlines()[0]) == (
        1,
        "pbem: file 5 of this game was signed before and is not here",
    )
    assert bob.snapshot() == before


# What is loaded


def loaded_by(player: Player, *arguments: str) -> set[str]:
    """The modules in memory after a command that has succeeded."""
    program = (
        "import sys\nfrom pbem.cli import run\n"
        f"status = run(['--home', {str(player.home.path)!r}, *{list(arguments)!r}])\n"
        "print(status, *sorted(sys.modules), file=sys.stderr)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    status, *modules = done.stderr.split()
    assert status == "0"
    return set(modules)


def test_the_library_of_archives_is_loaded_only_for_an_archive(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    Path("turn03.m44").write_bytes(turns()[3])
    Path("turn04.m44").write_bytes(turns()[4])
    Path("turn05.zip").write_bytes(write_archive([turns()[5]]))
    heavy = {"zipfile", "lzma", "bz2", "email", "shlex"}  # templates, too, bring the second and the third in
    assert loaded_by(bob, "apply", "turn03.m44", "--no-report") & heavy == set()
    assert loaded_by(bob, "apply", "turn04.m44") & {"zipfile", "email"} == set()
    assert "zipfile" in loaded_by(bob, "apply", "turn05.zip", "--no-report")
