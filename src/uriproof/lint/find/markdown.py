r"""Markdown: destinations of links and images, definitions, autolinks, HTML, and URLs in text.

Owns where Markdown holds references (CommonMark 0.31 §4.7, §6.3 to §6.6), where inline code must
end and which lines are indented code (§4, §5): every line is looked at once, and bounded. Imports
``find._inside``, ``find._prose`` and ``mistakes.placeholders``. Invariant: the text between the
delimiters of a destination, without its title, is the URL, including spaces, though CommonMark then
reads it as text; nothing in code is a link or an escape.

>>> text = "[a](http://a/b c \"d\") and <http://e/\\_>, http://f/\\_g.\n\n[h]: <i j>\n"
>>> [(found.text, found.start, found.end) for found in find(text, "a.md")]
[('http://a/b c', 4, 16), ('http://e/\\_', 27, 38), ('http://f/_g', 41, 53), ('i j', 62, 65)]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache

from ...grammar.expressions import SCHEME
from ...mistakes.placeholders import Spans, holes
from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import OCTET, Part, found_in, line_end, moved, undone, whole
from ._prose import spaced, urls

SUFFIXES = (
    *(".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mdx", ".mdwn", ".rmd", ".qmd", ".mdc"),
    *(".md.txt", ".md.tmpl", ".md.j2", ".livemd"),
)
NAMES: tuple[str, ...] = ()
ANCHORS = ("://", "](", "]:", "href", "src", "mailto:", "<http:", "<https:", "<ftp:")
PROFILES = (
    Profile(
        "iri",
        "destinations, autolinks and text",
        "CommonMark 0.31.2 §6.3 and §6.5, which take any character but white space and controls",
    ),
)
COMMENTS = dict.fromkeys(("markdown", "md", "mdx", "rmd", "qmd"), Comment("<!--", " -->"))

# A destination with nothing in it that is an escape, a hole, a title or a bracket: most are such.
# "&b=" is not the entity that "&b;" is.
_USUAL = (
    rf"https?://[\w.-]++(?:(?=[/?#])(?:[\w./?#:@!+,;=~*-]++|&(?=\w*=)|{OCTET})++)?+"
    rf"|(?![/#?.]*\))(?:[\w./?#!+~*-]++|{OCTET})++"
)
# Each alternative begins with a character, not with a class: ``re`` then looks only for these.
_MARK = lazy(rf"``*|~~~+|\]\((?:(?P<usual>{_USUAL})\))?+|\]:|<(?=[A-Za-z!])")

_HOLE = r"\{\{[^\n]{0,300}?\}\}|\{%[^\n]{0,300}?%\}|\$\{[^{}\n]{0,200}+\}"
_PLAIN = r"[^()\\\n]|\\."
_DESTINATION = lazy(
    r"\]\([ \t]*+(?:\r?\n[ \t]*+)?(?:<(?P<angle>(?:[^<>\\\n]|\\.){0,4000}+)>"
    rf"|(?P<bare>(?:{_HOLE}|[ \t]\"[^\"\n]{{0,1000}}+\"|[ \t]'[^'\n]{{0,1000}}+'(?=\s*\))|{_PLAIN}"
    rf"|\((?:{_PLAIN}|\((?:{_PLAIN}){{0,500}}+\)){{0,1000}}+\)){{0,4000}}+))"
    r"(?P<end>\)|[ \t]*+(?:\r?\n[ \t]*+)?[\"'(])?"
)
_LABEL = lazy(r"\[((?:[^]\\[\n]|\\.){1,999}+)\]")
_DEFINITION = lazy(
    r"[ \t>]{0,40}+(?:[-*+][ \t]+)?\[(?!\^)(?P<label>(?:[^]\\[\n]|\\.){1,999}+)\]:"
    r"[ \t]*+(?:\r?\n[ \t>]*+)?"
    r"(?:<(?P<angle>(?:[^<>\\\n]|\\.){0,4000}+)>|(?P<bare>[^\n<][^\n]{0,4000}+))"
)
_LONGEST_USUAL = 2_000  # a longer one might be too long for a destination
# A destination that nothing closes: its closer is of full width, or it has an opener too many.
_UNCLOSED = lazy(
    r"\]\((?P<bare>[a-z]+://[^\s()<>]{1,2000}?\uff09|\([a-z]+://[^\s()<>]{1,2000}+(?=\)))"
    r"(?=[\s\W]|[^\x00-\x7f]|\Z)"
)
# A title, or the size of an image, after a destination; braces with attributes, before a title too,
# as Angular's documentation has them: "(a.jpg {loading: 'eager'} 'Title')". A destination goes on
# until here, so that text that is left over makes it one with spaces.
_ATTRIBUTES = r"\{[^{}]*\}"
_TITLE = lazy(
    rf"(?<=\S)[ \t]+(?:{_ATTRIBUTES}[ \t]+)?(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'"
    rf"|\((?:[^()\\]|\\.)*+\)|=[0-9]*%?x[0-9]*%?|{_ATTRIBUTES})[ \t\r]*\Z"
)
_LAX_TITLE = {q: lazy(rf"(?<=\S)[ \t]++{q}") for q in "\"'"}  # quotes within quotes
_OPEN_TITLE = lazy(r"(?<![ \t])[ \t]++[\"'(]")
_AUTOLINK = lazy(rf"<(?P<url>(?:{SCHEME}://|mailto:|(?i:https?|ftp):)[^<>\s]{{1,4000}}+)>")
# A blank line ends a paragraph, and every block of HTML that such a tag begins (§4.6).
_NO_BLANK = r"\n(?![ \t\r]*+\n)"
_TAG = lazy(
    rf"<[A-Za-z][-\w:.]{{0,60}}+(?:[^<>\"'{{}}\n]|{_NO_BLANK}|\"(?:[^\"\n]|{_NO_BLANK}){{0,4000}}+\""
    rf"|'(?:[^'\n]|{_NO_BLANK}){{0,4000}}+'|\{{[^{{}}]{{0,400}}+\}}|<[%?][^<>]{{0,200}}+>){{0,400}}+>"
)
# Before a fence can be quotes and items of lists, up to a bound, for each run in a line reads them.
_FENCE = lazy(r"[ \t>]{0,99}+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]{1,99}+){0,9}+(?P<run>`{3,}+|~{3,}+)")
_FRONT = lazy(r"(---|\+\+\+)[ \t]*\r?\n(?s:(?P<inner>.*?))^(?:\1|\.{3})[ \t]*\r?$", re.MULTILINE)
_INDENTS = ("    ", "\t", " \t", "  \t", "   \t")  # of a line that might be code

_ESCAPE = lazy(
    r"\\([!-/:-@\[-`{-~])|&(?:\#[0-9]{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_SCHEME = lazy(f"{SCHEME}:")
# A scheme apart from the rest; a link, or a URL in brackets, in the place of a target.
_PARTED = lazy(r"(?i:https?|ftp):\s+(?:\w+:)?//")
_BRACKET = lazy(r"(?<!\\)[\[\]]")
_LINK = lazy(rf"!?\[[^\[\]]*\]\([^\s()/]*+/[^\s()]*+\)|\[{SCHEME}://[^\s\[\]]*+\]")
_NOT_URLS = ("javascript:", "data:", "cci:", "command:", "@ref", "@id", "@extref")
# Items of Rust by their paths, as rustdoc links them (The rustdoc book, "Linking to items by
# name"): "tower_http::trace", "fn@crate::a::b". No name of a host has two colons after it.
_OF_RUST = lazy(
    r"(?:[a-z]{2,12}@)?(?!(?i:https?|ftp|mailto)::)[A-Za-z_]\w{0,80}"
    r"(?:::[A-Za-z_]\w{0,80}){1,10}(?:!|\(\))?"
)
# The form of a relative reference, if it could be something else in brackets; before it can be a
# bracket that nothing closes.
_PATH = lazy(
    r"[./?#]|(?:\[(?!.*\]))?[^\s()\[\]{}\"'`]*/"
    r"|(?:[^\s()\[\]{}\"'`]+ ){0,5}[^\s()\[\]{}\"'`]*\.(?:md|html?|png|jpe?g|svg|gif|pdf|txt|rst)\b"
)
_CODE = lazy(r"[\"`{}|^\\<>\[\]= ,;]")
_LONGEST_LABEL = 1_100  # before a colon in a definition: 999 characters (§4.7) and a margin
# A full-width delimiter of URIs, as an input method types it, in the place of an ASCII one: after
# the scheme, before a query or a fragment, in an escape, and as a closer without an opener. RFC
# 3987 allows them all.
_FULL_WIDTH = lazy(
    r"\A[A-Za-z]+\uff1a|\uff0f\uff0f|\A\uff03|\uff05[0-9A-Fa-f]{2}|\uff1f\w+[=\uff1d]|\uff09\Z"
)
_BRACKETED = lazy(r"\uff08[^\uff08\uff09]*\uff09")
_DRIVE = 2  # characters of "C:"

_Marked = tuple[list[Found], int, int]
"""The construct that begins with a mark, and its span; its end is 0 if it is only text."""
_Uses = Callable[[str], bool]


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a Markdown document, in text order. Cost: O(n)."""
    at = 0
    front = _FRONT.match(text)
    if front is not None:
        kind = "front.yaml" if text[0] == "-" else "front.toml"
        first, at = front.span("inner")
        yield from found_in(Part(front["inner"], first, at), kind, "front matter")
    yield from _Document(text, at).found()


