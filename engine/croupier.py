"""Luck for games on one machine: shuffles decks and throws dice from a source the caller hands in.

Simulations, bots, tests and demonstrations use it. By mail its place is taken by the protocol, and the rules
cannot tell the difference.
"""

from __future__ import annotations

from typing import Any, Protocol

from engine.answers import Answer
from engine.combat import DIE
from engine.dealing import draw_count
from engine.state import State
from engine.turn import chance


class Luck(Protocol):
    """A source of random numbers, such as `random.Random(seed)`."""

    def random(self) -> float:
        """A number from 0 up to but not including 1."""

    def shuffle(self, x: list[Any], /) -> None:
        """Shuffle a list in place."""


class Croupier:
    """Answers every chance event of one game that is played from its beginning."""

    def __init__(self, state: State, luck: Luck) -> None:
        self._luck = luck
        self._piles = [list(deck.keys) for deck in state.setup.decks]
        for pile in self._piles:
            luck.shuffle(pile)

    def throw(self, faces: int) -> int:
        """One die: a symbol of the battle die, or a number below `faces`."""
        place = int(self._luck.random() * faces)
        return DIE[place] if faces == 6 else place

    def answer(self, state: State) -> Answer:
        """The outcome of the chance event that is pending."""
        kind = chance(state)
        if kind == "roll":
            roll = state.roll
            assert roll is not None
            return ("roll", *[self.throw(roll.faces) for _ in range(roll.dice)])
        if kind == "draw":
            deck = state.setup.seats[state.seat].deck
            pile, count = self._piles[deck], draw_count(state)
            again = state.setup.by_mail and state.setup.options.reshuffle and state.discards[deck]
            if len(pile) < count and again:
                return self._reshuffle(state, deck)
            return ("draw", *(pile.pop() for _ in range(min(count, len(pile)))))
        assert kind == "shuffle"
        task = state.queue[0]
        return self._reshuffle(state, task[1] if task[0] == "shuffle" else state.setup.seats[task[1]].deck)

    def _reshuffle(self, state: State, deck: int) -> Answer:
        """Shuffle the discards of a deck into its pile."""
        faces = state.setup.decks[deck].faces
        self._piles[deck] += [faces[face] for face in state.discards[deck]]
        self._luck.shuffle(self._piles[deck])
        return ("shuffle",)
