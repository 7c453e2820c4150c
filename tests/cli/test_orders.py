"""`pbem orders`: standing orders shown, set, tried out, and carried by files as the terms want."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import run
from pbem.orders import Preference
from tests.cli.homes import KEY, Pair

Capture = pytest.CaptureFixture[str]
USUAL = ["retreat all cover away", "flags all if-it-avoids-a-loss", "ambush always"]


def said(capsys: Capture, pair: Pair, *args: str, status: int = 0) -> str:
    """What `pbem orders` prints for Alice, refusals included."""
    assert run(["--home", pair.home(0), "orders", *args]) == status
    told = capsys.readouterr()
    return told.out + told.err


@pytest.mark.parametrize(
    ("dice", "retreat", "sentence"),
    [
        (
            "sealed",
            "live",
            "Retreats are decided when you open the file: only the Ambush line is used in",
        ),
        (
            "sealed",
            "strict",
            "Retreats are decided when you open the file: only the Ambush line is used in",
        ),
        (
            "sealed",
            "sheet",
            "They are sealed on the sheet of your next file; your opponent sees only what is",
        ),
        ("instant", "", "Retreats travel openly with your next file, and your opponent can read them."),
    ],
)
def test_the_usual_orders_and_where_they_go(
    capsys: Capture, tmp_path: Path, dice: str, retreat: str, sentence: str
) -> None:
    lines = said(capsys, Pair(tmp_path, dice=dice, retreat=retreat)).splitlines()
    assert lines[:4] == [*USUAL, ""]
    assert lines[4] == sentence
    assert lines[-1] == "Ambush is sealed on the sheet of every file, whether you hold the card or not."


def test_orders_are_set_and_kept(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    said(capsys, pair, "retreat all together", "retreat F5 f4,E3 left", "flags F5 never", "ambush B5")
    value = json.loads(said(capsys, pair, "--json"))
    assert value == {
        "game": KEY,
        "orders": [
            "retreat all together",
            "flags all if-it-avoids-a-loss",
            "retreat F5 f4,E3 left",
            "flags F5 never",
            "ambush B5",
        ],
        "retreats": "live",
        "ambush_sealed": True,
    }
    assert said(capsys, pair, "--reset").splitlines()[:3] == USUAL


def test_a_line_that_cannot_be_read_changes_nothing(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    text = said(capsys, pair, "ambush never", "retreat G5 cover", status=1)
    assert text == (
        'pbem: line 2: none of your units stands at G5\nhint: "pbem board" shows where they stand\n'
    )
    assert said(capsys, pair).splitlines()[:3] == USUAL


def test_lines_without_quotation_marks_are_recognised(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path)
    assert said(capsys, pair, "retreat", "all", "cover", status=1) == (
        'pbem: "all" is no standing order by itself\n'
        'hint: put each line into quotation marks: pbem orders "retreat all cover"\n'
    )
    assert said(capsys, pair, "forget", "ambush never").splitlines()[2] == "ambush never"


def test_a_way_that_is_none_lists_the_ways(capsys: Capture, tmp_path: Path) -> None:
    assert said(capsys, Pair(tmp_path), "retreat all foo", status=1) == (
        'pbem: "foo" is no way to retreat; expected cover, away, together, objective, left, right, any, '
        'or hexes\nhint: "pbem orders --help" shows how they are written\n'
    )


def test_orders_see_the_decisions_of_the_next_file(capsys: Capture, tmp_path: Path) -> None:
    """R92: the unit has moved in the draft; its orders are given where it stands now."""
    pair = Pair(tmp_path)
    moves = [f"card {pair.center_card()}", "order F5", "move F5 e4"]
    assert run(["--home", pair.home(0), "do", *moves]) == 0
    capsys.readouterr()
    assert said(capsys, pair, "retreat e4 left", "--dry-run", "e4").startswith(
        "With 1 flag Allied armor at e4 retreats to E3"
    )
    said(capsys, pair, "retreat e4 together")
    assert "retreat e4 together" in said(capsys, pair).splitlines()
    assert "none of your units stands at F5" in said(capsys, pair, "flags F5 never", status=1)


def test_a_dry_run_shows_what_a_unit_would_do_and_keeps_nothing(capsys: Capture, tmp_path: Path) -> None:
    """R92, R93: a flag is one hex towards the own edge."""
    pair = Pair(tmp_path)
    assert said(capsys, pair, "retreat all left", "--dry-run", "F5") == (
        "With 1 flag Allied armor at F5 retreats to e4, the best of 2 ways.\n"
    )
    value = json.loads(said(capsys, pair, "retreat F5 right", "--dry-run", "F5", "--flags", "2", "--json"))
    assert value["route"] == ["F5", "f4", "G3"]
    assert (value["ignored"], value["losses"], value["routes"]) == (0, 0, 3)
    assert said(capsys, pair).splitlines()[:3] == USUAL


def test_a_sheet_carries_the_orders_of_the_player(capsys: Capture, tmp_path: Path) -> None:
    """R92: in a game by sheet the defender's units retreat as was sealed before the dice."""
    pair = Pair(tmp_path, retreat="sheet")
    said(capsys, pair, "retreat all right", "flags all never")
    assert run(["--home", pair.home(0), "do", f"card {pair.center_card()}", "end"]) == 0
    assert run(["--home", pair.home(0), "seal", "-o", str(tmp_path / "two.m44")]) == 0
    pair.sync()
    desk = pair.desk(0)
    number, root = desk.log.sheets[0] or (0, b"")
    sheet = desk.sheet()
    assert number == 2
    assert sheet is not None
    assert sheet.root == root
    from pbem.canon import decode

    assert decode(sheet.open(8 * 2 + 5).answer) == ["right"]
    assert decode(sheet.open(8 * 2 + 6).answer) == "never"


def test_an_instant_game_states_them_in_the_next_file(capsys: Capture, tmp_path: Path) -> None:
    pair = Pair(tmp_path, dice="instant")
    said(capsys, pair, "retreat all left away")
    assert run(["--home", pair.home(0), "do", f"card {pair.center_card()}", "end"]) == 0
    assert run(["--home", pair.home(0), "seal", "-o", str(tmp_path / "two.m44")]) == 0
    pair.sync()
    assert pair.desk(1).referee.stands[0].general == Preference(("left", "away"))
