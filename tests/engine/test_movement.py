"""Movement in general (rules R37-R48); what single terrains do to it is in test_terrain.py."""

from __future__ import annotations

import pytest

from engine import IllegalDecision, apply
from tests.drawing import ObjectiveFacts, answer, choices, figures_at, play, position, reach, unit_at
from tests.questions import attack, attacks, fighting, march, ordered

STRAIGHT = ("G5", "H5", "I5", "J5", "K5", "L5")


@pytest.mark.parametrize(
    ("kind", "battles", "moves"),
    [
        pytest.param("infantry", 1, 2, id="R38 infantry"),
        pytest.param("special-forces", 2, 2, id="U3 special forces"),
        pytest.param("resistance", 1, 2, id="U10 resistance"),
        pytest.param("armor", 3, 3, id="R38 armor"),
        pytest.param("elite-armor", 3, 3, id="U4 elite armor"),
        pytest.param("artillery", 0, 1, id="U5 artillery"),
        pytest.param("half-track", 2, 2, id="U45 half-track"),
    ],
)
def test_how_far_a_unit_moves_and_may_still_battle(kind: str, battles: int, moves: int) -> None:
    """R38, Q16, Q17: the allowance of each unit, with and without a battle behind it."""
    for steps in range(1, 4):
        s = ordered(f"G5 allies {kind}\n{STRAIGHT[steps + 1]} axis infantry", "G5")
        path = STRAIGHT[: steps + 1]
        assert (path[-1] in reach(s, "G5")) is (steps <= moves)
        if steps <= moves:
            assert bool(attacks(march(s, *path))) is (steps <= battles)
    assert attacks(fighting(f"G5 allies {kind}\nH5 axis infantry", "G5")) == ["attack G5 H5"]


def test_units_move_one_after_another_in_any_sequence() -> None:
    """R37: the player chooses who goes first; nobody moves twice; moving is optional."""
    s = ordered("F5 allies infantry\nH5 allies infantry", "F5", "H5")
    for first, second in (("F5", "H5"), ("H5", "F5")):
        moved = play(s, f"move {first} G5")
        assert {choice.split()[1] for choice in choices(moved, "move")} == {second}
    assert ("done",) in s.answers


def test_every_move_is_finished_before_the_first_battle() -> None:
    """R37: once moving is over no unit moves any more."""
    s = ordered("F5 allies infantry\nH5 allies infantry\nI5 axis infantry", "F5", "H5")
    s = play(s, "done")
    assert choices(s, "move") == []
    s = attack(s, "H5", "I5", "star", "star", "star")
    assert choices(s, "move") == []


def test_no_unit_passes_another() -> None:
    """R39, Q22: neither friend nor enemy; the friend has to move out of the way first."""
    wall = "F5 allies infantry\nf6 forest\nf4 forest"
    s = ordered(f"E5 allies infantry\n{wall}\ne6 axis infantry\ne4 axis infantry", "E5", "F5")
    assert reach(s, "E5") == {"D5", "C5", "d6", "d4", "D7", "E7", "D3", "E3", "c6", "c4", "E5"}
    s = play(s, "move F5 G5")
    assert reach(s, "E5") >= {"F5", "f6", "f4"}
    with pytest.raises(IllegalDecision):
        apply(s, answer(s, "move E5 F5 G5"))


def test_units_neither_merge_nor_split() -> None:
    """R40, Q24: a hex with a unit is no end of a move, and all figures move together."""
    s = ordered("G5 allies infantry 2\nH5 allies infantry 1", "G5", "H5")
    assert "H5" not in reach(s, "G5")
    s = play(s, "move G5 g6")
    assert (figures_at(s, "g6"), figures_at(s, "G5"), figures_at(s, "H5")) == (2, 0, 1)


def test_a_step_needs_its_full_cost() -> None:
    """R41: with one hex left, a step that costs two is not made."""
    s = ordered("G5 allies armor\nI5 steep-hill\nJ5 steep-hill\nA9 axis infantry", "G5")
    assert "I5" in reach(s, "G5")  # 1 + 2
    s = ordered("G5 allies infantry\nI5 steep-hill", "G5")
    assert "I5" not in reach(s, "G5")


def test_the_cheapest_way_is_taken_past_dear_steps() -> None:
    """R41, T26: a climb on the way never hides a cheaper path around it."""
    s = ordered("G5 allies armor\nH5 steep-hill", "G5")
    everywhere = set(reach(ordered("G5 allies armor", "G5"), "G5"))
    assert everywhere - reach(s, "G5") == {"J5"}  # straight behind the hill
    assert [c for c in choices(s, "move") if c.endswith(" h6")] == ["move G5 g6 h6"]


def test_infantry_that_could_walk_cheaply_keeps_its_battle() -> None:
    """R41, C31: of two ways to a hex the one that leaves the battle is listed."""
    text = "G5 allies infantry\ng6 hill\nh6 steep-hill\ni6 axis infantry"
    s = play(position(text, card="infantry-assault"), "section center", "order G5")
    assert [c for c in choices(s, "move") if c.endswith(" h6")] == ["move G5 g6 h6"]  # over the hill: 1 + 1
    assert attacks(march(s, "G5", "g6", "h6")) == ["attack h6 i6"]


