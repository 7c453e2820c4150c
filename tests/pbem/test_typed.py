"""Typed actions on a draft: plans, holding, short forms, refusals; all or nothing."""

from __future__ import annotations

import pytest

from engine.errors import EngineError
from pbem.draft import Draft, Wishes
from pbem.errors import Refused
from pbem.orders_text import format_order
from pbem.typed import enact_all, planned, problem_text, split_lines
from tests.mailgame import Party, byte_source
from tests.skirmish import center_card, skirmish


def drafted(*lines: str, dice: str = "sealed", retreat: str = "") -> Draft:
    """Alice's first draft after a card for the center, orders for F5 and G1, and some lines."""
    draft = Draft(skirmish(dice=dice, retreat=retreat)[0].desk)
    return enact_all(draft, [f"card {center_card(draft)}", "order F5 G1", *lines])


def plan_of(draft: Draft) -> list[str]:
    """The plan in a draft, as lines."""
    state, orders = planned(draft)
    return [format_order(state, order) for order in orders]


def refused(draft: Draft, *lines: str) -> str:
    """Why some lines are not possible; the draft must not change."""
    before = list(draft.choices)
    with pytest.raises((Refused, EngineError)) as refusal:
        enact_all(draft, lines)
    assert draft.choices == before
    return problem_text(refusal.value)


# What people leave out


def test_lines_may_have_comments() -> None:
    assert split_lines("order G5 # the left\n\n; nothing\n  attack G5 H5 ; now \n") == [
        "order G5",
        "attack G5 H5",
    ]


def test_moves_and_attacks_end_what_comes_before_them() -> None:
    """R31, R37: orders come before moves and moves before battles; "done" need not be typed."""
    moved = drafted("move F5 F4")
    assert [choice.value for choice in moved.choices][1:] == ["order F5", "order G1", "move F5 f4"]
    attacked = drafted("attack F5 G5")
    assert [choice.value for choice in attacked.choices][1:4] == ["order F5", "order G1", "done"]
    assert plan_of(attacked) == ["attack F5 G5"]


# Plans of sealed games


def test_attack_lines_add_to_the_plan_of_the_file() -> None:
    draft = drafted("attack F5 G5 ground overrun H5", "attack G1 G5,H5")
    assert plan_of(draft) == ["attack F5 G5 ground overrun H5", "attack G1 G5,H5"]
    assert draft.is_decided
    assert [choice.name for choice in draft.choices].count("plan") == 1


def test_a_message_stays_behind_a_plan_that_grows() -> None:
    draft = drafted("attack F5 G5", "say Good luck, Bob.", "attack G1 G5")
    assert plan_of(draft) == ["attack F5 G5", "attack G1 G5"]
    assert draft.choices[-1] == ("say", "Good luck, Bob.")


def test_hold_marks_the_last_attack() -> None:
    assert plan_of(drafted("attack F5 G5", "hold")) == ["attack F5 G5 hold"]
    assert refused(drafted(), "hold") == '"hold" comes behind an attack; for example: "attack I5 K5" "hold"'


def test_end_closes_a_plan_or_ends_the_turn_without_one() -> None:
    assert plan_of(drafted("attack F5 G5", "end")) == ["attack F5 G5"]
    without = drafted("end")
    assert without.is_decided
    assert plan_of(without) == []
    assert without.referee.now.turn == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param(("attack F5 G5", "attack F5 H5"), "R50", id="R50 one battle for a unit"),
        pytest.param(("attack K5 L5",), "R31", id="R31 a unit without an order"),
        pytest.param(("attack G1 L5",), "R59", id="R59 out of range"),
        pytest.param(("attack F5 H5",), "R53", id="R53 an enemy is next to it"),
    ],
)
def test_an_attack_against_the_rules_names_the_rule(lines: tuple[str, ...], message: str) -> None:
    text = refused(drafted(), *lines)
    assert f"({message})" in text


def test_an_attack_that_may_become_possible_is_ordered_with_maybe() -> None:
    text = refused(drafted(), "attack F5 H5")
    assert text.endswith('add "maybe" to order it all the same, for the case that it becomes possible')
    assert plan_of(drafted("attack F5 H5 maybe")) == ["attack F5 H5"]


