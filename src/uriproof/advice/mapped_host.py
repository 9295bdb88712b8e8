"""The advice ``mapped-host``.

Owns its texts and its check; imports ``report``, the host parser of browsers and its siblings'
helpers. Invariant: silent on a host that browsers read as it is written, but for case, and on
octets that are no UTF-8.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ..percent.hosts.browsers import browser_host
from ..report import Advice, Report
from ._labels import decoded_name
from ._pieces import shown
from ._schemes import MAPPED, scheme

CODE = "mapped-host"
TITLE = "A host beyond ASCII that browsers read as another, or refuse"
WHY = (
    "Browsers decode a host and map it before they use it (WHATWG URL Standard §3.5, UTS #46 "
    "§4): ideographic and full-width stops become dots, circled and full-width letters and "
    "digits plain ones, soft hyphens and zero-width characters nothing at all. A check of the "
    "host as it is written, or only decoded, sees another host than they go to (RFC 3986 "
    "§3.2.2, §7.6)."
)
GOOD = "http://caf%C3%A9.example.com/"
BAD = "http://127%E3%80%820%E3%80%820%E3%80%821/"


def find(report: Report) -> Iterator[Advice]:
    host = report.components.get("host")
    if host is None or scheme(report) not in MAPPED:
        return
    if host.text.isascii() and "%" not in host.text:  # a cheap condition
        return
    try:
        plain = unquote(host.text, errors="strict")
    except UnicodeDecodeError:
        return
    if plain.isascii():
        return
    read = browser_host(host.text)
    if read is None:
        message = (
            "browsers refuse this host: its characters, or their order, are not allowed in names"
        )
    elif decoded_name(read) != plain.lower():
        message = f"browsers read this host as {shown(read)}"
    else:
        return
    yield Advice(host.start, host.end, "host", CODE, message)
