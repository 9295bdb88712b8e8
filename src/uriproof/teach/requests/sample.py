"""``sample``: texts that a rule accepts, or nearly."""

from __future__ import annotations

from dataclasses import asdict
from itertools import islice
from typing import Any

from ...grammar.errors import GrammarLimit
from ..fields import Fields, Refused

MOST = 100
LONGEST = 500


def answer(fields: Fields) -> dict[str, Any]:
    """A rule, a ``kind``, a ``seed``, a ``count`` and lengths in; so many texts out.

    The same request gives the same texts. A near miss has the ``edit`` that made it.
    """
    from ...grammars import near_misses, sample
    from ...workbench.describe import facts

    grammar = fields.grammar()
    rule = fields.rule(grammar)
    kind = fields.choice("kind", ("valid", "near-miss"), "valid")
    seed = fields.number("seed", 0, most=2**53)
    count = fields.number("count", 10, least=1, most=MOST)
    lengths: dict[str, Any] = {
        key: fields.number(key, most=LONGEST)
        for key in ("least", "most")
        if fields.value(key) is not None
    }
    if facts(grammar.compiled).shortest[rule].length > LONGEST:
        words = f"every text of {rule} has more than {LONGEST} characters; no more are drawn"
        raise Refused("no-such-text", words)
    made: list[dict[str, Any]]
    try:
        if kind == "valid":
            texts = sample(rule, grammar, seed=seed, **lengths)
            made = [{"text": text} for text in islice(texts, count)]
        else:
            misses = near_misses(rule, grammar, seed=seed, **lengths)
            made = [{"text": m.text, "edit": asdict(m.edit)} for m in islice(misses, count)]
    except GrammarLimit:
        raise
    except ValueError as error:  # there is no such text
        raise Refused("no-such-text", str(error)) from None
    return {"rule": rule, "kind": kind, "seed": seed, "samples": made}
