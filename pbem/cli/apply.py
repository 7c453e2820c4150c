"""`pbem apply`: files from the other player, checked completely and taken into their games."""

from __future__ import annotations

import textwrap
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import complain
from pbem.cli.desk import ANY_PATH, json_option, open_home, open_identity
from pbem.cli.screen import say, say_fitting, say_json, screen
from pbem.errors import PbemError, StoreError, sentence

if TYPE_CHECKING:
    from pbem.delivery import Delivery, Outcome
    from pbem.home import Home
    from pbem.identity import Identity
    from pbem.store import Game

MOST_TOLD = 2  # files whose story is told; "pbem log" tells the others


@click.command("apply")
@click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILE...")
@json_option
@click.option("--report/--no-report", default=True, help="Write a page about each game.", show_default=True)
@click.pass_context
def apply(ctx: click.Context, files: tuple[Path, ...], as_json: bool, report: bool) -> int:
    """Check turn files completely and take them into their games.

    A FILE may be a turn file, several of them one after another, a mail (.eml), a mail box (.mbox), an
    archive (.zip), a text with the file pasted into it, a folder of these, or - for standard input.
    """
    return apply_files(open_home(ctx), list(files), as_json=as_json, report=report)


def apply_files(home: Home, files: list[Path], *, as_json: bool = False, report: bool = True) -> int:
    """Apply files and say what became of them; the exit status."""
    from pbem.cli.report import leave_report
    from pbem.delivery import FOREIGN, Delivery
    from pbem.inbox import open_letters
    from pbem.summary import is_own_bot, read_summary, refresh

    identity = open_identity(home)
    letters = open_letters(files)
    with home.lock():
        delivery = Delivery(home, identity.pk)
        outcomes = delivery.take(letters)
        names, problems = _meet_all(home, delivery)
        for key in delivery.touched:
            refresh(delivery.game(key), identity)
    status = _exit_status([*problems, *(outcome.problem for outcome in outcomes if outcome.problem)])
    for problem in problems:
        complain(problem.message, problem.hint, 0)
    if as_json:
        summaries = [read_summary(home, key) for key in delivery.touched]
        say_json({"files": [_as_value(outcome) for outcome in outcomes], "games": summaries})
        return status
    foreign = [outcome for outcome in outcomes if outcome.problem and outcome.problem.code == FOREIGN]
    for outcome in outcomes:
        if outcome not in foreign:
            _report(outcome)
            if outcome.kind == "known":
                _remind(home, outcome)
    if foreign:
        _report_foreign(files, foreign)
    for key in delivery.touched:
        if len(delivery.touched) > 1:
            say()
            say(f'Game "{key}"')
        _show_game(delivery.game(key), outcomes, identity)
        if report and any(outcome.key == key and outcome.entry for outcome in outcomes):
            leave_report(delivery.game(key), identity)
        say_next(read_summary(home, key))
    for name in names:
        if not is_own_bot(home, home.contact(name).pk):
            _introduce(home, name)
    return status


def _exit_status(problems: list[PbemError]) -> int:
    """The worst: 4 if the store is damaged, 3 if a file is wrong, 1 if one was refused, else 0."""
    return max((problem.exit_status for problem in problems), default=0)


def _as_value(outcome: Outcome) -> dict[str, Any]:
    problem = outcome.problem
    return {
        "file": outcome.origin,
        "outcome": outcome.kind,
        "number": outcome.number,
        "game": outcome.key,
        "code": problem.code if problem else None,
        "problem": problem.message if problem else None,
        "hint": problem.hint if problem else None,
        "entry": getattr(problem, "op", None),
        "rule": getattr(problem, "rule", None) or None,
    }


def _remind(home: Home, outcome: Outcome) -> None:
    """Where to read about a file that waits for us: perhaps the machine stopped before it was told."""
    from pbem.summary import read_summary

    assert outcome.key is not None
    with suppress(PbemError):
        row = read_summary(home, outcome.key)
        if row["move"] == "you" and row["files"] == (outcome.number or 0) + 1 and outcome.number:
            say(f'It waits for you. "pbem log {outcome.key} --last" tells it again.')


