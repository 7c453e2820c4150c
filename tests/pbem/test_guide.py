"""The guided turn: every question offers only what is legal, and answers do what they say."""

from __future__ import annotations

import random

import pytest

from engine.cards import CARDS
from engine.errors import EngineError
from pbem.cardtext import card_text
from pbem.draft import Draft, Wishes
from pbem.errors import Refused
from pbem.guide import Guide
from pbem.guide_menus import Option, Question, ambush_question
from pbem.orders_text import Standing, format_order
from pbem.typed import enact_all, planned, problem_text
from tests.mailgame import Party, byte_source, play_game
from tests.skirmish import center_card, held, skirmish


def guided(*answers: str, dice: str = "sealed") -> Guide:
    """A guide through Alice's first file, after a card for the center, orders for F5 and G1, and answers."""
    draft = Draft(skirmish(dice=dice)[0].desk)
    guide = Guide(draft, Standing())
    for answer in (f"card {center_card(draft)}", "order F5 G1", *answers):
        guide.answer(answer)
    return guide


def texts(question: Question) -> list[str]:
    """The choices of a question."""
    return [option.text for option in question.options]


def refused(guide: Guide, answer: str) -> str:
    """Why an answer is not possible; nothing must change."""
    before = (list(guide.draft.choices), guide.question())
    with pytest.raises((Refused, EngineError)) as refusal:
        guide.answer(answer)
    assert (list(guide.draft.choices), guide.question()) == before
    return problem_text(refusal.value)


def plan_of(guide: Guide) -> list[str]:
    """The plan in the guide's draft."""
    state, orders = planned(guide.draft)
    return [format_order(state, order) for order in orders]


# Cards, orders, moves


def test_cards_are_offered_with_what_they_could_do_now() -> None:
    guide = Guide(Draft(skirmish()[0].desk), Standing())
    key = held(guide.draft, "assault-center", "attack-center", "probe-center")
    question = guide.question()
    assert question.kind == "card"
    assert question.title == "It is your turn: play a command card."
    assert f"{CARDS[key].name}: {card_text(key)} Now it could order F5, G1." in texts(question)


def test_a_unit_is_chosen_then_its_way_with_cost_and_what_it_could_shoot() -> None:
    """R38: armor moves up to three hexes and may battle."""
    guide = guided()
    assert texts(guide.question()) == [
        "F5: Allied armor, 3 figures",
        "G1: Allied artillery, 2 figures",
        "No more moves: go on to the battles",
    ]
    assert guide.answer("1") == []
    question = guide.question()
    assert question.title == "Where does Allied armor at F5 move?"
    assert question.notes == ("Now: Allied armor, 3 figures; from here it could attack G5 (3 dice).",)
    assert "E5: 1 hex; could attack C5 (1 die) and G5 (3 dice)" in texts(question)
    assert guide.answer("e5") == ["Allied armor moves from F5 to E5."]


def test_back_leaves_the_list_of_ways() -> None:
    guide = guided("F5", "back")
    assert guide.question().title == "Which unit moves?"


def test_what_is_not_possible_is_explained_by_its_rule() -> None:
    """R31, R38, R39: the same sentences as everywhere."""
    guide = guided()
    assert refused(guide, "B5") == "the infantry unit at B5 has no order (R31)"
    assert refused(guide, "A9") == "the armor unit at A9 is the enemy's (R31)"
    guide.answer("F5")
    assert refused(guide, "M9") == "the armor unit at F5 may move at most 3 hexes (R38)"
    assert refused(guide, "G5").endswith("(R39)")
    assert refused(guide, "99") == f"there is no choice 99; they go from 1 to {len(guide.question().options)}"
    assert refused(guide, "1,2") == "one number is enough here"
    assert refused(guide, "") == "type the number of a choice, or ? for help"


def test_of_a_recons_new_cards_one_is_discarded() -> None:
    """C10: the question asks for the card that goes, not for the one that stays."""
    alice, bob = skirmish()
    first = Draft(alice.desk)
    recon = held(first, "recon-left", "recon-center", "recon-right")
    first = enact_all(first, [f"card {recon}", "end"])
    _send(first.seal(Wishes(), byte_source(7)), alice, bob)
    answer = Draft(bob.desk)
    answer = enact_all(answer, [f"card {held(answer, *FOUR)}", "end"])
    _send(answer.seal(Wishes(), byte_source(8)), alice, bob)
    guide = Guide(Draft(alice.desk), Standing())
    question = guide.question()
    assert question.title == "Which of the new cards do you discard?"
    assert len(question.options) in (1, 2)
    assert question.options[0].text.startswith("Discard ")
    (told,) = guide.answer("1")
    assert told.startswith("You discard ")
    assert guide.question().kind == "card"


FOUR = ("recon-in-force", "probe-left", "probe-center", "probe-right", "attack-left", "attack-right")


def _send(data: bytes, *parties: Party) -> None:
    for party in parties:
        party.accept(data)


# Plans


