"""URI cleaning: what a person typed becomes a URI.

Owns ``clean``, for texts that somebody else has put together (encode data with ``encode`` before it
is put into a URI), and the values that it makes. Imports ``validate``, which finds the violations,
the drawing, and its siblings. Invariant: values are immutable, their offsets code points in the
text that was given; the result is a text of the rule asked for, or a violation says why it is not;
cleaning it again changes nothing; no escape and no reserved character that may stand where it
stands is touched; what may be meant otherwise, and every change of a host but its case, is a
warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from importlib import import_module
from operator import attrgetter
from typing import Any, Literal, overload
from unicodedata import category

from ..arguments import strings
from ..errors import HasVerdict
from ..grammar import registry
from ..grammar.schemes import SPECIAL
from ..report import Component, InvalidURI, Report, Violation
from ..text.drawing import named, visible
from ..text.invisible import hidden
from ..text.names import joined
from ..text.passwords import SECRET, passwords, touches, without_passwords
from ..validate.divide import spans
from ..validate.octets import percent_encoded
from ..validate.plan import plan_of
from ..validate.report import make_report
from ..validate.words.messages import message
from .characters import GRAMMAR, characters
from .errors import known
from .hosts.labels import labels

_WRAPPING = frozenset("\t\n\r")  # RFC 3986 appendix C
_SHOWN = 60  # code points of a text that a message shows


REPAIRS = {
    "trim": "leave out white space at either end",
    "backslashes": "write / for \\ before the query, in the schemes where browsers do",
    "stray-percent": "write %25 for a percent sign without two hexadecimal digits",
    "delimiters": "encode brackets outside of an IP-literal, a second #, an @ in the userinfo",
    "idna": "write labels of the host that are not ASCII as A-labels",
}
"""What is repaired on request alone, for each of these decides what was meant."""

MISTAKES = {
    "doubled-scheme": "a scheme in the place of the host",
    "host-port-as-scheme": "a host and a port without a scheme before them",
    "html-entity": "an ampersand that is still escaped for HTML",
    "misspelled-scheme": "an unregistered scheme that looks misspelled",
    "missing-slashes": "one slash or none where the scheme has an authority",
    "single-letter-scheme": "a scheme of one letter, such as the drive of a Windows path",
}
"""The advice that a text is not what was meant; it keeps a text from being changed."""

WARNINGS = {
    "ambiguous": "a character to encode, unless the hint of the violation says what was meant",
    "backslash": "a backslash: browsers read a slash, RFC 3986 has none",
    "control-character": "a control character, which nobody types",
    "host-character": "a character in the host that no domain name holds",
    "host-encoded": "a host that is not ASCII was percent-encoded, and not made an A-label",
    "host-mapping": "the A-label stands for another name than the one that was typed",
    "invisible-character": "a character that is not seen, or is a space of another kind",
    "legacy-escape": "%uXXXX, which is no escape of URIs",
    "line-break": "a tab or line break, which may come from wrapping the text; browsers drop it",
    "nested-uri": "a delimiter after a URI in the query: it may belong to either",
    "placeholder": "what looks like the hole of a template, still to be filled in",
    "space-at-end": "white space at the end",
    **MISTAKES,
}
"""What may be meant otherwise, by code."""

RULES = ("URI", "URI-reference", "absolute-URI", "relative-ref")
"""The rules that a text can be cleaned for: those that have components (RFC 3986 section 3)."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change: ``[start, end)`` of the text given, in code points, became ``replacement``.

    ``name`` is ``encode``, or one of ``REPAIRS``. ``component`` is empty for white space that
    stood around the URI.
    """

    name: str
    start: int
    end: int
    component: str
    found: str
    replacement: str


@dataclass(frozen=True, slots=True)
class CleaningWarning:
    """What may be meant otherwise: it was read as ``message`` says. ``code`` is in ``WARNINGS``.

    ``instead`` is what would have to stand at ``[start, end)`` if the other thing was meant.
    """

    code: str
    start: int
    end: int
    message: str
    instead: str | None = None


@dataclass(frozen=True, slots=True)
class CleaningViolation:
    """What keeps the text from being a URI: no encoding fixes it, or none that was asked for.

    ``repair`` is the one of ``REPAIRS`` that would fix it, if there is one.
    """

    start: int
    end: int
    component: str
    production: str
    message: str
    repair: str | None = None


@dataclass(frozen=True)
class Cleaning(HasVerdict):
    """All that was done to one text. Offsets are code points of ``text``, the text given."""

    text: str
    rule: str
    result: str
    changes: tuple[Change, ...]
    warnings: tuple[CleaningWarning, ...]
    violations: tuple[CleaningViolation, ...]

    @property
    def ok(self) -> bool:
        """True exactly when the rule accepts ``result``."""
        return not self.violations

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        return {**asdict(self), "ok": self.ok}

    def __repr__(self) -> str:
        return f"Cleaning({without_passwords(self.text)!r}, {self.rule!r}, ok={self.ok})"


class NotCleaned(InvalidURI):
    """Raised by ``clean``: the text is no URI, or something in it may be meant otherwise.

    ``cleaning`` is the full account, with the text that was made; ``warnings`` are those of it
    that the caller did not allow; ``report`` is that of the text that was given.
    """

    cleaning: Cleaning
    warnings: tuple[CleaningWarning, ...]

    def __init__(self, cleaning: Cleaning, warnings: tuple[CleaningWarning, ...] = ()) -> None:
        self.cleaning = cleaning
        self.warnings = warnings
        super().__init__(make_report(registry.load(GRAMMAR), cleaning.text, cleaning.rule))
        self.args = (cleaning, warnings)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values: those of ``cleaning``."""
        return self.cleaning.to_dict()

    def __str__(self) -> str:
        # The text itself is left out: it may hold a password.
        found = self.cleaning
        secret = sorted(passwords(found.text))
        lines = [
            f"{v.start}-{v.end} {v.component}: "
            + (SECRET if touches((v.start, v.end), secret) else v.message)
            for v in found.violations
        ]
        lines += [f"{w.start}-{w.end} {w.code}: {w.message}" for w in self.warnings]
        if found.ok:
            return "\n".join(["something else may be meant; allow it, or change the text", *lines])
        return "\n".join([f"cannot be cleaned to a {found.rule}", *lines])


