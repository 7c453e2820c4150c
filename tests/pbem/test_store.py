"""The store: what it keeps, what it believes, what it refuses, when it recovers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.draft import Draft, Wishes
from pbem.errors import Fault, Refused, StoreError
from pbem.files import make_folder, read_file, remove_file, sweep, write_file
from pbem.home import Home, contact_key
from pbem.identity import Identity, fingerprint, make_card
from pbem.store import Game, open_offer
from tests.cli.post import ALICE, BOB, EVE, make_home, other_turns, stock, turns
from tests.mailgame import byte_source, decide


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Bob's home."""
    return make_home(tmp_path / "home", BOB)


# Files


def test_a_file_is_written_whole_and_for_its_owner(tmp_path: Path) -> None:
    write_file(tmp_path / "a", b"one")
    write_file(tmp_path / "a", b"two")
    assert (tmp_path / "a").read_bytes() == b"two"
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("step", ["create a", "rename a"])
def test_a_write_that_fails_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    write_file(tmp_path / "a", b"one")

    def fail(name: str) -> None:
        if name == step:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "on_step", fail)
    with pytest.raises(StoreError, match="no space left on device") as caught:
        write_file(tmp_path / "a", b"two")
    assert (caught.value.exit_status, caught.value.hint) == (4, "mend this and try again")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_folder_in_the_way_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    with pytest.raises(StoreError, match=r'cannot write ".*a": is a directory'):
        write_file(tmp_path / "a", b"")
    with pytest.raises(StoreError, match="cannot read"):
        read_file(tmp_path / "a", limit=10)
    with pytest.raises(StoreError, match="cannot remove"):
        remove_file(tmp_path / "a")


def test_reading_stops_at_the_limit(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * 11)
    assert read_file(tmp_path / "a", limit=11) == b"x" * 11
    with pytest.raises(StoreError, match="larger than it can be"):
        read_file(tmp_path / "a", limit=10)


def test_sweeping_takes_only_leftovers(tmp_path: Path) -> None:
    for name in (".a.1234.tmp", "b.tmp", ".c", "d"):
        (tmp_path / name).touch()
    sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [".c", "b.tmp", "d"]
    sweep(tmp_path / "missing")


