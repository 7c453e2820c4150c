"""Nonces and secrets under a broken source of random bytes: whole games with constant bytes.

A nonce that is used for two statements gives the game key away: c and s of both proofs are two equations with
two unknowns. So here everything random is zeros, and still no two proofs of all the files share a commitment,
a challenge or a response, and no two games share a secret.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

from pbem.draft import Desk, Draft, write_answer
from pbem.gamekeys import game_secret
from pbem.group import ORDER
from pbem.library import scenario_text
from pbem.log import Log
from pbem.referee import Referee
from pbem.ruleset import build_terms
from pbem.writer import _fresh_secret, own_secret, write_offer
from tests.mailgame import ALICE, BOB, decide, wishes_of
from tests.pbem.forge import open_file

PEOPLE = (ALICE, BOB)


def zeros(size: int) -> bytes:
    """A random source that has broken down."""
    return bytes(size)


@cache
def files(battle: str, most: int = 24) -> tuple[bytes, ...]:
    """The files of a game in which nothing is random but the decisions."""
    terms = build_terms(
        scenario_text(battle), army="allies", pk=ALICE.pk, opponent=BOB.pk, names=("Alice", "Bob")
    )
    made = [write_offer(terms, ALICE, zeros)]
    log, entry = Log().check(made[0])
    referee = Referee().read(entry)
    made.append(write_answer(log, referee, BOB, zeros))
    luck = random.Random(5)
    while True:
        log, entry = log.check(made[-1])
        referee = referee.read(entry)
        if log.ended or log.count >= most:
            return tuple(made)
        seat = 1 - entry.seat
        draft = Draft(Desk(log, referee, PEOPLE[seat], seat))
        decide(draft, luck)
        made.append(draft.seal(wishes_of(draft, luck), zeros))


def proofs(made: tuple[bytes, ...]) -> Iterator[bytes]:
    """All proofs of some files."""
    for data in made:
        for op in open_file(data)["o"]:
            if op[0] in ("key", "switch", "shuffle", "reshuffle", "share", "show", "mix"):
                yield op[-1]


def numbers_of(proof: bytes) -> list[bytes]:
    """Challenge and responses of a proof."""
    points = 0 if len(proof) == 64 else 66 * ((len(proof) - 160) // 130)
    return [proof[place : place + 32] for place in range(points, len(proof), 32)]


def test_no_two_proofs_share_a_number_or_a_point() -> None:
    """Part 5, hedged nonces: no challenge, response or commitment occurs twice in a whole game."""
    made = files("pegasus-bridge")
    found = list(proofs(made))
    assert len(found) > 50
    numbers = [number for proof in found for number in numbers_of(proof)]
    assert len(numbers) == len(set(numbers))
    points = [
        proof[place : place + 33]
        for proof in found
        if len(proof) != 64
        for place in range(0, 66 * ((len(proof) - 160) // 130), 33)
    ]
    assert len(points) == len(set(points))
    assert len(points) > 400


def test_no_commitment_of_a_share_occurs_twice() -> None:
    """The commitments are not in the file: A = s·G − c·X, for every share, show, switch and key of a side."""
    made = files("pegasus-bridge")
    log = Log()
    for data in made:
        log, _ = log.check(data)
    for seat in (0, 1):
        secret = own_secret(log, PEOPLE[seat], seat)
        nonces = []
        for data in made:
            body = open_file(data)
            if body["a"] != seat:
                continue
            for op in body["o"]:
                if op[0] in ("key", "switch", "share", "show"):
                    c, s = (int.from_bytes(part, "big") for part in numbers_of(op[-1]))
                    nonces.append((s - c * secret.key) % ORDER)
        assert len(nonces) > 10
        assert len(set(nonces)) == len(nonces)


def test_the_attack_works_where_a_nonce_repeats() -> None:
    """What the test above prevents: two proofs with one nonce give the secret key."""
    key, nonce = 123456789, 987654321
    (c1, s1), (c2, s2) = ((c, (nonce + c * key) % ORDER) for c in (17, 23))
    assert (s1 - s2) * pow(c1 - c2, -1, ORDER) % ORDER == key


def test_two_people_with_the_same_broken_source_have_different_secrets() -> None:
    """Each salt is hedged with the person's master secret."""
    first, second = (_fresh_secret(person, b"terms", zeros) for person in PEOPLE)
    assert first[0] != second[0]
    assert first[1].sigma != second[1].sigma


def test_one_person_repeats_a_secret_only_with_the_salt() -> None:
    """Two games of one identity: the public salt decides, and it differs with the terms or the source."""
    same, again = (_fresh_secret(ALICE, b"terms", zeros) for _ in range(2))
    assert (same[0], same[1].sigma) == (again[0], again[1].sigma)
    for other in (
        _fresh_secret(ALICE, b"other terms", zeros),
        _fresh_secret(ALICE, b"terms", lambda size: b"\1" * size),
    ):
        assert other[0] != same[0]
        assert other[1].sigma != same[1].sigma
    assert game_secret(ALICE.master, same[0], ALICE.pk).sigma == same[1].sigma


def test_two_games_with_the_same_broken_source_share_nothing() -> None:
    """Neither salts, keys, anchors nor proofs."""
    one, two = files("pegasus-bridge"), files("vassieux", 6)
    for number in (0, 1):
        first, second = (open_file(made[number]) for made in (one, two))
        assert first["s"] != second["s"]
        assert first["o"][1 - number][2:4] != second["o"][1 - number][2:4]
    numbers = [{number for proof in proofs(made) for number in numbers_of(proof)} for made in (one, two)]
    assert not numbers[0] & numbers[1]


def test_notes_do_not_repeat_their_pad() -> None:
    """A constant nonce of a note still meets another file number, so another key and pad."""
    made = files("pegasus-bridge")
    notes = [op[1] for data in made for op in open_file(data)["o"] if op[0] == "note"]
    assert len(notes) > 10
    assert {note[:16] for note in notes} == {bytes(16)}
    covered = [note[32:] for note in notes]
    assert len(set(covered)) == len(covered)
    assert len({note[16:32] for note in notes}) == len(notes)
