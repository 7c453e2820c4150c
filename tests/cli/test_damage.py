"""Damage inside the home folder: it is named, mails put it back, and no place is ever signed twice."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.identity import backup_text, fingerprint, make_card
from pbem.store import Game
from tests.cli.post import ALICE, BOB, EVE, Player, make_home, other_turns, stock, turns, write_files

DIGITS = fingerprint(ALICE.pk)


@pytest.fixture
def ready(bob: Player) -> Player:
    """Bob, who has files 0 to 3 and waits for file 4."""
    stock(bob.home, turns()[:4])
    return bob


@pytest.fixture
def mails(tmp_path: Path) -> list[Path]:
    """Files 0 to 4 of the game as they came by mail."""
    return write_files(tmp_path / "mails", turns()[:5])


def stored(player: Player, number: int) -> Path:
    """Where a file of the only game lies."""
    return player.home.games / player.key() / "files" / f"{number:04}.m44"


def damage(path: Path, how: str) -> None:
    """Harm a file in one of several ways."""
    data = path.read_bytes()
    if how == "missing":
        path.unlink()
    else:
        path.write_bytes({"empty": b"", "junk": b"junk", "cut off": data[:-1]}[how])


def sealed(player: Player) -> bytes:
    """File 3, signed by Bob and kept by him."""
    stock(player.home, turns()[:3])
    player.decide()
    assert player.types("seal", "-o", "sent.m44")[0] == 0
    return Path("sent.m44").read_bytes()


# One place is signed once


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("how", ["empty", "missing"])
def test_a_damaged_game_is_never_begun_a_second_time(
    bob: Player, mails: list[Path], number: int, how: str
) -> None:
    """The list of accepted files is gone as well: the mails heal the game, and file 3 stays what it was."""
    sent = sealed(bob)
    (key,) = bob.home.game_keys()
    damage(stored(bob, number), how)
    (bob.home.games / key / "accepted.json").unlink()
    status, out, err = bob.types("apply", *mails[:3])
    assert (status, err) == (0, "")
    assert bob.home.game_keys() == [key]
    assert bob.game().raw == [*turns()[:3], sent]
    if number < 3:  # file 3 comes back from `signed` by itself
        assert f"{mails[number]}: file {number} of {key} was damaged or missing here and is restored." in out
    assert bob.types("bot")[0] == 1
    assert bob.types("seal", "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == sent


def test_an_answer_is_not_signed_twice(bob: Player, mails: list[Path]) -> None:
    stock(bob.home, turns()[:1])
    assert bob.types("accept", "-o", "sent.m44")[0] == 0
    (bob.home.games / bob.key() / "accepted.json").unlink()
    stored(bob, 1).write_bytes(b"")
    assert bob.types("apply", mails[0])[0] == 0
    assert len(bob.home.game_keys()) == 1
    assert bob.types("accept", "-o", "second.m44")[0] == 1
    assert bob.types("seal", "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == Path("sent.m44").read_bytes()


def test_a_lost_folder_does_not_free_the_place(bob: Player, mails: list[Path]) -> None:
    """What was signed is remembered by the invitation's id, not by the name of a folder."""
    sent = sealed(bob)
    (key,) = bob.home.game_keys()
    shutil.rmtree(bob.home.games / key)
    (bob.home.games / key / "files").mkdir(parents=True)  # another battle has taken the name meanwhile
    (bob.home.games / key / "files" / "0000.m44").write_bytes(other_turns()[0])
    status = bob.types("apply", *mails[:3])[0]
    longer = f"{key}{turns_id()[6:12]}"
    assert (status, bob.home.game_keys()) == (0, [key, longer])
    assert bob.types("seal", longer, "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == sent


def turns_id() -> str:
    """The id of the invitation, in hexadecimal digits."""
    from pbem.container import file_id, unpack

    return file_id(unpack(turns()[0]).body).hex()


def test_a_copy_made_by_a_file_manager_is_not_looked_at(bob: Player, mails: list[Path]) -> None:
    sent = sealed(bob)
    shutil.copy(stored(bob, 2), stored(bob, 2).with_name("0002 (copy).m44"))
    shutil.copy(stored(bob, 2), stored(bob, 2).with_name("0002.m44.m44"))
    assert bob.types("log")[0] == 0
    status, out, err = bob.types("apply", *mails[:3])
    assert (status, err) == (0, "")
    assert [line.endswith(f"of {bob.key()}).") for line in out.splitlines()] == [True] * 3
    assert bob.game().raw == [*turns()[:3], sent]


def test_a_damaged_note_of_what_was_signed_forbids_signing(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()
    game = bob.game()
    game.remember_signed(1, turns()[1])
    (marker,) = (bob.home.path / "signed").iterdir()
    assert marker.name == turns_id()
    for content in (b"", b"{", b"[]", b'{"number":true}', b'{"number":-3,"file":""}', b'{"file":"AA=="}'):
        marker.write_bytes(content)
        before = bob.snapshot()
        status, _, err = bob.types("seal")
        assert (status, err.splitlines()[0]) == (
            4,
            f'pbem: the note of what you have signed, "{marker}", is damaged',
        )
        assert bob.types("status")[0] == 0
        assert bob.snapshot() == before


def test_a_file_of_our_own_is_handed_out_as_it_was_signed(bob: Player) -> None:
    """Stored files are believed without their signatures; what was signed last is compared all the same."""
    sent = sealed(bob)
    data = bytearray(sent)
    data[-1] ^= 1
    stored(bob, 3).write_bytes(data)
    assert bob.types("seal", "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == stored(bob, 3).read_bytes() == sent


# The mails put files back


@pytest.mark.parametrize("number", [0, 1, 2, 3])
@pytest.mark.parametrize("how", ["empty", "junk", "cut off", "missing"])
def test_a_damaged_file_is_named_and_put_back(
    ready: Player, mails: list[Path], number: int, how: str
) -> None:
    damage(stored(ready, number), how)
    (key,) = ready.home.game_keys()
    status, _, err = ready.types("log")
    assert status == 4
    if how == "missing":
        folder = stored(ready, 0).parent
        assert err.startswith(f'pbem: file {number} of the game "{key}" is missing in "{folder}"\n')
    else:
        assert err.startswith(f'pbem: the stored file "{stored(ready, number)}" is damaged: E_')
    assert err.endswith('hint: apply it again from your mails: "pbem apply FILE" puts it back\n')
    status, out, err = ready.types("apply", mails[number])
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"{mails[number]}: file {number} of {key} was damaged or missing here and is restored.",
        "",
        "It is alice's move: wait for their file.",
    ]
    assert ready.game().raw == list(turns()[:4])
    before = ready.snapshot()
    status, out, _ = ready.types("apply", mails[number])
    assert (status, out) == (0, f"{mails[number]}: already have it (file {number} of {key}).\n")
    assert ready.snapshot() == before


def test_a_damaged_signature_is_found_and_put_back(ready: Player, mails: list[Path]) -> None:
    """Stored files are believed without their signatures; the mail shows that one has changed."""
    data = bytearray(stored(ready, 2).read_bytes())
    data[-1] ^= 1
    stored(ready, 2).write_bytes(data)
    status, out, err = ready.types("apply", mails[2])
    assert (status, err) == (0, "")
    assert out.startswith(f"{mails[2]}: file 2 of {ready.key()} was damaged or missing here and is restored.")
    assert ready.game().raw == list(turns()[:4])


def test_several_files_are_put_back_and_the_game_goes_on(ready: Player, mails: list[Path]) -> None:
    for number in (1, 2, 3):
        stored(ready, number).unlink()
    (ready.home.games / ready.key() / "accepted.json").unlink()
    status, out, err = ready.types("apply", *reversed(mails))
    assert (status, err) == (0, "")
    kinds = [line.split(": ")[1].split(" of ")[0] for line in out.splitlines()[:5]]
    assert kinds == ["already have it (file 0", "file 1", "file 2", "file 3", "file 4"]
    assert ready.game().raw == list(turns()[:5])


def test_what_is_put_back_in_a_game_that_stays_damaged_is_said(ready: Player, mails: list[Path]) -> None:
    stored(ready, 1).write_bytes(b"")
    stored(ready, 3).write_bytes(b"")
    (key,) = ready.home.game_keys()
    status, out, err = ready.types("apply", mails[1])
    assert status == 4
    assert out == f"{mails[1]}: file 1 of {key} was damaged or missing here and is restored.\n"
    assert err.startswith(f'pbem: {mails[1]}: the stored file "{stored(ready, 3)}" is damaged')
    assert stored(ready, 1).read_bytes() == turns()[1]
    assert ready.types("apply", mails[3])[0] == 0
    assert ready.game().raw == list(turns()[:4])


def test_a_file_that_was_never_accepted_is_not_put_in_its_place(
    ready: Player, tmp_path: Path, mails: list[Path]
) -> None:
    """A second version signed by the same author is valid, but not what was accepted."""
    home = make_home(tmp_path / "copy", ALICE)
    stock(home, turns()[:2])
    other = Player(home, ALICE, ready.capsys)
    other.decide(seed=99)
    assert other.types("seal", "-o", "second.m44")[0] == 0
    shutil.rmtree(ready.home.games)
    stock(ready.home, turns()[:3])
    stored(ready, 2).write_bytes(b"")
    status, out, err = ready.types("apply", "second.m44")
    assert (status, out) == (4, "")
    assert "0002.m44" in err
    assert stored(ready, 2).read_bytes() == b""
    assert ready.types("apply", mails[2])[0] == 0
    assert ready.game().raw == list(turns()[:3])


def test_restored_files_as_json(ready: Player, mails: list[Path]) -> None:
    stored(ready, 2).unlink()
    status, out, _ = ready.types("apply", "--json", *mails[1:3])
    found = json.loads(out)
    assert status == 0
    assert [(row["outcome"], row["number"]) for row in found["files"]] == [("known", 1), ("restored", 2)]
    assert [row["key"] for row in found["games"]] == [ready.key()]


def test_a_full_disk_restores_nothing_and_says_so(
    ready: Player, mails: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    stored(ready, 2).unlink()

    def full(name: str) -> None:
        if name == "create 0002.m44":
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "on_step", full)
    status, out, err = ready.types("apply", mails[2])
    assert (status, out) == (4, "")
    assert "no space left on device" in err
    monkeypatch.setattr(disk, "on_step", None)
    assert ready.types("apply", mails[2])[0] == 0


# One damaged game does not stand in the way of others


def test_letters_of_a_damaged_game_do_not_stop_those_of_others(ready: Player, mails: list[Path]) -> None:
    (ready.home.path / "contacts" / "alice.card").unlink()
    stored(ready, 2).write_bytes(b"junk")
    (key,) = ready.home.game_keys()
    others = write_files(Path("others"), other_turns()[:2])
    status, out, err = ready.types("apply", mails[4], *others)
    assert status == 4
    assert err.startswith(f'pbem: {mails[4]}: the stored file "')
    assert len(err.splitlines()) == 2
    (other,) = set(ready.home.game_keys()) - {key}
    assert Game(ready.home, other).load().raw == list(other_turns()[:2])
    assert f"{others[1]}: file 1 of {other}, checked completely and kept." in out
    assert "It is alice's move: wait for their file." in out
    assert 'A page about it is in "' in out
    assert 'You meet "alice" for the first time.' in out
    summary = json.loads((ready.home.games / other / "summary.json").read_bytes())
    assert (summary["files"], summary["opponent"]["name"]) == (2, "alice")


def test_a_game_without_its_first_file_is_still_a_game(ready: Player, mails: list[Path]) -> None:
    stored(ready, 0).unlink()
    (key,) = ready.home.game_keys()
    (ready.home.games / key / "accepted.json").unlink()
    assert ready.home.game_keys() == [key]
    assert ready.types("games")[0] == 4
    assert ready.types("apply", mails[0])[0] == 0
    assert ready.game().raw == list(turns()[:4])


@pytest.mark.parametrize("number", [0, 2])
def test_a_lost_last_file_is_missed_by_every_command_and_put_back(
    bob: Player, mails: list[Path], number: int
) -> None:
    """Its summary is still there and names it: nobody believes that alone."""
    stock(bob.home, turns()[: number + 1])
    stored(bob, number).unlink()
    (key,) = bob.home.game_keys()
    folder = bob.home.games / key / "files"
    said = f'pbem: file {number} of the game "{key}" is missing in "{folder}"'
    for words in (("games",), ("status",), ("log",), ("play",), ("seal",)):
        status, _, err = bob.types(*words)
        assert (status, err.splitlines()[0]) == (4, said), words
    status, out, err = bob.types("apply", mails[number])
    assert (status, err) == (0, "")
    assert out.startswith(f"{mails[number]}: file {number} of {key} was damaged or missing here")
    assert bob.game().raw == list(turns()[: number + 1])


def test_a_file_beyond_the_list_counts_also_when_another_is_lost(ready: Player, mails: list[Path]) -> None:
    """The machine stopped after file 4 was kept and before it was listed; later file 2 was lost."""
    shutil.copy(mails[4], stored(ready, 4))
    stored(ready, 2).unlink()
    status, out, err = ready.types("apply", mails[2], mails[4])
    assert (status, err) == (0, "")
    key = ready.key()
    assert out.splitlines()[:2] == [
        f"{mails[2]}: file 2 of {key} was damaged or missing here and is restored.",
        f"{mails[4]}: already have it (file 4 of {key}).",
    ]
    assert ready.game().raw == list(turns()[:5])


# The key file


@pytest.mark.parametrize("content", [b"", b"garbage", b"M44 KEY 1\n"])
def test_a_damaged_key_file_is_named_with_the_way_back(bob: Player, content: bytes) -> None:
    path = bob.home.path / "identity.key"
    path.write_bytes(content)
    Path("paper.txt").write_text(backup_text(BOB))
    stock_before = bob.snapshot()
    for words in (("id", "show"), ("id", "new"), ("id", "restore", "paper.txt"), ("apply", "paper.txt")):
        status, _, err = bob.types(*words)
        said, hint = err.splitlines()
        assert (status, said.split(" is damaged: ")[0]) == (4, f'pbem: the key file "{path}"'), words
        assert hint == 'hint: move it away, then type "pbem id restore"'
    assert bob.snapshot() == stock_before
    path.rename("away")
    assert bob.types("id", "restore", "paper.txt", "--name", "Bob")[0] == 0
    assert bob.home.read_head().pk == BOB.pk


def test_a_damaged_key_of_the_practice_bot_is_named(bob: Player) -> None:
    (bob.home.path / "bot").mkdir()
    path = bob.home.path / "bot" / "identity.key"
    path.touch(0o600)
    offer = ("new", "pegasus-bridge", "--side", "axis", "--opponent", "bot")
    status, _, err = bob.types(*offer)
    said, hint = err.splitlines()
    assert (status, said.split(" is damaged: ")[0]) == (4, f'pbem: the key file "{path}"')
    assert hint == 'hint: move it away: the next "pbem new --opponent bot" makes another'
    path.unlink()
    assert bob.types(*offer)[0] == 0


# A damaged contact concerns nobody but that contact


@pytest.fixture
def garbled(bob: Player) -> Player:
    """Bob, who waits with a decided file 3, and whose card of Eve is damaged."""
    bob.home.save_contact("eve", make_card(EVE, "Eve"))
    (bob.home.path / "contacts" / "eve.card").write_text("garbage")
    stock(bob.home, turns()[:3])
    bob.decide()
    return bob


def test_a_damaged_card_of_somebody_else_stops_nothing(garbled: Player, alice: Player) -> None:
    status, out, err = garbled.types("seal")
    assert (status, err) == (0, "")
    assert out.startswith(f'File 3 of "{garbled.key()}" is in "turn03.m44"')
    stock(alice.home, turns()[:3])
    assert alice.types("apply", "turn03.m44")[0] == 0
    alice.decide()
    assert alice.types("seal")[0] == 0
    for words in (("apply", "turn04.m44"), ("status",), ("games",), ("id", "compare", "alice", DIGITS)):
        status, _, err = garbled.types(*words)
        assert (status, err) == (0, ""), words
    assert garbled.game().log.count == 5


def test_a_damaged_card_is_named_where_it_is_asked_for(garbled: Player) -> None:
    path = garbled.home.path / "contacts" / "eve.card"
    status, out, err = garbled.types("id", "list")
    hint = 'hint: import the card again: "pbem id import FILE --as eve"'
    said = f'pbem: the contact "{path}" is damaged\n{hint}\n'
    assert (status, out.split()[0], err) == (4, "alice", said)
    assert len(json.loads(garbled.types("id", "list", "--json")[1])) == 1
    offer = ("new", "pegasus-bridge", "--side", "axis", "--opponent", "eve")
    assert garbled.types(*offer)[::2] == (4, said)
    Path("eve.card").write_text(make_card(EVE, "Eve"))
    assert garbled.types("id", "import", "eve.card")[0] == 0
    assert garbled.types("id", "list")[::2] == (0, "")


def test_a_damaged_key_of_the_practice_bot_stops_no_game(garbled: Player) -> None:
    """It may not come between signing and handing out a file for somebody else."""
    (garbled.home.path / "bot").mkdir()
    (garbled.home.path / "bot" / "identity.key").write_text("garbage")
    status, out, err = garbled.types("seal")
    assert (status, err) == (0, "")
    assert out.startswith(f'File 3 of "{garbled.key()}" is in "turn03.m44"')


def test_nothing_comes_between_signing_an_answer_and_handing_it_out(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(bob.home, turns()[:1])
    bob.types("decline")

    def full(name: str) -> None:
        if name in ("remove declined", "create accepted.json", "create summary.json"):
            raise OSError(30, "Read-only file system")

    monkeypatch.setattr(disk, "on_step", full)
    status, out, err = bob.types("accept")
    assert (status, err) == (0, "")
    assert 'The answer is in "turn01.m44": send it back.' in out
    monkeypatch.setattr(disk, "on_step", None)
    assert Path("turn01.m44").read_bytes() == bob.game().raw[1]
    assert "you have declined" not in bob.types("games")[1]
