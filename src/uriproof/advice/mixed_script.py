"""The advice ``mixed-script``.

Owns its texts and its check; imports ``report``, the scripts and its siblings' helpers. Invariant:
judges each label by itself, and lets the mixtures pass in which languages are written.
"""

from collections.abc import Iterator

from ..percent.hosts.scripts import is_highly_restrictive, scripts
from ..report import Advice, Report
from ._labels import decoded_labels
from ._pieces import shown

CODE = "mixed-script"
TITLE = "Letters of several scripts in one label"
WHY = (
    "Letters of other scripts stand in for Latin ones that they look like, so that a name reads "
    "as another one (RFC 3986 §7.6, RFC 5890 §4.4). Latin beside Han with kana, bopomofo or "
    "hangul is how Japanese, Chinese and Korean are written (UTS #39 §5.2)."
)
GOOD = "http://xn--mnchen-3ya.example.com/"
BAD = "http://xn--pple-43d.example.com/"


def find(report: Report) -> Iterator[Advice]:
    for label in decoded_labels(report.components.get("host")):
        if not is_highly_restrictive(label.decoded or ""):
            found = sorted(scripts(label.decoded or ""))
            mixed = " and ".join(script.replace("_", " ") for script in found)
            escaped = (label.decoded or "").encode("unicode_escape").decode("ascii")
            message = f"this label is {shown(escaped)}, with letters of {mixed}"
            yield Advice(label.start, label.end, "host", CODE, message)
