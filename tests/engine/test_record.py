"""Whole games as text: golden games, replay, checks, and everything that can be wrong with a record."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    Answer,
    EngineError,
    IllegalDecision,
    Moment,
    NotationError,
    digest,
    format_record,
    is_over,
    new_game,
    parse_record,
    replay,
)
from engine.battle import Options
from engine.record import HEAD, MAX_RECORD
from pbem.library import load_battle
from scripts.golden import GAMES, GAMES_FOLDER, features, play, write_games

ROOT = Path(__file__).parent.parent.parent
FILES = sorted(GAMES_FOLDER.glob("*.txt"))
PEGASUS = load_battle("pegasus-bridge")


def moments(text: str) -> list[Moment]:
    record = parse_record(text)
    battle = PEGASUS if record.battle == PEGASUS.key else load_battle(record.battle)
    return list(replay(record, battle))


@cache
def golden_moments(name: str) -> list[Moment]:
    """A golden game replayed once for all tests that look at it."""
    return moments(golden(name))


def golden(name: str) -> str:
    return (GAMES_FOLDER / f"{name}.txt").read_text(encoding="utf-8")


# Golden games; after a change of the rules: python -m scripts.golden games


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_game_replays_to_every_digest_and_to_its_result(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    record = parse_record(text)
    played = golden_moments(path.stem)
    last = played[-1].state
    assert is_over(last)
    assert record.lines[-1].kind == "result"  # compared by replay
    checks = [line for line in record.lines if line.kind == "digest"]
    assert len(checks) == last.turn + 1  # before every turn, and at the end
    assert digest(last).startswith(checks[-1].text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_game_is_written_as_it_was_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    played = golden_moments(path.stem)
    again = format_record(played[0].state, [moment.answer for moment in played[1:]])
    head, note, rest = text.split("\n", 2)
    assert note.startswith("; written by scripts/golden.py")
    assert again == f"{head}\n{rest}"


def test_the_files_are_those_of_the_table() -> None:
    assert [path.stem for path in FILES] == sorted(game.name for game in GAMES)
    assert len(FILES) >= 6


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_golden_game_shows_what_it_was_chosen_for(game: object) -> None:
    row = next(other for other in GAMES if other is game)
    events = [event for moment in golden_moments(row.name) for event in moment.events]
    assert features(events) >= set(row.wants)


def test_the_script_mends_what_does_not_hold_and_leaves_the_rest(tmp_path: Path) -> None:
    for path in FILES:
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    spoilt = tmp_path / "vassieux.txt"
    spoilt.write_text(golden("vassieux").replace("= ", "= 0000", 1), encoding="utf-8")
    (tmp_path / "forgotten.txt").write_text("", encoding="utf-8")
    before = golden("mont-mouchet")
    write_games(tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == [path.name for path in FILES]
    assert (tmp_path / "mont-mouchet.txt").read_text(encoding="utf-8") == before
    moments(spoilt.read_text(encoding="utf-8"))  # replays again


# Determinism

PRINT_DIGESTS = """
from engine import apply, digest
from pbem.library import load_battle
from scripts.golden import play
for battle in ("pegasus-bridge", "counter-attack-on-mortain"):
    state, answers, _ = play(load_battle(battle), {}, 7)
    for answer in answers:
        state, events = apply(state, answer)
        print(digest(state), events)
