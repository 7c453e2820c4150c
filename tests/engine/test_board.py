"""Sections, baselines, faces of the board, and the tables of terrain (rules R7-R16, T1-T6)."""

from __future__ import annotations

import pytest

from engine import new_game
from engine.battle import HexFacts
from engine.board import printed
from engine.cards import CARDS, DECKS
from engine.combat import DIE, FACES
from engine.hexes import grid
from engine.terrain import ALL, FEATURES, TERRAINS
from engine.units import UNITS
from tests.drawing import choices, draw_battle, play, position, reach
from tests.questions import attack, fighting, loose_at, ordered

BOARD = grid("standard")
SHARED = ["d8", "i8", "d6", "i6", "d4", "i4", "d2", "i2"]


def members(section: int) -> list[str]:
    """Labels of the hexes of a section, counted from the west."""
    sections = position("G5 allies infantry").setup.board.sections
    return [label for label, mask in zip(BOARD.labels, sections, strict=True) if mask >> section & 1]


# Sides and sections


@pytest.mark.parametrize(("top", "end"), [("axis", {"G3", "H3"}), ("allies", {"G5", "H5"})])
def test_units_fall_back_to_their_own_baseline(top: str, end: set[str]) -> None:
    """R7: the scenario says who sits at the top; his baseline is the top row."""
    s = fighting("g4 allies infantry\nh4 axis infantry", "h4", first="axis", top=top)
    s = attack(s, "h4", "g4", "flag", "star", "star")
    assert {choice.split()[-1] for choice in choices(s, "retreat")} == end


def test_hexes_on_the_dashed_lines_belong_to_two_sections() -> None:
    """R9, Q2: exactly eight hexes, all in the short rows."""
    sections = position("G5 allies infantry").setup.board.sections
    assert [BOARD.labels[h] for h in range(113) if sections[h].bit_count() == 2] == SHARED
    assert all(mask in (0b001, 0b011, 0b010, 0b110, 0b100) for mask in sections)


def test_sections_have_36_49_and_36_hexes() -> None:
    """R8, R9: counted with the shared ones."""
    assert [len(members(section)) for section in range(3)] == [36, 49, 36]


@pytest.mark.parametrize(
    ("row", "west", "middle", "east"),
    [
        ("5", ["A5", "B5", "C5", "D5"], ["E5", "F5", "G5", "H5", "I5"], ["J5", "K5", "L5", "M5"]),
        ("4", ["a4", "b4", "c4", "d4"], ["d4", "e4", "f4", "g4", "h4", "i4"], ["i4", "j4", "k4", "l4"]),
    ],
)
def test_the_lines_cut_long_and_short_rows(
    row: str, west: list[str], middle: list[str], east: list[str]
) -> None:
    """R8, R9: 4, 5 and 4 hexes in a long row; 3, 1, 4, 1 and 3 in a short one."""
    found = [[label for label in members(section) if label.endswith(row)] for section in range(3)]
    assert found == [west, middle, east]


@pytest.mark.parametrize(
    ("side", "card", "expected"),
    [
        ("allies", "assault-left", "order B5"),
        ("allies", "assault-right", "order L5"),
        ("axis", "assault-left", "order k6"),
        ("axis", "assault-right", "order b6"),
        ("allies", "assault-center", "order G5"),
        ("axis", "assault-center", "order g6"),
    ],
)
def test_left_and_right_are_seen_from_the_own_chair(side: str, card: str, expected: str) -> None:
    """R10: the left of the bottom player is the west, that of the top player the east."""
    army = """
        B5 allies infantry
        G5 allies infantry
        L5 allies infantry
        b6 axis infantry
        g6 axis infantry
        k6 axis infantry
    """
    assert choices(position(army, card=card, first=side), "order") == [expected]


# The faces of the board


def test_the_beach_face_has_land_sand_and_sea() -> None:
    """R11: rows 9 to 6 are open, 5 to 3 beach, 2 and 1 ocean; the country face is open all over."""
    assert [printed("standard", "beach", y).terrain for y in range(9)] == ["open"] * 4 + ["beach"] * 3 + [
        "ocean"
    ] * 2
    assert {printed("standard", "country", y).terrain for y in range(9)} == {"open"}


