"""What the advice rules ask about the scheme of a report.

Owns the scheme as one compares it, and which schemes have a path that is one datum. Imports
``report`` and the table of schemes. Invariant: a scheme is in lower case, or "".
"""

from ..report import Report
from ..uri.schemes import HOSTS, LOCAL, NAMES, NO_HIERARCHY, OCTETS, ORIGINS

MAPPED = ORIGINS | LOCAL.keys() | {""}
"""Schemes whose host browsers map before they use it (WHATWG URL, special schemes)."""

ONE_DATUM = (
    NO_HIERARCHY
    | NAMES
    | {
        "cid",  # RFC 2392 §2: the address that identifies a body part
        "coap",  # RFC 7252 §6.4: each segment is decoded by itself, into an option of its own
        "coap+tcp",  # RFC 8323 §8.4
        "coap+ws",
        "coaps",
        "coaps+tcp",
        "coaps+ws",
        "ftp",  # RFC 1738 §3.2.2: %2F is a slash within the name of a folder
        "gopher",  # RFC 4266 §2.1: a selector
        "imap",  # RFC 5092 §3: the name of a mailbox
        "ldap",  # RFC 4516 §2.1: a distinguished name
        "ldaps",
        "mid",  # RFC 2392 §2
        "news",  # RFC 5538 §3: a slash within a message-id must be encoded
        "nntp",  # RFC 5538 §4
        "snews",  # RFC 5538 §5
        "tag",  # RFC 4151 §2.1: dot-segments and slashes mean nothing
    }
)
"""Schemes in which an encoded slash is data by their specification, of a path or of a segment."""


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
    if name in ONE_DATUM or path is None:
        return False
    return not name or name in HOSTS or "host" in report.components or path.text.startswith("/")
