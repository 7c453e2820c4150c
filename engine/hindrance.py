"""What keeps a unit from going, shooting or falling back somewhere: a rule's number and a sentence.

The tables of `board.py` and the searches of `movement.py`, `combat.py` and `retreat.py` decide what is legal.
This module is asked afterwards, about one unit and one wish, and may take its time.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engine.combat import bonus_for, dice_for
from engine.movement import allowance, is_free
from engine.retreat import routes
from engine.state import NOBODY, State
from engine.terrain import INFANTRY, WIRE

Reason = tuple[str, str]  # the rule's number, the sentence

# Cards that change movement or battle, and the families of section cards.
CARD_RULES: dict[str, str] = {
    "recon-in-force": "C14",
    "general-advance": "C15",
    "pincer-move": "C16",
    "recon": "C10",
    "probe": "C11",
    "attack": "C12",
    "assault": "C13",
    "air-power": "C20",
    "ambush": "C21",
    "armor-assault": "C22",
    "artillery-bombard": "C23",
    "barrage": "C24",
    "behind-enemy-lines": "C25",
    "close-assault": "C26",
    "counter-attack": "C27",
    "dig-in": "C28",
    "direct-from-hq": "C29",
    "firefight": "C30",
    "infantry-assault": "C31",
    "medics-and-mechanics": "C32",
    "move-out": "C33",
    "their-finest-hour": "C34",
    "fallback": "C3",
    "fallback-here": "C27g",
}


def card_rule(key: str) -> str:
    """The number of the rule that describes a card."""
    return CARD_RULES.get(key) or CARD_RULES.get(key.rpartition("-")[0], "C1")


def unit_name(s: State, unit: int) -> str:
    """A unit as sentences name it: its type and where it stands."""
    return f"the {s.setup.types[unit].name} unit at {s.setup.grid.labels[s.pos[unit]]}"


def _hexes(number: int) -> str:
    return "1 hex" if number == 1 else f"{number} hexes"


def hexes_text(s: State, path: tuple[int, ...]) -> str:
    """Some hexes, by label."""
    return " ".join(s.setup.grid.labels[h] for h in path)


# Moves


def path_hindrance(s: State, unit: int, path: tuple[int, ...], *, leaving: bool = False) -> Reason | None:
    """What forbids a unit to move along a path (and then, `leaving`, off the board); None if nothing does."""
    limit = allowance(s, unit)
    if not limit:
        return _stands_still(s, unit)
    passed, cost, reason = _walk(s, unit, path, limit)
    if reason is not None or not leaving:
        return reason
    return _exit_hindrance(s, unit, path, cost, limit, moved=passed > 0)


def end_hindrance(s: State, unit: int, end: int) -> Reason | None:
    """What keeps a unit from a hex, whatever way it takes; None if some way leads there."""
    limit = allowance(s, unit)
    start = s.pos[unit]
    if not limit:
        return _stands_still(s, unit)
    if end != start and s.occupant[end] != NOBODY:
        return "R39", f"{unit_name(s, s.occupant[end])} is in the way"
    barred = _barred(s, unit, end)
    if barred is not None:
        return barred
    if s.setup.grid.near[start][end] > limit:
        return _too_far(s, unit, limit)
    best: tuple[int, int, Reason] | None = None
    for path in _ways(s, start, end, limit):
        passed, _, reason = _walk(s, unit, path, limit)
        if reason is None:
            return None
        # The way that gets furthest says most; of two, the shorter.
        if best is None or (passed, -len(path)) > best[:2]:
            best = (passed, -len(path), reason)
    return best[2] if best else _too_far(s, unit, limit)


def _ways(s: State, start: int, end: int, limit: int) -> Iterator[tuple[int, ...]]:
    """Every chain of hexes from start to end of at most `limit` steps."""
    near, neighbours = s.setup.grid.near, s.setup.grid.neighbours
    paths: list[tuple[int, ...]] = [(start,)]
    for step in range(1, limit + 1):
        paths = [(*p, n) for p in paths for n in neighbours[p[-1]] if near[n][end] <= limit - step]
        yield from (p for p in paths if p[-1] == end)


def _walk(s: State, unit: int, path: tuple[int, ...], limit: int) -> tuple[int, int, Reason | None]:
    """Go along a path: steps made, what they cost, and what forbids the next one."""
    board = s.setup.board
    free = is_free(s.rule)
    steps = (board.free_steps if free else board.steps)[s.setup.arm[unit]]
    cost, wet = 0, False
    for passed, (a, b) in enumerate(pairwise(path)):
        reason = None if free or not passed else _must_stop(s, unit, path[0], a, b)
        reason = reason or _step_hindrance(s, unit, path[0], a, b)
        if reason is not None:
            return passed, cost, reason
        cost += dict(steps[a])[b]
        wet = wet or bool(board.beach[b])
        if cost > limit:
            return passed, cost, _too_far(s, unit, limit, dear=passed < limit)
        if wet and cost > 2 and not free:
            return passed, cost, ("T22a", "a move that enters a beach hex is at most 2 hexes long")
    return len(path) - 1, cost, None


def _stands_still(s: State, unit: int) -> Reason:
    rule = s.rule
    if rule is not None and rule.reach == 0:
        return card_rule(rule.key), f"units ordered by {rule.name} do not move"
    return "R38", f"{unit_name(s, unit)} does not move"


def _too_far(s: State, unit: int, limit: int, *, dear: bool = False) -> Reason:
    if dear:
        return "R41", f"{unit_name(s, unit)} may move {_hexes(limit)}, and a step on this way costs 2"
    rule = s.rule
    number = card_rule(rule.key) if rule is not None and rule.reach is not None else "R38"
    return number, f"{unit_name(s, unit)} may move at most {_hexes(limit)}"


def _must_stop(s: State, unit: int, start: int, a: int, b: int) -> Reason | None:
    """Why a move that has come to `a` may not go on to `b`, both behind the first step."""
    board = s.setup.board
    here = s.setup.grid.labels[a]
    if s.marks[a] & WIRE:
        return "T42a", f"a unit that enters the wire at {here} must stop"
    if board.stop[s.setup.arm[unit]][a]:
        number = "T23a" if board.sea[a] else "R43"
        return number, f"a unit that enters the {board.ground[a].key} at {here} must stop"
    if board.hedge[start]:
        return "T9c", "a move out of a hedgerow ends in the next hex"
    if board.hedge[b]:
        return "T9a", f"the hedgerow at {s.setup.grid.labels[b]} is entered only from the hex next to it"
    return None


def _step_hindrance(s: State, unit: int, start: int, a: int, b: int) -> Reason | None:
    """What forbids one step, cost and stopping apart."""
    setup = s.setup
    board, arm, labels = setup.board, setup.arm[unit], setup.grid.labels
    if setup.grid.near[a][b] != 1:
        return "R39", f"{labels[a]} and {labels[b]} are not next to each other"
    if s.occupant[b] != NOBODY and b != start:
        return "R39", f"{unit_name(s, s.occupant[b])} is in the way"
    if any(n == b for n, _ in (board.free_steps if is_free(s.rule) else board.steps)[arm][a]):
        return None
    return edge_hindrance(s, unit, a, b)


def edge_hindrance(s: State, unit: int, a: int, b: int) -> Reason:
    """What the ground of two neighbouring hexes has against a unit that wants to go from one to the other."""
    setup = s.setup
    board, arm, labels = setup.board, setup.arm[unit], setup.grid.labels
    if board.confined[arm][a]:
        return "T40b", f"{setup.types[unit].name} placed in a bunker never leaves it"
    barred = _barred(s, unit, b)
    if barred is not None:
        return barred
    there = f"from {labels[a]} to {labels[b]}"
    if abs(board.elevation[a] - board.elevation[b]) > 1:
        return "R42", f"the climb {there} is too steep"
    if a in board.links or b in board.links:
        return "T21", "the long bridge is entered and left at its ends only"
    if board.bridge[b]:
        return "T21b", f"a bridge is entered only from land, not {there}"
    if board.bridge[a]:
        return "T21c", f"a unit on a bridge retreats only to land, not {there}"
    if board.sea[b]:
        return "V60", "a unit that has landed does not go back into the sea"
    sheer = board.ground[a].sheer or board.ground[b].sheer
    return "T25" if sheer else "T24a", f"only infantry climbs between beach and height, {there}"


def _barred(s: State, unit: int, h: int) -> Reason | None:
    """Why a unit may never stand on a hex."""
    board, arm = s.setup.board, s.setup.types[unit].arm
    here, kind = s.setup.grid.labels[h], s.setup.types[unit].name
    if board.impassable[h]:
        return "R45", f"{here} is impassable in this battle"
    if arm in board.ground[h].barred:
        return "R45", f"the {board.ground[h].key} at {here} is impassable to {kind}"
    for row in board.fixed[h]:
        if arm in row.barred:
            number = {"bunker": "T40a", "hedgehog": "T41"}.get(row.key, "R45")
            return number, f"{kind} may not enter the {row.key} at {here}"
    return None


def _exit_hindrance(
    s: State, unit: int, path: tuple[int, ...], cost: int, limit: int, *, moved: bool
) -> Reason | None:
    """What keeps a unit at the end of a path from leaving the board."""
    side, door = s.setup.side[unit], path[-1]
    label = s.setup.grid.labels[door]
    if not any(door in o.hexes for o in s.setup.exits if o.sides >> side & 1):
        return "R46", f"{label} is no exit for this side"
    if moved and door == path[0]:
        return "W32", "a unit that starts on an exit hex leaves from it at once"
    board = s.setup.board
    if moved and not is_free(s.rule) and (board.stop[s.setup.arm[unit]][door] or s.marks[door] & WIRE):
        return "R43", f"a unit that enters {label} must stop there"
    if moved and not is_free(s.rule) and board.hedge[path[0]]:
        return "T9c", "a move out of a hedgerow ends in the next hex"
    if not is_free(s.rule) and cost + 1 > 2 and any(board.beach[h] for h in path[1:]):
        return "T22a", "a move that enters a beach hex is at most 2 hexes long"
    if cost + 1 > limit:
        return "W32", f"leaving the board costs one more hex than {unit_name(s, unit)} has left"
    return None


# Battles


def attack_hindrance(s: State, unit: int, place: int) -> Reason | None:
    """What keeps a unit that may battle from attacking a hex; None if nothing does."""
    setup, h = s.setup, s.pos[unit]
    target = s.occupant[place]
    label = setup.grid.labels[place]
    if target == NOBODY:
        return "R51", f"no unit stands at {label}"
    if setup.side[target] == setup.side[unit]:
        return "R51", f"{unit_name(s, target)} is no enemy"
    close = setup.grid.near[h][place] == 1
    reason = _lock(s, unit, close=close) or _out_of_reach(s, unit, place)
    if reason is not None:
        return reason
    if dice_for(s, unit, target, bonus_for(s, close=close)) < 1:
        return "R60", f"{unit_name(s, unit)} would roll no die against {label}"
    return None


def _lock(s: State, unit: int, *, close: bool) -> Reason | None:
    """What enemies next to the unit, or their absence, forbid (R53, R54, C26a, C30b)."""
    setup, h, rule = s.setup, s.pos[unit], s.rule
    near = [
        other
        for n in setup.grid.neighbours[h]
        if (other := s.occupant[n]) != NOBODY and setup.side[other] != setup.side[unit]
    ]
    if near and rule is not None and rule.far_only:
        return "C30b", f"{unit_name(s, unit)} has an enemy next to it and cannot fire with {rule.name}"
    if near and not close:
        bonus = bonus_for(s, close=True)
        if all(dice_for(s, unit, other, bonus) < 1 for other in near):
            return "R54", f"{unit_name(s, unit)} is locked by an adjacent enemy it cannot hurt"
        return "R53", f"{unit_name(s, unit)} must battle an enemy next to it"
    if not close and rule is not None and rule.close_only and s.phase != "overrun":
        return "C26a", f"units ordered by {rule.name} battle adjacent enemies only"
    return None


def _out_of_reach(s: State, unit: int, place: int) -> Reason | None:
    """Range, sight and what a battle's own rules put between two hexes (R59, R67-R71)."""
    setup, h = s.setup, s.pos[unit]
    kind, sight, label = setup.types[unit], setup.sight, setup.grid.labels[place]
    distance = setup.grid.near[h][place]
    if distance > len(kind.dice):
        return "R59", f"{label} is {distance} hexes away; {kind.name} reaches {len(kind.dice)}"
    if distance == 1:
        return None
    if not kind.needs_sight:
        if sight.may_shell(h, place):
            return None
        return "R67", f"artillery may not fire across the heights to {label} in this battle"
    if not sight.sees(h, place, s.occupant):
        number, hexes = sight.obstructions(h, place, s.occupant)
        by = f" by {hexes_text(s, hexes)}" if hexes else ""
        return number, f"the line of sight to {label} is blocked{by}"
    if kind.arm == INFANTRY and not sight.same_bank(h, place):
        return "R67", f"infantry does not fire across the wide river to {label} in this battle"
    return None


