"""Whole games of files, played once for all tests that read them, and what their readers know at any file."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from pbem.draft import Choice, Desk, Draft, Wishes, write_answer
from pbem.library import scenario_text
from pbem.log import Log
from pbem.referee import Referee
from pbem.ruleset import build_terms
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, Party, byte_source, play_game

EVIL = "<script>alert(1)</script>"
EVIL_NOTE = "<img src=x onerror=alert(2)> & \u202egood luck\x07\nsecond line"


class Reading(NamedTuple):
    """What is known after some files of a game."""

    log: Log
    referee: Referee

    def desk(self, seat: int) -> Desk:
        """The desk of Alice (0) or Bob (1)."""
        return Desk(self.log, self.referee, (ALICE, BOB)[seat], seat)


@cache
def game_files(
    name: str = "pegasus-bridge",
    *,
    dice: str = "sealed",
    retreat: str = "",
    seed: int = 4,
    bot: str = "sergeant",
    hold: float = 0.0,
    most: int = 400,
) -> tuple[bytes, ...]:
    """The files of a game between Alice (Allies) and Bob."""
    played = play_game(name, dice=dice, retreat=retreat, seed=seed, bot=bot, hold=hold, most=most)
    return tuple(played.files)


@cache
def readings(files: tuple[bytes, ...]) -> tuple[Reading, ...]:
    """What is known after each file."""
    log, referee = Log(trusting=True), Referee()
    found = []
    for data in files:
        log, entry = log.check(data)
        referee = referee.read(entry)
        found.append(Reading(log, referee))
    return tuple(found)


@cache
def strange_files() -> tuple[bytes, ...]:
    """A game of people with wicked names and words, in a battle with a wicked title; it is resigned."""
    document = scenario_text("pegasus-bridge").replace("title: Pegasus Bridge", 'title: "<b>Bridge</b>"')
    assert "<b>Bridge</b>" in document
    source = byte_source(5)
    terms = build_terms(document, army="allies", pk=ALICE.pk, opponent=BOB.pk, names=(EVIL, "B</title>ob"))
    parties = (Party(ALICE, 0), Party(BOB, 1))
    files = [write_offer(terms, ALICE, source)]
    for party in parties:
        party.accept(files[0])
    files.append(write_answer(parties[1].log, parties[1].referee, BOB, source))
    for party in parties:
        party.accept(files[1])
    draft = Draft(parties[0].desk, (Choice("say", EVIL_NOTE), Choice("end", "resigns")))
    files.append(draft.seal(Wishes(), source))
    return tuple(files)
