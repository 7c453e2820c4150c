"""What answers would mean, in words and numbers: dice and why, ways and what they cost, cards."""

from __future__ import annotations

import random

import pytest

from engine import State, apply, chance, is_over, legal, new_game
from engine.battle import ObjectiveFacts
from engine.bot import busy_bot
from engine.cards import CARDS
from engine.croupier import Croupier
from pbem.cardtext import card_now, card_text
from pbem.insight import answer_json, describe_answer, move_of, shot_notes, shot_of, shot_words
from pbem.library import load_battle
from tests.drawing import play, position


def fired(text: str, here: str, there: str, *, card: str = "direct-from-hq") -> str:
    """The dice of an attack and why, in words."""
    state = play(position(text, card=card), f"order {here}", "done")
    while state.phase == "move":
        state = play(state, "done")
    parse = state.setup.grid.parse
    shot = shot_of(state, parse(here), parse(there))
    return f"{shot_words(shot)}; {shot_notes(state, shot)}"


@pytest.mark.parametrize(
    ("text", "there", "card", "words"),
    [
        pytest.param(
            "G5 allies infantry\nI5 axis armor", "I5", "direct-from-hq",
            "2 dice (2 at distance 2); armor and grenades hit", id="R58 infantry at 2",
        ),
        pytest.param(
            "G5 allies infantry\nH5 axis infantry : forest", "H5", "direct-from-hq",
            "2 dice (3 in close assault, 1 less for the target in forest); infantry and grenades hit",
            id="R62 cover",
        ),
        pytest.param(
            "G5 allies armor\nH5 axis artillery", "H5", "armor-assault",
            "4 dice (3 in close assault, 1 more by the card); only grenades hit", id="C22 bonus",
        ),
        pytest.param(
            "G5 allies infantry : open + wire\nH5 axis infantry : open + sandbags", "H5", "direct-from-hq",
            "1 die (3 in close assault, 1 less for the wire it stands in, 1 less for the target "
            "behind sandbags); infantry and grenades hit; it may ignore one flag",
            id="R61 R62 R100 wire and sandbags",
        ),
        pytest.param(
            "G5 allies infantry\nH5 axis infantry : hill", "H5", "direct-from-hq",
            "2 dice (3 in close assault, 1 less for the target on hill); infantry and grenades hit",
            id="R64 uphill",
        ),
        pytest.param(
            "G8 allies infantry\nG9 axis infantry\nA1 axis infantry", "G9", "direct-from-hq",
            "3 dice (3 in close assault); infantry and grenades hit; "
            "it has nowhere to go: a flag costs a figure",
            id="R97 at the edge",
        ),
    ],
)  # fmt: skip
def test_dice_are_explained(text: str, there: str, card: str, words: str) -> None:
    assert fired(text, text.split()[0], there, card=card) == words


def test_the_dice_told_are_the_dice_rolled() -> None:
    """R56: over whole games, the number in words is the number that the engine rolls."""
    state = new_game(load_battle("arnhem-bridge"))
    luck = random.Random(8)
    croupier = Croupier(state, luck)
    seen = 0
    while not is_over(state) and seen < 40:
        if chance(state):
            state = apply(state, croupier.answer(state)).state
            continue
        answer = busy_bot(state, luck)
        if answer[0] == "attack":
            shot = shot_of(state, answer[1], answer[2])
            state, events = apply(state, answer)
            event = next(event for event in events if event[0] == "attack")
            assert (shot.dice, shot.bonus, shot.penalty, shot.cover) == event[5:9]
            seen += 1
        else:
            state = apply(state, answer).state
    assert seen == 40


def test_a_move_says_its_cost_and_what_it_leads_to() -> None:
    """R38, R44: infantry that moves two hexes, or into a forest, does not battle."""
    state = play(position("G5 allies infantry\nJ5 axis infantry\nH5 forest"), "order G5")
    texts = {a[-1]: describe_answer(state, a) for a in legal(state) if a[0] == "move"}
    parse = state.setup.grid.parse
    assert texts[parse("g6")] == "1 hex; could attack J5 (1 die)"
    assert texts[parse("H5")] == "1 hex, in forest; no battle this turn"
    assert texts[parse("E5")] == "2 hexes; no battle this turn"
    move = move_of(state, next(a for a in legal(state) if a[-1] == parse("g6")))
    assert (move.cost, move.allows_battle, [shot.there for shot in move.shots]) == (1, True, ["J5"])


