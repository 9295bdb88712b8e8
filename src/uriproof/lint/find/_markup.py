r"""The common parts of HTML and XML: character references, tags, attributes and template holes.

Owns their expressions. Imports ``find._inside`` and ``find._holes``. Invariant: an expression here
takes time linear in its text; quotes within a template's own brackets do not end an attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...report import spliced
from ...text.patterns import lazy
from ._holes import HOLE, Spans, port_holes
from ._holes import SCHEME as _SCHEME
from ._inside import Part, undone

__all__ = ["SCHEME", "TAG_REST", "Anchored", "after", "attribute_value", "attributes"]
__all__ += ["character_data", "empty", "holes", "in_statement", "lone_url", "masked", "names"]
__all__ += ["xml_value"]

# Brackets of templates. Their contents are bounded: no expression can look for a closer to
# the end of the file from each of many openers.
_TEMPLATES = (
    r"\{\{(?:[^{}]|\{[^{}]{0,100}+\}){0,400}+\}\}\}?"  # Django, Jinja, Handlebars, Vue, Angular, Go
    r"|\{%(?:[^%]|%(?!\})){0,600}+%\}"  # Django, Jinja, Liquid, Twig
    r"|\{\#(?:[^#]|\#(?!\})){0,600}+\#\}"  # comments of the same
    r"|<%(?:[^%]|%(?!>)){0,600}+%>"  # ERB, EJS, JSP, ASP
    r"|<\?(?:[^?]|\?(?!>)){0,600}+\?>"  # PHP, and processing instructions
    r"|[$#@*]\{(?:[^{}<>]|\{[^{}<>]{0,100}+\}){0,300}+\}"  # JavaScript, JSP, Ruby, Maven
    r"|[$@%]\((?:[^()<>]|\([^()<>]{0,200}+\)){1,300}+\)"  # MSBuild, Razor
    r"|@[A-Za-z][\w.]{0,80}+\((?:[^()<>]|\([^()<>]{0,200}+\)){0,300}+\)"  # Razor
    r"|<!--\#(?:[^<>-]|-(?!->)){1,300}+-->"  # server-side includes
    r"|<[a-z]\w{0,20}:(?:[^<>/]|/(?!>)){1,300}+/>|</?[\#@][^<>]{1,300}+>"  # JSP, FreeMarker
)
_HOLE = lazy(
    rf"{_TEMPLATES}"
    r"|\{(?:[^{}]|\{[^{}]{0,100}+\}){0,200}+\}"  # Svelte, XSLT (2.0 §5.6), RFC 6570
    r"|\[%(?:[^%]|%(?!\])){0,300}+%\]"  # Template Toolkit
    r"|@\((?:[^()<]|\([^()<]{0,200}+\)){1,300}+\)"  # lists of MSBuild
    r"|'\s{0,3}[+.][^'\"<>]{1,100}?[+.]\s{0,3}'|"
    r"\"\s{0,3}[+.][^'\"<>]{1,100}?[+.]\s{0,3}\""  # " + a + "
    r"|\$\w{1,40}+\^"  # Doxygen
    r"|(?<!\w)@[A-Za-z][\w.-]{0,40}+@|\*\|[A-Za-z0-9_:]{1,40}+\|\*"  # configure; Mailchimp
    r"|\A%[-+\#0-9.\[\]]{0,6}[A-Za-z]\Z"  # all of it is a conversion of printf
    rf"|\A\[[\w .:-]{{1,60}}+\](?=[\w/?\#.]|\Z)|\.\.\.\Z|{HOLE}"  # [URL]
)
_HOLEY = lazy(r"[{<\[%@$*…'\"]|__|\.\.\.\Z")  # what every hole has something of
_STATEMENT = 600  # the longest that is looked for, from each tag; ``_TEMPLATES`` takes no more
_STATEMENTS = ("{%", "{#", "<%", "<?", "{{#", "{{/", "{{~", "{{-", "{{else", "{#", "{/", "{:")


def names(listed: str) -> frozenset[str]:
    """The names in a text, between white space."""
    return frozenset(listed.split())


def holes(text: str) -> Spans:
    """The spans of a URL that a template will fill, by any of the templates in markup.

    >>> holes("http://{{ host }}:{port}/a b/%s")
    ((7, 17), (18, 24), (29, 31))
    """
    spans = tuple(_spans(text)) if _HOLEY.search(text) else ()
    ports = port_holes(text)
    if ports and not any(start < ports[0][1] and ports[0][0] < end for start, end in spans):
        spans = tuple(sorted(spans + ports))
    return spans


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """The spans; white space next to a statement lays out the template, so it is in the hole."""
    at = 0
    while (match := _HOLE.search(text, at)) is not None:
        start, end = match.span()
        if _meant(match[0], text, start):
            at = end
            continue
        if match[0].startswith(_STATEMENTS):
            while start > at and text[start - 1].isspace():
                start -= 1
            while end < len(text) and text[end].isspace():
                end += 1
        yield start, end
        at = end


def in_statement(text: str, at: int) -> bool:
    """Whether a tag begins in a statement of a template, so that a program writes it."""
    for opener, closer in (("{%", "%}"), ("{{", "}}")):
        start = text.rfind(opener, max(at - _STATEMENT, 0), at)
        if start >= 0 and text.find(closer, start, at) < 0:
            return text.find(closer, at, at + _STATEMENT) >= 0
    return False


def _meant(hole: str, text: str, at: int) -> bool:
    """Whether a hole of other formats is hardly one between delimiters: a conversion of ``printf``
    that is not of text or whole numbers, or a word in brackets in a query."""
    if hole[0] == "%":
        short = len(hole) == len("%e") < len(text)
        return short and hole[1].isalnum() and hole[1] not in "sdiu"
    return hole[0] == "[" and hole[1].isalpha() and text.find("?", 0, at) >= 0


def empty(text: str, spans: Spans) -> bool:
    """Whether nothing is left to judge except the holes."""
    return not text or sum(end - start for start, end in spans) == len(text)


def masked(text: str, spans: Spans) -> str:
    """The text with a character of no meaning for each of its holes', so that nothing in them
    divides it."""
    return spliced(text, ((start, end, "x" * (end - start)) for start, end in spans))


def after(text: str, closer: str, at: int) -> int:
    """The end of a closed construct, with its closer; the end of the text if nothing closes it."""
    end = text.find(closer, at)
    return len(text) if end < 0 else end + len(closer)


class Anchored:
    """A text, and the place of its next "://", so that most of the text is never looked at."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._next = text.find("://")

    def anchored(self, start: int, end: int) -> bool:
        """Whether there is a "://" between two offsets; the calls go forward."""
        if 0 <= self._next < start:
            self._next = self._text.find("://", start)
        return 0 <= self._next < end


