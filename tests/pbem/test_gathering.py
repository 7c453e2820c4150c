"""Finding turn files in paths of all kinds, within bounds."""

from __future__ import annotations

import io
import os
import tracemalloc
import zipfile
from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.archive import write_archive
from pbem.armor import armor
from pbem.container import LARGEST
from pbem.errors import Refused
from pbem.gathering import gather, sort_games
from pbem.parcel import CERTIFICATE
from pbem.verification import judge
from tests.shortgame import id_of, short_game


def put(folder: Path, *files: bytes) -> Path:
    """Files in a folder, numbered in this order."""
    folder.mkdir(exist_ok=True)
    for number, data in enumerate(files):
        (folder / f"turn{number:03}.m44").write_bytes(data)
    return folder


def forms(folder: Path) -> dict[str, list[Path]]:
    """The same game in every form that is understood."""
    game = list(short_game())
    put(folder / "loose", *reversed(game))
    (folder / "loose" / "deep").mkdir()
    for path in list((folder / "loose").glob("*.m44"))[::2]:
        path.rename(folder / "loose" / "deep" / path.name)
    (folder / "game.zip").write_bytes(write_archive(game))
    (folder / "row.m44").write_bytes(b"".join(game))
    (folder / "mail.txt").write_text("Hello\n" + "\nand\n".join(map(armor, game)))
    half = len(game) // 2
    (folder / "first.zip").write_bytes(write_archive(game[:half]))
    (folder / "rest.m44").write_bytes(b"".join(game[half:]))
    mails = [mail(data, f"turn{number:02}.m44") for number, data in enumerate(game)]
    (folder / "mails").mkdir()
    for number, data in enumerate(mails):
        (folder / "mails" / f"{number:02}.eml").write_bytes(data)
    (folder / "all.mbox").write_bytes(b"".join(b"From a@example.org\n" + data + b"\n\n" for data in mails))
    (folder / "pasted.txt").write_bytes(b"\n.\n".join(map(b64encode, game)))
    (folder / "mails.zip").write_bytes(zip_of({f"{n}.eml": data for n, data in enumerate(mails)}))
    (folder / "games.zip").write_bytes(zip_of({"a.zip": write_archive(game), "b.m44": b"".join(game[:2])}))
    (folder / "zip.eml").write_bytes(mail(write_archive(game), "game.zip"))
    return {
        "folder": [folder / "loose"],
        "archive": [folder / "game.zip"],
        "row": [folder / "row.m44"],
        "text": [folder / "mail.txt"],
        "mixture": [folder / "rest.m44", folder / "first.zip"],
        "folder of mails": [folder / "mails"],
        "mail box": [folder / "all.mbox"],
        "pasted": [folder / "pasted.txt"],
        "zip of mails": [folder / "mails.zip"],
        "zip of zips": [folder / "games.zip"],
        "zip in a mail": [folder / "zip.eml"],
    }


def mail(attachment: bytes, name: str) -> bytes:
    """A mail with a file."""
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "my turn"
    message.set_content("Here it is.")
    message.add_attachment(attachment, maintype="application", subtype="octet-stream", filename=name)
    return message.as_bytes()


def zip_of(members: dict[str, bytes]) -> bytes:
    """A zip of somebody's making."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, data in members.items():
            zipped.writestr(name, data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("form", "last"),
    [
        ("folder", "loose/deep/turn000.m44"),
        ("archive", "game.zip: files/0017.m44"),
        ("row", "row.m44 (byte {row})"),
        ("text", "mail.txt, block 18"),
        ("mixture", "rest.m44 (byte {rest})"),
        ("folder of mails", "mails/17.eml: turn17.m44"),
        ("mail box", "all.mbox, mail 18: turn17.m44"),
        ("pasted", "pasted.txt"),
        ("zip of mails", "mails.zip: 17.eml: turn17.m44"),
        ("zip of zips", "games.zip: a.zip: files/0017.m44"),
        ("zip in a mail", "zip.eml: game.zip: files/0017.m44"),
    ],
)
def test_files_are_found_wherever_they_lie(form: str, last: str, tmp_path: Path) -> None:
    game = short_game()
    heap = gather(forms(tmp_path)[form])
    assert (len({found.id for found in heap.files}), heap.others, heap.damaged) == (len(game), [], [])
    (case,) = sort_games(heap.files)
    (verdict,) = judge(case, rules=False)
    assert (verdict.status, verdict.files) == ("verified", len(game))
    place = case.nodes[bytes.fromhex(id_of(game[-1]))].copies[0]
    sizes = [len(data) for data in game[:-1]]
    where = last.format(row=sum(sizes), rest=sum(sizes[len(game) // 2 :]))
    assert str(place) == f"{tmp_path}/{where}"


def test_claims_and_certificates_are_found_in_mails(tmp_path: Path) -> None:
    (tmp_path / "a.eml").write_bytes(mail(armor(b"a claim", "CLAIM").encode(), "claim.txt"))
    long = CERTIFICATE + bytes(LARGEST)  # of a long game: larger than any turn file
    (tmp_path / "b.zip").write_bytes(zip_of({"f.cert": CERTIFICATE + b"...", "g.cert": long}))
    (tmp_path / "c.txt").write_text(armor(b"another", "CLAIM"))
    heap = gather([tmp_path])
    assert heap.claims == [(f"{tmp_path}/a.eml: claim.txt", b"a claim"), (f"{tmp_path}/c.txt", b"another")]
    assert heap.certificates == [
        (f"{tmp_path}/b.zip: f.cert", CERTIFICATE + b"..."),
        (f"{tmp_path}/b.zip: g.cert", long),
    ]
    assert (heap.files, heap.others, heap.damaged) == ([], [], [])


def test_a_block_that_a_mail_program_cut_off_is_named_beside_whole_ones(tmp_path: Path) -> None:
    """People quote the beginning of the mail before; that is nobody's fault."""
    quoted = "\n".join(armor(short_game()[0]).splitlines()[:9])
    (tmp_path / "reply.txt").write_text(f"{armor(short_game()[1])}\nYou wrote:\n{quoted}\n")
    heap = gather([tmp_path])
    assert (len(heap.files), heap.damaged) == (1, [])
    assert [other.message for other in heap.others] == [
        "has a text block that was cut off, beside whole ones"
    ]


