"""Answers whose step of the turn is over, or was passed over, are refused with the rule that forbids them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import State, chance, parse_answer
from engine.answers import VERBS
from engine.belated import BELATED
from engine.refusal import PLACES, explain
from engine.state import NOBODY
from tests.drawing import play, position
from tests.refusing import FAR, states_of

FOUR = """
G5 allies infantry
F5 allies infantry
E5 allies armor
b4 allies artillery
"""
NEAR = f"{FOUR}\nH5 axis infantry\n{FAR}"


def late(card: str, steps: tuple[str, ...], text: str, drawing: str = f"{FOUR}\n{FAR}") -> str:
    """What an answer is refused with after some steps of a turn by mail."""
    s = position(drawing, card=card, options={"timing": "mail"})
    s = play(s, *steps)
    return str(explain(s, parse_answer(s, text)))


@pytest.mark.parametrize(
    ("card", "steps", "text", "message"),
    [
        pytest.param("probe-center", ("order G5", "order F5"), "order E5",
                     "the orders of Probe Center for the section of E5 are given (R35)", id="R35 none left"),
        pytest.param("probe-center", ("order G5", "order F5"), "order G5",
                     "the infantry unit at G5 has its order already (R32)", id="R32 twice"),
        pytest.param("probe-center", ("order G5", "order F5"), "order b4",
                     "b4 is in no section of Probe Center (R33)", id="R33 not there"),
        pytest.param("probe-center", ("order G5", "done"), "order F5",
                     "all orders are given after the card and before the first move; "
                     'the game waits for a move, or "done" (R31)', id="R31 too late"),
        pytest.param("direct-from-hq", ("order G5", "order F5", "order E5", "order b4"), "order A9",
                     "the infantry unit at A9 is the enemy's (R31)", id="R31 not ours"),
        pytest.param("behind-enemy-lines", ("order G5",), "order F5",
                     "Behind Enemy Lines orders at most 1 unit (C2)", id="C2 one unit"),
        pytest.param("their-finest-hour", ("roll infantry", "order G5"), "order E5",
                     "the dice leave no order for the armor unit at E5 (C34)", id="C34 not rolled"),
        pytest.param("their-finest-hour", ("roll infantry", "order G5"), "order b4",
                     "artillery is ordered only by a star that is not yet used (C34a)", id="C34a a gun"),
        pytest.param("barrage", (), "order G5", "Barrage orders no units (C24)", id="C24 no orders"),
        pytest.param("medics-and-mechanics", (), "order G5",
                     "Medics & Mechanics orders only the unit that recovers (C32)", id="C32 no orders"),
        pytest.param("counter-attack", (), "order G5",
                     "Counter-Attack has found no card to copy (C27e)", id="C27e nothing to copy"),
        pytest.param("their-finest-hour", (), "order G5",
                     "the dice of Their Finest Hour say first which units are ordered (C34)", id="C34 first"),
    ],
)  # fmt: skip
def test_orders_that_come_too_late(card: str, steps: tuple[str, ...], text: str, message: str) -> None:
    """R31, R32, R33, R35, C2, C24, C27e, C32, C34, C34a: the game has gone on to the moves or beyond."""
    assert late(card, steps, text) == message


@pytest.mark.parametrize(
    ("card", "steps", "text", "message"),
    [
        pytest.param("firefight", ("order F5", "done"), "move F5 F4",
                     "units ordered by Firefight do not move (C30)", id="C30 nobody moves"),
        pytest.param("dig-in", ("order F5", "done"), "move F5 F4",
                     "units ordered by Dig-In do not move (C28)", id="C28 nobody moves"),
        pytest.param("recon-center", ("order F5", "move F5 F4"), "move F4 F3",
                     "the infantry unit at f4 has moved already (R37)", id="R37 once"),
        pytest.param("recon-center", ("order F5", "move F5 F4"), "move G5 G4",
                     "the infantry unit at G5 has no order (R31)", id="R31 no order"),
        pytest.param("recon-center", ("order F5", "done"), "move F5 F4",
                     "units move after all orders are given and before the first battle (R37)", id="R37 end"),
        pytest.param("barrage", ("target H5",), "move F5 F4",
                     "the infantry unit at F5 has no order (R31)", id="R31 a barrage"),
    ],
)  # fmt: skip
def test_moves_that_come_too_late(card: str, steps: tuple[str, ...], text: str, message: str) -> None:
    """R31, R37, C28, C30: nobody can move, or the moves are over."""
    drawing = NEAR if card == "barrage" else f"{FOUR}\n{FAR}"
    assert late(card, steps, text, drawing) == message


def test_a_unit_that_cannot_move_at_all_is_told_what_is_in_its_way() -> None:
    """R39, R45, R48: the game has passed over the moves, and the way is still explained."""
    drawing = f"M1 allies armor\nL1 allies infantry\nl2 river\n{FAR}"
    for text, message in (
        ("move M1 L1", "the infantry unit at L1 is in the way (R39)"),
        ("move M1 l2", "the river at l2 is impassable to armor (R45)"),
        ("move M1 M1", 'a unit that stays where it is does not move; "done" ends the moves (R48)'),
    ):
        assert late("probe-right", ("order M1", "done"), text, drawing) == message


@pytest.mark.parametrize(
    ("card", "steps", "text", "message"),
    [
        pytest.param("recon-center", ("order F5", "done"), "attack F5 A9",
                     "A9 is 7 hexes away; infantry reaches 3 (R59)", id="R59 out of range"),
        pytest.param("recon-center", ("order F5", "done"), "attack F5 G5",
                     "the infantry unit at G5 is no enemy (R51)", id="R51 a friend"),
        pytest.param("recon-center", ("order F5", "done"), "attack G5 A9",
                     "the infantry unit at G5 has no order (R31)", id="R31 no order"),
        pytest.param("recon-center", ("order F5", "move F5 F3"), "attack F3 A9",
                     "the infantry unit at F3 has moved too far to battle (R38)", id="R38 too far"),
        pytest.param("dig-in", ("order F5", "done"), "attack F5 A9",
                     "units ordered by Dig-In do not battle (C28)", id="C28 no battle"),
        pytest.param("recon-center", ("order F5", "done"), "clear F5",
                     "there is no wire at F5 (T42c)", id="T42c no wire"),
        pytest.param("their-finest-hour", (), "attack F5 A9",
                     "the infantry unit at F5 has no order (R31)", id="R31 before the dice"),
    ],
)  # fmt: skip
def test_battles_that_nobody_could_fight(card: str, steps: tuple[str, ...], text: str, message: str) -> None:
    """R31, R38, R51, R59, C28, T42c: the turn has ended by itself, and the reason is still told."""
    assert late(card, steps, text) == message


def test_battles_that_are_over() -> None:
    """R28, R50: the turn has ended after a battle, or by the player's word."""
    steps = ("order G5", "order F5", "done", "attack G5 H5", "pass", "roll star star star")
    drawing = f"{NEAR}\nF7 axis infantry"
    fought = (*steps, "done")
    assert late("probe-center", fought, "attack G5 H5", drawing) == (
        "the infantry unit at G5 has battled already (R50)"
    )
    assert late("probe-center", fought, "attack F5 F7", drawing) == (
        "the battles of this turn are over (R28)"
    )


