"""The two tiers, the path to the helpers of tests and tools, and Hypothesis the same in every run.

``pytest -m "not prove"`` is quick: each behavior at small bounds, a property with few examples.
``pytest -m prove`` has the exhaustive rest, and each property once more with many examples.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Generator
from pathlib import Path
from tempfile import mkdtemp

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / "tools")]

# What a run finds out of the CI system that it is in: tests set what they need.
for name in ("GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITHUB_WORKSPACE", "GITLAB_CI"):
    os.environ.pop(name, None)
for name in ("CI_PROJECT_DIR", "TF_BUILD", "BUILD_SOURCESDIRECTORY"):
    os.environ.pop(name, None)
# The results of a run are not kept where the user's own are.
os.environ["URIPROOF_CACHE_DIR"] = mkdtemp(prefix="uriproof-tests-")
os.environ.pop("COLUMNS", None)  # the width of output that is not on a terminal

EXAMPLES = {"quick": 25, "prove": 200}

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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--case", help="of tests/corpus, the case of this name alone")
    parser.addoption("--artifacts", help="folder for screenshots (default: tests/artifacts)")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """The docstrings of tests have no examples: helpers alone are searched for them."""
    found = yield
    tests: list[pytest.Collector] = [one for one in found if type(one) is pytest.Module]
    return tests or found


def pytest_collection_finish() -> None:
    """What was imported stays: the collector of garbage need not look at it again and again."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


def _proving(config: pytest.Config) -> bool:
    return str(config.option.markexpr).strip() == "prove"


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("prove" if _proving(config) else "quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A property belongs to both tiers: only the number of its examples differs.

    What wants POSIX is skipped elsewhere.
    """
    if os.name == "nt":
        for item in items:
            if item.get_closest_marker("posix"):
                item.add_marker(pytest.mark.skip(reason="this is for systems as POSIX has them"))
    if _proving(config):
        for item in items:
            if is_hypothesis_test(getattr(item, "function", None)):
                item.add_marker(pytest.mark.prove)
