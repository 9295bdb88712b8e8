r"""AsciiDoc: links, images and other macros, attribute entries, and URLs in text.

Owns where AsciiDoc holds references (AsciiDoc Language Documentation, Macros and Links). Imports
``find._inside`` and ``find._markup``. Invariant: an attribute reference is a hole; a space in the
target of an image is "%20", as in Asciidoctor; a target without a scheme is a path or a name, and
is judged only if the macro is ``link:``.

>>> text = "link:++http://a/b c++[d] and http://e/{f}[g], http://h."
>>> [(found.text, found.start) for found in find(text, "a.adoc")]
[('http://a/b c', 7), ('http://e/{f}', 29), ('http://h', 46)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...grammar.expressions import SCHEME as _SCHEME
from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, prose_between, undone, unfilled
from ._markup import SCHEME
from ._prose import unescaped

SUFFIXES = (".adoc", ".asciidoc", ".asc", ".ad", ".adoc.txt")
NAMES: tuple[str, ...] = ()
ANCHORS = ("://", "link:", "mailto:")
PROFILES = (
    Profile(
        "iri",
        "URLs, links and images",
        "no specification demands URIs; URLs go into HTML as they are",
    ),
)
COMMENTS = {"adoc": Comment("//", above=True)}

_LONGEST = 40  # of a scheme, which is looked for after each plus, and can contain pluses

_LINKED = r"(?:\[[^\[\]\n]{0,300}\])?"  # the text of a link, which is the entry's value

_MARK = lazy(
    # If the target is between pluses or in pass:[], nothing in it is markup.
    r"(?<![\w:])(?P<macro>link:|image::?|video::|audio::|include::)"
    r"(?:(?P<plus>\+\+?)(?P<passed>[^+\n]{1,2000}+)(?P=plus)(?=\[)"
    r"|pass:[a-z,]{0,20}\[(?P<pass>[^\]\n]{1,2000}+)\](?=\[)"
    r"|(?P<target>[^\s\[:][^\[\]\n]{0,800}+)(?=\[))"
    r"|(?<![\w:])(?P<mail>mailto:[^\s\[\]]{1,300}+)(?=\[)"
    rf"|(?P<url>(?<![\w+.\\/-]){_SCHEME}://[^\x00-\x20\s\[\]<>]{{1,4000}}+)(?=\[)"
    rf"|^(?P<entry>:!?[\w][-\w]*!?:[ \t]+(?P<value>{_SCHEME}://[^\s]+?){_LINKED}[ \t]*\r?$)"
    rf"|(?<=\+)(?=[^\s:]{{1,{_LONGEST}}}+:)(?P<literal>{_SCHEME}://[^\s+`]{{1,4000}}+)(?=\+)"
    rf"|(?<!\w)<(?P<angle>{_SCHEME}://[^\s<>]{{1,4000}}+)>",
    re.MULTILINE,
)
_SPACES = 2  # in the target of a link that is a URL: with more, it is text
_SPACE = lazy(r" ")
# Texts that a backslash keeps from being replaced or read as markup (AsciiDoc Language, Escapes).
_ESCAPE = lazy(r"\\(?=\.\.\.|--|[-=]>|<[-=]|\([CRT]|['{_*+\#`~^<&])")


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of an AsciiDoc document, in text order. Cost: O(n)."""
    # Asciidoctor restores references to characters before it reads macros.
    return (unescaped(text, one, is_markup=True) for one in _found(text))


def _found(text: str) -> Iterator[Found]:
    at = 0
    for match in _MARK.finditer(text):
        found = list(_marked(text, match))
        if not found and match["macro"] is not None:
            continue
        yield from prose_between(text, at, match.start(), "text")
        yield from found
        at = match.end()
    yield from prose_between(text, at, len(text), "text")


def _marked(text: str, match: re.Match[str]) -> Iterator[Found]:
    """The URL of a macro, of an attribute entry, or between angle brackets."""
    macro = match["macro"]
    if macro is None:
        for group, why in _WHY.items():
            if match[group] is not None:
                start, end = match.span(group)
                yield from unfilled(_written(text, start, end), "markup", "plain", why, "URI")
        return
    group = next(group for group in ("passed", "pass", "target") if match[group] is not None)
    start, end = match.span(group)
    absolute = SCHEME.match(text, start, end) is not None
    if macro == "link:":
        spaces = match[group].count(" ") if group == "target" else 0
        if spaces > (_SPACES if absolute else 0):
            return  # it is text, not a link
        if group == "target" and match[group][0] + match[group][-1] == "<>":
            return  # all of it is to be filled in: no tag begins in a target
        part = Part(text[start:end], start, end).stripped(" ")  # as clients do (URL Standard §4.4)
        part = _written(text, start, end) if group == "target" else part
        yield from unfilled(part, "markup", "plain", "link")
    elif absolute:
        part = undone(text, start, end, _SPACE, _encoded)
        yield from unfilled(part, "markup", "plain", macro)


_WHY = {
    "literal": "literal text",
    "mail": "link",
    "url": "link",
    "value": "attribute",
    "angle": "<URL>",
}


def _written(text: str, start: int, end: int) -> Part:
    """A target as it is shown: a backslash says that the next character is not markup."""
    return undone(text, start, end, _ESCAPE, _nothing)


def _nothing(match: re.Match[str]) -> str:
    return ""


def _encoded(match: re.Match[str]) -> str:
    return "%20"