def _report(outcome: Outcome) -> None:
    """One line about a letter."""
    problem, file = outcome.problem, f"file {outcome.number} of {outcome.key}"
    if outcome.kind == "known":
        say(f"{outcome.origin}: already have it ({file}).")
    elif outcome.kind == "accepted":
        say(f"{outcome.origin}: {file}, checked completely and kept.")
    elif outcome.kind == "restored":
        say(f"{outcome.origin}: {file} was damaged or missing here and is restored.")
    if problem is not None:
        said = sentence(problem)
        complain(said if f'"{outcome.origin}"' in said else f"{outcome.origin}: {said}", problem.hint, 0)


def _report_foreign(files: list[Path], outcomes: list[Outcome]) -> None:
    """One line for each path with files of a game between other people."""
    from shlex import quote

    from pbem.archive import printable

    left = list(outcomes)
    for path in files:
        name = printable(str(path))
        here = [outcome for outcome in left if outcome.origin.startswith(name)]
        left = [outcome for outcome in left if outcome not in here]
        if here:
            count = "a file" if len(here) == 1 else f"{len(here)} files"
            hint = f'"pbem verify {quote(name)}" checks games of others'
            complain(f"{name}: {count} of a game between other people", hint, 0)
    for outcome in left:
        _report(outcome)


def _show_game(game: Game, outcomes: list[Outcome], identity: Identity) -> None:
    """What happened in a game, whose move it is, what comes next."""
    from pbem.cli.board import file_story, own_side, story_lines
    from pbem.summary import read_summary

    numbers = sorted(o.number for o in outcomes if o.key == game.key and o.entry and o.number is not None)
    match = game.referee.match
    assert match is not None
    if numbers[-1:] == [0]:
        from pbem.cli.offer import show_terms

        say()
        show_terms(match, game.seat_of(identity.pk) or 0)
    for number in numbers[-MOST_TOLD:]:
        say()
        say(story_lines(file_story(game, number, own_side(game.home, game)), screen().text_width))
    summary = read_summary(game.home, game.key)
    if summary["move"] == "you" and summary["state"] in ("playing", "decided"):
        show_dice(game, identity)
    say()


def show_dice(game: Game, identity: Identity) -> None:
    """What our own answer brings by itself: the dice that were waiting, and what follows from them."""
    from pbem.cli.board import own_side
    from pbem.draft import Draft
    from pbem.story import steps_of_draft, story_text, tell_file

    match = game.referee.match
    assert match is not None
    steps = Draft(game.desk(identity)).referee.steps
    new = steps_of_draft(game.referee.steps, steps, game.log.count)
    before = steps[: -len(new)][-1:] if new else []
    story = tell_file(new, match, before=before[0].state if before else None, chair=own_side(game.home, game))
    if story:
        say()
        rolled = any(step.by == "dice" for step in new)
        say(f"With your answer{' the dice that were waiting have fallen' if rolled else ''}:")
        for line in story_text(story).splitlines():
            say(textwrap.fill(line, screen().text_width, initial_indent="  ", subsequent_indent="      "))


def say_next(summary: dict[str, Any]) -> None:
    """Print whose move it is, what is asked, and the command to type."""
    from pbem.cli.status import move_lines

    for line in move_lines(summary):
        say_fitting(line)
    if summary["next"]:
        say(f"Next: {summary['next']}")


# First contact


def _meet_all(home: Home, delivery: Delivery) -> tuple[list[str], list[PbemError]]:
    """Note the people who were not known before: their names, and what prevented it."""
    names: set[str] = set()
    problems: list[PbemError] = []
    for key, seat in delivery.met:
        try:
            names.add(_meet(home, delivery, key, seat))
        except StoreError as problem:
            problem.hint = "mend this and apply the file again"
            problems.append(problem)
    return sorted(names), problems


def _meet(home: Home, delivery: Delivery, key: str, seat: int) -> str:
    game = delivery.game(key)
    match, pk = game.referee.match, game.log.identities[seat]
    assert match is not None
    assert pk is not None
    return home.name_of(pk) or home.meet(match.names[seat], pk)


def _introduce(home: Home, name: str) -> None:
    from pbem.identity import fingerprint

    contact = home.contact(name)
    say()
    say(f'You meet "{name}" for the first time. Fingerprint: {fingerprint(contact.pk)}')
    say(f"Ask them to read theirs to you by telephone, then type: pbem id compare {name} DIGITS")
