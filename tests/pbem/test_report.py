"""The turn report: what it says, to whom, and what it never says."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path

import pytest

from engine import NOBODY
from engine.cards import CARDS
from pbem.draft import Desk, Draft
from pbem.draw.look import PALETTE
from pbem.errors import Refused
from pbem.identity import Identity, fingerprint
from pbem.pages import COLOURS, TEXT_PAIRS, plain
from pbem.report import make_report, render_report, report_json, report_name, report_text, write_report
from pbem.report.page import marks_of
from pbem.story import card_name, merged
from tests.cli.post import make_home, stock
from tests.mailgame import ALICE, BOB
from tests.pages import addresses, read_page
from tests.readings import EVIL, Reading, game_files, readings, strange_files

LARGEST = 250_000


@cache
def game(name: str = "sealed") -> tuple[bytes, ...]:
    """The files of one of the games that these tests read."""
    if name == "instant":
        return game_files(seed=5, dice="instant", most=12)
    return game_files("montelimar", seed=1, most=8) if name == "large" else game_files()


def page(reading: Reading, number: int, seat: int | None) -> str:
    """The page of a file for a seat, or for anybody."""
    desk = None if seat is None else reading.desk(seat)
    return render_report(make_report(reading.log, reading.referee, number, desk=desk, key="battle"))


@pytest.mark.parametrize("name", ["sealed", "instant", "large"])
def test_every_page_is_whole_and_small_and_needs_nothing_else(name: str) -> None:
    for number, reading in enumerate(readings(game(name))):
        for seat in (0, 1, None)[number % 3 :][:1]:
            html = page(reading, number, seat)
            found = read_page(html)
            assert len(html.encode()) < LARGEST
            assert addresses(html) == set()
            assert not {"script", "img", "iframe", "object", "form", "link"} & set(found.tags)
            assert not [name for _, name, _ in found.attributes if name.startswith("on")]
            assert found.tags["h1"] == 1
            assert found.tags["svg"] >= 1


# What is in it


def bloody(files: tuple[bytes, ...]) -> tuple[Reading, int]:
    """The first file whose attack waits for dice, and the seat that answers it."""
    for reading in readings(files):
        if reading.referee.order is not None and reading.referee.now.roll is not None:
            return reading, 0 if reading.desk(0).is_next() else 1
    raise AssertionError("no attack in this game: choose another seed")


def test_the_answering_player_sees_the_dice_before_anybody_else() -> None:
    """They fall by the own seed: whoever answers sees them, the attacker and others only that they wait."""
    reading, seat = bloody(game())
    number = reading.log.count - 1
    draft = Draft(reading.desk(seat))
    fallen = draft.referee.steps[len(reading.referee.steps) :]
    roll = next(event for step in fallen for event in step.events if event[0] == "rolled")
    own = make_report(reading.log, reading.referee, number, desk=reading.desk(seat))
    seen = [event for part in own.parts for step in part.steps for event in step.events]
    assert roll in seen
    assert "The dice that fall by your answer are known to you alone until you seal it." in own.trust.pending
    name = ("Alice", "Bob")[seat]
    for desk in (reading.desk(1 - seat), None):
        other = make_report(reading.log, reading.referee, number, desk=desk)
        steps = [step for part in other.parts for step in part.steps]
        assert all(step.file <= number for step in steps)
        assert f"The dice of the attacks that were ordered fall when {name} answers." in other.trust.pending
        assert any(passage.kind in ("plan", "attack") for passage in other.parts[-1].passages)


def test_a_plan_is_told_only_while_its_dice_wait() -> None:
    reading, seat = bloody(game())
    number = reading.log.count - 1
    kinds = {
        who: [p.kind for part in made.parts for p in part.passages]
        for who in (seat, 1 - seat)
        for made in [make_report(reading.log, reading.referee, number, desk=reading.desk(who))]
    }
    assert "plan" in kinds[1 - seat]
    assert "plan" not in kinds[seat]


def test_an_earlier_file_is_told_with_the_end_of_its_turn() -> None:
    """The dice came with the answer; the report of the earlier file shows them, and that the game went on."""
    files = game()
    reading, _ = bloody(files)
    number = reading.log.count - 1
    later = readings(files)[-1]
    made = make_report(later.log, later.referee, number)
    assert made.parts[-1].turn == reading.referee.now.turn
    assert any(event["event"] == "rolled" for event in made.events)
    assert {step.file for part in made.parts for step in part.steps} == {number, number + 1}
    assert made.asked.text == "This is the report of an earlier file; the game has gone on since."
    assert made.trust.pending == ()


def test_boards_parts_and_words_belong_together() -> None:
    """Every part has its board, its arrows are those of its events, and the last board is the present one."""
    reading, seat = bloody(game())
    made = make_report(reading.log, reading.referee, reading.log.count - 1, desk=reading.desk(seat), key="x")
    html = render_report(made)
    found = read_page(html)
    boards = [value for tag, name, value in found.attributes if (tag, name) == ("svg", "viewbox")]
    assert len(boards) == sum(not part.is_still or any(marks_of(part.steps)) for part in made.parts) + 1
    assert html.count('class="attacks"') == sum(
        any(event[0] == "attack" for step in part.steps for event in step.events)
        or (part.before.fight is not None and part.before.fight.attacker != NOBODY)
        for part in made.parts
    )
    for part in made.parts:
        for passage in part.passages:
            for line in merged(passage.lines):
                if line.kind != "turn":
                    assert plain(line.text) in found.text
    dice = sum(len(line.faces) for part in made.parts for p in part.passages for line in p.lines)
    assert dice > 0
    assert html.count('<svg class="die') == dice


def test_the_end_of_a_game_says_who_won() -> None:
    files = game()
    last = readings(files)[-1]
    state = last.referee.now
    winner = ("Allies", "Axis")[state.winner]
    decided = make_report(last.log, last.referee, len(files) - 2)
    assert decided.headline == f"Pegasus Bridge: the {winner} have won"
    signed = make_report(last.log, last.referee, len(files) - 1, desk=last.desk(0))
    assert signed.asked.text == "The game is over; nothing more is asked."
    (line,) = [
        line for part in signed.parts for p in part.passages for line in p.lines if line.kind == "signed"
    ]
    assert line.text.endswith(" has signed the result.")
    (part,) = signed.parts
    assert not any(marks_of(part.steps, part.before))  # the last attack was another file's
    open_end = readings(files)[-2]
    waiting = make_report(open_end.log, open_end.referee, len(files) - 2)
    assert waiting.trust.pending[0].endswith(" has not signed the result yet.")


def test_an_invitation_shows_its_terms() -> None:
    reading = readings(game())[0]
    made = make_report(reading.log, reading.referee, 0, desk=reading.desk(1), key="bridge")
    assert made.headline == "Pegasus Bridge: an invitation"
    assert made.asked.command == "pbem accept bridge"
    assert made.terms[0].startswith("Pegasus Bridge")
    assert "You lead the Axis." in made.terms[0]
    anybody = make_report(reading.log, reading.referee, 0)
    assert anybody.terms == (
        "Alice plays the Allies and Bob plays the Axis; the Allies move first.",
        "Sealed dice: they fall when the other player answers.",
        "Retreats are decided when the dice are seen.",
        "No clock.",
    )
    assert anybody.parts == ()


def test_there_is_no_report_of_a_file_that_is_not_there() -> None:
    reading = readings(game())[3]
    with pytest.raises(Refused, match="the game has no file 4; the last is 3"):
        make_report(reading.log, reading.referee, 4)
    with pytest.raises(Refused, match="no file -1"):
        make_report(reading.log, reading.referee, -1)


# What can be relied on


@pytest.mark.parametrize(
    ("dice", "retreat", "word"),
    [
        ("sealed", "live", "Live retreats"),
        ("sealed", "sheet", None),
        ("sealed", "strict", None),
        ("instant", "stand", "Instant dice"),
    ],
)
def test_what_rests_on_trust_depends_on_the_terms(dice: str, retreat: str, word: str | None) -> None:
    files = game_files(seed=2, dice=dice, retreat=retreat, most=3)
    reading = readings(files)[-1]
    trusted = make_report(reading.log, reading.referee, 2).trust.trusted
    assert trusted[-1] == "That a key belongs to a person: compare the fingerprints aloud once."
    assert [line.partition(":")[0] for line in trusted[:-1]] == ([word] if word else [])


def test_what_is_proved_names_what_the_file_did() -> None:
    files = game()
    reading = readings(files)[-1]
    for number, entry in enumerate(reading.log.entries):
        made = make_report(reading.log, reading.referee, number)
        text = " ".join(made.trust.proved)
        names = [action.name for action in entry.actions]
        rolls = sum(step.by == "dice" for step in reading.referee.steps if step.file == number)
        assert f"signed with the key of {('Alice', 'Bob')[entry.seat]}" in text
        assert ("shown as dealt" in text) == ("show" in names)
        assert ("shuffled without a card being added" in text) == bool({"shuffle", "reshuffle"} & set(names))
        assert ("had been sealed before the dice" in text) == ("open" in names)
        assert (f"{rolls} roll" in text) == bool(rolls)
        assert [row[2] for row in made.trust.players] == [fingerprint(ALICE.pk), fingerprint(BOB.pk)]


# What is never in it


def spellings(secret: bytes) -> list[str]:
    """The ways in which a secret could be written."""
    return [
        secret.hex(),
        secret.hex().upper(),
        base64.b64encode(secret).decode().rstrip("="),
        base64.urlsafe_b64encode(secret).decode().rstrip("="),
        str(int.from_bytes(secret, "big")),
        str(int.from_bytes(secret, "little")),
        str(list(secret)),
        repr(secret)[2:-1],
    ]


def secrets_of(desk: Desk) -> list[bytes]:
    """Every secret of a player: master key, game secret, seeds not yet opened."""
    secret = desk.secret
    opened = desk.log.opened[desk.side]
    identity: Identity = desk.identity
    keys = [identity.master, identity.box_secret, secret.sigma, secret.key.to_bytes(32, "big")]
    return [*keys, *(secret.seed(opened + ahead) for ahead in (1, 2, 3))]


@pytest.mark.parametrize("dice", ["sealed", "instant"])
def test_no_secret_of_either_side_is_in_any_report(dice: str) -> None:
    for number, reading in enumerate(readings(game(dice))):
        if number < 2 or number % 4:
            continue
        for seat in (0, 1, None):
            desk = None if seat is None else reading.desk(seat)
            made = make_report(
                reading.log, reading.referee, number, desk=desk, key="k", hand=desk is not None
            )
            forms = render_report(made) + report_text(made) + json.dumps(report_json(made))
            for owner in (0, 1):
                for secret in secrets_of(reading.desk(owner)):
                    assert len(secret) == 32
                    assert not [text for text in spellings(secret) if text in forms]


def test_no_hidden_card_of_the_other_side_is_in_a_report() -> None:
    """Cards in a hand are nowhere in the other side's report, unless the story has just shown such a card."""
    checked = 0
    for number, reading in enumerate(readings(game())):
        if number < 2:
            continue
        for reader in (0, 1):
            made = make_report(reading.log, reading.referee, number, desk=reading.desk(reader), hand=False)
            events = [event for part in made.parts for step in part.steps for event in step.events]
            public = {word for event in events for word in event if isinstance(word, str)}
            forms = render_report(made) + report_text(made) + json.dumps(report_json(made))
            forms = forms.replace("Answers sealed ahead, such as an Ambush, stay closed", "")
            for owner in (0, 1):  # without --hand not even the own cards
                for card in reading.desk(owner).hand():
                    if card.key in CARDS and card.key not in public:
                        checked += 1
                        assert card_name(card.key) not in forms
                        assert card.key not in forms
    assert checked > 100


