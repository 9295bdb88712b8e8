"""The layers of the package, read from its imports.

Owns the rules that imports run one way, low to high, that siblings import no siblings, that no
two files import each other in a circle, and that no folder grows without end; reads the source
with ``ast``, each file once, imports within functions too. Invariant: one test a rule, which names
all offenders at once; what is known to offend is listed, and the list may only shrink.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from test_cold_start import loaded

from uriproof import plug_ins

pytestmark = pytest.mark.prove

ROOT = Path(__file__).parent.parent
SRC = ROOT / "src"
PACKAGE = "uriproof"

# Low to high. What stands in one row are siblings; a name is a module or a package in src/uriproof,
# or in src/uriproof/grammar, where siblings may import each other, and types come from anywhere.
LAYERS = (
    {"limits"},
    {"arguments", "errors", "extras", "plug_ins", "processes"},
    {"text"},
    {"report", "diagnostic"},
    {"grammar.model", "grammar.errors", "grammar.charset", "grammar.graph", "grammar.spelling"}
    | {"grammar.work", "grammar.remember", "grammar.schemes"},
    {"grammar.read"},
    {"grammar.machine"},
    {"grammar.compile"},
    {"grammar.derive"},
    {"grammar.compiled", "grammar.registry", "grammar.expressions"},
    {"_generated"},
    {"validate"},
    {"percent"},
    {"uri"},
    {"advice"},
    {"mistakes"},
    {"policy"},
    {"rule"},
    {"cleaning", "fields", "parameters", "request"},
    {"workbench", "lint"},
    {"grammars"},
    {"__init__"},
    {"render", "adapters", "data", "service", "teach"},
    {"cli"},
    {"__main__"},
)
RANK = {name: rank for rank, row in enumerate(LAYERS) for name in row}

# Folders of plug-ins have as many files as there are plug-ins; others at most so many.
MOST_FILES = 15
PLUG_INS = {"_generated", "adapters", "advice", "cli"}
PLUG_INS |= {"lint/find", "teach/requests", "workbench/export"}

NEVER_AT_START = {"abnf", "idna", "lark", "click", "rich", "pydantic", "pathspec", "pygls"}
NEVER_AT_START |= {"watchfiles", "attrs", "django", "fastapi", "jsonschema", "marshmallow"}
NEVER_AT_START |= {"litestar", "pyarrow", "pyspark", "sqlalchemy"}
NEVER_AT_START |= {"msgspec", "rest_framework", "typer", "uvicorn", "wtforms", "http"}

ALL = sorted(p.relative_to(SRC) for p in SRC.rglob("*.py"))
GENERATED = [p for p in ALL if "_generated" in p.parts]
FILES = [p for p in ALL if "_generated" not in p.parts]
DOTTED = {".".join(p.with_suffix("").parts).removesuffix(".__init__"): p for p in ALL}


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse((SRC / path).read_text("utf-8"))


@cache
def _statements(path: Path, *, at_run_time: bool = False) -> tuple[ast.AST, ...]:
    """The imports of a module; at run time, not what only type checkers read."""
    return tuple(_those(_tree(path), at_run_time=at_run_time))


def _those(tree: ast.AST, *, at_run_time: bool) -> Iterator[ast.AST]:
    pending = [tree]
    while pending:
        node = pending.pop()
        if at_run_time and isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            pending.extend(node.orelse)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        else:  # the statements within
            for name in ("body", "orelse", "handlers", "finalbody", "cases"):
                pending.extend(getattr(node, name, ()))


def _imported(path: Path, node: ast.AST) -> Iterator[str]:
    """The absolute dotted names of the modules that one statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        package = path.parent.parts
        base = list(package[: len(package) - node.level + 1]) if node.level else []
        base += node.module.split(".") if node.module else []
        for alias in node.names:
            # ``from . import x`` imports the module x if there is one, else a name.
            dotted = ".".join([*base, alias.name])
            yield dotted if dotted in DOTTED else ".".join(base)


@cache
def _imports(path: Path, *, at_run_time: bool = False) -> frozenset[str]:
    nodes = _statements(path, at_run_time=at_run_time)
    return frozenset(dotted for node in nodes for dotted in _imported(path, node))


