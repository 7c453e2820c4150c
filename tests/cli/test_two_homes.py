"""Two people play a whole game through the command line alone, from the first identity to the signed end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run
from pbem.home import Home
from pbem.log import Log
from pbem.referee import Referee
from tests.skirmish import SKIRMISH

Capture = pytest.CaptureFixture[str]


class Person:
    """Somebody with a home folder and a folder for files."""

    def __init__(self, capsys: Capture, folder: Path, name: str) -> None:
        self.capsys = capsys
        self.home = folder / name
        self.say("id", "new", "--name", name.capitalize())

    def say(self, *args: str, status: int = 0) -> str:
        """What a command prints."""
        assert run(["--home", str(self.home), *args]) == status
        return self.capsys.readouterr().out

    def ask(self, *args: str) -> Any:
        """What a command prints as JSON."""
        return json.loads(self.say(*args, "--json"))

    @property
    def game(self) -> str:
        """The name of the only game."""
        return Home(self.home).game_keys()[0]


@pytest.mark.parametrize(
    "terms",
    [pytest.param(("--retreat", "strict"), id="sealed"), pytest.param(("--dice", "instant"), id="instant")],
)
def test_a_game_from_invitation_to_result(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, terms: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "skirmish.yaml").write_text(SKIRMISH, encoding="utf-8")
    alice, bob = (Person(capsys, tmp_path, name) for name in ("alice", "bob"))
    bob.say("id", "export", "-o", "bob.card")
    alice.say("id", "import", "bob.card")
    alice.say("new", "skirmish.yaml", "--side", "allies", "--opponent", "bob", *terms, "-o", "00.m44")
    bob.say("apply", "00.m44")
    bob.say("accept", "-o", "01.m44")
    alice.say("apply", "01.m44")
    first_turn(alice, sealed="strict" in terms)
    alice.say("seal", "-o", "02.m44")
    players = (bob, alice)
    for number in range(3, 200):
        author, other = players if number % 2 else players[::-1]
        author.say("apply", f"{number - 1:02}.m44")
        author.say("bot", "-o", f"{number:02}.m44")
        if author.ask("status")["state"] == "over":
            other.say("apply", f"{number:02}.m44")
            break
    assert alice.ask("status")["result"] == bob.ask("status")["result"]
    assert alice.ask("status")["result"]["signed_by_both"]
    log, referee = Log(), Referee()
    for path in sorted(tmp_path.glob("[0-9]*.m44")):
        log, entry = log.check(path.read_bytes())
        referee = referee.read(entry)
    assert log.ended
    assert referee.confirmed


def first_turn(alice: Person, *, sealed: bool) -> None:
    """Decide a turn by typing: any card, every unit that can be ordered, an attack where there is one."""
    cards = [row["action"] for row in alice.ask("legal")["actions"]]
    after = alice.say("do", cards[0])
    assert after.startswith("You play ")
    alice.say("undo")
    alice.say("do", cards[0])
    while alice.ask("legal")["phase"] == "order":
        alice.say("do", alice.ask("legal")["actions"][0]["action"])
    if alice.ask("legal")["phase"] == "move":
        alice.say("do", "done")
    value = alice.ask("legal")
    if value["phase"] == "battle":
        attack = value["actions"][0]["action"]
        told = alice.say("do", attack)
        assert ("Ordered:" in told) == sealed
    while not (value := alice.ask("legal"))["decided"]:
        alice.say("do", value["actions"][-1]["action"])
