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

_ESCAPES: tuple[Form, ...] = ()

# What stands around a URI

_AROUND: tuple[Form, ...] = ()

# Several URIs, or several hosts, in one text

_SEVERAL: tuple[Form, ...] = ()

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
)
"""Forms of valid texts: each is asked only if advice of the same code is given."""

FORMS = (*OF_INVALID, *OF_VALID)
