"""One folder per game: accepted files, append-only, a draft, and a summary that may be deleted.

    games/KEY/
      files/0000.m44 …      every accepted file, ours and theirs, exactly as it travelled
      accepted.json         the game's id; id and time of arrival of every file that was checked
      draft.json            the choices of the file we are about to write
      orders.json           standing orders, see standing.py
      summary.json          what `pbem games` and `pbem status` show; made anew if missing, stale or damaged
      reports/              pages that apply and seal have left; may be deleted
      declined              a mark: the invitation was declined
      taken                 a mark: the game is played with somebody else who has answered it
      evidence/             second valid files for a place that was taken, and certificates of the fork

A file is verified before it is written, and written before anything is said of it. A file of our own is
first written to `signed/ID`, apart from the game's folder, with its number: from that moment on the place is
taken, and whatever happens next the same bytes are found there again. ID is the id of the invitation,
whatever becomes of the folder and its name. So no place is ever signed twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pbem.container import LARGEST, file_id, unpack
from pbem.draft import Choice, Desk, Draft, Wishes
from pbem.errors import Fault, PbemError, Refused, StoreError
from pbem.files import make_folder, now, read_file, remove_file, write_file
from pbem.home import STORED, Home, read_json, write_json
from pbem.identity import Identity
from pbem.log import Body, Entry, Log, parse_body
from pbem.records import Accepted, read_accepted, read_signed, write_accepted, write_signed
from pbem.referee import Referee

Spares = Mapping[int, list[bytes]]  # files that may take the place of a damaged one, by their numbers


class Examined(NamedTuple):
    """A file that was found good, and the game with it; nothing is written yet."""

    data: bytes
    log: Log
    entry: Entry
    referee: Referee


class Game:
    """A game in the store, with everything its files say."""

    def __init__(self, home: Home, key: str) -> None:
        self.home = home
        self.key = key
        self.log = Log(trusting=True)
        self.referee = Referee()
        self.raw: list[bytes] = []
        self.times: list[int] = []  # when each file was accepted, by the clock of this machine
        self.restored: list[bytes] = []  # ids of files that were damaged or missing and are back
        self._desk: Desk | None = None

    @property
    def path(self) -> Path:
        """The folder of the game."""
        return self.home.games / self.key

    def desk(self, identity: Identity) -> Desk:
        """The desk of a person in this game; raises Refused if they do not play."""
        seat = self.seat_of(identity.pk)
        if seat is None:
            raise Refused("you do not play in this game", hint='"pbem id show" shows who you are here')
        if self._desk is None or self._desk.log is not self.log or self._desk.identity.pk != identity.pk:
            self._desk = Desk(self.log, self.referee, identity, seat)
        return self._desk

    def seat_of(self, pk: bytes) -> int | None:
        """The seat of a person, or the open seat of an invitation; None for a stranger."""
        identities = self.log.identities
        if pk in identities:
            return identities.index(pk)
        return identities.index(None) if None in identities else None

    # Reading

    def file_path(self, number: int) -> Path:
        """Where a file of the game lies."""
        return self.path / "files" / f"{number:04}.m44"

    def stored(self) -> list[int]:
        """The numbers of the files that lie in the folder; none before the game has begun."""
        return sorted(int(path.stem) for path in (self.path / "files").glob(STORED))

    def load(self, spares: Spares | None = None) -> Game:
        """Read the files: those accepted before are believed, others checked completely.

        A file that is damaged or missing is put back from the spares, or raises StoreError.
        """
        ids, times, _ = self.accepted()
        count = max([len(ids), *(number + 1 for number in self.stored())])
        if not count:
            raise StoreError(f'the game "{self.key}" has no files', hint="apply its files again")
        for number in range(count):
            self._reload(number, ids[number] if number < len(ids) else None, spares or {})
            self.times.append(times[number] if number < len(times) else _written_at(self.file_path(number)))
        self._recover()
        if self.restored and spares:  # the caller holds the lock
            with suppress(StoreError):
                self._write_accepted()
        return self

    def _reload(self, number: int, known: str | None, spares: Spares) -> None:
        """Read one file, or put it back."""
        path = self.file_path(number)
        try:
            examined = self._read_again(read_file(path, limit=LARGEST), known)
        except (Fault, StoreError) as problem:
            spare = self._find_spare(number, known, spares)
            if spare is None:
                raise self._damage(number, problem) from problem
            examined = spare
            try:
                self._put_back(examined)
            except StoreError:  # a file of our own is in `signed` as well, and can be read all the same
                if spares:
                    raise
        self.log, self.referee = examined.log, examined.referee
        self.raw.append(examined.data)

    def _read_again(self, data: bytes, known: str | None) -> Examined:
        """A stored file: believed if its id is the one that was accepted, else checked completely."""
        if known is not None:
            log = self.log if self.log.trusting else self.log.trust(on=True)
            log, entry = log.check(data)
            if entry.id.hex() == known:
                return Examined(data, log, entry, self.referee.read(entry))
        return self.examine(data)

    def _find_spare(self, number: int, known: str | None, spares: Spares) -> Examined | None:
        """A good file for a place: from the spares or of our own; only the accepted one, if that is known."""
        signed, data = self._signed_if_readable()
        own = [data] if signed == number and data is not None else []
        for spare in [*spares.get(number, []), *own]:
            with suppress(Fault):
                examined = self.examine(spare)
                if known in (None, examined.entry.id.hex()):
                    return examined
        return None

    def _put_back(self, examined: Examined) -> None:
        """Write a file that was damaged or missing."""
        make_folder(self.path / "files")
        write_file(self.file_path(examined.entry.number), examined.data)
        self.restored.append(examined.entry.id)

    def _damage(self, number: int, problem: PbemError) -> StoreError:
        path = self.file_path(number)
        said = f'the stored file "{path}" is damaged: {problem}'
        if not path.exists():
            said = f'file {number} of the game "{self.key}" is missing in "{path.parent}"'
        return StoreError(said, hint='apply it again from your mails: "pbem apply FILE" puts it back')

    def _recover(self) -> None:
        """Take in a file of our own that was signed when the machine stopped, or whose copy was damaged."""
        number, data = self._signed_if_readable()
        if data is None or number > self.log.count:
            return
        # Fault: it follows another history, and sign refuses its number.
        # StoreError: a folder that cannot be written can still be read.
        with suppress(Fault, StoreError):
            if number == self.log.count:
                self._adopt(self.examine(data))
                write_file(self.file_path(number), data)
            elif self.raw[number] != data:
                self.replace(data, number)

    def accepted(self) -> Accepted:
        """The list of the files that were checked; an empty one if it is missing or damaged."""
        return read_accepted(self.path / "accepted.json")

    def offers(self) -> set[bytes]:
        """The invitation that the folder belongs to, by all that can be read of it: one id if all is well."""
        found = {bytes.fromhex(text) for text in self.accepted().ids[:1]}
        first, second = self.outside(0), self.outside(1)
        return found | ({first[0]} if first else set()) | ({second[1].previous} if second else set())

    def outside(self, number: int) -> tuple[bytes, Body] | None:
        """Id and head of a stored file, not checked any further; None if it is missing or damaged."""
        try:
            content = unpack(read_file(self.file_path(number), limit=LARGEST)).body
            body = parse_body(content)
        except (Fault, StoreError):
            return None
        return (file_id(content), body) if body.number == number else None

    # Writing

    def examine(self, data: bytes) -> Examined:
        """The game with one more file, checked completely; raises Fault and changes nothing."""
        log, entry = self.log.trust(on=False).check(data)
        return Examined(data, log, entry, self.referee.read(entry))

    def examine_again(self, data: bytes, number: int) -> Examined:
        """The same for a place that is taken: what the game would be with this file there."""
        log, referee = Log(trusting=True), Referee()
        for old in self.raw[:number]:
            log, entry = log.check(old)
            referee = referee.read(entry)
        log, entry = log.trust(on=False).check(data)
        return Examined(data, log, entry, referee.read(entry))

    def accept(self, data: bytes) -> Entry:
        """Check the next file completely and keep it; raises Fault and changes nothing."""
        return self.keep(self.examine(data))

    def keep(self, examined: Examined) -> Entry:
        """Write a file that was examined; the draft that it overtakes goes."""
        entry = examined.entry
        make_folder(self.path / "files")
        write_file(self.file_path(entry.number), examined.data)
        self._adopt(examined)
        with suppress(StoreError):  # without the list the file is checked once more; an old draft is ignored
            self._write_accepted()
            remove_file(self.path / "draft.json")
        return entry

    def replace(self, data: bytes, number: int) -> bool:
        """Put a file back whose stored bytes are not sound though its id is right; whether it had to be."""
        try:
            self.examine_again(self.raw[number], number)
        except Fault:
            examined = self.examine_again(data, number)
            if examined.entry.id == self.log.entries[number].id:
                self.raw[number] = data
                self._put_back(examined)
                return True
        return False

    def _adopt(self, examined: Examined) -> None:
        self.log, self.referee = examined.log, examined.referee
        self.raw.append(examined.data)
        # A clock that was put back does not make a file older than the one before it.
        self.times.append(max([now(), *self.times[-1:]]))

    def date_back(self, moment: int) -> None:
        """Date the files now that are dated later, for the clock was ahead when they came."""
        self.times = [min(time, moment) for time in self.times]
        remove_file(self.path / "summary.json")  # first: it would stay if the machine stopped in between
        self._write_accepted()

    def keep_evidence(self, data: bytes, name: str) -> Path:
        """Keep a second valid file for a place that is taken; where it is."""
        make_folder(self.path / "evidence")
        path = self.path / "evidence" / name
        write_file(path, data)
        return path

    def _write_accepted(self) -> None:
        ids = [entry.id.hex() for entry in self.log.entries]
        write_accepted(self.path / "accepted.json", Accepted(ids, self.times, self.log.game.hex()))

    # Our own files

    def sign(self, draft: Draft, wishes: Wishes, random: Any) -> tuple[Entry, bytes]:
        """Seal a draft: the bytes are on disk, under their number, before anybody sees them."""
        self.check_unsigned()
        data = draft.seal(wishes, random)
        return self.keep_signed(data), data

    def check_unsigned(self) -> None:
        """Raises Refused if the next file of the game was signed already and is not here."""
        number = self.log.count
        if self.highest_signed() >= number:
            raise Refused(
                f"file {number} of this game was signed before and is not here",
                hint="apply the files you have sent, or ask the other player for all files of the game",
            )

    def keep_signed(self, data: bytes) -> Entry:
        """Keep a file of our own; from its first write on no other can take its place."""
        self.check_unsigned()
        examined = self.examine(data)
        number = examined.entry.number
        try:
            self.remember_signed(number, data)
            return self.keep(examined)
        except StoreError as problem:
            if self.highest_signed() >= number:
                problem.hint = (
                    f'file {number} is signed and kept: mend this, and "pbem seal {self.key}" writes it'
                )
            raise

    def highest_signed(self) -> int:
        """The highest file number signed in this game, -1 for none."""
        return self.last_signed()[0]

    def last_signed(self) -> tuple[int, bytes | None]:
        """Number and bytes of the last file signed in this game, -1 for none; raises StoreError."""
        return read_signed(self._marker) if self._marker is not None else (-1, None)

    def _signed_if_readable(self) -> tuple[int, bytes | None]:
        try:
            return self.last_signed()
        except StoreError:  # nothing can be signed; reading goes on
            return -1, None

    def remember_signed(self, number: int, data: bytes) -> None:
        """Remember a signed file apart from the game's folder; a damaged note stays, and forbids signing."""
        try:
            highest = self.highest_signed()
        except StoreError:
            return
        if self._marker is not None and number > highest:
            write_signed(self._marker, number, data)

    @property
    def _marker(self) -> Path | None:
        """Where the last signed file is; None before the invitation, which nobody writes twice."""
        entries = self.log.entries
        return self.home.path / "signed" / entries[0].id.hex() if entries else None

    # The draft

    def load_draft(self, desk: Desk) -> Draft:
        """The draft as it was left; an empty one if there is none, or if it belongs to an older file."""
        path = self.path / "draft.json"
        value = read_json(path)
        if not path.exists() or (isinstance(value, dict) and value.get("after") != self.log.previous.hex()):
            return Draft(desk)
        try:
            return Draft(desk, tuple(_parse_choice(*row) for row in value["choices"]))
        except (LookupError, TypeError, ValueError, PbemError) as problem:
            raise StoreError(
                f'the draft of the game "{self.key}" is damaged', hint='"pbem undo --all" throws it away'
            ) from problem

    def save_draft(self, draft: Draft) -> None:
        """Keep the choices made so far, and for the quick commands what they lead to."""
        from pbem.summary import shown_by

        choices = [[choice.name, choice.value] for choice in draft.choices]
        self._check_bound(choices)
        value = {
            "after": self.log.previous.hex(),
            "choices": choices,
            "bound": draft.bound,
            "decided": draft.is_decided,
            "shows": shown_by(draft, self.key),
        }
        write_json(self.path / "draft.json", value)

    def drop_draft(self, *, damaged: bool = False) -> None:
        """Throw the draft away; raises Refused if dice have fallen in it and it can be read."""
        if not damaged:
            self._check_bound([])
        remove_file(self.path / "draft.json")

    def _check_bound(self, choices: list[Any]) -> None:
        """Raises Refused if choices go behind dice that were seen: the draft on disk has them."""
        value = read_json(self.path / "draft.json")
        if not isinstance(value, dict) or value.get("after") != self.log.previous.hex():
            return
        bound, kept = value.get("bound"), value.get("choices")
        if isinstance(bound, int) and isinstance(kept, list) and choices[:bound] != kept[:bound]:
            raise Refused(
                "dice have fallen in another window, and this decision does not follow them",
                hint=f'"pbem play {self.key}" goes on from there',
            )


