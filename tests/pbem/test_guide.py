"""The guided turn: every question offers only what is legal, and answers do what they say."""

from __future__ import annotations

import random

import pytest

from engine.cards import CARDS
from engine.errors import EngineError
from pbem.cardtext import card_text
from pbem.draft import Choice, Draft, Wishes
from pbem.errors import Refused
from pbem.guide import Guide
from pbem.guide_menus import Option, Question, ambush_question
from pbem.orders_text import Standing, format_order
from pbem.story import question_of
from pbem.typed import enact_all, planned, problem_text
from tests.mailgame import Party, byte_source, play_game
from tests.pbem.moments import Moment, moment
from tests.skirmish import SKIRMISH, center_card, held, skirmish


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


def test_several_units_are_ordered_at_once() -> None:
    """R31: by numbers or by hexes; all or none."""
    draft = Draft(skirmish()[0].desk)
    for answer in ("1,2", "2 1", "F5,G1", "g1 f5"):
        guide = Guide(draft, Standing())
        guide.answer(f"card {center_card(draft)}")
        assert [option.hex for option in guide.question().options] == ["F5", "G1", ""]
        (told,) = guide.answer(answer)
        assert told.endswith(" are ordered.")
        assert guide.question().kind == "move"
    guide = Guide(draft, Standing())
    guide.answer(f"card {center_card(draft)}")
    assert refused(guide, "1,3") == "these choices do not go together"
    assert refused(guide, "F5 F5") == "a hex is given twice"
    assert refused(guide, "F5 B5").endswith("(R33)")


def test_the_own_hex_means_that_the_unit_stays() -> None:
    """R48: a unit that stays has not moved; a way out and back would be a move."""
    guide = guided("F5")
    assert not any(option.text.startswith("F5 by") for option in guide.question().options)
    before = list(guide.draft.choices)
    assert guide.answer("f5") == ["Allied armor at F5 stays."]
    assert guide.draft.choices == before
    assert guide.question().title == "Where does Allied artillery at G1 move?"
    assert guide.question().options[-1] == Option("Stay: no more moves", "done", "G1")
    assert guide.answer("G1") == []
    assert guide.question().kind == "plan"
    assert [choice.value for choice in guide.draft.choices[-1:]] == ["done"]


def test_a_unit_can_be_told_to_stay_and_asked_again() -> None:
    guide = guided("G1")
    assert guide.question().options[-2:] == (Option("Stay", ":stay", "G1"), Option("back", ":back"))
    guide.answer(str(len(guide.question().options) - 1))
    assert guide.question().title == "Where does Allied armor at F5 move?"
    assert guide.undo() == "G1 stays"
    assert guide.question().title == "Which unit moves?"
    guide.answer("F5")
    guide.answer("f5")
    assert guide.question().title == "Where does Allied artillery at G1 move?"
    assert guide.answer("f1") == ["Allied artillery moves from G1 to F1."]
    assert guide.question().kind == "plan"  # the only other unit stays


THREE = SKIRMISH.replace("    artillery: G1\n", "    artillery: G1 E1\n")


def test_a_unit_that_stays_is_not_offered_again_but_may_be_chosen() -> None:
    draft = Draft(skirmish(document=THREE)[0].desk)
    guide = Guide(draft, Standing())
    for answer in (f"card {center_card(draft)}", "order F5 G1 E1", "F5", "F5"):
        guide.answer(answer)
    assert [option.hex for option in guide.question().options] == ["G1", "E1", ""]
    guide.answer("F5")
    assert guide.question().title == "Where does Allied armor at F5 move?"
    assert guide.answer("e5") == ["Allied armor moves from F5 to E5."]
    assert guide.question().title == "Which unit moves?"


MEDAL = SKIRMISH.replace("units:", "objectives:\n  - {kind: permanent, side: allies, hexes: E5}\nunits:")


def test_a_way_out_and_back_is_offered_last_if_it_wins_a_medal() -> None:
    """R46, R48: it crosses the medal hex, and counts as a move."""
    draft = Draft(skirmish(document=MEDAL)[0].desk)
    guide = Guide(draft, Standing())
    for answer in (f"card {center_card(draft)}", "order F5 G1", "F5"):
        guide.answer(answer)
    last = texts(guide.question())[-3:]
    assert last == ["Out and back by E5: counts as a move", "Stay", "back"]
    told = guide.answer(str(len(guide.question().options) - 2))
    assert told[0] == "Allied armor moves out and back to F5 by E5."
    assert told[1].startswith("You win 1 medal for E5")


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


def reconnoitred() -> Draft:
    """Alice's second draft, in which she has to choose between the new cards of a Recon."""
    alice, bob = skirmish()
    first = Draft(alice.desk)
    recon = held(first, "recon-left", "recon-center", "recon-right")
    first = enact_all(first, [f"card {recon}", "end"])
    _send(first.seal(Wishes(), byte_source(7)), alice, bob)
    answer = Draft(bob.desk)
    answer = enact_all(answer, [f"card {held(answer, *FOUR)}", "end"])
    _send(answer.seal(Wishes(), byte_source(8)), alice, bob)
    return Draft(alice.desk)


def test_of_a_recons_new_cards_one_is_discarded() -> None:
    """C10: the question asks for the card that goes, not for the one that stays."""
    guide = Guide(reconnoitred(), Standing())
    question = guide.question()
    assert question.title == "Which of the new cards do you discard?"
    assert len(question.options) in (1, 2)
    assert question.options[0].text.startswith("Discard ")
    (told,) = guide.answer("1")
    assert told.startswith("You discard ")
    assert guide.question().kind == "card"


