"""What keeps units from going, shooting and falling back, with the rule that forbids it."""

from __future__ import annotations

from typing import Any

import pytest

from engine import (
    State,
    legal,
)
from engine.hindrance import end_hindrance, path_hindrance
from engine.movement import allowance
from engine.state import MOVED, NOBODY
from tests.drawing import ObjectiveFacts, choices, play, position
from tests.refusing import FAR, case, check, refusal, states_of

# Moves

FOOT, TANK, GUN = "G5 allies infantry", "G5 allies armor", "G5 allies artillery"
IDLE = "F3 allies infantry"  # never ordered


def unit_case(rule: str, drawing: str, text: str, *steps: str, says: str = "", **facts: Any) -> Any:
    """A case in which the unit at G5 has been ordered, by Direct From HQ unless it says otherwise."""
    return case(rule, f"{drawing}\n{IDLE}", text, *steps, says=says, **facts)


def moving(drawing: str, facts: dict[str, Any], *steps: str) -> State:
    """The position when units may move."""
    s = play(position(f"{drawing}\n{FAR}", **facts), "order G5")
    s = play(s, "done") if s.phase == "order" else s
    return play(s, *steps)


MOVE_CASES = [
    unit_case("R31", FOOT, "move F3 f4"),
    unit_case("R31", FOOT, "move A9 a8"),
    unit_case("R31", FOOT, "move I5 i6"),
    unit_case("R38", FOOT, "move G5 J5"),
    unit_case("R38", FOOT, "move G5 H5 I5 J5"),
    unit_case("R38", GUN, "move G5 I5"),
    unit_case("R38", TANK, "move G5 K5"),
    unit_case("R39", FOOT, "move G5 f4 F3", says="onto a friend"),
    unit_case("R39", f"{FOOT}\nH5 axis infantry", "move G5 H5", says="onto an enemy"),
    unit_case("R39", f"{FOOT}\nH5 axis infantry", "move G5 H5 I5", says="through an enemy"),
    unit_case("R39", FOOT, "move G5 I7 H5", says="not a path"),
    unit_case("R45", f"{FOOT}\nH5 river", "move G5 H5"),
    unit_case("R45", f"{FOOT}\nH5 hill impassable", "move G5 H5", says="trait"),
    unit_case("R45", f"{TANK}\nH5 hill\nI5 mountain", "move G5 H5 I5"),
    unit_case("R46", FOOT, "exit G5 H5"),
    unit_case("R43", f"{FOOT}\nH5 forest", "move G5 H5 I5"),
    unit_case("R43", f"{FOOT}\nH5 forest\nI5 hill", "move G5 I5", says="by any way"),
    unit_case("T42a", f"{FOOT}\nH5 wire", "move G5 H5 I5"),
    unit_case("R42", f"{FOOT}\nH5 mountain", "move G5 H5"),
    unit_case("R41", f"{FOOT}\nH5 steep-hill\nI5 steep-hill", "move G5 H5 I5"),
    unit_case("R41", f"{GUN}\nH5 steep-hill", "move G5 H5"),
    unit_case("T9a", f"{FOOT}\nI5 hedgerow", "move G5 I5"),
    unit_case("T9c", f"{FOOT} : hedgerow", "move G5 I5"),
    unit_case("T40a", f"{TANK}\nH5 bunker", "move G5 H5"),
    unit_case("T41", f"{GUN}\nH5 hedgehog", "move G5 H5"),
    unit_case("T21b", f"{FOOT} : ocean\nH5 river bridge", "move G5 H5"),
    unit_case("T21", FOOT, "move G5 H5", says="long bridge", causeway=("H7", "h6", "H5", "h4", "H3")),
    unit_case("T24a", f"{TANK} : beach\nH5 dune", "move G5 H5"),
    unit_case("T25", f"{TANK} : beach\nH5 cliff", "move G5 H5"),
    unit_case("T22a", f"{TANK}\ng4 beach\nG3 beach\ng2 beach", "move G5 g4 G3 g2", says="beach"),
    unit_case("T23a", f"{TANK} : ocean\nH5 ocean", "move G5 H5 I5"),
    unit_case("V60", f"{FOOT}\nH5 ocean", "move G5 H5", options={"edition": "2004"}),
    unit_case("C25", FOOT, "move G5 K5", card="behind-enemy-lines"),
    unit_case("C25", FOOT, "move G5 K5", "done", card="behind-enemy-lines", says="second move"),
    unit_case("C23", GUN, "move G5 K5", card="artillery-bombard"),
]


