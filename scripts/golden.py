"""Writes the golden games and the decision counts that the tests compare the engine with.

    python -m scripts.golden games     # tests/engine/games/*.txt
    python -m scripts.golden counts    # the numbers in tests/engine/counts/*.txt
    python -m scripts.golden           # both

Run it after a change of the rules, read the difference, commit it with the change. A game that still replays
to all its digests is left alone (`--fresh` plays all anew). The games are played by chance; for every row of
GAMES the first seed is taken whose game shows what the row asks for, so that a new set of games tells as much
as the old one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from engine import (
    Answer,
    Battle,
    EngineError,
    Event,
    State,
    apply,
    chance,
    format_record,
    is_over,
    legal,
    new_game,
    parse_record,
    replay,
)
from engine.croupier import Croupier
from pbem.library import load_battle
from tests.counting import COUNTS, rewrite_counts

GAMES_FOLDER = Path(__file__).parent.parent / "tests" / "engine" / "games"
ENDS = ("done", "pass", "stay")
MOST_SEEDS = 500
LONGEST = 2500  # answers of a golden game


@dataclass(frozen=True)
class Game:
    """A golden game: where it is played and what must happen in it."""

    name: str
    battle: str
    wants: tuple[str, ...]  # features, as `features` names them
    options: dict[str, str] = field(default_factory=dict)


GAMES: tuple[Game, ...] = (
    Game("pegasus-bridge", "pegasus-bridge", ("ambush", "counter-attack", "ends by medals")),
    Game(
        "sainte-mere-eglise",
        "sainte-mere-eglise",
        ("airdrop", "recon", "their-finest-hour", "reshuffled"),
    ),
    Game("sword-beach", "sword-beach", ("ends by objective", "recon", "infantry-assault", "air-power")),
    Game(
        "pointe-du-hoc-2004",
        "pointe-du-hoc",
        ("ambush", "barrage", "armor-assault"),
        {"edition": "2004"},
    ),
    Game(
        "young-generals",
        "arracourt",
        ("recon", "ends by medals"),
        {"deck": "young-generals", "hand": "4", "take_ground": "no"},
    ),
    Game("mont-mouchet", "mont-mouchet", ("medics-and-mechanics", "dig-in", "close-assault")),
    Game(
        "mortain-by-mail",
        "counter-attack-on-mortain",
        ("recon", "used as air-power", "overrun", "behind-enemy-lines"),
        {"timing": "mail", "air_power_group": "chain"},
    ),
    Game("vassieux", "vassieux", ("ends by deck-exhausted", "firefight")),
)


def play(battle: Battle, options: dict[str, str], seed: int) -> tuple[State, list[Answer], list[Event]]:
    """A random game by two sides that never stop while they can act: first state, answers, events."""
    luck = random.Random(seed)  # games for tests need no secret luck
    first = state = new_game(battle, options)
    croupier = Croupier(state, luck)
    answers: list[Answer] = []
    events: list[Event] = []
    while not is_over(state) and len(answers) <= LONGEST:
        answer = croupier.answer(state) if chance(state) else _choose(legal(state), luck)
        state, new = apply(state, answer)
        answers.append(answer)
        events += new
    return first, answers, events


def _choose(choices: tuple[Answer, ...], luck: random.Random) -> Answer:
    """Any answer but those that end a phase early."""
    count = len(choices)
    if count > 1 and choices[-1][0] in ENDS:
        count -= 1
    return choices[int(luck.random() * count)]


def features(events: Iterable[Event]) -> set[str]:
    """What a game shows: cards played, kinds of ending, and a few kinds of event."""
    found: set[str] = set()
    last_medal = ""
    advanced: set[int] = set()  # units that have taken ground this turn
    for kind, *rest in events:
        if kind == "card":
            found.add("recon" if rest[1].startswith("recon-") and "force" not in rest[1] else rest[1])
            if rest[2]:
                found.add(f"used as {rest[2]}")
        elif kind == "medal":
            last_medal = rest[2]
        elif kind == "turn":
            advanced.clear()
        elif kind == "ground":
            advanced.add(rest[0])
        elif kind == "attack" and rest[0] in advanced:
            found.add("overrun")
        elif kind == "over":
            found.add(f"ends by {rest[1]}")
            found.add(f"ends by {last_medal}")
        elif kind in ("ambush", "reshuffled"):
            found.add(kind)
        elif kind == "drop-target":
            found.add("airdrop")
    return found


def find(game: Game) -> tuple[int, str]:
    """The first seed whose game shows all that is asked, and the game's record."""
    battle = load_battle(game.battle)
    for seed in range(1, MOST_SEEDS + 1):
        first, answers, events = play(battle, game.options, seed)
        if len(answers) <= LONGEST and features(events) >= set(game.wants):
            return seed, format_record(first, answers)
    raise SystemExit(f"{game.name}: no seed up to {MOST_SEEDS} shows {', '.join(game.wants)}")


def still_holds(game: Game, path: Path) -> bool:
    """Whether a golden game is there, replays to every digest and shows what it is for."""
    try:
        record = parse_record(path.read_text(encoding="utf-8"))
        moments = list(replay(record, load_battle(game.battle)))
    except (OSError, EngineError):
        return False
    events = [event for moment in moments for event in moment.events]
    whole = record.lines[-1].kind == "result" and record.options == game.options
    return whole and features(events) >= set(game.wants)


def write_games(folder: Path = GAMES_FOLDER, *, fresh: bool = False) -> None:
    """Write the golden games that do not hold, or all, and remove those that are no longer in the table."""
    folder.mkdir(parents=True, exist_ok=True)
    kept = {f"{game.name}.txt" for game in GAMES}
    for old in sorted(folder.glob("*.txt")):
        if old.name not in kept:
            old.unlink()
    for game in GAMES:
        if not fresh and still_holds(game, folder / f"{game.name}.txt"):
            print(f"{game.name}: still holds")
            continue
        seed, record = find(game)
        head, _, rest = record.partition("\n")
        note = f"; written by scripts/golden.py, seed {seed}: {', '.join(game.wants)}"
        (folder / f"{game.name}.txt").write_text(f"{head}\n{note}\n{rest}", encoding="utf-8")
        print(f"{game.name}: seed {seed}, {record.count(chr(10))} lines")


def main() -> None:
    """Write what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("games", "counts", "all"), default="all")
    parser.add_argument("--fresh", action="store_true", help="play all games anew")
    arguments = parser.parse_args()
    what = arguments.what
    if what in ("games", "all"):
        write_games(fresh=arguments.fresh)
    if what in ("counts", "all"):
        for path in sorted(COUNTS.glob("*.txt")):
            rewrite_counts(path)
            print(path.name)


if __name__ == "__main__":
    main()
