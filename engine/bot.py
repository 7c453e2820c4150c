"""Players made of rules of thumb: each answers the pending decision of a seat with one of its legal answers.

A bot is a function of a state as its seat sees it (`view`) and of a source of luck; it keeps nothing in
between. "random" takes any answer, "busy" never ends a phase while it can act, "sergeant" weighs what
answers are worth with `Appraisal` and takes the best.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.answers import Answer
from engine.appraisal import UNIT, Appraisal
from engine.cards import CARDS, Card
from engine.combat import attacks_of, dice_for
from engine.croupier import Luck
from engine.hands import card_of
from engine.movement import can_enter_at_all, enter
from engine.retreat import routes
from engine.state import HIDDEN, NOBODY, State
from engine.tactics import CHAIRS, cards_held
from engine.terrain import SANDBAGS
from engine.turn import apply, chance, hand_keys, legal

Bot = Callable[[State, Luck], Answer]
Opinion = Callable[[Appraisal, Answer], int]

ENDS = ("done", "pass", "stay")  # answers that end a phase; always the last of the list, or the only one


def can_give(state: State) -> tuple[Answer, ...]:
    """The legal answers that the seat asked can give: of cards, only those it knows that it holds.

    By mail the newest cards are still hidden from their owner, and `legal` then lists all they may be.
    """
    answers = legal(state)
    if HIDDEN not in state.hands[state.seat]:
        return answers
    held = hand_keys(state, state.seat)
    if state.phase == "choose":
        held = held[len(held) - state.fresh[state.seat] :]
    elif state.phase == "react":
        held = held[: len(held) - state.fresh[state.seat]]
    known = tuple(a for a in answers if a[0] not in ("card", "discard") or a[1] in held)
    return known or answers


def pick(answers: tuple[Answer, ...], luck: Luck) -> Answer:
    """One of some answers."""
    return answers[int(luck.random() * len(answers))]


def random_bot(state: State, luck: Luck) -> Answer:
    """Any answer."""
    return pick(can_give(state), luck)


def busy_bot(state: State, luck: Luck) -> Answer:
    """Any answer that does something, if there is one."""
    answers = can_give(state)
    return pick(tuple(a for a in answers if a[0] not in ENDS) or answers, luck)


def sergeant(state: State, luck: Luck) -> Answer:
    """The answer that seems worth most; luck decides between equals."""
    answers = can_give(state)
    if len(answers) == 1:
        return answers[0]
    view = Appraisal(state, state.setup.seats[state.seat].side)
    opinion = OPINIONS[state.phase]
    best: list[Answer] = []
    most = 0
    for answer in answers:
        worth = opinion(view, answer)
        if not best or worth > most:
            best, most = [answer], worth
        elif worth == most:
            best.append(answer)
    return pick(tuple(best), luck)


BOTS: dict[str, Bot] = {"random": random_bot, "busy": busy_bot, "sergeant": sergeant}


# Cards

# What is lost by giving a card away now: strong cards wait for a worthy moment.
PRICE: dict[str, int] = {"recon": 0, "probe": 6, "attack": 14, "assault": 24}
TACTIC_PRICE = 30
MAX_ORDERS = 12  # more orders than this are not looked at when a card is weighed


def name_of(key: str) -> str:
    """A card's name without its section: "probe" for "probe-left"."""
    name, _, where = key.rpartition("-")
    return name if where in CHAIRS else key


def card(view: Appraisal, answer: Answer) -> int:
    """What playing a card now is worth."""
    s = view.state
    if s.phase == "react":
        return ambush(view)
    row = CARDS[answer[1]]
    worth = order_worth(view, apply(s, answer).state)
    return worth - (TACTIC_PRICE if row.tactic else PRICE.get(name_of(row.key), 20))


