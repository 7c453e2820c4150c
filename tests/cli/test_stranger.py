"""What somebody meets who uses the program for the first time, or late in the evening."""

from __future__ import annotations

import pytest

from pbem.identity import fingerprint
from tests.cli.post import ALICE, Player, other_turns, stock, turns


@pytest.mark.parametrize(
    ("args", "sentence", "hint"),
    [
        (("aply", "x"), 'there is no command "aply"; did you mean "apply"?', '"pbem --help" explains it'),
        (("xyz",), 'there is no command "xyz"', '"pbem --help" explains it'),
        (("new",), "missing argument 'SCENARIO'", '"pbem new --help" explains it'),
    ],
)
def test_a_command_line_that_cannot_be_read(
    bob: Player, args: tuple[str, ...], sentence: str, hint: str
) -> None:
    assert bob.types(*args) == (2, "", f"pbem: {sentence}\nhint: {hint}\n")


def test_an_action_without_quotation_marks(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    before = bob.snapshot()
    status, out, err = bob.types("do", "card", "recon-center")
    assert (status, out) == (1, "")
    assert err == (
        'pbem: "recon-center" is no action by itself\n'
        'hint: put each action into quotation marks, for example: pbem do "card recon-center"\n'
    )
    assert bob.snapshot() == before


def test_a_missing_file_is_named_once(bob: Player) -> None:
    assert bob.types("apply", "no.m44") == (1, "", 'pbem: there is no file "no.m44"\nhint: check its name\n')
    missing = "UNREADABLE  no.zip: no such file or directory\n"
    assert bob.types("verify", "no.zip") == (1, missing, "")
    missing = 'pbem: cannot read "no.txt": no such file or directory\nhint: check its name\n'
    stock(bob.home, turns()[:3])
    assert bob.types("do", "-f", "no.txt") == (1, "", missing)


def test_status_fits_the_screen_and_tells_of_a_begun_file(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    assert "begun" not in bob.types("status")[1]
    card = next(line.split()[1] for line in bob.types("legal")[1].splitlines() if line.startswith("  card "))
    assert bob.types("do", f"card {card}")[0] == 0
    out = bob.types("status")[1]
    assert "\nYour move. Your file is begun and not finished. " in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_finished_game_need_not_be_told_from_the_open_one(alice: Player) -> None:
    stock(alice.home, other_turns()[:2])
    old = alice.key()
    assert alice.types("resign", "--yes")[0] == 0
    stock(alice.home, turns()[:3])
    (new,) = (key for key in alice.home.game_keys() if key != old)
    assert f"({new})" in alice.types("status")[1].splitlines()[0]
    assert f"({old})" in alice.types("status", old)[1].splitlines()[0]


def test_a_resignation_is_signed_by_the_loser_alone(alice: Player, bob: Player) -> None:
    stock(bob.home, turns()[:3])
    stock(alice.home, turns()[:3])
    bob.types("resign", "--yes")
    alice.types("apply", "turn03.m44")
    for player, word in ((alice, "won"), (bob, "lost")):
        line = f"The game is over: {word} by resignation, signed by the loser."
        assert line in player.types("status")[1].splitlines()


def test_nobody_telephones_the_own_bot(alice: Player) -> None:
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "bot")
    assert "Fingerprint" not in alice.types("status")[1]
    status, out, err = alice.types("resign", "--yes")
    assert (status, out, err) == (0, f'You have resigned "{alice.key()}".\n', "")
    alice.types("export", "-o", "game.zip")
    assert "You meet" not in alice.types("apply", "game.zip")[1]


def test_who_answers_an_open_invitation_is_called_by_the_side(alice: Player, eve: Player) -> None:
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "anyone")
    eve.types("apply", "pegasus-bridge.m44")
    eve.types("accept")
    out = alice.types("apply", "turn01.m44")[1]
    assert "File 1, the player of the Axis (axis)" in out.splitlines()


def test_the_page_of_a_file_written_again_is_its_own(alice: Player, bob: Player) -> None:
    stock(bob.home, turns()[:3])
    stock(alice.home, turns()[:3])
    bob.types("resign", "--yes")
    alice.types("apply", "turn03.m44")
    lines = alice.types("seal")[1].splitlines()
    assert lines[0] == f'File 2 of "{alice.key()}" is in "turn02.m44": send it to the other player.'
    assert lines[-1].endswith('turn02.html".')


def test_a_comparison_shows_at_once(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    assert f"Fingerprint of alice, to compare: {fingerprint(ALICE.pk)}" in bob.types("status")[1].splitlines()
    assert bob.types("id", "compare", "alice", fingerprint(ALICE.pk))[0] == 0
    assert "Fingerprint" not in bob.types("status")[1]
