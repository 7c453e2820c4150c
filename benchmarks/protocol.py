"""How fast the card protocol is, beside the bare calls into the curve library in the same run.

    python -m benchmarks.protocol [--repeat 15] [--json]

Every operation is run once with a recorder around the library's functions, which gives the number of calls
and their arguments. Then the whole operation and the bare calls, replayed from the record, are timed in turn.
The quotient is what Python, hashing and checking add: the aim for verifying is 1.15, and 1.3 is the floor.
Times are processor time, the best of all repetitions.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from pbem import group
from pbem.gamekeys import GameSecret
from pbem.group import Ciphertext, G, Point, join_points
from pbem.nonces import Nonces
from pbem.proofs import make_shares, open_shares
from pbem.sheet import build_sheet, check_opening
from pbem.shuffle import make_shuffle, open_shuffle

CTX = b"c" * 32
SIZES = (20, 60, 80, 120)
NAMES = {
    "c_product": "products",
    "c_create": "products of G",
    "c_combine": "sums",
    "c_parse": "parsed",
    "c_serialize": "written",
    "c_negate": "negated",
}
LIBRARY = group._CALLS

Call = tuple[Callable[..., Any], tuple[Any, ...]]


class Recorder:
    """Stands before the library's C functions and writes down every call."""

    def __enter__(self) -> Recorder:
        self.calls: list[Call] = []
        self.counts: Counter[str] = Counter()
        self.real = {name: getattr(LIBRARY, name) for name in NAMES}
        for name in NAMES:
            setattr(LIBRARY, name, self.recorded(name))
        return self

    def recorded(self, name: str) -> Callable[..., Any]:
        """The function that counts, notes and calls the real one."""
        real = self.real[name]

        def call(*arguments: Any) -> Any:
            self.calls.append((real, arguments))
            self.counts[NAMES[name]] += 1
            if name == "c_combine":
                self.counts["terms"] += arguments[3]
            return real(*arguments)

        return call

    def __exit__(self, *_: object) -> None:
        for name, real in self.real.items():
            setattr(LIBRARY, name, real)


def best(actions: list[Callable[[], object]], repeat: int) -> list[float]:
    """The best time of each action in milliseconds, measured in turn so that all see the same machine."""
    times = [float("inf")] * len(actions)
    for _ in range(repeat):
        for place, action in enumerate(actions):
            begin = time.process_time()
            action()
            times[place] = min(times[place], time.process_time() - begin)
    return [1000 * spent for spent in times]


def measure(name: str, action: Callable[[], object], repeat: int) -> dict[str, Any]:
    """The times of an operation and of its bare library calls."""
    action()  # fixed points are made once
    with Recorder() as recorder:
        action()
    calls = recorder.calls

    def bare() -> None:
        for function, arguments in calls:
            function(*arguments)

    whole, alone = best([action, bare], repeat)
    return {
        "name": name,
        "ms": round(whole, 3),
        "bare_ms": round(alone, 3),
        "quotient": round(whole / alone, 3),
        "calls": dict(recorder.counts),
    }


def deck(count: int, key: Point) -> list[Ciphertext]:
    """The open cards of a deck."""
    points = [group.total((group.card_point("command", number), key)) for number in range(count)]
    return [Ciphertext(G, point) for point in points if point is not None]


def shuffles(count: int, secret: GameSecret, nonces: Nonces, repeat: int) -> list[dict[str, Any]]:
    """A first shuffle and one of cards that are encrypted already, made and verified from their bytes."""
    key = secret.public
    open_cards = deck(count, key)
    first, first_proof = make_shuffle(CTX, key, open_cards, nonces)
    again, proof = make_shuffle(CTX, key, first, nonces)
    first_bytes, again_bytes = join_points(first), join_points(again)
    return [
        measure(f"shuffle {count}, make", lambda: make_shuffle(CTX, key, first, nonces), repeat),
        measure(
            f"shuffle {count}, verify", lambda: open_shuffle(CTX, key, first, again_bytes, proof), repeat
        ),
        measure(
            f"shuffle {count}, verify first",
            lambda: open_shuffle(CTX, key, open_cards, first_bytes, first_proof),
            repeat,
        ),
    ]


def shares(count: int, secret: GameSecret, nonces: Nonces, repeat: int) -> list[dict[str, Any]]:
    """Shares of so many cards in one proof, made and verified from their bytes."""
    cards = [group.generator(index) for index in range(count)]
    made, proof = make_shares(secret.key, secret.public, cards, CTX, nonces)
    public = secret.public
    return [
        measure(
            f"share of {count}, make",
            lambda: make_shares(secret.key, public, cards, CTX, nonces),
            10 * repeat,
        ),
        measure(
            f"share of {count}, verify", lambda: open_shares(public, cards, made, CTX, proof), 10 * repeat
        ),
    ]


def hashes(secret: GameSecret, repeat: int) -> list[dict[str, Any]]:
    """What needs hashing only: sheets and chains of seeds."""
    game = b"g" * 32
    sheet = build_sheet(secret, game, 5, 0, {})
    opening = sheet.open(17)
    actions: dict[str, Callable[[], object]] = {
        "sheet, build": lambda: build_sheet(secret, game, 5, 0, {}),
        "sheet, check one box": lambda: check_opening(sheet.root, game, 5, 0, 17, *opening),
        "chain of seeds, build": lambda: GameSecret(secret.sigma).anchor,
    }
    return [{"name": name, "ms": round(best([action], 3 * repeat)[0], 3)} for name, action in actions.items()]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    secret = GameSecret(bytes(range(32)))
    nonces = Nonces(secret.sigma, os.urandom)
    rows = [row for count in SIZES for row in shuffles(count, secret, nonces, options.repeat)]
    rows += [row for count in (1, 6) for row in shares(count, secret, nonces, options.repeat)]
    rows += hashes(secret, options.repeat)
    if options.json:
        print(json.dumps(rows, indent=1))
        return
    print(f"{'operation':26} {'ms':>8} {'bare ms':>8} {'quotient':>8}  calls")
    for row in rows:
        calls = ", ".join(f"{count} {name}" for name, count in sorted(row.get("calls", {}).items()))
        numbers = f"{row['ms']:8.2f} {row.get('bare_ms', 0):8.2f} {row.get('quotient', 0):8.2f}"
        print(f"{row['name']:26} {numbers}  {calls}")


if __name__ == "__main__":
    main()
