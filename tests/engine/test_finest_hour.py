"""Their Finest Hour (C34)."""

from __future__ import annotations

from typing import Any

import pytest

from engine import State
from engine.cards import DECKS
from tests.drawing import asked, choices, play, position
from tests.engine.cardplay import attack, dice, leave, order, orderable, small_deck, to_battle

ARMY = """
    A3 allies infantry
    C3 allies infantry
    E3 allies armor
    I3 allies armor
    K3 allies artillery
    G9 axis infantry
"""


def hour(faces: str, board: str = ARMY, **facts: Any) -> State:
    """The state after the dice of Their Finest Hour have fallen, one for each card held."""
    held = len(faces.split())
    s = position(board, card="their-finest-hour", cards=(held, 4), **facts)
    assert asked(s) == f"roll {held}"
    return play(s, f"roll {faces}")


def test_each_symbol_orders_a_unit_of_its_class_and_a_star_any() -> None:
    """Q211, C34: one infantry, one armor, one of any kind; grenades give nothing."""
    s = hour("infantry armor star grenade")
    assert orderable(s) == {"A3", "C3", "E3", "I3", "K3"}
    s = play(s, "order A3", "order E3")
    assert orderable(s) == {"C3", "I3", "K3"}
    assert play(s, "order K3").phase == "move"


def test_a_second_unit_of_a_class_uses_up_the_star() -> None:
    """C34: symbols and stars are assigned in whatever way fits the units named."""
    s = play(hour("infantry armor star grenade"), "order A3", "order C3")
    assert orderable(s) == {"E3", "I3"}
    assert play(s, "order E3").phase == "move"


def test_artillery_is_ordered_by_stars_only() -> None:
    """Q212, C34a: not by an armor symbol, not by a grenade."""
    assert orderable(hour("armor grenade")) == {"E3", "I3"}
    assert orderable(hour("star grenade")) == {"A3", "C3", "E3", "I3", "K3"}


def test_unused_symbols_are_lost() -> None:
    """C34a: three armor symbols and two armor units."""
    s = play(hour("armor armor armor"), "order E3", "order I3")
    assert s.phase == "move"
    assert len(s.orders) == 2


def test_a_roll_without_symbols_orders_nobody() -> None:
    """C34: grenades and flags; the deck is shuffled all the same."""
    assert asked(hour("grenade flag flag")) == "shuffle"


@pytest.mark.parametrize(
    ("unit", "enemy", "expected"),
    [
        pytest.param("infantry", "H5", 4, id="C34b close assault"),
        pytest.param("infantry", "J5", 2, id="C34b infantry at 3"),
        pytest.param("artillery", "M5", 2, id="C34b artillery at 6"),
    ],
)
def test_ordered_units_have_an_extra_die_at_any_distance(unit: str, enemy: str, expected: int) -> None:
    s = to_battle(hour("star", f"G5 allies {unit}\n{enemy} axis infantry"), "G5")
    assert dice(s, f"G5 {enemy}") == expected


@pytest.mark.parametrize("enemy", ["I5", "K5"])
def test_the_extra_die_lasts_for_the_overrun(enemy: str) -> None:
    """C34b, R116: near or far."""
    s = to_battle(hour("armor", f"G5 allies armor\nH5 axis infantry 1\n{enemy} axis infantry"), "G5")
    s = play(attack(s, "G5 H5", "infantry star star star"), "ground H5")
    assert dice(s, f"H5 {enemy}") == 4


def test_deck_and_discards_are_shuffled_together_before_the_draw() -> None:
    """C34, R121: this card among them."""
    s = leave(hour("infantry armor star grenade"))
    assert (asked(s), s.piles) == ("shuffle", (60 - 8,))
    assert [s.setup.decks[0].faces[face] for face in s.discards[0]] == ["their-finest-hour"]
    s = play(s, "shuffle")
    assert (asked(s), s.piles, s.discards) == ("draw", (60 - 7,), ((),))
    s = play(s, "draw their-finest-hour")
    assert s.active == 1


def test_an_empty_deck_is_shuffled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """C34, R122: the card itself is all there is to draw."""
    monkeypatch.setitem(DECKS, "small", small_deck(their_finest_hour=1, probe_left=1))
    s = position(ARMY, card="their-finest-hour", enemy_hand=("probe-left",), options={"deck": "small"})
    s = play(s, "roll flag", "shuffle")
    assert (asked(s), s.piles) == ("draw", (1,))
    s = play(s, "draw their-finest-hour")
    assert choices(s) == ["card probe-left"]


def test_where_the_deck_is_used_once_it_is_not_shuffled() -> None:
    """C34, R123: not even by this card."""
    s = leave(hour("flag flag", options={"reshuffle": "no", "exhausted_winner": "axis"}))
    assert asked(s) == "draw"


def test_the_ambusher_of_the_turn_draws_after_the_shuffle() -> None:
    """C34, C21: the shuffle comes before every draw of the turn's end."""
    s = hour("infantry", "G5 allies infantry\nH5 axis infantry\nA9 axis infantry", enemy_hand=("ambush",))
    s = play(
        to_battle(s, "G5"), "attack G5 H5", "card ambush", "roll star star star", "roll star star star star"
    )
    assert asked(s) == "shuffle"
    s = play(s, "shuffle")
    assert (asked(s), s.seat) == ("draw", 1)


def test_only_named_units_act() -> None:
    """C34, R31: orders come before all moves."""
    s = order(hour("infantry infantry"), "A3")
    assert {c.split()[1] for c in choices(s, "move")} == {"A3"}
