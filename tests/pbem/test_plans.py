"""A plan in the making: what it may still take in, and that whatever is listed can be typed."""

from __future__ import annotations

import random

import pytest

from engine import format_answer
from pbem.cli.decide import legal_rows
from pbem.draft import Draft, Wishes
from pbem.plans import plannable
from pbem.typed import enact, rehearsal
from tests.drawing import play, position
from tests.mailgame import byte_source
from tests.skirmish import skirmish

FIELD = """
    F5 allies armor
    B5 allies infantry
    A1 allies infantry
    G5 axis infantry 1
    H5 axis infantry
    C5 axis infantry
"""


def test_while_armor_overruns_other_units_may_be_planned_too() -> None:
    """R115: the overrun comes first, but a plan orders what comes behind it as well."""
    s = play(position(FIELD), "order F5", "order B5", "done", "done", "attack F5 G5", "pass")
    s = play(s, "roll grenade star star", "ground G5")
    assert s.phase == "overrun"
    assert [format_answer(s, a) for a in plannable(s)] == ["attack G5 H5", "attack B5 C5"]


@pytest.mark.parametrize(("dice", "retreat"), [("sealed", "live"), ("sealed", "strict"), ("instant", "")])
@pytest.mark.parametrize("seed", [1, 2])
def test_whatever_is_listed_can_be_typed(dice: str, retreat: str, seed: int) -> None:
    """Some files of a random game: every row of `pbem legal` is possible, and its rehearsal as well."""
    luck = random.Random(seed)
    parties = skirmish(dice=dice, retreat=retreat)
    rows = 0
    for number in range(8):
        party = next(party for party in parties if party.desk.is_next())
        draft = Draft(party.desk)
        for _ in range(40):
            listed = [row["action"] for row in legal_rows(draft)]
            for action in luck.sample(listed, min(3, len(listed))):
                assert enact(rehearsal(draft), [action]).problem is None, action
                rows += 1
            if not listed or draft.must_confirm or (draft.is_decided and luck.random() < 0.5):
                break
            draft = enact(draft, [luck.choice(listed)]).draft
        if not draft.is_decided or draft.must_confirm:
            break
        data = draft.seal(Wishes(), byte_source(number))
        for other in parties:
            other.accept(data)
    assert rows > 30
