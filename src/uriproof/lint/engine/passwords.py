"""The password of a URL in a file: where it stands, so that it is not shown.

Owns the exception for templates. Imports ``report`` and ``text``. Invariant: a password that a
template fills in is none.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...report import Report
from ...text.passwords import Span
from ...text.passwords import password as find

__all__ = ["password"]


def password(report: Report, holes: Iterable[Span] = ()) -> Span | None:
    """Where the password of a URL's user information stands, if it has one (RFC 3986 §3.2.1).

    >>> from uriproof import check
    >>> password(check("ftp://me:pw@h/")), password(check("ftp://me:{pw}@h/"), [(9, 13)])
    ((9, 11), None)
    """
    if "@" not in report.text:
        return None
    span = find(report.text, report.spans(), {v.component for v in report.violations})
    if span is not None and any(a <= span[0] and span[1] <= b for a, b in holes):
        return None
    return span
