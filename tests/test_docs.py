"""The documents say what the program does: links, tables of the specification, formats, examples."""

from __future__ import annotations

import ast
import re
import shlex
from functools import cache
from pathlib import Path
from typing import Any

import click
import pytest

from pbem import container, evidence, message, opcodes, orders, ruleset, sheet, terms
from pbem.armor import armor
from pbem.canon import decode
from pbem.claim import FIELDS as CLAIM_FIELDS
from pbem.claim import Claim
from pbem.cli import COMMANDS, LazyGroup
from pbem.identity import KEY_MAGIC, Identity, backup_text, fingerprint, make_card, seal_key_file
from pbem.log import HEADER
from tests.mailgame import play_game
from tests.pbem.vectors import game_file, part

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = sorted([*DOCS.rglob("*.md"), *ROOT.glob("*.md")])
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
CODE = re.compile(r"\bE_[A-Z]+\b")
KINDS: dict[str, type] = {"int": int, "bytes": bytes, "text": str, "list": list}
HASHES = {"h32": 0, "hash_scalar": 0, "_hash_to_point": 0, "shake": 1, "frame": 1}  # place of the tag


@cache
def page(name: str) -> str:
    """The text of a document."""
    return (DOCS / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    """The part of a document under a heading, up to the next one of the same or a higher level."""
    level = len(heading) - len(heading.lstrip("#"))
    found = re.search(
        rf"^{re.escape(heading)}[^\n]*\n(.*?)(?=^#{{1,{level}}} |\Z)", page(name), re.DOTALL | re.MULTILINE
    )
    assert found is not None, heading
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    heads = {n for n, row in enumerate(lines) if set(row) <= set("|- ")}
    return [row for n, row in enumerate(cells) if n not in heads and n + 1 not in heads]


def first_words(text: str) -> list[str]:
    """The names in the first column of the tables of a text."""
    return [name.strip("` ") for row in rows(text) for name in row[0].split(",")]


def blocks(name: str, kind: str) -> list[str]:
    """The lines of all code blocks of a kind."""
    found = re.findall(rf"^```{kind}\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)
    return [line for block in found for line in block.splitlines() if line.strip()]


# Links


def anchors(path: Path) -> set[str]:
    """The anchors that headings of a page have."""
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_resolve(path: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name).resolve() if name else path
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_parts_that_the_code_cites_exist() -> None:
    heads = set(re.findall(r"^#+ (\d+(?:\.\d+)?)", page("protocol.md"), re.MULTILINE))
    heads |= set(re.findall(r"^\*\*(\d+\.\d+) ", page("protocol.md"), re.MULTILINE))
    cited = set()
    for path in (ROOT / "pbem").rglob("*.py"):
        for phrase in re.findall(r"\bparts? ((?:\d+(?:\.\d+)?(?:, | and | to )?)+)", path.read_text("utf-8")):
            cited |= set(re.findall(r"\d+(?:\.\d+)?", phrase))
    assert len(cited) > 10
    assert cited <= heads


# The specification against the code


def sources() -> list[tuple[str, str]]:
    """Name and text of all modules of the program."""
    return [(path.name, path.read_text(encoding="utf-8")) for path in sorted((ROOT / "pbem").rglob("*.py"))]


def raised_codes() -> set[str]:
    """All error codes of the protocol in the program's texts."""
    return {code for _, text in sources() for code in re.findall(r'"(E_[A-Z]+)"', text)}


def test_error_codes_are_those_that_are_raised() -> None:
    text = section("protocol.md", "## 11.")
    checks, meanings = text.split("| Error | Means |")
    listed = first_words(meanings)
    assert len(listed) == len(set(listed))
    assert set(listed) == raised_codes()
    assert set(CODE.findall(checks + section("protocol.md", "### 8.3"))) == raised_codes()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_document_names_an_unknown_error(path: Path) -> None:
    assert set(CODE.findall(path.read_text(encoding="utf-8"))) <= raised_codes()


def used_tags() -> dict[str, set[str]]:
    """The hash tags in the program, with the modules that use them."""
    found: dict[str, set[str]] = {}
    for name, text in sources():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in HASHES:
                place = HASHES[node.func.id]
                tag = node.args[place] if len(node.args) > place else None
                if isinstance(tag, ast.Constant) and isinstance(tag.value, str):
                    found.setdefault(tag.value, set()).add(name)
    return found


def test_hash_tags_are_those_that_are_used() -> None:
    listed = {
        tag.strip("` "): row[-1] for row in rows(section("protocol.md", "## 2.")) for tag in row[0].split(",")
    }
    used = used_tags()
    assert set(listed) == set(used)
    assert not {tag for tag, module in listed.items() if module not in used[tag]}


def test_header_fields() -> None:
    table = rows(section("protocol.md", "## 4."))
    assert {row[0]: KINDS[row[1]] for row in table} == HEADER


def test_terms_and_what_the_rules_add() -> None:
    assert tuple(first_words(section("protocol.md", "## 6."))) == terms.KEYS
    assert tuple(first_words(section("protocol.md", "### 10.1"))) == ruleset.EXTRA


def test_ops_with_their_arguments() -> None:
    table = rows(section("protocol.md", "### 8.3"))
    listed = {row[0].strip("`"): tuple(KINDS[kind] for kind in row[1].split(", ")) for row in table}
    assert listed == opcodes.ARGUMENTS
    once = re.search(
        r"then ((?:`\w+`[, and]*)+) a second time", " ".join(section("protocol.md", "### 8.3").split())
    )
    assert once is not None
    assert tuple(re.findall(r"`(\w+)`", once[1])) == opcodes.ONCE
    for name in opcodes.SETUP:
        assert f'["{name}", ' in section("protocol.md", "## 6.")


def test_the_language_of_orders() -> None:
    text = section("protocol.md", "### 10.4")
    words = [word for name in first_words(text) for word in re.findall(r'"([a-z]+)"', name)]
    assert tuple(words) == orders.WORDS
    assert all(f'"{flags}"' in text for flags in orders.FLAGS)
    modes = [mode for listed in terms.RETREATS.values() for mode in listed]
    assert set(modes) <= set(first_words(text))
    assert set(orders.WORDS) <= set(first_words(section("orders.md", "## Standing orders")))


def test_every_answer_of_the_notation_has_its_way_to_be_given() -> None:
    forms = first_words(section("notation.md", "## Decisions")) + first_words(
        section("notation.md", "## Chance")
    )
    verbs = {form.split()[0] for form in forms}
    assert set(first_words(section("protocol.md", "### 10.3"))) == verbs


@pytest.mark.parametrize(
    ("retreat", "by"), [("live", "do"), ("sheet", "box"), ("strict", "do"), ("stand", "stand")]
)
def test_answers_are_given_as_the_table_says(retreat: str, by: str) -> None:
    """Beginnings of games, step by step, until a unit has retreated: who answered what, and from where."""
    dice = "instant" if retreat == "stand" else "sealed"
    table = {
        verb: set(row[1 if dice == "sealed" else 2].split(", "))
        for row in rows(section("protocol.md", "### 10.3"))
        for verb in re.findall(r"`(\w+)`", row[0])
    }
    seen: set[tuple[str, str]] = set()
    for seed in range(1, 7):
        played = play_game("arracourt", dice=dice, retreat=retreat, most=14, seed=seed, hold=0.2)
        steps = [step for step in played.parties[2].referee.steps if step.text and step.by != "end"]
        seen |= {(step.text.split()[0], step.by) for step in steps}
        if ("retreat", by) in seen:
            break
    assert not {(verb, way) for verb, way in seen if way not in table[verb]}
    attacks = "plan" if dice == "sealed" else "do"
    assert seen >= {("retreat", by), ("attack", attacks), ("roll", "dice"), ("draw", "deal"), ("card", "do")}


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("protocol.md", f"payload and body have at most {container.LIMIT} bytes each"),
        ("protocol.md", f"At most {container.LIMIT + 1} bytes of output"),
        (
            "protocol.md",
            f"more than {container.LARGEST} bytes; fewer than {container.SMALLEST} or other magic",
        ),
        ("protocol.md", f"1 to {opcodes.MOST_NOTE} bytes"),
        ("protocol.md", f"1 to {message.MOST_SAID} characters"),
        ("protocol.md", f"0 ≤ b < {sheet.BOXES}"),
        ("protocol.md", f"path of {sheet.PATH_SIZE} bytes"),
        ("protocol.md", f"list of up to {orders.MOST_ORDERS} orders"),
        ("protocol.md", f"1 to {orders.MOST_TARGETS} different"),
        ("protocol.md", f"up to {orders.MOST_CRITERIA} criteria"),
        ("protocol.md", f"1 to {orders.MOST_NAMED} different hexes"),
        ("protocol.md", f"days for a file, 1 … {ruleset.MOST_DAYS}"),
        ("protocol.md", f"at most {ruleset.MOST_NAME} characters"),
        ("protocol.md", f"size 1 … {terms.MOST_CARDS}"),
        ("orders.md", f"Up to {orders.MOST_ORDERS} orders, {orders.MOST_TARGETS} targets each"),
        ("orders.md", f"Up to {orders.MOST_CRITERIA} words, each once; up to {orders.MOST_NAMED} hexes"),
        ("format.md", f"a file has {container.SMALLEST} to {container.LARGEST} bytes"),
    ],
)
def test_numbers(name: str, phrase: str) -> None:
    assert phrase in " ".join(page(name).split())


