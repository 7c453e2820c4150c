"""A position in words: for screen readers, for `--plain`, and for the text that goes with every picture."""

from __future__ import annotations

from engine.state import State
from engine.terrain import FEATURES, TERRAINS
from pbem.draw.look import clean
from pbem.draw.picture import SIDE_NAMES, SIDE_WORDS, Goal, Picture, Piece, paint, waiting_units

# How one stands there; terrains that are not listed are stood "in".
_ON = frozenset({"hill", "beach", "dune", "cliff", "steep-hill", "mountain"})
_TERRAIN_NAMES: dict[str, str] = {
    "open": "open ground",
    "hill-forest": "forest on a hill",
    "hill-town": "town on a hill",
    "ocean": "the sea",
}
_FEATURE_NAMES: dict[str, str] = {"wire": "barbed wire", "sea-wall": "sea wall"}
_TRAIT_NAMES: dict[str, str] = {
    "impassable": "impassable",
    "blocks-artillery": "blocking artillery fire",
    "wide": "too wide for infantry fire",
}


def terrain_name(key: str) -> str:
    """A terrain as people call it."""
    return _TERRAIN_NAMES.get(key, key.replace("-", " "))


def feature_name(key: str) -> str:
    """A feature as people call it."""
    return _FEATURE_NAMES.get(key, key)


