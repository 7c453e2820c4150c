"""`pbem scenario import` and `pbem scenario export`: documents of the community's scenario editor.

The library behind them is imported only when a command runs, so that registering them costs nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.errors import Refused

if TYPE_CHECKING:
    from engine.battle import Battle
    from pbem.editor import Imported, Problem

MAX_FILES = 500


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path, readable=False))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="Folder to write to; else beside each file."
)
@click.option(
    "--partial", is_flag=True, help="Import also what cannot be played in full; the scenario says so."
)
@click.option("--force", is_flag=True, help="Replace scenario files that are there already.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def import_documents(
    files: tuple[Path, ...], out: Path | None, partial: bool, force: bool, as_json: bool
) -> None:
    """Turn documents of the community's scenario editor into scenario files.

    All documents are checked before anything is written. See docs/import.md.
    """
    if len(files) > MAX_FILES:
        raise Refused(f"{len(files)} files are too many at once; {MAX_FILES} are the most")
    found = [(path, _read_document(path)) for path in files]
    targets = [(out or path.parent) / f"{imported.battle.key}.yaml" for path, imported in found]
    blocked = [path for path, imported in found if not imported.is_whole and not partial]
    if not blocked:
        _refuse_collisions(targets, force=force)
        if out is not None:
            _make_folder(out)
        texts = {target: imported.text for target, (_, imported) in zip(targets, found, strict=True)}
        _write_all(texts, force=force)
    rows = [
        _summary(path, imported, None if blocked else target)
        for target, (path, imported) in zip(targets, found, strict=True)
    ]
    if as_json:
        click.echo(json.dumps(rows, indent=2, ensure_ascii=False))
    else:
        click.echo("\n\n".join(_describe(row) for row in rows))
    if blocked:
        one = f"{blocked[0]} holds" if len(blocked) == 1 else f"{len(blocked)} documents hold"
        raise Refused(
            f"{one} what cannot be played yet; nothing was written",
            hint="--partial imports the rest, and the scenario lists what is missing",
            code="partial-scenario",
        )


@click.command("export")
@click.argument("name")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), help="File to write; else the document is printed."
)
@click.option("--force", is_flag=True, help="Replace the file if it is there already.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written and what was lost as JSON.")
def export_document(name: str, out: Path | None, force: bool, as_json: bool) -> None:
    """Write a battle as a document of the community's scenario editor.

    NAME is a battle of the library or a scenario file. What such a document cannot say is listed.
    """
    from pbem.editor import export_battle
    from pbem.library import load_battle

    exported = export_battle(load_battle(name))
    text = json.dumps(exported.document, indent=1, ensure_ascii=False) + "\n"
    if out is not None:
        _refuse_collisions([out], force=force)
        _write_all({out: text}, force=force)
    lost = [problem.sentence for problem in exported.lost]
    if as_json:
        row: dict[str, Any] = {
            "written": str(out) if out else None,
            "lost": [p.as_json() for p in exported.lost],
        }
        if out is None:
            row["document"] = exported.document
        click.echo(json.dumps(row, indent=2, ensure_ascii=False))
        return
    if out is None:
        click.echo(text, nl=False)
    else:
        click.echo(f"written: {out}")
    if lost:
        click.echo("An editor document cannot say:", err=out is None)
        for sentence in lost:
            click.echo(f"  - {sentence}", err=out is None)


# Files


def _read_document(path: Path) -> Imported:
    """The battle of one file, never reading more of it than a document may have."""
    from pbem.editor import import_document
    from pbem.editor.source import MAX_BYTES

    if not path.is_file():
        raise Refused(f"there is no file {_shown(path)}", hint="name the documents to import", code="no-file")
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as problem:
        raise Refused(f"{_shown(path)} cannot be read: {problem.strerror}") from None
    return import_document(data, name=_shown(path))


def _shown(path: Path) -> str:
    """A path for messages: printable and not endless."""
    from engine.document import printable

    return printable(str(path), 120)


def _refuse_collisions(targets: list[Path], *, force: bool) -> None:
    seen: set[Path] = set()
    for target in targets:
        if target in seen:
            raise Refused(
                f"two of the documents would both become {_shown(target)}",
                hint="import them to different folders",
            )
        seen.add(target)
        if target.is_dir():
            raise Refused(f"{_shown(target)} is a folder", hint="name a file")
        if target.exists() and not force:
            raise Refused(
                f"{_shown(target)} is there already", hint="--force replaces it", code="file-exists"
            )


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Refused(f"the folder {_shown(folder)} cannot be made: {problem.strerror}") from None


def _write_all(texts: dict[Path, str], *, force: bool) -> None:
    """Write files whole and all, or none; without force never over another, even one just made."""
    from pbem.cli.desk import public_mode
    from pbem.errors import StoreError
    from pbem.files import write_files

    try:
        write_files({path: text.encode() for path, text in texts.items()}, mode=public_mode(), replace=force)
    except StoreError as problem:
        raise Refused(problem.message, hint="choose another place with -o", code="cannot-write") from None


# The summary


def _summary(path: Path, imported: Imported, target: Path | None) -> dict[str, Any]:
    """What was made of one document; the keys are those of docs/import.md."""
    battle = imported.battle
    return {
        "file": str(path),
        "written": str(target) if target is not None else None,
        "title": battle.title,
        "board": battle.shape,
        "face": battle.face,
        "date": battle.date,
        "first": battle.first,
        "sides": {side: _side(battle, side) for side in ("allies", "axis")},
        "objectives": len(battle.objectives),
        "whole": imported.is_whole,
        "problems": [problem.as_json() for problem in _chosen(imported, blocking=True)],
        "notes": [problem.sentence for problem in _chosen(imported, blocking=False)],
    }


def _chosen(imported: Imported, *, blocking: bool) -> list[Problem]:
    return [problem for problem in imported.problems if problem.blocking is blocking]


def _side(battle: Battle, side: str) -> dict[str, Any]:
    facts = battle.sides[("allies", "axis").index(side)]
    units = [unit for unit in battle.units if unit.side == side]
    types: dict[str, int] = {}
    for unit in units:
        types[unit.type] = types.get(unit.type, 0) + 1
    return {
        "nation": facts.nation,
        "edge": facts.edge,
        "cards": facts.cards,
        "medals": facts.medals,
        "units": types,
        "figures": sum(unit.figures for unit in units),
    }


def _describe(row: dict[str, Any]) -> str:
    """The summary of one document for people."""
    from pbem.editor.problems import Problem

    when = f", {row['date']}" if row["date"] else ""
    lines = [f"{row['title']}: {row['board']} board, {row['face']}{when}; the {row['first']} move first"]
    for side, facts in row["sides"].items():
        units = ", ".join(f"{count} {kind}" for kind, count in facts["units"].items())
        nation = f" ({facts['nation']})" if facts["nation"] else ""
        lines.append(
            f"  {side}{nation}, {facts['edge']}: {facts['cards']} cards, {facts['medals']} medals; "
            f"{units}; {facts['figures']} figures"
        )
    lines.append(f"  objectives: {row['objectives']}")
    if row["problems"]:
        lines.append("  cannot be played yet:")
        for part in row["problems"]:
            problem = Problem(part["what"], tuple(part["where"]), part["done"])
            lines.append(f"    - {problem.sentence}")
    lines += [f"  note: {note}" for note in row["notes"]]
    if row["written"]:
        lines.append(f"  written: {row['written']}")
    return "\n".join(lines)
