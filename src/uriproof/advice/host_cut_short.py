"""The advice ``host-cut-short``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and a helper beside it.
Invariant: which names look like hosts comes from the grammar; an at sign is left to
``at-sign-past-authority``.
"""

from collections.abc import Iterator

from ..grammar import registry
from ..report import Advice, Report
from ._pieces import after_host, shown

CODE = "host-cut-short"
TITLE = "A host that seems to go on after ? or #"
WHY = (
    "The authority ends at the first / ? or # (RFC 3986 §3.2). Software that looks for the end of "
    "the name in another way takes what follows for the rest of the host, and goes there (§7.6): "
    "so a check of the host was evaded in Log4j (CVE-2021-45046)."
)
GOOD = "ldap://good.example.com/#.example.net:1389/a"
BAD = "ldap://good.example.com#.example.net:1389/a"


def find(report: Report) -> Iterator[Advice]:
    host, after = after_host(report)
    if after is not None and host.text and after.text.startswith("."):
        rest = after.text[1:].partition("/")[0]
        if registry.load("advice-host-look-alike").accepts("host-look-alike", rest):
            message = f"the host ends here: it is {shown(host.text)}"
            yield Advice(after.start - 1, after.start, after.name, CODE, message)