def test_the_own_hand_is_shown_on_demand_and_to_its_owner_only() -> None:
    reading = readings(game())[-2]
    number = reading.log.count - 1
    made = make_report(reading.log, reading.referee, number, desk=reading.desk(0), hand=True)
    keys = [card.key for card in reading.desk(0).hand()]
    assert made.hand == tuple(
        "a card that cannot be read yet" if key == "?" else card_name(key) for key in keys
    )
    assert "Only for you: do not pass this page on." in render_report(made)
    assert "Your hand: " in report_text(made)
    assert make_report(reading.log, reading.referee, number, hand=True).hand is None
    assert make_report(reading.log, reading.referee, number - 1, desk=reading.desk(0), hand=True).hand is None


# Strange people


def test_wicked_names_and_words_are_shown_as_words() -> None:
    for number, reading in enumerate(readings(strange_files())):
        for seat in (0, 1, None):
            html = page(reading, number, seat)
            found = read_page(html)
            assert "script" not in found.tags
            assert "img" not in found.tags
            assert found.tags["title"] == html.count("<title")
            assert EVIL in found.text
            assert "<b>Bridge</b>" in found.text
            assert "\u202e" not in html
            assert "\x07" not in html
            assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert "<img src=x onerror=alert(2)> & \ufffdgood luck\ufffd second line" in found.text


