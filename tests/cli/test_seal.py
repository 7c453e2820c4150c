"""`pbem seal`, and whole games through the command line: two homes, real files, a signed result."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.inbox import Letter, open_letters
from pbem.library import scenario_text
from tests.cli.post import Player, stock, turns
from tests.mailgame import play_game


def test_a_decided_draft_becomes_the_next_file_and_is_final(bob: Player, alice: Player) -> None:
    stock(bob.home, turns()[:3])
    stock(alice.home, turns()[:3])
    bob.decide()
    status, out, err = bob.types("seal", "--message", "your turn")
    assert (status, err) == (0, "")
    assert out.startswith(f'File 3 of "{bob.key()}" is in "turn03.m44": send it to the other player.\n')
    data = Path("turn03.m44").read_bytes()
    assert bob.game().raw[3] == data
    assert not (bob.home.games / bob.key() / "draft.json").exists()
    status, out, err = alice.types("apply", "turn03.m44")
    assert (status, err) == (0, "")
    assert "  Bob says:\n    your turn\n" in out


def test_sealing_again_writes_the_same_bytes(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()
    bob.types("seal")
    data = Path("turn03.m44").read_bytes()
    Path("turn03.m44").unlink()
    assert bob.types("seal")[0] == 0
    assert Path("turn03.m44").read_bytes() == data
    assert bob.types("seal", "-o", "elsewhere.m44")[0] == 0
    assert Path("elsewhere.m44").read_bytes() == data
    status, _, err = bob.types("seal", "--message", "too late")
    assert (status, err.splitlines()[0]) == (
        1,
        "pbem: file 3 is signed already and cannot take a message any more",
    )


def test_an_unfinished_draft_is_not_sealed(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    before = bob.snapshot()
    status, _, err = bob.types("seal")
    assert status == 1
    assert err.startswith("pbem: the file is not finished: it is your turn: play a command card\n")
    assert f"pbem play {bob.key()}" in err
    assert bob.snapshot() == before
    assert list(Path().iterdir()) == []


def test_another_games_file_of_the_same_name_is_left_alone(bob: Player) -> None:
    stock(bob.home, turns()[:2])
    Path("turn01.m44").write_bytes(b"other")
    assert bob.types("seal")[0] == 0
    assert Path("turn01.m44").read_bytes() == b"other"
    assert Path(f"{bob.key()}-turn01.m44").read_bytes() == turns()[1]


def test_armor_is_text_that_apply_reads(bob: Player) -> None:
    stock(bob.home, turns()[:2])
    assert bob.types("seal", "--armor")[0] == 0
    assert open_letters([Path("turn01.txt")]) == [Letter("turn01.txt", turns()[1])]
    status, out, _ = bob.types("seal", "-o", "-")
    assert (status, out) == (0, Path("turn01.txt").read_text())


def test_without_anything_to_send_there_is_nothing_to_seal(alice: Player, bob: Player) -> None:
    stock(bob.home, turns()[:1])
    status, _, err = bob.types("seal")
    assert (status, err.splitlines()[1]) == (
        1,
        f'hint: "pbem accept {bob.key()}" accepts the invitation',
    )


def test_a_file_that_cannot_be_written_is_signed_once_all_the_same(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()
    status, _, err = bob.types("seal", "-o", "nowhere/x.m44")
    assert status == 1
    assert "it is signed and kept" in err
    signed = bob.game().raw[3]
    assert bob.types("seal")[0] == 0
    assert Path("turn03.m44").read_bytes() == signed


@pytest.mark.parametrize("dice", ["sealed", "instant"])
def test_a_decided_game_is_signed_by_the_other_side(
    alice: Player, bob: Player, dice: str, tmp_path: Path
) -> None:
    """The file that decides the game is followed by one of the other side with the result."""
    quick = tmp_path / "quick.yaml"
    quick.write_text(re.sub(r"medals: 4", "medals: 1", scenario_text("pegasus-bridge")))
    files = tuple(play_game(str(quick), dice=dice, seed=3).files)
    assert len(files) < 30
    last = len(files) - 1
    players = (alice, bob)
    stock(alice.home, files[:last])
    stock(bob.home, files[:last])
    loser = next(p for p in players if p.game().desk(p.identity).is_next())
    other = players[1 - players.index(loser)]
    loser.types("games")
    assert loser.types("games")[1].endswith(", the result is to be signed, your move\n")
    status, _, err = loser.types("resign", "--yes")
    assert (status, err.splitlines()[1]) == (1, f'hint: "pbem seal {loser.key()}" signs it')
    status, out, err = loser.types("seal")
    assert (status, err) == (0, "")
    assert out.startswith("The game is over: the ")
    assert " have won, 1 medal to 0. " in out
    assert "With this file you sign the result." in " ".join(out.split())
    status, out, err = other.types("apply", f"turn{last:02}.m44")
    assert (status, err) == (0, "")
    assert "signed by both" in out
    assert other.game().log.ended
    result = "won 1:0" if other.game().referee.winner == players.index(other) else "lost 0:1"
    assert f"The game is over: {result}, signed by both.\n" in other.types("status")[1]
    assert loser.types("resign", "--yes")[0] == 1


def test_ten_files_back_and_forth(alice: Player, bob: Player) -> None:
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "bob", "-o", "turn00.m44")
    bob.types("apply", "turn00.m44")
    assert bob.types("accept")[0] == 0
    players = [alice, bob]
    for number in range(1, 9):
        player = players[(number + 1) % 2]
        status, _, err = player.types("apply", f"turn{number:02}.m44")
        assert (status, err) == (0, "")
        player.decide(seed=number)
        assert player.types("seal")[0] == 0
    assert alice.types("apply", "turn09.m44")[0] == 0
    assert len(alice.game().raw) == 10
    assert alice.game().raw == bob.game().raw
    assert alice.game().referee.digest() == bob.game().referee.digest()
