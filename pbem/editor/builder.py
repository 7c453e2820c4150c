"""A Draft to a battle: what the engine's tables can play, and a precise list of what they cannot.

The battle that comes out has been written as a scenario document and read back by the engine's own loader,
so it can be played, or is refused in one sentence.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from engine.battle import SIDES, Battle, HexFacts, SideFacts, UnitFacts
from engine.cards import DECKS
from engine.document import MAX_TEXT
from engine.errors import ScenarioError
from engine.ground import why_not_stand
from engine.hexes import grid
from engine.scenario import parse_battle
from engine.units import UNITS
from pbem.editor import terms, troops
from pbem.editor.draft import Draft, Place, Squad
from pbem.editor.ground import build_ground
from pbem.editor.objectives import build_objectives
from pbem.editor.options import apply_options
from pbem.editor.problems import Findings, Problem, sentences
from pbem.editor.reader import read_draft
from pbem.editor.source import shorten
from pbem.scenario_writer import format_battle, unit_heading

MAX_LINES = 64  # of the special rules, as many as a scenario takes
MAX_WORDS = 20_000  # characters of the special rules
RESERVED = re.compile(r"con|prn|aux|nul|com[0-9]|lpt[0-9]")  # names that one file system keeps to itself


@dataclass(frozen=True, slots=True)
class Imported:
    """An imported battle; `problems` that block are also listed in `battle.partial`."""

    battle: Battle
    text: str  # the scenario document to be written
    problems: tuple[Problem, ...]

    @property
    def is_whole(self) -> bool:
        """Whether everything in the document can be played."""
        return not any(problem.blocking for problem in self.problems)


def import_document(data: bytes, *, name: str) -> Imported:
    """The battle of an editor document; raises ScenarioError when there is none in it.

    What cannot be played is in `problems`; whether a partial battle will do is for the caller to decide.
    """
    findings = Findings()
    draft = read_draft(data, name=name, findings=findings)
    battle = build_battle(draft, findings)
    problems = findings.problems()
    battle = battle._replace(partial=sentences(problems))
    text = format_battle(battle)
    try:
        battle = parse_battle(text, name=f"{battle.key}.yaml")
    except ScenarioError as refusal:
        reason = str(refusal).partition(": ")[2]
        raise ScenarioError(f"no battle can be made of this: {reason}", name=name) from None
    return Imported(battle, text, problems)


def file_key(title: str, *, other: str) -> str:
    """A file name made of a title: plain small letters, digits and hyphens; `other` when none is left."""
    for words in (title, other, "battle"):
        plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
        key = "-".join(re.findall(r"[a-z0-9]+", plain.replace("'", "")))[:60].strip("-")
        if key:
            return f"{key}-battle" if RESERVED.fullmatch(key) else key
    raise AssertionError("the last word is plain")


def build_battle(draft: Draft, findings: Findings) -> Battle:
    """The battle of a draft, not yet checked by the loader."""
    deck = terms.BOARD_DECKS.get(draft.shape)
    if deck is not None and deck not in DECKS:
        findings.add(
            f"the command rules of the {draft.shape} board", done="two players with one hand each (V23, V24)"
        )
    hexes, causeway = build_ground(draft, findings)
    units = _build_units(draft, hexes, findings)
    for side in SIDES:
        if not any(unit.side == side for unit in units):
            raise ScenarioError(f"the {side} have no unit that can be played", name=draft.name)
    stem = re.split(r"[/\\]", draft.name)[-1].partition(".")[0]
    battle = Battle(
        key=file_key(draft.title, other=stem),
        title=draft.heading or "Untitled battle",
        shape=draft.shape,
        face=draft.face,
        sides=(_side(draft, "allies"), _side(draft, "axis")),
        first=draft.first,
        hexes=hexes,
        units=tuple(units),
        objectives=build_objectives(draft, findings),
        front=draft.front,
        year=draft.year,
        date=draft.date,
        causeway=causeway,
        text=_words(draft, findings),
        labels=tuple(draft.labels.items()),
        source=_source(draft),
    )
    return apply_options(battle, draft, findings)


def _side(draft: Draft, side: str) -> SideFacts:
    player = draft.players[side]
    return SideFacts(player.nation, player.edge, player.cards, player.medals)


def _source(draft: Draft) -> str:
    if draft.base:
        return "base game"
    return f"scenario-editor document {draft.number}" if draft.number else "scenario-editor document"


# Units


def _build_units(draft: Draft, hexes: dict[str, HexFacts], findings: Findings) -> list[UnitFacts]:
    """The units in the order of a tidy document: by side, type and heading, then in reading order."""
    found = [
        unit
        for place in draft.places.values()
        if place.unit is not None and (unit := _build_unit(place, place.unit, draft, hexes, findings))
    ]
    types = list(UNITS)
    shape = grid(draft.shape)
    return sorted(
        found,
        key=lambda unit: (
            SIDES.index(unit.side),
            types.index(unit.type),
            unit_heading(unit),
            shape.parse(unit.at or ""),
        ),
    )


def _build_unit(
    place: Place, squad: Squad, draft: Draft, hexes: dict[str, HexFacts], findings: Findings
) -> UnitFacts | None:
    words = f"{squad.side} {squad.troop.words}"
    stand_in = squad.troop.stand_in
    own = troops.playable_type(squad.kind)
    key = own or stand_in
    if not key:
        findings.add(words, place.label, "left out")
        return None
    reason = why_not_stand(hexes.get(place.label, HexFacts()), key)
    if reason:
        findings.add(f"{words} on a hex that {reason}", place.label, "left out")
        return None
    if own is None:
        findings.add(words, place.label, f"read as {stand_in}")
    for said in (troops.UNIT_BEHAVIORS.get(squad.behavior, ""), *map(troops.EQUIPMENT.get, squad.equipment)):
        if said:
            findings.add(said, place.label, "plays without it")
    worth = 2 if squad.behavior == "GERMAN_2VICTANK" else 1
    return UnitFacts(squad.side, key, place.label, squad.figures, worth, unit_word(squad, draft))


def unit_word(squad: Squad, draft: Draft) -> str:
    """The word for pictures: of the badge, else of figures that are not the nation's own."""
    badge = troops.BADGES.get(squad.badge)
    if badge is not None and badge.word and not _is_elite_mark(squad):
        return badge.word
    nation = draft.players[squad.side].nation
    usual = troops.NATION_ARMY.get(nation, troops.SIDE_ARMY[squad.side])
    return "" if squad.army in ("", usual) else troops.ARMIES[squad.army][1]


