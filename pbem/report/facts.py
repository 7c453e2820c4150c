"""What a report of one file shows: what happened, what is asked, what is proved.

A report is made for a reader: a player at a desk, or anybody (no desk). In it is only what the files say; for
a player who has to answer also the dice that fall by the answer, which nobody else can know yet.
A hand is shown only if its owner asks for it.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import State, start
from pbem.draw.picture import SIDE_NAMES
from pbem.draw.words import count, listed
from pbem.errors import PbemError, Refused
from pbem.log import Entry, Log
from pbem.referee import Referee, Step
from pbem.ruleset import Match
from pbem.story import Asked, Passage, asked_text, awaited_text, card_name, fields_of, tell_file
from pbem.trust import Trust, trust_of
from pbem.wording import describe_terms, open_assaults, option_text

if TYPE_CHECKING:
    from pbem.draft import Desk, Draft


class Part(NamedTuple):
    """What a file says of one turn: the position before, the steps, and their story."""

    turn: int
    side: int
    before: State
    steps: tuple[Step, ...]
    passages: tuple[Passage, ...]

    @property
    def title(self) -> str:
        """`Turn 7, the Axis`."""
        return f"Turn {self.turn}, the {SIDE_NAMES[self.side]}" if self.turn else "Before the first turn"

    @property
    def is_still(self) -> bool:
        """Whether nothing has changed on the board."""
        after = self.steps[-1].state
        return (self.before.pos, self.before.figures, self.before.marks) == (
            after.pos,
            after.figures,
            after.marks,
        )

    @property
    def cards(self) -> list[str]:
        """The keys of the cards that were played, and of an order that was copied."""
        kinds = {"card": 2, "copies": 1}
        found = [event[kinds[event[0]]] for step in self.steps for event in step.events if event[0] in kinds]
        reactions = ["ambush" for step in self.steps for event in step.events if event[0] == "ambush"]
        return found + reactions


class Report(NamedTuple):
    """Everything a report shows."""

    game: str  # its key in the reader's store, or ""
    number: int
    author: str
    chair: int | None  # side of the reader; None for anybody
    bottom: int | None  # side at the bottom of the boards
    match: Match
    state: State  # the last position
    parts: tuple[Part, ...]
    asked: Asked
    notes: tuple[tuple[str, str], ...]  # who says what
    trust: Trust
    terms: tuple[str, ...]  # of an invitation, in words
    hand: tuple[str, ...] | None = None
    events: tuple[dict[str, Any], ...] = ()
    provisional: bool = False  # an Ambush may still take back what the file shows (10.5)

    @property
    def headline(self) -> str:
        """`Pegasus Bridge: turn 7, the Axis`."""
        title = self.match.battle.title
        if self.winner >= 0:
            doubt = ", unless an Ambush answers" if self.provisional else ""
            return f"{title}: the {SIDE_NAMES[self.winner]} have won{doubt}"
        if not self.state.turn:
            return f"{title}: {'an invitation' if not self.number else 'the game begins'}"
        last = self.parts[-1] if self.parts else None
        turn, side = (last.turn, last.side) if last and last.turn else (self.state.turn, self.state.side)
        return f"{title}: turn {turn}, the {SIDE_NAMES[side]}"

    @property
    def winner(self) -> int:
        """The side that has won by now, in battle or because the other resigned; -1 for none."""
        for part in self.parts:
            for step in part.steps:
                for event in step.events:
                    if event[0] == "resigns":
                        return 1 - int(event[1])
        return self.state.winner

    @property
    def after(self) -> str:
        """What the last board shows."""
        if self.winner >= 0:
            return "The last position"
        return "The position now" if self.state.turn else "The position at the start"

    @property
    def medals(self) -> list[dict[str, Any]]:
        """Medals of both sides."""
        setup, state = self.match.setup, self.state
        names = {side: self._player(side) for side in (0, 1)}
        return [
            {
                "side": SIDE_NAMES[side],
                "player": names[side],
                "nation": self.match.battle.sides[side].nation,
                "medals": state.medals(side),
                "target": setup.target[side],
            }
            for side in (0, 1)
        ]

    def _player(self, side: int) -> str:
        return self.match.called[self.match.seat_of(self.match.seat_for_side(side))]


# Making one


def make_report(
    log: Log,
    referee: Referee,
    number: int,
    *,
    desk: Desk | None = None,
    key: str = "",
    bottom: int | None = None,
    hand: bool = False,
) -> Report:
    """The report of a file; raises Refused if the game has no such file."""
    if not 0 <= number < log.count:
        last = f"the last is {log.count - 1}" if log.count else "it has none yet"
        raise Refused(f"the game has no file {number}; {last}", hint='"pbem log" lists them')
    match = referee.match
    assert match is not None
    entry = log.entries[number]
    chair = None if desk is None else match.setup.seats[match.army_of(desk.seat)].side
    draft = _draft_of(desk) if number == log.count - 1 else None
    steps = list(draft.referee.steps if draft else referee.steps)
    begin, middle, end = _span(steps, number, match, entry, ahead=draft is not None)
    shown = steps[begin:end]
    before = steps[begin - 1].state if begin else None
    parts = _parts(shown, before, match, entry, chair)
    state = shown[-1].state if shown else before or start(match.setup)
    asked = _asked(log, referee, number, desk, draft, key)
    return Report(
        game=key,
        number=number,
        author=match.called[entry.seat],
        chair=chair,
        bottom=chair if bottom is None else bottom,
        match=match,
        state=state,
        parts=parts,
        asked=asked,
        notes=tuple((match.called[entry.seat], a.value) for a in entry.actions if a.name == "say"),
        trust=trust_of(log, referee, number, steps[begin:middle], answers=draft is not None),
        terms=tuple(terms_lines(match) if desk is None else describe_terms(match, desk.seat))
        if number < 2
        else (),
        hand=_hand(desk, draft) if hand and desk is not None and number == log.count - 1 else None,
        events=tuple(fields_of(event, match.setup) for step in shown for event in step.events),
        provisional=draft is None and number == log.count - 1 and bool(open_assaults(referee)),
    )


def _draft_of(desk: Desk | None) -> Draft | None:
    """The reader's next file as far as it goes by itself; None if it is not theirs."""
    if desk is None or not desk.is_next() or desk.log.count < 2:
        return None
    from pbem.draft import Draft

    try:
        return Draft(desk)
    except PbemError:
        return None


