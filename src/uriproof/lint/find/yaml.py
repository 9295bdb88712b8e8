r"""YAML: URLs in scalars of every style, in flow collections, in blocks and in comments.

Owns the styles of scalars (YAML 1.2.2 §7.3, §8.1). Imports ``find._inside`` and ``find._openapi``.
Invariant: for URLs with a scheme, only lines with a "://" are looked at, and each once; text that
cannot be YAML is read as prose; text with "://" is not a relative reference.

>>> text = 'a: "http://a/\\xe9"  # http://b.\nc: [http://c, http://d|e]\n'
>>> [found.text for found in find(text, "a.yml")]
['http://a/é', 'http://b', 'http://c', 'http://d|e']
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from heapq import merge

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, character, lines_with, prose, undone, unfilled, value
from ._openapi import Opened, Value, demanded, is_openapi, spans

SUFFIXES = (".yml", ".yaml")
NAMES = (".clang-format", ".clang-tidy", ".yamllint", "CITATION.cff", ".condarc")
ANCHORS = ("://", "$ref", "openapi", "swagger")
PROFILES = (
    Profile("iri", "scalars and comments", "YAML 1.2.2 §5.1 allows any printable character"),
    Profile(
        "uri",
        "`$ref`, and the URLs of an OpenAPI document",
        "JSON Schema Core 2020-12 §8.2.3; OpenAPI 3.1.0 §4.6",
    ),
    Profile(
        "uri",
        "values next to a `format` of `uri` or `uri-reference`",
        "JSON Schema Validation 2020-12 §7.3.5",
    ),
)
COMMENTS = dict.fromkeys(("yaml", "yml"), Comment("#"))
# Between single quotes (YAML 1.2.2 §7.3.2).
ESCAPES = {"single-quotes": lambda text: text.replace("'", "''")}

_HEADER = lazy(
    r"^(?P<indent> *+)(?:[^\n#]*?[:?-][ \t]+)(?:[!&][^\s]+[ \t]+){0,2}[|>][-+0-9]{0,3}[ \t]*"
    r"(?:#[^\n]*)?\r?$",
    re.MULTILINE,
)
_HEADER_END = lazy(r"[|>][-+0-9]{0,3}[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE)
_DASHES = lazy(r"(?:- +)+")
_TOKEN = lazy(
    r'"(?P<double>(?:[^"\\\n]|\\.)*+)"'
    r"|'(?P<single>(?:[^'\n]|'')*+)'(?!')"
    r"|(?<![^\s])#(?P<comment>[^\n]*+)"
    r"|(?P<flow>[\[{])"
)
_KEY = lazy(
    r"[ \t]*(?:(?:[-?](?=[ \t])|[&!*][^\s,\[\]{}]*+(?=[ \t])"
    r"|[^\s\"'#\[\]{},&*!|>%@`][^\n#]*?:(?=[ \t]))[ \t]*)*+"
)
_TEMPLATE = r"\{\{.{0,300}?\}\}|\$\{.{0,300}?\}"
_PLAIN = lazy(rf"(?:{_TEMPLATE}|[^#:\n]|:(?!\s)|(?<=\S)#)*+")
_IN_FLOW = lazy(
    rf"(?:{_TEMPLATE}|[^,\[\]{{}}#\n]|\[[^\],\n]{{0,200}}\]|\{{[^}},\n]{{0,200}}\}}|(?<=\S)#)++"
)
_FLOW_KEY = lazy(r"[^\s:]+:[ \t]+")
_ESCAPE = lazy(
    r"\\(?:x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|U(?P<l>[0-9A-Fa-f]{8})|(?P<c>.))"
)
_DOUBLED = lazy("''")
_MEANS = dict(zip("0abtnvfreN_LP", "\0\a\b\t\n\v\f\r\x1b\x85\xa0\u2028\u2029", strict=True))
_MEANS |= dict(zip('"\\/ \t', '"\\/ \t', strict=True))


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a stream, in text order. Cost: O(n)."""
    yield from found(text, openapi=is_openapi(text))


