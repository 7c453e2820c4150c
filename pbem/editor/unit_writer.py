"""Units and airdrops of a battle in the editor's words."""

from __future__ import annotations

from typing import Any

from engine.battle import SIDES, Battle, UnitFacts
from pbem.editor import troops
from pbem.editor.builder import unit_word
from pbem.editor.draft import Draft, Player, Squad
from pbem.editor.problems import Findings

# Words of our own battles that stand for a badge with another word.
WORD_BADGES: dict[str, int] = {**troops.BADGE_OF_WORD, "panzer-grenadier": 4}
PARTS: dict[str, str] = {kind: part for part, kind in troops.NAME_CLASSES.items()}


def write_unit(unit: UnitFacts, battle: Battle, lost: Findings) -> dict[str, Any] | None:
    """The unit of a hex, or None when the editor has no such type."""
    label = unit.at or ""
    army = _army(unit, battle)
    kind, part, badge = _name_and_badge(unit, battle)
    if kind is None:
        lost.note(f"{unit.side} {unit.type}, a type the editor does not know", label)
        return None
    found: dict[str, Any] = {"name": f"{part}{army}"}
    if unit.figures != troops.CLASSES[kind].figures:
        found["nbr_units"] = unit.figures
    behavior = "FRENCH_RESISTANCE" if kind == "resistance" else ""
    if unit.medals == 2 and not (kind == "resistance" and badge):
        behavior, badge = "GERMAN_2VICTANK", 3 if kind == "resistance" else badge
    elif unit.medals != 1:
        lost.note(f"a unit worth {unit.medals} medals", label)
    if kind == "tiger":
        found["nbr_units"] = unit.figures
    if badge:
        found["badge"] = f"badge{badge}"
    if behavior:
        found["behavior"] = behavior
    _compare(unit, kind, part, army, badge, behavior, battle, lost)
    return found


def _army(unit: UnitFacts, battle: Battle) -> str:
    """The figures of a unit: those its word names, else those of its nation."""
    for army, (side, word) in troops.ARMIES.items():
        if word == unit.nation and side == unit.side:
            return army
    nation = battle.sides[SIDES.index(unit.side)].nation
    army = troops.NATION_ARMY.get(nation, "")
    return army if army and troops.ARMIES[army][0] == unit.side else troops.SIDE_ARMY[unit.side]


def _name_and_badge(unit: UnitFacts, battle: Battle) -> tuple[str | None, str, int]:
    """The class, the first part of the name and the badge of a unit."""
    kind = next((key for key, row in troops.CLASSES.items() if unit.type == troops.playable_type(key)), None)
    if kind is None:
        return None, "", 0
    if kind == "resistance":
        return kind, "inf2", 0
    if kind == "tiger":
        return kind, "tank2", 0
    if kind in PARTS:
        badge = WORD_BADGES.get(unit.nation, 0)
        keeps = troops.class_of(PARTS[kind], badge, None, "", battle.year) == kind
        return kind, PARTS[kind], badge if keeps else 0
    for number, row in troops.BADGES.items():
        for part, by_badge in (("inf", row.infantry), ("tank", row.armor), ("gun", row.artillery)):
            if by_badge and troops.class_of(part, number, None, "", battle.year) == kind:
                return kind, part, number
    return None, "", 0


def _compare(
    unit: UnitFacts,
    kind: str,
    part: str,
    army: str,
    badge: int,
    behavior: str,
    battle: Battle,
    lost: Findings,
) -> None:
    """Report where the words of the editor will be read as another type or picture."""
    label = unit.at or ""
    given = unit.figures if unit.figures != troops.CLASSES[kind].figures or kind == "tiger" else None
    read = troops.class_of(part, badge, given, behavior, battle.year)
    if read != kind:
        lost.note(f"{unit.type} of {unit.figures} figures; it is read as {troops.CLASSES[read].words}", label)
    players = {side: _player(battle, n) for n, side in enumerate(SIDES)}
    draft = Draft("", battle.shape, battle.face, players=players)
    squad = Squad(unit.side, read, unit.figures, army, badge, behavior)
    word = unit_word(squad, draft)
    if word != unit.nation:
        said = f'; it is read as "{word}"' if word else ""
        lost.note(f'the word "{unit.nation}" of a unit{said}', label)


def _player(battle: Battle, number: int) -> Player:
    facts = battle.sides[number]
    nation = facts.nation if facts.nation in troops.NATIONS else ""
    return Player(facts.edge, nation, facts.cards, facts.medals)


def write_drop(battle: Battle, lost: Findings) -> dict[str, Any]:
    """The airdrop of a battle as an option."""
    drop = battle.airdrop
    assert drop is not None
    unit = battle.units[drop.units[0]]
    found = write_unit(unit, battle, lost) or {}
    if {"badge", "behavior"} & set(found) and found.get("behavior") != "FRENCH_RESISTANCE":
        lost.note("the badge or worth of airdropped units")
        found = {key: value for key, value in found.items() if key not in ("badge", "behavior")}
    return {
        "side": drop.side.upper(),
        "unit": found,
        "nbr_units": len(drop.units),
        "nbr_drops": 1,
        "range": drop.steps,
        "center": drop.target or "",
    }
