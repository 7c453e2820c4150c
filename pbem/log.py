"""The verifier: bytes in, trusted objects out, in the fixed order of docs/protocol.md, part 11.

A `Log` is what anybody knows of a game who has its files. `check(data)` examines the next file completely
and returns the log with it, and an `Entry` that says what the file did; the first thing that is wrong is
raised as a `Fault` with a stable code, the file, the op and the seat at fault, and the old log is as it was.
No secret is known here, and no rule of the game: `referee.py` reads the entries' actions with the engine.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from pbem.canon import decode, encode, pack
from pbem.container import file_id, unpack
from pbem.dice import dice_root, verify_link
from pbem.errors import Fault
from pbem.hashing import h32, u8, u32
from pbem.identity import verify_signature
from pbem.opcodes import answer_ops, execute, offer_ops, parse_arguments
from pbem.table import Table
from pbem.terms import Terms, parse_terms

ZERO = bytes(32)
HEADER: dict[str, type] = {
    "a": int,
    "d": bytes,
    "e": bytes,
    "g": bytes,
    "h": bytes,
    "k": bytes,
    "n": int,
    "o": list,
    "p": bytes,
    "s": bytes,
    "v": int,
}


class Body(NamedTuple):
    """The header of a file and its ops, decoded but not yet believed."""

    game: bytes
    number: int
    previous: bytes
    author: int
    seed: bytes
    sheet: bytes
    ops: list[list[Any]]
    chain: bytes
    table: bytes
    engine: bytes


class Action(NamedTuple):
    """One op of a file: its place, the chain value before it, its name and what it means."""

    place: int
    chain: bytes
    name: str
    value: Any


class Entry(NamedTuple):
    """One accepted file."""

    number: int
    seat: int
    side: int
    id: bytes
    begins_run: bool
    root: bytes | None  # the dice root it completes
    actions: tuple[Action, ...]
    engine: bytes  # the digest of the game's state that its author claims
    chain: bytes
    sheet: bytes
    size: int  # bytes as it travelled


def parse_body(data: bytes) -> Body:
    """The header and ops of a file's body; Fault E_ENC, E_FIELD or E_VERSION."""
    value: Any = decode(data)
    if not isinstance(value, dict) or sorted(value) != list(HEADER):
        raise Fault("E_FIELD", "the file has other fields than a turn file has")
    for key, kind in HEADER.items():
        item: Any = value[key]
        if not isinstance(item, kind) or isinstance(item, bool):
            raise Fault("E_FIELD", f'the field "{key}" of the file is of the wrong kind')
        if isinstance(item, bytes) and len(item) != 32:
            raise Fault("E_FIELD", f'the field "{key}" of the file has not 32 bytes')
    if not 0 <= value["n"] < 2**32 or not 0 <= value["a"] <= 7:
        raise Fault("E_FIELD", "the number or the author of the file is out of range")
    for op in value["o"]:
        if not isinstance(op, list) or not op or not isinstance(op[0], str):
            raise Fault("E_FIELD", "an op of the file has no name")
    if value["v"] != 1:
        raise Fault("E_VERSION", "the file is of another version", hint="a newer program may read it")
    return Body(
        value["g"],
        value["n"],
        value["p"],
        value["a"],
        value["s"],
        value["k"],
        value["o"],
        value["h"],
        value["d"],
        value["e"],
    )


def first_chain(body: Body) -> bytes:
    """The chain value before the first op (part 4)."""
    return h32("act/0", body.game, body.previous, u32(body.number), u8(body.author), body.seed, body.sheet)


def next_chain(chain: bytes, op: list[Any]) -> bytes:
    """The chain value after an op."""
    return h32("act", chain, encode(op))


def offer_id(terms: Terms, key: bytes, anchor: bytes) -> bytes:
    """The id of a game that has not been answered yet (6.2)."""
    return h32("offer", encode(terms.as_value()), key, anchor)


def game_id(offer: bytes, identities: list[bytes], key: bytes, anchor: bytes) -> bytes:
    """The id of a game (6.3)."""
    return h32("game", offer, encode(identities), key, anchor)


