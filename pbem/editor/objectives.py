"""Medal tags, exit markers and victory conditions of a draft as objectives."""

from __future__ import annotations

from engine.battle import ObjectiveFacts
from engine.hexes import Grid, grid
from engine.scenario import MAX_MEDALS
from pbem.editor import terms
from pbem.editor.draft import Draft, Medal, Tag
from pbem.editor.problems import Findings
from pbem.editor.reader import known_labels


def build_objectives(draft: Draft, findings: Findings) -> tuple[ObjectiveFacts, ...]:
    """The objectives: medals in reading order, then exits, then sudden deaths."""
    shape = grid(draft.shape)
    medals: list[ObjectiveFacts] = []
    exits: list[tuple[str, Tag, str]] = []
    for place in draft.places.values():
        for tag in place.tags:
            if tag.name in terms.EXIT_TAGS or tag.behavior == "EXIT_MARKER":
                exits.append((place.label, tag, _exit_side(tag, place.label, draft, findings)))
            elif tag.name in terms.MEDALS:
                medals += _build_medal(tag, place.label, shape, findings)
    return (*medals, *_build_exits(exits, shape, findings), *_build_sudden(draft, shape, findings))


def _hexes(words: tuple[str, ...], where: str, shape: Grid, findings: Findings) -> list[str]:
    found, wrong = known_labels(words, shape)
    for word in wrong:
        findings.add(f'"{word}" in the group of a tag is no hex of the board', where, "left out")
    return found


# Medals


def _build_medal(tag: Tag, label: str, shape: Grid, findings: Findings) -> list[ObjectiveFacts]:
    medal = tag.medal
    hexes = _hexes((label, *tag.group), label, shape, findings)
    if not 1 <= medal.counts_for <= MAX_MEDALS:
        findings.add(f"an objective worth {medal.counts_for} medals", label, "left out")
        return []
    need = 1 if medal.any_hex else medal.nbr_hex
    if need > len(hexes):
        findings.add(f"an objective that needs {need} of {len(hexes)} hexes", label, f"needs {len(hexes)}")
        need = len(hexes)
    return [
        ObjectiveFacts(
            kind=_medal_kind(medal, label, findings),
            sides=(medal.side,) if medal.side else terms.MEDALS[tag.name],
            hexes=tuple(hexes),
            need=need,
            medals=medal.counts_for,
            check="turn-start" if medal.turn_start else "at-once",
        )
    ]


def _medal_kind(medal: Medal, label: str, findings: Findings) -> str:
    """The kind of a medal (M2, M3, M4, M7, M8); a mixture of kinds is read as the first of them."""
    kinds = {
        "majority": medal.majority,
        "sole-control": medal.sole_control,
        "last-to-occupy": medal.last_to_occupy,
        "permanent": medal.permanent,
    }
    said = [kind for kind, is_set in kinds.items() if is_set]
    if len(said) > 1:
        findings.add(f"an objective that is {' and '.join(said)} at once", label, f"read as {said[0]}")
    return said[0] if said else "temporary"


# Exits


def _exit_side(tag: Tag, label: str, draft: Draft, findings: Findings) -> str:
    """The side that may exit; a marker that names none is taken for the side from across the board."""
    if tag.side:
        return tag.side
    shape = grid(draft.shape)
    edge = "top" if 2 * shape.row(shape.parse(label)) < shape.rows - 1 else "bottom"
    side = next(side for side, player in draft.players.items() if player.edge != edge)
    findings.add("an exit marker that names no side", label, f"taken to be for the {side}")
    return side


def _build_exits(exits: list[tuple[str, Tag, str]], shape: Grid, findings: Findings) -> list[ObjectiveFacts]:
    """One objective for each group of exit hexes; markers of one side that share hexes are one group."""
    found: list[tuple[str, list[str]]] = []
    for side, hexes in _stretches(exits, shape, findings):
        border: list[str] = []
        for label in hexes:
            if len(shape.neighbours[shape.parse(label)]) < 6:
                border.append(label)
            else:
                findings.add("an exit hex that does not lie at the border", label, "left out")
        same = next((row for row in found if row[0] == side and set(row[1]) & set(border)), None)
        if same is not None:
            same[1].extend(label for label in border if label not in same[1])
        elif border:
            found.append((side, border))
    return [ObjectiveFacts(kind="exit", sides=(side,), hexes=tuple(hexes)) for side, hexes in found]


def _stretches(
    exits: list[tuple[str, Tag, str]], shape: Grid, findings: Findings
) -> list[tuple[str, list[str]]]:
    """The hexes of every marker; two bare `tag5` on one edge may be the ends of a stretch (W31)."""
    found: list[tuple[str, list[str]]] = []
    ends: dict[tuple[str, int], list[str]] = {}
    for label, tag, side in exits:
        if tag.name == "tag5" and not tag.group:
            ends.setdefault((side, shape.row(shape.parse(label))), []).append(label)
        else:
            found.append((side, _hexes((label, *tag.group), label, shape, findings)))
    for (side, row), labels in ends.items():
        if len(labels) == 2 and row in (0, shape.rows - 1):
            low, high = (shape.parse(label) for label in labels)
            findings.add(
                f"exit markers at {labels[0]} and {labels[1]}", done="all between are exit hexes (W31)"
            )
            found.append((side, [shape.labels[at] for at in range(low, high + 1)]))
        else:
            found += [(side, [label]) for label in labels]
    return sorted(found, key=lambda group: shape.parse(group[1][0]))


# Victory conditions


def _build_sudden(draft: Draft, shape: Grid, findings: Findings) -> list[ObjectiveFacts]:
    """Sudden deaths, looked at when the side's turn ends, as all known documents of this form mean it."""
    found = []
    for row in draft.sudden:
        hexes, wrong = known_labels(row.group, shape)
        if wrong or row.number > len(hexes):
            group = " ".join(row.group)[:80]
            findings.add(f"sudden death by {row.number} of {group}, not all of them hexes", done="left out")
            continue
        found.append(
            ObjectiveFacts("sudden-death", (row.side,), tuple(hexes), need=row.number, check="turn-end")
        )
    return found
