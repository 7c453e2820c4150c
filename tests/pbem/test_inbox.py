"""Finding turn files in what people hand over, whatever the bytes look like."""

from __future__ import annotations

import io
import os
import random
import struct
import zipfile
from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem import parcel
from pbem.archive import Member, OpenZip
from pbem.armor import armor, scan
from pbem.container import LARGEST, frame_file
from pbem.errors import PbemError
from pbem.inbox import Letter, Trouble, open_letters
from pbem.parcel import MOST_BYTES, MOST_DEPTH, MOST_ENTRIES, has_changed_lines

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


def zipped(*members: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of somebody's making."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return stream.getvalue()


def mail_with(attachment: bytes, times: int) -> bytes:
    """A mail with the same attachment many times."""
    part = b"--XX\nContent-Type: application/zip\nContent-Transfer-Encoding: base64\n\n"
    part += b64encode(attachment) + b"\n"
    head = b"From: a@example.org\nSubject: turns\nContent-Type: multipart/mixed; boundary=XX\n\n"
    return head + part * times + b"--XX--\n"


def refusal(items: list[Letter | Trouble]) -> str:
    """The sentence of the only trouble among what was found."""
    (item,) = items
    assert isinstance(item, Trouble)
    return item.problem.message


@pytest.fixture
def inflated(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of all members that are inflated."""
    sizes: list[int] = []
    honest = OpenZip.read

    def watched(self: OpenZip, name: str, *, limit: int = LARGEST) -> Member:
        member = honest(self, name, limit=limit)
        sizes.append(len(member.data or b""))
        return member

    monkeypatch.setattr(OpenZip, "read", watched)
    return sizes


def test_archives_in_a_mail_in_an_archive_are_bounded_together(tmp_path: Path, inflated: list[int]) -> None:
    """A zip of some kilobytes whose mail has a hundred zips of sixteen megabytes each."""
    inner = zipped(("a.txt", bytes(16 * 2**20)))
    bomb = zipped(("m.eml", mail_with(inner, 100)))
    assert len(bomb) < 20_000
    assert refusal(found(tmp_path, bomb, "bomb.zip")).endswith(
        f'bomb.zip" holds more than {MOST_BYTES} bytes'
    )
    assert MOST_BYTES / 2 < sum(inflated) <= MOST_BYTES


def test_small_members_are_bounded_together_too(tmp_path: Path, inflated: list[int]) -> None:
    bomb = zipped(("m.eml", mail_with(zipped(*((f"{n}.m44", bytes(LARGEST)) for n in range(30))), 20)))
    assert refusal(found(tmp_path, bomb)[-1:]).endswith(f"holds more than {MOST_BYTES} bytes")
    assert sum(inflated) <= MOST_BYTES


def test_members_of_all_archives_are_counted_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, inflated: list[int]
) -> None:
    monkeypatch.setattr(parcel, "MOST_ENTRIES", 100)
    inner = zipped(*((f"{number}.txt", b"x") for number in range(30)))
    assert refusal(found(tmp_path, mail_with(inner, 5))).endswith("has more than 100 entries")
    assert inflated == [1] * 90


def test_what_was_found_before_the_bound_is_kept(tmp_path: Path) -> None:
    bomb = zipped(("a.m44", whole()), ("b.txt", bytes(MOST_BYTES)))
    letter, trouble = found(tmp_path, bomb)
    assert (isinstance(letter, Letter), isinstance(trouble, Trouble)) == (True, True)


def test_a_directory_of_many_rows_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number at the end of a zip may be a lie: the library reads as many rows as there are."""
    row = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 33, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"a"
    read: list[object] = []
    monkeypatch.setattr(zipfile, "ZipFile", read.append)
    for rows, stated, words in ((400_000, 7, "it names more than"), (90_000, 7, "it is damaged")):
        end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, stated, stated, len(row) * rows, 30, 0)
        sentence = refusal(found(tmp_path, b"PK\3\4" + bytes(26) + row * rows + end))
        assert f"cannot be read: {words}" in sentence
    assert read == []


def test_a_mail_of_many_open_parts_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library looks at every line once for each part that is open there."""
    parsed: list[object] = []
    monkeypatch.setattr("email.message_from_bytes", lambda data, policy: parsed.append(data))
    head = b"From: a@example.org\nSubject: deep\n"
    parts = b"".join(b"Content-Type: multipart/mixed; boundary=B%d\n\n--B%d\n" % (n, n) for n in range(2000))
    many = b"Content-Type: multipart/mixed; boundary=B\n\n" + b"--B\n\n" * (MOST_ENTRIES + 1)
    for mail, words in (
        (head + parts + b"\n" + b"x\n" * 20_000, "is a mail of too many lines or parts"),
        (head + b"\n" + b"x\n" * 2_000_000, "is a mail of too many lines or parts"),
        (head + many, f"has more than {MOST_ENTRIES} entries"),
    ):
        assert refusal(found(tmp_path, mail)).endswith(words)
    assert parsed == []


def test_the_mails_of_a_box_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "MOST_ENTRIES", 100)
    assert refusal(found(tmp_path, b"From a\n\n\n" * 101)).endswith("has more than 100 entries")


@pytest.mark.parametrize("form", ["raw", "armored", "pasted"])
def test_turn_files_are_counted(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parcel, "MOST_ENTRIES", 100)
    one = {"raw": whole(), "armored": armor(whole()).encode(), "pasted": b64encode(whole(b"?" * 90)) + b".\n"}
    assert len(letters(found(tmp_path, one[form] * 50))) == 1  # the same file again and again
    assert refusal(found(tmp_path, one[form] * 101)[-1:]).endswith("has more than 100 entries")


def test_what_is_folded_too_often_is_said(tmp_path: Path) -> None:
    data = whole()
    for number in range(MOST_DEPTH + 1):
        data = zipped((f"{number}.zip" if number else "a.m44", data))
    assert letters(found(tmp_path, data)) == [whole()]
    assert refusal(found(tmp_path, zipped(("9.zip", data)))).endswith(
        f"is folded more than {MOST_DEPTH} times"
    )


def test_an_archive_compressed_in_another_way(tmp_path: Path) -> None:
    packed = zipped(("a.m44", whole()), method=zipfile.ZIP_LZMA)
    assert refusal(found(tmp_path, packed)).endswith('x: a.m44" is compressed in an unknown way')


def test_an_archive_of_archives(tmp_path: Path) -> None:
    games = [(f"game{number}.zip", zipped(("a.m44", whole(b"%d" % number)))) for number in range(3)]
    assert letters(found(tmp_path, zipped(*games))) == [whole(b"0"), whole(b"1"), whole(b"2")]


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


# Hints


@pytest.mark.parametrize(
    ("content", "command"),
    [
        (b'{"board": {}}', "scenario import"),
        (armor(b"card", "CONTACT").encode(), "id import"),
        (armor(b"claim", "CLAIM").encode(), "claim --check"),
        (parcel.CERTIFICATE, "verify"),
    ],
    ids=["scenario", "card", "claim", "certificate"],
)
def test_a_name_never_becomes_a_part_of_the_command_that_is_proposed(
    tmp_path: Path, content: bytes, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stranger chooses the names of files and members; people paste hints into their shell."""
    name = "x$(touch pwned).m44"
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    Path("m.zip").write_bytes(zipped((name, content)))
    plain, member = (open_letters([Path(path)])[0] for path in (name, "m.zip"))
    assert isinstance(plain, Trouble)
    assert plain.problem.hint.startswith(f"\"pbem {command} 'x$(touch pwned).m44'\" ")
    if command.startswith(("scenario", "id")):
        assert isinstance(member, Trouble)
        assert member.origin == f"m.zip: {name}"
        assert member.problem.hint.startswith(f'unpack it first, then "pbem {command} FILE" ')


# Folders and things that are no files


def test_a_folder_is_read_to_its_depth_and_other_files_in_it_are_left_alone(tmp_path: Path) -> None:
    below = tmp_path / "b" / "c"
    below.mkdir(parents=True)
    (below / "turn.m44").write_bytes(whole())
    (tmp_path / "notes.txt").write_text("bring coffee")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "battle.m44").write_bytes(b'{"board": {}}')
    (tmp_path / "other.zip").write_bytes(zipped(("picture", b"...")))
    assert letters(open_letters([tmp_path])) == [whole()]
    (tmp_path / "damaged.m44").write_bytes(b"?" + whole())
    letter, trouble = sorted(open_letters([tmp_path]), key=lambda item: isinstance(item, Trouble))
    assert isinstance(letter, Letter)
    assert isinstance(trouble, Trouble)
    assert (trouble.origin, trouble.problem.exit_status) == (str(tmp_path / "damaged.m44"), 3)


