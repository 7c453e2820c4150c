"""The ground of a draft as facts of hexes: background, tiles, pieces, obstacles, mines, long bridges."""

from __future__ import annotations

from engine.battle import HexFacts
from engine.ground import can_carry
from engine.hexes import Grid, grid
from engine.terrain import FEATURES, TERRAINS
from pbem.editor import terms, tiles
from pbem.editor.draft import Draft, Piece, Place
from pbem.editor.problems import Findings
from pbem.editor.source import is_on, listing
from pbem.editor.tiles import Ground, instead_of, playable_key

# Directions in which a piece of a long bridge may be entered, by its orientation; the others are its sides.
OPEN_ENDS: dict[int, tuple[str, ...]] = {
    1: ("NE", "NW", "SE", "SW"),
    2: ("NE", "SW"),
    3: ("E", "NE", "W", "SW"),
    4: ("E", "W"),
    5: ("E", "SE", "W", "NW"),
    6: ("NW", "SE"),
}


def background(shape: str, face: str, row: int) -> str:
    """The terrain that a board is printed with in a row."""
    printed = terms.BACKGROUND[shape] if face == "beach" else ()
    return next((terrain for first, terrain in reversed(printed) if row >= first), "open")


def build_ground(draft: Draft, findings: Findings) -> tuple[dict[str, HexFacts], tuple[str, ...]]:
    """What lies on the hexes, by label in reading order, and the long bridge if there is one."""
    shape = grid(draft.shape)
    found: dict[str, HexFacts] = {}
    for at, label in enumerate(shape.labels):
        printed = background(draft.shape, draft.face, shape.row(at))
        place = draft.places.get(at)
        facts = HexFacts(printed) if place is None else _build_hex(place, printed, findings)
        if facts != HexFacts():
            found[label] = facts
    return found, _long_bridge(draft, shape, findings)


def _build_hex(place: Place, printed: str, findings: Findings) -> HexFacts:
    terrain, features, traits = printed, dict[str, str | None](), set[str]()
    if place.tile is not None:
        terrain = _build_tile(place.tile, place.label, features, traits, findings)
    for piece in (place.rect, place.obstacle):
        if piece is not None:
            _build_piece(piece, place, terrain, features, findings)
    for tag in place.tags:
        _build_marker(tag.name, tag.behavior, tag.side, place, terrain, features, findings)
    return HexFacts(terrain, tuple(features.items()), frozenset(traits))


# Tiles


def _build_tile(
    tile: Piece, label: str, features: dict[str, str | None], traits: set[str], findings: Findings
) -> str:
    """The terrain of a tile; what its behaviours add goes into the features and traits."""
    row = tile.ground
    for word in tile.behaviors:
        row = _behave(row, word, label, traits, findings)
    if tile.barred is not None:
        _bar(tile, label, traits, findings)
    key = playable_key(row)
    if key is None:
        findings.add(f"{row.words} ({tile.name})", label, instead_of(row))
        key = row.stand_in
        traits.update(row.traits)
    if key in TERRAINS:
        return key
    features[key] = None  # such as a ford, which lies on the tile's own ground
    return playable_key(tile.ground) or tile.ground.stand_in


def _behave(row: Ground, word: str, label: str, traits: set[str], findings: Findings) -> Ground:
    """The kind of ground that a behaviour makes of a tile."""
    hilly = row.kind in ("hill", "mountain")
    if word in tiles.BEHAVIORS:
        variant = tiles.BEHAVIORS[word]
        if row.kind == ("river" if variant.stand_in else "hill"):
            return variant
        findings.add(f"{variant.words} on a tile of {row.words}", label, f"read as {row.words}")
    elif word in tiles.TRAIT_BEHAVIORS:
        traits.update(tiles.TRAIT_BEHAVIORS[word])
        if word.endswith("HILL") and hilly:  # documents draw impassable hills as mountains, too
            return tiles.TILES["hills"].ground
    elif word in tiles.PLAIN_BEHAVIORS:
        if hilly:
            name = "hills" if tiles.PLAIN_BEHAVIORS[word] == "hill" else "mountain"
            return tiles.TILES[name].ground
        findings.add(f"behavior {word} on a tile of {row.words}", label, f"read as {row.words}")
    elif word in tiles.RULE_BEHAVIORS:
        findings.add(tiles.RULE_BEHAVIORS[word], label, "plays without it")
    else:
        findings.add(f'the behavior of a tile "{word}" is not in the editor\'s vocabulary', label, "left out")
    return row


