"""What mails and machines do to turn files on their way, and what `apply` and `verify` say of it."""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from email.message import EmailMessage
from html import escape
from pathlib import Path

import pytest

from pbem.armor import armor
from pbem.container import LARGEST
from pbem.gathering import gather
from pbem.inbox import Letter, open_letters
from pbem.parcel import Trouble
from tests.shortgame import another, short_game


def zip_of(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of somebody's making."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", method) as zipped:
        for name, data in members.items():
            zipped.writestr(name, data)
    return stream.getvalue()


def said(path: Path) -> tuple[list[bytes], list[tuple[str, int]]]:
    """The turn files at a path, and the code and the exit status of each trouble, as `apply` has them."""
    found = open_letters([path])
    letters = [item.data for item in found if isinstance(item, Letter)]
    troubles = [item.problem for item in found if isinstance(item, Trouble)]
    return letters, [(problem.code, problem.exit_status) for problem in troubles]


def codes(path: Path) -> tuple[int, list[str], int]:
    """How many files `verify` finds at a path, the codes of what is damaged, and how many others."""
    heap = gather([path])
    return len(heap.files), [oddity.code for oddity in heap.damaged], len(heap.others)


# Damaged from the first byte on


def changed(place: int) -> bytes:
    """A turn file with one byte changed."""
    data = bytearray(short_game()[3])
    data[place] ^= 1
    return bytes(data)


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.m44", changed(0), "turn-file"),
        ("a.m44", changed(3), "turn-file"),
        ("a.M44", b"", "empty"),
        ("a.m44", b"hello", "turn-file"),
        ("a.cert", b"\x84\xa5fil\x00s", "turn-file"),
        ("a.cert", b"", "empty"),
    ],
    ids=["first byte", "fourth byte", "empty", "words", "certificate", "empty certificate"],
)
def test_what_is_called_a_turn_file_and_begins_as_none_is_damaged(
    name: str, content: bytes, code: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    assert codes(tmp_path) == (0, [code], 0)
    assert said(tmp_path / name) == ([], [(code, 3)])
    (tmp_path / name).unlink()
    (tmp_path / "a.zip").write_bytes(zip_of({name: content, "b.m44": short_game()[0]}))
    assert codes(tmp_path) == (1, [code], 0)
    assert said(tmp_path / "a.zip") == ([short_game()[0]], [(code, 3)])


def test_documents_of_the_editor_and_shadows_of_a_mac_are_no_turn_files(tmp_path: Path) -> None:
    shadow = b"\x00\x05\x16\x07" + bytes(60)
    members = {
        "turn.m44": short_game()[0],
        "__MACOSX/._turn.m44": shadow,
        "._turn.m44": shadow,
        "battle.m44": b'{"board": {}}',
    }
    (tmp_path / "a.zip").write_bytes(zip_of(members))
    assert codes(tmp_path) == (1, [], 1)
    assert said(tmp_path / "a.zip") == ([short_game()[0]], [("scenario", 1)])
    (tmp_path / "a.zip").unlink()
    (tmp_path / "__MACOSX").mkdir()
    for name, data in members.items():
        (tmp_path / name).write_bytes(data)
    assert codes(tmp_path) == (1, [], 1)
    assert said(tmp_path) == ([short_game()[0]], [])


# Archives


def test_members_are_taken_or_refused_by_themselves(tmp_path: Path) -> None:
    packed = bytearray(zip_of({f"{n}.m44": short_game()[n] for n in range(3)}, zipfile.ZIP_STORED))
    packed[packed.index(short_game()[1]) + 200] ^= 1
    (tmp_path / "a.zip").write_bytes(packed)
    assert said(tmp_path / "a.zip") == ([short_game()[0], short_game()[2]], [("archive", 3)])
    assert codes(tmp_path) == (2, ["archive"], 0)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_another_compression_is_not_called_damage(method: int, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"a.m44": short_game()[0]}, method))
    (trouble,) = open_letters([tmp_path / "a.zip"])
    assert isinstance(trouble, Trouble)
    assert trouble.problem.message.endswith('a.m44" is compressed in an unknown way')


def test_names_of_members_do_not_matter(tmp_path: Path) -> None:
    """Neither for a turn file nor for an archive or a mail that is larger than one."""
    inner = zip_of({"x": short_game()[1], "noise": bytes(LARGEST + 1)}, zipfile.ZIP_STORED)
    (tmp_path / "a.zip").write_bytes(zip_of({"first": short_game()[0], "second.dat": inner}))
    assert said(tmp_path / "a.zip") == ([short_game()[0], short_game()[1]], [])
    assert codes(tmp_path)[:2] == (2, [])


@pytest.mark.parametrize("behind", [b"\n", b"\r\n"])
def test_an_archive_with_a_line_end_behind_it(behind: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"a.m44": short_game()[0]}) + behind)
    assert said(tmp_path / "a.zip") == ([short_game()[0]], [])
    assert codes(tmp_path) == (1, [], 0)


