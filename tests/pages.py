"""Reading HTML pages in tests: their elements, their text, and whether they are well formed."""

from __future__ import annotations

import re
from collections import Counter
from html.parser import HTMLParser

VOID = {"meta", "link", "br", "img", "input", "hr"}
ADDRESS = re.compile(r"(?:https?:)?//[^\s\"'<>)]+")
NAMESPACE = "http://www.w3.org/2000/svg"


class PageReader(HTMLParser):
    """Collects what a page consists of; raises AssertionError where elements are not nested."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.stack: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.stack, f"</{tag}> without a beginning"
        opened = self.stack.pop()
        assert opened == tag, f"<{opened}> ended by </{tag}>"

    def handle_data(self, data: str) -> None:
        if self.stack and self.stack[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All words, with single spaces."""
        return " ".join(" ".join(self.words).split())

    def ids(self) -> list[str]:
        """All ids in order."""
        return [value for _, name, value in self.attributes if name == "id"]


def read_page(html: str) -> PageReader:
    """A page as its reader found it; it is nested properly and has no id twice."""
    reader = PageReader()
    reader.feed(html)
    reader.close()
    assert not reader.stack
    ids = reader.ids()
    assert len(ids) == len(set(ids))
    used = [value[1:] for _, name, value in reader.attributes if name == "href" and value.startswith("#")]
    assert set(used) <= set(ids)
    return reader


def addresses(html: str) -> set[str]:
    """Everything in a page that names another place."""
    return {found for found in ADDRESS.findall(html) if found != NAMESPACE}
