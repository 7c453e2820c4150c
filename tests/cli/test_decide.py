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
        "Allied armor at F5 and Allied artillery at G1 are ordered.",
        "Allied armor moves from F5 to e4.",
        "Ordered:",
        "  Allied artillery at G1 attacks Axis infantry at G5 with 2 dice.",
        "You may order more attacks (e4), or sign your file and send it.",
        f"Next: pbem seal {KEY}",
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
    assert "takes ground if it can" in " ".join(said(capsys, pair, "do", "-").split())


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


def test_do_tells_only_what_is_new(capsys: Capture, pair: Pair) -> None:
    """What earlier commands have told is not told again, in the own turn or after the other player's dice."""
    begin(capsys, pair)
    moved = said(capsys, pair, "do", "move F5 e4").splitlines()
    assert moved == ["Allied armor moves from F5 to e4.", "Move your units.", f"Next: pbem play {KEY}"]
    ordered = said(capsys, pair, "do", "attack e4 C5").splitlines()
    assert ordered[0] == "Ordered:"
    assert ordered[1] == "  Allied armor at e4 attacks Axis infantry at C5 with 1 die, 2 less for the"
    more = said(capsys, pair, "do", "attack G1 G5").splitlines()
    assert more == [
        "Ordered:",
        "  Allied armor at e4 attacks Axis infantry at C5 with 1 die, 2 less for the",
        "    target's cover.",
        "  Allied artillery at G1 attacks Axis infantry at G5.",
        "Everything is decided: sign your file and send it.",
        f"Next: pbem seal {KEY}",
    ]
    assert said(capsys, pair, "do", "say Good luck.").splitlines() == [
        "Your message: Good luck.",
        *more[-2:],
    ]


def test_the_opponents_dice_are_told_once(capsys: Capture, pair: Pair, tmp_path: Path) -> None:
    begin(capsys, pair, "attack G1 H5")
    said(capsys, pair, "seal", "-o", str(tmp_path / "two.m44"))
    pair.sync()
    while pair.draft(1).state.phase != "card":
        rows = json.loads(said(capsys, pair, "legal", "--json", seat=1))["actions"]
        said(capsys, pair, "do", rows[0]["action"], seat=1)
    card = next(answer[1] for answer in pair.draft(1).answers() if answer[0] == "card")
    text = said(capsys, pair, "do", f"card {card}", seat=1)
    assert text.startswith("You play ")
    assert "dice show" not in text


def test_a_slip_names_its_place_and_something_to_do(capsys: Capture, pair: Pair, tmp_path: Path) -> None:
    """R31, R29: which of several actions, or which line of a file."""
    card = pair.center_card()
    assert said(capsys, pair, "do", f"card {card}", "order F5", "order A9", status=1) == (
        "pbem: action 3: the armor unit at A9 is the enemy's (R31)\n"
        f'hint: "pbem legal {KEY}" lists what is possible\n'
    )
    path = tmp_path / "turn.txt"
    path.write_text(f"# turn 1\n\ncard {card}\norder F5 ; armor\nmove F5 Z9\n", encoding="utf-8")
    assert said(capsys, pair, "do", "-f", str(path), status=1).startswith(
        'pbem: line 5: "Z9" is no hex of this board\n'
    )
    missing = next(
        key for key in ("barrage", "air-power", "firefight", "move-out") if key not in hand_of(capsys, pair)
    )
    assert (
        said(capsys, pair, "do", f"card {missing}", status=1).endswith(
            f'(R29)\nhint: "pbem hand {KEY}" shows your cards\n'
        )
        or missing not in pair.draft(0).state.setup.decks[0].faces
    )


def hand_of(capsys: Capture, pair: Pair) -> list[str | None]:
    """The cards that `pbem hand` shows."""
    return [row["card"] for row in json.loads(said(capsys, pair, "hand", "--json"))["cards"]]


def plan_of(capsys: Capture, pair: Pair) -> list[str]:
    """The plan that `pbem legal` shows."""
    return [row["action"] for row in json.loads(said(capsys, pair, "legal", "--json"))["plan"]]


@pytest.mark.parametrize("text", ["card CARD; order F5", "card CARD # the left"])
def test_nothing_of_an_argument_is_cut_off(capsys: Capture, pair: Pair, text: str) -> None:
    assert said(capsys, pair, "do", text.replace("CARD", pair.center_card()), status=1) == (
        f'pbem: "{";" if ";" in text else "#"}" has no meaning here\n'
        "hint: put each action into quotation marks of its own; comments stand in files only\n"
    )
    assert draft_bytes(pair) is None


