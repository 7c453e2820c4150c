"""Flags, routes of retreat and what they cost (rules R92-R104, U9-U11)."""

from __future__ import annotations

from engine.answers import Answer
from engine.state import NOBODY, State
from engine.victory import lose_figures, settle, tempting_hexes


def routes(s: State, unit: int, flags: int) -> tuple[tuple[Answer, ...], int]:
    """The legal routes of a unit that must obey some flags, and the figures they cost.

    Routes are listed by their consequences, as moves are: one for every last hex, and a further one only
    where other medal hexes are crossed. A unit that cannot make a step has the route of its own hex alone.
    """
    setup = s.setup
    side = setup.side[unit]
    steps = setup.board.retreats[side][setup.arm[unit]]
    occupant = s.occupant
    start = s.pos[unit]
    tempting = tempting_hexes(s, side) if setup.instant else {}
    most = flags * setup.types[unit].flag_steps
    layer: list[tuple[Answer, int]] = [(("retreat", start), 0)]
    layers = [layer]
    while len(layers) <= most:
        seen = set()
        following: list[tuple[Answer, int]] = []
        for path, crossed in layer:
            for n in steps[path[-1]]:
                if occupant[n] != NOBODY:
                    continue  # R94
                mask = crossed | tempting.get(n, 0)
                if (n, mask) not in seen:
                    seen.add((n, mask))
                    following.append(((*path, n), mask))
        if not following:
            break
        layers.append(following)
        layer = following
    done = len(layers) - 1  # the longest retreat that is possible
    if done <= flags:  # R98, R99: the greatest number of steps, figures for the rest (R97)
        return tuple(path for path, _ in layers[done]), flags - done
    return tuple(path for length in layers[flags:] for path, _ in length), 0  # R104, U9


def fall_back(s: State, unit: int, route: Answer, losses: int) -> bool:
    """Carry out a retreat; True if the unit has left its hex, dead or alive."""
    before = s.setup.options.retreat_losses == "before"
    start = s.pos[unit]
    if losses and before and lose_figures(s, unit, losses, "blocked-retreat"):  # X14
        return True
    path = route[1:]
    if len(path) > 1:
        s.moves = {}
        s.log.append(("retreated", unit, path))
        for h in path[1:]:
            s.shift(unit, h)
            if s.setup.instant and settle(s):
                return True
    if losses and not before:
        lose_figures(s, unit, losses, "blocked-retreat")
    return s.pos[unit] != start
