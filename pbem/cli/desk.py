"""What commands about games share: the home folder, the identity, the game that is meant."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import click

from pbem.errors import Refused
from pbem.home import Home, default_home, read_json
from pbem.message import check_words

if TYPE_CHECKING:
    from pbem.draft import Desk
    from pbem.identity import Identity
    from pbem.store import Game

game_argument = click.argument("game", required=False)
ANY_PATH = click.Path(path_type=Path, readable=False)  # the command says itself what it cannot read
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON with stable keys.")


def open_home(ctx: click.Context) -> Home:
    """The home folder that --home, PBEM_HOME or the platform names."""
    chosen = ctx.find_root().params.get("home")
    return Home(Path(chosen) if chosen else default_home(dict(os.environ)))


def ask_passphrase() -> str:
    """The passphrase of the key file: from PBEM_PASSPHRASE or from the keyboard."""
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is not None:
        return given
    return prompt_hidden("Passphrase")


def prompt_hidden(text: str, *, twice: bool = False) -> str:
    """What somebody types unseen; raises Refused where there is no terminal to hide it."""
    import warnings
    from getpass import GetPassWarning

    with warnings.catch_warnings():
        warnings.simplefilter("error", GetPassWarning)
        try:
            return str(click.prompt(text, hide_input=True, confirmation_prompt=twice, err=True))
        except GetPassWarning:
            raise Refused(
                "a passphrase is needed, and there is no terminal to ask for it",
                hint="put it into the variable PBEM_PASSPHRASE",
            ) from None


_opened: WeakKeyDictionary[Home, tuple[Identity, str]] = WeakKeyDictionary()


def open_named_identity(home: Home) -> tuple[Identity, str]:
    """The own identity and its name; a passphrase is asked for once in a command."""
    if home not in _opened:
        _opened[home] = home.load_identity(ask_passphrase)
    return _opened[home]


def open_identity(home: Home) -> Identity:
    """The own identity."""
    return open_named_identity(home)[0]


def ask_ahead(home: Home, name: str | None) -> None:
    """Find the game that is meant and open the identity, for a command that is about to lock the home.

    Nobody else shall wait while somebody looks for a passphrase. The game itself is read under the lock.
    """
    find_key(home, name)
    open_identity(home)


def find_key(home: Home, name: str | None) -> str:
    """The game that a name, a beginning of its key or a part of it means; without one the only open game."""
    keys = home.game_keys()
    if not keys:
        raise Refused(
            "you have no games yet", hint='"pbem new SCENARIO" offers one, "pbem apply FILE" takes one in'
        )
    if name is None:
        open_keys = [key for key in keys if not _is_over(home, key)] if len(keys) > 1 else keys
        if len(open_keys) == 1:
            return open_keys[0]
        raise Refused("you have several games; say which", hint=f"one of: {', '.join(open_keys or keys)}")
    wanted = name.lower()
    for fits in (
        [key for key in keys if key == wanted],
        [key for key in keys if key.startswith(wanted)],
        [key for key in keys if wanted in key],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise Refused(f'"{name}" fits several games', hint=f"one of: {', '.join(fits)}")
    raise Refused(f'there is no game "{name}"', hint='"pbem games" lists them')


def _is_over(home: Home, key: str) -> bool:
    """Whether the kept summary of a game says that nothing comes any more; without one it counts as open."""
    kept = read_json(home.games / key / "summary.json")
    return isinstance(kept, dict) and kept.get("state") in ("over", "taken", "withdrawn")


def open_game(home: Home, name: str | None) -> Game:
    """The game that is meant, with its files read."""
    from pbem.store import Game

    return Game(home, find_key(home, name)).load()


def open_desk(home: Home, name: str | None) -> tuple[Game, Desk]:
    """The game that is meant and the own desk in it."""
    game = open_game(home, name)
    return game, game.desk(open_identity(home))


def check_unmoved(game: Game) -> None:
    """Raises Refused if another command has taken a file into a game since it was read; hold the lock."""
    if (game.path / "files" / f"{game.log.count:04}.m44").exists():
        raise Refused("the game has gone on meanwhile", hint=f'"pbem status {game.key}" says where it is')


def public_mode() -> int:
    """The permissions of a file that is for the user, as any other program would give it."""
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def write_out(path: Path, data: bytes, *, private: bool = False, option: str = "-o") -> None:
    """Write a file for the user, whole, readable by others as any other file; raises Refused."""
    from pbem.errors import StoreError
    from pbem.files import write_file

    try:
        write_file(path, data, mode=public_mode() & (0o600 if private else 0o666))
    except StoreError as problem:
        hint = f"choose another place with {option}"
        raise Refused(problem.message, hint=hint, code="cannot-write") from problem


def write_signed(path: Path, data: bytes, key: str) -> None:
    """Write a file that the store has already; if that fails it can be had again."""
    try:
        write_out(path, data)
    except Refused as problem:
        problem.hint = f'it is signed and kept; "pbem seal {key} -o FILE" writes it elsewhere'
        raise


def turn_path(output: Path | None, number: int, key: str, data: bytes, *, ending: str = ".m44") -> Path:
    """Where a turn file goes: -o, or turnNN.m44 here; another game's file there is left alone."""
    folder = Path() if output is None else output
    if output is not None and not os.path.isdir(output):  # also for names that no disk takes
        return output
    path = folder / f"turn{number:02}{ending}"
    if path.exists() and not _holds(path, data):
        return folder / f"{key}-turn{number:02}{ending}"
    return path


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def check_message(message: str | None) -> str:
    """A message that may travel in a file, "" for none; raises Refused."""
    text = (message or "").strip()
    check_words(text)
    return text
