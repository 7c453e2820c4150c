"""Identities: published keys, strict signatures, fingerprints, contact cards, key files, backups."""

from __future__ import annotations

from functools import partial
from hashlib import sha512

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.armor import armor, find_armored
from pbem.canon import decode, encode
from pbem.errors import Fault, PbemError, Refused
from pbem.hashing import h32
from pbem.identity import (
    ED_ORDER,
    FIELD,
    KEY_MAGIC,
    SMALL_ORDER,
    SYMBOLS,
    Identity,
    backup_text,
    checked_name,
    fingerprint,
    make_card,
    new_identity,
    open_key_file,
    parse_card,
    parse_fingerprint,
    read_key_head,
    restore_text,
    seal_key_file,
    verify_signature,
)
from tests.pbem.vectors import value

ME = Identity(b"\1" * 32)
MESSAGE = b"message"
SIGNATURE = ME.sign(MESSAGE)


def little(number: int) -> bytes:
    """32 bytes, little-endian."""
    return number.to_bytes(32, "little")


def test_published_keys() -> None:
    me = Identity(value("identity", "master"))
    assert me.pk == value("identity", "pk")
    assert me.bk == value("identity", "bk")
    assert me.box_secret == value("identity", "x25519_secret")
    assert h32("id/sign", me.master) == value("identity", "ed25519_seed")


def test_new_identities() -> None:
    assert new_identity().pk != new_identity().pk
    assert new_identity(lambda size: b"\1" * size).pk == ME.pk
    assert "01010101" not in repr(ME)
    with pytest.raises(ValueError, match="32 bytes"):
        Identity(b"short")


# Signatures.


def refused(pk: bytes, signature: bytes, message: bytes = MESSAGE) -> bool:
    """True if a signature is refused with E_SIG."""
    with pytest.raises(Fault, match="E_SIG"):
        verify_signature(pk, signature, message)
    return True


def test_signatures() -> None:
    verify_signature(ME.pk, SIGNATURE, MESSAGE)
    assert refused(ME.pk, SIGNATURE, b"other")
    assert refused(Identity(bytes(32)).pk, SIGNATURE)
    for place in range(64):
        damaged = bytearray(SIGNATURE)
        damaged[place] ^= 1
        assert refused(ME.pk, bytes(damaged))
    for data in (b"", SIGNATURE[:-1], SIGNATURE + b"\0"):
        assert refused(ME.pk, data)
    for data in (b"", ME.pk[:-1], ME.pk + b"\0"):
        assert refused(data, SIGNATURE)


def test_malleated_signatures() -> None:
    """Cheat 2: S plus the order is the same number and another signature."""
    s = int.from_bytes(SIGNATURE[32:], "little")
    for factor in range(1, 15):
        assert refused(ME.pk, SIGNATURE[:32] + little(s + factor * ED_ORDER))


