"""The program as a process: its streams, its exit status, what it loads; never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.__main__ import COLLECT_AFTER
from tests.cli.post import BOB, make_home, stock, turns, write_files

ROOT = Path(__file__).parents[2]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a game in which it is Bob's move."""
    stock(make_home(tmp_path / "home", BOB), turns()[:3])
    return tmp_path / "home"


def start(home: Path, words: str, streams: str = "") -> subprocess.CompletedProcess[str]:
    """The program, started by a shell with streams of its own."""
    line = f'exec "{sys.executable}" -m pbem {words} {streams}'
    environment = {**os.environ, "PBEM_HOME": str(home)}
    return subprocess.run(
        ["sh", "-c", line], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_a_process_says_what_the_commands_say(home: Path) -> None:
    done = start(home, "games")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("pegasus-bridge-")
    refused = start(home, "status nowhere")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith('pbem: there is no game "nowhere"')


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", ["games", "log", "log --json", "--help"])
def test_a_full_disk_behind_the_output_is_one_sentence(home: Path, words: str) -> None:
    done = start(home, words, ">/dev/full")
    assert done.returncode == 1
    assert done.stderr.endswith("no space left on device\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "streams", "status"),
    [
        ("games", ">&-", 0),
        ("games", "2>&-", 0),
        ("status nowhere", "2>&-", 1),
        ("play", "<&-", 0),
        ("apply -", "<&-", 3),
    ],
)
def test_closed_streams_are_no_trouble(home: Path, words: str, streams: str, status: int) -> None:
    done = start(home, words, streams)
    assert done.returncode == status
    assert "Traceback" not in done.stderr


def test_a_reader_that_has_gone_is_no_trouble(home: Path) -> None:
    done = start(home, "log --json", "| true")
    assert done.stderr == ""


def test_a_plain_turn_file_is_applied_without_what_only_others_need(home: Path, tmp_path: Path) -> None:
    """Commands start quickly because they load little: no archive, no mail, no bot, no process pool."""
    (path,) = write_files(tmp_path / "mail", turns()[3:4])
    code = (
        "import sys; from pbem.cli import run\n"
        f"assert run(['--home', {str(home)!r}, 'apply', '--no-report', {str(path)!r}]) == 0\n"
        "print([name for name in ('zipfile', 'email', 'jinja2', 'engine.bot', 'concurrent.futures') "
        "if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


def test_collecting_is_rare_only_in_the_program_itself() -> None:
    """Importing the packages changes nothing for whoever uses them as a library."""
    code = "import gc, pbem.cli, pbem.verification; print(gc.get_threshold()[0])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert int(done.stdout) < COLLECT_AFTER
