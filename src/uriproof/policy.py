"""Policies: what an application refuses though the grammar allows it.

Owns ``Policy`` and its presets. Imports the public face and advice. Invariant: what the grammar
does not allow, no policy allows; a policy adds violations and removes none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from .advice import GROUPS, advise, names
from .api import Grammar, is_valid
from .arguments import limits, strings, wrong
from .report import Component, Kind, Report, Violation
from .text.names import did_you_mean
from .validate.batch import too_long

__all__ = ["Policy"]

_COMPONENTS = ("scheme", "userinfo", "host", "port", "path", "query", "fragment")
"""In text order: what can be forbidden or required."""

_CONFUSING = (
    *("userinfo", "security", "missing-slashes", "empty-host", "doubled-scheme", "url-prefix"),
    *("at-sign-past-authority", "host-cut-short", "host-port-as-scheme", "single-letter-scheme"),
    *("ipv4-look-alike", "ipvfuture-host", "mapped-host", "non-dns-host", "encoded-ascii-in-host"),
    *("mixed-script", "whole-script-look-alike", "undecodable-label", "port-out-of-range"),
    *("encoded-backslash", "encoded-control", "encoded-line-break", "encoded-null"),
    *("encoded-invisible", "invalid-utf8", "double-encoding", "dot-segment-parameter"),
)
"""What two programs read as two places, or a person as another place than a program."""

_ANY_SUBDOMAIN = "*."


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What an application refuses, each thing as a violation of the kind ``forbidden``.

    ``forbid``: components (``userinfo``), codes of advice (``encoded-slash``) and groups of them
    (``security``). ``schemes``: the only ones allowed, in any case. ``hosts``: the only ones
    allowed, in any case; ``*.example.com`` stands for all names that end in ``.example.com``.
    Both are about what is there: a relative reference has neither, unless ``require`` names the
    component, which must then be there and not be empty. ``max_length``: of the text, in code
    points; a longer one is not read.

    The syntax of a host says nothing about where its name resolves: no policy is a protection
    against requests to internal addresses by itself.

    Errors: ValueError for a name that is none, or a scheme or host that is not valid; TypeError.

    >>> policy = Policy(forbid=["userinfo", "encoded-slash"], schemes=["https"])
    >>> [v.code for v in policy.check("http://me@h/a%2Fb").violations]
    ['scheme-forbidden', 'userinfo-forbidden', 'encoded-slash']
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
            codes = (*GROUPS, *(code for group in GROUPS for code in names(group)))
            _known("component or advice", self.forbid, (*_COMPONENTS, *codes))
        _known("component", self.require, _COMPONENTS)
        for rule, values in (("scheme", self.schemes), ("host", self.hosts)):
            for value in values:
                if not value or not is_valid(value.removeprefix(_ANY_SUBDOMAIN), rule):
                    raise ValueError(f"{value!r} is not a valid {rule}")

    @classmethod
    def redirects(cls, *hosts: str, max_length: int | None = 2000) -> Self:
        """For the target of a redirect, a URI reference from a request.

        To these hosts by http and https, and to relative references; without hosts, to relative
        references alone. Refuses what browsers read as another place than a strict parser does.

        >>> [Policy.redirects().is_valid(t, "URI-reference") for t in ("/a?b", "//evil.com")]
        [True, False]
        """
        if not hosts:
            forbid = ("scheme", "host", *_CONFUSING)
            return cls(forbid=forbid, max_length=max_length)
        schemes = ("http", "https")
        return cls(forbid=_CONFUSING, schemes=schemes, hosts=hosts, max_length=max_length)

    @classmethod
    def fetches(cls, *hosts: str, max_length: int | None = 2000) -> Self:
        """For a URL that a server is asked to fetch, by http and https.

        From these hosts, or by default from any that is no address or name known to be special.
        It cannot see where a name resolves: check the address in the client, too.

        >>> [Policy.fetches().is_valid(t) for t in ("https://example.com/", "http://127.1/")]
        [True, False]
        """
        return cls(
            forbid=(*_CONFUSING, "special-purpose-address"),
            schemes=("http", "https"),
            hosts=hosts,
            require=("host",),
            max_length=max_length,
        )

    def check(
        self,
        text: str,
        rule: str = "URI",
        grammar: str | Grammar = "rfc3986",
        *,
        most: int | None = None,
    ) -> Report:
        """The report of a text: what the grammar does not allow, and what the policy does not.

        Violations stay sorted and disjoint: of several at one place there is the first, and its
        hint names the others. Of more than ``most`` of the grammar the rest are counted.

        Errors: UnknownRule, UnknownGrammar, TypeError. Cost: O(n).

        >>> print(Policy(hosts=["*.example.com"]).check("http://example.com.evil/"))
        http://example.com.evil/
               ^^^^^^^^^^^^^^^^
        7-23 host: this host is not among those allowed: *.example.com
        """
        strings(text=text)
        loaded = Grammar.load(grammar) if isinstance(grammar, str) else grammar
        if self.max_length is not None and len(text) > self.max_length:
            return too_long(text, loaded.name, loaded.rule_name(rule), self.max_length)
        if loaded.is_valid(text, rule):
            report = loaded.check(text, rule)
        else:
            (report,) = loaded.check_many((text,), rule, max_violations=most)
        added = [*self._forbidden(report)]
        if not added:
            return report
        violations = _disjoint([*report.violations, *added])
        return Report(
            text, report.rule, report.grammar, report.components, violations, advise, report.more
        )

    def is_valid(self, text: str, rule: str = "URI", grammar: str | Grammar = "rfc3986") -> bool:
        """True if both the grammar and the policy allow the text. Errors and cost as ``check``."""
        loaded = Grammar.load(grammar) if isinstance(grammar, str) else grammar
        if self.max_length is not None and isinstance(text, str) and len(text) > self.max_length:
            return False
        if not loaded.is_valid(text, rule):
            return False
        return self.empty or next(self._forbidden(loaded.check(text, rule)), None) is None

    @property
    def empty(self) -> bool:
        """True if the policy refuses nothing but what is too long."""
        return not (self.forbid or self.schemes or self.hosts or self.require)

    def _advice(self) -> tuple[str, ...]:
        return tuple(name for name in self.forbid if name not in _COMPONENTS)

    def _forbidden(self, report: Report) -> Iterator[Violation]:
        """What the policy does not allow of a text, in any order."""
        has = report.components
        for name in self.forbid:
            if name in has:
                what = f"a text with this component ({name}) is not allowed"
                yield _violation(report, has[name], f"{name}-forbidden", what)
        scheme, host = has.get("scheme"), has.get("host")
        if self.schemes and scheme and not _among(scheme.text, self.schemes):
            what = f"this scheme is not among those allowed: {', '.join(self.schemes)}"
            yield _violation(report, scheme, "scheme-forbidden", what)
        if self.hosts and host and not _among(host.text, self.hosts):
            what = f"this host is not among those allowed: {', '.join(self.hosts)}"
            yield _violation(report, host, "host-forbidden", what)
        for name in self.require:
            if name not in has or not has[name].text:
                at = _place(name, report)
                place = Component(name, name, at, at, "")
                yield _violation(
                    report, place, f"{name}-missing", f"a {name} is required", "missing"
                )
        if codes := self._advice():
            for advice in advise(report, codes):
                production = has[advice.component].production if advice.component in has else ""
                part = report.text[advice.start : advice.end]
                place = Component(advice.component, production, advice.start, advice.end, part)
                yield _violation(report, place, advice.code, advice.message)


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
            raise ValueError(f"there is no {what} {name!r}{did_you_mean(name, known)}")


def _among(name: str, allowed: Sequence[str]) -> bool:
    """True if a name is allowed; ``*.`` stands for one or more labels. Case does not count."""
    name = name.lower()
    return any(
        name == one.lower()
        or (one.startswith(_ANY_SUBDOMAIN) and name.endswith(one[1:].lower()) and name != one[1:])
        for one in allowed
    )


def _place(name: str, report: Report) -> int:
    """Where a component would begin: before the first of those that come after it."""
    later = _COMPONENTS[_COMPONENTS.index(name) :]
    starts = (report.components[n].start for n in later if n in report.components)
    return next(starts, len(report.text))


def _violation(
    report: Report, place: Component, code: str, message: str, kind: Kind = "forbidden"
) -> Violation:
    production = place.production or place.name
    return Violation(
        place.start,
        place.end,
        place.text,
        component=place.name,
        production=production,
        path=tuple(dict.fromkeys((report.rule, production))),
        kind=kind,
        expected=(),
        message=message,
        code=code,
        fix=None,
        section="",
        grammar=report.grammar,
        rule="",
        source="",
    )


def _disjoint(violations: list[Violation]) -> tuple[Violation, ...]:
    """In text order; of what overlaps, the first, with a hint of the others."""
    kept: list[Violation] = []
    for one in sorted(violations, key=lambda v: (v.start, v.end)):
        last = kept[-1] if kept else None
        if last is None or one.start >= last.end:
            kept.append(one)
        else:
            words = f"{one.message} ({one.code})"
            kept[-1] = last._replace(hint=f"{last.hint}; {words}" if last.hint else words)
    return tuple(kept)
