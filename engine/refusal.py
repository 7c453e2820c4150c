"""Why an answer is not legal: the rule that forbids it, in one sentence.

`turn.py` asks only after an answer was not found among the legal ones; nothing here decides what is legal.
`reasons.py` says what is wrong in the phases that know the verb, `belated.py` what would have been wrong in
them when they are over; a table says for each verb what is wrong at any other time.
"""

from __future__ import annotations

from engine.answers import VERBS, Answer, is_well_formed
from engine.belated import CHANCE, belated
from engine.errors import IllegalDecision
from engine.hindrance import Reason
from engine.reasons import REASONS, WAITS
from engine.state import State

__all__ = ["PLACES", "REASONS", "WAITS", "explain", "why_no_attack", "why_no_move", "why_not_order"]

# Verb: the phases that know it, and what to say in all others.
PLACES: dict[str, tuple[frozenset[str], Reason]] = {
    "card": (frozenset({"card", "react"}), ("R29", "one command card is played in a turn, at its start")),
    "section": (frozenset({"section"}), ("C31", "a section is named for Infantry Assault only")),
    "order": (frozenset({"order"}), ("R31", "all orders are given after the card and before the first move")),
    "done": (
        frozenset({"order", "target", "heal", "move", "battle", "second-move"}),
        ("R28", 'nothing can be ended with "done" here'),
    ),
    "move": (
        frozenset({"move", "second-move"}),
        ("R37", "units move after all orders are given and before the first battle"),
    ),
    "exit": (frozenset({"move", "second-move"}), ("R37", "units leave the board by a move")),
    "attack": (
        frozenset({"battle", "overrun", "again"}),
        ("R37", "units battle one at a time, after the last move"),
    ),
    "clear": (frozenset({"battle"}), ("T42c", "wire is removed instead of battling, after the last move")),
    "pass": (frozenset({"react", "overrun", "again"}), ("R28", "there is nothing to pass on")),
    "ignore": (frozenset({"ignore"}), ("R101", "flags are ignored when an attack has shown some")),
    "retreat": (frozenset({"retreat"}), ("R92", "units retreat when an attack has shown flags")),
    "ground": (frozenset({"ground"}), ("R105", "no close assault has just cleared a hex to take")),
    "stay": (frozenset({"ground"}), ("R105", "no close assault has just cleared a hex to take")),
    "target": (frozenset({"target"}), ("C20", "targets are chosen for Air Power and Barrage only")),
    "strike": (frozenset({"strike"}), ("C20b", "units are bombed by Air Power only")),
    "heal": (frozenset({"heal"}), ("C32", "units recover by Medics & Mechanics only")),
    "drop": (frozenset({"drop"}), ("R17", "an airdrop happens only at the start of some battles")),
    "discard": (frozenset({"choose"}), ("C10", "only the new cards of a Recon are discarded by choice")),
    "roll": (frozenset(), ("R56", "no dice are due")),
    "draw": (frozenset(), ("R121", "no card is due")),
    "shuffle": (frozenset(), ("R122", "no reshuffle is due")),
}


def explain(state: State, answer: Answer) -> IllegalDecision:
    """The refusal of an answer that is not among the legal ones; understands any tuple whatever."""
    return IllegalDecision(*_reason(state, answer))


def _reason(s: State, answer: Answer) -> Reason:
    if s.phase == "over":
        return "R23", "the game is over"
    waits = "" if s.phase in CHANCE else f"; the game waits for {WAITS[s.phase]}"
    verb = answer[0] if isinstance(answer, tuple) and answer else None
    if not isinstance(verb, str) or verb not in VERBS:
        return "R28", f"this is no answer{waits}"
    phases, (number, elsewhere) = PLACES[verb]
    formed = is_well_formed(answer, s.setup.grid.size)
    if s.phase not in phases:
        return (belated(s, answer) if formed else None) or (number, f"{elsewhere}{waits}")
    if not formed:
        return "R28", f'"{verb}" takes {VERBS[verb].means}{waits}'
    return REASONS[verb](s, answer)


# Questions of the command line


def why_not_order(state: State, h: int) -> str | None:
    """Why the unit on a hex cannot be ordered now; None if it can."""
    return _why(state, ("order", h))


def why_no_attack(state: State, here: int, there: int) -> str | None:
    """Why the unit on one hex cannot attack the other now; None if it can."""
    return _why(state, ("attack", here, there))


def why_no_move(state: State, here: int, there: int) -> str | None:
    """Why the unit on one hex cannot move to the other now; None if some way leads there."""
    if any(a[0] == "move" and a[1] == here and a[-1] == there for a in state.answers):
        return None
    return str(explain(state, ("move", here, there)))


def _why(state: State, answer: Answer) -> str | None:
    return None if answer in state.answers else str(explain(state, answer))
