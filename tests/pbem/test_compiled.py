"""Compiled templates are kept beside their sources, and a page never depends on what is kept."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import Environment, FileSystemLoader

from pbem.compiled import CompiledTemplates, compile_all
from pbem.pages import template_names

NAME = "page.j2"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    (tmp_path / NAME).write_text("Hello {{ name }}")
    return tmp_path


def page(folder: Path) -> str:
    """A page made by a new program."""
    loader = FileSystemLoader(folder)
    made = Environment(loader=loader, autoescape=True, bytecode_cache=CompiledTemplates(folder))
    return made.get_template(NAME).render(name="<Ann>")


def kept(folder: Path) -> Path:
    (path,) = (folder / "__pycache__").iterdir()
    return path


def test_a_compiled_template_is_kept_and_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second program does not compile."""
    assert page(folder) == "Hello &lt;Ann&gt;"
    assert kept(folder).name == f"{NAME}.{sys.implementation.cache_tag}"

    def fail(*_: object, **__: object) -> str:
        raise AssertionError("compiled again")

    monkeypatch.setattr(Environment, "compile", fail)
    assert page(folder) == "Hello &lt;Ann&gt;"


def test_a_changed_template_is_compiled_again(folder: Path) -> None:
    """The checksum of the source stands in what is kept."""
    page(folder)
    (folder / NAME).write_text("Good bye {{ name }}")
    assert page(folder) == "Good bye &lt;Ann&gt;"


@pytest.mark.parametrize("size", [0, 3, 20, 60])
def test_a_damaged_compiled_template_is_done_without(folder: Path, size: int) -> None:
    """Whatever is cut off, the page comes from its source."""
    page(folder)
    path = kept(folder)
    path.write_bytes(path.read_bytes()[:size])
    assert page(folder) == "Hello &lt;Ann&gt;"


def test_a_folder_that_cannot_be_written_is_no_error(folder: Path) -> None:
    """As with modules, nothing is kept then."""
    (folder / "__pycache__").write_text("in the way")
    assert page(folder) == "Hello &lt;Ann&gt;"
    assert (folder / "__pycache__").read_text() == "in the way"


def test_nothing_is_written_where_python_writes_no_bytecode(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYTHONDONTWRITEBYTECODE holds for templates too."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert page(folder) == "Hello &lt;Ann&gt;"
    assert not (folder / "__pycache__").exists()


def test_all_templates_can_be_compiled_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `python -m pbem.compiled` does when the program is set up."""
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert compile_all() == template_names() == ["page.css.j2", "replay.html.j2", "report.html.j2"]
