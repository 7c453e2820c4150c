"""Taking letters into their games: each file is checked completely and kept, or refused and nothing changes.

Files may come twice, out of order, several games at once. A file is placed by the id of the one before it;
what cannot be placed yet waits until the others of the same delivery are in. What waits in vain is not kept.
Files of the store that are damaged or missing are put back from the letters. A game that stays damaged
refuses its own letters, and nobody else's.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pbem.container import LARGEST, file_id, unpack
from pbem.errors import Fault, PbemError, Refused, StoreError, TurnFileError
from pbem.files import read_file, write_file
from pbem.home import Home
from pbem.inbox import Found, Letter, Trouble
from pbem.log import Body, Entry, parse_body
from pbem.store import Examined, Game, open_offer
from pbem.summary import ANSWERED, TAKEN, WITHDRAWN

FOREIGN = "foreign"  # code of a refusal: a game between other people


class Outcome(NamedTuple):
    """What became of one letter."""

    kind: str  # "accepted", "restored", "known" or "refused"
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
        self._spares: dict[int, list[bytes]] = {}  # the letters by their numbers
        self._damaged: dict[str, StoreError] = {}  # games that cannot be read, with the reason
        self._foreign: set[bytes] = set()  # ids of files of games between other people
        self._rivals: dict[
            bytes, tuple[str, Examined]
        ] = {}  # files of others after an offer we have answered
        self._restored: set[bytes] = set()  # ids of files that were put back and are not yet spoken of

    def game(self, key: str) -> Game:
        """A game of the store, loaded once; raises StoreError if the letters cannot mend it."""
        if key in self._damaged:
            raise self._damaged[key]
        if key not in self.games:
            game = Game(self.home, key)
            try:
                self.games[key] = game.load(self._spares)
            except StoreError as problem:
                self._damaged[key] = problem
                raise
            finally:  # a game that stays damaged may have got files back all the same
                self._restored.update(game.restored)
                self._note(key, {entry.number: entry.id for entry in game.log.entries}, game.log.game)
        return self.games[key]

    def _index(self, key: str) -> None:
        """Note which files a game has: by its list, else by reading it, else by the outside of its files."""
        game = Game(self.home, key)
        ids, _, name = game.accepted()
        numbers = game.stored()
        if all(number < len(ids) for number in numbers[-1:]):
            self._note(key, {number: bytes.fromhex(id) for number, id in enumerate(ids)}, bytes.fromhex(name))
            return
        with suppress(StoreError):  # a damaged game does not stand in the way of the others
            self.game(key)
            return
        for number in numbers:
            outside = game.outside(number)
            if outside is not None:
                self._note(key, {number: outside[0]}, outside[1].game)

    def _note(self, key: str, ids: Mapping[int, bytes], game: bytes) -> None:
        self._places.update((id, (key, number)) for number, id in ids.items())
        self._ids[game] = key

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
        for mail in waiting:
            self._spares.setdefault(mail.body.number, []).append(mail.letter.data)
        for key in self.home.game_keys():
            self._index(key)
        going = True
        while going:
            placed = [mail for mail in waiting if self._has_place(mail)]
            waiting = [mail for mail in waiting if mail not in placed]
            outcomes += [self._place(mail) for mail in placed]
            going = bool(placed)
        return outcomes + [self._missing(mail) for mail in waiting]

    def _has_place(self, mail: Addressed) -> bool:
        previous = mail.body.previous
        known = mail.id in self._places or previous in self._places or previous in self._rivals
        return mail.body.number == 0 or known

    def _place(self, mail: Addressed) -> Outcome:
        previous = mail.body.previous
        if previous in self._rivals:
            return self._lose(mail)
        key, _ = self._places.get(mail.id) or self._places.get(previous) or (None, 0)
        try:
            return self._begin(mail) if key is None else self._take_into(key, mail)
        except (Fault, Refused, TurnFileError, StoreError) as problem:
            return self._failure(key, mail, problem)

    def _begin(self, mail: Addressed) -> Outcome:
        game, examined = open_offer(self.home, mail.letter.data)
        if self.pk not in examined.log.identities and None not in examined.log.identities:
            raise self._refuse_foreign(mail)
        if game.stored():  # the game is there, and neither its list nor its first file can be read
            return self._take_into(game.key, mail)
        return self._keep(game, mail, examined)

    def _refuse_foreign(self, mail: Addressed) -> Refused:
        """The refusal of a file of other people's game; those that follow it are refused likewise."""
        self._foreign.add(mail.id)
        hint = '"pbem verify PATH" checks games of others'
        return Refused("this game is between other people", hint=hint, code=FOREIGN)

    def _take_into(self, key: str, mail: Addressed) -> Outcome:
        """Put a letter into a game of the store: the next file, or one that is there or should be."""
        number, origin = mail.body.number, mail.letter.origin
        if not self._lies_there(key, mail):
            game = self.game(key)  # puts back what is damaged or missing, as far as there are letters
            if number >= game.log.count:
                examined = game.examine(mail.letter.data)
                _check_stands(game, number)
                return self._keep(game, mail, examined)
            if game.log.entries[number].id != mail.id:
                raise self._second(game, mail)
            if mail.id in self._restored or game.replace(mail.letter.data, number):
                self._restored.discard(mail.id)
                self._touch(key)
                return Outcome("restored", origin, number, key)
        if number < 2:  # the machine may have stopped before its author was noted down
            with suppress(StoreError):
                self._greet(key, number)
        return Outcome("known", origin, number, key)

    def _lies_there(self, key: str, mail: Addressed) -> bool:
        """Whether a letter is in the store, byte for byte, and was there before."""
        number = mail.body.number
        if mail.id in self._restored or self._places.get(mail.id) != (key, number):
            return False
        with suppress(StoreError):
            path = Game(self.home, key).file_path(number)
            return read_file(path, limit=LARGEST) == mail.letter.data
        return False

    def _keep(self, game: Game, mail: Addressed, examined: Examined) -> Outcome:
        entry = examined.entry
        pk = examined.log.identities[entry.seat]
        if pk == self.pk:  # a file of our own comes back, after a restore
            game.remember_signed(entry.number, mail.letter.data)
        game.keep(examined)
        self.games[game.key] = game
        self._note(game.key, {entry.number: entry.id}, game.log.game)
        self._touch(game.key)
        if entry.number < 2:
            self._greet(game.key, entry.seat)
        return Outcome("accepted", mail.letter.origin, entry.number, game.key, entry)

    def _touch(self, key: str) -> None:
        if key not in self.touched:
            self.touched.append(key)

    def _failure(self, key: str | None, mail: Addressed, problem: PbemError) -> Outcome:
        """A letter that is not taken in; it may have been put back in a game that stays damaged."""
        kind = "restored" if mail.id in self._restored else "refused"
        self._restored.discard(mail.id)
        return Outcome(kind, mail.letter.origin, mail.body.number, key, problem=problem)

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
            if game.log.identities[examined.entry.seat] == self.pk:
                self._rivals[mail.id] = (game.key, examined)
                return Refused(
                    "somebody else has answered this invitation as well as you",
                    hint="the answer that its author plays on with counts: apply their next file too",
                    code="answered",
                )
            return Refused(
                "somebody else has answered this invitation before",
                hint="the first valid answer counts; offer another game",
                code="answered",
            )
        path = self._keep_fork(game, mail)
        who = "you have" if author == self.pk else f"{self.home.name_of(author or b'') or 'its author'} has"
        return TurnFileError(
            f"fork: {who} signed two different files with number {number} in this game; the first one stays",
            hint=f'the proof, which anybody can check with "pbem verify", is in "{path}"',
            code="fork",
        )

    def _lose(self, mail: Addressed) -> Outcome:
        """Refuse a file that plays on with the answer of somebody else; it marks our game as lost to them."""
        key, rival = self._rivals[mail.body.previous]
        try:
            log, entry = rival.log.trust(on=False).check(mail.letter.data)
            self._rivals[mail.id] = (key, Examined(mail.letter.data, log, entry, rival.referee.read(entry)))
            game = self.game(key)
            if game.log.count == ANSWERED:
                write_file(game.path / TAKEN, b"")
                self._touch(key)
        except (Fault, StoreError) as problem:
            return self._failure(key, mail, problem)
        said = "the answer of somebody else was taken: this game will not be played with you"
        return self._failure(key, mail, Refused(said, hint="offer another game", code="taken"))

    def _keep_fork(self, game: Game, mail: Addressed) -> Path:
        """Keep a second version and the certificate of the fork; where the certificate is."""
        from pbem.evidence import make_certificate

        number, name = mail.body.number, f"{mail.body.number:04}-{mail.id.hex()[:12]}"
        game.keep_evidence(mail.letter.data, f"{name}.m44")
        certificate = make_certificate(game.raw[:number], game.raw[number], mail.letter.data)
        return game.keep_evidence(certificate, f"{name}.cert")

    def _missing(self, mail: Addressed) -> Outcome:
        """The refusal of a file whose predecessor is not here."""
        if mail.body.previous in self._foreign:
            return self._failure(None, mail, self._refuse_foreign(mail))
        key = self._ids.get(mail.body.game)
        try:
            return self._failure(key, mail, self._gap(key, mail.body.number))
        except StoreError as problem:
            return self._failure(key, mail, problem)

    def _gap(self, key: str | None, number: int) -> PbemError:
        """What lies between a game and a file that does not follow it; raises StoreError."""
        if key is None:
            return Refused(
                f"this is file {number} of a game that is not here",
                hint='apply its invitation and all files up to it; "pbem verify" checks games of others',
                code="unknown-game",
            )
        count = self.game(key).log.count
        if count >= number:
            problem = Fault(
                "E_PREV",
                "the file does not follow the file before it as this game has it",
                hint="ask for the file before it as well: its author may have written a second one",
            )
            problem.file = number
            return problem
        gap = f"file {count} is" if number == count + 1 else f"files {count} to {number - 1} are"
        return Refused(
            f"this is file {number}, and {gap} missing before it",
            hint="ask for what is missing and apply all of them together",
            code="missing",
        )


def _check_stands(game: Game, number: int) -> None:
    """Raises Refused for an answer to an invitation that was withdrawn."""
    if number == 1 and (game.path / WITHDRAWN).is_file():
        raise Refused(
            "this answer comes too late: you have withdrawn the invitation",
            hint=f'to play all the same: "pbem accept {game.key}", then apply the file again',
            code="withdrawn",
        )


def _read_outside(letter: Letter) -> Addressed:
    parts = unpack(letter.data)
    return Addressed(letter, parse_body(parts.body), file_id(parts.body))
