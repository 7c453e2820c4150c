"""The home folder: one identity, its contacts, its games (docs/store.md).

home/
  identity.key          the key file, readable by its owner only
  contacts/NAME.card    signed contact cards
  contacts/NAME.met     people known from a game only: their own name and their key
  contacts/PK.compared  a mark: the fingerprint of this key was compared aloud
  games/KEY/            one folder per game, see store.py
  signed/ID             the last file signed in a game, apart from its folder, by the id of the invitation
  bot/                  the home of the practice opponent, see practice.py
  lock
"""

from __future__ import annotations

import json
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.errors import Fault, Refused, StoreError
from pbem.files import locked, make_folder, read_file, remove_file, sweep, write_file

if TYPE_CHECKING:
    from pbem.identity import Contact, Identity, KeyHead

KEY_FILE = "identity.key"
STORED = "[0-9][0-9][0-9][0-9].m44"  # files of games; copies made by a file manager are not looked at
RESERVED = {"anyone": "whoever answers first", "bot": "the practice opponent"}  # to `pbem new --opponent`
KEY_BYTES = 32
MOST_KEY = 4096
MOST_CARD = 4096
MOST_JSON = 1_000_000


def default_home(environ: dict[str, str], platform: str = sys.platform) -> Path:
    """The platform's own place for the home folder."""
    if environ.get("PBEM_HOME"):
        return Path(environ["PBEM_HOME"])
    user = Path(environ.get("HOME") or environ.get("USERPROFILE") or "~").expanduser()
    if platform == "win32":
        return Path(environ.get("APPDATA") or user / "AppData" / "Roaming") / "pbem"
    if platform == "darwin":
        return user / "Library" / "Application Support" / "pbem"
    return Path(environ.get("XDG_DATA_HOME") or user / ".local" / "share") / "pbem"


class Home:
    """One person's folder on one machine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._held = False  # the lock, by this very object

    @property
    def games(self) -> Path:
        """The folder of all games."""
        return self.path / "games"

    def game_keys(self) -> list[str]:
        """The keys of all games, in alphabetical order."""
        if not self.games.is_dir():
            if self.path.exists() and not self.path.is_dir():
                raise StoreError(
                    f'the home folder "{self.path}" is a file', hint="choose another with --home"
                )
            return []
        return sorted(path.name for path in self.games.iterdir() if _has_files(path / "files"))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Hold while anything in the home folder is changed; what a crash has left behind goes.

        Whoever holds it already may take it again, through the same `Home`.
        """
        if self._held:
            yield
            return
        with locked(self.path / "lock"), self._holding():
            folders = [self.path, self.path / "contacts", self.path / "signed"]
            for game in self.games.iterdir() if self.games.is_dir() else ():  # also one that never began
                folders += [game / name for name in ("", "files", "evidence", "reports")]
            for folder in folders:
                sweep(folder)
            yield

    @contextmanager
    def _holding(self) -> Iterator[None]:
        self._held = True
        try:
            yield
        finally:
            self._held = False

    # Identity

    def has_identity(self) -> bool:
        """Whether a key file is there."""
        return (self.path / KEY_FILE).is_file()

    def check_no_identity(self) -> None:
        """Raises Refused if there is an identity already, StoreError if it is damaged."""
        from pbem.identity import read_key_head

        if self.has_identity():
            with self._judging_key():
                read_key_head(read_file(self.path / KEY_FILE, limit=MOST_KEY))
            raise Refused(f'there is an identity already in "{self.path}"', hint='"pbem id show" shows it')

    def save_identity(self, data: bytes) -> None:
        """Write the key file; raises Refused if there is one already."""
        self.check_no_identity()
        make_folder(self.path)
        write_file(self.path / KEY_FILE, data)

    def load_identity(self, passphrase: Callable[[], str]) -> tuple[Identity, str]:
        """The identity and its name; asks for the passphrase if the key file has one."""
        from pbem.identity import open_key_file, read_key_head

        data = self._key_file()
        with self._judging_key():
            opened = open_key_file(data, passphrase() if read_key_head(data).locked else None)
        return opened.identity, opened.name

    def read_head(self) -> KeyHead:
        """Name and public key of the own identity, without the passphrase; raises Refused."""
        from pbem.identity import read_key_head

        data = self._key_file()
        with self._judging_key():
            return read_key_head(data)

    @contextmanager
    def _judging_key(self) -> Iterator[None]:
        """What is wrong with the key file becomes a StoreError that says what to do."""
        try:
            yield
        except Fault as problem:
            raise StoreError(
                f'the key file "{self.path / KEY_FILE}" is damaged: {problem.message}',
                hint='move it away, then type "pbem id restore"',
            ) from problem

    def _key_file(self) -> bytes:
        path = self.path / KEY_FILE
        if not path.is_file():
            raise Refused("you have no identity yet", hint='make one with "pbem id new"')
        _check_private(path)
        return read_file(path, limit=MOST_KEY)

    # Contacts

    def save_contact(self, name: str, card: str) -> None:
        """Keep a contact card under a name of one's own; raises Refused for one that means something else."""
        from pbem.identity import parse_card

        key, pk = contact_key(name), parse_card(card).pk
        if key in RESERVED:
            raise Refused(
                f'"{key}" is no name for a contact: it means {RESERVED[key]}',
                hint="choose another name for this one with --as NAME",
            )
        make_folder(self._contacts)
        write_file(self._contacts / f"{key}.card", card.encode())
        remove_file(self._contacts / f"{key}.met")
        for path, found in self._read_contacts():  # one person is one contact
            if path.suffix == ".met" and not isinstance(found, StoreError) and found.pk == pk:
                remove_file(path)

    def meet(self, name: str, pk: bytes) -> str:
        """Keep somebody who is known from a game only; the name they are kept under."""
        from pbem.identity import fingerprint

        taken = {*RESERVED, *(path.stem for path, _ in self._read_contacts())}
        digits = fingerprint(pk)[:5]
        wanted = [f"player {digits}", f"player {pk.hex()[:20]}"]
        if any(c.isalnum() for c in name):
            wanted = [name, f"{name[:30]} {digits}", *wanted]
        keys = [contact_key(text) for text in wanted]
        key = next(key for key in keys if key not in taken)
        make_folder(self._contacts)
        write_json(self._contacts / f"{key}.met", {"name": name, "pk": pk.hex()})
        return key

    @property
    def _contacts(self) -> Path:
        return self.path / "contacts"

    def _read_contacts(self) -> list[tuple[Path, Contact | StoreError]]:
        """Every contact in the folder, or what is wrong with it; those met in games first."""
        paths = [*sorted(self._contacts.glob("*.met")), *sorted(self._contacts.glob("*.card"))]
        return [(path, _read_contact(path)) for path in paths]

    def contacts(self) -> dict[str, Contact]:
        """All contacts but damaged ones by their names here; those known from a game only have no box key."""
        found = {path.stem: one for path, one in self._read_contacts() if not isinstance(one, StoreError)}
        return dict(sorted(found.items()))

    def damaged_contacts(self) -> list[StoreError]:
        """What is wrong with contacts that cannot be read."""
        return [one for _, one in self._read_contacts() if isinstance(one, StoreError)]

    def contact(self, name: str) -> Contact:
        """One contact; raises Refused, or StoreError if it is damaged."""
        found = {path.stem: one for path, one in self._read_contacts()}.get(contact_key(name))
        if found is None:
            raise Refused(
                f'you have no contact "{name}"', hint='"pbem id import FILE" takes a contact card in'
            )
        if isinstance(found, StoreError):
            raise found
        return found

    def name_of(self, pk: bytes) -> str | None:
        """The name under which a person is kept, or None."""
        return next((name for name, contact in self.contacts().items() if contact.pk == pk), None)

    # Fingerprints that were compared aloud

    def is_compared(self, pk: bytes) -> bool:
        """Whether the fingerprint of a key was compared, whatever its owner is called here."""
        return (self._contacts / f"{pk.hex()}.compared").is_file()

    def mark_compared(self, pk: bytes) -> None:
        """Remember that a fingerprint was compared."""
        write_file(self._contacts / f"{pk.hex()}.compared", b"")


