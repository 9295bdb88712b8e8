r"""JSON, with or without comments: strings that are URLs or hold some, references, comments.

Owns the places in a JSON file to look for URLs. Imports ``find._json``, ``find._openapi`` and
``find._inside``. Invariant: only the strings around a "://", or after a key that needs a reference,
are read, and none twice.

>>> text = r'{"url": "http:\/\/a/b c", "$ref": "#/d^e", "note": "See http://b/."}'
>>> [(found.text, found.start, found.end) for found in find(text, "a.json")]
[('http://a/b c', 9, 23), ('#/d^e', 35, 40), ('http://b/', 56, 65)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge

from ...grammar.expressions import ESCAPE, PORT, SCHEME
from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, line_end, prose_in
from ._json import STRING, keyed, part_of, reference, values, within_text
from ._openapi import demanded, is_openapi, spans

SUFFIXES = (
    *(".json", ".jsonc", ".json5", ".geojson", ".topojson", ".webmanifest", ".jsonld", ".har"),
    *(".code-workspace", ".code-snippets", ".map", ".avsc", ".avpr", ".importmap", ".sarif"),
    *(".json.in", ".json.tmpl", ".json.template", ".tfstate", ".gltf", ".lottie"),
    *(".sublime-settings", ".sublime-project"),
)
NAMES = (
    *("composer.lock", "Pipfile.lock", "deno.lock", "flake.lock", "bun.lock", ".bowerrc"),
    *(".babelrc", ".eslintrc", ".jshintrc", ".swcrc", ".watchmanconfig"),
)
ANCHORS = (
    *("://", ":\\/\\/", ":\\u002", '"$ref"', '"$id"', '"$schema"', '"$dynamicRef"'),
    *('"$recursiveRef"', '"href"', '"start_url"', '"openapi"', '"swagger"'),
)
COMMENTS = {"jsonc": Comment("//")}
PROFILES = (
    Profile(
        "iri",
        "strings",
        "RFC 8259 §7 allows any character in a string; JSON-LD 1.1 §3.2 calls for IRIs",
    ),
    Profile(
        "uri", "`$schema`, `$id`, `$ref`, `$dynamicRef`", "JSON Schema Core 2020-12 §8.1.1, §8.2"
    ),
    Profile(
        "uri",
        "values next to a `format` of `uri`, `uri-reference` or `uri-template`",
        "JSON Schema Validation 2020-12 §7.3.5, §7.3.6",
    ),
)

_URLS = ("://", ":\\/\\/", ":\\u002f\\u002f", ":\\u002F\\u002F")
_URL = lazy(r":(?:/|\\/|\\u002[fF]){2}")
_KEYS = ('"$ref"', '"$id"', '"$schema"', '"$dynamicRef"', '"$recursiveRef"', '"href"')
# Members of a web application manifest that are URLs (Web Application Manifest, §1 and §2).
_MANIFEST = ('"start_url"', '"scope"', '"src"', '"id"', '"url"', '"action"')
_SCHEMAS = ('"$schema"', '"$defs"')  # a file with "$id" in the sense of JSON Schema has one of them

# The look back from each URL is bounded, so that minified files take linear time.
_LONG = 4_000  # a line beyond this is not read from its beginning
_SCHEME = 40  # a scheme that is longer, which none registered is, is looked for the long way
_REACH = 20_000  # of a string that is read at once; longer ones are texts, read by their lines
_LOOK_BACK = 1_000  # for the key of an array
_BLANKS = 200  # for that of a value, and between two: more than any indentation

# A string that is a URL, with nothing in it that a text, a template or a pattern would have.
_PLAIN = lazy(
    rf"{SCHEME}://[-.\w]++(?::{PORT})?+(?:[/?#](?:[-\w.~:/?#!&+=]|{ESCAPE})*+)?+(?=\")",
    re.ASCII,
)
_REST = lazy(STRING + '"')
_SINGLE = STRING.replace('"', "'")
_COMMENT = r"//[^\n]*+|/\*(?:[^*\n]|\*(?!/))*+(?:\*/)?+"
_TOKEN = lazy(rf'"{STRING}"?+|{_COMMENT}')
_TOKEN_5 = lazy(rf"\"{STRING}\"?+|'{_SINGLE}'?+|{_COMMENT}")
_COLON = lazy(r"\s*+:")
_VALUE = lazy(rf'"\s*+:\s*+"(?P<value>{STRING})"')
_ELEMENTS = lazy(rf"\s*+(?:\"{STRING}\"\s*+,\s*+)++")


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a file of JSON, in text order; an OpenAPI document is read as one. O(n)."""
    if is_openapi(text):
        from .openapi import find as find_openapi

        return find_openapi(text, name)
    return demanded(strings(text, name), lambda: spans(text, values(text)))


def strings(text: str, name: str) -> Iterator[Found]:
    """The URLs in the strings and comments of a text, in text order. Cost: O(n)."""
    keys: tuple[str, ...] = _KEYS
    if not any(text.find(one) >= 0 for one in _SCHEMAS):
        keys = tuple(key for key in keys if key != '"$id"')
    if name.endswith(".webmanifest"):
        keys += _MANIFEST
    reader = _Reader(text, name.endswith(".json5"))
    for at, anchor in merge(*(_starts(text, one) for one in (*_URLS, *keys))):
        if at < reader.floor:
            continue
        if anchor[0] == '"':
            yield from reader.reference(anchor, at)
        else:
            yield from reader.string(at)


