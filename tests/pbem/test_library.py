"""The library: finding battles by name or path, in a checkout and in an installed package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.errors import ScenarioError
from pbem import library

ROOT = Path(__file__).parents[2]


def test_battles_are_found_by_key_and_by_title() -> None:
    assert library.load_battle("pegasus-bridge").title == "Pegasus Bridge"
    assert library.load_battle("Sainte-Mère-Église").key == "sainte-mere-eglise"
    assert library.load_battle("st vith").key == "st-vith"


def test_names_are_sorted_and_all_of_them_load() -> None:
    names = library.scenario_names()
    assert list(names) == sorted(names)
    assert [library.load_battle(name).key for name in names] == list(names)


def test_a_battle_may_be_a_file_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + library.scenario_text("toulon").replace("\n", "\r\n").encode())
    mine = library.load_battle(str(path))
    assert mine.key == "mine"
    assert mine.hexes == library.load_battle("toulon").hexes


def test_unknown_names_suggest_the_nearest() -> None:
    with pytest.raises(ScenarioError, match=r'did you mean "pegasus-bridge"\?'):
        library.load_battle("pegasus-brige")
    with pytest.raises(ScenarioError, match="pbem scenario list"):
        library.load_battle("zzz")


@pytest.mark.parametrize("name", ["", "../base/toulon", "toulon\0", "\ud800", "a\nb", "x" * 5000, "no.yaml"])
def test_odd_names_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        library.load_battle(name)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"title: caf\xe9\n", "line 1: this is not UTF-8 text"),
        (b"title: a\n\xff\xfe", "line 2: this is not UTF-8 text"),
        (b"x" * 3_000_000, "200,000 are the most"),
        ("é".encode() * 1_000_000, "200,000 are the most"),
        (b"", "the document is empty"),
    ],
)
def test_files_that_are_no_scenarios_are_refused(tmp_path: Path, data: bytes, words: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(data)
    with pytest.raises(ScenarioError) as caught:
        library.load_battle(str(path))
    assert words in str(caught.value)


def test_a_folder_is_no_scenario(tmp_path: Path) -> None:
    (tmp_path / "folder.yaml").mkdir()
    with pytest.raises(ScenarioError, match="there is no such file"):
        library.load_battle(str(tmp_path / "folder.yaml"))


def test_an_installed_package_carries_its_own_scenarios(tmp_path: Path) -> None:
    """As hatch lays out the wheel: pbem/data/scenarios, and no folder beside the package."""
    for package in ("engine", "pbem"):
        for source in (ROOT / package).glob("*.py"):
            target = tmp_path / package / source.name
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(source.read_bytes())
    inside = tmp_path / "pbem" / "data" / "scenarios" / "base"
    inside.mkdir(parents=True)
    (inside / "only-one.yaml").write_text(library.scenario_text("toulon"), encoding="utf-8")
    program = (
        "from pbem.library import load_battle, scenario_names as n; print(n(), load_battle('only one').key)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "('only-one',) only-one", done.stderr


def test_listing_battles_imports_neither_crypto_nor_templates_nor_yaml() -> None:
    program = (
        "import sys; from pbem.library import scenario_names; assert scenario_names();"
        "print(sorted({'cryptography', 'coincurve', 'jinja2', 'yaml', 'click'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
