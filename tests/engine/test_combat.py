"""Who may battle whom, and with how many dice (rules R49-R66)."""

from __future__ import annotations

import random

import pytest

from engine import IllegalDecision, State, apply, combat, fields
from engine.hexes import grid
from tests.drawing import asked, choices, events, figures_at, play, position
from tests.questions import attack, attacks, dice, fighting, march, ordered

EAST = ("G5", "H5", "I5", "J5", "K5", "L5", "M5")


def roll(attacker: str, target: str, distance: int = 1, *, card: str = "direct-from-hq") -> int:
    """Dice of an attack from G5 to the east; each unit is written as `terrain : type`, or the type alone."""
    here, there = (f"open : {unit}" if " : " not in unit else unit for unit in (attacker, target))
    place = EAST[distance]
    text = f"G5 {here.replace(' : ', ' : allies ')}\n{place} {there.replace(' : ', ' : axis ')}"
    return dice(fighting(text, "G5", card=card), "G5", place)


# Limits of a battle


def test_battles_are_fought_in_any_sequence_and_are_optional() -> None:
    """R49: the player picks the next unit; he may also leave it at that."""
    s = fighting("F5 allies infantry\nH5 allies infantry\ng6 axis infantry", "F5", "H5")
    assert choices(s) == ["attack F5 g6", "attack H5 g6", "done"]
    assert asked(play(s, "done")) == "draw"
    s = attack(s, "H5", "g6", "star", "star", "star")
    assert choices(s) == ["attack F5 g6", "done"]


def test_a_battle_is_resolved_before_the_next_is_declared() -> None:
    """R49: while a retreat is open no other unit may attack."""
    s = fighting("F5 allies infantry\nH5 allies infantry\ng6 axis infantry", "F5", "H5")
    s = attack(s, "H5", "g6", "flag", "star", "star")
    assert choices(s) == ["retreat g6 G7", "retreat g6 H7"]
    s = play(s, "retreat g6 G7", "stay")
    assert choices(s, "attack") == ["attack F5 G7"]


def test_a_unit_battles_once_a_turn() -> None:
    """R50: after its battle the turn is over for it."""
    s = attack(fighting("G5 allies armor\nH5 axis armor", "G5"), "G5", "H5", "star", "star", "star")
    assert asked(s) == "draw"


def test_a_battle_has_one_target_and_all_dice() -> None:
    """R51: dice are not split among enemies: one target is named, the other keeps its figures."""
    s = fighting("G5 allies infantry\nH5 axis infantry\ng6 axis infantry", "G5")
    assert attacks(s) == ["attack G5 H5", "attack G5 g6"]
    s = attack(s, "G5", "H5")
    assert asked(s) == "roll 3"
    s = play(s, "roll infantry grenade grenade")
    assert (figures_at(s, "H5"), figures_at(s, "g6")) == (1, 4)


@pytest.mark.parametrize("kind", ["infantry", "armor", "artillery"])
def test_losses_do_not_change_the_dice(kind: str) -> None:
    """R52, Q71: one figure battles like a full unit."""
    assert roll(f"{kind} 1", "infantry") == 3


# The lock of close assault


@pytest.mark.parametrize("kind", ["infantry", "armor", "artillery", "special-forces", "half-track"])
def test_a_unit_next_to_an_enemy_must_fight_a_neighbour(kind: str) -> None:
    """R53, R54: whoever has an enemy beside him cannot fire farther, guns included."""
    s = fighting(f"G5 allies {kind}\nH5 axis infantry\nE5 axis infantry\nf4 axis infantry", "G5")
    assert attacks(s) == ["attack G5 H5", "attack G5 f4"]


def test_close_assault_is_next_door_and_fire_is_farther() -> None:
    """R53: only the neighbour could be ambushed; the distant target could not."""
    assert play(fighting("G5 allies infantry\nH5 axis infantry", "G5"), "attack G5 H5").phase == "react"
    assert play(fighting("G5 allies infantry\nI5 axis infantry", "G5"), "attack G5 I5").phase == "roll"


def test_a_neighbour_out_of_reach_of_the_dice_still_locks() -> None:
    """R54, Q85: no die against the neighbour in the forest, so no battle at all."""
    text = "G5 town : allies armor\nE5 axis infantry"
    assert attacks(fighting(text, "G5")) == ["attack G5 E5"]
    assert attacks(fighting(f"{text}\nH5 forest : axis infantry", "G5")) == []


