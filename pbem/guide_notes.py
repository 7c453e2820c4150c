"""What a guided turn explains beside its questions: the orders that are left, and why something ends here."""

from __future__ import annotations

from collections.abc import Sequence

from engine import State, chance, is_over
from engine.cards import EVERY, Card
from engine.terrain import ALL, ARMOR, INFANTRY
from pbem.cardtext import quotas
from pbem.draft import Draft
from pbem.draw.words import count, listed
from pbem.referee import Step

# What a roll that the player's own card asked for is good for: by its purpose, what comes after the dice.
AFTER_DICE: dict[str, str] = {
    "finest-hour": "they say which units you order",
    "medics": "they say how many figures return, and your turn goes on",
    "drift": "they say where your units come down, and your turn goes on",
}
BEFORE_BATTLE = ("order", "move")


# Orders


def orders_note(state: State) -> str:
    """Which orders the card gives and how many are left: `Probe Left orders 2 units on the left: 1 left.`"""
    rule = state.rule
    assert rule is not None
    if rule.play == "finest_hour":
        return f"By the dice of {rule.name} you may still order {listed(_by_dice(state))}."
    total = sum(rule.sections) if rule.sections is not None else rule.units
    left = "" if total >= EVERY else f": {total - len(state.orders)} left"
    return f"{_named(rule)} orders {_whom(state, rule)}{left}."


def _named(rule: Card) -> str:
    return "Without such a unit the card" if rule.key.startswith("fallback") else rule.name


def _whom(state: State, rule: Card) -> str:
    """`2 units on the left`, `up to 4 infantry units`."""
    if rule.sections is not None:
        return listed(quotas(rule))
    kind = "" if rule.arms is ALL else f"{' and '.join(arm.name.lower() for arm in sorted(rule.arms))} "
    number = f"all {kind}units" if rule.units >= EVERY else count(rule.units, f"{kind}unit")
    place = " of the section chosen" if state.section >= 0 else ""
    touching = {None: "", True: " next to an enemy", False: " not next to an enemy"}[rule.contact]
    return f"{'up to ' if 1 < rule.units < EVERY else ''}{number}{place}{touching}"


def _by_dice(state: State) -> list[str]:
    """What the symbols that are not used yet allow (C34a)."""
    infantry, armor, stars = state.symbols
    arms = [state.setup.arm[unit] for unit in state.orders]
    foot, tanks = arms.count(INFANTRY), arms.count(ARMOR)
    stars -= max(0, foot - infantry) + max(0, tanks - armor) + len(arms) - foot - tanks
    left = (
        (infantry - foot, "infantry unit"),
        (armor - tanks, "armor unit"),
        (stars, "unit"),
    )
    words = [count(number, name) for number, name in left if number > 0]
    if stars > 0:
        words[-1] += " of any kind"
    return words or ["nobody"]


# Battles that do not happen


def no_battle_note(before: State, steps: Sequence[Step]) -> str:
    """Why a turn went past its battles without asking; "" if it did not, or if the card allows none."""
    if before.phase not in BEFORE_BATTLE or before.rule is None or not before.rule.battles or not steps:
        return ""
    after = steps[-1].state
    passed = after.turn != before.turn or chance(after) == "draw" or after.phase == "second-move"
    kinds = {event[0] for step in steps for event in step.events}
    if not passed or "attack" in kinds:
        return ""
    if not before.orders and "ordered" not in kinds:
        return "No unit is ordered: there is nothing to move or to attack with."
    if after.phase == "second-move":
        return "The unit can attack nobody from here."
    return "None of the units you ordered can attack anybody: there is no battle in this turn."


# The end of a file


def end_note(draft: Draft) -> str:
    """Why the file ends in the middle of a turn; "" where a turn ends, or attacks wait for their dice."""
    referee, desk = draft.referee, draft.desk
    state, match = referee.now, referee.match
    assert match is not None
    if is_over(state) or referee.resigned >= 0:
        return ""
    name = match.called[match.terms.seats_of(1 - desk.side)[0]]
    if referee.active_side != desk.side:
        if state.turn > desk.referee.now.turn:  # the own turn has passed; an Ambush may take turns back
            return ""
        if desk.log.count == 2:
            return f"Nothing is to be decided yet: {name} makes the first move."
        return f"The file ends here: {name} goes on with this turn."
    if chance(state) != "roll" or state.roll is None or state.roll.purpose not in AFTER_DICE:
        return ""
    return f"The file ends here: the dice come with the answer of {name}; {AFTER_DICE[state.roll.purpose]}."
