"""Two players and a third party in memory, for tests of the protocol: they exchange real files."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

from engine import legal
from engine.bot import BOTS
from pbem.draft import Choice, Desk, Draft, Wishes, write_answer
from pbem.identity import Identity
from pbem.library import scenario_text
from pbem.log import Log
from pbem.orders import Order, Preference, Stand
from pbem.referee import Referee
from pbem.ruleset import build_terms
from pbem.writer import write_offer

ALICE, BOB = Identity(b"A" * 32), Identity(b"B" * 32)


def byte_source(seed: int) -> Callable[[int], bytes]:
    """A repeatable source of random bytes."""
    return random.Random(seed).randbytes


@dataclass
class Party:
    """Somebody who has the files of a game; with an identity and a seat a player, without a stranger."""

    identity: Identity | None = None
    seat: int = -1
    log: Log = field(default_factory=Log)
    referee: Referee = field(default_factory=Referee)

    def accept(self, data: bytes) -> None:
        """Take a file in, or raise."""
        log, entry = self.log.check(data)
        self.referee = self.referee.read(entry)
        self.log = log

    @property
    def desk(self) -> Desk:
        """The player's desk."""
        assert self.identity is not None
        return Desk(self.log, self.referee, self.identity, self.seat)


def plan_orders(draft: Draft, luck: random.Random, *, hold: float = 0.0) -> tuple[Order, ...]:
    """Attack orders for every unit that can attack, targets at random."""
    state = draft.state
    found: dict[int, list[int]] = {}
    for answer in legal(state):
        if answer[0] == "attack":
            found.setdefault(state.occupant[answer[1]], []).append(state.occupant[answer[2]])
    orders = []
    enemies = state.units_of(1 - state.side)
    for unit, targets in found.items():
        luck.shuffle(targets)
        ground = state.setup.types[unit].takes_ground
        over = tuple(luck.sample(enemies, min(3, len(enemies)))) if ground else ()
        orders.append(Order(unit, tuple(targets[:3]), ground, over, luck.random() < hold))
    return tuple(orders)


def decide(draft: Draft, luck: random.Random, *, bot: str = "busy", hold: float = 0.0) -> None:
    """Make all choices of a file."""
    while not draft.is_decided:
        if draft.must_confirm:
            draft.choose(Choice("end", draft.referee.result()))
        elif draft.wants_plan:
            left = draft.referee.plan
            if draft.referee.owes_plan and luck.random() < 0.5 and left is not None:
                draft.plan(None)
            else:
                draft.plan(plan_orders(draft, luck, hold=hold))
        else:
            answers = draft.answers()
            choice = BOTS[bot](draft.state, luck)
            assert choice in answers, (choice, answers)
            draft.do(choice)


def wishes_of(draft: Draft, luck: random.Random) -> Wishes:
    """Ambush with everything, retreat towards cover."""
    state = draft.state
    assert draft.referee.match is not None
    army = state.setup.army[draft.referee.match.army_of(draft.desk.seat)]
    assert luck is not None
    return Wishes(tuple(army), Stand(Preference(("cover", "away")), {}))


@dataclass
class Played:
    """A whole game."""

    files: list[bytes]
    parties: tuple[Party, Party, Party]


def play_game(
    name: str = "pegasus-bridge",
    *,
    dice: str = "sealed",
    retreat: str = "",
    army: str = "allies",
    seed: int = 1,
    mix: bool = True,
    sheet: bool = True,
    bot: str = "busy",
    hold: float = 0.0,
    most: int = 400,
    options: dict[str, str] | None = None,
) -> Played:
    """Play a game to its signed end (or `most` files); all three parties check every file."""
    luck = random.Random(seed)
    source = byte_source(seed)
    terms = build_terms(
        scenario_text(name),
        army=army,
        pk=ALICE.pk,
        opponent=BOB.pk,
        names=("Alice", "Bob"),
        dice=dice,
        retreat=retreat,
        mix=mix,
        sheet=sheet,
        options=options,
    )
    parties = (Party(ALICE, 0), Party(BOB, 1), Party())
    files = [write_offer(terms, ALICE, source)]
    for party in parties:
        party.accept(files[0])
    files.append(write_answer(parties[1].log, parties[1].referee, BOB, source))
    for party in parties:
        party.accept(files[1])
    while not parties[2].log.ended and len(files) < most:
        author = next(party for party in parties[:2] if party.desk.is_next())
        draft = Draft(author.desk)
        if dice == "instant" and len(files) < 4:
            draft.choose(Choice("stand", [[None, ["cover", "away"], None]]))
        decide(draft, luck, bot=bot, hold=hold)
        files.append(draft.seal(wishes_of(draft, luck), source))
        for party in parties:
            party.accept(files[-1])
        digests = {party.referee.digest() for party in parties}
        assert len(digests) == 1
    return Played(files, parties)
