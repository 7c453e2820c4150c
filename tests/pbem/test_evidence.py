"""Forks: two signed files for one place are proof against their author, and nothing else is."""

from __future__ import annotations

import zlib
from functools import cache
from typing import Any

import pytest

from pbem.canon import decode, encode
from pbem.container import SIGNING, file_id, frame_file, signed_hash, unpack
from pbem.draft import Choice, Draft, Wishes, write_answer
from pbem.errors import Fault, PbemError, Refused
from pbem.evidence import check_certificate, find_fork, make_certificate
from pbem.identity import Identity
from pbem.log import Log
from pbem.referee import Referee
from tests.mailgame import ALICE, BOB, Played, byte_source, play_game
from tests.pbem.forge import PEOPLE, Stage, next_file, open_file, reforge, set_up, small, small_terms, teams

PLAYED: Played = play_game("pegasus-bridge", seed=3, most=9)
FILES = PLAYED.files
PLACE = 7


@cache
def replayed(count: int) -> tuple[Log, Referee]:
    """The verifier and the game after so many files."""
    log, referee = Log(), Referee()
    for data in FILES[:count]:
        log, entry = log.check(data)
        referee = referee.read(entry)
    return log, referee


def author_of(number: int) -> Identity:
    """Who wrote a file."""
    return (ALICE, BOB)[open_file(FILES[number])["a"]]


@cache
def other_version(number: int = PLACE) -> bytes:
    """Another good file for a place: its author resigns instead."""
    log, referee = replayed(number)
    desk = PLAYED.parties[open_file(FILES[number])["a"]].desk
    desk.log, desk.referee, desk._secret = log, referee, None
    return Draft(desk, (Choice("end", "resigns"),)).seal(Wishes(), byte_source(7))


def signed_again(data: bytes, author: Identity) -> bytes:
    """The same body, compressed otherwise and signed again."""
    payload = zlib.compress(unpack(data).body, 1)
    return frame_file(payload, author.sign(SIGNING + signed_hash(payload)))


def test_a_fork_is_found_from_public_data() -> None:
    log, referee = replayed(PLACE)
    second = other_version()
    fork = find_fork(log, FILES[PLACE], second, referee=referee)
    assert fork == find_fork(log, second, FILES[PLACE], referee=referee)
    assert (fork.number, fork.seat, fork.author) == (PLACE, open_file(second)["a"], author_of(PLACE).pk)
    assert fork.game == log.game
    assert set(fork.ids) == {file_id(unpack(data).body) for data in (FILES[PLACE], second)}
    assert fork.ids == tuple(sorted(fork.ids))


def test_the_first_action_that_differs_is_named() -> None:
    """Part 13: the quarrel is about one action."""
    stage = small()
    versions = []
    for text in ("advance", "retreat"):
        forger = stage.forger(3)
        forger.pay()
        forger.say("do", "wait")
        forger.say("do", text)
        versions.append(stage.sealed(forger))
    fork = find_fork(stage.logs[3], *versions)
    paid = len(open_file(versions[0])["o"]) - 2
    assert fork.action == paid + 1
    assert fork.chain == stage.logs[3].check(versions[0])[1].actions[fork.action].chain


def test_other_sheets_differ_before_the_first_action() -> None:
    stage = small()
    versions = [
        next_file(stage.logs[5], 1, PEOPLE[1]),
        next_file(stage.logs[5], 1, PEOPLE[1], sheet=bytes(31) + b"\1"),
    ]
    for forger in versions:
        forger.pay()
    fork = find_fork(stage.logs[5], *(stage.sealed(forger) for forger in versions))
    assert (fork.action, fork.chain) == (-1, b"")


def test_the_same_body_compressed_or_signed_again_is_no_fork() -> None:
    log, referee = replayed(PLACE)
    again = signed_again(FILES[PLACE], author_of(PLACE))
    assert again != FILES[PLACE]
    log.check(again)
    for second in (again, FILES[PLACE]):
        with pytest.raises(Refused, match="same content"):
            find_fork(log, FILES[PLACE], second, referee=referee)


@pytest.mark.parametrize("number", [PLACE - 1, PLACE + 1])
def test_a_file_for_another_place_is_no_fork(number: int) -> None:
    log, referee = replayed(PLACE)
    with pytest.raises(Fault, match="E_SEQ"):
        find_fork(log, FILES[PLACE], FILES[number], referee=referee)


