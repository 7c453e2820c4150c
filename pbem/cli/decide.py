"""`pbem legal`, `pbem do`, `pbem undo`: the scriptable way to decide."""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.board import json_option
from pbem.cli.desk import game_argument, open_desk, open_home
from pbem.cli.screen import say, say_filled, say_json, screen
from pbem.errors import Refused, StoreError

if TYPE_CHECKING:
    from engine import Answer
    from pbem.draft import Draft
    from pbem.home import Home
    from pbem.store import Game

MOST_TEXT = 100_000  # characters of a file with actions


def open_draft(home: Home, name: str | None) -> tuple[Game, Draft]:
    """The game that is meant and the draft of the own next file; raises Refused if that is not ours."""
    game, desk = open_desk(home, name)
    if game.log.ended:
        raise Refused("the game is over", hint=f'"pbem log {game.key}" tells its story')
    if not desk.is_next():
        from pbem.practice import is_practice

        if is_practice(home, game):
            raise Refused("the bot has not answered yet", hint=f'"pbem seal {game.key}" wakes it')
    return game, game.load_draft(desk)


# legal


@click.command()
@game_argument
@json_option
@click.option("--verb", help='Only actions that begin with this word, such as "move".')
@click.pass_context
def legal(ctx: click.Context, game: str | None, as_json: bool, verb: str | None) -> None:
    """List what you can do now: the action to type, and what it would mean."""
    played, draft = open_draft(open_home(ctx), game)
    rows = [row for row in legal_rows(draft) if verb is None or row["verb"] == verb.lower()]
    plan = plan_rows(draft)
    if as_json:
        say_json(legal_json(played, draft, rows, plan))
        return
    for line in legal_text(played, draft, rows, plan):
        say(line)


def legal_answers(draft: Draft) -> tuple[Answer, ...]:
    """What may be typed now: the draft's answers, and in a sealed game the attacks that may be planned."""
    from engine import chance

    found = draft.answers()
    state = draft.state
    if draft.wants_plan and not chance(state):
        return (*(a for a in state.answers if a[0] == "attack"), *found)
    return found


def legal_rows(draft: Draft) -> list[dict[str, Any]]:
    """One row for every action."""
    from pbem.insight import answer_json

    state = draft.state
    rows = [answer_json(state, answer) for answer in legal_answers(draft)]
    if draft.owes_plan:
        rows.append({"action": "plan keep", "verb": "plan", "words": "the rest of the plan stands"})
        rows.append({"action": "end", "verb": "end", "words": "no more attacks"})
    return rows


def plan_rows(draft: Draft) -> list[dict[str, str]]:
    """The plan in the draft, or what is left of an earlier one."""
    from pbem.orders_text import format_order
    from pbem.story import order_text
    from pbem.typed import planned

    state, orders = planned(draft)
    if draft.owes_plan and not orders:
        orders = draft.referee.plan or ()
    return [{"action": format_order(state, order), "words": order_text(order, state)} for order in orders]


def legal_json(game: Game, draft: Draft, rows: list[Any], plan: list[Any]) -> dict[str, Any]:
    """What `pbem legal --json` says."""
    from pbem.story import question_of

    return {
        "game": game.key,
        "asked": question_of(draft, game.key).text,
        "phase": draft.state.phase,
        "decided": draft.is_decided,
        "must_confirm": draft.must_confirm,
        "wants_plan": draft.wants_plan,
        "plan": plan,
        "done": [_choice_text(choice.name, choice.value) for choice in draft.choices],
        "actions": rows,
    }


def legal_text(game: Game, draft: Draft, rows: list[Any], plan: list[Any]) -> list[str]:
    """The same in words."""
    from pbem.story import question_of

    width = screen().text_width
    asked = question_of(draft, game.key)
    lines = [f"{asked.text} ({asked.command})" if asked.command and not rows else asked.text]
    if plan:
        lines.append("The plan so far:" if draft.is_decided else "What is left of the plan:")
        lines += [f"  {row['action']}" for row in plan]
    if draft.wants_plan:
        lines.append("Dice fall when your opponent opens the file: order the attacks now, one line each,")
        lines.append(
            'for example "attack G5 H5,I5 ground". "hold" behind one waits for its dice; "end" ends.'
        )
    column = min(26, max((len(row["action"]) for row in rows), default=0))
    for row in rows:
        head = f"  {row['action']:{column}}  "
        indent = " " * (column + 4)
        if len(row["action"]) > column:
            lines.append(head.rstrip())
            head = indent
        lines.append(textwrap.fill(row["words"], width, initial_indent=head, subsequent_indent=indent))
    return lines


# do


