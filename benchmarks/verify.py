"""How fast a whole game is verified, beside the bare curve operations of the same game in the same run.

    python -m benchmarks.verify [--seed 22] [--repeat 15] [--json]

Two bots play a game of some forty turns by mail. Every file is verified once with a recorder around the curve
library, which gives every call; then checking the file by the protocol, playing it by the rules and the bare
calls, replayed from the record, are timed in turn. Bare are products, sums and codings of points (secp256k1)
and checks of signatures (Ed25519). The quotient is what reading, hashing, the card table and the rules of the
game add; at most 1.3 is wanted. Fixed points and the battle are made once a process and not counted. Times
are processor time, the best of all repetitions of each file, added up: a busy machine disturbs some, not all.
"""

from __future__ import annotations

import argparse
import gc
import json
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from benchmarks.protocol import Call, Recorder, best
from pbem.archive import write_archive
from pbem.container import unpack
from pbem.gathering import Reader, gather, sort_games
from pbem.log import Log
from pbem.referee import Referee
from pbem.verification import COLLECT_AFTER, verify_files
from tests.mailgame import play_game

WANTED = 1.3


def signature_check(data: bytes, log: Log, seat: int) -> Callable[[], None]:
    """The bare check of the signature of a file."""
    pk = log.identities[seat]
    assert pk is not None
    key, parts = Ed25519PublicKey.from_public_bytes(pk), unpack(data)
    return lambda: key.verify(parts.signature, parts.message)


def replay(calls: list[Call]) -> Callable[[], None]:
    """The bare calls, one after another."""

    def run() -> None:
        for function, arguments in calls:
            function(*arguments)

    return run


def measure(files: list[bytes], repeat: int) -> dict[str, Any]:
    """The times of verifying a game, and of its bare curve operations."""
    verify_files(files)
    log, referee = Log(), Referee()
    counts: Counter[str] = Counter()
    times = {"protocol": 0.0, "rules": 0.0, "curve": 0.0, "signatures": 0.0}
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER)  # as the verifier itself does
    for data in files:
        after, entry = log.check(data)
        with Recorder() as recorder:  # replaying spoils the points that were made meanwhile
            log.check(data)
        actions = (
            partial(log.check, data),
            partial(referee.read, entry),
            replay(recorder.calls),
            signature_check(data, after, entry.seat),
        )
        for name, spent in zip(times, best(list(actions), repeat), strict=True):
            times[name] += spent
        counts += recorder.counts
        log, referee = after, referee.read(entry)
    return {
        "turns": referee.now.turn,
        "files": len(files),
        "bytes": sum(map(len, files)),
        "calls": {**counts, "signatures": len(files)},
        "ms": {name: round(spent, 1) for name, spent in {**times, "finding": finding(files, repeat)}.items()},
    }


def finding(files: list[bytes], repeat: int) -> float:
    """The time to find the files in an archive on disk, to put them together and to read them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.zip"
        path.write_bytes(write_archive(files))

        def find() -> None:
            (case,) = sort_games(gather([path]).files)
            reader = Reader()
            for node in case.nodes.values():
                reader.read(node.copies[0])
            reader.close()

        return best([find], repeat)[0]


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=22)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(play_game(seed=options.seed, bot="sergeant").files, options.repeat)
    if options.json:
        print(json.dumps(found, indent=1))
        return
    print(f"{found['turns']} turns, {found['files']} files, {found['bytes']} bytes")
    spent = found["ms"]
    bare = spent["curve"] + spent["signatures"]
    rows = {
        "bare curve operations": spent["curve"],
        "bare checks of signatures": spent["signatures"],
        "verify, without rules": spent["protocol"],
        "verify": spent["protocol"] + spent["rules"],
        "verify, from an archive on disk": spent["protocol"] + spent["rules"] + spent["finding"],
    }
    for name, total in rows.items():
        print(f"{name:34} {total:8.1f} ms  {total / bare:.2f} x bare")
    print(f"wanted of verify: at most {WANTED} x bare")
    print("calls: " + ", ".join(f"{count} {name}" for name, count in sorted(found["calls"].items())))


if __name__ == "__main__":
    main()
