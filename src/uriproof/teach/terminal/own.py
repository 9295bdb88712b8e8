"""A grammar file that is edited while it is tried: what it is now, and what an edit changed.

Owns the last usable grammar of the file. Imports ``handle`` and how files are followed. Invariant:
a broken file never takes the last usable grammar away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..handle import handle
from .ask import Subject
from .files import Followed

__all__ = ["Change", "Own"]

_MOST_TRIED = 12
"""Changed rules that are tried one by one; each takes a grammar to be read."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an edit of the grammar did: the rules that differ, and the verdict before and after.

    ``decisive`` are those of the rules that change the verdict alone, with all else as before.
    """

    rules: tuple[str, ...]
    before: bool | None
    after: bool | None
    decisive: tuple[str, ...]


class Own:
    """The grammar of one file. ``abnf`` is the last usable text of it, None before there is one.

    ``diagnostics`` are those of the file as it is now; ``broken`` says that it is not usable now.
    """

    def __init__(self, path: str) -> None:
        self.file = Followed(path)
        self.abnf: str | None = None
        self.start = ""
        self.rules: dict[str, str] = {}
        self.diagnostics: list[dict[str, Any]] = []
        self.broken = False
        self.why = ""

    def changed(self) -> bool:
        """Look at the file; whether it is another one than before, usable or not."""
        if not self.file.changed():
            return False
        self.why = self.file.error
        if self.why:
            self.broken, self.diagnostics = True, []
            return True
        answer = handle({"do": "grammar", "abnf": self.file.text})
        error = answer.get("error")
        if error is not None:
            self.broken, self.why = True, "" if error.get("faults") else error["message"]
            self.diagnostics = _marked(error.get("faults", []), True)
            return True
        self.broken = bool(answer["faults"])
        self.diagnostics = _marked(answer["faults"], True) + _marked(answer["diagnostics"], False)
        if self.broken and self.abnf is not None:
            return True
        rules = handle({"do": "rules", "abnf": self.file.text})
        self.abnf, self.start = self.file.text, rules["start"]
        self.rules = {rule["name"]: rule["abnf"] for rule in rules["rules"]}
        return True

    def change(self, before: dict[str, str], subject: Subject) -> Change | None:
        """What came of an edit for a text; None if no rule is another one.

        ``before`` are the rules until then, ``subject`` the text with the grammar of now.
        """
        names = [*self.rules, *(name for name in before if name not in self.rules)]
        rules = tuple(n for n in names if before.get(n) != self.rules.get(n))
        if not rules or not before:
            return None
        first = _verdict(subject, before)
        last = _verdict(subject, self.rules)
        decisive: tuple[str, ...] = ()
        if first is not last and None not in (first, last):
            decisive = tuple(
                name
                for name in rules[:_MOST_TRIED]
                if name in self.rules
                and name in before
                and _verdict(subject, {**self.rules, **before, name: self.rules[name]}) is last
            )
        return Change(rules, first, last, decisive)


def _marked(found: list[dict[str, Any]], fault: bool) -> list[dict[str, Any]]:
    """Diagnostics, each with whether it makes a rule unusable."""
    return [{**one, "fault": fault} for one in found]


def _verdict(subject: Subject, rules: dict[str, str]) -> bool | None:
    """Whether a text is valid by these rules alone; None where they make no grammar."""
    abnf = "\n".join(rules.values()) + "\n"
    answer = replace(subject, abnf=abnf).ask("check")
    return None if "error" in answer else bool(answer["report"]["ok"])
