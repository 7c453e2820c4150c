"""Where the rules engine meets the log: reads accepted files and plays them (docs/protocol.md, part 10).

Theory of operation. The engine always waits for one thing. `_advance` feeds it from what the log has: dice
from the run's root, cards that were drawn, answers given ahead (plans, standing orders, opened boxes). It
stops where the author of the present file has to say something (the next op is then handed to `act`), or
where somebody else has to: there the file must end. Whatever the rules do not allow is a Fault E_RULE of
the author.

One run, one root. In a sealed game a root rolls what the other side's run has asked for, and nothing of the
own turn; in an instant game it rolls the own turn. After a *stop* no more dice fall in a run and no attack
begins.

This module holds no secret: the cards of hands are hidden to it until they are shown.
"""

from __future__ import annotations

from typing import Any

from engine import Answer, chance, is_over, reshuffled, start
from engine.errors import EngineError, IllegalDecision
from engine.notation import format_answer, parse_answer
from engine.state import NOBODY
from pbem.course import OWN_EVENTS, Course, Question, Step
from pbem.errors import Fault
from pbem.foresight import ATTACKING, Foresight
from pbem.log import Action, Entry
from pbem.orders import Order, parse_plan, parse_stand
from pbem.ruleset import DECK, read_match
from pbem.terms import Terms

__all__ = ["ATTACKING", "OWN_EVENTS", "RESIGNS", "Question", "Referee", "Step"]

RESIGNS = "resigns"
NO_STATE = bytes(32)  # what the offer says of the game: nothing has begun
USELESS = ("lay", "pass", "call", "bin")  # ops of other rulesets


