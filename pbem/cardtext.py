"""What the command cards do, in a sentence of our own each, and what one could do now."""

from __future__ import annotations

from engine import State, apply, chance, legal
from engine.cards import CARDS, EVERY, Card
from engine.tactics import cards_held
from pbem.draw.words import count, listed

CHAIRS = ("left", "center", "right")
LONE = " Without such a unit it orders 1 unit of any kind, which acts as usual."

TACTICS: dict[str, str] = {
    "air-power": "Bombs up to 4 enemy units that hang together; stars hit too, and no cover helps.",
    "ambush": "Played in the enemy's turn: your unit that is assaulted battles first.",
    "armor-assault": "Orders up to 4 armor units; in close assault each rolls 1 die more." + LONE,
    "artillery-bombard": "Orders all artillery: each moves up to 3 hexes, or battles twice." + LONE,
    "barrage": "Rolls 4 dice at any one enemy unit; no cover helps.",
    "behind-enemy-lines": "Orders 1 infantry unit: 3 hexes, a battle with 1 die more, 3 hexes again." + LONE,
    "close-assault": "Orders all infantry and armor next to an enemy: no move, 1 die more in close assault.",
    "counter-attack": "Repeats the order that the enemy has just carried out, left and right exchanged.",
    "dig-in": "Up to 4 infantry units put sandbags on their hexes; they neither move nor battle." + LONE,
    "direct-from-hq": "Orders up to 4 units anywhere.",
    "firefight": "Orders up to 4 units that are not next to an enemy: no move, 1 die more when firing.",
    "infantry-assault": "Orders all infantry of one section: up to 2 hexes and battle, or 3 without." + LONE,
    "medics-and-mechanics": "A unit with losses rolls a die for each card you hold and may then be ordered.",
    "move-out": "Orders up to 4 infantry units anywhere." + LONE,
    "their-finest-hour": (
        "A die for each of your cards says which units are ordered; they battle with 1 die more. "
        "Then the deck is reshuffled."
    ),
}


def card_text(key: str) -> str:
    """What a card does, in a sentence or two."""
    card = CARDS[key]
    if card.sections is None:
        return TACTICS[key]
    text = f"Orders {listed(quotas(card))}."
    return f"{text} Then draw 2 cards and keep one." if card.draws > 1 else text


def quotas(card: Card) -> list[str]:
    """Whom a section card orders, section by section: `2 units on the left`."""
    assert card.sections is not None
    counts = card.sections
    if len(set(counts)) == 1:
        return [f"{count(counts[0], 'unit')} in each section"]
    return [
        f"{'all units' if number == EVERY else count(number, 'unit')} "
        f"{'in the center' if where == 'center' else f'on the {where}'}"
        for where, number in zip(CHAIRS, counts, strict=True)
        if number
    ]


def card_now(state: State, key: str) -> str:
    """What playing a card would do in a position whose player is asked for one."""
    if ("card", key) not in legal(state):
        return "cannot be played now"
    t = apply(state, ("card", key)).state
    if t.turn != state.turn or t.seat != state.seat:
        return "would order nobody"
    if t.phase == "order":
        places = [t.setup.grid.labels[answer[1]] for answer in legal(t) if answer[0] == "order"]
        return f"could order {', '.join(places)}"
    if t.phase == "section":
        return "asks for a section first"
    if t.phase == "target":
        return f"could strike {', '.join(t.setup.grid.labels[a[1]] for a in legal(t) if a[0] == 'target')}"
    if t.phase == "heal":
        places = [t.setup.grid.labels[answer[1]] for answer in legal(t) if answer[0] == "heal"]
        return f"could help {', '.join(places)}"
    if chance(t) == "roll":
        return f"would roll {'1 die' if cards_held(t) == 1 else f'{cards_held(t)} dice'}"
    return "would order nobody"
