"""Plugin for mutation testing: while coverage is noted, grammars forget what they have made.

Owns the forgetting. Imports the registry and the caches that it empties. Invariant: what a test
needs is made while that test runs, so that a tool which notes what each test calls notes all of
it, and not only the first test that wanted it. Used with ``-p tests.forget``.
"""

from __future__ import annotations

import os

import pytest

from uriproof import rule
from uriproof.grammar import registry
from uriproof.grammar.compile import rx

_NOTING = os.environ.get("MUTANT_UNDER_TEST") == "stats"


@pytest.fixture(autouse=_NOTING)
def _forget() -> None:
    for name in registry.names():
        grammar = registry.load(name)
        for made in vars(grammar).values():
            if isinstance(made, dict):
                made.clear()
    rule._generic.clear()
    rx.nullable.cache_clear()
    rx.first.cache_clear()
