"""One program asked about every text of its rules: what came of it, as data.

Owns the shape of a result, which the tables, the page and the file of results read. Imports the
judge and the texts. Invariant: a result is JSON, and has nothing in it that depends on the machine
but the versions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import uriproof

from . import suite
from .adapter import Program
from .judge import Class, Departures, Judgement, Truth, Witness, judge
from .texts import FULL, MET, SLOW_MOST, Pool, Sizes, fewer, gather

RULES = ("URI", "URI-reference")
SHRUNK, SLOW_SHRUNK = 1000, 40
"""Wrongly refused texts that are made shorter: what is slow takes milliseconds for each try."""
Result = dict[str, Any]


@cache
def truth(rule: str) -> Truth:
    """The grammar's verdicts, which all programs share."""
    return Truth(rule)


@cache
def pool(rule: str, seed: int, sizes: Sizes) -> Pool:
    """The texts of a rule, made once."""
    return gather(rule, seed, sizes)


def asked(
    program: Program,
    seed: int,
    sizes: Sizes = FULL,
    *,
    ascii_only: bool = False,
    slow: bool = False,
    rules: Iterable[str] = RULES,
) -> tuple[dict[str, Result], dict[str, Witness]]:
    """What came of a program by rule, and the witnesses, which still answer.

    A rule that the program has nothing like is left out. Errors: Disagreement, NotStarted.
    """
    results: dict[str, Result] = {}
    witnesses: dict[str, Witness] = {}
    for rule in rules:
        texts = pool(rule, seed, sizes)
        if ascii_only:
            texts = {name: [t for t in some if t.isascii()] for name, some in texts.items()}
        if slow:
            texts = fewer(texts, SLOW_MOST, seed)
        witness = Witness(program, rule)
        all_texts = [text for some in texts.values() for text in some]
        most = SLOW_SHRUNK if slow else SHRUNK
        judgement = judge(witness, truth(rule), all_texts, most, ascii_only)
        if judgement is not None:
            results[rule] = as_result(judgement, rule, texts)
            witnesses[rule] = witness
    return results, witnesses


def as_result(judgement: Judgement, rule: str, texts: Pool) -> Result:
    """A judgement as JSON: counts, then the classes, shortest example first."""
    wrong = judgement.wrong
    return {
        "texts": judgement.texts,
        "accepted": len(judgement.accepted),
        "refused": len(judgement.refused),
        "met": len(texts[MET]),
        "met_wrong": len(wrong.intersection(texts[MET])),
        "topics": {
            name: {"texts": len(texts[name]), "wrong": len(wrong.intersection(texts[name]))}
            for name in [*suite.topics(), "transitions"]
        },
        "failures": {
            name: {"texts": count, "shortest": text}
            for name, (count, text) in judgement.failed.items()
        },
        "classes": [
            *(_class("accepts", found, rule) for found in judgement.accepted_classes),
            *(_class("refuses", found, rule) for found in judgement.refused_classes),
        ],
    }


def _class(verb: str, found: Departures, rule: str) -> Result:
    examples = found.examples
    return {
        "verb": verb,
        "parts": sorted(found.class_, key=lambda name: (name.startswith("advice "), name)),
        "texts": found.texts,
        "examples": examples,
        "section": section(examples[0], rule),
        "characters": None
        if found.characters is None
        else {"tried": found.characters[0], "accepted": list(found.characters[1])},
    }


def section(text: str, rule: str) -> str:
    """The section that decides: of the first violation, or of what a valid text is made of."""
    report = uriproof.check(text, rule)
    if report.violations:
        return report.violations[0].section
    components = [c for c in report.components.values() if c.text and c.name != "scheme"]
    production = components[0].production if components else rule
    return f"RFC 3986 §{truth(rule).section_of(production)}"


def groups(result: Result) -> Iterator[tuple[str, Result]]:
    """The classes of a result under short names, for the columns of a matrix.

    What is accepted wrongly goes by the codes of its violations, what is refused wrongly by the
    productions that it is made of.
    """
    for found in result["classes"]:
        parts = [part for part in found["parts"] if not part.startswith("advice ")]
        if found["verb"] == "accepts":
            for part in parts:
                code, _, production = part.partition(" ")
                # Of a host, the code alone does not say whether a name or an address is wrong.
                name = part if code.startswith("host") and "IP" in production else code
                yield f"accepts {name}", found
        else:
            yield f"refuses {' + '.join(parts) or 'other valid texts'}", found


__all__ = ["RULES", "Class", "Result", "asked", "groups", "pool", "section", "truth"]
