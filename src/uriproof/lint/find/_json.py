r"""Strings of JSON: their places, their contents, and the keys that lead to them.

Owns the syntax of JSON (RFC 8259 §7), so far as URLs need it, and the names of values that are
always or never URLs, compared without case, hyphens and underscores. Imports ``find._inside`` and
``find._openapi``.
Invariant: a string ends in its line, so that an error in one line does not affect others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ...text.patterns import lazy
from ..found import Found, Kind
from ._inside import Part, character, found_in, prose_in, undone, unfilled, value
from ._openapi import DEEPEST, REFERENCES, Opened, Value
from ._prose import is_scheme

_URL_KEYS = frozenset(
    (
        *("url", "uri", "href", "link", "src", "homepage", "website", "website url", "weburl"),
        *("docs", "documentation", "repository", "bugs", "funding", "icon", "iri", "endpoint"),
        *("fileurl", "issues", "changelog", "source", "origin", "referer", "referrer", "redirect"),
        *("location", "resolved", "tarball", "registry", "image", "logo", "avatar", "thumbnail"),
        *("self", "next", "prev", "first", "last", "related", "$schema", "$id", "$ref", "@id"),
        *("starturl", "scope", "servers", "server", "permalink", "canonical", "webhook", "feed"),
    )
)
_URL_END = ("url", "uri", "urls", "uris", "href", "link", "iri")

# Keys of TextMate grammars, of extensions of browsers, of linters: their values are expressions.
_PATTERN_KEYS = lazy(
    r".*(?:reg(?:ular)?ex(?:p|es|ps)?|pattern|glob)s?"
    r"|match(?:es|er)?|excludematches|begin|end|while|firstlinematch|foldingst(?:art|op)marker"
    r"|urlfilter|selector|xpath|jsonpath|expression|expr|filter"
)


@lru_cache(1_024)
def _plain_key(key: str) -> str:
    return key.replace("-", "").replace("_", "").lower()


def is_url_key(key: str) -> bool:
    """Whether values of a key are URLs, whatever they look like.

    >>> is_url_key("homepage"), is_url_key("icon_URL"), is_url_key("description")
    (True, True, False)
    """
    plain = _plain_key(key)
    return plain in _URL_KEYS or plain.endswith(_URL_END)


def is_pattern_key(key: str) -> bool:
    """Whether values of a key are patterns, in which "://" is not a sign of a URL.

    >>> is_pattern_key("urlPatterns"), is_pattern_key("match"), is_pattern_key("url")
    (True, True, False)
    """
    return _PATTERN_KEYS.fullmatch(_plain_key(key)) is not None


STRING = r'[^"\\\n]*+(?:\\.[^"\\\n]*+)*+'
"""The text after the quotation mark that opens a string, up to the one that closes it.

