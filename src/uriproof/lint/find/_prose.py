r"""URLs in text without delimiters: their beginnings and ends, and the lookalikes.

Owns the rules of prose. Imports ``mistakes.placeholders``, and the grammars for schemes. Invariant:
for any text, the time is linear, and the findings are in text order and disjoint.

The end of a URL here is a matter of typography, not of RFC 3986: white space, quotes, CJK
punctuation, a closer that nothing in the URL opened.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from ...grammar import registry
from ...grammar.expressions import AUTHORITY, ESCAPE
from ...mistakes.placeholders import DATA, TEXT, Spans, holes, named_port
from ...text.patterns import lazy
from ..found import Found


class Passed(NamedTuple):
    """A place that looks like a URL but is not one; ``why`` says so to a person."""

    start: int
    end: int
    why: str


is_scheme = registry.load("rfc3986").matcher("scheme")
_IN_SCHEME = frozenset(char for char in map(chr, range(128)) if is_scheme("a" + char))
_FIRST = frozenset(char for char in _IN_SCHEME if is_scheme(char))

_ENDS = '"<>\\`|'  # with all that is not visible ASCII: they end a URL, or need a closer look


def _visible(but: str) -> str:
    """A class of the visible characters of ASCII but some: ``re`` compiles it in microseconds, that
    of all others in milliseconds."""
    return f"[{re.escape(''.join(c for c in map(chr, range(0x21, 0x7F)) if c not in but))}]"


# The common characters of URLs: if nothing else comes before the end, no more has to be checked.
# This is the path for nearly all, and many times as fast.
_QUIET = lazy(_visible(_ENDS + "'()[]{}$%*@^,;&:_") + "*+")
_RUN, _SIGN = _visible(_ENDS + "'()[]{}$%*@^,;&_#~"), _visible(_ENDS + "{}")
# A backslash before a name, as of PHP ("a#Shop\\Text"), is of the URL: nobody writes an escape so.
_OF_NAME = r"\\(?=[A-Z][a-z])"
_NAME = lazy(_OF_NAME)
# One step of the others: a hole is one, because nothing in it ends the URL; brackets are counted.
_TOKEN = lazy(
    rf"(?P<hole>{TEXT})|(?P<data>{DATA})|(?P<run>{_RUN}++|{_OF_NAME})|(?P<open>[(\[])|(?P<close>[)\]}}])"
    rf"|(?P<wide>[^\x00-\x7f])|(?P<sign>{_SIGN})"
)
_AFTER = frozenset(' \n\r\t">`)]}\\')  # ends a plain URL, whatever came before
# A list of servers is written so ("PLAINTEXT://:9091,SSL://:9092"); in one URL, "://" comes once.
_NEXT_URL = lazy(r"[,;]\s?\w[\w+.-]*://")  # also "SASL_SSL://", as Kafka has them
# Words, then an at sign and a host: it was no host that ended, but a password with spaces in it.
_PASSWORD = lazy(r"[ ][^\s@<>\"']{1,40}(?:[ ][^\s@<>\"']{1,40}){0,4}@\w")
_AMPERSAND = lazy("&amp;")
# HTML in a string of a program: href=\"http://...\", its quote escaped once or twice, or doubled,
# as C#, Visual Basic and CSV have it.
_ATTRIBUTE = lazy(r"\w=(?:\\{0,3}[\"']|\"\")\Z")
# Between angle brackets spaces do not end a URL ("<http://a/my file.png>"); what goes on for longer
# is no URL: the bracket was the sign "less than", and another text has a ">".
_ANGLED = lazy(r"[^<>\"|\n\r\\]{1,500}+>")
# Up to the quote that closes, as programs, shells and HTML write one: only if no other URL is
# between do the two quotes enclose this one.
_TO_QUOTE = lazy(r"(?:(?!://)[^\s\"'`<>\\])*+")
# The text after a bar in a query that shows that it still belongs to it: "family=A|B+C". Else a
# bar is the border of a table, or of two alternatives: prose has more of these.
_AFTER_BAR = lazy(r"\|[^\s\"'`<>\\{}()\[\]|][^\s\"'`<>\\{}()\[\]]{0,300}+")
_OF_QUERY = lazy(rf"[&=+]|{ESCAPE}")

# Signs of a regular expression, which the URL is then only a part of: groups, classes with ranges,
# and repetitions before something that no word begins with. A URL has hardly any of these.
_PATTERN = lazy(
    r"\(\?[:=!<P#a-z]|\[\^|\[[^\]\n]{0,40}(?:a-z|A-Z|0-9)[^\]\n]{0,60}\]"
    r"|\[[^\]:\n]{0,40}\w-\w[^\]:\n]{0,40}\]"
    r"|\.[*+]\??[)/$(]|\)[*+?](?![\w=])|[*+]\?(?=[()\[$])|\[\][*+]|\(\.[*+]"
)
# RFC 3986 allows most of these at the end of a URI, but there they are nearly always of a sentence.
# Marks of direction are of the text around: they keep a stop after a URL in its place (UAX #9).
_TRAILING = "?!.,:;*'\"^([\u200e\u200f\u061c"
# What is around a URL in Markdown and its relatives, "**_http://a/_**", and code in Haddock.
_EMPHASIS = "_~*@"
_MARKS = 6  # of these, at most
_PAIRS = {")": "(", "]": "[", "}": "{"}

_WORDS = 3  # of a URL with spaces in it, at most: in the trees, more were always a sentence
# Around replacements, in sed, vim and Perl: any sign can be there (POSIX, sed), and if it is one
# that follows the scheme, too, both are of the command.
_SIGNS = frozenset("@|,#!~%")
_BARS = 40  # that are looked at in a URL: what follows each is read up to 300 characters
# The continuation of a URL with spaces: a suffix, a slash or a pair of a query. "http://a/
# HTTP/1.1" and pairs of a namespace and a schema are two things.
_LAST_WORD = lazy(
    r"(?![-(&|=<>+/]|HTTP/|\*/|\S+\.xsd)"  # "*/" ends a comment; a schema is the second of a pair
    r"[^\s()]*(?:\.[a-z0-9]{2,5}|/|[?&]\w+=\S*|/[^\s/.()]+)"
)
# "?q=red shoes": a query of one word, which the next can belong to. One number is hardly a search.
_SEARCH = lazy(r"[^?]*+\?[a-z_]++=(?![0-9]+\Z)\w++")
# The schemes that text runs into without a space ("see.http://"), because most prose has them.
_KNOWN = ("https", "http", "ftp")


def urls(text: str, start: int = 0, end: int | None = None) -> Iterator[Found]:
    """The URLs of a text between two offsets. Cost: O(n).

    >>> [found.text for found in urls("(see http://a/b_(c)), or 'http://[::1]/'.")]
    ['http://a/b_(c)', 'http://[::1]/']
    """
    for one in candidates(text, start, end):
        if isinstance(one, Found):
            yield one


def candidates(text: str, start: int = 0, end: int | None = None) -> Iterator[Found | Passed]:
    """The URLs of a text, and what only looks like one, in text order. Cost: O(n)."""
    limit = len(text) if end is None else end
    floor = start
    at = text.find("://", start, limit)
    while at >= 0:
        first = scheme_start(text, at, floor)
        yield (one := read_one(text, first, at, limit))
        floor = max(one.end, at + 3)
        at = text.find("://", floor, limit)


def spaced(text: str) -> bool:
    """Whether words between delimiters are one URL with spaces in it, not a URL and a remark: the
    last word continues like a URL, or is of a search.

    >>> spaced("http://a/my file.png"), spaced("http://a/?q=b c"), spaced("http://a/ is down")
    (True, True, False)
    """
    words = text.split()
    if not 1 < len(words) <= _WORDS or any("://" in word for word in words[1:]):
        return False
    authority, slash, _ = words[0].partition("://")[2].partition("/")
    if not authority:
        return False
    # "a.example down": after a whole name of a host comes a remark; "a. example.org" is one name
    # with a space in it.
    if not slash and "." in authority and "." not in words[1]:
        return False
    if len(words) == _WORDS - 1 and _SEARCH.fullmatch(words[0]) and words[1].isalnum():
        return True
    return _LAST_WORD.fullmatch(words[-1]) is not None


def scheme_start(text: str, at: int, floor: int) -> int:
    """The start of the scheme before an offset; the offset itself if there is none."""
    first = at
    while first > floor and text[first - 1] in _IN_SCHEME:
        first -= 1
    while first < at and text[first] not in _FIRST:
        first += 1
    for known in _KNOWN:
        before = at - len(known)
        if before > first and text.startswith(known, before):
            # "see.http://", or "\nhttp://" as a program writes it
            escaped = before == first + 1 and text[first - 1 : first] == "\\"
            return before if escaped or text[before - 1] == "." else first
    return first


def read_one(text: str, first: int, at: int, limit: int) -> Found | Passed:
    """The finding that a scheme and "://" begin."""
    body = at + 3
    before = text[first - 1 : first] if first else ""
    if first == at:
        if before.isalnum() or (before and before in "?)]*}>$%"):  # "https?://", "{scheme}://"
            return Passed(at, body, "not a URL: the scheme is a pattern, or to be filled in")
        return Passed(at, body, "not a URL: no scheme")
    if at - first == 1:  # no scheme of one letter is registered; "C://" is of Windows
        return Passed(first, body, "not a URL: a drive letter, or a variable")
    if before in _SIGNS and text.startswith(before, body):  # "s@http://@https://@"
        return Passed(first, body, "not a URL: the scheme is replaced")
    if text[at - 1] in "+.-":  # "https+://", "[a-z+.-]://": no registered scheme ends so
        return Passed(first, body, "not a URL: the scheme is a pattern")
    if before == "^":  # where the text begins, in all dialects; in prose, nothing follows it
        return Passed(first, body, "not a URL: a regular expression")
    if before and before in "}$%":
        return Passed(first, body, "not a URL: the scheme is to be filled in")
    if before == "<" and (last := _angled(text, body, limit)):
        url = text[first:last]
        return Found(first, last, url, holes=holes(url), why="URL in angle brackets")
    match = _QUIET.match(text, body, limit)
    last = match.end() if match else body
    spans: Spans = ()
    if last == body or (last < limit and text[last] not in _AFTER) or _NAME.match(text, last):
        last, spans = _slow(text, first, body, limit)
    last = _trimmed(text, first, body, last, spans)
    if last <= body:
        return Passed(first, body, "not a URL: nothing after ://")
    return _judged(text, first, body, last, spans, limit)


def _judged(
    text: str, first: int, body: int, last: int, spans: Spans, limit: int
) -> Found | Passed:
    """The URL that ends at an offset, unless it is a pattern, or all template."""
    url = text[first:last]
    if spans:
        spans = tuple((a - first, b - first) for a, b in spans if b <= last)
        if sum(b - a for a, b in spans) == last - body:
            return Passed(first, last, "not a URL yet: all of it is to be filled in")
    if _PATTERN.search(url, body - first):
        return Passed(first, last, "not a URL: a regular expression")
    if ":" in url[body - first :]:
        if _PASSWORD.match(text, last, limit) and "/" not in url[body - first :]:
            return Passed(first, last, "not a URL: a password with spaces in it")
        named = named_port(url)
        if named and not any(a < named[1] and named[0] < b for a, b in spans):
            spans = tuple(sorted((*spans, named)))
    return unescaped(text, Found(first, first + len(url), url, holes=spans, why="URL in prose"))


def unescaped(text: str, found: Found, *, is_markup: bool = False) -> Found:
    """A URL in a piece of HTML, which any text can quote, as HTML decodes it: one in an attribute,
    or between tags, or in what ``is_markup``. HTML decodes a text once: decoded text is not decoded
    again. Cost: O(n)."""
    if found.escape == "html" or "&amp;" not in found.text:
        return found
    before = text[max(found.start - 8, 0) : found.start]
    quoted = _ATTRIBUTE.search(before) or before[-1:] == ">" or text.startswith("<", found.end)
    if not (is_markup or quoted):
        return found
    kept: list[int] = []
    at = 0
    for match in _AMPERSAND.finditer(found.text):
        kept += range(at, match.start() + 1)
        at = match.end()
    kept += range(at, len(found.text) + 1)
    spans = tuple((bisect_left(kept, a), bisect_left(kept, b)) for a, b in found.holes)
    return found._replace(
        text=_AMPERSAND.sub("&", found.text),
        places=tuple(map(found.offset, kept)),
        holes=spans,
        escape="html",
    )


def _angled(text: str, body: int, limit: int) -> int:
    """The end of a URL in angle brackets with a space or two (RFC 3986 Appendix C); else 0."""
    match = _ANGLED.match(text, body, limit)
    if match is None:
        return 0
    inner = match[0][:-1]
    return match.end() - 1 if " " in inner and spaced("x://" + inner) else 0


def _slow(text: str, first: int, body: int, limit: int) -> tuple[int, Spans]:
    """The end of a URL, including its trailing punctuation, and the holes in it."""
    spans: list[tuple[int, int]] = []
    opened: list[str] = []
    before = text[first - 1 : first] if first else ""
    # Up to the quote that closes ("'http://a/b“c'"), quotes of other languages and bars are data.
    quoted = _quoted(text, body, limit, before)
    bars = _BARS
    at = body
    while True:
        match = _TOKEN.match(text, at, limit)
        if match is None:
            if opened or not bars or not _bar_joins(text, first, body, at, limit, quoted):
                break
            bars -= 1
            at += 1
            continue
        kind, next_ = match.lastgroup, match.end()
        char = text[at]
        if kind == "hole":
            spans.append((at, next_))
        elif kind == "open":
            opened.append(char)
        elif kind == "close":
            if not opened or opened.pop() != _PAIRS[char]:
                return at, tuple(spans)
        elif kind == "wide":
            if at >= quoted and ends_url(text, first, body, at, limit):
                return at, tuple(spans)
        elif kind == "sign" and _stops(text, at, limit, char, before):
            return at, tuple(spans)
        at = next_
    return at, tuple(spans)


def _quoted(text: str, body: int, limit: int, before: str) -> int:
    """The quote that closes the one before a URL, with only this URL between; else 0."""
    if not before or before not in "\"'`":
        return 0
    match = _TO_QUOTE.match(text, body, limit)
    return match.end() if match and text.startswith(before, match.end()) else 0


def _bar_joins(text: str, first: int, body: int, at: int, limit: int, quoted: int) -> bool:
    """Whether a bar is data, not a border of a table or a sign between two URLs: it is between the
    quotes of a URL, or the text after it clearly belongs to the URL."""
    # A bar before the URL begins its cell in a table, so that the one after it ends the cell.
    if at >= limit or text[at] != "|" or text[max(first - 40, 0) : first].rstrip()[-1:] == "|":
        return False
    before, match = text[body:at], _AFTER_BAR.match(text, at, limit)
    if match is None or "://" in match[0]:
        return False
    if at < quoted:  # but "'http://a|http://b'" and "'http://a|b'" are alternatives
        return "/" in before or "?" in before
    if before[:1] == "/" and len(before) == len("/C"):  # "file:///C|/a", as RFC 8089 E.2.2 has it
        return before[1].isalpha() and text.startswith("/", at + 1)
    return "?" in before and _OF_QUERY.search(match[0]) is not None


def _stops(text: str, at: int, limit: int, char: str, before: str) -> bool:
    """Whether a sign that can be part of a URL is the end of this one."""
    if char == "'":  # in names ("/o'brien/"); after one before the URL, the next closes it
        return before == "'"
    if char in ",;":  # of a sentence or a query, unless another URL follows
        return _NEXT_URL.match(text, at, limit) is not None
    if char == "*":  # the end of a comment of C, CSS or SQL
        return text.startswith("*/", at) and not text[at + 2 : at + 3].strip()
    return False


def _trimmed(text: str, first: int, body: int, last: int, spans: Spans) -> int:
    """The end of a URL without the punctuation and the emphasis after it."""
    floor = max(body, spans[-1][1]) if spans else body
    bare = text[max(first - _MARKS, 0) : first].rstrip(_EMPHASIS)
    trailing = _TRAILING + text[max(first - _MARKS, 0) + len(bare) : first]
    # One "#" at the end, after another, is of a command of sed: "s#http://a#http://b#".
    last -= last > floor and text[last - 1] == "#" and "#" in text[body : last - 1]
    while last > floor and text[last - 1] in trailing:
        last -= 1
    return last


def ends_url(text: str, first: int, body: int, at: int, limit: int) -> bool:
    """Whether a non-ASCII character ends a URL: all but letters, marks and numbers do, and letters
    do in languages that put no space between a URL and a word."""
    char = text[at]
    if _cjk(char):
        # Between two such characters, a sentence quotes the URL: "見http://a/b以後".
        if first and _cjk(text[first - 1]):
            return True
        # After a host in ASCII comes no word of another script, for a name has one: "http://a.jp版".
        ascii_before = text[at - 1].isascii()
        match = AUTHORITY.match(text, body, at) if ascii_before else None
        if match and match.end() == at and text[at - 1].isalnum():
            return True
    if char.isalnum() or char >= "\U0001f000":
        return False
    from unicodedata import category

    if category(char)[0] == "M":
        return False
    if char in "\u200b\u200c\u200d\u2060\ufeff\u00ad":  # copied along, or a joiner in a word
        before = text[at - 1].isalnum() or category(text[at - 1])[0] == "M"
        return not (before and text[at + 1 : at + 2].isalnum())
    return True


def _cjk(char: str) -> bool:
    """Whether a character is of Chinese, Japanese or Korean, which separate words without spaces
    (Unicode blocks from CJK radicals to ideographs, of syllables, and for compatibility)."""
    return "\u2e80" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7af" or "豈" <= char <= "\ufaff"
