"""Tables of the editor's tiles, rectangular pieces and obstacles, and what each becomes on our boards.

A `Ground` is a kind of terrain or piece. `keys` are the rows of the engine's own tables that play exactly
so, best first: the first one that the engine has is taken, so a row added to the engine makes documents
playable by itself. `stand_in` is what lies nearest among the base pieces, for partial scenarios.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.terrain import FEATURES, TERRAINS


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """A kind of terrain, piece or obstacle under the name that people use."""

    kind: str
    words: str
    keys: tuple[str, ...]
    stand_in: str = ""  # "" leaves the piece out
    traits: tuple[str, ...] = ()  # traits that make the stand-in fit
    tiles: str = ""  # the editor's names: country first, then others


@dataclass(frozen=True, slots=True)
class Tile:
    """One name of the editor's vocabulary."""

    name: str
    ground: Ground
    links: tuple[str, ...] = ()  # directions a linear tile connects in orientation 1


def _g(kind: str, tiles: str, words: str = "", *, keys: str = "", near: str = "", traits: str = "") -> Ground:
    """A row of the tables below; its own kind is always the first key."""
    own = kind.replace("_", "-")
    return Ground(
        kind=kind,
        words=words or own.replace("-", " "),
        keys=(own, *keys.split()),
        stand_in=near,
        traits=tuple(traits.split()),
        tiles=tiles,
    )


# Terrain. Kinds that play as a base terrain by the rules (03-terrain, extra tiles) name it as a further key.
GROUNDS: tuple[Ground, ...] = (
    _g("forest", "woods wforest"),
    _g("hill", "hills whill dhill"),
    _g("town", "buildings wvillage bled pvillage", "town or village"),
    _g("hedgerow", "hedgerow"),
    _g("church", "church wchurch"),
    _g("river", "river curve riverFR riverFL riverY pond pmouth", "river or canal"),
    _g("frozen_river", "wriver wcurved wriverFR", near="open"),
    _g("lake", "lakeA lakeB lakeC"),
    _g("beach", "pbeach"),
    _g("mountain", "mountain"),
    _g("hill_forest", "whillforest", "forest on a hill"),
    _g("hill_town", "whillvillage", "village on a hill"),
    _g(
        "road",
        "road roadcurve roadFL roadFR roadX roadY droad droadcurve droadFL droadFR droadX "
        "wroad wroadcurve wroadFL wroadFR wroadX wroadY",
        near="open",
    ),
    _g("hill_road", "hillroad hillcurve", "road over a hill", near="hill"),
    _g(
        "rail",
        "rail railcurve railFL railFR railX wrail wrailcurve wrailFR",
        "railroad",
        keys="railway railroad",
        near="open",
    ),
    _g("road_rail_crossing", "railroad wrailroad", "road across a railroad", near="open"),
    _g("rail_station", "station", "railroad station", keys="station town"),
    _g("jungle", "pjungle", near="forest"),
    _g("palm_forest", "palmtrees", near="forest"),
    _g("erg", "dridge", "erg or ridge", near="hill"),
    _g("escarpment", "descarpment", near="hill", traits="impassable"),
    _g("marsh", "marshes wmarshes", near="open"),
    _g("rice_paddy", "price", "rice paddies", near="open"),
    _g("hill_cave", "pcave", "cave on a hill", near="hill"),
    _g("mountain_cave", "pmcave", "cave on a mountain", near="mountain"),
    _g("city_ruins", "wruins", keys="ruins", near="town"),
    _g("castle", "wcastle", keys="town"),
    _g("factory", "factory wfactory", "factory complex", keys="town"),
    _g("barracks", "barracks", keys="town"),
    _g("power_plant", "powerplant", keys="town"),
    _g("lighthouse", "lighthouse", keys="town"),
    _g("prison_camp", "camp", "prisoner-of-war camp", keys="church"),
    _g("fortress", "fortress", near="town"),
    _g("radar_station", "radar", near="church"),
    _g("cemetery", "cemetery", near="open"),
    _g("supply_depot", "depot", near="open"),
    _g("headquarters", "dcamp pheadquarter", "headquarters or supply tent", near="open"),
    _g("hospital", "phospital", "field hospital", near="open"),
    _g("oasis", "oasis", near="forest"),
    _g(
        "airfield",
        "airfield airfieldX cairfield dairfield dairfieldX pairfield pairfieldX wairfield",
        keys="open",
    ),
    _g("high_ground", "highground", "high ground or dyke", keys="open"),
    _g("coastline", "coast coastcurve", keys="coast", near="beach"),
    _g("pier", "ppier", near="ocean"),
    _g("dam", "dam", near="open"),
    _g("trench", "ptrenches wtrenches", keys="trenches", near="open"),
    _g("ravine", "wravine", near="open"),
    _g("gully", "ravine cravine", near="open"),
    _g("wadi", "wadi wcurve", "wadi, a dry river bed", near="open"),
)

