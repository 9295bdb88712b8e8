"""Verdicts and reports on many texts, in constant memory.

Owns the loops over texts, and the limit on their length. Imports ``arguments`` and ``report``.
Invariant: the verdicts are those of the matcher, in the order of the texts, and one text is held at
a time; errors of the caller's iterable are raised unchanged, after the verdicts on its earlier
texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..arguments import wrong
from ..report import Component, Report, of_policy
from .words.catalogue import say


def verdicts(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[bool]:
    """One verdict per text; ``match`` returns something false for a text that it rejects.

    Errors: TypeError, for a value that is not a text, when its turn comes.
    """
    for text in texts:
        if not isinstance(text, str):
            raise _no_text(text)
        yield True if match(text) else False  # noqa: SIM210 -- a call of bool() takes longer


def reports(
    check: Callable[[str], Report],
    texts: Iterable[str],
    rule: tuple[str, str],
    max_length: int | None,
) -> Iterator[Report]:
    """One report per text; ``rule`` names the grammar and the rule. Errors: as ``verdicts``."""
    for text in texts:
        if not isinstance(text, str):
            raise _no_text(text)
        if max_length is not None and len(text) > max_length:
            yield too_long(text, *rule, max_length)
        else:
            yield check(text)


def too_long(text: str, grammar: str, rule: str, max_length: int) -> Report:
    """The report of a text beyond a limit, of which nothing is read. Cost: O(1).

    >>> print(too_long("a:bc", "rfc3986", "URI", 3).summary)
    not an allowed URI: text 3: The text has 4 characters; at most 3 are allowed.
    """
    message = say("too-long", length=f"{len(text):,}", most=f"{max_length:,}")
    place = Component("text", rule, max_length, max_length + 1, text[max_length])
    violation = of_policy(place, "too-long", message, rule, grammar)
    return Report(text, rule, grammar, {}, (violation,))


def _no_text(given: object) -> TypeError:
    return wrong("each text", given, "a str")
