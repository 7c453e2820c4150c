"""Every battle that ships: its positions and counts against the facts, its looks, its words.

`engine/facts.json` was extracted from the collected scenario facts, not from our documents: exact hexes, and
beside them the totals that the source itself gives, so that a slip on either side shows.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from engine.battle import SIDES, Airdrop, Battle, CardUse, parse_options
from engine.ground import SHORE
from engine.hexes import grid
from engine.scenario import parse_battle
from engine.terrain import TERRAINS
from engine.units import UNITS
from pbem.library import load_battle, scenario_names, scenario_text

HERE = Path(__file__).parent
FACTS: dict[str, Any] = json.loads((HERE / "engine" / "facts.json").read_text(encoding="utf-8"))
BASE = [name for name in FACTS if name != "line-of-sight"]
PRINTED = ("beach", "ocean")  # ground of the beach face, which the facts do not list


def battle_of(name: str) -> Battle:
    """A battle of the library, or the board of line-of-sight examples."""
    if name == "line-of-sight":
        path = HERE / "engine" / "fixtures" / "line-of-sight.yaml"
        return parse_battle(path.read_text(encoding="utf-8"), name=path.name)
    return load_battle(name)


def joined(groups: dict[str, list[str]]) -> dict[str, str]:
    """Lists of hexes in the spelling of the facts."""
    return {key: " ".join(sorted(hexes)) for key, hexes in sorted(groups.items())}


def test_the_library_holds_the_sixteen_standard_battles_of_the_base_box() -> None:
    assert len(BASE) == 16
    assert set(BASE) <= set(scenario_names())


@pytest.mark.parametrize("name", FACTS)
def test_ground_lies_where_the_facts_say(name: str) -> None:
    battle, facts = battle_of(name), FACTS[name]
    terrain: dict[str, list[str]] = defaultdict(list)
    features: dict[str, list[str]] = defaultdict(list)
    owners: dict[str, list[str]] = defaultdict(list)
    traits: dict[str, list[str]] = defaultdict(list)
    for label, on in battle.hexes.items():
        if on.terrain not in (*PRINTED, "open"):
            terrain[on.terrain].append(label)
        for feature, owner in on.features:
            features[feature].append(label)
            if owner:
                owners[f"{owner} {feature}"].append(label)
        for trait in on.traits:
            traits[trait].append(label)
    assert joined(terrain) == facts["terrain"]
    assert joined(features) == facts["features"]
    assert joined(owners) == facts["owners"]
    assert joined(traits) == facts["traits"]


@pytest.mark.parametrize("name", FACTS)
def test_units_stand_where_the_facts_say(name: str) -> None:
    units: dict[str, list[str]] = defaultdict(list)
    for unit in battle_of(name).units:
        if unit.at is not None:
            units[f"{unit.side} {unit.type}, {unit.figures} figures, worth {unit.medals}"].append(unit.at)
    assert joined(units) == FACTS[name]["units"]


@pytest.mark.parametrize("name", FACTS)
def test_totals_equal_the_sources_own_totals(name: str) -> None:
    battle, counts = battle_of(name), FACTS[name]["counts"]
    hills = {"dune": "hill", "cliff": "hill", "steep-hill": "hill"}
    terrain = Counter(
        hills.get(on.terrain, on.terrain)
        for on in battle.hexes.values()
        if on.terrain not in (*PRINTED, "open")
    )
    assert terrain == counts["terrain"]
    assert Counter(key for on in battle.hexes.values() for key, _ in on.features) == counts["features"]
    for side in SIDES:
        units: Counter[str] = Counter()
        figures: Counter[str] = Counter()
        for unit in battle.units:
            if unit.side == side and unit.at is not None:
                arm = UNITS[unit.type].arm.name.lower()
                units[arm] += 1
                figures[arm] += unit.figures
        assert units == counts["units"][side]
        assert figures == counts["figures"][side]


@pytest.mark.parametrize("name", FACTS)
def test_hands_medals_and_heading_are_those_of_the_facts(name: str) -> None:
    battle, facts = battle_of(name), FACTS[name]
    for side, row in zip(SIDES, battle.sides, strict=True):
        nation = row.nation or "-"
        assert facts["sides"][side] == (f"{nation} at the {row.edge}, {row.cards} cards, {row.medals} medals")
    assert battle.shape == "standard"
    assert battle.key == name
    for field in ("face", "date", "front", "first"):
        assert getattr(battle, field) == facts[field]
    assert battle.year == int(facts["date"][:4])


@pytest.mark.parametrize("name", FACTS)
def test_objectives_are_those_of_the_facts(name: str) -> None:
    found = [
        f"{row.kind} {row.sides[0]} {row.need} of {' '.join(sorted(row.hexes))}, "
        f"{row.medals} medal, {row.check}"
        for row in battle_of(name).objectives
    ]
    assert found == FACTS[name]["objectives"]
    assert all(len(row.sides) == 1 for row in battle_of(name).objectives)


# Special rules, one by one


def test_pegasus_bridge_lets_the_axis_hand_grow_from_two_to_four() -> None:
    allies, axis = load_battle("pegasus-bridge").sides
    assert (axis.cards, axis.growth) == (2, (1, 1))
    assert (allies.cards, allies.growth) == (6, ())


def test_sainte_mere_eglise_drops_four_units_numbered_after_the_other_allies() -> None:
    battle = load_battle("sainte-mere-eglise")
    assert battle.airdrop == Airdrop(side="allies", units=(6, 7, 8, 9), steps=4, target="G5")
    for number in battle.airdrop.units:
        unit = battle.units[number]
        assert (unit.side, unit.type, unit.figures, unit.at) == ("allies", "infantry", 4, None)
    assert [unit.side for unit in battle.units] == ["allies"] * 10 + ["axis"] * 10


def test_mortain_plays_recon_as_air_power_while_hill_317_is_held() -> None:
    assert load_battle("counter-attack-on-mortain").card_uses == (
        CardUse("allies", "recon", "air-power", dice=2, in_section=True, while_holding=("L5", "k4")),
    )


def test_arnhem_has_a_long_bridge_entered_at_its_ends() -> None:
    battle = load_battle("arnhem-bridge")
    assert battle.causeway == ("I7", "h6", "H5", "g4", "G3")
    assert all(dict(battle.hexes[label].features) == {"bridge": None} for label in ("h6", "H5", "g4"))


def test_vassieux_uses_its_deck_once_and_then_the_axis_win() -> None:
    options = parse_options(load_battle("vassieux").options)
    assert not options.reshuffle
    assert options.exhausted_winner == "axis"


def test_the_sea_wall_of_omaha_belongs_to_nobody() -> None:
    hexes = load_battle("first-assault-wave").hexes  # T44
    assert dict(hexes["j4"].features) == dict(hexes["k4"].features) == {"sea-wall": None}


def test_other_battles_have_no_such_special_rules() -> None:
    with_one = {
        name
        for name in BASE
        if (b := load_battle(name)).airdrop or b.card_uses or b.causeway or b.options or b.sides[1].growth
    }
    assert with_one == {
        "arnhem-bridge",
        "counter-attack-on-mortain",
        "pegasus-bridge",
        "sainte-mere-eglise",
        "vassieux",
    }


@pytest.mark.parametrize("name", [name for name in BASE if FACTS[name]["face"] == "beach"])
def test_beach_boards_say_what_lies_on_every_hex_of_the_shore(name: str) -> None:
    battle, board = load_battle(name), grid("standard")
    for number, label in enumerate(board.labels):
        y = board.row(number)
        if y >= SHORE["standard"]:
            replaced = TERRAINS[battle.hexes[label].terrain].elevation > 0
            assert replaced or battle.hexes[label].terrain == ("beach" if y <= 6 else "ocean")


# Looks and words


@pytest.mark.parametrize("name", scenario_names())
def test_the_map_is_drawn_to_scale(name: str) -> None:
    """Cells every four characters, odd rows shifted by two, a ruler above and row numbers beside."""
    drawing = scenario_text(name).split("map: |\n")[1].split("\n\n")[0].split("\n")
    board = grid(load_battle(name).shape)
    assert drawing[0] == "  #  " + "   ".join(label[0] for label in board.labels[: board.columns])
    for y, line in enumerate(drawing[1:]):
        starts = [found.start() for found in re.finditer(r"\S+", line)][1:]
        assert starts == [5 + 4 * place + 2 * (y % 2) for place in range(board.columns - y % 2)]
        assert line.split()[0] == str(board.rows - y)


@pytest.mark.parametrize("name", scenario_names())
def test_every_battle_tells_its_story(name: str) -> None:
    battle = load_battle(name)
    words = battle.text
    assert len(words["history"].split()) >= 60
    for side in SIDES:
        assert 2 <= len(re.findall(r"[.:](?:\s|$)", words[side])) <= 6
    for text in words.values():
        assert not re.search(r"- |\s{2}|\n\n", text), "a hyphen at a line's end leaves a gap"
    assert all(len(line) <= 110 for line in scenario_text(name).split("\n"))
    assert not re.search(r"[ \t]+\n", scenario_text(name))


@pytest.mark.parametrize("name", scenario_names())
def test_words_name_only_hexes_that_exist_on_the_board(name: str) -> None:
    battle = load_battle(name)
    labels = set(grid(battle.shape).labels)
    for text in battle.text.values():
        for word in re.findall(r"\b[A-Ma-m][1-9]\b", text):
            assert word in labels
