"""The results of a check: spans, violations, advice and the report that holds them.

Owns the values that every other part of the package produces or consumes: the narrow waist. It
draws nothing: ``render`` does. Imports only the standard library and ``text``. Invariant: values
are immutable, every offset is a half-open range ``[start, end)`` of code points in ``Report.text``,
and everything made for display (``str``, ``repr``, messages, dictionaries) has asterisks for
passwords.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from .errors import HasVerdict, UriproofError, Value
from .limits import MOST_DETAILS
from .plug_ins import from_above
from .text.problem import problem

Kind = Literal["illegal", "bad-escape", "missing", "extra", "forbidden"]

VERSION = 1
"""Of the dictionary of a report: another one if a key is removed or changes its meaning."""


_DETAILS = (
    *("component", "start", "end", "kind", "code", "message", "production", "expected", "hint"),
    "section",
)


def spliced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """The text with another text for each range, of code points, in text order and disjoint.

    Cost: O(n).

    >>> spliced("a b", [(1, 2, "%20")])
    'a%20b'
    """
    pieces: list[str] = []
    at = 0
    for start, end, replacement in edits:
        pieces += text[at:start], replacement
        at = end
    return "".join([*pieces, text[at:]])


class Fix(NamedTuple):
    """A replacement of ``[start, end)`` that cannot change the meaning of the text.

    >>> Fix(1, 2, "%20").apply("a b")
    'a%20b'
    """

    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


class Component(NamedTuple):
    """One component of the text: where it is and the production it is validated against."""

    name: str
    production: str
    start: int
    end: int
    text: str


class Told(NamedTuple):
    """What is said of a violation: made when it is first read, for most callers want places."""

    message: str
    fix: Fix | None
    section: str
    grammar: str
    rule: str
    source: str
    hint: str | None


class _Found(NamedTuple):
    """What is known of a violation as soon as it is found."""

    start: int
    end: int
    found: str
    component: str
    production: str
    path: tuple[str, ...]
    kind: Kind
    expected: tuple[str, ...]
    code: str
    masked: bool


_AFTER: Callable[[_Found], tuple[Told | Source, int]] = itemgetter(
    len(_Found._fields), len(_Found._fields) + 1
)
"""Two more elements of a violation: the words, or what tells them, and the number for it. They have
no names, because they are nobody else's."""


