"""`pbem legal`, `pbem do`, `pbem undo`: the scriptable way to decide."""

from __future__ import annotations

import sys
import textwrap
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.board import json_option
from pbem.cli.desk import ask_ahead, game_argument, open_desk, open_home
from pbem.cli.screen import say, say_all, say_filled, say_json, screen
from pbem.errors import Refused, StoreError

if TYPE_CHECKING:
    from engine import Answer
    from pbem.draft import Draft
    from pbem.home import Home
    from pbem.lines import Line
    from pbem.referee import Step
    from pbem.store import Game
    from pbem.story import Asked
    from pbem.typed import Enacted

MOST_TEXT = 100_000  # characters of a file with actions
HOW_TO_PLAN = (
    "Dice fall when your opponent opens the file: order the attacks now, one line each, for example "
    '"attack G5 H5,I5 ground". "hold" behind one waits for its dice; "end" ends.'
)


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
    wanted = _check_verb(verb)
    played, draft = open_draft(open_home(ctx), game)
    rows = legal_rows(draft)
    chosen = [row for row in rows if wanted is None or row["verb"] == wanted]
    plan = plan_rows(draft)
    if as_json:
        say_json(legal_json(played, draft, chosen, plan))
        return
    for line in legal_text(played, draft, chosen, plan):
        say(line)
    if rows and not chosen:
        verbs = ", ".join(dict.fromkeys(row["verb"] for row in rows))
        say(f'Nothing begins with "{wanted}" now; what is possible begins with {verbs}.')


def _check_verb(verb: str | None) -> str | None:
    """The verb that is asked for; raises Refused if no action begins with it."""
    from engine.document import nearest, quoted
    from pbem.typed import VERBS, is_verb

    if verb is None or is_verb(verb):
        return verb if verb is None else verb.lower()
    raise Refused(
        f"no action begins with {quoted(verb)}{nearest(verb.lower(), VERBS)}",
        hint='"pbem legal" lists what is possible',
    )


def legal_answers(draft: Draft) -> tuple[Answer, ...]:
    """What may be typed now: the draft's answers, and in a sealed game the attacks that may be planned."""
    from pbem.plans import plannable

    found = draft.answers()
    return (*plannable(draft.state), *found) if draft.wants_plan else found


def legal_rows(draft: Draft) -> list[dict[str, Any]]:
    """One row for every action."""
    from pbem.insight import answer_json
    from pbem.plans import can_keep, left_orders, more_attacks, open_plan

    if draft.dice_due:
        return []
    state = draft.state
    rows = [answer_json(state, answer) for answer in legal_answers(draft)]
    if can_keep(draft) and left_orders(draft):
        rows.append({"action": "plan keep", "verb": "plan", "words": "the rest of the plan stands"})
    if can_keep(draft) and not draft.is_decided:
        rows.append({"action": "end", "verb": "end", "words": "no more attacks"})
    more = more_attacks(draft)
    if more:
        plan = open_plan(draft)
        rows += [answer_json(plan.base.state, answer) for answer in more]
        if not plan.orders[-1].hold:
            rows.append({"action": "hold", "verb": "hold", "words": "wait for the dice of the last attack"})
        rows.append({"action": "end", "verb": "end", "words": "no more attacks"})
    return rows


def asked_now(draft: Draft, key: str) -> Asked:
    """What is asked; a plan that has been begun may be added to."""
    from pbem.plans import can_keep, more_attacks, open_plan
    from pbem.story import question_of

    asked = question_of(draft, key)
    if draft.dice_due:
        return asked._replace(kind="wait", text=f"Here {_dice(draft.dice_due)} would fall.", command="")
    if draft.is_decided and can_keep(draft):
        text = 'Your attack goes on; what is left of your plan follows it only if you type "plan keep".'
        return asked._replace(text=text)
    more = more_attacks(draft)
    if not more:
        return asked
    labels = open_plan(draft).base.state.setup.grid.labels
    units = ", ".join(dict.fromkeys(labels[attack[1]] for attack in more))
    return asked._replace(text=f"You may order more attacks ({units}), or sign your file and send it.")


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def plan_rows(draft: Draft) -> list[dict[str, str]]:
    """The plan in the draft, or what is left of an earlier one."""
    from pbem.orders_text import format_order
    from pbem.plans import left_orders
    from pbem.story import plan_texts
    from pbem.typed import planned

    state, orders = planned(draft)
    orders = orders or left_orders(draft)
    match = draft.referee.match
    assert match is not None
    words = plan_texts(orders, state, _begun(draft), match)
    return [
        {"action": format_order(state, order), "words": text}
        for order, text in zip(orders, words, strict=True)
    ]


