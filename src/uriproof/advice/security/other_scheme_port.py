"""The advice ``other-scheme-port``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...grammar.scheme_table import DEFAULT_PORTS
from ...report import Advice, Report
from .._schemes import scheme
from .blocked_port import is_blocked

CODE = "other-scheme-port"
TITLE = "The default port of another scheme"
WHY = (
    "A port that another scheme has by default (RFC 3986 §3.2.3) sends one protocol to a "
    "server of another; with the ports of http and https swapped, either fails or an "
    "unencrypted connection is made."
)
CASE = (
    "Orange Tsai, 2017: A New Era of SSRF (protocol smuggling); PortSwigger, URL validation "
    "bypass cheat sheet."
)
ALARMS = 2
GOOD = "http://example.com:8080/"
BAD = "http://example.com:443/"


def find(report: Report) -> Iterator[Advice]:
    port, name = report.components.get("port"), scheme(report)
    if port is None or not port.text or name not in DEFAULT_PORTS:
        return
    number = port.text.lstrip("0")
    if number == DEFAULT_PORTS[name] or is_blocked(name, number):
        return
    owners = [other for other, default in DEFAULT_PORTS.items() if default == number]
    if owners:
        message = f"{number} is the default port of {' and '.join(owners)}, not of {name}"
        yield Advice(port.start - 1, port.end, "port", CODE, message)
