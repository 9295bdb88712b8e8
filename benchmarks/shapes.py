"""Shapes of the expression: what each step from the plain translation to ours is worth.

Owns that comparison; imports the grammars and the timing. Invariant: every shape but the two
floors decides the same language, which is checked on the lines before anything is measured.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from uriproof.grammar import registry
from uriproof.grammar.charset import EMPTY, of_terminal
from uriproof.grammar.compile.to_regex import expression, print_regex, print_set
from uriproof.grammar.model import (
    Alternation,
    CharVal,
    Concatenation,
    Element,
    Model,
    NumVal,
    Repetition,
    RuleRef,
)

from .batch import lines
from .texts import VALID
from .timing import Job, medians

Match = Callable[[str], Any]


def plain(model: Model, element: Element) -> str:
    """The rule as it stands: a group for every reference, no set merged, nothing possessive."""
    match element:
        case RuleRef(name):
            return f"(?:{plain(model, model.rules[name].element)})"
        case CharVal() | NumVal():
            return "".join(print_set(ranges) for ranges in of_terminal(element))
        case Concatenation(items):
            return "".join(plain(model, item) for item in items)
        case Alternation(items):
            return f"(?:{'|'.join(plain(model, item) for item in items)})"
        case Repetition(item, least, most):
            return f"(?:{plain(model, item)}){{{least},{'' if most is None else most}}}"


def shapes() -> dict[str, str]:
    """The expressions, from the plain one to ours, then two that accept far too much."""
    grammar = registry.load("rfc3986")
    model = grammar.model
    merged = print_regex(expression(model, "URI"), EMPTY)
    ours = grammar.regex("URI") or ""
    return {
        "the rule as it stands": plain(model, model.rules["URI"].element),
        "sets merged, loops unrolled, not possessive": re.sub(r"([*+?}])\+", r"\1", merged),
        "and possessive": merged,
        "and IPv4address, which reg-name contains, left out": ours,
        "floor: any text": ".*+",
        "floor: one set, one loop": "[!-~]*+",
    }


def _each(match: Match, texts: list[str]) -> None:
    for text in texts:
        match(text)


def measure() -> dict[str, tuple[float, float]]:
    """Seconds for one match, of the valid URI and of one of the lines, by shape."""
    texts = lines()
    matchers: dict[str, Match] = {w: re.compile(p).fullmatch for w, p in shapes().items()}
    truth = matchers["the rule as it stands"]
    for words, match in matchers.items():
        if not words.startswith("floor") and any(bool(match(t)) != bool(truth(t)) for t in texts):
            raise SystemExit(f"{words}: another language")
    jobs: dict[tuple[str, str], Job] = {}
    for words, match in matchers.items():
        jobs[words, "valid"] = partial(match, VALID)
        jobs[words, "lines"] = partial(_each, match, texts)
    found = medians(jobs, rounds=15)
    return {w: (found[w, "valid"], found[w, "lines"] / len(texts)) for w in matchers}
