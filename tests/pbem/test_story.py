"""Events in words: every kind has its sentence, and units are named where they stood."""

from __future__ import annotations

import random

import pytest

from engine import NOBODY, Event, State, apply, chance, is_over, start
from engine.bot import BOTS
from engine.croupier import Croupier
from engine.setup import compile_setup
from engine.state import OVERRAN, Fight, Roll
from pbem.draft import Choice
from pbem.library import load_battle, scenario_text
from pbem.orders import Order
from pbem.referee import Step
from pbem.ruleset import Match, build_terms, read_match
from pbem.story import (
    KINDS,
    Line,
    Passage,
    fields_of,
    lines_of,
    merged,
    order_text,
    story_text,
    tell,
    tell_file,
)
from pbem.story.sentences import SENTENCES
from pbem.story.steps import _places, told_events
from tests.mailgame import ALICE, BOB
from tests.pbem.moments import moment
from tests.readings import find_game, game_files, readings


def match_of(name: str) -> Match:
    """The match of Alice (Allies) and Bob in a battle."""
    terms = build_terms(
        scenario_text(name), army="allies", pk=ALICE.pk, opponent=BOB.pk, names=("Alice", "Bob")
    )
    return read_match(terms)


MATCH = match_of("pegasus-bridge")
START = start(MATCH.setup)
A, X = START.units_of(0)[0], START.units_of(1)[0]  # Allied infantry at c4, Axis infantry at A9


def place(label: str) -> int:
    """The number of a hex."""
    return MATCH.setup.grid.parse(label)


def said(*events: Event, chair: int | None = None, state: State = START) -> list[str]:
    """The sentences of a step with these events."""
    return tell(Step(3, 0, "do", "", events, state), MATCH, chair=chair)


HERE, THERE = START.pos[A], START.pos[X]
WHERE, ENEMY = MATCH.setup.grid.labels[HERE], MATCH.setup.grid.labels[THERE]

