"""A guided turn without a terminal: asks one question after another and takes answers as text.

    guide = Guide(draft, standing)
    while not guide.outcome:
        show(guide.question())
        told = guide.answer(read_line())      raises Refused or EngineError: say why, ask again

An answer is the number of a choice, several numbers where that is allowed, a hex, or any line of the
notation. The guide owns its draft: `guide.draft` is what to keep after every answer. It reads no file and
prints nothing.
"""

from __future__ import annotations

import re

from engine import NOBODY, State, parse_answer
from engine.errors import NotationError
from engine.refusal import explain
from engine.state import MOVED, ORDERED
from pbem.draft import Draft
from pbem.errors import Refused
from pbem.guide_menus import (
    Question,
    ambush_question,
    battle_question,
    can_take,
    flat_question,
    ground_question,
    move_question,
    moving_units,
    overrun_question,
    overrun_shots,
    plan_question,
    seal_question,
    target_question,
    unplanned,
)
from pbem.guide_notes import no_battle_note
from pbem.orders_text import Standing, change_standing
from pbem.referee import Step
from pbem.story import Line, lines_of, merged, steps_of_draft, unit_name
from pbem.typed import enact_all, is_verb, open_plan, taken_back

NUMBERS = re.compile(r"\d+([ ,]+\d+)*")
LABELS = re.compile(r"[A-Za-z]\d{1,2}([ ,]+[A-Za-z]\d{1,2})*")
CLOSING = ("drew", "no-card", "reshuffled", "turn")  # events after the battles of a turn
# Phase: the verb that a hex typed alone means there.
VERBS = {"order": "order", "target": "target", "strike": "strike", "heal": "heal", "drop": "drop",
         "retreat": "retreat", "ground": "ground", "second-move": "move",
         "overrun": "attack", "again": "attack"}  # fmt: skip


