"""Who may attack whom, and with how many dice (rules R49-R66, R88, R129)."""

from __future__ import annotations

from engine.answers import Answer
from engine.state import FOUGHT, NOBODY, SPENT, State
from engine.terrain import ARTILLERY, FEATURES, INFANTRY, SANDBAGS, WIRE

# Faces of the battle die (R14). The die has two infantry faces; the engine knows the five symbols.
FACES: tuple[str, ...] = ("infantry", "armor", "grenade", "flag", "star")
INFANTRY_FACE, ARMOR_FACE, GRENADE, FLAG, STAR = range(5)
# What each side of the physical die shows, for whoever rolls one.
DIE: tuple[int, ...] = (INFANTRY_FACE, INFANTRY_FACE, ARMOR_FACE, GRENADE, FLAG, STAR)

_SANDBAG_COVER = FEATURES["sandbags"].protection
_WIRE_PENALTY = FEATURES["wire"].penalty


def protection(s: State, arm: int, attacker_hex: int, target: int) -> int:
    """Dice the target's hex takes from an attacker of an arm: the single largest cover (R62)."""
    board = s.setup.board
    h = s.pos[target]
    cover = board.protection[s.setup.side[target]][arm][h]
    if s.marks[h] & SANDBAGS and _SANDBAG_COVER[arm] > cover:
        cover = _SANDBAG_COVER[arm]
    height = board.height[h]
    if height > cover and arm != ARTILLERY:  # R64, R65
        ours, theirs = board.elevation[attacker_hex], board.elevation[h]
        if ours < theirs or (board.old and ours != theirs):  # V61
            cover = height
    return cover


def own_penalty(s: State, arm: int, h: int) -> int:
    """Dice an attacker loses by the hex it stands in: only the larger of two (R61, R63)."""
    penalty = s.setup.board.penalty[arm][h]
    if s.marks[h] & WIRE and _WIRE_PENALTY[arm] > penalty:
        return _WIRE_PENALTY[arm]
    return penalty


def dice_for(s: State, unit: int, target: int, bonus: int) -> int:
    """Dice a unit rolls against another, bonus of a card included; below 1 means no attack (R60)."""
    setup = s.setup
    h = s.pos[unit]
    table = setup.types[unit].dice
    distance = setup.grid.near[h][s.pos[target]]
    if distance > len(table):
        return 0  # R59
    arm = setup.arm[unit]
    return table[distance - 1] + bonus - own_penalty(s, arm, h) - protection(s, arm, h, target)


def bonus_for(s: State, *, close: bool) -> int:
    """Extra dice that the order in force gives an attack (R66, C6)."""
    rule = s.rule
    if rule is None:
        return 0
    bonus = rule.close_bonus if close else rule.far_bonus
    if bonus and s.phase == "overrun" and rule.close_only and not s.setup.options.close_assault_overrun:
        return 0  # X4, C26b
    return bonus


def may_battle(s: State, unit: int) -> bool:
    """Whether an ordered unit may still battle this turn, targets apart."""
    acts = s.acts[unit]
    h = s.pos[unit]
    if h == NOBODY or acts & (SPENT | FOUGHT) or s.setup.board.sea[h]:
        return False  # R44, R50, T23b
    rule = s.rule
    return rule is None or rule.battles


def targets(s: State, unit: int) -> list[int]:
    """Enemy units in range that the unit may choose, whatever dice it would roll (R53, R54, R58, R67)."""
    setup = s.setup
    h = s.pos[unit]
    occupant, sides = s.occupant, setup.side
    side = sides[unit]
    near = []
    for n in setup.grid.neighbours[h]:
        other = occupant[n]
        if other != NOBODY and sides[other] != side:
            near.append(other)
    rule = s.rule
    if near:
        if rule is not None and rule.far_only:
            return []  # C30b
        near.sort()
        return near
    if rule is not None and rule.close_only and s.phase != "overrun":
        return []  # C26a
    kind = setup.types[unit]
    reach = len(kind.dice)
    row, pos, sight = setup.grid.near[h], s.pos, setup.sight
    found = []
    for other in setup.army[1 - side]:
        place = pos[other]
        if place == NOBODY or row[place] > reach:
            continue
        if kind.needs_sight:
            if not sight.sees(h, place, occupant):
                continue
            if kind.arm == INFANTRY and not sight.same_bank(h, place):
                continue
        elif not sight.may_shell(h, place):
            continue
        found.append(other)
    return found


def attacks_of(s: State, unit: int) -> list[Answer]:
    """The attacks one unit may declare now."""
    h = s.pos[unit]
    pos = s.pos
    row = s.setup.grid.near[h]
    found: list[Answer] = []
    for target in targets(s, unit):
        place = pos[target]
        if dice_for(s, unit, target, bonus_for(s, close=row[place] == 1)) > 0:
            found.append(("attack", h, place))
    return found


def legal_battles(s: State) -> tuple[Answer, ...]:
    """All attacks of all ordered units, and wire that may be removed instead (T42c)."""
    found: list[Answer] = []
    for unit in s.orders:
        if not may_battle(s, unit):
            continue
        found += attacks_of(s, unit)
        h = s.pos[unit]
        if s.marks[h] & WIRE and s.setup.types[unit].arm in FEATURES["wire"].clearable:
            found.append(("clear", h))
    return tuple(found)


def hits(s: State, target: int, faces: tuple[int, ...], *, stars: bool) -> int:
    """How many of the dice hit the target (R88, R89)."""
    arm = s.setup.arm[target]
    own = (INFANTRY_FACE, ARMOR_FACE, GRENADE)[arm]
    return sum(1 for f in faces if f in (own, GRENADE) or (stars and f == STAR))


def can_ignore(s: State, unit: int) -> bool:
    """Whether a unit's hex lets it ignore a flag; sources never add up (R100)."""
    setup = s.setup
    h = s.pos[unit]
    if s.marks[h] & SANDBAGS:
        return True
    return bool(setup.board.flag[setup.side[unit]][setup.arm[unit]][h])


def could_ambush(s: State, unit: int, attacker: int) -> bool:
    """Whether a unit that is close-assaulted could battle first (C21f); card bonuses never help it (C21h)."""
    if s.setup.board.sea[s.pos[unit]]:
        return False
    return dice_for(s, unit, attacker, 0) > 0
