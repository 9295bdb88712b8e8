"""HTTP requests: the request target and the Host, validated as sent.

Owns the rules that a request is validated against, and the refusal. Imports the public face and
policies. Invariant: a refusal holds only blamed characters of the request; the texts are octets
read as Latin-1, so that offsets are those of octets.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal, NamedTuple, TypeAlias

from .arguments import limits
from .limits import LONGEST_TARGET, MOST_REFUSED
from .percent.characters import characters
from .percent.clients import TARGETS, Clients, as_uri, known
from .percent.decode import read_as_browsers_do
from .policy import Policy
from .report import Report
from .rule import Rule, as_rule, check_bounded
from .text.names import or_list
from .text.problem import problem
from .uri.components import split
from .uri.normalize import equivalent
from .validate.batch import too_long

__all__ = ["MODES", "Middleware", "Mode", "Refusal", "Refusing", "RequestRules"]

Mode: TypeAlias = Literal["on", "report", "off"]
MODES = ("on", "report", "off")
"""The treatment of an invalid request: refuse it, only log it, or do nothing."""

_TARGETS = TARGETS["rfc"]
_FIELDS = "rfc9110"
_CONNECT, _OPTIONS = "CONNECT", "OPTIONS"
_ORIGIN, _ABSOLUTE = "origin-form", "absolute-form"
_AUTHORITY, _ASTERISK = "authority-form", "asterisk-form"


_HTTP_POLICY = Policy(forbid=["userinfo"], require=["host"])
"""RFC 9110 also demands of http and https URIs in a message: a host (§4.2.1, §4.2.2), and no user
information (§4.2.4)."""
_HTTP = ("http", "https")


class Refusal(NamedTuple):
    """Why a request is refused: the status of the response, and the reports.

    ``reports`` are those that are not ok, by their subjects: ``target``, ``query`` (if the server
    does not pass on the raw path), ``host`` and ``uri``, the target URI, for ``rule``; they have
    the first violations, and count the others. ``code``: ``host-count``, if there is not one Host
    field, ``host-differs``, if it names another host than the target, ``encoded-control``, if its
    path has an encoded control character, or empty.
    """

    status: int
    detail: str
    reports: Mapping[str, Report]
    code: str = ""

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of the violations, for counts."""
        found = [v.code for report in self.reports.values() for v in report.violations]
        return tuple(dict.fromkeys([self.code] * bool(self.code) + found))

    @property
    def summary(self) -> str:
        """One line for a log, without the texts."""
        return f"{self.status} {self.detail}"

    def to_problem(self, drawing: bool = False) -> dict[str, Any]:
        """A problem detail, with violations; ``drawing`` adds texts with carets (RFC 9457 §3).

        Passwords are masked. The size is bounded: 5 kB, and 4 kB with ``drawing`` for it.
        """
        made = problem(self.status, self.detail)
        for part, report in self.reports.items():
            made[part] = report.details()
            if drawing:
                made[part]["drawing"] = str(report)
        return made


