"""The course of a game: `new_game`, `legal`, `apply`, and the table of phases they run on.

A phase either asks something (its `ask` returns all legal answers), waits for chance, or goes on by itself
(its `ask` returns None after naming the next phase). An answer is handed to the phase's `take`. Whatever
happens, `apply` goes on until somebody has to answer: one thing is pending at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine import dealing, fight, tactics
from engine.answers import Answer, Event
from engine.battle import Battle
from engine.cards import CARDS
from engine.combat import legal_battles
from engine.errors import IllegalDecision
from engine.hands import (
    copies_left,
    deck_of,
    possible_faces,
    take,
)
from engine.movement import legal_moves, make_move, unit_moves
from engine.refusal import explain
from engine.setup import Setup, compile_setup
from engine.state import FOUGHT, HIDDEN, NOBODY, State
from engine.terrain import WIRE
from engine.victory import review_turn, settle

DONE = tactics.DONE
Asked = dealing.Asked


class Step(NamedTuple):
    """What `apply` returns: the next state and what happened on the way."""

    state: State
    events: tuple[Event, ...]


class Phase(NamedTuple):
    """One row of the table of phases."""

    ask: Callable[[State], Asked]
    take: Callable[[State, Answer], None]
    chance: str = ""  # "roll", "draw" or "shuffle" if not a player but luck answers


# The beginning


def new_game(battle: Battle, options: dict[str, str] | None = None) -> State:
    """The state before the first card is dealt (R17-R19)."""
    return start(compile_setup(battle, options))


def start(setup: Setup) -> State:
    """The first state of a game with this setup."""
    battle = setup.battle
    size = setup.grid.size
    s = State.__new__(State)
    s.setup = setup
    s.phase, s.seat, s.active, s.turn = "queue", setup.rota[0], setup.rota[0], 0
    s.turns = (0,) * len(setup.seats)
    s.occupant, s.pos = bytes([NOBODY] * size), bytes([NOBODY] * len(setup.types))
    s.figures, s.acts = setup.strength, bytes(len(setup.types))
    s.marks = setup.board.loose
    s.orders, s.order, s.section, s.use, s.rule = (), "", -1, -1, None
    s.symbols, s.focus, s.targets = (0, 0, 0), NOBODY, ()
    s.fight, s.asked, s.roll = None, 0, None
    s.queue = (*(("draw", seat, setup.seats[seat].cards, False) for seat in setup.rota), ("begin",))
    s.hands = ((),) * len(setup.seats)
    s.fresh = (0,) * len(setup.seats)
    s.piles = tuple(len(deck.keys) for deck in setup.decks)
    s.discards = ((),) * len(setup.decks)
    s.played = HIDDEN
    s.last, s.reacted = (None, None), ()
    s.score, s.tokens = (0, 0), (0, 0)
    s.held = bytes([NOBODY] * len(setup.objectives))
    s.winner, s.reason = -1, ""
    s.moves, s.log = {}, []
    for unit, facts in enumerate(battle.units):
        if facts.at is not None:
            s.put(unit, setup.grid.parse(facts.at))
    s.origin = s.pos
    _settle_phase(s)
    return s


# The interface


def legal(state: State) -> tuple[Answer, ...]:
    """All answers to the pending decision; empty when chance is awaited or the game is over."""
    return state.answers


def apply(state: State, answer: Answer) -> Step:
    """The state after an answer, and what happened; raises IllegalDecision and changes nothing."""
    phase = PHASES[state.phase]
    if phase.chance:
        dealing.check_chance(state, phase.chance, answer)
    else:
        try:  # the listed answer itself goes on: an equal one may be made of other types
            answer = state.answers[state.answers.index(answer)]
        except ValueError:
            raise explain(state, answer) from None
    s = state.copy()
    phase.take(s, answer)
    _settle_phase(s)
    return Step(s, tuple(s.log))


def _settle_phase(s: State) -> None:
    while True:
        answers = PHASES[s.phase].ask(s)
        if answers is not None:
            s.answers = answers
            return


def chance(state: State) -> str:
    """What kind of luck is awaited: "roll", "draw" or "shuffle"; empty for a decision or the end."""
    return PHASES[state.phase].chance


def is_over(state: State) -> bool:
    """Whether the game has ended."""
    return state.phase == "over"


def with_hand(state: State, seat: int, keys: tuple[str, ...]) -> State:
    """The same moment of the game seen by somebody who reads a hand; "?" is a card not read.

    Neither the game nor its digest changes: only the list of legal answers knows more.
    """
    number = deck_of(state, seat).number
    if len(keys) != len(state.hands[seat]):
        raise IllegalDecision("R130", f"the hand has {len(state.hands[seat])} cards, not {len(keys)}")
    for key in keys:
        if key != "?" and key not in number:
            raise IllegalDecision("R130", f'there is no card "{key[:40]}" in the deck')
    s = state.copy()
    s.set_hand(seat, tuple(HIDDEN if key == "?" else number[key] for key in keys))
    return _ask_again(s, state)


def hand_keys(state: State, seat: int) -> tuple[str, ...]:
    """The cards of a hand as this copy of the game knows them; "?" for a hidden one."""
    faces = deck_of(state, seat).faces
    return tuple("?" if face == HIDDEN else faces[face] for face in state.hands[seat])


def view(state: State, seat: int | None) -> State:
    """What a seat may see: every other hand hidden; None for somebody who sees no hand (R130)."""
    s = state.copy()
    s.hands = tuple(
        hand if other == seat else (HIDDEN,) * len(hand) for other, hand in enumerate(state.hands)
    )
    return _ask_again(s, state)


def _ask_again(s: State, before: State) -> State:
    """Give a copy whose hands alone have changed its answers; most questions do not depend on hands."""
    if s.phase in ASKS_HAND:
        _settle_phase(s)
    else:
        s.answers = before.answers
    return s


# Turn and cards


def _ask_begin(s: State) -> Asked:
    """Step 0 of a turn: clear the marks, look at the medals (R28, R124, M15)."""
    setup = s.setup
    s.active = setup.rota[s.turn % len(setup.rota)]
    s.seat = s.active
    s.turn += 1
    turns = list(s.turns)
    turns[s.active] += 1
    s.turns = tuple(turns)
    s.acts, s.origin = bytes(len(setup.types)), s.pos
    s.orders, s.order, s.section, s.use, s.rule = (), "", -1, -1, None
    s.symbols, s.focus, s.targets, s.fight, s.roll = (0, 0, 0), NOBODY, (), None, None
    s.reacted, s.moves = (), {}
    s.log.append(("turn", s.turn, s.active))
    if (s.turn == 1 and settle(s)) or review_turn(s, "turn-start"):
        return None
    drop = setup.battle.airdrop
    if drop is not None and setup.side[drop.units[0]] == s.side and s.turns[s.active] == 1:
        s.phase = "drop"
    else:
        s.phase = "choose" if s.fresh[s.active] else "card"
    return None


def _ask_card(s: State) -> Asked:
    """The cards the active player may play (R29)."""
    s.seat = s.active
    hand = s.hands[s.active]
    if not hand:
        tactics.remember(s, None)  # C27e
        s.phase = "finish"
        return None
    found: list[Answer] = []
    faces = deck_of(s, s.active).faces
    uses = s.setup.battle.card_uses
    for face in possible_faces(s, s.active, hand):
        key = faces[face]
        if CARDS[key].reaction:
            if _only_reactions(s, face, hand):
                found.append(("card", key))  # X13
            continue
        found.append(("card", key))
        if uses:
            found += [("card", key, uses[n].becomes) for n in tactics.card_uses(s, key)]
    return tuple(found)


def _only_reactions(s: State, face: int, hand: tuple[int, ...]) -> bool:
    """Whether a hand may consist of this reaction card alone."""
    known = sum(1 for other in hand if other == face)
    hidden = sum(1 for other in hand if other == HIDDEN)
    left = copies_left(s, s.setup.seats[s.active].deck, face)
    return known + hidden == len(hand) and hidden <= left


def _take_card(s: State, answer: Answer) -> None:
    key = answer[1]
    s.played = deck_of(s, s.active).number[key]
    take(s, s.active, s.played)
    if s.setup.by_mail:
        s.to_discard(s.setup.seats[s.active].deck, s.played)  # shown is discarded: docs/adaptations.md
    becomes = answer[2] if len(answer) > 2 else ""
    s.log.append(("card", s.active, key, becomes))
    if becomes:
        tactics.begin_use(s, key, becomes)
    else:
        tactics.begin_order(s, key, -1)


def _ask_section(s: State) -> Asked:
    return tuple(("section", chair) for chair in tactics.CHAIRS)


def _take_section(s: State, answer: Answer) -> None:
    tactics.choose_section(s, answer[1])


def _ask_order(s: State) -> Asked:
    found = tactics.legal_orders(s)
    if not found:
        tactics.orders_given(s)
        return None
    return (*found, DONE)


def _take_order(s: State, answer: Answer) -> None:
    if answer == DONE:
        tactics.orders_given(s)
    else:
        tactics.give_order(s, answer[1])


# Movement and battle


def _ask_move(s: State) -> Asked:
    found = legal_moves(s)
    if not found:
        s.phase = "battle"
        return None
    return (*found, DONE)


def _take_move(s: State, answer: Answer) -> None:
    if answer == DONE:
        s.phase = "battle"
    else:
        make_move(s, answer)


def _ask_battle(s: State) -> Asked:
    s.focus = NOBODY
    s.seat = s.active
    found = legal_battles(s)
    if not found:
        _battles_over(s)
        return None
    return (*found, DONE)


def _take_battle(s: State, answer: Answer) -> None:
    if answer == DONE:
        _battles_over(s)
    elif answer[0] == "clear":
        s.mark(s.occupant[answer[1]], FOUGHT)
        s.clear(answer[1], WIRE)  # T42c
    else:
        fight.declare(s, answer)


def _battles_over(s: State) -> None:
    s.phase = "second-move" if s.rule is not None and s.rule.play == "behind_lines" else "finish"


def _ask_second_move(s: State) -> Asked:
    """The move after the battle of Behind Enemy Lines (C25)."""
    unit = s.orders[0]
    found = unit_moves(s, unit) if s.pos[unit] != NOBODY else ()
    if not found:
        s.phase = "finish"
        return None
    return (*found, DONE)


def _take_second_move(s: State, answer: Answer) -> None:
    s.phase = "finish"
    if answer != DONE:
        make_move(s, answer)


def reshuffled(state: State, deck: int) -> State:
    """The same moment after the players have reshuffled a deck by mail, which no rule waits for (R122)."""
    s = state.copy()
    dealing.gather(s, deck)
    _settle_phase(s)
    return s


# The table


def _auto(step: Callable[[State], None]) -> Callable[[State], Asked]:
    def ask(s: State) -> Asked:
        step(s)
        return None

    return ask


def _never(s: State, answer: Answer) -> None:
    raise AssertionError("nothing is asked in this phase")


def _ask_over(s: State) -> Asked:
    return ()


def _ask_chance(s: State) -> Asked:
    return ()


def _take_strike(s: State, answer: Answer) -> None:
    tactics.make_strike(s, s.occupant[answer[1]])


PHASES: dict[str, Phase] = {
    "begin": Phase(_ask_begin, _never),
    "drop": Phase(dealing.ask_drop, dealing.take_drop),
    "card": Phase(_ask_card, _take_card),
    "section": Phase(_ask_section, _take_section),
    "order": Phase(_ask_order, _take_order),
    "target": Phase(tactics.ask_target, tactics.choose_target),
    "strike": Phase(tactics.ask_strike, _take_strike),
    "heal": Phase(tactics.ask_heal, tactics.choose_heal),
    "move": Phase(_ask_move, _take_move),
    "battle": Phase(_ask_battle, _take_battle),
    "react": Phase(fight.ask_reactions, fight.react),
    "roll": Phase(dealing.ask_roll, dealing.take_roll, "roll"),
    "ignore": Phase(fight.ask_ignore, fight.ignore),
    "retreat": Phase(fight.ask_retreat, fight.retreat),
    "ground": Phase(fight.ask_ground, fight.ground),
    "overrun": Phase(fight.ask_overrun, fight.overrun),
    "after": Phase(_auto(fight.after), _never),
    "again": Phase(fight.ask_again, fight.again),
    "second-move": Phase(_ask_second_move, _take_second_move),
    "finish": Phase(dealing.ask_finish, _never),
    "queue": Phase(dealing.ask_queue, _never),
    "draw": Phase(_ask_chance, dealing.take_draw, "draw"),
    "shuffle": Phase(_ask_chance, dealing.take_shuffle, "shuffle"),
    "choose": Phase(dealing.ask_choose, dealing.take_choose),
    "over": Phase(_ask_over, _never),
}
ASKS_HAND = ("card", "react", "choose")  # phases whose answers depend on what a hand is known to hold
