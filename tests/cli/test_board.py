"""`pbem board`, `pbem hand`, `pbem log`: what they show, from either chair, and what they leave alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.cli import run
from pbem.library import scenario_text
from tests.cli.homes import Pair
from tests.skirmish import held

Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Pair:
    """A game of four files; Alice is to write the fifth."""
    found = Pair(tmp_path_factory.mktemp("pair"))
    found.move(2)
    return found


def said(capsys: Capture, pair: Pair, seat: int, *args: str, status: int = 0) -> str:
    """What a command prints for a player."""
    assert run(["--home", pair.home(seat), *args]) == status
    return capsys.readouterr().out


def answered(capsys: Capture, pair: Pair, seat: int, *args: str) -> Any:
    """What a command prints as JSON."""
    return json.loads(said(capsys, pair, seat, *args, "--json"))


def test_the_board_is_drawn_from_the_own_chair_within_80_columns(capsys: Capture, pair: Pair) -> None:
    alice = said(capsys, pair, 0, "board").splitlines()
    bob = said(capsys, pair, 1, "board").splitlines()
    assert max(map(len, alice)) <= 80
    assert alice[2].startswith("9")
    assert bob[2].startswith("1")
    turned = said(capsys, pair, 1, "board", "--chair", "allies", "--file", "3")
    assert turned == said(capsys, pair, 0, "board", "--file", "3")


def test_the_board_in_words(capsys: Capture, pair: Pair) -> None:
    text = said(capsys, pair, 0, "board", "--plain")
    state = pair.draft(0).state  # with the dice that have fallen with Bob's file
    side = ("Allies", "Axis")[state.side]
    assert text.startswith(f"Skirmish. Turn {state.turn}, the {side} to act.\nMedals: ")
    assert "The Allies sit at the bottom of this board." in text


def test_the_board_as_json(capsys: Capture, pair: Pair) -> None:
    value = answered(capsys, pair, 0, "board")
    keys = "game battle turn active phase medals needed winner units loose objectives"
    assert list(value) == keys.split()
    state = pair.draft(0).state
    assert value["battle"] == "skirmish"
    assert (value["turn"], value["phase"]) == (state.turn, state.phase)
    assert value["phase"] != "roll"
    assert value["active"] == ("allies", "axis")[state.side]
    assert value["needed"] == {"allies": 3, "axis": 3}
    assert len(value["units"]) == 9
    assert value["units"][3]["type"] == "artillery"
    assert value["units"][8]["side"] == "axis"


def test_the_board_of_an_earlier_file(capsys: Capture, pair: Pair) -> None:
    first = answered(capsys, pair, 0, "board", "--file", "1")
    assert [unit["at"] for unit in first["units"]] == ["B5", "K5", "F5", "G1", "C5", "G5", "H5", "L5", "A9"]
    assert run(["--home", pair.home(0), "board", "--file", "9"]) == 1
    assert "nothing happened on the board in file 9" in capsys.readouterr().err


def test_the_board_as_a_picture(capsys: Capture, pair: Pair, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert said(capsys, pair, 0, "board", "--svg", str(path)) == f"Board drawn in {path}\n"
    assert ElementTree.parse(path).getroot().tag.endswith("svg")
    missing = tmp_path / "no" / "board.svg"
    assert run(["--home", pair.home(0), "board", "--svg", str(missing)]) == 1
    assert "cannot write " in capsys.readouterr().err


def test_the_hand_says_what_cards_do_and_which_cannot_be_read_yet(capsys: Capture, pair: Pair) -> None:
    alice = answered(capsys, pair, 0, "hand")["cards"]
    assert len(alice) == 12
    assert not any(row["fresh"] for row in alice)
    assert all(row["card"] is not None for row in alice)
    bob = answered(capsys, pair, 1, "hand")["cards"]
    hidden = [row for row in bob if row["card"] is None]
    assert len(hidden) == 1
    assert hidden[0]["name"] == "A card that cannot be read yet"
    assert (
        hidden[0]["text"]
        == "It was drawn in your last file; the next file from Alice makes it readable to you."
    )
    text = said(capsys, pair, 1, "hand")
    assert "A card that cannot be read yet\n    It was drawn in your last file;" in text


def test_the_battle_is_named_as_the_library_names_it(capsys: Capture, tmp_path: Path) -> None:
    for name in ("st-vith", "sainte-mere-eglise"):
        other = Pair(tmp_path / name, document=scenario_text(name), options={})
        assert answered(capsys, other, 0, "board")["battle"] == name


def test_the_hand_is_what_the_draft_leaves_of_it(capsys: Capture, tmp_path: Path) -> None:
    """R29, R121: a card that is played is gone, and the one that is drawn cannot be read yet."""
    pair = Pair(tmp_path)
    before = [row["card"] for row in answered(capsys, pair, 0, "hand")["cards"]]
    card = pair.center_card()
    said(capsys, pair, 0, "do", f"card {card}")
    after = [row["card"] for row in answered(capsys, pair, 0, "hand")["cards"]]
    assert sorted([*after, card]) == sorted(before)
    said(capsys, pair, 0, "do", "end")
    drawn = answered(capsys, pair, 0, "hand")["cards"]
    assert [row["card"] for row in drawn] == [*after, None]
    assert drawn[-1]["text"] == (
        "It is drawn with your file; the next file from Bob makes it readable to you."
    )
    said(capsys, pair, 0, "undo", "--all")
    assert [row["card"] for row in answered(capsys, pair, 0, "hand")["cards"]] == before


def test_new_cards_of_a_recon_are_marked_while_its_turn_goes_on(capsys: Capture, tmp_path: Path) -> None:
    """C10, adaptation: the cards are drawn with the file; which one goes is decided in the next."""
    pair = Pair(tmp_path)
    draft = pair.draft(0)
    recon = held(draft, "recon-left", "recon-right")
    here, there = ("B5", "C5") if recon == "recon-left" else ("K5", "L5")
    lines = [f"card {recon}", f"order {here}", f"attack {here} {there}"]
    assert run(["--home", pair.home(0), "do", *lines]) == 0
    assert run(["--home", pair.home(0), "seal", "-o", str(tmp_path / "two.m44")]) == 0
    capsys.readouterr()
    assert run(["--home", pair.home(0), "hand", "--json"]) == 0
    cards = json.loads(capsys.readouterr().out)["cards"]
    assert [card["fresh"] for card in cards] == [False] * 11 + [True] * 2


def test_the_story_is_told_file_by_file_to_either_player(capsys: Capture, pair: Pair) -> None:
    text = said(capsys, pair, 0, "log")
    assert text.startswith(
        "File 0, Alice (allies)\n  Offers the game.\n\nFile 1, Bob (axis)\n  Hand and deck:\n"
        "    You draw 12 cards.\n    The Axis draw 12 cards.\n\nFile 2, Alice (allies)\n  Turn 1\n"
    )
    assert "You play " in text
    assert "You play " not in said(capsys, pair, 0, "log", "--file", "3", "--chair", "none")
    assert "The Allies draw 12 cards." in said(capsys, pair, 1, "log", "--file", "1")
    assert "You draw 12 cards.\n    The Axis" in said(
        capsys, pair, 1, "log", "--file", "1", "--chair", "allies"
    )


def test_the_last_file_is_told_with_the_dice_that_fell_for_the_reader(
    capsys: Capture, tmp_path: Path
) -> None:
    """As `pbem apply` has told them; to its author the attack is still open."""
    pair = Pair(tmp_path)
    lines = [f"card {pair.center_card()}", "order F5", "attack F5 G5"]
    assert run(["--home", pair.home(0), "do", *lines]) == 0
    assert run(["--home", pair.home(0), "seal", "-o", str(tmp_path / "two.m44")]) == 0
    pair.sync()
    capsys.readouterr()
    assert run(["--home", pair.home(1), "log", "--last"]) == 0
    told = capsys.readouterr().out
    assert "Attacks ordered:" in told
    assert "The dice show " in told
    assert run(["--home", pair.home(0), "log", "--last"]) == 0
    assert "The dice show " not in capsys.readouterr().out
    assert run(["--home", pair.home(1), "log", "--last", "--chair", "none"]) == 0
    assert "The dice show " not in capsys.readouterr().out


def test_the_story_as_json_and_of_one_file(capsys: Capture, pair: Pair) -> None:
    rows = answered(capsys, pair, 0, "log", "--last")["files"]
    assert [row["file"] for row in rows] == [3]
    assert list(rows[0]) == ["file", "by", "side", "said", "passages"]
    assert (rows[0]["by"], rows[0]["side"], rows[0]["said"]) == ("Bob", "axis", None)
    assert list(rows[0]["passages"][0]) == ["kind", "turn", "heading", "lines"]
    assert run(["--home", pair.home(0), "log", "--file", "4"]) == 1
    assert capsys.readouterr().err == "pbem: there is no file 4\nhint: the game has files 0 to 3\n"


@pytest.mark.parametrize("command", ["board", "hand", "log", "legal", "undo", "play", "bot"])
def test_without_a_game_or_with_an_unknown_one_a_sentence_is_said(
    capsys: Capture, pair: Pair, tmp_path: Path, command: str
) -> None:
    assert run(["--home", str(tmp_path), command]) == 1
    assert capsys.readouterr().err.startswith("pbem: you have no games yet\n")
    assert run(["--home", pair.home(0), command, "nothing"]) == 1
    assert capsys.readouterr().err.startswith('pbem: there is no game "nothing"\n')
