"""What the words of a document become: every word of the vocabulary, and the rules of reading."""

from __future__ import annotations

import pytest

from engine.battle import HexFacts, ObjectiveFacts
from engine.terrain import FEATURES, TERRAINS, Terrain
from engine.units import UNITS
from pbem.editor import terms, tiles, troops, vocabulary
from tests.pbem.editor_documents import VOCABULARY, Json, at_g5, read, said, small, unit_of, whole


def facts_of(document: Json, label: str = "G5") -> HexFacts:
    return read(document).battle.hexes.get(label, HexFacts())


# The vocabulary is complete


@pytest.mark.parametrize(("name", "kind"), VOCABULARY["terrain"].items())
def test_every_tile_is_known_with_its_kind(name: str, kind: str) -> None:
    tile = tiles.TILES[name.lower()]
    assert (tile.name, tile.ground.kind) == (name, kind)
    row = tile.ground
    assert tiles.playable_key(row) in TERRAINS or row.stand_in in TERRAINS


@pytest.mark.parametrize(("name", "kind"), VOCABULARY["piece"].items())
def test_every_piece_is_known_with_its_kind(name: str, kind: str) -> None:
    found = tiles.SHIPS_AND_TRAINS.get(name) or tiles.RECTS[name].ground.kind
    assert found == kind


@pytest.mark.parametrize(("name", "figures"), VOCABULARY["unit"].items())
def test_every_unit_is_known_with_its_side_and_figures(name: str, figures: int) -> None:
    split = troops.split_name(name)
    assert split is not None
    assert troops.CLASSES[troops.NAME_CLASSES[split[0]]].figures == figures
    assert troops.ARMIES[split[1]][0] == ("axis" if name.endswith(("ger", "jp")) else "allies")


def test_no_other_word_of_the_editor_is_missing() -> None:
    known = {
        "terrain": [tile.name for tile in tiles.TILES.values()],
        "piece": [tile.name for tile in tiles.RECTS.values()] + list(tiles.SHIPS_AND_TRAINS),
        "obstacle": [tile.name for tile in tiles.BLOCKS.values()],
        "badge": [f"badge{number}" for number in troops.BADGES],
        "terrain behavior": [
            *tiles.BEHAVIORS,
            *tiles.TRAIT_BEHAVIORS,
            *tiles.PLAIN_BEHAVIORS,
            *tiles.RULE_BEHAVIORS,
        ],
        "piece behavior": list(tiles.PIECE_BEHAVIORS),
        "unit behavior": list(troops.UNIT_BEHAVIORS),
        "equipment": list(troops.EQUIPMENT),
        "tag": [*terms.MEDALS, *terms.TAGS],
        "tag behavior": list(terms.TAG_BEHAVIORS),
        "option": list(terms.OPTIONS),
        "nation": list(troops.NATIONS),
    }
    for kind, words in known.items():
        assert sorted(words) == sorted(VOCABULARY[kind]), kind
    assert sorted(word for entry in vocabulary.option_entries() for word in entry.names) == sorted(
        VOCABULARY["option"]
    )


def test_names_that_look_alike_are_told_apart() -> None:
    kinds = {
        name: tiles.TILES[name].ground.kind
        for name in ("wcurve", "wcurved", "wadi", "woods", "rail", "railroad")
    }
    assert kinds == {
        "wcurve": "wadi",
        "wcurved": "frozen_river",
        "wadi": "wadi",
        "woods": "forest",
        "rail": "rail",
        "railroad": "road_rail_crossing",
    }


# Tiles


@pytest.mark.parametrize("name", VOCABULARY["terrain"])
def test_every_tile_can_be_imported_and_is_named_when_it_cannot_be_played(name: str) -> None:
    row = tiles.TILES[name.lower()].ground
    document = at_g5(terrain={"name": name})
    key = tiles.playable_key(row)
    expected = [] if key else [f"{row.words} ({name}) at G5; {tiles.instead_of(row)}"]
    assert said(read(document)) == expected
    facts = facts_of(document)
    assert facts == HexFacts(key or row.stand_in, (), frozenset(() if key else row.traits))


@pytest.mark.parametrize(
    ("name", "behavior", "facts"),
    [
        ("hills", "BLUFF", HexFacts("dune")),
        ("hills", "CLIFF", HexFacts("cliff")),
        ("hills", "STEEP_HILL", HexFacts("steep-hill")),
        ("hills", "HILL", HexFacts("hill")),
        ("mountain", "MOUNTAIN", HexFacts("mountain")),
        ("mountain", "HILL", HexFacts("hill")),
        ("hills", "IMPASSABLE_HILL", HexFacts("hill", (), frozenset({"impassable"}))),
        ("mountain", "IMPASSABLE_HILL", HexFacts("hill", (), frozenset({"impassable"}))),
        ("woods", "IMPASSABLE_HILL", HexFacts("forest", (), frozenset({"impassable"}))),
        (
            "mountain",
            "IMPASSABLE_BLOCKING_HILL",
            HexFacts("hill", (), frozenset({"impassable", "blocks-artillery"})),
        ),
        ("river", "WIDE_RIVER", HexFacts("river", (), frozenset({"wide"}))),
    ],
)
def test_behaviors_of_tiles(name: str, behavior: str, facts: HexFacts) -> None:
    """T24, T25, T26: bluffs are dunes, cliffs and steep hills are what they say, traits are kept."""
    battle = whole(at_g5(terrain={"name": name, "behavior": behavior}))
    assert battle.hexes["G5"] == facts


