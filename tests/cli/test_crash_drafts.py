"""The machine is switched off at every step of the commands that decide: drafts and orders are old or new."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.home import read_json
from pbem.standing import load_standing
from tests.cli.crashing import Crashes, leftovers
from tests.cli.homes import KEY, Pair
from tests.cli.post import Player, stock, turns
from tests.mailgame import ALICE


@pytest.fixture
def begun(bob: Player) -> Player:
    """Bob, who has decided the first thing of his file."""
    stock(bob.home, turns()[:3])
    assert bob.types("do", actions(bob)[0])[0] == 0
    return bob


def actions(player: Player) -> list[str]:
    """What can be done now."""
    return [row["action"] for row in json.loads(player.types("legal", "--json")[1])["actions"]]


def choices(player: Player) -> Any:
    """The choices of the draft on disk; nothing if there is none."""
    kept = read_json(player.home.games / player.key() / "draft.json")
    return kept["choices"] if kept else []


def test_do_is_kept_or_not(begun: Player) -> None:
    first, action = choices(begun), actions(begun)[0]
    crashes = Crashes(begun, ("do", action))
    kept = 0
    for _ in crashes:
        if choices(begun) != first:
            kept += 1
            assert begun.types("undo")[0] == 0
        assert choices(begun) == first
        assert begun.types("do", action)[::2] == (0, "")
        assert crashes.is_done
        assert leftovers(begun.home) == []
    assert kept == 1  # at the very end


def test_the_first_decision_is_kept_or_not(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    words = ("do", *two_actions(bob))
    crashes = Crashes(bob, words)
    for _ in crashes:
        kept = crashes.is_done
        assert choices(bob) == [] or kept
        assert bob.types(*words)[0] == (1 if kept else 0)  # a card is played once
        assert crashes.is_done
        assert len(choices(bob)) >= 2


def two_actions(player: Player) -> tuple[str, str]:
    """An action and one that follows it; nothing is decided afterwards."""
    first = actions(player)[0]
    player.types("do", first)
    second = actions(player)[0]
    player.types("undo", "--all")
    assert choices(player) == []
    return first, second


@pytest.mark.parametrize(("words", "left"), [(("undo",), 1), (("undo", "--all"), 0)])
def test_undo_takes_back_or_not(begun: Player, words: tuple[str, ...], left: int) -> None:
    assert begun.types("do", actions(begun)[0])[0] == 0
    before = choices(begun)
    assert len(before) == 2
    crashes = Crashes(begun, words)
    for _ in crashes:
        if not crashes.is_done:
            assert choices(begun) == before
            assert begun.types(*words)[::2] == (0, "")
        assert crashes.is_done
        assert len(choices(begun)) == left
        assert begun.types("undo")[0] == (0 if left else 1)


def test_play_keeps_every_answer(begun: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed after so many answers, all of them but the last are there, and the rest can be typed again."""
    first, key = choices(begun), begun.key()
    crashes = Crashes(begun, ("play",), "1\n1\n", ((("play",), "1\n"),))
    trees = (*crashes.between, crashes.done)
    half, whole = (json.loads(tree[f"games/{key}/draft.json"])["choices"] for tree in trees)
    assert len(first) < len(half) < len(whole)
    seen = []
    for _ in crashes:
        seen.append(choices(begun))
        begun.enters(monkeypatch, {1: "1\n1\n", len(half): "1\n"}.get(len(choices(begun)), ""))
        assert begun.types("play")[::2] == (0, "")
        assert crashes.is_done
    assert seen == [first, first, half, half, whole]


def test_the_bots_draft_is_kept_or_not(begun: Player) -> None:
    first = choices(begun)
    for _ in Crashes(begun, ("bot", "--draft")):
        assert begun.types("bot", "--draft")[::2] == (0, "")
        assert choices(begun)[: len(first)] == first
        assert read_json(begun.home.games / begun.key() / "draft.json")["decided"]


@pytest.mark.parametrize("words", [("orders", "ambush never"), ("orders", "--reset", "retreat all away")])
def test_orders_are_old_or_new(begun: Player, words: tuple[str, ...]) -> None:
    assert begun.types("orders", "ambush always", "retreat all together")[0] == 0
    old = load_standing(begun.game())
    crashes = Crashes(begun, words)
    for _ in crashes:
        assert crashes.is_done or load_standing(begun.game()) == old
        assert begun.types(*words)[::2] == (0, "")
        assert crashes.is_done
    assert load_standing(begun.game()) != old


def test_dice_that_were_seen_stay_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An instant game: they are kept before they are told, so no cut-off shows dice and forgets them."""
    pair = Pair(tmp_path, dice="instant")
    (tmp_path / "desk").mkdir()
    monkeypatch.chdir(tmp_path / "desk")
    alice = Player(pair.homes[0], ALICE, capsys)
    card = pair.center_card()
    assert alice.types("do", f"card {card}", "order F5", "done")[0] == 0
    words = ("do", "attack F5 G5")
    crashes = Crashes(alice, words)
    (bound,) = {json.loads(crashes.done[f"games/{KEY}/draft.json"])["bound"]}
    assert bound > 0
    for _ in crashes:
        fallen = crashes.is_done
        assert alice.types(*words)[0] == (1 if fallen else 0)
        assert crashes.is_done
        assert alice.types("undo", "--all")[0] == 1
        assert crashes.is_done
