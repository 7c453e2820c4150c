"""`pbem id`: who you are, and whom you know."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from pbem.cli import complain
from pbem.cli.desk import (
    ANY_PATH,
    ask_passphrase,
    json_option,
    open_home,
    open_identity,
    prompt_hidden,
    write_out,
)
from pbem.cli.screen import say, say_json
from pbem.errors import Refused

MOST_CARD = 100_000  # bytes of a file or mail with a contact card
output_option = click.option("-o", "--output", type=click.Path(path_type=Path), help="File to write.")
passphrase_option = click.option("--passphrase", is_flag=True, help="Lock the key file with a passphrase.")


@click.group("id")
def ident() -> None:
    """Your identity and your contacts."""


@ident.command("new")
@click.option("--name", help="The name that others see; else your login name.")
@passphrase_option
@click.pass_context
def new(ctx: click.Context, name: str | None, passphrase: bool) -> None:
    """Make your identity: the keys that sign your files."""
    from pbem.identity import fingerprint, new_identity, seal_key_file

    home = open_home(ctx)
    with home.lock():
        home.check_no_identity()
        identity = new_identity()
        name = name or _login_name()
        home.save_identity(seal_key_file(identity, _new_passphrase(passphrase), name))
    say(f'You are "{name.strip()}". Your identity is in "{home.path}".')
    say(f"Your fingerprint: {fingerprint(identity.pk)}")
    say('Write down its backup now: "pbem id backup". Give others your card: "pbem id export".')


def _login_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise Refused("you have no login name", hint='say who you are: "pbem id new --name NAME"') from None


def _new_passphrase(wanted: bool) -> str | None:
    if not wanted:
        return None
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is None:
        given = prompt_hidden("New passphrase", twice=True)
    if not given:
        raise Refused("an empty passphrase locks nothing", hint="leave --passphrase out, or choose one")
    return given


@ident.command("show")
@json_option
@click.pass_context
def show(ctx: click.Context, as_json: bool) -> None:
    """Show who you are."""
    from pbem.identity import fingerprint

    home = open_home(ctx)
    head = home.read_head()
    if as_json:
        say_json(
            {
                "name": head.name,
                "fingerprint": fingerprint(head.pk),
                "key": head.pk.hex(),
                "locked": head.locked,
                "home": str(home.path),
            }
        )
        return
    say(f'You are "{head.name}", in "{home.path}".')
    say(f"Your fingerprint: {fingerprint(head.pk)}")
    say("The key file is locked with a passphrase." if head.locked else "The key file has no passphrase.")


@ident.command("export")
@output_option
@click.pass_context
def export(ctx: click.Context, output: Path | None) -> None:
    """Write your contact card, for others to import."""
    from pbem.identity import make_card

    identity, name = open_home(ctx).load_identity(ask_passphrase)
    card = make_card(identity, name)
    if output is None:
        say(card.rstrip("\n"))
        return
    write_out(output, card.encode())
    say(f'Your contact card is in "{output}". There is nothing secret in it.')


@ident.command("import")
@click.argument("file", type=ANY_PATH)
@click.option("--as", "name", help="The name you want to call them.")
@click.pass_context
def import_card(ctx: click.Context, file: Path, name: str | None) -> None:
    """Take in somebody's contact card; - reads it from standard input."""
    from pbem.armor import armor, find_armored
    from pbem.home import contact_key
    from pbem.identity import fingerprint, parse_card
    from pbem.summary import note_contact

    text = _read_text(file)
    contact = parse_card(text)
    home = open_home(ctx)
    key = contact_key(name or contact.name)
    with home.lock():
        if home.has_identity() and home.read_head().pk == contact.pk:
            raise Refused("this is your own contact card", hint="give it to others")
        known = home.contacts().get(key)
        if known is not None and known.pk != contact.pk:
            raise Refused(
                f'you know somebody else as "{key}"', hint="choose another name for this one with --as NAME"
            )
        home.save_contact(key, armor(find_armored(text, "CONTACT")[0], "CONTACT"))
        note_contact(home, contact.pk)
        compared = home.is_compared(contact.pk)
    say(f'"{contact.name}" is {"" if known is not None else "now "}your contact "{key}".')
    say(f"Their fingerprint: {fingerprint(contact.pk)}")
    if compared:
        say("It stays compared: there is nothing more to do.")
        return
    say(f'Compare it with them by telephone, then type: pbem id compare {key} "THEIR DIGITS"')