CASES: dict[str, list[tuple[Event, str]]] = {
    "turn": [(("turn", 7, 1), "Turn 7 begins, the Axis to act.")],
    "card": [
        (("card", 0, "probe-left", ""), "The Allies play Probe Left."),
        (("card", 1, "recon-left", "air-power"), "The Axis play Recon Left as Air Power."),
        (("card", 1, "move-out", ""), "The Axis play Move Out!"),
    ],
    "copies": [(("copies", "probe-right"), "The order of Probe Right is carried out.")],
    "no-effect": [
        (("no-effect", "counter-attack"), "There is no order to copy, and the card does nothing."),
        (("no-effect", "medics-and-mechanics"), "No unit has losses, and the card does nothing."),
        (("no-effect", "sandbags"), "No more sandbags are left."),
    ],
    "section": [
        (("section", 0), "The left section is chosen."),
        (("section", 2), "The right section is chosen."),
    ],
    "ordered": [(("ordered", A, HERE), f"Allied infantry at {WHERE} is ordered.")],
    "moved": [
        (("moved", A, (place("G5"), place("H5"))), "Allied infantry moves from G5 to H5."),
        (("moved", A, (place("G5"), place("H5"), place("I5"))), "Allied infantry moves from G5 to I5 by H5."),
        (
            ("moved", A, (place("G5"), place("H5"), place("G5"))),
            "Allied infantry moves out and back to G5 by H5.",
        ),
    ],
    "exited": [(("exited", A, place("M1"), 0), "Allied infantry leaves the board from M1.")],
    "removed": [
        (("removed", "wire", place("G5")), "The barbed wire at G5 is gone."),
        (("removed", "sandbags", place("G5")), "The sandbags at G5 are gone."),
    ],
    "dug-in": [(("dug-in", A, HERE), f"Allied infantry at {WHERE} digs in behind sandbags.")],
    "attack": [
        (
            ("attack", A, X, place("G5"), place("H5"), 3, 0, 0, 0),
            "Allied infantry at G5 attacks Axis infantry at H5 with 3 dice.",
        ),
        (
            ("attack", A, X, place("G5"), place("H5"), 1, 1, 1, 2),
            "Allied infantry at G5 attacks Axis infantry at H5 with 1 die, 1 more by the card, "
            "1 less for the ground it stands on and 2 less for the target's cover.",
        ),
    ],
    "strike": [
        (("strike", "air", X, place("H5"), 2), "Axis infantry at H5 is bombed from the air with 2 dice."),
        (
            ("strike", "barrage", X, place("H5"), 4),
            "Axis infantry at H5 is shelled by a barrage with 4 dice.",
        ),
    ],
    "targeted": [(("targeted", X, place("H5")), "Axis infantry at H5 is chosen as a target.")],
    "ambush": [
        (
            ("ambush", 1, X, A, 3),
            f"The Axis play Ambush: Axis infantry at {ENEMY} battles first, with 3 dice against "
            f"Allied infantry at {WHERE}.",
        )
    ],
    "goes-on": [
        (
            ("goes-on", A, X, 3),
            f"Allied infantry at {WHERE} now attacks Axis infantry at {ENEMY} with 3 dice.",
        )
    ],
    "attack-lost": [(("attack-lost", A), f"Allied infantry at {WHERE} has lost its attack.")],
    "rolled": [
        (
            ("rolled", "attack", X, (0, 2, 3), 2, 1),
            "The dice show 1 infantry, 1 grenade and 1 flag: 2 hits and 1 flag.",
        ),
        (("rolled", "attack", X, (1, 1), 0, 0), "The dice show 2 armor: no effect."),
        (("rolled", "attack", X, (3, 3), 0, 2), "The dice show 2 flags."),
        (("rolled", "attack", X, (3, 4), 0, 1), "The dice show 1 flag and 1 star: 1 flag."),
        (("rolled", "medics", A, (0, 4), 2, 0), "The dice show 1 infantry and 1 star: 2 figures can return."),
        (("rolled", "medics", A, (3,), 0, 0), "The dice show 1 flag: nobody returns."),
        (("rolled", "finest-hour", NOBODY, (4, 4), 0, 0), "The dice show 2 stars."),
    ],
    "losses": [
        (("losses", X, 1, 3, "attack"), f"Axis infantry at {ENEMY} loses 1 figure and has 3 left."),
        (
            ("losses", X, 2, 1, "blocked-retreat"),
            f"Axis infantry at {ENEMY} loses 2 figures because its way back is blocked and has 1 left.",
        ),
        (("losses", X, 1, 0, "attack"), f"Axis infantry at {ENEMY} loses its last figure."),
        (("losses", X, 4, 0, "attack"), f"Axis infantry at {ENEMY} loses its last 4 figures."),
    ],
    "eliminated": [(("eliminated", X, place("H5")), "Axis infantry at H5 is eliminated.")],
    "ignored": [(("ignored", X, 1), f"Axis infantry at {ENEMY} ignores 1 flag.")],
    "retreated": [
        (("retreated", X, (place("H5"), place("h6"))), "Axis infantry retreats from H5 to h6."),
        (
            ("retreated", X, (place("H5"), place("h6"), place("H7"))),
            "Axis infantry retreats from H5 to H7 by h6.",
        ),
    ],
    "ground": [(("ground", A, place("G5"), place("H5")), "Allied infantry at G5 takes ground at H5.")],
    "healing": [(("healing", A, 4), f"Allied infantry at {WHERE} is to get figures back, by 4 dice.")],
    "healed": [(("healed", A, 2, 4), f"Allied infantry at {WHERE} gets 2 figures back and has 4.")],
    "medal": [
        (("medal", 0, 1, "elimination", X), "The Allies win 1 medal for eliminating Axis infantry."),
        (("medal", 0, 1, "objective", 0), "The Allies win 1 medal for Pegasus Bridge (D7)."),
        (("medal", 0, 2, "exit", A), "The Allies win 2 medals for Allied infantry leaving the board."),
        (("medal", 1, 1, "tokens", A), "The Axis win 1 medal for a full set of tokens."),
    ],
    "medal-lost": [(("medal-lost", 0, 1, 0), "The Allies lose 1 medal for Pegasus Bridge (D7).")],
    "token": [(("token", 1, A, 2), "The Axis take a token for Allied infantry and have 2.")],
    "drew": [(("drew", 0, 2), "The Allies draw 2 cards.")],
    "no-card": [(("no-card", 1), "No card is left that the Axis could draw.")],
    "discarded": [(("discarded", 1, "recon-left"), "The Axis discard Recon Left.")],
    "reshuffled": [(("reshuffled", 0), "The discards are shuffled into the deck.")],
    "drop-target": [(("drop-target", 0, place("G5")), "The Allies aim the drop at G5.")],
    "dropped": [(("dropped", A, place("G5"), (0, 1)), "Allied infantry comes down at G5.")],
    "drop-lost": [
        (("drop-lost", A, place("G5"), (0, 1)), "Allied infantry comes down at G5 and is lost."),
        (("drop-lost", A, NOBODY, (0, 1)), "Allied infantry comes down off the board and is lost."),
    ],
    "over": [
        (
            ("over", 0, "medals", 4, 1),
            "The battle is over: the Allies have won by medals (Allies 4 medals, Axis 1 medal).",
        ),
        (
            ("over", 1, "elimination", 0, 1),
            "The battle is over: the Axis have won because the enemy has no unit left "
            "(Allies 0 medals, Axis 1 medal).",
        ),
    ],
    "lapsed": [
        (
            ("lapsed", A, ("G9", "Z99")),
            f"The attack ordered of Allied infantry at {WHERE} lapses: nobody is at G9 any more; "
            "there is no hex Z99.",
        )
    ],
    "taken-back": [
        (
            ("taken-back", 14),
            "What followed in this file was taken back: file 14 answered the attack with an Ambush;"
            " cards drawn stay drawn.",
        )
    ],
    "played-again": [
        (
            ("played-again", 1, 13),
            "An Ambush of the Axis: what followed this attack in file 13 is taken back and played again;"
            " cards drawn stay drawn.",
        )
    ],
    "resigns": [(("resigns", 1), "Bob resigns: the Allies have won.")],
    "signed": [(("signed", 0), "Alice has signed the result.")],
}


