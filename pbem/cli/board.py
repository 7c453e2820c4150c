"""`pbem board`, `pbem hand`, `pbem log`: looking at a game without changing it."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.desk import game_argument, open_desk, open_game, open_home
from pbem.cli.screen import Screen, chair_number, drawing_options, say, say_json, screen
from pbem.errors import PbemError, Refused

if TYPE_CHECKING:
    from engine import State
    from pbem.draft import Desk, Draft
    from pbem.home import Home
    from pbem.referee import Referee
    from pbem.store import Game
    from pbem.story import Passage

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON with stable keys.")
UNREADABLE = "A card that cannot be read yet"
plain_option = click.option("--plain", is_flag=True, help="Words instead of a drawing, for screen readers.")


# board


@click.command()
@game_argument
@json_option
@plain_option
@click.option("--svg", type=click.Path(path_type=Path), help="Write the board as a picture into this file.")
@click.option("--file", "number", type=int, help="The board after this file instead of the present one.")
@drawing_options
@click.pass_context
def board(
    ctx: click.Context,
    game: str | None,
    as_json: bool,
    plain: bool,
    svg: Path | None,
    number: int | None,
    chair: str | None,
    colour: str,
    glyphs: str,
) -> None:
    """Show the board; if the next file is yours, with the dice that have fallen and your decisions."""
    home = open_home(ctx)
    played = open_game(home, game)
    state = state_of(home, played, number)
    seat = chair_number(chair)
    seat = own_side(home, played) if seat is None else seat
    if as_json:
        say_json(board_json(played, state))
        return
    if svg is not None:
        _write_picture(svg, state, seat)
        say(f"Board drawn in {svg}")
        return
    say(drawn(state, seat, screen(colour, glyphs), plain=plain))


def state_of(home: Home, game: Game, number: int | None = None) -> State:
    """The position to show: after a file, or now, with the dice and choices of the own next file."""
    from engine import start

    referee = game.referee
    assert referee.match is not None
    if number is not None:
        return after_file(referee, number)
    if referee.state is None:
        return start(referee.match.setup)
    if not _is_ours(home, game):
        return referee.state
    from pbem.cli.desk import open_identity

    desk = game.desk(open_identity(home))
    try:
        return game.load_draft(desk).state
    except PbemError:  # a draft that cannot be read hides no board
        return referee.state


def _is_ours(home: Home, game: Game) -> bool:
    """Whether the home's owner writes the next file, and so can see the dice that fall with it."""
    log = game.log
    if log.ended or log.terms is None or log.count < 2 or not home.has_identity():
        return False
    pk = home.read_head().pk
    return pk in log.identities and log.terms.seats[log.identities.index(pk)].side != log.entries[-1].side


def after_file(referee: Referee, number: int) -> State:
    """The position at the end of a file; raises Refused."""
    states = [step.state for step in referee.steps if step.file == number]
    if not states:
        raise Refused(f"nothing happened on the board in file {number}", hint='"pbem log" tells the story')
    return states[-1]


def own_side(home: Home, game: Game) -> int | None:
    """The engine's side of the home's owner in a game; None for a spectator."""
    match = game.referee.match
    if match is None or not home.has_identity():
        return None
    pk = home.read_head().pk
    if pk not in game.log.identities:
        return None
    return match.setup.seats[match.army_of(game.log.identities.index(pk))].side


def drawn(state: State, side: int | None, look: Screen, *, plain: bool = False, legend: bool = True) -> str:
    """The board as text, drawn or in words, without a line break at the end."""
    from pbem.draw import describe, text_board

    if plain:
        return describe(state, chair=side).rstrip("\n")
    text = text_board(
        state, chair=side, colour=look.colour, unicode=look.unicode, width=look.width, legend=legend
    )
    return text.rstrip("\n")


def _write_picture(path: Path, state: State, side: int | None) -> None:
    from pbem.cli.scenario import write_file
    from pbem.draw import svg_board

    write_file(path, svg_board(state, chair=side) + "\n")


