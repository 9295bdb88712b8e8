"""The advice ``undecodable-label``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: a label
that decodes is never blamed.

>>> from uriproof import check
>>> for a in find(check(BAD)): print(a.start, a.end, a.message)
7 19 starts with xn--, but stands for no characters outside ASCII
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._labels import labels

CODE = "undecodable-label"
TITLE = "A label that starts with xn-- and is no Punycode"
WHY = (
    "A label that starts with xn-- is the Punycode form of a label with characters outside "
    "ASCII (RFC 5890 §2.3.2.1, RFC 3492). This one decodes to nothing, or to ASCII alone."
)
GOOD = "http://xn--mnchen-3ya.example.com/"
BAD = "http://xn--99999999.example.com/"


def find(report: Report) -> Iterator[Advice]:
    for label in labels(report.components.get("host")):
        if label.decoded is None:
            message = "starts with xn--, but stands for no characters outside ASCII"
            yield Advice(label.start, label.end, "host", CODE, message)
