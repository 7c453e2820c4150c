"""`pbem games` and `pbem status`: where things stand, from the kept summaries alone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import click

from pbem.cli import complain
from pbem.cli.desk import find_key, game_argument, json_option, open_home
from pbem.cli.screen import say, say_filled, say_json, screen
from pbem.errors import StoreError
from pbem.summary import read_summary

SIDES = {"allies": "Allies", "axis": "Axis"}
STATES = {
    "offered": "waiting for an answer",
    "invited": "you are invited",
    "declined": "you have declined",
    "withdrawn": "you have withdrawn the invitation",
    "playing": "",
    "decided": "",
    "over": "over",
    "taken": "the place is taken",
}
TAKEN = "The place is taken: somebody else has answered this open invitation."


@click.command()
@json_option
@click.pass_context
def games(ctx: click.Context, as_json: bool) -> int:
    """List all games, those that wait for you first."""
    home = open_home(ctx)
    rows, status = [], 0
    for key in home.game_keys():
        try:
            rows.append(read_summary(home, key))
        except StoreError as problem:  # one damaged game does not hide the others
            status = complain(problem.message, problem.hint, problem.exit_status)
    rows.sort(key=lambda row: (row["move"] != "you", row["state"] == "over", row["last_file_at"]))
    if as_json:
        say_json(rows)
    elif not rows and not status:
        say('You have no games yet. "pbem new SCENARIO" offers one, "pbem apply FILE" takes one in.')
    width = max((len(row["key"]) for row in rows), default=0)
    show = say if screen().width is None else say_filled  # in a pipe a game stays one line
    for row in rows if not as_json else ():
        show(f"{row['key']:{width}}  {_medals(row)}  {_whose(row)}{_forks(row)}")
    return status


def _medals(row: dict[str, Any]) -> str:
    """The medals, the own ones first."""
    own, other = row["medals"] if row["side"] != "axis" else reversed(row["medals"])
    return f"{own}:{other}"


def _whose(row: dict[str, Any]) -> str:
    name = row["opponent"]["name"]
    state = STATES[row["state"]]
    if row["state"] == "over":
        return f"against {name}: {_result(row)}"
    if row["state"] == "taken":
        return f"from {name}: {state}"
    if row["state"] == "decided":
        state = f"{_result(row)}, the result is to be signed"
    move = {"you": "your move", "opponent": f"{name}'s move", None: ""}[row["move"]]
    if row["state"] in ("offered", "invited", "declined", "withdrawn"):
        move = ""
    late = "clock has run out" if row["overdue"] else ""
    return f"against {name}: " + ", ".join(text for text in (state, move, late) if text)


def _forks(row: dict[str, Any]) -> str:
    """A mark behind a game with a fork."""
    return "".join(f"  FORK by {_forker(row, author)}" for author in dict.fromkeys(row["forked_by"]))


def _forker(row: dict[str, Any], author: str | None) -> str:
    """Who has signed one file twice."""
    return {"you": "you", "opponent": str(row["opponent"]["name"]), None: "somebody"}[author]


def _result(row: dict[str, Any]) -> str:
    result = row["result"]
    if result is None:
        return "over"
    own, other = result["medals"] if row["side"] != "axis" else reversed(result["medals"])
    words = f" ({result['words']})" if result["words"] else ""
    how = result["words"] if result["reason"] == "resigned" else f"{own}:{other}{words}"
    return f"{'won' if result['winner'] == row['side'] else 'lost'} {how}"


@click.command()
@game_argument
@json_option
@click.pass_context
def status(ctx: click.Context, game: str | None, as_json: bool) -> None:
    """Where a game stands: whose move, what is asked, what is proved, what to type next."""
    home = open_home(ctx)
    summary = read_summary(home, find_key(home, game))
    if as_json:
        say_json(summary)
        return
    for line in status_lines(summary):
        say_filled(line)


def status_lines(row: dict[str, Any]) -> list[str]:
    """One screen about a game."""
    other = row["opponent"]
    lines = [f"{row['title']}  ({row['key']})"]
    if row["state"] == "taken":
        lines.append(f"An open invitation from {other['name']}.")
    else:
        lines.append(f"You lead the {SIDES[row['side']]} against {other['name']}.")
    if row["turn"] and row["state"] != "taken":
        allies, axis = zip(row["medals"], row["medals_to_win"], strict=True)
        medals = f"Medals: Allies {allies[0]} of {allies[1]}, Axis {axis[0]} of {axis[1]}."
        deck = f" Deck: {row['deck']} {'card' if row['deck'] == 1 else 'cards'}."
        lines.append(f"Turn {row['turn']}, {row['files']} files. {medals}{deck}")
    lines += move_lines(row)
    lines += _clock_lines(row)
    lines.append(f"Proved: {row['proved']}.")
    lines += [f"Pending: {text}." for text in row["pending"]]
    lines += [f"Rests on trust: {text}." for text in row["trust"] or ["nothing"]]
    lines += [
        f'Fork by {_forker(row, author)}: two signed versions of one file; the proof is in "{path}".'
        for path, author in zip(row["forks"], row["forked_by"], strict=True)
    ]
    if other["fingerprint"] and not other["compared"]:
        lines.append(f"Fingerprint of {other['name']}, to compare: {other['fingerprint']}")
    if row["next"]:
        lines.append(f"Next: {row['next']}")
    return lines


def move_lines(row: dict[str, Any]) -> list[str]:
    """Whose move it is and what is asked."""
    if row["state"] == "over":
        both = row["result"] and row["result"]["signed_by_both"]
        signed = "signed by both" if both else "signed by the loser"
        return [f"The game is over: {_result(row)}, {signed}."]
    if row["state"] == "taken":
        return [TAKEN]
    if row["state"] == "declined":
        return ["You have declined this invitation."]
    if row["state"] == "withdrawn":
        return ["You have withdrawn this invitation. An answer that comes is refused."]
    if row["move"] == "you":
        return [f"Your move. {row['asked']}"]
    if row["opponent"]["bot"]:
        return [f"{row['opponent']['name']} has not answered yet."]
    if row["state"] == "offered":
        return ["The invitation has not been answered yet."]
    if row["state"] == "decided":
        return [f"You have {_result(row)}. {row['opponent']['name']} has not signed the result yet."]
    return [f"It is {row['opponent']['name']}'s move: wait for their file."]


def _clock_lines(row: dict[str, Any]) -> list[str]:
    lines = []
    if row["deadline"] is not None:
        late = ", which is over" if row["overdue"] else ""
        days = "1 day" if row["clock_days"] == 1 else f"{row['clock_days']} days"
        lines.append(f"Clock: {days} a file; this one is due {_day(row['deadline'])}{late}.")
    if row["claimed_at"] is not None:
        lines.append(
            f"You have claimed a forfeit on {_day(row['claimed_at'])}; whoever decides has the word."
        )
    if row["clock_trouble"]:
        lines.append("The clock of this machine is behind the time of the last file: times here mean little.")
        if row["deadline"] is not None:
            lines.append(f'If it is right now, "pbem claim {row["key"]} --restart" counts from now on.')
    return lines


def _day(moment: int) -> str:
    """A time of this machine's clock, as people here write it, with its distance from UTC."""
    try:
        there = datetime.fromtimestamp(moment).astimezone()
        ahead = there.strftime("%z")
        zone = "UTC" if not ahead.strip("+-0") else f"UTC{ahead[:3]}:{ahead[3:5]}"
        return f"{there:%Y-%m-%d %H:%M} {zone}"
    except (ValueError, OverflowError, OSError):  # the clock was far off when the file came
        return "at a time beyond all calendars"
