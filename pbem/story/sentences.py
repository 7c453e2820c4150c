"""Every event of a game as a sentence.

Only public facts go in, so the same words serve both players and anybody else; with a `chair` (side 0 or 1
of the engine) that side is addressed as "you".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine import EVENTS, NOBODY, State
from engine.cards import CARDS
from engine.combat import FACES
from engine.refusal import why_no_attack
from engine.setup import Setup
from engine.state import OVERRAN
from engine.terrain import WIRE
from pbem.draw.picture import SIDE_NAMES, SIDE_WORDS, paint
from pbem.draw.words import count, feature_name, listed, surroundings
from pbem.orders import Target
from pbem.referee import OWN_EVENTS
from pbem.ruleset import Match

# What only the story tells: a choice, or the end of an Ambush, after which dice are awaited.
TOLD_EVENTS: dict[str, tuple[str, ...]] = {
    "healing": ("unit", "dice"),
    "goes-on": ("unit", "target", "dice"),
}
KINDS: dict[str, tuple[str, ...]] = {**EVENTS, **OWN_EVENTS, **TOLD_EVENTS}
BY_THE_BATTLE = " by the battle's special rule"
BY_YOUR_ORDERS = ", as your standing orders say"
AHEAD = ("box", "stand")  # steps that answers given ahead have decided
SECTIONS = ("left", "center", "right")


class Line(NamedTuple):
    """One sentence of the story."""

    kind: str  # of the event
    text: str
    faces: tuple[int, ...] = ()  # dice that fell, numbers into engine.combat.FACES
    effects: tuple[str, ...] = ()  # of each die of an attack: "hit", "flag" or "miss"


class Scene(NamedTuple):
    """What a sentence may need to know beside its event."""

    match: Match
    state: State  # after the step
    where: list[int]  # hex of every unit when the event happened
    chair: int | None
    by: str = ""  # who or what decided the step

    @property
    def setup(self) -> Setup:
        """The fixed facts of the game."""
        return self.match.setup

    def hex(self, number: int) -> str:
        """The label of a hex."""
        return "off the board" if number == NOBODY else self.setup.grid.labels[number]

    def unit(self, unit: int) -> str:
        """`Allied infantry at G5`."""
        place = self.where[unit]
        name = unit_name(self.setup, unit)
        return name if place == NOBODY else f"{name} at {self.hex(place)}"

    def side(self, side: int) -> str:
        """`the Allies`, or `you`; verbs behind it are the same."""
        return "you" if side == self.chair else f"the {SIDE_NAMES[side]}"

    def seat(self, seat: int) -> str:
        """The side of an engine's seat."""
        return self.side(self.setup.seats[seat].side)

    def player(self, side: int) -> str:
        """The name of the first player of a side."""
        return self.match.called[self.match.seat_of(self.match.seat_for_side(side))]


def unit_name(setup: Setup, unit: int) -> str:
    """`Allied infantry`, with the scenario's own word for the unit if it has one."""
    badge = setup.battle.units[unit].nation
    return f"{SIDE_WORDS[setup.side[unit]]} {setup.types[unit].name}" + (f" ({badge})" if badge else "")


def card_name(key: str) -> str:
    """A card as it is printed: `Probe Left`."""
    return CARDS[key].name if key in CARDS else key.replace("-", " ")


def dice_words(faces: Sequence[int]) -> str:
    """`2 infantry, 1 grenade and 1 flag`."""
    found = [(faces.count(face), FACES[face]) for face in range(len(FACES)) if face in faces]
    plain = ("infantry", "armor")
    return listed([f"{n} {name}" if name in plain else count(n, name) for n, name in found])


# Sentences, one function for every kind of event


def _turn(scene: Scene, turn: int, seat: int) -> str:
    return f"turn {turn} begins, {scene.seat(seat)} to act"


def _card(scene: Scene, seat: int, card: str, becomes: str) -> str:
    use = f" as {card_name(becomes)}" if becomes else ""
    return f"{scene.seat(seat)} play {card_name(card)}{use}"


