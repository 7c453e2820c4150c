"""The machine is switched off at every step of a practice game: both homes go on from there, as one.

The player and the bot each have a copy of the game. At every moment one copy begins the other; the command
typed again, or `pbem seal`, brings them to the same files, and nobody has signed one place twice.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem.practice import bot_home
from pbem.store import Game
from tests.cli.crashing import Crashes, leftovers
from tests.cli.post import Player
from tests.skirmish import SKIRMISH


def offer(tmp_path: Path, side: str) -> tuple[str, ...]:
    """The command that begins a practice game, one with small hands that are not mixed: it is quick."""
    (tmp_path / "skirmish.yaml").write_text(SKIRMISH.replace("cards: 12", "cards: 2"), encoding="utf-8")
    return ("new", str(tmp_path / "skirmish.yaml"), "--side", side, "--opponent", "bot", "--no-mix")


def copies(player: Player, key: str) -> tuple[list[bytes], list[bytes]]:
    """The files of a game as the player has them, and as the bot has them."""
    bot = Game(bot_home(player.home), key)
    return Game(player.home, key).load().raw, bot.load().raw if bot.stored() else []


def assert_one_history(player: Player, key: str) -> list[bytes]:
    """One copy begins the other, and what was signed is in both or will be; the longer one."""
    own, other = copies(player, key)
    shorter, longer = sorted((own, other), key=len)
    assert longer[: len(shorter)] == shorter
    return longer


def assert_goes_on(player: Player, key: str, known: list[bytes]) -> None:
    """What status names next brings both copies to the same files, which go on from those known before."""
    if json.loads(player.types("status", key, "--json")[1])["next"] == f"pbem seal {key}":
        assert player.types("seal", key)[::2] == (0, "")
    own, other = copies(player, key)
    game = Game(player.home, key).load()
    assert own == other or (game.log.ended and own[: len(other)] == other)
    assert own[: len(known)] == known
    assert game.log.ended or game.desk(player.identity).is_next()
    player.types("undo", key)  # takes the lock, as all writing commands do
    assert leftovers(player.home) == []


def test_a_practice_game_begins_whole(alice: Player, tmp_path: Path) -> None:
    """The Allies move first: our shares and the bot's first turn are written as well."""
    words = offer(tmp_path, "axis")
    kept = 0
    for _ in Crashes(alice, words, grows=True, long=True):
        if not alice.home.game_keys():
            assert alice.types(*words)[::2] == (0, "")
            assert_goes_on(alice, alice.key(), [])
            continue
        kept += 1
        (key,) = alice.home.game_keys()
        assert_goes_on(alice, key, assert_one_history(alice, key))
    assert kept > 10


@pytest.mark.parametrize(
    ("words", "prepare"), [(("bot",), ()), (("seal",), ("bot", "--draft")), (("resign", "--yes"), ())]
)
def test_a_file_of_a_practice_game_is_signed_once_and_answered(
    alice: Player, tmp_path: Path, words: tuple[str, ...], prepare: tuple[str, ...]
) -> None:
    assert alice.types(*offer(tmp_path, "allies"))[0] == 0
    key = alice.key()
    if prepare:
        assert alice.types(*prepare)[0] == 0
    count = alice.game().log.count
    early = late = 0
    for _ in Crashes(alice, words, grows=True):
        known = assert_one_history(alice, key)
        if len(known) > count:
            late += 1
        else:
            early += 1
            assert alice.types(*words)[::2] == (0, "")
        assert_goes_on(alice, key, known)
        assert len(alice.game().raw) > count
    assert early >= 2
    assert late >= 5
