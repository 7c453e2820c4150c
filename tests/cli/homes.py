"""Two homes on disk with a game between them, for tests of the commands that decide."""

from __future__ import annotations

import random
from pathlib import Path

from pbem.draft import Desk, Draft, write_answer
from pbem.home import Home
from pbem.identity import seal_key_file
from pbem.mailbot import decide, standing_orders
from pbem.ruleset import build_terms
from pbem.standing import seal_draft
from pbem.store import Game
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, byte_source
from tests.skirmish import SKIRMISH, center_card

KEY = "battle"


class Pair:
    """Alice and Bob, each with a home folder, and their game."""

    def __init__(
        self,
        folder: Path,
        *,
        document: str = SKIRMISH,
        dice: str = "sealed",
        retreat: str = "",
        seed: int = 1,
        army: str = "allies",
        options: dict[str, str] | None = None,
    ) -> None:
        self.source = byte_source(seed)
        self.luck = random.Random(seed)
        self.people = (ALICE, BOB)
        self.homes = (Home(folder / "alice"), Home(folder / "bob"))
        for home, person, name in zip(self.homes, self.people, ("Alice", "Bob"), strict=True):
            home.save_identity(seal_key_file(person, None, name))
        terms = build_terms(
            document,
            army=army,
            pk=ALICE.pk,
            opponent=BOB.pk,
            names=("Alice", "Bob"),
            dice=dice,
            retreat=retreat,
            options={"deck": "young-generals"} if options is None else options,
        )
        self.post(write_offer(terms, ALICE, self.source))
        bob = self.game(1)
        self.post(write_answer(bob.log, bob.referee, BOB, self.source))

    def post(self, data: bytes) -> None:
        """Give a file to both."""
        for home in self.homes:
            game = Game(home, KEY)
            if (game.path / "files").is_dir():
                game.load()
            if data not in game.raw:
                game.accept(data)

    def game(self, seat: int) -> Game:
        """The game as one of them has it."""
        return Game(self.homes[seat], KEY).load()

    def desk(self, seat: int) -> Desk:
        """The desk of one of them."""
        return self.game(seat).desk(self.people[seat])

    def home(self, seat: int) -> str:
        """What --home says."""
        return str(self.homes[seat].path)

    @property
    def mover(self) -> int:
        """Who writes the next file."""
        return next(seat for seat in (0, 1) if self.desk(seat).is_next())

    def move(self, count: int = 1) -> None:
        """Let bots write the next files."""
        for _ in range(count):
            seat = self.mover
            game = self.game(seat)
            draft = game.load_draft(game.desk(self.people[seat]))
            decide(draft, self.luck)
            self.post(seal_draft(game, draft, standing_orders(), self.source)[1])

    def sync(self) -> None:
        """Deliver what one of them has and the other has not."""
        games = [self.game(0), self.game(1)]
        longest = max(games, key=lambda game: game.log.count)
        for data in longest.raw:
            self.post(data)

    def draft(self, seat: int) -> Draft:
        """The draft as it lies on disk."""
        game = self.game(seat)
        return game.load_draft(game.desk(self.people[seat]))

    def center_card(self) -> str:
        """A card of the mover that orders two units or more in the center."""
        return center_card(self.draft(self.mover))
