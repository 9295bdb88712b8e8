r"""YAML: URLs in scalars of every style, in flow collections, in blocks and in comments.

Owns the styles of scalars (YAML 1.2.2 §7.3, §8.1). Imports ``find._inside`` and ``find._openapi``.
Invariant: for URLs with a scheme, only lines with a "://", or with the beginning of a scalar that
goes on, are looked at, and each once; text that cannot be YAML is read as prose; text with "://" is
not a relative reference.

>>> text = 'a: "http://a/\\xe9"  # http://b.\nc: [http://c, http://d|e]\n'
>>> [found.text for found in find(text, "a.yml")]
['http://a/é', 'http://b', 'http://c', 'http://d|e']
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from heapq import merge

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import URL, Part, character, line_end, marked, prose_in, undone, unfilled, value
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

# What a line has if it is looked at: a URL, or the beginning of a scalar that goes on after it, in
# quotes where a node can begin, or as a block. Each alone is found twice as fast as any of them.
_MARKS = (
    URL,
    lazy(r"\"(?<![^\s\[{,:]\")[^\"\\\n]*+(?:\\.[^\"\\\n]*+)*+\\?$", re.MULTILINE),
    lazy(r"'(?<![^\s\[{,:]')[^'\n]*+(?:''[^'\n]*+)*+$", re.MULTILINE),
    lazy(r"[|>][-+0-9]{0,3}[ \t]*(?:#[^\n]*)?\r?$", re.MULTILINE),
)
_TOKEN = lazy(
    r'"(?P<double>(?:[^"\\]|\\[\s\S])*+)"'
    r"|'(?P<single>(?:[^']|'')*+)'"
    r"|(?<![^\s])#(?P<comment>[^\n]*+)"
    r"|(?P<flow>[\[{])"
    r"|(?P<block>[|>][-+0-9]{0,3})(?=[ \t]*+(?:#[^\n]*)?\r?$)",
    re.MULTILINE,
)
_CLOSED = lazy(r"[ \t]*+(?:[,\]}:\r\n]|(?<=[ \t])#|\Z)")  # what can follow a quoted scalar
_DASHES = lazy(r" *+(?:[-?] +)*+")
_AFTER_COLON = lazy(r":[ \t]")
_KEY = lazy(
    r"(?P<blanks>[ \t]*+)(?:(?:(?:-(?:--)?|\?)(?=[ \t])|[&!*][^\s,\[\]{}]*+(?=[ \t])"
    r"|[^\s\"'#\[\]{},&*!|>%@`][^\n#]*?:(?=[ \t]))[ \t]*)*+"
)
_TEMPLATE = r"\{\{.{0,300}?\}\}|\$\{.{0,300}?\}"
_PLAIN = lazy(rf"(?:{_TEMPLATE}|[^#:\n]|:(?!\s)|(?<=\S)#)*+")
_IN_FLOW = lazy(
    rf"(?:{_TEMPLATE}|[^,\[\]{{}}#\n]|\[[^\],\n]{{0,200}}\]|\{{[^}},\n]{{0,200}}\}}|(?<=\S)#)++"
)
_FLOW_KEY = lazy(r"[^\s:]+:[ \t]+")
_FOLD = r"(?P<fold>(?:(?<![ \t])[ \t]++)?+\r?\n\s*+)"  # YAML 1.2.2 §6.5
_ESCAPE = lazy(
    r"\\(?:x(?P<x>[0-9A-Fa-f]{2})|u(?P<u>[0-9A-Fa-f]{4})|U(?P<l>[0-9A-Fa-f]{8})"
    rf"|(?P<gap>\r?\n[ \t]*+)|(?P<c>.))|{_FOLD}"
)
_DOUBLED = lazy(rf"(?P<c>'')|{_FOLD}")
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
    for kind, first, last in _tokens(text):
        if text.find("://", first, last) < 0 and text.find("\\", first, last) < 0:
            continue
        if kind == "double":
            yield from value(undone(text, first, last, _ESCAPE, _meaning), "json", "string")
        elif kind == "single":
            part = undone(text, first, last, _DOUBLED, _meaning)
            yield from value(part, "single-quotes", "string")
        elif kind == "plain":
            yield from value(Part(text[first:last], first, last), "plain", "scalar")
        else:
            yield from prose_in(Part(text[first:last], first, last))


def spanning(text: str) -> Iterator[tuple[int, int]]:
    """The spans of lines at whose ends a comment would be in a scalar: from the first line of a
    block, or of quotes, to the end of the block, or of the line before the last quote. O(n)."""
    for kind, first, last in _tokens(text):
        end = last if kind == "block" else text.rfind("\n", first, last)
        if end > first:
            yield first, end


def _tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """The kinds and spans of what is in the lines that are looked at. Cost: O(n)."""
    at = 0
    for mark in marked(text, _MARKS):
        if mark >= at:
            at = yield from _of_line(text, text.rfind("\n", at, mark) + 1)


def _of_line(text: str, start: int) -> Generator[tuple[str, int, int], None, int]:
    """What is in a line, and in those that its scalars go on over; returns where these end."""
    end = line_end(text, start)
    key = _KEY.match(text, start, end)
    begin, at = (key.end("blanks"), key.end()) if key else (start, start)
    yield "key", start, at  # a URL can be a key: its colon ends it
    depth = 0
    while at < end:
        token = _TOKEN.match(text, at)
        kind = (token and token.lastgroup) or ""
        if kind == "block" and at > begin and not depth:
            yield "prose", at, end  # its header, perhaps with a comment
            last = _block(text, start, at, end)
            yield "block", min(end + 1, last), last
            return last
        if token and kind != "block" and (token.end() <= end or _CLOSED.match(text, token.end())):
            if kind == "flow":
                depth += 1
            else:
                yield kind, *token.span(kind)
            at = token.end()
            end = line_end(text, at) if at > end else end
            continue
        char = text[at]
        if char == "," and text[at - 1] in "\"'":  # in a collection that an earlier line begins
            depth = depth or 1
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
        # A plain scalar continues where a line begins with no key.
        yield "prose" if start < begin == scalar else "plain", scalar, last
        at = last
    return end


def _block(text: str, start: int, at: int, end: int) -> int:
    """The end of the block that the header at an offset begins: its lines are empty, or indented
    deeper than the collection that it is in; by the key in "- key: |", by the dash in "- |"."""
    dashes = _DASHES.match(text, start, at)
    first = dashes.end() if dashes else start
    if _AFTER_COLON.search(text, first, at) is None:
        first = max(text.rfind(mark, start, first) for mark in "-?")
    least = max(first - start, 0) + 1
    body = re.compile(rf"(?:\n(?:[ \t]*\r?(?=\n|\Z)| {{{least},}}[^\n]*))*+")
    match = body.match(text, end)
    return match.end() if match else end


def _meaning(match: re.Match[str]) -> str:
    fold = match["fold"]
    if fold:
        return "\n" * (fold.count("\n") - 1) or " "
    return "'" if match[0] == "''" else character(match, _MEANS)


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
