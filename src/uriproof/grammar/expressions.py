"""Expressions of rules, of which others are built: as the build wrote and proved them.

Owns which rules have a name here. Imports the registry. Invariant: without groups that capture.
"""

from __future__ import annotations

from ..text.patterns import lazy
from . import registry


def _expression(grammar: str, rule: str) -> str:
    found = registry.load(grammar).regex(rule)
    assert found is not None  # noqa: S101 -- these rules have one; the tests load them all
    return f"(?:{found})"


SCHEME = _expression("rfc3986", "scheme")
PORT = _expression("rfc3986", "port")
ESCAPE = _expression("rfc3986", "pct-encoded")
AUTHORITY = lazy(_expression("rfc3986-split", "authority"))
"""The characters before a path, a query or a fragment (Appendix B)."""
H16 = lazy(_expression("rfc3986", "h16"))