@overload
def clean(
    text: str,
    rule: str = "URI",
    *,
    repair: bool | Iterable[str] = False,
    allow: bool | Iterable[str] = False,
    encoding: str = "utf-8",
    report: Literal[False] = False,
) -> str: ...
@overload
def clean(
    text: str,
    rule: str = "URI",
    *,
    repair: bool | Iterable[str] = False,
    allow: bool | Iterable[str] = False,
    encoding: str = "utf-8",
    report: Literal[True],
) -> Cleaning: ...
def clean(
    text: str,
    rule: str = "URI",
    *,
    repair: bool | Iterable[str] = False,
    allow: bool | Iterable[str] = False,
    encoding: str = "utf-8",
    report: bool = False,
) -> str | Cleaning:
    """The URI that a person meant who typed this text, where nothing else can be meant.

    Percent-encodes, with upper-case digits, exactly the characters that no URI holds. Escapes
    stay, and so do reserved characters. ``repair`` asks for all of ``REPAIRS``, or for those
    named. Text is written in ``encoding``, a host always in UTF-8 (section 3.2.2).

    What may be meant otherwise is an error, unless ``allow`` names its code, or is true for all
    of ``WARNINGS``; so is each change of a host, but of its case. With ``report`` nothing of the
    text is an error: each change, warning and violation is in the ``Cleaning`` that is returned.

    Errors: NotCleaned, with ``cleaning``, the full account and the text that was made; ValueError
    for an unknown repair, warning or rule; UnknownEncoding; TypeError. Cost: O(n).
    Source: RFC 3986 sections 2.1, 2.4 and 3.

    >>> clean("http://example.com/admin/login?name=Helen \u00d8deg\u00e5rd&gender=f")
    'http://example.com/admin/login?name=Helen%20%C3%98deg%C3%A5rd&gender=f'
    >>> clean("http://[::1]/a%20b c\u00e9", encoding="latin-1")
    'http://[::1]/a%20b%20c%E9'
    >>> clean(" http:\\\\\\\\example.com\\\\100%?a[]=1 ", repair=True)
    'http://example.com/100%25?a%5B%5D=1'
    >>> try: clean("http://exa mple.com/")
    ... except NotCleaned as error: print(error.warnings[0].code, error.cleaning.result)
    host-character http://exa%20mple.com/

    The article's own example of what no cleaner can know:

    >>> typed = "http://example.com/admin/login?redirect=http://example.com/news#funny&name=Helen"
    >>> found = clean(typed, report=True)
    >>> found.result == typed
    True
    >>> print(found.warnings[0].message)
    "#" starts the fragment here; if it belongs to the URI in "redirect", write %23
    """
    allowed = _chosen("warning", allow, WARNINGS)
    strings(text=text)
    name = registry.load(GRAMMAR).rule_name(rule)
    if name not in RULES:
        raise ValueError(f"a text is cleaned for one of {', '.join(RULES)}, not for {name}")
    found = _Cleaner(text, name, _chosen("repair", repair, REPAIRS), known(encoding)).run()
    if report:
        return found
    warnings = tuple(warning for warning in found.warnings if warning.code not in allowed)
    if warnings or found.violations:
        raise NotCleaned(found, warnings)
    return found.result


