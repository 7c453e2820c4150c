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

from typing import Any, NamedTuple

from engine import Answer, Event, State, apply, chance, digest, is_over, reshuffled, start
from engine.cards import CARDS
from engine.combat import DIE
from engine.dealing import draws_due, is_reshuffle_due
from engine.errors import EngineError, IllegalDecision, NotationError
from engine.notation import format_answer, parse_answer
from engine.state import NOBODY, OVERRAN
from pbem.canon import pack
from pbem.dice import die
from pbem.errors import Fault
from pbem.hashing import h32
from pbem.log import Action, Entry
from pbem.orders import (
    NO_ORDERS,
    Order,
    Stand,
    decide_flags,
    decide_route,
    parse_flags,
    parse_plan,
    parse_route,
    parse_stand,
)
from pbem.ruleset import DECK, Match, read_match
from pbem.table import Shown
from pbem.terms import Terms

ATTACKING = ("battle", "overrun", "again")  # phases in which the active player may begin an attack
RESIGNS = "resigns"
NO_STATE = bytes(32)  # what the offer says of the game: nothing has begun
USELESS = ("lay", "pass", "call", "bin")  # ops of other rulesets

# Kinds of event that a step has beside those of the engine: names of the fields behind them.
OWN_EVENTS: dict[str, tuple[str, ...]] = {
    "lapsed": ("unit", "targets"),  # an attack order that had become impossible; targets as it named them
    "resigns": ("side",),  # of the engine
    "signed": ("side",),  # ... whose file confirms the result
}


class Step(NamedTuple):
    """One step of the engine, for reports, logs and replays."""

    file: int
    place: int  # op that caused it; -1: nothing but the file itself (dice, answers given ahead)
    by: str  # "do", "plan", "box", "stand", "dice", "deal", "setup" or "end"
    text: str  # the answer in notation
    events: tuple[Event, ...]
    state: State


class Question(NamedTuple):
    """A sealed question of an instant game that its owner has not answered yet."""

    box: int
    moment: Referee


