"""Dice that were seen bind whoever saw them: the ways a cheat with an honest program may try, one by one."""

from __future__ import annotations

import io
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli import run
from pbem.draft import Choice, Draft
from pbem.errors import Refused
from tests.cli.homes import KEY, Pair

Capture = pytest.CaptureFixture[str]
ROLLED = re.compile(r"[Tt]he dice show|Their dice show|dice show")


@pytest.fixture
def instant(tmp_path: Path, capsys: Capture) -> Pair:
    """An instant game in which Alice has ordered F5 and G1 and is to attack."""
    pair = Pair(tmp_path, dice="instant")
    ready(capsys, pair)
    return pair


def ready(capsys: Capture, pair: Pair) -> None:
    said(capsys, pair, "do", f"card {pair.center_card()}", "order F5 G1", "done")


def said(capsys: Capture, pair: Pair, *args: str, status: int = 0, seat: int = 0) -> str:
    """What a command prints, refusals included."""
    assert run(["--home", pair.home(seat), *args]) == status
    told = capsys.readouterr()
    return told.out + told.err


def draft_path(pair: Pair, seat: int = 0) -> Path:
    return pair.homes[seat].games / KEY / "draft.json"


def choices(pair: Pair, seat: int = 0) -> list[str]:
    """The decisions of the draft on disk."""
    return [choice.value for choice in pair.draft(seat).choices]


def rolls(pair: Pair, seat: int = 0) -> list[str]:
    """The dice that have fallen in the draft on disk."""
    referee = pair.draft(seat).referee
    return [step.text for step in referee.steps if step.by == "dice" and step.file == referee.file]


def faces(text: str) -> bool:
    """Whether a text tells of dice that have fallen."""
    return ROLLED.search(text) is not None


# A dry run


@pytest.mark.parametrize("line", ["attack F5 G5", "attack G1 G5", "attack G1 H5", "attack G1 C5"])
def test_a_dry_run_stops_before_the_dice(capsys: Capture, instant: Pair, line: str) -> None:
    """R56: the dice of an attack are known when it is made, not when it is thought of."""
    before = draft_path(instant).read_bytes()
    text = said(capsys, instant, "do", "-n", line)
    number = {"attack F5 G5": 3, "attack G1 G5": 2, "attack G1 H5": 2, "attack G1 C5": 1}[line]
    dice = "1 die" if number == 1 else f"{number} dice"
    assert text.startswith("This would be possible; nothing was changed.\n")
    assert text.endswith(f"Here {dice} would fall.\n")
    assert not faces(text)
    assert draft_path(instant).read_bytes() == before


def test_a_dry_run_as_json_stops_before_the_dice(capsys: Capture, instant: Pair) -> None:
    value = json.loads(said(capsys, instant, "do", "-n", "--json", "attack F5 G5"))
    assert (value["dry_run"], value["dice_due"], value["decided"]) == (True, 3, False)
    assert (value["actions"], value["asked"]) == ([], "Here 3 dice would fall.")
    value = json.loads(said(capsys, instant, "do", "--json", "attack F5 G5"))
    assert (value["dry_run"], value["dice_due"]) == (False, 0)


def test_a_dry_run_tries_nothing_behind_the_dice(capsys: Capture, instant: Pair) -> None:
    """Whether the next attack is possible would tell what the dice of the first have done."""
    texts = {
        said(capsys, instant, "do", "-n", "attack F5 G5", second).split("\n", 1)[1]
        for second in ("ground", "stay", "attack G1 G5", "attack A1 A2", "end", "no action at all")
    }
    (text,) = texts
    assert text.endswith("Here 3 dice would fall. What stands behind action 1 was not tried.\n")


def test_a_dry_run_of_a_retreat_stops_before_the_attackers_next_dice(capsys: Capture, tmp_path: Path) -> None:
    """R92: in a sealed game with live retreats the dice of later attacks fall when the first is answered."""
    pair = retreating(capsys, tmp_path)
    way = retreat_of(capsys, pair)
    before = rolls(pair, 1)
    text = said(capsys, pair, "do", "-n", way, seat=1)
    assert text.endswith("Here 2 dice would fall.\n")
    assert not faces(text)
    assert not draft_path(pair, 1).exists()
    said(capsys, pair, "do", way, seat=1)
    assert len(rolls(pair, 1)) == len(before) + 1
    assert "cannot be taken back" in said(capsys, pair, "undo", status=1, seat=1)


def retreating(capsys: Capture, tmp_path: Path) -> Pair:
    """Bob is asked for a retreat from F5's attack, and G1's attack on H5 is still to come."""
    for seed in range(1, 40):
        pair = Pair(tmp_path / str(seed), seed=seed)
        try:
            ready(capsys, pair)
        except StopIteration:  # no card for the center in this hand
            continue
        said(capsys, pair, "do", "attack F5 G5", "attack G1 H5")
        said(capsys, pair, "seal", "-o", str(tmp_path / f"{seed}.m44"))
        pair.sync()
        draft = pair.draft(1)
        if not draft.is_decided and draft.state.phase == "retreat" and draft.referee.plan:
            return pair
    raise AssertionError("no flag in any of these games")


