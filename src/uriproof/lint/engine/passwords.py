"""Passwords in URLs: where they stand, so that they are not shown.

Owns finding and masking them. Imports ``report``. Invariant: what is
masked has as many characters as before, so that every offset stays right.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...report import Report

__all__ = ["masked", "password"]

Span = tuple[int, int]


def password(report: Report, holes: Iterable[Span] = ()) -> Span | None:
    """Where the password of a URL's user information stands, if it has one (RFC 3986 §3.2.1).

    A password with a delimiter in it ends the authority too early: then all from the colon to the
    last ``@`` is taken for it. One that a template fills in is none.

    >>> from uriproof import check
    >>> password(check("ftp://me:pw@h/")), password(check("ftp://me:p/w@h/"))
    ((9, 11), (9, 12))
    """
    text = report.text
    if "@" not in text:
        return None
    span: Span | None = None
    userinfo = report.components.get("userinfo")
    if userinfo is not None:
        name, colon, secret = userinfo.text.partition(":")
        if secret:
            span = userinfo.start + len(name) + len(colon), userinfo.end
    else:
        port = report.components.get("port")
        blamed = {v.component for v in report.violations}
        if port is not None and "port" in blamed:
            end = text.rfind("@")
            span = (port.start, end) if port.start < end else None
    if span is not None and any(a <= span[0] and span[1] <= b for a, b in holes):
        return None
    return span


def masked(text: str, spans: Iterable[Span], at: int = 0) -> str:
    """The text with asterisks for the spans, which count from ``at`` before it. Cost: O(n).

    >>> masked("a:pw@b", [(12, 14)], 10)
    'a:**@b'
    """
    pieces: list[str] = []
    done = 0
    for start, end in sorted(spans):
        low, high = max(start - at, done), min(end - at, len(text))
        if low < high:
            pieces += text[done:low], "*" * (high - low)
            done = high
    return "".join([*pieces, text[done:]])
