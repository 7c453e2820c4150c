"""An editor document to a Draft: forms made even, names looked up, what is unknown reported.

Nothing here asks what the engine can play. The oddities that are tolerated are listed in docs/import.md.
"""

from __future__ import annotations

import re
from typing import Any

from engine.battle import MAX_HAND
from engine.document import nearest, quoted
from engine.errors import NotationError, ScenarioError
from engine.hexes import Grid, grid
from engine.scenario import MAX_FIGURES, MAX_MEDALS
from pbem.editor import terms, tiles, troops
from pbem.editor.draft import Draft, Medal, Piece, Place, Player, Squad, SuddenDeath, Tag
from pbem.editor.problems import Findings
from pbem.editor.source import code, group, is_on, lines, listing, plain, read_source, whole

MAX_HEXES = 2_000  # entries of `hexagons`; the largest board has 230 hexes
MAX_WORDS = 20_000  # characters of all texts of one kind

_DATE = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?:[ T].*)?", re.ASCII)
_BADGE = re.compile(r"(?:badge)?([0-9]{1,4})", re.IGNORECASE)
_BRIEFING = re.compile(r"Briefing of the (Allies|Axis): (.+)")
_EXHAUSTED = re.compile(r"The (Allies|Axis) win when the command deck runs out\.")
_MEDALS_IN_TEXT = re.compile(r"\b([0-9]{1,2}) (?:victory )?medals\b", re.IGNORECASE)


def read_draft(data: bytes, *, name: str, findings: Findings) -> Draft:
    """The draft of a document; raises ScenarioError when it cannot be a battle at all."""
    top = group(read_source(data, name=name))
    board = group(top.get("board"))
    if not board:
        raise ScenarioError('there is no "board", so this is no scenario-editor document', name=name)
    draft = Draft(
        name=name,
        shape=_lookup(board.get("type"), terms.BOARDS, "type of board", name),
        face=_lookup(board.get("face", "COUNTRY"), terms.FACES, "face of the board", name),
    )
    info = group(top.get("game_info"))
    _read_meta(draft, group(top.get("meta_data")))
    _read_dates(draft, info, findings)
    _read_players(draft, info, findings)
    _read_places(draft, board, findings)
    _read_victory(draft, info, findings)
    draft.options = group(info.get("options")) or group(top.get("options"))
    _read_labels(draft, board, findings)
    _read_words(draft, group(top.get("text")), findings)
    return draft


def _lookup(value: Any, table: dict[str, str], what: str, name: str) -> str:
    found = table.get(code(value))
    if found is None:
        known = ", ".join(table)
        shown = quoted(value) if isinstance(value, str) else "missing"
        raise ScenarioError(f"the {what} is {shown}; the editor knows {known}", name=name)
    return found


# Heading


def _read_meta(draft: Draft, meta: dict[str, Any]) -> None:
    for key in ("scenario_id", "id"):
        number = plain(meta.get(key), 20)
        if number and not draft.number:
            draft.number = number
    draft.base = code(meta.get("status")) == "GAME"


def _read_dates(draft: Draft, info: dict[str, Any], findings: Findings) -> None:
    front = code(info.get("front"))
    draft.front = terms.FRONTS.get(front, "western")
    if front not in terms.FRONTS:
        findings.note(
            "no front is named, so the western one is taken" if not front else _unknown("front", front)
        )
    begin, end = (_DATE.fullmatch(plain(info.get(key), 40)) for key in ("date_begin", "date_end"))
    if begin is None:
        findings.note("there is no date, so the year is taken as 1944")
        return
    draft.year = int(begin[1])
    first, last = (f"{d[1]}-{d[2]}-{d[3]}" if d else "" for d in (begin, end))
    draft.date = f"{first} to {last}" if last > first else first


def _unknown(what: str, word: str) -> str:
    return f"the {what} {quoted(word)} is not in the editor's vocabulary"


