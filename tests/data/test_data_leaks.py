"""Nothing that is remembered for a grammar outlives it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest
from tiers import bound

from uriproof import Grammar, Policy, Rule
from uriproof.data import components, validate, violations
from uriproof.data.explain import show

TEXTS = pa.array(["x", "yy", None])
USES: dict[str, Callable[[Grammar], Any]] = {
    "validate": lambda grammar: validate(TEXTS, grammar["a"]),
    "violations": lambda grammar: violations(TEXTS, grammar["a"]),
    "components": lambda grammar: components(TEXTS, grammar["a"]),
    "show": lambda grammar: show(grammar["a"], "y"),
    "policy": lambda grammar: Rule("a", grammar=grammar, policy=Policy(max_length=3)).check("xx"),
    "query": lambda grammar: show(Rule(query=grammar), "a:?yy"),
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
