"""A code explained: why it is said, of what, what mends it, and how it is left out.

Owns what is told of a code, and the page that tells it. Imports ``drawing``, ``lint.codes``, and
``validate`` and ``advice`` when an example is checked. Invariant: the picture of an example is
that of the check itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..text.drawing import draw
from .codes import Code, cited, codes
from .config.select import Selection

__all__ = ["Explained", "explained"]

_GROUPS = {
    "violations": "a violation of the grammar: said unless it is ignored",
    "advice": "advice: said where it is selected",
    "security": "advice on attacks: said where it is selected",
    "linter": "of the linter itself: said unless it is ignored",
}
_PATTERN = "uriproof: {0}[{1}] the reason"


@dataclass(frozen=True, slots=True)
class Explained:
    """All that is told of a code. ``drawn`` is its bad example with carets, and what is said.

    ``mended`` is the bad example with its fixes, None if there are none. ``cited`` is the section
    that specifies the rule, and ``url`` its address; empty if none does.
    """

    known: Code
    drawn: tuple[str, ...]
    mended: str | None
    cited: str
    url: str

    @property
    def held_to(self) -> str:
        """What the examples are held to; empty where they are lines of a file."""
        schemes = " and the rules of its scheme" if self.known.schemes else ""
        return self.known.rule and f"{self.known.rule}{schemes}"

    @property
    def group(self) -> str:
        """Which group of codes it is of, and when such codes are said."""
        words = _GROUPS[self.known.kind]
        if self.is_said and self.known.kind == "advice":
            return f"{words.partition(':')[0]}: said unless it is ignored"
        return words

    @property
    def is_said(self) -> bool:
        """Whether it is said by default."""
        return Selection().has(self.known.code, self.known.kind)

    @property
    def select(self) -> str:
        """The line of the configuration that changes whether it is said."""
        key = "ignore" if self.is_said else "extend-select"
        return f'{key} = ["{self.known.code}"]'

    def suppressions(self) -> Iterator[tuple[str, str]]:
        """Comments that leave it out, each with what it speaks of."""
        for verb, where in (
            ("ignore", "on its line"),
            ("ignore-next-line", "on the line above"),
            ("ignore-file", "anywhere in the file"),
        ):
            yield _PATTERN.format(verb, self.known.code), where

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready values."""
        known = self.known
        return {
            "code": known.code,
            "title": known.title,
            "group": known.kind,
            "severity": known.severity,
            "why": known.why,
            "case": known.case,
            "alarms": known.alarms,
            "section": self.cited,
            "url": self.url,
            "rule": known.rule,
            "schemes": known.schemes,
            "abnf": known.abnf,
            "bad": known.bad,
            "drawn": list(self.drawn),
            "mended": self.mended,
            "good": known.good,
            "configuration": self.select,
            "suppressions": [comment for comment, _ in self.suppressions()],
        }

    def to_markdown(self) -> str:
        """The page of the code, in Markdown."""
        known = self.known
        lines = [f"# {known.code}", "", f"**{known.title}.**", ""]
        lines += [f"*{known.severity.capitalize()}; {self.group}.*", "", known.why, ""]
        if known.case:
            lines += [f"Known from: {known.case}", "", known.alarms, ""]
        if self.url:
            lines += [f"Specified in [{self.cited}]({self.url}).", ""]
        if known.abnf:
            lines += ["```abnf", *known.abnf.splitlines(), "```", ""]
        lines += ["## Wrong" if known.kind == "violations" else "## Said of", ""]
        lines += [f"Held to {self.held_to}:", ""] if self.held_to else []
        lines += ["```text", *self.drawn, "```", ""]
        if self.mended is not None:
            lines += ["Mended:", "", "```text", self.mended, "```", ""]
        if self.mended != known.good:
            lines += ["## Right" if known.kind == "violations" else "## Not said of", ""]
            lines += ["```text", known.good, "```", ""]
        said = "To leave it out" if self.is_said else "To have it said"
        lines += [f"## {said}", "", "```toml", "[tool.uriproof]", self.select, "```", ""]
        lines += ["In one place, by a comment:", "", "```text"]
        width = max(len(comment) for comment, _ in self.suppressions())
        lines += [f"{comment:<{width}}  {where}" for comment, where in self.suppressions()]
        return "\n".join([*lines, "```", ""])


@cache
def explained(code: str) -> Explained:
    """What is told of a code of ``lint.codes``. Errors: KeyError. Cost: a check.

    >>> print(*explained("path-illegal").drawn[:2], sep="\\n")
    http://example.com/a b
                        ^
    """
    known = codes()[code]
    section, url = cited(known.section or known.why)
    if not known.rule:
        return Explained(known, (known.bad,), None, section, url)
    from ..advice import advise
    from ..grammar import registry
    from ..validate.check import Beside, check

    grammar = registry.load("rfc3986")
    rule = known.rule
    report = check(grammar, known.bad, rule, Beside(schemes=known.schemes), advise)
    if known.kind == "violations":
        said = [(v.start, v.end, v.message) for v in report.violations]
    else:
        said = [(a.start, a.end, a.message) for a in advise(report, [code])]
    spans = [(start, end) for start, end, _ in said]
    messages = list(dict.fromkeys(message for _, _, message in said))
    mended = report.fixed if report.violations else None
    return Explained(known, (*draw(known.bad, spans), *messages), mended, section, url)