def test_a_plan_is_built_attack_by_attack() -> None:
    guide = guided("done")
    question = guide.question()
    assert question.kind == "plan"
    assert texts(question) == [
        "F5: Allied armor, 3 figures",
        "G1: Allied artillery, 2 figures",
        "No attack: end the turn",
    ]
    guide.answer("1")
    question = guide.question()
    assert question.title == "Whom does Allied armor at F5 attack?"
    assert texts(question)[0] == (
        "G5: Axis infantry, 4 figures: 3 dice (3 in close assault); infantry and grenades hit"
    )
    guide.answer("G5")
    assert guide.question().title == "If G5 is cleared in close assault, does Allied armor take the ground?"
    guide.answer("1")
    question = guide.question()
    assert question.title == "Having taken the ground, whom does it overrun?"
    assert texts(question) == ["H5: Axis infantry, 4 figures", "No overrun"]
    guide.answer("1")
    assert plan_of(guide) == ["attack F5 G5 ground overrun H5"]
    assert guide.question().notes == ("Ordered: attack F5 G5 ground overrun H5",)
    assert texts(guide.question()) == [
        "G1: Allied artillery, 2 figures",
        "Hold: wait for the dice of the last attack before ordering more",
        "That is the plan",
    ]


def test_targets_in_order_of_preference_and_holding() -> None:
    guide = guided("done", "G1", "3,2")
    assert plan_of(guide) == ["attack G1 H5,G5"]
    guide.answer("2")
    assert plan_of(guide) == ["attack G1 H5,G5 hold"]


def test_the_plan_is_closed_and_the_file_offered_for_signing() -> None:
    guide = guided("done", "F5", "G5", "2")
    guide.answer(str(len(guide.question().options)))
    question = guide.question()
    assert question.kind == "seal"
    assert question.notes == ("Ordered: attack F5 G5",)
    assert texts(question) == [
        "Sign the file now; it is final then",
        "Change the plan: order another attack",
        "Leave it for later",
    ]
    guide.answer("2")
    assert guide.question().kind == "plan"
    guide.answer("G1")
    guide.answer("1")
    assert plan_of(guide) == ["attack F5 G5", "attack G1 C5"]
    guide.answer(str(len(guide.question().options)))
    guide.answer("1")
    assert guide.outcome == "seal"


def test_undo_takes_back_one_attack_order_after_another_and_then_the_rest() -> None:
    guide = guided("attack F5 G5", "attack G1 G5")
    assert guide.undo() == "the last attack order"
    assert plan_of(guide) == ["attack F5 G5"]
    assert guide.undo() == "the plan"
    assert guide.undo() == "done"
    assert guide.undo() == "order G1"
    assert guide.question().kind == "order"


def test_no_attack_ends_the_turn() -> None:
    guide = guided("done")
    told = guide.answer("3")
    assert told[-1] == "Turn 2 begins, the Axis to act."
    assert guide.question().kind == "seal"
    assert guide.answer("2") == []
    assert guide.outcome == "later"


# Instant games


def test_in_an_instant_game_an_attack_is_told_with_its_dice() -> None:
    guide = guided("done", dice="instant")
    assert guide.question().title == "Which unit attacks?"
    guide.answer("F5")
    told = guide.answer("1")
    assert told[0] == "Allied armor at F5 attacks Axis infantry at G5 with 3 dice."
    assert told[1].startswith("The dice show ")
    with pytest.raises(Refused, match="have been seen"):
        guide.undo()


# Ambush


def test_who_holds_ambush_says_which_units_may_play_it() -> None:
    """C21: the wish is sealed ahead; all units, none, or some."""
    question = ambush_question()
    assert question.options == (
        Option("Every unit that is assaulted", ":ambush always"),
        Option("None for now", ":ambush never"),
    )


def test_ambush_is_asked_before_the_file_is_signed() -> None:
    """C21: found in a game of bots at the first file whose author holds the card."""
    guide = _ambush_guide()
    assert guide.question().kind == "ambush"
    own = guide.draft.state.units_of(guide.side)[0]
    label = guide.draft.state.setup.grid.labels[guide.draft.state.pos[own]]
    guide.answer(f"ambush {label}")
    assert guide.standing.ambush == (own,)
    assert guide.question().kind == "seal"


def _ambush_guide() -> Guide:
    for seed in range(10, 60):  # 10 deals one to the player who is to move
        parties = play_game(seed=seed, most=2).parties
        party = next(party for party in parties[:2] if party.desk.is_next())
        draft = Draft(party.desk)
        if any(card.key == "ambush" for card in party.desk.hand()):
            guide = Guide(draft, Standing())
            guide.answer("1")
            while not guide.draft.is_decided:
                guide.answer("end" if guide.draft.state.phase in ("order", "move", "battle") else "1")
            return guide
    raise AssertionError("no hand with an Ambush was dealt")


# Everything that is offered is legal


@pytest.mark.parametrize(("dice", "seed"), [("sealed", 1), ("sealed", 2), ("instant", 3)])
def test_any_choice_that_is_offered_can_be_made(dice: str, seed: int) -> None:
    luck = random.Random(seed)
    guide = Guide(Draft(skirmish(dice=dice, seed=seed)[0].desk), Standing())
    for _ in range(200):
        if guide.outcome:
            break
        count = len(guide.question().options)
        assert count
        guide.answer(str(luck.randint(1, count)))
    assert guide.outcome in ("seal", "later")