def _no_effect(scene: Scene, what: str) -> str:
    reasons = {
        "counter-attack": "there is no order to copy, and the card does nothing",
        "medics-and-mechanics": "no unit has losses, and the card does nothing",
        "sandbags": "no more sandbags are left",
    }
    return reasons.get(what, f"{card_name(what)} does nothing")


def _section(scene: Scene, section: int) -> str:
    chairs = [scene.setup.chair_section(scene.state.side, where) for where in range(3)]
    return f"the {SECTIONS[chairs.index(section)]} section is chosen"


def _moved(scene: Scene, unit: int, path: Sequence[int]) -> str:
    way = listed([scene.hex(h) for h in path[1:-1]]) if len(path) > 2 else ""
    name = unit_name(scene.setup, unit)
    if path[0] == path[-1]:
        return f"{name} moves out and back to {scene.hex(path[0])} by {way}"
    return f"{name} moves from {scene.hex(path[0])} to {scene.hex(path[-1])}" + (f" by {way}" if way else "")


def _removed(scene: Scene, feature: str, place: int) -> str:
    name = feature_name(feature)
    return f"the {name} at {scene.hex(place)} {'are' if name.endswith('s') else 'is'} gone"


def _attack(scene: Scene, *fields: int) -> str:
    unit, target, here, there, dice, bonus, penalty, cover = fields
    names = unit_name(scene.setup, unit), unit_name(scene.setup, target)
    parts = [
        words
        for number, words in (
            (bonus, f"{bonus} more by the card"),
            (penalty, f"{penalty} less {own_ground(scene.state, here)}"),
            (cover, f"{cover} less for the target's cover"),
        )
        if number
    ]
    why = f", {listed(parts)}" if parts else ""
    how = attack_word(scene.state, unit)
    return f"{names[0]} at {scene.hex(here)} {how} {names[1]} at {scene.hex(there)} with {_dice(dice)}{why}"


def attack_word(state: State, unit: int) -> str:
    """What a unit does that has just declared a battle: `attacks`, or `overruns` (R112)."""
    return "overruns" if state.acts[unit] & OVERRAN else "attacks"


def own_ground(state: State, here: int) -> str:
    """What takes dice from an attacker by the hex it stands in (R61): `for the wire it stands in`."""
    if state.marks[here] & WIRE:
        return "for the wire it stands in"
    where = surroundings(paint(state), here)
    return f"for standing {where}" if where else "for the ground it stands on"


def _dice(number: int) -> str:
    return "1 die" if number == 1 else f"{number} dice"


def _strike(scene: Scene, kind: str, target: int, place: int, dice: int) -> str:
    how = {"air": "bombed from the air", "barrage": "shelled by a barrage"}[kind]
    return f"{unit_name(scene.setup, target)} at {scene.hex(place)} is {how} with {_dice(dice)}"


def _ambush(scene: Scene, seat: int, unit: int, target: int, dice: int) -> str:
    own = BY_YOUR_ORDERS if scene.setup.seats[seat].side == scene.chair else ""
    first = f"{scene.seat(seat)} play Ambush{own}: {scene.unit(unit)} battles first"
    return f"{first}, with {_dice(dice)} against {scene.unit(target)}"


def _goes_on(scene: Scene, unit: int, target: int, dice: int) -> str:
    return f"{scene.unit(unit)} now attacks {scene.unit(target)} with {_dice(dice)}"


def _healing(scene: Scene, unit: int, dice: int) -> str:
    return f"{scene.unit(unit)} is to get figures back, by {_dice(dice)}"


def _by_orders(scene: Scene, unit: int) -> str:
    """That the reader's standing orders have decided for a unit."""
    own = scene.by in AHEAD and scene.setup.side[unit] == scene.chair
    return BY_YOUR_ORDERS if own else ""


def _ignored(scene: Scene, unit: int, flags: int) -> str:
    return f"{scene.unit(unit)} ignores {count(flags, 'flag')}{_by_orders(scene, unit)}"


def _drew(scene: Scene, seat: int, cards: int) -> str:
    """R18: while another draw of the same seat is due, this one was of a growing hand."""
    more = any(task[0] == "draw" and task[1] == seat for task in scene.state.queue) and scene.state.turn > 0
    return f"{scene.seat(seat)} draw {count(cards, 'card')}{BY_THE_BATTLE if more else ''}"


