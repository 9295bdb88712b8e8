"""The requests about grammars: their rules, texts and diagrams, and how two compare.

Owns these answers and their bounds. Imports the fields of requests; other modules of an answer are
imported on demand. Invariant: JSON-ready.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

from ...grammar.errors import GrammarLimit
from ...limits import (
    LONGEST_SAMPLE,
    MOST_SAMPLES,
    MOST_WITNESSES,
    WIDEST_RAILROAD,
)
from ...rule import Grammar, Rule
from ..fields import Fields, Refused, drawn, fault_record, read

if TYPE_CHECKING:
    from ...grammar.errors import Fault
    from ...workbench.abnf.lint import Remark
    from ...workbench.compare import Language


def grammars(_: Fields) -> dict[str, Any]:
    """Nothing in; each grammar's name, title, start rules and source out.

    ``regular`` says whether a finite automaton decides the first start rule.
    """
    from ...grammar import registry

    found = []
    for name in registry.names():
        compiled = registry.load(name)
        model = compiled.model
        found.append(
            {
                "name": name,
                "title": model.title,
                "start": compiled.start,
                "starts": list(model.starts),
                "rules": len(model.rules),
                "schemes": sorted(model.schemes),
                "source": model.source,
                "regular": compiled.regular(compiled.start),
            }
        )
    return {"grammars": found}


FILE = "own.abnf"
_REMARK = ("line", "column", "length", "code", "message", "witness")


def grammar(fields: Fields) -> dict[str, Any]:
    """One's own ``abnf``, or the name of a bundled ``grammar``, in; its text and rules out.

    ``faults`` make rules unusable, ``diagnostics`` are doubtful; with ``lint`` false neither is
    looked for, which takes most of the time. A text of which no rule can be used has the error
    ``invalid-grammar``.
    """
    from ...workbench.abnf.write import to_abnf

    grammar = fields.grammar()
    lint = fields.flag("lint", True)
    own = fields.value("abnf") is not None
    text = fields.text("abnf") if own else to_abnf(grammar.compiled.model)
    model = read(text).compiled.model  # its lines are those of this text
    faults, remarks = _linted(text) if lint else ((), ())
    return {
        "grammar": grammar.name,
        "abnf": text,
        "start": model.meant or model.starts[0],
        "rules": [
            {
                "name": name,
                "line": rule.line if rule.grammar == model.name else None,
                "grammar": grammar.name if rule.grammar == model.name else rule.grammar,
                "regular": grammar.compiled.regular(name),
            }
            for name, rule in model.rules.items()
        ],
        "unusable": list(model.unusable),
        "faults": [fault_record(fault) for fault in faults],
        "diagnostics": [{name: getattr(remark, name) for name in _REMARK} for remark in remarks],
    }


@lru_cache(maxsize=8)
def _linted(text: str) -> tuple[tuple[Fault, ...], tuple[Remark, ...]]:
    from ...grammar import registry
    from ...workbench.abnf.lint import lint_abnf

    model = read(text).compiled.model
    return lint_abnf(
        text, name=model.name, file=FILE, resolve=lambda name: registry.load(name).model
    )


def rules(fields: Fields) -> dict[str, Any]:
    """``grammar`` or ``abnf`` in; its name, its start rule and its rules out."""
    grammar = fields.grammar()
    model = grammar.compiled.model
    return {
        "grammar": grammar.name,
        "start": grammar.start,
        "rules": [
            {
                "name": name,
                "abnf": rule.text,
                "section": rule.section,
                "gloss": rule.gloss,
                "grammar": rule.grammar,
                "component": model.components.get(name),
            }
            for name, rule in model.rules.items()
        ],
    }


def railroad(fields: Fields) -> dict[str, Any]:
    """A rule, and how wide to draw it, in; a drawing out."""
    from ...workbench.railroad import NARROWEST, WIDTH, to_railroad_svg

    grammar = fields.grammar()
    rule = fields.rule(grammar)
    width = fields.number("width", WIDTH, least=NARROWEST, most=WIDEST_RAILROAD)
    model = grammar.compiled.model
    svg = to_railroad_svg(model, rule, width=width, styled=False)
    return {"rule": rule, "abnf": model.rules[rule].text, "drawing": drawn(svg)}


def sample(fields: Fields) -> dict[str, Any]:
    """A rule, a ``kind``, a ``seed``, a ``count`` and lengths in; that many texts out.

    The same request gives the same texts. A near miss has the ``edit`` that made it. If they are to
    be ``readable``, words stand for random characters, where the grammar accepts them.
    """
    from ...grammars import near_misses
    from ...grammars import sample as drawn_from
    from ...workbench.describe import facts

    grammar = fields.grammar()
    rule = fields.rule(grammar)
    kind = fields.choice("kind", ("valid", "near-miss"), "valid")
    seed = fields.number("seed", 0, most=2**53)
    count = fields.number("count", 10, least=1, most=MOST_SAMPLES)
    lengths: dict[str, Any] = {
        name: fields.number(key, most=LONGEST_SAMPLE)
        for key, name in (("least", "min_length"), ("most", "max_length"))
        if fields.value(key) is not None
    }
    if facts(grammar.compiled).shortest[rule].length > LONGEST_SAMPLE:
        words = f"every text of {rule} has more than {LONGEST_SAMPLE} characters; no more are drawn"
        raise Refused("no-such-text", words)
    made: list[dict[str, Any]]
    try:
        if fields.flag("readable"):
            texts = drawn_from(rule, grammar, seed=seed, **lengths)
            found = _readable(texts, grammar[rule], seed, miss=kind == "near-miss")
            made = list(islice(found, count))
        elif kind == "valid":
            texts = drawn_from(rule, grammar, seed=seed, **lengths)
            made = [{"text": text} for text in islice(texts, count)]
        else:
            misses = near_misses(rule, grammar, seed=seed, **lengths)
            made = [{"text": m.text, "edit": asdict(m.edit)} for m in islice(misses, count)]
    except GrammarLimit:
        raise
    except ValueError as error:  # no such text exists
        raise Refused("no-such-text", str(error)) from None
    return {"rule": rule, "kind": kind, "seed": seed, "samples": made}


_TRIES = 20
"""Edits of a text, of which one is to be a near miss."""


def _readable(
    texts: Iterable[str], rule: Rule, seed: int, *, miss: bool
) -> Iterator[dict[str, Any]]:
    """Readable texts, or one near miss of each; no two the same.

    A rule such as ``host`` has few words. When they are used up, texts follow as they were drawn.
    """
    from random import Random

    from ..worksheet.words import edited, readable

    random = Random(f"samples {seed} {rule.name}")  # noqa: S311 -- the same every time
    drawn_texts = [*islice(texts, 2 * MOST_SAMPLES)]
    told: set[str] = set()
    for made in chain((readable(text, rule, random) for text in drawn_texts), drawn_texts):
        if made in told:
            continue
        told.add(made)
        tried = (edited(made, random) for _ in range(_TRIES if miss else 0))
        wrong = next((one for one in tried if not rule.is_valid(one)), None)
        if not miss:
            yield {"text": made}
        elif wrong is not None and wrong not in told:
            told.add(wrong)
            yield {"text": wrong, "edit": {"of": made}}


WITNESSES = 5
"""Texts of either side by default."""

TEXTS = 1_000
"""Beginnings of texts to look at if no automaton decides."""


def compare(fields: Fields) -> dict[str, Any]:
    """Two sides in; how they are related, and shortest texts that only one accepts, out.

    A side ``a`` is a rule of the grammar that the common fields name, ``GRAMMAR:RULE``, or
    ``re:PATTERN``; with ``abnf_a`` it is a rule of that text, by default its start.
    """
    from ...workbench.compare import compared

    a, b = _side(fields, "a"), _side(fields, "b")
    most = fields.number("most", WITNESSES, least=1, most=MOST_WITNESSES)
    found = compared(a, b, most, TEXTS)
    return {"a": a.to_dict(), "b": b.to_dict(), **found.to_dict()}


def _side(fields: Fields, key: str) -> Language:
    from ...workbench.compare import PATTERN, language, pattern
    from ...workbench.read_pattern import BadPattern

    own = f"abnf_{key}"
    if fields.value(own) is not None:
        grammar = fields.grammar(own)
        return language(grammar.compiled, fields.rule(grammar, key))
    named = fields.text(key)
    if named.startswith(PATTERN):
        try:
            return pattern(named)
        except BadPattern as error:
            raise Refused("invalid-pattern", str(error), field=key, offset=error.offset) from None
    name, colon, rule = named.rpartition(":")
    grammar = Grammar.load(name) if colon else fields.grammar()
    return language(grammar.compiled, grammar.rule_name(rule))