@pytest.mark.parametrize(("rule", "drawing", "facts", "steps", "text"), MOVE_CASES)
def test_moves(rule: str, drawing: str, facts: dict[str, Any], steps: tuple[str, ...], text: str) -> None:
    """Every way in which a unit cannot go somewhere, with the rule in the id of the case."""
    assert refusal(moving(drawing, facts, *steps), text).rule == rule


def test_a_unit_that_cannot_leave_or_has_moved_is_told_so() -> None:
    """R37, T40b: while another unit may still move."""
    s = position(f"G5 allies artillery : bunker allies\nB1 allies infantry\nD1 allies infantry\n{FAR}")
    s = play(s, "order G5", "order B1", "order D1", "move B1 C1")
    assert refusal(s, "move G5 H5").rule == "T40b"
    check(s, "move C1 c2", "the infantry unit at C1 has moved already (R37)")


def test_sentences_about_moves() -> None:
    """R38, R39, R41, R43, R45: what stands in the way is named."""
    ground = "H5 forest\ng6 river\nf6 steep-hill\nF7 steep-hill\nf4 axis armor"
    s = moving(f"{FOOT}\n{IDLE}\n{ground}", {})
    check(s, "move G5 H5 I5", "a unit that enters the forest at H5 must stop (R43)")
    check(s, "move G5 g6", "the river at g6 is impassable to infantry (R45)")
    check(s, "move G5 f4", "the armor unit at f4 is in the way (R39)")
    dear = "the infantry unit at G5 may move 2 hexes, and a step on this way costs 2 (R41)"
    check(s, "move G5 f6 F7", dear)
    check(s, "move G5 K5", "the infantry unit at G5 may move at most 2 hexes (R38)")


def test_a_hex_is_reached_by_its_cheapest_way() -> None:
    """R38, R41, T26: a steep hill beside the way neither hides the hexes behind it nor costs the battle."""
    s = moving(f"{TANK}\n{IDLE}\ng4 steep-hill", {})
    assert [text for text in choices(s) if text.endswith((" G3", " g2"))] == [
        "move G5 f4 G3",
        "move G5 f4 G3 g2",
    ]
    drawing = f"{FOOT}\nE1 axis infantry\ng4 steep-hill\n{FAR}"
    s = position(drawing, card="infantry-assault")
    s = play(s, "section center", "order G5", "move G5 G3")
    assert choices(s) == ["attack G3 E1", "done"]  # 2 hexes and battle (C31)


def test_exits() -> None:
    """R46, W32: only exit hexes lead off the board, and the last step must be paid."""
    doors = (ObjectiveFacts("exit", ("allies",), ("G9",)),)
    s = position(f"G7 allies infantry\nB1 allies infantry\n{FAR}", objectives=doors)
    s = play(s, "order G7", "done")
    dear = "leaving the board costs one more hex than the infantry unit at G7 has left (W32)"
    check(s, "exit G7 g8 G9", dear)
    check(s, "exit G7 g8", "g8 is no exit for this side (R46)")
    s = play(position(f"G9 allies armor\nB1 allies infantry\n{FAR}", objectives=doors), "order G9", "done")
    assert choices(s, "exit") == ["exit G9"]
    assert refusal(s, "exit G9 g8 G9").rule == "W32"


