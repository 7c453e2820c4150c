"""A practice opponent: a bot with an identity and a home of its own, in the folder `bot` of the home folder.

Nothing is special about its games. The bot's home holds its own copy of the files, it checks every file of
the player completely, signs its own, and the player's home checks those in turn.
"""

from __future__ import annotations

import os
import random as luck
from collections.abc import Callable

from engine.croupier import Luck
from pbem.draft import write_answer
from pbem.errors import StoreError
from pbem.home import Home
from pbem.identity import Contact, Identity, make_card, new_identity, parse_card, seal_key_file
from pbem.log import Entry
from pbem.mailbot import USUAL, decide, standing_orders
from pbem.standing import seal_draft
from pbem.store import Game
from pbem.summary import is_own_bot

Random = Callable[[int], bytes]
NAME = "Bot"


def bot_home(home: Home) -> Home:
    """The bot's own home folder; it may not exist yet."""
    return Home(home.path / "bot")


def bot_contact(home: Home, random: Random = os.urandom) -> Contact:
    """The bot as a contact, to be named as the opponent of a new game; made at the first call."""
    own = bot_home(home)
    if not own.has_identity():
        own.save_identity(seal_key_file(new_identity(random), None, NAME))
    return parse_card(make_card(_bot_identity(home), NAME))


def _bot_identity(home: Home) -> Identity:
    try:
        return bot_home(home).load_identity(lambda: "")[0]
    except StoreError as problem:  # nobody has a backup of a bot
        problem.hint = 'move it away: the next "pbem new --opponent bot" makes another'
        raise


def is_practice(home: Home, game: Game) -> bool:
    """Whether the bot of this home sits at the other side of a game."""
    return any(pk is not None and is_own_bot(home, pk) for pk in game.log.identities)


def answer(
    home: Home, game: Game, *, random: Random = os.urandom, chance: Luck | None = None, bot: str = USUAL
) -> list[Entry]:
    """Let the bot answer for as long as it is to move; the files that came in, none in other games.

    May be called at any time: what the bot has signed before, and the player's home does not have yet, is
    taken in first.
    """
    if not is_practice(home, game):
        return []
    with bot_home(home).lock():
        other = _own_copy(home, game)
        taken = _catch_up(game, other)
        identity = _bot_identity(home)
        while not other.log.ended and other.desk(identity).is_next():
            _answer_once(other, identity, random, chance or luck.SystemRandom(), bot)
            taken += _catch_up(game, other)
    return taken


def _own_copy(home: Home, game: Game) -> Game:
    """The bot's copy of a game, with all files that the player has."""
    other = Game(bot_home(home), game.key)
    if other.stored():
        other.load({number: [data] for number, data in enumerate(game.raw)})
    for data in game.raw[other.log.count :]:
        other.accept(data)
    return other


def _catch_up(game: Game, other: Game) -> list[Entry]:
    """Take files of the bot's copy in that the player does not have."""
    return [game.accept(data) for data in other.raw[game.log.count :]]


def _answer_once(other: Game, identity: Identity, random: Random, chance: Luck, bot: str) -> None:
    if other.log.count == 1:
        other.keep_signed(write_answer(other.log, other.referee, identity, random))
        return
    draft = other.load_draft(other.desk(identity))
    decide(draft, chance, bot=bot)
    seal_draft(other, draft, standing_orders(), random)
