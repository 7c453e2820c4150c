"""Line of sight: rules R67-R86, rulings Q86-Q109, Q281, Q282."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import new_game, parse_battle
from engine.battle import Battle, HexFacts, Options, SideFacts
from engine.board import Board
from engine.hexes import SHAPES, grid
from engine.sight import Sight
from engine.state import NOBODY
from engine.terrain import FEATURES, TERRAINS
from tests.drawing import choices, play, position
from tests.engine.acting import ready
from tests.engine.plain_sight import Place, PlainBoard

FIXTURES = Path(__file__).parent / "fixtures"


def sees(text: str, a: str, b: str, **options: str) -> bool:
    """Whether the two hexes see each other in a drawn position; the answer is the same both ways."""
    s = position(text, play_card=False, options=options)
    one, other = s.setup.grid.parse(a), s.setup.grid.parse(b)
    there = s.setup.sight.sees(one, other, s.occupant)
    assert s.setup.sight.sees(other, one, s.occupant) is there  # R67: always symmetric
    return there


def met(a: str, b: str) -> tuple[set[str], set[str], set[str]]:
    """Labels of the hexes that a line crosses, and that it grazes on its two sides."""
    board = grid("standard")
    line = board.line(board.parse(a), board.parse(b))
    crossed, left, right = ({board.labels[h] for h in part} for part in line[:3])
    return crossed, left, right


# Geometry


@pytest.mark.parametrize(
    ("end", "crossed"),
    [
        pytest.param("I5", "H5", id="R79 I5"),
        pytest.param("H7", "g6", id="R79 H7"),
        pytest.param("J5", "H5 I5", id="R80 J5"),
        pytest.param("i6", "h6 H5", id="R80 i6"),
        pytest.param("I7", "g6 h6", id="R80 I7"),
        pytest.param("h8", "g6 H7", id="R80 h8"),
        pytest.param("g8", "g6 G7", id="R80 g8"),
        pytest.param("K5", "H5 I5 J5", id="R81 K5"),
        pytest.param("j6", "H5 h6 I5 i6", id="R81 j6"),
        pytest.param("i8", "g6 h6 H7 I7", id="R81 i8"),
        pytest.param("I9", "g6 H7 h8", id="R81 I9"),
        pytest.param("H9", "g6 G7 H7 g8", id="R81 H9"),
    ],
)
def test_a_line_crosses_exactly_these_hexes_and_grazes_none(end: str, crossed: str) -> None:
    assert met("G5", end) == (set(crossed.split()), set(), set())


@pytest.mark.parametrize(
    ("end", "crossed", "one_side", "other_side"),
    [
        pytest.param("h6", "", "H5", "g6", id="R79 h6"),
        pytest.param("h4", "", "g4", "H5", id="R79 h4"),
        pytest.param("G7", "", "g6", "f6", id="R79 G7"),
        pytest.param("G3", "", "f4", "g4", id="R79 G3"),
        pytest.param("J7", "h6", "H5 i6", "g6 I7", id="R81 J7"),
        pytest.param("G9", "G7", "g6 g8", "f6 f8", id="R81 G9"),
    ],
)
def test_a_line_along_edges_grazes_exactly_these_hexes(
    end: str, crossed: str, one_side: str, other_side: str
) -> None:
    inside, *sides = met("G5", end)
    assert inside == set(crossed.split())
    assert sorted(map(sorted, sides)) == sorted([sorted(one_side.split()), sorted(other_side.split())])


def test_every_line_at_distance_three_crosses_two_hexes_and_grazes_none() -> None:
    """R80: distance 3 never grazes, wherever on the board, and always crosses two hexes."""
    board = grid("standard")
    pairs = 0
    for a in range(board.size):
        for b in range(board.size):
            if board.near[a][b] == 3:
                line = board.line(a, b)
                assert (len(line.crossed), *line[1:]) == (2, (), (), False, False)
                pairs += 1
    assert pairs > 1000


def test_contact_at_a_corner_alone_first_occurs_at_distance_five() -> None:
    """R82: up to distance 4 every grazed hex faces one across the edge; at 5 some touch a corner only."""
    board = grid("standard")
    alone = set()
    for a in range(board.size):
        for b in range(board.size):
            line = board.line(a, b)
            if not any(line[3:]) and any(
                all(board.near[h][other] > 1 for other in line.right) for h in line.left
            ):
                alone.add(board.near[a][b])
    assert min(alone) == 5


def test_a_corner_counts_like_a_grazed_edge() -> None:
    """R82: G5-J9 touches h6 and h8 at a corner each, on opposite sides: both together block, one does not."""
    assert met("G5", "J9") == ({"g6", "H7", "I7", "i8"}, {"h6"}, {"h8"})
    assert sees("h6 forest", "G5", "J9")
    assert sees("h8 forest", "G5", "J9")
    assert not sees("h6 forest\nh8 forest", "G5", "J9")


@pytest.mark.parametrize("column", ["A", "M"])
@pytest.mark.parametrize("rows", [(9, 7), (7, 5), (5, 3), (3, 1)])
def test_the_half_hex_shuts_one_side_of_every_vertical_pair_at_the_border(
    column: str, rows: tuple[int, int]
) -> None:
    """R83, R86, Q92: A9 sees A7 exactly while a8 holds no obstruction; so in all of columns A and M."""
    top, bottom = rows
    between = f"{'a' if column == 'A' else 'l'}{top - 1}"
    a, b = f"{column}{top}", f"{column}{bottom}"
    assert sees("", a, b)
    assert not sees(f"{between} forest", a, b)
    assert not sees(f"{between} axis infantry 1", a, b)
    assert sees(f"{between} river", a, b)


def test_half_hexes_are_met_nowhere_but_in_the_border_columns() -> None:
    """R86: only lines that run down column A or M graze a half-hex, and none crosses one."""
    for shape in SHAPES:
        board = grid(shape)
        for a, (x, _) in enumerate(board.xy):
            for b, (x2, y2) in enumerate(board.xy):
                if board.near[a][b] > 6:
                    continue
                if any(board.line(a, b)[3:]):
                    assert x == x2
                    assert x in (0, board.width)
                    assert board.near[a][b] > 1
                elif x == x2 and x in (0, board.width):
                    assert y2 == board.xy[a][1]


def test_half_hexes_block_at_every_elevation() -> None:
    """R77, R83: two units on hills at the border do not see past a unit on a hill beside their line."""
    hills = "A9 hill\nA7 hill\n"
    assert not sees(hills + "a8 hill + bunker", "A9", "A7")
    assert sees(hills + "a8 forest", "A9", "A7")  # R72: the forest lies lower
    assert not sees("A9 hill\na8 hill", "A9", "A7")


# What obstructs


@pytest.mark.parametrize(
    ("text", "a", "b", "clear"),
    [
        pytest.param("H5 allies infantry", "G5", "I5", False, id="Q86 R68 R69 R85 a friend between"),
        pytest.param("H5 axis armor 1", "G5", "I5", False, id="Q86 R68 R69 R85 an enemy between"),
        pytest.param("H5 forest", "G5", "h6", True, id="Q87 R71 forest on one side only"),
        pytest.param(
            "H5 forest\ng6 allies infantry", "G5", "h6", False, id="R71 forest and unit, both sides"
        ),
        pytest.param("H5 forest\nI7 town", "G5", "J7", False, id="Q89 R71 R81 opposite and staggered"),
        pytest.param("H5 forest\ni6 forest", "G5", "J7", True, id="Q90 R71 R81 same side"),
        pytest.param("h6 axis infantry", "G5", "J7", False, id="Q91 R81 crossed"),
        pytest.param("a8 forest", "A9", "A7", False, id="Q92 R83 half-hex on the other side"),
        pytest.param("I5 forest", "G5", "I5", True, id="Q94 R70 target inside the forest"),
        pytest.param("G5 forest", "G5", "I5", True, id="R70 attacker inside the forest"),
        pytest.param("H5 forest", "G5", "I5", False, id="Q95 R68 target behind the forest"),
        pytest.param("G5 hill\nI5 hill\nH5 town", "G5", "I5", True, id="Q96 R72 R73 over a village"),
        pytest.param("G5 hill\nI5 hill\nH5 axis infantry", "G5", "I5", True, id="Q97 R72 R73 over a unit"),
        pytest.param("G5 hill\nH5 forest", "G5", "I5", False, id="Q98 R72 hill to ground, forest between"),
        pytest.param("G5 hill\nI5 hill\nH5 hill", "G5", "I5", True, id="Q99 R74 bare hill between hills"),
        pytest.param(
            "G5 hill\nI5 hill\nH5 hill : axis infantry",
            "G5",
            "I5",
            False,
            id="Q100 R75 unit on a hill between",
        ),
        pytest.param("G5 hill\nI5 hill\nH5 hill + bunker", "G5", "I5", False, id="Q101 R75 bunker on a hill"),
        pytest.param("H5 hill", "G5", "I5", False, id="Q102 R74 hill between ground units"),
        pytest.param("G5 hill\nH5 hill", "G5", "I5", False, id="R74 hill between hill and ground"),
        pytest.param("H5 lake", "G5", "I5", True, id="Q104 R78 one lake hex"),
        pytest.param("H5 lake\nI5 lake", "G5", "J5", False, id="Q105 R78 two lake hexes"),
        pytest.param("H5 lake\nJ5 lake", "G5", "K5", True, id="R78 two lake hexes that do not touch"),
        pytest.param("H5 lake\ng6 lake", "G5", "h6", False, id="R78 two grazed lake hexes that touch"),
        pytest.param("H5 lake\nh4 lake", "G5", "I5", True, id="R78 the other lake hex is off the line"),
        pytest.param("H5 lake\nI5 lake\nG5 hill\nJ5 hill", "G5", "J5", True, id="R78 R72 over a lake"),
        pytest.param("h6 forest", "G5", "i6", False, id="Q106 R80 one of two crossed hexes"),
        pytest.param("H5 forest", "G5", "i6", False, id="R80 the other crossed hex"),
        pytest.param("H5 bunker", "G5", "I5", False, id="Q109 empty bunker"),
        pytest.param("f6 allies infantry\ng8 forest", "G5", "G9", False, id="Q281 R71 R81 left and right"),
        pytest.param("f6 allies infantry\nf8 axis infantry", "G5", "G9", True, id="Q282 R71 R81 one side"),
        pytest.param("G5 mountain\nI5 mountain\nH5 hill-forest", "G5", "I5", True, id="R76 over a hill"),
        pytest.param("G5 mountain\nI5 mountain\nH5 mountain", "G5", "I5", True, id="R76 bare mountain"),
        pytest.param("G5 hill\nI5 mountain\nH5 mountain", "G5", "I5", False, id="R76 mountain over a hill"),
        pytest.param(
            "G5 hill\nI5 mountain\nH5 hill-town", "G5", "I5", False, id="R73 R75 R76 village on a hill"
        ),
        pytest.param("G5 mountain\nI5 hill\nH5 forest", "G5", "I5", True, id="R76 forest below both"),
    ],
)
def test_what_blocks_the_line_between_two_hexes(text: str, a: str, b: str, *, clear: bool) -> None:
    assert sees(text, a, b) is clear


@pytest.mark.parametrize(
    "ground",
    [
        "open",
        "river",
        "river + bridge",
        "beach",
        "ocean",
        "lake",
        "open + hedgehog",
        "open + sandbags",
        "open + sea-wall",
        "open + wire",
    ],
)
def test_ground_that_does_not_block(ground: str) -> None:
    """R84: water, beaches, bridges and low obstacles hide nothing."""
    assert sees(f"H5 {ground}", "G5", "I5")


@pytest.mark.parametrize(
    "ground",
    [
        "forest",
        "town",
        "church",
        "hedgerow",
        "bunker",
        "hill",
        "dune",
        "cliff",
        "steep-hill",
        "hill-forest",
        "hill-town",
        "mountain",
    ],
)
def test_ground_that_blocks(ground: str) -> None:
    """R84, R74: woods, buildings, hedgerows, bunkers and heights hide what lies behind them."""
    assert not sees(f"H5 {ground}", "G5", "I5")


def test_every_terrain_and_feature_is_named_above() -> None:
    """R84: a new terrain must be put into one of the two lists."""
    blocking = {key for key, row in {**TERRAINS, **FEATURES}.items() if row.blocks_sight or row.elevation}
    assert blocking == {
        "forest", "town", "church", "hedgerow", "bunker", "hill", "dune", "cliff", "steep-hill",
        "hill-forest", "hill-town", "mountain",
    }  # fmt: skip


def test_neighbours_always_see_each_other() -> None:
    """R67: adjacent hexes see each other whatever lies around."""
    ring = "\n".join(f"{h} forest" for h in ("G5", "H5", "f6", "g6", "f4", "g4", "F5"))
    assert sees(ring, "G5", "H5")
    assert sees("H5 mountain\nG5 forest", "G5", "H5")


def test_every_unit_but_artillery_needs_sight() -> None:
    """R67: behind a forest infantry and armor have no target, artillery has."""
    for kind, attacks in (("infantry", []), ("armor", []), ("artillery", ["attack G5 I5"])):
        s = ready(position(f"G5 allies {kind}\nI5 axis infantry\nH5 forest"), "G5")
        assert choices(s, "attack") == attacks


def test_artillery_fires_over_woods_and_units() -> None:
    """Q107, R67: G5-K5 with forests and units between is allowed, with 2 dice."""
    s = position(
        """
        G5 allies artillery
        H5 forest
        I5 allies infantry
        J5 forest
        K5 axis infantry
        """,
        enemy_hand=("probe-left",),
    )
    s = play(ready(s, "G5"), "attack G5 K5")
    assert s.roll is not None
    assert s.roll.dice == 2


def test_a_hill_unit_sees_past_the_enemy_at_its_feet_but_must_attack_it() -> None:
    """Q97, R53: sight over the enemy infantry is clear, yet the adjacent unit is the only target."""
    s = position("G5 hill : allies armor\nH5 axis infantry\nI5 hill : axis armor")
    assert choices(ready(s, "G5"), "attack") == ["attack G5 H5"]


def test_sight_follows_what_happens_on_the_board() -> None:
    """R68, R85: the line opens when the unit that stood in it has gone."""
    s = position("G5 allies infantry\nH5 allies infantry\nI5 axis infantry", card="probe-center")
    s = ready(s, "G5", "H5", moves=("H5 h4 H3",))
    assert choices(s, "attack") == ["attack G5 I5"]


# The published example board


@pytest.mark.parametrize(
    ("pair", "new", "old"),
    [
        pytest.param("a8 a6", True, True, id="A R74 hill to ground"),
        pytest.param("E9 d6", False, False, id="B R74 hill behind the front hill hex"),
        pytest.param("H9 g6", False, False, id="C R74 ground to ground over a hill"),
        pytest.param("L9 L7", True, True, id="D R74 hill to hill along hills"),
        pytest.param("B3 B1", True, True, id="E R74 hill to hill"),
        pytest.param("E3 E1", True, True, id="F R71 R72 along an edge, hill and town beside it"),
        pytest.param("H3 G1", False, False, id="G R72 ground to hill, town between"),
        # The board was published for the first edition; the elevation rule sees over what lies lower.
        pytest.param("J3 I1", True, False, id="H R72 V62 hill to hill over a unit"),
        pytest.param("M3 L1", True, False, id="I R72 V62 hill to hill over a town"),
        # It also asked for hills that touch each other, which neither edition's text does.
        pytest.param("L5 I5", True, True, id="J R74 V62 hill to hill over a third hill"),
    ],
)
def test_the_published_examples_of_seeing_across_hills(pair: str, *, new: bool, old: bool) -> None:
    text = (FIXTURES / "line-of-sight.yaml").read_text(encoding="utf-8")
    battle = parse_battle(text, name="line-of-sight.yaml")
    for edition, expected in (("new", new), ("2004", old)):
        s = new_game(battle, {"edition": edition})
        a, b = (s.setup.grid.parse(label) for label in pair.split())
        assert s.setup.sight.sees(a, b, s.occupant) is expected
        assert s.setup.sight.sees(b, a, s.occupant) is expected


# Against the plain implementation


def random_battle(shape: str, luck: random.Random) -> tuple[Battle, bytes]:
    """A board with every kind of terrain and feature strewn over it, and units in a fifth of the hexes."""
    board = grid(shape)
    bare = luck.random()
    terrains, features = sorted(TERRAINS), sorted(FEATURES)
    hexes = {}
    for label in board.labels:
        terrain = "open" if luck.random() < bare else luck.choice(terrains)
        extra = ((luck.choice(features), None),) if luck.random() < 0.15 else ()
        hexes[label] = HexFacts(terrain, extra)
    occupant = bytes(0 if luck.random() < 0.2 else NOBODY for _ in board.labels)
    sides = (SideFacts("", "bottom", 4, 4), SideFacts("", "top", 4, 4))
    return Battle("random", "Random", shape, "country", sides, "allies", hexes, ()), occupant


def plain_board(battle: Battle, occupant: bytes) -> PlainBoard:
    """The same board for the plain implementation, straight from the facts."""
    board = grid(battle.shape)
    facts = {xy: battle.hexes[label] for xy, label in zip(board.xy, board.labels, strict=True)}
    bridged = {xy for xy, row in facts.items() if ("bridge", None) in row.features}

    def feature(place: Place) -> bool:
        row = facts[place]
        ground = place not in bridged and TERRAINS[row.terrain].blocks_sight  # T21a
        return ground or ("bunker", None) in row.features

    return PlainBoard(
        board.columns,
        board.rows,
        elevation=lambda place: TERRAINS[facts[place].terrain].elevation,
        feature=feature,
        lake=lambda place: facts[place].terrain == "lake" and place not in bridged,
        unit=lambda place: occupant[board.at[place]] != NOBODY,
    )


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sight_agrees_with_the_plain_implementation(shape: str, seed: int) -> None:
    """R67, R68, R69, R70, R71, R72, R73, R74, R75, R76, R77, R78, R82, R85: all pairs up to distance 6."""
    battle, occupant = random_battle(shape, random.Random(seed))
    sight = Sight(Board(battle, Options()))
    plain = plain_board(battle, occupant)
    board = grid(shape)
    for a, place in enumerate(board.xy):
        for b, other in enumerate(board.xy):
            if a != b and board.near[a][b] <= 6:
                wanted = plain.sees(place, other)
                assert sight.sees(a, b, occupant) is wanted, f"{board.labels[a]}-{board.labels[b]}"
