"""What a verified log says of its game: who, which battle, how it stands or how it ended."""

from __future__ import annotations

from engine.battle import SIDES
from pbem.blame import name_of, print_of, short
from pbem.errors import Fault
from pbem.library import game_key
from pbem.log import Log
from pbem.referee import RESIGNS, Referee
from pbem.ruleset import Match, read_match
from pbem.terms import Terms
from pbem.verdict import Due, Player, Result, Verdict


def describe(log: Log, referee: Referee, *, rules: bool = True) -> Verdict:
    """What a verified log says of its game."""
    terms = log.terms
    assert terms is not None
    match = _match(terms, referee)
    players = tuple(
        Player(seat, name_of(terms, seat), _army(match, seat), print_of(pk))
        for seat, pk in enumerate(log.identities)
    )
    verdict = Verdict(log.game.hex(), players=players, dice=terms.dice, retreat=terms.retreat)
    if match is not None:
        verdict.battle, verdict.clock = match.battle.title, match.clock
        verdict.key = game_key(match.battle.title, log.entries[0].id)
    verdict.rules, verdict.rules_checked = short(terms.rules), rules
    verdict.files = log.count
    if referee.state is not None:
        verdict.turns = referee.state.turn
    verdict.result = _outcome(referee, players) if rules else _claimed(log, players)
    last, seat = log.entries[-1], None
    if not log.ended:
        seat = 1 if log.count == 1 else terms.seats_of(1 - last.side)[0]
        verdict.next = players[seat].name or "somebody"
    ids = tuple(entry.id.hex() for entry in log.entries)
    verdict.due = Due(ids, players[last.seat].fingerprint, seat)
    return verdict


def _match(terms: Terms, referee: Referee) -> Match | None:
    """The game that the terms describe, if these rules know it."""
    if referee.match is not None:
        return referee.match
    try:
        return read_match(terms)
    except Fault:
        return None


def _army(match: Match | None, seat: int) -> str:
    return SIDES[match.army_of(seat)] if match is not None else ""


def _outcome(referee: Referee, players: tuple[Player, ...]) -> Result | None:
    """The result that the engine has found."""
    if referee.winner < 0:
        return None
    state = referee.now
    gave_up = referee.resigned >= 0
    winner = players[referee.terms.seats_of(referee.winner)[0]]
    return Result(
        winner.army,
        winner.name,
        (state.medals(0), state.medals(1)),
        RESIGNS if gave_up else state.reason,
        referee.confirmed and not gave_up,
    )


def _claimed(log: Log, players: tuple[Player, ...]) -> Result | None:
    """The result that the last file states, which nobody has compared with the rules."""
    if not log.ended:
        return None
    last = log.entries[-1]
    value = next(action.value for action in last.actions if action.name == "end")
    terms = log.terms
    assert terms is not None
    if value == RESIGNS:
        winner = players[terms.seats_of(1 - last.side)[0]]
        return Result(winner.army, winner.name, None, RESIGNS, False)
    if not isinstance(value, dict):
        return Result("", "", None, "", True)
    army = short(value.get("winner"))
    name = next((player.name for player in players if player.army == army), "")
    medals = value.get("medals")
    score = None
    if isinstance(medals, list) and len(medals) == 2 and all(isinstance(number, int) for number in medals):
        score = medals[0], medals[1]
    return Result(army, name, score, short(value.get("reason")), True)
