"""`pbem orders`: what your units do in the other player's turn."""

from __future__ import annotations

import textwrap
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.board import json_option
from pbem.cli.desk import ask_ahead, open_desk, open_home
from pbem.cli.screen import say, say_json, screen
from pbem.errors import PbemError, Refused

if TYPE_CHECKING:
    from engine import State
    from pbem.draft import Desk
    from pbem.lines import Line
    from pbem.orders_text import Standing
    from pbem.store import Game

MOST_FLAGS = 6


@click.command("orders")
@click.argument("lines", nargs=-1, metavar="[LINE]...")
@click.option("-g", "--game", help="The game that is meant, if you have several.")
@click.option("--opponent", is_flag=True, help="Show what the other player's units do, if that is open.")
@click.option("--reset", is_flag=True, help="Go back to the usual orders first.")
@click.option("--dry-run", "unit", metavar="HEX", help="Only show what the unit there would do.")
@click.option("--flags", type=click.IntRange(0, MOST_FLAGS), default=1, help="Flags of the dry run (1).")
@json_option
@click.pass_context
def show_orders(
    ctx: click.Context,
    lines: tuple[str, ...],
    game: str | None,
    opponent: bool,
    reset: bool,
    unit: str | None,
    flags: int,
    as_json: bool,
) -> None:
    """Show or set standing orders: retreats, ignored flags, Ambush.

    \b
    pbem orders "retreat all cover away"       cover, away, together, objective, left, right, hexes
    pbem orders "retreat G5 F3,E3 cover"       one unit: these hexes first, then cover
    pbem orders "flags G5 never"               always, never, if-it-avoids-a-loss
    pbem orders "ambush never"                 always, never, or the hexes of units
    pbem orders "forget G5"                    the unit does as all others again
    pbem orders --dry-run G5 --flags 2         what would it do?
    """
    from pbem.lines import split_arguments
    from pbem.orders_text import Standing
    from pbem.standing import load_standing, save_standing

    _check_quotes(lines)
    home = open_home(ctx)
    if opponent:
        if lines or reset or unit:
            raise click.UsageError("--opponent only shows orders")
        _show_opponent(*open_desk(home, game), as_json=as_json)
        return
    ask_ahead(home, game)
    changing = unit is None and bool(lines or reset)
    with home.lock() if changing else nullcontext():
        played, desk = open_desk(home, game)
        state, side = _position(played, desk)
        if (lines or reset) and played.log.ended:
            raise Refused(
                "the game is over: orders change nothing any more",
                hint=f'"pbem orders -g {played.key}" shows them',
            )
        standing = Standing() if reset else load_standing(played)
        for line in split_arguments(lines, what="line"):
            standing = _changed(state, side, standing, line)
        if changing:
            save_standing(played, standing)
    if unit is not None:
        _rehearse(state, side, standing, unit, flags, as_json=as_json)
    elif as_json:
        say_json(_orders_json(played, desk, state, standing))
    else:
        _show(desk, state, standing)


def _check_quotes(lines: tuple[str, ...]) -> None:
    """Raises Refused if the words of one line came as several arguments."""
    from pbem.orders_text import CHANGES

    begins = [(line.split() or [""])[0].lower() for line in lines[:2]]
    if len(lines) > 1 and lines[0].lower() in CHANGES and begins[1] not in CHANGES:
        raise Refused(
            f'"{lines[1]}" is no standing order by itself',
            hint=f'put each line into quotation marks: pbem orders "{" ".join(lines)}"',
        )


def _position(game: Game, desk: Desk) -> tuple[State, int]:
    """The position with the decisions of the own next file, and the engine's side of the player."""
    match = desk.referee.match
    if match is None or desk.referee.state is None:
        raise Refused("the game has not begun", hint="standing orders can be given when it has been accepted")
    side = match.setup.seats[match.army_of(desk.seat)].side
    if not desk.is_next() or desk.log.count < 2:
        return desk.referee.state, side
    try:
        return game.load_draft(desk).state, side
    except PbemError:  # a draft that cannot be read hides no orders
        return desk.referee.state, side


