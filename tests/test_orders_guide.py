"""docs/orders.md and docs/deciding.md: every line shown can be typed, every key is one that is printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.cli import COMMANDS
from pbem.insight import Move, Shot
from pbem.orders import FLAGS, WORDS
from pbem.orders_text import CHANGES, SWITCHES, Standing, change_standing, format_order, parse_order
from pbem.standing import Rehearsal
from tests.drawing import play, position

DOCS = Path(__file__).parents[1] / "docs"
ORDERS = (DOCS / "orders.md").read_text(encoding="utf-8")
DECIDING = (DOCS / "deciding.md").read_text(encoding="utf-8")
STATE = play(
    position("F5 allies armor\nB5 allies infantry\nG5 axis infantry\nH5 axis infantry\nA9 axis infantry"),
    "order F5",
    "done",
    "done",
)


def lines_of(kind: str) -> list[str]:
    """The lines of the blocks of a kind in docs/orders.md."""
    blocks = re.findall(rf"```{kind}\n(.*?)```", ORDERS, re.DOTALL)
    assert blocks
    return [line for block in blocks for line in block.splitlines()]


@pytest.mark.parametrize("line", lines_of("order"))
def test_attack_orders_of_the_page_can_be_typed(line: str) -> None:
    read = parse_order(STATE, line)
    assert format_order(STATE, read.order) == line.removesuffix(" maybe")


@pytest.mark.parametrize("line", lines_of("standing"))
def test_standing_orders_of_the_page_can_be_typed(line: str) -> None:
    assert isinstance(change_standing(STATE, 0, Standing(), line), Standing)


def test_every_word_of_the_language_is_on_the_page() -> None:
    for word in (*SWITCHES, *WORDS, *FLAGS, *CHANGES):
        assert re.search(rf"\b{word}\b", ORDERS), word


def test_every_key_of_the_json_is_on_the_page() -> None:
    for name in (*Shot._fields, *Move._fields, *Rehearsal._fields):
        assert f"`{name}`" in DECIDING, name


def test_every_command_of_the_page_exists() -> None:
    for name in re.findall(r"`pbem (\w+)", DECIDING + ORDERS):
        assert name in COMMANDS, name
