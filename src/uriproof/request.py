"""HTTP requests: the request target and the Host, validated as they were sent.

Owns which rules a request is validated against, and what it is refused with. Imports the public
face and policies. Invariant: a refusal holds nothing of the request but blamed characters; the
texts are octets read as Latin-1, so that offsets are those of octets.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from .api import Grammar
from .arguments import limits, strings_or_none, wrong
from .policy import Policy
from .records import NamedTuple
from .report import Report
from .text.names import or_list
from .validate.batch import too_long

__all__ = ["MODES", "Middleware", "Mode", "Refusal", "RequestRules"]

Mode: TypeAlias = Literal["on", "report", "off"]
MODES = ("on", "report", "off")
"""What is done with a request that is not valid: refuse it, only log it, or nothing."""

_TARGETS = "rfc9112"
_FIELDS = "rfc9110"
_CONNECT, _OPTIONS = "CONNECT", "OPTIONS"
_ORIGIN, _ABSOLUTE = "origin-form", "absolute-form"
_OF_URIS = (_ORIGIN, _ABSOLUTE)  # the target URI of the others has no path (RFC 9110 §7.1)
MAX_LENGTH = 8000  # of a target, which a server should at least take (RFC 9110 §4.1)


class Refusal(NamedTuple):
    """Why a request is refused: the status of the response, and the reports of what is wrong.

    ``reports`` are those that are not ok, by what they are about: ``target``, ``query`` (where
    the server does not give the raw path), ``host`` and ``uri``, the target URI, for a policy.
    """

    status: int
    detail: str
    reports: Mapping[str, Report]

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of what is wrong, for counts; that of no report is ``host-count``."""
        found = [v.code for report in self.reports.values() for v in report.violations]
        return tuple(dict.fromkeys(found)) or ("host-count",)

    @property
    def summary(self) -> str:
        """One line for a log, without the texts."""
        return f"{self.status} {self.detail}"

    def to_problem(self, drawing: bool = False) -> dict[str, Any]:
        """A problem detail, with violations; ``drawing`` adds texts with carets (RFC 9457 §3).

        Passwords are masked.
        """
        from http import HTTPStatus

        problem: dict[str, Any] = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
        }
        for part, report in self.reports.items():
            problem[part] = report.details()
            if drawing:
                problem[part]["drawing"] = str(report)
        return problem


