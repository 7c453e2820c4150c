"""The small language of answers given ahead: attack orders and standing orders as people write them.

    attack I5 K5,J5 ground overrun H5 hold     one line of a plan
    retreat all cover away                     how units fall back
    flags G5 always                            which flags a unit ignores
    ambush I5,H5                               which units battle first when they are assaulted

`parse_order` reads what `format_order` writes, and `parse_standing` what `format_standing` writes, as long as
the position stays the same: units are named by the hexes they stand on. docs/orders.md is for people.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.document import nearest, one_of, quoted
from engine.errors import IllegalDecision, NotationError
from engine.hindrance import unit_name
from engine.state import NOBODY, ORDERED, State
from pbem.errors import Refused
from pbem.orders import (
    FLAGS,
    MOST_CRITERIA,
    MOST_NAMED,
    MOST_TARGETS,
    WORDS,
    Criterion,
    Order,
    Preference,
    Route,
    Stand,
    Target,
)

AMBUSHES = ("always", "never")
DEFAULT_ROUTE: Route = ("cover", "away")
SWITCHES = ("ground", "stay", "overrun", "hold", "maybe")
LONGEST = 500  # characters of a line


# Attack orders


class OrderLine(NamedTuple):
    """An attack order as it was typed; `maybe` gives it although nothing can be attacked yet."""

    order: Order
    maybe: bool


def parse_order(state: State, text: str) -> OrderLine:
    """The attack order of a line; raises NotationError or IllegalDecision."""
    line = read_order(state, text)
    _check_order(state, line.order)
    return line


def read_order(state: State, text: str) -> OrderLine:
    """The attack order that a line says, whether the unit could follow it or not."""
    words = _words(text)[1:]
    named = 0
    while named < len(words) and words[named] not in SWITCHES:
        named += 1
    if not 1 <= named <= 2:
        raise NotationError('an attack order is written as in "attack I5 K5,J5 ground overrun H5 hold"')
    targets = _parse_targets(state, words[named - 1])
    unit = _parse_unit(state, words[0]) if named == 2 else _only_attacker(state, targets[0])
    ground, hold, maybe = False, False, False
    overrun: tuple[Target, ...] = ()
    rest = words[named:]
    while rest:
        word = rest.pop(0)
        if word == "overrun":
            if not rest or rest[0] in SWITCHES:
                raise NotationError('targets are expected behind "overrun"')
            overrun, ground = _parse_targets(state, rest.pop(0)), True
        elif word in ("ground", "hold", "maybe"):
            ground, hold, maybe = ground or word == "ground", hold or word == "hold", maybe or word == "maybe"
        elif word != "stay":
            raise NotationError(f"{quoted(word)} has no meaning here{nearest(word, SWITCHES)}")
    if ground and "stay" in words:
        raise NotationError('"stay" does not go with "ground" or "overrun"')
    return OrderLine(Order(unit, targets, ground, overrun, hold), maybe)


def _words(text: str) -> list[str]:
    if len(text) > LONGEST:
        raise NotationError(f"the line is {len(text)} characters long; {LONGEST} are allowed")
    return text.replace(", ", ",").replace(" ,", ",").lower().split()


def _parse_unit(state: State, word: str) -> int:
    """The unit of the active side on a hex."""
    h = state.setup.grid.parse(word)
    unit = state.occupant[h]
    if unit == NOBODY:
        raise IllegalDecision("R31", f"no unit stands at {state.setup.grid.labels[h]}")
    if state.setup.side[unit] != state.side:
        raise IllegalDecision("R31", f"{unit_name(state, unit)} is the enemy's")
    return unit


def _only_attacker(state: State, target: Target) -> int:
    there = state.pos[target] if isinstance(target, int) else state.setup.grid.parse(target)
    units = [state.occupant[a[1]] for a in state.answers if a[0] == "attack" and a[2] == there]
    label = state.setup.grid.labels[there]
    if not units:
        raise NotationError(f'say who attacks {label}, as in "attack I5 {label}"')
    if len(units) > 1:
        places = one_of(state.setup.grid.labels[state.pos[unit]] for unit in units)
        raise NotationError(f"{label} may be attacked from {places}; say by whom")
    return units[0]


def _parse_targets(state: State, words: str) -> tuple[Target, ...]:
    """Enemy units where a hex holds one, hexes where it is marked with @ or holds none."""
    found: list[Target] = []
    for word in words.split(","):
        h = state.setup.grid.parse(word.removeprefix("@"))
        unit = state.occupant[h]
        if word.startswith("@") or unit == NOBODY:
            target: Target = state.setup.grid.labels[h]
        elif state.setup.side[unit] == state.side:
            raise IllegalDecision("R51", f"{unit_name(state, unit)} is no enemy")
        else:
            target = unit
        if target in found:
            raise NotationError(f"{quoted(word)} is named twice")
        found.append(target)
    if len(found) > MOST_TARGETS:
        raise NotationError(f"an attack names at most {MOST_TARGETS} targets")
    return tuple(found)


def _check_order(state: State, order: Order) -> None:
    kind = state.setup.types[order.unit]
    who = unit_name(state, order.unit)
    if not state.acts[order.unit] & ORDERED:
        raise IllegalDecision("R31", f"{who} has no order")
    if order.ground and not kind.takes_ground:
        raise IllegalDecision("R107", f"{who} never takes ground")
    if order.overrun and not kind.overruns:
        raise IllegalDecision("R112", f"{who} cannot overrun; only armor does")


def format_order(state: State, order: Order) -> str:
    """An attack order as a line, units by the hexes they stand on now."""
    parts = ["attack", place_of(state, order.unit), _format_targets(state, order.targets)]
    if order.ground:
        parts.append("ground")
    if order.overrun:
        parts += ["overrun", _format_targets(state, order.overrun)]
    if order.hold:
        parts.append("hold")
    return " ".join(parts)


def place_of(state: State, unit: int) -> str:
    """The hex of a unit by name, or what became of it."""
    h = state.pos[unit]
    return "(gone)" if h == NOBODY else state.setup.grid.labels[h]


def _format_targets(state: State, targets: tuple[Target, ...]) -> str:
    words = []
    for target in targets:
        if isinstance(target, int):
            words.append(place_of(state, target))
        else:
            h = state.setup.grid.parse(target)
            words.append(f"@{target}" if state.occupant[h] != NOBODY else target)
    return ",".join(words)


# Standing orders


class Standing(NamedTuple):
    """What a player wants in the other player's turn; `ambush` is "always", "never" or some units."""

    ambush: str | tuple[int, ...] = "always"
    stand: Stand = Stand(Preference(DEFAULT_ROUTE), {})


