"""A diagnostic as JSON-ready values, its text in a line, and its places as others name them.

Owns the fields that the formats ``json`` and ``jsonl`` share, the wording that the others do,
paths, columns, and marks that outlive edits. Imports ``diagnostic`` and ``drawing``, and
``percent`` when a path is to be a URI. Invariant: a key is never renamed and never left out; what
is given back is text that any reader of UTF-8 takes: no lone surrogate is in it.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ...diagnostic import Diagnostic, Edit, Place
from ...text import paths
from ...text.drawing import visible
from ...text.paths import below, readable, root_of, slashed

if TYPE_CHECKING:
    from hashlib import blake2b

COLORS = {"error": "31;1", "warning": "33;1", "note": "36;1"}
"""The color of each severity."""

VERSION = 1
"""Another number if a key is removed or changes its meaning, as schemas/lint.schema.json says."""

_KEYS: tuple[str, ...] = ("code", "severity", "file", "line", "column", "end_line", "end_column")
_KEYS += ("start", "end", "places", "message", "component", "production", "expected", "section")
_KEYS += ("hint", "url", "url_start", "url_end")
"""The keys of a record in their order; some values are then made JSON-ready."""

_MOST_QUOTED = 200  # characters that are replaced, in a message: some lines of a terminal
_MOST_OF_A_URL = 2_000  # a ``data:`` URL can be a megabyte, and is in each of its diagnostics
_MOST_LISTED = 3  # words in a sentence; of more, the first and a number are read faster
_MOST_REPLACED = 40  # characters that are shown as encoded one by one; more say nothing more


def record(diagnostic: Diagnostic) -> dict[str, Any]:
    """A diagnostic as JSON-ready values; offsets and columns are code points, ends exclusive.

    Offsets count from 0 in the decoded text of the file, without a byte order mark; lines and
    columns from 1. ``places`` are all blamed ranges, and ``line`` to ``end`` those of the first.
    ``edits`` is empty if there is no fix. ``url`` is cut after its first 2,000 code points: a
    ``data:`` URL can be a megabyte; ``url_start`` and ``url_end`` are the span of the whole.
    """
    return {
        "version": VERSION,
        **{name: getattr(diagnostic, name) for name in _KEYS},
        "file": readable(diagnostic.file),
        "places": [place._asdict() for place in diagnostic.places],
        "expected": list(diagnostic.expected),
        "url": readable(diagnostic.url[:_MOST_OF_A_URL]),
        "edits": [edit._asdict() for edit in diagnostic.edits],
    }


def graded(diagnostic: Diagnostic) -> str:
    """The severity before a message, except for an error, which needs no word."""
    return "" if diagnostic.severity == "error" else f"{diagnostic.severity}: "


def place_of(diagnostic: Diagnostic) -> str:
    """``file:line:column``, visible, with columns in code points."""
    return f"{visible(shown(diagnostic.file))}:{diagnostic.line}:{diagnostic.column}"


def fix_of(diagnostic: Diagnostic) -> str:
    """The effect of the fix, in words; empty if there is none.

    >>> from uriproof.diagnostic import Diagnostic, Edit, Place
    >>> places = Place(4, 5, 1, 5, 1, 6), Place(6, 7, 1, 7, 1, 8)
    >>> edits = Edit(4, 5, "%20", True), Edit(6, 7, "%7C", True)
    >>> fix_of(Diagnostic("a", "c", "error", "", places, ((1, "a://b c|"),), edits=edits[:1]))
    'replace it with "%20"'
    >>> fix_of(Diagnostic("a", "c", "error", "", places, ((1, "a:/b c|"),), edits=edits))
    'replace " " with "%20" and "|" with "%7C"'
    >>> edits = Edit(4, 5, "%22", True), Edit(6, 7, "%22", True)
    >>> fix_of(Diagnostic("a", "c", "error", "", places, ((1, 'a:/b"c"'),), edits=edits))
    'replace each with "%22"'
    """
    edits = diagnostic.edits
    if not edits:
        return ""
    words = _change(diagnostic, edits)
    return (
        words if diagnostic.fixable == "safe" else f"{words} (unsafe: it might change the meaning)"
    )


def _change(diagnostic: Diagnostic, edits: Sequence[Edit]) -> str:
    first = edits[0]
    if not first.replacement:
        return "remove it"
    if first.start == first.end:
        return f'insert "{visible(first.replacement)}"'
    raws = [_raw(diagnostic, edit) for edit in edits]
    if sum(len(raw) for raw in raws) > _MOST_REPLACED and all(map(_is_encoding, edits)):
        return f"percent-encode {'it' if len(edits) == 1 else 'them'} as UTF-8"
    # What is replaced is shown in the line: it is named only if it is not all that is marked.
    spans = [(edit.start, edit.end) for edit in edits]
    last = f'with "{visible(first.replacement)}"'
    if spans == [(place.start, place.end) for place in diagnostic.places[: len(edits)]]:
        if len(edits) == 1:
            return f"replace it {last}"
        if len({*raws}) == 1 and len(edits) == len(diagnostic.places):
            return f"replace each {last}"
    if spans == [(diagnostic.url_start, diagnostic.url_end)]:
        return f"replace the URL {last}"
    pairs = (
        f'{raw} with "{visible(edit.replacement)}"' for raw, edit in zip(raws, edits, strict=True)
    )
    return f"replace {listed(dict.fromkeys(pairs))}"


def _is_encoding(edit: Edit) -> bool:
    """Whether an edit puts nothing but percent-encoded octets."""
    return len(edit.replacement) % 3 == 0 and not edit.replacement[::3].strip("%")


def listed(words: Iterable[str]) -> str:
    """Some words in a sentence; of many the first, and how many more there are.

    >>> listed("ab"), listed("abcde")
    ('a and b', 'a, b, c and 2 more')
    """
    shown = list(words)
    if len(shown) > _MOST_LISTED + 1:
        shown[_MOST_LISTED:] = [f"{len(shown) - _MOST_LISTED:,} more"]
    *others, last = shown
    return f"{', '.join(others)} and {last}" if others else last


def _raw(diagnostic: Diagnostic, edit: Edit) -> str:
    """The text that an edit replaces, in quotation marks; "it" if it is long or not one line."""
    place = place_of_edit(diagnostic, edit)
    if place is None or edit.end - edit.start > _MOST_QUOTED:
        return "it"
    line = line_at(diagnostic, place.line)
    text = visible(line[place.column - 1 : place.end_column - 1])
    return f'"{text}"' if len(text) <= _MOST_QUOTED else "it"


def also(diagnostic: Diagnostic) -> str:
    """The places other than the first; empty if there are none.

    >>> from uriproof.diagnostic import Diagnostic, Place
    >>> places = Place(4, 5, 1, 5, 1, 6), Place(6, 7, 1, 7, 1, 8)
    >>> also(Diagnostic("a", "c", "error", "", places, ((1, "a://b c|"),)))
    'also at column 7'
    """
    others = diagnostic.places[1:]
    if not others:
        return ""
    if any(place.line != diagnostic.line for place in others):
        return f"also at {listed(f'{place.line}:{place.column}' for place in others)}"
    return f"also at column{'s' * (len(others) > 1)} {listed(str(p.column) for p in others)}"


def words(diagnostic: Diagnostic, *, places: bool = True) -> str:
    """The message, further places, hint and fix of a diagnostic in one visible line."""
    fix = fix_of(diagnostic)
    more = (
        also(diagnostic) if places else "",
        visible(diagnostic.hint),
        f"fix: {fix}" if fix else "",
    )
    return going_on(visible(diagnostic.message), *more)


def going_on(message: str, *more: str) -> str:
    """A message, and what else there is to say, without a stop that may be taken for a text's."""
    said = [one for one in more if one]
    return "; ".join([message.removesuffix("."), *said]) if said else message