def test_a_resignation_is_told() -> None:
    reading = readings(strange_files())[-1]
    made = make_report(reading.log, reading.referee, 2, desk=reading.desk(1))
    lines = [line.text for part in made.parts for passage in part.passages for line in passage.lines]
    assert lines == [f"{EVIL} resigns: you have won."]
    assert made.headline == "<b>Bridge</b>: the Axis have won"
    assert render_report(made).count('viewBox="0 0') == 1  # nothing happened on the board: one is enough


# Other forms


def test_the_text_says_the_same_as_the_page() -> None:
    reading, seat = bloody(game())
    made = make_report(
        reading.log, reading.referee, reading.log.count - 1, desk=reading.desk(seat), key="battle"
    )
    text = report_text(made)
    lines = text.splitlines()
    assert lines[0] == made.headline
    assert lines[1].startswith(f"File {made.number} from {made.author}. Medals: Allies ")
    assert f"Type: {made.asked.command}" in lines
    for part in made.parts:
        assert part.title in lines
    for line in (*made.trust.proved, *made.trust.pending, *made.trust.trusted):
        assert line in text
    assert all(ord(c) >= 32 or c == "\n" for c in text)
    assert max(len(line) for line in lines) < 250


def test_the_json_has_its_documented_keys() -> None:
    reading, seat = bloody(game())
    value = report_json(
        make_report(reading.log, reading.referee, reading.log.count - 1, desk=reading.desk(seat))
    )
    assert json.loads(json.dumps(value)) == value
    assert list(value) == [
        "game", "file", "author", "battle", "headline", "chair", "turn", "medals", "asked", "notes", "terms",
        "story", "events", "hand", "security",
    ]  # fmt: skip
    guide = (Path(__file__).parents[2] / "docs" / "reports.md").read_text(encoding="utf-8")
    for key in (*value, *value["security"], *value["asked"], *value["medals"][0], *value["story"][0]):
        assert f"`{key}`" in guide
    assert [row["side"] for row in value["medals"]] == ["allies", "axis"]
    assert [row["side"] for row in value["security"]["players"]] == ["allies", "axis"]


