"""Medals for places: rules M1-M19, M22-M25, W30-W34, rulings Q245-Q251."""

from __future__ import annotations

import pytest

from engine import State
from engine.victory import lose_figures
from tests.drawing import ObjectiveFacts, choices, events, figures_at, play, position, unit_at
from tests.engine.acting import attack, can, end_turn, ready

FAR_AWAY = "A9 axis infantry\nA1 allies infantry\n"


def objective(kind: str, hexes: str, side: str = "allies", **facts: object) -> tuple[ObjectiveFacts, ...]:
    """One objective; `side` may be "both"."""
    sides = ("allies", "axis") if side == "both" else (side,)
    return (ObjectiveFacts(kind, sides, tuple(hexes.split()), **facts),)  # type: ignore[arg-type]


def go(s: State, *moves: str) -> State:
    """After the units have been ordered and have made these moves ("G5 H5")."""
    for move in moves:
        s = play(s, f"order {move.split()[0]}")
    s = play(s, "done") if s.phase == "order" else s
    for move in moves:
        s = play(s, f"move {move}")
    return s


def later(s: State, *moves: str) -> State:
    """The next turn, in which the other side orders units and makes these moves."""
    return go(next_card(s), *moves)


def next_card(s: State) -> State:
    """The next turn, with a card that orders a unit anywhere."""
    s = end_turn(s)
    cards = ("direct-from-hq", "recon-in-force", "general-advance")
    return play(s, next(f"card {card}" for card in cards if can(s, f"card {card}")))


# Kinds of medal


def test_an_eliminated_unit_is_a_medal_for_ever() -> None:
    """M1: one medal, whatever happens later; a scenario may make a unit worth 0 or 2 (R21)."""
    for worth, medals in (("", 1), ("worth 0", 0), ("worth 2", 2)):
        s = position(FAR_AWAY + f"G5 allies infantry\nH5 axis infantry 1 {worth}")
        s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
        assert s.medals(0) == medals
        assert later(s).medals(0) == medals


def test_a_temporary_objective_is_held_while_it_is_occupied() -> None:
    """M2: won on entry, lost on leaving by a move; the hex can be taken again."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("temporary", "H5"))
    assert s.medals(0) == 0
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(s)
    assert s.medals(0) == 1
    s = later(s, "H5 I5")
    assert s.medals(0) == 0
    s = later(later(s), "I5 H5")
    assert s.medals(0) == 1


def test_a_temporary_objective_is_lost_by_retreat() -> None:
    """Q245, M2: the unit on it falls back: the medal is lost at once."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG7 axis artillery",
        first="axis",
        objectives=objective("temporary", "G5"),
    )
    assert s.medals(0) == 1
    s = attack(ready(s, "G7"), "G7 G5", "flag star star")
    assert s.medals(0) == 1
    assert ("medal-lost", 0, 1, 0) in events(s, "retreat G5 g4")
    assert play(s, "retreat G5 g4").medals(0) == 0


def test_a_permanent_objective_is_kept_for_ever() -> None:
    """Q246, M3: kept when the unit leaves, and when the enemy stands there."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nJ5 axis armor", objectives=objective("permanent", "H5", "both")
    )
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(later(s), "H5 h4 H3")
    assert s.medals(0) == 1
    s = later(s, "J5 I5 H5")
    assert (s.medals(0), s.medals(1)) == (1, 0)


def test_a_majority_needs_at_least_one_hex_more() -> None:
    """Q247, M4: two hexes against two of a group of five: nobody holds it; three to two: held at once."""
    s = position(
        FAR_AWAY
        + "G5 allies infantry\nG3 allies infantry\nE3 allies infantry\nC7 axis infantry\nE7 axis infantry",
        objectives=objective("majority", "G5 G3 C7 E7 F3", "both"),
    )
    assert (s.medals(0), s.medals(1)) == (0, 0)
    s = go(s, "E3 F3")
    assert (s.medals(0), s.medals(1)) == (1, 0)


def test_a_majority_is_lost_at_once_with_a_tie() -> None:
    """M4, M16: the axis comes even in its own turn and nobody holds the medal any more."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nC8 axis infantry", objectives=objective("majority", "G5 C7", "both")
    )
    assert s.medals(0) == 1
    s = later(s, "c8 C7")
    assert (s.medals(0), s.medals(1)) == (0, 0)


