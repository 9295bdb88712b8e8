"""The advice ``double-slash-path``, of the group ``security``.

Owns its texts and its check; imports ``report`` and its siblings' helpers.
Invariant: reports each place once.
"""

from collections.abc import Iterator
from urllib.parse import unquote

from ...grammar import registry
from ...grammar.scheme_table import HOSTS
from ...report import Advice, Report

CODE = "double-slash-path"
TITLE = "A path that starts with two slashes and a host"
WHY = (
    "The path alone, as a server gets it, is a reference to another host (RFC 3986 §4.2, "
    "§3.3): a redirect to it leaves the site."
)
CASE = (
    "CVE-2018-14574, Django CommonMiddleware; CVE-2023-41080, Apache Tomcat; CVE-2021-23435, "
    "Clearance (Claroty and Snyk, 2022: slashes confusion)."
)
ALARMS = 0
GOOD = "http://example.com/example.net/"
BAD = "http://example.com//example.net/"


def find(report: Report) -> Iterator[Advice]:
    path, host = report.components.get("path"), report.components.get("host")
    if path is None or host is None or host.text.lower() in HOSTS:  # see doubled-scheme
        return
    plain = unquote(path.text).replace("\\", "/")
    if plain.startswith("//"):
        name = plain.lstrip("/").partition("/")[0]
        if registry.load("advice-host-look-alike").accepts("host-look-alike", name):
            message = "by itself, this path leads to another host"
            yield Advice(path.start, path.end, "path", CODE, message)
