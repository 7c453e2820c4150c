"""Objectives, options and card uses of a battle in the editor's words."""

from __future__ import annotations

from typing import Any

from engine.battle import SIDES, Battle, ObjectiveFacts, Options
from engine.hexes import Grid, grid
from pbem.editor import terms
from pbem.editor.options import BLITZ
from pbem.editor.problems import Findings
from pbem.editor.unit_writer import write_drop

MEDAL_TAGS: dict[str, str] = {"GB": "medal4", "RU": "medal6", "IT": "medal5", "JP": "medal7"}
SIDE_MEDALS: dict[str, str] = {"allies": "medal1", "axis": "medal2"}
MEDAL_FLAGS: dict[str, str] = {
    "permanent": "permanent",
    "majority": "majority",
    "last-to-occupy": "last_to_occupy",
    "sole-control": "sole_control",
}


def place_of(shape: Grid, label: str) -> dict[str, int]:
    """Row and doubled column of a hex, as documents give them."""
    column, row = shape.xy[shape.parse(label)]
    return {"row": row, "col": column}


def write_objectives(
    battle: Battle, hexes: dict[str, dict[str, Any]], info: dict[str, Any], lost: Findings
) -> None:
    """Put the objectives into the tags of their hexes and into the victory conditions."""
    shape = grid(battle.shape)
    for number, row in enumerate(battle.objectives):
        label = row.hexes[0]
        if row.name:
            lost.note("the name of an objective", label)
        if number in battle.victory_needs and row.kind != "exit":
            lost.note("an objective without which its side cannot win", label)
        if row.kind == "sudden-death":
            if row.check != "turn-end":
                lost.note("when sudden death is looked at; it is read as the end of the turn", label)
            if len(row.sides) == 2:
                lost.note("sudden death for both sides; it is written as one for each", label)
            conditions = info.setdefault("victory", {"condition": []})["condition"]
            for side in row.sides:
                facts = {"side": side.upper(), "number": row.need, "group": list(row.hexes)}
                conditions.append({"group_sudden_death": facts})
            continue
        tags = hexes.setdefault(label, place_of(shape, label)).setdefault("tags", [])
        if row.kind == "exit":
            if row.medals != 1:
                lost.note(f"{row.medals} medals for an exit", label)
            if any(_share(row, other) for other in battle.objectives if other is not row):
                lost.note("exits that share hexes; they are read as one", label)
            if len(row.sides) == 2:
                lost.note("an exit for both sides; it is written as one for each", label)
            for side in row.sides:
                marker = {"name": "tag4", "behavior": "EXIT_MARKER", "side": side.upper()}
                tags.append({**marker, "group": list(row.hexes[1:])})
            continue
        tags.append(_write_medal(battle, number, lost))


def _share(row: ObjectiveFacts, other: ObjectiveFacts) -> bool:
    """Whether two exits of one side have a hex in common."""
    return other.kind == "exit" and bool(
        set(row.sides) & set(other.sides) and set(row.hexes) & set(other.hexes)
    )


def _write_medal(battle: Battle, number: int, lost: Findings) -> dict[str, Any]:
    row = battle.objectives[number]
    if row.check == "turn-end":
        lost.note("an objective looked at when the turn ends", row.hexes[0])
    if row.kind != "temporary" and row.kind not in MEDAL_FLAGS:
        lost.note(f"an objective of the kind {row.kind}; it is written as temporary", row.hexes[0])
    if len(row.sides) == 2:
        name = "medal0"
    else:
        nation = battle.sides[SIDES.index(row.sides[0])].nation
        design = MEDAL_TAGS.get(nation, "")
        name = design if terms.MEDALS.get(design) == row.sides else SIDE_MEDALS[row.sides[0]]
    medal: dict[str, Any] = {"permanent": False, "counts_for": row.medals, "nbr_hex": row.need}
    if row.kind in MEDAL_FLAGS:
        medal[MEDAL_FLAGS[row.kind]] = True
    if row.check == "turn-start":
        medal["turn_start"] = True
    return {"name": name, "group": list(row.hexes[1:]), "medal": medal}


def write_options(battle: Battle, lost: Findings) -> dict[str, Any]:
    """The options that say what a battle has beside its board."""
    found: dict[str, Any] = {}
    exits = [row for row in battle.objectives if row.kind == "exit"]
    if exits and all(row.infantry_medals == 2 for row in exits):
        found["infantry_exit_counts_2"] = True
    elif any(row.infantry_medals not in (None, row.medals) for row in exits):
        lost.note("medals for infantry that exits", exits[0].hexes[0])
    for number in battle.victory_needs:
        row = battle.objectives[number]
        alone = [other.sides for other in exits].count(row.sides) == 1 and len(row.sides) == 1
        if row.kind == "exit" and alone and "must_have_unit_exit" not in found:
            found["must_have_unit_exit"] = {"side": row.sides[0].upper(), "min_nbr_units": 1}
        elif row.kind == "exit":
            lost.note("an exit without which its side cannot win", row.hexes[0])
    for name, value in battle.options.items():
        if (name, value) == ("reshuffle", "no"):
            found["deck_reshuffling"] = False
        elif name == "exhausted_winner" and battle.options.get("reshuffle") == "no":
            continue  # said in the words about victory
        elif value != str(Options._field_defaults[name]):
            lost.note(f"the option {name}: {value}")
    if battle.airdrop is not None:
        found["airdrop"] = write_drop(battle, lost)
    _write_card_uses(battle, found, lost)
    return found


def _write_card_uses(battle: Battle, found: dict[str, Any], lost: Findings) -> None:
    for use in battle.card_uses:
        shape = (use.card, use.becomes, use.in_section)
        if shape != ("recon", "air-power", True):
            lost.note(f"{use.card} played as {use.becomes}")
        elif use.side == "allies" and use.dice == 2 and use.while_holding and "hill317" not in found:
            found["hill317"] = list(use.while_holding)
        elif use.side and use.dice is None and not use.while_holding and "air_strikes_rules" not in found:
            found["air_strikes_rules"] = use.side.upper()
        else:
            more = " (Blitz without its rule for armor)" if use == BLITZ else ""
            lost.note(f"{use.card} played as {use.becomes}{more}")
