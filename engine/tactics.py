"""What a command card sets going: who may be ordered, and the procedures of the tactic cards (rules C1-C34).

A procedure is named by `Card.play` and ends by naming the phase that comes next.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from engine.answers import Answer
from engine.battle import CardUse
from engine.cards import CARDS, Card, mirrored
from engine.combat import ARMOR_FACE, INFANTRY_FACE, STAR
from engine.fight import strike
from engine.state import NOBODY, ORDERED, Roll, State
from engine.terrain import ALL, ARMOR, INFANTRY, SANDBAGS, Arm

DONE: Answer = ("done",)
CHAIRS = ("left", "center", "right")

# One unit of any kind, with nothing of the card's own (C3).
FALLBACK = Card(key="fallback", name="one unit", units=1)
# One unit of the section, where a mirrored Infantry Assault finds no infantry (X11).
FALLBACK_HERE = Card(key="fallback-here", name="one unit of the section", units=1)
MOST_AIR_TARGETS = 4


# Orders


def legal_orders(s: State) -> tuple[Answer, ...]:
    """The units that the order in force may still be given to (R31-R35)."""
    rule = s.rule
    assert rule is not None
    stripes, arms = _room(s, rule)
    if rule.arms is not ALL:
        arms &= sum(1 << arm for arm in rule.arms)
    if not stripes:
        return ()
    side, contact = s.side, rule.contact
    pos, acts, arm, sections = s.pos, s.acts, s.setup.arm, s.setup.board.sections
    found: list[Answer] = []
    for unit in s.setup.army[side]:
        h = pos[unit]
        if h == NOBODY or acts[unit] & ORDERED or not stripes >> sections[h] & arms >> arm[unit] & 1:
            continue
        if contact is None or s.enemy_near(h, side) is contact:
            found.append(("order", h))
    return tuple(found)


ANYWHERE = 0b11111111  # every set of sections
ANY_ARM = 0b111


def _room(s: State, rule: Card) -> tuple[int, int]:
    """Where one more unit may stand and which arm it may be: bit m stands for the set m of sections."""
    if rule.play == "finest_hour":
        return ANYWHERE, _arms_left(s)
    if rule.sections is not None:
        return _stripes_left(s, rule.sections), ANY_ARM
    if len(s.orders) >= rule.units:
        return 0, 0
    if s.section >= 0:  # Infantry Assault and what it falls back to
        return sum(1 << mask for mask in range(8) if mask >> s.section & 1), ANY_ARM
    return ANYWHERE, ANY_ARM


def _stripes_left(s: State, chair: tuple[int, int, int]) -> int:
    """The sets of sections in which one more unit finds a slot, as bits (R33)."""
    quotas, stripes = _plan(chair if s.setup.bottom[s.side] else chair[::-1])
    if stripes:  # an ordinary section card
        return stripes if len(s.orders) < max(quotas) else 0
    sections = s.setup.board.sections
    return _stripes_free(quotas, tuple(sorted(sections[s.origin[unit]] for unit in s.orders)))


@cache
def _stripes_free(quotas: tuple[int, ...], taken: tuple[int, ...]) -> int:
    """The sets of sections in which one more unit finds a slot beside those taken, as bits."""
    return sum(1 << mask for mask in (1, 2, 4, 3, 6) if _assignable(quotas, (*taken, mask)))


@cache
def _plan(quotas: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Orders per section from the west; where only one section has any, the sets of sections with it."""
    named = [where for where, count in enumerate(quotas) if count]
    if len(named) > 1:
        return quotas, 0
    return quotas, sum(1 << mask for mask in range(8) if mask >> named[0] & 1)


def _assignable(quotas: tuple[int, ...], masks: tuple[int, ...]) -> bool:
    """Whether every unit finds a slot of a section it stands in (R33), by Hall's condition."""
    for subset in range(1, 8):
        room = sum(quotas[i] for i in range(3) if subset >> i & 1)
        if sum(1 for mask in masks if not mask & ~subset) > room:
            return False
    return True


def _arms_left(s: State) -> int:
    """The arms of which the dice of Their Finest Hour still cover one more unit, as bits (C34a)."""
    infantry, armor, stars = s.symbols
    arms = [s.setup.arm[u] for u in s.orders]
    fits = 0
    for arm in Arm:
        more = [*arms, arm]
        foot, tanks = more.count(INFANTRY), more.count(ARMOR)
        rest = len(more) - foot - tanks
        if max(0, foot - infantry) + max(0, tanks - armor) + rest <= stars:
            fits |= 1 << arm
    return fits


def give_order(s: State, h: int) -> None:
    """Order the unit on a hex."""
    unit = s.occupant[h]
    s.orders = (*s.orders, unit)
    s.mark(unit, ORDERED)
    s.log.append(("ordered", unit, h))


def orders_given(s: State) -> None:
    """All orders are named: go on to what the units do."""
    rule = s.rule
    assert rule is not None
    s.phase = "move" if s.orders else "finish"
    if rule.play == "dig_in":
        dig_in(s)
        s.phase = "finish"  # C28c


