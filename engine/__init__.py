"""The rules of the game: pure, deterministic, and knowing nothing of files, keys or people.

    state = new_game(parse_battle(text, name="pegasus-bridge"))
    state, events = apply(state, legal(state)[0])

At any moment exactly one thing is pending: a decision of `state.seat` with all its answers in `legal(state)`,
a chance event (`chance(state)` says which), or the end. See docs/architecture.md.
"""

from engine.answers import Answer, Event
from engine.battle import RULES_VERSION, Battle, Options, parse_options
from engine.errors import EngineError, IllegalDecision, NotationError, ScenarioError
from engine.events import EVENTS, fields
from engine.scenario import parse_battle
from engine.state import HIDDEN, NOBODY, State, digest
from engine.turn import (
    Step,
    apply,
    chance,
    hand_keys,
    is_over,
    legal,
    new_game,
    reshuffled,
    start,
    view,
    with_hand,
)

__all__ = [
    "EVENTS",
    "HIDDEN",
    "NOBODY",
    "RULES_VERSION",
    "Answer",
    "Battle",
    "EngineError",
    "Event",
    "IllegalDecision",
    "NotationError",
    "Options",
    "ScenarioError",
    "State",
    "Step",
    "apply",
    "chance",
    "digest",
    "fields",
    "hand_keys",
    "is_over",
    "legal",
    "new_game",
    "parse_battle",
    "parse_options",
    "reshuffled",
    "start",
    "view",
    "with_hand",
]
