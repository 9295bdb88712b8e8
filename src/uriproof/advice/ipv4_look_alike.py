"""The advice ``ipv4-look-alike``.

Owns its texts and its check; imports ``report``, ``grammar.registry`` and a helper beside it.
Invariant: which hosts look like an address is said by the grammar, and only their value here.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
7 17 a registered name, but browsers and inet_aton read it as "127.0.0.1"
"""

from collections.abc import Iterator
from ipaddress import IPv4Address
from urllib.parse import unquote

from ..grammar import registry
from ..report import Advice, Report
from ._pieces import shown

CODE = "ipv4-look-alike"
TITLE = "A registered name that looks like an IPv4 address"
WHY = (
    "Only four decimal octets without leading zeros are an IPv4 address; anything else is a "
    "registered name to the grammar (RFC 3986 §3.2.2). Browsers and inet_aton read octal, "
    "hexadecimal and shorter forms as addresses all the same, past filters that look for four "
    "decimal octets (RFC 3986 §7.4, WHATWG URL Standard §3.5)."
)
GOOD = "http://8.8.8.8/"
BAD = "http://0177.0.0.1/"

_OCTETS = 4


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or not host.text:
        return
    name = unquote(host.text).removesuffix(".")
    if not name[:1].isdigit():  # a cheap condition first
        return
    if not registry.load("advice-ipv4-look-alike").accepts("IPv4-look-alike", name):
        return
    if registry.load("rfc3986").accepts("IPv4address", host.text):
        return
    address = _address(name)
    message = (
        "looks like an IPv4 address, but is none: a registered name, which browsers refuse"
        if address is None
        else f"a registered name, but browsers and inet_aton read it as {shown(address)}"
    )
    yield Advice(host.start, host.end, "host", CODE, message)


def _address(name: str) -> str | None:
    """The address that the IPv4 parser of the WHATWG URL Standard reads, or None."""
    numbers = [_number(text) for text in name.split(".")]
    last = numbers.pop()
    if last is None or len(numbers) >= _OCTETS or last >= 256 ** (_OCTETS - len(numbers)):
        return None
    value = last
    for place, number in enumerate(numbers, 1):
        if number is None or number not in range(256):
            return None
        value += number * 256 ** (_OCTETS - place)
    return str(IPv4Address(value))


def _number(text: str) -> int | None:
    try:
        if text[:2].lower() == "0x":
            return int(text[2:] or "0", 16)
        return int(text, 8 if text.startswith("0") else 10)
    except ValueError:  # an 8 or 9 in octal, or thousands of digits
        return None
