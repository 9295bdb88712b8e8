"""The rows that every engine of datasets is tried on, and what ``uriproof`` says of each.

Made from texts of the grammar and near misses of them, with edits of a few characters, the same
for every engine: about a third of them is invalid, some are null.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import islice
from typing import Any

from uriproof import InvalidURI, Rule, normalize
from uriproof.data.explain import COMPONENTS, FIELDS, Row
from uriproof.grammars import near_misses, sample
from uriproof.percent.form import decode_form

ROWS = 4_000
"""As many as the tests of all engines compare, row by row."""

# Of each kind that an engine may read in another way: line ends, the end of a C string, letters
# beyond ASCII and beyond the basic plane, a combining mark, a byte order mark, quotes, escapes.
_INSERTED = [*" []#%<>\"'\\^`{}|:/?@.;,+&=-_~!$()*", *"aZ09", "%4", "%zz", "%E9"]
_INSERTED += ["\t", "\n", "\r\n", "\x00", "\x7f", "\x85", "\u00e9", "e\u0301", "\u2028", "\ufeff"]
_INSERTED += ["\u65e5\u672c", "\U0001f600", "\U0010ffff", "\u202e"]
_ODD = ["", " ", "\n", ":", "//", "a:", "http://", "http://[::1]", "http://[::1", "http:// h/"]
_ODD += [
    "http://h/a\n",
    "\nhttp://h/",
    "http://h/\x00",
    "x" * 3_000 + ":",
    "http://h/" + "a" * 5_000,
]


@cache
def rows(count: int = ROWS, nul: bool = True) -> tuple[str | None, ...]:
    """The rows: texts and nulls, the same at each call; ``nul`` with texts that hold U+0000."""
    chance = random.Random(3986)  # noqa: S311 -- no secret
    base = _samples()
    made: list[str | None] = [*_ODD, None]
    while len(made) < count:
        text = chance.choice(base)
        draw = chance.random()
        if draw < 0.01:
            made.append(None)
            continue
        for _ in range(0 if draw < 0.8 else chance.choice((1, 1, 2, 5))):
            at = chance.randrange(len(text) + 1)
            new = chance.choice(_INSERTED)
            text = text[:at] + new + text[at + chance.randrange(2) :]
        made.append(text)
    kept = made[:count]
    return tuple(kept if nul else [t and t.replace("\x00", "\x01") for t in kept])


def _samples() -> list[str]:
    """Valid texts and near misses of two rules, readable ones and such of any characters."""
    found: list[str] = []
    for rule, count in (("URI", 500), ("relative-ref", 50)):
        for readable in (True, False):
            found += islice(sample(rule, readable=readable, min_length=2, max_length=60), count)
        found += [miss.text for miss in islice(near_misses(rule, min_length=5, max_length=60), 50)]
    # No engine's text holds a lone surrogate (RFC 3629 §3).
    return [text.encode("utf-8", "replace").decode("utf-8") for text in found]


@cache
def expected_valid(rows: tuple[str | None, ...], rule: Rule) -> list[bool | None]:
    """The verdict of ``is_valid`` on each row; None for a null row."""
    return [None if text is None else rule.is_valid(text) for text in rows]


@cache
def expected_violations(rows: tuple[str | None, ...], rule: Rule) -> list[list[Row] | None]:
    """The violations of ``check`` in each row; None for a null row."""
    return [
        None
        if text is None
        else [
            (v.start, v.end, v.component, v.production, v.kind, v.code)
            for v in rule.check(text).violations
        ]
        for text in rows
    ]


@cache
def expected_components(
    rows: tuple[str | None, ...], rule: Rule
) -> list[dict[str, str | None] | None]:
    """The components of ``check`` in each row, by name; None for one that the text has not."""
    found: list[dict[str, str | None] | None] = []
    for text in rows:
        known = {} if text is None else rule.check(text).components
        each = {name: known[name].text if name in known else None for name in COMPONENTS}
        found.append(None if text is None else each)
    return found


@cache
def expected_texts(
    rows: tuple[str | None, ...], rule: Rule, name: str, level: str
) -> dict[str, list[str | None]]:
    """What the scalar functions make of each row, by the name of the column."""

    def of(work: Callable[[str], str | None]) -> list[str | None]:
        return [None if text is None else work(text) for text in rows]

    def first_value(text: str) -> str | None:
        found = rule.check(text).components.get("query")
        pairs = decode_form(found.text) if found else ()
        return next((value for own, value in pairs if own == name), None)

    def normal(text: str) -> str | None:
        try:
            return normalize(text, level)
        except InvalidURI:
            return None

    return {
        "fixed": of(lambda text: rule.check(text).fixed),
        "normalized": of(normal),
        "parameter": of(first_value),
    }


def as_rows(violations: list[dict[str, Any]] | None) -> list[Row] | None:
    """The violations of a row as an engine gives them, a dictionary each, as ``Row``."""
    if violations is None:
        return None
    return [tuple(each[name] for name in FIELDS) for each in violations]
