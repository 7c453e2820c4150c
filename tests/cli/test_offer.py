"""`pbem new`, `pbem accept`, `pbem decline`: how a game begins."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.home import Home
from pbem.library import scenario_text
from pbem.log import Log
from pbem.referee import Referee
from pbem.ruleset import Match
from tests.cli.post import ALICE, BOB, Player, stock, turns

OFFER = ("new", "pegasus-bridge", "--side", "axis", "--opponent", "bob")


def match_in(path: str | Path) -> Match:
    """The game that an invitation file offers."""
    _, entry = Log().check(Path(path).read_bytes())
    match = Referee().read(entry).match
    assert match is not None
    return match


def test_an_offer_says_its_terms_and_writes_the_invitation(alice: Player) -> None:
    status, out, err = alice.types(*OFFER)
    assert (status, err) == (0, "")
    assert "You lead the Axis. The other player moves first;" in out
    assert 'The invitation is in "pegasus-bridge.m44": send it to Bob.' in out
    match = match_in("pegasus-bridge.m44")
    assert match.terms.pk == (ALICE.pk, BOB.pk)
    assert match.names == ("Alice", "Bob")
    assert (match.terms.dice, match.terms.retreat, match.terms.mix, match.clock) == (
        "sealed",
        "live",
        True,
        None,
    )
    assert alice.game().raw == [Path("pegasus-bridge.m44").read_bytes()]


def test_all_terms_can_be_chosen(alice: Player) -> None:
    chosen = ("--retreat", "strict", "--clock", "5", "--no-mix", "--option", "edition=2004")
    status, out, _ = alice.types(*OFFER, *chosen, "--message", "good luck", "-o", "offer.m44")
    assert status == 0
    assert "Clock: 5 days for every file." in out
    assert "The rules are those of the 2004 edition." in out
    assert "Hands are not mixed" in out
    match = match_in("offer.m44")
    assert (match.terms.retreat, match.clock, match.terms.mix) == ("strict", 5, False)
    assert match.setup.options.edition == "2004"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--dice", "instant"), "A modified program could look at the dice before it decides"),
        (("--retreat", "sheet"), "Nothing leaks, and nobody can change their mind."),
        ((), "A modified program could know the remaining dice of that turn before it chooses."),
    ],
)
def test_what_the_terms_do_not_protect_is_said(alice: Player, words: tuple[str, ...], sentence: str) -> None:
    out = alice.types(*OFFER, *words)[1]
    assert sentence in " ".join(out.split())


@pytest.mark.parametrize(
    ("words", "status", "complaint"),
    [
        (("new", "nowhere", "--side", "axis", "--opponent", "bob"), 1, "there is no battle of this name"),
        (("new", "pegasus-bridge", "--side", "axis", "--opponent", "carol"), 1, 'no contact "carol"'),
        (("new", "pegasus-bridge", "--opponent", "bob"), 2, "--side"),
        ((*OFFER, "--dice", "instant", "--retreat", "live"), 2, "leave --retreat out"),
        ((*OFFER, "--clock", "0"), 2, "0 is not in the range"),
        ((*OFFER, "--option", "edition"), 2, "NAME=VALUE"),
        ((*OFFER, "--option", "edition=1066"), 1, "option edition"),
        ((*OFFER, "--option", "timing=table"), 2, "fixed"),
        ((*OFFER, "--message", "x" * 2001), 1, "2000 are the most"),
    ],
)
def test_offers_that_cannot_be_made(
    alice: Player, words: tuple[str, ...], status: int, complaint: str
) -> None:
    before = alice.snapshot()
    found, _, err = alice.types(*words)
    assert (found, complaint in err) == (status, True), err
    assert alice.snapshot() == before
    assert list(Path().iterdir()) == []


def test_a_second_offer_of_the_same_battle_leaves_the_first_file_alone(alice: Player) -> None:
    alice.types(*OFFER)
    first = Path("pegasus-bridge.m44").read_bytes()
    alice.types(*OFFER)
    assert Path("pegasus-bridge.m44").read_bytes() == first
    assert len(list(Path().iterdir())) == len(alice.home.game_keys()) == 2


def test_an_offer_that_cannot_be_written_is_kept_and_can_be_had_again(alice: Player) -> None:
    status, _, err = alice.types(*OFFER, "-o", "nowhere/offer.m44")
    assert status == 1
    assert err.splitlines()[1].startswith("hint: it is signed and kept;")
    assert alice.types("seal", "-o", "again.m44")[0] == 0
    assert Path("again.m44").read_bytes() == alice.game().raw[0]


def test_accepting_answers_once(alice: Player, bob: Player) -> None:
    alice.types(*OFFER)
    bob.types("apply", "pegasus-bridge.m44")
    status, out, err = bob.types("accept", "--message", "with pleasure")
    assert (status, err) == (0, "")
    assert "Dice: sealed." in out
    assert 'The answer is in "turn01.m44": send it back.' in out
    answer = Path("turn01.m44").read_bytes()
    status, _, err = bob.types("accept")
    assert status == 1
    assert err.startswith(f'pbem: the invitation "{bob.key()}" has been answered\n')
    Path("turn01.m44").unlink()
    assert bob.types("seal")[0] == 0
    assert Path("turn01.m44").read_bytes() == answer
    status, out, _ = alice.types("apply", "turn01.m44")
    assert status == 0
    assert "with pleasure" in out


def in_terminal(monkeypatch: pytest.MonkeyPatch, answer: str) -> list[str]:
    """Let the command be at a terminal whose user answers so; the questions that are asked."""
    asked: list[str] = []

    def confirm(text: str, **_: object) -> bool:
        asked.append(text)
        return answer == "y"

    monkeypatch.setattr("pbem.cli.offer.is_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", confirm)
    return asked


def test_whoever_sits_at_a_terminal_reads_the_terms_and_may_say_no(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terms come before the question, and the question before the signature."""
    stock(bob.home, turns()[:1])
    asked = in_terminal(monkeypatch, "n")
    before = bob.snapshot()
    status, out, err = bob.types("accept")
    assert (status, err) == (1, "")
    assert "Dice: sealed." in out
    assert out.endswith(
        f'Nothing was signed. "pbem accept {bob.key()}" asks again, "pbem decline {bob.key()}" declines.\n'
    )
    assert asked == ["Accept these terms"]
    assert bob.snapshot() == before
    assert list(Path().iterdir()) == []