@pytest.mark.parametrize(
    ("name", "behavior", "facts", "words"),
    [
        (
            "river",
            "FORD",
            HexFacts("river", (("bridge", None),)),
            "fordable river (river) at G5; read as bridge",
        ),
        (
            "curve",
            "FORDABLE_STREAM",
            HexFacts("river", (("bridge", None),)),
            "fordable stream (curve) at G5; read as bridge",
        ),
        ("woods", "BLUFF", HexFacts("forest"), "sea bluff on a tile of forest at G5; read as forest"),
        ("hills", "FORD", HexFacts("hill"), "fordable river on a tile of hill at G5; read as hill"),
        ("woods", "HILL", HexFacts("forest"), "behavior HILL on a tile of forest at G5; read as forest"),
        (
            "hills",
            "HEADQUARTER",
            HexFacts("hill"),
            "a headquarters that can be captured at G5; plays without it",
        ),
        (
            "woods",
            "MAGIC",
            HexFacts("forest"),
            'the behavior of a tile "MAGIC" is not in the editor\'s vocabulary at G5; left out',
        ),
    ],
)
def test_behaviors_of_tiles_that_cannot_be_played(
    name: str, behavior: str, facts: HexFacts, words: str
) -> None:
    document = at_g5(terrain={"name": name, "behavior": behavior})
    assert said(read(document)) == [words]
    assert facts_of(document) == facts


def test_properties_close_a_tile_to_everybody_or_cannot_be_played() -> None:
    closed = at_g5(
        terrain={"name": "woods", "properties": {"isImpassable": {"ALLIES": True, "AXIS": "true"}}}
    )
    assert whole(closed).hexes["G5"].traits == {"impassable"}
    half = at_g5(terrain={"name": "woods", "properties": {"isImpassable": {"ALLIES": [2, 3], "AXIS": True}}})
    assert said(read(half)) == ["a tile closed to some units only at G5; read as open to all"]


def test_a_row_added_to_the_engine_makes_its_tile_playable(monkeypatch: pytest.MonkeyPatch) -> None:
    document = at_g5(terrain={"name": "wruins"})
    assert said(read(document)) == ["city ruins (wruins) at G5; read as town"]
    monkeypatch.setitem(TERRAINS, "city-ruins", Terrain(key="city-ruins", glyph="R"))
    monkeypatch.setattr("engine.ground.TERRAIN_GLYPHS", {row.glyph: row.key for row in TERRAINS.values()})
    assert whole(document).hexes["G5"] == HexFacts("city-ruins")


def test_a_row_added_to_the_engine_makes_its_unit_and_mines_playable(monkeypatch: pytest.MonkeyPatch) -> None:
    tag = {"name": "tag3", "behavior": "MINE_FIELD", "side": "AXIS"}
    document = at_g5(unit={"name": "infus", "badge": "badge12"}, tags=[tag])
    assert said(read(document)) == [
        "a minefield laid by the axis at G5; left out",
        "allies combat engineers at G5; read as infantry",
    ]
    engineer = UNITS["infantry"].__class__
    row = {name: getattr(UNITS["infantry"], name) for name in engineer._fields}
    monkeypatch.setitem(UNITS, "engineer", engineer(**{**row, "key": "engineer", "glyph": "N"}))
    monkeypatch.setitem(FEATURES, "minefield", Terrain(key="minefield", glyph="*", owned=True))
    monkeypatch.setattr("engine.ground.FEATURE_GLYPHS", {row.glyph: row.key for row in FEATURES.values()})
    battle = whole(document)
    assert battle.hexes["G5"].features == (("minefield", "axis"),)
    assert unit_of(document).type == "engineer"


# Pieces and obstacles


@pytest.mark.parametrize("name", [name for name in VOCABULARY["piece"] if name not in tiles.SHIPS_AND_TRAINS])
def test_every_piece_can_be_imported(name: str) -> None:
    row = tiles.RECTS[name].ground
    document = at_g5(rect_terrain={"name": name})
    key = tiles.playable_key(row)
    assert said(read(document)) == ([] if key else [f"{row.words} ({name}) at G5; {tiles.instead_of(row)}"])
    laid = key or row.stand_in
    assert facts_of(document).features == (((laid, None),) if laid else ())


