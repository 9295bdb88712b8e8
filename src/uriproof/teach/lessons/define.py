"""Productions that a pupil writes, compared with those of the RFC or of a teacher.

Owns what a pupil's text is read together with, and what is said of it. Imports the comparison of
pupils' grammars. Invariant: "right" is proved, or every text that the lesson lists was tried; the
texts that are shown are shortest ones; the reference is never shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import UriproofError
from ...grammar.graph import reachable
from ...grammar.model import references
from ...rule import Grammar
from ...text.drawing import visible
from ..fields import read
from ..grade import Graded, grade_text
from .prose import Piece, piece
from .read import Exercise, Predict

__all__ = ["Written", "definition", "reference", "written"]

NAME = "yours"


@dataclass(frozen=True, slots=True)
class Written:
    """A pupil's rule: ``abnf`` is the whole text that it was read in, its own part first.

    ``too_much`` is a text that the rule accepts and should not, ``too_little`` one that it should;
    None if there is none. ``errors`` are places in the pupil's own text.
    """

    rule: str
    abnf: str
    right: bool
    too_much: str | None = None
    too_little: str | None = None
    errors: tuple[dict[str, Any], ...] = ()
    misconception: str = ""

    def message(self) -> list[Piece]:
        """What differs, in words; nothing if the list of errors says it."""
        name = piece(self.rule, code=True)
        said: list[Piece] = []
        if self.too_much is not None:
            said += [piece("Your "), name, piece(" accepts "), _shown(self.too_much)]
            said.append(piece(", which it should not. "))
        if self.too_little is not None:
            said += [piece("Your "), name, piece(" does not accept "), _shown(self.too_little)]
            said.append(piece(", which it should."))
        return said


def _shown(text: str) -> Piece:
    return piece(visible(text), code=True) if text else piece("the empty text", emphasis=True)


def reference(exercise: Exercise, predict: Predict) -> Grammar:
    """The grammar that a pupil's rule is compared with. Errors: GrammarError, UnknownGrammar."""
    return read(predict.abnf) if predict.abnf else Grammar.load(exercise.grammar)


def _given(exercise: Exercise, predict: Predict) -> list[str]:
    """The text of each rule that a pupil may use. Errors: UnknownRule, GrammarError."""
    if not predict.given:
        return []
    grammar = reference(exercise, predict)
    rules = grammar.compiled.model.rules
    return [rules[grammar.rule_name(name)].text for name in predict.given]


def _around(exercise: Exercise, predict: Predict, own: str) -> str:
    """The rules that are given and those that they lead to, without those that a pupil defines."""
    if not predict.given:
        return ""
    grammar = reference(exercise, predict)
    rules = grammar.compiled.model.rules
    names = [grammar.rule_name(name) for name in predict.given]
    needed = reachable(names, lambda name: references(rules[name].element))
    heads = _heads(own)
    return "\n".join(
        rule.text for name, rule in rules.items() if name in needed and name.casefold() not in heads
    )


def _heads(text: str) -> set[str]:
    """The names of the rules that a text defines: they begin a line."""
    lines = [line for line in text.splitlines() if not line[:1].isspace()]
    return {line.partition("=")[0].strip().casefold() for line in lines}


def written(exercise: Exercise, predict: Predict, text: str) -> Written:
    """What is said of a pupil's text.

    Errors: GrammarError, UnknownRule, for a lesson's own grammar; none for the pupil's. Cost: that
    of reading and comparing two rules, which ``work`` bounds in an answer.
    """
    rule = predict.of
    whole = f"{text.rstrip()}\n{_around(exercise, predict, text)}\n"
    if rule.casefold() not in _heads(text):
        return _failed(Written(rule, whole, False), f'no line begins with "{rule} ="')
    if predict.accepts or predict.refuses:
        return _listed(predict, whole, text)
    found = grade_text(NAME, whole, reference(exercise, predict), rule)
    if found.verdict == "error":
        return _with_errors(rule, whole, text, found)
    misconception = "" if found.verdict == "equal" else _recognized(exercise, predict, whole)
    made = Written(
        rule,
        whole,
        found.verdict == "equal",
        found.too_much,
        found.too_little,
        misconception=misconception,
    )
    if found.verdict == "undecided":
        words = (
            f"{rule} refers to itself, so no automaton decides it, and no text was found that "
            "tells the two apart: write it without recursion"
        )
        return _failed(made, words)
    return made


def _failed(made: Written, words: str) -> Written:
    error = {"line": 0, "column": 0, "length": 0, "message": words}
    return Written(made.rule, made.abnf, False, errors=(error,))


def _with_errors(rule: str, whole: str, own: str, found: Graded) -> Written:
    lines = own.count("\n") + 1
    errors = tuple({**error._asdict(), "line": min(error.line, lines)} for error in found.errors)
    return Written(rule, whole, False, errors=errors)


def _recognized(exercise: Exercise, predict: Predict, whole: str) -> str:
    """The idea behind a definition, if it is one of those that the lesson knows."""
    for mistake in predict.mistake:
        other = f"{mistake.abnf}\n{_around(exercise, predict, mistake.abnf)}\n"
        if grade_text(NAME, other, read(whole), predict.of).verdict == "equal":
            return mistake.misconception
    return ""


def _listed(predict: Predict, whole: str, own: str) -> Written:
    """Judged by the texts that a lesson lists: there is more than one right language."""
    rule = predict.of
    found = grade_text(NAME, whole, read(f"{rule} = %x0-10FFFF"), rule)
    if found.verdict == "error":
        return _with_errors(rule, whole, own, found)
    own_rule = read(whole)[rule]
    try:
        much = next((one for one in predict.refuses if own_rule.is_valid(one)), None)
        little = next((one for one in predict.accepts if not own_rule.is_valid(one)), None)
    except UriproofError as error:
        return _failed(Written(rule, whole, False), str(error))
    return Written(rule, whole, much is None and little is None, much, little)


def definition(exercise: Exercise, predict: Predict) -> dict[str, Any]:
    """The step as it is shown: the rule to write, the text to begin with, and the rules given."""
    return {
        "rule": predict.of,
        "start": predict.start or f"{predict.of} = ",
        "given": _given(exercise, predict),
        "names": [*predict.given],
        "accepts": list(predict.accepts),
        "refuses": list(predict.refuses),
    }
