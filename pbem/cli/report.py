"""`pbem report` and `pbem replay`: what happened, as pages to look at and to pass on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from pbem.cli.desk import json_option, open_home, open_identity, write_out
from pbem.cli.screen import chair_number, say, say_fitting, say_json
from pbem.errors import PbemError, Refused, StoreError

if TYPE_CHECKING:
    from pbem.draft import Desk
    from pbem.home import Home
    from pbem.identity import Identity
    from pbem.log import Log
    from pbem.referee import Referee
    from pbem.store import Game

game_or_path = click.argument("game", required=False, metavar="[GAME|PATH]")
spectator_option = click.option("--spectator", is_flag=True, help="As anybody may see it: nothing private.")
chair_option = click.option(
    "--chair", type=click.Choice(("allies", "axis")), help="The side at the bottom of the board."
)
output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path, allow_dash=True), help="File to write, or - to print."
)


class Record(NamedTuple):
    """A game to be shown: from the store, or from files that somebody has sent."""

    log: Log
    referee: Referee
    files: list[bytes]
    key: str
    home: Home | None  # where it is stored, with its pages; None: nowhere
    desk: Desk | None


@click.command()
@game_or_path
@click.option("--file", "number", type=int, help="The number of the file, else the last one.")
@click.option("--text", "as_text", is_flag=True, help="Plain text, as for the body of a mail.")
@click.option("--hand", is_flag=True, help="Show your hand too; such a page is for you alone.")
@spectator_option
@chair_option
@output_option
@json_option
@click.pass_context
def report(
    ctx: click.Context,
    game: str | None,
    number: int | None,
    as_text: bool,
    hand: bool,
    spectator: bool,
    chair: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Tell what one file did: a page with boards, dice and words.

    Instead of a game a PATH may be given: an archive, a folder or a file with the turn files of one game.
    """
    from pbem.report import make_report, render_report, report_json, report_name, report_text

    if as_text and as_json:
        raise click.UsageError("choose one of --text and --json")
    if hand and spectator:
        raise click.UsageError("a page for everybody shows no hand: choose one of --hand and --spectator")
    record = open_record(open_home(ctx), game, spectator=spectator)
    if hand and record.desk is None:
        raise Refused("only a player can see a hand, from their own home folder", hint="leave --hand out")
    made = make_report(
        record.log,
        record.referee,
        record.log.count - 1 if number is None else number,
        desk=record.desk,
        key=record.key,
        bottom=chair_number(chair),
        hand=hand,
    )
    if as_json:
        say_json(report_json(made))
        return
    name = report_name(made.number, spectator=record.desk is None)
    if as_text:
        _give(record, name.replace(".html", ".txt"), report_text(made), output or Path("-"))
    else:
        _give(record, name, render_report(made), output)


@click.command()
@game_or_path
@spectator_option
@chair_option
@click.option("--open-hand", is_flag=True, help="Show your own hand, once the game is over.")
@output_option
@json_option
@click.pass_context
def replay(
    ctx: click.Context,
    game: str | None,
    spectator: bool,
    chair: str | None,
    open_hand: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Show a whole game on one page with a slider; it works offline and needs nothing else.

    Instead of a game a PATH may be given: an archive, a folder or a file with the turn files of one game.
    """
    from pbem.replay import make_replay, open_hands, render_replay, replay_json

    if open_hand and spectator:
        raise click.UsageError(
            "a page for everybody shows no hand: choose one of --open-hand and --spectator"
        )
    record = open_record(open_home(ctx), game, spectator=spectator)
    hands, owner = None, ""
    if open_hand:
        if record.desk is None:
            raise Refused(
                "only a player can open a hand, from their own home folder", hint="leave --open-hand out"
            )
        hands = open_hands(record.files, record.desk.seat, record.desk.identity)
        owner = _names(record)[record.desk.seat]
    made = make_replay(
        record.log,
        record.referee,
        chair=_side(record),
        bottom=chair_number(chair),
        hands=hands,
        owner=owner,
    )
    if as_json:
        say_json(replay_json(made))
    else:
        name = "replay-spectator.html" if record.desk is None else "replay.html"
        _give(record, name, render_replay(made), output)


def leave_report(game: Game, identity: Identity, number: int | None = None) -> None:
    """Write the report of a file, else of the last, into the game's folder; a full disk is no error."""
    from pbem.report import write_report

    try:
        desk, last = game.desk(identity), game.log.count - 1
        with game.home.lock():
            path = write_report(game, last if number is None else number, game.path / "reports", desk=desk)
    except PbemError as problem:
        say(f"No report was written: {problem.message}.")
        return
    say_fitting("A page about it is in", f'"{path}".')


# Which game


def open_record(home: Home, name: str | None, *, spectator: bool = False) -> Record:
    """The game that is meant, or the one whose files lie at a path; raises Refused or Fault."""
    if name is not None and name not in home.game_keys() and Path(name).exists():
        return read_path(Path(name))
    from pbem.cli.desk import open_game

    game = open_game(home, name)
    desk = None
    if not spectator and home.has_identity():
        identities = game.log.identities
        if home.read_head().pk in identities or (game.log.count == 1 and None in identities):
            desk = game.desk(open_identity(home))
    return Record(game.log, game.referee, game.raw, game.key, home, desk)


def read_path(path: Path) -> Record:
    """The game whose files lie at a path, checked completely; raises Refused or Fault."""
    from shlex import quote

    from pbem.container import file_id, unpack
    from pbem.inbox import Letter, open_letters
    from pbem.log import Log, parse_body
    from pbem.referee import Referee

    found: dict[int, dict[bytes, bytes]] = {}
    for item in open_letters([path]):
        if not isinstance(item, Letter):
            raise item.problem
        body = unpack(item.data).body
        found.setdefault(parse_body(body).number, {})[file_id(body)] = item.data
    if sorted(found) != list(range(len(found))) or any(len(versions) > 1 for versions in found.values()):
        raise Refused(
            f'"{path}" does not hold the files of one game from the first on',
            hint=f"try: pbem verify {quote(str(path))}",
        )
    log, referee, files = Log(), Referee(), []
    for number in range(len(found)):
        (data,) = found[number].values()
        log, entry = log.check(data)
        referee = referee.read(entry)
        files.append(data)
    if not files:
        raise Refused(f'there are no turn files in "{path}"')
    return Record(log, referee, files, "", None, None)


def _side(record: Record) -> int | None:
    match = record.referee.match
    if record.desk is None or match is None:
        return None
    return match.setup.seats[match.army_of(record.desk.seat)].side


def _names(record: Record) -> tuple[str, ...]:
    assert record.referee.match is not None
    return record.referee.match.called


# Where it goes


def _give(record: Record, name: str, text: str, output: Path | None) -> None:
    """Write a page where it is asked for, else into the game's folder, else here; say where it is."""
    if str(output) == "-" and name.endswith(".txt"):
        say(text.rstrip("\n"))  # without accents where the terminal has none
        return
    if str(output) == "-":
        click.echo(text.encode(), nl=False)
        return
    if output is not None or record.home is None:
        path = Path(name) if output is None else output
        path = path / name if path.is_dir() else path
        write_out(path, text.encode())
    else:
        from pbem.files import make_folder, write_file

        path = record.home.games / record.key / "reports" / name
        try:
            with record.home.lock():
                make_folder(path.parent)
                write_file(path, text.encode())
        except StoreError as problem:
            problem.hint = '"-o FILE" writes the page elsewhere'
            raise
    say(f'Written to "{path}".')
