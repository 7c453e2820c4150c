"""`pbem bot`: a bot decides and signs your next file."""

from __future__ import annotations

import random
from pathlib import Path

import click

from pbem.cli.decide import open_draft
from pbem.cli.desk import ask_ahead, check_message, game_argument, open_home
from pbem.cli.screen import say_all, say_filled
from pbem.cli.seal import hand_out, practise, sign_draft

BOTS = ("sergeant", "busy", "random")


@click.command()
@game_argument
@click.option("--bot", "kind", type=click.Choice(BOTS), default=BOTS[0], show_default=True)
@click.option("--draft", "only_draft", is_flag=True, help="Decide, but leave the signing to you.")
@click.option("--message", help="A few words that travel in the file; everybody can read them.")
@click.option("-o", "--output", type=click.Path(path_type=Path, allow_dash=True), help="File, or - to print.")
@click.pass_context
def bot(
    ctx: click.Context,
    game: str | None,
    kind: str,
    only_draft: bool,
    message: str | None,
    output: Path | None,
) -> None:
    """Let a bot answer for you: it finishes what you have begun, and signs the file."""
    from pbem.cli.decide import done_text
    from pbem.cli.report import leave_report
    from pbem.mailbot import decide
    from pbem.typed import copied

    home = open_home(ctx)
    words = check_message(message)
    ask_ahead(home, game)
    with home.lock():
        played, before = open_draft(home, game)
        if only_draft and before.must_confirm:
            say_all(done_text(played, before, before)[-1])
            return
        draft = copied(before)
        decide(draft, random.SystemRandom(), bot=kind)
        told = done_text(played, before, draft)
        played.save_draft(draft)
        for line in told[:-1] if not before.must_confirm else ():  # the signing is told when it is done
            say_filled(line)
        if only_draft:
            say_all(told[-1])
            return
        data = sign_draft(played, draft.desk, words)
        if output is None and practise(home, played, draft.desk):
            return
    hand_out(played, data, output)
    if str(output) != "-":
        leave_report(played, draft.desk.identity)