def _span(steps: list[Step], number: int, match: Match, entry: Entry, *, ahead: bool) -> tuple[int, int, int]:
    """Where the steps of a file begin and end, and where those of the answer end that finish its turn."""
    own = [place for place, step in enumerate(steps) if step.file == number]
    if not own:
        begin = next((place for place, step in enumerate(steps) if step.file > number), len(steps))
        middle = begin
    else:
        begin, middle = own[0], own[-1] + 1
    end = middle
    state = steps[middle - 1].state if middle else None
    if state is None or match.terms.seats[match.seat_of(state.active)].side != entry.side:
        return begin, middle, len(steps) if ahead else middle
    while end < len(steps) and (ahead or steps[end].file == number + 1):
        end += 1
        if steps[end - 1].state.turn != state.turn:
            break
    return begin, middle, len(steps) if ahead else end


def _parts(
    steps: list[Step], before: State | None, match: Match, entry: Entry, chair: int | None
) -> tuple[Part, ...]:
    """The steps by turns; the plan of the file belongs to the last turn of its author."""
    parts: list[Part] = []
    position = before
    group: list[Step] = []
    for place, step in enumerate(steps):
        group.append(step)
        is_last = place == len(steps) - 1
        turn = position.turn if position is not None else 0
        if is_last or step.state.turn != turn:
            parts += _part(group, position, match, entry, chair)
            position, group = step.state, []
    return tuple(parts)


def _part(
    group: list[Step], before: State | None, match: Match, entry: Entry, chair: int | None
) -> list[Part]:
    first = before if before is not None else group[0].state
    seat = match.terms.seats[match.seat_of(first.active)]
    # A plan is told as long as its dice have not fallen.
    is_open = seat.side == entry.side and all(step.file == entry.number for step in group)
    passages = tell_file(group, match, before=before, entry=entry if is_open else None, chair=chair)
    begin = list(takewhile(lambda passage: passage.kind == "hand", passages))  # Recon's choice comes first
    rest = passages[len(begin) :]
    passages = [*begin, *sorted(rest, key=lambda passage: passage.kind == "hand")]
    if not passages:
        return []
    return [Part(first.turn, first.side, first, tuple(group), tuple(passages))]


def _asked(
    log: Log, referee: Referee, number: int, desk: Desk | None, draft: Draft | None, key: str
) -> Asked:
    if number != log.count - 1:
        return Asked("wait", "This is the report of an earlier file; the game has gone on since.")
    if desk is None:
        return awaited_text(log, referee)
    return asked_text(desk, key, draft=draft)


def _hand(desk: Desk, draft: Draft | None) -> tuple[str, ...]:
    keys = [card.key for card in (draft.desk.hand() if draft else desk.hand())]
    return tuple("a card that cannot be read yet" if key == "?" else card_name(key) for key in keys)


def terms_lines(match: Match) -> list[str]:
    """The terms of a game in words, for somebody who does not play in it."""
    terms, battle = match.terms, match.battle
    names = [
        f"{name} plays the {SIDE_NAMES[match.setup.seats[match.army_of(seat)].side]}"
        for seat, name in enumerate(match.called)
    ]
    dice = {
        "sealed": "Sealed dice: they fall when the other player answers.",
        "instant": "Instant dice: they fall at once.",
    }[terms.dice]
    retreat = {
        "live": "Retreats are decided when the dice are seen.",
        "sheet": "Retreats follow preferences that are sealed before the dice.",
        "strict": "A retreat that is a real choice ends the file.",
        "stand": "Retreats follow standing orders.",
    }[terms.retreat]
    clock = f"{count(match.clock, 'day')} for every answer." if match.clock else "No clock."
    first = SIDE_NAMES[("allies", "axis").index(battle.first)]
    options = [option_text(name, text) for name, text in sorted(terms.extra["options"].items())]
    return [f"{listed(names)}; the {first} move first.", dice, retreat, clock, *options]
