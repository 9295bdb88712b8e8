"""Target: the parameters of a request, as a specification or an OpenAPI document declares them.

Owns its inputs: an octet chooses a specification, and the rest is a query; or, with an octet that
is none of theirs, the rest is a document, a NUL, and a query. Imports the public face. Invariant:
no request raises anything; a document raises what is named; offsets are those of the raw text.
"""

from __future__ import annotations

import json

from uriproof.parameters import (
    InvalidDocument,
    InvalidParameters,
    Operation,
    Parameter,
    ParameterReport,
    QuerySpec,
)

from .harness import hold, run, words

PATH = "/a/{id}"
_ITEMS = {"type": "array", "items": {"type": "integer"}}
_OBJECT = {"type": "object", "properties": {"R": {"type": "integer"}, "G": {"type": "number"}}}
SETS = (
    (Parameter("a", "integer", required=True), Parameter("b", "boolean"), Parameter("c", "string")),
    (Parameter("a", _ITEMS), Parameter("b", _OBJECT), Parameter("c", {"const": 1})),
    (Parameter("a", _ITEMS, explode=False), Parameter("b", _OBJECT, explode=False)),
    (
        Parameter("b", _OBJECT, style="deepObject", explode=True),
        Parameter("a", content="application/json"),
    ),
    (
        Parameter("a", _ITEMS, style="spaceDelimited", explode=False),
        Parameter("b", _ITEMS, style="pipeDelimited", explode=False),
    ),
    (Parameter("a", "string", allow_reserved=True), Parameter("b", {"pattern": "^x+$"})),
)
SPECS = [
    (QuerySpec(*one, undeclared=undeclared), QuerySpec(*one, undeclared=undeclared, strict=True))
    for one in SETS
    for undeclared in ("ignore", "reject")
]


def one_input(data: bytes) -> None:
    """Check a query against a specification, or read a document and check all of a request."""
    chosen, rest = (data[:1] or b"\0")[0], data[1:]
    if chosen < len(SPECS):
        _query(*SPECS[chosen], words(rest))
        return
    source, _, text = rest.partition(b"\0")
    try:
        document = json.loads(source)
    except (ValueError, RecursionError):
        return
    for undefined in ("raise", "skip"):
        try:
            operation = Operation.from_openapi(document, PATH, "get", undefined=undefined)
        except InvalidDocument as error:
            hold(bool(error.problems) and bool(str(error)), "an invalid document has a problem")
            continue
        except (LookupError, TypeError) as error:
            hold(bool(str(error)), "an error says why")
            continue
        hold(undefined == "skip" or not operation.problems, "what is undefined raises")
        _request(operation, words(text))


def _query(lax: QuerySpec, strict: QuerySpec, query: str) -> None:
    report = lax.check(query)
    _placed(report)
    _placed(exact := strict.check(query))
    if exact.ok:
        hold(report.ok, "what is right when strict is right")
        hold(report.values == exact.values, "and has the same values")
    try:
        values = lax.require(query)
    except InvalidParameters as error:
        hold(not report.ok and bool(str(error)), "require raises if something is wrong")
    else:
        hold(report.ok and repr(values) == repr(dict(report.values)), "require has the values")


def _request(operation: Operation, text: str) -> None:
    path, headers = "/a/" + text, [("X", text), ("Cookie", text)]
    report = operation.check(path=path, query=text, headers=headers)
    hold(report.ok is (not report.violations), "a report is ok if it has no violations")
    json.dumps(report.to_problem())
    for one in report.reports:
        _placed(one)


def _placed(report: ParameterReport) -> None:
    json.dumps(report.to_dict())
    starts = [v.start for v in report.violations]
    if report.location != "header":  # a text for each header there
        hold(starts == sorted(starts), "violations are in the order of the text")
    for v in report.violations:
        hold(0 <= v.start <= v.end <= len(report.text), "violations are in the text")
        hold(bool(v.code) and bool(v.message), "a violation has its words")
        hold(not v.fix or 0 <= v.fix.start <= v.fix.end <= len(report.text), "and its fix")
    shown = report.drawn() if report.location != "header" else str(report)
    hold(all(c.isprintable() or c == "\n" for c in shown), "no control character gets out")


if __name__ == "__main__":
    run(one_input)
