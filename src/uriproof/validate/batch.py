"""Verdicts and reports on many texts, in constant memory.

Owns the loops over texts, and the limit on their length. Imports ``arguments`` and ``report``.
Invariant: the verdicts are those of the matcher, in the order of the texts, and at most ``CHUNK``
texts are held at a time; what the caller's iterable raises comes out as it is, after the verdicts
on what it gave before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import length_hint
from typing import Any

from ..arguments import wrong
from ..report import Report, Violation

CHUNK = 256
"""Texts taken at a time: enough to forget the cost of taking them, few enough for any memory."""


def verdicts(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[bool]:
    """One verdict per text; ``match`` gives something false for a text that it refuses.

    Errors: TypeError, for what is no text, when its turn comes.
    """
    for text in texts:
        if not isinstance(text, str):
            raise _no_text(text)
        yield True if match(text) else False  # noqa: SIM210 -- a call of bool() takes longer


def find_invalid(match: Callable[[str], Any], texts: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The texts that ``match`` gives something false for, each with its number, from 0.

    Errors: as ``verdicts``.

    >>> list(find_invalid(str.isdigit, ["1", "x", "2"]))
    [(1, 'x')]
    """
    source = iter(texts)
    number = 0
    ended: Exception | None = None
    while ended is None:
        chunk: list[str] = []
        try:
            chunk += islice(source, CHUNK)  # keeps what came before an error
        except Exception as error:
            ended = error
        if not (chunk or ended):
            return
        other = next((i for i, text in enumerate(chunk) if not isinstance(text, str)), None)
        if other is not None:
            ended = _no_text(chunk[other])
            del chunk[other:]
        rest = iter(chunk)
        matches = map(match, rest)
        while not all(matches):  # stops after the text that is refused; `rest` knows how far
            at = len(chunk) - length_hint(rest) - 1
            yield number + at, chunk[at]
        number += len(chunk)
    raise ended


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
    not an allowed URI: text 3: the text has 4 characters, and at most 3 are allowed
    """
    message = f"the text has {len(text):,} characters, and at most {max_length:,} are allowed"
    violation = Violation(
        max_length,
        max_length + 1,
        text[max_length],
        component="text",
        production=rule,
        path=(rule,),
        kind="forbidden",
        expected=(),
        message=message,
        code="too-long",
        fix=None,
        section="",
        grammar=grammar,
        rule="",
        source="",
    )
    return Report(text, rule, grammar, {}, (violation,))


def _no_text(given: object) -> TypeError:
    return wrong("each text", given, "a str")
