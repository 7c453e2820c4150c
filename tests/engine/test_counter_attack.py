"""Counter-Attack: the order the opponent has just given (C27)."""

from __future__ import annotations

import pytest

from engine import State
from tests.drawing import asked, choices, figures_at, play, position
from tests.engine.cardplay import attack, dice, draw, leave, next_turn, orderable, to_battle

FIELD = """
    B3 allies infantry
    G3 allies infantry
    K3 allies infantry
    H1 allies armor
    B7 axis infantry
    G7 axis infantry
    K7 axis infantry
    H9 axis armor
"""


def countered(
    card: str, *answers: str, board: str = FIELD, hand: tuple[str, ...] = (), **options: str
) -> State:
    """The state after the Allies have played a card and the Axis a Counter-Attack."""
    s = position(board, card=card, enemy_hand=("counter-attack", *hand), options=options)
    return play(next_turn(play(s, *answers)), "card counter-attack")


@pytest.mark.parametrize(
    ("card", "hexes"),
    [
        pytest.param("probe-left", {"B7"}, id="C27a left: the west for both"),
        pytest.param("probe-center", {"G7", "H9"}, id="C27a center"),
        pytest.param("assault-right", {"K7"}, id="C27a right: the east for both"),
        pytest.param("recon-in-force", {"B7", "G7", "K7", "H9"}, id="C27a all sections"),
        pytest.param("pincer-move", {"B7", "K7"}, id="C27a pincer"),
    ],
)
def test_a_copied_section_card_reaches_the_same_third_of_the_board(card: str, hexes: set[str]) -> None:
    assert orderable(countered(card)) == hexes


def test_a_copied_infantry_assault_is_bound_to_the_same_third() -> None:
    """Q189, C27b: no section is asked for."""
    s = countered("infantry-assault", "section left")
    assert s.phase == "order"
    assert orderable(s) == {"B7"}
    s = countered("infantry-assault", "section right")
    assert orderable(s) == {"K7"}


def test_an_infantry_assault_that_fell_back_leaves_the_choice_free() -> None:
    """C27b, C3: an opponent without infantry used no section."""
    s = countered("infantry-assault", board="H1 allies armor\nB7 axis infantry\nK7 axis infantry")
    assert choices(s) == ["section center", "section left", "section right"]


@pytest.mark.parametrize(("choice", "expected"), [("none", "draw"), ("one", "order")])
def test_a_copied_infantry_assault_without_infantry_there(choice: str, expected: str) -> None:
    """C27g, X11: nobody is ordered; by the other reading one unit of that section is."""
    board = "B3 allies infantry\nG7 axis infantry\nB9 axis armor\nC9 axis artillery\nK9 axis armor"
    s = countered("infantry-assault", "section left", board=board, counter_infantry=choice)
    assert asked(s) == expected
    if choice == "one":
        assert orderable(s) == {"B9", "C9"}
        assert play(s, "order B9").phase == "move"


def test_the_fallback_is_judged_for_the_countering_player() -> None:
    """C27c, C3: he has no infantry at all, so one unit of any kind is ordered."""
    s = countered("move-out", board="B3 allies infantry\nB9 axis armor\nK9 axis artillery")
    assert orderable(s) == {"B9", "K9"}


def test_the_fallback_of_a_copied_infantry_assault_is_bound_to_no_section() -> None:
    """C27c, C3: without any infantry the one unit may stand anywhere."""
    board = "B3 allies infantry\nG9 axis armor\nK9 axis artillery"
    assert orderable(countered("infantry-assault", "section left", board=board)) == {"G9", "K9"}


def test_a_copied_recon_draws_two_cards_and_keeps_one() -> None:
    """Q191, C27c: one unit is ordered; the new cards are looked at after the turn."""
    s = leave(position(FIELD, card="recon-left", enemy_hand=("counter-attack",)))
    s = play(s, "draw dig-in probe-left", "discard dig-in", "card counter-attack")
    assert orderable(s) == {"B7"}
    s = leave(s)
    assert s.queue[0] == ("draw", 1, 2, True)
    s = play(s, "draw probe-left ambush")
    assert choices(s) == ["discard ambush", "discard probe-left"]
    s = play(s, "discard ambush")
    assert [len(hand) for hand in s.hands] == [1, 1]


def test_air_power_copied_by_the_axis_has_the_dice_of_the_axis() -> None:
    """Q192, C27c: one die for each unit where the Allies rolled two."""
    s = position(FIELD, card="air-power", enemy_hand=("counter-attack",))
    s = play(s, "target B7")
    assert asked(s) == "roll 2"
    s = next_turn(play(s, "roll star armor"))
    s = play(s, "card counter-attack", "target B3")
    assert asked(s) == "roll 1"