def test_every_kind_of_event_has_a_sentence_and_a_test() -> None:
    assert set(SENTENCES) == set(KINDS) == set(CASES)


@pytest.mark.parametrize(
    ("event", "text"),
    [pytest.param(event, text, id=text[:60]) for rows in CASES.values() for event, text in rows],
)
def test_an_event_in_words(event: Event, text: str) -> None:
    assert said(event) == [text]


def test_the_reader_is_addressed() -> None:
    assert said(("card", 0, "probe-left", ""), chair=0) == ["You play Probe Left."]
    assert said(("card", 0, "probe-left", ""), chair=1) == ["The Allies play Probe Left."]
    assert said(("drew", 1, 1), chair=1) == ["You draw 1 card."]
    assert said(("over", 1, "medals", 0, 4), chair=1)[0].startswith("The battle is over: you have won")
    assert said(("turn", 2, 1), chair=1) == ["Turn 2 begins, you to act."]
    assert said(("played-again", 1, 13), chair=1) == [
        "Your Ambush: what followed this attack in file 13 is taken back and played again;"
        " cards drawn stay drawn."
    ]


def test_the_left_section_is_the_left_of_the_player_whose_turn_it_is() -> None:
    """R10: the side at the top sees the east on its left."""
    state = START.copy()
    state.active = 1
    assert said(("section", 2), state=state) == ["The left section is chosen."]


def test_an_order_of_a_unit_that_is_gone_lapses() -> None:
    state = START.copy()
    state.lift(A)
    assert said(("lapsed", A, (X,)), state=state) == [
        "The attack ordered of Allied infantry lapses: the unit is gone."
    ]
    state = START.copy()
    state.lift(X)
    assert said(("lapsed", A, (X,)), state=state) == [
        f"The attack ordered of Allied infantry at {WHERE} lapses: Axis infantry is gone."
    ]


