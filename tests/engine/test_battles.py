"""Special rules that several of the sixteen battles share, played with the battles themselves."""

from __future__ import annotations

import pytest

from engine.state import SPENT
from tests.drawing import asked, play, unit_at
from tests.engine.battlefield import HQ, battle_of, field, fights, ordered
from tests.engine.cardplay import (
    attack,
    dice,
    next_turn,
    order,
)

# What several battles share


@pytest.mark.parametrize(
    ("name", "side", "moved", "path"),
    [
        pytest.param("sword-beach", "allies", {"E1": "D7"}, "D7 E7 F7", id="U3 sword: commandos"),
        pytest.param("pointe-du-hoc", "allies", {"A3": "D9"}, "D9 E9 F9", id="U3 pointe-du-hoc: rangers"),
        pytest.param(
            "first-assault-wave", "allies", {"M1": "B9"}, "B9 C9 D9", id="U3 omaha: the ranger unit"
        ),
        pytest.param("counter-attack-on-mortain", "axis", {}, "K9 j8 K7", id="U3 mortain: panzer grenadiers"),
        pytest.param("montelimar", "axis", {}, "C7 c6 C5", id="U3 montelimar: panzer grenadiers"),
        pytest.param("arnhem-bridge", "allies", {}, "D5 c4 C3", id="U3 arnhem: airborne"),
        pytest.param(
            "arnhem-bridge",
            "axis",
            {"A9": "H9", "H9": "A9", "i8": "L5"},
            "H9 I9 i8",
            id="U3 arnhem: grenadiers",
        ),
        pytest.param("toulon", "allies", {"b2": "A9"}, "A9 B9 C9", id="U3 toulon: special forces"),
    ],
)
def test_badge_infantry_moves_two_hexes_and_may_still_battle(
    name: str, side: str, moved: dict[str, str], path: str
) -> None:
    start, *_, end = path.split()
    s = ordered(name, start, moved, side=side)
    s = play(s, f"move {path}")
    unit = unit_at(s, end)
    assert unit is not None
    assert s.setup.types[unit].key == "special-forces"
    assert not s.acts[unit] & SPENT


@pytest.mark.parametrize(
    ("name", "figures"),
    [
        pytest.param("mont-mouchet", {"elite-armor": {4}, "resistance": {3}}, id="U4 U8 mont mouchet"),
        pytest.param("operation-cobra", {"elite-armor": {4}, "armor": {3}}, id="U4 operation cobra"),
        pytest.param("counter-attack-on-mortain", {"elite-armor": {4}, "armor": {3}}, id="U4 mortain"),
        pytest.param("st-vith", {"elite-armor": {4}, "armor": {3}}, id="U4 st vith"),
        pytest.param("arnhem-bridge", {"elite-armor": {4}, "armor": {3}}, id="U4 arnhem"),
        pytest.param("vassieux", {"resistance": {3}, "infantry": {4}}, id="U8 vassieux"),
        pytest.param("pegasus-bridge", {"infantry": {4}}, id="U1 pegasus bridge: plain infantry only"),
    ],
)
def test_strength_of_elite_armor_and_resistance(name: str, figures: dict[str, set[int]]) -> None:
    s = field(name)
    for kind, expected in figures.items():
        units = [unit for unit, row in enumerate(s.setup.types) if row.key == kind]
        assert {s.figures[unit] for unit in units} == expected
    if name == "pegasus-bridge":
        assert {row.key for row in s.setup.types} == {"infantry"}


@pytest.mark.parametrize(
    ("name", "bunker", "beside", "ally", "axis"),
    [
        pytest.param("sword-beach", "c6", "d6", "c2", "c6", id="T40c sword beach"),
        pytest.param("pointe-du-hoc", "C7", "D7", "b2", "C7", id="T40c pointe-du-hoc"),
        pytest.param("first-assault-wave", "e6", "f6", "c2", "e6", id="T40c omaha"),
    ],
)
def test_bunkers_protect_the_axis_alone(name: str, bunker: str, beside: str, ally: str, axis: str) -> None:
    s = fights(name, beside, {ally: beside}, side="allies")
    assert dice(s, f"{beside} {bunker}") == 2
    s = attack(s, f"{beside} {bunker}", "flag star")
    assert asked(s) == "ignore"
    s = fights(name, beside, {ally: bunker, axis: beside}, side="axis")
    assert dice(s, f"{beside} {bunker}") == 3
    assert asked(attack(s, f"{beside} {bunker}", "flag star star")) == "retreat"


