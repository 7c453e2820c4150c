"""Where a unit may go and what that does to it (rules R37-R48, T-rules, W30-W34).

Moves are listed by their consequences: for every hex a unit can reach there is one path, the cheapest, and a
further one only where crossing other hexes would win medals (M14). Two paths to the same hex that enter the
same medal hexes are the same move; `notation.py` accepts either when a person types it.
"""

from __future__ import annotations

from itertools import pairwise

from engine.answers import Answer
from engine.cards import Card
from engine.setup import Setup
from engine.state import MOVED, NOBODY, SPENT, STOPPED, State
from engine.terrain import ARMOR, FEATURES, LOOSE, WIRE
from engine.victory import leave_board, settle, tempting_hexes

CRUSHED = sum(1 << place for place, key in enumerate(LOOSE) if FEATURES[key].pierces)  # T42d


def allowance(s: State, unit: int) -> int:
    """How many hexes a unit may move under the order in force, giving up its battle if need be (R38)."""
    rule = s.rule
    if rule is not None and rule.reach is not None:
        return rule.reach
    return s.setup.types[unit].reach


def march(s: State, unit: int) -> int:
    """How many hexes a unit may move and still battle (R38)."""
    rule = s.rule
    if rule is not None and rule.march is not None:
        return rule.march
    return s.setup.types[unit].march


def is_free(rule: Card | None) -> bool:
    """Whether the order lifts terrain limits on movement (C25a)."""
    return rule is not None and rule.play == "behind_lines"


def unit_moves(s: State, unit: int) -> tuple[Answer, ...]:
    """Every move of one unit, standing still not among them."""
    limit = allowance(s, unit)
    if not limit:
        return ()
    setup = s.setup
    free = is_free(s.rule)
    tempting = tempting_hexes(s, setup.side[unit]) if setup.instant else {}
    # Slopes cost 2 (R41): a hex that is found first need not be found at its lowest cost.
    uneven = limit > 2 and not free and not setup.board.flat[setup.arm[unit]]
    if uneven or any(setup.grid.near[s.pos[unit]][h] < limit for h in tempting):
        found = _search_past(s, unit, limit, tempting, free=free)
    elif free:
        found = _search(s, unit, limit, free=True)
    elif setup.board.has_beach and limit > 2:
        found = _search(s, unit, 2)
        # T22a: beyond two hexes, no beach may be entered on the way.
        ends = {move[-1] for move in found}
        found += [m for m in _search(s, unit, limit, dry=True) if m[-1] not in ends]
    else:
        found = _search(s, unit, limit)
    if setup.exits:
        found += _exits(s, unit, limit, found, free=free)
    return tuple(found)


def _search(s: State, unit: int, limit: int, *, free: bool = False, dry: bool = False) -> list[Answer]:
    """The cheapest path to every hex within a limit; `dry` keeps off the beach.

    The first two hexes come from tables of the board, made when a hex is first asked about; the search
    itself only looks at what changes: units and wire. Beyond two hexes all steps must cost the same.
    """
    board = s.setup.board
    arm = s.setup.arm[unit]
    start = s.pos[unit]
    occupant, marks = s.occupant, s.marks
    firsts, seconds = board.fan(arm, start, limit, free, dry)
    found: list[Answer] = []
    through: set[int] = set()
    back: Answer | None = None  # out and home again, where there is a way (R48)
    for n, move, goes_on, home in firsts:
        if occupant[n] != NOBODY:
            continue  # R39
        found.append(move)
        if goes_on and (free or not marks[n] & WIRE):  # R43
            through.add(n)
            back = back or home
    if back is not None:
        found.append(back)
    onward: list[Answer] = []
    for m, goes_on, ways in seconds if through else ():
        if occupant[m] == NOBODY:
            for via, move in ways:
                if via in through:
                    found.append(move)
                    if goes_on and (free or not marks[m] & WIRE):
                        onward.append(move)
                    break
    if onward:
        _search_on(s, unit, limit, onward, found, free=free, dry=dry)
    return found


