"""A battle as a readable scenario document: the inverse of engine.scenario.parse_battle.

The result looks like the files in scenarios/base: a drawn map, units by type, one line for each objective.
Reading it again gives an equal battle.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable

import yaml

from engine.battle import SIDES, Battle, CardUse, HexFacts, ObjectiveFacts, SideFacts, UnitFacts
from engine.hexes import grid
from engine.terrain import FEATURES, TERRAINS, TRAITS
from engine.units import UNITS

WIDTH = 104  # of a line of prose

# Texts that mean themselves in YAML, also between braces; all others are quoted.
_SAFE = re.compile(r"[^\W_](?:[\w .()/’–'-]*[\w.)])?")
# The same where no braces are about.
_SENTENCE = re.compile(r"[^\W_](?:[\w .,;?!()/’–'-]*[\w.?!)])?")


def format_battle(battle: Battle) -> str:
    """The document of a battle; `parse_battle` of it gives the battle back."""
    parts = [
        _heading(battle),
        _sides(battle),
        _map(battle),
        _owners(battle),
        _traits(battle),
        f"causeway: {' '.join(battle.causeway)}\n" if battle.causeway else "",
        _units(battle),
        _airdrop(battle),
        _list("objectives", [_objective(battle, n) for n in range(len(battle.objectives))]),
        _list("card-uses", [_card_use(use) for use in battle.card_uses]),
        _pairs("options", battle.options.items()),
        _pairs("labels", battle.labels),
        _text(battle),
        _sentences("partial", battle.partial, ""),
    ]
    return "\n".join(part for part in parts if part)


def _heading(battle: Battle) -> str:
    rows = {
        "title": battle.title,
        "date": battle.date,
        "front": "" if battle.front == "western" else battle.front,
        "source": battle.source,
        "board": battle.shape,
        "face": battle.face,
        "first": battle.first,
    }
    return "".join(f"{key}: {_scalar(value)}\n" for key, value in rows.items() if value)


def _sides(battle: Battle) -> str:
    rows = [_side(side, facts) for side, facts in zip(SIDES, battle.sides, strict=True)]
    return "sides:\n" + "".join(rows)


def _side(side: str, facts: SideFacts) -> str:
    parts = {
        "nation": _scalar(facts.nation) if facts.nation else "",
        "edge": facts.edge,
        "cards": str(facts.cards),
        "medals": str(facts.medals),
        "growth": " ".join(map(str, facts.growth)),
    }
    row = _flow(parts).replace("edge: top, ", "edge: top,    ")  # as wide as bottom
    return f"  {side + ':':7} {row}\n"


def _flow(parts: dict[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {value}" for key, value in parts.items() if value) + "}"


# The ground


def _map(battle: Battle) -> str:
    """The drawing: four characters for each cell, short rows shifted by two."""
    board = grid(battle.shape)
    cells = [_cell(battle.hexes.get(label, HexFacts())) for label in board.labels]
    ruler = "   ".join(label[0] for label in board.labels[: board.columns])
    margin = len(str(board.rows))
    rows = [f"  {'#':{margin}}  {ruler}"]
    for y in range(board.rows):
        drawn = [cells[at] for at in range(board.size) if board.row(at) == y]
        line = "".join(f"{cell:4}" if len(cell) < 4 else f"{cell} " for cell in drawn).rstrip()
        rows.append(f"  {board.rows - y:<{margin}}  {'  ' * (y % 2)}{line}")
    return "map: |\n" + "".join(f"{row}\n" for row in rows)


def _cell(facts: HexFacts) -> str:
    return TERRAINS[facts.terrain].glyph + "".join(FEATURES[key].glyph for key, _ in facts.features)


def _owners(battle: Battle) -> str:
    lines = []
    for feature in (key for key, row in FEATURES.items() if row.owned):
        owner_at = {
            label: dict(facts.features)[feature]
            for label, facts in battle.hexes.items()
            if feature in dict(facts.features)
        }
        owners = set(owner_at.values())
        if len(owners) == 1 and None not in owners:
            lines.append(f"  {feature}: {owners.pop()}\n")
        elif owners - {None}:
            groups = {side: " ".join(at for at, owner in owner_at.items() if owner == side) for side in SIDES}
            lines.append(f"  {feature}: {_flow(groups)}\n")
    return "owners:\n" + "".join(lines) if lines else ""


def _traits(battle: Battle) -> str:
    rows = {
        f"{trait}:": _every([label for label, facts in battle.hexes.items() if trait in facts.traits], battle)
        for trait in TRAITS
    }
    rows = {trait: hexes for trait, hexes in rows.items() if hexes}
    width = max(map(len, rows), default=0)
    return "traits:\n" + "".join(f"  {key:{width}} {hexes}\n" for key, hexes in rows.items()) if rows else ""


def _every(labels: list[str], battle: Battle) -> str:
    """Hexes one by one, or `every river` when they are just all of a terrain."""
    kinds = {battle.hexes[label].terrain for label in labels}
    if len(labels) > 3 and len(kinds) == 1 and kinds != {"open"}:
        kind = kinds.pop()
        if labels == [label for label, facts in battle.hexes.items() if facts.terrain == kind]:
            return f"every {kind}"
    return " ".join(labels)


# Units, objectives, special rules


def unit_heading(unit: UnitFacts) -> str:
    """The heading a unit is listed under, such as `special-forces x3 worth 2 (ranger)`."""
    figures = f" x{unit.figures}" if unit.figures != UNITS[unit.type].figures else ""
    worth = f" worth {unit.medals}" if unit.medals != 1 else ""
    return f"{unit.type}{figures}{worth}{f' ({unit.nation})' if unit.nation else ''}"


def _units(battle: Battle) -> str:
    lines = ["units:\n"]
    for side in SIDES:
        groups: dict[str, list[str]] = {}
        for unit in battle.units:
            if unit.side == side and unit.at is not None:
                groups.setdefault(unit_heading(unit), []).append(unit.at)
        width = max(map(len, groups), default=0) + 1
        lines.append(f"  {side}:\n")
        lines += [f"    {key + ':':{width}} {' '.join(hexes)}\n" for key, hexes in groups.items()]
    return "".join(lines)


def _airdrop(battle: Battle) -> str:
    drop = battle.airdrop
    if drop is None:
        return ""
    unit = battle.units[drop.units[0]]
    parts = {
        "side": drop.side,
        "units": f"{len(drop.units)} {unit_heading(unit)}",
        "steps": str(drop.steps),
        "target": drop.target or "",
    }
    return f"airdrop: {_flow(parts)}\n"


def _objective(battle: Battle, number: int) -> str:
    facts: ObjectiveFacts = battle.objectives[number]
    infantry = facts.infantry_medals
    return _flow(
        {
            "kind": facts.kind,
            "side": "both" if len(facts.sides) == 2 else facts.sides[0],
            "hexes": " ".join(facts.hexes),
            "need": str(facts.need) if facts.need != 1 else "",
            "medals": str(facts.medals) if facts.medals != 1 else "",
            "infantry-medals": str(infantry) if infantry is not None else "",
            "check": facts.check if facts.check != "at-once" else "",
            "name": _scalar(facts.name) if facts.name else "",
            "to-win": "yes" if number in battle.victory_needs else "",
        }
    )


def _card_use(use: CardUse) -> str:
    return _flow(
        {
            "side": use.side or "both",
            "card": use.card,
            "as": use.becomes,
            "dice": str(use.dice) if use.dice is not None else "",
            "in-section": "yes" if use.in_section else "",
            "while-holding": " ".join(use.while_holding),
        }
    )


# Words


def _text(battle: Battle) -> str:
    lines = []
    for key in ("history", *SIDES):
        if key in battle.text:
            lines.append(f"  {key}: {_prose(battle.text[key], '    ')}\n")
    if battle.text.get("rules"):
        lines.append(_sentences("rules", battle.text["rules"].split("\n"), "  "))
    return "text:\n" + "".join(lines) if lines else ""


def _sentences(key: str, sentences: Iterable[str], indent: str) -> str:
    rows = [f"{indent}  - {_sentence(words, indent + '    ')}\n" for words in sentences]
    return f"{indent}{key}:\n{''.join(rows)}" if rows else ""


def _list(key: str, rows: list[str]) -> str:
    return f"{key}:\n" + "".join(f"  - {row}\n" for row in rows) if rows else ""


def _pairs(key: str, pairs: Iterable[tuple[str, str]]) -> str:
    rows = [f"  {name}: {_scalar(value)}\n" for name, value in pairs]
    return f"{key}:\n{''.join(rows)}" if rows else ""


def _scalar(value: str) -> str:
    """A text on one line, quoted where YAML would read it differently."""
    return value if _SAFE.fullmatch(value) else json.dumps(value, ensure_ascii=False)


def _sentence(value: str, indent: str) -> str:
    if len(value) <= WIDTH - len(indent) and _SENTENCE.fullmatch(value):
        return value
    return _prose(value, indent)


def _prose(value: str, indent: str) -> str:
    """A text as a folded block, or quoted on one line when folding would change it."""
    width = WIDTH - len(indent)
    paragraphs = [textwrap.wrap(part, width, break_on_hyphens=False) for part in value.split("\n")]
    # Within a folded block one line end is a blank, two are one line end.
    body = "\n\n".join("\n".join(indent + line for line in part) for part in paragraphs)
    block = f">-\n{body}"
    try:
        same = yaml.safe_load(f"- {block}\n") == [value]
    except yaml.YAMLError:
        same = False
    return block if same else json.dumps(value, ensure_ascii=False)
