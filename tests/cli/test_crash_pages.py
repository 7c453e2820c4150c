"""The machine is switched off at every step of commands that write for their user: files are old or new."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli import run
from pbem.home import Home
from pbem.store import Game
from tests.cli import crashing
from tests.cli.crashing import Crashes, tree
from tests.cli.post import Player, stock, turns
from tests.pbem.editor_documents import small
from tests.skirmish import SKIRMISH

DAY = 86_400


@pytest.mark.parametrize(
    "words",
    [
        ("export", "-o", "out"),
        ("report", "-o", "out"),
        ("report", "--text", "-o", "out"),
        ("replay", "-o", "out"),
        ("board", "--svg", "out"),
        ("seal", "-o", "out"),
        ("seal", "--armor", "-o", "out"),
        ("id", "export", "-o", "out"),
        ("id", "backup", "-o", "out"),
        ("scenario", "render", "toulon", "-o", "out.svg"),
        ("scenario", "export", "toulon", "--force", "-o", "out"),
        ("scenario", "import", "small.m44", "--force"),
    ],
    ids=" ".join,
)
def test_what_is_written_over_an_old_file_is_old_or_new(alice: Player, words: tuple[str, ...]) -> None:
    stock(alice.home, turns()[:3])
    name = "small.yaml" if "import" in words else words[-1]
    desk = {name: b"old", "small.m44": json.dumps(small()).encode()}
    crashes = Crashes(alice, words, desk=desk)
    assert crashes.done == crashes.before
    assert crashes.written[name] != b"old"
    for _ in crashes:
        assert alice.types(*words)[::2] == (0, "")
        assert crashes.is_done


@pytest.mark.parametrize("command", ["report", "replay"])
def test_pages_in_the_home_are_there_or_not(alice: Player, command: str) -> None:
    stock(alice.home, turns()[:3])
    folder = alice.home.games / alice.key() / "reports"
    page = "turn02.html" if command == "report" else "replay.html"
    crashes = Crashes(alice, (command,))
    assert crashes.done == crashes.before
    for _ in crashes:
        assert alice.types(command)[::2] == (0, "")
        assert [path.name for path in folder.iterdir()] == [page]
        assert folder.joinpath(page).read_bytes().endswith(b"</html>")


def test_a_scenario_is_imported_whole_or_not(alice: Player) -> None:
    """Nothing is written over what is there: a second try finds the file, or makes it."""
    words = ("scenario", "import", "small.m44")
    crashes = Crashes(alice, words, desk={"small.m44": json.dumps(small()).encode()})
    for _ in crashes:
        there = Path("small.yaml").exists()
        assert alice.types(*words)[0] == (1 if there else 0)
        assert crashes.is_done


def test_a_claim_is_made_whole_or_not(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    offer = ("new", "pegasus-bridge", "--side", "allies", "--opponent", "bob", "--clock", "3")
    assert alice.types(*offer, "-o", "offer.m44")[0] == 0
    assert bob.types("apply", "offer.m44")[0] == 0
    assert bob.types("accept", "-o", "answer.m44")[0] == 0
    monkeypatch.setattr(crashing, "NOW", crashing.NOW + 4 * DAY)
    monkeypatch.setattr(disk, "now", lambda: int(crashing.NOW))
    for path in Path().iterdir():
        path.unlink()
    crashes = Crashes(bob, ("claim",))
    for _ in crashes:
        assert bob.types("claim")[::2] == (0, "")
        assert crashes.is_done
        assert bob.types("claim", "--check", f"{bob.key()}-claim.txt")[::2] == (0, "")


def test_a_demo_leaves_whole_files_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every step the files that are there are those of the end; now and then both homes are read too."""
    (tmp_path / "skirmish.yaml").write_text(SKIRMISH.replace("cards: 12", "cards: 2"), encoding="utf-8")
    folder, film = tmp_path / "show", tmp_path / "film"
    steps: list[str] = []

    def copy(name: str) -> None:
        if not name.startswith("flush") and folder.exists():
            steps.append(name)
            shutil.copytree(folder, film / str(len(steps)))

    words = ["demo", "--seed", "1", "--quiet", "--scenario", str(tmp_path / "skirmish.yaml")]
    monkeypatch.setattr(disk, "on_step", copy)
    assert run([*words, "--out", str(folder)]) == 0
    monkeypatch.setattr(disk, "on_step", None)
    end = tree(folder)
    assert len(steps) > 50
    for number in range(1, len(steps) + 1):
        at = film / str(number)
        for name, data in tree(at).items():
            if not name.endswith("accepted.json") and "signed/" not in name:
                assert data == end[name], (number, name)
    lengths = []
    for number in range(1, len(steps) + 1, 11):
        homes = [Home(film / str(number) / f"home-{name}") for name in ("anna", "bruno")]
        raw = [Game(home, key).load().raw for home in homes for key in home.game_keys()]
        shorter, longer = sorted([[], [], *raw], key=len)[-2:]
        assert longer[: len(shorter)] == shorter
        lengths.append(len(longer))
    assert lengths == sorted(lengths)
    assert lengths[-1] == len(list((folder / "files").iterdir()))
