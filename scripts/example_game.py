"""Makes the example game: `python -m scripts.example_game` writes examples/game/ anew.

Two bots play Pegasus Bridge through real turn files, from a fixed seed and with two made-up identities whose
secrets anybody may know (tests/mailgame.py). Run it again whenever the rules or the file format change; the
tests say so when the stored game no longer verifies.
"""

from __future__ import annotations

import sys
from pathlib import Path

from pbem.archive import write_archive
from pbem.verification import verify_files
from tests.mailgame import play_game

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "game"
ARCHIVE = "pegasus-bridge.zip"
SEED = 21
MOST_BYTES = 300_000  # of the folder: it is copied with every checkout


def main() -> int:
    """Play, check and write the game."""
    files = play_game("pegasus-bridge", seed=SEED, bot="sergeant").files
    verify_files(files)
    packed = write_archive(files)
    size = len(packed) + sum(map(len, files))
    if size > MOST_BYTES:
        print(
            f"the game has {size} bytes, and {MOST_BYTES} are the most: choose another seed", file=sys.stderr
        )
        return 1
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in (*FOLDER.glob("*.m44"), *FOLDER.glob("*.zip")):
        old.unlink()
    (FOLDER / ARCHIVE).write_bytes(packed)
    for number, data in enumerate(files):
        (FOLDER / f"turn{number:02}.m44").write_bytes(data)
    print(f"{len(files)} files, {size} bytes in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
