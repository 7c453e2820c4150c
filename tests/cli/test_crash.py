"""The machine is switched off at every step of every writing command: nothing is lost or signed twice.

Each case runs a command in a forked process that ends, without any tidying up, just before its k-th change
of the disk, for k = 1, 2, … until the command comes through. Then the next command must find a sound state,
and the same command typed again must lead to where it would have led at once.
"""

from __future__ import annotations

import json
import os
import shutil
from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.cli import run
from pbem.files import locked
from pbem.home import Home, read_json
from pbem.identity import backup_text, make_card
from pbem.store import Game
from tests.cli.post import ALICE, BOB, EVE, Player, make_home, snapshot, stock, turns, write_files

KILLED = 99


def run_until(step: int, home: Path, words: tuple[str, ...]) -> int:
    """The exit status of a command in a process of its own that ends before its step number `step`."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        left = step

        def count(name: str) -> None:
            nonlocal left
            # Before a flush everything is as before the step that follows it: one of the two is enough.
            left -= not name.startswith("flush")
            if not left:
                os._exit(KILLED)

        disk.on_step = count
        os._exit(run(["--home", str(home), *words]))
    finally:
        os._exit(98)  # never back into pytest


def crashes(player: Player, words: tuple[str, ...], desk: Path) -> Iterator[int]:
    """The steps at which a command was stopped, with the home as that left it; ends when it comes through."""
    origin = player.home.path.with_name("origin")
    player.home.path.rename(origin)
    for step in range(1, 60):
        shutil.rmtree(player.home.path, ignore_errors=True)
        shutil.rmtree(desk)
        desk.mkdir()
        os.chdir(desk)
        shutil.copytree(origin, player.home.path)
        status = run_until(step, player.home.path, words)
        if status != KILLED:
            assert status == 0
            assert step > 2
            return
        yield step
    raise AssertionError("the command never ends")


def signed(home: Home) -> dict[tuple[str, int], bytes]:
    """Every file signed by the owner that the home knows of, by game and number."""
    found: dict[tuple[str, int], bytes] = {}
    offers: dict[str, str] = {}
    for key in home.game_keys():
        game = Game(home, key).load()
        offers[game.log.entries[0].id.hex()] = key
        for number, data in enumerate(game.raw):
            found[key, number] = data
    for path in (home.path / "signed").glob("[!.]*"):
        marker = read_json(path)
        place = (offers[path.name], marker["number"])
        data = b64decode(marker["file"])
        assert found.setdefault(place, data) == data
    return found


def assert_sound(player: Player, before: dict[str, bytes]) -> None:
    """What was there is there, whole; the reading commands work."""
    after = snapshot(player.home.path)
    kept = {name: data for name, data in before.items() if name.endswith((".m44", ".key", ".card"))}
    assert {name: after.get(name) for name in kept} == kept
    assert player.types("games")[0] == 0  # makes stale summaries anew, which reads every such game


def leftovers(home: Home) -> list[Path]:
    """Temporary files in the games."""
    return [*home.games.rglob(".*.tmp"), *(home.path / "signed").glob(".*.tmp")]


Prepare = Callable[[Player], None]


def nothing(player: Player) -> None:
    """A home with an identity only."""


def invited(player: Player) -> None:
    """An invitation has come."""
    stock(player.home, turns()[:1])


def declined(player: Player) -> None:
    """An invitation has come and was declined."""
    invited(player)
    player.types("decline")


def decided(player: Player) -> None:
    """Our file is decided and not yet sealed."""
    stock(player.home, turns()[:3])
    player.decide()


@pytest.mark.parametrize(
    ("prepare", "words", "count"),
    [
        pytest.param(declined, ("accept",), 2, id="accept after declining"),
        pytest.param(decided, ("seal",), 4, id="seal"),
        pytest.param(decided, ("resign", "--yes"), 4, id="resign"),
    ],
)
def test_no_place_is_signed_twice(
    bob: Player, prepare: Prepare, words: tuple[str, ...], count: int, tmp_path: Path
) -> None:
    prepare(bob)
    before = bob.snapshot()
    (key,) = bob.home.game_keys()
    early = late = 0
    for step in crashes(bob, words, tmp_path / "desk"):
        place = (key, count - 1)
        first = signed(bob.home)
        assert_sound(bob, before)
        status, _, err = bob.types(*words)
        if place in first:
            late += 1
            repeated = 0 if words == ("seal",) else 1  # accept and resign say that it was done
            assert status == repeated, (step, err)
        else:
            early += 1
            assert (status, err) == (0, ""), step
        assert bob.types("seal", "-o", "sent.m44")[0] == 0
        again = signed(bob.home)
        assert {p: again[p] for p in first} == first
        assert len(again) == count
        assert Path("sent.m44").read_bytes() == again[place]
        assert leftovers(bob.home) == []
    assert early >= 2
    assert late >= 4


def test_apply_loses_nothing(bob: Player, tmp_path: Path) -> None:
    stock(bob.home, turns()[:3])
    before = bob.snapshot()
    paths = [str(path) for path in write_files(tmp_path / "mail", turns()[:5])]
    for _ in crashes(bob, ("apply", *paths), tmp_path / "desk"):
        assert_sound(bob, before)
        status, _, err = bob.types("apply", *paths)
        assert (status, err) == (0, "")
        assert bob.game().raw == list(turns()[:5])
        assert leftovers(bob.home) == []


def test_apply_of_a_first_invitation_loses_nothing(eve: Player, tmp_path: Path) -> None:
    """Also the contact that is made on the way is whole or not there."""
    shutil.rmtree(eve.home.path / "contacts")
    alice = Player(make_home(tmp_path / "alice", ALICE), ALICE, eve.capsys)
    alice.types(
        "new", "pegasus-bridge", "--side", "axis", "--opponent", "anyone", "-o", tmp_path / "offer.m44"
    )
    before = eve.snapshot()
    for _ in crashes(eve, ("apply", str(tmp_path / "offer.m44")), tmp_path / "desk"):
        assert_sound(eve, before)
        assert eve.types("id", "list")[0] == 0
        assert eve.types("apply", tmp_path / "offer.m44")[0] == 0
        assert [contact.pk for contact in eve.home.contacts().values()] == [ALICE.pk]


def test_new_loses_nothing(alice: Player, tmp_path: Path) -> None:
    words = ("new", "pegasus-bridge", "--side", "axis", "--opponent", "bob")
    before = alice.snapshot()
    for _ in crashes(alice, words, tmp_path / "desk"):
        assert_sound(alice, before)
        for key in alice.home.game_keys():  # an offer that was kept can be had again
            assert alice.types("seal", key, "-o", "offer.m44")[0] == 0
            assert Path("offer.m44").read_bytes() == alice.game().raw[0]


def test_decline_loses_nothing(bob: Player, tmp_path: Path) -> None:
    stock(bob.home, turns()[:1])
    before = bob.snapshot()
    for _ in crashes(bob, ("decline",), tmp_path / "desk"):
        assert_sound(bob, before)
        assert bob.types("decline")[0] == 0
        assert "you have declined" in bob.types("games")[1]


@pytest.mark.parametrize("command", ["new", "restore"])
def test_identities_are_made_whole(eve: Player, tmp_path: Path, command: str) -> None:
    (eve.home.path / "identity.key").unlink()
    (tmp_path / "paper.txt").write_text(backup_text(EVE))
    source = [str(tmp_path / "paper.txt")] if command == "restore" else []
    words = ("id", command, *source, "--name", "Eve")
    for _ in crashes(eve, words, tmp_path / "desk"):
        if eve.home.has_identity():
            assert eve.types("id", "show")[0] == 0
        else:
            assert eve.types(*words)[0] == 0


def test_contacts_are_kept_whole(alice: Player, tmp_path: Path) -> None:
    (tmp_path / "eve.card").write_text(make_card(EVE, "Eve"))
    words = ("id", "import", str(tmp_path / "eve.card"))
    before = alice.snapshot()
    for _ in crashes(alice, words, tmp_path / "desk"):
        assert_sound(alice, before)
        assert alice.types(*words)[0] == 0
        assert alice.home.contact("eve").pk == EVE.pk


# Two at once


def test_two_commands_at_once_take_turns(
    bob: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes seal at the same moment: one signs, the other repeats it."""
    decided(bob)
    children = []
    for number in (1, 2):
        child = os.fork()
        if not child:
            os._exit(run(["--home", str(bob.home.path), "seal", "-o", str(tmp_path / f"{number}.m44")]))
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    assert (tmp_path / "1.m44").read_bytes() == (tmp_path / "2.m44").read_bytes() == bob.game().raw[3]


