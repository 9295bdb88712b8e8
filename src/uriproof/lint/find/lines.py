"""Lists of URLs, one a line, as standard input has them by default.

Owns the reading of a line as a URL. Imports only ``lint.found``. Invariant: every line that is
neither blank nor a comment is one URL, except for the blanks and tabs around it.

>>> [found.text for found in find("http://a/ b \\n# a comment\\n\\nhttp://b/", "")]
['http://a/ b', 'http://b/']
"""

from __future__ import annotations

from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Found, Profile

SUFFIXES = (".urls", ".urllist")
NAMES = ()
ANCHORS: tuple[str, ...] = ()
PROFILES = (Profile("uri", "lines", "RFC 2483 §5: a list of URIs, one on each line"),)

# No URI begins with "#" (RFC 3986 §3), so that a line that does can be a comment.
_LINE = lazy(r"(?:(?m:^)|(?<=\r))[ \t]*([^ \t\r\n#](?:[^\r\n]*[^ \t\r\n])?)")


def find(text: str, name: str) -> Iterator[Found]:
    """Each line that is a URL. Cost: O(n)."""
    for match in _LINE.finditer(text):
        start, end = match.span(1)
        yield Found(start, end, match[1], linked=True, why="a line of a list of URLs")