def test_reports_are_written_beside_the_game(tmp_path: Path) -> None:
    kept = stock(make_home(tmp_path / "home", ALICE), game()[:4])
    desk = Desk(kept.log, kept.referee, ALICE, 0)
    path = write_report(kept, 3, tmp_path / "pages", desk=desk)
    assert path == tmp_path / "pages" / "turn03.html"
    assert path.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert write_report(kept, 3, tmp_path / "pages").name == "turn03-spectator.html"
    assert report_name(12) == "turn12.html"


# Colours


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The ratio of two colours by WCAG 2."""
    light, dark = sorted((luminance(first) + 0.05, luminance(second) + 0.05), reverse=True)
    return light / dark


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_arrows_can_be_told_from_the_paper(theme: int) -> None:
    """WCAG asks for 3 to 1 for lines that mean something; their dashes differ too."""
    for name in ("move", "attack", "retreat", "glow"):
        assert contrast(PALETTE[name][theme], COLOURS["sheet"][theme]) >= 3
        assert contrast(PALETTE[name][theme], PALETTE["country"][theme]) >= 3


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), TEXT_PAIRS, ids="-".join)
def test_text_has_enough_contrast(front: str, back: str, theme: int) -> None:
    """WCAG AA asks for 4.5 to 1."""
    assert contrast(COLOURS[front][theme], COLOURS[back][theme]) >= 4.5


def test_a_recons_choice_is_told_where_it_was_made() -> None:
    """C10, adaptation 2: it comes before the card of the turn; what is drawn comes last."""
    orders = []
    for reading in readings(game_files(seed=2)):
        made = make_report(reading.log, reading.referee, reading.log.count - 1)
        for part in made.parts:
            kinds = [passage.kind for passage in part.passages]
            first = part.passages[0]
            if first.kind == "hand" and " discard " in first.lines[0].text:
                orders.append(kinds[:2])
            assert "hand" not in kinds[1:-1]
    assert orders
    assert all(kinds == ["hand", "card"] for kinds in orders)
