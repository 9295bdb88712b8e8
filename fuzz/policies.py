"""Target: policies, on any text.

Owns its inputs: an octet for the policy, one for the rule, the rest is the text. Imports the public
face. Invariant: a policy adds violations to those of the grammar and removes none, and its three
ways to give a verdict agree.
"""

from __future__ import annotations

import json

from uriproof import Policy, Rule

from .harness import hold, run, words

POLICIES = (
    Policy(),
    Policy.redirects(),
    Policy.redirects("example.com", "*.example.org"),
    Policy.fetches(),
    Policy.fetches("example.com"),
    Policy(require=["scheme", "userinfo", "host", "port", "query", "fragment"]),
    Policy(forbid=["userinfo", "port", "query", "fragment", "security"], max_length=100),
    Policy(schemes=["HTTPS", "mailto"], hosts=["[::1]", "*.a", "b%2E"], require=["path"]),
)
RULES = (("URI", "rfc3986"), ("URI-reference", "rfc3986"), ("IRI-reference", "rfc3987"))


def one_input(data: bytes) -> None:
    """Compare what the policy reports with its verdict and with the grammar's report."""
    chosen, ruled = (data[:2] + b"\0\0")[:2]
    policy = POLICIES[chosen % len(POLICIES)]
    rule, grammar = RULES[ruled % len(RULES)]
    text = words(data[2:])
    held = Rule(rule, grammar=grammar, policy=policy)
    report = held.check(text)
    hold(held.is_valid(text) is report.ok, "is_valid is ok")
    end = 0
    for v in report.violations:
        hold(end <= v.start <= v.end <= len(text), "violations are sorted and disjoint")
        hold(bool(v.code) and bool(v.message), "a violation has its words")
        end = v.end
    hold(json.loads(json.dumps(report.to_dict()))["ok"] is report.ok, "a report goes through JSON")
    hold(all(c.isprintable() or c == "\n" for c in str(report)), "no control character gets out")
    if policy.max_length is not None and len(text) > policy.max_length:
        hold(not report.ok, "a text that is too long is not allowed")
        return
    plain = Rule(rule, grammar=grammar).check(text)
    covered = [(v.start, v.end) for v in report.violations]
    for v in plain.violations:
        kept = any(a <= v.start < b or a == v.start == v.end for a, b in covered)
        hold(kept, "what the grammar does not allow, no policy allows")
    hold(policy != POLICIES[0] or report == plain, "a policy of nothing changes nothing")


if __name__ == "__main__":
    run(one_input)