def test_the_points_of_small_order() -> None:
    """The five y are derived once more: 0, 1, -1 and the two with d·y^4 + 2·y^2 = 1."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    eighths = {y for y in SMALL_ORDER if (d * y**4 + 2 * y**2 - 1) % FIELD == 0}
    assert len(eighths) == 2
    assert eighths | {0, 1, FIELD - 1} == SMALL_ORDER


@pytest.mark.parametrize("y", sorted(SMALL_ORDER))
@pytest.mark.parametrize("sign", [0, 1])
def test_small_order_is_refused_as_key_and_as_point(y: int, sign: int) -> None:
    """Part 2: with a key of small order one signature would be good for many messages."""
    small = little(y | sign << 255)
    identity_signature = little(1) + bytes(32)
    assert refused(small, identity_signature)
    assert refused(small, SIGNATURE)
    assert refused(ME.pk, small + SIGNATURE[32:])


def secret_number(seed: bytes) -> int:
    """The secret scalar of an Ed25519 seed, as the standard makes it."""
    data = int.from_bytes(sha512(seed).digest()[:32], "little")
    return data & (2**254 - 8) | 2**254


def library_accepts(pk: bytes, signature: bytes) -> bool:
    """True if the library alone takes the signature, whatever we say."""
    try:
        Ed25519PublicKey.from_public_bytes(pk).verify(signature, MESSAGE)
    except InvalidSignature:
        return False
    return True


@pytest.mark.parametrize("pk", [little(1), little(FIELD + 1)], ids=["identity", "identity, not canonical"])
def test_a_key_of_small_order_would_sign_everything(pk: bytes) -> None:
    """Part 2: with the identity as key, any R = r·B and S = r is good for every message."""
    seed = b"r" * 32
    point = Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes_raw()
    signature = point + little(secret_number(seed) % ED_ORDER)
    assert library_accepts(pk, signature)
    assert refused(pk, signature)


def test_a_signature_whose_point_has_small_order() -> None:
    """Part 2: made by the owner of the key with a nonce of zero; the library takes it, we do not."""
    secret = secret_number(h32("id/sign", ME.master))
    point = little(1)
    hashed = int.from_bytes(sha512(point + ME.pk + MESSAGE).digest(), "little")
    signature = point + little(hashed * secret % ED_ORDER)
    assert library_accepts(ME.pk, signature)
    assert refused(ME.pk, signature)


@pytest.mark.parametrize("y", [FIELD, FIELD + 1, FIELD + 3, 2**255 - 1])
@pytest.mark.parametrize("sign", [0, 1])
def test_encodings_that_are_not_canonical(y: int, sign: int) -> None:
    strange = little(y | sign << 255)
    assert refused(strange, SIGNATURE)
    assert refused(ME.pk, strange + SIGNATURE[32:])


def test_many_honest_signatures() -> None:
    for number in range(50):
        person = Identity(h32("id/sign", bytes([number])))
        verify_signature(person.pk, person.sign(bytes([number])), bytes([number]))


def test_a_signature_of_the_standard() -> None:
    """RFC 8032, 7.1, test 2: a key and signature from the standard itself."""
    seed = bytes.fromhex("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb")
    key = Ed25519PrivateKey.from_private_bytes(seed)
    public = bytes.fromhex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    assert key.public_key().public_bytes_raw() == public
    signature = key.sign(b"\x72")
    assert signature.hex().startswith("92a009a9f0d4cab8720e820b5f642540")
    verify_signature(public, signature, b"\x72")


# Fingerprints.


def test_fingerprints() -> None:
    text = fingerprint(ME.pk)
    assert text == "67487 80563 03667 80746 65926 02965"
    assert parse_fingerprint(text) == text
    assert parse_fingerprint(" 67487-80563-03667\n80746.65926 02965 ") == text
    assert fingerprint(Identity(bytes(32)).pk) != text


def test_every_slip_in_a_fingerprint_is_noticed() -> None:
    digits = fingerprint(ME.pk).replace(" ", "")
    for place in range(30):
        for digit in "0123456789":
            if digit != digits[place]:
                with pytest.raises(Refused, match="digit"):
                    parse_fingerprint(digits[:place] + digit + digits[place + 1 :])
    for place in range(29):
        if digits[place] != digits[place + 1]:
            swapped = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
            with pytest.raises(Refused, match="digit"):
                parse_fingerprint(swapped)
    for text in ("", digits[:-1], digits + "0", digits.replace("0", "o"), "٣" * 30, "x" * 5000):
        with pytest.raises(Refused, match="digit"):
            parse_fingerprint(text)


# Contact cards.


def test_cards_round_trip() -> None:
    for name in ("Bob", "Žofie Dvořáková", "李", "x" * 64):
        contact = parse_card("Hello,\n> " + make_card(ME, name).replace("\n", "\n> "))
        assert contact == (name, ME.pk, ME.bk)
    assert parse_card(make_card(ME, "  Bob ")).name == "Bob"


@pytest.mark.parametrize("name", ["", "  ", "x" * 65, "a\nb", "a\0b", "a\u202eb", "\u200b", "\ud800", "a\tb"])
def test_names_that_are_refused(name: str) -> None:
    for action in (checked_name, partial(make_card, ME), partial(seal_key_file, ME, None)):
        with pytest.raises(Refused, match="64 printable"):
            action(name)


def card_with(**changes: object) -> str:
    """A contact card with fields changed and the checksum made again."""
    fields = decode(find_armored(make_card(ME, "Bob"), "CONTACT")[0])
    assert isinstance(fields, dict)
    return armor(encode({**fields, **changes}), "CONTACT")  # type: ignore[dict-item]  # wrong on purpose


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Rob"},
        {"pk": Identity(bytes(32)).pk},
        {"bk": Identity(bytes(32)).bk},
        {"sig": bytes(64)},
        {"sig": b""},
        {"name": "a\nb"},
        {"name": ""},
        {"name": " Bob"},
        {"name": 5},
        {"bk": b"short"},
        {"pk": b"short"},
        {"v": 2},
        {"v": True},
        {"more": 1},
    ],
)
def test_forged_and_strange_cards(changes: dict[str, object]) -> None:
    assert parse_card(card_with()).name == "Bob"
    with pytest.raises(Fault):
        parse_card(card_with(**changes))


@pytest.mark.parametrize("text", ["", "hello", armor(b"", "CONTACT"), armor(b"\x90", "CONTACT"), armor(b"x")])
def test_texts_that_are_no_card(text: str) -> None:
    with pytest.raises(Fault):
        parse_card(text)


def test_a_card_signature_cannot_sign_a_file() -> None:
    """The two kinds of message begin differently."""
    fields = decode(find_armored(make_card(ME, "Bob"), "CONTACT")[0])
    assert isinstance(fields, dict)
    signature = fields["sig"]
    assert isinstance(signature, bytes)
    digest = h32("contact", b"Bob", ME.pk, ME.bk)
    verify_signature(ME.pk, signature, b"m44pbem/1/contact\0" + digest)
    assert refused(ME.pk, signature, b"m44pbem/1/sig\0" + digest)


# Key files.


@pytest.fixture(scope="module")
def locked() -> bytes:
    """A key file with a passphrase."""
    return seal_key_file(ME, "corréct horse", "Bob")


def test_open_key_files() -> None:
    data = seal_key_file(ME, None, "Bob")
    assert read_key_head(data) == ("Bob", ME.pk, False)
    opened = open_key_file(data, None)
    assert (opened.identity.master, opened.name) == (ME.master, "Bob")
    assert open_key_file(data, "not needed").identity.pk == ME.pk


def test_locked_key_files(locked: bytes) -> None:
    assert ME.master not in locked
    assert read_key_head(locked) == ("Bob", ME.pk, True)
    assert open_key_file(locked, "corréct horse").identity.master == ME.master
    assert open_key_file(locked, "corre\u0301ct horse").identity.master == ME.master  # typed another way
    for wrong in ("correct horse", ""):
        with pytest.raises(Refused, match="not the passphrase"):
            open_key_file(locked, wrong)
    with pytest.raises(Refused, match="locked"):
        open_key_file(locked, None)


def test_two_locked_files_differ(locked: bytes) -> None:
    assert seal_key_file(ME, "corréct horse", "Bob") != locked


def changed(data: bytes, **changes: object) -> bytes:
    """A key file with fields changed."""
    fields = decode(data[len(KEY_MAGIC) :])
    assert isinstance(fields, dict)
    return KEY_MAGIC + encode({**fields, **changes})  # type: ignore[dict-item]  # wrong on purpose


@pytest.mark.parametrize(
    "changes",
    [
        {"name": "Rob"},
        {"pk": bytes(32)},
        {"salt": bytes(16)},
        {"nonce": bytes(12)},
        {"n": 2**14},
        {"box": bytes(48)},
    ],
)
def test_changed_key_files_do_not_open(locked: bytes, changes: dict[str, object]) -> None:
    with pytest.raises(Refused, match="not the passphrase"):
        open_key_file(changed(locked, **changes), "corréct horse")


@pytest.mark.parametrize(
    "changes",
    [
        {"n": 2**62},
        {"n": 2**20},
        {"n": 3},
        {"n": 0},
        {"n": -2},
        {"r": 2**30},
        {"r": 0},
        {"p": 2**30},
        {"p": 0},
        {"n": True},
        {"salt": b""},
        {"nonce": b""},
        {"box": b""},
        {"name": "\n"},
        {"more": 1},
    ],
)
def test_key_files_that_ask_for_too_much_or_make_no_sense(locked: bytes, changes: dict[str, object]) -> None:
    data = changed(locked, **changes)
    with pytest.raises(Fault):
        read_key_head(data)
    with pytest.raises(Fault):
        open_key_file(data, "corréct horse")


def test_damaged_open_key_files() -> None:
    data = seal_key_file(ME, None, "Bob")
    for place in range(len(data)):
        damaged = bytearray(data)
        damaged[place] ^= 1
        try:
            assert open_key_file(bytes(damaged), None).identity.pk == ME.pk  # only a letter of the name
        except PbemError:
            continue
        assert b"Bob" in data[place - 3 : place + 4]
    for other in (b"", b"M44K", KEY_MAGIC, b"M44F" + data[4:], data[:-1], data + b"\0"):
        with pytest.raises(Fault):
            open_key_file(other, None)


# Backups.


def test_backup_text() -> None:
    text = backup_text(ME)
    assert text == "20810 40G20 81040\nG2081 040G2 08104\n0G208 1040G 20810\n40G20 81RTD MX7ZX\n"
    assert restore_text(text).master == ME.master


@given(st.binary(min_size=32, max_size=32))
@settings(max_examples=60, deadline=None)
def test_backups_round_trip_as_people_type(master: bytes) -> None:
    text = backup_text(Identity(master))
    assert set(text) <= set(SYMBOLS + " \n")
    symbols = text.replace(" ", "").replace("\n", "")
    typed = [
        text.lower(),
        symbols,
        "-".join(symbols),
        text.replace("0", "O").replace("1", "I"),
        text.replace("0", "o").replace("1", "l"),
        "  " + text.replace("\n", "\r\n\r\n") + " ",
    ]
    for version in typed:
        assert restore_text(version).master == master


def test_single_slips_are_found_and_located() -> None:
    """Every wrong symbol and every exchange of neighbours is refused, and the hint names its group."""
    master = h32("id/sign", b"backup")
    symbols = backup_text(Identity(master)).replace(" ", "").replace("\n", "")
    for place in range(0, 60, 7):
        other = "7" if symbols[place] != "7" else "8"
        with pytest.raises(Refused, match=f"look at group {place // 5 + 1}$"):
            restore_text(symbols[:place] + other + symbols[place + 1 :])
    for place in range(0, 59, 9):
        if symbols[place] != symbols[place + 1]:
            swapped = symbols[:place] + symbols[place + 1] + symbols[place] + symbols[place + 2 :]
            with pytest.raises(Refused, match=f"look at group {place // 5 + 1}$"):
                restore_text(swapped)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "0 symbols"),
        (backup_text(ME)[:-2], "59 symbols"),
        (backup_text(ME) + "0", "61 symbols"),
        (backup_text(ME).replace("G", "U"), 'never used, "U"'),
        (backup_text(ME).replace("G", "é"), 'never used, "É"'),
        (backup_text(ME) + "\x1b", 'never used, "U.001B"'),
        ("\ud800" * 60, 'never used, "U.D800"'),
        (backup_text(ME).replace("2", "3"), "has a mistake$"),
        ("0" * 60, "has a mistake"),
    ],
)
def test_other_slips(text: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        restore_text(text)


def test_a_backup_of_a_later_version() -> None:
    from pbem import identity

    number = 2 << 256 | int.from_bytes(ME.master, "big")
    number = number << 40 | identity._backup_check(2, ME.master)
    later = "".join(SYMBOLS[number >> place & 31] for place in range(295, -1, -5))
    with pytest.raises(Refused, match="later version"):
        restore_text(later)