def _begun(draft: Draft) -> Step | None:
    """The step with which a draft declares the first attack of its plan."""
    from pbem.story.passages import declared_attack

    match = draft.referee.match
    assert match is not None
    return declared_attack(draft.referee.steps, draft.desk.log.count, draft.desk.side, match)


def legal_json(game: Game, draft: Draft, rows: list[Any], plan: list[Any]) -> dict[str, Any]:
    """What `pbem legal --json` says."""
    from pbem.typed import choice_text

    return {
        "game": game.key,
        "asked": asked_now(draft, game.key).text,
        "phase": draft.state.phase,
        "decided": draft.is_decided and not draft.dice_due,
        "must_confirm": draft.must_confirm,
        "wants_plan": draft.wants_plan,
        "plan": plan,
        "done": [choice_text(choice) for choice in draft.choices],
        "actions": rows,
    }


def legal_text(game: Game, draft: Draft, rows: list[Any], plan: list[Any]) -> list[str]:
    """The same in words."""
    from pbem.plans import left_orders

    width = screen().text_width
    asked = asked_now(draft, game.key)
    told = asked.command and (draft.is_decided or not rows)
    lines = [textwrap.fill(asked.text, width)]
    if plan:
        lines.append("What is left of the plan:" if left_orders(draft) else "The plan so far:")
        lines += [f"  {row['action']}" for row in plan]
    if draft.wants_plan:
        lines.append(textwrap.fill(HOW_TO_PLAN, width))
    if plan and rows:
        lines.append("You can add or say:")
    column = min(26, max((len(row["action"]) for row in rows), default=0))
    for row in rows:
        head = f"  {row['action']:{column}}  "
        indent = " " * (column + 4)
        if len(row["action"]) > column:
            lines.append(head.rstrip())
            head = indent
        lines.append(textwrap.fill(row["words"], width, initial_indent=head, subsequent_indent=indent))
    return [*lines, f"Next: {asked.command}"] if told else lines


# do