def retreat_of(capsys: Capture, pair: Pair) -> str:
    rows = json.loads(said(capsys, pair, "legal", "--json", seat=1))["actions"]
    return str(rows[0]["action"])


# Several actions at once


def test_what_dice_have_followed_is_kept_when_a_later_action_fails(capsys: Capture, instant: Pair) -> None:
    """All or none would show the dice for nothing: after them only the rest is refused."""
    text = said(capsys, instant, "do", "attack F5 G5", "attack A1 C5", status=1)
    assert faces(text)
    assert choices(instant)[-1] == "attack F5 G5"
    assert "pbem: action 2: " in text
    assert text.endswith("hint: action 1 is kept, for its dice have fallen; nothing behind it was done\n")
    assert "cannot be taken back" in said(capsys, instant, "undo", status=1)


def test_no_refusal_tells_of_dice_that_do_not_bind(capsys: Capture, tmp_path: Path) -> None:
    """Whatever stands behind an attack, and whatever its dice show, the attack is kept."""
    for seed in (1, 2, 3):
        for number, second in enumerate(("attack A1 C5", "ground", "order K5", "nonsense", "move F5 F4")):
            pair = Pair(tmp_path / f"{seed}-{number}", dice="instant", seed=seed)
            ready(capsys, pair)
            run(["--home", pair.home(0), "do", "attack F5 G5", second])
            capsys.readouterr()
            assert "attack F5 G5" in choices(pair)


def test_actions_without_dice_before_the_refused_one_are_not_kept(capsys: Capture, instant: Pair) -> None:
    before = draft_path(instant).read_bytes()
    text = said(capsys, instant, "do", "say hello", "attack A1 C5", status=1)
    assert text.startswith("pbem: action 2: ")
    assert draft_path(instant).read_bytes() == before


def test_only_what_the_dice_have_followed_is_kept(capsys: Capture, instant: Pair) -> None:
    said(capsys, instant, "do", "attack G1 G5", "say hello", "attack A1 C5", status=1)
    assert choices(instant)[-1] == "attack G1 G5"


def test_as_json_too_the_dice_bind(capsys: Capture, instant: Pair) -> None:
    assert run(["--home", instant.home(0), "do", "--json", "attack G1 G5", "attack A1 C5"]) == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["done"][-1] == "attack G1 G5"
    assert told.err.startswith("pbem: action 2: ")
    assert choices(instant)[-1] == "attack G1 G5"


def test_a_file_of_actions_is_kept_as_far_as_its_dice(capsys: Capture, instant: Pair, tmp_path: Path) -> None:
    path = tmp_path / "turn.txt"
    path.write_text("# my attacks\n\nattack G1 G5\nattack A1 C5 # a slip\n", encoding="utf-8")
    text = said(capsys, instant, "do", "-f", str(path), status=1)
    assert "pbem: line 4: " in text
    assert "hint: line 3 is kept, for its dice have fallen; nothing behind it was done\n" in text
    assert choices(instant)[-1] == "attack G1 G5"


# Taking back


@pytest.mark.parametrize("more", [(), ("say hello",)])
def test_undo_never_crosses_dice(capsys: Capture, instant: Pair, more: tuple[str, ...]) -> None:
    said(capsys, instant, "do", "attack G1 G5", *more)
    run(["--home", instant.home(0), "undo", "--all"])
    run(["--home", instant.home(0), "undo"])
    assert "cannot be taken back" in capsys.readouterr().err
    assert choices(instant)[-1] == "attack G1 G5"


def test_what_a_bot_has_rolled_binds(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path, dice="instant")
    ready(capsys, pair)
    text = said(capsys, pair, "bot", "--draft")
    assert faces(text)
    fallen = rolls(pair)
    run(["--home", pair.home(0), "undo", "--all"])
    capsys.readouterr()
    assert rolls(pair) == fallen


def test_leaving_a_guided_turn_in_the_middle_binds(
    capsys: Capture, instant: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("attack F5 G5\n"))
    text = said(capsys, instant, "play", "--plain")
    assert faces(text)
    assert "attack F5 G5" in choices(instant)


