"""The options of a draft: those the engine can play go into the battle, the others are named."""

from __future__ import annotations

from typing import Any

from engine.battle import Airdrop, Battle, CardUse, UnitFacts
from engine.hexes import grid
from pbem.editor import terms, troops
from pbem.editor.draft import Draft
from pbem.editor.problems import Findings
from pbem.editor.reader import known_labels
from pbem.editor.source import code, group, is_on, listing, plain, whole

BLITZ = CardUse("axis", "recon", "air-power", dice=1, in_section=True)
MAX_DROP = 16
MAX_STEPS = 12


def apply_options(battle: Battle, draft: Draft, findings: Findings) -> Battle:
    """The battle with what the options add to it."""
    for name, value in draft.options.items():
        if name not in terms.OPTIONS:
            findings.add(
                f'the option "{plain(name, 40)}" is not in the editor\'s vocabulary', done="left out"
            )
        elif name == "deck_reshuffling":
            if not is_on(value):
                winner = draft.exhausted_winner
                if not winner:  # R123; the Axis win in the one battle of the base box that has this rule
                    findings.add(
                        "a command deck used once, without a winner", done="the axis win when it runs out"
                    )
                once = {"reshuffle": "no", "exhausted_winner": winner or "axis"}
                battle = battle._replace(options={**battle.options, **once})
        elif name in ("airdrop", "hill317") or is_on(value):
            battle = _apply(battle, name, value, draft, findings)
    return battle


def _apply(battle: Battle, name: str, value: Any, draft: Draft, findings: Findings) -> Battle:
    words = terms.OPTIONS[name]
    side = terms.SIDE_CODES.get(code(value), "")
    if name == "hill317":
        return _hill_317(battle, value, draft, findings)
    if name == "airdrop":
        return _airdrop(battle, group(value), draft, findings)
    if name == "air_strikes_rules" and side:
        use = CardUse(side, "recon", "air-power", in_section=True)
        return battle._replace(card_uses=(*battle.card_uses, use))
    if name == "infantry_exit_counts_2":
        objectives = tuple(
            row._replace(infantry_medals=2) if row.kind == "exit" else row for row in battle.objectives
        )
        return battle._replace(objectives=objectives)
    if name == "must_have_unit_exit":
        return _must_exit(battle, group(value), findings)
    if name == "blitz_rules":
        findings.add(words, done="plays without it; Axis Recon cards may be air strikes")
        return battle._replace(card_uses=(*battle.card_uses, BLITZ))
    if name == "deck_name":
        words = terms.DECK_NAMES.get(code(value), f"{words}, {plain(value, 40)}")
    elif side:
        words = f"{words} ({side})"
    if name in terms.IDLE_OPTIONS:
        findings.note(words)
    else:
        findings.add(words, done="plays without it")
    return battle


def _hill_317(battle: Battle, value: Any, draft: Draft, findings: Findings) -> Battle:
    """Recon as an air strike with two dice while a hex of the hill is held, as at Mortain."""
    hexes, wrong = known_labels(tuple(plain(word, 8) for word in listing(value)), grid(draft.shape))
    if wrong or not hexes:
        findings.add(terms.OPTIONS["hill317"], done="plays without it")
        return battle
    use = CardUse("allies", "recon", "air-power", dice=2, in_section=True, while_holding=tuple(hexes))
    return battle._replace(card_uses=(*battle.card_uses, use))


def _must_exit(battle: Battle, parts: dict[str, Any], findings: Findings) -> Battle:
    """An exit without which a side cannot win (M22); the engine knows it for one unit and one group."""
    side = terms.SIDE_CODES.get(code(parts.get("side")), "")
    exits = [n for n, row in enumerate(battle.objectives) if row.kind == "exit" and row.sides == (side,)]
    number = whole(parts.get("min_nbr_units"))
    if len(exits) == 1 and number in (None, 1):
        return battle._replace(victory_needs=(*battle.victory_needs, *exits))
    findings.add(f"{terms.OPTIONS['must_have_unit_exit']} ({number or 1})", done="plays without it")
    return battle


# Airdrops


def _airdrop(battle: Battle, parts: dict[str, Any], draft: Draft, findings: Findings) -> Battle:
    """One drop of equal units before a side's first turn; everything beyond that is reported."""
    reason = _unlike_ours(parts)
    side = terms.SIDE_CODES.get(code(parts.get("side")), "")
    unit = group(parts.get("unit"))
    name = plain(unit.get("name"), 40)
    split = troops.split_name(name)
    counts = listing(parts.get("nbr_units")) or [parts.get("nbr_units")]
    count, steps = whole(counts[0]), whole(parts.get("range"))
    if reason or not side or split is None or not count or steps is None:
        findings.add(f"an airdrop{reason and ' with ' + reason}", done="plays without it")
        return battle
    kind = troops.class_of(split[0], 0, None, code(unit.get("behavior")), draft.year)
    key = troops.playable_type(kind)
    if key is None or count > MAX_DROP or steps > MAX_STEPS:
        findings.add(f"an airdrop of {count} {troops.CLASSES[kind].words}", done="plays without it")
        return battle
    target, _ = known_labels((plain(parts.get("center"), 8),), grid(draft.shape))
    dropped = UnitFacts(side, key, None, whole(unit.get("nbr_units")) or troops.CLASSES[kind].figures)
    # A side's dropped units come after its others, so those of the Allies stand between the two sides.
    place = sum(1 for row in battle.units if row.side <= side)
    units = (*battle.units[:place], *(dropped,) * count, *battle.units[place:])
    drop = Airdrop(side, tuple(range(place, place + count)), steps, target[0] if target else None)
    return battle._replace(units=units, airdrop=drop)


def _unlike_ours(parts: dict[str, Any]) -> str:
    """What makes an airdrop different from the one the engine plays, or ""."""
    unit = group(parts.get("unit"))
    if (whole(parts.get("nbr_drops")) or 1) != 1 or len(listing(parts.get("nbr_units"))) > 1:
        return "several drops"
    if code(parts.get("behavior")):
        return f"behavior {plain(parts.get('behavior'), 40)}"
    if is_on(unit.get("badge")) or is_on(unit.get("turn")):
        return "a badge or a later turn"
    for key in ("option", "option2"):
        if code(parts.get(key)) not in ("", "TARGET_DROP_CENTER"):
            return f"option {plain(parts.get(key), 40)}"
    return ""
