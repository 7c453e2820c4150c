"""The machine is switched off at every step of the commands that sign and take in: nothing is lost.

After each cut-off (tests/cli/crashing.py) the home is sound, no place is signed twice, and the same command
typed again leads to where it would have led at once. Drafts, practice games and what commands write for their
user have files of their own beside this one.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.archive import write_archive
from pbem.identity import backup_text, fingerprint, make_card
from tests.cli.crashing import Crashes, leftovers, signed
from tests.cli.post import ALICE, EVE, Player, make_home, stock, turns, write_files

Prepare = Callable[[Player], None]


def declined(player: Player) -> None:
    """An invitation has come and was declined."""
    stock(player.home, turns()[:1])
    player.types("decline")


def to_move(player: Player) -> None:
    """The next file is ours, and nothing is decided."""
    stock(player.home, turns()[:3])


def decided(player: Player) -> None:
    """Our file is decided and not yet sealed."""
    to_move(player)
    player.decide()


@pytest.mark.parametrize(
    ("prepare", "words", "typed", "count", "repeated"),
    [
        pytest.param(declined, ("accept",), "", 2, 1, id="accept after declining"),
        pytest.param(decided, ("seal",), "", 4, 0, id="seal"),
        pytest.param(decided, ("play",), "1\n", 4, 1, id="play"),
        pytest.param(decided, ("bot",), "", 4, 1, id="bot, decided"),
        pytest.param(to_move, ("bot",), "", 4, 1, id="bot"),
        pytest.param(decided, ("resign", "--yes"), "", 4, 1, id="resign"),
    ],
)
def test_no_place_is_signed_twice(
    bob: Player,
    monkeypatch: pytest.MonkeyPatch,
    prepare: Prepare,
    words: tuple[str, ...],
    typed: str,
    count: int,
    repeated: int,
) -> None:
    """Typed again the command signs, or finds that it has: then it says so or writes the same file."""
    prepare(bob)
    place = (bob.key(), count - 1)
    early = late = 0
    stages = ((("bot", "--draft"), ""),) if words == ("bot",) else ()
    for step in Crashes(bob, words, typed, stages):
        first = signed(bob.home)
        bob.enters(monkeypatch, typed)
        status, _, err = bob.types(*words)
        if place in first:
            late += 1
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


@pytest.mark.parametrize("command", ["apply", "import"])
def test_files_are_taken_in_whole(bob: Player, tmp_path: Path, command: str) -> None:
    """Three at once, of which one is known; the draft of an older file goes with them."""
    stock(bob.home, turns()[:3])
    bob.decide()
    paths = write_files(tmp_path / "mail", turns()[:5])[2:]
    stages = ((("apply", paths[1]), ""),)
    if command == "import":
        paths = [tmp_path / "game.zip"]
        paths[0].write_bytes(write_archive(list(turns()[:5])))
    crashes = Crashes(bob, (command, *paths), "", stages)
    assert sum(name.endswith("draft.json") for name in crashes.before) == 1
    for _ in crashes:
        known = bob.game().log.count
        status, out, err = bob.types(command, *paths)
        assert (status, err) == (0, "")
        assert out.count("checked completely and kept") == 5 - known
        assert bob.game().raw == list(turns()[:5])
        assert leftovers(bob.home) == []


@pytest.mark.parametrize("command", ["apply", "import"])
def test_a_first_invitation_is_taken_in_whole(eve: Player, tmp_path: Path, command: str) -> None:
    """Also the contact that is made on the way is whole or not there."""
    shutil.rmtree(eve.home.path / "contacts")
    alice = Player(make_home(tmp_path / "alice", ALICE), ALICE, eve.capsys)
    offer = tmp_path / "offer.m44"
    alice.types("new", "pegasus-bridge", "--side", "axis", "--opponent", "anyone", "-o", offer)
    for _ in Crashes(eve, (command, offer)):
        assert eve.types(command, offer)[::2] == (0, "")
        assert [contact.pk for contact in eve.home.contacts().values()] == [ALICE.pk]
        assert eve.game().raw == [offer.read_bytes()]


def test_new_loses_nothing(alice: Player) -> None:
    words = ("new", "pegasus-bridge", "--side", "axis", "--opponent", "bob")
    offered = 0
    for _ in Crashes(alice, words):
        for key in alice.home.game_keys():  # an offer that was kept can be had again
            offered += 1
            assert alice.types("seal", key, "-o", "offer.m44")[0] == 0
            assert Path("offer.m44").read_bytes() == alice.game().raw[0]
        kept = alice.home.game_keys()
        assert alice.types(*words)[0] == 0
        assert len(alice.home.game_keys()) == len(kept) + 1
        assert set(kept) < set(alice.home.game_keys())
    assert offered >= 4


def test_decline_loses_nothing(bob: Player) -> None:
    stock(bob.home, turns()[:1])
    crashes = Crashes(bob, ("decline",))
    for _ in crashes:
        assert bob.types("decline")[0] == 0
        assert crashes.is_done
        assert "you have declined" in bob.types("games")[1]


def test_an_invitation_is_withdrawn_or_not(alice: Player) -> None:
    stock(alice.home, turns()[:1])
    crashes = Crashes(alice, ("decline",))
    for _ in crashes:
        withdrawn = crashes.is_done
        assert ("you have withdrawn" in alice.types("games")[1]) is withdrawn
        assert alice.types("decline")[0] == 0
        assert crashes.is_done


@pytest.mark.parametrize("command", ["new", "restore"])
def test_identities_are_made_whole(eve: Player, tmp_path: Path, command: str) -> None:
    (eve.home.path / "identity.key").unlink()
    (tmp_path / "paper.txt").write_text(backup_text(EVE))
    source = [str(tmp_path / "paper.txt")] if command == "restore" else []
    words = ("id", command, *source, "--name", "Eve")
    for _ in Crashes(eve, words):
        made = eve.home.has_identity()
        assert eve.types(*words)[0] == (1 if made else 0)
        assert eve.types("id", "show")[0] == 0


def test_contacts_are_kept_whole(alice: Player, tmp_path: Path) -> None:
    """Somebody met in a game gets their card: at no moment are they unknown."""
    stock(alice.home, turns()[:3])
    alice.home.meet("Evelyn", EVE.pk)
    (tmp_path / "eve.card").write_text(make_card(EVE, "Eve"))
    words = ("id", "import", str(tmp_path / "eve.card"))
    crashes = Crashes(alice, words)
    assert {name for name in crashes.before if name not in crashes.done} == {"contacts/evelyn.met"}
    for _ in crashes:
        assert alice.home.name_of(EVE.pk) in ("eve", "evelyn")
        assert alice.types(*words)[0] == 0
        assert crashes.is_done
        assert list(alice.home.contacts()) == ["bob", "eve"]


def test_comparing_is_remembered_or_not(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    words = ("id", "compare", "alice", fingerprint(ALICE.pk))
    crashes = Crashes(bob, words)
    for _ in crashes:
        assert bob.types(*words)[::2] == (0, "")
        assert crashes.is_done
        assert bob.home.is_compared(ALICE.pk)
        assert "to compare" not in bob.types("status")[1]
