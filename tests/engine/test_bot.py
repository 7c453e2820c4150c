"""The bots: what they choose in plain positions, what they must not look at, and how often they win."""

from __future__ import annotations

import random

import pytest

from benchmarks.bots import BATTLES, wins
from engine import Answer, State, apply, hand_keys, legal, new_game, view, with_hand
from engine.appraisal import Appraisal, damage
from engine.battle import ObjectiveFacts
from engine.bot import BOTS, can_give
from pbem.library import load_battle, scenario_names
from scripts.soak import Faulty, Game, check_conserved, soak
from tests.drawing import play, position
from tests.strategies import play_on


def thinks(s: State, bot: str = "sergeant") -> str:
    """What a bot answers, as text: hexes by label."""
    answer = BOTS[bot](view(s, s.seat), random.Random(0))
    assert answer in legal(s)
    labels = s.setup.grid.labels
    return " ".join(
        labels[part] if isinstance(part, int) and answer[0] != "ignore" else str(part) for part in answer
    )


def test_damage_is_exact_for_small_numbers() -> None:
    """R88: one die hits infantry with three sides of six; one of two dice does with 27 of 36 pairs."""
    assert damage(1, 3, 1, 4, 100) == (3 * (90 // 4 + 100)) // 6
    assert damage(2, 3, 1, 4, 100) == (27 * (90 // 4 + 100)) // 36
    assert damage(0, 3, 1, 4, 100) == 0


def test_the_sergeant_takes_the_shot_that_kills() -> None:
    s = position(
        "G5 allies infantry\nH5 axis infantry 1\nF5 axis infantry 4\nB9 axis infantry", card="probe-center"
    )
    s = play(s, "order G5", "done")
    assert thinks(s) == "attack G5 H5"


def test_the_sergeant_shoots_at_the_open_rather_than_into_a_town() -> None:
    """T11: a town takes a die from infantry."""
    s = position(
        "G5 allies infantry\nI5 axis infantry\nE5 axis infantry : town\nB9 axis infantry", card="probe-center"
    )
    s = play(s, "order G5", "done")
    assert thinks(s) == "attack G5 I5"


def test_the_sergeant_orders_the_unit_that_can_do_something() -> None:
    s = position(
        "G5 allies infantry\nG1 allies infantry\nh6 axis infantry 1\nB9 axis infantry", card="recon-center"
    )
    assert thinks(s) == "order G5"


def test_the_sergeant_marches_onto_an_objective() -> None:
    bridge = ObjectiveFacts("temporary", ("allies",), ("G7",))
    s = position("G5 allies infantry\nA9 axis infantry", card="probe-center", objectives=(bridge,))
    s = play(s, "order G5")
    assert thinks(s).split()[-1] == "G7"


def test_the_sergeant_does_not_walk_guns_into_tanks() -> None:
    """U5: artillery moves or battles; beside tanks it does neither well."""
    s = position("G3 allies artillery\nG7 axis armor\nH7 axis armor\nB9 axis infantry", card="probe-center")
    s = play(s, "order G3")
    assert thinks(s) == "done"
    assert thinks(play(s, "done")) in ("attack G3 G7", "attack G3 H7")


def test_a_gun_would_rather_be_farther_from_tanks() -> None:
    """U5, U6: near a tank the hex behind a gun is worth more than its own, the one before it less."""
    s = position("G3 allies artillery\nG5 axis armor 1\nB9 axis infantry", card="probe-center")
    guns = Appraisal(s, 0)
    unit = s.occupant[s.setup.grid.parse("G3")]
    away, toward = s.setup.grid.parse("g2"), s.setup.grid.parse("g4")
    assert guns.place(unit, away) > guns.place(unit, s.setup.grid.parse("G3")) > guns.place(unit, toward)


def test_the_sergeant_stays_behind_walls_when_a_flag_may_be_ignored() -> None:
    """R100: a bunker lets its owner ignore a flag; outside the tanks are waiting."""
    s = position(
        "G5 allies infantry : hill + bunker allies\nh6 axis armor\ng6 axis armor\nf6 axis armor",
        first="axis",
        card="probe-center",
        enemy_hand=("probe-left",) * 2,
    )
    s = play(s, "order g6", "done", "done", "attack g6 G5")
    while s.phase == "react":
        s = play(s, "pass")
    s = play(s, "roll" + " flag" + " star" * (s.roll.dice - 1 if s.roll else 0))
    assert s.phase == "ignore"
    assert thinks(s) == "ignore 1"


def test_the_sergeant_retreats_into_cover() -> None:
    s = position(
        "G5 allies infantry\nf4 forest\nh6 axis armor\ng6 axis armor",
        first="axis",
        card="probe-center",
        enemy_hand=("probe-left",) * 2,
    )
    s = play(s, "order g6", "done", "done", "attack g6 G5")
    while s.phase == "react":
        s = play(s, "pass")
    s = play(s, "roll flag star star")
    assert s.phase == "retreat"
    assert thinks(s) == "retreat G5 f4"


def test_the_sergeant_ambushes_and_cannot_ambush_with_a_card_it_cannot_read() -> None:
    """C21, R130: a card that may be an Ambush for all that others know is not one its owner can play."""
    s = position(
        "G5 allies infantry\nG1 allies infantry\nH5 axis infantry",
        first="axis",
        card="probe-center",
        enemy_hand=("ambush", "probe-left"),
    )
    s = play(s, "order H5", "done", "attack H5 G5")
    assert s.phase == "react"
    assert thinks(s) == "card ambush"
    unread = with_hand(s, s.seat, ("?", "probe-left"))
    assert ("card", "ambush") in legal(unread)
    for bot in BOTS.values():
        assert bot(view(unread, unread.seat), random.Random(1)) == ("pass",)


def test_the_sergeant_bombs_the_crowd() -> None:
    """C20: Air Power strikes a group of neighbours; three are worth more than one."""
    s = position(
        "G1 allies infantry\nb8 axis infantry\nk8 axis infantry\nl8 axis infantry\nL9 axis infantry",
        card="air-power",
    )
    assert thinks(s).split()[1] in ("k8", "l8", "L9")


def test_the_sergeant_keeps_the_better_card_of_a_recon() -> None:
    """C10: with all units on the left, the order for the right goes."""
    s = position("B3 allies infantry\nC3 allies infantry\nB9 axis infantry", card="recon-left")
    s = play(s, "done", "draw assault-left probe-right")
    assert s.phase == "choose"
    assert thinks(s) == "discard probe-right"


@pytest.mark.parametrize("bot", list(BOTS))
def test_a_bot_plays_only_cards_it_can_read(bot: str) -> None:
    """R130: by mail the newest card is hidden from its owner, who can play any of the others."""
    s = position(
        "G3 allies infantry\nG7 axis infantry",
        card="probe-center",
        hand=("attack-left", "recon-right"),
        play_card=False,
    )
    unread = with_hand(s, 0, ("probe-center", "?", "?"))
    assert len(legal(unread)) > 20
    assert can_give(unread) == (("card", "probe-center"),)
    assert {BOTS[bot](unread, random.Random(seed)) for seed in range(20)} == {("card", "probe-center")}
    nothing = with_hand(s, 0, ("?", "?", "?"))
    assert BOTS[bot](nothing, random.Random(3)) in legal(nothing)


@pytest.mark.parametrize("bot", list(BOTS))
def test_a_bot_does_not_look_at_the_other_hand(bot: str) -> None:
    """R130: with another hand on the other side, the same luck gives the same answers."""
    asked: dict[str, State] = {}  # one moment of every kind of decision

    def remember(before: State, answer: Answer, after: State) -> None:
        asked.setdefault(before.phase, before)

    play_on(new_game(load_battle("sword-beach")), 400, 5, remember)
    asked = {phase: s for phase, s in asked.items() if legal(s)}
    assert {"card", "order", "move", "battle", "react"} <= set(asked)
    for s in asked.values():
        other = 1 - s.seat
        size = len(s.hands[other])
        blind = with_hand(s, other, ("?",) * size)
        deal = with_hand(s, other, (*("probe-left", "air-power", "dig-in", "firefight") * 2,)[:size])
        for seed in range(5):
            assert len({BOTS[bot](state, random.Random(seed)) for state in (s, blind, deal)}) == 1


def test_the_busy_bot_ends_a_phase_only_when_nothing_is_left() -> None:
    s = position("G3 allies infantry\nF3 allies infantry\nG7 axis infantry", card="probe-center")
    answers = {BOTS["busy"](s, random.Random(seed)) for seed in range(30)}
    assert answers == {answer for answer in legal(s) if answer != ("done",)}
    assert {BOTS["random"](s, random.Random(seed)) for seed in range(60)} == set(legal(s))


def test_danger_is_less_in_cover() -> None:
    """R62: cover takes dice from those who might attack next turn."""
    s = position("G5 allies infantry\nF5 forest\nG7 axis infantry\nF7 axis infantry", card="probe-center")
    view_ = Appraisal(s, 0)
    unit = s.occupant[s.setup.grid.parse("G5")]
    assert view_.danger(unit, s.setup.grid.parse("F5")) < view_.danger(unit, s.setup.grid.parse("G5"))


@pytest.mark.parametrize("name", BATTLES)
def test_the_sergeant_beats_the_random_bot(name: str) -> None:
    """Three games a side here; benchmarks/bots.py plays fifty."""
    (allies, _), (axis, _) = wins(name, "sergeant", "random", 3, quiet=True)
    assert allies + axis >= 5


def test_a_modest_soak() -> None:
    """R20, R130: every pair of bots on many battles under all options, without a fault."""
    for number, game in soak(0, 45, scenario_names()[::2]):
        assert isinstance(game, Game), f"game {number}: {game}"
        assert game.turns > 0


def test_the_soak_notices_a_lost_card() -> None:
    s = position("G3 allies infantry\nG7 axis infantry", card="probe-center")
    broken = apply(s, ("done",)).state.copy()
    broken.piles = (broken.piles[0] - 1,)
    with pytest.raises(Faulty, match="59 cards instead of 60"):
        check_conserved(broken)
    assert hand_keys(s, 1) == ("?",) * 4
