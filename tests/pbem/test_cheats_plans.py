"""Cheats with plans, stops, standing orders, the end of a game and its terms (row 62, and more)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.draft import Choice, write_answer
from pbem.errors import Fault
from pbem.library import scenario_text
from pbem.log import Action, Entry, Log
from pbem.referee import Referee
from pbem.ruleset import build_terms, scenario_hash
from pbem.terms import Terms, parse_terms
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, byte_source
from tests.pbem.forge import open_file, reforge
from tests.pbem.moments import Moment, forge_program, moment, moments, refused_by_rules
from tests.pbem.test_cheats_rules import attacks, changed, goes_on, ordinary, plays, rule_against, stops


def plan_of(here: Moment) -> list[list[Any]]:
    """The plan of a file."""
    value = next(choice.value for choice in here.draft.program if choice.name == "plan")
    assert isinstance(value, list)
    return [list(order) for order in value]


def with_plan(here: Moment, value: Any) -> list[Choice]:
    """The ops with another plan and no draw behind it."""
    program = changed(here, "plan", [Choice("plan", value)])
    return [choice for choice in program if choice.name != "draw"]


def bad_plans(order: list[Any]) -> dict[str, Any]:
    """Plans that are not in the one form, made from a good order."""
    unit, targets, ground, overrun, hold = order
    enemy = targets[0]
    return {
        "a text": "attack",
        "a number": 3,
        "a map": {"unit": unit},
        "four parts": [[unit, targets, ground, overrun]],
        "six parts": [[*order, 0]],
        "an order that is a text": ["attack"],
        "no unit": [[None, targets, ground, overrun, hold]],
        "a unit below zero": [[-1, targets, ground, overrun, hold]],
        "a unit too high": [[64, targets, ground, overrun, hold]],
        "a unit that is a boolean": [[True, targets, ground, overrun, hold]],
        "no target": [[unit, [], ground, overrun, hold]],
        "a target twice": [[unit, [enemy, enemy], ground, overrun, hold]],
        "nine targets": [[unit, list(range(30, 39)), ground, overrun, hold]],
        "a strange target": [[unit, ["everybody"], ground, overrun, hold]],
        "a target with a leading zero": [[unit, ["A01"], ground, overrun, hold]],
        "a nil target": [[unit, [None], ground, overrun, hold]],
        "a number for a switch": [[unit, targets, 1, overrun, hold]],
        "an overrun without ground": [[unit, targets, False, [enemy], hold]],
        "33 orders": [order] * 33,
        "a plan inside a plan": [[[order]]],
    }


@pytest.mark.parametrize("name", bad_plans([0, [1], True, [], False]))
def test_a_malformed_plan(name: str) -> None:
    here = moment("live", attacks)
    refused_by_rules(here, forge_program(here, with_plan(here, bad_plans(plan_of(here)[0])[name])))


def test_a_plan_for_a_unit_without_an_order() -> None:
    """R31: neither a unit that was not ordered, nor one that does not exist, nor one of the enemy."""
    here = moment("live", attacks)
    state = here.draft.referee.now
    order = plan_of(here)[0]
    idle = next(unit for unit in state.units_of(state.setup.side[order[0]]) if unit not in state.orders)
    enemy = state.units_of(1 - state.setup.side[order[0]])[0]
    for unit in (idle, 63, enemy):
        assert rule_against(here, with_plan(here, [[unit, *order[1:]]])) == "R31"


def test_a_plan_against_an_own_unit() -> None:
    """R51: targets and overruns are enemies, and exist."""
    here = moment("live", attacks)
    state = here.draft.referee.now
    order = plan_of(here)[0]
    friend = next(unit for unit in state.units_of(state.setup.side[order[0]]) if unit != order[0])
    for target in (friend, order[0], 63):
        assert rule_against(here, with_plan(here, [[order[0], [target], True, [], False]])) == "R51"
        assert rule_against(here, with_plan(here, [[order[0], order[1], True, [target], False]])) == "R51"


def test_a_plan_where_none_is_asked_for() -> None:
    """R49: not before the card, not between the moves, not twice."""
    here = moment("live", attacks)
    program = here.draft.program
    plan = next(choice for choice in program if choice.name == "plan")
    place = program.index(plan)
    assert rule_against(here, [plan, *program]) == "R49"
    assert rule_against(here, [*program[: place - 1], plan, *program[place - 1 :]]) == "R49"
    refused_by_rules(here, forge_program(here, [*program[: place + 1], plan, *program[place + 1 :]]))
    quiet = moment("live", lambda each: ordinary(each) and "plan" not in each.names())
    refused_by_rules(quiet, forge_program(quiet, [*quiet.draft.program, plan]))


def test_nothing_is_decided_after_a_plan() -> None:
    """R28: no move, no order and no attack follows the plan of the same turn."""
    here = moment("live", attacks)
    program = here.draft.program
    place = next(p for p, choice in enumerate(program) if choice.name == "plan")
    earlier = [c for c in program[:place] if c.name == "do"][-1]
    for late in (earlier, Choice("do", "done"), Choice("do", "pass")):
        assert rule_against(here, [*program[: place + 1], late, *program[place + 1 :]]) == "R28"


def test_an_attack_by_decision_in_a_sealed_game() -> None:
    """Attacks of a sealed game are ordered by plan, or the author could react to dice that nobody rolled."""
    here = moment("live", attacks)
    state = here.draft.referee.now
    fight = state.fight
    assert fight is not None
    labels = state.setup.grid.labels
    text = f"attack {labels[state.pos[fight.attacker]]} {labels[state.pos[fight.target]]}"
    program = changed(here, "plan", [Choice("do", text)])
    refused_by_rules(here, forge_program(here, [c for c in program if c.name != "draw"]))


def test_there_is_nothing_to_confirm() -> None:
    here = moment("live", attacks)
    refused_by_rules(here, forge_program(here, with_plan(here, None)))


# Stops


@pytest.mark.parametrize("mode", ["live", "strict"])
def test_no_plan_after_a_stop(mode: str) -> None:
    """A stopped turn goes on with exactly one plan and with nothing else."""
    here = moment(mode, goes_on)
    refused_by_rules(here, forge_program(here, []))
    refused_by_rules(here, forge_program(here, [Choice("do", "done")]))
    refused_by_rules(here, forge_program(here, [Choice("draw", (here.draft.desk.seat, "command", 1))]))
    plan = here.draft.program[0]
    assert plan.name == "plan"
    refused_by_rules(here, forge_program(here, [plan, plan]))


@pytest.mark.parametrize("mode", ["live", "strict"])
def test_a_turn_after_a_stop(mode: str) -> None:
    """R28: the file that stops the other side's turn carries no turn of its own."""
    here = moment(mode, stops)
    card = next(card.key for card in here.draft._hand if card.key != "?")
    turn = [Choice("show", (card, False)), Choice("do", f"card {card}")]
    assert rule_against(here, [*here.draft.program, *turn]) == "R28"
    refused_by_rules(here, forge_program(here, [*here.draft.program, Choice("plan", [])]))


