"""What a start does not load: modules that a call does not need."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.prove

SRC = Path(__file__).parent.parent / "src"
RUN = "from uriproof.cli import main; main()"


def loaded(code: str, *arguments: str) -> set[str]:
    """The modules that a process has loaded at its end."""
    path = f"import sys; sys.path.insert(0, {str(SRC)!r}); sys.argv[1:] = {list(arguments)!r}; "
    run = subprocess.run(
        [sys.executable, "-c", f"{path}{code}; print(); print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(run.stdout.splitlines()[-1].split())


def test_what_a_check_does_not_load() -> None:
    found = loaded(RUN, "check", "x:a b")
    assert "uriproof.cli.check" in found
    assert found.isdisjoint({"lark", "abnf", "idna", "json", "difflib", "rich", "dataclasses"})
    assert found.isdisjoint({"uriproof.cli.lint", "uriproof.cli.scan", "click.shell_completion"})


@pytest.mark.parametrize(
    ("code", "has", "lacks"),
    [
        ("uriproof.is_valid('http://h/'); uriproof.check('http://h/')", "report", {"advice"}),
        ("uriproof.check('http://h/').advice", "advice.host", {"percent.hosts"}),
        ("uriproof.check('http://1.2.3.4/').advice", "percent.hosts", {"advice.security"}),
        ("import uriproof.grammar.schemes", "grammar.schemes", {"_generated.iana_schemes"}),
    ],
)
def test_what_is_loaded_only_when_it_is_asked_for(code: str, has: str, lacks: set[str]) -> None:
    found = loaded(f"import uriproof; {code}")
    assert f"uriproof.{has}" in found
    assert found.isdisjoint({f"uriproof.{one}" for one in lacks})
    if "percent.hosts" in lacks:
        assert found.isdisjoint({"ipaddress", "unicodedata", "urllib.parse"})


def test_what_linting_a_file_does_not_load(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("See <http://example.com/>, [this](http://example.com/a%20b).\n", "utf-8")
    found = loaded(RUN, "lint", "--isolated", "--no-cache", "--format", "concise", str(file))
    assert "uriproof.lint.engine.analyze" in found
    heavy = {"hashlib", "json", "subprocess", "tomllib", "uriproof.cli.check"}
    assert found.isdisjoint(heavy | {"lark", "multiprocessing", "concurrent.futures"})


def test_small_trees_start_no_process(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number}.md").write_text("See <http://example.com/>.\n", "utf-8")
    found = loaded(RUN, "lint", "--isolated", "--no-cache", "-j", "4", str(tmp_path))
    assert "uriproof.lint.engine.run" in found
    assert found.isdisjoint({"multiprocessing", "concurrent.futures"})


def test_nothing_is_compiled_before_it_is_used() -> None:
    """Finders have hundreds of expressions, of which a file of one format needs a few."""
    code = """
import re, sys

def compile(*given):
    caller = sys._getframe(1).f_globals["__name__"]
    if caller.startswith("uriproof.") and "grammar" not in caller:
        print(caller, given)
    return original(*given)

original, re.compile = re.compile, compile
from uriproof.lint.find import finders
import uriproof.lint.session
finders()
"""
    environment = os.environ | {"PYTHONPATH": str(SRC)}
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    )
    assert run.stdout == ""
