"""`pbem resign` and `pbem claim`: leaving a game, and being left."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.desk import (
    ANY_PATH,
    ask_ahead,
    check_message,
    check_unmoved,
    game_argument,
    json_option,
    open_desk,
    open_game,
    open_home,
    write_out,
)
from pbem.cli.screen import say, say_filled, say_json
from pbem.cli.seal import hand_out
from pbem.errors import Fault, PbemError, Refused

if TYPE_CHECKING:
    from pbem.draft import Desk
    from pbem.gathering import Paper
    from pbem.home import Home
    from pbem.store import Game
    from pbem.verdict import Verdict


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
    with home.lock():  # not held while somebody thinks
        check_unmoved(played)
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
        what = "withdraws your invitation" if desk.seat == 0 else "declines an invitation"
        raise Refused("the game has not begun", hint=f'"pbem decline {played.key}" {what}')
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
@click.argument("games", nargs=-1, metavar="[GAME|PATH...]")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
@click.option(
    "--check",
    "claim",
    type=ANY_PATH,
    metavar="FILE",
    help="Check a claim instead.",
)
@click.option("--restart", is_flag=True, help="The machine's clock was ahead once: count from now on.")
@json_option
@click.pass_context
def claim(
    ctx: click.Context,
    games: tuple[str, ...],
    output: Path | None,
    claim: Path | None,
    restart: bool,
    as_json: bool,
) -> int:
    """Claim a forfeit: the other player has let the agreed clock run out.

    With --check a claim is compared with a game here, or with the files of its game at PATH: archives,
    mails, folders. That needs no keys.
    """
    from pbem.claim import make_claim, moment
    from pbem.files import now
    from pbem.summary import note_claim

    home = open_home(ctx)
    if claim is not None and restart:
        raise click.UsageError("either --check or --restart")
    if claim is not None:
        return _check(home, games, claim, as_json=as_json)
    if as_json:
        raise click.UsageError("a claim is a text; --json goes with --check")
    if len(games) > 1:
        raise click.UsageError("a claim is about one game")
    if restart and output is not None:
        raise click.UsageError("--restart writes no claim, and takes no --output")
    if restart:
        return _restart(home, games[0] if games else None)
    played, desk = open_desk(home, games[0] if games else None)
    match = played.referee.match
    assert match is not None
    sent, made = played.times[-1], now()
    if made < sent:
        raise Refused(
            f"the last file is dated {moment(sent)}, and the clock of this machine says {moment(made)}: "
            "it was ahead then, or is behind now",
            hint=f'set it right; if it is right, "pbem claim {played.key} --restart" counts from now on',
        )
    text = make_claim(played.log, match, desk.identity, sent=sent, made=made)
    path = output or Path(f"{played.key}-claim.txt")
    write_out(path, text.encode())
    with suppress(PbemError), home.lock():  # the claim is written, and stands without the mark
        note_claim(played, made)
    say_filled(f'The claim is in "{path}". Send it, with all files of the game, to whoever decides.')
    say_filled(
        "It proves whose move it is and what was agreed. It does not prove that your last file arrived: "
        f'send that once more before a witness ("pbem seal {played.key}" writes it again).'
    )
    return 0


def _restart(home: Home, name: str | None) -> int:
    """Date what lies ahead of the clock now, so that the agreed days can run out."""
    from pbem.claim import moment
    from pbem.files import now
    from pbem.summary import refresh

    ask_ahead(home, name)
    with home.lock():
        played, desk = open_desk(home, name)
        present = now()
        if played.times[-1] <= present:
            raise Refused(
                f"the last file is dated {moment(played.times[-1])}, which is not ahead of the clock",
                hint=f'"pbem status {played.key}" says when the clock runs out',
            )
        played.date_back(present)
        refresh(played, desk.identity)
    say(f"The time for the next file counts from now, {moment(present)}.")
    return 0


def _check(home: Home, games: tuple[str, ...], path: Path, *, as_json: bool) -> int:
    """Compare the claim in a file with its game; the exit status."""
    from pbem.claim import claim_lines, judge_claim, read_claim
    from pbem.files import now

    paper = _read_claim(path)
    verdicts: list[Verdict] = []
    times: list[int] = []
    with suppress(Fault):  # a damaged or forged claim: judge_claim says so
        verdicts, times = _verdicts(home, games, read_claim(paper.data or b"").game)
    found = judge_claim(paper, verdicts, at=now(), times=times)
    if as_json:
        say_json(found._asdict())
        return 0 if found.valid else 3
    if not found.valid:
        raise Fault(found.code, found.message)
    for line in claim_lines(found):
        say(f"{line[:1].upper()}{line[1:]}.")
    say("The claim fits the files here.")
    return 0


def _read_claim(path: Path) -> Paper:
    """The first claim in a file: a text, or a mail with it; raises Refused or Fault."""
    from pbem.gathering import Paper
    from pbem.parcel import MOST_BYTES, Aside, open_parcel

    try:
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES)
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        raise Refused(f'cannot read "{path}": {reason}', hint="check its name") from problem
    for item in open_parcel(data, str(path)):
        if isinstance(item, Aside) and item.kind == "claim":
            return Paper(item.origin, item.data)
    raise Fault("claim", f'there is no claim in "{path}"', hint="ask for it again")


def _verdicts(home: Home, games: tuple[str, ...], game: bytes) -> tuple[list[Verdict], list[int]]:
    """The verdicts on the game that is meant, of this home or at paths; when its files came to this home."""
    from pbem.description import describe
    from pbem.verification import verify_paths

    keys = home.game_keys()
    if games and games[0] not in keys and (len(games) > 1 or Path(games[0]).exists()):
        for name in games:
            if not Path(name).exists():
                raise Refused(f'there is no file "{name}"', hint="check its name")
        return verify_paths([Path(name) for name in games], game=game)[0], []
    played = open_game(home, games[0] if games else _key_of(home, game))
    return [describe(played.log, played.referee)], played.times


def _key_of(home: Home, game: bytes) -> str:
    """The key of the game with this id; raises Refused."""
    from pbem.records import read_accepted

    for key in home.game_keys():
        if read_accepted(home.games / key / "accepted.json").game == game.hex():
            return key
    raise Refused("the game of this claim is not here", hint='"pbem claim --check FILE PATH" names its files')
