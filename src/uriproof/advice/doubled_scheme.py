"""The advice ``doubled-scheme``.

Owns its texts and its check; imports ``report`` and the table of schemes. Invariant: only a
scheme of the table is taken for one, for any name can be a host; and only after a scheme of the
table, whose URIs have a host, for others wrap whole URIs ("hls://https://example.com/a").
"""

from collections.abc import Iterator

from ..grammar.scheme_table import HOSTS
from ..report import Advice, Report
from ._pieces import shown
from ._schemes import wraps

CODE = "doubled-scheme"
TITLE = "A scheme in the place of the host"
WHY = (
    'The authority follows "https://", so that in "https://https://example.com" the host '
    'is "https" with an empty port, and the rest is path (RFC 3986 §3.2, §3.2.3).'
)
GOOD = "https://example.com/"
BAD = "https://https://example.com/"


def find(report: Report) -> Iterator[Advice]:
    host, path = report.components.get("host"), report.components.get("path")
    if host is None or path is None or not path.text.startswith("//"):
        return
    if host.text.lower() in HOSTS and not wraps(report):
        message = f"the host is {shown(host.text)}, and the rest is the path"
        yield Advice(host.start, host.end, "host", CODE, message)