def test_units_that_a_card_holds_in_place() -> None:
    """C26, C30: Close Assault and Firefight order no moves; the game goes on to the battles at once."""
    s = play(position(f"G5 allies infantry\nI5 axis infantry\n{FAR}", card="firefight"), "order G5")
    assert s.phase == "battle"
    assert refusal(s, "move G5 G3").rule == "C30"
    assert path_hindrance(s, s.occupant[s.setup.grid.parse("G5")], (0, 1)) == (
        "C30",
        "units ordered by Firefight do not move",
    )


# Battles

HELPER = "M3 allies armor\nL3 axis armor"  # has a target whatever happens, so that the battles go on


def battling(drawing: str, facts: dict[str, Any], *steps: str) -> State:
    """The position when units may battle, after some moves; G5 and the helper are ordered."""
    s = play(position(f"{drawing}\n{HELPER}\n{FAR}", **facts), "order G5", "order M3")
    s = play(s, "done") if s.phase == "order" else s
    s = play(s, *steps)
    return play(s, "done") if s.phase == "move" else s


WIDE = "\n".join(f"{column}6 river wide" for column in "abcdefghijkl")
TOWN = "H5 axis infantry : town"
ATTACK_CASES = [
    unit_case("R31", f"{FOOT}\nI5 axis infantry", "attack F3 I5"),
    unit_case("R31", f"{FOOT}\nI5 axis infantry", "attack I5 G5"),
    unit_case("R31", FOOT, "attack H5 I5"),
    unit_case("R51", FOOT, "attack G5 H5", says="nobody there"),
    unit_case("R51", FOOT, "attack G5 F3", says="a friend"),
    unit_case("R59", f"{FOOT}\nK5 axis armor", "attack G5 K5"),
    unit_case("R68", f"{FOOT}\nH7 axis armor\ng6 forest", "attack G5 H7"),
    unit_case("R68", f"{FOOT}\nI5 axis infantry\nJ5 axis armor", "attack G5 J5", says="behind a unit"),
    unit_case("R71", f"{FOOT}\nG7 axis armor\ng6 forest\nf6 town", "attack G5 G7"),
    unit_case("R53", f"{FOOT}\nH5 axis infantry\nG7 axis infantry", "attack G5 G7"),
    unit_case("R60", f"{FOOT}\nJ5 axis infantry : town", "attack G5 J5"),
    unit_case("R60", f"G5 allies armor : town\n{TOWN}", "attack G5 H5", says="adjacent"),
    unit_case("R54", f"G5 allies armor : town\n{TOWN}\nG7 axis infantry", "attack G5 G7"),
    unit_case("R38", f"{FOOT}\nJ5 axis infantry", "attack I5 J5", "move G5 H5 I5"),
    unit_case("R38", f"{GUN}\nJ5 axis infantry", "attack H5 J5", "move G5 H5", says="a gun that moved"),
    unit_case("R44", f"{FOOT}\nH5 forest\nJ5 axis infantry", "attack H5 J5", "move G5 H5"),
    unit_case("T23b", f"{FOOT} : ocean\nI5 axis infantry", "attack G5 I5"),
    unit_case("R67", f"{FOOT}\nH7 axis infantry\n{WIDE}", "attack G5 H7", says="wide river"),
    unit_case("R67", f"{GUN}\nI5 axis infantry\nH5 hill blocks-artillery", "attack G5 I5", says="wall"),
    unit_case("T42c", f"{FOOT}\nI5 axis infantry", "clear G5"),
    unit_case("T42c", f"{GUN} : wire\nI5 axis infantry", "clear G5", says="a gun"),
    unit_case("R31", f"{FOOT}\nI5 axis infantry", "clear F3"),
    unit_case("T23b", f"{FOOT} : ocean wire\nI5 axis infantry", "clear G5", says="in the ocean"),
]


@pytest.mark.parametrize(("rule", "drawing", "facts", "steps", "text"), ATTACK_CASES)
def test_attacks(rule: str, drawing: str, facts: dict[str, Any], steps: tuple[str, ...], text: str) -> None:
    """Every way in which a unit cannot battle, with the rule in the id of the case."""
    assert refusal(battling(drawing, facts, *steps), text).rule == rule


