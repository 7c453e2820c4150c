"""Tables of what the editor says about a whole battle: boards, faces, fronts, sides, tags and options."""

from __future__ import annotations

BOARDS: dict[str, str] = {"STANDARD": "standard", "BRKTHRU": "breakthrough", "OVERLORD": "overlord"}
FACES: dict[str, str] = {"COUNTRY": "country", "WINTER": "winter", "BEACH": "beach", "DESERT": "desert"}
FRONTS: dict[str, str] = {
    "WESTERN": "western",
    "EASTERN": "eastern",
    "MEDITERRANEAN": "mediterranean",
    "PACIFIC": "pacific",
}
SIDE_CODES: dict[str, str] = {"ALLIES": "allies", "AXIS": "axis"}
LANGUAGES: tuple[str, ...] = ("en", "fr", "de", "nl", "da", "fi", "it", "pl", "pt", "es", "sv", "no", "el")

# Rows that the beach face is printed with, by the first row of each (R11, V53).
BACKGROUND: dict[str, tuple[tuple[int, str], ...]] = {
    "standard": ((4, "beach"), (7, "ocean")),
    "overlord": ((4, "beach"), (7, "ocean")),
    "breakthrough": ((11, "beach"), (14, "ocean")),
}
# A deck that the engine needs before it can play a board by its own rules (V23, V24).
BOARD_DECKS: dict[str, str] = {"overlord": "overlord"}

# Tags: medals by the side that may win them, and the others by what they are.
MEDALS: dict[str, tuple[str, ...]] = {
    "medal0": ("allies", "axis"),
    "medal1": ("allies",),
    "medal2": ("axis",),
    "medal4": ("allies",),
    "medal5": ("axis",),
    "medal6": ("allies",),
    "medal7": ("axis",),
}
EXIT_TAGS = ("tag4", "tag5")
TAGS: dict[str, str] = {
    "tag1": "a battle star",
    "tag3": "a mine marker",
    "tag4": "an exit marker",
    "tag5": "an exit marker",
    "tag14": "a camouflage marker",
    "tag15": "a camouflage marker",
}
TAG_BEHAVIORS: dict[str, str] = {
    "MINE_FIELD": "a minefield",
    "EXIT_MARKER": "an exit hex",
    "DECOY_MEDAL_MINE_FIELD": "a minefield that may hide a medal",
    "IS_WITTMANN": "the mark of a special Tiger",
}
# The feature that a mine marker becomes once the engine has one of these.
MINE_KEYS = ("minefield", "mines", "mine")

# Options that are read in full or in part; the others are named as what cannot be played.
READ_OPTIONS: tuple[str, ...] = (
    "blitz_rules",
    "deck_reshuffling",
    "hill317",
    "air_strikes_rules",
    "airdrop",
    "infantry_exit_counts_2",
    "must_have_unit_exit",
)
IDLE_OPTIONS: tuple[str, ...] = ("night_visibility_team_turn", "mine_deck_name")  # only details of others
OPTIONS: dict[str, str] = {
    "blitz_rules": "Blitz rules: Allied armor moves at most 2 hexes",
    "partial_blitz_rules": "Blitz movement: armor moves at most 2 hexes",
    "russian_commissar_rule": "Russian Command rules",
    "north_african_desert_rules": "North African desert rules",
    "british_commonwealth": "British Commonwealth command rules",
    "gung_ho": "US Marine Corps command rules",
    "italy_royal_army": "Italian Royal Army rules",
    "italy_high_command": "Italian High Command rules",
    "night_visibility_rules": "night attack rules",
    "night_visibility_reverse_rule": "dusk rules",
    "night_visibility_team_turn": "the side whose turn changes the visibility",
    "deck_name": "another command deck",
    "deck_reshuffling": "a command deck that is used once",
    "mine_deck_name": "which set of mine markers is used",
    "hill317": "hexes that let Recon be played as an air strike",
    "air_strikes_rules": "Recon played as an air strike",
    "airdrop": "an airdrop",
    "airdrop2": "a second airdrop",
    "empty_section_medals": "medals for sections without an enemy",
    "infantry_exit_counts_2": "2 medals for infantry that exits",
    "must_have_unit_exit": "units that must exit to win",
    "blowbridge_opt2": "bridge demolition",
    "supply_train_rules": "supply train rules",
    "armor_breakthrough_rules": "armor reinforcements",
    "smoke_screen": "smoke screens",
}
DECK_NAMES: dict[str, str] = {
    "AIR_POWER_AS_ARTILLERY_BOMBARD_DECK": "Air Power cards play as Artillery Bombard",
}