def test_the_lock_is_judged_when_the_battle_is_declared() -> None:
    """R55: an earlier battle that removes the neighbour frees the unit to fire."""
    s = fighting("G5 allies infantry\ng6 allies infantry\nH5 axis infantry 1\nE5 axis infantry", "G5", "g6")
    assert attacks(s) == ["attack G5 H5", "attack g6 H5"]
    s = attack(s, "g6", "H5", "grenade", "star", "star")
    s = play(s, "stay")
    assert attacks(s) == ["attack G5 E5"]


def test_a_neighbour_that_is_driven_off_frees_the_unit_too() -> None:
    """R55: the retreat of the neighbour opens the field of fire."""
    s = fighting("G5 allies infantry\nF5 allies infantry\nf6 axis infantry\nI5 axis infantry", "G5", "F5")
    assert attacks(s) == ["attack F5 f6", "attack G5 f6"]
    s = attack(s, "F5", "f6", "flag", "flag", "star")
    s = play(s, "retreat f6 F7 e8", "stay")
    assert attacks(s) == ["attack G5 I5", "attack G5 e8"]


def test_an_attack_is_declared_before_it_is_rolled() -> None:
    """R56: the event names unit, target, dice, bonus, own penalty and cover; then the dice are due."""
    s = fighting("G5 wire : allies infantry\nH5 town : axis infantry", "G5")
    (event,) = events(s, "attack G5 H5")
    said = fields(event)
    assert (said["event"], said["unit"], said["target"]) == ("attack", 0, 1)
    assert [said[name] for name in ("dice", "bonus", "penalty", "cover")] == [1, 0, 1, 1]
    assert asked(attack(s, "G5", "H5")) == "roll 1"


def test_the_target_does_not_roll() -> None:
    """R57: when the dice have missed, nothing further is rolled."""
    s = attack(fighting("G5 allies infantry\nH5 axis armor", "G5"), "G5", "H5", "star", "star", "infantry")
    assert asked(s) == "draw"
    assert (figures_at(s, "G5"), figures_at(s, "H5")) == (4, 3)


# Base dice


@pytest.mark.parametrize(
    ("kind", "table"),
    [
        pytest.param("infantry", [3, 2, 1, 0, 0, 0], id="R58 infantry"),
        pytest.param("special-forces", [3, 2, 1, 0, 0, 0], id="R58 special forces"),
        pytest.param("resistance", [3, 2, 1, 0, 0, 0], id="R58 resistance"),
        pytest.param("armor", [3, 3, 3, 0, 0, 0], id="R58 armor"),
        pytest.param("elite-armor", [3, 3, 3, 0, 0, 0], id="R58 elite armor"),
        pytest.param("artillery", [3, 3, 2, 2, 1, 1], id="R58 artillery"),
        pytest.param("half-track", [2, 2, 0, 0, 0, 0], id="U45 half-track"),
    ],
)
def test_dice_by_distance(kind: str, table: list[int]) -> None:
    """R58, R59: dice at 1 to 6 hexes; none beyond the range."""
    assert [roll(kind, "infantry", distance) for distance in range(1, 7)] == table


def test_artillery_does_not_reach_seven_hexes() -> None:
    """R59: the last column of its table is the sixth."""
    s = fighting("F5 allies artillery\nM5 axis infantry", "F5")
    assert attacks(s) == []


def test_extra_dice_do_not_extend_the_range() -> None:
    """R59: Firefight adds a die within range and nothing beyond it."""
    assert [roll("infantry", "infantry", d, card="firefight") for d in (2, 3, 4)] == [3, 2, 0]
    assert [roll("artillery", "infantry", d, card="firefight") for d in (5, 6)] == [2, 2]
    s = fighting("G5 allies infantry\nK5 axis infantry", "G5")
    assert combat.dice_for(s, 0, 1, bonus=2) == 0


# Modifiers


@pytest.mark.parametrize(
    ("attacker", "target", "distance", "expected"),
    [
        pytest.param("infantry", "forest : infantry", 2, 1, id="Q57 infantry at 2 into forest"),
        pytest.param("infantry", "forest : infantry", 1, 2, id="Q59 infantry next to forest"),
        pytest.param("armor", "town : infantry", 3, 1, id="Q60 armor at 3 into town"),
        pytest.param("town : armor", "infantry", 1, 1, id="Q61 armor out of a town"),
        pytest.param("town : armor", "hill : infantry", 1, 0, id="Q62 armor out of a town up a hill"),
        pytest.param("armor", "hill + bunker axis : infantry", 1, 1, id="Q64 armor below a bunker on a hill"),
        pytest.param("armor", "town + sandbags : infantry", 1, 1, id="Q65 armor against town with sandbags"),
        pytest.param("infantry", "town + sandbags : infantry", 1, 2, id="Q66 infantry against the same"),
        pytest.param("artillery", "bunker axis : infantry", 4, 2, id="Q67 artillery at 4 on a bunker"),
        pytest.param("infantry", "hill : infantry", 2, 1, id="Q69 infantry at 2 up a hill"),
        pytest.param("wire : infantry", "sandbags : infantry", 1, 1, id="Q70 infantry in wire at sandbags"),
        pytest.param("armor 1", "infantry", 1, 3, id="Q71 one tank"),
        pytest.param("hill : infantry", "forest : infantry", 2, 1, id="Q72 from a hill into forest at 2"),
    ],
)
def test_rulings_on_dice(attacker: str, target: str, distance: int, expected: int) -> None:
    """R60, R61, R62: base dice less the own penalty less the largest cover."""
    assert roll(attacker, target, distance) == expected


