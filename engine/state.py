"""The state of a game: everything that can change, and the named changes that rules make to it.

To the world a `State` is a value: nobody writes to it after `apply` has handed it out. Inside one step the
rules work on a private copy. Fields are integers, strings, tuples and `bytes`, so that a copy shares all that
did not change; docs/decisions/0002-state.md tells what was measured.

A hand is a tuple of card faces (numbers into `Deck.faces`); HIDDEN stands for a card that this copy of the
game cannot read. Knowing a card changes what a copy can list, never how the game runs: `digest` sees the
size of a hand and nothing else.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any, NamedTuple

from engine.answers import Answer, Event
from engine.battle import RULES_VERSION
from engine.cards import Card
from engine.setup import Setup
from engine.terrain import BIT, FEATURES, LOOSE

NOBODY = 255  # no unit on a hex; a unit on no hex; an objective without a holder
HIDDEN = -1

# Marks of a unit for one turn (R124).
ORDERED = 1
MOVED = 2
SPENT = 4  # may not battle this turn: moved too far, or entered no-battle terrain
STOPPED = 8  # entered a stop hex this turn (R109)
FOUGHT = 16  # has battled
FOUGHT_TWICE = 32
OVERRAN = 64

# Loose features that vanish with their occupant (T43a).
LEFT_BEHIND = sum(BIT[key] for key in LOOSE if FEATURES[key].left_behind)


class Fight(NamedTuple):
    """An attack under way; `attacker` is NOBODY for card attacks (R129)."""

    kind: str  # "attack", "ambush", "air" or "barrage"
    attacker: int
    target: int
    dice: int
    close: bool
    where: int  # hex of the target when the attack was declared
    parent: Fight | None = None  # the attack that an ambush interrupts
    flags: int = 0  # still to be obeyed


class Roll(NamedTuple):
    """Dice that somebody outside must roll."""

    seat: int
    dice: int
    faces: int
    purpose: str


class State:
    """One moment of a game."""

    __slots__ = (
        "active",
        "acts",
        "answers",
        "asked",
        "discards",
        "fight",
        "figures",
        "focus",
        "fresh",
        "hands",
        "held",
        "last",
        "log",
        "marks",
        "moves",
        "occupant",
        "order",
        "orders",
        "origin",
        "phase",
        "piles",
        "played",
        "pos",
        "queue",
        "reacted",
        "reason",
        "roll",
        "rule",
        "score",
        "seat",
        "section",
        "setup",
        "symbols",
        "targets",
        "tokens",
        "turn",
        "turns",
        "use",
        "winner",
    )

    setup: Setup
    phase: str  # key of turn.PHASES
    seat: int  # who is asked
    active: int  # whose turn it is
    turn: int  # number of the turn, from 1; 0 while hands are dealt
    turns: tuple[int, ...]  # turns each seat has begun
    occupant: bytes  # unit on each hex, or NOBODY
    pos: bytes  # hex of each unit, or NOBODY
    figures: bytes  # figures left of each unit
    marks: bytes  # loose features on each hex, as bits
    origin: bytes  # hex of each unit when the turn began
    acts: bytes  # marks of the turn, for each unit
    orders: tuple[int, ...]  # units ordered, in the order in which they were named
    order: str  # key of the card whose order is carried out ("" before)
    use: int  # number of the battle's card use that is made of the card; -1: none
    section: int  # section it is bound to, counted from the west; -1: none
    rule: Card | None  # the facts of the order; a fallback has facts of its own (C3)
    symbols: tuple[int, int, int]  # orders given by dice: infantry, armor, any (C34)
    focus: int  # unit in the middle of something: overrun, second battle, second move
    targets: tuple[int, ...]  # units chosen for an air strike
    fight: Fight | None
    asked: int  # how many seats have passed in the present reaction window
    roll: Roll | None
    queue: tuple[Answer, ...]  # what is left to do before the next turn
    hands: tuple[tuple[int, ...], ...]  # by seat
    fresh: tuple[int, ...]  # by seat: that many cards at the end of the hand; one must go (C10)
    piles: tuple[int, ...]  # by deck: cards left
    discards: tuple[tuple[int, ...], ...]  # by deck: faces, oldest first
    played: int  # face of the card on the table, or HIDDEN
    last: tuple[tuple[str, int] | None, ...]  # by side: order and section of its last turn (C27)
    reacted: tuple[int, ...]  # seats that have played a reaction this turn, in order
    score: tuple[int, int]  # medals that cannot be lost, objectives apart
    tokens: tuple[int, int]  # half-track tokens (U46)
    held: bytes  # side that holds each objective, or NOBODY
    winner: int  # side that has won, or -1
    reason: str  # why
    answers: tuple[Answer, ...]  # all legal answers to what is pending; empty for chance
    moves: dict[int, tuple[Answer, ...]]  # moves worked out before that still hold
    log: list[Event]  # what this step has done so far

    def copy(self) -> State:
        """A private copy for one step, with an empty log."""
        new = State.__new__(State)
        new.setup = self.setup
        new.phase = self.phase
        new.seat = self.seat
        new.active = self.active
        new.turn = self.turn
        new.turns = self.turns
        new.occupant = self.occupant
        new.pos = self.pos
        new.figures = self.figures
        new.marks = self.marks
        new.origin = self.origin
        new.acts = self.acts
        new.orders = self.orders
        new.order = self.order
        new.section = self.section
        new.rule = self.rule
        new.symbols = self.symbols
        new.focus = self.focus
        new.targets = self.targets
        new.fight = self.fight
        new.asked = self.asked
        new.use = self.use
        new.roll = self.roll
        new.queue = self.queue
        new.hands = self.hands
        new.fresh = self.fresh
        new.piles = self.piles
        new.discards = self.discards
        new.played = self.played
        new.last = self.last
        new.reacted = self.reacted
        new.score = self.score
        new.tokens = self.tokens
        new.held = self.held
        new.winner = self.winner
        new.reason = self.reason
        new.moves = self.moves
        new.log = []
        return new

    # Questions

    @property
    def side(self) -> int:
        """The side whose turn it is."""
        return self.setup.seats[self.active].side

    def total(self, side: int) -> int:
        """Medals of a side, not capped."""
        medals = self.score[side]
        for number, holder in enumerate(self.held):
            if holder == side:
                medals += self.setup.prize[number]
        return medals

    def medals(self, side: int) -> int:
        """Medals that count: never more than the side needs (R24)."""
        return min(self.total(side), self.setup.target[side])

    def units_of(self, side: int) -> list[int]:
        """The units of a side that are on the board, by number."""
        pos = self.pos
        return [u for u in self.setup.army[side] if pos[u] != NOBODY]

    def enemy_near(self, h: int, side: int) -> bool:
        """Whether an enemy of a side stands next to a hex."""
        occupant, sides = self.occupant, self.setup.side
        for n in self.setup.grid.neighbours[h]:
            other = occupant[n]
            if other != NOBODY and sides[other] != side:
                return True
        return False

    # Changes: only on a private copy

    def mark(self, unit: int, marks: int) -> None:
        """Add marks of the turn to a unit."""
        acts = bytearray(self.acts)
        acts[unit] |= marks
        self.acts = bytes(acts)

    def lift(self, unit: int) -> None:
        """Take a unit off its hex; sandbags do not stay behind (T43a)."""
        h = self.pos[unit]
        occupant = bytearray(self.occupant)
        occupant[h] = NOBODY
        self.occupant = bytes(occupant)
        pos = bytearray(self.pos)
        pos[unit] = NOBODY
        self.pos = bytes(pos)
        if self.marks[h] & LEFT_BEHIND:
            self.clear(h, LEFT_BEHIND)

    def put(self, unit: int, h: int) -> None:
        """Put a unit that is off the board on a hex."""
        occupant = bytearray(self.occupant)
        occupant[h] = unit
        self.occupant = bytes(occupant)
        pos = bytearray(self.pos)
        pos[unit] = h
        self.pos = bytes(pos)

    def shift(self, unit: int, h: int) -> None:
        """Move a unit to a hex."""
        old = self.pos[unit]
        occupant = bytearray(self.occupant)
        occupant[old] = NOBODY
        occupant[h] = unit
        self.occupant = bytes(occupant)
        pos = bytearray(self.pos)
        pos[unit] = h
        self.pos = bytes(pos)
        if self.marks[old] & LEFT_BEHIND:
            self.clear(old, LEFT_BEHIND)

    def clear(self, h: int, bits: int) -> None:
        """Remove loose features from a hex."""
        gone = self.marks[h] & bits
        marks = bytearray(self.marks)
        marks[h] &= ~bits & 255
        self.marks = bytes(marks)
        for key in LOOSE:
            if gone & BIT[key]:
                self.log.append(("removed", key, h))

    def lay(self, h: int, bit: int) -> None:
        """Put a loose feature on a hex."""
        marks = bytearray(self.marks)
        marks[h] |= bit
        self.marks = bytes(marks)

    def set_figures(self, unit: int, count: int) -> None:
        """Set the figures of a unit."""
        figures = bytearray(self.figures)
        figures[unit] = count
        self.figures = bytes(figures)

    def to_discard(self, deck: int, face: int) -> None:
        """Put a card on the discard pile of a deck."""
        piles = list(self.discards)
        piles[deck] = (*piles[deck], face)
        self.discards = tuple(piles)

    def set_hand(self, seat: int, hand: tuple[int, ...]) -> None:
        """Replace a hand."""
        hands = list(self.hands)
        hands[seat] = hand
        self.hands = tuple(hands)


def public_form(state: State) -> list[Any]:
    """Everything that all players know, as plain lists: what the digest is made of."""
    fight = state.fight
    chain: list[Any] = []
    while fight is not None:
        chain.append([*fight[:6], fight.flags])
        fight = fight.parent
    return [
        RULES_VERSION,
        state.setup.digest,
        [state.phase, state.seat, state.active, state.turn, list(state.turns)],
        [state.pos.hex(), state.figures.hex(), state.marks.hex(), state.origin.hex(), state.acts.hex()],
        [list(state.orders), state.order, state.section, state.rule.key if state.rule else None],
        [list(state.symbols), state.focus, list(state.targets), chain, state.asked, state.use],
        list(state.roll) if state.roll else None,
        [list(task) for task in state.queue],
        [[len(hand) for hand in state.hands], list(state.fresh), list(state.piles)],
        [[list(pile) for pile in state.discards], state.played],
        [list(entry) if entry else None for entry in state.last],
        [list(state.reacted), list(state.score), list(state.tokens), state.held.hex()],
        [state.winner, state.reason],
    ]


def digest(state: State) -> str:
    """The fingerprint of a state: 64 hexadecimal digits, the same wherever and whenever it is computed."""
    text = json.dumps(public_form(state), separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
