"""The advice ``encoded-unreserved``.

Owns its texts and its check; imports ``report``, the table of schemes and the scan for octets.
Invariants: what the octets stand for is never shown for userinfo, which may be secret; silent for
schemes in which an octet and its character are not the same.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..grammar.scheme_table import AS_ENCODED, CHARACTERS
from ..report import Advice, Report
from ._octets import encoded_runs, stands_for
from ._pieces import shown
from ._schemes import scheme

CODE = "encoded-unreserved"
TITLE = "An unreserved character that is percent-encoded"
WHY = (
    "Unreserved characters mean the same encoded and bare, but the strings differ, and filters "
    "that look for the bare form miss the other. URI producers should not encode them, and "
    "normalizers decode them (RFC 3986 §2.3, §6.2.2.2)."
)
GOOD = "http://example.com/~user"
BAD = "http://example.com/%7Euser"


def find(report: Report) -> Iterator[Advice]:
    if scheme(report) in AS_ENCODED | CHARACTERS:
        return
    for component, start, end in encoded_runs(report, lambda t: stands_for(t, "unreserved")):
        what = "this" if component.name == "userinfo" else shown(unquote(report.text[start:end]))
        message = f"{what} needs no percent-encoding: write it unencoded"
        yield Advice(start, end, component.name, CODE, message)
