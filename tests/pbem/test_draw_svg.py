"""The board as SVG: structure, limits, accessibility, safety, marks; every battle, theme and chair."""

from __future__ import annotations

import gzip
import re
import time
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from engine import State, new_game
from engine.battle import ObjectiveFacts
from engine.terrain import FEATURES, TERRAINS
from engine.units import UNITS
from pbem.draw import svg_board, svg_style, svg_variables, unit_table
from pbem.draw.look import PALETTE
from pbem.draw.picture import ground_of
from pbem.draw.shapes import BADGES, FEATURE_SHAPES, SILHOUETTES, TERRAIN_SHAPES, UNIT_SHAPES
from pbem.draw.water import Water, band
from pbem.library import load_battle, scenario_names
from tests.drawing import position, unit_at

SVG = "{http://www.w3.org/2000/svg}"


def tree(text: str) -> Element:
    """The picture, parsed strictly."""
    return ElementTree.fromstring(text)


def units(root: Element) -> dict[str, Element]:
    """Unit elements by the hex they stand on."""
    return {e.attrib["data-hex"]: e for e in root.iter(f"{SVG}g") if "unit" in e.get("class", "").split()}


def features(root: Element, key: str) -> list[str]:
    return [e.attrib["data-hex"] for e in root.iter(f"{SVG}use") if e.get("data-feature") == key]


def goals(root: Element) -> dict[str, Element]:
    return {e.attrib["data-hex"]: e for e in root.iter(f"{SVG}g") if e.get("class") == "goal"}


def place_of(element: Element) -> tuple[int, int]:
    """Where a unit is moved to by its transform."""
    found = re.fullmatch(r"translate\((\d+),(\d+)\)", element.attrib["transform"])
    assert found
    return int(found[1]), int(found[2])


@pytest.mark.parametrize("name", scenario_names())
def test_every_battle_in_every_theme_from_both_chairs(name: str) -> None:
    s = new_game(load_battle(name))
    standing = {unit.at for unit in s.setup.battle.units if unit.at}
    for theme in ("auto", "light", "dark"):
        for chair in (0, 1):
            text = svg_board(s, theme=theme, chair=chair)
            root = tree(text)
            assert len(text.encode()) < 60_000
            assert len(gzip.compress(text.encode())) < 12_000
            assert set(units(root)) == standing
            hexes = [e for e in root.iter(f"{SVG}use") if "#t-" in e.attrib["href"]]
            assert [e.attrib["data-hex"] for e in hexes] == list(s.setup.grid.labels)
            check_references(root)
            check_classes(root, svg_style(theme))


def check_references(root: Element) -> None:
    """Every id is unique and everything that is used exists; nothing comes from outside."""
    ids = [e.attrib["id"] for e in root.iter() if "id" in e.attrib]
    assert len(ids) == len(set(ids))
    for e in root.iter():
        for name, value in e.attrib.items():
            if name == "href" or value.startswith("url("):
                target = value.removeprefix("url(").removesuffix(")")
                assert target.startswith("#")
                assert target[1:] in ids
    assert not [
        e for e in root.iter() if e.tag.removeprefix(SVG) in ("script", "image", "a", "foreignObject")
    ]


def check_classes(root: Element, style: str) -> None:
    """Every class that colours something has a rule."""
    used = {word for e in root.iter() for word in e.get("class", "").split()}
    ruled = set(re.findall(r"\.([\w-]+)\{", style))
    assert {word for word in used if word.startswith(("m-", "mf-", "ml-"))} <= ruled


def test_drawing_a_standard_board_is_quick() -> None:
    battle = load_battle("first-assault-wave")
    spent = []
    for _ in range(3):
        s = new_game(battle)
        begin = time.process_time()
        svg_board(s)  # a new game: nothing of the map has been drawn before
        spent.append(time.process_time() - begin)
    assert min(spent) < 0.020


def test_the_same_position_gives_the_same_bytes() -> None:
    first, second = (svg_board(new_game(load_battle("toulon"))) for _ in range(2))
    assert first == second


# Themes


def test_rules_have_one_class_each_so_that_they_reach_into_used_shapes() -> None:
    """Chromium matches rules for <use> inside the copy alone: a rule with an ancestor never applies there."""
    for theme in ("auto", "light", "dark"):
        for selector in re.findall(r"(?:^|[{}])([^{}@]+)\{", svg_style(theme)):
            assert re.fullmatch(r"\.[\w-]+", selector), selector


