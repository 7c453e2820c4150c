"""What players may settle where the rules leave a doubt: defaults, and the other value."""

from __future__ import annotations

import random

import pytest

from engine import EngineError, Options, apply, chance, is_over, legal, new_game, parse_options
from engine.battle import MOST
from engine.cards import DECKS
from engine.croupier import Croupier
from tests.drawing import ObjectiveFacts, asked, choices, figures_at, play, position, reach, unit_at
from tests.engine.battlefield import battle_of
from tests.engine.cardplay import attack, order, to_battle


def test_defaults_are_the_readings_of_the_rules() -> None:
    """C20a, C25b, C26b, C27g, C28b, R99, T21d: X4, X5, X10, X11, X14, X15 and X16 as the digest has them."""
    options = Options()
    assert options.close_assault_overrun is True  # X4
    assert options.behind_lines_battle == "limited"  # X5
    assert options.air_power_group == "connected"  # X10
    assert options.counter_infantry == "none"  # X11
    assert options.retreat_losses == "after"  # X14
    assert options.bridges_join is True  # X15
    assert options.sandbag_supply == 12  # X16
    assert options.as_text() == {}


def test_options_are_read_back_from_their_text() -> None:
    """X4: what differs from the defaults, as name and text, and nothing else."""
    texts = {
        "air_power_group": "chain",
        "close_assault_overrun": "no",
        "sandbag_supply": "6",
        "air_dice": "1/2",
    }
    options = parse_options(texts)
    assert options.as_text() == texts
    assert (options.air_dice, options.sandbag_supply) == ((1, 2), 6)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("air_power_group", "ring", 'option air_power_group is "ring"; it may be connected or chain'),
        ("close_assault_overrun", "maybe", 'option close_assault_overrun is "maybe"; it may be yes or no'),
        ("sandbag_supply", "many", 'option sandbag_supply is "many"; it takes one whole number'),
        ("sandbag_supply", "100", 'option sandbag_supply is "100"; 99 is the most'),
        ("hand", "13", 'option hand is "13"; 12 is the most'),
        ("air_dice", "3,4", 'option air_dice is "3,4"; it takes 2 whole numbers with / between, as 0/0'),
        ("air_dice", "0/7", 'option air_dice is "0/7"; 6 is the most'),
        ("deck", "foo", 'option deck is "foo"; it may be standard or young-generals'),
        ("exhausted_winner", "bob", 'option exhausted_winner is "bob"; it may be allies or axis'),
        ("air_dice", "2", 'option air_dice is "2"; it takes 2 whole numbers with / between, as 0/0'),
        ("hand", "1/2", 'option hand is "1/2"; it takes one whole number'),
    ],
)
def test_a_wrong_option_is_refused_with_a_sentence(name: str, text: str, message: str) -> None:
    with pytest.raises(EngineError) as refusal:
        parse_options({name: text})
    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("losses", "place"),
    [
        pytest.param("after", True, id="R99 X14 steps first: the unit reaches the town and dies there"),
        pytest.param("before", False, id="R99 X14 losses first: it dies where it stood"),
    ],
)
def test_order_of_steps_and_losses_in_an_incomplete_retreat(losses: str, place: bool) -> None:
    s = position(
        "G7 axis infantry 1\nD7 allies artillery\nA9 axis infantry\nf8 river\nG9 allies infantry"
        "\nH9 allies infantry"
        "\nA1 allies infantry",
        options={"retreat_losses": losses},
    )
    s = attack(to_battle(s, "D7"), "D7 G7", "flag flag")
    last = ("retreated" in {event[0] for event in s.log}, unit_at(s, "g8"))
    assert last == (place, None)
    assert s.score == (1, 0)


@pytest.mark.parametrize(("losses", "medals"), [("after", 1), ("before", 0)])
def test_the_order_decides_whether_a_dying_unit_still_enters_a_medal_hex(losses: str, medals: int) -> None:
    """R99, X14, M3: a permanent objective on the way counts if the steps come first."""
    s = position(
        "G7 axis infantry 1\nD7 allies artillery\nA9 axis infantry\nf8 river\nG9 allies infantry"
        "\nH9 allies infantry",
        options={"retreat_losses": losses},
        objectives=(ObjectiveFacts("permanent", ("axis",), ("g8",)),),
    )
    s = attack(to_battle(s, "D7"), "D7 G7", "flag flag")
    assert s.total(1) == medals