def change_standing(state: State, side: int, standing: Standing, text: str) -> Standing:
    """Standing orders after one line; raises NotationError, IllegalDecision or Refused."""
    words = _words(text)
    verb = words[0] if words else ""
    if verb not in CHANGES:
        raise NotationError(f"{quoted(verb)} is no standing order{nearest(verb, CHANGES) or _known()}")
    return CHANGES[verb](state, side, standing, words[1:])


def _known() -> str:
    return f"; expected {one_of(CHANGES)}"


def _change_retreat(state: State, side: int, standing: Standing, words: list[str]) -> Standing:
    if len(words) < 2:
        raise NotationError(
            f'a retreat is written as in "retreat all cover away": {", ".join(WORDS)}, or hexes'
        )
    route = _parse_route(state, words[1:])
    return _change(state, side, standing, words[0], lambda old: old._replace(route=route))


def _parse_route(state: State, words: list[str]) -> Route:
    found: list[Criterion] = []
    if words == ["any"]:
        return ()
    for word in words:
        if word in WORDS:
            if word in found:
                raise NotationError(f"{quoted(word)} is said twice")
            found.append(word)
            continue
        if "," not in word and not any(c.isdigit() for c in word):
            ways = nearest(word, WORDS) or f"; expected {', '.join(WORDS)}, any, or hexes"
            raise NotationError(f"{quoted(word)} is no way to retreat{ways}")
        grid = state.setup.grid
        hexes = tuple(dict.fromkeys(grid.labels[grid.parse(label)] for label in word.split(",")))
        if len(hexes) > MOST_NAMED:
            raise NotationError(f"at most {MOST_NAMED} hexes are named together")
        found.append(hexes)
    if len(found) > MOST_CRITERIA:
        raise NotationError(f"a retreat has at most {MOST_CRITERIA} criteria")
    return tuple(found)