def test_themes() -> None:
    light, dark = PALETTE["forest"]
    assert f".mf-forest{{fill:{light}}}" in svg_style("light")
    assert f".mf-forest{{fill:{dark}}}" in svg_style("dark")
    assert "prefers-color-scheme" not in svg_style("light") + svg_style("dark")
    auto = svg_style("auto")
    assert f".mf-forest{{fill:{light};fill:var(--m-forest,{light})}}" in auto
    assert f"@media(prefers-color-scheme:dark){{.m44{{{svg_variables('dark')}}}}}" in auto
    assert f"--m-forest:{dark}" in svg_variables("dark")
    s = position("G5 allies infantry", play_card=False)
    assert "<style>" not in svg_board(s, style=False)


def test_text_on_the_tokens_stands_out_in_both_themes() -> None:
    """Contrast of at least 7 to 1, the strictest level of the accessibility guidelines."""
    for column in (0, 1):
        for ink, ground in (
            ("allied-ink", "allies"),
            ("axis-ink", "axis"),
            ("text", "paper"),
            ("brass", "gold"),
        ):
            minimum = 4.5 if ground == "gold" else 7
            assert contrast(PALETTE[ink][column], PALETTE[ground][column]) >= minimum, (ink, ground, column)


def contrast(one: str, other: str) -> float:
    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


# Accessibility


def test_title_description_and_role() -> None:
    s = position("G5 forest : allies infantry 3\nA9 axis armor", play_card=False)
    root = tree(svg_board(s, ids_prefix="b1-"))
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"] == "b1-title b1-desc"
    title, desc = root[0], root[1]
    assert (title.attrib["id"], title.text) == ("b1-title", "Drawn. Turn 1, the Allies to act.")
    assert desc.attrib["id"] == "b1-desc"
    assert desc.text == "Medals: Allies 0 of 6, Axis 0 of 6. Allies: G5 infantry 3. Axis: A9 armor 3."


def test_every_unit_and_medal_has_a_title() -> None:
    s = position(
        "G5 allies infantry\nH5 axis armor",
        play_card=False,
        objectives=(ObjectiveFacts("temporary", ("allies",), ("G5",), name="Mill"),),
    )
    root = tree(svg_board(s))
    assert units(root)["H5"][0].text == "Axis armor, 3 figures, at H5, next to Allied infantry at G5"
    assert goals(root)["G5"][0].text == "Mill, G5: 1 medal for the Allies; held by the Allies"


def test_sides_differ_by_shape_and_letter() -> None:
    s = position("G5 allies infantry\nH5 axis infantry", play_card=False)
    root = tree(svg_board(s))
    shapes = {e.attrib["id"]: e for e in root.iter(f"{SVG}g") if e.get("id", "").startswith("infantry")}
    allied, axis = shapes["infantry0"], shapes["infantry1"]
    assert (allied[0].get("rx"), axis[0].get("rx")) == ("11", None)
    assert [e.text for e in allied.iter(f"{SVG}text")] == ["A"]
    assert [e.text for e in axis.iter(f"{SVG}text")] == ["X"]


# Units, figures, features, medals


def test_units_have_stable_ids_and_show_their_figures() -> None:
    s = position("G5 allies infantry 2\nH5 axis special-forces", play_card=False)
    root = tree(svg_board(s, ids_prefix="x"))
    found = units(root)
    assert found["G5"].attrib["id"] == f"xu{unit_at(s, 'G5')}"
    assert found["H5"].attrib["id"] == f"xu{unit_at(s, 'H5')}"
    assert [e.get("href") for e in found["G5"].iter(f"{SVG}use")] == ["#xinfantry0", "#xn2"]
    assert [e.get("href") for e in found["H5"].iter(f"{SVG}use")] == ["#xspecial-forces1", "#xn4"]
    assert {f"xn{count}" for count in range(1, 5)} <= {e.get("id") for e in root.iter()}


def test_the_board_turns_for_the_top_player_and_texts_stay_upright() -> None:
    s = position("A9 axis infantry\nM1 allies infantry\nG5 axis armor", play_card=False)
    below, above = units(tree(svg_board(s, chair=0))), units(tree(svg_board(s, chair=1)))
    assert place_of(below["A9"]) == place_of(above["M1"]) == (34, 56)
    assert place_of(below["M1"]) == place_of(above["A9"]) == (658, 416)
    assert place_of(below["G5"]) == place_of(above["G5"])
    root = tree(svg_board(s, chair=1))
    assert root.attrib["viewBox"] == "0 0 692 472"
    labels = {e.text: (e.get("x"), e.get("y")) for e in root.iter(f"{SVG}text")}
    assert labels["M1"] == ("34", "37")