@pytest.mark.parametrize(
    ("card", "steps", "text", "message"),
    [
        pytest.param("barrage", ("target H5",), "target A9",
                     "Barrage has one target, and it is chosen (C24)", id="C24 a second target"),
        pytest.param("air-power", ("target H5",), "target A9",
                     "the targets of Air Power are chosen, 4 at most (C20)", id="C20 targets are chosen"),
        pytest.param("air-power", ("target H5",), "strike A9",
                     "the units are bombed in the order in which they were chosen (C20b)", id="C20b by mail"),
        pytest.param("medics-and-mechanics", (), "heal G5",
                     "the infantry unit at G5 has no losses (C32)", id="C32 nobody has losses"),
        pytest.param("medics-and-mechanics", (), "heal H5",
                     "the infantry unit at H5 is the enemy's (C32)", id="C32 an enemy"),
        pytest.param("infantry-assault", ("section center",), "section left",
                     "the section of Infantry Assault is chosen (C31)", id="C31 a second section"),
    ],
)  # fmt: skip
def test_choices_of_cards_that_are_made(card: str, steps: tuple[str, ...], text: str, message: str) -> None:
    """C20, C20b, C24, C31, C32: once, or not at all."""
    assert late(card, steps, text, NEAR) == message


def test_only_one_unit_is_helped() -> None:
    """C32: the second unit with losses has to wait."""
    drawing = f"G5 allies infantry 4\nF5 allies infantry 4\nH5 axis infantry\nE5 axis infantry\n{FAR}"
    s = position(
        drawing, first="axis", card="general-advance", enemy_hand=("medics-and-mechanics", "probe-left")
    )
    s = play(s, "order H5", "order E5", "done", "done")
    for text in ("attack H5 G5", "attack E5 F5"):
        s = play(s, text, "pass", "roll grenade star star")
    s = play(s, "draw ?", "card medics-and-mechanics", "heal G5")
    assert str(explain(s, parse_answer(s, "heal F5"))) == ("Medics & Mechanics helps one unit, once (C32)")


