"""What is known about single schemes, beyond the generic syntax.

Owns a table of schemes whose URIs have an authority, with their default ports, and the few sets
of schemes that some work depends on. Imports nothing. Invariant: names are in lower case, and
each entry stands beside its source.
"""

from __future__ import annotations

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

OCTETS = frozenset({"data"})
"""Schemes whose percent-encoding carries any octets, not text alone (RFC 2397 §3)."""

NO_HIERARCHY = frozenset(
    {
        "data",  # RFC 2397 §3: a media type and data
        "mailto",  # RFC 6068 §2: addresses
    }
)
"""Schemes whose path is one datum: a slash or a dot in it means no step up or down."""

LOCAL = {"file": "localhost"}
"""Schemes for which this host, an empty one and none at all mean the same (RFC 8089 §2)."""
