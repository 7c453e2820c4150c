"""`pbem demo`: a whole game between two bots in two homes, repeatable with a seed, verified by a stranger."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from pbem.cli import run
from pbem.cli.demo import fresh_folder, sources
from pbem.home import Home
from pbem.log import Log
from pbem.referee import Referee
from pbem.store import Game
from tests.skirmish import SKIRMISH

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def battle(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A short battle in a file."""
    path = tmp_path_factory.mktemp("battle") / "skirmish.yaml"
    path.write_text(SKIRMISH, encoding="utf-8")
    return str(path)


def said(capsys: Capture, *args: str, status: int = 0) -> str:
    """What the command prints, refusals included."""
    assert run(["demo", *args]) == status
    told = capsys.readouterr()
    return told.out + told.err


def test_a_demo_plays_to_the_signed_end_in_two_homes(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "show"
    text = said(capsys, "--seed", "3", "--out", str(out))
    assert text.startswith('Two bots play "pegasus-bridge" by mail, with sealed dice.\n')
    assert "it has no secrets: for show only." in " ".join(text.split())
    files = sorted((out / "files").glob("turn*.m44"))
    games = [Game(Home(out / f"home-{name}"), "demo").load() for name in ("anna", "bruno")]
    assert games[0].raw == games[1].raw == [path.read_bytes() for path in files]
    assert all(game.referee.confirmed for game in games)
    log, referee = Log(), Referee()
    for data in games[0].raw:
        log, entry = log.check(data)
        referee = referee.read(entry)
    assert log.ended
    assert f"A third party without any key has verified all {len(files)} files" in " ".join(text.split())
    assert f"turn{len(files) - 1:02}.m44" in text
    assert max(len(line) for line in text.splitlines()) <= 80 + len(str(out))
    assert text.count("medals ") >= len(files) - 2


def test_a_seed_repeats_the_game_byte_for_byte(capsys: Capture, tmp_path: Path, battle: str) -> None:
    for name in ("one", "two"):
        said(capsys, "--seed", "5", "--quiet", "--scenario", battle, "--out", str(tmp_path / name))
    one, two = (
        [path.read_bytes() for path in sorted((tmp_path / name / "files").iterdir())]
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) > 4


def test_without_a_seed_secrets_come_from_the_system() -> None:
    luck, source = sources(None)
    assert isinstance(luck, random.SystemRandom)
    assert source is os.urandom


def test_a_folder_with_something_in_it_is_left_alone(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    text = said(capsys, "--out", str(tmp_path), status=1)
    assert text == (
        f'pbem: there is something in "{tmp_path}" already\nhint: choose an empty folder with --out\n'
    )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_without_a_folder_a_new_one_is_made_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "demo-1").mkdir()
    assert fresh_folder(None) == Path("demo-2")
    assert (tmp_path / "demo-2").is_dir()


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        (("--scenario", "nowhere"), 1, "nowhere"),
        (("--dice", "instant", "--retreat", "sheet"), 2, "leave --retreat out"),
    ],
)
def test_a_demo_that_cannot_be_played(
    capsys: Capture, tmp_path: Path, args: tuple[str, ...], status: int, message: str
) -> None:
    text = said(capsys, *args, "--out", str(tmp_path / "out"), status=status)
    assert message in text
    assert not (tmp_path / "out").exists()
