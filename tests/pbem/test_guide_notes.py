"""What a guided turn explains: orders that are left, battles that do not happen, why a file ends."""

from __future__ import annotations

import pytest

from engine import State
from engine.cards import CARDS
from engine.tactics import FALLBACK
from pbem.draft import Choice, Draft
from pbem.guide import Guide
from pbem.guide_notes import end_note, orders_note
from pbem.orders_text import Standing
from pbem.typed import enact_all
from tests.pbem.moments import Moment, moment
from tests.skirmish import SKIRMISH, center_card, skirmish

FAR = SKIRMISH[: SKIRMISH.index("units:")] + "units: {allies: {infantry: F1 G1}, axis: {infantry: A9}}\n"


def ordering(card: str, *given: str, symbols: tuple[int, int, int] = (0, 0, 0), section: int = -1) -> State:
    """The skirmish with a card in force and orders given to some units."""
    state = Draft(skirmish()[0].desk).state.copy()
    state.rule, state.symbols, state.section = CARDS.get(card, FALLBACK), symbols, section
    state.orders = tuple(state.occupant[state.setup.grid.parse(label)] for label in given)
    return state


@pytest.mark.parametrize(
    ("card", "given", "note"),
    [
        ("probe-left", (), "Probe Left orders 2 units on the left: 2 left."),
        ("probe-left", ("B5",), "Probe Left orders 2 units on the left: 1 left."),
        ("assault-center", ("F5",), "Assault Center orders all units in the center."),
        ("recon-in-force", ("F5",), "Recon in Force orders 1 unit in each section: 2 left."),
        ("pincer-move", (), "Pincer Move orders 2 units on the left and 2 units on the right: 4 left."),
        ("move-out", ("B5",), "Move Out! orders up to 4 infantry units: 3 left."),
        ("direct-from-hq", (), "Direct From HQ orders up to 4 units: 4 left."),
        ("firefight", (), "Firefight orders up to 4 units not next to an enemy: 4 left."),
        ("close-assault", (), "Close Assault orders all infantry and armor units next to an enemy."),
        ("behind-enemy-lines", (), "Behind Enemy Lines orders 1 infantry unit: 1 left."),
        ("fallback", (), "Without such a unit the card orders 1 unit: 1 left."),
    ],
)
def test_how_many_orders_are_left_and_for_whom(card: str, given: tuple[str, ...], note: str) -> None:
    """R35, C2, C3: the number on the card less the orders given."""
    assert orders_note(ordering(card, *given)) == note


def test_the_section_of_an_infantry_assault_is_named() -> None:
    """C31: the section was chosen before."""
    note = orders_note(ordering("infantry-assault", section=0))
    assert note == "Infantry Assault orders all infantry units of the section chosen."


@pytest.mark.parametrize(
    ("symbols", "given", "whom"),
    [
        ((1, 0, 1), (), "1 infantry unit and 1 unit of any kind"),
        ((1, 0, 1), ("B5",), "1 unit of any kind"),
        ((1, 0, 2), ("B5", "F5"), "1 unit of any kind"),
        ((0, 2, 0), ("F5",), "1 armor unit"),
        ((2, 1, 3), (), "2 infantry units, 1 armor unit and 3 units of any kind"),
    ],
)
def test_their_finest_hour_says_what_its_dice_still_allow(
    symbols: tuple[int, int, int], given: tuple[str, ...], whom: str
) -> None:
    """C34a: a star orders any unit; it is used up when the symbols of a kind are."""
    note = orders_note(ordering("their-finest-hour", *given, symbols=symbols))
    assert note == f"By the dice of Their Finest Hour you may still order {whom}."


def test_the_question_for_orders_has_the_note() -> None:
    draft = Draft(skirmish()[0].desk)
    guide = Guide(draft, Standing())
    card = center_card(draft)
    guide.answer(f"card {card}")
    assert guide.question().notes[0].startswith(f"{CARDS[card].name} orders ")


# Battles that do not happen


def far_guide() -> Guide:
    """A guide after a card for the center, where no enemy is near."""
    draft = Draft(skirmish(document=FAR)[0].desk)
    guide = Guide(draft, Standing())
    guide.answer(f"card {center_card(draft)}")
    return guide


NOBODY_ATTACKS = "None of the units you ordered can attack anybody: there is no battle in this turn."


