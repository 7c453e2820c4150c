"""A disk that is full or cannot be written, a clock that jumps: one clear sentence, and nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import files as disk
from pbem.identity import fingerprint
from pbem.store import Game
from tests.cli.post import ALICE, Player, stock, turns


@pytest.fixture
def ready(bob: Player) -> Player:
    """Bob, who has files 0 to 3 and waits for file 4."""
    stock(bob.home, turns()[:4])
    return bob


def full_disks(
    player: Player, monkeypatch: pytest.MonkeyPatch, *words: str | Path
) -> Iterator[tuple[str, int, str, str]]:
    """A command, run once for every step of its way with the disk full just there, always from the start.

    The step, the status, the output, the complaints; afterwards the home is as the command left it.
    """
    origin = player.home.path.with_name("origin")
    shutil.copytree(player.home.path, origin)
    steps: list[str] = []
    monkeypatch.setattr(disk, "on_step", steps.append)
    assert player.types(*words)[0] == 0
    for at, name in enumerate(steps):
        shutil.rmtree(player.home.path)
        shutil.copytree(origin, player.home.path)
        for path in Path().glob("[a-z]*"):
            if path.name != "mail.m44":
                path.unlink()
        left = [*steps[:at]]

        def full(step: str, left: list[str] = left) -> None:
            if not left:
                monkeypatch.setattr(disk, "on_step", None)
                raise OSError(28, "No space left on device")
            left.pop()

        if not name.startswith("flush"):  # where nothing is written any more
            monkeypatch.setattr(disk, "on_step", full)
            status, out, err = player.types(*words)
            monkeypatch.setattr(disk, "on_step", None)
            yield name, status, out, err


def test_a_full_disk(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that cannot be written was not taken in; without a list, a summary and a page it was."""
    Path("mail.m44").write_bytes(turns()[4])
    before = ready.snapshot()
    seen = {}
    for step, status, out, err in full_disks(ready, monkeypatch, "apply", "mail.m44"):
        seen[step] = status
        if status:
            assert (out, ready.snapshot()) == ("", before)
            path = ready.home.games / ready.key() / "files" / "0004.m44"
            assert err == (
                f'pbem: mail.m44: cannot write "{path}": no space left on device\n'
                "hint: mend this and try again\n"
            )
            assert ready.types("apply", "mail.m44")[0] == 0
        else:
            assert err == ""
            assert out.startswith(f"mail.m44: file 4 of {ready.key()}, checked completely and kept.\n")
        assert ready.game().raw == list(turns()[:5])
    assert seen == {
        "create 0004.m44": 4,
        "rename 0004.m44": 4,
        "create accepted.json": 0,
        "rename accepted.json": 0,
        "create summary.json": 0,
        "rename summary.json": 0,
        "folder reports": 0,
        "create turn04.html": 0,
        "rename turn04.html": 0,
    }


