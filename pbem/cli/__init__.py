"""The command line: one file per group of commands, each imported only when it is called.

`COMMANDS` says where a command lives; nothing of it is imported for `pbem --help`, whose texts stand in
the same table. All errors pass through `run`, which prints one sentence and a hint and never a traceback.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

import click

from pbem.errors import PbemError, sentence

# Name of the command: module below pbem.cli, name in it, one line of help.
COMMANDS: dict[str, tuple[str, str, str]] = {
    "demo": ("demo", "demo", "Two bots play a whole game through real turn files before your eyes."),
    "id": ("ident", "ident", "Your identity and your contacts: new, show, export, import, backup."),
    "new": ("offer", "new", "Offer a game: writes the invitation file."),
    "apply": ("apply", "apply", "Check turn files completely and take them into their games."),
    "accept": ("offer", "accept", "Accept an invitation: writes the answer file."),
    "decline": ("offer", "decline", "Decline an invitation."),
    "games": ("status", "games", "List all games."),
    "status": ("status", "status", "Where a game stands, and what to do next."),
    "board": ("board", "board", "Show the board."),
    "hand": ("board", "hand", "Show your cards and what they do."),
    "log": ("board", "show_log", "Tell the story so far, in words."),
    "report": ("report", "report", "A page about one file: boards, dice, words, what is proved."),
    "replay": ("report", "replay", "A page with the whole game and a slider."),
    "play": ("play", "play", "Decide your file step by step: a guided turn."),
    "legal": ("decide", "legal", "List what you can do now, and what it would mean."),
    "do": ("decide", "do_actions", "Decide: actions in the notation, all or none."),
    "undo": ("decide", "undo", "Take back a decision that is not sealed yet."),
    "orders": ("orders", "show_orders", "Standing orders: retreats, ignored flags, Ambush."),
    "bot": ("bot", "bot", "Let a bot answer for you."),
    "seal": ("seal", "seal", "Sign the decisions made so far into a turn file; final from then on."),
    "resign": ("leave", "resign", "Give a game up: writes a signed file."),
    "claim": ("leave", "claim", "Claim a forfeit by the agreed clock."),
    "export": ("archive", "export", "Write a whole game into one archive."),
    "import": ("archive", "import_game", "Take a whole game in from an archive."),
    "verify": ("verify", "verify", "Check files, folders and archives of games; needs no keys."),
    "scenario": ("scenario", "scenario", "The battles: list, show, render, validate, import, export."),
}


MOST_NAME = 120  # characters of a path in a message


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        command = getattr(importlib.import_module(f"pbem.cli.{row[0]}"), row[1])
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0].lower(), COMMANDS, n=1)
            guess = f'; did you mean "{near[0]}"?' if near else ""
            raise click.UsageError(f'there is no command "{args[0]}"{guess}', ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, row[2]) for name, row in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--home", metavar="DIR", help="Home folder (else PBEM_HOME, else the platform's own place).")
@click.version_option(package_name="m44-pbem", prog_name="pbem")
def cli(home: str | None) -> None:
    """Memoir '44 by mail: signed turn files, verifiable dice, hidden hands, no server."""


def run(args: list[str] | None = None) -> int:
    """Run the program and return its exit status, as docs/commands.md lists them."""
    try:
        result: Any = cli.main(args=args, prog_name="pbem", standalone_mode=False)
    except click.exceptions.Abort:
        click.echo('stopped; "pbem status" shows what was kept', err=True)
        return 1
    except click.ClickException as problem:
        return _misread(problem)
    except PbemError as problem:
        return complain(sentence(problem), problem.hint, problem.exit_status)
    except UnicodeError:
        return complain("the command line, or a file it names, holds bytes that are no text", "", 1)
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has gone; leave quietly, as other programs do. This makes click leave the
        # process although it was told not to, and so does only the completion of a line in the shell.
        if "_PBEM_COMPLETE" in os.environ:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as problem:
        return _disk_trouble(problem, sys.argv[1:] if args is None else args)
    except Exception as problem:
        from engine.errors import EngineError  # not before it is needed: `pbem status` knows no engine

        if not isinstance(problem, EngineError):
            raise
        return complain(str(problem), "", 1)
    return result if isinstance(result, int) else 0


def _disk_trouble(problem: OSError, args: list[str]) -> int:
    """Say what a disk or a folder refuses that no command expects to; 4 if it is the home folder's."""
    from pathlib import Path

    from pbem.cli.desk import open_home

    reason = (problem.strerror or "unknown problem of the disk").lower()
    if not isinstance(problem.filename, str):
        return complain(reason, "", 1)
    path = Path(problem.filename).absolute()
    with cli.make_context("pbem", list(args), resilient_parsing=True) as ctx:
        own = path.is_relative_to(open_home(ctx).path.absolute())
    name = problem.filename
    shown = name if len(name) <= MOST_NAME else f"{name[: MOST_NAME // 2]}...{name[-MOST_NAME // 4 :]}"
    hint = (
        "mend this and try again; docs/store.md says what lies there"
        if own
        else "check its name and its permissions"
    )
    return complain(f'cannot use "{shown}": {reason}', hint, 4 if own else 1)


def _misread(problem: click.ClickException) -> int:
    """Say what is wrong with a command line, and where to look; the exit status."""
    ctx = problem.ctx if isinstance(problem, click.UsageError) else None
    if isinstance(problem, getattr(click.exceptions, "NoArgsIsHelpError", ())):  # of click 8.2 and later
        problem.show()
        return problem.exit_code
    message = " ".join(problem.format_message().split()).rstrip(".")
    hint = f'"{ctx.command_path} --help" explains it' if ctx is not None else ""
    return complain(f"{message[:1].lower()}{message[1:]}", hint, problem.exit_code)


def complain(message: str, hint: str, status: int) -> int:
    """Print one sentence, and what to do next if there is something."""
    # Either may quote the name of a file, which must not steer the terminal.
    click.echo(_shown(f"pbem: {message}"), err=True)
    if hint:
        click.echo(_shown(f"hint: {hint}"), err=True)
    return status


def _shown(text: str) -> str:
    return text if text.isprintable() else "".join(c if c.isprintable() else "?" for c in text)
