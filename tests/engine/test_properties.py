"""What must hold in every position: checked on drawn battles and on battles of the library."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine import (
    Answer,
    IllegalDecision,
    State,
    apply,
    chance,
    digest,
    is_over,
    legal,
    movement,
    start,
    view,
    with_hand,
)
from engine.croupier import Croupier
from engine.hands import unseen
from engine.setup import Setup, compile_setup
from engine.state import MOVED, NOBODY
from engine.victory import tempting_hexes
from scripts.soak import check_conserved
from tests.drawing import position
from tests.strategies import Mirror, choose, meaning, moments, picture_of, play_on, setups

ROOT = Path(__file__).parents[2]
VERBS = (
    "drop", "card", "section", "order", "target", "strike", "heal", "move", "exit", "attack", "clear",
    "battle", "retreat", "ground", "ignore", "discard", "done", "pass", "stay", "roll", "draw", "shuffle", "",
)  # fmt: skip


def examples(count: int) -> settings:
    """So many examples, the same ones in every run; shrinking whole games would take minutes."""
    return settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        phases=(Phase.explicit, Phase.generate),
        suppress_health_check=list(HealthCheck),
    )


def near_misses(state: State, luck: random.Random) -> list[Answer]:
    """Answers that look like legal ones, and some that do not."""
    found: list[Answer] = [(), *((verb,) for verb in VERBS)]
    size = state.setup.grid.size
    for answer in legal(state)[:30]:
        found += [(*answer, 0), answer[:-1], (answer[0], *answer[:0:-1]), (luck.choice(VERBS), *answer[1:])]
        changed = list(answer)
        changed[luck.randrange(len(changed))] = luck.randrange(-2, size + 2)
        found.append(tuple(changed))
    for verb in VERBS:
        found.append((verb, *(luck.randrange(size) for _ in range(luck.randrange(1, 4)))))
        found.append(
            (verb, luck.choice(("left", "center", "ambush", "probe-left", "air-power", "?", "none")))
        )
    return found


@examples(60)
@given(moments(), st.integers(0, 2**32))
def test_apply_accepts_exactly_what_legal_lists(state: State, seed: int) -> None:
    """R28: an answer that is listed is taken, any other is refused, and the state handed in never changes."""
    before, answers = digest(state), legal(state)
    assert len(set(answers)) == len(answers)
    if not chance(state):
        assert answers
        for answer in answers:
            apply(state, answer)
        for answer in near_misses(state, random.Random(seed)):
            if answer not in answers:
                with pytest.raises(IllegalDecision):
                    apply(state, answer)
    assert digest(state) == before
    assert legal(state) == answers


@examples(40)
@given(moments(), st.integers(0, 2**32))
def test_chance_accepts_only_outcomes_that_can_be(state: State, seed: int) -> None:
    """R56, R121, R122: dice with the right number of real faces, cards that are left, nothing else."""
    luck = random.Random(seed)
    croupier = Croupier(state, luck)
    while not chance(state):
        state = apply(state, choose(state, luck)).state
        if is_over(state):
            return
    before = digest(state)
    kind = chance(state)
    wrong: list[Answer] = [
        (),
        ("done",),
        ("order", 5),
        (kind, 9),
        (kind, -1),
        (kind, "none"),
        (kind, "?", "?", 3),
    ]
    if kind == "roll":
        assert state.roll is not None
        right = croupier.answer(state)
        wrong += [right[:-1], (*right, 0), ("draw", *right[1:])]
        apply(state, right)
    for answer in wrong:
        with pytest.raises(IllegalDecision):
            apply(state, answer)
    assert digest(state) == before


def follow(setup: Setup, mirror: Mirror, steps: int, seed: int) -> None:
    """Play a game and its mirror image side by side; they must stay images of each other."""
    luck = random.Random(seed)
    ours, theirs = start(setup), start(compile_setup(mirror.battle(setup.battle), setup.options.as_text()))
    croupier = Croupier(ours, luck)
    for _ in range(steps):
        assert mirror.picture(ours) == picture_of(theirs)
        if is_over(ours):
            return
        if chance(ours):
            answer = croupier.answer(ours)
            image = mirror.answer(answer, ours.roll.faces if ours.roll else 6)
        else:
            answer = choose(ours, luck)
            there = {meaning(theirs, other): other for other in legal(theirs)}
            images = {meaning(theirs, mirror.answer(other)) for other in legal(ours)}
            assert images == set(there)
            image = there[meaning(theirs, mirror.answer(answer))]
        ours, theirs = apply(ours, answer).state, apply(theirs, image).state


@examples(30)
@given(setups(), st.integers(0, 2**32))
def test_left_and_right_exchanged_change_nothing_else(setup: Setup, seed: int) -> None:
    """R4, R10, C27a: a board in a mirror, with left cards for right ones, offers mirrored choices."""
    follow(setup, Mirror(turned=False), 250, seed)


@examples(30)
@given(setups(), st.integers(0, 2**32))
def test_a_board_turned_round_with_its_players_is_the_same_game(setup: Setup, seed: int) -> None:
    """R7, R10, R93: turned by 180 degrees, each side at the other edge, a game offers the turned choices."""
    follow(setup, Mirror(turned=True), 250, seed)


@examples(40)
@given(setups(), st.integers(0, 2**32))
def test_figures_cards_and_medals_are_conserved(setup: Setup, seed: int) -> None:
    """R21, R90, R121, M24: cards are in one place each; medals are what was eliminated, held or led off."""
    state = start(setup)
    luck = random.Random(seed)
    croupier = Croupier(state, luck)
    won, held = [0, 0], [0, 0]
    for _ in range(400):
        if is_over(state):
            break
        figures = state.figures
        state, events = apply(state, croupier.answer(state) if chance(state) else choose(state, luck))
        for event in events:
            if event[0] == "medal":
                (held if event[3] == "objective" else won)[event[1]] += event[2]
                if event[3] == "elimination":
                    assert event[2] == setup.worth[event[4]]
                    assert state.pos[event[4]] == NOBODY
                    assert state.figures[event[4]] == 0
            elif event[0] == "medal-lost":
                held[event[1]] -= setup.prize[event[3]]
            elif event[0] == "healed":
                assert event[3] == figures[event[1]] + event[2]
            elif event[0] == "eliminated":
                assert state.figures[event[1]] == 0
        check_conserved(state)
        assert tuple(won) == state.score
        assert [state.total(side) for side in (0, 1)] == [won[side] + held[side] for side in (0, 1)]
        if is_over(state):
            assert state.winner in (0, 1)


@examples(20)
@given(setups(), st.integers(0, 2**32))
def test_the_same_answers_give_the_same_digests(setup: Setup, seed: int) -> None:
    """R130: a game replayed from its answers alone has the same digest after every step."""
    answers: list[Answer] = []
    digests: list[str] = []

    def note(before: State, answer: Answer, after: State) -> None:
        answers.append(answer)
        digests.append(digest(after))

    play_on(start(setup), 200, seed, note)
    state = start(compile_setup(setup.battle, setup.options.as_text()))
    for answer, expected in zip(answers, digests, strict=True):
        state = apply(state, answer).state
        assert digest(state) == expected


def test_digests_do_not_depend_on_the_hash_seed() -> None:
    """R130: two interpreters with different hash seeds play the same game to the same digest."""
    program = (
        "from pbem.library import load_battle; from engine import digest, new_game;"
        "from tests.strategies import play_on;"
        "print(digest(play_on(new_game(load_battle('sword-beach')), 400, 7)))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(printed) == 1
    assert len(printed.pop().strip()) == 64


@examples(60)
@given(moments(), st.integers(0, 2**32))
def test_a_view_does_not_show_what_only_hidden_cards_decide(state: State, seed: int) -> None:
    """R130: deal the other hands anew from the cards nobody has shown; no seat sees a difference."""
    luck = random.Random(seed)
    for seat in range(len(state.setup.seats)):
        other = 1 - seat
        # Every card that is neither shown nor in the hand of the seat that looks.
        faces = state.setup.decks[0].faces
        left = unseen(view(state, seat), 0)
        hidden = [faces[face] for face, count in enumerate(left) for _ in range(count)]
        luck.shuffle(hidden)
        changed = with_hand(state, other, tuple(hidden[: len(state.hands[other])]))
        assert digest(changed) == digest(state) == digest(view(state, seat)) == digest(view(changed, seat))
        assert legal(view(changed, seat)) == legal(view(state, seat))
        assert view(changed, seat).hands == view(state, seat).hands
        if state.seat == seat:
            assert legal(view(state, seat)) == legal(state)
        else:
            assert set(legal(state)) <= set(legal(view(state, seat)))


def test_a_hand_that_cannot_be_is_refused() -> None:
    """R130: a hand has as many cards as were dealt, and only cards of its deck."""
    s = position("G3 allies infantry\nG7 axis infantry", hand=("recon-left",))
    before = digest(s)
    for keys in ((), ("probe-left", "probe-left")):
        with pytest.raises(IllegalDecision, match=f"the hand has 1 cards, not {len(keys)}"):
            with_hand(s, 0, keys)
    with pytest.raises(IllegalDecision, match='no card "no-such-card"'):
        with_hand(s, 0, ("no-such-card",))
    assert digest(s) == before


@examples(40)
@given(setups(), st.integers(0, 2**32))
def test_a_copy_that_knows_no_hand_follows_the_same_game(setup: Setup, seed: int) -> None:
    """R130: given the same answers and cards that it cannot read, a verifier stays at the same digest."""
    copies = [start(setup)]

    def follow_blind(before: State, answer: Answer, after: State) -> None:
        copy = copies[-1]
        if answer[0] == "draw":
            answer = ("draw", *("?" for _ in answer[1:]))
        elif not chance(before):
            assert set(legal(before)) <= set(legal(copy))
        copies.append(apply(copy, answer).state)
        assert digest(copies[-1]) == digest(after)

    play_on(start(setup), 250, seed, follow_blind)
    assert set(map(len, copies[-1].hands)) == {
        sum(1 for face in hand if face < 0) for hand in copies[-1].hands
    }


@examples(40)
@given(setups(), st.integers(0, 2**32))
def test_the_quick_search_for_moves_finds_what_the_plain_one_finds(setup: Setup, seed: int) -> None:
    """R39, R41, R43, R48, T22a: moves that are listed have the ends and costs of a search step by step."""

    def compare(before: State, answer: Answer, after: State) -> None:
        if after.phase != "move":
            return
        for unit in after.orders:
            limit = movement.allowance(after, unit)
            if after.pos[unit] == NOBODY or after.acts[unit] & MOVED or not limit:
                continue
            quick = tuple(move for move in legal(after) if move[1:2] == (after.pos[unit],))
            plain = movement._search_past(
                after, unit, limit, tempting_hexes(after, setup.side[unit]), free=movement.is_free(after.rule)
            )
            assert ends(after, unit, quick) == ends(after, unit, tuple(plain))

    play_on(start(setup), 300, seed, compare)


def ends(s: State, unit: int, moves: tuple[Answer, ...]) -> set[tuple[int, int]]:
    """Where moves lead, exits apart, and what they cost."""
    return {(move[-1], movement.path_cost(s, unit, move[1:])) for move in moves if move[0] == "move"}


@examples(25)
@given(setups(), st.integers(0, 2**32), st.booleans())
def test_random_play_ends(setup: Setup, seed: int, busy: bool) -> None:
    """R20, R25: whatever is played, there is always an answer, and the game has an end."""
    state = start(setup)
    last = play_on(state, 60_000, seed, busy=busy)
    if any(unit.arm != 2 for unit in setup.types):  # guns alone may never meet
        assert is_over(last)
        assert last.winner in (0, 1)
