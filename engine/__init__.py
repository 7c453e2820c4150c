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
from engine.notation import format_answer, parse_answer
from engine.record import Moment, Record, format_record, parse_record, replay
from engine.refusal import why_no_attack, why_no_move, why_not_order
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
    "Moment",
    "NotationError",
    "Options",
    "Record",
    "ScenarioError",
    "State",
    "Step",
    "apply",
    "chance",
    "digest",
    "fields",
    "format_answer",
    "format_record",
    "hand_keys",
    "is_over",
    "legal",
    "new_game",
    "parse_answer",
    "parse_battle",
    "parse_options",
    "parse_record",
    "replay",
    "reshuffled",
    "start",
    "view",
    "why_no_attack",
    "why_no_move",
    "why_not_order",
    "with_hand",
]
