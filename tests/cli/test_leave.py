"""`pbem resign` and `pbem claim`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any, cast

import pytest

from pbem import claim as claims
from pbem import files as disk
from pbem.armor import armor, find_armored
from pbem.canon import decode, encode
from pbem.cli import run
from pbem.errors import Fault, Refused
from pbem.identity import Identity, fingerprint, seal_key_file
from tests.cli.post import ALICE, BOB, EVE, Player, other_turns, stock, turns

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


def is_locked(player: Player) -> bool:
    """Whether another command could not work in a home now."""
    try:
        with disk.locked(player.home.path / "lock", patience=0):
            return False
    except Refused:
        return True


def test_nobody_waits_while_a_player_thinks(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither over giving up nor over the passphrase."""
    stock(bob.home, turns()[:3])
    (bob.home.path / "identity.key").unlink()
    bob.home.save_identity(seal_key_file(BOB, "open sesame", "Bob"))
    asked: list[tuple[str, bool]] = []

    def answer(text: str, said: str) -> str:
        asked.append((text.partition("?")[0].strip(": "), is_locked(bob)))
        return said

    monkeypatch.setattr("click.termui.hidden_prompt_func", lambda text: answer(text, "open sesame"))
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda text: answer(text, "y"))
    assert bob.types("resign", "-o", "end.m44")[0] == 0
    assert asked == [("Passphrase", False), (f'Give up "{bob.key()}"', False)]
    assert bob.game().log.ended


