"""Reading scenario documents: what is understood, and how everything else is refused."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.battle import Airdrop, Battle, CardUse, HexFacts, ObjectiveFacts, UnitFacts
from engine.errors import ScenarioError
from engine.scenario import parse_battle
from engine.terrain import FEATURES, TERRAINS

SMALL = (Path(__file__).parent / "fixtures" / "small.yaml").read_text(encoding="utf-8")
BASE = sorted((Path(__file__).parents[2] / "scenarios" / "base").glob("*.yaml"))


def read(text: str) -> Battle:
    return parse_battle(text, name="small.yaml")


def changed(old: str, new: str) -> str:
    """The small document with one passage replaced."""
    assert SMALL.count(old) == 1, f"{old!r} occurs {SMALL.count(old)} times"
    return SMALL.replace(old, new)


def line_of(text: str, passage: str) -> int:
    return text[: text.index(passage)].count("\n") + 1


def refusal(text: str) -> ScenarioError:
    """The error for a document: one sentence on one line that begins with the file's name."""
    with pytest.raises(ScenarioError) as caught:
        read(text)
    message = str(caught.value)
    assert re.match(r"small\.yaml(, line \d+)?: \S", message)
    assert message.isprintable()
    assert len(message) < 400
    return caught.value


# What is understood


def test_a_document_gives_all_the_facts_of_a_battle() -> None:
    battle = read(SMALL)
    assert battle.key == "small"
    assert battle.title == "A small battle"
    assert (battle.shape, battle.face, battle.first) == ("standard", "country", "axis")
    assert (battle.date, battle.year, battle.front) == ("1943-07-10 to 1943-07-12", 1943, "mediterranean")
    assert battle.sides[0].growth == (1, 0, 2)
    assert battle.sides[1].nation == "IT"
    assert battle.hexes["A9"] == HexFacts("town")
    assert battle.hexes["D7"] == HexFacts("river", (("bridge", None),))
    assert battle.hexes["c6"] == HexFacts("hill", (("bunker", "axis"), ("wire", None)))
    assert battle.hexes["G3"] == HexFacts("open", (), frozenset({"impassable", "blocks-artillery"}))
    assert "B9" not in battle.hexes
    assert battle.text == {
        "history": "It never happened.",
        "allies": "Cross the river.",
        "axis": "Hold it.",
        "rules": "A first rule.\nA second one, on two lines.",
    }
    assert battle.labels == (("D7", "Old bridge"), ("c6", "Bunker hill"))
    assert battle.options == {"sandbag_supply": "4"}
    assert battle.source == "test"
    assert battle.partial == ("no rain",)


def test_units_are_numbered_allies_first_and_in_the_order_written() -> None:
    assert read(SMALL).units == (
        UnitFacts("allies", "armor", "A1", 3),
        UnitFacts("allies", "infantry", "B1", 4),
        UnitFacts("allies", "infantry", "C1", 4),
        UnitFacts("allies", "special-forces", "b2", 3, 2, "ranger"),
        UnitFacts("allies", "infantry", None, 2),
        UnitFacts("allies", "infantry", None, 2),
        UnitFacts("axis", "artillery", "c6", 2),
        UnitFacts("axis", "elite-armor", "M9", 4, 2),
    )
    assert read(SMALL).airdrop == Airdrop("allies", (4, 5), 3, "G5")


def test_objectives_and_card_uses_are_read() -> None:
    battle = read(SMALL)
    assert battle.objectives == (
        ObjectiveFacts("temporary", ("allies",), ("D7",), name="Old bridge"),
        ObjectiveFacts("majority", ("allies", "axis"), ("A9", "a8", "B7"), 2, 2, "turn-start"),
        ObjectiveFacts("exit", ("axis",), ("A1",), infantry_medals=2),
    )
    assert battle.victory_needs == (0,)
    assert battle.card_uses == (CardUse(None, "recon", "barrage", 1, True, ("c6",)),)


def test_every_sign_of_the_tables_can_be_drawn() -> None:
    for row in TERRAINS.values():
        assert read(changed("1  .  ", f"1  {row.glyph}  ").replace("A1\n", "A3\n", 1)) is not None
    for row in FEATURES.values():
        on = read(changed("3  .   ", f"3  .{row.glyph}  ")).hexes["A3"]
        assert on.features == ((row.key, None if row.key != "bunker" else "axis"),)


def test_hexes_are_read_in_either_case_with_blanks_or_commas() -> None:
    assert read(changed("infantry: B1 C1", "infantry: [b1, c1]")) == read(SMALL)
    assert read(changed("infantry: B1 C1", "infantry: 'b1,c1'")) == read(SMALL)
    assert read(changed("infantry: B1 C1", "infantry: >\n      B1\n      C1")) == read(SMALL)


