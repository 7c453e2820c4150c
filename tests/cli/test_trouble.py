"""What happens to files on their way, one test for each: one clear sentence, and nothing changes."""

from __future__ import annotations

import io
import json
import os
import random
import subprocess
import sys
import zipfile
import zlib
from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.archive import write_archive
from pbem.armor import armor
from pbem.container import LIMIT, MAGIC, frame_file
from pbem.draft import Draft, Wishes
from pbem.evidence import check_certificate
from tests.cli.post import (
    ALICE,
    BOB,
    Player,
    byte_source,
    make_home,
    other_turns,
    snapshot,
    stock,
    turns,
    write_files,
)
from tests.mailgame import decide


@pytest.fixture
def ready(bob: Player) -> Player:
    """Bob, who has files 0 to 3 and waits for file 4."""
    stock(bob.home, turns()[:4])
    return bob


def mail(*attachments: tuple[bytes, str], body: str = "My turn.\n") -> EmailMessage:
    """A mail with turn files."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", "turn"
    message.set_content(body)
    for data, name in attachments:
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    return message


def takes(player: Player, content: bytes, name: str) -> str:
    """Apply a file with this content, which must bring in file 4."""
    Path(name).write_bytes(content)
    status, out, err = player.types("apply", name)
    assert (status, err) == (0, "")
    assert player.game().raw[4:] == [turns()[4]]
    return out


def refuses(player: Player, *args: str | Path, status: int, sentence: str, hint: str = "") -> None:
    """Apply files that are refused: status, sentence and hint are these, and nothing changes."""
    before = player.snapshot()
    found, out, err = player.types("apply", *args)
    assert (found, out) == (status, "")
    assert sentence in err.splitlines()[0]
    assert err.startswith("pbem: ")
    assert len(err.splitlines()) == (2 if hint else 1), err
    if hint:
        assert err.splitlines()[1].startswith("hint: ")
        assert hint in err.splitlines()[1]
    assert player.snapshot() == before


# Forms in which a file may come


def test_raw(ready: Player) -> None:
    takes(ready, turns()[4], "turn.m44")


def test_several_one_after_another(ready: Player) -> None:
    takes(ready, turns()[3] + turns()[4], "both.m44")


def test_text_armor_in_a_mail_body(ready: Player) -> None:
    quoted = "".join(f"> {line}\r\n" for line in armor(turns()[4]).splitlines())
    takes(ready, f"On Monday you wrote:\r\n{quoted}\r\nbye".encode(), "body.txt")


def test_base64_pasted_into_a_mail_body(ready: Player) -> None:
    pasted = b64encode(turns()[4]).decode()
    lines = "\n".join(pasted[place : place + 76] for place in range(0, len(pasted), 76))
    takes(ready, f"here it is\n\n{lines}\n\nbye\n".encode(), "pasted.txt")


def test_mail_with_an_attachment(ready: Player) -> None:
    takes(ready, mail((turns()[4], "turn04.m44")).as_bytes(), "mail.eml")


def test_mail_in_quoted_printable(ready: Player) -> None:
    message = EmailMessage()
    message["From"], message["To"] = "a@example.org", "b@example.org"
    message.set_content("Grüße\n" + armor(turns()[4]), cte="quoted-printable")
    takes(ready, message.as_bytes(), "quoted.eml")


def test_forwarded_mail(ready: Player) -> None:
    outer = mail(body="see below")
    outer.add_attachment(mail((turns()[4], "turn04.m44")))
    takes(ready, outer.as_bytes(), "forwarded.eml")


def test_mail_box(ready: Player) -> None:
    mails = [mail(), mail((turns()[4], "a.m44")), mail((turns()[1], "b.m44"))]
    box = b"".join(b"From a@example.org Mon Jan  1 00:00:00 2026\n" + m.as_bytes() + b"\n\n" for m in mails)
    takes(ready, box, "all.mbox")


def test_zip_of_turns(ready: Player) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("readme.doc", "not a turn")
        for number in (4, 3, 0):
            archive.writestr(f"game/{number}.m44", turns()[number])
    takes(ready, stream.getvalue(), "turns.zip")


def test_folder(tmp_path: Path, ready: Player) -> None:
    write_files(tmp_path / "folder", turns()[:5])
    (tmp_path / "folder" / "notes.doc").write_text("no turn")
    status, _, err = ready.types("apply", tmp_path / "folder")
    assert (status, err) == (0, "")
    assert ready.game().log.count == 5


def test_standard_input(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(mail((turns()[4], "turn04.m44")).as_bytes()))
    monkeypatch.setattr("sys.stdin", stream)
    status, out, err = ready.types("apply", "-")
    assert (status, err) == (0, "")
    assert out.startswith("standard input: turn04.m44: file 4 of ")


def test_twice_in_one_call(ready: Player) -> None:
    Path("copy.m44").write_bytes(turns()[4])
    takes(ready, turns()[4] + turns()[4], "twice.m44")
    assert ready.types("apply", "copy.m44", "twice.m44")[0] == 0


# What cannot be taken in


def test_an_older_file_again(ready: Player) -> None:
    Path("old.m44").write_bytes(turns()[2])
    before = ready.snapshot()
    status, out, err = ready.types("apply", "old.m44")
    assert (status, out, err) == (0, f"old.m44: already have it (file 2 of {ready.key()}).\n", "")
    assert ready.snapshot() == before


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (5, "this is file 5, and file 4 is missing before it"),
        (7, "this is file 7, and files 4 to 6 are missing before it"),
    ],
)
def test_a_file_too_early(ready: Player, number: int, sentence: str) -> None:
    Path("early.m44").write_bytes(turns()[number])
    refuses(ready, "early.m44", status=1, sentence=sentence, hint="ask for what is missing")


def test_a_file_of_another_game(ready: Player) -> None:
    Path("other.m44").write_bytes(other_turns()[2])
    refuses(ready, "other.m44", status=1, sentence="file 2 of a game that is not here", hint="pbem verify")


def test_a_game_of_other_people(eve: Player) -> None:
    Path("invitation.m44").write_bytes(turns()[0])
    refuses(eve, "invitation.m44", status=1, sentence="between other people", hint="pbem verify")
    Path("x$(touch pwned).m44").write_bytes(turns()[0])
    _, _, err = eve.types("apply", "x$(touch pwned).m44")
    assert err.splitlines()[1] == "hint: \"pbem verify 'x$(touch pwned).m44'\" checks games of others"


def test_a_damaged_attachment(ready: Player) -> None:
    data = bytearray(turns()[4])
    data[len(data) // 2] ^= 1
    Path("damaged.m44").write_bytes(data)
    refuses(ready, "damaged.m44", status=3, sentence="E_ENC: the compressed part is damaged", hint="ask for")


def test_a_byte_of_the_signature_changed(ready: Player) -> None:
    data = bytearray(turns()[4])
    data[-1] ^= 1
    Path("forged.m44").write_bytes(data)
    refuses(
        ready, "forged.m44", status=3, sentence="E_SIG: the signature is not by the person", hint="ask for"
    )


def test_a_file_cut_off(ready: Player) -> None:
    Path("short.m44").write_bytes(turns()[4][:-100])
    refuses(ready, "short.m44", status=3, sentence="E_SIZE", hint="ask for it again")


def test_an_empty_file(ready: Player) -> None:
    Path("empty.m44").write_bytes(b"")
    refuses(ready, "empty.m44", status=3, sentence='"empty.m44" is empty', hint="ask for it again")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda data: data.replace(b"\n", b"\r\n"), id="line feeds became pairs"),
        pytest.param(
            lambda data: data.replace(b"\r\n", b"\n").replace(b"\r", b"\n"), id="returns became feeds"
        ),
        pytest.param(lambda data: data.replace(b"\r", b""), id="returns were lost"),
        pytest.param(
            lambda data: data.decode("utf-8", "replace").encode(), id="bytes became replacement marks"
        ),
    ],
)
def test_line_ends_changed_by_a_mail_program(ready: Player, change: object) -> None:
    assert callable(change)
    mangled = change(turns()[0])  # large enough to have all kinds of bytes
    assert mangled != turns()[0]
    Path("mangled.m44").write_bytes(mangled)
    refuses(
        ready, "mangled.m44", status=3, sentence="the mail program changed the file", hint="pbem seal --armor"
    )


def test_an_armored_block_with_a_letter_changed(ready: Player) -> None:
    text = armor(turns()[4])
    place = len(text) // 2
    Path("bad.txt").write_text(text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :])
    refuses(ready, "bad.txt", status=3, sentence="the text block was changed", hint="as an attachment")


def test_a_file_of_two_gigabytes_is_never_read(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    with open("huge.m44", "wb") as stream:
        stream.write(MAGIC)
        stream.truncate(2 * 2**30)
    real = Path.open

    def watched(path: Path, mode: str = "r") -> object:
        assert path.name != "huge.m44"
        return real(path, mode)

    monkeypatch.setattr(Path, "open", watched)
    refuses(ready, "huge.m44", status=1, sentence="far too large", hint="the turn file itself")


def test_a_compression_bomb(ready: Player) -> None:
    bomb = frame_file(zlib.compress(bytes(300 * LIMIT), 9), bytes(64))
    Path("bomb.m44").write_bytes(bomb)
    refuses(ready, "bomb.m44", status=3, sentence="E_SIZE: the file holds more than", hint="ask for it again")


def test_a_bomb_in_an_archive(ready: Player) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("turn04.m44", bytes(40 * 2**20))
    Path("bomb.zip").write_bytes(stream.getvalue())
    refuses(
        ready,
        "bomb.zip",
        status=3,
        sentence='pbem: "bomb.zip: turn04.m44" is larger than any turn file',
        hint="turn files themselves",
    )


def test_a_damaged_archive(ready: Player) -> None:
    Path("bad.zip").write_bytes(b"PK\3\4" + bytes(100))
    refuses(
        ready, "bad.zip", status=3, sentence="cannot be read: it is damaged", hint="turn files themselves"
    )


def test_a_newer_version(ready: Player) -> None:
    data = bytearray(turns()[4])
    data[4] = 2
    Path("new.m44").write_bytes(data)
    refuses(
        ready,
        "new.m44",
        status=3,
        sentence="E_VERSION: the file has version 2 and we read version 1",
        hint="update pbem",
    )


def test_a_scenario_document(ready: Player) -> None:
    Path("battle.m44").write_text(json.dumps({"meta": {"status": "GREEN"}, "game_info": {}, "board": {}}))
    refuses(
        ready,
        "battle.m44",
        status=1,
        sentence="a document of the scenario editor",
        hint="pbem scenario import",
    )


def test_a_contact_card(ready: Player) -> None:
    text = (ready.home.path / "contacts" / "alice.card").read_text()
    Path("card.txt").write_text(text)
    refuses(ready, "card.txt", status=1, sentence="is a contact card", hint="pbem id import")


def test_anything_else(ready: Player) -> None:
    Path("letter.txt").write_text("How are you?")
    refuses(ready, "letter.txt", status=1, sentence="there is no turn file in", hint="end in .m44")
    Path("noise.m44").write_bytes(b"\0\1\2" * 100)
    refuses(ready, "noise.m44", status=3, sentence="is not a turn file", hint="ask for it again")
    refuses(ready, "missing.m44", status=1, sentence='there is no file "missing.m44"', hint="check its name")
    Path("void").mkdir()
    refuses(ready, "void", status=1, sentence="there are no turn files in the folder")


def test_a_bad_file_among_good_ones(ready: Player) -> None:
    """Each file is taken or refused by itself; the worst decides the status."""
    Path("bad.m44").write_bytes(turns()[5][:-1])
    Path("good.m44").write_bytes(turns()[4])
    status, out, err = ready.types("apply", "bad.m44", "good.m44")
    assert status == 3
    assert "good.m44: file 4" in out
    assert err.startswith("pbem: bad.m44: E_SIZE")
    assert ready.game().log.count == 5


# Forks


def second_version(number: int, tmp_path: Path) -> bytes:
    """Another valid file of Alice for a place that is taken: she restored an old copy."""
    home = make_home(tmp_path / "copy", ALICE)
    game = stock(home, turns()[:number])
    draft = Draft(game.desk(ALICE))
    decide(draft, random.Random(99))
    return draft.seal(Wishes(), byte_source(99))


def test_a_second_valid_file_for_a_taken_place(tmp_path: Path, ready: Player) -> None:
    other = second_version(2, tmp_path)
    Path("again.m44").write_bytes(other)
    before = snapshot(ready.home.games / ready.key() / "files")
    status, out, err = ready.types("apply", "again.m44")
    assert (status, out) == (3, "")
    assert "fork: alice has signed two different files with number 2" in err
    assert snapshot(ready.home.games / ready.key() / "files") == before
    proof, kept = sorted((ready.home.games / ready.key() / "evidence").iterdir())
    assert kept.read_bytes() == other
    assert str(proof) in err
    fork = check_certificate(proof.read_bytes())
    assert (fork.number, fork.author) == (2, ALICE.pk)
    fork_line = f'Fork by alice: two signed versions of one file; the proof is in "{proof}".'
    assert fork_line in " ".join(ready.types("status")[1].split())


def test_a_second_file_that_is_not_valid_is_no_evidence(tmp_path: Path, ready: Player) -> None:
    data = bytearray(second_version(2, tmp_path))
    data[-1] ^= 1
    Path("again.m44").write_bytes(data)
    refuses(ready, "again.m44", status=3, sentence="E_SIG", hint="ask for")


def test_the_same_content_signed_again_is_no_fork(ready: Player) -> None:
    """Protocol, part 4: the id covers the content, not the compression."""
    from pbem.container import SIGNING, signed_hash, unpack

    payload = zlib.compress(unpack(turns()[2]).body, 1)
    again = frame_file(payload, ALICE.sign(SIGNING + signed_hash(payload)))
    assert again != turns()[2]
    Path("again.m44").write_bytes(again)
    assert ready.types("apply", "again.m44")[:2] == (
        0,
        f"again.m44: already have it (file 2 of {ready.key()}).\n",
    )


def test_a_second_answer_to_an_open_invitation_comes_too_late(
    alice: Player, bob: Player, eve: Player
) -> None:
    alice.types("new", "pegasus-bridge", "--side", "axis", "--opponent", "anyone", "-o", "open.m44")
    for player in (bob, eve):
        player.types("apply", "open.m44")
        assert player.types("accept", "-o", f"{player.home.path.name}.m44")[0] == 0
    assert alice.types("apply", "bob.m44")[0] == 0
    refuses(alice, "eve.m44", status=1, sentence="somebody else has answered", hint="first valid answer")
    assert alice.game().log.identities == [ALICE.pk, BOB.pk]


def test_an_answer_that_was_not_taken_is_told_and_the_game_is_closed(
    alice: Player, bob: Player, eve: Player
) -> None:
    """Bob and Eve answer, Alice plays on with Bob: Eve is told by Alice's next file, and only by that."""
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "anyone", "-o", "turn00.m44")
    for player in (eve, bob):
        player.types("apply", "turn00.m44")
        assert player.types("accept", "-o", f"{player.home.path.name}.m44")[0] == 0
    alice.types("apply", "bob.m44")
    assert alice.types("bot", "-o", "turn02.m44")[0] == 0
    bob.types("apply", "turn02.m44")
    assert bob.types("bot", "-o", "turn03.m44")[0] == 0
    refuses(eve, "bob.m44", status=1, sentence="as well as you", hint="apply their next file too")
    assert "alice's move" in eve.types("games")[1]
    status, out, err = eve.types("apply", "turn00.m44", "turn03.m44", "turn02.m44", "bob.m44")
    assert status == 1
    lost = "the answer of somebody else was taken: this game will not be played with you"
    assert [line.split(": ", 2)[2] for line in err.splitlines()[2::2]] == [lost, lost]
    assert "The place is taken" in out
    assert eve.types("games")[1].endswith("from alice: the place is taken\n")
    assert json.loads(eve.types("status", "--json")[1])["next"] == ""
    assert eve.game().log.count == 2


