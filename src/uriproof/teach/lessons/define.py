"""Productions that a pupil writes, compared with those of the RFC or of a teacher.

Owns what a pupil's text is read together with, and what is said of it. Imports the comparison of
pupils' grammars. Invariant: "right" is proved, or every text that the lesson lists was tried; the
texts that are shown are shortest ones; the reference is never shown.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...errors import UriproofError
from ...grammar.graph import reachable
from ...grammar.model import Rule, references
from ...rule import GENERIC, Grammar
from ...text.drawing import visible
from ..fields import read
from ..grade import Graded, failed, grade_text
from .prose import Piece, piece
from .read import Exercise, Predict

NAME = "yours"


class Written(NamedTuple):
    """A pupil's rule: ``abnf`` is the whole text that it was read in, its own part first.

    The errors of ``graded`` are places in the pupil's own text.
    """

    graded: Graded
    abnf: str
    misconception: str = ""

    @property
    def right(self) -> bool:
        return self.graded.verdict == "equal"

    def to_dict(self) -> dict[str, Any]:
        found = self.graded.to_dict()
        names = ("rule", "too_much", "too_little", "errors")
        shown = {name: found[name] for name in names}
        return {**shown, "abnf": self.abnf, "right": self.right}

    def message(self) -> list[Piece]:
        """What differs, in words; nothing if the list of errors says it."""
        name = piece(self.graded.rule, code=True)
        said: list[Piece] = []
        if self.graded.too_much is not None:
            said += [piece("Your "), name, piece(" accepts "), _shown(self.graded.too_much)]
            said.append(piece(", which it should not. "))
        if self.graded.too_little is not None:
            said += [piece("Your "), name, piece(" does not accept ")]
            said += [_shown(self.graded.too_little), piece(", which it should.")]
        return said


def _shown(text: str) -> Piece:
    return piece(visible(text), code=True) if text else piece("the empty text", emphasis=True)


def production(named: str, grammar: str = GENERIC, abnf: str = "") -> tuple[Grammar, str]:
    """A grammar and its rule: ``GRAMMAR:RULE``, or a rule of one's own ``abnf`` or of ``grammar``.

    Errors: GrammarError, UnknownGrammar, UnknownRule.
    """
    own, colon, rule = named.rpartition(":")
    found = read(abnf) if abnf and not colon else Grammar.load(own if colon else grammar)
    return found, found.rule_name(rule)


def reference(exercise: Exercise, predict: Predict) -> Grammar:
    """The grammar that a pupil's rule is compared with. Errors: GrammarError, UnknownGrammar."""
    return read(predict.abnf) if predict.abnf else Grammar.load(exercise.grammar)


def _given(exercise: Exercise, predict: Predict) -> tuple[dict[str, Rule], list[str]]:
    """The rules of the reference, and the names of those that a pupil may use: none if none are
    given. Errors: UnknownRule, GrammarError.
    """
    if not predict.given:
        return {}, []
    grammar = reference(exercise, predict)
    return {**grammar.compiled.model.rules}, [grammar.rule_name(name) for name in predict.given]


def _around(exercise: Exercise, predict: Predict, own: str) -> str:
    """The rules that are given and those that they lead to, without those that a pupil defines."""
    rules, names = _given(exercise, predict)
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
        return Written(failed(NAME, rule, f'no line begins with "{rule} ="'), whole)
    if predict.accepts or predict.refuses:
        found = _listed(predict, whole)
    else:
        found = grade_text(NAME, whole, reference(exercise, predict), rule)
    if found.verdict == "undecided":
        words = (
            f"{rule} refers to itself, so no automaton decides it, and no text was found that "
            "tells the two apart: write it without recursion"
        )
        found = failed(NAME, rule, words)
    lines = text.count("\n") + 1
    errors = tuple(error._replace(line=min(error.line, lines)) for error in found.errors)
    idea = _recognized(exercise, predict, whole) if found.verdict == "different" else ""
    return Written(found._replace(errors=errors), whole, idea)


def _recognized(exercise: Exercise, predict: Predict, whole: str) -> str:
    """The idea behind a definition, if it is one of those that the lesson knows."""
    for mistake in predict.mistake:
        other = f"{mistake.abnf}\n{_around(exercise, predict, mistake.abnf)}\n"
        if grade_text(NAME, other, read(whole), predict.of).verdict == "equal":
            return mistake.misconception
    return ""


def _listed(predict: Predict, whole: str) -> Graded:
    """Judged by the texts that a lesson lists: there is more than one right language."""
    rule = predict.of
    found = grade_text(NAME, whole, read(f"{rule} = %x0-10FFFF"), rule)
    if found.verdict == "error":
        return found
    own = read(whole)[rule]
    try:
        much = next((one for one in predict.refuses if own.is_valid(one)), None)
        little = next((one for one in predict.accepts if not own.is_valid(one)), None)
    except UriproofError as error:
        return failed(NAME, rule, str(error))
    right = much is None and little is None
    return Graded(NAME, rule, "equal" if right else "different", "", much, little)


def definition(exercise: Exercise, predict: Predict) -> dict[str, Any]:
    """The step as it is shown: the rule to write, the text to begin with, and the rules given."""
    rules, names = _given(exercise, predict)
    return {
        "rule": predict.of,
        "start": predict.start or f"{predict.of} = ",
        "given": [rules[name].text for name in names],
        "names": [*predict.given],
        "accepts": list(predict.accepts),
        "refuses": list(predict.refuses),
    }
