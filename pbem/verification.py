"""Verdicts on whole games, for anybody and without a key: what happened, and exactly what is wrong.

A case is a tree of files (gathering.py): every file names the one before, and an author who signs two files
for one place makes it fork. `judge` walks the tree from the offer on; a log is a value, so both branches go
on from the same trusted position. Every file is checked as a player's program does: form, signature, chain,
dice, cards and proofs by log.py, the rules by referee.py. A file that fails is named with the entry, the rule
and, if the signature is good, the person who signed it; what follows it cannot be checked and is counted. A
file that its author has not signed may be anybody's: it is named, and says nothing against the game.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from os.path import commonpath, dirname
from pathlib import Path
from typing import Any, NamedTuple

from pbem.blame import name_of, name_problem, print_of
from pbem.canon import decode
from pbem.description import describe
from pbem.errors import Fault, PbemError
from pbem.evidence import check_certificate, make_certificate
from pbem.gathering import Case, Heap, Node, Oddity, Paper, Place, Reader, gather, read_limited, sort_games
from pbem.identity import fingerprint
from pbem.log import Log
from pbem.referee import Referee
from pbem.verdict import CertificateVerdict, Forked, Problem, Verdict

MOST_CERTIFICATE = 1 << 26
COLLECT_AFTER = 100_000  # objects
MOST_NUMBER = 10_000  # of a file that can be in an archive; anybody can write any number into a file


class _Line(NamedTuple):
    """A trusted position of a game and the files that led to it."""

    log: Log
    referee: Referee
    ids: tuple[bytes, ...]
    places: tuple[Place, ...]


def judge(case: Case, *, rules: bool = True) -> list[Verdict]:
    """The verdicts on a case: one, or one for each person who has answered an open offer."""
    reader = Reader()
    try:
        if case.root is None:
            return [_fragment(case, rules=rules)]
        walk = _Walk(case, reader, rules=rules)
        with _collecting_rarely():
            walk.run()
            rests = walk.rests()
        return [_verdict(walk, group, rest) for group, rest in zip(walk.groups(), rests, strict=True)]
    finally:
        reader.close()


def verify_files(files: list[bytes], *, rules: bool = True) -> tuple[Log, Referee]:
    """The log and the referee of a game's files in order; raises Fault with file, entry, rule and seat."""
    line = _Line(Log(), Referee(), (), ())
    with _collecting_rarely():
        for data in files:
            line = _go_on(line, data, Place(""), rules=rules)
    return line.log, line.referee


@contextmanager
def _collecting_rarely() -> Iterator[None]:
    """Lets the search for unreachable cycles run less often: a game makes many objects and hardly a cycle."""
    usual = gc.get_threshold()
    gc.set_threshold(COLLECT_AFTER, *usual[1:])
    try:
        yield
    finally:
        gc.set_threshold(*usual)


def verify_paths(
    paths: list[Path], *, rules: bool = True, game: bytes | None = None
) -> tuple[list[Verdict], list[Oddity]]:
    """The verdicts on all games at these paths, or on one of them, and what could not be read."""
    heap = gather(paths)
    cases = sort_games(heap.files)
    if game is not None:
        cases = [case for case in cases if any(node.game == game for node in case.nodes.values())]
    return [verdict for case in cases for verdict in judge(case, rules=rules)], heap.damaged


def judge_certificate(paper: Paper, heap: Heap) -> CertificateVerdict:
    """The verdict on a fork certificate; files that it only names are taken from the heap."""
    where = paper.where
    try:
        data = paper.data if paper.data is not None else read_limited(Path(where), MOST_CERTIFICATE)
        if len(data) > MOST_CERTIFICATE:
            raise Fault("E_SIZE", f"it has more than {MOST_CERTIFICATE} bytes")
        fork = check_certificate(data, _named_in(data, heap))
    except PbemError as problem:
        return CertificateVerdict(where, False, code=problem.code, message=problem.message)
    ids = tuple(identity.hex() for identity in fork.ids)
    author = fingerprint(fork.author)
    return CertificateVerdict(
        where, True, fork.game.hex(), fork.number, fork.seat, author, ids, fork.action, fork.chain.hex()
    )


def _named_in(data: bytes, heap: Heap) -> list[bytes]:
    """The files at hand that a certificate names by their ids."""
    value: Any = decode(data)
    files = value.get("files") if isinstance(value, dict) else None
    wanted = {item for item in files if isinstance(item, bytes)} if isinstance(files, list) else set()
    places = {found.id: found.place for found in heap.files if found.id in wanted}
    reader = Reader()
    try:
        return [reader.read(place) for place in places.values()]
    finally:
        reader.close()


