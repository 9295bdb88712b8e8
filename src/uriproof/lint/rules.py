"""The linter's own rules, in addition to the grammar and its advice.

Owns the rules. Imports the rest of ``lint`` below the engine. Invariant: a code is never reused for
another rule; a rule runs only if its settings enable it.

A rule is a ``LintRule`` in ``_RULES``, with its texts and its function; nothing else needs editing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from ..diagnostic import Edit, Severity
from ..report import Report
from ..text.drawing import named
from ..text.invisible import hidden
from ..text.names import or_list
from ..text.patterns import lazy
from .config.settings import Settings
from .files.source import Source
from .found import Found
from .suppress.comments import VERBS, Suppression, near_verb

Subject = Literal["file", "hidden", "policy", "suppressions"]
"""The subjects of a rule: a file, ``check(source)``; each URL with possible invisible characters,
``check(found, report)``; or a file's suppressions after they were applied, ``check(known,
is_active)``, where ``is_active`` tells whether a selector names a code that is currently reported.
A ``Judge`` reports what a policy refuses: these rules check nothing."""

_UNDECODED = lazy("[\udc80-\udcff]")


class Problem(NamedTuple):
    """A finding of a rule: a half-open range of the file's text, a message, a fix if any."""

    start: int
    end: int
    message: str
    edit: Edit | None = None
    component: str = ""


class LintRule(NamedTuple):
    """A rule and its texts; ``good`` and ``bad`` are lines of a file."""

    code: str
    title: str
    why: str
    good: str
    bad: str
    severity: Severity
    kind: Subject
    check: Callable[..., Iterator[Problem]] = lambda *_: iter(())
    applies: Callable[[Settings], Any] = lambda settings: True


def bad_encoding(source: Source) -> Iterator[Problem]:
    """The first byte that is not valid in the encoding of the file; the rest is still checked."""
    if source.bad >= 0:
        match = _UNDECODED.search(source.text)
        at = match.start() if match else 0
        encoding = source.encoding.upper()
        yield Problem(at, at + 1, f"The byte at offset {source.bad:,} is not valid {encoding}.")


def invisible_character(found: Found, report: Report) -> Iterator[Problem]:
    """Each invisible character that is not in a violation; joiners are allowed if a script
    or an emoji needs them."""
    not_asked = [(one.start, one.end) for one in report.violations] + [*found.holes]
    for at, char in enumerate(found.text):
        what = "" if char.isascii() else hidden(found.text, at)
        if what and not any(start <= at < end for start, end in not_asked):
            parts = (one for one in report.components.values() if one.start <= at < one.end)
            inner = min(parts, key=lambda one: one.end - one.start, default=None)
            where = inner.name if inner else ""
            message = f"{named(char)} {what}."
            yield Problem(found.offset(at), found.offset(at + 1), message, component=where)


def suppression_without_reason(
    known: list[Suppression], is_active: Callable[[str], bool]
) -> Iterator[Problem]:
    """Each suppression with a missing reason."""
    for one in known:
        if one.verb != "enable" and not one.reason:
            yield Problem(one.start, one.end, "Give a reason after the codes.")


def unused_suppression(
    known: list[Suppression], is_active: Callable[[str], bool]
) -> Iterator[Problem]:
    """Each suppression, or code in one, that suppresses nothing.

    A code that is not active now might be needed another time: it is not reported.
    """
    for one in known:
        removal = Edit(*one.removal, "", True) if one.removal else None
        if one.verb not in VERBS:
            near = near_verb(one.verb)
            hint = f"Did you mean {near}?" if near else f"Write {or_list(VERBS)}."
            message = f"{one.verb!r} is not a suppression. {hint}"
            yield Problem(one.start, one.end, message)
        elif one.verb == "enable" or not one.codes:
            if not one.used:
                yield Problem(one.start, one.end, _nothing(one), removal)
        else:
            idle = [(c, at) for c, at in one.codes if c not in one.used and is_active(c)]
            if len(idle) == len(one.codes):
                yield Problem(one.start, one.end, _nothing(one), removal)
            else:
                for code, at in idle:
                    yield Problem(at, at + len(code), f"{code} is not reported here.")


