"""The client's side of the protocol: what do I owe, what can I see, what is asked, make my next file.

A `Desk` is one player's place in one game: the log, the referee and the player's secrets. A `Draft` is the
file that the player is about to write: a list of choices, and the game as it looks with them. Everything that
is not a choice (shares, shuffles, opened boxes, promised cards, draws) is done by itself in due time;
`seal` then writes the file with all its proofs. No disk, no clock; randomness is an argument.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from engine import Answer, State, chance, format_answer, is_over, legal
from pbem.canon import decode, encode
from pbem.dice import dice_root
from pbem.errors import Fault, Refused
from pbem.gamekeys import GameSecret
from pbem.hand import Held, read_hand, see
from pbem.identity import Identity
from pbem.log import ZERO, Log
from pbem.notes import open_note
from pbem.orders import NO_ORDERS, Order, Stand, parse_plan, parse_stand, stand_value
from pbem.referee import ATTACKING, RESIGNS, Referee
from pbem.ruleset import DECK
from pbem.sheet import Sheet, build_sheet
from pbem.table import Shown
from pbem.terms import Terms
from pbem.writer import Random, Writer, answer_writer, own_secret, turn_writer

AMBUSH = "ambush"


class Wishes(NamedTuple):
    """What a player seals on the next sheet: which units ambush, how units retreat."""

    ambush: tuple[int, ...] = ()
    stand: Stand = NO_ORDERS

    def as_value(self) -> list[Any]:
        """The form in which the private note of a file keeps them; its length says nothing of ambushes."""
        mask = sum(1 << unit for unit in self.ambush)
        return [mask.to_bytes(8, "little"), stand_value(self.stand)]


def parse_wishes(value: Any) -> Wishes:
    """Wishes from a private note; raises Fault E_RULE for what this program did not write."""
    form = isinstance(value, list) and len(value) == 2 and isinstance(value[0], bytes) and len(value[0]) == 8
    if not form:
        raise Fault("E_RULE", "the private note was written by another program")
    mask = int.from_bytes(value[0], "little")
    return Wishes(tuple(unit for unit in range(64) if mask >> unit & 1), parse_stand(value[1]))


class Choice(NamedTuple):
    """One decision of the player: an op's name and its value."""

    name: str  # "do", "plan", "stand", "say" or "end"
    value: Any


class Desk:
    """One seat of one game: what is public, and this player's secrets."""

    def __init__(self, log: Log, referee: Referee, identity: Identity, seat: int) -> None:
        self.log = log
        self.referee = referee
        self.identity = identity
        self.seat = seat
        self._secret: GameSecret | None = None

    @property
    def terms(self) -> Terms:
        """The terms of the game."""
        assert self.log.terms is not None
        return self.log.terms

    @property
    def side(self) -> int:
        """The side of the protocol this seat plays for."""
        return self.terms.seats[self.seat].side

    @property
    def secret(self) -> GameSecret:
        """The secret of this side in this game."""
        if self._secret is None:
            self._secret = own_secret(self.log, self.identity, self.seat)
        return self._secret

    def is_next(self) -> bool:
        """Whether the next file is this seat's."""
        log = self.log
        if log.ended or not log.entries:
            return False
        if log.count == 1:
            return self.seat == 1
        return log.entries[-1].side != self.side

    def hand(self) -> list[Held]:
        """The own cards on the table."""
        if self.log.table is None or self.log.count < 2:
            return []
        return read_hand(self.log.table, self.referee, self.seat, self.secret)

    def view(self) -> State:
        """The game as this player sees it."""
        return see(self.referee, self.seat, self.hand())

    def sheet(self) -> Sheet | None:
        """The sheet whose boxes the next run may be asked to open, rebuilt from the log."""
        latest = self.log.sheets[self.side]
        if latest is None:
            return None
        number, root = latest
        for action in self.log.entries[number].actions:
            if action.name == "note":
                value = open_note(self.secret, self.log.game, number, action.value)
                sheet = self.write_sheet(number, parse_wishes(value))
                if sheet.root == root:
                    return sheet
        raise Refused(
            "the answers you sealed in an earlier file cannot be restored",
            hint="they were written by another program; seal the next file there",
        )

    def write_sheet(self, number: int, wishes: Wishes) -> Sheet:
        """The sheet of a file with these wishes."""
        game = self.log.game
        return build_sheet(
            self.secret, game, number, self.side, sheet_answers(self.referee, self.side, wishes)
        )


