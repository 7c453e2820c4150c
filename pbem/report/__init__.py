"""The report of one file: as a page, as text, as JSON, and as a file beside the turn file.

report = make_report(game.log, game.referee, 12, desk=desk, key=game.key)
render_report(report), report_text(report), report_json(report)
write_report(game, 12, folder, desk=desk)
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.report.facts import Report, make_report

if TYPE_CHECKING:
    from pbem.draft import Desk
    from pbem.store import Game

__all__ = [
    "Report",
    "make_report",
    "render_report",
    "report_json",
    "report_name",
    "report_text",
    "write_report",
]


def render_report(report: Report) -> str:
    """The report as one HTML page that needs nothing else."""
    from pbem.report.page import render_report

    return render_report(report)


def report_text(report: Report) -> str:
    """The report as plain text, for the body of a mail."""
    from pbem.report.text import report_text

    return report_text(report)


def report_json(report: Report) -> dict[str, Any]:
    """The report as plain values; keys are documented in docs/reports.md."""
    from pbem.report.text import report_json

    return report_json(report)


def report_name(number: int, *, spectator: bool = False) -> str:
    """The name of a report's file."""
    return f"turn{number:02}{'-spectator' if spectator else ''}.html"


def write_report(game: Game, number: int, folder: Path, *, desk: Desk | None = None) -> Path:
    """Write the page of a file into a folder and return its path; raises Refused or StoreError."""
    from pbem.files import make_folder, write_file

    report = make_report(game.log, game.referee, number, desk=desk, key=game.key)
    path = folder / report_name(number, spectator=desk is None)
    make_folder(folder)
    write_file(path, render_report(report).encode())
    return path