def test_a_majority_judged_at_the_start_of_the_own_turn() -> None:
    """Q249, M5, M16: gained in the middle of my turn: not yet; at the start of my next turn: yes."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nI7 axis infantry",
        objectives=objective("majority", "H5 I5 J5", "both", check="turn-start"),
    )
    s = go(s, "G5 H5")
    assert s.medals(0) == 0
    s = later(s)
    assert s.medals(0) == 0  # the start of the enemy's turn is not mine
    s = end_turn(s)
    assert (s.side, s.medals(0)) == (0, 1)


def test_a_turn_start_majority_is_lost_only_at_the_start_of_an_own_turn() -> None:
    """M5, M16: after the axis has come even the allies keep the medal until their next turn begins."""
    s = position(
        FAR_AWAY + "H5 allies infantry\nI7 axis infantry",
        objectives=objective("majority", "H5 h6 J5", "both", check="turn-start"),
    )
    assert s.medals(0) == 1
    s = later(s, "I7 h6")
    assert (s.side, s.medals(0)) == (1, 1)
    s = end_turn(s)
    assert (s.side, s.medals(0), s.medals(1)) == (0, 0, 0)


def test_a_turn_start_majority_passes_to_the_side_whose_turn_begins_with_it() -> None:
    """M5, M16: the allies leave in their turn; the axis has more when its own turn starts."""
    s = position(
        FAR_AWAY + "H5 allies infantry\nI7 axis infantry",
        objectives=objective("majority", "H5 I7 G5", "both", check="turn-start"),
    )
    assert (s.medals(0), s.medals(1)) == (0, 0)
    s = later(go(s, "H5 h4"))
    assert (s.side, s.medals(0), s.medals(1)) == (1, 0, 1)


def test_a_permanent_objective_judged_at_the_start_of_the_own_turn() -> None:
    """M6: not on entry, but when a later own turn begins there; then for ever."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("permanent", "H5", check="turn-start"))
    s = go(s, "G5 H5")
    assert s.medals(0) == 0
    s = later(s)
    assert s.medals(0) == 0
    s = end_turn(s)
    assert s.medals(0) == 1
    s = go(play(s, "card recon-in-force"), "H5 I5")
    assert s.medals(0) == 1


def test_a_turn_start_objective_needs_the_unit_there_when_the_turn_starts() -> None:
    """M6: entered and left again before the own turn starts wins nothing."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("permanent", "H5", check="turn-start"))
    s = later(go(s, "G5 H5 I5"))
    assert end_turn(s).medals(0) == 0


def test_the_last_to_occupy_keeps_the_medal_until_the_enemy_comes() -> None:
    """Q250, M7: the allies entered and left: theirs; the axis enters: the medal changes hands."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nI7 axis infantry",
        objectives=objective("last-to-occupy", "H5", "both"),
    )
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(later(s), "H5 h4")
    assert s.medals(0) == 1
    s = later(s, "I7 h6 H5")
    assert (s.medals(0), s.medals(1)) == (0, 1)
    s = later(later(s), "H5 I5")
    assert (s.medals(0), s.medals(1)) == (0, 1)


def test_a_last_to_occupy_medal_of_one_side_is_lost_to_an_enemy_who_cannot_win_it() -> None:
    """M7, M12, M13: only the allies are entitled; the axis occupies the hex: nobody holds it."""
    s = position(
        FAR_AWAY + "H5 allies infantry\nI7 axis infantry", objectives=objective("last-to-occupy", "H5")
    )
    s = go(s, "H5 h4")
    assert s.medals(0) == 1
    s = later(s, "I7 h6 H5")
    assert (s.medals(0), s.medals(1)) == (0, 0)


