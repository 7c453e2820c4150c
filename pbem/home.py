"""The home folder: one identity, its contacts, its games (docs/store.md).

home/
  identity.key          the key file, readable by its owner only
  contacts/NAME.card    signed contact cards
  games/KEY/            one folder per game, see store.py
  signed/KEY            the highest file number signed in a game, apart from its folder
  lock
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.errors import Refused, StoreError
from pbem.files import locked, make_folder, read_file, write_file

if TYPE_CHECKING:
    from pbem.identity import Contact, Identity

KEY_FILE = "identity.key"
MOST_KEY = 4096
MOST_CARD = 4096


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

    @property
    def games(self) -> Path:
        """The folder of all games."""
        return self.path / "games"

    def lock(self) -> AbstractContextManager[None]:
        """Hold while anything in the home folder is changed."""
        return locked(self.path / "lock")

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

        path = self.path / KEY_FILE
        if not path.is_file():
            raise Refused("you have no identity yet", hint='make one with "pbem id new"')
        _check_private(path)
        data = read_file(path, limit=MOST_KEY)
        opened = open_key_file(data, passphrase() if read_key_head(data).locked else None)
        return opened.identity, opened.name

    # Contacts

    def save_contact(self, name: str, card: str) -> None:
        """Keep a contact card under a name of one's own."""
        make_folder(self.path / "contacts")
        write_file(self.path / "contacts" / f"{contact_key(name)}.card", card.encode())

    def contacts(self) -> dict[str, Contact]:
        """All contacts by the name they are kept under."""
        from pbem.identity import parse_card

        folder = self.path / "contacts"
        if not folder.is_dir():
            return {}
        return {
            path.stem: parse_card(read_file(path, limit=MOST_CARD).decode("utf-8", "replace"))
            for path in sorted(folder.glob("*.card"))
        }

    def contact(self, name: str) -> Contact:
        """One contact; raises Refused."""
        found = self.contacts().get(contact_key(name))
        if found is None:
            raise Refused(
                f'you have no contact "{name}"', hint='"pbem id import FILE" takes a contact card in'
            )
        return found


def contact_key(name: str) -> str:
    """A name as a file name."""
    key = "-".join("".join(c if c.isalnum() else " " for c in name.lower()).split())[:40]
    if not key:
        raise Refused(f'"{name}" is no name for a contact', hint="use letters or digits")
    return key


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
