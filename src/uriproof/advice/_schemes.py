"""What the advice rules ask about the scheme of a report.

Owns the scheme as one compares it, whether its path has a hierarchy, and which URIs are code.
Imports ``report`` and the table of schemes. Invariant: a scheme is in lower case, or ""; code is
found as browsers find it, who ignore tabs, line breaks and what stands before the scheme.
"""

from __future__ import annotations

from ..grammar.schemes import HOSTS, OCTETS, SCRIPTS, SLASH_IS_DATA, SPECIAL
from ..report import Report

MAPPED = SPECIAL | {""}
"""Schemes whose host browsers map before they use it (WHATWG URL, special schemes)."""


def scheme(report: Report) -> str:
    """The scheme in lower case, for case means nothing in it (RFC 3986 §3.1); "" if none."""
    component = report.components.get("scheme")
    return component.text.lower() if component else ""


def wraps(report: Report) -> bool:
    """Whether a URI has another one after "//", as "hls://https://example.com/a": not where its own
    scheme has hosts, for there that is a mistake."""
    host, path = report.components.get("host"), report.components.get("path")
    if host is None or path is None or scheme(report) in HOSTS or not scheme(report):
        return False
    return path.text.startswith("//") and host.text.lower() in HOSTS


def has_octets(report: Report) -> bool:
    """Whether percent-encoding carries any octets, not text alone."""
    return scheme(report) in OCTETS


def is_hierarchical(report: Report) -> bool:
    """Whether slashes divide the path into segments that servers divide, too (RFC 3986 §1.2.3).

    A URI without authority whose path does not start with a slash has a path of its scheme's own.
    """
    name, path = scheme(report), report.components.get("path")
    if name in SLASH_IS_DATA or path is None:
        return False
    return not name or name in HOSTS or "host" in report.components or path.text.startswith("/")


_MARKUP = frozenset(
    {"text/html", "text/xml", "application/xhtml+xml", "application/xml", "image/svg+xml"}
)
_REMOVED = dict.fromkeys(map(ord, "\t\n\r"))  # WHATWG URL Standard §4.4
_BEFORE = "".join(map(chr, range(0x21)))  # C0 controls and the space, in front


def media_type(path: str) -> str:
    """The media type of a data URI if what it says can run, else "" (RFC 2397 §3).

    >>> media_type("image/svg+xml;base64,PA=="), media_type("text/plain,a")
    ('image/svg+xml', '')
    """
    named = path.partition(",")[0].partition(";")[0]
    return named if named.lower() in _MARKUP else ""


def is_code(text: str) -> bool:
    """Whether browsers run what follows a link to this text.

    >>> is_code("java\\nscript:alert(1)"), is_code("data:text/plain,javascript:")
    (True, False)
    """
    name, colon, rest = text.lstrip(_BEFORE).translate(_REMOVED).partition(":")
    name = name.lower()
    return bool(colon) and (name in SCRIPTS or (name == "data" and bool(media_type(rest))))