def test_the_usual_view_is_that_of_the_side_at_the_bottom() -> None:
    for top in ("allies", "axis"):
        s = position("A9 axis infantry", top=top, play_card=False)
        assert svg_board(s) == svg_board(s, chair=1 if top == "allies" else 0)


def test_features_lie_on_their_hexes() -> None:
    s = position(
        "A9 open + wire\nB9 open + sandbags\nC9 hill + bunker axis\nD9 river + bridge", play_card=False
    )
    root = tree(svg_board(s))
    assert features(root, "wire") == ["A9"]
    assert features(root, "sandbags") == ["B9"]
    assert features(root, "bunker") == ["C9"]
    assert features(root, "bridge") == ["D9"]


def test_medals_show_entitled_side_holder_and_worth() -> None:
    """M2, M9, M10, M12: round for the Allies, square for the Axis, six-cornered for both; held: a letter."""
    s = position(
        "F1 allies infantry\nG1 axis armor",
        play_card=False,
        objectives=(
            ObjectiveFacts("temporary", ("allies",), ("A1",)),
            ObjectiveFacts("temporary", ("axis",), ("B1",), medals=2),
            ObjectiveFacts("majority", ("allies", "axis"), ("C1",)),
            ObjectiveFacts("sudden-death", ("allies",), ("D1",)),
            ObjectiveFacts("temporary", ("allies",), ("F1",)),
            ObjectiveFacts("temporary", ("allies", "axis"), ("G1",)),
        ),
    )
    found = goals(tree(svg_board(s)))
    assert {label: e.attrib["data-goal"] for label, e in found.items()} == {
        "A1": "0", "B1": "1", "C1": "2", "D1": "3", "F1": "4", "G1": "5",
    }  # fmt: skip
    plates = {label: e[1][0] for label, e in found.items()}
    assert plates["A1"].tag == plates["F1"].tag == f"{SVG}circle"
    assert plates["B1"].get("d") == plates["G1"].get("d") == "M-8.5-8.5h17v17h-17z"
    assert plates["C1"].get("d") == "M0-10 8.7-5V5L0 10-8.7 5V-5z"
    texts = {label: [t.text for t in e.iter(f"{SVG}text")] for label, e in found.items()}
    assert texts == {"A1": [], "B1": ["2"], "C1": [], "D1": ["!"], "F1": ["A"], "G1": ["X"]}


def test_medals_won_are_filled_stars() -> None:
    s = position(
        "G5 allies infantry",
        play_card=False,
        medals=(4, 5),
        objectives=(ObjectiveFacts("temporary", ("allies",), ("G5",), medals=3),),
    )
    root = tree(svg_board(s))
    tracks = {e.get("data-side"): e for e in root.iter(f"{SVG}g") if e.get("class") == "track"}
    counted = {side: [(e.get("class"), len(e)) for e in track] for side, track in tracks.items()}
    assert counted == {"1": [("ml-text", 5)], "0": [("mf-gold ml-brass", 3), ("ml-text", 1)]}
    assert [e.get("transform", "")[:14] for e in tracks.values()] == ["translate(125,"] * 2


def test_everything_of_the_tables_has_a_shape() -> None:
    assert set(TERRAINS) - set(TERRAIN_SHAPES) == {"river", "lake"}  # drawn as bands by water.py
    assert set(FEATURE_SHAPES) == set(FEATURES)
    assert {SILHOUETTES.get(key, key) for key in UNITS} == set(UNIT_SHAPES)
    assert set(BADGES) == {"special-forces", "elite-armor", "resistance"}


def test_what_has_no_look_yet_gets_a_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(TERRAIN_SHAPES, "forest")
    monkeypatch.delitem(FEATURE_SHAPES, "bunker")
    monkeypatch.delitem(UNIT_SHAPES, "half-track")
    s = position("G5 forest + bunker\nA1 allies half-track\nB1 allies armor", play_card=False)
    root = tree(svg_board(s))
    check_references(root)
    shapes = {e.attrib["id"]: e for e in root.iter(f"{SVG}g") if "id" in e.attrib}
    assert shapes["t-forest"][0].get("class") == "mf-rock m-hx"
    assert shapes["x-bunker"][0].get("class") == "ml-bar"
    pictures = [ElementTree.tostring(shapes[f"{kind}0"][1]) for kind in ("half-track", "armor")]
    assert pictures[0] == pictures[1]


