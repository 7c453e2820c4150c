"""Editor documents for tests: three whole ones, and a small one to which pieces are added."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from engine.battle import Battle, UnitFacts
from engine.hexes import grid
from pbem.editor import Imported, import_document

FOLDER = Path(__file__).parent / "documents"
EXAMPLES = ("standard", "breakthrough", "overlord")
VOCABULARY: dict[str, Any] = json.loads((FOLDER / "vocabulary.json").read_text(encoding="utf-8"))

Json = dict[str, Any]

_SMALL: Json = {
    "game_info": {
        "front": "WESTERN",
        "date_begin": "1944-08-01",
        "starting": "PLAYER2",
        "side_player1": "AXIS",
        "side_player2": "ALLIES",
        "country_player1": "DE",
        "country_player2": "US",
        "cards_player1": 4,
        "cards_player2": 5,
        "victory_player1": 4,
        "victory_player2": 6,
    },
    "board": {
        "type": "STANDARD",
        "face": "COUNTRY",
        "hexagons": [
            {"row": 0, "col": 0, "unit": {"name": "infger"}},
            {"row": 8, "col": 0, "unit": {"name": "infus"}},
        ],
    },
    "text": {"en": {"name": "Small"}},
}


def example(name: str) -> bytes:
    """One of the whole documents."""
    return (FOLDER / f"{name}.json").read_bytes()


def small(*hexes: tuple[str, Json], options: Json | None = None, **changes: Any) -> Json:
    """A small document with pieces on some hexes; a change names `game_info__first` or `board__face`."""
    document = copy.deepcopy(_SMALL)
    document["game_info"]["options"] = options or {}
    for path, value in changes.items():
        group, _, key = path.partition("__")
        document[group][key] = value
    shape = {"STANDARD": "standard", "BRKTHRU": "breakthrough", "OVERLORD": "overlord"}
    board = grid(shape[document["board"]["type"]])
    for label, parts in hexes:
        column, row = board.xy[board.parse(label)]
        document["board"]["hexagons"].append({"row": row, "col": column, **parts})
    return document


def read(document: Json | bytes) -> Imported:
    """The import of a document."""
    data = document if isinstance(document, bytes) else json.dumps(document).encode()
    return import_document(data, name="small.m44")


def said(imported: Imported) -> list[str]:
    """What an import says cannot be played."""
    return [problem.sentence for problem in imported.problems if problem.blocking]


def notes(imported: Imported) -> list[str]:
    """What an import says beside that."""
    return [problem.sentence for problem in imported.problems if not problem.blocking]


def whole(document: Json) -> Battle:
    """The battle of a document that can be played in full."""
    imported = read(document)
    assert said(imported) == []
    assert imported.battle.partial == ()
    return imported.battle


def at_g5(**parts: Any) -> Json:
    """The small document with something on G5."""
    return small(("G5", parts))


def unit_of(document: Json) -> UnitFacts:
    """The one unit that was added to the small document."""
    found = [unit for unit in read(document).battle.units if unit.at not in ("A9", "A1")]
    assert len(found) == 1
    return found[0]
