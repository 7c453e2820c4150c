"""A plan that an Ambush has interrupted: what is left of it can be kept, changed or dropped."""

from __future__ import annotations

import pytest

from pbem.cli.decide import asked_now, legal_rows, plan_rows
from pbem.draft import Draft, Wishes
from pbem.errors import Refused
from pbem.guide import Guide
from pbem.orders_text import Standing
from pbem.plans import can_keep, left_orders
from pbem.typed import enact_all, planned
from tests.ambushed import DUG_IN, ambushed
from tests.mailgame import byte_source

GOES_ON = "Your turn goes on: order the attacks that are left, or confirm your plan."


def retreated() -> Draft:
    """Alice's draft after she has said where F5 goes."""
    draft = Draft(ambushed()[0].desk)
    draft.do(draft.answers()[0])
    return draft


def test_what_is_left_is_said_while_the_retreat_is_asked() -> None:
    draft = Draft(ambushed()[0].desk)
    assert [row["action"] for row in plan_rows(draft)] == ["attack G1 H5"]
    assert len(left_orders(draft)) == 1
    assert not can_keep(draft)
    with pytest.raises(Refused, match="no plan is asked for now"):
        enact_all(draft, ["plan keep"])


def test_the_plan_goes_on_with_plan_keep() -> None:
    """Protocol 10.4: a plan begins to hold again when its side confirms it."""
    draft = retreated()
    assert asked_now(draft, "battle").text == GOES_ON
    assert [row["action"] for row in plan_rows(draft)] == ["attack G1 H5"]
    assert [row["action"] for row in legal_rows(draft)][-2:] == ["plan keep", "end"]
    kept = enact_all(draft, ["plan keep"])
    assert kept.is_decided
    state, orders = planned(kept)
    assert [state.setup.grid.labels[state.pos[order.unit]] for order in orders] == ["G1"]
    alice, bob = ambushed()
    data = kept.seal(Wishes(), byte_source(1))
    alice.accept(data)
    bob.accept(data)
    events = [event[0] for step in bob.referee.steps if step.file == 6 for event in step.events]
    assert "attack" in events


def test_the_guided_turn_offers_to_keep_it() -> None:
    guide = Guide(retreated(), Standing())
    question = guide.question()
    assert "Left of the plan: attack G1 H5" in question.notes
    texts = [option.text for option in question.options]
    assert "Keep what is left of the plan" in texts
    guide.answer(str(texts.index("Keep what is left of the plan") + 1))
    assert guide.draft.is_decided
    assert guide.draft.choices[-1] == ("plan", None)


def test_new_attacks_replace_it_and_end_drops_it() -> None:
    assert enact_all(retreated(), ["attack G1 G5"]).choices[-1].name == "plan"
    ended = enact_all(retreated(), ["end"])
    assert ended.referee.now.turn == 4


def test_an_attack_that_goes_on_after_an_ambush_takes_the_rest_of_the_plan_along_if_it_is_kept() -> None:
    """R100, C21: the attacker ignores the flag, its dice wait, and the file may confirm the rest or not."""
    alice, bob = ambushed(DUG_IN, "ignore")
    draft = enact_all(Draft(alice.desk), ["ignore 1"])
    assert draft.is_decided
    assert asked_now(draft, "battle").text == (
        'Your attack goes on; what is left of your plan follows it only if you type "plan keep".'
    )
    assert [row["action"] for row in legal_rows(draft)] == ["plan keep"]
    question = Guide(draft, Standing()).question()
    assert question.options[0].action == "plan keep"
    assert question.notes == ("Left of the plan: attack G1 H5",)
    kept = enact_all(draft, ["plan keep"])
    assert kept.is_decided
    assert not can_keep(kept)
    data = kept.seal(Wishes(), byte_source(1))
    alice.accept(data)
    bob.accept(data)
    answer = Draft(bob.desk)
    while answer.state.phase in ("retreat", "ignore"):
        answer.do(answer.answers()[0])
    units = [event[1] for step in answer.referee.steps for event in step.events if event[0] == "attack"]
    setup = answer.state.setup
    assert setup.types[units[-1]].key == "artillery"