def _read_players(draft: Draft, info: dict[str, Any], findings: Findings) -> None:
    sides = [terms.SIDE_CODES.get(code(info.get(f"side_player{n}")), "") for n in (1, 2)]
    if not any(sides):
        sides = ["axis", "allies"]
        findings.note("no side is named for the players, so the Axis is put at the top")
    if not all(sides):
        given = sides[0] or sides[1]
        other = "axis" if given == "allies" else "allies"
        sides = [side or other for side in sides]
    if sides[0] == sides[1]:
        raise ScenarioError(f"both players are the {sides[0]}", name=draft.name)
    for n, side, edge in ((1, sides[0], "top"), (2, sides[1], "bottom")):
        nation = code(info.get(f"country_player{n}"))
        if nation and nation not in troops.NATIONS:
            findings.note(_unknown("nation", nation))
            nation = ""
        draft.players[side] = Player(
            edge,
            nation,
            _number(info.get(f"cards_player{n}"), f"command cards of the {side}", MAX_HAND, draft.name),
            _number(info.get(f"victory_player{n}"), f"medals of the {side}", MAX_MEDALS, draft.name),
        )
    start = {"PLAYER1": sides[0], "PLAYER2": sides[1]}.get(code(info.get("starting")))
    if start is None:
        findings.add("nobody is named as the first player", done=f"the {sides[1]} move first")
    draft.first = start or sides[1]


def _number(value: Any, what: str, high: int, name: str) -> int:
    found = whole(value)
    if found is None or not 1 <= found <= high:
        shown = quoted(str(value)) if isinstance(value, str | int) else "missing"
        raise ScenarioError(f"the {what} are {shown}; a battle has 1 to {high}", name=name)
    return found


# The board


def _read_places(draft: Draft, board: dict[str, Any], findings: Findings) -> None:
    entries = listing(board.get("hexagons"))
    if len(entries) > MAX_HEXES:
        raise ScenarioError(
            f"there are {len(entries):,} hexes; {MAX_HEXES:,} are the most that is read", name=draft.name
        )
    shape = grid(draft.shape)
    found: dict[int, Place] = {}
    for entry in entries:
        parts = group(entry)
        at = _position(parts, shape)
        if at is None:
            where = f"row {_shown(parts.get('row'))}, column {_shown(parts.get('col'))}"
            findings.add(f"{where} is no hex of the {draft.shape} board", done="left out")
        elif at in found:
            findings.add("a hex that is given twice", shape.labels[at], "the second one is left out")
        else:
            found[at] = _read_place(parts, shape.labels[at], at, draft, findings)
    draft.places = dict(sorted(found.items()))


def _shown(value: Any) -> str:
    return plain(value, 12) or "?"


def _position(parts: dict[str, Any], shape: Grid) -> int | None:
    """The hex at a row and a doubled column; None off the board or between two hexes."""
    row, column = whole(parts.get("row")), whole(parts.get("col"))
    return None if row is None or column is None else shape.at.get((column, row))


def _read_place(parts: dict[str, Any], label: str, at: int, draft: Draft, findings: Findings) -> Place:
    place = Place(label, at)
    place.tile = _read_piece(parts.get("terrain"), tiles.TILES, "terrain", label, findings)
    place.obstacle = _read_piece(parts.get("obstacle"), tiles.BLOCKS, "obstacle", label, findings)
    rect = group(parts.get("rect_terrain"))
    ship = tiles.SHIPS_AND_TRAINS.get(plain(rect.get("name"), 40).lower())
    if ship is None:
        place.rect = _read_piece(rect, tiles.RECTS, "piece", label, findings)
    place.unit = _read_unit(parts.get("unit"), label, draft, findings)
    if ship is not None:  # units although they stand among the pieces; the bottom player's
        bottom = next(side for side, player in draft.players.items() if player.edge == "bottom")
        squad = Squad(bottom, ship, troops.CLASSES[ship].figures, name=plain(rect.get("name"), 40))
        if place.unit is None:
            place.unit = squad
        else:
            findings.add(f"a second unit, {squad.troop.words}", label, "left out")
    place.tags = tuple(
        tag for part in listing(parts.get("tags")) if (tag := _read_tag(group(part), label, findings))
    )
    return place


