"""What a position is worth to one side: the arithmetic behind the Sergeant (bot.py).

All values are whole numbers on one scale, on which a medal is worth about 150. An `Appraisal` looks at one
state from one side, remembers what it has worked out, and never looks at a hand.
"""

from __future__ import annotations

from functools import cache
from math import comb

from engine.answers import Answer
from engine.cards import Card
from engine.combat import (
    ARMOR_FACE,
    DIE,
    FLAG,
    GRENADE,
    INFANTRY_FACE,
    STAR,
    attacks_of,
    bonus_for,
    can_ignore,
    dice_for,
    may_battle,
)
from engine.movement import make_move, unit_moves
from engine.retreat import routes
from engine.state import NOBODY, State
from engine.terrain import ARMOR, ARTILLERY, SANDBAGS

UNIT = 90  # what all figures of a unit are worth together ...
KILL = 60  # ... and for each medal, what the last of them adds
DECISIVE = 400  # the kill or hex that wins the game
FLAG_WORTH = 5
SIDES_OF_DIE = len(DIE)
WORRY = 90  # turns after which danger no longer frightens anybody, so that no game stands still

# Sides of the die that hit a unit of each arm (R88).
HIT_SIDES: tuple[int, ...] = tuple(
    sum(1 for face in DIE if face in (own, GRENADE)) for own in (INFANTRY_FACE, ARMOR_FACE, GRENADE)
)
FLAG_SIDES, STAR_SIDES = DIE.count(FLAG), DIE.count(STAR)


