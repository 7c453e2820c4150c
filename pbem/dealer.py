"""The dealer: which cards may be drawn, shown, mixed and reshuffled when, and what the engine gets of them.

Cards are drawn by ops, often ahead of the moment at which the rules deal them, because the other side's share
takes a mail. The dealer counts what a seat has drawn ahead, and hands it to the engine when its moment comes.
"""

from __future__ import annotations

from typing import Any

from engine import chance, reshuffled
from engine.dealing import draws_due, is_reshuffle_due
from pbem.course import Course
from pbem.errors import Fault
from pbem.table import Shown


class Dealer(Course):
    """A course of play with its cards."""

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
        self._record("deal", "shuffle", (("reshuffled", 0),))

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
