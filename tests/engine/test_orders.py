"""The course of a turn, and who may be ordered (rules R28-R36)."""

from __future__ import annotations

from itertools import combinations

import pytest

from engine import IllegalDecision, State, apply, chance, legal
from tests.drawing import answer, asked, choices, play, position, reach, unit_at
from tests.questions import attack, attacks, ordered

# The course of a turn


def test_the_steps_of_a_turn_follow_each_other() -> None:
    """R28: card, orders, moves, battles, discard and draw; then it is the other side's turn."""
    s = position("G5 allies infantry\nI5 axis infantry", card="probe-center", play_card=False)
    phases = []
    for text in ("card probe-center", "order G5", "done", "attack G5 I5", "roll star star", "draw ?"):
        phases.append((s.phase, s.active))
        s = play(s, text)
    assert phases == [("card", 0), ("order", 0), ("move", 0), ("battle", 0), ("roll", 0), ("draw", 0)]
    assert (s.phase, s.active, s.turn) == ("card", 1, 2)
    assert s.setup.decks[0].faces[s.discards[0][-1]] == "probe-center"


def test_one_card_is_played_in_a_turn() -> None:
    """R29: after the card there is no choice of another one."""
    s = position("G5 allies infantry", card="probe-center", hand=("attack-left", "recon-right"))
    while s.phase != "draw":
        assert choices(s, "card") == []
        s = play(s, "done")
    assert len(s.hands[0]) == 2


def test_ambush_is_no_card_for_the_own_turn() -> None:
    """R29: it is not offered beside other cards, and playing it is refused."""
    s = position("G5 allies infantry", card="probe-left", hand=("ambush",), play_card=False)
    assert choices(s) == ["card probe-left"]
    with pytest.raises(IllegalDecision):
        apply(s, answer(s, "card ambush"))


def test_a_hand_of_nothing_but_ambush_passes_the_turn() -> None:
    """R29: the card is discarded, nothing is ordered, a card is drawn."""
    s = position("G5 allies infantry", card="ambush", play_card=False)
    assert choices(s) == ["card ambush"]
    s = play(s, "card ambush")
    assert asked(s) == "draw"
    assert s.orders == ()


def test_a_card_may_order_nobody_for_want_of_units() -> None:
    """R30, Q10: Assault Right with no unit there is discarded and replaced."""
    s = position("G5 allies infantry\nC5 allies armor", card="assault-right", hand=("probe-left",))
    assert asked(s) == "draw"
    assert s.orders == ()
    assert len(play(s, "draw ?").hands[0]) == 2


@pytest.mark.parametrize("count", [0, 1, 2])
def test_the_numbers_of_a_card_are_the_most(count: int) -> None:
    """R30, Q12: a Probe may order two units, or one, or none."""
    s = position("F5 allies infantry\nG5 allies infantry\nH5 allies infantry", card="probe-center")
    for label in ("F5", "G5")[:count]:
        assert ("done",) in legal(s)
        s = play(s, f"order {label}")
    if count < 2:
        s = play(s, "done")
    assert len(s.orders) == count
    assert s.phase == ("move" if count else "draw")


@pytest.mark.parametrize(
    "card",
    [
        "recon-center",
        "pincer-move",
        "armor-assault",
        "behind-enemy-lines",
        "dig-in",
        "move-out",
        "direct-from-hq",
    ],
)
def test_every_card_may_be_played_for_no_order_at_all(card: str) -> None:
    """R30: nobody is named, so the turn goes straight to the draw."""
    s = position("A5 allies infantry\nG5 allies infantry\nH5 allies armor\nI5 axis infantry", card=card)
    s = play(s, "done")
    assert chance(s) == "draw"
    assert s.orders == ()


# Orders


def test_all_units_are_named_before_the_first_moves() -> None:
    """R31: while orders are given nothing else can be done, and afterwards no order can be given."""
    s = position("F5 allies infantry\nG5 allies infantry\nH5 allies infantry", card="attack-center")
    s = play(s, "order F5")
    assert choices(s) == ["done", "order G5", "order H5"]
    s = play(s, "order G5", "done")
    assert choices(s, "order") == []
    s = play(s, "move F5 e6")
    assert choices(s, "order") == []


