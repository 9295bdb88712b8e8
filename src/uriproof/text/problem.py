"""A problem detail for HTTP: the form of every refusal of a request (RFC 9457 §3).

Owns the common members. Imports only the standard library. Invariant: it holds only its
arguments, so its size is bounded by the caller.
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