# Formats


def test_turn_file_bytes() -> None:
    data = game_file(3)
    size = int.from_bytes(data[5:9], "little")
    assert (data[:4], data[4], len(data)) == (b"M44F", 1, 73 + size)
    assert container.unpack(data).signature == data[9 + size : 73 + size]
    assert " ".join(HEADER) in section("format.md", "## Turn file")


def test_text_block() -> None:
    block = armor(bytes(100), "TURN").splitlines()
    shown = blocks("format.md", "armor")
    assert (block[0], block[-1]) == (shown[0], shown[-1])
    assert len(block[1]) == 64
    assert re.fullmatch(r":[A-Za-z0-9+/]{6}", block[-2])


def content(card: str, label: str) -> dict[str, Any]:
    """The map in a text block."""
    from pbem.armor import find_armored

    (data,) = find_armored(card, label)
    value = decode(data)
    assert isinstance(value, dict)
    return value


def test_contact_card_and_fingerprint() -> None:
    person = Identity(b"m" * 32)
    card = content(make_card(person, "Anna"), "CONTACT")
    assert list(card) == first_words(section("format.md", "## Contact card"))
    digits = fingerprint(person.pk).replace(" ", "")
    assert (len(digits), int(digits) % 97) == (30, 1)


def test_key_file_fields() -> None:
    text = section("format.md", "## Key file")
    person = Identity(b"m" * 32)
    locked: Any = decode(seal_key_file(person, "open", "Anna", random=bytes)[len(KEY_MAGIC) :])
    assert sorted(locked) == sorted(first_words(text))
    assert (len(locked["box"]), len(locked["nonce"]), len(locked["salt"])) == (48, 12, 16)
    assert f"{locked['n']}, {locked['p']}, {locked['r']} are written" in text
    plain: Any = decode(seal_key_file(person, None, "Anna")[len(KEY_MAGIC) :])
    assert re.findall(r"`(\w+)`", text.split("Without a passphrase")[1].split(". With")[0]) == sorted(plain)


