"""The ops of a file: their arguments, where they may stand, and what each does (protocol, parts 6 and 8.3).

`parse_arguments` looks at form and order, `execute` checks and carries out one op. What an op means to the
game comes back as a value for the referee; None where the game is not concerned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from pbem.canon import decode, encode
from pbem.errors import Fault
from pbem.group import parse_point
from pbem.message import MOST_SAID
from pbem.proofs import proof_context, verify_pok
from pbem.sheet import check_opening
from pbem.table import Shown, Table
from pbem.terms import Terms

if TYPE_CHECKING:
    from pbem.log import Action, Body, Log

MOST_NOTE = 4096
BOX = 80  # bytes of a sealed game secret
ONCE = ("open", "note", "say")  # once in a file

# Kinds of the arguments behind an op's name, from file 2 on.
ARGUMENTS: dict[str, tuple[type, ...]] = {
    "share": (bytes, bytes),
    "shuffle": (str, bytes, bytes),
    "reshuffle": (str, bytes, bytes),
    "draw": (int, str, int),
    "show": (int, bytes, bytes),
    "mix": (str, bytes, bytes),
    "lay": (int,),
    "pass": (int, int),
    "call": (int,),
    "bin": (int,),
    "open": (list,),
    "do": (bytes,),
    "plan": (bytes,),
    "stand": (bytes,),
    "note": (bytes,),
    "say": (str,),
    "end": (bytes,),
}
# ... and of the ops that only stand in files 0 and 1.
SETUP: dict[str, tuple[type, ...]] = {
    "terms": (dict,),
    "key": (list, bytes, bytes, bytes, bytes),
    "switch": (str, bytes, bytes),
    "shuffle": (str, bytes, bytes),
    "share": (bytes, bytes),
}
LATE = ("note", "say")  # may follow the set-up ops


def offer_ops(terms: Terms) -> tuple[str, ...]:
    """The ops of file 0, in order."""
    return ("terms", "key", *(f"shuffle {name}" for name, _ in terms.decks))


def answer_ops(terms: Terms) -> tuple[str, ...]:
    """The ops of file 1, in order; the share may be left out if nothing was dealt to side 0."""
    decks = (f"{verb} {name}" for name, _ in terms.decks for verb in ("switch", "shuffle"))
    return ("key", *decks, "share?")


def parse_arguments(op: list[Any], earlier: list[Action], plan: list[str] | None) -> list[Any]:
    """The arguments of an op that may stand here; `plan` holds the ops of a set-up file still to come."""
    name, *arguments = op
    if plan is not None:
        kinds = _setup_kinds(op, plan)
    else:
        if name not in ARGUMENTS:
            raise Fault("E_ORDER", "an op that nobody knows, or that belongs to the set-up")
        kinds = ARGUMENTS[name]
    if earlier and earlier[-1].name == "end":
        raise Fault("E_ORDER", "nothing follows the end of a game")
    if len(arguments) != len(kinds):
        raise Fault("E_FIELD", f'the op "{name}" has the wrong number of arguments')
    for argument, kind in zip(arguments, kinds, strict=True):
        if not isinstance(argument, kind) or isinstance(argument, bool):
            raise Fault("E_FIELD", f'an argument of the op "{name}" is of the wrong kind')
    if name in ONCE and any(action.name == name for action in earlier):
        raise Fault("E_ORDER", f'the op "{name}" stands in a file once')
    return arguments


def _setup_kinds(op: list[Any], plan: list[str]) -> tuple[type, ...]:
    name = op[0]
    if name in LATE and (not plan or plan == ["share?"]):
        return ARGUMENTS[name]
    if name not in SETUP:
        raise Fault("E_ORDER", "a set-up file has other ops")
    due = plan[0] if plan else ""
    told = f"{name} {op[1]}" if len(op) > 1 and isinstance(op[1], str) else name
    if due not in (told, f"{name}?"):
        raise Fault("E_OWED", f'the op "{due or "none"}" of the set-up comes here')
    plan.pop(0)
    return SETUP[name]


def execute(log: Log, body: Body, name: str, arguments: list[Any], chain: bytes) -> Any:
    """Check and carry out one op; what it means to the game."""
    assert log.table is not None
    assert log.terms is not None
    side = log.terms.seats[body.author].side
    return OPS[name](Scene(log, log.terms, log.table, body, body.author, side, chain), *arguments)


class Scene(NamedTuple):
    """What an op finds when its turn comes."""

    log: Log
    terms: Terms
    table: Table
    body: Body
    seat: int  # the author
    side: int
    chain: bytes  # the chain value just before the op

    @property
    def ctx(self) -> bytes:
        """The context of a proof in this op."""
        return proof_context(self.chain)


# Set-up


def _terms(scene: Scene, value: Any) -> Terms:
    return scene.terms


def _key(scene: Scene, names: list[Any], salt: bytes, key: bytes, boxes: bytes, proof: bytes) -> None:
    log = scene.log
    if names != [log.identities[seat] for seat in scene.terms.seats_of(scene.side)]:
        raise Fault("E_KEY", "the identities are not those of the side")
    sizes = (32, 33, BOX * (len(scene.terms.holders_of(scene.side)) - 1), 64)
    for part, size in zip((salt, key, boxes, proof), sizes, strict=True):
        if len(part) != size:
            raise Fault("E_LEN", f"a part of the key op has {len(part)} bytes instead of {size}")
    point = parse_point(key)
    scene.table.take_key(point)
    if not scene.table.trusting:
        verify_pok(point, scene.ctx, encode(names), salt, boxes, proof)
    log.salts.append(salt)
    log.boxes.append(boxes)


def _switch(scene: Scene, deck: str, shares: bytes, proof: bytes) -> None:
    scene.table.switch(deck, shares, proof, scene.ctx)


# Cards


def _shuffle(scene: Scene, deck: str, out: bytes, proof: bytes) -> str:
    if scene.body.number >= 2:
        scene.table.shuffle(scene.side, deck, out, proof, scene.ctx)
        return deck
    scene.table.first_shuffle(deck, out, proof, scene.ctx)
    if scene.body.number == 1 and deck == scene.terms.decks[-1][0]:
        scene.table.deal()
    return deck


def _reshuffle(scene: Scene, deck: str, out: bytes, proof: bytes) -> str:
    scene.table.reshuffle(scene.side, deck, out, proof, scene.ctx)
    return deck


def _share(scene: Scene, shares: bytes, proof: bytes) -> tuple[int, ...]:
    paid = tuple(slot.serial for slot in scene.table.owed_slots(scene.side))
    scene.table.share(scene.side, shares, proof, scene.ctx)
    return paid


def _draw(scene: Scene, place: int, deck: str, count: int) -> tuple[int, str, int]:
    scene.table.draw(scene.side, place, deck, count)
    return (place, deck, count)


def _show(scene: Scene, place: int, share: bytes, proof: bytes) -> Shown:
    return scene.table.show(scene.seat, place, share, proof, scene.ctx)


def _mix(scene: Scene, deck: str, out: bytes, proof: bytes) -> tuple[int, ...]:
    if not scene.terms.mix:
        raise Fault("E_ORDER", "hands are not mixed in this game")
    if [op[1] for op in scene.body.ops if op[0] == "mix" and len(op) > 1].count(deck) > 1:
        raise Fault("E_ORDER", "a deck is mixed once in a file")
    return scene.table.mix(scene.seat, deck, out, proof, scene.ctx)


def _lay(scene: Scene, place: int) -> int:
    scene.table.lay(scene.seat, place)
    return place


def _pass(scene: Scene, place: int, to: int) -> tuple[int, int]:
    scene.table.hand_over(scene.seat, place, to)
    return (place, to)


def _call(scene: Scene, place: int) -> int:
    scene.table.call(place)
    return place


def _bin(scene: Scene, place: int) -> int:
    scene.table.bin(place)
    return place


# Words


def _value(scene: Scene, data: bytes) -> Any:
    return decode(data)


def _end(scene: Scene, data: bytes) -> Any:
    value = decode(data)
    scene.table.ended = True
    return value


def _note(scene: Scene, note: bytes) -> bytes:
    if not scene.terms.seats[scene.seat].holds_key:
        raise Fault("E_ORDER", "private notes are written by key holders")
    if not 1 <= len(note) <= MOST_NOTE:
        raise Fault("E_LEN", f"a note has 1 to {MOST_NOTE} bytes")
    return note


def _say(scene: Scene, text: str) -> str:
    if not 1 <= len(text) <= MOST_SAID:
        raise Fault("E_LEN", f"a message has 1 to {MOST_SAID} characters")
    return text


def _open(scene: Scene, boxes: list[Any]) -> list[tuple[int, Any]]:
    """Answers from the sheet that was the side's latest when the run began (part 9)."""
    log, side = scene.log, scene.side
    sheet = log.run_sheets[side]
    if not boxes or sheet is None:
        raise Fault("E_ORDER", "there is no sheet to open, or nothing is opened")
    answers: list[tuple[int, Any]] = []
    for box in boxes:
        if not isinstance(box, list) or len(box) != 4:
            raise Fault("E_FIELD", "an opened box has four parts")
        number, answer, salt, path = box
        right = isinstance(number, int) and not isinstance(number, bool)
        if not right or not all(isinstance(part, bytes) for part in (answer, salt, path)):
            raise Fault("E_FIELD", "a part of an opened box is of the wrong kind")
        if any(number == other for other, _ in answers):
            raise Fault("E_SHEET", "a box is opened twice")
        check_opening(sheet[1], log.game, sheet[0], side, number, answer, salt, path)
        answers.append((number, decode(answer)))
    return answers


OPS: dict[str, Callable[..., Any]] = {
    "terms": _terms,
    "key": _key,
    "switch": _switch,
    "shuffle": _shuffle,
    "reshuffle": _reshuffle,
    "share": _share,
    "draw": _draw,
    "show": _show,
    "mix": _mix,
    "lay": _lay,
    "pass": _pass,
    "call": _call,
    "bin": _bin,
    "open": _open,
    "do": _value,
    "plan": _value,
    "stand": _value,
    "end": _end,
    "note": _note,
    "say": _say,
}
