"""The battles of the base box as editor documents made from the collected facts, not by our own export.

The documents are put together here with names of the editor written out once more, so that a slip in the
vocabulary and the same slip in the export cannot hide each other.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.hexes import grid
from pbem.library import load_battle
from tests.pbem.editor_documents import Json, read, said

FACTS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "engine" / "facts.json").read_text(encoding="utf-8")
)
BASE = [name for name in FACTS if name != "line-of-sight"]
TILES = {
    "forest": ("woods", ""),
    "hill": ("hills", ""),
    "town": ("buildings", ""),
    "church": ("church", ""),
    "hedgerow": ("hedgerow", ""),
    "river": ("curve", ""),
    "dune": ("hills", "BLUFF"),
    "cliff": ("hills", "CLIFF"),
    "steep-hill": ("hills", "STEEP_HILL"),
}
PIECES = {"bridge": "bridge", "bunker": "bunker"}
OBSTACLES = {"sandbags": "sand", "wire": "wire", "hedgehog": "hedgehog", "sea-wall": "sand"}
UNITS = {
    "infantry": "inf",
    "special-forces": "inf2",
    "resistance": "inf2",
    "armor": "tank",
    "elite-armor": "tank2",
    "artillery": "gun",
}
BOARD = grid("standard")


def document_of(name: str) -> Json:
    """An editor document with the facts of a battle."""
    facts = FACTS[name]
    hexes: dict[str, Json] = {}

    def at(label: str) -> Json:
        column, row = BOARD.xy[BOARD.parse(label)]
        return hexes.setdefault(label, {"row": row, "col": column})

    for kind, labels in facts["terrain"].items():
        for label in labels.split():
            tile, behavior = TILES[kind]
            at(label)["terrain"] = {"name": tile, "behavior": behavior}
    for label in facts["traits"].get("impassable", "").split():  # drawn as mountains
        at(label)["terrain"] = {"name": "mountain", "behavior": "IMPASSABLE_HILL"}
    for label in facts["traits"].get("blocks-artillery", "").split():
        at(label)["terrain"]["behavior"] = "IMPASSABLE_BLOCKING_HILL"
    for label in facts["traits"].get("wide", "").split():
        at(label)["terrain"]["behavior"] = "WIDE_RIVER"
    for kind, labels in facts["features"].items():
        for label in labels.split():
            if kind in PIECES:
                at(label)["rect_terrain"] = {"name": PIECES[kind]}
            else:
                wall = "SEAWALL" if kind == "sea-wall" else None
                at(label)["obstacle"] = {"name": OBSTACLES[kind], "behavior": wall}
    for owned, labels in facts["owners"].items():
        for label in labels.split():
            at(label)["rect_terrain"]["original_owner"] = owned.partition(" ")[0].upper()
    for words, labels in facts["units"].items():
        for label in labels.split():
            at(label)["unit"] = unit_of_words(words)
    info = _info(facts)
    _objectives(facts, at, info)
    return {
        "game_info": info,
        "board": {"type": "STANDARD", "face": facts["face"].upper(), "hexagons": list(hexes.values())},
        "text": {"en": {"name": name}},
    }


def unit_of_words(words: str) -> Json:
    found = re.fullmatch(r"(\w+) ([\w-]+), (\d+) figures, worth (\d)", words)
    assert found is not None
    unit: Json = {"name": UNITS[found[2]] + ("us" if found[1] == "allies" else "ger"), "nbr_units": found[3]}
    if found[2] == "resistance":
        unit["behavior"] = "FRENCH_RESISTANCE"
    if found[4] == "2":
        unit["behavior"] = "GERMAN_2VICTANK"
    return unit


def _info(facts: Json) -> Json:
    begin, _, end = facts["date"].partition(" to ")
    info: Json = {"front": facts["front"].upper(), "date_begin": begin, "date_end": end}
    for side, words in facts["sides"].items():
        found = re.fullmatch(r"(\w+) at the (\w+), (\d+) cards, (\d+) medals", words)
        assert found is not None
        player = 1 if found[2] == "top" else 2
        keys = ("side", "country", "cards", "victory")
        for key, value in zip(keys, (side.upper(), found[1], found[3], found[4]), strict=True):
            info[f"{key}_player{player}"] = value
        if side == facts["first"]:
            info["starting"] = f"PLAYER{player}"
    return info


def _objectives(facts: Json, at: Any, info: Json) -> None:
    for words in facts["objectives"]:
        found = re.fullmatch(r"([\w-]+) (\w+) (\d) of ([\w ]+), 1 medal, [\w-]+", words)
        assert found is not None
        kind, side, need, labels = found[1], found[2], int(found[3]), found[4].split()
        if kind == "sudden-death":
            condition = {"side": side.upper(), "number": need, "group": labels}
            info["victory"] = {"condition": [{"group_sudden_death": condition}]}
            continue
        tag = {"name": "medal1" if side == "allies" else "medal2", "group": labels[1:]}
        medal = {"permanent": kind == "permanent", "nbr_hex": need}
        at(labels[0]).setdefault("tags", []).append({**tag, "medal": medal})


@pytest.mark.parametrize("name", BASE)
def test_a_document_of_the_facts_gives_the_battle(name: str) -> None:
    imported = read(document_of(name))
    assert said(imported) == []
    found, ours = imported.battle, load_battle(name)
    assert found.hexes == ours.hexes
    placed = [unit for unit in ours.units if unit.at is not None]
    assert [(u.side, u.type, u.at, u.figures, u.medals) for u in found.units] == [
        (u.side, u.type, u.at, u.figures, u.medals) for u in placed
    ]
    assert [(o.kind, o.sides, sorted(o.hexes), o.need, o.medals, o.check) for o in found.objectives] == [
        (o.kind, o.sides, sorted(o.hexes), o.need, o.medals, o.check) for o in ours.objectives
    ]
    for field in ("shape", "face", "front", "date", "year", "first"):
        assert getattr(found, field) == getattr(ours, field)
    for mine, theirs in zip(found.sides, ours.sides, strict=True):
        assert (mine.nation, mine.edge, mine.cards, mine.medals) == (
            theirs.nation,
            theirs.edge,
            theirs.cards,
            theirs.medals,
        )
