"""The command `pbem verify`, as anybody uses it."""

from __future__ import annotations

import errno
import json
import re
import subprocess
import sys
import zlib
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

import pytest

from pbem import files as disk
from pbem.archive import write_archive
from pbem.canon import decode, encode
from pbem.cli import run
from pbem.cli.screen import Screen
from pbem.container import frame_file, unpack
from pbem.evidence import make_certificate
from pbem.identity import fingerprint
from pbem.verdict import CertificateVerdict, ClaimVerdict, Forked, Player, Problem, Result, Verdict
from tests.cli.post import make_home
from tests.mailgame import ALICE, BOB
from tests.shortgame import another, author_of, id_of, instant_beginning, short_game, unlawful

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """The short game as an archive."""
    path = tmp_path / "game.zip"
    path.write_bytes(write_archive(list(short_game())))
    return path


def loose(folder: Path, *files: bytes) -> Path:
    """Files in a folder."""
    folder.mkdir()
    for number, data in enumerate(files):
        (folder / f"{number}.m44").write_bytes(data)
    return folder


def answer(capture: Capture, *args: object) -> tuple[int, dict[str, Any]]:
    """Exit status and JSON of a command."""
    status = run(["verify", "--json", *map(str, args)])
    printed = capture.readouterr()
    assert printed.err == ""
    return status, json.loads(printed.out)


