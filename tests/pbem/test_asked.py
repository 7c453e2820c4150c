"""What is asked of whom: one sentence and one command for every situation."""

from __future__ import annotations

import random

from pbem.draft import Choice, Desk, Draft
from pbem.orders import Order
from pbem.story import asked_text, awaited_text
from pbem.story.asked import question_of
from tests.mailgame import ALICE, BOB, decide
from tests.pbem.moments import moment
from tests.readings import Reading, game_files, readings
from tests.skirmish import center_card, skirmish


def all_asked(files: tuple[bytes, ...]) -> list[tuple[Reading, int]]:
    """Every moment of a game with the seat that writes next."""
    return [
        (reading, seat)
        for reading in readings(files)
        for seat in (0, 1)
        if reading.log.count > 1 and reading.desk(seat).is_next()
    ]


def test_an_invitation_is_to_be_accepted() -> None:
    reading = readings(game_files())[0]
    invited = asked_text(reading.desk(1), "bridge")
    assert invited == ("accept", "You are invited to this game.", "pbem accept bridge")
    assert invited.is_due
    waits = asked_text(reading.desk(0), "bridge")
    assert waits == ("wait", "Nothing is asked of you: Bob has not answered the invitation yet.", "")
    assert not waits.is_due


def test_whoever_does_not_write_next_waits() -> None:
    reading = readings(game_files())[2]
    assert asked_text(reading.desk(0)).text == "Nothing is asked of you: the next file comes from Bob."
    assert awaited_text(reading.log, reading.referee) == asked_text(reading.desk(0))


def test_the_first_question_of_a_turn_is_the_card() -> None:
    reading = readings(game_files())[1]
    assert asked_text(reading.desk(0), "bridge") == (
        "decide",
        "It is your turn: play a command card.",
        "pbem play bridge",
    )


def test_a_draft_is_asked_on() -> None:
    desk = readings(game_files())[1].desk(0)
    drafts = []
    for answer in Draft(desk).answers():
        drafts.append(Draft(desk))
        drafts[-1].do(answer)
    draft = next(draft for draft in drafts if draft.state.phase == "order")
    assert asked_text(desk, "bridge", draft=draft).text == "Order your units."
    decide(draft, random.Random(1), bot="sergeant")
    assert asked_text(desk, "bridge", draft=draft) == (
        "seal",
        "Everything is decided: sign your file and send it.",
        "pbem seal bridge",
    )


def test_retreats_name_the_unit_and_its_flags() -> None:
    """R92, R101: a defender who has a choice is asked for it, with the unit, its hex and its flags."""
    texts = []
    for reading, seat in all_asked(game_files("sainte-mere-eglise")):
        asked = asked_text(reading.desk(seat))
        state = Draft(reading.desk(seat)).state
        if state.phase in ("retreat", "ignore"):
            assert state.fight is not None
            label = state.setup.grid.labels[state.pos[state.fight.target]]
            flags = "1 flag" if state.fight.flags == 1 else f"{state.fight.flags} flags"
            end = "where it retreats." if state.phase == "retreat" else "whether it ignores one."
            assert asked.text.startswith("Your ")
            assert asked.text.endswith(f" at {label} must obey {flags}: decide {end}")
            texts.append(asked.text)
    assert texts


def test_a_decided_game_is_to_be_signed() -> None:
    files = game_files()
    reading = readings(files)[-2]
    seat = 0 if reading.desk(0).is_next() else 1
    state = reading.referee.now
    assert asked_text(reading.desk(seat), "bridge") == (
        "confirm",
        f"You have {'won' if state.winner == seat else 'lost'} {state.medals(seat)}:{state.medals(1 - seat)}:"
        " sign the result.",
        "pbem seal bridge",
    )
    waits = asked_text(reading.desk(1 - seat))
    name = ("Alice", "Bob")[seat]
    assert waits.text == f"Nothing is asked of you: {name} signs the result with the next file."
    over = readings(files)[-1]
    assert asked_text(over.desk(0)) == ("over", "The game is over; nothing more is asked.", "")


def test_a_stopped_turn_goes_on_with_a_plan() -> None:
    """After a hold the attacker's next file begins with a plan."""
    held = []
    for reading, seat in all_asked(game_files(seed=6, bot="busy", hold=0.9, most=24)):
        draft = Draft(reading.desk(seat))
        if draft.referee.owes_plan and draft.referee.active_side == draft.desk.side:
            held.append(asked_text(reading.desk(seat)).text)
    assert held
    assert set(held) == {"Your turn goes on: order the attacks that are left, or confirm your plan."}


