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
