"""Typed actions on a draft: the notation, the orders of a plan, and what people leave out.

`enact_all(draft, lines)` gives a new draft with all actions made, or raises Refused or an EngineError whose
sentence names the rule; the draft it was given stays as it was. In a sealed game every `attack` line adds to
the plan of the file, which is closed by `end` or by sealing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine import chance, parse_answer
from engine.answers import VERBS
from engine.cards import CARDS
from engine.combat import attacks_of, may_battle
from engine.errors import EngineError, IllegalDecision, NotationError
from engine.hindrance import unit_name
from engine.refusal import explain
from engine.state import State
from pbem.draft import Choice, Draft
from pbem.errors import Fault, Refused
from pbem.message import MOST_SAID
from pbem.orders import MOST_ORDERS, Order, parse_plan
from pbem.orders_text import SWITCHES, parse_order

# Phases that "done" ends when something of a later phase is typed, and the verbs of the later ones.
STAGES = ("order", "move", "battle")
STAGE: dict[str, int] = {"move": 1, "exit": 1, "attack": 2, "clear": 2}
ENDS = (("done",), ("pass",), ("stay",))
DECIDED = "everything in this file is decided"
SEAL = '"pbem seal" signs it, "pbem undo" takes the last choice back'


def split_lines(text: str) -> list[str]:
    """The actions of a text, one a line; what follows ";" or "#" is a comment."""
    rows = (row.split(";")[0].split("#")[0].strip() for row in text.splitlines())
    return [row for row in rows if row]


def copied(draft: Draft) -> Draft:
    """A draft with the same choices that can be changed by itself."""
    return Draft(draft.desk, tuple(draft.choices))


def enact_all(draft: Draft, lines: Iterable[str]) -> Draft:
    """The draft after some actions; raises and changes nothing if one of them is not possible."""
    new = copied(draft)
    for line in lines:
        new = _enact(new, line)
    return new


def _enact(draft: Draft, line: str) -> Draft:
    words = line.split()
    if not words:
        raise NotationError("an action is expected, for example: order G5")
    verb = words[0].lower()
    if draft.must_confirm and verb != "say":
        raise Refused("the game is decided; only its result is left to sign", hint='type "pbem seal"')
    try:
        return ACTIONS.get(verb, _decide)(draft, line)
    except Fault as fault:  # our own slip: the other side has done nothing wrong
        raise Refused(fault.message, hint=fault.hint) from fault


# Decisions


def _decide(draft: Draft, line: str) -> Draft:
    verb = line.split()[0].lower()
    _close_stages(draft, verb)
    if draft.is_decided:
        raise Refused(DECIDED, hint=SEAL)
    if draft.owes_plan:
        raise Refused(
            "the turn goes on with a plan of attacks",
            hint='"attack ..." orders one, "plan keep" confirms what is left, "end" ends the turn',
        )
    state = draft.state
    answer = parse_answer(state, line)
    if answer in draft.answers():
        draft.do(answer)
        return draft
    if answer[0] in ("card", "discard") and answer in state.answers:
        raise Refused(f"you do not hold {CARDS[answer[1]].name}, as far as you can read your cards")
    raise explain(state, answer)


def _close_stages(draft: Draft, verb: str) -> None:
    """Say "done" for whoever goes on to moves or battles without saying it."""
    stage = STAGE.get(verb, 0)
    while ("done",) in draft.answers():
        phase = draft.state.phase
        if phase not in STAGES or STAGES.index(phase) >= stage:
            return
        draft.do(("done",))


def _order(draft: Draft, line: str) -> Draft:
    """`order G5 h4`: one order for each hex."""
    _, *hexes = line.split()
    for h in hexes or [""]:
        draft = _decide(draft, f"order {h}".strip())
    return draft


def _say(draft: Draft, line: str) -> Draft:
    text = line.strip()[len("say") :].strip()
    if not 1 <= len(text) <= MOST_SAID:
        raise Refused(f"a message has 1 to {MOST_SAID} characters")
    if any(choice.name == "say" for choice in draft.choices):
        raise Refused("one message goes with a file, and it is written", hint='"pbem undo" takes it back')
    draft.choose(Choice("say", text))
    return draft


# Plans


class Open(NamedTuple):
    """A plan as far as it is written: the draft before it, its orders, and what was said after it."""

    base: Draft
    orders: list[Order]
    after: tuple[Choice, ...]

    def closed(self) -> Draft:
        """The draft with the plan."""
        self.base.plan(tuple(self.orders))
        for choice in self.after:
            self.base.choose(choice)
        return self.base


def open_plan(draft: Draft) -> Open:
    """The plan of a draft, to be changed; without one an empty plan."""
    place = len(draft.choices)
    while place and draft.choices[place - 1].name in ("say", "stand"):
        place -= 1
    if not place or draft.choices[place - 1].name != "plan":
        return Open(draft, [], ())
    base = Draft(draft.desk, tuple(draft.choices[: place - 1]))
    orders = parse_plan(draft.choices[place - 1].value)
    left = base.referee.plan or ()
    return Open(base, list(left if orders is None else orders), tuple(draft.choices[place:]))


def planned(draft: Draft) -> tuple[State, tuple[Order, ...]]:
    """The orders of the plan in a draft, and the position in which they were given."""
    plan = open_plan(draft)
    return plan.base.state, tuple(plan.orders)


def _attack(draft: Draft, line: str) -> Draft:
    words = line.lower().split()
    if not draft.referee.sealed:
        if any(word in SWITCHES for word in words):
            raise Refused(
                "in this game the dice fall at once",
                hint="ground and overrun are decided when they are asked",
            )
        return _decide(draft, line)
    _close_stages(draft, "attack")
    plan = open_plan(draft)
    state = plan.base.state
    if not plan.base.wants_plan:
        if plan.base.is_decided:
            raise Refused(DECIDED, hint=SEAL)
        raise explain(state, ("attack", 0, 0))
    typed = parse_order(state, line)
    _check_room(state, typed.order, plan.orders)
    if not typed.maybe and not chance(state):
        _check_possible(state, typed.order)
    plan.orders.append(typed.order)
    return plan.closed()


def _check_room(state: State, order: Order, orders: list[Order]) -> None:
    battles = 1 if state.rule is None else state.rule.attacks
    if sum(1 for other in orders if other.unit == order.unit) >= battles:
        who = unit_name(state, order.unit)
        raise IllegalDecision("R50", f"{who} has its attack in the plan already")
    if len(orders) >= MOST_ORDERS:
        raise Refused(f"a plan has at most {MOST_ORDERS} orders")


def _check_possible(state: State, order: Order) -> None:
    """Refuse an order none of whose targets can be attacked as things stand."""
    here = state.pos[order.unit]
    attacks = [a for a in state.answers if a[0] == "attack"]
    if state.phase != "battle" and order.unit != state.focus and may_battle(state, order.unit):
        attacks += attacks_of(state, order.unit)
    grid = state.setup.grid
    places = [state.pos[t] if isinstance(t, int) else grid.parse(t) for t in order.targets]
    if not any(("attack", here, there) in attacks for there in places):
        problem = explain(state, ("attack", here, places[0]))
        raise Refused(
            str(problem), hint='add "maybe" to order it all the same, for the case that it becomes possible'
        )


def _hold(draft: Draft, line: str) -> Draft:
    """`hold`: the turn stops after the last attack of the plan and goes on when its dice are known."""
    if not draft.referee.sealed:
        raise Refused("in this game the dice fall at once; there is nothing to hold for")
    plan = open_plan(draft)
    if not plan.orders:
        raise Refused('"hold" comes behind an attack', hint='for example: "attack I5 K5" "hold"')
    plan.orders[-1] = plan.orders[-1]._replace(hold=True)
    return plan.closed()


def _plan(draft: Draft, line: str) -> Draft:
    what = line.lower().split()[1:]
    if what not in (["keep"], ["none"]):
        raise NotationError('write "plan keep" for what is left of the plan, or "plan none"')
    if not draft.wants_plan:
        raise Refused("no plan is asked for now")
    if what == ["keep"] and not draft.owes_plan:
        raise Refused("there is no earlier plan to keep", hint='"attack ..." orders an attack')
    draft.plan(None if what == ["keep"] else ())
    return draft


def _end(draft: Draft, line: str) -> Draft:
    """`end`: nothing more in this turn; closes a plan that has been written."""
    state = draft.state
    if draft.is_decided:
        if draft.choices:
            return draft
        raise Refused(DECIDED, hint=SEAL)
    if draft.referee.active_side != draft.desk.side:
        raise explain(state, ("done",))
    turn = state.turn
    while not draft.is_decided and draft.state.turn == turn:
        if draft.wants_plan:
            draft.plan(())
            continue
        way = next((answer for answer in ENDS if answer in draft.answers()), None)
        if way is None:
            raise explain(draft.state, ("done",))
        draft.do(way)
    return draft


ACTIONS: dict[str, Callable[[Draft, str], Draft]] = {
    "attack": _attack,
    "end": _end,
    "hold": _hold,
    "order": _order,
    "plan": _plan,
    "say": _say,
}


def is_verb(word: str) -> bool:
    """Whether an action can begin with this word."""
    return word.lower() in ACTIONS or word.lower() in VERBS


def problem_text(problem: Exception) -> str:
    """A refusal as one sentence with its hint behind it."""
    hint = getattr(problem, "hint", "")
    message = problem.message if isinstance(problem, Refused) else str(problem)
    return f"{message}; {hint}" if hint else message


REFUSALS = (Refused, EngineError)
