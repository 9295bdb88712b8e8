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
from uriproof.data.explain import COMPONENTS, FIELDS
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
_ODD += ["http://h/a\n", "\nhttp://h/", "http://h/\x00"]
_ODD += ["x" * 3_000 + ":", "http://h/" + "a" * 5_000]


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


def _components(text: str, rule: Rule) -> dict[str, str | None]:
    known = rule.check(text).components
    return {name: known[name].text if name in known else None for name in COMPONENTS}


def _normalized(text: str, level: str) -> str | None:
    try:
        return normalize(text, level)
    except InvalidURI:
        return None


def _first_value(text: str, rule: Rule, wanted: str) -> str | None:
    pairs = decode_form(_components(text, rule)["query"] or "")
    return next((value for name, value in pairs if name == wanted), None)


ANSWERS: dict[str, Callable[[str, Rule, str], Any]] = {
    "is_valid": lambda text, rule, _: rule.is_valid(text),
    "violations": lambda text, rule, _: [
        {field: getattr(one, field) for field in FIELDS} for one in rule.check(text).violations
    ],
    "components": lambda text, rule, _: _components(text, rule),
    "component": lambda text, rule, name: _components(text, rule)[name],
    "fixed": lambda text, rule, _: rule.check(text).fixed,
    "normalized": lambda text, _, level: _normalized(text, level),
    "parameter": _first_value,
}
"""What the functions of single texts say of a text, by the name of the column."""


@cache
def expected(rows: tuple[str | None, ...], name: str, rule: Rule, option: str = "") -> list[Any]:
    """What a column has to be, row by row: for a null row, None."""
    return [None if text is None else ANSWERS[name](text, rule, option) for text in rows]


def expected_valid(rows: tuple[str | None, ...], rule: Rule) -> list[bool | None]:
    """The verdict on each row."""
    return expected(rows, "is_valid", rule)
