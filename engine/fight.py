"""An attack from its declaration to the advance that may follow (rules R56, R87-R120, C21).

Each function ends by naming the phase that comes next; `turn.py` enters it.
"""

from __future__ import annotations

from engine.answers import Answer
from engine.combat import (
    FLAG,
    attacks_of,
    bonus_for,
    can_ignore,
    could_ambush,
    dice_for,
    hits,
    own_penalty,
    protection,
)
from engine.hands import can_react, deck_of, possible_faces, take
from engine.movement import CRUSHED, enter
from engine.retreat import fall_back, routes
from engine.state import (
    FOUGHT,
    FOUGHT_TWICE,
    NOBODY,
    OVERRAN,
    SPENT,
    STOPPED,
    Fight,
    Roll,
    State,
)
from engine.terrain import ARMOR
from engine.victory import lose_figures, settle

PASS: Answer = ("pass",)


def declare(s: State, answer: Answer) -> None:
    """Declare the attack that the answer names (R56, steps 1 to 3)."""
    _, here, there = answer
    unit, target = s.occupant[here], s.occupant[there]
    close = s.setup.grid.near[here][there] == 1
    bonus = bonus_for(s, close=close)
    dice = dice_for(s, unit, target, bonus)
    arm = s.setup.arm[unit]
    cover, penalty = protection(s, arm, here, target), own_penalty(s, arm, here)
    s.log.append(("attack", unit, target, here, there, dice, bonus, penalty, cover))
    if s.phase == "overrun":
        s.mark(unit, OVERRAN)
    else:
        s.mark(unit, FOUGHT_TWICE if s.acts[unit] & FOUGHT else FOUGHT)
    _crush(s, unit)
    s.fight = Fight("attack", unit, target, dice, close, there)
    s.focus = unit
    s.asked = 0
    s.phase = "react"


def _crush(s: State, unit: int) -> None:
    """Remove the wire under an armor unit that battles where it once retreated (T42f)."""
    h = s.pos[unit]
    if s.setup.arm[unit] == ARMOR and s.marks[h] & CRUSHED:
        s.clear(h, CRUSHED)


def strike(s: State, kind: str, target: int, dice: int) -> None:
    """Attack a unit by card, without an attacking unit (R129)."""
    where = s.pos[target]
    s.log.append(("strike", kind, target, where, dice))
    s.fight = Fight(kind, NOBODY, target, dice, False, where)
    s.phase = "roll"


# The reaction window


def ask_reactions(s: State) -> tuple[Answer, ...] | None:
    """The answers of the next seat that may ambush; None when nobody is left to ask (C21).

    Whether a seat is asked follows from what everybody knows, so that being asked tells nothing.
    """
    fight = s.fight
    assert fight is not None
    side = s.setup.side[fight.target]
    seats = s.setup.seats_of(side)
    if fight.close and could_ambush(s, fight.target, fight.attacker):
        while s.asked < len(seats):
            seat = seats[s.asked]
            if can_react(s, seat, "ambush"):
                s.seat = seat
                return _reactions(s, seat)
            s.asked += 1
    s.phase = "roll"
    return None


def _reactions(s: State, seat: int) -> tuple[Answer, ...]:
    hand = s.hands[seat]
    ready = hand[: len(hand) - s.fresh[seat]] if s.setup.by_mail else hand
    face = deck_of(s, seat).number["ambush"]
    if face in possible_faces(s, seat, ready):
        return (PASS, ("card", "ambush"))
    return (PASS,)


def react(s: State, answer: Answer) -> None:
    """A seat passes or plays Ambush."""
    if answer == PASS:
        s.asked += 1
        return
    fight = s.fight
    assert fight is not None
    face = deck_of(s, s.seat).number[answer[1]]
    take(s, s.seat, face)
    s.to_discard(s.setup.seats[s.seat].deck, face)
    s.reacted = (*s.reacted, s.seat)
    dice = dice_for(s, fight.target, fight.attacker, 0)  # C21h
    here = s.pos[fight.attacker]
    s.log.append(("ambush", s.seat, fight.target, fight.attacker, dice))
    _crush(s, fight.target)
    s.fight = Fight("ambush", fight.target, fight.attacker, dice, True, here, parent=fight)
    s.phase = "roll"


# The dice


def ask_dice(s: State) -> Roll:
    """The roll that the present attack waits for; whoever attacks rolls."""
    fight = s.fight
    assert fight is not None
    if fight.kind == "ambush":
        seat = s.setup.seats_of(s.setup.side[fight.attacker])[0]
    else:
        seat = s.active
    return Roll(seat, fight.dice, 6, fight.kind)


def resolve(s: State, faces: tuple[int, ...]) -> None:
    """Apply hits, then see what flags are left to obey (R87-R91)."""
    fight = s.fight
    assert fight is not None
    target = fight.target
    by_card = fight.attacker == NOBODY
    count = hits(s, target, faces, stars=fight.kind == "air")
    flags = faces.count(FLAG)
    s.log.append(("rolled", fight.kind, target, faces, count, flags))
    if count and lose_figures(s, target, count, fight.kind):
        conclude(s, vacated=True)
        return
    s.fight = fight._replace(flags=flags)
    if flags and not by_card and can_ignore(s, target):
        s.phase = "ignore"
    else:
        s.phase = "retreat"


