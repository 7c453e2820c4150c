"""Standing orders: on disk, in files as the terms want them, and tried out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.draft import Draft, Wishes
from pbem.errors import StoreError
from pbem.home import Home
from pbem.orders import Preference, Stand
from pbem.orders_text import Standing, parse_standing
from pbem.standing import (
    load_standing,
    prepare,
    rehearsal_text,
    rehearse,
    save_standing,
    wishes_of,
)
from pbem.store import Game
from pbem.typed import enact_all
from tests.cli.homes import Pair
from tests.drawing import play, position
from tests.skirmish import center_card, skirmish


def test_orders_are_kept_and_forgotten(tmp_path: Path) -> None:
    game = Game(Home(tmp_path), "battle")
    game.path.mkdir(parents=True)
    assert load_standing(game) == Standing()
    for said in (
        Standing("never", Stand(Preference(("together",), "always"), {3: Preference((("G5",), "left"))})),
        Standing((1, 4)),
    ):
        save_standing(game, said)
        assert load_standing(game) == said
    save_standing(game, Standing())  # as `pbem orders --reset` does
    assert load_standing(game) == Standing()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"ambush": "always"}',
        '{"ambush": "no", "stand": []}',
        '{"ambush": ["1"], "stand": []}',
        '{"ambush": [1.5], "stand": []}',
        '{"ambush": [true], "stand": []}',
        '{"ambush": [-1], "stand": []}',
        '{"ambush": [64], "stand": []}',
        '{"ambush": {"1": 2}, "stand": []}',
        '{"ambush": [[]], "stand": []}',
    ],
)
def test_damaged_orders_are_a_matter_of_the_store(tmp_path: Path, text: str) -> None:
    game = Game(Home(tmp_path), "battle")
    game.path.mkdir(parents=True)
    (game.path / "orders.json").write_text(text)
    with pytest.raises(StoreError, match='the standing orders of the game "battle" are damaged'):
        load_standing(game)


@pytest.mark.parametrize(
    "text", ['{"ambush": [%d], "stand": []}', '{"ambush": [], "stand": [[%d, [], null]]}']
)
def test_orders_for_units_that_the_battle_does_not_have_are_damaged(tmp_path: Path, text: str) -> None:
    game = Pair(tmp_path).game(0)
    assert game.referee.match is not None
    units = len(game.referee.match.setup.side)
    (game.path / "orders.json").write_text(text % (units - 1))
    load_standing(game)
    (game.path / "orders.json").write_text(text % units)
    with pytest.raises(StoreError, match="are damaged"):
        load_standing(game)


def ended(dice: str, retreat: str) -> Draft:
    """Alice's first file with everything decided."""
    draft = Draft(skirmish(dice=dice, retreat=retreat)[0].desk)
    return enact_all(draft, [f"card {center_card(draft)}", "end"])


def test_only_an_instant_game_states_them_openly() -> None:
    for dice, retreat in (("sealed", "live"), ("sealed", "sheet"), ("sealed", "strict")):
        draft = prepare(ended(dice, retreat), Standing())
        assert "stand" not in [choice.name for choice in draft.choices]
    draft = prepare(ended("instant", ""), Standing())
    assert draft.choices[-1] == ("stand", [[None, ["cover", "away"], None]])
    assert draft.referee.stands[0] == Standing().stand
    again = len(draft.choices)
    assert len(prepare(draft, Standing()).choices) == again


def test_wishes_ambush_with_all_units_some_or_none() -> None:
    desk = skirmish()[0].desk
    assert wishes_of(desk, Standing()) == Wishes((0, 1, 2, 3), Standing().stand)
    assert wishes_of(desk, Standing("never")).ambush == ()
    assert wishes_of(desk, Standing((2,))).ambush == (2,)


def test_ambush_is_sealed_only_while_the_card_is_held() -> None:
    """C21: a deck without Ambush promises none, whatever the orders say."""
    assert not ended("sealed", "live").holds_ambush()


# Trying out


FIELD = """
    G5 allies infantry
    F3 forest
    f4 town
    h2 allies infantry
    I5 axis infantry
    A9 axis infantry
"""


def tried(flags: int, *lines: str, field: str = FIELD, at: str = "G5") -> str:
    """What orders would make of the unit at G5 and some flags."""
    state = play(position(field), "done")
    unit = state.occupant[state.setup.grid.parse(at)]
    return rehearsal_text(state, rehearse(state, parse_standing(state, 0, list(lines)), unit, flags))


def test_a_rehearsal_takes_the_way_that_the_orders_prefer() -> None:
    """R92, R93: each flag is one hex towards the own edge."""
    assert tried(1) == "With 1 flag Allied infantry at G5 retreats to f4, the best of 2 ways."
    assert tried(1, "retreat all right") == (
        "With 1 flag Allied infantry at G5 retreats to g4, the best of 2 ways."
    )
    assert tried(1, "retreat G5 g4 cover") == (
        "With 1 flag Allied infantry at G5 retreats to g4, the best of 2 ways."
    )
    assert tried(2) == "With 2 flags Allied infantry at G5 retreats to f4 and F3, the best of 3 ways."


def test_a_rehearsal_counts_what_is_lost_where_the_way_is_blocked() -> None:
    """R97: a step that cannot be made costs a figure."""
    field = "G1 allies infantry\nA9 axis infantry"
    assert tried(2, field=field, at="G1") == (
        "With 2 flags Allied infantry at G1 loses 2 figures, because its way back is blocked."
    )


def test_a_rehearsal_ignores_flags_as_the_orders_say() -> None:
    """R100: sandbags let a unit ignore one flag."""
    field = "G5 allies infantry : open + sandbags\nA9 axis infantry"
    assert tried(1, "flags G5 always", field=field) == (
        "With 1 flag Allied infantry at G5 ignores 1 flag and stays."
    )
    assert tried(1, "flags G5 never", "retreat all left", field=field) == (
        "With 1 flag Allied infantry at G5 retreats to f4, the best of 2 ways."
    )
    assert tried(0, field=field) == "With 0 flags Allied infantry at G5 stays."
