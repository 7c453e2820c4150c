"""A bad post between two players and a stranger: it loses, doubles and reorders the files they send.

Everybody keeps what comes too early, ignores what comes twice, and sends the own files again when nothing
moves. `play_by_post` plays a whole game that way; all three check every file.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

import pytest

from pbem.container import file_id, unpack
from pbem.draft import Choice, Draft, write_answer
from pbem.errors import Fault
from pbem.identity import Identity
from pbem.library import scenario_text
from pbem.log import parse_body
from pbem.ruleset import build_terms
from pbem.writer import write_offer
from tests.mailgame import ALICE, BOB, Party, byte_source, decide, wishes_of

MOST_ROUNDS = 20_000


@dataclass
class Mailbox:
    """One party, what lies in its box, what it keeps for later, and what it has sent."""

    party: Party
    inbox: list[bytes] = field(default_factory=list)
    early: dict[int, bytes] = field(default_factory=dict)
    sent: list[bytes] = field(default_factory=list)
    digests: list[tuple[bytes, bytes]] = field(default_factory=list)  # table and game after each file
    twice: int = 0  # files that came when they were known already

    def take(self, data: bytes) -> None:
        """A file comes: accept it, keep it for later, or see that it is known."""
        body = unpack(data).body
        number, log = parse_body(body).number, self.party.log
        if number < log.count:
            assert log.entries[number].id == file_id(body)
            self._refuse(data)
            self.twice += 1
            return
        if number > log.count:
            self._refuse(data)
            self.early[number] = data
            return
        self.accept(data)
        while self.party.log.count in self.early:
            self.accept(self.early.pop(self.party.log.count))

    def _refuse(self, data: bytes) -> None:
        """The verifier itself says that the file does not come next."""
        log = self.party.log
        with pytest.raises(Fault, match="E_ORDER" if log.ended else "E_SEQ"):
            log.check(data)

    def accept(self, data: bytes) -> None:
        """Take the next file in and keep the two digests."""
        self.party.accept(data)
        table = self.party.log.table
        assert table is not None
        begun = self.party.referee.state is not None
        self.digests.append((table.digest(), self.party.referee.digest() if begun else b""))


class Post:
    """Three boxes and bad luck."""

    def __init__(self, boxes: tuple[Mailbox, ...], luck: random.Random) -> None:
        self.boxes = boxes
        self.luck = luck
        self.happened: Counter[str] = Counter()

    def send(self, sender: Mailbox, data: bytes) -> None:
        """To everybody else, or not, or twice, and not in order."""
        for box in self.boxes:
            if box is sender:
                continue
            copies = self.luck.choices((0, 1, 2), (3, 6, 2))[0]
            self.happened[("lost", "sent", "doubled")[copies]] += 1
            for _ in range(copies):
                box.inbox.insert(self.luck.randint(0, len(box.inbox)), data)

    def deliver(self) -> bool:
        """One file out of some box; False if all are empty."""
        full = [box for box in self.boxes if box.inbox]
        if not full:
            return False
        box = self.luck.choice(full)
        box.take(box.inbox.pop())
        return True

    def send_again(self) -> None:
        """Whoever misses something gets it from a player who has it, through the same bad post."""
        for box in self.boxes[:2]:
            behind = min(other.party.log.count for other in self.boxes)
            for data in box.sent:
                if parse_body(unpack(data).body).number >= behind:
                    self.happened["sent again"] += 1
                    self.send(box, data)


@dataclass
class Correspondence:
    """A game that went by post."""

    files: list[bytes]
    boxes: tuple[Mailbox, Mailbox, Mailbox]
    happened: Counter[str]

    @property
    def reactions(self) -> int:
        """Sealed answers that played a card."""
        steps = self.boxes[2].party.referee.steps
        return sum(1 for step in steps if any(event[0] == "ambush" for event in step.events))


def play_by_post(
    name: str,
    *,
    seed: int,
    dice: str = "sealed",
    retreat: str = "",
    army: str = "allies",
    inviter: Identity = ALICE,
    mix: bool = True,
    sheet: bool = True,
    bot: str = "busy",
    hold: float = 0.0,
    most: int = 400,
    options: dict[str, str] | None = None,
) -> Correspondence:
    """A game to its signed end, or to `most` files; the stranger gets every file by the same post."""
    luck, source = random.Random(seed), byte_source(seed)
    other = BOB if inviter is ALICE else ALICE
    boxes = (Mailbox(Party(inviter, 0)), Mailbox(Party(other, 1)), Mailbox(Party()))
    terms = build_terms(
        scenario_text(name), army=army, pk=inviter.pk, opponent=other.pk, names=("Ann", "Ben"),
        dice=dice, retreat=retreat, mix=mix, sheet=sheet, options=options,
    )  # fmt: skip
    post, files = Post(boxes, luck), []

    def publish(box: Mailbox, data: bytes) -> None:
        files.append(data)
        box.accept(data)
        box.sent.append(data)
        post.send(box, data)

    publish(boxes[0], write_offer(terms, inviter, source))
    for _ in range(MOST_ROUNDS):
        if not post.deliver():
            if all(box.party.log.count == len(files) for box in boxes) and (
                boxes[2].party.log.ended or len(files) >= most
            ):
                return Correspondence(files, boxes, post.happened)
            post.send_again()
        for box in boxes[:2]:
            due = box.party.log.count == len(files) < most and box.party.desk.is_next()
            if due and box.party.log.count == 1:
                publish(box, write_answer(box.party.log, box.party.referee, other, source))
            elif due:
                draft = Draft(box.party.desk)
                if dice == "instant" and len(files) < 4:
                    draft.choose(Choice("stand", [[None, ["cover", "away"], None]]))
                decide(draft, luck, bot=bot, hold=hold)
                publish(box, draft.seal(wishes_of(draft, luck), source))
    raise AssertionError("the post never delivered the whole game")
