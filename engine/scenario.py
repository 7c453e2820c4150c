"""A scenario document to the facts of a battle, with errors that name the line and the hex.

`parse_battle` takes the text of one YAML document and gives a `Battle`; it does no I/O and raises nothing
but ScenarioError. How to write a document: docs/scenarios.md. The reading order below is that of the
document: heading, sides, map, what is added to single hexes, units, objectives, special rules, words.
"""

from __future__ import annotations

import re

from engine import document
from engine.battle import (
    CHECKS,
    MAX_HAND,
    OBJECTIVE_KINDS,
    SIDES,
    Airdrop,
    Battle,
    CardUse,
    ObjectiveFacts,
    Options,
    SideFacts,
    UnitFacts,
    parse_options,
)
from engine.cards import CARDS
from engine.document import Node, Text, choice, line_of_text, nearest, number, quoted, yes_or_no
from engine.errors import EngineError
from engine.ground import Ground, read_causeway, read_map, read_owners, read_traits, why_not_stand
from engine.hexes import SHAPES
from engine.units import UNITS

MAX_UNITS = 64
MAX_FIGURES = 12
MAX_MEDALS = 30

FACES: tuple[str, ...] = ("country", "beach", "winter", "desert")
FRONTS: tuple[str, ...] = ("western", "eastern", "mediterranean", "pacific")
EDGES: tuple[str, ...] = ("top", "bottom")
# Which keys a document may have at each place, and whether it must have them.
DOCUMENT: dict[str, bool] = {
    "title": True,
    "date": False,
    "front": False,
    "source": False,
    "board": False,
    "face": False,
    "first": True,
    "sides": True,
    "map": True,
    "owners": False,
    "traits": False,
    "causeway": False,
    "units": True,
    "airdrop": False,
    "objectives": False,
    "card-uses": False,
    "options": False,
    "labels": False,
    "text": False,
    "partial": False,
}
BOTH = dict.fromkeys(SIDES, True)
SIDE = {"nation": False, "edge": True, "cards": True, "medals": True, "growth": False}
AIRDROP = {"side": True, "units": True, "steps": True, "target": False}
OBJECTIVE = {
    "kind": True,
    "side": True,
    "hexes": True,
    "need": False,
    "medals": False,
    "infantry-medals": False,
    "check": False,
    "name": False,
    "to-win": False,
}
CARD_USE = {
    "side": True,
    "card": True,
    "as": True,
    "dice": False,
    "in-section": False,
    "while-holding": False,
}
WORDS = {"history": False, "allies": False, "axis": False, "rules": False}

# Cards by the name people use: "recon" stands for recon-left, recon-center and recon-right.
CARD_NAMES = (*dict.fromkeys(key.removesuffix("-left") for key in CARDS if key.endswith("-left")), *CARDS)

_DATE = re.compile(r"(\d{4})(-\d\d(-\d\d)?)?( to \d{4}-\d\d(-\d\d)?)?", re.ASCII)
# infantry, infantry x3, elite-armor worth 2, special-forces x3 worth 2 (commando)
_GROUP = re.compile(r"([a-z-]+)( x(\d{1,3}))?( worth (\d{1,3}))?( \(([A-Za-z][A-Za-z -]{0,29})\))?", re.ASCII)


def parse_battle(text: str, *, name: str) -> Battle:
    """The battle that a document describes; `name` is its file name, for messages and for the key."""
    top = document.read_document(text, name=name)
    parts = document.keys(top, DOCUMENT, "a scenario")
    shape = choice(parts["board"], "board", SHAPES) if "board" in parts else "standard"
    face = choice(parts["face"], "face", FACES) if "face" in parts else "country"
    ground = read_map(parts["map"], shape, face)
    read_owners(parts.get("owners"), ground)
    read_traits(parts.get("traits"), ground)
    causeway = read_causeway(parts.get("causeway"), ground)
    units, airdrop = _read_units(parts["units"], parts.get("airdrop"), ground)
    objectives, victory_needs = _read_objectives(parts.get("objectives"), ground)
    date, year = _read_date(parts.get("date"))
    return Battle(
        key=re.sub(r"\.ya?ml$", "", re.split(r"[/\\]", name)[-1]),
        title=line_of_text(parts["title"], "title", 80),
        shape=shape,
        face=face,
        sides=_read_sides(parts["sides"]),
        first=choice(parts["first"], "first", SIDES),
        hexes={ground.grid.labels[at]: ground.hexes[at] for at in sorted(ground.hexes)},
        units=units,
        objectives=objectives,
        front=choice(parts["front"], "front", FRONTS) if "front" in parts else "western",
        year=year,
        date=date,
        options=_read_options(parts.get("options")),
        airdrop=airdrop,
        card_uses=_read_card_uses(parts.get("card-uses"), ground),
        causeway=causeway,
        victory_needs=victory_needs,
        text=_read_words(parts.get("text")),
        labels=_read_labels(parts.get("labels"), ground),
        source=line_of_text(parts["source"], "source", 200) if "source" in parts else "",
        partial=_read_sentences(parts.get("partial"), "partial"),
    )


