"""`pbem orders`: standing orders shown, set, tried out, and carried by files as the terms want."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.cli import run
from pbem.cli.orders import in_force
from pbem.orders import Preference
from pbem.standing import sealed_orders
from tests.ambushed import promised
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
        "in_force": None,
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
    capsys.readouterr()
    assert run(["--home", pair.home(1), "orders", "--opponent"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "Standing orders of Alice:",
        "  retreat all left away",
        "  flags all if-it-avoids-a-loss",
        "Ambush is sealed: nobody can read whether it is held.",
    ]
    assert run(["--home", pair.home(1), "log", "--last"]) == 0
    story = " ".join(capsys.readouterr().out.split())
    assert (
        "Standing orders: In the other player's turn from now on: retreat all left away; "
        "flags all if-it-avoids-a-loss." in story
    )


def test_sealed_orders_of_the_opponent_are_not_shown(capsys: Capture, tmp_path: Path) -> None:
    assert said(capsys, Pair(tmp_path), "--opponent", status=1) == (
        "pbem: the orders of Bob are not open in this game\nhint: only instant games have open orders\n"
    )
    said(capsys, Pair(tmp_path / "instant", dice="instant"), "--opponent", "--reset", status=2)


def test_orders_that_are_not_sealed_yet_say_from_when_they_hold(capsys: Capture, tmp_path: Path) -> None:
    """The sheet of the last file answers until the next one."""
    pair = Pair(tmp_path, retreat="sheet")
    assert run(["--home", pair.home(0), "do", f"card {pair.center_card()}", "end"]) == 0
    assert run(["--home", pair.home(0), "seal", "-o", str(tmp_path / "two.m44")]) == 0
    pair.sync()
    capsys.readouterr()
    lines = said(capsys, pair, "retreat all right", "ambush never").splitlines()
    assert lines[:7] == [
        "retreat all right",
        "flags all if-it-avoids-a-loss",
        "ambush never",
        "",
        "These hold from your next file on. Until then your last file says:",
        "  retreat all cover away",
        "  flags all if-it-avoids-a-loss",
    ]
    value = json.loads(said(capsys, pair, "--json"))
    assert value["orders"] == ["retreat all right", *USUAL[1:2], "ambush never"]
    assert value["in_force"] == [*USUAL[:2], "ambush never"]  # no Ambush in a deck for young generals


def test_a_promised_ambush_is_told_while_its_file_holds() -> None:
    """C21: what is ordered after sealing does not change the sheet that lies with the other player."""
    desk = promised()[1].desk
    sealed = sealed_orders(desk)
    assert sealed is not None
    assert sealed.ambush == "always"
    assert in_force(desk, desk.referee.now) == ["ambush always"]
