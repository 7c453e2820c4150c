"""Why an answer is not legal: the rule that forbids it, in one sentence."""

from __future__ import annotations

from engine.answers import Answer
from engine.errors import IllegalDecision
from engine.state import State


def explain(state: State, answer: Answer) -> IllegalDecision:
    """The refusal of an answer that is not among the legal ones."""
    return IllegalDecision("R28", f'"{answer[0] if answer else ""}" is not possible in this phase')
