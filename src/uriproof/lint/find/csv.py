r"""Values separated by commas, semicolons or tabs: URLs in fields.

Owns the fields of a record (RFC 4180 §2). Imports ``find._inside``. Invariant: a field between
quotes ends at its quote, a doubled quote is one, and any other field ends at the separator.

>>> [found.text for found in find('a,b\n1,"http://a/?b=1,2"\n2,http://c,d', "a.csv")]
['http://a/?b=1,2', 'http://c']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Found, Profile
from ._inside import URL, Part, lines_with, prose_in, undone, value

SUFFIXES = (".csv", ".tsv", ".tab")
NAMES = ()
ANCHORS = ("://",)
PROFILES = (
    Profile(
        "iri",
        "fields",
        "RFC 4180 §2 gives fields no type",
    ),
)
# In a field between quotes (RFC 4180 §2).
ESCAPES = {"doubled-quotes": lambda text: text.replace('"', '""')}

_DOUBLED = lazy('""')
_FIELDS = {
    mark: lazy(rf'[ ]*"(?P<quoted>(?:[^"]|"")*+)"[ ]*(?=[{mark}\r\n]|\Z)|(?P<bare>[^{mark}\r\n]++)')
    for mark in ",;\t|"
}
_RECORDS = {
    mark: lazy(rf'(?:[ ]*"(?:[^"]|"")*+"[ ]*(?=[{mark}\r\n]|\Z)|[^{mark}\r\n]++|[{mark}\r])*+')
    for mark in _FIELDS
}
_OPENED = lazy(r'"(?<![^\s,;|]")[^"\n]*+(?:""[^"\n]*+)*+$', re.MULTILINE)
_LOOKED_AT = 4_000  # code points of the head in which the separator is looked for: one line


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a table, in text order. Cost: O(n)."""
    mark = _separator(text, name)
    for start, end in lines_with(text, (URL, _OPENED), _RECORDS[mark]):
        for match in _FIELDS[mark].finditer(text, start, end):
            kind = match.lastgroup or ""
            first, last = match.span(kind)
            if text.find("://", first, last) < 0:
                continue
            if kind == "quoted":
                part = undone(text, first, last, _DOUBLED, lambda _: '"')
                yield from value(part, "doubled-quotes", "field between quotes")
            elif '"' in match[kind]:  # a quote that nothing closes, or one of prose
                yield from prose_in(Part(text[first:last], first, last))
            else:
                yield from value(
                    Part(text[first:last], first, last), "plain", "field", remarks=True
                )


def _separator(text: str, name: str) -> str:
    if name.lower().endswith((".tsv", ".tab")):
        return "\t"
    head = text[:_LOOKED_AT].partition("\n")[0]
    return max(",;\t|", key=head.count)