@pytest.mark.parametrize(
    ("face", "ground"),
    [("country", "country"), ("beach", "beachside"), ("winter", "winter"), ("desert", "desert")],
)
def test_open_ground_has_the_colour_of_the_face(face: str, ground: str) -> None:
    root = tree(svg_board(position("A9 allies infantry", face=face, play_card=False)))
    shapes = {e.attrib["id"]: e for e in root.iter(f"{SVG}g") if "id" in e.attrib}
    assert shapes["t-open"][0].get("class") == f"mf-{ground} m-hx"


# Marks


def test_arrows_begin_and_end_beside_the_units() -> None:
    s = position("G5 allies infantry\nK5 axis infantry", play_card=False)
    at = s.setup.grid.parse
    root = tree(
        svg_board(
            s,
            moves=[(at("E5"), at("F5"), at("G5"))],
            attacks=[(at("G5"), at("I5"))],
            retreats=[(at("I5"), at("J5"))],
        )
    )
    lines = {
        e.attrib["marker-end"]: e.attrib["d"] for e in root.iter(f"{SVG}path") if "marker-end" in e.attrib
    }
    assert lines == {
        "url(#move)": "M253 236 294 236 328 236",
        "url(#attack)": "M357 236 432 236",
        "url(#retreat)": "M461 236 484 236",
    }


def test_no_marks_no_elements() -> None:
    s = position("G5 allies infantry", play_card=False)
    text = svg_board(s, moves=[(5,)], highlight=[])
    assert "marker-end" not in text
    assert 'class="ml-glow"' not in text


def test_highlighted_hexes_are_outlined_once() -> None:
    s = position("G5 allies infantry", play_card=False)
    root = tree(svg_board(s, highlight=[3, 1, 3]))
    glow = next(e for e in root.iter(f"{SVG}g") if e.get("class") == "ml-glow")
    assert [(e.get("href"), e.get("x")) for e in glow] == [("#hex", "86"), ("#hex", "190")]


# Texts from scenarios

HOSTILE = "</text><script>alert(1)</script>&amp;\"'\x07"


def test_hostile_texts_stay_texts() -> None:
    s = position("G5 allies infantry", play_card=False, labels=(("G5", HOSTILE),))
    root = tree(svg_board(s, caption=HOSTILE))
    shown = HOSTILE.replace("\x07", "?")
    assert [e.text for e in root.iter(f"{SVG}text")].count(shown) == 2
    assert not list(root.iter(f"{SVG}script"))


def test_hostile_titles_badges_and_objectives_stay_texts() -> None:
    base = load_battle("pointe-du-hoc")
    battle = base._replace(
        title=HOSTILE,
        units=tuple(unit._replace(nation=HOSTILE) for unit in base.units),
        objectives=tuple(goal._replace(name=HOSTILE) for goal in base.objectives),
        sides=(base.sides[0]._replace(nation=HOSTILE), base.sides[1]),
        partial=("<b>",),
    )
    s = new_game(battle)
    root = tree(svg_board(s))
    assert root[0].text == f"{HOSTILE} (partial). Before the first turn.".replace("\x07", "?")
    assert not list(root.iter(f"{SVG}script"))
    assert "<script>" not in unit_table(s)
    ElementTree.fromstring(unit_table(s).replace("\x07", "?"))


def test_a_partial_battle_says_so_in_the_picture() -> None:
    s = position("A9 allies infantry", play_card=False, partial=("mines",))
    for caption, shown in ((None, "Drawn (partial)"), ("Turn 3", "Turn 3 (partial)")):
        root = tree(svg_board(s, caption=caption))
        assert shown in [e.text for e in root.iter(f"{SVG}text")]
        assert root[0].text == "Drawn (partial). Turn 1, the Allies to act."


def test_long_captions_are_cut_and_names_stay_inside() -> None:
    s = position("A9 allies infantry", play_card=False, labels=(("A9", "W" * 30), ("M1", "x" * 300)))
    root = tree(svg_board(s, caption="y" * 100))
    texts = {e.text: e for e in root.iter(f"{SVG}text")}
    assert "y" * 59 + "…" in texts
    assert texts["W" * 30].get("x") == "83"
    assert texts["x" * 300].get("x") == "346"