def _rolled(scene: Scene, purpose: str, target: int, faces: Sequence[int], hit: int, flags: int) -> str:
    fell = f"the dice show {dice_words(faces)}"
    if purpose == "medics":
        return f"{fell}: {count(hit, 'figure')} can return" if hit else f"{fell}: nobody returns"
    if purpose == "finest-hour":
        return fell
    parts = [count(number, word) for number, word in ((hit, "hit"), (flags, "flag")) if number]
    if flags == len(faces):
        return fell  # nothing but flags
    return f"{fell}: {listed(parts) if parts else 'no effect'}"


def _losses(scene: Scene, unit: int, lost: int, left: int, cause: str) -> str:
    why = " because its way back is blocked" if cause == "blocked-retreat" else ""
    if not left:
        last = "its last figure" if lost == 1 else f"its last {lost} figures"
        return f"{scene.unit(unit)} loses {last}{why}"
    return f"{scene.unit(unit)} loses {count(lost, 'figure')}{why} and has {left} left"


def _retreated(scene: Scene, unit: int, path: Sequence[int]) -> str:
    way = f" by {listed([scene.hex(h) for h in path[1:-1]])}" if len(path) > 2 else ""
    went = f"{unit_name(scene.setup, unit)} retreats from {scene.hex(path[0])} to {scene.hex(path[-1])}"
    return f"{went}{way}{_by_orders(scene, unit)}"


def _ground(scene: Scene, unit: int, here: int, there: int) -> str:
    return f"{unit_name(scene.setup, unit)} at {scene.hex(here)} takes ground at {scene.hex(there)}"


def _healed(scene: Scene, unit: int, returned: int, figures: int) -> str:
    return f"{scene.unit(unit)} gets {count(returned, 'figure')} back and has {figures}"


def _goal(scene: Scene, number: int) -> str:
    facts = scene.setup.objectives[number]
    places = listed([scene.hex(h) for h in facts.hexes])
    return f"{facts.name} ({places})" if facts.name else places


def _medal(scene: Scene, side: int, medals: int, kind: str, subject: int) -> str:
    if kind == "objective":
        why = f"for {_goal(scene, subject)}"
    else:
        why = {
            "elimination": f"for eliminating {unit_name(scene.setup, subject)}",
            "exit": f"for {unit_name(scene.setup, subject)} leaving the board",
            "tokens": "for a full set of tokens",
        }[kind]
    return f"{scene.side(side)} win {count(medals, 'medal')} {why}"


def _medal_lost(scene: Scene, side: int, medals: int, objective: int) -> str:
    return f"{scene.side(side)} lose {count(medals, 'medal')} for {_goal(scene, objective)}"


def _token(scene: Scene, side: int, unit: int, tokens: int) -> str:
    return f"{scene.side(side)} take a token for {unit_name(scene.setup, unit)} and have {tokens}"


def _dropped(scene: Scene, unit: int, place: int, faces: Sequence[int]) -> str:
    return f"{unit_name(scene.setup, unit)} comes down at {scene.hex(place)}"


def _drop_lost(scene: Scene, unit: int, place: int, faces: Sequence[int]) -> str:
    return f"{unit_name(scene.setup, unit)} comes down {_at(scene.hex(place))} and is lost"


def _at(label: str) -> str:
    return label if " " in label else f"at {label}"


REASONS: dict[str, str] = {
    "medals": "by medals",
    "elimination": "because the enemy has no unit left",
    "sudden-death": "by taking the objective that decides the battle",
    "no-cards": "because nobody has a card left",
    "deck-exhausted": "because the deck is used up",
}


def _over(scene: Scene, side: int, reason: str, allies: int, axis: int) -> str:
    score = f"Allies {count(allies, 'medal')}, Axis {count(axis, 'medal')}"
    return f"the battle is over: {scene.side(side)} have won {REASONS.get(reason, reason)} ({score})"


def _lapsed(scene: Scene, unit: int, targets: Sequence[Target]) -> str:
    if scene.where[unit] == NOBODY:
        return f"the attack ordered of {unit_name(scene.setup, unit)} lapses: the unit is gone"
    whys = list(dict.fromkeys(_why_not(scene, unit, target) for target in targets))
    return f"the attack ordered of {scene.unit(unit)} lapses: {'; '.join(whys)}"


