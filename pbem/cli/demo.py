"""`pbem demo`: two bots play a whole game through real turn files, in two homes, before your eyes."""

from __future__ import annotations

import os
import random
import shutil
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.board import drawn, file_passages
from pbem.cli.screen import Screen, say, screen
from pbem.errors import Refused
from pbem.library import scenario_text

if TYPE_CHECKING:
    from engine.croupier import Luck
    from pbem.home import Home
    from pbem.identity import Identity
    from pbem.log import Entry
    from pbem.store import Game
    from pbem.story import Passage

BOARD_EVERY = 8  # files between two boards
MOST_FILES = 400
PACE = 0.7  # seconds, so that people can follow
NAMES = ("Anna", "Bruno")
WORTH_TELLING = ("attack", "card", "end", "lapsed")  # passages of the short commentary


@click.command()
@click.option("--scenario", default="pegasus-bridge", show_default=True, help="The battle to play.")
@click.option("--seed", type=int, help="Play a game that can be repeated; for show only.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for homes, files and reports.")
@click.option("--dice", type=click.Choice(("sealed", "instant")), default="sealed", show_default=True)
@click.option("--retreat", type=click.Choice(("live", "sheet", "strict")), help="In sealed games; else live.")
@click.option("--colour", "--color", type=click.Choice(("auto", "always", "never")), default="auto")
@click.option("--pace", type=click.FloatRange(0, 10), help="Seconds to rest after a file (terminal: 0.7).")
@click.option("--quiet", is_flag=True, help="No commentary, only the end.")
def demo(
    scenario: str,
    seed: int | None,
    out: Path | None,
    dice: str,
    retreat: str | None,
    colour: str,
    pace: float | None,
    quiet: bool,
) -> None:
    """Two bots play a whole game by mail: every file is signed, applied and verified."""
    if dice == "instant" and retreat is not None:
        raise click.UsageError("with instant dice retreats follow standing orders: leave --retreat out")
    document = scenario_text(scenario)
    folder = fresh_folder(out)
    luck, source = sources(seed)
    look = screen(colour)
    show = Show(look, quiet=quiet, pace=(PACE if look.width else 0) if pace is None else pace)
    show.begin(scenario, dice, folder, seed)
    stage = Stage(folder, luck, source)
    stage.offer(document, dice, retreat or "")
    while not stage.players[0].game.log.ended:
        if stage.players[0].game.log.count >= MOST_FILES:
            raise Refused(f"the bots have written {MOST_FILES} files and found no end")
        author = stage.next_author()
        show.file(stage, author, stage.write(author))
    stage.publish()
    show.end(stage, stage.verify())


def sources(seed: int | None) -> tuple[Luck, Callable[[int], bytes]]:
    """Where luck and secrets come from; a seed makes them repeatable, and worthless as secrets."""
    if seed is None:
        return random.SystemRandom(), os.urandom
    show = random.Random(seed)  # noqa: S311  (asked for, and announced, as a game for show)
    return show, show.randbytes


def fresh_folder(out: Path | None) -> Path:
    """An empty folder for the demonstration; raises Refused where there is something."""
    if out is None:
        numbers = (Path(f"demo-{number}") for number in range(1, 1000))
        out = next((path for path in numbers if not path.exists()), Path("demo"))
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()):
            raise Refused(f'there is something in "{out}" already', hint="choose an empty folder with --out")
    except OSError as problem:
        raise Refused(
            f'"{out}" cannot be used: {problem.strerror}', hint="choose another with --out"
        ) from problem
    return out


# The players


@dataclass
class Player:
    """A bot with a home of its own."""

    name: str
    home: Home
    identity: Identity
    game: Game


class Stage:
    """Two players, and the folder in which their files travel."""

    def __init__(self, folder: Path, luck: Luck, source: Callable[[int], bytes]) -> None:
        from pbem.home import Home
        from pbem.identity import make_card, new_identity, seal_key_file
        from pbem.store import Game

        self.folder = folder
        self.luck = luck
        self.source = source
        self.players: list[Player] = []
        for name in NAMES:
            home = Home(folder / f"home-{name.lower()}")
            identity = new_identity(source)
            home.save_identity(seal_key_file(identity, None, name))
            self.players.append(Player(name, home, identity, Game(home, "demo")))
        for one, other in (self.players, self.players[::-1]):
            one.home.save_contact(other.name, make_card(other.identity, other.name))

    @property
    def files(self) -> Path:
        """Where the turn files lie."""
        return self.folder / "files"

    def offer(self, document: str, dice: str, retreat: str) -> None:
        """Files 0 and 1: invitation and answer."""
        from pbem.draft import write_answer
        from pbem.ruleset import build_terms
        from pbem.writer import write_offer

        first, second = self.players
        terms = build_terms(
            document,
            army="allies",
            pk=first.identity.pk,
            opponent=second.identity.pk,
            names=NAMES,
            dice=dice,
            retreat=retreat,
        )
        data = write_offer(terms, first.identity, self.source)
        first.game.keep_signed(data)
        self.deliver(data, 0)
        game = second.game
        data = write_answer(game.log, game.referee, second.identity, self.source)
        game.keep_signed(data)
        self.deliver(data, 1)

    def next_author(self) -> int:
        """Who writes the next file."""
        first = self.players[0]
        return 0 if first.game.desk(first.identity).is_next() else 1

    def write(self, author: int) -> Entry:
        """Decide, sign and deliver the next file."""
        from pbem.mailbot import decide, standing_orders
        from pbem.report import write_report
        from pbem.standing import seal_draft

        player = self.players[author]
        draft = player.game.load_draft(player.game.desk(player.identity))
        decide(draft, self.luck)
        entry, data = seal_draft(player.game, draft, standing_orders(), self.source)
        self.deliver(data, author)
        write_report(self.players[1 - author].game, entry.number, self.folder / "reports")
        return entry

    def deliver(self, data: bytes, author: int) -> None:
        """Put a signed file into the folder, and let the other player check it and take it in."""
        from pbem.files import make_folder, write_file

        make_folder(self.files)
        number = self.players[author].game.log.count - 1
        path = self.files / f"turn{number:02}.m44"
        write_file(path, data)
        self.players[1 - author].game.accept(path.read_bytes())

    def publish(self) -> None:
        """Write the archive of the game and the page that replays it."""
        from pbem.archive import write_archive
        from pbem.files import write_file
        from pbem.replay import make_replay, render_replay

        game = self.players[0].game
        write_file(self.archive, write_archive(game.raw))
        page = render_replay(make_replay(game.log, game.referee, bottom=0))
        write_file(self.folder / "replay.html", page.encode())

    @property
    def archive(self) -> Path:
        """All files of the game in one."""
        return self.folder / "game.zip"

    def verify(self) -> int:
        """A third party without any key checks the archive from the first file on; how many there were."""
        from pbem.verification import verify_paths

        verdicts, _ = verify_paths([self.archive])
        if len(verdicts) != 1 or not verdicts[0].verified:
            raise Refused(
                "the third party has found something wrong", hint=f"type: pbem verify {self.archive}"
            )
        return verdicts[0].files