def test_a_plan_for_another_players_turn() -> None:
    here = moment("live", stops)
    refused_by_rules(here, forge_program(here, [*here.draft.program, Choice("plan", None)]))


def test_units_that_have_no_order_in_a_plan_after_a_stop() -> None:
    """R31: what is ordered anew may name ordered units only."""
    here = moment("strict", goes_on)
    state = here.referee.now
    order = plan_of(here)[0]
    idle = next(unit for unit in state.units_of(state.setup.side[order[0]]) if unit not in state.orders)
    assert rule_against(here, [Choice("plan", [[idle, *order[1:]]])]) == "R31"


@pytest.mark.parametrize("mode", ["live", "strict"])
def test_a_retreat_the_rules_do_not_allow(mode: str) -> None:
    """The defender takes another way, ignores more flags, or says nothing."""
    here = moment(mode, lambda each: plays(each, "retreat"))
    program = here.draft.program
    place = next(p for p, c in enumerate(program) if c.name == "do" and c.value.startswith("retreat"))
    for text in ("retreat A1 A2", "retreat", "ignore 1", "done"):
        forged = [*program[:place], Choice("do", text), *program[place + 1 :]]
        refused_by_rules(here, forge_program(here, forged))
    refused_by_rules(here, forge_program(here, program[:place]))


def test_a_live_retreat_in_a_game_by_sheet() -> None:
    """Retreats are answered from the sheet that was sealed before the dice."""
    here = moment("sheet", lambda each: any(box % 8 in (5, 6) for box in boxes_of(each)))
    opened = here.names().index("open")
    for text in ("ignore 0", "ignore 1", "retreat A1 A2"):
        program = [*here.draft.program[:opened], Choice("do", text), *here.draft.program[opened + 1 :]]
        refused_by_rules(here, forge_program(here, program))


