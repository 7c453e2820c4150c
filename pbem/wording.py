"""The terms of a game and its moments in plain words, the same in every command."""

from __future__ import annotations

from typing import Any

from engine import chance, is_over
from engine.battle import SIDES
from pbem.draw.picture import SIDE_NAMES
from pbem.draw.words import count
from pbem.referee import Referee
from pbem.ruleset import Match

DICE = {
    "sealed": "Dice: sealed. They fall when the other player opens a file, from secrets of both: nobody can"
    " look ahead, roll again or choose. You give your attack orders before you see them.",
    "instant": "Dice: instant. They fall at once, and a whole turn fits into one file. A modified program"
    " could look at the dice before it decides, and nobody would notice: for friends, not for prizes.",
}
RETREAT = {
    "live": "Retreats: live. The defender chooses when opening the file. A modified program could know the"
    " remaining dice of that turn before it chooses.",
    "sheet": "Retreats: sheet. The defender's preferences are sealed before the dice fall. Nothing leaks, and"
    " nobody can change their mind.",
    "strict": "Retreats: strict. A real choice of the defender ends the file, and the rest of the turn is"
    " rolled with fresh secrets. Nothing leaks; it takes more mails.",
    "stand": "Retreats: by standing orders, which both can read.",
}
TRUST = {
    "instant": "instant dice: a modified program of the attacker could look ahead",
    "live": "live retreats: a modified program of the defender could know the turn's remaining dice",
}
ATTACKS = "the dice of the attacks that were ordered"
ROLLS = {
    "medics": "the dice of Medics & Mechanics",
    "finest-hour": "the dice of Their Finest Hour",
    "drift": "the dice of the airdrop",
}
# Why a battle has ended where medals do not say it, the same for both sides.
ENDINGS = {
    "resigned": "by resignation",
    "elimination": "one side has no unit left",
    "sudden-death": "the objective that decides the battle was taken",
    "no-cards": "nobody has a card left",
    "deck-exhausted": "the deck is used up",
}
# Options of the rules: a sentence for each value, or one with a gap for all; docs/commands.md lists them.
OPTION_WORDS: dict[str, str | dict[str, str]] = {
    "edition": "The rules are those of the {} edition.",
    "deck": "The command deck is the {} one.",
    "hand": "Every player holds {} command cards.",
    "take_ground": {"yes": "Ground is taken after battles.", "no": "Nobody takes ground after a battle."},
    "reshuffle": {"yes": "An empty deck is shuffled again.", "no": "The deck is used once."},
    "exhausted_winner": "When a card is due and none is left, the {} win.",
    "air_dice": "Air Power rolls {} dice for the Allies/Axis.",
    "sandbag_supply": "There are {} sandbags.",
    "air_power_group": {
        "connected": "Air Power bombs units that are all connected.",
        "chain": "Air Power bombs a chain of units, each next to the one before.",
    },
    "counter_infantry": {
        "none": "A Counter-Attack on Infantry Assault orders nobody in a section without infantry.",
        "one": "A Counter-Attack on Infantry Assault orders one unit in a section without infantry.",
    },
    "close_assault_overrun": {
        "yes": "The extra die of Close Assault counts in an overrun too.",
        "no": "The extra die of Close Assault does not count in an overrun.",
    },
    "behind_lines_battle": {
        "limited": "Behind Enemy Lines keeps to the terrain's limits on battle.",
        "free": "Behind Enemy Lines battles wherever it stands, whatever the terrain says.",
    },
    "retreat_losses": {
        "after": "Figures that cannot retreat are lost after the steps that are possible.",
        "before": "Figures that cannot retreat are lost before the steps that are possible.",
    },
    "bridges_join": {
        "yes": "A bridge next to a bridge counts as land.",
        "no": "A bridge next to a bridge counts as water.",
    },
}


def option_text(name: str, value: str) -> str:
    """What an option says, as a sentence."""
    words = OPTION_WORDS.get(name, f"{name}: {{}}.")
    return words[value] if isinstance(words, dict) else words.format(value)


