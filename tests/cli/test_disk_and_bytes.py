"""Names that no disk takes, folders that may not be read, bytes that are no text: one sentence each."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.post import Player, snapshot, stock, turns

LONG = "x" * 300
ROOT = Path(__file__).parents[2]
NO_TEXT = "hello \udcff"  # what Python makes of an argument with the byte FF


@pytest.fixture
def ready(bob: Player) -> Player:
    """Bob, to whom file 3 belongs."""
    stock(bob.home, turns()[:3])
    return bob


@pytest.mark.parametrize(
    "args",
    [
        ("verify", LONG),
        ("report", "-o", LONG),
        ("report", "-o", f"{LONG}/page.html"),
        ("replay", "-o", LONG),
        ("new", f"{LONG}.yaml", "--side", "axis", "--opponent", "anyone"),
        ("scenario", "show", f"{LONG}.yaml"),
        ("scenario", "validate", f"{LONG}.yaml"),
        ("scenario", "import", LONG),
        ("scenario", "import", "document.m44", "-o", LONG),
        ("scenario", "export", "toulon", "-o", LONG),
        ("scenario", "render", "toulon", "-o", f"{LONG}.svg"),
        ("export", "-o", LONG),
        ("apply", LONG),
        ("board", "--svg", LONG),
        ("do", "-f", LONG),
        ("id", "import", LONG),
        ("claim", "--check", LONG),
    ],
    ids=lambda args: " ".join(args)[:40],
)
def test_a_name_that_no_disk_takes(ready: Player, args: tuple[str, ...]) -> None:
    Path("document.m44").write_text("no document", encoding="utf-8")
    before = ready.snapshot()
    status, _, err = ready.types(*args)
    assert status == 1
    assert err.startswith("pbem: ")
    assert len(err.splitlines()) <= 2
    assert "Traceback" not in err
    assert ready.snapshot() == before
    assert [path.name for path in Path().iterdir()] == ["document.m44"]


def test_a_home_with_such_a_name(ready: Player) -> None:
    """What lies under the home folder is the store: status 4."""
    ready.home.path = Path(LONG)
    for args in (("status",), ("games",), ("apply", "x.m44"), ("id", "show")):
        status, _, err = ready.types(*args)
        assert (status, err.splitlines()[0][-21:]) == (4, '": file name too long'), args
        assert len(err.splitlines()[0]) < 200


@pytest.mark.parametrize("command", ["new", "accept", "seal"])
def test_what_is_signed_can_be_had_again_elsewhere(bob: Player, command: str) -> None:
    """The signed file is kept; only its copy for sending found no place."""
    args = [command, "-o", LONG]
    if command == "new":
        args[1:1] = ["toulon", "--side", "axis", "--opponent", "alice"]
    else:
        stock(bob.home, turns()[: 1 if command == "accept" else 3])
    if command == "seal":
        bob.decide()
    status, _, err = bob.types(*args)
    assert status == 1
    assert (
        err.splitlines()[1]
        == f'hint: it is signed and kept; "pbem seal {bob.key()} -o FILE" writes it elsewhere'
    )
    assert bob.types("seal", "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == bob.game().raw[-1]


def test_a_folder_that_may_not_be_read(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for somebody who is not allowed: in the home it is the store, elsewhere a refusal."""

    def forbidden(path: Path) -> object:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "iterdir", forbidden)
    for args in (("games",), ("status",), ("apply", "turn.m44")):
        status, _, err = ready.types(*args)
        assert (status, err) == (
            4,
            f'pbem: cannot use "{ready.home.games}": permission denied\n'
            "hint: mend this and try again; docs/store.md says what lies there\n",
        )
    Path("folder").mkdir()
    status, _, err = ready.types("scenario", "show", "folder")
    assert status == 1


def test_a_problem_of_the_disk_without_a_name(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pbem.cli.status.say_filled", full)
    assert ready.types("status") == (1, "", "pbem: no space left on device\n")


# Bytes that are no text


@pytest.mark.parametrize(
    "args",
    [
        ("new", "toulon", "--side", "axis", "--opponent", "alice", "--message", NO_TEXT),
        ("seal", "--message", NO_TEXT),
        ("bot", "--message", NO_TEXT),
        ("resign", "--yes", "--message", NO_TEXT),
    ],
    ids=lambda args: args[0],
)
def test_a_message_with_bytes_that_are_no_text(ready: Player, args: tuple[str, ...]) -> None:
    before = ready.snapshot()
    status, _, err = ready.types(*args)
    assert (status, err) == (
        1,
        "pbem: the message holds bytes that are no text\nhint: a terminal and a shell should use UTF-8\n",
    )
    assert ready.snapshot() == before


@pytest.mark.parametrize(
    "args",
    [("do", f"say {NO_TEXT}"), ("id", "new", "--name", NO_TEXT), ("apply", NO_TEXT)],
    ids=lambda args: args[0],
)
def test_other_arguments_with_bytes_that_are_no_text(ready: Player, args: tuple[str, ...]) -> None:
    before = ready.snapshot()
    status, _, err = ready.types(*args)
    assert status == 1
    assert err.startswith("pbem: ")
    assert ready.snapshot() == before


def test_such_bytes_on_a_real_command_line(ready: Player) -> None:
    before = snapshot(ready.home.path)
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--home", str(ready.home.path), "seal", "--message", b"hello \xff"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUTF8": "1"},
        capture_output=True,
        check=False,
    )
    sentence = b"pbem: the message holds bytes that are no text"
    assert (done.returncode, done.stderr.splitlines()[0]) == (1, sentence)
    assert snapshot(ready.home.path) == before
