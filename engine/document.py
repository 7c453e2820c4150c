"""Strict reading of a small YAML document into nodes that know their line.

YAML can do much that no scenario needs: anchors, tags, merged keys, several documents, nesting without
end. All of it is refused here, from the stream of parser events, before anything large is built. What
remains is text, lists and mappings of text; `scenario.py` gives them a meaning. Every complaint is a
ScenarioError that names the document and the line.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from engine.errors import ScenarioError

MAX_SIZE = 200_000  # characters
MAX_DEPTH = 6
MAX_TEXT = 4_000  # characters of one text


class Node:
    """A part of a document; `what` says its kind in messages."""

    what = "nothing"
    __slots__ = ("line", "name")

    def __init__(self, name: str, line: int) -> None:
        self.name = name
        self.line = line

    def error(self, message: str, line: int | None = None) -> ScenarioError:
        """The complaint about this node, ready to be raised."""
        return ScenarioError(message, name=self.name, line=self.line if line is None else line)


class Text(Node):
    """A scalar, always as the text that was written: `no` is the word "no"."""

    what = "a text"
    __slots__ = ("block", "value")

    def __init__(self, name: str, line: int, value: str, block: bool) -> None:
        super().__init__(name, line)
        self.value = value
        self.block = block  # written as a literal block, `|`


class Sequence(Node):
    """A list."""

    what = "a list"
    __slots__ = ("items",)

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name, line)
        self.items: list[Node] = []


class Mapping(Node):
    """Keys with values, in the order written."""

    what = "a group of keys"
    __slots__ = ("entries", "keys")

    def __init__(self, name: str, line: int) -> None:
        super().__init__(name, line)
        self.keys: dict[str, Text] = {}
        self.entries: dict[str, Node] = {}


def printable(text: str, limit: int) -> str:
    """A foreign text made safe to print: one line, not long."""
    shown = "".join(c if c.isprintable() else "?" for c in text[:limit])
    return f"{shown}…" if len(text) > limit else shown


def quoted(text: str) -> str:
    """A word at fault, as messages show it."""
    return f'"{printable(text, 40)}"'


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean "..."?`, or nothing when no known word is near."""
    from difflib import get_close_matches  # only for those who have mistyped something

    found = get_close_matches(word[:40], list(known), n=1)
    return f'; did you mean "{found[0]}"?' if found else ""


def one_of(known: Iterable[str]) -> str:
    """The known words as a list to read, `a, b or c`; of many only the first."""
    words = list(known)
    if len(words) > 16:
        return f"{', '.join(words[:16])} …"
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


# Reading


def read_document(text: str, *, name: str) -> Mapping:
    """The document's outermost mapping; raises ScenarioError for everything else."""
    if len(text) > MAX_SIZE:
        raise ScenarioError(
            f"the document has {len(text):,} characters; {MAX_SIZE:,} are the most that is read", name=name
        )
    bad = next((at for at, c in enumerate(text) if 0xD800 <= ord(c) <= 0xDFFF or c == "\0"), None)
    if bad is not None:
        line = text.count("\n", 0, bad) + 1
        raise ScenarioError("a character here is no valid text", name=name, line=line)
    root = _build(_events(text, name), name)
    if not isinstance(root, Mapping):
        raise root.error(f"a scenario is a group of keys such as title and map, not {root.what}")
    return root


def _events(text: str, name: str) -> Iterator[tuple[str, int, str, bool]]:
    """Parser events as (kind, line, text, block); refuses what only YAML needs."""
    import yaml  # slow to import, and only needed here

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for event in yaml.parse(text, Loader=loader):
            kind = type(event).__name__.removesuffix("Event")
            line = event.start_mark.line + 1 if event.start_mark else 1
            if kind == "Alias" or getattr(event, "anchor", None) is not None:
                raise ScenarioError("anchors and aliases (& and *) are not used here", name=name, line=line)
            if getattr(event, "tag", None) is not None:
                raise ScenarioError("tags (!) are not used here", name=name, line=line)
            yield kind, line, getattr(event, "value", ""), getattr(event, "style", None) == "|"
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        words = printable(problem.problem or "unknown problem", 80)
        raise ScenarioError(
            f"not readable as YAML: {words}", name=name, line=mark.line + 1 if mark else None
        ) from None
    except yaml.YAMLError as problem:
        words = printable(str(getattr(problem, "reason", "unknown problem")), 80)
        raise ScenarioError(f"not readable as YAML: {words}", name=name) from None


