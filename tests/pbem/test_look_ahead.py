"""Who can know the dice, and when: written from the attacker's side (docs/protocol.md, parts 8.4 and 14).

The attacker is the active player with a modified program. It has its own master secret and game secret, so
all 1024 of its seeds, everything in the log, and its own finished file before it is sent. It computes every
root that these let it compute. In a sealed game none of them is the root of the coming rolls, because that
root is a hash over a seed which only the other side has. In an instant game one of them is.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import NamedTuple

import pytest

from pbem.dice import CHAIN_LENGTH, dice_root, link, roll_dice
from pbem.draft import Desk, Draft
from pbem.errors import Fault
from pbem.group import Point
from pbem.hashing import h32
from pbem.log import Log
from pbem.referee import Referee
from tests.mailgame import ALICE, BOB, byte_source, decide, wishes_of
from tests.pbem.forge import open_file, reforge
from tests.pbem.moments import Moment, moment, moments

PEOPLE = (ALICE, BOB)


class Scene(NamedTuple):
    """An attack in the making: the attacker's file, the answer to it, and the log around them."""

    before: Log
    referee: Referee
    attacker: Desk
    file: bytes
    log: Log  # with the attacker's file
    after: Referee


def scene(mode: str) -> Scene:
    """A file with attacks."""
    wanted = {"live": "plan", "instant": "attack"}[mode]

    def attacks(here: Moment) -> bool:
        return any(
            (choice.name == "plan" and choice.value)
            if wanted == "plan"
            else choice.name == "do" and choice.value.startswith("attack")
            for choice in here.draft.program
        )

    here = moment(mode, attacks)
    file = here.honest()
    log, entry = here.log.check(file)
    return Scene(here.log, here.referee, here.draft.desk, file, log, here.referee.read(entry))


def seeds_of(desk: Desk) -> list[bytes]:
    """All seeds of a player's chain."""
    return [desk.secret.seed(index) for index in range(CHAIN_LENGTH + 1)]


def public_seeds(log: Log, files: list[bytes]) -> list[bytes]:
    """All seeds that have been opened."""
    return [*log.seeds, *(open_file(data)["s"] for data in files)]


def reachable_roots(found: Scene) -> set[bytes]:
    """Every root that the attacker can compute for the next file from all seeds it has or has seen."""
    log = found.log
    mine = seeds_of(found.attacker)
    theirs = public_seeds(found.before, [found.file])
    guesses = [
        bytes(32),
        found.attacker.secret.sigma,
        found.attacker.identity.master,
        *(link(key, index, seed) for seed in theirs for index in (1, 2, 3) for key in keys(log)),
        *(h32("link", log.game, seed) for seed in theirs),
    ]
    number, previous = log.count, log.previous
    own = log.seeds[found.attacker.side]
    roots = {dice_root(log.game, number, previous, own, seed) for seed in (*mine, *theirs, *guesses)}
    roots |= {dice_root(log.game, number, previous, seed, other) for seed in mine for other in theirs}
    return roots


def keys(log: Log) -> list[Point]:
    """The game keys of both sides."""
    assert log.table is not None
    return list(log.table.keys)


def answer_to(found: Scene) -> tuple[bytes, Desk]:
    """The honest answer of the other side."""
    seat = 1 - found.attacker.seat
    desk = Desk(found.log, found.after, PEOPLE[seat], seat)
    draft = Draft(desk)
    luck = random.Random(1)
    decide(draft, luck)
    return draft.seal(wishes_of(draft, luck), byte_source(5)), desk


def test_in_a_sealed_game_nothing_the_attacker_has_gives_the_dice() -> None:
    """C7: all seeds of the own chain, all opened ones, in all combinations: not the root of the answer."""
    found = scene("live")
    reachable = reachable_roots(found)
    assert len(reachable) > 2000
    answer, _ = answer_to(found)
    _, entry = found.log.check(answer)
    assert entry.root is not None
    assert entry.root not in reachable
    # The missing piece is one seed: with it the root is computed at once, and it lies behind a hash.
    seed = open_file(answer)["s"]
    assert seed not in {*seeds_of(found.attacker), *public_seeds(found.before, [found.file])}
    own = found.log.seeds[found.attacker.side]
    assert dice_root(found.log.game, found.log.count, found.log.previous, own, seed) == entry.root


def test_no_dice_have_fallen_when_a_sealed_file_is_signed() -> None:
    """The attacker's own program rolls nothing for its plan: the engine waits for the roll."""
    found = scene("live")
    steps = [step for step in found.after.steps if step.file == found.log.count - 1]
    assert not any(step.by == "dice" for step in steps if step.place >= 0)
    assert found.after.now.roll is not None


