"""Fork certificates: two good files by one author for one place, and nothing that only looks like it."""

from __future__ import annotations

import zlib

import pytest

from pbem.container import SIGNING, frame_file, signed_hash, unpack
from pbem.errors import Fault
from pbem.evidence import check_certificate, find_fork, make_certificate, open_certificate
from pbem.log import parse_body
from pbem.verification import verify_files
from tests.shortgame import another, author_of, id_of, resignation, short_game, unlawful

PLACE = 6


def certificate() -> bytes:
    """A good certificate."""
    return make_certificate(list(short_game()[:PLACE]), short_game()[PLACE], another(PLACE))


def refusal(data: bytes) -> tuple[str, str]:
    """Code and sentence with which a certificate is refused."""
    with pytest.raises(Fault) as caught:
        check_certificate(data)
    return caught.value.code, caught.value.message


def signed_anew(data: bytes) -> bytes:
    """The same body compressed and signed again by its author."""
    payload = zlib.compress(unpack(data).body, 1)
    return frame_file(payload, author_of(PLACE).sign(SIGNING + signed_hash(payload)))


def test_a_certificate_proves_who_forked_which_game_where() -> None:
    fork = check_certificate(certificate())
    body = parse_body(unpack(short_game()[PLACE]).body)
    assert (fork.game, fork.number, fork.seat) == (body.game, PLACE, body.author)
    assert fork.pk == author_of(PLACE).pk
    assert [identity.hex() for identity in fork.ids] == sorted(
        (id_of(short_game()[PLACE]), id_of(another(PLACE)))
    )


def test_one_fork_has_one_certificate() -> None:
    before = list(short_game()[:PLACE])
    assert make_certificate(before, another(PLACE), short_game()[PLACE]) == certificate()


def test_giving_up_in_one_version_and_playing_on_in_the_other_is_a_fork() -> None:
    log, referee = verify_files(list(short_game()[:PLACE]))
    fork = find_fork(log, resignation(PLACE), short_game()[PLACE], referee)
    assert fork is not None
    assert fork.pk == author_of(PLACE).pk


def test_the_same_content_signed_again_is_no_fork() -> None:
    log, referee = verify_files(list(short_game()[:PLACE]))
    again = signed_anew(short_game()[PLACE])
    assert again != short_game()[PLACE]
    assert find_fork(log, short_game()[PLACE], again, referee) is None
    data = make_certificate(list(short_game()[:PLACE]), short_game()[PLACE], again)
    assert refusal(data) == (
        "certificate",
        "this certificate proves nothing: its two files are the same one, or by different authors",
    )


def test_a_file_that_breaks_a_rule_proves_nothing() -> None:
    """Part 13 of the protocol: an author may correct a broken file."""
    data = make_certificate(list(short_game()[:PLACE]), short_game()[PLACE], unlawful(PLACE))
    assert refusal(data)[0] == "E_RULE"


def test_files_of_two_places_prove_nothing() -> None:
    data = make_certificate(list(short_game()[:PLACE]), short_game()[PLACE], short_game()[PLACE + 1])
    assert refusal(data)[0] == "E_SEQ"


def test_a_certificate_needs_the_files_before() -> None:
    data = make_certificate(list(short_game()[1:PLACE]), short_game()[PLACE], another(PLACE))
    assert refusal(data)[0] == "E_SEQ"


def test_the_two_files_stand_in_their_order() -> None:
    before, first, second = open_certificate(certificate())
    turned = certificate()[:9] + b"".join([*before, second, first])
    assert refusal(turned) == (
        "certificate",
        "this certificate proves nothing: its two files do not stand in their order",
    )


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda data: b"M44X" + data[4:], "certificate"),
        (lambda data: data[:4] + b"\x02" + data[5:], "E_VERSION"),
        (lambda data: data[:5] + b"\x07" + data[6:], "certificate"),
        (lambda data: data[:-1], "certificate"),
        (lambda data: data + b"\x00", "certificate"),
        (lambda data: data[:8], "certificate"),
        (lambda data: data[:9], "certificate"),
        (lambda data: data[:-3] + b"\x00\x00\x00", "E_SIG"),
    ],
    ids=["magic", "version", "count", "cut off", "longer", "no head", "no files", "signature"],
)
def test_damaged_certificates_are_refused(change: object, code: str) -> None:
    assert callable(change)
    assert refusal(change(certificate()))[0] == code


def test_a_certificate_without_end_is_not_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.evidence.MOST_BYTES", 100)
    assert refusal(certificate())[0] == "certificate"