# What a `behavior` makes of a tile: another kind, or a trait, or a rule the engine may not know.
VARIANTS: tuple[Ground, ...] = (
    _g("dune", "BLUFF", "sea bluff"),
    _g("cliff", "CLIFF", "sea cliff"),
    _g("steep_hill", "STEEP_HILL"),
    _g("ford", "FORD", "fordable river", keys="fordable-river", near="bridge"),
    _g("fordable_stream", "FORDABLE_STREAM", keys="stream", near="bridge"),
)
TRAIT_BEHAVIORS: dict[str, tuple[str, ...]] = {
    "IMPASSABLE_HILL": ("impassable",),
    "IMPASSABLE_BLOCKING_HILL": ("impassable", "blocks-artillery"),
    "WIDE_RIVER": ("wide",),
}
PLAIN_BEHAVIORS: dict[str, str] = {"HILL": "hill", "MOUNTAIN": "mountain"}
RULE_BEHAVIORS: dict[str, str] = {
    "OASIS_RECOVERY": "an oasis where a unit recovers figures",
    "HEADQUARTER": "a headquarters that can be captured",
}

# Rectangular pieces: features of a hex, and a few that are really units.
PIECES: tuple[Ground, ...] = (
    _g("bridge", "bridge wbridge pbridge"),
    _g("bunker", "bunker"),
    _g("field_bunker", "casemate pbunker dbunker wbunker", keys="bunker"),
    _g("ford", "ford", "river ford", keys="fordable-river", near="bridge"),
    _g("pontoon_bridge", "pontoon wpontoon", keys="pontoon bridge"),
    _g("rail_bridge", "railbridge wrailbridge", "railroad bridge", keys="railway-bridge", near="bridge"),
    _g("broken_bridge", "brkbridge", "broken bridge"),
    _g("roadblock", "roadblock droadblock wroadblock", keys="road-block", near="hedgehog"),
    _g("abatis", "abatis", "abatis, felled trees", near="hedgehog"),
    _g("dragons_teeth", "dragonteeth", "dragon's teeth", near="hedgehog"),
    _g("landing_craft", "barge"),
    _g("carrier", "pcarrier", "aircraft carrier"),
)
SHIPS_AND_TRAINS: dict[str, str] = {"pdestroyer": "destroyer", "loco": "locomotive", "wagon": "wagon"}
PIECE_BEHAVIORS: dict[str, str] = {
    "BRIDGE_SECTION": "part of a long bridge, entered and left only at its ends",
    "CAN_BE_BLOWN": "a bridge that may be blown up",
    "ONE_MEDAL_IF_BLOWN": "a medal for blowing up a bridge",
}

OBSTACLES: tuple[Ground, ...] = (
    _g("sandbags", "sand"),
    _g("wire", "wire", "barbed wire"),
    _g("hedgehog", "hedgehog"),
)
SEA_WALL = _g("sea_wall", "SEAWALL", "sea wall")

# Links of linear tiles in orientation 1; each further orientation turns them counter-clockwise by 60 degrees.
COMPASS: tuple[str, ...] = ("E", "NE", "NW", "W", "SW", "SE")
STRAIGHT, CURVE = ("E", "W"), ("NE", "SE")
_FORKS: dict[str, tuple[str, ...]] = {
    "FL": ("E", "NE", "W"),
    "FR": ("E", "W", "SE"),
    "X": ("E", "NE", "W", "SW"),
    "Y": ("E", "NW", "SW"),
}
WAYS = ("river", "wriver", "road", "droad", "wroad", "rail", "wrail")
LINKS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("wadi", "ravine", "hillroad"), STRAIGHT),
    **dict.fromkeys(("curve", "wcurved", "wcurve", "cravine", "hillcurve"), CURVE),
    **{
        f"{way}{end}": links
        for way in WAYS
        for end, links in {"": STRAIGHT, "curve": CURVE, **_FORKS}.items()
    },
    "pond": ("E",),
}


def turned(links: tuple[str, ...], orientation: int) -> frozenset[str]:
    """The directions of a linear tile in an orientation."""
    return frozenset(COMPASS[(COMPASS.index(link) + orientation - 1) % 6] for link in links)


def _by_name(rows: tuple[Ground, ...]) -> dict[str, Tile]:
    """Every name in small letters; the names differ also without regard to case."""
    found: dict[str, Tile] = {}
    for row in rows:
        for name in row.tiles.split():
            assert name.lower() not in found, name
            found[name.lower()] = Tile(name, row, LINKS.get(name, ()))
    return found


TILES = _by_name(GROUNDS)
RECTS = _by_name(PIECES)
BLOCKS = _by_name(OBSTACLES)
BEHAVIORS = {row.tiles: row for row in VARIANTS}


def instead_of(row: Ground) -> str:
    """What a partial scenario has in place of a piece that cannot be played."""
    return " ".join(("read as", *row.traits, row.stand_in)) if row.stand_in else "left out"


def playable_key(row: Ground) -> str | None:
    """The row of the engine's tables that plays exactly so, or None while the engine has none."""
    return next((key for key in row.keys if key in TERRAINS or key in FEATURES), None)
