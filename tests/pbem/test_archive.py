"""Archives: the same bytes everywhere, and nothing that a zip can do to its reader."""

from __future__ import annotations

import io
import struct
import zipfile
from contextlib import closing, suppress
from pathlib import Path

import pytest

from pbem import archive
from pbem.archive import OpenZip, is_zip, read_archive, read_zip, write_archive
from pbem.container import LARGEST
from pbem.errors import Fault
from pbem.hashing import h32

FILES = [b"M44F first", b"M44F second", b"M44F third"]


def zip_of(
    members: list[tuple[str, bytes]], *, method: int = zipfile.ZIP_STORED, comment: bytes = b""
) -> bytes:
    """A zip of somebody's making."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as zipped:
        for name, data in members:
            zipped.writestr(zipfile.ZipInfo(name), data, compress_type=method)
        zipped.comment = comment
    return stream.getvalue()


def refusal(data: bytes | Path) -> str:
    """The sentence with which an archive is refused."""
    with pytest.raises(Fault) as caught:
        read_archive(data)
    assert caught.value.code == "archive"
    assert caught.value.exit_status == 3
    return caught.value.message


def test_files_come_back_in_order() -> None:
    assert read_archive(write_archive(FILES)) == FILES


def test_an_archive_can_be_read_from_disk(tmp_path: Path) -> None:
    path = tmp_path / "game.zip"
    path.write_bytes(write_archive(FILES))
    assert read_archive(path) == FILES


def test_the_bytes_of_an_archive_never_change() -> None:
    """The hash is written down: another system, year or library must give the same."""
    data = write_archive(FILES)
    assert data == write_archive(list(FILES))
    assert h32("archive", data).hex()[:16] == "3cf2e506dfdba2b9"


def test_members_have_neither_time_nor_owner() -> None:
    with zipfile.ZipFile(io.BytesIO(write_archive(FILES))) as zipped:
        rows = [(row.filename, row.date_time, row.extra, row.comment) for row in zipped.infolist()]
    epoch = (1980, 1, 1, 0, 0, 0)
    assert rows == [(f"files/000{number}.m44", epoch, b"", b"") for number in range(3)]


def test_the_order_of_the_members_does_not_matter() -> None:
    assert read_archive(zip_of([("files/0001.m44", b"b"), ("files/0000.m44", b"a")])) == [b"a", b"b"]


def test_an_archive_packed_again_with_compression_is_read() -> None:
    packed = zip_of([("files/0000.m44", b"a" * 5000)], method=zipfile.ZIP_DEFLATED, comment=b"from Bob")
    assert read_archive(packed) == [b"a" * 5000]


@pytest.mark.parametrize(
    ("members", "sentence"),
    [
        ([("files/0000.m44", b""), ("files/0002.m44", b"")], "file 1 is missing in the archive"),
        ([("files/0001.m44", b"")], "file 0 is missing in the archive"),
        (
            [("files/0000.m44", b""), ("identity.key", b"")],
            'the archive holds "identity.key", which is no part of a game',
        ),
        (
            [("../files/0000.m44", b"")],
            'the archive holds "../files/0000.m44", which is no part of a game',
        ),
        ([("files/0.m44", b"")], 'the archive holds "files/0.m44", which is no part of a game'),
        ([("a\x1b[2Jb", b"")], 'the archive holds "a?[2Jb", which is no part of a game'),
        ([("x" * 401, b"")], "the archive has a name twice, or one that is too long"),
        ([], "the archive is empty"),
    ],
    ids=["gap", "no offer", "other file", "climbs out", "short number", "escape codes", "long name", "empty"],
)
def test_what_is_no_archive_of_a_game_is_refused(members: list[tuple[str, bytes]], sentence: str) -> None:
    assert refusal(zip_of(members)) == sentence


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zip_of([("files/0000.m44", b"a"), ("files/0000.m44", b"b")])
    assert refusal(data) == "the archive has a name twice, or one that is too long"


@pytest.mark.parametrize("cut", [0, 3, 21, 60, 100])
def test_a_cut_archive_is_refused(cut: int) -> None:
    assert refusal(write_archive(FILES)[:cut]) == "the archive is damaged or no archive at all"


def test_every_changed_byte_is_refused_or_changes_no_file() -> None:
    """The zip itself is not signed, but no change of it can bring other bytes without notice."""
    data = write_archive(FILES)
    accepted = 0
    for place in range(len(data)):
        changed = data[:place] + bytes((data[place] ^ 0x10,)) + data[place + 1 :]
        with suppress(Fault):
            assert read_archive(changed) == FILES
            accepted += 1
    assert 0 < accepted < len(data) // 2  # times and owners of members are not looked at


def test_a_member_with_a_wrong_checksum_is_refused() -> None:
    data = write_archive(FILES).replace(b"second", b"sec0nd")
    assert refusal(data) == '"files/0001.m44" in the archive is damaged'


def test_a_bomb_is_not_inflated() -> None:
    """A member that says it is large is not opened; one that lies about it is cut off by the checksum."""
    bomb = zip_of([("files/0000.m44", bytes(50_000_000))], method=zipfile.ZIP_DEFLATED)
    assert len(bomb) < 60_000
    assert refusal(bomb) == '"files/0000.m44" in the archive is larger than any turn file'
    size = struct.pack("<I", 50_000_000)
    assert (
        refusal(bomb.replace(size, struct.pack("<I", 1000))) == '"files/0000.m44" in the archive is damaged'
    )


def test_the_largest_turn_file_fits_and_one_byte_more_does_not() -> None:
    assert read_archive(write_archive([bytes(LARGEST)])) == [bytes(LARGEST)]
    assert "larger than any turn file" in refusal(zip_of([("files/0000.m44", bytes(LARGEST + 1))]))
    with pytest.raises(Fault, match="no turn file"):
        write_archive([bytes(LARGEST + 1)])


def test_members_of_many_kinds_are_bounded_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MOST_BYTES", 1000)
    many = zip_of([(f"{number}.m44", bytes(300)) for number in range(4)])
    with pytest.raises(Fault, match="more than 1000 bytes"):
        list(read_zip(many))


def test_a_directory_without_end_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record at the end says how large the directory is; a lie about the number does not help."""
    monkeypatch.setattr(archive, "MOST_MEMBERS", 3)
    many = zip_of([(f"{number:0200}.m44", b"") for number in range(9)])
    place = many.rindex(b"PK\x05\x06")
    lying = many[: place + 8] + struct.pack("<HH", 1, 1) + many[place + 12 :]
    for data in (many, lying):
        with pytest.raises(Fault, match="names more than 3 files"):
            list(read_zip(data))


