"""The fuzzer of scripts/fuzz.py for a short while, always with the same luck."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from scripts.fuzz import Sample, attempt, samples


@cache
def some() -> list[Sample]:
    """Files of two games."""
    return samples(("live", "instant"))


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_nothing_but_faults_comes_out(first: int) -> None:
    """Any other exception, a strange message, a slow file or a changed log fails the test."""
    codes: Counter[str] = Counter()
    for number in range(first, first + 100):
        luck = random.Random(number)
        codes[attempt(luck.choice(some()), luck)] += 1
    assert codes["E_RULE"] > 5
    assert len(codes) > 6