def describe_terms(match: Match, seat: int) -> list[str]:
    """The terms of a game for the player at a seat, one paragraph each."""
    terms, battle = match.terms, match.battle
    side = SIDE_NAMES[match.army_of(seat)]
    first = "You move" if terms.first == seat else "The other player moves"
    medals = " and ".join(
        f"the {name} need {count(facts.medals, 'medal')}"
        for name, facts in zip(SIDE_NAMES, battle.sides, strict=True)
    )
    lines = [
        f"{battle.title}{f', {battle.date}' if battle.date else ''}. You lead the {side}."
        f" {first} first; {medals}.",
        DICE[terms.dice],
        RETREAT[terms.retreat],
    ]
    if match.clock is not None:
        days = "1 day" if match.clock == 1 else f"{match.clock} days"
        lines.append(f"Clock: {days} for every file. Who lets it run out can lose by a claim.")
    else:
        lines.append("Clock: none. Nobody loses by being slow.")
    lines += [option_text(name, text) for name, text in terms.extra["options"].items()]
    rules = battle.text.get("rules", "").splitlines()
    lines += [f"Special rule of this battle: {clean_words(rule)}" for rule in rules if rule]
    if not terms.mix:
        lines.append("Hands are not mixed: an attentive opponent can tell how long you have held a card.")
    return lines


def awaited_dice(referee: Referee) -> str:
    """Which dice of a sealed game wait for the answer to its last file, in a few words; "" for none."""
    state = referee.state
    if state is None or is_over(state) or referee.resigned >= 0 or not referee.sealed:
        return ""
    if chance(state) == "roll":
        assert state.roll is not None
        return ROLLS.get(state.roll.purpose, ATTACKS)
    # In a close assault the Ambush is asked for first; a plan may begin with an attack that lapses.
    planned = bool(referee.plan) and referee.active_side == referee.run_side
    return ATTACKS if state.phase == "react" or planned else ""


def open_assaults(referee: Referee) -> list[str]:
    """Hexes of the close assaults that an Ambush may still answer, and take back what followed (10.5)."""
    if referee.resigned >= 0 or referee.confirmed:
        return []
    fights = [(question.moment.now, question.moment.now.fight) for question in referee.questions]
    return list(dict.fromkeys(state.setup.grid.labels[fight.where] for state, fight in fights if fight))


def trusted_points(match: Match) -> list[str]:
    """What in this game rests on trust, a few words each; `trust.py` says it at length for reports."""
    found = [TRUST[word] for word in (match.terms.dice, match.terms.retreat) if word in TRUST]
    if not match.terms.sheet:
        found.append("no answer sheets: reactions such as Ambush cannot be played")
    return found


def clean_words(text: str) -> str:
    """A message as it may be printed: no control characters."""
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)


def result_text(referee: Referee) -> str:
    """How a game ended, in one sentence."""
    match = referee.match
    assert match is not None
    state = referee.now
    if referee.resigned >= 0:
        loser = match.army_of(match.terms.seats_of(referee.resigned)[0])
        return f"the {SIDE_NAMES[loser]} resigned, the {SIDE_NAMES[1 - loser]} have won"
    won, lost = state.medals(state.winner), state.medals(1 - state.winner)
    text = f"the {SIDE_NAMES[state.winner]} have won, {count(won, 'medal')} to {lost}"
    return f"{text}: {ENDINGS[state.reason]}" if state.reason in ENDINGS else text


def outcome_text(referee: Referee, seat: int) -> str:
    """How a decided battle ended for the player at a seat: "You have lost 3:4"."""
    match, state = referee.match, referee.now
    assert match is not None
    army = match.army_of(seat)
    text = (
        f"You have {'won' if state.winner == army else 'lost'} {state.medals(army)}:{state.medals(1 - army)}"
    )
    return f"{text} ({ENDINGS[state.reason]})" if state.reason in ENDINGS else text


def result_value(referee: Referee) -> dict[str, Any] | None:
    """The result as data; None while the game is not decided, or an Ambush may still undo its end."""
    if referee.winner < 0 or open_assaults(referee):
        return None
    match = referee.match
    assert match is not None
    side = match.army_of(match.terms.seats_of(referee.winner)[0])
    reason = "resigned" if referee.resigned >= 0 else referee.now.reason
    return {
        "winner": SIDES[side],
        "reason": reason,
        "words": ENDINGS.get(reason, ""),
        "medals": [referee.now.medals(0), referee.now.medals(1)],
        "signed_by_both": referee.confirmed and referee.resigned < 0,  # one signature is enough to resign
    }