class RequestRules:
    """What requests are validated against; makes a refusal of each that is not valid.

    The target has the form that RFC 9112 §3.2 demands of the method; ``query`` names a grammar
    that the query is validated against, too; ``policy`` sees the target URI (RFC 9110 §7.1). A
    target of more than ``max_length`` octets is not read.

    Errors: UnknownGrammar, ValueError, TypeError. Cost of a valid request: two regular
    expressions. Spec: RFC 9112 §3.2, RFC 9110 §7.2 and §15.5.15.

    >>> rules = RequestRules()
    >>> rules.refusal("GET", "/a?b=1", ["e.com"])
    >>> rules.refusal("GET", "/a b", ["e.com"]).summary
    '400 invalid request target: path 2: U+0020 SPACE is not allowed here in the path (segment); \
expected pchar'
    """

    def __init__(
        self,
        *,
        max_length: int | None = MAX_LENGTH,
        query: str | None = None,
        policy: Policy | None = None,
    ) -> None:
        limits(max_length=max_length)
        strings_or_none(query=query)
        if policy is not None and not isinstance(policy, Policy):
            raise wrong("policy", policy, "a Policy or None")
        self.max_length, self.query, self.policy = max_length, query, policy
        self._targets = Grammar.load(_TARGETS)
        self._fields = Grammar.load(_FIELDS)
        self._is_origin = self._targets.compiled.matcher(_ORIGIN)
        self._is_host = self._fields.compiled.matcher("Host")
        self._targets.is_valid("/", _ORIGIN, query=query)  # an unknown grammar raises now

    def refusal(
        self,
        method: str,
        target: str,
        hosts: Sequence[str],
        *,
        scheme: str = "http",
        is_query: bool = False,
        host_optional: bool = False,
    ) -> Refusal | None:
        """What is wrong with a request, or None.

        ``hosts``: the values of all Host fields. ``is_query``: ``target`` is the query alone, for
        the server does not give the raw path. ``host_optional``: in HTTP/1.0.
        """
        one_host = len(hosts) == 1 or (not hosts and host_optional)
        if (
            one_host
            and method != _CONNECT
            and self.query is None
            and self.policy is None
            and len(target) <= (self.max_length or len(target))
            and self._is_origin(target)
            and (not hosts or self._is_host(hosts[0]))
        ):
            return None
        return self._refusal(method, target, hosts, scheme, is_query, one_host)

    def _refusal(
        self,
        method: str,
        target: str,
        hosts: Sequence[str],
        scheme: str,
        is_query: bool,
        one_host: bool,
    ) -> Refusal | None:
        part = "query" if is_query else "target"
        rule = "query" if is_query else _form(method, target)
        if self.max_length is not None and len(target) > self.max_length:
            report = too_long(target, _TARGETS, rule, self.max_length)
            detail = f"{part}: {report.violations[0].message}"
            return Refusal(414, detail, {part: report})
        wrong: dict[str, Report] = {}
        report = self._targets.check(target, rule, query=self.query)
        if not report.ok:
            wrong[part] = report
        for host in hosts:
            report = self._fields.check(host, "Host")
            if not report.ok:
                wrong.setdefault("host", report)
        if not wrong and one_host and self.policy is not None and rule in _OF_URIS:
            uri = target if rule == _ABSOLUTE else f"{scheme}://{''.join(hosts)}{target}"
            report = self.policy.check(uri)
            if not report.ok:
                wrong["uri"] = report
        if not one_host:
            return Refusal(400, f"expected one Host field, not {len(hosts)}", wrong)
        if not wrong:
            return None
        name, first = next(iter(wrong.items()))
        what = {"target": "request target", "uri": "target URI"}.get(name, name)
        return Refusal(400, f"invalid {what}: {first.summary.partition(': ')[2]}", wrong)


def _form(method: str, target: str) -> str:
    """The form that the target of a method has (RFC 9112 §3.2)."""
    if method == _CONNECT:
        return "authority-form"
    if method == _OPTIONS and target == "*":
        return "asterisk-form"
    return _ORIGIN if target[:1] in ("", "/") else _ABSOLUTE


class Middleware:
    """What the middlewares share: their settings, their counts and their log.

    ``mode``: ``on`` refuses, ``report`` only logs, at the level warning of ``logger``, ``off`` does
    nothing. ``counts`` has the number of requests by the code of what is wrong. ``max_length``,
    ``query`` and ``policy`` as in ``RequestRules``; ``drawing`` adds the target with carets to the
    response. Errors: ValueError, TypeError.

    >>> Middleware(None, mode="report").counts
    Counter()
    """

    logger = logging.getLogger("uriproof")

    def __init__(
        self,
        app: Any,
        *,
        mode: Mode = "on",
        max_length: int | None = MAX_LENGTH,
        query: str | None = None,
        policy: Policy | None = None,
        drawing: bool = True,
    ) -> None:
        if mode not in MODES:
            raise ValueError(f"mode is one of {or_list(MODES)}, not {mode!r}")
        self.app, self.mode, self.drawing = app, mode, drawing
        self.counts: Counter[str] = Counter()
        self.rules = RequestRules(max_length=max_length, query=query, policy=policy)

    def refuses(self, refusal: Refusal) -> bool:
        """Count what is wrong with a request; whether to refuse it, or only to log it."""
        self.counts.update(refusal.codes)
        if self.mode != "on":
            self.logger.warning("%s", refusal.summary, extra={"codes": refusal.codes})
        return self.mode == "on"
