"""The table of mistakes: each form that people really write, in the order in which they are tried.

Owns the sentences, and the order: what explains the whole text comes before what explains a part.
Imports the recognizers. Invariant: a text has the first form that recognizes it.
"""

from __future__ import annotations

from . import (  # noqa: F401 -- each will have forms
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

_ESCAPES: tuple[Form, ...] = (
    Form(
        "escaped-json",
        "The {} are escaped as in JSON.",
        r"https:\/\/shop.example\/items?id=7",
        "https://shop.example/items?id=7",
        escapes.json,
    ),
    Form(
        "escaped-javascript",
        '"{}" is a JavaScript escape.',
        r"https://shop.example/?a=1\u0026b=2",
        "https://shop.example/?a=1&b=2",
        escapes.javascript,
    ),
    Form(
        "escaped-punctuation",
        "The backslashes are escapes of Markdown, a shell or a regular expression.",
        r"https://shop.example/snow\_shoes",
        "https://shop.example/snow_shoes",
        escapes.punctuation,
    ),
    Form(
        "escaped-percent-u",
        '"{}" is an old JavaScript escape.',
        "https://shop.example/na%u00EFve",
        "https://shop.example/na%C3%AFve",
        escapes.percent_u,
        any_rule=True,
    ),
    Form(
        "escaped-uri",
        "The delimiters of the URI are percent-encoded.",
        "https%3A%2F%2Fshop.example%2Fitems%3Fid%3D7",
        "https://shop.example/items?id=7",
        escapes.whole,
    ),
    Form(
        "escaped-html",
        '"{}" is an HTML entity.',
        "https&colon;//shop.example/",
        "https://shop.example/",
        escapes.html,
    ),
)

# What stands around a URI

_AROUND: tuple[Form, ...] = (
    Form(
        "byte-order-mark",
        "The byte order mark at the start is not part of the URI.",
        "\ufeffhttps://shop.example/",
        "https://shop.example/",
        around.byte_order_mark,
        any_rule=True,
    ),
    Form(
        "text-direction",
        "{} changes the direction in which text is displayed.",
        "https://shop.example/\u202efdp.exe",
        "https://shop.example/fdp.exe",
        around.direction,
        any_rule=True,
    ),
    Form(
        "control-character",
        "There is a control character in the text: {}.",
        "https://shop.example/a\x00.png",
        "https://shop.example/a.png",
        around.control,
        any_rule=True,
    ),
    Form(
        "invisible-character",
        "There is an invisible character in the text: {}.",
        "https://shop\u200b.example/",
        "https://shop.example/",
        around.invisible,
        any_rule=True,
    ),
    Form(
        "white-space-around",
        "The {} is not part of the URI.",
        "\thttps://shop.example/\n",
        "https://shop.example/",
        around.at_ends,
    ),
    Form(
        "other-space",
        "{} is not an ordinary space.",
        "https://shop.example/snow\u00a0shoes",
        "https://shop.example/snow%20shoes",
        around.other_space,
        any_rule=True,
    ),
    Form(
        "line-break",
        "The {} is not part of the URI.",
        "https://shop.example/snow-\n  shoes",
        "https://shop.example/snow-shoes",
        around.line_breaks,
    ),
    Form(
        "markup",
        "This is {}.",
        "![snow shoes](https://shop.example/7.png)",
        "https://shop.example/7.png",
        around.markup,
    ),
    Form(
        "markup-after",
        "The HTML after the URI is not part of it.",
        'https://shop.example/">snow shoes</a>',
        "https://shop.example/",
        around.tags_after,
    ),
    Form(
        "wrapped",
        "The {} are not part of the URI.",
        "(https://shop.example/).",
        "https://shop.example/",
        around.wrapped,
    ),
    Form(
        "mark-before-host",
        "The {} before the host is not part of the URI.",
        'https://"www.shop.example/',
        "https://www.shop.example/",
        around.before_host,
    ),
    Form(
        "mark-before",
        "The {} at the start is not part of the URI.",
        "„https://shop.example/",
        "https://shop.example/",
        around.opening,
    ),
    Form(
        "mark-after",
        "The {} at the end is not part of the URI.",
        "https://shop.example/>",
        "https://shop.example/",
        around.closing,
    ),
    Form(
        "text-before",
        "{} is not part of the URI.",
        "Shop: https://shop.example/",
        "https://shop.example/",
        around.label,
    ),
)

# Several URIs, or several hosts, in one text

_SEVERAL: tuple[Form, ...] = (
    Form(
        "several-uris",
        "These are {} URIs.",
        "https://shop.example/1; https://shop.example/2",
        "https://shop.example/1",
        several.uris,
    ),
)

# Names that are not URIs

_NAMES: tuple[Form, ...] = ()

# Placeholders, and texts that were cut off

_HOLES: tuple[Form, ...] = (
    Form(
        "placeholder",
        '"{}" is a placeholder that was not filled in.',
        "https://shop.example/items/{item_id}",
        None,
        holes.placeholder,
        any_rule=True,
    ),
    Form(
        "open-placeholder",
        'The closing brace of the placeholder "{}" is missing.',
        "https://shop.example/{item/7",
        None,
        holes.open_placeholder,
    ),
    Form(
        "cut-off",
        'The text was cut off at "{}".',
        "https://shop.example/a long na…",
        None,
        holes.ellipsis,
    ),
    Form(
        "left-out",
        '"{}" stands for text that was left out.',
        "https://shop.example/…/7",
        None,
        holes.elided,
    ),
    Form(
        "cut-escape",
        'The text was cut off in the middle of a percent-encoded octet: "{}".',
        "https://shop.example/snow%20shoes%2",
        None,
        holes.cut_escape,
    ),
    Form(
        "cut-address",
        'The text was cut off: the "]" after the IPv6 address is missing.',
        "https://[2001:db8::7",
        "https://[2001:db8::7]",
        holes.open_bracket,
    ),
)

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

_HOSTS: tuple[Form, ...] = ()

# Data that a scheme writes in a way of its own, and percent signs

_DATA: tuple[Form, ...] = ()


OF_INVALID: tuple[Form, ...] = (
    *_ESCAPES,
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
        "html-entity",
        '"{}" is an HTML entity.',
        "https://shop.example/?a=1&#38;b=2",
        "https://shop.example/?a=1&b=2",
        escapes.ampersand,
    ),
)
"""Forms of valid texts: each is asked only if advice of the same code is given."""

FORMS = (*OF_INVALID, *OF_VALID)
