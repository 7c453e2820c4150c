"""A sealed skirmish in which an Ambush throws the first attacker back in the middle of a plan."""

from __future__ import annotations

from functools import cache

from pbem.draft import Draft, Wishes
from pbem.typed import enact_all
from tests.mailgame import Party, byte_source
from tests.skirmish import CENTER, SKIRMISH, skirmish

DUG_IN = SKIRMISH.replace("5  .   .   f   .   .   .   .", "5  .   .   f   .   .   .n  .")
PLAN = ("attack F5 G5", "attack G1 H5")


def _hold(draft: Draft, card: str) -> bool:
    return any(held.key == card for held in draft.hand())


def _post(draft: Draft, wishes: Wishes, seed: int, *parties: Party) -> None:
    data = draft.seal(wishes, byte_source(seed))
    for party in parties:
        party.accept(data)


def _center(draft: Draft) -> str:
    return next((a[1] for a in draft.answers() if a[0] == "card" and a[1] in CENTER), "")


def _wing(draft: Draft) -> str:
    """A card that orders units on a wing and does nothing else."""
    found = (a[1] for a in draft.answers() if a[0] == "card")
    return next((key for key in found if key.endswith(("-left", "-right")) and "recon" not in key), "")


@cache
def promised(document: str = SKIRMISH) -> tuple[Party, Party]:
    """Alice is to begin her second turn; Bob has promised an Ambush of every unit."""
    for seed in range(1, 40):
        alice, bob = skirmish(seed=seed, document=document, deck="standard")
        first = Draft(alice.desk)
        if not _wing(first) or not _center(first):
            continue
        _post(enact_all(first, [f"card {_wing(first)}", "end"]), Wishes(), seed, alice, bob)
        second = Draft(bob.desk)
        if not _wing(second) or not _hold(second, "ambush"):
            continue
        second = enact_all(second, [f"card {_wing(second)}", "end"])
        army = tuple(second.state.setup.army[1])
        _post(second, Wishes(ambush=army), seed, alice, bob)
        return alice, bob
    raise AssertionError("no deal with an Ambush for Bob and a card for the center for Alice")


@cache
def _ambushed_files(document: str, phase: str) -> tuple[bytes, bytes]:
    """Alice's attack and Bob's answer to it: an Ambush whose dice show a flag."""
    alice, bob = promised(document)
    draft = Draft(alice.desk)
    draft = enact_all(draft, [f"card {_center(draft)}", "order F5 G1", *PLAN])
    for seed in range(60):
        data = draft.seal(Wishes(), byte_source(seed))
        reader = Party(bob.identity, 1, bob.log, bob.referee)
        reader.accept(data)
        answer = Draft(reader.desk)
        state = answer.referee.now
        if answer.is_decided and state.phase == phase and len(state.answers) > 1:
            return data, answer.seal(Wishes(), byte_source(seed))
    raise AssertionError("no dice with a flag")


def ambushed(document: str = SKIRMISH, phase: str = "retreat") -> tuple[Party, Party]:
    """Alice has to say where her armor at F5 retreats; the attack of G1 is left of her plan.

    With DUG_IN and "ignore" she has to say whether it ignores the flag.
    """
    alice, bob = promised(document)
    parties = (
        Party(alice.identity, 0, alice.log, alice.referee),
        Party(bob.identity, 1, bob.log, bob.referee),
    )
    for data in _ambushed_files(document, phase):
        for party in parties:
            party.accept(data)
    return parties