def test_the_large_format_is_refused() -> None:
    data = write_archive(FILES)
    place = data.rindex(b"PK\x05\x06")
    large = data[:place] + b"PK\x06\x07" + bytes(16) + data[place:]
    assert refusal(large) == "the archive is of the large format, which no game needs"


def test_two_ends_are_refused() -> None:
    """A comment that looks like another end would tell two readers two different things."""
    data = zip_of([("files/0000.m44", b"a")], comment=b"PK\x05\x06" + bytes(30))
    assert refusal(data) == "the archive is damaged or no archive at all"


def test_encrypted_and_strangely_packed_members_are_named() -> None:
    encrypted = bytearray(zip_of([("a.m44", b"abc")]))
    encrypted[6] |= 1
    encrypted[encrypted.index(b"PK\x01\x02") + 8] |= 1
    strange = zip_of([("b.m44", b"abc" * 50)], method=zipfile.ZIP_BZIP2)
    assert [member[1:] for member in read_zip(bytes(encrypted))] == [(None, "is encrypted")]
    assert [member[1:] for member in read_zip(strange)] == [(None, "is compressed in an unknown way")]


def test_members_can_be_read_one_by_one(tmp_path: Path) -> None:
    path = tmp_path / "some.zip"
    path.write_bytes(zip_of([("a", b"1"), ("folder/", b""), ("b", b"2")]))
    assert [member.name for member in read_zip(path)] == ["a", "b"]
    with closing(OpenZip(path)) as zipped:
        assert zipped.read("b") == ("b", b"2", "")
        assert zipped.read("c") == ("c", None, "is not there")


def test_a_zip_is_known_by_its_head() -> None:
    assert is_zip(write_archive(FILES))
    assert is_zip(zip_of([]))
    assert not is_zip(b"M44F")
    assert not is_zip(b"")


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    assert refusal(tmp_path / "none.zip").endswith("no such file or directory")