def test_a_game_that_goes_on_while_a_player_thinks_is_not_given_up(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(bob.home, turns()[:3])
    bob.decide()

    def meanwhile(text: str) -> str:
        assert run(["--home", str(bob.home.path), "seal", "-o", "turn03.m44"]) == 0
        return "y"

    monkeypatch.setattr("click.termui.visible_prompt_func", meanwhile)
    status, _, err = bob.types("resign")
    assert (status, err.splitlines()[-2:]) == (
        1,
        [
            "pbem: the game has gone on meanwhile",
            f'hint: "pbem status {bob.key()}" says where it is',
        ],
    )
    assert bob.game().log.count == 4
    assert not bob.game().log.ended


def test_an_invitation_is_declined_not_resigned(bob: Player) -> None:
    stock(bob.home, turns()[:1])
    assert f"pbem decline {bob.key()}" in bob.types("resign", "--yes")[2]


def test_an_own_invitation_is_withdrawn_not_resigned(alice: Player) -> None:
    stock(alice.home, turns()[:1])
    hint = f'hint: "pbem decline {alice.key()}" withdraws your invitation\n'
    assert alice.types("resign", "--yes")[2] == f"pbem: the game has not begun\n{hint}"


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
    after = bob.snapshot()
    assert json.loads(after.pop(f"games/{bob.key()}/claimed.json"))["at"] == sent + 3 * DAY
    assert after == before
    out = " ".join(bob.types("status")[1].split())
    assert "You have claimed a forfeit on " in out
    assert "Next: pbem claim" not in out
    found = claims.parse_claim(Path("claim.txt").read_text())
    assert found == claims.Claim(
        bob.game().log.game, bob.game().log.previous, 2, 3, sent, sent + 3 * DAY, BOB.pk
    )
    monkeypatch.setattr("pbem.store.now", lambda: sent + DAY)
    assert alice.types("apply", "turn01.m44")[0] == 0
    status, out, err = alice.types("claim", "--check", "claim.txt")
    assert (status, err) == (0, "")
    due, arrived = claims.moment(sent + 3 * DAY), claims.moment(sent + DAY)
    assert out.splitlines() == [
        "Bob claims a forfeit against Alice, whose file is awaited.",
        f"Pegasus Bridge, game {bob.game().log.game.hex()}.",
        f"{fingerprint(BOB.pk)}  Bob, who claims.",
        f"{fingerprint(ALICE.pk)}  Alice.",
        "Agreed clock: 3 days for a file; files so far: 2, the last by Bob.",
        f"Sealed {claims.moment(sent)}, not answered {due}, both by the clock of Bob.",
        f"Here that file is dated {arrived}: counted from then the clock had not run out.",
        "It does not prove that the last file arrived, nor when it was sent.",
        "Only the signed block counts: the words around it may be anybody's.",
        "The claim fits the files here.",
    ]


@pytest.fixture
def claimed(alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch) -> int:
    """Bob has claimed a forfeit and exported the game; when his last file was sealed."""
    begin(alice, bob)
    sent = bob.game().times[-1]
    monkeypatch.setattr(disk, "now", lambda: sent + 4 * DAY)
    assert bob.types("claim", "-o", "claim.txt")[0] == 0
    assert bob.types("export", "-o", "game.zip")[0] == 0
    return sent


def as_mail(path: str) -> bytes:
    """A mail with a file."""
    message = EmailMessage()
    message["From"], message["Subject"] = "bob@example.org", "no answer"
    message.set_content("I claim the game.")
    message.add_attachment(Path(path).read_bytes(), maintype="text", subtype="plain", filename=path)
    return message.as_bytes()


def test_whoever_decides_checks_a_claim_without_the_game_at_home(
    bob: Player, eve: Player, claimed: int
) -> None:
    status, _, err = eve.types("claim", "--check", "claim.txt")
    assert (status, err) == (
        1,
        'pbem: the game of this claim is not here\nhint: "pbem claim --check FILE PATH" names its files\n',
    )
    expected = {
        "where": "claim.txt",
        "valid": True,
        "game": bob.game().log.game.hex(),
        "battle": "Pegasus Bridge",
        "name": "Bob",
        "fingerprint": fingerprint(BOB.pk),
        "against": "Alice",
        "against_fingerprint": fingerprint(ALICE.pk),
        "files": 2,
        "last": bob.game().log.previous.hex(),
        "days": 3,
        "sent": claimed,
        "made": claimed + 4 * DAY,
        "here": None,
        "code": "",
        "message": "",
    }
    for paths in (("game.zip",), ("offer.m44", "turn01.m44"), (".",)):
        status, out, err = eve.types("claim", "--check", "claim.txt", *paths, "--json")
        assert (status, json.loads(out), err) == (0, expected, "")
    Path("claim.eml").write_bytes(as_mail("claim.txt"))
    status, out, _ = eve.types("claim", "--check", "claim.eml", "game.zip", "--json")
    assert (status, json.loads(out)) == (0, {**expected, "where": "claim.eml: claim.txt"})
    status, out, err = eve.types("verify", "game.zip", "claim.txt", "--json")
    assert (status, json.loads(out)["claims"], err) == (0, [expected], "")
    assert json.loads(out)["games"][0]["clock"] == 3
    status, out, _ = eve.types("verify", "--brief", "game.zip", "claim.txt")
    line = "verified    claim.txt: Bob claims a forfeit against Alice, whose file is awaited"
    assert (status, out.splitlines()[1]) == (0, line)


def test_a_claim_is_found_among_the_games_of_a_home(bob: Player, claimed: int) -> None:
    stock(bob.home, other_turns()[:2])
    assert bob.types("claim", "--check", "claim.txt")[0] == 0
    status, _, err = bob.types("claim", "--check", "claim.txt", "sainte")
    assert (status, err) == (3, "pbem: the files of its game are not here\n")


def changed_claim(changes: dict[str, object], identity: Identity) -> str:
    """The claim of Bob with other content, signed by somebody."""
    value = cast("dict[str, Any]", decode(find_armored(Path("claim.txt").read_text(), "CLAIM")[0]))
    claim = claims.Claim(**{key: {**value, **changes}[key] for key in claims.Claim._fields})
    signed = {**claim._asdict(), "sig": identity.sign(claim.message()), "v": 1}
    return armor(encode(signed), "CLAIM")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"game": b"?" * 32}, "the files of its game are not here"),
        ({"last": b"?" * 32}, "the claim names a file that this game does not have"),
        ({"files": 3}, "the claim names a file that this game does not have"),
        ({"files": 0}, "the claim names a file that this game does not have"),
        ({"files": -1}, "the claim names a file that this game does not have"),
        ({"pk": EVE.pk}, "whoever claims does not play in this game"),
        ({"made": 2**33}, "the claim is dated 2242-03-16 12:56 UTC, which is still to come"),
        ({"days": 1}, "the claim does not keep to the agreed clock"),
        ({"made": 0}, "the claim does not keep to the agreed clock"),
    ],
    ids=["game", "last", "later", "none", "negative", "stranger", "future", "days", "made"],
)
def test_what_is_wrong_with_a_claim_is_said(
    eve: Player, claimed: int, changes: dict[str, object], sentence: str
) -> None:
    Path("claim.txt").write_text(changed_claim(changes, EVE if "pk" in changes else BOB))
    status, _, err = eve.types("claim", "--check", "claim.txt", "game.zip")
    assert (status, err) == (3, f"pbem: {sentence}\n")
    status, out, _ = eve.types("verify", "game.zip", "claim.txt", "--json")
    (found,) = json.loads(out)["claims"]
    assert (status, found["valid"], found["code"], found["message"]) == (3, False, "claim", sentence)


