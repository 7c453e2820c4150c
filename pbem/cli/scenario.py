"""`pbem scenario`: the battles of the library and of files."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from engine.battle import SIDES, Battle
from engine.errors import EngineError, ScenarioError
from pbem.cli.scenario_import import export_document, import_documents
from pbem.cli.screen import Screen, chair_number, drawing_options, say, say_json, screen
from pbem.library import ENDINGS, load_battle, scenario_names

PARTIAL = "partial: this program cannot play all of it"

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON with stable keys.")


@click.group()
def scenario() -> None:
    """The battles: list, show, render, validate, import, export.

    A NAME is a battle of the library, such as pegasus-bridge, or the path of a .yaml file.
    """


# list


scenario.add_command(import_documents)
scenario.add_command(export_document)


@scenario.command("list")
@json_option
def list_battles(as_json: bool) -> None:
    """List all battles of the library."""
    battles = [load_battle(name) for name in scenario_names()]
    if as_json:
        say_json([summary(battle) for battle in battles])
        return
    widths = [max((len(text) for text in column), default=0) + 2 for column in _columns(battles)]
    for shape in dict.fromkeys(battle.shape for battle in battles):
        say(f"{f'{shape} board':{sum(widths) + 1}}{'date':12}medals")
        for battle in battles:
            if battle.shape == shape:
                say(_row(battle, widths))


def _columns(battles: list[Battle]) -> tuple[list[str], list[str]]:
    return [battle.key for battle in battles], [battle.title for battle in battles]


def _row(battle: Battle, widths: list[int]) -> str:
    """Name, title, day of the battle, and the medals that the Allies and the Axis need."""
    medals = "/".join(str(side.medals) for side in battle.sides)
    mark = "  partial" if battle.partial else ""
    return f" {battle.key:{widths[0]}}{battle.title:{widths[1]}}{battle.date[:10]:12}{medals}{mark}"


def summary(battle: Battle) -> dict[str, Any]:
    """What `list --json` says about a battle."""
    return {
        "name": battle.key,
        "title": battle.title,
        "date": battle.date,
        "board": battle.shape,
        "face": battle.face,
        "first": battle.first,
        "sides": {
            side: {"nation": facts.nation, "cards": facts.cards, "medals": facts.medals}
            for side, facts in zip(SIDES, battle.sides, strict=True)
        },
        "unit_count": len(battle.units),
        "partial": list(battle.partial),
    }


# show


@scenario.command("show")
@click.argument("name")
@json_option
@click.option("--plain", is_flag=True, help="Words instead of a drawing, for screen readers.")
@drawing_options
def show_battle(name: str, as_json: bool, plain: bool, chair: str | None, colour: str, glyphs: str) -> None:
    """Show a battle: board, story, briefings, special rules, forces."""
    battle = read_battle(name)
    if as_json:
        say_json(facts_of(battle))
        return
    look = screen(colour, glyphs)
    for paragraph in (*_heading(battle), *_forces(battle)):
        say(_wrap(paragraph, look))
    say()
    say(_board(battle, chair, look, plain=plain))
    for heading, text in _texts(battle):
        say(f"{heading}\n{text if heading == 'Special rules' else _wrap(text, look)}\n")


def _heading(battle: Battle) -> list[str]:
    lines = [battle.title + (f", {battle.date}" if battle.date else "")]
    if battle.partial:
        lines.append(f"{PARTIAL}: {'; '.join(battle.partial)}")
    lines.append(f"Board: {battle.shape}, {battle.face}. The {_side(battle.first)} move first.")
    return lines


def _forces(battle: Battle) -> list[str]:
    """One line per side: units by kind, cards, medals."""
    from engine.units import UNITS

    lines = []
    for side, facts in zip(SIDES, battle.sides, strict=True):
        kinds: dict[str, int] = {}
        for unit in battle.units:
            if unit.side == side:
                kinds[unit.type] = kinds.get(unit.type, 0) + 1
        units = ", ".join(f"{number} {UNITS[kind].name}" for kind, number in kinds.items())
        nation = f" ({facts.nation})" if facts.nation else ""
        growth = f" growing to {facts.cards + sum(facts.growth)}" if facts.growth else ""
        cards = f"{facts.cards} cards{growth}"
        lines.append(f"{_side(side)}{nation}: {units}; {cards}; {facts.medals} medals to win.")
    if battle.airdrop is not None:
        lines.append(
            f"The {_side(battle.airdrop.side)} drop {len(battle.airdrop.units)} of these units from the air."
        )
    return lines


def _side(side: str) -> str:
    return {"allies": "Allies", "axis": "Axis"}[side]


def _texts(battle: Battle) -> list[tuple[str, str]]:
    """Heading and text of everything the scenario says to people."""
    rules = [
        textwrap.fill(rule, 78, initial_indent="- ", subsequent_indent="  ")
        for rule in battle.text.get("rules", "").split("\n")
        if rule
    ]
    found = [
        ("The story", battle.text.get("history", "")),
        ("To the Allies", battle.text.get("allies", "")),
        ("To the Axis", battle.text.get("axis", "")),
        ("Special rules", "\n".join(rules)),
    ]
    return [(heading, text) for heading, text in found if text]


def _wrap(text: str, look: Screen) -> str:
    return textwrap.fill(text, look.text_width)


def _board(battle: Battle, chair: str | None, look: Screen, *, plain: bool = False) -> str:
    """The starting position, drawn or in words."""
    from engine.turn import new_game
    from pbem.draw import describe, text_board

    state = new_game(battle)
    seat = chair_number(chair)
    if plain:
        return describe(state, chair=seat)
    return text_board(state, chair=seat, colour=look.colour, unicode=look.unicode, width=look.width)


def facts_of(battle: Battle) -> dict[str, Any]:
    """Everything a battle says, as `show --json` prints it."""
    facts = summary(battle)
    for side, row in zip(SIDES, battle.sides, strict=True):
        facts["sides"][side].update(edge=row.edge, growth=list(row.growth))
    drop = battle.airdrop
    facts.update(
        front=battle.front,
        year=battle.year,
        hexes={
            label: {
                "terrain": hex_facts.terrain,
                "features": [{"feature": key, "owner": owner} for key, owner in hex_facts.features],
                "traits": sorted(hex_facts.traits),
            }
            for label, hex_facts in battle.hexes.items()
        },
        units=[
            {
                "number": number,
                "side": unit.side,
                "type": unit.type,
                "at": unit.at,
                "figures": unit.figures,
                "medals": unit.medals,
                "badge": unit.nation,
            }
            for number, unit in enumerate(battle.units)
        ],
        objectives=[
            {
                "kind": goal.kind,
                "sides": list(goal.sides),
                "hexes": list(goal.hexes),
                "need": goal.need,
                "medals": goal.medals,
                "infantry_medals": goal.infantry_medals,
                "check": goal.check,
                "name": goal.name,
                "to_win": number in battle.victory_needs,
            }
            for number, goal in enumerate(battle.objectives)
        ],
        airdrop=None
        if drop is None
        else {"side": drop.side, "units": list(drop.units), "steps": drop.steps, "target": drop.target},
        card_uses=[
            {
                "side": use.side,
                "card": use.card,
                "as": use.becomes,
                "dice": use.dice,
                "in_section": use.in_section,
                "while_holding": list(use.while_holding),
            }
            for use in battle.card_uses
        ],
        causeway=list(battle.causeway),
        options=dict(battle.options),
        labels=dict(battle.labels),
        text={**battle.text, "rules": [line for line in battle.text.get("rules", "").split("\n") if line]},
        source=battle.source,
    )
    return facts


# render


@scenario.command("render")
@click.argument("name")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="A file ending in .svg or .txt.")
@click.option(
    "--theme", type=click.Choice(("auto", "light", "dark")), default="auto", help="Colours of an SVG."
)
@drawing_options
def render_battle(
    name: str, output: Path | None, theme: str, chair: str | None, colour: str, glyphs: str
) -> None:
    """Draw the starting position of a battle, on the screen or into a file."""
    battle = read_battle(name)
    if output is None:
        say(_board(battle, chair, screen(colour, glyphs)).rstrip("\n"))
        return
    if output.suffix.lower() == ".svg":
        from engine.turn import new_game
        from pbem.draw import svg_board

        picture = svg_board(new_game(battle), chair=chair_number(chair), theme=theme) + "\n"
    elif output.suffix.lower() == ".txt":
        look = Screen(colour=colour == "always", unicode=glyphs == "unicode", width=None)
        picture = _board(battle, chair, look)
    else:
        raise click.BadParameter("a picture is written to a file ending in .svg or .txt", param_hint="-o")
    write_file(output, picture)
    say(f"{battle.title} drawn in {output}")
    if battle.partial:
        say(f"{PARTIAL}: {'; '.join(battle.partial)}")


def write_file(path: Path, text: str) -> None:
    """Write a file whole or not at all; raises Refused where that is not possible."""
    from pbem.cli.desk import write_out

    write_out(path, text.encode())


# validate


@scenario.command("validate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@json_option
def validate_files(files: tuple[str, ...], as_json: bool) -> int:
    """Check scenario files: readable, complete, playable. Exit status 1 if one is not."""
    results = [_validate(name) for name in files]
    if as_json:
        say_json(results)
    else:
        for result in results:
            if not result["valid"]:
                click.echo(f"pbem: {result['error']}", err=True)
            elif result["partial"]:
                say(f"{result['file']}: {result['title']}, {PARTIAL}: {'; '.join(result['partial'])}")
            else:
                say(f"{result['file']}: {result['title']}, {result['unit_count']} units, can be played")
    return 0 if all(result["valid"] for result in results) else 1


def _validate(name: str) -> dict[str, Any]:
    """What `validate --json` says about a file."""
    from engine.turn import new_game

    result: dict[str, Any] = {"file": name, "valid": False, "error": None, "line": None}
    try:
        battle = read_battle(name)
        new_game(battle)
    except EngineError as problem:
        line = problem.line if isinstance(problem, ScenarioError) else None
        return result | {"error": str(problem), "line": line, "title": None, "unit_count": 0, "partial": []}
    return result | {
        "valid": True,
        "title": battle.title,
        "unit_count": len(battle.units),
        "partial": list(battle.partial),
    }


def read_battle(name: str) -> Battle:
    """A battle by its name or path; says so when a file has the wrong ending."""
    if not name.endswith(ENDINGS) and Path(name).suffix and Path(name).is_file():
        raise ScenarioError(
            'a scenario file ends in .yaml; "pbem scenario import" reads documents of the scenario editor',
            name=name,
        )
    return load_battle(name)
