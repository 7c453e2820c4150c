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
from pbem.orders import Order, Target, parse_plan
from pbem.referee import Step
from pbem.ruleset import Match
from pbem.story.sentences import Line, lines_of, unit_name


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
    builder = _Builder(before)
    for step in steps:
        turn = builder.turn
        for event, line in zip(step.events, lines_of(step, match, chair=chair), strict=True):
            if event[0] == "turn":
                turn = event[1]
            builder.add(turn, line, heading=_heading(event, match))
    builder.turn = steps[-1].state.turn if steps else builder.turn
    if entry is not None:
        builder.passages += plan_passages(steps, entry, before)
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
        plans = [passage for passage in self.passages if passage.kind == "plan"]
        self.passages = [passage for passage in self.passages if passage.kind != "plan"]
        self.close()
        return [*self.passages, *plans]


def _heading(event: Event, match: Match) -> str:
    """The heading of a passage that begins with an attack, else nothing."""
    labels = match.setup.grid.labels
    if event[0] == "attack":
        _, unit, _, here, there = event[:5]
        return f"{unit_name(match.setup, unit)} at {labels[here]} attacks {labels[there]}"
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
    return f"{name} at {labels[here]} attacks {labels[fight.where]}" if here != NOBODY else f"{name} attacks"


# Drafts


def steps_of_draft(known: Sequence[Step], drafted: Sequence[Step], number: int) -> list[Step]:
    """The steps that a draft of file `number` adds to those that are known.

    An Ambush in an instant game takes back what had been shown after the attack (protocol, 10.6): then the
    two lists part before the end of the first.
    """
    same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], zip(known, drafted, strict=False)))
    return [step for step in drafted[same:] if step.file == number]


# Plans


def plan_passages(steps: Sequence[Step], entry: Entry, before: State | None) -> list[Passage]:
    """The attacks that a file orders, as one passage, or none."""
    found = []
    for action in entry.actions:
        if action.name != "plan":
            continue
        earlier = (s for s in reversed(steps) if s.file == entry.number and s.place < action.place)
        state = next((step.state for step in earlier), before)
        if state is None:
            continue
        orders = parse_plan(action.value)
        lines = [Line("plan", order_text(order, state)) for order in orders or ()]
        if orders is None:
            lines = [Line("plan", "The attacks that are left of the plan stand.")]
        elif not orders:
            lines = [Line("plan", "No attack is ordered.")]
        found.append(Passage("plan", state.turn, HEADINGS["plan"], tuple(lines)))
    return found


def order_text(order: Order, state: State) -> str:
    """An attack order in words: `Allied armor at D5 attacks D6, else E5; it takes ground.`"""
    setup = state.setup
    here = state.pos[order.unit]
    name = unit_name(setup, order.unit)
    place = f" at {setup.grid.labels[here]}" if here != NOBODY else ""
    text = f"{name}{place} attacks {', else '.join(_target(state, t) for t in order.targets)}"
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
    """A sentence for everybody who draws."""
    draws = [line.text.split(" draw ") for line in lines]
    totals = dict.fromkeys((who for who, _ in draws), 0)
    for who, number in draws:
        totals[who] += int(number.split()[0])
    return [Line("drew", f"{who} draw {count(total, 'card')}.") for who, total in totals.items()]


MERGERS: dict[str, Callable[[list[Line]], list[Line]]] = {"ordered": _ordered, "drew": _drawn}