def test_a_unit_is_named_where_it_stood_when_it_happened() -> None:
    """Losses come before the retreat of the same step, and are told at the old hex."""
    state = START.copy()
    state.shift(X, place("h8"))
    path = (place("H7"), place("h8"))
    assert said(("losses", X, 1, 3, "attack"), ("retreated", X, path), ("ignored", X, 1), state=state) == [
        "Axis infantry at H7 loses 1 figure and has 3 left.",
        "Axis infantry retreats from H7 to h8.",
        "Axis infantry at h8 ignores 1 flag.",
    ]


def test_an_overrun_is_told_as_one() -> None:
    """R112: armor that has taken ground battles again."""
    state = START.copy()
    state.mark(A, OVERRAN)
    event = ("attack", A, X, place("G5"), place("H5"), 3, 0, 0, 0)
    assert said(event, state=state) == ["Allied infantry at G5 overruns Axis infantry at H5 with 3 dice."]


def test_what_the_readers_own_orders_have_decided_is_said() -> None:
    """A retreat by sheet or standing orders was not chosen at the moment; to others it is like any."""
    fell = ("retreated", X, (place("H5"), place("h6")))
    for by, chair, more in (("box", 1, ", as your standing orders say"), ("stand", 0, ""), ("do", 1, "")):
        told = tell(Step(3, 0, by, "", (fell,), START), MATCH, chair=chair)
        assert told == [f"Axis infantry retreats from H5 to h6{more}."]
    ambush = said(("ambush", 1, X, A, 3), chair=1)[0]
    assert ambush.startswith("You play Ambush, as your standing orders say: Axis infantry at ")


def test_a_card_of_a_growing_hand_is_told_as_the_battles_gift() -> None:
    """R18: Pegasus Bridge lets the Axis draw one card more after their first turns."""
    state = START.copy()
    state.turn, state.queue = 2, (("draw", 1, 1, False), ("begin",))
    extra = said(("drew", 1, 1), state=state)[0]
    assert extra == "The Axis draw 1 card by the battle's special rule."
    lines = [Line("drew", extra), Line("drew", "The Axis draw 1 card.")]
    assert [line.text for line in merged(lines)] == [
        "The Axis draw 2 cards, 1 of them by the battle's special rule."
    ]
    assert merged(lines[:1]) == lines[:1]


def test_flags_on_a_unit_that_is_gone_have_no_effect() -> None:
    """R91: hits come first; nobody is left to obey the flag."""
    rolled = ("rolled", "attack", X, (0, 3), 1, 1)
    step = Step(3, 0, "dice", "", (rolled, ("eliminated", X, place("H5"))), START)
    assert lines_of(step, MATCH)[0].effects == ("hit", "miss")
    assert lines_of(step._replace(events=(rolled,)), MATCH)[0].effects == ("hit", "flag")


def test_the_unit_that_medics_help_is_named() -> None:
    """C32: the dice come later in a sealed game."""
    state = START.copy()
    state.focus, state.roll = A, Roll(0, 4, 6, "medics")
    step = Step(3, 0, "do", f"heal {WHERE}", (), state)
    assert tell(step, MATCH) == [f"Allied infantry at {WHERE} is to get figures back, by 4 dice."]


def test_an_attack_that_goes_on_after_an_ambush_has_a_subject() -> None:
    """C21: when the dice of the Ambush are done the first attacker battles."""
    state = START.copy()
    state.fight = Fight("attack", A, X, 3, True, THERE)
    state.roll = Roll(0, 3, 6, "attack")
    rolled = ("rolled", "ambush", A, (1,), 0, 0)
    told = tell(Step(3, 0, "dice", "", (rolled,), state), MATCH)
    assert told[1:] == [f"Allied infantry at {WHERE} now attacks Axis infantry at {ENEMY} with 3 dice."]
    assert tell(Step(3, 0, "box", "pass", (), state), MATCH) == []


