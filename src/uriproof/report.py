"""What a check found: spans, violations, advice and the report that holds them.

Owns the values that every other part of the package produces or consumes: the narrow waist.
Imports the standard library and ``drawing`` alone. Invariant: values are immutable, and every
offset is a half-open range ``[start, end)`` of code points in ``Report.text``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Literal

from .records import NamedTuple
from .text.drawing import draw, visible

Kind = Literal["illegal", "bad-escape", "missing", "extra"]

__all__ = ["Advice", "Component", "Fix", "InvalidURI", "Kind", "Report", "Violation"]


class Fix(NamedTuple):
    """A replacement of ``[start, end)`` that cannot change what the text means.

    >>> Fix(1, 2, "%20").apply("a b")
    'a%20b'
    """

    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


class Component(NamedTuple):
    """One component of the text: where it stands and the production it is validated against."""

    name: str
    production: str
    start: int
    end: int
    text: str


class Violation(NamedTuple):
    """One run of characters that a production does not allow where they stand.

    ``kind``: ``illegal`` (not allowed here), ``bad-escape`` (a percent sign without two hex
    digits), ``missing`` (zero width: something must stand here), ``extra`` (the rule has no
    such component). ``path`` runs from the start rule to ``production``. ``expected`` holds
    elements of the production's right-hand side, as its ABNF spells them. ``rule`` is the
    production's own ABNF, ``source`` its file and line, ``section`` where its text is specified.
    """

    start: int
    end: int
    found: str
    component: str
    production: str
    path: tuple[str, ...]
    kind: Kind
    expected: tuple[str, ...]
    message: str
    code: str
    fix: Fix | None
    section: str
    grammar: str
    rule: str
    source: str
    hint: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; a lone surrogate in ``found`` stays as it is."""
        fix = self.fix and {
            "start": self.fix.start,
            "end": self.fix.end,
            "replacement": self.fix.replacement,
        }
        return {
            "start": self.start,
            "end": self.end,
            "found": self.found,
            "characters": [f"U+{ord(c):04X}" for c in self.found],
            "component": self.component,
            "production": self.production,
            "path": list(self.path),
            "kind": self.kind,
            "expected": list(self.expected),
            "message": self.message,
            "code": self.code,
            "fix": fix,
            "section": self.section,
            "grammar": self.grammar,
            "rule": self.rule,
            "source": self.source,
            "hint": self.hint,
        }


class Advice(NamedTuple):
    """An opinion about a part of a text that the grammar allows: its code names the pattern."""

    start: int
    end: int
    component: str
    code: str
    message: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "start": self.start,
            "end": self.end,
            "component": self.component,
            "code": self.code,
            "message": self.message,
        }


class Report:
    """All that one check found in one text: immutable and hashable.

    ``violations`` are sorted and disjoint; there are none exactly when ``rule`` accepts
    ``text``. ``components`` maps a component's name to where it stands, in text order; they and
    ``advice`` are worked out when they are first asked for. ``str(report)`` draws carets under
    the blamed characters.

    Two reports are equal if their text, rule, grammar and violations are: the rest follows.
    """

    __slots__ = ("_advice", "_adviser", "_components", "grammar", "rule", "text", "violations")

    text: str
    rule: str
    grammar: str
    violations: tuple[Violation, ...]
    _components: Mapping[str, Component] | Callable[[str], Mapping[str, Component]]
    _adviser: Callable[[Report], tuple[Advice, ...]] | None
    _advice: tuple[Advice, ...] | None

    def __init__(
        self,
        text: str,
        rule: str,
        grammar: str,
        components: Mapping[str, Component] | Callable[[str], Mapping[str, Component]],
        violations: tuple[Violation, ...],
        adviser: Callable[[Report], tuple[Advice, ...]] | None = None,
    ) -> None:
        fill = object.__setattr__
        fill(self, "text", text)
        fill(self, "rule", rule)
        fill(self, "grammar", grammar)
        fill(self, "violations", violations)
        fill(self, "_components", components)
        fill(self, "_adviser", adviser)
        fill(self, "_advice", None)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a report cannot be changed: {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"a report cannot be changed: {name}")

    @property
    def ok(self) -> bool:
        """True exactly when the rule accepts the text."""
        return not self.violations

    @property
    def components(self) -> Mapping[str, Component]:
        """The components that the text has, by name, in text order; read-only."""
        known = self._components
        if not isinstance(known, MappingProxyType):
            known = MappingProxyType(dict(known(self.text) if callable(known) else known))
            object.__setattr__(self, "_components", known)
        return known

    @property
    def advice(self) -> tuple[Advice, ...]:
        """Valid, but probably not meant or not wise."""
        known = self._advice
        if known is None:
            known = self._adviser(self) if self._adviser else ()
            object.__setattr__(self, "_advice", known)
        return known

    @property
    def fixed(self) -> str | None:
        """The text with every fix applied, or None if some violation has no safe fix."""
        pieces: list[str] = []
        at = 0
        for violation in self.violations:
            if violation.fix is None:
                return None
            pieces += self.text[at : violation.fix.start], violation.fix.replacement
            at = violation.fix.end
        return "".join(pieces) + self.text[at:]

    def to_dict(self, *, advice: bool = True) -> dict[str, Any]:
        """The report as JSON-ready values; without ``advice`` that list is empty."""
        return {
            "text": self.text,
            "rule": self.rule,
            "grammar": self.grammar,
            "ok": self.ok,
            "components": {
                name: {"start": c.start, "end": c.end, "text": c.text, "production": c.production}
                for name, c in self.components.items()
            },
            "violations": [v.to_dict() for v in self.violations],
            "advice": [a.to_dict() for a in self.advice] if advice else [],
            "fixed": self.fixed,
        }

    def __str__(self) -> str:
        if self.ok:
            return f"{visible(self.text)}\nvalid {self.rule}"
        lines = draw(self.text, [(v.start, v.end) for v in self.violations])
        lines += [f"{v.start}-{v.end} {v.component}: {v.message}" for v in self.violations]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return (
            f"Report(text={self.text!r}, rule={self.rule!r}, grammar={self.grammar!r}, "
            f"violations={self.violations!r})"
        )

    def _key(self) -> tuple[object, ...]:
        return self.text, self.rule, self.grammar, self.violations

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Report) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __reduce__(self) -> tuple[object, ...]:
        """For ``copy`` and ``pickle``: with all that is worked out on demand."""
        given = self.text, self.rule, self.grammar, dict(self.components), self.violations
        return _restored, (given, self.advice)


def _restored(given: tuple[Any, ...], advice: tuple[Advice, ...]) -> Report:
    report = Report(*given)
    object.__setattr__(report, "_advice", advice)
    return report


class InvalidURI(ValueError):
    """Raised by ``require`` and ``parse``; ``report`` says exactly what is wrong."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report)

    def __str__(self) -> str:
        return f"not a valid {self.report.rule}\n{self.report}"
