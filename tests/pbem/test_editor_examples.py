"""The three example documents, cell by cell: what is in them, what the importer makes of it."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from engine.battle import SIDES, Battle, CardUse, HexFacts, ObjectiveFacts
from engine.hexes import grid
from engine.setup import compile_setup
from pbem.editor import import_document
from pbem.editor.draft import Draft, Squad
from pbem.editor.problems import Findings
from pbem.editor.reader import read_draft
from tests.pbem.editor_documents import EXAMPLES, example, notes, read, said


@cache
def draft_of(name: str) -> Draft:
    return read_draft(example(name), name=f"{name}.json", findings=Findings())


@cache
def battle_of(name: str) -> Battle:
    return import_document(example(name), name=f"{name}.json").battle


def squads(name: str, side: str) -> list[Squad]:
    return [p.unit for p in draft_of(name).places.values() if p.unit is not None and p.unit.side == side]


def counted(name: str, side: str) -> Counter[str]:
    """Units by class, with the figures where those are not the usual number."""
    return Counter(
        squad.kind + (f" x{squad.figures}" if squad.figures != squad.troop.figures else "")
        for squad in squads(name, side)
    )


@pytest.mark.parametrize(
    ("name", "shape", "face"),
    [
        ("standard", (13, 9), "country"),
        ("breakthrough", (13, 17), "winter"),
        ("overlord", (26, 9), "beach"),
    ],
)
def test_board(name: str, shape: tuple[int, int], face: str) -> None:
    battle = battle_of(name)
    board = grid(battle.shape)
    assert (board.columns, board.rows) == shape
    assert battle.face == face


@pytest.mark.parametrize(
    ("name", "first", "cards", "medals"),
    [
        ("standard", "allies", (5, 4), (5, 5)),
        ("breakthrough", "axis", (6, 5), (8, 8)),
        ("overlord", "allies", (9, 8), (10, 10)),
    ],
)
def test_first_player_cards_and_medals(
    name: str, first: str, cards: tuple[int, int], medals: tuple[int, int]
) -> None:
    battle = battle_of(name)
    assert battle.first == first
    assert tuple(side.cards for side in battle.sides) == cards
    assert tuple(side.medals for side in battle.sides) == medals
    assert [side.edge for side in battle.sides] == ["bottom", "top"]


@pytest.mark.parametrize(("name", "hexes"), [("standard", 31), ("breakthrough", 38), ("overlord", 25)])
def test_hexes_in_the_document(name: str, hexes: int) -> None:
    assert len(draft_of(name).places) == hexes


def test_the_empty_hex_of_the_breakthrough_document_stays_empty() -> None:
    board = grid("breakthrough")
    place = draft_of("breakthrough").places[board.parse("B15")]
    assert (place.tile, place.rect, place.obstacle, place.unit, place.tags) == (None, None, None, None, ())
    assert "B15" not in battle_of("breakthrough").hexes


@pytest.mark.parametrize(
    ("name", "terrain"),
    [
        ("standard", {"forest": 3, "river": 7, "town": 6, "hedgerow": 1, "hill": 2}),
        (
            "breakthrough",
            {
                "town": 3,
                "hill": 1,
                "hill_forest": 1,
                "hill_town": 1,
                "road": 9,
                "frozen_river": 6,
                "city_ruins": 1,
                "trench": 1,
                "forest": 1,
            },
        ),
        ("overlord", {"town": 2, "hill": 6}),
    ],
)
def test_terrain(name: str, terrain: dict[str, int]) -> None:
    assert Counter(p.tile.ground.kind for p in draft_of(name).places.values() if p.tile) == terrain


def features(name: str) -> Counter[tuple[str, str | None]]:
    """Features that the battle has, with their owners."""
    return Counter(feature for facts in battle_of(name).hexes.values() for feature in facts.features)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        ("standard", {"bunker": 1, "bridge": 1}),
        ("breakthrough", {"bridge": 1, "field_bunker": 1}),
        ("overlord", {"bunker": 2}),
    ],
)
def test_structures(name: str, pieces: dict[str, int]) -> None:
    assert Counter(p.rect.ground.kind for p in draft_of(name).places.values() if p.rect) == pieces


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "standard",
            {
                ("bunker", "axis"): 1,
                ("bridge", None): 1,
                ("sandbags", None): 1,
                ("wire", None): 1,
                ("hedgehog", None): 1,
            },
        ),
        ("breakthrough", {("bridge", None): 1, ("bunker", None): 1}),
        (
            "overlord",
            {
                ("bunker", "axis"): 2,
                ("sandbags", None): 1,
                ("wire", None): 2,
                ("hedgehog", None): 2,
                ("sea-wall", "allies"): 1,
            },
        ),
    ],
)
def test_structures_and_obstacles_in_the_battle(
    name: str, expected: dict[tuple[str, str | None], int]
) -> None:
    """T40c, T44: owners come from the document or from the unit inside; a field bunker has none."""
    assert features(name) == expected


@pytest.mark.parametrize(
    ("name", "side", "units"),
    [
        (
            "standard",
            "allies",
            {"infantry": 3, "infantry x3": 1, "special_forces": 1, "armor": 1, "artillery": 1},
        ),
        (
            "standard",
            "axis",
            {"infantry": 3, "special_forces": 1, "armor": 1, "elite_armor": 1, "artillery": 1},
        ),
        (
            "breakthrough",
            "allies",
            {"infantry": 4, "special_forces": 1, "cavalry": 1, "sniper": 1, "armor": 1, "artillery": 1},
        ),
        (
            "breakthrough",
            "axis",
            {
                "infantry": 1,
                "anti_tank_gun_early": 1,
                "engineer": 1,
                "armor": 1,
                "tiger": 1,
                "mobile_artillery": 1,
            },
        ),
        (
            "overlord",
            "allies",
            {"infantry": 4, "special_forces": 1, "resistance": 1, "armor": 2, "destroyer": 1},
        ),
        ("overlord", "axis", {"infantry": 4, "armor": 1, "artillery": 2}),
    ],
)
def test_units(name: str, side: str, units: dict[str, int]) -> None:
    assert counted(name, side) == units


def test_details_of_single_units() -> None:
    """U1, U4: figures of single units; the guards, the slow tanks and the British figures are marked."""
    standard = {u.at: u for u in battle_of("standard").units}
    assert standard["K1"].figures == 3
    assert (standard["L9"].type, standard["L9"].figures) == ("elite-armor", 4)
    assert standard["g2"].nation == "ranger"
    slow = [squad for squad in squads("standard", "allies") if squad.behavior == "ARMOR_MOVE_TWO"]
    assert [squad.kind for squad in slow] == ["armor"]
    breakthrough = {u.at: u for u in battle_of("breakthrough").units}
    assert (breakthrough["C3"].type, breakthrough["C3"].nation) == ("special-forces", "guards")
    assert breakthrough["K7"].figures == breakthrough["g16"].figures == 1
    slow = [squad for squad in squads("breakthrough", "allies") if squad.behavior == "ARMOR_MOVE_TWO"]
    assert [squad.kind for squad in slow] == ["armor"]
    overlord = {u.at: u for u in battle_of("overlord").units}
    assert [at for at, unit in overlord.items() if unit.nation == "british"] == ["y2"]
    assert (overlord["Z1"].type, overlord["Z1"].figures) == ("resistance", 3)


@pytest.mark.parametrize(
    ("name", "objectives"),
    [
        (
            "standard",
            (
                ObjectiveFacts("permanent", ("allies",), ("K7",)),
                ObjectiveFacts("majority", SIDES, ("H5", "I5"), medals=2),
                ObjectiveFacts("temporary", ("axis",), ("C1",)),
                ObjectiveFacts("exit", ("axis",), ("M1", "L1")),
                ObjectiveFacts("sudden-death", ("allies",), ("F9", "G9", "f8"), need=2, check="turn-end"),
            ),
        ),
        (
            "breakthrough",
            (
                ObjectiveFacts("temporary", ("axis",), ("C3", "D3"), need=2),
                ObjectiveFacts("exit", ("axis",), ("C1", "D1", "E1")),
            ),
        ),
        (
            "overlord",
            (
                ObjectiveFacts("temporary", ("allies",), ("A9",)),
                ObjectiveFacts("temporary", ("allies",), ("N9",)),
            ),
        ),
    ],
)
def test_objectives(name: str, objectives: tuple[ObjectiveFacts, ...]) -> None:
    """M2, M3, M4, M9, M10: medals, exits and sudden death of the documents."""
    assert battle_of(name).objectives == objectives


def test_everything_that_cannot_be_played_is_named_with_its_hexes() -> None:
    assert said(read(example("standard"))) == [
        "armor that moves at most 2 hexes at H1; plays without it",
        "Blitz movement: armor moves at most 2 hexes (allies); plays without it",
    ]
    assert said(read(example("overlord"))) == [
        "the command rules of the overlord board; two players with one hand each (V23, V24)",
        "allies destroyer at G1; left out",
    ]
    assert said(read(example("breakthrough"))) == [
        "road (wroad) at F17, e16, E15, d14, D13, c12, A11, B11; read as open",
        "a camouflage marker at c16; left out",
        "road (wroadcurve) at C11; read as open",
        "frozen river (wriver) at A9, B9, C9, d8, E7; read as open",
        "frozen river (wcurved) at D9; read as open",
        "a minefield laid by the allies at h8, i8; left out",
        "city ruins (wruins) at K7; read as town",
        "trench (wtrenches) at D5; read as open",
        "axis mobile artillery at I17; read as artillery",
        "axis anti-tank gun, early war at M17; read as infantry",
        "axis combat engineers at c16; read as infantry",
        "axis Tiger at g16; read as elite-armor",
        "allies sniper at K7; read as infantry",
        "armor that moves at most 2 hexes at e2; plays without it",
        "allies cavalry at f2; read as infantry",
        "Russian Command rules (allies); plays without it",
        "Blitz rules: Allied armor moves at most 2 hexes; plays without it; "
        "Axis Recon cards may be air strikes",
        "Air Power cards play as Artillery Bombard; plays without it",
    ]


def test_the_playable_half_of_blitz_is_played() -> None:
    assert battle_of("breakthrough").card_uses == (CardUse("axis", "recon", "air-power", 1, True),)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_battle_lists_what_is_missing_and_can_be_set_up(name: str) -> None:
    imported = read(example(name))
    assert list(imported.battle.partial) == said(imported)
    assert compile_setup(imported.battle).battle is imported.battle


def test_ground_of_the_beach_is_filled_before_tiles_are_placed() -> None:
    """R11: sand and sea of the Overlord beach board; obstacles lie on it, tiles replace it."""
    hexes, board = battle_of("overlord").hexes, grid("overlord")
    for at, label in enumerate(board.labels):
        row = board.row(at)
        printed = "open" if row < 4 else "beach" if row < 7 else "ocean"
        if draft_of("overlord").places.get(at) is None or row > 3:
            assert hexes.get(label, HexFacts()).terrain == printed
    assert hexes["F5"] == HexFacts("beach", (("wire", None),))
    assert hexes["c6"] == HexFacts("dune", (("bunker", "axis"),))
    assert hexes["q6"] == HexFacts("cliff")


def test_headings_labels_and_words() -> None:
    standard, breakthrough, overlord = (battle_of(name) for name in EXAMPLES)
    assert (standard.key, standard.title) == ("two-farms-on-the-brook", "Two Farms on the Brook (A Trial)")
    assert (breakthrough.key, breakthrough.title) == ("frozen-crossing", "Frozen Crossing")
    assert overlord.title == "TWO BEACHES"
    assert (standard.date, breakthrough.date) == ("1944-08-01 to 1944-08-02", "1942-12-10")
    assert (breakthrough.front, breakthrough.year) == ("eastern", 1942)
    assert [side.nation for side in breakthrough.sides] == ["RU", "DE"]
    assert standard.labels == (("G9", "High Street"), ("H5", "The Farms"))
    assert overlord.labels == (("r4", "The wall"),)
    assert standard.text["rules"].split("\n") == [
        "The tanks of the Allies are slow.",
        "Made up to try the importer.",
        "Victory: 5 medals.",
    ]
    assert (standard.source, overlord.source) == (
        "scenario-editor document 900001",
        "scenario-editor document 900003",
    )
    assert notes(read(example("standard"))) == [
        "the special rules in words are kept as text; only what this summary names is enforced"
    ]
