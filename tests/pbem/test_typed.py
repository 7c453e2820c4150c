"""Typed actions on a draft: plans, holding, short forms, refusals; all or nothing."""

from __future__ import annotations

import re
from functools import cache

import pytest

from engine.errors import EngineError
from pbem.draft import Draft, Wishes, write_answer
from pbem.errors import Refused
from pbem.hindsight import seal_hint
from pbem.library import scenario_text
from pbem.lines import Line, read_lines, split_arguments
from pbem.orders_text import format_order
from pbem.ruleset import build_terms
from pbem.typed import enact, enact_all, planned, problem_text, rehearsal, taken_back
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, Party, byte_source
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


def test_the_lines_of_a_file_may_have_comments_and_know_their_place() -> None:
    text = "order G5 # the left\n\n; nothing\n  attack G5 H5 ; now \nsay We meet at 5; bring #2.\n"
    assert read_lines(text) == [
        Line("line 1", "order G5"),
        Line("line 4", "attack G5 H5"),
        Line("line 5", "say We meet at 5; bring #2."),
    ]


def test_arguments_are_taken_whole() -> None:
    """What looks like a comment in an argument is part of a message, or refused: never cut off in silence."""
    assert split_arguments(["order G5"]) == [Line("", "order G5")]
    assert split_arguments(["card x", "order G5\nmove G5 H5", "say 1; 2\n# 3"]) == [
        Line("action 1", "card x"),
        Line("action 2", "order G5"),
        Line("action 3", "move G5 H5"),
        Line("action 4", "say 1; 2\n# 3"),
    ]
    for text in ("card attack-left; order c4", "order G5 # the left", "attack G5 H5;"):
        with pytest.raises(Refused) as refusal:
            split_arguments([text])
        assert problem_text(refusal.value) == (
            f'"{";" if ";" in text else "#"}" has no meaning here; '
            "put each action into quotation marks of its own; comments stand in files only"
        )


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
    """R37: the moves are over; what is left to do is said behind the rule."""
    text = refused(drafted("end"), "move F5 F4")
    assert text == (
        "units move after all orders are given and before the first battle (R37); "
        'everything in this file is decided: "pbem seal" signs it, "pbem undo" takes the last choice back'
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


# Explained from the moment that is meant


def line_of(name: str, card: str, *lines: str, dice: str = "sealed") -> str:
    """Why the last of some lines is not possible in a battle, after a card."""
    draft = opened(name, card, dice)
    if len(lines) > 1:
        draft = enact_all(draft, [f"card {card}", *lines[:-1]])
        return refused(draft, lines[-1]).partition("; everything in this file is decided: ")[0]
    return refused(draft, f"card {card}", *lines)


@cache
def opened(name: str, card: str, dice: str) -> Draft:
    """The first draft of a battle, of a player who holds a card; hands are large."""
    text = re.sub(r"cards: \d+", "cards: 12", scenario_text(name))
    army = "axis" if "first: axis" in text else "allies"
    for seed in range(1, 60):
        source = byte_source(seed)
        terms = build_terms(text, army=army, pk=ALICE.pk, opponent=BOB.pk, names=("A", "B"), dice=dice)
        files = [write_offer(terms, ALICE, source)]
        alice, bob = Party(ALICE, 0), Party(BOB, 1)
        bob.accept(files[0])
        files.append(write_answer(bob.log, bob.referee, BOB, source))
        _send(files[0], alice)
        _send(files[1], alice)
        draft = Draft(alice.desk)
        if ("card", card) in draft.answers():
            return draft
    raise AssertionError(f"nobody holds {card}")


COBRA, ARRACOURT, ST_VITH = "operation-cobra", "arracourt", "st-vith"


@pytest.mark.parametrize("dice", ["sealed", "instant"])
@pytest.mark.parametrize(
    ("battle", "card", "lines", "message"),
    [
        pytest.param(COBRA, "probe-left", ("order b2 c2", "order C1"),
                     "the orders of Probe Left for the section of C1 are given (R35)", id="R35 probe"),
        pytest.param(COBRA, "recon-left", ("order b2", "order c2"),
                     "the orders of Recon Left for the section of c2 are given (R35)", id="R35 recon"),
        pytest.param(COBRA, "direct-from-hq", ("order b2,c2,C1,f2", "order g2"),
                     "Direct From HQ orders at most 4 units (C2)", id="C2 direct from HQ"),
        pytest.param(COBRA, "assault-left", ("order c2", "attack c2 d6"),
                     "d6 is 4 hexes away; infantry reaches 3 (R59)", id="R59 out of range"),
        pytest.param(COBRA, "assault-left", ("order c2", "attack c2 b2"),
                     "the infantry unit at b2 is no enemy (R51)", id="R51 a friend"),
        pytest.param(COBRA, "assault-left", ("order c2", "attack f2 G5"),
                     "the infantry unit at f2 has no order (R31)", id="R31 no order"),
        pytest.param(COBRA, "assault-left", ("order c2", "move c2 D3", "move D3 d4"),
                     "the infantry unit at D3 has moved already (R37)", id="R37 a second move"),
        pytest.param(COBRA, "assault-left", ("order c2", "move c2 D3", "attack D3 d6"),
                     "the infantry unit at D3 has entered the forest this turn and cannot battle (R44)",
                     id="R44 into the woods"),
        pytest.param(COBRA, "assault-left", ("order c2", "move c2 c2"),
                     'a unit that stays where it is does not move; "done" ends the moves (R48)', id="R48"),
        pytest.param(COBRA, "assault-left", ("order c2", "end", "ground"),
                     "no close assault has just cleared a hex to take (R105)", id="R105 no ground"),
        pytest.param(COBRA, "assault-left", ("order c2", "end", "roll star"),
                     "dice fall by themselves (R56)", id="R56 dice"),
        pytest.param(COBRA, "assault-left", ("order c2", "end", "fly"), '"fly" is no action', id="no verb"),
        pytest.param(ARRACOURT, "recon-in-force", ("order l8", "move l8 L7"),
                     "the river at L7 is impassable to armor (R45)", id="R45 nowhere to go"),
        pytest.param(ARRACOURT, "recon-in-force", ("order l8", "move l8 L9"),
                     "the infantry unit at L9 is in the way (R39)", id="R39 nowhere to go"),
        pytest.param(ARRACOURT, "barrage", ("target G7 E3",),
                     "Barrage has one target, and it is chosen (C24)", id="C24 two at once"),
        pytest.param(ARRACOURT, "barrage", ("target G7", "target E3"),
                     "Barrage has one target, and it is chosen (C24)", id="C24 a second one"),
        pytest.param(ARRACOURT, "barrage", ("end",), "Barrage needs a target (C24)", id="C24 none"),
        pytest.param(ST_VITH, "medics-and-mechanics", ("heal B9",),
                     "the infantry unit at B9 has no losses (C32)", id="C32 no losses"),
        pytest.param(ST_VITH, "firefight", ("order C9", "move C9 C8"),
                     "units ordered by Firefight do not move (C30)", id="C30 firefight"),
        pytest.param(ST_VITH, "air-power", ("target B5,C5", "target L5"),
                     "the infantry unit at L5 is not next to the units chosen (C20a)", id="C20a apart"),
    ],
)  # fmt: skip
def test_a_refusal_names_the_rule_after_the_game_has_gone_on(
    battle: str, card: str, lines: tuple[str, ...], message: str, dice: str
) -> None:
    """R31, R35, R37, R39, R44, R45, R48, R51, R56, R59, R105, C2, C20a, C24, C30, C32: with all dice."""
    assert line_of(battle, card, *lines, dice=dice) == message


def test_their_finest_hour_orders_what_the_dice_say() -> None:
    """C34: before the dice nobody, then no more than they show."""
    assert line_of(ST_VITH, "their-finest-hour", "order B9") == (
        "the dice of Their Finest Hour say first which units are ordered (C34)"
    )
    draft = enact_all(opened(ST_VITH, "their-finest-hour", "instant"), ["card their-finest-hour"])
    foot, _, stars = draft.state.symbols
    units = ["B9", "C9", "K9", "L9", "c8", "d8", "e8", "f8", "h8", "j8"]
    ordered = enact_all(draft, [f"order {' '.join(units[: foot + stars])}"])
    assert refused(ordered, f"order {units[foot + stars]}").startswith(
        f"the dice leave no order for the infantry unit at {units[foot + stars]} (C34)"
    )


def test_a_file_without_an_own_turn_says_whose_turn_it_is() -> None:
    """R28: after a hold Bob's file holds only what the dice ask of him."""
    alice, bob = skirmish()
    first = Draft(alice.desk)
    first = enact_all(first, [f"card {center_card(first)}", "order F5 G1", "attack G1 G5 hold"])
    _send(first.seal(Wishes(), byte_source(5)), alice, bob)
    answer = Draft(bob.desk)
    while not answer.is_decided:
        answer.do(answer.answers()[0])
    for line in ("order G5", "attack G5 F5", "move G5 G6", "card recon-left"):
        assert refused(answer, line).startswith("it is the other player's turn (R28)")
    assert refused(answer, "ignore 1").startswith("flags are ignored when an attack has shown some")


def test_the_hint_names_undo_only_where_something_can_be_taken_back() -> None:
    assert seal_hint(Draft(skirmish()[0].desk)) == '"pbem seal" signs it'
    assert seal_hint(drafted("attack F5 G5", dice="instant")) == '"pbem seal" signs it'
    assert seal_hint(drafted("attack F5 G5")) == (
        '"pbem seal" signs it, "pbem undo" takes the last choice back'
    )


# Attacks that can never be, and overruns


@pytest.mark.parametrize("more", ["", " maybe"])
def test_maybe_is_not_offered_for_what_can_never_be(more: str) -> None:
    """R38, R44: a unit that may not battle this turn does not become able to."""
    assert refused(drafted("move G1 g2"), f"attack g2 G5{more}") == (
        "the artillery unit at g2 has moved too far to battle (R38)"
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("attack F5 G5 overrun M9", "no overrun: M9 is 8 hexes from G5; armor reaches 3 (R59)"),
        ("attack F5 G5 overrun A9,L5", "no overrun: A9 is 8 hexes from G5; armor reaches 3 (R59)"),
        ("attack F5 G5 overrun G5", "no overrun: G5 is the hex that is taken (R112)"),
        ("attack F5 G5 overrun I5", "no overrun: no unit stands at I5 (R51)"),
    ],
)
def test_an_overrun_that_cannot_be_needs_maybe(line: str, message: str) -> None:
    """R51, R59, R112: as an attack none of whose targets can be attacked."""
    assert refused(drafted(), line) == (
        f'{message}; add "maybe" to order it all the same, for the case that it becomes possible'
    )
    assert plan_of(drafted(f"{line} maybe")) == [line.replace("overrun", "ground overrun")]


