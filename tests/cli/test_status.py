"""`pbem games` and `pbem status`: from the summaries alone, and right after every change."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli.screen import Screen
from pbem.cli.status import _day
from pbem.draft import Draft
from pbem.identity import fingerprint, seal_key_file
from pbem.summary import read_summary
from tests.cli.post import ALICE, Player, other_turns, stock, turns
from tests.readings import readings

ROOT = Path(__file__).parents[2]
HEAVY = {"cryptography", "coincurve", "jinja2", "yaml", "engine"}

KEYS = [
    "after", "form", "key", "title", "state", "seat", "side", "opponent", "dice", "retreat", "clock_days",
    "files", "turn", "medals", "deck", "result", "medals_to_win", "move", "asked", "asked_kind",
    "last_file_at", "proved", "pending", "trust", "draft", "deadline", "overdue", "clock_trouble", "forks",
    "forked_by", "claimed_at", "next",
]  # fmt: skip


def test_status_in_words(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    status, out, err = bob.types("status")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"Pegasus Bridge  ({bob.key()})"
    assert lines[1] == "You lead the Axis against alice."
    assert lines[2] == "Turn 2, 3 files. Medals: Allies 0 of 4, Axis 0 of 4. Deck: 51 cards."
    assert lines[3].startswith("Your move. ")
    assert "Proved: all 3 files: signatures, chain, cards, dice and rules." in lines
    assert any(line.startswith("Rests on trust: live retreats") for line in lines)
    assert lines[-1] == f"Next: pbem play {bob.key()}"
    assert len(lines) <= 24


def test_status_as_json(alice: Player) -> None:
    stock(alice.home, turns()[:3])
    row = json.loads(alice.types("status", "--json")[1])
    assert (row["state"], row["move"], row["files"], row["turn"], row["side"]) == (
        "playing",
        "opponent",
        3,
        2,
        "allies",
    )
    assert (row["next"], row["asked"], row["draft"], row["deadline"]) == ("", "", None, None)
    assert row["opponent"]["name"] == "bob"
    assert list(row) == KEYS


def test_the_draft_changes_what_comes_next(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()
    row = json.loads(bob.types("status", "--json")[1])
    assert (row["draft"], row["next"]) == ("decided", f"pbem seal {bob.key()}")


def answered_turn() -> tuple[bytes, ...]:
    """The first files of a game, the last by Alice, whose turn ends with the dice of Bob's answer."""
    for seed in range(2, 30):
        for reading in readings(turns(seed=seed))[2::2]:
            if Draft(reading.desk(1)).state.turn > reading.referee.now.turn:
                return turns(seed=seed)[: reading.log.count]
    raise AssertionError("no such file in any of these games")


def test_the_turn_and_the_medals_are_those_that_the_player_sees(bob: Player) -> None:
    """R28: with Bob's own seed the dice of Alice's turn have fallen, and it is his turn; as in `board`."""
    files = answered_turn()
    stock(bob.home, files[:-1])
    Path("turn.m44").write_bytes(files[-1])
    assert bob.types("apply", "turn.m44")[0] == 0
    game = bob.game()
    state = Draft(game.desk(bob.identity)).state
    assert game.referee.now.turn < state.turn
    row = json.loads(bob.types("status", "--json")[1])
    assert (row["turn"], row["medals"]) == (state.turn, [state.medals(0), state.medals(1)])
    shown = json.loads(bob.types("board", "--json")[1])
    assert (row["turn"], row["medals"]) == (shown["turn"], list(shown["medals"].values()))


def test_an_open_invitation_that_somebody_else_has_answered_is_taken(
    alice: Player, bob: Player, eve: Player
) -> None:
    """The game stays for looking on; nothing asks its holder to do anything."""
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "anyone", "-o", "offer.m44")
    for player in (bob, eve):
        assert player.types("apply", "offer.m44")[0] == 0
    assert bob.types("accept", "-o", "answer.m44")[0] == 0
    status, out, err = eve.types("apply", "answer.m44")
    assert (status, err) == (0, "")
    taken = "The place is taken: somebody else has answered this open invitation."
    assert taken in out
    lines = eve.types("status")[1].splitlines()
    assert lines[:3] == [f"Pegasus Bridge  ({eve.key()})", "An open invitation from alice.", taken]
    assert not any(line.startswith("Next:") for line in lines)
    assert eve.types("games")[1].endswith("from alice: the place is taken\n")
    row = json.loads(eve.types("status", "--json")[1])
    assert (row["state"], row["side"], row["move"], row["next"]) == ("taken", None, None, "")
    status, _, err = eve.types("accept")
    assert (status, err.splitlines()[0]) == (1, "pbem: the place is taken: somebody else has answered")
    alice.types("new", "toulon", "--side", "axis", "--opponent", "anyone", "-o", "other.m44")
    assert eve.types("apply", "other.m44")[0] == 0
    assert eve.types("status")[1].startswith("Toulon")  # the only game that is open


