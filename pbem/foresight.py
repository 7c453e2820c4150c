"""Answers given ahead of the question: dice, opened boxes, standing orders, plans of attack, and stops.

`_advance` lets the game go on by itself until somebody has to speak. In a sealed game the dice of a turn fall
in the other side's run, and the plan of that turn is followed there; a *stop* ends it early (protocol, 10.4).
"""

from __future__ import annotations

from typing import Any

from engine import Answer, State, chance, is_over
from engine.cards import CARDS
from engine.combat import DIE
from engine.errors import NotationError
from engine.state import NOBODY, OVERRAN
from pbem.course import Question
from pbem.dealer import Dealer
from pbem.dice import roll_dice
from pbem.errors import Fault
from pbem.orders import Order, decide_flags, decide_route, parse_flags, parse_route
from pbem.ruleset import DECK

ATTACKING = ("battle", "overrun", "again")  # phases in which the active player may begin an attack


class Foresight(Dealer):
    """A course of play that goes on by itself as far as it was foreseen."""

    def _card_answer(self, answer: Any) -> str:
        """The card that a box names, or ""."""
        assert self.match is not None
        if answer is None:
            return ""
        form = isinstance(answer, list) and len(answer) == 3 and answer[:2] == ["card", DECK]
        if not form or answer[2] not in CARDS:
            raise Fault("E_RULE", "an opened box holds no answer that the rules know")
        return str(answer[2])

    # Going on by itself

    def _advance(self) -> None:
        while self.state is not None and not is_over(self.state):
            kind = chance(self.state)
            if kind == "draw":
                self._drop_plan()
                going = self._supply()
            elif kind == "roll":
                going = self._roll()
            else:
                going = self._answer_ahead()
            if not going:
                return

    def _roll(self) -> bool:
        state = self.now
        assert state.roll is not None
        if self.root is None or self.stopped or (self.sealed and self.active_side == self.run_side):
            return False
        roll = state.roll
        values = roll_dice(self.root, self.rolls, roll.dice, roll.faces)
        self.rolls += 1
        faces = tuple(DIE[value] for value in values) if roll.faces == 6 else values
        self._apply(("roll", *faces), "dice")
        return True

    def _answer_ahead(self) -> bool:
        """Answer the pending decision from what was said before; False if somebody has to speak."""
        state = self.now
        side = self.side_of(state.seat)
        if self.unanswered and side == self.run_side:
            return False
        if state.phase == "react":
            return self._react(side)
        if state.phase in ("ignore", "retreat"):
            return self._fall_back(side)
        if side == self.active_side and self.plan is not None and self.trusted:
            return self._follow_plan()
        return False

    def _react(self, side: int) -> bool:
        state = self.now
        assert state.fight is not None
        if not self.terms.sheet or self.fired:
            self._apply(("pass",), "box")
            return True
        if self.firing:
            return False
        box = self._box()
        if not self.sealed:
            if all(question.box != box for question in self.questions):
                self.questions = (*self.questions, Question(box, self.copy()))
            self._apply(("pass",), "box")
            return True
        if box not in self.opened:  # a box is opened once and answers for the rest of the run
            if side != self.run_side or not self.boxes:
                return False
            self.firing = self._card_answer(self._take_box(box))
            if self.firing:
                return False
            self.opened[box] = None
        self._apply(("pass",), "box")
        return True

    def asked_box(self) -> int | None:
        """The box that the side of the present run has to open next, if any."""
        if self.unanswered:
            return self.unanswered[0].box
        state = self.now
        if self.boxes or self.firing or chance(state) or self.side_of(state.seat) != self.run_side:
            return None
        reacts = state.phase == "react" and self.sealed
        falls_back = state.phase in ("ignore", "retreat") and self._by_box()
        return self._box() if reacts or falls_back else None

    def _box(self) -> int:
        """The box that holds the answer to the pending question about the attacked unit (part 9)."""
        state = self.now
        fight = state.fight
        assert fight is not None
        if state.phase == "react":
            return 8 * fight.target + state.setup.arm[fight.attacker]
        return 8 * fight.target + (6 if state.phase == "ignore" else 5)

    def _take_box(self, box: int) -> Any:
        if self.boxes[0][0] != box:
            raise Fault("E_RULE", "a box was opened that was not asked for")
        answer = self.boxes[0][1]
        self.boxes = self.boxes[1:]
        return answer

    def _by_box(self) -> bool:
        """Whether retreats of the side of this run are answered from its sheet."""
        return self.terms.retreat == "sheet" and self.active_side != self.run_side

    def _fall_back(self, side: int) -> bool:
        state = self.now
        assert state.fight is not None
        unit, phase = state.fight.target, state.phase
        if self.terms.retreat == "stand":
            preference = self.stands[side].of(unit)
            if phase == "ignore":
                self._apply(decide_flags(state, unit, preference.flags), "stand")
            else:
                self._apply(decide_route(state, unit, preference.route), "stand")
            return True
        if side != self.run_side or not self._by_box():
            return False
        box = self._box()
        if box not in self.opened:
            if not self.boxes:
                return False
            answer = self._take_box(box)
            self.opened[box] = parse_flags(answer) if phase == "ignore" else parse_route(answer)
        if phase == "ignore":
            self._apply(decide_flags(state, unit, self.opened[box]), "box")
        else:
            self._apply(decide_route(state, unit, self.opened[box]), "box")
        return True

    # Plans and stops

    def _follow_plan(self) -> bool:
        state = self.now
        phase = state.phase
        if phase == "ground":
            take = self.order is not None and self.order.ground
            self._apply(next(a for a in state.answers if (a[0] == "ground") == take), "plan")
            return True
        if phase not in ATTACKING:
            return False
        held = self.order is not None and self.order.hold and phase != "overrun"
        if held and self.active_side != self.run_side:  # in the own file an order without dice holds nothing
            self._stop()
        if self.stopped:
            self._leave_overrun()
            return False
        if phase == "overrun":
            return self._overrun()
        return self._next_order()

    def _overrun(self) -> bool:
        state = self.now
        if self.order is None and self.plan and self.plan[0].unit == state.focus:
            self.order, self.plan = self.plan[0], self.plan[1:]
            answer = self._attack_on(self.order.targets, state.focus)
        else:
            answer = self._attack_on(self.order.overrun if self.order else (), state.focus)
        self._apply(answer or ("pass",), "plan")
        return True

    def _next_order(self) -> bool:
        state = self.now
        assert self.plan is not None
        second = state.phase == "again"
        if not self.plan or (second and self.plan[0].unit != state.focus):
            self.order = None
            self._apply(("pass",) if second else ("done",), "plan")
            return True
        order, self.plan = self.plan[0], self.plan[1:]
        self.order = order
        answer = self._attack_on(order.targets, order.unit)
        if answer is not None:
            self._apply(answer, "plan")
        else:
            self._record("plan", "", (("lapsed", order.unit, order.targets),))
        return True

    def _drop_plan(self) -> None:
        """Record the orders that are left when the battles are over; the plan itself ends with the turn."""
        if self.dropped or not self.now.turn:
            return
        self.dropped = True
        for order in self.plan or ():
            self._record("plan", "", (("lapsed", order.unit, order.targets),))

    def _attack_on(self, targets: tuple[int | str, ...], unit: int) -> Answer | None:
        """The first attack of a unit on these targets that is legal now."""
        state = self.now
        here = state.pos[unit]
        for target in targets:
            if isinstance(target, int):
                there = state.pos[target]
            else:
                there = _hex(state, target)
            if ("attack", here, there) in state.answers:
                return ("attack", here, there)
        return None

    def _is_real_choice(self) -> bool:
        """Whether a decision of the defender in a strict game is one that could profit from knowing dice."""
        state = self.now
        if self.terms.retreat != "strict" or self.active_side == self.run_side:
            return False
        return state.phase in ("ignore", "retreat") and len(state.answers) > 1 and self._dice_may_fall()

    def _dice_may_fall(self) -> bool:
        state = self.now
        fight = state.fight
        assert fight is not None
        if self.plan or state.targets or fight.parent is not None:
            return True
        order = self.order
        return order is not None and bool(order.overrun) and not state.acts[order.unit] & OVERRAN

    def _stop(self) -> None:
        """No more dice fall in this run; the active side goes on in its next one (10.4)."""
        self.stopped, self.owes_plan, self.trusted = True, True, True

    def _leave_overrun(self) -> None:
        """An overrun that is outstanding at a stop is left as an order of its own."""
        state = self.now
        order = self.order
        if order is not None and state.phase == "overrun" and order.overrun:
            rest = Order(order.unit, order.overrun, order.ground, (), order.hold)
            self.plan = (rest, *(self.plan or ()))
        self.order = None


def _hex(state: State, label: str) -> int:
    """The hex of a label, or NOBODY where this board has none."""
    try:
        return state.setup.grid.parse(label)
    except NotationError:
        return NOBODY