def test_sole_control_needs_a_unit_there_and_no_enemy() -> None:
    """Q251, M8: one hex is enough while no enemy stands on the group; when one enters, the medal is lost."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nI7 axis infantry", objectives=objective("sole-control", "H5 h6 J5")
    )
    assert s.medals(0) == 0
    s = go(s, "G5 H5")
    assert s.medals(0) == 1
    s = later(s, "I7 h6")
    assert s.medals(0) == 0


def test_sole_control_ends_with_the_last_own_unit_on_the_group() -> None:
    """M8: the group left empty is held by nobody."""
    s = position(FAR_AWAY + "H5 allies infantry", objectives=objective("sole-control", "H5 h6"))
    assert s.medals(0) == 1
    assert go(s, "H5 h4").medals(0) == 0


@pytest.mark.parametrize(("need", "over"), [(1, True), (2, False)])
def test_sudden_death_wins_at_once(need: int, *, over: bool) -> None:
    """M9: the condition is met, the game is over, without a medal; with need 2 one hex is not enough."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("sudden-death", "H5 I5", need=need))
    s = go(s, "G5 H5")
    assert (s.phase == "over") is over
    assert s.reason == ("sudden-death" if over else "")
    assert s.medals(0) == 0


def test_sudden_death_is_for_the_named_side_alone() -> None:
    """M9, M13: the axis on the hex wins nothing."""
    s = position(FAR_AWAY + "I7 axis infantry", objectives=objective("sudden-death", "H5"), first="axis")
    assert go(s, "I7 h6 H5").winner == -1


def test_three_half_tracks_make_one_medal() -> None:
    """M11: two eliminated half-tracks are tokens, the third turns them into a medal."""
    s = position(
        FAR_AWAY
        + "G5 allies infantry\nE5 allies infantry\nC5 allies infantry\n"
        + "H5 axis half-track 1\nE7 axis half-track 1\nC7 axis half-track 1"
    )
    s = ready(s, "G5", "E5", "C5")
    seen = []
    for pair in ("G5 H5", "E5 E7", "C5 C7"):
        s = attack(s, pair, "grenade star star" if pair == "G5 H5" else "grenade star")
        seen.append((s.tokens[0], s.medals(0)))
        s = play(s, "stay") if s.phase == "ground" else s
    assert seen == [(1, 0), (2, 0), (0, 1)]


# Exits


def test_a_unit_exits_through_an_exit_hex_for_a_medal_of_its_own_side() -> None:
    """M10, W30, W33: whatever is left of it, it counts one; the enemy scores nothing; it is kept for ever."""
    s = position(FAR_AWAY + "G9 allies infantry 1", objectives=objective("exit", "G9"))
    s = play(s, "order G9", "done", "exit G9")
    assert (s.medals(0), s.medals(1)) == (1, 0)
    assert unit_at(s, "G9") is None
    assert later(s).medals(0) == 1


def test_leaving_costs_one_hex_of_movement() -> None:
    """M10, W32: from g8 over G9 (2 hexes) yes, from H7 (3 hexes) no; armor has three."""

    def ways(kind: str, at: str) -> list[str]:
        s = position(FAR_AWAY + f"{at} allies {kind}", objectives=objective("exit", "G9"))
        return choices(play(s, f"order {at}", "done"), "exit")

    assert ways("infantry", "g8") == ["exit g8 G9"]
    assert ways("infantry", "H7") == []
    assert ways("armor", "H7") == ["exit H7 g8 G9"]
    assert ways("artillery", "G9") == ["exit G9"]
    assert ways("artillery", "g8") == []


