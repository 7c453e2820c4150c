"""The bytes of a document: encodings, odd forms that are tolerated, hostile ones that are refused."""

from __future__ import annotations

import json
import re
import time
from typing import Any

import pytest

from engine.errors import ScenarioError
from pbem.editor.source import group, is_on, lines, listing, plain, read_source, whole
from tests.pbem.editor_documents import Json, example, notes, read, said, small


def refusal(data: bytes | Json) -> str:
    """The one sentence with which a document is refused."""
    started = time.process_time()
    with pytest.raises(ScenarioError) as caught:
        read(data)
    assert time.process_time() - started < 2
    message = str(caught.value)
    assert re.match(r"small\.m44(, line \d+)?: \S", message)
    assert message.isprintable()
    assert len(message) < 300
    return message.partition(": ")[2]


# Encodings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_unicode_encodings_give_the_same_battle(encoding: str) -> None:
    text = json.dumps(small(text__en={"name": "Prüm – Café"}), ensure_ascii=False)
    assert read(text.encode(encoding)).battle.title == "Prüm – Café"


def test_western_code_pages_are_the_last_resort() -> None:
    text = json.dumps(small(text__en={"name": "Café – Öl"}), ensure_ascii=False)
    assert read(text.encode("cp1252")).battle.title == "Café – Öl"
    latin = json.dumps(small(text__en={"name": "Café \x81 Öl"}), ensure_ascii=False)
    assert read(latin.encode("latin-1")).battle.title == "Café Öl"


# Odd forms


def test_a_list_may_have_many_forms() -> None:
    assert listing([1, 2]) == [1, 2]
    assert listing({"0": "a", "2": "c", "10": "k", "1": "b"}) == ["a", "b", "c", "k"]
    assert listing({"item": [1, 2]}) == [1, 2]
    assert listing({"Item": {"row": 1}}) == [{"row": 1}]
    assert listing({"row": 1}) == [{"row": 1}]
    nothings: list[Any] = [None, [], {}, "", 0, "text", 3, True]
    for nothing in nothings:
        assert listing(nothing) == []


def test_numbers_may_be_text_but_not_anything() -> None:
    assert [whole(value) for value in (4, "4", " 4 ", "4.0", "04", 0)] == [4, 4, 4, 4, 4, 0]
    nothings: list[Any] = [None, True, False, "", "four", "-1", -1, "4.5", [], {}, "٤", "9" * 30, 10**9]
    for nothing in nothings:
        assert whole(nothing) is None


def test_groups_have_small_keys_and_anything_else_is_empty() -> None:
    assert group({"Row": 1, "COL": 2}) == {"row": 1, "col": 2}
    nothings: list[Any] = [None, [], "x", 3]
    for nothing in nothings:
        assert group(nothing) == {}


def test_switches() -> None:
    assert all(is_on(value) for value in (True, 1, "true", "ALLIES", ["A1"], {"side": "AXIS"}))
    off: list[Any] = [False, 0, None, "false", " No ", "", "0", [], {}]
    assert not any(map(is_on, off))


@pytest.mark.parametrize("form", ["list", "numbered", "item", "item of numbers"])
def test_the_battle_is_the_same_whatever_form_its_lists_have(form: str) -> None:
    document = json.loads(example("standard"))
    plain_battle = read(example("standard")).battle

    def shaped(value: list[Any]) -> Any:
        numbered = {str(n): part for n, part in enumerate(value)}
        return {"list": value, "numbered": numbered, "item": {"item": value}}.get(form, {"item": numbered})

    board = document["board"]
    for entry in board["hexagons"]:
        if "tags" in entry:
            entry["tags"] = shaped(entry["tags"])
    board["hexagons"] = shaped(list(reversed(board["hexagons"])))
    board["labels"] = shaped(board["labels"])
    assert read(document).battle == plain_battle


