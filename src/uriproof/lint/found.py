"""A URL where it stands in a file: what every finder yields.

Owns ``Found``, ``Lost``, ``UrlRecord``, which ``--dump-urls`` shows, ``Comment`` and ``Profile``.
Imports the standard library alone. Invariant: decoding the raw slice as its format does gives the
text, and ``offset`` says for each code point of the text where it stands.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Comment", "Found", "Kind", "Lost", "Profile", "UrlRecord"]

Kind = Literal["uri", "iri"]
"""What a URL is validated as: a URI (RFC 3986), or an IRI (RFC 3987), which may be non-ASCII."""


class Found(NamedTuple):
    """A URL: ``text`` as its format decodes it, from the raw slice ``[start, end)`` of a file.

    ``places`` holds, per code point of the text and once more for its end, the offset in the file
    where it begins; empty where the raw slice is the text itself. ``holes`` are the spans of the
    text, half-open, that a template will fill. ``rule`` is the production to validate it against:
    "URI" in prose, "URI-reference" where the syntax expects a reference. ``delimited``: the format
    itself marks where it begins and ends. ``escape`` names how to write a character there (see
    ``find.escapes``). ``why`` tells a person what it was taken for. ``profile`` is what the format
    demands of this one, where that differs from what it demands of others.
    """

    start: int
    end: int
    text: str
    rule: str = "URI"
    delimited: bool = False
    places: tuple[int, ...] = ()
    holes: tuple[tuple[int, int], ...] = ()
    escape: str = "plain"
    why: str = ""
    profile: Kind | None = None

    def offset(self, at: int) -> int:
        """Where in the file a code point of the text begins; ``len(text)`` gives the end.

        >>> Found(10, 15, "a&b", places=(10, 11, 16, 17)).offset(2)
        16
        """
        return self.places[at] if self.places else self.start + at


class Lost(NamedTuple):
    """A part of a file that was not checked, for an error in uriproof itself: ``why``."""

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
    """What a format says that its URLs are, or some of them, and where it says so."""

    kind: Kind
    of: str
    source: str
