"""Target: request targets and Host fields, as servers hand them on.

Owns its inputs: an octet for the method, one for the options, and lines: the target and the Host
fields. Imports the public face. Invariant: a request is refused exactly when a grammar of RFC 9112
or RFC 9110, the query grammar, the policy or a limit does not allow it, or its Host differs.
"""

from __future__ import annotations

import json

from uriproof import Policy, Rule
from uriproof.request import RequestRules

from .harness import hold, run

METHODS = (("GET", "/"), ("CONNECT", ""), ("OPTIONS", "*"), ("get", "http:"))
_LONGEST = 500
RULES = (
    RequestRules(),
    RequestRules(max_length=_LONGEST),
    RequestRules(rule=Rule(query="key-value")),
    RequestRules(rule=Rule(policy=Policy.fetches())),
)
_POLICY = 3
_HOST_OPTIONAL = 4
_IS_QUERY = 8
HOST = Rule("Host", grammar="rfc9110")
WITH_QUERY = ("origin-form", "absolute-form", "query")


def one_input(data: bytes) -> None:
    """Ask for the refusal of a request, and compare it with the grammars."""
    chosen, options = (data[:2] + b"\0\0")[:2]
    method = METHODS[chosen % len(METHODS)][0]
    target, *hosts = data[2:].decode("latin-1").split("\n")
    rules = RULES[options % len(RULES)]
    optional, is_query = bool(options & _HOST_OPTIONAL), bool(options & _IS_QUERY)
    refusal = rules.refusal(method, target, hosts, is_query=is_query, host_optional=optional)
    rule = "query" if is_query else _form(method, target)
    right = (
        _target(rule, rules.rule).is_valid(target)
        and (rules.max_length is None or len(target) <= rules.max_length)
        and all(HOST.is_valid(host) for host in hosts)
        and (len(hosts) == 1 or (optional and not hosts))
    )
    hold(refusal is not None or right, "what no grammar allows is refused")
    if rule == "origin-form":  # of the others, the Host must agree with the target, too
        if right and rules.rule is not None:
            right = rules.rule.is_valid(f"http://{''.join(hosts)}{target}")
        hold((refusal is None) is right, "what is refused is not allowed")
    if refusal is None:
        return
    hold(refusal.status == (414 if "too-long" in refusal.codes else 400), "the status fits")
    hold(refusal.summary.isprintable(), "the summary is one line")
    hold(bool(refusal.codes) and bool(refusal.detail), "a refusal says why")
    hold(not any(report.ok for report in refusal.reports.values()), "its reports are not ok")
    for drawing in (False, True):
        problem = json.loads(json.dumps(refusal.to_problem(drawing)))
        hold(problem["status"] == refusal.status, "the problem has the status")


def _target(form: str, rule: Rule | None) -> Rule:
    query = rule.query if rule is not None and form in WITH_QUERY else None
    return Rule(form, grammar="rfc9112", query=query)


def _form(method: str, target: str) -> str:
    if method == "CONNECT":
        return "authority-form"
    if method == "OPTIONS" and target == "*":
        return "asterisk-form"
    return "absolute-form" if ":" in target.partition("/")[0] else "origin-form"


if __name__ == "__main__":
    run(one_input)
