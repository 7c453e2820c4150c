"""What a compiler makes of the engine: the benchmark of engine.py on a copy compiled with mypyc.

    python -m benchmarks.compiled [--seconds 5] [--keep FOLDER]

mypyc comes with mypy and needs a C compiler; compiling takes about a minute. Nothing in the checkout changes:
the copy lives in a temporary folder. The engine itself stays plain Python; this shows what is left on the
table, and that compiled code plays the very same games (docs/decisions/0002-state.md).
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
# The modules on the way of every decision; tables and readers of documents gain nothing.
HOT = (
    "state", "turn", "fight", "tactics", "movement", "combat",
    "retreat", "victory", "hands", "sight", "croupier",
)  # fmt: skip
SAME_GAMES = """
import hashlib, random, sys
sys.path.insert(0, ".")
from engine import apply, chance, digest, is_over, legal, start
from engine.croupier import Croupier
from engine.setup import compile_setup
from pbem.library import load_battle, scenario_names
seen = hashlib.sha256()
for name in scenario_names():
    luck = random.Random(name)
    state = start(compile_setup(load_battle(name)))
    croupier = Croupier(state, luck)
    while not is_over(state):
        answers = legal(state)
        answer = croupier.answer(state) if chance(state) else answers[int(luck.random() * len(answers))]
        state, events = apply(state, answer)
        seen.update(repr(events).encode())
    seen.update(digest(state).encode())
print(seen.hexdigest())
"""


def run(folder: Path, *command: str) -> str:
    """What a Python command prints in a folder."""
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, stdout=subprocess.PIPE, text=True, check=True
    )
    return done.stdout


def compile_copy(folder: Path) -> None:
    """Copy the packages to a folder and compile the hot modules there."""
    for name in ("engine", "pbem", "benchmarks", "scenarios", "templates"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    run(folder, "-m", "mypyc", "--strict", *(f"engine/{name}.py" for name in HOT))


def main() -> None:
    """Compile, check that both play the same games, and measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", default="5", help="time for each line")
    parser.add_argument("--keep", type=Path, help="compile into this new folder and keep it")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.keep or Path(temporary) / "compiled"
        folder.mkdir(parents=True)
        print("compiling; this takes a minute", file=sys.stderr)
        compile_copy(folder)
        same = run(ROOT, "-c", SAME_GAMES) == run(folder, "-c", SAME_GAMES)
        print(f"one game of every battle: {'the same events and digests' if same else 'NOT THE SAME'}")
        for title, place in (("plain Python", ROOT), ("compiled", folder)):
            print(
                f"\n{title}\n{run(place, '-m', 'benchmarks.engine', '--seconds', args.seconds)}",
                end="",
                flush=True,
            )
    if not same:
        sys.exit(1)


if __name__ == "__main__":
    main()