class RequestRules:
    """Validates requests; makes a refusal of each invalid one.

    The target must have the form that RFC 9112 §3.2 demands of the method. The target URI (RFC 9110
    §7.1) must also match ``rule``: its policy, its query grammar (which applies to the query of a
    target in any form), and the rules of its scheme. A target of more than ``max_length`` octets is
    not read.

    The Host is never ignored: the host of a target in absolute-form or authority-form must be that
    of the Host field, which a server should ignore then (RFC 9112 §3.2.2), but many applications
    read. Case, default ports and escapes of unreserved characters do not count.

    With ``clients="whatwg"``, a target can also have what browsers and ``fetch`` do not encode:
    ``[ ] | ^`` in paths, ``[ ] { } | ^ ` \\`` in queries, and percent signs that begin no escape
    (``uriproof grammar show origin-form whatwg-url``). ``advice`` reports these; ``rule`` gets the
    target URI with them encoded.

    Escapes of control characters in the path, such as ``%00`` and ``%0D%0A``, are always refused:
    some servers refuse them, some end the path or a line there (RFC 3986 §7.3).

    Errors: UnknownGrammar, ValueError, TypeError. Cost of a valid request: two regular
    expressions. Spec: RFC 9112 §3.2, RFC 9110 §4.2, §7.2 and §15.5.15.

    >>> rules = RequestRules()
    >>> rules.refusal("GET", "/a?b=1", ["e.com"])
    >>> rules.refusal("GET", "/a b", ["e.com"]).summary
    '400 invalid request target: path 2: A space is not allowed in a path.'
    """

    def __init__(
        self,
        *,
        max_length: int | None = LONGEST_TARGET,
        rule: str | Rule | None = None,
        clients: Clients = "rfc",
    ) -> None:
        limits(max_length=max_length)
        known(clients)
        self.max_length = max_length
        self.clients: Clients = clients
        self.rule: Rule | None = None if rule is None else as_rule(rule)
        query = self.rule.query if self.rule is not None and clients == "rfc" else None
        self._targets = {form: Rule(form, grammar=_TARGETS) for form in (_AUTHORITY, _ASTERISK)}
        for form in (_ORIGIN, _ABSOLUTE, "query"):
            self._targets[form] = Rule(form, grammar=TARGETS[clients], query=query)
        self._host = Rule("Host", grammar=_FIELDS)
        self._is_origin = _by_rfc(_ORIGIN).is_valid  # which whatwg allows, too

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
        """The refusal of a request, or None if it is valid.

        ``hosts``: the values of all Host fields. ``is_query``: ``target`` is only the query,
        because the server does not pass on the raw path. ``host_optional``: in HTTP/1.0.
        """
        one_host = len(hosts) == 1 or (not hosts and host_optional)
        if (
            one_host
            and method != _CONNECT
            and len(target) <= (self.max_length or len(target))
            and self._is_origin(target)
            and not _has_control(target)
            and (not hosts or self._host.is_valid(hosts[0]))
            and (
                self.rule is None
                or (not is_query and self.rule.is_valid(f"{scheme}://{''.join(hosts)}{target}"))
            )
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
        report = _report(self._targets[rule], target)
        uri = target
        if report.ok and self.clients != "rfc" and rule not in (_AUTHORITY, _ASTERISK):
            path = report.components.get("path")
            uri = as_uri(target, path.start if path is not None else 0)
        if report.ok and rule == _ABSOLUTE and target.partition(":")[0].lower() in _HTTP:
            report = _http_uris().check(uri)
        if not report.ok:
            wrong[part] = report
        for host in dict.fromkeys(hosts):
            if self._host.is_valid(host):
                continue
            if len(host) > LONGEST_TARGET:
                wrong["host"] = too_long(host, _FIELDS, "Host", LONGEST_TARGET)
            else:
                said = sum(len(report.violations) for report in wrong.values())
                wrong["host"] = _report(self._host, host, MOST_REFUSED - said)
            break  # a request can have thousands
        if not one_host:
            return Refusal(400, f"expected one Host field, not {len(hosts)}", wrong, "host-count")
        if not wrong:
            host = "".join(hosts)
            if not is_query and _has_control(target):
                detail = "an encoded control character in the path of the request target"
                return Refusal(400, detail, {}, "encoded-control")
            if hosts and rule in (_ABSOLUTE, _AUTHORITY) and not _agree(rule, uri, host):
                detail = "the Host field names another host than the request target"
                return Refusal(400, detail, {}, "host-differs")
            if self.rule is None:
                return None
            for whole in _uris(rule, uri, scheme, host):
                report = check_bounded(self.rule, whole, MOST_REFUSED)
                if not report.ok:
                    wrong.setdefault("uri", report)
        if not wrong:
            return None
        name, first = next(iter(wrong.items()))
        what = {"target": "request target", "uri": "target URI"}.get(name, name)
        return Refusal(400, f"invalid {what}: {first.summary.partition(': ')[2]}", wrong)

    def advice(self, method: str, target: str, *, is_query: bool = False) -> Report | None:
        """The report of RFC 9112 on a valid target; None, if it is also valid by that.

        With ``clients="whatwg"``, the violations are what the client did not encode: at most ten,
        ``more`` counts the others. Cost: O(n).

        >>> rules = RequestRules(clients="whatwg")
        >>> rules.refusal("GET", "/?filter[name]=x", ["e.com"])
        >>> [v.start for v in rules.advice("GET", "/?filter[name]=x").violations]
        [8, 13]
        """
        rule = _by_rfc("query" if is_query else _form(method, target))
        return None if self.clients == "rfc" or rule.is_valid(target) else _report(rule, target)


@cache
def _by_rfc(rule: str) -> Rule:
    return Rule(rule, grammar=_TARGETS)


def _has_control(target: str) -> bool:
    """Whether an escape before the query stands for a control character."""
    path = target.partition("?")[0]
    if "%" not in path:
        return False
    return not characters("CTL", "rfc5234").isdisjoint(read_as_browsers_do(path, "utf-8"))


def _form(method: str, target: str) -> str:
    """The form that the target of a method has (RFC 9112 §3.2)."""
    if method == _CONNECT:
        return _AUTHORITY
    if method == _OPTIONS and target == "*":
        return _ASTERISK
    return _ABSOLUTE if ":" in target.partition("/")[0] else _ORIGIN


def _report(rule: Rule, text: str, left: int = MOST_REFUSED) -> Report:
    """The report of a text, with a limit on violations, but with at least one."""
    (report,) = rule.check_many((text,), max_violations=max(left, 1))
    return report


@cache
def _http_uris() -> Rule:
    return Rule(policy=_HTTP_POLICY)


def _agree(rule: str, target: str, host: str) -> bool:
    """Whether the Host field is the authority of a target, except for user information.

    The target of CONNECT has a port and no scheme; its client can omit that of http or https.
    """
    if rule == _AUTHORITY:
        return any(bool(equivalent(f"{name}://{target}", f"{name}://{host}")) for name in _HTTP)
    parts = split(target)
    authority = parts.host or ""
    if parts.port is not None:
        authority = f"{authority}:{parts.port}"
    return bool(equivalent(f"{parts.scheme}://{authority}", f"{parts.scheme}://{host}"))


def _uris(rule: str, target: str, scheme: str, host: str) -> list[str]:
    """The text for a rule: the target URI (RFC 9110 §7.1), as far as it is known.

    A target in absolute-form without an authority leaves the Host to be checked separately.
    """
    origin = f"{scheme}://{host}"
    if rule == _ORIGIN:
        return [origin + target]
    if rule == _ABSOLUTE:
        return [target] if split(target).host is not None else [target, origin]
    if rule == _AUTHORITY:
        return [f"{scheme}://{target}"]
    return [f"{origin}?{target}" if rule == "query" and target else origin]


class Refusing:
    """What all middlewares have: ``mode``, ``counts`` by code, and a log. Errors: ValueError."""

    logger: logging.Logger = logging.getLogger("uriproof")

    def __init__(self, app: Any, *, mode: Mode = "on") -> None:
        if mode not in MODES:
            raise ValueError(f"mode is one of {or_list(MODES)}, not {mode!r}")
        self.app = app
        self.mode = mode
        self.counts: Counter[str] = Counter()

    def refuses(self, codes: Sequence[str], summary: str, only_report: bool = False) -> bool:
        """Count an invalid request; whether to refuse it, or only to log it."""
        self.counts.update(codes)
        refused = self.mode == "on" and not only_report
        if not refused:
            self.logger.warning("%s", summary, extra={"codes": codes})
        return refused


class Middleware(Refusing):
    """The common parts of the middlewares for targets: their settings, counts and log.

    ``mode``: ``on`` refuses, ``report`` only logs, at the level warning of ``logger``, ``off`` does
    nothing. ``counts`` has the number of invalid requests by code, ``advised`` that of valid ones
    with advice. ``max_length``, ``rule`` and ``clients`` as in ``RequestRules``; ``drawing`` adds
    the target with carets to the response, including any secrets in its query. Errors: ValueError,
    TypeError.

    >>> Middleware(None, mode="report").counts
    Counter()
    """

    def __init__(
        self,
        app: Any,
        *,
        mode: Mode = "on",
        max_length: int | None = LONGEST_TARGET,
        rule: str | Rule | None = None,
        clients: Clients = "rfc",
        drawing: bool = False,
    ) -> None:
        super().__init__(app, mode=mode)
        self.drawing = drawing
        self.advised: Counter[str] = Counter()
        self.rules: RequestRules = RequestRules(max_length=max_length, rule=rule, clients=clients)
        self._told = False

    def refusal(self, method: str, target: str, hosts: Sequence[str], **how: Any) -> Refusal | None:
        """As of ``RequestRules``; counts the advice on a valid request."""
        found = self.rules.refusal(method, target, hosts, **how)
        if found is None and self.rules.clients != "rfc":
            advice = self.rules.advice(method, target, is_query=how.get("is_query", False))
            if advice is not None:
                self.advised.update({violation.code for violation in advice.violations})
        return found

    def without_raw(self, path: str, query: str) -> tuple[str, bool]:
        """The text to validate if a server has only the decoded path, and whether it is a query.

        The decoded path is at most as long as the raw one: if it is too long, so is the raw one.
        """
        if not self._told:
            self._told = True
            self.logger.warning(
                "this server does not give the raw target of requests: of the path, "
                "only its length is validated"
            )
        whole = f"{path}?{query}" if query else path
        too_long = self.rules.max_length is not None and len(whole) > self.rules.max_length
        return (whole, False) if too_long else (query, True)
