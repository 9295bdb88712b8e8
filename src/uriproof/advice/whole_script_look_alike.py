"""The advice ``whole-script-look-alike``.

Owns its texts, its check and a table of letters; imports ``report`` and its siblings' helpers.
Invariant: the letters of the table keep their shape in every normal form (RFC 5892).
"""

from collections.abc import Iterator

from ..percent.hosts.scripts import scripts
from ..report import Advice, Report
from ._labels import decoded_labels
from ._pieces import shown

CODE = "whole-script-look-alike"
TITLE = "A label of another script that reads as a Latin one"
WHY = (
    "Every letter of the label looks like a Latin letter, so that nobody can tell the name from "
    "the Latin one (RFC 3986 §7.6, RFC 5890 §4.4, UTS #39 §4.1). Under a top-level domain of "
    "its own script it is expected."
)
GOOD = "http://xn--mnchen-3ya.example.com/"
BAD = "http://xn--80ak6aa92e.com/"

# The lower-case letters that the confusables data of UTS #39 maps to a single Latin letter:
# Greek, Cyrillic, Armenian. Palochka, which it maps to i, looks like l in lower case.
_LATIN = (
    str.maketrans("\u03b1\u03b3\u03b9\u03bd\u03bf\u03c1\u03c3\u03c5\u03f3", "ayivopouj")
    | str.maketrans("\u0430\u0433\u0435\u043e\u0440\u0441\u0443\u0445", "areopcyx")
    | str.maketrans("\u0455\u0456\u0458\u0461\u0475\u04af\u04bb", "sijwvyh")
    | str.maketrans("\u04bd\u04cf\u0501\u051b\u051d", "eldqw")
    | str.maketrans("\u0561\u0563\u0566\u0570\u0578", "wqqhn")
    | str.maketrans("\u057c\u057d\u0581\u0584\u0585", "nugfo")
)


def find(report: Report) -> Iterator[Advice]:
    found = list(decoded_labels(report.components.get("host")))
    if not found or found[-1].end == report.components["host"].end:
        return
    for label in found:
        decoded = label.decoded or ""
        latin = decoded.translate(_LATIN)
        if latin.isascii() and len(scripts(decoded)) == 1 and "Latin" not in scripts(decoded):
            message = f"the label reads like {shown(latin)}, but its letters are not Latin"
            yield Advice(label.start, label.end, "host", CODE, message)