def _search_on(
    s: State, unit: int, limit: int, onward: list[Answer], found: list[Answer], *, free: bool, dry: bool
) -> None:
    """Go on from paths of two hexes, nearest first."""
    board = s.setup.board
    arm = s.setup.arm[unit]
    start = s.pos[unit]
    steps = board.free_steps[arm] if free else board.steps[arm]
    stop, hedge, beach = board.stop[arm], board.hedge, board.beach
    occupant, marks = s.occupant, s.marks
    seen = {start, *(n for n, _ in steps[start]), *(move[-1] for move in found)}
    levels: list[list[Answer]] = [onward if cost == 2 else [] for cost in range(limit + 1)]
    for cost in range(2, limit):
        for path in levels[cost]:
            for n, price in steps[path[-1]]:
                total = cost + price
                if n in seen or occupant[n] != NOBODY or total > limit:
                    continue
                if (hedge[n] and not free) or (dry and beach[n]):
                    continue  # T9a
                seen.add(n)
                move = (*path, n)
                found.append(move)
                if total < limit and (free or not (stop[n] or marks[n] & WIRE)):
                    levels[total].append(move)


def _search_past(s: State, unit: int, limit: int, tempting: dict[int, int], *, free: bool) -> list[Answer]:
    """As `_search`, with a path for every set of tempting hexes that can be crossed on the way.

    Steps may differ in cost (R41): a path counts when its turn comes, cheapest first.
    """
    beach = s.setup.board.beach
    levels: list[list[tuple[Answer, int, bool]]] = [[] for _ in range(limit + 1)]
    levels[0].append((("move", s.pos[unit]), 0, False))
    settled: set[tuple[int, int, bool]] = set()
    best: dict[tuple[int, int], Answer] = {}
    for cost, level in enumerate(levels):
        for path, crossed, wet in level:
            here = (path[-1], crossed, wet)
            if here in settled:
                continue
            if cost:
                settled.add(here)
                best.setdefault(here[:2], path)
            for n, total in next_steps(s, unit, path, cost, free=free):
                shore = wet or bool(beach[n])
                if total > limit or (shore and total > 2 and not free):
                    continue  # T22a
                levels[total].append(((*path, n), crossed | tempting.get(n, 0), shore))
    return list(best.values())


def next_steps(s: State, unit: int, path: Answer, cost: int, *, free: bool) -> list[tuple[int, int]]:
    """The hexes that a move may go on to, each with the cost so far; `path` starts with the verb."""
    board = s.setup.board
    arm = s.setup.arm[unit]
    start, h = path[1], path[-1]
    first = len(path) == 2
    if not first and not free and (board.stop[arm][h] or s.marks[h] & WIRE or board.hedge[start]):
        return []  # R43, T9c
    steps = board.free_steps[arm] if free else board.steps[arm]
    return [
        (n, cost + price)
        for n, price in steps[h]
        if (s.occupant[n] == NOBODY or n == start) and (free or first or not board.hedge[n])
    ]


def _exits(s: State, unit: int, limit: int, found: list[Answer], *, free: bool) -> list[Answer]:
    """Ways to leave the board: one more hex of movement from an exit hex (W32)."""
    side, arm = s.setup.side[unit], s.setup.arm[unit]
    board = s.setup.board
    doors = {h for o in s.setup.exits if o.sides >> side & 1 for h in o.hexes}
    ways: list[Answer] = []
    for path in [("move", s.pos[unit]), *found]:
        h = path[-1]
        moved = len(path) > 2
        if h not in doors or (moved and h == path[1]):
            continue
        if moved and not free and (board.stop[arm][h] or s.marks[h] & WIRE or board.hedge[path[1]]):
            continue  # R43, T9c
        cost = path_cost(s, unit, path[1:]) + 1
        wet = not free and any(board.beach[n] for n in path[2:])
        if cost <= limit and not (wet and cost > 2):  # T22a
            ways.append(("exit", *path[1:]))
    return ways


