"""Short cuts for tests that play command cards: orders, attacks and whole turns in one call."""

from __future__ import annotations

from engine import Battle, State, chance, new_game
from engine.cards import Deck
from tests.drawing import choices, play

# What ends a phase without doing anything more in it.
LEAVE = {
    "order": "done",
    "move": "done",
    "battle": "done",
    "target": "done",
    "heal": "done",
    "second-move": "done",
    "react": "pass",
    "overrun": "pass",
    "again": "pass",
    "ground": "stay",
}


def orderable(s: State) -> set[str]:
    """The hexes whose units may be ordered now."""
    return {text.split()[1] for text in choices(s, "order")}


def order(s: State, *labels: str) -> State:
    """The state after exactly these units have been ordered."""
    s = play(s, *(f"order {label}" for label in labels))
    return play(s, "done") if s.phase == "order" else s


def to_battle(s: State, *labels: str) -> State:
    """The state after these units have been ordered and nobody has moved."""
    s = order(s, *labels)
    return play(s, "done") if s.phase == "move" else s


def declare(s: State, text: str) -> State:
    """The state in which the dice of an attack are awaited, nobody having ambushed."""
    s = play(s, f"attack {text}")
    while s.phase == "react":
        s = play(s, "pass")
    return s


def dice(s: State, text: str) -> int:
    """How many dice an attack would roll."""
    roll = declare(s, text).roll
    assert roll is not None
    return roll.dice


def attack(s: State, text: str, faces: str) -> State:
    """The state after an attack and its dice."""
    return play(declare(s, text), f"roll {faces}")


def leave(s: State) -> State:
    """The state in which the cards of the turn's end are drawn, everything optional left out."""
    while s.phase in LEAVE:
        s = play(s, LEAVE[s.phase])
    return s


def draw(s: State) -> State:
    """The state after unknown cards have been drawn as long as cards are due."""
    while chance(s) in ("draw", "shuffle"):
        if chance(s) == "shuffle":
            s = play(s, "shuffle")
            continue
        due = min(s.queue[0][2], s.piles[0])
        s = play(s, " ".join(["draw", *["?"] * due]))
    return s


def next_turn(s: State) -> State:
    """The state at the beginning of the next turn."""
    return draw(leave(s))


def deal(battle: Battle, options: dict[str, str] | None = None, **hands: tuple[str, ...]) -> State:
    """A battle whose hands are dealt: what `allies` and `axis` name, and unknown cards for the rest."""
    s = new_game(battle, options)
    for seat in s.setup.rota:
        size = s.setup.seats[seat].cards
        known = hands.get(s.setup.seats[seat].name, ())
        s = play(s, " ".join(["draw", *known, *["?"] * (size - len(known))]))
    return s


def small_deck(**copies: int) -> Deck:
    """A deck of a few cards, to be put into the table of decks; underscores stand for hyphens."""
    counts = {key.replace("_", "-"): count for key, count in copies.items()}
    keys = tuple(key for key, count in counts.items() for _ in range(count))
    return Deck("small", keys, tuple(counts), {key: n for n, key in enumerate(counts)}, counts)
