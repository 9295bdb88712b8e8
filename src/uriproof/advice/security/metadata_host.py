"""The advice ``metadata-host``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: looks nothing up in the DNS.
"""

from collections.abc import Iterator

from ...report import Advice, Report
from ._hosts import is_metadata, target

CODE = "metadata-host"
TITLE = "A cloud metadata service"
WHY = (
    "Machines in a cloud ask a link-local address for their keys; a server that fetches any "
    "URI asks it for whoever sends the URI (RFC 3927 §2.1, RFC 3986 §7.4). Each spelling of "
    "the address counts, and each of its names."
)
CASE = "Capital One, 2019: keys of 100 million customers' data by way of http://169.254.169.254/."
ALARMS = 0
INSTEAD = ("special-purpose-address", "ipv4-look-alike", "mapped-host")
GOOD = "http://example.com/latest/meta-data/"
BAD = "http://169.254.169.254/latest/meta-data/"


def find(report: Report) -> Iterator[Advice]:
    found = target(report)
    if found and is_metadata(found):
        message = "a cloud metadata service, which gives out credentials"
        yield Advice(found.host.start, found.host.end, "host", CODE, message)
