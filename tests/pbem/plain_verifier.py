"""A second verifier, written from docs/protocol.md alone: slow, plain, and sharing nothing with pbem/.

`PlainLog().after(data)` gives the log with one more file or raises Refusal with the code of part 11. Lines 1
to 10 are checked; the rules of the game (line 11) need an engine and are left out.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from tests.pbem.plain_bytes import (
    Refusal,
    check_signature,
    check_terms,
    h,
    header_of,
    need,
    opened,
    value_of,
    written,
)
from tests.pbem.plain_table import Table, check_knowledge, checked_shuffle, point
from tests.plain_group import write
from tests.plain_proofs import le32, split

NOTHING = bytes(32)

SETUP: dict[str, list[type]] = {
    "terms": [dict],
    "key": [list, bytes, bytes, bytes, bytes],
    "switch": [str, bytes, bytes],
    "shuffle": [str, bytes, bytes],
    "share": [bytes, bytes],
}
OPS: dict[str, list[type]] = {
    "share": [bytes, bytes], "shuffle": [str, bytes, bytes], "reshuffle": [str, bytes, bytes],
    "draw": [int, str, int], "show": [int, bytes, bytes], "mix": [str, bytes, bytes], "lay": [int],
    "pass": [int, int], "call": [int], "bin": [int], "open": [list], "do": [bytes], "plan": [bytes],
    "stand": [bytes], "note": [bytes], "say": [str], "end": [bytes],
}  # fmt: skip
ONCE = ("open", "note", "say")
ON_THE_TABLE = {name: name for name in ("share", "shuffle", "reshuffle", "draw", "show", "mix", "lay", "call",
                "bin")} | {"pass": "hand_over"}  # fmt: skip


class PlainLog:
    """What the files so far say."""

    def __init__(self) -> None:
        self.terms: dict[str, Any] = {}
        self.table: Table = Table({"decks": [], "seats": [], "mix": False})
        self.game = NOTHING
        self.names: list[bytes | None] = []  # identity keys by seat
        self.ids: list[bytes] = []
        self.roots: dict[int, bytes] = {}
        self.chains: list[list[bytes]] = []
        self.last_side = -1
        self.seeds: list[bytes] = []
        self.links = [0, 0]
        self.sheets: dict[int, tuple[int, bytes]] = {}  # latest of each side: number of the file, root
        self.sheets_before: dict[int, tuple[int, bytes]] = {}  # ... when the run began

    def after(self, data: bytes) -> PlainLog:
        """The log with one more file; raises Refusal and changes nothing."""
        body, signature, message = opened(data)
        header = header_of(body)
        new = deepcopy(self)
        new._find_place(header)
        pk = new.names[header["a"]]
        assert pk is not None
        check_signature(pk, signature, message)
        new._begin(header)
        new._carry_out(header)
        new._close(header)
        new.ids.append(h("file", body))
        new.last_side = new._side(header)
        return new

    def _side(self, header: dict[str, Any]) -> int:
        return int(self.terms["seats"][header["a"]][0])

    def _seats(self, side: int, *, holders: bool = False) -> list[int]:
        rows = enumerate(self.terms["seats"])
        return [seat for seat, row in rows if row[0] == side and (row[1] or not holders)]

    # Lines 3 and 4

    def _find_place(self, header: dict[str, Any]) -> None:
        number, ops = header["n"], header["o"]
        need(not self.table.ended, "E_ORDER")
        need(number == len(self.ids), "E_SEQ")
        need(header["p"] == (self.ids[-1] if self.ids else NOTHING), "E_PREV")
        if number == 0:
            need(ops and ops[0][0] == "terms" and len(ops[0]) == 2, "E_ORDER")
            check_terms(ops[0][1])
            self.terms = ops[0][1]
            self.table = Table(self.terms)
            self.names = list(self.terms["pk"])
        need(header["a"] < len(self.terms["seats"]) and (number > 1 or header["a"] == number), "E_AUTHOR")
        if number < 2:
            place = 1 - number
            need(len(ops) > place and ops[place][0] == "key" and len(ops[place]) == 6, "E_ORDER")
            key = ops[place]
            need([type(part) for part in key[1:]] == SETUP["key"], "E_FIELD")
            need(all(isinstance(name, bytes) for name in key[1]), "E_FIELD")
            if number == 0:
                self.game = h("offer", written(self.terms), key[3], header["s"])
            else:
                self._meet(key[1])
                self.game = h("game", self.ids[0], written(key[1]), key[3], header["s"])
        need(header["g"] == self.game, "E_GAME")

    def _meet(self, names: list[bytes]) -> None:
        seats = self._seats(1)
        need(len(names) == len(seats) and all(len(name) == 32 for name in names), "E_KEY")
        for seat, name in zip(seats, names, strict=True):
            need(self.names[seat] in (None, name), "E_KEY")
            self.names[seat] = name
        need(len(set(self.names)) == len(self.names), "E_KEY")

    # Line 6

    def _begin(self, header: dict[str, Any]) -> None:
        number, side, seed = header["n"], self._side(header), header["s"]
        begins = number < 2 or side != self.last_side
        if number < 2:
            need(seed != NOTHING, "E_SEED")
            self.seeds.append(seed)
        elif begins:
            need(self.terms["seats"][header["a"]][1], "E_AUTHOR")
            need(not self.table.owes(1 - side), "E_RUN")
            self.links[side] += 1
            made = h("link", write(self.table.keys[side]), le32(self.links[side]), seed)
            need(self.links[side] <= 1024 and made == self.seeds[side], "E_SEED")
            self.seeds[side] = seed
            root = h("dice", self.game, le32(number), header["p"], self.seeds[1 - side], seed)
            self.roots[number] = root
        else:
            need(seed == NOTHING, "E_SEED")
            need(len(self.terms["seats"]) > 2, "E_RUN")
        if begins:
            self.sheets_before = dict(self.sheets)
        allowed = self.terms["sheet"] and number > 0
        has = header["k"] != NOTHING
        need(allowed or not has, "E_SHEET")
        need(has or not (allowed and begins), "E_SHEET")
        if has:
            self.sheets[side] = (number, header["k"])

    # Lines 7 and 8

    def _due(self, number: int) -> list[str]:
        decks = [name for name, _ in self.terms["decks"]]
        if number == 0:
            return ["terms", "key", *(f"shuffle {name}" for name in decks)]
        pairs = [f"{verb} {name}" for name in decks for verb in ("switch", "shuffle")]
        return ["key", *pairs, "share"]

    def _carry_out(self, header: dict[str, Any]) -> None:
        number = header["n"]
        due = self._due(number) if number < 2 else []
        start = (header["g"], header["p"], le32(number), bytes([header["a"]]), header["s"], header["k"])
        chain = h("act/0", *start)
        seen: list[str] = []
        row = [chain]
        for op in header["o"]:
            name, *arguments = op
            kinds = self._kinds(op, due) if number < 2 else OPS.get(name)
            need(kinds is not None and "end" not in seen, "E_ORDER")
            need([type(argument) for argument in arguments] == kinds, "E_FIELD")
            need(name not in ONCE or name not in seen, "E_ORDER")
            seen.append(name)
            self._do(header, name, arguments, h("ctx", chain))
            chain = h("act", chain, written(op))
            row.append(chain)
        if due == ["share"]:
            need(not self.table.owed(1), "E_OWED")
        else:
            need(not due, "E_OWED")
        need(chain == header["h"], "E_CHAIN")
        self.chains.append(row)

    def _kinds(self, op: list[Any], due: list[str]) -> list[type] | None:
        name = op[0]
        if name in ("note", "say") and due in ([], ["share"]):
            return OPS[name]
        if name not in SETUP:
            return None
        of_a_deck = name in ("switch", "shuffle") and len(op) > 1 and isinstance(op[1], str)
        told = f"{name} {op[1]}" if of_a_deck else name
        need(due and told == due[0], "E_OWED")
        due.pop(0)
        return SETUP[name]

    def _do(self, header: dict[str, Any], name: str, arguments: list[Any], ctx: bytes) -> None:
        seat, table, number = header["a"], self.table, header["n"]
        if name == "key":
            self._key(seat, ctx, *arguments)
        elif name == "switch":
            table.switch(seat, ctx, *arguments)
        elif name == "shuffle" and number < 2:
            self._first_shuffle(number, ctx, *arguments)
        elif name in ON_THE_TABLE:
            if name == "mix":
                need(table.may_mix, "E_ORDER")
                same = [op for op in header["o"] if op[0] == "mix" and op[1:2] == arguments[:1]]
                need(len(same) == 1, "E_ORDER")
            getattr(table, ON_THE_TABLE[name])(seat, ctx, *arguments)
        elif name == "open":
            self._open(self._side(header), arguments[0])
        elif name in ("do", "plan", "stand", "end"):
            value_of(arguments[0])
            table.ended = table.ended or name == "end"
        elif name == "note":
            need(self.terms["seats"][seat][1], "E_ORDER")
            need(1 <= len(arguments[0]) <= 4096, "E_LEN")
        elif name == "say":
            need(1 <= len(arguments[0]) <= 2000, "E_LEN")

    def _key(
        self, seat: int, ctx: bytes, names: list[Any], salt: bytes, key: bytes, boxes: bytes, pok: bytes
    ) -> None:
        side = self.terms["seats"][seat][0]
        need(names == [self.names[other] for other in self._seats(side)], "E_KEY")
        others = len(self._seats(side, holders=True)) - 1
        sizes = [len(part) for part in (salt, key, boxes, pok)]
        need(sizes == [32, 33, 80 * others, 64], "E_LEN")
        public = point(key)
        self.table.take_key(public)
        check_knowledge(public, ctx, written(names), salt, boxes, pok)

    def _first_shuffle(self, number: int, ctx: bytes, name: str, out: bytes, proof: bytes) -> None:
        table = self.table
        key = table.joint if number else table.keys[0]
        table.decks[name].pile = checked_shuffle(key, table.decks[name].pile, out, proof, ctx)
        if number == 1 and name == self.terms["decks"][-1][0]:
            table.deal(self.terms)

    def _open(self, side: int, boxes: list[Any]) -> None:
        """Part 9."""
        need(boxes and side in self.sheets_before, "E_ORDER")
        number, root = self.sheets_before[side]
        done: list[int] = []
        for box in boxes:
            need(
                isinstance(box, list) and [type(part) for part in box] == [int, bytes, bytes, bytes],
                "E_FIELD",
            )
            b, answer, salt, path = box
            need(b not in done and 0 <= b < 1024, "E_SHEET")
            need(len(salt) == 32 and len(path) == 320, "E_LEN")
            value_of(answer)
            node = h("box", self.game, le32(number), bytes([side]), le32(b), salt, answer)
            for height, sibling in enumerate(split(path, 32)):
                node = h("node", sibling, node) if b >> height & 1 else h("node", node, sibling)
            need(node == root, "E_SHEET")
            done.append(b)

    # Lines 9 and 10

    def _close(self, header: dict[str, Any]) -> None:
        if header["n"] > 0 and self.terms["seats"][header["a"]][1]:
            need(not self.table.owes(self._side(header)) and not self.table.is_starved(), "E_OWED")
        need(self.table.digest() == header["d"], "E_STATE")


def code_of(log: PlainLog, data: bytes) -> str:
    """The code with which a file is refused, "" if it is accepted."""
    try:
        log.after(data)
    except Refusal as refusal:
        return refusal.code
    return ""