def test_a_good_game_is_told_in_words(archive: Path, capsys: Capture) -> None:
    assert run(["verify", str(archive)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "verified    Pegasus Bridge: Alice (allies) against Bob (axis); "
        "Bob wins 4 to 1 by medals, signed by both"
    )
    assert lines[1].strip() == "12 turns in 18 files; sealed dice, retreats decided live"
    assert f"            {fingerprint(ALICE.pk)}  Alice (allies)" in lines
    assert f"            {fingerprint(BOB.pk)}  Bob (axis)" in lines
    assert lines[-1] == "1 game, 1 verified"


def test_no_home_folder_is_made(archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    assert run(["verify", str(archive)]) == 0
    assert [path.name for path in tmp_path.iterdir()] == ["game.zip"]


def test_json_has_its_keys(archive: Path, capsys: Capture) -> None:
    status, value = answer(capsys, archive)
    assert status == 0
    assert sorted(value) == ["certificates", "claims", "damaged", "games", "others", "summary"]
    assert value["summary"] == {"games": 1, "verified": 1, "files": 18}
    (game,) = value["games"]
    assert sorted(game) == [
        "battle",
        "clock",
        "dice",
        "files",
        "forks",
        "game",
        "key",
        "missing",
        "next",
        "players",
        "problems",
        "repeated",
        "result",
        "retreat",
        "rules",
        "rules_checked",
        "status",
        "strays",
        "turns",
        "unchecked",
        "verified",
        "waiting",
        "where",
    ]
    assert game["result"] == {
        "winner": "axis",
        "name": "Bob",
        "medals": [1, 4],
        "reason": "medals",
        "signed_by_both": True,
    }


def test_the_keys_are_documented() -> None:
    guide = (Path(__file__).resolve().parents[2] / "docs" / "verify.md").read_text()
    documented = set(re.findall(r"`([a-z_]+)`", guide))
    for kind in (Verdict, Player, Problem, Result, Forked, CertificateVerdict, ClaimVerdict):
        names = set(kind.__annotations__) - {"before", "both", "due"}
        assert names <= documented, names - documented


def test_without_rules_it_says_so(archive: Path, capsys: Capture) -> None:
    assert run(["verify", "--without-rules", str(archive)]) == 0
    printed = capsys.readouterr().out
    assert "the rules of the game were not checked" in printed
    assert "Bob wins 4 to 1 by medals, as the last file says" in printed


def test_a_cheat_is_named_with_status_3(tmp_path: Path, capsys: Capture) -> None:
    folder = loose(tmp_path / "g", *short_game()[:6], unlawful(6))
    assert run(["verify", "--brief", str(folder)]) == 3
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    name = "Alice" if author_of(6) is ALICE else "Bob"
    assert lines[0].startswith("WRONG       Pegasus Bridge: ")
    assert lines[1].startswith(f"file 6 ({folder / '6.m44'}), entry ")
    assert lines[1].endswith(', do "hold":')
    assert lines[2] == "E_RULE (rule R28): nothing is asked of the author now"
    assert lines[3].startswith("chain value before the entry: ")
    assert lines[4] == f"signed by {name}, {fingerprint(author_of(6).pk)}"
    assert lines[5] == "1 game, 0 verified"


def test_a_file_of_a_stranger_is_named_and_the_game_stands(tmp_path: Path, capsys: Capture) -> None:
    """The status is 3 for the file, not for the game."""
    value = {**cast("dict[str, Any]", decode(unpack(short_game()[3]).body)), "n": 99, "p": b"?" * 32}
    junk = frame_file(zlib.compress(encode(value)), bytes(64))
    folder = loose(tmp_path / "g", *short_game(), junk)
    assert run(["verify", "--brief", str(folder)]) == 3
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0].startswith("verified    Pegasus Bridge: ")
    assert lines[1:] == [
        "beside the game lies a file that is no part of it:",
        f"file 99 ({folder / '18.m44'}):",
        "E_SIG: the file names this game, and its author has not signed it",
        "not signed by Bob, so it says nothing about them",
        "1 game, 1 verified",
    ]
    (folder / "18.m44").unlink()
    assert run(["verify", "--brief", str(folder)]) == 0


def test_nothing_found_is_status_1(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "notes.txt").write_text("nothing")
    assert run(["verify", str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("pbem: there are no turn files here\nhint: ")


def test_a_path_that_is_not_there_is_status_1(archive: Path, tmp_path: Path, capsys: Capture) -> None:
    """Nobody may read success out of a misspelt path, nor cheating."""
    assert run(["verify", str(tmp_path / "none")]) == 1
    assert "no such file or directory" in capsys.readouterr().out
    assert run(["verify", "--brief", str(archive), str(tmp_path / "none")]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "1 game, 1 verified"
    (tmp_path / "cut.m44").write_bytes(short_game()[2][:-9])
    assert run(["verify", str(tmp_path / "cut.m44"), str(tmp_path / "none")]) == 3


@pytest.mark.parametrize("command", ["verify", "apply", "import"])
def test_a_path_without_permissions_does_not_stop_the_others(
    command: str, archive: Path, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no slip on the command line."""
    locked = tmp_path / "locked.m44"
    locked.write_bytes(b"")
    honest = Path.open

    def refuse(path: Path, *args: Any, **kwargs: Any) -> Any:
        if path == locked:
            raise PermissionError(errno.EACCES, "Permission denied")
        return honest(path, *args, **kwargs)

    monkeypatch.setattr("os.access", lambda path, mode, **_: Path(path) != locked)
    monkeypatch.setattr(Path, "open", refuse)
    make_home(tmp_path / "home", ALICE)
    assert run(["--home", str(tmp_path / "home"), command, str(locked), str(archive)]) == 1
    printed = capsys.readouterr()
    assert "permission denied" in printed.out + printed.err
    assert ("1 game, 1 verified" if command == "verify" else "checked completely and kept") in printed.out


def test_damaged_files_spoil_the_status_and_others_do_not(
    archive: Path, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "readme").write_text("hello")
    status, value = answer(capsys, tmp_path)
    assert (status, [Path(other["where"]).name for other in value["others"]]) == (0, ["readme"])
    (tmp_path / "cut.m44").write_bytes(short_game()[2][:-9])
    status, value = answer(capsys, tmp_path)
    assert (status, [oddity["code"] for oddity in value["damaged"]]) == (3, ["E_SIZE"])
    assert value["summary"]["verified"] == 1


def test_several_processes_give_the_same_answer_in_the_same_order(tmp_path: Path, capsys: Capture) -> None:
    loose(tmp_path / "a", *short_game()[:4])
    loose(tmp_path / "b", *instant_beginning()[:3])
    one = answer(capsys, tmp_path, "--jobs", 1)
    assert one == answer(capsys, tmp_path, "--jobs", 2)
    assert [game["files"] for game in one[1]["games"]] == [4, 3]


def test_games_in_mails_are_verified_by_several_processes(tmp_path: Path, capsys: Capture) -> None:
    """An organiser gets mails; what is wrong is named with the mail and the attachment."""
    for name, files in (("a", [*short_game()[:6], unlawful(6)]), ("b", list(instant_beginning()))):
        for number, data in enumerate(files):
            message = EmailMessage()
            message["From"], message["Subject"] = "a@example.org", "my turn"
            message.set_content("Here it is.")
            message.add_attachment(data, maintype="application", subtype="x", filename=f"turn{number}.m44")
            (tmp_path / f"{name}{number}.eml").write_bytes(message.as_bytes())
    status, value = answer(capsys, tmp_path, "--jobs", 2)
    assert (status, [game["status"] for game in value["games"]]) == (3, ["wrong", "verified"])
    assert value["games"][0]["problems"][0]["where"] == f"{tmp_path}/a6.eml: turn6.m44"
    assert value["games"][1]["files"] == len(instant_beginning())
    assert (value["damaged"], value["others"]) == ([], [])


def test_a_fork_is_saved_and_anybody_can_check_it(tmp_path: Path, capsys: Capture) -> None:
    twin = another(6)
    folder = loose(tmp_path / "g", *short_game()[:7], twin)
    proof = tmp_path / "proof"
    status, value = answer(capsys, folder, "--save-fork", proof)
    (fork,) = value["games"][0]["forks"]
    assert (status, value["games"][0]["status"]) == (3, "fork")
    assert (fork["file"], set(fork["ids"])) == (6, {id_of(twin), id_of(short_game()[6])})
    (path,) = proof.iterdir()
    assert fork["certificate"] == str(path)

    status, value = answer(capsys, path)
    (certificate,) = value["certificates"]
    assert (status, certificate["valid"], certificate["file"]) == (0, True, 6)
    assert certificate["fingerprint"] == fingerprint(author_of(6).pk)
    assert run(["verify", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"proved      {path}: a fork at file 6 of ")

    path.write_bytes(path.read_bytes()[:-1])
    assert run(["verify", str(path)]) == 3
    assert capsys.readouterr().out.startswith(f"WRONG       {path}: E_ENC: ")


def test_a_small_certificate_is_checked_beside_the_game(tmp_path: Path, capsys: Capture) -> None:
    """It names the files before by their ids; without them it says which one is not there."""
    before = list(short_game()[:6])
    path = tmp_path / "small.cert"
    path.write_bytes(make_certificate(before, short_game()[6], another(6), whole=False))
    game = loose(tmp_path / "g", *before)
    status, value = answer(capsys, path, game)
    assert (status, value["certificates"][0]["valid"]) == (0, True)
    status, value = answer(capsys, path)
    assert (status, value["certificates"][0]["valid"]) == (3, False)
    assert id_of(before[0])[:16] in value["certificates"][0]["message"]


def test_a_fork_in_words(tmp_path: Path, capsys: Capture) -> None:
    folder = loose(tmp_path / "g", *short_game()[:7], another(6))
    assert run(["verify", str(folder)]) == 3
    printed = capsys.readouterr().out
    name = "Alice" if author_of(6) is ALICE else "Bob"
    assert printed.startswith("FORK        Pegasus Bridge: ")
    assert f"fork: {name}, {fingerprint(author_of(6).pk)}, has signed two different files 6:" in printed


def test_a_place_that_cannot_be_written_does_not_hide_the_fork(tmp_path: Path, capsys: Capture) -> None:
    """The verdict comes first, and its status; what could not be kept is said."""
    folder = loose(tmp_path / "g", *short_game()[:7], another(6))
    (tmp_path / "file").write_text("")
    assert run(["verify", str(folder), "--save-fork", str(tmp_path / "file" / "below")]) == 3
    printed = capsys.readouterr()
    assert printed.out.startswith("FORK        Pegasus Bridge: ")
    first, hint = printed.err.splitlines()
    assert first.startswith(f'pbem: cannot make the folder "{tmp_path / "file"}": ')
    assert hint == "hint: choose another place with --save-fork"


def test_a_certificate_that_cannot_be_written_is_said(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(name: str) -> None:
        if name.startswith("create fork-"):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk, "on_step", full)
    folder = loose(tmp_path / "g", *short_game()[:7], another(6))
    assert run(["verify", "--json", str(folder), "--save-fork", str(tmp_path / "proof")]) == 3
    printed = capsys.readouterr()
    assert json.loads(printed.out)["games"][0]["forks"][0]["certificate"] is None
    first, hint = printed.err.splitlines()
    assert first.endswith('.cert": no space left on device')
    assert hint == "hint: choose another place with --save-fork"


def test_saving_forks_needs_the_rules(archive: Path) -> None:
    assert run(["verify", "--without-rules", "--save-fork", "x", str(archive)]) == 2


def test_a_fault_of_the_program_spoils_one_game_only(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pbem.referee import Referee

    honest = Referee.read

    def broken(self: Referee, entry: Any) -> Referee:
        if entry.number == 3:
            raise ZeroDivisionError("an oversight")
        return honest(self, entry)

    loose(tmp_path / "a", *short_game()[:4])  # played with the honest one
    loose(tmp_path / "b", *instant_beginning()[:3])
    monkeypatch.setattr(Referee, "read", broken)
    status, value = answer(capsys, tmp_path, "--jobs", 1)
    assert (status, [game["status"] for game in value["games"]]) == (3, ["wrong", "verified"])
    (problem,) = value["games"][0]["problems"]
    assert (problem["code"], problem["message"]) == (
        "internal",
        "this program cannot check the game: ZeroDivisionError an oversight",
    )


def test_the_bar_is_drawn_on_a_terminal_only(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    loose(tmp_path / "a", *short_game()[:2])
    loose(tmp_path / "b", *instant_beginning()[:2])
    run(["verify", "--jobs", "1", str(tmp_path)])
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    run(["verify", "--jobs", "1", str(tmp_path)])
    assert "verifying" in capsys.readouterr().err


def test_one_line_tells_which_game_of_which_archive(archive: Path, capsys: Capture) -> None:
    """The game is called as `pbem games` calls it."""
    key = f"pegasus-bridge-{id_of(short_game()[0])[:6]}"
    assert run(["verify", "--brief", str(archive)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith(f"; Bob wins 4 to 1 by medals, signed by both; 12 turns; {key} in {archive}")
    assert run(["verify", str(archive)]) == 0
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[-3].startswith(f"game {key}, id ")
    assert lines[-2] == f"found in {archive}"


def test_files_behind_a_gap_are_named(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "turn11.m44").write_bytes(short_game()[11])
    assert run(["verify", "--brief", str(tmp_path)]) == 3
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[0].startswith("INCOMPLETE  game ")
    assert lines[0].endswith(f"; {tmp_path}/turn11.m44")
    assert lines[1:] == [
        "files 0 to 10 are missing",
        "files that could not be checked for this: 1",
        f"{tmp_path}/turn11.m44",
        "1 game, 0 verified",
    ]
    folder = loose(tmp_path / "g", *short_game()[:4], *short_game()[6:11])
    assert run(["verify", "--brief", str(folder)]) == 3
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[1:-1] == [
        "files 4 to 5 are missing",
        "files that could not be checked for this: 5",
        *(f"{folder}/{number}.m44" for number in (4, 5, 6)),
        "and 2 more",
    ]


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_gets_lines_of_its_own_width(
    columns: int, archive: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No word is broken; only a name without blanks may be longer than the line."""
    monkeypatch.chdir(archive.parent)
    assert run(["verify", archive.name]) == 0
    whole = capsys.readouterr().out
    monkeypatch.setattr("pbem.cli.verify.screen", lambda: Screen(False, False, columns))
    assert run(["verify", archive.name]) == 0
    printed = capsys.readouterr().out
    assert printed.split() == whole.split()
    long = [line for line in printed.splitlines() if len(line) > columns]
    assert [line.split()[0][:8] for line in long] == [line.split()[-1][:8] for line in long]


def test_names_of_files_are_shown_without_control_characters(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "a\x1b[1m\nb.m44").write_bytes(b"garbage")
    (tmp_path / "c\x1b.m44").write_bytes(short_game()[4])
    assert run(["verify", str(tmp_path)]) == 3
    printed = capsys.readouterr().out
    assert f"DAMAGED     {tmp_path}/a?[1m?b.m44: " in printed
    assert f"found in {tmp_path}/c?.m44" in printed
    assert "\x1b" not in printed


def test_one_game_needs_no_other_process() -> None:
    program = """
import sys
from pbem.cli import run
from pbem.cli.screen import Screen
run(["verify", "examples/game"])
print(sorted(name for name in sys.modules if name.startswith(("concurrent", "multiprocessing"))))
"""
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"
