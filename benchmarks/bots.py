"""How often the Sergeant beats the random bot, on three battles, playing each side.

    python -m benchmarks.bots [--games 100] [--against random] [--need 90]

Seeds are fixed, so two runs of the same program print the same. The exit status is 1 if one of the battles
falls below what is needed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

from engine import State, apply, chance, is_over, start, view
from engine.battle import SIDES
from engine.bot import BOTS, Bot
from engine.croupier import Croupier
from engine.setup import Setup, compile_setup
from pbem.library import load_battle

BATTLES = ("pegasus-bridge", "sainte-mere-eglise", "sword-beach")


def play(setup: Setup, bots: tuple[Bot, Bot], seed: int) -> State:
    """The last state of a game between two bots, allies first, each seeing only what its seat may see."""
    luck = random.Random(seed)
    state = start(setup)
    croupier = Croupier(state, luck)
    while not is_over(state):
        if chance(state):
            answer = croupier.answer(state)
        else:
            answer = bots[setup.seats[state.seat].side](view(state, state.seat), luck)
        state = apply(state, answer).state
    return state


def wins(name: str, own: str, other: str, games: int, *, quiet: bool = False) -> Iterator[tuple[int, int]]:
    """For each side in turn: games won by a bot against another, and the turns they took."""
    setup = compile_setup(load_battle(name))
    for side in (0, 1):
        bots = (BOTS[own], BOTS[other]) if side == 0 else (BOTS[other], BOTS[own])
        won = turns = 0
        for seed in range(games):
            end = play(setup, bots, seed)
            won += end.winner == side
            turns += end.turn
            if not quiet and sys.stderr.isatty():
                print(f"\r{name}, {SIDES[side]}: {won} of {seed + 1}", end="\r", file=sys.stderr)
        yield won, turns


def main() -> int:
    """Print the table; the exit status says whether every battle was won often enough."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bot", default="sergeant", choices=sorted(BOTS))
    parser.add_argument("--against", default="random", choices=sorted(BOTS))
    parser.add_argument("--games", type=int, default=100, help="games per battle, half of them on each side")
    parser.add_argument("--need", type=int, default=90, help="wins in a hundred that are needed")
    parser.add_argument("--battle", action="append", help="another battle than the three; may be repeated")
    args = parser.parse_args()
    half = max(1, args.games // 2)
    missed = False
    print(f"{args.bot} against {args.against}, {half} games on each side of every battle")
    for name in args.battle or BATTLES:
        begin = time.process_time()
        (allies, turns), (axis, more) = wins(name, args.bot, args.against, half)
        spent = time.process_time() - begin
        missed |= 100 * (allies + axis) < args.need * 2 * half
        print(
            f"{name:24} allies {allies:3} of {half}   axis {axis:3} of {half}   together {allies + axis:4}"
            f"{(turns + more) / (2 * half):8.1f} turns{1000 * spent / (2 * half):8.0f} ms a game",
            flush=True,
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
