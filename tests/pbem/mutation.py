"""Random changes to honest files, signed again by their author: do two verifiers disagree on any?"""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

from pbem.canon import encode
from pbem.container import pack
from pbem.errors import Fault
from tests.pbem.forge import Stage, chain_of, open_file

ODD: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1,
    2,
    2**40,
    b"",
    b"\xc0",
    bytes(32),
    bytes(64),
    "",
    "command",
    [],
    {},
)
NAMES = ("terms", "key", "switch", "shuffle", "reshuffle", "share", "draw", "show", "mix", "lay", "pass",
         "call", "bin", "open", "do", "plan", "stand", "note", "say", "end", "other")  # fmt: skip


def mutated(stage: Stage, number: int, luck: random.Random) -> bytes:
    """File `number` of a game with one to three changes."""
    while True:
        body = open_file(stage.files[number])
        try:
            for _ in range(luck.choice((1, 1, 1, 2, 3))):
                luck.choice((_header, _argument, _argument, _ops, _ops, _bytes, _bytes))(body, luck)
            if luck.random() < 0.9:
                body["h"] = chain_of(body)[-1]
            return pack(encode(body), stage.author(number))
        except (Fault, TypeError, ValueError, OverflowError, KeyError, IndexError, AttributeError):
            continue  # not a file that anybody could write


def _odd(luck: random.Random) -> Any:
    return deepcopy(luck.choice(ODD))


def _header(body: dict[str, Any], luck: random.Random) -> None:
    key = luck.choice("adeghknopsv")
    body[key] = luck.choice((bytes(32), luck.randbytes(32), _odd(luck)))


def _ops(body: dict[str, Any], luck: random.Random) -> None:
    ops = body["o"]
    place = luck.randrange(len(ops) + 1)
    what = luck.randrange(5)
    if what == 0:
        ops.insert(place, [luck.choice(NAMES), *(_odd(luck) for _ in range(luck.randrange(4)))])
    elif what == 1 and ops:
        ops.insert(place, list(luck.choice(ops)))
    elif what == 2 and ops:
        ops.pop(luck.randrange(len(ops)))
    elif what == 3:
        luck.shuffle(ops)
    elif ops:
        luck.choice(ops)[0] = luck.choice(NAMES)


def _argument(body: dict[str, Any], luck: random.Random) -> None:
    """Another argument somewhere, at whatever depth."""
    place: Any = luck.choice(body["o"] or [[0]])
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            place.append(_odd(luck)) if isinstance(place, list) else place.update(x=1)
            return
        key = luck.choice(keys)
        if isinstance(place[key], list | dict) and luck.random() < 0.8:
            place = place[key]
            continue
        if isinstance(place, list) and luck.random() < 0.2:
            place.append(_odd(luck))
        elif isinstance(place[key], int) and luck.random() < 0.6:
            place[key] = int(place[key]) + luck.choice((-1, 1, 1000))
        else:
            place[key] = _odd(luck)
        return


def _bytes(body: dict[str, Any], luck: random.Random) -> None:
    """One bit, or one byte more or less, in a long argument: a point, a scalar, a proof, an answer."""
    found = [(op, i) for op in body["o"] for i, part in enumerate(op) if isinstance(part, bytes) and part]
    if not found:
        return
    op, i = luck.choice(found)
    data = bytearray(op[i])
    what = luck.randrange(4)
    if what == 0:
        data.append(0)
    elif what == 1:
        data.pop()
    elif what == 2:  # the largest number in place of a point or scalar
        start = luck.randrange(len(data))
        data[start : start + 32] = b"\xff" * len(data[start : start + 32])
    else:
        data[luck.randrange(len(data))] ^= 1 << luck.randrange(8)
    op[i] = bytes(data)


# Canonical bytes

NUMBERS = (0, 127, 128, 255, 256, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 2**63, 2**64 - 1)
BELOW_ZERO = (1, 32, 33, 128, 129, 2**15, 2**15 + 1, 2**31, 2**31 + 1, 2**63)
FORMS = b"\xc0\xc1\xc4\xc7\xca\xcb\xcc\xd0\xd4\xd9\xdb\xdc\xdd\xde\xdf\x80\x90\xa0\xff\x00"
# Longer than needed, keys out of order or twice, text that is none, a float.
STRANGE = (
    b"\xcc\x05", b"\xcd\x00\x05", b"\xd3" + bytes(8), b"\xd9\x01a", b"\xda\x00\x01a", b"\xc5\x00\x01x",
    b"\xdc\x00\x01\x00", b"\xde\x00\x01\xa1a\x00", b"\x82\xa1b\x00\xa1a\x00", b"\x82\xa1a\x00\xa1a\x00",
    b"\xa1\xff", b"\xa3\xed\xa0\x80", b"\xcb" + bytes(8),
)  # fmt: skip


def any_value(luck: random.Random, depth: int = 0) -> Any:
    """A value of any kind, at the edges of the forms more often than elsewhere."""
    kind = luck.randrange(9 if depth < 5 else 6)
    if kind == 0:
        return luck.choice((None, True, False))
    if kind < 3:
        return luck.choice(NUMBERS) if kind == 1 else -luck.choice(BELOW_ZERO)
    if kind == 3:
        return luck.randbytes(luck.choice((0, 1, 31, 32, 255, 256, 300)))
    if kind == 4:
        return "".join(luck.choices("aé€😀\0", k=luck.choice((0, 1, 8, 16, 31, 32, 70, 256))))
    if kind == 5:
        return luck.randrange(-300, 300)
    count = luck.choice((0, 1, 3, 15, 16, 17)) if depth < 2 else luck.randrange(3)
    if kind < 8:
        return [any_value(luck, depth + 1) for _ in range(count)]
    keys = ("".join(luck.choices("abé", k=luck.randrange(5))) for _ in range(count))
    return {key: any_value(luck, depth + 1) for key in keys}


def damaged(data: bytes, luck: random.Random) -> bytes:
    """Canonical bytes with up to two changes."""
    found = bytearray(data)
    for _ in range(luck.choice((0, 1, 1, 2))):
        place = luck.randrange(len(found) + 1)
        what = luck.randrange(5)
        if what == 0:
            found[place : place + 1] = luck.randbytes(1)
        elif what == 1:
            found.insert(place, luck.choice(FORMS))
        elif what == 2:
            del found[place : place + 1]
        elif what == 3:
            found[:0] = b"\x91" * luck.randrange(14)
        else:
            found[place:place] = luck.choice(STRANGE)
    return bytes(found)