@pytest.mark.parametrize("ground", ["forest", "wire", "hedgerow"])
def test_a_unit_stopped_on_the_exit_hex_leaves_next_turn(ground: str) -> None:
    """M10, W32: entering the stop hex ends the move; a unit that stands there may go."""
    s = position(FAR_AWAY + f"g8 allies infantry\nG9 {ground}", objectives=objective("exit", "G9"))
    assert choices(play(s, "order g8", "done"), "exit") == []
    s = position(FAR_AWAY + f"G9 {ground} : allies infantry", objectives=objective("exit", "G9"))
    assert choices(play(s, "order G9", "done"), "exit") == ["exit G9"]


def test_a_unit_coming_out_of_a_hedgerow_cannot_leave_in_the_same_move() -> None:
    """M10, W32: out of a hedgerow is a move of one hex (T9c), so nothing is left for the exit."""
    s = position(FAR_AWAY + "g8 hedgerow : allies infantry", objectives=objective("exit", "G9"))
    assert choices(play(s, "order g8", "done"), "exit") == []


def test_the_beach_limit_counts_the_hex_that_leads_off_the_board() -> None:
    """M10, W32: armor that enters a beach hex has two hexes in all (T22a), the exit included."""
    for ground, ways in (("open", ["exit C7 B7 A7"]), ("beach", [])):
        s = position(FAR_AWAY + f"C7 allies armor\nB7 {ground}", objectives=objective("exit", "A7"))
        assert choices(play(s, "order C7", "done"), "exit") == ways


def test_only_the_named_side_may_exit() -> None:
    """M10, W30: the axis on the same hex cannot."""
    s = position(FAR_AWAY + "G9 axis infantry", first="axis", objectives=objective("exit", "G9"))
    assert choices(play(s, "order G9", "done"), "exit") == []


def test_an_exit_may_be_worth_more_for_infantry() -> None:
    """M10, W33: the scenario gives 2 for infantry and 1 for others."""
    for kind, medals in (("infantry", 2), ("armor", 1)):
        s = position(FAR_AWAY + f"G9 allies {kind}", objectives=objective("exit", "G9", infantry_medals=2))
        assert play(s, "order G9", "done", "exit G9").medals(0) == medals


@pytest.mark.parametrize("second", [False, True])
def test_behind_enemy_lines_may_exit_in_either_move(*, second: bool) -> None:
    """M10, W34: in the first move or in the one after the battle."""
    s = position(
        FAR_AWAY + "G7 allies infantry", card="behind-enemy-lines", objectives=objective("exit", "G9")
    )
    s = play(s, "order G7")
    if second:
        s = play(s, "move G7 g8")
        assert s.phase == "second-move"
        s = play(s, "exit g8 G9")
    else:
        assert len(choices(s, "exit")) == 1
        s = play(s, choices(s, "exit")[0])
    assert s.medals(0) == 1
    assert s.phase == "draw"


def test_taking_ground_does_not_exit() -> None:
    """M10, W34: the unit stands on the exit hex and nothing more."""
    s = position(FAR_AWAY + "g8 allies infantry\nG9 axis infantry 1", objectives=objective("exit", "G9"))
    s = play(attack(ready(s, "g8"), "g8 G9", "grenade star star"), "ground G9")
    assert unit_at(s, "G9") is not None
    assert s.medals(0) == 1  # the elimination alone


def test_an_exit_vacates_the_objective_the_unit_stood_on() -> None:
    """M10, M2: the temporary medal goes when the unit leaves the board."""
    s = position(
        FAR_AWAY + "G9 allies infantry",
        objectives=(*objective("temporary", "G9"), *objective("exit", "G9")),
    )
    assert s.medals(0) == 1
    kinds = [event[0] for event in events(play(s, "order G9", "done"), "exit G9")]
    assert kinds[:4] == ["moved", "exited", "medal-lost", "medal"]


# Rules


def test_an_objective_states_its_medals_and_its_sides() -> None:
    """M12: worth 2 here; one that shows both sides may be won by either."""
    for first, unit in (("allies", "G5 allies infantry"), ("axis", "G5 axis infantry")):
        s = position(FAR_AWAY + unit, first=first, objectives=objective("temporary", "H5", "both", medals=2))
        s = go(s, "G5 H5")
        assert s.medals(("allies", "axis").index(first)) == 2


