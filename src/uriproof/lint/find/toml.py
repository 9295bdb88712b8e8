r"""TOML: URLs in strings of all four kinds, in keys, and in comments.

Owns the strings of TOML (TOML 1.0, String). Imports ``find._inside``. Invariant: the text between
the quotes of a string, its escapes decoded, is its value; text that is not TOML is skipped.

>>> [found.text for found in find('u = "http://a/\\u00e9"  # or http://b.', "a.toml")]
['http://a/é', 'http://b']
"""

from __future__ import annotations

from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, character, prose_in, undone, value

SUFFIXES = (".toml",)
NAMES = ("Pipfile", "Cargo.lock", "poetry.lock", "uv.lock", "pdm.lock")
ANCHORS = ("://",)
PROFILES = (Profile("iri", "strings and comments", 'TOML 1.0.0, "String", allows any character'),)
COMMENTS = {"toml": Comment("#")}

_TOKEN = lazy(
    # Unclosed strings are also taken: otherwise each quotation mark in one would seem to begin
    # another.
    r'"""(?P<multi>(?:[^"\\]|\\[\s\S]|"(?!""))*+)(?:"""|\Z)'
    r"|'''(?P<lines>(?:[^']|'(?!''))*+)'''"
    r'|"(?P<basic>(?:[^"\\\n]|\\.)*+)(?:"|(?P<unclosed>))'
    r"|'(?P<literal>[^'\n]*+)'"
    r"|#(?P<comment>[^\n]*+)"
)
_ESCAPE = lazy(
    r"\\(?:u(?P<u>[0-9A-Fa-f]{4})|U(?P<l>[0-9A-Fa-f]{8})|x(?P<x>[0-9A-Fa-f]{2})"
    r"|(?P<gap>[ \t]*\r?\n\s*)|(?P<c>.))"
)
_MEANS = dict(zip('btnfre"\\', '\b\t\n\f\r\x1b"\\', strict=True))


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a document, in text order. Cost: O(n)."""
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        start, end = match.span(kind)
        if text.find("://", start, end) < 0 and "\\" not in match[kind]:
            continue
        if kind in {"basic", "multi"}:
            part = undone(text, start, end, _ESCAPE, lambda match: character(match, _MEANS))
        else:
            part = Part(text[start:end], start, end)
        if kind in {"basic", "literal"}:
            yield from value(part, "json" if kind == "basic" else "plain", "string")
        else:
            yield from prose_in(part, escape="json" if kind == "multi" else "")