def count(number: int, noun: str) -> str:
    """`1 medal`, `2 medals`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(words: list[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def piece_name(piece: Piece) -> str:
    """`Allied infantry`, `Axis special forces (grenadier)`."""
    badge = f" ({piece.badge})" if piece.badge else ""
    return f"{SIDE_WORDS[piece.side]} {piece.type.name}{badge}"


def surroundings(picture: Picture, hex_number: int) -> str:
    """Where somebody on a hex stands: `in forest behind sandbags`; nothing for open ground."""
    place = picture.ground.places[hex_number]
    keys = [key for key, _ in picture.features(hex_number)]
    words: list[str] = []
    if "bridge" in keys:
        words.append("on a bridge")
    elif place.terrain != "open":
        words.append(f"{'on' if place.terrain in _ON else 'in'} {terrain_name(place.terrain)}")
    if "bunker" in keys:
        words.append("in a bunker")
    behind = [feature_name(key) for key in keys if key in ("sandbags", "sea-wall")]
    if behind:
        words.append(f"behind {listed(behind)}")
    among = [feature_name(key) for key in keys if key in ("wire", "hedgehog")]
    if among:
        words.append(f"with {listed(among)}")
    return " ".join(words)


def describe_unit(state: State, unit: int, *, picture: Picture | None = None) -> str:
    """One sentence without a full stop about a unit on the board; raises KeyError for any other.

    `Allied infantry, 4 figures, at G5 in forest, next to Axis armor at H5`
    """
    view = picture or paint(state)
    pieces = {piece.unit: piece for piece in view.pieces}
    piece = pieces[unit]
    labels = state.setup.grid.labels
    where = surroundings(view, piece.hex)
    words = [piece_name(piece), _strength(piece), f"at {labels[piece.hex]} {where}".rstrip()]
    if piece.worth != 1:
        words.insert(2, f"worth {count(piece.worth, 'medal')}")
    near = [
        f"{piece_name(pieces[other])} at {labels[n]}"
        for n in state.setup.grid.neighbours[piece.hex]
        if (other := state.occupant[n]) in pieces and pieces[other].side != piece.side
    ]
    if near:
        words.append(f"next to {listed(near)}")
    return ", ".join(words)


def _strength(piece: Piece) -> str:
    left = count(piece.figures, "figure")
    return left if piece.figures == piece.strength else f"{left} of {piece.strength}"


# Objectives


def goal_line(goal: Goal, labels: tuple[str, ...]) -> str:
    """One objective: its place, what it is worth, to whom, and who holds it."""
    facts = goal.facts
    hexes = listed([labels[h] for h in facts.hexes])
    name = f"{facts.name}, {hexes}" if facts.name else hexes
    sides = " or ".join(f"the {SIDE_NAMES[side]}" for side in (0, 1) if facts.sides >> side & 1)
    if facts.kind == "exit":
        return f"{name}: {count(facts.medals, 'medal')} for every unit of {sides} that leaves the board here"
    prize = "victory at once" if facts.kind == "sudden-death" else count(facts.medals, "medal")
    return f"{name}: {prize} for {sides}{_condition(goal)}; {_holder(goal)}"


def _condition(goal: Goal) -> str:
    facts = goal.facts
    if facts.kind == "majority":
        return " for holding more of these hexes than the enemy"
    if facts.need > 1:
        return f" for holding {facts.need} of these {len(facts.hexes)} hexes"
    if len(facts.hexes) > 1:
        return " for holding one of these hexes"
    return " for good" if facts.kind == "permanent" else ""


def _holder(goal: Goal) -> str:
    return "held by nobody" if goal.holder is None else f"held by the {SIDE_NAMES[goal.holder]}"


def goal_lines(state: State) -> list[str]:
    """All objectives, one line each."""
    return [goal_line(goal, state.setup.grid.labels) for goal in paint(state).goals]


# Whole positions


def medal_line(picture: Picture) -> str:
    """`Medals: Allies 1 of 4, Axis 0 of 4.`"""
    parts = [f"{SIDE_NAMES[side]} {picture.medals[side]} of {picture.target[side]}" for side in (0, 1)]
    return f"Medals: {', '.join(parts)}."


def describe(state: State, *, chair: int | None = None) -> str:
    """The whole position in sentences: medals, objectives, both armies, the ground."""
    picture = paint(state, chair=chair)
    setup = state.setup
    bottom = SIDE_NAMES[0 if setup.bottom[0] != picture.ground.turned else 1]
    lines = [f"{setup.battle.title}. {moment(state)}", *partial_lines(state), medal_line(picture)]
    lines += [f"Objective {line}." for line in goal_lines(state)]
    lines.append(f"The {bottom} sit at the bottom of this board.")
    for side in (0, 1):
        lines += ["", *_army(state, picture, side)]
    lines += ["", "The ground:", *ground_lines(picture)]
    return "\n".join(lines) + "\n"


def partial_lines(state: State) -> list[str]:
    """What this program cannot play of the battle, as one line; nothing if it can play everything."""
    missing = state.setup.battle.partial
    return (
        [f"Partial: this program cannot play all of this battle ({'; '.join(missing)})."] if missing else []
    )


def moment(state: State) -> str:
    """Where the game stands, as one sentence."""
    if state.winner >= 0:
        return f"The battle is over: the {SIDE_NAMES[state.winner]} have won."
    if not state.turn:
        return "Before the first turn."
    return f"Turn {state.turn}, the {SIDE_NAMES[state.side]} to act."


def _reading_order(picture: Picture, piece: Piece) -> tuple[int, int]:
    place = picture.ground.places[piece.hex]
    return (place.y, place.x)


def _army(state: State, picture: Picture, side: int) -> list[str]:
    own = sorted(
        (piece for piece in picture.pieces if piece.side == side),
        key=lambda piece: _reading_order(picture, piece),
    )
    lines = [f"{SIDE_NAMES[side]}, {count(len(own), 'unit')} on the board:"]
    lines += [f"- {describe_unit(state, piece.unit, picture=picture)}." for piece in own]
    later = [u for u in waiting_units(state) if state.setup.side[u] == side]
    if later:
        lines.append(f"- {count(len(later), 'unit')} still to be dropped.")
    return lines


def ground_lines(picture: Picture) -> list[str]:
    """Every kind of terrain, feature and trait with its hexes, and the names on the map."""
    groups: dict[str, list[str]] = {}
    places = sorted(picture.ground.places, key=lambda place: (place.y, place.x))
    for key in TERRAINS:
        if key != "open":
            groups[terrain_name(key)] = [p.label for p in places if p.terrain == key]
    for key in FEATURES:
        for owner in (None, 0, 1):
            name = feature_name(key) if owner is None else f"{SIDE_WORDS[owner]} {feature_name(key)}"
            groups[name] = [p.label for p in places if (key, owner) in picture.features(p.number)]
    for key, name in _TRAIT_NAMES.items():
        groups[name] = [p.label for p in places if key in p.traits]
    lines = [f"- {_capital(name)}: {', '.join(labels)}." for name, labels in groups.items() if labels]
    if not lines:
        lines = ["- Open everywhere."]
    named = [f"{p.name} at {p.label}" for p in places if p.name]
    return [*lines, f"- Names: {'; '.join(named)}."] if named else lines


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# The table of units


def unit_rows(state: State, *, chair: int | None = None) -> list[dict[str, str | int]]:
    """One row per unit on the board in reading order: hex, side, unit, figures, strength, where."""
    picture = paint(state, chair=chair)
    ordered = sorted(picture.pieces, key=lambda piece: _reading_order(picture, piece))
    return [
        {
            "hex": state.setup.grid.labels[piece.hex],
            "side": SIDE_NAMES[piece.side],
            "unit": piece.type.name + (f" ({piece.badge})" if piece.badge else ""),
            "figures": piece.figures,
            "strength": piece.strength,
            "where": surroundings(picture, piece.hex) or "on open ground",
        }
        for piece in ordered
    ]


def unit_table(state: State, *, chair: int | None = None) -> str:
    """The units by hex as an HTML table: the text alternative of the picture."""
    head = "".join(f'<th scope="col">{word}</th>' for word in ("Hex", "Side", "Unit", "Figures", "Ground"))
    rows = "\n".join(
        f'<tr><th scope="row">{row["hex"]}</th><td>{row["side"]}</td><td>{clean(str(row["unit"]))}</td>'
        f"<td>{row['figures']} of {row['strength']}</td><td>{row['where']}</td></tr>"
        for row in unit_rows(state, chair=chair)
    )
    return (
        f'<table class="units">\n<caption>Units on the board</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
    )