def _change_flags(state: State, side: int, standing: Standing, words: list[str]) -> Standing:
    if len(words) != 2 or words[1] not in FLAGS:
        raise NotationError(f'flags are written as in "flags G5 always": {one_of(FLAGS)}')
    return _change(state, side, standing, words[0], lambda old: old._replace(flags=words[1]))


def _change_ambush(state: State, side: int, standing: Standing, words: list[str]) -> Standing:
    if words in (["always"], ["never"]):
        return standing._replace(ambush=words[0])
    if not words:
        raise NotationError('an ambush is written as in "ambush always", "ambush never" or "ambush G5,H5"')
    return standing._replace(ambush=tuple(sorted(set(own_units(state, side, ",".join(words))))))


def _forget(state: State, side: int, standing: Standing, words: list[str]) -> Standing:
    if not words or words == ["all"]:
        return Standing()
    gone = own_units(state, side, ",".join(words))
    kept = {unit: row for unit, row in standing.stand.units.items() if unit not in gone}
    return standing._replace(stand=standing.stand._replace(units=kept))


def _change(
    state: State, side: int, standing: Standing, who: str, change: Callable[[Preference], Preference]
) -> Standing:
    """Standing orders with the preference of all units, or of some, changed."""
    stand = standing.stand
    if who == "all":
        old, new = stand.general, change(stand.general)
        rows = {unit: _follow(row, old, new) for unit, row in stand.units.items()}
        return standing._replace(stand=Stand(new, rows))
    units = {unit: change(stand.of(unit)) for unit in own_units(state, side, who)}
    return standing._replace(stand=stand._replace(units={**stand.units, **units}))


def _follow(row: Preference, old: Preference, new: Preference) -> Preference:
    """A unit's own preference after that of all units has changed: what was the same stays the same."""
    return Preference(
        new.route if row.route == old.route else row.route, new.flags if row.flags == old.flags else row.flags
    )


def own_units(state: State, side: int, words: str) -> list[int]:
    """The units of a side on some hexes."""
    found = []
    for word in words.split(","):
        h = state.setup.grid.parse(word)
        unit = state.occupant[h]
        if unit == NOBODY or state.setup.side[unit] != side:
            raise Refused(
                f"none of your units stands at {state.setup.grid.labels[h]}",
                hint='"pbem board" shows where they stand',
            )
        found.append(unit)
    return found


CHANGES: dict[str, Callable[[State, int, Standing, list[str]], Standing]] = {
    "retreat": _change_retreat,
    "flags": _change_flags,
    "ambush": _change_ambush,
    "forget": _forget,
}


def format_standing(state: State, standing: Standing) -> list[str]:
    """Standing orders as lines that `change_standing` reads; units off the board are left out."""
    lines = _format_preference("all", standing.stand.general)
    for unit, preference in sorted(standing.stand.units.items()):
        if state.pos[unit] != NOBODY:
            lines += _format_preference(place_of(state, unit), preference)
    if isinstance(standing.ambush, str):
        return [*lines, f"ambush {standing.ambush}"]
    units = [place_of(state, unit) for unit in standing.ambush if state.pos[unit] != NOBODY]
    return [*lines, f"ambush {','.join(units) or 'never'}"]


def _format_preference(who: str, preference: Preference) -> list[str]:
    route = " ".join(item if isinstance(item, str) else ",".join(item) for item in preference.route)
    flags = preference.flags or "if-it-avoids-a-loss"  # what silence means: orders.choose_flags
    return [f"retreat {who} {route or 'any'}", f"flags {who} {flags}"]


def parse_standing(state: State, side: int, lines: list[str]) -> Standing:
    """Standing orders from lines, beginning with the usual ones."""
    standing = Standing()
    for line in lines:
        standing = change_standing(state, side, standing, line)
    return standing