class Log:
    """Everything that follows from the files so far."""

    def __init__(self, *, trusting: bool = False) -> None:
        self.trusting = trusting  # signatures and proofs were checked before; see `trust`
        self.terms: Terms | None = None
        self.table: Table | None = None
        self.game = ZERO
        self.identities: list[bytes | None] = []  # by seat
        self.salts: list[bytes] = []  # by side
        self.boxes: list[bytes] = []  # by side: the game secret for its other key holders
        self.entries: list[Entry] = []
        self.seeds: list[bytes] = []  # latest of each side
        self.opened: list[int] = [0, 0]  # how many links of each chain
        self.sheets: list[tuple[int, bytes] | None] = [None, None]  # file and root of the latest of each side
        self.run_sheets: list[tuple[int, bytes] | None] = [None, None]  # ... when the present run began

    def copy(self) -> Log:
        """A copy that can be changed by itself."""
        new = Log(trusting=self.trusting)
        new.terms, new.game = self.terms, self.game
        new.table = self.table.copy() if self.table is not None else None
        new.identities, new.salts, new.boxes = list(self.identities), list(self.salts), list(self.boxes)
        new.entries = list(self.entries)
        new.seeds, new.opened = list(self.seeds), list(self.opened)
        new.sheets, new.run_sheets = list(self.sheets), list(self.run_sheets)
        return new

    @property
    def count(self) -> int:
        """Number of files."""
        return len(self.entries)

    @property
    def ended(self) -> bool:
        """Whether no file can follow."""
        return self.table is not None and self.table.ended

    @property
    def previous(self) -> bytes:
        """The id that the next file names."""
        return self.entries[-1].id if self.entries else ZERO

    @property
    def running_side(self) -> int | None:
        """The side that wrote the last file."""
        return self.entries[-1].side if self.entries else None

    def check(self, data: bytes) -> tuple[Log, Entry]:
        """The log with one more file, and what it did; raises Fault and changes nothing."""
        body: Body | None = None
        try:
            parts = unpack(data)
            body = parse_body(parts.body)
            new = self.copy()
            new._place(body)
            new._introduce(body)
            pk = new.identities[body.author]
            assert pk is not None
            if not self.trusting:
                verify_signature(pk, parts.signature, parts.message)
            root, begins = new.take_run(body)
            actions = new._execute(body)
            new._close(body)
        except Fault as fault:
            if body is not None:
                fault.file = body.number
                fault.seat = body.author if fault.code != "E_SIG" else None
            raise
        entry = Entry(
            body.number,
            body.author,
            new._side(body.author),
            file_id(parts.body),
            begins,
            root,
            actions,
            body.engine,
            body.chain,
            body.sheet,
            len(data),
        )
        new.entries.append(entry)
        return new, entry

    def _side(self, seat: int) -> int:
        assert self.terms is not None
        return self.terms.seats[seat].side

    def trust(self, *, on: bool) -> Log:
        """The same log that believes (or no longer believes) signatures and proofs.

        For files that this very program has checked before and kept: everything else is still looked at.
        """
        new = self.copy()
        new.trusting = on
        if new.table is not None:
            new.table.trusting = on
        return new

    # Lines 3 and 4: the place in the log, the set-up

    def _place(self, body: Body) -> None:
        if self.ended:
            raise Fault("E_ORDER", "the game is over")
        if body.number != self.count:
            raise Fault("E_SEQ", f"this is file {body.number}, and file {self.count} comes next")
        if body.previous != self.previous:
            raise Fault("E_PREV", "the file does not follow the last file of this game")

    def _introduce(self, body: Body) -> None:
        if body.number == 0:
            self.terms = self._terms(body)
            self.table = Table(self.terms, trusting=self.trusting)
            self.identities = list(self.terms.pk)
        assert self.terms is not None
        if body.author >= len(self.terms.seats) or (body.number < 2 and body.author != body.number):
            raise Fault("E_AUTHOR", "the author has no seat, or it is not this seat's file")
        if body.number < 2:
            key = self._key_op(body)
            if body.number == 1:
                self.take_identities(key[1])
                made = game_id(self.previous, key[1], key[3], body.seed)
            else:
                made = offer_id(self.terms, key[3], body.seed)
            self.game = made
        if body.game != self.game:
            raise Fault("E_GAME", "the file belongs to another game")

    @staticmethod
    def _terms(body: Body) -> Terms:
        if not body.ops or body.ops[0][0] != "terms" or len(body.ops[0]) != 2:
            raise Fault("E_ORDER", "the first file does not begin with terms")
        return parse_terms(body.ops[0][1])

    def _key_op(self, body: Body) -> list[Any]:
        place = 1 - body.number
        if len(body.ops) <= place or body.ops[place][0] != "key" or len(body.ops[place]) != 6:
            raise Fault("E_ORDER", "the key of the side is not where it must stand")
        op = body.ops[place]
        names = op[1]
        if not isinstance(names, list) or not all(isinstance(name, bytes) for name in names):
            raise Fault("E_FIELD", "the identities are not a list of keys")
        if not all(isinstance(part, bytes) for part in op[2:]):
            raise Fault("E_FIELD", "a part of the key op is of the wrong kind")
        return op

    def take_identities(self, names: list[bytes]) -> None:
        """Seat the people of side 1; Fault E_KEY. Changes this log: for `check` and the writer's own copy."""
        assert self.terms is not None
        seats = self.terms.seats_of(1)
        if len(names) != len(seats) or any(len(name) != 32 for name in names):
            raise Fault("E_KEY", "side 1 does not name all its identities")
        for seat, name in zip(seats, names, strict=True):
            if self.identities[seat] not in (None, name):
                raise Fault("E_KEY", "somebody answers who was not invited")
            self.identities[seat] = name
        if len(set(self.identities)) != len(self.identities):
            raise Fault("E_KEY", "one identity has two seats")

    # Line 6: runs, seeds and sheets

    def take_run(self, body: Body) -> tuple[bytes | None, bool]:
        """The dice root that a file completes, and whether it begins a run; takes its seed and its sheet.

        Changes this log: for `check` and the writer's own copy.
        """
        assert self.terms is not None
        assert self.table is not None
        side = self._side(body.author)
        begins = side != self.running_side
        if body.number < 2:
            self.take_anchor(body)
            return None, True
        root = None
        if begins:
            if not self.terms.seats[body.author].holds_key:
                raise Fault("E_AUTHOR", "a run begins with a file of a key holder")
            if self.table.owes(1 - side):
                raise Fault("E_RUN", "the other side's run is not complete")
            root = self._seed(body, side)
        elif body.seed != ZERO:
            raise Fault("E_SEED", "only the first file of a run opens a seed")
        elif len(self.terms.seats) == 2:
            # Else an author who dislikes the dice of the answer could claim to have written on before it.
            raise Fault("E_RUN", "in a game of two seats the other side writes the next file")
        self._sheet(body, side, begins=begins)
        return root, begins

    def take_anchor(self, body: Body) -> None:
        """Take the anchor of a side's dice from its first file; Fault E_SEED. Changes this log."""
        self.seeds.append(body.seed)
        if body.seed == ZERO:
            raise Fault("E_SEED", "the anchor of the dice is missing")
        self._sheet(body, body.author, begins=True)

    def _seed(self, body: Body, side: int) -> bytes:
        assert self.table is not None
        number = self.opened[side] + 1
        verify_link(self.table.keys[side], number, body.seed, self.seeds[side])
        self.opened[side] = number
        self.seeds[side] = body.seed
        return dice_root(self.game, body.number, body.previous, self.seeds[1 - side], body.seed)

    def _sheet(self, body: Body, side: int, *, begins: bool) -> None:
        assert self.terms is not None
        if begins:
            self.run_sheets = list(self.sheets)
        agreed = self.terms.sheet and body.number > 0
        if (body.sheet != ZERO and not agreed) or (body.sheet == ZERO and agreed and begins):
            raise Fault("E_SHEET", "the answer sheet is missing, or was not agreed on")
        if body.sheet != ZERO:
            self.sheets[side] = (body.number, body.sheet)

    # Lines 7 to 10: the ops, the chain, what is owed, the table

    def _execute(self, body: Body) -> tuple[Action, ...]:
        assert self.terms is not None
        assert self.table is not None
        plan = None
        if body.number < 2:
            plan = list(offer_ops(self.terms) if body.number == 0 else answer_ops(self.terms))
        chain = first_chain(body)
        actions: list[Action] = []
        for place, op in enumerate(body.ops):
            try:
                arguments = parse_arguments(op, actions, plan)
                value = execute(self, body, op[0], arguments, chain)
            except Fault as fault:
                fault.op, fault.chain = place, chain
                raise
            actions.append(Action(place, chain, op[0], value))
            chain = h32("act", chain, pack(op))  # ops come from `decode`, so this is what `encode` gives
        if plan and plan[0] != "share?":
            raise Fault("E_OWED", f'the op "{plan[0]}" of the set-up is missing')
        if body.number == 1:
            self._check_dealt(plan)
        if chain != body.chain:
            raise Fault("E_CHAIN", "the ops are not the ones that were signed for")
        return tuple(actions)

    def _check_dealt(self, plan: list[str] | None) -> None:
        assert self.table is not None
        if plan and self.table.owed_slots(1):
            raise Fault("E_OWED", "the shares for the first hand are missing")

    def _close(self, body: Body) -> None:
        assert self.terms is not None
        assert self.table is not None
        side = self._side(body.author)
        if self.terms.seats[body.author].holds_key and body.number > 0:
            owed = self.table.owes(side)
            if owed:
                raise Fault("E_OWED", f"the file leaves {owed} owing")
            hungry = self.table.starved()
            if hungry:
                raise Fault("E_OWED", f'the deck "{hungry}" is empty and was not reshuffled')
        if self.table.digest() != body.table:
            raise Fault("E_STATE", "the card table is not as the file says")
