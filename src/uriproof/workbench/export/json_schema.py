"""JSON Schema: a document that validates a string.

Owns this target. Imports the dialects. Invariant: the pattern is written in what ECMA-262 with and
without the flag u, Python's ``re`` and Rust's ``regex`` read alike, for validators hand it to
their own engine (JSON Schema Core 2020-12 §6.4).
"""

from __future__ import annotations

from dataclasses import replace

from ...grammar.charset import EMPTY, Ranges, overlap, union
from ...grammar.compile.rx import Alt, Rep, Rx, Seq, Set, nullable
from ...grammar.compiled import Compiled
from ._dialect import SURROGATES
from ._engines import TARGETS, escape
from ._expression import linear

TITLE = "JSON Schema 2020-12, a document"
NOTE = """For any validator of draft 6 or later. The pattern is written in what ECMAScript, Python
and Rust read alike; code points above U+FFFF stand for themselves in it. "$" matches before a final
line feed in Python: where the rule accepts no text that ends in one, "not" rules it out for every
engine. The flag u, or an engine that counts in code points, is needed for those above U+FFFF; lone
surrogates, which most validators cannot hold, are left out. For the cost see ecmascript."""

_BMP = 0xFFFF
_LINE_FEED = ((0x0A, 0x0A),)

_DIALECT = replace(
    TARGETS["ecmascript"].dialect,
    name="JSON Schema",
    point=lambda point: escape(point) if point <= _BMP else chr(point),
    lacks=SURROGATES,
)


def export(compiled: Compiled, rule: str) -> str:
    """The document, with two spaces of indent. Errors: GrammarLimit. Cost: that of the pattern."""
    from json import dumps

    found = compiled.rule(rule)
    document: dict[str, object] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": rule,
    }
    if found.gloss:
        document["description"] = found.gloss
    section = f", section {found.section}" if found.section else ""
    document["$comment"] = f"{found.grammar}{section}; written by uriproof grammar export"
    document["type"] = "string"
    expression = linear(compiled, rule)
    document["pattern"] = _DIALECT.write(expression)
    if not overlap(_last(expression), _LINE_FEED):
        document["not"] = {"pattern": r"\n$"}
    return dumps(document, indent=2) + "\n"


def _last(rx: Rx) -> Ranges:
    """The code points that a match can end with."""
    match rx:
        case Set(ranges):
            return ranges
        case Seq(items):
            found: Ranges = EMPTY
            for item in reversed(items):
                found = union(found, _last(item))
                if not nullable(item):
                    break
            return found
        case Alt(items):
            return union(*map(_last, items))
        case Rep(item):
            return _last(item)