def ask_ignore(s: State) -> tuple[Answer, ...] | None:
    """How many flags the owner may ignore; a unit that cannot leave always ignores one (R100, T40b)."""
    fight = s.fight
    assert fight is not None
    s.seat = _owner(s, fight.target)
    if s.setup.board.confined[s.setup.arm[fight.target]][s.pos[fight.target]]:
        ignore(s, ("ignore", 1))
        return None
    return (("ignore", 0), ("ignore", 1))


def ignore(s: State, answer: Answer) -> None:
    """The owner ignores that many flags (R101)."""
    fight = s.fight
    assert fight is not None
    if answer[1]:
        s.log.append(("ignored", fight.target, answer[1]))
    s.fight = fight._replace(flags=fight.flags - answer[1])
    s.phase = "retreat"


def ask_retreat(s: State) -> tuple[Answer, ...] | None:
    """The routes the owner may choose from; a single one is taken without asking (R92, R98)."""
    fight = s.fight
    assert fight is not None
    if not fight.flags:
        conclude(s, vacated=False)
        return None
    ways, losses = routes(s, fight.target, fight.flags)
    if len(ways) > 1:
        s.seat = _owner(s, fight.target)
        return ways
    conclude(s, vacated=fall_back(s, fight.target, ways[0], losses))
    return None


def retreat(s: State, answer: Answer) -> None:
    """The owner has chosen a route."""
    fight = s.fight
    assert fight is not None
    _, losses = routes(s, fight.target, fight.flags)
    conclude(s, vacated=fall_back(s, fight.target, answer, losses))


def _owner(s: State, unit: int) -> int:
    return s.setup.seats_of(s.setup.side[unit])[0]


def conclude(s: State, *, vacated: bool) -> None:
    """The target is dealt with: go on with what the attack was part of."""
    fight = s.fight
    assert fight is not None
    if s.winner >= 0:
        return  # R23
    if fight.kind == "air":
        s.fight = None
        s.phase = "strike"
    elif fight.kind == "barrage":
        s.fight = None
        s.phase = "finish"
    elif fight.kind == "ambush":
        _after_ambush(s, fight, driven_off=vacated)
    elif vacated and fight.close:
        s.phase = "ground"
    else:
        s.fight = None
        s.phase = "after"


def _after_ambush(s: State, fight: Fight, *, driven_off: bool) -> None:
    """An attacker that stands its ground carries on; one that left its hex has lost its attack (C21d)."""
    if not driven_off:
        s.fight = fight.parent
        s.phase = "roll"
        return
    s.log.append(("attack-lost", fight.target))
    if s.pos[fight.target] != NOBODY:
        s.mark(fight.target, FOUGHT_TWICE)  # C21e
    s.fight = None
    s.phase = "after"


# Take ground and overrun


def ask_ground(s: State) -> tuple[Answer, ...] | None:
    """Whether the attacker may advance into the hex it has cleared (R105-R111)."""
    fight = s.fight
    assert fight is not None
    unit, where = fight.attacker, fight.where
    s.fight = None
    s.seat = s.active
    if not _may_take(s, unit, where):
        s.phase = "after"
        return None
    return (("ground", where), ("stay",))


def _may_take(s: State, unit: int, where: int) -> bool:
    setup = s.setup
    h = s.pos[unit]
    if not setup.options.take_ground or not setup.types[unit].takes_ground:
        return False  # V12, R107
    if s.acts[unit] & STOPPED or s.occupant[where] != NOBODY:
        return False  # R109
    if where not in setup.board.ground_steps[setup.arm[unit]][h]:
        return False  # R108
    if setup.board.hedge[where]:  # T9a
        return setup.grid.near[s.origin[unit]][where] == 1
    return True


def ground(s: State, answer: Answer) -> None:
    """Advance, or stay."""
    s.phase = "after"
    if answer[0] == "stay":
        return
    unit, where = s.focus, answer[1]
    s.log.append(("ground", unit, s.pos[unit], where))
    s.moves = {}
    s.shift(unit, where)
    enter(s, unit, where)
    if settle(s):
        return
    if s.setup.types[unit].overruns and not s.acts[unit] & (OVERRAN | SPENT) and not s.setup.board.sea[where]:
        s.phase = "overrun"  # R112-R117


def ask_overrun(s: State) -> tuple[Answer, ...] | None:
    """The attacks of an armor unit that has taken ground (R113)."""
    attacks = attacks_of(s, s.focus)
    if not attacks:
        s.phase = "after"
        return None
    s.seat = s.active
    return (*attacks, PASS)


def overrun(s: State, answer: Answer) -> None:
    """Attack once more, or leave it."""
    if answer == PASS:
        s.phase = "after"
    else:
        declare(s, answer)


def after(s: State) -> None:
    """What a unit that has battled does next: its second battle, its second move, or nothing."""
    rule = s.rule
    unit = s.focus
    alive = unit != NOBODY and s.pos[unit] != NOBODY
    if rule is not None and rule.attacks > 1 and alive and not s.acts[unit] & FOUGHT_TWICE:
        s.phase = "again"  # C23a
    else:
        s.phase = "battle"


def ask_again(s: State) -> tuple[Answer, ...] | None:
    """The second battle of a unit that has two (C23)."""
    attacks = attacks_of(s, s.focus)
    if not attacks:
        s.phase = "battle"
        return None
    s.seat = s.active
    return (*attacks, PASS)


def again(s: State, answer: Answer) -> None:
    """Battle a second time, or leave it."""
    if answer == PASS:
        s.phase = "battle"
    else:
        declare(s, answer)