class _Document:
    """A document, read forward: the starts of its lines, and the required ends of its inlines."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._line = self._seen = at  # the start of the line of the offset that was seen last
        self._block = 0  # the end of the block of the last inline code
        self._unclosed: set[str] = set()  # the runs of backticks that nothing in it closes

    def found(self) -> Iterator[Found]:
        text = self._text
        looked = at = self._at  # text before this has been given to prose
        while (match := _MARK.search(text, at)) is not None:
            start = match.start()
            first, last = match.span("usual")
            at = first if last > 0 else match.end()
            if start and text[start - 1] == "\\":
                continue
            if self._is_code(start):
                yield from _prose(text, looked, self._line, escapes=True)
                looked = at = line_end(text, start)
                yield from _prose(text, self._line, at, escapes=False)
                continue
            if 0 < last - start < _LONGEST_USUAL:
                if text.find("://", looked, start) >= 0:
                    yield from _around(text, looked, start)
                about = (), (), "plain", "link destination"
                yield Found(first, last, text[first:last], "URI-reference", True, *about)
                looked = at = last
                continue
            if text[start] in "`~":
                end = self._code(start, at)
                if end:
                    yield from _prose(text, looked, start, escapes=True)
                    yield from _prose(text, at, end, escapes=False)
                    looked = at = end
                continue
            line = self._line_of(start)
            found, first, last = _marked(text, start, match[0][:2], line, self._uses)
            if last:
                if text.startswith("](", start):
                    yield from _around(text, looked, first)
                else:
                    yield from _prose(text, looked, first, escapes=True)
                yield from found
                looked = at = last
        yield from _prose(text, looked, len(text), escapes=True)

    def _line_of(self, at: int) -> int:
        """The start of the line of an offset; the calls go forward, and look at nothing twice."""
        self._line = max(self._text.rfind("\n", self._seen, at) + 1, self._line)
        self._seen = at
        return self._line

    def _is_code(self, at: int) -> bool:
        line = self._line_of(at)
        return self._text.startswith(_INDENTS, line) and line in self._code_lines

    @cached_property
    def _code_lines(self) -> frozenset[int]:
        blocks = _blocks_of_code(self._text, self._at)
        return frozenset(start for start, _, fenced in blocks if not fenced)

    def _code(self, start: int, at: int) -> int:
        """The end of the code that begins with a run of marks; 0 if there is none.

        Code in a line ends with its block of inlines, a block of code at its fence, or with the
        text.
        """
        text, line = self._text, self._line_of(start)
        run = text[start:at]
        fence = _FENCE.match(text, line, at)
        if fence is not None and fence.start("run") == start:
            return _closed(text, run, at)
        if run[0] == "~":
            return 0
        if start >= self._block:
            self._block = block_end(text, line, at)
            self._unclosed.clear()
        if run in self._unclosed:
            return 0
        match = _closing(run).search(text, at, self._block)
        if match is None:
            self._unclosed.add(run)
        return match.end() if match else 0

    def _uses(self, label: str) -> bool:
        """Whether a reference has a label, next to its definition (§4.7)."""
        return self._labels[" ".join(label.casefold().split())] > 1

    @cached_property
    def _labels(self) -> Counter[str]:
        labels = _LABEL.findall(self._text, self._at)
        return Counter(" ".join(label.casefold().split()) for label in labels)


@lru_cache(16)
def _closing(run: str) -> re.Pattern[str]:
    """A run of backticks as long as another (§6.1)."""
    return re.compile(rf"{run}(?<!`{run})(?!`)")


def _around(text: str, first: int, last: int) -> Iterator[Found]:
    """The URLs in the text of a link that ends at an offset, and in what is before it."""
    opened = _opened(text, first, last) if text.find("://", first, last) >= 0 else first
    yield from _prose(text, first, opened, escapes=True)
    yield from _prose(text, opened, last, escapes=True)


def _opened(text: str, first: int, last: int) -> int:
    """The start of the text of a link that ends at an offset; no URL extends over that."""
    depth = 0
    for match in reversed(list(_BRACKET.finditer(text, first, last))):
        depth += 1 if match[0] == "]" else -1
        if depth < 0:
            return match.start()
    return last


def _marked(text: str, start: int, mark: str, line: int, uses: _Uses) -> _Marked:
    if mark == "](":
        return _inline(text, start)
    if mark == "]:":
        return _definition(text, start, line, uses)
    link = _AUTOLINK.match(text, start)
    if link is not None:
        first, last = link.span("url")
        found = _whole(Part(link["url"], first, last), "URI", "autolink")
        return found, start, link.end()
    if text.startswith("<!--", start):
        return [], 0, 0
    tag = _TAG.match(text, start)
    if tag is None or "=" not in tag[0]:
        return [], 0, 0
    part = Part(tag[0], start, tag.end())
    return list(found_in(part, "a.html", "HTML")), start, tag.end()


def _inline(text: str, start: int) -> _Marked:
    """The destination of a link or an image (§6.3), with spaces in it or not."""
    match = _DESTINATION.match(text, start)
    if match is not None and match["end"] is not None:
        kind = "bare" if match["angle"] is None else "angle"
        first, last = match.span(kind)
        if kind == "bare":
            last = _untitled(text, first, last, match["end"] == ")")
        found = _reference(text, first, last, "link destination", kind == "angle")
        if found is not None:
            return found, start, max(last, match.end(kind))
    match = _UNCLOSED.match(text, start)
    if match is None:
        return [], 0, 0
    found = _reference(text, *match.span("bare"), "link destination", angle=False)
    return (found, start, match.end()) if found else ([], 0, 0)


def _untitled(text: str, first: int, last: int, closed: bool) -> int:
    """The end of a destination, which a title can follow."""
    raw = text[first:last]
    match = _TITLE.search(raw)
    if match is None and (quote := raw.rstrip(" \t\r")[-1:]) in _LAX_TITLE:
        match = _LAX_TITLE[quote].search(raw, 0, len(raw.rstrip(" \t\r")) - 1)
    if match is None and not closed:  # after the last quotation mark, or with it
        match = _OPEN_TITLE.search(raw, len(raw[: max(raw.rfind('"'), 0)].rstrip(" \t")))
    if match is not None:
        raw = raw[: match.start()]
    return first + len(raw.rstrip())


def _definition(text: str, start: int, line: int, uses: _Uses) -> _Marked:
    """The destination of a link reference definition (§4.7)."""
    match = _DEFINITION.match(text, line) if start - line <= _LONGEST_LABEL else None
    if match is None:
        return [], 0, 0
    kind = "bare" if match["angle"] is None else "angle"
    first, last = match.span(kind)
    if first <= start:
        return [], 0, 0
    if kind == "bare":
        comment = text.find("-->", first, last)  # the definition is its last line
        last = _untitled(text, first, last if comment < 0 else comment, closed=False)
        raw = text[first:last]
        # "[Jane]: [the issue](https://e.org/)" is who says it, and a link: a destination in
        # which spaces are would be no definition (§4.7), so what is read here is a mistake.
        is_text = raw.startswith("[") or not (spaced(raw) or uses(match["label"]))
        if not raw or (" " in raw and is_text):
            return [], 0, 0
    found = _reference(text, first, last, "definition", kind == "angle")
    return (found, start, max(last, match.end(kind))) if found is not None else ([], 0, 0)


def _reference(text: str, first: int, last: int, why: str, angle: bool) -> list[Found] | None:
    """A destination; nothing if invalid or empty; None if the brackets are only text."""
    part = undone(text, first, last, _ESCAPE, _meaning)
    url = part.text
    # A bracket that is escaped is meant to be one, and so is that of a link in a link's place.
    known = () if "](" in url else holes(url)
    spans = tuple(span for span in known if text[part.offset(span[0])] != "\\")
    bare = url
    for a, b in reversed(spans):
        bare = bare[:a] + bare[b:]
    if not bare.strip("/#?.") or url.lower().startswith(_NOT_URLS) or _OF_RUST.fullmatch(url):
        return []
    scheme = _SCHEME.match(url)
    if scheme is not None and url.startswith("//", scheme.end()):
        if not bare[scheme.end() :].strip("/"):
            return []
    elif not url.startswith("mailto:") and not _PARTED.match(url) and not _LINK.fullmatch(url):
        # "a[i](b, c)" is a call, "[1](see below)" a remark
        if not angle and _CODE.search(bare) and not _PATH.match(bare):
            return None
        # "C:\\a" is a path, "note: b" and "a/b: c" remarks
        if (scheme is not None and (scheme.end() == _DRIVE or " " in bare)) or ": " in bare:
            return None
    found = _whole(part, "URI-reference", why, spans, "angle" if angle else "plain")
    if _FULL_WIDTH.search(url) and not _paired(url):
        return [one._replace(profile="uri") for one in found]
    return found


def _paired(url: str) -> bool:
    """Whether all that is in full width is brackets around something, as in titles of articles."""
    bare = _BRACKETED.sub("", url)
    return _FULL_WIDTH.search(bare) is None


def _whole(
    part: Part, rule: str, why: str, spans: Spans | None = None, escape: str = "plain"
) -> list[Found]:
    known = holes(part.text) if spans is None else spans
    if sum(b - a for a, b in known) == len(part.text):
        return []
    return [whole(part, rule, known, escape, why)]


def _meaning(match: re.Match[str]) -> str:
    """§2.4 and §2.5."""
    if match[1]:
        return match[1]
    from html import unescape

    return unescape(match[0])


def _prose(text: str, start: int, end: int, *, escapes: bool) -> Iterator[Found]:
    """URLs in text, line by line if there are escapes."""
    at = text.find("://", start, end)
    while at >= 0:
        first = max(text.rfind("\n", start, at) + 1, start)
        last = text.find("\n", at, end)
        last = end if last < 0 else last
        if escapes and ("\\" in text[first:last] or "&" in text[first:last]):
            part = undone(text, first, last, _ESCAPE, _meaning)
            for found in urls(part.text):
                yield moved(found, part)._replace(why="URL in text")
        else:
            yield from urls(text, first, last)
        at = text.find("://", last, end)


def _in_angles(text: str) -> str:
    """In a link destination between angle brackets (CommonMark 0.31 §6.3)."""
    for char in "\\<>":
        text = text.replace(char, f"\\{char}")
    return text.replace("&", "&amp;")


ESCAPES = {"angle": _in_angles}


_LONGEST = 4_000  # of a paragraph that inline code is looked for in, once for each backtick

# The ends of a paragraph: a blank line, a list item, a heading or its underline, a quote, a fence,
# a row of a table, an element of blocks.
_BLOCKS = (
    r"\n[ \t>]{0,40}+(?:\r?\n|(?:[-*+]|[0-9]{1,9}[.)])[ \t]|\#{1,6}[ \t]"
    r"|[=-]{2,}[ \t]*\r?(?:\n|\Z)|`{3}|~{3}|\||(?:-{3,}|\*{3,}|_{3,})[ \t]*\r?(?:\n|\Z)"
    r"|</?(?i:div|p|table|tr|td|th|ul|ol|li|details|summary|center|h[1-6]|hr|pre|blockquote)\b)"
)
_ENDS = lazy(_BLOCKS)
_ENDS_OR_QUOTE = lazy(rf"{_BLOCKS}|\n[ ]{{0,3}}>")
_IN_QUOTE = lazy(r"[ \t]*>")
_ROW = lazy(r"[ \t>]{0,40}+\||[ \t>]{0,40}+[^\n|]{0,200}+[ \t]\|[ \t][^\n]*\|")
_HEADING = lazy(r"[ \t>]{0,40}+(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?\#{1,6}[ \t]")

_LINE = lazy(r"([^\S\n]*+)(?:([-*+]|[0-9]{1,9}[.)])([ \t]++|(?=\n|\Z)))?+[^\n]*+\n?")
_INDENTED = 4  # columns that code is indented
_FENCES = ("```", "~~~")


def block_end(text: str, start: int, at: int) -> int:
    """The end of the block of inlines with two offsets of a line; not past a bound."""
    line = text.rfind("\n", max(start - _LONGEST, 0), start) + 1
    bound = min(len(text), at + _LONGEST)
    last = text.find("\n", at, bound)
    last = bound if last < 0 else last
    if _HEADING.match(text, line) or _ROW.match(text, line, last):
        return last
    ends = (_ENDS if _IN_QUOTE.match(text, line) else _ENDS_OR_QUOTE).search(text, at, bound)
    return ends.start() if ends else bound


def spanning(text: str) -> Iterator[tuple[int, int]]:
    """The spans of lines in which a comment would be code: of front matter, of blocks of code with
    their fences, and of indented code. Cost: O(n)."""
    front = _FRONT.match(text)
    if front is not None:
        yield front.span()
    for start, end, _ in _blocks_of_code(text, front.end() if front else 0):
        yield start, end


def _blocks_of_code(text: str, at: int) -> Iterator[tuple[int, int, bool]]:
    """The spans of fenced code (§4.5: true) and of lines of indented code (§4.4: false). O(n)."""
    items: list[int] = []  # the columns at which the text of list items begins
    is_blank, is_code = True, False  # of the line before
    end = at  # of fenced code
    for match in _LINE.finditer(text, at):
        start, body = match.span(1)
        if start < end or body == len(text) or text[body] == "\n":
            is_blank = True
            continue
        indent = _columns(text, start, body)
        # No fence continues a paragraph.
        while items and indent < items[-1] and (is_blank or text.startswith(_FENCES, body)):
            items.pop()
        base = items[-1] if items else 0
        is_code = indent >= base + _INDENTED and (is_blank or is_code)
        is_blank = False
        if is_code:
            yield start, line_end(text, start), False
            continue
        marked = match.end(2)
        if marked > 0:
            while items and indent < items[-1]:
                items.pop()
            mark, after = _columns(text, start, marked), _columns(text, start, match.end(3))
            items.append(after if 1 <= after - mark <= _INDENTED else mark + 1)
        fence = _FENCE.match(text, start)
        if fence is not None:
            end = _closed(text, fence["run"], fence.end())
            yield start, end, True


def _closed(text: str, run: str, at: int) -> int:
    """The end of the fenced code that a run of marks begins (§4.5)."""
    fence = re.compile(rf"^[ \t>]*{run[0]}{{{len(run)},}}[ \t]*\r?$", re.MULTILINE)
    match = fence.search(text, at)
    return match.end() if match else len(text)


def _columns(text: str, start: int, end: int) -> int:
    """The columns of the beginning of a line (§2.2)."""
    return len(text[start:end].expandtabs(_INDENTED))