def test_claims_that_prove_nothing(alice: Player, bob: Player, eve: Player, claimed: int) -> None:
    def verified(*paths: str) -> tuple[int, str]:
        status, out, _ = eve.types("verify", *paths, "--json")
        return status, json.loads(out)["claims"][0]["message"]

    assert verified("claim.txt") == (3, "the files of its game are not here")
    assert verified("claim.txt", "turn01.m44") == (3, 'its game is not verified: it is "incomplete"')
    text = Path("claim.txt").read_text()
    Path("cut.txt").write_text(text[: len(text) - 60])
    assert verified("cut.txt", "game.zip") == (
        3,
        "the text block of the claim was changed on its way or is incomplete",
    )
    alice.types("apply", "turn01.m44")
    assert alice.types("resign", "--yes", "-o", "turn02.m44")[0] == 0
    assert verified("claim.txt", "game.zip", "turn02.m44") == (
        3,
        "the file that is claimed to be missing is here",
    )
    status, out, _ = eve.types("verify", "--brief", "claim.txt", "game.zip", "turn02.m44")
    assert (status, out.splitlines()[1]) == (
        3,
        "WRONG       claim.txt: claim: the file that is claimed to be missing is here "
        f"(game {bob.game().log.game.hex()[:16]})",
    )


def test_how_claims_are_not_called(eve: Player, claimed: int) -> None:
    assert eve.types("claim", "--json")[0] == 2
    assert eve.types("claim", "a", "b")[0] == 2
    status, _, err = eve.types("claim", "--check", "claim.txt", "game.zip", "none.zip")
    assert (status, err) == (1, 'pbem: there is no file "none.zip"\nhint: check its name\n')


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
    assert (status, err) == (
        1,
        f"pbem: the last file is dated {claims.moment(sent)}, and the clock of this machine says "
        f"{claims.moment(sent - 10)}: it was ahead then, or is behind now\n"
        f'hint: set it right; if it is right, "pbem claim {bob.key()} --restart" counts from now on\n',
    )


def test_a_clock_that_was_ahead_once_does_not_block_claims(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(alice, bob)
    played = bob.game()
    today = played.times[-1]
    played.times[-1] += 3650 * DAY
    played.date_back(2**40)  # writes the times as they are
    (played.path / "summary.json").unlink(missing_ok=True)
    monkeypatch.setattr(disk, "now", lambda: today + 10 * DAY)
    assert bob.types("claim")[0] == 1
    advice = f'If it is right now, "pbem claim {bob.key()} --restart" counts from now on.'
    assert advice in " ".join(bob.types("status")[1].split())
    status, out, err = bob.types("claim", "--restart")
    assert (status, err) == (0, "")
    assert out == f"The time for the next file counts from now, {claims.moment(today + 10 * DAY)}.\n"
    assert json.loads(bob.types("status", "--json")[1])["deadline"] == today + 13 * DAY
    assert bob.types("claim")[0] == 1
    monkeypatch.setattr(disk, "now", lambda: today + 13 * DAY)
    status, _, err = bob.types("claim", "--restart")
    assert (status, err.splitlines()[0]) == (
        1,
        f"pbem: the last file is dated {claims.moment(today + 10 * DAY)}, which is not ahead of the clock",
    )
    assert bob.types("claim", "-o", "claim.txt")[0] == 0
    assert claims.parse_claim(Path("claim.txt").read_text()).sent == today + 10 * DAY


class PowerCut(BaseException):
    """The machine is switched off."""


def test_a_restart_of_the_clock_that_is_interrupted_can_be_repeated(
    alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each of its steps: either it has happened, or it happens when it is typed again."""
    begin(alice, bob)
    today = bob.game().times[-1]
    monkeypatch.setattr(disk, "now", lambda: today)
    stopped = True
    step = 0
    while stopped:
        step += 1
        played = bob.game()
        played.times[-1] = today + 3650 * DAY
        played.date_back(2**40)
        (played.path / "summary.json").unlink(missing_ok=True)
        assert json.loads(bob.types("status", "--json")[1])["clock_trouble"]
        left = step

        def count(name: str) -> None:
            nonlocal left
            left -= 1
            if not left:
                raise PowerCut

        monkeypatch.setattr(disk, "on_step", count)
        try:
            assert bob.types("claim", "--restart")[0] == 0
            stopped = False
        except PowerCut:
            pass
        monkeypatch.setattr(disk, "on_step", None)
        happened = bob.game().times[-1] == today
        assert bob.types("claim", "--restart")[0] == int(happened)
        row = json.loads(bob.types("status", "--json")[1])
        assert (row["deadline"], row["clock_trouble"]) == (today + 3 * DAY, False)
    assert step > 3


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
