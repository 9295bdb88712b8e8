"""Schemes that are missing, misspelled or doubled, and what stands around them.

Owns these recognizers. Imports the grammars and the table of schemes.
"""

from __future__ import annotations

from ._form import Correction, Seen, accepts

DEFAULT = "https"
"""What is put before a host without a scheme, as browsers do since 2021."""


def missing(seen: Seen) -> Correction | None:
    """``www.example.com/a``: what starts with a host that is a name with a full stop."""
    first = seen.first
    if first is None or first.component != "scheme" or first.kind != "missing":
        return None
    host = seen.text.partition("/")[0].partition("?")[0].partition("#")[0]
    if "." not in host or not accepts("host", host):
        return None
    return Correction((f"{DEFAULT}://{seen.text}",), spans=((first.start, first.end),))


def misspelled(seen: Seen) -> Correction | None:
    """``htps://h/``: the advice of this code knows which scheme is near."""
    from ..advice.scheme import near

    written = seen.component("scheme") or ""
    found = near(written)
    return Correction(tuple([f"{one}{seen.text[len(written) :]}" for one in found]), written)
