"""The bot that plays by mail: whole games in every mode, its plans, and what these games once broke."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import pytest

from engine.state import State
from pbem.draft import Draft, write_answer
from pbem.errors import Refused
from pbem.library import scenario_text
from pbem.mailbot import battle_plan, decide, standing_orders
from pbem.orders_text import format_order
from pbem.referee import Referee
from pbem.ruleset import build_terms
from pbem.standing import prepare, wishes_of
from pbem.writer import write_offer
from tests.drawing import play, position
from tests.mailgame import ALICE, BOB, Party, byte_source
from tests.skirmish import skirmish

# Where the search for games begins in which something rare happens: the first that showed it.
SHEET_SEED, STRICT_SEED, INSTANT_SEED = 5, 3, 10


class Match(NamedTuple):
    """A game of two bots: its files, and everybody who has checked them."""

    files: list[bytes]
    parties: tuple[Party, Party, Party]


def bot_game(name: str, dice: str, retreat: str, seed: int, *, bot: str = "sergeant") -> Match:
    """Two bots play a battle to its signed end; a stranger checks every file."""
    source, luck = byte_source(seed), random.Random(seed)
    terms = build_terms(
        scenario_text(name),
        army="allies",
        pk=ALICE.pk,
        opponent=BOB.pk,
        names=("Alice", "Bob"),
        dice=dice,
        retreat=retreat,
    )
    parties = (Party(ALICE, 0), Party(BOB, 1), Party())
    files = [write_offer(terms, ALICE, source)]
    _send(files[-1], parties)
    files.append(write_answer(parties[1].log, parties[1].referee, BOB, source))
    _send(files[-1], parties)
    while not parties[2].log.ended:
        author = next(party for party in parties[:2] if party.desk.is_next())
        draft = Draft(author.desk)
        decide(draft, luck, bot=bot)
        prepare(draft, standing_orders())
        files.append(draft.seal(wishes_of(author.desk, standing_orders()), source))
        _send(files[-1], parties)
    return Match(files, parties)


def _send(data: bytes, parties: tuple[Party, ...]) -> None:
    for party in parties:
        party.accept(data)


def check_game(match: Match, *, attacks_by: str) -> Referee:
    """A game must be complete and the same for everybody; the stranger's referee."""
    referee = match.parties[2].referee
    assert referee.confirmed
    assert referee.winner in (0, 1)
    assert len({party.referee.digest() for party in match.parties}) == 1
    attacks = [step for step in referee.steps if step.text.startswith("attack")]
    assert {step.by for step in attacks} == {attacks_by}
    return referee


def test_two_bots_play_with_live_retreats() -> None:
    referee = check_game(bot_game("pegasus-bridge", "sealed", "live", 1), attacks_by="plan")
    assert any(step.by == "do" and step.text.startswith("retreat") for step in referee.steps)


def game_in_which(
    happens: Callable[[Match], bool], name: str, dice: str, retreat: str, seeds: range
) -> Match:
    """The first game of bots in which something happens."""
    for seed in seeds:
        match = bot_game(name, dice, retreat, seed)
        if happens(match):
            return match
    raise AssertionError("it has happened in none of these games")


def is_assaulted_twice(match: Match) -> bool:
    """Whether some unit was assaulted by two units of one arm in one turn."""
    referee = match.parties[2].referee
    asked = Counter(
        (step.state.turn, event[2], referee.now.setup.arm[event[1]])
        for step in referee.steps
        for event in step.events
        if event[0] == "attack" and referee.now.setup.grid.near[event[3]][event[4]] == 1
    )
    return max(asked.values()) > 1


def test_two_bots_play_by_sheet_and_a_box_asked_for_twice_is_opened_once() -> None:
    """C21: a unit assaulted twice by one arm in a run has one box on the sheet."""
    match = game_in_which(is_assaulted_twice, "pegasus-bridge", "sealed", "sheet", range(SHEET_SEED, 40))
    check_game(match, attacks_by="plan")


def obeys_and_retreats(match: Match) -> bool:
    """Whether a defender has refused to ignore a flag and then chosen the way back."""
    pairs = pairwise(step for step in match.parties[2].referee.steps if step.by == "do")
    return any(a.text == "ignore 0" and b.text.startswith("retreat") and a.file == b.file for a, b in pairs)


def test_two_bots_play_strictly_and_who_obeys_flags_retreats_in_the_same_file() -> None:
    """R101, R92: in a strict game ignoring ends the dice of the run, not the defender's own decisions."""
    battle = "counter-attack-on-mortain"
    match = game_in_which(obeys_and_retreats, battle, "sealed", "strict", range(STRICT_SEED, 40))
    check_game(match, attacks_by="plan")


def ends_with_questions(match: Match) -> bool:
    """Whether the last file answers sealed questions before it signs the result."""
    last = match.parties[2].log.entries[-1]
    return [action.name for action in last.actions if action.name != "share"] == ["open", "end"]


def test_two_bots_play_with_instant_dice_and_the_last_questions_are_answered() -> None:
    """R23: the file that decides a game may have asked sealed questions; the result is signed after them."""
    match = game_in_which(ends_with_questions, "pegasus-bridge", "instant", "", range(INSTANT_SEED, 40))
    check_game(match, attacks_by="do")
    stated = [
        entry.number
        for entry in match.parties[2].log.entries
        if any(action.name == "stand" for action in entry.actions)
    ]
    assert stated == [2, 3]
    assert [stand.general.route for stand in match.parties[2].referee.stands] == [("cover", "away")] * 2


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(Refused, match='there is no bot "general"'):
        decide(Draft(skirmish()[0].desk), random.Random(1), bot="general")


# Plans


def planned(text: str, *lines: str, card: str = "direct-from-hq") -> list[str]:
    """The plan that the bot makes of a position before the battles."""
    state: State = play(position(text, card=card), *lines)
    return [format_order(state, order) for order in battle_plan(state)]


def test_the_plan_prefers_the_weaker_target_and_names_the_other_second() -> None:
    field = """
        G5 allies infantry
        H5 axis infantry 1
        F5 axis infantry
        A9 axis infantry
        C9 axis infantry
    """
    (line,) = planned(field, "order G5", "done", "done")
    assert line.split()[:3] == ["attack", "G5", "H5,F5"]


def test_armor_takes_ground_and_overruns_the_weakened_unit_behind() -> None:
    """R112, R113: the overrun is ordered with the attack."""
    field = """
        G5 allies armor
        H5 axis infantry 1
        I5 axis infantry 1
        A9 axis infantry
        C9 axis infantry
    """
    (line,) = planned(field, "order G5", "done", "done")
    assert line == "attack G5 H5 ground overrun I5"


def test_artillery_takes_no_ground_and_battles_twice_with_artillery_bombard() -> None:
    """C23, R107: two orders for one gun, none of which takes ground."""
    field = """
        G5 allies artillery
        H5 axis infantry 1
        A9 axis infantry
        C9 axis infantry
    """
    lines = planned(field, "order G5", "done", card="artillery-bombard")
    assert lines == ["attack G5 H5", "attack G5 H5"]


def test_the_most_promising_attack_comes_first() -> None:
    field = """
        B5 allies infantry
        E5 axis infantry
        K5 allies infantry
        L5 axis infantry 1
        A9 axis infantry
        C9 axis infantry
    """
    assert [line.split()[1] for line in planned(field, "order B5", "order K5", "done", "done")] == [
        "K5",
        "B5",
    ]
