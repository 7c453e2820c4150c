"""Objectives, victory conditions and options of a document."""

from __future__ import annotations

import pytest

from engine.battle import SIDES, Airdrop, CardUse, ObjectiveFacts
from engine.setup import compile_setup
from pbem.editor import terms
from tests.pbem.editor_documents import VOCABULARY, Json, at_g5, notes, read, said, small, whole


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ({"name": "medal0"}, ObjectiveFacts("temporary", SIDES, ("G5",))),
        ({"name": "medal1"}, ObjectiveFacts("temporary", ("allies",), ("G5",))),
        ({"name": "medal2"}, ObjectiveFacts("temporary", ("axis",), ("G5",))),
        ({"name": "medal4"}, ObjectiveFacts("temporary", ("allies",), ("G5",))),
        ({"name": "medal5"}, ObjectiveFacts("temporary", ("axis",), ("G5",))),
        ({"name": "medal6"}, ObjectiveFacts("temporary", ("allies",), ("G5",))),
        ({"name": "medal7"}, ObjectiveFacts("temporary", ("axis",), ("G5",))),
        (
            {"name": "medal1", "medal": {"permanent": "true", "counts_for": "2"}},
            ObjectiveFacts("permanent", ("allies",), ("G5",), medals=2),
        ),
        (
            {"name": "medal1", "group": ["H5", "g5", "i5"], "medal": {"nbr_hex": 3}},
            ObjectiveFacts("temporary", ("allies",), ("G5", "H5", "I5"), need=3),
        ),
        (
            {"name": "medal1", "group": {"0": "H5"}, "medal": {"nbr_hex": 2, "any_hex": True}},
            ObjectiveFacts("temporary", ("allies",), ("G5", "H5")),
        ),
        (
            {"name": "medal0", "group": ["H5"], "medal": {"majority": True, "turn_start": True}},
            ObjectiveFacts("majority", SIDES, ("G5", "H5"), check="turn-start"),
        ),
        (
            {"name": "medal0", "medal": {"majority": True, "side": "AXIS"}},
            ObjectiveFacts("majority", ("axis",), ("G5",)),
        ),
        (
            {"name": "medal0", "medal": {"last_to_occupy": True}},
            ObjectiveFacts("last-to-occupy", SIDES, ("G5",)),
        ),
        (
            {"name": "medal2", "medal": {"sole_control": True}},
            ObjectiveFacts("sole-control", ("axis",), ("G5",)),
        ),
        (
            {"name": "medal2", "medal": {"permanent": True, "turn_start": True}},
            ObjectiveFacts("permanent", ("axis",), ("G5",), check="turn-start"),
        ),
    ],
)
def test_medals(tag: Json, expected: ObjectiveFacts) -> None:
    """M2, M3, M4, M5, M6, M7, M8, M12: the fields of a medal tag."""
    assert whole(at_g5(tags=[tag])).objectives == (expected,)


@pytest.mark.parametrize(
    ("tag", "words"),
    [
        (
            {"name": "medal1", "medal": {"permanent": True, "majority": True}},
            "an objective that is majority and permanent at once at G5; read as majority",
        ),
        ({"name": "medal1", "medal": {"nbr_hex": 4}}, "an objective that needs 4 of 1 hexes at G5; needs 1"),
        ({"name": "medal1", "medal": {"counts_for": 0}}, "an objective worth 0 medals at G5; left out"),
        (
            {"name": "medal1", "group": ["Z9"]},
            '"Z9" in the group of a tag is no hex of the board at G5; left out',
        ),
        ({"name": "tag1"}, "a battle star at G5; left out"),
        ({"name": "tag14"}, "a camouflage marker at G5; left out"),
        ({"name": "tag1", "behavior": "IS_WITTMANN"}, "the mark of a special Tiger at G5; left out"),
        (
            {"name": "tag3", "behavior": "DECOY_MEDAL_MINE_FIELD"},
            "a minefield that may hide a medal at G5; left out",
        ),
        ({"name": "tag77"}, 'the tag "tag77" is not in the editor\'s vocabulary at G5; left out'),
        (
            {"name": "tag4", "behavior": "EXIT_MARKER", "side": "AXIS"},
            "an exit hex that does not lie at the border at G5; left out",
        ),
    ],
)
def test_tags_that_cannot_be_played(tag: Json, words: str) -> None:
    assert said(read(at_g5(tags=[tag]))) == [words]


def test_exits() -> None:
    """M10, W30, W33: exit hexes of markers that share hexes are one objective."""

    def exit_tag(*group: str) -> Json:
        return {"tags": [{"name": "tag4", "behavior": "EXIT_MARKER", "side": "AXIS", "group": list(group)}]}

    battle = whole(
        small(
            ("C1", exit_tag("D1")),
            ("E1", exit_tag("D1")),
            ("M1", exit_tag()),
            options={"infantry_exit_counts_2": True},
        )
    )
    assert battle.objectives == (
        ObjectiveFacts("exit", ("axis",), ("C1", "D1", "E1"), infantry_medals=2),
        ObjectiveFacts("exit", ("axis",), ("M1",), infantry_medals=2),
    )


def test_exits_that_must_be_guessed_are_said() -> None:
    """W31: two markers may be the ends of a stretch; a marker without a side gets one."""
    bare = small(("C1", {"tags": [{"name": "tag4"}]}))
    assert said(read(bare)) == ["an exit marker that names no side at C1; taken to be for the axis"]
    end = {"tags": [{"name": "tag5", "behavior": "EXIT_MARKER", "side": "ALLIES"}]}
    stretch = read(small(("C9", end), ("F9", end)))
    assert said(stretch) == ["exit markers at C9 and F9; all between are exit hexes (W31)"]
    assert stretch.battle.objectives == (ObjectiveFacts("exit", ("allies",), ("C9", "D9", "E9", "F9")),)