def test_the_side_not_entitled_only_denies() -> None:
    """M13: an axis unit on the allied objective wins nothing, and keeps the allies out."""
    s = position(FAR_AWAY + "H5 axis infantry\nG5 allies infantry", objectives=objective("temporary", "H5"))
    assert (s.medals(0), s.medals(1)) == (0, 0)
    assert not can(play(s, "order G5", "done"), "move G5 H5")


@pytest.mark.parametrize("kind", ["permanent", "last-to-occupy"])
def test_passing_through_counts_for_lasting_medals(kind: str) -> None:
    """M14: the unit was in the hex, if only on the way."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective(kind, "H5", "both"))
    assert go(s, "G5 H5 I5").medals(0) == 1


def test_both_ways_to_a_hex_are_offered_when_one_crosses_an_objective() -> None:
    """M14: G5 to h6 by H5, where the medal lies, or by g6; the player may choose."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("permanent", "H5"))
    s = play(s, "order G5", "done")
    assert can(s, "move G5 H5 h6")
    assert can(s, "move G5 g6 h6")
    assert play(s, "move G5 H5 h6").medals(0) == 1
    assert play(s, "move G5 g6 h6").medals(0) == 0


def test_passing_through_a_temporary_objective_gains_and_loses_it() -> None:
    """M14: both in the same move; the game ends on entry if it was the last medal needed."""
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("temporary", "H5"))
    happened = [event[:3] for event in events(play(s, "order G5", "done"), "move G5 H5 I5")]
    assert happened[1:3] == [("medal", 0, 1), ("medal-lost", 0, 1)]
    s = position(FAR_AWAY + "G5 allies infantry", objectives=objective("temporary", "H5"), medals=(1, 6))
    s = go(s, "G5 H5 I5")
    assert (s.winner, s.phase) == (0, "over")
    assert unit_at(s, "H5") is not None
    assert unit_at(s, "I5") is None


def test_a_retreat_may_win_an_objective() -> None:
    """M14: falling back onto the hex, and through it, counts as entering."""
    text = FAR_AWAY + "G5 allies infantry\nG7 axis artillery"
    s = position(text, first="axis", objectives=objective("temporary", "g4"))
    s = attack(ready(s, "G7"), "G7 G5", "flag star star")
    assert play(s, "retreat G5 g4").medals(0) == 1
    assert play(s, "retreat G5 f4").medals(0) == 0
    s = position(text, first="axis", objectives=objective("permanent", "g4"))
    s = attack(ready(s, "G7"), "G7 G5", "flag flag star")
    assert play(s, "retreat G5 g4 G3").medals(0) == 1
    assert play(s, "retreat G5 f4 G3").medals(0) == 0


def test_units_placed_on_objectives_hold_them_from_the_first_turn() -> None:
    """M15: for both sides, when the first turn starts."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG7 axis infantry",
        objectives=(*objective("temporary", "G5"), *objective("permanent", "G7", "axis")),
        play_card=False,
    )
    assert (s.turn, s.medals(0), s.medals(1)) == (1, 1, 1)


def test_groups_count_hexes_not_strength() -> None:
    """M17: one figure of artillery against one full unit of armor is a tie; two weak units are a majority."""
    group = objective("majority", "G5 G3 C7", "both")
    s = position(FAR_AWAY + "G5 allies artillery 1\nC7 axis elite-armor", objectives=group)
    assert (s.medals(0), s.medals(1)) == (0, 0)
    s = position(
        FAR_AWAY + "G5 allies artillery 1\nG3 allies infantry 1\nC7 axis elite-armor", objectives=group
    )
    assert (s.medals(0), s.medals(1)) == (1, 0)


def test_a_unit_eliminated_on_an_objective_loses_it_first() -> None:
    """M18: medal lost, then the enemy's elimination medal."""
    s = position(
        FAR_AWAY + "G5 allies infantry 1\nG7 axis artillery",
        first="axis",
        objectives=objective("temporary", "G5"),
    )
    s = play(ready(s, "G7"), "attack G7 G5")
    happened = [event[:3] for event in events(s, "roll grenade star star")]
    assert happened[2:5] == [
        ("eliminated", unit_at(s, "G5"), s.setup.grid.parse("G5")),
        ("medal-lost", 0, 1),
        ("medal", 1, 1),
    ]


