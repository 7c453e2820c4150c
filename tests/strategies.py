"""Hypothesis strategies for battles, moments of games and play, and boards seen in a mirror.

Battles are drawn freely, so that every terrain, unit, objective and option meets every other; a moment is
what random play makes of a battle. What hypothesis shrinks are the battle, the seed and the number of steps.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from hypothesis import note
from hypothesis import strategies as st

from engine import Answer, Battle, State, apply, chance, is_over, legal, start
from engine.battle import (
    CHECKS,
    OBJECTIVE_KINDS,
    SIDES,
    Airdrop,
    HexFacts,
    ObjectiveFacts,
    SideFacts,
    UnitFacts,
)
from engine.cards import mirrored
from engine.croupier import Croupier
from engine.hexes import DIRECTIONS, grid
from engine.setup import Setup, compile_setup
from engine.state import HIDDEN, NOBODY
from engine.terrain import ALL, FEATURES, TERRAINS
from engine.units import UNITS
from engine.victory import tempting_hexes
from pbem.library import load_battle, scenario_names

GRID = grid("standard")
LABELS = GRID.labels
FOOTING = tuple(row.key for row in TERRAINS.values() if not row.barred and not row.sea)
ENDS = ("done", "pass", "stay")

# Options that change what units may do; what they mean is tested elsewhere, here they only have to agree.
option_mixes = st.fixed_dictionaries(
    {},
    optional={
        "edition": st.sampled_from(("new", "2004")),
        "deck": st.sampled_from(("standard", "young-generals")),
        "timing": st.sampled_from(("table", "mail")),
        "take_ground": st.sampled_from(("yes", "no")),
        "air_power_group": st.sampled_from(("connected", "chain")),
        "counter_infantry": st.sampled_from(("none", "one")),
        "behind_lines_battle": st.sampled_from(("limited", "free")),
        "retreat_losses": st.sampled_from(("after", "before")),
        "bridges_join": st.sampled_from(("yes", "no")),
        "close_assault_overrun": st.sampled_from(("yes", "no")),
    },
)

places = st.integers(0, GRID.size - 1)


@st.composite
def grounds(draw: st.DrawFn, taken: frozenset[int]) -> dict[str, HexFacts]:
    """Terrain and features for some hexes; a hex with a unit gets ground that anybody may stand on."""
    found: dict[str, HexFacts] = {}
    luck = random.Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 60))):
        h = luck.randrange(GRID.size)
        terrain = luck.choice(FOOTING if h in taken else tuple(TERRAINS))
        features: tuple[tuple[str, str | None], ...] = ()
        if luck.random() < 0.3:
            key = luck.choice(tuple(FEATURES))
            if h not in taken and (FEATURES[key].bridges or TERRAINS[terrain].barred != ALL):
                features = (
                    (key, luck.choice(SIDES) if FEATURES[key].owned and luck.random() < 0.5 else None),
                )
        found[LABELS[h]] = HexFacts(terrain, features)
    return found


@st.composite
def objectives(draw: st.DrawFn) -> ObjectiveFacts:
    """Medals for places, of every kind."""
    hexes = draw(st.lists(places, min_size=1, max_size=3, unique=True))
    return ObjectiveFacts(
        kind=draw(st.sampled_from(sorted(OBJECTIVE_KINDS))),
        sides=draw(st.sampled_from((SIDES, SIDES[:1], SIDES[1:]))),
        hexes=tuple(LABELS[h] for h in hexes),
        need=draw(st.integers(1, len(hexes))),
        medals=draw(st.integers(1, 2)),
        check=draw(st.sampled_from(CHECKS)),
    )


@st.composite
def battles(draw: st.DrawFn) -> Battle:
    """A battle with a handful of units for each side on a random board."""
    spots = draw(st.lists(places, min_size=4, max_size=16, unique=True))
    kinds = [draw(st.sampled_from(sorted(UNITS))) for _ in spots]
    half = draw(st.integers(1, len(spots) - 1))
    units = tuple(
        UnitFacts(SIDES[place >= half], kind, LABELS[h], draw(st.integers(1, UNITS[kind].figures)))
        for place, (h, kind) in enumerate(zip(spots, kinds, strict=True))
    )
    drop = None
    if draw(st.booleans()):  # two more units of the axis come by air
        units += (UnitFacts("axis", "infantry", None, 4),) * 2
        drop = Airdrop("axis", (len(units) - 2, len(units) - 1), 2)
    edges = draw(st.sampled_from((("bottom", "top"), ("top", "bottom"))))
    sides = [SideFacts("", edge, draw(st.integers(2, 6)), draw(st.integers(2, 6))) for edge in edges]
    return Battle(
        key="drawn",
        title="Drawn",
        shape="standard",
        face="country",
        sides=(sides[0], sides[1]),
        first=draw(st.sampled_from(SIDES)),
        hexes=draw(grounds(frozenset(spots))),
        units=units,
        objectives=tuple(draw(st.lists(objectives(), max_size=3))),
        airdrop=drop,
        year=draw(st.integers(1939, 1945)),
    )


@st.composite
def setups(draw: st.DrawFn) -> Setup:
    """A setup of a drawn battle, or of one from the library, with some options."""
    options = draw(option_mixes)
    if draw(st.booleans()):
        battle = draw(battles())
    else:
        battle, options = load_battle(draw(st.sampled_from(scenario_names()))), {**options, "edition": "new"}
    note(f"{battle.key} with {options}")
    return compile_setup(battle, options)


Watch = Callable[[State, Answer, State], None]


def play_on(state: State, steps: int, seed: int, watch: Watch | None = None, *, busy: bool = True) -> State:
    """The state after some steps of random play from the beginning of a game; `watch` sees every step."""
    luck = random.Random(seed)
    croupier = Croupier(state, luck)
    for _ in range(steps):
        if is_over(state):
            break
        answer = croupier.answer(state) if chance(state) else choose(state, luck, busy=busy)
        after = apply(state, answer).state
        if watch is not None:
            watch(state, answer, after)
        state = after
    return state


def choose(state: State, luck: random.Random, *, busy: bool = True) -> Answer:
    """A legal answer; busy play ends a phase seldom."""
    answers = legal(state)
    if busy and len(answers) > 1 and answers[-1][0] in ENDS and luck.random() < 0.9:
        answers = answers[:-1]
    return answers[luck.randrange(len(answers))]


@st.composite
def moments(draw: st.DrawFn) -> State:
    """A moment of a game that is not over."""
    state = start(draw(setups()))
    seed = draw(st.integers(0, 2**32))
    found = [state]

    def remember(before: State, answer: Answer, after: State) -> None:
        if not is_over(after):
            found.append(after)

    play_on(state, draw(st.integers(0, 300)), seed, remember)
    return found[-1]


# Mirrors


class Mirror:
    """A board seen from the other side: left and right exchanged, or all turned by 180 degrees."""

    def __init__(self, *, turned: bool) -> None:
        self.turned = turned
        height = GRID.rows - 1
        self.to = tuple(GRID.at[GRID.width - x, height - y if turned else y] for x, y in GRID.xy)
        ways = [(0, 0), *DIRECTIONS.values()]
        self.ways = tuple(ways.index((-dx, -dy if turned else dy)) for dx, dy in ways)  # of an airdrop

    def label(self, label: str) -> str:
        """The mirrored hex, by label."""
        return LABELS[self.to[GRID.parse(label)]]

    def labels(self, labels: tuple[str, ...]) -> tuple[str, ...]:
        """Mirrored hexes, by label."""
        return tuple(map(self.label, labels))

    def battle(self, battle: Battle) -> Battle:
        """The same battle in the mirror; turned, each side sits at the other edge."""
        sides = battle.sides
        if self.turned:
            flip = {"top": "bottom", "bottom": "top"}
            sides = (sides[0]._replace(edge=flip[sides[0].edge]), sides[1]._replace(edge=flip[sides[1].edge]))
        drop = battle.airdrop
        if drop is not None and drop.target is not None:
            drop = drop._replace(target=self.label(drop.target))
        uses = tuple(use._replace(while_holding=self.labels(use.while_holding)) for use in battle.card_uses)
        return battle._replace(
            face="country",  # what the beach face prints is turned too: scenarios name all of it
            sides=sides,
            hexes={self.label(label): facts for label, facts in battle.hexes.items()},
            units=tuple(u if u.at is None else u._replace(at=self.label(u.at)) for u in battle.units),
            objectives=tuple(o._replace(hexes=self.labels(o.hexes)) for o in battle.objectives),
            airdrop=drop,
            causeway=self.labels(battle.causeway),
            card_uses=uses,
        )

    def card(self, key: str) -> str:
        """The card that says the same in the mirror."""
        return key if self.turned else mirrored(key)

    def answer(self, answer: Answer, faces: int = 6) -> Answer:
        """The answer that means the same in the mirror."""
        verb, *rest = answer
        if verb in ("card", "discard", "draw"):
            return (verb, *map(self.card, rest))
        if verb == "section":
            return (
                verb,
                rest[0] if self.turned else {"left": "right", "right": "left"}.get(rest[0], rest[0]),
            )
        if verb == "roll":
            return (verb, *(self.ways[face] for face in rest)) if faces == 7 else answer
        if verb in ("ignore", "shuffle"):
            return answer
        return (verb, *(self.to[h] for h in rest))

    def picture(self, s: State) -> tuple[Any, ...]:
        """Everything public about a state, in the mirror: equal to `picture_of` the mirrored state."""
        plain = picture_of(s)
        pos, origin, marks, order, last, section, discards, played, fight = plain[:9]
        return (
            tuple(self._hex(h) for h in pos),
            tuple(self._hex(h) for h in origin),
            tuple(marks[self.to[h]] for h in range(GRID.size)),
            self.card(order),
            tuple(
                None if entry is None else (self.card(entry[0]), self._section(entry[1])) for entry in last
            ),
            self._section(section),
            tuple(sorted(map(self.card, discards))),
            self.card(played),
            tuple((*part[:5], self._hex(part[5]), part[6]) for part in fight),
            *plain[9:],
        )

    def _hex(self, h: int) -> int:
        return h if h == NOBODY else self.to[h]

    def _section(self, section: int) -> int:
        return 2 - section if section >= 0 else section


def picture_of(s: State) -> tuple[Any, ...]:
    """Everything public about a state, with names instead of card numbers."""
    faces = s.setup.decks[0].faces
    fight, chain = s.fight, []
    while fight is not None:
        chain.append((*fight[:6], fight.flags))
        fight = fight.parent
    return (
        tuple(s.pos),
        tuple(s.origin),
        tuple(s.marks),
        s.order,
        s.last,
        s.section,
        tuple(sorted(faces[face] for face in s.discards[0])),
        "" if s.played == HIDDEN else faces[s.played],
        tuple(chain),
        s.figures, s.acts, s.orders, s.symbols, s.focus, s.targets, s.use, s.asked,
        s.phase, s.seat, s.active, s.turn, s.turns, s.roll, len(s.queue),
        tuple(map(len, s.hands)), s.fresh, s.piles, s.reacted, s.score, s.tokens, s.held, s.winner, s.reason,
    )  # fmt: skip


def meaning(s: State, answer: Answer) -> Answer:
    """An answer without the hexes on its way, which may be others in a mirror, except those with medals."""
    if answer[0] not in ("move", "exit", "retreat"):
        return answer
    side = s.setup.side[s.occupant[answer[1]]]
    medals = tempting_hexes(s, side).keys() & set(answer[2:])
    return (answer[0], answer[1], answer[-1], tuple(sorted(medals)))
