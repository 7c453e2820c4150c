"""Armor overrun: rules R112-R120, rulings Q151-Q159, Q274."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import asked, choices, play, position, unit_at
from tests.engine.acting import ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def advanced(text: str, *, card: str = "direct-from-hq", options: dict[str, str] | None = None) -> State:
    """After armor at G5 has cleared H5 of a single figure and taken the ground."""
    s = position(FAR_AWAY + "G5 allies armor\n" + text, card=card, options=options)
    s = play(ready(s, "G5"), "attack G5 H5")
    if s.phase == "react":
        s = play(s, "pass")
    assert s.roll is not None
    return play(s, f"roll grenade{' star' * (s.roll.dice - 1)}", "ground H5")


def test_armor_that_took_ground_may_battle_once_more() -> None:
    """R112: at once, and only if it wants to."""
    s = advanced("H5 axis infantry 1\nI5 axis infantry")
    assert choices(s) == ["attack H5 I5", "pass"]
    assert s.seat == 0
    assert play(s, "pass").phase == "draw"


def test_without_take_ground_there_is_no_overrun() -> None:
    """Q156, R112: the tank stays, though another enemy is in reach."""
    s = position(FAR_AWAY + "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry")
    s = play(attack(ready(s, "G5"), "G5 H5", "grenade star star"), "stay")
    assert s.phase == "draw"


def test_the_overrun_may_fire_when_no_enemy_is_adjacent() -> None:
    """Q152, R113: an enemy at distance 3 in sight: 3 dice."""
    s = advanced("H5 axis infantry 1\nK5 axis infantry")
    assert choices(s) == ["attack H5 K5", "pass"]
    assert asked(play(s, "attack H5 K5")) == "roll 3"


def test_the_overrun_is_locked_by_adjacent_enemies() -> None:
    """R113: with an enemy next to the new hex the others are no targets."""
    s = advanced("H5 axis infantry 1\nh6 axis infantry\nK5 axis infantry")
    assert choices(s) == ["attack H5 h6", "pass"]


def test_the_overrun_obeys_sight_and_dice() -> None:
    """R113: an enemy behind a forest is no target, one in a town takes two dice away."""
    assert advanced("H5 axis infantry 1\nI5 forest\nJ5 axis infantry").phase == "draw"
    s = advanced("H5 axis infantry 1\nI5 town : axis infantry")
    assert asked(play(s, "attack H5 I5", "pass")) == "roll 1"


def test_a_second_take_ground_but_no_third_battle() -> None:
    """Q154, R114: the overrun clears I5, the tank may advance again, then it is done."""
    s = advanced("H5 axis infantry 1\nI5 axis infantry 1\nJ5 axis infantry")
    s = attack(s, "H5 I5", "grenade star star")
    assert choices(s) == ["ground I5", "stay"]
    s = play(s, "ground I5")
    assert unit_at(s, "I5") is not None
    assert s.phase == "draw"


def test_overrun_fire_takes_no_ground() -> None:
    """Q155, R114: the target at a distance is eliminated; the tank stays."""
    s = attack(advanced("H5 axis infantry 1\nJ5 axis infantry 1"), "H5 J5", "grenade star star")
    assert unit_at(s, "J5") is None
    assert s.phase == "draw"


def test_every_armor_unit_has_an_overrun_of_its_own() -> None:
    """R114: one per armor unit and turn; a second tank has its own."""
    s = position(
        FAR_AWAY
        + "G5 allies armor\nG3 allies armor\nH5 axis infantry 1\nH3 axis infantry 1\nJ5 axis infantry"
    )
    s = ready(s, "G5", "G3")
    s = play(attack(s, "G5 H5", "grenade star star"), "ground H5")
    s = attack(s, "H5 J5", "star star star")
    s = play(attack(s, "G3 H3", "grenade star star"), "ground H3")
    assert choices(s) == ["attack H3 J5", "pass"]


def test_the_overrun_is_finished_before_another_unit_battles() -> None:
    """R115: in the overrun and in the second advance only the tank has anything to decide."""
    s = position(
        FAR_AWAY
        + "G5 allies armor\nG3 allies infantry\nH5 axis infantry 1\nH3 axis infantry\nI5 axis infantry 1"
    )
    s = play(attack(ready(s, "G5", "G3"), "G5 H5", "grenade star star"), "ground H5")
    assert choices(s) == ["attack H5 I5", "pass"]
    s = attack(s, "H5 I5", "grenade star star")
    assert choices(s) == ["ground I5", "stay"]
    assert choices(play(s, "stay")) == ["attack G3 H3", "done"]


@pytest.mark.parametrize(
    ("card", "target", "options", "dice"),
    [
        pytest.param("armor-assault", "I5", {}, 4, id="R116 Armor Assault, adjacent"),
        pytest.param("armor-assault", "J5", {}, 3, id="R116 Armor Assault, at a distance"),
        pytest.param("close-assault", "I5", {}, 4, id="R116 Close Assault, adjacent"),
        pytest.param("close-assault", "I5", {"close_assault_overrun": "no"}, 3, id="R116 X4 switched off"),
        pytest.param("armor-assault", "I5", {"close_assault_overrun": "no"}, 4, id="R116 X4 is that card's"),
        pytest.param("close-assault", "J5", {}, 3, id="R116 Close Assault, at a distance"),
    ],
)
def test_card_dice_count_in_the_overrun_while_their_condition_holds(
    card: str, target: str, options: dict[str, str], dice: int
) -> None:
    s = advanced(f"H5 axis infantry 1\n{target} axis infantry", card=card, options=options)
    s = play(s, f"attack H5 {target}")
    assert asked(play(s, "pass") if s.phase == "react" else s) == f"roll {dice}"


@pytest.mark.parametrize(
    "ground", ["forest", "town", "church", "hedgerow", "hill-forest", "hill-town", "ocean"]
)
def test_terrain_that_forbids_battle_on_entry_forbids_the_overrun(ground: str) -> None:
    """Q151, R117: the ground is taken, though an enemy stands next to it nothing follows."""
    s = advanced(f"H5 {ground} : axis infantry 1\nI5 axis infantry")
    assert unit_at(s, "H5") is not None
    assert s.phase == "draw"


@pytest.mark.parametrize("ground", ["hill", "river + bridge", "beach", "open"])
def test_other_ground_allows_the_overrun(ground: str) -> None:
    """R117: from a hill, a bridge, a beach the tank goes on."""
    s = advanced(f"H5 {ground} : axis infantry 1\nI5 axis infantry")
    assert choices(s) == ["attack H5 I5", "pass"]


def test_wire_is_crushed_and_ends_the_advance_after_the_overrun() -> None:
    """Q157, R118: wire removed, overrun allowed, no second take ground."""
    s = advanced("H5 wire : axis infantry 1\nI5 axis infantry 1")
    assert s.marks[s.setup.grid.parse("H5")] == 0
    assert choices(s) == ["attack H5 I5", "pass"]
    s = attack(s, "H5 I5", "grenade star star")
    assert unit_at(s, "I5") is None
    assert s.phase == "draw"


@pytest.mark.parametrize("kind", ["infantry", "special-forces", "resistance", "half-track"])
def test_only_true_armor_overruns(kind: str) -> None:
    """R119: others may take the ground, and that is all."""
    s = position(FAR_AWAY + f"G5 allies {kind}\nH5 axis infantry 1\nI5 axis infantry")
    s = play(ready(s, "G5"), "attack G5 H5", "pass")
    assert s.roll is not None
    s = play(s, f"roll grenade{' star' * (s.roll.dice - 1)}", "ground H5")
    assert s.phase == "draw"


def test_elite_armor_overruns() -> None:
    """R119: it is armor."""
    s = position(FAR_AWAY + "G5 allies elite-armor\nH5 axis infantry 1\nI5 axis infantry")
    s = play(attack(ready(s, "G5"), "G5 H5", "grenade star star"), "ground H5")
    assert choices(s) == ["attack H5 I5", "pass"]


def test_an_overrun_in_close_assault_can_be_ambushed() -> None:
    """Q274, R120: the adjacent defender is asked; one at a distance is not."""
    s = position(
        FAR_AWAY + "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry",
        enemy_hand=("ambush", "probe-left"),
    )
    s = play(ready(s, "G5"), "attack G5 H5", "pass", "roll grenade star star", "ground H5", "attack H5 I5")
    assert choices(s) == ["card ambush", "pass"]
    s = play(s, "card ambush", "roll flag star star", "retreat H5 g4")
    assert unit_at(s, "g4") is not None
    assert s.phase == "draw"
    assert asked(play(advanced("H5 axis infantry 1\nJ5 axis infantry"), "attack H5 J5")) == "roll 3"


def test_an_ambushed_overrun_that_stands_goes_on() -> None:
    """R120: the tank loses a figure, carries its overrun out and may still take the ground."""
    s = position(
        FAR_AWAY + "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry 1",
        enemy_hand=("ambush", "probe-left"),
    )
    s = play(ready(s, "G5"), "attack G5 H5", "pass", "roll grenade star star", "ground H5", "attack H5 I5")
    s = play(s, "card ambush", "roll armor star star")
    assert asked(s) == "roll 3"
    assert choices(play(s, "roll grenade star star")) == ["ground I5", "stay"]


def test_a_tank_destroyed_by_an_ambush_in_its_overrun_is_gone() -> None:
    """R120, R125: the ambusher scores and the turn goes on without the tank."""
    s = position(
        FAR_AWAY
        + "G5 allies armor 1\nG3 allies infantry\nH5 axis infantry 1\nI5 axis infantry\nH3 axis infantry",
        enemy_hand=("ambush", "probe-left"),
    )
    s = play(ready(s, "G5", "G3"), "attack G5 H5", "pass", "roll grenade star star", "ground H5")
    s = play(s, "attack H5 I5", "card ambush", "roll grenade star star")
    assert s.score == (1, 1)
    assert choices(s) == ["attack G3 H3", "done"]


def test_the_last_medal_ends_the_game_before_any_advance() -> None:
    """Q159, R112: elimination gives the last medal needed: no take ground, no overrun, no draw."""
    s = position(FAR_AWAY + "G5 allies armor\nH5 axis infantry 1\nI5 axis infantry", medals=(1, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.phase, s.winner, s.reason) == ("over", 0, "medals")
    assert s.answers == ()
    assert len(s.hands[0]) == 0