# On disk before it is shown


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("do", "attack F5 G5"), id="do"),
        pytest.param(("do", "--json", "attack F5 G5"), id="do --json"),
        pytest.param(("do", "attack F5 G5", "attack A1 C5"), id="do, refused behind the dice"),
        pytest.param(("bot", "--draft"), id="bot --draft"),
        pytest.param(("play", "--plain"), id="play"),
    ],
)
def test_the_draft_is_on_disk_before_the_dice_are_shown(
    capsys: Capture, instant: Pair, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A command that is killed at the first die it prints has kept the decision that rolled it."""
    monkeypatch.setattr("sys.stdin", io.StringIO("attack F5 G5\n"))
    path = draft_path(instant)
    before = path.read_bytes()
    seen: list[bool] = []

    def printed(text: str = "", *args: object, **kwargs: object) -> None:
        if faces(str(text)) or '"done"' in str(text):
            seen.append(path.read_bytes() != before)

    monkeypatch.setattr("click.echo", printed)
    run(["--home", instant.home(0), *words])
    assert seen
    assert all(seen)


@pytest.mark.parametrize("words", [("do", "attack F5 G5"), ("bot", "--draft"), ("play", "--plain")])
def test_a_disk_that_cannot_be_written_shows_no_dice(
    capsys: Capture, instant: Pair, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("attack F5 G5\n"))

    def full(name: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "on_step", full)
    text = said(capsys, instant, *words, status=4)
    assert not faces(text)


# Two windows


def typed(monkeypatch: pytest.MonkeyPatch, lines: Iterator[str]) -> None:
    """What a player types into a guided turn."""
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines))


@pytest.mark.parametrize("then", ["attack G1 H5", "u", "say hello"])
def test_a_second_window_cannot_go_behind_dice_seen_in_the_first(
    capsys: Capture, instant: Pair, monkeypatch: pytest.MonkeyPatch, then: str
) -> None:
    """The guided turn of one window knows nothing of the attack made in the other, and may not undo it."""

    def lines() -> Iterator[str]:
        assert run(["--home", instant.home(0), "do", "attack F5 G5"]) == 0
        yield then

    typed(monkeypatch, lines())
    text = said(capsys, instant, "play", "--plain", status=1)
    assert text.endswith(
        "pbem: another command has changed the draft of this file meanwhile\n"
        f'hint: nothing is lost; "pbem play {KEY}" goes on with it as it is now\n'
    )
    assert "attack F5 G5" in choices(instant)
    assert len(rolls(instant)) == 1


def test_a_second_window_cannot_throw_the_draft_away(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guided turn whose only choice is taken back leaves no draft: not where another window has rolled."""
    pair = Pair(tmp_path, dice="instant")
    card = pair.center_card()

    def lines() -> Iterator[str]:
        yield f"card {card}"
        assert run(["--home", pair.home(0), "do", "order F5 G1", "attack F5 G5"]) == 0
        yield "u"

    typed(monkeypatch, lines())
    said(capsys, pair, "play", "--plain", status=1)
    assert choices(pair)[:4] == [f"card {card}", "order F5", "order G1", "done"]
    assert len(rolls(pair)) == 1


def test_the_store_keeps_what_dice_have_followed(instant: Pair) -> None:
    game = instant.game(0)
    desk = game.desk(instant.people[0])
    rolled = Draft(desk, tuple(instant.draft(0).choices))
    start = Draft(desk, tuple(rolled.choices))
    rolled.choose(Choice("do", "attack F5 G5"))
    game.save_draft(rolled)
    with pytest.raises(Refused, match="dice have fallen in another window"):
        game.save_draft(start)
    with pytest.raises(Refused, match="dice have fallen in another window"):
        game.drop_draft()
    assert game.load_draft(desk).choices == rolled.choices


# Looking


@pytest.mark.parametrize(
    "words",
    [
        ("legal",),
        ("legal", "--json"),
        ("legal", "--verb", "attack"),
        ("board", "--json"),
        ("board", "--plain"),
        ("hand",),
        ("log",),
        ("status",),
        ("orders",),
        ("orders", "--dry-run", "F5", "--flags", "2"),
        ("do", "-n", "attack F5 G5", "end"),
    ],
)
def test_looking_at_a_game_rolls_nothing_and_changes_nothing(
    capsys: Capture, instant: Pair, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    def roll(*args: object) -> None:
        raise AssertionError("dice were rolled")

    monkeypatch.setattr("pbem.foresight.roll_dice", roll)
    before = draft_path(instant).read_bytes()
    said(capsys, instant, *words)
    assert draft_path(instant).read_bytes() == before


def test_a_killed_command_leaves_the_old_draft_or_the_new_one(instant: Pair) -> None:
    """Killed at any step of writing: nothing was printed before the draft was there."""
    path = draft_path(instant)
    before = path.read_bytes()
    for step in range(1, 12):
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.dup2(writing, 1)
                left = [step]

                def count(name: str, left: list[int] = left) -> None:
                    left[0] -= 1
                    if not left[0]:
                        os._exit(99)

                disk.on_step = count
                run(["--home", instant.home(0), "do", "attack F5 G5"])
            finally:
                os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as stream:
            text = stream.read()
        killed = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 99
        if killed:
            assert not faces(text)
        if not killed:
            break
        path.write_bytes(before)
    assert "attack F5 G5" in choices(instant)