class Guide:
    """One file being decided by somebody who answers questions."""

    def __init__(self, draft: Draft, standing: Standing) -> None:
        self.draft = draft
        self.standing = standing
        self.outcome = ""  # "seal" or "later" when the player is through
        self._focus: int | None = None  # the unit being moved or ordered to attack
        self._staying: list[int] = []  # units that shall not move, in the order in which that was said
        self._targets: tuple[str, ...] = ()  # of the attack being ordered
        self._takes: bool | None = None  # ground
        self._planning = False  # a plan has orders and may get more
        self._asked_ambush = False

    @property
    def side(self) -> int:
        """The engine's side of the player."""
        match = self.draft.referee.match
        assert match is not None
        return match.setup.seats[match.army_of(self.draft.desk.seat)].side

    def story(self) -> list[str]:
        """What has happened before the first question of this file: dice that have just fallen."""
        desk = self.draft.desk
        new = steps_of_draft(desk.referee.steps, self.draft.referee.steps, desk.log.count)
        return [line.text for line in self._lines(new)]

    def _lines(self, steps: list[Step]) -> list[Line]:
        match = self.draft.referee.match
        assert match is not None
        return merged([line for step in steps for line in lines_of(step, match, chair=self.side)])

    def _told(self, since: int, before: State) -> list[str]:
        """What an answer has led to, in sentences; also why nobody was asked for attacks."""
        steps = self.draft.referee.steps[since:]
        lines = self._lines(steps)
        note = no_battle_note(before, steps)
        if note:
            place = next((n for n, line in enumerate(lines) if line.kind in CLOSING), len(lines))
            lines.insert(place, Line("note", note))
        return [line.text for line in lines]

    # Asking

    def question(self) -> Question:
        """What is asked now."""
        draft = self.draft
        if self._planning or draft.wants_plan:
            return self._plan_question()
        if draft.is_decided or draft.must_confirm:
            if draft.holds_ambush() and draft.desk.terms.sheet and not self._asked_ambush:
                return ambush_question()
            return seal_question(draft)
        phase = draft.state.phase
        if phase in ("move", "second-move"):
            return move_question(draft, self._focus, self._staying)
        if phase == "battle":
            return battle_question(draft, self._focus)
        return flat_question(draft)

    def _plan_question(self) -> Question:
        if self._focus is None:
            return plan_question(self.draft)
        state = open_plan(self.draft).base.state
        if not self._targets:
            return target_question(state, self._focus)
        if self._takes is None:
            return ground_question(state, self._focus, self._targets[0])
        return overrun_question(state, self._overruns())

    def _overruns(self) -> tuple[str, ...]:
        state = open_plan(self.draft).base.state
        assert self._focus is not None
        return overrun_shots(state, self._focus, state.setup.grid.parse(self._targets[0]))

    # Answering

    def answer(self, text: str) -> list[str]:
        """Take an answer; what happened, in sentences. Raises Refused or EngineError and changes nothing."""
        text = " ".join(text.split())
        question = self.question()
        if NUMBERS.fullmatch(text):
            return self._choose(question, [int(word) for word in re.split("[ ,]+", text)])
        if text.lower() == "back" and any(option.action == ":back" for option in question.options):
            return self._act([":back"])
        if question.kind == "ambush" and text.lower().startswith("ambush"):
            return self._act([f":{text.lower()}"])
        if question.kind == "ambush" and LABELS.fullmatch(text):
            return self._act([f":ambush {','.join(re.split('[ ,]+', text))}"])
        if LABELS.fullmatch(text):
            return self._hexes(question, re.split("[ ,]+", text))
        if question.kind in ("card", "choose") and self._names_card(text):
            if question.kind == "card":
                return self._type(f"card {text}")
            raise Refused("say whether it stays or goes", hint=f'"keep {text}" or "discard {text}"')
        return self._type(text)

    def _names_card(self, text: str) -> bool:
        """Whether a text is a card by itself, without what shall be done with it."""
        if not text or is_verb(text.split()[0]):
            return False
        try:
            return bool(parse_answer(self.draft.state, f"card {text}"))
        except NotationError:
            return False

    def _choose(self, question: Question, numbers: list[int]) -> list[str]:
        if not question.options:
            raise Refused("there is nothing to number here", hint="type a hex")
        for number in numbers:
            if not 1 <= number <= len(question.options):
                raise Refused(f"there is no choice {number}; they go from 1 to {len(question.options)}")
        if len(numbers) > 1 and not question.several:
            raise Refused("one number is enough here")
        if len(set(numbers)) < len(numbers):
            raise Refused("a number is given twice")
        actions = [question.options[number - 1].action for number in numbers]
        if len(actions) > 1 and any(action in (":back", ":overrun none", "done") for action in actions):
            raise Refused("these choices do not go together")
        return self._act(actions)

    def _hexes(self, question: Question, labels: list[str]) -> list[str]:
        """One or more hexes: the choices that they mean, or what they would mean otherwise."""
        choices: dict[str, str] = {}
        for option in question.options:  # of several at one hex the first: a unit in wire attacks
            if option.hex:
                choices.setdefault(option.hex.lower(), option.action)
        wanted = [label.lower() for label in labels]
        if len(labels) > 1 and not question.several:
            raise Refused("one hex is enough here")
        if len(set(wanted)) < len(wanted):
            raise Refused("a hex is given twice")
        if question.kind == "order":
            return self._type(f"order {' '.join(labels)}")
        for label in labels:
            if label.lower() not in choices:
                return self._hex(question, label)
        return self._act([choices[label] for label in wanted])

    def _hex(self, question: Question, label: str) -> list[str]:
        """A hex that is none of the choices: do what it would mean, or say why not."""
        state = open_plan(self.draft).base.state if self._planning else self.draft.state
        h = state.setup.grid.parse(label)
        if question.kind == "move" and state.occupant[h] in self._staying:
            self._focus = state.occupant[h]
            return []
        if question.kind == "move" and self._is_stuck(state, state.occupant[h]):
            name = unit_name(state.setup, state.occupant[h])
            raise Refused(f"{name} at {label} cannot move now: there is no hex that it could go to")
        if question.kind in ("move", "battle", "plan"):
            verb = "move" if question.kind == "move" else "attack"
            raise explain(state, (verb, h, h))
        if question.kind in ("move-to", "target", "attack"):
            verb = "move" if question.kind == "move-to" else "attack"
            actions = (option.action.split() for option in question.options)
            alone = next(words[1] for words in actions if len(words) > 1)  # the only unit that can
            here = alone if self._focus is None else state.setup.grid.labels[state.pos[self._focus]]
            return self._type(f"{verb} {here} {label}")
        if question.kind in VERBS:
            return self._type(f"{VERBS[question.kind]} {label}")
        raise NotationError(f'"{label}" means nothing here; type the number of a choice')

    @staticmethod
    def _is_stuck(state: State, unit: int) -> bool:
        """Whether a unit was ordered, has not moved, and has nowhere to go."""
        return (
            unit != NOBODY
            and state.acts[unit] & (ORDERED | MOVED) == ORDERED
            and all(answer[0] != "move" or state.occupant[answer[1]] != unit for answer in state.answers)
        )

    def _type(self, *lines: str) -> list[str]:
        """Lines of notation, all or none."""
        if not lines[0]:
            raise NotationError("type the number of a choice, or ? for help")
        since, before = len(self.draft.referee.steps), self.draft.state
        decided = self.draft.is_decided
        self.draft = enact_all(self.draft, lines)
        verb = lines[-1].split()[0].lower()
        ordered = self.draft.referee.sealed and verb in ("attack", "hold") and self.draft.is_decided
        self._planning = ordered and verb == "attack" and bool(unplanned(self.draft))
        self._focus, self._targets, self._takes = None, (), None
        if ordered or decided:  # the plan is shown with the next question
            return []
        return [*self._told(since, before if verb != "end" else self.draft.state), *self._go_on()]

    def _go_on(self) -> list[str]:
        """End the moves if all units that could still move shall stay."""
        if self.draft.state.phase != "move" or self.draft.is_decided:
            self._staying = []
            return []
        left = moving_units(self.draft)
        return self._type("done") if all(unit in self._staying for unit in left) else []

    def _act(self, actions: list[str]) -> list[str]:
        """Carry out what the choices say."""
        if not actions[0].startswith(":"):
            return self._type(*actions)
        verb, *rest = actions[0][1:].split()
        words = [word for action in actions for word in action.split()[1:]]
        return list(getattr(self, f"_on_{verb}")(words or rest) or [])

    def _on_unit(self, words: list[str]) -> None:
        state = open_plan(self.draft).base.state
        self._focus = state.occupant[state.setup.grid.parse(words[0])]

    def _on_stay(self, words: list[str]) -> list[str]:
        assert self._focus is not None
        unit, self._focus = self._focus, None
        self._staying = [*(other for other in self._staying if other != unit), unit]
        state = self.draft.state
        told = f"{unit_name(state.setup, unit)} at {state.setup.grid.labels[state.pos[unit]]} stays."
        return [told, *self._go_on()]

    def _on_back(self, words: list[str]) -> None:
        if self._takes is not None:
            self._takes = None
        elif self._targets:
            self._targets = ()
        else:
            self._focus = None

    def _on_target(self, words: list[str]) -> list[str]:
        self._targets = tuple(words)
        state = open_plan(self.draft).base.state
        assert self._focus is not None
        if can_take(state, self._focus, state.setup.grid.parse(words[0])):
            return []
        return self._order("")

    def _on_ground(self, words: list[str]) -> list[str]:
        if words == ["no"]:
            return self._order("")
        self._takes = True
        return [] if self._overruns() else self._order("ground")

    def _on_overrun(self, words: list[str]) -> list[str]:
        return self._order("ground" if words == ["none"] else f"ground overrun {','.join(words)}")

    def _order(self, rest: str) -> list[str]:
        """The attack order is complete: write it."""
        state = open_plan(self.draft).base.state
        assert self._focus is not None
        here = state.setup.grid.labels[state.pos[self._focus]]
        return self._type(f"attack {here} {','.join(self._targets)} {rest}".strip())

    def _on_planned(self, words: list[str]) -> list[str]:
        if self._planning:
            self._planning = False
            return []
        return self._type("plan none")

    def _on_plan(self, words: list[str]) -> None:
        self._planning = True

    def _on_ambush(self, words: list[str]) -> None:
        line = f"ambush {' '.join(words)}"
        self.standing = change_standing(self.draft.state, self.side, self.standing, line)
        self._asked_ambush = True

    def _on_seal(self, words: list[str]) -> None:
        self.outcome = "seal"

    def _on_later(self, words: list[str]) -> None:
        self.outcome = "later"

    def undo(self) -> str:
        """Take one step back: out of a submenu, or the last choice; what was taken back."""
        if self._focus is not None:
            self._on_back([])
            return ""
        if self._staying:
            unit = self._staying.pop()
            return f"{self.draft.state.setup.grid.labels[self.draft.state.pos[unit]]} stays"
        self.draft, what = taken_back(self.draft)
        self._planning, self._asked_ambush = bool(open_plan(self.draft).orders), False
        return what
