"""Medals, objectives and the end of the game (rules R20-R26, M1-M25)."""

from __future__ import annotations

from engine.setup import Objective
from engine.state import NOBODY, State


def count_on(s: State, objective: Objective) -> list[int]:
    """How many of an objective's hexes each side occupies (M17)."""
    counts = [0, 0]
    occupant, sides = s.occupant, s.setup.side
    for h in objective.hexes:
        unit = occupant[h]
        if unit != NOBODY:
            counts[sides[unit]] += 1
    return counts


def holder(s: State, o: Objective) -> int:
    """The side that holds an objective if it is looked at now, or NOBODY."""
    now = s.held[o.number]
    if o.kind in ("permanent", "sudden-death") and now != NOBODY:
        return now  # M3
    counts = count_on(s, o)
    entitled = [side for side in (0, 1) if o.sides >> side & 1]
    if o.kind == "majority":  # M4: at least one more, a tie holds nothing
        ahead = [side for side in entitled if counts[side] > counts[1 - side]]
    elif o.kind == "sole-control":  # M8
        ahead = [side for side in entitled if counts[side] >= o.need and not counts[1 - side]]
    elif o.kind == "last-to-occupy":  # M7
        ahead = [side for side in entitled if counts[side] >= o.need and not counts[1 - side]]
        if not ahead:  # who cannot win it can still take it away
            lost = now != NOBODY and counts[1 - now] >= o.need and not counts[now]
            return NOBODY if lost else now
    else:  # M2, M3, M9
        ahead = [side for side in entitled if counts[side] >= o.need]
    if now in ahead:
        return now
    return ahead[0] if ahead else NOBODY


def review(s: State, objectives: tuple[Objective, ...], only: int | None = None) -> None:
    """Give and take the medals of some objectives, losses first (R26); `only` for one side if it is named."""
    changes = []
    for o in objectives:
        old, new = s.held[o.number], holder(s, o)
        if only is not None and new != only:
            new = NOBODY if old == only else old
        if new != old:
            changes.append((o, new))
    if not changes:
        return
    held = bytearray(s.held)
    for o, new in changes:
        old = held[o.number]
        if old != NOBODY:
            s.log.append(("medal-lost", old, o.medals, o.number))
        held[o.number] = new
    s.held = bytes(held)
    for o, new in changes:
        if new != NOBODY and o.kind != "sudden-death":
            s.log.append(("medal", new, o.medals, "objective", o.number))
    s.moves = {}


def settle(s: State) -> bool:
    """Look at the objectives that count at once and at the score; True if the game is over (R22, R23)."""
    if s.setup.instant:
        review(s, s.setup.instant)
    return check(s)


def review_turn(s: State, when: str) -> bool:
    """Look at the objectives judged at the start or end of the active side's turn (M5, M6, M16)."""
    if not s.setup.timed:
        return s.winner >= 0
    review(s, tuple(o for o in s.setup.objectives if o.check == when), only=s.side)
    return check(s)


def check(s: State) -> bool:
    """Whether the game is over now; the active player's medals are counted first (R26)."""
    if s.winner >= 0:
        return True
    active = s.side
    target = s.setup.target
    for side in (active, 1 - active):
        for o in s.setup.sudden_deaths:
            if s.held[o.number] == side:
                return finish(s, side, "sudden-death")  # M9
        if s.total(side) >= target[side] and _needs_met(s, side):
            return finish(s, side, "medals")  # R20, M20
    return False


def _check_survivors(s: State, side: int) -> None:
    """After a unit of a side has gone: a side without units has lost, unless medals decided (R25, R26)."""
    if not check(s) and not s.units_of(side):
        finish(s, 1 - side, "elimination")


def _needs_met(s: State, side: int) -> bool:
    """Whether the extra conditions of the battle hold: objectives the side must also have (M22)."""
    for number in s.setup.battle.victory_needs:
        o = s.setup.objectives[number]
        if o.sides >> side & 1 and s.held[number] != side:
            return False
    return True


def finish(s: State, side: int, reason: str) -> bool:
    """End the game; always True."""
    s.winner = side
    s.reason = reason
    s.phase = "over"
    s.log.append(("over", side, reason, s.medals(0), s.medals(1)))
    return True


def lose_figures(s: State, unit: int, count: int, cause: str) -> bool:
    """Take figures from a unit; True if that was its last (R90, R91)."""
    left = max(0, s.figures[unit] - count)
    s.log.append(("losses", unit, s.figures[unit] - left, left, cause))
    s.set_figures(unit, left)
    if left:
        return False
    eliminate(s, unit)
    return True


def eliminate(s: State, unit: int) -> None:
    """Remove a unit: its objective is lost first, then the enemy scores (M18, R21, M24)."""
    where = s.pos[unit]
    s.lift(unit)
    s.moves = {}
    s.log.append(("eliminated", unit, where))
    if s.setup.instant:
        review(s, s.setup.instant)
    enemy = 1 - s.setup.side[unit]
    needed = s.setup.types[unit].tokens
    if needed:  # U46, M11
        tokens = list(s.tokens)
        tokens[enemy] += 1
        s.log.append(("token", enemy, unit, tokens[enemy]))
        if tokens[enemy] == needed:
            tokens[enemy] = 0
            award(s, enemy, 1, "tokens", unit)
        s.tokens = (tokens[0], tokens[1])
    else:
        award(s, enemy, s.setup.worth[unit], "elimination", unit)
    _check_survivors(s, 1 - enemy)


def award(s: State, side: int, medals: int, kind: str, subject: int) -> None:
    """Give a side medals that it cannot lose."""
    if not medals:
        return
    score = list(s.score)
    score[side] += medals
    s.score = (score[0], score[1])
    s.log.append(("medal", side, medals, kind, subject))


def leave_board(s: State, unit: int, objective: Objective) -> None:
    """Take a unit off through an exit: its own side scores (W33, M10)."""
    side = s.setup.side[unit]
    where = s.pos[unit]
    s.lift(unit)
    s.moves = {}
    s.log.append(("exited", unit, where, objective.number))
    if s.setup.instant:
        review(s, s.setup.instant)
    infantry = s.setup.arm[unit] == 0
    award(s, side, objective.infantry_medals if infantry else objective.medals, "exit", unit)
    if objective.number in s.setup.battle.victory_needs:
        held = bytearray(s.held)
        held[objective.number] = side
        s.held = bytes(held)
    _check_survivors(s, side)


def tempting_hexes(s: State, side: int) -> dict[int, int]:
    """Hexes whose mere crossing would change the medals or the winner, each with a bit of its own (M14)."""
    found: dict[int, int] = {}
    for o in s.setup.instant:
        if s.held[o.number] != side and (_tempts(s, o, side) or _guards(s, o, side)):
            for h in o.hexes:
                if h not in found:
                    found[h] = 1 << len(found)
    return found


def _tempts(s: State, o: Objective, side: int) -> bool:
    """Whether crossing the objective would win it for good, or the game."""
    if not o.sides >> side & 1:
        return False
    if o.kind == "permanent":
        return s.held[o.number] == NOBODY  # M3: once won it is nobody else's
    if o.kind in ("last-to-occupy", "sudden-death"):
        return True
    return o.medals >= s.setup.target[side] - s.total(side)


def _guards(s: State, o: Objective, side: int) -> bool:
    """Whether leaving the group, if only for one step, could give the enemy its last medal (M21)."""
    enemy = 1 - side
    if o.kind not in ("majority", "sole-control") or not o.sides >> enemy & 1:
        return False
    return s.held[o.number] != enemy and o.medals >= s.setup.target[enemy] - s.total(enemy)
