"""The advice ``empty-parameter``.

Owns its texts and its check; imports ``report`` and its siblings' helpers. Invariant: the span is
the one delimiter beside which nothing stands; one that is escaped for HTML is left to
``html-entity``.
"""

from collections.abc import Iterator

from ..report import Advice, Report
from ._pieces import parameters
from .html_entity import numeric

CODE = "empty-parameter"
TITLE = "A parameter without a name"
WHY = (
    "Two ampersands side by side, one at an end, or an equals sign with no key before it: some "
    "software drops the empty parameter, some keeps it, and the strings differ (RFC 3986 §3.4, "
    "WHATWG URL Standard §5.1)."
)
GOOD = "http://example.com/?a=1&b=2"
BAD = "http://example.com/?a=1&&b=2"


def find(report: Report) -> Iterator[Advice]:
    query = report.components.get("query")
    if query is None or not ("&" in query.text or query.text.startswith("=")):
        return
    entity, _ = numeric(report)
    last = -1
    for one in parameters(report):
        equals = one.at > one.start
        if one.key or (one.value and not equals):
            continue
        at = one.start if equals or one.start == query.start else one.start - 1
        reported = report.text.startswith("&amp;", at) or (entity == at and not equals)
        if at != last and not reported:
            beside = "before the equals sign" if equals else "next to the ampersand"
            yield Advice(at, at + 1, "query", CODE, f"no parameter name {beside}")
            last = at