def test_sentences_about_attacks() -> None:
    """R53, R59, R60, R68: distance, obstruction and unit are named."""
    s = battling(f"{FOOT}\n{IDLE}\nI5 axis infantry\nJ5 axis armor\nG1 axis armor : town", {})
    check(s, "attack G5 J5", "the line of sight to J5 is blocked by I5 (R68)")
    check(s, "attack G5 G1", "G1 is 4 hexes away; infantry reaches 3 (R59)")
    check(s, "attack G5 H5", "no unit stands at H5 (R51)")
    s = battling(f"{FOOT}\nH5 axis infantry\nI5 axis infantry\n{IDLE}", {})
    check(s, "attack G5 I5", "the infantry unit at G5 must battle an enemy next to it (R53)")


def test_a_unit_battles_once() -> None:
    """R50: the second battle of a turn is refused."""
    s = battling(f"{FOOT}\nI5 axis infantry", {})
    s = play(s, "attack G5 I5", "roll star star")
    check(s, "attack G5 I5", "the infantry unit at G5 has battled already (R50)")


def test_close_assault_does_not_fire() -> None:
    """C26a: the only adjacent enemy is gone when the second unit's battle comes."""
    s = position(
        f"G5 allies infantry\nI5 allies infantry\nH5 axis infantry 1\nG7 axis infantry\n{HELPER}\n{FAR}",
        card="close-assault",
    )
    s = play(
        s, "order G5", "order I5", "order M3", "attack I5 H5", "pass", "roll infantry star star star", "stay"
    )
    check(s, "attack G5 G7", "units ordered by Close Assault battle adjacent enemies only (C26a)")


def test_firefight_does_not_assault() -> None:
    """C30b: an enemy has retreated next to a unit that was ordered to fire."""
    s = position(
        "G3 allies infantry\nG7 allies infantry\nM3 allies armor\n"
        f"G5 axis infantry\nK3 axis armor\nE7 axis armor\n{FAR}",
        card="firefight",
    )
    s = play(s, "order G3", "order G7", "order M3", "attack G3 G5", "roll flag star star")
    s = play(s, "retreat f6")
    who = "the infantry unit at G7 has an enemy next to it and cannot fire with Firefight"
    check(s, "attack G7 E7", f"{who} (C30b)")


def test_an_overrun_comes_before_other_battles() -> None:
    """R115: the unit that took ground finishes first."""
    s = battling(f"{TANK}\nH5 axis infantry 1\nI5 axis infantry", {})
    s = play(s, "attack G5 H5", "pass", "roll grenade star star", "ground")
    assert s.phase == "overrun"
    assert refusal(s, "attack M3 L3").rule == "R115"
    assert refusal(s, "attack H5 K5").rule == "R51"


def test_a_second_battle_comes_before_other_guns() -> None:
    """C23a: both battles of a gun come before another unit's."""
    s = position(
        f"G5 allies artillery\nB1 allies artillery\nI5 axis infantry\n{FAR}", card="artillery-bombard"
    )
    s = play(s, "order G5", "order B1", "done", "attack G5 I5", "roll star star star")
    assert s.phase == "again"
    assert refusal(s, "attack B1 I5").rule == "C23a"


# Flags, retreats, ground


def flags(drawing: str, roll: str, **facts: Any) -> State:
    """After an attack of G5 on H5 in which nobody ambushed."""
    s = position(f"{FOOT}\n{drawing}\n{FAR}", **facts)
    return play(s, "order G5", "done", "attack G5 H5", "pass", f"roll {roll}")


