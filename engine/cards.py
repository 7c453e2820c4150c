"""Table of command cards and of decks (rules C1-C34): facts, and the name of a procedure where facts run out.

A section card says how many units it orders in each section, seen from the player's chair. A tactic card
says which units it may order and how they act; what else it does is a procedure in `tactics.py`, named by
`play`. The Breakthrough deck (C40-C74) and the Overlord readings (C80-C93) become rows here.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.terrain import ALL, ARMOR, ARTILLERY, INFANTRY, Arm, Triple

EVERY = 99  # "all": more than any board holds (C2)
FLANKS: dict[str, str] = {"left": "right", "right": "left", "center": "center"}


class Card(NamedTuple):
    """The facts of one command card."""

    key: str
    name: str
    tactic: bool = True
    sections: Triple | None = None  # units per section, left, center, right; None: anywhere
    units: int = 0  # units ordered anywhere
    arms: frozenset[Arm] = ALL  # which may be ordered
    fallback: bool = False  # without any unit of these arms: one unit of any kind (C3)
    contact: bool | None = None  # only units next to an enemy (True) or not next to one (False)
    march: int | None = None  # movement instead of the unit's own: with battle ...
    reach: int | None = None  # ... and without
    battles: bool = True  # ordered units may battle
    close_only: bool = False  # only against adjacent enemies (C26a)
    far_only: bool = False  # never while an enemy is adjacent (C30b)
    close_bonus: int = 0  # dice in close assault
    far_bonus: int = 0  # dice when firing
    attacks: int = 1  # battles per unit (C23)
    draws: int = 1  # cards taken at the end; one of them is kept (C10)
    reshuffles: bool = False  # before the draw (C34)
    reaction: bool = False  # never the card of a turn (R29)
    play: str = "orders"  # the procedure that carries it out


def _section_cards() -> tuple[Card, ...]:
    rows: list[Card] = []
    for name, count, draws in (("recon", 1, 2), ("probe", 2, 1), ("attack", 3, 1), ("assault", EVERY, 1)):
        for place, where in enumerate(("left", "center", "right")):
            sections = tuple(count if place == other else 0 for other in range(3))
            rows.append(
                Card(
                    key=f"{name}-{where}",
                    name=f"{name.capitalize()} {where.capitalize()}",
                    tactic=False,
                    sections=(sections[0], sections[1], sections[2]),
                    draws=draws,
                )
            )
    whole = Card(key="recon-in-force", name="Recon in Force", tactic=False, sections=(1, 1, 1))
    return (
        *rows,  # C10-C13
        whole,  # C14
        whole._replace(key="general-advance", name="General Advance", sections=(2, 2, 2)),  # C15
        whole._replace(key="pincer-move", name="Pincer Move", sections=(2, 0, 2)),  # C16
    )


FOOT = frozenset({INFANTRY})

CARDS: dict[str, Card] = {
    row.key: row
    for row in (
        *_section_cards(),
        Card(key="air-power", name="Air Power", play="air_power"),  # C20
        Card(key="ambush", name="Ambush", reaction=True, play="nothing"),  # C21
        Card(  # C22
            key="armor-assault",
            name="Armor Assault",
            units=4,
            arms=frozenset({ARMOR}),
            fallback=True,
            close_bonus=1,
        ),
        Card(  # C23
            key="artillery-bombard",
            name="Artillery Bombard",
            units=EVERY,
            arms=frozenset({ARTILLERY}),
            fallback=True,
            march=0,
            reach=3,
            attacks=2,
        ),
        Card(key="barrage", name="Barrage", play="barrage"),  # C24
        Card(  # C25
            key="behind-enemy-lines",
            name="Behind Enemy Lines",
            units=1,
            arms=FOOT,
            fallback=True,
            march=3,
            reach=3,
            close_bonus=1,
            far_bonus=1,
            play="behind_lines",
        ),
        Card(  # C26
            key="close-assault",
            name="Close Assault",
            units=EVERY,
            arms=frozenset({INFANTRY, ARMOR}),
            contact=True,
            march=0,
            reach=0,
            close_only=True,
            close_bonus=1,
        ),
        Card(key="counter-attack", name="Counter-Attack", play="counter_attack"),  # C27
        Card(  # C28
            key="dig-in",
            name="Dig-In",
            units=4,
            arms=FOOT,
            fallback=True,
            march=0,
            reach=0,
            battles=False,
            play="dig_in",
        ),
        Card(key="direct-from-hq", name="Direct From HQ", units=4),  # C29
        Card(  # C30
            key="firefight",
            name="Firefight",
            units=4,
            contact=False,
            march=0,
            reach=0,
            far_only=True,
            far_bonus=1,
        ),
        Card(  # C31
            key="infantry-assault",
            name="Infantry Assault",
            arms=FOOT,
            units=EVERY,
            fallback=True,
            march=2,
            reach=3,
            play="section_orders",
        ),
        Card(key="medics-and-mechanics", name="Medics & Mechanics", play="medics"),  # C32
        Card(key="move-out", name="Move Out!", units=4, arms=FOOT, fallback=True),  # C33
        Card(  # C34
            key="their-finest-hour",
            name="Their Finest Hour",
            close_bonus=1,
            far_bonus=1,
            reshuffles=True,
            play="finest_hour",
        ),
    )
}


def mirrored(key: str) -> str:
    """The same order seen from the opposite chair: left and right change places (C27a)."""
    name, _, where = key.rpartition("-")
    other = f"{name}-{FLANKS.get(where, where)}"
    return other if other in CARDS else key


class Deck(NamedTuple):
    """A named list of cards; `keys[k]` is the text of physical card k."""

    name: str
    keys: tuple[str, ...]
    faces: tuple[str, ...]  # the different texts, in order of first appearance
    number: dict[str, int]  # the place of each text in `faces`
    copies: dict[str, int]


def _deck(name: str, counts: dict[str, int]) -> Deck:
    keys = tuple(key for key, copies in counts.items() for _ in range(copies))
    return Deck(name, keys, tuple(counts), {key: n for n, key in enumerate(counts)}, dict(counts))


_SECTION_COUNTS: dict[str, int] = {
    "recon-left": 2,
    "recon-center": 2,
    "recon-right": 2,
    "probe-left": 4,
    "probe-center": 5,
    "probe-right": 4,
    "attack-left": 3,
    "attack-center": 4,
    "attack-right": 3,
    "assault-left": 2,
    "assault-center": 2,
    "assault-right": 2,
    "recon-in-force": 3,
    "general-advance": 1,
    "pincer-move": 1,
}
_DOUBLE = {"armor-assault", "counter-attack", "direct-from-hq", "infantry-assault", "move-out"}
_TACTIC_COUNTS = {key: 2 if key in _DOUBLE else 1 for key, row in CARDS.items() if row.tactic}

DECKS: dict[str, Deck] = {
    "standard": _deck("standard", {**_SECTION_COUNTS, **_TACTIC_COUNTS}),
    "young-generals": _deck("young-generals", _SECTION_COUNTS),  # V10
}
