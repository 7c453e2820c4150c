"""Taking letters into their games: each file is checked completely and kept, or refused and nothing changes.

Files may come twice, out of order, several games at once. A file is placed by the id of the one before it;
what cannot be placed yet waits until the others of the same delivery are in. What waits in vain is not kept.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem.container import file_id, unpack
from pbem.errors import Fault, PbemError, Refused, StoreError, TurnFileError
from pbem.evidence import make_certificate
from pbem.home import Home, read_json
from pbem.inbox import Found, Letter, Trouble
from pbem.log import Body, Entry, parse_body
from pbem.store import Game, open_offer


class Outcome(NamedTuple):
    """What became of one letter."""

    kind: str  # "accepted", "known" or "refused"
    origin: str
    number: int | None = None
    key: str | None = None
    entry: Entry | None = None
    problem: PbemError | None = None


class Addressed(NamedTuple):
    """A letter whose outside has been read."""

    letter: Letter
    body: Body
    id: bytes


class Delivery:
    """One call of `pbem apply`: the games it touches, and what became of each letter."""

    def __init__(self, home: Home, pk: bytes) -> None:
        self.home = home
        self.pk = pk
        self.games: dict[str, Game] = {}  # loaded ones
        self.touched: list[str] = []  # keys of the games that took a file in, in that order
        self.met: list[tuple[str, int]] = []  # game and seat of people who were not known before
        self._places: dict[bytes, tuple[str, int]] = {}  # id of every file in the store: game, number
        self._ids: dict[bytes, str] = {}  # ids of games
        for key in home.game_keys():
            with suppress(StoreError):  # a damaged game does not stand in the way of the others
                self._index(key)

    def _index(self, key: str) -> None:
        value = read_json(self.home.games / key / "accepted.json")
        try:
            ids = [bytes.fromhex(text) for text in value["ids"]]
            game = bytes.fromhex(value["game"])
            if len(ids) < sum(1 for _ in (self.home.games / key / "files").glob("[0-9]*.m44")):
                raise ValueError
        except (TypeError, KeyError, ValueError):  # damaged, missing or behind: look at the files
            log = self.game(key).log
            ids, game = [entry.id for entry in log.entries], log.game
        self._places.update((id, (key, number)) for number, id in enumerate(ids))
        self._ids[game] = key

    def game(self, key: str) -> Game:
        """A game of the store, loaded once."""
        if key not in self.games:
            self.games[key] = Game(self.home, key).load()
        return self.games[key]

    # The letters

    def take(self, found: list[Found]) -> list[Outcome]:
        """Take letters in, as far as they fit."""
        outcomes = [
            Outcome("refused", item.origin, problem=item.problem)
            for item in found
            if isinstance(item, Trouble)
        ]
        waiting: list[Addressed] = []
        for item in found:
            if isinstance(item, Letter):
                try:
                    waiting.append(_read_outside(item))
                except Fault as fault:
                    outcomes.append(Outcome("refused", item.origin, problem=fault))
        waiting.sort(key=lambda mail: mail.body.number)
        going = True
        while going:
            placed = [mail for mail in waiting if self._has_place(mail)]
            waiting = [mail for mail in waiting if mail not in placed]
            outcomes += [self._place(mail) for mail in placed]
            going = bool(placed)
        return outcomes + [self._missing(mail) for mail in waiting]

    def _has_place(self, mail: Addressed) -> bool:
        return mail.body.number == 0 or mail.id in self._places or mail.body.previous in self._places

    def _place(self, mail: Addressed) -> Outcome:
        number, origin = mail.body.number, mail.letter.origin
        key: str | None
        if mail.id in self._places:
            key = self._places[mail.id][0]
            if number < 2:  # the machine may have stopped before its author was noted down
                self._greet(key, number)
            return Outcome("known", origin, number, key)
        key = None
        try:
            if number == 0:
                return self._begin(mail)
            key = self._places[mail.body.previous][0]
            game = self.game(key)
            if number < game.log.count:
                raise self._second(game, mail)
            return self._keep(game, mail, game.accept(mail.letter.data))
        except (Fault, Refused, TurnFileError) as problem:
            return Outcome("refused", origin, number, key, problem=problem)

    def _begin(self, mail: Addressed) -> Outcome:
        game, examined = open_offer(self.home, mail.letter.data)
        if self.pk not in examined.log.identities and None not in examined.log.identities:
            raise Refused(
                "this game is between other people",
                hint=f'"pbem verify" checks games of others; try: pbem verify "{mail.letter.origin}"',
                code="foreign",
            )
        entry = game.keep(examined)
        self.games[game.key] = game
        return self._keep(game, mail, entry)

    def _keep(self, game: Game, mail: Addressed, entry: Entry) -> Outcome:
        self._places[entry.id] = (game.key, entry.number)
        self._ids[game.log.game] = game.key
        if game.key not in self.touched:
            self.touched.append(game.key)
        pk = game.log.identities[entry.seat]
        assert pk is not None
        if pk == self.pk:  # a file of our own comes back, after a restore
            game.remember_signed(entry.number, mail.letter.data)
        elif entry.number < 2:
            self._greet(game.key, entry.seat)
        return Outcome("accepted", mail.letter.origin, entry.number, game.key, entry)

    def _greet(self, key: str, seat: int) -> None:
        """Note the author of an invitation or an answer, if they are new."""
        pk = self.game(key).log.identities[seat]
        if pk is not None and pk != self.pk and self.home.name_of(pk) is None:
            self.met.append((key, seat))

    def _second(self, game: Game, mail: Addressed) -> PbemError:
        """The refusal of another file for a place that is taken; a valid one is kept as evidence."""
        number = mail.body.number
        examined = game.examine_again(mail.letter.data, number)  # not valid: Fault, and no evidence
        author = examined.log.identities[examined.entry.seat]
        if author != game.log.identities[examined.entry.seat]:
            return Refused(
                "somebody else has answered this invitation before",
                hint="the first valid answer counts; offer another game",
                code="answered",
            )
        path = self._keep_fork(game, mail)
        who = "you have" if author == self.pk else "its author has"
        return TurnFileError(
            f"fork: {who} signed two different files with number {number} in this game; the first one stays",
            hint=f'the proof, which anybody can check with "pbem verify", is in "{path}"',
            code="fork",
        )

    def _keep_fork(self, game: Game, mail: Addressed) -> Path:
        """Keep a second version and the certificate of the fork; where the certificate is."""
        number, name = mail.body.number, f"{mail.body.number:04}-{mail.id.hex()[:12]}"
        game.keep_evidence(mail.letter.data, f"{name}.m44")
        certificate = make_certificate(game.raw[:number], game.raw[number], mail.letter.data)
        return game.keep_evidence(certificate, f"{name}.cert")

    def _missing(self, mail: Addressed) -> Outcome:
        """The refusal of a file whose predecessor is not here."""
        number, origin = mail.body.number, mail.letter.origin
        key = self._ids.get(mail.body.game)
        if key is None:
            problem: PbemError = Refused(
                f"this is file {number} of a game that is not here",
                hint='apply its invitation and all files up to it; "pbem verify" checks games of others',
                code="unknown-game",
            )
        elif self.game(key).log.count >= number:
            problem = Fault("E_PREV", "the file does not follow the file before it as this game has it")
            problem.file = number
        else:
            count = self.game(key).log.count
            gap = f"file {count} is" if number == count + 1 else f"files {count} to {number - 1} are"
            problem = Refused(
                f"this is file {number}, and {gap} missing before it",
                hint="ask for what is missing and apply all of them together",
                code="missing",
            )
        return Outcome("refused", origin, number, key, problem=problem)


def _read_outside(letter: Letter) -> Addressed:
    parts = unpack(letter.data)
    return Addressed(letter, parse_body(parts.body), file_id(parts.body))
