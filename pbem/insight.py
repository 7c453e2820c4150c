"""What an answer would mean, in words and numbers: for `pbem legal`, `pbem play` and other front ends.

Nothing here decides a rule: it asks the engine and says why. `describe_answer` gives one line for every kind
of answer, `shot_of` the dice of an attack with every reason for their number, `move_of` what a move costs and
what the unit could attack from its end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine import Answer, State, format_answer
from engine.combat import attacks_of, bonus_for, can_ignore, may_battle, own_penalty, protection
from engine.movement import make_move, path_cost
from engine.retreat import routes
from engine.state import NOBODY
from engine.terrain import ARMOR, ARTILLERY, INFANTRY, SANDBAGS
from pbem.cardtext import card_now, card_text
from pbem.draw.picture import paint
from pbem.draw.words import count, listed, surroundings
from pbem.story import card_name, unit_name
from pbem.story.sentences import own_ground

HITS: dict[int, str] = {
    INFANTRY: "infantry and grenades hit",
    ARMOR: "armor and grenades hit",
    ARTILLERY: "only grenades hit",
}


class Shot(NamedTuple):
    """One attack before its dice: how many, why, and what the defender could make of flags."""

    unit: int
    target: int
    here: str
    there: str
    distance: int
    dice: int
    base: int
    bonus: int
    penalty: int
    cover: int
    ground: str  # what the penalty is for, "" if there is none
    shelter: str  # where the target stands, "" for open ground
    can_ignore: bool  # one flag
    flag_kills: bool  # a single flag that is obeyed costs a figure

    def as_json(self) -> dict[str, Any]:
        """What `pbem legal --json` shows."""
        return self._asdict()


def shot_of(state: State, here: int, there: int) -> Shot:
    """The attack of the unit on one hex on the unit on another, as if declared now."""
    setup = state.setup
    unit, target = state.occupant[here], state.occupant[there]
    distance = setup.grid.near[here][there]
    arm, table = setup.arm[unit], setup.types[unit].dice
    base = table[distance - 1] if distance <= len(table) else 0
    bonus = bonus_for(state, close=distance == 1)
    penalty, cover = own_penalty(state, arm, here), protection(state, arm, here, target)
    return Shot(
        unit,
        target,
        setup.grid.labels[here],
        setup.grid.labels[there],
        distance,
        base + bonus - penalty - cover,
        base,
        bonus,
        penalty,
        cover,
        own_ground(state, here) if penalty else "",
        surroundings(paint(state), there),
        can_ignore(state, target),
        bool(routes(state, target, 1)[1]),
    )


def shot_words(shot: Shot) -> str:
    """The dice of an attack and why: `2 dice (3 at distance 1, less 1 for cover in forest)`."""
    where = "in close assault" if shot.distance == 1 else f"at distance {shot.distance}"
    parts = [f"{shot.base} {where}"]
    if shot.bonus:
        parts.append(f"{shot.bonus} more by the card")
    if shot.penalty:
        parts.append(f"{shot.penalty} less {shot.ground}")
    if shot.cover:
        parts.append(f"{shot.cover} less for the target {shot.shelter or 'higher up'}")
    return f"{dice(shot.dice)} ({', '.join(parts)})"


def shot_notes(state: State, shot: Shot) -> str:
    """What hits, and what the defender could do about flags."""
    notes = [HITS[state.setup.arm[shot.target]]]
    if shot.can_ignore:
        notes.append("it may ignore one flag")
    elif shot.flag_kills:
        notes.append("it has nowhere to go: a flag costs a figure")
    return "; ".join(notes)


def dice(number: int) -> str:
    """`1 die`, `2 dice`."""
    return "1 die" if number == 1 else f"{number} dice"


class Move(NamedTuple):
    """A move before it is made: its cost, and what could be attacked from its end."""

    unit: int
    path: tuple[str, ...]
    cost: int
    allows_battle: bool
    shots: tuple[Shot, ...]
    ground: str  # where the unit would stand
    leaves: bool  # the board
    returns: bool  # to the hex it came from, which counts as a move (R48)
    medals: int  # won for the own side by the move itself, or lost if less than 0
    sandbags: bool  # are left behind and gone (T43a)

    def as_json(self) -> dict[str, Any]:
        """What `pbem legal --json` shows."""
        return {**self._asdict(), "path": list(self.path), "shots": [shot.as_json() for shot in self.shots]}


def move_of(state: State, answer: Answer) -> Move:
    """What a legal move or exit would mean."""
    verb, *path = answer
    unit = state.occupant[path[0]]
    labels = state.setup.grid.labels
    t = state.copy()
    make_move(t, answer)
    gone = t.pos[unit] == NOBODY
    battles = not gone and state.phase == "move" and may_battle(t, unit)
    shots = tuple(shot_of(t, a[1], a[2]) for a in attacks_of(t, unit)) if battles else ()
    ground = "" if gone else surroundings(paint(t), path[-1])
    cost = path_cost(state, unit, tuple(path))
    leaves, names = verb == "exit", tuple(labels[h] for h in path)
    returns = not leaves and len(path) > 1 and path[0] == path[-1]
    side = state.setup.side[unit]
    medals = t.medals(side) - state.medals(side)
    sandbags = bool(state.marks[path[0]] & SANDBAGS and not t.marks[path[0]] & SANDBAGS)
    return Move(unit, names, cost, battles, shots, ground, leaves, returns, medals, sandbags)


def move_words(state: State, move: Move) -> str:
    """`1 hex, in forest; wins 1 medal; could attack I5 (3 dice)`."""
    cost = "1 hex" if move.cost == 1 else f"{move.cost} hexes"
    gain = "".join(f"; {words}" for words in _gains(move))
    if move.leaves:
        return f"{cost}, then off the board{gain}"
    text = f"{cost}, {move.ground}{gain}" if move.ground else f"{cost}{gain}"
    if move.shots:
        return f"{text}; could attack {listed([f'{s.there} ({dice(s.dice)})' for s in move.shots])}"
    if state.phase == "move" and not move.allows_battle:
        return f"{text}; no battle this turn"
    return text


def _gains(move: Move) -> list[str]:
    """What a move wins and gives up at once."""
    words = []
    if move.medals:
        words.append(f"{'wins' if move.medals > 0 else 'gives up'} {count(abs(move.medals), 'medal')}")
    if move.sandbags:
        words.append("its sandbags are lost")
    return words


def describe_answer(state: State, answer: Answer) -> str:
    """One line about a legal answer."""
    verb = answer[0]
    if verb == "attack":
        shot = shot_of(state, answer[1], answer[2])
        who = f"{unit_name(state.setup, shot.target)}, {count(state.figures[shot.target], 'figure')}"
        return f"{who}: {shot_words(shot)}; {shot_notes(state, shot)}"
    if verb in ("move", "exit"):
        return move_words(state, move_of(state, answer))
    if verb == "card" and state.phase == "card":
        if len(answer) > 2:
            return f"{card_name(answer[1])} used as {card_name(answer[2])}"
        return f"{card_name(answer[1])}: {card_text(answer[1])} Now it {card_now(state, answer[1])}."
    if verb in ("card", "discard"):  # of a Recon's new cards the other one is kept
        return f"{card_name(answer[1])}: {card_text(answer[1])}"
    if verb in ("order", "target", "strike", "heal"):
        return unit_line(state, state.occupant[answer[1]])
    if verb == "retreat":
        return _retreat_words(state, answer)
    return PLAIN[verb](state, answer)


def unit_line(state: State, unit: int) -> str:
    """`Allied infantry, 4 figures, in forest`."""
    where = surroundings(paint(state), state.pos[unit])
    words = [unit_name(state.setup, unit), count(state.figures[unit], "figure")]
    return ", ".join([*words, where] if where else words)


def _retreat_words(state: State, answer: Answer) -> str:
    fight = state.fight
    assert fight is not None
    steps = len(answer) - 2
    where = surroundings(paint(state), answer[-1]) or "on open ground"
    text = f"back {'1 hex' if steps == 1 else f'{steps} hexes'}, {where}"
    losses = routes(state, fight.target, fight.flags)[1]
    return f"{text}; {count(losses, 'figure')} lost because the way is blocked" if losses else text


def _ignore_words(state: State, answer: Answer) -> str:
    fight = state.fight
    assert fight is not None
    left = fight.flags - answer[1]
    if not left:
        return "stays where it is"
    losses = routes(state, fight.target, left)[1]
    text = f"obeys {count(left, 'flag')}"
    return f"{text} and loses {count(losses, 'figure')}, because its way is blocked" if losses else text


def _done_words(state: State, answer: Answer) -> str:
    what = {"order": "orders", "move": "moves", "battle": "battles", "target": "targets"}.get(state.phase)
    return f"no more {what}" if what else "leave it"


PLAIN: dict[str, Callable[[State, Answer], str]] = {
    "section": lambda s, a: f"all infantry in the {a[1]} section, seen from your chair",
    "done": _done_words,
    "pass": lambda s, a: "leave it",
    "stay": lambda s, a: "stay where it is",
    "ground": lambda s, a: f"take the ground at {s.setup.grid.labels[a[1]]}",
    "clear": lambda s, a: "remove the wire instead of battling",
    "ignore": _ignore_words,
    "drop": lambda s, a: "aim here",
}


def answer_json(state: State, answer: Answer) -> dict[str, Any]:
    """An answer as `pbem legal --json` shows it."""
    row: dict[str, Any] = {
        "action": format_answer(state, answer),
        "verb": answer[0],
        "words": describe_answer(state, answer),
    }
    if answer[0] == "attack":
        row["attack"] = shot_of(state, answer[1], answer[2]).as_json()
    elif answer[0] in ("move", "exit"):
        row["move"] = move_of(state, answer).as_json()
    return row
