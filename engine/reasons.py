"""What is wrong with an answer in a phase that knows its verb: one function per verb.

Asked by `refusal.py` after an answer was not found among the legal ones; nothing here decides what is legal.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.answers import Answer
from engine.cards import CARDS
from engine.hands import deck_of, possible_faces
from engine.hindrance import (
    Reason,
    attack_hindrance,
    card_rule,
    end_hindrance,
    hexes_text,
    path_hindrance,
    retreat_hindrance,
    unit_name,
)
from engine.state import FOUGHT, MOVED, NOBODY, ORDERED, SPENT, State
from engine.tactics import CHAIRS, card_uses
from engine.terrain import ARTILLERY, FEATURES, WIRE

# Phase: what the game waits for.
WAITS: dict[str, str] = {
    "drop": "the target of the airdrop",
    "card": "a command card",
    "section": "a section",
    "order": 'an order, or "done"',
    "target": "a target",
    "strike": "the next unit to bomb",
    "heal": 'a unit to help, or "done"',
    "move": 'a move, or "done"',
    "battle": 'a battle, or "done"',
    "react": 'an Ambush, or "pass"',
    "roll": "the dice",
    "ignore": "the number of flags to ignore",
    "retreat": "a route of retreat",
    "ground": '"ground" or "stay"',
    "overrun": 'an overrun attack, or "pass"',
    "again": 'a second battle, or "pass"',
    "second-move": 'the second move, or "done"',
    "draw": "a drawn card",
    "shuffle": "a reshuffle",
    "choose": "the new card to discard",
    "over": "nothing more",
}


# Cards


def _card(s: State, answer: Answer) -> Reason:
    key = answer[1]
    if key not in deck_of(s, s.seat).copies:
        return "C1", f'there is no card "{key[:30]}" in this deck'
    name = CARDS[key].name
    if s.phase == "react":
        if key != "ambush":
            return "C21", f"{name} is no answer to an attack; only Ambush is"
        if len(answer) > 2:
            return "C21", "Ambush is used as nothing else"
        return "C21", "Ambush is not among the cards that may be played"
    if CARDS[key].reaction:
        return "R29", f"{name} is never the card of a turn; it answers an attack"
    hand = s.hands[s.active]
    if deck_of(s, s.active).number[key] not in possible_faces(s, s.active, hand):
        return "R29", f"{name} is not in the hand"
    if not card_uses(s, key):
        return "C1", f"{name} has no other use now"
    return "C1", f'{name} cannot be used as "{answer[2][:30]}" in this battle'


def _section(s: State, answer: Answer) -> Reason:
    return "C31", f"a section is {', '.join(CHAIRS[:-1])} or {CHAIRS[-1]}"


def _discard(s: State, answer: Answer) -> Reason:
    return "C10", f'"{answer[1][:30]}" is not one of the new cards'


# Orders


def _own_unit(s: State, h: int) -> Reason | None:
    """Why no unit of the active side can be meant by a hex."""
    unit = s.occupant[h]
    if unit == NOBODY:
        return "R31", f"no unit stands at {s.setup.grid.labels[h]}"
    if s.setup.side[unit] != s.side:
        return "R31", f"{unit_name(s, unit)} is the enemy's"
    return None


def order_reason(s: State, answer: Answer) -> Reason:
    h = answer[1]
    reason = _own_unit(s, h)
    if reason is not None:
        return reason
    unit, rule = s.occupant[h], s.rule
    assert rule is not None
    who = unit_name(s, unit)
    if s.acts[unit] & ORDERED:
        return "R32", f"{who} has its order already"
    number = card_rule(rule.key)
    if s.setup.types[unit].arm not in rule.arms:
        arms = " and ".join(arm.name.lower() for arm in sorted(rule.arms))
        return number, f"{rule.name} orders {arms} only"
    near = s.enemy_near(h, s.side)
    if rule.contact is not None and near is not rule.contact:
        wanted = "next to an enemy" if rule.contact else "not next to an enemy"
        return number, f"{rule.name} orders only units {wanted}"
    return _no_slot(s, unit, h)


def _no_slot(s: State, unit: int, h: int) -> Reason:
    """Why the order in force has no room for a unit that it could order by its kind."""
    rule = s.rule
    assert rule is not None
    label = s.setup.grid.labels[h]
    here = s.setup.board.sections[h]
    if rule.play == "finest_hour":
        if s.setup.types[unit].arm == ARTILLERY:
            return "C34a", "artillery is ordered only by a star that is not yet used"
        return "C34", f"the dice leave no order for {unit_name(s, unit)}"
    if rule.sections is not None:
        quotas = rule.sections if s.setup.bottom[s.side] else rule.sections[::-1]
        if not any(count and here >> place & 1 for place, count in enumerate(quotas)):
            return "R33", f"{label} is in no section of {rule.name}"
        return "R35", f"the orders of {rule.name} for the section of {label} are given"
    if s.section >= 0 and not here >> s.section & 1:
        return card_rule(rule.key), f"{label} is not in the section chosen"
    return "C2", f"{rule.name} orders at most {'1 unit' if rule.units == 1 else f'{rule.units} units'}"


def _done(s: State, answer: Answer) -> Reason:
    if s.order == "barrage":
        return "C24", "Barrage needs a target"
    return "C20", "Air Power needs at least one target"


# Moves and battles


def _ordered_unit(s: State, h: int) -> Reason | None:
    reason = _own_unit(s, h)
    if reason is None and not s.acts[s.occupant[h]] & ORDERED:
        return "R31", f"{unit_name(s, s.occupant[h])} has no order"
    return reason


def _move(s: State, answer: Answer) -> Reason:
    return move_hindrance(s, answer) or _same_move(s, answer[0], answer[1:])


def move_hindrance(s: State, answer: Answer) -> Reason | None:
    """What keeps a unit from a move or an exit; None if it is as good as a listed one."""
    verb, *rest = answer
    path = tuple(rest)
    reason = _ordered_unit(s, path[0])
    if reason is not None:
        return reason
    unit = s.occupant[path[0]]
    if s.phase == "second-move" and unit != s.orders[0]:
        return "C25", "only the unit that Behind Enemy Lines ordered moves again"
    if s.phase == "move" and s.acts[unit] & MOVED:
        return "R37", f"{unit_name(s, unit)} has moved already"
    if verb == "move" and len(path) == 2 and path[0] == path[1]:
        return "R48", 'a unit that stays where it is does not move; "done" ends the moves'
    if verb == "move" and len(path) == 2 and s.setup.grid.near[path[0]][path[1]] > 1:
        return end_hindrance(s, unit, path[1])
    return path_hindrance(s, unit, path, leaving=verb == "exit")


def _same_move(s: State, verb: str, path: tuple[int, ...]) -> Reason:
    """The path is a good one, but another stands for it in the list (see movement.py)."""
    same = [a for a in s.answers if a[0] == verb and a[1] == path[0] and a[-1] == path[-1]]
    ways = " or ".join(f'"{verb} {hexes_text(s, a[1:])}"' for a in same) or "another way"
    return "R39", f"of all ways between these hexes one is listed: {ways}"


def _battle_ready(s: State, h: int) -> Reason | None:
    """Why the unit on a hex may not battle at all now."""
    reason = _ordered_unit(s, h)
    if reason is not None:
        return reason
    unit = s.occupant[h]
    who = unit_name(s, unit)
    if s.phase == "overrun":
        return (
            None
            if unit == s.focus
            else ("R115", "the armor unit that took ground finishes its overrun first")
        )
    if s.phase == "again":
        return None if unit == s.focus else ("C23a", "the unit that battles twice finishes its battles first")
    if s.acts[unit] & FOUGHT:
        return "R50", f"{who} has battled already"
    if s.setup.board.sea[h]:
        return "T23b", f"{who} stands in the ocean and cannot battle"
    if s.acts[unit] & SPENT:
        if s.setup.board.no_battle[s.setup.arm[unit]][h]:
            return "R44", f"{who} has entered the {s.setup.board.ground[h].key} this turn and cannot battle"
        return "R38", f"{who} has moved too far to battle"
    rule = s.rule
    if rule is not None and not rule.battles:
        return card_rule(rule.key), f"units ordered by {rule.name} do not battle"
    return None


def _attack(s: State, answer: Answer) -> Reason:
    return battle_hindrance(s, answer) or _any(s, answer)


def battle_hindrance(s: State, answer: Answer) -> Reason | None:
    """What keeps a unit from an attack, or from removing wire instead; None if nothing does."""
    verb, here, *there = answer
    reason = _battle_ready(s, here)
    if reason is not None:
        return reason
    unit = s.occupant[here]
    if verb == "attack":
        return attack_hindrance(s, unit, there[0])
    if not s.marks[here] & WIRE:
        return "T42c", f"there is no wire at {s.setup.grid.labels[here]}"
    clearable = FEATURES["wire"].clearable
    if s.setup.types[unit].arm in clearable:
        return None
    arms = " and ".join(arm.name.lower() for arm in sorted(clearable))
    return "T42c", f"only {arms} removes wire instead of battling"


def _ignore(s: State, answer: Answer) -> Reason:
    return "R100", "no flag or one flag may be ignored in an attack"


def _retreat(s: State, answer: Answer) -> Reason:
    fight = s.fight
    assert fight is not None
    path = answer[1:]
    reason = retreat_hindrance(s, fight.target, fight.flags, path)
    return reason or _same_move(s, "retreat", path)


def _ground(s: State, answer: Answer) -> Reason:
    where = next(a[1] for a in s.answers if a[0] == "ground")
    return "R105", f"only the vacated hex {s.setup.grid.labels[where]} can be taken"


# Card attacks, help, airdrop


def _target(s: State, answer: Answer) -> Reason:
    h = answer[1]
    unit, number = s.occupant[h], card_rule(s.order)
    if unit == NOBODY:
        return number, f"no unit stands at {s.setup.grid.labels[h]}"
    if s.setup.side[unit] == s.side:
        return number, f"{unit_name(s, unit)} is no enemy"
    if unit in s.targets:
        return number, f"{unit_name(s, unit)} is chosen already"
    if s.section >= 0 and not s.setup.board.sections[h] >> s.section & 1:
        return number, f"{s.setup.grid.labels[h]} is not in the section of the card"
    return "C20a", f"{unit_name(s, unit)} is not next to the units chosen"


def _strike(s: State, answer: Answer) -> Reason:
    return "C20b", f"{s.setup.grid.labels[answer[1]]} holds none of the chosen units"


def heal_reason(s: State, answer: Answer) -> Reason:
    h = answer[1]
    unit = s.occupant[h]
    if unit == NOBODY:
        return "C32", f"no unit stands at {s.setup.grid.labels[h]}"
    if s.setup.side[unit] != s.side:
        return "C32", f"{unit_name(s, unit)} is the enemy's"
    if s.setup.types[unit].vehicle:
        return "C32c", f"{unit_name(s, unit)} cannot be helped"
    return "C32", f"{unit_name(s, unit)} has no losses"


def _any(s: State, answer: Answer) -> Reason:
    """For verbs that are always legal where they are known."""
    return "R28", f"the game waits for {WAITS[s.phase]}"


REASONS: dict[str, Callable[[State, Answer], Reason]] = {
    "card": _card,
    "section": _section,
    "order": order_reason,
    "done": _done,
    "move": _move,
    "exit": _move,
    "attack": _attack,
    "clear": _attack,
    "pass": _any,
    "ignore": _ignore,
    "retreat": _retreat,
    "ground": _ground,
    "stay": _any,
    "target": _target,
    "strike": _strike,
    "heal": heal_reason,
    "drop": _any,
    "discard": _discard,
}
