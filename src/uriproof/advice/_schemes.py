"""What the advice rules ask about the scheme of a report.

Owns the scheme as one compares it, and whether its path has a hierarchy. Imports ``report`` and
the table of schemes. Invariant: a scheme is in lower case, or "".
"""

from ..grammar.scheme_table import HOSTS, OCTETS, SLASH_IS_DATA, SPECIAL
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
