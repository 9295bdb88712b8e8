"""The layers of the package, read from its imports.

Owns the rule that imports run one way, low to high, and that siblings import no siblings; reads
the source with ``ast``, imports within functions and for type checkers too. Invariant: a module
that stands in no layer fails, so that a new one has to be placed.
"""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
PACKAGE = "uriproof"

# Low to high. What stands in one row are siblings; a name is a module or a package in src/uriproof.
LAYERS = (
    {"arguments", "text"},
    {"report", "diagnostic"},
    {"grammar"},
    {"_generated"},
    {"validate"},
    {"percent"},
    {"uri"},
    {"advice"},
    {"api"},
    {"workbench", "lint"},
    {"__init__"},
    {"render", "adapters", "teach"},
    {"cli"},
    {"__main__"},
)
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}
LAZY = {"abnf", "click", "difflib", "idna", "importlib.resources", "json", "lark", "rich"}
LAZY |= {"lsprotocol", "pathspec", "pygls", "watchfiles"}
NEVER_AT_START: tuple[str, ...] = (
    "abnf",
    "idna",
    "lark",
    "click",
    "rich",
    "pydantic",
    "pathspec",
    "pygls",
)
NEVER_AT_START += ("watchfiles",)

MODULES = {p.relative_to(SRC): p for p in sorted(SRC.rglob("*.py"))}
each_module = pytest.mark.parametrize("path", MODULES, ids=str)


def _is_module(dotted: str) -> bool:
    base = SRC.joinpath(*dotted.split("."))
    return base.with_suffix(".py").exists() or base.is_dir()


def _imports(path: Path, tree: ast.AST) -> Iterator[str]:
    """The absolute dotted names of all modules imported anywhere in a tree."""
    package = path.parent.parts
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = list(package[: len(package) - node.level + 1]) if node.level else []
            base += node.module.split(".") if node.module else []
            for alias in node.names:
                # ``from . import x`` imports the module x if there is one, else a name.
                dotted = ".".join([*base, alias.name])
                inside = base[:1] == [PACKAGE] and _is_module(dotted)
                yield dotted if inside else ".".join(base)


def _unit(path: Path) -> str:
    """The module or package directly in src/uriproof that a file belongs to."""
    return path.parts[1].removesuffix(".py")


def _units(path: Path) -> set[str]:
    """The units that a module imports, other than its own."""
    tree = ast.parse((SRC / path).read_text("utf-8"))
    dotted = [d.split(".") for d in _imports(path, tree)]
    inside = {d[1] if len(d) > 1 else "__init__" for d in dotted if d[0] == PACKAGE}
    return inside - {_unit(path)}


def test_there_is_something_to_read() -> None:
    assert len(MODULES) > 10
    assert "grammar" in {_unit(p) for p in MODULES}


def test_lazy_and_relative_imports_are_seen() -> None:
    code = "def f():\n from . import model\n from ..report import Report\n import json.decoder as j"
    found = set(_imports(Path(PACKAGE, "grammar", "x.py"), ast.parse(code)))
    assert found == {f"{PACKAGE}.grammar.model", f"{PACKAGE}.report", "json.decoder"}


@each_module
def test_every_module_stands_in_a_layer(path: Path) -> None:
    assert _unit(path) in RANK, f"{path}: add it to LAYERS"


@each_module
def test_imports_run_low_to_high(path: Path) -> None:
    mine = RANK[_unit(path)]
    higher = {u for u in _units(path) if RANK.get(u, len(LAYERS)) > mine}
    assert higher == set(), f"{path} imports from above"


@each_module
def test_siblings_do_not_import_each_other(path: Path) -> None:
    mine = RANK[_unit(path)]
    siblings = {u for u in _units(path) if RANK.get(u) == mine}
    if _unit(path) == "__init__":
        siblings -= {"api"}  # the package's face is api, under its own name
    assert siblings == set(), f"{path} imports a sibling"


@each_module
def test_generated_data_is_loaded_by_name(path: Path) -> None:
    if _unit(path) == "_generated":
        assert _units(path) <= {"grammar"}
        body = ast.parse((SRC / path).read_text("utf-8")).body
        data = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom)
        assert [n for n in body if not isinstance(n, data)] == []
    else:
        assert "_generated" not in _units(path)


@each_module
def test_every_module_says_what_it_is(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse((SRC / path).read_text("utf-8")))
    assert docstring, f"{path} has no docstring"


@each_module
def test_the_package_imports_nothing_beside_it(path: Path) -> None:
    tree = ast.parse((SRC / path).read_text("utf-8"))
    first = {d.split(".")[0] for d in _imports(path, tree)}
    assert first & {"tools", "tests", "benchmarks"} == set()


@each_module
def test_heavy_modules_are_imported_where_they_are_used(path: Path) -> None:
    if _unit(path) in ("cli", "__main__"):
        return
    found: set[str] = set()
    pending: list[ast.AST] = list(ast.parse((SRC / path).read_text("utf-8")).body)
    while pending:
        node = pending.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue  # imported when called
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue  # never imported
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {d for d in _imports(path, node) if LAZY & {d, d.split(".")[0]}}
        pending.extend(ast.iter_child_nodes(node))
    assert found == set()


def test_importing_the_package_loads_no_heavy_module() -> None:
    code = f"import sys; sys.path.insert(0, sys.argv[1]); import {PACKAGE}; print(*sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", code, str(SRC)], capture_output=True, text=True, check=True
    )
    loaded = {name.split(".")[0] for name in run.stdout.split()}
    assert PACKAGE in loaded
    assert loaded & set(NEVER_AT_START) == set()
