"""What `pbem games` and `pbem status` show of a game: kept in a file, so that no key and no curve is touched.

Every command that changes a game writes it anew; `read_summary` makes it again when it is missing or older
than the game's last file. Only what can change without a file (the draft, the clock) is looked up when shown.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from pbem.errors import PbemError, Refused, StoreError
from pbem.home import Home, read_json, write_json

if TYPE_CHECKING:
    from pbem.draft import Draft
    from pbem.identity import Identity
    from pbem.referee import Referee
    from pbem.store import Game

DAY = 86_400
FORM = 4  # of the summary file
CLAIMED = "claimed.json"
TAKEN = "taken"  # a mark: the game is played with somebody else, who has answered the same invitation
ANSWERED = 2  # files of a game that nobody has played on
WITHDRAWN = "withdrawn"  # a mark: the own invitation does not stand any more


def refresh(game: Game, identity: Identity | None) -> dict[str, Any]:
    """Write the summary of a game and return it."""
    summary = {"after": game.log.previous.hex(), **summarize(game, identity)}
    with suppress(StoreError):  # a folder that cannot be written does without
        _keep(game.path, summary)
    return summary


def summarize(game: Game, identity: Identity | None) -> dict[str, Any]:
    """The summary of a game for its owner; without the identity's secrets it says less of what is asked."""
    from engine.battle import SIDES
    from pbem.wording import trusted_points

    log, match = game.log, game.referee.match
    assert match is not None
    identity = identity or _unlocked(game.home)
    pk = identity.pk if identity is not None else game.home.read_head().pk
    seat = game.seat_of(pk)
    draft = _next_file(game, seat, identity)
    kind, asked = _asked(game, seat, identity, draft)
    place = position((draft or game).referee)
    return {
        "form": FORM,
        "key": game.key,
        "title": match.battle.title,
        "state": _state(game, seat, decided=place["result"] is not None),
        "seat": seat,
        "side": None if seat is None else SIDES[match.army_of(seat)],
        "opponent": _opponent(game, seat),
        "dice": match.terms.dice,
        "retreat": match.terms.retreat,
        "clock_days": match.clock,
        "files": log.count,
        **place,
        "medals_to_win": [side.medals for side in match.battle.sides],
        "move": _move(game, seat),
        "asked": asked,
        "asked_kind": kind,
        "last_file_at": game.times[-1],
        "proved": f"all {log.count} files: signatures, chain, cards, dice and rules"
        if log.count > 1
        else "the invitation: its signature and its shuffle",
        "pending": _pending(game, draft, seat),
        "trust": trusted_points(match),
    }


def position(referee: Referee) -> dict[str, Any]:
    """Turn, medals, cards in the deck, and the result once it stands."""
    from pbem.wording import result_value

    state = referee.state
    if state is None:
        return {"turn": 0, "medals": [0, 0], "deck": None, "result": None}
    medals = [state.medals(0), state.medals(1)]
    return {"turn": state.turn, "medals": medals, "deck": referee.pile, "result": result_value(referee)}


def shown_by(draft: Draft, key: str) -> dict[str, Any]:
    """What a draft changes in the summary; kept with it, for the quick commands."""
    from pbem.story import question_of

    asked = question_of(draft, key)
    shown = {**position(draft.referee), "asked": asked.text, "asked_kind": asked.kind}
    return {**shown, "check": _checksum(shown)}


def _unlocked(home: Home) -> Identity | None:
    """The own identity, if nobody has to be asked for a passphrase."""

    def refuse() -> str:
        raise Refused("the key file is locked")

    with suppress(PbemError):
        return home.load_identity(refuse)[0]
    return None


def _state(game: Game, seat: int | None, *, decided: bool) -> str:
    if _is_taken(game, seat):
        return "taken"  # an open invitation that somebody else has answered
    if game.log.count == 1:
        if (game.path / "declined").is_file():
            return "declined"
        if (game.path / WITHDRAWN).is_file():
            return "withdrawn"
        return "offered" if seat == 0 else "invited"
    if game.log.ended:
        return "over"
    return "decided" if decided else "playing"


def _is_taken(game: Game, seat: int | None) -> bool:
    """Whether somebody else plays in our place; a file that follows our own answer says the contrary."""
    return seat is None or (game.log.count == ANSWERED and (game.path / TAKEN).is_file())


def _move(game: Game, seat: int | None) -> str | None:
    """Who writes the next file: "you", "opponent", or nobody."""
    log = game.log
    if log.ended or seat is None or _is_taken(game, seat):
        return None
    assert log.terms is not None
    if log.count == 1:
        return "you" if seat == 1 else "opponent"
    return "opponent" if log.entries[-1].side == log.terms.seats[seat].side else "you"