def test_mails_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds are said, so that nobody takes the rest for everything."""
    forms(tmp_path)
    monkeypatch.setattr("pbem.gathering.MOST_BYTES", 20_000)
    heap = gather([tmp_path / "all.mbox"])
    assert [(oddity.code, oddity.message) for oddity in heap.damaged] == [
        ("too-much", "has more than 20000 bytes: save its mails as files of their own")
    ]
    monkeypatch.setattr("pbem.gathering.MOST_IN_A_ZIP", 50_000)
    heap = gather([tmp_path / "mails.zip"])
    assert [(oddity.code, oddity.message) for oddity in heap.damaged] == [
        ("too-much", "holds more than 50000 bytes")
    ]
    assert 0 < len(heap.files) < len(short_game())
    monkeypatch.setattr("pbem.gathering.MOST_KEPT", 20_000)
    with pytest.raises(Refused, match="the mails hold more than 20000 bytes of turn files"):
        gather([tmp_path / "mails"])


def test_other_files_are_named_and_left_alone(tmp_path: Path) -> None:
    put(tmp_path, *short_game()[:2])
    (tmp_path / "notes.txt").write_text("bring coffee")
    (tmp_path / "battle.m44").write_bytes(b'{"scenario": "of the editor"}')
    os.mkfifo(tmp_path / "pipe")  # opening it would wait for ever
    heap = gather([tmp_path])
    assert [(Path(other.where).name, other.code) for other in heap.others] == [
        ("battle.m44", ""),
        ("notes.txt", ""),
        ("pipe", ""),
    ]
    assert len(heap.files) == 2


def test_a_file_of_gigabytes_is_not_read(tmp_path: Path) -> None:
    """Holes cost no disk; what begins like a turn file is read up to the size of the largest one."""
    for name, head in (
        ("a.m44", b"M44F\x01\xff\xff\xff\x7f"),
        ("b.m44", b"M44F\x01\x00\x00\x00\x00"),
        ("c", b"x"),
    ):
        with (tmp_path / name).open("wb") as stream:
            stream.write(head)
            stream.truncate(2**31)
    tracemalloc.start()
    heap = gather([tmp_path])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [oddity.code for oddity in heap.damaged] == ["E_SIZE", "E_ENC"]
    assert [Path(oddity.where).name for oddity in heap.others] == ["c"]
    assert peak < 12_000_000


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    heap = gather([tmp_path / "nothing.m44"])
    assert [(oddity.code, oddity.message) for oddity in heap.damaged] == [
        ("unreadable", "cannot be read: no such file or directory")
    ]


def test_damaged_files_are_named_with_the_reason(tmp_path: Path) -> None:
    game = short_game()
    put(tmp_path, game[0], game[1][:-1], game[2][:200] + b"\x00" + game[2][201:])
    (tmp_path / "z.zip").write_bytes(write_archive([game[0]])[:-5])
    (tmp_path / "z.txt").write_text(armor(game[1]).replace("A", "B", 1))
    heap = gather([tmp_path])
    found = {Path(oddity.where).name: oddity.code for oddity in heap.damaged}
    assert found == {"turn001.m44": "E_SIZE", "turn002.m44": "E_ENC", "z.zip": "archive", "z.txt": "armor"}


def test_too_many_files_in_a_row_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.gathering.MOST_IN_A_ROW", 3)
    (tmp_path / "row.m44").write_bytes(b"".join(short_game()[:5]))
    heap = gather([tmp_path / "row.m44"])
    assert [oddity.code for oddity in heap.damaged] == ["E_SIZE"]
    assert len(heap.files) == 3


def test_bytes_behind_the_last_file_of_a_row_are_said(tmp_path: Path) -> None:
    (tmp_path / "row.m44").write_bytes(b"".join(short_game()[:2]) + b"and more")
    heap = gather([tmp_path / "row.m44"])
    assert (len(heap.files), [oddity.code for oddity in heap.damaged]) == (2, ["E_MAGIC"])
