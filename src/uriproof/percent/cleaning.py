"""What a cleaning found and did: changes, warnings and violations.

Owns the values that ``clean`` makes and commands show. Imports ``report`` and ``text``.
Invariant: values are immutable, and every offset is a half-open range ``[start, end)`` of code
points in the text that was given.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from ..errors import HasVerdict
from ..report import InvalidURI
from ..text.passwords import SECRET, passwords, touches, without_passwords

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
        from ..grammar import registry
        from ..validate.report import make_report
        from .characters import GRAMMAR

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
