"""The pictures of docs/gallery.md are there, and small."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def test_every_picture_of_the_gallery_is_there_and_small() -> None:
    text = (DOCS / "gallery.md").read_text(encoding="utf-8")
    named = re.findall(r"!\[[^\]]+\]\((gallery/[a-z-]+\.png)\)", text)
    assert len(named) == text.count("![") >= 4
    assert sorted(named) == sorted(f"gallery/{path.name}" for path in (DOCS / "gallery").iterdir())
    for name in named:
        data = (DOCS / name).read_bytes()
        assert data.startswith(b"\x89PNG\r\n")
        assert len(data) < 250_000
