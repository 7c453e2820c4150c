"""docs/import.md: its tables are those of the vocabulary, its limits those of the code."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.editor import vocabulary
from pbem.editor.source import MAX_BYTES, MAX_DEPTH, MAX_DIGITS
from pbem.editor.troops import NATIONS
from tests.pbem.editor_documents import VOCABULARY

PAGE = Path(__file__).parents[2] / "docs" / "import.md"
GUIDE = PAGE.read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_vocabulary() -> None:
    """When the engine has learned a piece: python -m pbem.editor.vocabulary docs/import.md."""
    assert vocabulary.refreshed(GUIDE) == GUIDE


@pytest.mark.parametrize("kind", VOCABULARY)
def test_every_word_of_the_editor_is_on_the_page(kind: str) -> None:
    if kind == "medal":  # the fields of a medal are explained in words
        return
    missing = [word for word in VOCABULARY[kind] if f"`{word}`" not in GUIDE]
    assert missing == []


def test_the_limits_on_the_page_are_real() -> None:
    assert f"{MAX_BYTES:,} bytes" in GUIDE
    assert f"{MAX_DEPTH} levels" in GUIDE
    assert f"more than {MAX_DIGITS} digits" in GUIDE
    assert all(f"`{nation}`" in GUIDE for nation in NATIONS)