# What is printed


@pytest.mark.parametrize("command", [("scenario", "list"), ("verify", "examples/game"), ("--help",)])
def test_whoever_reads_the_output_may_stop(command: tuple[str, ...]) -> None:
    """As with other programs that is no failure: `pbem log | head` ends with 0."""
    reading, writing = os.pipe()
    os.close(reading)
    root = Path(__file__).resolve().parents[2]
    words = [sys.executable, "-m", "pbem", *command]
    done = subprocess.run(words, cwd=root, stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_names_in_complaints_cannot_steer_a_terminal(bob: Player) -> None:
    status, _, err = bob.types("apply", "a\x1b[1m\nb.m44")
    assert (status, err.splitlines()[0]) == (1, 'pbem: there is no file "a?[1m?b.m44"')
    status, _, err = bob.types("status", "a\x1b[1m\nb")
    assert (status, len(err.splitlines())) == (1, 2)
    assert "\x1b" not in err


def test_the_archive_of_other_peoples_game_is_one_line(eve: Player) -> None:
    """With a hint that can be typed."""
    Path("their game.zip").write_bytes(write_archive(list(turns()[:4])))
    status, out, err = eve.types("apply", "their game.zip")
    assert (status, out) == (1, "")
    assert err.splitlines() == [
        "pbem: their game.zip: 4 files of a game between other people",
        "hint: \"pbem verify 'their game.zip'\" checks games of others",
    ]
    status, out, _ = eve.types("apply", "their game.zip", "--json")
    assert [row["code"] for row in json.loads(out)["files"]] == ["foreign"] * 4


def test_a_file_with_a_byte_behind_it(ready: Player) -> None:
    data = turns()[4]
    Path("turn.m44").write_bytes(data + b"x")
    words = f"E_MAGIC: the turn file ends at byte {len(data)}, and what follows is none"
    assert ready.types("apply", "turn.m44")[2].splitlines()[0] == f"pbem: turn.m44: {words}"
    assert f"DAMAGED     turn.m44: {words}" in ready.types("verify", "turn.m44")[1]


@pytest.mark.parametrize("wrongly", ["replaced", "letters", "cut off"])
def test_a_file_that_was_sent_as_text(ready: Player, wrongly: str) -> None:
    data = turns()[4]
    text = data.decode("utf-8", "replace") if wrongly == "replaced" else data.decode("latin-1")
    changed = text.encode()
    if wrongly == "cut off":
        changed = changed[: max(place for place, byte in enumerate(changed) if byte >= 0xC0) + 1]
    Path("turn.m44").write_bytes(changed)
    words = "the mail program changed the file: it was sent as text, and its bytes are not what they were"
    status, _, err = ready.types("apply", "turn.m44")
    assert (status, err.splitlines()) == (
        3,
        [f"pbem: turn.m44: {words}", 'hint: ask for it in letters: "pbem seal --armor" writes it that way'],
    )
    status, out, _ = ready.types("verify", "turn.m44")
    assert (status, out) == (3, f"DAMAGED     turn.m44: as-text: {words}\n")


def test_certificates_and_claims_are_sent_to_the_command_that_checks_them(eve: Player) -> None:
    Path("a b.cert").write_bytes(b"\x84\xa5files...")
    Path("claim.txt").write_text(armor(b"...", "CLAIM"))
    assert eve.types("apply", "a b.cert", "claim.txt")[2].splitlines() == [
        'pbem: "a b.cert" is proof of a fork, not a turn file',
        "hint: \"pbem verify 'a b.cert'\" checks it",
        'pbem: "claim.txt" is a claim, not a turn file',
        'hint: "pbem claim --check claim.txt" checks it',
    ]
