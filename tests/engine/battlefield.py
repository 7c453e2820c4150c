"""The battles of the library on the table: hands dealt, units put elsewhere where a test needs it."""

from __future__ import annotations

from functools import cache

from engine import Battle, State
from pbem.library import load_battle
from tests.drawing import play
from tests.engine.cardplay import deal, order

HQ = "direct-from-hq"


@cache
def battle_of(name: str) -> Battle:
    """A battle of the library, read once."""
    return load_battle(name)


def field(
    name: str, moved: dict[str, str] | None = None, *, first: str = "", **hands: tuple[str, ...]
) -> State:
    """A battle with its hands dealt, some units put elsewhere, and if wished another side to move first."""
    battle = battle_of(name)
    places = moved or {}
    units = tuple(
        unit._replace(at=places.get(unit.at, unit.at) if unit.at else None) for unit in battle.units
    )
    assert len({unit.at for unit in units if unit.at}) == sum(1 for unit in units if unit.at)
    return deal(battle._replace(units=units, first=first or battle.first), None, **hands)


def ordered(name: str, unit: str, moved: dict[str, str] | None = None, *, side: str) -> State:
    """The moves of one unit, its side being the first to play."""
    s = field(name, moved, first=side, **{side: (HQ,)})
    return order(play(s, f"card {HQ}"), unit)


def fights(name: str, unit: str, moved: dict[str, str] | None = None, *, side: str) -> State:
    """The battles of one unit that has not moved."""
    s = ordered(name, unit, moved, side=side)
    return play(s, "done") if s.phase == "move" else s
