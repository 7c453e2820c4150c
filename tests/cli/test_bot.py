"""`pbem bot`: a bot decides and signs; and the practice opponent of `pbem new --opponent bot`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import run
from pbem.draft import Draft
from pbem.home import Home
from pbem.practice import bot_home
from pbem.store import Game
from tests.cli.homes import KEY, Pair
from tests.cli.post import be_repeatable
from tests.skirmish import SKIRMISH

Capture = pytest.CaptureFixture[str]
FALLEN = "With your answer the dice that were waiting have fallen:"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn files are written into the folder of the test."""
    monkeypatch.chdir(tmp_path)


def said(capsys: Capture, home: str, *args: str, status: int = 0) -> str:
    """What a command prints, refusals included."""
    assert run(["--home", home, *args]) == status
    told = capsys.readouterr()
    return told.out + told.err


def test_the_bot_writes_the_next_file(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    text = said(capsys, pair.home(0), "bot", "--message", "From the bot.")
    assert text.splitlines()[0].startswith("You play ")
    assert f'File 2 of "{KEY}" is in "turn02.m44": send it to the other player.' in text
    assert (tmp_path / "turn02.m44").read_bytes() == pair.game(0).raw[2]
    pair.sync()
    assert pair.mover == 1
    said_in_file = [action.value for action in pair.game(1).log.entries[2].actions if action.name == "say"]
    assert said_in_file == ["From the bot."]


def test_the_bot_goes_on_from_what_was_decided_and_may_leave_the_signing(
    capsys: Capture, tmp_path: Path
) -> None:
    pair = Pair(tmp_path)
    card = pair.center_card()
    said(capsys, pair.home(0), "do", f"card {card}")
    text = said(capsys, pair.home(0), "bot", "--draft")
    assert text.splitlines()[-2:] == [
        "Everything is decided: sign your file and send it.",
        f"Next: pbem seal {KEY}",
    ]
    draft = pair.draft(0)
    assert draft.choices[0].value == f"card {card}"
    assert draft.is_decided
    assert pair.game(0).log.count == 2


def test_the_bot_waits_for_its_turn(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    text = said(capsys, pair.home(1), "bot", status=1)
    assert text == "pbem: the next file is not yours\nhint: wait for the other player's file\n"


def test_a_game_against_the_bot_needs_no_files_sent(capsys: Capture, tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    said(capsys, home, "id", "new", "--name", "Ann")
    text = said(capsys, home, "new", "pegasus-bridge", "--side", "allies", "--opponent", "bot")
    assert "The bot answers at once; no file has to be sent." in text
    key = Home(Path(home)).game_keys()[0]
    assert text.splitlines()[-1] == f"Next: pbem play {key}"
    text = said(capsys, home, "bot")
    assert "File 3, Bot (axis)" in text
    assert Game(Home(Path(home)), key).load().log.count == 4
    assert not list(tmp_path.glob("*.m44"))


def test_a_bot_that_moves_first_has_moved_when_the_game_begins(capsys: Capture, tmp_path: Path) -> None:
    """R19: the Allies move first at Pegasus Bridge; here they are led by the bot."""
    home = str(tmp_path / "home")
    said(capsys, home, "id", "new", "--name", "Ann")
    text = said(capsys, home, "new", "pegasus-bridge", "--side", "axis", "--opponent", "bot")
    assert "File 3, Bot (allies)\n  Turn 1\n" in text
    key = Home(Path(home)).game_keys()[0]
    assert Game(Home(Path(home)), key).load().log.count == 4


def test_the_dice_of_the_bots_attacks_are_shown_with_its_answer(capsys: Capture, tmp_path: Path) -> None:
    """R56: they fall with the player's next file, whose author can see them at once, as with `apply`."""
    home = str(tmp_path / "home")
    said(capsys, home, "id", "new", "--name", "Ann")
    battle = tmp_path / "skirmish.yaml"
    battle.write_text(SKIRMISH, encoding="utf-8")
    text = said(capsys, home, "new", str(battle), "--side", "axis", "--opponent", "bot")
    key = Home(Path(home)).game_keys()[0]
    waited = 0
    for _ in range(12):
        game = Game(Home(Path(home)), key).load()
        if game.referee.winner >= 0 or waited > 1:
            break
        draft = Draft(game.desk(Home(Path(home)).load_identity(str)[0]))
        waits = any(step.by == "dice" for step in draft.referee.steps[len(game.referee.steps) :])
        assert (FALLEN in text) == waits
        if waits:
            assert text.index("The dice show ", text.index(FALLEN)) > text.rindex(", Bot (allies)")
            assert text.rindex("Next: pbem ") > text.index(FALLEN)
        waited += waits
        text = said(capsys, home, "bot", key)
    assert waited


def test_a_game_against_the_bot_goes_on_through_the_command_line(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Always the same game, far from its end: three rounds of our file and the answer; then we resign."""
    be_repeatable(monkeypatch, 1_700_000_000.0)
    home = str(tmp_path / "home")
    said(capsys, home, "id", "new", "--name", "Ann")
    battle = tmp_path / "skirmish.yaml"
    battle.write_text(SKIRMISH.replace("medals: 3", "medals: 12"), encoding="utf-8")
    said(capsys, home, "new", str(battle), "--side", "axis", "--opponent", "bot", "--dice", "instant")
    key = Home(Path(home)).game_keys()[0]
    counts = []
    for _ in range(3):
        said(capsys, home, "bot", key)
        game = Game(Home(Path(home)), key).load()
        counts.append(game.log.count)
        assert game.log.entries[-1].seat != game.log.entries[-2].seat
    assert counts == [6, 8, 10]
    said(capsys, home, "resign", key, "--yes", "-o", str(tmp_path / "out.m44"))
    assert Game(Home(Path(home)), key).load().referee.confirmed
    assert said(capsys, home, "bot", key, status=1).startswith("pbem: the game is over\n")


@pytest.mark.parametrize(("side", "files"), [("allies", 2), ("axis", 4)])
def test_a_practice_game_that_was_interrupted_says_how_to_wake_the_bot(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, side: str, files: int
) -> None:
    """Killed between the own file and the bot's answer: status names a command, and it works."""
    home = str(tmp_path / "home")
    said(capsys, home, "id", "new", "--name", "Ann")
    offer = ("new", "pegasus-bridge", "--side", side, "--opponent", "bot")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.practice.answer", interrupt)
        said(capsys, home, *offer, status=1)
    assert_wakes(capsys, home, files)
    said(capsys, home, "bot", "--draft")
    with monkeypatch.context() as patch:
        patch.setattr("pbem.practice.answer", interrupt)
        said(capsys, home, "seal", status=1)
    assert_wakes(capsys, home, files + 2)


def interrupt(*args: object, **kwargs: object) -> None:
    """What the machine does at the worst moment."""
    raise KeyboardInterrupt


def assert_wakes(capsys: Capture, home: str, files: int) -> None:
    """The bot is to move and asleep; what status says leads to so many files, the same on both sides."""
    own = Home(Path(home))
    (key,) = own.game_keys()
    text = said(capsys, home, "status")
    assert "Bot has not answered yet." in text.splitlines()
    assert text.splitlines()[-1] == f"Next: pbem seal {key}"
    for command in ("play", "do", "legal"):
        words = (command, "end") if command == "do" else (command,)
        assert said(capsys, home, *words, status=1) == (
            f'pbem: the bot has not answered yet\nhint: "pbem seal {key}" wakes it\n'
        )
    woken = said(capsys, home, "seal").splitlines()[-1]
    # Games differ: where the bot's attacks only ask for dice, there is nothing to decide.
    assert woken in (f"Next: pbem play {key}", f"Next: pbem seal {key}")
    game = Game(own, key).load()
    assert game.log.count == files
    assert Game(bot_home(own), key).load().raw == game.raw
    assert said(capsys, home, "status").splitlines()[-1] == woken
