"""Helpers for tests of refusals: what a typed answer is refused with, and tables of such cases."""

from __future__ import annotations

from typing import Any

import pytest

from engine import IllegalDecision, State, apply, digest
from pbem.library import load_battle
from scripts.golden import play as play_game
from tests.drawing import play

FAR = "A9 axis infantry"


def refusal(s: State, text: str) -> IllegalDecision:
    """What a typed answer is refused with; the state stays what it was."""
    before = digest(s)
    with pytest.raises(IllegalDecision) as caught:
        play(s, text)
    assert digest(s) == before
    assert str(caught.value).endswith(f"({caught.value.rule})")
    return caught.value


def check(s: State, text: str, message: str) -> None:
    assert str(refusal(s, text)) == message


def case(rule: str, drawing: str, text: str, *steps: str, says: str = "", **facts: Any) -> Any:
    """One row of a table of refusals: rule, position, steps that lead on, and the answer that is refused."""
    note = says or text
    return pytest.param(rule, drawing, facts, steps, text, id=f"{rule} {note}")


def states_of(battle: str, options: dict[str, str], seed: int, every: int) -> list[State]:
    """Some states of a random game."""
    state, answers, _ = play_game(load_battle(battle), options, seed)
    found = []
    for number, answer in enumerate(answers):
        if number % every == 0:
            found.append(state)
        state = apply(state, answer).state
    return found
