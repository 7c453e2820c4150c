"""Reports and replays in a real browser: no errors, nothing cut, nothing wider than a telephone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.replay import make_replay, open_hands, render_replay
from pbem.report import make_report, render_report
from tests.browser.chromium import Chromium, Page, find_chromium
from tests.mailgame import ALICE
from tests.readings import Reading, find_game, game_files, kinds_of, readings, strange_files

PROGRAM = find_chromium()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="no Chromium is installed (Debian: apt install chromium)"
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    """One browser for all tests."""
    assert PROGRAM is not None
    with Chromium(PROGRAM) as running:
        yield running


def moment(name: str) -> tuple[Reading, int]:
    """A file worth looking at, and the seat of its reader."""
    if name == "strange":
        return readings(strange_files())[-1], 1
    game = readings(find_game("ambush") if name == "ambush" else game_files())
    if name == "invitation":
        return game[0], 1
    if name == "end":
        return game[-2], 0
    wanted = {"quiet": (), "bloody": ("eliminated",), "ambush": ("ambush",)}[name]
    for reading in game[3:]:
        kinds = kinds_of(reading)
        if set(wanted) <= kinds and (wanted or not {"attack", "rolled"} & kinds):
            return reading, 0 if reading.desk(0).is_next() else 1
    raise AssertionError("no such file in this game: choose another seed")


MOMENTS = ("invitation", "quiet", "bloody", "ambush", "end", "strange")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all pages."""
    place = tmp_path_factory.mktemp("pages")
    for name in MOMENTS:
        reading, seat = moment(name)
        report = make_report(
            reading.log, reading.referee, reading.log.count - 1, desk=reading.desk(seat), key="battle"
        )
        (place / f"{name}.html").write_text(render_report(report), encoding="utf-8")
    files = game_files()
    last = readings(files)[-1]
    hands = open_hands(files, 0, ALICE)
    replay = make_replay(last.log, last.referee, chair=0, hands=hands, owner="Alice")
    (place / "replay.html").write_text(render_replay(replay), encoding="utf-8")
    return place


WIDE = "[...document.querySelectorAll('body *')].filter(e => !e.closest('svg') && !e.closest('.hidden') && "
WIDE += "e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 80))"


@pytest.mark.parametrize("name", [*MOMENTS, "replay"])
def test_pages_load_without_complaints_and_fit_a_telephone(
    browser: Chromium, folder: Path, name: str
) -> None:
    with browser.page(folder / f"{name}.html", width=360, height=740) as page:
        assert page.complaints() == []
        assert page.ask("document.documentElement.scrollWidth") <= 360
        assert page.ask(WIDE) == []
        assert page.ask("document.title").strip()
        assert page.ask("document.querySelectorAll('h1').length") == 1


@pytest.mark.parametrize("name", MOMENTS)
def test_reports_print_on_two_pages_without_a_cut_board(browser: Chromium, folder: Path, name: str) -> None:
    """Boards are kept whole by the style; none is taller than a sheet; colours are those of paper."""
    with browser.page(folder / f"{name}.html", width=703, height=1000, dark=True) as page:
        sheets = re.findall(rb"/Type\s*/Page\b", page.paper())
        assert 1 <= len(sheets) <= 2
        page.call(
            "Emulation.setEmulatedMedia",
            media="print",
            features=[{"name": "prefers-color-scheme", "value": "dark"}],
        )
        boards: list[dict[str, Any]] = page.ask(
            "[...document.querySelectorAll('.board')].map(e => ({"
            "whole: getComputedStyle(e).breakInside, height: e.getBoundingClientRect().height,"
            "paper: getComputedStyle(e.querySelector('.mf-paper')).fill}))"
        )
        assert boards
        assert {board["whole"] for board in boards} == {"avoid"}
        assert max(board["height"] for board in boards) < 1000
        assert {board["paper"] for board in boards} == {"rgb(251, 250, 245)"}
        assert page.ask("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_dark_pages_are_dark(browser: Chromium, folder: Path) -> None:
    for dark, ground in ((False, "rgb(244, 241, 232)"), (True, "rgb(16, 18, 20)")):
        with browser.page(folder / "bloody.html", dark=dark) as page:
            assert page.ask("getComputedStyle(document.body).backgroundColor") == ground


def test_boards_and_dice_look_right_without_the_style_sheet(
    browser: Chromium, folder: Path, tmp_path: Path
) -> None:
    """Mail programs take <style> out: the boards are then the light ones, and dice keep their size."""
    html = (folder / "bloody.html").read_text(encoding="utf-8")
    bare = tmp_path / "bare.html"
    bare.write_text(re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL), encoding="utf-8")
    look = (
        "(() => {const all = q => [...document.querySelectorAll(q)];"
        "const fill = q => [...new Set(all(q).map(e => getComputedStyle(e).fill))];"
        "return {sheets: document.styleSheets.length, paper: fill('.board>svg>.mf-paper'),"
        "caption: fill('.m-cp'), size: getComputedStyle(all('.m-cp')[0]).fontSize,"
        "dice: [...new Set(all('.die').map(e => e.getBoundingClientRect().width))],"
        "black: all('.board svg :not(defs, defs *)').filter(e => getComputedStyle(e).fill === 'rgb(0, 0, 0)')"
        ".length}})()"
    )
    with browser.page(bare, width=900) as page:
        assert page.ask(look) == {
            "sheets": 0,
            "paper": ["rgb(251, 250, 245)"],
            "caption": ["rgb(34, 38, 43)"],
            "size": "12px",
            "dice": [34],
            "black": 0,
        }


