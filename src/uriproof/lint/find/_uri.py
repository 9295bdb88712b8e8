"""What finders have to know of URIs: expressions out of the grammars, to build others of.

Owns no syntax of its own: RFC 3986 Appendix A and B do. Imports the grammars. Invariant: every
expression here is one that the build wrote and proved, without groups that capture.
"""

from __future__ import annotations

from ...grammar import registry
from ...text.patterns import lazy

__all__ = ["AUTHORITY", "ESCAPE", "H16", "PORT", "SCHEME"]


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
