"""Standing orders of a game on disk, and sealing with them: where they go depends on the terms.

`orders.json` in the game's folder keeps what the player has said; without it the usual orders hold, or those
that the player's own files have made public. In an instant game they travel openly, as a `stand` op; where
retreats are answered from sheets they are sealed on the sheet of every file; Ambush is sealed on the sheet
wherever there is one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import NOBODY, State
from engine.combat import can_ignore
from engine.retreat import routes
from engine.state import Fight
from pbem.draft import Choice, Desk, Draft, Wishes, parse_wishes
from pbem.draw.words import count
from pbem.errors import Fault, StoreError
from pbem.home import read_json, write_json
from pbem.log import Entry
from pbem.notes import open_note
from pbem.orders import NO_ORDERS, UNITS, Stand, decide_flags, decide_route, parse_stand, stand_value
from pbem.orders_text import AMBUSHES, Standing
from pbem.store import Game
from pbem.story import unit_name
from pbem.writer import Random

NAME = "orders.json"


def load_standing(game: Game) -> Standing:
    """What the player has said about the other player's turns; without a note what their files say of it."""
    path = game.path / NAME
    if not path.is_file():
        stand = _published(game)
        return Standing() if stand == NO_ORDERS else Standing(stand=stand)
    try:
        value = read_json(path)
        ambush: Any = value["ambush"]
        stand = parse_stand(value["stand"])
        _check_units(game, list(stand.units))
        if ambush in AMBUSHES:
            return Standing(ambush, stand)
        _check_units(game, ambush)
        return Standing(tuple(ambush), stand)
    except (KeyError, TypeError, ValueError, Fault) as problem:
        raise StoreError(
            f'the standing orders of the game "{game.key}" are damaged',
            hint='"pbem orders --reset" goes back to the usual ones',
        ) from problem


def _published(game: Game) -> Stand:
    """The orders that the owner's files have made public: they outlive the home folder."""
    terms = game.log.terms
    if terms is None or terms.retreat != "stand":
        return NO_ORDERS
    seat = game.seat_of(game.home.read_head().pk)
    return NO_ORDERS if seat is None else game.referee.stands[terms.seats[seat].side]


def _check_units(game: Game, units: Any) -> None:
    """Raises ValueError unless this is a list of units of the battle."""
    match = game.referee.match
    most = len(match.setup.side) if match is not None else UNITS
    if not isinstance(units, list) or not all(type(unit) is int and 0 <= unit < most for unit in units):
        raise ValueError("there are no such units")


def save_standing(game: Game, standing: Standing) -> None:
    """Keep what the player has said."""
    ambush = standing.ambush if isinstance(standing.ambush, str) else list(standing.ambush)
    value = {"ambush": ambush, "stand": stand_value(standing.stand)}
    write_json(game.path / NAME, value)


def wishes_of(desk: Desk, standing: Standing) -> Wishes:
    """Standing orders as the next sheet carries them."""
    match = desk.referee.match
    assert match is not None
    army = match.setup.army[match.setup.seats[match.army_of(desk.seat)].side]
    chosen = {"always": army, "never": ()}.get(str(standing.ambush), ())
    return Wishes(chosen if isinstance(standing.ambush, str) else standing.ambush, standing.stand)


def prepare(draft: Draft, standing: Standing) -> Draft:
    """A decided draft ready to be sealed: confirms a result, states standing orders that are public."""
    if draft.must_confirm:
        draft.choose(Choice("end", draft.referee.result()))
    referee = draft.referee
    busy = bool(referee.unanswered or referee.firing or referee.fired)  # in the other side's turn: not now
    public = draft.desk.terms.retreat == "stand" and referee.winner < 0 and not busy
    if public and referee.stands[draft.desk.side] != standing.stand:
        draft.choose(Choice("stand", stand_value(standing.stand)))
    return draft


def seal_draft(game: Game, draft: Draft, standing: Standing, random: Random) -> tuple[Entry, bytes]:
    """Sign a decided draft with the standing orders where the terms want them; raises Refused."""
    ready = prepare(draft, standing)
    return game.sign(ready, wishes_of(draft.desk, standing), random)


def sealed_orders(desk: Desk) -> Standing | None:
    """The orders that the last own file carries and that hold until the next one; None if there are none.

    An Ambush is promised only by a file whose author holds the card: without it "never" stands here.
    """
    match, log = desk.referee.match, desk.log
    own = [entry for entry in log.entries[2:] if entry.side == desk.side]
    if match is None or not own:
        return None
    notes = [action.value for action in own[-1].actions if action.name == "note"]
    wishes = parse_wishes(open_note(desk.secret, log.game, own[-1].number, notes[0])) if notes else Wishes()
    army = set(match.setup.army[match.setup.seats[match.army_of(desk.seat)].side])
    ambush = "always" if set(wishes.ambush) == army else "never" if not wishes.ambush else wishes.ambush
    stand = desk.referee.stands[desk.side] if desk.terms.retreat == "stand" else wishes.stand
    return Standing(ambush, stand)


# Trying them out


class Rehearsal(NamedTuple):
    """What standing orders would do with a unit and some flags."""

    unit: int
    flags: int
    ignored: int
    route: tuple[str, ...]  # hexes, the unit's own first
    losses: int
    routes: int  # how many there were to choose from


def rehearse(state: State, standing: Standing, unit: int, flags: int) -> Rehearsal:
    """What a unit on the board would do if so many flags had just fallen on it."""
    preference = standing.stand.of(unit)
    here = state.pos[unit]
    t = state.copy()
    t.fight = Fight("attack", NOBODY, unit, 0, False, here, None, flags)
    ignored = 0
    if flags and can_ignore(t, unit):
        t.answers = (("ignore", 0), ("ignore", 1))
        confined = t.setup.board.confined[t.setup.arm[unit]][here]  # T40b: it always ignores one
        ignored = 1 if confined else decide_flags(t, unit, preference.flags)[1]
    if flags == ignored:
        return Rehearsal(unit, flags, ignored, (t.setup.grid.labels[here],), 0, 1)
    ways, losses = routes(t, unit, flags - ignored)
    t.answers = ways
    chosen = decide_route(t, unit, preference.route)
    path = tuple(t.setup.grid.labels[h] for h in chosen[1:])
    return Rehearsal(unit, flags, ignored, path, min(losses, t.figures[unit]), len(ways))


def rehearsal_text(state: State, trial: Rehearsal) -> str:
    """The same as one sentence."""
    who = f"{unit_name(state.setup, trial.unit)} at {trial.route[0]}"
    parts = []
    if trial.ignored:
        parts.append(f"ignores {count(trial.ignored, 'flag')}")
    if len(trial.route) > 1:
        choice = f", the best of {trial.routes} ways" if trial.routes > 1 else ", the only way"
        parts.append(f"retreats to {' and '.join(trial.route[1:])}{choice}")
    elif not trial.losses:
        parts.append("stays")
    if trial.losses:
        parts.append(f"loses {count(trial.losses, 'figure')}, because its way back is blocked")
    return f"With {count(trial.flags, 'flag')} {who} {' and '.join(parts)}."
