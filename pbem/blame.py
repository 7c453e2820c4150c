"""Problems in words: which file, which entry, against which rule, and who has signed it, if anybody has.

A person is at fault only if the signature is theirs; everything else could have been made by anybody.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pbem.archive import printable
from pbem.canon import decode
from pbem.container import unpack
from pbem.errors import Fault
from pbem.gathering import Node, Place
from pbem.identity import fingerprint, verify_signature
from pbem.log import Body, Log, parse_body
from pbem.terms import Terms, parse_terms
from pbem.verdict import Problem

LONGEST_SAYING = 80


def name_problem(fault: Fault, log: Log, node: Node, place: Place, data: bytes) -> Problem:
    """A fault in words, with the person who signed the file if that can be told."""
    body = _body(data)
    seat = body.author if body is not None else None
    terms = log.terms if log.terms is not None else _terms(body)
    pk = _claimed_key(log, terms, body)
    said = ""
    if body is not None and fault.op is not None and fault.op < len(body.ops):
        said = _say(body.ops[fault.op])
    return Problem(
        str(place),
        node.number,
        fault.code,
        fault.message,
        fault.rule,
        fault.op,
        fault.chain.hex() if fault.chain is not None else "",
        said,
        seat,
        name_of(terms, seat) if seat is not None else "",
        print_of(pk),
        is_signed(pk, data),
    )


def _body(data: bytes) -> Body | None:
    try:
        return parse_body(unpack(data).body)
    except Fault:
        return None


def _terms(body: Body | None) -> Terms | None:
    """The terms that an offer states."""
    if body is None or not body.ops or body.ops[0][0] != "terms" or len(body.ops[0]) != 2:
        return None
    try:
        return parse_terms(body.ops[0][1])
    except Fault:
        return None


def _claimed_key(log: Log, terms: Terms | None, body: Body | None) -> bytes | None:
    """The identity key of the seat that a file gives as its author."""
    if body is None or terms is None or body.author >= len(terms.seats):
        return None
    keys = log.identities or list(terms.pk)
    return keys[body.author]


def is_signed(pk: bytes | None, data: bytes) -> bool:
    if pk is None:
        return False
    try:
        parts = unpack(data)
        verify_signature(pk, parts.signature, parts.message)
    except Fault:
        return False
    return True


def _say(op: list[Any]) -> str:
    """An op in a few words: its name, and the line of a decision."""
    name = short(op[0])
    words = op[1] if len(op) > 1 else None
    if isinstance(words, bytes) and name in ("do", "end"):
        with suppress(Fault):
            words = decode(words)
    return f'{name} "{short(words)}"' if isinstance(words, str) else name


def short(value: Any) -> str:
    """A text from a file as it may be shown."""
    return printable(value, LONGEST_SAYING) if isinstance(value, str) else ""


def name_of(terms: Terms | None, seat: int) -> str:
    """The name that the terms give a seat; names are what players call themselves, and prove nothing."""
    names = terms.extra.get("names") if terms is not None else None
    if isinstance(names, list) and seat < len(names):
        return short(names[seat])
    return f"seat {seat}"


def print_of(pk: bytes | None) -> str:
    return fingerprint(pk) if pk is not None else ""
