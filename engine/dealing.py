"""Luck and the end of a turn: rolls, draws, reshuffles, and what is left to do before the next turn.

A chance event is answered from outside; `check_chance` refuses outcomes it cannot have. At the end of a turn
the queue holds what is still due: draws, a reshuffle, Recon's choice, the next turn (R121-R123, C10, C34).
"""

from __future__ import annotations

from collections.abc import Callable

from engine import fight, tactics
from engine.answers import Answer
from engine.battle import SIDES
from engine.cards import CARDS
from engine.combat import FACES
from engine.errors import IllegalDecision
from engine.hands import copies_left, deck_of, possible_faces, receive, settle_fresh, take
from engine.hexes import DIRECTIONS
from engine.movement import can_enter_at_all
from engine.state import HIDDEN, NOBODY, Roll, State
from engine.victory import finish, review_turn, settle

FACE_NUMBERS = {5: (0, 1, 2, 3, 4), 7: (0, 1, 2, 3, 4, 5, 6)}  # symbols of a battle die; ways to drift
Asked = tuple[Answer, ...] | None


# Outcomes


def check_chance(state: State, kind: str, answer: Answer) -> None:
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


def ask_roll(s: State) -> Asked:
    if s.roll is None:
        s.roll = fight.ask_dice(s)
    s.seat = s.roll.seat
    return ()


def take_roll(s: State, answer: Answer) -> None:
    roll = s.roll
    assert roll is not None
    s.roll = None
    ROLLS.get(roll.purpose, fight.resolve)(s, answer[1:])


def draw_count(s: State) -> int:
    """How many cards are drawn now: what is due, as far as the pile goes (by mail it goes unseen)."""
    _, seat, due, _ = s.queue[0]
    return int(due) if s.setup.by_mail else min(int(due), s.piles[s.setup.seats[seat].deck])


def take_draw(s: State, answer: Answer) -> None:
    if answer[0] == "shuffle":
        gather(s, s.setup.seats[s.seat].deck)
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


def take_shuffle(s: State, answer: Answer) -> None:
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


def ask_finish(s: State) -> Asked:
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


def ask_queue(s: State) -> Asked:
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


def gather(s: State, deck: int) -> None:
    """The discards of a deck go back to where nobody sees them."""
    discards = list(s.discards)
    discards[deck] = ()
    s.discards = tuple(discards)
    s.log.append(("reshuffled", deck))


def ask_choose(s: State) -> Asked:
    """Which of the new cards of a Recon is discarded (C10)."""
    hand = s.hands[s.seat]
    fresh = hand[len(hand) - s.fresh[s.seat] :]
    faces = deck_of(s, s.seat).faces
    return tuple(("discard", faces[face]) for face in possible_faces(s, s.seat, fresh))


def take_choose(s: State, answer: Answer) -> None:
    face = deck_of(s, s.seat).number[answer[1]]
    take(s, s.seat, face, fresh=True)
    settle_fresh(s, s.seat)
    s.to_discard(s.setup.seats[s.seat].deck, face)
    s.log.append(("discarded", s.seat, answer[1]))
    s.phase = "queue" if s.queue else "card"


def ask_drop(s: State) -> Asked:
    return tuple(("drop", h) for h in range(s.setup.grid.size))


def take_drop(s: State, answer: Answer) -> None:
    drop = s.setup.battle.airdrop
    assert drop is not None
    s.log.append(("drop-target", s.active, answer[1]))
    s.queue = (*(("drift", unit, answer[1]) for unit in drop.units), ("card",))
    s.phase = "queue"
