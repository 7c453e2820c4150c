"""The replay: frames that add up to the game, and nothing in them that is not public."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from typing import Any

import pytest

from engine import NOBODY
from pbem.errors import Refused
from pbem.library import template_folder
from pbem.replay import UNREAD, Replay, make_replay, open_hands, page_values, render_replay, replay_json
from pbem.story import card_name, tell
from tests.mailgame import ALICE, BOB
from tests.pages import addresses, read_page
from tests.readings import EVIL, game_files, readings, strange_files


def replay_of(files: tuple[bytes, ...], **options: Any) -> Replay:
    """The replay of a game as far as its files go."""
    last = readings(files)[-1]
    return make_replay(last.log, last.referee, **options)


def embedded(html: str) -> dict[str, Any]:
    """The values that the script of a page gets."""
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', html, re.S)
    return dict(json.loads(text))


@pytest.mark.parametrize("name", ["pegasus-bridge", "sainte-mere-eglise"])
def test_the_frames_add_up_to_every_position(name: str) -> None:
    """Whoever applies the changes frame by frame has the engine's position after each."""
    replay = replay_of(game_files(name))
    values = embedded(render_replay(replay))
    assert values == json.loads(json.dumps(page_values(replay)))
    size, count = len(values["hexes"]), len(values["units"])
    pos, figures, loose = [NOBODY] * count, [0] * count, [0] * size
    held, medals = [NOBODY] * len(values["goals"]), [0, 0]
    assert len(values["frames"]) == len(replay.frames) > 100
    for value, frame in zip(values["frames"], replay.frames, strict=True):
        state = frame.step.state
        for unit, place, left in value.get("u", ()):
            pos[unit], figures[unit] = NOBODY if place < 0 else place, left
        for place, bits in value.get("l", ()):
            loose[place] = bits
        for goal, side in value.get("o", ()):
            held[goal] = side
        medals = value.get("m", medals)
        assert bytes(pos) == state.pos
        assert bytes(figures) == state.figures
        assert bytes(loose) == state.marks
        assert bytes(held) == state.held
        assert medals == [state.medals(0), state.medals(1)]
        assert (value["t"], value["f"]) == (state.turn, frame.step.file)
        assert ("j" in value) == any(line.kind in ("medal", "medal-lost", "over") for line in frame.lines)
        assert len(value.get("v", ())) == sum(e[0] in ("moved", "ground") for e in frame.step.events)
        assert len(value.get("a", ())) == sum(e[0] == "attack" for e in frame.step.events)


def test_the_page_tells_the_whole_story_without_its_script() -> None:
    files = game_files()
    replay = replay_of(files)
    referee = readings(files)[-1].referee
    assert referee.match is not None
    html = render_replay(replay)
    found = read_page(html)
    for step in referee.steps:
        for text in tell(step, referee.match):
            assert text in found.text
    assert addresses(html) == set()
    assert found.tags["script"] == 2
    assert not {"img", "iframe", "object", "form", "link"} & set(found.tags)
    assert len(html.encode()) < 600_000


def test_only_the_own_script_may_run() -> None:
    html = render_replay(replay_of(game_files()))
    script = template_folder().joinpath("replay.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in html
    assert f"<script>{script}</script>" in html
    assert "</script" not in script


def test_wicked_names_stay_words() -> None:
    html = render_replay(replay_of(strange_files()))
    found = read_page(html)
    assert found.tags["script"] == 2
    assert EVIL in found.text
    assert "<b>Bridge</b>" in found.text
    assert "<img src=x" in found.text
    assert "img" not in found.tags
    assert "<b>Bridge" not in html


# Hands


def test_hands_stay_hidden() -> None:
    """No name of a card is in a replay that has not been shown in the game."""
    files = game_files()[:12]
    reading = readings(files)[-1]
    html = render_replay(replay_of(files))
    shown = {
        word
        for step in reading.referee.steps
        for event in step.events
        for word in event
        if isinstance(word, str)
    }
    hidden = {card.key for seat in (0, 1) for card in reading.desk(seat).hand()} - shown - {"?"}
    assert len(hidden) > 3
    assert not [key for key in hidden if card_name(key) in html or key in html]


def test_a_hand_is_opened_by_its_owner_after_the_end() -> None:
    files = game_files()
    hands = open_hands(files, 1, BOB)
    assert sorted(hands) == list(range(1, len(files)))
    for number in (1, 2, 7, len(files) - 1):
        keys = [card.key for card in readings(files)[number].desk(1).hand()]
        assert hands[number] == tuple(UNREAD if key == "?" else card_name(key) for key in keys)
    html = render_replay(replay_of(files, hands=hands, owner="Bob"))
    assert "<h2>Bob's hand</h2>" in html
    assert embedded(html)["hands"]["7"] == list(hands[7])


def test_no_hand_is_opened_before_the_end_or_by_somebody_else() -> None:
    files = game_files()
    with pytest.raises(Refused, match="only after the end of the game"):
        open_hands(files[:-1], 1, BOB)
    with pytest.raises(Refused, match="this identity does not hold the key of this game"):
        open_hands(files, 1, ALICE)


def test_a_game_that_has_not_begun_has_no_replay() -> None:
    with pytest.raises(Refused, match="the game has not begun"):
        replay_of(game_files()[:1])


def test_the_json_has_a_row_for_every_frame() -> None:
    replay = replay_of(game_files())
    value = replay_json(replay)
    assert json.loads(json.dumps(value)) == value
    assert [row["lines"] for row in value["frames"]] == [
        [line.text for line in frame.lines] for frame in replay.frames
    ]
    assert value["frames"][-1]["medals"] == [replay.last.medals(0), replay.last.medals(1)]
    assert (value["battle"], value["players"], value["over"]) == ("Pegasus Bridge", ["Alice", "Bob"], True)
