"""Exports proved: what was written is read back, and its automaton compared with the rule's.

Equality of automata leaves no text out, as samples do. How each engine reads its own syntax is
what ``test_exports`` tries, in the engines themselves.
"""

from __future__ import annotations

import json
import re

import pytest
from stored import without
from strategies import own_rules
from test_exports import OWN

from uriproof.grammar import registry
from uriproof.grammar.charset import Ranges
from uriproof.grammar.compile.read_regex import read_regex
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.errors import GrammarLimit
from uriproof.grammar.machine.automaton import Automaton
from uriproof.grammar.machine.product import difference
from uriproof.workbench.export import export, targets

pytestmark = pytest.mark.prove

NUL: Ranges = ((0, 0),)
SURROGATES: Ranges = ((0xD800, 0xDFFF),)
LACKS = {
    "re2": SURROGATES,
    "rust": SURROGATES,
    "pcre2": SURROGATES,
    "json-schema": SURROGATES,
    "postgres": (*NUL, *SURROGATES),
}
ANCHORS = {
    "regex": ("", ""),
    "re2": (r"\A(?:", r")\z"),
    "rust": (r"\A(?:", r")\z"),
    "java": (r"\A(?:", r")\z"),
    "pcre2": (r"(*UTF)\A(?:", r")\z"),
    "ecmascript": ("^(?:", ")$"),
    "json-schema": ("^(?:", ")$"),
    "postgres": ("^(?:", ")$"),
}
# Under these engines no expression that is linear may be found; the message then says so.
BACKTRACK = {"regex", "java", "pcre2", "ecmascript", "json-schema"}
WHOLE: set[Compiled] = {
    OWN,
    *map(registry.load, ("rfc3986", "rfc3986-split", "rfc5234", "key-value")),
}
"""Grammars whose rules all have such an expression."""

SMALL = (OWN, *map(registry.load, ("rfc3986", "rfc5234", "key-value")))
"""Grammars that are tried with all engines."""
NEVER_BACKTRACKS, BACKTRACKS = "re2", "ecmascript"
"""One engine of each kind: the others differ from them in the spelling of characters and anchors,
which the small grammars have all of."""
BROAD = ("rfc3987", "rfc6570", "rfc8141", "whatwg-url")
"""Grammars of more kinds of rules, of which an expression that backtracks is soon found or not;
how it is looked for is tried with grammars drawn at random, too (``test_random_grammars``)."""
CASES = [
    *((grammar, to) for grammar in SMALL for to in ANCHORS),
    *((registry.load(name), to) for name in BROAD for to in (NEVER_BACKTRACKS, BACKTRACKS)),
]


def exported(grammar: Compiled, rule: str, to: str) -> str:
    """The pattern for an engine, as Python spells it: without anchors, and code points its way.

    Errors: GrammarLimit.
    """
    text = export(grammar, rule, to)
    head, tail = ANCHORS[to]
    if to == "json-schema":
        text = json.loads(text)["pattern"]
    assert text.startswith(head)
    assert text.endswith(tail)
    return re.sub(
        r"(\\\\)|\\x\{([0-9A-F]+)\}|\\u\{([0-9A-F]+)\}",
        lambda m: m[1] or f"\\U{int(m[2] or m[3], 16):08X}",
        text[len(head) : len(text) - len(tail)],
    )


def read(pattern: str) -> Automaton:
    """The automaton of a pattern, whose loops may be possessive.

    The reader knows such a loop to be right only where the next character decides it; of others it
    is ``committed`` that proves it, and here only what they match if they may give back is read.
    """
    try:
        return read_regex(pattern)
    except GrammarLimit:
        return read_regex(re.sub(r"(?<=[\])])([*+?]|\{[0-9,]+\})\+", r"\1", pattern))


@pytest.mark.parametrize(
    ("grammar", "to"),
    CASES,
    ids=lambda one: one if isinstance(one, str) else one.name,
)
def test_a_pattern_says_exactly_what_the_rule_says(grammar: Compiled, to: str) -> None:
    proved = 0
    rules = [*filter(grammar.regular, own_rules(grammar))]
    for rule in rules:
        try:
            pattern = exported(grammar, rule, to)
        except GrammarLimit:
            assert to in BACKTRACK, rule
            assert grammar not in WHOLE, rule
            continue
        machine = without(grammar.automaton(rule), LACKS.get(to, ()))
        assert difference(read(pattern), machine) is None, rule
        proved += 1
    assert proved >= len(rules) / 3


def test_every_target_is_proved_somewhere() -> None:
    proved = {*ANCHORS, "lark"}  # by the build, and in test_trees
    proved |= {"duckdb-macros", "postgres-domain"}  # in tests/data: in DuckDB and PostgreSQL
    proved |= {"clickhouse", "dbt", "great-expectations", "pandera", "spark-sql"}  # there, too
    proved |= {"bigquery", "trino"}  # there: they have an expression that is proved here
    assert set(targets()) == proved