def boxes_of(here: Moment) -> list[int]:
    """The boxes that a file opens."""
    return [box for choice in here.draft.program if choice.name == "open" for box, _ in choice.value]


# Instant games


def test_no_plan_and_so_no_hold_in_an_instant_game() -> None:
    """A player who could stop would throw a bad tape away."""
    here = moment("instant", lambda each: plays(each, "attack"))
    unit = here.draft.referee.now.units_of(here.draft.referee.now.setup.side[0])[0]
    place = next(
        p for p, c in enumerate(here.draft.program) if c.name == "do" and c.value.startswith("attack")
    )
    for value in ([[unit, [30], True, [], True]], [], None):
        program = [*here.draft.program[:place], Choice("plan", value), *here.draft.program[place:]]
        refused_by_rules(here, forge_program(here, program))


def test_a_turn_broken_off_after_the_dice() -> None:
    """R28: an instant turn ends when the rules say so, not when the dice displease."""
    here = moment(
        "instant",
        lambda each: [c.value.split()[0] for c in each.draft.program if c.name == "do"].count("attack") > 1,
    )
    place = next(
        p for p, c in enumerate(here.draft.program) if c.name == "do" and c.value.startswith("attack")
    )
    assert rule_against(here, here.draft.program[: place + 1]) == "R28"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("cover", id="a text"),
        pytest.param([[None, ["cover"]]], id="two parts"),
        pytest.param([[None, ["hide"], None]], id="an unknown criterion"),
        pytest.param([[None, ["cover", "cover"], None]], id="a criterion twice"),
        pytest.param([[None, [["A1", "A1"]], None]], id="a hex twice"),
        pytest.param([[None, [[]], None]], id="an empty list of hexes"),
        pytest.param([[None, ["cover"] * 9, None]], id="nine criteria"),
        pytest.param([[None, None, "sometimes"]], id="unknown flags"),
        pytest.param([[None, None, 1]], id="flags that are a number"),
        pytest.param([[3, None, None], [2, None, None]], id="units not ascending"),
        pytest.param([[3, None, None], [3, None, None]], id="a unit twice"),
        pytest.param([[3, None, None], [None, None, None]], id="the general order not first"),
        pytest.param([[64, None, None]], id="a unit out of range"),
        pytest.param([[True, None, None]], id="a boolean unit"),
        pytest.param([[63, None, None]], id="a unit that does not exist"),
        pytest.param([[None, None, None]] * 70, id="too many"),
    ],
)
def test_malformed_standing_orders(value: Any) -> None:
    here = moment("instant", ordinary)
    refused_by_rules(here, forge_program(here, [Choice("stand", value), *here.draft.program]))


def test_standing_orders_for_the_other_side() -> None:
    here = moment("instant", ordinary)
    state = here.referee.now
    assert here.referee.match is not None
    side = state.setup.seats[here.referee.match.army_of(here.draft.desk.seat)].side
    foreign = state.units_of(1 - side)[0]
    stand = Choice("stand", [[foreign, ["left"], "never"]])
    refused_by_rules(here, forge_program(here, [stand, *here.draft.program]))


def test_standing_orders_in_a_sealed_game() -> None:
    here = moment("live", ordinary)
    refused_by_rules(here, forge_program(here, [Choice("stand", []), *here.draft.program]))


def test_standing_orders_changed_when_the_dice_are_known() -> None:
    """Own idea: who ambushes in an instant game knows the root and could choose the retreat that suits it."""
    here = moment("instant", lambda each: Choice("do", "card ambush") in each.draft.program)
    stand = Choice("stand", [[None, ["right"], "always"]])
    for place in range(len(here.draft.program) + 1):
        program = [*here.draft.program[:place], stand, *here.draft.program[place:]]
        refused_by_rules(here, forge_program(here, program))


# The end


def test_the_game_is_not_over() -> None:
    """R20: nobody can declare a victory, with the right form or a wrong one."""
    here = moment("live", ordinary)
    claim = here.referee.result() | {"winner": "allies", "reason": "medals"}
    for value in (claim, "victory", None, "resign", {"resigns": 1}, ["resigns"], b"resigns"):
        assert rule_against(here, [Choice("end", value)]) == "R20"


