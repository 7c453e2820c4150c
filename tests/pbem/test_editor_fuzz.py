"""Mutated documents: always a battle that can be read again, or one sentence; never anything else."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ScenarioError
from engine.scenario import parse_battle
from pbem.editor import Imported, export_battle, import_document
from tests.pbem.editor_documents import EXAMPLES, VOCABULARY, example

DOCUMENTS = [json.loads(example(name)) for name in EXAMPLES]
WORDS = sorted(
    {word for words in VOCABULARY.values() for word in words} | {"ALLIES", "AXIS", "A9", "m1", "badge7"}
)

Path = tuple[str | int, ...]


def paths(value: Any, so_far: Path = ()) -> Iterator[Path]:
    """Every place in a JSON value."""
    yield so_far
    if isinstance(value, dict):
        for key, part in value.items():
            yield from paths(part, (*so_far, key))
    elif isinstance(value, list):
        for at, part in enumerate(value):
            yield from paths(part, (*so_far, at))


PATHS = [list(paths(document))[1:] for document in DOCUMENTS]
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.integers()
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.sampled_from(WORDS)
    | st.text(max_size=40)
)
KEYS = ("name", "item", "0", "row", "group", "side", "medal", "x")
values = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "item", "0", "row", "group", "side", "medal", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """A document with one to five places removed, replaced or doubled."""
    number = draw(st.integers(0, len(DOCUMENTS) - 1))
    document: dict[str, Any] = copy.deepcopy(DOCUMENTS[number])
    for _ in range(draw(st.integers(1, 5))):
        path = draw(st.sampled_from(PATHS[number]))
        parent: Any = document
        try:
            for key in path[:-1]:
                parent = parent[key]
            change = draw(st.sampled_from(("replace", "remove", "double")))
            if change == "replace":
                parent[path[-1]] = draw(values)
            elif change == "remove":
                del parent[path[-1]]
            elif isinstance(parent, list) and isinstance(path[-1], int):
                parent.append(copy.deepcopy(parent[path[-1]]))
        except (KeyError, IndexError, TypeError):
            continue  # an earlier change took this place away
    return document


def check(data: bytes) -> Imported | None:
    """The import of some bytes, checked: a battle that reads again, or None for a clean refusal."""
    refused = ""
    try:
        imported = import_document(data, name="fuzz.m44")
    except ScenarioError as refusal:
        refused = str(refusal)
    if refused:
        assert refused.startswith("fuzz.m44")
        assert refused.isprintable()
        assert len(refused) < 400
        return None
    assert parse_battle(imported.text, name=f"{imported.battle.key}.yaml") == imported.battle
    assert imported.is_whole == (not imported.battle.partial)
    for problem in imported.problems:
        assert problem.sentence.isprintable()
    return imported


@settings(max_examples=60, deadline=None)
@given(mutated())
def test_mutated_documents_are_read_or_refused(document: dict[str, Any]) -> None:
    imported = check(json.dumps(document).encode())
    if imported is None:
        return
    # What was imported can be exported, and comes back; from then on nothing changes any more.
    second = check(json.dumps(export_battle(imported.battle).document).encode())
    assert second is not None
    third = check(json.dumps(export_battle(second.battle).document).encode())
    assert third is not None
    assert third.battle == second.battle._replace(partial=third.battle.partial)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(EXAMPLES), st.lists(st.tuples(st.integers(0, 10**6), st.integers(0, 255)), max_size=6))
def test_damaged_bytes_are_read_or_refused(name: str, changes: list[tuple[int, int]]) -> None:
    data = bytearray(example(name))
    for at, byte in changes:
        data[at % len(data)] = byte
    check(bytes(data))


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert check(data) is None


@settings(max_examples=60, deadline=None)
@given(values)
def test_any_json_is_refused(value: Any) -> None:
    assert check(json.dumps(value).encode()) is None