class Referee:
    """The game as the files so far have played it."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.state: State | None = None
        self.steps: list[Step] = []
        self.winner = -1  # side of the protocol that has won, once it is decided
        self.decided_by = -1  # side whose run decided it
        self.confirmed = False  # the loser, or the other side, has signed the result
        self.resigned = -1  # side that gave up
        # Cards: how many a seat has drawn ahead of the engine, how many in all, and what lies where.
        self.ahead: list[int] = []
        self.dealt: list[int] = []
        self.fresh: list[tuple[int, ...]] = []  # by seat: numbers of the cards of a Recon not yet chosen from
        self.pile = 0
        self.discard = 0
        self.has_reshuffled = False  # this turn, for the order's sake (C34)
        self.shuffles = 0
        # Answers given ahead.
        self.plan: tuple[Order, ...] | None = None
        self.order: Order | None = None  # the attack order under way
        self.stands: list[Stand] = [NO_ORDERS, NO_ORDERS]
        # The present run and file.
        self.file = -1
        self.place = -1
        self.seat = -1
        self.run_side = -1
        self.root: bytes | None = None
        self.rolls = 0
        self.stopped = False  # no more dice, no new attack in this run
        self.owes_plan = False  # the run before ended in a stop: this one begins with a plan
        self.trusted = False  # the plan was given or confirmed by a run that has ended, or is ending
        self.fired = False  # a sealed reaction was played in this run
        self.firing = ""  # the card that an opened box has promised
        self.boxes: tuple[tuple[int, Any], ...] = ()  # opened, not yet asked for
        self.opened: dict[int, Any] = {}  # boxes opened in this run that played no card
        self.questions: tuple[Question, ...] = ()  # asked of the other side in this run (instant)
        self.unanswered: tuple[Question, ...] = ()  # asked by the run before
        self.shown: Shown | None = None  # a card turned up that no decision has used yet

    def copy(self) -> Referee:
        """A copy that can be changed by itself."""
        new = Referee.__new__(Referee)
        new.__dict__.update(self.__dict__)
        for name in ("steps", "ahead", "dealt", "fresh", "stands", "opened"):
            new.__dict__[name] = self.__dict__[name].copy()
        return new

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

    def awaits_author(self) -> bool:
        """Whether the engine waits for something that the side of the present run has to give."""
        state = self.now
        if self.owes_plan and self.active_side == self.run_side:
            return True
        kind = chance(state)
        if kind == "roll":
            return False
        return self.side_of(state.seat) == self.run_side

    # Names of the two worlds

    @property
    def now(self) -> State:
        """The state of the engine, once the game has begun."""
        assert self.state is not None
        return self.state

    @property
    def terms(self) -> Terms:
        """The terms of the game."""
        assert self.match is not None
        return self.match.terms

    def side_of(self, engine_seat: int) -> int:
        """The side of the protocol that a seat of the engine plays for."""
        assert self.match is not None
        return self.terms.seats[self.match.seat_of(engine_seat)].side

    @property
    def active_side(self) -> int:
        """The side of the protocol whose turn it is; -1 before the game."""
        return -1 if self.state is None else self.side_of(self.state.active)

    @property
    def sealed(self) -> bool:
        """Whether dice fall when the answer comes."""
        return self.terms.dice == "sealed"

    def digest(self) -> bytes:
        """The fingerprint that every file carries in its field `e`."""
        assert self.state is not None
        plan = None if self.plan is None else [order.as_value() for order in self.plan]
        order = None if self.order is None else self.order.as_value()
        flags = [
            self.stopped,
            self.owes_plan,
            self.has_reshuffled,
            self.winner,
            self.resigned,
            self.confirmed,
        ]
        cards: list[Any] = [self.ahead, self.dealt, [list(f) for f in self.fresh], self.pile, self.discard]
        return h32("state", bytes.fromhex(digest(self.state)), pack([plan, order, flags, cards]))

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

    # Cards

    def _op_show(self, shown: Shown) -> None:
        if self.shown is not None:
            raise Fault("E_RULE", "two cards are shown for one decision", rule="R29")
        self.shown = shown
        self.discard += 1

    def _op_mix(self, value: Any) -> None:
        state = self.now
        assert self.match is not None
        drawn = self.ahead[self.seat] > 0 and self.match.army_of(self.seat) == state.active
        if self.fresh[self.seat] or (drawn and draws_due(state)[1] > 1):  # the choice is between two places
            raise Fault("E_RULE", "Recon's choice comes before mixing the hand", rule="C10")

    def _op_reshuffle(self, deck: str) -> None:
        state = self.now
        demanded = self.reshuffle_demanded()
        short = self.pile < self.due(self.seat)
        if not self.may_draw(self.seat) or not (demanded or short):
            raise Fault("E_RULE", "nothing asks for a reshuffle", rule="R122")
        if not state.setup.options.reshuffle:
            raise Fault("E_RULE", "this battle uses the deck once", rule="R123")
        self.has_reshuffled = self.has_reshuffled or demanded
        self.shuffles += 1
        self.pile, self.discard = self.pile + self.discard, 0
        self.state = reshuffled(state, 0)

    def _op_draw(self, value: tuple[int, str, int]) -> None:
        place, _, count = value
        if place != self.seat or count > self.due(place):
            raise Fault("E_RULE", "the rules do not give this draw", rule="R121")
        if not self.may_draw(place):
            raise Fault("E_RULE", "this draw comes at the end of the turn", rule="R121")
        if self.reshuffle_demanded():
            raise Fault("E_RULE", "the reshuffle comes before the draw", rule="C34")
        if count > self.available:
            raise Fault("E_RULE", "this battle uses the deck once", rule="R123")
        self.ahead[place] += count
        self.dealt[place] += count
        self.pile -= count
        self._advance()

    @property
    def available(self) -> int:
        """Cards that can still be drawn."""
        assert self.state is not None
        again = self.discard if self.state.setup.options.reshuffle else 0
        return max(0, self.pile + again)

    def reshuffle_demanded(self) -> bool:
        """Whether the order in force asks its player for a reshuffle that was not made yet (C34)."""
        state = self.now
        own = self.side_of(state.active) == self.run_side
        return own and is_reshuffle_due(state) and not self.has_reshuffled

    def may_draw(self, seat: int) -> bool:
        """Whether a seat may draw now: at the moment of the draw, or ahead once nothing is left to decide.

        Whoever may still be asked again in this turn, because a hold was ordered, draws when it is over.
        """
        state = self.now
        assert self.match is not None
        army = self.match.army_of(seat)
        if chance(state) == "draw" and state.seat == army:
            return True
        own_turn = self.side_of(state.active) == self.terms.seats[seat].side
        if army in state.reacted and not own_turn:
            return True
        if not own_turn or self.awaits_author():
            return False
        if state.rule is not None and state.rule.play == "behind_lines":
            return False
        if state.fight is not None and state.fight.kind in ("air", "barrage"):
            return True
        orders = (*(self.plan or ()), *((self.order,) if self.order else ()))
        return self.trusted and not any(order.hold for order in orders)

    def due(self, seat: int) -> int:
        """Cards a seat may still draw in this turn, ahead of the engine if need be."""
        state = self.now
        assert self.match is not None
        engine_seat = self.match.army_of(seat)
        queued: int = sum(task[2] for task in state.queue if task[0] == "draw" and task[1] == engine_seat)
        if queued or (state.queue and chance(state) == "draw"):
            return queued - self.ahead[seat]
        due = 0
        if engine_seat == state.active and state.order:
            due = sum(draws_due(state))
        due += state.reacted.count(engine_seat)
        return due - self.ahead[seat]

    def _supply(self) -> bool:
        """Hand the engine the cards it waits for, if they were drawn; False if somebody has to draw first."""
        state = self.now
        assert self.match is not None
        _, engine_seat, due, is_fresh = state.queue[0]
        seat = self.match.seat_of(engine_seat)
        if state.turn == 0:
            self._apply(("draw", *("?",) * due), "deal")
            return True
        count = due
        if self.ahead[seat] < due:
            if self.available:
                return False
            count = self.ahead[seat]
        self.ahead[seat] -= count
        if is_fresh and count > 1:
            last = self.dealt[seat] - self.ahead[seat]
            self.fresh[seat] = tuple(range(last - count, last))
        self._apply(("draw", *("?",) * count), "deal")
        return True

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

    def _go_back(self, moment: Referee) -> None:
        """Undo what came after a declaration that is answered by a card (10.5); cards drawn stay drawn."""
        assert moment.state is not None
        shuffled = self.shuffles > moment.shuffles
        self.state = reshuffled(moment.state, 0) if shuffled else moment.state
        self.has_reshuffled = shuffled
        self.order, self.fresh = moment.order, list(moment.fresh)
        self.winner, self.decided_by = moment.winner, moment.decided_by
        self.ahead = [now - was for now, was in zip(self.dealt, self._consumed(moment), strict=True)]
        del self.steps[len(moment.steps) :]

    def _consumed(self, moment: Referee) -> list[int]:
        """How many cards of each seat the engine had taken in at a moment."""
        return [dealt - ahead for dealt, ahead in zip(moment.dealt, moment.ahead, strict=True)]

    def _card_answer(self, answer: Any) -> str:
        """The card that a box names, or ""."""
        assert self.match is not None
        if answer is None:
            return ""
        form = isinstance(answer, list) and len(answer) == 3 and answer[:2] == ["card", DECK]
        if not form or answer[2] not in CARDS:
            raise Fault("E_RULE", "an opened box holds no answer that the rules know")
        return str(answer[2])

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

    def _army(self, side: int) -> int:
        """The side of the engine that a side of the protocol leads."""
        assert self.match is not None
        return self.match.setup.seats[self.match.army_of(self.terms.seats_of(side)[0])].side

    def result(self) -> dict[str, Any]:
        """What the `end` op of a decided game says."""
        state = self.now
        return {
            "medals": [state.medals(0), state.medals(1)],
            "reason": state.reason,
            "winner": ("allies", "axis")[state.winner],
        }

    # Going on by itself

    def _advance(self) -> None:
        while self.state is not None and not is_over(self.state):
            kind = chance(self.state)
            if kind == "draw":
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
        values = [die(self.root, self.rolls, i, roll.faces) for i in range(roll.dice)]
        self.rolls += 1
        faces = [DIE[value] for value in values] if roll.faces == 6 else values
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
        box = 8 * state.fight.target + state.setup.arm[state.fight.attacker]
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
        fight = state.fight
        if state.phase == "react" and self.sealed and fight is not None:
            return 8 * fight.target + state.setup.arm[fight.attacker]
        if state.phase in ("ignore", "retreat") and self._by_box() and fight is not None:
            return 8 * fight.target + (6 if state.phase == "ignore" else 5)
        return None

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
        box = 8 * unit + (6 if phase == "ignore" else 5)
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

    # Steps

    def _apply(self, answer: Answer, by: str, text: str = "") -> None:
        state = self.now
        text = text or format_answer(state, answer)
        turn = state.turn
        self.state, events = apply(state, answer)
        self._record(by, text, events)
        if self.state.turn != turn:
            self.plan = self.order = None
            self.stopped = self.owes_plan = self.trusted = self.has_reshuffled = False
        if is_over(self.state):
            assert self.match is not None
            self.winner = self.side_of(self.match.seat_for_side(self.state.winner))
            self.decided_by = self.run_side

    def _record(self, by: str, text: str, events: tuple[Event, ...]) -> None:
        assert self.state is not None
        self.steps.append(Step(self.file, self.place, by, text, events, self.state))


def _hex(state: State, label: str) -> int:
    """The hex of a label, or NOBODY where this board has none."""
    try:
        return state.setup.grid.parse(label)
    except NotationError:
        return NOBODY


def _refusal(problem: EngineError) -> Fault:
    """What the engine refuses, as a fault of the file's author."""
    rule = problem.rule if isinstance(problem, IllegalDecision) else ""
    return Fault("E_RULE", str(problem), rule=rule)


def _locate(fault: Fault, entry: Entry, action: Action | None) -> None:
    fault.file, fault.seat = entry.number, entry.seat
    if action is not None:
        fault.op, fault.chain = action.place, action.chain
