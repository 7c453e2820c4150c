"""Armor Assault (C22), Artillery Bombard (C23), Close Assault (C26) and Firefight (C30)."""

from __future__ import annotations

import pytest

from tests.drawing import asked, choices, play, position, reach, unit_at
from tests.engine.cardplay import attack, declare, dice, order, orderable, to_battle

# Armor Assault


def test_armor_assault_orders_four_armor_units_anywhere() -> None:
    """C22: not a fifth, and nothing but armor."""
    board = "A1 allies armor\nC1 allies armor\nE1 allies elite-armor\nI1 allies armor\nM1 allies armor"
    s = position(board + "\nG1 allies infantry\nG9 axis infantry", card="armor-assault")
    assert orderable(s) == {"A1", "C1", "E1", "I1", "M1"}
    assert play(s, "order A1", "order C1", "order E1", "order M1").phase == "move"


def test_armor_assault_adds_a_die_in_close_assault_only() -> None:
    """C22, C22a: four dice next to the enemy, three from a distance."""
    board = "G5 allies armor\n{} axis infantry\nA9 axis infantry"
    assert dice(to_battle(position(board.format("H5"), card="armor-assault"), "G5"), "G5 H5") == 4
    assert dice(to_battle(position(board.format("J5"), card="armor-assault"), "G5"), "G5 J5") == 3


@pytest.mark.parametrize(
    ("enemy", "expected"),
    [pytest.param("I5", 4, id="C22a adjacent"), pytest.param("K5", 3, id="C22a at a distance")],
)
def test_the_extra_die_lasts_for_an_overrun_in_close_assault(enemy: str, expected: int) -> None:
    """C22a, R116: its own condition must still hold."""
    s = position(f"G5 allies armor\nH5 axis infantry 1\n{enemy} axis infantry", card="armor-assault")
    s = attack(to_battle(s, "G5"), "G5 H5", "infantry star star star")
    assert dice(play(s, "ground H5"), f"H5 {enemy}") == expected


def test_the_fallback_unit_of_armor_assault_has_no_extra_die() -> None:
    """C22b, C3: infantry in close assault rolls three."""
    s = position("G5 allies infantry\nH5 axis infantry", card="armor-assault")
    assert dice(to_battle(s, "G5"), "G5 H5") == 3


# Artillery Bombard

GUNS = "G5 allies artillery\nE3 allies artillery\nI5 axis infantry\nL5 axis infantry\nA1 allies infantry"


def test_every_gun_moves_three_hexes_or_battles_twice() -> None:
    """Q170, C23, C23b: a gun that has moved a single hex does not battle."""
    s = order(position(GUNS, card="artillery-bombard"), "G5", "E3")
    assert {"C5", "D5", "E5", "F5"} & reach(s, "G5") == {"D5", "E5", "F5"}
    s = play(s, "move G5 F5", "done")
    assert choices(s) == ["attack E3 I5", "done"]


def test_the_second_battle_follows_the_first_before_another_gun_fires() -> None:
    """C23a: it may have another target; then the unit is done."""
    s = to_battle(position(GUNS, card="artillery-bombard"), "G5", "E3")
    s = attack(s, "G5 I5", "star star star")
    assert choices(s) == ["attack G5 I5", "attack G5 L5", "pass"]
    s = attack(s, "G5 L5", "star")
    assert s.phase == "battle"
    assert choices(s) == ["attack E3 I5", "done"]


def test_bombarding_guns_obey_stops_but_climb_steep_hills() -> None:
    """Q36, C23c: a forest ends the move; a steep hill costs two of the three hexes."""
    board = "G5 allies artillery\nH5 forest\ng6 steep-hill\nf6 river\nA9 axis infantry"
    s = order(position(board, card="artillery-bombard"), "G5")
    assert "H5" in reach(s, "G5")
    assert "I5" not in {c.split()[-1] for c in choices(s, "move") if " H5 " in c}
    assert {"g6", "G7", "H7", "f6"} & reach(s, "G5") == {"g6", "G7", "H7"}
    s = order(position(board), "G5")
    assert "g6" not in reach(s, "G5")


def test_each_battle_of_a_gun_is_bound_by_adjacent_enemies_of_its_own() -> None:
    """Q171, C23d, R55: when the first has killed the neighbour, the second may reach out to five hexes."""
    s = position("G5 allies artillery\nH5 axis infantry 1\nL5 axis infantry", card="artillery-bombard")
    s = to_battle(s, "G5")
    assert choices(s, "attack") == ["attack G5 H5"]
    s = attack(s, "G5 H5", "grenade star star")
    assert choices(s) == ["attack G5 L5", "pass"]
    assert dice(s, "G5 L5") == 1


# Close Assault

MELEE = """
    G5 allies infantry
    F5 allies artillery
    C3 allies armor
    f6 axis infantry
    H5 axis infantry
    C5 axis infantry
    A1 allies infantry
"""


