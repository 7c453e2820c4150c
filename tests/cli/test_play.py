"""`pbem play`: a guided turn at a terminal, driven by lines as a person types them."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.cards import CARDS
from pbem.cardtext import card_text
from pbem.cli import run
from pbem.draft import Draft
from pbem.standing import load_standing
from tests.cli.homes import KEY, Pair

Capture = pytest.CaptureFixture[str]
ROOT = Path(__file__).parents[2]


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """A game in which Alice is to make the first move; files go to the folder of the test."""
    monkeypatch.chdir(tmp_path)
    return Pair(tmp_path)


class Player:
    """Somebody who types lines into `pbem play`."""

    def __init__(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch
        self.pair = pair

    def play(self, *lines: str, options: tuple[str, ...] = (), status: int = 0) -> str:
        """What is printed when these lines are typed, one after another, and then nothing more."""
        self.monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        assert run(["--home", self.pair.home(0), "play", *options]) == status
        told = self.capsys.readouterr()
        return told.out + told.err


@pytest.fixture
def player(capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair) -> Player:
    """Alice at her terminal."""
    return Player(capsys, monkeypatch, pair)


def test_a_whole_turn_is_guided_and_signed(player: Player, pair: Pair, tmp_path: Path) -> None:
    text = player.play(
        f"card {pair.center_card()}", "order F5 G1",
        "done",       # no moves
        "F5", "1",    # attack G5
        "1", "1",     # take ground, overrun H5
        "3",          # that is the plan
        "1",          # sign
    )  # fmt: skip
    assert "Whom does Allied armor at F5 attack?" in text
    assert "Ordered: attack F5 G5 ground overrun H5" in text
    assert f'File 2 of "{KEY}" is in "turn02.m44": send it to the other player.' in text
    assert (tmp_path / "turn02.m44").read_bytes() == pair.game(0).raw[2]
    pair.sync()
    assert pair.mover == 1


def test_leaving_keeps_the_draft_and_playing_again_goes_on(player: Player, pair: Pair) -> None:
    card = pair.center_card()
    text = player.play(f"card {card}", "q")
    assert text.endswith(f'What you have decided is kept. "pbem play {KEY}" goes on.\n')
    assert [choice.value for choice in pair.draft(0).choices] == [f"card {card}"]
    assert "Order your units." in player.play()
    assert pair.game(0).log.count == 2


def test_undo_takes_back_what_was_kept(player: Player, pair: Pair) -> None:
    card = pair.center_card()
    text = player.play(f"card {card}", "u", "u", "q")
    assert f"Taken back: card {card}." in text
    assert "Not possible: there is nothing to take back." in text
    assert not (pair.homes[0].games / KEY / "draft.json").exists()


def test_what_is_not_possible_is_explained_and_asked_again(player: Player, pair: Pair) -> None:
    """R31: the rule is named."""
    text = player.play(f"card {pair.center_card()}", "order A9", "B5", "77", "fly", "q")
    assert "Not possible: the armor unit at A9 is the enemy's (R31)." in text
    assert "Not possible: there is no choice 77; they go from 1 to 3." in text
    assert 'Not possible: "fly" is no action; expected now: order or done.' in text
    assert text.count("Order your units.") == 5


def test_help_board_and_hand_can_be_asked_for(player: Player, pair: Pair) -> None:
    text = player.play("?", "b", "h", "q")
    assert 'Type the number of a choice, or a hex, or an action as in "pbem do".' in text
    assert text.count("         left          |           center            |         right") == 2
    key = pair.center_card()
    assert f"- {CARDS[key].name}: {card_text(key)}" in text


def test_plain_has_no_drawing_no_colour_and_numbered_lists(player: Player, pair: Pair) -> None:
    text = player.play(f"card {pair.center_card()}", "b", "q", options=("--plain",))
    assert "|" not in text
    assert "\x1b" not in text
    assert "Skirmish. Turn 1, the Allies to act." in text
    assert "\n  1  F5: Allied armor, 3 figures" in text


def test_everything_fits_into_80_columns_and_pages_of_a_screen(player: Player, pair: Pair) -> None:
    text = player.play(
        f"card {pair.center_card()}", "order F5 G1", "F5", "m", "m", "m", "q", options=("--plain",)
    )
    assert max(len(line) for line in text.splitlines()) <= 80
    questions = text.split("Where does Allied armor at F5 move?")[1:]
    assert len(questions) == 4
    for question in questions:
        choices = question.split("> ")[0].splitlines()
        assert len(choices) <= 19
    assert "  m  more (page 1 of 3)" in questions[0]
    assert questions[0].splitlines()[1:10] != questions[1].splitlines()[1:10]
    assert questions[3].splitlines()[1:10] == questions[0].splitlines()[1:10]


def test_it_is_not_your_move(capsys: Capture, pair: Pair) -> None:
    assert run(["--home", pair.home(1), "play"]) == 1
    assert (
        capsys.readouterr().err
        == "pbem: the next file is not yours\nhint: wait for the other player's file\n"
    )


def test_dice_that_have_just_fallen_are_told_first(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    """R56: the dice of Alice's attacks fall when Bob opens her file."""
    assert (
        run(["--home", pair.home(0), "do", f"card {pair.center_card()}", "order F5 G1", "attack F5 G5"]) == 0
    )
    assert run(["--home", pair.home(0), "seal"]) == 0
    pair.sync()
    capsys.readouterr()
    monkeypatch.setattr("sys.stdin", io.StringIO("q\n"))
    assert run(["--home", pair.home(1), "play", "--plain"]) == 0
    assert capsys.readouterr().out.startswith("The dice show ")


