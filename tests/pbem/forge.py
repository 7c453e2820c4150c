"""Tools of a cheat: open a file, change what is in it, chain and sign it again with one's own key.

`reforge` changes the finished body of an honest file. A `Forger` writes the next file like an honest client
and can be made to write an op without carrying it out. `small` and `teams` are two short honest games without
the rules of any game: two decks, tokens on the board, sheets. A `Book` collects cheats with the row of the
protocol's table they stand for and the error they must give.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from pbem.canon import decode, encode
from pbem.container import pack, unpack
from pbem.errors import Fault
from pbem.gamekeys import GameSecret, game_secret, seal_secret
from pbem.group import Ciphertext, G, Point, join_points, sum_of_products
from pbem.hashing import h32, u8, u32
from pbem.identity import Identity
from pbem.log import ZERO, Action, Log, game_id, next_chain, offer_id
from pbem.opcodes import answer_ops, offer_ops
from pbem.proofs import make_shares, prove_pok
from pbem.sheet import Sheet, build_sheet
from pbem.shuffle import make_shuffle
from pbem.table import Table
from pbem.terms import SeatTerms, Terms
from pbem.writer import Writer, own_secret
from tests import plain_group, plain_proofs

PEOPLE = tuple(Identity(bytes([65 + seat]) * 32) for seat in range(4))
STRANGER = Identity(b"S" * 32)
COMMAND, MINES = "command", "mines"
YES = encode(["card", COMMAND, "ambush"])
ANSWERS = {5: YES, 9: encode("never")}  # what every sheet of the small games says


# Files


def open_file(data: bytes) -> dict[str, Any]:
    """The body of a file."""
    body: Any = decode(unpack(data).body)
    assert isinstance(body, dict)
    return body


def chain_of(body: dict[str, Any]) -> list[bytes]:
    """The chain values of a body: before each op, and after the last."""
    values = [h32("act/0", body["g"], body["p"], u32(body["n"]), u8(body["a"]), body["s"], body["k"])]
    for op in body["o"]:
        values.append(next_chain(values[-1], op))
    return values


def reforge(
    data: bytes, author: Identity, change: Callable[[dict[str, Any]], object], *, chain: bool = True
) -> bytes:
    """An honest file with a change, chained (if it shall be) and signed again."""
    body = open_file(data)
    change(body)
    if chain:
        body["h"] = chain_of(body)[-1]
    return pack(encode(body), author)


def fingerprint(log: Log) -> tuple[object, ...]:
    """Everything that a log knows, to see that it did not change."""
    table = log.table.digest() if log.table is not None else b""
    lists = (log.identities, log.salts, log.boxes, log.seeds, log.opened, log.sheets, log.run_sheets)
    return (log.game, log.count, log.previous, log.ended, table, *(tuple(part) for part in lists))


# Writing


class Forger(Writer):
    """A writer that can also write what it does not believe."""

    plan: list[str] | None = None  # ops of a set-up file still to come

    def add(self, name: str, *arguments: Any, setup: list[str] | None = None) -> Action:
        """Write one op and carry it out."""
        return super().add(name, *arguments, setup=self.plan)

    def force(self, *op: Any) -> None:
        """Write one op and do not carry it out."""
        self.body.ops.append(list(op))
        self.chain = next_chain(self.chain, list(op))

    def shares(self, bases: list[Point], *, key: int = 0) -> tuple[bytes, bytes]:
        """Shares with a proof for this place, with the own key or another."""
        secret = GameSecret(self.secret.sigma)
        secret.key = key or secret.key
        return make_shares(secret.key, secret.public, bases, self.ctx, self.nonces)

    def shuffle_of(self, inputs: list[Ciphertext], key: Point) -> tuple[bytes, bytes]:
        """A shuffle with a proof for this place."""
        out, proof = make_shuffle(self.ctx, key, inputs, self.nonces)
        return join_points(out), proof

    def write_key(self, names: list[bytes], salt: bytes, boxes: bytes = b"") -> None:
        """The key op with its proof."""
        secret = self.secret
        proof = prove_pok(secret.key, secret.public, self.ctx, encode(names), salt, boxes, self.nonces)
        self.add("key", names, salt, secret.public.data, boxes, proof)

    def write_shuffle(self, deck: str) -> None:
        """A shuffle of the set-up."""
        key = self.table.keys[0] if self.table.joint is None else self.table.joint
        self.add("shuffle", deck, *self.shuffle_of(self.table.decks[deck].pile, key))

    def write_switch(self, deck: str) -> None:
        """The key switch of a deck."""
        self.add("switch", deck, *self.shares([pair.C for pair in self.table.decks[deck].pile]))


def dishonest_shuffle(
    ctx: bytes, key: Point, inputs: list[Ciphertext], matrix: list[list[int]]
) -> tuple[bytes, bytes]:
    """Outputs made with any matrix, and the best proof that somebody who knows all secrets can make."""
    rho = list(range(11, 11 + len(inputs)))
    outputs = []
    for row, factor in zip(matrix, rho, strict=True):
        first = sum_of_products((factor, *row), (G, *[pair.C for pair in inputs]))
        second = sum_of_products((factor, *row), (key, *[pair.D for pair in inputs]))
        assert first is not None
        assert second is not None
        outputs.append(Ciphertext(first, second))
    out = join_points(outputs)
    proof = plain_proofs.prove_shuffle(
        ctx, plain_group.read(key.data), plain_proofs.read_cards(join_points(inputs)),
        plain_proofs.read_cards(out), matrix, rho, b"d",
    )  # fmt: skip
    return out, proof


def salt_of(author: Identity) -> bytes:
    """A salt for one game of a test."""
    return h32("test/salt", author.master)


def begin_offer(terms: Terms, author: Identity, secret: GameSecret | None = None) -> Forger:
    """File 0 up to the terms."""
    secret = secret or game_secret(author.master, salt_of(author), author.pk)
    log = Log()
    log.terms, log.table, log.identities = terms, Table(terms), list(terms.pk)
    log.game = offer_id(terms, secret.public.data, secret.anchor)
    forger = Forger(
        log, game=log.game, seat=0, seed=secret.anchor, sheet=ZERO, secret=secret,
        random=random.Random(1).randbytes,
    )  # fmt: skip
    forger.plan = list(offer_ops(terms))
    forger.add("terms", terms.as_value())
    return forger


def begin_answer(
    log: Log, author: Identity, names: list[bytes], *, anchor: bytes = b"", secret: GameSecret | None = None
) -> Forger:
    """File 1 before its first op."""
    assert log.terms is not None
    secret = secret or game_secret(author.master, salt_of(author), author.pk)
    seed = anchor or secret.anchor
    game = game_id(log.previous, names, secret.public.data, seed)
    own = log.copy()
    own.take_identities(names)
    own.game = game
    sheet = build_sheet(secret, game, 1, 1, ANSWERS).root if log.terms.sheet else ZERO
    forger = Forger(
        own, game=game, seat=1, seed=seed, sheet=sheet, secret=secret, random=random.Random(2).randbytes
    )
    own.take_anchor(forger.body)
    forger.plan = list(answer_ops(log.terms))
    return forger


def next_file(log: Log, seat: int, author: Identity, *, sheet: bytes | None = None) -> Forger:
    """The next file of a seat before its first op."""
    assert log.terms is not None
    side = log.terms.seats[seat].side
    begins = log.running_side != side
    holds = log.terms.seats[seat].holds_key
    secret = own_secret(log, author, seat) if holds else GameSecret(bytes(32))
    if sheet is None:
        sealed = log.terms.sheet and begins
        sheet = build_sheet(secret, log.game, log.count, side, ANSWERS).root if sealed else ZERO
    own = log.copy()
    forger = Forger(
        own, game=log.game, seat=seat, seed=secret.seed(log.opened[side] + 1) if begins else ZERO,
        sheet=sheet, secret=secret, random=random.Random(log.count).randbytes,
    )  # fmt: skip
    own.take_run(forger.body)
    return forger


def sheet_of(log: Log, number: int, side: int, author: Identity) -> Sheet:
    """The sheet that a side has sealed in a file of a small game."""
    return build_sheet(own_secret(log, author, side), log.game, number, side, ANSWERS)


def opening(sheet: Sheet, box: int) -> list[Any]:
    """What opens a box."""
    return [box, *sheet.open(box)]


# Two small honest games


@dataclass
class Stage:
    """A game for cheats: its terms, its people by seat, its files, and the log after each."""

    terms: Terms
    people: tuple[Identity, ...]
    files: list[bytes] = field(default_factory=list)
    logs: list[Log] = field(default_factory=lambda: [Log()])

    def publish(self, forger: Forger) -> None:
        """Sign a file and let the verifier check it."""
        self.accept(forger.seal(self.people[forger.body.author], ZERO))

    def accept(self, data: bytes) -> None:
        """Take a file in."""
        log, _ = self.logs[-1].check(data)
        self.files.append(data)
        self.logs.append(log)

    def author(self, number: int) -> Identity:
        """Who has written a file."""
        seat: int = open_file(self.files[number])["a"]
        return self.people[seat]

    def forger(self, after: int, seat: int | None = None) -> Forger:
        """The honest author of the next file, before the first op, or another seat."""
        seat = open_file(self.files[after])["a"] if seat is None else seat
        return next_file(self.logs[after], seat, self.people[seat])

    def sealed(self, forger: Forger) -> bytes:
        """The file of a forger, signed by its author."""
        return forger.seal(self.people[forger.body.author], ZERO)

    def changed(
        self, number: int, change: Callable[[dict[str, Any]], object], *, chain: bool = True
    ) -> bytes:
        """A file of the game with a change."""
        return reforge(self.files[number], self.author(number), change, chain=chain)


def small_terms(people: tuple[Identity, ...] = PEOPLE[:2], **changes: Any) -> Terms:
    """The terms of the small game of two, or something like them."""
    facts: dict[str, Any] = {
        "rules": "small/1", "scenario": h32("test/scenario"), "decks": ((COMMAND, 10), (MINES, 3)),
        "seats": (SeatTerms(0, True, ((COMMAND, 3),)), SeatTerms(1, True, ((COMMAND, 3),))),
        "table": ((MINES, 2),), "pk": tuple(person.pk for person in people), "first": 0,
        "dice": "sealed", "retreat": "live", "sheet": True, "mix": True, "extra": {},
    }  # fmt: skip
    return Terms(**{**facts, **changes})


def set_up(terms: Terms, people: tuple[Identity, ...]) -> Stage:
    """A game with its first two files."""
    stage = Stage(terms, people)
    for number in (0, 1):
        names = [people[seat].pk for seat in terms.seats_of(number)]
        author = people[number]
        log = stage.logs[-1]
        forger = begin_answer(log, author, names) if number else begin_offer(terms, author)
        mates = [people[seat] for seat in terms.holders_of(number)[1:]]
        boxes = b"".join(seal_secret(forger.secret.sigma, mate.bk, bytes) for mate in mates)
        forger.write_key(names, salt_of(author), boxes)
        for deck, _ in terms.decks:
            if number:
                forger.write_switch(deck)
            forger.write_shuffle(deck)
        if number and forger.table.owed_slots(1):
            forger.share()
        stage.publish(forger)
    return stage


@cache
def small() -> Stage:
    """Two players: a token is called, cards are shown, mixed, drawn, laid and reshuffled, a box is opened."""
    stage = set_up(small_terms(), PEOPLE[:2])
    first = next_file(stage.logs[-1], 0, PEOPLE[0])
    first.pay()
    first.say("do", "advance")
    first.mix(COMMAND)
    first.show(0)
    first.add("call", 0)
    first.pay()
    first.add("draw", 0, COMMAND, 1)
    first.note("mine")
    stage.publish(first)  # file 2
    second = next_file(stage.logs[-1], 1, PEOPLE[1])
    second.pay()
    second.add("open", [opening(sheet_of(stage.logs[-1], 1, 1, PEOPLE[1]), 5)])
    second.show(1)
    second.add("draw", 1, COMMAND, 1)
    stage.publish(second)  # file 3
    third = next_file(stage.logs[-1], 0, PEOPLE[0])
    third.pay()
    third.add("bin", 0)
    third.add("lay", 0)
    third.reshuffle(COMMAND)
    third.add("draw", 0, COMMAND, 1)
    stage.publish(third)  # file 4
    fourth = next_file(stage.logs[-1], 1, PEOPLE[1])
    fourth.pay()
    fourth.mix(COMMAND)
    fourth.show(0)
    fourth.say("do", "hold")
    fourth.say("do", "fire")
    stage.publish(fourth)  # file 5
    fifth = next_file(stage.logs[-1], 0, PEOPLE[0])
    fifth.show(0)
    fifth.say("end", "peace")
    stage.publish(fifth)  # file 6
    return stage


@cache
def teams() -> Stage:
    """Two against two: seat 2 holds the key of side 0 too, seat 3 holds none; runs of two files."""
    terms = small_terms(
        PEOPLE,
        seats=(
            SeatTerms(0, True, ((COMMAND, 2),)), SeatTerms(1, True, ((COMMAND, 2),)),
            SeatTerms(0, True, ((COMMAND, 1),)), SeatTerms(1, False, ((COMMAND, 1),)),
        ),
    )  # fmt: skip
    stage = set_up(terms, PEOPLE)
    first = next_file(stage.logs[-1], 0, PEOPLE[0])
    first.pay()
    first.show(0)
    first.add("pass", 0, 2)
    stage.publish(first)  # file 2
    mate = next_file(stage.logs[-1], 2, PEOPLE[2])
    mate.show(1)
    mate.add("draw", 2, COMMAND, 1)
    stage.publish(mate)  # file 3: the same run
    second = next_file(stage.logs[-1], 1, PEOPLE[1])
    second.pay()
    second.say("do", "wait")
    stage.publish(second)  # file 4
    silent = next_file(stage.logs[-1], 3, PEOPLE[3])
    silent.say("do", "follow")
    stage.publish(silent)  # file 5: of a seat without a key
    last = next_file(stage.logs[-1], 2, PEOPLE[2])
    last.say("do", "on")
    stage.publish(last)  # file 6: the mate begins a run
    return stage


# Cheats


@dataclass(frozen=True)
class Cheat:
    """One cheat: the row of the table, the error it must give, the number of files before it."""

    row: str
    code: str
    after: int
    stage: Callable[[], Stage]
    make: Callable[[Stage], bytes]

    @property
    def name(self) -> str:
        """What the test is called."""
        return f"row {self.row}: {self.make.__name__.strip('_').replace('_', ' ')}"


class Book:
    """A collection of cheats."""

    def __init__(self, stage: Callable[[], Stage] = small) -> None:
        self.stage = stage
        self.cheats: list[Cheat] = []

    def cheat(
        self, row: str, code: str, *, after: int, stage: Callable[[], Stage] | None = None
    ) -> Callable[[Callable[[Stage], bytes]], Callable[[Stage], bytes]]:
        """Enter a function that makes the cheat's file from the honest game."""

        def enter(make: Callable[[Stage], bytes]) -> Callable[[Stage], bytes]:
            self.cheats.append(Cheat(row, code, after, stage or self.stage, make))
            return make

        return enter

    def params(self) -> list[Any]:
        """All cheats, for pytest."""
        return [pytest.param(cheat, id=cheat.name) for cheat in self.cheats]


def expect_refusal(cheat: Cheat) -> Fault:
    """Make the cheat's file and see it refused with its error; the log is as it was and plays on."""
    stage = cheat.stage()
    log = stage.logs[cheat.after]
    before = fingerprint(log)
    data = cheat.make(stage)
    with pytest.raises(Fault) as caught:
        log.check(data)
    fault = caught.value
    assert fault.code == cheat.code, f"{fault} (op {fault.op})"
    assert fingerprint(log) == before
    if cheat.after < len(stage.files):
        assert log.check(stage.files[cheat.after])[0].count == cheat.after + 1
    return fault
