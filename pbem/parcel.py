"""Turn files inside whatever bytes people send: archives, mails, mail boxes and texts, one in another.

`open_parcel(data, origin)` goes by what bytes look like, never by a name, and gives the turn files in them,
each with where it was found, and a trouble for whatever should have been one. It opens no signature and knows
no game. Everything that is taken out of one parcel, at whatever depth, comes off one `Budget`: a small file
can never make much work, however it is folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pbem.archive import OpenZip, is_shadow, is_zip, printable
from pbem.armor import scan
from pbem.container import LARGEST, MAGIC, split, unpack
from pbem.errors import Fault, PbemError, Refused, TurnFileError
from pbem.pasted import as_text, find_base64, from_page, has_trace, is_page, is_wide

if TYPE_CHECKING:
    from email.message import Message

MOST_BYTES = 64 * 2**20  # inflated and decoded
MOST_ENTRIES = 50_000  # members of archives, mails, parts of mails, turn files
MOST_LOOKS = 25_000_000  # at lines of mails
MOST_DEPTH = 4  # mails in mails, archives in mails
LONGEST_NAME = 120  # characters of a member's name that are shown
FIRST_LOOK = 20_000  # bytes that tell a mail
TURN = ".m44"
PROOF = ".cert"
ROOMY = (".zip", ".eml", ".mbox", ".txt", ".mail", ".msg", ".html", ".htm")  # may be larger than a turn file
ENDINGS = (TURN, *ROOMY)
CERTIFICATE = b"\x84\xa5files"  # how a fork certificate begins: a map of four, whose first key is "files"
BOX_WORD = b"From "  # begins every mail of a mail box
# Patterns are compiled when they are first used: most commands never see a mail.
HEADER_LINE = rb"[!-9;-~]{1,70}:[ \t]"
MAIL_WORDS = rb"(?im)^(mime-version|received|from|to|subject|date|content-type|return-path):"
BOX_LINE = rb"(?:\A|\n\r?\n)From [^\n]*\n"
CONTENT_HEADER = rb"(?i)(?:\A|[\r\n])content-(?:type|disposition)[ \t]*:(?:[^\r\n]|\r?\n[ \t]|\r[ \t])*"
BOUNDARY = rb"(?i)boundary[\s\d*]*="
# What else people hand over, and what to do with it.
OTHERS = {
    "scenario": ("a document of the scenario editor, not a turn file", "scenario import", "reads it"),
    "contact": ("a contact card", "id import", "takes it in"),
    "claim": ("a claim, not a turn file", "claim --check", "checks it"),
    "certificate": ("proof of a fork, not a turn file", "verify", "checks it"),
}
SURELY_BYTES = 200
LINE_COST = 20  # looks; one more for every part that may be open around the line


class Letter(NamedTuple):
    """One turn file and where it was found."""

    origin: str
    data: bytes


class Trouble(NamedTuple):
    """Something that should have been a turn file."""

    origin: str
    problem: PbemError
    is_other: bool = False  # it is something else with the ending of turn files, and nobody's fault


class Aside(NamedTuple):
    """Something else of interest: a claim, a fork certificate, a scrap of a block beside whole ones."""

    origin: str
    kind: str  # "claim", "certificate" or "scrap"
    data: bytes = b""


Content = Letter | Trouble | Aside


class TooMuch(Refused):
    """More is folded into a parcel than anybody needs."""

    code = "too-much"

    def __init__(self, words: str) -> None:
        super().__init__(words, hint="hand over the turn files themselves")


class Budget:
    """What may still be taken out of one parcel, at all depths together; raises TooMuch."""

    def __init__(self, size: int = MOST_BYTES) -> None:
        self.most = self.size = size
        self.entries = MOST_ENTRIES
        self.looks = MOST_LOOKS

    def take(self, size: int) -> None:
        """Pay for bytes."""
        self.size -= size
        if self.size < 0:
            raise TooMuch(f"holds more than {self.most} bytes")

    def count(self, entries: int) -> None:
        """Pay for members or parts."""
        self.entries -= entries
        if self.entries < 0:
            raise TooMuch(f"has more than {MOST_ENTRIES} entries")

    def look(self, looks: int) -> None:
        """Pay for lines."""
        self.looks -= looks
        if self.looks < 0:
            raise TooMuch("is a mail of too many lines or parts")


def open_parcel(data: bytes, origin: str) -> Iterator[Content]:
    """What is in some bytes, in the order found; nothing if there is no trace of a turn file."""
    try:
        yield from _open_data(data, origin, 0, Budget())
    except TooMuch as refused:
        yield Trouble(origin, TooMuch(f'"{origin}" {refused}'))


def _open_data(data: bytes, origin: str, depth: int, budget: Budget) -> Iterator[Content]:
    if data.startswith(MAGIC):
        yield from _open_raw(data, origin, budget)
    elif data.startswith(CERTIFICATE):
        yield Aside(origin, "certificate", data)
    elif not is_zip(data) and not is_mail(data):
        yield from _open_text(data, origin, budget)
    elif depth > MOST_DEPTH:
        raise TooMuch(f"is folded more than {MOST_DEPTH} times")
    elif is_zip(data):
        yield from _open_zip(data, origin, depth, budget)
    elif data.startswith(BOX_WORD):
        yield from _open_mailbox(data, origin, depth, budget)
    else:
        yield from _open_mail(data, origin, depth, budget)


def is_mail(data: bytes) -> bool:
    """Whether bytes begin as a mail does, or as a box of mails."""
    if data.startswith(BOX_WORD):
        return True
    return re.match(HEADER_LINE, data) is not None and len(re.findall(MAIL_WORDS, data[:FIRST_LOOK])) >= 2


# Raw files


def _open_raw(data: bytes, origin: str, budget: Budget) -> Iterator[Letter | Trouble]:
    try:
        files = split(data)
    except Fault as fault:
        yield Trouble(origin, explain(data, fault))
        return
    budget.count(len(files))
    for place, file in enumerate(files, start=1):
        name = origin if len(files) == 1 else f"{origin}, file {place} in it"
        try:
            unpack(file)
        except Fault as fault:
            yield Trouble(name, explain(file, fault))
        else:
            yield Letter(name, file)


def explain(data: bytes, fault: Fault) -> PbemError:
    """The sentence for a raw file that cannot be opened."""
    if fault.code == "E_VERSION":
        return fault
    hint = 'ask for it in letters: "pbem seal --armor" writes it that way'
    changed = "the mail program changed the file:"
    if _was_text(data):
        words = f"{changed} it was sent as text, and its bytes are not what they were"
        return TurnFileError(words, hint=hint, code="as-text")
    if has_changed_lines(data):
        return TurnFileError(f"{changed} its line ends are not what they were", hint=hint, code="line-ends")
    if fault.code in ("E_MAGIC", "E_SIZE") and not fault.hint:
        fault.hint = "ask for it again"
    return fault


def _was_text(data: bytes) -> bool:
    """Whether the bytes of a raw file have become letters, or marks in place of letters."""
    if data.count(b"\xef\xbf\xbd") > 4:  # bytes that were no letters became replacement marks
        return True
    try:
        data.decode()
    except UnicodeDecodeError as problem:
        return len(data) >= SURELY_BYTES and problem.start > len(data) - 4  # cut off inside a letter
    return len(data) >= SURELY_BYTES  # no compressed file is text by chance


def has_changed_lines(data: bytes) -> bool:
    """Whether the line ends of a raw file were changed on its way."""
    lines, ends = data.count(b"\n"), data.count(b"\r\n")
    if ends and ends == lines and _opens(data.replace(b"\r\n", b"\n")):
        return True
    if ends == lines >= 4:  # every line feed has its carriage return: one in 256 would by chance
        return True
    # Carriage returns lost or turned into line feeds: a random kilobyte has four of each.
    return len(data) >= 1500 and b"\r" not in data and lines >= 4


def _opens(data: bytes) -> bool:
    try:
        unpack(data)
    except Fault:
        return False
    return True


# Archives


class Packed(NamedTuple):
    """A member of an archive: its name, what people may see of it, its bytes or why there are none."""

    name: str
    origin: str
    data: bytes | None
    problem: str


def read_members(zipped: OpenZip, origin: str, budget: Budget) -> Iterator[Packed]:
    """The files in an archive, sorted by name; those that cannot hold turn files without their bytes."""
    budget.count(len(zipped))
    for name, size in sorted(zipped.sizes().items()):
        if is_shadow(name):
            continue
        roomy = ending(name) in ROOMY or (size > LARGEST and _is_roomy(zipped, name, budget))
        if roomy or size <= LARGEST:
            budget.take(size)
        member = zipped.read(name, limit=max(size, LARGEST) if roomy else LARGEST)
        yield Packed(name, f"{origin}: {printable(name, LONGEST_NAME)}", member.data, member.problem)


def _is_roomy(zipped: OpenZip, name: str, budget: Budget) -> bool:
    """Whether a large member is an archive, a mail or a certificate, whatever its name."""
    if ending(name) == TURN:
        return False
    budget.take(FIRST_LOOK)
    head = zipped.peek(name, FIRST_LOOK)
    return is_zip(head) or is_mail(head) or head.startswith(CERTIFICATE)


def open_member(packed: Packed, budget: Budget) -> Iterator[Content]:
    """What is in a member whose bytes were read; raises TooMuch."""
    assert packed.data is not None
    yield from _open_inside(packed.data, packed.name, packed.origin, 0, budget)


def ending(name: str) -> str:
    """How a name ends, in small letters."""
    return name[max(0, name.rfind(".")) :].lower()


def _open_zip(data: bytes, origin: str, depth: int, budget: Budget) -> Iterator[Content]:
    hint = "ask for the turn files themselves"
    try:
        zipped = OpenZip(data)
    except Fault as fault:
        reason = fault.message.replace("the archive", "it", 1)
        yield Trouble(origin, Fault("archive", f'the archive "{origin}" cannot be read: {reason}', hint=hint))
        return
    for packed in read_members(zipped, origin, budget):
        if packed.data is not None:
            yield from _open_inside(packed.data, packed.name, packed.origin, depth, budget)
        elif ending(packed.name) in (*ENDINGS, PROOF):
            yield Trouble(packed.origin, Fault("archive", f'"{packed.origin}" {packed.problem}', hint=hint))


def _open_inside(data: bytes, name: str, origin: str, depth: int, budget: Budget) -> Iterator[Content]:
    """What is in a member or an attachment; one that is called a turn file and holds none is a trouble."""
    nothing = True
    for item in _open_data(data, origin, depth + 1, budget):
        nothing = False
        yield item
    if nothing and ending(name) in (TURN, PROOF):
        yield Trouble(origin, nothing_in(data, origin, is_member=True), is_other=True)


# Mail


def _open_mailbox(data: bytes, origin: str, depth: int, budget: Budget) -> Iterator[Content]:
    """The messages of a mail box in turn."""
    number = start = 0
    for match in re.finditer(BOX_LINE, data):
        if number:
            yield from _open_mail(data[start : match.start()], f"{origin}, mail {number}", depth, budget)
        number, start = number + 1, match.end()
    yield from _open_mail(data[start:], f"{origin}, mail {number}", depth, budget)


def _open_mail(data: bytes, origin: str, depth: int, budget: Budget) -> Iterator[Content]:
    from email import message_from_bytes, policy

    # The library looks at every line once for each part that is open there, and keeps every part: what
    # that takes is paid before it begins.
    budget.count(1 + data.count(b"\n--") + data.count(b"\r--"))
    lines = 1 + data.count(b"\n") + data.count(b"\r") - data.count(b"\r\n")
    budget.look(lines * (LINE_COST + len(re.findall(BOUNDARY, data))))
    # It also reads a header with many semicolons in quotation marks again and again.
    for header in re.finditer(CONTENT_HEADER, data):
        budget.look(len(header[0]) * header[0].count(b";") // 100)
    try:
        message = message_from_bytes(data, policy=policy.compat32)
        parts = [part for part in message.walk() if not part.is_multipart()]
    except (ValueError, LookupError, RecursionError, AssertionError):
        yield Trouble(origin, TurnFileError("the mail is damaged", hint="ask for the turn file itself"))
        return
    for part in parts:
        yield from _open_part(part, origin, depth, budget)


def _open_part(part: Message, origin: str, depth: int, budget: Budget) -> Iterator[Content]:
    try:
        payload = part.get_payload(decode=True)
    except (ValueError, LookupError, AssertionError):
        return
    if not isinstance(payload, bytes):
        return
    budget.take(len(payload))
    name = _name_of(part)
    where = f"{origin}: {printable(name, LONGEST_NAME)}" if name else origin
    is_text = part.get_content_maintype() == "text" and not payload.startswith(MAGIC)
    if is_text and ending(name) not in (TURN, PROOF, ".zip"):
        yield from _open_text(payload, where, budget)
    else:
        yield from _open_inside(payload, name, where, depth, budget)


def _name_of(part: Message) -> str:
    """The file name of an attachment, "" for none and for one that the library cannot read."""
    try:
        name = part.get_filename()
    except Exception:  # it raises several kinds for names that nobody gives; what is inside counts anyway
        return ""
    return name if isinstance(name, str) else ""


# Text


def _open_text(data: bytes, origin: str, budget: Budget) -> Iterator[Content]:
    """Armored blocks; without any, bare base64 that begins as a turn file does."""
    if not has_trace(data):
        return
    text = as_text(data)
    turns = scan(text)
    if (turns.damaged or not turns.blocks) and is_page(text):
        text = from_page(text)
        turns = scan(text)
    claims = scan(text, "CLAIM")
    for number, block in enumerate(turns.blocks, start=1):
        where = origin if len(turns.blocks) == 1 else f"{origin}, block {number}"
        yield from _open_raw(block, where, budget)
    for block in claims.blocks or [b""] * (claims.damaged > 0):
        yield Aside(origin, "claim", block)
    if turns.damaged > turns.scraps or (turns.damaged and not turns.blocks):
        yield Trouble(origin, _changed_block(beside=bool(turns.blocks)))
    elif turns.damaged:
        yield Aside(origin, "scrap")
    for file in () if turns.blocks or turns.damaged else find_base64(text):
        budget.count(1)
        yield from _open_raw(file, origin, budget)


def _changed_block(*, beside: bool) -> TurnFileError:
    which = "a text block beside whole ones" if beside else "the text block"
    return TurnFileError(
        f"{which} was changed on its way or is incomplete",
        hint="ask for the file as an attachment",
        code="armor",
    )


# Something else


def nothing_in(data: bytes, name: str, *, is_member: bool = False) -> PbemError:
    """The sentence for bytes without a turn file: those of a path, or of something inside another file."""
    kind = next((kind for kind in OTHERS if _is_kind(data, kind)), "")
    if kind:
        words, command, verb = OTHERS[kind]
        # A stranger has chosen the name; the shell must not read it.
        typed = f'"pbem {command} {"FILE" if is_member else _quoted(name)}" {verb}'
        hint = f"unpack it first, then {typed}" if is_member else typed
        return Refused(f'"{name}" is {words}', hint=hint, code=kind)
    if not data:
        return TurnFileError(f'"{name}" is empty', hint="ask for it again", code="empty")
    for kind, what in ((TURN, "a turn file"), (PROOF, "proof of a fork")):
        if ending(name) == kind:
            words = f'"{name}" is not {what}, or it is damaged from its first byte on'
            return TurnFileError(words, hint="ask for it again")
    return Refused(f'there is no turn file in "{name}"', hint="turn files end in .m44")


def _is_kind(data: bytes, kind: str) -> bool:
    if kind == "certificate":
        return data.startswith(CERTIFICATE)
    if kind == "scenario":
        head = as_text(data[:4096]).lstrip("\ufeff \t\r\n")
        return head.startswith(("{", "[")) and '"' in head
    return (b"PBEM" in data or is_wide(data)) and bool(scan(as_text(data), kind.upper()).blocks)


def _quoted(name: str) -> str:
    from shlex import quote

    return quote(name)