def test_an_overrun_follows_a_close_assault() -> None:
    """R112: ground is taken next to the unit only."""
    assert refused(drafted("move F5 F2"), "attack f2 G5 overrun H5").startswith(
        "an overrun follows ground taken in close assault (R112); "
    )


def test_one_overrun_target_that_can_be_is_enough() -> None:
    assert plan_of(drafted("attack F5 G5 overrun L5,H5")) == ["attack F5 G5 ground overrun L5,H5"]


# Taking back


def test_ends_that_nobody_typed_are_taken_back_with_what_implied_them() -> None:
    """R37: after an attack is taken back units can be moved again, after a move more be ordered."""
    draft, text = taken_back(drafted("attack F5 G5"))
    assert text == "attack F5 G5"
    assert [choice.value for choice in draft.choices][1:] == ["order F5", "order G1"]
    assert draft.state.phase == "move"  # all orders of the card are given
    assert enact_all(draft, ["move F5 f4"]).choices[-1] == ("do", "move F5 f4")
    moved, _ = taken_back(enact_all(draft, ["move F5 f4", "attack G1 G5"]))
    assert moved.choices[-1] == ("do", "move F5 f4")


def test_an_end_that_was_typed_last_is_taken_back_alone() -> None:
    draft, text = taken_back(drafted("done"))
    assert text == "done"
    assert draft.choices[-1] == ("do", "order G1")


