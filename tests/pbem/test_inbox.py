"""Finding turn files in what people hand over, whatever the bytes look like."""

from __future__ import annotations

import io
import random
import zipfile
from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.armor import armor
from pbem.container import frame_file
from pbem.errors import PbemError
from pbem.inbox import MOST_ENTRIES, Letter, Trouble, has_changed_lines, open_letters

FILE = frame_file(b"", bytes(64))  # framed, though its body is damaged


def whole(content: bytes = b"x") -> bytes:
    """A file that opens: the frame and the stream are good, the signature is not looked at here."""
    import zlib

    return frame_file(zlib.compress(content), bytes(64))


def found(tmp_path: Path, data: bytes, name: str = "x") -> list[Letter | Trouble]:
    """What is in a file with these bytes."""
    (tmp_path / name).write_bytes(data)
    return open_letters([tmp_path / name])


def letters(items: list[Letter | Trouble]) -> list[bytes]:
    """The turn files, if there is nothing else."""
    assert all(isinstance(item, Letter) for item in items), items
    return [item.data for item in items if isinstance(item, Letter)]


def test_names_do_not_matter_bytes_do(tmp_path: Path) -> None:
    assert letters(found(tmp_path, whole(), "picture.jpg")) == [whole()]


def test_a_good_file_beside_a_bad_one_in_one_stream(tmp_path: Path) -> None:
    one, two = found(tmp_path, whole() + FILE)
    assert isinstance(one, Letter)
    assert isinstance(two, Trouble)
    assert two.origin.endswith(", file 2 in it")


@pytest.mark.parametrize("size", [40, 41, 42])
def test_pasted_base64_may_be_followed_by_words(tmp_path: Path, size: int) -> None:
    data = whole(random.Random(1).randbytes(size))
    text = b"my turn:\n\n" + b64encode(data) + b"\nbye\nAlice\n"
    assert letters(found(tmp_path, text)) == [data]


def test_attachment_and_text_of_one_file_are_one_letter(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "turn"
    message.set_content(armor(whole()))
    message.add_attachment(whole(), maintype="application", subtype="x-m44", filename="turn.m44")
    assert letters(found(tmp_path, message.as_bytes())) == [whole()]


def test_a_zip_in_a_mail_in_a_mail(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.m44", whole(b"1"))
        archive.writestr("b/c.m44", whole(b"2"))
    inner, outer = EmailMessage(), EmailMessage()
    for message in (inner, outer):
        message["From"], message["Subject"] = "a@example.org", "turns"
        message.set_content("see attachment")
    inner.add_attachment(stream.getvalue(), maintype="application", subtype="zip", filename="t.zip")
    outer.add_attachment(inner)
    assert letters(found(tmp_path, outer.as_bytes())) == [whole(b"1"), whole(b"2")]


def test_a_mail_whose_attachment_is_no_turn_file(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "turn"
    message.set_content("my turn")
    message.add_attachment(b"garbage", maintype="application", subtype="x", filename="turn.m44")
    (item,) = found(tmp_path, message.as_bytes())
    assert isinstance(item, Trouble)
    assert "is not a turn file" in item.problem.message


def test_an_archive_with_too_many_entries(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for number in range(MOST_ENTRIES + 1):
            archive.writestr(f"{number}.m44", b"")
    (item,) = found(tmp_path, stream.getvalue())
    assert isinstance(item, Trouble)
    assert f"more than {MOST_ENTRIES} entries" in item.problem.message


def test_an_archive_compressed_in_another_way(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.m44", whole())
    (item,) = found(tmp_path, stream.getvalue())
    assert isinstance(item, Trouble)
    assert "cannot be read" in item.problem.message


def test_entries_are_named_without_control_characters(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a\x1b[1mb.m44", whole())
    (item,) = found(tmp_path, stream.getvalue())
    assert item.origin.endswith(": a?[1mb.m44")


def test_a_file_cut_off_is_not_blamed_on_the_mail_program() -> None:
    data = random.Random(1).randbytes(4000)
    assert not has_changed_lines(data)
    assert has_changed_lines(data.replace(b"\n", b"\r\n"))
    assert not has_changed_lines(data[:300])


@pytest.mark.parametrize("seed", range(4))
def test_nothing_but_letters_and_troubles_comes_out(tmp_path: Path, seed: int) -> None:
    """Mails, archives and texts with bytes changed at random."""
    luck = random.Random(seed)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.m44", whole(b"1" * 500))
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "turn"
    message.set_content("Grüße\n" + armor(whole()), cte="quoted-printable")
    message.add_attachment(whole(), maintype="application", subtype="x", filename="turn.m44")
    box = b"From a\n" + message.as_bytes() + b"\n\nFrom b\n" + message.as_bytes()
    for origin in (stream.getvalue(), message.as_bytes(), box, whole(b"2" * 200), armor(whole()).encode()):
        for _ in range(25):
            data = bytearray(origin)
            for _ in range(luck.choice((1, 3, 20))):
                data[luck.randrange(len(data))] = luck.randrange(256)
            cut = luck.randrange(len(data)) if luck.random() < 0.2 else len(data)
            for item in found(tmp_path, bytes(data[:cut])):
                assert isinstance(item, Letter) or isinstance(item.problem, PbemError)
