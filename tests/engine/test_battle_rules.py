"""Special rules of single battles, played with the battles themselves: Pegasus Bridge to Mortain."""

from __future__ import annotations

import pytest

from engine import apply, chance, is_over, legal
from engine.state import SPENT
from tests.drawing import asked, choices, events, figures_at, play, reach, unit_at
from tests.engine.battlefield import HQ, battle_of, field, fights, ordered
from tests.engine.cardplay import (
    LEAVE,
    attack,
    dice,
    draw,
    leave,
    next_turn,
    order,
    orderable,
    to_battle,
)

# Pegasus Bridge


def test_pegasus_bridge_the_axis_hand_grows_after_each_of_their_first_two_turns() -> None:
    """R18: from two cards to four, drawing two instead of one; the Allies keep six."""
    s = field("pegasus-bridge")
    sizes = []
    for card in ("probe-left", "probe-right") * 4:
        s = next_turn(play(s, f"card {card}"))
        sizes.append(tuple(len(hand) for hand in s.hands))
    assert sizes == [(6, 2), (6, 3), (6, 3), (6, 4), (6, 4), (6, 4), (6, 4), (6, 4)]


def test_pegasus_bridge_a_recon_in_the_first_axis_turn_still_brings_the_extra_card() -> None:
    """R18, C10: three cards are drawn and one of the two Recon cards goes."""
    s = field("pegasus-bridge", first="axis", axis=("recon-left", "probe-left"))
    s = leave(play(s, "card recon-left"))
    s = play(s, "draw dig-in", "draw barrage ambush")
    assert choices(s) == ["discard ambush", "discard barrage"]
    assert len(play(s, "discard ambush").hands[1]) == 3


def test_pegasus_bridge_the_pond_cannot_be_entered() -> None:
    """T20: f4, g4, F3 and G3 are water."""
    s = ordered("pegasus-bridge", "f2", side="allies")
    assert reach(s, "f2").isdisjoint({"F3", "G3", "f4", "g4"})
    assert {"g2", "H3"} <= reach(s, "f2")
    raider = field("pegasus-bridge", allies=("behind-enemy-lines",))
    raider = order(play(raider, "card behind-enemy-lines"), "f2")
    assert reach(raider, "f2").isdisjoint({"F3", "G3", "f4", "g4"})


# Sainte-Mère-Église


def test_sainte_mere_eglise_four_units_drop_before_the_first_allied_turn() -> None:
    """R17, R21: they drift four steps; one that ends on a unit or off the board is lost without a medal."""
    s = field("sainte-mere-eglise", allies=("probe-right", "probe-right"))
    assert (s.phase, s.seat, len(legal(s))) == ("drop", 0, 113)
    s = play(s, "drop M3")
    assert (asked(s), s.roll is not None and s.roll.faces) == ("roll 4", 7)
    assert ("dropped", 6, s.setup.grid.parse("M3"), (0, 0, 0, 0)) in events(s, "roll 0 0 0 0")
    s = play(s, "roll 0 0 0 0")
    assert [event[0] for event in events(s, "roll 0 0 0 0")] == ["drop-lost"]
    s = play(s, "roll 0 0 0 0", "roll 1 1 1 1")  # on the first one; then four steps to the east
    s = play(s, "roll 1 4 4 0")  # off the board and back again: only the end counts
    assert [unit_at(s, label) for label in ("M3", "L3")] == [6, 9]
    assert [figures_at(s, label) for label in ("M3", "L3")] == [4, 4]
    assert (s.phase, s.score, len(s.units_of(0))) == ("card", (0, 0), 8)
    s = play(s, "card probe-right")
    assert {"M3", "L3"} <= orderable(s)  # they may be ordered at once
    s = next_turn(play(next_turn(s), "card probe-left"))
    assert (s.active, s.phase) == (0, "card")  # and nothing drops in later turns


def test_sainte_mere_eglise_the_church_lets_its_garrison_ignore_a_flag() -> None:
    """T12, R100: 2 - 1 dice from two hexes away, and the flag may be ignored."""
    s = field("sainte-mere-eglise", allies=(HQ,))
    s = play(s, "drop A1", "roll 3 3 3 3", "roll 3 3 3 3", "roll 3 3 3 3", "roll 3 3 3 3", f"card {HQ}")
    s = to_battle(s, "G3")
    assert dice(s, "G3 G5") == 1
    s = attack(s, "G3 G5", "flag")
    assert choices(s) == ["ignore 0", "ignore 1"]


# Mont Mouchet and Vassieux: the Resistance


def test_mont_mouchet_the_resistance_battles_in_the_turn_it_enters_a_forest() -> None:
    """U8: from i4 into the wood at h4, next to the enemy."""
    s = ordered("mont-mouchet", "i4", {"K7": "H5"}, side="allies")
    s = play(s, "move i4 h4")
    assert choices(s) == ["attack h4 H5", "done"]
    s = play(attack(s, "h4 H5", "flag star star"), "retreat H5 g6")
    assert asked(s) == "draw"  # but it takes no ground in that turn


