"""Plays games by mail by the dozen: all battles, all ways to roll and retreat, through a bad post.

    python -m scripts.mail_soak [--games 64] [--first 0] [--most 400]

Every game is made from its number alone. Two players and a stranger check every file and must agree on all
digests; at the end the files are read once more by somebody new, once in full and once trusting. A game that
fails is named with its number, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
from typing import Any

from pbem.library import scenario_names
from pbem.log import Log
from pbem.referee import Referee
from tests.mailgame import ALICE, BOB
from tests.post import Correspondence, play_by_post

MODES = (("sealed", "live"), ("instant", "stand"), ("sealed", "sheet"), ("sealed", "strict"))


def arguments_of(number: int) -> dict[str, Any]:
    """How the game of a number is played."""
    luck = random.Random(f"mail {number}")  # dice of a test
    names = scenario_names()
    dice, retreat = MODES[(number // len(names) + number) % len(MODES)]
    return {
        "name": names[number % len(names)],
        "seed": number,
        "dice": dice,
        "retreat": retreat,
        "army": luck.choice(("allies", "axis")),
        "inviter": luck.choice((ALICE, BOB)),
        "mix": luck.random() < 0.7,
        "sheet": retreat == "sheet" or luck.random() < 0.8,
        "bot": luck.choice(("busy", "busy", "random", "sergeant")),
        "hold": luck.choice((0.0, 0.2, 0.6)) if dice == "sealed" else 0.0,
        "options": {"hand": "3"} if luck.random() < 0.1 else None,
    }


def check(game: Correspondence) -> None:
    """All three agree, and so does somebody who reads the files later."""
    first, second, third = (box.digests for box in game.boxes)
    if not first == second == third:
        raise AssertionError("the three parties disagree")
    for trusting in (False, True):
        log, referee = Log(trusting=trusting), Referee()
        for number, data in enumerate(game.files):
            log, entry = log.check(data)
            referee = referee.read(entry)
            assert log.table is not None
            if log.table.digest() != third[number][0] or (number and referee.digest() != third[number][1]):
                raise AssertionError(f"a reader of the files disagrees at file {number}")


def main() -> int:
    """Plays, prints one line a game; 1 if any failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=64)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--most", type=int, default=400)
    options = parser.parse_args()
    failed = []
    for number in range(options.first, options.first + options.games):
        arguments = arguments_of(number)
        begin = time.process_time()
        try:
            game = play_by_post(most=options.most, **arguments)
            check(game)
        except Exception:
            failed.append(number)
            print(f"game {number} failed: {arguments}\n{traceback.format_exc()}", flush=True)
            continue
        referee = game.boxes[2].party.referee
        told = " ".join(
            str(arguments[key]) for key in ("name", "dice", "retreat", "army", "bot", "mix", "sheet", "hold")
        )
        print(
            f"{number}: {told}: {len(game.files)} files, {game.reactions} reactions,"
            f" {referee.shuffles} reshuffles, ended {referee.confirmed},"
            f" {time.process_time() - begin:.1f} s",
            flush=True,
        )
    print(f"{options.games} games, failed: {failed or 'none'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
