r"""Plain text, and every file whose format is not known: URLs in prose.

Owns nothing but the choice. Imports ``find._prose``. Invariant: nothing in the text is taken for
markup or for an escape.

>>> [found.text for found in find("**http://a/**, http://b... and http://", "")]
['http://a/', 'http://b']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import Part, found_in
from ._prose import urls

SUFFIXES = (".txt", ".text", ".log", ".po", ".pot", ".diff", ".patch")
NAMES = ("README", "LICENSE", "LICENCE", "COPYING", "AUTHORS", "NEWS", "CHANGES", "ChangeLog")
ANCHORS = ("://",)
PROFILES = (
    Profile("iri", "text", "no specification demands URIs of prose"),
    Profile(
        "uri",
        "`robots.txt`, `sitemap.txt`, `security.txt`",
        'sitemaps.org, "Entity escaping": URLs are escaped; RFC 9116 §4',
    ),
)
COMMENTS = {"po": Comment("#")}
ESCAPES = {"plain": str}


# Protocols of sites, whose URLs are read by programs.
_OF_URIS = frozenset(("robots.txt", "sitemap.txt", "security.txt"))
# A line that is nothing but a URL with a backslash in it, other than an escape at its end.
_BACKSLASH = lazy(r"(?:\\(?![nrt]\W)[\w/.-][^\s\\\"'<>]*+)++(?=\s*?$)", re.MULTILINE)


# The format of a file by its beginning, whatever its name: "manual.html.de" is a page.
_MARKUP = lazy(
    r"\s*+(?P<xml><\?xml[^?>]{0,200}+\?>\s*+)?+(?:<!--(?:[^-]|-(?!->)){0,3000}+-->\s*+)*+"
    r"(?P<page><(?i:!doctype\s+html|html)[\s>])?"
)


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of a text, in text order. Cost: O(n)."""
    if name.replace("\\", "/").rpartition("/")[2].lower() in _OF_URIS:
        yield from (found._replace(profile="uri", linked=True) for found in urls(text))
        return
    markup = _MARKUP.match(text)
    if markup is not None and (markup["xml"] or markup["page"]):
        kind = "a.html" if markup["page"] else "a.xml"
        yield from found_in(Part(text, 0, len(text)), kind)
        return
    last = 0
    for one in urls(text):
        if one.start < last:
            continue  # within a line that is a URL
        if text.startswith("\\", one.end) and text[one.start - 1 : one.start] in {"", "\n"}:
            match = _BACKSLASH.match(text, one.end)
            if match is not None and "/" in one.text[one.text.index("://") + 3 :]:
                line, last = text[one.start : match.end()], match.end()
                yield one._replace(end=last, text=line, why="a line that is a URL")
                continue
        yield one