def test_trying_other_orders_tells_nothing() -> None:
    """Grinding: other files for the same place give other roots, but none that the attacker can compute."""
    found = scene("live")
    answers = set()
    for text in ("one", "two", "three"):
        other = found.file
        log, _ = found.before.check(
            reforge(other, found.attacker.identity, lambda body, text=text: body["o"].append(["say", text]))  # type: ignore[misc]
        )
        answers.add(log.previous)
        changed = found._replace(log=log)
        seat = 1 - found.attacker.seat
        secret = Desk(found.log, found.after, PEOPLE[seat], seat).secret
        seed = secret.seed(found.log.opened[1 - found.attacker.side] + 1)
        root = dice_root(log.game, log.count, log.previous, log.seeds[found.attacker.side], seed)
        assert root not in reachable_roots(changed)
    assert len(answers) == 3


def test_after_the_answer_exactly_one_outcome_is_possible() -> None:
    """C6: the answering side cannot choose: any other seed, root or predecessor is refused."""
    found = scene("live")
    answer, desk = answer_to(found)
    log, entry = found.log.check(answer)
    assert entry.root is not None
    referee = found.after.read(entry)
    rolled = [step.text for step in referee.steps if step.file == entry.number and step.by == "dice"]
    assert rolled
    for seed in [desk.secret.seed(index) for index in range(12)] + [bytes(32), h32("wish")]:
        forged = reforge(answer, desk.identity, lambda body, seed=seed: body.update(s=seed))  # type: ignore[misc]
        if seed == open_file(answer)["s"]:
            again, same = found.log.check(forged)
            assert (same.root, again.previous) == (entry.root, log.previous)
            continue
        with pytest.raises(Fault) as caught:
            found.log.check(forged)
        assert caught.value.code == "E_SEED"
    # Other decisions of the answering side do not touch the dice of the run.
    for luck in range(4):
        other = Draft(desk)
        decide(other, random.Random(luck))
        fallen = [s.text for s in other.referee.steps if s.file == entry.number and s.by == "dice"]
        assert fallen[0] == rolled[0]


def test_a_stranger_computes_the_same_dice_from_the_files() -> None:
    """C9: root, roll and die by the formulas alone."""
    found = scene("live")
    answer, _ = answer_to(found)
    body, mine = open_file(answer), open_file(found.file)
    root = dice_root(body["g"], body["n"], body["p"], mine["s"], body["s"])
    _, entry = found.log.check(answer)
    referee = found.after.read(entry)
    first = next(step for step in referee.steps if step.file == entry.number and step.by == "dice")
    faces = ("infantry", "infantry", "armor", "grenade", "flag", "star")
    words = first.text.split()[1:]
    assert [faces[value] for value in roll_dice(root, 0, len(words))] == words


def test_in_an_instant_game_the_dice_can_be_computed_before_the_orders() -> None:
    """N2: the attacker knows the root of its own run before it decides anything."""
    found = scene("instant")
    desk, log = found.attacker, found.before
    seed = desk.secret.seed(log.opened[desk.side] + 1)
    root = dice_root(log.game, log.count, log.previous, log.seeds[1 - desk.side], seed)
    entry = found.log.entries[-1]
    assert entry.root == root
    rolled = [step for step in found.after.steps if step.file == entry.number and step.by == "dice"]
    assert rolled
    faces = ("infantry", "infantry", "armor", "grenade", "flag", "star")
    for number, step in enumerate(rolled):
        words = step.text.split()[1:]
        assert [faces[value] for value in roll_dice(root, number, len(words))] == words


def test_in_an_instant_game_looking_ahead_does_not_change_the_tape() -> None:
    """C6: whatever is ordered, the first roll of a run shows the same dice."""
    found = scene("instant")
    seen = set()
    for seed in range(6):
        draft = Draft(found.attacker)
        decide(draft, random.Random(seed))
        file = found.before.count
        first = next((s for s in draft.referee.steps if s.file == file and s.by == "dice"), None)
        if first is not None:
            seen.add(tuple(first.text.split()[1:2]))
    assert len(seen) == 1


@pytest.mark.parametrize("mode", ["live", "sheet", "strict", "instant"])
def test_every_roll_falls_from_its_own_place_of_its_own_files_tape(mode: str) -> None:
    """8.4, one root, one run: no die of a stopped turn comes from an older root or twice from one place."""
    here = moments(mode)[-1]
    rolls: Counter[int] = Counter()
    faces = ("infantry", "infantry", "armor", "grenade", "flag", "star")
    for step in here.referee.steps:
        if step.by != "dice":
            continue
        root = here.log.entries[step.file].root
        assert root is not None
        words = step.text.split()[1:]
        values = roll_dice(root, rolls[step.file], len(words))
        assert [faces[value] for value in values] == words
        rolls[step.file] += 1
    assert sum(rolls.values()) > 5
