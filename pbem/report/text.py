"""A report as plain text, for the body of a mail, and as values for `--json`."""

from __future__ import annotations

from typing import Any

from pbem.pages import plain
from pbem.report.facts import Report
from pbem.story import merged
from pbem.trust import Trust


def report_text(report: Report) -> str:
    """The report as plain text, for the body of a mail."""
    score = ", ".join(f"{row['side']} {row['medals']} of {row['target']}" for row in report.medals)
    blocks = [
        f"{report.headline}\nFile {report.number} from {report.author}. Medals: {score}.",
        f"{report.asked.text}" + (f"\nType: {report.asked.command}" if report.asked.command else ""),
    ]
    blocks += [f"{name} writes:\n{_indented(text)}" for name, text in report.notes]
    if report.terms:
        blocks.append("\n".join(["The terms", *(f"- {line}" for line in report.terms)]))
    for part in report.parts:
        blocks.append(f"{part.title}\n{'-' * len(part.title)}")
        for passage in part.passages:
            lines = [f"  {line.text}" for line in merged(passage.lines)]
            blocks.append("\n".join([passage.heading, *lines]))
    if report.hand is not None:
        blocks.append(f"Your hand: {', '.join(report.hand)}.")
    blocks.append(trust_text(report.trust))
    return plain("\n\n".join(blocks)) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())


def trust_text(trust: Trust) -> str:
    """The security lines as plain text."""
    lines = ["What you can rely on"]
    lines += [f"  Proved: {line}" for line in trust.proved]
    lines += [f"  Still open: {line}" for line in trust.pending]
    lines += [f"  On trust: {line}" for line in trust.trusted]
    lines += [f"  {name} ({side}): {digits or 'not known yet'}" for name, side, digits in trust.players]
    return "\n".join(lines)


def report_json(report: Report) -> dict[str, Any]:
    """The report as plain values; keys are documented in docs/reports.md."""
    return {
        "game": report.game,
        "file": report.number,
        "author": report.author,
        "battle": report.match.battle.title,
        "headline": report.headline,
        "chair": None if report.chair is None else ("allies", "axis")[report.chair],
        "turn": report.state.turn,
        "medals": [{**row, "side": row["side"].lower()} for row in report.medals],
        "asked": {"kind": report.asked.kind, "text": report.asked.text, "command": report.asked.command},
        "notes": [{"author": name, "text": text} for name, text in report.notes],
        "terms": list(report.terms),
        "story": [
            {
                "turn": part.turn,
                "side": ("allies", "axis")[part.side],
                "heading": passage.heading,
                "lines": [line.text for line in merged(passage.lines)],
            }
            for part in report.parts
            for passage in part.passages
        ],
        "events": list(report.events),
        "hand": None if report.hand is None else list(report.hand),
        "security": {
            "proved": list(report.trust.proved),
            "pending": list(report.trust.pending),
            "trusted": list(report.trust.trusted),
            "players": [
                {"name": name, "side": side.lower(), "fingerprint": digits}
                for name, side, digits in report.trust.players
            ],
        },
    }
