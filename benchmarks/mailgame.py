"""How long a stranger takes to verify a whole game by mail, and how large its files are.

    python -m benchmarks.mailgame [--turns 40] [--repeat 5] [--json]

The second part of benchmarks/protocol.py, with the same method: every call into the curve library and every
check of a signature is recorded once, then the whole verification and the bare calls are timed in turn. The
quotient is what decoding, hashing, checking and Python add to the bare calls: the aim is 1.15, and 1.3 is the
floor. The rules engine is timed apart, for it has nothing to do with the proofs; so is the trusting replay of
files that were checked before. Times are processor time, the best of all repetitions.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from typing import Any

from benchmarks.protocol import Call, Recorder, best
from pbem import log as log_module
from pbem.container import unpack
from pbem.identity import verify_signature
from pbem.log import Entry, Log, parse_body
from pbem.referee import Referee
from tests.mailgame import play_game


def check_all(files: list[bytes], *, trusting: bool = False) -> list[Entry]:
    """The entries of a game, every file checked."""
    log = Log(trusting=trusting)
    for data in files:
        log, _ = log.check(data)
    return log.entries


def read_all(entries: list[Entry]) -> Referee:
    """The game that the entries play."""
    referee = Referee()
    for entry in entries:
        referee = referee.read(entry)
    return referee


def bare_calls(files: list[bytes]) -> tuple[list[Call], dict[str, int]]:
    """The library calls of a whole verification, and their numbers."""
    signatures: list[Call] = []

    def recorded(*arguments: Any) -> None:
        signatures.append((verify_signature, arguments))
        verify_signature(*arguments)

    names = vars(log_module)
    real = names["verify_signature"]
    names["verify_signature"] = recorded  # counted like the curve's functions
    try:
        with Recorder() as recorder:
            check_all(files)
    finally:
        names["verify_signature"] = real
    return recorder.calls + signatures, {**recorder.counts, "signatures": len(signatures)}


def times(files: list[bytes], repeat: int) -> list[dict[str, Any]]:
    """Verifying, the bare calls, the engine, and the trusting replay."""
    entries = check_all(files)
    read_all(entries)
    calls, counts = bare_calls(files)

    def bare() -> None:
        for function, arguments in calls:
            function(*arguments)

    actions: list[Callable[[], object]] = [
        lambda: check_all(files),
        bare,
        lambda: read_all(entries),
        lambda: read_all(check_all(files, trusting=True)),
    ]
    whole, alone, engine, trusting = best(actions, repeat)
    return [
        {
            "name": f"{len(files)} files, verified by a stranger",
            "ms": round(whole, 1),
            "bare_ms": round(alone, 1),
            "quotient": round(whole / alone, 3),
            "calls": counts,
        },
        {"name": "the same files through the rules engine", "ms": round(engine, 1)},
        {"name": "trusting replay with the engine", "ms": round(trusting, 1)},
    ]


def sizes(files: list[bytes]) -> dict[str, Any]:
    """Bytes of the files as they travel."""
    ops = [{op[0] for op in parse_body(unpack(data).body).ops} for data in files]
    turns = [(len(data), names) for data, names in zip(files[2:], ops[2:], strict=True)]
    shuffling = {"shuffle", "reshuffle"}
    plain = [size for size, names in turns if not names & shuffling]
    return {
        "offer": len(files[0]),
        "answer": len(files[1]),
        "turn, median": round(statistics.median(plain)),
        "turn, largest": max(plain),
        "turn with a reshuffle, median": round(
            statistics.median([size for size, names in turns if names & shuffling] or [0])
        ),
        "whole game": sum(map(len, files)),
    }


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=40)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--battle", default="pegasus-bridge")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    games = {
        mix: play_game(options.battle, seed=1, mix=mix, most=2 + options.turns).files for mix in (True, False)
    }
    rows = times(games[True], options.repeat)
    measured = {"with mix": sizes(games[True]), "without mix": sizes(games[False])}
    if options.json:
        print(json.dumps({"times": rows, "sizes": measured}, indent=1))
        return
    for row in rows:
        bare = f"  bare {row['bare_ms']} ms, quotient {row['quotient']}" if "bare_ms" in row else ""
        print(f"{row['name']:42} {row['ms']:8.1f} ms{bare}")
    print("  " + ", ".join(f"{count} {name}" for name, count in sorted(rows[0]["calls"].items())))
    for name, table in measured.items():
        print(f"{name}: " + ", ".join(f"{what} {size}" for what, size in table.items()))


if __name__ == "__main__":
    main()
