"""Exports against the automaton, in engines that run: what each says of thousands of texts.

An engine that is not on the machine is skipped, and the skip says which package has it.
"""

from __future__ import annotations

from functools import cache
from itertools import islice
from random import Random

import pytest
from engines import ENGINES, Engine

from uriproof.grammar import registry
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.machine.sample import cover, neighbors
from uriproof.workbench.export import export

pytestmark = pytest.mark.prove

SEED = 3986
MOST = 300

ALL = tuple(sorted(registry.load("rfc3986").model.rules))
SOME = ("URI", "URI-reference", "IPv6address", "host", "query", "pct-encoded", "unreserved")
SLOW = {"postgres", "jsonschema", "node-schema"}

# What is special to some engine stands in it bare, first and last; every third character of ASCII
# does, so that no range hides it; so do characters outside the BMP, and what ends a line.
OWN = registry.compile_abnf(
    r"""
list      = item / item "," list
item      = 1*( %x61-7A / %x10000-10FFFF / %xE000-FFFD / escape )
escape    = "\" ( "n" / %x0A / %x00 / %xD7FF-E001 / %s"X" )
every     = """
    + " ".join(f"%x{point:02X}" for point in range(1, 0x80))
    + "".join(
        f"\nthird-{n}   = 1*( {' / '.join(f'%x{p:02X}' for p in range(n, 0x80, 3))} )"
        for n in range(3)
    )
    + """
counts    = 3( "a" ) 2*5( "b" / "cd" ) *300"e" [ 1*2"f" ] 260*"g"
lines     = *( %x61 / %x0A / %x0D / %x85 / %x2028 )
none      = ""
high      = %x10FFFF / %x10000 / %xFF / %x100 / %xFFFF
""",
    name="own",
)

cases = [
    *((registry.load("rfc3986"), rule) for rule in ALL),
    *((OWN, rule) for rule in OWN.model.rules if OWN.model.rules[rule].grammar == "own"),
    *((registry.load("rfc5234"), rule) for rule in ("CHAR", "OCTET", "LWSP", "CRLF")),
    # Here a loop is not decided by its next character alone.
    (registry.load("rfc2396"), "hostname"),
    (registry.load("rfc6068"), "addr-spec"),
    (registry.load("rfc8141"), "namestring"),
    (registry.load("rfc3987"), "IRI"),
]


@cache
def texts_of(grammar: Compiled, rule: str) -> tuple[str, ...]:
    """Texts that use every move of the automaton, their neighbors, and those with a line feed."""
    machine = grammar.automaton(rule)
    random = Random(SEED)  # noqa: S311 -- texts to try, not secrets
    good = list(cover(machine))
    chosen = good if len(good) <= MOST else random.sample(good, MOST)
    found = dict.fromkeys(chosen)
    for text in chosen:
        found.update(dict.fromkeys(neighbors(text, machine, random, 2)))
    if rule == "URI":  # no engine may run out of stack, or of patience
        body = "a" * 50_000 + "%41" * 50_000 + "/b" * 50_000
        long = [f"x://{body}?{body}#{body}", f"x:{body}", f"x://u{'%41' * 50_000}@h"]
        found.update(dict.fromkeys([*long, *(text + " " for text in long)]))
    if rule == "hostname":
        long = ["a" * 50_000, "a-" * 50_000, "a." * 50_000]
        found.update(dict.fromkeys([*long, *(text + "!" for text in long)]))
    for text in islice(chosen, 20):
        found.update(dict.fromkeys([f"{text}\n", f"\n{text}", f"{text}\r\n", f"{text}\0"]))
    return tuple(found)


@pytest.mark.parametrize("engine", ENGINES, ids=lambda e: e.name)
def test_an_engine_decides_as_the_automaton_does(engine: Engine) -> None:
    reason = engine.missing()
    if reason:
        pytest.skip(reason)
    wanted = [(g, r) for g, r in cases if g is OWN or engine.name not in SLOW or r in SOME]
    given = []
    for grammar, rule in wanted:
        pattern = export(grammar, rule, engine.target)
        texts = [t for t in texts_of(grammar, rule) if engine.holds(t)]
        if engine.name == "jsonschema" and '"not"' not in pattern:
            # "$" of Python, where texts may end in a line feed: see the note of json-schema.
            texts = [t for t in texts if not t.endswith("\n")]
        if engine.name == "java" and rule == "hostname":
            texts = [t for t in texts if t.count(".") < 1_000]  # see the note of java
        given.append((pattern, texts))
    found = engine.run(given)
    tried = 0
    for (grammar, rule), (pattern, texts), verdicts in zip(wanted, given, found, strict=True):
        accepts = grammar.automaton(rule).accepts
        wrong = [t for t, v in zip(texts, verdicts, strict=True) if v is not accepts(t)]
        assert wrong == [], (grammar.name, rule, pattern[:300])
        tried += len(texts)
    assert tried > 3_000
