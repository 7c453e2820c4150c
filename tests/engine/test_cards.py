"""The deck, the section cards, and what all cards have in common (C1-C16)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.cards import CARDS, DECKS, mirrored
from tests.drawing import asked, choices, play, position, reach
from tests.engine.cardplay import dice, leave, order, orderable, small_deck, to_battle

LINE = """
    A3 allies infantry
    C3 allies armor
    d4 allies infantry
    G3 allies artillery
    H3 allies infantry
    i4 allies armor
    K3 allies infantry
    M3 allies artillery
    G9 axis infantry
"""
WEST, SHARED_WEST, CENTER, SHARED_EAST, EAST = {"A3", "C3"}, {"d4"}, {"G3", "H3"}, {"i4"}, {"K3", "M3"}
LEFT, MIDDLE, RIGHT = WEST | SHARED_WEST, SHARED_WEST | CENTER | SHARED_EAST, SHARED_EAST | EAST


# The deck


@pytest.mark.parametrize(
    ("keys", "copies"),
    [
        pytest.param(("recon-left", "recon-center", "recon-right"), (2, 2, 2), id="C10 recon"),
        pytest.param(("probe-left", "probe-center", "probe-right"), (4, 5, 4), id="C11 probe"),
        pytest.param(("attack-left", "attack-center", "attack-right"), (3, 4, 3), id="C12 attack"),
        pytest.param(("assault-left", "assault-center", "assault-right"), (2, 2, 2), id="C13 assault"),
        pytest.param(("recon-in-force",), (3,), id="C14 recon in force"),
        pytest.param(("general-advance",), (1,), id="C15 general advance"),
        pytest.param(("pincer-move",), (1,), id="C16 pincer move"),
        pytest.param(("air-power", "ambush"), (1, 1), id="C20 C21 air power, ambush"),
        pytest.param(("armor-assault", "artillery-bombard"), (2, 1), id="C22 C23 armor, artillery"),
        pytest.param(("barrage", "behind-enemy-lines"), (1, 1), id="C24 C25 barrage, behind enemy lines"),
        pytest.param(("close-assault", "counter-attack"), (1, 2), id="C26 C27 close assault, counter"),
        pytest.param(("dig-in", "direct-from-hq"), (1, 2), id="C28 C29 dig-in, direct from HQ"),
        pytest.param(("firefight", "infantry-assault"), (1, 2), id="C30 C31 firefight, infantry assault"),
        pytest.param(("medics-and-mechanics", "move-out"), (1, 2), id="C32 C33 medics, move out"),
        pytest.param(("their-finest-hour",), (1,), id="C34 their finest hour"),
    ],
)
def test_every_card_has_its_number_of_copies(keys: tuple[str, ...], copies: tuple[int, ...]) -> None:
    deck = DECKS["standard"]
    assert tuple(deck.copies[key] for key in keys) == copies
    assert tuple(deck.keys.count(key) for key in keys) == copies


def test_the_standard_deck_has_forty_section_and_twenty_tactic_cards() -> None:
    """Q164, C1, R15: sixty cards in two kinds; 11 left, 13 center, 11 right, 5 wider ones."""
    deck = DECKS["standard"]
    assert len(deck.keys) == 60
    assert sum(CARDS[key].tactic for key in deck.keys) == 20
    sections = [key for key in deck.keys if not CARDS[key].tactic]
    where = Counter(key.rpartition("-")[2] for key in sections)
    assert [where[name] for name in ("left", "center", "right")] == [11, 13, 11]
    assert len(sections) - 35 == 5
    assert all(CARDS[key].sections is not None for key in sections)


def test_a_mirrored_section_card_changes_its_flank_and_nothing_else() -> None:
    """C27a: left and right change places; every other card stays what it is."""
    for key in CARDS:
        swapped = key.replace("left", "?").replace("right", "left").replace("?", "right")
        assert mirrored(key) == swapped
        assert mirrored(mirrored(key)) == key


# Section cards


@pytest.mark.parametrize(
    ("card", "where", "most"),
    [
        pytest.param("recon-left", LEFT, 1, id="C10 recon left"),
        pytest.param("recon-center", MIDDLE, 1, id="C10 recon center"),
        pytest.param("recon-right", RIGHT, 1, id="C10 recon right"),
        pytest.param("probe-left", LEFT, 2, id="C11 probe left"),
        pytest.param("probe-center", MIDDLE, 2, id="C11 probe center"),
        pytest.param("probe-right", RIGHT, 2, id="C11 probe right"),
        pytest.param("attack-left", LEFT, 3, id="C12 attack left"),
        pytest.param("attack-center", MIDDLE, 3, id="C12 attack center"),
        pytest.param("attack-right", RIGHT, 3, id="C12 attack right"),
        pytest.param("assault-left", LEFT, 3, id="C13 C2 assault left"),
        pytest.param("assault-center", MIDDLE, 4, id="C13 C2 assault center"),
        pytest.param("assault-right", RIGHT, 3, id="C13 C2 assault right"),
    ],
)
def test_a_section_card_orders_its_number_of_units_in_its_section(
    card: str, where: set[str], most: int
) -> None:
    s = position(LINE, card=card)
    assert orderable(s) == where
    for label in sorted(where)[:most]:
        assert s.phase == "order"
        s = play(s, f"order {label}")
    assert s.phase == "move"
    assert len(s.orders) == most


def test_left_and_right_are_seen_from_the_players_own_chair() -> None:
    """C11, R10: the top player's Probe Left reaches the east."""
    s = position("B7 axis infantry\nK7 axis infantry\nG1 allies infantry", card="probe-left", first="axis")
    assert orderable(s) == {"K7"}


