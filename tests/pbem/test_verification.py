"""Verdicts on whole games: what is said of good ones, and exactly what is wrong with the others."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, cast

import pytest

from pbem.canon import decode, encode
from pbem.container import frame_file, unpack
from pbem.draft import write_answer
from pbem.errors import Fault
from pbem.gathering import Heap, gather, sort_games
from pbem.identity import Identity, fingerprint
from pbem.library import scenario_text
from pbem.log import parse_body
from pbem.ruleset import build_terms
from pbem.verdict import Verdict
from pbem.verification import judge, verify_files, verify_paths
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, byte_source
from tests.shortgame import (
    another,
    author_of,
    id_of,
    instant_beginning,
    resignation,
    short_game,
    sign_again,
    unlawful,
    with_op,
)

MALLORY = Identity(b"M" * 32)
ALICE_PRINT, BOB_PRINT = fingerprint(ALICE.pk), fingerprint(BOB.pk)


def put(folder: Path, *files: bytes, name: str = "turn") -> Path:
    """Files in a folder, numbered in this order."""
    folder.mkdir(exist_ok=True)
    for number, data in enumerate(files):
        (folder / f"{name}{number:03}.m44").write_bytes(data)
    return folder


def verdict_on(*files: bytes, folder: Path, rules: bool = True) -> Verdict:
    """The only verdict on these files."""
    (verdict,), damaged = verify_paths([put(folder, *files)], rules=rules)
    assert damaged == []
    return verdict


def test_a_finished_game_is_described(tmp_path: Path) -> None:
    game = short_game()
    verdict = verdict_on(*game, folder=tmp_path)
    assert (verdict.status, verdict.verified, verdict.clean) == ("verified", True, True)
    assert (verdict.battle, verdict.dice, verdict.retreat) == ("Pegasus Bridge", "sealed", "live")
    assert [(player.name, player.army, player.fingerprint) for player in verdict.players] == [
        ("Alice", "allies", ALICE_PRINT),
        ("Bob", "axis", BOB_PRINT),
    ]
    _, referee = verify_files(list(game))
    assert verdict.result is not None
    assert verdict.result.name == {"allies": "Alice", "axis": "Bob"}[referee.result()["winner"]]
    assert list(verdict.result.medals or ()) == referee.result()["medals"]
    assert (verdict.result.reason, verdict.result.signed_by_both) == ("medals", True)
    assert (verdict.turns, verdict.files, verdict.next) == (referee.now.turn, len(game), "")
    assert verdict.game == parse_body(unpack(game[-1]).body).game.hex()


def test_without_rules_the_result_is_only_what_the_last_file_says(tmp_path: Path) -> None:
    verdict = verdict_on(*short_game(), folder=tmp_path, rules=False)
    assert (verdict.status, verdict.rules_checked, verdict.turns) == ("verified", False, None)
    assert verdict.result is not None
    assert verdict.result.reason == "medals"


@pytest.mark.parametrize(("count", "next_player"), [(1, "Bob"), (2, "Alice"), (3, "Bob"), (8, "Alice")])
def test_an_unfinished_game_names_the_player_to_move(count: int, next_player: str, tmp_path: Path) -> None:
    verdict = verdict_on(*short_game()[:count], folder=tmp_path)
    assert (verdict.status, verdict.result, verdict.files) == ("verified", None, count)
    assert verdict.next == next_player


def test_a_decided_game_that_was_not_confirmed_says_so(tmp_path: Path) -> None:
    verdict = verdict_on(*short_game()[:-1], folder=tmp_path)
    assert verdict.result is not None
    assert (verdict.verified, verdict.result.signed_by_both) == (True, False)
    assert verdict.next == {ALICE: "Alice", BOB: "Bob"}[author_of(len(short_game()) - 1)]


def test_a_resignation_is_a_result(tmp_path: Path) -> None:
    verdict = verdict_on(*short_game()[:5], resignation(5), folder=tmp_path)
    assert verdict.result is not None
    winner = "Bob" if author_of(5) is ALICE else "Alice"
    assert (verdict.result.name, verdict.result.reason) == (winner, "resigns")
    assert (verdict.result.signed_by_both, verdict.next) == (False, "")


def test_an_instant_game_is_described(tmp_path: Path) -> None:
    verdict = verdict_on(*instant_beginning(), folder=tmp_path)
    assert (verdict.status, verdict.dice, verdict.retreat) == ("verified", "instant", "stand")


def test_files_that_come_twice_are_counted_and_do_no_harm(tmp_path: Path) -> None:
    game = short_game()[:4]
    verdict = verdict_on(*game, *game, game[2], folder=tmp_path)
    assert (verdict.clean, verdict.files, verdict.repeated) == (True, 4, 5)


def test_two_games_are_kept_apart(tmp_path: Path) -> None:
    put(tmp_path, *short_game()[:3], *instant_beginning()[:3])
    verdicts, _ = verify_paths([tmp_path])
    assert [(verdict.dice, verdict.files) for verdict in verdicts] == [("sealed", 3), ("instant", 3)]


# What is wrong


def test_a_broken_rule_is_pinned_to_file_entry_rule_and_person(tmp_path: Path) -> None:
    game = short_game()
    bad = unlawful(6)
    verdict = verdict_on(*game[:6], bad, folder=tmp_path)
    (problem,) = verdict.problems
    ops = parse_body(unpack(bad).body).ops
    assert (verdict.status, verdict.files, verdict.result) == ("wrong", 6, None)
    assert (problem.file, problem.entry, problem.said) == (6, len(ops) - 1, 'do "hold"')
    assert (problem.code, problem.rule) == ("E_RULE", "R28")
    assert problem.chain == parse_body(unpack(game[6]).body).chain.hex()  # the honest file ended there
    name = "Alice" if author_of(6) is ALICE else "Bob"
    assert (problem.name, problem.signed) == (name, True)
    assert problem.fingerprint == fingerprint(author_of(6).pk)


def test_without_rules_a_broken_rule_is_not_seen(tmp_path: Path) -> None:
    verdict = verdict_on(*short_game()[:6], unlawful(6), folder=tmp_path, rules=False)
    assert (verdict.status, verdict.files) == ("verified", 7)


def test_a_file_signed_by_a_stranger_accuses_nobody(tmp_path: Path) -> None:
    game = short_game()
    forged = sign_again(game[4], MALLORY, lambda value: None)
    verdict = verdict_on(*game[:4], forged, folder=tmp_path)
    assert (verdict.status, verdict.clean, verdict.files, verdict.unchecked) == ("verified", False, 4, 0)
    assert [(stray.code, stray.file, stray.signed) for stray in verdict.strays] == [("E_SIG", 4, False)]


def spoil_signature(data: bytes) -> bytes:
    """The same file with one bit of its signature changed."""
    return data[:-1] + bytes((data[-1] ^ 1,))


def unsigned(data: bytes, **fields: object) -> bytes:
    """A file that anybody can make out of another one: fields changed, the signature empty."""
    value = {**cast("dict[str, Any]", decode(unpack(data).body)), **fields}
    return frame_file(zlib.compress(encode(value)), bytes(64))


@pytest.mark.parametrize(("number", "count"), [(99, 4), (3, 4), (4, 4), (99, 18)])
def test_a_file_that_anybody_can_make_says_nothing_against_the_game(
    number: int, count: int, tmp_path: Path
) -> None:
    """It names the game, a place and a predecessor that is not there, and nobody has signed it."""
    game = short_game()
    junk = unsigned(game[3], n=number, p=b"\1" * 32)
    verdict = verdict_on(*game[:count], junk, folder=tmp_path)
    assert (verdict.status, verdict.clean, verdict.files) == ("verified", False, count)
    assert (verdict.missing, verdict.unchecked, verdict.problems) == ([], 0, [])
    (stray,) = verdict.strays
    assert (stray.file, stray.code, stray.signed) == (number, "E_SIG", False)
    assert (stray.name, stray.where) == ("Bob", f"{tmp_path}/turn{count:03}.m44")


def test_a_file_after_the_end_does_not_make_a_game_incomplete(tmp_path: Path) -> None:
    """Whoever has lost could sign one, to spoil the result."""
    game = short_game()

    def later(value: dict[str, object]) -> None:
        value["n"], value["p"] = 40, b"?" * 32

    verdict = verdict_on(*game, sign_again(game[-2], author_of(len(game) - 2), later), folder=tmp_path)
    assert (verdict.status, verdict.missing, verdict.unchecked) == ("verified", [], 1)
    assert [(stray.file, stray.code) for stray in verdict.strays] == [(40, "E_PREV")]


def test_a_file_whose_signature_was_damaged_is_missing_for_those_that_follow(tmp_path: Path) -> None:
    game = short_game()
    verdict = verdict_on(*game[:4], spoil_signature(game[4]), *game[5:8], folder=tmp_path)
    assert (verdict.status, verdict.files, verdict.missing, verdict.unchecked) == ("incomplete", 4, [4], 3)
    assert [(stray.file, stray.code, stray.signed) for stray in verdict.strays] == [(4, "E_SIG", False)]


def test_a_stranger_cannot_hide_a_gap(tmp_path: Path) -> None:
    """A piece is not given to whoever names its game first: here a forged answer to another offer."""
    game, other = short_game(), instant_beginning()
    lure = unsigned(game[3], n=1, p=bytes.fromhex(id_of(other[0])))
    verdicts, _ = verify_paths([put(tmp_path, other[0], lure, *game[:4], *game[6:9])])
    assert [(verdict.dice, verdict.status, verdict.files) for verdict in verdicts] == [
        ("instant", "verified", 1),
        ("sealed", "incomplete", 4),
    ]
    assert (verdicts[1].missing, verdicts[1].unchecked, verdicts[1].strays) == ([4, 5], 3, [])
    assert sorted((stray.file, stray.code, stray.signed) for stray in verdicts[0].strays) == [
        (1, "E_ORDER", False),
        (6, "E_GAME", False),
        (7, "E_GAME", False),
        (8, "E_GAME", False),
    ]


def test_a_spoilt_copy_beside_a_good_one_is_a_stray(tmp_path: Path) -> None:
    """The same body with another signature is the same file; the game stands, the copy is named."""
    game = short_game()
    parts = unpack(game[3])
    spoilt = frame_file(parts.payload, parts.signature[:-1] + bytes((parts.signature[-1] ^ 1,)))
    for order in ((spoilt, game[3]), (game[3], spoilt)):
        verdict = verdict_on(*game[:3], *order, folder=tmp_path)
        assert (verdict.verified, verdict.clean, verdict.files) == (True, False, 4)
        assert [(stray.file, stray.code) for stray in verdict.strays] == [(3, "E_SIG")]


def test_a_corrected_file_is_no_fork(tmp_path: Path) -> None:
    """Part 13 of the protocol: of two files one does not verify, so nothing is proved."""
    verdict = verdict_on(*short_game()[:8], unlawful(6), folder=tmp_path)
    assert (verdict.status, verdict.files, verdict.forks) == ("verified", 8, [])
    assert [(stray.file, stray.code, stray.signed) for stray in verdict.strays] == [(6, "E_RULE", True)]


def test_what_follows_a_bad_file_is_counted(tmp_path: Path) -> None:
    """A file can only name a bad one as its predecessor; it is not looked at."""
    game = short_game()
    bad = unlawful(6)

    def follow(value: dict[str, object]) -> None:
        value["p"] = bytes.fromhex(id_of(bad))

    verdict = verdict_on(*game[:6], bad, sign_again(game[7], author_of(7), follow), folder=tmp_path)
    assert (verdict.status, verdict.files, verdict.unchecked) == ("wrong", 6, 1)


def test_missing_files_are_named(tmp_path: Path) -> None:
    game = short_game()
    verdict = verdict_on(*game[:4], *game[6:9], folder=tmp_path)
    assert (verdict.status, verdict.files, verdict.missing, verdict.unchecked) == ("incomplete", 4, [4, 5], 3)
    assert [Path(where).parent for where in verdict.waiting] == [Path(verdict.where)] * 3


def test_a_number_beyond_all_games_names_no_thousands_of_files(tmp_path: Path) -> None:
    """Anybody can write any number into a file."""
    verdict = verdict_on(unsigned(short_game()[3], n=2**40, p=b"?" * 32), folder=tmp_path)
    assert (verdict.status, verdict.missing, verdict.unchecked) == ("incomplete", [2**40 - 1], 1)


def test_files_without_their_offer_are_incomplete(tmp_path: Path) -> None:
    verdict = verdict_on(*short_game()[3:6], folder=tmp_path)
    assert (verdict.status, verdict.missing, verdict.unchecked, verdict.players) == (
        "incomplete",
        [0, 1, 2],
        3,
        (),
    )


def test_a_file_of_another_version_of_the_game_is_a_stray(tmp_path: Path) -> None:
    game = short_game()

    def astray(value: dict[str, object]) -> None:
        value["p"] = b"?" * 32

    verdict = verdict_on(*game[:8], sign_again(game[5], author_of(5), astray), folder=tmp_path)
    assert (verdict.status, verdict.clean, verdict.unchecked) == ("verified", False, 1)
    assert [(stray.file, stray.code) for stray in verdict.strays] == [(5, "E_PREV")]


def test_a_bad_offer_leaves_nothing_to_describe(tmp_path: Path) -> None:
    bad = sign_again(short_game()[0], ALICE, with_op(["say", ""]))
    verdict = verdict_on(bad, folder=tmp_path)
    (problem,) = verdict.problems
    assert (verdict.status, verdict.players, verdict.files) == ("wrong", (), 0)
    assert (problem.file, problem.name, problem.signed, problem.said) == (0, "Alice", True, 'say ""')


def test_a_game_by_other_rules_says_what_can_be_done(tmp_path: Path) -> None:
    def newer(value: dict[str, object]) -> None:
        value["o"][0][1]["rules"] = "memoir44/99"  # type: ignore[index]

    bad = sign_again(short_game()[0], ALICE, newer)
    verdict = verdict_on(bad, folder=tmp_path)
    assert [problem.code for problem in verdict.problems] == ["E_GAME"]  # the id names the rules as well


def test_a_fork_is_found_whichever_branch_goes_on(tmp_path: Path) -> None:
    game = short_game()
    twin = another(6)
    verdict = verdict_on(twin, *game[:9], folder=tmp_path)
    (fork,) = verdict.forks
    assert (verdict.status, verdict.files, verdict.problems) == ("fork", 9, [])
    assert (fork.file, fork.fingerprint) == (6, fingerprint(author_of(6).pk))
    assert set(fork.ids) == {id_of(twin), id_of(game[6])}


def test_two_people_who_answer_an_open_offer_play_two_games(tmp_path: Path) -> None:
    source = byte_source(1)
    terms = build_terms(
        scenario_text("pegasus-bridge"), army="axis", pk=ALICE.pk, opponent=None, names=("Alice", "anybody")
    )
    offer = write_offer(terms, ALICE, source)
    log, referee = verify_files([offer])
    answers = [write_answer(log, referee, identity, source) for identity in (BOB, MALLORY)]
    verdicts, _ = verify_paths([put(tmp_path, offer, *answers)])
    assert [(verdict.status, verdict.files, verdict.forks) for verdict in verdicts] == [
        ("verified", 2, [])
    ] * 2
    assert {verdict.players[1].fingerprint for verdict in verdicts} == {BOB_PRINT, fingerprint(MALLORY.pk)}
    assert verdicts[0].game != verdicts[1].game
    (open_offer,), _ = verify_paths([put(tmp_path / "offer", offer)])
    assert (open_offer.players[1].fingerprint, open_offer.next) == ("", "anybody")


def test_verify_files_raises_at_the_first_fault() -> None:
    with pytest.raises(Fault) as caught:
        verify_files([*short_game()[:6], unlawful(6), short_game()[7]])
    assert (caught.value.code, caught.value.file, caught.value.rule) == ("E_RULE", 6, "R28")


def test_files_that_vanish_while_being_read_are_no_crash(tmp_path: Path) -> None:
    heap: Heap = gather([put(tmp_path, *short_game()[:2])])
    (case,) = sort_games(heap.files)
    (tmp_path / "turn001.m44").unlink()
    (verdict,) = judge(case)
    assert [(problem.code, problem.file) for problem in verdict.problems] == [("E_SIZE", 1)]