def _starts(text: str, anchor: str) -> Iterator[tuple[int, str]]:
    at = text.find(anchor)
    while at >= 0:
        yield at, anchor
        at = text.find(anchor, at + 1)


class _Reader:
    """One text; ``floor`` is the end of the last string or comment that was read."""

    def __init__(self, text: str, single: bool) -> None:
        self._text = text
        self._token = _TOKEN_5 if single else _TOKEN
        self._last: tuple[int, str] = (-1, "")  # the end of a value that had a key, and the key
        self.floor = 0

    def reference(self, quoted: str, at: int) -> Iterator[Found]:
        """The value of a key that wants a reference, unless ``string`` will read it."""
        text = self._text
        match = _VALUE.match(text, at + len(quoted) - 1)
        if match is None or text[at - 1 : at] == "\\":
            return
        start, end = match.span("value")
        key = quoted.strip('"')
        urls = _URL.search(text, start, end) is not None
        if urls and key[0] != "$":
            return
        self.floor = match.end()
        part = part_of(text, start, end)
        if urls or part.text[:1] not in {"$", "@"}:  # those are paths of other languages
            # Those of JSON Schema are URIs (Core §8.1.1, §8.2); others are of many vocabularies.
            yield from reference(part, f"value of {key!r}", "uri" if key[0] == "$" else None)

    def string(self, at: int) -> Iterator[Found]:
        """The URLs of the string or the comment that an offset is in."""
        text = self._text
        quote = text.rfind('"', max(self.floor, at - _SCHEME), at)
        plain = _PLAIN.match(text, quote + 1) if quote >= 0 else None
        if plain is not None:
            first, last = plain.span()
            yield Found(first, last, text[first:last], "URI", True, (), (), "json", "string")
            self.floor = last + 1
            return
        start, end = self._around(at)
        self.floor = end
        first, last = start + 1, end - 1
        if text[start] not in "\"'":
            yield from prose_in(Part(text[start:end], start, end))
            return
        if first > last or text[last] != text[start]:  # nothing closes it
            yield from self._long(first, end)
            return
        if end - start > _REACH:
            yield from self._long(first, last)
        elif _COLON.match(text, end):
            yield from keyed(part_of(text, first, last), "", "key")
        else:
            yield from keyed(part_of(text, first, last), self._key(start, end))

    def _around(self, at: int) -> tuple[int, int]:
        """The span of the string, quotation marks included, or of the other text around an
        offset, up to the end of its line."""
        text = self._text
        start = max(text.rfind("\n", self.floor, at) + 1, self.floor)
        if at - start > _LONG:
            quote = self._quote(at)
            rest = _REST.match(text, quote + 1) if quote >= 0 else None
            if rest is not None and rest.end() > at:
                return quote, rest.end()
            start = at - _LONG
        else:
            for match in self._token.finditer(text, start):
                if match.start() > at:
                    break
                start = match.end()
                if match.end() > at:
                    return match.span()
        return start, line_end(text, at)

    def _quote(self, at: int) -> int:
        """The start of the string around an offset, by the text before it; -1 if there is none."""
        text = self._text
        quote = text.rfind('"', self.floor, at)
        while quote > 0 and text[quote - 1] == "\\":
            quote = text.rfind('"', self.floor, quote)
        if quote < 0:
            return -1
        before = text[max(quote - 40, 0) : quote].rstrip()[-1:]
        return quote if before in {"", ":", ",", "[", "{"} else -1

    def _key(self, start: int, end: int) -> str:
        """The key of a value, or of the array around it; "" if there is none."""
        text = self._text
        last, key = self._last
        if not 0 <= last <= start <= last + _BLANKS or text[last:start].strip() != ",":
            key = _named(text, start)
        self._last = (end, key)
        return key

    def _long(self, first: int, last: int) -> Iterator[Found]:
        """URLs in a string that holds a whole text, by its lines."""
        text = self._text
        at = first
        while (match := _URL.search(text, at, last)) is not None:
            begin = text.rfind("\\n", at, match.start())
            begin = max(at, match.start() - _LONG) if begin < 0 else begin + 2
            end = text.find("\\n", match.end(), last)
            end = last if end < 0 else end
            if end - match.end() > _REACH:
                space = text.find(" ", match.end() + _REACH, end)
                end = end if space < 0 else space
            yield from within_text(part_of(text, begin, end))
            at = end


def _named(text: str, start: int) -> str:
    """The key before a value, or before the array whose first elements are strings up to it."""
    before = text[max(start - _BLANKS, 0) : start].rstrip()
    if before.endswith(","):
        bracket = text.rfind("[", max(start - _LOOK_BACK, 0), start)
        if bracket < 0 or not _ELEMENTS.fullmatch(text, bracket + 1, start):
            return ""
        before = text[max(bracket - _BLANKS, 0) : bracket + 1]
    if before.endswith("["):
        before = before[:-1].rstrip()
    if not before.endswith(":"):
        return ""
    before = before[:-1].rstrip()
    quote = before[-1:]
    if quote not in {'"', "'"}:
        return before.split()[-1].lstrip("{,") if quote else ""
    return before[before.rfind(quote, 0, -1) + 1 : -1]


def _escaped(text: str) -> str:
    """In a string (RFC 8259 §7)."""
    import json

    return json.dumps(text)[1:-1]


ESCAPES = {"json": _escaped}