def test_other_commands_work_while_somebody_plays_and_what_is_overtaken_is_not_kept(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    """The home is not locked while the player thinks; a file that comes meanwhile ends the session."""
    card = pair.center_card()

    def lines() -> Iterator[str]:
        yield f"card {card}"
        pair.move()  # another window decides, signs and sends
        yield "1"

    typed = lines()
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert run(["--home", pair.home(0), "play", "--plain"]) == 1
    assert capsys.readouterr().err == (
        f'pbem: the game has gone on meanwhile\nhint: "pbem status {KEY}" says where it is\n'
    )
    assert pair.game(0).log.count == 3
    assert not (pair.homes[0].games / KEY / "draft.json").exists()


def typing(monkeypatch: pytest.MonkeyPatch, *lines: str | Callable[[], None]) -> None:
    """Lines that are typed one after another; in between other windows do something."""

    def steps() -> Iterator[str]:
        for line in lines:
            if callable(line):
                line()
            else:
                yield line

    typed = steps()
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))


def test_decisions_of_another_window_are_not_overwritten(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    """The draft that was last read or written here must still be the one on disk."""
    card = pair.center_card()

    def elsewhere() -> None:
        assert run(["--home", pair.home(0), "do", "order F5 G1"]) == 0

    typing(monkeypatch, f"card {card}", elsewhere, "order F5", "q")
    assert run(["--home", pair.home(0), "play", "--plain"]) == 1
    assert capsys.readouterr().err == (
        "pbem: another command has changed the draft of this file meanwhile\n"
        f'hint: nothing is lost; "pbem play {KEY}" goes on with it as it is now\n'
    )
    assert [choice.value for choice in pair.draft(0).choices] == [f"card {card}", "order F5", "order G1"]


def test_a_draft_thrown_away_elsewhere_does_not_come_back(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    card = pair.center_card()

    def elsewhere() -> None:
        assert run(["--home", pair.home(0), "undo", "--all"]) == 0

    typing(monkeypatch, f"card {card}", elsewhere, "order F5", "q")
    assert run(["--home", pair.home(0), "play", "--plain"]) == 1
    assert "has changed the draft" in capsys.readouterr().err
    assert pair.draft(0).choices == []


def test_standing_orders_of_another_window_are_not_overwritten(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    """Orders that play has not changed are none of its business."""

    def elsewhere() -> None:
        assert run(["--home", pair.home(0), "orders", "ambush never", "retreat all away"]) == 0

    typing(monkeypatch, elsewhere, f"card {pair.center_card()}", "order F5", "q")
    assert run(["--home", pair.home(0), "play", "--plain"]) == 0
    standing = load_standing(pair.game(0))
    assert standing.ambush == "never"
    assert standing.stand.general.route == ("away",)


def test_an_ambush_chosen_in_play_leaves_other_orders_alone(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, pair: Pair
) -> None:
    """C21: only the Ambush is asked for, and only it is written."""
    monkeypatch.setattr(Draft, "holds_ambush", lambda draft: True)

    def elsewhere() -> None:
        assert run(["--home", pair.home(0), "orders", "retreat all away"]) == 0

    typing(monkeypatch, f"card {pair.center_card()}", elsewhere, "end", "2", "q")
    assert run(["--home", pair.home(0), "play", "--plain"]) == 0
    assert "You hold Ambush." in capsys.readouterr().out
    standing = load_standing(pair.game(0))
    assert standing.ambush == "never"
    assert standing.stand.general.route == ("away",)


def in_terminal(pair: Pair, *typed: str, columns: int, lines: int = 24) -> str:
    """What `pbem play` shows on a terminal of so many columns."""
    main, child = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", "--home", pair.home(0), "play", "--colour", "never"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=child,
        stderr=child,
        env={**os.environ, "PYTHONUTF8": "1", "TERM": "xterm", "COLUMNS": str(columns), "LINES": str(lines)},
    ) as process:
        os.close(child)
        assert process.stdin is not None
        process.stdin.write("".join(f"{line}\n" for line in typed).encode())
        process.stdin.close()
        parts = []
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # how Linux reports the end of a terminal
                break
            if not part:
                break
            parts.append(part)
    os.close(main)
    return b"".join(parts).decode()


def test_a_narrow_terminal_gets_no_rubble(pair: Pair) -> None:
    """The drawing is left out, and "b" tells the board in words."""
    text = in_terminal(pair, "?", "b", "q", columns=60)
    assert max(len(line.removeprefix("> ")) for line in text.splitlines()) <= 60
    assert '"b" tells it in words' in " ".join(text.split())
    assert "This drawing needs 80 columns, and this terminal has 60; in" in text
    assert "Skirmish. Turn 1, the Allies to act." in text
    wide = in_terminal(pair, "q", columns=80)
    assert "in words" not in wide
    assert "         left          |           center            |         right" in wide


def test_the_first_screen_holds_the_board_and_the_question(pair: Pair) -> None:
    """In 24 lines there is no room for the choices: an empty line shows them. With 60 lines there is."""
    small = in_terminal(pair, "q", columns=80, lines=24).partition("> ")[0]
    assert len(small.splitlines()) <= 23
    assert "         left          |           center            |         right" in small
    assert small.splitlines()[-1] == (
        "It is your turn: play a command card. (An empty line shows the choices.)"
    )
    large = in_terminal(pair, "q", columns=80, lines=80).partition("> ")[0]
    assert "It is your turn: play a command card.\n  1  " in large.replace("\r", "")
    low = in_terminal(pair, "q", columns=80, lines=15).partition("> ")[0]
    assert "Turn 1. Medals: Allies 0 of 3, Axis 0 of 3. b shows the board, ? shows help." in low
    assert "center            |" not in low


def test_the_board_stays_on_the_screen_when_it_is_asked_for(player: Player, pair: Pair) -> None:
    """With 24 lines drawing and choices do not fit together: an empty line shows the choices again."""
    text = player.play(f"card {pair.center_card()}", "b", "", "q")
    after = text[text.rindex("         left          |") :]
    board, _, choices = after.partition("> ")
    assert len(board.splitlines()) <= 23
    assert board.splitlines()[-1] == "Order your units. (An empty line shows the choices.)"
    assert "  1  F5: Allied armor, 3 figures" not in board
    assert "  1  F5: Allied armor, 3 figures" in choices


def test_the_turn_and_the_medals_are_said_first(player: Player) -> None:
    for options in ((), ("--plain",)):
        text = player.play("q", options=options)
        assert "Turn 1. Medals: Allies 0 of 3, Axis 0 of 3. ? shows help.\n" in text