def test_dice_know_what_they_do() -> None:
    """R88, C20: against infantry dice with infantry or a grenade hit; stars hit from the air."""
    faces = (0, 1, 2, 3, 4)
    (line,) = lines_of(Step(3, 0, "dice", "", (("rolled", "attack", X, faces, 2, 1),), START), MATCH)
    assert (line.faces, line.effects) == (faces, ("hit", "miss", "hit", "flag", "miss"))
    (line,) = lines_of(Step(3, 0, "dice", "", (("rolled", "air", X, faces, 3, 1),), START), MATCH)
    assert line.effects == ("hit", "miss", "hit", "flag", "hit")
    (line,) = lines_of(Step(3, 0, "dice", "", (("rolled", "medics", A, faces, 2, 0),), START), MATCH)
    assert line.effects == ()


@pytest.mark.parametrize("name", ["pegasus-bridge", "sainte-mere-eglise", "sword-beach", "st-vith"])
def test_whole_battles_are_told(name: str) -> None:
    """Backwards from the end of a step every unit is found where the step before had left it."""
    battle = load_battle(name)
    luck = random.Random(8)
    state = start(compile_setup(battle, None))
    croupier = Croupier(state, luck)
    match = match_of(name)
    kinds = set()
    for _ in range(1500):
        if is_over(state):
            break
        answer = croupier.answer(state) if chance(state) else BOTS["busy"](state, luck)
        before = state.pos
        state, events = apply(state, answer)
        step = Step(0, -1, "do", "", events, state)
        if events:
            assert bytes(_places(step.state, step.events)[0]) == before
        for event, text in zip(told_events(step), tell(step, match), strict=True):
            kinds.add(event[0])
            assert text.endswith((".", "!"))
            assert "255" not in text
            assert "None" not in text
            assert fields_of(event, match.setup)["event"] == event[0]
    assert {"moved", "attack", "rolled", "losses", "eliminated", "medal", "retreated"} <= kinds


# Passages


def passages_of(number: int, files: tuple[bytes, ...]) -> tuple[list[Passage], list[Step]]:
    """The passages and the steps of a file."""
    reading = readings(files)[number]
    steps = [step for step in reading.referee.steps if step.file == number]
    first = reading.referee.steps.index(steps[0])
    before = reading.referee.steps[first - 1].state if first else None
    assert reading.referee.match is not None
    entry = reading.log.entries[number]
    return tell_file(steps, reading.referee.match, before=before, entry=entry), steps


def test_passages_hold_every_sentence_once_and_in_order() -> None:
    """Nothing is left out but the line that a turn begins, and the attack that is told with its plan."""
    files = game_files()
    for number in range(1, len(files)):
        passages, steps = passages_of(number, files)
        match = readings(files)[number].referee.match
        assert match is not None
        told = [line.text for p in passages if p.kind != "plan" for line in p.lines]
        lines = [line for step in steps for line in lines_of(step, match)]
        whole = [line.text for line in lines if line.kind != "turn"]
        plans = [line.text for p in passages if p.kind == "plan" for line in p.lines]
        missing = [text for text in whole if text not in told]
        assert [text for text in whole if text in told] == told
        assert len(missing) <= 1
        assert all(any(plan.startswith(text.rstrip(".")) for plan in plans) for text in missing)


def test_a_file_first_finishes_the_turn_before() -> None:
    """The dice of the other side's attack fall first; then come card, moves and attacks of the own turn."""
    files = game_files()
    found = 0
    for number in range(2, len(files)):
        passages, steps = passages_of(number, files)
        turns = [passage.turn for passage in passages]
        assert turns == sorted(turns)
        kinds = [passage.kind for passage in passages]
        if steps[0].by == "dice" and {"card", "moves", "plan"} <= set(kinds):
            found += 1
            assert kinds[0] == "attack"
            assert any(word in passages[0].heading for word in (" attacks ", "Air strike on ", "Barrage on "))
            assert passages[0].lines[0].kind == "rolled"
            card, moves, plan = (kinds.index(kind) for kind in ("card", "moves", "plan"))
            assert passages[0].turn + 1 == passages[card].turn == passages[moves].turn == passages[plan].turn
            assert 0 < card < moves < plan == len(kinds) - 1
    assert found > 3


