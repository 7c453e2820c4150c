"""Two players with homes of their own, in a folder of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.post import ALICE, BOB, EVE, Player, make_home


@pytest.fixture
def alice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Player:
    """The inviting player; the current folder is an empty one."""
    _settle(tmp_path, monkeypatch)
    return Player(make_home(tmp_path / "alice", ALICE), ALICE, capsys)


@pytest.fixture
def bob(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Player:
    """The invited player."""
    _settle(tmp_path, monkeypatch)
    return Player(make_home(tmp_path / "bob", BOB), BOB, capsys)


@pytest.fixture
def eve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Player:
    """Somebody else."""
    _settle(tmp_path, monkeypatch)
    return Player(make_home(tmp_path / "eve", EVE), EVE, capsys)


def _settle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "desk").mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / "desk")
    monkeypatch.delenv("PBEM_PASSPHRASE", raising=False)
