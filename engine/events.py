"""What happened: the kinds of event that `apply` reports, for logs, reports and pictures.

An event is a tuple: its kind, then the fields listed here. Units are their numbers, hexes their numbers,
sides and seats too; NOBODY (255) stands for none. The rules never read an event back.
"""

from __future__ import annotations

from typing import Any

from engine.answers import Event

# Kind: names of the fields behind it.
EVENTS: dict[str, tuple[str, ...]] = {
    "turn": ("turn", "seat"),  # a turn begins
    "card": ("seat", "card", "becomes"),  # a command card is played; `becomes`: used as another ("" if not)
    "copies": ("card",),  # a Counter-Attack carries out this order (C27)
    "no-effect": ("what",),  # a card or a supply that does nothing
    "section": ("section",),  # section chosen, counted from the west
    "ordered": ("unit", "hex"),
    "moved": ("unit", "path"),  # every hex from start to end
    "exited": ("unit", "hex", "objective"),
    "removed": ("feature", "hex"),  # wire or sandbags are gone
    "dug-in": ("unit", "hex"),
    # A battle is declared: dice rolled are the unit's own plus bonus, less penalty and cover.
    "attack": ("unit", "target", "from", "to", "dice", "bonus", "penalty", "cover"),
    "strike": ("kind", "target", "to", "dice"),  # an attack by card: "air" or "barrage"
    "targeted": ("unit", "hex"),
    "ambush": ("seat", "unit", "target", "dice"),  # the attacked unit battles first
    "attack-lost": ("unit",),  # an ambushed attacker left its hex
    # Dice have fallen. Purpose: attack, ambush, air, barrage, medics, finest-hour.
    "rolled": ("purpose", "target", "faces", "hits", "flags"),
    "losses": ("unit", "lost", "left", "cause"),  # cause: a purpose, or blocked-retreat
    "eliminated": ("unit", "hex"),
    "ignored": ("unit", "flags"),
    "retreated": ("unit", "path"),
    "ground": ("unit", "from", "to"),  # takes ground
    "healed": ("unit", "returned", "figures"),
    "medal": ("side", "medals", "kind", "subject"),  # elimination: unit; objective: its number; exit; tokens
    "medal-lost": ("side", "medals", "objective"),
    "token": ("side", "unit", "tokens"),
    "drew": ("seat", "cards"),
    "no-card": ("seat",),  # neither deck nor discards had a card left
    "discarded": ("seat", "card"),  # the card a Recon rejects
    "reshuffled": ("deck",),
    "drop-target": ("seat", "hex"),
    "dropped": ("unit", "hex", "faces"),
    "drop-lost": ("unit", "hex", "faces"),  # came down off the board, on a unit or in water
    "over": ("side", "reason", "allies", "axis"),  # the winner and both sides' medals
}


def fields(event: Event) -> dict[str, Any]:
    """An event as a mapping with its kind under "event"; what `--json` shows."""
    return {"event": event[0], **dict(zip(EVENTS[event[0]], event[1:], strict=True))}
