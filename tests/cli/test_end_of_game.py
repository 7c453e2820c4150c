"""The end of a game as its players are told of it: by `apply`, `status`, `games` and `seal`, all alike."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.draft import Choice, Draft
from pbem.report import make_report
from pbem.trust import trust_of
from pbem.wording import open_assaults
from tests.cli.post import Player, stock
from tests.readings import game_files, readings

NAMES = ("alice", "bob")


@pytest.fixture
def players(alice: Player, bob: Player) -> tuple[Player, Player]:
    """By seat."""
    return alice, bob


def row_of(player: Player) -> dict[str, Any]:
    """The status of the only game."""
    row: dict[str, Any] = json.loads(player.types("status", "--json")[1])
    return row


def score(player: Player, seat: int) -> str:
    """The result as the player at a seat says it: "won 4:3"."""
    state = Draft(player.game().desk(player.identity)).referee.now
    return f"{'won' if state.winner == seat else 'lost'} {state.medals(seat)}:{state.medals(1 - seat)}"


def test_dice_that_decide_the_battle_are_told_everywhere(players: tuple[Player, Player]) -> None:
    """R20: the dice of the last attack fall for its defender, who signs first and is told how it ended."""
    files = game_files()
    number = len(files) - 3  # the file whose answer decides the battle
    seat = readings(files)[number + 1].log.entries[-1].seat
    player, other = players[seat], players[1 - seat]
    stock(player.home, files[:number])
    Path("last.m44").write_bytes(files[number])
    status, out, _ = player.types("apply", "last.m44")
    assert status == 0
    told = score(player, seat)
    name = ("Alice", "Bob")[1 - seat]
    asked = f"You have {told}. Sign your file and send it; then {name} signs the result."
    assert f"Your move. {asked}" in out
    row = row_of(player)
    assert (row["state"], row["asked"], row["asked_kind"]) == ("decided", asked, "seal")
    assert row["result"]["medals"] == row["medals"]
    assert (row["result"]["reason"], row["result"]["signed_by_both"]) == ("medals", False)
    assert row["pending"] == [
        "the dice of the attacks that were ordered: they have fallen for you, and your file shows them to"
        f" {name}",
        f"the result: {name} signs it when your file has come",
    ]
    own = told.split()[1]
    listed = f"{own}  against {NAMES[1 - seat]}: {told}, the result is to be signed, your move"
    assert player.types("games")[1].endswith(f"{listed}\n")

    status, out, _ = player.types("seal", "-o", "answer.m44")
    assert status == 0
    assert out.startswith(f"You have {told}. {name} signs the result with the next file.\n")
    lines = player.types("status")[1].splitlines()
    assert f"You have {told}. {NAMES[1 - seat]} has not signed the result yet." in lines
    assert f"Pending: the result: {name} has not signed it yet." in lines
    assert player.types("games")[1].endswith(
        f"{told}, the result is to be signed, {NAMES[1 - seat]}'s move\n"
    )

    stock(other.home, files[: number + 1])
    assert other.types("apply", "answer.m44")[0] == 0
    row = row_of(other)
    assert (row["state"], row["asked_kind"]) == ("decided", "confirm")
    assert row["asked"] == f"You have {score(other, 1 - seat)}: sign the result."
    assert row["pending"] == ["the result: you have not signed it yet"]
    assert "With this file you sign the result." in " ".join(other.types("seal", "-o", "end.m44")[1].split())
    assert row_of(other)["state"] == "over"


@cache
def provisional() -> tuple[bytes, ...]:
    """The files of an instant game up to one that wins by a close assault; an Ambush may answer it."""
    for name in ("sainte-mere-eglise", "arracourt", "pegasus-bridge"):
        for seed in range(1, 9):
            for reading in readings(game_files(name, dice="instant", seed=seed)):
                if reading.referee.winner >= 0 and open_assaults(reading.referee):
                    return game_files(name, dice="instant", seed=seed)[: reading.log.count]
    raise AssertionError("no game ends by a close assault: try more seeds")


def test_a_victory_that_an_ambush_may_undo_is_not_told_as_won(players: tuple[Player, Player]) -> None:
    """Adaptation 19: the attacker knows only with the next file whether an Ambush answers the assault."""
    files = provisional()
    reading = readings(files)[-1]
    seat = reading.log.entries[-1].seat
    attacker, defender = players[seat], players[1 - seat]
    stock(attacker.home, files)
    (label,) = open_assaults(reading.referee)
    row = row_of(attacker)
    assert (row["state"], row["result"], row["move"]) == ("playing", None, "opponent")
    assert f"whether an Ambush answers the close assault at {label}" in row["pending"]
    assert attacker.types("games")[1].endswith(f"against {NAMES[1 - seat]}: {NAMES[1 - seat]}'s move\n")

    steps = [step for step in reading.referee.steps if step.file == len(files) - 1]
    assert trust_of(reading.log, reading.referee, len(files) - 1, steps).pending == (
        f"Whether an Ambush answers the close assault at {label} is known when"
        f" {('Alice', 'Bob')[1 - seat]} answers.",
    )

    shown = make_report(reading.log, reading.referee, len(files) - 1)
    assert shown.headline.endswith(" have won, unless an Ambush answers")

    stock(defender.home, files)
    draft = Draft(defender.game().desk(defender.identity))
    row = row_of(defender)
    assert (row["turn"], row["state"]) == (draft.state.turn, "decided" if draft.must_confirm else "playing")
    assert (row["result"] is None) == (not draft.must_confirm)


def test_the_attacker_is_told_when_sealing_that_an_ambush_may_undo_it(
    players: tuple[Player, Player],
) -> None:
    files = provisional()
    reading = readings(files)[-2]
    seat = 1 - reading.log.entries[-1].seat
    attacker = players[seat]
    stock(attacker.home, files[:-1])
    (label,) = open_assaults(readings(files)[-1].referee)
    state = readings(files)[-1].referee.now
    game = attacker.game()
    draft = game.load_draft(game.desk(attacker.identity))
    for action in readings(files)[-1].log.entries[-1].actions:
        if action.name == "do":
            draft.choose(Choice("do", action.value))
    game.save_draft(draft)
    score = f"{state.medals(seat)}:{state.medals(1 - seat)}"
    doubt = f"You have won {score}, unless an Ambush answers the close assault"
    row = row_of(attacker)
    assert row["asked"].startswith(f"{doubt} at {label}")
    assert (row["state"], row["result"], row["next"]) == ("playing", None, f"pbem seal {attacker.key()}")
    out = " ".join(attacker.types("seal", "-o", "won.m44")[1].split())
    assert out.startswith(f"{doubt} at {label}: then what followed is void.")


def test_a_bot_that_only_drafts_signs_no_result(players: tuple[Player, Player]) -> None:
    files = game_files()
    seat = readings(files)[-1].log.entries[-1].seat
    player = players[seat]
    stock(player.home, files[:-1])
    status, out, _ = player.types("bot", "--draft")
    asked, command = out.splitlines()
    assert (status, command) == (0, f"Next: pbem seal {player.key()}")
    assert asked.startswith("You have ")
    assert ": sign the result." in asked
    assert row_of(player)["state"] == "decided"


def test_a_game_that_is_over_takes_nothing_back_and_no_orders(alice: Player) -> None:
    stock(alice.home, game_files())
    before = alice.snapshot()
    status, _, err = alice.types("undo")
    assert (status, err.splitlines()[0]) == (1, "pbem: the game is over: nothing is taken back")
    status, _, err = alice.types("orders", "ambush never")
    assert (status, err.splitlines()[0]) == (1, "pbem: the game is over: orders change nothing any more")
    assert alice.snapshot() == before
    assert alice.types("orders")[0] == 0
