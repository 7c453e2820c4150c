"""A small battle for tests of deciding: in every section Allied and Axis units meet, hands are large."""

from __future__ import annotations

from functools import cache

from pbem.draft import Draft, write_answer
from pbem.ruleset import build_terms
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, Party, byte_source

SKIRMISH = """\
title: Skirmish
date: 1944-06-06
front: western
board: standard
face: country
first: allies
sides:
  allies: {nation: US, edge: bottom, cards: 12, medals: 3}
  axis:   {nation: DE, edge: top,    cards: 12, medals: 3}
map: |
  #  A   B   C   D   E   F   G   H   I   J   K   L   M
  9  .   .   .   .   .   .   .   .   .   .   .   .   .
  8    .   .   .   .   .   .   .   .   .   .   .   .
  7  .   .   .   .   .   .   .   .   .   .   .   .   .
  6    .   .   .   .   .   .   .   .   .   .   .   .
  5  .   .   f   .   .   .   .   .   .   .   .   .   .
  4    .   .   .   .   .   .   .   .   .   .   .   .
  3  .   .   .   .   .   .   .   .   .   .   .   .   .
  2    .   .   .   .   .   .   .   .   .   .   .   .
  1  .   .   .   .   .   .   .   .   .   .   .   .   .
units:
  allies:
    infantry:  B5 K5
    armor:     F5
    artillery: G1
  axis:
    infantry:  C5 G5 H5 L5
    armor:     A9
"""
CENTER = ("attack-center", "assault-center", "probe-center", "general-advance")


@cache
def _first_files(document: str, dice: str, retreat: str, seed: int, deck: str) -> tuple[bytes, bytes]:
    source = byte_source(seed)
    terms = build_terms(
        document,
        army="allies",
        pk=ALICE.pk,
        opponent=BOB.pk,
        names=("Alice", "Bob"),
        dice=dice,
        retreat=retreat,
        options={"deck": deck},
    )
    offer = write_offer(terms, ALICE, source)
    bob = Party(BOB, 1)
    bob.accept(offer)
    return offer, write_answer(bob.log, bob.referee, BOB, source)


def skirmish(
    *,
    dice: str = "sealed",
    retreat: str = "",
    seed: int = 1,
    document: str = SKIRMISH,
    deck: str = "young-generals",
) -> tuple[Party, Party]:
    """Alice, who leads the Allies and is to move, and Bob."""
    parties = (Party(ALICE, 0), Party(BOB, 1))
    for data in _first_files(document, dice, retreat, seed, deck):
        for party in parties:
            party.accept(data)
    return parties


def held(draft: Draft, *keys: str) -> str:
    """The first of some cards that the player of a draft can play."""
    playable = [answer[1] for answer in draft.answers() if answer[0] == "card"]
    return next(key for key in keys if key in playable)


def center_card(draft: Draft) -> str:
    """A card in the hand that orders two units or more in the center."""
    return held(draft, *CENTER)