def test_a_step_may_not_lead_two_levels_up_or_down() -> None:
    """R42, T3: open ground, hill, mountain in turn; never from open ground to a mountain."""
    s = ordered("G5 allies infantry\nH5 mountain\ng6 hill\nh6 mountain", "G5")
    up = [c for c in choices(s, "move") if c.split()[-1] in ("H5", "h6")]
    assert up == ["move G5 g6 H5", "move G5 g6 h6"]
    s = ordered("h6 allies infantry\nh6 mountain\ng6 hill", "h6")
    assert reach(s, "h6") == {"g6", "G5", "H5", "f6", "G7", "H7", "h6"}


def test_stop_terrain_ends_a_move_but_not_the_next_one() -> None:
    """R43: a unit stops where it enters; on a later turn it leaves as usual."""
    s = ordered("G5 allies armor\ng6 forest\nH5 forest\nf6 forest\nF5 forest\nf4 forest\ng4 forest", "G5")
    assert reach(s, "G5") == {"g6", "H5", "f6", "F5", "f4", "g4"}
    s = ordered("G5 allies armor\nG5 forest", "G5")
    assert {"J5", "D5"} <= reach(s, "G5")


def test_no_battle_on_entry_lasts_for_the_turn() -> None:
    """R44: after entering by a move, and after entering by taking ground."""
    s = ordered("G5 allies armor\nH5 town\nI5 axis infantry", "G5")
    assert attacks(march(s, "G5", "H5")) == []
    s = fighting("G5 allies armor\nH5 town\nH5 axis infantry 1\nI5 axis infantry", "G5")
    s = attack(s, "G5", "H5", "grenade")
    s = play(s, "ground H5")
    assert s.phase == "draw"  # no overrun


def test_impassable_ground_is_neither_entered_nor_crossed() -> None:
    """R45: in a move, in a retreat and when taking ground."""
    river = "\n".join(f"{label} river" for label in ("g6", "H5", "g4", "f4", "F5"))
    s = ordered(f"G5 allies infantry\n{river}", "G5")
    assert reach(s, "G5") == {"f6", "e6", "F7", "G7", "G5"}
    s = fighting("G5 axis infantry\nf6 river\ng6 river\nH5 allies infantry", "H5")
    s = attack(s, "H5", "G5", "flag", "star", "star")
    assert figures_at(s, "G5") == 3
    s = fighting("G5 allies armor\nH5 axis infantry\nH5 hedgehog", "G5")
    s = attack(s, "G5", "H5", "flag", "flag", "star")
    s = play(s, "ignore 0")
    s = play(s, choices(s, "retreat")[0])
    assert unit_at(s, "H5") is None
    assert choices(s, "ground") == []


def test_nobody_walks_off_the_board() -> None:
    """R46: at the border only real hexes are left."""
    s = ordered("A9 allies infantry", "A9")
    assert reach(s, "A9") == {"B9", "a8", "C9", "b8", "A7", "B7", "A9"}
    assert choices(s, "exit") == []


def test_a_unit_that_cannot_leave_may_be_ordered_to_battle() -> None:
    """R47, T40b, Q51: a gun that began in a bunker has no move but its battle."""
    s = position("G5 bunker allies : allies artillery\nJ5 axis infantry")
    s = play(s, "order G5")
    assert choices(s) == ["attack G5 J5", "done"]


def test_going_out_and_back_is_a_move() -> None:
    """R48: infantry that returns to its hex has moved two hexes and may not battle; a tank may."""
    for kind, may in (("infantry", False), ("armor", True)):
        s = ordered(f"G5 allies {kind}\nI5 axis infantry", "G5")
        (way,) = (c for c in choices(s, "move") if c.endswith(" G5"))
        assert bool(attacks(play(s, way))) is may
        assert attacks(play(s, "done")) == ["attack G5 I5"]
    assert "G5" not in reach(ordered("G5 allies artillery", "G5"), "G5")


def test_going_out_and_back_leaves_the_sandbags() -> None:
    """R48, T43a: who returns has left his hex."""
    s = ordered("G5 allies infantry : sandbags", "G5")
    (way,) = (c for c in choices(s, "move") if c.endswith(" G5"))
    s = play(s, way)
    assert not any(s.marks)


def test_going_out_and_back_is_listed_beside_objectives() -> None:
    """R48, M14: with a medal in reach there is still the way back that does not touch it."""
    medal = ObjectiveFacts("permanent", ("allies",), ("H5",))
    s = ordered("G5 allies infantry", "G5", objectives=(medal,))
    ways = [c for c in choices(s, "move") if c.endswith(" G5")]
    assert len(ways) == 2
    assert "move G5 H5 G5" in ways
