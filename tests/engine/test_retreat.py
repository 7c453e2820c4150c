"""Flags and retreats: rules R92-R104, rulings Q114-Q132, Q275, Q276, Q285, Q286."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import ObjectiveFacts, asked, choices, events, figures_at, play, position, unit_at
from tests.engine.acting import ready, retreats
from tests.engine.cardplay import attack

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def flagged(text: str, flags: int) -> State:
    """A unit of the bottom side at g4 after armor at G7 has rolled that many flags against it."""
    s = play(ready(position(FAR_AWAY + "G7 axis armor\n" + text, first="axis"), "G7"), "attack G7 g4")
    assert s.roll is not None
    return play(s, f"roll {' '.join(['flag'] * flags + ['star'] * (s.roll.dice - flags))}")


# Direction and length


def test_one_hex_for_every_flag_by_the_owners_route() -> None:
    """R92: two flags are two hexes; the owner of the unit is asked, not the attacker."""
    s = flagged("g4 allies infantry", 2)
    assert s.seat == 0
    assert s.active == 1
    assert retreats(s) == {"f2", "g2", "h2"}
    assert all(len(line.split()) == 4 for line in choices(s))
    s = play(s, next(line for line in choices(s) if line.endswith("h2")))
    assert figures_at(s, "h2") == 4


def test_every_step_goes_to_the_next_row_toward_the_own_baseline() -> None:
    """R93: never sideways, never forward; bottom units go down the board."""
    assert retreats(flagged("g4 allies infantry", 1)) == {"G3", "H3"}


@pytest.mark.parametrize(
    ("at", "ends"),
    [
        pytest.param("g6", {"G7", "H7"}, id="Q275 R93 in the middle"),
        pytest.param("M5", {"l6"}, id="Q276 R93 at the border, half-hexes are no hexes"),
        pytest.param("A5", {"a6"}, id="R93 at the other border"),
    ],
)
def test_units_of_the_top_side_go_up_the_board(at: str, ends: set[str]) -> None:
    for end in ends:
        s = position(f"{FAR_AWAY}{at} axis infantry\nG1 allies artillery", card="barrage")
        s = play(s, f"target {at}", "roll flag star star star")
        if len(ends) > 1:
            assert retreats(s) == ends
            s = play(s, f"retreat {at} {end}")
        assert figures_at(s, end) == 4


# Which steps are legal


def test_a_step_needs_a_free_hex() -> None:
    """Q116, R94: a friend in G3 leaves only H3, and a single route is taken without asking."""
    s = flagged("g4 allies infantry\nG3 allies infantry", 1)
    assert figures_at(s, "H3") == 4
    assert unit_at(s, "g4") is None


def test_enemies_block_a_retreat_like_friends() -> None:
    """R94: an enemy in H3 and a friend in G3: nowhere to go."""
    s = position(FAR_AWAY + "g4 allies infantry\nG3 allies infantry\nH3 axis armor", first="axis")
    s = attack(ready(s, "H3"), "H3 g4", "flag star star")
    assert figures_at(s, "g4") == 3


def test_a_friend_and_a_river_close_both_ways() -> None:
    """Q117, R94, R97: the unit stays and the flag costs a figure."""
    s = flagged("g4 allies infantry\nG3 allies infantry\nH3 river", 1)
    assert figures_at(s, "g4") == 3
    assert s.phase == "draw"


@pytest.mark.parametrize("kind", ["armor", "artillery"])
def test_bunkers_and_hedgehogs_bar_armor_and_artillery(kind: str) -> None:
    """Q127, R94: the only hexes are a bunker and a hedgehog: both illegal, one figure lost."""
    full = 3 if kind == "armor" else 2
    s = flagged(f"g4 allies {kind}\nG3 bunker\nH3 hedgehog", 1)
    assert figures_at(s, "g4") == full - 1


def test_infantry_may_fall_back_into_bunkers_and_hedgehogs() -> None:
    """R94: they are passable for infantry."""
    assert retreats(flagged("g4 allies infantry\nG3 bunker\nH3 hedgehog", 1)) == {"G3", "H3"}


def test_nobody_retreats_into_the_ocean() -> None:
    """Q123, R94, R97: beach infantry before its own sea, infantry and flag: two figures lost, stays."""
    s = position("G3 allies infantry\nG5 axis infantry\nA9 axis infantry", first="axis", face="beach")
    s = attack(ready(s, "G5"), "G5 G3", "infantry flag")
    assert figures_at(s, "G3") == 2


def test_a_step_spans_one_level_of_elevation_at_most() -> None:
    """R94: infantry on a mountain cannot fall back to open ground, only to the hill."""
    s = flagged("g4 mountain : allies infantry\nG3 hill", 1)
    assert figures_at(s, "G3") == 4


def test_a_unit_on_a_bridge_falls_back_to_land() -> None:
    """Q129, R94: behind the bridge lie a river hex and a land hex: the land hex it is."""
    s = flagged("g4 river + bridge : allies infantry\nG3 river", 1)
    assert figures_at(s, "H3") == 4


@pytest.mark.parametrize(("join", "left"), [("yes", {"G3"}), ("no", {"g4"})])
def test_a_bridge_behind_a_bridge_counts_as_land(join: str, left: set[str]) -> None:
    """R94: by default the unit crosses to the next bridge (T21d); option bridges_join switches that off."""
    s = position(
        FAR_AWAY + "G7 axis armor\ng4 river + bridge : allies infantry\nG3 river + bridge\nH3 river",
        first="axis",
        options={"bridges_join": join},
    )
    s = attack(ready(s, "G7"), "G7 g4", "flag star star")
    assert {h for h in ("G3", "g4") if unit_at(s, h) is not None} == left


def test_a_retreat_onto_a_bridge_from_land() -> None:
    """R94: the bridge rule lets land units in."""
    s = flagged("g4 allies infantry\nG3 river + bridge\nH3 river", 1)
    assert figures_at(s, "G3") == 4


# Terrain has no other effect


@pytest.mark.parametrize("ground", ["hedgerow", "forest", "town", "wire", "steep-hill", "beach"])
@pytest.mark.parametrize("kind", ["infantry", "armor", "artillery"])
def test_terrain_does_not_slow_a_retreat(ground: str, kind: str) -> None:
    """Q125, R95: a retreat of two hexes passes through stop terrain, hedgerows, wire and slopes."""
    s = flagged(f"g4 allies {kind}\nG3 {ground}\nH3 river", 2)
    assert retreats(s) == {"f2", "g2"}
    full = figures_at(s, "g4")
    assert figures_at(play(s, "retreat g4 G3 f2"), "f2") == full


def test_two_hexes_of_beach_and_hedgerow_in_a_row() -> None:
    """R95: no beach limit and no "start adjacent" for the second hedgerow."""
    s = flagged("g4 allies armor\nG3 hedgerow\nH3 hedgerow\nf2 hedgerow\ng2 beach\nh2 river\nF1 beach", 3)
    assert "F1" in retreats(s)


@pytest.mark.parametrize("slope", ["dune", "cliff"])
@pytest.mark.parametrize("kind", ["infantry", "armor", "artillery"])
def test_dunes_and_cliffs_are_ordinary_hills_for_a_retreat(slope: str, kind: str) -> None:
    """Q124, R96: any unit falls back from the slope onto the beach, and up the slope from the beach."""
    s = flagged(f"g4 {slope} : allies {kind}\nG3 beach\nH3 river", 1)
    assert figures_at(s, "G3") > 0
    s = flagged(f"g4 beach : allies {kind}\nG3 {slope}\nH3 river", 1)
    assert figures_at(s, "G3") > 0


def test_armor_leaves_wire_alone_when_it_retreats_onto_it() -> None:
    """Q126, R95: the wire stays, under the tank and behind it."""
    s = flagged("g4 allies armor\nG3 wire\nH3 river", 1)
    wire = s.setup.grid.parse("G3")
    assert unit_at(s, "G3") is not None
    assert s.marks[wire]
    s = play(flagged("g4 allies armor\nG3 wire\nH3 river", 2), "retreat g4 G3 f2")
    assert s.marks[wire]


# Steps that cannot be made


def test_a_route_with_too_few_steps_costs_figures() -> None:
    """Q114, R97, R99: friends in f2, g2, h2: two flags are one step to G3 or H3 and one figure."""
    s = flagged("g4 allies infantry\nf2 allies infantry\ng2 allies infantry\nh2 allies infantry", 2)
    assert retreats(s) == {"G3", "H3"}
    assert figures_at(play(s, "retreat g4 H3"), "H3") == 3


def test_a_route_that_obeys_every_flag_must_be_taken() -> None:
    """Q115, R98: friends in f2 and g2: only g4-H3-h2 obeys both flags, so nothing else is legal."""
    s = flagged("g4 allies infantry\nf2 allies infantry\ng2 allies infantry", 2)
    assert figures_at(s, "h2") == 4


def test_the_longest_route_is_taken_when_none_is_long_enough() -> None:
    """R99: three flags, G3 is a dead end and H3-h2 goes on for one more: two steps and one figure."""
    s = flagged(
        """
        g4 allies infantry
        f2 allies infantry
        g2 allies infantry
        H1 river
        I1 river
        """,
        3,
    )
    assert figures_at(s, "h2") == 3


@pytest.mark.parametrize(("order", "grave"), [("after", "G3"), ("before", "g4")])
def test_steps_come_before_losses(order: str, grave: str) -> None:
    """R97, R99: one figure, two flags, one step: it dies where the step led it, unless agreed otherwise."""
    s = position(
        FAR_AWAY + "G7 axis armor\ng4 allies infantry 1\nH3 river\nf2 river\ng2 river",
        first="axis",
        options={"retreat_losses": order},
    )
    s = play(ready(s, "G7"), "attack G7 g4")
    happened = events(s, "roll flag flag star")
    unit, where = unit_at(s, "g4"), s.setup.grid.parse(grave)
    assert ("eliminated", unit, where) in happened
    assert any(event[0] == "retreated" for event in happened) is (order == "after")


def test_a_unit_on_its_own_baseline_pays_for_every_flag() -> None:
    """Q119, R102: row 1, two flags, no cover: two figures."""
    s = position(FAR_AWAY + "G1 allies infantry\nG3 axis armor", first="axis")
    s = attack(ready(s, "G3"), "G3 G1", "flag flag star")
    assert figures_at(s, "G1") == 2


def test_a_surrounded_unit_can_die_of_flags_and_its_hex_may_be_taken() -> None:
    """Q286, R97, R102: two figures, three flags, friends behind: eliminated, medal, take ground."""
    s = position(
        FAR_AWAY + "g4 allies infantry 2\nG3 allies infantry\nH3 allies infantry\nG5 axis infantry",
        first="axis",
    )
    s = attack(ready(s, "G5"), "G5 g4", "flag flag flag")
    assert unit_at(s, "g4") is None
    assert s.score == (0, 1)
    assert choices(s) == ["ground g4", "stay"]


def test_a_unit_that_dies_at_the_end_of_its_retreat_has_left_its_hex() -> None:
    """R99, R105: two flags, one step, one figure: eliminated on the way, and the hex may be taken."""
    s = position(
        FAR_AWAY + "g4 allies infantry 1\nH3 river\nf2 river\ng2 river\nG5 axis infantry", first="axis"
    )
    s = attack(ready(s, "G5"), "G5 g4", "flag flag star")
    assert unit_at(s, "G3") is None
    assert s.score == (0, 1)
    assert choices(s) == ["ground g4", "stay"]


# Ignoring flags


@pytest.mark.parametrize(
    "ground", ["church", "open + sandbags", "open + bunker", "open + hedgehog", "open + sea-wall"]
)
def test_a_flag_may_be_ignored_or_obeyed(ground: str) -> None:
    """Q120, R100: the owner has the choice."""
    s = position(FAR_AWAY + f"g4 {ground} : allies infantry\nG7 axis artillery", first="axis")
    s = attack(ready(s, "G7"), "G7 g4", "flag star")
    assert choices(s) == ["ignore 0", "ignore 1"]
    assert s.seat == 0
    assert figures_at(play(s, "ignore 1"), "g4") == 4
    assert retreats(play(s, "ignore 0")) == {"G3", "H3"}


@pytest.mark.parametrize("ground", ["forest", "town", "hill", "hedgerow", "open + wire", "river + bridge"])
def test_other_ground_ignores_no_flag(ground: str) -> None:
    """R100: the unit must go at once."""
    s = position(FAR_AWAY + f"g4 {ground} : allies infantry\nG7 axis artillery", first="axis")
    assert asked(attack(ready(s, "G7"), "G7 g4", "flag star")) == "retreat"


def test_a_hedgehog_helps_infantry_alone() -> None:
    """R100: artillery that stands on a hedgehog hex must obey."""
    s = position(FAR_AWAY + "g4 hedgehog : allies artillery\nG7 axis artillery", first="axis")
    assert asked(attack(ready(s, "G7"), "G7 g4", "flag star")) == "retreat"


def test_sources_never_add_up() -> None:
    """Q121, R100: church with sandbags, two flags: at most one ignored, retreat 1, the sandbags go."""
    s = position(FAR_AWAY + "g4 church + sandbags : allies infantry\nG7 axis artillery", first="axis")
    s = attack(ready(s, "G7"), "G7 g4", "flag flag")
    assert choices(s) == ["ignore 0", "ignore 1"]
    s = play(s, "ignore 1")
    assert retreats(s) == {"G3", "H3"}
    s = play(s, "retreat g4 G3")
    assert figures_at(s, "G3") == 4
    assert not s.marks[s.setup.grid.parse("g4")]


def test_every_attack_may_be_met_anew() -> None:
    """Q122, R100: sandbags, two attacks in one turn, a flag each: both ignored."""
    s = position(
        FAR_AWAY + "g4 sandbags : allies infantry\nG7 axis artillery\nF7 axis artillery", first="axis"
    )
    s = ready(s, "G7", "F7")
    s = play(attack(s, "G7 g4", "flag star"), "ignore 1")
    s = attack(s, "F7 g4", "flag star")
    assert choices(s) == ["ignore 0", "ignore 1"]
    s = play(s, "ignore 1")
    assert figures_at(s, "g4") == 4
    assert s.marks[s.setup.grid.parse("g4")]


def test_flags_are_ignored_after_hits_and_before_the_first_step() -> None:
    """R101: the figure is gone when the owner decides, and the unit still stands in its hex."""
    s = position(FAR_AWAY + "g4 church : allies infantry\nG7 axis artillery", first="axis")
    s = attack(ready(s, "G7"), "G7 g4", "infantry flag")
    assert asked(s) == "ignore"
    assert figures_at(s, "g4") == 3


def test_ignoring_one_flag_leaves_the_other_to_be_paid() -> None:
    """Q285, R100, R97: two flags, both hexes behind are full: ignores 1, loses 1 figure."""
    s = position(
        FAR_AWAY + "g4 church : allies infantry\nG3 allies infantry\nH3 allies infantry\nG7 axis artillery",
        first="axis",
    )
    s = attack(ready(s, "G7"), "G7 g4", "flag flag")
    assert figures_at(play(s, "ignore 1"), "g4") == 3
    assert figures_at(play(s, "ignore 0"), "g4") == 2


def test_a_gun_in_a_bunker_ignores_the_first_flag_and_pays_for_the_next() -> None:
    """R100, R102: it cannot leave (T40b), so nobody is asked."""
    s = position(FAR_AWAY + "g4 bunker : allies artillery\nG7 axis artillery", first="axis")
    assert figures_at(attack(ready(s, "G7"), "G7 g4", "flag star"), "g4") == 2
    assert figures_at(attack(ready(s, "G7"), "G7 g4", "flag flag"), "g4") == 1


def test_an_eliminated_units_sandbags_go_with_it() -> None:
    """R91: nothing is left of the position (T43a)."""
    s = position(FAR_AWAY + "g4 sandbags : allies infantry 1\nG7 axis artillery", first="axis")
    s = attack(ready(s, "G7"), "G7 g4", "grenade star")
    assert not s.marks[s.setup.grid.parse("g4")]


# What a retreat is not


def test_a_retreat_leaves_no_mark_of_movement() -> None:
    """R103: no order used, nothing stopped, no battle lost: the unit that fell back bears no mark."""
    s = play(flagged("g4 allies infantry\nG3 forest\nH3 forest", 1), "retreat g4 G3")
    unit = unit_at(s, "G3")
    assert unit is not None
    assert s.acts[unit] == 0


def test_nobody_leaves_the_board_by_retreating() -> None:
    """R103: not even from an exit hex at the own baseline."""
    exits = (ObjectiveFacts("exit", ("allies",), ("G1",)),)
    s = position(FAR_AWAY + "G1 allies infantry\nG3 axis armor", first="axis", objectives=exits)
    s = attack(ready(s, "G3"), "G3 G1", "flag star star")
    assert figures_at(s, "G1") == 3
    assert s.score == (0, 0)
