"""The advice ``internal-target-parameter``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._addresses import purpose
from .._pieces import parameters
from ._hosts import LOOPBACK, inner, is_below, is_metadata, target

CODE = "internal-target-parameter"
TITLE = "A parameter that leads to an internal machine"
WHY = (
    "What fetches or follows the value goes to the reader's own machine, or to one in its "
    "network (RFC 3986 §7.4, RFC 6890 §2.2.2). Each spelling of an address counts."
)
CASE = (
    "HackerOne 341876, Shopify, and Capital One, 2019: a server that fetches what a parameter says."
)
ALARMS = 0
GOOD = "http://example.com/?url=http%3A%2F%2Fexample.net%2F"
BAD = "http://example.com/?url=http%3A%2F%2F127.0.0.1%2F"


def find(report: Report) -> Iterator[Advice]:
    if "query" in report.components:
        for one in parameters(report):
            value = one.read
            if "//" in value and _is_inside(value.strip()):
                message = "this value leads to an internal machine"
                yield Advice(one.at, one.end, "query", CODE, message)


def _is_inside(value: str) -> bool:
    found = target(inner(value))
    return found is not None and (
        is_below(found.name, LOOPBACK)
        or is_metadata(found)
        or any(purpose(address) for address in found.addresses)
    )