def test_the_ruler_and_the_row_numbers_of_the_map_may_be_left_out() -> None:
    head, rest = SMALL.split("map: |\n")
    drawing, tail = rest.split("\n\n", 1)
    bare = "\n".join("  " + line[5:] for line in drawing.split("\n")[1:])
    assert read(f"{head}map: |\n{bare}\n\n{tail}") == read(SMALL)


def test_every_kind_of_hex_can_be_named_at_once() -> None:
    battle = read(changed("impassable: G3", "impassable: every forest"))
    assert {label for label, on in battle.hexes.items() if "impassable" in on.traits} == {"E9", "G9"}


def test_units_may_start_in_a_river_that_is_fordable() -> None:
    """T20: nobody stands in a river unless the scenario makes it fordable."""
    river = next(label for label, on in read(SMALL).hexes.items() if on == HexFacts("river"))
    text = changed("infantry: B1 C1", f"infantry: B1 C1 {river}")
    assert "river" in str(refusal(text))
    battle = read(text.replace("impassable: G3", f"impassable: G3\n  fordable: {river}"))
    assert battle.hexes[river] == HexFacts("river", (), frozenset({"fordable"}))


def test_one_bunker_may_belong_to_one_side_and_another_to_nobody() -> None:
    text = changed("bunker: axis", "bunker: {allies: c6}").replace("3  .   ", "3  .b  ")
    hexes = read(text).hexes
    assert dict(hexes["c6"].features)["bunker"] == "allies"
    assert dict(hexes["A3"].features)["bunker"] is None


def test_guns_may_start_in_a_bunker_and_never_elsewhere_where_they_cannot_enter() -> None:
    assert read(SMALL).units[6].at == "c6"  # T40b
    error = refusal(changed("3  .   ", "3  .#  ").replace("armor: A1", "armor: A3"))
    assert "A3 has hedgehog, where no armor can stand" in str(error)


def test_the_key_is_the_file_name_without_folders_and_ending() -> None:
    assert parse_battle(SMALL, name="my/battles/one.two.yaml").key == "one.two"


def test_open_ground_among_the_sand_of_a_beach_board_is_a_fact() -> None:
    battle = read(changed("face: country", "face: beach"))
    assert battle.hexes["F5"] == HexFacts("open")
    assert "F7" not in battle.hexes


@pytest.mark.parametrize(
    ("shape", "columns", "rows", "corner", "sand"),
    [("standard", 13, 9, "M1", 4), ("breakthrough", 13, 17, "M1", 11), ("overlord", 26, 9, "Z1", 4)],
)
def test_every_shape_of_board_can_be_drawn(
    shape: str, columns: int, rows: int, corner: str, sand: int
) -> None:
    drawn = "\n".join("  " + (" " if y % 2 else "") + ". " * (columns - y % 2) for y in range(rows))
    head = SMALL.split("map: |\n")[0]
    text = f"""{head}map: |\n{drawn}\nunits: {{allies: {{armor: {corner}}}, axis: {{armor: A{rows}}}}}\n"""
    battle = read(text.replace("board: standard", f"board: {shape}").replace("face: country", "face: beach"))
    assert battle.units[0].at == corner
    # Open ground is said where the beach board prints sand and sea (R11, V53).
    assert len(battle.hexes) == sum(columns - y % 2 for y in range(sand, rows))


# What is refused: (passage, its replacement, a passage on the line at fault, words of the message)

