"""Text armor: through every mangling that mail is known for, and damage that must not pass."""

from __future__ import annotations

import re
import textwrap
import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.armor import armor, find_armored, scan
from pbem.container import LARGEST
from pbem.errors import Fault
from tests.pbem.vectors import game_file

FILE = game_file(2)
TEXT = armor(FILE)


def test_the_exact_form() -> None:
    assert armor(b"M44F") == "-----BEGIN PBEM TURN-----\nTTQ0Rg\n:mObqoA\n-----END PBEM TURN-----\n"
    lines = TEXT.splitlines()
    assert lines[0] == "-----BEGIN PBEM TURN-----"
    assert {len(line) for line in lines[1:-3]} == {64}
    assert re.fullmatch(":[A-Za-z0-9+/]{6}", lines[-2])
    assert "=" not in TEXT


def rewrap(width: int) -> Callable[[str], str]:
    """Breaks all lines anew, as if the block were prose."""
    return lambda text: "\n".join(textwrap.wrap(" ".join(text.split()), width, break_on_hyphens=False))


def reply(text: str) -> str:
    """Quoted in a reply, with a signature below."""
    quoted = "\n".join("> " + line for line in text.splitlines())
    return f"On Monday Bob wrote:\n{quoted}\n\nMy turn follows.\n-- \nAlice\n"


MANGLINGS: dict[str, Callable[[str], str]] = {
    "nothing": lambda text: text,
    "line ends of Windows": lambda text: text.replace("\n", "\r\n"),
    "line ends of old": lambda text: text.replace("\n", "\r"),
    "trailing blanks": lambda text: text.replace("\n", "  \t\n"),
    "indented": lambda text: textwrap.indent(text, "      "),
    "quoted": reply,
    "quoted twice": lambda text: reply(reply(text)),
    "quoted by bars": lambda text: textwrap.indent(text, "| "),
    "wrapped at 30": rewrap(30),
    "wrapped at 500": rewrap(500),
    "on one line": lambda text: " ".join(text.split()),
    "no blanks but in the markers": lambda text: text.replace("\n", ""),
    "quoted, then wrapped": lambda text: rewrap(40)(reply(text)),
    "wrapped, then quoted": lambda text: reply(rewrap(20)(text)),
    "double spaced": lambda text: text.replace("\n", "\n\n"),
    "pretty dashes": lambda text: text.replace("-----", "\u2014\u2014-"),
    "one dash left": lambda text: text.replace("-----", "-"),
    "hard blanks": lambda text: text.replace(" ", "\u00a0").replace("\n", "\n\u00a0"),
    "invisible characters": lambda text: "\ufeff" + re.sub("(?m)^([^-]{,20})", "\\1\u200b", text),
    "footer": lambda text: text + "\n_____________\nlist mailing list -- ----- BEGIN reading here -----\n",
    "header": lambda text: "Subject: turn\n\n----- my move -----\n" + text,
    "dash escaped": lambda text: text.replace("-----B", "- -----B").replace("-----E", "- -----E"),
}


@pytest.mark.parametrize("name", MANGLINGS)
def test_survives(name: str) -> None:
    assert find_armored(MANGLINGS[name](TEXT)) == [FILE]


@pytest.mark.parametrize("name", [name for name in MANGLINGS if name != "footer"])
def test_several_blocks_survive_together(name: str) -> None:
    files = [game_file(number) for number in (2, 3, 4)]
    text = "\nand this one:\n".join(map(armor, files)) + armor(b"card", "CONTACT")
    assert find_armored(MANGLINGS[name](text)) == files
    assert find_armored(MANGLINGS[name](text), "CONTACT") == [b"card"]


def test_texts_without_a_block() -> None:
    assert find_armored("") == []
    assert find_armored("hello\n-----BEGIN PGP MESSAGE-----\nabc\n-----END PGP MESSAGE-----") == []
    assert find_armored(armor(b"x", "CONTACT")) == []


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda text: text.replace("T", "U", 1), id="a symbol"),
        pytest.param(lambda text: text[:200] + text[201:], id="a symbol lost"),
        pytest.param(lambda text: text[:200] + text[260:], id="a piece lost"),
        pytest.param(lambda text: text[: len(text) // 2], id="cut off"),
        pytest.param(lambda text: text.replace("-----END", "END OF"), id="no end"),
        pytest.param(lambda text: re.sub(":.*", "", text), id="no checksum"),
        pytest.param(lambda text: text[:200] + "[snip]" + text[200:], id="words inside"),
        pytest.param(lambda text: text[text.index("\n") :], id="no beginning"),
        pytest.param(lambda text: text.swapcase().replace("-begin", "-BEGIN"), id="case"),
        pytest.param(lambda text: text.replace(":", ":A"), id="checksum too long"),
    ],
)
def test_damage_is_noticed(damage: Callable[[str], str]) -> None:
    broken = damage(TEXT)
    assert broken != TEXT
    found = scan(broken)
    assert found.blocks == []
    if found.damaged:
        with pytest.raises(Fault, match="changed on its way"):
            find_armored(broken)
    # A good block in the same text is found all the same, before and behind.
    assert scan(armor(b"good") + broken).blocks == [b"good"]
    assert b"good" in scan(broken + "\n" + armor(b"good")).blocks


def test_every_single_symbol_counts() -> None:
    text = armor(b"M44F, a short file")
    start, end = text.index("\n") + 1, text.index("\n-----END")
    for place in range(start, end):
        if text[place] not in "\n:":
            other = "A" if text[place] != "A" else "B"
            assert scan(text[:place] + other + text[place + 1 :]).blocks == []


def test_labels_are_part_of_the_checksum() -> None:
    assert scan(armor(b"x", "CONTACT").replace("CONTACT", "TURN")) == ([], 1, 0)


def test_bits_without_meaning_are_refused() -> None:
    text = armor(b"M44F")
    assert scan(text.replace("TTQ0Rg", "TTQ0Rh")) == ([], 1, 0)
    assert scan(text.replace("TTQ0Rg", "TTQ0R")) == ([], 1, 0)


def test_the_largest_file_fits_and_larger_text_is_left_alone() -> None:
    data = bytes(range(256)) * (LARGEST // 256)
    assert find_armored(reply(armor(data))) == [data]
    assert scan(armor(bytes(600_000))) == ([], 1, 0)


@pytest.mark.parametrize(
    "text",
    [
        "-" * 500_000,
        "-BEGIN PBEM " * 50_000,
        "- " * 250_000,
        "-----BEGIN PBEM TURN-----" * 20_000,
        "-----END PBEM TURN-----" * 20_000,
        "-BEGIN" + " " * 500_000,
        "-----BEGIN PBEM TURN-----" + "A" * 1_000_000 + "\n-----END PBEM TURN-----",
        "-----BEGIN PBEM TURN-----" + ">" * 1_000_000 + "\n-----END PBEM TURN-----",
    ],
)
def test_hostile_texts_take_no_time(text: str) -> None:
    begin = time.process_time()
    assert scan(text).blocks == []
    assert time.process_time() - begin < 2


@given(st.binary(max_size=200), st.text(max_size=40), st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_file_between_any_words(data: bytes, before: str, after: str) -> None:
    assert find_armored(before + "\n" + armor(data) + after) == [data]
