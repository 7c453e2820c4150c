"""A person's keys: everything follows from one master secret of 32 bytes (docs/protocol.md, part 5).

The signing key names the person and signs files; the encryption key receives the secrets of team games. Key
files, contact cards and backup texts are made here as bytes or text; the store keeps them, this module reads
and writes nothing. docs/decisions/0012 and 0013 say why their forms are what they are.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from hashlib import scrypt
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from pbem.armor import armor, find_armored
from pbem.canon import Value, decode, encode
from pbem.errors import Fault, Refused
from pbem.hashing import h32, shake

MASTER_SIZE = 32
NAME_LIMIT = 64

# Ed25519: the field, the order of the base point, and the y of all eight points of small order.
FIELD = 2**255 - 19
ED_ORDER = 2**252 + 27742317777372353535851937790883648493
Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL_ORDER = frozenset((0, 1, FIELD - 1, Y8, FIELD - Y8))


class Identity:
    """A person, from the master secret."""

    def __init__(self, master: bytes) -> None:
        if len(master) != MASTER_SIZE:
            raise ValueError("a master secret has 32 bytes")
        self.master = master

    def __repr__(self) -> str:
        return f"Identity({fingerprint(self.pk)})"  # never the secret

    @cached_property
    def _signer(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(h32("id/sign", self.master))

    @cached_property
    def box_secret(self) -> bytes:
        """The X25519 secret that opens sealed boxes."""
        return h32("id/box", self.master)

    @cached_property
    def pk(self) -> bytes:
        """The public signing key, 32 bytes: the name of the person."""
        return self._signer.public_key().public_bytes_raw()

    @cached_property
    def bk(self) -> bytes:
        """The public encryption key, 32 bytes."""
        return X25519PrivateKey.from_private_bytes(self.box_secret).public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of a message, 64 bytes."""
        return self._signer.sign(message)


def new_identity(random: Callable[[int], bytes] = os.urandom) -> Identity:
    """A new person."""
    return Identity(random(MASTER_SIZE))


def _is_sound(data: bytes) -> bool:
    """True for 32 bytes with a canonical y, and not that of a point of small order."""
    y = int.from_bytes(data, "little") & (2**255 - 1)
    return len(data) == 32 and y < FIELD and y not in SMALL_ORDER


@lru_cache(maxsize=64)
def _public_key(pk: bytes) -> Ed25519PublicKey | None:
    """The library's form of an identity key, or None if it is none."""
    try:
        return Ed25519PublicKey.from_public_bytes(pk) if _is_sound(pk) else None
    except ValueError:
        return None


def verify_signature(pk: bytes, signature: bytes, message: bytes) -> None:
    """Raises Fault E_SIG unless this is a good signature, by the strict rules of part 2."""
    key = _public_key(pk)
    if (
        key is None
        or len(signature) != 64
        or int.from_bytes(signature[32:], "little") >= ED_ORDER
        or not _is_sound(signature[:32])
    ):
        raise _bad_signature()
    try:
        key.verify(signature, message)
    except InvalidSignature:
        raise _bad_signature() from None


def _bad_signature() -> Fault:
    """The refusal of a signature."""
    return Fault("E_SIG", "the signature is not by the person it names", hint="ask for the file again")


# Fingerprints: 28 digits of a hash and two check digits, in six groups of five.


def fingerprint(pk: bytes) -> str:
    """Thirty digits that two people compare over the telephone, such as "48213 90577 ..."."""
    number = int.from_bytes(h32("print", pk), "big") % 10**28
    digits = f"{number:028}{98 - number * 100 % 97:02}"  # ISO 7064, mod 97-10
    return " ".join(digits[place : place + 5] for place in range(0, 30, 5))


def parse_fingerprint(text: str) -> str:
    """A fingerprint as it was typed, in its usual form; Refused if a digit is wrong or missing."""
    digits = "".join(character for character in text if character not in " -.\t\r\n")
    if len(digits) != 30 or not digits.isascii() or not digits.isdigit() or int(digits) % 97 != 1:
        raise Refused(
            "this is not a fingerprint: a digit is wrong or missing",
            hint="it has thirty digits in six groups of five",
            code="fingerprint",
        )
    return " ".join(digits[place : place + 5] for place in range(0, 30, 5))


# Contact cards: what a person gives to others, signed with their own key.


class Contact(NamedTuple):
    """Somebody else, as their contact card says."""

    name: str
    pk: bytes
    bk: bytes


CARD_FIELDS = {"bk": bytes, "name": str, "pk": bytes, "sig": bytes, "v": int}


def checked_name(name: str) -> str:
    """A name people may have: 1 to 64 printable characters, no blanks at the ends; else Refused."""
    name = unicodedata.normalize("NFC", name.strip())
    if not name or len(name) > NAME_LIMIT or not name.isprintable():
        raise Refused(
            f"a name has 1 to {NAME_LIMIT} printable characters", hint="choose another name", code="name"
        )
    return name