@pytest.mark.parametrize(
    ("name", "words"), [("pdestroyer", "destroyer"), ("loco", "locomotive"), ("wagon", "train wagon")]
)
def test_ships_and_trains_are_units_of_the_bottom_player(name: str, words: str) -> None:
    assert said(read(at_g5(rect_terrain={"name": name}))) == [f"allies {words} at G5; left out"]
    turned = at_g5(rect_terrain={"name": name})
    turned["game_info"] |= {"side_player1": "ALLIES", "side_player2": "AXIS"}
    assert said(read(turned)) == [f"axis {words} at G5; left out"]


@pytest.mark.parametrize(
    ("parts", "owner"),
    [
        ({"rect_terrain": {"name": "bunker"}}, None),
        ({"rect_terrain": {"name": "bunker"}, "unit": {"name": "infus"}}, "allies"),
        ({"rect_terrain": {"name": "bunker", "original_owner": "axis"}, "unit": {"name": "infus"}}, "axis"),
        ({"rect_terrain": {"name": "casemate", "original_owner": "AXIS"}, "unit": {"name": "infger"}}, None),
    ],
)
def test_owners_of_bunkers(parts: Json, owner: str | None) -> None:
    """T40c: the document's owner, else the side of the unit inside, else nobody's."""
    assert whole(at_g5(**parts)).hexes["G5"].features == (("bunker", owner),)


def test_obstacles() -> None:
    """T41, T42, T43, T44: obstacles, and sandbags that are a sea wall."""
    for name, key in {"sand": "sandbags", "wire": "wire", "hedgehog": "hedgehog"}.items():
        assert whole(at_g5(obstacle={"name": name, "orientation": 2})).hexes["G5"].features == ((key, None),)
    wall = {"name": "sand", "behavior": "SEAWALL", "original_owner": "ALLIES"}
    assert whole(at_g5(obstacle=wall)).hexes["G5"].features == (("sea-wall", "allies"),)
    del wall["original_owner"]
    assert whole(at_g5(obstacle=wall)).hexes["G5"].features == (("sea-wall", None),)


def test_one_hex_can_carry_all_kinds_at_once() -> None:
    battle = whole(
        at_g5(
            terrain={"name": "hills"},
            rect_terrain={"name": "bunker"},
            obstacle={"name": "wire"},
            unit={"name": "gunger"},
            tags=[{"name": "medal1"}],
        )
    )
    assert battle.hexes["G5"] == HexFacts("hill", (("bunker", "axis"), ("wire", None)))
    assert battle.objectives == (ObjectiveFacts("temporary", ("allies",), ("G5",)),)


def test_obstacles_do_not_lie_in_rivers_and_units_do_not_stand_there() -> None:
    document = at_g5(terrain={"name": "river"}, obstacle={"name": "wire"}, unit={"name": "tankus"})
    assert said(read(document)) == [
        "wire on river at G5; left out",
        "allies armor on a hex that has river, where no armor can stand at G5; left out",
    ]


def test_unknown_names_are_reported_with_the_nearest() -> None:
    imported = read(at_g5(terrain={"name": "wood"}, obstacle={"name": "moat"}, unit={"name": "infxx"}))
    assert said(imported) == [
        'the terrain "wood" is not in the editor\'s vocabulary; did you mean "woods"? at G5; left out',
        'the obstacle "moat" is not in the editor\'s vocabulary at G5; left out',
        'the unit "infxx" is not in the editor\'s vocabulary at G5; left out',
    ]


@pytest.mark.parametrize(
    ("sections", "way"),
    [
        ({"h6": 2, "H5": 2, "g4": 2}, ("I7", "h6", "H5", "g4", "G3")),
        ({"F5": 4, "G5": 4}, ("E5", "F5", "G5", "H5")),
        ({"G5": 6}, ("f6", "G5", "g4")),
        ({"g6": 1, "G5": 1}, ("H7", "g6", "G5", "f4")),
    ],
)
def test_sections_in_a_line_are_a_long_bridge(sections: dict[str, int], way: tuple[str, ...]) -> None:
    pieces = (
        (label, {"rect_terrain": {"name": "bridge", "orientation": turn, "behavior": "BRIDGE_SECTION"}})
        for label, turn in sections.items()
    )
    battle = whole(small(*pieces))
    assert battle.causeway == way
    assert all(battle.hexes[label].features == (("bridge", None),) for label in way[1:-1])


@pytest.mark.parametrize(
    "sections", [{"G5": 1}, {"G5": 4, "C3": 4}, {"G5": 2, "H5": 2}, {"G5": 9}, {"A9": 4}]
)
def test_sections_that_are_no_line_cannot_be_played(sections: dict[str, int]) -> None:
    pieces = [
        (label, {"rect_terrain": {"name": "bridge", "orientation": turn, "behavior": "BRIDGE_SECTION"}})
        for label, turn in sections.items()
    ]
    document = small(*pieces)
    document["board"]["hexagons"] = document["board"]["hexagons"][1:]
    document["board"]["hexagons"].append({"row": 8, "col": 24, "unit": {"name": "infger"}})
    imported = read(document)
    assert imported.battle.causeway == ()
    assert [problem.done for problem in imported.problems] == ["read as separate bridges"]
