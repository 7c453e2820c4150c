"""What has been proved about a file, what is still open, and what rests on trust, in plain words.

The sentences say what the verifier has checked before a file is accepted (docs/protocol.md) and nothing more.
"""

from __future__ import annotations

from typing import NamedTuple

from engine import is_over
from pbem.draw.picture import SIDE_NAMES
from pbem.draw.words import count, listed
from pbem.identity import fingerprint
from pbem.log import Entry, Log
from pbem.referee import Referee, Step
from pbem.story import card_name
from pbem.wording import awaited_dice, open_assaults


class Trust(NamedTuple):
    """The security lines of one file."""

    proved: tuple[str, ...]
    pending: tuple[str, ...]
    trusted: tuple[str, ...]
    players: tuple[tuple[str, str, str], ...]  # name, side, fingerprint ("" while nobody has taken the seat)


def trust_of(log: Log, referee: Referee, number: int, steps: list[Step], *, answers: bool = False) -> Trust:
    """The security lines of a file; `steps` are those it made, `answers` if the reader writes the next."""
    entry = log.entries[number]
    is_last = number == log.count - 1
    return Trust(
        tuple(_proved(referee, entry, steps)),
        tuple(_pending(referee, entry, answers=answers)) if is_last else (),
        tuple(_trusted(referee)),
        tuple(_players(log, referee)),
    )


def _author(referee: Referee, entry: Entry) -> str:
    assert referee.match is not None
    return referee.match.called[entry.seat]


def _proved(referee: Referee, entry: Entry, steps: list[Step]) -> list[str]:
    name = _author(referee, entry)
    ops = [action.name for action in entry.actions]
    rest = f", is unchanged and follows file {entry.number - 1}" if entry.number else " and is unchanged"
    lines = [f"File {entry.number} is signed with the key of {name}{rest}."]
    shown = [action.value for action in entry.actions if action.name == "show"]
    if shown:
        assert referee.match is not None
        cards = listed([card_name(referee.match.card_key(card.card)) for card in shown])
        lines.append(f"{cards}: dealt to {name} from the shuffled deck, and shown as dealt.")
    rolls = sum(
        1 for step in steps for event in step.events if event[0] in ("rolled", "dropped", "drop-lost")
    )
    if rolls:
        lines.append(
            f"{count(rolls, 'roll')} of dice: made of secrets that both players had fixed before the game;"
            " nobody could choose them or roll again."
        )
    if "shuffle" in ops or "reshuffle" in ops:
        lines.append("The deck was shuffled without a card being added, lost or changed.")
    if "open" in ops:
        lines.append("The answers that were opened are those that had been sealed before the dice.")
    if steps:
        lines.append("Every decision in it is allowed by the rules; this program has played them again.")
    return lines


def _pending(referee: Referee, entry: Entry, *, answers: bool) -> list[str]:
    match, state = referee.match, referee.state
    assert match is not None
    other = match.called[match.terms.seats_of(1 - entry.side)[0]]
    if state is None:
        return [f"{other} has not answered yet; the cards are not dealt."]
    lines = []
    if not is_over(state) and referee.resigned < 0:
        dice = awaited_dice(referee)
        if dice:
            lines.append(
                "The dice that fall by your answer are known to you alone until you seal it."
                if answers
                else f"{dice[0].upper()}{dice[1:]} fall when {other} answers."
            )
        if match.terms.sheet:
            lines.append("Answers sealed ahead, such as an Ambush, stay closed until they are asked for.")
    elif open_assaults(referee) and not answers:
        where = listed(open_assaults(referee))
        lines.append(f"Whether an Ambush answers the close assault at {where} is known when {other} answers.")
    elif not referee.confirmed:
        lines.append(f"{other} has not signed the result yet.")
    return lines


def _trusted(referee: Referee) -> list[str]:
    assert referee.match is not None
    terms = referee.match.terms
    lines = []
    if terms.dice == "instant":
        lines.append(
            "Instant dice: a changed program could look at the dice of its own turn before deciding."
            " The players have agreed to trust each other in this."
        )
    elif terms.retreat == "live":
        lines.append(
            "Live retreats: whoever decides a retreat could, with a changed program, already know"
            " the dice that are still to fall in the same turn."
        )
    lines.append("That a key belongs to a person: compare the fingerprints aloud once.")
    return lines


def _players(log: Log, referee: Referee) -> list[tuple[str, str, str]]:
    match = referee.match
    assert match is not None
    rows = []
    for seat, name in enumerate(match.called):
        pk = log.identities[seat] if seat < len(log.identities) else None
        side = SIDE_NAMES[match.setup.seats[match.army_of(seat)].side]
        rows.append((name, side, fingerprint(pk) if pk else ""))
    return rows
