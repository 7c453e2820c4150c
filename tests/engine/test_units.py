"""The units of the base box, and the tokens of half-tracks (rules U1-U11, U45, U46)."""

from __future__ import annotations

import pytest

from engine import State, apply, legal, new_game
from engine.terrain import ARMOR, ARTILLERY, INFANTRY, Arm
from engine.units import UNITS
from tests.drawing import (
    answer,
    asked,
    choices,
    draw_battle,
    events,
    figures_at,
    play,
    position,
    reach,
    unit_at,
)
from tests.questions import attack, attacks, dice, fighting, march, ordered


@pytest.mark.parametrize(
    ("key", "arm", "figures", "march_", "reach_", "table"),
    [
        pytest.param("infantry", INFANTRY, 4, 1, 2, (3, 2, 1), id="R58 infantry"),
        pytest.param("special-forces", INFANTRY, 4, 2, 2, (3, 2, 1), id="U3 elite infantry"),
        pytest.param("resistance", INFANTRY, 3, 1, 2, (3, 2, 1), id="U8 resistance"),
        pytest.param("armor", ARMOR, 3, 3, 3, (3, 3, 3), id="R58 armor"),
        pytest.param("elite-armor", ARMOR, 4, 3, 3, (3, 3, 3), id="U4 elite armor"),
        pytest.param("artillery", ARTILLERY, 2, 0, 1, (3, 3, 2, 2, 1, 1), id="U5 artillery"),
        pytest.param("half-track", ARMOR, 3, 2, 2, (2, 2), id="U45 half-track"),
    ],
)
def test_the_table_of_units(
    key: str, arm: Arm, figures: int, march_: int, reach_: int, table: tuple[int, ...]
) -> None:
    """R13, R38, R58: class, figures, movement with and without battle, dice by distance."""
    row = UNITS[key]
    assert (row.arm, row.figures, row.march, row.reach, row.dice) == (arm, figures, march_, reach_, table)
    assert row.needs_sight is (arm is not ARTILLERY)
    assert row.takes_ground is (arm is not ARTILLERY)
    assert row.overruns is (key in ("armor", "elite-armor"))


# Strength and class


def test_the_scenario_sets_the_strength_of_a_unit() -> None:
    """U1: a number on the map is the strength at the start, and the most that can be healed."""
    s = position("G5 allies infantry 2\nH5 axis infantry", first="axis", card="direct-from-hq")
    assert (figures_at(s, "G5"), s.setup.strength[0]) == (2, 2)
    s = attack(play(s, "order H5", "done"), "H5", "G5", "infantry", "star", "star")
    s = play(s, "draw ?", "card medics-and-mechanics", "heal G5", "roll infantry star star star")
    assert figures_at(s, "G5") == 2


@pytest.mark.parametrize(
    ("kind", "faces"),
    [
        ("infantry", ("infantry", "grenade")),
        ("special-forces", ("infantry", "grenade")),
        ("resistance", ("infantry", "grenade")),
        ("armor", ("armor", "grenade")),
        ("elite-armor", ("armor", "grenade")),
        ("artillery", ("grenade",)),
        ("half-track", ("armor", "grenade")),
    ],
)
def test_special_units_follow_the_rules_of_their_class(kind: str, faces: tuple[str, ...]) -> None:
    """U2, U45: badges mark a unit; what hits it is what hits its class."""
    for face in ("infantry", "armor", "grenade", "star"):
        s = fighting(f"G5 allies artillery\nI5 axis {kind}", "G5")
        s = attack(s, "G5", "I5", face, "star", "star")
        assert s.setup.strength[1] - figures_at(s, "I5") == (face in faces)


def test_cards_order_special_units_with_their_class() -> None:
    """U2: elite infantry is infantry, elite armor is armor."""
    s = position("G5 allies special-forces\nH5 allies infantry\nF5 allies armor", card="infantry-assault")
    assert choices(play(s, "section center"), "order") == ["order G5", "order H5"]
    s = position("G5 allies elite-armor\nH5 allies armor\nF5 allies infantry", card="armor-assault")
    assert choices(s, "order") == ["order G5", "order H5"]