def sheet_answers(referee: Referee, side: int, wishes: Wishes) -> dict[int, bytes]:
    """The boxes that wishes fill; all others say no."""
    boxes = {8 * unit + arm: encode(["card", DECK, AMBUSH]) for unit in wishes.ambush for arm in range(3)}
    assert referee.match is not None
    setup = referee.match.setup
    if referee.match.terms.retreat == "sheet":
        army = referee.match.army_of(referee.match.terms.seats_of(side)[0])
        rows = {row[0]: row for row in stand_value(wishes.stand)}
        for unit in setup.army[setup.seats[army].side]:
            _, route, flags = rows.get(unit, rows.get(None, [None, None, None]))
            boxes[8 * unit + 5] = encode(route)
            boxes[8 * unit + 6] = encode(flags)
    return boxes


class Draft:
    """The next file of a seat, as far as its player has decided.

    With `seen` it only tries things out: no dice fall after so many choices (see `dice_due`).
    """

    def __init__(self, desk: Desk, choices: tuple[Choice, ...] = (), *, seen: int | None = None) -> None:
        if not desk.is_next():
            raise Refused("the next file is not yours", hint="wait for the other player's file")
        if desk.log.count < 2:
            raise Refused("the game has not begun", hint="accept the invitation first")
        self.desk = desk
        self.referee = desk.referee.copy()
        self.choices: list[Choice] = []
        self.program: list[Choice] = []  # all ops but those that pay what is owed, in order
        self.reach: list[int] = []  # steps of the game when each choice was made
        self.seen = seen
        self._hand = desk.hand()
        self._sheet: Sheet | None = None
        log = desk.log
        side = desk.side
        seed = desk.secret.seed(log.opened[side] + 1)
        self._root = dice_root(log.game, log.count, log.previous, log.seeds[1 - side], seed)
        self.referee.begin(log.count, desk.seat, side, self._root, begins=True)
        self._go_on()
        for choice in choices:
            self.choose(choice)

    # What the player sees

    @property
    def state(self) -> State:
        """The game with the choices so far, as the player sees it."""
        return see(self.referee, self.desk.seat, self._hand)

    @property
    def is_decided(self) -> bool:
        """Whether nothing is left to choose: the file can be sealed."""
        referee = self.referee
        if referee.confirmed or referee.resigned >= 0:
            return True
        if is_over(referee.now):
            return referee.decided_by == self.desk.side
        return not referee.awaits_author()

    @property
    def must_confirm(self) -> bool:
        """Whether the game was decided by the other side's file and only the result is to be signed."""
        referee = self.referee
        return is_over(referee.now) and referee.decided_by != self.desk.side and not referee.confirmed

    @property
    def wants_plan(self) -> bool:
        """Whether the next choice is a plan of attacks."""
        referee = self.referee
        if not referee.sealed or self.is_decided or self.must_confirm:
            return False
        return self.owes_plan or (not chance(referee.now) and referee.now.phase in ATTACKING)

    @property
    def owes_plan(self) -> bool:
        """Whether this file goes on with a stopped turn; a stop that its own answer caused is the other's."""
        return self.referee.owes_plan and self.referee.active_side == self.desk.side

    @property
    def dice_due(self) -> int:
        """The dice at which a draft that only tries things out has come to its end; 0 if there are none."""
        referee = self.referee
        if referee.root is not None or referee.stopped or chance(referee.now) != "roll":
            return 0
        if referee.sealed and referee.active_side == self.desk.side:  # they wait for the other side anyway
            return 0
        assert referee.now.roll is not None
        return referee.now.roll.dice

    def hand(self) -> list[Held]:
        """The own cards that the choices so far have left."""
        return list(self._hand)

    @property
    def drawn(self) -> int:
        """Cards that this file draws for the player."""
        return sum(choice.value[2] for choice in self.program if choice.name == "draw")

    def answers(self) -> tuple[Answer, ...]:
        """The answers that may be chosen now by `do`: legal, and of cards only those in the own hand."""
        if self.is_decided or self.must_confirm or self.owes_plan:
            return ()
        state = self.state
        if chance(state) or self.referee.side_of(state.seat) != self.desk.side:
            return ()
        held = self._playable(state)
        found = [a for a in legal(state) if a[0] not in ("card", "discard") or a[1] in held]
        if self.wants_plan:
            found = [a for a in found if a[0] != "attack"]
        return tuple(found)

    def _playable(self, state: State) -> set[str]:
        fresh = self.referee.fresh[self.desk.seat]
        wanted = state.phase == "choose"
        return {card.key for card in self._hand if (card.nth in fresh) == wanted and card.key != "?"}

    # Choosing

    def choose(self, choice: Choice) -> None:
        """Add a choice; raises Refused or Fault and changes nothing."""
        if self.seen is not None and len(self.choices) >= self.seen:
            self.referee.root = None
        spare = self.referee.copy(), list(self._hand), list(self.program)
        before = len(self.referee.steps)
        try:
            self._carry_out(choice)
            self._go_on()
        except BaseException:
            self.referee, self._hand, self.program = spare
            raise
        self.choices.append(choice)
        self.reach.append(before)

    def do(self, answer: Answer) -> None:
        """Choose an answer of the engine."""
        self.choose(Choice("do", format_answer(self.referee.now, answer)))

    def plan(self, orders: tuple[Order, ...] | None) -> None:
        """Choose a plan of attacks; None confirms what is left."""
        self.choose(Choice("plan", None if orders is None else [order.as_value() for order in orders]))

    @property
    def bound(self) -> int:
        """How many choices are final before the file is sealed, because dice have fallen after them."""
        steps = self.referee.steps
        rolled = next((n for n in range(len(steps) - 1, -1, -1) if steps[n].by == "dice"), -1)
        return sum(1 for before in self.reach if before <= rolled)

    def can_undo(self) -> bool:
        """Whether the last choice can be taken back: nothing was revealed after it."""
        return len(self.choices) > self.bound

    def undone(self) -> Draft:
        """The draft without its last choice; raises Refused."""
        if not self.choices:
            raise Refused("there is nothing to take back")
        if not self.can_undo():
            raise Refused("the dice that followed this choice have been seen: it cannot be taken back")
        return Draft(self.desk, tuple(self.choices[:-1]), seen=self.seen)

    def _carry_out(self, choice: Choice) -> None:
        if choice.name == "do":
            self._decide(choice.value)
        elif choice.name in ("plan", "stand", "end", "say"):
            if choice.name == "plan":
                parse_plan(choice.value)
            self._perform(choice)
        else:
            raise Refused(f'"{choice.name}" is no choice')

    def _decide(self, text: str) -> None:
        words = text.split()
        if words[0] in ("card", "discard"):
            self._show(words[1])
        self._perform(Choice("do", text))

    def _show(self, key: str) -> None:
        fresh = self.referee.fresh[self.desk.seat]
        wanted = self.referee.now.phase == "choose"
        card = next((c for c in self._hand if c.key == key and (c.nth in fresh) == wanted), None)
        if card is None:
            raise Refused(f'you have no card "{key}" that can be played now')
        self._hand.remove(card)
        number = self._number_of(key)
        self.program.append(Choice("show", (key, wanted)))
        self.referee.act(len(self.program), "show", Shown(card.nth, DECK, number))

    def _number_of(self, key: str) -> int:
        assert self.referee.match is not None
        return self.referee.match.setup.decks[0].keys.index(key)

    def _perform(self, choice: Choice) -> None:
        self.referee.act(len(self.program), choice.name, choice.value)
        self.program.append(choice)

    # What goes by itself

    def _go_on(self) -> None:
        """Open boxes that are asked for, play promised cards, draw what is due."""
        going = True
        while going:
            going = self._open_box() or self._keep_promise() or self._draw()

    def _open_box(self) -> bool:
        referee = self.referee
        box = referee.asked_box()
        if box is None:
            return False
        if self._sheet is None:
            self._sheet = self.desk.sheet()
        assert self._sheet is not None
        answer = self._sheet.open(box).answer
        self._perform(Choice("open", [(box, decode(answer))]))
        return True

    def _keep_promise(self) -> bool:
        card = self.referee.firing
        if not card or chance(self.referee.now) or self.referee.now.phase != "react":
            return False
        self._decide(f"card {card}")
        return True

    def _draw(self) -> bool:
        referee, seat = self.referee, self.desk.seat
        if is_over(referee.now) or not referee.may_draw(seat):
            return False
        due = min(referee.due(seat), referee.available)
        if due <= 0:
            return False
        if referee.reshuffle_demanded() or (referee.pile < due and referee.now.setup.options.reshuffle):
            self._perform(Choice("reshuffle", DECK))
        self._perform(Choice("draw", (seat, DECK, due)))
        return True

    # Sealing

    def seal(self, wishes: Wishes, random: Random) -> bytes:
        """The finished file; raises Refused while something is left to choose."""
        if not self.is_decided:
            raise Refused("the file is not finished", hint='"pbem status" says what is still to be decided')
        desk = self.desk
        number = desk.log.count
        held = self.holds_ambush()
        wishes = wishes._replace(ambush=wishes.ambush if held else ())
        sheet = desk.write_sheet(number, wishes).root if desk.terms.sheet else ZERO
        writer = turn_writer(desk.log, desk.seat, desk.secret, sheet, random)
        referee = desk.referee.copy()
        referee.begin(number, desk.seat, desk.side, self._root, begins=True)
        for action in writer.pay():
            referee.act(action.place, action.name, action.value)
        self._write(writer, referee)
        if desk.terms.sheet and not writer.table.ended:
            writer.note(wishes.as_value())
        referee.finish()
        return writer.seal(desk.identity, referee.digest())

    def holds_ambush(self) -> bool:
        """Whether an Ambush can be promised on the sheet of this file."""
        fresh = self.referee.fresh[self.desk.seat]
        return any(card.key == AMBUSH and card.nth not in fresh for card in self._hand)

    def _write(self, writer: Writer, referee: Referee) -> None:
        boxes = [box for choice in self.program if choice.name == "open" for box in choice.value]
        is_open = False
        mixed = not self.desk.terms.mix
        for choice in self.program:
            if choice.name == "open":
                if is_open:
                    continue
                is_open = True
                action = writer.add("open", [self._opening(box) for box, _ in boxes])
            elif choice.name == "show":
                key, fresh = choice.value
                if not mixed and not fresh and not referee.fresh[self.desk.seat]:
                    mixed = True
                    if len(writer.table.mix_places(self.desk.seat, DECK)) > 1:
                        self._act(referee, writer.mix(DECK))
                action = writer.show(self._place_of(writer, referee, key, fresh=fresh))
            elif choice.name == "reshuffle":
                action = writer.reshuffle(DECK)
            elif choice.name in ("draw", "say"):
                values = choice.value if choice.name == "draw" else (choice.value,)
                action = writer.add(choice.name, *values)
            else:
                action = writer.say(choice.name, choice.value)
            self._act(referee, action)

    @staticmethod
    def _act(referee: Referee, action: Any) -> None:
        referee.act(action.place, action.name, action.value)

    def _opening(self, box: int) -> list[Any]:
        assert self._sheet is not None
        return [box, *self._sheet.open(box)]

    def _place_of(self, writer: Writer, referee: Referee, key: str, *, fresh: bool) -> int:
        hand = read_hand(writer.table, referee, self.desk.seat, self.desk.secret)
        new = referee.fresh[self.desk.seat]
        return next(card.place for card in hand if card.key == key and (card.nth in new) == fresh)


def write_answer(
    log: Log, referee: Referee, identity: Identity, random: Random, *, message: str = ""
) -> bytes:
    """File 1: the invitation is accepted. The first sheet is empty, for no card can be read yet."""
    desk = Desk(log, referee, identity, 1)
    wishes = Wishes()

    def root(secret: GameSecret, game: bytes) -> bytes:
        return build_sheet(secret, game, 1, 1, sheet_answers(referee, 1, wishes)).root

    writer = answer_writer(log, identity, random, root)
    own = referee.copy()
    own.begin(1, 1, 1, None, begins=True)
    for action in writer.actions:
        own.act(action.place, action.name, action.value)
    if desk.terms.sheet:
        writer.note(wishes.as_value())
    if message:
        writer.add("say", message, setup=[])
    own.finish()
    return writer.seal(identity, own.digest())


def resignation() -> Choice:
    """The choice to give up."""
    return Choice("end", RESIGNS)