def test_a_message_is_kept_whole(capsys: Capture, pair: Pair, tmp_path: Path) -> None:
    said(capsys, pair, "do", "say hello # world; bye")
    assert pair.draft(0).choices[-1].value == "hello # world; bye"
    said(capsys, pair, "undo")
    path = tmp_path / "turn.txt"
    path.write_text("say No. 1 # 2; 3\n", encoding="utf-8")
    said(capsys, pair, "do", "-f", str(path))
    assert pair.draft(0).choices[-1].value == "No. 1 # 2; 3"


def test_a_message_that_no_file_can_carry(capsys: Capture, pair: Pair) -> None:
    """Bytes that are no text come from the command line as lone surrogates."""
    text = said(capsys, pair, "do", "say \udcff", status=1)
    assert text.startswith("pbem: the message holds bytes that are no text\n")
    assert draft_bytes(pair) is None


# A plan that may get more orders


def test_a_plan_that_has_been_begun_may_get_more_orders(capsys: Capture, pair: Pair) -> None:
    begin(capsys, pair, "attack F5 G5")
    text = said(capsys, pair, "legal").splitlines()
    assert text[0] == "You may order more attacks (G1), or sign your file and send it."
    assert text[-1] == f"Next: pbem seal {KEY}"
    assert text[1:3] == ["The plan so far:", "  attack F5 G5"]
    value = json.loads(said(capsys, pair, "legal", "--json"))
    assert value["decided"] is True
    assert [row["action"] for row in value["actions"]] == [
        "attack G1 C5",
        "attack G1 G5",
        "attack G1 H5",
        "hold",
        "end",
    ]
    said(capsys, pair, "do", "attack G1 H5")
    value = json.loads(said(capsys, pair, "legal", "--json"))
    assert (value["actions"], value["asked"]) == ([], "Everything is decided: sign your file and send it.")


def test_a_unit_that_battles_twice_may_be_ordered_twice(capsys: Capture, tmp_path: Path) -> None:
    """C23: Artillery Bombard gives two battles."""
    for seed in range(1, 60):
        pair = Pair(tmp_path / str(seed), seed=seed, options={})
        if "artillery-bombard" in hand_of(capsys, pair):
            break
    said(capsys, pair, "do", "card artillery-bombard", "order G1", "attack G1 G5")
    assert said(capsys, pair, "legal").startswith("You may order more attacks (G1), or sign ")
    said(capsys, pair, "do", "attack G1 G5")
    assert said(capsys, pair, "legal").startswith("Everything is decided: sign ")


# Words that fit nothing


def test_legal_knows_its_verbs(capsys: Capture, pair: Pair) -> None:
    assert said(capsys, pair, "legal", "--verb", "atack", status=1) == (
        'pbem: no action begins with "atack"; did you mean "attack"?\n'
        'hint: "pbem legal" lists what is possible\n'
    )
    assert said(capsys, pair, "legal", "--verb", "MOVE").splitlines()[-1] == (
        'Nothing begins with "move" now; what is possible begins with card.'
    )


def test_end_is_refused_in_its_own_words(capsys: Capture, pair: Pair) -> None:
    """R28: before a card there is no turn to end."""
    assert said(capsys, pair, "do", "end", status=1) == (
        'pbem: nothing can be ended with "end" here; the game waits for a command card (R28)\n'
        f'hint: "pbem legal {KEY}" lists what is possible\n'
    )


# undo


def test_undo_takes_back_one_choice_or_all(capsys: Capture, pair: Pair) -> None:
    card = pair.center_card()
    begin(capsys, pair, "attack F5 G5 ground", "attack G1 G5,H5", "hold")
    assert said(capsys, pair, "undo") == "Taken back: attack G1 G5,H5 hold\n"
    assert plan_of(capsys, pair) == ["attack F5 G5 ground"]
    assert said(capsys, pair, "undo") == "Taken back: attack F5 G5 ground\n"
    assert said(capsys, pair, "undo") == "Taken back: order G1\n"
    assert said(capsys, pair, "undo", "--all").splitlines()[:2] == [
        "Taken back: order F5",
        f"Taken back: card {card}",
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


def test_a_hold_with_nothing_left_of_the_plan_offers_no_plan_to_keep(capsys: Capture, pair: Pair) -> None:
    """Protocol 10.4: what could be kept is nothing, and keeping it would end the turn."""
    said(capsys, pair, "do", f"card {pair.center_card()}", "order F5 G1", "attack F5 G5 hold")
    text = said(capsys, pair, "do", "-n", "say good luck")
    assert "sign your file" not in text
    said(capsys, pair, "seal", "-o", str(pair.homes[0].path / "turn.m44"))
    pair.sync()
    pair.move()
    value = json.loads(said(capsys, pair, "legal", "--json"))
    assert value["asked"] == "Your turn goes on: order the attacks that are left, or end the turn."
    assert "plan keep" not in [row["action"] for row in value["actions"]]
    assert "Then everything would be decided." in said(capsys, pair, "do", "-n", "end")