def test_games_that_wait_for_you_come_first(bob: Player) -> None:
    stock(bob.home, turns()[:2])
    stock(bob.home, other_turns()[:1])
    lines = bob.types("games")[1].splitlines()
    assert [line.split()[0].rpartition("-")[0] for line in lines] == ["sainte-mere-eglise", "pegasus-bridge"]
    assert lines[0].endswith("against alice: you are invited")
    assert lines[1].endswith("against alice: alice's move")
    assert len(json.loads(bob.types("games", "--json")[1])) == 2


def test_no_games_yet(bob: Player) -> None:
    assert bob.types("games")[1].startswith("You have no games yet.")
    assert json.loads(bob.types("games", "--json")[1]) == []
    status, _, err = bob.types("status")
    assert (status, err.splitlines()[0]) == (1, "pbem: you have no games yet")


@pytest.mark.parametrize(
    ("name", "status"),
    [("pegasus", 0), ("bridge", 0), ("sainte", 0), ("e", 1), (None, 1), ("market", 1)],
)
def test_a_part_of_the_name_is_enough(bob: Player, name: str | None, status: int) -> None:
    stock(bob.home, turns()[:1])
    stock(bob.home, other_turns()[:1])
    assert bob.types("status", *([name] if name else []))[0] == status


@pytest.mark.parametrize("damage", ["missing", "garbage", "stale", "older form", "cut off", "changed"])
def test_a_summary_is_made_again(bob: Player, damage: str) -> None:
    game = stock(bob.home, turns()[:3])
    path = game.path / "summary.json"
    right = read_summary(bob.home, game.key)
    if damage == "missing":
        path.unlink()
    elif damage == "garbage":
        path.write_bytes(b"{")
    elif damage == "stale":
        path.write_text(json.dumps({**right, "after": "00", "turn": 77}))
    elif damage == "cut off":
        kept = json.loads(path.read_bytes())
        path.write_text(json.dumps({name: kept[name] for name in ("form", "after")}))
    elif damage == "changed":
        path.write_text(json.dumps({**json.loads(path.read_bytes()), "medals": 5, "turn": 77}))
    else:
        path.write_text(json.dumps({**right, "form": 1, "turn": 77}))
    assert read_summary(bob.home, game.key) == right
    assert json.loads(path.read_bytes())["turn"] == right["turn"]


def test_a_file_the_list_does_not_know_makes_the_summary_stale(bob: Player) -> None:
    """As after a power cut between a file and the list of accepted files."""
    game = stock(bob.home, turns()[:3])
    (game.path / "files" / "0003.m44").write_bytes(turns()[3])
    assert read_summary(bob.home, game.key)["files"] == 4