def path_cost(s: State, unit: int, path: tuple[int, ...]) -> int:
    """What a path costs the unit (R41)."""
    if s.setup.board.flat[s.setup.arm[unit]] or is_free(s.rule):
        return len(path) - 1
    steps = s.setup.board.steps[s.setup.arm[unit]]
    return sum(price for a, b in pairwise(path) for n, price in steps[a] if n == b)


def make_move(s: State, answer: Answer) -> None:
    """Carry out a move or an exit, hex by hex, with all that happens on the way."""
    verb, *path = answer
    unit = s.occupant[path[0]]
    setup = s.setup
    free = is_free(s.rule)
    cost = path_cost(s, unit, tuple(path))
    s.log.append(("moved", unit, tuple(path)))
    marks = MOVED
    if not free and cost > march(s, unit):
        marks |= SPENT  # R38
    s.mark(unit, marks)
    if setup.medal_hexes.isdisjoint(path):
        # What does something to a unit also stops it (R43), so only the last hex matters.
        s.shift(unit, path[-1])
        enter(s, unit, path[-1])
    else:
        for h in path[1:]:
            s.shift(unit, h)
            enter(s, unit, h, free=free and h != path[-1])
            if settle(s):
                return
    if verb == "exit":
        door = next(o for o in setup.exits if path[-1] in o.hexes and o.sides >> setup.side[unit] & 1)
        leave_board(s, unit, door)
    _forget_moves(s, path[0], path[-1])


def enter(s: State, unit: int, h: int, *, free: bool = False) -> None:
    """What a hex does to a unit that enters it by move or by taking ground (R43, R44, R111)."""
    arm = s.setup.arm[unit]
    board = s.setup.board
    marks = 0
    if board.no_battle[arm][h] and not s.setup.types[unit].battles_on_entry and not _lifts_battle(s):
        marks |= SPENT
    if (board.stop[arm][h] or s.marks[h] & WIRE) and not is_free(s.rule):
        marks |= STOPPED  # what does not end a move does not forbid taking ground either (R109, C25a)
    if free:
        return  # passing through with Behind Enemy Lines leaves no mark (C25a, C25b)
    if marks:
        s.mark(unit, marks)
    if arm == ARMOR and s.marks[h] & CRUSHED:
        s.clear(h, CRUSHED)  # T42d


def _lifts_battle(s: State) -> bool:
    """Whether the order also lifts terrain limits on battle (X5)."""
    return is_free(s.rule) and s.setup.options.behind_lines_battle == "free"


def _forget_moves(s: State, start: int, end: int) -> None:
    """Keep the moves of units too far away to be touched by this one."""
    if not s.moves:
        return
    near, pos = s.setup.grid.near, s.pos
    kept = {}
    for unit, moves in s.moves.items():
        h = pos[unit]
        reach = allowance(s, unit)
        if h != NOBODY and near[h][start] > reach and near[h][end] > reach:
            kept[unit] = moves
    s.moves = kept


def legal_moves(s: State) -> tuple[Answer, ...]:
    """All moves of all ordered units that have not moved yet."""
    found: list[Answer] = []
    pos, acts = s.pos, s.acts
    known = dict(s.moves)
    for unit in s.orders:
        if pos[unit] == NOBODY or acts[unit] & MOVED:
            continue
        moves = known.get(unit)
        if moves is None:
            moves = known[unit] = unit_moves(s, unit)
        found += moves
    s.moves = known
    return tuple(found)


def can_enter_at_all(setup: Setup, unit: int, h: int) -> bool:
    """Whether a hex is no water or wall to the unit; used where units arrive from the sky."""
    board = setup.board
    arm = setup.types[unit].arm
    if board.impassable[h] or arm in board.ground[h].barred:
        return False
    return not any(arm in row.barred for row in board.fixed[h])
