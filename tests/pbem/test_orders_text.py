"""The small language of attack orders and standing orders: what it reads, writes and refuses."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import EngineError, IllegalDecision, NotationError
from engine.state import State
from pbem.errors import Refused
from pbem.orders import FLAGS, WORDS, Order, Preference, Stand
from pbem.orders_text import (
    OrderLine,
    Standing,
    change_standing,
    format_order,
    format_standing,
    parse_order,
    parse_standing,
)
from tests.drawing import play, position

FIELD = """
    F5 allies armor
    B5 allies infantry
    I1 allies artillery
    A1 allies infantry
    G5 axis infantry
    H5 axis infantry
    C5 axis infantry
"""


@pytest.fixture(scope="module")
def field() -> State:
    """Three ordered Allied units, one without an order, before their battles."""
    return play(position(FIELD), "order F5", "order B5", "order I1", "done", "done")


def unit_at(state: State, label: str) -> int:
    """The unit on a hex."""
    return state.occupant[state.setup.grid.parse(label)]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        pytest.param("attack F5 G5", "attack F5 G5", id="one target"),
        pytest.param("ATTACK f5  g5 , h5 ground", "attack F5 G5,H5 ground", id="case and blanks"),
        pytest.param("attack F5 G5 overrun H5", "attack F5 G5 ground overrun H5", id="overrun takes ground"),
        pytest.param("attack F5 G5 hold ground", "attack F5 G5 ground hold", id="switches in any order"),
        pytest.param("attack F5 G5 stay", "attack F5 G5", id="stay is the usual"),
        pytest.param("attack F5 @G5,@H5", "attack F5 @G5,@H5", id="whoever stands there"),
        pytest.param(
            "attack F5 G5 ground overrun I5,@H5", "attack F5 G5 ground overrun I5,@H5", id="empty hex"
        ),
        pytest.param("attack C5", "attack B5 C5", id="only one can attack it"),
    ],
)
def test_an_attack_order_is_read_and_written(field: State, text: str, written: str) -> None:
    line = parse_order(field, text)
    assert format_order(field, line.order) == written
    assert parse_order(field, written).order == line.order


def test_targets_are_units_wherever_they_go_unless_a_hex_is_marked(field: State) -> None:
    order = parse_order(field, "attack F5 G5,@H5,I5 ground overrun C5 hold").order
    unit = unit_at(field, "F5")
    assert order == Order(unit, (unit_at(field, "G5"), "H5", "I5"), True, (unit_at(field, "C5"),), True)
    assert not parse_order(field, "attack F5 G5").maybe
    assert parse_order(field, "attack F5 C5 maybe").maybe


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("attack", 'an attack order is written as in "attack I5 K5,J5 ground overrun H5 hold"'),
        ("attack F5 G5 H5", 'an attack order is written as in "attack I5 K5,J5 ground overrun H5 hold"'),
        ("attack G5", "G5 may be attacked from F5 or I1; say by whom"),
        ("attack I5", 'say who attacks I5, as in "attack I5 I5"'),
        ("attack F5 G5,G5", '"g5" is named twice'),
        ("attack F5 G5 overrun", 'targets are expected behind "overrun"'),
        ("attack F5 G5 ground stay", '"stay" does not go with "ground" or "overrun"'),
        ("attack F5 G5 ground ambush", '"ambush" has no meaning here'),
        ("attack F5 Z9", '"Z9" is no hex of this board; it has A to M and 1 to 9'),
    ],
)
def test_an_attack_order_that_cannot_be_read(field: State, text: str, message: str) -> None:
    with pytest.raises(NotationError) as refusal:
        parse_order(field, text)
    assert str(refusal.value).startswith(message.split(";")[0].split(" of this")[0])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        pytest.param("attack D4 G5", "R31", id="R31 no unit"),
        pytest.param("attack H5 G5", "R31", id="R31 an enemy"),
        pytest.param("attack A1 G5", "R31", id="R31 not ordered"),
        pytest.param("attack F5 B5", "R51", id="R51 no enemy"),
        pytest.param("attack I1 G5 ground", "R107", id="R107 artillery takes no ground"),
        pytest.param("attack B5 C5 overrun G5", "R112", id="R112 infantry does not overrun"),
    ],
)
def test_an_attack_order_against_the_rules(field: State, text: str, rule: str) -> None:
    with pytest.raises(IllegalDecision) as refusal:
        parse_order(field, text)
    assert refusal.value.rule == rule


# Standing orders


def changed(state: State, *lines: str) -> Standing:
    """Standing orders of the Allies after some lines."""
    return parse_standing(state, 0, list(lines))


def test_the_usual_orders_retreat_into_cover_and_ambush_always(field: State) -> None:
    assert Standing() == Standing("always", Stand(Preference(("cover", "away")), {}))
    assert format_standing(field, Standing()) == [
        "retreat all cover away",
        "flags all if-it-avoids-a-loss",
        "ambush always",
    ]


def test_lines_change_all_units_or_some(field: State) -> None:
    orders = changed(field, "retreat all together left", "retreat F5,B5 F4,e4 cover", "flags B5 never")
    f5, b5 = unit_at(field, "F5"), unit_at(field, "B5")
    assert orders.stand.general == Preference(("together", "left"))
    assert orders.stand.units == {
        f5: Preference((("f4", "e4"), "cover")),
        b5: Preference((("f4", "e4"), "cover"), "never"),
    }


def test_ambush_names_units_or_all_or_none(field: State) -> None:
    assert changed(field, "ambush never").ambush == "never"
    assert changed(field, "ambush B5, F5").ambush == tuple(
        sorted((unit_at(field, "B5"), unit_at(field, "F5")))
    )
    assert format_standing(field, changed(field, "ambush F5"))[-1] == "ambush F5"


def test_units_follow_all_others_in_what_they_were_not_told_themselves(field: State) -> None:
    orders = changed(field, "flags B5 never", "retreat all left", "flags all always")
    assert orders.stand.of(unit_at(field, "B5")) == Preference(("left",), "never")
    assert orders.stand.of(unit_at(field, "F5")) == Preference(("left",), "always")


def test_forget_goes_back(field: State) -> None:
    orders = changed(field, "retreat F5 left", "flags B5 always", "ambush never")
    assert set(change_standing(field, 0, orders, "forget F5").stand.units) == {unit_at(field, "B5")}
    assert change_standing(field, 0, orders, "forget") == Standing()


@pytest.mark.parametrize(
    ("line", "error", "message"),
    [
        ("", NotationError, '"" is no standing order; expected retreat, flags, ambush or forget'),
        ("retreet all cover", NotationError, '"retreet" is no standing order; did you mean "retreat"?'),
        ("retreat all", NotationError, 'a retreat is written as in "retreat all cover away": '),
        ("retreat all coverr", NotationError, '"coverr" is no way to retreat; did you mean "cover"?'),
        ("retreat all cover cover", NotationError, '"cover" is said twice'),
        ("flags all sometimes", NotationError, 'flags are written as in "flags G5 always": '),
        ("ambush", NotationError, 'an ambush is written as in "ambush always"'),
        ("retreat G5 cover", Refused, "none of your units stands at G5"),
        ("ambush D9", Refused, "none of your units stands at D9"),
        ("forget H5", Refused, "none of your units stands at H5"),
    ],
)
def test_standing_orders_that_cannot_be_read(
    field: State, line: str, error: type[Exception], message: str
) -> None:
    with pytest.raises(error) as refusal:
        change_standing(field, 0, Standing(), line)
    assert str(refusal.value).startswith(message)


OWN = ("F5", "B5", "I1", "A1")
routes = st.lists(st.sampled_from([*WORDS, "G5,f4", "A9"]), min_size=1, max_size=6, unique=True).map(" ".join)
lines = st.one_of(
    st.tuples(st.sampled_from(["all", *OWN]), routes).map(lambda pair: f"retreat {pair[0]} {pair[1]}"),
    st.tuples(st.sampled_from(["all", *OWN]), st.sampled_from(FLAGS)).map(lambda p: f"flags {p[0]} {p[1]}"),
    st.sampled_from(["ambush always", "ambush never", "ambush F5,I1", "retreat all any", "forget F5"]),
)


@given(st.lists(lines, max_size=8))
def test_what_is_written_is_read_back(said: list[str]) -> None:
    state = _FIELD
    orders = parse_standing(state, 0, said)
    again = parse_standing(state, 0, format_standing(state, orders))
    assert format_standing(state, again) == format_standing(state, orders)
    for unit in range(len(state.setup.types)):
        assert again.stand.of(unit).route == orders.stand.of(unit).route
        assert (again.stand.of(unit).flags or FLAGS[2]) == (orders.stand.of(unit).flags or FLAGS[2])


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for read in (read_order, changed):
        with suppress(EngineError, Refused):
            assert read(_FIELD, text) is not None


def read_order(state: State, text: str) -> OrderLine:
    """An attack order from what stands behind its verb."""
    return parse_order(state, f"attack {text}")


_FIELD = play(position(FIELD), "order F5", "order B5", "order I1", "done", "done")
