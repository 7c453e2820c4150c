"""The battlefield of a scenario document: the drawn map, and what is added to single hexes.

`scenario.py` reads the rest of the document; it asks the `Ground` made here for hexes by their labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from engine import document
from engine.battle import SIDES, HexFacts
from engine.board import SHORES
from engine.document import Mapping, Node, Text, choice, nearest, quoted
from engine.errors import NotationError
from engine.hexes import Grid, grid
from engine.terrain import ALL, FEATURES, TERRAINS, TRAITS
from engine.units import UNITS

# First row printed as sand on the beach face (R11, V53); further down open ground must be said.
SHORE: dict[str, int] = {shape: sand for shape, (sand, _) in SHORES.items()}
TERRAIN_GLYPHS = {row.glyph: row.key for row in TERRAINS.values()}
FEATURE_GLYPHS = {row.glyph: row.key for row in FEATURES.values()}


@dataclass(slots=True)
class Ground:
    """The board while it is being read: the grid, and what lies on its hexes by number."""

    shape: str
    grid: Grid
    hexes: dict[int, HexFacts]

    def find(self, word: str, place: Node) -> int:
        """The hex that a word names."""
        try:
            return self.grid.parse(word)
        except NotationError:
            first, last = self.grid.labels[0], self.grid.labels[-1]
            raise place.error(
                f"{quoted(word)} is no hex of the {self.shape} board, whose corners are {first} and {last}"
            ) from None

    def label(self, word: str, place: Node) -> str:
        """The hex that a word names, in its one spelling."""
        return self.grid.labels[self.find(word, place)]

    def labels(self, node: Node, where: str) -> tuple[str, ...]:
        """A list of different hexes."""
        return tuple(self.grid.labels[at] for at in document.each(node, where, self.find))

    def facts(self, at: int) -> HexFacts:
        """What lies on a hex."""
        return self.hexes.get(at, HexFacts())

    def select(self, node: Node, where: str) -> tuple[int, ...]:
        """Hexes named one by one, or `every KIND` of terrain or feature."""
        if not isinstance(node, Text) or not node.value.strip().startswith("every "):
            return document.each(node, where, self.find)
        kind = node.value.strip().removeprefix("every ").strip()
        if kind not in TERRAINS and kind not in FEATURES:
            hint = nearest(kind, (*TERRAINS, *FEATURES))
            raise node.error(f"{where}: {quoted(kind)} is no terrain and no feature{hint}")
        found = tuple(
            at
            for at in range(self.grid.size)
            if self.facts(at).terrain == kind or kind in dict(self.facts(at).features)
        )
        if not found:
            raise node.error(f"{where}: there is no {kind} on the map")
        return found


def read_map(node: Node, shape: str, face: str) -> Ground:
    """The ground as drawn: terrain and features."""
    if not isinstance(node, Text) or not node.block:
        raise node.error('map must be drawn below "map: |", one line for each row of hexes')
    ground = Ground(shape, grid(shape), {})
    board = ground.grid
    # The text of a literal block begins on the line after its key.
    lines = [(node.line + 1 + at, line.split()) for at, line in enumerate(node.value.split("\n"))]
    drawn = [(line, cells) for line, cells in lines if cells and not cells[0].startswith("#")]
    for y, (line, cells) in enumerate(drawn):
        if y == board.rows:
            raise node.error(f"the map has {len(drawn)} rows; a {ground.shape} board has {board.rows}", line)
        label = board.rows - y
        if cells[0].isdecimal():
            if cells[0] != str(label):
                raise node.error(
                    f"row {label} of the map is numbered {quoted(cells[0])}; the top row is {board.rows}",
                    line,
                )
            cells = cells[1:]
        wanted = board.columns - y % 2
        if len(cells) != wanted:
            raise node.error(f"row {label} of the map has {len(cells)} cells; it needs {wanted}", line)
        for place, cell in enumerate(cells):
            at = board.at[2 * place + y % 2, y]
            facts = _read_cell(cell, board.labels[at], node, line)
            # On the beach face a hex left out would be sand or sea, so there open ground is a fact, too.
            if facts != HexFacts() or (face == "beach" and y >= SHORE[ground.shape]):
                ground.hexes[at] = facts
    if len(drawn) < board.rows:
        raise node.error(f"the map has {len(drawn)} rows; a {ground.shape} board has {board.rows}")
    return ground


def _read_cell(cell: str, label: str, node: Text, line: int) -> HexFacts:
    terrain = TERRAIN_GLYPHS.get(cell[0])
    if terrain is None:
        known = " ".join(f"{glyph} {key}" for glyph, key in TERRAIN_GLYPHS.items())
        raise node.error(f"{quoted(cell[0])} at {label} is no terrain; the signs are {known}", line)
    features: dict[str, str | None] = {}
    for glyph in cell[1:]:
        feature = FEATURE_GLYPHS.get(glyph)
        if feature is None:
            known = " ".join(f"{glyph} {key}" for glyph, key in FEATURE_GLYPHS.items())
            raise node.error(f"{quoted(glyph)} at {label} is no feature; the signs are {known}", line)
        if feature in features:
            raise node.error(f"{label} has {feature} twice", line)
        if not can_carry(terrain, feature):
            raise node.error(f"{label} is a {terrain}, which cannot carry {feature}", line)
        features[feature] = None
    return HexFacts(terrain, tuple(features.items()))


def can_carry(terrain: str, feature: str) -> bool:
    """Whether a feature may lie on a terrain: on water that nobody enters only bridges do."""
    return TERRAINS[terrain].barred != ALL or FEATURES[feature].bridges


def why_not_stand(facts: HexFacts, unit: str) -> str:
    """Why a type of unit cannot start on such a hex, or ""."""
    arm = UNITS[unit].arm
    layers = [FEATURES[key] for key, _ in facts.features]
    if "impassable" in facts.traits:
        return f"is impassable, so no {unit} can stand there"
    if any(arm in layer.confines for layer in layers):  # T40b
        return ""
    if "fordable" not in facts.traits and not any(layer.bridges for layer in layers):
        layers.insert(0, TERRAINS[facts.terrain])
    return next((f"has {row.key}, where no {unit} can stand" for row in layers if arm in row.barred), "")


def read_owners(node: Node | None, ground: Ground) -> None:
    """Whose bunkers these are (T40c)."""
    if node is None:
        return
    group = document.keys(node, {key: False for key, row in FEATURES.items() if row.owned}, "owners")
    for feature, part in group.items():
        if isinstance(part, Mapping):  # bunker: {axis: B5 C5, allies: G1}
            for side, hexes in document.keys(
                part, dict.fromkeys(SIDES, False), f"owners of {feature}"
            ).items():
                for at in ground.select(hexes, f"{side} {feature}"):
                    _own(ground, at, feature, side, hexes)
        else:  # bunker: axis
            side = choice(part, f"the owner of every {feature}", SIDES)
            every = [at for at, facts in ground.hexes.items() if feature in dict(facts.features)]
            if not every:
                raise part.error(f"there is no {feature} on the map")
            for at in every:
                _own(ground, at, feature, side, part)


def _own(ground: Ground, at: int, feature: str, side: str, place: Node) -> None:
    facts = ground.facts(at)
    features = dict(facts.features)
    if feature not in features:
        raise place.error(f"{ground.grid.labels[at]} has no {feature}")
    if features[feature] is not None:
        raise place.error(f"the {feature} at {ground.grid.labels[at]} has two owners")
    features[feature] = side
    ground.hexes[at] = HexFacts(facts.terrain, tuple(features.items()), facts.traits)


def read_traits(node: Node | None, ground: Ground) -> None:
    """Switches on single hexes."""
    if node is None:
        return
    for trait, hexes in document.keys(node, dict.fromkeys(TRAITS, False), "traits").items():
        for at in ground.select(hexes, trait):
            facts = ground.facts(at)
            ground.hexes[at] = HexFacts(facts.terrain, facts.features, facts.traits | {trait})


def read_causeway(node: Node | None, ground: Ground) -> tuple[str, ...]:
    """A long bridge, from the land at one end to the land at the other."""
    if node is None:
        return ()
    way = document.each(node, "causeway", ground.find)
    labels = tuple(ground.grid.labels[at] for at in way)
    if len(way) < 3:
        raise node.error("causeway needs two ends and at least one bridge hex between them")
    for a, b in pairwise(way):
        if ground.grid.distance(a, b) != 1:
            raise node.error(f"causeway: {ground.grid.labels[a]} and {ground.grid.labels[b]} do not touch")
    for at in way[1:-1]:
        if not any(FEATURES[key].bridges for key, _ in ground.facts(at).features):
            raise node.error(f"causeway: {ground.grid.labels[at]} has no bridge")
    return labels