@pytest.mark.parametrize("owner", ["", " allies"])
def test_a_bunker_nobody_is_named_for_protects_everybody(owner: str) -> None:
    """T40c, Q74: a tank rolls 1 die at infantry of either side in it, and a flag may be ignored."""
    s = fighting(f"G5 axis armor\nH5 bunker{owner} : allies infantry", "G5", first="axis")
    assert dice(s, "G5", "H5") == 1
    assert asked(attack(s, "G5", "H5", "flag")) == "ignore"


def test_an_attack_with_no_dice_is_not_declared() -> None:
    """R60: infantry at 3 into a forest has none left, and so has armor from town to town."""
    assert roll("infantry", "forest : infantry", 3) == 0
    assert roll("town : armor", "town : infantry", 1) == 0


def test_own_penalty_and_cover_add_up() -> None:
    """R61: infantry in wire against infantry in a forest: 3 - 1 - 1."""
    assert roll("wire : infantry", "forest : infantry") == 1
    assert roll("wire : infantry", "forest : infantry", 2) == 0


@pytest.mark.parametrize(
    ("ground", "infantry", "armor"),
    [
        ("forest + sandbags", 2, 1),
        ("hill + sandbags", 2, 2),
        ("hill + bunker", 2, 1),
        ("town + bunker + sandbags", 2, 1),
        ("hill-forest", 2, 1),
        ("hill-town + sandbags", 2, 1),
        ("beach + sea-wall", 2, 2),
        ("hedgerow + sea-wall + sandbags", 2, 1),
    ],
)
def test_only_the_largest_cover_counts(ground: str, infantry: int, armor: int) -> None:
    """R62: terrain and obstacles of one hex never add."""
    assert roll("infantry", f"{ground} : infantry") == infantry
    assert roll("armor", f"{ground} : infantry") == armor


def test_of_two_own_penalties_the_larger_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """R63: were wire to hinder tanks as well, a tank in a wired town would still lose only 2."""
    assert roll("town + wire : armor", "infantry") == 1
    monkeypatch.setattr(combat, "_WIRE_PENALTY", (1, 1, 0))
    assert roll("town + wire : armor", "infantry") == 1
    monkeypatch.setattr(combat, "_WIRE_PENALTY", (1, 3, 0))
    assert roll("town + wire : armor", "infantry") == 0


@pytest.mark.parametrize(
    ("here", "there", "expected"),
    [
        ("open", "hill", 2),
        ("hill", "hill", 3),
        ("mountain", "hill", 3),
        ("hill", "open", 3),
        ("hill", "mountain", 1),
        ("mountain", "mountain", 3),
        ("hill", "dune", 3),
        ("beach", "cliff", 2),
        ("open", "steep-hill", 2),
    ],
)
def test_height_protects_against_attackers_below(here: str, there: str, expected: int) -> None:
    """R64: from the same or a higher elevation a hill gives no cover."""
    assert roll(f"{here} : infantry", f"{there} : infantry") == expected


@pytest.mark.parametrize(
    "ground", ["forest", "hedgerow", "hill", "town", "church", "dune", "cliff", "steep-hill", "mountain"]
)
def test_artillery_ignores_cover(ground: str) -> None:
    """R65: guns roll their full dice into every terrain and obstacle."""
    assert [roll("artillery", f"{ground} : infantry", d) for d in (1, 3)] == [3, 2]
    assert roll("artillery", f"{ground} + bunker + sandbags : infantry", 2) == 3


@pytest.mark.parametrize("ground", ["town", "church", "wire", "town + wire", "forest", "hill"])
def test_artillery_has_no_penalty_of_its_own(ground: str) -> None:
    """R65: penalties of the own hex touch guns only where they name them."""
    assert roll(f"{ground} : artillery", "infantry", 3) == 2