def board_json(game: Game, state: State) -> dict[str, Any]:
    """What `pbem board --json` says: units, marks, medals, objectives."""
    from engine.battle import SIDES
    from engine.state import NOBODY
    from engine.terrain import BIT
    from pbem.library import scenario_key

    setup = state.setup
    labels = setup.grid.labels
    return {
        "game": game.key,
        "battle": scenario_key(setup.battle.title.partition(" (")[0]),  # as the library names it
        "turn": state.turn,
        "active": setup.seats[state.active].name,
        "phase": state.phase,
        "medals": {side: state.medals(number) for number, side in enumerate(SIDES)},
        "needed": {side: setup.target[number] for number, side in enumerate(SIDES)},
        "winner": SIDES[state.winner] if state.winner >= 0 else None,
        "units": [
            {
                "number": unit,
                "side": SIDES[setup.side[unit]],
                "type": setup.types[unit].key,
                "at": None if state.pos[unit] == NOBODY else labels[state.pos[unit]],
                "figures": state.figures[unit] if state.pos[unit] != NOBODY else 0,
                "strength": setup.strength[unit],
            }
            for unit in range(len(setup.types))
        ],
        "loose": {
            labels[h]: [key for key, bit in BIT.items() if marks & bit]
            for h, marks in enumerate(state.marks)
            if marks
        },
        "objectives": [
            {
                "hexes": [labels[h] for h in goal.hexes],
                "kind": goal.kind,
                "medals": goal.medals,
                "held_by": None if state.held[goal.number] == NOBODY else SIDES[state.held[goal.number]],
            }
            for goal in setup.objectives
        ],
    }


# hand


@click.command()
@game_argument
@json_option
@click.pass_context
def hand(ctx: click.Context, game: str | None, as_json: bool) -> None:
    """Show your cards and what they do; if the next file is yours, without those it plays."""
    played, desk = open_desk(open_home(ctx), game)
    draft = _draft_of(played, desk)
    rows = hand_rows(desk, draft)
    deck = (draft or desk).referee.pile if desk.log.count > 1 else None
    if as_json:
        say_json({"game": played.key, "cards": rows, "deck": deck})
        return
    if not rows:
        say("You hold no cards yet: they are dealt when the invitation has been accepted.")
    look = screen()
    for row in rows:
        name = f"{row['name']}{' (just drawn: one of these must go)' if row['fresh'] else ''}"
        say(name)
        say(textwrap.fill(row["text"], look.text_width, initial_indent="    ", subsequent_indent="    "))
    if deck is not None:
        say(f"Left in the deck: {deck} {'card' if deck == 1 else 'cards'}.")


def _draft_of(game: Game, desk: Desk) -> Draft | None:
    """The draft of the own next file; None if the next file is not ours or the draft cannot be read."""
    if not desk.is_next() or desk.log.count < 2:
        return None
    try:
        return game.load_draft(desk)
    except PbemError:
        return None


def hand_rows(desk: Desk, draft: Draft | None = None) -> list[dict[str, Any]]:
    """One row per card: key, name, what it does, whether it is one of a Recon's new cards.

    With a draft the hand is what its choices leave of it.
    """
    from pbem.cardtext import card_text
    from pbem.hand import fresh_cards
    from pbem.story import card_name

    if desk.log.count < 2:
        return []
    held = desk.hand() if draft is None else draft.hand()
    fresh = fresh_cards((desk if draft is None else draft).referee, desk.seat)
    rows = []
    for card in held:
        hidden = card.key == "?"
        rows.append(
            {
                "card": None if hidden else card.key,
                "name": UNREADABLE if hidden else card_name(card.key),
                "text": _when_readable(desk, "was drawn in your last file")
                if hidden
                else card_text(card.key),
                "fresh": card.nth in fresh,
            }
        )
    for _ in range(0 if draft is None else draft.drawn):
        text = _when_readable(desk, "is drawn with your file")
        rows.append({"card": None, "name": UNREADABLE, "text": text, "fresh": False})
    return sorted(rows, key=lambda row: (row["fresh"], row["card"] is None, str(row["card"])))


