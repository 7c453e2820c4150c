"""`pbem scenario list, show, render, validate`: what they print, write, and refuse."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from pbem.cli import run
from pbem.cli.screen import Screen, screen
from pbem.library import scenario_names, scenario_text

ROOT = Path(__file__).parents[2]
Capture = pytest.CaptureFixture[str]


def said(capsys: Capture, *args: str, status: int = 0) -> str:
    """What a command prints."""
    assert run(["scenario", *args]) == status
    return capsys.readouterr().out


def answered(capsys: Capture, *args: str, status: int = 0) -> Any:
    """What a command prints as JSON."""
    return json.loads(said(capsys, *args, "--json", status=status))


@pytest.fixture
def partial(tmp_path: Path) -> Path:
    """A battle that cannot be played completely."""
    path = tmp_path / "half.yaml"
    path.write_text(scenario_text("toulon") + "\npartial:\n  - mines\n", encoding="utf-8")
    return path


# list


def test_list_has_a_line_for_every_battle_within_80_columns(capsys: Capture) -> None:
    lines = said(capsys, "list").splitlines()
    assert lines[0].split() == ["standard", "board", "date", "medals"]
    assert [line.split()[0] for line in lines[1:]] == list(scenario_names())
    assert max(map(len, lines)) <= 80
    assert " pegasus-bridge             Pegasus Bridge                    1944-06-06  4/4" in lines


def test_list_as_json(capsys: Capture) -> None:
    rows = answered(capsys, "list")
    assert [row["name"] for row in rows] == list(scenario_names())
    assert rows[8] == {
        "name": "pegasus-bridge",
        "title": "Pegasus Bridge",
        "date": "1944-06-06",
        "board": "standard",
        "face": "country",
        "first": "allies",
        "sides": {
            "allies": {"nation": "GB", "cards": 6, "medals": 4},
            "axis": {"nation": "DE", "cards": 2, "medals": 4},
        },
        "unit_count": 15,
        "partial": [],
    }


def test_list_imports_neither_crypto_nor_templates_nor_pictures() -> None:
    program = (
        "import sys; from pbem.cli import run; assert run(['scenario', 'list']) == 0;"
        "print(sorted({'cryptography', 'coincurve', 'jinja2', 'pbem.draw'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]", done.stderr


# show


def test_show_has_forces_board_story_briefings_and_rules(capsys: Capture) -> None:
    text = said(capsys, "show", "pegasus-bridge")
    lines = text.splitlines()
    assert lines[:4] == [
        "Pegasus Bridge, 1944-06-06",
        "Board: standard, country. The Allies move first.",
        "Allies (GB): 9 infantry; 6 cards; 4 medals to win.",
        "Axis (DE): 6 infantry; 2 cards growing to 4; 4 medals to win.",
    ]
    assert "7             ^^    ~===*:        x                    :                  ~~~~~" in lines
    for heading in ("The story", "To the Allies", "To the Axis", "Special rules"):
        assert heading in lines
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in text


def test_show_from_the_other_chair(capsys: Capture) -> None:
    assert "    M  l  L  k  K" in said(capsys, "show", "toulon", "--chair", "axis")


def test_show_plain_speaks_instead_of_drawing(capsys: Capture) -> None:
    text = said(capsys, "show", "pegasus-bridge", "--plain")
    assert "- Axis infantry, 4 figures, at E7.\n" in text
    assert "- River: " in text
    assert "~~~~~" not in text


def test_show_says_who_comes_from_the_air(capsys: Capture) -> None:
    assert "The Allies drop 4 of these units from the air.\n" in said(capsys, "show", "sainte-mere-eglise")


@pytest.mark.parametrize("name", scenario_names())
def test_every_battle_is_shown(capsys: Capture, name: str) -> None:
    assert max(map(len, said(capsys, "show", name).splitlines())) <= 80
    facts = answered(capsys, "show", name)
    assert facts["name"] == name
    assert len(facts["units"]) == facts["unit_count"]


def test_show_as_json_has_everything(capsys: Capture) -> None:
    facts = answered(capsys, "show", "arnhem-bridge")
    assert list(facts) == [
        "name", "title", "date", "board", "face", "first", "sides", "unit_count", "partial", "front", "year",
        "hexes", "units", "objectives", "airdrop", "card_uses", "causeway", "options", "labels", "text",
        "source",
    ]  # fmt: skip
    assert facts["hexes"]["h6"] == {
        "terrain": "river",
        "features": [{"feature": "bridge", "owner": None}],
        "traits": ["wide"],
    }
    assert facts["units"][0] == {
        "number": 0,
        "side": "allies",
        "type": "special-forces",
        "at": "D5",
        "figures": 4,
        "medals": 1,
        "badge": "airborne",
    }
    assert facts["causeway"] == ["I7", "h6", "H5", "g4", "G3"]
    assert facts["sides"]["axis"] == {"nation": "DE", "cards": 6, "medals": 5, "edge": "top", "growth": []}
    assert isinstance(facts["text"]["rules"], list)
    goal = answered(capsys, "show", "saverne-gap")["objectives"][0]
    assert goal == {
        "kind": "sudden-death",
        "sides": ["allies"],
        "hexes": ["g8", "G9", "F9"],
        "need": 2,
        "medals": 1,
        "infantry_medals": None,
        "check": "turn-end",
        "name": "Saverne",
        "to_win": False,
    }
    drop = answered(capsys, "show", "sainte-mere-eglise")["airdrop"]
    assert (drop["side"], len(drop["units"]), drop["steps"], drop["target"]) == ("allies", 4, 4, "G5")


def test_a_partial_battle_says_so_everywhere(capsys: Capture, partial: Path, tmp_path: Path) -> None:
    words = "partial: this program cannot play all of it: mines"
    assert words in said(capsys, "show", str(partial))
    assert "Partial: this program cannot play all of this battle (mines)." in said(
        capsys, "show", str(partial), "--plain"
    )
    assert words in said(capsys, "validate", str(partial))
    assert words in said(capsys, "render", str(partial), "-o", str(tmp_path / "half.svg"))
    assert ">Toulon (partial)<" in (tmp_path / "half.svg").read_text(encoding="utf-8")
    assert "Partial: " in said(capsys, "render", str(partial))
    assert answered(capsys, "show", str(partial))["partial"] == ["mines"]


def test_unknown_names_are_refused_in_a_sentence(capsys: Capture) -> None:
    for command in (["show"], ["show", "--json"], ["render"]):
        assert run(["scenario", *command, "pegasus-brige"]) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err == 'pbem: pegasus-brige: there is no battle of this name; did you mean "pegasus-bridge"?\n'


# render


def test_render_writes_an_svg(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "toulon.svg"
    assert said(capsys, "render", "toulon", "-o", str(path)) == f"Toulon drawn in {path}\n"
    assert ElementTree.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    auto = path.read_text(encoding="utf-8")
    assert "prefers-color-scheme" in auto
    said(capsys, "render", "toulon", "-o", str(path), "--theme", "dark", "--chair", "axis")
    assert "prefers-color-scheme" not in path.read_text(encoding="utf-8")
    assert [entry.name for entry in tmp_path.iterdir()] == ["toulon.svg"]


def test_render_writes_text(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "toulon.TXT"
    said(capsys, "render", "toulon", "-o", str(path))
    assert path.read_text(encoding="utf-8").isascii()
    assert path.read_text(encoding="utf-8") == said(capsys, "render", "toulon")
    said(capsys, "render", "toulon", "-o", str(path), "--glyphs", "unicode", "--colour", "always")
    assert "♣" in path.read_text(encoding="utf-8")
    assert "\x1b[" in path.read_text(encoding="utf-8")


def test_render_of_a_file_of_ones_own(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(scenario_text("toulon"), encoding="utf-8")
    assert said(capsys, "render", str(path)) == said(capsys, "render", "toulon")


def test_render_refuses_other_endings_and_places(capsys: Capture, tmp_path: Path) -> None:
    assert run(["scenario", "render", "toulon", "-o", str(tmp_path / "toulon.png")]) == 2
    assert "a file ending in .svg or .txt" in capsys.readouterr().err
    missing = tmp_path / "no" / "toulon.svg"
    assert run(["scenario", "render", "toulon", "-o", str(missing)]) == 1
    assert capsys.readouterr().err == (
        f'pbem: cannot write "{missing}": no such file or directory\nhint: choose another place with -o\n'
    )
    folder = tmp_path / "folder.svg"
    folder.mkdir()
    assert run(["scenario", "render", "toulon", "-o", str(folder)]) == 1
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder.svg"]


# validate


def test_validate_checks_every_file(capsys: Capture, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(scenario_text("toulon"), encoding="utf-8")
    bad.write_text(scenario_text("toulon").replace("armor:", "armour:", 1), encoding="utf-8")
    assert run(["scenario", "validate", str(good), str(bad)]) == 1
    out, err = capsys.readouterr()
    assert out == f"{good}: Toulon, 25 units, can be played\n"
    line = scenario_text("toulon")[: scenario_text("toulon").index("armor:")].count("\n") + 1
    assert err == f'pbem: {bad}, line {line}: "armour" is no type of unit; did you mean "armor"?\n'
    rows = answered(capsys, "validate", str(good), str(bad), status=1)
    assert rows[0] == {
        "file": str(good),
        "valid": True,
        "error": None,
        "line": None,
        "title": "Toulon",
        "unit_count": 25,
        "partial": [],
    }
    assert (rows[1]["valid"], rows[1]["line"], rows[1]["title"]) == (False, line, None)
    assert run(["scenario", "validate", str(good)]) == 0


def test_validate_of_the_whole_library(capsys: Capture) -> None:
    files = sorted(str(path) for path in (ROOT / "scenarios").glob("*/*.yaml"))
    assert all(row["valid"] for row in answered(capsys, "validate", *files))


def test_validate_needs_a_file(capsys: Capture) -> None:
    assert run(["scenario", "validate"]) == 2


def test_a_file_with_another_ending_points_to_import(capsys: Capture, tmp_path: Path) -> None:
    path = tmp_path / "battle.m44"
    path.write_text("{}", encoding="utf-8")
    for command in ("validate", "show", "render"):
        assert run(["scenario", command, str(path)]) == 1
        assert '"pbem scenario import" reads documents' in capsys.readouterr().err


# The terminal


def test_a_pipe_gets_plain_ascii(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    assert screen() == Screen(colour=False, unicode=False, width=None)
    assert screen("always", "unicode") == Screen(colour=True, unicode=True, width=None)
    text = said(capsys, "render", "first-assault-wave")
    assert text.isascii()
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("settings", "colour", "unicode"),
    [
        ({"TERM": "xterm-256color"}, True, True),
        ({"TERM": "xterm-256color", "NO_COLOR": "1"}, False, True),
        ({"TERM": "dumb"}, False, False),
        ({"TERM": "xterm-256color", "PYTHONIOENCODING": "ascii"}, True, False),
    ],
    ids=["able", "no colour", "dumb", "ascii"],
)
def test_a_real_terminal_gets_what_it_can_show(settings: dict[str, str], colour: bool, unicode: bool) -> None:
    text = in_terminal("scenario", "render", "sainte-mere-eglise", settings=settings)
    assert ("\x1b[" in text) == colour
    assert ("♣" in text) == unicode
    assert ("Sainte-Mère-Église" in text) == unicode
    assert ("Sainte-Mere-Eglise" in text) != unicode


def in_terminal(*args: str, settings: dict[str, str]) -> str:
    """What a command prints on a pseudo-terminal."""
    main, child = pty.openpty()
    names = ("NO_COLOR", "TERM", "PYTHONIOENCODING", "COLUMNS")
    clean = {name: value for name, value in os.environ.items() if name not in names}
    with subprocess.Popen(
        [sys.executable, "-m", "pbem", *args],
        cwd=ROOT,
        stdout=child,
        stderr=child,
        stdin=subprocess.DEVNULL,
        env={**clean, "PYTHONUTF8": "1", "COLUMNS": "80", **settings},
    ):
        os.close(child)
        parts = []
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # how Linux reports the end of a terminal
                break
            if not part:
                break
            parts.append(part)
    os.close(main)
    return b"".join(parts).decode()


def test_colours_may_be_forced_into_a_pipe(capsys: Capture) -> None:
    assert "\x1b[" in said(capsys, "render", "toulon", "--color", "always")


def test_a_narrow_terminal_gets_words(monkeypatch: pytest.MonkeyPatch) -> None:
    text = in_terminal("scenario", "render", "toulon", settings={"TERM": "dumb", "COLUMNS": "60"})
    assert text.startswith("This drawing needs 80 columns, and this terminal has 60; in")
    assert max(len(line) for line in text.splitlines()) <= 60


def test_every_key_of_the_json_is_documented(capsys: Capture, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "drawing.md").read_text(encoding="utf-8")
    facts = answered(capsys, "show", "sainte-mere-eglise")
    goal = answered(capsys, "show", "saverne-gap")["objectives"][0]
    use = next(uses[0] for name in scenario_names() if (uses := answered(capsys, "show", name)["card_uses"]))
    rows = [
        facts,
        facts["sides"]["axis"],
        facts["units"][0],
        facts["hexes"]["b4"],
        facts["airdrop"],
        goal,
        use,
    ]
    rows += [facts["text"], answered(capsys, "validate", "toulon")[0]]
    assert [key for row in rows for key in row if f"`{key}`" not in page] == []
