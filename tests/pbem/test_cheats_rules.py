"""Cheats against the rules of the game, in files that are otherwise perfect (row 62, and more).

Every file here is proved, chained and signed as it must be, and the verifier without the engine accepts it.
The engine must refuse it with E_RULE, name the rule where there is one, and change nothing.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.canon import encode
from pbem.draft import Choice
from pbem.errors import Fault
from pbem.hand import read_hand
from tests.pbem.forge import next_file, reforge
from tests.pbem.moments import Moment, forge_program, moment, moments, refused_by_rules


def fires(here: Moment) -> bool:
    """Whether the file plays Ambush from an opened box."""
    return Choice("do", "card ambush") in here.draft.program


def plays(here: Moment, word: str) -> bool:
    """Whether the file has a decision that begins with a word."""
    return any(c.name == "do" and c.value.split()[0] == word for c in here.draft.program)


def opens(here: Moment) -> bool:
    """Whether the file opens a box and takes a turn."""
    return "open" in here.names() and not fires(here)


def stops(here: Moment) -> bool:
    """Whether the file ends in a stop."""
    return here.draft.referee.owes_plan


def goes_on(here: Moment) -> bool:
    """Whether the file goes on with a stopped turn."""
    return here.referee.owes_plan


def attacks(here: Moment) -> bool:
    """Whether the file has a plan with orders, of a turn that was not stopped."""
    plan = next((c.value for c in here.draft.program if c.name == "plan"), None)
    return bool(plan) and not goes_on(here)


def holds(here: Moment) -> bool:
    """Whether the file has a plan with a hold in it."""
    return any(order[4] for c in here.draft.program if c.name == "plan" for order in c.value or ())


def ordinary(here: Moment) -> bool:
    """Whether the file is an ordinary turn: a card, moves and a draw."""
    return here.names()[:1] == ["show"] and plays(here, "move") and "draw" in here.names()


def changed(here: Moment, old: str, new: list[Choice]) -> list[Choice]:
    """The ops with the first one of a name exchanged for others."""
    program = list(here.draft.program)
    place = here.names().index(old)
    return [*program[:place], *new, *program[place + 1 :]]


def with_decision(here: Moment, word: str, text: str) -> list[Choice]:
    """The ops with the first decision that begins with a word exchanged."""
    program = list(here.draft.program)
    place = next(p for p, c in enumerate(program) if c.name == "do" and c.value.split()[0] == word)
    program[place] = Choice("do", text)
    return program


def rule_against(here: Moment, program: list[Choice]) -> str:
    """The rule that refuses a file with these ops."""
    return refused_by_rules(here, forge_program(here, program)).rule


# Boxes and promised cards


@pytest.mark.parametrize("mode", ["live", "sheet", "strict", "instant"])
def test_an_asked_box_is_not_opened(mode: str) -> None:
    here = moment(mode, opens)
    program = [choice for choice in here.draft.program if choice.name != "open"]
    refused_by_rules(here, forge_program(here, program))


@pytest.mark.parametrize("mode", ["live", "sheet", "strict", "instant"])
def test_a_box_is_opened_that_nobody_asked_for(mode: str) -> None:
    here = moment(mode, opens)
    box = here.draft.program[here.names().index("open")].value[0][0]
    more = [Choice("open", [(box + 8, None)])]
    refused_by_rules(here, forge_program(here, [*here.draft.program, *more]))
    quiet = moment(mode, lambda other: ordinary(other) and other.draft.desk.log.count > 4)
    refused_by_rules(quiet, forge_program(quiet, [*more, *quiet.draft.program]))


@pytest.mark.parametrize("mode", ["live", "sheet", "strict", "instant"])
def test_another_box_is_opened_than_the_one_asked_for(mode: str) -> None:
    """The box for armor of the same unit instead of the one for infantry, and so on."""
    here = moment(mode, opens)
    box = here.draft.program[here.names().index("open")].value[0][0]
    other = box - box % 8 + (box % 8 + 1) % 3
    refused_by_rules(here, forge_program(here, changed(here, "open", [Choice("open", [(other, None)])])))


@pytest.mark.parametrize("mode", ["live", "sheet", "strict", "instant"])
def test_the_promised_card_is_not_played(mode: str) -> None:
    """The box says Ambush; the file shows nothing, or another card, or lets the question pass."""
    here = moment(mode, fires)
    opened = here.draft.program[here.names().index("open")]
    refused_by_rules(here, forge_program(here, [opened]))
    refused_by_rules(here, forge_program(here, [opened, Choice("do", "pass")]))
    refused_by_rules(here, forge_program(here, [opened, Choice("do", "card ambush")]))
    hand = read_hand(here.log.table, here.referee, here.draft.desk.seat, here.draft.desk.secret)  # type: ignore[arg-type]
    other = next(card.key for card in hand if card.key not in ("?", "ambush"))
    shown = Choice("show", (other, False))
    refused_by_rules(here, forge_program(here, [opened, shown, Choice("do", f"card {other}")]))
    assert rule_against(here, [opened, shown, Choice("do", "card ambush")]) == "R29"


def test_an_ambush_without_a_box() -> None:
    """The card is held, but the sheet does not say so: an answer after the dice are known."""
    here = moment("live", opens)
    program = changed(here, "open", [here.draft.program[0], Choice("do", "card ambush")])
    refused_by_rules(here, forge_program(here, program))


# Decisions


def test_orders_for_another_players_unit() -> None:
    """R31: units of the own side only."""
    here = moment("live", ordinary)
    state = here.referee.now
    assert here.referee.match is not None
    side = state.setup.seats[here.referee.match.army_of(here.draft.desk.seat)].side
    foreign = state.setup.grid.labels[state.pos[state.units_of(1 - side)[0]]]
    assert rule_against(here, with_decision(here, "order", f"order {foreign}")) == "R31"


@pytest.mark.parametrize(
    ("word", "text"),
    [
        ("move", "move A1 M9"),
        ("move", "attack A1 M9"),
        ("move", "roll star star star"),
        ("move", "draw ?"),
        ("move", "draw ambush"),
        ("move", "shuffle"),
        ("move", "card assault-center"),
        ("move", "ignore 3"),
        ("move", "retreat A1 A2"),
        ("move", "pass"),
        ("order", "order Z99"),
        ("order", "order"),
        ("order", "  order"),
        ("order", ""),
        ("order", "\x00"),
        ("order", "done done"),
        ("order", "ORDER everything"),
        ("order", "x" * 5000),
    ],
)
def test_a_decision_the_rules_do_not_know(word: str, text: str) -> None:
    here = moment("live", ordinary)
    refused_by_rules(here, forge_program(here, with_decision(here, word, text)))


@pytest.mark.parametrize("value", [None, 7, b"move", ["move"], {"do": "move"}, True])
def test_a_decision_that_is_no_text(value: Any) -> None:
    here = moment("live", ordinary)
    refused_by_rules(here, forge_program(here, changed(here, "do", [Choice("do", value)])))


def test_a_decision_written_in_another_way() -> None:
    """One decision has one text, or two files could say the same."""
    here = moment("live", ordinary)
    program = list(here.draft.program)
    place = next(p for p, c in enumerate(program) if c.name == "do" and c.value.startswith("order"))
    program[place] = Choice("do", program[place].value.replace("order ", "order  "))
    refused_by_rules(here, forge_program(here, program))


def test_the_turn_is_left_unfinished() -> None:
    """R28: a file ends only where somebody else has to speak."""
    here = moment("live", ordinary)
    for count in range(2, len(here.draft.program) - 1):
        assert rule_against(here, here.draft.program[:count]) in ("R28", "R121")


def test_a_second_turn_in_one_file() -> None:
    """R28: after the own turn the other side is asked."""
    here = moment("live", ordinary)
    hand = here.draft._hand
    again = next(card.key for card in hand if card.key != "?")
    more = [Choice("show", (again, False)), Choice("do", f"card {again}")]
    assert rule_against(here, [*here.draft.program, *more]) == "R28"


def test_a_decision_for_the_opponent() -> None:
    """R28: the answer to a question that is asked of the other side."""
    here = moment("live", ordinary)
    assert rule_against(here, [*here.draft.program, Choice("do", "done")]) == "R28"


# Cards


def test_a_card_is_played_that_was_not_shown() -> None:
    """R29: the decision names a card, and no card or another one lies open."""
    here = moment("live", ordinary)
    program = here.draft.program
    assert rule_against(here, program[1:]) == "R29"
    shown = program[0].value[0]
    other = next(card.key for card in here.draft.desk.hand() if card.key not in ("?", shown))
    assert rule_against(here, [Choice("show", (other, False)), *program[1:]]) == "R29"


def test_a_card_is_shown_for_nothing() -> None:
    """R29: to be rid of a card, or to let the hand be drawn anew."""
    here = moment("live", ordinary)
    shown = here.draft.program[0].value[0]
    other = next(card.key for card in here.draft.desk.hand() if card.key not in ("?", shown))
    useless = Choice("show", (other, False))
    for place in range(len(here.draft.program) + 1):
        program = [*here.draft.program[:place], useless, *here.draft.program[place:]]
        assert rule_against(here, program) == "R29"


def test_one_card_is_played_twice() -> None:
    """R28, R29: two cards of one turn."""
    here = moment("live", ordinary)
    first = here.draft.program[:2]
    other = next(card.key for card in here.draft._hand if card.key != "?")
    second = [Choice("show", (other, False)), Choice("do", f"card {other}")]
    refused_by_rules(here, forge_program(here, [*first, *second, *here.draft.program[2:]]))


def test_draws_the_rules_do_not_give() -> None:
    """R121: too many cards, a second draw, a draw before the turn is over, a draw for the board."""
    here = moment("live", lambda each: ordinary(each) and each.draft.program[-1].value[-1] == 1)
    seat, deck, count = here.draft.program[-1].value
    more = Choice("draw", (seat, deck, count + 1))
    program = here.draft.program
    assert rule_against(here, [*program[:-1], more]) == "R121"
    assert rule_against(here, [*program, Choice("draw", (seat, deck, 1))]) == "R121"
    assert rule_against(here, [Choice("draw", (seat, deck, 1)), *program]) == "R121"
    for place in range(1, len(program) - 1):  # early: ahead of decisions of the same turn
        early = [*program[:place], program[-1], *program[place:-1]]
        assert rule_against(here, early) == "R121"
    assert rule_against(here, [*program[:-1], Choice("draw", (-1, deck, 1))]) == "R121"


def test_no_draw_ahead_of_a_hold() -> None:
    """R121: who has ordered a hold will be asked again, and must not know the next card by then."""
    here = moment("live", holds)
    assert "draw" not in here.names()
    draw = Choice("draw", (here.draft.desk.seat, "command", 1))
    assert rule_against(here, [*here.draft.program, draw]) == "R121"


def test_a_reshuffle_that_nothing_asks_for() -> None:
    """R122: at the beginning, in the middle and at the end of a turn."""
    here = moment("live", lambda each: ordinary(each) and each.log.count > 8)
    program = here.draft.program
    for place in (0, 2, len(program) - 1, len(program)):
        forged = [*program[:place], Choice("reshuffle", "command"), *program[place:]]
        assert rule_against(here, forged) == "R122"


def test_a_reshuffle_is_left_out() -> None:
    """C34: Their Finest Hour is over when the deck was shuffled."""
    here = moment("live", lambda each: "reshuffle" in each.names())
    program = [choice for choice in here.draft.program if choice.name != "reshuffle"]
    assert rule_against(here, program) in ("C34", "R121", "R122", "R28")


# Recon


def recon(here: Moment) -> bool:
    """Whether the file begins with the choice between the two cards of a Recon."""
    return plays(here, "discard")


def test_recon_rejects_an_old_card() -> None:
    """C10: the choice is between the two new cards."""
    here = moment("live", recon)
    fresh = here.referee.fresh[here.draft.desk.seat]
    new = {card.key for card in here.draft.desk.hand() if card.nth in fresh}
    old = next(c.key for c in here.draft.desk.hand() if c.nth not in fresh and c.key not in (*new, "?"))
    program = [Choice("show", (old, False)), Choice("do", f"discard {old}"), *here.draft.program[2:]]
    refused_by_rules(here, forge_program(here, program))


def test_recons_choice_is_put_off() -> None:
    """C10: first the choice, then the next card."""
    here = moment("live", recon)
    program = here.draft.program
    refused_by_rules(here, forge_program(here, [*program[2:4], *program[:2], *program[4:]]))
    refused_by_rules(here, forge_program(here, program[2:]))


def test_both_new_cards_are_rejected() -> None:
    here = moment("live", recon)
    fresh = here.referee.fresh[here.draft.desk.seat]
    first = here.draft.program[0].value[0]
    other = next(c.key for c in here.draft.desk.hand() if c.nth in fresh and c.key != first)
    more = [Choice("show", (other, True)), Choice("do", f"discard {other}")]
    program = [*here.draft.program[:2], *more, *here.draft.program[2:]]
    refused_by_rules(here, forge_program(here, program))


def test_the_hand_is_mixed_before_recons_choice() -> None:
    """C10: mixed, the new cards could not be told from the old ones."""
    here = moment("live", recon)
    assert rule_against(here, [Choice("mix", "command"), *here.draft.program]) == "C10"


def test_the_hand_is_mixed_while_recons_cards_wait_for_the_end_of_the_turn() -> None:
    """C10: the same in a turn that was stopped after the two cards were drawn."""
    here = moment("strict", goes_on)
    referee = here.referee.copy()
    seat = here.draft.desk.seat
    referee.begin(here.log.count, seat, seat, bytes(32), begins=True)
    referee.act(0, "mix", ())
    state = referee.now.copy()
    state.order = "recon-left"
    referee.state = state
    referee.ahead[seat] = 2
    with pytest.raises(Fault) as caught:
        referee.act(1, "mix", ())
    assert (caught.value.code, caught.value.rule) == ("E_RULE", "C10")


# Two files in a row, other ops


@pytest.mark.parametrize("mode", ["live", "instant"])
@pytest.mark.parametrize("ops", [[], [["end", encode("resigns")]]], ids=["nothing", "resigning"])
def test_a_second_file_in_a_row(mode: str, ops: list[Any]) -> None:
    """Own idea: the author of the last file writes the next one too, to seal another sheet or to resign."""
    here = moments(mode)[4]
    log, entry = here.log.check(here.honest())
    referee = here.referee.read(entry)

    def go_on(body: dict[str, Any]) -> None:
        body.update(n=log.count, p=log.previous, s=bytes(32), k=bytes(32), o=ops, e=referee.digest())

    with pytest.raises(Fault, match="E_RUN"):
        log.check(reforge(here.honest(), here.draft.desk.identity, go_on))
    again = entry._replace(number=log.count, begins_run=False, actions=(), engine=referee.digest())
    with pytest.raises(Fault, match="E_RULE"):  # nor would the rules allow it
        referee.read(again)


def test_ops_of_other_rulesets() -> None:
    """Own idea: a card is laid apart so that it is never mixed."""
    here = moments("live")[4]
    desk = here.draft.desk
    forger = next_file(here.log, desk.seat, desk.identity)
    forger.pay()
    forger.add("lay", 0)
    fault = refused_by_rules(here, forger.seal(desk.identity, bytes(32)))
    assert "lay" in fault.message


def test_a_wrong_digest_of_the_game() -> None:
    """Own idea: everything is right but the author claims another state."""
    here = moment("live", ordinary)
    refused_by_rules(here, forge_program(here, here.draft.program, engine=b"\1" * 32), "E_STATE")
    refused_by_rules(here, forge_program(here, here.draft.program, engine=here.referee.digest()), "E_STATE")


def test_the_program_itself_is_accepted() -> None:
    """The tool of these tests: the honest ops through the same forge are refused for their digest only."""
    for mode in ("live", "sheet", "strict", "instant"):
        for here in moments(mode)[:40:8]:
            refused_by_rules(here, forge_program(here, here.draft.program), "E_STATE")