def test_an_archive_with_words_behind_it_is_damaged_for_both(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"a.m44": short_game()[0]}) + b"bye")
    assert said(tmp_path / "a.zip") == ([], [("archive", 3)])
    assert codes(tmp_path) == (0, ["archive"], 0)


# Text


def test_a_changed_block_beside_a_whole_one_is_said(tmp_path: Path) -> None:
    lines = armor(short_game()[1]).splitlines()
    lines[5] = lines[5][::-1]
    text = armor(short_game()[0]) + "\n" + "\n".join(lines) + "\n"
    (tmp_path / "a.txt").write_text(text)
    assert said(tmp_path / "a.txt") == ([short_game()[0]], [("armor", 3)])
    assert codes(tmp_path) == (1, ["armor"], 0)


def test_a_block_cut_off_beside_a_whole_one_is_said_and_nobodys_fault(tmp_path: Path) -> None:
    """People quote the beginning of the mail before."""
    quoted = "\n".join(armor(short_game()[0]).splitlines()[:9])
    (tmp_path / "a.txt").write_text(f"{armor(short_game()[1])}\nYou wrote:\n{quoted}\n")
    assert said(tmp_path / "a.txt") == ([short_game()[1]], [("cut-off", 0)])
    assert codes(tmp_path) == (1, [], 1)


def lines_of(data: bytes) -> list[str]:
    """Bare base64 in lines, as mail programs make it."""
    symbols = b64encode(data).decode()
    return [symbols[place : place + 76] for place in range(0, len(symbols), 76)]


@pytest.mark.parametrize("mark", ["> ", ">> ", ">", "> > ", "| "])
def test_quoted_base64(mark: str, tmp_path: Path) -> None:
    text = "my turn:\n" + "".join(f"{mark}{line}\n" for line in lines_of(short_game()[0])) + "bye\n"
    (tmp_path / "a.txt").write_text(text)
    assert said(tmp_path / "a.txt") == ([short_game()[0]], [])


@pytest.mark.parametrize("wide", ["utf-16", "utf-16-be"])
def test_base64_in_wide_letters(wide: str, tmp_path: Path) -> None:
    text = "\n".join(["\ufeff" * (wide != "utf-16") + "my turn:", *lines_of(short_game()[0]), "bye"])
    (tmp_path / "a.txt").write_bytes(text.encode(wide))
    assert said(tmp_path / "a.txt") == ([short_game()[0]], [])


PAGES = {
    "br": lambda lines: "<br>\n".join(lines),
    "BR": lambda lines: "<BR/>".join(lines),
    "div": lambda lines: "".join(f'<div class="x">{line}</div>' for line in lines),
    "p": lambda lines: "<p>" + "</p><p>".join(lines) + "</p>",
    "pre": lambda lines: "<pre>" + "<br>".join(lines) + "</pre>",
    "entities": lambda lines: "<br>".join(
        line.replace("+", "&#43;").replace("/", "&#x2F;").replace("-", "&#45;") for line in lines
    ),
    "blanks": lambda lines: "<br>".join("&gt;&nbsp;" + line.replace(" ", "&nbsp;") for line in lines),
}


@pytest.mark.parametrize("form", PAGES)
@pytest.mark.parametrize("words", ["armored", "bare"])
def test_pages(form: str, words: str, tmp_path: Path) -> None:
    """A mail that is a page only, and a page that was saved."""
    data = short_game()[0]
    lines = armor(data).splitlines() if words == "armored" else lines_of(data)
    page = f"<html><body>Here &amp; now:<br>{PAGES[form](lines)}<p>bye</p></body></html>"
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "turn"
    message.set_content(page, subtype="html")
    (tmp_path / "a.eml").write_bytes(message.as_bytes())
    (tmp_path / "b.html").write_text(page)
    for name in ("a.eml", "b.html"):
        assert said(tmp_path / name) == ([data], []), name
        assert codes(tmp_path / name) == (1, [], 0), name


def test_entities_of_no_letter_are_left_alone(tmp_path: Path) -> None:
    """The library fails on numbers of many digits; a page may hold anything."""
    odd = f"&#{'9' * 5000};&#9999999;&#xffffff;&nothing;&#xd800;&;"
    lines = "<br>".join(armor(short_game()[0]).splitlines())
    (tmp_path / "a.html").write_text(f"<p>{odd}<br>{lines}<br>{odd}</p>")
    assert said(tmp_path / "a.html") == ([short_game()[0]], [])


def test_a_page_beside_its_text_is_one_letter(tmp_path: Path) -> None:
    text = armor(another(6))
    message = EmailMessage()
    message["From"], message["Subject"] = "a@example.org", "turn"
    message.set_content(text)
    message.add_alternative(f"<p>{'<br>'.join(map(escape, text.splitlines()))}</p>", subtype="html")
    (tmp_path / "a.eml").write_bytes(message.as_bytes())
    assert said(tmp_path / "a.eml") == ([another(6)], [])
