"""Standing orders of a game on disk, and sealing with them: where they go depends on the terms.

`orders.json` in the game's folder keeps what the player has said; without it the usual orders hold. In an
instant game they travel openly, as a `stand` op; where retreats are answered from sheets they are sealed on
the sheet of every file; Ambush is sealed on the sheet wherever there is one.
"""

from __future__ import annotations

from typing import Any

from pbem.draft import Choice, Desk, Draft, Wishes
from pbem.errors import Fault, StoreError
from pbem.files import remove_file
from pbem.home import read_json, write_json
from pbem.log import Entry
from pbem.orders import parse_stand, stand_value
from pbem.orders_text import AMBUSHES, Standing
from pbem.store import Game
from pbem.writer import Random

NAME = "orders.json"


def load_standing(game: Game) -> Standing:
    """What the player has said about the other player's turns; the usual orders if nothing."""
    path = game.path / NAME
    if not path.is_file():
        return Standing()
    try:
        value = read_json(path)
        ambush: Any = value["ambush"]
        if ambush not in AMBUSHES:
            ambush = tuple(int(unit) for unit in ambush)
        return Standing(ambush, parse_stand(value["stand"]))
    except (KeyError, TypeError, ValueError, Fault) as problem:
        raise StoreError(
            f'the standing orders of the game "{game.key}" are damaged',
            hint='"pbem orders --reset" goes back to the usual ones',
        ) from problem


def save_standing(game: Game, standing: Standing) -> None:
    """Keep what the player has said."""
    ambush = standing.ambush if isinstance(standing.ambush, str) else list(standing.ambush)
    value = {"ambush": ambush, "stand": stand_value(standing.stand)}
    write_json(game.path / NAME, value)


def forget_standing(game: Game) -> None:
    """Go back to the usual orders."""
    remove_file(game.path / NAME)


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
    public = draft.desk.terms.retreat == "stand" and referee.winner < 0
    if public and referee.stands[draft.desk.side] != standing.stand:
        draft.choose(Choice("stand", stand_value(standing.stand)))
    return draft


def seal_draft(game: Game, draft: Draft, standing: Standing, random: Random) -> tuple[Entry, bytes]:
    """Sign a decided draft with the standing orders where the terms want them; raises Refused."""
    ready = prepare(draft, standing)
    return game.sign(ready, wishes_of(draft.desk, standing), random)
