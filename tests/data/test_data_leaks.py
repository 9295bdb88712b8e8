"""Nothing that is remembered for a grammar outlives it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from tiers import bound

from uriproof import Grammar, Policy
from uriproof.data import components, validate, violations
from uriproof.data.explain import show
from uriproof.data.rule import ColumnRule
from uriproof.matches import Matches

TEXTS = pa.array(["x", "yy", None])
USES: dict[str, Callable[[Grammar], Any]] = {
    "validate": lambda grammar: validate(TEXTS, "a", grammar=grammar),
    "violations": lambda grammar: violations(TEXTS, "a", grammar=grammar),
    "components": lambda grammar: components(TEXTS, "a", grammar=grammar),
    "show": lambda grammar: show(ColumnRule("a", grammar), "y"),
    "policy": lambda grammar: Policy(max_length=3).check("xx", "a", grammar),
    "adapters": lambda grammar: Matches("a", grammar=grammar).check("yy"),
}


@pytest.mark.parametrize("use", USES)
@bound("count", 10, 300)
def test_a_grammar_is_freed_with_all_that_was_remembered_for_it(use: str, count: int) -> None:
    kept = []
    for number in range(count):
        grammar = Grammar.from_abnf(f'a = 1*("x" / "{number}")')
        USES[use](grammar)
        kept.append(weakref.ref(grammar.compiled))
        del grammar
    gc.collect()
    assert [alive for alive in kept if alive() is not None] == []
