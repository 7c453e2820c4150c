"""`pbem scenario`: the battles of the library and of files."""

from __future__ import annotations

import click

from pbem.cli.scenario_import import export_document, import_documents
from pbem.library import load_battle, scenario_names


@click.group()
def scenario() -> None:
    """The battles: list, show, render, validate, import, export."""


scenario.add_command(import_documents)
scenario.add_command(export_document)


@scenario.command("list")
def list_battles() -> None:
    """List all battles of the library."""
    for name in scenario_names():
        click.echo(f"{name:32}{load_battle(name).title}")
