"""`pbem id`: making, showing, exchanging, backing up and restoring identities."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli import run
from pbem.home import Home, default_home
from pbem.identity import backup_text, fingerprint, make_card, parse_card, read_key_head, seal_key_file
from tests.cli.post import ALICE, BOB, EVE, Player, turns, write_files

ROOT = Path(__file__).parents[2]

Capture = pytest.CaptureFixture[str]


def mode(path: Path) -> int:
    """The permissions of a file or folder."""
    return stat.S_IMODE(path.stat().st_mode)


def test_new_makes_an_identity_for_its_owner_only(tmp_path: Path, capsys: Capture) -> None:
    home = tmp_path / "deep" / "home"
    assert run(["--home", str(home), "id", "new", "--name", "Ada"]) == 0
    head = read_key_head((home / "identity.key").read_bytes())
    assert (head.name, head.locked) == ("Ada", False)
    assert f"Your fingerprint: {fingerprint(head.pk)}" in capsys.readouterr().out
    assert (mode(home), mode(home / "identity.key")) == (0o700, 0o600)


def test_new_refuses_a_second_identity(alice: Player) -> None:
    before = alice.snapshot()
    status, out, err = alice.types("id", "new", "--name", "Other")
    assert (status, out) == (1, "")
    assert err.startswith('pbem: there is an identity already in "')
    assert err.endswith('hint: "pbem id show" shows it\n')
    assert alice.snapshot() == before


@pytest.mark.parametrize("name", ["", "x" * 65, "two\nlines"])
def test_new_refuses_names_that_cannot_be_shown(tmp_path: Path, capsys: Capture, name: str) -> None:
    assert run(["--home", str(tmp_path / "h"), "id", "new", "--name", name or " "]) == 1
    assert "a name has 1 to 64 printable characters" in capsys.readouterr().err
    assert not (tmp_path / "h" / "identity.key").exists()


def test_a_passphrase_locks_the_key_file(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = ["--home", str(tmp_path / "h")]
    monkeypatch.setenv("PBEM_PASSPHRASE", "correct horse")
    assert run([*home, "id", "new", "--name", "Ada", "--passphrase"]) == 0
    assert run([*home, "id", "backup"]) == 0
    monkeypatch.setenv("PBEM_PASSPHRASE", "wrong horse")
    capsys.readouterr()
    assert run([*home, "id", "backup"]) == 1
    assert capsys.readouterr().err == "pbem: this is not the passphrase of the key file\n"
    assert run([*home, "id", "show", "--json"]) == 0  # needs no secret
    assert json.loads(capsys.readouterr().out)["locked"] is True


def test_an_empty_passphrase_is_refused(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "")
    assert run(["--home", str(tmp_path / "h"), "id", "new", "--name", "Ada", "--passphrase"]) == 1
    assert not (tmp_path / "h" / "identity.key").exists()


def test_a_key_file_that_others_can_read_is_not_used(alice: Player) -> None:
    key = alice.home.path / "identity.key"
    key.chmod(0o644)
    status, _, err = alice.types("id", "backup")
    assert status == 1
    assert err == f'pbem: the key file "{key}" can be read by others\nhint: type: chmod 600 "{key}"\n'


def test_show_as_json(alice: Player) -> None:
    status, out, _ = alice.types("id", "show", "--json")
    assert status == 0
    assert json.loads(out) == {
        "name": "Alice",
        "fingerprint": fingerprint(ALICE.pk),
        "key": ALICE.pk.hex(),
        "locked": False,
        "home": str(alice.home.path),
    }


def test_without_an_identity_the_hint_says_how_to_get_one(tmp_path: Path, capsys: Capture) -> None:
    assert run(["--home", str(tmp_path / "none"), "id", "show"]) == 1
    assert capsys.readouterr().err == 'pbem: you have no identity yet\nhint: make one with "pbem id new"\n'
    assert not (tmp_path / "none").exists()


def test_cards_are_exported_and_imported_also_out_of_a_mail(alice: Player, eve: Player) -> None:
    assert eve.types("id", "export", "-o", "eve.card")[0] == 0
    card = Path("eve.card").read_text()
    assert parse_card(card).pk == EVE.pk
    Path("mail.txt").write_text("Hello,\n> my card:\n" + card + "\nbye\n" * 2000)
    status, out, _ = alice.types("id", "import", "mail.txt", "--as", "The Spy")
    assert status == 0
    assert fingerprint(EVE.pk) in out
    assert alice.home.contact("the-spy").pk == EVE.pk


def test_a_name_that_is_taken_is_not_given_to_somebody_else(alice: Player, eve: Player) -> None:
    Path("eve.card").write_text(make_card(EVE, "Bob"))
    status, _, err = alice.types("id", "import", "eve.card")
    assert status == 1
    assert err.startswith('pbem: you know somebody else as "bob"\n')
    assert alice.home.contact("bob").pk == BOB.pk


def test_a_name_that_means_an_opponent_is_not_given_to_a_contact(alice: Player) -> None:
    Path("eve.card").write_text(make_card(EVE, "Bot"))
    before = alice.snapshot()
    status, _, err = alice.types("id", "import", "eve.card")
    assert (status, err) == (
        1,
        'pbem: "bot" is no name for a contact: it means the practice opponent\n'
        "hint: choose another name for this one with --as NAME\n",
    )
    assert alice.snapshot() == before
    assert alice.types("id", "import", "eve.card", "--as", "eve")[0] == 0
    assert alice.home.contact("eve").pk == EVE.pk


def test_a_card_takes_the_place_of_somebody_met_in_a_game(bob: Player, tmp_path: Path) -> None:
    """One person is one contact, with one name in all games, and compared once for all of them."""
    (bob.home.path / "contacts" / "alice.card").unlink()
    bob.types("apply", *write_files(tmp_path / "mails", turns()[:2]))
    Path("alice.card").write_text(make_card(ALICE, "Alice"))
    assert bob.types("id", "import", "alice.card", "--as", "al")[0] == 0
    assert list(bob.home.contacts()) == ["al"]
    other = json.loads(bob.types("status", "--json")[1])["opponent"]
    assert (other["name"], other["compared"]) == ("al", False)
    assert bob.types("id", "compare", "al", fingerprint(ALICE.pk))[0] == 0
    assert bob.types("id", "import", "alice.card", "--as", "zed")[0] == 0
    for row in json.loads(bob.types("id", "list", "--json")[1]):
        assert (row["key"], row["compared"]) == (ALICE.pk.hex(), True)
    bob.types("apply", *write_files(tmp_path / "mails", turns()[:3]))
    other = json.loads(bob.types("status", "--json")[1])["opponent"]
    assert other["compared"] is True


def test_the_own_card_is_no_contact(alice: Player) -> None:
    Path("me.card").write_text(make_card(ALICE, "Alice"))
    status, _, err = alice.types("id", "import", "me.card")
    assert (status, err.splitlines()[0]) == (1, "pbem: this is your own contact card")


@pytest.mark.parametrize(
    ("text", "status"), [("no card here", 3), (make_card(EVE, "Eve").replace("A", "B", 1), 3)]
)
def test_what_is_no_card_is_refused(alice: Player, text: str, status: int) -> None:
    Path("bad.card").write_text(text)
    before = alice.snapshot()
    assert alice.types("id", "import", "bad.card")[0] == status
    assert alice.types("id", "import", "missing.card")[0] == 1
    assert alice.snapshot() == before


def test_fingerprints_are_compared_digit_by_digit(alice: Player) -> None:
    digits = fingerprint(BOB.pk).split()
    assert alice.types("id", "compare", "bob", *digits)[0] == 0
    rows = json.loads(alice.types("id", "list", "--json")[1])
    assert rows == [
        {
            "contact": "bob",
            "name": "Bob",
            "fingerprint": fingerprint(BOB.pk),
            "key": BOB.pk.hex(),
            "card": True,
            "compared": True,
        }
    ]
    status, _, err = alice.types("id", "compare", "bob", fingerprint(EVE.pk))
    assert status == 1
    assert "these are not the digits" in err
    assert alice.types("id", "compare", "bob", "12345")[0] == 1


def test_backup_and_restore_give_the_same_person(alice: Player, tmp_path: Path, capsys: Capture) -> None:
    status, out, _ = alice.types("id", "backup")
    assert (status, out) == (0, backup_text(ALICE))
    assert alice.types("id", "backup", "-o", "paper.txt")[0] == 0
    assert mode(Path("paper.txt")) == 0o600
    again = Home(tmp_path / "again")
    assert run(["--home", str(again.path), "id", "restore", "paper.txt", "--name", "Alice"]) == 0
    assert again.read_head().pk == ALICE.pk
    assert alice.types("id", "restore", "paper.txt")[0] == 1  # there is one already


def test_a_backup_that_cannot_be_written_is_refused(alice: Player) -> None:
    """A place that the user has named is no damage of the home folder."""
    status, out, err = alice.types("id", "backup", "-o", "none/paper.txt")
    assert (status, out, err) == (
        1,
        "",
        'pbem: cannot write "none/paper.txt": no such file or directory\n'
        "hint: choose another place with -o\n",
    )
    alice.types("id", "backup", "-o", "paper.txt")
    assert Path("paper.txt").stat().st_mode & 0o777 == 0o600


def test_a_misprint_in_the_backup_is_found(tmp_path: Path, capsys: Capture) -> None:
    text = backup_text(ALICE)
    (tmp_path / "paper.txt").write_text(("Z" if text[0] != "Z" else "Y") + text[1:])
    assert run(["--home", str(tmp_path / "h"), "id", "restore", str(tmp_path / "paper.txt")]) == 1
    assert "look at group 1" in capsys.readouterr().err
    assert not (tmp_path / "h").exists()


@pytest.mark.parametrize(
    ("platform", "environ", "home"),
    [
        ("linux", {"PBEM_HOME": "/x"}, "/x"),
        ("linux", {"HOME": "/u"}, "/u/.local/share/pbem"),
        ("linux", {"HOME": "/u", "XDG_DATA_HOME": "/d"}, "/d/pbem"),
        ("darwin", {"HOME": "/u"}, "/u/Library/Application Support/pbem"),
        ("win32", {"APPDATA": "/r"}, "/r/pbem"),
    ],
)
def test_the_platforms_own_place(platform: str, environ: dict[str, str], home: str) -> None:
    assert default_home(environ, platform) == Path(home)


def test_a_card_that_comes_again_stays_compared(alice: Player) -> None:
    Path("bob.card").write_text(make_card(BOB, "Bob"))
    first = alice.types("id", "import", "bob.card")[1].splitlines()
    assert (first[0], first[2][:10]) == ('"Bob" is your contact "bob".', "Compare it")
    alice.types("id", "compare", "bob", *fingerprint(BOB.pk).split())
    assert alice.types("id", "import", "bob.card")[1].splitlines() == [
        '"Bob" is your contact "bob".',
        f"Their fingerprint: {fingerprint(BOB.pk)}",
        "It stays compared: there is nothing more to do.",
    ]


def test_a_restored_login_name_says_how_to_get_another(
    alice: Player, tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "root")
    Path("paper.txt").write_text(backup_text(ALICE))
    home = tmp_path / "new"
    capsys.readouterr()
    assert run(["--home", str(home), "id", "restore", "paper.txt"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f'You are back as "root". Your fingerprint: {fingerprint(ALICE.pk)}'
    assert lines[2] == f'"{home / "identity.key"}" away and type: pbem id restore --name NAME'
    (home / "identity.key").unlink()
    assert run(["--home", str(home), "id", "restore", "paper.txt", "--name", "Alice"]) == 0
    out = capsys.readouterr().out
    assert out.startswith('You are back as "Alice".')
    assert "--name NAME" not in out


def test_without_a_terminal_a_locked_key_names_the_variable(tmp_path: Path) -> None:
    """No warning of Python's, no waiting: there is nobody to ask."""
    home = Home(tmp_path / "locked")
    home.save_identity(seal_key_file(ALICE, "open sesame", "Alice"))
    done = subprocess.run(
        [sys.executable, "-m", "pbem", "--home", str(home.path), "id", "backup"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=ROOT,
        start_new_session=True,  # no /dev/tty either
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr.splitlines()) == (
        1,
        "",
        [
            "pbem: a passphrase is needed, and there is no terminal to ask for it",
            "hint: put it into the variable PBEM_PASSPHRASE",
        ],
    )
