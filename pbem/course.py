"""The course of a game by mail: what the files so far have led to, and how one step is recorded.

`Course` is the ground floor of the referee: its fields, the names of the two worlds (seats and sides of the
protocol, seats and sides of the engine), the fingerprint, and the steps that reports are made of. The floors
above are the dealer (cards), foresight (answers given ahead) and the referee itself (files and their ops).
"""

from __future__ import annotations

from typing import Any, NamedTuple, Self

from engine import Answer, Event, State, apply, chance, digest, is_over
from engine.notation import format_answer
from pbem.canon import pack
from pbem.hashing import h32
from pbem.orders import NO_ORDERS, Order, Stand
from pbem.ruleset import Match
from pbem.table import Shown
from pbem.terms import Terms

# Kinds of event that a step has beside those of the engine: names of the fields behind them.
OWN_EVENTS: dict[str, tuple[str, ...]] = {
    "lapsed": ("unit", "targets"),  # an attack order that had become impossible; targets as it named them
    "taken-back": ("file",),  # what followed in this file, by an Ambush of that file (instant dice)
    "played-again": ("side", "file"),  # ... whose Ambush it is, and the file that is played again
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
    moment: Course


class Course:
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
        self.dropped = False  # the battles of the turn are over, and what is left of the plan is recorded
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

    def copy(self) -> Self:
        """A copy that can be changed by itself."""
        new = type(self).__new__(type(self))
        new.__dict__.update(self.__dict__)
        for name in ("steps", "ahead", "dealt", "fresh", "stands", "opened"):
            new.__dict__[name] = self.__dict__[name].copy()
        return new

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

    def _army(self, side: int) -> int:
        """The side of the engine that a side of the protocol leads."""
        assert self.match is not None
        return self.match.setup.seats[self.match.army_of(self.terms.seats_of(side)[0])].side

    # Steps

    def _apply(self, answer: Answer, by: str, text: str = "") -> None:
        state = self.now
        text = text or format_answer(state, answer)
        turn = state.turn
        self.state, events = apply(state, answer)
        self._record(by, text, events)
        if self.state.turn != turn:
            self.plan = self.order = None
            self.stopped = self.owes_plan = self.trusted = self.has_reshuffled = self.dropped = False
        if is_over(self.state):
            assert self.match is not None
            self.winner = self.side_of(self.match.seat_for_side(self.state.winner))
            self.decided_by = self.run_side

    def _record(self, by: str, text: str, events: tuple[Event, ...]) -> None:
        assert self.state is not None
        self.steps.append(Step(self.file, self.place, by, text, events, self.state))

    def awaits_author(self) -> bool:
        """Whether the engine waits for something that the side of the present run has to give."""
        state = self.now
        if self.owes_plan and self.active_side == self.run_side:
            return True
        kind = chance(state)
        if kind == "roll":
            return False
        return self.side_of(state.seat) == self.run_side

    def _advance(self) -> None:
        """Go on by itself as far as possible; the floor that knows answers given ahead does it."""
        raise AssertionError("a course does not go on by itself")
