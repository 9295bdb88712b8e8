"""The report of a scan as JSON, for programs.

Owns its keys. Imports ``summary``. Invariant: the numbers are those of the other reports, and
what is read back is what was written, lone surrogates included: they are escapes.
"""

from __future__ import annotations

from typing import Any

from ..summary import Counts
from . import About

__all__ = ["VERSION", "as_dict", "as_json"]

VERSION = 1
"""Changes where a key is renamed or its meaning changes; new keys do not change it."""


def as_dict(counts: Counts, about: About | None = None) -> dict[str, Any]:
    """The counts and what was run, as JSON-ready values.

    >>> as_dict(Counts(), About((("Rule", "URI"),)))["about"]
    {'Rule': 'URI'}
    """
    about = about or About()
    return {
        "version": VERSION,
        "about": dict(about.lines),
        "made": about.made,
        "seconds": round(about.seconds, 3),
        "before": about.before,
        "unread": about.unread,
        **counts.to_dict(),
    }


def as_json(counts: Counts, about: About | None = None) -> str:
    """That as one object, in ASCII, two spaces a level, with a line end."""
    import json

    return json.dumps(as_dict(counts, about), indent=2) + "\n"
