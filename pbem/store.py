"""One folder per game: accepted files, append-only, a draft, and a summary that may be deleted.

    games/KEY/
      files/0000.m44 …      every accepted file, ours and theirs, exactly as it travelled
      accepted.json         the game's id; id and time of arrival of every file that was checked
      draft.json            the choices of the file we are about to write
      summary.json          what `pbem games` and `pbem status` show; made anew if missing or stale
      reports/              pages that apply and seal have left; may be deleted
      declined              a mark: the invitation was declined
      evidence/             second valid files for a place that was taken: proof of a fork

A file is verified before it is written, and written before anything is said of it. A file of our own is
first written to `signed/KEY`, apart from the game's folder, with its number: from that moment on the place is
taken, and whatever happens next the same bytes are found there again. So no place is ever signed twice.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pbem.container import LARGEST
from pbem.draft import Choice, Desk, Draft, Wishes, parse_wishes
from pbem.errors import Fault, PbemError, Refused, StoreError
from pbem.files import make_folder, now, read_file, remove_file, write_file
from pbem.home import Home, read_json, write_json
from pbem.identity import Identity
from pbem.log import Entry, Log
from pbem.referee import Referee

MOST_KEY = 32  # characters of a battle's name in the key of a game


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

    def load(self) -> Game:
        """Read the files: those accepted before are believed, others checked completely."""
        trusted, times = self._accepted()
        folder = self.path / "files"
        names = sorted(path.name for path in folder.glob("[0-9]*.m44")) if folder.is_dir() else []
        if not names:
            raise StoreError(f'the game "{self.key}" has no files', hint="apply its files again")
        if names != [f"{number:04}.m44" for number in range(len(names))]:
            raise StoreError(
                f'a file of the game "{self.key}" is missing in "{folder}"',
                hint="put it back from your mails; its name is its number in the game",
            )
        for number, name in enumerate(names):
            self._reload(folder / name, trusted[number] if number < len(trusted) else None)
            known = number < len(times)
            self.times.append(times[number] if known else int((folder / name).stat().st_mtime))
        self._recover()
        return self

    def _reload(self, path: Path, known: str | None) -> None:
        data = read_file(path, limit=LARGEST)
        try:
            believed = known is not None
            log = self.log if self.log.trusting is believed else self.log.trust(on=believed)
            log, entry = log.check(data)
            if known is not None and entry.id.hex() != known:
                raise Fault("E_STATE", "its content is not what was accepted")
            referee = self.referee.read(entry)
        except Fault as fault:
            raise StoreError(
                f'the stored file "{path}" is damaged: {fault}',
                hint="put the file back from your mails; its name is its number in the game",
            ) from fault
        self.log, self.referee = log, referee
        self.raw.append(data)

    def _recover(self) -> None:
        """Take in a file of our own that was signed when the machine stopped."""
        number, data = self.last_signed()
        if number != self.log.count or data is None:
            return
        with suppress(Fault):  # it follows another history: sign refuses its number
            examined = self.examine(data)
            with suppress(StoreError):  # a folder that cannot be written can still be read
                write_file(self.path / "files" / f"{number:04}.m44", data)
            self._adopt(examined)

    def _accepted(self) -> tuple[list[str], list[int]]:
        """Ids and times of the files that were checked; nothing if the list is missing or damaged."""
        value = read_json(self.path / "accepted.json")
        if not isinstance(value, dict):
            return [], []
        ids: Any = value.get("ids")
        times: Any = value.get("times")
        if not _is_list_of(ids, str) or not _is_list_of(times, int) or len(ids) != len(times):
            return [], []
        return ids, times

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
        write_file(self.path / "files" / f"{entry.number:04}.m44", examined.data)
        self._adopt(examined)
        self._write_accepted()
        self.drop_draft()
        return entry

    def _adopt(self, examined: Examined) -> None:
        self.log, self.referee = examined.log, examined.referee
        self.raw.append(examined.data)
        # A clock that was put back does not make a file older than the one before it.
        self.times.append(max([now(), *self.times[-1:]]))

    def keep_evidence(self, data: bytes, name: str) -> Path:
        """Keep a second valid file for a place that is taken; where it is."""
        make_folder(self.path / "evidence")
        path = self.path / "evidence" / name
        write_file(path, data)
        return path

    def _write_accepted(self) -> None:
        ids = [entry.id.hex() for entry in self.log.entries]
        value = {"game": self.log.game.hex(), "ids": ids, "times": self.times}
        write_json(self.path / "accepted.json", value)

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
        self.remember_signed(examined.entry.number, data)
        return self.keep(examined)

    def highest_signed(self) -> int:
        """The highest file number signed in this game, -1 for none."""
        return self.last_signed()[0]

    def last_signed(self) -> tuple[int, bytes | None]:
        """Number and bytes of the last file signed in this game; -1 for none."""
        value = read_json(self._marker)
        if not isinstance(value, dict) or not isinstance(value.get("number"), int):
            return -1, None
        try:
            return value["number"], b64decode(value["file"], validate=True)
        except (KeyError, TypeError, ValueError):
            return value["number"], None

    def remember_signed(self, number: int, data: bytes) -> None:
        """Remember a signed file apart from the game's folder."""
        if number > self.highest_signed():
            make_folder(self._marker.parent)
            write_json(self._marker, {"number": number, "file": b64encode(data).decode()})

    @property
    def _marker(self) -> Path:
        return self.home.path / "signed" / self.key

    # The draft

    def load_draft(self, desk: Desk) -> tuple[Draft, Wishes]:
        """The draft as it was left; an empty one if there is none, or if it belongs to an older file."""
        value = read_json(self.path / "draft.json")
        if not isinstance(value, dict) or value.get("after") != self.log.previous.hex():
            return Draft(desk), Wishes()
        try:
            choices = tuple(Choice(str(name), item) for name, item in value["choices"])
            mask, stand = value["wishes"]
            return Draft(desk, choices), parse_wishes([bytes.fromhex(mask), stand])
        except (KeyError, TypeError, ValueError, PbemError) as problem:
            raise StoreError(
                f'the draft of the game "{self.key}" is damaged', hint='"pbem undo --all" throws it away'
            ) from problem

    def save_draft(self, draft: Draft, wishes: Wishes) -> None:
        """Keep the choices made so far, and for the quick commands whether they are complete."""
        mask, stand = wishes.as_value()
        value = {
            "after": self.log.previous.hex(),
            "choices": [[choice.name, choice.value] for choice in draft.choices],
            "wishes": [mask.hex(), stand],
            "decided": draft.is_decided,
        }
        write_json(self.path / "draft.json", value)

    def drop_draft(self) -> None:
        """Throw the draft away."""
        remove_file(self.path / "draft.json")

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Keep what the quick commands show; a folder that cannot be written does without."""
        with suppress(StoreError):
            write_json(self.path / "summary.json", {"after": self.log.previous.hex(), **summary})


def open_offer(home: Home, data: bytes) -> tuple[Game, Examined]:
    """The game that an invitation begins, checked completely and not yet written; raises Fault."""
    game = Game(home, "")
    examined = game.examine(data)
    game.key = _free_key(home, examined)
    return game, examined


def _free_key(home: Home, examined: Examined) -> str:
    """The name of a new game's folder: the battle, and as much of the invitation's id as it takes."""
    from pbem.library import scenario_key

    match = examined.referee.match
    assert match is not None
    title = "".join(c if c.isalnum() else " " for c in scenario_key(match.battle.title))
    name = "-".join(title.split())[:MOST_KEY].strip("-") or "game"
    digits = examined.entry.id.hex()
    keys = (f"{name}-{digits[:size]}" for size in (6, 12, 64))
    return next(key for key in keys if not (home.games / key / "files" / "0000.m44").is_file())


def _is_list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)
