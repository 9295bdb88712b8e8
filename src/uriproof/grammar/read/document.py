"""The lines of a document that holds ABNF: without its pages' headers and footers.

Owns the frame of an RFC's text: page breaks, headings, and marks of source code.
Imports only the standard library. Invariant: every line knows its number in the text, and no
line of a grammar is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape

_FOOTER = re.compile(r".*\[Page +[0-9ivxlcdm]+\][ \t]*", re.IGNORECASE)
_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)"
)
_HEADER = re.compile(
    r"(?:RFC[ ]([0-9]+)|Internet[ -]Draft|DRAFT)[ \t]+(\S(?:.*?\S)?)[ \t]+"
    rf"(?:[0-9]+[ ])?{_MONTH}[ ]"
    r"(?:19|20)[0-9][0-9][ \t]*",
    re.IGNORECASE,
)
_HEADING = re.compile(
    r"(?:(?:Appendix[ ]|APPENDIX[ ])?[A-Z](?=[.:])|Appendix[ ][A-Z]|[0-9]{1,3})"
    r"(?:\.[0-9]+)*[.:]?[ \t]+[\"'A-Za-z<].*"
)
_CONTENTS = re.compile(r"(?>.*?\. ?\.).*(?<=[0-9])[ \t]*")
_OPENS = re.compile(
    r"[ \t]*+(?:(?P<fence>`{3,}|~{3,})[ \t]*(?:\{\.?)?abnf\b.*"
    r"|.*<(?P<tag>sourcecode|artwork)\b(?=[^<>]*+>)[^<>]*\btype=[\"']abnf[\"'][^<>]*+>(?P<rest>.*))",
    re.IGNORECASE,
)
_PROSE = re.compile(r"[ \t]*[A-Z(]?[a-z]+(?:[ ]+[(\"]?[A-Za-z][a-z'-]*[\").,:;]*){6,}[ \t]*")
_ENOUGH = 3
"""Lines of prose that make a text a document."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line: its number from 1, its text without tabs and blanks at its end, and its section.

    ``page`` is true for the one empty line that stands for a page break.
    """

    number: int
    text: str
    section: str = ""
    page: bool = False

    @property
    def indentation(self) -> int:
        return len(self.text) - len(self.text.lstrip())


def rows(text: str) -> Iterator[Row]:
    """The lines of a document, a page break as one empty line. Cost: O(n).

    If source code is marked as ABNF (a fence of Markdown, ``<sourcecode type="abnf">``), only
    that is returned.

    >>> broken = "a = b\\n\\nX  [Page 1]\\n\\f\\nRFC 1  T  May 2000\\n\\n  / c"
    >>> [(row.number, row.text) for row in rows(broken)]
    [(1, 'a = b'), (3, ''), (7, '  / c')]
    """
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    if any(map(_OPENS.fullmatch, lines)):
        yield from _marked(lines)
        return
    section = ""
    blank: list[Row] = []
    for number, line in enumerate(lines, 1):
        shown = line.rpartition("\f")[2].expandtabs(8).rstrip()
        gone = _FOOTER.fullmatch(shown) or _HEADER.fullmatch(shown)
        if gone or not shown or "\f" in line:
            blank.append(Row(number, "", section, page=bool(gone) or "\f" in line))
        if gone or not shown:
            continue
        yield from [row for row in blank if row.page][:1] or blank
        blank = []
        if _HEADING.fullmatch(shown) and not _CONTENTS.fullmatch(shown):
            section = re.sub(r"[ \t]+", " ", shown)
        yield Row(number, shown, section)


def _marked(lines: list[str]) -> Iterator[Row]:
    """The lines between marks of source code."""
    section = closer = ""
    escaped = False
    for number, line in enumerate(lines, 1):
        shown = line.expandtabs(8).rstrip()
        if not closer:
            if heading := re.match(r"#+[ \t]+", shown):
                section = shown[heading.end() :]
                if section.endswith("}"):  # the name of an anchor
                    section = section.partition("{#")[0].rstrip(" \t")
            opens = _OPENS.fullmatch(line)
            if opens is None:
                continue
            closer = opens["fence"] or f"</{opens['tag'].lower()}>"
            shown = (opens["rest"] or "").rstrip()
            escaped = opens["tag"] is not None and "<![CDATA[" not in shown
            if not shown:
                continue
        if closer[0] == "<":
            escaped = escaped and "<![CDATA[" not in shown
            inside, closing, _ = shown.partition(closer)
            inside = inside.replace("<![CDATA[", "").replace("]]>", "")
            yield Row(number, (unescape(inside) if escaped else inside).rstrip(), section)
            ends = bool(closing)
        elif ends := shown.strip().startswith(closer):
            yield Row(number, "", section)
        else:
            yield Row(number, shown, section)
        if ends:
            closer = ""


def title_of(text: str) -> tuple[str, str]:
    """The number of the RFC and the title that its pages bear; both empty if none do.

    >>> title_of("\\fRFC 3986                   URI Generic Syntax               January 2005\\n")
    ('3986', 'URI Generic Syntax')
    """
    for line in re.split(r"[\r\n\f]+", text):
        if (found := _HEADER.fullmatch(line)) and found[1]:
            return found[1], found[2]
    return "", ""


def first_of_document(text: str) -> int | None:
    """The number of the first line that shows a text to be a document; None if none does.

    That is a page's header or footer, a mark of source code, or the first of several lines of
    prose outside of comments. Cost: O(n).

    >>> first_of_document("a = b / c\\n; a comment, which may go on as long as it likes to")
    """
    prose: list[int] = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if any(p.fullmatch(line.strip("\f")) for p in (_FOOTER, _HEADER, _OPENS)):
            return min([number, *prose])
        if _PROSE.fullmatch(line):
            prose.append(number)
    return prose[0] if len(prose) >= _ENOUGH else None