def test_a_terminal_that_says_yes_and_one_that_is_told_not_to_ask(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    stock(bob.home, turns()[:1])
    asked = in_terminal(monkeypatch, "y")
    assert bob.types("accept")[0] == 0
    assert asked == ["Accept these terms"]
    assert Path("turn01.m44").read_bytes() == bob.game().raw[1]


def test_with_yes_nobody_is_asked(bob: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    stock(bob.home, turns()[:1])
    asked = in_terminal(monkeypatch, "n")
    assert bob.types("accept", "--yes")[0] == 0
    assert asked == []
    assert bob.game().log.count == 2


def test_an_answer_that_came_while_somebody_was_thinking(
    bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The home is not locked while the question stands; what counts is looked at again after it."""
    stock(bob.home, turns()[:1])
    monkeypatch.setattr("pbem.cli.offer.is_terminal", lambda: True)

    def confirm(text: str, **_: object) -> bool:
        with Home(bob.home.path).lock():
            stock(bob.home, turns()[:2])
        return True

    monkeypatch.setattr("click.confirm", confirm)
    status, _, err = bob.types("accept")
    assert (status, err.splitlines()[0]) == (1, f'pbem: the invitation "{bob.key()}" has been answered')
    assert bob.game().raw == list(turns()[:2])


def test_a_file_for_a_bot_is_refused(alice: Player) -> None:
    """No file has to be sent to it, so none is written."""
    status, _, err = alice.types(
        "new", "pegasus-bridge", "--side", "axis", "--opponent", "bot", "-o", "offer.m44"
    )
    assert (status, err.splitlines()[0]) == (2, "pbem: the bot needs no file: leave -o out")
    assert alice.home.game_keys() == []


def test_the_own_invitation_cannot_be_accepted(alice: Player) -> None:
    stock(alice.home, turns()[:1])
    status, _, err = alice.types("accept")
    assert (status, err.splitlines()[0]) == (1, "pbem: this is your own invitation")


def test_declining_signs_nothing_and_can_be_taken_back(bob: Player) -> None:
    stock(bob.home, turns()[:1])
    status, out, _ = bob.types("decline")
    assert status == 0
    assert "tell the other player" in out
    assert list(Path().iterdir()) == []
    assert "you have declined" in bob.types("games")[1]
    assert bob.types("accept")[0] == 0
    assert "declined" not in bob.types("status")[1]


def test_an_open_invitation_may_be_answered_by_anybody(alice: Player, eve: Player) -> None:
    alice.types("new", "pegasus-bridge", "--side", "allies", "--opponent", "anyone")
    eve.types("apply", "pegasus-bridge.m44")
    assert eve.types("accept")[0] == 0
    status, out, _ = alice.types("apply", "turn01.m44")
    assert status == 0
    assert 'You meet "player-' in out
    assert "Fingerprint: " in out


def test_an_invitation_can_be_withdrawn_and_stand_again(alice: Player) -> None:
    """A mark and no file: whoever answers all the same is refused until the offer stands again."""
    stock(alice.home, turns()[:1])
    Path("answer.m44").write_bytes(turns()[1])
    status, out, err = alice.types("decline")
    assert (status, err) == (0, "")
    assert out.startswith(f'"{alice.key()}" is withdrawn. No file is made of this: tell the other player.\n')
    assert alice.types("games")[1].endswith("against bob: you have withdrawn the invitation\n")
    lines = alice.types("status")[1].splitlines()
    assert "You have withdrawn this invitation. An answer that comes is refused." in lines
    before = alice.snapshot()
    status, _, err = alice.types("apply", "answer.m44")
    assert (status, err.splitlines()) == (
        1,
        [
            "pbem: answer.m44: this answer comes too late: you have withdrawn the invitation",
            f'hint: to play all the same: "pbem accept {alice.key()}", then apply the file again',
        ],
    )
    assert alice.snapshot() == before
    status, out, _ = alice.types("accept")
    again = f'Your invitation "{alice.key()}" stands again. When the answer comes: pbem apply FILE\n'
    assert (status, out) == (0, again)
    assert alice.game().log.count == 1
    assert alice.types("apply", "answer.m44")[0] == 0
    assert alice.game().log.count == 2
    assert alice.types("decline")[0] == 1


def test_the_terms_have_the_special_rules_and_say_where_to_read_more(alice: Player) -> None:
    options = ("--side", "axis", "--opponent", "bob", "--retreat", "sheet", "-o", "offer.m44")
    out = " ".join(alice.types("new", "pegasus-bridge", *options)[1].split())
    assert "Special rule of this battle: The Axis are surprised: they begin with 2 command cards," in out
    assert "The board, the forces and the story: pbem scenario show pegasus-bridge" in out
    assert "Your retreats, once the game has begun: pbem orders" in out


def test_a_battle_of_the_same_name_is_not_looked_up_in_the_library(alice: Player) -> None:
    Path("mine.yaml").write_text(scenario_text("pegasus-bridge").replace("medals: 4", "medals: 1"))
    out = " ".join(alice.types("new", "mine.yaml", "--side", "axis", "--opponent", "bob")[1].split())
    assert "the Allies need 1 medal and the Axis need 1 medal." in out
    assert "pbem scenario show" not in out
    assert "pbem orders" not in out
