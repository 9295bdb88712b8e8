"""What finders have to know of URIs: expressions out of the grammars, to build others of.

Owns no syntax of its own: RFC 3986 Appendix A and B do; and what a scheme before a scheme means.
Imports the grammars and the registry of schemes. Invariant: every expression here is one that the
build wrote and proved, without groups that capture.
"""

from __future__ import annotations

from ...grammar import registry
from ...grammar.schemes import HOSTS, registered
from ...text.patterns import lazy

__all__ = ["AUTHORITY", "ESCAPE", "H16", "PORT", "SCHEME", "is_opaque"]


def _expression(grammar: str, rule: str) -> str:
    found = registry.load(grammar).regex(rule)
    assert found is not None  # noqa: S101 -- these rules have one; the tests load them all
    return f"(?:{found})"


SCHEME = _expression("rfc3986", "scheme")
PORT = _expression("rfc3986", "port")
ESCAPE = _expression("rfc3986", "pct-encoded")
AUTHORITY = lazy(_expression("rfc3986-split", "authority"))
"""What stands before a path, a query or a fragment (Appendix B)."""
H16 = lazy(_expression("rfc3986", "h16"))


def is_opaque(prefix: str, url: str) -> bool:
    """Whether a URL after a scheme and a colon is of a syntax that this scheme defines: the scheme
    is registered, and its URIs have no host; or that of the URL is registered nowhere; or there
    are two schemes before it, as "jdbc:pool" has them.

    >>> is_opaque("jdbc", "db://h"), is_opaque("view-source", "http://h"), is_opaque("see", "ws://h")
    (True, True, False)
    """
    scheme = prefix.lower()
    known = ":" in scheme or (registered(scheme) is not None and scheme not in HOSTS)
    return known or registered(url.partition(":")[0]) is None
