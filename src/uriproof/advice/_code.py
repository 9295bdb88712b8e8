"""URIs that are code.

Owns which media types hold what runs. Imports the table of schemes. Invariant: a scheme is
compared as browsers do, who ignore tabs, line breaks and what stands before it.
"""

from ..grammar.scheme_table import SCRIPTS

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
