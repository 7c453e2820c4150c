"""Every battle of the library, played through by both kinds of bots with several seeds."""

from __future__ import annotations

import pytest

from engine.setup import compile_setup
from pbem.library import load_battle, scenario_names
from scripts.soak import play

PAIRS = [("busy", "busy"), ("sergeant", "sergeant"), ("sergeant", "busy")]


@pytest.mark.parametrize("name", scenario_names())
@pytest.mark.parametrize("bots", PAIRS, ids=" against ".join)
def test_a_battle_is_played_to_its_end(name: str, bots: tuple[str, str]) -> None:
    """R20, R23, R25: somebody wins, by medals, by elimination or as the battle says."""
    setup = compile_setup(load_battle(name))
    for seed in (1, 2):
        end = play(setup, bots, seed).end
        assert end is not None
        assert end.winner in (0, 1)
        assert end.reason in ("medals", "elimination", "sudden-death", "deck-exhausted")
        if end.reason == "medals":
            assert end.medals(end.winner) == setup.target[end.winner]