def test_coded_words_may_be_in_capitals_or_not() -> None:
    def swap(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {part: swap(inner, part) for part, inner in value.items()}
        if isinstance(value, list):
            return [swap(inner, key) for inner in value]
        return value.swapcase() if isinstance(value, str) and key not in ("text", "group") else value

    document = json.loads(example("standard"))
    swapped = {key: swap(value, key) if key != "text" else value for key, value in document.items()}
    swapped["board"]["labels"] = document["board"]["labels"]
    assert read(swapped).battle == read(document).battle


def test_missing_and_empty_fields() -> None:
    info = small()["game_info"]
    for key in ("country_player1", "country_player2", "front", "date_begin"):
        del info[key]
    document = small() | {"game_info": {**info, "options": [], "victory": [], "operationID": None}}
    document |= {"packs": [], "equipment_packs": [], "meta_data": None}
    document["board"]["labels"] = None
    document["text"]["en"] |= {"subtitle": "\t\t", "historical": None, "rules": None}
    imported = read(document)
    assert said(imported) == []
    assert notes(imported) == [
        "no front is named, so the western one is taken",
        "there is no date, so the year is taken as 1944",
    ]
    battle = imported.battle
    assert (battle.title, battle.date, battle.year, battle.front) == ("Small", "", 1944, "western")
    assert [side.nation for side in battle.sides] == ["", ""]
    assert battle.text == {}
    assert battle.source == "scenario-editor document"


def test_options_may_be_misplaced_at_the_top() -> None:
    document = small()
    document["options"] = {"deck_reshuffling": False}
    assert read(document).battle.options == {"reshuffle": "no", "exhausted_winner": "axis"}


def test_sides_may_be_missing_or_named_once() -> None:
    document = small()
    del document["game_info"]["side_player2"]
    assert [side.edge for side in read(document).battle.sides] == ["bottom", "top"]
    del document["game_info"]["side_player1"]
    imported = read(document)
    assert [side.edge for side in imported.battle.sides] == ["bottom", "top"]
    assert notes(imported) == ["no side is named for the players, so the Axis is put at the top"]


# Words


def test_texts_are_cleaned_of_markup_and_control_characters() -> None:
    assert plain("<b>Bold</b>\t<script>alert(1)</script>\x00\x1b[31m", 80) == "Bold alert(1) [31m"
    assert plain("Fish &amp; chips &lt;b&gt; &amp;lt;i&amp;gt;", 80) == "Fish & chips"
    assert plain("2 < 3 and R&D; AT&T", 80) == "2 < 3 and R&D; AT&T"
    assert plain("\u202eevil\u200b \ud800 text", 80) == "evil text"
    assert plain("x" * 100, 20) == "x" * 19 + "…"
    assert plain(12, 20) == "12"
    nothings: list[Any] = [None, [], {}, True]
    for nothing in nothings:
        assert plain(nothing, 20) == ""
    assert lines("one\r\n\r\n two  three\rfour\n", 80) == ["one", "two three", "four"]


@pytest.mark.parametrize("depth", [1, 3, 9, 30])
def test_cleaning_twice_changes_nothing_more(depth: int) -> None:
    hidden = "<i>x</i>"
    for _ in range(depth):
        hidden = hidden.replace("&", "&amp;").replace("<", "&lt;")
    once = plain(hidden, 4000)
    assert plain(once, 4000) == once
    assert "<i>" not in once


def test_a_title_of_markup_still_gives_a_file_name() -> None:
    imported = read(small(text__en={"name": "<h1>../../etc/passwd</h1>"}))
    assert (imported.battle.title, imported.battle.key) == ("../../etc/passwd", "etc-passwd")
    assert read(small(text__en={"name": "Прохоровка"})).battle.key == "small"
    assert read(small(text__en={"name": "Прохоровка"})).battle.title == "Прохоровка"
    assert read(small(text__en={"name": "CON"})).battle.key == "con-battle"
    assert read(small(text__en={})).battle.title == "Untitled battle"
    assert len(read(small(text__en={"name": "word " * 90})).battle.key) <= 60


def test_texts_that_are_too_long_are_cut_and_that_is_said() -> None:
    words = {"name": "Long", "historical": "h " * 5000, "rules": "\n".join(f"Rule {n}." for n in range(300))}
    imported = read(small(text__en=words))
    assert len(imported.battle.text["history"]) <= 4000
    rules = imported.battle.text["rules"].split("\n")
    assert len(rules) == 60
    assert rules[0] == "Rule 0. Rule 1. Rule 2. Rule 3. Rule 4."
    assert rules[-1].endswith("Rule 299.")
    assert "the texts of the document are too long and have been cut" in notes(imported)


def test_another_language_is_taken_where_there_is_no_english() -> None:
    document = small()
    document["text"] = {"xx": {"name": "Ex"}, "fr": {"name": "Petit"}}
    imported = read(document)
    assert imported.battle.title == "Petit"
    assert notes(imported) == ['there is no English text, so that in "fr" is taken']


def test_medals_in_the_text_that_differ_are_shown() -> None:
    imported = read(small(text__en={"name": "Small", "victory": "13 Medals."}))
    assert notes(imported) == ["the text speaks of 13 medals, the numbers say 4 and 6"]
    assert notes(read(small(text__en={"name": "Small", "victory": "6 medals."}))) == []


# Hostile documents


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not readable as JSON (expecting value)"),
        (b"title: my battle\n", "not readable as JSON"),
        (b'{"board": ', "not readable as JSON"),
        (b"\xff\xfe\xff", "not readable as JSON"),
        (b"\x00\x00\x00\x00", "not readable as JSON"),
        (b"[]", "a scenario-editor document is a JSON object with a board"),
        (b"null", "a scenario-editor document is a JSON object with a board"),
        (b"{}", 'there is no "board", so this is no scenario-editor document'),
        (b'{"board": []}', 'there is no "board"'),
        (b'{"board": {"face": "x"}}', "the type of board is missing; the editor knows STANDARD, BRKTHRU,"),
        (b'{"board": {"type": "HUGE"}}', 'the type of board is "HUGE"'),
        (b'{"board": {"type": "STANDARD", "face": 7}}', "the face of the board is missing"),
        (b'{"a": 1, "a": 2}', '"a" is given twice in one group'),
        (b'{"a": NaN}', '"NaN" is no number that a scenario can hold'),
        (b'{"a": -Infinity}', '"-Infinity" is no number that a scenario can hold'),
        (b'{"a": ' + b"9" * 5000 + b"}", "is no number that a scenario can hold"),
        (b'{"a": 1e' + b"9" * 50 + b"}", "is no number that a scenario can hold"),
        (b"[" * 100_000, "lists or groups are nested too deeply here"),
        (b'{"a":' * 100_000, "lists or groups are nested too deeply here"),
        (b'{"a": "' + b"[" * 100 + b'", "b": ' + b"[" * 17, "lists or groups are nested too deeply here"),
        (b'{"a": "' + b"\\" * 400_001, "not readable as JSON"),
        (b" " * 1_000_001, "the document is larger than 1,000,000 bytes, the most that is read"),
        (b'{"board": {"type": "STANDARD", "hexagons": ' + b"[" + b"0," * 400_000 + b"0]}}", "are missing"),
    ],
)
def test_hostile_bytes_get_one_sentence(data: bytes, words: str) -> None:
    assert words in refusal(data)