def _why_not(scene: Scene, unit: int, target: Target) -> str:
    """Why an ordered attack on one target is not possible any more, without a full stop."""
    state = _in_battle(scene.state, unit)
    if isinstance(target, int):
        there = state.pos[target]
        if there == NOBODY:
            return f"{unit_name(scene.setup, target)} is gone"
    else:
        labels = [label.upper() for label in scene.setup.grid.labels]
        if target.upper() not in labels:
            return f"there is no hex {target}"
        there = labels.index(target.upper())
        if state.occupant[there] == NOBODY:
            return f"nobody is at {scene.hex(there)} any more"
    return (why_no_attack(state, state.pos[unit], there) or "it cannot be carried out").rstrip(".")


def _in_battle(state: State, unit: int) -> State:
    """The same moment while the battles still go on: with them the engine forgets the order in force."""
    if state.rule is not None:
        return state
    t = state.copy()
    t.phase, t.answers = "battle", ()
    card = CARDS.get(state.order)
    t.rule = card if card is not None and state.setup.types[unit].arm in card.arms else None  # C3
    return t


def _taken_back(scene: Scene, file: int) -> str:
    why = f"file {file} answered the attack with an Ambush"
    return f"what followed in this file was taken back: {why}; cards drawn stay drawn"


def _played_again(scene: Scene, side: int, file: int) -> str:
    whose = "your Ambush" if side == scene.chair else f"an Ambush of {scene.side(side)}"
    what = f"what followed this attack in file {file} is taken back and played again"
    return f"{whose}: {what}; cards drawn stay drawn"


def _resigns(scene: Scene, side: int) -> str:
    return f"{scene.player(side)} resigns: {scene.side(1 - side)} have won"


SENTENCES: dict[str, Callable[..., str]] = {
    "turn": _turn,
    "card": _card,
    "copies": lambda scene, card: f"the order of {card_name(card)} is carried out",
    "no-effect": _no_effect,
    "section": _section,
    "ordered": lambda scene, unit, place: f"{unit_name(scene.setup, unit)} at {scene.hex(place)} is ordered",
    "moved": _moved,
    "exited": lambda scene, unit, place, objective: (
        f"{unit_name(scene.setup, unit)} leaves the board from {scene.hex(place)}"
    ),
    "removed": _removed,
    "dug-in": lambda scene, unit, place: (
        f"{unit_name(scene.setup, unit)} at {scene.hex(place)} digs in behind sandbags"
    ),
    "attack": _attack,
    "strike": _strike,
    "targeted": lambda scene, unit, place: (
        f"{unit_name(scene.setup, unit)} at {scene.hex(place)} is chosen as a target"
    ),
    "ambush": _ambush,
    "goes-on": _goes_on,
    "attack-lost": lambda scene, unit: f"{scene.unit(unit)} has lost its attack",
    "rolled": _rolled,
    "losses": _losses,
    "eliminated": lambda scene, unit, place: (
        f"{unit_name(scene.setup, unit)} at {scene.hex(place)} is eliminated"
    ),
    "ignored": _ignored,
    "retreated": _retreated,
    "ground": _ground,
    "healing": _healing,
    "healed": _healed,
    "medal": _medal,
    "medal-lost": _medal_lost,
    "token": _token,
    "drew": _drew,
    "no-card": lambda scene, seat: f"no card is left that {scene.seat(seat)} could draw",
    "discarded": lambda scene, seat, card: f"{scene.seat(seat)} discard {card_name(card)}",
    "reshuffled": lambda scene, deck: "the discards are shuffled into the deck",
    "drop-target": lambda scene, seat, place: f"{scene.seat(seat)} aim the drop at {scene.hex(place)}",
    "dropped": _dropped,
    "drop-lost": _drop_lost,
    "over": _over,
    "lapsed": _lapsed,
    "taken-back": _taken_back,
    "played-again": _played_again,
    "resigns": _resigns,
    "signed": lambda scene, side: f"{scene.player(side)} has signed the result",
}