def test_a_draft_that_cannot_be_made_is_told_in_one_sentence() -> None:
    """A sheet that another program has written cannot be opened here; the player is told so."""
    files = game_files("sainte-mere-eglise")
    told = []
    for reading, seat in all_asked(files):
        desk = reading.desk(seat)
        if desk.log.sheets[desk.side] is None:
            continue
        broken = Desk(reading.log.copy(), reading.referee, (ALICE, BOB)[seat], seat)
        latest = broken.log.sheets[desk.side]
        assert latest is not None
        broken.log.sheets[desk.side] = (latest[0], bytes(32))
        told.append(asked_text(broken, "town"))
    troubled = [asked for asked in told if "cannot be restored" in asked.text]
    assert troubled
    assert {asked.command for asked in troubled} == {"pbem status town"}


def test_a_resignation_ends_the_questions() -> None:
    reading = readings(game_files())[1]
    draft = Draft(reading.desk(0))
    draft.choose(Choice("end", "resigns"))
    assert asked_text(reading.desk(0), draft=draft).kind == "seal"


def test_a_file_without_a_decision_says_why_it_is_due() -> None:
    """Dice of a hold, the end of a turn, the cards of whoever moves first: nobody has decided anything."""
    found = set()
    for files in (
        game_files(seed=6, bot="busy", hold=0.9, most=24),
        game_files("toulon", hold=0.5, seed=3, most=40),
    ):
        for here, seat in all_asked(files):
            draft = Draft(here.desk(seat))
            if not draft.is_decided or draft.referee.winner >= 0:
                continue
            other = ("Alice", "Bob")[1 - seat]
            reasons = {
                f"your file brings {other} the dice, then {other}'s turn goes on": "dice",
                f"your turn ends with your file, then it is {other}'s turn": "turn",
                f"your file makes {other}'s cards readable, then it is {other}'s turn": "cards",
                f"your Ambush is played as you had sealed it, then {other}'s turn goes on": "ambush",
                f"your file is the answer that {other}'s turn waits for": "answer",
                "your turn goes on when the answer has come": "own",
            }
            head, _, tail = asked_text(here.desk(seat)).text.partition(": ")
            why = tail.removesuffix(". Sign your file and send it.")
            assert head == "Nothing is to be decided"
            kind = reasons[why]
            assert (kind == "cards") == (here.log.count == 2)
            assert (kind in ("turn", "own")) == (here.referee.active_side == draft.desk.side)
            found.add(kind)
    assert {"dice", "turn"} <= found


def test_a_strict_choice_says_that_the_file_ends_with_it() -> None:
    """Adaptation 14: a real choice of the defender stops the turn."""
    here = moment(
        "strict", lambda m: m.draft.referee.stopped and any(c.name == "do" for c in m.draft.choices)
    )
    name = ("Alice", "Bob")[1 - here.draft.desk.seat]
    assert asked_text(here.draft.desk, draft=here.draft).text == (
        "Everything is decided: sign your file and send it. It ends with your choice, for retreats are"
        f" strict; {name} goes on with fresh dice."
    )


def test_a_plan_that_has_room_names_the_units_that_could_still_attack() -> None:
    """R49: whoever leaves a plan half written is not told that everything is decided."""
    draft = Draft(skirmish()[0].desk)
    for text in (f"card {center_card(draft)}", "order F5", "order G1"):
        draft.choose(Choice("do", text))
    while not draft.wants_plan:
        draft.choose(Choice("do", "done"))
    labels = draft.state.setup.grid.labels
    here, there = (labels.index(label) for label in ("F5", "G5"))
    unit, target = draft.state.occupant[here], draft.state.occupant[there]
    draft.plan((Order(unit, (target,), ground=False, overrun=(), hold=False),))
    assert asked_text(draft.desk, "town", draft=draft).text == (
        "1 attack is ordered, and G1 could still attack: sign your file and send it, or go on with pbem play."
    )


def test_an_ambush_that_takes_back_the_end_of_a_turn_is_no_turn_of_ones_own() -> None:
    """C21, adaptation 19: the turn was over before the box was opened, and goes on now."""
    here = moment("instant", lambda here: here.draft.referee.fired and not here.draft.choices)
    assert here.referee.active_side == here.draft.desk.side
    assert question_of(Draft(here.draft.desk)).text == (
        "Nothing is to be decided: your Ambush is played as you had sealed it, then"
        f" {('Alice', 'Bob')[1 - here.draft.desk.seat]}'s turn goes on. Sign your file and send it."
    )
