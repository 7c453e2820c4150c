"""Sealed answers: the published sheet, honest openings, and every way to cheat at one box."""

from __future__ import annotations

import pytest

from pbem.canon import encode
from pbem.errors import Fault
from pbem.gamekeys import GameSecret
from pbem.hashing import h32, u8, u32
from pbem.sheet import BOXES, NOTHING, Sheet, build_sheet, check_opening
from tests.pbem.vectors import part, value

GAME = b"g" * 32
SECRET = GameSecret(bytes(range(32)))
AMBUSH = encode(["card", "command", "ambush"])


def code(root: bytes, *opening: object, game: bytes = GAME, number: int = 5, side: int = 1) -> str:
    """The code with which an opening is refused."""
    with pytest.raises(Fault) as caught:
        check_opening(root, game, number, side, *opening)  # type: ignore[arg-type]  # wrong on purpose
    return caught.value.code


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    """A sheet with three answers."""
    return build_sheet(SECRET, GAME, 5, 1, {0: b"\1", 17: AMBUSH, 1023: encode("never")})


def test_the_published_sheet() -> None:
    secret, game = GameSecret(value("sheet", "secret")), value("sheet", "gid")
    number, side, box = (part("sheet", name) for name in ("n", "side", "box"))
    made = build_sheet(secret, game, number, side, {box: value("sheet", "answer")})
    assert made.root == value("sheet", "root")
    assert made.open(box) == (value("sheet", "answer"), value("sheet", "salt"), value("sheet", "path"))
    assert secret.box_salt(game, number, box) == value("sheet", "salt")
    check_opening(made.root, game, number, side, box, *made.open(box))


def test_the_fast_tree_is_the_plain_one() -> None:
    made = build_sheet(SECRET, GAME, 9, 0, {3: AMBUSH})
    level = []
    for box in range(BOXES):
        salt = SECRET.box_salt(GAME, 9, box)
        answer = AMBUSH if box == 3 else NOTHING
        level.append(h32("box", GAME, u32(9), u8(0), u32(box), salt, answer))
    while len(level) > 1:
        level = [h32("node", level[place], level[place + 1]) for place in range(0, len(level), 2)]
    assert [made.root] == level


def test_every_box_opens(sheet: Sheet) -> None:
    for box in range(BOXES):
        check_opening(sheet.root, GAME, 5, 1, box, *sheet.open(box))
    assert sheet.open(17).answer == AMBUSH
    assert sheet.open(18).answer == NOTHING
    assert len(sheet.open(1023).path) == 320


def test_changed_answers_and_other_boxes(sheet: Sheet) -> None:
    """Cheat 55: answer changed after the dice; answer of another box; box out of range."""
    answer, salt, path = sheet.open(17)
    assert code(sheet.root, 17, NOTHING, salt, path) == "E_SHEET"
    assert code(sheet.root, 17, answer, bytes(32), path) == "E_SHEET"
    assert code(sheet.root, 16, answer, salt, path) == "E_SHEET"
    assert code(sheet.root, 18, answer, salt, path) == "E_SHEET"
    for box in (-1, 1024, 1024 + 17, 2**40):
        assert code(sheet.root, box, answer, salt, path) == "E_SHEET"


def test_sheets_cannot_be_moved(sheet: Sheet) -> None:
    """Cheat 56: from an earlier sheet; opponent's sheet copied; also another game."""
    opening = sheet.open(17)
    assert code(sheet.root, 17, *opening, number=3) == "E_SHEET"
    assert code(sheet.root, 17, *opening, side=0) == "E_SHEET"
    assert code(sheet.root, 17, *opening, game=bytes(32)) == "E_SHEET"
    other = build_sheet(SECRET, GAME, 7, 1, {17: AMBUSH})
    assert code(other.root, 17, *opening, number=7) == "E_SHEET"


@pytest.mark.parametrize("place", range(0, 320, 32))
def test_every_sibling_counts(sheet: Sheet, place: int) -> None:
    answer, salt, path = sheet.open(600)
    damaged = path[:place] + bytes([path[place] ^ 1]) + path[place + 1 :]
    assert code(sheet.root, 600, answer, salt, damaged) == "E_SHEET"


def test_lengths_and_forms(sheet: Sheet) -> None:
    """Cheats 58 and 59: a path of another length; an answer that is not canonical."""
    answer, salt, path = sheet.open(17)
    assert code(sheet.root, 17, answer, salt, path[:-32]) == "E_LEN"
    assert code(sheet.root, 17, answer, salt, path + bytes(32)) == "E_LEN"
    assert code(sheet.root, 17, answer, salt[:-1], path) == "E_LEN"
    assert code(sheet.root, 17, answer + b"\0", salt, path) == "E_ENC"
    assert code(sheet.root, 17, b"", salt, path) == "E_ENC"
    assert code(sheet.root, 17, b"\xcc\1", salt, path[:-1]) == "E_LEN"  # lengths come first


def test_the_root_hides_what_is_on_the_sheet(sheet: Sheet) -> None:
    """Claim 8 of part 14: other secrets give other roots; salts differ by box and file."""
    answers = {17: AMBUSH}
    roots = {build_sheet(GameSecret(bytes([seed] * 32)), GAME, 5, 1, answers).root for seed in range(4)}
    assert len(roots) == 4
    assert len({sheet.open(box).salt for box in range(BOXES)}) == BOXES
    assert build_sheet(SECRET, GAME, 6, 1, {}).open(0).salt != sheet.open(0).salt


@pytest.mark.parametrize("box", [-1, 1024])
def test_a_sheet_has_1024_boxes(sheet: Sheet, box: int) -> None:
    with pytest.raises(ValueError, match="0 to 1023"):
        sheet.open(box)
    with pytest.raises(ValueError, match="0 to 1023"):
        build_sheet(SECRET, GAME, 5, 1, {box: NOTHING})