def test_sudden_death() -> None:
    """M9: a side wins that holds so many hexes when its turn ends."""
    condition = {"group_sudden_death": {"side": "axis", "number": "2", "group": ["a8", "B7", "b6"]}}
    battle = whole(small(game_info__victory={"condition": {"0": condition, "1": {"standard": []}}}))
    assert battle.objectives == (
        ObjectiveFacts("sudden-death", ("axis",), ("a8", "B7", "b6"), need=2, check="turn-end"),
    )
    wrong = {"group_sudden_death": {"side": "axis", "number": 2, "group": ["A9", "Z1"]}}
    assert said(read(small(game_info__victory={"condition": [wrong, {"tea_time": {}}]}))) == [
        'the victory condition "tea_time" is not in the editor\'s vocabulary; left out',
        "sudden death by 2 of A9 Z1, not all of them hexes; left out",
    ]


def test_nobody_named_first_is_said() -> None:
    document = small()
    del document["game_info"]["starting"]
    assert said(read(document)) == ["nobody is named as the first player; the allies move first"]


# Options


@pytest.mark.parametrize(
    "name", [name for name in VOCABULARY["option"] if name not in (*terms.READ_OPTIONS, *terms.IDLE_OPTIONS)]
)
def test_every_option_that_cannot_be_played_is_named(name: str) -> None:
    assert len(said(read(small(options={name: "ALLIES"})))) == 1
    assert said(read(small(options={name: False}))) == []


def test_options_that_are_played() -> None:
    air = CardUse("axis", "recon", "air-power", in_section=True)
    assert whole(small(options={"air_strikes_rules": "axis"})).card_uses == (air,)
    hill = CardUse("allies", "recon", "air-power", dice=2, in_section=True, while_holding=("L5", "k4"))
    assert whole(small(options={"hill317": ["L5", "K4"]})).card_uses == (hill,)
    assert whole(small(options={"deck_reshuffling": True})).options == {}
    assert notes(read(small(options={"mine_deck_name": "TERRAIN"}))) == ["which set of mine markers is used"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"blitz": True}, 'the option "blitz" is not in the editor\'s vocabulary; left out'),
        ({"partial_blitz_rules": "all"}, "Blitz movement: armor moves at most 2 hexes; plays without it"),
        ({"deck_name": "ODD_DECK"}, "another command deck, ODD_DECK; plays without it"),
        ({"hill317": ["Z5"]}, "hexes that let Recon be played as an air strike; plays without it"),
        (
            {"must_have_unit_exit": {"side": "AXIS", "min_nbr_units": 3}},
            "units that must exit to win (3); plays without it",
        ),
        ({"airdrop": {"side": "ALLIES"}}, "an airdrop; plays without it"),
        ({"airdrop2": {"side": "ALLIES"}}, "a second airdrop; plays without it"),
    ],
)
def test_options_that_cannot_be_played(options: Json, words: str) -> None:
    assert said(read(small(options=options))) == [words]


def test_a_deck_used_once_has_a_winner() -> None:
    """R123: the winner stands in the words about victory, or must be guessed."""
    words = {"name": "Small", "victory": "The Allies win when the command deck runs out."}
    battle = whole(small(options={"deck_reshuffling": False}, text__en=words))
    assert battle.options == {"reshuffle": "no", "exhausted_winner": "allies"}
    assert battle.text == {}
    guess = read(small(options={"deck_reshuffling": "false"}))
    assert guess.battle.options == {"reshuffle": "no", "exhausted_winner": "axis"}
    assert said(guess) == ["a command deck used once, without a winner; the axis win when it runs out"]


def test_an_exit_may_be_needed_to_win() -> None:
    """M22: the only exit of a side, when one unit must leave by it."""
    tag = {"name": "tag4", "behavior": "EXIT_MARKER", "side": "AXIS"}
    option = {"must_have_unit_exit": {"side": "AXIS", "min_nbr_units": 1}}
    assert whole(small(("C1", {"tags": [tag]}), options=option)).victory_needs == (0,)


DROP: Json = {
    "side": "ALLIES",
    "unit": {"name": "infus"},
    "nbr_units": 4,
    "nbr_drops": 1,
    "range": 4,
    "center": "G5",
}


def test_an_airdrop_of_equal_units_is_played() -> None:
    battle = whole(small(options={"airdrop": DROP}))
    assert battle.airdrop == Airdrop("allies", (1, 2, 3, 4), 4, "G5")
    assert [unit.at for unit in battle.units] == ["A1", None, None, None, None, "A9"]
    assert whole(small(options={"airdrop": {**DROP, "center": "near the wood"}})).airdrop == Airdrop(
        "allies", (1, 2, 3, 4), 4, None
    )
    assert compile_setup(battle).battle.airdrop is battle.airdrop


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nbr_drops": 2}, "an airdrop with several drops"),
        ({"nbr_units": [2, 2]}, "an airdrop with several drops"),
        ({"behavior": "ONE_AT_TIME"}, "an airdrop with behavior ONE_AT_TIME"),
        ({"unit": {"name": "infus", "badge": "badge2"}}, "an airdrop with a badge or a later turn"),
        ({"option": "ODD"}, "an airdrop with option ODD"),
        ({"unit": {"name": "vehus"}}, "an airdrop of 4 supply truck"),
        ({"nbr_units": 99}, "an airdrop of 99 infantry"),
        ({"range": None}, "an airdrop"),
    ],
)
def test_other_airdrops_cannot_be_played(change: Json, words: str) -> None:
    imported = read(small(options={"airdrop": {**DROP, **change}}))
    assert said(imported) == [f"{words}; plays without it"]
    assert imported.battle.airdrop is None
