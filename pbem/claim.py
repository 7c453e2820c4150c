"""A claim: the other player has let the agreed clock run out (docs/protocol.md, part 13).

The document names the game, its last file and the times of the claimant's own clock, and is signed. With the
files of the game it proves whose move it is and what was agreed. It does not prove that a mail arrived, nor
when: no two people can prove that alone. A league that gets a claim lets the last file be delivered once more
through a witness, and waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pbem.armor import armor, find_armored
from pbem.canon import decode, encode
from pbem.errors import Fault, PbemError, Refused
from pbem.gathering import Paper
from pbem.hashing import h32
from pbem.identity import Identity, fingerprint, verify_signature
from pbem.log import Log
from pbem.ruleset import Match
from pbem.verdict import ClaimVerdict, Verdict

SIGNING = b"m44pbem/1/claim\0"
LABEL = "CLAIM"
DAY = 86_400
LENIENCE = 300  # seconds by which clocks may differ
FIELDS = {"days": int, "files": int, "game": bytes, "last": bytes, "made": int, "pk": bytes, "sent": int,
          "sig": bytes, "v": int}  # fmt: skip


class Claim(NamedTuple):
    """What a claim says."""

    game: bytes
    last: bytes  # id of the last file, which the claimant wrote
    files: int
    days: int  # the agreed clock
    sent: int  # when the last file was sealed, by the claimant's clock
    made: int  # when the claim was made, likewise
    pk: bytes  # the claimant

    def message(self) -> bytes:
        """The bytes that are signed."""
        return SIGNING + h32("claim", encode(list(self)))


def make_claim(log: Log, match: Match, identity: Identity, *, sent: int, made: int) -> str:
    """The signed claim as a text; raises Refused while the clock has not run out."""
    if match.clock is None:
        raise Refused("no clock was agreed on in this game", hint="ask the other player, or wait")
    if log.ended:
        raise Refused("the game is over: there is nothing to claim")
    assert log.terms is not None
    last = log.entries[-1]
    if log.count < 2 or log.identities[last.seat] != identity.pk:
        raise Refused("it is your move, or the game has not begun", hint="only their delay can be claimed")
    if made < sent + match.clock * DAY:
        due = moment(sent + match.clock * DAY)
        raise Refused(f"the clock has not run out: it does on {due}", hint="wait until then")
    claim = Claim(log.game, last.id, log.count, match.clock, sent, made, identity.pk)
    value: dict[str, Any] = {**claim._asdict(), "sig": identity.sign(claim.message()), "v": 1}
    return "\n".join(describe_claim(claim)) + "\n\n" + armor(encode(value), LABEL)


def describe_claim(claim: Claim) -> list[str]:
    """The claim in words, with what it proves and what it does not."""
    days = "1 day" if claim.days == 1 else f"{claim.days} days"
    return [
        f"Claim of a forfeit in the game {claim.game.hex()}",
        f"by the player with the fingerprint {fingerprint(claim.pk)}.",
        f"Agreed clock: {days} for a file. Files so far: {claim.files}; the last is",
        f"{claim.last.hex()}, sealed {moment(claim.sent)},",
        f"not answered {moment(claim.made)}. Both times are of the claimant's own clock.",
        "With the files of the game this proves whose move it is and what was agreed. It does not prove",
        "that the last file arrived, nor when it was sent.",
    ]


def parse_claim(text: str) -> Claim:
    """The claim in a text, its signature checked; raises Fault."""
    found = find_armored(text, LABEL)
    if not found:
        raise Fault("claim", "there is no claim in this text", hint="ask for it again")
    return read_claim(found[0])


def read_claim(data: bytes) -> Claim:
    """The claim in the bytes of a text block, its signature checked; raises Fault."""
    if not data:
        raise Fault("armor", "the text block of the claim was changed on its way or is incomplete")
    value: Any = decode(data)
    shape = {key: type(item) for key, item in value.items()} if isinstance(value, dict) else {}
    if shape != FIELDS or value["v"] != 1:
        raise Fault("claim", "the claim is damaged or of a later version", hint="update pbem")
    claim = Claim(**{key: value[key] for key in Claim._fields})
    verify_signature(claim.pk, value["sig"], claim.message())
    return claim


def judge_claim(
    paper: Paper, verdicts: Sequence[Verdict], *, at: int, times: Sequence[int] = ()
) -> ClaimVerdict:
    """The verdict on a claim, at a time, beside the verdicts on games, one of which should be its own.

    `times` are those at which the files of its game came to whoever checks it, if that is a player.
    """
    try:
        claim = read_claim(paper.data or b"")
    except PbemError as problem:
        return ClaimVerdict(paper.where, False, code=problem.code, message=problem.message)
    said = ClaimVerdict(
        paper.where,
        False,
        claim.game.hex(),
        fingerprint=fingerprint(claim.pk),
        files=claim.files,
        last=claim.last.hex(),
        days=claim.days,
        sent=claim.sent,
        made=claim.made,
        here=times[claim.files - 1] if 0 < claim.files <= len(times) else None,
    )
    games = sorted((v for v in verdicts if v.game == said.game), key=lambda verdict: not verdict.verified)
    if not games:
        return said._replace(code="claim", message="the files of its game are not here")
    return _compare(said, games[0], at)


def _compare(said: ClaimVerdict, game: Verdict, at: int) -> ClaimVerdict:
    """A claim beside the verdict on its game."""
    names = {player.fingerprint: player.name for player in game.players}
    said = said._replace(battle=game.battle, name=names.get(said.fingerprint, ""))
    if game.due is not None and game.due.seat is not None:
        awaited = game.players[game.due.seat]
        said = said._replace(against=awaited.name, against_fingerprint=awaited.fingerprint)
    message = _flaw(said, game)
    if not message and (said.made or 0) > at + LENIENCE:
        message = f"the claim is dated {moment(said.made or 0)}, which is still to come"
    return said._replace(valid=not message, code="claim" if message else "", message=message)


def _flaw(said: ClaimVerdict, game: Verdict) -> str:
    """What is wrong with a claim, or nothing."""
    due, files, days = game.due, said.files or 0, said.days or 0
    if due is None or not game.verified:
        return f'its game is not verified: it is "{game.status}"'
    if said.fingerprint not in {player.fingerprint for player in game.players}:
        return "whoever claims does not play in this game"
    if not 0 < files <= len(due.ids) or due.ids[files - 1] != said.last:
        return "the claim names a file that this game does not have"
    if files < len(due.ids):
        return "the file that is claimed to be missing is here"
    if due.seat is None:
        return "the game is over"
    if files < 2 or due.author != said.fingerprint:
        return "it is not the other player's move"
    if game.clock is None:
        return "no clock was agreed on in this game"
    if days != game.clock or (said.made or 0) < (said.sent or 0) + days * DAY:
        return "the claim does not keep to the agreed clock"
    return ""


def claim_lines(verdict: ClaimVerdict) -> list[str]:
    """A good claim in words, with what it does not prove."""
    days = "1 day" if verdict.days == 1 else f"{verdict.days} days"
    lines = [
        f"{verdict.name} claims a forfeit against {verdict.against}, whose file is awaited",
        f"{verdict.battle or 'unknown battle'}, game {verdict.game}",
        f"{verdict.fingerprint}  {verdict.name}, who claims",
        f"{verdict.against_fingerprint}  {verdict.against}",
        f"agreed clock: {days} for a file; files so far: {verdict.files}, the last by {verdict.name}",
        f"sealed {moment(verdict.sent or 0)}, not answered {moment(verdict.made or 0)}, "
        f"both by the clock of {verdict.name}",
    ]
    if verdict.here is not None:
        early = (verdict.made or 0) < verdict.here + (verdict.days or 0) * DAY
        then = ": counted from then the clock had not run out" if early else ""
        lines.append(f"here that file is dated {moment(verdict.here)}{then}")
    return [
        *lines,
        "it does not prove that the last file arrived, nor when it was sent",
        "only the signed block counts: the words around it may be anybody's",
    ]


def moment(seconds: int) -> str:
    """A time in words, the same everywhere."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
    except (ValueError, OverflowError, OSError):
        return "at an impossible time"