def test_recon_in_force_orders_one_unit_in_each_section() -> None:
    """C14, C14a: one for each third; a unit on a line fills the quota of one of its two sections."""
    s = play(position(LINE, card="recon-in-force"), "order A3")
    assert orderable(s) == MIDDLE | RIGHT  # d4 counts for the center now
    s = play(s, "order d4")
    assert orderable(s) == RIGHT
    s = play(s, "order i4")
    assert s.phase == "move"


def test_general_advance_orders_two_units_in_each_section() -> None:
    """C15, C14a: both units on the lines may fill the center, or their flanks."""
    s = play(position(LINE, card="general-advance"), "order A3", "order C3")
    assert orderable(s) == MIDDLE | RIGHT
    s = play(s, "order K3", "order M3")
    assert orderable(s) == MIDDLE
    s = play(s, "order d4", "order i4")
    assert s.phase == "move"
    assert len(s.orders) == 6


def test_pincer_move_orders_two_units_on_each_flank_and_none_in_the_center() -> None:
    """C16, C14a: a unit on a line counts for its flank."""
    s = position(LINE, card="pincer-move")
    assert orderable(s) == LEFT | RIGHT
    s = play(s, "order d4", "order A3")
    assert orderable(s) == RIGHT
    s = play(s, "order i4", "order M3")
    assert s.phase == "move"


def test_recon_in_force_draws_a_single_card() -> None:
    """C10a: it is no Recon card."""
    s = leave(position(LINE, card="recon-in-force"))
    assert asked(s) == "draw"
    assert s.queue == (("draw", 0, 1, False), ("begin",))


# What all cards share


@pytest.mark.parametrize("card", ["probe-left", "assault-center", "move-out", "close-assault", "dig-in"])
def test_numbers_of_units_are_maxima(card: str) -> None:
    """C2, R30: no unit need be ordered at all."""
    s = position(LINE, card=card)
    if card == "close-assault":  # nobody is next to an enemy, so there is nothing to order
        assert asked(s) == "draw"
    else:
        assert asked(play(s, "done")) == "draw"


