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

from engine.errors import NotationError
from engine.refusal import explain
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
    overrun_question,
    overrun_shots,
    plan_question,
    seal_question,
    target_question,
)
from pbem.orders_text import Standing, change_standing
from pbem.story import tell
from pbem.typed import enact_all, open_plan

NUMBERS = re.compile(r"\d+([ ,]+\d+)*")
LABEL = re.compile(r"[A-Za-z]\d{1,2}")
# Phase: the verb that a hex typed alone means there.
VERBS = {"order": "order", "target": "target", "strike": "strike", "heal": "heal", "drop": "drop",
         "retreat": "retreat", "ground": "ground", "second-move": "move"}  # fmt: skip


class Guide:
    """One file being decided by somebody who answers questions."""

    def __init__(self, draft: Draft, standing: Standing) -> None:
        self.draft = draft
        self.standing = standing
        self.outcome = ""  # "seal" or "later" when the player is through
        self._focus: int | None = None  # the unit being moved or ordered to attack
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
        return self._told(len(self.draft.desk.referee.steps))

    def _told(self, since: int) -> list[str]:
        match = self.draft.referee.match
        assert match is not None
        return [
            text for step in self.draft.referee.steps[since:] for text in tell(step, match, chair=self.side)
        ]

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
            return move_question(draft, self._focus)
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
        fitting = [option for option in question.options if text and option.hex.lower() == text.lower()]
        if len(fitting) == 1:
            return self._act([fitting[0].action])
        if text.lower() == "back" and any(option.action == ":back" for option in question.options):
            return self._act([":back"])
        if question.kind == "ambush" and text.lower().startswith("ambush"):
            return self._act([f":{text.lower()}"])
        if LABEL.fullmatch(text):
            return self._hex(question, text)
        return self._type(text)

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
        if len(actions) > 1 and any(action in (":back", ":overrun none") for action in actions):
            raise Refused("these choices do not go together")
        return self._act(actions)

    def _hex(self, question: Question, label: str) -> list[str]:
        """A hex that is none of the choices: do what it would mean, or say why not."""
        state = open_plan(self.draft).base.state if self._planning else self.draft.state
        h = state.setup.grid.parse(label)
        if question.kind in ("move", "battle", "plan"):
            verb = "move" if question.kind == "move" else "attack"
            raise explain(state, (verb, h, h))
        if question.kind in ("move-to", "target", "attack"):
            verb = "move" if question.kind == "move-to" else "attack"
            alone = question.options[0].action.split()[1]  # the only unit that can
            here = alone if self._focus is None else state.setup.grid.labels[state.pos[self._focus]]
            return self._type(f"{verb} {here} {label}")
        if question.kind in VERBS:
            return self._type(f"{VERBS[question.kind]} {label}")
        raise NotationError(f'"{label}" means nothing here')

    def _type(self, line: str) -> list[str]:
        """A line of notation."""
        if not line:
            raise NotationError("type the number of a choice, or ? for help")
        before = len(self.draft.referee.steps)
        decided = self.draft.is_decided
        self.draft = enact_all(self.draft, [line])
        verb = line.split()[0].lower()
        self._planning = self.draft.referee.sealed and verb in ("attack", "hold") and self.draft.is_decided
        self._focus, self._targets, self._takes = None, (), None
        if self._planning:  # the plan is shown with the next question
            return []
        return [] if decided else self._told(before)

    def _act(self, actions: list[str]) -> list[str]:
        """Carry out what the choices say."""
        if not actions[0].startswith(":"):
            return self._type(actions[0])
        verb, *rest = actions[0][1:].split()
        words = [word for action in actions for word in action.split()[1:]]
        return list(getattr(self, f"_on_{verb}")(words or rest) or [])

    def _on_unit(self, words: list[str]) -> None:
        state = open_plan(self.draft).base.state
        self._focus = state.occupant[state.setup.grid.parse(words[0])]

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
        return self._type("end")

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
        plan = open_plan(self.draft)
        if len(plan.orders) > 1 and self.draft.choices[-1].name == "plan":
            plan.orders.pop()
            self.draft = plan.closed()
            self._planning = True
            return "the last attack order"
        choice = self.draft.choices[-1] if self.draft.choices else None
        self.draft = self.draft.undone()
        self._planning, self._asked_ambush = False, False
        assert choice is not None
        return str(choice.value) if choice.name == "do" else "the plan"