def test_a_copied_finest_hour_counts_the_own_cards_and_reshuffles() -> None:
    """C27c, C8, C34: four cards held, four dice; the deck is shuffled before the draw."""
    s = position(FIELD, card="their-finest-hour", enemy_hand=("counter-attack", "?", "?", "?"))
    s = next_turn(play(s, "roll flag"))
    s = play(s, "card counter-attack")
    assert asked(s) == "roll 4"
    s = leave(play(s, "roll armor flag flag flag"))
    assert (asked(s), s.piles) == ("shuffle", (60 - 5,))  # the first reshuffle has been drawn from


def test_bonus_dice_are_copied_too() -> None:
    """C27c: Armor Assault gives the countering armor its extra die in close assault."""
    s = countered("armor-assault", board="H5 allies infantry\nA1 allies armor\nG5 axis armor")
    assert dice(to_battle(s, "G5"), "G5 H5") == 4


def test_medics_are_copied_for_the_own_wounded() -> None:
    """C27c, C32: the countering player heals a unit of his own."""
    s = position(
        "B3 allies infantry\nC3 axis infantry\nK7 axis infantry",
        card="direct-from-hq",
        hand=("medics-and-mechanics",),
        enemy_hand=("probe-left", "counter-attack"),
    )
    s = next_turn(attack(to_battle(s, "B3"), "B3 C3", "infantry star star"))
    s = play(next_turn(play(s, "card probe-left")), "card medics-and-mechanics")
    assert asked(s) == "draw"  # no Allied unit has losses
    s = play(next_turn(s), "card counter-attack")
    assert choices(s, "heal") == ["heal C3"]
    assert figures_at(s, "C3") == 3


def test_a_countered_counter_attack_repeats_the_order_once_more() -> None:
    """C27d: Probe in the west, answered in the west, answered in the west again."""
    s = position(FIELD, card="probe-left", hand=("counter-attack",), enemy_hand=("counter-attack",))
    s = play(next_turn(s), "card counter-attack")
    assert orderable(s) == {"B7"}
    s = play(next_turn(s), "card counter-attack")
    assert orderable(s) == {"B3"}


def test_a_countered_counter_of_an_infantry_assault_keeps_its_third() -> None:
    """C27d, C27b: also where the section was chosen and not printed."""
    s = position(FIELD, card="infantry-assault", hand=("counter-attack",), enemy_hand=("counter-attack",))
    s = play(next_turn(play(s, "section right")), "card counter-attack")
    assert orderable(s) == {"K7"}
    s = play(next_turn(s), "card counter-attack")
    assert orderable(s) == {"K3"}


def test_as_the_first_card_of_the_game_it_orders_nothing() -> None:
    """Q190, C27e: the turn goes on to the draw of one card."""
    s = position(FIELD, card="counter-attack", enemy_hand=("counter-attack",))
    assert (asked(s), s.queue[0]) == ("draw", ("draw", 0, 1, False))
    s = play(draw(s), "card counter-attack")  # and answering that orders nothing either
    assert asked(s) == "draw"


def test_ambush_is_never_copied() -> None:
    """Q187, C21g, C27f: the copied card is the one the opponent played on his own last turn."""
    s = position(
        "B3 allies infantry\nC3 axis infantry\nG7 axis infantry\nK7 axis infantry\nG1 allies infantry",
        card="probe-center",
        hand=("assault-left", "counter-attack"),
        enemy_hand=("attack-center", "ambush"),
    )
    s = play(next_turn(s), "card attack-center")
    s = play(next_turn(s), "card assault-left", "order B3", "done", "attack B3 C3", "card ambush")
    s = next_turn(play(s, "roll star star star", "roll star star star"))
    s = next_turn(play(s, "card probe-right"))  # hidden card: the Axis may hold it
    s = play(s, "card counter-attack")
    assert s.order == "probe-left"


def test_an_ambush_thrown_away_for_want_of_other_cards_is_not_copied() -> None:
    """C27f, X13: Counter-Attack after it orders nothing."""
    s = position(FIELD, card="ambush", enemy_hand=("counter-attack",))
    s = play(next_turn(s), "card counter-attack")
    assert asked(s) == "draw"
    assert s.order == "counter-attack"


def test_a_copied_dig_in_lays_sandbags_for_the_countering_side() -> None:
    """C27c, C28: up to four of his own infantry units."""
    s = countered("dig-in")
    s = play(s, "order B7", "order G7", "done")
    assert [bool(s.marks[s.setup.grid.parse(label)]) for label in ("B7", "G7", "K7", "B3")] == [
        True,
        True,
        False,
        False,
    ]