@cache
def damage(dice: int, sides: int, figures: int, strength: int, prize: int) -> int:
    """The worth of some dice against a unit: figures it should lose, and the chance that they are all."""
    worth = 0
    for hits in range(1, dice + 1):
        ways = comb(dice, hits) * sides**hits * (SIDES_OF_DIE - sides) ** (dice - hits)
        worth += ways * (min(hits, figures) * UNIT // strength + (prize if hits >= figures else 0))
    return int(worth // SIDES_OF_DIE**dice)


class Appraisal:
    """One state seen by one side."""

    def __init__(self, state: State, side: int) -> None:
        self.state = state
        self.side = side
        self.enemies = state.units_of(1 - side)
        self._danger: dict[tuple[int, int], tuple[int, ...]] = {}
        self._ways: dict[int, list[int]] = {}
        self._gains: dict[tuple[int, str], int] = {}
        self._medal_hexes = self._find_medal_hexes()

    def _find_medal_hexes(self) -> dict[int, int]:
        """Hexes that are objectives, with what standing there is worth: own ones more than the enemy's."""
        found: dict[int, int] = {}
        for o in self.state.setup.objectives:
            if o.kind == "exit":
                continue
            lasting = o.kind in ("permanent", "last-to-occupy", "sudden-death")
            ours, theirs = o.sides >> self.side & 1, o.sides >> (1 - self.side) & 1
            if lasting and self.state.held[o.number] == self.side:
                ours = 0
            if o.kind == "permanent" and self.state.held[o.number] != NOBODY:
                theirs = 0
            medals = 3 if o.kind == "sudden-death" else o.medals
            worth = (90 * ours + 45 * theirs) * medals // o.need
            if o.kind == "majority":
                worth = worth * 2 // (1 + len(o.hexes) // 2)
            for h in o.hexes:
                found[h] = found.get(h, 0) + worth
        return found

    # Attacks

    def prize(self, unit: int) -> int:
        """What the last figure of a unit is worth to its enemy."""
        s = self.state
        enemy = 1 - s.setup.side[unit]
        if s.setup.types[unit].tokens:
            return KILL // 2
        worth = s.setup.worth[unit]
        return KILL * worth + (DECISIVE if s.total(enemy) + worth >= s.setup.target[enemy] else 0)

    def shot(self, t: State, unit: int, target: int, dice: int, *, stars: bool = False) -> int:
        """What rolling some dice at a unit is worth; `unit` is NOBODY for the attack of a card."""
        setup = t.setup
        arm = setup.arm[target]
        sides = HIT_SIDES[arm] + (STAR_SIDES if stars else 0)
        worth = damage(dice, sides, t.figures[target], setup.strength[target], self.prize(target))
        h = t.pos[target]
        push = FLAG_WORTH + self._medal_hexes.get(h, 0) // 2
        if unit != NOBODY and can_ignore(t, target):
            push = push // 3
        elif routes(t, target, 1)[1]:
            push += UNIT // setup.strength[target]  # nowhere to go: a flag is a hit (R97)
        return worth + dice * push * FLAG_SIDES // SIDES_OF_DIE

    def best_attack(self, t: State, unit: int) -> tuple[int, Answer | None]:
        """The best attack of a unit in a state and its worth."""
        best: tuple[int, Answer | None] = (0, None)
        for attack in attacks_of(t, unit):
            worth = self.attack_worth(t, attack)
            if worth > best[0]:
                best = (worth, attack)
        return best

    def attack_worth(self, t: State, attack: Answer) -> int:
        """What an attack is worth."""
        _, here, there = attack
        unit, target = t.occupant[here], t.occupant[there]
        close = t.setup.grid.near[here][there] == 1
        return self.shot(t, unit, target, dice_for(t, unit, target, bonus_for(t, close=close)))

    # Places

    def danger(self, unit: int, h: int) -> int:
        """What the enemy may do next turn to a unit that stands on a hex."""
        s = self.state
        arm = s.setup.arm[unit]
        threats = self._danger.get((h, arm))
        if threats is None:
            threats = self._danger[h, arm] = self._threats(unit, h)
        if not threats:
            return 0
        figures, strength, prize = s.figures[unit], s.setup.strength[unit], self.prize(unit)
        total = sum(damage(dice, HIT_SIDES[arm], figures, strength, prize) for dice in threats)
        return total * max(0, WORRY - s.turn) // (3 * WORRY)

    def _threats(self, unit: int, h: int) -> tuple[int, ...]:
        """The dice of the three enemies that could hurt most on a hex."""
        s = self.state
        setup = s.setup
        row = setup.grid.near[h]
        cover = setup.board.protection[self.side]
        bags = bool(s.marks[h] & SANDBAGS) and s.pos[unit] == h
        height = setup.board.height[h]
        found = []
        for enemy in self.enemies:
            kind = setup.types[enemy]
            distance = max(1, row[s.pos[enemy]] - kind.march)
            if distance > len(kind.dice):
                continue
            shield = cover[kind.arm][h]
            if kind.arm != ARTILLERY:
                shield = max(shield, height, int(bags))
            if (dice := kind.dice[distance - 1] - shield) > 0:
                found.append(dice)
        found.sort(reverse=True)
        return tuple(found[:3])

    def place(self, unit: int, h: int) -> int:
        """What it is worth to have a unit on a hex: objectives, cover, and the way to what it is after."""
        setup = self.state.setup
        arm = setup.arm[unit]
        worth = self._medal_hexes.get(h, 0) - self.danger(unit, h)
        ways = self._ways.get(arm)
        if ways is None:
            ways = self._ways[arm] = self._find_ways(arm)
        if arm == ARTILLERY:
            return worth - ways[h] - self._tanks_near(h)
        return worth - 4 * ways[h]

    def _tanks_near(self, h: int) -> int:
        """How much a gun should dislike a hex for the tanks and infantry close to it."""
        s = self.state
        row = s.setup.grid.near[h]
        dislike = 0
        for enemy in self.enemies:
            distance = row[s.pos[enemy]]
            close = 4 if s.setup.arm[enemy] == ARMOR else 2
            dislike += 15 * max(0, close - distance)
        return dislike

    def _find_ways(self, arm: int) -> list[int]:
        """For every hex, the number of steps to the nearest goal; enemy units count as farther goals."""
        setup = self.state.setup
        steps = setup.board.steps[arm]
        far = setup.grid.size
        ways = [far] * far
        layers: list[list[int]] = [[] for _ in range(far + 8)]
        for o in setup.objectives:
            if not o.sides >> self.side & 1 or (o.kind != "exit" and self.state.held[o.number] == self.side):
                continue
            layers[0] += o.hexes
        layers[3] += [self.state.pos[enemy] for enemy in self.enemies]
        for count, layer in enumerate(layers):
            for h in layer:
                if ways[h] <= count:
                    continue
                ways[h] = count
                layers[count + 1] += [n for n, _ in steps[h] if ways[n] > count + 1]
        return [min(way, 30) for way in ways]

    # Orders

    def move_worth(self, move: Answer, rule: Card | None) -> int:
        """What a move is worth, the attack after it included, beside standing where the unit stands now."""
        s = self.state
        unit = s.occupant[move[1]]
        t = s.copy()
        t.rule = rule
        make_move(t, move)
        if t.winner >= 0:
            return DECISIVE if t.winner == self.side else -DECISIVE
        gained = 150 * (t.score[self.side] - s.score[self.side])  # exits
        if t.pos[unit] == NOBODY:
            return gained - self.place(unit, move[1])
        worth = gained + self.place(unit, move[-1]) - self.place(unit, move[1])
        if may_battle(t, unit):
            worth += self.best_attack(t, unit)[0]
        return worth

    def stay_worth(self, unit: int, rule: Card | None) -> int:
        """What ordering a unit is worth if it stays where it is."""
        t = self.state.copy()
        t.rule = rule
        return self.best_attack(t, unit)[0] if may_battle(t, unit) else 0

    def gain(self, unit: int, rule: Card) -> int:
        """What ordering a unit under a card is worth."""
        key = (unit, rule.key if rule.tactic else "")  # section cards leave units as they are
        found = self._gains.get(key)
        if found is None:
            found = self._gains[key] = self._gain(unit, rule)
        return found

    def _gain(self, unit: int, rule: Card) -> int:
        s = self.state
        if rule.play == "dig_in":
            return 0 if s.marks[s.pos[unit]] & SANDBAGS else 8 + self.danger(unit, s.pos[unit]) // 2
        t = s.copy()
        t.rule = rule
        best = self.stay_worth(unit, rule) * rule.attacks
        for move in unit_moves(t, unit):
            best = max(best, self.move_worth(move, rule))
        return best