def _card_message(name: str, pk: bytes, bk: bytes) -> bytes:
    """What the signature on a contact card signs; the prefix keeps it apart from files."""
    return b"m44pbem/1/contact\0" + h32("contact", name.encode(), pk, bk)


def make_card(identity: Identity, name: str) -> str:
    """The contact card of a person, as text that may be mailed."""
    name = checked_name(name)
    signature = identity.sign(_card_message(name, identity.pk, identity.bk))
    card = encode({"bk": identity.bk, "name": name, "pk": identity.pk, "sig": signature, "v": 1})
    return armor(card, "CONTACT")


def parse_card(text: str) -> Contact:
    """The person on the first contact card in a text; Fault if there is none or it is not theirs."""
    found = find_armored(text, "CONTACT")
    if not found:
        raise Fault("contact-card", "there is no contact card in this text", hint="ask for the card again")
    fields = _fields(found[0], "contact-card", CARD_FIELDS)
    name, pk, bk, signature = fields["name"], fields["pk"], fields["bk"], fields["sig"]
    if fields["v"] != 1:
        raise Fault("contact-card", "this contact card is of a later version", hint="update pbem")
    if len(bk) != 32:
        raise Fault("contact-card", "this contact card has an impossible key")
    verify_signature(pk, signature, _card_message(name, pk, bk))
    return Contact(name, pk, bk)


def _fields(data: bytes, code: str, *shapes: Mapping[str, type]) -> dict[str, Any]:
    """A map with exactly the keys and types of one of the shapes, from canonical bytes; else Fault."""
    value: Value
    try:
        value = decode(data)
    except Fault:
        value = None
    found = {key: type(field) for key, field in value.items()} if isinstance(value, dict) else None
    if not isinstance(value, dict) or found not in shapes or not _is_name(value["name"]):
        raise Fault(code, "the data is damaged or was not made by this program")
    return value


def _is_name(name: Value) -> bool:
    """True for a name in the form that `checked_name` gives."""
    try:
        return isinstance(name, str) and checked_name(name) == name
    except Refused:
        return False


# Key files: the master secret on disk, locked with a passphrase if the person wants one.

KEY_MAGIC = b"M44K\1"
LOCKED_FIELDS = {
    "box": bytes, "n": int, "name": str, "nonce": bytes, "p": int, "pk": bytes, "r": int, "salt": bytes
}  # fmt: skip
OPEN_FIELDS = {"master": bytes, "name": str, "pk": bytes}
SCRYPT = {"n": 2**15, "r": 8, "p": 1}  # 32 MB and about a tenth of a second
SCRYPT_MEMORY = 2**28  # what a file may ask for at most


class KeyHead(NamedTuple):
    """What anybody can read in a key file."""

    name: str
    pk: bytes
    locked: bool


class OpenedKey(NamedTuple):
    """The contents of an opened key file."""

    identity: Identity
    name: str


def seal_key_file(
    identity: Identity, passphrase: str | None, name: str, *, random: Callable[[int], bytes] = os.urandom
) -> bytes:
    """The key file of a person; without a passphrase the secret stands in it openly."""
    name = checked_name(name)
    if passphrase is None:
        return KEY_MAGIC + encode({"master": identity.master, "name": name, "pk": identity.pk})
    head: dict[str, Any] = {"name": name, "nonce": random(12), "pk": identity.pk, "salt": random(16)}
    head |= SCRYPT
    return KEY_MAGIC + encode({**head, "box": _lock(head, passphrase, identity.master, seal=True)})


def _lock(head: Mapping[str, Any], passphrase: str, data: bytes, *, seal: bool) -> bytes:
    """The locked or unlocked data; the whole head is authenticated with it. Raises InvalidTag."""
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    n, r, p, salt, nonce = (head[name] for name in ("n", "r", "p", "salt", "nonce"))
    words = unicodedata.normalize("NFKC", passphrase).encode("utf-8", "surrogatepass")
    key = scrypt(words, salt=salt, n=n, r=r, p=p, maxmem=SCRYPT_MEMORY + 2**20, dklen=32)
    bound = KEY_MAGIC + encode(dict(head))
    cipher = ChaCha20Poly1305(key)
    return cipher.encrypt(nonce, data, bound) if seal else cipher.decrypt(nonce, data, bound)