def _changed(state: State, side: int, standing: Standing, line: Line) -> Standing:
    """Standing orders after a line; raises Refused with its place and with something to do next."""
    from engine.errors import EngineError
    from pbem.lines import placed
    from pbem.orders_text import change_standing

    try:
        return change_standing(state, side, standing, line.text)
    except (Refused, EngineError) as slip:
        problem = placed(slip, line.place)
        hint = getattr(problem, "hint", "") or '"pbem orders --help" shows how they are written'
        raise Refused(str(problem), hint=hint) from slip


def _rehearse(state: State, side: int, standing: Standing, unit: str, flags: int, *, as_json: bool) -> None:
    from pbem.orders_text import own_units
    from pbem.standing import rehearsal_text, rehearse

    trial = rehearse(state, standing, own_units(state, side, unit)[0], flags)
    if as_json:
        say_json({**trial._asdict(), "route": list(trial.route)})
    else:
        say(rehearsal_text(state, trial))


def _show_opponent(game: Game, desk: Desk, *, as_json: bool) -> None:
    """Print the public standing orders of the other side; raises Refused where they are sealed."""
    from pbem.orders_text import Standing, format_standing

    state, _ = _position(game, desk)
    match = desk.referee.match
    assert match is not None
    name = match.called[match.terms.seats_of(1 - desk.side)[0]]
    if desk.terms.retreat != "stand":
        raise Refused(
            f"the orders of {name} are not open in this game", hint="only instant games have open orders"
        )
    lines = format_standing(state, Standing(stand=desk.referee.stands[1 - desk.side]))[:-1]
    if as_json:
        say_json({"game": game.key, "opponent": name, "orders": lines})
        return
    say(f"Standing orders of {name}:")
    for line in lines:
        say(f"  {line}")
    if desk.terms.sheet:
        say("Ambush is sealed: nobody can read whether it is held.")


def in_force(desk: Desk, state: State) -> list[str] | None:
    """What the last own file says of the other player's turn, as far as the game uses it; None: nothing."""
    from pbem.orders_text import format_standing
    from pbem.standing import sealed_orders

    try:
        sealed = sealed_orders(desk)
    except PbemError:  # a note that another program has written
        return None
    return None if sealed is None else _used(desk, format_standing(state, sealed))


def _used(desk: Desk, lines: list[str]) -> list[str]:
    """The lines that the terms of a game make use of."""
    live = desk.terms.retreat in ("live", "strict")
    return [line for line in lines if (desk.terms.sheet if line.startswith("ambush") else not live)]


def where_they_go(desk: Desk) -> list[str]:
    """What the terms of a game make of standing orders, in sentences."""
    terms = desk.terms
    lines = {
        "live": "Retreats are decided when you open the file: only the Ambush line is used in this game.",
        "strict": "Retreats are decided when you open the file: only the Ambush line is used in this game.",
        "sheet": "They are sealed on the sheet of your next file; your opponent sees only what is used.",
        "stand": "Retreats travel openly with your next file, and your opponent can read them.",
    }
    found = [lines[terms.retreat]]
    if terms.sheet:
        found.append("Ambush is sealed on the sheet of every file, whether you hold the card or not.")
    else:
        found.append("This game is played without answer sheets: there is no Ambush.")
    return found


def _orders_json(game: Game, desk: Desk, state: State, standing: Standing) -> dict[str, Any]:
    from pbem.orders_text import format_standing

    return {
        "game": game.key,
        "orders": format_standing(state, standing),
        "retreats": desk.terms.retreat,
        "ambush_sealed": desk.terms.sheet,
        "in_force": in_force(desk, state),
    }


def _show(desk: Desk, state: State, standing: Standing) -> None:
    from pbem.orders_text import format_standing

    lines = format_standing(state, standing)
    for line in lines:
        say(line)
    say()
    sealed = None if desk.is_next() else in_force(desk, state)
    if sealed is not None and sealed != _used(desk, lines):
        say("These hold from your next file on. Until then your last file says:")
        for line in sealed:
            say(f"  {line}")
        say()
    for text in where_they_go(desk):
        say(textwrap.fill(text, screen().text_width))
