"""Every answer and outcome as text and back, what people may type instead, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine import (
    Answer,
    IllegalDecision,
    NotationError,
    State,
    apply,
    format_answer,
    legal,
    new_game,
    parse_answer,
    parse_record,
    replay,
)
from engine.answers import VERBS
from engine.notation import MAX_TEXT
from pbem.library import load_battle
from scripts.golden import play as play_game
from tests.drawing import CardUse, ObjectiveFacts, choices, play, position

GUIDE = Path(__file__).parent.parent.parent / "docs" / "notation.md"


def ordered(text: str, *steps: str, card: str = "probe-center") -> State:
    return play(position(text, card=card), *steps)


OPEN = ordered(
    "G5 allies infantry\nf4 allies infantry\nI5 axis infantry\nA9 axis infantry", "order G5", "done"
)


def typed(s: State, text: str) -> str:
    """What a text is taken for."""
    return format_answer(s, parse_answer(s, text))


def refused(s: State, text: str) -> str:
    with pytest.raises(NotationError) as caught:
        parse_answer(s, text)
    return str(caught.value)


# Round trips


def game_states(battle: str, options: dict[str, str], seed: int) -> Iterator[tuple[State, Answer]]:
    state, answers, _ = play_game(load_battle(battle), options, seed)
    for answer in answers:
        yield state, answer
        state = apply(state, answer).state


@pytest.mark.parametrize(
    ("battle", "options", "seed"),
    [
        ("sainte-mere-eglise", {}, 2),
        ("counter-attack-on-mortain", {"timing": "mail"}, 1),
        ("sword-beach", {"edition": "2004"}, 5),
    ],
)
def test_every_legal_answer_and_every_outcome_reads_back(
    battle: str, options: dict[str, str], seed: int
) -> None:
    verbs: set[str] = set()
    for state, answer in game_states(battle, options, seed):
        for each in (*legal(state), answer):
            assert parse_answer(state, format_answer(state, each)) == each
            verbs.add(each[0])
    assert verbs >= {"card", "order", "move", "attack", "retreat", "ground", "stay", "roll", "draw", "done"}


def test_texts_of_different_answers_differ() -> None:
    for state, _ in game_states("pegasus-bridge", {}, 4):
        texts = [format_answer(state, answer) for answer in legal(state)]
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    "answer",
    [
        (),
        ("dance",),
        (7, 7),
        ("order",),
        ("order", 113),
        ("order", -1),
        ("order", "G5"),
        ("order", True),
        ("card", "probe_left"),
        ("card", 3),
        ("done", 1),
        ("ignore", "1"),
        ("move", 5),
    ],
    ids=repr,
)
def test_what_is_no_answer_has_no_text(answer: Answer) -> None:
    with pytest.raises(NotationError):
        format_answer(OPEN, answer)


# Typing moves


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("  MOVE   g5\th5 ", "move G5 H5"),
        ("move G5 H5 h4", "move G5 H5 h4"),
        ("move G5 h4", "move G5 H5 h4"),
        ("move g5 g4 h4", "move G5 H5 h4"),
        ("move g5 g6 g5", "move G5 H5 G5"),
        ("Done", "done"),
    ],
)
def test_moves_may_be_typed_in_other_ways(text: str, means: str) -> None:
    """R39, R48: ways with the same consequences are the same move."""
    assert typed(OPEN, text) == means


def test_a_way_out_and_back_has_to_be_written_out() -> None:
    """R48: a unit that returns has moved; whoever names its own hex only wants it to stay."""
    answer = parse_answer(OPEN, "move G5 G5")
    with pytest.raises(IllegalDecision) as refusal:
        apply(OPEN, answer)
    assert str(refusal.value) == ('a unit that stays where it is does not move; "done" ends the moves (R48)')


def test_a_way_that_costs_the_battle_is_not_taken_for_the_short_one() -> None:
    """R38: two hexes instead of one would cost infantry its battle, so the text must say which is meant."""
    assert refused(OPEN, "move G5 g6 H5") == ('this way costs the unit more than it must; write "move G5 H5"')


def test_a_way_that_is_not_legal_is_read_as_it_stands() -> None:
    """R39: f4 is occupied, so the way over it is left to the rules to refuse."""
    answer = parse_answer(OPEN, "move G5 f4 F3")
    assert format_answer(OPEN, answer) == "move G5 f4 F3"
    with pytest.raises(IllegalDecision, match="R39"):
        apply(OPEN, answer)


MEDAL = ObjectiveFacts("permanent", ("allies",), ("g4",))


def crossing() -> State:
    s = position(
        "G5 allies infantry\nI5 axis infantry\nA9 axis infantry",
        card="probe-center",
        objectives=(MEDAL,),
    )
    return play(s, "order G5")


def test_ways_that_win_different_medals_are_different_moves() -> None:
    """M14: crossing the medal hex is a move of its own, so the end alone is not enough."""
    s = crossing()
    assert [text for text in choices(s, "move") if text.endswith(" h4")] == ["move G5 H5 h4", "move G5 g4 h4"]
    assert refused(s, "move G5 h4") == '"move g5 h4" may be "move G5 H5 h4" or "move G5 g4 h4"'
    assert typed(s, "move G5 g4 h4") == "move G5 g4 h4"


def test_exits_are_named_by_start_or_door() -> None:
    """W32: one hex is enough where it tells which exit is meant."""
    s = position(
        "g8 allies armor\nb2 allies infantry\nA9 axis infantry",
        objectives=(ObjectiveFacts("exit", ("allies",), ("G9", "H9")),),
    )
    s = play(s, "order g8", "done")
    assert choices(s, "exit") == ["exit g8 G9", "exit g8 H9"]
    assert typed(s, "exit h9") == "exit g8 H9"
    assert refused(s, "exit g8") == '"exit g8" may be "exit g8 G9" or "exit g8 H9"'
    assert typed(s, "exit g8 g9") == "exit g8 G9"
    assert typed(s, "exit g8 h8 h9") == "exit g8 H9"
    assert refused(s, "exit") == '"exit" may be "exit g8 G9" or "exit g8 H9"'


# Typing the rest


def test_attacks_may_be_named_by_their_target() -> None:
    s = ordered(
        "G5 allies infantry\nI5 allies infantry\nh6 axis infantry\nF5 axis infantry\nH3 axis infantry",
        "order G5",
        "order I5",
        "done",
    )
    assert choices(s, "attack") == ["attack G5 F5", "attack I5 h6"]
    assert typed(s, "attack f5") == "attack G5 F5"
    assert typed(s, "attack g5 f5") == "attack G5 F5"


def retreating() -> State:
    s = ordered(
        "f4 allies infantry\nG5 axis infantry\nA9 axis infantry",
        "order f4",
        "done",
        "attack f4 G5",
        "pass",
        "roll flag flag star",
    )
    assert choices(s) == ["retreat G5 f6 F7", "retreat G5 f6 G7", "retreat G5 g6 H7"]
    return s


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("retreat f7", "retreat G5 f6 F7"),
        ("retreat g5 f7", "retreat G5 f6 F7"),
        ("retreat g6", "retreat G5 g6 H7"),
        ("retreat g5 g6 g7", "retreat G5 f6 G7"),
        ("retreat f6 g7", "retreat G5 f6 G7"),
    ],
)
def test_retreats_may_be_shortened(text: str, means: str) -> None:
    """R92, R93: a route is known by its end; another way to the same end is the same route."""
    assert typed(retreating(), text) == means


def test_a_retreat_that_fits_several_routes_is_refused() -> None:
    assert refused(retreating(), "retreat f6") == (
        '"retreat f6" may be "retreat G5 f6 F7" or "retreat G5 f6 G7"'
    )


def test_a_verb_alone_is_enough_for_the_only_answer_it_has() -> None:
    """R105: ground without a hex."""
    s = ordered(
        "G5 allies infantry\nH5 axis infantry 1\nA9 axis infantry",
        "order G5",
        "done",
        "attack H5",
        "pass",
        "roll i f s",
    )
    assert typed(s, "ground") == "ground H5"
    assert refused(s, "order") == '"order" needs the hex of a unit'


HAND = ("probe-left", "probe-right", "medics-and-mechanics", "their-finest-hour", "attack-left")
CARDS = position("G5 allies infantry\nA9 axis infantry", card="recon-left", hand=HAND, play_card=False)


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("card probe left", "card probe-left"),
        ("card Probe-Left", "card probe-left"),
        ("card p l", "card probe-left"),
        ("card Medics & Mechanics", "card medics-and-mechanics"),
        ("card medics", "card medics-and-mechanics"),
        ("card finest", "card their-finest-hour"),
        ("card rec l", "card recon-left"),
        ("card recon", "card recon-left"),  # the only one in this hand
        ("card Move Out!", "card move-out"),  # not in the hand: read, and refused by R29
        ("card counter", "card counter-attack"),
    ],
)
def test_cards_may_be_written_as_printed_or_shortened(text: str, means: str) -> None:
    assert typed(CARDS, text) == means


def test_cards_that_fit_several_ways_are_listed() -> None:
    assert refused(CARDS, "card probe") == '"probe" may be probe-left or probe-right'
    assert refused(CARDS, "card left") == '"left" may be recon-left, probe-left or attack-left'
    assert typed(CARDS, "card assault r") == "card assault-right"


def test_a_card_may_be_used_as_another() -> None:
    uses = (CardUse(None, "recon", "air-power"),)
    s = position("G5 allies infantry\nA9 axis infantry", card="recon-left", play_card=False, card_uses=uses)
    assert choices(s) == ["card recon-left", "card recon-left as air-power"]
    assert parse_answer(s, "card recon left as air") == ("card", "recon-left", "air-power")
    assert refused(s, "card recon-left as") == 'a card is expected behind "as"'


def test_dice_and_sections_may_be_shortened() -> None:
    s = ordered(
        "G5 allies infantry\nH5 axis armor\nA9 axis infantry", "order G5", "done", "attack H5", "pass"
    )
    assert typed(s, "roll I gren FLAG") == "roll infantry grenade flag"
    assert parse_answer(s, "roll 0 4") == ("roll", 0, 4)
    s = position("G5 allies infantry\nA9 axis infantry", card="infantry-assault")
    assert typed(s, "section R") == "section right"


def test_the_dice_of_an_airdrop_are_numbers() -> None:
    states = game_states("sainte-mere-eglise", {}, 2)
    state, answer = next((s, a) for s, a in states if a[0] == "roll")
    assert format_answer(state, answer) == " ".join(["roll", *map(str, answer[1:])])
    assert typed(state, "roll 0 3 6 1") == "roll 0 3 6 1"


# Refusals


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "an action is expected, for example: order G5"),
        ("  \n ", "an action is expected, for example: order G5"),
        ("moev G5 H5", '"moev" is no action; did you mean "move"?'),
        ("xyzzy", '"xyzzy" is no action; expected now: move or done'),
        ("move G5 Z9", '"Z9" is no hex of this board'),
        ("move G5 m2", '"m2" is no hex of this board'),
        ("move G5", '"move" needs the hexes of the way, start and end included'),
        ("order G5 H5", '"order" needs the hex of a unit'),
        ("attack G5 I5 A9", '"attack" needs the hex of the attacker and the hex of the target'),
        ("done now", '"done" stands alone; "now" is too much'),
        ("ignore", '"ignore" needs the number of flags'),
        ("ignore one", '"ignore" needs the number of flags, for example: ignore 1'),
        ("ignore -1", '"ignore" needs the number of flags, for example: ignore 1'),
        ("section north", '"north" is no section; expected left, center or right'),
        ("roll sun", '"sun" is no face of a die; expected infantry, armor, grenade, flag or star'),
        ("roll 7", '"7" is no face of a die; expected infantry, armor, grenade, flag or star'),
        ("card blitz", 'there is no card "blitz"'),
        ("card &", 'there is no card "&"'),
        ("card probe-lefd", 'there is no card "probe-lefd"; did you mean "probe-left"?'),
        ("order Ｇ5", '"order Ｇ5" has letters that no action uses'),
        ("roll" + " star" * 65, '"roll" with 65 words is too long'),
        ("x" * 2001, "the text is 2001 characters long; 2000 are allowed"),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_hint(text: str, message: str) -> None:
    assert refused(OPEN, text) == message


def test_after_the_end_nothing_is_expected() -> None:
    *_, (state, answer) = game_states("pegasus-bridge", {}, 4)
    over = apply(state, answer).state
    assert refused(over, "xyzzy") == '"xyzzy" is no action; the game is over'


WORDS = st.sampled_from(
    [
        *VERBS,
        "G5",
        "h5",
        "A9",
        "?",
        "as",
        "probe",
        "left",
        "recon-left",
        "star",
        "1",
        "99",
        "-",
        "&",
        "٣",
        "²",
    ]
)
STATES = [
    OPEN,
    CARDS,
    retreating(),
    crossing(),
    new_game(load_battle("pegasus-bridge")),
    position("G5 allies infantry\nA9 axis infantry", card="infantry-assault"),
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STATES), st.one_of(st.text(max_size=60), st.lists(WORDS, max_size=8).map(" ".join)))
@example(OPEN, "ignore ²")
@example(OPEN, "roll ٣")
@example(OPEN, "\x00")
@example(OPEN, "move " + "G5 H5 " * 300)
def test_any_text_is_read_or_refused_as_notation(state: State, text: str) -> None:
    """Whatever is read can be written, and read again to the same answer."""
    assert len(text) <= MAX_TEXT
    try:
        answer = parse_answer(state, text)
    except NotationError:
        return
    assert parse_answer(state, format_answer(state, answer)) == answer


# The guide


def table(title: str) -> list[list[str]]:
    """The code in the rows of the table below a heading of the guide."""
    text = GUIDE.read_text(encoding="utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    return [re.findall(r"`([^`]+)`", row) for row in rows]


@pytest.mark.parametrize("row", [*table("Decisions"), *table("Chance")], ids=lambda row: row[0])
def test_forms_of_the_guide_are_written_as_they_are_read(row: list[str]) -> None:
    drifting = row[0].startswith("roll 0")
    states = game_states("sainte-mere-eglise", {}, 2)
    state = next(s for s, a in states if a[0] == "roll") if drifting else OPEN
    assert typed(state, row[0]) == row[0]


def test_the_guide_shows_every_verb() -> None:
    shown = {row[0].split()[0] for row in [*table("Decisions"), *table("Chance")]}
    assert shown == set(VERBS)


@pytest.mark.parametrize("row", table("Typing less"), ids=lambda row: row[0])
def test_shortened_forms_of_the_guide_mean_what_it_says(row: list[str]) -> None:
    drawing = re.search(r"```position\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert drawing is not None
    s = play(position(drawing[1], card="probe-center"), "order G5", "done")
    assert row[1] in choices(s)
    assert typed(s, row[0]) == row[1]


def test_the_record_of_the_guide_replays() -> None:
    text = re.search(r"```record\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    assert text is not None
    *_, last = replay(parse_record(text[1]), load_battle("pegasus-bridge"))
    assert last.answer == ("card", "probe-left")
    assert last.state.setup.options.edition == "2004"