@pytest.mark.parametrize(
    ("name", "moved", "side", "step"),
    [
        pytest.param("pegasus-bridge", {"c4": "c8"}, "allies", "c8 D7", id="M2 pegasus bridge: the canal"),
        pytest.param("pegasus-bridge", {"h2": "K5"}, "allies", "K5 k4", id="M2 pegasus bridge: the orne"),
        pytest.param("sword-beach", {"c2": "A9", "A9": "C7"}, "allies", "A9 B9", id="M2 sword: riva bella"),
        pytest.param(
            "sword-beach", {"c2": "E9", "F9": "H5"}, "allies", "E9 F9", id="M2 sword: the middle town"
        ),
        pytest.param("sword-beach", {"c2": "L9", "M9": "H5"}, "allies", "L9 M9", id="M2 sword: lion-sur-mer"),
        pytest.param("first-assault-wave", {"a2": "B9"}, "allies", "B9 A9", id="M2 omaha: colleville"),
        pytest.param(
            "first-assault-wave", {"a2": "E9", "F9": "J7"}, "allies", "E9 F9", id="M2 omaha: st-laurent"
        ),
        pytest.param(
            "first-assault-wave", {"a2": "j8", "k8": "J7"}, "allies", "j8 k8", id="M2 omaha: vierville"
        ),
        pytest.param("first-assault-wave", {"a2": "M9"}, "allies", "M9 l8", id="M2 omaha: vierville, east"),
        pytest.param("first-assault-wave", {"a2": "G7", "H7": "J7"}, "allies", "G7 H7", id="M2 omaha: H7"),
        pytest.param("operation-cobra", {"l2": "L9"}, "allies", "L9 K9", id="M2 cobra: marigny"),
        pytest.param("operation-cobra", {"l2": "d8"}, "allies", "d8 e8", id="M2 cobra: saint-gilles"),
        pytest.param(
            "counter-attack-on-mortain", {"B9": "K1"}, "axis", "K1 L1", id="M2 mortain: saint-hilaire"
        ),
        pytest.param("montelimar", {"A7": "B3", "b2": "A1"}, "axis", "B3 b2", id="M2 montelimar: bonlieu"),
        pytest.param("montelimar", {"A7": "L3", "l2": "M1"}, "axis", "L3 l2", id="M2 montelimar: grane"),
    ],
)
def test_a_temporary_medal_is_held_while_the_place_is(
    name: str, moved: dict[str, str], side: str, step: str
) -> None:
    start, end = step.split()
    number = ("allies", "axis").index(side)
    s = field(name, moved, first=side, **{side: (HQ, HQ), ("axis", "allies")[number]: ("probe-center",)})
    before = s.total(number)
    s = play(order(play(s, f"card {HQ}"), start), f"move {step}")
    assert s.total(number) == before + 1
    s = next_turn(play(next_turn(s), "card probe-center"))
    assert s.total(number) == before + 1
    s = play(order(play(s, f"card {HQ}"), end), f"move {end} {start}")
    assert s.total(number) == before


@pytest.mark.parametrize(
    ("name", "moved", "step"),
    [
        pytest.param("liberation-of-paris", {"b2": "D9"}, "D9 C9", id="M3 paris, left"),
        pytest.param("liberation-of-paris", {"b2": "G9"}, "G9 F9", id="M3 paris, center"),
        pytest.param("liberation-of-paris", {"b2": "I9"}, "I9 J9", id="M3 paris, right"),
        pytest.param("pointe-du-hoc", {"A3": "I9"}, "I9 J9", id="M3 pointe-du-hoc, first wood"),
        pytest.param("pointe-du-hoc", {"A3": "L9"}, "L9 K9", id="M3 pointe-du-hoc, second wood"),
    ],
)
def test_a_permanent_medal_is_kept_when_the_place_is_left(
    name: str, moved: dict[str, str], step: str
) -> None:
    start, end = step.split()
    s = field(name, moved, allies=(HQ, HQ), axis=("probe-center",))
    s = play(order(play(s, f"card {HQ}"), start), f"move {step}")
    assert s.total(0) == 1
    s = next_turn(play(next_turn(s), "card probe-center"))
    s = play(order(play(s, f"card {HQ}"), end), f"move {end} {start}")
    assert s.total(0) == 1


# Battles without special rules


@pytest.mark.parametrize("name", ["arracourt", "operation-cobra", "liberation-of-paris"])
def test_some_battles_need_no_special_rule(name: str) -> None:
    """R17: nothing but ground, units, hands and medals."""
    battle = battle_of(name)
    assert (battle.airdrop, battle.card_uses, battle.causeway) == (None, (), ())
    assert (battle.options, battle.victory_needs) == ({}, ())
    assert all(not h.traits for h in battle.hexes.values())
    assert all(not side.growth for side in battle.sides)
    assert {unit.medals for unit in battle.units} == {1}
    assert field(name).setup.air_dice == (2, 1)  # V41