# The commentary


class Show:
    """Tells an audience what happens."""

    def __init__(self, look: Screen, *, quiet: bool, pace: float) -> None:
        self.look = look
        self.quiet = quiet
        self.pace = pace

    def begin(self, scenario: str, dice: str, folder: Path, seed: int | None) -> None:
        """Say what is going to happen."""
        text = (
            f"{NAMES[0]} leads the Allies, {NAMES[1]} the Axis, each with a home folder of their own in"
            f' "{folder}". They have nothing in common but the files they send: every file is signed, every'
            " card and every die can be checked, and the other side checks each file before it believes it."
        )
        self.fill(f'Two bots play "{scenario}" by mail, with {dice} dice.')
        self.fill(text)
        if seed is not None:
            self.fill(
                f"With the seed {seed} the game is always the same, and it has no secrets: for show only."
            )
        say()

    def file(self, stage: Stage, author: int, entry: Entry) -> None:
        """The story of one file, in short."""
        if self.quiet:
            return
        player = stage.players[author]
        state = player.game.referee.now
        medals = f"medals {state.medals(0)} : {state.medals(1)}"
        head = f"turn{entry.number:02}.m44  {player.name}, {entry.size} bytes, checked by {NAMES[1 - author]}"
        say(f"{head:<60}{medals:>16}")
        for text in commentary(file_passages(player.game, entry.number, None)) or ["The turn is over."]:
            self.fill(text, indent="    ")
        if self.pace:
            time.sleep(self.pace)
        if entry.number % BOARD_EVERY == 0 and not player.game.log.ended:
            say()
            say(drawn(player.game.referee.now, 0, self.look, legend=False))
            say()

    def end(self, stage: Stage, count: int) -> None:
        """The result, the third party's word, and where everything is."""
        from pbem.wording import result_text

        game = stage.players[0].game
        say()
        say(drawn(game.referee.now, 0, self.look))
        say()
        self.fill(f"{_capital(result_text(game.referee))}. Both have signed the result.")
        size = sum(len(data) for data in game.raw)
        self.fill(
            f"A third party without any key has verified all {count} files ({size} bytes): signatures, chain,"
            " shuffles, cards, dice and rules."
        )
        say()
        for player in stage.players:
            say(f"  {player.name:9} {player.home.path}")
        say(f"  files     {stage.files}")
        say(f"  archive   {stage.archive}")
        say(f"  reports   {stage.folder / 'reports'}")
        say(f"  replay    {stage.folder / 'replay.html'}")
        say()
        say(f"Read its story:    {program()} --home {stage.players[0].home.path} log")
        say(f"Check it again:    {program()} verify {stage.archive}")
        say(f"Look at the game:  open {stage.folder / 'replay.html'} in a browser")

    def fill(self, text: str, *, indent: str = "") -> None:
        """Print a text within the width of the terminal."""
        width = self.look.text_width
        say(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent + "  "))


def program() -> str:
    """How this program is called from here."""
    if shutil.which("pbem"):
        return "pbem"
    local = Path(".venv/bin/pbem")
    return str(local) if local.is_file() else "python -m pbem"


def commentary(passages: Sequence[Passage]) -> list[str]:
    """The story of a file in few sentences: cards, dice and what they do; orders and moves are counted."""
    found = []
    for passage in passages:
        if passage.kind in WORTH_TELLING:
            ordered = sum(1 for line in passage.lines if line.kind == "ordered")
            texts = [line.text for line in passage.lines if line.kind != "ordered"]
            if ordered:
                texts.append("1 unit is ordered." if ordered == 1 else f"{ordered} units are ordered.")
            found.append(" ".join(texts))
        elif passage.kind == "moves":
            moves = sum(1 for line in passage.lines if line.kind == "moved")
            others = [line.text for line in passage.lines if line.kind != "moved"]
            found.append(" ".join(["1 unit moves." if moves == 1 else f"{moves} units move.", *others]))
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
