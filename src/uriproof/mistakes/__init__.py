"""Mistakes: what a person meant who wrote this text, as a whole.

Owns the recognition of mistakes, in the order of ``table``, and the making of suggestions. Imports
``report``, ``percent`` and its own modules; the table's recognizers may import what is below.
Invariant: what is suggested is a text that the same validation accepts, other than the text itself;
nothing of a text is looked at more than a fixed number of times, so that all costs O(n).

To add a form of mistake, write its recognizer in the module of its theme, decorated with its code
and its sentence, and give it a place in ``table``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from ..advice import begins_as_usual
from ..grammar.schemes import HOSTS, LOCAL, SCHEMES
from ..limits import DEEPEST_CORRECTION, LONGEST_MISTAKE, MOST_SUGGESTIONS
from ..report import Meant, Report, Suggestion, Violation, spliced
from ..validate.octets import percent_encoded
from ._form import Seen

__all__ = ["fixed", "mistake", "recognize", "suggestions"]


def recognize(report: Report, whole: bool = True) -> Meant | None:
    """The first form of mistake that a text has; None if it has none that is known.

    ``whole``: whether the rule is one of whole texts that have components. In a valid text, only
    what advice calls a mistake is recognized. Cost: O(n).
    """
    from .table import OF_INVALID, OF_USUAL, OF_VALID

    if len(report.text) > LONGEST_MISTAKE:
        return None
    seen = Seen(report, whole)
    if report.ok:
        forms = tuple([form for form in OF_VALID if form.code in seen.codes])
    else:
        forms = OF_USUAL if _begins_well(report) else OF_INVALID
    for form in forms:
        if (whole or form.any_rule) and (found := form.recognize(seen)) is not None:
            return form.meant_by(found)
    return None


_BEGINNING = frozenset(("scheme", "userinfo", "host", "port"))


def _begins_well(report: Report) -> bool:
    """Whether nothing is wrong up to the path: then nobody meant another scheme or host."""
    text = report.text
    return (
        begins_as_usual(text)
        and "@" not in text
        and "\\" not in text
        and text.isascii()
        and all(
            v.start > text.index("//") and v.component not in _BEGINNING for v in report.violations
        )
    )


_WITHOUT_HOST = SCHEMES.keys() - HOSTS - LOCAL.keys()


def is_plain(text: str) -> bool:
    """Whether a valid text is of so usual a form that it has no mistake. Cost: O(n), in C.

    >>> is_plain("https://example.com/?a=1&b=2"), is_plain("https://example.com/?a=1&amp;b=2")
    (True, False)
    """
    usual = begins_as_usual(text)
    if not usual and "//" not in text:
        usual = ":" not in text or text.partition(":")[0] in _WITHOUT_HOST
    # An entity of HTML, and a URL with a query in the query, are what can still be wrong.
    return usual and not 0 <= text.find("&") < text.rfind(";") and text.count("?") < 2  # noqa: PLR2004


def mistake(report: Report) -> Meant | None:
    """The mistake of a text, valid or not: that which its report was made with. Cost: O(n)."""
    if report.ok:
        return None if is_plain(report.text) else recognize(report)
    return report._source.meant


def suggestions(
    report: Report,
    again: Callable[[str], Report],
    codes: Collection[str] | None = None,
    encoding: str = "utf-8",
) -> tuple[Suggestion, ...]:
    """What was probably meant, the best first; ``codes`` are of what may be corrected. Cost: O(n).

    ``again`` reports another text, validated against the same. Characters are percent-encoded in an
    encoding. Errors: CharacterError.
    """
    meant = mistake(report)
    if meant is None:
        return ()
    found: dict[str, Suggestion] = {}
    may = _May(again, codes, encoding)
    for one in _corrected(report, may, meant, DEEPEST_CORRECTION):
        found.setdefault(one.text, one)
        if len(found) == MOST_SUGGESTIONS:
            break
    return tuple(found.values())


def fixed(report: Report, encoding: str) -> str | None:
    """``Report.fixed``, with the characters in an encoding. Errors: CharacterError."""
    made = report.fixed
    if made is None or encoding == "utf-8":
        return made
    return spliced(
        report.text, ((v.start, v.end, _encoded(v, encoding)) for v in report.violations)
    )


def _encoded(violation: Violation, encoding: str) -> str:
    """The characters of a violation in an encoding. Errors: CharacterError."""
    try:
        return percent_encoded(violation.found, encoding)
    except UnicodeError:
        from ..percent.errors import CharacterError
        from ..text.drawing import named

        message = f"{named(violation.found[0])} has no octets in {encoding}"
        raise CharacterError(message, violation.start, violation.end) from None


class _May(NamedTuple):
    """How corrections are made: what validates a text, which mistakes, and in what encoding."""

    again: Callable[[str], Report]
    codes: Collection[str] | None
    encoding: str


def _corrected(report: Report, may: _May, meant: Meant, deepest: int) -> Iterator[Suggestion]:
    """The corrections of one mistake that are accepted, also after further corrections."""
    if may.codes is not None and meant.code not in may.codes:
        return
    for text in meant.texts:
        if text == report.text:
            continue
        made = may.again(text)
        further = mistake(made)
        if further is not None and deepest:
            for one in _corrected(made, may, further, deepest - 1):
                if one.text != report.text:
                    reasons = dict.fromkeys((meant.reason, one.reason))
                    yield Suggestion(one.text, " ".join(reasons), meant.code)
        elif (right := fixed(made, may.encoding)) is not None and may.again(right).ok:
            yield Suggestion(right, meant.reason, meant.code)
