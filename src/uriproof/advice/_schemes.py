"""What the advice rules ask about the scheme of a report.

Owns the scheme as one compares it. Imports ``report`` and the table of schemes. Invariant: a
scheme is in lower case, or "".
"""

from ..percent.schemes import OCTETS
from ..report import Report


def scheme(report: Report) -> str:
    """The scheme in lower case, for case means nothing in it (RFC 3986 §3.1); "" if none."""
    component = report.components.get("scheme")
    return component.text.lower() if component else ""


def has_octets(report: Report) -> bool:
    """Whether percent-encoding carries any octets, not text alone."""
    return scheme(report) in OCTETS
