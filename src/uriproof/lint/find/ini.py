r"""Settings, a key and a value a line: INI, properties, environment, desktop entries, units.

Owns the lines of these formats. Imports ``find._inside``. Invariant: a value extends to the end of
the last line that it goes on over, without the quotes around it; interpolations of a format are
holes.

>>> [found.text for found in find("[a]\n; see http://a.\nu = http://b/%(x)s|y\n", "a.ini")]
['http://a', 'http://b/%(x)s|y']
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...text.patterns import lazy
from ..found import Comment, Found, Profile
from ._inside import URL, Part, lines_with, prose_in, undone, value

SUFFIXES = (
    *(".ini", ".cfg", ".conf", ".cnf", ".properties", ".env", ".desktop", ".service", ".timer"),
    *(".socket", ".mount", ".editorconfig", ".gitconfig", ".inf", ".repo", ".pc", ".npmrc"),
)
NAMES = (".env", ".gitmodules", ".gitconfig", ".npmrc", ".pypirc", ".editorconfig", "pip.conf")
ANCHORS = ("://",)
PROFILES = (
    Profile(
        "iri", "values and comments", "no specification of these formats demands URIs of a value"
    ),
)
COMMENTS = dict.fromkeys(("ini", "cfg"), Comment("#", above=True))
# Escapes that configparser and systemd read as one percent sign.
ESCAPES = {"doubled": lambda text: text.replace("%", "%%")}

_LINE = lazy(r"[ \t]*+(?:(?P<comment>[#;!].*)|(?P<key>[^=:\s#;][^=\n]*+)=[ \t]*+)")
_COLON = lazy(r"[ \t]*[\w.-]+[ \t]*:(?!//)[ \t]*")
_ASIDE = lazy(r"(?<![ \t])[ \t]++[#;][ \t].*")
_QUOTED = lazy(r"""(["'])((?:(?!\1)[^\\]|\\[\s\S])*+)\1[ \t]*\Z""")
_PROPERTY = lazy(r"\\(?:u(?P<u>[0-9A-Fa-f]{4})|(?P<c>[:=#! ])|(?P<gap>\r?\n[ \t]*+))")
# A property goes on after a backslash at the end of its line; any other value, in quotes that end
# another line.
_CONTINUED = lazy(r"\\\r?$", re.MULTILINE)
_PROPERTIES = lazy(r"[ \t]*+[#!][^\n]*+|(?:[^\\\n]|\\(?:\r\n|[\s\S]))*+")
_DOUBLE = lazy(r'"(?<![^\s=]")[^"\\\n]*+(?:\\.[^"\\\n]*+)*+\\?$', re.MULTILINE)
_SINGLE = lazy(r"'(?<![^\s=]')[^'\n]*+$", re.MULTILINE)
_SETTINGS = lazy(
    r"^(?![ \t]*+[#;!])[^\"'\n]*+(?<![^\s=])(?:\"(?:[^\"\\]|\\[\s\S])*+\"|'[^']*+')"
    r"(?=[ \t]*+(?:[#;\r\n]|\Z))",
    re.MULTILINE,
)
_ESCAPED = lazy(r"\\(?P<c>[#;])")  # no comment
_PERCENT_DOUBLED = (".ini", ".cfg", ".service", ".timer", ".socket", ".mount")


def find(text: str, name: str) -> Iterator[Found]:
    """The URLs of settings, in text order. Cost: O(n)."""
    lower = name.lower()
    escape = "doubled" if lower.endswith(_PERCENT_DOUBLED) else "plain"
    properties = lower.endswith(".properties")
    marks = (URL, _CONTINUED) if properties else (URL, _DOUBLE, _SINGLE)
    for start, end in lines_with(text, marks, _PROPERTIES if properties else _SETTINGS):
        yield from _line(text, start, end, escape, properties)


def _line(text: str, start: int, end: int, escape: str, properties: bool) -> Iterator[Found]:
    match = _LINE.match(text, start, end)
    if match is not None and match["comment"]:
        yield from prose_in(Part(text[start:end], start, end))
        return
    first = match.end() if match is not None else start
    if match is not None and "://" in match["key"]:  # the equals sign is in the URL
        first = start
    if first == start and (colon := _COLON.match(text, start, end)):
        first = colon.end()
    last = end
    if not properties and (aside := _ASIDE.search(text, first, end)):
        last = aside.start()
    quoted = _QUOTED.match(text[first:last].rstrip("\r"))
    if quoted is not None:
        last = first + quoted.end(2)
        first += quoted.start(2)
    if properties:
        part = undone(text, first, last, _PROPERTY, _meaning)
    else:
        part = undone(text, first, last, _ESCAPED, lambda escape: escape["c"])
    yield from value(part, escape, "value")
    if last < end:
        yield from prose_in(Part(text[last:end], last, end))


def _meaning(match: re.Match[str]) -> str:
    return match["c"] or (chr(int(match["u"], 16)) if match["u"] else "")
