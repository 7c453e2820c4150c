"""What is wrong with an answer whose step of the turn is over, or was passed over for want of choices.

A turn goes on by itself where nothing is left to choose: when the last order of a card is given, when no unit
can move, when no unit can battle. Until the next turn begins the units keep the marks of what they have done,
so that the rule which forbids a late answer can still be named. None means that only its time is wrong.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.answers import Answer
from engine.cards import CARDS, Card
from engine.combat import can_ignore
from engine.hindrance import Reason, card_rule, unit_name
from engine.movement import unit_moves
from engine.reasons import battle_hindrance, heal_reason, move_hindrance, order_reason
from engine.state import MOVED, NOBODY, State
from engine.tactics import FALLBACK, MOST_AIR_TARGETS, legal_orders

CHANCE = ("roll", "draw", "shuffle")
ORDERS_NOBODY = ("air_power", "barrage", "nothing")
BEFORE_MOVES = ("section", "order", "target", "strike", "heal")


def belated(s: State, answer: Answer) -> Reason | None:
    """What forbids a well-formed answer outside the phases that know its verb; None if only its time does."""
    reason = BELATED.get(answer[0])
    rule = rule_in_force(s)
    if reason is None or rule is None:
        return None
    own = s.phase in CHANCE or s.setup.seats[s.seat].side == s.side
    if not own and answer[0] not in ("ignore", "retreat"):  # somebody else's turn
        return None
    t = s.copy()
    t.rule = rule
    return reason(t, answer)


def rule_in_force(s: State) -> Card | None:
    """The order of this turn, also while its last cards are drawn; None before a card is played."""
    if s.rule is not None or not s.order:
        return s.rule
    card = CARDS[s.order]
    has = any(s.setup.arm[unit] in card.arms for unit in s.units_of(s.side))
    return FALLBACK if card.fallback and not has else card


def _order(s: State, answer: Answer) -> Reason | None:
    rule = s.rule
    assert rule is not None
    if rule.play == "medics":
        return "C32", f"{rule.name} orders only the unit that recovers"
    if rule.play == "counter_attack":
        return "C27e", f"{rule.name} has found no card to copy"
    if rule.play in ORDERS_NOBODY:
        return card_rule(rule.key), f"{rule.name} orders no units"
    if s.phase == "section":
        return None
    if s.roll is not None and s.roll.purpose == "finest-hour":
        return "C34", f"the dice of {rule.name} say first which units are ordered"
    return None if answer in legal_orders(s) else order_reason(s, answer)


def _move(s: State, answer: Answer) -> Reason | None:
    if s.phase in BEFORE_MOVES:
        return None
    unit = s.occupant[answer[1]]
    s.phase = "move"
    ordered = unit in s.orders and not s.acts[unit] & MOVED
    if ordered and unit_moves(s, unit):  # it could have moved, in time
        return None
    return move_hindrance(s, answer)


def _battle(s: State, answer: Answer) -> Reason | None:
    by_card = s.fight is not None and s.fight.attacker == NOBODY
    before_orders = s.roll is not None and s.roll.purpose in ("finest-hour", "medics")
    if s.phase not in ("draw", "shuffle", "second-move") and not by_card and not before_orders:
        return None
    s.phase = "battle"
    return battle_hindrance(s, answer) or ("R28", "the battles of this turn are over")


def _target(s: State, answer: Answer) -> Reason | None:
    if s.order == "barrage":
        return "C24", "Barrage has one target, and it is chosen"
    if s.order == "air-power":
        return "C20", f"the targets of Air Power are chosen, {MOST_AIR_TARGETS} at most"
    return None


def _strike(s: State, answer: Answer) -> Reason | None:
    if s.order != "air-power" or not s.setup.by_mail:
        return None
    return "C20b", "the units are bombed in the order in which they were chosen"


def _heal(s: State, answer: Answer) -> Reason | None:
    if s.order != "medics-and-mechanics":
        return None
    unit = s.occupant[answer[1]]
    hurt = unit in s.units_of(s.side) and s.figures[unit] < s.setup.strength[unit]
    if hurt and not s.setup.types[unit].vehicle:
        return "C32", "Medics & Mechanics helps one unit, once"
    return heal_reason(s, answer)


def _section(s: State, answer: Answer) -> Reason | None:
    if s.order != "infantry-assault" or s.section < 0:
        return None
    return "C31", "the section of Infantry Assault is chosen"


def _ignore(s: State, answer: Answer) -> Reason | None:
    if s.phase != "retreat" or s.fight is None:
        return None
    if can_ignore(s, s.fight.target):
        return "R101", "how many flags are ignored is decided"
    return "R100", f"{unit_name(s, s.fight.target)} cannot ignore a flag where it stands"


def _retreat(s: State, answer: Answer) -> Reason | None:
    if s.phase != "ignore":
        return None
    return "R101", 'how many flags are ignored is decided before the first step: "ignore 0" or "ignore 1"'


BELATED: dict[str, Callable[[State, Answer], Reason | None]] = {
    "order": _order,
    "move": _move,
    "exit": _move,
    "attack": _battle,
    "clear": _battle,
    "target": _target,
    "strike": _strike,
    "heal": _heal,
    "section": _section,
    "ignore": _ignore,
    "retreat": _retreat,
}