def certify(fork: Forked) -> bytes:
    """The certificate of a fork that `judge` has found."""
    reader = Reader()
    try:
        first, second = (reader.read(place) for place in fork.both)
        return make_certificate([reader.read(place) for place in fork.before], first, second)
    finally:
        reader.close()


def _go_on(line: _Line, data: bytes, place: Place, *, rules: bool) -> _Line:
    log, entry = line.log.check(data)
    referee = line.referee.read(entry) if rules else line.referee
    return _Line(log, referee, (*line.ids, entry.id), (*line.places, place))


class _Rest(NamedTuple):
    """Files of a case that could not be reached from its offer."""

    own: dict[bytes, tuple[Node, Problem]]  # that the players of the game have signed, with who it was
    strays: list[Problem]


class _Walk:
    """A walk through the tree of a case, from the offer to all its ends."""

    def __init__(self, case: Case, reader: Reader, *, rules: bool) -> None:
        self.case = case
        self.reader = reader
        self.rules = rules
        self.ends: list[_Line] = []
        self.problems: list[tuple[bytes, Problem]] = []  # with the id of the file before
        self.strays: list[tuple[bytes, Problem]] = []
        self.forks: list[Forked] = []
        self.checked: set[bytes] = set()
        self.refused: set[bytes] = set()  # ids of files that are bad and signed by their authors

    def run(self) -> None:
        """Check every file that can be reached."""
        assert self.case.root is not None
        start = _Line(Log(), Referee(), (), ())
        waiting = self._follow(start, [self.case.root])
        while waiting:
            line = waiting.pop()
            further = self._follow(line, self.case.after.get(line.ids[-1], []))
            if not further:
                self.ends.append(line)
            # Where nothing forks the line is not kept: one position in memory, whatever the length.
            waiting += further

    def _follow(self, line: _Line, ids: list[bytes]) -> list[_Line]:
        """The lines with each of these files that is good; the others are written down."""
        good: list[_Line] = []
        bad: list[tuple[Problem, bool]] = []
        for found in sorted(ids):
            accepted, problems = self._check(line, self.case.nodes[found])
            self.checked.add(found)
            bad += problems
            if accepted is not None:
                good.append(accepted)
        previous = line.ids[-1] if line.ids else b""
        for problem, counts in bad:
            kept = self.problems if counts and not good else self.strays
            kept.append((previous, problem))
        self._compare(line, good)
        return good

    def _check(self, line: _Line, node: Node) -> tuple[_Line | None, list[tuple[Problem, bool]]]:
        """The line with a file, if it is good; what is wrong with its copies, and whether that counts.

        What was not signed by its author counts only if there is nothing it could spoil: as an offer.
        """
        accepted: _Line | None = None
        problems = []
        for place in node.copies:
            data = b""
            try:
                data = self.reader.read(place)
                accepted = _go_on(line, data, place, rules=self.rules)
            except Fault as fault:
                problem = name_problem(fault, line.log, node, place, data)
                if problem.signed:
                    self.refused.add(node.id)
                problems.append((problem, problem.signed or not data or not line.ids))
        return accepted, problems

    def _compare(self, before: _Line, lines: list[_Line]) -> None:
        """Good files by one author for one place are a fork; by two authors they have crossed in the post."""
        seen: dict[tuple[int, bytes | None], _Line] = {}
        for line in lines:
            entry = line.log.entries[-1]
            first = seen.setdefault((entry.seat, line.log.identities[entry.seat]), line)
            if first is not line:
                self.forks.append(_fork(before, first, line))
        if len(seen) > 1 and before.log.count > 1:
            message = "two players have each written a good file for the same place"
            where = " and ".join(str(line.places[-1]) for line in seen.values())
            self.problems.append((before.ids[-1], Problem(where, before.log.count, "split", message)))

    def groups(self) -> list[list[_Line]]:
        """The ends, those with the same players together, longest first; one empty list without any."""
        found: dict[tuple[bytes | None, ...], list[_Line]] = {}
        for line in sorted(self.ends, key=lambda line: (-len(line.ids), line.ids)):
            found.setdefault(tuple(line.log.identities), []).append(line)
        return list(found.values()) or [[]]

    def rests(self) -> list[_Rest]:
        """For each of the groups what could not be reached; everything belongs to one of them."""
        logs = [group[0].log if group else Log() for group in self.groups()]
        rests = [_Rest({}, []) for _ in logs]
        for node in self.case.nodes.values():
            if node.id in self.checked:
                continue
            found = [number for number, log in enumerate(logs) if log.game == node.game]
            rest, log = rests[found[0] if found else 0], logs[found[0] if found else 0]
            for place in node.copies:
                problem = self._examine(log, node, place) if found else _foreign(node, place)
                if problem.signed:
                    rest.own[node.id] = node, problem
                else:
                    rest.strays.append(problem)
        return rests

    def _examine(self, log: Log, node: Node, place: Place) -> Problem:
        """Who has signed a file that cannot be checked: a problem, unless it is its author."""
        data = b""
        try:
            data = self.reader.read(place)
            raise Fault("E_SIG", "the file names this game, and its author has not signed it")
        except Fault as fault:
            return name_problem(fault, log, node, place, data)


