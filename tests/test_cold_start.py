"""A plain call without click, and the help that is kept as text: as click has them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import build_help
import click
import pytest

from uriproof.cli import HELP
from uriproof.cli._click import Declared
from uriproof.cli._group import group

SRC = Path(__file__).parent.parent / "src"
COMMANDS = [name for name in group.list_commands(None) if name != "grammar"]  # type: ignore[arg-type]
GIVEN: list[list[str]] = [
    [],
    ["-"],
    ["a"],
    ["a", "b"],
    ["a", "-", "c"],
    ["", "\udc80"],
    ["a", "-x"],
]


def loaded(code: str, *arguments: str) -> set[str]:
    """The modules that a process has loaded at its end."""
    path = f"import sys; sys.path.insert(0, {str(SRC)!r}); sys.argv[1:] = {list(arguments)!r}; "
    run = subprocess.run(
        [sys.executable, "-c", f"{path}{code}; print(); print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        env={name: value for name, value in os.environ.items() if name != "COLUMNS"},
    )
    return set(run.stdout.splitlines()[-1].split())


def with_options(command: Declared) -> Iterator[list[str]]:
    """Command lines with each option: between arguments, twice, without a value, before another."""
    spelled = [
        one
        for kind, names, _ in vars(command.function).get("declared", [])
        for name in names
        for one in name.split("/")
        if kind == "option" and one[0] == "-"
    ]
    for option in spelled:
        for value in ("x", "json", "iri", "3", "--", "-"):
            yield ["a", option, value, "b"]
            yield [option, value, option, "y", "a"]
        yield ["a", option]
        yield [option, spelled[0], "a"]
        yield [f"{option}=a", "a"]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_plain_call_is_read_as_click_reads_it(name: str) -> None:
    command = import_module(f"uriproof.cli.{name.replace('-', '_')}").command
    for given in (*GIVEN, *with_options(command)):
        fresh = Declared(command.function, command.settings)
        taken = fresh.plain(given)
        if taken is not None:
            assert taken == fresh.make_context(name, list(given)).params, given
        elif given in GIVEN[:-1]:
            with pytest.raises(click.UsageError):
                fresh.make_context(name, list(given))


def test_the_help_is_that_of_the_commands() -> None:
    assert Path(HELP).read_text("utf-8") == build_help.text()


RUN = "from uriproof.cli import main; main()"


def test_what_a_plain_call_does_not_load() -> None:
    found = loaded(RUN, "check", "http://example.com/")
    assert "uriproof.rule" in found
    assert found.isdisjoint({"click", "lark", "inspect", "dataclasses"})


def test_what_linting_a_file_does_not_load(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("See <http://example.com/>, [this](http://example.com/a%20b).\n", "utf-8")
    found = loaded(RUN, "lint", "--isolated", "--no-cache", "--format", "concise", str(file))
    assert "uriproof.lint.engine.analyze" in found
    heavy = {"click", "dataclasses", "inspect", "hashlib", "json", "subprocess", "tomllib"}
    assert found.isdisjoint(heavy | {"lark", "multiprocessing", "concurrent.futures"})


def test_small_trees_start_no_process(tmp_path: Path) -> None:
    for number in range(200):
        (tmp_path / f"{number}.md").write_text("See <http://example.com/>.\n", "utf-8")
    found = loaded(RUN, "lint", "--isolated", "--no-cache", "-j", "4", str(tmp_path))
    assert "uriproof.lint.engine.run" in found
    assert found.isdisjoint({"multiprocessing", "concurrent.futures"})


def test_help_loads_no_command() -> None:
    found = loaded(RUN, "--help")
    assert found.isdisjoint({"click", "uriproof.cli.check", "uriproof.report"})


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
