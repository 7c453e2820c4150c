"""docs/commands.md names every command and every key that scripts may rely on."""

from __future__ import annotations

import json
import re
from pathlib import Path

import click
import pytest

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


def test_every_option_on_the_page_exists() -> None:
    """A row may go on in rows that begin with a blank: their options belong to the same command."""
    command: click.Command | None = None
    seen = 0
    for row in re.findall(r"^\| (.*?) \|", PAGE.replace("\\|", "/"), re.M):
        found = re.match(r"`pbem ([a-z]+)(?: ([a-z]+))?", row)
        if found:
            command = named_command(*found.groups())
        elif not row.startswith("&nbsp;"):
            continue
        assert command is not None
        options = {name for param in command.params for name in (*param.opts, *param.secondary_opts)}
        for name in re.findall(r"(?<![\w-])--?[a-z][a-z-]*", row):
            seen += 1
            assert name in options, (command.name, name)
    assert seen > 20


def named_command(name: str, below: str | None) -> click.Command:
    """The command of a row; the second word counts where the first one is a group."""
    command = cli.get_command(click.Context(cli), name)
    if isinstance(command, click.Group) and below is not None:
        command = command.commands[below]
    assert command is not None
    return command


@pytest.mark.parametrize("name", ["id", "scenario"])
def test_the_line_of_help_of_a_group_names_commands_that_it_has(name: str) -> None:
    group = named_command(name, None)
    assert isinstance(group, click.Group)
    named = re.findall(r"[a-z]+", COMMANDS[name][2].partition(":")[2])
    assert len(named) > 3
    assert set(named) <= set(group.commands)


def test_the_keys_of_status_are_on_the_page(bob: Player) -> None:
    stock(bob.home, turns()[:3])
    row = json.loads(bob.types("status", "--json")[1])
    for key in row:
        assert re.search(rf"\b{key}\b", PAGE), key
