"""A whole game as text: battle, options, then one line for every decision and every outcome of chance.

    memoir44 record 1
    battle pegasus-bridge
    rules memoir44/1
    option edition = 2004

    ; turn 1
    allies: card probe-left
    allies: order G5
    = 3f9a6c02d81b7e45
    result allies medals 4 2

Names of seats are optional and checked where they stand. A line `= ...` gives the first digits of the state's
digest at that place, `result` the winner, the reason and the medals of allies and axis at the end. What
follows `;` or `#` is a comment. docs/notation.md is the page for people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.answers import Answer, Event
from engine.battle import RULES_VERSION, SIDES, Battle, parse_options
from engine.document import printable, quoted
from engine.errors import EngineError, IllegalDecision, NotationError
from engine.notation import format_answer, parse_answer
from engine.state import State, digest
from engine.turn import apply, is_over, new_game

HEAD = "memoir44 record 1"
MAX_RECORD = 2_000_000  # characters
MAX_LINES = 50_000
MAX_OPTIONS = 64
DIGITS = 16  # of a digest, in a line written by us
LEAST_DIGITS, MOST_DIGITS = 8, 64


class Line(NamedTuple):
    """One line of a game: a step, a check of the digest or the result."""

    number: int  # in the text, from 1
    kind: str  # "step", "digest" or "result"
    text: str
    seat: str = ""  # the seat named before a step


class Record(NamedTuple):
    """A game as its text tells it; nothing of it has been checked against the rules."""

    battle: str  # key of the scenario
    rules: str
    options: dict[str, str]  # what the players chose beyond the battle's own options
    lines: tuple[Line, ...]


class Moment(NamedTuple):
    """A state of a replayed game, the line that led to it and what happened."""

    line: int  # 0 for the beginning
    answer: Answer
    state: State
    events: tuple[Event, ...]


# Writing


def format_record(start: State, answers: Iterable[Answer], *, digests: bool = True) -> str:
    """The text of a game from its first state and all its answers; digests stand before every turn."""
    setup = start.setup
    lines = [HEAD, f"battle {setup.battle.key}", f"rules {RULES_VERSION}"]
    chosen = setup.options.differences(parse_options(setup.battle.options))
    lines += [f"option {name} = {text}".rstrip() for name, text in chosen.items()]
    lines += ["", "; cards are dealt"]
    state = start
    for answer in answers:
        lines.append(f"{setup.seats[state.seat].name}: {format_answer(state, answer)}")
        turn = state.turn
        state = apply(state, answer).state
        if state.turn != turn:
            lines += _digest_line(state, wanted=digests)
            lines += ["", f"; turn {state.turn}"]
    lines += _digest_line(state, wanted=digests)
    if is_over(state):
        lines.append(f"result {_result(state)}")
    return "\n".join(lines) + "\n"


def _digest_line(state: State, *, wanted: bool) -> list[str]:
    return [f"= {digest(state)[:DIGITS]}"] if wanted else []


def _result(state: State) -> str:
    """Winner, reason and medals, as a result line has them."""
    return f"{SIDES[state.winner]} {state.reason} {state.medals(0)} {state.medals(1)}"


# Reading


def parse_record(text: str) -> Record:
    """A game from its text; raises NotationError with the number of the line."""
    if len(text) > MAX_RECORD:
        raise NotationError(f"the record has {len(text)} characters; {MAX_RECORD} are allowed")
    rows = [(number, raw.split(";")[0].split("#")[0].strip()) for number, raw in _rows(text)]
    rows = [(number, row) for number, row in rows if row]
    if not rows or rows[0][1] != HEAD:
        raise NotationError(f'line 1: a record starts with "{HEAD}"')
    head: dict[str, str] = {}
    options: dict[str, str] = {}
    lines: list[Line] = []
    for number, row in rows[1:]:
        word, _, rest = row.partition(" ")
        if word in ("battle", "rules", "option"):
            if lines:
                raise _fault(number, f'"{word}" stands before the first step')
            _read_head(number, word, rest.strip(), head, options)
        else:
            lines.append(_read_line(number, row))
    for word in ("battle", "rules"):
        if word not in head:
            raise NotationError(f'the record does not say its "{word}"')
    return Record(head["battle"], head["rules"], options, tuple(lines))


def _rows(text: str) -> list[tuple[int, str]]:
    raw = text.replace("\r\n", "\n").split("\n")
    if len(raw) > MAX_LINES:
        raise NotationError(f"the record has {len(raw)} lines; {MAX_LINES} are allowed")
    return list(enumerate(raw, start=1))


def _fault(number: int, message: str) -> NotationError:
    return NotationError(f"line {number}: {message}")


def _read_head(number: int, word: str, rest: str, head: dict[str, str], options: dict[str, str]) -> None:
    if word != "option":
        if not rest or word in head:
            raise _fault(number, f'"{word}" is said once, with a name behind it')
        head[word] = printable(rest, 80)
        return
    name, sign, value = (part.strip() for part in rest.partition("="))
    if not name or not sign or name in options or len(options) >= MAX_OPTIONS:
        raise _fault(number, "an option is written once, as in: option edition = 2004")
    options[name] = value


def _read_line(number: int, row: str) -> Line:
    if row.startswith("="):
        digits = row[1:].strip().lower()
        if not LEAST_DIGITS <= len(digits) <= MOST_DIGITS or digits.strip("0123456789abcdef"):
            raise _fault(number, f"a digest has {LEAST_DIGITS} to {MOST_DIGITS} hexadecimal digits")
        return Line(number, "digest", digits)
    word, _, rest = row.partition(" ")
    if word == "result":
        return Line(number, "result", " ".join(rest.split()))
    seat, colon, step = row.partition(":")
    return Line(number, "step", step.strip(), seat.strip()) if colon else Line(number, "step", row)


# Replaying


def replay(record: Record, battle: Battle) -> Iterator[Moment]:
    """Every moment of a recorded game, the beginning first.

    Raises NotationError or IllegalDecision with the number of the line at which the game cannot go on.
    """
    if record.battle != battle.key:
        raise NotationError(f"the record is of {quoted(record.battle)}, not of {quoted(battle.key)}")
    if record.rules != RULES_VERSION:
        raise NotationError(f"the record follows the rules {quoted(record.rules)}; these are {RULES_VERSION}")
    try:
        state = new_game(battle, record.options)
    except EngineError as error:
        raise NotationError(f"the options of the record: {error}") from error
    yield Moment(0, (), state, ())
    for line in record.lines:
        if line.kind == "step":
            answer = _read_step(state, line)
            try:
                state, events = apply(state, answer)
            except IllegalDecision as error:
                raise error.at(f"line {line.number}") from error
            yield Moment(line.number, answer, state, events)
        else:
            _check(state, line)


def _read_step(state: State, line: Line) -> Answer:
    seat = state.setup.seats[state.seat].name
    if line.seat and line.seat != seat:
        raise _fault(line.number, f"{quoted(line.seat)} answers, but {seat} is asked")
    try:
        return parse_answer(state, line.text)
    except NotationError as error:
        raise _fault(line.number, str(error)) from error


def _check(state: State, line: Line) -> None:
    """Raise NotationError where the record and the replayed game differ."""
    if line.kind == "digest":
        found = digest(state)
        if not found.startswith(line.text):
            raise _fault(line.number, f"the digest is {found[: len(line.text)]}, not {line.text}")
    elif not is_over(state):
        raise _fault(line.number, "the game is not over yet")
    elif line.text != _result(state):
        raise _fault(line.number, f"the result is {quoted(_result(state))}, not {quoted(line.text)}")
