"""Who may write the next file: in a game of two seats the sides take turns (docs/protocol.md, part 4)."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.canon import decode, encode
from pbem.container import file_id, pack, unpack
from pbem.errors import Fault
from pbem.hashing import h32, u8, u32
from pbem.identity import Identity
from pbem.log import ZERO, Log
from tests.pbem.vectors import game_file, part


def log_of(count: int) -> Log:
    """The log of the first files of the published game."""
    log = Log()
    for number in range(count):
        log, _ = log.check(game_file(number))
    return log


def second_file(number: int) -> bytes:
    """A further file by the author of file `number` that does nothing but make the run longer."""
    last: Any = decode(unpack(game_file(number)).body)
    body = {
        **last,
        "n": number + 1,
        "p": file_id(unpack(game_file(number)).body),
        "s": ZERO,
        "k": ZERO,
        "o": [],
    }
    body["h"] = h32("act/0", body["g"], body["p"], u32(number + 1), u8(body["a"]), ZERO, ZERO)
    return pack(encode(body), Identity(bytes.fromhex(part("game", "masters", body["a"]))))


@pytest.mark.parametrize("number", [2, 3, 4, 5])
def test_nobody_answers_after_the_own_file_in_a_game_of_two(number: int) -> None:
    """Else the dice of an answer could be thrown away by writing on before it, and nobody could tell when."""
    log = log_of(number + 1)
    with pytest.raises(Fault) as caught:
        log.check(second_file(number))
    assert caught.value.code == "E_RUN"
    assert log.count == number + 1
