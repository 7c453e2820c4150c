"""The direction of dependencies: the engine is pure, and the command line imports only what it needs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENGINE = sorted((ROOT / "engine").glob("**/*.py"))

# What the engine may import besides itself; everything else meets the world, the clock or luck.
PURE = {
    "__future__", "bisect", "collections", "dataclasses", "enum", "functools", "hashlib", "itertools",
    "json", "math", "operator", "re", "types", "typing", "unicodedata",
}  # fmt: skip
# Packages that not every module may import: reading YAML, and only there.
ALLOWED = {"document.py": {"yaml", "difflib"}}
# Built-in functions that read, write, ask or depend on the machine.
FORBIDDEN_CALLS = {
    "open", "input", "print", "eval", "exec", "compile", "__import__", "hash", "id", "globals", "float",
}  # fmt: skip


def imports(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield node.lineno, name.name
        elif isinstance(node, ast.ImportFrom) and node.module == "pbem":
            for name in node.names:
                yield node.lineno, f"pbem.{name.name}"
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, "." * node.level + (node.module or "")


def faults(source: str, name: str) -> list[str]:
    """What in a source text does not belong into the engine."""
    tree = ast.parse(source)
    allowed = PURE | ALLOWED.get(name, set())
    found = [
        f"{name}:{line} imports {module}"
        for line, module in imports(tree)
        if module.split(".")[0] not in {"engine", *allowed}
    ]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float | complex):
            found.append(f"{name}:{node.lineno} has the float {node.value}")
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            found.append(f"{name}:{node.lineno} divides with /")
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found.append(f"{name}:{node.lineno} writes to {', '.join(node.names)} outside")
        elif (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS
        ):
            found.append(f"{name}:{node.lineno} calls {node.func.id}")
    return found


@pytest.mark.parametrize("path", ENGINE, ids=lambda path: path.stem)
def test_the_engine_is_pure(path: Path) -> None:
    assert faults(path.read_text(encoding="utf-8"), path.name) == []


@pytest.mark.parametrize(
    "line",
    [
        "import pbem",
        "from pbem.library import load_battle",
        "import os.path",
        "import random",
        "from time import monotonic",
        "import secrets",
        "from datetime import date",
        "from pathlib import Path",
        "import io, json",
        "import socket",
        "import threading",
        "import yaml",
        "from . import state",
        "x = 0.5",
        "x = 1 / 2",
        "x /= 2",
        "x = open('file')",
        "x = hash('a')",
        "def f():\n    global x\n    x = 1",
    ],
)
def test_the_check_itself_finds_what_is_forbidden(line: str) -> None:
    assert len(faults(line, "turn.py")) == 1


def test_tests_and_scripts_are_not_imported_by_the_packages() -> None:
    for package in ("engine", "pbem"):
        for path in sorted((ROOT / package).glob("**/*.py")):
            for line, module in imports(ast.parse(path.read_text(encoding="utf-8"))):
                assert module.split(".")[0] not in ("tests", "scripts", "benchmarks"), f"{path}:{line}"


# The map of the program


def map_rows(heading: str) -> list[list[str]]:
    """The modules in each row of the table below a heading of docs/architecture.md."""
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    section = page.partition(f"## {heading}\n")[2].partition("\n## ")[0]
    cells = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return [[name.strip(" `/") for name in cell.split(",")] for cell in cells]


@pytest.mark.parametrize(("heading", "package"), [("The engine", "engine"), ("The rest", "pbem")])
def test_the_map_names_every_module_once(heading: str, package: str) -> None:
    named = [name for row in map_rows(heading) for name in row]
    found = {path.stem for path in (ROOT / package).glob("*.py")}
    found |= {path.parent.name for path in (ROOT / package).glob("*/__init__.py")}
    assert sorted(named) == sorted(name for name in found if not name.startswith("__"))


def test_modules_import_from_their_own_row_of_the_map_and_the_rows_above() -> None:
    height = {name: number for number, row in enumerate(map_rows("The rest")) for name in row}
    below = []
    for name, number in height.items():
        for path in (*(ROOT / "pbem").glob(f"{name}.py"), *(ROOT / "pbem" / name).glob("*.py")):
            for line, module in imports(ast.parse(path.read_text(encoding="utf-8"))):
                package, _, rest = module.partition(".")
                if package == "pbem" and height[rest.split(".")[0]] > number:
                    below.append(f"{path.name}:{line} imports {module}")
    assert below == []


# What a command loads


def loaded_by(*arguments: str) -> tuple[set[str], str]:
    """The modules in memory after a command of the program, and what it printed."""
    program = (
        "import sys\n"
        "from pbem.cli import run\n"
        f"status = run({list(arguments)!r})\n"
        "print(status, *sorted(sys.modules), sep='\\n', file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    status, *modules = done.stderr.split()
    assert status == "0"
    return {module.split(".")[0] for module in modules}, done.stdout


HEAVY = {"cryptography", "coincurve", "jinja2", "msgpack"}


def test_help_imports_nothing_heavy() -> None:
    modules, printed = loaded_by("--help")
    assert "scenario" in printed
    assert "click" in modules  # the list is a real one
    assert modules & {*HEAVY, "yaml"} == set()


def test_the_list_of_battles_imports_no_cryptography_and_no_templates() -> None:
    modules, printed = loaded_by("scenario", "list")
    assert "pegasus-bridge" in printed
    assert modules & HEAVY == set()
