"""Target: every rule of the bundled grammars, with and without a query grammar, on any text.

Owns its inputs: one byte chooses the rule, one the query grammar, the rest is the text. Invariant:
the order of the choices is that of the sorted names, so that seeds keep their meaning.
"""

from __future__ import annotations

from uriproof import Grammar
from uriproof.grammar import registry

from .contract import checked
from .harness import run, words

QUERIES = (None, "key-value", "parameters")
CHOICES = [
    (name, rule)
    for name in ("rfc3986", "key-value", "parameters")
    for rule in sorted(registry.load(name).model.rules)
]
MADE = {name: Grammar.load(name) for name in registry.names()}


def one_input(data: bytes) -> None:
    """Validate the text against the rule that the first two bytes choose."""
    chosen, query, text = data[:1] or b"\0", data[1:2] or b"\0", words(data[2:])
    name, rule = CHOICES[chosen[0] % len(CHOICES)]
    checked(MADE[name], registry.load(name), text, rule, QUERIES[query[0] % len(QUERIES)])


if __name__ == "__main__":
    run(one_input)
