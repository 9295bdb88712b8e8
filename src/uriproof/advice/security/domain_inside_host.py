"""The advice ``domain-inside-host``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from .._pieces import shown
from .._schemes import scheme
from ._hosts import LOOPBACK, target
from ._names import OLDEST

CODE = "domain-inside-host"
TITLE = "A domain in front of another one"
WHY = (
    "The registrable domain is at the end of a name (RFC 3986 §3.2.2, §7.6); what comes "
    "before it is free, and can read like a trusted name: a check of how the name begins "
    "accepts it."
)
CASE = "PortSwigger, URL validation bypass cheat sheet: allowed-domain.com.attacker.com."
ALARMS = 7
GOOD = "http://com.example.net/"
BAD = "http://example.com.attacker.net/"


def find(report: Report) -> Iterator[Advice]:
    found = target(report)
    if found is None or found.addresses or scheme(report) == "":
        return
    labels = found.name.split(".")
    # "example.com.br" and "www.gov.bc.ca" are of a country: more than its letters must come after.
    for at in range(1, len(labels) - 2):
        if labels[at] in OLDEST and max(map(len, labels[at + 1 :])) > len("br"):
            break
    else:
        if labels[0] not in LOOPBACK or len(labels) < 3 or found.name in LOOPBACK:  # noqa: PLR2004
            return
        at = 0
    inside, owner = ".".join(labels[: at + 1]), ".".join(labels[at + 1 :])
    message = f"reads like {shown(inside)}, but belongs to {shown(owner)}"
    yield Advice(found.host.start, found.host.end, "host", CODE, message)
