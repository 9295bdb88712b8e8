"""The table of mistakes: each form that people really write, in the order in which they are tried.

Owns the sentences, and the order: what explains the whole text comes before what explains a part.
Imports the recognizers. Invariant: a text has the first form that recognizes it.
"""

from __future__ import annotations

from . import (
    around,
    data,
    escapes,
    holes,
    host,
    names,
    scheme,
    several,
)
from ._form import Form

# As another language writes it: the text has to be read first

_ESCAPES: tuple[Form, ...] = ()

# Data that programs write in lines, which nothing around a URI explains

_BASE64: tuple[Form, ...] = (
    Form(
        "space-in-base64",
        "Base64 data in a URI has no white space.",
        "data:image/gif;base64,R0lG ODlh",
        "data:image/gif;base64,R0lGODlh",
        data.space_in_base64,
    ),
)

# What stands around a URI

_AROUND: tuple[Form, ...] = ()

# Several URIs, or several hosts, in one text

_SEVERAL: tuple[Form, ...] = (
    Form(
        "several-hosts",
        "These are several hosts; a URI has one.",
        "redis://cache1:6379,cache2:6379/0",
        "redis://cache1:6379/0",
        host.several,
    ),
)

# Names that are not URIs

_NAMES: tuple[Form, ...] = ()

# Placeholders, and texts that were cut off

_HOLES: tuple[Form, ...] = ()

# The scheme and the slashes after it

_SCHEMES: tuple[Form, ...] = (
    Form(
        "missing-scheme",
        "The scheme is missing.",
        "www.example.com/a b",
        "https://www.example.com/a%20b",
        scheme.missing,
    ),
)

# Hosts, ports and user information

_HOSTS: tuple[Form, ...] = (
    Form(
        "delimiter-in-password",
        "The password contains {}.",
        "ftp://ann:x@y@ftp.example.org/",
        "ftp://ann:x%40y@ftp.example.org/",
        host.password,
    ),
    Form(
        "unbracketed-address",
        "An IPv6 address must be in brackets.",
        "https://2606:4700::6810:84e5/dns",
        "https://[2606:4700::6810:84e5]/dns",
        host.unbracketed,
    ),
    Form(
        "zone-identifier",
        "URIs cannot contain zone identifiers.",
        "http://[fe80::9%25en1]:631/",
        "http://[fe80::9]:631/",
        host.zone,
        any_rule=True,
    ),
    Form(
        "needless-brackets",
        "Only an IPv6 address is written in brackets.",
        "http://[10.0.0.7]:3000/",
        "http://10.0.0.7:3000/",
        host.needless_brackets,
        any_rule=True,
    ),
    Form(
        "no-colon-before-port",
        'The ":" before the port is missing.',
        "http://[fd00::3]8443/",
        "http://[fd00::3]:8443/",
        host.no_colon,
    ),
    Form(
        "host-in-another-script",
        "The host name is not in its ASCII form.",
        "https://señal.example/",
        "https://xn--seal-hqa.example/",
        host.other_script,
    ),
    Form(
        "space-beside-host",
        "A host and a port have no spaces around them.",
        "ftp://files.example.org: 2121/pub",
        "ftp://files.example.org:2121/pub",
        host.space,
    ),
)

# Data that a scheme writes in a way of its own, and percent signs

_DATA: tuple[Form, ...] = (
    Form(
        "bad-base64",
        "The data has a character that base64 does not have.",
        "data:font/woff;base64,d09G[Rg==",
        None,
        data.not_base64,
    ),
    Form(
        "no-comma-before-data",
        'The "," before the data is missing.',
        "data:good morning",
        "data:,good%20morning",
        data.no_comma,
    ),
    Form(
        "space-in-media-type",
        "The media type in a data URI has no white space.",
        "data:text/css; charset=utf-8,a%7B%7D",
        "data:text/css;charset=utf-8,a%7B%7D",
        data.space_in_media_type,
    ),
    Form(
        "space-in-number",
        "A telephone number in a URI has no spaces.",
        "tel:+44 20 7946 0123",
        "tel:+442079460123",
        data.space_in_number,
    ),
    Form(
        "space-in-urn",
        "A URN has no spaces.",
        "urn:issn:2049 3630",
        "urn:issn:20493630",
        data.space_in_urn,
    ),
    Form(
        "space-in-opaque",
        'The scheme "{}" allows no white space.',
        "geo:52.52, 13.405",
        "geo:52.52,13.405",
        data.space_in_opaque,
    ),
    Form(
        "doubled-percent",
        'The "%" is doubled.',
        "http://example.org/a%%20b",
        "http://example.org/a%20b",
        data.doubled_percent,
        any_rule=True,
    ),
)


OF_INVALID: tuple[Form, ...] = (
    *_ESCAPES,
    *_BASE64,
    *_AROUND,
    *_SEVERAL,
    *_NAMES,
    *_HOLES,
    *_SCHEMES,
    *_HOSTS,
    *_DATA,
)
"""Forms of texts that are not valid."""

OF_VALID: tuple[Form, ...] = (
    Form(
        "misspelled-scheme",
        'The scheme "{}" is misspelled.',
        "htps://example.com/",
        "https://example.com/",
        scheme.misspelled,
    ),
    Form(
        "nested-unescaped-url",
        'The URL in the query is not encoded, so that its "&" and "#" end it.',
        "http://example.org/go?to=http://example.net/?a=1&b=2",
        None,
        several.nested,
    ),
)
"""Forms of valid texts: each is asked only if advice of the same code is given."""

FORMS = (*OF_INVALID, *OF_VALID)

THEMES = {
    module.__name__.rpartition(".")[2]: (module.__doc__ or "").partition("\n")[0]
    for module in (around, data, escapes, holes, host, names, scheme, several)
}
"""What the forms of each module are about, by its name."""