def _read_piece(
    value: Any, table: dict[str, tiles.Tile], what: str, label: str, findings: Findings
) -> Piece | None:
    parts = group({"name": value} if isinstance(value, str) else value)
    if not parts:
        return None
    name = plain(parts.get("name"), 40)
    row = table.get(name.lower())
    if row is None:
        hint = nearest(name, (tile.name for tile in table.values()))
        findings.add(f"{_unknown(what, name)}{hint}", label, "left out")
        return None
    behaviors = tuple(word for key in ("behavior", "behavior2") if (word := code(plain(parts.get(key), 40))))
    return Piece(
        row.name,
        row.ground,
        whole(parts.get("orientation")) or 1,
        behaviors,
        terms.SIDE_CODES.get(code(parts.get("original_owner")), ""),
        group(parts.get("properties")).get("isimpassable"),
    )


def _read_unit(value: Any, label: str, draft: Draft, findings: Findings) -> Squad | None:
    parts = group({"name": value} if isinstance(value, str) else value)
    if not parts:
        return None
    name = plain(parts.get("name"), 40)
    split = troops.split_name(name)
    if split is None:
        findings.add(_unknown("unit", name), label, "left out")
        return None
    part, army = split
    figures = whole(parts.get("nbr_units")) or None
    if figures is not None and figures > MAX_FIGURES:
        findings.add(
            f"a unit of {figures} figures", label, f"its normal number is taken; {MAX_FIGURES} are the most"
        )
        figures = None
    badge = _read_badge(parts.get("badge"), label, findings)
    behavior = code(plain(parts.get("behavior"), 40))
    if behavior and behavior not in troops.UNIT_BEHAVIORS:
        findings.add(_unknown("behavior of a unit", behavior), label, "left out")
        behavior = ""
    kind = troops.class_of(part, badge, figures, behavior, draft.year)
    default = troops.CLASSES[kind].figures
    equipment = _read_equipment(parts.get("equipment"), label, findings)
    side = troops.ARMIES[army][0]
    return Squad(side, kind, figures or default, army, badge, behavior, equipment, name)


def _read_badge(value: Any, label: str, findings: Findings) -> int:
    text = plain(value, 40)
    found = _BADGE.fullmatch(text)
    if found is None and text:
        findings.add(_unknown("badge", text), label, "left out")
    return int(found[1]) if found else 0


def _read_equipment(value: Any, label: str, findings: Findings) -> tuple[str, ...]:
    words = [value] if isinstance(value, str) else listing(value)
    if isinstance(value, dict) and words == [value]:  # {"motorized": true}
        words = [key for key, part in value.items() if is_on(part)]
    found = []
    for word in words:
        name = plain(word if isinstance(word, str) else group(word).get("name"), 40)
        if name.lower() in troops.EQUIPMENT:
            found.append(name.lower())
        elif name:
            findings.add(_unknown("equipment", name), label, "left out")
    return tuple(found)


def _read_tag(parts: dict[str, Any], label: str, findings: Findings) -> Tag | None:
    name, behavior = plain(parts.get("name"), 40).lower(), code(plain(parts.get("behavior"), 40))
    if name not in terms.MEDALS and name not in terms.TAGS:
        if parts:
            findings.add(_unknown("tag", name), label, "left out")
        return None
    if behavior and behavior not in terms.TAG_BEHAVIORS:
        findings.add(_unknown("behavior of a tag", behavior), label, "left out")
        behavior = ""
    medal = group(parts.get("medal"))
    counts, needed = whole(medal.get("counts_for")), whole(medal.get("nbr_hex"))
    return Tag(
        name,
        behavior,
        terms.SIDE_CODES.get(code(parts.get("side")), ""),
        tuple(plain(word, 8) for word in listing(parts.get("group"))),
        Medal(
            1 if counts is None else counts,
            is_on(medal.get("permanent")),
            needed or 1,
            is_on(medal.get("majority")),
            is_on(medal.get("turn_start")),
            is_on(medal.get("last_to_occupy")),
            is_on(medal.get("sole_control")),
            is_on(medal.get("any_hex")),
            terms.SIDE_CODES.get(code(medal.get("side")), ""),
        ),
    )


