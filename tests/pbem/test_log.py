"""The published game and the damaged files of the protocol's vectors, through the verifier."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from pbem.errors import Fault
from pbem.log import Log

VECTORS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "vectors" / "protocol-vectors.json").read_text(encoding="utf-8")
)
GAME = VECTORS["game"]
FILES = [base64.b64decode(text) for text in GAME["files"]]


def log_of(count: int) -> Log:
    """The log of the first files of the published game."""
    log = Log()
    for data in FILES[:count]:
        log, _ = log.check(data)
    return log


def test_the_published_game_is_accepted_with_all_its_values() -> None:
    log = Log()
    roots = {}
    for number, data in enumerate(FILES):
        log, entry = log.check(data)
        assert entry.id.hex() == GAME["ids"][number]
        assert log.table is not None
        assert log.table.digest().hex() == GAME["digests"][number]
        chains = [action.chain.hex() for action in entry.actions] + [entry.chain.hex()]
        assert chains == GAME["actions"][number]
        if entry.root is not None:
            roots[str(number)] = entry.root.hex()
    assert log.game.hex() == GAME["gid"]
    assert roots == GAME["roots"]
    assert log.table is not None
    assert {name: deck.discard for name, deck in log.table.decks.items()} == GAME["discards"]
    assert [slot.card for slot in log.table.board] == GAME["board"]
    assert log.ended


@pytest.mark.parametrize(
    "bad", VECTORS["bad_files"], ids=[f"{row['after']} {row['name']}" for row in VECTORS["bad_files"]]
)
def test_every_published_damage_is_refused_with_its_error(bad: dict[str, Any]) -> None:
    log = log_of(bad["after"])
    with pytest.raises(Fault) as caught:
        log.check(base64.b64decode(bad["file"]))
    assert caught.value.code == bad["error"]
    assert log.count == bad["after"]
