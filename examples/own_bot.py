"""A bot of your own in twenty lines: it is a function of a state and of a source of luck.

    python examples/own_bot.py [GAMES]

The state is what the bot's seat may see; `legal` lists every answer to what is asked now, and whatever comes
back must be one of them. This bot attacks the unit with fewest figures, and else does anything but nothing.
"""

from __future__ import annotations

import random
import sys

from engine import Answer, State, apply, chance, is_over, legal, new_game, view
from engine.bot import BOTS, Bot
from engine.croupier import Croupier, Luck
from pbem.library import load_battle


def hothead(state: State, luck: Luck) -> Answer:
    """The attack on the weakest enemy; if there is none, any answer that does not end the phase."""
    answers = legal(state)
    attacks = [answer for answer in answers if answer[0] == "attack"]
    if attacks:
        return min(attacks, key=lambda attack: state.figures[state.occupant[attack[2]]])
    active = [answer for answer in answers if answer[0] not in ("done", "pass", "stay")]
    choice = active or list(answers)
    return choice[int(luck.random() * len(choice))]


def winner(players: tuple[Bot, Bot], seed: int) -> int:
    """The side that wins a game between two bots: 0 for the allies, 1 for the axis."""
    luck = random.Random(seed)  # for a simulation
    state = new_game(load_battle("pegasus-bridge"))
    croupier = Croupier(state, luck)
    while not is_over(state):
        if chance(state):
            answer = croupier.answer(state)
        else:
            answer = players[state.setup.seats[state.seat].side](view(state, state.seat), luck)
        state, _ = apply(state, answer)
    return state.winner


if __name__ == "__main__":
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    wins = sum(winner((hothead, BOTS["random"]), seed) == 0 for seed in range(games))
    print(f"the hothead wins {wins} of {games} games against chance")