# Playing a card


def begin_order(s: State, key: str, section: int, use: int = -1) -> None:
    """Start carrying out a card's order; remember it for a Counter-Attack (C27)."""
    card = CARDS[key]
    if use < 0:
        remember(s, (key, section))
    s.order, s.section, s.use, s.rule = key, section, use, card
    PLAYS[card.play](s)


def begin_use(s: State, key: str, becomes: str) -> None:
    """Play a card in another way that the battle allows; a Counter-Attack would copy the card itself."""
    real = order_of(s, key)
    use = next(n for n in card_uses(s, key) if s.setup.battle.card_uses[n].becomes == becomes)
    remember(s, (real, -1))
    begin_order(s, becomes, use_section(s, real, s.setup.battle.card_uses[use]), use)


def remember(s: State, order: tuple[str, int] | None) -> None:
    """What the active side's turn leaves to be copied (C27)."""
    last = list(s.last)
    last[s.side] = order
    s.last = tuple(last)


def copied_order(s: State) -> tuple[str, int] | None:
    """The order and section that a Counter-Attack would repeat now; Ambush is never copied (C27f)."""
    order = s.last[1 - s.side]
    if order is None or CARDS[order[0]].reaction:
        return None
    return mirrored(order[0]), order[1]


def order_of(s: State, key: str) -> str:
    """The key of the order a card would carry out: its own, or what a Counter-Attack copies."""
    copied = copied_order(s) if CARDS[key].play == "counter_attack" else None
    return copied[0] if copied else key


def card_uses(s: State, key: str) -> list[int]:
    """Other uses of a card, or of the card it copies, that the battle allows the active side now."""
    real = order_of(s, key)
    name, _, where = real.rpartition("-")
    if where not in CHAIRS:
        name = real
    return [n for n, use in enumerate(s.setup.battle.card_uses) if use.card == name and _allowed(s, use)]


def _allowed(s: State, use: CardUse) -> bool:
    side = s.side
    if use.side is not None and use.side != ("allies", "axis")[side]:
        return False
    if not use.while_holding:
        return True
    for label in use.while_holding:
        unit = s.occupant[s.setup.grid.parse(label)]
        if unit != NOBODY and s.setup.side[unit] == side:
            return True
    return False


def use_section(s: State, key: str, use: CardUse) -> int:
    """The section, from the west, that a card played in another way is bound to; -1: none."""
    where = key.rpartition("-")[2]
    if not use.in_section or where not in CHAIRS:
        return -1
    return s.setup.chair_section(s.side, CHAIRS.index(where))


def _has(s: State, card: Card) -> bool:
    """Whether the active side has any unit the card speaks of on the board (C3, C4)."""
    return any(s.setup.arm[unit] in card.arms for unit in s.units_of(s.side))


def _play_orders(s: State) -> None:
    card = s.rule
    assert card is not None
    if card.fallback and not _has(s, card):
        s.rule = FALLBACK
    s.phase = "order"


def _play_section(s: State) -> None:
    """Infantry Assault: the player names a section, unless a Counter-Attack has fixed it (C27b, C31)."""
    card = s.rule
    assert card is not None
    if not _has(s, card):
        s.rule, s.section = FALLBACK, -1
        s.phase = "order"
    elif s.section < 0:
        s.phase = "section"
    else:
        s.phase = "order"
        if s.setup.options.counter_infantry == "one" and not legal_orders(s):
            s.rule = FALLBACK_HERE  # X11, C27g


def choose_section(s: State, chair: str) -> None:
    """The active player names the section of an Infantry Assault."""
    s.section = s.setup.chair_section(s.side, CHAIRS.index(chair))
    if s.use < 0:
        remember(s, (s.order, s.section))
    s.log.append(("section", s.section))
    s.phase = "order"


def _play_counter(s: State) -> None:
    """Counter-Attack: carry out what the opponent's last card ordered, seen from the own chair (C27)."""
    copied = copied_order(s)
    if copied is None:
        remember(s, None)
        s.log.append(("no-effect", "counter-attack"))
        s.phase = "finish"  # C27e
        return
    s.log.append(("copies", copied[0]))
    begin_order(s, *copied)


def _play_nothing(s: State) -> None:
    s.phase = "finish"


def _play_target(s: State) -> None:
    s.targets = ()
    s.phase = "target"


def _play_medics(s: State) -> None:
    s.phase = "heal"


def _play_finest_hour(s: State) -> None:
    s.roll = Roll(s.active, cards_held(s), 6, "finest-hour")
    s.phase = "roll"


def cards_held(s: State) -> int:
    """Cards the active player holds, the one on the table included (C8)."""
    return len(s.hands[s.active]) - s.fresh[s.active] // 2 + 1


PLAYS: dict[str, Callable[[State], None]] = {
    "orders": _play_orders,
    "section_orders": _play_section,
    "behind_lines": _play_orders,
    "dig_in": _play_orders,
    "counter_attack": _play_counter,
    "air_power": _play_target,
    "barrage": _play_target,
    "medics": _play_medics,
    "finest_hour": _play_finest_hour,
    "nothing": _play_nothing,
}


