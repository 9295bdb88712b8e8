"""Names that are domains for certain, without a list of all of them.

Owns that judgment. Imports ``grammar.registry``. Invariant: what a host name is comes from the
grammar.
"""

from ...grammar import registry

OLDEST = frozenset({"com", "edu", "gov", "int", "mil", "net", "org"})
"""The generic domains of RFC 1591 §2."""


def is_domain(name: str) -> bool:
    """Whether a text is a host name below one of the oldest domains, or starts with www.

    >>> is_domain("example.com"), is_domain("www.example.de"), is_domain("index.html")
    (True, True, False)
    """
    first, dot, rest = name.lower().partition(".")
    if not dot or not registry.load("advice-host-look-alike").accepts("host-name", name):
        return False
    return rest.rpartition(".")[2] in OLDEST or (first == "www" and "." in rest)
