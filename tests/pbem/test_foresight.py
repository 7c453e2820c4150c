"""Answers given ahead of the question: what becomes of attack orders that nobody can carry out."""

from __future__ import annotations

from pbem.draft import Draft, Wishes
from pbem.story import tell_file
from pbem.typed import enact_all
from tests.mailgame import Party, byte_source
from tests.skirmish import SKIRMISH, center_card, skirmish

# Three Allied units next to one German figure; nobody else is near.
LAST_STAND = (
    SKIRMISH[: SKIRMISH.index("units:")]
    + """\
units:
  allies:
    infantry:  F5 f4 g4
  axis:
    infantry x1: G5
    infantry:    A9
"""
)


def ordered(*lines: str, seed: int) -> tuple[Party, Party]:
    """Alice and Bob after a file of Alice with these attack orders."""
    alice, bob = skirmish(document=LAST_STAND, seed=seed)
    draft = Draft(alice.desk)
    draft = enact_all(draft, [f"card {center_card(draft)}", "order F5 f4", *lines])
    data = draft.seal(Wishes(), byte_source(seed))
    for party in (alice, bob):
        party.accept(data)
    return alice, bob


def lapsed_in(draft: Draft) -> list[str]:
    """The sentences about orders that lapsed in a draft."""
    match = draft.referee.match
    assert match is not None
    steps = draft.referee.steps[len(draft.desk.referee.steps) :]
    passages = tell_file(steps, match, before=draft.desk.referee.state)
    return [line.text for passage in passages if passage.kind == "lapsed" for line in passage.lines]


def cleared(*lines: str) -> tuple[Party, Party, Draft]:
    """The same, and Bob's draft, with dice that have eliminated the unit at G5 in the first attack."""
    for seed in range(1, 30):
        alice, bob = ordered(*lines, seed=seed)
        draft = Draft(bob.desk)
        if draft.state.medals(0):
            return alice, bob, draft
    raise AssertionError("no dice eliminate anybody: try more seeds")


def test_orders_that_are_left_when_the_battles_end_are_told_as_lapsed() -> None:
    """R49, R51: the first attack eliminates the only enemy; the engine ends the battles by itself."""
    _, _, draft = cleared("attack F5 G5", "attack f4 G5")
    assert lapsed_in(draft) == [
        "The attack ordered of Allied infantry at f4 lapses: Axis infantry is gone.",
    ]


def test_the_reason_is_that_of_the_battles_although_they_are_over() -> None:
    """R59: as long as the battles went on the unit could not reach its target."""
    _, _, draft = cleared("attack F5 G5", "attack f4 A9 maybe")
    assert lapsed_in(draft) == [
        "The attack ordered of Allied infantry at f4 lapses: A9 is 8 hexes away; infantry reaches 3 (R59).",
    ]


def test_lapsed_orders_are_told_once_and_change_nothing_that_files_say() -> None:
    """The answer is written, and both agree on it; the story of the file has the lapse once."""
    alice, bob, draft = cleared("attack F5 G5", "attack f4 G5")
    draft = enact_all(draft, [next(f"card {a[1]}" for a in draft.answers() if a[0] == "card"), "end"])
    data = draft.seal(Wishes(), byte_source(9))
    for party in (alice, bob):
        party.accept(data)
    assert alice.referee.digest() == bob.referee.digest()
    kinds = [event[0] for step in alice.referee.steps for event in step.events]
    assert kinds.count("lapsed") == 1
    assert kinds.index("lapsed") < kinds.index("turn", kinds.index("eliminated"))