An expression that looks for strings also takes unclosed ones: otherwise each quotation mark in one
of them would be taken for another that begins."""

_ESCAPE = lazy(
    r"\\(?:u(?P<high>[dD][89abAB][0-9A-Fa-f]{2})\\u(?P<low>[dD][c-fC-F][0-9A-Fa-f]{2})"
    r"|u(?P<u>[0-9A-Fa-f]{4})|(?P<c>[\"\\/bfnrt]))"
)
_MEANS = dict(zip('bfnrt"\\/', '\b\f\n\r\t"\\/', strict=True))

_BLANKS = " \t\r\n"

# Members that hold no URL, nor do those of their objects; most do not. Some are read by their keys.
_TEXT = r'"[^"\\\n:<\]]*+"'
_READ = "|".join(map(re.escape, sorted({*REFERENCES, "cell_type"})))
_NAME = rf'"(?!(?:{_READ})"|format"\s*+:\s*+"uri)[^"\\\n:/]*+"\s*+:\s*+'
_SIMPLE = rf"{_TEXT}|[-+.\w]++|\[\s*+(?:{_TEXT}\s*+(?:,\s*+)?+)*+\]"
_MEMBER = rf"{_NAME}(?:{_SIMPLE})(?=\s*+[,}}])"
_IDLE = rf"{_NAME}(?:{_SIMPLE}|\{{\s*+(?:{_MEMBER}\s*+(?:,\s*+)?+)*+\}})(?=\s*+[,}}])"

# It begins with what is between two tokens, so that it need not be tried there.
_GAP = r"[^\"\[\]{}]*+"
_TOKEN = lazy(
    rf"{_GAP}(?P<idle>{_IDLE}(?:\s*+,\s*+{_IDLE})*+{_GAP})*+"
    rf'(?:"(?P<string>{STRING})(?:"(?:\s*+(?P<colon>:)\s*+'
    rf'(?:(?P<open>[\[{{])|"(?P<value>{STRING})"?+)?+)?+)?+'
    rf"|(?P<bare>[\[{{])|(?P<close>[\]}}](?:\s*+[\]}}])*+)|\Z)"
)
_REMARK = lazy(r"\s(?:[-(<\[#|\u2013\u2014]|(?:or|and|is|for|via|see|in|to)\s)")
_WORDS = 8  # of a value that its key calls a URL; more of them make a sentence
_SENTENCE = 3  # words after the name of a site: fewer might be a path with unescaped spaces
_WEB = ("http://", "https://", "ftp://", "file://", "ws://", "wss://")
_PROGRAMS = ("javascript:", "data:", "about:", "vbscript:")


def part_of(text: str, start: int, end: int) -> Part:
    r"""The text between the quotation marks of a string; a lone surrogate stays one.

    >>> part_of(r"a\/\u00e9\ud83d\ude00", 0, 21).text
    'a/é😀'
    """
    return undone(text, start, end, _ESCAPE, _meaning)


def _meaning(match: re.Match[str]) -> str:
    return chr(int(match["u"], 16)) if match["u"] else character(match, _MEANS)


def keyed(part: Part, key: str, why: str = "") -> Iterator[Found]:
    """The URLs of a string that is the value of a key; "" if there is none. Cost: O(n).

    >>> [found.text for found in keyed(Part("http://a/ is", 0, 12), "url")]
    ['http://a/ is']
    >>> [found.text for found in keyed(Part("http://a/ is", 0, 12), "note")]
    ['http://a/']
    """
    if is_pattern_key(key):
        return
    why = why or (f"value of {key!r}" if key else "string")
    if is_url_key(key):
        inner = part.stripped(_BLANKS)
        if _is_one(inner.text):
            yield from unfilled(inner, "text", "json", why, "URI")
            return
    # A word that follows is seldom of a URL that is an identifier: those of packages, of modules.
    web = part.text.lstrip().lower().startswith(_WEB)
    yield from value(part, "json", why, remarks=not web)


def _is_one(text: str) -> bool:
    """Whether a value that is called a URL is one, with any spaces in it."""
    scheme, _, rest = text.partition("://")
    if not rest or not is_scheme(scheme) or len(scheme) == 1:
        return False
    if "://" in rest and (" " in rest or "," in rest or "|" in rest or ";" in rest):
        return False
    if "\n" in text or "\r" in text:
        return False
    site, *words = rest.split()
    if "/" not in site.rstrip("/") and len(words) >= _SENTENCE and not any("/" in w for w in words):
        return False
    return " " not in text or (len(words) < _WORDS and _REMARK.search(text) is None)


def reference(part: Part, why: str, profile: Kind | None = None) -> Iterator[Found]:
    """A value that is a URI reference, unless it is empty, all template, or a program."""
    inner = part.stripped(_BLANKS)
    text = inner.text
    if not text or "\n" in text or text[:11].lower().startswith(_PROGRAMS):
        return
    for one in unfilled(inner, "text", "json", why):
        yield one._replace(profile=profile)


def values(text: str) -> Iterator[Value]:
    """The strings of a document that might be of interest, in order, with all keys that lead to
    them. Cost: O(n).

    >>> text = '{"a": [{"b": "c://"}], "d": ["e://"], "f": "no URL"}'
    >>> [(one.keys.copy(), text[one.start : one.end]) for one in values(text)]
    [(['a', 'b'], 'c://'), (['d'], 'e://')]
    """
    keys: list[str] = []
    opened: list[Opened] = []
    named = False  # whether a key has been read, and not its value
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "close":
            closing = match["close"]
            last = min(closing.count("]") + closing.count("}"), len(opened))
            if last:
                del keys[opened[-last].depth :], opened[-last:]
        elif kind == "bare":
            start = match.start("bare")
            opened.append(Opened(min(len(keys), DEEPEST), start, match["bare"] == "{"))
        elif kind not in {None, "idle"}:
            start, end = match.span("string")
            if kind != "string":
                key = text[start:end]
                key = part_of(text, start, end).text if "\\" in key else key
                del keys[opened[-1].depth if opened else 0 :]
                keys.append(key)
                if "/" in key:
                    yield Value(keys, opened, start, end, is_key=True)
                if kind == "open":
                    start = match.start("open")
                    opened.append(Opened(min(len(keys), DEEPEST), start, match["open"] == "{"))
                    continue
                named = kind != "value"
                if named:
                    continue
                start, end = match.span("value")
            elif opened and opened[-1].is_mapping and not (named and match["idle"] is None):
                # it has no key
                del keys[opened[-1].depth :]
            yield Value(keys, opened, start, end)
        named = False


def found_within(part: Part, name: str, why: str) -> Iterator[Found]:
    """The findings of the finder for a file name in a string, to be written as JSON does."""
    for found in found_in(part, name, why):
        yield found._replace(escape="json") if found.escape != "html" else found


def within_text(part: Part, why: str = "text in a string") -> Iterator[Found]:
    """URLs in a string that is prose."""
    if "://" in part.text:
        for found in prose_in(part, escape="json"):
            yield found._replace(why=why)