def _read_text(file: Path) -> str:
    try:
        if str(file) == "-":
            data = sys.stdin.buffer.read(MOST_CARD + 1)
        else:
            with file.open("rb") as stream:
                data = stream.read(MOST_CARD + 1)
    except OSError as problem:
        reason = (problem.strerror or "unknown problem").lower()
        raise Refused(f'cannot read "{file}": {reason}', hint="check its name") from problem
    if len(data) > MOST_CARD:
        raise Refused(f'"{file}" is too large for a contact card', hint="hand over the card itself")
    return data.decode("utf-8", "replace")


@ident.command("compare")
@click.argument("name")
@click.argument("digits", nargs=-1, required=True)
@click.pass_context
def compare(ctx: click.Context, name: str, digits: tuple[str, ...]) -> None:
    """Compare a contact's fingerprint with the digits they read to you."""
    from pbem.identity import fingerprint, parse_fingerprint
    from pbem.summary import note_contact

    home = open_home(ctx)
    heard = parse_fingerprint(" ".join(digits))
    with home.lock():
        contact = home.contact(name)
        if fingerprint(contact.pk) != heard:
            raise Refused(
                f'these are not the digits of "{name}": the key you have here is not theirs',
                hint="ask them for their contact card again, and do not play until it is cleared up",
            )
        home.mark_compared(contact.pk)
        note_contact(home, contact.pk)
    say(f'The digits agree: "{name}" is who they say.')


@ident.command("list")
@json_option
@click.pass_context
def list_contacts(ctx: click.Context, as_json: bool) -> int:
    """List your contacts."""
    from pbem.identity import fingerprint

    home = open_home(ctx)
    rows = [
        {
            "contact": key,
            "name": contact.name,
            "fingerprint": fingerprint(contact.pk),
            "key": contact.pk.hex(),
            "card": bool(contact.bk),
            "compared": home.is_compared(contact.pk),
        }
        for key, contact in home.contacts().items()
    ]
    status = 0
    for problem in home.damaged_contacts():
        status = complain(problem.message, problem.hint, problem.exit_status)
    if as_json:
        say_json(rows)
        return status
    for row in rows:
        mark = "compared" if row["compared"] else "not compared"
        say(f"{row['contact']:20} {row['fingerprint']}  {mark}")
    if not rows and not status:
        say('You have no contacts yet. "pbem id import FILE" takes a card in.')
    return status


@ident.command("backup")
@output_option
@click.pass_context
def backup(ctx: click.Context, output: Path | None) -> None:
    """Show the backup of your identity: sixty symbols for paper. Whoever has them is you."""
    from pbem.identity import backup_text

    text = backup_text(open_identity(open_home(ctx)))
    if output is None:
        say(text.rstrip("\n"))
        return
    write_out(output, text.encode(), private=True)
    say(f'The backup is in "{output}", readable by you alone. Put it on paper and away.')


@ident.command("restore")
@click.argument("file", type=ANY_PATH, required=False)
@click.option("--name", help="The name that others see; else your login name.")
@passphrase_option
@click.pass_context
def restore(ctx: click.Context, file: Path | None, name: str | None, passphrase: bool) -> None:
    """Restore your identity from its backup text: a FILE, - for standard input, or typed."""
    from pbem.identity import fingerprint, restore_text, seal_key_file

    home = open_home(ctx)
    home.check_no_identity()
    if file is None:
        text = str(click.prompt("Backup text, all on one line", hide_input=False, err=True))
    else:
        text = _read_text(file)
    identity = restore_text(text)
    with home.lock():
        home.save_identity(seal_key_file(identity, _new_passphrase(passphrase), name or _login_name()))
    say(f'You are back as "{home.read_head().name}". Your fingerprint: {fingerprint(identity.pk)}')
    if name is None:
        say(
            "This is your login name; others see it in games that you offer from now on. For another one move"
        )
        say(f'"{home.path / "identity.key"}" away and type: pbem id restore --name NAME')
    say("Now apply all files of your games, those you received and those you sent: pbem apply *.m44")
    say('What you had said about Ambush and on sheets does not come back: say it again with "pbem orders".')
    say("If you may have sent a file that is not among them, get it from the other player before you seal.")