@click.command("do")
@click.argument("actions", nargs=-1)
@click.option("-g", "--game", help="The game that is meant, if you have several.")
@click.option("-f", "--file", "path", type=click.Path(path_type=Path), help="Read the actions from a file.")
@click.option(
    "-n", "--dry-run", is_flag=True, help="Say what would happen, up to the first dice; keep nothing."
)
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

    Only dice bind: where some have fallen, what led to them is kept, whatever follows.

    \b
    pbem do "card probe-left" "order G5 h4" "move G5 H5" "attack H5 I6,J5 ground"
    pbem do -f turn.txt        one action a line; # begins a comment
    pbem do -                  the same from standard input
    """
    from pbem.typed import enact, rehearsal

    lines = read_actions(actions, path)
    home = open_home(ctx)
    ask_ahead(home, game)
    with nullcontext() if dry_run else home.lock():
        played, before = open_draft(home, game)
        if dry_run:
            before = rehearsal(before)
        found = enact(before, [line.text for line in lines])
        changed = found.draft.choices != before.choices
        if changed and not dry_run:  # before anything is said of dice
            played.save_draft(found.draft)
    if found.problem is None or changed:
        _tell_done(played, before, found, lines, dry_run=dry_run, as_json=as_json)
    if found.problem is not None:
        raise _refusal(played, found, lines)


def _tell_done(
    game: Game, before: Draft, found: Enacted, lines: list[Line], *, dry_run: bool, as_json: bool
) -> None:
    """Say what actions have done, or would do."""
    draft = found.draft
    if as_json:
        value = legal_json(game, draft, legal_rows(draft), plan_rows(draft))
        say_json({**value, "dry_run": dry_run, "dice_due": draft.dice_due})
        return
    *told, question = done_text(game, before, draft)
    if dry_run:
        say("This would be possible; nothing was changed.")
        if draft.is_decided and not draft.dice_due:
            question = "Then everything would be decided."
    for line in told:
        say_filled(line)
    if draft.dice_due and found.done < len(lines):
        question += f" What stands behind {lines[found.done - 1].place} was not tried."
    say_all(question)


def _refusal(game: Game, found: Enacted, lines: list[Line]) -> Refused:
    """What to raise for the action that was not possible, with its place and with something to do next."""
    from pbem.lines import placed

    assert found.problem is not None
    line = lines[found.failed - 1]
    problem = placed(found.problem, line.place)
    message = problem.message if isinstance(problem, Refused) else str(problem)
    hint = getattr(problem, "hint", "")
    if found.done:
        place = lines[found.done - 1].place
        first = place if found.done == 1 else f"everything up to {place}"
        hint = f"{first} is kept, for its dice have fallen; nothing behind it was done"
    elif not hint and line.text.split()[0].lower() in ("card", "discard"):
        hint = f'"pbem hand {game.key}" shows your cards'
    return Refused(message, hint=hint or f'"pbem legal {game.key}" lists what is possible')


def read_actions(actions: tuple[str, ...], path: Path | None) -> list[Line]:
    """The actions that were given as arguments, in a file or on standard input; raises Refused."""
    from pbem.lines import read_lines, split_arguments

    if path is not None and actions:
        raise click.UsageError("give actions or a file, not both")
    if actions == ("-",):
        lines = read_lines(_check_length(sys.stdin.read(MOST_TEXT + 1)))
    elif path is not None:
        lines = read_lines(_check_length(_read_text(path)))
    else:
        _check_quotes(actions)
        _check_length("".join(actions))
        lines = split_arguments(actions)
    if not lines:
        raise click.UsageError('an action is expected, such as "order G5"; "pbem legal" lists them')
    return lines


def _check_length(text: str) -> str:
    if len(text) > MOST_TEXT:
        raise Refused(f"the actions are longer than {MOST_TEXT} characters")
    return text


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
    """What some actions have done; in the last text what is asked and the command to type next."""
    from pbem.plans import left_orders
    from pbem.story import lines_of, merged
    from pbem.wording import clean_words

    match = draft.referee.match
    assert match is not None
    side = match.setup.seats[match.army_of(draft.desk.seat)].side
    steps = draft.referee.steps[_known(before, draft) :]
    plan = plan_rows(draft)
    begun = _begun(draft) if plan else None
    told = [
        line
        for step in steps
        for line in lines_of(step, match, chair=side)
        if step is not begun or line.kind != "attack"  # that one is told with the plan
    ]
    lines = [line.text for line in merged(told)]
    if plan and left_orders(draft):
        lines += ["Left of the plan:", *(f"  {row['words']}" for row in plan)]
    elif plan and plan != plan_rows(before):
        lines += ["Ordered:", *(f"  {row['words']}" for row in plan)]
    message = _message(draft)
    if message and message != _message(before):
        lines.append(f"Your message: {clean_words(message)}")
    asked = asked_now(draft, game.key)
    command = f"\nNext: {asked.command}" if asked.command else ""
    return [*lines, asked.text if draft.dice_due else f"{asked.text}{command}"]


def _message(draft: Draft) -> str:
    """What goes along with the file."""
    return next((choice.value for choice in draft.choices if choice.name == "say"), "")


def _known(before: Draft, draft: Draft) -> int:
    """How many steps of a draft were in the draft before it; the states of both are made anew."""
    pairs = zip(before.referee.steps, draft.referee.steps, strict=False)
    same = min(len(before.referee.steps), len(draft.referee.steps))
    return next((n for n, (old, new) in enumerate(pairs) if old[:-1] != new[:-1]), same)


# undo


@click.command()
@game_argument
@click.option("--all", "everything", is_flag=True, help="Take back everything that can be taken back.")
@click.pass_context
def undo(ctx: click.Context, game: str | None, everything: bool) -> None:
    """Take back the last decision that is not sealed yet; never across something revealed."""
    home = open_home(ctx)
    ask_ahead(home, game)
    with home.lock():
        played, desk = open_desk(home, game)
        if played.log.ended:
            raise Refused("the game is over: nothing is taken back", hint=f'"pbem log {played.key}" tells it')
        try:
            draft = played.load_draft(desk)
        except StoreError:
            if not everything:
                raise
            played.drop_draft(damaged=True)
            say("The damaged draft is thrown away.")
            return
        taken = take_back(played, draft, everything=everything)
    for text in taken:
        say(f"Taken back: {text}")


def take_back(game: Game, draft: Draft, *, everything: bool) -> list[str]:
    """Take back the last choice, or all of them as far as possible; what was taken back, last first."""
    from pbem.typed import taken_back

    draft, text = taken_back(draft)
    taken = [text]
    while everything and draft.can_undo():
        draft, text = taken_back(draft)
        taken.append(text)
    if draft.choices:
        game.save_draft(draft)
    else:
        game.drop_draft()
    return taken
