"""The course of a game: `new_game`, `legal`, `apply`, and the table of phases they run on.

A phase either asks something (its `ask` returns all legal answers), waits for chance, or goes on by itself
(its `ask` returns None after naming the next phase). An answer is handed to the phase's `take`. Whatever
happens, `apply` goes on until somebody has to answer: one thing is pending at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine import fight, tactics
from engine.answers import Answer, Event
from engine.battle import SIDES, Battle
from engine.cards import CARDS
from engine.combat import FACES, legal_battles
from engine.errors import IllegalDecision
from engine.hands import (
    copies_left,
    deck_of,
    possible_faces,
    receive,
    settle_fresh,
    take,
)
from engine.hexes import DIRECTIONS
from engine.movement import can_enter_at_all, legal_moves, make_move, unit_moves
from engine.refusal import explain
from engine.setup import Setup, compile_setup
from engine.state import FOUGHT, HIDDEN, NOBODY, Roll, State
from engine.terrain import WIRE
from engine.victory import finish, review_turn, settle

DONE = tactics.DONE
FACE_NUMBERS = {5: (0, 1, 2, 3, 4), 7: (0, 1, 2, 3, 4, 5, 6)}  # symbols of a battle die; ways to drift
Asked = tuple[Answer, ...] | None


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
        _check_chance(state, phase.chance, answer)
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


def _check_chance(state: State, kind: str, answer: Answer) -> None:
    """Refuse an outcome that the pending chance event cannot have."""
    if kind == "draw" and answer == ("shuffle",) and _may_reshuffle(state):
        return
    if not isinstance(answer, tuple) or not answer or answer[0] != kind:
        raise IllegalDecision("R56", f"the game waits for a {kind}")
    if kind == "roll":
        roll = state.roll
        assert roll is not None
        sides = len(FACES) if roll.faces == 6 else roll.faces
        if len(answer) - 1 != roll.dice:
            raise IllegalDecision("R56", f"the roll has {roll.dice} dice, not {len(answer) - 1}")
        if not all(type(f) is int and f in FACE_NUMBERS[sides] for f in answer[1:]):
            raise IllegalDecision("R14", "a die does not show such a face")
    elif kind == "draw":
        _check_draw(state, answer)
    elif len(answer) != 1:
        raise IllegalDecision("R122", "a reshuffle has no outcome but itself")


def _may_reshuffle(state: State) -> bool:
    """Whether whoever draws may reshuffle first: by mail, where only the protocol sees the pile (R122)."""
    deck = state.setup.seats[state.seat].deck
    return state.setup.by_mail and state.setup.options.reshuffle and bool(state.discards[deck])


def _check_draw(state: State, answer: Answer) -> None:
    seat, count = state.seat, draw_count(state)
    few = state.setup.by_mail and len(answer) - 1 < count  # the protocol knows how many are left
    if len(answer) - 1 != count and not few:
        raise IllegalDecision("R121", f"{count} cards are drawn")
    deck = state.setup.seats[seat].deck
    number = state.setup.decks[deck].number
    for key in answer[1:]:
        if key == "?":
            continue
        if type(key) is not str or key not in number:
            raise IllegalDecision("R121", "there is no such card in the deck")
        if copies_left(state, deck, number[key]) < answer.count(key):
            raise IllegalDecision("R121", f'no card "{key}" is left to draw')


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


# Chance


def _ask_roll(s: State) -> Asked:
    if s.roll is None:
        s.roll = fight.ask_dice(s)
    s.seat = s.roll.seat
    return ()


def _take_roll(s: State, answer: Answer) -> None:
    roll = s.roll
    assert roll is not None
    s.roll = None
    ROLLS.get(roll.purpose, fight.resolve)(s, answer[1:])


def draw_count(s: State) -> int:
    """How many cards are drawn now: what is due, as far as the pile goes (by mail it goes unseen)."""
    _, seat, due, _ = s.queue[0]
    return int(due) if s.setup.by_mail else min(int(due), s.piles[s.setup.seats[seat].deck])


def _take_draw(s: State, answer: Answer) -> None:
    if answer[0] == "shuffle":
        _gather(s, s.setup.seats[s.seat].deck)
        s.phase = "queue"
        return
    _, seat, due, fresh = s.queue[0]
    number = deck_of(s, seat).number
    cards = tuple(HIDDEN if key == "?" else number[key] for key in answer[1:])
    receive(s, seat, cards, fresh=fresh)
    s.log.append(("drew", seat, len(cards)))
    due -= len(cards)
    s.phase = "queue"
    s.queue = s.queue[1:]
    if due > 0 and s.setup.by_mail:
        _no_card(s, seat)
    elif due > 0:
        s.queue = (("draw", seat, due, fresh), *s.queue)


def _take_shuffle(s: State, answer: Answer) -> None:
    """The discards go back into the pile (R122, C34)."""
    task = s.queue[0]
    deck = task[1] if task[0] == "shuffle" else s.setup.seats[task[1]].deck
    piles, discards = list(s.piles), list(s.discards)
    piles[deck] += len(discards[deck])
    discards[deck] = ()
    s.piles, s.discards = tuple(piles), tuple(discards)
    s.log.append(("reshuffled", deck))
    if task[0] == "shuffle":
        s.queue = s.queue[1:]
    s.phase = "queue"


def _drift(s: State, faces: tuple[int, ...]) -> None:
    """A dropped unit drifts; it is lost if it comes down badly, without a medal."""
    _, unit, h = s.queue[0]
    grid = s.setup.grid
    x, y = grid.xy[h]
    ways = [(0, 0), *DIRECTIONS.values()]
    for face in faces:
        x, y = x + ways[face][0], y + ways[face][1]
    place = grid.at.get((x, y), NOBODY)
    s.queue = s.queue[1:]
    s.phase = "queue"
    if place == NOBODY or s.occupant[place] != NOBODY or not can_enter_at_all(s.setup, unit, place):
        s.log.append(("drop-lost", unit, place, faces))
        return
    s.put(unit, place)
    s.log.append(("dropped", unit, place, faces))
    s.origin = s.pos
    settle(s)


ROLLS: dict[str, Callable[[State, tuple[int, ...]], None]] = {
    "medics": tactics.heal,
    "finest-hour": tactics.finest_hour,
    "drift": _drift,
}


# The end of a turn


def _ask_finish(s: State) -> Asked:
    """Discard the card, then see what has to be drawn (R121)."""
    if review_turn(s, "turn-end"):
        return None
    seat = s.setup.seats[s.active]
    extra, draws = draws_due(s)
    tasks: list[Answer] = []
    if s.played != HIDDEN and not s.setup.by_mail:
        s.to_discard(seat.deck, s.played)
        if is_reshuffle_due(s):
            tasks.append(("shuffle", seat.deck))
    s.played = HIDDEN
    s.rule = None
    own: list[Answer] = [("draw", s.active, draws, draws > 1)]
    if extra:
        own.insert(0, ("draw", s.active, extra, False))
    if draws > 1:
        own.append(("settle", s.active))
    others: list[Answer] = [("draw", other, 1, False) for other in s.reacted]
    # C21: who has ambushed draws first; by mail it is the other way round.
    tasks += [*own, *others] if s.setup.by_mail else [*others, *own]
    s.queue = (*tasks, ("begin",))
    s.phase = "queue"
    return None


def draws_due(s: State) -> tuple[int, int]:
    """Cards drawn at the end of this turn: extra ones of a growing hand, those of the order (R18, C10)."""
    growth = s.setup.seats[s.active].growth
    turn = s.turns[s.active]
    extra = growth[turn - 1] if turn <= len(growth) else 0
    return extra, CARDS[s.order].draws if s.order and s.use < 0 else 1


def is_reshuffle_due(s: State) -> bool:
    """Whether the order in force ends with a reshuffle (C34)."""
    return bool(s.order) and CARDS[s.order].reshuffles and s.setup.options.reshuffle


def _ask_queue(s: State) -> Asked:
    """Do the next task of the queue."""
    if s.winner >= 0:
        return None
    task = s.queue[0]
    kind = task[0]
    if kind == "draw":
        _next_draw(s, task)
    elif kind == "shuffle":
        s.seat = s.active
        s.phase = "shuffle"
    elif kind == "drift":
        drop = s.setup.battle.airdrop
        assert drop is not None
        s.roll = Roll(s.active, drop.steps, 7, "drift")
        s.phase = "roll"
    else:
        s.queue = s.queue[1:]
        if kind == "settle":
            _settle_recon(s, task[1])
        else:
            s.phase = kind
    return None


def _settle_recon(s: State, seat: int) -> None:
    """Choose between the cards of a Recon: now, or by mail when they can be read (C10b)."""
    if s.fresh[seat] == 1:
        settle_fresh(s, seat)  # only one card was left to draw
    elif s.fresh[seat] and not s.setup.by_mail:
        s.seat = seat
        s.queue = (("begin",),) if s.queue[0][0] == "begin" else s.queue
        s.phase = "choose"


def _next_draw(s: State, task: Answer) -> None:
    _, seat, due, _ = task
    deck = s.setup.seats[seat].deck
    s.seat = seat
    if due <= 0:
        s.queue = s.queue[1:]
    elif s.piles[deck] or s.setup.by_mail:
        s.phase = "draw"
    elif s.setup.options.reshuffle and s.discards[deck]:
        s.phase = "shuffle"  # R122
    else:
        s.queue = s.queue[1:]
        _no_card(s, seat)


def _no_card(s: State, seat: int) -> None:
    """A card is due and none is left: nothing happens, or the battle names a winner (R123)."""
    options = s.setup.options
    if options.exhausted_winner and not options.reshuffle:
        finish(s, SIDES.index(options.exhausted_winner), "deck-exhausted")
    else:
        s.log.append(("no-card", seat))


def _gather(s: State, deck: int) -> None:
    """The discards of a deck go back to where nobody sees them."""
    discards = list(s.discards)
    discards[deck] = ()
    s.discards = tuple(discards)
    s.log.append(("reshuffled", deck))


def reshuffled(state: State, deck: int) -> State:
    """The same moment after the players have reshuffled a deck by mail, which no rule waits for (R122)."""
    s = state.copy()
    _gather(s, deck)
    _settle_phase(s)
    return s


def _ask_choose(s: State) -> Asked:
    """Which of the new cards of a Recon is discarded (C10)."""
    hand = s.hands[s.seat]
    fresh = hand[len(hand) - s.fresh[s.seat] :]
    faces = deck_of(s, s.seat).faces
    return tuple(("discard", faces[face]) for face in possible_faces(s, s.seat, fresh))


def _take_choose(s: State, answer: Answer) -> None:
    face = deck_of(s, s.seat).number[answer[1]]
    take(s, s.seat, face, fresh=True)
    settle_fresh(s, s.seat)
    s.to_discard(s.setup.seats[s.seat].deck, face)
    s.log.append(("discarded", s.seat, answer[1]))
    s.phase = "queue" if s.queue else "card"


def _ask_drop(s: State) -> Asked:
    return tuple(("drop", h) for h in range(s.setup.grid.size))


def _take_drop(s: State, answer: Answer) -> None:
    drop = s.setup.battle.airdrop
    assert drop is not None
    s.log.append(("drop-target", s.active, answer[1]))
    s.queue = (*(("drift", unit, answer[1]) for unit in drop.units), ("card",))
    s.phase = "queue"


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
    "drop": Phase(_ask_drop, _take_drop),
    "card": Phase(_ask_card, _take_card),
    "section": Phase(_ask_section, _take_section),
    "order": Phase(_ask_order, _take_order),
    "target": Phase(tactics.ask_target, tactics.choose_target),
    "strike": Phase(tactics.ask_strike, _take_strike),
    "heal": Phase(tactics.ask_heal, tactics.choose_heal),
    "move": Phase(_ask_move, _take_move),
    "battle": Phase(_ask_battle, _take_battle),
    "react": Phase(fight.ask_reactions, fight.react),
    "roll": Phase(_ask_roll, _take_roll, "roll"),
    "ignore": Phase(fight.ask_ignore, fight.ignore),
    "retreat": Phase(fight.ask_retreat, fight.retreat),
    "ground": Phase(fight.ask_ground, fight.ground),
    "overrun": Phase(fight.ask_overrun, fight.overrun),
    "after": Phase(_auto(fight.after), _never),
    "again": Phase(fight.ask_again, fight.again),
    "second-move": Phase(_ask_second_move, _take_second_move),
    "finish": Phase(_ask_finish, _never),
    "queue": Phase(_ask_queue, _never),
    "draw": Phase(_ask_chance, _take_draw, "draw"),
    "shuffle": Phase(_ask_chance, _take_shuffle, "shuffle"),
    "choose": Phase(_ask_choose, _take_choose),
    "over": Phase(_ask_over, _never),
}
ASKS_HAND = ("card", "react", "choose")  # phases whose answers depend on what a hand is known to hold
