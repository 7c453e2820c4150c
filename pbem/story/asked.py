"""What is asked of a reader now, in one sentence, and the command to type.

A player's own copy of the program can already see the dice that fall when their next file is sealed; the
question that follows from them is theirs alone until then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from engine import NOBODY, State
from pbem.draw.words import count
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
    "choose": "keep one of the cards that you drew",
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
    referee = draft.referee
    if draft.must_confirm:
        return Asked("confirm", "The battle is decided: sign the result.", _command("seal", key))
    if draft.is_decided:
        return Asked("seal", "Everything is decided: sign your file and send it.", _command("seal", key))
    if draft.owes_plan:
        text = "Your turn goes on: order the attacks that are left, or confirm your plan."
        return Asked("decide", text, _command("play", key))
    question = _question(draft.state, own_turn=draft.desk.side == referee.active_side)
    return Asked("decide", f"{question[:1].upper()}{question[1:]}.", _command("play", key))


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
    seat = match.terms.seats_of(1 - log.entries[-1].side)[0]
    return Asked("wait", f"Nothing is asked of you: the next file comes from {match.called[seat]}.")


def _command(verb: str, key: str) -> str:
    return f"pbem {verb} {key}".rstrip()
