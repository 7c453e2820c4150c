"""The home folder: one identity, its contacts, its games (docs/store.md).

home/
  identity.key          the key file, readable by its owner only
  contacts/NAME.card    signed contact cards
  contacts/NAME.met     people known from a game only: name, key, whether the fingerprint was compared
  games/KEY/            one folder per game, see store.py
  signed/KEY            the last file signed in a game, apart from its folder
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
            for key in self.game_keys():
                folders += [self.games / key / name for name in ("", "files", "evidence", "reports")]
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

    def save_identity(self, data: bytes) -> None:
        """Write the key file; raises Refused if there is one already."""
        if self.has_identity():
            raise Refused(f'there is an identity already in "{self.path}"', hint='"pbem id show" shows it')
        make_folder(self.path)
        write_file(self.path / KEY_FILE, data)

    def load_identity(self, passphrase: Callable[[], str]) -> tuple[Identity, str]:
        """The identity and its name; asks for the passphrase if the key file has one."""
        from pbem.identity import open_key_file, read_key_head

        data = self._key_file()
        opened = open_key_file(data, passphrase() if read_key_head(data).locked else None)
        return opened.identity, opened.name

    def read_head(self) -> KeyHead:
        """Name and public key of the own identity, without the passphrase; raises Refused."""
        from pbem.identity import read_key_head

        return read_key_head(self._key_file())

    def _key_file(self) -> bytes:
        path = self.path / KEY_FILE
        if not path.is_file():
            raise Refused("you have no identity yet", hint='make one with "pbem id new"')
        _check_private(path)
        return read_file(path, limit=MOST_KEY)

    # Contacts

    def save_contact(self, name: str, card: str) -> None:
        """Keep a contact card under a name of one's own."""
        make_folder(self.path / "contacts")
        write_file(self.path / "contacts" / f"{contact_key(name)}.card", card.encode())
        remove_file(self.path / "contacts" / f"{contact_key(name)}.met")

    def meet(self, name: str, pk: bytes) -> str:
        """Keep somebody who is known from a game only; the name they are kept under."""
        from pbem.identity import fingerprint

        taken = self.contacts()
        digits = fingerprint(pk)[:5]
        wanted = [f"player {digits}", f"player {pk.hex()[:20]}"]
        if any(c.isalnum() for c in name):
            wanted = [name, f"{name[:30]} {digits}", *wanted]
        keys = [contact_key(text) for text in wanted]
        key = next(key for key in keys if key not in taken)
        make_folder(self.path / "contacts")
        write_json(self.path / "contacts" / f"{key}.met", {"name": name, "pk": pk.hex()})
        return key

    def contacts(self) -> dict[str, Contact]:
        """All contacts by the name they are kept under; those known from a game only have no box key."""
        from pbem.identity import parse_card

        folder = self.path / "contacts"
        found: dict[str, Contact] = {}
        for path in sorted(folder.glob("*.met")) if folder.is_dir() else []:
            found[path.stem] = _read_met(path)
        for path in sorted(folder.glob("*.card")) if folder.is_dir() else []:
            try:
                found[path.stem] = parse_card(read_file(path, limit=MOST_CARD).decode("utf-8", "replace"))
            except Fault as fault:
                raise StoreError(
                    f'the contact card "{path}" is damaged: {fault.message}', hint="import the card again"
                ) from fault
        return dict(sorted(found.items()))

    def contact(self, name: str) -> Contact:
        """One contact; raises Refused."""
        found = self.contacts().get(contact_key(name))
        if found is None:
            raise Refused(
                f'you have no contact "{name}"', hint='"pbem id import FILE" takes a contact card in'
            )
        return found

    def name_of(self, pk: bytes) -> str | None:
        """The name under which a person is kept, or None."""
        return next((name for name, contact in self.contacts().items() if contact.pk == pk), None)

    # Fingerprints that were compared aloud

    def is_compared(self, name: str, pk: bytes) -> bool:
        """Whether this person's fingerprint was compared."""
        return bool(read_json(self.path / "contacts" / f"{contact_key(name)}.compared") == pk.hex())

    def mark_compared(self, name: str, pk: bytes) -> None:
        """Remember that a fingerprint was compared."""
        write_json(self.path / "contacts" / f"{contact_key(name)}.compared", pk.hex())


def _has_files(folder: Path) -> bool:
    """Whether a game has begun: also one whose first file is missing is still there, and says so."""
    return (folder / "0000.m44").is_file() or any(folder.glob(STORED))


def _read_met(path: Path) -> Contact:
    from pbem.identity import Contact

    value = read_json(path)
    try:
        return Contact(str(value["name"]), bytes.fromhex(value["pk"]), b"")
    except (TypeError, KeyError, ValueError):
        raise StoreError(
            f'the contact "{path}" is damaged', hint="remove it; the next game writes it again"
        ) from None


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