def test_extra_dice_count_before_the_check_for_none() -> None:
    """R66: with Armor Assault a tank in a town rolls one die up a hill, where it had none."""
    assert roll("town : armor", "hill : infantry") == 0
    assert roll("town : armor", "hill : infantry", card="armor-assault") == 1
    assert roll("town : armor", "forest : infantry", card="armor-assault") == 0


def test_what_cannot_be_declared_is_refused() -> None:
    """R60, R53: apply takes exactly what is listed."""
    s = fighting("G5 town : allies armor\nH5 forest : axis infantry", "G5")
    assert asked(s) == "draw"
    s = fighting("G5 allies infantry\nH5 axis infantry\nE5 axis infantry", "G5")
    before = s.answers
    with pytest.raises(IllegalDecision):
        apply(s, ("attack", s.pos[0], s.setup.grid.parse("E5")))
    assert s.answers == before


def test_a_moved_unit_may_battle_from_its_new_place() -> None:
    """R49, R53: range and lock are judged where the unit stands when it battles."""
    s = ordered("F5 allies infantry\nI5 axis infantry\nG7 axis infantry", "F5")
    assert attacks(march(s, "F5", "G5")) == ["attack G5 G7", "attack G5 I5"]
    assert dice(march(s, "F5", "G5"), "G5", "I5") == 2


# Random boards against the tables of the rulebook

COVER = {
    "forest": (1, 2, 0), "hedgerow": (1, 2, 0), "town": (1, 2, 0), "church": (1, 2, 0),
    "hill-forest": (1, 2, 0), "hill-town": (1, 2, 0), "bunker": (1, 2, 0),
    "sandbags": (1, 1, 0), "sea-wall": (1, 1, 0),
}  # fmt: skip
HEIGHTS = {"hill": 1, "dune": 1, "cliff": 1, "steep-hill": 1, "hill-forest": 1, "hill-town": 1, "mountain": 2}
TABLES = {"infantry": (3, 2, 1), "armor": (3, 3, 3), "artillery": (3, 3, 2, 2, 1, 1)}
CLASSES = tuple(TABLES)


def random_board(luck: random.Random) -> State:
    """Random ground and obstacles everywhere, and a unit on every third hex or so."""
    grounds = ("open", "beach", "hedgerow", "forest", "town", "church", *HEIGHTS)
    things = ("wire", "sandbags", "bunker", "bunker allies", "bunker axis", "hedgehog", "sea-wall")
    lines = []
    for label in grid("standard").labels:
        extra = "".join(f" + {thing}" for thing in things if luck.random() < 0.1)
        unit = f" : {luck.choice(('allies', 'axis'))} {luck.choice(CLASSES)}" if luck.random() < 0.35 else ""
        lines.append(f"{label} {luck.choice(grounds)}{extra}{unit}")
    return position("\n".join(lines))


def by_the_book(s: State, unit: int, target: int) -> int:
    """Base dice less the larger own penalty less the largest cover (R58-R65)."""
    battle, board = s.setup.battle, s.setup.board
    one, other = battle.units[unit], battle.units[target]
    here, there = board.facts[s.pos[unit]], board.facts[s.pos[target]]
    distance = s.setup.grid.distance(s.pos[unit], s.pos[target])
    if distance > len(TABLES[one.type]):
        return 0
    arm = CLASSES.index(one.type)
    covers = [COVER.get(there.terrain, (0, 0, 0))[arm]]
    covers += [COVER.get(key, (0, 0, 0))[arm] for key, owner in there.features if owner in (None, other.side)]
    height = HEIGHTS.get(there.terrain, 0)
    if height > HEIGHTS.get(here.terrain, 0) and one.type != "artillery":
        covers.append(height)  # R64; a mountain counts 2
    penalties = [0]
    if here.terrain in ("town", "church", "hill-town") and one.type == "armor":
        penalties.append(2)
    if "wire" in dict(here.features) and one.type == "infantry":
        penalties.append(1)
    return TABLES[one.type][distance - 1] - max(penalties) - max(covers)


def test_dice_on_random_boards() -> None:
    """R58, R59, R60, R61, R62, R64, R65, U7, T40c, T42b: every pair of enemies in range."""
    pairs = 0
    for seed in range(12):
        s = random_board(random.Random(seed))
        for unit in s.units_of(0):
            for target in s.units_of(1):
                wanted = by_the_book(s, unit, target)
                assert combat.dice_for(s, unit, target, 0) == wanted, (seed, unit, target)
                pairs += wanted > 0
    assert pairs > 1000
