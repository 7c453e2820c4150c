"""`pbem verify`: anybody checks files, folders and archives, with no keys and no home folder."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click

from pbem import files
from pbem.archive import printable
from pbem.claim import claim_lines, judge_claim
from pbem.cli import complain
from pbem.cli.desk import ANY_PATH, write_out
from pbem.cli.screen import say, say_json, screen
from pbem.errors import Refused, StoreError
from pbem.gathering import UNREADABLE, Case, Heap, Oddity, gather, sort_games
from pbem.verdict import CertificateVerdict, ClaimVerdict, Forked, Player, Problem, Result, Verdict
from pbem.verification import certify, judge, judge_certificate

INDENT = 12
NARROW = 60  # columns of a terminal in which less is indented
ENDING = ".cert"
MOST_NAMED = 10  # other files that are listed by name
MOST_WAITING = 3  # files behind a gap that are listed by name
RETREATS = {
    "live": "retreats decided live",
    "sheet": "retreats by sealed sheet",
    "strict": "retreats decided before further dice",
    "stand": "retreats by standing orders",
}
REASONS = {
    "medals": "by medals",
    "sudden-death": "by reaching a decisive objective",
    "elimination": "by eliminating the other army",
    "deck-exhausted": "because the deck has run out",
    "resigns": "because the other side has given up",
}


@click.command()
@click.argument("paths", nargs=-1, required=True, type=ANY_PATH, metavar="PATH...")
@click.option("--without-rules", is_flag=True, help="Check everything but the rules of the game.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes at work [default: one a core].")
@click.option("--save-fork", metavar="DIR", type=click.Path(path_type=Path), help="Keep proof of forks here.")
@click.option("--brief", is_flag=True, help="One line a game, and what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with stable keys.")
def verify(
    paths: tuple[Path, ...],
    without_rules: bool,
    jobs: int | None,
    save_fork: Path | None,
    brief: bool,
    as_json: bool,
) -> int:
    """Check turn files, folders, archives, mails, fork certificates and claims completely.

    Needs nothing but the files. Files are put together into games by themselves; others are named and left
    alone. Exit status: 0 everything is verified, 3 something is not, 1 a path cannot be read or there was
    nothing to verify.
    """
    if without_rules and save_fork is not None:
        raise click.UsageError("a fork is proved by files that keep the rules; leave out --without-rules")
    heap = gather(list(paths))
    cases = sort_games(heap.files)
    if not (cases or heap.certificates or heap.claims or heap.damaged):
        raise Refused("there are no turn files here", hint="name turn files, folders or archives of a game")
    verdicts = []
    with _progress(len(cases)) as advance:
        for found in _examine_all(cases, jobs or _cores(), rules=not without_rules):
            advance()
            verdicts += found
    certificates = [judge_certificate(paper, heap) for paper in heap.certificates]
    claims = [judge_claim(paper, verdicts, at=files.now()) for paper in heap.claims]
    saved, unsaved = _save_forks(verdicts, save_fork)
    if as_json:
        say_json(_as_json(verdicts, certificates, claims, heap, saved))
    else:
        for verdict in verdicts:
            _show(verdict, brief=brief)
        _show_certificates(certificates)
        _show_claims(claims, brief=brief)
        _show_rest(verdicts, heap, saved)
    if unsaved is not None:
        complain(unsaved.message, unsaved.hint, 0)
    return _status(verdicts, [*certificates, *claims], heap.damaged)


def _status(
    verdicts: list[Verdict], papers: list[CertificateVerdict | ClaimVerdict], damaged: list[Oddity]
) -> int:
    """The exit status: 3 if something is not good, else 1 if something cannot be read, else 0."""
    good = all(verdict.clean for verdict in verdicts) and all(paper.valid for paper in papers)
    if not good or any(oddity.code != UNREADABLE for oddity in damaged):
        return 3
    return 1 if damaged else 0


def _cores() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def _progress(count: int) -> Iterator[Callable[[], object]]:
    """Yields a function that says that one more game is done; draws on a terminal only."""
    if count < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    with click.progressbar(length=count, label="verifying", file=sys.stderr) as bar:
        yield partial(bar.update, 1)


# Working


def examine(case: Case, *, rules: bool) -> list[Verdict]:
    """The verdicts on a case; a fault of this very program becomes a problem of that case and no other's."""
    try:
        return judge(case, rules=rules)
    except Exception as problem:
        node = next(iter(case.nodes.values()))
        message = f"this program cannot check the game: {type(problem).__name__} {problem}"[:200]
        report = Problem(str(node.copies[0]), node.number, "internal", message)
        return [Verdict(node.game.hex(), problems=[report], unchecked=len(case.nodes))]


