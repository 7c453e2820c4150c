"""Dice: published values, links, and a fairness test that neither bias nor invention can pass."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.combat import DIE, FACES
from pbem.dice import dice_root, die, roll_dice, verify_link
from pbem.errors import Fault
from pbem.gamekeys import GameSecret
from pbem.hashing import h32, shake, u32
from tests.pbem.vectors import part, value


def chi_square(counts: list[int]) -> float:
    """Pearson's statistic against equal shares."""
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 / expected for count in counts)


def test_root_and_rolls_are_the_published_ones() -> None:
    names = ("prev", "s_other", "s_f")
    root = dice_root(value("dice", "gid"), part("dice", "f"), *(value("dice", name) for name in names))
    assert root == value("dice", "root")
    assert [list(roll_dice(root, roll, 4)) for roll in range(4)] == part("dice", "rolls")


def test_every_input_changes_the_root() -> None:
    parts = [b"g" * 32, 7, b"p" * 32, b"o" * 32, b"s" * 32]
    roots = {dice_root(*parts)}  # type: ignore[arg-type]  # a mixed list, in order
    for place in range(5):
        other = list(parts)
        other[place] = 8 if place == 1 else b"x" * 32
        roots.add(dice_root(*other))  # type: ignore[arg-type]
    assert len(roots) == 6


def test_a_die_is_128_bits_little_endian() -> None:
    root = b"r" * 32
    number = int.from_bytes(shake(16, "die", root, u32(3), u32(1)), "little")
    assert [die(root, 3, 1, faces) for faces in (2, 6, 100)] == [number % 2, number % 6, number % 100]
    assert [FACES[face] for face in DIE] == ["infantry", "infantry", "armor", "grenade", "flag", "star"]


def test_battle_dice_are_uniform() -> None:
    """Claim 6 of part 14: 60,000 dice; outside these bounds lies one fair source in a million on each side.

    With five degrees of freedom the statistic is above 35.9 or below 0.0128 with a chance of 10^-6 each. The
    upper bound catches a face that is off by 6 %; the lower one catches dice dealt out evenly on purpose.
    """
    counts = Counter(
        die(h32("dice", u32(root)), roll, index, 6)
        for root in range(100)
        for roll in range(100)
        for index in range(6)
    )
    statistic = chi_square([counts[face] for face in range(6)])
    assert 0.0128 < statistic < 35.9


def test_the_fairness_test_would_see_a_loaded_die() -> None:
    """A die that shows one face 6 % too often, or one that is dealt evenly, falls outside the bounds."""
    assert chi_square([10_600, 9_880, 9_880, 9_880, 9_880, 9_880]) > 35.9
    assert chi_square([10_000, 10_001, 9_999, 10_000, 10_000, 10_000]) < 0.0128


def test_neighbouring_dice_are_independent() -> None:
    """Claim 6 of part 14: neighbouring dice, rolls and roots fill the 36 cells evenly.

    With 35 degrees of freedom the statistic leaves 8.1 to 91 with a chance of about 10^-6 a side.
    """
    roots = [h32("dice", u32(root)) for root in range(60)]
    table = [[[die(root, roll, index, 6) for index in range(4)] for roll in range(60)] for root in roots]
    pairs: dict[str, Counter[tuple[int, int]]] = {"dice": Counter(), "rolls": Counter(), "roots": Counter()}
    for r in range(59):
        for j in range(59):
            for i in range(3):
                here = table[r][j][i]
                pairs["dice"][here, table[r][j][i + 1]] += 1
                pairs["rolls"][here, table[r][j + 1][i]] += 1
                pairs["roots"][here, table[r + 1][j][i]] += 1
    for counts in pairs.values():
        assert 8.1 < chi_square([counts[a, b] for a in range(6) for b in range(6)]) < 91


def test_links() -> None:
    """Cheat 17 at the level of one link: invented, old, skipped or somebody else's seed."""
    mine, theirs = GameSecret(bytes(32)), GameSecret(b"\1" * 32)
    verify_link(mine.public, 1, mine.seed(1), mine.anchor)
    verify_link(mine.public, 1024, mine.seed(1024), mine.seed(1023))
    wrong = [
        (mine, 1, b"x" * 32, mine.anchor),
        (mine, 1, mine.seed(2), mine.anchor),
        (mine, 2, mine.seed(1), mine.anchor),
        (mine, 1, mine.anchor, mine.anchor),
        (theirs, 1, mine.seed(1), mine.anchor),  # cheat 18: a copied chain fits no other key
        (mine, 0, mine.seed(0), mine.seed(0)),
        (mine, 1025, bytes(32), mine.seed(1024)),
    ]
    for secret, index, seed, previous in wrong:
        with pytest.raises(Fault, match="E_SEED"):
            verify_link(secret.public, index, seed, previous)
