"""Fixes: their edits, which of them are safe, and their way into a file.

Owns the edit of a violation, the choice among edits, and the writing of files. Imports ``lint``
and the layers below it. Invariant: a fixed text differs from the text only in its edits; a file
has its old bytes or its new ones, never some of both.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import NamedTuple
from unicodedata import category, east_asian_width, name

from ...advice.scheme import near
from ...diagnostic import Diagnostic, Edit
from ...errors import UriproofError
from ...grammar.schemes import TYPED
from ...mistakes._starts import is_known
from ...report import Suggestion, Violation, spliced
from ...text.atomic import replacing
from ..files.source import Source, encoded
from ..find import escapes
from ..found import Found

_PERCENT = "%"
# Readers of these formats percent-encode a space themselves (URL Standard §4.4, path state; XML 1.0
# §4.2.2; XLink 1.1 §5.4.1; CommonMark 0.31 §6.3), so that writing it so changes nothing.
_ENCODES_SPACE = frozenset({"html", "css", "angle"})
_FIXED = frozenset({"path", "query", "fragment"})
_DIVIDERS = {"userinfo": "@", "fragment": "#"}
_BRACKETS = "[]"
_BRACES = frozenset("{}<>")
_BAR = "|"
# RFC 3987 §3.1 turns an IRI into a URI by encoding non-ASCII characters. Letters, digits and their
# marks are meant; quotes, dashes, symbols and invisible characters come from around the URL, from a
# word processor, or from a placeholder.
_WORDS = frozenset({"L", "M", "N"})
# Scripts written without spaces: in prose, the end of a URL before them is unknown.
_UNSPACED = frozenset({"THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN", "JAVANESE", "BALINESE"})
# Next to a URL in prose or code, these bind it to something: more of it, a template, a pattern.
_BINDS_BEFORE = frozenset("\\|{}^%$&+#/@-_")
_BINDS_AFTER = frozenset("\\|{}^%$*<")

# Formats in which a percent sign has a meaning, by the suffixes of files: it begins a
# variable (cmd.exe, "for /?"), a specifier (systemd.unit(5)), or, if enabled, an
# interpolation (configparser), a comment (The TeXbook, chapter 7).
_DOUBLES = frozenset(
    ("bat", "cmd", "service", "socket", "timer", "mount", "automount", "swap", "slice", "target")
)
_MEANS_MORE = frozenset((*_DOUBLES, "ini", "cfg", "tex", "sty", "cls", "ltx", "dtx", "bib"))


def edits_of(
    found: Found, violations: Sequence[Violation], source: Source | None = None
) -> list[Edit | None]:
    """The edit that fixes each violation of a URL, in the escaping of its format, if there is one.

    ``violations`` are all of the URL's; ``source`` is the file with it. If one of them cannot be
    fixed, none is, because the URL would still be wrong; if one fix is unsafe, so are all. Cost:
    O(n).

    >>> from uriproof import check
    >>> found = Found(9, 13, "/a b", "URI-reference", linked=True, escape="html")
    >>> edits_of(found, check(found.text, found.rule).violations)
    [Edit(start=11, end=12, replacement='%20', safe=True)]
    """
    url = _Url(found, source or Source("", ""))
    if _is_slip(found.text.partition(":")[0].lower()):
        return [None] * len(violations)  # the link would stay broken, unnoticed
    edits: list[Edit] = []
    for violation in violations:
        edit = url.edit(violation)
        if edit is None:
            return [None] * len(violations)
        edits.append(edit)
    if not all(edit.safe for edit in edits):
        return [edit._replace(safe=False) for edit in edits]
    return [*edits]


def _is_slip(scheme: str) -> bool:
    """Whether what looks like a scheme is a misspelled one, or the beginning of one: ``htt``."""
    cut = not is_known(scheme) and any(known.startswith(scheme) for known in TYPED)
    return cut or bool(near(scheme))


def edit_to(found: Found, suggestions: Sequence[Suggestion], source: Source) -> Edit | None:
    """The edit that makes a URL what was probably meant, if there is only one such text.

    It is never safe. Cost: O(n).
    """
    if len(suggestions) != 1 or found.holes:
        return None
    return _Url(found, source).whole(suggestions[0].text)


class _Url:
    """A URL whose violations are fixed; their shared facts are computed once."""

    def __init__(self, found: Found, source: Source) -> None:
        self._found = found
        self._source = source
        self._suffix = source.file.rpartition(".")[2].lower()

    def edit(self, violation: Violation) -> Edit | None:
        """The edit for a violation, were it the only one."""
        fix = violation.fix
        if fix is None or _DIVIDERS.get(violation.component) in [*violation.found]:
            return None  # a second divider: which of them divides is unknown
        if violation.component == "fragment" and any(map(str.isspace, violation.found)):
            return None  # an id has no white space (HTML Standard §3.2.6): it would lead nowhere
        if self._is_half(violation):
            return None  # half of a placeholder, or a mark around the URL: encoding hides it
        safe = self._is_known and self._is_safe(violation)
        return self._written(fix.start, fix.end, fix.replacement, safe)

    def _is_half(self, violation: Violation) -> bool:
        """Whether a violation has one bracket of a pair, or a space at an end of a segment, where a
        name was lost, or two texts are divided."""
        found, text = violation.found, self._found.text
        ends = text[max(violation.start - 1, 0) : violation.end + 1]
        if violation.component == "path" and ("/ " in ends or " /" in ends):
            return True
        if any(mark in found for mark in _BRACKETS):
            return text.count("[") != text.count("]") or "](" in text
        return not _BRACES.isdisjoint(found) and (
            text.count("{") != text.count("}") or text.count("<") != text.count(">")
        )

    def _written(self, start: int, end: int, replacement: str, safe: bool) -> Edit | None:
        """The edit of a span of the URL, in the escaping of its format, if that is known."""
        found = self._found
        escape = escapes().get(found.escape)
        if escape is None:
            return None
        written = escape(replacement)
        if (self._conversion or self._suffix in _DOUBLES) and escape(_PERCENT) == _PERCENT:
            written = written.replace(_PERCENT, _PERCENT * 2)
        # If a percent sign has to be escaped, not all readers of the format undo it.
        safe = safe and (written == replacement or _PERCENT not in replacement)
        return Edit(found.offset(start), found.offset(end), written, safe)

    def whole(self, meant: str) -> Edit | None:
        """The edit that makes the URL what was meant, unsafe as every guess."""
        text = self._found.text
        alike = os.path.commonprefix  # by characters, not by segments of a path
        before = len(alike((text, meant)))
        after = len(alike((text[before:][::-1], meant[before:][::-1])))
        replacement = meant[before : len(meant) - after]
        offset = self._found.offset
        raw = self._source.text[offset(before) : offset(len(text) - after)]
        if "\n" in raw or "\r" in raw:
            return None  # base64 in lines: they would become one
        return self._written(before, len(text) - after, replacement, False)

    @cached_property
    def _conversion(self) -> bool:
        """Whether a conversion (%s) says that a percent sign is one only if it is doubled."""
        return any(self._found.text.startswith(_PERCENT, at) for at, _ in self._found.holes)

    @cached_property
    def _is_known(self) -> bool:
        """Whether the URL, its end, and the meaning of a percent sign are known.

        Around a placeholder there might be others; an edit across lines would change the layout.
        """
        found, text = self._found, self._source.text
        if found.holes or self._suffix in _MEANS_MORE:
            return False
        scheme, mark, _ = found.text.partition("://")
        if mark and scheme.isalnum() and not is_known(scheme):
            return False  # it might be a part of one
        raw = text[found.start : found.end]
        if "\n" in raw or "\r" in raw:
            return False
        before, after = text[max(found.start - 1, 0) : found.start], text[found.end : found.end + 1]
        return found.linked or not (
            before in _BINDS_BEFORE
            or before.isalnum()
            or after in _BINDS_AFTER
            or not f"{before}{after}".isascii()
        )

    def _is_safe(self, violation: Violation) -> bool:
        """Whether encoding the blamed characters cannot change the meaning of the file."""
        if violation.component not in _FIXED or violation.kind != "illegal":
            return False  # a bad escape might be a misspelled one
        return not self._is_octet(violation) and all(
            self._is_intended(char, at, violation)
            for at, char in enumerate(violation.found, violation.start)
        )

    def _is_octet(self, violation: Violation) -> bool:
        r"""Whether the source might write octets, like ``\xc3\xa4`` in C, and not characters."""
        offset = self._found.offset
        raw = self._source.text[offset(violation.start) : offset(violation.end)]
        return "\\" in raw.replace("\\u", "").replace("\\U", "")

    def _is_intended(self, char: str, at: int, violation: Violation) -> bool:
        """Whether a character is surely part of the URL, as data."""
        found, text = self._found, self._found.text
        if not char.isascii():
            return _is_data(char, found.linked)
        # A fragment names an id, which holds no space, and scripts read it as it is written.
        if not found.linked or violation.component == "fragment":
            return False
        beside = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
        if char == " ":
            # At an end it is seldom meant, and a browser takes it away; several divide a line.
            in_word = all(one and not one.isspace() for one in beside)
            return in_word and found.escape in _ENCODES_SPACE
        if not self._is_expected:  # if a URL is only shown, so are its brackets
            return False
        if char == _BAR:
            return all(beside)
        return char in _BRACKETS and violation.component == "query" and at in self._subscripts

    @cached_property
    def _is_expected(self) -> bool:
        """Whether only a URL can be in this place: by the format's syntax, as a whole line, or
        between angle brackets (RFC 3986, appendix C)."""
        found, text = self._found, self._source.text
        before, after = text[max(found.start - 1, 0) : found.start], text[found.end : found.end + 1]
        is_line = before in "\r\n" and after in "\r\n"
        return found.rule == "URI-reference" or is_line or (before, after) == ("<", ">")

    @cached_property
    def _subscripts(self) -> frozenset[int]:
        """The brackets that enclose subscripts of a key in the query: ``a[b][]=1``."""
        before, mark, query = self._found.text.partition("#")[0].partition("?")
        start = len(before) + len(mark)
        found: set[int] = set()
        for piece in query.split("&"):
            key = piece.partition("=")[0]
            first = key.find("[")
            subscripts = key[first + 1 : -1].split("][")
            if (
                first > 0
                and key[-1] == "]"
                and not any(c in _BRACKETS for c in "".join(subscripts))
            ):
                found.update(start + at for at, char in enumerate(key) if char in _BRACKETS)
            start += len(piece) + 1
        return frozenset(found)


@cache
def _is_data(char: str, linked: bool) -> bool:
    """Whether a non-ASCII character is data of the URL around it."""
    if category(char)[0] not in _WORDS:
        return False
    if linked:
        return True
    script = name(char, "").partition(" ")[0]
    return east_asian_width(char) not in "WF" and script not in _UNSPACED


class Group(NamedTuple):
    """The edits of one URL, which are made together or not at all; of none, if it is empty.

    ``start`` and ``end`` are the URL's.
    """

    start: int
    end: int
    url: str
    edits: tuple[Edit, ...]
    diagnostics: tuple[Diagnostic, ...]


def chosen(text: str, diagnostics: Iterable[Diagnostic], unsafe: bool = False) -> list[Group]:
    """The edits to make, URL by URL, in text order and disjoint.

    If edits of two URLs overlap, those of the first are made. Cost: O(n log n).
    """
    urls: dict[tuple[int, int, str], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        edits = diagnostic.edits
        if not edits or not all(0 <= edit.start <= edit.end <= len(text) for edit in edits):
            continue
        if not unsafe and diagnostic.fixable != "safe":
            continue
        key = diagnostic.url_start, diagnostic.url_end, diagnostic.url
        urls.setdefault(key, []).append(diagnostic)
    groups: list[Group] = []
    taken = 0
    for (start, end, url), of_url in sorted(urls.items(), key=lambda item: item[0]):
        chosen_ = sorted({edit for d in of_url for edit in d.edits})
        lows = [taken, *(edit.end for edit in chosen_)]
        if all(low <= edit.start for low, edit in zip(lows, chosen_, strict=False)):
            groups.append(Group(start, end, url, tuple(chosen_), tuple(of_url)))
            taken = chosen_[-1].end
    return groups


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with some edits, which are in text order."""
    return spliced(text, ((edit.start, edit.end, edit.replacement) for edit in edits))


class NotWritten(UriproofError, OSError):
    """A file was left as it is; ``strerror`` says why."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(0, why, path)


def write(path: str, text: str, source: Source) -> None:
    """Write a text to a file in the place of ``source``, whole or not at all.

    The encoding and the byte order mark stay, and what ``text.atomic`` keeps.

    Errors: NotWritten, if the file has changed since ``source`` was read, or must not be written;
    OSError; UnicodeEncodeError, for characters that the encoding does not have.
    """
    data = encoded(text, source)
    target = os.path.realpath(path)
    status = os.stat(target)
    if not stat.S_ISREG(status.st_mode):
        raise NotWritten(path, "not a regular file")
    # A privileged user could write it all the same, and is not meant to.
    if not status.st_mode & 0o222 or not os.access(target, os.W_OK):
        raise NotWritten(path, "it is read-only")
    with open(target, "rb") as stream:
        if stream.read() != encoded(source.text, source):
            raise NotWritten(path, "it has changed since it was checked")
    if data != encoded(source.text, source):
        with replacing(path) as stream:
            stream.write(data)