def _nothing(one: Suppression) -> str:
    if one.verb != "enable":
        return "This does not suppress anything."
    return f"No block{' of these codes' if one.codes else ''} is open here."


_WITH_REASON = (
    'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal] the server requires it'
)


def _of_policy(code: str, title: str, why: str, good: str, bad: str) -> LintRule:
    return LintRule(code, title, why, good, bad, "error", "policy")


def _forbidden(component: str, why: str, good: str, bad: str) -> LintRule:
    """The rule for a component that the policy of the settings does not allow as it is."""
    title = f"A {component} that a policy does not allow"
    return _of_policy(f"{component}-forbidden", title, why, good, bad)


_ALONE = (
    "The grammar allows it, but the option `forbid` names this component, or the policy of an "
    "application forbids it."
)
_LISTED = (
    "The grammar allows it, but it is not in the list of the option `{0}` or of the policy of an "
    "application, or the option `forbid` names this component."
)

_RULES = (
    LintRule(
        "bad-encoding",
        "A byte that is not valid in the encoding of the file",
        "A file is read as UTF-8, unless its byte order mark or its declaration (PEP 263, XML 1.0 "
        "§4.3.3) names another encoding. A byte that is not valid in this encoding cannot be read "
        "as a character: in a URL it is reported as a violation, elsewhere it is ignored.",
        "# coding: latin-1",
        "a line with the byte 0xE9, and no declaration",
        "note",
        "file",
        bad_encoding,
    ),
    _forbidden("fragment", _ALONE, "http://example.com/", "http://example.com/#a"),
    _forbidden("host", _LISTED.format("hosts"), "http://example.com/", "http://example.org/"),
    LintRule(
        "invisible-character",
        "An invisible character in an IRI",
        "An IRI can contain it, but nobody types it: it is copied along with other text, or it "
        "hides the real IRI (RFC 3987 §4.1, §8). Software encodes it like any other character, "
        "and requests a different resource than the one that people read.",
        "[the guide](http://example.com/guide)",
        "a no-break space (U+00A0) at the end of http://example.com/guide",
        "warning",
        "hidden",
        invisible_character,
    ),
    _forbidden("path", _ALONE, "http://example.com", "http://example.com/a"),
    _forbidden("port", _ALONE, "http://example.com/", "http://example.com:8080/"),
    _forbidden("query", _ALONE, "http://example.com/", "http://example.com/?a"),
    _forbidden("scheme", _LISTED.format("schemes"), "https://example.com/", "ftp://example.com/"),
    LintRule(
        "suppression-without-reason",
        "A suppression without a reason",
        "Later readers cannot tell whether it still applies. With `require-reason`, a reason must "
        "follow the codes.",
        _WITH_REASON,
        'URL = "http://example.com/a b"  # uriproof: ignore[path-illegal]',
        "warning",
        "suppressions",
        suppression_without_reason,
        lambda settings: settings.require_reason,
    ),
    _of_policy(
        "too-long",
        "A text that is longer than a policy or a limit allows",
        "The grammar does not limit the length. The option `max-length`, or the policy of an "
        "application, does.",
        "http://example.com/a",
        "http://example.com/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ),
    LintRule(
        "unused-suppression",
        "An unused suppression",
        "The problem has been fixed, or the code is misspelled. The comment might hide the next "
        "violation on its line.",
        _WITH_REASON,
        'URL = "http://example.com/a%20b"  # uriproof: ignore[path-illegal]',
        "warning",
        "suppressions",
        unused_suppression,
    ),
    _forbidden("userinfo", _ALONE, "ftp://example.com/", "ftp://jane@example.com/"),
)
_BY_CODE = {rule.code: rule for rule in _RULES}


def rules() -> dict[str, LintRule]:
    """Every rule by its code, sorted.

    >>> rules()["unused-suppression"].severity
    'warning'
    """
    return _BY_CODE