def test_resigning_is_for_oneself() -> None:
    """Whoever writes the file has lost, and nobody else."""
    here = moments("live")[3]
    data = here.draft.__class__(here.draft.desk, (Choice("end", "resigns"),)).seal(
        here.wishes, byte_source(1)
    )
    log, entry = here.log.check(data)
    after = here.referee.read(entry)
    assert (after.resigned, after.winner, log.ended) == (entry.side, 1 - entry.side, True)


def test_a_wrong_result_is_confirmed() -> None:
    """R20: the result that is signed is the one the game came to."""
    here = moments("whole")[-1]
    assert here.names() == ["end"]
    right = here.referee.result()
    wrong: list[dict[str, Any]] = [
        {**right, "winner": "axis" if right["winner"] == "allies" else "allies"},
        {**right, "medals": [right["medals"][0] + 1, right["medals"][1]]},
        {**right, "reason": "time"},
        {**right, "more": 1},
        {"winner": right["winner"]},
    ]
    for value in wrong:
        assert rule_against(here, [Choice("end", value)]) == "R20"
    assert rule_against(here, [Choice("end", "resigns")]) == "R20"


def test_a_decided_game_is_not_played_on() -> None:
    """R23: the loser neither keeps silent about the result nor takes another turn."""
    here = moments("whole")[-1]
    assert rule_against(here, []) == "R23"
    card = next(card.key for card in here.draft.desk.hand() if card.key != "?")
    assert rule_against(here, [Choice("show", (card, False)), Choice("do", f"card {card}")]) == "R23"
    assert rule_against(here, [Choice("draw", (here.draft.desk.seat, "command", 1))]) == "R23"


def test_the_winner_cannot_close_the_game_alone() -> None:
    """R20: the file that decides the game does not sign for the other side, nor pretend to resign.

    In an instant game the loser may still have a sealed answer that undoes the end.
    """
    here = moments("whole")[-2]
    result = moments("whole")[-1].referee.result()
    for value in (result, "resigns"):
        assert rule_against(here, [*here.draft.program, Choice("end", value)]) == "R20"


def test_an_open_question_comes_before_the_result() -> None:
    """Own idea: the winner of the other side's turn skips the sealed answers that could change it."""
    here = moments("whole")[-1]
    referee = here.referee.copy()
    asked = next(each.referee for each in moments("whole") if each.referee.questions)
    referee.questions = asked.questions
    referee.begin(here.log.count, here.draft.desk.seat, here.draft.desk.side, bytes(32), begins=True)
    with pytest.raises(Fault, match="questions"):
        referee.act(0, "end", referee.result())


# Terms


def honest_terms() -> Terms:
    """Terms that both sides could sign."""
    return build_terms(
        scenario_text("pegasus-bridge"), army="allies", pk=ALICE.pk, opponent=BOB.pk, names=("A", "B")
    )


def offered(change: Callable[[dict[str, Any]], object]) -> tuple[Log, Entry]:
    """The verifier after an offer with other terms, made anew by its author from beginning to end."""
    value = honest_terms().as_value()
    change(value)
    return Log().check(write_offer(parse_terms(value), ALICE, byte_source(1)))


def terms_entry(change: Callable[[dict[str, Any]], object]) -> Entry:
    """What the verifier hands on of such an offer, as far as the rules look at it; quicker to make."""
    value = honest_terms().as_value()
    change(value)
    action = Action(0, bytes(32), "terms", parse_terms(value))
    return Entry(0, 0, 0, bytes(32), True, None, (action,), bytes(32), bytes(32), bytes(32), 0)


def more_options(value: dict[str, Any], **options: Any) -> None:
    """Other options of the battle."""
    value["extra"]["options"].update(options)


def other_scenario(value: dict[str, Any]) -> None:
    """Another text under the hash that was agreed on."""
    value["extra"]["scenario"] = scenario_text("vassieux")


def broken_scenario(value: dict[str, Any]) -> None:
    """A text that is no battle, with its proper hash."""
    value["extra"]["scenario"] = "name: [nothing"
    value["scenario"] = scenario_hash("name: [nothing")