class Violation(Value, _Found):
    """One run of characters that a production does not allow there: immutable and hashable.

    ``kind``: ``illegal`` (not allowed here), ``bad-escape`` (a percent sign without two hex
    digits), ``missing`` (zero width: something must be here), ``extra`` (the rule has no
    such component), ``forbidden`` (valid, but against a policy). ``path`` runs from the start
    rule to ``production``. ``message`` is one sentence without ABNF; ``hint`` says what to do, or,
    if the text as a whole is something else, is the sentence that says what. ``expected`` holds
    elements of the production's right-hand side, as its ABNF spells them. ``rule`` is the
    production's own ABNF, ``source`` its file and line, ``section`` the section that specifies it;
    all three are empty for a violation of a policy. ``masked`` is true in ``Report.masked()`` if it
    is about a character of a password: then
    asterisks stand for it in ``found`` and in the replacement of ``fix``.
    """

    __slots__ = ()

    def __new__(
        cls,
        start: int,
        end: int,
        found: str,
        component: str,
        production: str,
        path: tuple[str, ...],
        kind: Kind,
        expected: tuple[str, ...],
        message: str,
        code: str,
        fix: Fix | None,
        section: str,
        grammar: str,
        rule: str,
        source: str,
        hint: str | None = None,
        masked: bool = False,
    ) -> Violation:
        told = Told(message, fix, section, grammar, rule, source, hint)
        place = start, end, found, component, production, path, kind, expected
        return tuple.__new__(cls, (*place, code, masked, told, 0))

    @property
    def _told(self) -> Told:
        told, number = _AFTER(self)
        return told if isinstance(told, Told) else told.tell(number)

    @property
    def message(self) -> str:
        """One sentence without ABNF: what is wrong."""
        return self._told.message

    @property
    def hint(self) -> str | None:
        """What to do, or the sentence that says what the whole text is."""
        return self._told.hint

    @property
    def fix(self) -> Fix | None:
        """A replacement that cannot change the meaning, if there is one."""
        return self._told.fix

    @property
    def section(self) -> str:
        """The section of the specification."""
        return self._told.section

    @property
    def grammar(self) -> str:
        """The grammar of the production."""
        return self._told.grammar

    @property
    def rule(self) -> str:
        """The ABNF of the production."""
        return self._told.rule

    @property
    def source(self) -> str:
        """The file and the line of that ABNF."""
        return self._told.source

    def _asdict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _FIELDS}

    def _replace(self, /, **changes: Any) -> Violation:
        return Violation(**self._asdict() | changes)

    def _key(self) -> tuple[Any, ...]:
        return (*self[:10], self._told)

    def __reduce__(self) -> tuple[Any, ...]:
        return Violation, tuple(self._asdict().values())

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"Violation({fields})"

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; a lone surrogate in ``found`` is kept.

        Masked values are null, so that no asterisk is taken for a character of the text.
        """
        fix = self.fix and {
            "start": self.fix.start,
            "end": self.fix.end,
            "replacement": None if self.masked else self.fix.replacement,
        }
        return {
            **dict.fromkeys(("start", "end", "found", "characters", "masked")),  # come first
            **self._asdict(),
            "found": None if self.masked else self.found,
            "characters": None if self.masked else [f"U+{ord(c):04X}" for c in self.found],
            "path": list(self.path),
            "expected": list(self.expected),
            "fix": fix,
        }


def of_policy(
    place: Component, code: str, message: str, rule: str, grammar: str, kind: Kind = "forbidden"
) -> Violation:
    """A violation of what an application asks of the texts of a rule, beyond its grammar."""
    path = tuple(dict.fromkeys((rule, place.production)))
    at = place.start, place.end, place.text, place.name, place.production, path, kind, ()
    return Violation(*at, message, code, None, "", grammar, "", "")


_FIELDS = (
    *("start", "end", "found", "component", "production", "path", "kind", "expected", "message"),
    *("code", "fix", "section", "grammar", "rule", "source", "hint", "masked"),
)


def brief(violation: Violation) -> str:
    """The one sentence that is said of a violation: what the whole text is, if that is known.

    Such a sentence is the hint of what it explains; any other hint is not a whole sentence.
    """
    hint = violation.hint or ""
    return hint if hint.endswith(".") else violation.message


def and_more(violations: Sequence[Violation], beyond: int = 0) -> str:
    """How many violations the sentence about the first leaves unsaid, for the end of its line."""
    first, *others = violations
    count = sum(brief(one) != brief(first) for one in others) + beyond
    return f" (and {count:,} more)" if count else ""


class Advice(NamedTuple):
    """An opinion about a part of a text that the grammar allows: its code names the pattern."""

    start: int
    end: int
    component: str
    code: str
    message: str

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class Suggestion(NamedTuple):
    """A whole text that was probably meant, which the same rule accepts, and why it is suggested.

    ``reason`` is a sentence, ``code`` the form of the mistake: it is never used for another.
    """

    text: str
    reason: str
    code: str

    def to_dict(self) -> dict[str, Any]:
        return self._asdict()


class Meant(NamedTuple):
    """A mistake that was recognized in a text: of the form ``code``, for the sentence ``reason``.

    ``texts`` may be meant, the best first, and need not be valid; ``spans``, sorted and disjoint,
    are the parts of the text that the sentence is about, None for all of it.
    """

    code: str
    reason: str
    texts: tuple[str, ...]
    spans: tuple[tuple[int, int], ...] | None

    def is_about(self, start: int, end: int) -> bool:
        """Whether the sentence is about ``[start, end)``, or about the place ``start`` if that is
        empty. Cost: O(log n): a text can have as many spans as characters.
        """
        if self.spans is None:
            return True
        at = bisect_right(self.spans, max(start, end - 1), key=itemgetter(0)) - 1
        first, last = self.spans[at] if at >= 0 else (0, 0)
        return at >= 0 and start < max(last, first + 1)


class Source:
    """What a report asks for all that is worked out when it is first read; here, nothing is known.

    Each method answers alike in any thread. Cost: O(n).
    """

    __slots__ = ()

    def components(self, _: str) -> Mapping[str, Component]:
        """The components of the text that is reported, in text order."""
        return {}

    def advice(self, _: Report) -> tuple[Advice, ...]:
        """The advice on a report of the text."""
        return ()

    @property
    def meant(self) -> Meant | None:
        """The mistake of the text as a whole, if it is not valid."""
        return None

    def suggestions(self, _: Report) -> tuple[Suggestion, ...]:
        """What was probably meant by the text of a report, the best first."""
        return ()

    def tell(self, number: int) -> Told:
        """The words for a violation, by its number. Cost: at most O(n) for all."""
        raise LookupError(number)


_NOWHERE = Source()


class _Draft(HasVerdict):
    """The attributes of a report, while they are filled in."""

    __slots__ = (
        *("_advice", "_components", "_source", "_suggestions"),
        *("grammar", "more", "rule", "text", "violations"),
    )

    text: str
    rule: str
    grammar: str
    violations: tuple[Violation, ...]
    more: int
    _source: Source
    _components: Mapping[str, Component] | None
    _advice: tuple[Advice, ...] | None
    _suggestions: tuple[Suggestion, ...] | None


class Report(Value, _Draft):
    """All that one check found in one text: immutable and hashable.

    ``violations`` are sorted and disjoint; there are none exactly when ``rule`` (and the policy, if
    one was applied) accepts ``text``. ``more`` counts violations beyond a limit. ``components``
    maps a component's name to its place, in text order; it, ``advice`` and ``suggestions`` are
    worked out when they are first used, if they are not given. ``str(report)`` draws
    carets under the blamed characters. ``text`` is exactly the text that was checked; everything
    made for display has asterisks for a password in it, as ``masked()`` has. A report is neither
    true nor false: ``ok`` is its verdict.

    Two reports are equal if their text, rule, grammar and violations are: the rest follows.
    """

    __slots__ = ()

    def __new__(
        cls,
        text: str,
        rule: str,
        grammar: str,
        components: Mapping[str, Component] | None,
        violations: tuple[Violation, ...],
        more: int = 0,
        advice: tuple[Advice, ...] | None = None,
        suggestions: tuple[Suggestion, ...] | None = None,
        source: Source = _NOWHERE,
    ) -> Report:
        # A draft can be changed, so that it is filled in three times as fast.
        made: Any = _Draft()
        made.text = text
        made.rule = rule
        made.grammar = grammar
        made.violations = violations
        made.more = more
        made._source = source
        made._components = components
        made._advice = advice
        made._suggestions = suggestions
        made.__class__ = cls
        found: Report = made
        return found

    @property
    def ok(self) -> bool:
        """True exactly when the rule accepts the text, and the policy, if one was applied."""
        return not self.violations

    @property
    def components(self) -> Mapping[str, Component]:
        """The components that the text has, by name, in text order; read-only."""
        known = self._components
        if not isinstance(known, MappingProxyType):
            found = self._source.components(self.text) if known is None else known
            known = MappingProxyType(dict(found))
            object.__setattr__(self, "_components", known)
        return known

    @property
    def advice(self) -> tuple[Advice, ...]:
        """Valid, but probably not meant or not wise."""
        known = self._advice
        if known is None:
            known = self._source.advice(self)
            object.__setattr__(self, "_advice", known)
        return known

    @property
    def suggestions(self) -> tuple[Suggestion, ...]:
        """At most three whole texts that were probably meant, the best first.

        Each is accepted by all that this text was validated against. There are none if there is no
        good guess; a valid text has them only if advice calls something in it a mistake. Made when
        they are first asked for. Cost: O(n), about as much again as the report.

        >>> from uriproof import check
        >>> check("www.example.com").suggestions[0]
        Suggestion(text='https://www.example.com', reason='The scheme is missing.', \
code='missing-scheme')
        """
        known = self._suggestions
        if known is None:
            known = self._source.suggestions(self)
            object.__setattr__(self, "_suggestions", known)
        return known

    @property
    def fixed(self) -> str | None:
        """The text with every fix applied, or None if some violation has no safe fix."""
        fixes = [violation.fix for violation in self.violations]
        if self.more or None in fixes:
            return None
        return spliced(self.text, filter(None, fixes))

    @property
    def only_policy(self) -> bool:
        """True if it is a policy that refuses the text, and nothing is known against the rule."""
        return not self.ok and all(not violation.rule for violation in self.violations)

    @property
    def summary(self) -> str:
        """One line for logs: the first mistake and how many more; nothing else of the text.

        >>> from uriproof import check
        >>> check("http://me:secret@h/a b").summary
        'not a valid URI: path 20: A space is not allowed in a path.'
        """
        if self.ok:
            return f"a valid {self.rule}"
        shown = self.masked().violations
        first = shown[0]
        kind = "an allowed" if self.only_policy else "a valid"
        start = f"not {kind} {self.rule}: {first.component} {first.start}"
        return f"{start}: {brief(first)}{and_more(shown, self.more)}"

    def spans(self) -> dict[str, tuple[int, int]]:
        """The place of each component, ``[start, end)``."""
        return {name: (c.start, c.end) for name, c in self.components.items()}

    def masked(self) -> Report:
        """The report for display: each character of a password is an asterisk.

        Passwords are those of user information (RFC 3986 §3.2.1), also in URLs within the text, the
        values of parameters such as ``access_token``, and possible passwords in a text that is not
        valid. Positions, kinds, hints and fixes stay: only
        characters are hidden. Returns the same report if there is no password. Cost: O(n log n).

        >>> from uriproof import check
        >>> check("ftp://me:secret@h/").masked().text
        'ftp://me:******@h/'
        """
        from .text.passwords import masked, passwords

        may = "@" in self.text or "=" in self.text or self.rule == "userinfo"
        spans = [*passwords(self.text, self.spans())] if may else []
        if not spans:
            return self
        text = masked(self.text, spans)
        components = {n: c._replace(text=text[c.start : c.end]) for n, c in self.components.items()}
        secret = [self.text[start:end] for start, end in spans]
        violations = tuple([_without(v, spans, secret) for v in self.violations])
        source = _Masked(self, secret)
        names = self.rule, self.grammar
        return Report(text, *names, components, violations, self.more, source=source)

    def to_dict(self, *, advice: bool = True) -> dict[str, Any]:
        """The report as JSON-ready values, with passwords masked; without ``advice``, none.

        ``version`` is that of docs/validate/report.schema.json, the JSON Schema of what comes out.
        """
        shown = self.masked()
        return {
            "version": VERSION,
            "text": shown.text,
            "rule": shown.rule,
            "grammar": shown.grammar,
            "ok": shown.ok,
            "components": {
                name: {"start": c.start, "end": c.end, "text": c.text, "production": c.production}
                for name, c in shown.components.items()
            },
            "violations": [v.to_dict() for v in shown.violations],
            "more": shown.more,
            "suggestions": [s.to_dict() for s in shown.suggestions],
            "advice": [a.to_dict() for a in shown.advice] if advice else [],
            "fixed": shown.fixed,
        }

    def details(self, limit: int = MOST_DETAILS) -> dict[str, Any]:
        """The violations as JSON-ready values, for the error of an API: short, without the text.

        Shape: ``rule``, ``grammar``, the first ``limit`` of ``violations``, each with its place
        (component, start, end), code and message; ``more``, the number left out. Suggestions are
        not included: they repeat nearly all of the text.

        >>> from uriproof import check
        >>> details = check("http://h/a b c").details(limit=1)
        >>> details["violations"][0]["code"], details["violations"][0]["start"], details["more"]
        ('path-illegal', 10, 1)
        """
        shown = self.masked().violations[:limit]
        return {
            "rule": self.rule,
            "grammar": self.grammar,
            "violations": [
                {name: getattr(v, name) for name in _DETAILS} | {"expected": list(v.expected)}
                for v in shown
            ],
            "more": len(self.violations) - len(shown) + self.more,
        }

    def to_problem(
        self,
        status: int = 400,
        *,
        type: str = "about:blank",
        limit: int = MOST_DETAILS,
        drawing: bool = False,
    ) -> dict[str, Any]:
        """A problem detail for HTTP, to be sent as ``application/problem+json``.

        ``details(limit)`` with the members ``type``, ``title``, ``status`` and ``detail``. Nothing
        of the text is in it but blamed characters; with ``drawing``, the member of that name has
        the text, passwords masked, with carets.

        Errors: ValueError for a status that HTTP does not have. Spec: RFC 9457 §3.

        >>> from uriproof import check
        >>> problem = check("http://h/a b").to_problem(422)
        >>> problem["status"], problem["detail"]
        (422, 'not a valid URI: path 10: A space is not allowed in a path.')
        """
        drawn = {"drawing": str(self)} if drawing else {}
        return problem(status, self.summary, type, **self.details(limit), **drawn)

    def __str__(self) -> str:
        """The text with carets under the blamed characters, and a line for each violation."""
        drawn: str = from_above("drawing")(self)
        return drawn

    def _repr_html_(self) -> str:
        """The report as a drawing and tables, for notebooks: passwords masked, without scripts."""
        page: str = from_above("notebook")(self)
        return page

    def __repr__(self) -> str:
        shown = self.masked()
        return (
            f"Report(text={shown.text!r}, rule={shown.rule!r}, grammar={shown.grammar!r}, "
            f"violations={shown.violations!r})"
        )

    def _key(self) -> tuple[object, ...]:
        return self.text, self.rule, self.grammar, self.violations

    def __reduce__(self) -> tuple[object, ...]:
        """For ``copy`` and ``pickle``: with all that is worked out on demand."""
        given = self.text, self.rule, self.grammar, dict(self.components), self.violations
        return Report, (*given, self.more, self.advice, self.suggestions)


class _Masked(Source):
    """What else a report has, without the characters of its passwords."""

    __slots__ = ("_report", "_secret")

    def __init__(self, report: Report, secret: list[str]) -> None:
        self._report = report
        self._secret = secret

    def advice(self, _: Report) -> tuple[Advice, ...]:
        left_out = "the message is left out: it might quote a password"
        advice = self._report.advice
        return tuple([a._replace(message=self._shown(a.message, left_out)) for a in advice])

    def suggestions(self, _: Report) -> tuple[Suggestion, ...]:
        from .text.passwords import without_passwords

        left_out = "The reason is left out: it quotes what may be part of a password."
        meant = [(without_passwords(s.text), s) for s in self._report.suggestions]
        return tuple([s._replace(text=t, reason=self._shown(s.reason, left_out)) for t, s in meant])

    def _shown(self, sentence: str, otherwise: str) -> str:
        from .text.passwords import discloses

        return otherwise if discloses(sentence, self._secret) else sentence


def _without(violation: Violation, spans: list[tuple[int, int]], secret: list[str]) -> Violation:
    """A violation for display: without the characters of a password."""
    from .text.passwords import SECRET, discloses, touches

    start, end, fix, hint = violation.start, violation.end, violation.fix, violation.hint
    if hint is not None and discloses(hint, secret):
        hint = None
    if not touches((start, end), spans):
        return violation if hint is violation.hint else violation._replace(hint=hint)
    if violation.kind == "bad-escape" or "placeholder" in (hint or ""):
        hint = None  # it names the character; other hints name delimiters
    return violation._replace(
        found="*" * (end - start),
        message=SECRET if violation.kind == "illegal" else violation.message,
        fix=fix and fix._replace(replacement="*" * len(fix.replacement)),
        hint=hint,
        masked=True,
    )


class InvalidURI(UriproofError, ValueError):
    """Raised by ``require`` and ``parse``; ``report`` has the violations.

    Its message is one line for logs, with only the blamed characters of the text; ``report`` has
    everything else. All errors about a text that must be a URI are of this class.
    """

    report: Report

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report)

    def __str__(self) -> str:
        return self.report.summary

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"
