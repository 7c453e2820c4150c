"""Files as text for mail bodies, found again whatever the mail did to them.

    -----BEGIN PBEM TURN-----
    TTQ0RgEABwAAeNoB9QYK+YuhYQGhZMQgUQOztZmGaPvbbb/ZXu40sliO6BkQ4NXx
    es3xVxlo1KGhZcQgAAAAAAAAAAAA
    :2Fk9aQ
    -----END PBEM TURN-----

The lines are base64 without padding; the last one is a colon and a checksum. Reading survives other line
breaks, quoting with ">" or "|", indentation, blanks, invisible characters, dashes made pretty by a mail
program, any text before, between and after the blocks, and several blocks in one text. There is no "=", which
mail programs like to rewrite. Whoever wrote the text is not checked here: files carry their own signature.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from typing import NamedTuple

from pbem.errors import Fault
from pbem.hashing import shake

WIDTH = 64
CHECK_SIZE = 4
LONGEST_QUOTE = 200  # characters of quote marks before a block
LONGEST_BLOCK = 400_000  # symbols; the largest file has 349,624

DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
# What mail puts between symbols: white space, quote marks, invisible characters.
LOOSE = r"\s>|\u00ad\u200b\u200c\u200d\u2060\ufeff"
# Patterns are compiled when they are first used: most commands never see a text block.
MARKER = (
    rf"[{DASHES}][{LOOSE}]{{0,20}}(BEGIN|END)[{LOOSE}]{{1,20}}PBEM[{LOOSE}]{{1,20}}([A-Z]{{1,20}})"
    rf"[{LOOSE}]{{0,20}}[{DASHES}]"
)
FILLING = f"[{LOOSE}]+"
BLOCK = r"([A-Za-z0-9+/]*):([A-Za-z0-9+/]{6})"


class Found(NamedTuple):
    """The blocks of a text that are whole, in order, and the number of those that are not."""

    blocks: list[bytes]
    damaged: int
    scraps: int = 0  # of those: quoted, or without a beginning or an end, as mail programs leave them


def _check(data: bytes, label: str) -> str:
    """The checksum of a block, six symbols."""
    return _symbols(shake(CHECK_SIZE, "armor", label.encode("ascii"), data))


def _symbols(data: bytes) -> str:
    """Base64 without padding."""
    return b64encode(data).decode("ascii").rstrip("=")


def armor(data: bytes, label: str = "TURN") -> str:
    """The text block of a file."""
    symbols = _symbols(data)
    lines = [symbols[place : place + WIDTH] for place in range(0, len(symbols), WIDTH)]
    body = "\n".join([*lines, ":" + _check(data, label)])
    return f"-----BEGIN PBEM {label}-----\n{body}\n-----END PBEM {label}-----\n"


def _unwrap(text: str, label: str) -> bytes | None:
    """The file between two markers, or None if it is damaged."""
    if len(text) > 4 * LONGEST_BLOCK:
        return None
    block = re.fullmatch(BLOCK, re.sub(FILLING, "", text).strip(DASHES))
    if block is None or len(block[1]) > LONGEST_BLOCK or len(block[1]) % 4 == 1:
        return None
    data = b64decode(block[1] + "=" * (-len(block[1]) % 4))
    return data if (_symbols(data), _check(data, label)) == block.groups() else None


def scan(text: str, label: str = "TURN") -> Found:
    """All blocks with this label in a text."""
    blocks: list[bytes] = []
    damaged = scraps = 0
    start: int | None = None  # where the open block begins
    quoted = False  # whether it does so behind a quote mark
    for marker in re.finditer(MARKER, text):
        if marker[2] != label:
            continue
        if marker[1] == "END" and start is not None:
            data = _unwrap(text[start : marker.start()], label)
            start = None
            if data is not None:
                blocks.append(data)
            else:
                damaged, scraps = damaged + 1, scraps + quoted
            continue
        if marker[1] == "BEGIN":
            unfinished, start = start, marker.end()
            quoted = _line_before(text, marker.start()).lstrip()[:1] in (">", "|")
            if unfinished is None:
                continue
        damaged, scraps = damaged + 1, scraps + 1
    rest = start is not None
    return Found(blocks, damaged + rest, scraps + rest)


def _line_before(text: str, place: int) -> str:
    """What stands in a line before a place; no more than a mail puts there."""
    begin = max(0, place - LONGEST_QUOTE)
    return text[max(begin, text.rfind("\n", begin, place) + 1) : place]


def find_armored(text: str, label: str = "TURN") -> list[bytes]:
    """The files in a text, none if there are none; Fault if there are only damaged ones."""
    found = scan(text, label)
    if found.damaged and not found.blocks:
        raise Fault(
            "armor",
            "the text block was changed on its way or is incomplete",
            hint="ask for the file as an attachment",
        )
    return found.blocks
