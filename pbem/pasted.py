"""Texts in which people send turn files: plain ones of any width, quoted ones, and pages of a mail program.

A page becomes the text that it shows: tags are line ends, entities are letters. It is taken apart by a
pattern that looks at every letter once, for a stranger has written it. Armored blocks are for armor.py; bare
base64 is found here.
"""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Iterator

from pbem.container import HEAD_SIZE, LARGEST, SMALLEST

BLOCK_WORD = b"PBEM"  # stands in the first line of every armored block
FIRST_SYMBOLS = "TTQ0R"  # of every turn file in base64
HEAD_SYMBOLS = -(-HEAD_SIZE // 3) * 4
# Patterns are compiled when they are first used: most commands never see a text.
PASTED = r"(?<![A-Za-z0-9+/])TTQ0R[A-Za-z0-9+/\s]{80,}={0,2}"
QUOTE_MARKS = r"(?m)^[ \t\xa0>|]+"  # blanks mean nothing in base64
PAGE_TAG = r"(?i)<(?:br|div|p|pre|html|body|span|td)[\s/>]"
TAG = r"</?[A-Za-z!][^<>]{0,5000}>"
ENTITY = r"&(?:#([0-9]{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z]{1,31}));"


def has_trace(data: bytes) -> bool:
    """Whether a closer look at a text may be worth while."""
    return is_wide(data) or BLOCK_WORD in data or FIRST_SYMBOLS.encode() in data


def is_wide(data: bytes) -> bool:
    """Whether bytes are text of two bytes a character."""
    return data[:2] in (b"\xff\xfe", b"\xfe\xff")


def as_text(data: bytes) -> str:
    """Bytes as text, with marks for those that are none."""
    return data.decode("utf-16" if is_wide(data) else "utf-8", "replace")


def is_page(text: str) -> bool:
    """Whether a text has the tags of a page."""
    return re.search(PAGE_TAG, text) is not None


def from_page(text: str) -> str:
    """What a page shows."""
    return re.sub(ENTITY, _letter, re.sub(TAG, "\n", text))


def _letter(entity: re.Match[str]) -> str:
    """The letter for which an entity stands; the entity itself if there is none."""
    from html.entities import html5

    if entity[3]:
        return html5.get(f"{entity[3]};", entity[0])
    number = int(entity[1]) if entity[1] else int(entity[2], 16)
    return chr(number) if number < 0x110000 else entity[0]


def find_base64(text: str) -> Iterator[bytes]:
    """The turn files that stand in a text as bare base64."""
    if FIRST_SYMBOLS not in text:
        return
    for match in re.finditer(PASTED, re.sub(QUOTE_MARKS, "", text)):
        symbols, place = "".join(match[0].split()).rstrip("="), 0
        while place >= 0:
            # Words or files that follow look like more of it; the head says where the file ends.
            head = _decoded(symbols[place : place + HEAD_SYMBOLS])
            size = min(SMALLEST + int.from_bytes(head[5:HEAD_SIZE], "little"), LARGEST)
            end = place - (-4 * size // 3)
            yield _decoded(symbols[place:end])[:size]
            place = symbols.find(FIRST_SYMBOLS, end)


def _decoded(symbols: str) -> bytes:
    """The bytes of symbols of base64 without their padding; one symbol too many is left out."""
    symbols = symbols[: len(symbols) - (len(symbols) % 4 == 1)]
    return b64decode(symbols + "=" * (-len(symbols) % 4))
