"""`pbem resign` and `pbem claim`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pbem import claim as claims
from pbem import files as disk
from pbem.armor import armor, find_armored
from pbem.canon import decode, encode
from pbem.errors import Fault
from tests.cli.post import BOB, EVE, Player, stock, turns

DAY = 86_400


def begin(alice: Player, bob: Player, clock: str | None = "3") -> None:
    """A game that Bob has just answered, with a clock."""
    words = ("--clock", clock) if clock else ()
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "bob", *words, "-o", "offer.m44")
    bob.types("apply", "offer.m44")
    assert bob.types("accept")[0] == 0


def test_resigning_ends_the_game_for_both(alice: Player, bob: Player) -> None:
    stock(bob.home, turns()[:3])
    stock(alice.home, turns()[:3])
    status, out, err = bob.types("resign", "--yes", "--message", "well played")
    assert (status, err) == (0, "")
    assert out.startswith(f'You have resigned "{bob.key()}".\n')
    status, out, err = alice.types("apply", "turn03.m44")
    assert (status, err) == (0, "")
    assert "well played" in out
    assert "won by resignation" in out
    assert "lost by resignation" in bob.types("games")[1]
    assert alice.game().referee.resigned == 1
    status, _, err = bob.types("resign", "--yes")
    assert (status, err.splitlines()[0]) == (1, "pbem: the game is over already")


def test_resigning_out_of_turn_is_refused(alice: Player) -> None:
    stock(alice.home, turns()[:3])
    before = alice.snapshot()
    status, _, err = alice.types("resign", "--yes")
    assert status == 1
    assert err.startswith("pbem: you can resign with your next file")
    assert alice.snapshot() == before


def test_resigning_asks_first(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    stock(bob.home, turns()[:3])
    before = bob.snapshot()
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda text: "n")
    status, _, err = bob.types("resign")
    assert (status, err.splitlines()[-1]) == (1, 'stopped; "pbem status" shows what was kept')
    assert bob.snapshot() == before


def test_an_invitation_is_declined_not_resigned(bob: Player) -> None:
    stock(bob.home, turns()[:1])
    assert f"pbem decline {bob.key()}" in bob.types("resign", "--yes")[2]


# Claims


def test_a_claim_is_made_when_the_clock_has_run_out(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(alice, bob)
    sent = bob.game().times[-1]
    monkeypatch.setattr(disk, "now", lambda: sent + 3 * DAY - 1)
    due = datetime.fromtimestamp(sent + 3 * DAY, UTC).strftime("%Y-%m-%d %H:%M UTC")
    status, _, err = bob.types("claim")
    assert (status, err) == (
        1,
        f"pbem: the clock has not run out: it does on {due}\nhint: wait until then\n",
    )
    monkeypatch.setattr(disk, "now", lambda: sent + 3 * DAY)
    before = bob.snapshot()
    status, out, err = bob.types("claim", "-o", "claim.txt")
    assert (status, err) == (0, "")
    assert "It does not prove that your last file arrived" in " ".join(out.split())
    assert bob.snapshot() == before
    found = claims.parse_claim(Path("claim.txt").read_text())
    assert found == claims.Claim(
        bob.game().log.game, bob.game().log.previous, 2, 3, sent, sent + 3 * DAY, BOB.pk
    )
    assert alice.types("apply", "turn01.m44")[0] == 0
    status, out, err = alice.types("claim", "--check", "claim.txt")
    assert (status, err) == (0, "")
    assert "The claim fits the files here." in out


def test_a_claim_is_void_once_the_answer_is_there(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(alice, bob)
    sent = bob.game().times[-1]
    monkeypatch.setattr(disk, "now", lambda: sent + 4 * DAY)
    bob.types("claim", "-o", "claim.txt")
    alice.types("apply", "turn01.m44")
    alice.decide()
    alice.types("seal")
    bob.types("apply", "turn02.m44")
    status, _, err = bob.types("claim", "--check", "claim.txt")
    assert (status, err.splitlines()[0]) == (3, "pbem: the file that is claimed to be missing is here")


def test_what_cannot_be_claimed(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(alice, bob)
    sent = bob.game().times[-1]
    alice.types("apply", "turn01.m44")
    monkeypatch.setattr(disk, "now", lambda: sent + 100 * DAY)
    assert alice.types("claim")[2].startswith("pbem: it is your move")
    monkeypatch.setattr(disk, "now", lambda: sent - 10)
    status, _, err = bob.types("claim")
    assert (status, err.splitlines()[1]) == (1, "hint: set the clock right")


def test_without_a_clock_nothing_can_be_claimed(alice: Player, bob: Player) -> None:
    begin(alice, bob, None)
    assert bob.types("claim")[:2] == (1, "")
    assert "no clock was agreed on" in bob.types("claim")[2]


def test_a_changed_claim_is_refused(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(alice, bob)
    sent = bob.game().times[-1]
    monkeypatch.setattr(disk, "now", lambda: sent + 4 * DAY)
    bob.types("claim", "-o", "claim.txt")
    value = decode(find_armored(Path("claim.txt").read_text(), "CLAIM")[0])
    assert isinstance(value, dict)
    for key, other in (("sent", sent - DAY), ("pk", EVE.pk), ("files", 3)):
        with pytest.raises(Fault) as caught:
            claims.parse_claim(armor(encode({**value, key: other}), "CLAIM"))
        assert caught.value.code == "E_SIG"
    with pytest.raises(Fault) as caught:
        claims.parse_claim(armor(encode({**value, "v": 2}), "CLAIM"))
    assert caught.value.code == "claim"
    Path("none.txt").write_text("no claim")
    assert bob.types("claim", "--check", "none.txt")[0] == 3
    assert bob.types("claim", "--check", "missing.txt")[0] == 1