def test_brackets_inside_texts_are_no_nesting() -> None:
    assert read_source(b'{"a": "[[[[[[[[[[[[[[[[[[[[[[\\"{{{{"}', name="x") == {
        "a": '[[[[[[[[[[[[[[[[[[[[[["{{{{'
    }


def test_a_million_duplicate_keys_are_found_quickly() -> None:
    many = ",".join(f'"k{n}": 0' for n in range(60_000))
    assert refusal(f'{{{many}, "k59999": 1}}'.encode()) == '"k59999" is given twice in one group'


@pytest.mark.parametrize("value", [None, "", "many", 0, 13, -1, True, [], {}, "1e3", 10**14])
def test_hands_out_of_bounds_are_refused(value: Any) -> None:
    message = refusal(small(game_info__cards_player1=value))
    assert message.startswith("the command cards of the axis are ")
    assert message.endswith("a battle has 1 to 12")


def test_other_battles_that_cannot_be() -> None:
    assert refusal(small(game_info__victory_player2=99)) == (
        'the medals of the allies are "99"; a battle has 1 to 30'
    )
    assert refusal(small(game_info__side_player2="AXIS")) == "both players are the axis"
    document = small()
    document["board"]["hexagons"].pop()
    assert refusal(document) == "the allies have no unit that can be played"
    document["board"]["hexagons"] = [{"row": 0, "col": 0}] * 2001
    assert refusal(document) == "there are 2,001 hexes; 2,000 are the most that is read"


