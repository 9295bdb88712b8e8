"""Policies: an application rejects texts that the grammar allows.

Owns ``Policy``, its presets, and their use by a ``Rule``. Imports validation and advice. Invariant:
a text that the grammar rejects, no policy allows; a policy adds violations and removes none.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Self

from .advice import GROUPS, advise, rules
from .arguments import limits, strings, wrong
from .grammar import registry
from .grammar.compiled import Compiled
from .limits import LONGEST_BEGINNING, MOST_BEGINNINGS
from .report import Component, Kind, Report, Violation, of_policy
from .text.names import did_you_mean, or_list
from .uri.components import Components
from .validate.batch import too_long
from .validate.divide import spans
from .validate.plan import Plan, plan_of
from .validate.report import Validation
from .validate.words.catalogue import say
from .validate.words.messages import noun

_COMPONENTS = Components._fields
"""Components that can be forbidden or required, in text order."""

_CONFUSING = (
    *("userinfo", "missing-slashes", "empty-host", "doubled-scheme", "url-prefix"),
    *("at-sign-past-authority", "host-cut-short", "host-port-as-scheme", "single-letter-scheme"),
    *("ipv4-look-alike", "mapped-host", "non-dns-host", "encoded-ascii-in-host"),
    *("mixed-script", "whole-script-look-alike", "undecodable-label", "port-out-of-range"),
    *("encoded-backslash", "encoded-control", "encoded-line-break", "encoded-null"),
    *("encoded-invisible", "invalid-utf8", "double-encoding", "dot-segment-parameter"),
)
"""Advice about texts that two programs, or a person and a program, read differently."""

_OF_SERVERS = frozenset({"encoded-slash", "repeated-key"})
"""Security advice that does not decide where a URL leads, and is given on what many servers ask."""

_BEFORE_PATH = ("scheme", "userinfo", "host", "port")
_LOCAL = frozenset({"internal-name", "loopback-name"})
"""Advice about names, which says nothing if an application lists the hosts that it means."""

_ANY_SUBDOMAIN = "*."
_SPECIAL = "special-purpose-address"
_ADVISED = ("rfc3986", "rfc3987")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Texts that an application rejects, with violations of the kind ``forbidden``.

    ``forbid``: components (``userinfo``), codes of advice (``encoded-slash``) and groups of them
    (``security``). ``schemes``: the only ones allowed, in any case. ``hosts``: the only ones
    allowed, in any case; ``*.example.com`` stands for all names that end in ``.example.com``. Both
    apply only if the component is present: a relative reference has neither, unless ``require``
    names the component, which must then be present and not empty. ``max_length``: of the text, in
    code points; a longer one is not read.

    The syntax of a host does not show where its name resolves: no policy by itself protects against
    requests to internal addresses.

    A policy is applied as a part of a ``Rule``. Violations stay sorted and disjoint: of several at
    one place there is the first, and its hint names the others.

    Errors: ValueError for an unknown name, or a scheme or host that is not valid; TypeError.

    >>> from uriproof import Rule
    >>> rule = Rule(policy=Policy(forbid=["userinfo", "encoded-slash"], schemes=["https"]))
    >>> [v.code for v in rule.check("http://me@h/a%2Fb").violations]
    ['scheme-forbidden', 'userinfo-forbidden', 'encoded-slash']
    >>> print(Rule(policy=Policy(hosts=["*.example.com"])).check("http://example.com.evil/"))
    invalid  http://example.com.evil/
                    ^^^^^^^^^^^^^^^^
      host  7-23  The host must be *.example.com.
    """

    forbid: Sequence[str] = ()
    schemes: Sequence[str] = ()
    hosts: Sequence[str] = ()
    require: Sequence[str] = ()
    max_length: int | None = None

    def __post_init__(self) -> None:
        for field in ("forbid", "schemes", "hosts", "require"):
            object.__setattr__(self, field, _names(field, getattr(self, field)))
        limits(max_length=self.max_length)
        if self.forbid:
            codes = (*GROUPS, *(code for group in GROUPS for code in rules(group)))
            _known("component or advice", self.forbid, (*_COMPONENTS, *codes))
        _known("component", self.require, _COMPONENTS)
        for rule, values in (("scheme", self.schemes), ("host", self.hosts)):
            for value in values:
                name = value.removeprefix(_ANY_SUBDOMAIN)
                if not value or not registry.load("rfc3986").accepts(rule, name):
                    raise ValueError(f"{value!r} is not a valid {rule}")

    @classmethod
    def redirects(cls, *hosts: str, max_length: int | None = 2000) -> Self:
        """For the target of a redirect, a URI reference from a request.

        Allows these hosts by http and https, and relative references; without hosts, only relative
        references. Rejects texts that browsers and strict parsers read differently.

        >>> from uriproof import Rule
        >>> rule = Rule("URI-reference", policy=Policy.redirects())
        >>> [rule.is_valid(text) for text in ("/a?b", "//evil.com")]
        [True, False]
        """
        if not hosts:
            forbid = ("scheme", "host", *_confusing())
            return cls(forbid=forbid, max_length=max_length)
        schemes = ("http", "https")
        return cls(forbid=_confusing(), schemes=schemes, hosts=hosts, max_length=max_length)

    @classmethod
    def fetches(cls, *hosts: str, max_length: int | None = 2000) -> Self:
        """For a URL that a server fetches by http and https on request.

        Allows these hosts, by default all except special addresses and the names of loopback, of
        internal networks and of cloud metadata. It cannot see where a name resolves: also check the
        address in the client (``adapters.for_httpx`` does).

        >>> from uriproof import Rule
        >>> rule = Rule(policy=Policy.fetches())
        >>> [rule.is_valid(text) for text in ("https://example.com/", "http://127.1/")]
        [True, False]
        """
        return cls(
            forbid=(*_confusing(), _SPECIAL),
            schemes=("http", "https"),
            hosts=hosts,
            require=("host",),
            max_length=max_length,
        )

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes of advice, and groups of them, that it forbids.

        A host that ``hosts`` allows is not refused for its name: ``Policy.fetches("localhost")``.
        """
        found = tuple(name for name in self.forbid if name not in _COMPONENTS)
        if not self.hosts:
            return found
        codes = (code for name in found for code in (rules(name) if name in GROUPS else (name,)))
        return tuple(code for code in codes if code not in _LOCAL)

    @property
    def _of_beginnings(self) -> bool:
        """Whether of a text with an ordinary path it refuses only what is before the path."""
        forbidden = {*self.forbid} <= {*_confusing(), _SPECIAL, *_BEFORE_PATH}
        return forbidden and {*self.require} <= {"scheme", "host"}

    def _refused(self, has: Mapping[str, str]) -> Iterator[tuple[str, Kind, str]]:
        """Of texts by component: the component, the kind and the message of each."""
        for name in self.forbid:
            if name in has and (has[name] or name != "path"):  # which is always there
                yield name, "forbidden", say("forbidden", place=noun(name, name))
        for name, allowed in (("scheme", self.schemes), ("host", self.hosts)):
            if allowed and name in has and not _among(has[name], allowed):
                yield name, "forbidden", say("among", name=name, allowed=or_list(allowed))
        if _SPECIAL in self.forbid and has.get("host", "")[:2].lower() == "[v":  # IPvFuture
            yield "host", "forbidden", say("unknown-version")
        for name in self.require:
            if not has.get(name):
                yield name, "missing", say("required", place=noun(name, name))

    def _violations(self, report: Report) -> Iterator[Violation]:
        """The violations of the policy in a text, in any order."""
        has = report.components
        for name, kind, message in self._refused({n: c.text for n, c in has.items()}):
            at = _place(name, report)
            place = has[name] if kind == "forbidden" else Component(name, name, at, at, "")
            yield of_policy(place, f"{name}-{kind}", message, report.rule, report.grammar, kind)
        if self.codes:
            for advice in advise(report, self.codes):
                start, end, name, code, message = advice
                production = has[name].production if name in has else name
                place = Component(name, production, start, end, report.text[start:end])
                yield of_policy(place, code, message, report.rule, report.grammar)


@cache
def _confusing() -> tuple[str, ...]:
    """What the presets forbid beside components."""
    return (*_CONFUSING, *(code for code in rules("security") if code not in _OF_SERVERS))


def require_applicable(policy: Policy, grammar: Compiled, rule: str) -> None:
    """A policy must not be without effect. Errors: ValueError.

    >>> require_applicable(Policy(schemes=["https"]), registry.load("rfc6570"), "URI-Template")
    Traceback (most recent call last):
    ...
    ValueError: this policy is about the scheme, which URI-Template of rfc6570 does not have
    """
    plan = plan_of(grammar, rule)
    has = plan.components if plan.dividing else {plan.component}
    about = [*(name for name in policy.forbid if name in _COMPONENTS), *policy.require]
    about += ["scheme"] * bool(policy.schemes) + ["host"] * bool(policy.hosts)
    for name in about:
        if name not in has:
            where = f"{rule} of {grammar.name}"
            raise ValueError(f"this policy is about the {name}, which {where} does not have")
    if policy.codes and grammar.name not in _ADVISED:
        raise ValueError(f"advice is on rules of {or_list(_ADVISED)}, not of {grammar.name}")


def allowing(
    policy: Policy, grammar: Compiled, rule: str, match: Callable[[str], object]
) -> Callable[[str], object]:
    """A matcher that also applies a policy. Cost: O(n) for each text."""
    plan, codes = plan_of(grammar, rule), policy.codes
    most = sys.maxsize if policy.max_length is None else policy.max_length

    def allows(text: str) -> bool:
        texts = {name: text[start:end] for name, (start, end) in spans(plan, text).items()}
        for _ in policy._refused(texts):
            return False
        return not (codes and advise(Validation(plan).report(text), codes))

    quickly = _by_beginning(policy, plan, allows)

    def allowed(text: str) -> bool:
        return bool(len(text) <= most and match(text) and (quickly(text) or allows(text)))

    return allowed


def _by_beginning(
    policy: Policy, plan: Plan, allows: Callable[[str], bool]
) -> Callable[[str], object]:
    """A quick look at a valid text: true only if the policy allows it.

    Most policies are about what is before the path. If this one is about no more than that there is
    a host, and the scheme, one expression says it. Otherwise the verdict on what is before the path
    is looked up, and it is that on the text, if what follows is ordinary. Cost: O(n).
    """
    if not policy._of_beginnings or plan.grammar.name not in _ADVISED:
        return lambda text: False
    if policy.schemes and not (policy.hosts or policy.forbid):
        one_of = "|".join(map(re.escape, policy.schemes))
        rest = _expression("with-host").removeprefix(_expression("scheme"))
        return re.compile(f"(?i:{one_of}){rest}").fullmatch
    begin = re.compile(_expression("beginning")).match
    ordinary = re.compile(_expression("ordinary")).fullmatch
    known = lru_cache(MOST_BEGINNINGS)(allows)

    def quickly(text: str) -> bool:
        found = begin(text)
        end = found.end() if found else LONGEST_BEGINNING
        return bool(end < LONGEST_BEGINNING and ordinary(text, end) and known(text[:end]))

    return quickly


def _expression(rule: str) -> str:
    """The expression of a rule of the grammar of usual URIs; the build makes sure of it."""
    return registry.load("usual-uri").regex(rule) or "(?!)"


class Applying(Validation):
    """A validation that also applies a policy. Cost: O(n) for each text."""

    __slots__ = ("_policy",)

    def __init__(self, policy: Policy, *validation: Any) -> None:
        super().__init__(*validation)
        self._policy = policy

    def report(self, text: str, most: int | None = None) -> Report:
        policy = self._policy
        if policy.max_length is not None and len(text) > policy.max_length:
            return too_long(text, self.name, self.plan.rule, policy.max_length)
        report = super().report(text, most)
        added = [*policy._violations(report)]
        if not added:
            return report
        violations = _disjoint([*report.violations, *added])
        shown = violations[:most]
        more = report.more + len(violations) - len(shown)
        given = text, report.rule, report.grammar, report.components, shown, more
        return Report(*given, source=report._source)


def refused(policy: Policy, report: Report) -> Iterator[Violation]:
    """What a policy does not allow of a text that was reported without it, in any order.

    >>> from uriproof import check
    >>> [v.code for v in refused(Policy(hosts=["a.b"], max_length=9), check("http://c.d/"))]
    ['too-long', 'host-forbidden']
    """
    text, most = report.text, policy.max_length
    if most is not None and len(text) > most:
        yield from too_long(text, report.grammar, report.rule, most).violations
    yield from policy._violations(report)


def _names(argument: str, given: object) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise wrong(argument, given, "an iterable of str", "write a list, with one name in it")
    found = tuple(given)
    for name in found:
        strings(**{f"each of {argument}": name})
    return found


def _known(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Errors: ValueError, with near names, for a name that is not known."""
    for name in given:
        if name not in known:
            raise ValueError(f"unknown {what} {name!r}{did_you_mean(name, known)}")


