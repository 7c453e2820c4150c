"""Cheats with seeds and sealed answers, and decisions exchanged under proofs (rows 17, 19, 55 to 59, 66)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.canon import encode
from pbem.container import pack
from pbem.gamekeys import GameSecret
from pbem.hashing import h32
from pbem.log import ZERO, offer_id
from pbem.sheet import build_sheet
from pbem.writer import own_secret
from tests.pbem.forge import (
    ANSWERS,
    PEOPLE,
    YES,
    Book,
    Cheat,
    Forger,
    Stage,
    chain_of,
    expect_refusal,
    next_file,
    open_file,
    opening,
    set_up,
    sheet_of,
    small,
    small_terms,
    teams,
)

BOOK = Book()
ALICE, BOB = PEOPLE[:2]


# Seeds


def secret_of(stage: Stage, seat: int) -> GameSecret:
    """The game secret of a player."""
    return own_secret(stage.logs[2], PEOPLE[seat], seat)


def with_seed(stage: Stage, number: int, seed: bytes) -> bytes:
    """A file that opens another seed."""
    return stage.changed(number, lambda body: body.update(s=seed))


@BOOK.cheat("17", "E_SEED", after=5)
def an_invented_seed(stage: Stage) -> bytes:
    return with_seed(stage, 5, b"lucky" * 6 + b"!!")


@BOOK.cheat("17", "E_SEED", after=5)
def an_old_seed(stage: Stage) -> bytes:
    return with_seed(stage, 5, open_file(stage.files[3])["s"])


@BOOK.cheat("17", "E_SEED", after=5)
def a_skipped_link(stage: Stage) -> bytes:
    return with_seed(stage, 5, secret_of(stage, 1).seed(3))


@BOOK.cheat("17", "E_SEED", after=5)
def the_opponents_seed(stage: Stage) -> bytes:
    return with_seed(stage, 5, open_file(stage.files[4])["s"])


@BOOK.cheat("17", "E_SEED", after=5)
def no_seed_at_all(stage: Stage) -> bytes:
    return with_seed(stage, 5, ZERO)


@BOOK.cheat("17", "E_SEED", after=0)
def an_offer_without_an_anchor(stage: Stage) -> bytes:
    key = open_file(stage.files[0])["o"][1][3]
    return stage.changed(0, lambda body: body.update(s=ZERO, g=offer_id(stage.terms, key, ZERO)))


@BOOK.cheat("19", "E_SEED", after=3)
def the_author_answers_the_own_file(stage: Stage) -> bytes:
    """Alice has written file 2 and writes file 3 as well, with her next seed, to fix the dice herself."""
    log = stage.logs[3]
    body = open_file(stage.files[4])
    body.update(n=3, p=log.previous, s=secret_of(stage, 0).seed(2))
    body["h"] = chain_of(body)[-1]
    return pack(encode(body), ALICE)


@BOOK.cheat("19", "E_SEED", after=3, stage=teams)
def a_mate_opens_a_second_seed_in_one_run(stage: Stage) -> bytes:
    return with_seed(stage, 3, secret_of_side(stage, 0).seed(2))


def secret_of_side(stage: Stage, side: int) -> GameSecret:
    """The game secret of a team."""
    return own_secret(stage.logs[2], PEOPLE[side], side)


# Sheets


def with_boxes(stage: Stage, boxes: list[Any]) -> bytes:
    """File 3 with other boxes opened."""
    forger = stage.forger(3)
    forger.pay()
    forger.force("open", boxes)
    return stage.sealed(forger)


def sealed_in(stage: Stage, number: int) -> Any:
    """The sheet that Bob has sealed in a file."""
    return sheet_of(stage.logs[max(number, 2)], number, 1, BOB)


@BOOK.cheat("55", "E_SHEET", after=3)
def an_answer_changed_after_the_dice(stage: Stage) -> bytes:
    box = opening(sealed_in(stage, 1), 5)
    return with_boxes(stage, [[box[0], encode(None), *box[2:]]])


@BOOK.cheat("55", "E_SHEET", after=3)
def the_answer_of_another_box(stage: Stage) -> bytes:
    return with_boxes(stage, [[6, *opening(sealed_in(stage, 1), 5)[1:]]])


@BOOK.cheat("55", "E_SHEET", after=3)
def the_same_box_twice(stage: Stage) -> bytes:
    return with_boxes(stage, [opening(sealed_in(stage, 1), 5)] * 2)


@BOOK.cheat("55", "E_SHEET", after=3)
def a_box_out_of_range(stage: Stage) -> bytes:
    return with_boxes(stage, [[1024 + 5, *opening(sealed_in(stage, 1), 5)[1:]]])


@BOOK.cheat("55", "E_SHEET", after=3)
def a_negative_box(stage: Stage) -> bytes:
    return with_boxes(stage, [[5 - 1024, *opening(sealed_in(stage, 1), 5)[1:]]])


@BOOK.cheat("55", "E_SHEET", after=3)
def another_salt(stage: Stage) -> bytes:
    box = opening(sealed_in(stage, 1), 5)
    return with_boxes(stage, [[box[0], box[1], bytes(32), box[3]]])


@BOOK.cheat("56", "E_SHEET", after=5)
def an_answer_from_an_earlier_sheet(stage: Stage) -> bytes:
    forger = stage.forger(5)
    forger.pay()
    forger.force("open", [opening(sealed_in(stage, 1), 5)])
    return stage.sealed(forger)


@BOOK.cheat("56", "E_SHEET", after=3)
def an_answer_from_the_sheet_of_this_very_file(stage: Stage) -> bytes:
    sheet = build_sheet(secret_of(stage, 1), stage.logs[3].game, 3, 1, ANSWERS)
    assert sheet.root == open_file(stage.files[3])["k"]
    return with_boxes(stage, [opening(sheet, 5)])


def sealed_again() -> Stage:
    """A team whose mate seals a sheet in the second file of a run."""
    stage = Stage(teams().terms, PEOPLE, teams().files[:3], teams().logs[:4])
    sheet = build_sheet(secret_of_side(stage, 0), stage.logs[3].game, 3, 0, ANSWERS)
    mate = next_file(stage.logs[3], 2, PEOPLE[2], sheet=sheet.root)
    mate.say("do", "sealed")
    stage.publish(mate)
    return stage


@BOOK.cheat("56", "E_ORDER", after=4, stage=sealed_again)
def a_sheet_sealed_in_the_same_run(stage: Stage) -> bytes:
    """In the first run there is no earlier sheet at all, so the op has nothing to open; see the next one."""
    sheet = build_sheet(secret_of_side(stage, 0), stage.logs[3].game, 3, 0, ANSWERS)
    forger = next_file(stage.logs[4], 0, ALICE)
    forger.force("open", [opening(sheet, 5)])
    return stage.sealed(forger)


def second_run() -> Stage:
    """Side 0 is in its second run and has a sheet of its first; its mate has just sealed another."""
    stage = Stage(teams().terms, PEOPLE, list(teams().files), list(teams().logs))
    sheet = build_sheet(secret_of_side(stage, 0), stage.logs[7].game, 7, 0, {7: YES})
    other = next_file(stage.logs[7], 0, ALICE, sheet=sheet.root)
    other.say("do", "sealed again")
    stage.publish(other)
    return stage


@BOOK.cheat("56", "E_SHEET", after=8, stage=second_run)
def a_sheet_sealed_in_the_same_later_run(stage: Stage) -> bytes:
    sheet = build_sheet(secret_of_side(stage, 0), stage.logs[7].game, 7, 0, {7: YES})
    forger = next_file(stage.logs[8], 2, PEOPLE[2])
    forger.force("open", [opening(sheet, 7)])
    return stage.sealed(forger)


def test_the_sheet_of_the_run_before_may_be_opened_by_a_mate() -> None:
    """The honest run beside it: what was sealed before the run is good, whoever of the team opens it."""
    stage = second_run()
    sheet = build_sheet(secret_of_side(stage, 0), stage.logs[2].game, 2, 0, ANSWERS)
    forger = next_file(stage.logs[8], 2, PEOPLE[2])
    forger.add("open", [opening(sheet, 5)])
    _, entry = stage.logs[8].check(stage.sealed(forger))
    assert [action.value for action in entry.actions] == [[(5, ["card", "command", "ambush"])]]


def copied_sheet() -> Stage:
    """A game in which Bob's sheet is the copy of Alice's."""
    stage = Stage(small().terms, PEOPLE[:2], small().files[:3], small().logs[:4])
    root = open_file(stage.files[2])["k"]
    forger = next_file(stage.logs[3], 1, BOB, sheet=root)
    forger.pay()
    stage.publish(forger)
    turn = next_file(stage.logs[4], 0, ALICE)
    turn.pay()
    sheet = build_sheet(secret_of(stage, 0), stage.logs[4].game, 2, 0, ANSWERS)
    turn.add("open", [opening(sheet, 5)])
    stage.publish(turn)
    return stage


@BOOK.cheat("56", "E_SHEET", after=5, stage=copied_sheet)
def the_opponents_sheet_copied_and_reopened(stage: Stage) -> bytes:
    opened = next(op for op in open_file(stage.files[4])["o"] if op[0] == "open")
    forger = next_file(stage.logs[5], 1, BOB)
    forger.force(*opened)
    return stage.sealed(forger)


@BOOK.cheat("57", "E_SHEET", after=3)
def the_sheet_left_out(stage: Stage) -> bytes:
    return stage.changed(3, lambda body: body.update(k=ZERO))


@BOOK.cheat("57", "E_SHEET", after=1)
def the_sheet_left_out_of_the_answer(stage: Stage) -> bytes:
    return stage.changed(1, lambda body: body.update(k=ZERO))


@BOOK.cheat("57", "E_SHEET", after=0)
def a_sheet_in_the_offer(stage: Stage) -> bytes:
    return stage.changed(0, lambda body: body.update(k=h32("test/sheet")))


def without_sheets() -> Stage:
    """A game without sheets."""
    return set_up(small_terms(sheet=False), PEOPLE[:2])


@BOOK.cheat("57", "E_SHEET", after=2, stage=without_sheets)
def a_sheet_though_not_agreed(stage: Stage) -> bytes:
    forger = next_file(stage.logs[2], 0, ALICE)
    forger.pay()
    body = {**open_file(stage.sealed(forger)), "k": h32("test/sheet")}
    body["h"] = chain_of(body)[-1]
    return pack(encode(body), ALICE)


@BOOK.cheat("57", "E_ORDER", after=2, stage=without_sheets)
def a_box_opened_where_there_are_no_sheets(stage: Stage) -> bytes:
    forger = next_file(stage.logs[2], 0, ALICE)
    forger.pay()
    forger.force("open", [[5, YES, bytes(32), bytes(320)]])
    return stage.sealed(forger)


@BOOK.cheat("58", "E_LEN", after=3)
def a_path_too_short(stage: Stage) -> bytes:
    box = opening(sealed_in(stage, 1), 5)
    return with_boxes(stage, [[*box[:3], box[3][:-32]]])


@BOOK.cheat("58", "E_LEN", after=3)
def a_path_too_long(stage: Stage) -> bytes:
    box = opening(sealed_in(stage, 1), 5)
    return with_boxes(stage, [[*box[:3], box[3] + bytes(32)]])


@BOOK.cheat("59", "E_ENC", after=3)
def an_answer_that_is_not_canonical(stage: Stage) -> bytes:
    box = opening(sealed_in(stage, 1), 5)
    return with_boxes(stage, [[box[0], b"\xcc\x05", *box[2:]]])


@BOOK.cheat("59", "E_ORDER", after=3)
def an_open_op_that_opens_nothing(stage: Stage) -> bytes:
    return with_boxes(stage, [])


@BOOK.cheat("59", "E_FIELD", after=3)
def a_box_of_three_parts(stage: Stage) -> bytes:
    return with_boxes(stage, [opening(sealed_in(stage, 1), 5)[:3]])


@BOOK.cheat("59", "E_ORDER", after=3)
def two_open_ops(stage: Stage) -> bytes:
    forger = stage.forger(3)
    forger.pay()
    forger.add("open", [opening(sealed_in(stage, 1), 5)])
    forger.force("open", [opening(sealed_in(stage, 1), 6)])
    return stage.sealed(forger)


@pytest.mark.parametrize("name", ["do", "plan", "stand", "end"])
@pytest.mark.parametrize("value", [b"", b"\xc1", b"\xcc\x05", b"\xc0\xc0", b"\xdc\x00\x01\xc0", b"\xa1\xff"])
def test_row_59_a_decision_is_one_canonical_value(name: str, value: bytes) -> None:
    def make(stage: Stage) -> bytes:
        forger: Forger = stage.forger(3)
        forger.pay()
        forger.force(name, value)
        return stage.sealed(forger)

    expect_refusal(Cheat("59", "E_ENC", 3, small, make))


# Decisions under proofs


@BOOK.cheat("66", "E_DLEQ", after=2)
def a_decision_before_a_proof_changed(stage: Stage) -> bytes:
    """File 2 shows a card behind a decision; there is also a mix, whose proof is made again by the cheat."""
    forger = stage.forger(2)
    forger.pay()
    forger.say("do", "advance")
    forger.show(0)
    body = open_file(stage.sealed(forger))
    place = next(place for place, op in enumerate(body["o"]) if op[0] == "do")
    body["o"][place] = ["do", encode("retreat")]
    body["h"] = chain_of(body)[-1]
    return pack(encode(body), ALICE)


@BOOK.cheat("66", "E_SHUFFLE", after=2)
def a_decision_before_a_mix_changed(stage: Stage) -> bytes:
    """The same with a shuffle behind the decision."""

    def change(body: dict[str, Any]) -> None:
        place = next(place for place, op in enumerate(body["o"]) if op[0] == "do")
        body["o"][place] = ["do", encode("retreat")]

    return stage.changed(2, change)


@BOOK.cheat("66", "E_DLEQ", after=3)
def the_sheet_root_exchanged_under_the_proofs(stage: Stage) -> bytes:
    return stage.changed(3, lambda body: body.update(k=h32("test/sheet")))


@pytest.mark.parametrize("cheat", BOOK.params())
def test_a_cheat_with_sealed_things_is_refused(cheat: Cheat) -> None:
    expect_refusal(cheat)
