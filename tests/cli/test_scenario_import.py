"""`pbem scenario import` and `export`: what they print, what they write, what they refuse."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli import run
from pbem.library import load_battle
from tests.pbem.editor_documents import example, small


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    """A folder with a document that can be played in full, and one that cannot."""
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "small.m44").write_text(json.dumps(small()), encoding="utf-8")
    (folder / "frozen.m44").write_bytes(example("breakthrough"))
    return folder


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_document_becomes_a_scenario_beside_it(documents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scenario", "import", str(documents / "small.m44")]) == 0
    assert capsys.readouterr().out == (
        "Small: standard board, country, 1944-08-01; the allies move first\n"
        "  allies (US), bottom: 5 cards, 6 medals; 1 infantry; 4 figures\n"
        "  axis (DE), top: 4 cards, 4 medals; 1 infantry; 4 figures\n"
        "  objectives: 0\n"
        f"  written: {documents / 'small.yaml'}\n"
    )
    assert listed(documents) == ["frozen.m44", "small.m44", "small.yaml"]
    battle = load_battle(str(documents / "small.yaml"))
    assert [unit.at for unit in battle.units] == ["A1", "A9"]


def test_what_cannot_be_played_stops_the_import_and_nothing_is_written(
    documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(documents / name) for name in ("small.m44", "frozen.m44")]
    assert run(["scenario", "import", *files, "-o", str(documents / "new")]) == 1
    printed = capsys.readouterr()
    assert "    - a minefield laid by the allies at h8, i8; left out\n" in printed.out
    assert "written:" not in printed.out
    assert printed.err == (
        f"pbem: {files[1]} holds what cannot be played yet; nothing was written\n"
        "hint: --partial imports the rest, and the scenario lists what is missing\n"
    )
    assert listed(documents) == ["frozen.m44", "small.m44"]


def test_partial_imports_say_so_in_the_scenario(documents: Path) -> None:
    out = documents / "new" / "deeper"
    assert run(["scenario", "import", str(documents / "frozen.m44"), "--partial", "-o", str(out)]) == 0
    assert listed(out) == ["frozen-crossing.yaml"]
    battle = load_battle(str(out / "frozen-crossing.yaml"))
    assert "a minefield laid by the allies at h8, i8; left out" in battle.partial
    assert len(battle.partial) == 18


def test_a_file_that_is_there_stays_unless_forced(
    documents: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = documents / "small.yaml"
    target.write_text("mine", encoding="utf-8")
    assert run(["scenario", "import", str(documents / "small.m44")]) == 1
    assert capsys.readouterr().err == f"pbem: {target} is there already\nhint: --force replaces it\n"
    assert target.read_text(encoding="utf-8") == "mine"
    assert run(["scenario", "import", str(documents / "small.m44"), "--force"]) == 0
    assert load_battle(str(target)).title == "Small"
    assert listed(documents) == ["frozen.m44", "small.m44", "small.yaml"]


def test_an_import_that_is_killed_leaves_no_half_file(documents: Path) -> None:
    """Status 9 at the last step before the name: what is there afterwards is nothing, or all of it."""
    child = os.fork()
    if not child:
        disk.on_step = lambda name: os._exit(9) if name == "rename small.yaml" else None
        run(["scenario", "import", str(documents / "small.m44")])
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    disk.sweep(documents)
    assert listed(documents) == ["frozen.m44", "small.m44"]


def test_a_file_that_appears_in_the_last_moment_stays(
    documents: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    target = documents / "small.yaml"

    def appears(name: str) -> None:
        if name == "rename small.yaml":
            target.write_text("mine", encoding="utf-8")

    monkeypatch.setattr(disk, "on_step", appears)
    assert run(["scenario", "import", str(documents / "small.m44")]) == 1
    assert capsys.readouterr().err.startswith(f'pbem: cannot write "{target}": file exists\n')
    assert target.read_text(encoding="utf-8") == "mine"
    assert listed(documents) == ["frozen.m44", "small.m44", "small.yaml"]


def test_two_documents_of_one_name_are_refused(documents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (documents / "again.m44").write_text(json.dumps(small()), encoding="utf-8")
    files = [str(documents / name) for name in ("small.m44", "again.m44")]
    assert run(["scenario", "import", *files]) == 1
    assert "two of the documents would both become" in capsys.readouterr().err
    assert "small.yaml" not in listed(documents)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"title: ours\n", "bad.m44, line 1: not readable as JSON (expecting value)"),
        (b"[" * 90_000, "bad.m44, line 1: lists or groups are nested too deeply here"),
        (b" " * 1_500_000, "bad.m44: the document is larger than 1,000,000 bytes"),
        (b"{}", 'bad.m44: there is no "board"'),
    ],
)
def test_bad_documents_are_refused_in_one_line(
    documents: Path, data: bytes, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (documents / "bad.m44").write_bytes(data)
    files = [str(documents / name) for name in ("small.m44", "bad.m44")]
    assert run(["scenario", "import", *files]) == 1
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""
    assert "small.yaml" not in listed(documents)


def test_files_that_are_not_there_and_folders(documents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scenario", "import", str(documents / "none.m44")]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert run(["scenario", "import", str(documents)]) == 1
    assert "there is no file" in capsys.readouterr().err
    assert run(["scenario", "import"]) == 2
    blocked = documents / "small.m44"
    assert run(["scenario", "import", str(blocked), "-o", str(blocked)]) == 1
    assert "cannot be made" in capsys.readouterr().err


def test_import_as_json(documents: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(documents / name) for name in ("small.m44", "frozen.m44")]
    assert run(["scenario", "import", "--json", *files]) == 1
    small_row, frozen_row = json.loads(capsys.readouterr().out)
    assert small_row == {
        "file": files[0],
        "written": None,
        "title": "Small",
        "board": "standard",
        "face": "country",
        "date": "1944-08-01",
        "first": "allies",
        "sides": {
            "allies": {
                "nation": "US",
                "edge": "bottom",
                "cards": 5,
                "medals": 6,
                "units": {"infantry": 1},
                "figures": 4,
            },
            "axis": {
                "nation": "DE",
                "edge": "top",
                "cards": 4,
                "medals": 4,
                "units": {"infantry": 1},
                "figures": 4,
            },
        },
        "objectives": 0,
        "whole": True,
        "problems": [],
        "notes": [],
    }
    assert frozen_row["whole"] is False
    assert {
        "what": "a camouflage marker",
        "where": ["c16"],
        "done": "left out",
        "blocking": True,
    } in frozen_row["problems"]
    assert run(["scenario", "import", "--json", "--partial", *files]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [Path(row["written"]).name for row in rows] == ["small.yaml", "frozen-crossing.yaml"]


def test_export_prints_the_document_and_says_what_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scenario", "export", "pegasus bridge"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["text"]["en"]["name"] == "Pegasus Bridge"
    assert printed.err == (
        "An editor document cannot say:\n"
        "  - the growth of the axis hand, 1 1\n"
        "  - the name of an objective at D7, k4\n"
    )


def test_export_to_a_file_and_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "st-vith.m44"
    assert run(["scenario", "export", "st-vith", "-o", str(target)]) == 0
    assert capsys.readouterr().out == f"written: {target}\n"
    assert run(["scenario", "export", "toulon", "-o", str(target)]) == 1
    assert "is there already" in capsys.readouterr().err
    assert run(["scenario", "import", str(target)]) == 0
    assert load_battle(str(tmp_path / "st-vith.yaml")) == load_battle("st-vith")
    assert run(["scenario", "export", "toulon", "-o", str(target), "--force"]) == 0
    assert capsys.readouterr().out.endswith("cannot say:\n  - the name of an objective at G9\n")
    assert listed(tmp_path) == ["st-vith.m44", "st-vith.yaml"]


def test_export_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scenario", "export", "toulon", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["written"] is None
    assert row["lost"] == [
        {"what": "the name of an objective", "where": ["G9"], "done": "", "blocking": False}
    ]
    assert row["document"]["game_info"]["victory_player2"] == 6
    target = tmp_path / "v.m44"
    assert run(["scenario", "export", "toulon", "--json", "-o", str(target)]) == 0
    assert set(json.loads(capsys.readouterr().out)) == {"written", "lost"}
    assert json.loads(target.read_text(encoding="utf-8")) == row["document"]


def test_export_of_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["scenario", "export", "no such battle"]) == 1
    assert "there is no battle of this name" in capsys.readouterr().err
    assert run(["scenario", "export", "toulon", "-o", str(tmp_path / "missing" / "x.m44")]) == 1
    assert "cannot write " in capsys.readouterr().err
    assert run(["scenario", "export", "toulon", "-o", str(tmp_path)]) == 1
    assert "is a folder" in capsys.readouterr().err
    assert listed(tmp_path) == []


def test_the_commands_are_registered_without_loading_the_importer() -> None:
    code = "import sys, pbem.cli.scenario; print('pbem.editor' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "False\n"