def _next_file(game: Game, seat: int | None, identity: Identity | None) -> Draft | None:
    """The owner's next file with the dice that fall in it; None if it is not theirs, or cannot be begun."""
    if identity is None or game.log.count < 2 or _move(game, seat) != "you":
        return None
    from pbem.draft import Draft

    with suppress(PbemError):
        return Draft(game.desk(identity))
    return None


def _asked(game: Game, seat: int | None, identity: Identity | None, draft: Draft | None) -> tuple[str, str]:
    """What is asked of the owner: its kind ("accept", "decide", "confirm", "seal", "") and a sentence."""
    if _move(game, seat) != "you":
        return "", ""
    if game.log.count > 1 and identity is None:
        return "decide", "The next file is yours."
    from pbem.story import asked_text

    if identity is None:
        return "accept", "You are invited to this game."
    asked = asked_text(game.desk(identity), game.key, draft=draft)
    return asked.kind, asked.text


def _opponent(game: Game, seat: int | None) -> dict[str, Any]:
    from engine.battle import SIDES
    from pbem.identity import fingerprint

    match = game.referee.match
    assert match is not None
    other = 0 if seat is None else 1 - seat
    pk = game.log.identities[other]
    side = SIDES[match.army_of(other)]
    if pk is None:
        name, digits = match.names[other] or "anyone", None
        return {"name": name, "side": side, "fingerprint": digits, "compared": False, "bot": False}
    bot = is_own_bot(game.home, pk)
    return {
        "name": game.home.name_of(pk) or match.names[other] or f"player {fingerprint(pk)[:5]}",
        "side": side,
        "fingerprint": fingerprint(pk),
        "compared": bot or game.home.is_compared(pk),
        "bot": bot,
    }


def is_own_bot(home: Home, pk: bytes) -> bool:
    """Whether a key is that of the practice opponent in this very home: there is nobody to telephone."""
    bot = Home(home.path / "bot")
    try:
        return bot.has_identity() and bot.read_head().pk == pk
    except PbemError:  # a key that cannot be read answers no game
        return False


def _pending(game: Game, draft: Draft | None, seat: int | None) -> list[str]:
    """What is not known to everybody, or not signed; `draft` is the owner's next file."""
    from pbem.wording import awaited_dice, open_assaults, result_value

    log, files = game.log, game.referee
    referee = (draft or game).referee
    if files.state is None or log.ended or seat is None:
        return []
    assert files.match is not None
    other = files.match.called[1 - seat]
    found = []
    dice = awaited_dice(files)
    if draft is None and dice:
        whose = "your" if _move(game, seat) == "you" else "the"
        found.append(f"{dice}: they fall with {whose} next file")
    elif dice and any(step.by == "dice" and step.file == log.count for step in referee.steps):
        found.append(f"{dice}: they have fallen for you, and your file shows them to {other}")
    if result_value(referee) is not None:
        return [*found, _unsigned(draft, other)]
    found += [f"whether an Ambush answers the close assault at {label}" for label in open_assaults(referee)]
    assert log.table is not None
    if any(slot.need for hand in log.table.hands for slot in hand):
        found.append("cards that were drawn: they can be read with the next file")
    return found


def _unsigned(draft: Draft | None, other: str) -> str:
    """Whose signature a decided game waits for."""
    if draft is not None and draft.must_confirm:
        return "the result: you have not signed it yet"
    if draft is not None:
        return f"the result: {other} signs it when your file has come"
    return f"the result: {other} has not signed it yet"


# Reading


def read_summary(home: Home, key: str) -> dict[str, Any]:
    """The summary of a game as it was kept; made again if it is missing or stale."""
    folder = home.games / key
    kept = _read_kept(folder)
    if kept is None or not _is_fresh(folder, kept):
        from pbem.store import Game

        kept = refresh(Game(home, key).load(), None)
    return _complete(folder, kept)


def note_contact(home: Home, pk: bytes) -> None:
    """Write the name of a contact, and whether they were compared, into the kept summaries."""
    from pbem.identity import fingerprint

    for key in home.game_keys():
        kept = _read_kept(home.games / key)
        if kept is not None and kept["opponent"]["fingerprint"] == fingerprint(pk):
            other = kept["opponent"]
            other.update(name=home.name_of(pk) or other["name"], compared=home.is_compared(pk))
            _keep(home.games / key, kept)


def _keep(folder: Path, summary: dict[str, Any]) -> None:
    write_json(folder / "summary.json", {**summary, "check": _checksum(summary)})