def _key_fields(data: bytes) -> dict[str, Any]:
    """The fields of a key file, all of them possible; else Fault."""
    if not data.startswith(KEY_MAGIC):
        raise Fault("key-file", "this is not a key file", hint="pbem id list shows the ones there are")
    fields = _fields(data[len(KEY_MAGIC) :], "key-file", OPEN_FIELDS, LOCKED_FIELDS)
    sizes = {"master": 32, "pk": 32, "box": 48, "nonce": 12, "salt": 16}
    if any(len(field) != sizes[key] for key, field in fields.items() if isinstance(field, bytes)):
        raise Fault("key-file", "the key file is damaged", hint="restore it from the backup text")
    if "n" in fields and not _is_affordable(fields["n"], fields["r"], fields["p"]):
        raise Fault("key-file", "the key file asks for too much memory", hint="restore the backup text")
    return fields


def _is_affordable(n: int, r: int, p: int) -> bool:
    """True if these scrypt parameters are possible and take a bounded time and memory."""
    possible = 2 <= n <= 2**20 and not n & (n - 1) and 1 <= r <= 32 and 1 <= p <= 4
    return possible and 128 * n * r <= SCRYPT_MEMORY


def read_key_head(data: bytes) -> KeyHead:
    """Name, public key and whether a passphrase is needed, without opening a key file; else Fault."""
    fields = _key_fields(data)
    return KeyHead(fields["name"], fields["pk"], "box" in fields)


def open_key_file(data: bytes, passphrase: str | None) -> OpenedKey:
    """The person in a key file; Fault if it is damaged, Refused if the passphrase is missing or wrong."""
    fields = _key_fields(data)
    if "box" not in fields:
        master = fields["master"]
    elif passphrase is None:
        raise Refused("this key file is locked", hint="give its passphrase", code="passphrase")
    else:
        box = fields.pop("box")
        try:
            master = _lock(fields, passphrase, box, seal=False)
        except InvalidTag:
            raise Refused("this is not the passphrase of the key file", code="passphrase") from None
    identity = Identity(master)
    if identity.pk != fields["pk"]:
        raise Fault("key-file", "the key file is damaged", hint="restore it from the backup text")
    return OpenedKey(identity, fields["name"])


# Backup texts: the master secret on paper, sixty symbols in twelve groups of five.

SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # no I, L, O, U: nothing looks like anything else
ALIKE = str.maketrans("OIL", "011", " -.\t\r\n")
BACKUP_VERSION = 1
CHECK_SIZE = 5


def _backup_check(version: int, master: bytes) -> int:
    """The checksum of a backup, forty bits."""
    return int.from_bytes(shake(CHECK_SIZE, "backup", bytes([version]), master), "big")


def backup_text(identity: Identity) -> str:
    """The master secret for paper: four lines of three groups."""
    number = BACKUP_VERSION << 256 | int.from_bytes(identity.master, "big")
    number = number << 40 | _backup_check(BACKUP_VERSION, identity.master)
    symbols = "".join(SYMBOLS[number >> place & 31] for place in range(295, -1, -5))
    groups = [symbols[place : place + 5] for place in range(0, 60, 5)]
    return "\n".join(" ".join(groups[place : place + 3]) for place in range(0, 12, 3)) + "\n"


def _read_backup(symbols: str) -> tuple[int, bytes] | None:
    """Version and master secret of sixty symbols, or None if the checksum is wrong."""
    number = 0
    for symbol in symbols:
        number = number << 5 | SYMBOLS.index(symbol)
    version, master = number >> 296, (number >> 40 & 2**256 - 1).to_bytes(32, "big")
    return (version, master) if _backup_check(version, master) == number & 2**40 - 1 else None


def restore_text(text: str) -> Identity:
    """The person in a backup text as it was typed; Refused, with the place if it can be told."""
    symbols = text.upper().translate(ALIKE)
    strange = sorted(set(symbols) - set(SYMBOLS))
    if strange:
        symbol = strange[0] if strange[0].isprintable() else f"U+{ord(strange[0]):04X}"
        raise _bad_backup(f'the backup text has a symbol that is never used, "{symbol}"')
    if len(symbols) != 60:
        raise _bad_backup(f"the backup text has {len(symbols)} symbols, and sixty are needed")
    found = _read_backup(symbols)
    if found is None:
        place = _misprint(symbols)
        where = "" if place is None else f"; look at group {place // 5 + 1}"
        raise _bad_backup(f"the backup text has a mistake{where}")
    if found[0] != BACKUP_VERSION:
        raise _bad_backup("this backup text is of a later version")
    return Identity(found[1])


def _bad_backup(message: str) -> Refused:
    """The refusal of a backup text."""
    return Refused(message, hint="compare it with the paper, group by group", code="backup-text")


def _misprint(symbols: str) -> int | None:
    """Where one wrong symbol, or two neighbours exchanged, would explain a wrong checksum."""
    for place in range(60):
        before, here, after = symbols[:place], symbols[place], symbols[place + 1 :]
        tries = [before + symbol + after for symbol in SYMBOLS if symbol != here]
        if after:
            tries.append(before + after[0] + here + after[1:])
        if any(map(_read_backup, tries)):
            return place
    return None