def test_badges_alone_have_no_rules() -> None:
    """U2, R16: a badge on a unit changes nothing that may be done; its type does."""
    plain = draw_battle(
        "G5 allies infantry\nI5 axis infantry",
        shape="standard", face="country", first="allies", top="axis", medals=(4, 4), sizes=(1, 1),
    )  # fmt: skip
    marked = plain._replace(units=tuple(unit._replace(nation="ranger") for unit in plain.units))
    turns = ("draw move-out", "draw ?", "card move-out", "order G5", "move G5 H5", "attack H5 I5")
    ways = [
        [legal(play(new_game(battle), *turns[:n])) for n in range(len(turns) + 1)]
        for battle in (plain, marked)
    ]
    assert ways[0] == ways[1]


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("infantry", 2),
        ("special-forces", 2),
        ("resistance", 2),
        ("armor", 1),
        ("elite-armor", 1),
        ("half-track", 0),
        ("artillery", 3),
    ],
)
def test_the_class_decides_which_cover_counts(kind: str, expected: int) -> None:
    """U7: infantry loses 1 die against a forest, everything of the armor class 2, guns none."""
    s = fighting(f"G5 allies {kind}\nH5 forest : axis infantry", "G5")
    assert dice(s, "G5", "H5") == expected


# Elite infantry and elite armor


def test_elite_infantry_moves_two_and_battles() -> None:
    """U3, Q17: on open ground; a forest stops it and forbids the battle all the same."""
    s = ordered("G5 allies special-forces\nK5 axis infantry", "G5")
    assert attacks(march(s, "G5", "H5", "I5")) == ["attack I5 K5"]
    s = ordered("G5 allies special-forces\nI5 forest\nJ5 axis infantry", "G5")
    assert attacks(march(s, "G5", "H5", "I5")) == []
    s = ordered("G5 allies special-forces\nH5 forest", "G5")
    assert not any(c.startswith("move G5 H5 ") for c in choices(s, "move"))


def test_plain_infantry_moves_two_and_does_not_battle() -> None:
    """R38, Q16: an enemy is now beside it, and still there is no battle."""
    s = ordered("G5 allies infantry\nJ5 axis infantry", "G5")
    assert asked(march(s, "G5", "H5", "I5")) == "draw"


def test_elite_armor_is_armor_with_four_figures() -> None:
    """U4: nothing but the number changes."""
    elite, plain = UNITS["elite-armor"], UNITS["armor"]
    assert elite.figures == 4
    for name in ("arm", "march", "reach", "dice", "overruns", "takes_ground", "flag_steps", "needs_sight"):
        assert getattr(elite, name) == getattr(plain, name)


# Artillery


def test_a_gun_that_has_moved_does_not_battle() -> None:
    """U5: not even one hex."""
    s = ordered("G5 allies artillery\nJ5 axis infantry", "G5")
    assert attacks(play(s, "done")) == ["attack G5 J5"]
    assert asked(march(s, "G5", "F5")) == "draw"


def test_a_gun_beside_an_enemy_is_locked() -> None:
    """U5, R54: it may not shell anybody else."""
    s = fighting("G5 allies artillery\nH5 axis infantry\nL5 axis infantry", "G5")
    assert attacks(s) == ["attack G5 H5"]


def test_shells_ignore_cover_but_not_the_right_to_stay() -> None:
    """U6: full dice into a church with sandbags, and one flag may still be ignored."""
    s = fighting("G5 allies artillery\nI5 church + sandbags : axis infantry", "G5")
    assert dice(s, "G5", "I5") == 3
    s = attack(s, "G5", "I5", "flag", "flag", "star")
    assert choices(s) == ["ignore 0", "ignore 1"]


def test_guns_need_no_sight() -> None:
    """R67, U5: forests and units between do not matter."""
    s = fighting("G5 allies artillery\nH5 forest\nI5 allies infantry\nK5 axis infantry", "G5")
    assert dice(s, "G5", "K5") == 2


# French Resistance


def test_resistance_battles_out_of_the_forest_it_has_entered() -> None:
    """U8: after stopping there; it has three figures."""
    s = ordered("G5 allies resistance\nH5 forest\nI5 axis infantry", "G5")
    assert figures_at(s, "G5") == 3
    assert not any(c.startswith("move G5 H5 ") for c in choices(s, "move"))
    assert attacks(march(s, "G5", "H5")) == ["attack H5 I5"]


@pytest.mark.parametrize("ground", ["forest", "town", "church", "hedgerow"])
def test_resistance_takes_no_ground_after_stopping(ground: str) -> None:
    """U8, R109: it battles from the hex it had to stop in, but does not advance."""
    s = ordered(f"G5 allies resistance\nH5 {ground}\nI5 axis infantry 1\nA9 axis infantry", "G5")
    s = attack(march(s, "G5", "H5"), "H5", "I5", "grenade", "star", "star")
    assert asked(s) == "draw"
    s = fighting("G5 forest : allies resistance\nH5 axis infantry 1\nA9 axis infantry", "G5")
    assert choices(attack(s, "G5", "H5", "grenade", "star", "star")) == ["ground H5", "stay"]