# Heading and sides


def _read_date(node: Node | None) -> tuple[str, int]:
    if node is None:
        return "", 1944
    value = line_of_text(node, "date", 40)
    found = _DATE.fullmatch(value)
    if found is None:
        raise node.error(f"date is {quoted(value)}; write 1944-06-06, or 1944-06-06 to 1944-06-08")
    return value, int(found[1])


def _read_sides(node: Node) -> tuple[SideFacts, SideFacts]:
    rows = document.keys(node, BOTH, "sides")
    allies, axis = (_read_side(side, rows[side]) for side in SIDES)
    if allies.edge == axis.edge:
        raise rows["axis"].error(f"both sides sit at the {axis.edge} edge; one must be top, the other bottom")
    return allies, axis


def _read_side(side: str, node: Node) -> SideFacts:
    row = document.keys(node, SIDE, side)
    cards = number(row["cards"], f"cards of the {side}", 1, MAX_HAND)
    growth: tuple[int, ...] = ()
    if "growth" in row:
        where = f"growth of the {side}"
        growth = tuple(
            number(Text(place.name, place.line, word, False), where, 0, MAX_HAND)
            for word, place in document.words(row["growth"], where)
        )
        if cards + sum(growth) > MAX_HAND:
            raise row["growth"].error(f"{where} makes a hand of more than {MAX_HAND} cards")
    return SideFacts(
        nation=line_of_text(row["nation"], f"nation of the {side}", 30) if "nation" in row else "",
        edge=choice(row["edge"], f"edge of the {side}", EDGES),
        cards=cards,
        medals=number(row["medals"], f"medals of the {side}", 1, MAX_MEDALS),
        growth=growth,
    )


# Units


def _read_units(
    node: Node, drop: Node | None, ground: Ground
) -> tuple[tuple[UnitFacts, ...], Airdrop | None]:
    """Units in the order of their numbers: allies, then axis, a side's airdropped units last."""
    groups = document.keys(node, BOTH, "units")
    row = document.keys(drop, AIRDROP, "airdrop") if drop is not None else {}
    dropped = choice(row["side"], "side of the airdrop", SIDES) if row else ""
    units: list[UnitFacts] = []
    taken: dict[int, UnitFacts] = {}
    airdrop: Airdrop | None = None
    for side in SIDES:
        side_group = document.mapping(groups[side], f"units of the {side}")
        for key, hexes in side_group.entries.items():
            unit = _read_group(key, side_group.keys[key], side)
            for word, place in document.words(hexes, key):
                at = ground.find(word, place)
                placed = _place(unit, at, ground, taken, place)
                taken[at] = placed
                units.append(placed)
        if not any(unit.side == side for unit in units):
            raise groups[side].error(f"the {side} have no unit")
        if dropped == side:
            waiting = _read_dropped(row["units"], side)
            airdrop = Airdrop(
                side=side,
                units=tuple(range(len(units), len(units) + len(waiting))),
                steps=number(row["steps"], "steps of the airdrop", 0, 12),
                target=ground.label(line_of_text(row["target"], "target", 40), row["target"])
                if "target" in row
                else None,
            )
            units.extend(waiting)
    if len(units) > MAX_UNITS:
        raise node.error(f"there are {len(units)} units; {MAX_UNITS} are the most")
    return tuple(units), airdrop


def _read_group(key: str, place: Node, side: str) -> UnitFacts:
    """What a heading such as `infantry x3 worth 2 (commando)` says of each unit below it."""
    found = _GROUP.fullmatch(key)
    if found is None:
        raise place.error(
            f"{quoted(key)} names no unit; write infantry, or infantry x3, or elite-armor worth 2, "
            "or special-forces (ranger)"
        )
    kind = UNITS.get(found[1])
    if kind is None:
        hint = nearest(found[1], UNITS) or f"; the types are {', '.join(UNITS)}"
        raise place.error(f"{quoted(found[1])} is no type of unit{hint}")
    figures = int(found[3]) if found[3] else kind.figures
    medals = int(found[5]) if found[5] else 1
    if not 1 <= figures <= MAX_FIGURES:
        raise place.error(f"{quoted(key)}: a unit has 1 to {MAX_FIGURES} figures")
    if not medals <= MAX_MEDALS:
        raise place.error(f"{quoted(key)}: a unit is worth 0 to {MAX_MEDALS} medals")
    return UnitFacts(side, kind.key, None, figures, medals, found[7] or "")


def _place(unit: UnitFacts, at: int, ground: Ground, taken: dict[int, UnitFacts], place: Node) -> UnitFacts:
    label = ground.grid.labels[at]
    if at in taken:
        raise place.error(
            f"{label} holds two units: {taken[at].side} {taken[at].type}, {unit.side} {unit.type}"
        )
    reason = why_not_stand(ground.facts(at), unit.type)
    if reason:
        raise place.error(f"{label} {reason}")
    return UnitFacts(unit.side, unit.type, label, unit.figures, unit.medals, unit.nation)