def test_the_clock_is_shown(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = ("new", "pegasus-bridge", "--side", "allies", "--opponent", "bob", "--clock", "1")
    alice.types(*offer)
    bob.types("apply", "pegasus-bridge.m44")
    bob.types("accept")
    assert "Clock: 1 day a file; this one is due " in bob.types("status")[1]
    later = bob.game().times[-1] + 86_401
    monkeypatch.setattr(disk, "now", lambda: later)
    out = bob.types("status")[1]
    assert ", which is over." in out
    assert out.splitlines()[-1] == f"Next: pbem claim {bob.key()}"
    assert "clock has run out" in bob.types("games")[1]


@pytest.mark.parametrize("command", ["games", "status", "--help"])
def test_quick_commands_import_nothing_heavy(bob: Player, command: str) -> None:
    stock(bob.home, turns()[:3])
    program = (
        "import sys\nfrom pbem.cli import run\n"
        f"status = run(['--home', {str(bob.home.path)!r}, {command!r}])\n"
        "print(status, *sorted({name.partition('.')[0] for name in sys.modules}), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    status, *modules = done.stderr.split()
    assert status == "0"
    assert "click" in modules
    assert set(modules) & HEAVY == set()


def test_a_damaged_game_is_named_and_does_not_hide_the_others(bob: Player) -> None:
    game = stock(bob.home, turns()[:4])
    stock(bob.home, other_turns()[:1])
    (game.path / "files" / "0001.m44").unlink()
    (game.path / "summary.json").unlink()
    status, _, err = bob.types("status", "pegasus")
    assert status == 4
    assert err.startswith(f'pbem: file 1 of the game "{game.key}" is missing')
    status, out, err = bob.types("games")
    assert (status, len(out.splitlines())) == (4, 1)
    assert err.startswith(f'pbem: file 1 of the game "{game.key}" is missing')
    assert len(json.loads(bob.types("games", "--json")[1])) == 1
    assert bob.types("accept", "sainte")[0] == 0
    (game.path / "accepted.json").unlink()
    Path("old.m44").write_bytes(other_turns()[0])
    assert bob.types("apply", "old.m44")[0] == 0


def test_a_fingerprint_that_was_not_compared_is_trust(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    line = "that the key is of alice: its fingerprint was not compared"
    assert json.loads(bob.types("status", "--json")[1])["trust"][-1] == line
    bob.types("id", "compare", "alice", *fingerprint(ALICE.pk).split())
    trust = json.loads(bob.types("status", "--json")[1])["trust"]
    assert trust == ["live retreats: a modified program of the defender could know the turn's remaining dice"]


@pytest.mark.parametrize(
    ("zone", "text"), [("UTC0", "13:00 UTC"), ("XYZ-5:30", "18:30 UTC+05:30"), ("ABC3", "10:00 UTC-03:00")]
)
def test_times_name_their_zone(zone: str, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert _day(1_700_053_200) == f"2023-11-15 {text}"
    finally:
        monkeypatch.delenv("TZ")
        time.tzset()


def test_the_deck_is_counted(bob: Player) -> None:
    """Adaptation 17: everybody may count the deck; with the own next file it is what that leaves."""
    game = stock(bob.home, turns()[:3])
    deck = Draft(game.desk(bob.identity)).referee.pile
    assert 0 < deck < 60
    assert json.loads(bob.types("status", "--json")[1])["deck"] == deck
    assert json.loads(bob.types("hand", "--json")[1])["deck"] == deck
    assert bob.types("hand")[1].endswith(f"Left in the deck: {deck} cards.\n")
    assert f"Deck: {deck} cards." in bob.types("status")[1]


def test_a_kept_draft_that_is_damaged_says_less(bob: Player) -> None:
    """The summary does not believe what a draft says of itself unless its sum is right."""
    game = stock(bob.home, turns()[:3])
    bob.decide()
    path = game.path / "draft.json"
    draft = json.loads(path.read_bytes())
    right = json.loads(bob.types("status", "--json")[1])
    draft["shows"]["turn"] = 99
    path.write_text(json.dumps(draft))
    row = json.loads(bob.types("status", "--json")[1])
    assert row["turn"] == Draft(bob.game().desk(bob.identity)).state.turn
    assert (row["asked_kind"], row["draft"], row["next"]) == ("seal", "decided", right["next"])


def test_a_locked_key_leaves_the_question_open(bob: Player) -> None:
    """`status` never asks for a passphrase; what needs the key is left out until a command has had it."""
    (bob.home.path / "identity.key").unlink()
    bob.home.save_identity(seal_key_file(bob.identity, "open sesame", "Bob"))
    stock(bob.home, turns()[:3])
    row = json.loads(bob.types("status", "--json")[1])
    assert (row["asked"], row["asked_kind"]) == ("The next file is yours.", "decide")


def test_a_fork_is_marked_with_its_author(bob: Player) -> None:
    game = stock(bob.home, turns()[:4])
    (game.path / "evidence").mkdir()
    (game.path / "evidence" / "0002-aa.cert").write_bytes(b"")
    (game.path / "evidence" / "0003-bb.cert").write_bytes(b"")
    row = json.loads(bob.types("status", "--json")[1])
    assert row["forked_by"] == ["opponent", "you"]
    assert bob.types("games")[1].endswith("  FORK by alice  FORK by you\n")


@pytest.mark.parametrize("columns", [40, 80])
def test_games_fit_a_terminal(bob: Player, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stock(bob.home, turns()[:3])
    whole = bob.types("games")[1]
    assert len(whole.splitlines()) == 1
    narrow = Screen(False, False, columns)
    monkeypatch.setattr("pbem.cli.status.screen", lambda: narrow)
    monkeypatch.setattr("pbem.cli.screen.screen", lambda: narrow)
    out = bob.types("games")[1]
    assert max(map(len, out.splitlines())) <= columns
    assert out.split() == whole.split()
