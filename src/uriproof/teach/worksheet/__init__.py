"""Worksheets: questions with a key, the same for the same code.

Owns the parts of a sheet, and its code. Imports the questions. Invariant: a sheet's code, printed
on it, makes the same questions and key again, explained or not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...limits import GREATEST_SEED, MOST_QUESTIONS, MOST_SHEET_RULES
from ...rule import GENERIC, Grammar
from .questions import Kind, Question, questions

COUNT = 10

ASKED: dict[Kind, str] = {
    "verdict": (
        "Is this a valid {rule}? If not, mark the first character that is not allowed, or where "
        "one is missing."
    ),
    "production": "Which production of {rule} derives the underlined characters?",
    "fix": "This is not a valid {rule}. Write it so that it is valid and means the same.",
    "reading": "Read as {rule}: which alternative is meant?",
}


@dataclass(frozen=True, slots=True)
class Sheet:
    """Some questions; ``code`` reproduces them."""

    grammar: str
    rules: tuple[str, ...]
    count: int
    seed: int
    questions: tuple[Question, ...]

    @property
    def code(self) -> str:
        """``GRAMMAR:RULE,RULE:COUNT:SEED``."""
        return f"{self.grammar}:{','.join(self.rules)}:{self.count}:{self.seed}"

    @property
    def title(self) -> str:
        return f"Worksheet: {', '.join(self.rules)}"

    def asked(self, question: Question) -> str:
        return ASKED[question.kind].format(rule=question.rule)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: the questions, and the key by itself."""
        asked = [{"asked": self.asked(q), **q.to_dict()} for q in self.questions]
        return {
            "title": self.title,
            "code": self.code,
            "seed": self.seed,
            "questions": [{"number": n, **one} for n, one in enumerate(asked, 1)],
            "key": [{"number": n, **q.answer()} for n, q in enumerate(self.questions, 1)],
        }


def worksheet(
    grammar: Grammar,
    rules: Sequence[str],
    *,
    count: int = COUNT,
    seed: int = 1,
    explain: bool = False,
) -> Sheet:
    """A sheet of up to ``count`` questions about some rules.

    Errors: UnknownRule; ValueError for numbers out of range, and if the rules have no texts to ask
    about; GrammarLimit. With ``explain``, the key also says what was expected. Cost: a second or
    two a rule.

    >>> from uriproof import Grammar
    >>> sheet = worksheet(Grammar.load("rfc3986"), ["URI"], count=4, seed=7)
    >>> sheet.code, len(sheet.questions)
    ('rfc3986:URI:4:7', 4)
    """
    if not 1 <= count <= MOST_QUESTIONS:
        raise ValueError(f"a worksheet has from 1 to {MOST_QUESTIONS} questions")
    if not 0 <= seed <= GREATEST_SEED:
        raise ValueError(f"a seed is a number from 0 to {GREATEST_SEED:,}")
    names = tuple(dict.fromkeys(grammar.rule_name(rule) for rule in rules)) or (grammar.start,)
    if len(names) > MOST_SHEET_RULES:
        raise ValueError(f"a worksheet is about at most {MOST_SHEET_RULES} rules")
    found = questions(grammar, names, count, seed, explain)
    if not found:
        raise ValueError(f"{', '.join(names)} has no short texts to ask about")
    return Sheet(grammar.name, names, count, seed, tuple(found))


def from_code(code: str, explain: bool = False) -> Sheet:
    """The sheet that has a code printed on it, of a bundled grammar.

    Errors: ValueError; UnknownGrammar, UnknownRule.
    """
    pieces = code.strip().split(":")
    if len(pieces) != 4 or not (pieces[2].isdecimal() and pieces[3].isdecimal()):  # noqa: PLR2004
        example = f"{GENERIC}:URI:{COUNT}:1"
        raise ValueError(f"a worksheet's code is GRAMMAR:RULES:COUNT:SEED, such as {example}")
    name, rules, count, seed = pieces
    if max(len(count), len(seed)) > len(str(GREATEST_SEED)):
        raise ValueError(f"the numbers of a code have at most {len(str(GREATEST_SEED))} digits")
    grammar = Grammar.load(name)
    return worksheet(grammar, rules.split(","), count=int(count), seed=int(seed), explain=explain)
