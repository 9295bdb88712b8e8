"""The advice ``blocked-port``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator

from ...grammar.scheme_table import ORIGINS
from ...report import Advice, Report
from .._schemes import scheme

CODE = "blocked-port"
TITLE = "A port that browsers refuse"
WHY = (
    "Servers of other protocols read an HTTP request as commands of their own, so that "
    "browsers refuse their ports (WHATWG Fetch Standard §2.10, RFC 3986 §7.1). Other clients "
    "connect."
)
CASE = (
    "VU#476267, 2001: HTML forms that send commands to servers of mail; NAT Slipstreaming, "
    "2020 (CVE-2020-16022)."
)
ALARMS = 0
GOOD = "http://example.com:8080/"
BAD = "http://example.com:25/"

# WHATWG Fetch Standard, bad ports
_BLOCKED = frozenset({
    "1", "7", "9", "11", "13", "15", "17", "19", "20", "21", "22", "23", "25", "37", "42", "43",
    "53", "69", "77", "79", "87", "95", "101", "102", "103", "104", "109", "110", "111", "113",
    "115", "117", "119", "123", "135", "137", "139", "143", "161", "179", "389", "427", "465",
    "512", "513", "514", "515", "526", "530", "531", "532", "540", "548", "554", "556", "563",
    "587", "601", "636", "989", "990", "993", "995", "1719", "1720", "1723", "2049", "3659",
    "4045", "4190", "5060", "5061", "6000", "6566", "6665", "6666", "6667", "6668", "6669",
    "6679", "6697", "10080",
})  # fmt: skip


def find(report: Report) -> Iterator[Advice]:
    port = report.components.get("port")
    if port is not None and is_blocked(scheme(report), port.text.lstrip("0")):
        message = "browsers refuse this port: the server there has another protocol"
        yield Advice(port.start, port.end, "port", CODE, message)


def is_blocked(name: str, number: str) -> bool:
    """Whether browsers refuse a port, without leading zeros, for URIs of a scheme."""
    own = {"21"} if name == "ftp" else frozenset[str]()
    return name in ORIGINS and number in _BLOCKED - own
