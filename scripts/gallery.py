"""Makes the pictures of docs/gallery.md: `python scripts/gallery.py` writes docs/gallery/.

The pages are those of two played games of the tests; headless Chromium takes the pictures, and `pngquant`
makes them smaller where it is installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from pbem.draw import text_board  # noqa: E402  # the line above finds the packages in a checkout
from pbem.replay import make_replay, render_replay  # noqa: E402
from pbem.report import make_report, render_report  # noqa: E402
from tests.browser.chromium import Chromium, Page, find_chromium  # noqa: E402
from tests.readings import Reading, game_files, readings  # noqa: E402

FOLDER = ROOT / "docs" / "gallery"
LARGEST = 250_000
WIDE, NARROW = 1120, 390
STEPS = (0, 95, 135, 175, 215, 255)  # of the colour cube of terminals
CODE = re.compile("\x1b\\[([0-9;]*)m")


def find(files: tuple[bytes, ...], *kinds: str) -> Reading:
    """The first moment after which the report of the last file tells all these kinds of event."""
    for reading in readings(files)[3:]:
        number = reading.log.count - 1
        seat = 0 if reading.desk(0).is_next() else 1
        report = make_report(reading.log, reading.referee, number, desk=reading.desk(seat))
        if set(kinds) <= {event["event"] for event in report.events}:
            return reading
    raise SystemExit(f"no file with {', '.join(kinds)}: choose another game")


def report_page(reading: Reading) -> str:
    """The report of the last file for the player who answers."""
    seat = 0 if reading.desk(0).is_next() else 1
    number = reading.log.count - 1
    key = "pegasus" if "Pegasus" in title(reading) else "town"
    return render_report(make_report(reading.log, reading.referee, number, desk=reading.desk(seat), key=key))


def title(reading: Reading) -> str:
    """The title of the battle."""
    assert reading.referee.match is not None
    return reading.referee.match.battle.title


def replay_page(files: tuple[bytes, ...]) -> str:
    """The replay of a whole game, from Alice's chair."""
    last = readings(files)[-1]
    return render_replay(make_replay(last.log, last.referee, chair=0))


def colour(number: int) -> str:
    """A colour of the terminal's palette of 256 as CSS."""
    if number >= 232:
        grey = 8 + 10 * (number - 232)
        return f"rgb({grey},{grey},{grey})"
    red, rest = divmod(number - 16, 36)
    return f"rgb({STEPS[red]},{STEPS[rest // 6]},{STEPS[rest % 6]})"


def terminal_page(reading: Reading) -> str:
    """The board as a terminal shows it."""
    text = text_board(reading.referee.now, chair=0, colour=True, unicode=True)
    parts = CODE.split(f"\x1b[0m{text}")
    spans = []
    for codes, words in zip(parts[1::2], parts[2::2], strict=True):
        values = [int(code) for code in codes.split(";") if code]
        look = "font-weight:700;" if 1 in values else ""
        for place, value in enumerate(values):
            if value in (38, 48):
                look += f"{'color' if value == 38 else 'background'}:{colour(values[place + 2])};"
        spans.append(f'<span style="{look}">{escape(words)}</span>')
    prompt = '<span style="color:#9fd3a5">$</span> pbem board pegasus\n\n'
    return (
        '<!DOCTYPE html><meta charset="utf-8"><title>board</title><body style="margin:0;background:#14171a">'
        '<pre style="margin:0;padding:18px;width:max-content;color:#e8e6df;font:15px/18px DejaVu Sans Mono">'
        f"{prompt}{''.join(spans)}</pre></body>"
    )


def shrink(path: Path) -> None:
    """Make a picture smaller where pngquant is installed; refuse one that is too large."""
    program = shutil.which("pngquant")
    if program:
        subprocess.run(
            [program, "--force", "--ext", ".png", "--skip-if-larger", "96", str(path)], check=False
        )
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path} has {path.stat().st_size} bytes, and {LARGEST} are the most")


def picture(page: Page, name: str, width: int, height: int | None = None) -> None:
    """Take a picture of a page, all of it or so much of its height."""
    whole = int(page.ask("Math.ceil(document.body.getBoundingClientRect().height)"))
    page.resize(width, height or whole)
    path = FOLDER / f"{name}.png"
    path.write_bytes(page.picture(whole=False))
    shrink(path)
    print(path, path.stat().st_size)


def main() -> None:
    """Write all pictures."""
    program = find_chromium()
    if program is None:
        raise SystemExit("the gallery needs Chromium (Debian: apt install chromium)")
    bridge, town = game_files(), game_files("sainte-mere-eglise")
    ambush = find(town, "ambush")
    pages = {
        "report": report_page(find(bridge, "moved", "attack", "eliminated", "medal")),
        "ambush": report_page(ambush),
        "replay": replay_page(bridge),
        "terminal": terminal_page(readings(bridge)[len(bridge) // 2]),
    }
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, Chromium(program) as browser:
        paths = {name: Path(folder) / f"{name}.html" for name in pages}
        for name, html in pages.items():
            paths[name].write_text(html, encoding="utf-8")
        with browser.page(paths["report"], width=WIDE) as page:
            picture(page, "report", WIDE)
        with browser.page(paths["ambush"], width=NARROW, dark=True) as page:
            picture(page, "report-phone-dark", NARROW, 1500)
        with browser.page(paths["replay"], width=WIDE) as page:
            page.press("m")
            page.press("m")
            picture(page, "replay", WIDE, 820)
        with browser.page(paths["terminal"], width=800) as page:
            picture(page, "terminal", int(page.ask("document.querySelector('pre').offsetWidth")))


if __name__ == "__main__":
    main()