def found(text: str, openapi: bool) -> Iterator[Found]:
    """The URLs of a stream that might be a description of an API. Cost: O(n)."""
    every = _scalars(text)
    if openapi or "$ref" in text:
        every = _both(every, _references(text, openapi))
    yield from demanded(every, lambda: spans(text, values(text), openapi))


def _scalars(text: str) -> Iterator[Found]:
    """The URLs with a scheme, in text order."""
    known = blocks(text)
    starts = [start for start, _ in known]
    for start, stop in lines_with(text):
        # The scalar, or a command in it, can continue on the next line.
        end = stop - (text[stop - 1] == "\\")
        number = bisect_right(starts, start) - 1
        in_block = number >= 0 and start < known[number][1]
        part = Part(text[start:end], start, end)
        for one in prose(part) if in_block else _line(text, start, end):
            # Of a word that an escaped line break divides, the beginning is in the line before.
            divided = not in_block and text.startswith("\\\n", start - 2) and start > 1
            if not (divided and text[start : one.start].isspace()):
                yield one


def blocks(text: str) -> list[tuple[int, int]]:
    """The spans of literal and folded blocks: the lines that are indented deeper than their key."""
    found: list[tuple[int, int]] = []
    at = 0
    while (last := _HEADER_END.search(text, at)) is not None:  # few lines end like a header
        header = _HEADER.match(text, text.rfind("\n", 0, last.start()) + 1)
        if header is None:
            at = last.end() + 1
            continue
        indent = len(header["indent"])
        rest = text[header.start() + indent : header.end()]
        dashes = _DASHES.match(rest)
        # "- key: |" is indented by the key, "- |" by the dash.
        if dashes and rest[dashes.end() :].lstrip()[:1] not in "|>":
            indent += dashes.end()
        body = re.compile(rf"(?:\n(?:[ \t]*\r?(?=\n|\Z)| {{{indent + 1},}}[^\n]*))*+")
        match = body.match(text, header.end())
        end = match.end() if match else header.end()
        if end > header.end():
            found.append((header.end() + 1, end))
        at = max(end, header.end() + 1)
    return found


def _line(text: str, start: int, end: int) -> Iterator[Found]:
    """The URLs of a line outside of blocks."""
    key = _KEY.match(text, start, end)
    at = key.end() if key else start
    if text.find("://", start, at) >= 0:  # a URL can be a key: its colon ends it
        yield from prose(Part(text[start:at], start, at))
    depth = 0
    while at < end:
        token = _TOKEN.match(text, at, end)
        if token is not None:
            kind = token.lastgroup or ""
            first, last = token.span(kind)
            at = token.end()
            if kind == "flow":
                depth += 1
            elif kind == "double":
                yield from value(undone(text, first, last, _ESCAPE, _meaning), "json", "string")
            elif kind == "single":
                part = undone(text, first, last, _DOUBLED, lambda _: "'")
                yield from value(part, "single-quotes", "string")
            else:
                yield from prose(Part(text[first:last], first, last))
            continue
        char = text[at]
        if char in " \t" or (depth and char in ",]}:"):
            depth -= char in "]}"
            at += 1
            continue
        plain = (_IN_FLOW if depth else _PLAIN).match(text, at, end)
        last = plain.end() if plain else at
        if last <= at:
            at += 1
            continue
        scalar = at
        if depth and (inner := _FLOW_KEY.match(text, at, last)):
            scalar = inner.end()
            if text[scalar : scalar + 1] in ("'", '"'):
                at = scalar
                continue
        if text[start:scalar].isspace():  # a scalar, perhaps a quoted one, continues
            yield from prose(Part(text[scalar:last], scalar, last))
        else:
            yield from value(Part(text[scalar:last], scalar, last), "plain", "scalar")
        at = last


def _meaning(match: re.Match[str]) -> str:
    return character(match, _MEANS)


