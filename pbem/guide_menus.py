"""The questions of a guided turn: for every moment of a draft its title, its notes and its choices.

Pure functions of a draft. A choice carries the action to type; those that begin with ":" are steps of the
guide itself (guide.py), all others are notation (typed.py). Whatever is offered here is legal.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from engine import Answer, State, format_answer
from engine.combat import attacks_of
from engine.movement import enter, make_move
from engine.state import SPENT
from pbem.draft import Draft
from pbem.guide_notes import end_note, orders_note
from pbem.insight import (
    describe_answer,
    dice,
    move_of,
    move_words,
    shot_notes,
    shot_of,
    shot_words,
    unit_line,
)
from pbem.orders import Order
from pbem.orders_text import format_order
from pbem.plans import can_keep, left_orders
from pbem.story import question_of, unit_name
from pbem.typed import open_plan


class Option(NamedTuple):
    """One choice: what it says, and what it does."""

    text: str
    action: str
    hex: str = ""  # typed alone it means this choice


class Question(NamedTuple):
    """What the guide asks."""

    kind: str
    title: str
    options: tuple[Option, ...]
    notes: tuple[str, ...] = ()
    several: bool = False  # numbers may be combined, in order of preference: "2,1"


BACK = Option("back", ":back")


def flat_question(draft: Draft) -> Question:
    """Everything that can be answered now, one line each."""
    state = draft.state
    answers = draft.answers()
    if len(answers) > 60:  # the target of an airdrop: any hex of the board
        return _typed_question(draft)
    options = tuple(_option(state, answer) for answer in answers)
    title = "Which of the new cards do you discard?" if state.phase == "choose" else question_of(draft).text
    if state.phase == "order":
        return Question("order", title, options, (orders_note(state),), several=True)
    return Question(state.phase, title, options)


def _typed_question(draft: Draft) -> Question:
    drop = draft.state.setup.battle.airdrop
    notes = ("Type a hex of the board.",)
    if drop is not None and drop.target is not None:
        target = drop.target
        suggested = (Option(f"{target}, where the battle's own story aims", f"drop {target}", target),)
        return Question(draft.state.phase, question_of(draft).text, suggested, notes)
    return Question(draft.state.phase, question_of(draft).text, (), notes)


def _option(state: State, answer: Answer) -> Option:
    labels = state.setup.grid.labels
    words = describe_answer(state, answer)
    if answer[0] in ("card", "discard"):
        return Option(f"Discard {words}" if answer[0] == "discard" else words, format_answer(state, answer))
    if answer[0] == "retreat":
        way = " ".join(labels[h] for h in answer[2:]) or "stay"
        return Option(f"{way}: {words}", format_answer(state, answer), labels[answer[-1]])
    if answer[0] == "attack":
        return _attack_option(state, answer)
    if answer[0] in ("order", "target", "strike", "heal", "ground", "clear"):
        place = labels[answer[1]]
        return Option(f"{place}: {words}{_reach(state, answer)}", format_answer(state, answer), place)
    return Option(_capital(words), format_answer(state, answer))


def _reach(state: State, answer: Answer) -> str:
    """What a unit that may be ordered could attack without moving."""
    if answer[0] != "order" or state.rule is None or not state.rule.battles:
        return ""
    return _shots(state, state.occupant[answer[1]])


def _shots(state: State, unit: int) -> str:
    attacks = attacks_of(state, unit)
    if not attacks:
        return ""
    shots = [shot_of(state, attack[1], attack[2]) for attack in attacks]
    return f"; could attack {', '.join(f'{shot.there} ({dice(shot.dice)})' for shot in shots)}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# Moves


def moving_units(draft: Draft) -> list[int]:
    """The units that can move now."""
    state = draft.state
    moves = (answer for answer in draft.answers() if answer[0] in ("move", "exit"))
    return list(dict.fromkeys(state.occupant[answer[1]] for answer in moves))


def move_question(draft: Draft, focus: int | None, staying: Collection[int] = ()) -> Question:
    """Which unit moves; with a unit in focus, where to. Units that stay are not offered again."""
    state = draft.state
    units = [unit for unit in moving_units(draft) if unit not in staying]
    if focus is None and len(units) > 1:
        options = tuple(_unit_option(state, unit) for unit in units)
        end = Option("No more moves: go on to the battles", "done")
        return Question("move", "Which unit moves?", (*options, end))
    unit = units[0] if focus is None else focus
    label = state.setup.grid.labels[state.pos[unit]]
    own = [a for a in draft.answers() if a[0] in ("move", "exit") and a[1] == state.pos[unit]]
    options = _ways(state, own)
    name = f"{unit_name(state.setup, unit)} at {label}"
    if state.phase == "second-move":
        last = Option("Stay: the turn ends", "done", label)
        note = "Behind Enemy Lines: the unit may move once more; it battles no more in this turn."
        return Question("move-to", f"Where does {name} move on to?", (*options, last), (note,))
    only = focus is None or units == [focus]
    stay = (Option("Stay: no more moves", "done", label),) if only else (Option("Stay", ":stay", label), BACK)
    return Question("move-to", f"Where does {name} move?", (*options, *stay), (_now_line(state, unit),))


def _ways(state: State, moves: list[Answer]) -> tuple[Option, ...]:
    """The moves of a unit, short ones first; those that lead back only if they change something."""
    moves.sort(key=lambda move: (len(move), move[-1]))
    back = [move for move in moves if _returns(move)]
    options = [_move_option(state, move) for move in moves if move not in back]
    return (*options, *(_back_option(state, move) for move in back if _changes(state, move)))


def _returns(move: Answer) -> bool:
    return bool(move[0] == "move" and move[1] == move[-1])


def _changes(state: State, move: Answer) -> bool:
    """Whether a unit that moves out and back leaves more behind than having moved: a medal, lost sandbags."""
    t = state.copy()
    make_move(t, move)
    return (t.held, t.score, t.tokens, t.marks, t.winner) != (
        state.held,
        state.score,
        state.tokens,
        state.marks,
        state.winner,
    )


def _back_option(state: State, answer: Answer) -> Option:
    move = move_of(state, answer)
    battle = "" if move.allows_battle or state.phase != "move" else "; no battle this turn"
    return Option(
        f"Out and back by {' '.join(move.path[1:-1])}: counts as a move{battle}", format_answer(state, answer)
    )


def _unit_option(state: State, unit: int) -> Option:
    label = state.setup.grid.labels[state.pos[unit]]
    return Option(f"{label}: {unit_line(state, unit)}", f":unit {label}", label)


def _attacker_option(state: State, unit: int) -> Option:
    option = _unit_option(state, unit)
    return option._replace(text=f"{option.text}{_shots(state, unit)}")


def _move_option(state: State, answer: Answer) -> Option:
    move = move_of(state, answer)
    way = f" by {' '.join(move.path[1:-1])}" if len(move.path) > 2 else ""
    action = format_answer(state, answer)
    return Option(
        f"{move.path[-1]}{way}: {move_words(state, move)}", action, "" if move.leaves else move.path[-1]
    )


def _now_line(state: State, unit: int) -> str:
    """Where a unit stands and what it could attack without moving."""
    shots = [shot_of(state, a[1], a[2]) for a in attacks_of(state, unit)]
    reach = ", ".join(f"{shot.there} ({dice(shot.dice)})" for shot in shots)
    where = unit_line(state, unit)
    return f"Now: {where}; from here it could attack {reach or 'nobody'}."


# Battles of an instant game


def battle_question(draft: Draft, focus: int | None) -> Question:
    """Which unit attacks; with a unit in focus, whom."""
    state = draft.state
    answers = draft.answers()
    attacks = [answer for answer in answers if answer[0] == "attack"]
    units = list(dict.fromkeys(state.occupant[answer[1]] for answer in attacks))
    others = tuple(_option(state, answer) for answer in answers if answer[0] != "attack")
    if focus is None and len(units) > 1:
        options = tuple(_attacker_option(state, unit) for unit in units)
        return Question("battle", "Which unit attacks?", (*options, *others))
    if not units:
        return Question("battle", question_of(draft).text, others)
    unit = units[0] if focus is None else focus
    options = tuple(_attack_option(state, a) for a in attacks if state.occupant[a[1]] == unit)
    last = (BACK,) if len(units) > 1 else others
    return Question("attack", _whom(state, unit), (*options, *last))


def _whom(state: State, unit: int) -> str:
    label = state.setup.grid.labels[state.pos[unit]]
    return f"Whom does {unit_name(state.setup, unit)} at {label} attack?"


def _attack_option(state: State, attack: Answer) -> Option:
    shot = shot_of(state, attack[1], attack[2])
    text = f"{shot.there}: {unit_line(state, shot.target)}: {shot_words(shot)}; {shot_notes(state, shot)}"
    return Option(text, format_answer(state, attack), shot.there)


# Plans of a sealed game


def plan_question(draft: Draft) -> Question:
    """Which attack is ordered next."""
    plan = open_plan(draft)
    state = plan.base.state
    units = unplanned(draft)
    options = [_attacker_option(state, unit) for unit in units]
    if not plan.orders:
        options += [_option(state, a) for a in plan.base.answers() if a[0] not in ("done", "pass")]
    if units and plan.orders and not plan.orders[-1].hold:
        options.append(Option("Hold: wait for the dice of the last attack before ordering more", "hold"))
    if can_keep(plan.base) and left_orders(plan.base) and not plan.orders:
        options.append(Option("Keep what is left of the plan", "plan keep"))
    on = state.rule is not None and state.rule.play == "behind_lines"
    none = "No attack: go on to the second move" if on else "No attack: end the turn"
    options.append(Option("That is the plan" if plan.orders else none, ":planned"))
    return Question("plan", "Which unit attacks next?" if plan.orders else "Which unit attacks first?",
                    tuple(options), plan_notes(state, plan.orders, draft))  # fmt: skip


def unplanned(draft: Draft) -> list[int]:
    """The units that can attack and have attacks left that no order of the plan uses."""
    plan = open_plan(draft)
    state = plan.base.state
    battles = 1 if state.rule is None else state.rule.attacks
    return [unit for unit in _able(state) if _count(plan.orders, unit) < battles]


def plan_notes(state: State, orders: list[Order], draft: Draft) -> tuple[str, ...]:
    """What the player should know of plans, and the plan so far."""
    if orders:
        return tuple(f"Ordered: {format_order(state, order)}" for order in orders)
    notes = ["The dice fall when your opponent opens the file: order your attacks now, the first one first."]
    notes += [f"Left of the plan: {format_order(state, order)}" for order in left_orders(draft)]
    return tuple(notes)


def _able(state: State) -> list[int]:
    """Units that can attack now, in the order of their orders."""
    return list(dict.fromkeys(state.occupant[a[1]] for a in state.answers if a[0] == "attack"))


def _count(orders: list[Order], unit: int) -> int:
    return sum(1 for order in orders if order.unit == unit)


def target_question(state: State, unit: int) -> Question:
    """Whom a unit attacks in a plan, in order of preference."""
    here = state.pos[unit]
    attacks = [a for a in state.answers if a[0] == "attack" and a[1] == here]
    options = tuple(
        Option(_attack_option(state, a).text, f":target {state.setup.grid.labels[a[2]]}", _label(state, a[2]))
        for a in attacks
    )
    note = ("Several numbers, such as 2,1, name further targets for the case that the first is gone.",)
    return Question(
        "target", _whom(state, unit), (*options, BACK), note if len(attacks) > 1 else (), several=True
    )


def _label(state: State, h: int) -> str:
    return state.setup.grid.labels[h]


def ground_question(state: State, unit: int, target: str) -> Question:
    """Whether the attacker takes ground."""
    name = unit_name(state.setup, unit)
    options = (
        Option(f"Yes, it moves to {target}", ":ground yes"),
        Option("No, it stays where it is", ":ground no"),
    )
    title = f"If {target} is cleared in close assault, does {name} take the ground?"
    return Question("plan-ground", title, (*options, BACK))


def can_take(state: State, unit: int, target: int) -> bool:
    """Whether taking the ground of a target is a question at all."""
    near = state.setup.grid.near[state.pos[unit]][target] == 1
    return near and state.setup.types[unit].takes_ground and state.setup.options.take_ground


def overrun_shots(state: State, unit: int, target: int) -> tuple[str, ...]:
    """The hexes of enemies that armor could overrun from the hex of a target that is gone."""
    if not state.setup.types[unit].overruns:
        return ()
    t = state.copy()
    t.lift(t.occupant[target])
    t.shift(unit, target)
    enter(t, unit, target)
    t.phase = "overrun"
    if t.acts[unit] & SPENT or t.setup.board.sea[target]:
        return ()
    return tuple(t.setup.grid.labels[a[2]] for a in attacks_of(t, unit))


def overrun_question(state: State, hexes: tuple[str, ...]) -> Question:
    """Whom armor overruns after taking ground."""
    grid = state.setup.grid
    options = tuple(
        Option(f"{label}: {unit_line(state, state.occupant[grid.parse(label)])}", f":overrun {label}", label)
        for label in hexes
    )
    none = Option("No overrun", ":overrun none")
    return Question(
        "overrun", "Having taken the ground, whom does it overrun?", (*options, none), several=True
    )


# The end of a file


def ambush_question() -> Question:
    """Which units may play the Ambush that is held."""
    options = (
        Option("Every unit that is assaulted", ":ambush always"),
        Option("None for now", ":ambush never"),
    )
    note = (
        "You hold Ambush. Before the dice are known you say which of your units may play it in the other "
        "player's turn; nobody learns whether you hold the card. Type their hexes, as in: G5,H5"
    )
    return Question("ambush", "Which units ambush when they are assaulted?", options, (note,))


def seal_question(draft: Draft) -> Question:
    """What is left when everything is decided."""
    options = [Option("Sign the file now; it is final then", ":seal")]
    if draft.must_confirm:
        return Question("seal", "The battle is decided: only its result is left to sign.", tuple(options))
    plan = open_plan(draft)
    notes = tuple(note for note in (end_note(draft),) if note)
    if plan.orders:
        notes = plan_notes(plan.base.state, plan.orders, draft)
        if unplanned(draft):
            options.append(Option("Change the plan: order another attack", ":plan"))
    elif can_keep(draft) and left_orders(draft):
        notes = plan_notes(draft.state, [], draft)[1:]
        options.insert(0, Option("Keep what is left of the plan", "plan keep"))
    options.append(Option("Leave it for later", ":later"))
    return Question("seal", "Everything is decided.", tuple(options), notes)