def test_nothing_is_done_if_one_line_is_not_possible() -> None:
    draft = drafted()
    assert "(R31)" in refused(draft, "attack F5 G5", "attack A9 L5")


def test_after_everything_is_decided_only_undoing_and_sealing_are_left() -> None:
    text = refused(drafted("end"), "move F5 F4")
    assert text == (
        'everything in this file is decided; "pbem seal" signs it, "pbem undo" takes the last choice back'
    )


def test_attacks_come_after_the_card() -> None:
    """R37: a battle is refused before any card is played."""
    draft = Draft(skirmish()[0].desk)
    assert refused(draft, "attack F5 G5") == (
        "units battle one at a time, after the last move; the game waits for a command card (R37)"
    )


def test_a_card_that_is_not_held_is_refused() -> None:
    """R29: a card is played from the hand."""
    draft = Draft(skirmish()[0].desk)
    missing = next(key for key in draft.state.setup.decks[0].faces if ("card", key) not in draft.answers())
    assert "not in the hand (R29)" in refused(draft, f"card {missing}")


def test_there_is_nothing_to_keep_before_a_stop() -> None:
    draft = drafted("done")
    assert refused(draft, "plan keep") == 'there is no earlier plan to keep; "attack ..." orders an attack'
    assert refused(draft, "plan maybe") == 'write "plan keep" for what is left of the plan, or "plan none"'


# Going on after a stop


def stopped(*lines: str) -> Draft:
    """Alice's draft after Bob has answered a file that held."""
    alice, bob = skirmish()
    first = Draft(alice.desk)
    first = enact_all(first, [f"card {center_card(first)}", "order F5 G1", "attack G1 G5 hold", *lines])
    _send(first.seal(Wishes(), byte_source(5)), alice, bob)
    answer = Draft(bob.desk)
    while not answer.is_decided:
        answer.do(answer.answers()[0])
    _send(answer.seal(Wishes(), byte_source(6)), alice, bob)
    return Draft(alice.desk)


def _send(data: bytes, *parties: Party) -> None:
    for party in parties:
        party.accept(data)


def test_after_a_hold_the_turn_goes_on_with_a_plan() -> None:
    draft = stopped("attack F5 G5,H5 ground")
    assert draft.owes_plan
    assert draft.referee.now.turn == 1
    assert refused(draft, "done").startswith("the turn goes on with a plan of attacks; ")


def test_what_is_left_of_a_plan_is_kept_changed_or_dropped() -> None:
    draft = stopped("attack F5 G5,H5 ground")
    kept = enact_all(draft, ["plan keep"])
    assert kept.is_decided
    assert [choice.value for choice in kept.choices] == [None]
    assert plan_of(kept) == ["attack F5 G5,H5 ground"]
    changed = enact_all(draft, ["attack F5 G5"])
    assert plan_of(changed) == ["attack F5 G5"]
    ended = enact_all(draft, ["end"])
    assert ended.referee.now.turn == 2


# Instant games


def test_in_an_instant_game_the_dice_fall_at_once() -> None:
    draft = drafted("attack F5 G5", dice="instant")
    rolled = [step for step in draft.referee.steps if step.by == "dice"]
    assert len(rolled) == 1
    assert not draft.can_undo()
    with pytest.raises(Refused, match="the dice that followed this choice have been seen"):
        draft.undone()


@pytest.mark.parametrize("line", ["attack F5 G5 ground", "attack F5 G5 overrun H5", "attack F5 G5 hold"])
def test_orders_ahead_have_no_place_in_an_instant_game(line: str) -> None:
    assert refused(drafted(dice="instant"), line) == (
        "in this game the dice fall at once; ground and overrun are decided when they are asked"
    )


def test_holding_has_no_place_in_an_instant_game() -> None:
    assert "nothing to hold for" in refused(drafted(dice="instant"), "hold")


# Messages


def test_one_message_goes_with_a_file() -> None:
    draft = drafted("say See you at the bridge.")
    assert draft.choices[-1] == ("say", "See you at the bridge.")
    assert refused(draft, "say Again.").startswith("one message goes with a file")
    assert refused(drafted(), f"say {'x' * 2001}") == "a message has 1 to 2000 characters"
