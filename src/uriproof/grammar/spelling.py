"""How a name of the RFCs' becomes an identifier.

Owns that one change of spelling. Imports nothing: whatever loads a grammar needs it first.
Invariant: everywhere a person looks, productions and grammars keep their own spelling.
"""

from __future__ import annotations


def identifier(name: str) -> str:
    """A rule's or grammar's name as an identifier: the one place where spelling changes.

    >>> identifier("IPv6address"), identifier("hier-part")
    ('IPv6address', 'hier_part')
    """
    return name.replace("-", "_")