def test_mont_mouchet_the_resistance_retreats_one_to_three_hexes_for_a_flag() -> None:
    """U9, R104: the owner chooses."""
    s = fights("mont-mouchet", "C5", {"c8": "C5"}, side="axis")
    s = attack(s, "C5 b4", "flag star star")
    assert s.seat == 0
    assert {len(answer) - 2 for answer in legal(s)} == {1, 2, 3}


def test_mont_mouchet_an_axis_armor_unit_is_worth_two_medals() -> None:
    """R21, M1: four figures have to be removed for it."""
    s = field("mont-mouchet", {"b4": "B9", "d2": "a8"}, allies=(HQ,))
    s = to_battle(play(s, f"card {HQ}"), "B9", "a8")
    s = attack(s, "B9 A9", "grenade grenade armor")
    assert s.score == (0, 0)
    s = attack(s, "a8 A9", "armor star star")
    assert s.score == (2, 0)


def test_vassieux_the_deck_is_used_once_and_then_the_axis_win() -> None:
    """R123, C34: no shuffle ever, whatever is played; the game ends when a card is due and none is left."""
    s = field("vassieux")
    kinds: list[str] = []
    while not is_over(s):
        if chance(s):
            kinds.append(chance(s))
        if chance(s) == "draw":
            s = play(s, " ".join(["draw", *["?"] * min(s.queue[0][2], s.piles[0])]))
        elif chance(s) == "roll":
            assert s.roll is not None
            s = play(s, " ".join(["roll", *["armor"] * s.roll.dice]))
        elif LEAVE.get(s.phase) in choices(s):
            s = play(s, LEAVE[s.phase])
        else:
            s = apply(s, legal(s)[-1]).state
    assert (s.winner, s.reason, s.piles) == (1, "deck-exhausted", (0,))
    assert set(kinds) <= {"draw", "roll"}
    assert len(s.discards[0]) + sum(len(hand) for hand in s.hands) == 60


def test_vassieux_medals_decide_before_the_deck_does() -> None:
    """R20: the Allies win with their fourth medal whatever is left to draw."""
    assert field("vassieux").setup.target == (4, 4)
    assert field("vassieux").setup.options.exhausted_winner == "axis"


# The beaches


def test_pointe_du_hoc_rangers_climb_the_cliffs_and_battle() -> None:
    """T25, T24a: two hexes of movement from the beach; from one beach hex further back they are too far."""
    s = ordered("pointe-du-hoc", "a4", {"A3": "a4"}, side="allies")
    assert {"A5", "B5"} <= reach(s, "a4")
    assert "a6" not in reach(s, "a4")
    s = play(s, "move a4 B5")
    unit = unit_at(s, "B5")
    assert unit is not None
    assert not s.acts[unit] & SPENT
    s = ordered("pointe-du-hoc", "A3", side="allies")
    assert reach(s, "A3").isdisjoint({"A5", "B5"})
    s = ordered("pointe-du-hoc", "a6", {"A3": "a6"}, side="allies")  # from inland an ordinary hill
    assert {"A5", "B5", "a4"} & reach(s, "a6") == {"A5", "B5"}


def test_pointe_du_hoc_nobody_takes_ground_up_a_cliff() -> None:
    """T25, Q145: from the beach; the dice are those against a hill."""
    s = fights("pointe-du-hoc", "a4", {"A3": "a4", "C7": "A5"}, side="allies")
    assert dice(s, "a4 A5") == 2
    s = attack(s, "a4 A5", "flag star")
    assert unit_at(s, "A5") is None
    assert asked(s) == "draw"


def test_omaha_infantry_climbs_the_bluffs_and_armor_does_not() -> None:
    """T24a: two hexes for infantry, which then cannot battle; tanks need the gullies."""
    s = ordered("first-assault-wave", "C5", {"a2": "C5"}, side="allies")
    assert "c6" in reach(s, "C5")
    s = play(s, "move C5 c6")
    unit = unit_at(s, "c6")
    assert unit is not None
    assert s.acts[unit] & SPENT
    s = ordered("first-assault-wave", "F5", {"e2": "F5"}, side="allies")
    assert reach(s, "F5").isdisjoint({"e6", "f6"})
    s = ordered("first-assault-wave", "E5", {"e2": "E5"}, side="allies")
    assert "d6" in reach(s, "E5")