@click.command("do")
@click.argument("actions", nargs=-1)
@click.option("-g", "--game", help="The game that is meant, if you have several.")
@click.option("-f", "--file", "path", type=click.Path(path_type=Path), help="Read the actions from a file.")
@click.option("-n", "--dry-run", is_flag=True, help="Say what would happen and change nothing.")
@json_option
@click.pass_context
def do_actions(
    ctx: click.Context,
    actions: tuple[str, ...],
    game: str | None,
    path: Path | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Decide: one or more ACTIONs in the notation, each in quotation marks, all or none.

    \b
    pbem do "card probe-left" "order G5 h4" "move G5 H5" "attack H5 I6,J5 ground"
    pbem do -f turn.txt        one action a line; # begins a comment
    pbem do -                  the same from standard input
    """
    from pbem.typed import enact_all

    lines = read_actions(actions, path)
    home = open_home(ctx)
    with home.lock():
        played, before = open_draft(home, game)
        draft = enact_all(before, lines)
        if not dry_run:
            played.save_draft(draft)
    if as_json:
        say_json(legal_json(played, draft, legal_rows(draft), plan_rows(draft)))
        return
    if dry_run:
        say("This would be possible; nothing was changed.")
    *told, question = done_text(played, before, draft)
    for line in told:
        say_filled(line)
    say(question)  # in one line, for the command in it


def read_actions(actions: tuple[str, ...], path: Path | None) -> list[str]:
    """The actions that were given as arguments, in a file or on standard input; raises Refused."""
    from pbem.typed import split_lines

    if path is not None and actions:
        raise click.UsageError("give actions or a file, not both")
    if actions == ("-",):
        text = sys.stdin.read(MOST_TEXT + 1)
    elif path is not None:
        text = _read_text(path)
    else:
        _check_quotes(actions)
        text = "\n".join(actions)
    if len(text) > MOST_TEXT:
        raise Refused(f"the actions are longer than {MOST_TEXT} characters")
    lines = split_lines(text)
    if not lines:
        raise click.UsageError('an action is expected, such as "order G5"; "pbem legal" lists them')
    return lines


def _check_quotes(actions: tuple[str, ...]) -> None:
    """Raises Refused if the words of one action came as several arguments."""
    from pbem.typed import is_verb

    loose = next((action for action in actions[1:] if not is_verb((action.split() or [""])[0])), None)
    if loose is not None and len(loose.split()) == 1 and len(actions[0].split()) == 1:
        raise Refused(
            f'"{loose}" is no action by itself',
            hint=f'put each action into quotation marks, for example: pbem do "{actions[0]} {actions[1]}"',
        )


def _read_text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            return file.read(MOST_TEXT + 1)
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        raise Refused(f'cannot read "{path}": {reason}', hint="check its name") from problem
    except UnicodeDecodeError as problem:
        raise Refused(f'"{path}" is no text') from problem


def done_text(game: Game, before: Draft, draft: Draft) -> list[str]:
    """What some actions have done, and what is asked next."""
    from pbem.story import question_of, tell

    match = draft.referee.match
    assert match is not None
    side = match.setup.seats[match.army_of(draft.desk.seat)].side
    seen = len(before.referee.steps)
    if draft.referee.steps[:seen] != before.referee.steps:  # a plan was written anew
        seen = next(
            n
            for n, step in enumerate(draft.referee.steps)
            if n >= seen or step is not before.referee.steps[n]
        )
    lines = [text for step in draft.referee.steps[seen:] for text in tell(step, match, chair=side)]
    plan = plan_rows(draft)
    if plan:
        lines += ["Ordered:", *(f"  {row['words']}" for row in plan)]
    asked = question_of(draft, game.key)
    return [*lines, f"Next: {asked.text} ({asked.command})" if asked.command else f"Next: {asked.text}"]


# undo


@click.command()
@game_argument
@click.option("--all", "everything", is_flag=True, help="Take back everything that can be taken back.")
@click.pass_context
def undo(ctx: click.Context, game: str | None, everything: bool) -> None:
    """Take back the last decision that is not sealed yet; never across something revealed."""
    home = open_home(ctx)
    with home.lock():
        played, desk = open_desk(home, game)
        try:
            draft = played.load_draft(desk)
        except StoreError:
            if not everything:
                raise
            played.drop_draft()
            say("The damaged draft is thrown away.")
            return
        taken = take_back(played, draft, everything=everything)
    for text in taken:
        say(f"Taken back: {text}")


def take_back(game: Game, draft: Draft, *, everything: bool) -> list[str]:
    """Take back the last choice, or all of them as far as possible; what was taken back, last first."""
    taken: list[str] = []
    while True:
        choice = draft.choices[-1] if draft.choices else None
        if choice is None or (taken and not draft.can_undo()):
            break
        draft = draft.undone()
        taken.append(_choice_text(choice.name, choice.value))
        if not everything:
            break
    if not taken:
        raise Refused("there is nothing to take back")
    if draft.choices:
        game.save_draft(draft)
    else:
        game.drop_draft()
    return taken


def _choice_text(name: str, value: Any) -> str:
    if name == "do":
        return str(value)
    if name == "plan":
        return "plan keep" if value is None else f"the plan of {len(value)} attack orders"
    return {"say": "the message", "stand": "standing orders", "end": "the end of the game"}[name]
