"""URI cleaning: what a person typed becomes a URI.

Owns ``clean``, for texts that somebody else has put together (encode data with ``encode`` before it
is put into a URI), and the values that it makes. Imports the public face, and the table of
mistakes. Invariant: the result is a text that the rule accepts, and that has no mistake that is
known; cleaning it again changes nothing; nothing is decided here: ``check`` knows what is a fix,
and ``mistakes`` what was meant.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, Unpack, overload

from .. import mistakes
from ..arguments import strings
from ..errors import HasVerdict
from ..mistakes.table import FORMS, THEMES
from ..percent.errors import known
from ..report import InvalidURI, Report, Suggestion
from ..rule import Rule, as_rule, is_valid
from ..text.names import did_you_mean, or_list
from ..text.passwords import without_passwords

REPAIRS = THEMES
"""What may be repaired, by name: the themes of mistakes."""


@dataclass(frozen=True)
class Cleaning(HasVerdict):
    """What became of one text.

    ``result`` is the URI; None if there is none, or if it is not known which. ``reason`` is a
    sentence about what was meant, and empty where only fixes were made. ``suggestions`` are the
    texts that may be meant: the result, where a mistake was corrected, and otherwise all the
    candidates. ``report`` is that of the text that was given; ``report.violations`` have the fixes.
    """

    text: str
    rule: str
    result: str | None
    reason: str
    suggestions: tuple[Suggestion, ...]
    report: Report

    @property
    def ok(self) -> bool:
        """True exactly when there is a result."""
        return self.result is not None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {
            "text": self.text,
            "rule": self.rule,
            "ok": self.ok,
            "result": self.result,
            "reason": self.reason,
            "suggestions": [one.to_dict() for one in self.suggestions],
        }

    def __repr__(self) -> str:
        return f"Cleaning({without_passwords(self.text)!r}, {self.rule!r}, ok={self.ok})"


class NotCleaned(InvalidURI):
    """Raised by ``clean``: no URI can be made of the text, or it is not known which was meant.

    ``suggestions`` are the candidates, the best first, each accepted by the rule; ``cleaning`` is
    the full account, and ``report`` that of the text that was given.
    """

    cleaning: Cleaning

    def __init__(self, cleaning: Cleaning) -> None:
        self.cleaning = cleaning
        super().__init__(cleaning.report)
        self.args: tuple[Any, ...] = (cleaning,)

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """The texts that may be meant."""
        return self.cleaning.suggestions

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values: those of ``cleaning``."""
        return self.cleaning.to_dict()

    def __str__(self) -> str:
        found = self.cleaning
        texts = [without_passwords(one.text) for one in found.suggestions]
        words = f" Did you mean {or_list(texts)}?" if texts else ""
        return f"{without_passwords(found.reason)}{words}" if found.reason else super().__str__()


class Repairing(TypedDict, total=False):
    """The options of ``clean`` beside ``report``."""

    repair: bool | Iterable[str]
    encoding: str


@overload
def clean(
    text: str, rule: str | Rule = ..., *, report: Literal[False] = ..., **how: Unpack[Repairing]
) -> str: ...
@overload
def clean(
    text: str, rule: str | Rule = ..., *, report: Literal[True], **how: Unpack[Repairing]
) -> Cleaning: ...
def clean(
    text: str,
    rule: str | Rule = "URI",
    *,
    repair: bool | Iterable[str] = True,
    encoding: str = "utf-8",
    report: bool = False,
) -> str | Cleaning:
    """The URI that a person meant who typed this text, if only one can be meant.

    All fixes of ``check`` are applied: characters that no URI has are percent-encoded, in
    ``encoding``. If the text has a mistake, it becomes the only one of ``Report.suggestions``.
    ``repair`` names the mistakes that may be corrected: by theme, those of ``REPAIRS``, or by code,
    as a suggestion has it; false leaves the fixes alone. What is valid and has no mistake stays as
    it is. With ``report`` nothing of the text is an error: the ``Cleaning`` says what became of it.

    Errors: NotCleaned, with the candidates in ``suggestions``; CharacterError for a character that
    has no octets in ``encoding``; ValueError for an unknown repair; UnknownRule, UnknownEncoding,
    TypeError. Cost: O(n). Source: RFC 3986 sections 2.1, 2.4 and 3.

    >>> clean("http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=f")
    'http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=f'
    >>> clean("http://[::1]/a%20b c\u00e9", encoding="latin-1")
    'http://[::1]/a%20b%20c%E9'
    >>> clean("www.example.com/100%?a[]=1")
    'https://www.example.com/100%25?a%5B%5D=1'
    >>> try: clean("http://2001:db8::1:80/")
    ... except NotCleaned as error: print(error)
    An IPv6 address must be in one pair of brackets. Did you mean http://[2001:db8::1]:80/ or \
http://[2001:db8::1:80]/?

    The article's own example of what no cleaner can know:

    >>> typed = "http://example.com/admin/login?redirect=http://example.com/news#funny&name=Helen"
    >>> clean(typed, report=True).reason
    'The URL in the query is not encoded, so that its "&" and "#" end it.'
    """
    if (repair, encoding, report) == _USUAL and is_valid(text, rule) and mistakes.is_plain(text):
        return text  # as most are, and it needs no report
    strings(text=text)
    found = _cleaned(text, as_rule(rule), _codes(repair), known(encoding))
    if report:
        return found
    if found.result is None:
        raise NotCleaned(found)
    return found.result


_USUAL = (True, "utf-8", False)
"""The options ``repair``, ``encoding`` and ``report`` of most calls."""


def _cleaned(text: str, rule: Rule, codes: frozenset[str], encoding: str) -> Cleaning:
    first = found = rule.check(text)
    meant = mistakes.mistake(found)
    if meant is None and not found.ok:
        fixed = mistakes.fixed(found, encoding)
        if fixed is None:
            return Cleaning(text, rule.name, None, "", (), first)
        found = rule.check(fixed)
        meant = mistakes.mistake(found)
    if meant is None:
        return Cleaning(text, rule.name, found.text, "", (), first)
    options = mistakes.suggestions(found, rule.check, codes, encoding)
    only = options[0].text if len(options) == 1 else None
    if only is not None and mistakes.mistake(rule.check(only)) is not None:
        only = None  # after as many corrections as are made, there is another mistake
    options = options or found.suggestions
    return Cleaning(text, rule.name, only, (options or [meant])[0].reason, options, first)


def _codes(asked: bool | Iterable[str]) -> frozenset[str]:
    """The codes of the mistakes that may be corrected. Errors: ValueError, for an unknown name."""
    themes = {form.code: form.theme for form in FORMS}
    if isinstance(asked, bool):
        return frozenset(themes if asked else ())
    wanted = frozenset([asked] if isinstance(asked, str) else asked)
    names = [*REPAIRS, *themes]
    for name in sorted(wanted.difference(names), key=str):
        raise ValueError(f"unknown repair {name!r}{did_you_mean(str(name), names)}")
    return frozenset(code for code, theme in themes.items() if not wanted.isdisjoint((code, theme)))
