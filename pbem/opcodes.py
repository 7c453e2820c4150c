"""The ops of a file: their arguments, where they may stand, and what each does (protocol, parts 6 and 8.3).

`parse_arguments` looks at form and order, `execute` checks and carries out one op. What an op means to the
game comes back as a value for the referee; None where the game is not concerned.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.canon import decode
from pbem.errors import Fault
from pbem.group import parse_point, parse_scalar
from pbem.hashing import h32
from pbem.proofs import verify_pok
from pbem.sheet import check_opening
from pbem.terms import Terms

if TYPE_CHECKING:
    from pbem.log import Action, Body, Log

MOST_NOTE = 4096
MOST_SAID = 2000  # characters of a message that everybody may read
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


def SETUP_OFFER(terms: Terms) -> tuple[str, ...]:  # noqa: N802  # reads as the constant it almost is
    """The ops of file 0, in order."""
    return ("terms", "key", *(f"shuffle {name}" for name, _ in terms.decks))


def SETUP_ANSWER(terms: Terms) -> tuple[str, ...]:  # noqa: N802
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
    table = log.table
    assert table is not None
    assert log.terms is not None
    seat, side = body.author, log.terms.seats[body.author].side
    ctx = h32("ctx", chain)
    if name in ("do", "plan", "stand", "end"):
        value = decode(arguments[0])
        if name == "end":
            table.ended = True
        return value
    if name == "share":
        paid = [slot.serial for slot in table.owed_slots(side)]
        table.share(side, *arguments, ctx)
        return paid
    if name == "show":
        return table.show(seat, *arguments, ctx)
    if name == "draw":
        place, deck, count = arguments
        table.draw(side, place, deck, count)
        return (place, deck, count)
    if name == "mix":
        return _mix(log, body, arguments, ctx)
    if name == "open":
        return _open(log, side, arguments[0])
    if name in ("shuffle", "reshuffle"):
        if body.number < 2:
            table.first_shuffle(*arguments, ctx)
            if body.number == 1 and arguments[0] == log.terms.decks[-1][0]:
                table.deal()
        elif name == "shuffle":
            table.shuffle(side, *arguments, ctx)
        else:
            table.reshuffle(side, *arguments, ctx)
        return arguments[0]
    return _OTHERS[name](log, body, arguments, ctx)


def _terms(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    return log.terms


def _key(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    names, salt, key, boxes, proof = arguments
    assert log.terms is not None
    assert log.table is not None
    side = body.number
    if names != [log.identities[seat] for seat in log.terms.seats_of(side)]:
        raise Fault("E_KEY", "the identities are not those of the side")
    sizes = (32, 33, BOX * (len(log.terms.holders_of(side)) - 1), 64)
    for part, size in zip((salt, key, boxes, proof), sizes, strict=True):
        if len(part) != size:
            raise Fault("E_LEN", f"a part of the key op has {len(part)} bytes instead of {size}")
    point = parse_point(key)
    log.table.take_key(point)
    parse_scalar(proof[:32], challenge=True)
    parse_scalar(proof[32:])
    verify_pok(ctx, names, salt, point, boxes, proof)
    log.salts.append(salt)
    log.boxes.append(boxes)
    return None


def _switch(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.table is not None
    log.table.switch(*arguments, ctx)
    return None


def _mix(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.table is not None
    assert log.terms is not None
    if not log.terms.mix:
        raise Fault("E_ORDER", "hands are not mixed in this game")
    seen = [op[1] for op in body.ops if op[0] == "mix" and len(op) > 1]
    if seen.count(arguments[0]) > 1:
        raise Fault("E_ORDER", "a deck is mixed once in a file")
    return log.table.mix(body.author, *arguments, ctx)


def _lay(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.table is not None
    log.table.lay(body.author, *arguments)
    return arguments[0]


def _pass(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.table is not None
    log.table.hand_over(body.author, *arguments)
    return tuple(arguments)


def _call(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.table is not None
    log.table.call(*arguments)
    return arguments[0]


def _bin(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.table is not None
    log.table.bin(*arguments)
    return arguments[0]


def _note(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    assert log.terms is not None
    if not log.terms.seats[body.author].holds_key:
        raise Fault("E_ORDER", "private notes are written by key holders")
    if not 1 <= len(arguments[0]) <= MOST_NOTE:
        raise Fault("E_LEN", f"a note has 1 to {MOST_NOTE} bytes")
    return arguments[0]


def _say(log: Log, body: Body, arguments: list[Any], ctx: bytes) -> Any:
    if not 1 <= len(arguments[0]) <= MOST_SAID:
        raise Fault("E_LEN", f"a message has 1 to {MOST_SAID} characters")
    return arguments[0]


def _open(log: Log, side: int, boxes: list[Any]) -> list[tuple[int, Any]]:
    """Answers from the sheet that was the side's latest when the run began (part 9)."""
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


_OTHERS: dict[str, Any] = {
    "terms": _terms,
    "key": _key,
    "switch": _switch,
    "lay": _lay,
    "pass": _pass,
    "call": _call,
    "bin": _bin,
    "note": _note,
    "say": _say,
}
