"""Positions in words: units, objectives, whole boards, and the table that goes with a picture."""

from __future__ import annotations

import pytest

from engine import State, new_game
from engine.battle import ObjectiveFacts
from pbem.draw import describe, describe_unit, goal_lines, unit_rows, unit_table
from pbem.draw.picture import waiting_units
from pbem.library import load_battle, scenario_names
from tests.drawing import play, position, unit_at


def said(state: State, label: str) -> str:
    """What is said about the unit on a hex."""
    unit = unit_at(state, label)
    assert unit is not None
    return describe_unit(state, unit)


def test_a_unit_is_described_with_its_ground_and_its_neighbours() -> None:
    s = position("G5 forest : allies infantry\nH5 axis armor\nK5 axis infantry", play_card=False)
    assert said(s, "G5") == "Allied infantry, 4 figures, at G5 in forest, next to Axis armor at H5"
    assert said(s, "H5") == "Axis armor, 3 figures, at H5, next to Allied infantry at G5"
    assert said(s, "K5") == "Axis infantry, 4 figures, at K5"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("G5 river + bridge : allies infantry", "Allied infantry, 4 figures, at G5 on a bridge"),
        ("G5 hill + bunker axis : axis artillery", "Axis artillery, 2 figures, at G5 on hill in a bunker"),
        (
            "G5 town + sandbags : allies infantry 3",
            "Allied infantry, 3 figures, at G5 in town behind sandbags",
        ),
        ("G5 beach + wire : allies infantry", "Allied infantry, 4 figures, at G5 on beach with barbed wire"),
        ("G5 beach + hedgehog wire : allies infantry", "at G5 on beach with hedgehog and barbed wire"),
        ("G5 beach + sea-wall : allies infantry", "at G5 on beach behind sea wall"),
        ("G5 ocean : allies special-forces", "Allied special forces, 4 figures, at G5 in the sea"),
        ("G5 hill-town : axis infantry", "at G5 in town on a hill"),
        ("G5 axis elite-armor worth 2", "Axis elite armor, 4 figures, worth 2 medals, at G5"),
        ("G5 allies resistance worth 0", "Allied French Resistance, 3 figures, worth 0 medals, at G5"),
    ],
)
def test_surroundings_are_named(line: str, words: str) -> None:
    assert said(position(line, play_card=False), "G5").endswith(words)


def test_losses_show_as_figures_of_the_full_strength() -> None:
    s = position("G5 allies infantry\nH5 axis infantry", card="direct-from-hq")
    s = play(s, "order G5", "done", "attack G5 H5", "pass", "roll infantry infantry star")
    assert said(s, "H5") == "Axis infantry, 2 figures of 4, at H5, next to Allied infantry at G5"


def test_one_figure_is_singular() -> None:
    s = position("G5 allies infantry 1", play_card=False)
    assert said(s, "G5") == "Allied infantry, 1 figure, at G5"


def test_a_unit_that_is_not_on_the_board_is_no_subject() -> None:
    s = new_game(load_battle("sainte-mere-eglise"))
    with pytest.raises(KeyError):
        describe_unit(s, waiting_units(s)[0])


def test_badges_are_named() -> None:
    s = new_game(load_battle("pointe-du-hoc"))
    assert said(s, "A3") == "Allied special forces (ranger), 4 figures, at A3 on beach"


@pytest.mark.parametrize(
    ("goal", "line"),
    [
        (
            ObjectiveFacts("temporary", ("allies",), ("G5",), name="Mill"),
            "Mill, G5: 1 medal for the Allies; held by the Allies",
        ),
        (
            ObjectiveFacts("permanent", ("axis",), ("A1",), medals=2),
            "A1: 2 medals for the Axis for good; held by nobody",
        ),
        (
            ObjectiveFacts("majority", ("allies", "axis"), ("A1", "B1")),
            "A1 and B1: 1 medal for the Allies or the Axis for holding more of these hexes than the enemy; "
            "held by nobody",
        ),
        (
            ObjectiveFacts("temporary", ("axis",), ("A1", "B1", "C1")),
            "A1, B1 and C1: 1 medal for the Axis for holding one of these hexes; held by nobody",
        ),
        (
            ObjectiveFacts("sudden-death", ("axis",), ("A1", "B1", "C1"), need=2),
            "A1, B1 and C1: victory at once for the Axis for holding 2 of these 3 hexes; held by nobody",
        ),
        (
            ObjectiveFacts("exit", ("axis",), ("A1",)),
            "A1: 1 medal for every unit of the Axis that leaves the board here",
        ),
    ],
    ids=["M2 temporary", "M3 permanent", "M4 majority", "M2 one of several", "M9 sudden death", "M10 exit"],
)
def test_objectives_are_described(goal: ObjectiveFacts, line: str) -> None:
    s = position("G5 allies infantry\nM9 axis infantry", objectives=(goal,), play_card=False)
    assert goal_lines(s) == [line]