def test_backup_text() -> None:
    text = backup_text(Identity(b"m" * 32))
    (symbols,) = re.findall(r"Sixty symbols out of `(\w+)`", section("format.md", "## Backup text"))
    assert [len(line.split()) for line in text.splitlines()] == [3, 3, 3, 3]
    assert set("".join(text.split())) <= set(symbols)
    assert len("".join(text.split())) == 60


def test_archive() -> None:
    import io
    import zipfile

    from pbem.archive import ENDING, write_archive

    assert f"## Archive, `{ENDING}`" in page("format.md")
    files = [game_file(number) for number in range(3)]
    with zipfile.ZipFile(io.BytesIO(write_archive(files))) as zipped:
        found = zipped.infolist()
        assert [row.filename for row in found] == [f"files/{number:04}.m44" for number in range(3)]
        assert {(row.compress_type, row.date_time, row.create_system) for row in found} == {
            (zipfile.ZIP_STORED, (1980, 1, 1, 0, 0, 0), 3)
        }
        assert {row.external_attr >> 16 for row in found} == {0o100644}


def test_fork_certificate_and_claim() -> None:
    text = section("format.md", "## Fork certificate")
    assert sorted(first_words(text)) == evidence.FIELDS
    assert f"`{evidence.KIND}`" in text
    text = section("format.md", "## Claim")
    assert sorted(first_words(text)) == sorted(CLAIM_FIELDS)
    assert f"enc([{', '.join(Claim._fields)}])" in text


# Commands and examples


def all_commands() -> list[str]:
    """All commands of the program that the README and the guides show, without prompts and remarks."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\w*\$ (pbem .*?)(?:\s+#.*)?$", text, flags=re.M)
    assert len(shown) > 8
    for path in sorted(DOCS.glob("*.md")):
        shown += re.findall(r"^    (pbem .*?)(?:  .*)?$", path.read_text(encoding="utf-8"), flags=re.M)
    return sorted(set(shown))


@pytest.mark.parametrize("line", all_commands())
def test_commands_are_understood(line: str) -> None:
    program, command, *arguments = shlex.split(line)
    assert program == "pbem"
    assert command in COMMANDS
    group = LazyGroup("pbem")
    found = group.get_command(click.Context(group), command)
    assert found is not None
    with found.make_context(command, arguments):  # raises a usage error for what it does not know
        pass


def test_rules_that_the_adaptations_cite_exist() -> None:
    known = {line.split()[0] for line in page("rules-index.txt").splitlines() if re.match(r"[A-Z]\d", line)}
    cited = [rule for row in rows(page("adaptations.md")) for rule in row[3].split(", ")]
    assert len(cited) > 30
    assert {re.sub(r"[a-z]$", "", rule) for rule in cited} <= {re.sub(r"[a-z]$", "", rule) for rule in known}
    assert [row[0] for row in rows(page("adaptations.md"))] == [
        str(n + 1) for n in range(len(rows(page("adaptations.md"))))
    ]


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_decisions_have_their_form(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith(f"# {path.stem[:4]}: ")
    assert "**Question.**" in text


def test_published_vectors_are_the_ones_the_page_names() -> None:
    assert "tests/pbem/vectors/protocol-vectors.json" in page("protocol.md")
    assert set(part("game")) >= {"files", "ids", "digests", "roots", "actions"}