def _among(name: str, allowed: Sequence[str]) -> bool:
    """True if a name is allowed; ``*.`` stands for one or more labels. Case is ignored.

    A label with an escape is not allowed: ``evil.com%2F.example.com`` decodes to another host.
    """
    name = name.lower()
    plain = "%" not in name
    return any(
        name == one.lower()
        or (
            plain
            and one.startswith(_ANY_SUBDOMAIN)
            and name.endswith(one[1:].lower())
            and name != one[1:]
        )
        for one in allowed
    )


def _place(name: str, report: Report) -> int:
    """The place where a component would begin: before the first of those that come after it."""
    later = _COMPONENTS[_COMPONENTS.index(name) :]
    starts = (report.components[n].start for n in later if n in report.components)
    return next(starts, len(report.text))


def _disjoint(violations: list[Violation]) -> tuple[Violation, ...]:
    """In text order; of what overlaps, the first, with a hint of the others."""
    kept: list[Violation] = []
    for one in sorted(violations, key=lambda v: (v.start, v.end)):
        last = kept[-1] if kept else None
        if last is None or one.start >= last.end:
            kept.append(one)
        else:
            words = f"{one.message.removesuffix('.')} ({one.code})"
            kept[-1] = last._replace(hint=f"{last.hint}; {words}" if last.hint else words)
    return tuple(kept)
