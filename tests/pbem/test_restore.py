"""Identity and files restore everything: both players lose their machines in mid-game and play on (C10)."""

from __future__ import annotations

import random

import pytest

from pbem.draft import Desk, Draft, parse_wishes
from pbem.errors import Refused
from pbem.identity import Identity, backup_text, restore_text
from pbem.log import Log
from pbem.notes import open_note
from pbem.referee import Referee
from pbem.sheet import build_sheet
from pbem.writer import own_secret
from tests.mailgame import ALICE, BOB, byte_source, decide, play_game, wishes_of
from tests.pbem.forge import ANSWERS, PEOPLE, open_file, opening, sheet_of, small, teams

SEATS = (ALICE, BOB)


def restored(identity: Identity) -> Identity:
    """The person from the printed backup."""
    return restore_text(backup_text(identity))


def replayed(files: list[bytes]) -> tuple[Log, Referee]:
    """Everything that the files say."""
    log, referee = Log(), Referee()
    for data in files:
        log, entry = log.check(data)
        referee = referee.read(entry)
    return log, referee


@pytest.mark.parametrize(("dice", "retreat"), [("sealed", "sheet"), ("instant", "stand")])
def test_both_players_restored_in_mid_game_play_on_to_the_end(dice: str, retreat: str) -> None:
    """C10: backup texts and files alone; they read their hands, open their sheets and finish the game."""
    played = play_game("montelimar", dice=dice, retreat=retreat, seed=2, most=14)
    log, referee = replayed(played.files)
    luck, source = random.Random(3), byte_source(77)
    people = [restored(identity) for identity in SEATS]
    for seat, party in enumerate(played.parties[:2]):
        desk = Desk(log, referee, people[seat], seat)
        assert desk.hand() == party.desk.hand()
        assert desk.secret.sigma == party.desk.secret.sigma
        sheet, before = desk.sheet(), party.desk.sheet()
        assert sheet is not None
        assert before is not None
        assert (sheet.root, sheet.open(5)) == (before.root, before.open(5))
    opened = 0
    while not log.ended and log.count < 34:
        seat = 1 - log.entries[-1].seat
        draft = Draft(Desk(log, referee, people[seat], seat))
        decide(draft, luck)
        opened += sum(1 for choice in draft.program if choice.name == "open")
        log, entry = log.check(draft.seal(wishes_of(draft, luck), source))
        referee = referee.read(entry)
    assert log.count > 25
    assert opened > 0


def test_a_restored_player_opens_the_very_sheet_sealed_before_the_loss() -> None:
    """The answer to a question asked after the loss comes from the sheet that was sealed before it."""
    played = play_game("montelimar", retreat="sheet", seed=2, most=40)
    log, referee, found = Log(), Referee(), 0
    for data in played.files:
        body = open_file(data)
        for op in body["o"]:
            if op[0] == "open":
                sheet = Desk(log, referee, restored(SEATS[body["a"]]), body["a"]).sheet()
                assert sheet is not None
                assert [opening(sheet, box[0]) for box in op[1]] == op[1]
                found += 1
        log, entry = log.check(data)
        referee = referee.read(entry)
    assert found > 1


def test_the_note_holds_what_was_sealed() -> None:
    played = play_game("montelimar", seed=2, most=12)
    log, referee = replayed(played.files)
    for seat in (0, 1):
        desk = Desk(log, referee, restored(SEATS[seat]), seat)
        number, root = log.sheets[seat] or (0, b"")
        note = next(action.value for action in log.entries[number].actions if action.name == "note")
        wishes = parse_wishes(open_note(desk.secret, log.game, number, note))
        assert desk.write_sheet(number, wishes).root == root
        assert wishes.stand.general.route == ("cover", "away")


def test_another_identity_restores_nothing() -> None:
    played = play_game("pegasus-bridge", seed=2, most=6)
    log, referee = replayed(played.files)
    stranger = Identity(b"X" * 32)
    with pytest.raises(Refused):
        own_secret(log, stranger, 0)
    desk = Desk(log, referee, BOB, 0)  # the opponent on the other chair
    with pytest.raises(Refused):
        desk.hand()


def test_a_second_key_holder_restored_from_their_own_master_opens_the_first_ones_sheet() -> None:
    """Part 16, honest runs: the box in the key op carries the team's secret to the mate."""
    stage = teams()
    log = stage.logs[4]
    mate = restored(PEOPLE[2])
    secret = own_secret(log, mate, 2)
    assert secret.sigma == own_secret(log, PEOPLE[0], 0).sigma
    number, root = log.sheets[0] or (0, b"")
    assert build_sheet(secret, log.game, number, 0, ANSWERS).root == root
    with pytest.raises(Refused):
        own_secret(log, PEOPLE[3], 3)  # a seat without a key has no box


def test_a_small_game_is_restored_from_the_files_alone() -> None:
    stage = small()
    sheet = sheet_of(stage.logs[3], 1, 1, restored(PEOPLE[1]))
    assert [opening(sheet, 5)] == next(op[1] for op in open_file(stage.files[3])["o"] if op[0] == "open")
