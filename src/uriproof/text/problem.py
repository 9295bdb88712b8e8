"""A problem detail for HTTP: how every refusal of a request is written (RFC 9457 §3).

Owns the members that all have. Imports the standard library alone. Invariant: nothing is in it but
what it is given, so its size is bounded by who asks.
"""

from __future__ import annotations

from typing import Any


def problem(status: int, detail: str, type: str = "about:blank", **members: Any) -> dict[str, Any]:
    """A problem detail, to be sent as ``application/problem+json``; ``members`` are its own.

    Errors: ValueError for a status that HTTP does not have. Spec: RFC 9457 §3.

    >>> problem(400, "not a valid URI", more=0)["title"]
    'Bad Request'
    """
    from http import HTTPStatus

    title = HTTPStatus(status).phrase
    if status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:  # before Python 3.13 it has the old name
        title = "Content Too Large"
    return {"type": type, "title": title, "status": status, "detail": detail, **members}
