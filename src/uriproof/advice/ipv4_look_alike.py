"""The advice ``ipv4-look-alike``.

Owns its texts and its check; imports ``report``, ``grammar.registry``, the reader of
addresses and its siblings' helpers. Invariant: which hosts look like an address comes from the
grammar.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..grammar import registry
from ..percent.hosts.addresses import is_ipv4_number, read_ipv4
from ..report import Advice, Report
from ._pieces import shown
from ._schemes import MAPPED, scheme

CODE = "ipv4-look-alike"
TITLE = "A registered name that looks like an IPv4 address"
WHY = (
    "Only four decimal octets without leading zeros are an IPv4 address; anything else is a "
    "registered name to the grammar (RFC 3986 §3.2.2). Browsers and inet_aton read octal, "
    "hexadecimal and shorter forms as addresses all the same, past filters that look for four "
    "decimal octets (RFC 3986 §7.4, WHATWG URL Standard §3.5). Browsers refuse every other name "
    "whose last label is a number."
)
GOOD = "http://8.8.8.8/"
BAD = "http://0177.0.0.1/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or not host.text:
        return
    name = unquote(host.text).removesuffix(".")
    last = name.rpartition(".")[2]
    if not last[:1].isdigit() or not is_ipv4_number(last):  # a cheap condition first
        return
    if not registry.load("advice-ipv4-look-alike").accepts("IPv4-look-alike", name):
        if scheme(report) in MAPPED and "%" not in host.text and host.text.isascii():
            message = "the last label is a number, but this is no IPv4 address: browsers refuse it"
            yield Advice(host.start, host.end, "host", CODE, message)
        return
    if registry.load("rfc3986").accepts("IPv4address", host.text):
        return
    address = read_ipv4(name)
    message = (
        "looks like an IPv4 address, but is none: a registered name, which browsers refuse"
        if address is None
        else f"a registered name, but browsers and inet_aton read it as {shown(address)}"
    )
    yield Advice(host.start, host.end, "host", CODE, message)