def _chosen(what: str, asked: bool | Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """The names that are asked for. Errors: ValueError, for one that there is not."""
    if isinstance(asked, bool):
        return frozenset(known if asked else ())
    wanted = frozenset([asked] if isinstance(asked, str) else asked)
    unknown = sorted(map(repr, wanted.difference(known)))
    if unknown:
        raise ValueError(f"no {what} {', '.join(unknown)}; there are {', '.join(known)}")
    return wanted


class _Cleaner:
    """One text on its way. ``_body`` has its code points where ``text`` has them, less a shift."""

    def __init__(self, text: str, rule: str, wanted: frozenset[str], encoding: str) -> None:
        self._text, self._rule, self._repairs, self._encoding = text, rule, wanted, encoding
        self._grammar = registry.load(GRAMMAR)
        self._body, self._shift = text, 0
        self._changes: list[Change] = []
        self._warnings: list[CleaningWarning] = []
        self._violations: list[CleaningViolation] = []

    def run(self) -> Cleaning:
        if "trim" in self._repairs:
            self._trim()
        report = make_report(self._grammar, self._body, self._rule)
        if "backslashes" in self._repairs and "\\" in self._body:
            report = self._backslashes(report)
        first = len(self._changes)  # of those that are still to be made in the body
        self._placeholders()
        handled = self._labels(report.components.get("host"))
        for violation in report.violations:
            self._fix(violation, handled)
            self._ambiguous(violation, handled)
        result = self._result(self._changes[first:])
        if not self._violations and not self._grammar.accepts(self._rule, result):
            # No text is known that comes here; if there is one, it is not passed off as a URI.
            self._violate(0, len(self._body), "", self._rule, f"this is no {self._rule}")
        self._nested(report.components.get("query"), "#" in self._body)
        self._mistakes(result)
        changes = tuple(sorted(self._changes, key=attrgetter("start")))
        warnings = tuple(sorted(self._warnings, key=attrgetter("start")))
        violations = tuple(sorted(self._violations, key=attrgetter("start")))
        return Cleaning(self._text, self._rule, result, changes, warnings, violations)

    def _result(self, changes: list[Change]) -> str:
        pieces: list[str] = []
        at = 0
        for change in sorted(changes, key=attrgetter("start")):
            pieces += self._body[at : change.start - self._shift], change.replacement
            at = change.end - self._shift
        return "".join([*pieces, self._body[at:]])

    # The whole text

    def _trim(self) -> None:
        left, body = len(self._text) - len(self._text.lstrip()), self._text.strip()
        end = left + len(body)
        for start, stop in ((0, left), (end, len(self._text))) if body else ((0, left),):
            if start < stop:
                self._changes.append(Change("trim", start, stop, "", self._text[start:stop], ""))
        self._body, self._shift = body, left

    def _backslashes(self, report: Report) -> Report:
        components = report.components
        if "scheme" not in components or components["scheme"].text.lower() not in SPECIAL:
            return report
        end = components["path"].end
        for component in components.values():
            for at in range(component.start, min(component.end, end)):
                if self._body[at] == "\\":
                    self._change("backslashes", at, "\\", "/", component.name)
                    if component.name in ("userinfo", "host", "port"):
                        why = "this backslash was read as a slash, which ends the authority"
                        self._warn("backslash", at, at + 1, why, "%5C")
        self._body = self._body[:end].replace("\\", "/") + self._body[end:]
        return make_report(self._grammar, self._body, self._rule)

    # Violations, each in its component

    def _fix(self, violation: Violation, handled: AbstractSet[int]) -> None:
        """Encode what is data where it stands; the rest is a violation of what is made, too."""
        if violation.kind == "bad-escape":
            for at in range(violation.start, violation.end):
                if at not in handled:
                    self._stray(at, violation)
        elif violation.kind == "illegal" and self._grammar.accepts(violation.production, "%00"):
            for start, end in self._runs(violation, handled):
                if self._body[start] not in characters("reserved"):
                    self._encode(start, end, violation)
                else:
                    for at in range(start, end):
                        self._delimiter(at, violation)
        else:
            self._refuse(violation.start, violation.end, violation)

    def _ambiguous(self, violation: Violation, handled: AbstractSet[int]) -> None:
        """Warn of what was encoded though something else may be meant, if nothing else does."""
        start, end = violation.start + self._shift, violation.end + self._shift
        if violation.fix is not None or violation.hint is None or violation.start in handled:
            return
        others = [(one.start, one.end) for one in self._warnings]
        others += [(one.start, one.end) for one in self._violations]
        if not any(a < end and start < b for a, b in others):
            self._warn("ambiguous", violation.start, violation.end, violation.hint)

    def _mistakes(self, result: str) -> None:
        """Warn of what ``advise`` calls a mistake in a text that was changed: cleaning hides it."""
        if self._violations or not self._changes:
            return
        # Advice is above this package: asked for by name, as the registry asks for grammars.
        advise = import_module("uriproof.advice").advise
        for one in advise(result, MISTAKES):
            start, end = self._origin(one.start), self._origin(one.end)
            self._warnings.append(CleaningWarning(one.code, start, end, one.message))

    def _origin(self, at: int) -> int:
        """Where in the text given that stood which is at an offset of the result."""
        shift = 0
        for change in sorted(self._changes, key=attrgetter("start")):
            first = change.start - shift
            if at <= first and change.found:
                break
            if at < first + len(change.replacement):
                return change.start
            shift += len(change.found) - len(change.replacement)
        return at + shift

    def _runs(self, violation: Violation, handled: AbstractSet[int]) -> Iterator[tuple[int, int]]:
        """The characters of a violation, reserved ones apart, less those handled already."""
        reserved, start = characters("reserved"), violation.start
        for at in range(start, violation.end + 1):
            new = at == violation.end or at in handled
            if start < at and (
                new or (self._body[at] in reserved) != (self._body[at - 1] in reserved)
            ):
                yield start, at
                start = at
            if new:
                start = at + 1

    def _labels(self, host: Component | None) -> AbstractSet[int]:
        """Make A-labels in the host; the offsets of all that needs nothing else."""
        handled: set[int] = set()
        if "idna" not in self._repairs or host is None:
            return handled
        if host.text.startswith("[") or (host.text.isascii() and "%" not in host.text):
            return handled
        for label in labels(host.text):
            at, end = host.start + label.start, host.start + label.end
            found = self._body[at:end]
            if label.error:
                self._violate(at, end, "host", "reg-name", f"no A-label: {label.error}")
            elif label.made is not None:
                self._change("idna", at, found, label.made, "host")
                if label.mapped is not None:
                    why = f'"{visible(found)}" was mapped to "{label.mapped}", another name'
                    self._warn("host-mapping", at, end, why)
            if label.error or label.made is not None:
                handled.update(range(at, end))
            if end < host.end and self._body[end] != ".":
                self._change("idna", end, self._body[end], ".", "host")
                why = f"{named(self._body[end])} was mapped to a dot, which separates labels"
                self._warn("host-mapping", end, end + 1, why)
                handled.add(end)
        return handled

    def _stray(self, at: int, violation: Violation) -> None:
        if "stray-percent" not in self._repairs:
            self._refuse(at, at + 1, violation, "stray-percent")
            return
        self._change("stray-percent", at, "%", percent_encoded("%"), violation.component)
        if self._body[at + 1 : at + 2] in ("u", "U"):
            why = "%uXXXX is an escape of old scripts, not of URIs; its % was encoded as data"
            self._warn("legacy-escape", at, at + 2, why)

    def _delimiter(self, at: int, violation: Violation) -> None:
        char, component = self._body[at], violation.component
        # A colon in the first segment of a path could stand in any other: it is no datum.
        if component == "host" or (component == "path" and char in characters("segment")):
            self._refuse(at, at + 1, violation)
        elif "delimiters" not in self._repairs:
            self._refuse(at, at + 1, violation, "delimiters")
        else:
            self._change("delimiters", at, char, percent_encoded(char), component)

    def _encode(self, start: int, end: int, violation: Violation) -> None:
        """A run of characters that no URI holds."""
        found, component = self._body[start:end], violation.component
        encoding = "utf-8" if component == "host" else self._encoding
        try:
            encoded = percent_encoded(found, encoding)
        except UnicodeError as error:
            start += error.start if isinstance(error, UnicodeEncodeError) else 0
            why = f"{named(self._body[start])} has no octets in {encoding}, so it stays"
            self._violate(start, start + 1, component, violation.production, why)
            return
        self._change("encode", start, found, encoded, component)
        wrapped = unseen = None
        for at, char in enumerate(found, start):
            if char == "\\":
                why = "a backslash was encoded; a slash may be meant"
                self._warn("backslash", at, at + 1, why, "/")
            elif char in _WRAPPING:
                wrapped = at if wrapped is None else wrapped
            elif unseen is None and hidden(self._body, at):
                unseen = at
        if wrapped is not None:
            why = "white space was encoded that may come from wrapping the text; then leave it out"
            self._warn("line-break", wrapped, wrapped + 1, why, "")
        if unseen is not None:
            control = category(self._body[unseen]) == "Cc"
            why = f"{named(self._body[unseen])} was encoded, which nobody types"
            code = "control-character" if control else "invisible-character"
            self._warn(code, unseen, unseen + 1, why, "")
        if found[-1] == " " and end == len(self._body):
            why = "a space at the end was encoded; if it is no part of the URI, leave it out"
            self._warn("space-at-end", end - 1, end, why, "")
        if component != "host":
            return
        if any(char.isascii() for char in found):
            why = "this was encoded, as a registered name may have it; no domain name holds it"
            self._warn("host-character", start, end, why)
        else:
            why = "this was percent-encoded (RFC 3986 §3.2.2); the repair idna makes A-labels"
            self._warn("host-encoded", start, end, why)

    # What cannot be known

    def _nested(self, query: Component | None, fragment: bool) -> None:
        """Delimiters after a URI that stands bare in the query: are they its own, or not?"""
        if query is None:
            return
        plan, end = plan_of(self._grammar, "URI"), query.start - 1
        for parameter in query.text.split("&"):
            end += len(parameter) + 1
            key, _, value = parameter.partition("=")
            inner = spans(plan, value) if ":" in value else {}
            scheme = value[slice(*inner.get("scheme", (0, 0)))]
            if "host" in inner and self._grammar.accepts("scheme", scheme):
                belongs = f'if it belongs to the URI in "{visible(key[:_SHOWN])}", write'
                if end < query.end and "query" in inner:
                    why = f'"&" ends the parameter here; {belongs} %26'
                    self._warn("nested-uri", end, end + 1, why, "%26")
                if end == query.end and fragment:
                    why = f'"#" starts the fragment here; {belongs} %23'
                    self._warn("nested-uri", end, end + 1, why, "%23")

    def _placeholders(self) -> None:
        """Pairs of braces with an expression of a template between them, and of angle brackets."""
        body, template = self._body, registry.load("rfc6570")
        for opening, closing in ("{", "}"), ("<", ">"):
            at = 0
            while (end := body.find(closing, at)) >= 0:
                start = body.rfind(opening, at, end)
                hole = body[start : end + 1]
                if start >= 0 and (opening == "<" or template.accepts("expression", hole)):
                    why = f'"{visible(hole[:_SHOWN])}" was encoded; fill it in first'
                    self._warn("placeholder", start, end + 1, why)
                at = end + 1

    # What is reported

    def _change(self, name: str, at: int, found: str, new: str, component: str) -> None:
        if found != new:
            start = at + self._shift
            self._changes.append(Change(name, start, start + len(found), component, found, new))

    def _warn(
        self, code: str, start: int, end: int, message: str, instead: str | None = None
    ) -> None:
        shift = self._shift
        self._warnings.append(CleaningWarning(code, start + shift, end + shift, message, instead))

    def _refuse(
        self, start: int, end: int, violation: Violation, repair: str | None = None
    ) -> None:
        """Part of a violation, or all of it, stays; ``repair`` is the one that would fix it."""
        words, found = violation.message, self._body[start:end]
        if found != violation.found:
            _, _, _, component, production, _, kind, expected, *_ = violation
            words = message(kind, found, component, production, expected)
        elif violation.hint:
            words = joined(words, violation.hint)
        if found.isspace() and (start == 0 or end == len(self._body)):
            repair = "trim"
        self._violate(start, end, violation.component, violation.production, words, repair)

    def _violate(
        self,
        start: int,
        end: int,
        component: str,
        production: str,
        words: str,
        repair: str | None = None,
    ) -> None:
        if repair:
            words = joined(words, f"the repair {repair} fixes it")
        start, end = start + self._shift, end + self._shift
        self._violations.append(CleaningViolation(start, end, component, production, words, repair))