def test_folders_are_private_all_the_way(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    for name in ("a", "a/b", "a/b/c"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o700


# Games


def test_a_game_is_found_again_as_it_was(home: Home) -> None:
    game, examined = open_offer(home, turns()[0])
    assert not game.path.exists()  # nothing is written before it is kept
    game.keep(examined)
    for data in turns()[1:5]:
        game.accept(data)
    again = Game(home, game.key).load()
    assert (again.raw, again.times) == (game.raw, game.times)
    assert again.log.previous == game.log.previous
    assert again.referee.digest() == game.referee.digest()
    assert game.key == f"pegasus-bridge-{game.log.entries[0].id.hex()[:6]}"


def test_a_refused_file_changes_nothing(home: Home) -> None:
    game = stock(home, turns()[:3])
    before = (game.log, game.referee, list(game.raw), sorted(game.path.rglob("*")))
    data = bytearray(turns()[3])
    data[-1] ^= 1
    with pytest.raises(Fault, match="E_SIG"):
        game.accept(bytes(data))
    with pytest.raises(Fault, match="E_SEQ"):
        game.accept(turns()[4])
    assert (game.log, game.referee, game.raw, sorted(game.path.rglob("*"))) == before


def test_files_that_were_not_listed_are_checked_completely(home: Home) -> None:
    """A file put into the folder by hand is believed only after a complete check."""
    game = stock(home, turns()[:3])
    good, bad = turns()[3], bytearray(turns()[3])
    bad[-1] ^= 1
    (game.path / "files" / "0003.m44").write_bytes(bad)
    with pytest.raises(StoreError, match="is damaged: E_SIG"):
        Game(home, game.key).load()
    (game.path / "files" / "0003.m44").write_bytes(good)
    assert Game(home, game.key).load().log.count == 4


@pytest.mark.parametrize(
    "content", [None, b"", b"{", b"[]", b'{"ids":["x"],"times":[]}', b"[" * 100_000 + b"]" * 100_000]
)
def test_the_list_of_accepted_files_may_be_lost(home: Home, content: bytes | None) -> None:
    game = stock(home, turns()[:4])
    path = game.path / "accepted.json"
    path.unlink()
    if content is not None:
        path.write_bytes(content)
    again = Game(home, game.key).load()
    assert (again.raw, len(again.times)) == (game.raw, 4)


def test_a_stored_file_that_changed_is_found(home: Home) -> None:
    game = stock(home, turns()[:3])
    (game.path / "files" / "0002.m44").write_bytes(turns()[2][:-1])
    with pytest.raises(StoreError, match=r"0002\.m44"):
        Game(home, game.key).load()


@pytest.mark.parametrize("text", ["00" * 32, "zz" * 32, "00", 7, None])
def test_a_garbled_id_in_the_list_makes_the_file_be_checked_again(home: Home, text: object) -> None:
    """The list is not believed against a good file, nor for a forged one."""
    game = stock(home, turns()[:3])
    value = json.loads((game.path / "accepted.json").read_bytes())
    value["ids"][2] = text
    (game.path / "accepted.json").write_text(json.dumps(value))
    assert Game(home, game.key).load().raw == list(turns()[:3])
    forged = bytearray(turns()[2])
    forged[-1] ^= 1
    (game.path / "files" / "0002.m44").write_bytes(forged)
    with pytest.raises(StoreError, match="is damaged: E_SIG"):
        Game(home, game.key).load()


def test_the_last_file_of_the_list_may_not_be_missing(home: Home) -> None:
    game = stock(home, turns()[:3])
    (game.path / "files" / "0002.m44").unlink()
    with pytest.raises(StoreError, match=f'file 2 of the game "{game.key}" is missing'):
        Game(home, game.key).load()


def test_a_spare_takes_the_place_of_a_damaged_file(home: Home) -> None:
    game = stock(home, turns()[:4])
    for number in (1, 3):
        (game.path / "files" / f"{number:04}.m44").write_bytes(b"")
    again = Game(home, game.key).load({1: [turns()[2], turns()[1]], 3: [turns()[3]]})
    assert (again.raw, again.times) == (list(turns()[:4]), game.times)
    assert again.restored == [game.log.entries[1].id, game.log.entries[3].id]
    assert Game(home, game.key).load().raw == list(turns()[:4])
    assert Game(home, game.key).load({1: [turns()[1]]}).restored == []


def test_a_damaged_file_of_our_own_comes_back_from_what_was_signed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nothing can be written: then it is only read."""
    game = stock(home, turns()[:5])
    game.remember_signed(3, turns()[3])
    path = game.path / "files" / "0003.m44"
    path.write_bytes(b"")

    def full(name: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "on_step", full)
    assert Game(home, game.key).load().raw == list(turns()[:5])
    assert path.read_bytes() == b""
    monkeypatch.setattr(disk, "on_step", None)
    assert Game(home, game.key).load().raw == list(turns()[:5])
    assert path.read_bytes() == turns()[3]


def test_two_invitations_with_one_short_key_have_two_folders(home: Home) -> None:
    game, examined = open_offer(home, turns()[0])
    make_folder(game.path / "files")
    write_file(game.path / "files" / "0000.m44", other_turns()[0])
    other, _ = open_offer(home, turns()[0])
    assert other.key == f"pegasus-bridge-{examined.entry.id.hex()[:12]}"


@pytest.mark.parametrize("left", ["list", "first file", "second file", "nothing"])
def test_an_invitation_has_one_folder_whatever_is_left_of_it(home: Home, left: str) -> None:
    game = stock(home, turns()[:2])
    keep = {"list": "accepted.json", "first file": "0000.m44", "second file": "0001.m44"}.get(left)
    for path in (game.path / "accepted.json", game.file_path(0), game.file_path(1)):
        if path.name != keep:
            path.write_bytes(b"junk")
    assert open_offer(home, turns()[0])[0].key == game.key


def test_strangers_have_no_desk(home: Home) -> None:
    game = stock(home, turns()[:3])
    with pytest.raises(Refused, match="you do not play in this game"):
        game.desk(EVE)
    assert (game.desk(ALICE).seat, game.desk(BOB).seat) == (0, 1)


# Signing


def sealed(game: Game, seed: int) -> bytes:
    """A file of Bob's for the next place."""
    draft = Draft(game.desk(BOB))
    decide(draft, random.Random(seed))
    return draft.seal(Wishes(), byte_source(seed))


def test_a_signed_place_is_not_signed_again(home: Home) -> None:
    game = stock(home, turns()[:3])
    first, second = sealed(game, 1), sealed(game, 2)
    assert first != second
    game.keep_signed(first)
    again = stock(home, turns()[:3])  # as from an old backup of the games
    (again.path / "files" / "0003.m44").unlink()
    fresh = Game(home, again.key).load()
    assert fresh.raw[3:] == [first]  # it comes back by itself
    with pytest.raises(Fault, match="E_SEQ"):
        fresh.keep_signed(second)
    assert fresh.highest_signed() == 3


def test_a_signed_file_that_does_not_fit_blocks_its_number(home: Home) -> None:
    """The marker is all that is left: nothing is signed until the files are back."""
    game = stock(home, turns()[:3])
    game.remember_signed(3, b"lost")
    again = Game(home, game.key).load()
    assert again.log.count == 3
    with pytest.raises(Refused, match="file 3 of this game was signed before"):
        again.keep_signed(sealed(again, 1))
    again.accept(turns()[3])  # the file as the other player has it
    assert again.log.count == 4


def test_the_marker_never_goes_back(home: Home) -> None:
    game = stock(home, turns()[:3])
    game.remember_signed(7, b"seven")
    game.remember_signed(3, b"three")
    assert game.last_signed() == (7, b"seven")


# Drafts


def test_a_draft_is_kept_and_belongs_to_one_place(home: Home) -> None:
    game = stock(home, turns()[:3])
    draft = Draft(game.desk(BOB))
    decide(draft, random.Random(1))
    game.save_draft(draft)
    again = Game(home, game.key).load()
    loaded = again.load_draft(again.desk(BOB))
    assert [choice.value for choice in loaded.choices] == [choice.value for choice in draft.choices]
    value = json.loads((game.path / "draft.json").read_bytes())
    assert (list(value), value["decided"]) == (["after", "choices", "bound", "decided", "shows"], True)
    again.accept(turns()[3])
    assert not (game.path / "draft.json").exists()


def test_a_draft_of_an_older_place_is_ignored(home: Home) -> None:
    game = stock(home, turns()[:5])
    value = {"after": "00" * 32, "choices": [["do", "card recon"]]}
    (game.path / "draft.json").write_text(json.dumps(value))
    assert game.load_draft(game.desk(BOB)).choices == []


@pytest.mark.parametrize(
    "choices",
    [
        3,
        None,
        {"do": "end"},
        ["do"],
        [["do"]],
        [["do", 5]],
        [["do", ""]],
        [["do", " "]],
        [["do", "card"]],
        [["do", "fly"]],
        [["do", None]],
        [[1, "end"]],
        [["fly", 1]],
        [["say", 7]],
        [["say", ["x"]]],
        [["plan", {}]],
        [["plan", [[1]]]],
        [["stand", 3]],
        [["end", {"a": 1}]],
        [["end", None]],
    ],
    ids=str,
)
def test_a_damaged_draft_says_how_to_get_rid_of_it(home: Home, choices: object) -> None:
    game = stock(home, turns()[:3])
    value = {"after": game.log.previous.hex(), "choices": choices}
    assert_damaged(game, json.dumps(value))


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_a_draft_that_cannot_be_read_is_not_silently_an_empty_one(home: Home, text: str) -> None:
    assert_damaged(stock(home, turns()[:3]), text)


def assert_damaged(game: Game, text: str) -> None:
    """A draft with this text is refused, with what to do."""
    (game.path / "draft.json").write_text(text)
    with pytest.raises(StoreError, match="is damaged") as caught:
        game.load_draft(game.desk(BOB))
    assert "pbem undo --all" in caught.value.hint


# Contacts


def test_people_met_in_games_get_names_of_their_own(home: Home) -> None:
    digits = fingerprint(EVE.pk)[:5]
    other = Identity(b"F" * 32)
    assert home.meet("Alice", EVE.pk) == f"alice-{digits}"  # "alice" is somebody else
    assert home.meet("", other.pk) == f"player-{fingerprint(other.pk)[:5]}"
    assert home.name_of(EVE.pk) == f"alice-{digits}"
    assert home.contact("alice").pk == ALICE.pk


@pytest.mark.parametrize("content", [b"{}", b"", b'{"name":"Eve","pk":"00"}', b'{"name":"Eve","pk":7}'])
def test_a_damaged_contact_is_left_out_and_named_when_it_is_meant(home: Home, content: bytes) -> None:
    assert home.meet("Eve", EVE.pk) == "eve"
    (home.path / "contacts" / "eve.met").write_bytes(content)
    assert list(home.contacts()) == ["alice"]
    assert home.name_of(EVE.pk) is None
    assert [problem.message for problem in home.damaged_contacts()] == [
        f'the contact "{home.path / "contacts" / "eve.met"}" is damaged'
    ]
    with pytest.raises(StoreError, match=r"eve\.met"):
        home.contact("Eve")
    assert home.meet("Eve", EVE.pk) == f"eve-{fingerprint(EVE.pk)[:5]}"  # its name is not given away


def test_whoever_was_compared_stays_compared_under_every_name(home: Home) -> None:
    home.meet("Eve", EVE.pk)
    home.mark_compared(EVE.pk)
    home.save_contact("The Spy", make_card(EVE, "Eve"))
    assert list(home.contacts()) == ["alice", "the-spy"]  # one person, one contact
    assert home.name_of(EVE.pk) == "the-spy"
    assert (home.is_compared(EVE.pk), home.is_compared(ALICE.pk)) == (True, False)


@pytest.mark.parametrize("name", ["bot", "Anyone", " BOT! "])
def test_names_that_mean_something_else_are_not_given_to_contacts(home: Home, name: str) -> None:
    with pytest.raises(Refused, match="is no name for a contact: it means"):
        home.save_contact(name, make_card(EVE, "Eve"))
    assert home.meet(name, EVE.pk) == f"{contact_key(name)}-{fingerprint(EVE.pk)[:5]}"


@pytest.mark.parametrize(
    ("name", "key"), [("Bob", "bob"), ("Jean-Luc  P.", "jean-luc-p"), ("../x", "x"), ("Ödön", "ödön")]
)
def test_names_as_file_names(name: str, key: str) -> None:
    assert contact_key(name) == key


def test_a_name_without_letters_is_refused() -> None:
    with pytest.raises(Refused, match="is no name"):
        contact_key("../..")