def test_more_units_than_a_board_takes_are_refused() -> None:
    labels = [f"{letter}{row}" for row in (9, 7, 5, 3, 1) for letter in "BCDEFGHIJKLM"]
    labels += [f"{letter}{row}" for row in (8, 6) for letter in "abc"]
    document = small(*((label, {"unit": {"name": "infus"}}) for label in labels))
    assert refusal(document) == "no battle can be made of this: there are 68 units; 64 are the most"


WRONG: tuple[Any, ...] = (
    None,
    0,
    -1,
    1.5,
    True,
    "x",
    "",
    [],
    {},
    [[]],
    [None],
    {"item": None},
    {"a": {}},
    "9" * 99,
)


@pytest.mark.parametrize("place", ["hexagons", "labels", "groups"])
@pytest.mark.parametrize("value", WRONG)
def test_wrong_types_on_the_board_do_no_harm(place: str, value: Any) -> None:
    document = small()
    units = document["board"]["hexagons"] if place == "hexagons" else []
    document["board"][place] = [*units, value] if units else value
    assert len(read(document).battle.units) == 2


@pytest.mark.parametrize("place", ["terrain", "rect_terrain", "obstacle", "unit", "tags", "row", "col"])
@pytest.mark.parametrize("value", WRONG)
def test_wrong_types_on_a_hex_do_no_harm(place: str, value: Any) -> None:
    document = small(("G5", {"terrain": {"name": "woods"}}))
    document["board"]["hexagons"][-1][place] = value
    assert len(read(document).battle.units) == 2


@pytest.mark.parametrize(
    "place", ["name", "orientation", "behavior", "original_owner", "properties", "badge"]
)
@pytest.mark.parametrize("value", WRONG)
def test_wrong_types_in_a_piece_do_no_harm(place: str, value: Any) -> None:
    pieces = {"terrain": "woods", "rect_terrain": "bunker", "obstacle": "wire", "unit": "infus"}
    document = small(("G5", {key: {"name": name} for key, name in pieces.items()}))
    for key in pieces:
        document["board"]["hexagons"][-1][key][place] = value
    assert len(read(document).battle.units) >= 2


def test_hexes_off_the_board_or_given_twice_are_left_out() -> None:
    document = small(("A9", {"terrain": {"name": "woods"}}))
    document["board"]["hexagons"] += [{"row": 9, "col": 1}, {"row": 0, "col": 1}, {"row": "one"}]
    imported = read(document)
    assert said(imported) == [
        "a hex that is given twice at A9; the second one is left out",
        "row 9, column 1 is no hex of the standard board; left out",
        "row 0, column 1 is no hex of the standard board; left out",
        "row one, column ? is no hex of the standard board; left out",
    ]
    assert "A9" not in imported.battle.hexes
