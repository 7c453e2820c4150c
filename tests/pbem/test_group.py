"""The curve behind coincurve: strict parsing, the identity, and agreement with plain integers."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pbem import group
from pbem.errors import Fault
from pbem.group import ORDER, G, Point
from pbem.hashing import hash_scalar
from tests import plain_group as plain
from tests.pbem.vectors import part


def code_of(data: bytes) -> str:
    """The code with which these bytes are refused as a point."""
    with pytest.raises(Fault) as caught:
        group.parse_point(data)
    return caught.value.code


def numbers(count: int) -> list[int]:
    """Some numbers that look random, and the awkward ones."""
    awkward = [1, 2, ORDER - 1, ORDER - 2, (ORDER + 1) // 2]
    return awkward + [hash_scalar("nonce", bytes([index])) for index in range(count)]


@pytest.mark.parametrize("text", part("points", "good"))
def test_published_points_are_read(text: str) -> None:
    assert group.parse_point(bytes.fromhex(text)).data.hex() == text


@pytest.mark.parametrize(("text", "reason"), part("points", "bad").items())
def test_published_bad_points_are_refused(text: str, reason: str) -> None:
    assert code_of(bytes.fromhex(text)) == "E_POINT", reason


@pytest.mark.parametrize("size", [0, 1, 32, 34, 65, 66])
def test_other_sizes_are_refused(size: int) -> None:
    """Cheat 33: also the 65-byte form that the library itself would read."""
    assert code_of(bytes([4]) * size) == "E_LEN"
    x, y = plain.BASE or (0, 0)
    assert code_of(b"\4" + x.to_bytes(32, "big") + y.to_bytes(32, "big")) == "E_LEN"
    assert code_of(bytes([6 + y % 2]) + x.to_bytes(32, "big") + y.to_bytes(32, "big")) == "E_LEN"


def test_lists_of_points() -> None:
    two = group.base(2)
    assert group.parse_points(G.data + two.data, 2) == [G, two]
    assert group.parse_ciphertexts(G.data + two.data, 1) == [group.Ciphertext(G, two)]
    assert group.join_points([group.Ciphertext(G, two), two]) == G.data + two.data + two.data
    for count, size in ((2, 65), (2, 67), (1, 66), (3, 66), (1, 0)):
        with pytest.raises(Fault, match="E_LEN"):
            group.parse_points(bytes(size), count)
    for count, size in ((1, 65), (1, 33), (2, 66), (1, 0)):
        with pytest.raises(Fault, match="E_LEN"):
            group.parse_ciphertexts(bytes(size), count)


def test_scalars() -> None:
    """Cheat 23: not reduced, or a challenge of zero."""
    for text in part("scalars", "bad"):
        with pytest.raises(Fault, match="E_SCALAR"):
            group.parse_scalar(bytes.fromhex(text))
    assert group.parse_scalar(bytes(32)) == 0
    with pytest.raises(Fault, match="E_SCALAR"):
        group.parse_scalar(bytes(32), challenge=True)
    assert group.parse_scalar(group.scalar_bytes(ORDER - 1), challenge=True) == ORDER - 1
    assert group.scalar_bytes(ORDER + 5) == group.scalar_bytes(5) == bytes(31) + b"\5"
    for size in (0, 31, 33):
        with pytest.raises(Fault, match="E_LEN"):
            group.parse_scalar(bytes(size))


def test_fixed_points_are_the_published_ones() -> None:
    for index, text in part("generators").items():
        assert group.generator(int(index)).data.hex() == text
    for name, text in part("cards").items():
        deck, number = name.split("/")
        assert group.card_point(deck, int(number)).data.hex() == text
        assert (
            plain.write(plain.hashed_point("card", deck.encode(), int(number).to_bytes(4, "little"))).hex()
            == text
        )


@pytest.mark.parametrize("index", [-1, 161])
def test_there_are_161_generators(index: int) -> None:
    with pytest.raises(ValueError, match="161"):
        group.generator(index)


def test_generators_differ_and_their_sum_is_negative() -> None:
    assert len({group.generator(index) for index in range(161)}) == 161
    total = group.total([group.generator_sum(3), *(group.generator(index) for index in (1, 2, 3))])
    assert total is None


def test_products_and_sums_agree_with_plain_integers() -> None:
    point, other = group.generator(7), plain.hashed_point("gen", bytes([7, 0, 0, 0]))
    for number in numbers(6):
        assert group.base(number).data == plain.write(plain.multiply(number, plain.BASE))
        assert group.multiply(number, point).data == plain.write(plain.multiply(number, other))
        assert group.multiply(number - ORDER, point) == group.multiply(number + ORDER, point)
    mixed = group.sum_of_products(numbers(1), [point, G, G, None, point, G])
    terms = zip(numbers(1), [other, plain.BASE, plain.BASE, None, other, plain.BASE], strict=True)
    assert mixed is not None
    assert mixed.data == plain.write(plain.total(plain.multiply(number, term) for number, term in terms))


def test_the_identity_is_none() -> None:
    """Part 16, honest runs: identities inside a sum do no harm."""
    two = group.base(2)
    minus = group.negate(two)
    assert minus.data == b"\3" + two.data[1:]
    assert group.total([]) is None
    assert group.total([None, None]) is None
    assert group.total([two, minus]) is None
    assert group.total([two, None, minus, two]) == two
    assert group.total([two, two]) == group.base(4)
    assert group.subtract(two, two) is None
    assert group.subtract(group.base(5), two) == group.base(3)
    assert group.sum_of_products([], []) is None
    assert group.sum_of_products([0, ORDER], [two, G]) is None
    assert group.sum_of_products([3, ORDER - 3], [two, two]) is None
    assert group.sum_of_products([1, 1], [two, minus]) is None
    assert group.sum_of_products([0, 1, 5], [two, G, None]) == G
    for zero in (0, ORDER, -ORDER):
        with pytest.raises(ValueError, match="zero"):
            group.multiply(zero, two)
        with pytest.raises(ValueError, match="zero"):
            group.base(zero)


def test_multiplying_leaves_the_factor_alone() -> None:
    point = group.generator(3)
    before = Point(point.key).data
    group.multiply(5, point)
    group.negate(point)
    group.total([point, point])
    assert Point(point.key).data == before == point.data


def test_points_are_values() -> None:
    two = group.base(2)
    again = group.parse_point(two.data)
    assert again == two
    assert hash(again) == hash(two)
    assert two != G
    assert two != two.data
    assert eval(repr(two), {"parse_point": group.parse_point}) == two


def test_only_one_module_imports_the_library() -> None:
    package = Path(group.__file__).parent
    uses = re.compile(r"^\s*(from|import) coincurve", re.MULTILINE)
    users = [path.name for path in package.rglob("*.py") if uses.search(path.read_text("utf-8"))]
    assert users == ["curve.py"]


@pytest.mark.parametrize(
    ("modules", "heavy"),
    [
        ("errors, hashing, canon, dice, sheet, container, notes, nonces, armor", "coincurve"),
        ("errors, hashing, canon, dice, sheet, container, notes, nonces, armor", "cryptography"),
        ("identity", "coincurve"),
        ("group, gamekeys, proofs, shuffle", "cryptography"),
    ],
)
def test_light_modules_do_not_load_heavy_ones(modules: str, heavy: str) -> None:
    names = ", ".join(f"pbem.{name}" for name in modules.split(", "))
    script = f"import sys, {names}; print({heavy!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


WITHOUT_INNER_FUNCTIONS = """
import sys, coincurve
sys.modules["coincurve._libsecp256k1"] = None  # as if it were built differently inside
from pbem import curve, group
assert isinstance(group._CALLS, curve.Documented)
from tests.pbem import test_group, test_proofs, test_published_game, test_shuffle
test_group.test_lists_of_points()
test_group.test_fixed_points_are_the_published_ones()
test_group.test_products_and_sums_agree_with_plain_integers()
test_group.test_the_identity_is_none()
test_group.test_multiplying_leaves_the_factor_alone()
test_proofs.test_false_shares()
test_published_game.test_setting_up_the_decks()
test_shuffle.test_every_response_counts()
for text in test_group.part("points", "bad"):
    test_group.test_published_bad_points_are_refused(text, "")
print("good")
"""


def test_a_coincurve_without_its_inner_functions() -> None:
    """The public classes of the library serve as well: the same tests pass with them."""
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_INNER_FUNCTIONS],
        capture_output=True,
        text=True,
        cwd=Path(group.__file__).parents[1],
    )
    assert (done.stdout, done.stderr) == ("good\n", "")


def test_a_believed_point_is_decoded_when_it_is_used() -> None:
    """The same point as a parsed one; bytes that are no point are noticed then, and other sizes at once."""
    two = group.base(2)
    first, second = group.believe_points(G.data + two.data, 2)
    assert (first, second) == (G, two)
    assert group.subtract(second, first) == G
    (wrong,) = group.believe_points(bytes(33), 1)
    assert wrong.data == bytes(33)
    with pytest.raises(Fault, match="E_POINT"):
        group.negate(wrong)
    with pytest.raises(Fault, match="E_LEN"):
        group.believe_points(bytes(65), 2)
    with pytest.raises(AttributeError):
        _ = wrong.colour