def test_elimination_scores_at_the_hit_and_the_objective_at_the_advance() -> None:
    """M19: with one medal missing the game is over before the ground is taken."""
    text = FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1"
    s = position(text, objectives=objective("temporary", "H5"), medals=(2, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.medals(0), s.phase) == (1, "ground")
    assert play(s, "ground H5").winner == 0
    s = position(text, objectives=objective("temporary", "H5"), medals=(1, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert s.phase == "over"
    assert unit_at(s, "H5") is None


def test_the_count_alone_is_not_enough_where_a_battle_asks_for_more() -> None:
    """M22: two medals of two, but one unit must exit: not over; surplus is not counted; then it exits."""
    s = position(
        FAR_AWAY + "G5 allies infantry\nG9 allies infantry\nH5 axis infantry 1\nI5 axis infantry 1",
        objectives=(*objective("temporary", "A1", medals=2), *objective("exit", "G9")),
        medals=(2, 6),
        victory_needs=(1,),
    )
    assert (s.phase, s.medals(0)) == ("order", 2)
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.phase, s.medals(0), s.total(0)) == ("ground", 2, 3)
    s = play(s, "ground H5")
    s = later(s)
    s = play(next_card(s), "order G9", "done", "exit G9")
    assert (s.winner, s.reason, s.medals(0)) == (0, "medals", 2)


def test_a_hex_that_must_be_held_to_win() -> None:
    """M22: the medals are there, the hex is not; taking the hex ends the game."""
    s = position(
        FAR_AWAY + "G5 allies infantry",
        objectives=(*objective("permanent", "A1", medals=3), *objective("temporary", "H5")),
        medals=(3, 6),
        victory_needs=(1,),
    )
    assert (s.winner, s.medals(0)) == (-1, 3)
    assert go(s, "G5 H5").winner == 0


def test_the_ten_medals_of_the_box_are_no_limit() -> None:
    """M23: a battle to 12 counts an eleventh medal."""
    s = position(FAR_AWAY + "G5 allies infantry\nH5 axis infantry 1 worth 11", medals=(12, 6))
    s = attack(ready(s, "G5"), "G5 H5", "grenade star star")
    assert (s.medals(0), s.winner) == (11, -1)


def test_a_unit_lost_by_its_own_sides_doing_scores_for_the_opponent() -> None:
    """M24: an allied unit loses its last figure in the allied turn without any enemy attack."""
    s = position(FAR_AWAY + "G5 allies infantry").copy()
    unit = unit_at(s, "G5")
    assert unit is not None
    assert lose_figures(s, unit, 4, "own")
    assert s.score == (0, 1)


def test_medics_bring_back_figures_not_units_or_medals() -> None:
    """M25: the eliminated unit is not among those to be helped; the enemy keeps its medal."""
    s = position(
        FAR_AWAY + "G5 allies infantry 1\nE5 allies infantry\nG7 axis artillery\nE7 axis artillery",
        first="axis",
    )
    s = ready(s, "G7", "E7")
    s = attack(s, "G7 G5", "grenade star star")
    s = attack(s, "E7 E5", "grenade star star")
    assert s.score == (0, 1)
    s = play(end_turn(s), "card medics-and-mechanics")
    assert choices(s) == ["done", "heal E5"]
    s = play(s, "heal E5")
    assert s.roll is not None
    s = play(s, f"roll {' '.join(['infantry'] * s.roll.dice)}")
    assert figures_at(s, "E5") == 4
    assert s.score == (0, 1)
