"""A URL and its place in a file: the values that every finder yields.

Owns ``Found``, ``Lost``, ``UrlRecord``, which ``--dump-urls`` shows, ``Comment`` and ``Profile``.
Imports only the standard library. Invariant: decoding the raw slice as its format does gives the
text, and ``offset`` gives the place of each code point of the text.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal["uri", "iri"]
"""The type of a URL: a URI (RFC 3986), or an IRI (RFC 3987), which can be non-ASCII."""


class Found(NamedTuple):
    """A URL: ``text`` as its format decodes it, from the raw slice ``[start, end)`` of a file.

    ``places`` holds, per code point of the text and once more for its end, the offset in the file
    at which it begins; empty if the raw slice is the text itself. ``holes`` are the spans of the
    text, half-open, that a template will fill. ``rule`` is the production to validate it against:
    "URI" in prose, "URI-reference" if the syntax expects a reference. ``linked``: the format itself
    makes it a link or a value, from end to end, so that software follows it; all others are only
    mentioned, in prose or in a program, with any text around them. ``escape`` names how to write a
    character there (see ``find.escapes``). ``why`` tells a person what it was recognized as.
    ``profile`` is the type that the format demands of this one, if it differs from that of others.
    """

    start: int
    end: int
    text: str
    rule: str = "URI"
    linked: bool = False
    places: tuple[int, ...] = ()
    holes: tuple[tuple[int, int], ...] = ()
    escape: str = "plain"
    why: str = ""
    profile: Kind | None = None

    def offset(self, at: int) -> int:
        """The offset in the file of a code point of the text; ``len(text)`` gives the end.

        >>> Found(10, 15, "a&b", places=(10, 11, 16, 17)).offset(2)
        16
        """
        return self.places[at] if self.places else self.start + at


class Lost(NamedTuple):
    """A part of a file that was not checked because of an error in uriproof itself: ``why``."""

    start: int
    end: int
    why: str


class UrlRecord(NamedTuple):
    """A URL that was found, or a text that looks like one; ``rule`` is empty for the latter.

    ``verdict``: "valid", or the codes of its violations.
    """

    file: str
    line: int
    column: int
    url: str
    rule: str
    why: str
    verdict: str


class Comment(NamedTuple):
    """How a format writes a comment: at the end of a line, or on a line of its own ``above``."""

    opener: str
    closer: str = ""
    above: bool = False


class Profile(NamedTuple):
    """The type that a format specifies for its URLs, or some of them, with the source."""

    kind: Kind
    of: str
    source: str
