"""`pbem seal`: the decisions made so far become a signed file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli.desk import (
    ask_ahead,
    check_message,
    game_argument,
    open_desk,
    open_home,
    turn_path,
    write_signed,
)
from pbem.cli.screen import say, say_filled, say_fitting, screen
from pbem.errors import Refused

if TYPE_CHECKING:
    from pbem.draft import Desk, Draft, Wishes
    from pbem.home import Home
    from pbem.log import Entry
    from pbem.referee import Referee
    from pbem.store import Game

SETUP_FILES = 2  # invitation and answer


@click.command()
@game_argument
@click.option("-o", "--output", type=click.Path(path_type=Path, allow_dash=True), help="File, or - to print.")
@click.option("--message", help="A few words that travel in the file; everybody can read them.")
@click.option("--armor", is_flag=True, help="Write text for a mail body instead of an attachment.")
@click.pass_context
def seal(ctx: click.Context, game: str | None, output: Path | None, message: str | None, armor: bool) -> None:
    """Sign what you have decided into turnNN.m44; repeated, it writes the same file again."""
    from pbem.cli.report import leave_report

    home = open_home(ctx)
    words = check_message(message)
    ask_ahead(home, game)
    with home.lock():
        played, desk = open_desk(home, game)
        if desk.is_next():
            data = sign_draft(played, desk, words)
        else:
            data = last_own(played, desk, words)
        if output is None and practise(home, played, desk):
            return
    hand_out(played, data, output, as_text=armor)
    if str(output) != "-":
        leave_report(played, desk.identity, played.raw.index(data))


def sign_draft(game: Game, desk: Desk, message: str) -> bytes:
    """Seal the draft of a game; raises Refused while something is to be decided."""
    from pbem.summary import refresh

    if game.log.count < 2:
        raise Refused("the game has not begun", hint=f'"pbem accept {game.key}" accepts the invitation')
    draft, wishes = prepare(game, desk, message)
    _, data = game.sign(draft, wishes, os.urandom)
    refresh(game, desk.identity)
    _tell_end(game.referee, desk.seat)
    if desk.terms.retreat == "sheet" and not game.log.ended:
        say(f'Your retreats are sealed in it; "pbem orders -g {game.key}" shows and changes them.')
    return data


def _tell_end(referee: Referee, seat: int) -> None:
    """Say what a file that was just signed does to a game that is decided."""
    from pbem.wording import open_assaults, outcome_text, result_text

    assert referee.match is not None
    other = referee.match.called[1 - seat]
    doubts = open_assaults(referee)
    if referee.confirmed:
        say_filled(f"The game is over: {result_text(referee)}. With this file you sign the result.")
    elif referee.winner >= 0 and doubts:
        say_filled(
            f"{outcome_text(referee, seat)}, unless an Ambush answers the close assault at"
            f" {', '.join(doubts)}: then what followed is void. {other}'s file will say."
        )
    elif referee.winner >= 0:
        say_filled(f"{outcome_text(referee, seat)}. {other} signs the result with the next file.")


def prepare(game: Game, desk: Desk, message: str) -> tuple[Draft, Wishes]:
    """The draft as it will be sealed: with the message, and with the result if the game is decided."""
    from pbem.draft import Choice, Draft
    from pbem.standing import load_standing, wishes_of
    from pbem.standing import prepare as complete

    draft = game.load_draft(desk)
    standing = load_standing(game)
    if message:  # in front, for nothing follows the end of a game
        others = tuple(choice for choice in draft.choices if choice.name != "say")
        draft = Draft(desk, (Choice("say", message), *others))
    complete(draft, standing)
    if not draft.is_decided:
        from pbem.story import question_of

        asked = question_of(draft).text.rstrip(".")
        raise Refused(
            f"the file is not finished: {asked[:1].lower()}{asked[1:]}",
            hint=f'"pbem play {game.key}" goes on, "pbem status {game.key}" says where you are',
        )
    return draft, wishes_of(desk, standing)


def practise(home: Home, game: Game, desk: Desk) -> bool:
    """Let a practice opponent answer; whether there is one."""
    from pbem.cli.apply import say_next, show_dice
    from pbem.cli.report import leave_report
    from pbem.draft import Draft
    from pbem.practice import answer, is_practice
    from pbem.summary import read_summary, refresh
    from pbem.wording import result_text

    if not is_practice(home, game):
        return False
    _tell_answers(home, game, answer(home, game))
    present = game.desk(desk.identity)
    if (
        game.log.count == SETUP_FILES and Draft(present).is_decided
    ):  # the bot moves first: only shares are due
        sign_draft(game, present, "")
        _tell_answers(home, game, answer(home, game))
    refresh(game, desk.identity)
    if not game.log.ended and game.log.count > SETUP_FILES:
        show_dice(game, desk.identity)
        say()
    leave_report(game, desk.identity)
    if game.log.ended:
        say(f"The game is over: {result_text(game.referee)}.")
    else:
        say_next(read_summary(home, game.key))
    return True


def _tell_answers(home: Home, game: Game, entries: list[Entry]) -> None:
    """Print the story of the files with which a bot has answered."""
    from pbem.cli.board import file_story, own_side, story_lines

    for entry in entries:
        say(story_lines(file_story(game, entry.number, own_side(home, game)), screen().text_width))


def last_own(game: Game, desk: Desk, message: str) -> bytes:
    """Our file at the end of the game so far, for sending again; raises Refused if there is none."""
    own = [entry.number for entry in game.log.entries if entry.side == desk.side]
    if not own:
        raise Refused("the next file is not yours", hint="wait for the other player's file")
    if message:
        raise Refused(
            f"file {own[-1]} is signed already and cannot take a message any more",
            hint=f'"pbem seal {game.key}" writes it again as it is',
        )
    return game.raw[own[-1]]


def hand_out(game: Game, data: bytes, output: Path | None, *, as_text: bool = False) -> Path | None:
    """Write a file of the store for sending and say so; - prints it as text."""
    from pbem.armor import armor

    number = game.raw.index(data)
    if str(output) == "-":
        say(armor(data).rstrip("\n"))
        return None
    content = armor(data).encode() if as_text else data
    path = turn_path(output, number, game.key, content, ending=".txt" if as_text else ".m44")
    write_signed(path, content, game.key)
    say_fitting(f'File {number} of "{game.key}" is in "{path}": send it to the other player.')
    say("It is final. Sent again it is the same file." if not game.log.ended else "The game is complete.")
    return path