def test_every_picture_has_words(browser: Chromium, folder: Path) -> None:
    """Boards and dice have names for a screen reader."""
    with browser.page(folder / "bloody.html") as page:
        nodes = page.call("Accessibility.getFullAXTree")["nodes"]
        pictures = [node for node in nodes if node.get("role", {}).get("value") in ("image", "img")]
        assert len(pictures) >= 3
        assert all(node.get("name", {}).get("value") for node in pictures)
        headings = [node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "heading"]
        assert "What is asked of you" in headings
        assert "What you can rely on" in headings


# The replay


def units(page: Page) -> dict[str, list[Any]]:
    """Where the page shows its units: number to label and figures."""
    found: dict[str, list[Any]] = page.ask(
        "Object.fromEntries([...document.querySelectorAll('#board .unit')]"
        ".filter(e => e.style.display !== 'none')"
        ".map(e => [e.id.slice(3), [e.dataset.hex, "
        "Number(e.querySelector('.figures').getAttribute('href').split('n')[1])]]))"
    )
    return found


def expected(frame: int) -> dict[str, list[Any]]:
    """Where the engine has them."""
    last = readings(game_files())[-1]
    state = make_replay(last.log, last.referee).frames[frame].step.state
    labels = state.setup.grid.labels
    return {
        str(unit): [labels[place], state.figures[unit]]
        for unit, place in enumerate(state.pos)
        if place < len(labels)
    }


def test_the_slider_shows_every_position(browser: Chromium, folder: Path) -> None:
    with browser.page(folder / "replay.html") as page:
        last = page.ask("Number(document.getElementById('slider').max)")
        assert last > 100
        for frame in (0, last // 3, last, last // 2, 1):
            page.ask(
                f"(s => {{s.value = {frame}; s.dispatchEvent(new Event('input'))}})"
                "(document.getElementById('slider'))"
            )
            assert units(page) == expected(frame)
        assert page.complaints() == []


def test_keys_and_buttons_move_the_replay(browser: Chromium, folder: Path) -> None:
    with browser.page(folder / "replay.html") as page:

        def now() -> int:
            return int(page.ask("document.getElementById('slider').value"))

        assert now() == 0
        page.press("ArrowRight")
        page.press("ArrowRight")
        page.press("ArrowLeft")
        assert now() == 1
        page.press("End")
        assert now() == page.ask("Number(document.getElementById('slider').max)")
        assert page.ask("document.getElementById('said').textContent").endswith("has signed the result.")
        page.press("Home")
        assert now() == 0
        page.ask("document.getElementById('turn-forth').click()")
        first = now()
        assert page.ask("document.getElementById('where').textContent").startswith("Turn 1 ")
        page.press("PageDown")
        assert page.ask("document.getElementById('where').textContent").startswith("Turn 2 ")
        page.press("PageUp")
        assert now() == first
        page.press("m")
        assert page.ask("document.querySelectorAll('li.present.k-medal, li.present.k-over').length") >= 1
        page.ask("document.querySelector('[data-go]').click()")
        assert now() == page.ask("Number(document.querySelector('[data-go]').dataset.go)")
        page.ask("document.querySelectorAll('.turn li')[3].click()")
        assert now() == page.ask("Number(document.querySelectorAll('.turn li')[3].dataset.frame)")
        assert page.complaints() == []


def test_the_replay_shows_medals_and_the_opened_hand(browser: Chromium, folder: Path) -> None:
    last = readings(game_files())[-1]
    state = last.referee.now
    with browser.page(folder / "replay.html") as page:
        assert page.ask("document.getElementById('medals0').textContent").startswith("0 of ")
        page.press("End")
        for side in (0, 1):
            target = state.setup.target[side]
            words = page.ask(f"document.getElementById('medals{side}').textContent")
            assert words == f"{state.medals(side)} of {target} medals"
            stars = f'#board .track[data-side="{side}"] .mf-gold path'
            assert page.ask(f"document.querySelectorAll('{stars}').length") == state.medals(side)
        hand = page.ask("document.getElementById('hand').textContent")
        assert hand.count(",") + 1 == len(last.desk(0).hand())


def test_playing_goes_on_by_itself_and_stops(browser: Chromium, folder: Path) -> None:
    with browser.page(folder / "replay.html") as page:
        page.ask("document.getElementById('pace').value = '500'")
        page.press(" ")
        assert page.ask("document.getElementById('play').textContent") == "Pause"
        page.ask("new Promise(done => setTimeout(done, 1800))")
        moved = int(page.ask("document.getElementById('slider').value"))
        assert moved >= 1
        page.press(" ")
        assert page.ask("document.getElementById('play').textContent") == "Play"


def test_without_script_the_story_and_the_last_board_are_there(browser: Chromium, folder: Path) -> None:
    with browser.page(folder / "replay.html", width=360, script=False) as page:
        document = page.call("DOM.getDocument", depth=0)["root"]["nodeId"]

        def box(selector: str) -> bool:
            """Whether the first such element is shown."""
            node = page.call("DOM.querySelector", nodeId=document, selector=selector)["nodeId"]
            try:
                page.call("DOM.getBoxModel", nodeId=node)
            except RuntimeError:
                return False
            return True

        assert box(".turn:last-of-type li:last-child")
        assert box("#board svg")
        assert box("figcaption.unscripted")
        assert not box("#slider")