def test_when_no_unit_can_attack_the_guide_says_so() -> None:
    """R49: the turn goes past its battles by itself."""
    guide = far_guide()
    guide.answer("order F1 G1")
    told = guide.answer("done")
    assert told == [NOBODY_ATTACKS, "You draw 1 card.", "Turn 2 begins, the Axis to act."]
    guide = far_guide()
    guide.answer("order F1")
    guide.answer("done")
    assert guide.answer("f2") == [
        "Allied infantry moves from F1 to f2.",
        NOBODY_ATTACKS,
        "You draw 1 card.",
        "Turn 2 begins, the Axis to act.",
    ]


def test_when_nobody_is_ordered_the_guide_says_so() -> None:
    assert far_guide().answer("done") == [
        "No unit is ordered: there is nothing to move or to attack with.",
        "You draw 1 card.",
        "Turn 2 begins, the Axis to act.",
    ]


def test_who_ends_the_turn_is_told_nothing_of_battles() -> None:
    guide = far_guide()
    guide.answer("order F1")
    assert guide.answer("end") == ["You draw 1 card.", "Turn 2 begins, the Axis to act."]


# The end of a file


def other(here: Moment) -> str:
    """The name of the other player."""
    return ("Bob", "Alice")[here.draft.desk.seat]


def test_a_file_that_ends_with_a_roll_of_ones_own_card_says_why() -> None:
    """C34, adaptation 16: the dice of Their Finest Hour come with the answer."""
    here = moment("sheet", lambda each: Choice("do", "card their-finest-hour") in each.draft.choices)
    assert end_note(here.draft) == (
        f"The file ends here: the dice come with the answer of {other(here)}; they say which units you order."
    )


def test_a_file_that_answers_such_a_roll_says_whose_turn_it_is() -> None:
    def answers(each: Moment) -> bool:
        return not each.draft.choices and each.draft.state.symbols != (0, 0, 0)

    here = moment("sheet", answers)
    assert end_note(here.draft) == f"The file ends here: {other(here)} goes on with this turn."


def test_an_ordinary_end_needs_no_reason() -> None:
    here = moment("sheet", lambda each: each.draft.state.turn > each.referee.now.turn + 1)
    assert end_note(here.draft) == ""


def test_the_first_turn_of_a_game_ends_like_any_other() -> None:
    draft = Draft(skirmish(dice="instant")[0].desk)
    draft = enact_all(draft, [f"card {center_card(draft)}", "end"])
    assert draft.is_decided
    assert end_note(draft) == ""


def test_a_file_before_the_first_turn_says_who_moves_first() -> None:
    bob_first = SKIRMISH.replace("first: allies", "first: axis")
    draft = Draft(skirmish(document=bob_first)[0].desk)
    assert draft.is_decided
    assert end_note(draft) == "Nothing is to be decided yet: Bob makes the first move."


# Behind Enemy Lines


def test_who_does_not_attack_may_move_on_all_the_same() -> None:
    """C25: no attack does not end the turn."""

    def plans(each: Moment) -> bool:
        names = [choice.name for choice in each.draft.choices]
        return Choice("do", "card behind-enemy-lines") in each.draft.choices and "plan" in names

    draft = moment("sheet", plans).draft
    names = [choice.name for choice in draft.choices]
    guide = Guide(Draft(draft.desk, tuple(draft.choices[: names.index("plan")])), Standing())
    assert guide.question().options[-1].text == "No attack: go on to the second move"
    guide.answer(str(len(guide.question().options)))
    assert guide.question().title.endswith(" move on to?")


def test_the_second_move_is_asked_in_words_of_its_own() -> None:
    """C25: after its battle the unit moves again; what it could attack does not matter any more."""

    def second(each: Moment) -> bool:
        start = Draft(each.draft.desk)
        return start.state.phase == "second-move" and not start.is_decided

    guide = Guide(Draft(moment("sheet", second).draft.desk), Standing())
    question = guide.question()
    state = guide.draft.state
    unit = state.orders[0]
    label = state.setup.grid.labels[state.pos[unit]]
    assert question.title.endswith(f" infantry at {label} move on to?")
    assert question.notes == (
        "Behind Enemy Lines: the unit may move once more; it battles no more in this turn.",
    )
    assert question.options[-1].text == "Stay: the turn ends"
    assert not any("attack" in option.text or "battle" in option.text for option in question.options)
    guide.answer(label)
    assert guide.draft.state.pos[unit] == state.pos[unit]
    assert guide.draft.choices[0] == Choice("do", "done")
