"""A bot that plays by mail: decides a draft with one of the engine's bots, plans included.

In a sealed game attacks are ordered before the dice are known. `battle_plan` makes such orders from what the
Sergeant thinks of attacks: the best first, for each unit its targets in order of preference, whether the
ground is worth taking, and whom to overrun from there.
"""

from __future__ import annotations

from engine import Answer, State, chance
from engine.appraisal import Appraisal
from engine.bot import BOTS
from engine.combat import attacks_of, may_battle
from engine.croupier import Luck
from engine.movement import enter
from engine.state import NOBODY, SPENT
from pbem.draft import Choice, Draft
from pbem.errors import Refused
from pbem.orders import MOST_ORDERS, MOST_TARGETS, Order
from pbem.orders_text import Standing

USUAL = "sergeant"


def decide(draft: Draft, luck: Luck, *, bot: str = USUAL) -> None:
    """Make all choices of a file."""
    if bot not in BOTS:
        raise Refused(f'there is no bot "{bot}"', hint=f"one of: {', '.join(BOTS)}")
    while not draft.is_decided:
        if draft.must_confirm:
            draft.choose(Choice("end", draft.referee.result()))
        elif draft.wants_plan:
            _plan(draft)
        else:
            draft.do(_answer(draft, luck, bot))


def _answer(draft: Draft, luck: Luck, bot: str) -> Answer:
    """What the bot answers; one that cannot tell its own cards apart takes any that it holds."""
    answers = draft.answers()
    answer = BOTS[bot](draft.state, luck)
    return answer if answer in answers else answers[int(luck.random() * len(answers))]


def _plan(draft: Draft) -> None:
    if chance(draft.state):  # in the middle of an attack: what was planned stands
        draft.plan(None)
    else:
        draft.plan(battle_plan(draft.state))


def battle_plan(state: State) -> tuple[Order, ...]:
    """Attack orders for every unit that can battle now, the most promising first."""
    view = Appraisal(state, state.side)
    found = []
    for unit in state.orders:
        focused = state.phase in ("overrun", "again") and unit == state.focus
        if state.pos[unit] == NOBODY or not (focused or may_battle(state, unit)):
            continue
        order = _order(view, state, unit)
        if order is not None:
            worth = max(view.attack_worth(state, attack) for attack in attacks_of(state, unit))
            found.append((not focused, -worth, unit, order))
    battles = 1 if state.rule is None else state.rule.attacks
    orders: list[Order] = []
    for other, _, _, order in sorted(found):
        orders += [order] * (battles if other or state.phase == "battle" else 1)
    return tuple(orders[:MOST_ORDERS])


def _order(view: Appraisal, state: State, unit: int) -> Order | None:
    ranked = _ranked(view, state, unit)
    if not ranked:
        return None
    ground, overrun = _follow_up(view, state, unit, ranked[0])
    return Order(unit, ranked[:MOST_TARGETS], ground, overrun, hold=False)


def _ranked(view: Appraisal, state: State, unit: int) -> tuple[int, ...]:
    """The units that a unit may attack, the best target first."""
    attacks = sorted(attacks_of(state, unit), key=lambda attack: (-view.attack_worth(state, attack), attack))
    return tuple(state.occupant[attack[2]] for attack in attacks)


def _follow_up(view: Appraisal, state: State, unit: int, target: int) -> tuple[bool, tuple[int, ...]]:
    """Whether to take the ground of a target, and whom to overrun from there."""
    kind, where = state.setup.types[unit], state.pos[target]
    if not kind.takes_ground or state.setup.grid.near[state.pos[unit]][where] != 1:
        return False, ()
    worth = view.place(unit, where) - view.place(unit, state.pos[unit])
    overrun: tuple[int, ...] = ()
    if kind.overruns:
        t = state.copy()
        t.lift(target)
        t.shift(unit, where)
        enter(t, unit, where)
        t.phase = "overrun"
        if not t.acts[unit] & SPENT:
            overrun = _ranked(view, t, unit)[:MOST_TARGETS]
            worth += max((view.attack_worth(t, attack) for attack in attacks_of(t, unit)), default=0)
    return (True, overrun) if worth > 0 else (False, ())


def standing_orders() -> Standing:
    """What a bot wants in the other player's turn: ambush whenever it can, retreat into cover."""
    return Standing()
