"""The story of a file in passages: the card, the moves, each attack with its dice, the orders left open.

In a sealed game a file first finishes the other side's turn (its dice fall, its attacks go on as planned) and
then begins a turn of its own, whose attacks wait for the answer. Passages say which turn they belong to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby, takewhile
from typing import NamedTuple

from engine import NOBODY, Event, State
from pbem.draw.words import count, listed
from pbem.log import Entry
from pbem.orders import Order, Target, parse_plan, parse_stand
from pbem.orders_text import Standing, format_standing
from pbem.referee import Step
from pbem.ruleset import Match
from pbem.story.sentences import BY_THE_BATTLE, Line, attack_word, unit_name
from pbem.story.steps import lines_of, told_events


class Passage(NamedTuple):
    """Sentences that belong together: a card, the moves, one attack."""

    kind: str  # key of HEADINGS
    turn: int  # the turn it belongs to; 0 before the first
    heading: str
    lines: tuple[Line, ...]


HEADINGS: dict[str, str] = {
    "card": "Card and orders",
    "moves": "Moves",
    "attack": "Attack",
    "plan": "Attacks ordered",
    "lapsed": "An order that lapsed",
    "stand": "Standing orders",
    "hand": "Hand and deck",
    "end": "The end",
    "other": "What else happened",
}
# Kind of event: kind of passage that it begins or goes on with. All others go on with the present one.
_OPENS: dict[str, str] = {
    "card": "card",
    "copies": "card",
    "section": "card",
    "ordered": "card",
    "targeted": "card",
    "dug-in": "card",
    "healing": "card",
    "healed": "card",
    "drop-target": "card",
    "dropped": "card",
    "drop-lost": "card",
    "moved": "moves",
    "exited": "moves",
    "attack": "attack",
    "strike": "attack",
    "lapsed": "lapsed",
    "drew": "hand",
    "no-card": "hand",
    "discarded": "hand",
    "reshuffled": "hand",
    "over": "end",
    "resigns": "end",
    "signed": "end",
}
_ALWAYS_NEW = ("attack", "strike", "lapsed")


def tell_file(
    steps: Iterable[Step],
    match: Match,
    *,
    before: State | None = None,
    entry: Entry | None = None,
    chair: int | None = None,
) -> list[Passage]:
    """The story of consecutive steps in passages.

    `before` is the state before the first of them: it names the attack whose dice fall first. `entry` is the
    file they belong to: its plan of attacks is told at the end.
    """
    steps = list(steps)
    plans = plan_passages(steps, entry, before, match) if entry is not None else []
    declared = _declared(steps, entry, match) if entry is not None else None
    builder = _Builder(before)
    for step in steps:
        turn = builder.turn
        for event, line in zip(told_events(step), lines_of(step, match, chair=chair), strict=True):
            if event[0] == "turn":
                turn = event[1]
            if step is not declared or event[0] != "attack":  # that one is told with the plan
                builder.add(turn, line, heading=_heading(event, step.state))
    builder.turn = steps[-1].state.turn if steps else builder.turn
    builder.passages += plans
    if entry is not None:
        builder.passages += stand_passages(steps, entry, before, match)
    return builder.finish()


class _Builder:
    """Collects lines into passages."""

    def __init__(self, before: State | None) -> None:
        self.passages: list[Passage] = []
        self.kind = "other"
        self.heading = HEADINGS["other"]
        self.lines: list[Line] = []
        self.turn = before.turn if before is not None else 0
        if before is not None and before.fight is not None:
            self.kind, self.heading = "attack", _fight_heading(before)
        elif before is not None and before.roll is not None:  # Medics & Mechanics, Their Finest Hour, a drop
            self.kind, self.heading = "card", HEADINGS["card"]

    def add(self, turn: int, line: Line, *, heading: str) -> None:
        """Put a line where it belongs."""
        kind = _OPENS.get(line.kind, "hand" if line.kind == "turn" else self.kind)
        if line.kind == "no-effect" and self.kind not in ("card", "attack"):
            kind = "card"
        if kind != self.kind or line.kind in _ALWAYS_NEW:
            self.close()
            self.kind, self.heading = kind, heading or HEADINGS[kind]
        if line.kind == "turn":
            self.close()
            self.turn = turn
            self.kind, self.heading = "other", HEADINGS["other"]
            return
        self.turn = turn
        self.lines.append(line)

    def close(self) -> None:
        """End the present passage."""
        if self.lines:
            self.passages.append(Passage(self.kind, self.turn, self.heading, tuple(self.lines)))
        self.lines = []

    def finish(self) -> list[Passage]:
        """All passages; the lines still open come before a plan, which is last."""
        plans = [passage for passage in self.passages if passage.kind in ("plan", "stand")]
        self.passages = [passage for passage in self.passages if passage not in plans]
        self.close()
        return [*self.passages, *plans]


def _heading(event: Event, state: State) -> str:
    """The heading of a passage that begins with an attack, else nothing."""
    labels = state.setup.grid.labels
    if event[0] == "attack":
        _, unit, _, here, there = event[:5]
        return f"{unit_name(state.setup, unit)} at {labels[here]} {attack_word(state, unit)} {labels[there]}"
    if event[0] == "strike":
        return f"{'Air strike' if event[1] == 'air' else 'Barrage'} on {labels[event[3]]}"
    return ""


def _fight_heading(state: State) -> str:
    """The heading of an attack that is under way."""
    fight = state.fight
    assert fight is not None
    while fight.parent is not None:
        fight = fight.parent
    labels = state.setup.grid.labels
    if fight.attacker == NOBODY:
        return f"{'Air strike' if fight.kind == 'air' else 'Barrage'} on {labels[fight.where]}"
    here = state.pos[fight.attacker]
    name = unit_name(state.setup, fight.attacker)
    word = attack_word(state, fight.attacker)
    return f"{name} at {labels[here]} {word} {labels[fight.where]}" if here != NOBODY else f"{name} {word}"


# Drafts


def steps_of_draft(known: Sequence[Step], drafted: Sequence[Step], number: int) -> list[Step]:
    """The steps that a draft of file `number` adds to those that are known.

    An Ambush in an instant game takes back what had been shown after the attack (protocol, 10.6): then the
    two lists part before the end of the first.
    """
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(known, drafted, strict=False)))
    return [step for step in drafted[same:] if step.file == number]


# Plans


def declared_attack(steps: Iterable[Step], number: int, side: int, match: Match) -> Step | None:
    """The step with which a file of a side begins the first attack of its plan; the dice come later."""
    for step in steps:
        if step.file != number or step.by != "plan" or all(event[0] != "attack" for event in step.events):
            continue
        if match.terms.seats[match.seat_of(step.state.active)].side == side:
            return step
    return None


def _declared(steps: Sequence[Step], entry: Entry, match: Match) -> Step | None:
    """The same for a file that names its orders; one that keeps a plan tells the attack by itself."""
    named = any(parse_plan(action.value) for action in entry.actions if action.name == "plan")
    return declared_attack(steps, entry.number, entry.side, match) if named else None


def plan_passages(steps: Sequence[Step], entry: Entry, before: State | None, match: Match) -> list[Passage]:
    """The attacks that a file orders, as one passage, or none."""
    found = []
    declared = _declared(steps, entry, match)
    for action in entry.actions:
        if action.name != "plan":
            continue
        earlier = (s for s in reversed(steps) if s.file == entry.number and s.place < action.place)
        state = next((step.state for step in earlier), before)
        if state is None:
            continue
        orders = parse_plan(action.value)
        lines = [Line("plan", text) for text in plan_texts(orders or (), state, declared, match)]
        if orders is None:
            lines = [Line("plan", "The attacks that are left of the plan stand.")]
        elif not orders:
            lines = [Line("plan", "No attack is ordered.")]
        found.append(Passage("plan", state.turn, HEADINGS["plan"], tuple(lines)))
    return found


def stand_passages(steps: Sequence[Step], entry: Entry, before: State | None, match: Match) -> list[Passage]:
    """The public standing orders that a file changes, as one passage of its author's turn, or none."""
    state = steps[-1].state if steps else before
    own = (s.state.turn for s in steps if match.terms.seats[match.seat_of(s.state.active)].side == entry.side)
    changes = [parse_stand(action.value) for action in entry.actions if action.name == "stand"]
    if state is None or not changes:
        return []
    orders = format_standing(state, Standing(stand=changes[-1]))[:-1]  # without Ambush, which is sealed
    line = Line("stand", f"In the other player's turn from now on: {'; '.join(orders)}.")
    return [Passage("stand", max(own, default=state.turn), HEADINGS["stand"], (line,))]


