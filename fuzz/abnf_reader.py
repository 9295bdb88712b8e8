"""Target: any text as a grammar and, where it is one, a text against each of its first rules.

Owns its inputs: ABNF, a NUL, and the text to check. Invariant: what no grammar is raises
GrammarError, what is beyond the bounds GrammarLimit, and nothing raises anything else.
"""

from __future__ import annotations

from uriproof import Grammar
from uriproof.grammar.compile.read_regex import read_regex
from uriproof.grammar.compiled import Compiled
from uriproof.grammar.errors import GrammarError, GrammarLimit
from uriproof.grammar.machine.product import difference
from uriproof.grammar.machine.sample import cover
from uriproof.grammar.registry import compile_abnf

from .contract import checked
from .harness import hold, run, words

_RULES = 4
_TEXTS = 6


def one_input(data: bytes) -> None:
    """Read the grammar; compare its machines with each other."""
    source, _, rest = data.partition(b"\0")
    try:
        compiled = compile_abnf(words(source), name="fuzzed")
    except GrammarError as error:
        _errors(error, words(source))
        return
    for rule in list(compiled.model.rules)[:_RULES]:
        try:
            _checked(compiled, rule, words(rest))
        except GrammarLimit as error:
            hold(bool(str(error)), "a limit says which")


def _errors(error: GrammarError, source: str) -> None:
    hold(bool(error.faults), "an error has a fault")
    hold(bool(str(error)), "an error can be printed")
    places = [(f.line, f.column) for f in error.faults]
    hold(places == sorted(places), "faults are in the order of the text")
    lines = source.count("\n") + source.count("\r") + 1
    hold(all(1 <= line <= lines and column >= 1 for line, column in places), "faults have places")


def _checked(compiled: Compiled, rule: str, text: str) -> None:
    automaton = compiled.automaton(rule)
    pattern = compiled.regex(rule)
    if pattern is not None:
        hold(difference(read_regex(pattern), automaton) is None, "the expression is the automaton")
    made = Grammar(compiled)[rule]
    for valid, _ in zip(cover(automaton), range(_TEXTS), strict=False):
        hold(checked(made, valid).ok, "what the automaton makes is valid")
    checked(made, text)


if __name__ == "__main__":
    run(one_input)