FALLBACKS = {
    "armor-assault": "G5 allies infantry\nC3 allies artillery",
    "artillery-bombard": "G5 allies infantry\nC3 allies armor",
    "behind-enemy-lines": "G5 allies armor\nC3 allies artillery",
    "dig-in": "G5 allies armor\nC3 allies artillery",
    "infantry-assault": "G5 allies armor\nC3 allies artillery",
    "move-out": "G5 allies armor\nC3 allies artillery",
}


@pytest.mark.parametrize("card", FALLBACKS)
def test_without_any_unit_of_its_class_a_card_orders_one_unit_of_any_kind(card: str) -> None:
    """C3, C22b, Q202: that unit moves and battles by its own rules, with nothing of the card."""
    s = position(FALLBACKS[card] + "\nH5 axis infantry\nA9 axis infantry", card=card)
    assert orderable(s) == {"G5", "C3"}
    s = play(s, "order G5")
    assert s.phase == "move"
    steps = 2 if s.setup.arm[s.orders[0]] == 0 else 3
    assert {s.setup.grid.near[a[1]][a[-1]] for a in s.answers if a[0] == "move"} - {0} == set(
        range(1, steps + 1)
    )
    s = play(s, "done")
    assert dice(s, "G5 H5") == 3  # no extra die
    assert asked(leave(s)) == "draw"  # no second battle, no second move


@pytest.mark.parametrize("card", ["close-assault", "firefight", "medics-and-mechanics"])
def test_a_card_without_the_clause_does_nothing_when_nobody_fits(card: str) -> None:
    """C3, C26c, C30c, C32b: no fallback; the turn goes on to the draw."""
    enemy = "H5" if card == "firefight" else "G9"
    s = position(f"G5 allies infantry\n{enemy} axis infantry", card=card)
    assert asked(s) == "draw"


def test_the_fallback_needs_that_no_unit_of_the_class_is_left() -> None:
    """Q169, C4: armor shut up in a bunker with nobody in range still counts as armor."""
    s = position(
        "G1 bunker : allies armor\nA3 allies infantry\nG9 axis infantry",
        card="armor-assault",
    )
    assert orderable(s) == {"G1"}
    s = play(s, "order G1")
    assert asked(s) == "draw"  # it can neither move nor battle


def test_terrain_limits_bind_units_whatever_card_orders_them() -> None:
    """C5: a unit moved into a forest by Direct From HQ stops there and does not battle."""
    s = order(position("G5 allies armor\ng6 forest\nH7 axis infantry"), "G5")
    assert not [text for text in choices(s, "move") if " g6 " in text]
    s = play(s, "move G5 g6")
    assert asked(s) == "draw"


def test_bonus_dice_count_before_it_is_asked_whether_any_are_left() -> None:
    """C6, R66: out of a town, up a hill, armor has 3 - 2 - 1; Armor Assault makes it one die."""
    board = "G5 town : allies armor\nH5 hill : axis infantry"
    assert choices(to_battle(position(board, card="direct-from-hq"), "G5"), "attack") == []
    assert dice(to_battle(position(board, card="armor-assault"), "G5"), "G5 H5") == 1


def test_a_played_card_lies_on_the_table_until_the_end_of_the_turn() -> None:
    """C7, R121: then it goes to the discards."""
    s = position("G5 allies infantry\nG9 axis infantry", card="probe-center")
    faces = s.setup.decks[0].faces
    assert faces[s.played] == "probe-center"
    assert s.discards == ((),)
    s = leave(s)
    assert s.played == -1
    assert [faces[face] for face in s.discards[0]] == ["probe-center"]


@pytest.mark.parametrize("others", [0, 3, 5])
def test_cards_held_include_the_one_just_played(others: int) -> None:
    """C8: with three more in hand four dice are rolled."""
    s = position("G5 allies infantry\nG9 axis infantry", card="their-finest-hour", cards=(1 + others, 4))
    assert asked(s) == f"roll {others + 1}"


