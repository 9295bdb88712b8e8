"""Target: exports of any grammar, run in the engine that Python has.

Owns its inputs: ABNF, a NUL, and the text to match. Imports the exports and the
grammars. Invariant: the engine accepts what the automaton accepts; what a target cannot say is
refused by the error that is named.
"""

from __future__ import annotations

import re

from uriproof.grammar.errors import GrammarError, GrammarLimit
from uriproof.grammar.machine.sample import cover
from uriproof.grammar.registry import compile_abnf
from uriproof.workbench.export import export, targets

from .harness import hold, run, words

_RULES = 2
_TEXTS = 8


def one_input(data: bytes) -> None:
    """Read the grammar; export its first rules to every target."""
    source, _, rest = data.partition(b"\0")
    try:
        compiled = compile_abnf(words(source), name="fuzzed")
    except GrammarError:
        return
    for rule in list(compiled.model.rules)[:_RULES]:
        try:
            automaton = compiled.automaton(rule)
        except (GrammarError, GrammarLimit):
            automaton = None
        made: dict[str, str] = {}
        for to in targets():
            try:
                made[to] = export(compiled, rule, to)
            except (GrammarError, GrammarLimit) as error:
                hold(bool(str(error)), "a refusal says why")
        if automaton is None:
            continue
        texts = [words(rest), *(t for t, _ in zip(cover(automaton), range(_TEXTS), strict=False))]
        texts += [t + "\n" for t in texts]
        if "regex" in made:
            pattern = re.compile(made["regex"])
            for probe in texts:
                same = bool(pattern.fullmatch(probe)) is automaton.accepts(probe)
                hold(same, "regex accepts what the rule accepts")


if __name__ == "__main__":
    run(one_input)