def _unit(path: Path) -> str:
    """The module or package directly in src/uriproof, or in grammar, that a file belongs to."""
    return _unit_of([*path.parent.parts, path.stem])


def _unit_of(parts: list[str]) -> str:
    if parts[1:] == [] or parts[1] == "__init__":
        return "__init__"
    return ".".join(parts[1:3]) if parts[1] == "grammar" and parts[2:] else parts[1]


@cache
def _units(path: Path) -> frozenset[str]:
    """The units that a module imports, other than its own."""
    imports = _imports(path, at_run_time=_unit(path).startswith("grammar."))
    inside = {_unit_of(d.split(".")) for d in imports if d.split(".")[0] == PACKAGE}
    return frozenset(inside - {_unit(path)})


def test_every_module_stands_in_a_layer() -> None:
    assert {_unit(p) for p in FILES} - set(RANK) == {"grammar.__init__"}, "add them to LAYERS"


def test_imports_run_low_to_high_and_siblings_do_not_import_each_other() -> None:
    found = {
        f"{path} imports {unit}"
        for path in FILES
        for unit in _units(path)
        if RANK.get(unit, 0) >= RANK.get(_unit(path), 0) + _unit(path).startswith("grammar.")
    }
    assert found == set()


def test_no_files_import_each_other_in_a_circle() -> None:
    """At run time, in functions too: what imports late to break a circle is still in it."""
    graph = {
        dotted.removeprefix(f"{PACKAGE}."): {
            other.removeprefix(f"{PACKAGE}.")
            for other in _imports(path, at_run_time=True)
            if other in DOTTED and other != dotted
        }
        for dotted, path in DOTTED.items()
        if path in FILES
    }
    TopologicalSorter(graph).prepare()  # or CycleError, which names the files


def test_no_folder_but_those_of_plug_ins_is_large() -> None:
    counts = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in FILES)
    large = {
        folder
        for folder, count in counts.items()
        if count > MOST_FILES
        and not any(folder == p or folder.startswith(f"{p}/") for p in PLUG_INS)
    }
    assert large == set(), f"more than {MOST_FILES} files"


def test_what_is_loaded_by_name_from_above_is_listed_and_there() -> None:
    users = {_unit(path) for path in FILES if "from_above" in _imported_names(path)}
    assert users == {"report", "rule", "validate"}
    assert all(callable(plug_ins.from_above(name)) for name in plug_ins._ABOVE)


def _imported_names(path: Path) -> set[str]:
    imports = [node for node in _statements(path) if isinstance(node, ast.ImportFrom)]
    return {alias.name for node in imports for alias in node.names}


def test_each_limit_has_a_reason_and_is_used() -> None:
    """A number that refuses or cuts input stands in one file, with its unit and why it is that."""
    body = _tree(Path(PACKAGE, "limits.py")).body
    named = [node.targets[0] for node in body if isinstance(node, ast.Assign)]
    names = [node.id for node in named if isinstance(node, ast.Name)]
    assert [type(node) for node in body[1:]] == [ast.Assign, ast.Expr] * len(names)
    assert len(set(names)) == len(names)
    others = {name for path in FILES for name in _imported_names(path)}
    assert set(names) - others == set()


def test_what_is_generated_is_data_that_is_loaded_by_name() -> None:
    assert {str(path) for path in FILES if "_generated" in _units(path)} == set()
    data = (ast.Assign, ast.AnnAssign, ast.Expr, ast.Import, ast.ImportFrom)
    for path in GENERATED:
        assert _units(path) <= {"grammar"}, path
        assert ast.get_docstring(_tree(path)), path
        assert [n for n in _tree(path).body if not isinstance(n, data)] == [], path


def test_adapters_do_not_import_each_other() -> None:
    adapters = [path for path in FILES if _unit(path) == "adapters"]
    found = {
        f"{path} imports {dotted}"
        for path in adapters
        for dotted in _imports(path)
        if dotted.startswith(f"{PACKAGE}.adapters.")
        if not dotted.startswith(f"{PACKAGE}.adapters._")  # what several share
    }
    assert found == set()


def test_importing_the_package_loads_no_heavy_module() -> None:
    found = {name.split(".")[0] for name in loaded(f"import {PACKAGE}")}
    assert PACKAGE in found
    assert found & NEVER_AT_START == set()