def test_a_broken_file_may_be_replaced() -> None:
    """Duty 2 of part 12: what does not verify is not part of the game."""
    log, referee = replayed(PLACE)
    author = author_of(PLACE)
    broken = reforge(FILES[PLACE], author, lambda body: body.update(d=bytes(32)))
    with pytest.raises(Fault, match="E_STATE"):
        find_fork(log, FILES[PLACE], broken, referee=referee)
    against_rules = reforge(FILES[PLACE], author, lambda body: body.update(e=bytes(32)))
    find_fork(log, FILES[PLACE], against_rules)  # without the rules it cannot be told
    with pytest.raises(Fault, match="E_STATE"):
        find_fork(log, FILES[PLACE], against_rules, referee=referee)


def test_nobody_can_make_a_fork_for_another() -> None:
    log, referee = replayed(PLACE)
    foreign = reforge(other_version(), PEOPLE[3], lambda body: None)
    with pytest.raises(Fault, match="E_SIG"):
        find_fork(log, FILES[PLACE], foreign, referee=referee)


def test_files_of_two_authors_are_no_fork() -> None:
    """In a team two mates may both write the next file; that is a quarrel, but nobody's lie."""
    stage = teams()
    versions = []
    for seat in (0, 2):
        forger = next_file(stage.logs[6], seat, PEOPLE[seat])
        versions.append(stage.sealed(forger))
    with pytest.raises(Refused, match="different authors"):
        find_fork(stage.logs[6], *versions)


def test_two_offers_are_two_games() -> None:
    other = set_up(small_terms(extra={"other": 1}), PEOPLE[:2])
    with pytest.raises(Refused, match="two games"):
        find_fork(Log(), small().files[0], other.files[0])


def test_two_answers_to_one_offer_are_a_fork() -> None:
    """Part 6.3: an offer is good for one answer, and both name the offer as their predecessor."""
    log, referee = replayed(1)
    second = write_answer(log, referee, BOB, byte_source(8))
    fork = find_fork(log, FILES[1], second, referee=referee)
    assert (fork.number, fork.seat, fork.author) == (1, 1, BOB.pk)
    assert fork.game == log.previous


@pytest.mark.parametrize("whole", [True, False])
def test_a_certificate_travels(whole: bool) -> None:
    second = other_version()
    data = make_certificate(FILES[:PLACE], FILES[PLACE], second, whole=whole)
    assert data == make_certificate(FILES[:PLACE], second, FILES[PLACE], whole=whole)
    known = () if whole else FILES
    fork = check_certificate(data, known)
    assert fork.author == author_of(PLACE).pk
    log, referee = replayed(PLACE)
    assert fork == find_fork(log, FILES[PLACE], second, referee=referee)
    assert (len(data) < 5000) is not whole


def test_a_small_certificate_needs_the_files() -> None:
    data = make_certificate(FILES[:PLACE], FILES[PLACE], other_version(), whole=False)
    with pytest.raises(Refused, match="not here"):
        check_certificate(data)
    with pytest.raises(Refused, match="not here"):
        check_certificate(data, FILES[: PLACE - 1])


@cache
def bad_certificates() -> dict[str, bytes]:
    """Certificates that prove nothing."""
    second = other_version()
    good: dict[str, Any] = decode(make_certificate(FILES[:PLACE], FILES[PLACE], second))  # type: ignore[assignment]
    return {
        "not canonical": encode(good) + b"\0",
        "another kind": encode({**good, "kind": "proof"}),
        "a field more": encode({**good, "more": 1}),
        "no log": encode({**good, "files": []}),
        "a text for a file": encode({**good, "first": "file"}),
        "twice the same": encode({**good, "second": good["first"]}),
        "exchanged": encode({**good, "first": good["second"], "second": good["first"]}),
        "a file left out": encode({**good, "files": good["files"][:-1]}),
        "a file of the log damaged": encode({**good, "files": [good["files"][0][:-1], *good["files"][1:]]}),
        "an unknown id": encode({**good, "files": [bytes(32), *good["files"][1:]]}),
        "a version damaged": encode({**good, "second": good["second"][:-1] + b"\0"}),
        "too large": encode({**good, "second": bytes(300_000)}),
        "no map": encode([1]),
    }


@pytest.mark.parametrize("name", bad_certificates())
def test_a_certificate_that_proves_nothing(name: str) -> None:
    with pytest.raises(PbemError):
        check_certificate(bad_certificates()[name])


def test_no_certificate_of_what_is_no_fork() -> None:
    with pytest.raises(Refused):
        make_certificate(FILES[:PLACE], FILES[PLACE], FILES[PLACE])
    stage: Stage = small()
    with pytest.raises(Fault, match="E_RULE"):  # a game of other rules cannot be checked completely
        make_certificate(stage.files[:3], stage.files[3], stage.files[3][:-1] + b"\0")
