"""Target: every rule of the bundled grammars, with and without a query grammar, on any text.

Owns its inputs: one byte chooses the rule, one the query grammar, the rest is the text. Invariant:
the order of the choices is that of the sorted names, so that seeds keep their meaning.
"""

from __future__ import annotations

from uriproof import Rule
from uriproof.grammar import registry

from .contract import checked
from .harness import run, words

QUERIES = (None, "key-value", "parameters")
CHOICES = [
    (name, rule)
    for name in ("rfc3986", "key-value", "parameters")
    for rule in sorted(registry.load(name).model.rules)
]


def one_input(data: bytes) -> None:
    """Validate the text against the rule that the first two bytes choose."""
    chosen, query, text = data[:1] or b"\0", data[1:2] or b"\0", words(data[2:])
    name, rule = CHOICES[chosen[0] % len(CHOICES)]
    asked = QUERIES[query[0] % len(QUERIES)]
    try:
        made = Rule(rule, grammar=name, query=asked)
    except ValueError:  # the rule has no query
        made = Rule(rule, grammar=name)
    checked(made, text)


if __name__ == "__main__":
    run(one_input)
