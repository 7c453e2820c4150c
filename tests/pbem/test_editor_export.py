"""Export: what a document can say comes back unchanged, what it cannot say is listed exactly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings

from engine.battle import SIDES, Airdrop, Battle, CardUse, HexFacts, ObjectiveFacts, UnitFacts
from engine.hexes import grid
from engine.scenario import parse_battle
from pbem.editor import Imported, export_battle, import_document
from pbem.editor.tiles import LINKS, turned
from pbem.library import load_battle, scenario_names
from tests.pbem.editor_documents import EXAMPLES, example, read, said
from tests.pbem.random_battles import battles

BASE = [name for name in scenario_names() if load_battle(name).source == "base game"]
SMALL = Path(__file__).parents[1] / "engine" / "fixtures" / "small.yaml"


def round_trip(battle: Battle) -> Imported:
    """The import of an export."""
    data = json.dumps(export_battle(battle).document, ensure_ascii=False).encode()
    return import_document(data, name=f"{battle.key}.m44")


def lost(battle: Battle) -> list[str]:
    return [problem.sentence for problem in export_battle(battle).lost]


def different(a: Battle, b: Battle) -> set[str]:
    """The fields in which two battles differ."""
    return {name for name in Battle._fields if getattr(a, name) != getattr(b, name)}


def sayable(battle: Battle) -> Battle:
    """A battle of the base box without the few things that a document cannot say."""
    words = {"panzer-grenadier": "grenadier"}
    return battle._replace(
        sides=(battle.sides[0]._replace(growth=()), battle.sides[1]._replace(growth=())),
        units=tuple(unit._replace(nation=words.get(unit.nation, unit.nation)) for unit in battle.units),
        objectives=tuple(row._replace(name="") for row in battle.objectives),
    )


# The battles of the base box


@pytest.mark.parametrize("name", BASE)
def test_a_battle_of_the_base_box_comes_back(name: str) -> None:
    battle = load_battle(name)
    imported = round_trip(battle)
    assert said(imported) == []
    assert imported.battle == sayable(battle)


def test_what_the_base_box_loses_is_exactly_this() -> None:
    found = {name: lost(load_battle(name)) for name in BASE}
    assert {name: words for name, words in found.items() if words} == {
        "counter-attack-on-mortain": [
            'the word "panzer-grenadier" of a unit; it is read as "grenadier" at K9',
            "the name of an objective at L1",
        ],
        "first-assault-wave": ["the name of an objective at A9, F9, k8, l8"],
        "liberation-of-paris": ["the name of an objective at C9, F9, J9"],
        "montelimar": [
            'the word "panzer-grenadier" of a unit; it is read as "grenadier" at g8, C7, l6',
            "the name of an objective at F9, b2, l2",
        ],
        "operation-cobra": ["the name of an objective at K9, e8"],
        "pegasus-bridge": ["the growth of the axis hand, 1 1", "the name of an objective at D7, k4"],
        "saverne-gap": ["the name of an objective at g8"],
        "sword-beach": ["the name of an objective at B9, M9"],
        "toulon": ["the name of an objective at G9"],
    }


@pytest.mark.parametrize("name", BASE)
def test_a_second_round_changes_nothing(name: str) -> None:
    first = round_trip(load_battle(name)).battle
    assert lost(first) == []
    assert round_trip(first).battle == first


@pytest.mark.parametrize("name", EXAMPLES)
def test_import_export_import_is_the_import(name: str) -> None:
    """Only the note of what is missing cannot be said, nor Blitz without its rule for armor."""
    first = read(example(name)).battle
    second = round_trip(first).battle
    assert different(first, second) == {"partial", *(["card_uses"] if name == "breakthrough" else [])}
    assert round_trip(second).battle == second


def test_a_document_has_the_form_of_the_editor() -> None:
    document = export_battle(load_battle("sword-beach")).document
    assert list(document) == ["meta_data", "game_info", "board", "packs", "text"]
    assert document["meta_data"] == {"status": "GAME", "software": "m44-pbem"}
    assert (document["board"]["type"], document["board"]["face"]) == ("STANDARD", "BEACH")
    info = document["game_info"]
    assert (info["side_player1"], info["side_player2"], info["starting"]) == ("AXIS", "ALLIES", "PLAYER2")
    assert (info["cards_player1"], info["cards_player2"]) == (4, 5)
    hexes = {(entry["row"], entry["col"]): entry for entry in document["board"]["hexagons"]}
    assert hexes[0, 2] == {
        "row": 0,
        "col": 2,
        "terrain": {"name": "buildings"},
        "tags": [
            {"name": "medal4", "group": [], "medal": {"permanent": False, "counts_for": 1, "nbr_hex": 1}}
        ],
    }
    assert hexes[3, 5] == {
        "row": 3,
        "col": 5,
        "rect_terrain": {"name": "bunker", "orientation": 1, "original_owner": "AXIS"},
        "unit": {"name": "infger"},
    }
    assert hexes[8, 0]["unit"] == {"name": "inf2us", "badge": "badge1"}
    assert (5, 1) not in hexes  # bare sand is printed on the board


@pytest.mark.parametrize("name", [name for name in BASE if name != "pegasus-bridge"])
def test_rivers_run_on_from_tile_to_tile(name: str) -> None:
    """Every river tile of an export meets its neighbours, except where four water hexes lie in a heap."""
    battle = load_battle(name)
    board = grid(battle.shape)
    links = {}
    for entry in export_battle(battle).document["board"]["hexagons"]:
        tile = entry.get("terrain", {})
        if tile.get("name") in LINKS:
            at = board.at[entry["col"], entry["row"]]
            links[at] = turned(LINKS[tile["name"]], tile.get("orientation", 1))
    for at, ways in links.items():
        for way in ways:
            near = board.step(at, way)
            assert near is None or near in links, f"{board.labels[at]} runs {way} into dry land"


def test_winter_and_desert_have_tiles_of_their_own() -> None:
    hexes = {"G5": HexFacts("town"), "H5": HexFacts("hill"), "C5": HexFacts("open", (("bunker", None),))}
    names = {}
    for face in ("country", "winter", "desert"):
        battle = load_battle("arracourt")._replace(hexes=hexes, face=face)
        names[face] = [
            (entry.get("terrain") or entry["rect_terrain"])["name"]
            for entry in export_battle(battle).document["board"]["hexagons"]
            if "unit" not in entry
        ]
        assert round_trip(battle).battle.hexes == hexes
    assert names == {
        "country": ["casemate", "buildings", "hills"],
        "winter": ["wbunker", "wvillage", "whill"],
        "desert": ["dbunker", "bled", "dhill"],
    }


# What cannot be said, one by one


def test_the_small_battle_loses_exactly_this() -> None:
    battle = parse_battle(SMALL.read_text(encoding="utf-8"), name="small.yaml")
    assert lost(battle) == [
        "blocks-artillery on ground without a tile at G3",
        "impassable on ground without a tile at G3",
        "the growth of the allies hand, 1 0 2",
        "the name of an objective at D7",
        "an objective without which its side cannot win at D7",
        "the option sandbag_supply: 4",
        "recon played as barrage",
        "the source, test",
        "the list of what cannot be played",
    ]
    back = round_trip(battle).battle
    assert different(battle, back) == {
        "key",
        "hexes",
        "sides",
        "objectives",
        "options",
        "card_uses",
        "victory_needs",
        "source",
        "partial",
        "units",  # their order only
    }
    assert (back.causeway, back.airdrop) == (battle.causeway, battle.airdrop)
    assert sorted(map(repr, back.units)) == sorted(map(repr, battle.units))


def with_unit(**facts: Any) -> Battle:
    battle = load_battle("arracourt")
    unit = UnitFacts("axis", "infantry", "G5", 4)._replace(**facts)
    return battle._replace(hexes={}, units=(*battle.units, unit))


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        ({"type": "half-track", "figures": 3}, "axis half-track, a type the editor does not know at G5"),
        ({"medals": 3}, "a unit worth 3 medals at G5"),
        ({"type": "armor"}, "armor of 4 figures; it is read as elite armor at G5"),
        ({"type": "elite-armor", "figures": 1}, "elite-armor of 1 figures; it is read as Tiger at G5"),
        ({"nation": "ranger"}, 'the word "ranger" of a unit at G5'),
        ({"nation": "polish"}, 'the word "polish" of a unit at G5'),
        (
            {"type": "special-forces", "nation": "panzer-grenadier"},
            'the word "panzer-grenadier" of a unit; it is read as "grenadier" at G5',
        ),
    ],
)
def test_units_that_a_document_cannot_say(facts: dict[str, Any], words: str) -> None:
    assert lost(with_unit(**facts)) == [words]


@pytest.mark.parametrize(
    "facts",
    [
        {"figures": 2},
        {"medals": 2},
        {"type": "resistance", "figures": 3, "side": "allies"},
        {"type": "resistance", "figures": 2, "side": "allies", "medals": 2},
        {"type": "special-forces"},
        {"type": "special-forces", "nation": "grenadier"},
        {"type": "special-forces", "nation": "airborne", "side": "allies", "figures": 3},
        {"nation": "japanese"},
        {"nation": "soviet", "side": "allies"},
        {"nation": "italian"},
        {"type": "elite-armor", "medals": 2},
        {"type": "elite-armor", "figures": 2, "nation": "africa"},
        {"type": "artillery", "figures": 1},
    ],
)
def test_units_that_a_document_can_say(facts: dict[str, Any]) -> None:
    battle = with_unit(**facts)
    assert lost(battle) == []
    assert battle.units[-1] in round_trip(battle).battle.units


@pytest.mark.parametrize(
    ("facts", "words"),
    [
        (HexFacts("ocean"), "ocean where the board is printed as open at G5"),
        (HexFacts("open", (), frozenset({"wide"})), "wide on ground without a tile at G5"),
        (HexFacts("hill", (), frozenset({"blocks-artillery"})), "blocks-artillery on one hex at G5"),
        (
            HexFacts("river", (), frozenset({"impassable", "wide"})),
            "impassable and wide on one hex at G5",
        ),
        (
            HexFacts("dune", (), frozenset({"impassable"})),
            "dune that is impassable; it is written as a plain hill at G5",
        ),
        (
            HexFacts("mountain", (), frozenset({"impassable"})),
            "a mountain that is impassable; it is read as a hill at G5",
        ),
        (HexFacts("open", (("wire", None), ("sandbags", None))), "sandbags beside another piece at G5"),
    ],
)
def test_ground_that_a_document_cannot_say(facts: HexFacts, words: str) -> None:
    assert lost(load_battle("arracourt")._replace(hexes={"G5": facts})) == [words]


def test_open_ground_on_printed_sand_cannot_be_said() -> None:
    battle = load_battle("sword-beach")
    assert "open where the board is printed as beach at G5" in lost(
        battle._replace(hexes={**battle.hexes, "G5": HexFacts("open")})
    )


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            ObjectiveFacts("temporary", ("axis",), ("G5",), check="turn-end"),
            "an objective looked at when the turn ends at G5",
        ),
        (
            ObjectiveFacts("sudden-death", ("axis",), ("G5",)),
            "when sudden death is looked at; it is read as the end of the turn at G5",
        ),
        (
            ObjectiveFacts("sudden-death", SIDES, ("G5",), check="turn-end"),
            "sudden death for both sides; it is written as one for each at G5",
        ),
        (ObjectiveFacts("exit", ("axis",), ("G1",), medals=2), "2 medals for an exit at G1"),
        (
            ObjectiveFacts("exit", SIDES, ("G1",)),
            "an exit for both sides; it is written as one for each at G1",
        ),
        (
            ObjectiveFacts("exit", ("axis",), ("G1",), infantry_medals=3),
            "medals for infantry that exits at G1",
        ),
    ],
)
def test_objectives_that_a_document_cannot_say(row: ObjectiveFacts, words: str) -> None:
    assert lost(load_battle("arracourt")._replace(objectives=(row,))) == [words]


def test_objectives_that_a_document_can_say() -> None:
    rows = (
        ObjectiveFacts("permanent", ("axis",), ("C9", "B7"), need=2, medals=3, check="turn-start"),
        ObjectiveFacts("majority", SIDES, ("D9", "E9")),
        ObjectiveFacts("last-to-occupy", SIDES, ("F9",)),
        ObjectiveFacts("sole-control", ("allies",), ("G9", "H9")),
        ObjectiveFacts("temporary", ("allies",), ("G9", "I9")),
        ObjectiveFacts("exit", ("allies",), ("A9",), infantry_medals=2),
        ObjectiveFacts("exit", ("axis",), ("A1", "B1"), infantry_medals=2),
        ObjectiveFacts("sudden-death", ("axis",), ("G5", "H5"), need=2, check="turn-end"),
    )
    battle = load_battle("arracourt")._replace(objectives=rows, victory_needs=(6,))
    assert lost(battle) == []
    back = round_trip(battle).battle
    assert (back.objectives, back.victory_needs) == (rows, (6,))


def test_other_things_that_a_document_cannot_say() -> None:
    battle = load_battle("arracourt")
    assert lost(battle._replace(date="1944-09")) == [
        "the date 1944-09, which names no day; missing parts are written as 01"
    ]
    odd = battle._replace(sides=(battle.sides[0]._replace(nation="Utopia"), battle.sides[1]))
    assert lost(odd) == ["the nation of the allies, Utopia"]
    uses = (
        CardUse("axis", "recon", "air-power", dice=1, in_section=True),
        CardUse(None, "recon", "barrage"),
        CardUse("axis", "recon", "air-power", in_section=True),
    )
    assert lost(battle._replace(card_uses=uses)) == [
        "recon played as air-power (Blitz without its rule for armor)",
        "recon played as barrage",
    ]
    assert round_trip(battle._replace(card_uses=uses)).battle.card_uses == uses[2:]
    assert lost(battle._replace(options={"sandbag_supply": "12"})) == []


def test_a_bent_causeway_cannot_be_said_and_a_straight_one_can() -> None:
    battle = load_battle("arracourt")
    hexes = {label: HexFacts("open", (("bridge", None),)) for label in ("G5", "H5", "h4")}
    bent = battle._replace(hexes=hexes, causeway=("F5", "G5", "H5", "h4", "H3"))
    assert lost(bent) == ["the causeway F5 G5 H5 h4 H3, which is not straight"]
    straight = battle._replace(hexes=hexes, causeway=("F5", "G5", "H5", "I5"))
    assert round_trip(straight).battle.causeway == straight.causeway


def test_airdropped_units_with_badges_lose_them() -> None:
    battle = load_battle("sainte-mere-eglise")
    units = tuple(
        unit._replace(type="special-forces", nation="ranger") if unit.at is None else unit
        for unit in battle.units
    )
    changed = battle._replace(units=units)
    assert lost(changed) == ["the badge or worth of airdropped units"]
    assert round_trip(changed).battle.airdrop == Airdrop("allies", (6, 7, 8, 9), 4, "G5")


@settings(max_examples=40, deadline=None, phases=[Phase.generate])
@given(battles())
def test_what_does_not_come_back_is_named_with_its_hex(battle: Battle) -> None:
    """Every hex, unit and objective of a random battle comes back, or the list of losses names it."""
    named = {label for problem in export_battle(battle).lost for label in problem.where}
    back = round_trip(battle).battle

    def ground(facts: HexFacts) -> tuple[str, list[str], list[str]]:
        return facts.terrain, sorted(map(str, facts.features)), sorted(facts.traits)

    for label in {*battle.hexes, *back.hexes} - named:
        mine, theirs = battle.hexes.get(label, HexFacts()), back.hexes.get(label, HexFacts())
        assert ground(mine) == ground(theirs), label
    assert {unit for unit in battle.units if unit.at not in named} <= set(back.units)
    assert {unit.at for unit in back.units} <= {unit.at for unit in battle.units}
    assert {row for row in battle.objectives if row.hexes[0] not in named} <= set(back.objectives)