"""


def run_with_hash_seed(seed: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PRINT_DIGESTS],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_digests_and_events_do_not_depend_on_the_hash_seed() -> None:
    one, other = run_with_hash_seed("1"), run_with_hash_seed("4242")
    assert one.count("\n") > 500
    assert one == other


# Reading and replaying


def short_game(*, answers: int = 30) -> tuple[str, list[Answer]]:
    first, played, _ = play(PEGASUS, {}, 3)
    return format_record(first, played[:answers]), played[:answers]


def test_a_record_keeps_battle_rules_options_and_steps() -> None:
    first = new_game(load_battle("vassieux"), {"edition": "2004", "reshuffle": "yes", "exhausted_winner": ""})
    record = parse_record(format_record(first, []))
    assert record.battle == "vassieux"
    assert record.rules == "memoir44/1"
    # The battle itself says no reshuffle and an axis victory: what was changed back is written too.
    assert record.options == {"edition": "2004", "reshuffle": "yes", "exhausted_winner": ""}
    assert digest(moments(format_record(first, []))[0].state) == digest(first)


def test_comments_blank_lines_and_missing_seats_do_no_harm() -> None:
    text, answers = short_game()
    plain = re.sub(r"(?m)^(allies|axis): ", "", text)
    busy = "\n\n".join(f"  {line}   ; a comment # and another" for line in plain.splitlines())
    busy = busy.replace(HEAD, HEAD + "  # first line", 1)
    assert [moment.answer for moment in moments(busy)][1:] == answers
    assert [moment.answer for moment in moments(text.replace("\n", "\r\n"))][1:] == answers


def test_moments_carry_line_and_events() -> None:
    text, _ = short_game()
    played = moments(text)
    assert played[0].line == 0
    line = text.splitlines()[played[1].line - 1]
    assert line.split(":")[1].split()[0] == "draw"
    assert ("drew", played[0].state.seat, len(played[1].answer) - 1) in played[1].events


def refusal(text: str) -> EngineError:
    with pytest.raises((NotationError, IllegalDecision)) as caught:
        moments(text)
    assert isinstance(caught.value, EngineError)
    return caught.value


HEADER = f"{HEAD}\nbattle pegasus-bridge\nrules memoir44/1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", 'line 1: a record starts with "memoir44 record 1"', id="empty"),
        pytest.param("memoir44 record 2\n", 'line 1: a record starts with "memoir44 record 1"', id="version"),
        pytest.param(f"{HEAD}\n", 'the record does not say its "battle"', id="no battle"),
        pytest.param(f"{HEAD}\nbattle x\n", 'the record does not say its "rules"', id="no rules"),
        pytest.param(
            HEADER + "battle x\n", 'line 4: "battle" is said once, with a name behind it', id="battle twice"
        ),
        pytest.param(
            HEADER + "option edition 2004\n",
            "line 4: an option is written once, as in: option edition = 2004",
            id="option without sign",
        ),
        pytest.param(
            HEADER + "option speed = 9\n",
            'the options of the record: there is no option "speed"; there are '
            + ", ".join(sorted(Options._fields)),
            id="unknown option",
        ),
        pytest.param(
            HEADER + "= 12345\n", "line 4: a digest has 8 to 64 hexadecimal digits", id="short digest"
        ),
        pytest.param(
            HEADER + "= 12345678\n",
            "line 4: the digest is {digest}, not 12345678",
            id="wrong digest",
        ),
        pytest.param(
            HEADER + "result allies medals 4 0\n", "line 4: the game is not over yet", id="result too early"
        ),
        pytest.param(
            HEADER + "axis: draw ? ? ? ? ? ?\n",
            'line 4: "axis" answers, but allies is asked',
            id="wrong seat",
        ),
        pytest.param(
            HEADER + "\nallies: xyzzy\n",
            'line 5: "xyzzy" is no action; expected now: draw',
            id="unknown verb",
        ),
        pytest.param(
            HEADER + "allies: draw ?\noption edition = 2004\n",
            'line 5: "option" stands before the first step',
            id="option late",
        ),
    ],
)
def test_a_fault_is_named_with_its_line(text: str, message: str) -> None:
    start = digest(new_game(PEGASUS))
    assert str(refusal(text)) == message.format(digest=start[:8])


def test_an_illegal_step_is_named_with_its_line_and_rule() -> None:
    error = refusal(HEADER + "allies: draw ?\n")
    assert isinstance(error, IllegalDecision)
    assert error.rule == "R121"
    assert str(error).startswith("line 4: ")
    assert str(error).endswith("(R121)")
    assert str(error).count("R121") == 1


def test_a_false_result_is_refused() -> None:
    text = golden("pegasus-bridge")
    result = next(line for line in text.splitlines() if line.startswith("result "))
    assert str(refusal(text.replace(result, "result axis resigned 0 0"))).endswith(
        f'the result is "{result.removeprefix("result ")}", not "axis resigned 0 0"'
    )


def test_records_of_other_battles_and_other_rules_are_refused() -> None:
    record = parse_record(f"{HEAD}\nbattle pegasus-bridge\nrules memoir44/1\n")
    with pytest.raises(NotationError, match='the record is of "pegasus-bridge", not of "vassieux"'):
        list(replay(record, load_battle("vassieux")))
    with pytest.raises(NotationError, match="these are memoir44/1"):
        list(replay(record._replace(rules="memoir44/0"), PEGASUS))


def test_a_huge_record_is_refused_at_once() -> None:
    with pytest.raises(NotationError, match="are allowed"):
        parse_record(HEAD + "\n" + "x" * MAX_RECORD)
    with pytest.raises(NotationError, match="lines; 50000 are allowed"):
        parse_record(HEAD + "\n" * 60_000)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.booleans())
def test_garbage_gives_a_notation_error_or_a_record(text: str, headed: bool) -> None:
    try:
        record = parse_record(HEADER + text if headed else text)
        list(replay(record, PEGASUS))
    except (NotationError, IllegalDecision):
        return


SHORT = short_game()[0]
SHORT_END = digest(moments(SHORT)[-1].state)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(SHORT) - 1), st.characters(min_codepoint=9, max_codepoint=0x2FF))
def test_a_changed_letter_is_refused_or_changes_nothing(place: int, letter: str) -> None:
    """Digests stand in the record: a change that is not refused has left the game as it was."""
    try:
        record = parse_record(SHORT[:place] + letter + SHORT[place + 1 :])
        last = list(replay(record, PEGASUS))[-1].state
    except (NotationError, IllegalDecision):
        return
    assert digest(last) == SHORT_END