def plan_texts(orders: Iterable[Order], state: State, declared: Step | None, match: Match) -> list[str]:
    """The orders of a plan in words; the one that has begun with its dice and the reasons for them."""
    attack = [line.text for line in lines_of(declared, match) if line.kind == "attack"] if declared else []
    unit = next((e[1] for e in declared.events if e[0] == "attack"), NOBODY) if declared else NOBODY
    texts = []
    for order in orders:
        begun = attack.pop() if attack and order.unit == unit else ""
        texts.append(order_text(order, state, begun.rstrip(".")))
    return texts


def order_text(order: Order, state: State, begun: str = "") -> str:
    """An attack order in words: `Allied armor at D5 attacks D6, else E5; it takes ground.`"""
    setup = state.setup
    here = state.pos[order.unit]
    name = unit_name(setup, order.unit)
    place = f" at {setup.grid.labels[here]}" if here != NOBODY else ""
    text = begun or f"{name}{place} attacks {', else '.join(_target(state, t) for t in order.targets)}"
    if order.ground:
        text += "; it takes ground if it can"
    if order.overrun:
        text += f" and overruns {', else '.join(_target(state, t) for t in order.overrun)}"
    if order.hold:
        text += "; then the turn stops until its dice are known"
    return f"{text}."


def _target(state: State, target: Target) -> str:
    if isinstance(target, str):
        return target
    place = state.pos[target]
    name = unit_name(state.setup, target)
    return name if place == NOBODY else f"{name} at {state.setup.grid.labels[place]}"