_KEYS = (
    *("$ref", "url", "termsOfService", "authorizationUrl", "tokenUrl", "refreshUrl"),
    *("openIdConnectUrl", "operationRef"),
)
_FILE = lazy(r"[^/#\s]*/\S*\Z|[^#:]*\.(?:json|ya?ml)(?:#|\Z)")
_AFTER_KEY = lazy(
    r"(?P<quote>['\"]?)[ \t]*:[ \t]+(?:"
    r"'(?P<single>[^'\n]*+)'|\"(?P<double>[^\"\\\n]*+)\"|(?P<plain>[^\s'\"#&*!|>{,][^\s,}]*+))"
)
_PATHS = lazy(
    r"\n[ ]{1,12}+"
    r"(?:'(?P<path1>/[^'\n]*+)'|\"(?P<path2>/[^\"\\\n]*+)\"|(?P<path>/[^\s'\"]*?))"
    r":[ \t]*(?:#[^\n]*)?\r?$",
    re.MULTILINE,
)


def _references(text: str, openapi: bool) -> Iterator[Found]:
    """The relative references of a document in YAML. Cost: O(n)."""
    padded = f"\n{text}"
    keys = _KEYS if openapi else ("$ref",)
    every = [*_PATHS.finditer(padded)] if openapi else []
    every += (match for key in keys for match in _valued(padded, key))
    end = 0
    for match in sorted(every, key=lambda match: match.start()):
        if match.start() < end:
            continue
        end = match.end()
        kind = match.lastgroup or ""
        first, last = match.start(kind) - 1, match.end(kind) - 1
        why = "path of an API" if kind.startswith("path") else "reference"
        yield from _reference(Part(text[first:last], first, last), "plain", why)


def _valued(text: str, key: str) -> Iterator[re.Match[str]]:
    """Where a key comes with its value: a fixed text is found many times as fast as a pattern."""
    at = text.find(key)
    while at >= 0:
        quote = text[at - 1] if text[at - 1] in "'\"" else ""
        at += len(key)
        before = text[at - len(key) - len(quote) - 1]
        match = _AFTER_KEY.match(text, at) if before.isspace() or before in "{," else None
        if match is not None and match["quote"] == quote:
            yield match
        at = text.find(key, at)


_ENTRY = lazy(
    r"^(?P<indent>[ ]*+)(?P<dashes>(?:-[ ]++)*+)"
    r"(?:(?P<quote>[\"']?)(?P<key>[^\s\"'#:{\[][^\"'#:\n]*+)(?P=quote)[ \t]*+:(?=[ \t\r\n]|\Z))?+"
    r"[ \t]*+(?P<value>[^\n]*+)",
    re.MULTILINE,
)


def values(text: str) -> Iterator[Value]:
    """The values of block mappings and sequences, line by line. Cost: O(n).

    >>> text = "a:\\n  - b: c\\n    d: e\\n"
    >>> [(one.keys.copy(), text[one.start : one.end]) for one in values(text)]
    [(['a'], ''), (['a', 'b'], 'c'), (['a', 'd'], 'e')]
    """
    keys: list[str] = []
    columns: list[int] = []
    opened: list[Opened] = []
    for match in _ENTRY.finditer(text):
        start, key = match.start(), match["key"]
        dashes = match["dashes"] != ""
        column = match.end("dashes" if key else "indent") - start
        while columns and (columns[-1] > column or (key and dashes and columns[-1] == column)):
            del columns[-1], opened[-1], keys[-1]
        if key:
            if columns and columns[-1] == column:
                del keys[-1]
            else:
                columns.append(column)
                opened.append(Opened(len(keys), start))
            keys.append(key)
        if key or dashes:
            yield Value(keys, opened, *match.span("value"))


def _both(one: Iterable[Found], other: Iterable[Found]) -> Iterator[Found]:
    """The findings of two finders, in text order; if they overlap, those of the first count."""
    end = 0
    for found in merge(one, other, key=lambda found: found.start):
        if found.start >= end:
            yield found
            end = found.end


def _reference(part: Part, escape: str, why: str) -> Iterator[Found]:
    text = part.text
    if "://" in text or not text.strip("/#?. \t"):
        return
    if text[0] not in "/.#?" and not _FILE.match(text):
        return  # "url": "the address", a value of an example
    for one in unfilled(part, "text", escape, why):
        yield one._replace(profile="uri")
