"""`pbem new`, `pbem accept`, `pbem decline`: how a game begins."""

from __future__ import annotations

import os
import textwrap
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.desk import (
    ask_ahead,
    check_message,
    game_argument,
    open_game,
    open_home,
    open_identity,
    open_named_identity,
    turn_path,
    write_signed,
)
from pbem.cli.screen import is_terminal, say, screen
from pbem.errors import Refused, StoreError

if TYPE_CHECKING:
    from pbem.draft import Desk
    from pbem.home import Home
    from pbem.ruleset import Match
    from pbem.store import Game

ANYONE = "anyone"
BOT = "bot"
MOST_DAYS = 365
output_option = click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
message_option = click.option(
    "--message", help="A few words that travel in the file; everybody can read them."
)


@click.command()
@click.argument("scenario")
@click.option("--side", type=click.Choice(("allies", "axis")), required=True, help="The side you lead.")
@click.option("--opponent", required=True, metavar="CONTACT", help="A contact, or: anyone, bot.")
@click.option("--dice", type=click.Choice(("sealed", "instant")), default="sealed", show_default=True)
@click.option("--retreat", type=click.Choice(("live", "sheet", "strict")), help="In sealed games; else live.")
@click.option("--clock", type=click.IntRange(1, MOST_DAYS), metavar="DAYS", help="Days for every file.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the rules.")
@click.option("--no-mix", is_flag=True, help="Do not mix hands: smaller files, less secrecy.")
@message_option
@output_option
@click.pass_context
def new(
    ctx: click.Context,
    scenario: str,
    side: str,
    opponent: str,
    dice: str,
    retreat: str | None,
    clock: int | None,
    options: tuple[str, ...],
    no_mix: bool,
    message: str | None,
    output: Path | None,
) -> None:
    """Offer a game of SCENARIO: a battle of the library, or a .yaml file."""
    from pbem.library import scenario_text
    from pbem.ruleset import build_terms
    from pbem.store import open_offer
    from pbem.summary import refresh
    from pbem.writer import write_offer

    if opponent.lower() == BOT and output is not None:
        raise click.UsageError("the bot needs no file: leave -o out")
    if dice == "instant" and retreat is not None:
        raise click.UsageError("with instant dice retreats follow standing orders: leave --retreat out")
    home = open_home(ctx)
    words = check_message(message)
    document = scenario_text(scenario)
    identity, name = open_named_identity(home)
    with home.lock():
        other, pk = _opponent(home, opponent)
        if pk == identity.pk:
            raise Refused("you cannot play against yourself", hint='"--opponent bot" practises with a bot')
        terms = build_terms(
            document,
            army=side,
            pk=identity.pk,
            opponent=pk,
            names=(name, other),
            dice=dice,
            retreat=retreat or "",
            mix=not no_mix,
            clock=clock,
            options=_options(options),
        )
        data = write_offer(terms, identity, os.urandom, message=words)
        game, examined = open_offer(home, data)
        game.keep(examined)
        refresh(game, identity)
        match = game.referee.match
        assert match is not None
        show_terms(match, 0)
        if opponent.lower() == BOT:
            from pbem.cli.seal import practise

            say(f'The game is called "{game.key}". The bot answers at once; no file has to be sent.')
            practise(home, game, game.desk(identity))
            return
    path = output or _invitation_path(game)
    if os.path.isdir(path):  # also for names that no disk takes
        path /= f"{game.key}.m44"
    write_signed(path, data, game.key)
    say(f'The game is called "{game.key}".')
    say(f'The invitation is in "{path}": send it to {other if pk else "whoever may play"}.')
    say("When the answer comes: pbem apply FILE")


def _opponent(home: Home, name: str) -> tuple[str, bytes | None]:
    """Name and key of the one who is invited; no key for anyone."""
    if name.lower() == ANYONE:
        return "", None
    if name.lower() == BOT:
        from pbem.practice import bot_contact

        contact = bot_contact(home)
        return contact.name, contact.pk
    contact = home.contact(name)
    return contact.name, contact.pk


