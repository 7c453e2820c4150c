"""Makes the pictures of the documentation: `python scripts/pictures.py` writes docs/pictures/.

The PNG for the README is made from the SVG by `rsvg-convert` (Debian's librsvg2-bin) or by headless Chromium,
whichever is installed, and made smaller by `pngquant` if that is there; without a renderer only the SVG files
are written.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from engine import State, apply, new_game  # noqa: E402  # the line above finds the packages in a checkout
from engine.combat import FACES  # noqa: E402
from pbem.draw import svg_board  # noqa: E402
from pbem.library import load_battle  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
WIDTH = 900

# The first turn of a game at Pegasus Bridge: Howard's men go for the canal bridge.
OPENING = (
    "draw assault-left ? ? ? ? ?",
    "draw ? ?",
    "card assault-left",
    "order c4",
    "order D3",
    "order C3",
    "move c4 D5",
    "move D3 d4",
    "move C3 c4",
    "attack D5 d6",
    "pass",
    "roll infantry",
    "attack d4 d6",
    "roll star",
)
MOVES = ("c4 D5", "D3 d4", "C3 c4")
ATTACKS = ("D5 d6", "d4 d6")


def play(state: State, text: str) -> State:
    """The state after one answer, written as players write it."""
    verb, *words = text.split()
    labels = {label.upper(): number for number, label in enumerate(state.setup.grid.labels)}
    if verb == "roll":
        return apply(state, (verb, *(FACES.index(word) for word in words))).state
    return apply(state, (verb, *(labels.get(word.upper(), word) for word in words))).state


def opening() -> str:
    """The picture of the first turn."""
    state = new_game(load_battle("pegasus-bridge"))
    for text in OPENING:
        state = play(state, text)
    at = state.setup.grid.parse
    return svg_board(
        state,
        theme="light",
        moves=[[at(label) for label in path.split()] for path in MOVES],
        attacks=[(at(pair.split()[0]), at(pair.split()[1])) for pair in ATTACKS],
        caption="Pegasus Bridge, turn 1",
    )


def raster(source: Path, target: Path) -> bool:
    """Turn an SVG into a PNG; False if no program for it is installed."""
    if (tool := shutil.which("rsvg-convert")) is not None:
        command = [tool, "-w", str(WIDTH), "-o", str(target), str(source)]
    elif (tool := shutil.which("chromium")) is not None:
        height = WIDTH * 472 // 692
        command = [tool, "--headless", "--no-sandbox", "--hide-scrollbars", f"--screenshot={target}"]
        command += [f"--window-size={WIDTH},{height}", source.as_uri()]
    else:
        return False
    run(command)
    if (tool := shutil.which("pngquant")) is not None:  # a palette makes it four times smaller
        run([tool, "--force", "--output", str(target), "--strip", "128", str(target)])
    return True


def run(command: list[str]) -> None:
    """Run a program to its good end."""
    subprocess.run(command, check=True, capture_output=True)  # fixed programs, own files


def main() -> None:
    """Write all pictures and say so."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pictures = {"pegasus-bridge": opening()}
    for name in ("first-assault-wave", "st-vith"):
        pictures[name] = svg_board(new_game(load_battle(name)))
    for name, picture in pictures.items():
        (FOLDER / f"{name}.svg").write_text(picture + "\n", encoding="utf-8", newline="\n")
        print(FOLDER / f"{name}.svg")
    png = FOLDER / "pegasus-bridge.png"
    made = raster(FOLDER / "pegasus-bridge.svg", png)
    print(png if made else "no PNG: neither rsvg-convert nor chromium is installed")


if __name__ == "__main__":
    main()
