"""The catalogue of what is said of violations: every sentence once, with a text that shows it.

Owns the wording. Imports the standard library alone. Invariant: one sentence an entry, without
ABNF; the example of each entry is answered with it, which a test and the page that is printed of
the catalogue (docs/messages.md) see to.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Entry(NamedTuple):
    """One sentence, with names for what changes in it, and a text of which it is said."""

    words: str
    example: str
    rule: str = "URI"
    grammar: str = "rfc3986"
    query: str | None = None
    schemes: bool = False
    policy: Mapping[str, Any] = MappingProxyType({})


CATALOGUE: dict[str, dict[str, Entry]] = {
    "Any component": {
        "not-allowed": Entry("{what} not allowed in {place}.", "http://example.com/a b"),
        "bad-escape": Entry('"%" must be followed by two hex digits.', "http://example.com/100%"),
        "brackets": Entry(
            '"[" and "]" are allowed only around an IPv6 address.', "http://example.com/?tag[]=x"
        ),
        "extra": Entry(
            "{whole} cannot have {place}.", "http://example.com/#a", rule="absolute-URI"
        ),
    },
    "Scheme": {
        "scheme-missing": Entry("The scheme is missing.", "//example.com/a"),
        "colon-missing": Entry('":" is missing after the scheme.', "ws", "ws-URI", "rfc6455"),
        "scheme-start": Entry("A scheme starts with a letter.", "1http://example.com/"),
        "scheme-not-allowed": Entry(
            "{whole} cannot have a scheme.", "http://example.com/", rule="relative-ref"
        ),
        "scheme-not-valid": Entry(
            'The text before "://" is not a valid scheme.', "ht_tp://h/a", rule="relative-ref"
        ),
    },
    "Host": {
        "slashes-missing": Entry(
            '"//" is missing after the scheme.', "http:example.com", schemes=True
        ),
        "host-missing": Entry("The host is missing.", "http:///a", schemes=True),
        "address-closed": Entry('"]" is missing after the address.', "http://[::1/"),
        "address-missing": Entry('There is no address between "[" and "]".', "http://[]/"),
        "port-colon": Entry('Only ":" and a port can follow "]".', "http://[::1]8080/"),
        "zone": Entry("URIs cannot contain zone identifiers.", "http://[fe80::1%eth0]/"),
        "ipv4-bracketed": Entry("An IPv4 address must not be in brackets.", "http://[192.0.2.1]/"),
        "name-bracketed": Entry("A host name must not be in brackets.", "http://[localhost]/"),
        "future": Entry(
            'An address of a future IP version is "v", a hex number, "." and the address.',
            "http://[v1.]/",
        ),
        "zeros-once": Entry('"::" can occur only once in an IPv6 address.', "http://[1::2::3]/"),
        "three-colons": Entry(
            '":::" is not allowed in an IPv6 address; "::" stands for zeros.', "http://[1:::2]/"
        ),
        "groups": Entry(
            "An IPv6 address has 8 groups; this one has {count}.", "http://[1:2:3:4:5:6:7]/"
        ),
        "groups-with-zeros": Entry(
            'With "::", an IPv6 address has at most 7 groups; this one has {count}.',
            "http://[1:2:3:4::5:6:7:8]/",
        ),
        "group": Entry(
            'A group of an IPv6 address has 1 to 4 hex digits; "{group}" is not valid.',
            "http://[::g]/",
        ),
        "group-digits": Entry(
            'A group of an IPv6 address has at most 4 hex digits; "{group}" has more.',
            "http://[12345::]/",
        ),
        "ipv4-end": Entry(
            "An IPv4 address is allowed only at the end of an IPv6 address.",
            "http://[1.2.3.4::1]/",
        ),
        "one-colon": Entry(
            'The groups of an IPv6 address are separated by single colons; "::" stands for zeros.',
            "http://[1:2:3:4:5:6:7:8:]/",
        ),
        "octet": Entry(
            'The numbers of an IPv4 address are 0 to 255, not "{octet}".',
            "http://[::1.1.1.256]/",
        ),
        "octet-before": Entry(
            '"." cannot follow "{octet}": the numbers of an IPv4 address are 0 to 255.',
            "http://[::256.1.1.1]/",
        ),
        "octet-zero": Entry(
            'The numbers of an IPv4 address have no leading zeros, but "{octet}" does.',
            "http://[::1.01.1.1]/",
        ),
        "octet-zero-before": Entry(
            '"." cannot follow "{octet}": the numbers of an IPv4 address have no leading zeros.',
            "http://[::01.1.1.1]/",
        ),
        "octets": Entry(
            "An IPv4 address has 4 numbers; this one has {count}.", "http://[::1.2.3]/"
        ),
    },
    "Port": {
        "port": Entry("A port has digits only.", "http://example.com:80a/"),
    },
    "Path": {
        "path-start": Entry('{place} must start with "/".', "a/b", rule="path-absolute"),
        "segment": Entry("{what} not allowed in a path segment.", "a/b", rule="segment"),
        "first-colon": Entry(
            'The first segment of a relative path cannot contain ":".',
            "10:30:00",
            rule="URI-reference",
        ),
    },
    "Query": {
        "parameter-missing": Entry(
            "An empty parameter is not allowed.", "http://h/?a=1&&b=2", query="key-value"
        ),
        "parameter-name": Entry(
            "The name of a parameter is missing.", "http://h/?=1", query="key-value"
        ),
        "value-missing": Entry(
            "The value of a parameter is missing.", "a=", rule="param", grammar="key-value"
        ),
        "parameter-value": Entry(
            '"=" is missing after the name of a parameter.', "http://h/?a=1&b", query="key-value"
        ),
    },
    "Fragment": {
        "doubled-fragment": Entry(
            'The "#" before the fragment is doubled.', "http://example.com/##a"
        ),
        "second-fragment": Entry(
            'A URI has one "#"; any other must be encoded.', "http://example.com/#a#b"
        ),
    },
    "Policies": {
        "forbidden": Entry(
            "{place} is not allowed.", "http://ann@example.com/", policy={"forbid": ["userinfo"]}
        ),
        "among": Entry(
            "The {name} must be {allowed}.", "ftp://h/", policy={"schemes": ["http", "https"]}
        ),
        "required": Entry("{place} is required.", "mailto:a", policy={"require": ["host"]}),
        "unknown-version": Entry(
            "The host is an address of an IP version that does not exist.",
            "http://[v7.x]/",
            policy={"forbid": ["special-purpose-address"]},
        ),
        "too-long": Entry(
            "The text has {length} characters; at most {most} are allowed.",
            "http://h/",
            policy={"max_length": 8},
        ),
    },
    "Schemes and grammars of your own": {
        "expected": Entry(
            "{what} not allowed in {place}; expected {expected}.", "8X0.4", "latitude", "rfc5870"
        ),
        "nothing": Entry(
            "{what} not allowed here; {the} is already complete.",
            "2026-11-231",
            "full-date",
            "rfc3339",
        ),
        "missing": Entry("{wanted} missing in {place}.", "mailto:ann", schemes=True),
        "incomplete": Entry("{the} is incomplete.", "urn:isbn:", schemes=True),
        "word-incomplete": Entry(
            "The word {word} is incomplete.", "lda://h/", "ldapurl", "rfc4516"
        ),
    },
}
"""All sentences, by the part of a URI that they are about."""

_ENTRIES = {name: entry.words for group in CATALOGUE.values() for name, entry in group.items()}


def say(name: str, /, **values: object) -> str:
    """A sentence of the catalogue, with a capital at its start.

    >>> say("groups", count=7)
    'An IPv6 address has 8 groups; this one has 7.'
    """
    words = _ENTRIES[name].format_map(values) if values else _ENTRIES[name]
    return words[:1].upper() + words[1:]