def story_text(passages: Sequence[Passage]) -> str:
    """Passages as plain text, headings and indented sentences."""
    blocks = []
    for passage in passages:
        lines = merged(passage.lines)
        blocks.append("\n".join([passage.heading, *(f"  {line.text}" for line in lines)]))
    return "\n\n".join(blocks)


def merged(lines: Sequence[Line]) -> list[Line]:
    """The same lines, with units ordered one after another in one sentence, and so with cards drawn.

    Where an Ambush takes a file back and plays it again in one story, the second sentence says both.
    """
    found: list[Line] = []
    again = any(line.kind == "played-again" for line in lines)
    told = [line for line in lines if not (again and line.kind == "taken-back")]
    for kind, run in groupby(told, key=lambda line: line.kind):
        found += MERGERS.get(kind, list)(list(run))
    return found


def _ordered(lines: list[Line]) -> list[Line]:
    if len(lines) == 1:
        return lines
    names = [line.text.removesuffix(" is ordered.") for line in lines]
    return [Line("ordered", f"{listed(names)} are ordered.")]


def _drawn(lines: list[Line]) -> list[Line]:
    """A sentence for everybody who draws; it says which cards the battle gives beyond the usual one."""
    draws = [line.text.removesuffix(".").split(" draw ") for line in lines]
    totals, extra = (dict.fromkeys((who for who, _ in draws), 0) for _ in range(2))
    for who, number in draws:
        totals[who] += int(number.split()[0])
        extra[who] += int(number.split()[0]) if number.endswith(BY_THE_BATTLE) else 0
    return [Line("drew", f"{who} draw {_cards(total, extra[who])}.") for who, total in totals.items()]


def _cards(total: int, extra: int) -> str:
    if extra and extra < total:
        return f"{count(total, 'card')}, {extra} of them{BY_THE_BATTLE}"
    return count(total, "card") + (BY_THE_BATTLE if extra else "")


MERGERS: dict[str, Callable[[list[Line]], list[Line]]] = {"ordered": _ordered, "drew": _drawn}