def _read_kept(folder: Path) -> dict[str, Any] | None:
    """The summary in a game's folder; None if it is missing, damaged or of another version."""
    try:
        kept = read_json(folder / "summary.json")
    except StoreError:
        return None
    if not isinstance(kept, dict) or kept.get("form") != FORM or kept.pop("check", None) != _checksum(kept):
        return None
    return kept


def _checksum(summary: dict[str, Any]) -> int:
    """Finds accidents, so that whoever reads a summary need not doubt its form."""
    return crc32(json.dumps(summary, sort_keys=True).encode())


def _is_fresh(folder: Path, kept: dict[str, Any]) -> bool:
    accepted = read_json(folder / "accepted.json")
    ids = accepted.get("ids") if isinstance(accepted, dict) else None
    if not isinstance(ids, list) or not ids or kept.get("after") != ids[-1]:
        return False
    last, more = (folder / "files" / f"{number:04}.m44" for number in (len(ids) - 1, len(ids)))
    return last.is_file() and not more.exists()


def _complete(folder: Path, summary: dict[str, Any]) -> dict[str, Any]:
    """The summary with what changes without a file: the draft, the clock, evidence, the next command."""
    from pbem.files import now

    draft = read_json(folder / "draft.json")
    begun = isinstance(draft, dict) and draft.get("after") == summary["after"]
    decided = begun and draft.get("decided") is True
    shown = _shown(draft) if begun else None
    if (folder / "declined").is_file() and summary["state"] == "invited":
        summary["state"] = "declined"
    if summary["state"] in ("offered", "withdrawn"):
        summary["state"] = "withdrawn" if (folder / WITHDRAWN).is_file() else "offered"
    if shown is not None:
        summary.update(shown)
        if summary["state"] == "playing" and shown["result"] is not None:
            summary["state"] = "decided"
    elif decided:
        summary["asked"] = "Everything is decided: sign your file and send it."
        summary["asked_kind"] = "seal"
    if begun and not decided and summary["state"] == "playing":
        summary["asked"] = f"Your file is begun and not finished. {summary['asked']}"
    summary["draft"] = ("decided" if decided else "begun") if begun else None
    clock = summary["clock_days"]
    running = clock is not None and summary["state"] in ("playing", "decided")
    summary["deadline"] = summary["last_file_at"] + clock * DAY if running else None
    summary["overdue"] = running and now() > summary["deadline"]
    summary["clock_trouble"] = now() < summary["last_file_at"] - 300
    evidence = folder / "evidence"
    forks = sorted(evidence.glob("*.cert")) if evidence.is_dir() else []
    summary["forks"] = [str(path) for path in forks]
    summary["forked_by"] = [_author_of(path.name, summary["seat"]) for path in forks]
    summary["claimed_at"] = _claimed_at(folder, summary["after"])
    other = summary["opponent"]
    if other["fingerprint"] and not other["compared"]:
        summary["trust"].append(f"that the key is of {other['name']}: its fingerprint was not compared")
    summary["next"] = next_command(summary)
    return summary


def _author_of(name: str, seat: int | None) -> str | None:
    """Who has signed twice by the name of a certificate: files go to and fro, so their numbers tell."""
    number = name.partition("-")[0]
    if seat is None or not number.isdecimal():
        return None
    return "you" if int(number) % 2 == seat else "opponent"


def note_claim(game: Game, made: int) -> None:
    """Remember that a forfeit was claimed after the last file."""
    write_json(game.path / CLAIMED, {"after": game.log.previous.hex(), "at": made})


def _claimed_at(folder: Path, after: str) -> int | None:
    """When a forfeit was claimed, if no file has come since."""
    with suppress(StoreError):
        claimed = read_json(folder / CLAIMED)
        if isinstance(claimed, dict) and claimed.get("after") == after and type(claimed.get("at")) is int:
            return int(claimed["at"])
    return None


def _shown(draft: dict[str, Any]) -> dict[str, Any] | None:
    """What a kept draft changes in the summary; None if it does not say, or is damaged."""
    shown = draft.get("shows")
    if not isinstance(shown, dict) or shown.pop("check", None) != _checksum(shown):
        return None
    return shown


def next_command(summary: dict[str, Any]) -> str:
    """The command to type next, or "" while there is only waiting."""
    key, state = summary["key"], summary["state"]
    if state == "over":
        return f"pbem export {key}"
    if state in ("invited", "declined"):
        return f"pbem accept {key}"
    if state == "withdrawn":
        return ""
    if summary["move"] == "you":
        return f"pbem {'seal' if summary['asked_kind'] in ('seal', 'confirm') else 'play'} {key}"
    if summary["opponent"]["bot"]:  # it answers at once, but for a machine that stopped: this wakes it
        return f"pbem seal {key}"
    return f"pbem claim {key}" if summary["overdue"] and summary["claimed_at"] is None else ""
