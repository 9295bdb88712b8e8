"""Mistakes: what a person meant who wrote this text, as a whole.

Owns the recognition of mistakes, in the order of ``table``, and the making of suggestions. Imports
``report`` and its own modules; the table's recognizers may import what is below. Invariant: what is
suggested is a text that the same validation accepts, other than the text itself; nothing of a text
is looked at more than a fixed number of times, so that all costs O(n).

To add a form of mistake, add its row to ``table`` and its recognizer to the module of its theme.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..limits import DEEPEST_CORRECTION, MOST_SUGGESTIONS
from ..report import Meant, Report, Suggestion
from ._form import Seen

__all__ = ["recognize", "suggestions"]


def recognize(report: Report, whole: bool = True) -> Meant | None:
    """The first form of mistake that a text has; None if it has none that is known.

    ``whole``: whether the rule is one of whole texts that have components. In a valid text, only
    what advice calls a mistake is recognized. Cost: O(n).
    """
    from .table import OF_INVALID, OF_VALID

    seen = Seen(report, whole)
    forms = [form for form in OF_VALID if form.code in seen.codes] if report.ok else OF_INVALID
    return next((meant for form in forms if (meant := form.read(seen)) is not None), None)


def suggestions(report: Report) -> tuple[Suggestion, ...]:
    """What was probably meant, the best first. Cost: O(n)."""
    again = report._again
    if again is None:
        return ()
    meant = recognize(report) if report.ok else report._meant
    found: dict[str, Suggestion] = {}
    if meant is None:
        return ()
    for one in _corrected(report, again, meant, DEEPEST_CORRECTION):
        found.setdefault(one.text, one)
        if len(found) == MOST_SUGGESTIONS:
            break
    return tuple(found.values())


def _corrected(
    report: Report, again: Callable[[str], Report], meant: Meant, deepest: int
) -> Iterator[Suggestion]:
    """The corrections of one mistake that are accepted, also after further corrections."""
    for text in meant.texts:
        if text == report.text:
            continue
        made = again(text)
        further = made._meant if made.violations else recognize(made)
        if further is not None and deepest:
            for one in _corrected(made, again, further, deepest - 1):
                if one.text != report.text:
                    yield Suggestion(one.text, _both(meant, one.reason), meant.code)
        elif made.ok:
            yield Suggestion(text, meant.reason, meant.code)
        elif made.fixed is not None and again(made.fixed).ok:
            yield Suggestion(made.fixed, meant.reason, meant.code)


def _both(meant: Meant, reason: str) -> str:
    """The reasons for two corrections, one after the other."""
    return meant.reason if reason == meant.reason else f"{meant.reason} {reason}"
