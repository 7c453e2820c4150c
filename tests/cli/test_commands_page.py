"""docs/commands.md names every command and every key that scripts may rely on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click

from pbem.cli import COMMANDS, cli
from tests.cli.post import Player, stock, turns

PAGE = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


def test_every_command_is_on_the_page() -> None:
    named = set(re.findall(r"`pbem ([a-z]+)", PAGE))
    assert set(COMMANDS) - named == set()
    assert named - set(COMMANDS) == set()


def test_every_subcommand_of_id_is_on_the_page() -> None:
    context = click.Context(cli)
    group = cli.get_command(context, "id")
    assert isinstance(group, click.Group)
    assert set(re.findall(r"`pbem id ([a-z]+)", PAGE)) == set(group.commands)


def test_one_line_of_help_for_each_command_fits_the_command() -> None:
    """The table of commands and the commands themselves do not drift apart."""
    context = click.Context(cli)
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        assert command.help


def test_the_keys_of_status_are_on_the_page(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    row = json.loads(bob.types("status", "--json")[1])
    for key in row:
        assert re.search(rf"\b{key}\b", PAGE), key
