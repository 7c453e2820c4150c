"""The plan of a sealed file while it is being written: its orders, what it can still take in, what it cannot.

`open_plan` takes the plan out of a draft, `Open.closed` puts it back. The checks are for people who type: the
protocol accepts more, for an order that has become impossible is skipped (pbem/foresight.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from engine import Answer, chance
from engine.combat import attacks_of, may_battle
from engine.errors import IllegalDecision
from engine.hindrance import Reason, attack_hindrance, unit_name
from engine.movement import enter
from engine.refusal import explain
from engine.state import NOBODY, SPENT, State
from pbem.draft import Choice, Draft
from pbem.errors import Refused
from pbem.orders import MOST_ORDERS, Order, parse_plan

MAYBE = 'add "maybe" to order it all the same, for the case that it becomes possible'


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
    base = Draft(draft.desk, tuple(draft.choices[: place - 1]), seen=draft.seen)
    orders = parse_plan(draft.choices[place - 1].value)
    left = base.referee.plan or ()
    return Open(base, list(left if orders is None else orders), tuple(draft.choices[place:]))


def planned(draft: Draft) -> tuple[State, tuple[Order, ...]]:
    """The orders of the plan in a draft, and the position in which they were given."""
    plan = open_plan(draft)
    return plan.base.state, tuple(plan.orders)


def left_orders(draft: Draft) -> tuple[Order, ...]:
    """The orders of an earlier file that are left in this turn and wait to be put in force again (10.4)."""
    referee = draft.referee
    if not referee.sealed or referee.trusted or referee.active_side != draft.desk.side:
        return ()
    return referee.plan or ()


def can_keep(draft: Draft) -> bool:
    """Whether the file may confirm what is left of a plan now: after a stop, or after an Ambush."""
    if draft.must_confirm or not (draft.owes_plan or left_orders(draft)):
        return False
    return draft.wants_plan or chance(draft.referee.now) == "roll"  # an attack that was ambushed goes on


def more_attacks(draft: Draft) -> list[Answer]:
    """The attacks that a plan which has been begun may still take in."""
    plan = open_plan(draft)
    state = plan.base.state
    if not plan.orders or len(plan.orders) >= MOST_ORDERS:
        return []
    return [a for a in plannable(state) if _has_room(state, state.occupant[a[1]], plan.orders)]


def plannable(state: State) -> list[Answer]:
    """The attacks that a plan may order as things stand, also while one unit finishes its battles."""
    attacks = [a for a in state.answers if a[0] == "attack"]
    if state.phase == "battle":
        return attacks
    t = state.copy()
    t.phase = "battle"
    others = [unit for unit in t.orders if unit != t.focus and may_battle(t, unit)]
    return attacks + [attack for unit in others for attack in attacks_of(t, unit)]


def _has_room(state: State, unit: int, orders: Iterable[Order]) -> bool:
    battles = 1 if state.rule is None else state.rule.attacks
    return sum(1 for order in orders if order.unit == unit) < battles


# Checks


def check_room(state: State, order: Order, orders: list[Order]) -> None:
    """Refuse an order that a plan has no room for."""
    if not _has_room(state, order.unit, orders):
        who = unit_name(state, order.unit)
        raise IllegalDecision("R50", f"{who} has its attack in the plan already")
    if len(orders) >= MOST_ORDERS:
        raise Refused(f"a plan has at most {MOST_ORDERS} orders")


def check_possible(state: State, order: Order, *, maybe: bool) -> None:
    """Refuse an order that no dice can make possible, and without "maybe" one that is not possible yet."""
    here = state.pos[order.unit]
    places = _places(state, order.targets)
    attacks = plannable(state)
    if not any(("attack", here, there) in attacks for there in places):
        problem = explain(state, ("attack", here, places[0]))
        if order.unit != state.focus and not may_battle(state, order.unit):
            raise problem
        if not maybe:
            raise Refused(str(problem), hint=MAYBE)
    if order.overrun and not maybe:
        _check_overrun(state, order)


def _places(state: State, targets: Iterable[int | str]) -> list[int]:
    """The hexes at which targets stand now."""
    return [state.pos[t] if isinstance(t, int) else state.setup.grid.parse(t) for t in targets]


def _check_overrun(state: State, order: Order) -> None:
    """Refuse an overrun none of whose targets could be attacked from ground that the order may take."""
    grid, here = state.setup.grid, state.pos[order.unit]
    near = [there for there in _places(state, order.targets) if grid.near[here][there] == 1]
    if not near:
        raise Refused(
            str(IllegalDecision("R112", "an overrun follows ground taken in close assault")), hint=MAYBE
        )
    reasons = [
        _overrun_hindrance(state, order.unit, there, place)
        for there in near
        for place in _places(state, order.overrun)
    ]
    if all(reason is not None for reason in reasons):
        number, why = reasons[0] or ("R112", "")
        raise Refused(str(IllegalDecision(number, f"no overrun: {why}")), hint=MAYBE)


def _overrun_hindrance(state: State, unit: int, there: int, place: int) -> Reason | None:
    """What keeps armor that has taken the ground at `there` from attacking another hex (R112-R117)."""
    grid, kind = state.setup.grid, state.setup.types[unit]
    taken, label = grid.labels[there], grid.labels[place]
    if place == there:
        return "R112", f"{label} is the hex that is taken"
    if grid.near[there][place] > len(kind.dice):
        distance = f"{grid.near[there][place]} hexes from {taken}"
        return "R59", f"{label} is {distance}; {kind.name} reaches {len(kind.dice)}"
    t = advanced(state, unit, there)
    if t.acts[unit] & SPENT or t.setup.board.sea[there]:
        return "R117", f"a unit that takes {taken} cannot battle there"
    return attack_hindrance(t, unit, place)


def advanced(state: State, unit: int, there: int) -> State:
    """The position in which armor has taken the ground of a hex and is about to overrun."""
    t = state.copy()
    if t.occupant[there] != NOBODY:
        t.lift(t.occupant[there])
    t.shift(unit, there)
    enter(t, unit, there)
    t.phase = "overrun"
    return t
