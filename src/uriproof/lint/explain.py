"""The explanation of a rule code: why it is reported, an example, its fix, and how to disable it.

Owns the explanation and its page. Imports ``drawing``, ``lint.codes``, and ``validate`` and
``advice`` when an example is checked. Invariant: the drawing of an example is that of the check
itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from ..diagnostic import RuleInfo
from ..text.drawing import draw
from .codes import Code, cited, codes, names
from .config.select import Selection

__all__ = ["Explanation", "RuleInfos", "explain"]

_GROUPS = {
    "violations": "a violation of the grammar",
    "advice": "advice",
    "security": "security advice",
    "linter": "a rule of the linter itself",
}
_PATTERN = "uriproof: {0}[{1}] the reason"


class Explanation(NamedTuple):
    """A code explained. ``drawn`` is its bad example with carets and messages.

    ``fixed`` is the bad example with its fixes, None if there are none. ``cited`` is the section
    that specifies the rule, and ``url`` its address; empty if none does.
    """

    known: Code
    drawn: tuple[str, ...]
    fixed: str | None
    cited: str
    url: str

    @property
    def checked_as(self) -> str:
        """The rule that the examples are checked against; empty where they are lines of a file."""
        schemes = " with the rules of its scheme" if self.known.schemes else ""
        return self.known.rule and f"{self.known.rule}{schemes}"

    @property
    def group(self) -> str:
        """The group of the code, and whether it is on by default."""
        state = "on by default" if self.is_default else "off by default"
        return f"{_GROUPS[self.known.kind]}, {state}"

    @property
    def is_default(self) -> bool:
        """Whether it is reported by default."""
        return Selection().has(self.known.code, self.known.kind)

    @property
    def example(self) -> tuple[str, str]:
        """The headings of the bad and of the good example."""
        return ("Wrong", "Right") if self.known.kind == "violations" else ("Reported", "Accepted")

    @property
    def switch(self) -> tuple[str, str]:
        """What the configuration can do about it, and the line that does it."""
        key, title = ("ignore", "disable") if self.is_default else ("extend-select", "enable")
        return f"How to {title} it", f'{key} = ["{self.known.code}"]'

    def suppressions(self) -> Iterator[tuple[str, str]]:
        """Comments that suppress it, each with where it goes."""
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
            "fixed": self.fixed,
            "good": known.good,
            "configuration": self.switch[1],
            "suppressions": [comment for comment, _ in self.suppressions()],
        }

    def to_markdown(self) -> str:
        """The page of the code, in Markdown."""
        known, (bad, good) = self.known, self.example
        lines = [f"# {known.code}", "", f"**{known.title}.**", ""]
        lines += [f"*{known.severity.capitalize()}: {self.group}.*", "", known.why, ""]
        if known.case:
            lines += [f"Known from: {known.case}", "", known.alarms, ""]
        if self.url:
            lines += [f"Specified in [{self.cited}]({self.url}).", ""]
        if known.abnf:
            lines += ["```abnf", *known.abnf.splitlines(), "```", ""]
        lines += [f"## {bad}", ""]
        lines += [f"Checked as {self.checked_as}:", ""] if self.checked_as else []
        lines += ["```text", *self.drawn, "```", ""]
        if self.fixed is not None:
            lines += ["Fixed:", "", "```text", self.fixed, "```", ""]
        if self.fixed != known.good:
            lines += [f"## {good}", "", "```text", known.good, "```", ""]
        title, setting = self.switch
        lines += [f"## {title}", "", "```toml", "[tool.uriproof]", setting, "```", ""]
        lines += ["In one place, by a comment:", "", "```text"]
        width = max(len(comment) for comment, _ in self.suppressions())
        lines += [f"{comment:<{width}}  {where}" for comment, where in self.suppressions()]
        return "\n".join([*lines, "```", ""])


@cache
def explain(code: str) -> Explanation:
    """The explanation of a code of ``lint.codes``. Errors: KeyError. Cost: a check.

    >>> print(*explain("path-illegal").drawn[:2], sep="\\n")
    http://example.com/a b
                        ^
    """
    known = codes()[code]
    section, url = cited(known.section or known.why)
    if not known.rule:
        return Explanation(known, (known.bad,), None, section, url)
    from ..advice import advise
    from ..grammar import registry
    from ..validate.report import make_report

    grammar = registry.load("rfc3986")
    report = make_report(grammar, known.bad, known.rule, schemes=known.schemes, adviser=advise)
    found = report.violations if known.kind == "violations" else advise(report, [code])
    spans = [(one.start, one.end) for one in found]
    messages = dict.fromkeys(one.message for one in found)
    fixed = report.fixed if report.violations else None
    return Explanation(known, (*draw(known.bad, spans), *messages), fixed, section, url)


class RuleInfos(Mapping[str, RuleInfo]):
    """What is known of each code, for renderers; each is made when it is asked for.

    >>> RuleInfos()["path-illegal"].url
    'https://www.rfc-editor.org/rfc/rfc3986#section-3.3'
    """

    def __getitem__(self, code: str) -> RuleInfo:
        it = explain(code)
        known = it.known
        return RuleInfo(code, known.title, known.why, known.severity, it.url, it.to_markdown())

    def __iter__(self) -> Iterator[str]:
        return iter(names())

    def __len__(self) -> int:
        return len(names())
