"""The examples run as their first lines say, and the example game is a good one."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.archive import read_archive
from pbem.verification import verify_paths

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples"
Run = Callable[..., tuple[object, str]]
AGAIN = 'the rules or the format have changed: run "python -m scripts.example_game"'


@pytest.fixture
def run_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs an example as a program and gives its exit status and output."""

    def run(name: str, *arguments: str) -> tuple[object, str]:
        monkeypatch.setattr("sys.argv", [name, *arguments])
        status: object = 0
        try:
            runpy.run_path(str(FOLDER / name), run_name="__main__")
        except SystemExit as end:
            status = end.code
        return status, capsys.readouterr().out

    return run


def test_every_example_has_a_test() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.py")) == [
        "own_bot.py",
        "two_bots.py",
        "verify_game.py",
    ]


def test_two_bots_fight_to_the_end(run_example: Run) -> None:
    status, printed = run_example("two_bots.py", "sainte-mere-eglise", "2")
    assert status == 0
    winner, words = printed.split(" ", 1)
    assert winner in ("allies", "axis")
    assert words.startswith("win after ")
    assert run_example("two_bots.py", "sainte-mere-eglise", "2")[1] == printed  # the seed decides everything


def test_two_bots_refuse_an_unknown_battle_in_a_sentence(run_example: Run) -> None:
    status, _ = run_example("two_bots.py", "nowhere")
    assert str(status).startswith("nowhere: there is no battle of this name")


def test_the_hothead_beats_chance(run_example: Run) -> None:
    status, printed = run_example("own_bot.py", "6")
    assert status == 0
    words = printed.split()
    assert words[:3] == ["the", "hothead", "wins"]
    assert 4 <= int(words[3]) <= 6


def test_the_example_game_is_verified() -> None:
    (verdict,), damaged = verify_paths([FOLDER / "game"])
    assert verdict.clean, AGAIN
    assert damaged == []
    assert verdict.result is not None
    assert verdict.result.signed_by_both
    assert verdict.repeated == verdict.files  # everything is there twice: in the archive and loose


def test_the_archive_holds_the_loose_files() -> None:
    loose = [path.read_bytes() for path in sorted((FOLDER / "game").glob("*.m44"))]
    assert read_archive(FOLDER / "game" / "pegasus-bridge.zip") == loose


def test_the_example_game_is_small() -> None:
    assert sum(path.stat().st_size for path in (FOLDER / "game").iterdir()) <= 300_000


def test_a_game_is_verified_from_python(run_example: Run) -> None:
    status, printed = run_example("verify_game.py")
    assert status == 0, AGAIN
    assert printed.startswith("Pegasus Bridge: Alice against Bob\n")
    assert "all verified" in printed


def test_a_spoilt_game_is_refused_from_python(run_example: Run, tmp_path: Path) -> None:
    data = bytearray((FOLDER / "game" / "pegasus-bridge.zip").read_bytes())
    data[len(data) // 2] ^= 1
    path = tmp_path / "spoilt.zip"
    path.write_bytes(bytes(data))
    status, printed = run_example("verify_game.py", str(path))
    assert status == 3
    assert "archive: " in printed


def test_an_example_runs_by_itself() -> None:
    done = subprocess.run(
        [sys.executable, str(FOLDER / "verify_game.py")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, ""), AGAIN


@pytest.mark.parametrize("name", ["own_bot.py", "two_bots.py", "verify_game.py"])
def test_an_example_says_how_it_is_called(name: str) -> None:
    assert f"python examples/{name}" in (FOLDER / name).read_text()
