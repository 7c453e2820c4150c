"""How fast the engine is, beside python-chess in the same run, because machines differ.

    python -m benchmarks.engine [--seconds 5]

Plays random games on one core with the full legal list produced at every decision. "Busy" play never ends a
phase while it can act. The other figure is python-chess making random moves with its full legal list.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable

import chess

from engine import State, apply, is_over, legal, start
from engine.croupier import Croupier
from engine.setup import Setup, compile_setup
from pbem.library import load_battle

ENDS = ("done", "pass", "stay")


def play(setup: Setup, seed: int, *, busy: bool) -> int:
    """One random game; the number of decisions taken in it."""
    luck = random.Random(seed)
    state: State = start(setup)
    croupier = Croupier(state, luck)
    decisions = 0
    while True:
        answers = legal(state)
        count = len(answers)
        if not count:
            if is_over(state):
                break
            state, _ = apply(state, croupier.answer(state))
            continue
        if busy and count > 1 and answers[-1][0] in ENDS:
            count -= 1
        decisions += 1
        state, _ = apply(state, answers[int(luck.random() * count)])
    return decisions


def chess_decisions(seconds: float) -> float:
    """Random moves per second of python-chess."""
    luck = random.Random(1)
    board = chess.Board()
    moves = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        choices = list(board.legal_moves)
        if not choices or board.is_insufficient_material() or board.halfmove_clock > 150:
            board = chess.Board()
            continue
        board.push(choices[int(luck.random() * len(choices))])
        moves += 1
    return moves / spent


def rate(step: Callable[[int], int], seconds: float) -> tuple[float, float]:
    """Decisions and games per second."""
    decisions = games = 0
    begin = time.process_time()
    while (spent := time.process_time() - begin) < seconds:
        decisions += step(games)
        games += 1
    return decisions / spent, games / spent


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5.0, help="time for each line")
    seconds = parser.parse_args().seconds
    plays = [("sainte-mere-eglise", True), ("pegasus-bridge", True), ("pegasus-bridge", False)]
    # python-chess before and after, so that a machine whose speed drifts does not flatter anybody.
    before = chess_decisions(seconds / 2)
    rows = []
    for name, busy in plays:
        setup = compile_setup(load_battle(name))
        play(setup, 0, busy=busy)

        def step(seed: int, setup: Setup = setup, busy: bool = busy) -> int:
            return play(setup, seed, busy=busy)

        rows.append((name, busy, *rate(step, seconds)))
    yardstick = (before + chess_decisions(seconds / 2)) / 2
    print(f"{'python-chess, random moves':36}{yardstick:10,.0f} decisions/s")
    for name, busy, decisions, games in rows:
        title = f"{name}, {'busy' if busy else 'random'}"
        print(f"{title:36}{decisions:10,.0f} decisions/s{decisions / yardstick:7.2f} x{games:8.1f} games/s")


if __name__ == "__main__":
    main()
