"""Take ground: rules R105-R111, rulings Q140-Q161, Q270."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import ObjectiveFacts, choices, events, figures_at, play, position, unit_at
from tests.engine.acting import ready
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"
OFFER = ["ground H5", "stay"]


def assault(text: str, dice: str = "flag", *, order: str = "G5", moves: tuple[str, ...] = ()) -> State:
    """After a close assault from G5 on H5; dice are filled up with stars, a retreat goes where it can."""
    s = play(ready(position(FAR_AWAY + text), order, moves=moves), "attack G5 H5")
    if s.phase == "react":
        s = play(s, "pass")
    assert s.roll is not None
    faces = dice.split()
    s = play(s, f"roll {' '.join(faces + ['star'] * (s.roll.dice - len(faces)))}")
    return play(s, choices(s)[0]) if s.phase == "retreat" else s


# When it is offered


def test_a_target_that_retreats_leaves_its_hex_to_the_attacker() -> None:
    """R105: the hex may be taken at once, by choice of the active player."""
    s = assault("G5 allies infantry\nH5 axis infantry")
    assert choices(s) == OFFER
    assert s.seat == 0
    assert unit_at(play(s, "ground H5"), "H5") == unit_at(s, "G5")
    stayed = play(s, "stay")
    assert unit_at(stayed, "H5") is None
    assert unit_at(stayed, "G5") == unit_at(s, "G5")


def test_a_target_that_is_eliminated_leaves_its_hex_to_the_attacker() -> None:
    """R105"""
    assert choices(assault("G5 allies infantry\nH5 axis infantry 1", "grenade")) == OFFER


def test_a_target_that_paid_with_figures_and_stayed_gives_no_ground() -> None:
    """Q140, R106: two hits and a blocked flag: three figures lost, no take ground."""
    s = assault(
        "G5 allies infantry\nH5 axis infantry\ng6 axis infantry\nh6 axis infantry", "infantry infantry flag"
    )
    assert figures_at(s, "H5") == 1
    assert s.phase == "draw"


def test_a_target_that_ignored_the_flag_gives_no_ground() -> None:
    """R106"""
    s = assault("G5 allies infantry\nH5 church : axis infantry")
    assert s.phase == "ignore"
    assert play(s, "ignore 1").phase == "draw"
    assert choices(play(s, "ignore 0", "retreat H5 g6")) == OFFER


def test_fire_takes_no_ground() -> None:
    """Q141, R105: a target at distance 2 is eliminated; nobody advances."""
    s = position(FAR_AWAY + "G5 allies infantry\nI5 axis infantry 1")
    s = attack(ready(s, "G5"), "G5 I5", "infantry star")
    assert unit_at(s, "I5") is None
    assert s.phase == "draw"


def test_artillery_never_takes_ground() -> None:
    """Q144, R107"""
    assert assault("G5 allies artillery\nH5 axis infantry 1", "grenade").phase == "draw"


def test_an_ambusher_never_takes_ground() -> None:
    """R107: it was not ordered; the hex of the driven-off attacker stays empty."""
    s = position(FAR_AWAY + "G5 allies infantry\nH5 axis infantry", enemy_hand=("ambush",))
    s = play(ready(s, "G5"), "attack G5 H5", "card ambush", "roll flag star star", "retreat G5 f4")
    assert s.phase == "draw"
    assert unit_at(s, "G5") is None
    assert unit_at(s, "H5") is not None


def test_card_attacks_take_no_ground() -> None:
    """R105: Barrage clears a hex next to an allied unit and nobody is asked to advance."""
    s = position(FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1", card="barrage")
    s = play(s, "target H5", "roll grenade star star star")
    assert s.phase == "draw"


def test_take_ground_can_be_switched_off() -> None:
    """R105: the simplest Young Generals game has none."""
    s = position(FAR_AWAY + "G5 allies armor\nH5 axis infantry 1", options={"take_ground": "no"})
    assert attack(ready(s, "G5"), "G5 H5", "grenade star star").phase == "draw"


# Limits of the hex to be taken


@pytest.mark.parametrize(
    ("attacker", "target", "offered"),
    [
        pytest.param("beach : allies infantry", "dune : axis infantry", True, id="Q145 R108 R110 up a dune"),
        pytest.param("beach : allies infantry", "cliff : axis infantry", False, id="Q145 R108 up a cliff"),
        pytest.param("cliff : allies infantry", "beach : axis infantry", True, id="Q146 R108 down a cliff"),
        pytest.param("beach : allies armor", "dune : axis infantry", False, id="Q147 R108 armor up a dune"),
        pytest.param("dune : allies armor", "beach : axis infantry", False, id="R108 armor down a dune"),
        pytest.param("open : allies armor", "dune : axis infantry", True, id="R108 armor from grass to dune"),
        pytest.param("open : allies infantry", "steep-hill : axis infantry", True, id="R110 steep hill"),
        pytest.param("open : allies infantry", "mountain : axis infantry", False, id="R108 two levels"),
        pytest.param("hill : allies infantry", "mountain : axis infantry", True, id="R108 one level"),
        pytest.param("hill : allies armor", "mountain : axis infantry", False, id="R108 impassable mountain"),
        pytest.param("open : allies armor", "bunker : axis infantry", False, id="R108 armor into a bunker"),
        pytest.param(
            "open : allies infantry", "bunker : axis infantry", True, id="R108 infantry into a bunker"
        ),
        pytest.param(
            "open : allies armor", "hedgehog : axis infantry", False, id="R108 armor into a hedgehog"
        ),
        pytest.param("open : allies infantry", "forest : axis infantry", True, id="R108 forest"),
        pytest.param(
            "bunker : allies armor", "open : axis infantry", False, id="R108 armor set up in a bunker"
        ),
        pytest.param("hedgerow : allies infantry", "open : axis infantry", True, id="R110 out of a hedgerow"),
        pytest.param(
            "open : allies infantry", "hedgerow : axis infantry", True, id="Q149 R108 began next to it"
        ),
    ],
)
def test_the_ground_of_the_hex_decides(attacker: str, target: str, *, offered: bool) -> None:
    s = assault(f"G5 {attacker}\nH5 {target} 1", "grenade")
    assert (choices(s) == OFFER) is offered
    assert offered or s.phase == "draw"


def test_a_hedgerow_is_taken_only_from_where_the_turn_began() -> None:
    """Q150, R108: infantry that came from F5, not next to H5, may not take the hedgerow H5."""
    text = "{} allies infantry\nH5 hedgerow : axis infantry 1"
    assert assault(text.format("F5"), "grenade", order="F5", moves=("F5 G5",)).phase == "draw"
    assert choices(assault(text.format("g4"), "grenade", order="g4", moves=("g4 G5",))) == OFFER


def test_distance_already_moved_does_not_matter() -> None:
    """R108: armor that moved its three hexes, special forces that moved two, infantry that moved one."""
    for kind, start, way in (
        ("armor", "D5", "D5 E5 F5 G5"),
        ("special-forces", "E5", "E5 F5 G5"),
        ("infantry", "F5", "F5 G5"),
    ):
        s = assault(f"{start} allies {kind}\nH5 axis infantry 1", "grenade", order=start, moves=(way,))
        assert choices(s) == OFFER


def test_the_beach_limit_does_not_count_taking_ground() -> None:
    """R110: armor moved two beach hexes and takes a third."""
    s = assault(
        "E5 beach : allies armor\nF5 beach\nG5 beach\nH5 beach : axis infantry 1",
        "grenade",
        order="E5",
        moves=("E5 F5 G5",),
    )
    assert choices(s) == OFFER


def test_having_left_a_hedgerow_does_not_matter() -> None:
    """R110: out of the hedgerow by its one-hex move, then take ground."""
    s = assault("F5 hedgerow : allies infantry\nH5 axis infantry 1", "grenade", order="F5", moves=("F5 G5",))
    assert choices(s) == OFFER


# Having stopped


def test_a_unit_that_entered_wire_this_turn_takes_no_ground() -> None:
    """Q142, R109: moved into the wire: no; began the turn in it: yes."""
    entered = assault(
        "F5 allies infantry\nG5 wire\nH5 axis infantry 1", "grenade", order="F5", moves=("F5 G5",)
    )
    assert entered.phase == "draw"
    assert choices(assault("G5 wire : allies infantry\nH5 axis infantry 1", "grenade")) == OFFER


def test_armor_that_crushed_wire_this_turn_takes_no_ground() -> None:
    """Q270, R109: the wire is gone, yet the tank had to stop there: no ground, hence no overrun."""
    s = assault("F5 allies armor\nG5 wire\nH5 axis infantry 1", "grenade", order="F5", moves=("F5 G5",))
    assert s.marks[s.setup.grid.parse("G5")] == 0
    assert s.phase == "draw"


def test_the_resistance_battles_from_a_forest_it_entered_but_takes_no_ground() -> None:
    """Q160, R109"""
    s = assault(
        "F5 allies resistance\nG5 forest\nH5 axis infantry 1", "grenade", order="F5", moves=("F5 G5",)
    )
    assert s.phase == "draw"
    assert choices(assault("G5 forest : allies resistance\nH5 axis infantry 1", "grenade")) == OFFER


# What entering does


def test_sandbags_do_not_come_along() -> None:
    """Q161, R111: they vanish from the hex that was left, and stay if the unit stays."""
    s = assault("G5 sandbags : allies infantry\nH5 axis infantry 1", "grenade")
    home = s.setup.grid.parse("G5")
    assert s.marks[home]
    assert not play(s, "ground H5").marks[home]
    assert play(s, "stay").marks[home]


def test_the_defenders_sandbags_are_not_inherited() -> None:
    """R111: they went with the unit that held them."""
    s = play(assault("G5 allies infantry\nH5 sandbags : axis infantry 1", "grenade"), "ground H5")
    assert s.marks[s.setup.grid.parse("H5")] == 0


def test_armor_crushes_wire_and_infantry_does_not() -> None:
    """R111"""
    for kind, wired in (("armor", False), ("infantry", True)):
        s = play(assault(f"G5 allies {kind}\nH5 wire : axis infantry 1", "grenade"), "ground H5")
        assert bool(s.marks[s.setup.grid.parse("H5")]) is wired


def test_an_objective_is_captured_by_taking_ground() -> None:
    """R111, M14: the medal comes with the step into the hex."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1",
        objectives=(ObjectiveFacts("temporary", ("allies",), ("H5",)),),
    )
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert s.medals(0) == 1
    assert events(s, "ground H5")[:2] == (
        ("ground", unit_at(s, "G5"), s.setup.grid.parse("G5"), s.setup.grid.parse("H5")),
        ("medal", 0, 1, "objective", 0),
    )
    assert play(s, "ground H5").medals(0) == 2


def test_taking_ground_ends_the_units_battle_but_not_the_others() -> None:
    """R105, R49: the unit that advanced does not battle again; the next one does."""
    s = position(FAR_AWAY + "G5 allies infantry\nG3 allies infantry\nH5 axis infantry 1\nI5 axis infantry")
    s = play(attack(ready(s, "G5", "G3"), "G5 H5", "grenade star star"), "ground H5")
    assert choices(s) == ["attack G3 I5", "done"]
