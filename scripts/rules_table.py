"""Makes docs/rules.md: every numbered rule with the modules that obey it and the tests that check it.

    python scripts/rules_table.py            write the table
    python scripts/rules_table.py --check    only say whether it is up to date

Sources are docs/rules-index.txt (numbers, scopes, titles), the numbers cited in engine/, and the numbers that
tests cite at the head of a docstring, `R53, R54: ...`, or of the id of a case, `Q57 in a forest`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
INDEX = Path("docs/rules-index.txt")
TABLE = Path("docs/rules.md")
SCOPES = ("base", "later", "outside")
HEADINGS = {
    "R": "The game",
    "T": "Terrain",
    "U": "Units",
    "C": "Command cards",
    "M": "Medals",
    "V": "Variants and editions",
    "Q": "Rulings",
}

NUMBER = re.compile(r"\b[RTUCWMVQ]\d{1,3}[a-z]?\b")
RANGE = re.compile(r"\b([RTUCWMVQ])(\d{1,3})-\1?(\d{1,3})\b")
# Numbers at the head of a docstring or id, with commas or blanks between; X-numbers name open questions.
HEAD = re.compile(r"(?:[RTUCWMVQX]\d{1,3}[a-z]?(?:, | and | |(?=:)|$))+")
ROW = re.compile(r"([RTUCMVQ]\d{1,3}[a-z]?) (base|later|outside) (.+)")


class Rule(NamedTuple):
    """One row of the index; `reason` only where the scope is outside."""

    number: str
    scope: str
    title: str
    reason: str = ""


class Citation(NamedTuple):
    """A test function that cites a rule."""

    file: str
    name: str


def read_index(text: str) -> list[Rule]:
    """The rules of an index in its order; raises ValueError with the line that cannot be read."""
    rules: list[Rule] = []
    for place, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        found = ROW.fullmatch(line)
        title, _, reason = found[3].partition(" -- ") if found else ("", "", "")
        if found is None or (found[2] == "outside") != bool(reason):
            raise ValueError(f'line {place}: "{line}" is no number, scope and title (outside: and a reason)')
        if any(rule.number == found[1] for rule in rules):
            raise ValueError(f"line {place}: {found[1]} comes twice")
        rules.append(Rule(found[1], found[2], title, reason))
    return rules


def head_numbers(text: str) -> list[str]:
    """The rule numbers with which a docstring or an id begins."""
    found = HEAD.match(text.strip())
    return NUMBER.findall(found[0]) if found else []


def module_numbers(text: str) -> set[str]:
    """All rule numbers that a module cites; R53-R55 stands for three."""
    numbers = set(NUMBER.findall(text))
    for prefix, first, last in RANGE.findall(text):
        numbers |= {f"{prefix}{n}" for n in range(int(first), int(last) + 1)}
    return numbers


def citations_in_modules(root: Path) -> dict[str, list[str]]:
    """For every number, the engine modules that cite it."""
    cited: dict[str, list[str]] = {}
    for path in sorted((root / "engine").glob("*.py")):
        for number in module_numbers(path.read_text(encoding="utf-8")):
            cited.setdefault(number, []).append(path.stem)
    return cited


def citations_in_tests(root: Path) -> dict[str, list[Citation]]:
    """For every number, the tests that cite it."""
    cited: dict[str, list[Citation]] = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        for function, numbers in cited_by_functions(path.read_text(encoding="utf-8")):
            for number in numbers:
                cited.setdefault(number, []).append(Citation(path.stem, function))
    return cited


def cited_by_functions(source: str) -> Iterator[tuple[str, list[str]]]:
    """Each test function of a module and the numbers it cites, each once."""
    tree = ast.parse(source)
    tables = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            texts = [ast.get_docstring(node) or "", *_case_ids(node, tables)]
            yield node.name, list(dict.fromkeys(n for text in texts for n in head_numbers(text)))


def _case_ids(node: ast.FunctionDef, tables: dict[str, ast.expr]) -> Iterator[str]:
    """The ids of a function's parametrized cases, also of cases in a table of the module."""
    for decorator in node.decorator_list:
        for part in ast.walk(decorator):
            if isinstance(part, ast.Name) and part.id in tables:
                yield from _ids_within(tables[part.id])
        yield from _ids_within(decorator)


def _ids_within(tree: ast.AST) -> Iterator[str]:
    """All texts given as `id=` or `ids=`."""
    for part in ast.walk(tree):
        if isinstance(part, ast.keyword) and part.arg in ("id", "ids"):
            for leaf in ast.walk(part.value):
                if isinstance(leaf, ast.Constant) and isinstance(leaf.value, str):
                    yield leaf.value


def make_table(rules: list[Rule], modules: dict[str, list[str]], tests: dict[str, list[Citation]]) -> str:
    """The text of docs/rules.md."""
    lines = [
        "# The rules, where they live and what checks them",
        "",
        "Made by `python scripts/rules_table.py` from `docs/rules-index.txt`, the engine and the tests;",
        "do not edit.",
        "Scope *base* is this release, *later* a coming one; *outside* says why there is nothing to play.",
        "Of several tests in one file the first is named and the others are counted.",
        "",
        *_summary(rules, tests),
    ]
    for prefix, heading in HEADINGS.items():
        lines += [
            "",
            f"## {heading}",
            "",
            "| Rule | Title | Scope | Modules | Tests |",
            "|---|---|---|---|---|",
        ]
        for rule in rules:
            if rule.number[0] == prefix:
                lines.append(_line(rule, modules.get(rule.number, []), tests.get(rule.number, [])))
    return "\n".join(lines) + "\n"


def _summary(rules: list[Rule], tests: dict[str, list[Citation]]) -> list[str]:
    lines = ["| Scope | Rules and rulings | with a test |", "|---|---|---|"]
    for scope in SCOPES:
        numbers = [rule.number for rule in rules if rule.scope == scope]
        lines.append(f"| {scope} | {len(numbers)} | {sum(1 for number in numbers if tests.get(number))} |")
    return lines


def _line(rule: Rule, modules: list[str], tests: list[Citation]) -> str:
    scope = f"outside: {rule.reason}" if rule.reason else rule.scope
    files: dict[str, list[str]] = {}
    for test in tests:
        files.setdefault(test.file, []).append(test.name)
    shown = [
        f"{file}: {names[0].removeprefix('test_')}" + (f" (+{len(names) - 1})" if len(names) > 1 else "")
        for file, names in sorted(files.items())
    ]
    return f"| {rule.number} | {rule.title} | {scope} | {', '.join(modules)} | {'; '.join(shown)} |"


def untested(rules: list[Rule], tests: dict[str, list[Citation]]) -> list[str]:
    """The rules of this release that no test cites."""
    return [rule.number for rule in rules if rule.scope == "base" and not tests.get(rule.number)]


def main(arguments: list[str]) -> int:
    """Write the table, or with --check compare it; 0 if all is well."""
    rules = read_index((ROOT / INDEX).read_text(encoding="utf-8"))
    tests = citations_in_tests(ROOT)
    text = make_table(rules, citations_in_modules(ROOT), tests)
    path = ROOT / TABLE
    if "--check" not in arguments:
        path.write_text(text, encoding="utf-8")
    missing = untested(rules, tests)
    print(f"{len(rules)} rules, {len(missing)} of this release without a test: {' '.join(missing) or 'none'}")
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return 0
    print(f"{TABLE} is not up to date; run python scripts/rules_table.py")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
