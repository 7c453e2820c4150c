"""While somebody thinks, at the question for a passphrase or for a yes, other commands go on working."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.draft import Draft
from pbem.files import locked
from pbem.identity import seal_key_file
from tests.cli.post import Player, stock, turns

SECRET = "correct horse"


@pytest.fixture
def asked(bob: Player, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Bob's key file has a passphrase; what he is asked, always with the lock of his home free."""
    key = bob.home.path / "identity.key"
    key.unlink()
    bob.home.save_identity(seal_key_file(bob.identity, SECRET, "Bob"))
    questions: list[str] = []

    def prompt(text: str, **_: object) -> str:
        with locked(bob.home.path / "lock", patience=0):
            questions.append(text)
        return SECRET

    monkeypatch.setattr("click.prompt", prompt)
    return questions


def test_accept_seal_and_bot_ask_for_the_passphrase_before_they_lock(bob: Player, asked: list[str]) -> None:
    stock(bob.home, turns()[:1])
    assert bob.types("accept")[0] == 0
    assert asked == ["Passphrase"]
    asked.clear()
    assert bob.types("seal")[0] == 0  # writes the answer again
    assert asked == ["Passphrase"]


def test_bot_and_resign_ask_before_they_lock(bob: Player, asked: list[str]) -> None:
    stock(bob.home, turns()[:3])
    assert bob.types("bot", "--draft")[0] == 0
    assert bob.types("resign", "--yes")[0] == 0
    assert asked == ["Passphrase"] * 2


def test_deciding_asks_before_it_locks(bob: Player, asked: list[str]) -> None:
    stock(bob.home, turns()[:3])
    card = next(a[1] for a in Draft(bob.game().desk(bob.identity)).answers() if a[0] == "card")
    assert bob.types("do", f"card {card}")[0] == 0
    assert bob.types("undo")[0] == 0
    assert bob.types("orders", "ambush never")[0] == 0
    assert asked == ["Passphrase"] * 3


def test_an_offer_asks_before_it_locks(bob: Player, asked: list[str]) -> None:
    assert bob.types("new", "pegasus-bridge", "--side", "axis", "--opponent", "alice")[0] == 0
    assert asked == ["Passphrase"]


def test_an_offer_to_a_bot_asks_once(bob: Player, asked: list[str]) -> None:
    assert bob.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "bot")[0] == 0
    assert asked == ["Passphrase"]


def test_a_game_that_does_not_exist_is_refused_before_anybody_is_asked(bob: Player, asked: list[str]) -> None:
    stock(bob.home, turns()[:3])
    for command in ("accept", "seal", "bot", "resign"):
        status, _, err = bob.types(command, "nowhere")
        assert (status, err.splitlines()[0]) == (1, 'pbem: there is no game "nowhere"')
    assert asked == []


def test_whether_to_resign_is_asked_before_the_home_is_locked(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(bob.home, turns()[:3])

    def confirm(text: str, **_: object) -> bool:
        with locked(bob.home.path / "lock", patience=0):
            return True

    monkeypatch.setattr("click.confirm", confirm)
    assert bob.types("resign")[0] == 0
    assert bob.game().log.ended
    assert Path("turn03.m44").is_file()
