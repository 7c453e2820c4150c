"""What is asked of a reader now, in one sentence, and the command to type.

A player's own copy of the program can already see the dice that fall when their next file is sealed; the
question that follows from them is theirs alone until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine import NOBODY, State, is_over
from pbem.draw.words import count, listed
from pbem.errors import PbemError
from pbem.story.sentences import unit_name

if TYPE_CHECKING:
    from pbem.draft import Desk, Draft
    from pbem.log import Log
    from pbem.referee import Referee


class Asked(NamedTuple):
    """What is asked of somebody."""

    kind: str  # "accept", "decide", "confirm", "seal", "wait" or "over"
    text: str
    command: str = ""  # to type next; "" if nothing is to be done

    @property
    def is_due(self) -> bool:
        """Whether the reader has to do something."""
        return self.kind not in ("wait", "over")


# Phase: what its owner has to decide.
QUESTIONS: dict[str, str] = {
    "drop": "choose where your airborne units come down",
    "card": "play a command card",
    "section": "choose the section of your order",
    "order": "order your units",
    "target": "choose the target of your card",
    "strike": "choose the next unit to bomb",
    "heal": "choose the unit that gets figures back",
    "move": "move your units",
    "battle": "battle with your units",
    "overrun": "overrun with your armor, or leave it",
    "again": "battle a second time, or leave it",
    "ground": "take ground, or stay",
    "second-move": "move a second time, or stay",
    "choose": "discard one of the cards that you drew",
}


def asked_text(desk: Desk, key: str = "", *, draft: Draft | None = None) -> Asked:
    """What is asked of the player at a desk; `key` names the game in the command.

    Without a draft the question is the first one of the next file.
    """
    log, referee = desk.log, desk.referee
    if log.count == 1 and desk.seat == 1 and not log.ended:
        return Asked("accept", "You are invited to this game.", _command("accept", key))
    if not desk.is_next() or log.count < 2:
        return awaited_text(log, referee)
    from pbem.draft import Draft

    try:
        return question_of(draft or Draft(desk), key)
    except PbemError as problem:
        return Asked(
            "decide", f"It is your turn to write a file, but {problem.message}.", _command("status", key)
        )


def question_of(draft: Draft, key: str = "") -> Asked:
    """What a draft still needs."""
    from pbem.wording import outcome_text

    referee = draft.referee
    if draft.must_confirm:
        outcome = outcome_text(referee, draft.desk.seat)
        return Asked("confirm", f"{outcome}: sign the result.", _command("seal", key))
    if draft.is_decided:
        return Asked("seal", _sealing(draft), _command("seal", key))
    if draft.owes_plan or (draft.wants_plan and referee.plan):  # stopped, or broken off by an Ambush
        rest = "confirm your plan" if referee.plan else "end the turn"
        text = f"Your turn goes on: order the attacks that are left, or {rest}."
        return Asked("decide", text, _command("play", key))
    question = _question(draft.state, own_turn=draft.desk.side == referee.active_side)
    return Asked("decide", f"{question[:1].upper()}{question[1:]}.", _command("play", key))


def _sealing(draft: Draft) -> str:
    """What to say of a draft in which nothing is left to decide."""
    from pbem.wording import open_assaults, outcome_text

    referee, seat = draft.referee, draft.desk.seat
    assert referee.match is not None
    other = referee.match.called[1 - seat]
    if referee.resigned >= 0:
        return "You give the game up: sign your file and send it."
    if referee.confirmed:
        return f"{outcome_text(referee, seat)}: sign your file, and the result with it."
    if is_over(referee.now):
        outcome, doubts = outcome_text(referee, seat), open_assaults(referee)
        if not doubts:
            return f"{outcome}. Sign your file and send it; then {other} signs the result."
        return (
            f"{outcome}, unless an Ambush answers the close assault at {listed(doubts)}: then what followed"
            " is void. Sign your file and send it."
        )
    if all(choice.name in ("say", "stand") for choice in draft.choices):
        return _nothing_to_decide(draft, other)
    if referee.stopped and referee.terms.retreat == "strict" and referee.active_side != draft.desk.side:
        return (
            "Everything is decided: sign your file and send it. It ends with your choice, for retreats are"
            f" strict; {other} goes on with fresh dice."
        )
    return _room_for_more(draft) or "Everything is decided: sign your file and send it."


def _nothing_to_decide(draft: Draft, other: str) -> str:
    """Why a file is due that its author has decided nothing in."""
    referee, log = draft.referee, draft.desk.log
    rolled = any(step.by == "dice" and step.file == log.count for step in referee.steps)
    if referee.active_side == draft.desk.side:
        what = "your turn goes on when the answer has come"
    elif referee.fired:  # it may have taken back the end of the other's turn, too
        what = f"your Ambush is played as you had sealed it, then {other}'s turn goes on"
    elif draft.desk.referee.active_side == draft.desk.side:
        what = f"your turn ends with your file, then it is {other}'s turn"
    elif rolled:
        what = f"your file brings {other} the dice, then {other}'s turn goes on"
    elif log.count == 2:
        what = f"your file makes {other}'s cards readable, then it is {other}'s turn"
    else:
        what = f"your file is the answer that {other}'s turn waits for"
    return f"Nothing is to be decided: {what}. Sign your file and send it."


def _room_for_more(draft: Draft) -> str:
    """That a plan could take in more attacks; "" if it cannot."""
    from pbem.plans import more_attacks, open_plan

    more = more_attacks(draft)
    if not more:
        return ""
    plan = open_plan(draft)
    labels = plan.base.state.setup.grid.labels
    units = listed(list(dict.fromkeys(labels[attack[1]] for attack in more)))
    ordered = f"{count(len(plan.orders), 'attack')} {'is' if len(plan.orders) == 1 else 'are'} ordered"
    return f"{ordered}, and {units} could still attack: sign your file and send it, or go on with pbem play."


def _question(state: State, *, own_turn: bool) -> str:
    fight = state.fight
    if state.phase in ("ignore", "retreat") and fight is not None:
        place = state.pos[fight.target]
        where = f" at {state.setup.grid.labels[place]}" if place != NOBODY else ""
        flags = count(fight.flags, "flag")
        name = f"your {unit_name(state.setup, fight.target)}{where}"
        if state.phase == "ignore":
            return f"{name} must obey {flags}: decide whether it ignores one"
        return f"{name} must obey {flags}: decide where it retreats"
    question = QUESTIONS.get(state.phase, "decide")
    if own_turn and state.phase in ("card", "drop", "choose"):
        return f"it is your turn: {question}"
    return question


def awaited_text(log: Log, referee: Referee) -> Asked:
    """What the game waits for, for somebody of whom nothing is asked."""
    if log.ended:
        return Asked("over", "The game is over; nothing more is asked.")
    match = referee.match
    assert match is not None
    if log.count < 2:
        return Asked(
            "wait", f"Nothing is asked of you: {match.called[1]} has not answered the invitation yet."
        )
    name = match.called[match.terms.seats_of(1 - log.entries[-1].side)[0]]
    from pbem.wording import open_assaults, result_value

    doubts = open_assaults(referee)
    if result_value(referee) is not None:
        return Asked("wait", f"Nothing is asked of you: {name} signs the result with the next file.")
    if doubts:
        text = f"{name}'s file says whether an Ambush answers the close assault at {listed(doubts)}"
        return Asked("wait", f"Nothing is asked of you: {text}.")
    return Asked("wait", f"Nothing is asked of you: the next file comes from {name}.")


def _command(verb: str, key: str) -> str:
    return f"pbem {verb} {key}".rstrip()
