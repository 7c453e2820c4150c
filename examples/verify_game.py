"""Verify a game from Python: files in, a trusted game out, or the first thing that is wrong.

    python examples/verify_game.py [ARCHIVE]

Anybody can do this; no key is needed. What comes back is a log, in which every signature, die and card has
been proved, and a referee, which has played the same decisions by the rules.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from pbem.archive import read_archive
from pbem.description import describe
from pbem.errors import Fault
from pbem.verification import verify_files

EXAMPLE = Path(__file__).with_name("game") / "pegasus-bridge.zip"


def main(path: Path) -> int:
    """Print what there is to say of an archive; 0 if it is good, 3 if not, as `pbem verify` does."""
    try:
        log, referee = verify_files(read_archive(path))
    except Fault as fault:
        print(f"file {fault.file}, entry {fault.op}, seat {fault.seat}: {fault} {fault.rule}".rstrip())
        return 3
    verdict = describe(log, referee)
    print(f"{verdict.battle}: {' against '.join(player.name for player in verdict.players)}")
    if verdict.result is not None:
        print(f"{verdict.result.name} wins by {verdict.result.reason} after {verdict.turns} turns")
    ops = Counter(action.name for entry in log.entries for action in entry.actions)
    print(f"{log.count} files, {ops['do']} decisions, {ops['show']} cards shown, all verified")
    print("the last turn:")
    for step in referee.steps:
        if step.state.turn == verdict.turns and step.text:
            print(f"  {step.by:5} {step.text}")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLE))