# Dice bind


def test_dice_end_a_rehearsal() -> None:
    """A draft that only tries things out rolls nothing and says how many dice are due."""
    draft = rehearsal(drafted(dice="instant"))
    found = enact(draft, ["attack F5 G5", "attack A1 A2"])
    assert (found.done, found.problem, found.draft.dice_due) == (1, None, 3)
    assert not any(step.by == "dice" for step in found.draft.referee.steps)
    sealed = enact(rehearsal(drafted()), ["attack F5 G5", "attack G1 G5"])
    assert (sealed.done, sealed.draft.dice_due) == (2, 0)


def test_a_plan_that_grew_before_a_slip_is_as_it_was() -> None:
    """All or none: the order that was possible is not kept either."""
    draft = drafted("attack F5 G5")
    found = enact(draft, ["attack G1 G5", "attack A9 F5"])
    assert plan_of(found.draft) == ["attack F5 G5"]
    assert (found.done, found.failed) == (0, 2)


# Taking back


def test_the_orders_of_a_plan_are_taken_back_one_by_one() -> None:
    draft = drafted("attack F5 G5 ground", "attack G1 G5,H5", "hold")
    draft, text = taken_back(draft)
    assert (text, plan_of(draft)) == ("attack G1 G5,H5 hold", ["attack F5 G5 ground"])
    draft, text = taken_back(draft)
    assert (text, draft.choices[-1].value) == ("attack F5 G5 ground", "order G1")


def test_other_choices_are_taken_back_whole() -> None:
    draft, text = taken_back(enact_all(stopped("attack F5 G5,H5 ground"), ["plan keep"]))
    assert (text, draft.choices) == ("plan keep", [])
    draft, text = taken_back(drafted("end"))
    assert text in ("done", "no attack")
    draft, text = taken_back(drafted("say hello"))
    assert text == "the message"
    with pytest.raises(Refused, match="there is nothing to take back"):
        taken_back(Draft(skirmish()[0].desk))
