"""Illegal answers are refused with the rule that forbids them, and nothing changes."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import (
    Answer,
    IllegalDecision,
    State,
    apply,
    chance,
    digest,
    is_over,
    legal,
    new_game,
    why_no_attack,
    why_no_move,
    why_not_order,
)
from engine.answers import VERBS
from engine.refusal import PLACES, REASONS, explain
from engine.state import NOBODY
from engine.turn import PHASES
from pbem.library import load_battle
from scripts.golden import play as play_game
from tests.drawing import CardUse, choices, play, position
from tests.refusing import FAR, case, check, refusal, states_of


def run(rule: str, drawing: str, facts: dict[str, Any], steps: tuple[str, ...], text: str) -> None:
    s = play(position(f"{drawing}\n{FAR}", **facts), *steps)
    assert refusal(s, text).rule == rule


# Phases


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "card probe-left",
            "one command card is played in a turn, at its start; "
            'the game waits for an order, or "done" (R29)',
        ),
        (
            "move G5 H5",
            "units move after all orders are given and before the first battle; "
            'the game waits for an order, or "done" (R37)',
        ),
        (
            "attack G5 I5",
            'units battle one at a time, after the last move; the game waits for an order, or "done" (R37)',
        ),
        ("pass", 'there is nothing to pass on; the game waits for an order, or "done" (R28)'),
        (
            "ground H5",
            'no close assault has just cleared a hex to take; the game waits for an order, or "done" (R105)',
        ),
        ("roll star", 'no dice are due; the game waits for an order, or "done" (R56)'),
        ("draw ?", 'no card is due; the game waits for an order, or "done" (R121)'),
        ("shuffle", 'no reshuffle is due; the game waits for an order, or "done" (R122)'),
    ],
)
def test_an_answer_out_of_its_phase_names_what_is_asked(text: str, message: str) -> None:
    """R28, R29, R37, R56, R105, R121, R122: every step of a turn has its place."""
    s = position(f"G5 allies infantry\nF5 allies infantry\nI5 axis infantry\n{FAR}")
    check(s, text, message)


@pytest.mark.parametrize(
    ("phase", "text", "rule"),
    [
        ("move", "order G5", "R32"),
        ("battle", "move G5 H5", "R37"),
        ("react", "attack G5 H5", "R37"),
        ("react", "done", "R28"),
        ("battle", "target H5", "C20"),
        ("battle", "strike H5", "C20b"),
        ("battle", "heal G5", "C32"),
        ("battle", "drop G5", "R17"),
        ("battle", "discard probe-left", "C10"),
        ("battle", "ignore 1", "R101"),
        ("battle", "retreat H5 g6", "R92"),
        ("move", "clear G5", "T42c"),
        ("battle", "section left", "C31"),
        ("battle", "stay", "R105"),
        ("battle", "exit G5", "R37"),
    ],
)
def test_other_answers_out_of_their_phase(phase: str, text: str, rule: str) -> None:
    """R17, R28, R32, R37, R92, R101, R105, C10, C20, C20b, C31, C32, T42c: the rule that gives it a place."""
    s = position(f"G5 allies infantry\nH5 axis infantry\n{FAR}", card="probe-center")
    s = play(s, *("order G5", "done", "attack G5 H5")[: ("move", "battle", "react").index(phase) + 1])
    assert s.phase == phase
    assert refusal(s, text).rule == rule


def test_every_verb_has_its_place_and_its_reason() -> None:
    assert set(PLACES) == set(VERBS)
    assert set(REASONS) == set(VERBS) - {"roll", "draw", "shuffle"}
    asking = {phase for phases, _ in PLACES.values() for phase in phases}
    assert asking <= set(PHASES)


def test_chance_outcomes_that_cannot_be() -> None:
    """R14, R56, R121, R122: wrong number of dice, a face no die has, a card that is not left."""
    s = position(f"G5 allies infantry\nH5 axis infantry\n{FAR}")
    s = play(s, "order G5", "done", "attack G5 H5", "pass")
    check(s, "roll star", "the roll has 3 dice, not 1 (R56)")
    assert refusal(s, "roll 6 0 0").rule == "R14"
    assert refusal(s, "done").rule == "R56"
    start = new_game(load_battle("pegasus-bridge"))
    assert refusal(start, "draw ?").rule == "R121"
    check(start, "draw air-power air-power ? ? ? ?", 'no card "air-power" is left to draw (R121)')
    with pytest.raises(IllegalDecision, match="R121"):
        apply(start, ("draw", *("?",) * 5, "joker"))
    s = play(position(f"G5 allies infantry\n{FAR}", card="their-finest-hour"), "roll flag")
    assert chance(s) == "shuffle"
    with pytest.raises(IllegalDecision, match="R122"):
        apply(s, ("shuffle", 1))


def test_after_the_end_everything_is_refused() -> None:
    """R23: the game stops."""
    first, answers, _ = play_game(load_battle("pegasus-bridge"), {}, 4)
    state = first
    for answer in answers:
        state = apply(state, answer).state
    assert is_over(state)
    check(state, "done", "the game is over (R23)")


# Cards and orders

CARD_CASES = [
    case("R29", "G5 allies infantry", "card move-out", play_card=False, card="probe-left"),
    case("R29", "G5 allies infantry", "card ambush", play_card=False, hand=("ambush",)),
    case("C1", "G5 allies infantry", "card air-power", play_card=False, options={"deck": "young-generals"},
         card="probe-left"),
    case("C1", "G5 allies infantry", "card probe-left as air-power", play_card=False, card="probe-left"),
    case("C1", "G5 allies infantry", "card recon-left as barrage", play_card=False, card="recon-left",
         card_uses=(CardUse(None, "recon", "air-power"),)),
    case("C21", "G5 allies infantry\nH5 axis infantry", "card probe-left", "order G5", "done", "attack G5 H5",
         card="probe-center"),
    case("C21", "G5 allies infantry\nH5 axis infantry", "card ambush", "order G5", "done", "attack G5 H5",
         card="probe-center", enemy_hand=("probe-left", "probe-right")),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "drawing", "facts", "steps", "text"), CARD_CASES)
def test_cards(rule: str, drawing: str, facts: dict[str, Any], steps: tuple[str, ...], text: str) -> None:
    """R29, C1, C21: not in the hand, never the card of a turn, no such use."""
    run(rule, drawing, facts, steps, text)


TWO = """
G5 allies infantry
F5 allies infantry
E5 allies armor
A3 allies artillery
d4 allies infantry
K5 allies infantry
"""
ORDER_CASES = [
    case("R31", TWO, "order H5"),
    case("R31", TWO, "order A9"),
    case("R32", TWO, "order G5", "order G5"),
    case("R33", TWO, "order A3", card="probe-center"),
    case("R33", TWO, "order G5", card="pincer-move"),
    case("R35", TWO, "order G5", "order F5", card="recon-in-force"),
    case("R35", TWO, "order d4", "order F5", "order A3", card="recon-in-force"),
    case("C22", TWO, "order G5", card="armor-assault"),
    case("C23", TWO, "order G5", card="artillery-bombard"),
    case("C25", TWO, "order E5", card="behind-enemy-lines"),
    case("C28", TWO, "order E5", card="dig-in"),
    case("C33", TWO, "order E5", card="move-out"),
    case("C31", TWO, "order F5", "section left", card="infantry-assault"),
    case("C31", TWO, "order E5", "section center", card="infantry-assault"),
    case("C26", f"{TWO}\nH5 axis infantry", "order F5", card="close-assault"),
    case(
        "C26",
        f"{TWO}\na4 axis infantry\nH5 axis armor",
        "order A3",
        card="close-assault",
        says="close assault: no guns",
    ),
    case("C30", f"{TWO}\nH5 axis infantry", "order G5", card="firefight"),
    case("C34", TWO, "order E5", "roll infantry", card="their-finest-hour"),
    case("C34a", TWO, "order A3", "roll infantry", card="their-finest-hour"),
]


@pytest.mark.parametrize(("rule", "drawing", "facts", "steps", "text"), ORDER_CASES)
def test_orders(rule: str, drawing: str, facts: dict[str, Any], steps: tuple[str, ...], text: str) -> None:
    """R31, R32, R33, R35, C22, C23, C25, C26, C28, C30, C31, C33, C34, C34a: who may not be ordered."""
    run(rule, drawing, facts, steps, text)


def test_sentences_about_orders() -> None:
    """R31, R33, C26: hex, unit and card are named."""
    s = position(f"{TWO}\n{FAR}", card="probe-center")
    check(s, "order H5", "no unit stands at H5 (R31)")
    check(s, "order A9", "the infantry unit at A9 is the enemy's (R31)")
    check(s, "order A3", "A3 is in no section of Probe Center (R33)")
    s = position(f"G5 allies infantry\nH5 axis infantry\nA3 allies infantry\n{FAR}", card="close-assault")
    check(s, "order A3", "Close Assault orders only units next to an enemy (C26)")


# Card attacks, help, new cards


TARGETS = f"B1 allies infantry\nG5 axis infantry\nH5 axis armor\nK5 axis infantry\n{FAR}"


@pytest.mark.parametrize(
    ("card", "steps", "text", "rule"),
    [
        pytest.param("air-power", (), "target G7", "C20", id="C20 nobody"),
        pytest.param("air-power", (), "target B1", "C20", id="C20 own unit"),
        pytest.param("air-power", (), "done", "C20", id="C20 no target"),
        pytest.param("air-power", ("target G5",), "target G5", "C20", id="C20 twice"),
        pytest.param("air-power", ("target G5",), "target K5", "C20a", id="C20a not connected"),
        pytest.param("air-power", ("target G5", "target H5"), "strike K5", "C20b", id="C20b not chosen"),
        pytest.param("barrage", (), "target B1", "C24", id="C24 own unit"),
        pytest.param("barrage", (), "done", "C24", id="C24 no target"),
        pytest.param("infantry-assault", (), "card probe-left", "R29", id="R29 a second card"),
    ],
)
def test_targets_of_cards(card: str, steps: tuple[str, ...], text: str, rule: str) -> None:
    """R29, C20, C20a, C20b, C24: enemies only, connected, and at least one."""
    assert refusal(play(position(TARGETS, card=card), *steps), text).rule == rule


def test_a_card_used_in_its_section_reaches_no_further() -> None:
    """C20: a Recon flown as Air Power is bound to its section where the battle says so."""
    uses = (CardUse(None, "recon", "air-power", in_section=True),)
    s = position(TARGETS, card="recon-center", play_card=False, card_uses=uses)
    s = play(s, "card recon-center as air-power")
    assert choices(s) == ["target G5", "target H5"]
    check(s, "target K5", "K5 is not in the section of the card (C20)")


def test_who_is_helped() -> None:
    """C32, C32c: own units with losses, no vehicles."""
    s = position(
        f"G5 axis armor\nH5 allies infantry\nB1 allies armor\nI5 allies half-track\n{FAR}",
        first="axis",
        hand=("probe-left",),
        enemy_hand=("medics-and-mechanics", "ambush"),
    )
    s = play(s, "order G5", "done", "done", "attack G5 H5", "pass", "roll grenade star star", "draw ?")
    s = play(s, "card medics-and-mechanics")
    assert choices(s) == ["done", "heal H5"]
    check(s, "heal B1", "the armor unit at B1 has no losses (C32)")
    check(s, "heal I5", "the half-track unit at I5 cannot be helped (C32c)")
    check(s, "heal G5", "the armor unit at G5 is the enemy's (C32)")
    check(s, "heal A1", "no unit stands at A1 (C32)")


def test_only_a_new_card_is_discarded() -> None:
    """C10: the choice is between the two cards just drawn."""
    s = position(f"B1 allies infantry\n{FAR}", card="recon-left", hand=("attack-left",))
    s = play(s, "done", "draw probe-left probe-right")
    assert choices(s) == ["discard probe-left", "discard probe-right"]
    check(s, "discard attack-left", '"attack-left" is not one of the new cards (C10)')


# The questions of the command line


def test_why_questions() -> None:
    """R31, R33, R39, R59: a sentence with the rule, or None where it is possible."""
    s = position(f"G5 allies infantry\nB1 allies infantry\nI5 axis infantry\n{FAR}", card="probe-center")
    h = s.setup.grid.parse
    assert why_not_order(s, h("G5")) is None
    assert why_not_order(s, h("B1")) == "B1 is in no section of Probe Center (R33)"
    s = play(s, "order G5")
    assert why_no_move(s, h("G5"), h("h4")) is None
    assert why_no_move(s, h("G5"), h("I5")) == "the infantry unit at I5 is in the way (R39)"
    assert why_no_move(s, h("G5"), h("G1")) == "the infantry unit at G5 may move at most 2 hexes (R38)"
    s = play(s, "done")
    assert why_no_attack(s, h("G5"), h("I5")) is None
    assert why_no_attack(s, h("G5"), h("A9")) == "A9 is 8 hexes away; infantry reaches 3 (R59)"


# Properties


GAME_STATES = [
    *states_of("sainte-mere-eglise", {}, 2, 9),
    *states_of("sword-beach", {"timing": "mail"}, 3, 9),
    *states_of("counter-attack-on-mortain", {}, 1, 9),
]
ARGUMENTS = st.one_of(
    st.integers(-2, 120),
    st.integers(),
    st.booleans(),
    st.sampled_from(["probe-left", "ambush", "air-power", "left", "?", "G5", ""]),
    st.text(max_size=4),
)
ANSWERS = st.one_of(
    st.tuples(st.sampled_from(sorted(VERBS)), *[ARGUMENTS] * 1),
    st.tuples(st.sampled_from(sorted(VERBS)), *[ARGUMENTS] * 2),
    st.tuples(st.sampled_from(sorted(VERBS)), *[ARGUMENTS] * 3),
    st.lists(st.one_of(st.sampled_from(sorted(VERBS)), ARGUMENTS), max_size=6).map(tuple),
)


@settings(max_examples=800, deadline=None)
@given(st.sampled_from(GAME_STATES), ANSWERS)
@example(GAME_STATES[0], ())
@example(GAME_STATES[0], ((),))
@example(GAME_STATES[0], ([],))
def test_apply_accepts_what_is_listed_and_refuses_the_rest(state: State, answer: Answer) -> None:
    """Any tuple is either legal or refused with a rule; the state it was tried on never changes."""
    before = digest(state)
    refused = False
    try:
        apply(state, answer)
    except IllegalDecision:
        refused = True
    if not chance(state):
        assert refused is (answer not in legal(state))
    assert digest(state) == before


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([s for s in GAME_STATES if not chance(s)]), st.data())
def test_well_formed_wishes_are_explained(state: State, data: st.DataObject) -> None:
    """A verb of the phase with hexes that hold units gets a rule of its own, not the general one."""
    verbs = [v for v, (phases, _) in PLACES.items() if state.phase in phases and VERBS[v].kind == "hex"]
    verbs = [v for v in verbs if VERBS[v].least and v != "drop"]
    if not verbs:
        return
    verb = data.draw(st.sampled_from(verbs))
    hexes = st.sampled_from([h for h in state.pos if h != NOBODY])
    answer = (verb, *(data.draw(hexes) for _ in range(VERBS[verb].least)))
    if answer not in legal(state):
        assert explain(state, answer).rule != "R28"
