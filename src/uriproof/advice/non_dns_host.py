"""The advice ``non-dns-host``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and its siblings'
helpers. Invariant: silent on addresses, and on names with percent-encoding, which have advice
of their own.
"""

from collections.abc import Iterator

from ..grammar import registry
from ..grammar.scheme_table import HOSTS
from ..report import Advice, Report
from ._schemes import scheme

CODE = "non-dns-host"
TITLE = "A registered name that is not a host name"
WHY = (
    "A name that is looked up in the DNS has labels of 1 to 63 letters, digits and hyphens, "
    "with no hyphen at either end, and 253 characters at most (RFC 3986 §3.2.2, RFC 1123 "
    "§2.1, RFC 1035 §2.3.4). The DNS itself has any name, underscores above all (RFC 2181 "
    "§11, RFC 8552 §1.1), but software that expects a host name may refuse them."
)
GOOD = "http://a-b.example.com/"
BAD = "http://a_b.example.com/"

_LONGEST_NAME = 253
_LONGEST_LABEL = 63


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or not host.text or host.text[0] == "[" or "%" in host.text:
        return
    if not host.text.isascii():  # an IRI
        return
    if scheme(report) not in HOSTS:
        return
    name = host.text.removesuffix(".")
    if not registry.load("advice-host-look-alike").accepts("host-name", name):
        reason = "a label has letters, digits, and hyphens between them"
        if registry.load("advice-host-look-alike").accepts("host-name", name.replace("_", "a")):
            reason = "the DNS has underscores, host names do not, and some software refuses them"
    elif len(name) > _LONGEST_NAME:
        reason = f"one has at most {_LONGEST_NAME} characters"
    elif len(name) > _LONGEST_LABEL and max(map(len, name.split("."))) > _LONGEST_LABEL:
        reason = f"a label has at most {_LONGEST_LABEL} characters"
    else:
        return
    yield Advice(host.start, host.end, "host", CODE, f"not a host name: {reason}")
