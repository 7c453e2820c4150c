"""A battle as an editor document, and a precise list of what such a document cannot say.

The document is written so that reading it again gives the same battle apart from what is on that list.
Orientations of tiles, which no rule of ours reads, are chosen so that rivers run on and bridges cross them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from engine.battle import SIDES, Battle, HexFacts
from engine.hexes import Grid, grid
from pbem.editor import terms, tiles, troops
from pbem.editor.ground import OPEN_ENDS, background
from pbem.editor.objective_writer import place_of, write_objectives, write_options
from pbem.editor.problems import Findings, Problem
from pbem.editor.tiles import Ground, playable_key
from pbem.editor.unit_writer import write_unit

SOFTWARE = "m44-pbem"
_SUBTITLE = re.compile(r"([^()]+) \(([^()]+)\)")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
# Tiles in the colours of a face; without an entry the first tile of the kind is taken.
FACE_TILES: dict[str, dict[str, str]] = {
    "winter": {
        "forest": "wforest",
        "hill": "whill",
        "town": "wvillage",
        "church": "wchurch",
        "marsh": "wmarshes",
        "road": "wroad",
        "rail": "wrail",
        "bridge": "wbridge",
        "field_bunker": "wbunker",
    },
    "desert": {"hill": "dhill", "town": "bled", "road": "droad", "field_bunker": "dbunker"},
}


@dataclass(frozen=True, slots=True)
class Exported:
    """A document as JSON values, and what it cannot say of the battle."""

    document: dict[str, Any]
    lost: tuple[Problem, ...]


def export_battle(battle: Battle) -> Exported:
    """The editor document of a battle."""
    lost = Findings()
    hexes = _write_hexes(battle, lost)
    info = _write_info(battle, lost)
    write_objectives(battle, hexes, info, lost)
    options = write_options(battle, lost)
    if options:
        info["options"] = {**info.get("options", {}), **options}
    shape = grid(battle.shape)
    document = {
        "meta_data": _write_meta(battle, lost),
        "game_info": info,
        "board": {
            "type": _reverse(terms.BOARDS, battle.shape),
            "face": _reverse(terms.FACES, battle.face),
            "hexagons": [hexes[label] for label in shape.labels if label in hexes],
            "labels": [{**place_of(shape, label), "text": [words]} for label, words in battle.labels],
        },
        "packs": {"base": 2 if battle.shape == "overlord" else 1},
        "text": {"en": _write_words(battle)},
    }
    if battle.partial:
        lost.note("the list of what cannot be played")
    return Exported(document, lost.problems())


def _reverse(table: dict[str, str], value: str) -> str:
    return next(key for key, word in table.items() if word == value)


# Heading and words


def _write_meta(battle: Battle, lost: Findings) -> dict[str, str]:
    meta = {"status": "PRIVATE", "software": SOFTWARE}
    number = battle.source.removeprefix("scenario-editor document").strip()
    if battle.source == "base game":
        meta["status"] = "GAME"
    elif battle.source.startswith("scenario-editor document"):
        meta.update({"scenario_id": number} if number else {})
    elif battle.source:
        lost.note(f"the source, {battle.source}")
    return meta


def _write_info(battle: Battle, lost: Findings) -> dict[str, Any]:
    info: dict[str, Any] = {"type": "HISTORICAL", "front": battle.front.upper()}
    begin, _, end = battle.date.partition(" to ")
    if battle.date:
        if not all(DAY.fullmatch(day) for day in (begin, end or begin)):
            lost.note(f"the date {battle.date}, which names no day; missing parts are written as 01")
        info["date_begin"], info["date_end"] = _day(begin), _day(end or begin)
    top = next(n for n, side in enumerate(battle.sides) if side.edge == "top")
    info["starting"] = "PLAYER1" if battle.first == SIDES[top] else "PLAYER2"
    for player, n in ((1, top), (2, 1 - top)):
        facts = battle.sides[n]
        info[f"side_player{player}"] = SIDES[n].upper()
        nation = facts.nation if facts.nation in troops.NATIONS else ""
        if facts.nation != nation:
            lost.note(f"the nation of the {SIDES[n]}, {facts.nation}")
        info[f"country_player{player}"] = nation
        info[f"cards_player{player}"] = facts.cards
        info[f"victory_player{player}"] = facts.medals
        if facts.growth:
            lost.note(f"the growth of the {SIDES[n]} hand, {' '.join(map(str, facts.growth))}")
    info["victory_conditions"] = [{"standard": []}]
    return info


def _day(date: str) -> str:
    return (date + "-01-01")[:10]


def _write_words(battle: Battle) -> dict[str, str]:
    briefings = [
        f"Briefing of the {side.capitalize()}: {' '.join(battle.text[side].split())}"
        for side in SIDES
        if side in battle.text
    ]
    winner = battle.options.get("exhausted_winner", "")
    # "St Vith (Ardennes)" has a subtitle; one that the name repeats would not come back.
    found = _SUBTITLE.fullmatch(battle.title)
    name, subtitle = (found[1], found[2]) if found else (battle.title, "")
    if subtitle.lower() in name.lower():
        name, subtitle = battle.title, ""
    return {
        "name": name,
        "subtitle": subtitle,
        "historical": battle.text.get("history", ""),
        "description": "\n".join(briefings),
        "rules": battle.text.get("rules", ""),
        "victory": f"The {winner.capitalize()} win when the command deck runs out." if winner else "",
    }


# The board


def _write_hexes(battle: Battle, lost: Findings) -> dict[str, dict[str, Any]]:
    """Every hex that carries something, by label."""
    shape = grid(battle.shape)
    found: dict[str, dict[str, Any]] = {}
    sections = _section_orientations(battle, shape, lost)
    units = {unit.at: unit for unit in battle.units if unit.at is not None}
    for at, label in enumerate(shape.labels):
        facts = battle.hexes.get(label, HexFacts())
        parts: dict[str, Any] = {}
        links = _write_tile(parts, battle, shape, at, facts, lost)
        for feature, owner in facts.features:
            _write_feature(parts, battle, label, feature, owner, links, lost)
        if label in sections and "rect_terrain" in parts:
            parts["rect_terrain"].update(orientation=sections[label], behavior="BRIDGE_SECTION")
        if label in units:
            unit = write_unit(units[label], battle, lost)
            parts.update({"unit": unit} if unit else {})
        if parts:
            found[label] = {**place_of(shape, label), **parts}
    return found


def tile_of(terrain: str) -> tuple[Ground | None, str]:
    """The kind of tile that is a terrain, and the behaviour that makes it so."""
    for row in tiles.GROUNDS:
        if row.keys[0] == terrain:
            return row, ""
    for row in tiles.VARIANTS:
        if row.keys[0] == terrain:
            return tiles.TILES["river" if row.stand_in else "hills"].ground, row.tiles
    for row in tiles.GROUNDS:
        if terrain != "open" and playable_key(row) == terrain:
            return row, ""
    return None, ""


def _write_tile(
    parts: dict[str, Any], battle: Battle, shape: Grid, at: int, facts: HexFacts, lost: Findings
) -> frozenset[str]:
    """Put the tile of a hex into its parts; returns the directions it connects."""
    label = shape.labels[at]
    printed = background(battle.shape, battle.face, shape.row(at))
    traits = sorted(facts.traits)
    if facts.terrain == printed and not traits:
        return frozenset()
    row, behavior = tile_of(facts.terrain)
    if row is None:
        if facts.terrain != printed:
            lost.note(f"{facts.terrain} where the board is printed as {printed}", label)
        for trait in traits:
            lost.note(f"{trait} on ground without a tile", label)
        return frozenset()
    name, orientation = FACE_TILES.get(battle.face, {}).get(row.kind, row.tiles.split()[0]), 1
    if name in tiles.LINKS:
        name, orientation = _shape_tile(battle, shape, at, row, name)
    said = next((word for word, has in tiles.TRAIT_BEHAVIORS.items() if sorted(has) == traits), "")
    if traits and not said:
        lost.note(f"{' and '.join(traits)} on one hex", label)
    if said and behavior:
        lost.note(f"{facts.terrain} that is {' and '.join(traits)}; it is written as a plain hill", label)
    if said.endswith("HILL") and row.kind == "mountain":
        lost.note("a mountain that is impassable; it is read as a hill", label)
    tile: dict[str, Any] = {"name": name}
    if orientation != 1:
        tile["orientation"] = orientation
    if said or behavior:
        tile["behavior"] = said or behavior
    parts["terrain"] = tile
    return tiles.turned(tiles.LINKS.get(name, ()), orientation)


def _shape_tile(battle: Battle, shape: Grid, at: int, row: Ground, first: str) -> tuple[str, int]:
    """The tile and orientation of a linear kind that meets its neighbours best."""
    like = {
        way
        for way in tiles.COMPASS
        if (near := shape.step(at, way)) is not None
        and battle.hexes.get(shape.labels[near], HexFacts()).terrain == battle.hexes[shape.labels[at]].terrain
    }
    border = {way for way in tiles.COMPASS if shape.step(at, way) is None}
    family = first.removesuffix("curve")
    best, chosen = -100, (first, 1)
    for name in row.tiles.split():
        links = tiles.LINKS.get(name, ())
        if not links or (name.startswith(("w", "d")) != family.startswith(("w", "d"))):
            continue
        for orientation in range(1, 7 if len(links) != 2 or links != tiles.STRAIGHT else 4):
            way = tiles.turned(links, orientation)
            score = 2 * len(way & like) - 3 * len(way - like - border) - 2 * len(like - way)
            if score > best:
                best, chosen = score, (name, orientation)
    return chosen


# Pieces and obstacles


def _write_feature(
    parts: dict[str, Any],
    battle: Battle,
    label: str,
    feature: str,
    owner: str | None,
    links: frozenset[str],
    lost: Findings,
) -> None:
    piece: dict[str, Any] = {}
    place = "rect_terrain"
    if feature in terms.MINE_KEYS:
        mine = {"name": "tag3", "behavior": "MINE_FIELD", "side": (owner or "").upper()}
        parts.setdefault("tags", []).append(mine)
        return
    if feature == tiles.SEA_WALL.keys[0]:
        place, piece = "obstacle", {"name": "sand", "behavior": tiles.SEA_WALL.tiles}
    elif (block := _own_row(tiles.OBSTACLES, feature)) is not None:
        place, piece = "obstacle", {"name": block.tiles}
    else:
        kind = "field-bunker" if feature == "bunker" and owner is None else feature
        row = _own_row(tiles.PIECES, kind)
        if row is not None:
            piece = {"name": FACE_TILES.get(battle.face, {}).get(row.kind, row.tiles.split()[0])}
            piece["orientation"] = _across(links) if "bridge" in row.kind else 1
    if not piece or place in parts:
        lost.note(f"{feature} beside another piece" if piece else feature, label)
        return
    if owner is not None:
        piece["original_owner"] = owner.upper()
    parts[place] = piece


def _own_row(rows: tuple[Ground, ...], key: str) -> Ground | None:
    return next((row for row in rows if row.keys[0] == key), None)


def _across(links: frozenset[str]) -> int:
    """The orientation of a bridge across a straight river; straight up across any other."""
    return {frozenset(("NE", "SW")): 5, frozenset(("NW", "SE")): 3}.get(links, 1)


def _section_orientations(battle: Battle, shape: Grid, lost: Findings) -> dict[str, int]:
    """The orientations of the pieces of a straight long bridge."""
    way = [shape.parse(label) for label in battle.causeway]
    if not way:
        return {}
    for orientation in (2, 4, 6):
        for direction in OPEN_ENDS[orientation]:
            if all(shape.step(a, direction) == b for a, b in pairwise(way)):
                return {shape.labels[at]: orientation for at in way[1:-1]}
    lost.note(f"the causeway {' '.join(battle.causeway)}, which is not straight")
    return {}