@pytest.mark.parametrize("side", ["allies", "axis"])
def test_omaha_the_sea_wall_shelters_whoever_stands_there(side: str) -> None:
    """T44: like sandbags that are never removed."""
    enemy = "axis" if side == "allies" else "allies"
    moved = {"l2": "j4", "i6": "J5"} if side == "allies" else {"i6": "j4", "l2": "J5"}
    s = fights("first-assault-wave", "J5", moved, side=enemy)
    assert dice(s, "J5 j4") == 2
    s = attack(s, "J5 j4", "flag star")
    assert choices(s) == ["ignore 0", "ignore 1"]
    s = ordered("first-assault-wave", "j4", moved, side=side)
    there = s.setup.grid.parse("j4")
    s = play(s, next(text for text in choices(s, "move") if text.startswith("move j4")))
    assert [row.key for row in s.setup.board.fixed[there]] == ["sea-wall"]


# Mortain


def test_mortain_all_hills_are_steep() -> None:
    """T26: two hexes up, one along and one down; a gun cannot climb."""
    s = ordered("counter-attack-on-mortain", "F3", {"a2": "F3"}, side="allies")
    s = play(s, "move F3 e4")
    unit = unit_at(s, "e4")
    assert unit is not None
    assert s.acts[unit] & SPENT
    s = ordered("counter-attack-on-mortain", "e4", {"a2": "e4"}, side="allies")
    for end in ("F5", "E3"):
        after = play(s, f"move e4 {end}")
        unit = unit_at(after, end)
        assert unit is not None
        assert not after.acts[unit] & SPENT
    s = ordered("counter-attack-on-mortain", "F3", {"f2": "F3"}, side="allies")
    assert "e4" not in reach(s, "F3")
    hills = {h.terrain for h in battle_of("counter-attack-on-mortain").hexes.values() if "hill" in h.terrain}
    assert hills == {"steep-hill"}


@pytest.mark.parametrize(
    ("moved", "side", "may"),
    [
        pytest.param({}, "allies", True, id="C20 mortain: L5 is held"),
        pytest.param({"L5": "k4"}, "allies", True, id="C20 mortain: k4 is held"),
        pytest.param({"L5": "L3"}, "allies", False, id="C20 mortain: the hill is empty"),
        pytest.param({"L5": "L3", "M9": "L5"}, "allies", False, id="C20 mortain: the enemy is there"),
        pytest.param({}, "axis", False, id="C20 mortain: not for the axis"),
    ],
)
def test_mortain_when_recon_may_be_an_air_strike(moved: dict[str, str], side: str, may: bool) -> None:
    s = field("counter-attack-on-mortain", moved, first=side, **{side: ("recon-right", "recon-in-force")})
    assert (("card", "recon-right", "air-power") in legal(s)) is may
    assert ("card", "recon-in-force", "air-power") not in legal(s)  # no Recon card (C10a)


def test_mortain_the_air_strike_stays_in_the_section_of_its_card() -> None:
    """C20, C20b: up to four adjacent units there, two dice each; then one card is drawn."""
    s = field("counter-attack-on-mortain", first="allies", allies=("recon-right",))
    s = play(s, "card recon-right as air-power")
    assert choices(s) == ["target K9", "target L9", "target M9", "target i8", "target k8"]
    s = play(s, "target K9", "target k8", "target L9", "target M9")
    assert choices(s) == ["strike K9", "strike L9", "strike M9", "strike k8"]
    s = play(s, "strike k8")
    assert asked(s) == "roll 2"
    s = play(s, "roll star armor")
    assert figures_at(s, "k8") == 1
    s = play(s, "strike K9", "roll armor armor", "strike L9", "roll infantry infantry", "roll armor armor")
    assert asked(s) == "draw"
    assert s.queue[0] == ("draw", 0, 1, False)


def test_mortain_countering_the_air_strike_repeats_the_recon_card() -> None:
    """C27, C27c: the aircraft answer to the observers on the hill alone; the Axis order one unit."""
    s = field("counter-attack-on-mortain", first="allies", allies=("recon-right",), axis=("counter-attack",))
    s = play(s, "card recon-right as air-power", "target i8", "roll infantry star")
    s = draw(s)
    assert [text for text in choices(s, "card") if "counter-attack" in text] == ["card counter-attack"]
    s = play(s, "card counter-attack")
    assert s.order == "recon-left"  # the left of the top player is the east
    assert orderable(s) == {"K9", "L9", "M9", "i8", "k8"}


def test_mortain_a_copied_recon_may_be_an_air_strike_of_the_allies() -> None:
    """C27, C27a: bound to the section that the copied card has from their own chair."""
    s = field("counter-attack-on-mortain", allies=("counter-attack",), axis=("recon-right",))
    s = leave(play(s, "card recon-right"))
    s = play(s, "draw ? ?", "discard dig-in")
    assert ("card", "counter-attack", "air-power") in legal(s)
    s = play(s, "card counter-attack as air-power")
    assert choices(s) == ["target A9", "target B9", "target C9"]  # the west
    s = play(s, "target C9", "done")
    assert asked(s) == "roll 2"