def test_a_folder_without_turn_files(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("bring coffee")
    assert refusal(open_letters([tmp_path])) == f'there are no turn files in the folder "{tmp_path}"'


@pytest.mark.parametrize("name", ["/dev/null", "/dev/zero", "pipe"])
def test_what_is_no_ordinary_file_is_not_opened(name: str, tmp_path: Path) -> None:
    path = Path(name)
    if name == "pipe":
        path = tmp_path / name
        os.mkfifo(path)
    assert refusal(open_letters([path])) == f'"{path}" is no ordinary file'


def test_names_of_files_are_shown_without_control_characters(tmp_path: Path) -> None:
    name = "a\x1b[1m\nb\u202e.m44"
    (tmp_path / name).write_bytes(whole())
    (tmp_path / "c\x1b.m44").write_bytes(b"garbage")
    letter, trouble = open_letters([tmp_path])
    assert letter.origin == f"{tmp_path}/a?[1m?b?.m44"
    assert isinstance(trouble, Trouble)
    assert trouble.problem.message.startswith(f'"{tmp_path}/c?.m44" is not a turn file')


# What strangers have sent


@pytest.mark.parametrize("name", ["filename*=x; filename*0*=y", f"filename*{'9' * 5000}*=x"])
def test_a_file_name_that_nobody_can_read_does_not_hide_the_file(tmp_path: Path, name: str) -> None:
    """The library of mails raises several kinds of errors over such names."""
    head = (
        "From: a@b\nTo: c@d\nSubject: x\nMIME-Version: 1.0\nContent-Type: application/octet-stream\n"
        f"Content-Transfer-Encoding: base64\nContent-Disposition: attachment; {name}\n\n"
    )
    assert letters(found(tmp_path, head.encode() + b64encode(whole()), "x.eml")) == [whole()]


def test_a_header_of_semicolons_is_not_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The library would read it again for every semicolon."""

    def parse(*_: object, **__: object) -> None:
        raise AssertionError("parsed")

    monkeypatch.setattr("email.message_from_bytes", parse)
    header = b'Content-Disposition: attachment;\n x="' + b";" * 100_000 + b'"'
    data = b"From: a@b\nTo: c@d\nSubject: x\nMIME-Version: 1.0\n" + header + b"\n\nPBEM"
    (trouble,) = found(tmp_path, data, "x.eml")
    assert isinstance(trouble, Trouble)
    assert trouble.problem.code == "too-much"


def test_a_line_of_many_blocks_is_looked_at_once() -> None:
    """Before each block only as much is looked at as quote marks can be."""
    text = "x" * 1000 + "-BEGIN PBEM TURN-" * 3
    assert scan(text) == ([], 3, 3)
    assert scan(f"> {armor(whole())}".replace("\n", "\n> ")).blocks == [whole()]


@pytest.mark.parametrize("between", ["\n\n", "\nand the next one\n", ""])
def test_several_files_pasted_as_base64_are_all_found(tmp_path: Path, between: str) -> None:
    """A third of all files end without a sign of padding, and look as if the next one belonged to them."""
    files = [whole(bytes([65 + n]) * n) for n in range(1, 13)]
    padded, bare = ([b64encode(file).decode().rstrip(sign) for file in files] for sign in ("", "="))
    for written in (padded, bare):
        assert letters(found(tmp_path, between.join(written).encode(), "x.txt")) == files


@pytest.mark.parametrize("data", [b"", b"X" + whole()[1:]])
def test_what_is_called_a_turn_file_is_one_or_damaged_also_as_text(tmp_path: Path, data: bytes) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@b", "c@d", "x"
    message.set_content("here it is")
    message.add_attachment(data, maintype="text", subtype="plain", filename="turn07.m44")
    (trouble,) = found(tmp_path, message.as_bytes(), "x.eml")
    assert isinstance(trouble, Trouble)
