"""`pbem apply`: what it says and keeps when all is well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.draft import Draft
from pbem.identity import fingerprint
from pbem.story import steps_of_draft
from tests.cli.post import ALICE, Player, other_turns, stock, turns, waiting, write_files
from tests.readings import game_files, readings


def test_an_invitation_shows_its_terms_and_introduces_its_author(tmp_path: Path, bob: Player) -> None:
    (bob.home.path / "contacts" / "alice.card").unlink()
    (path,) = write_files(tmp_path, turns()[:1])
    status, out, err = bob.types("apply", path)
    assert (status, err) == (0, "")
    assert "Pegasus Bridge, 1944-06-06. You lead the Axis. The other player moves first;" in out
    assert "Dice: sealed." in out
    assert "Retreats: live." in out
    assert "A modified program" in out
    assert f'You meet "alice" for the first time. Fingerprint: {fingerprint(ALICE.pk)}' in out
    assert f"Next: pbem accept {bob.key()}" in out
    assert bob.home.contact("alice").pk == ALICE.pk
    assert bob.game().raw == list(turns()[:1])


def test_a_known_person_is_not_introduced_again(tmp_path: Path, bob: Player) -> None:
    assert "for the first time" not in bob.types("apply", *write_files(tmp_path, turns()[:1]))[1]


def test_a_turn_says_what_happened_and_what_comes_next(tmp_path: Path, bob: Player) -> None:
    stock(bob.home, turns()[:2])
    path = write_files(tmp_path, turns()[:3])[2]
    status, out, err = bob.types("apply", path)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"{path}: file 2 of {bob.key()}, checked completely and kept."
    assert "File 2, Alice (allies)" in lines
    assert any(line.startswith("  Turn 1") for line in lines)
    assert any(line.startswith("Your move. ") for line in lines)
    assert lines[-1] == f"Next: pbem play {bob.key()}"


def test_dice_that_were_waiting_fall_on_the_answering_side(tmp_path: Path, bob: Player) -> None:
    """The file alone rolls nothing; with our own seed the ordered attacks are rolled and shown."""
    stock(bob.home, waiting()[:-1])
    path = tmp_path / "next.m44"
    path.write_bytes(waiting()[-1])
    out = bob.types("apply", path)[1]
    assert bob.game().referee.now.roll is not None
    ordered, _, fallen = out.partition("With your answer the dice that were waiting have fallen:")
    assert "The dice show" not in ordered
    assert "The dice show" in fallen


def test_files_out_of_order_and_of_two_games_are_all_taken_in(tmp_path: Path, bob: Player) -> None:
    paths = write_files(tmp_path / "one", turns()[:5])
    others = write_files(tmp_path / "two", other_turns())
    status, _, err = bob.types("apply", *reversed(paths), *reversed(others))
    assert (status, err) == (0, "")
    assert sorted(key.rpartition("-")[0] for key in bob.home.game_keys()) == [
        "pegasus-bridge",
        "sainte-mere-eglise",
    ]


def test_a_file_again_is_no_error_and_changes_nothing(tmp_path: Path, bob: Player) -> None:
    """The machine may have stopped after the last was kept and before it was told: that can be had again."""
    paths = write_files(tmp_path, turns()[:3])
    assert bob.types("apply", *paths)[0] == 0
    before = bob.snapshot()
    status, out, err = bob.types("apply", paths[2], paths[1])
    assert (status, err) == (0, "")
    assert out.splitlines() == [
        f"{paths[1]}: already have it (file 1 of {bob.key()}).",
        f"{paths[2]}: already have it (file 2 of {bob.key()}).",
        f'It waits for you. "pbem log {bob.key()} --last" tells it again.',
    ]
    assert bob.snapshot() == before
    assert bob.types("log", bob.key(), "--last")[0] == 0


def test_messages_are_shown_without_control_characters(bob: Player, alice: Player) -> None:
    text = "hello\x1b[31m Bob"
    alice.types("new", "pegasus-bridge", "--side", "axis", "--opponent", "bob", "--message", text)
    out = bob.types("apply", "pegasus-bridge.m44")[1]
    assert "  Alice says:\n    hello [31m Bob\n" in out


def test_apply_as_json(tmp_path: Path, bob: Player) -> None:
    paths = write_files(tmp_path, turns()[:2])
    status, out, _ = bob.types("apply", "--json", *paths, tmp_path / "none.m44")
    found = json.loads(out)
    assert status == 1
    assert [(row["outcome"], row["number"], row["game"]) for row in found["files"]] == [
        ("refused", None, None),
        ("accepted", 0, bob.key()),
        ("accepted", 1, bob.key()),
    ]
    assert found["games"][0]["move"] == "opponent"


def test_apply_without_an_identity_points_to_id_new(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], bob: Player
) -> None:
    (bob.home.path / "identity.key").unlink()
    status, _, err = bob.types("apply", *write_files(tmp_path, turns()[:1]))
    assert (status, err) == (1, 'pbem: you have no identity yet\nhint: make one with "pbem id new"\n')


def test_stories_of_several_games_have_headings(tmp_path: Path, bob: Player) -> None:
    paths = write_files(tmp_path / "one", turns()[:2])
    others = write_files(tmp_path / "two", other_turns()[:2])
    lines = bob.types("apply", *paths, *others)[1].splitlines()
    headings = [line for line in lines if line.startswith("Game ")]
    assert sorted(headings) == [f'Game "{key}"' for key in sorted(bob.home.game_keys())]
    assert not any(line.startswith("Game ") for line in bob.types("apply", *paths)[1].splitlines())


def test_an_answer_without_dice_is_not_told_as_dice(tmp_path: Path, bob: Player) -> None:
    """A card that is drawn at the end of an own turn: no die has fallen."""
    files = quiet_answer()
    stock(bob.home, files[:-1])
    path = tmp_path / "next.m44"
    path.write_bytes(files[-1])
    out = bob.types("apply", path)[1]
    assert "With your answer:" in out
    assert "dice that were waiting" not in out


def quiet_answer() -> tuple[bytes, ...]:
    """The first files of a game, the last by Alice; Bob's answer draws a card by itself and rolls nothing."""
    for seed in range(1, 30):
        files = game_files(seed=seed, bot="busy", hold=0.9, most=16)
        for reading in readings(files)[2::2]:
            steps = Draft(reading.desk(1)).referee.steps
            new = steps_of_draft(reading.referee.steps, steps, reading.log.count)
            kinds = {event[0] for step in new for event in step.events}
            if "drew" in kinds and not any(step.by == "dice" for step in new):
                return files[: reading.log.count]
    raise AssertionError("no such file in any of these games")
