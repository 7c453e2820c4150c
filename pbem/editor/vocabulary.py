"""The whole vocabulary of the editor with what each word becomes here, for docs/import.md.

`python -m pbem.editor.vocabulary docs/import.md` writes the tables of that page anew; a test compares them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from engine.terrain import FEATURES
from pbem.editor import terms, tiles, troops
from pbem.editor.tiles import Ground, instead_of, playable_key


class Entry(NamedTuple):
    """One row of the tables: the editor's words, what they are, how they are played."""

    names: tuple[str, ...]
    words: str
    plays: str  # what it is here, or "" while it cannot be played
    instead: str  # what a partial scenario has instead


def _grounds(rows: Iterable[Ground]) -> list[Entry]:
    found = []
    for row in rows:
        key = playable_key(row)
        found.append(Entry(tuple(row.tiles.split()), row.words, key or "", "" if key else instead_of(row)))
    return found


def terrain_entries() -> list[Entry]:
    """Hexagonal tiles by kind."""
    return _grounds(tiles.GROUNDS)


def piece_entries() -> list[Entry]:
    """Rectangular pieces and obstacles, ships and trains among them."""
    units = [_troop((name,), kind) for name, kind in tiles.SHIPS_AND_TRAINS.items()]
    return [*_grounds(tiles.PIECES), *units, *_grounds(tiles.OBSTACLES)]


def behavior_entries() -> list[Entry]:
    """Behaviours of tiles, pieces, obstacles, units and tags."""
    without = "plays without it"
    found = _grounds(tiles.VARIANTS)
    found += [Entry((name,), " and ".join(has), "yes", "") for name, has in tiles.TRAIT_BEHAVIORS.items()]
    found += [Entry((name,), f"a normal {kind}", kind, "") for name, kind in tiles.PLAIN_BEHAVIORS.items()]
    found += [Entry((name,), words, "", without) for name, words in tiles.RULE_BEHAVIORS.items()]
    found += _grounds([tiles.SEA_WALL])
    for name, words in tiles.PIECE_BEHAVIORS.items():
        bridge = name == "BRIDGE_SECTION"
        found.append(Entry((name,), words, "causeway" if bridge else "", "" if bridge else without))
    plays = {"FRENCH_RESISTANCE": "resistance", "GERMAN_2VICTANK": "worth 2"}
    for name, words in troops.UNIT_BEHAVIORS.items():
        said = words or {"resistance": "French Resistance"}.get(plays[name], "a unit worth 2 medals")
        found.append(Entry((name,), said, plays.get(name, ""), "" if name in plays else without))
    for name, words in terms.TAG_BEHAVIORS.items():
        key = _tag_plays("tag4" if name == "EXIT_MARKER" else "tag3" if name == "MINE_FIELD" else "")
        found.append(Entry((name,), words, key, "" if key else "left out"))
    found += [Entry((name,), words, "", without) for name, words in troops.EQUIPMENT.items()]
    return found


def _troop(names: tuple[str, ...], kind: str, words: str = "") -> Entry:
    row = troops.CLASSES[kind]
    key = troops.playable_type(kind)
    instead = "" if key else f"read as {row.stand_in}" if row.stand_in else "left out"
    return Entry(names, words or row.words, key or "", instead)


def unit_entries() -> list[Entry]:
    """Unit names by kind, then badges."""
    found = [
        _troop(tuple(f"{part}{army}" for army in troops.ARMIES), kind)
        for part, kind in troops.NAME_CLASSES.items()
    ]
    found.append(_troop(("tank2ger with 1 figure",), "tiger"))
    for number, row in troops.BADGES.items():
        kind = row.infantry or row.armor or row.artillery
        if kind in troops.WEAPONS:
            for age in ("early", "late"):
                found.append(_troop((f"badge{number}",), f"{kind}_{age}"))
        elif kind:
            found.append(_troop((f"badge{number}",), kind, row.words))
        else:
            first = "resistance on `inf2…`, else " if number == 3 else ""
            found.append(Entry((f"badge{number}",), row.words, f'{first}the word "{row.word}"', ""))
    return found


def _tag_plays(name: str) -> str:
    if name in terms.EXIT_TAGS:
        return "exit"
    if name == "tag3":
        return next((key for key in terms.MINE_KEYS if key in FEATURES), "")
    return ""


def tag_entries() -> list[Entry]:
    """Medals and other tags."""
    found = [
        Entry((name,), f"objective medal for the {' or the '.join(sides)}", "objective", "")
        for name, sides in terms.MEDALS.items()
    ]
    for name, words in terms.TAGS.items():
        key = _tag_plays(name)
        found.append(Entry((name,), words, key, "" if key else "left out"))
    return found


def option_entries() -> list[Entry]:
    """Options of the whole battle."""
    found = []
    for name, words in terms.OPTIONS.items():
        plays, instead = "", "plays without it"
        if name == "blitz_rules":
            instead = "Axis Recon cards may be air strikes, armor moves as usual"
        elif name in terms.READ_OPTIONS:
            plays, instead = "yes", ""
        elif name in terms.IDLE_OPTIONS:
            plays, instead = "a detail of other rules", ""
        found.append(Entry((name,), words, plays, instead))
    return found


TABLES = {
    "terrain": terrain_entries,
    "pieces": piece_entries,
    "units": unit_entries,
    "behaviors": behavior_entries,
    "tags": tag_entries,
    "options": option_entries,
}


def table(name: str) -> str:
    """One table of the page, as Markdown."""
    lines = ["| in the document | is | played as | in a partial scenario |", "|---|---|---|---|"]
    for entry in TABLES[name]():
        names = " ".join(f"`{word}`" for word in entry.names)
        lines.append(f"| {names} | {entry.words} | {entry.plays or '**not yet**'} | {entry.instead} |")
    return "\n".join(lines) + "\n"


def _parts(text: str) -> Iterator[str]:
    """The page with its tables made anew."""
    rest = text
    for name in TABLES:
        begin, end = f"<!-- begin {name} -->\n", f"<!-- end {name} -->"
        before, _, after = rest.partition(begin)
        _, _, rest = after.partition(end)
        yield f"{before}{begin}{table(name)}{end}"
    yield rest


def refreshed(text: str) -> str:
    """A page whose tables, between their marks, are those of the vocabulary as it is now."""
    return "".join(_parts(text))


if __name__ == "__main__":
    page = Path(sys.argv[1])
    page.write_text(refreshed(page.read_text(encoding="utf-8")), encoding="utf-8")
