"""One folder per game: accepted files, append-only, a draft, and a summary that may be deleted.

    games/KEY/
      files/0000.m44 …      every accepted file, ours and theirs, exactly as it travelled
      accepted.json         ids of the files that were checked completely
      draft.json            the choices of the file we are about to write
      summary.json          what `pbem games` and `pbem status` show; made anew whenever it is missing
      evidence/             second valid files for a place that was taken: proof of a fork

A file is verified before it is written, and written before anything is said of it. Our own files are written
here before they are shown, and the highest number signed is kept apart as well (`signed/KEY`), so that a
restored backup never signs one place twice.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pbem.container import LARGEST
from pbem.draft import Choice, Desk, Draft, Wishes, parse_wishes
from pbem.errors import Fault, Refused, StoreError
from pbem.files import make_folder, read_file, remove_file, write_file
from pbem.home import Home
from pbem.identity import Identity
from pbem.log import Entry, Log
from pbem.referee import Referee

MOST_JSON = 1_000_000


class Game:
    """A game in the store, with everything its files say."""

    def __init__(self, home: Home, key: str) -> None:
        self.home = home
        self.key = key
        self.log = Log(trusting=True)
        self.referee = Referee()
        self.raw: list[bytes] = []

    @property
    def path(self) -> Path:
        """The folder of the game."""
        return self.home.games / self.key

    def desk(self, identity: Identity) -> Desk:
        """The desk of a person in this game; raises Refused if they do not play."""
        assert self.log.terms is not None
        seats = [seat for seat, pk in enumerate(self.log.identities) if pk == identity.pk]
        if not seats:
            if self.log.count == 1 and None in self.log.identities:
                return Desk(self.log, self.referee, identity, self.log.identities.index(None))
            raise Refused("you do not play in this game")
        return Desk(self.log, self.referee, identity, seats[0])

    # Reading

    def load(self) -> Game:
        """Read the files: those accepted before are believed, others checked completely."""
        trusted = self._accepted()
        folder = self.path / "files"
        if not folder.is_dir():
            raise StoreError(f'the game "{self.key}" has no files', hint="apply its files again")
        numbers = sorted(path.name for path in folder.glob("[0-9]*.m44"))
        if numbers != [f"{number:04}.m44" for number in range(len(numbers))]:
            raise StoreError(f'a file of the game "{self.key}" is missing', hint="apply its files again")
        for number, name in enumerate(numbers):
            data = read_file(folder / name, limit=LARGEST)
            known = trusted[number] if number < len(trusted) else None
            try:
                self._take(data, known)
            except Fault as fault:
                raise StoreError(
                    f'the stored file {name} of the game "{self.key}" is damaged: {fault}',
                    hint="get the file again from your mails and apply it to a fresh folder",
                ) from fault
        return self

    def _take(self, data: bytes, known: str | None) -> Entry:
        log, entry = self.log.trust(on=known is not None).check(data)
        if known is not None and entry.id.hex() != known:
            raise Fault("E_STATE", "its content is not what was accepted")
        self.referee = self.referee.read(entry)
        self.log = log
        self.raw.append(data)
        return entry

    def _accepted(self) -> list[str]:
        ids = _read_json(self.path / "accepted.json", default=[])
        good = isinstance(ids, list) and all(isinstance(item, str) for item in ids)
        if not good:
            raise StoreError(
                f'the list of accepted files of "{self.key}" is damaged', hint="delete accepted.json"
            )
        return list(ids)

    # Writing

    def accept(self, data: bytes) -> Entry:
        """Check the next file completely and keep it; raises Fault and changes nothing."""
        log, entry = self.log.trust(on=False).check(data)
        referee = self.referee.read(entry)
        make_folder(self.path / "files")
        write_file(self.path / "files" / f"{entry.number:04}.m44", data)
        self.log, self.referee = log, referee
        self.raw.append(data)
        self._write_accepted()
        remove_file(self.path / "draft.json")
        return entry

    def keep_evidence(self, data: bytes, name: str) -> None:
        """Keep a second valid file for a place that is taken."""
        make_folder(self.path / "evidence")
        write_file(self.path / "evidence" / name, data)

    def _write_accepted(self) -> None:
        ids = [entry.id.hex() for entry in self.log.entries]
        _write_json(self.path / "accepted.json", ids)

    # Our own files

    def sign(self, draft: Draft, wishes: Wishes, random: Any) -> tuple[Entry, bytes]:
        """Seal a draft: the bytes are on disk, under their number, before anybody sees them."""
        number = self.log.count
        if self.highest_signed() >= number:
            raise Refused(
                f"file {number} of this game was signed before and is not here",
                hint="ask the other player for the game's files and apply them",
            )
        data = draft.seal(wishes, random)
        entry = self.accept(data)
        self.remember_signed(number)
        return entry, data

    def highest_signed(self) -> int:
        """The highest file number signed in this game, -1 for none."""
        value = _read_json(self._marker, default=-1)
        return value if isinstance(value, int) else -1

    def remember_signed(self, number: int) -> None:
        """Remember a signed number apart from the game's folder."""
        if number > self.highest_signed():
            make_folder(self._marker.parent)
            _write_json(self._marker, number)

    @property
    def _marker(self) -> Path:
        return self.home.path / "signed" / self.key

    # The draft

    def load_draft(self, desk: Desk) -> tuple[Draft, Wishes]:
        """The draft as it was left; an empty one if there is none, or if it belongs to an older file."""
        value = _read_json(self.path / "draft.json", default=None)
        if not isinstance(value, dict) or value.get("after") != self.log.previous.hex():
            return Draft(desk), Wishes()
        try:
            choices = tuple(Choice(str(name), item) for name, item in value["choices"])
            mask, stand = value["wishes"]
            return Draft(desk, choices), parse_wishes([bytes.fromhex(mask), stand])
        except (KeyError, TypeError, ValueError, Fault) as problem:
            raise StoreError(
                f'the draft of the game "{self.key}" is damaged', hint='"pbem undo --all" throws it away'
            ) from problem

    def save_draft(self, draft: Draft, wishes: Wishes) -> None:
        """Keep the choices made so far."""
        mask, stand = wishes.as_value()
        value = {
            "after": self.log.previous.hex(),
            "choices": [[choice.name, choice.value] for choice in draft.choices],
            "wishes": [mask.hex(), stand],
        }
        _write_json(self.path / "draft.json", value)

    def drop_draft(self) -> None:
        """Throw the draft away."""
        remove_file(self.path / "draft.json")

    def write_summary(self, summary: dict[str, Any]) -> None:
        """Keep what the quick commands show."""
        _write_json(self.path / "summary.json", {"after": self.log.previous.hex(), **summary})


def _read_json(path: Path, *, default: Any) -> Any:
    if not path.is_file():
        return default
    try:
        return json.loads(read_file(path, limit=MOST_JSON))
    except ValueError:
        return default


def _write_json(path: Path, value: Any) -> None:
    write_file(path, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