# Air Power and Barrage


def ask_target(s: State) -> tuple[Answer, ...] | None:
    """The enemy units a card attack may choose, or choose next (C20, C24)."""
    setup = s.setup
    air = s.order == "air-power"
    found: list[Answer] = []
    for unit in s.units_of(1 - s.side):
        h = s.pos[unit]
        if unit in s.targets or (s.section >= 0 and not setup.board.sections[h] >> s.section & 1):
            continue
        if not s.targets or any(setup.grid.near[h][s.pos[t]] == 1 for t in _partners(s)):
            found.append(("target", h))
    if not found or len(s.targets) == MOST_AIR_TARGETS:
        s.phase = "strike" if s.targets else "finish"  # nobody in the section: no effect (C3)
        return None
    return (*found, DONE) if air and s.targets else tuple(found)


def _partners(s: State) -> tuple[int, ...]:
    """The chosen units of which the next one must touch one (C20a, X10)."""
    return s.targets[-1:] if s.setup.options.air_power_group == "chain" else s.targets


def choose_target(s: State, answer: Answer) -> None:
    """Choose a unit, or have chosen enough."""
    if answer == DONE:
        s.phase = "strike"
        return
    unit = s.occupant[answer[1]]
    if s.order == "barrage":
        strike(s, "barrage", unit, 4)
        return
    s.log.append(("targeted", unit, answer[1]))
    s.targets = (*s.targets, unit)


def ask_strike(s: State) -> tuple[Answer, ...] | None:
    """Which of the chosen units is attacked next; the last one is not asked for (C20b)."""
    left = tuple(unit for unit in s.targets if s.pos[unit] != NOBODY)
    if not left:
        s.targets = ()
        s.phase = "finish"
        return None
    if len(left) == 1 or s.setup.by_mail:  # by mail in the order in which they were named
        make_strike(s, left[0])
        return None
    return tuple(("strike", s.pos[unit]) for unit in left)


def make_strike(s: State, unit: int) -> None:
    """Bomb one unit."""
    s.targets = tuple(other for other in s.targets if other != unit)
    dice = s.setup.air_dice[s.side]
    if s.use >= 0:
        dice = s.setup.battle.card_uses[s.use].dice or dice
    strike(s, "air", unit, dice)


# Dig-In, Medics & Mechanics, Their Finest Hour


def dig_in(s: State) -> None:
    """Lay a sandbag on the hex of every ordered unit that can use one (C28)."""
    setup = s.setup
    for unit in s.orders:
        h = s.pos[unit]
        walled = any(row.key == "sea-wall" for row in setup.board.fixed[h])
        if setup.board.sea[h] or s.marks[h] & SANDBAGS or walled:
            continue  # C28a
        if sum(1 for marks in s.marks if marks & SANDBAGS) >= setup.options.sandbag_supply:
            s.log.append(("no-effect", "sandbags"))
            return  # C28b
        s.lay(h, SANDBAGS)
        s.log.append(("dug-in", unit, h))


def ask_heal(s: State) -> tuple[Answer, ...] | None:
    """The units that Medics & Mechanics may help (C32)."""
    found = tuple(
        ("heal", s.pos[unit])
        for unit in s.units_of(s.side)
        if s.figures[unit] < s.setup.strength[unit] and not s.setup.types[unit].vehicle
    )
    if not found:
        s.log.append(("no-effect", "medics-and-mechanics"))
        s.phase = "finish"  # C32b
        return None
    return (*found, DONE)


def choose_heal(s: State, answer: Answer) -> None:
    """Choose the unit and ask for the dice."""
    if answer == DONE:
        s.phase = "finish"
        return
    s.focus = s.occupant[answer[1]]
    s.roll = Roll(s.active, cards_held(s), 6, "medics")
    s.phase = "roll"


def heal(s: State, faces: tuple[int, ...]) -> None:
    """Return figures to the unit; one that recovered is ordered (C32)."""
    unit = s.focus
    own = {INFANTRY: INFANTRY_FACE, ARMOR: ARMOR_FACE}.get(s.setup.types[unit].arm, STAR)
    count = sum(1 for face in faces if face in (own, STAR))
    back = min(count, s.setup.strength[unit] - s.figures[unit])
    s.log.append(("rolled", "medics", unit, faces, back, 0))
    s.phase = "finish"
    if back:
        s.set_figures(unit, s.figures[unit] + back)
        s.log.append(("healed", unit, back, s.figures[unit]))
        give_order(s, s.pos[unit])
        s.phase = "move"


def finest_hour(s: State, faces: tuple[int, ...]) -> None:
    """Turn the dice of Their Finest Hour into orders (C34)."""
    s.symbols = (faces.count(INFANTRY_FACE), faces.count(ARMOR_FACE), faces.count(STAR))
    s.log.append(("rolled", "finest-hour", NOBODY, faces, 0, 0))
    s.phase = "order"
