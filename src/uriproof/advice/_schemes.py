"""What the advice rules know about single schemes.

Owns a table of schemes whose URIs have an authority, and their default ports. Imports
``report``. Invariant: names are in lower case, and each entry stands beside its source.
"""

from ..report import Report

DEFAULT_PORTS = {
    "coap": 5683,  # RFC 7252 §6.1
    "coaps": 5684,  # RFC 7252 §6.2
    "dict": 2628,  # RFC 2229
    "ftp": 21,  # RFC 1738 §3.2
    "gopher": 70,  # RFC 4266
    "http": 80,  # RFC 9110 §4.2.1
    "https": 443,  # RFC 9110 §4.2.2
    "imap": 143,  # RFC 5092
    "ipp": 631,  # RFC 3510
    "nntp": 119,  # RFC 5538
    "rtsp": 554,  # RFC 7826 §4.2
    "telnet": 23,  # RFC 4248
    "ws": 80,  # RFC 6455 §3
    "wss": 443,  # RFC 6455 §3
}
"""Schemes whose URIs must have a host, and the port that is meant when there is none."""

WEB = frozenset({"http", "https", "ws", "wss"})
"""The schemes of RFC 9110 and RFC 6455, which have no use for user information."""


def scheme(report: Report) -> str:
    """The scheme in lower case, for case means nothing in it (RFC 3986 §3.1); "" if none."""
    component = report.components.get("scheme")
    return component.text.lower() if component else ""


def has_octets(report: Report) -> bool:
    """Whether percent-encoding carries any octets, not text alone: data URIs (RFC 2397 §3)."""
    return scheme(report) == "data"
