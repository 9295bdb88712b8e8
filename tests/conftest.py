"""The two tiers, what happens without a library, and Hypothesis the same in every run.

``pytest -m "not prove"`` is quick: each behavior at small bounds, a property with few examples; a
file that is marked as a whole is not even imported. ``pytest`` alone is everything, once.
A test whose library is not installed is skipped, and says which; if ``CI`` is true and everything
is to run, it fails.
"""

from __future__ import annotations

import gc
import io
import os
import re
import sys
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, settings

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tools")]

import missing  # noqa: E402  (found by the path above)
from commands import Result, Run  # noqa: E402
from tiers import is_quick, running  # noqa: E402

# What a run finds out of the CI system that it is in: tests set what they need.
for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "GITLAB_CI"):
    os.environ.pop(name, None)
for name in ("CI_PROJECT_DIR", "TF_BUILD", "BUILD_SOURCESDIRECTORY"):
    os.environ.pop(name, None)
# The results of a run are not kept where the user's own are.
os.environ["URIPROOF_CACHE_DIR"] = mkdtemp(prefix="uriproof-tests-")
os.environ.pop("COLUMNS", None)  # the width of output that is not on a terminal

EXAMPLES = {"quick": 25, "prove": 100}
"""The same in every run, so that more of them find once what they find, and cost in each run."""
# In a file, or in the conftest.py of a folder, of the exhaustive tier: importing it alone can
# take longer than its quick tests would.
WHOLE = re.compile(r"^pytestmark = pytest\.mark\.prove$", re.MULTILINE)

for name, count in EXAMPLES.items():
    settings.register_profile(
        name,
        max_examples=count,
        # No test depends on how long something takes: a busy machine is no fault.
        deadline=None,
        suppress_health_check=[
            HealthCheck.too_slow,
            HealthCheck.data_too_large,
            HealthCheck.filter_too_much,
            HealthCheck.large_base_example,
        ],
        derandomize=True,
        database=None,
    )


@pytest.fixture
def run(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command line: arguments and octets in, the code and both texts out."""

    def call(*arguments: str, stdin: bytes = b"") -> Result:
        from uriproof.cli import main

        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(arguments)
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Result(code, out.decode("utf-8", "surrogateescape"), err.decode())

    return call


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--case", help="of tests/corpus, the case of this name alone")
    parser.addoption("--artifacts", help="folder for screenshots (default: tests/artifacts)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What is exhaustive as a whole is not imported for the quick tests."""
    first = collection_path / "conftest.py" if collection_path.is_dir() else collection_path
    if is_quick(config) and first.suffix == ".py" and first.exists():
        return bool(WHOLE.search(first.read_text("utf-8"))) or None
    return None


def pytest_collection_finish() -> None:
    """What was imported stays: the collector of garbage need not look at it again and again."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def pytest_configure(config: pytest.Config) -> None:
    running["quick"] = is_quick(config)
    settings.load_profile("quick" if is_quick(config) else "prove")
    config.pluginmanager.register(missing)  # for the examples in src, too, which are not below here


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What wants POSIX is skipped elsewhere."""
    if os.name == "nt":
        for item in items:
            if item.get_closest_marker("posix"):
                item.add_marker(pytest.mark.skip(reason="this is for systems as POSIX has them"))