def _build(events: Iterator[tuple[str, int, str, bool]], name: str) -> Node:
    """The tree of one document, built with a stack of open lists and mappings."""
    root: Node | None = None
    stack: list[Sequence | Mapping] = []
    waiting: list[Text | None] = []  # the key each open mapping has read without its value
    for kind, line, value, block in events:
        if kind.startswith(("Stream", "Document")):
            if kind == "DocumentStart" and root is not None:
                raise ScenarioError("a file holds one scenario, not several", name=name, line=line)
            continue
        if kind in ("SequenceEnd", "MappingEnd"):
            stack.pop()
            waiting.pop()
            continue
        node: Node
        if kind == "Scalar":
            node = Text(name, line, value, block)
        elif len(stack) == MAX_DEPTH:
            raise ScenarioError("lists or groups are nested too deeply here", name=name, line=line)
        else:
            node = Sequence(name, line) if kind == "SequenceStart" else Mapping(name, line)
        if not stack:
            root = node
        elif isinstance(parent := stack[-1], Sequence):
            parent.items.append(node)
        else:
            waiting[-1] = _into_mapping(parent, waiting[-1], node)
        if isinstance(node, Sequence | Mapping):
            stack.append(node)
            waiting.append(None)
    if root is None:
        raise ScenarioError("the document is empty", name=name)
    return root


def _into_mapping(parent: Mapping, key: Text | None, node: Node) -> Text | None:
    """Takes a key, or the value of the key before it; returns the key that still waits."""
    if key is not None:
        parent.keys[key.value] = key
        parent.entries[key.value] = node
        return None
    if not isinstance(node, Text):
        raise node.error(f"a key must be a plain word, not {node.what}")
    if node.value in parent.entries:
        raise node.error(f"{quoted(node.value)} is given twice")
    return node


# Asking nodes for values


def keys(node: Node, known: dict[str, bool], where: str) -> dict[str, Node]:
    """The entries of a mapping whose keys must be known; True in the table means it must be there."""
    group = mapping(node, where)
    for key, place in group.keys.items():
        if key not in known:
            hint = nearest(key, known) or f"; the keys are {', '.join(known)}"
            raise place.error(f"{where} knows no {quoted(key)}{hint}")
    for key, needed in known.items():
        if needed and key not in group.entries:
            raise group.error(f"{where} needs {quoted(key)}")
    return group.entries


def mapping(node: Node, where: str) -> Mapping:
    """The node as a mapping."""
    if not isinstance(node, Mapping):
        raise node.error(f"{where} must be a group of keys, not {node.what}")
    return node


def items(node: Node, where: str, limit: int = 64) -> list[Node]:
    """The members of a list."""
    if not isinstance(node, Sequence):
        raise node.error(f"{where} must be a list, each item begun with a dash, not {node.what}")
    if len(node.items) > limit:
        raise node.error(f"{where} has {len(node.items)} items; {limit} are the most")
    return node.items


def text(node: Node, where: str, limit: int = MAX_TEXT) -> str:
    """A text of printable characters, with blanks and line ends trimmed."""
    if not isinstance(node, Text):
        raise node.error(f"{where} must be a text, not {node.what}")
    value = node.value.strip()
    if not value:
        raise node.error(f"{where} is empty")
    if len(value) > limit:
        raise node.error(f"{where} has {len(value):,} characters; {limit:,} are the most")
    for letter in value:
        if not letter.isprintable() and letter != "\n":
            raise node.error(f"{where} holds the unprintable character U+{ord(letter):04X}")
    return value


def line_of_text(node: Node, where: str, limit: int) -> str:
    """A text on a single line."""
    return " ".join(text(node, where, limit).split())


def number(node: Node, where: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    value = text(node, where)
    if not (value.isascii() and value.isdecimal() and len(value) < 6 and low <= int(value) <= high):
        raise node.error(f"{where} must be a whole number from {low} to {high}, not {quoted(value)}")
    return int(value)


def yes_or_no(node: Node, where: str) -> bool:
    """A switch."""
    return choice(node, where, ("yes", "no")) == "yes"


def choice(node: Node, where: str, known: Collection[str]) -> str:
    """One of the known words."""
    value = text(node, where)
    if value not in known:
        hint = nearest(value, known) or f"; it may be {one_of(known)}"
        raise node.error(f"{where} is {quoted(value)}{hint}")
    return value


def words(node: Node, where: str) -> list[tuple[str, Node]]:
    """Words with their nodes, from one text (blanks or commas between) or from a list of texts."""
    nodes = node.items if isinstance(node, Sequence) else [node]
    found = [(word, part) for part in nodes for word in text(part, where).replace(",", " ").split()]
    if not found:
        raise node.error(f"{where} is empty")
    return found


def each(node: Node, where: str, read: Callable[[str, Node], int]) -> tuple[int, ...]:
    """Every word of a node, read to a number by `read`; no number may come twice."""
    seen: dict[int, str] = {}
    for word, place in words(node, where):
        value = read(word, place)
        if value in seen:
            raise place.error(f"{where} names {quoted(word)} twice")
        seen[value] = word
    return tuple(seen)
