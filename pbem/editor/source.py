"""The bytes of an editor document as plain JSON values, with everything hostile refused first.

Documents come from many hands: several encodings, lists written as objects, numbers as text, and now and
then a file that was never meant to be read. `read_source` gives the outermost object or raises one
ScenarioError; the small functions below it read single values in all the forms that the editor, its
converters and its successors have written.
"""

from __future__ import annotations

import codecs
import html
import json
import re
from collections import Counter
from typing import Any, NoReturn

from engine.document import quoted
from engine.errors import ScenarioError

MAX_BYTES = 1_000_000  # the largest document known has about a tenth of this
MAX_DEPTH = 16
MAX_DIGITS = 15

_BYTE_ORDER = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NESTING = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]', re.DOTALL)
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*+>")
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_NUMBER = re.compile(r"([0-9]{1,6})(?:\.0*)?", re.ASCII)


def read_source(data: bytes, *, name: str) -> dict[str, Any]:
    """The outermost object of a document; raises ScenarioError for everything else."""
    if len(data) > MAX_BYTES:
        raise ScenarioError(
            f"the document is larger than {MAX_BYTES:,} bytes, the most that is read", name=name
        )
    text = decode(data)
    _refuse_deep(text, name)

    def refuse(word: str) -> NoReturn:
        raise ScenarioError(f"{quoted(word)} is no number that a scenario can hold", name=name)

    def short(digits: str) -> int:
        return int(digits) if len(digits) <= MAX_DIGITS else refuse(digits)

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(key for key, _ in pairs)
            twice = next(key for key, count in counts.items() if count > 1)
            raise ScenarioError(f"{quoted(twice)} is given twice in one group", name=name)
        return found

    try:
        top = json.loads(
            text,
            strict=False,  # some converters left tabs and line ends inside texts
            object_pairs_hook=once,
            parse_constant=refuse,
            parse_int=short,
            parse_float=lambda digits: digits if len(digits) <= MAX_DIGITS else refuse(digits),
        )
    except json.JSONDecodeError as problem:
        raise ScenarioError(
            f"not readable as JSON ({problem.msg[:60].lower()}), so this is no scenario-editor document",
            name=name,
            line=problem.lineno,
        ) from None
    if not isinstance(top, dict):
        raise ScenarioError("a scenario-editor document is a JSON object with a board", name=name)
    return top


def decode(data: bytes) -> str:
    """Text from bytes in UTF-8, UTF-16, UTF-32 or, failing those, the old Western code page."""
    for mark, encoding in _BYTE_ORDER:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    # JSON begins with a plain character, so a zero byte in the first two tells UTF-16 without a mark.
    if data[:2].count(0) == 1:
        return data.decode("utf-16-be" if data[0] == 0 else "utf-16-le", "replace")
    for encoding in ("utf-8", "cp1252"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("latin-1")


def _refuse_deep(text: str, name: str) -> None:
    depth = 0
    for found in _NESTING.finditer(text):
        sign = found[0][0]
        if sign in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                line = text.count("\n", 0, found.start()) + 1
                raise ScenarioError("lists or groups are nested too deeply here", name=name, line=line)
        elif sign in "]}":
            depth -= 1


# Single values in all their forms


def group(value: Any) -> dict[str, Any]:
    """A value as a group of keys in small letters; `[]`, null and anything else is an empty one."""
    if not isinstance(value, dict):
        return {}
    return {key.lower(): part for key, part in value.items()}


def listing(value: Any) -> list[Any]:
    """A value as a list: a list, an object with number keys, or either wrapped as `item`."""
    if isinstance(value, dict):
        if {key.lower() for key in value} == {"item"}:
            return listing(next(iter(value.values())))
        if value and all(key.isascii() and key.isdecimal() and len(key) < 9 for key in value):
            return [value[key] for key in sorted(value, key=int)]
        return [value] if value else []
    return value if isinstance(value, list) else []


def whole(value: Any) -> int | None:
    """A whole number that is not negative, also when it is given as text; otherwise None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if 0 <= value < 1_000_000 else None
    if isinstance(value, str):
        found = _NUMBER.fullmatch(value.strip())
        return int(found[1]) if found else None
    return None


def code(value: Any) -> str:
    """A coded word in capitals, such as AXIS; "" when there is none."""
    return " ".join(value.split()).upper() if isinstance(value, str) else ""


def is_on(value: Any) -> bool:
    """Whether a switch is set: true, a number, a word or a group, but not "false"."""
    if isinstance(value, str):
        return value.strip().lower() not in ("", "0", "false", "no", "none", "null")
    return bool(value)


def plain(value: Any, limit: int) -> str:
    """A text for people on one line: no markup, no control characters, not longer than the limit."""
    return shorten(" ".join(_clean(value, limit).split()), limit)


def lines(value: Any, limit: int) -> list[str]:
    """The lines of a text for people that hold anything, each cleaned; `limit` is for all together."""
    text = shorten(_clean(value, limit), limit)
    return [line for raw in text.split("\n") if (line := " ".join(raw.split()))]


def shorten(text: str, limit: int) -> str:
    """A text cut to a limit, with an ellipsis where it was cut."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _clean(value: Any, limit: int) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return ""
    text = value[: 8 * limit].replace("\r\n", "\n").replace("\r", "\n")
    for _ in range(8):  # markup may hide in entities, and those in entities again
        cleaner = _ENTITY.sub(lambda found: html.unescape(found[0]), _TAG.sub(" ", text))
        if cleaner == text:
            break
        text = cleaner
    else:
        text = text.replace("&", " ").replace("<", " ")
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