def test_close_assault_orders_all_infantry_and_armor_next_to_an_enemy() -> None:
    """C26, C26c: never artillery, never a unit without an enemy beside it; nobody moves."""
    s = position(MELEE, card="close-assault")
    assert orderable(s) == {"G5"}
    assert play(s, "order G5").phase == "battle"
    s = position(MELEE + "\nc4 axis infantry", card="close-assault")
    assert orderable(s) == {"G5", "C3"}


def test_close_assault_adds_a_die() -> None:
    """Q197, C26: infantry against an open target rolls four."""
    s = to_battle(position(MELEE, card="close-assault"), "G5")
    assert dice(s, "G5 H5") == 4


def test_a_unit_whose_neighbours_are_gone_does_not_fire_under_close_assault() -> None:
    """C26a: adjacency is needed again when its battle comes."""
    s = position(
        "G5 allies infantry\nI5 allies infantry\nH5 axis infantry 1\nG7 axis infantry\nI7 axis infantry",
        card="close-assault",
    )
    s = attack(to_battle(s, "G5", "I5"), "G5 H5", "infantry star star star")
    s = play(s, "stay")
    assert asked(s) == "draw"


@pytest.mark.parametrize(
    ("bonus", "enemy", "expected"),
    [
        pytest.param("yes", "I5", 4, id="Q199 C26b X4 adjacent"),
        pytest.param("no", "I5", 3, id="C26b X4 adjacent, by the other reading"),
        pytest.param("yes", "K5", 3, id="C26b at a distance"),
        pytest.param("no", "K5", 3, id="C26b at a distance, by the other reading"),
    ],
)
def test_the_extra_die_of_close_assault_in_an_overrun(bonus: str, enemy: str, expected: int) -> None:
    s = position(
        f"G5 allies armor\nH5 axis infantry 1\n{enemy} axis infantry",
        card="close-assault",
        options={"close_assault_overrun": bonus},
    )
    s = attack(to_battle(s, "G5"), "G5 H5", "infantry star star star")
    assert dice(play(s, "ground H5"), f"H5 {enemy}") == expected


def test_infantry_in_wire_may_remove_it_under_close_assault() -> None:
    """C26d, T42c: instead of battling."""
    s = to_battle(position("G5 wire : allies infantry\nH5 axis infantry", card="close-assault"), "G5")
    assert choices(s) == ["attack G5 H5", "clear G5", "done"]
    assert dice(s, "G5 H5") == 3
    s = play(s, "clear G5")
    assert asked(s) == "draw"
    assert s.marks[s.setup.grid.parse("G5")] == 0


# Firefight


def test_firefight_orders_four_units_that_have_no_enemy_beside_them() -> None:
    """Q205, C30, C30c: of any class, guns included; nobody moves."""
    s = position(MELEE, card="firefight")
    assert orderable(s) == {"C3", "A1"}
    s = position(
        "A1 allies infantry\nC1 allies armor\nE1 allies artillery\nI1 allies infantry\nM1 allies infantry"
        "\nI3 axis infantry",
        card="firefight",
    )
    assert orderable(s) == {"A1", "C1", "E1", "I1", "M1"}
    assert play(s, "order A1", "order C1", "order E1", "order I1").phase == "battle"


@pytest.mark.parametrize(
    ("unit", "enemy", "expected"),
    [
        pytest.param("infantry", "J5", 2, id="Q204 C30a infantry at 3"),
        pytest.param("infantry", "I5", 3, id="C30 infantry at 2"),
        pytest.param("infantry", "K5", None, id="C30a infantry at 4"),
        pytest.param("armor", "J5", 4, id="C30 armor at 3"),
        pytest.param("artillery", "M5", 2, id="Q206 C30c artillery at 6"),
    ],
)
def test_firefight_adds_a_die_and_no_range(unit: str, enemy: str, expected: int | None) -> None:
    s = to_battle(position(f"G5 allies {unit}\n{enemy} axis infantry", card="firefight"), "G5")
    if expected is None:
        assert asked(s) == "draw"
    else:
        assert dice(s, f"G5 {enemy}") == expected


def test_a_unit_that_gets_an_enemy_beside_it_does_not_fire_any_more() -> None:
    """C30b: driven back by the first shot, the target stands next to the second unit and silences it."""
    s = position(
        "G5 allies armor\nH7 allies infantry\nI5 axis infantry\ni6 river\nJ7 axis infantry",
        card="firefight",
    )
    s = to_battle(s, "G5", "H7")
    assert choices(s) == ["attack G5 I5", "attack H7 I5", "attack H7 J7", "done"]
    s = attack(s, "G5 I5", "flag star star star")
    assert unit_at(s, "h6") is not None
    assert asked(s) == "draw"


def test_firefight_never_takes_ground() -> None:
    """C30c: it is never a close assault."""
    s = to_battle(position("G5 allies armor\nI5 axis infantry 1\nA9 axis infantry", card="firefight"), "G5")
    s = play(declare(s, "G5 I5"), "roll grenade star star star")
    assert asked(s) == "draw"
