"""`pbem play`: a guided turn in the terminal. What is asked and what answers mean is in pbem/guide.py."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.board import drawn, hand_rows, plain_option
from pbem.cli.decide import open_draft
from pbem.cli.desk import check_unmoved, game_argument, open_home
from pbem.cli.screen import Screen, say, screen
from pbem.cli.seal import hand_out, practise, sign_draft
from pbem.errors import Refused
from pbem.home import read_json

if TYPE_CHECKING:
    from pbem.draft import Draft
    from pbem.guide import Guide
    from pbem.guide_menus import Question
    from pbem.store import Game

FIRST_LINES = 3  # below the first board: turn and medals, the question, the line to type in
NO_LIMIT = 1000  # lines, where there is no screen
PAGE = 16  # lines of choices shown at once; with the question they fit into a screen of 24
HELP = (
    'Type the number of a choice, or a hex, or an action as in "pbem do".',
    "  m     more choices, if the list is long",
    "  b     the board",
    "  h     your cards and what they do",
    "  u     undo the last decision",
    "  back  leave a list",
    "  q     stop here; what you have decided is kept",
    "The hex of a unit that is asked where it moves means that it stays.",
    "An empty line shows the choices again. Nothing is sent or final before you sign.",
)


@click.command()
@game_argument
@plain_option
@click.option("--colour", "--color", type=click.Choice(("auto", "always", "never")), default="auto")
@click.option("-o", "--output", type=click.Path(path_type=Path, allow_dash=True), help="File, or - to print.")
@click.pass_context
def play(ctx: click.Context, game: str | None, plain: bool, colour: str, output: Path | None) -> None:
    """Decide your file step by step; ends by offering to sign it."""
    from pbem.cli.report import leave_report
    from pbem.guide import Guide
    from pbem.standing import load_standing

    home = open_home(ctx)
    played, draft = open_draft(home, game)
    guide = Guide(draft, load_standing(played))
    table = Table(played, guide, screen("never" if plain else colour), plain=plain)
    table.run()
    if guide.outcome != "seal":
        say(f'What you have decided is kept. "pbem play {played.key}" goes on.')
        return
    with home.lock():  # not held while the player thinks
        table.check_same()
        data = sign_draft(played, guide.draft.desk, "")
        if output is None and practise(home, played, guide.draft.desk):
            return
    hand_out(played, data, output)
    if str(output) != "-":
        leave_report(played, guide.draft.desk.identity)


def decided(draft: Draft) -> list[Any]:
    """The choices of a draft in the form in which they are kept."""
    found: list[Any] = json.loads(json.dumps([[choice.name, choice.value] for choice in draft.choices]))
    return found


def decided_on_disk(game: Game) -> Any:
    """The choices that are kept for the next file."""
    kept = read_json(game.path / "draft.json")
    fits = isinstance(kept, dict) and kept.get("after") == game.log.previous.hex()
    return kept.get("choices") if fits else []


class Table:
    """A guide at a terminal: prints questions, reads answers."""

    def __init__(self, game: Game, guide: Guide, look: Screen, *, plain: bool) -> None:
        self.game = game
        self.guide = guide
        self.look = look
        self.plain = plain
        self.page = 0
        self.brief = False  # something was looked up, and the choices would push it off the screen
        self.hidden = False  # the first screen had no room for the board
        self.kept = decided(guide.draft)  # what was last read or written
        self.ambush = guide.standing.ambush

    @property
    def is_narrow(self) -> bool:
        """Whether the board cannot be drawn on this terminal."""
        from pbem.draw import board_width

        return self.look.width is not None and self.look.width < board_width(self.guide.draft.state)

    def run(self) -> None:
        """Ask until the player signs or leaves."""
        from pbem.draw.picture import paint
        from pbem.draw.words import medal_line

        self.open_with_board()
        self.tell(self.guide.story())
        state = self.guide.draft.state
        more = "b shows the board, ? shows help." if self.hidden else "? shows help."
        self.tell([f"Turn {state.turn}. {medal_line(paint(state))} {more}"])
        if not self.plain and self.is_narrow:
            self.tell(['This terminal is too narrow for the drawing of the board: "b" tells it in words.'])
        while not self.guide.outcome:
            self.show_question(self.guide.question())
            line = self.read()
            if line is None or line.lower() == "q":
                return
            self.take(line)

    def open_with_board(self) -> None:
        """Draw the board first, if a screen has room for it and for what follows; else "b" shows it."""
        from pbem.draw import text_board

        if self.plain or self.is_narrow:
            return
        state = self.guide.draft.state
        lines = len(text_board(state, chair=self.guide.side, legend=False).splitlines())
        room = (self.look.height or NO_LIMIT) - lines - FIRST_LINES
        question = self.guide.question()
        told = self.lines_of(self.guide.story())
        self.hidden = told > room
        if self.hidden:
            return
        self.show_board()
        choices = [self.choice(question, number) for number in self.pages(question)[0]]
        below = 1 + self.lines_of(question.notes) + sum(text.count("\n") + 1 for text in choices)
        self.brief = told + below > room

    def read(self) -> str | None:
        """A line from the player; None at the end of input and when the player interrupts."""
        try:
            return input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            say()
            return None

    def take(self, line: str) -> None:
        """Do what a line says, or say why not."""
        from pbem.typed import REFUSALS, problem_text

        shortcut = {"?": self.show_help, "b": self.show_board, "h": self.show_hand, "m": self.turn_page}
        self.brief = line.lower() in ("?", "b", "h")
        if not line or line.lower() in shortcut:
            shortcut.get(line.lower(), str)()
            return
        self.page = 0
        try:
            if line.lower() == "u":
                taken = self.guide.undo()
                told = [f"Taken back: {taken}."] if taken else []
            else:
                told = self.guide.answer(line)
        except REFUSALS as problem:
            text = problem_text(problem)
            self.tell([f"Not possible: {text}."])
            return
        self.keep()
        self.tell(told)

    def keep(self) -> None:
        """Keep what is decided, after every answer; what other commands have kept meanwhile stays."""
        from pbem.standing import load_standing, save_standing

        choices = decided(self.guide.draft)
        if choices == self.kept and self.guide.standing.ambush == self.ambush:
            return
        with self.game.home.lock():
            self.check_same()
            if not choices:
                self.game.drop_draft()
            elif choices != self.kept:
                self.game.save_draft(self.guide.draft)
            self.kept = choices
            if self.guide.standing.ambush != self.ambush:  # the only standing order that is asked for here
                self.ambush = self.guide.standing.ambush
                save_standing(self.game, load_standing(self.game)._replace(ambush=self.ambush))

    def check_same(self) -> None:
        """Raises Refused if another command has taken a file in or changed the draft since it was read."""
        check_unmoved(self.game)
        if decided_on_disk(self.game) != self.kept:
            raise Refused(
                "another command has changed the draft of this file meanwhile",
                hint=f'nothing is lost; "pbem play {self.game.key}" goes on with it as it is now',
            )

    # Showing

    def show_question(self, question: Question) -> None:
        """Print a question with a page of its choices."""
        if self.brief:
            self.tell([f"{question.title} (An empty line shows the choices.)"])
            return
        say()
        self.tell(question.notes)
        self.tell([question.title])
        pages = self.pages(question)
        for number in pages[self.page % len(pages)]:
            say(self.choice(question, number))
        if len(pages) > 1:
            say(f"  m  more (page {self.page % len(pages) + 1} of {len(pages)})")

    def choice(self, question: Question, number: int) -> str:
        """One numbered choice as lines."""
        head = f"{number:>3}  "
        text = question.options[number - 1].text
        return textwrap.fill(text, self.look.text_width, initial_indent=head, subsequent_indent="     ")

    def pages(self, question: Question) -> list[list[int]]:
        """The numbers of the choices, as many at a time as fit on the screen."""
        found: list[list[int]] = [[]]
        lines = 0
        for number in range(1, len(question.options) + 1):
            lines += self.choice(question, number).count("\n") + 1
            if lines > PAGE and found[-1]:
                found.append([])
                lines = self.choice(question, number).count("\n") + 1
            found[-1].append(number)
        return found

    def show_help(self) -> None:
        """Print what may be typed."""
        self.tell(HELP)

    def show_board(self) -> None:
        """Print the board as the draft has it."""
        say(drawn(self.guide.draft.state, self.guide.side, self.look, plain=self.plain, legend=False))

    def show_hand(self) -> None:
        """Print the cards."""
        for row in hand_rows(self.guide.draft.desk, self.guide.draft):
            self.fill(f"{row['name']}: {row['text']}", head="- ")

    def turn_page(self) -> None:
        """Show the next choices, or the first ones again."""
        self.page += 1

    def tell(self, lines: Iterable[str]) -> None:
        """Print sentences."""
        for line in lines:
            self.fill(line, head="")

    def fill(self, text: str, *, head: str) -> None:
        """Print a text within the width of the terminal."""
        say(self.folded(text, head))

    def folded(self, text: str, head: str = "") -> str:
        """A text as lines; words of the notation and commands stay whole."""
        return textwrap.fill(
            text,
            self.look.text_width,
            initial_indent=head,
            subsequent_indent=" " * len(head),
            break_on_hyphens=False,
        )

    def lines_of(self, texts: Iterable[str]) -> int:
        """How many lines some sentences take."""
        return sum(self.folded(text).count("\n") + 1 for text in texts)