def octets(text: str) -> bytes:
    """A text in UTF-8; bytes that were not UTF-8 when it was read are restored."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate of UTF-16, by itself
        return text.encode("utf-8", "surrogatepass")


def relative(file: str) -> str:
    """A path for consumers in a repository: from the repository's root.

    Slashes divide it, and no ``./`` begins it. A path elsewhere stays absolute.

    >>> relative("<stdin>")
    '<stdin>'
    """
    return readable(_located(file, root_of_run(), _here())[0])


def from_here(file: str) -> str:
    """The same, but from the folder that the run began in."""
    return readable(_located(file, _here(), _here())[0])


def shown(file: str) -> str:
    """A path for a log: from the repository's root if a CI system has named that, because it looks
    for files from there; else unchanged."""
    return relative(file) if _given_root() else readable(file)


def uri_of(file: str) -> str:
    """A path as a relative reference, or as a ``file`` URI if it is elsewhere (RFC 8089).

    >>> uri_of("/a b/c#.md")
    'file:///a%20b/c%23.md'
    """
    return _written(*_located(file, root_of_run(), _here()))


def root_of_run() -> str:
    """The root of the repository that the run began in, as the CI system or git has it; without
    one, the folder that it began in."""
    return _given_root() or _git_root(_here())


ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY")
"""The variables that name the root of the repository: of GitHub, GitLab and Azure Pipelines."""


def _given_root() -> str:
    """The root that a CI system names, if the run began in it."""
    for name in ROOTS:
        root = os.environ.get(name, "")
        if root and paths.SYSTEM.isabs(root) and _is_below(_here(), root):
            return root
    return ""


@lru_cache(8)
def _is_below(path: str, folder: str) -> bool:
    return _inside(path, folder) is not None


def _inside(path: str, folder: str) -> str | None:
    """``below``, also through links: the folder can be named by one."""
    inside = below(path, folder)
    if inside is None:
        inside = below(os.path.realpath(path), os.path.realpath(folder))
    return inside


@lru_cache(8)
def _git_root(here: str) -> str:
    return root_of(here) or here


def _here() -> str:
    try:
        return os.getcwd()
    except OSError:  # the folder has gone
        return ""


@lru_cache(256)
def _located(file: str, root: str, here: str) -> tuple[str, bool]:
    """A path with slashes, from a root if it is there, and whether it is not."""
    if file.startswith("<") or not here:  # of no file, or the folder has gone
        return (file if file.startswith("<") else slashed(file)), paths.SYSTEM.isabs(file)
    whole = paths.SYSTEM.join(here, file)
    inside = _inside(whole, root)
    return (slashed(whole), True) if inside is None else (inside, False)


@lru_cache(maxsize=256)
def _written(path: str, outside: bool) -> str:
    from ...percent.encode import encode

    # A path of another computer names it: "//server/share" (RFC 8089, appendix E.3.1).
    before = "file://" if paths.SYSTEM.splitdrive(path)[0].startswith("//") else "file:///"
    first, *others = path.lstrip("/").split("/") if outside else path.split("/")
    # A colon in the first segment would turn the text before it into a scheme (RFC 3986 §4.2).
    written = [encode(octets(first), "segment" if outside else "segment-nz-nc", minimal=True)]
    written += (encode(octets(s), "segment", minimal=True) for s in others)
    return before * outside + "/".join(written)


def octet_column(line: str, column: int) -> int:
    """A column in octets of UTF-8, from 1, for one in code points.

    >>> octet_column("a\U00010400b", 3)
    6
    """
    column = min(column, len(line) + 1)
    return column if line.isascii() else _octet_columns(line)[column - 1]


@lru_cache(2)
def _octet_columns(line: str) -> list[int]:
    """The column in octets of each character of a line, and of its end."""
    counts = (len(octets(char)) for char in line)
    return list(accumulate(counts, initial=1))


def line_at(diagnostic: Diagnostic, number: int) -> str:
    """A line that the diagnostic shows, by its number; empty if it does not. Cost: O(log lines)."""
    at = bisect_left(diagnostic.lines, number, key=itemgetter(0))
    return dict(diagnostic.lines[at : at + 1]).get(number, "")


def place_of_edit(diagnostic: Diagnostic, edit: Edit) -> Place | None:
    """The place of an edit of a diagnostic; None if it is not within one line that it shows.

    An edit is of the last place that begins before it, or of the first. Cost: O(log places).
    """
    number = bisect_right(diagnostic.places, edit.start, key=itemgetter(0)) - 1
    place = diagnostic.places[max(number, 0)]
    begin = place.start - place.column + 1
    start, end = edit.start - begin, edit.end - begin
    if 0 <= start <= end <= len(line_at(diagnostic, place.line)):
        return Place(edit.start, edit.end, place.line, start + 1, place.line, end + 1)
    return None


def edit_places(diagnostic: Diagnostic) -> list[tuple[Place, Edit]]:
    """The edits of a diagnostic with their places; none if one of them has no place."""
    places = [(place_of_edit(diagnostic, edit), edit) for edit in diagnostic.edits]
    found = [(place, edit) for place, edit in places if place is not None]
    return found if len(found) == len(places) else []


class Fingerprints:
    """A mark for each diagnostic that stays when lines move: of path, code, URL, and which of them.

    Memory: the diagnostics of one file, because they come file by file.
    """

    def __init__(self) -> None:
        self._file = ""
        self._seen: Counter[str] = Counter()

    def of(self, diagnostic: Diagnostic) -> str:
        """The mark of the next diagnostic."""
        digest = _digest(16, relative(diagnostic.file), diagnostic.code, diagnostic.url).copy()
        digest.update(str(self._number(diagnostic, digest.hexdigest())).encode())
        return digest.hexdigest()

    def of_line(self, diagnostic: Diagnostic) -> str:
        """A mark of the line's own text, as code scanning compares it, and which of them."""
        name = _line_digest(diagnostic.source_line)
        return f"{name}:{self._number(diagnostic, name)}"

    def _number(self, diagnostic: Diagnostic, name: str) -> int:
        """Which diagnostic of that name this is in its file, from 1."""
        if diagnostic.file != self._file:
            self._file = diagnostic.file
            self._seen.clear()
        self._seen[name] += 1
        return self._seen[name]


@lru_cache(64)
def _digest(size: int, *parts: str) -> blake2b:
    """What some texts add up to; made once for the many diagnostics of one long URL."""
    from hashlib import blake2b

    digest = blake2b(digest_size=size)
    for part in parts:
        digest.update(octets(part) + b"\0")
    return digest


@lru_cache(64)
def _line_digest(line: str) -> str:
    return _digest(8, line.strip()).hexdigest()
