"""How quickly commands answer, as ratios to what Python and click take by themselves.

    python -m benchmarks.cli [--repeat 9] [--json]

`pbem --help`, `games` and `status` are whole processes, beside `python -c pass` plus the import of click; the
floor is 3. `apply` takes in one file from the middle of a game; beside it stands the bare cost of the file's
curve operations, counted and replayed in the same run, and the floor is 1.5 of that and 150 ms. It is given
once inside a running program, and as a whole process, the start of Python and click included, without and
with the page that it leaves about the turn. Times are processor time of the process itself, the best of all
repetitions, with compiled modules as after installing.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.protocol import measure
from pbem.cli import run
from pbem.home import Home
from pbem.store import Game
from tests.cli.post import BOB, make_home, stock
from tests.mailgame import play_game

ROOT = Path(__file__).parents[1]
MIDDLE = 20  # the file that is applied: one of Alice's


def environment(cache: str) -> dict[str, str]:
    """The environment of an installed program: compiled modules are kept, nothing else is special."""
    found = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**found, "PYTHONPYCACHEPREFIX": cache}


def process(words: list[str], env: dict[str, str]) -> float:
    """Processor time of one process, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], cwd=ROOT, env=env, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def inside(words: list[str]) -> float:
    """Processor time of a command in this process, in milliseconds."""
    with contextlib.redirect_stdout(io.StringIO()):
        begin = time.process_time()
        assert run(words) == 0
        return 1000 * (time.process_time() - begin)


def best(repeat: int, actions: dict[str, Callable[[], float]]) -> dict[str, float]:
    """The best time of each action, measured in turn so that all see the same machine."""
    times = {name: float("inf") for name in actions}
    for _ in range(repeat):
        for name, action in actions.items():
            times[name] = min(times[name], action())
    return times


def results(folder: Path, repeat: int) -> list[dict[str, Any]]:
    """One row for each command."""
    files = tuple(play_game(seed=2, most=MIDDLE + 1).files)
    origin, home = folder / "origin", folder / "home"
    stock(make_home(origin, BOB), files[:MIDDLE])
    turn = folder / "turn.m44"
    turn.write_bytes(files[MIDDLE])
    env = environment(str(folder / "cache"))
    there = ["--home", str(origin)]
    applying = ["--home", str(home), "apply", str(turn)]

    def applied(do: Callable[[], float]) -> Callable[[], float]:
        def action() -> float:
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(origin, home)
            return do()

        return action

    times = best(
        repeat,
        {
            "pass": lambda: process(["-c", "pass"], env),
            "click": lambda: process(["-c", "import click"], env),
            "--help": lambda: process(["-m", "pbem", "--help"], env),
            "games": lambda: process(["-m", "pbem", *there, "games"], env),
            "status": lambda: process(["-m", "pbem", *there, "status"], env),
            "apply, running": applied(lambda: inside([*applying, "--no-report"])),
            "apply, process": applied(lambda: process(["-m", "pbem", *applying, "--no-report"], env)),
            "apply, with page": applied(lambda: process(["-m", "pbem", *applying], env)),
        },
    )
    home_there = Home(origin)
    log = Game(home_there, home_there.game_keys()[0]).load().log
    bare = measure("curve", lambda: log.trust(on=False).check(files[MIDDLE]), repeat)["bare_ms"]
    start = times["click"]
    rows = [
        {"name": name, "ms": round(times[name], 1), "ratio": round(times[name] / start, 2), "most": 3}
        for name in ("--help", "games", "status")
    ]
    limit = round(1.5 * bare + 150, 1)
    for name in ("apply, running", "apply, process", "apply, with page"):
        rows.append({"name": name, "ms": round(times[name], 1), "bare_ms": bare, "most_ms": limit})
    rows.append({"name": "python and click", "ms": round(start, 1), "python_ms": round(times["pass"], 1)})
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = results(Path(folder), chosen.repeat)
    if chosen.json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        facts = ", ".join(f"{name} {value}" for name, value in row.items() if name not in ("name", "ms"))
        print(f"{row['name']:18}{row['ms']:8} ms   {facts}")


if __name__ == "__main__":
    main()