@pytest.mark.parametrize(("join", "may"), [("yes", True), ("no", False)])
def test_a_bridge_next_to_a_bridge(join: str, may: bool) -> None:
    """T21d, X15: it counts as land unless the players say otherwise."""
    board = (
        "G5 allies armor\ng6 river bridge\nH7 river bridge\nh8 axis infantry\nG7 river\nH5 river\nh6 river"
    )
    s = order(position(board, options={"bridges_join": join}), "G5")
    assert "g6" in reach(s, "G5")
    assert ("H7" in reach(s, "G5")) is may


def test_wire_under_armor_that_retreated_onto_it() -> None:
    """T42e, T42f, X15: it stays until that unit battles next."""
    s = position(
        "G5 allies infantry\nH5 axis armor\ng6 wire\nh6 river\nA9 axis infantry", enemy_hand=("probe-center",)
    )
    s = attack(to_battle(s, "G5"), "G5 H5", "flag star star")
    s = play(s, "stay", "draw ?", "card probe-center", "order g6")
    where = s.setup.grid.parse("g6")
    assert s.marks[where]
    s = play(s, "done", "attack g6 G5", "pass")
    assert not s.marks[where]
    assert asked(s) == "roll 3"
    assert figures_at(s, "G5") == 4


def test_two_timings_of_the_same_rules() -> None:
    """C10b, C21: at the table and by mail; nothing else may be named."""
    assert Options().timing == "table"
    assert parse_options({"timing": "mail"}).timing == "mail"
    with pytest.raises(EngineError, match='option timing is "fax"; it may be table or mail'):
        parse_options({"timing": "fax"})


def test_options_of_the_players_come_after_those_of_the_battle() -> None:
    """X16, C28b: what the players agree upon stands."""
    s = position(
        "G5 allies infantry\nC3 allies infantry\nA9 axis infantry",
        card="dig-in",
        options={"sandbag_supply": "1"},
    )
    s = order(s, "G5", "C3")
    assert bool(s.marks[s.setup.grid.parse("G5")])
    assert not s.marks[s.setup.grid.parse("C3")]
    assert choices(s) == []


def test_a_deck_that_is_used_once_needs_a_winner() -> None:
    """R123: or a battle might never end."""
    with pytest.raises(EngineError, match="exhausted_winner must say who wins"):
        position("G5 allies infantry\nH5 axis infantry", options={"reshuffle": "no"})


@pytest.mark.parametrize(
    "options",
    [
        {"timing": "mail"},
        {"edition": "2004"},
        {"deck": "young-generals", "hand": "6", "take_ground": "no"},
        {"air_power_group": "chain", "counter_infantry": "one", "behind_lines_battle": "free"},
        {
            "retreat_losses": "before",
            "bridges_join": "no",
            "close_assault_overrun": "no",
            "sandbag_supply": "1",
        },
        {"reshuffle": "no", "exhausted_winner": "allies"},
    ],
    ids=lambda options: " ".join(options),
)
@pytest.mark.parametrize("name", ["counter-attack-on-mortain", "arnhem-bridge"])
def test_games_under_every_option_come_to_an_end(name: str, options: dict[str, str]) -> None:
    luck = random.Random(44)
    s = new_game(battle_of(name), options)
    croupier = Croupier(s, luck)
    steps = 0
    while not is_over(s):
        s = apply(s, croupier.answer(s) if chance(s) else luck.choice(legal(s))).state
        steps += 1
        assert steps < 20_000
    assert s.winner in (0, 1)


def test_an_unknown_option_is_refused_with_those_there_are() -> None:
    with pytest.raises(EngineError, match=r'there is no option "luck"; there are air_dice, .*, timing$'):
        parse_options({"luck": "yes"})


def test_hands_are_dealt_from_one_deck() -> None:
    """V11: every card of the largest hands comes out of the smallest deck."""
    assert 2 * MOST["hand"] <= min(len(deck.keys) for deck in DECKS.values())
