"""Plays games by the thousand, all bots, all battles, all options, and looks for anything that should not be.

    python -m scripts.soak [--games 3000] [--first 0] [--battle NAME ...]

Every game is made from its number alone: battle, options, bots, dice. Checked at every decision: there is an
answer, the bot's is legal for itself, for somebody who sees everything and for a copy that sees no hand;
the copy keeps the same digest; nothing is lost or doubled; the game ends within a bound. A game that fails is
named with its number, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from collections.abc import Iterator
from typing import NamedTuple

from engine import (
    EngineError,
    State,
    apply,
    chance,
    digest,
    hand_keys,
    is_over,
    legal,
    start,
    view,
    with_hand,
)
from engine.battle import SIDES
from engine.bot import BOTS
from engine.croupier import Croupier
from engine.setup import Setup, compile_setup
from engine.state import HIDDEN, NOBODY
from pbem.library import load_battle, scenario_names

# Options that a game may differ in; the first value is the default.
VARIANTS: dict[str, tuple[str, ...]] = {
    "edition": ("new", "2004"),
    "deck": ("standard", "young-generals"),
    "hand": ("0", "3", "7"),
    "take_ground": ("yes", "no"),
    "timing": ("table", "mail"),
    "reshuffle": ("yes", "no"),
    "air_dice": ("0/0", "1/2", "3/3"),
    "sandbag_supply": ("12", "1", "0"),
    "air_power_group": ("connected", "chain"),
    "counter_infantry": ("none", "one"),
    "close_assault_overrun": ("yes", "no"),
    "behind_lines_battle": ("limited", "free"),
    "retreat_losses": ("after", "before"),
    "bridges_join": ("yes", "no"),
}
GAMES_PER_SETUP = 5
MOST_TURNS = 1500
MOST_DECISIONS = 40_000


class Game(NamedTuple):
    """What a game of the soak was like."""

    title: str
    turns: int
    decisions: int
    most_answers: int
    end: State | None


class Faulty(Exception):
    """Something that must not happen has happened."""


def make_setup(number: int, names: tuple[str, ...]) -> Setup:
    """A battle of the list under options that the number decides; every third has none."""
    luck = random.Random(f"setup {number}")  # dice of a test
    battle = load_battle(names[number % len(names)])
    options = {}
    if number % 3:
        options = {name: luck.choice(values) for name, values in VARIANTS.items() if luck.random() < 0.4}
    if options.get("reshuffle") == "no":  # R123: then a winner must be named
        options["exhausted_winner"] = luck.choice(SIDES)
    try:
        return compile_setup(battle, options)
    except EngineError:  # a bunker with a tank in it cannot be had in the 2004 edition
        return compile_setup(battle, {**options, "edition": "new"})


def check_conserved(state: State) -> None:
    """Raise Faulty if cards, figures or places do not add up."""
    setup = state.setup
    for deck, cards in enumerate(setup.decks):
        hands = [hand for seat, hand in zip(setup.seats, state.hands, strict=True) if seat.deck == deck]
        if setup.by_mail:  # the pile is the protocol's, and a card is discarded when it is shown
            if sum(map(len, hands)) + len(state.discards[deck]) > len(cards.keys):
                raise Faulty("more cards than the deck has")
            continue
        table = int(state.played != HIDDEN and setup.seats[state.active].deck == deck)
        count = sum(map(len, hands)) + state.piles[deck] + len(state.discards[deck]) + table
        if count != len(cards.keys):
            raise Faulty(f"{count} cards instead of {len(cards.keys)}")
        for face, key in enumerate(cards.faces):
            seen = sum(hand.count(face) for hand in hands) + state.discards[deck].count(face)
            if seen + (table and state.played == face) > cards.copies[key]:
                raise Faulty(f"more than {cards.copies[key]} cards {key}")
    for unit, h in enumerate(state.pos):
        if h != NOBODY and (state.occupant[h] != unit or not 0 < state.figures[unit] <= setup.strength[unit]):
            raise Faulty(f"unit {unit} at {setup.grid.labels[h]} with {state.figures[unit]} figures")
    if sum(1 for unit in state.occupant if unit != NOBODY) != sum(1 for h in state.pos if h != NOBODY):
        raise Faulty("a unit stands in two places")


def seen_by(state: State, seat: int, unread: int) -> State:
    """What a seat sees; by mail its newest cards are not readable yet."""
    own = view(state, seat)
    if not unread:
        return own
    keys = hand_keys(own, seat)
    readable = max(0, len(keys) - unread)
    return with_hand(own, seat, (*keys[:readable], *("?",) * (len(keys) - readable)))


def play(setup: Setup, bots: tuple[str, str], seed: int) -> Game:
    """One game; raises Faulty, or whatever the engine raises."""
    luck = random.Random(seed)  # dice of a test
    state = start(setup)
    verifier = state
    croupier = Croupier(state, luck)
    mail = setup.options.timing == "mail"
    unread = [0] * len(setup.seats)  # cards drawn since the seat's last turn began
    decisions = most = 0
    while not is_over(state):
        kind = chance(state)
        if kind:
            answer = croupier.answer(state)
            known = ("draw", *("?" for _ in answer[1:])) if kind == "draw" else answer
            if kind == "draw" and mail and state.turn:
                unread[state.seat] += len(answer) - 1
        else:
            seat = state.seat
            if seat == state.active:
                unread[seat] = 0
            eyes = seen_by(state, seat, unread[seat])
            answer = known = BOTS[bots[setup.seats[seat].side]](eyes, luck)
            for who, copy in (("its own seat", eyes), ("all hands", state), ("no hand", verifier)):
                if answer not in legal(copy):
                    raise Faulty(f"{answer} in phase {state.phase} is not legal for {who}")
            most = max(most, len(legal(state)))
            decisions += 1
        turn = state.turn
        state = apply(state, answer).state
        verifier = apply(verifier, known).state
        if state.turn != turn or is_over(state):
            check_conserved(state)
            if digest(state) != digest(verifier):
                raise Faulty("a copy that sees no hand has another digest")
        if decisions > MOST_DECISIONS or state.turn > MOST_TURNS:
            raise Faulty(f"no end after {decisions} decisions in {state.turn} turns")
    title = f"{setup.battle.key} {setup.options.as_text()} {bots[0]} against {bots[1]}"
    return Game(title, state.turn, decisions, most, state)


def bots_for(number: int) -> tuple[str, str]:
    """The two bots of a game: every pair comes in turn."""
    names = list(BOTS)
    return names[number % len(names)], names[number // len(names) % len(names)]


def soak(first: int, games: int, names: tuple[str, ...]) -> Iterator[tuple[int, Game | str]]:
    """Play games by number; for each what it was like, or what went wrong."""
    setup: Setup | None = None
    for number in range(first, first + games):
        if setup is None or number % GAMES_PER_SETUP == 0:
            setup = make_setup(number // GAMES_PER_SETUP, names)
        bots = bots_for(number)
        try:
            yield number, play(setup, bots, number)
        except Exception:
            where = f"{setup.battle.key} {setup.options.as_text()} {bots}"
            yield number, f"{where}\n{traceback.format_exc()}"


def main() -> int:
    """Play, show how far it is, and say what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=3000)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--battle", action="append", help="only this battle; may be repeated")
    args = parser.parse_args()
    names = tuple(args.battle or scenario_names())
    begin, shown = time.monotonic(), 0.0
    failures, decisions = 0, 0
    longest = most = Game("none", 0, 0, 0, None)
    for number, game in soak(args.first, args.games, names):
        if isinstance(game, str):
            failures += 1
            print(f"game {number}: {game}", flush=True)
            continue
        decisions += game.decisions
        longest = max(longest, game, key=lambda g: g.turns)
        most = max(most, game, key=lambda g: g.most_answers)
        if (spent := time.monotonic() - begin) - shown > 10:
            shown = spent
            print(
                f"{number + 1 - args.first} games, {decisions:,} decisions, {failures} failures", flush=True
            )
    print(f"{args.games} games, {decisions:,} decisions, {failures} failures")
    print(f"longest: {longest.turns} turns, {longest.title}")
    print(f"most answers to one question: {most.most_answers}, {most.title}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