def test_at_most_one_flag_is_ignored() -> None:
    """R100: sources never add up."""
    s = flags("H5 axis infantry : church", "flag flag")
    assert s.phase == "ignore"
    assert refusal(s, "ignore 2").rule == "R100"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("retreat A9 a8", "R92"),
        ("retreat H5 G5 g6", "R93"),
        ("retreat H5 I5 i6", "R93"),
        ("retreat H5 h4 H3", "R93"),
        ("retreat H5 g6 H7", "R94"),
        ("retreat H5 g6", "R98"),
        ("retreat H5 h6", "R98"),
        ("retreat H5 g6 G7 g8", "R92"),
    ],
)
def test_routes_that_are_not_legal(text: str, rule: str) -> None:
    """R92, R93, R94, R98: wrong unit, wrong row, blocked hex, too short, too long."""
    s = flags("H5 axis infantry\nH7 axis armor", "flag flag star")
    assert choices(s) == ["retreat H5 g6 G7", "retreat H5 h6 I7"]
    assert refusal(s, text).rule == rule


@pytest.mark.parametrize(
    ("ground", "message"),
    [
        ("H7 river", "the river at H7 is impassable to infantry"),
        ("H7 ocean", "nobody retreats into the ocean"),
        ("H7 mountain", "the climb from g6 to H7 is too steep"),
    ],
)
def test_ground_that_stops_a_retreat(ground: str, message: str) -> None:
    """R94: rivers, the ocean and heights that cannot be climbed are closed to retreats too."""
    s = flags(f"H5 axis infantry\n{ground}", "flag flag star")
    check(s, "retreat H5 g6 H7", f"a retreat from g6 to H7 is not possible: {message} (R94)")


def test_a_shorter_retreat_than_possible() -> None:
    """R99: no route completes three flags, so the longest must be used."""
    s = position(f"G7 allies infantry\nH7 axis infantry\n{FAR}")
    s = play(s, "order G7", "done", "attack G7 H7", "pass", "roll flag flag flag")
    assert choices(s) == ["retreat H7 g8 G9", "retreat H7 g8 H9", "retreat H7 h8 I9"]
    check(s, "retreat H7 h8", "a route of 2 hexes exists and must be used (R99)")


def test_a_retreat_longer_than_its_flag() -> None:
    """R92: one flag, one hex."""
    s = flags("H5 axis infantry", "flag star star")
    check(s, "retreat H5 g6 G7", "the retreat is 1 hex long, not 2 (R92)")


def test_a_retreat_longer_than_three_hexes_per_flag() -> None:
    """R104, U9: one flag sends the Resistance one to three hexes back, not four."""
    s = position(f"G3 axis resistance\nF3 allies infantry\n{FAR}")
    s = play(s, "order F3", "done", "attack F3 G3", "pass", "roll flag star star")
    assert max(len(text.split()) - 2 for text in choices(s)) == 3
    assert refusal(s, "retreat G3 g4 G5 g6 G7").rule == "R104"


def test_only_the_vacated_hex_is_taken() -> None:
    """R105: take ground names the hex of the target."""
    s = flags("H5 axis infantry 1", "infantry star star")
    check(s, "ground g6", "only the vacated hex H5 can be taken (R105)")


# The list of moves


@pytest.mark.parametrize(
    ("battle", "options"),
    [
        ("counter-attack-on-mortain", {}),  # steep hills
        ("pointe-du-hoc", {}),  # cliffs
        ("sword-beach", {"edition": "2004"}),
        ("operation-cobra", {}),  # hedgerows
        ("arnhem-bridge", {}),
    ],
)
def test_a_hex_without_hindrance_is_a_hex_in_the_list(battle: str, options: dict[str, str]) -> None:
    """R38, R39, R41, R43, R45, T9, T22, T24: `hindrance` tries every way; the list comes from the tables."""
    looked = 0
    for s in states_of(battle, options, 1, 1):
        if s.phase != "move" or s.turn % 2:
            continue
        for unit in s.orders:
            start = s.pos[unit]
            if start == NOBODY or s.acts[unit] & MOVED or not allowance(s, unit):
                continue
            listed = {a[-1] for a in legal(s) if a[0] == "move" and a[1] == start}
            free = {h for h in range(s.setup.grid.size) if end_hindrance(s, unit, h) is None}
            assert free - {start} == listed - {start}
            looked += 1
    assert looked > 10
