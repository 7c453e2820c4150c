"""Every bit counts: single-bit changes of files, on the way and signed again (rows 60 and 61 of part 16)."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.errors import Fault
from tests.pbem.forge import Stage, fingerprint, open_file, small, teams

PROVED = ("key", "switch", "shuffle", "reshuffle", "share", "show", "mix")


def flipped(data: bytes, bit: int) -> bytes:
    """A file with one bit changed."""
    place = bit // 8
    return data[:place] + bytes([data[place] ^ 1 << bit % 8]) + data[place + 1 :]


def test_row_60_every_single_bit_of_a_small_file() -> None:
    """Row 60: the smallest file of the team game, not signed again."""
    stage = teams()
    number = min(range(2, len(stage.files)), key=lambda n: len(stage.files[n]))
    log, data = stage.logs[number], stage.files[number]
    before = fingerprint(log)
    assert len(data) < 400
    for bit in range(8 * len(data)):
        with pytest.raises(Fault):
            log.check(flipped(data, bit))
    assert fingerprint(log) == before
    assert log.check(data)[0].count == number + 1


@pytest.mark.parametrize("number", range(7))
def test_row_60_random_bits_of_larger_files(number: int) -> None:
    """Row 60: 300 bits of every file of the small game, 2100 in all."""
    stage, luck = small(), random.Random(number)
    log, data = stage.logs[number], stage.files[number]
    before = fingerprint(log)
    for bit in luck.sample(range(8 * len(data)), 300):
        with pytest.raises(Fault):
            log.check(flipped(data, bit))
    assert fingerprint(log) == before


def proved_parts(stage: Stage) -> list[tuple[int, int, int]]:
    """File, op and argument of everything that is proved: points, ciphertexts, proofs."""
    return [
        (number, place, argument)
        for number, data in enumerate(stage.files)
        for place, op in enumerate(open_file(data)["o"])
        if op[0] in PROVED
        for argument, value in enumerate(op)
        if isinstance(value, bytes) and value
    ]


def test_row_61_random_bits_inside_proofs_and_points_signed_again() -> None:
    """Row 61: 200 changes by the author, with chain and signature made anew."""
    stage, luck = small(), random.Random(61)
    parts = proved_parts(stage)
    codes: set[str] = set()
    for _ in range(200):
        number, place, argument = luck.choice(parts)

        def change(body: dict[str, Any], place: int = place, argument: int = argument) -> None:
            op = body["o"][place]
            op[argument] = flipped(op[argument], luck.randrange(8 * len(op[argument])))

        with pytest.raises(Fault) as caught:
            stage.logs[number].check(stage.changed(number, change))
        codes.add(caught.value.code)
    assert codes <= {"E_POINT", "E_SCALAR", "E_DLEQ", "E_SHUFFLE", "E_POK", "E_GAME", "E_KEY"}
    assert codes >= {"E_POINT", "E_DLEQ", "E_SHUFFLE"}


@pytest.mark.parametrize("key", ["g", "p", "s", "k", "h", "d"])
def test_random_bits_of_the_header_signed_again(key: str) -> None:
    """Own idea: every field of the header that the protocol itself checks, in every file of the game."""
    stage, luck = small(), random.Random(key)
    for number, data in enumerate(stage.files):
        for _ in range(4):
            bit = luck.randrange(256)

            def change(body: dict[str, Any], bit: int = bit) -> None:
                body[key] = flipped(body[key], bit)

            with pytest.raises(Fault):
                stage.logs[number].check(stage.changed(number, change, chain=key != "h"))
        assert stage.logs[number].check(data)[0].count == number + 1