def test_a_card_may_be_named_to_be_kept_or_discarded() -> None:
    """C10: the name alone does not say which."""
    draft = reconnoitred()
    assert question_of(draft).text == "It is your turn: discard one of the cards that you drew."
    first, second = (answer[1] for answer in draft.answers())
    assert refused(Guide(draft, Standing()), first) == (
        f'say whether it stays or goes; "keep {first}" or "discard {first}"'
    )
    assert enact_all(draft, [f"keep {first}"]).choices == [("do", f"discard {second}")]
    guide = Guide(draft, Standing())
    assert guide.answer(f"keep {second}") == [f"You discard {CARDS[first].name}."]
    assert "is no action" in refused(Guide(draft, Standing()), "fly")
    other = next(key for key in CARDS if key not in (first, second))
    with pytest.raises((Refused, EngineError)):
        enact_all(draft, [f"keep {other}"])
    with pytest.raises(EngineError):
        enact_all(Draft(skirmish()[0].desk), ["keep probe-left"])


def test_a_card_may_be_named_without_its_verb() -> None:
    guide = Guide(Draft(skirmish()[0].desk), Standing())
    guide.answer(center_card(guide.draft))
    assert guide.question().kind == "order"


WIRED = SKIRMISH.replace("5  .   .   f ", "5  .   .x  f ")
LEFT = ("attack-left", "assault-left", "probe-left", "recon-left", "recon-in-force", "general-advance")


@pytest.mark.parametrize("dice", ["sealed", "instant"])
def test_the_hex_of_a_unit_in_wire_means_its_attack(dice: str) -> None:
    """T42c: removing the wire has the same hex, and is chosen by its number or typed."""
    draft = Draft(skirmish(dice=dice, document=WIRED)[0].desk)
    guide = Guide(draft, Standing())
    for line in (f"card {held(draft, *LEFT)}", "order B5", "done", "done"):
        if line != "done" or guide.draft.state.phase != "battle":
            guide.answer(line)
    options = guide.question().options
    assert any(option.action == "clear B5" for option in options)
    if dice == "instant":
        assert guide.question().kind == "attack"  # there is only one unit
        return
    assert [option.text[:3] for option in options[:2]] == ["B5:", "B5:"]
    guide.answer("B5")
    assert guide.question().kind == "target"


FOUR = ("recon-in-force", "probe-left", "probe-center", "probe-right", "attack-left", "attack-right")


def _send(data: bytes, *parties: Party) -> None:
    for party in parties:
        party.accept(data)


# Plans


GUN = "G1: Allied artillery, 2 figures; could attack C5 (1 die), G5 (2 dice), H5 (2 dice)"


def test_a_plan_is_built_attack_by_attack() -> None:
    guide = guided("done")
    question = guide.question()
    assert question.kind == "plan"
    assert texts(question) == [
        "F5: Allied armor, 3 figures; could attack G5 (3 dice)",
        GUN,
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
    assert refused(guide, "H5") == '"H5" means nothing here; type the number of a choice'
    guide.answer("1")
    question = guide.question()
    assert question.title == "Having taken the ground, whom does it overrun?"
    assert texts(question) == ["H5: Axis infantry, 4 figures", "No overrun"]
    guide.answer("1")
    assert plan_of(guide) == ["attack F5 G5 ground overrun H5"]
    assert guide.question().notes == ("Ordered: attack F5 G5 ground overrun H5",)
    assert texts(guide.question()) == [
        GUN,
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


def test_holding_closes_the_plan_and_is_offered_only_if_somebody_else_can_attack() -> None:
    guide = guided("done", "F5", "G5", "2")
    assert texts(guide.question())[-2:] == [
        "Hold: wait for the dice of the last attack before ordering more",
        "That is the plan",
    ]
    guide.answer("2")
    assert guide.question().kind == "seal"
    assert guide.question().notes == ("Ordered: attack F5 G5 hold",)
    guide = guided("done", "F5", "G5", "2", "G1", "1")
    assert guide.question().kind == "seal"  # nobody is left to order
    assert texts(guide.question()) == ["Sign the file now; it is final then", "Leave it for later"]
    assert guide.undo() == "attack G1 C5"
    assert texts(guide.question())[0] == GUN


def test_targets_may_be_typed_as_hexes() -> None:
    guide = guided("done", "G1", "h5,G5")
    assert plan_of(guide) == ["attack G1 H5,G5"]


def test_undo_takes_back_one_attack_order_after_another_and_then_the_rest() -> None:
    guide = guided("attack F5 G5", "attack G1 G5")
    assert guide.undo() == "attack G1 G5"
    assert plan_of(guide) == ["attack F5 G5"]
    assert guide.question().kind == "plan"
    assert guide.undo() == "attack F5 G5"  # and the ends of orders and moves that it had brought
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
    assert guide.question().notes[0].endswith("Type their hexes, as in: G5,H5")
    guide.answer(label)
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


def test_an_ambush_of_ones_own_is_told_before_the_file_is_signed() -> None:
    """C21, adaptation 19: in an instant game the other side's attack is played again from its declaration."""

    def ambushes(each: Moment) -> bool:
        return Choice("do", "card ambush") in each.draft.program and not each.draft.choices

    here = moment("instant", ambushes)
    guide = Guide(Draft(here.draft.desk), Standing())
    story = guide.story()
    assert story[0] == (
        f"Your Ambush: what followed this attack in file {here.log.count - 1} is taken back and played again;"
        " cards drawn stay drawn."
    )
    assert story[1].startswith("You play Ambush, as your standing orders say: ")
    assert story[2].startswith("The dice show ")
    name = ("Alice", "Bob")[1 - here.draft.desk.seat]
    question = guide.question()
    assert question.title == "Everything is decided."
    assert question.notes == (f"The file ends here: {name} goes on with this turn.",)


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