# Retreats


def retreat_hindrance(s: State, unit: int, flags: int, path: tuple[int, ...]) -> Reason | None:
    """What forbids a route to a unit that must obey some flags; None if it is as good as a listed one."""
    setup = s.setup
    labels, side = setup.grid.labels, setup.side[unit]
    if path[0] != s.pos[unit]:
        return "R92", f"{unit_name(s, unit)} is the one that retreats"
    for a, b in pairwise(path):
        if b not in setup.grid.behind(a, down=setup.bottom[side]):
            step = f"{labels[a]} to {labels[b]}"
            return "R93", f"a retreat goes to the next row toward the own baseline, not from {step}"
        if s.occupant[b] != NOBODY:
            return "R94", f"{unit_name(s, s.occupant[b])} is in the way"
        if b not in setup.board.retreats[side][setup.arm[unit]][a]:
            return (
                "R94",
                f"a retreat from {labels[a]} to {labels[b]} is not possible: {_closed(s, unit, a, b)}",
            )
    ways, losses = routes(s, unit, flags)
    lengths = sorted(len(way) - 2 for way in ways)
    steps = len(path) - 1
    if steps < lengths[0]:
        if losses:
            return "R99", f"a route of {_hexes(lengths[0])} exists and must be used"
        return "R98", f"a route that obeys every flag exists: {_hexes(lengths[0])}, not {steps}"
    if steps > lengths[-1]:
        number = "R104" if setup.types[unit].flag_steps > 1 else "R92"
        return number, f"the retreat is {_hexes(lengths[-1])} long, not {steps}"
    return None


def _closed(s: State, unit: int, a: int, b: int) -> str:
    if s.setup.board.sea[b]:
        return "nobody retreats into the ocean"
    return edge_hindrance(s, unit, a, b)[1]