def order_worth(view: Appraisal, t: State) -> int:
    """What an order that is being carried out is worth from here on."""
    if t.phase == "section":
        return max(order_worth(view, apply(t, answer).state) for answer in legal(t))
    if t.phase == "order":
        return _orders(view, t)
    if t.phase == "target":
        return max((_strikes(view, t, answer) for answer in legal(t) if answer[0] == "target"), default=0)
    if t.phase == "heal":
        return max(heal_worth(view, answer) for answer in legal(t))
    if chance(t) == "roll":  # Their Finest Hour: half of the dice give an order
        rule = t.rule
        assert rule is not None
        gains = sorted((view.gain(unit, rule) for unit in t.units_of(t.side)), reverse=True)
        return sum(max(0, gain) for gain in gains[: (cards_held(t) + 1) // 2])
    return 0


def _orders(view: Appraisal, t: State) -> int:
    total = 0
    for _ in range(MAX_ORDERS):
        if t.phase != "order":
            break
        rule = t.rule
        assert rule is not None
        best = max((a for a in legal(t) if a[0] == "order"), key=lambda a: _order(view, t, a, rule))
        worth = _order(view, t, best, rule)
        if worth <= 0:
            break
        total += worth
        t = apply(t, best).state
    return total


def _order(view: Appraisal, t: State, answer: Answer, rule: Card) -> int:
    return view.gain(t.occupant[answer[1]], rule)


def _strikes(view: Appraisal, t: State, answer: Answer) -> int:
    """What the attack of a card on a unit, and for Air Power on those around it, is worth."""
    target = t.occupant[answer[1]]
    if t.order == "barrage":
        return view.shot(t, NOBODY, target, 4)
    near = t.setup.grid.near[answer[1]]
    dice = air_dice(t)
    own = view.shot(t, NOBODY, target, dice, stars=True)
    around = sorted(
        (
            view.shot(t, NOBODY, enemy, dice, stars=True)
            for enemy in view.enemies
            if near[t.pos[enemy]] == 1 and enemy not in t.targets
        ),
        reverse=True,
    )
    return own + sum(around[:3])


def air_dice(s: State) -> int:
    """The dice of an air attack on each target."""
    use = s.setup.battle.card_uses[s.use] if s.use >= 0 else None
    return (use.dice if use else None) or s.setup.air_dice[s.side]


def ambush(view: Appraisal) -> int:
    """What battling first is worth."""
    s = view.state
    fight = s.fight
    assert fight is not None
    dice = dice_for(s, fight.target, fight.attacker, 0)
    return view.shot(s, fight.target, fight.attacker, dice) + fight.dice * 4 - 25


def heal_worth(view: Appraisal, answer: Answer) -> int:
    """What Medics & Mechanics does for a unit."""
    if answer[0] == "done":
        return 0
    s = view.state
    unit = s.occupant[answer[1]]
    sides = (3, 2, 1)[s.setup.arm[unit]]  # of six: C32
    missing = s.setup.strength[unit] - s.figures[unit]
    back = min(6 * missing, sides * cards_held(s))
    return back * UNIT // (6 * s.setup.strength[unit]) + view.danger(unit, s.pos[unit])


def discard(view: Appraisal, answer: Answer) -> int:
    """How little a card of a Recon is wanted."""
    s = view.state
    row = card_of(s, s.seat, s.setup.decks[s.setup.seats[s.seat].deck].number[answer[1]])
    if row.sections is None:
        arms = [s.setup.arm[unit] for unit in s.units_of(view.side)]
        useful = sum(1 for arm in arms if arm in row.arms)
        return -(25 if useful else 8)
    chairs = row.sections if s.setup.bottom[view.side] else row.sections[::-1]
    sections = s.setup.board.sections
    units = [sections[s.pos[unit]] for unit in s.units_of(view.side)]
    return -sum(
        9 * min(quota, sum(1 for mask in units if mask >> where & 1)) for where, quota in enumerate(chairs)
    )


# Orders, moves and battles


def section(view: Appraisal, answer: Answer) -> int:
    """What naming a section is worth."""
    return order_worth(view, apply(view.state, answer).state)


def order(view: Appraisal, answer: Answer) -> int:
    """What ordering a unit is worth; an order that gains nothing is not given."""
    if answer[0] == "done":
        return 0
    rule = view.state.rule
    assert rule is not None
    return _order(view, view.state, answer, rule)


def move(view: Appraisal, answer: Answer) -> int:
    """What a move is worth beside standing still, where the unit might battle, too."""
    if answer[0] == "done":
        return 0
    rule = view.state.rule
    unit = view.state.occupant[answer[1]]
    return view.move_worth(answer, rule) - view.stay_worth(unit, rule)


def second_move(view: Appraisal, answer: Answer) -> int:
    """What going on after the battle is worth (C25)."""
    if answer[0] != "move":
        return 0 if answer[0] == "done" else 150
    unit = view.state.occupant[answer[1]]
    return view.place(unit, answer[-1]) - view.place(unit, answer[1])


def battle(view: Appraisal, answer: Answer) -> int:
    """What an attack is worth; wire is cleared only where there is nothing to attack."""
    if answer[0] == "attack":
        return 2 + view.attack_worth(view.state, answer)
    return 1 if answer[0] == "clear" else 0


def target(view: Appraisal, answer: Answer) -> int:
    """What choosing a unit for a card's attack is worth."""
    return 0 if answer[0] == "done" else _strikes(view, view.state, answer)


def strike(view: Appraisal, answer: Answer) -> int:
    """What attacking one of the chosen units next is worth."""
    s = view.state
    return view.shot(s, NOBODY, s.occupant[answer[1]], air_dice(s), stars=True)


# Flags and ground


def ignore(view: Appraisal, answer: Answer) -> int:
    """What is left of a unit if it ignores that many flags."""
    s = view.state
    fight = s.fight
    assert fight is not None
    unit = fight.target
    ignored: int = answer[1]
    ways, losses = routes(s, unit, fight.flags - ignored)
    if losses >= s.figures[unit]:
        return -view.prize(unit) - UNIT
    best = max(view.place(unit, way[-1]) for way in ways)
    return best - losses * UNIT // s.setup.strength[unit] + 3 * ignored


def retreat(view: Appraisal, answer: Answer) -> int:
    """What the place is worth that a retreat leads to."""
    fight = view.state.fight
    assert fight is not None
    return view.place(fight.target, answer[-1])


def ground(view: Appraisal, answer: Answer) -> int:
    """What advancing is worth, an overrun included."""
    if answer[0] == "stay":
        return 0
    s = view.state
    unit, where = s.focus, answer[1]
    worth = view.place(unit, where) - view.place(unit, s.pos[unit])
    if s.marks[s.pos[unit]] & SANDBAGS:
        worth -= 6
    if s.setup.types[unit].overruns:
        t = s.copy()
        t.shift(unit, where)
        enter(t, unit, where)
        t.phase = "overrun"
        worth += max((view.attack_worth(t, attack) for attack in attacks_of(t, unit)), default=0)
    return worth


def drop(view: Appraisal, answer: Answer) -> int:
    """How many places around a target a dropped unit can come down on safely; the battle's own is best."""
    s = view.state
    facts = s.setup.battle.airdrop
    assert facts is not None
    if facts.target is not None and s.setup.grid.parse(facts.target) == answer[1]:
        return 1000
    row, unit = s.setup.grid.near[answer[1]], facts.units[0]
    return sum(
        facts.steps + 1 - row[h]
        for h in range(s.setup.grid.size)
        if row[h] <= facts.steps and s.occupant[h] == NOBODY and can_enter_at_all(s.setup, unit, h)
    )


# Phase: what the Sergeant thinks of an answer there.
OPINIONS: dict[str, Opinion] = {
    "drop": drop,
    "card": card,
    "choose": discard,
    "section": section,
    "order": order,
    "target": target,
    "strike": strike,
    "heal": heal_worth,
    "move": move,
    "second-move": second_move,
    "battle": battle,
    "react": lambda view, answer: 0 if answer[0] == "pass" else card(view, answer),
    "ignore": ignore,
    "retreat": retreat,
    "ground": ground,
    "overrun": battle,
    "again": battle,
}
