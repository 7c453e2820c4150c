"""Moments of real games, for cheats against the rules: every finished draft of some games by bots.

`moment(mode, predicate)` gives the first draft that has what a test needs. `forge_program` writes the file of
a draft with any list of ops, properly proved and signed: the verifier of files accepts it, and only the rules
of the game can say what is wrong.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import pytest

from pbem.draft import Choice, Desk, Draft, Wishes, write_answer
from pbem.errors import Fault
from pbem.hand import read_hand
from pbem.library import scenario_text
from pbem.log import ZERO, Log
from pbem.referee import Referee
from pbem.ruleset import DECK, build_terms
from pbem.writer import turn_writer, write_offer
from tests.mailgame import ALICE, BOB, byte_source, decide, wishes_of

# Battle, dice, retreats, chance of a hold, seed, most files.
MODES: dict[str, tuple[str, str, str, float, int, int]] = {
    "live": ("toulon", "sealed", "live", 0.5, 1, 45),
    "sheet": ("montelimar", "sealed", "sheet", 0.0, 3, 60),
    "strict": ("arracourt", "sealed", "strict", 0.0, 2, 45),
    "instant": ("arracourt", "instant", "stand", 0.0, 1, 45),
    "whole": ("mont-mouchet", "instant", "stand", 0.0, 6, 200),
}
PEOPLE = (ALICE, BOB)
MOST_GAMES = 12


class Moment(NamedTuple):
    """A draft that is decided, and what its author wishes to seal."""

    draft: Draft
    wishes: Wishes

    @property
    def log(self) -> Log:
        """The log before the file, that believes nothing."""
        return self.draft.desk.log.trust(on=False)

    @property
    def referee(self) -> Referee:
        """The game before the file."""
        return self.draft.desk.referee

    def honest(self) -> bytes:
        """The file that an honest client makes."""
        return self.draft.seal(self.wishes, byte_source(99))

    def sealed_wishes(self) -> Wishes:
        """The wishes that an honest client seals: Ambush only if it is held."""
        return self.wishes if self.draft.holds_ambush() else self.wishes._replace(ambush=())

    def names(self) -> list[str]:
        """The ops of the file, but for those that pay what is owed."""
        return [choice.name for choice in self.draft.program]


@cache
def moments(mode: str, more: int = 0) -> tuple[Moment, ...]:
    """All drafts of a game by bots; `more` gives other games of the same kind."""
    name, dice, retreat, hold, seed, most = MODES[mode]
    luck, source = random.Random(seed + 100 * more), byte_source(seed)
    terms = build_terms(
        scenario_text(name),
        army="allies",
        pk=ALICE.pk,
        opponent=BOB.pk,
        names=("Alice", "Bob"),
        dice=dice,
        retreat=retreat,
    )
    log, entry = Log(trusting=True).check(write_offer(terms, ALICE, source))
    referee = Referee().read(entry)
    log, entry = log.check(write_answer(log, referee, BOB, source))
    referee = referee.read(entry)
    found = []
    while not log.ended and log.count < most:
        seat = 1 - log.entries[-1].seat
        draft = Draft(Desk(log, referee, PEOPLE[seat], seat))
        if dice == "instant" and log.count < 4:
            draft.choose(Choice("stand", [[None, ["cover", "away"], None]]))
        decide(draft, luck, hold=hold)
        wishes = wishes_of(draft, luck)
        found.append(Moment(draft, wishes))
        log, entry = log.check(draft.seal(wishes, source))
        referee = referee.read(entry)
    return tuple(found)


def moment(mode: str, wanted: Callable[[Moment], bool]) -> Moment:
    """The first moment of a game that has what is wanted, in as many games as it takes."""
    return next(each for more in range(MOST_GAMES) for each in moments(mode, more) if wanted(each))


def forge_program(here: Moment, program: list[Choice], *, engine: bytes = ZERO, note: bool = True) -> bytes:
    """The file of a moment with other ops: proved, chained and signed as it must be."""
    desk = here.draft.desk
    wishes = here.sealed_wishes()
    root = _sheet_root(desk, wishes) if desk.terms.sheet else ZERO
    writer = turn_writer(desk.log, desk.seat, desk.secret, root, byte_source(99))
    writer.pay()
    for name, value in _joined(program):
        if name == "show":
            writer.show(_place(writer, desk, value[0]))
        elif name == "open":
            sheet = desk.sheet()
            assert sheet is not None
            writer.add("open", [[box, *sheet.open(box)] for box, _ in value])
        elif name == "reshuffle":
            writer.reshuffle(DECK)
        elif name == "mix":
            writer.mix(DECK)
        elif name == "draw":
            writer.add("draw", *value)
        elif name == "say":
            writer.add("say", value)
        else:
            writer.say(name, value)
    if note and not writer.table.ended:
        writer.note(wishes.as_value())
    return writer.seal(desk.identity, engine)


_ROOTS: dict[tuple[bytes, tuple[int, ...]], bytes] = {}


def _sheet_root(desk: Desk, wishes: Wishes) -> bytes:
    """The root of the sheet of the next file, made once for all forgeries of a moment."""
    key = (desk.log.previous, wishes.ambush)
    if key not in _ROOTS:
        _ROOTS[key] = desk.write_sheet(desk.log.count, wishes).root
    return _ROOTS[key]


def _joined(program: list[Choice]) -> list[Choice]:
    """The ops with all boxes opened by the first `open`, as a file has it once only."""
    boxes = [box for choice in program if choice.name == "open" for box in choice.value]
    places = [place for place, choice in enumerate(program) if choice.name == "open"]
    joined = [choice for place, choice in enumerate(program) if place not in places[1:]]
    return [Choice("open", boxes) if choice.name == "open" else choice for choice in joined]


def _place(writer: Any, desk: Desk, key: str) -> int:
    hand = read_hand(writer.table, desk.referee, desk.seat, desk.secret)
    return next(card.place for card in hand if card.key == key)


def refused_by_rules(here: Moment, data: bytes, code: str = "E_RULE") -> Fault:
    """The fault of the rules in a file that is otherwise good; the referee is as it was."""
    log, entry = here.log.check(data)
    assert log.count == here.log.count + 1
    before, steps = here.referee.digest(), len(here.referee.steps)
    with pytest.raises(Fault) as caught:
        here.referee.read(entry)
    fault = caught.value
    assert fault.code == code, fault
    assert (fault.file, fault.seat) == (entry.number, entry.seat)
    assert (here.referee.digest(), len(here.referee.steps)) == (before, steps)
    return fault