def _read_dropped(node: Node, side: str) -> list[UnitFacts]:
    """The units of an airdrop, such as `4 infantry`."""
    value = line_of_text(node, "units of the airdrop", 60)
    count, _, group = value.partition(" ")
    if not (count.isascii() and count.isdecimal() and 1 <= int(count[:4]) <= 16):
        raise node.error(f"units of the airdrop are {quoted(value)}; write 4 infantry, with 1 to 16 units")
    return [_read_group(group, node, side)] * int(count)


# Objectives and special rules


def _read_objectives(node: Node | None, ground: Ground) -> tuple[tuple[ObjectiveFacts, ...], tuple[int, ...]]:
    found: list[ObjectiveFacts] = []
    needed: list[int] = []
    for part in document.items(node, "objectives", 32) if node is not None else ():
        row = document.keys(part, OBJECTIVE, "an objective")
        kind = choice(row["kind"], "kind of the objective", OBJECTIVE_KINDS)
        side = choice(row["side"], "side of the objective", (*SIDES, "both"))
        hexes = ground.labels(row["hexes"], "hexes of the objective")
        if kind == "exit":
            for label in hexes:
                if len(ground.grid.neighbours[ground.grid.parse(label)]) == 6:
                    raise row["hexes"].error(f"{label} is not at the border, so nothing can exit there")
        elif "infantry-medals" in row:
            raise row["infantry-medals"].error("infantry-medals belongs to objectives of the kind exit")
        if "to-win" in row and yes_or_no(row["to-win"], "to-win"):
            needed.append(len(found))
        found.append(
            ObjectiveFacts(
                kind=kind,
                sides=SIDES if side == "both" else (side,),
                hexes=hexes,
                need=number(row["need"], "need", 1, len(hexes)) if "need" in row else 1,
                medals=number(row["medals"], "medals", 1, MAX_MEDALS) if "medals" in row else 1,
                check=choice(row["check"], "check", CHECKS) if "check" in row else "at-once",
                name=line_of_text(row["name"], "name", 80) if "name" in row else "",
                infantry_medals=number(row["infantry-medals"], "infantry-medals", 0, MAX_MEDALS)
                if "infantry-medals" in row
                else None,
            )
        )
    return tuple(found), tuple(needed)


def _read_card_uses(node: Node | None, ground: Ground) -> tuple[CardUse, ...]:
    found: list[CardUse] = []
    for part in document.items(node, "card-uses", 16) if node is not None else ():
        row = document.keys(part, CARD_USE, "a card use")
        side = choice(row["side"], "side of the card use", (*SIDES, "both"))
        found.append(
            CardUse(
                side=None if side == "both" else side,
                card=choice(row["card"], "card", CARD_NAMES),
                becomes=choice(row["as"], "as", CARDS),
                dice=number(row["dice"], "dice", 1, 8) if "dice" in row else None,
                in_section="in-section" in row and yes_or_no(row["in-section"], "in-section"),
                while_holding=ground.labels(row["while-holding"], "while-holding")
                if "while-holding" in row
                else (),
            )
        )
    return tuple(found)


def _read_options(node: Node | None) -> dict[str, str]:
    if node is None:
        return {}
    known = dict.fromkeys(Options._fields, False)
    found: dict[str, str] = {}
    for name, part in document.keys(node, known, "options").items():
        value = line_of_text(part, name, 40)
        try:
            parse_options({name: value})
        except EngineError as problem:
            raise part.error(str(problem)) from None
        found[name] = value
    if found.get("reshuffle") == "no" and not found.get("exhausted_winner"):  # R123
        raise node.error("option reshuffle is no; add exhausted_winner to say who wins when no card is left")
    return found


# Words for people


def _read_words(node: Node | None) -> dict[str, str]:
    """History, a briefing for each side, and the special rules, one on each line."""
    found: dict[str, str] = {}
    for key, part in document.keys(node, WORDS, "text").items() if node is not None else ():
        if key == "rules":
            found[key] = "\n".join(_read_sentences(part, "rules"))
        else:
            found[key] = document.text(part, key)
    return found


def _read_sentences(node: Node | None, where: str) -> tuple[str, ...]:
    if node is None:
        return ()
    return tuple(line_of_text(part, where, document.MAX_TEXT) for part in document.items(node, where))


def _read_labels(node: Node | None, ground: Ground) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    if node is not None:
        group = document.mapping(node, "labels")
        for word, part in group.entries.items():
            label = ground.label(word, group.keys[word])
            if label in found:
                raise group.keys[word].error(f"{label} has two labels")
            found[label] = line_of_text(part, f"label of {label}", 60)
    return tuple(found.items())
