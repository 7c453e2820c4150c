"""Damages files in every way a program can think of, and looks for anything but an orderly refusal.

    python -m scripts.fuzz [--seconds 120] [--seed 0]

Files of real games are taken apart and put together again: bytes, frames, streams, canonical values, headers,
ops, proofs, decisions, plans, boxes, notes. Most are signed again by their author, so that the damage reaches
the last check. `Log.check` and `Referee.read` must accept or raise a Fault whose message is one printable
sentence; nothing else may come out, nothing may change, and nothing may take long. What fails is named with
its seed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import traceback
import zlib
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from pbem.canon import decode, encode
from pbem.container import SIGNING, frame_file, pack, signed_hash, unpack
from pbem.errors import Fault
from pbem.identity import Identity
from pbem.log import Log
from pbem.referee import Referee
from tests.mailgame import ALICE, BOB
from tests.pbem.forge import chain_of, open_file
from tests.pbem.moments import MODES, moments

Luck = random.Random
SLOW = 5.0  # seconds of processor time for one file
ODD_TEXTS = (
    "", " ", "\0", "card", "order", "move A1", "attack A1 A2 A3", "done done", "roll star", "draw ?",
    "pass pass", "retreat", "ignore 99999999999999999999", "section nowhere", "ground", "\u202e", "é" * 40,
    "order " + "A1 " * 600, "card their-finest-hour", "card recon-left as probe-left", "shuffle",
    "discard ambush", "resigns", "choose 1",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 63, 64, 2**63, -(2**63), 2**64 - 1, b"", b"\xc0", bytes(32), bytes(33), "",
    "A1", "resigns", [], [[]], [None], {}, {"a": 1}, [[0, [1], True, [], False]],
    [[None, ["cover"], "never"]], "x" * 300,
)  # fmt: skip


class Sample(NamedTuple):
    """One honest file with everything that is known before it."""

    log: Log
    referee: Referee
    author: Identity
    data: bytes


class Broken(Exception):
    """Something came out that is no orderly refusal."""


def samples(names: tuple[str, ...] = ("live", "sheet", "strict", "instant")) -> list[Sample]:
    """Files of real games, early, middle and late."""
    found = []
    for name in names:
        assert name in MODES
        for here in moments(name)[:45:3]:
            desk = here.draft.desk
            found.append(Sample(here.log, here.referee, (ALICE, BOB)[desk.seat], here.honest()))
    return found


# Damage


def damage_bytes(data: bytes, luck: Luck) -> bytes:
    """Some bytes lost, doubled, changed or put in."""
    for _ in range(luck.randint(1, 3)):
        start = luck.randint(0, len(data))
        end = min(len(data), start + luck.choice((0, 1, 1, 4, 32, 66)))
        new = luck.choice(
            (b"", luck.randbytes(end - start), data[start:end] * 2, bytes(end - start), b"\xff")
        )
        data = data[:start] + new + data[end:]
    return data


def damage_value(value: Any, luck: Luck, depth: int = 0) -> Any:
    """Another value in the place of some part of a value."""
    if depth > 6 or luck.random() < 0.15:
        return luck.choice(ODD_VALUES)
    if isinstance(value, list) and value:
        new = list(value)
        place = luck.randrange(len(new))
        kind = luck.random()
        if kind < 0.15:
            new.pop(place)
        elif kind < 0.3:
            new.insert(place, new[luck.randrange(len(new))])
        elif kind < 0.4:
            luck.shuffle(new)
        else:
            new[place] = damage_value(new[place], luck, depth + 1)
        return new
    if isinstance(value, dict) and value:
        key = luck.choice(sorted(value))
        return {**value, key: damage_value(value[key], luck, depth + 1)}
    if isinstance(value, bytes) and value:
        return damage_bytes(value, luck)
    if isinstance(value, int) and not isinstance(value, bool):
        return max(-(2**63), min(2**64 - 1, value + luck.choice((-1, 1, 64, -(2**40), 2**40))))
    return luck.choice(ODD_VALUES)


def is_decision(op: Any) -> bool:
    """Whether an op, perhaps damaged already, is a decision."""
    form = isinstance(op, list) and len(op) == 2 and isinstance(op[1], bytes)
    return form and op[0] in ("do", "plan", "stand", "end")


def damage_decision(body: dict[str, Any], luck: Luck) -> None:
    """Another text or value in a decision, a plan, a standing order or an end; or one more of them."""

    ops = body["o"]
    places = [place for place, op in enumerate(ops) if is_decision(op)]
    if not places or luck.random() < 0.3:
        name = luck.choice(("do", "plan", "stand", "end", "open", "note", "say"))
        value = luck.choice((*ODD_TEXTS, *ODD_VALUES))
        argument = value if name in ("open", "say") else encode(value)
        ops.insert(luck.randint(0, len(ops)), [name, argument])
        return
    op = ops[luck.choice(places)]
    value = decode(op[1])
    if isinstance(value, str) and luck.random() < 0.7:
        words = value.split()
        luck.shuffle(words)
        value = luck.choice(
            (luck.choice(ODD_TEXTS), " ".join(words), value.upper(), value + " A1", value[:-1])
        )
    else:
        value = damage_value(value, luck)
    op[1] = encode(value)


def damage_body(body: dict[str, Any], luck: Luck) -> None:
    """A damaged header, op or list of ops."""
    kind = luck.random()
    if kind < 0.4:
        damage_decision(body, luck)
    elif kind < 0.7 and body["o"]:
        place = luck.randrange(len(body["o"]))
        body["o"][place] = damage_value(body["o"][place], luck)
    elif kind < 0.85:
        body["o"] = damage_value(body["o"], luck)
    else:
        key = luck.choice(sorted(body))
        body[key] = damage_value(body[key], luck)


def signed(payload: bytes, author: Identity) -> bytes:
    """A file with any payload, signed by its author."""
    return frame_file(payload, author.sign(SIGNING + signed_hash(payload)))


def damaged(sample: Sample, luck: Luck) -> bytes:
    """A damaged file."""
    kind = luck.random()
    if kind < 0.1:
        return damage_bytes(sample.data, luck)
    if kind < 0.15:
        return signed(damage_bytes(unpack(sample.data).payload, luck), sample.author)
    if kind < 0.25:
        return signed(zlib.compress(damage_bytes(unpack(sample.data).body, luck)), sample.author)
    body = open_file(sample.data)
    try:
        for _ in range(luck.choice((1, 1, 1, 2, 3))):
            if isinstance(body["o"], list):
                damage_body(body, luck)
        if luck.random() < 0.9:
            body["h"] = chain_of(body)[-1]
        return pack(encode(body), sample.author)
    except (Fault, TypeError, ValueError, OverflowError, AttributeError):
        return damage_bytes(sample.data, luck)  # not even the cheat could write it


# The trial


def refusal(action: Callable[[], Any]) -> tuple[str, Any]:
    """The code of a refusal, or "" and what came out."""
    try:
        return "", action()
    except Fault as fault:
        if not fault.message or not fault.message.isprintable() or len(fault.message) > 400:
            raise Broken(f"a strange message: {fault.message!r}") from fault
        return fault.code, None


def act_freely(sample: Sample, luck: Luck) -> str:
    """The ops of a file handed to the referee directly, decisions damaged: the code of what it says."""
    log, entry = sample.log.trust(on=True).check(sample.data)
    assert log.count
    referee = sample.referee.copy()

    def run() -> None:
        referee.begin(entry.number, entry.seat, entry.side, entry.root, begins=True)
        for action in entry.actions:
            value = action.value
            if action.name in ("do", "plan", "stand", "end") and luck.random() < 0.3:
                value = luck.choice((luck.choice(ODD_TEXTS), damage_value(value, luck)))
            if luck.random() < 0.05:
                extra = luck.choice(("plan", "stand", "do", "end", "mix", "lay", "reshuffle"))
                referee.act(action.place, extra, luck.choice((*ODD_VALUES, *ODD_TEXTS)))
            referee.act(action.place, action.name, value)
        referee.finish()

    return refusal(run)[0]


def attempt(sample: Sample, luck: Luck) -> str:
    """One trial; the code of the refusal, or "" if the file was accepted. Raises Broken."""
    begin = time.process_time()
    before = (sample.log.count, sample.log.previous, sample.referee.digest())
    if luck.random() < 0.4:
        code = act_freely(sample, luck)
    else:
        data = damaged(sample, luck)
        code, found = refusal(lambda: sample.log.check(data))
        if not code:
            entry = found[1]
            code, _ = refusal(lambda: sample.referee.read(entry))
    if (sample.log.count, sample.log.previous, sample.referee.digest()) != before:
        raise Broken("a refused file has changed something")
    if time.process_time() - begin > SLOW:
        raise Broken("one file took very long")
    return code


def main() -> int:
    """Fuzzes for the time given; 1 if anything came out that is no Fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    whole = samples()
    codes: Counter[str] = Counter()
    broken = 0
    number = options.seed
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        luck = random.Random(number)  # luck of a test
        try:
            codes[attempt(luck.choice(whole), luck) or "accepted"] += 1
        except Exception:
            broken += 1
            print(f"seed {number}:\n{traceback.format_exc()}", flush=True)
        number += 1
    print(
        f"{number - options.seed} files, {broken} broken; "
        + ", ".join(f"{c} {n}" for c, n in codes.most_common())
    )
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