def _read_victory(draft: Draft, info: dict[str, Any], findings: Findings) -> None:
    for entry in listing(group(info.get("victory")).get("condition")):
        for key, value in group(entry).items():
            parts = group(value)
            side = terms.SIDE_CODES.get(code(parts.get("side")), "")
            hexes = tuple(plain(word, 8) for word in listing(parts.get("group")))
            if key == "group_sudden_death" and side and hexes:
                draft.sudden.append(SuddenDeath(side, whole(parts.get("number")) or 1, hexes))
            elif key != "standard":
                findings.add(_unknown("victory condition", plain(key, 40)), done="left out")


# Words


def _read_labels(draft: Draft, board: dict[str, Any], findings: Findings) -> None:
    shape = grid(draft.shape)
    for entry in listing(board.get("labels")):
        parts = group(entry)
        text = parts.get("text")
        words = " ".join(plain(line, 60) for line in ([text] if isinstance(text, str) else listing(text)))
        words = plain(words, 60)
        at = _position(parts, shape)
        if at is None:
            if words:
                findings.note(f"the label {quoted(words)} lies off the board and is left out")
        elif words:
            label = shape.labels[at]
            draft.labels[label] = plain(f"{draft.labels.get(label, '')} {words}", 60)
    draft.labels = {label: draft.labels[label] for label in shape.labels if label in draft.labels}


def _read_words(draft: Draft, text: dict[str, Any], findings: Findings) -> None:
    language = next((word for word in (*terms.LANGUAGES, *text) if group(text.get(word)).get("name")), "en")
    if language != "en":
        findings.note(f"there is no English text, so that in {quoted(language)} is taken")
    words = group(text.get(language))
    draft.title = draft.heading = plain(words.get("name"), 80)
    subtitle = plain(words.get("subtitle"), 60)
    if subtitle and subtitle.lower() not in draft.title.lower() and len(draft.title) + len(subtitle) < 77:
        draft.heading = f"{draft.title} ({subtitle})"
    draft.history = lines(words.get("historical"), MAX_WORDS)
    draft.rules = lines(words.get("rules"), MAX_WORDS)
    if draft.rules:
        findings.note("the special rules in words are kept as text; only what this summary names is enforced")
    for line in lines(words.get("description"), MAX_WORDS):
        found = _BRIEFING.fullmatch(line)
        if found:
            draft.briefings[found[1].lower()] = found[2]
        else:
            draft.rules.append(line)
    victory = lines(words.get("victory"), MAX_WORDS)
    for line in victory:
        found = _EXHAUSTED.fullmatch(line)
        if found:
            draft.exhausted_winner = found[1].lower()
        else:
            draft.rules.append(f"Victory: {line}")
    numbers = {int(number) for line in victory for number in _MEDALS_IN_TEXT.findall(line)}
    needed = {player.medals for player in draft.players.values()}
    if numbers - needed:
        findings.note(
            f"the text speaks of {' and '.join(map(str, sorted(numbers)))} medals, "
            f"the numbers say {' and '.join(map(str, sorted(needed)))}"
        )


def known_labels(words: tuple[str, ...], shape: Grid) -> tuple[list[str], list[str]]:
    """Labels in their one spelling, each once, and the words that are no hexes of the board."""
    found: dict[str, None] = {}
    wrong: list[str] = []
    for word in words:
        try:
            found[shape.labels[shape.parse(word)]] = None
        except NotationError:
            wrong.append(word)
    return list(found), wrong