def test_units_that_are_ordered_share_a_sentence() -> None:
    lines = [
        Line("card", "The Allies play Probe Left."),
        Line("ordered", "Allied infantry at c4 is ordered."),
        Line("ordered", "Allied armor at D3 is ordered."),
    ]
    assert [line.text for line in merged(lines)] == [
        "The Allies play Probe Left.",
        "Allied infantry at c4 and Allied armor at D3 are ordered.",
    ]
    assert merged(lines[:2]) == lines[:2]
    passage = Passage("card", 1, "Card and orders", tuple(lines[:2]))
    assert story_text([passage, passage]) == "\n\n".join(
        ["Card and orders\n  The Allies play Probe Left.\n  Allied infantry at c4 is ordered."] * 2
    )


def test_cards_drawn_one_after_another_share_a_sentence() -> None:
    """R18: a hand that grows draws twice; two players who draw are named apart."""
    lines = [
        Line("drew", "The Axis draw 1 card."),
        Line("drew", "The Axis draw 1 card."),
        Line("drew", "You draw 2 cards."),
        Line("turn", "Turn 3 begins, you to act."),
        Line("drew", "You draw 1 card."),
    ]
    assert [line.text for line in merged(lines)] == [
        "The Axis draw 2 cards.",
        "You draw 2 cards.",
        "Turn 3 begins, you to act.",
        "You draw 1 card.",
    ]


def test_an_ambush_is_told_once_where_both_files_are_told_together() -> None:
    lines = [Line("taken-back", "What followed."), Line("played-again", "An Ambush.")]
    assert merged(lines) == lines[1:]
    assert merged(lines[:1]) == lines[:1]


def test_an_attack_order_in_words() -> None:
    order = Order(A, (X, "H5"), True, ("I5",), True)
    assert order_text(order, START) == (
        f"Allied infantry at {WHERE} attacks Axis infantry at {ENEMY}, else H5; it takes ground if it can "
        "and overruns I5; then the turn stops until its dice are known."
    )
    assert order_text(Order(A, ("H5",), False, (), False), START) == f"Allied infantry at {WHERE} attacks H5."


def test_an_order_that_lapsed_says_why() -> None:
    """R59, R67: an order lapses because its targets are gone or out of reach, and the story says which."""
    files = find_game("lapsed")
    referee = readings(files)[-1].referee
    assert referee.match is not None
    found = 0
    for step in referee.steps:
        for event, text in zip(step.events, tell(step, referee.match), strict=True):
            if event[0] != "lapsed":
                continue
            found += 1
            unit, targets = event[1:]
            gone = [t for t in targets if step.state.pos[t] == NOBODY]
            where = f" at {referee.match.setup.grid.labels[step.state.pos[unit]]}"
            assert step.state.pos[unit] == NOBODY or where in text
            reasons = text.rstrip(".").split(" lapses: ")[1].split("; ")
            assert any(reason.endswith(" is gone") for reason in reasons) == bool(gone)
            assert all(reasons)
    assert found


def test_an_ambush_that_takes_back_what_was_shown_is_told_in_both_files() -> None:
    """C21, adaptation 19: in an instant game the story of either file says what became of the attack."""
    here = moment("instant", lambda each: Choice("do", "card ambush") in each.draft.program)
    number = here.log.count
    referee = here.referee.read(here.log.check(here.honest())[1])
    assert referee.match is not None
    side = 1 if here.draft.desk.seat else 0
    told = {
        file: [
            line
            for step in referee.steps
            if step.file == file
            for line in tell(step, referee.match, chair=side)
        ]
        for file in (number - 1, number)
    }
    assert " attacks " in told[number - 1][-2]
    assert told[number - 1][-1] == (
        f"What followed in this file was taken back: file {number} answered the attack with an Ambush;"
        " cards drawn stay drawn."
    )
    assert told[number][0] == (
        f"Your Ambush: what followed this attack in file {number - 1} is taken back and played again;"
        " cards drawn stay drawn."
    )
    assert told[number][1].startswith("You play Ambush, as your standing orders say: ")
