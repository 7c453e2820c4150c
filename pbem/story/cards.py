"""What a command card does, in one sentence each."""

from __future__ import annotations

from engine.cards import CARDS, EVERY, Card

_TACTICS: dict[str, str] = {
    "air-power": "Bombs up to four enemy units that stand next to each other; stars hit too.",
    "ambush": "Played when an enemy attacks from the next hex: the attacked unit battles first.",
    "armor-assault": "Orders four armor units; one die more in close assault.",
    "artillery-bombard": "Orders all artillery: each unit moves up to three hexes or battles twice.",
    "barrage": "Four dice against one enemy unit, wherever it stands.",
    "behind-enemy-lines": "One infantry unit moves up to three hexes, battles with a die more, moves again.",
    "close-assault": "Orders all infantry and armor next to the enemy; one die more, no movement.",
    "counter-attack": "Carries out the order of the card that the opponent has just played.",
    "dig-in": "Four infantry units dig in behind sandbags.",
    "direct-from-hq": "Orders four units anywhere.",
    "firefight": "Orders four units that are not next to an enemy; they fire with one die more, no movement.",
    "infantry-assault": "Orders all infantry of one section; they move up to two hexes and battle, or three.",
    "medics-and-mechanics": "Dice return figures to one unit, which is then ordered.",
    "move-out": "Orders four infantry units.",
    "their-finest-hour": "Dice order units, who battle with one die more; the deck is shuffled again.",
}


def card_text(key: str) -> str:
    """What a card does; nothing for a card that is not known."""
    card = CARDS.get(key)
    if card is None:
        return ""
    return _section_text(card) if card.sections is not None else _TACTICS.get(key, "")


def _section_text(card: Card) -> str:
    """The orders of a section card, seen from the player's chair."""
    assert card.sections is not None
    left, center, right = card.sections
    if left == center == right:
        return f"Orders {_units(left)} in each section."
    if left and right:
        return f"Orders {_units(left)} on each flank."
    where = "on the left flank" if left else "in the center" if center else "on the right flank"
    more = " Two cards are drawn and one is kept." if card.draws > 1 else ""
    return f"Orders {_units(left or center or right)} {where}.{more}"


def _units(number: int) -> str:
    return "all units" if number == EVERY else "one unit" if number == 1 else f"{number} units"