def _examine_all(cases: list[Case], jobs: int, *, rules: bool) -> Iterator[list[Verdict]]:
    """The verdicts of all cases in their order, from several processes if that helps."""
    work = partial(examine, rules=rules)
    workers = min(jobs, len(cases))
    if workers < 2:
        yield from map(work, cases)
        return
    # Only where they are wanted: loading them takes longer than a good part of a game.
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import active_children

    with ProcessPoolExecutor(workers) as pool:
        try:
            yield from pool.map(work, cases)
        except BrokenProcessPool as problem:
            raise Refused(
                "a process was stopped from outside before it was done", hint='try again with "--jobs 1"'
            ) from problem
        except BaseException:
            for process in active_children():  # nobody waits for what they were doing
                process.terminate()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _save_forks(verdicts: list[Verdict], folder: Path | None) -> tuple[dict[str, str], Refused | None]:
    """Write the certificates of all forks: their paths by the id of the second file; what prevented it."""
    saved: dict[str, str] = {}
    try:
        for verdict in verdicts if folder is not None else ():
            for fork in verdict.forks:
                assert folder is not None
                path = folder / f"fork-{verdict.game[:8]}-{fork.file:04}-{fork.ids[1][:8]}{ENDING}"
                _make_folder(folder)
                write_out(path, certify(fork), option="--save-fork")
                saved[fork.ids[1]] = str(path)
    except Refused as problem:  # the verdicts are worth more than their copies
        return saved, problem
    return saved, None


def _make_folder(folder: Path) -> None:
    try:
        files.make_folder(folder)
    except StoreError as problem:
        raise Refused(problem.message, hint="choose another place with --save-fork") from problem


# Saying


def _as_json(
    verdicts: list[Verdict],
    certificates: list[CertificateVerdict],
    claims: list[ClaimVerdict],
    heap: Heap,
    saved: dict[str, str],
) -> dict[str, Any]:
    games = [verdict.as_json() for verdict in verdicts]
    for game in games:
        for fork in game["forks"]:
            fork["certificate"] = saved.get(fork["ids"][1])
    return {
        "games": games,
        "certificates": [certificate._asdict() for certificate in certificates],
        "claims": [claim._asdict() for claim in claims],
        "damaged": [oddity._asdict() for oddity in heap.damaged],
        "others": [oddity._asdict() for oddity in heap.others],
        "summary": {
            "games": len(verdicts),
            "verified": sum(verdict.verified for verdict in verdicts),
            "files": len(heap.files),
        },
    }


def _show(verdict: Verdict, *, brief: bool) -> None:
    word = verdict.status if verdict.verified else verdict.status.upper()
    _tell(word, _headline(verdict) + (f"; {_source(verdict)}" if brief else ""))
    if not brief:
        for line in _details(verdict):
            _tell("", line)
    for line in _complaints(verdict):
        _tell("", line)


def _tell(word: str, text: str) -> None:
    """Print a line behind its word; a terminal gets it in lines of its own width, a pipe whole."""
    width = screen().width
    indent = INDENT if width is None or width >= NARROW else 2
    head = f"{word:{indent}}" if len(word) < indent else f"{word}  "
    line = head + printable(text, len(text))
    if width is not None:
        below = " " * (indent + 2 + len(text) - len(text.lstrip()))
        line = textwrap.fill(
            line, width, subsequent_indent=below, break_long_words=False, break_on_hyphens=False
        )
    say(line)


def _headline(verdict: Verdict) -> str:
    if not verdict.players:
        return f"game {verdict.game[:16]}"
    names = " against ".join(_who(player) for player in verdict.players)
    return f"{verdict.battle or 'unknown battle'}: {names}; {_outcome(verdict)}"


def _source(verdict: Verdict) -> str:
    """Which game of which archive, and how long it was."""
    turns = f"{_count(verdict.turns, 'turn')}; " if verdict.turns is not None else ""
    return turns + " in ".join(text for text in (verdict.key, verdict.where) if text)


def _who(player: Player) -> str:
    name = player.name or "somebody"
    return f"{name} ({player.army})" if player.army else name


def _outcome(verdict: Verdict) -> str:
    if verdict.result is not None:
        return _result(verdict.result, checked=verdict.rules_checked)
    if verdict.files == 1:
        return "offered, not answered yet"
    return f"not finished, {verdict.next} is to move"


