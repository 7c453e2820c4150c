"""The sentences of a step of the game: its events in order, and what only the story tells of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import NOBODY, Event, State
from engine.combat import FACES, FLAG, hits
from engine.setup import Setup
from pbem.referee import Step
from pbem.ruleset import Match
from pbem.story.sentences import KINDS, SENTENCES, Line, Scene


def tell(step: Step, match: Match, *, chair: int | None = None) -> list[str]:
    """The sentences of one step."""
    return [line.text for line in lines_of(step, match, chair=chair)]


def told_events(step: Step) -> tuple[Event, ...]:
    """The events of a step, with what only the story tells."""
    state, roll = step.state, step.state.roll
    if roll is None:
        return step.events
    if roll.purpose == "medics" and step.text.startswith("heal "):
        return (*step.events, ("healing", state.focus, roll.dice))
    kinds = [event[0] for event in step.events]
    fight = state.fight
    if roll.purpose == "attack" and fight is not None and kinds and "attack" not in kinds:  # after an Ambush
        return (*step.events, ("goes-on", fight.attacker, fight.target, roll.dice))
    return step.events


def lines_of(step: Step, match: Match, *, chair: int | None = None) -> list[Line]:
    """The sentences of one step with the kinds of their events and the dice that fell."""
    found = []
    events = told_events(step)
    gone = [event[1] for event in events if event[0] == "eliminated"]
    for event, where in zip(events, _places(step.state, events), strict=True):
        scene = Scene(match, step.state, where, chair, step.by)
        text = SENTENCES[event[0]](scene, *event[1:])
        faces = tuple(event[3]) if event[0] == "rolled" else ()
        effects = _effects(step.state, event, gone) if faces else ()
        stop = "" if text.endswith("!") else "."  # "Move Out!"
        found.append(Line(event[0], f"{text[:1].upper()}{text[1:]}{stop}", faces, effects))
    return found


def _effects(state: State, event: Event, gone: Sequence[int]) -> tuple[str, ...]:
    """What each die of an attack does (R88); nothing for other rolls. Nobody obeys flags who is gone."""
    _, purpose, target, faces, _, _ = event
    if purpose not in ("attack", "ambush", "air", "barrage"):
        return ()
    air = purpose == "air"
    flag = "miss" if target in gone else "flag"
    return tuple(
        flag if face == FLAG else "hit" if hits(state, target, (face,), stars=air) else "miss"
        for face in faces
    )


# Where a unit was before an event: by kind, from the event.
_BEFORE: dict[str, Callable[[Event], int]] = {
    "moved": lambda event: int(event[2][0]),
    "retreated": lambda event: int(event[2][0]),
    "ground": lambda event: int(event[2]),
    "eliminated": lambda event: int(event[2]),
    "exited": lambda event: int(event[2]),
    "dropped": lambda event: NOBODY,
}


def _places(state: State, events: Sequence[Event]) -> list[list[int]]:
    """The hex of every unit just before each event of a step, found backwards from its end."""
    now = list(state.pos)
    found = []
    for event in reversed(events):
        if event[0] in _BEFORE:
            now = now.copy()
            now[event[1]] = _BEFORE[event[0]](event)
        found.append(now)
    return found[::-1]


def fields_of(event: Event, setup: Setup) -> dict[str, Any]:
    """An event as a mapping with labels for hexes and words for dice; what `--json` shows."""
    labels = setup.grid.labels

    def label(number: int) -> str | None:
        return None if number == NOBODY else labels[number]

    shown: dict[str, Any] = {"event": event[0]}
    for name, value in zip(KINDS[event[0]], event[1:], strict=True):
        if name in ("hex", "from", "to"):
            shown[name] = label(value)
        elif name == "path":
            shown[name] = [label(h) for h in value]
        elif name == "faces" and event[0] == "rolled":
            shown[name] = [FACES[face] for face in value]
        elif name in ("unit", "target"):
            shown[name] = None if value == NOBODY else value
        elif name == "side":
            shown[name] = ("allies", "axis")[value]
        elif name == "seat":
            shown[name] = setup.seats[value].name
        else:
            shown[name] = list(value) if isinstance(value, tuple) else value
    return shown