@pytest.mark.parametrize(
    ("card", "hexes"),
    [
        pytest.param("move-out", {"A1", "B1", "C1"}, id="C9 C33 infantry of every kind"),
        pytest.param("armor-assault", {"D1", "E1", "F1"}, id="C9 C22 armor of every kind"),
        pytest.param("artillery-bombard", {"G1"}, id="C9 C23 artillery"),
    ],
)
def test_class_words_on_cards_mean_every_type_of_the_class(card: str, hexes: set[str]) -> None:
    s = position(
        """
        A1 allies infantry
        B1 allies special-forces
        C1 allies resistance
        D1 allies armor
        E1 allies elite-armor
        F1 allies half-track
        G1 allies artillery
        G9 axis infantry
        """,
        card=card,
    )
    assert orderable(s) == hexes


def test_direct_from_hq_orders_four_units_of_any_class_anywhere() -> None:
    """C29: no bonus and no fifth unit."""
    s = position(LINE, card="direct-from-hq")
    assert orderable(s) == LEFT | MIDDLE | RIGHT
    s = play(s, "order A3", "order G3", "order i4", "order M3")
    assert s.phase == "move"
    s = to_battle(position("G5 allies infantry\nH5 axis infantry", card="direct-from-hq"), "G5")
    assert dice(s, "G5 H5") == 3


def test_move_out_orders_four_infantry_units_that_act_normally() -> None:
    """C33: normal moves and battles, infantry only."""
    s = position(
        "A1 allies infantry\nB1 allies infantry\nC1 allies infantry\nD1 allies infantry\nE1 allies infantry"
        "\nG1 allies armor\nG9 axis infantry",
        card="move-out",
    )
    assert orderable(s) == {"A1", "B1", "C1", "D1", "E1"}
    s = play(s, "order A1", "order B1", "order C1", "order E1")
    assert s.phase == "move"
    assert {"e2", "F3"} <= reach(s, "E1")
    assert "e4" not in reach(s, "E1")
    s = to_battle(position("G5 allies infantry\nH5 axis infantry", card="move-out"), "G5")
    assert dice(s, "G5 H5") == 3


def test_a_hand_of_nothing_but_ambush_is_discarded_card_by_card() -> None:
    """R29, X13: the Ambush is laid down, orders nothing, and a card is drawn."""
    s = position("G5 allies infantry\nH5 axis infantry", card="ambush", play_card=False)
    assert choices(s) == ["card ambush"]
    s = play(s, "card ambush")
    assert asked(s) == "draw"
    assert [s.setup.decks[0].faces[face] for face in s.discards[0]] == ["ambush"]
    s = play(s, "draw probe-left")
    assert s.active == 1


def test_ambush_is_never_the_card_of_a_turn_while_there_is_another() -> None:
    """R29, C21: only the other card may be played."""
    s = position("G5 allies infantry\nH5 axis infantry", card="ambush", hand=("probe-left",), play_card=False)
    assert choices(s) == ["card probe-left"]


def test_an_empty_deck_is_made_of_the_discards_when_a_card_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """Q214, R122, R121: the card just played is among them; nothing is shuffled before that moment."""
    monkeypatch.setitem(DECKS, "small", small_deck(probe_left=2, probe_right=2))
    s = position(LINE, card="probe-left", enemy_hand=("probe-right",), options={"deck": "small"})
    s = play(leave(s), "draw probe-right")
    assert (s.piles, [len(pile) for pile in s.discards]) == ((1,), [1])
    s = play(leave(play(s, "card probe-right")), "draw probe-left")
    assert (s.piles, s.phase) == ((0,), "card")
    s = leave(play(s, "card probe-right"))
    assert (asked(s), len(s.discards[0])) == ("shuffle", 3)
    s = play(s, "shuffle")
    assert (asked(s), s.piles, s.discards) == ("draw", (3,), ((),))