def _fork(before: _Line, first: _Line, second: _Line) -> Forked:
    entry = second.log.entries[-1]
    places = first.places[-1], second.places[-1]
    return Forked(
        entry.number,
        entry.seat,
        name_of(second.log.terms, entry.seat),
        print_of(second.log.identities[entry.seat]),
        (str(places[0]), str(places[1])),
        (first.ids[-1].hex(), second.ids[-1].hex()),
        before.places,
        places,
    )


# Making verdicts


def _verdict(walk: _Walk, group: list[_Line], rest: _Rest) -> Verdict:
    if not group:
        return _hopeless(walk)
    line = group[0]
    verdict = describe(line.log, line.referee, rules=walk.rules)
    verdict.where = _common(line.places)
    known = {identity for other in group for identity in other.ids}
    verdict.problems = [problem for previous, problem in walk.problems if previous in known]
    verdict.strays = [problem for previous, problem in walk.strays if previous in known]
    verdict.strays += rest.strays + _unattached(rest, line.log, walk.refused)
    verdict.forks = [fork for fork in walk.forks if bytes.fromhex(fork.ids[0]) in known]
    verdict.repeated = sum(node.same + len(node.copies) - 1 for node in walk.case.nodes.values())
    verdict.missing = _gaps(rest, line.log, walk.refused)
    verdict.unchecked = len(rest.own)
    verdict.waiting = [problem.where for _, problem in rest.own.values()] if verdict.missing else []
    return verdict


def _common(places: Sequence[Place]) -> str:
    """The archive or the file in which places are, else their folder."""
    paths = list(dict.fromkeys(place.path for place in places))
    if len(paths) == 1:
        return paths[0]
    try:
        return commonpath([dirname(path) for path in paths]) or "."
    except ValueError:  # some are named from the root, some from here
        return ""


def _missing(first: int, there: set[int], named: set[int]) -> list[int]:
    """The numbers from the first on that are not there, and those of files that others name in vain."""
    last = max(there)
    between = range(first, last) if last <= MOST_NUMBER else ()
    return sorted(named | {number for number in between if number not in there})


def _loose(rest: _Rest, refused: set[bytes]) -> list[Problem]:
    """Files of the players whose predecessor is not there."""
    there = rest.own.keys() | refused
    return [problem for node, problem in rest.own.values() if node.previous not in there]


def _gaps(rest: _Rest, log: Log, refused: set[bytes]) -> list[int]:
    """The numbers of files that are not there though a later one names them."""
    named = {problem.file - 1 for problem in _loose(rest, refused) if problem.file > log.count}
    if log.ended or not named:
        return []
    return _missing(log.count, {problem.file for _, problem in rest.own.values()}, named)


def _unattached(rest: _Rest, log: Log, refused: set[bytes]) -> list[Problem]:
    """Files of the players that follow another version of the game than the one that is here."""
    taken = "the file follows a file that is not here, though another one has its place"
    over = "the file follows a file that is not here, and the game is over"
    return [
        problem._replace(code="E_PREV", message=taken if problem.file <= log.count else over)
        for problem in _loose(rest, refused)
        if problem.file <= log.count or log.ended
    ]


def _foreign(node: Node, place: Place) -> Problem:
    return Problem(str(place), node.number, "E_GAME", "the file belongs to no game that follows this offer")


def _hopeless(walk: _Walk) -> Verdict:
    """The verdict if not even the offer is good."""
    assert walk.case.root is not None
    offer = walk.case.nodes[walk.case.root]
    verdict = Verdict(offer.game.hex(), where=_common(offer.copies), rules_checked=walk.rules)
    verdict.problems = [problem for _, problem in walk.problems]
    verdict.unchecked = len(walk.case.nodes) - len(walk.checked)
    return verdict


def _fragment(case: Case, *, rules: bool) -> Verdict:
    """The verdict on pieces of a game whose beginning is not there."""
    node = next(iter(case.nodes.values()))
    places = [place for node in case.nodes.values() for place in node.copies]
    verdict = Verdict(node.game.hex(), where=_common(places), rules_checked=rules)
    named = {node.number - 1 for node in case.nodes.values() if node.previous not in case.nodes}
    verdict.missing = _missing(0, {node.number for node in case.nodes.values()}, named)
    verdict.waiting = [str(place) for place in places]
    verdict.unchecked = len(case.nodes)
    verdict.repeated = sum(node.same for node in case.nodes.values())
    return verdict
