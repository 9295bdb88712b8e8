"""What is imported to find the tests, and tests without a library that they need: a skip that names
it, or a failure in CI.

Owns the hooks, which ``conftest.py`` registers, for files of src, too. Imports pytest and the
tiers. Invariant: the quick tests run in a small environment; where everything is to run, nothing is
left out in silence.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Generator
from doctest import UnexpectedException
from pathlib import Path

import pytest
from tiers import is_quick


def _required(config: pytest.Config) -> bool:
    """Whether what is not installed is a failure, not a skip."""
    return os.environ.get("CI") == "true" and not is_quick(config)


def _missing(error: BaseException | None) -> str | None:
    """Which library an error is about that says that one is not installed."""
    while error is not None:
        if isinstance(error, UnexpectedException):  # of an example in a docstring
            error = error.exc_info[1]
            continue
        if isinstance(error, ImportError) and error.name:
            name = error.name.partition(".")[0]
            if name not in sys.stdlib_module_names and importlib.util.find_spec(name) is None:
                return name
        error = error.__cause__ or error.__context__
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Docstrings are searched for examples where there are any, and not those of tests: most files
    have none, and to import them all takes each process seconds."""
    found = yield
    tests: list[pytest.Collector] = [one for one in found if type(one) is pytest.Module]
    if tests or file_path.suffix != ".py" or ">>>" in file_path.read_text("utf-8"):
        return tests or found
    return []


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """A file that imports what is not installed is skipped."""
    report = yield
    call = getattr(report, "call", None)
    name = _missing(call.excinfo.value) if call is not None and call.excinfo is not None else None
    if name is not None and not _required(collector.config):
        report.outcome = "skipped"
        report.longrepr = (str(collector.path), 0, f"Skipped: {name} is not installed")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that comes to want what is not installed is skipped; in CI, no such skip is good."""
    report = yield
    name = _missing(call.excinfo.value) if call.excinfo is not None else None
    if name is None:
        return report
    if _required(item.config):
        report.outcome = "failed"
        report.longrepr = f"{name} is not installed, and CI is to run everything"
    else:
        report.outcome = "skipped"
        report.longrepr = (
            str(item.path),
            item.location[1] or 0,
            f"Skipped: {name} is not installed",
        )
    return report