def test_a_whole_position_reads_from_the_top_left() -> None:
    s = position(
        "G5 forest : allies infantry\nb8 axis armor\nA9 axis infantry\nC3 hill + bunker axis\nD3 impassable",
        play_card=False,
        labels=(("C3", "Crossroads"),),
        objectives=(ObjectiveFacts("temporary", ("allies",), ("A9",)),),
    )
    assert describe(s) == (
        "Drawn. Turn 1, the Allies to act.\n"
        "Medals: Allies 0 of 6, Axis 0 of 6.\n"
        "Objective A9: 1 medal for the Allies; held by nobody.\n"
        "The Allies sit at the bottom of this board.\n"
        "\n"
        "Allies, 1 unit on the board:\n"
        "- Allied infantry, 4 figures, at G5 in forest.\n"
        "\n"
        "Axis, 2 units on the board:\n"
        "- Axis infantry, 4 figures, at A9.\n"
        "- Axis armor, 3 figures, at b8.\n"
        "\n"
        "The ground:\n"
        "- Forest: G5.\n"
        "- Hill: C3.\n"
        "- Axis bunker: C3.\n"
        "- Impassable: D3.\n"
        "- Names: Crossroads at C3.\n"
    )


def test_the_other_chair_reads_from_its_own_top_left() -> None:
    s = position("b8 axis armor\nA9 axis infantry", play_card=False)
    lines = describe(s, chair=1).splitlines()
    assert "The Axis sit at the bottom of this board." in lines
    assert lines.index("- Axis armor, 3 figures, at b8.") < lines.index("- Axis infantry, 4 figures, at A9.")
    assert "- Open everywhere." in lines


def test_units_of_an_airdrop_wait_until_they_have_landed() -> None:
    s = new_game(load_battle("sainte-mere-eglise"))
    assert len(waiting_units(s)) == 4
    assert "- 4 units still to be dropped." in describe(s)
    s = play(s, "draw ? ? ? ? ?", "draw ? ? ? ?", "drop G3")
    assert len(waiting_units(s)) == 4
    s = play(s, "roll 0 1 1 1")
    assert len(waiting_units(s)) == 3
    s = play(s, "roll 0 0 0 1", "roll 2 2 2 2", "roll 6 6 6 6")
    assert waiting_units(s) == ()
    assert "dropped" not in describe(s)


def test_the_end_of_a_game_is_said() -> None:
    goal = ObjectiveFacts("sudden-death", ("allies",), ("H5",))
    s = position("G5 allies infantry\nM9 axis infantry", objectives=(goal,))
    s = play(s, "order G5", "move G5 H5")
    assert describe(s).startswith("Drawn. The battle is over: the Allies have won.\n")


def test_a_partial_battle_says_so() -> None:
    s = position("G5 allies infantry", play_card=False, partial=("minefields", "trains"))
    line = "Partial: this program cannot play all of this battle (minefields; trains)."
    assert line in describe(s).splitlines()


def test_rows_of_units_by_hex() -> None:
    s = position("G5 forest : allies infantry 2\nA9 axis armor", play_card=False)
    assert unit_rows(s) == [
        {
            "hex": "A9",
            "side": "Axis",
            "unit": "armor",
            "figures": 3,
            "strength": 3,
            "where": "on open ground",
        },
        {
            "hex": "G5",
            "side": "Allies",
            "unit": "infantry",
            "figures": 2,
            "strength": 2,
            "where": "in forest",
        },
    ]
    assert [row["hex"] for row in unit_rows(s, chair=1)] == ["G5", "A9"]


def test_the_table_of_units_has_headings() -> None:
    s = position("G5 forest : allies infantry", play_card=False)
    table = unit_table(s)
    assert '<th scope="col">Hex</th>' in table
    assert (
        '<tr><th scope="row">G5</th><td>Allies</td><td>infantry</td><td>4 of 4</td><td>in forest</td></tr>'
        in table
    )


@pytest.mark.parametrize("name", scenario_names())
def test_every_battle_names_every_unit_once(name: str) -> None:
    s = new_game(load_battle(name))
    lines = describe(s).splitlines()
    on_board = [unit for unit in s.setup.battle.units if unit.at]
    for unit in on_board:
        assert sum(f" at {unit.at} " in f"{line.split(', next to')[0].rstrip('.')} " for line in lines) >= 1
    assert sum(line.startswith(("- Allied ", "- Axis ")) and " figure" in line for line in lines) == len(
        on_board
    )
    assert len(unit_rows(s)) == len(on_board)