def _when_readable(desk: Desk, how: str) -> str:
    match = desk.referee.match
    assert match is not None
    other = match.called[match.terms.seats_of(1 - desk.side)[0]]
    return f"It {how}; the next file from {other} makes it readable to you."


# log


@click.command("log")
@game_argument
@json_option
@click.option("--file", "number", type=int, help="Only this file.")
@click.option("--last", is_flag=True, help="Only the last file.")
@click.option(
    "--chair", type=click.Choice(("allies", "axis", "none")), help="Whose story; none: everybody's."
)
@click.pass_context
def show_log(
    ctx: click.Context, game: str | None, as_json: bool, number: int | None, last: bool, chair: str | None
) -> None:
    """Tell the story so far, in words; if the next file is yours, with the dice that have fallen for you."""
    home = open_home(ctx)
    played = open_game(home, game)
    side = own_side(home, played) if chair is None else chair_number(None if chair == "none" else chair)
    wanted = played.log.count - 1 if last else number
    if wanted is not None and not 0 <= wanted < played.log.count:
        raise Refused(f"there is no file {wanted}", hint=f"the game has files 0 to {played.log.count - 1}")
    numbers = range(played.log.count) if wanted is None else (wanted,)
    rows = [file_story(played, n, side) for n in numbers]
    if as_json:
        say_json({"game": played.key, "files": rows})
        return
    say("\n\n".join(story_lines(row, screen().text_width) for row in rows))
    if numbers[-1] == played.log.count - 1 and chair is None and _is_ours(home, played):
        from pbem.cli.apply import show_dice
        from pbem.cli.desk import open_identity

        show_dice(played, open_identity(home))


def file_passages(game: Game, number: int, side: int | None) -> list[Passage]:
    """What one file has done, in passages."""
    from pbem.story import tell_file

    entry, referee = game.log.entries[number], game.referee
    match = referee.match
    assert match is not None
    steps = [step for step in referee.steps if step.file == number]
    before = [step.state for step in referee.steps if step.file < number]
    return tell_file(steps, match, before=before[-1] if before else None, entry=entry, chair=side)


def file_story(game: Game, number: int, side: int | None) -> dict[str, Any]:
    """The story of one file: who wrote it, what happened, what its author said."""
    from pbem.story import merged

    entry, match = game.log.entries[number], game.referee.match
    assert match is not None
    passages = file_passages(game, number, side)
    return {
        "file": number,
        "by": match.called[entry.seat],
        "side": match.setup.seats[match.army_of(entry.seat)].name,
        "said": next((action.value for action in entry.actions if action.name == "say"), None),
        "passages": [
            {
                "kind": passage.kind,
                "turn": passage.turn,
                "heading": passage.heading,
                "lines": [line.text for line in merged(passage.lines)],
            }
            for passage in passages
        ],
    }


SETUP = {0: "Offers the game.", 1: "Accepts; the cards are shuffled and dealt."}
SHARES = "Brings what is needed to read the cards; nothing happens on the board."


def _indented(text: str, width: int) -> str:
    """A sentence of the story within a width; words of the notation stay whole."""
    return textwrap.fill(
        text, width, initial_indent="    ", subsequent_indent="      ", break_on_hyphens=False
    )


def story_lines(row: dict[str, Any], width: int) -> str:
    """The story of one file as lines."""
    from pbem.wording import clean_words

    lines = [f"File {row['file']}, {row['by']} ({row['side']})"]
    if not row["passages"]:
        lines.append(f"  {SETUP.get(row['file'], SHARES)}")
    turn = None
    for passage in row["passages"]:
        if passage["turn"] != turn and passage["turn"]:
            turn = passage["turn"]
            lines.append(f"  Turn {turn}")
        lines.append(f"  {passage['heading']}:")
        for text in passage["lines"]:
            lines.append(_indented(text, width))
    if row["said"]:
        words = textwrap.fill(
            clean_words(row["said"]), width, initial_indent="    ", subsequent_indent="    "
        )
        lines += [f"  {row['by'][:1].upper()}{row['by'][1:]} says:", words]
    return "\n".join(lines)
