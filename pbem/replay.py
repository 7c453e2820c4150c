"""A whole game as one page with a slider: works offline, from a file, with a small script of our own.

The board is drawn once, as it stood at the end. A frame says what a step changed: units, wire and sandbags,
objectives, medals, arrows. The story stands in the page as ordinary text whose lines know their frames, so
that without the script the page still shows the last board and everything that happened.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine import NOBODY, State
from engine.terrain import BIT, LOOSE
from pbem.draw import svg_board, svg_style, svg_variables
from pbem.draw.dice import dice_picture, dice_symbols
from pbem.draw.picture import SIDE_NAMES, Goal, Picture, paint
from pbem.draw.scenery import centre
from pbem.draw.svg import medal_sign, medal_track
from pbem.errors import Refused
from pbem.library import template_folder
from pbem.log import Log
from pbem.pages import drawn, page_colours, plain, render
from pbem.referee import Referee, Step
from pbem.report.page import marks_of
from pbem.ruleset import Match
from pbem.story import Line, card_name, fields_of, lines_of, unit_name

PREFIX = "r-"
UNREAD = "a card that was not readable yet"


class Frame(NamedTuple):
    """One moment of the replay: a step that changed or said something."""

    number: int
    step: Step
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """Everything a replay shows."""

    match: Match
    chair: int | None  # side of the reader, addressed as "you"; None for anybody
    bottom: int | None  # side at the bottom of the board
    frames: tuple[Frame, ...]
    notes: dict[int, tuple[str, str]]  # by file: who says what
    hands: dict[int, tuple[str, ...]]  # by file: the opened hand after it
    owner: str  # whose hand is open, or ""
    is_over: bool

    @property
    def last(self) -> State:
        """The position at the end."""
        return self.frames[-1].step.state


def make_replay(
    log: Log,
    referee: Referee,
    *,
    chair: int | None = None,
    bottom: int | None = None,
    hands: dict[int, tuple[str, ...]] | None = None,
    owner: str = "",
) -> Replay:
    """The replay of a game; raises Refused before its first step."""
    match = referee.match
    if match is None or not referee.steps:
        raise Refused("the game has not begun: there is nothing to replay", hint="wait for the answer")
    frames: list[Frame] = []
    for step in referee.steps:
        lines = tuple(lines_of(step, match, chair=chair))
        if lines or not frames:
            frames.append(Frame(len(frames), step, lines))
    notes = {
        entry.number: (match.called[entry.seat], action.value)
        for entry in log.entries
        for action in entry.actions
        if action.name == "say"
    }
    side = chair if bottom is None else bottom
    return Replay(match, chair, side, tuple(frames), notes, hands or {}, owner, referee.winner >= 0)


def replay_json(replay: Replay) -> dict[str, Any]:
    """The replay as plain values: every frame with its sentences and events."""
    setup = replay.match.setup
    return {
        "battle": replay.match.battle.title,
        "players": list(replay.match.called),
        "over": replay.is_over,
        "frames": [
            {
                "file": frame.step.file,
                "turn": frame.step.state.turn,
                "medals": [frame.step.state.medals(0), frame.step.state.medals(1)],
                "lines": [line.text for line in frame.lines],
                "events": [fields_of(event, setup) for event in frame.step.events],
            }
            for frame in replay.frames
        ],
    }


# The story with its frames


def _turns(replay: Replay) -> list[dict[str, Any]]:
    """The lines of the story by turns; every line names its frame."""
    turns: list[dict[str, Any]] = []
    state = replay.frames[0].step.state
    current = _turn(0, state.side)
    told: set[int] = set()
    for frame in replay.frames:
        for line in frame.lines:
            if line.kind == "turn":
                turns.append(current)
                current = _turn(frame.step.state.turn, frame.step.state.side)
            current["lines"].append(_line(frame.number, line))
        file = frame.step.file
        if file in replay.notes and file not in told:
            told.add(file)
            name, text = replay.notes[file]
            current["lines"].append(
                {"frame": frame.number, "kind": "note", "text": plain(f"{name} writes: {text}"), "dice": ""}
            )
    turns.append(current)
    return [turn for turn in turns if turn["lines"]]


def _turn(number: int, side: int) -> dict[str, Any]:
    title = f"Turn {number}, the {SIDE_NAMES[side]}" if number else "Before the first turn"
    return {"number": number, "title": title, "side": ("allies", "axis")[side], "lines": []}


def _line(frame: int, line: Line) -> dict[str, Any]:
    dice = drawn(dice_picture(line.faces, line.effects)) if line.faces else ""
    return {"frame": frame, "kind": line.kind, "text": plain(line.text), "dice": dice}


# What the script gets


def frame_values(replay: Replay) -> list[dict[str, Any]]:
    """For every frame what has changed: units, features, objectives, medals; and its arrows."""
    found = []
    before: State | None = None
    for frame in replay.frames:
        state = frame.step.state
        value: dict[str, Any] = {"t": state.turn, "f": frame.step.file}
        changes = {
            "u": _units(before, state),
            "l": _changed(before.marks if before else None, state.marks),
            "o": _changed(before.held if before else None, state.held),
        }
        value |= {key: rows for key, rows in changes.items() if rows}
        if before is None or (before.score, before.held) != (state.score, state.held):
            value["m"] = [state.medals(0), state.medals(1)]
        marks = marks_of([frame.step])
        value |= {key: rows for key, rows in zip("vaxs", map(_listed, marks), strict=True) if rows}
        if any(line.kind in ("medal", "medal-lost", "over") for line in frame.lines):
            value["j"] = 1
        found.append(value)
        before = state
    return found


def _units(before: State | None, state: State) -> list[list[int]]:
    """Units that moved or lost figures: number, hex (-1: off the board), figures."""
    return [
        [unit, -1 if place == NOBODY else place, state.figures[unit]]
        for unit, place in enumerate(state.pos)
        if before is None or (before.pos[unit], before.figures[unit]) != (place, state.figures[unit])
    ]


def _changed(before: bytes | None, now: bytes) -> list[list[int]]:
    """Places of a row of bytes that changed, with their new values; at first those that are not empty."""
    if before is None:
        return [[place, value] for place, value in enumerate(now) if value not in (0, NOBODY)]
    return [[place, new] for place, (old, new) in enumerate(zip(before, now, strict=True)) if old != new]


def _listed(rows: Sequence[Any]) -> list[Any]:
    return [list(row) if isinstance(row, tuple) else row for row in rows]


def page_values(replay: Replay) -> dict[str, Any]:
    """Everything the script needs: the fixed facts, then the frames."""
    setup = replay.match.setup
    picture = paint(replay.last, chair=replay.bottom)
    return {
        "prefix": PREFIX,
        "hexes": [[place.label, *centre(place)] for place in picture.ground.places],
        "units": [
            [setup.side[unit], f"{kind.key}{setup.side[unit]}", plain(unit_name(setup, unit))]
            for unit, kind in enumerate(setup.types)
        ],
        "loose": [[BIT[key], key] for key in LOOSE],
        "goals": _goal_signs(picture),
        "tracks": [
            [medal_track(medals, setup.target[side]) for medals in range(setup.target[side] + 1)]
            for side in (0, 1)
        ],
        "targets": list(setup.target),
        "hands": {str(file): list(cards) for file, cards in replay.hands.items()},
        "frames": frame_values(replay),
    }


def _goal_signs(picture: Picture) -> list[list[str]]:
    """For every objective what its medal looks like: held by nobody, by the Allies, by the Axis."""
    return [[medal_sign(Goal(goal.facts, holder)) for holder in (None, 0, 1)] for goal in picture.goals]


def _json(value: Any) -> str:
    """A value as JSON that cannot end the element it stands in."""
    text = json.dumps(value, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


# The page


def render_replay(replay: Replay) -> str:
    """The replay as one HTML page that needs nothing else."""
    script = template_folder().joinpath("replay.js").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    match = replay.match
    title = f"{match.battle.title}: {'the whole battle' if replay.is_over else 'the battle so far'}"
    return render(
        "replay.html.j2",
        title=plain(title),
        players=[_player(match, replay.last, side) for side in (0, 1)],
        board=drawn(_board(replay)),
        turns=_turns(replay),
        medals=_medals(replay),
        owner=plain(replay.owner),
        data=drawn(_json(page_values(replay))),
        script=drawn(script),
        digest=digest,
        symbols=drawn(dice_symbols()),
        colours=drawn(page_colours() + svg_style("auto")),
        light=drawn(svg_variables("light")),
    )


def _board(replay: Replay) -> str:
    return svg_board(replay.last, chair=replay.bottom, ids_prefix=PREFIX, style=False)


def _player(match: Match, state: State, side: int) -> dict[str, Any]:
    seat = match.seat_of(match.seat_for_side(side))
    return {
        "side": SIDE_NAMES[side],
        "name": plain(match.called[seat]),
        "nation": plain(match.battle.sides[side].nation),
        "medals": state.medals(side),
        "target": match.setup.target[side],
    }


def _medals(replay: Replay) -> list[dict[str, Any]]:
    """The moments at which medals were won or lost."""
    return [
        {"frame": frame.number, "turn": frame.step.state.turn, "text": plain(line.text)}
        for frame in replay.frames
        for line in frame.lines
        if line.kind in ("medal", "medal-lost", "over")
    ]


# Opened hands


def open_hands(files: Iterable[bytes], seat: int, identity: Any) -> dict[int, tuple[str, ...]]:
    """The hand of a seat after every file, read with its owner's identity; raises Refused before the end."""
    from pbem.draft import Desk

    log, referee = Log(trusting=True), Referee()
    found: dict[int, tuple[str, ...]] = {}
    for data in files:
        log, entry = log.check(data)
        referee = referee.read(entry)
        if log.count > 1:
            keys = [card.key for card in Desk(log, referee, identity, seat).hand()]
            found[entry.number] = tuple(UNREAD if key == "?" else card_name(key) for key in keys)
    if not log.ended:
        raise Refused("a hand is opened only after the end of the game", hint="leave --open-hand out")
    return found
