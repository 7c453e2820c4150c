"""A short game in real files, played once for all tests that want one, and ways to spoil it."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any

from pbem.canon import decode, encode
from pbem.container import file_id, pack, unpack
from pbem.draft import Choice, Draft
from pbem.identity import Identity
from pbem.log import first_chain, next_chain, parse_body
from tests.mailgame import ALICE, BOB, Party, byte_source, decide, play_game, wishes_of

SEED = 23
Change = Callable[[dict[str, Any]], None]


@cache
def short_game() -> tuple[bytes, ...]:
    """The files of a sealed game of a few turns that ends with a signed result."""
    return tuple(play_game(seed=SEED, bot="sergeant").files)


@cache
def instant_beginning() -> tuple[bytes, ...]:
    """The first files of a game with instant dice."""
    return tuple(play_game(seed=SEED, bot="sergeant", dice="instant", most=5).files)


def author_of(number: int) -> Identity:
    """Who writes a file of the short game."""
    return (ALICE, BOB)[parse_body(unpack(short_game()[number]).body).author]


def another(number: int, *, seed: int = 7) -> bytes:
    """A second good file of the same author for the place of a file of the short game."""
    identity = author_of(number)
    party = Party(identity, 0 if identity is ALICE else 1)
    for data in short_game()[:number]:
        party.accept(data)
    luck = random.Random(seed)
    draft = Draft(party.desk)
    decide(draft, luck, bot="random")
    return draft.seal(wishes_of(draft, luck), byte_source(seed))


def resignation(number: int) -> bytes:
    """A file that gives up instead of a file of the short game."""
    identity = author_of(number)
    party = Party(identity, 0 if identity is ALICE else 1)
    for data in short_game()[:number]:
        party.accept(data)
    draft = Draft(party.desk)
    draft.choose(Choice("end", "resigns"))
    luck = random.Random(1)
    return draft.seal(wishes_of(draft, luck), byte_source(1))


def sign_again(data: bytes, identity: Identity, change: Change) -> bytes:
    """A file with a changed body, its chain made good and signed by somebody."""
    value: Any = decode(unpack(data).body)
    change(value)
    body = parse_body(encode(value))
    chain = first_chain(body)
    for op in body.ops:
        chain = next_chain(chain, op)
    value["h"] = chain
    return pack(encode(value), identity)


def with_op(op: list[Any]) -> Change:
    """The change that adds an op at the end of a file."""

    def change(value: dict[str, Any]) -> None:
        value["o"].append(op)

    return change


def unlawful(number: int) -> bytes:
    """A file of the short game with one decision too many, signed by its author."""
    return sign_again(short_game()[number], author_of(number), with_op(["do", encode("hold")]))


def id_of(data: bytes) -> str:
    """The id of a file in hexadecimal digits."""
    return file_id(unpack(data).body).hex()