FLAG = ("flag", "star", "star")


def retreats(flags: int, ground: str = "") -> State:
    """Resistance eight rows from its baseline is hit by flags."""
    text = f"G9 {ground or 'open'} : allies resistance\nI9 axis artillery\nA1 axis infantry"
    s = fighting(text, "I9", first="axis")
    return attack(s, "I9", "G9", *("flag",) * flags, *("star",) * (3 - flags))


def lengths(s: State) -> set[int]:
    """How many hexes the routes have that may be chosen."""
    return {len(choice.split()) - 2 for choice in choices(s, "retreat")}


@pytest.mark.parametrize(("flags", "expected"), [(1, {1, 2, 3}), (2, {2, 3, 4, 5, 6})])
def test_resistance_retreats_one_to_three_hexes_for_a_flag(flags: int, expected: set[int]) -> None:
    """U9: the owner chooses the total."""
    assert lengths(retreats(flags)) == expected


def test_only_the_shortest_retreat_can_cost_resistance_figures() -> None:
    """U9: with room for one step and two flags one figure is lost; extra steps cost nothing."""
    text = "f2 allies resistance\nG1 allies infantry\nF1 open\nh2 axis artillery"
    s = attack(fighting(text, "h2", first="axis"), "h2", "f2", "flag", "flag", "star")
    assert (figures_at(s, "F1"), unit_at(s, "f2")) == (2, None)
    s = attack(fighting("f2 allies resistance\nh2 axis artillery", "h2", first="axis"), "h2", "f2", *FLAG)
    assert lengths(s) == {1}
    assert figures_at(play(s, "retreat f2 F1"), "F1") == 3


def test_resistance_that_moves_two_does_not_battle() -> None:
    """U10: it marches like plain infantry."""
    s = ordered("G5 allies resistance\nJ5 axis infantry", "G5")
    assert attacks(march(s, "G5", "H5", "I5")) == []
    assert attacks(march(s, "G5", "H5")) == ["attack H5 J5"]


def test_resistance_may_ignore_a_flag_and_run_for_the_other() -> None:
    """U11: in a church with two flags it goes 1 to 3 hexes, or ignores none and goes 2 to 6."""
    s = retreats(2, "church")
    assert lengths(play(s, "ignore 1")) == {1, 2, 3}
    assert lengths(play(s, "ignore 0")) == {2, 3, 4, 5, 6}


# Half-tracks


def test_half_tracks_move_two_and_battle_at_two() -> None:
    """U45: two dice up to two hexes; they take ground and do not overrun."""
    s = ordered("G5 allies half-track\nK5 axis infantry", "G5")
    assert "J5" not in reach(s, "G5")
    assert dice(march(s, "G5", "H5", "I5"), "I5", "K5") == 2
    s = fighting("G5 allies half-track\nH5 axis infantry 1\nJ5 axis infantry", "G5")
    s = attack(s, "G5", "H5", "grenade", "star")
    assert choices(s) == ["ground H5", "stay"]
    assert asked(play(s, "ground H5")) == "draw"


@pytest.mark.parametrize("figures", [1, 2, 3])
def test_half_tracks_have_as_many_figures_as_the_scenario_prints(figures: int) -> None:
    """U45: one to three."""
    assert figures_at(position(f"G5 allies half-track {figures}"), "G5") == figures


def test_three_half_tracks_make_a_medal() -> None:
    """U46: each eliminated unit is a token, whatever its figures; the third token becomes a medal."""
    text = "G1 allies infantry\nH1 allies infantry\nI1 allies infantry\nA9 axis infantry"
    targets = {"G1": "g2", "H1": "h2", "I1": "i2"}
    drawing = "\n".join([text, *(f"{label} axis half-track 1" for label in targets.values())])
    s = play(position(drawing), "order G1", "order H1", "order I1", "done")
    found = []
    for number, (here, there) in enumerate(targets.items(), start=1):
        s = attack(s, here, there, "grenade", "star", "star")
        found.append((s.tokens[0], s.score[0]))
        if number < 3:
            s = play(s, "stay")
    assert found == [(1, 0), (2, 0), (0, 1)]


def test_a_lost_half_track_is_told_as_a_token() -> None:
    """U46: the event names the side that gets it, and no medal is given."""
    s = fighting("G5 allies armor\nH5 axis half-track 1\nA9 axis infantry", "G5")
    told = events(attack(s, "G5", "H5"), "roll grenade star star")
    assert ("token", 0, 1, 1) in told
    assert not [event for event in told if event[0] == "medal"]
    assert apply(s, answer(s, "attack G5 H5")).state.tokens == (0, 0)