def _is_elite_mark(squad: Squad) -> bool:
    """Whether a badge says only what the class says already, as on elite armor and the Resistance."""
    if squad.kind == "resistance":
        return squad.badge == 3
    return squad.kind in ("armor", "elite_armor") and squad.badge in (1, 2, 4)


# Words


def _words(draft: Draft, findings: Findings) -> dict[str, str]:
    found: dict[str, str] = {}
    history = "\n".join(draft.history)
    if history:
        found["history"] = shorten(history, MAX_TEXT)
    for side in SIDES:
        if side in draft.briefings:
            found[side] = shorten(draft.briefings[side], MAX_TEXT)
    rules = _rules(draft.rules)
    if rules:
        found["rules"] = "\n".join(rules)
    if len(history) > MAX_TEXT or sum(map(len, draft.rules)) > MAX_WORDS:
        findings.note("the texts of the document are too long and have been cut")
    return found


def _rules(rules: list[str]) -> list[str]:
    """The special rules as a scenario has room for them; many short lines are joined."""
    kept: list[str] = []
    room = MAX_WORDS
    for line in rules:
        if len(line) > room:
            break
        kept.append(shorten(line, MAX_TEXT // 2))
        room -= len(line)
    step = -(-len(kept) // MAX_LINES)
    if step <= 1:
        return kept
    return [shorten(" ".join(kept[at : at + step]), MAX_TEXT) for at in range(0, len(kept), step)]
