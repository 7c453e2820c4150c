"""The page of a report: one HTML file that needs nothing else, from templates/report.html.j2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from engine import NOBODY, State, is_over
from pbem.cardtext import card_text
from pbem.draw import goal_lines, svg_board, svg_style, svg_variables, unit_table
from pbem.draw.dice import dice_picture, dice_symbols
from pbem.draw.svg import mark_key
from pbem.pages import drawn, page_colours, plain, render
from pbem.referee import Step
from pbem.report.facts import Part, Report
from pbem.story import card_name, merged

# What the marks of a board are called below it, in the order of `Marks`.
KEYS = (("move", "move"), ("attack", "attack"), ("retreat", "retreat"), ("glow", "target of the card"))


def render_report(report: Report) -> str:
    """The report as one HTML page."""
    trust = report.trust
    return render(
        "report.html.j2",
        report=report,
        title=plain(report.headline),
        parts=[_part(part, number, report) for number, part in enumerate(report.parts)],
        after=drawn(_board(report.state, report.bottom, "now-", report.after)),
        goals=[plain(line) for line in goal_lines(report.state)],
        notes=[(plain(name), plain(text)) for name, text in report.notes],
        players=[(plain(name), side, digits) for name, side, digits in trust.players],
        proved=[plain(line) for line in trust.proved],
        pending=[plain(line) for line in trust.pending],
        trusted=trust.trusted,
        terms=[plain(line) for line in report.terms],
        asked=plain(report.asked.text),
        medals=[{**row, "player": plain(row["player"])} for row in report.medals],
        author=plain(report.author),
        units=drawn(unit_table(report.state, chair=report.bottom)),
        symbols=drawn(dice_symbols()),
        colours=drawn(page_colours() + svg_style("auto")),
        light=drawn(svg_variables("light")),
    )


def _part(part: Part, number: int, report: Report) -> dict[str, Any]:
    marks = marks_of(part.steps, part.before)
    board = ""
    if any(marks) or not part.is_still:
        board = drawn(_board(part.before, report.bottom, f"b{number}-", part.title, marks))
    return {
        "title": part.title,
        "board": board,
        "legend": [
            {"sign": drawn(mark_key(kind)), "word": word}
            for (kind, word), paths in zip(KEYS, marks, strict=True)
            if paths
        ],
        "cards": [{"name": card_name(key), "text": card_text(key)} for key in part.cards],
        "passages": [
            {
                "kind": passage.kind,
                "heading": plain(passage.heading),
                "lines": [
                    {
                        "kind": line.kind,
                        "text": plain(line.text),
                        "dice": drawn(dice_picture(line.faces, line.effects)) if line.faces else "",
                    }
                    for line in merged(passage.lines)
                ],
            }
            for passage in part.passages
        ],
    }


class Marks(NamedTuple):
    """What is drawn over a board: paths of hexes, pairs of hexes, single hexes."""

    moves: tuple[tuple[int, ...], ...] = ()
    attacks: tuple[tuple[int, int], ...] = ()
    retreats: tuple[tuple[int, ...], ...] = ()
    struck: tuple[int, ...] = ()  # targets of cards, which no unit attacks


def marks_of(steps: Iterable[Step], before: State | None = None) -> Marks:
    """The marks of some steps, and of the attack that was under way before them."""
    events = [event for step in steps for event in step.events]
    attacks = [(event[3], event[4]) for event in events if event[0] == "attack"]
    struck = [event[3] for event in events if event[0] == "strike"]
    fight = before.fight if before is not None and not is_over(before) else None
    while fight is not None and fight.parent is not None:
        fight = fight.parent
    if before is not None and fight is not None:
        if fight.attacker == NOBODY:
            struck.insert(0, fight.where)
        elif before.pos[fight.attacker] != NOBODY:
            attacks.insert(0, (before.pos[fight.attacker], fight.where))
    return Marks(
        tuple(
            tuple(event[2]) if event[0] == "moved" else (event[2], event[3])
            for event in events
            if event[0] in ("moved", "ground")
        ),
        tuple(attacks),
        tuple(tuple(event[2]) for event in events if event[0] == "retreated"),
        tuple(struck),
    )


def _board(
    state: State,
    chair: int | None,
    prefix: str,
    caption: str,
    marks: Marks = Marks(),  # noqa: B008  # a tuple
) -> str:
    return svg_board(
        state,
        chair=chair,
        moves=marks.moves,
        attacks=marks.attacks,
        retreats=marks.retreats,
        highlight=marks.struck,
        ids_prefix=prefix,
        caption=caption,
        style=False,
    )