def test_tiles_cover_what_the_board_shows() -> None:
    """R11: a tile replaces the printed ground of its hex; elsewhere the print counts."""
    drawn = draw_battle(
        "A9 allies infantry", shape="standard", face="beach", first="allies", top="axis",
        medals=(4, 4), sizes=(4, 4),
    )  # fmt: skip
    battle = drawn._replace(hexes={"G3": HexFacts("open"), "g2": HexFacts("hill"), "G9": HexFacts("town")})
    board = new_game(battle).setup.board
    under = {label: board.ground[BOARD.parse(label)].key for label in ("G3", "F3", "g2", "f2", "G9", "F9")}
    assert under == {"G3": "open", "F3": "beach", "g2": "hill", "f2": "ocean", "G9": "town", "F9": "open"}


def test_open_ground_has_no_rules() -> None:
    """R12, T6: elevation 0, nobody barred or stopped, no cover, nothing blocked."""
    row = TERRAINS["open"]
    assert row == type(row)(key="open", glyph=".")
    s = ordered("G5 allies armor", "G5")
    assert len(reach(s, "G5")) == 37  # every hex within 3, its own included


# Components


def test_figures_of_the_three_classes() -> None:
    """R13: infantry 4, armor 3, artillery 2."""
    assert [UNITS[key].figures for key in ("infantry", "armor", "artillery")] == [4, 3, 2]


def test_the_battle_die() -> None:
    """R14: two infantry, one each of armor, grenade, flag and star."""
    assert [FACES[face] for face in DIE] == ["infantry", "infantry", "armor", "grenade", "flag", "star"]


def test_a_roll_of_more_than_four_dice_is_made_in_full() -> None:
    """R14: Their Finest Hour with six cards held rolls six dice."""
    s = position("G5 allies infantry", card="their-finest-hour", hand=("probe-left",) * 3 + ("move-out",) * 2)
    assert s.roll is not None
    assert s.roll.dice == 6


def test_sixty_cards() -> None:
    """R15: 40 section cards and 20 tactic cards."""
    keys = DECKS["standard"].keys
    assert len(keys) == 60
    assert sum(1 for key in keys if CARDS[key].tactic) == 20


@pytest.mark.parametrize(("lying", "laid"), [(12, []), (11, ["G1"]), (10, ["G1", "H1"])])
def test_twelve_sandbags_are_all_there_are(lying: int, laid: list[str]) -> None:
    """R15, R16: the supply of obstacles limits Dig-In."""
    walls = "\n".join(f"{label} sandbags : axis infantry" for label in BOARD.labels[:lying])
    s = position(f"{walls}\nG1 allies infantry\nH1 allies infantry", card="dig-in")
    s = play(s, "order G1", "order H1")
    assert [label for label in ("G1", "H1") if loose_at(s, label)] == laid


# Tables of terrain


def test_elevations() -> None:
    """T1, T2: 0 unless stated; 1 for every kind of hill, 2 for mountains."""
    heights = {key: row.elevation for key, row in TERRAINS.items() if row.elevation}
    assert heights == {
        "hill": 1, "dune": 1, "cliff": 1, "steep-hill": 1, "hill-forest": 1, "hill-town": 1, "mountain": 2,
    }  # fmt: skip
    assert all(row.elevation == 0 for row in FEATURES.values())


def test_icons_of_the_reference_cards() -> None:
    """T5: which ground stops, forbids battle, blocks sight or lets a flag be ignored."""
    rows = {**TERRAINS, **FEATURES}
    stops = {key for key, row in rows.items() if row.stops == ALL}
    silent = {key for key, row in rows.items() if row.no_battle == ALL}
    blocks = {key for key, row in rows.items() if row.blocks_sight}
    ignores = {key for key, row in rows.items() if row.ignores_flag}
    cover = {"forest", "hedgerow", "town", "church", "hill-forest", "hill-town"}
    assert stops == cover | {"ocean", "wire"}
    assert silent == cover
    assert blocks == cover | {"bunker"}
    assert ignores == {"church", "bunker", "hedgehog", "sandbags", "sea-wall"}