def test_flags_that_cannot_be_ignored_or_are_decided() -> None:
    """R100, R101: the unit stands in the open; or its player has said how many, or has to say so first."""
    steps = ("order G5", "done", "done", "attack G5 H5", "pass", "roll flag star star")
    assert late("probe-center", steps, "ignore 1", NEAR) == (
        "the infantry unit at H5 cannot ignore a flag where it stands (R100)"
    )
    steps = (*steps[:-1], "roll flag star")
    covered = f"{FOUR}\nH5 axis infantry : open + sandbags\n{FAR}"
    assert late("probe-center", (*steps, "ignore 0"), "ignore 1", covered) == (
        "how many flags are ignored is decided (R101)"
    )
    assert late("probe-center", steps, "retreat H5 h6", covered) == (
        'how many flags are ignored is decided before the first step: "ignore 0" or "ignore 1" (R101)'
    )


def test_who_is_asked_in_the_other_turn_is_not_judged_by_its_card() -> None:
    """R31: the order in force is the attacker's; the defender gives none."""
    steps = ("order G5", "done", "done", "attack G5 H5", "pass", "roll flag star star")
    assert late("probe-center", steps, "order H5", NEAR) == (
        "all orders are given after the card and before the first move; "
        "the game waits for a route of retreat (R31)"
    )


GAME_STATES = [
    *states_of("sainte-mere-eglise", {"timing": "mail"}, 2, 5),
    *states_of("sword-beach", {"timing": "mail"}, 3, 5),
    *states_of("operation-cobra", {"timing": "mail"}, 1, 5),
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(GAME_STATES), st.sampled_from(sorted(BELATED)), st.data())
def test_every_late_answer_is_explained(state: State, verb: str, data: st.DataObject) -> None:
    """At any moment, dice and draws included, any verb with hexes of units gets one sentence and a rule."""
    form = VERBS[verb]
    hexes = [data.draw(st.sampled_from([h for h in state.pos if h != NOBODY])) for _ in range(form.least)]
    answer = {"hex": (verb, *hexes), "word": (verb, "left"), "number": (verb, 1)}[form.kind]
    problem = explain(state, answer)
    assert str(problem).endswith(f"({problem.rule})")
    if chance(state) and state.phase not in PLACES[verb][0]:
        assert "the game waits" not in str(problem)
