"""What a check found: spans, violations, advice and the report that holds them.

Owns the values that every other part of the package produces or consumes: the narrow waist.
Imports the standard library and ``drawing`` alone. Invariant: values are immutable, and every
offset is a half-open range ``[start, end)`` of code points in ``Report.text``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from .drawing import draw, visible

Kind = Literal["illegal", "bad-escape", "missing", "extra"]

__all__ = ["Advice", "Component", "Fix", "InvalidURI", "Kind", "Report", "Violation"]


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement of ``[start, end)`` that cannot change what the text means.

    >>> Fix(1, 2, "%20").apply("a b")
    'a%20b'
    """

    start: int
    end: int
    replacement: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.replacement + text[self.end :]


@dataclass(frozen=True, slots=True)
class Component:
    """One component of the text: where it stands and the production it is held to."""

    name: str
    production: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Violation:
    """One run of characters that a production does not allow where they stand.

    ``kind``: ``illegal`` (cannot stand here), ``bad-escape`` (a percent sign without two hex
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


@dataclass(frozen=True, slots=True)
class Advice:
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


@dataclass(frozen=True)
class Report:
    """All that one check found in one text.

    ``violations`` are sorted and disjoint; there are none exactly when ``rule`` accepts
    ``text``. ``components`` maps a component's name to where it stands, in text order.
    ``str(report)`` draws carets under the blamed characters.
    """

    text: str
    rule: str
    grammar: str
    components: dict[str, Component]
    violations: tuple[Violation, ...]
    adviser: Callable[[Report], tuple[Advice, ...]] | None = field(
        default=None, repr=False, compare=False
    )

    @property
    def ok(self) -> bool:
        """True exactly when the rule accepts the text."""
        return not self.violations

    @property
    def advice(self) -> tuple[Advice, ...]:
        """Opinions, found on demand: valid, but probably not meant or not wise."""
        return self.adviser(self) if self.adviser else ()

    @property
    def repaired(self) -> str | None:
        """The text with every fix applied, or None if some violation has no safe fix."""
        pieces: list[str] = []
        at = 0
        for violation in self.violations:
            if violation.fix is None:
                return None
            pieces += self.text[at : violation.fix.start], violation.fix.replacement
            at = violation.fix.end
        return "".join(pieces) + self.text[at:]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready values."""
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
            "advice": [a.to_dict() for a in self.advice],
            "repaired": self.repaired,
        }

    def __str__(self) -> str:
        if self.ok:
            return f"{visible(self.text)}\nvalid {self.rule}"
        lines = draw(self.text, [(v.start, v.end) for v in self.violations])
        lines += [f"{v.start}-{v.end} {v.component}: {v.message}" for v in self.violations]
        return "\n".join(lines)


class InvalidURI(ValueError):
    """Raised by ``require`` and ``parse``; ``report`` says exactly what is wrong."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__(report)

    def __str__(self) -> str:
        return f"not a valid {self.report.rule}\n{self.report}"