WRONG = {
    "terrain": ("1  .  ", "1  q  ", "1  q  ", '"q" at A1 is no terrain'),
    "feature": ("3  .   ", "3  .q  ", "3  .q", '"q" at A3 is no feature'),
    "feature twice": ("3  .   ", "3  .xx ", "3  .xx", "A3 has wire twice"),
    "wire on water": ("~=", "~x", "~x", "D7 is a river, which cannot carry wire"),
    "short row": (
        "5  .   .   .",
        "5  .   .",
        "5  .   .",
        "row 5 of the map has 12 cells; it needs 13",
    ),
    "long row": ("6    .", "6    .   .", "6    .", "row 6 of the map has 13 cells; it needs 12"),
    "row number": ("4    .", "5    .", "5    .   .", 'row 4 of the map is numbered "5"'),
    "folded map": ("map: |", "map: >", "map: >", "map must be drawn below"),
    "hex off the board": ("B1 C1", "B1 N4", "B1 N4", '"N4" is no hex of the standard board'),
    "no hex": ("B1 C1", "B1 here", "B1 here", '"here" is no hex'),
    "two units": ("B1 C1", "B1 B1", "B1 B1", "B1 holds two units"),
    "units of two sides": ("worth 2: M9", "worth 2: A1", "worth 2: A1", "A1 holds two units: allies armor"),
    "unit in water": ("B1 C1", "B1 C7", "B1 C7", "C7 has river, where no infantry can stand"),
    "unit on impassable ground": ("B1 C1", "B1 G3", "B1 G3", "G3 is impassable"),
    "unit type": (
        "    armor: A1",
        "    armour: A1",
        "armour",
        '"armour" is no type of unit; did you mean "armor"?',
    ),
    "unit heading": ("    armor: A1", "    armor for 2: A1", "armor for", '"armor for 2" names no unit'),
    "no figures": ("x3 worth", "x0 worth", "x0", "a unit has 1 to 12 figures"),
    "many figures": ("x3 worth", "x13 worth", "x13", "a unit has 1 to 12 figures"),
    "many medals": ("worth 2: M9", "worth 99: M9", "worth 99", "a unit is worth 0 to 30 medals"),
    "no hand": (
        "cards: 5,",
        "cards: 0,",
        "cards: 0",
        "cards of the allies must be a whole number from 1 to 12",
    ),
    "big hand": ("cards: 5,", "cards: 13,", "cards: 13", "from 1 to 12"),
    "odd number": ("cards: 5,", "cards: ٥,", "cards: ٥", "cards of the allies must be a whole number"),
    "growing hand": ("1 0 2", "9 9 9", "9 9 9", "growth of the allies makes a hand of more than 12"),
    "no medals": ("medals: 4,", "medals: 0,", "medals: 0", "medals of the allies must be a whole number"),
    "one edge": ("edge: top", "edge: bottom", "axis:   {", "both sides sit at the bottom edge"),
    "no edge": (
        "edge: top",
        "edge: left",
        "edge: left",
        'edge of the axis is "left"; it may be top or bottom',
    ),
    "first": ("first: axis", "first: germans", "first:", 'first is "germans"; it may be allies or axis'),
    "board": ("board: standard", "board: round", "board:", 'board is "round"'),
    "face": ("face: country", "face: moon", "face:", 'face is "moon"'),
    "front": ("front: mediterranean", "front: home", "front:", 'front is "home"'),
    "date": ("1943-07-10 to", "July 10 to", "date:", "write 1944-06-06"),
    "empty title": ("title: A small battle", "title:", "title:", "title is empty"),
    "long title": ("A small battle", "A" * 81, "title:", "title has 81 characters; 80 are the most"),
    "unknown key": ("title:", "titel: x\ntitle:", "titel", 'knows no "titel"; did you mean "title"?'),
    "unknown side": ("  axis:   {", "  axes:   {", "axes", 'sides knows no "axes"; did you mean "axis"?'),
    "missing key": ("first: axis\n", "", "title:", 'a scenario needs "first"'),
    "duplicate key": ("first: axis", "first: axis\nfirst: axis", "first: axis\n\n", '"first" is given twice'),
    "list for text": ("title: A small battle", "title: [a]", "title:", "title must be a text, not a list"),
    "text for group": ("traits:\n", "traits: none\nx:\n", "x:", 'knows no "x"'),
    "text for list": ("partial:\n  - no rain", "partial: no rain", "partial:", "partial must be a list"),
    "owner": ("bunker: axis", "bunker: italy", "bunker: italy", 'every bunker is "italy"'),
    "owner of wire": ("bunker: axis", "wire: axis", "wire: axis", 'owners knows no "wire"'),
    "owner elsewhere": ("bunker: axis", "bunker: {axis: A9}", "bunker:", "A9 has no bunker"),
    "owner of nothing": ("bunker: axis", "sea-wall: axis", "sea-wall", "there is no sea-wall on the map"),
    "trait": ("impassable: G3", "impassible: G3", "impassible", 'did you mean "impassable"?'),
    "every what": ("impassable: G3", "impassable: every hil", "every hil", 'did you mean "hill"?'),
    "every absent": ("impassable: G3", "impassable: every lake", "every lake", "there is no lake on the map"),
    "trait twice": ("impassable: G3", "impassable: G3 g3", "G3 g3", 'impassable names "g3" twice'),
    "causeway gap": ("C7 D7 E7", "C7 D7 F7", "causeway", "causeway: D7 and F7 do not touch"),
    "causeway dry": ("C7 D7 E7", "D7 E7 F7", "causeway", "causeway: E7 has no bridge"),
    "causeway short": ("C7 D7 E7", "C7 D7", "causeway", "causeway needs two ends"),
    "objective kind": ("kind: temporary", "kind: temporal", "temporal", 'did you mean "temporary"?'),
    "objective nowhere": (
        "hexes: D7, name",
        "hexes: '', name",
        "hexes: ''",
        "hexes of the objective is empty",
    ),
    "objective without hexes": (
        "hexes: D7, name: Old bridge, ",
        "",
        "kind: temporary",
        'an objective needs "hexes"',
    ),
    "objective off the board": ("hexes: D7, name", "hexes: D10, name", "D10", '"D10" is no hex'),
    "objective side": (
        "side: both, hexes",
        "side: whoever, hexes",
        "side: whoever",
        "may be allies, axis or both",
    ),
    "need too much": ("need: 2", "need: 4", "need: 4", "need must be a whole number from 1 to 3"),
    "worthless": ("medals: 2, check", "medals: 0, check", "medals: 0", "medals must be a whole number"),
    "check": ("check: turn-start", "check: never", "check: never", 'check is "never"'),
    "inner exit": ("hexes: A1, inf", "hexes: D5, inf", "hexes: D5", "D5 is not at the border"),
    "infantry-medals": (
        "kind: exit",
        "kind: permanent",
        "kind: permanent",
        "belongs to objectives of the kind exit",
    ),
    "card": ("card: recon", "card: reckon", "reckon", 'did you mean "recon"?'),
    "card as": ("as: barrage", "as: barage", "barage", 'did you mean "barrage"?'),
    "card dice": ("dice: 1", "dice: many", "dice: many", "dice must be a whole number from 1 to 8"),
    "switch": ("in-section: yes", "in-section: true", "in-section", "it may be yes or no"),
    "option": ("sandbag_supply: 4", "sandbags: 4", "sandbags: 4", 'did you mean "sandbag_supply"?'),
    "option value": ("sandbag_supply: 4", "sandbag_supply: x", "supply: x", "it takes one whole number"),
    "option choice": ("sandbag_supply: 4", "edition: 1999", "edition", "it may be new or 2004"),
    "option deck": ("sandbag_supply: 4", "deck: tarot", "deck", 'deck is "tarot"'),
    "option hand": ("sandbag_supply: 4", "hand: 50", "hand: 50", "12 is the most"),
    "airdrop count": ("2 infantry x2", "infantry x2", "steps", "write 4 infantry"),
    "airdrop crowd": ("2 infantry x2", "9999999 infantry", "steps", "with 1 to 16 units"),
    "airdrop unit": ("2 infantry x2", "2 gliders", "gliders", '"gliders" is no type of unit'),
    "airdrop target": ("target: G5", "target: Z5", "Z5", '"Z5" is no hex'),
    "airdrop side": ("airdrop: {side: allies", "airdrop: {side: both", "side: both", "side of the airdrop"),
    "label": ("  D7: Old bridge", "  D77: Old bridge", "D77", '"D77" is no hex'),
    "label twice": ("  D7: Old bridge", "  D7: x\n  d7: y", "d7: y", "D7 has two labels"),
    "terminal code": ("It never happened.", '"\\e[31m"', "history", "holds the unprintable character U+001B"),
    "anchor": ("title: A", "title: &a A", "title", "anchors and aliases"),
    "alias": ("title: A small battle", "title: *a", "title", "anchors and aliases"),
    "tag": ("title: A", "title: !!python/name:os.system A", "title", "tags (!) are not used here"),
    "merge key": ("title:", "<<: {a: b}\ntitle:", "<<", 'knows no "<<"'),
    "tabs": ("first: axis", "\tfirst: axis", "first", "not readable as YAML"),
    "key that is a list": ("first: axis", "[a]: b\nfirst: axis", "[a]", "a key must be a plain word"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_documents_are_refused_with_line_and_word(case: str) -> None:
    old, new, at, words = WRONG[case]
    text = changed(old, new)
    error = refusal(text)
    assert words in str(error)
    assert error.line == line_of(text, at)


def test_a_map_with_too_few_or_too_many_rows_is_refused() -> None:
    rows = [line for line in SMALL.split("\n") if re.match(r"  \d  ", line)]
    assert "the map has 8 rows; a standard board has 9" in str(refusal(changed(rows[-1] + "\n", "")))
    more = refusal(changed(rows[-1], f"{rows[-1]}\n    {rows[1][5:]}"))
    assert "the map has 10 rows" in str(more)
    assert more.line == line_of(SMALL, rows[-1]) + 1


def test_more_than_sixty_four_units_are_refused() -> None:
    labels = [f"{letter}{row}" for row in (1, 3, 5) for letter in "ABCDEFGHIJKLM"]
    labels += [f"{letter}{row}" for row in (2, 4) for letter in "abcdefghijkl"]
    text = changed("infantry: B1 C1", f"infantry: {' '.join(labels)}")
    text = text.replace("    armor: A1\n", "").replace("    special-forces x3 worth 2 (ranger): b2\n", "")
    assert "G3 is impassable" in str(refusal(text))
    assert "there are 67 units; 64 are the most" in str(refusal(text.replace("impassable: G3", "wide: G3")))


def test_a_side_without_units_is_refused() -> None:
    text = re.sub(r"  axis:\n(    .*\n)+", "  axis: {}\n", SMALL)
    assert "the axis have no unit" in str(refusal(text))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the document is empty"),
        ("# only a remark\n", "the document is empty"),
        ("just words", "a scenario is a group of keys such as title and map, not a text"),
        ("- a\n- b\n", "not a list"),
        (SMALL + "\n---\n" + SMALL, "a file holds one scenario, not several"),
        ("title: \0", "a character here is no valid text"),
        ("title: \ud800", "a character here is no valid text"),
        ("title: \x07", "not readable as YAML"),
        ("title: 'open", "not readable as YAML"),
        ("a: b: c", "not readable as YAML"),
        ("[" * 50, "nested too deeply"),
        ("{" * 50, "a key must be a plain word, not a group of keys"),
        ("- " * 50, "nested too deeply"),
        ("? " * 50, "a key must be a plain word"),
    ],
)
def test_what_is_no_scenario_at_all_is_refused(text: str, words: str) -> None:
    assert words in str(refusal(text))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 10_000_000,
        "[" * 100_000,
        "{" * 100_000,
        "- " * 90_000,
        "? " * 90_000,
        "{a: " * 40_000,
        "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n" * 100,
        "title: " + "'" * 150_000,
        "".join(f"k{number}: v\n" for number in range(15_000)),
        "\n" * 199_000,
        "title: " + "a " * 90_000,
        "map: |\n" + " .\n" * 60_000,
        "%" * 100_000,
    ],
    ids=[
        "ten-megabytes",
        "brackets",
        "braces",
        "dashes",
        "question-marks",
        "nested-groups",
        "bomb",
        "quotes",
        "many-keys",
        "empty-lines",
        "long-text",
        "long-map",
        "directives",
    ],
)
def test_hostile_documents_are_refused_quickly(text: str) -> None:
    began = time.perf_counter()
    refusal(text)
    assert time.perf_counter() - began < 2


