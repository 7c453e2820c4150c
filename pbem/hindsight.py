"""Why a typed action is not possible, explained from the moment that its player means.

Where nothing is left to choose the game goes on by itself: past battles in which nobody can attack, past the
end of the turn, up to dice that fall later. What was typed then has no place any more, and the present moment
says nothing about the reason. So it is explained from the last moment of the own turn that this file has
seen, whose units still bear the marks of their orders, moves and battles (engine/refusal.py).
"""

from __future__ import annotations

from engine import Answer, parse_answer
from engine.answers import VERBS
from engine.document import nearest, one_of, quoted
from engine.errors import IllegalDecision, NotationError
from engine.refusal import PLACES, explain
from engine.state import State
from pbem.draft import Draft
from pbem.orders_text import read_order

DECIDED = "everything in this file is decided"
# Verbs of chance: what to tell somebody who types them.
BY_ITSELF: dict[str, tuple[str, str]] = {
    "roll": ("R56", "dice fall by themselves"),
    "draw": ("R121", "cards are drawn by themselves"),
    "shuffle": ("R122", "the deck is shuffled by itself"),
}
DEFENDING = ("ignore", "retreat")  # decisions in the other player's turn


def own_moment(draft: Draft) -> State | None:
    """The last moment of the own turn in this file; None if there was none."""
    referee, side = draft.referee, draft.desk.side
    if referee.active_side == side:
        return draft.state
    for step in reversed(referee.steps):
        if step.file != referee.file:
            return None
        if referee.side_of(step.state.active) == side:
            return step.state
    return None


def refusal(draft: Draft, line: str) -> IllegalDecision:
    """Why an action is not possible; raises NotationError if it cannot be read."""
    verb = line.split()[0].lower()
    if verb in BY_ITSELF:
        return IllegalDecision(*BY_ITSELF[verb])
    state = own_moment(draft) if draft.is_decided else draft.state
    if state is None:
        if verb not in DEFENDING:
            return IllegalDecision("R28", "it is the other player's turn")
        state = draft.state
    if verb == "attack" and draft.referee.sealed and draft.referee.side_of(state.active) == draft.desk.side:
        return explain_attack(state, line)
    return explain(state, read_answer(state, line))


def read_answer(state: State, line: str) -> Answer:
    """The answer that a line means; raises NotationError, or why a verb alone has no place now."""
    verb, *rest = line.lower().split()
    if verb not in VERBS:
        raise NotationError(f"{quoted(verb)} is no action{nearest(verb, VERBS) or _expected(state)}")
    if not rest and VERBS[verb].least and state.phase not in PLACES[verb][0]:
        raise explain(state, (verb,))
    return parse_answer(state, line)


def _expected(state: State) -> str:
    verbs = dict.fromkeys(answer[0] for answer in state.answers)
    return f"; expected now: {one_of(verbs)}" if verbs else ""


def explain_attack(state: State, line: str) -> IllegalDecision:
    """Why an attack order is not possible now, whatever it would do with the dice."""
    order = read_order(state, line).order
    target = order.targets[0]
    there = state.pos[target] if isinstance(target, int) else state.setup.grid.parse(target)
    return explain(state, ("attack", state.pos[order.unit], there))


def seal_hint(draft: Draft) -> str:
    """What is left to do with a file that is decided."""
    back = ', "pbem undo" takes the last choice back' if draft.can_undo() else ""
    return f'"pbem seal" signs it{back}'
