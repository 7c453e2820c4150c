"""`pbem export` and `pbem import`: a whole game as one archive."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli.desk import ANY_PATH, game_argument, json_option, open_game, open_home, write_out
from pbem.cli.screen import say


@click.command("export")
@game_argument
@click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write, else GAME.zip.")
@click.pass_context
def export(ctx: click.Context, game: str | None, output: Path | None) -> None:
    """Write all files of a game into one archive. There is nothing private in it."""
    from shlex import quote

    from pbem.archive import ENDING, write_archive

    played = open_game(open_home(ctx), game)
    path = output or Path(f"{played.key}{ENDING}")
    if path.is_dir():
        path /= f"{played.key}{ENDING}"
    write_out(path, write_archive(played.raw))
    say(f'{played.log.count} files of "{played.key}" are in "{path}".')
    say(f"Anybody can check it: pbem verify {quote(str(path))}")


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILE...")
@json_option
@click.pass_context
def import_game(ctx: click.Context, files: tuple[Path, ...], as_json: bool) -> int:
    """Take a whole game in from an archive: every file is checked as by apply."""
    from pbem.cli.apply import apply_files

    return apply_files(open_home(ctx), list(files), as_json=as_json)