class Referee(Foresight):
    """The game as the files so far have played it."""

    # Reading files

    def read(self, entry: Entry) -> Referee:
        """The referee after a file; raises Fault E_RULE or E_STATE and changes nothing."""
        new = self.copy()
        place = None
        try:
            if entry.number >= 2 and not entry.begins_run:
                raise Fault("E_RULE", "the next file is the other side's")
            new.begin(entry.number, entry.seat, entry.side, entry.root, begins=entry.begins_run)
            for action in entry.actions:
                place = action
                new.act(action.place, action.name, action.value)
            place = None
            new.finish()
            if entry.engine != (new.digest() if entry.number else NO_STATE):
                raise Fault("E_STATE", "the state of the game is not as the file says")
        except Fault as fault:
            _locate(fault, entry, place)
            raise
        return new

    def begin(self, number: int, seat: int, side: int, root: bytes | None, *, begins: bool) -> None:
        """A file begins; what can fall or be answered by itself does."""
        self.file, self.place, self.seat = number, -1, seat
        if begins:
            self.run_side, self.root, self.rolls = side, root, 0
            self.stopped, self.fired, self.firing, self.opened = False, False, "", {}
            self.unanswered, self.questions = self.questions, ()
            if self.active_side == side:
                self.trusted = False
        if self.state is not None:
            self._advance()

    def act(self, place: int, name: str, value: Any) -> None:
        """One op of the present file."""
        self.place = place
        asked = name == "open" and bool(self.unanswered)  # a sealed answer may still undo the end (10.5)
        if self.winner >= 0 and not asked and name in ("do", "plan", "draw", "show", "stand", "open"):
            raise Fault("E_RULE", "the game is decided", rule="R23")
        if name in USELESS:
            raise Fault("E_RULE", f'the op "{name}" has no use in this game')
        handler = getattr(self, f"_op_{name}", None)
        if handler is not None:
            handler(value)

    def finish(self) -> None:
        """The file ends: nothing may be left undone that its author owes the game (10.1)."""
        self.place = -1
        if self.state is None or self.file < 2:
            return
        if self.resigned >= 0 or self.confirmed:
            return
        if self.shown is not None:
            raise Fault("E_RULE", "a card was shown that no decision plays", rule="R29")
        if self.boxes or self.firing:
            raise Fault("E_RULE", "a box was opened that was not asked for, or its card was not played")
        if self.unanswered:
            raise Fault("E_RULE", "a sealed question was not answered")
        if is_over(self.state):
            if self.decided_by != self.run_side:
                raise Fault("E_RULE", "the game is decided, and the file does not confirm it", rule="R23")
        elif self.awaits_author():
            raise Fault("E_RULE", "a decision of the file's author is missing", rule="R28")

    # Set-up

    def _op_terms(self, value: Terms) -> None:
        self.match = read_match(value)

    def _op_share(self, value: Any) -> None:
        if self.file == 1 and self.state is None:
            self._start()

    def _op_key(self, value: Any) -> None:
        if self.file == 1 and not any(seat.deal for seat in self.terms.seats if seat.side == 0):
            self._start()

    def _start(self) -> None:
        match = self.match
        assert match is not None
        self.state = start(match.setup)
        self.dealt = [sum(count for _, count in seat.deal) for seat in self.terms.seats]
        self.ahead = [0 for _ in self.terms.seats]
        self.fresh = [() for _ in self.terms.seats]
        self.pile = self.terms.size(DECK) - sum(self.dealt)
        self._record("setup", "", ())
        self._advance()

    # Decisions

    def _op_do(self, value: Any) -> None:
        state = self.now
        if not isinstance(value, str):
            raise Fault("E_RULE", "a decision is a line of text")
        if self.unanswered:
            raise Fault("E_RULE", "the sealed questions of the last turn come first")
        if chance(state) or self.side_of(state.seat) != self.run_side:
            raise Fault("E_RULE", "nothing is asked of the author now", rule="R28")
        answer = self._parse(value)
        self._check_manner(answer)
        real, turn = self._is_real_choice(), state.turn
        try:
            self._apply(answer, "do", value)
        except EngineError as problem:
            raise _refusal(problem) from problem
        if real and self.now.turn == turn:
            self._stop()
        self._advance()

    def _parse(self, text: str) -> Answer:
        state = self.now
        try:
            answer = parse_answer(state, text)
            if format_answer(state, answer) != text:
                raise Fault("E_RULE", f'"{text[:60]}" is not the form in which a file says this')
        except EngineError as problem:
            raise _refusal(problem) from problem
        return answer

    def _check_manner(self, answer: Answer) -> None:
        """Refuse decisions that must be made in another way than by `do`."""
        state = self.now
        phase = state.phase
        own_turn = self.active_side == self.run_side
        if own_turn and self.owes_plan:
            raise Fault("E_RULE", "a stopped turn goes on with a plan")
        if self.sealed and phase in ATTACKING and answer[0] == "attack":
            raise Fault("E_RULE", "in a sealed game attacks are ordered by a plan")
        if phase in ("ignore", "retreat") and self._by_box():
            raise Fault("E_RULE", "retreats are answered from the sheet in this game")
        if phase == "react" and not self.firing:
            raise Fault("E_RULE", "reactions are answered from the sheet")
        card = answer[1] if answer[0] in ("card", "discard") else ""
        if card:
            self._use_shown(card, fresh=answer[0] == "discard")
        elif self.shown is not None:
            raise Fault("E_RULE", "a card was shown that this decision does not play", rule="R29")
        if self.firing:
            if phase == "react" and card != self.firing:
                raise Fault("E_RULE", "the opened box has promised another card")
            if phase == "react":
                self.firing, self.fired = "", True

    def _use_shown(self, card: str, *, fresh: bool) -> None:
        shown = self.shown
        assert self.match is not None
        if shown is None or self.match.card_key(shown.card) != card:
            raise Fault("E_RULE", f'the card "{card}" was not shown', rule="R29")
        if self.fresh[self.seat] and (shown.nth in self.fresh[self.seat]) != fresh:
            raise Fault("E_RULE", "Recon's choice is between the two cards it drew", rule="C10")
        if fresh:
            self.fresh[self.seat] = ()
        self.shown = None

    def _op_plan(self, value: Any) -> None:
        state = self.now
        if not self.sealed or self.active_side != self.run_side or self.trusted:
            raise Fault("E_RULE", "no plan is asked for")
        asked = not chance(state) and state.phase in ATTACKING and self.side_of(state.seat) == self.run_side
        waits = chance(state) == "roll" and self.plan is not None  # in the middle of an attack
        if not (asked or waits or self.owes_plan):
            raise Fault("E_RULE", "a plan answers the question for battles", rule="R49")
        if asked:
            self.order = None
        plan = parse_plan(value)
        if plan is None and self.plan is None and not self.owes_plan:
            raise Fault("E_RULE", "there is no plan to confirm")
        if plan is not None:
            for order in plan:
                self._check_order(order)
            self.plan = plan
        self.plan = self.plan or ()
        self.owes_plan, self.trusted = False, True
        self._advance()

    def _check_order(self, order: Order) -> None:
        state = self.now
        setup = state.setup
        if (
            order.unit >= len(setup.types)
            or order.unit not in state.orders
            or state.pos[order.unit] == NOBODY
        ):
            raise Fault("E_RULE", "an attack is ordered of a unit that has no order", rule="R31")
        for target in (*order.targets, *order.overrun):
            if isinstance(target, int) and (
                target >= len(setup.types) or setup.side[target] == setup.side[order.unit]
            ):
                raise Fault("E_RULE", "an attack names a target that is no enemy", rule="R51")

    def _op_stand(self, value: Any) -> None:
        assert self.state is not None
        assert self.match is not None
        if self.terms.retreat != "stand":
            raise Fault("E_RULE", "standing orders have no use in this game")
        if self.unanswered or self.firing or self.fired:  # the dice of the attack are known to the author
            raise Fault("E_RULE", "standing orders do not change in the middle of the other side's turn")
        stand = parse_stand(value)
        army = self.match.army_of(self.seat)
        sides = self.state.setup.side
        own = self.state.setup.seats[army].side
        if any(unit >= len(sides) or sides[unit] != own for unit in stand.units):
            raise Fault("E_RULE", "a standing order for a unit of the other side")
        self.stands[self.run_side] = stand

    def _op_open(self, boxes: list[tuple[int, Any]]) -> None:
        if not self.unanswered:
            self.boxes = (*self.boxes, *boxes)
            self._advance()
            return
        for box, answer in boxes:
            if not self.unanswered or self.unanswered[0].box != box:
                raise Fault("E_RULE", "a box was opened that was not asked for")
            question, *rest = self.unanswered
            self.unanswered = tuple(rest)
            card = self._card_answer(answer)
            if card:
                self.unanswered = ()
                self._go_back(question.moment)
                self.firing = card
                if boxes[-1][0] != box:
                    raise Fault("E_RULE", "after a card has been promised no further box is opened")

    def _go_back(self, moment: Course) -> None:
        """Undo what came after a declaration that is answered by a card (10.5); cards drawn stay drawn."""
        assert moment.state is not None
        shuffled = self.shuffles > moment.shuffles
        self.state = reshuffled(moment.state, 0) if shuffled else moment.state
        self.has_reshuffled = shuffled
        self.order, self.fresh = moment.order, list(moment.fresh)
        self.winner, self.decided_by = moment.winner, moment.decided_by
        self.ahead = [now - was for now, was in zip(self.dealt, self._consumed(moment), strict=True)]
        del self.steps[len(moment.steps) :]
        marks = ("taken-back", self.file), ("played-again", self._army(self.run_side), moment.file)
        self.steps.append(Step(moment.file, moment.place, "box", "", marks[:1], self.state))
        self._record("box", "", marks[1:])

    def _consumed(self, moment: Course) -> list[int]:
        """How many cards of each seat the engine had taken in at a moment."""
        return [dealt - ahead for dealt, ahead in zip(moment.dealt, moment.ahead, strict=True)]

    def _op_end(self, value: Any) -> None:
        assert self.state is not None
        if value == RESIGNS:
            if self.winner >= 0:
                raise Fault("E_RULE", "the game is decided, and only its result can be signed", rule="R20")
            self.resigned = self.run_side
            self.winner = 1 - self.run_side
            self.confirmed = True
            self._record("end", RESIGNS, (("resigns", self._army(self.run_side)),))
            return
        if not is_over(self.state):
            raise Fault("E_RULE", "the game is not decided", rule="R20")
        if self.unanswered:
            raise Fault("E_RULE", "the sealed questions of the last turn come first")
        if self.decided_by == self.run_side or value != self.result():
            raise Fault("E_RULE", "the result is not what the game came to", rule="R20")
        self.confirmed = True
        self._record("end", "result", (("signed", self._army(self.run_side)),))

    def result(self) -> dict[str, Any]:
        """What the `end` op of a decided game says."""
        state = self.now
        return {
            "medals": [state.medals(0), state.medals(1)],
            "reason": state.reason,
            "winner": ("allies", "axis")[state.winner],
        }


def _refusal(problem: EngineError) -> Fault:
    """What the engine refuses, as a fault of the file's author."""
    rule = problem.rule if isinstance(problem, IllegalDecision) else ""
    return Fault("E_RULE", str(problem), rule=rule)


def _locate(fault: Fault, entry: Entry, action: Action | None) -> None:
    fault.file, fault.seat = entry.number, entry.seat
    if action is not None:
        fault.op, fault.chain = action.place, action.chain