def test_a_command_that_waits_too_long_says_so(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    decided(bob)
    before = bob.snapshot()
    monkeypatch.setattr(disk, "PATIENCE", 0.1)
    with locked(bob.home.path / "lock"):
        status, _, err = bob.types("seal")
        assert (status, err) == (
            1,
            "pbem: another pbem is at work in this folder\nhint: wait until it has finished\n",
        )
        assert bob.types("status")[0] == 0  # reading needs no lock
    assert bob.snapshot() == before


def test_reading_while_another_command_works_writes_only_what_is_the_same(bob: Player) -> None:
    """Another process has signed file 3 and not yet written it to the game: both would write the same."""
    stock(bob.home, turns()[:3])
    folder = bob.home.games / bob.key()
    bob.game().remember_signed(3, turns()[3])
    (folder / "summary.json").unlink()
    before = bob.snapshot()
    with locked(bob.home.path / "lock"):
        assert json.loads(bob.types("status", "--json")[1])["files"] == 4
    after = bob.snapshot()
    assert after.pop(f"games/{bob.key()}/files/0003.m44") == turns()[3]
    assert after == before
    assert json.loads((folder / "summary.json").read_bytes())["files"] == 4


def test_the_lock_of_a_dead_process_is_free(bob: Player) -> None:
    decided(bob)
    child = os.fork()
    if not child:
        with locked(bob.home.path / "lock"):
            os._exit(0)
    os.waitpid(child, 0)
    assert bob.types("seal")[0] == 0


def test_everything_private_is_for_the_owner_only(bob: Player) -> None:
    """Files of the home 600, folders 700, whatever the mask of the process."""
    old = os.umask(0)
    try:
        home = bob.home.path.with_name("fresh")
        player = Player(Home(home), BOB, bob.capsys)
        make_home(home, BOB)
        stock(player.home, turns()[:3])
        player.decide()
        player.types("seal")
    finally:
        os.umask(old)
    modes = {oct(path.stat().st_mode & 0o777) for path in home.rglob("*") if path.is_file()}
    folders = {oct(path.stat().st_mode & 0o777) for path in (home, *home.rglob("*")) if path.is_dir()}
    assert (modes, folders) == ({"0o600"}, {"0o700"})
    assert Path("turn03.m44").stat().st_mode & 0o777 == 0o666
