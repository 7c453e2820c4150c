"""Two bots fight a battle on this machine, with nothing but the engine and a source of luck.

    python examples/two_bots.py [BATTLE] [SEED]

The engine waits for one thing at a time: a decision of a seat, which the seat's bot takes from what that seat
may see, or a chance event, which the croupier answers.
"""

from __future__ import annotations

import random
import sys

from engine import EngineError, apply, chance, is_over, new_game, view
from engine.battle import SIDES
from engine.bot import BOTS
from engine.croupier import Croupier
from pbem.library import load_battle


def fight(battle: str, seed: int) -> str:
    """One game between the sergeant (allies) and the busy bot (axis), and how it ended."""
    luck = random.Random(seed)  # for a game among friends; by mail the dice are proved
    state = new_game(load_battle(battle))
    croupier = Croupier(state, luck)
    players = (BOTS["sergeant"], BOTS["busy"])
    while not is_over(state):
        if chance(state):
            answer = croupier.answer(state)
        else:
            side = state.setup.seats[state.seat].side
            answer = players[side](view(state, state.seat), luck)
        state, _ = apply(state, answer)
    score = f"{state.medals(0)} to {state.medals(1)}"
    return f"{SIDES[state.winner]} win after {state.turn} turns; medals of allies and axis: {score}"


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "pegasus-bridge"
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    try:
        print(fight(name, number))
    except EngineError as problem:
        sys.exit(str(problem))
