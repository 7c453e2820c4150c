"""Answers and outcomes as people write them: `card probe-left`, `move G5 H5`, `roll star flag`.

`format_answer` writes every answer in exactly one way, and `parse_answer` reads that back to the same tuple.
A person may type less or differently, as docs/notation.md tells: what fits one legal answer is taken for it,
what fits several is refused with a list. A text that can be read but fits no legal answer becomes the answer
it says, so that `apply` can name the rule that forbids it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

from engine.answers import MOST, VERBS, Answer, is_well_formed
from engine.cards import CARDS
from engine.combat import FACES
from engine.document import nearest, one_of, quoted
from engine.errors import NotationError
from engine.hands import deck_of
from engine.hindrance import path_hindrance, retreat_hindrance
from engine.movement import make_move
from engine.retreat import fall_back, routes
from engine.state import NOBODY, State, public_form
from engine.tactics import CHAIRS

MAX_TEXT = 2000  # characters of one answer; a long draw has some hundred
HIGHEST_NUMBER = 6  # a drift die (0 is no drift)


# Writing


def format_answer(state: State, answer: Answer) -> str:
    """The text of an answer or outcome; raises NotationError if it is none."""
    verb = answer[0] if answer else None
    if not isinstance(verb, str) or verb not in VERBS or not is_well_formed(answer, state.setup.grid.size):
        raise NotationError(f"{quoted(repr(answer))} is no answer")
    kind, rest = VERBS[verb].kind, answer[1:]
    if kind == "hex":
        words = [state.setup.grid.labels[h] for h in rest]
    elif kind == "face":
        words = [_face_text(state, face) for face in rest]
    elif kind == "card":
        words = [_card_text(key) for key in rest]
        if verb == "card" and len(words) == 2:
            words.insert(1, "as")
    else:
        words = [str(word) for word in rest]
    return " ".join([verb, *words])


def _face_text(state: State, face: int) -> str:
    drifting = state.roll is not None and state.roll.faces != 6
    return str(face) if drifting or not 0 <= face < len(FACES) else FACES[face]


def _card_text(key: str) -> str:
    if key != "?" and key not in CARDS:
        raise NotationError(f"there is no card {quoted(key)}")
    return key


# Reading


def parse_answer(state: State, text: str) -> Answer:
    """The answer or outcome that a text names; raises NotationError if it names none, or several."""
    verb, words = _split(text)
    form = VERBS.get(verb)
    if form is None:
        raise NotationError(f"{quoted(verb)} is no action{nearest(verb, VERBS) or _now(state)}")
    if not form.most and words:
        raise NotationError(f'"{verb}" stands alone; {quoted(" ".join(words))} is too much')
    if len(words) > MOST:
        raise NotationError(f'"{verb}" with {len(words)} words is too long')
    if not words and form.least:
        return _only(state, verb)
    return (verb, *READERS[form.kind](state, verb, words))


def _split(text: str) -> tuple[str, list[str]]:
    """The verb, and the words behind it."""
    if len(text) > MAX_TEXT:
        raise NotationError(f"the text is {len(text)} characters long; {MAX_TEXT} are allowed")
    if not text.isascii():
        raise NotationError(f"{quoted(text)} has letters that no action uses")
    words = text.lower().split()
    if not words:
        raise NotationError("an action is expected, for example: order G5")
    return words[0], words[1:]


def _now(state: State) -> str:
    """What may be typed now, as the end of a sentence."""
    if state.phase == "over":
        return "; the game is over"
    verbs = {a[0]: None for a in state.answers} or {state.phase: None}  # chance: phase and verb are the same
    return f"; expected now: {one_of(verbs)}"


def _only(state: State, verb: str) -> Answer:
    """The only legal answer with a verb that was typed without anything else."""
    listed = [a for a in state.answers if a[0] == verb]
    if len(listed) == 1:
        return listed[0]
    if listed:
        raise _ambiguous(state, verb, listed)
    raise NotationError(f'"{verb}" needs {VERBS[verb].means}')


def _ambiguous(state: State, typed: str, fitting: Iterable[Answer]) -> NotationError:
    texts = [f'"{format_answer(state, a)}"' for a in fitting]
    return NotationError(f'"{typed}" may be {one_of(texts)}')


# Hexes


def _read_hexes(state: State, verb: str, words: list[str]) -> tuple[Any, ...]:
    hexes = tuple(state.setup.grid.parse(word) for word in words)
    answer = (verb, *hexes)
    if answer in state.answers:
        return hexes
    whole = verb in OUTCOMES and _is_whole(state, verb, hexes)
    fitting = _other_ways(state, answer) if whole else FITTING.get(verb, _none)(state, hexes)
    if len(fitting) == 1:
        return fitting[0][1:]
    if fitting:
        raise _ambiguous(state, " ".join([verb, *words]), fitting)
    form = VERBS[verb]
    if not form.least <= len(hexes) <= form.most:
        raise NotationError(f'"{verb}" needs {form.means}')
    return hexes


def _is_whole(state: State, verb: str, hexes: tuple[int, ...]) -> bool:
    """Whether a way is complete, hex by hex: it is then taken as it is, not as a beginning and an end."""
    near = state.setup.grid.near
    if verb == "retreat" and (state.fight is None or hexes[0] != state.pos[state.fight.target]):
        return False
    return len(hexes) > 1 and all(near[a][b] == 1 for a, b in pairwise(hexes))


def _listed(state: State, verb: str) -> list[Answer]:
    return [a for a in state.answers if a[0] == verb]


def _none(state: State, hexes: tuple[int, ...]) -> list[Answer]:
    return []


def _fitting_moves(state: State, hexes: tuple[int, ...]) -> list[Answer]:
    """Moves from the first hex named to the last, over those between: `move G5 I5`.

    `move G5 G5` is none: a way out and back counts as a move (R48) and has to be written out.
    """
    if len(hexes) < 2 or hexes == (hexes[0], hexes[0]):
        return []
    return [
        a
        for a in _listed(state, "move")
        if a[1] == hexes[0] and a[-1] == hexes[-1] and _passes(a, hexes[1:-1])
    ]


def _fitting_exits(state: State, hexes: tuple[int, ...]) -> list[Answer]:
    """Exits that start at the first hex named and leave by the last; one hex may be either."""
    listed = _listed(state, "exit")
    if len(hexes) == 1:
        return [a for a in listed if a[1] == hexes[0]] or [a for a in listed if a[-1] == hexes[0]]
    return [a for a in listed if a[1] == hexes[0] and a[-1] == hexes[-1] and _passes(a, hexes[1:-1])]


def _fitting_attacks(state: State, hexes: tuple[int, ...]) -> list[Answer]:
    """Attacks on the only hex named."""
    return [a for a in _listed(state, "attack") if len(hexes) == 1 and a[2] == hexes[0]]


def _fitting_retreats(state: State, hexes: tuple[int, ...]) -> list[Answer]:
    """Routes over the hexes named; first those that end at the last of them."""
    over = [a for a in _listed(state, "retreat") if _passes(a, hexes)]
    return [a for a in over if a[-1] == hexes[-1]] or over


FITTING: dict[str, Callable[[State, tuple[int, ...]], list[Answer]]] = {
    "move": _fitting_moves,
    "exit": _fitting_exits,
    "attack": _fitting_attacks,
    "retreat": _fitting_retreats,
}


def _passes(answer: Answer, hexes: tuple[int, ...]) -> bool:
    """Whether a path names these hexes in this order, others between them."""
    rest = iter(answer[1:])
    return all(h in rest for h in hexes)


def _other_ways(state: State, answer: Answer) -> list[Answer]:
    """The listed answer that a complete path of another course is the same as (see movement.py)."""
    verb, *rest = answer
    path = tuple(rest)
    same = [a for a in _listed(state, verb) if a[1] == path[0] and a[-1] == path[-1]]
    if not same or _is_hindered(state, verb, path):
        return []
    result = OUTCOMES[verb](state, answer)
    found = [a for a in same if OUTCOMES[verb](state, a) == result]
    if not found:
        ways = one_of(f'"{format_answer(state, a)}"' for a in same)
        raise NotationError(f"this way costs the unit more than it must; write {ways}")
    return found[:1]


def _is_hindered(state: State, verb: str, path: tuple[int, ...]) -> bool:
    if verb == "retreat":
        fight = state.fight
        assert fight is not None
        return retreat_hindrance(state, fight.target, fight.flags, path) is not None
    unit = state.occupant[path[0]]
    return unit == NOBODY or path_hindrance(state, unit, path, leaving=verb == "exit") is not None


def _moved(state: State, answer: Answer) -> list[Any]:
    """What everybody would see after a move."""
    s = state.copy()
    make_move(s, answer)
    return public_form(s)


def _retreated(state: State, answer: Answer) -> list[Any]:
    """What everybody would see after a retreat."""
    s = state.copy()
    fight = s.fight
    assert fight is not None
    _, losses = routes(s, fight.target, fight.flags)
    fall_back(s, fight.target, answer, losses)
    return public_form(s)


OUTCOMES: dict[str, Callable[[State, Answer], list[Any]]] = {
    "move": _moved,
    "exit": _moved,
    "retreat": _retreated,
}


# Cards, dice and the rest


def _read_cards(state: State, verb: str, words: list[str]) -> tuple[Any, ...]:
    if verb == "draw":
        faces = deck_of(state, state.seat).faces
        return tuple("?" if word == "?" else _card_key(word, (), faces) for word in words)
    faces = deck_of(state, state.seat).faces
    listed = _listed(state, verb)
    played, as_what = words, []
    if verb == "card" and "as" in words[1:]:
        place = words.index("as", 1)
        played, as_what = words[:place], words[place + 1 :]
        if not as_what:
            raise NotationError('a card is expected behind "as"')
    key = _card_key(" ".join(played), [a[1] for a in listed], faces)
    if not as_what:
        return (key,)
    uses = [a[2] for a in listed if a[1] == key and len(a) > 2]
    return key, _card_key(" ".join(as_what), uses, CARDS)


def _card_key(typed: str, listed: Iterable[str], known: Iterable[str]) -> str:
    """The card that a name means: its key, or as much of its words as tells it from the others.

    Cards that may be answered now come first, then all that are known.
    """
    words = re.findall(r"[a-z0-9]+", typed)
    key = "-".join(words)
    if key in CARDS:
        return key
    for among in (dict.fromkeys(listed), dict.fromkeys(known)):
        fitting = [key for key in among if words and _abbreviates(words, key)]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise NotationError(f"{quoted(typed)} may be {one_of(fitting)}")
    raise NotationError(f"there is no card {quoted(typed)}{nearest(key, CARDS)}")


def _abbreviates(words: list[str], key: str) -> bool:
    """Whether every word begins a word of the key, in the same order."""
    rest = iter(key.split("-"))
    return all(any(part.startswith(word) for part in rest) for word in words)


def _read_faces(state: State, verb: str, words: list[str]) -> tuple[Any, ...]:
    return tuple(_face(word) for word in words)


def _face(word: str) -> int:
    if len(word) == 1 and word.isdecimal() and int(word) <= HIGHEST_NUMBER:
        return int(word)
    fitting = [number for number, face in enumerate(FACES) if face.startswith(word)]
    if len(fitting) != 1:
        raise NotationError(f"{quoted(word)} is no face of a die; expected {one_of(FACES)}")
    return fitting[0]


def _read_word(state: State, verb: str, words: list[str]) -> tuple[Any, ...]:
    fitting = [chair for chair in CHAIRS if len(words) == 1 and chair.startswith(words[0])]
    if len(fitting) != 1:
        raise NotationError(f"{quoted(' '.join(words))} is no section; expected {one_of(CHAIRS)}")
    return (fitting[0],)


def _read_number(state: State, verb: str, words: list[str]) -> tuple[Any, ...]:
    if len(words) != 1 or len(words[0]) > 2 or not words[0].isdecimal():
        raise NotationError(f'"{verb}" needs {VERBS[verb].means}, for example: {verb} 1')
    return (int(words[0]),)


READERS: dict[str, Callable[[State, str, list[str]], tuple[Any, ...]]] = {
    "hex": _read_hexes,
    "card": _read_cards,
    "face": _read_faces,
    "word": _read_word,
    "number": _read_number,
}