def _bar(tile: Piece, label: str, traits: set[str], findings: Findings) -> None:
    """Properties that close a tile: to everybody, or in ways that cannot be played."""
    value = tile.barred
    sides = list(value.values()) if isinstance(value, dict) else [value, value]
    if len(sides) == 2 and all(not listing(part) and is_on(part) for part in sides):
        traits.add("impassable")
    elif any(is_on(part) for part in sides):
        findings.add("a tile closed to some units only", label, "read as open to all")


# Pieces, obstacles and markers


def _build_piece(
    piece: Piece, place: Place, terrain: str, features: dict[str, str | None], findings: Findings
) -> None:
    row = piece.ground
    for word in piece.behaviors:
        if word == "SEAWALL" and row.kind == "sandbags":
            row = tiles.SEA_WALL
        elif word == "BRIDGE_SECTION" and row.kind == "bridge":
            continue  # see _long_bridge
        elif word in tiles.PIECE_BEHAVIORS:
            findings.add(tiles.PIECE_BEHAVIORS[word], place.label, "plays without it")
        else:
            findings.add(
                f'the behavior of a piece "{word}" is not in the editor\'s vocabulary',
                place.label,
                "left out",
            )
    key = playable_key(row)
    if key is None:
        findings.add(f"{row.words} ({piece.name})", place.label, instead_of(row))
        key = row.stand_in
    if key:
        owner = _owner(row, piece, place) if FEATURES[key].owned else None
        _lay(key, owner, place.label, terrain, features, findings)


def _owner(row: Ground, piece: Piece, place: Place) -> str | None:
    """The side a bunker or sea wall belongs to; a bunker falls to the unit in it, others to nobody."""
    if row.kind == "field_bunker":
        return None
    if piece.owner or row.kind != "bunker":
        return piece.owner or None
    return place.unit.side if place.unit is not None else None


def _lay(
    key: str, owner: str | None, label: str, terrain: str, features: dict[str, str | None], findings: Findings
) -> None:
    if key in features:
        return
    if not can_carry(terrain, key):
        findings.add(f"{key} on {terrain}", label, "left out")
        return
    features[key] = owner


def _build_marker(
    name: str,
    behavior: str,
    side: str,
    place: Place,
    terrain: str,
    features: dict[str, str | None],
    findings: Findings,
) -> None:
    """Markers that belong to the ground: mines; the others that are neither medal nor exit are reported."""
    if name in terms.MEDALS or name in terms.EXIT_TAGS or behavior == "EXIT_MARKER":
        return
    mine = next((key for key in terms.MINE_KEYS if key in FEATURES), None)
    if name == "tag3" and behavior in ("", "MINE_FIELD"):
        laid = f"a minefield laid by the {side}" if side else "a minefield"
        if mine is None:
            findings.add(laid, place.label, "left out")
        else:
            _lay(mine, side or None, place.label, terrain, features, findings)
    else:
        findings.add(terms.TAG_BEHAVIORS.get(behavior) or terms.TAGS[name], place.label, "left out")


# Long bridges


def _long_bridge(draft: Draft, shape: Grid, findings: Findings) -> tuple[str, ...]:
    """The sections of a long bridge in order, with the hexes at both ends; () when there is none."""
    sections = {
        at: place.rect.orientation
        for at, place in draft.places.items()
        if place.rect is not None and "BRIDGE_SECTION" in place.rect.behaviors
    }
    if not sections:
        return ()
    way = _chain(shape, sections)
    if way:
        return tuple(shape.labels[at] for at in way)
    for at in sections:
        findings.add(tiles.PIECE_BEHAVIORS["BRIDGE_SECTION"], shape.labels[at], "read as separate bridges")
    return ()


def _chain(shape: Grid, sections: dict[int, int]) -> list[int]:
    """All sections as one straight way from land to land, the upper end first; [] when they are not."""
    first = min(sections)
    for direction in OPEN_ENDS.get(sections[first], ()):
        back = tiles.COMPASS[(tiles.COMPASS.index(direction) + 3) % 6]
        start, way = shape.step(first, back), [first]
        while (onward := shape.step(way[-1], direction)) in sections and onward is not None:
            way.append(onward)
        straight = all(direction in OPEN_ENDS.get(sections[at], ()) for at in way)
        if len(way) == len(sections) and straight and start is not None and onward is not None:
            whole = [start, *way, onward]
            if len(way) > 1 or len(OPEN_ENDS[sections[first]]) == 2:  # a lone slanted piece has no one way
                return whole if whole[0] < whole[-1] else whole[::-1]
    return []
