"""Making files: ops with their proofs, chained and signed (docs/protocol.md, parts 4 to 8).

A `Writer` works on a private copy of the log and carries out every op it writes by the verifier's own code,
so that what it makes is what others will accept. No clock, no disk; randomness comes in as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.canon import Encodable, encode
from pbem.container import pack
from pbem.errors import Refused
from pbem.gamekeys import GameSecret, game_secret, open_secret
from pbem.group import join_points
from pbem.hashing import h32
from pbem.identity import Identity
from pbem.log import ZERO, Action, Body, Log, first_chain, game_id, next_chain, offer_id
from pbem.nonces import Nonces
from pbem.notes import seal_note
from pbem.opcodes import BOX, execute, parse_arguments
from pbem.proofs import make_shares, proof_context, prove_pok
from pbem.shuffle import make_shuffle
from pbem.table import Table
from pbem.terms import Terms

Random = Callable[[int], bytes]


class Writer:
    """One file in the making."""

    def __init__(
        self,
        log: Log,
        *,
        game: bytes,
        seat: int,
        seed: bytes,
        sheet: bytes,
        secret: GameSecret,
        random: Random,
    ) -> None:
        self.log = log
        self.secret = secret
        self.random = random
        self.nonces = Nonces(secret.sigma, random)
        self.body = Body(game, log.count, log.previous, seat, seed, sheet, [], ZERO, ZERO, ZERO)
        self.chain = first_chain(self.body)
        self.actions: list[Action] = []

    @property
    def table(self) -> Table:
        """The card table as the ops so far have left it."""
        assert self.log.table is not None
        return self.log.table

    @property
    def side(self) -> int:
        """The side of the author."""
        assert self.log.terms is not None
        return self.log.terms.seats[self.body.author].side

    @property
    def ctx(self) -> bytes:
        """The context of a proof in the next op."""
        return proof_context(self.chain)

    def add(self, name: str, *arguments: Any, setup: list[str] | None = None) -> Action:
        """Write one op and carry it out."""
        op = [name, *arguments]
        self.body.ops.append(op)
        parsed = parse_arguments(op, self.actions, setup)
        value = execute(self.log, self.body, name, parsed, self.chain)
        action = Action(len(self.actions), self.chain, name, value)
        self.actions.append(action)
        self.chain = next_chain(self.chain, op)
        return action

    def say(self, name: str, value: Encodable) -> Action:
        """Write an op whose argument is one canonical value: do, plan, stand, end."""
        return self.add(name, encode(value))

    # Cards

    def pay(self) -> list[Action]:
        """Everything the side owes the table: shuffles first, for they may bring new slots."""
        written = []
        for deck in self.table.owed_shuffles(self.side):
            assert self.table.joint is not None
            out, proof = make_shuffle(self.ctx, self.table.joint, self.table.decks[deck].pile, self.nonces)
            written.append(self.add("shuffle", deck, join_points(out), proof))
        if self.table.owed_slots(self.side):
            written.append(self.share())
        return written

    def share(self, setup: list[str] | None = None) -> Action:
        """The shares the side owes."""
        bases = [slot.pair.C for slot in self.table.owed_slots(self.side)]
        shares, proof = make_shares(self.secret.key, self.secret.public, bases, self.ctx, self.nonces)
        return self.add("share", shares, proof, setup=setup)

    def show(self, place: int) -> Action:
        """Turn up a card of the own hand."""
        slot = self.table.hands[self.body.author][place]
        secret = self.secret
        share, proof = make_shares(secret.key, secret.public, [slot.pair.C], self.ctx, self.nonces)
        return self.add("show", place, share, proof)

    def mix(self, deck: str) -> Action:
        """Mix the readable cards of the own hand."""
        hand = self.table.hands[self.body.author]
        inputs = [hand[place].pair for place in self.table.mix_places(self.body.author, deck)]
        out, proof = make_shuffle(self.ctx, self.secret.public, inputs, self.nonces)
        return self.add("mix", deck, join_points(out), proof)

    def reshuffle(self, deck: str) -> Action:
        """Shuffle pile and discard together."""
        assert self.table.joint is not None
        inputs = self.table.reshuffle_inputs(deck)
        out, proof = make_shuffle(self.ctx, self.table.joint, inputs, self.nonces)
        return self.add("reshuffle", deck, join_points(out), proof)

    def note(self, value: Encodable) -> Action:
        """A private note for those who have the game secret."""
        made = seal_note(self.secret, self.body.game, self.body.number, value, self.random(16))
        return self.add("note", made)

    def seal(self, identity: Identity, engine: bytes) -> bytes:
        """The finished file."""
        body = self.body
        table = self.table.digest()
        whole: dict[str, Any] = {
            "a": body.author,
            "d": table,
            "e": engine,
            "g": body.game,
            "h": self.chain,
            "k": body.sheet,
            "n": body.number,
            "o": body.ops,
            "p": body.previous,
            "s": body.seed,
            "v": 1,
        }
        return pack(encode(whole), identity)


def turn_writer(log: Log, seat: int, secret: GameSecret, sheet: bytes, random: Random) -> Writer:
    """A writer for the next file of a game that has been set up."""
    assert log.terms is not None
    side = log.terms.seats[seat].side
    begins = log.running_side != side
    seed = secret.seed(log.opened[side] + 1) if begins else ZERO
    own = log.copy()
    writer = Writer(own, game=log.game, seat=seat, seed=seed, sheet=sheet, secret=secret, random=random)
    own.take_run(writer.body)  # opens the seed and the sheet, as the verifier will
    return writer


def write_offer(terms: Terms, identity: Identity, random: Random, *, message: str = "") -> bytes:
    """File 0: the terms, the key of side 0, its shuffles."""
    salt, secret = _fresh_secret(identity, encode(terms.as_value()), random)
    key, anchor = secret.public.data, secret.anchor
    log = Log()
    log.terms, log.table, log.identities = terms, Table(terms), list(terms.pk)
    log.game = offer_id(terms, key, anchor)
    writer = Writer(log, game=log.game, seat=0, seed=anchor, sheet=ZERO, secret=secret, random=random)
    plan = ["terms", "key", *(f"shuffle {name}" for name, _ in terms.decks)]
    writer.add("terms", terms.as_value(), setup=plan)
    _write_key(writer, [pk for pk in terms.pk[:1] if pk is not None], salt, plan)
    for name, _ in terms.decks:
        _write_shuffle(writer, name, plan)
    if message:
        writer.add("say", message, setup=plan)
    return writer.seal(identity, ZERO)


def answer_writer(
    log: Log, identity: Identity, random: Random, sheet: Callable[[GameSecret, bytes], bytes]
) -> Writer:
    """File 1 up to the shares: key, switches and shuffles of side 1.

    `sheet(secret, game)` is asked for the root of the sheet once the game's id is known.
    """
    assert log.terms is not None
    salt, secret = _fresh_secret(identity, log.previous, random)
    names = [identity.pk]
    game = game_id(log.previous, names, secret.public.data, secret.anchor)
    own = log.copy()
    own.take_identities(names)
    own.game = game
    root = sheet(secret, game) if log.terms.sheet else ZERO
    writer = Writer(own, game=game, seat=1, seed=secret.anchor, sheet=root, secret=secret, random=random)
    own.take_anchor(writer.body)
    plan = ["key"]
    for name, _ in log.terms.decks:
        plan += [f"switch {name}", f"shuffle {name}"]
    plan.append("share?")
    _write_key(writer, names, salt, plan)
    for name, _ in log.terms.decks:
        _write_switch(writer, name, plan)
        _write_shuffle(writer, name, plan)
    if writer.table.owed_slots(1):
        writer.share(setup=plan)
    return writer


def _fresh_secret(identity: Identity, occasion: bytes, random: Random) -> tuple[bytes, GameSecret]:
    # Hedged: a broken random source still gives every identity a salt of its own for every terms and offer.
    salt = h32("salt/fresh", identity.master, occasion, random(32))
    return salt, game_secret(identity.master, salt, identity.pk)


def _write_key(writer: Writer, names: Sequence[bytes], salt: bytes, plan: list[str]) -> None:
    secret = writer.secret
    proof = prove_pok(secret.key, secret.public, writer.ctx, encode(list(names)), salt, b"", writer.nonces)
    writer.add("key", list(names), salt, secret.public.data, b"", proof, setup=plan)


def _write_shuffle(writer: Writer, deck: str, plan: list[str]) -> None:
    table = writer.table
    key = table.keys[0] if table.joint is None else table.joint
    out, proof = make_shuffle(writer.ctx, key, table.decks[deck].pile, writer.nonces)
    writer.add("shuffle", deck, join_points(out), proof, setup=plan)


def _write_switch(writer: Writer, deck: str, plan: list[str]) -> None:
    bases = [pair.C for pair in writer.table.decks[deck].pile]
    secret = writer.secret
    shares, proof = make_shares(secret.key, secret.public, bases, writer.ctx, writer.nonces)
    writer.add("switch", deck, shares, proof, setup=plan)


def own_secret(log: Log, identity: Identity, seat: int) -> GameSecret:
    """The game secret of a seat's side, from the identity and the files alone; raises Refused."""
    assert log.terms is not None
    assert log.table is not None
    side = log.terms.seats[seat].side
    if len(log.salts) <= side:
        raise Refused("the game has not been answered yet")
    secret = game_secret(identity.master, log.salts[side], identity.pk)
    if secret.public == log.table.keys[side]:
        return secret
    boxes = log.boxes[side]
    for place in range(0, len(boxes), BOX):
        sigma = open_secret(boxes[place : place + BOX], identity.box_secret)
        if sigma is not None and GameSecret(sigma).public == log.table.keys[side]:
            return GameSecret(sigma)
    raise Refused("this identity does not hold the key of this game")
