"""The advice ``undecodable-label``.

Owns its texts and its check; imports ``report``, the host parser of browsers and its siblings'
helpers. Invariant: a label that browsers accept is never reported.
"""

from collections.abc import Iterator

from ..percent.hosts.browsers import browser_host
from ..percent.hosts.labels import ACE_PREFIX
from ..report import Advice, Report
from ._labels import decoded_labels
from ._pieces import shown

CODE = "undecodable-label"
TITLE = "A label that starts with xn-- and stands for nothing allowed"
WHY = (
    "A label that starts with xn-- is the Punycode form of a label with characters outside "
    "ASCII (RFC 5890 §2.3.2.1, RFC 3492). This one decodes to nothing, to ASCII alone, "
    "or to characters that no label may have (RFC 5891 §5.4, UTS #46 §4.1)."
)
GOOD = "http://xn--mnchen-3ya.example.com/"
BAD = "http://xn--99999999.example.com/"


def find(report: Report) -> Iterator[Advice]:
    for label in decoded_labels(report.components.get("host")):
        if label.decoded is None:
            message = "starts with xn--, but stands for no characters outside ASCII"
            yield Advice(label.start, label.end, "host", CODE, message)
        elif label.text[:4].lower() == ACE_PREFIX and browser_host(label.text) is None:
            escaped = label.decoded.encode("unicode_escape").decode("ascii")
            message = f"stands for {shown(escaped)}, which is not a valid label: browsers refuse it"
            yield Advice(label.start, label.end, "host", CODE, message)