def test_a_move_out_and_back_is_marked() -> None:
    """R48: it ends where it began and counts as a move."""
    state = play(position("G5 allies infantry\nJ5 axis infantry\nH5 forest"), "order G5")
    rows = [answer_json(state, answer) for answer in legal(state) if answer[0] == "move"]
    returning = [row["move"]["path"] for row in rows if row["move"]["returns"]]
    assert len(returning) == 1
    assert (returning[0][0], returning[0][-1]) == ("G5", "G5")


def moves_of(text: str, objective: ObjectiveFacts, start: str = "G5") -> dict[str, str]:
    """What is said of every move of a unit, by the last hex."""
    state = play(position(text, objectives=(objective,)), f"order {start}")
    labels = state.setup.grid.labels
    return {labels[a[-1]]: describe_answer(state, a) for a in legal(state) if a[0] in ("move", "exit")}


def test_a_move_says_what_medal_it_wins_or_gives_up() -> None:
    """M1, M3: only medals that the move itself brings or costs."""
    goal = ObjectiveFacts("temporary", ("allies",), ("H5",))
    texts = moves_of("G5 allies infantry\nA9 axis infantry", goal)
    assert texts["H5"] == "1 hex; wins 1 medal"
    assert texts["F5"] == "1 hex"
    held = play(position("H5 allies infantry\nA9 axis infantry", objectives=(goal,)), "order H5")
    assert held.medals(0) == 1
    away = moves_of("H5 allies infantry\nA9 axis infantry", goal, "H5")
    assert away["I5"] == "1 hex; gives up 1 medal"


def test_a_move_says_that_sandbags_are_lost() -> None:
    """T43a: they do not stay behind."""
    state = play(position("G5 allies infantry : open + sandbags\nA9 axis infantry"), "order G5")
    texts = {a[-1]: describe_answer(state, a) for a in legal(state) if a[0] == "move"}
    assert texts[state.setup.grid.parse("H5")] == "1 hex; its sandbags are lost"


@pytest.mark.parametrize("key", CARDS)
def test_every_card_has_a_sentence_of_its_own(key: str) -> None:
    text = card_text(key)
    assert text.endswith(".")
    assert 20 < len(text) < 170


def test_section_cards_say_how_many_units_where() -> None:
    """C10, C13, C15, C16: the quotas of section cards."""
    assert card_text("recon-left") == "Orders 1 unit on the left. Then draw 2 cards and keep one."
    assert card_text("assault-center") == "Orders all units in the center."
    assert card_text("general-advance") == "Orders 2 units in each section."
    assert card_text("pincer-move") == "Orders 2 units on the left and 2 units on the right."


@pytest.mark.parametrize(
    ("card", "now"),
    [
        pytest.param("probe-center", "could order G5", id="C11 a section"),
        pytest.param("probe-left", "would order nobody", id="C11 nobody there"),
        pytest.param("barrage", "could strike I5, A9", id="C24 targets"),
        pytest.param("infantry-assault", "asks for a section first", id="C31 a section to choose"),
        pytest.param("medics-and-mechanics", "would order nobody", id="C32 no losses"),
        pytest.param("their-finest-hour", "would roll 1 die", id="C34 a die for each card"),
        pytest.param("counter-attack", "would order nobody", id="C27 nothing to copy"),
        pytest.param("general-advance", "cannot be played now", id="R29 not in the hand"),
    ],
)
def test_a_card_says_what_it_could_do_now(card: str, now: str) -> None:
    held = "probe-left" if card == "general-advance" else card
    field = "G5 allies infantry 2\nI5 axis infantry\nA9 axis infantry"
    assert card_now(position(field, card=held, play_card=False), card) == now


def test_medics_say_whom_they_could_help() -> None:
    """C32: units with losses."""
    whole = position("G5 allies infantry\nA9 axis infantry", card="medics-and-mechanics", play_card=False)
    hurt = whole.copy()
    hurt.set_figures(whole.occupant[whole.setup.grid.parse("G5")], 2)
    hurt.answers = whole.answers
    assert card_now(hurt, "medics-and-mechanics") == "could help G5"


@pytest.mark.parametrize("name", ["pegasus-bridge", "sword-beach", "sainte-mere-eglise"])
def test_every_answer_of_whole_games_has_words(name: str) -> None:
    state: State = new_game(load_battle(name))
    luck = random.Random(2)
    croupier = Croupier(state, luck)
    verbs = set()
    for _ in range(400):
        if is_over(state):
            break
        if chance(state):
            state = apply(state, croupier.answer(state)).state
            continue
        for answer in luck.sample(legal(state), min(3, len(legal(state)))):
            row = answer_json(state, answer)
            assert row["words"]
            assert row["action"].split()[0] == row["verb"]
            verbs.add(row["verb"])
        state = apply(state, busy_bot(state, luck)).state
    assert {"card", "order", "move", "attack", "done"} <= verbs
