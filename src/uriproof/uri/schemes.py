"""What is known about single schemes, beyond the generic syntax.

Owns the default ports, and the few sets of schemes that some work depends on. Imports nothing.
Invariant: names are in lower case, and each entry stands beside its source.
"""

from __future__ import annotations

HOSTS = {
    "coap": "5683",  # RFC 7252 §6.1
    "coap+tcp": "5683",  # RFC 8323 §8.1
    "coap+ws": "80",  # RFC 8323 §8.3
    "coaps": "5684",  # RFC 7252 §6.2
    "coaps+tcp": "5684",  # RFC 8323 §8.2
    "coaps+ws": "443",  # RFC 8323 §8.4
    "dict": "2628",  # RFC 2229
    "ftp": "21",  # RFC 1738 §3.2
    "gopher": "70",  # RFC 4266
    "http": "80",  # RFC 9110 §4.2.1
    "https": "443",  # RFC 9110 §4.2.2
    "imap": "143",  # RFC 5092
    "ipp": "631",  # RFC 3510
    "nntp": "119",  # RFC 5538
    "rtsp": "554",  # RFC 7826 §4.2
    "telnet": "23",  # RFC 4248
    "ws": "80",  # RFC 6455 §3
    "wss": "443",  # RFC 6455 §3
}
"""Schemes whose URIs must have a host, and the port that is meant when there is none."""

DEFAULT_PORTS = HOSTS | {
    "aaa": "3868",  # RFC 6733 §4.3.1
    "aaas": "5658",  # RFC 6733 §4.3.1
    "acap": "674",  # RFC 2244 §3.1
    "dns": "53",  # RFC 4501 §3
    "icap": "1344",  # RFC 3507 §4.2
    "ipps": "631",  # RFC 7472 §4.2
    "ldap": "389",  # RFC 4516 §2
    "nfs": "2049",  # RFC 2224 §1
    "pop": "110",  # RFC 2384 §4
    "rsync": "873",  # RFC 5781 §2
    "rtsps": "322",  # RFC 7826 §4.2
    "snmp": "161",  # RFC 4088 §2.1
    "vnc": "5900",  # RFC 7869 §2.1
}
"""The port that is meant when there is none, also of schemes whose URIs may do without a host."""

WEB = frozenset({"http", "https", "ws", "wss"})
"""The schemes of RFC 9110 and RFC 6455, which have no use for user information."""

ORIGINS = WEB | {"ftp"}
"""Schemes whose URIs have a host that decides who is trusted (WHATWG URL, origin)."""

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

NAMES = frozenset({"urn"})
"""Schemes whose URIs are names within namespaces (RFC 8141 §2)."""
