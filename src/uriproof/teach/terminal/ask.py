"""What a screen shows of one text, asked of ``handle``: no widget, no terminal.

Owns which requests are made for a text, and what is read out of their answers. Imports ``handle``.
Invariant: what is here of a text is of exactly that text, that rule and that grammar.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ..handle import handle

__all__ = ["MOST_EXPLAINED", "Seen", "Span", "Subject", "explained", "looked_at", "next_here"]

MOST_EXPLAINED = 2_000
"""Characters of a text whose derivation is shown: it takes longer than a person waits for more."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A text, and what it is checked against: ``abnf``, if there is one, else a bundled grammar."""

    text: str
    rule: str = "URI"
    grammar: str = "rfc3986"
    abnf: str | None = None

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        """The answer to one request about this subject."""
        where = {"grammar": self.grammar} if self.abnf is None else {"abnf": self.abnf}
        return handle({"do": do, **where, "rule": self.rule, "text": self.text, **more})

    def about(self, do: str, rule: str, **more: Any) -> dict[str, Any]:
        """The answer about a rule of the grammar, whatever the text is; remembered."""
        return _about(do, rule, self.grammar, self.abnf, tuple(sorted(more.items())))


@lru_cache(maxsize=512)
def _about(
    do: str, rule: str, grammar: str, abnf: str | None, more: tuple[tuple[str, Any], ...]
) -> dict[str, Any]:
    where = {"grammar": grammar} if abnf is None else {"abnf": abnf}
    return handle({"do": do, **where, "rule": rule, **dict(more)})


@dataclass(frozen=True, slots=True)
class Span:
    """A component, or what a grammar without components has on top: ``[start, end)``."""

    name: str
    production: str
    start: int
    end: int


@dataclass(frozen=True)
class Seen:
    """What is known of a text: its report, and its derivation once that is worked out.

    ``error`` says why there is no report, ``why`` why there is no derivation.
    """

    subject: Subject
    report: dict[str, Any] | None = None
    derivation: dict[str, Any] | None = None
    error: str = ""
    why: str = ""
    _paths: dict[int, tuple[int, ...]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def ok(self) -> bool:
        return bool(self.report and self.report["ok"])

    @property
    def violations(self) -> list[dict[str, Any]]:
        return list(self.report["violations"]) if self.report else []

    @property
    def advice(self) -> list[dict[str, Any]]:
        return list(self.report["advice"]) if self.report else []

    def spans(self) -> list[Span]:
        """The components; of a grammar that names none, the rules that the text begins with."""
        components = self.report["components"] if self.report else {}
        if components and set(components) != {self.subject.rule}:
            found = components.items()
            return [Span(name, c["production"], c["start"], c["end"]) for name, c in found]
        if not self.derivation:
            return []
        return [
            Span(node["name"], node["name"], node["start"], node["end"])
            for node in self.derivation["nodes"]
            if node["depth"] == 1 and node["kind"] == "rule"
        ]

    def path(self, offset: int) -> tuple[int, ...]:
        """The numbers of the nodes from the first to the terminal that reads a character."""
        if not self.derivation:
            return ()
        characters = self.derivation["characters"]
        if not characters:
            return (0,)
        number = characters[min(max(offset, 0), len(characters) - 1)]
        found = self._paths.get(number)
        if found is None:
            nodes, walked = self.derivation["nodes"], []
            at = number
            while at >= 0:
                walked.append(at)
                at = nodes[at]["parent"]
            found = self._paths[number] = tuple(reversed(walked))
        return found

    def rules_at(self, offset: int) -> list[int]:
        """As ``path``, without the terminal; where the text goes wrong, what is blamed there."""
        nodes = self.derivation["nodes"] if self.derivation else []
        return [number for number in self.path(offset) if nodes[number]["kind"] == "rule"]

    def telling(self, offset: int) -> int | None:
        """The node to show for a character: the innermost that says more than its class.

        One that reads a single character says no more where it is one of several alternatives, or
        where its rule takes no more.
        """
        rules = self.rules_at(offset)
        nodes = self.derivation["nodes"] if self.derivation else []
        for number in reversed(rules):
            node = nodes[number]
            if node["end"] - node["start"] > 1:
                return number
            if not node["alternative"] and takes_more(self.subject, node["name"]):
                return number
        return rules[0] if rules else None


def takes_more(subject: Subject, rule: str) -> bool:
    """Whether a rule has texts of more than one character."""
    greatest = subject.about("rule", rule).get("rule", {}).get("greatest", 2)
    return greatest is None or greatest > 1


def looked_at(subject: Subject) -> Seen:
    """The report alone: quick for every length."""
    answer = subject.ask("check")
    if "error" in answer:
        return Seen(subject, error=answer["error"]["message"])
    return Seen(subject, answer["report"])


def explained(seen: Seen) -> Seen:
    """The same with the derivation, or why there is none."""
    if seen.report is None:
        return seen
    length = len(seen.subject.text)
    if length > MOST_EXPLAINED:
        words = f"The derivation is shown for texts of at most {MOST_EXPLAINED:,} characters;"
        return Seen(seen.subject, seen.report, why=f"{words} this one has {length:,}.")
    answer = seen.subject.ask("explain")
    if "error" in answer:
        return Seen(seen.subject, seen.report, why=answer["error"]["message"])
    return Seen(seen.subject, seen.report, answer["derivation"])


def next_here(subject: Subject, offset: int) -> list[tuple[str, str, str]]:
    """What the grammar allows at an offset: (element, its production, ``taken`` or not).

    Nothing where the text is not viable so far, and for rules that no automaton accepts.
    """
    answer = subject.ask("steps", **{"from": offset, "to": offset})
    found: dict[str, tuple[str, str, str]] = {}
    for step in answer.get("steps", []):
        for one in step["alternatives"]:
            fate = "taken" if one["fate"] == "taken" else "open"
            if found.get(one["word"], ("", "", ""))[2] != "taken":
                found[one["word"]] = one["word"], one["path"][-1], fate
    return list(found.values())
