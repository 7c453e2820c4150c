"""`pbem legal`, `pbem do`, `pbem undo`: the scriptable way to decide."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import run
from tests.cli.homes import KEY, Pair

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """A game in which Alice is to make the first move."""
    return Pair(tmp_path)


def said(capsys: Capture, pair: Pair, *args: str, status: int = 0, seat: int = 0) -> str:
    """What a command prints, refusals included."""
    assert run(["--home", pair.home(seat), *args]) == status
    told = capsys.readouterr()
    return told.out + told.err


def draft_bytes(pair: Pair, seat: int = 0) -> bytes | None:
    """The draft as it lies on disk."""
    path = pair.homes[seat].games / KEY / "draft.json"
    return path.read_bytes() if path.is_file() else None


def begin(capsys: Capture, pair: Pair, *more: str) -> str:
    """Play a card for the center and order F5 and G1."""
    return said(capsys, pair, "do", f"card {pair.center_card()}", "order F5 G1", *more)


# legal


def test_legal_lists_actions_with_dice_and_reasons(capsys: Capture, pair: Pair) -> None:
    """R56, R58: base dice by distance, in words and numbers."""
    begin(capsys, pair, "done")
    text = said(capsys, pair, "legal", "--verb", "attack")
    assert text.startswith("Battle with your units.\nDice fall when your opponent opens the file: ")
    assert "  attack F5 G5  Axis infantry, 4 figures: 3 dice (3 in close assault); infantry" in text
    value = json.loads(said(capsys, pair, "legal", "--json"))
    assert (value["game"], value["phase"], value["wants_plan"], value["decided"]) == (
        KEY,
        "battle",
        True,
        False,
    )
    row = next(row for row in value["actions"] if row["action"] == "attack G1 C5")
    assert row["attack"]["dice"] == 1
    assert row["attack"]["distance"] == 6
    assert [value["actions"][-1][key] for key in ("action", "verb", "words")] == [
        "done",
        "done",
        "no more battles",
    ]


def test_legal_says_what_a_move_costs_and_allows(capsys: Capture, pair: Pair) -> None:
    """R38, R44: a move into a forest forbids the battle."""
    said(capsys, pair, "do", f"card {pair.center_card()}", "order F5", "order G1")
    value = json.loads(said(capsys, pair, "legal", "--json", "--verb", "move"))
    moves = {row["action"]: row["move"] for row in value["actions"]}
    assert moves["move F5 E5"]["cost"] == 1
    assert [shot["there"] for shot in moves["move F5 E5"]["shots"]] == ["C5", "G5"]
    cover = moves["move F5 E5"]["shots"][0]
    assert (cover["base"], cover["cover"], cover["shelter"], cover["dice"]) == (3, 2, "in forest", 1)


def test_legal_of_a_file_that_is_not_ours(capsys: Capture, pair: Pair) -> None:
    assert said(capsys, pair, "legal", status=1, seat=1) == (
        "pbem: the next file is not yours\nhint: wait for the other player's file\n"
    )


# do


def test_do_tells_what_happened_and_what_is_next(capsys: Capture, pair: Pair) -> None:
    card = pair.center_card()
    text = begin(capsys, pair, "move F5 e4", "attack G1 G5,H5")
    assert text.splitlines()[1:] == [
        "Allied armor at F5 is ordered.",
        "Allied artillery at G1 is ordered.",
        "Allied armor moves from F5 to e4.",
        "Allied artillery at G1 attacks Axis infantry at G5 with 2 dice.",
        "Ordered:",
        "  Allied artillery at G1 attacks Axis infantry at G5, else Axis infantry at H5.",
        f"Next: Everything is decided: sign your file and send it. (pbem seal {KEY})",
    ]
    assert f'"card {card}"'.encode() in (draft_bytes(pair) or b"")


def test_do_is_all_or_nothing(capsys: Capture, pair: Pair) -> None:
    """R31: the second action is refused, and the first is not kept."""
    card = pair.center_card()
    text = said(capsys, pair, "do", f"card {card}", "order B5", status=1)
    assert text.startswith("pbem: ")
    assert draft_bytes(pair) is None
    begin(capsys, pair)
    before = draft_bytes(pair)
    said(capsys, pair, "do", "attack F5 G5", "attack K5 L5", status=1)
    assert draft_bytes(pair) == before


def test_do_reads_a_file_or_standard_input_with_comments(
    capsys: Capture, pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "turn.txt"
    path.write_text(f"# the plan\ncard {pair.center_card()}\norder F5 ; the tanks\n\n", encoding="utf-8")
    said(capsys, pair, "do", "-f", str(path))
    monkeypatch.setattr("sys.stdin", io.StringIO("order G1\nattack F5 G5 ground # now\n"))
    assert "takes ground if it can" in said(capsys, pair, "do", "-")


@pytest.mark.parametrize(
    ("args", "status", "message"),
    [
        pytest.param((), 2, "an action is expected", id="nothing"),
        pytest.param(("-f", "missing.txt"), 1, 'cannot read "missing.txt": no such file', id="no file"),
        pytest.param(("-f", "x", "order G5"), 2, "give actions or a file, not both", id="both"),
        pytest.param(("fly F5",), 1, '"fly" is no action', id="no action"),
        pytest.param(("order Q9",), 1, '"Q9" is no hex of this board', id="no hex"),
        pytest.param(("order F5",), 1, "the game waits for a command card (R31)", id="too early"),
        pytest.param(("\x00\x1b[2J",), 1, "pbem: ", id="control characters"),
    ],
)
def test_do_refuses_in_one_sentence(
    capsys: Capture, pair: Pair, args: tuple[str, ...], status: int, message: str
) -> None:
    text = said(capsys, pair, "do", *args, status=status)
    assert message in text
    assert "Traceback" not in text
    assert draft_bytes(pair) is None


def test_a_dry_run_changes_nothing(capsys: Capture, pair: Pair) -> None:
    text = said(capsys, pair, "do", "-n", f"card {pair.center_card()}")
    assert text.startswith("This would be possible; nothing was changed.\n")
    assert draft_bytes(pair) is None


def test_do_as_json_says_what_can_be_done_next(capsys: Capture, pair: Pair) -> None:
    value = json.loads(said(capsys, pair, "do", "--json", f"card {pair.center_card()}", "order F5 G1"))
    assert value["phase"] == "move"
    assert value["done"][1:] == ["order F5", "order G1"]
    assert {row["verb"] for row in value["actions"]} == {"move", "done"}


# undo


def test_undo_takes_back_one_choice_or_all(capsys: Capture, pair: Pair) -> None:
    begin(capsys, pair, "attack F5 G5")
    assert said(capsys, pair, "undo") == "Taken back: the plan of 1 attack orders\n"
    assert said(capsys, pair, "undo") == "Taken back: done\n"
    assert said(capsys, pair, "undo", "--all").splitlines()[:2] == [
        "Taken back: order G1",
        "Taken back: order F5",
    ]
    assert draft_bytes(pair) is None
    assert said(capsys, pair, "undo", status=1) == "pbem: there is nothing to take back\n"


def test_undo_never_crosses_dice_that_were_seen(capsys: Capture, tmp_path: Path) -> None:
    """R56: in an instant game the dice of an attack are known at once."""
    pair = Pair(tmp_path, dice="instant")
    begin(capsys, pair, "attack G1 G5")
    before = draft_bytes(pair)
    text = said(capsys, pair, "undo", "--all", status=1)
    assert text == "pbem: the dice that followed this choice have been seen: it cannot be taken back\n"
    assert draft_bytes(pair) == before


def test_a_damaged_draft_is_thrown_away_with_undo_all(capsys: Capture, pair: Pair) -> None:
    begin(capsys, pair)
    path = pair.homes[0].games / KEY / "draft.json"
    value: dict[str, Any] = json.loads(path.read_text())
    value["choices"] = [["do", "fly away"]]
    path.write_text(json.dumps(value))
    assert "the draft of the game" in said(capsys, pair, "legal", status=4)
    assert said(capsys, pair, "undo", "--all") == "The damaged draft is thrown away.\n"
    assert draft_bytes(pair) is None


# A sealed turn that holds


def test_a_turn_goes_on_after_a_hold(capsys: Capture, pair: Pair, tmp_path: Path) -> None:
    begin(capsys, pair, "attack G1 G5", "hold", "attack F5 G5,H5 ground")
    said(capsys, pair, "seal", "-o", str(tmp_path / "two.m44"))
    pair.sync()
    pair.move()
    text = said(capsys, pair, "legal")
    assert text.startswith("Your turn goes on: order the attacks that are left, or confirm your plan.\n")
    assert "What is left of the plan:\n  attack F5 " in text
    assert "  plan keep" in text
    assert "The attacks" not in said(capsys, pair, "do", "plan keep")
    said(capsys, pair, "seal", "-o", str(tmp_path / "four.m44"))
    assert "The attacks that are left of the plan stand." in said(capsys, pair, "log", "--last")