def test_wrong_prefixes_and_themes_are_programming_errors() -> None:
    s = position("G5 allies infantry", play_card=False)
    with pytest.raises(AssertionError):
        svg_board(s, ids_prefix='"><x')
    with pytest.raises(AssertionError):
        svg_board(s, theme="pink")


def test_boards_with_different_prefixes_share_a_page() -> None:
    s = position("G5 allies infantry", play_card=False)
    page = f"<div>{svg_board(s, ids_prefix='a-')}{svg_board(s, ids_prefix='b-', style=False)}</div>"
    check_references(ElementTree.fromstring(page))


# Other shapes of board


@pytest.mark.parametrize(
    ("shape", "box", "lines"),
    [
        ("standard", "0 0 692 472", ["M216 26V446M476 26V446"]),
        ("breakthrough", "0 0 692 832", ["M216 26V806M476 26V806"]),
        ("overlord", "0 0 1368 472", ["M476 26V446M892 26V446", "M216 26V446M684 26V446M1152 26V446"]),
    ],
)
def test_boards_of_every_shape_with_their_sections(shape: str, box: str, lines: list[str]) -> None:
    """R8, V21, V22, V51: section lines, and half-sections on the Overlord board."""
    s = position("A1 allies infantry\nM9 axis infantry", shape=shape, play_card=False)
    text = svg_board(s)
    root = tree(text)
    assert root.attrib["viewBox"] == box
    assert [e.get("d") for e in root.iter(f"{SVG}path") if e.get("class") == "ml-section"] == lines
    assert set(units(root)) == {"A1", "M9"}
    assert len(text.encode()) < 60_000
    check_references(root)


# Water


def water(text: str) -> tuple[State, Water]:
    s = position(text, play_card=False)
    return s, Water(ground_of(s.setup, False))


def test_a_river_runs_from_side_to_side_and_leaves_the_board() -> None:
    s, found = water("A5 river\nB5 river\nC5 river\nD5 river")
    places = ground_of(s.setup, False).places
    at = s.setup.grid.parse
    assert found.ways(places[at("B5")]) == (0, 3)  # east and west
    assert found.ways(places[at("A5")]) == (0, 3)  # west of it is nothing
    assert found.ways(places[at("D5")]) == (3,)  # a spring
    assert found.bridge_angle(places[at("B5")]) == 90
    assert found.ponds == set()


def test_lone_water_and_bridges_without_water() -> None:
    s, found = water("A9 river\nG5 river + bridge\nI5 open + bridge\nK5 river + bridge\nL5 river")
    places = ground_of(s.setup, False).places
    at = s.setup.grid.parse
    assert found.ways(places[at("A9")]) == (2, 5)  # from border to border
    assert found.ways(places[at("G5")]) == ()
    assert [found.bridge_angle(places[at(label)]) for label in ("G5", "I5", "K5")] == [0, 0, 90]


def test_three_water_hexes_around_a_corner_are_a_pond() -> None:
    s, found = water("f4 river\ng4 river\nG3 river\nA9 lake\nM1 river")
    at = s.setup.grid.parse
    places = ground_of(s.setup, False).places
    assert found.ponds == {at("f4"), at("g4"), at("G3"), at("A9")}
    assert found.pond_ways(places[at("f4")]) == (0, 1)
    assert found.pond_ways(places[at("M1")]) == ()


def test_a_river_ends_in_the_sea() -> None:
    s, found = water("G5 river\nG3 ocean\nf4 ocean\ng4 river\nh4 forest")
    place = ground_of(s.setup, False).places[s.setup.grid.parse("g4")]
    assert found.ways(place) == (
        4,
        2,
    )  # from the north-west to the south-west: straighter than into the sea in the west


def test_bands_are_paths() -> None:
    assert band((100, 100), (0, 3)) == "M126.4 100Q100 100 73.6 100"
    assert band((100, 100), (0,)) == "M126.4 100L100 100"
    assert band((100, 100), ()) == "M92 100h16"


def test_the_pond_of_pegasus_bridge_is_one_and_arnhem_has_a_long_bridge() -> None:
    pegasus = new_game(load_battle("pegasus-bridge"))
    labels = pegasus.setup.grid.labels
    assert {labels[n] for n in Water(ground_of(pegasus.setup, False)).ponds} == {"f4", "g4", "F3", "G3"}
    arnhem = tree(svg_board(new_game(load_battle("arnhem-bridge"))))
    roads = [e.get("d") for e in arnhem.iter(f"{SVG}path") if e.get("class") == "ml-deck"]
    assert roads == ["M450 146 424 191 398 236 372 281 346 326"]