def _result(result: Result, *, checked: bool) -> str:
    score = ""
    if result.medals is not None:
        own, other = result.medals if result.winner == "allies" else reversed(result.medals)
        score = f" {own} to {other}"
    reason = REASONS.get(result.reason, f"by {result.reason}" if result.reason else "")
    words = f"{result.name or 'somebody'} wins{score} {reason}".rstrip()
    if not checked:
        return f"{words}, as the last file says"
    if result.reason == "resigns":
        return words
    return (
        f"{words}, signed by both" if result.signed_by_both else f"{words}, not confirmed by the other side"
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _details(verdict: Verdict) -> Iterator[str]:
    if verdict.players:
        turns = f"{_count(verdict.turns, 'turn')} in " if verdict.turns is not None else ""
        yield f"{turns}{_count(verdict.files, 'file')}; {verdict.dice} dice, {RETREATS[verdict.retreat]}"
    if not verdict.rules_checked:
        yield "the rules of the game were not checked"
    if verdict.dice == "instant":
        yield "with instant dice a changed program could have looked ahead, which no file shows"
    if verdict.retreat == "live":
        yield "with live retreats a changed program could have known the dice to come, which no file shows"
    for player in verdict.players:
        yield f"{player.fingerprint or 'nobody yet':37}{_who(player)}"
    if verdict.players:
        yield f"game {verdict.key}, id {verdict.game}" if verdict.key else f"game {verdict.game}"
    if verdict.where:
        yield f"found in {verdict.where}"


def _complaints(verdict: Verdict) -> Iterator[str]:
    for problem in verdict.problems:
        yield from _problem(problem)
    for fork in verdict.forks:
        yield from _fork(fork)
    for first, last in _runs(verdict.missing):
        yield f"file {first} is missing" if first == last else f"files {first} to {last} are missing"
    if verdict.unchecked:
        yield f"files that could not be checked for this: {verdict.unchecked}"
    for where in verdict.waiting[:MOST_WAITING]:
        yield f"  {where}"
    if len(verdict.waiting) > MOST_WAITING:
        yield f"  and {len(verdict.waiting) - MOST_WAITING} more"
    for problem in verdict.strays:
        yield "beside the game lies a file that is no part of it:"
        yield from _problem(problem)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Ascending numbers as runs, each with its first and its last."""
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = runs[-1][0], number
        else:
            runs.append((number, number))
    return runs


def _problem(problem: Problem) -> Iterator[str]:
    place = f"file {problem.file} ({problem.where})"
    if problem.entry is not None:
        place += f", entry {problem.entry}"
        place += f", {problem.said}" if problem.said else ""
    yield place + ":"
    rule = f" (rule {problem.rule})" if problem.rule else ""
    yield f"  {problem.code}{rule}: {problem.message}"
    if problem.chain:
        yield f"  chain value before the entry: {problem.chain}"
    if problem.signed:
        yield f"  signed by {problem.name}, {problem.fingerprint}"
    elif problem.name:
        yield f"  not signed by {problem.name}, so it says nothing about them"


def _fork(fork: Forked) -> Iterator[str]:
    yield f"fork: {fork.name}, {fork.fingerprint}, has signed two different files {fork.file}:"
    for where, identity in zip(fork.where, fork.ids, strict=True):
        yield f"  {identity[:16]}  {where}"


def _show_certificates(certificates: list[CertificateVerdict]) -> None:
    for certificate in certificates:
        if not certificate.valid:
            _tell("WRONG", f"{certificate.where}: {certificate.code}: {certificate.message}")
            continue
        _tell("proved", f"{certificate.where}: a fork at file {certificate.file} of {certificate.game}")
        _tell("", f"both files are signed by seat {certificate.seat}, {certificate.fingerprint}")


def _show_claims(claims: list[ClaimVerdict], *, brief: bool) -> None:
    for claim in claims:
        if not claim.valid:
            about = f" (game {claim.game[:16]})" if claim.game else ""
            _tell("WRONG", f"{claim.where}: {claim.code}: {claim.message}{about}")
            continue
        head, *details = claim_lines(claim)
        _tell("verified", f"{claim.where}: {head}")
        for line in () if brief else details:
            _tell("", line)


def _show_rest(verdicts: list[Verdict], heap: Heap, saved: dict[str, str]) -> None:
    for oddity in heap.damaged:
        if oddity.code == UNREADABLE:  # most often a misspelt name: nothing is known of any damage
            _tell("UNREADABLE", f"{oddity.where}: {oddity.message.removeprefix('cannot be read: ')}")
        else:
            _tell("DAMAGED", f"{oddity.where}: {oddity.code}: {oddity.message}")
    for path in saved.values():
        _tell("saved", f"{path}: proof of a fork that anybody can check with pbem verify")
    _show_others(heap.others)
    if verdicts:
        good = sum(verdict.verified for verdict in verdicts)
        say(f"{_count(len(verdicts), 'game')}, {good} verified")


def _show_others(others: list[Oddity]) -> None:
    for oddity in others[:MOST_NAMED]:
        _tell("other", f"{oddity.where} {oddity.message}")
    if len(others) > MOST_NAMED:
        _tell("other", f"and {len(others) - MOST_NAMED} more files that are no turn files")