def test_messages_stay_short_and_printable_whatever_the_fault() -> None:
    error = refusal(changed("B1 C1", '"B1 ' + "\\u202e" * 5 + "x" * 900 + '"'))
    assert "unprintable" in str(error)
    assert len(str(refusal(changed("B1 C1", "B1 " + "x" * 900)))) < 160


# Fuzzing: whatever is done to a document, it is read or refused, never anything else


def read_or_refused(text: str) -> None:
    message = ""
    try:
        assert read(text).units
    except ScenarioError as error:
        message = str(error)
    assert message.isprintable()


SIGNS = st.sampled_from(
    [
        "[",
        "]",
        "{",
        "}",
        ":",
        "-",
        "|",
        ">",
        "&a",
        "*a",
        "!",
        "#",
        "%",
        "@",
        "'",
        '"',
        "A1",
        "N9",
        "~",
        "x",
        "-1",
        "999999999999",
        "0",
        "yes",
        "null",
        "é",
    ]
)
PIECES = SIGNS | st.sampled_from(["\n", "\n\n", "  ", "\t", "every hill", "\0", "\ud800", "\u2028"])


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BASE), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), PIECES), max_size=4))
def test_mutated_documents_are_read_or_refused(path: Path, edits: list[tuple[float, int, str]]) -> None:
    text = path.read_text(encoding="utf-8")
    for where, length, piece in edits:
        at = int(where * len(text))
        text = text[:at] + piece + text[at + length :]
    read_or_refused(text)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(BASE), st.data())
def test_documents_with_lines_moved_about_are_read_or_refused(path: Path, data: st.DataObject) -> None:
    lines = path.read_text(encoding="utf-8").split("\n")
    for _ in range(data.draw(st.integers(1, 3))):
        at, to = (data.draw(st.integers(0, len(lines) - 1)) for _ in range(2))
        lines.insert(to, lines.pop(at))
    read_or_refused("\n".join(lines))


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_refused_as_a_scenario(text: str) -> None:
    read_or_refused(text)