def test_only_ordered_units_act() -> None:
    """R31: the unit without an order neither moves nor battles."""
    s = ordered("F5 allies infantry\nI5 allies infantry\ng6 axis infantry\ni6 axis infantry", "F5")
    assert reach(s, "F5") != set()
    assert reach(s, "I5") == set()
    assert attacks(play(s, "done")) == ["attack F5 g6"]


def test_a_unit_is_ordered_once() -> None:
    """R32, Q6: a unit on a line cannot take the orders of both its sections with Recon in Force."""
    s = position("d4 allies infantry\nM1 allies infantry", card="recon-in-force")
    s = play(s, "order d4")
    assert choices(s) == ["done", "order M1"]
    with pytest.raises(IllegalDecision):
        apply(s, answer(s, "order d4"))


@pytest.mark.parametrize(
    ("card", "may"), [("attack-center", True), ("attack-left", True), ("attack-right", False)]
)
def test_a_unit_on_a_line_belongs_to_both_sections(card: str, may: bool) -> None:
    """R33, Q5: it is ordered as a unit of the center or of the flank."""
    s = position("d4 allies infantry", card=card)
    assert choices(s, "order") == (["order d4"] if may else [])


def full_sets(s: State) -> set[frozenset[str]]:
    """Every set of units that can be ordered until no further one can."""
    more = choices(s, "order")
    if not more:
        return {frozenset(s.setup.grid.labels[s.pos[unit]] for unit in s.orders)}
    return set().union(*(full_sets(play(s, text)) for text in more))


def test_a_unit_on_a_line_fills_one_slot_of_recon_in_force() -> None:
    """R33, Q7: of d4, D5 and G5 any two, never all three."""
    s = position("d4 allies infantry\nD5 allies infantry\nG5 allies infantry", card="recon-in-force")
    assert full_sets(s) == {frozenset(pair) for pair in combinations(("d4", "D5", "G5"), 2)}


def test_a_unit_on_a_line_fills_one_slot_of_general_advance() -> None:
    """R33, Q9: four of C3, D3, d4, E5 and F5, where d4 stands in for left or center."""
    army = ("C3", "D3", "d4", "E5", "F5")
    s = position("\n".join(f"{label} allies infantry" for label in army), card="general-advance")
    assert full_sets(s) == {frozenset(four) for four in combinations(army, 4)}


def test_slots_cannot_be_borrowed_from_a_section_without_line() -> None:
    """R33, R35: three units of one flank find only its two slots."""
    s = position("A5 allies infantry\nB5 allies infantry\nC5 allies infantry", card="general-advance")
    assert full_sets(s) == {frozenset(pair) for pair in combinations(("A5", "B5", "C5"), 2)}


def test_the_section_counts_when_the_order_is_given() -> None:
    """R34: a unit ordered on the left may walk into the center and battle there."""
    s = ordered("D5 allies infantry\nG5 axis infantry", "D5", card="probe-left")
    assert "F5" in reach(s, "D5")
    s = play(s, "move D5 E5")
    assert attacks(s) == ["attack E5 G5"]


def test_orders_for_an_empty_section_are_lost() -> None:
    """R35, Q11: Attack Left with two units there orders those two; the third order goes nowhere."""
    s = position("A5 allies infantry\nB5 allies infantry\nG5 allies infantry", card="attack-left")
    assert choices(s) == ["done", "order A5", "order B5"]
    s = play(s, "order A5", "order B5")
    assert s.phase == "move"
    assert reach(s, "G5") == set()


def test_the_left_of_the_top_player_is_in_the_east() -> None:
    """R10, Q4: Probe Left orders J7, not D7."""
    s = position("J7 axis infantry\nD7 axis infantry\nG1 allies infantry", card="probe-left", first="axis")
    assert choices(s) == ["done", "order J7"]


def test_what_order_tokens_remind_of_is_kept_by_the_game() -> None:
    """R36: a moved unit may not move again, a unit that has battled may not battle again."""
    s = ordered("F5 allies infantry\nH5 allies infantry\nG7 axis infantry", "F5", "H5")
    s = play(s, "move F5 f6")
    assert reach(s, "f6") == set()
    assert reach(s, "H5") != set()
    s = attack(play(s, "done"), "f6", "G7", "star", "star", "star")
    assert attacks(s) == ["attack H5 G7"]
    assert unit_at(s, "f6") is not None