def _has_files(folder: Path) -> bool:
    """Whether a game has begun: also one whose first file or all files are missing is there, and says so."""
    first, listed = folder / "0000.m44", folder.parent / "accepted.json"
    return first.is_file() or listed.is_file() or any(folder.glob(STORED))


def _read_contact(path: Path) -> Contact | StoreError:
    """A contact card, or a note of somebody met in a game; what is wrong if it cannot be read."""
    from pbem.identity import Contact, parse_card

    met = path.suffix == ".met"
    try:
        if not met:
            return parse_card(read_file(path, limit=MOST_CARD).decode("utf-8", "replace"))
        value = read_json(path)
        name, pk = str(value["name"]), bytes.fromhex(value["pk"])
        if len(pk) == KEY_BYTES:
            return Contact(name, pk, b"")
    except (Fault, StoreError, TypeError, KeyError, ValueError):
        pass
    again = f'import the card again: "pbem id import FILE --as {path.stem}"'
    return StoreError(
        f'the contact "{path}" is damaged',
        hint="remove it; the next game with them writes it again" if met else again,
    )


def contact_key(name: str) -> str:
    """A name as a file name."""
    key = "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())[:40]
    if not key:
        raise Refused(f'"{name}" is no name for a contact', hint="use letters or digits")
    return key


def read_json(path: Path) -> Any:
    """The value in a file of our own; None if it is missing or damaged."""
    try:
        return json.loads(read_file(path, limit=MOST_JSON)) if path.is_file() else None
    except (ValueError, RecursionError):
        return None


def write_json(path: Path, value: Any) -> None:
    """Write a value whole."""
    write_file(path, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _check_private(path: Path) -> None:
    """Refuse a key file that others may read (POSIX)."""
    if os.name == "nt":
        return
    try:
        mode = path.stat().st_mode
    except OSError as problem:
        raise StoreError(f'cannot look at "{path}": {problem.strerror}') from problem
    if stat.S_IMODE(mode) & 0o077:
        raise Refused(f'the key file "{path}" can be read by others', hint=f'type: chmod 600 "{path}"')