def _options(texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    for name, sign, value in pairs:
        if not sign or not name.strip() or not value.strip():
            raise click.BadParameter(f'"{name}" is not of the form NAME=VALUE', param_hint="--option")
        if name.strip() == "timing":
            raise click.BadParameter("the timing of a game by mail is fixed", param_hint="--option")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _invitation_path(game: Game) -> Path:
    """A name from the battle; another invitation there is left alone."""
    short = Path(game.key.rpartition("-")[0] + ".m44")
    return Path(f"{game.key}.m44") if short.exists() else short


def show_terms(match: Match, seat: int) -> None:
    """Print the terms of a game in plain words."""
    from pbem.wording import describe_terms

    width = screen().text_width
    for paragraph in describe_terms(match, seat):
        say(textwrap.fill(paragraph, width, subsequent_indent="  "))
    for hint in _look_up(match):
        say(hint)
    if match.battle.partial:
        say(f"This program cannot play all of this battle: {'; '.join(match.battle.partial)}")


def _look_up(match: Match) -> list[str]:
    """Where more is to be read about a battle and its orders."""
    from pbem.library import scenario_key, scenario_names, scenario_text
    from pbem.ruleset import scenario_hash

    key, found = scenario_key(match.battle.title), []
    if key in scenario_names() and scenario_hash(scenario_text(key)) == match.terms.scenario:
        found.append(f"The board, the forces and the story: pbem scenario show {key}")
    if match.terms.retreat in ("sheet", "stand"):
        found.append("Your retreats, once the game has begun: pbem orders")
    return found


@click.command()
@game_argument
@click.option("--yes", is_flag=True, help="Do not ask whether to accept; only a terminal is asked.")
@message_option
@output_option
@click.pass_context
def accept(ctx: click.Context, game: str | None, yes: bool, message: str | None, output: Path | None) -> int:
    """Accept an invitation: shows its terms, then writes the answer file."""
    from pbem.draft import write_answer
    from pbem.files import remove_file
    from pbem.summary import refresh

    home = open_home(ctx)
    words = check_message(message)
    if _renew(home, game):
        return 0
    played, desk = _open_invitation(home, game)
    match = played.referee.match
    assert match is not None
    show_terms(match, desk.seat)
    if not yes and is_terminal() and not click.confirm("Accept these terms"):
        key = played.key
        say(f'Nothing was signed. "pbem accept {key}" asks again, "pbem decline {key}" declines.')
        return 1
    with home.lock():  # not held while the terms are read: what counts is looked at again
        played, desk = _open_invitation(home, played.key)
        played.check_unsigned()
        data = write_answer(played.log, played.referee, desk.identity, os.urandom, message=words)
        played.keep_signed(data)
        with suppress(StoreError):  # the file is signed: nothing may come between it and its reader
            remove_file(played.path / "declined")
        refresh(played, desk.identity)
    path = turn_path(output, 1, played.key, data)
    write_signed(path, data, played.key)
    say(f'You have accepted. The answer is in "{path}": send it back.')
    first = match.terms.first == desk.seat
    say("After their next file you make the first move." if first else "The other player moves first.")
    return 0


def _open_invitation(home: Home, name: str | None) -> tuple[Game, Desk]:
    """The invitation that is meant and the own desk; raises Refused unless we may answer it."""
    ask_ahead(home, name)
    game = open_game(home, name)
    if game.seat_of(open_identity(home).pk) is None:
        raise Refused(
            "the place is taken: somebody else has answered",
            hint="the first valid answer to an open invitation counts",
        )
    desk = game.desk(open_identity(home))
    if game.log.count > 1:
        raise Refused(
            f'the invitation "{game.key}" has been answered',
            hint=f'"pbem seal {game.key}" writes your last file again, "pbem status {game.key}" says more',
        )
    if desk.seat == 0:
        raise Refused(
            "this is your own invitation",
            hint=f'wait for the other player\'s answer, or withdraw it: "pbem decline {game.key}"',
        )
    return game, desk


def _own_offer(home: Home, name: str | None) -> Game | None:
    """The own invitation that is meant, while nobody has answered it."""
    ask_ahead(home, name)
    game = open_game(home, name)
    return game if game.log.count == 1 and game.seat_of(open_identity(home).pk) == 0 else None


def _renew(home: Home, name: str | None) -> bool:
    """Let an own invitation stand again that was withdrawn; whether it was."""
    from pbem.files import remove_file
    from pbem.summary import WITHDRAWN, refresh

    game = _own_offer(home, name)
    if game is None or not (game.path / WITHDRAWN).is_file():
        return False
    with home.lock():
        remove_file(game.path / WITHDRAWN)
        refresh(game, open_identity(home))
    say(f'Your invitation "{game.key}" stands again. When the answer comes: pbem apply FILE')
    return True


@click.command()
@game_argument
@click.pass_context
def decline(ctx: click.Context, game: str | None) -> None:
    """Decline an invitation, or withdraw your own. Nothing is signed or sent."""
    from pbem.files import write_file
    from pbem.summary import WITHDRAWN, refresh

    home = open_home(ctx)
    ask_ahead(home, game)
    with home.lock():
        own = _own_offer(home, game)
        if own is not None:
            write_file(own.path / WITHDRAWN, b"")
            refresh(own, open_identity(home))
            say(f'"{own.key}" is withdrawn. No file is made of this: tell the other player.')
            say(f"An answer that comes now is refused. If you change your mind: pbem accept {own.key}")
            return
        played, desk = _open_invitation(home, game)
        write_file(played.path / "declined", b"")
        refresh(played, desk.identity)
    say(f'"{played.key}" is declined. No file is made of this: tell the other player.')
    say(f"If you change your mind: pbem accept {played.key}")