# A value in quotes, ignoring quotes within template brackets, or without quotes.
_DOUBLE = rf'"(?:[^"{{<$#@*]++|{_TEMPLATES}|[{{<$#@*])*+"'
_SINGLE = rf"'(?:[^'{{<$#@*]++|{_TEMPLATES}|[{{<$#@*])*+'"
_BARE = (
    rf"(?:{_TEMPLATES}|\{{(?:[^{{}}<>]|\{{[^{{}}<>]{{0,100}}+\}}){{0,200}}+\}}"
    r"|[^\s>\"'`=<{]|[{=])++"
)

_LONGEST_NAME = 200  # looked for from each character of it; frameworks put expressions there
_LAST_NAME = lazy(r"[^\s\"'<>/={}]++=\Z")
_QUOTES = ('"', "'")

# HTML Standard §13.1.2.3; one group for each way of quoting. A name is bounded, for it is looked
# for from each of its characters.
_ATTRIBUTE = lazy(
    rf"{_TEMPLATES}|(?P<name>[^\s\"'<>/={{}}]{{1,{_LONGEST_NAME}}}+)\s*+=\s*+(?:(?P<double>{_DOUBLE})|(?P<single>{_SINGLE})|(?P<bare>{_BARE}))"
)

TAG_REST = rf"(?:[^\"'<>={{]++|=\s*+(?:{_DOUBLE}|{_SINGLE})?+|{_TEMPLATES}|[{{\"'])*+"
"""The text after a tag's name, to before its ">"."""

SCHEME = lazy(rf"{_SCHEME}://")

_REFERENCE = lazy(r"&(?:#[0-9]{1,9}+;?|#[xX][0-9a-fA-F]{1,8}+;?|[A-Za-z][A-Za-z0-9]{1,32}+;?)")
_ATTRIBUTE_REFERENCE = lazy(
    r"&(?:#[0-9]{1,9}+;?|#[xX][0-9a-fA-F]{1,8}+;?|[A-Za-z][A-Za-z0-9]{1,32}+(?:;|(?!=)))"
)
_XML_REFERENCE = lazy(r"&(?:#[0-9]{1,9}+|#x[0-9a-fA-F]{1,8}+|[A-Za-z_][-.\w]{0,60}+);")
_XML_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def _meaning(match: re.Match[str]) -> str:
    """HTML Standard §13.2.5.72: of a name without its semicolon, the longest that is known."""
    from html import unescape

    return unescape(match[0])


def _attribute_meaning(match: re.Match[str]) -> str:
    """HTML Standard §13.2.5.73: in an attribute, a name without its semicolon is a reference only
    if no letter, digit or equals sign follows."""
    raw = match[0]
    if raw[1] != "#" and raw[-1] != ";":
        from html.entities import html5

        return html5.get(raw[1:], raw)
    return _meaning(match)


def _xml_meaning(match: re.Match[str]) -> str:
    """XML 1.0 §4.1; an entity that a DTD declares is left as it is."""
    raw = match[0]
    if raw[1] == "#":
        return _meaning(match)
    return _XML_NAMED.get(raw[1:-1], raw)


def attribute_value(text: str, start: int, end: int) -> Part:
    """An attribute's value, as HTML decodes it, without the white space at its ends."""
    return undone(text, start, end, _ATTRIBUTE_REFERENCE, _attribute_meaning)


def character_data(text: str, start: int, end: int) -> Part:
    """Text between tags, as HTML decodes it."""
    return undone(text, start, end, _REFERENCE, _meaning)


def xml_value(text: str, start: int, end: int) -> Part:
    """Text or an attribute's value, as XML decodes it."""
    return undone(text, start, end, _XML_REFERENCE, _xml_meaning)


def lone_url(text: str) -> bool:
    """Whether a text is one URL by its looks: it starts with a scheme, and has no white space."""
    return SCHEME.match(text) is not None and len(text.split(None, 1)) == 1


def attributes(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The name in lower case and the span of the value of each attribute that has one."""
    at = start
    while (match := _ATTRIBUTE.search(text, at, end)) is not None:
        kind = match.lastgroup
        at = match.end()
        if kind is None:  # a template's statement between attributes
            continue
        first, last = match.span(kind)
        if kind == "bare" and text.startswith(_QUOTES, last, end):
            # No such value is without quotes; perhaps the text before the quote is a name.
            name = _LAST_NAME.search(text, max(first, last - _LONGEST_NAME), last)
            at = name.start() if name else last
            continue
        quoted = kind != "bare"
        yield match["name"].lower(), first + quoted, last - quoted