def test_a_full_disk_while_sealing(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the file is signed nothing has changed; from then on it is said that it is signed."""
    stock(bob.home, turns()[:3])
    bob.decide()
    key, before = bob.key(), bob.snapshot()
    seen = {}
    for step, status, _, err in full_disks(bob, monkeypatch, "seal"):
        kind = "signed" if step.endswith(bob.game().log.entries[0].id.hex()) else step
        seen[kind] = status
        said, *hint = err.splitlines()[:2] or [""]
        assert ("no space left on device" in said) is (status > 0)
        if kind in ("folder signed", "signed"):
            assert (hint, bob.snapshot()) == (["hint: mend this and try again"], before)
            assert bob.game().log.count == 3
            continue
        sent = bob.game().raw[3]
        if status == 4:
            assert hint == [f'hint: file 3 is signed and kept: mend this, and "pbem seal {key}" writes it']
        elif status == 1:
            assert hint == [f'hint: it is signed and kept; "pbem seal {key} -o FILE" writes it elsewhere']
        else:
            assert Path("turn03.m44").read_bytes() == sent
        assert bob.types("seal", "-o", "again.m44")[0] == 0
        assert Path("again.m44").read_bytes() == bob.game().raw[3] == sent
    assert seen == {
        "folder signed": 4,
        "signed": 4,
        "create 0003.m44": 4,
        "rename 0003.m44": 4,
        "create accepted.json": 0,
        "rename accepted.json": 0,
        "remove draft.json": 0,
        "create summary.json": 0,
        "rename summary.json": 0,
        "create turn03.m44": 1,
        "rename turn03.m44": 1,
        "folder reports": 0,
        "create turn03.html": 0,
        "rename turn03.html": 0,
    }


@pytest.mark.parametrize(
    ("words", "signed"),
    [
        pytest.param(("accept",), 1, id="accept"),
        pytest.param(("new", "pegasus-bridge", "--side", "axis", "--opponent", "alice"), 0, id="new"),
    ],
)
def test_a_full_disk_while_a_game_begins(
    bob: Player, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], signed: int
) -> None:
    """Status 4: nothing has changed, or the file is signed and said to be. 1: only its copy is missing."""
    stock(bob.home, turns()[:1])
    before, keys = bob.snapshot(), set(bob.home.game_keys())
    seen = []
    for _, status, out, err in full_disks(bob, monkeypatch, *words):
        seen.append(status)
        new = sorted(set(bob.home.game_keys()) - keys) or sorted(keys)
        game = Game(bob.home, new[0]).load()
        own = [data for data, entry in zip(game.raw, game.log.entries, strict=True) if entry.seat == signed]
        kept = own if signed or new[0] not in keys else []
        said, *hint = err.splitlines()[:2] or [""]
        assert said.endswith("no space left on device") is (status > 0)
        if status == 4 and not kept:
            assert hint == ["hint: mend this and try again"]
            assert bob.snapshot() == before
        elif status == 4:
            assert hint == [
                f'hint: file {signed} is signed and kept: mend this, and "pbem seal {game.key}" writes it'
            ]
        elif status == 1:
            assert hint == [
                f'hint: it is signed and kept; "pbem seal {game.key} -o FILE" writes it elsewhere'
            ]
        else:
            assert "send it" in out
        if kept:
            assert bob.types("seal", game.key, "-o", "again.m44")[0] == 0
            assert Path("again.m44").read_bytes() == kept[0]
        else:
            assert bob.types(*words)[0] == 0
    assert [seen.count(status) for status in (1, 4)] == [2, 5 if signed else 4]
    assert seen.count(0) >= 4


@pytest.mark.parametrize(
    "words", [("do",), ("undo",), ("orders", "ambush never"), ("decline",)], ids=" ".join
)
def test_a_full_disk_while_deciding(
    bob: Player, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """What cannot be kept is not done, and typed again it is."""
    stock(bob.home, turns()[: 1 if words == ("decline",) else 3])
    if words != ("decline",):
        for _ in range(2):
            assert bob.types("do", first_action(bob))[0] == 0
        assert bob.types("orders", "ambush always")[0] == 0
    if words == ("do",):
        words = ("do", first_action(bob))
    before = bob.snapshot()
    seen = {}
    for step, status, out, err in full_disks(bob, monkeypatch, *words):
        seen[step] = status
        if status:
            assert (out, bob.snapshot()) == ("", before)
            path = bob.home.games / bob.key() / step.split()[1]
            assert (
                err
                == f'pbem: cannot write "{path}": no space left on device\nhint: mend this and try again\n'
            )
            assert bob.types(*words)[::2] == (0, "")
        assert bob.snapshot() != before
    name = {"orders": "orders.json", "decline": "declined"}.get(words[0], "draft.json")
    assert {step: status for step, status in seen.items() if "summary" not in step} == {
        f"create {name}": 4,
        f"rename {name}": 4,
    }
    assert all(status == 0 for step, status in seen.items() if "summary" in step)


def first_action(player: Player) -> str:
    """Something that can be done now."""
    rows = json.loads(player.types("legal", "--json")[1])["actions"]
    return str(rows[0]["action"])


def test_a_full_disk_when_somebody_is_met(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """The invitation is kept and spoken of, and applied again it introduces its author."""
    (bob.home.path / "contacts" / "alice.card").unlink()
    Path("mail.m44").write_bytes(turns()[0])

    def full(name: str) -> None:
        if name == "create alice.met":
            raise OSError(28, "No space left on device")

    monkeypatch.setattr(disk, "on_step", full)
    status, out, err = bob.types("apply", "mail.m44")
    monkeypatch.setattr(disk, "on_step", None)
    assert status == 4
    assert out.startswith(f"mail.m44: file 0 of {bob.key()}, checked completely and kept.\n")
    assert f"Next: pbem accept {bob.key()}" in out
    path = bob.home.path / "contacts" / "alice.met"
    assert err == (
        f'pbem: cannot write "{path}": no space left on device\nhint: mend this and apply the file again\n'
    )
    status, out, err = bob.types("apply", "mail.m44")
    assert (status, err) == (0, "")
    assert 'You meet "alice" for the first time.' in out


def test_an_interrupt_after_signing_does_not_say_that_nothing_happened(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()

    def interrupt(*args: object, **kwargs: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pbem.cli.seal.hand_out", interrupt)
    status, _, err = bob.types("seal")
    assert (status, err) == (1, '\nstopped; "pbem status" shows what was kept\n')
    assert bob.game().log.count == 4


def read_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing can be written, and everything can be read."""
    real = os.open

    def opened(path: object, flags: int, *args: int, **kwargs: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
            raise OSError(30, "Read-only file system")
        return real(path, flags, *args, **kwargs)  # type: ignore[arg-type]

    def refused(*args: object, **kwargs: object) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(os, "open", opened)
    for name in ("mkdir", "replace", "unlink", "link"):
        monkeypatch.setattr(os, name, refused)


@pytest.mark.parametrize(
    "words",
    [
        ("apply", "turn.m44"),
        ("seal",),
        ("bot",),
        ("resign", "--yes"),
        ("new", "pegasus-bridge", "--side", "axis", "--opponent", "alice"),
        ("new", "pegasus-bridge", "--side", "axis", "--opponent", "bot"),
        ("do", "end"),
        ("undo",),
        ("undo", "--all"),
        ("orders", "ambush never"),
        ("id", "compare", "alice", fingerprint(ALICE.pk)),
    ],
    ids=" ".join,
)
def test_a_read_only_folder_is_not_written(
    bob: Player, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()
    Path("turn.m44").write_bytes(turns()[3])
    before = bob.snapshot()
    read_only(monkeypatch)
    status, out, err = bob.types(*words)
    assert (status, out) == (4, "")
    assert err == (
        f'pbem: cannot open the lock "{bob.home.path / "lock"}": read-only file system\n'
        "hint: mend this and try again\n"
    )
    assert bob.snapshot() == before


@pytest.mark.parametrize(
    "words",
    [
        ("games",),
        ("status",),
        ("board",),
        ("hand",),
        ("log",),
        ("legal",),
        ("orders",),
        ("orders", "--dry-run", "C1"),
        ("do", "--dry-run", "end"),
        ("report", "--text"),
        ("report", "--json"),
        ("id", "list"),
        ("id", "show"),
    ],
    ids=" ".join,
)
def test_a_read_only_folder_can_be_read(
    bob: Player, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    stock(bob.home, turns()[:3])
    if "--dry-run" in words:
        words = (*words[:-1], first_action(bob) if words[0] == "do" else own_hex(bob))
    (bob.home.games / bob.key() / "summary.json").unlink()
    (bob.home.path / "lock").unlink(missing_ok=True)
    before = bob.snapshot()
    read_only(monkeypatch)
    assert bob.types(*words)[::2] == (0, "")
    assert bob.snapshot() == before


def own_hex(player: Player) -> str:
    """Where a unit of the player stands."""
    rows = json.loads(player.types("board", "--json")[1])["units"]
    return next(str(row["at"]) for row in rows if row["side"] == "axis")


def test_a_page_that_cannot_be_kept_says_where_else_it_may_go(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(bob.home, turns()[:3])
    read_only(monkeypatch)
    status, _, err = bob.types("report")
    assert (status, err.splitlines()[1]) == (4, 'hint: "-o FILE" writes the page elsewhere')


def test_a_file_where_the_home_folder_should_be(tmp_path: Path, bob: Player) -> None:
    (tmp_path / "file").write_text("")
    bob.home.path = tmp_path / "file" / "home"
    status, _, err = bob.types("id", "new", "--name", "Bob")
    assert status == 4
    assert "cannot make the folder" in err
    bob.home.path = tmp_path / "file"
    for command in ("games", "status"):
        status, out, err = bob.types(command)
        assert (status, out) == (4, "")
        assert err.splitlines() == [
            f'pbem: the home folder "{tmp_path / "file"}" is a file',
            "hint: choose another with --home",
        ]


def test_a_clock_that_jumps_back(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file is never older than the one before it, and status says that the clock is behind."""
    game = ready.game()
    Path("turn.m44").write_bytes(turns()[4])
    monkeypatch.setattr("pbem.store.now", lambda: game.times[-1] - 10_000_000)
    monkeypatch.setattr(disk, "now", lambda: game.times[-1] - 10_000_000)
    status, _, err = ready.types("apply", "turn.m44")
    assert (status, err) == (0, "")
    assert ready.game().times == [*game.times, game.times[-1]]
    assert "The clock of this machine is behind" in ready.types("status")[1]


def test_a_clock_that_jumps_ahead_changes_no_game(ready: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.store.now", lambda: 2**40)
    Path("turn.m44").write_bytes(turns()[4])
    assert ready.types("apply", "turn.m44")[0] == 0
    assert ready.types("status")[0] == 0
    assert Game(ready.home, ready.key()).load().times[-1] == 2**40