def open_offer(home: Home, data: bytes) -> tuple[Game, Examined]:
    """The game that an invitation begins, checked completely and not yet written; raises Fault.

    If its folder is there already, the game has begun, and is to be loaded.
    """
    game = Game(home, "")
    examined = game.examine(data)
    game.key = _key_of(home, examined)
    return game, examined


def _key_of(home: Home, examined: Examined) -> str:
    """The name of a game's folder: the battle, and as much of the invitation's id as it takes."""
    from pbem.library import game_key

    match = examined.referee.match
    assert match is not None
    offer = examined.entry.id
    keys = [game_key(match.battle.title, offer, digits) for digits in (6, 12, 64)]
    return next((key for key in keys if _is_for(Game(home, key), offer)), keys[-1])


def _is_for(game: Game, offer: bytes) -> bool:
    """Whether a folder is free, or belongs to an invitation as far as can be seen."""
    if not game.stored():
        return True
    found = game.offers()
    return offer in found or not found


def _parse_choice(name: Any, value: Any) -> Choice:
    """A choice as a draft keeps it; raises TypeError for what cannot be one."""
    if not isinstance(name, str) or (name in ("do", "say") and not isinstance(value, str)):
        raise TypeError("this is no choice")
    return Choice(name, value)


def _written_at(path: Path) -> int:
    try:
        return int(path.stat().st_mtime)
    except OSError:  # it is in memory only, for the folder cannot be written
        return now()