TERMS: dict[str, Callable[[dict[str, Any]], object]] = {
    "another ruleset": lambda v: v.update(rules="chess/1"),
    "another scenario under the same hash": other_scenario,
    "another hash": lambda v: v.update(scenario=bytes(32)),
    "a scenario that is no battle": broken_scenario,
    "a scenario that is no text": lambda v: v["extra"].update(scenario=7),
    "a larger hand": lambda v: v["seats"][0][2][0].__setitem__(1, v["seats"][0][2][0][1] + 1),
    "no hand": lambda v: v["seats"][1].__setitem__(2, []),
    "a hand dealt in two parts": lambda v: v["seats"][0].__setitem__(2, [["command", 1], ["command", 3]]),
    "the other player first": lambda v: v.update(first=1 - v["first"]),
    "a smaller deck": lambda v: v["decks"][0].__setitem__(1, 40),
    "a larger deck": lambda v: v["decks"][0].__setitem__(1, 61),
    "a second deck": lambda v: v["decks"].append(["more", 5]),
    "cards on the board": lambda v: v.update(table=[["command", 1]]),
    "a name with a control character": lambda v: v["extra"].update(names=["A\x1b[2J", "B"]),
    "a name that turns the line around": lambda v: v["extra"].update(names=["A\u202eB", "B"]),
    "a name with a line break": lambda v: v["extra"].update(names=["A\nB", "B"]),
    "a name too long": lambda v: v["extra"].update(names=["A" * 65, "B"]),
    "a name that is a number": lambda v: v["extra"].update(names=[1, "B"]),
    "three names": lambda v: v["extra"].update(names=["A", "B", "C"]),
    "a clock of no days": lambda v: v["extra"].update(clock=0),
    "a clock that runs backwards": lambda v: v["extra"].update(clock=-3),
    "a clock that never stops": lambda v: v["extra"].update(clock=2**40),
    "a clock that is a boolean": lambda v: v["extra"].update(clock=True),
    "a clock that is a text": lambda v: v["extra"].update(clock="7 days"),
    "an army twice": lambda v: v["extra"].update(armies=["allies", "allies"]),
    "an unknown army": lambda v: v["extra"].update(armies=["allies", "romans"]),
    "armies exchanged": lambda v: v["extra"]["armies"].reverse(),
    "armies that are a text": lambda v: v["extra"].update(armies="allies"),
    "an unknown option": lambda v: more_options(v, cheat="yes"),
    "another value of an option": lambda v: more_options(v, edition="2099"),
    "an option that is a number": lambda v: more_options(v, hand=3),
    "the timing of the table": lambda v: more_options(v, timing="table"),
    "options that are a list": lambda v: v["extra"].update(options=[]),
    "a field missing": lambda v: v["extra"].pop("clock"),
    "a field more": lambda v: v["extra"].update(bet=5),
    "a third seat": lambda v: (v["seats"].append([1, True, []]), v["pk"].append(None)),
}


WHOLE = ("another scenario under the same hash", "a larger hand", "the other player first")


@pytest.mark.parametrize("name", TERMS)
def test_terms_that_these_rules_do_not_play(name: str) -> None:
    """Own ideas: whatever the terms say beside the protocol is checked before anybody answers."""
    entry = offered(TERMS[name])[1] if name in WHOLE else terms_entry(TERMS[name])
    fresh = Referee()
    with pytest.raises(Fault) as caught:
        fresh.read(entry)
    assert caught.value.code == "E_RULE"
    assert (caught.value.file, caught.value.op, caught.value.seat) == (0, 0, 0)
    assert fresh.match is None


def test_the_same_terms_unchanged_are_good() -> None:
    """The tool of the test above."""
    log, entry = offered(lambda value: None)
    referee = Referee().read(entry)
    assert isinstance(log.terms, Terms)
    _, second = log.check(write_answer(log, referee, BOB, byte_source(2)))
    assert referee.read(second).state is not None


def test_an_offer_that_claims_a_state() -> None:
    """Own idea: before the answer there is no game, so the offer says nothing of its state."""
    log, entry = offered(lambda value: None)
    assert entry.engine == bytes(32)
    data = write_offer(honest_terms(), ALICE, byte_source(1))
    assert open_file(data)["e"] == bytes(32)
    _, forged = Log().check(reforge(data, ALICE, lambda body: body.update(e=b"\1" * 32)))
    with pytest.raises(Fault, match="E_STATE"):
        Referee().read(forged)
    assert log.count == 1
