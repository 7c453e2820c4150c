"""`pbem resign` and `pbem claim`: leaving a game, and being left."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.desk import ask_ahead, check_message, game_argument, open_desk, open_game, open_home, write_out
from pbem.cli.screen import say, say_filled
from pbem.cli.seal import hand_out
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.draft import Desk
    from pbem.home import Home
    from pbem.store import Game


@click.command()
@game_argument
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--message", help="A few words that travel in the file; everybody can read them.")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@click.pass_context
def resign(ctx: click.Context, game: str | None, yes: bool, message: str | None, output: Path | None) -> None:
    """Give a game up. Writes a signed file that ends it."""
    from pbem.draft import Choice, Draft, Wishes, resignation
    from pbem.practice import is_practice
    from pbem.summary import refresh

    home = open_home(ctx)
    words = check_message(message)
    played, desk = _open_unfinished(home, game)
    if not yes:
        click.confirm(f'Give up "{played.key}"? This cannot be taken back', abort=True, err=True)
    with home.lock():  # not held while somebody thinks: what counts is looked at again
        played, desk = _open_unfinished(home, played.key)
        first = (Choice("say", words),) if words else ()
        draft = Draft(desk, (*first, resignation()))
        _, data = played.sign(draft, Wishes(), os.urandom)
        refresh(played, desk.identity)
    say(f'You have resigned "{played.key}".')
    if output is not None or not is_practice(home, played):
        hand_out(played, data, output)


def _open_unfinished(home: Home, name: str | None) -> tuple[Game, Desk]:
    """The game that is meant and the own desk; raises Refused unless it can be given up now."""
    from engine import is_over
    from pbem.draft import Draft

    ask_ahead(home, name)
    played, desk = open_desk(home, name)
    if played.log.ended:
        raise Refused("the game is over already", hint=f'"pbem status {played.key}" says how it ended')
    if played.log.count < 2:
        raise Refused("the game has not begun", hint=f'"pbem decline {played.key}" declines an invitation')
    if not desk.is_next():
        raise Refused(
            "you can resign with your next file, and now it is the other player's turn to write",
            hint="wait for their file, or tell them by mail",
        )
    if is_over(Draft(desk).referee.now):
        raise Refused(
            "the game is decided, and only its result can be signed",
            hint=f'"pbem seal {played.key}" signs it',
        )
    return played, desk


@click.command()
@game_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--check", "claim", type=click.Path(path_type=Path), metavar="FILE", help="Check a claim instead."
)
@click.pass_context
def claim(ctx: click.Context, game: str | None, output: Path | None, claim: Path | None) -> None:
    """Claim a forfeit: the other player has let the agreed clock run out."""
    from pbem.claim import make_claim
    from pbem.files import now

    home = open_home(ctx)
    if claim is not None:
        _check(ctx, game, claim)
        return
    played, desk = open_desk(home, game)
    match = played.referee.match
    assert match is not None
    sent, made = played.times[-1], now()
    if made < sent:
        raise Refused(
            "the clock of this machine is behind the time of the last file: nothing can be claimed by it",
            hint="set the clock right",
        )
    text = make_claim(played.log, match, desk.identity, sent=sent, made=made)
    path = output or Path(f"{played.key}-claim.txt")
    write_out(path, text.encode())
    say_filled(f'The claim is in "{path}". Send it, with all files of the game, to whoever decides.')
    say_filled(
        "It proves whose move it is and what was agreed. It does not prove that your last file arrived: "
        f'send that once more before a witness ("pbem seal {played.key}" writes it again).'
    )


def _check(ctx: click.Context, game: str | None, path: Path) -> None:
    from pbem.claim import check_claim, describe_claim, parse_claim

    try:
        with path.open("rb") as stream:
            text = stream.read(100_000).decode("utf-8", "replace")
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        raise Refused(f'cannot read "{path}": {reason}', hint="check its name") from problem
    found = parse_claim(text)
    played = open_game(open_home(ctx), game)
    match = played.referee.match
    assert match is not None
    check_claim(found, played.log, match)
    for line in describe_claim(found):
        say(line)
    say("The claim fits the files here.")
